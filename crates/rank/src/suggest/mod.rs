//! What a person may be about to type: titles, and phrases that several sites use, also within
//! their texts (Q7).
//!
//! ```text
//! file  = "LOOKFARS" | version: u32 | number of phrases: u32 | phrase × n
//!       | number of starts: u32 | start × m | crc32 of all before: u32              all le
//! phrase = page: u64, all ones if several sites say it | shown: text | normal: text
//! text  = length: u16 | utf-8
//! start = phrase: u32 | byte in its normal form: u16
//! ```
//! Phrases come the best first, so that a phrase's number is its rank. Starts are the beginnings
//! of words, in the order of what stands there: what begins with a text is one run of them, and
//! the smallest numbers in the run are the best.
//!
//! The file lies with the scores of its generation as `suggestions`, is written once, and is held
//! in memory, bounded by [`build`]'s limits. Nothing in it comes from what people have typed.

mod build;
mod file;
mod running;
mod sounds;
#[cfg(test)]
mod tests;

use std::io;
use std::path::PathBuf;

use base::{Collection, Generation, PageId};
use index::Snapshot;

pub use build::Phrases;
pub(crate) use sounds::{Sounds, keys};

use crate::generation::Links;
use crate::phrase::Normal;
use crate::{Error, Searcher};

/// Longest text that is completed, in bytes.
const TYPED_BYTES: usize = 200;
/// Most suggestions that are given.
const MOST_GIVEN: usize = 20;
/// Phrases that are looked at for one suggestion: some may have left the index.
const SPARE: usize = 4;
/// Starts that are looked at for words in another order.
const MOST_STARTS: usize = 50_000;
/// How much further down a phrase counts that begins with other words.
const INNER: u64 = 3;
const FILE: &str = "suggestions";

/// The phrases of one generation.
#[derive(Debug, Default)]
pub(crate) struct Suggestions {
    phrases: Vec<Phrase>,
    starts: Vec<Start>,
    /// Their words by how they sound; none unless they were opened for searching.
    pub(crate) sounds: Sounds,
}

/// A text that may be suggested.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Phrase {
    /// The page whose title it is, if no other site says it.
    pub(crate) page: Option<PageId>,
    pub(crate) shown: Box<str>,
    pub(crate) normal: Box<str>,
}

/// The beginning of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Start {
    phrase: u32,
    byte: u16,
}

impl Suggestions {
    /// Returns the phrases that go on from a text, best first; at most `count`.
    pub(crate) fn beginning_with(&self, typed: &str, count: usize) -> Vec<&Phrase> {
        let ends_word = typed.ends_with(char::is_whitespace);
        let normal = Normal::of(typed);
        let mut prefix = normal.text.clone();
        if prefix.is_empty() {
            return Vec::new();
        }
        if ends_word {
            prefix.push(' ');
        }
        let is_itself = |phrase: &Phrase| *phrase.normal == *normal.text;
        let mut best = Best::new(count);
        for start in self.run(&prefix) {
            if !is_itself(&self.phrases[start.phrase as usize]) {
                best.push(*start);
            }
        }
        // The other words may stand anywhere.
        if let Some((others, last)) = prefix.trim_end().rsplit_once(' ')
            && best.places.len() < count
        {
            for start in self.run(last).iter().take(MOST_STARTS) {
                let phrase = &self.phrases[start.phrase as usize];
                let has = |word: &str| phrase.normal.split(' ').any(|other| other == word);
                if others.split(' ').all(has) && !is_itself(phrase) {
                    best.push(Start { byte: u16::MAX, ..*start });
                }
            }
        }
        best.places.iter().map(|(_, phrase)| &self.phrases[*phrase as usize]).collect()
    }

    /// Returns the starts at which a text stands.
    fn run(&self, prefix: &str) -> &[Start] {
        let first = self.starts.partition_point(|start| self.text(*start) < prefix);
        let rest = &self.starts[first..];
        let len = rest.partition_point(|start| self.text(*start).starts_with(prefix));
        &rest[..len]
    }

    fn text(&self, start: Start) -> &str {
        &self.phrases[start.phrase as usize].normal[usize::from(start.byte)..]
    }
}

/// The best of many phrases, each once.
struct Best {
    count: usize,
    /// In order; the number that they are ordered by, and the phrase.
    places: Vec<(u64, u32)>,
}

impl Best {
    fn new(count: usize) -> Self {
        Self { count, places: Vec::new() }
    }

    /// What begins with the text comes before what has it inside, at like rank.
    fn push(&mut self, start: Start) {
        let number = u64::from(start.phrase) + 1;
        let key = if start.byte == 0 { number } else { number * INNER };
        if self.places.len() >= self.count
            && self.places.last().is_none_or(|(worst, _)| key > *worst)
        {
            return;
        }
        match self.places.iter().position(|(_, phrase)| *phrase == start.phrase) {
            Some(place) if self.places[place].0 <= key => return,
            Some(place) => {
                self.places.remove(place);
            }
            None => {}
        }
        let place = self.places.partition_point(|known| *known < (key, start.phrase));
        self.places.insert(place, (key, start.phrase));
        self.places.truncate(self.count);
    }
}

impl Searcher {
    /// Returns queries that go on from what was typed so far, best first; at most 20.
    ///
    /// Every word of `typed` is taken as it is, the last one as the beginning of a word. A title
    /// that no other site repeats is given only while its page is in the index. Without a first
    /// link analysis there are none. Cost: linear in the phrases that match, below a millisecond
    /// or two with all there may be.
    pub fn suggest(&self, typed: &str, limit: usize) -> Vec<String> {
        // What is written in the query language is not completed.
        if typed.len() > TYPED_BYTES || typed.contains([':', '"', '(', ')', '*', '~']) {
            return Vec::new();
        }
        let links = self.links.links();
        let Ok(Some(snapshot)) = self.index.snapshot() else { return Vec::new() };
        self.going_on(typed, limit.min(MOST_GIVEN), &links, &snapshot)
    }

    fn going_on(
        &self,
        typed: &str,
        limit: usize,
        links: &Links,
        snapshot: &Snapshot,
    ) -> Vec<String> {
        let Some(suggestions) = &links.suggestions else { return Vec::new() };
        let gone = snapshot.expired((self.options.clock)());
        let is_there = |page: PageId| {
            let address = snapshot.find(page);
            address.is_some_and(|address| !gone.is_some_and(|gone| gone.holds(address)))
        };
        let found = suggestions.beginning_with(typed, limit * SPARE).into_iter();
        let kept = found.filter(|phrase| phrase.page.is_none_or(is_there));
        let given = kept.take(limit).map(|phrase| phrase.shown.to_string()).collect();
        // What was read of a file that was cut may be wrong.
        if snapshot.is_whole() { given } else { Vec::new() }
    }
}

impl Suggestions {
    /// Opens those of a generation; `None` if it has none.
    pub(crate) fn open(
        collection: &Collection,
        generation: Generation,
    ) -> io::Result<Option<Self>> {
        match file::read(&path(collection, generation)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            read => read.map(|read| {
                let sounds = Sounds::of(&read.phrases);
                Some(Self { sounds, ..read })
            }),
        }
    }
}

/// Verifies the suggestions of the generation in use; returns whether there are any.
pub fn check_suggestions(collection: &Collection) -> Result<bool, Error> {
    let Some(generation) = collection.generation()? else { return Ok(false) };
    let found = Suggestions::open(collection, generation);
    let path = path(collection, generation);
    Ok(found.map_err(|source| Error::DamagedSuggestions { path, source })?.is_some())
}

fn path(collection: &Collection, generation: Generation) -> PathBuf {
    collection.scores(generation).join(FILE)
}
