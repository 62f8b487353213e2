//! Gathers the anchor texts of some targets in memory.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use base::Url;
use tantivy::TantivyDocument;
use text::Analyzer;

use super::boilerplate::is_boilerplate;
use super::{Fields, MOST_SITES, weight};
use crate::prepared::Packer;

/// Distinct stems kept of one target's anchor texts.
const MOST_STEMS: usize = 256;
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
        let is_foreign = !vote.is_own && !is_boilerplate(&surfaces);
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
    /// Returns the target's document without what its page record says.
    pub(super) fn document(&self, url: &Url, fields: Fields) -> TantivyDocument {
        let mut stems = Packer::default();
        // In order, so that the same log makes the same index.
        let mut by_stem: Vec<_> = self.stems.iter().collect();
        by_stem.sort_unstable_by_key(|(stem, _)| *stem);
        for (stem, votes) in by_stem {
            for _ in 0..weight(votes.foreign.len(), votes.is_damped) {
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
