//! Gathers the anchor texts of some targets in memory.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use base::Url;
use tantivy::TantivyDocument;
use text::{Analyzer, is_stop_word};

use super::boilerplate::is_boilerplate;
use super::{Fields, MOST_SITES, weight};
use crate::prepared::Packer;

/// Distinct stems kept of one target's anchor texts.
const MOST_STEMS: usize = 256;
/// Distinct stems kept of what stands beside links that say nothing.
const MOST_BESIDE: usize = 64;
/// Distinct texts kept of one target.
const MOST_TEXTS: usize = 64;
/// Positions left out between two texts: more than a query asks words to be near by.
const TEXT_GAP: u32 = 100;

/// The targets of one pass.
#[derive(Default)]
pub(super) struct Targets(HashMap<Url, Gathered>);

/// What was gathered for one target.
#[derive(Default)]
pub(super) struct Gathered {
    stems: HashMap<String, Votes>,
    /// By surface forms joined with spaces.
    texts: HashMap<String, Text>,
    /// Stems of words beside links whose own text says nothing.
    beside: HashSet<String>,
    /// Foreign sites that said something.
    sites: Votes,
}

#[derive(Default)]
struct Text {
    /// The first one as it was written.
    shown: String,
    votes: Votes,
}

/// Who used a word.
#[derive(Default)]
struct Votes {
    /// Hashes of foreign sites, each once.
    foreign: Vec<u64>,
    /// Whether the target's own site used it, or a text that says nothing.
    is_damped: bool,
}

/// A link that counts.
pub(super) struct Vote<'a> {
    pub(super) target: &'a Url,
    /// Who says it.
    pub(super) voice: &'a str,
    /// Whether he says it of himself.
    pub(super) is_own: bool,
    pub(super) anchor: &'a str,
    /// What stands before and behind it.
    pub(super) around: (&'a str, &'a str),
    pub(super) analyzer: Analyzer,
}

impl Targets {
    /// Credits a link's text to its target.
    pub(super) fn push(&mut self, vote: &Vote<'_>) {
        let mut surfaces = String::new();
        let mut stems = Vec::new();
        vote.analyzer.for_each_term(vote.anchor, |term| {
            stems.push(term.stem.to_owned());
            if !term.form.is_running() {
                return;
            }
            if !surfaces.is_empty() {
                surfaces.push(' ');
            }
            surfaces.push_str(term.surface);
        });
        if stems.is_empty() {
            return;
        }
        let says_nothing = is_boilerplate(&surfaces);
        let is_foreign = !vote.is_own && !says_nothing;
        let site = is_foreign.then(|| hash(&vote.voice));
        let gathered = match self.0.get_mut(vote.target) {
            Some(gathered) => gathered,
            None => self.0.entry(vote.target.clone()).or_default(),
        };
        gathered.sites.push(site);
        for stem in stems {
            if gathered.stems.len() < MOST_STEMS || gathered.stems.contains_key(&stem) {
                gathered.stems.entry(stem).or_default().push(site);
            }
        }
        // Page numbers stand among page numbers.
        if says_nothing && surfaces.contains(char::is_alphabetic) {
            gathered.push_beside(vote);
        }
        if gathered.texts.len() < MOST_TEXTS || gathered.texts.contains_key(&surfaces) {
            let text = gathered.texts.entry(surfaces).or_default();
            if text.shown.is_empty() {
                text.shown = vote.anchor.split_whitespace().collect::<Vec<_>>().join(" ");
            }
            text.votes.push(site);
        }
    }

    pub(super) fn into_iter(self) -> impl Iterator<Item = (Url, Gathered)> {
        self.0.into_iter()
    }
}

impl Gathered {
    /// Takes the words beside a link whose own text says nothing (P6).
    ///
    /// They are kept apart, so that they take no room from what people call the target.
    fn push_beside(&mut self, vote: &Vote<'_>) {
        for text in [vote.around.0, vote.around.1] {
            vote.analyzer.for_each_term(text, |term| {
                let says_nothing = is_stop_word(vote.analyzer.language(), term.surface);
                if !says_nothing && self.beside.len() < MOST_BESIDE {
                    self.beside.insert(term.stem.to_owned());
                }
            });
        }
    }

    /// Returns the target's document without what its page record says.
    pub(super) fn document(&self, url: &Url, fields: Fields) -> TantivyDocument {
        let mut stems = Packer::default();
        // In order, so that the same log makes the same index.
        let counted = |(stem, votes): (_, &Votes)| {
            let is_damped = votes.is_damped || self.beside.contains(stem);
            (stem, weight(votes.foreign.len(), is_damped))
        };
        let mut by_stem: Vec<(&String, u32)> = self.stems.iter().map(counted).collect();
        let beside = self.beside.iter().filter(|stem| !self.stems.contains_key(*stem));
        by_stem.extend(beside.map(|stem| (stem, weight(0, true))));
        by_stem.sort_unstable();
        for (stem, weight) in by_stem {
            for _ in 0..weight {
                stems.push(stem);
            }
        }
        let mut texts: Vec<_> = self.texts.iter().collect();
        texts.sort_unstable_by_key(|(surfaces, text)| {
            (std::cmp::Reverse(text.votes.foreign.len()), is_boilerplate(surfaces), *surfaces)
        });
        let mut words = Packer::default();
        for (surfaces, _) in &texts {
            words.leave_gap(TEXT_GAP);
            surfaces.split(' ').for_each(|word| words.push(word));
        }
        let mut document = TantivyDocument::default();
        document.add_text(fields.stems, stems.finish());
        document.add_text(fields.words, words.finish());
        document.add_u64(fields.sites, self.sites.foreign.len() as u64);
        document.add_text(fields.url, url.as_str());
        document.add_text(fields.text, texts.first().map_or("", |(_, text)| &text.shown));
        document
    }
}

impl Votes {
    /// Counts a foreign site once; `None` stands for a vote that is damped.
    fn push(&mut self, site: Option<u64>) {
        match site {
            None => self.is_damped = true,
            Some(site) => {
                if let Err(place) = self.foreign.binary_search(&site)
                    && self.foreign.len() < MOST_SITES
                {
                    self.foreign.insert(place, site);
                }
            }
        }
    }
}

/// Returns a hash that is the same in every run; it never reaches the disk.
pub(super) fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}
