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
    /// Links so far.
    num_links: u32,
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
    /// Which link of the target's brought it first.
    since: u32,
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
        gathered.num_links = gathered.num_links.saturating_add(1);
        let now = gathered.num_links;
        let new = || Votes { since: now, ..Votes::default() };
        for stem in stems {
            let kept = &mut gathered.stems;
            if kept.contains_key(&stem) || make_room(kept, MOST_STEMS, site, now, |votes| votes) {
                kept.entry(stem).or_insert_with(new).push(site);
            }
        }
        // Page numbers stand among page numbers.
        if says_nothing && surfaces.contains(char::is_alphabetic) {
            gathered.push_beside(vote);
        }
        let kept = &mut gathered.texts;
        if kept.contains_key(&surfaces)
            || make_room(kept, MOST_TEXTS, site, now, |text| &text.votes)
        {
            let written = || vote.anchor.split_whitespace().collect::<Vec<_>>().join(" ");
            let text = || Text { shown: written(), votes: new() };
            kept.entry(surfaces).or_insert_with(text).votes.push(site);
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

/// Makes room for one more word, of a foreign `site` or a damped one, where at most `most` are
/// kept; returns whether there is room.
///
/// Whoever comes first must not crowd out the name that all others use: a word of the target itself
/// goes before one of a stranger. Of words that one stranger used, he who brings a new one loses an
/// old one of his own first, then the oldest goes. What two agree on stays.
fn make_room<T>(
    kept: &mut HashMap<String, T>,
    most: usize,
    site: Option<u64>,
    now: u32,
    votes_of: impl Fn(&T) -> &Votes,
) -> bool {
    if kept.len() < most {
        return true;
    }
    let Some(site) = site else { return false };
    let order = |(word, one): &(&String, &T)| {
        let votes = votes_of(one);
        let is_anothers = votes.foreign.first() != Some(&site);
        // By the word at last, so that the same log makes the same index.
        (votes.foreign.len(), is_anothers, votes.since, (*word).clone())
    };
    let may_go = |(_, one): &(&String, &T)| {
        let votes = votes_of(one);
        votes.foreign.len() <= 1 && votes.since < now
    };
    let least = kept.iter().filter(may_go).min_by_key(order).map(|(word, _)| word.clone());
    least.is_some_and(|word| kept.remove(&word).is_some())
}

/// Returns a hash that is the same in every run; it never reaches the disk.
pub(super) fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gathers links to one target: who says what; `me` is the target itself.
    fn gathered(links: impl IntoIterator<Item = (String, String)>) -> Gathered {
        let target = Url::parse("http://target.example/").unwrap();
        let mut targets = Targets::default();
        for (voice, anchor) in links {
            let is_own = voice == "me";
            let analyzer = Analyzer::new(None);
            let (target, voice, anchor) = (&target, voice.as_str(), anchor.as_str());
            let around = ("", "");
            targets.push(&Vote { target, voice, is_own, anchor, around, analyzer });
        }
        targets.into_iter().next().unwrap().1
    }

    fn said(voice: &str, words: std::ops::Range<u32>) -> impl Iterator<Item = (String, String)> {
        words.map(move |word| (voice.to_owned(), format!("word{word} of{word}")))
    }

    /// The name that ten use after all else.
    fn name() -> impl Iterator<Item = (String, String)> {
        (0..10).map(|number| (format!("site{number}"), "golden name".to_owned()))
    }

    #[track_caller]
    fn check_named(gathered: &Gathered) {
        assert_eq!(gathered.texts["golden name"].votes.foreign.len(), 10);
        for stem in ["golden", "name"] {
            assert_eq!(gathered.stems[stem].foreign.len(), 10, "{stem}");
        }
        assert_eq!((gathered.texts.len(), gathered.stems.len()), (MOST_TEXTS, MOST_STEMS));
    }

    #[test]
    fn what_a_page_calls_itself_does_not_crowd_out_its_name() {
        check_named(&gathered(said("me", 0..500).chain(name())));
    }

    #[test]
    fn what_one_stranger_says_does_not_crowd_out_its_name() {
        check_named(&gathered(said("loud", 0..500).chain(name())));
        // Nor if he goes on between the others.
        let between = name().enumerate().flat_map(|(round, link)| {
            let round = round as u32 * 1_000;
            said("loud", round..round + 500).chain([link])
        });
        check_named(&gathered(between));
    }

    #[test]
    fn what_two_agree_on_stays() {
        let agreed = || said("one", 0..64).chain(said("two", 0..64));
        let gathered = gathered(agreed().chain(said("three", 100..300)));
        let of_three = gathered.texts.values().filter(|text| text.votes.since > 128);
        assert_eq!((gathered.texts.len(), of_three.count()), (MOST_TEXTS, 0));
    }

    #[test]
    fn the_same_links_leave_the_same_words() {
        let words = || {
            let links = said("me", 0..300).chain(said("loud", 200..700)).chain(name());
            let mut words: Vec<_> = gathered(links).stems.into_keys().collect();
            words.sort_unstable();
            words
        };
        assert_eq!(words(), words());
    }
}
