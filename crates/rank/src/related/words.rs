//! What a page is about, as a short list of words, and how alike two such lists are.
//!
//! ```text
//! weight(w) = (1 + ln tf) · ln(1 + N / df)      text = Σ weights(w, one) · weights(w, other)
//! ```
//! over words of the main text, without stop words; of each page the [`KEPT`] heaviest of its
//! [`WEIGHED`] most frequent, scaled so that their squares add up to 1. So it is a cosine that needs
//! no other page, and is the same from either side. Below [`LEAST`], or with one word in common, it
//! is chance and counts nothing.

use std::collections::{BTreeMap, HashMap};

use index::{Expired, Snapshot, StoredPage};
use tantivy::query::{BooleanQuery, Occur, Query, TermQuery};
use tantivy::schema::IndexRecordOption;
use tantivy::{DocAddress, Term};
use text::Analyzer;

use crate::first::{self, Ranks, Walk};
use crate::patience::Patience;

/// Words of a page that are weighed, and of those the ones that are kept.
const WEIGHED: usize = 100;
const KEPT: usize = 64;
/// Bytes of a page that are read: what it is about stands at its beginning.
const READ_BYTES: usize = 32 * 1024;
/// Words that tell a page from others, for people.
const TELLING: usize = 8;
/// Words by which others are looked for.
const ASKED: usize = 12;
/// Words named as evidence.
const TOLD: usize = 5;
/// Least likeness that is no chance.
const LEAST: f64 = 0.1;

/// The words of a page by stem.
#[derive(Debug, Default)]
pub(super) struct Gist(BTreeMap<String, Weighed>);

#[derive(Debug)]
struct Weighed {
    weight: f64,
    /// A word as the page has it.
    word: String,
}

impl Gist {
    /// Returns how alike two pages are, and the words that say so, the heaviest first.
    pub(super) fn likeness(&self, other: &Self) -> (f64, Vec<String>) {
        let mut common: Vec<(f64, &str)> = Vec::new();
        for (stem, one) in &self.0 {
            if let Some(other) = other.0.get(stem) {
                common.push((one.weight * other.weight, &one.word));
            }
        }
        let likeness: f64 = common.iter().map(|(product, _)| product).sum();
        if common.len() < 2 || likeness < LEAST {
            return (0.0, Vec::new());
        }
        common.sort_by(|(more, one), (less, other)| less.total_cmp(more).then(one.cmp(other)));
        let words = common.into_iter().take(TOLD).map(|(_, word)| word.to_owned());
        (likeness.min(1.0), words.collect())
    }
}

/// Reads pages of one commit.
pub(super) struct Reader<'a> {
    snapshot: &'a Snapshot,
    patience: &'a Patience,
    /// Number of pages with each stem that was looked up.
    frequencies: HashMap<String, u64>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(snapshot: &'a Snapshot, patience: &'a Patience) -> Self {
        Self { snapshot, patience, frequencies: HashMap::new() }
    }

    /// Returns the words of a page. Cost: the reading of its text, and [`WEIGHED`] looks into the
    /// dictionary, each stem once for all pages.
    pub(super) fn gist(&mut self, page: &StoredPage) -> tantivy::Result<Gist> {
        let num_docs = self.snapshot.searcher.num_docs() as f64;
        let mut weighed = Vec::new();
        for (stem, (count, word)) in frequent(page) {
            let with = self.frequency(&stem)?.max(1) as f64;
            let weight = (1.0 + f64::from(count).ln()) * (1.0 + num_docs / with).ln();
            weighed.push((stem, Weighed { weight, word }));
        }
        weighed.sort_by(|(one, more), (other, less)| {
            less.weight.total_cmp(&more.weight).then_with(|| one.cmp(other))
        });
        weighed.truncate(KEPT);
        let squares: f64 = weighed.iter().map(|(_, word)| word.weight * word.weight).sum();
        let length = squares.sqrt().max(f64::MIN_POSITIVE);
        weighed.iter_mut().for_each(|(_, word)| word.weight /= length);
        Ok(Gist(weighed.into_iter().collect()))
    }

    /// Returns the words that tell a page from others and that some other page has, as stem and
    /// word.
    pub(super) fn telling(&mut self, gist: &Gist) -> tantivy::Result<Vec<(String, String)>> {
        let stems = self.heaviest(gist, TELLING)?.into_iter();
        Ok(stems.map(|stem| (stem.to_owned(), gist.0[stem].word.clone())).collect())
    }

    /// Returns the documents that share most of a page's telling words, itself among them, best
    /// first.
    pub(super) fn sharing(
        &mut self,
        gist: &Gist,
        most: usize,
        gone: Option<Expired<'_>>,
    ) -> tantivy::Result<Vec<DocAddress>> {
        let field = self.snapshot.fields.stems;
        let clause = |stem: &str| -> (Occur, Box<dyn Query>) {
            let term = Term::from_field_text(field, stem);
            (Occur::Should, Box::new(TermQuery::new(term, IndexRecordOption::WithFreqs)))
        };
        let clauses: Vec<_> = self.heaviest(gist, ASKED)?.into_iter().map(clause).collect();
        if clauses.is_empty() {
            return Ok(Vec::new());
        }
        let query = BooleanQuery::new(clauses);
        let is_over = || self.patience.is_over();
        let searcher = &self.snapshot.searcher;
        let found =
            first::best(searcher, &query, Walk::Pruned, most, &Ranks::none(), &is_over, gone)?;
        Ok(found.best.into_iter().map(|scored| scored.address).collect())
    }

    /// Returns the heaviest stems of a page that some other page has.
    fn heaviest<'b>(&mut self, gist: &'b Gist, most: usize) -> tantivy::Result<Vec<&'b str>> {
        let mut stems: Vec<(&str, f64)> = Vec::new();
        for (stem, word) in &gist.0 {
            if self.frequency(stem)? > 1 {
                stems.push((stem, word.weight));
            }
        }
        stems.sort_by(|(one, more), (other, less)| less.total_cmp(more).then(one.cmp(other)));
        Ok(stems.into_iter().take(most).map(|(stem, _)| stem).collect())
    }

    /// Returns how many pages have a stem.
    fn frequency(&mut self, stem: &str) -> tantivy::Result<u64> {
        if let Some(known) = self.frequencies.get(stem) {
            return Ok(*known);
        }
        let term = Term::from_field_text(self.snapshot.fields.stems, stem);
        let found = self.snapshot.searcher.doc_freq(&term)?;
        self.frequencies.insert(stem.to_owned(), found);
        Ok(found)
    }
}

/// Returns the most frequent stems of a page's main text, with a word that has each.
fn frequent(page: &StoredPage) -> Vec<(String, (u32, String))> {
    let analyzer = Analyzer::new(page.language);
    let mut counts: HashMap<String, (u32, String)> = HashMap::new();
    let main = page.blocks.iter().filter(|block| !block.zone.is_frame());
    let texts = main.map(|block| block.text.as_str());
    let mut left = READ_BYTES;
    for text in [page.title.as_str()].into_iter().chain(texts) {
        let text = &text[..text.floor_char_boundary(left)];
        left -= text.len();
        analyzer.for_each_term(text, |term| {
            let is_word = term.form.is_running() && !term.is_stop;
            if is_word && term.stem.chars().nth(1).is_some() {
                let known = counts.entry(term.stem.to_owned());
                known.or_insert_with(|| (0, term.surface.to_owned())).0 += 1;
            }
        });
    }
    let mut counts: Vec<(String, (u32, String))> = counts.into_iter().collect();
    counts.sort_unstable_by(|(one, (more, _)), (other, (less, _))| {
        less.cmp(more).then_with(|| one.cmp(other))
    });
    counts.truncate(WEIGHED);
    counts
}
