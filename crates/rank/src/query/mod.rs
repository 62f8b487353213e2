//! The query language: from what a person typed to a tree, and back to text.
//!
//! ```text
//! any   = all ("OR" all)*
//! all   = one ("AND"? one)*
//! one   = ("NOT" | "-")* item ("NEAR" ("/" number)? item)*
//! item  = word | "+" word | word "~" number? | wild | "\"" words "\"" | "(" any ")"
//!       | field ":" (value | "\"" words "\"" | "(" any ")")
//! wild  = two letters or more, then letters, "*" and "?"
//! words = (word | "*")*
//! ```
//! Operators are written in capitals. Every text within [`Limits`] is a valid query: an operator
//! without something to work on, a quote or a group that is not closed, a field that does not
//! exist and a value that does not fit are searched as words, and [`Query::notes`] says so.
//! `docs/query-language.md` tells it to people.

mod field;
mod lex;
mod parse;
mod plain;
mod print;
mod site;
#[cfg(test)]
mod tests;
mod word;

use thiserror::Error;

use crate::Note;

pub use field::{Day, Filter, Zone};
pub(crate) use site::Site;

/// A query as a tree. Two are equal if they ask for the same, whatever was not understood of them.
#[derive(Clone, Debug, Default)]
pub struct Query {
    root: Option<Node>,
    is_loose: bool,
    notes: Vec<Note>,
}

/// A part of a query.
///
/// Groups hold at least two parts and never a group of their own kind; a negation never holds a
/// negation. So a tree has one way to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Node {
    /// A word in any of its forms.
    Word(String),
    /// A word in this form only, stop words too.
    Exact(String),
    /// Words side by side, in the form they are written in; `*` stands for one that is not known.
    Phrase(String),
    /// Words that fit a pattern: `*` is any letters, `?` is one.
    Wild(String),
    /// Words that differ by at most so many letters.
    Fuzzy(String, u8),
    /// Words and phrases that stand near each other.
    Near(Near),
    /// A word, a phrase or words near each other in one part of the page.
    In(Zone, Box<Node>),
    /// What a page is, whatever it says.
    Filter(Filter),
    /// Every part.
    And(Vec<Node>),
    /// At least one part.
    Or(Vec<Node>),
    /// Not this.
    Not(Box<Node>),
}

/// Words and phrases that stand near each other, in any order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Near {
    /// The first one.
    pub first: Box<Node>,
    /// The others, each with how many words it may be away from the one before: 1 is side by
    /// side.
    pub rest: Vec<(u32, Node)>,
}

impl Near {
    /// How far apart words may be if nothing is said.
    pub const DEFAULT: u32 = 10;
    /// How far apart words may be at most.
    pub const MOST: u32 = 100;

    /// Returns all words and phrases.
    pub fn parts(&self) -> impl Iterator<Item = &Node> {
        [&*self.first].into_iter().chain(self.rest.iter().map(|(_, part)| part))
    }
}

/// Letters that may differ at most.
pub const MOST_EDITS: u8 = 2;

/// How large a query may be.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Length of the text in bytes.
    pub bytes: usize,
    /// Words, those in phrases included.
    pub terms: usize,
    /// Groups in groups.
    pub depth: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { bytes: 1_024, terms: 64, depth: 32 }
    }
}

/// Why a query is refused. Nothing but its size is a reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum TooLarge {
    /// More text than the limit.
    #[error("the query is longer than {0} bytes")]
    Bytes(usize),
    /// More words than the limit.
    #[error("the query has more than {0} words")]
    Terms(usize),
    /// Deeper nesting than the limit.
    #[error("the query has groups nested deeper than {0}")]
    Depth(usize),
}

impl Query {
    /// Reads a query under the default [`Limits`]. Cost: linear in its length.
    pub fn parse(text: &str) -> Result<Self, TooLarge> {
        Self::parse_with(text, Limits::default())
    }

    /// Like [`Self::parse`], with chosen limits.
    pub fn parse_with(text: &str, limits: Limits) -> Result<Self, TooLarge> {
        if text.len() > limits.bytes {
            return Err(TooLarge::Bytes(limits.bytes));
        }
        let tokens = lex::tokens(text, limits)?;
        parse::parse(&tokens, limits)
    }

    /// Returns the query of somebody who types a text and means words by it: nothing is an operator,
    /// a sign or a field. What is beyond the default [`Limits`] is left out.
    pub fn of_words(text: &str) -> Self {
        let limits = Limits::default();
        let mut words = Vec::new();
        let mut bytes = 0;
        for word in text.split(lex::is_space).filter(|word| !lex::is_noise(word)) {
            bytes += word.len() + 1;
            if bytes > limits.bytes || words.len() == limits.terms {
                break;
            }
            words.push(Node::Word(word.to_owned()));
        }
        Self { root: parse::all_of(words), is_loose: true, notes: Vec::new() }
    }

    /// Returns the query for pages that pass these filters besides.
    pub fn narrowed(self, filters: &[Filter]) -> Self {
        let filters = filters.iter().cloned().map(Node::Filter);
        Self { root: parse::all_of(self.root.into_iter().chain(filters).collect()), ..self }
    }

    /// Returns the tree, or `None` if the text had nothing to search for.
    pub fn root(&self) -> Option<&Node> {
        self.root.as_ref()
    }

    /// Returns whether words stand side by side without `AND`: then pages with most of them are
    /// better than nothing.
    pub fn is_loose(&self) -> bool {
        self.is_loose
    }

    /// Returns what was not understood, in words for people.
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }
}

impl PartialEq for Query {
    fn eq(&self, other: &Self) -> bool {
        (&self.root, self.is_loose) == (&other.root, other.is_loose)
    }
}

impl Eq for Query {}
