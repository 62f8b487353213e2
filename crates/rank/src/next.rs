//! Queries that lead on: phrases that the best answers have in common and the query has not (Q7).
//!
//! Phrases are titles, their parts, headings and what links call a page, whole or two or three
//! words of them. A phrase counts if two sites have it, or two pages where all are of one site.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use base::Zone;
use index::{Snapshot, StoredPage};
use tantivy::Term;

use crate::phrase::{self, Normal};
use crate::plan::Languages;

/// Queries that are given.
pub(crate) const MOST_QUERIES: usize = 8;
/// Headings looked at of one page.
const MOST_HEADINGS: usize = 24;
/// Phrases of one page.
const MOST_PHRASES: usize = 200;
/// Words of the longest phrase.
const MOST_WORDS: usize = 5;
/// Words of the longest piece of a longer phrase.
const MOST_PIECE: usize = 3;
/// A word that more than one of so many pages has says nothing.
const COMMON_SHARE: u64 = 4;
/// Words of fewer pages are never common.
const LEAST_COMMON: u64 = 10;
/// What a phrase is worth, by where it stands.
const TITLE: f32 = 2.0;
const ANCHOR: f32 = 2.0;
const HEADING: f32 = 1.0;
/// What a piece of a phrase is worth beside the whole.
const PIECE: f32 = 0.6;

/// What an answer calls itself.
pub(crate) struct Seen {
    site: Arc<str>,
    texts: Vec<(f32, String)>,
}

impl Seen {
    /// Takes the phrases of a page, and what links call it.
    pub(crate) fn new(site: Arc<str>, page: &StoredPage, anchor: Option<String>) -> Self {
        let mut texts: Vec<(f32, String)> =
            phrase::parts(&page.title).into_iter().map(|part| (TITLE, part.to_owned())).collect();
        texts.extend(anchor.map(|anchor| (ANCHOR, anchor)));
        if !page.robots.nosnippet {
            let headings = page.blocks.iter().filter(|block| block.zone == Zone::Heading);
            let headings = headings.take(MOST_HEADINGS);
            texts.extend(headings.map(|heading| (HEADING, heading.text.clone())));
        }
        Self { site, texts }
    }
}

/// The words of a query, and how to read those of phrases.
pub(crate) struct Words<'a> {
    /// As it was typed.
    pub(crate) query: &'a str,
    /// Whether it is words side by side and nothing else, so that more can be added.
    pub(crate) is_plain: bool,
    /// Stems of its words.
    pub(crate) stems: HashSet<String>,
    pub(crate) languages: &'a Languages,
    pub(crate) snapshot: &'a Snapshot,
}

/// A phrase of several answers.
#[derive(Default)]
struct Tally {
    shown: String,
    weight: f32,
    num_pages: usize,
    sites: HashSet<Arc<str>>,
}

impl Words<'_> {
    /// Returns queries, the most promising first.
    pub(crate) fn leading_on(&self, seen: &[Seen]) -> tantivy::Result<Vec<String>> {
        let mut tallies: HashMap<String, Tally> = HashMap::new();
        for page in seen {
            for (normal, (weight, shown)) in self.phrases(page) {
                let tally = tallies.entry(normal).or_default();
                if tally.shown.is_empty() {
                    tally.shown = shown;
                }
                tally.weight += weight;
                tally.num_pages += 1;
                tally.sites.insert(page.site.clone());
            }
        }
        let all_sites: HashSet<&Arc<str>> = seen.iter().map(|page| &page.site).collect();
        let least_sites = all_sites.len().min(2);
        let mut found: Vec<(String, Tally)> = tallies
            .into_iter()
            .filter(|(_, tally)| tally.num_pages > 1 && tally.sites.len() >= least_sites)
            .collect();
        found.sort_by(|(text, one), (other_text, other)| {
            let by_weight = other.weight.total_cmp(&one.weight);
            // Of pieces of one phrase the longest says most.
            by_weight
                .then_with(|| other_text.len().cmp(&text.len()))
                .then_with(|| text.cmp(other_text))
        });
        let mut queries = Vec::new();
        for (normal, tally) in found {
            if queries.len() >= MOST_QUERIES {
                break;
            }
            if self.is_telling(&normal)? {
                self.add([tally.shown].into_iter(), &mut queries);
            }
        }
        Ok(queries)
    }

    /// Adds queries made of phrases, but those that are nearly there already.
    pub(crate) fn add(&self, phrases: impl Iterator<Item = String>, queries: &mut Vec<String>) {
        let mut known: Vec<HashSet<String>> =
            queries.iter().map(|query| self.new_words(&Normal::of(query).text)).collect();
        for shown in phrases {
            let words = self.new_words(&Normal::of(&shown).text);
            let is_like = |other: &HashSet<String>| {
                let shared = other.intersection(&words).count();
                2 * shared > other.len().min(words.len())
            };
            if words.is_empty() || known.iter().any(is_like) || queries.len() >= MOST_QUERIES {
                continue;
            }
            let has_query = Normal::of(&shown).words().any(|word| self.is_asked(word));
            queries.push(match self.is_plain && !has_query {
                true => format!("{} {}", self.query, shown.to_lowercase()),
                false => shown,
            });
            known.push(words);
        }
    }

    /// Returns the phrases of a page with the best weight of each, by normal form.
    fn phrases(&self, page: &Seen) -> HashMap<String, (f32, String)> {
        let mut phrases: HashMap<String, (f32, String)> = HashMap::new();
        for (weight, text) in &page.texts {
            if phrases.len() >= MOST_PHRASES {
                break;
            }
            let Some(shown) = phrase::shown(text) else { continue };
            let normal = Normal::of(&shown);
            let words: Vec<&str> = normal.words().collect();
            let mut push = |words: &[&str], weight: f32, shown: &str| {
                let is_stop =
                    |word: Option<&&str>| word.is_none_or(|word| self.languages.is_stop(word));
                if is_stop(words.first()) || is_stop(words.last()) {
                    return;
                }
                let best = phrases.entry(words.join(" ")).or_default();
                if weight > best.0 {
                    *best = (weight, shown.to_owned());
                }
            };
            if words.len() <= MOST_WORDS {
                push(&words, *weight, &shown);
            }
            for len in 2..=MOST_PIECE.min(words.len().saturating_sub(1)) {
                for piece in words.windows(len) {
                    push(piece, weight * PIECE, &piece.join(" "));
                }
            }
        }
        phrases
    }

    /// Returns the stems of the words that the query has not.
    fn new_words(&self, normal: &str) -> HashSet<String> {
        let words = normal.split(' ').filter(|word| !word.is_empty());
        let words = words.filter(|word| !self.languages.is_stop(word) && !self.is_asked(word));
        words.map(|word| self.languages.stem(word)).collect()
    }

    fn is_asked(&self, word: &str) -> bool {
        self.languages.likely_stems(word).iter().any(|stem| self.stems.contains(stem))
    }

    /// Returns whether a phrase has a new word that not every page has.
    fn is_telling(&self, normal: &str) -> tantivy::Result<bool> {
        let searcher = &self.snapshot.searcher;
        let most = (searcher.num_docs() / COMMON_SHARE).max(LEAST_COMMON);
        for stem in self.new_words(normal) {
            let with =
                searcher.doc_freq(&Term::from_field_text(self.snapshot.fields.stems, &stem))?;
            if with <= most && stem.chars().any(char::is_alphabetic) {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
