//! What one commit and one generation say while a plan is made: words of the dictionary, links,
//! pages that are like a page.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};

use base::{PageId, Timestamp, Url};
use index::Snapshot;
use tantivy::postings::{SegmentPostings, TermInfo};
use tantivy::query::FuzzyTermQuery;
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{DocId, DocSet, Searcher, SegmentReader, TERMINATED, Term};
use text::{Analyzer, Language, Lexicon, Synonyms};

use crate::checking;
use crate::generation::Links;
use crate::patience::Patience;
use crate::plan::{Linking, Place, Terms, World};
use crate::related::{Around, Related};

/// Entries of dictionaries looked at for one pattern or word.
const MOST_ENTRIES: usize = 200_000;
/// Documents of a language looked at for one word.
const MOST_STEPS: usize = 2_000;
/// Pages that link to an address.
const MOST_LINKING: usize = 10_000;

/// The user's synonyms, read for each language when a query needs it.
#[derive(Debug, Default)]
pub(crate) struct Lexicons {
    synonyms: Synonyms,
    read: Mutex<HashMap<Option<Language>, Arc<Lexicon>>>,
}

impl Lexicons {
    pub(crate) fn new(synonyms: Synonyms) -> Self {
        Self { synonyms, read: Mutex::default() }
    }

    fn of(&self, language: Option<Language>) -> Option<Arc<Lexicon>> {
        if self.synonyms.is_empty() {
            return None;
        }
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        let lexicon = read
            .entry(language)
            .or_insert_with(|| Arc::new(self.synonyms.lexicon(&Analyzer::new(language))));
        Some(lexicon.clone())
    }
}

/// The world as a search sees it.
pub(crate) struct Surroundings<'a> {
    pub(crate) snapshot: &'a Snapshot,
    pub(crate) links: &'a Links,
    pub(crate) lexicons: &'a Lexicons,
    pub(crate) patience: Patience,
    pub(crate) now: Timestamp,
}

/// Terms of all segments with the number of documents that have them.
#[derive(Default)]
struct Gathered {
    frequencies: HashMap<String, u64>,
    num_entries: usize,
    steps: u32,
    is_cut: bool,
}

impl Gathered {
    /// Takes an entry of a dictionary if it fits.
    fn push(
        &mut self,
        (key, info): (&[u8], &TermInfo),
        fits: &mut dyn FnMut(&str) -> bool,
        patience: &Patience,
    ) -> ControlFlow<()> {
        self.num_entries += 1;
        if self.num_entries > MOST_ENTRIES || patience.is_lost(&mut self.steps) {
            self.is_cut = true;
            return ControlFlow::Break(());
        }
        if let Ok(term) = std::str::from_utf8(key)
            && fits(term)
        {
            *self.frequencies.entry(term.to_owned()).or_default() += u64::from(info.doc_freq);
        }
        ControlFlow::Continue(())
    }

    /// Returns the most frequent terms.
    fn finish(self, most: usize) -> Terms {
        let mut terms: Vec<(String, u64)> = self.frequencies.into_iter().collect();
        terms.sort_unstable_by(|(one, more), (other, less)| less.cmp(more).then(one.cmp(other)));
        let is_cut = self.is_cut || terms.len() > most;
        terms.truncate(most);
        Terms { terms: terms.into_iter().map(|(term, _)| term).collect(), is_cut }
    }
}

impl Surroundings<'_> {
    fn field(&self, place: Place) -> Field {
        checking::field(self.snapshot.fields, place)
    }
}

impl World for Surroundings<'_> {
    fn frequency(&self, surface: &str) -> tantivy::Result<u64> {
        if self.patience.is_over() {
            return Ok(0);
        }
        let term = Term::from_field_text(self.snapshot.fields.words, surface);
        self.snapshot.searcher.doc_freq(&term)
    }

    fn is_used(&self, stems: &[String]) -> tantivy::Result<bool> {
        if self.patience.is_over() {
            return Ok(true);
        }
        let (pages, anchors) = (self.snapshot, &self.links.anchors);
        if has_all(&pages.searcher, pages.fields.stems, stems)? {
            return Ok(true);
        }
        match anchors {
            Some(anchors) => has_all(&anchors.searcher, anchors.fields.stems, stems),
            None => Ok(false),
        }
    }

    fn is_used_in(&self, stems: &[String], codes: &[&str]) -> tantivy::Result<bool> {
        if self.patience.is_over() {
            return Ok(true);
        }
        let fields = self.snapshot.fields;
        let terms: Vec<Term> =
            stems.iter().map(|stem| Term::from_field_text(fields.stems, stem)).collect();
        for code in codes {
            let language = Term::from_field_text(fields.language, code);
            for segment in self.snapshot.searcher.segment_readers() {
                if has_common(segment, &language, &terms)? {
                    return Ok(true);
                }
            }
        }
        // Links are kept without their languages.
        match &self.links.anchors {
            Some(anchors) => has_all(&anchors.searcher, anchors.fields.stems, stems),
            None => Ok(false),
        }
    }

    fn beginning_with(
        &self,
        place: Place,
        prefix: &str,
        fits: &mut dyn FnMut(&str) -> bool,
        most: usize,
    ) -> tantivy::Result<Terms> {
        let mut gathered = Gathered::default();
        let end = after(prefix);
        for segment in self.snapshot.searcher.segment_readers() {
            let index = segment.inverted_index(self.field(place))?;
            let mut stream = index.terms().range().ge(prefix).lt(&end).into_stream()?;
            while let Some(entry) = stream.next() {
                if gathered.push(entry, fits, &self.patience).is_break() {
                    break;
                }
            }
        }
        Ok(gathered.finish(most))
    }

    fn nearly(&self, place: Place, word: &str, edits: u8, most: usize) -> tantivy::Result<Terms> {
        let mut gathered = Gathered::default();
        let field = self.field(place);
        let automaton =
            FuzzyTermQuery::new(Term::from_field_text(field, word), edits, true).automaton()?;
        // The first letter is taken to be right: a slip there is rare, and the part of the
        // dictionary to look at is much smaller.
        let first: String = word.chars().take(1).collect();
        let end = after(&first);
        for segment in self.snapshot.searcher.segment_readers() {
            let index = segment.inverted_index(field)?;
            let search = index.terms().search(&automaton).ge(&first).lt(&end);
            let mut stream = search.into_stream()?;
            while let Some(entry) = stream.next() {
                if gathered.push(entry, &mut |_| true, &self.patience).is_break() {
                    break;
                }
            }
        }
        Ok(gathered.finish(most))
    }

    fn linking_to(&self, urls: &[Url]) -> tantivy::Result<Linking> {
        let mut pages: Vec<PageId> = Vec::new();
        for url in urls {
            match self.links.linking_to(url, MOST_LINKING + 1) {
                Some(found) => pages.extend(found),
                None => return Ok(Linking::NotYet),
            }
        }
        pages.sort_unstable();
        pages.dedup();
        let is_cut = pages.len() > MOST_LINKING;
        pages.truncate(MOST_LINKING);
        Ok(Linking::Pages { pages, is_cut })
    }

    fn related(&self, urls: &[Url]) -> tantivy::Result<Option<Related>> {
        let around = Around {
            snapshot: Some(self.snapshot),
            links: self.links,
            gone: self.snapshot.expired(self.now),
            patience: &self.patience,
        };
        around.find(urls)
    }

    fn lexicon(&self, language: Option<Language>) -> Option<Arc<Lexicon>> {
        self.lexicons.of(language)
    }
}

/// Returns whether an index has each of some terms.
fn has_all(searcher: &Searcher, field: Field, terms: &[String]) -> tantivy::Result<bool> {
    for term in terms {
        if searcher.doc_freq(&Term::from_field_text(field, term))? == 0 {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Returns whether a document has one term and all others.
///
/// Cost: a step for each document of the first, which should be the rarest, up to some thousand:
/// behind them it is taken to be so.
fn has_common(segment: &SegmentReader, first: &Term, others: &[Term]) -> tantivy::Result<bool> {
    let open = |term: &Term| {
        let index = segment.inverted_index(term.field())?;
        Ok::<_, tantivy::TantivyError>(index.read_postings(term, IndexRecordOption::Basic)?)
    };
    let Some(mut first) = open(first)? else { return Ok(false) };
    let mut lists = Vec::with_capacity(others.len());
    for other in others {
        let Some(list) = open(other)? else { return Ok(false) };
        lists.push(list);
    }
    let mut doc = first.doc();
    for _ in 0..MOST_STEPS {
        if doc == TERMINATED {
            return Ok(false);
        }
        let farthest = lists.iter_mut().map(|list| reach(list, doc)).max().unwrap_or(doc);
        if farthest == doc {
            return Ok(true);
        }
        doc = reach(&mut first, farthest);
    }
    Ok(true)
}

/// Moves on to the first document that is not before the target.
fn reach(list: &mut SegmentPostings, target: DocId) -> DocId {
    if list.doc() < target { list.seek(target) } else { list.doc() }
}

/// Returns what comes after everything that begins so.
fn after(prefix: &str) -> Vec<u8> {
    let mut end = prefix.as_bytes().to_vec();
    // No byte of a text is the largest there is.
    if let Some(last) = end.last_mut() {
        *last += 1;
    }
    end
}
