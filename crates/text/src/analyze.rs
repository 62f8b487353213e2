//! The analyzer: text in, words and terms out, the same for pages and queries.
//!
//! Two views of one analysis. *Words* are what a reader sees, one after the other: for counting,
//! shingles, the borders of snippets. *Terms* are what an index stores and a query asks for: the
//! running text, and over it, at positions that are said, joined and split forms of compounds and
//! the dictionary words of scripts without spaces.

use std::fmt;

use crate::cache;
use crate::language::{Language, Numbers};
use crate::normalize;
use crate::numbers::pieces;
use crate::segment::{Segmenter, Span, is_apostrophe};
use crate::sought::Beginnings;
use crate::stem::Stemmer;
use crate::stop::is_stop_word;
use crate::terms::{Form, Term, Terms};

/// Longest stretch of the text that is normalised into one token. Four times the token limit:
/// room for marks that normalising drops.
const RAW_BYTES: usize = 4 * base::limits::TOKEN_BYTES;

/// Turns text of one language into words and terms. Small and cheap to make and to copy.
#[derive(Clone, Copy)]
pub struct Analyzer {
    language: Option<Language>,
    pub(crate) stemmer: Option<Stemmer>,
    pub(crate) segmenter: Segmenter,
}

/// A word of a text in its two forms, borrowed for the length of one call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word<'a> {
    /// The word as written, normalised: NFKC, lower case, diacritics kept.
    pub surface: &'a str,
    /// The stem, without diacritics save on letters that the language counts as its own.
    pub stem: &'a str,
    /// How many words stand before it.
    pub position: u32,
    /// First byte in the text.
    pub start: usize,
    /// Byte after the last one; both on character borders.
    pub end: usize,
    /// Whether it is a stop word of the analyzer's language (T5).
    pub is_stop: bool,
}

/// A [`Word`] or [`Term`] that owns its texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// The word as written, normalised: NFKC, lower case, diacritics kept.
    pub surface: String,
    /// The stem, without diacritics save on letters that the language counts as its own.
    pub stem: String,
    /// Its place in the running text, counted from 0.
    pub position: u32,
    /// How many places it covers; more than one for joined forms.
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

/// Room for one word's forms, used again for the next.
#[derive(Default)]
pub(crate) struct Scratch {
    pub(crate) surface: String,
    pub(crate) stem: String,
    pub(crate) is_stop: bool,
}

impl Analyzer {
    /// Returns the analyzer of a language; without one, words are normalised but not stemmed.
    pub fn new(language: Option<Language>) -> Self {
        let stemmer = language.and_then(Language::stemmer);
        let numbers = language.map_or(Numbers::Point, Language::numbers);
        Self { language, stemmer, segmenter: Segmenter::new(numbers) }
    }

    /// Returns the language it was made for.
    pub fn language(&self) -> Option<Language> {
        self.language
    }

    /// Calls `visit` with every word of `text` in order, one to a position. Cost: linear; no
    /// allocation per word but for rare words that the stemmer changes.
    pub fn for_each(&self, text: &str, mut visit: impl FnMut(Word<'_>)) {
        let mut scratch = Scratch::default();
        let mut position = 0;
        self.segmenter.for_each(text, |span| {
            let mut push = |start: usize, end: usize, scratch: &mut Scratch| {
                if self.read(&text[start..end], scratch) {
                    let Scratch { surface, stem, is_stop } = scratch;
                    visit(Word { surface, stem, position, start, end, is_stop: *is_stop });
                    position += 1;
                }
            };
            match span {
                Span::Word(start, end) => {
                    let (start, end) = self.trimmed(text, start, end);
                    for (start, end) in pieces(text, start, end) {
                        push(start, end, &mut scratch);
                    }
                }
                Span::Run(start, end, _) => {
                    self.segmenter.dictionary(text, start, end, |start, end| {
                        push(start, end, &mut scratch);
                    });
                }
            }
        });
    }

    /// Calls `visit` with every term of `text`, in order of position: what a page is indexed by
    /// and what a query asks for.
    ///
    /// Terms with [`Form::is_running`] stand one to a position without gaps; the others lie over
    /// them, directly behind the running term of the position where they begin. Cost: linear.
    pub fn for_each_term(&self, text: &str, visit: impl FnMut(Term<'_>)) {
        Terms::new(self, text, None, visit).run();
    }

    /// Like [`Self::for_each_term`], for whoever looks for some words: terms that begin with other
    /// letters are left out as far as that is known without reading them. Cost: a quarter, if few
    /// words begin so.
    pub fn for_each_term_among(&self, text: &str, sought: Beginnings, visit: impl FnMut(Term<'_>)) {
        Terms::new(self, text, Some(sought), visit).run();
    }

    /// Returns every word of `text` in order.
    pub fn tokens(&self, text: &str) -> Vec<Token> {
        let mut tokens = Vec::new();
        self.for_each(text, |word| tokens.push(Token::from(word)));
        tokens
    }

    /// Returns every term of `text` in order of position.
    pub fn terms(&self, text: &str) -> Vec<Token> {
        let mut tokens = Vec::new();
        self.for_each_term(text, |term| tokens.push(Token::from(term)));
        tokens
    }

    /// Returns the stem of a surface form, as [`Self::for_each`] gives it.
    pub fn stem_of(&self, surface: &str) -> String {
        let mut stem = String::new();
        self.stem(surface, &mut stem);
        stem
    }

    /// Returns a piece of a word as it stands in surface forms. It may begin with a mark, which
    /// would be no part of a word if the piece were a text.
    pub fn surface_of(&self, piece: &str) -> String {
        let mut surface = String::new();
        normalize::surface(piece, self.language, &mut surface);
        surface
    }

    /// Takes the article or pronoun off that leans on a word, and cuts what is far too long.
    pub(crate) fn trimmed(&self, text: &str, start: usize, end: usize) -> (usize, usize) {
        let raw = base::limits::cut(&text[start..end], RAW_BYTES);
        (start + self.elision(raw), start + raw.len())
    }

    /// Writes the forms of a raw word to `scratch`; `false` if nothing of it is left.
    pub(crate) fn read(&self, raw: &str, scratch: &mut Scratch) -> bool {
        normalize::surface(raw, self.language, &mut scratch.surface);
        if scratch.surface.ends_with("'s") {
            scratch.surface.truncate(scratch.surface.len() - 2);
        }
        self.finish(scratch)
    }

    /// Fills in what follows from the surface.
    pub(crate) fn finish(&self, scratch: &mut Scratch) -> bool {
        let Scratch { surface, stem, is_stop } = scratch;
        if surface.is_empty() {
            return false;
        }
        *is_stop = cache::look_up(self.language, surface, stem, |stem| {
            self.stem(surface, stem);
            is_stop_word(self.language, surface)
        });
        true
    }

    fn stem(&self, surface: &str, out: &mut String) {
        out.clear();
        // `O'Neill` is also written `ONeill`; `we're` is not `were`.
        let joined = match surface.split_once('\'') {
            Some((head, tail)) if head.chars().count() == 1 => Some(format!("{head}{tail}")),
            _ => None,
        };
        let word = joined.as_deref().unwrap_or(surface);
        match &self.stemmer {
            Some(stemmer) => normalize::fold(&stemmer.stem(word), self.language, out),
            None => normalize::fold(word, self.language, out),
        }
        if out.is_empty() {
            out.push_str(word);
        }
        out.truncate(base::limits::cut(out, base::limits::TOKEN_BYTES).len());
    }

    /// Returns how many bytes an article or pronoun takes that leans on the word: `l'` of `l'arbre`.
    fn elision(&self, raw: &str) -> usize {
        let heads = self.language.map_or(&[][..], Language::elisions);
        if heads.is_empty() {
            return 0;
        }
        let Some((place, mark)) = raw.char_indices().find(|(_, c)| is_apostrophe(*c)) else {
            return 0;
        };
        if heads.iter().any(|head| raw[..place].eq_ignore_ascii_case(head)) {
            place + mark.len_utf8()
        } else {
            0
        }
    }
}

impl From<Word<'_>> for Token {
    fn from(word: Word<'_>) -> Self {
        Self {
            surface: word.surface.to_owned(),
            stem: word.stem.to_owned(),
            position: word.position,
            length: 1,
            start: word.start,
            end: word.end,
            form: Form::Word,
            is_stop: word.is_stop,
        }
    }
}

impl From<Term<'_>> for Token {
    fn from(term: Term<'_>) -> Self {
        Self {
            surface: term.surface.to_owned(),
            stem: term.stem.to_owned(),
            position: term.position,
            length: term.length,
            start: term.start,
            end: term.end,
            form: term.form,
            is_stop: term.is_stop,
        }
    }
}

impl fmt::Debug for Analyzer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Analyzer").field("language", &self.language).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
