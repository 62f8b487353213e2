//! The analyzer: text in, tokens out, the same for pages and queries.

use std::fmt;

use frostem::Stemmer;

use crate::language::Language;
use crate::normalize;
use crate::segment::{Segmenter, is_apostrophe};

/// Longest stretch of the text that is normalised into one token. Four times the token limit:
/// room for marks that normalising drops.
const RAW_BYTES: usize = 4 * base::limits::TOKEN_BYTES;

/// Turns text of one language into tokens. Small and cheap to make and to copy.
#[derive(Clone, Copy)]
pub struct Analyzer {
    language: Option<Language>,
    stemmer: Option<Stemmer>,
    segmenter: Segmenter,
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
}

/// A [`Word`] that owns its texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// The word as written, normalised: NFKC, lower case, diacritics kept.
    pub surface: String,
    /// The stem, without diacritics save on letters that the language counts as its own.
    pub stem: String,
    /// How many words stand before it.
    pub position: u32,
    /// First byte in the text.
    pub start: usize,
    /// Byte after the last one; both on character borders.
    pub end: usize,
}

impl Analyzer {
    /// Returns the analyzer of a language; without one, words are normalised but not stemmed.
    pub fn new(language: Option<Language>) -> Self {
        let algorithm = language.and_then(|language| language.profile().stemmer);
        Self { language, stemmer: algorithm.map(Stemmer::new), segmenter: Segmenter::new() }
    }

    /// Returns the language it was made for.
    pub fn language(&self) -> Option<Language> {
        self.language
    }

    /// Calls `visit` with every word of `text` in order. Cost: linear; no allocation per word
    /// unless the stemmer changes it.
    pub fn for_each(&self, text: &str, mut visit: impl FnMut(Word<'_>)) {
        let mut surface = String::new();
        let mut stem = String::new();
        let mut position = 0;
        self.segmenter.for_each(text, |start, end| {
            let raw = base::limits::cut(&text[start..end], RAW_BYTES);
            let elided = self.elision(raw);
            let (start, end) = (start + elided, start + raw.len());
            normalize::surface(&text[start..end], self.language, &mut surface);
            if let Some(stripped) = surface.strip_suffix("'s") {
                surface.truncate(stripped.len());
            }
            if surface.is_empty() {
                return;
            }
            self.stem(&surface, &mut stem);
            visit(Word { surface: &surface, stem: &stem, position, start, end });
            position += 1;
        });
    }

    /// Returns every word of `text` in order.
    pub fn tokens(&self, text: &str) -> Vec<Token> {
        let mut tokens = Vec::new();
        self.for_each(text, |word| tokens.push(Token::from(word)));
        tokens
    }

    /// Returns the stem of a surface form, as [`Self::for_each`] gives it.
    pub fn stem_of(&self, surface: &str) -> String {
        let mut stem = String::new();
        self.stem(surface, &mut stem);
        stem
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
    }

    /// Returns how many bytes an article or pronoun takes that leans on the word: `l'` of `l'arbre`.
    fn elision(&self, raw: &str) -> usize {
        let Some(heads) = self.language.and_then(elided_heads) else { return 0 };
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

/// Words that lose their vowel before another one, by language.
fn elided_heads(language: Language) -> Option<&'static [&'static str]> {
    match language.code() {
        "fr" => Some(&[
            "l", "d", "c", "j", "m", "n", "s", "t", "qu", "jusqu", "lorsqu", "puisqu", "quoiqu",
        ]),
        "it" => Some(&[
            "l", "un", "d", "c", "m", "s", "t", "v", "all", "dall", "dell", "nell", "sull", "coll",
            "quell", "quest", "dov", "com", "gl", "agl", "dagl", "degl", "negl", "sugl",
        ]),
        "ca" => Some(&["l", "d", "s", "n", "m", "t"]),
        _ => None,
    }
}

impl From<Word<'_>> for Token {
    fn from(word: Word<'_>) -> Self {
        Self {
            surface: word.surface.to_owned(),
            stem: word.stem.to_owned(),
            position: word.position,
            start: word.start,
            end: word.end,
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
