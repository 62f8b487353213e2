//! What is asked and what comes back.

use std::time::Duration;

use base::{PageId, Timestamp, Url};
use serde::Serialize;

use crate::Report;

/// One question.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// What a person typed.
    pub query: &'a str,
    /// How many of the best answers to leave out.
    pub offset: usize,
    /// How many answers to give; with the offset at most [`Self::WINDOW`].
    pub count: usize,
}

impl<'a> Request<'a> {
    /// Answers beyond this place are not given: deep pages cost no more than this window.
    pub const WINDOW: usize = 1_000;

    /// Asks for the first ten answers.
    pub fn new(query: &'a str) -> Self {
        Self { query, offset: 0, count: 10 }
    }
}

/// The answers to one question.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Results {
    /// How many pages match.
    pub total: Total,
    /// The asked window of the answers, best first.
    pub hits: Vec<Hit>,
    /// How long it took.
    pub took: Duration,
    /// How the query was understood, in the query language; empty if there was nothing to search.
    pub made_of: String,
    /// Whether the time ran out before everything was looked at.
    pub is_partial: bool,
    /// How the candidates were found; `None` if there was nothing to search.
    pub first: Option<Report>,
}

/// A number of matching pages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Total {
    /// The number.
    pub count: u64,
    /// Whether it was counted; otherwise it is an estimate from a part that was.
    pub is_exact: bool,
}

/// One answer.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Hit {
    /// The page.
    pub page: PageId,
    /// Its address.
    pub url: Url,
    /// Its title as plain text; never empty: the first heading, an anchor text or the address
    /// stand in for a missing one.
    pub title: String,
    /// The place in its text that shows the query; empty if the page forbids it or has no text.
    pub snippet: Snippet,
    /// What it was ordered by: the sum of `parts`.
    pub score: f32,
    /// The terms of the score by name.
    pub parts: Vec<Part>,
    /// When it was fetched.
    pub fetched: Option<Timestamp>,
    /// Language of its text as ISO 639-1, if known.
    pub language: Option<String>,
}

/// One term of a score.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Part {
    /// What it measures.
    pub name: &'static str,
    /// What it adds to the score.
    pub value: f32,
}

/// A piece of a page's text as plain text in runs; whoever shows it must escape it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Snippet {
    /// The runs in order; put one after the other they are the piece of text.
    pub segments: Vec<Segment>,
}

/// A run of text in a snippet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Segment {
    /// Plain text.
    pub text: String,
    /// Whether it is a word of the query.
    pub is_marked: bool,
}

impl Snippet {
    /// Returns the text without the marks.
    pub fn text(&self) -> String {
        self.segments.iter().map(|segment| segment.text.as_str()).collect()
    }
}
