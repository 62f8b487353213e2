//! Terms: the running text by position, and what lies over it.
//!
//! ```text
//! host-name of getElementById      北京大学
//! 0    1    2  3                   0    1    2
//! host name of getelementbyid      北京 京大 大学     running
//! hostname     get element by id   北京大学           over it
//! ```
//! Chinese and Japanese run as overlapping pairs of characters: a phrase of pairs is a search for
//! the characters themselves, and no mistake of a dictionary can part a page from its query. The
//! dictionary's words lie over the pairs where they are not pairs themselves.

use base::limits::TOKEN_BYTES;

use crate::analyze::{Analyzer, Scratch};
use crate::compound::{self, Chain};
use crate::numbers::pieces;
use crate::segment::{Script, Span, chunk_end, cluster_end};
use crate::sought::Beginnings;

/// A term of a text, borrowed for the length of one call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Term<'a> {
    /// The term as written, normalised.
    pub surface: &'a str,
    /// The stem, without diacritics save on letters that the language counts as its own.
    pub stem: &'a str,
    /// Its place in the running text, counted from 0.
    pub position: u32,
    /// How many places of the running text it covers.
    pub length: u32,
    /// First byte in the text.
    pub start: usize,
    /// Byte after the last one; both on character borders.
    pub end: usize,
    /// How it stands in the text.
    pub form: Form,
    /// Whether it is a stop word of the analyzer's language (T5).
    pub is_stop: bool,
}

impl Term<'_> {
    /// Returns whether the word was longer than a term may be and has lost its end (IDX-02).
    ///
    /// Told by lengths: the text has more than fits, and what was made of it ends within one
    /// character of the limit.
    pub fn is_cut(&self) -> bool {
        self.end - self.start > TOKEN_BYTES && self.surface.len() + LETTER_BYTES > TOKEN_BYTES
    }
}

/// How a term stands in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A word of the running text.
    Word,
    /// A word of the running text that is part of a compound: `host` in `host-name`.
    Member,
    /// Two neighbouring characters of Chinese or Japanese, as running text.
    Pair,
    /// A compound in one: `hostname` over `host-name`, `bob@example.com`.
    Whole,
    /// A piece of an identifier: `element` under `getElementById`.
    Part,
    /// A dictionary's word over pairs.
    Entry,
}

impl Form {
    /// Returns whether the term is running text: one to each position.
    pub fn is_running(self) -> bool {
        matches!(self, Self::Word | Self::Member | Self::Pair)
    }
}

/// Bytes of the longest character.
const LETTER_BYTES: usize = 4;
/// Longest plain word that is passed over, less one; longer ones might have to be cut.
const PLAIN_BYTES: usize = 64;

/// One pass over a text.
pub(crate) struct Terms<'a, V> {
    analyzer: &'a Analyzer,
    text: &'a str,
    visit: V,
    scratch: Scratch,
    position: u32,
    /// What the words begin with that matter; `None` if all do.
    sought: Option<Beginnings>,
    /// Where the compound at hand ends; words before that are members of it.
    chain_end: usize,
    /// Whether the words up to `chain_end` have a whole over them.
    is_chain: bool,
    /// Room for the dictionary's words of one chunk.
    entries: Vec<(usize, usize)>,
}

impl<'a, V: FnMut(Term<'_>)> Terms<'a, V> {
    pub(crate) fn new(
        analyzer: &'a Analyzer,
        text: &'a str,
        sought: Option<Beginnings>,
        visit: V,
    ) -> Self {
        Self {
            analyzer,
            text,
            sought,
            visit,
            scratch: Scratch::default(),
            position: 0,
            chain_end: 0,
            is_chain: false,
            entries: Vec::new(),
        }
    }

    pub(crate) fn run(mut self) {
        let analyzer = self.analyzer;
        let mut place = self.pass_over(0);
        while let Some((span, end)) = analyzer.segmenter.next(self.text, place) {
            match span {
                Span::Word(start, end) => self.word(start, end),
                Span::Run(start, end, Script::Pairs) => self.pairs(start, end),
                Span::Run(start, end, Script::Dictionary) => {
                    analyzer.segmenter.dictionary(self.text, start, end, |start, end| {
                        self.running(start, end, Form::Word);
                    });
                }
            }
            place = self.pass_over(end);
        }
    }

    /// Passes over plain words that are none of those sought, from a border of words on; returns
    /// where the first stands that may be one, or something that is not plain.
    ///
    /// [`Self::word`] would pass over the same ones. Most words are plain, and this takes a fraction
    /// of its time: nothing that could join a word to what is around it stands there.
    fn pass_over(&mut self, mut place: usize) -> usize {
        let Some(sought) = self.sought else { return place };
        let (bytes, stemmer) = (self.text.as_bytes(), self.analyzer.stemmer);
        while let Some(first) = bytes.get(place) {
            if first.is_ascii() && !first.is_ascii_alphanumeric() {
                place += 1;
                continue;
            }
            // Names that begin with a dot are compounds.
            let is_free = place >= self.chain_end && (place == 0 || bytes[place - 1] != b'.');
            let rest = bytes[place + 1..].iter().take(PLAIN_BYTES);
            let end = place + 1 + rest.take_while(|byte| byte.is_ascii_lowercase()).count();
            let is_ended = match bytes.get(end) {
                Some(b' ' | b'\n' | b';' | b')' | b']' | b'!' | b'?') => true,
                Some(b',') => bytes.get(end + 1) == Some(&b' '),
                _ => false,
            };
            let is_plain = is_free && is_ended;
            if !is_plain || !sought.rule_out(&self.text[place..end], stemmer) {
                break;
            }
            self.position += 1;
            (self.chain_end, self.is_chain) = (end, false);
            place = end;
        }
        place
    }

    fn word(&mut self, start: usize, end: usize) {
        let (first, last) = self.analyzer.trimmed(self.text, start, end);
        let mut chain = None;
        if first >= self.chain_end {
            (chain, self.chain_end) = compound::chain(self.text, first, end);
            self.is_chain = chain.is_some();
        }
        let stemmer = self.analyzer.stemmer;
        let is_other = |sought: Beginnings| sought.rule_out(&self.text[first..last], stemmer);
        if !self.is_chain && self.sought.is_some_and(is_other) {
            self.position += 1;
            return;
        }
        let form = if self.is_chain { Form::Member } else { Form::Word };
        let position = self.position;
        for (start, end) in pieces(self.text, first, last) {
            self.running(start, end, form);
            // Over the first piece, so that positions never go back.
            if let Some(chain) = chain.take()
                && self.position > position
            {
                self.whole(&chain, position);
            }
        }
        if self.position > position {
            self.parts(first, last, self.position - 1);
        }
    }

    /// Visits a term of the running text and moves on.
    fn running(&mut self, start: usize, end: usize, form: Form) {
        if self.analyzer.read(&self.text[start..end], &mut self.scratch) {
            self.put(start, end, self.position, 1, form);
            self.position += 1;
        }
    }

    fn put(&mut self, start: usize, end: usize, position: u32, length: u32, form: Form) {
        let Scratch { surface, stem, is_stop } = &self.scratch;
        let is_stop = *is_stop;
        (self.visit)(Term { surface, stem, position, length, start, end, form, is_stop });
    }

    /// Visits the joined form of a compound. Its surface is its stem: its parts carry the grammar.
    fn whole(&mut self, chain: &Chain, position: u32) {
        self.scratch.surface.clear();
        chain.write(self.text, &mut self.scratch.surface);
        let is_plain = !self.scratch.surface.contains(['@', '/', '.', '&']);
        let is_kept = if is_plain {
            let raw = std::mem::take(&mut self.scratch.surface);
            let is_kept = self.analyzer.read(&raw, &mut self.scratch);
            is_kept && !self.scratch.surface.is_empty()
        } else {
            self.scratch.surface.make_ascii_lowercase();
            self.scratch.stem.clone_from(&self.scratch.surface);
            self.scratch.is_stop = false;
            true
        };
        if is_kept {
            let length = self.count(chain.start, chain.end).max(1);
            self.put(chain.start, chain.end, position, length, Form::Whole);
        }
    }

    /// Returns how many positions a stretch of the text takes.
    fn count(&self, start: usize, end: usize) -> u32 {
        let mut count = 0;
        self.analyzer.segmenter.for_each(&self.text[start..end], |span| {
            if let Span::Word(from, to) = span {
                count += pieces(self.text, start + from, start + to).count() as u32;
            }
        });
        count
    }

    /// Visits the pieces of an identifier.
    fn parts(&mut self, start: usize, end: usize, position: u32) {
        let text = self.text;
        compound::humps(&text[start..end], |from, to| {
            let (from, to) = (start + from, start + to);
            if self.analyzer.read(&text[from..to], &mut self.scratch) {
                self.put(from, to, position, 1, Form::Part);
            }
        });
    }

    /// Visits a run of Chinese or Japanese: pairs of characters, and the dictionary's words that
    /// are not pairs. A run of one character is a word.
    fn pairs(&mut self, start: usize, end: usize) {
        let mut from = start;
        while from < end {
            let to = chunk_end(self.text, from, end);
            self.chunk((from, to), start, end);
            from = to;
        }
    }

    fn chunk(&mut self, (from, to): (usize, usize), run_start: usize, run_end: usize) {
        let mut entries = std::mem::take(&mut self.entries);
        entries.clear();
        let text = self.text;
        let segmenter = self.analyzer.segmenter;
        segmenter.dictionary(text, from, to, |start, end| entries.push((start, end)));
        let mut entry = entries.iter().copied().peekable();
        let mut place = from;
        while place < to {
            let middle = cluster_end(text, place);
            let mut running_end = middle;
            if middle < run_end {
                running_end = cluster_end(text, middle);
                self.running(place, running_end, Form::Pair);
            } else if place == run_start {
                self.running(place, middle, Form::Word);
            }
            while let Some((start, end)) = entry.next_if(|(start, _)| *start < middle) {
                let is_running = start == place && end == running_end && middle < run_end;
                if !is_running && run_end > cluster_end(text, run_start) {
                    self.entry(start, end);
                }
            }
            place = middle;
        }
        self.entries = entries;
    }

    /// Visits a dictionary's word at the position of the last pair.
    fn entry(&mut self, start: usize, end: usize) {
        let Some(position) = self.position.checked_sub(1) else { return };
        if self.analyzer.read(&self.text[start..end], &mut self.scratch) {
            let mut num_pairs = 0;
            let mut place = cluster_end(self.text, start);
            while place < end {
                place = cluster_end(self.text, place);
                num_pairs += 1;
            }
            self.put(start, end, position, num_pairs.max(1), Form::Entry);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::Language;

    #[test]
    fn idx_02_a_word_is_cut_only_beyond_the_limit() {
        let cut = |text: &str| {
            let mut cut = Vec::new();
            Analyzer::new(None).for_each_term(text, |term| cut.push(term.is_cut()));
            cut
        };
        assert_eq!(cut(&format!("a {} b", "x".repeat(TOKEN_BYTES))), [false, false, false]);
        assert_eq!(cut(&format!("a {} b", "x".repeat(TOKEN_BYTES + 1))), [false, true, false]);
        assert_eq!(cut(&"é".repeat(TOKEN_BYTES)), [true]);
        // What is left out of it anyway is no loss.
        assert_eq!(cut(&format!("x{}", "\u{ad}".repeat(TOKEN_BYTES))), [false]);
    }

    /// Returns the terms of a text by surface, stem, position and place.
    fn terms(
        text: &str,
        analyzer: &Analyzer,
        sought: Option<Beginnings>,
    ) -> Vec<(String, String, u32, usize)> {
        let mut terms = Vec::new();
        let visit = |term: Term<'_>| {
            terms.push((term.surface.to_owned(), term.stem.to_owned(), term.position, term.start));
        };
        Terms::new(analyzer, text, sought, visit).run();
        terms
    }

    proptest! {
        #[test]
        fn whoever_looks_for_words_is_told_them_at_their_places(
            pieces in prop::collection::vec(
                prop_oneof![
                    "[a-e]{1,5}", "[A-E][a-e]{0,4}", "I[a-e]{0,3}", "[ ,.;:!?()'\"+#@/&_-]{1,2}",
                    "[ \n]", "[ab]{60,70}", "[0-9]{1,3}", "[äåéı北京ก]{1,2}", Just("C++".to_owned()),
                    Just("www.bad.example".to_owned()), Just("l'abeba".to_owned()),
                ],
                0..40,
            ),
            sought in "[a-e]",
        ) {
            let text = pieces.concat();
            let beginnings = Beginnings::of([sought.as_str()]);
            for code in ["", "en", "de", "fr", "tr", "fi"] {
                let analyzer = Analyzer::new(Language::parse(code));
                let all = terms(&text, &analyzer, None);
                let told = terms(&text, &analyzer, Some(beginnings));
                let mut rest = all.iter();
                prop_assert!(told.iter().all(|term| rest.any(|other| other == term)), "{text:?}");
                let is_sought = |term: &&(String, String, u32, usize)| {
                    term.0.starts_with(&sought) || term.1.starts_with(&sought)
                };
                for term in all.iter().filter(is_sought) {
                    prop_assert!(told.contains(term), "{text:?} {term:?}");
                }
            }
        }
    }
}
