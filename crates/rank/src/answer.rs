//! What is asked and what comes back.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use base::{PageId, Timestamp, Url};
use serde::Serialize;

use crate::query::Filter;
use crate::remark::{Likeness, Remark};
use crate::{Facets, Model, Note, Personal, Report, Sorting, TopicWeight, Without};

/// One question.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// What a person typed.
    pub query: &'a str,
    /// How many of the best answers to leave out.
    pub offset: usize,
    /// How many answers to give; with the offset at most [`Self::WINDOW`].
    pub count: usize,
    /// Set by the asker once nobody waits for the answer any more: then work stops (QRY-19).
    pub is_left: Option<&'a Arc<AtomicBool>>,
    /// Whether the answers are listed one by one, or as people want to see them.
    pub grouping: Grouping,
    /// How answers are ordered. All but the default read the query as words, any of which may
    /// occur.
    pub model: Model,
    /// Topics whose pages count as important, instead of those of the whole web; at most
    /// [`graph::MAX_TOPICS`]. Like the two below only for [`Model::Lookfar`].
    pub topics: &'a [TopicWeight],
    /// What of the links does not count.
    pub without: Without,
    /// What puts the answers into order.
    pub sorting: Sorting,
    /// What is wanted besides the answers; only for [`Model::Lookfar`].
    pub helps: Helps,
    /// What every answer must be besides, whatever the query says. Only for [`Model::Lookfar`].
    pub filters: &'a [Filter],
    /// What the person who asks wishes, whatever the question; only for [`Model::Lookfar`].
    pub personal: Option<&'a Personal>,
    /// Whether scores are explained in full: [`Hit::parts`] has those that count nothing too, and
    /// [`Hit::remarks`] tells of each word what a textbook model makes of it.
    pub explain: bool,
}

/// What helps a person to ask on. Each costs time that whoever does not show it need not spend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Helps {
    /// Whether to count what all matching pages are ([`Results::facets`]); costs some milliseconds
    /// where very many match.
    pub facets: bool,
    /// Whether to look for another spelling ([`Results::did_you_mean`]).
    pub spelling: bool,
    /// Whether to look for queries that lead on ([`Results::related`]).
    pub related: bool,
}

impl Helps {
    /// All of them: what a page for people shows.
    pub const ALL: Self = Self { facets: true, spelling: true, related: true };
    /// The answers alone.
    pub const NONE: Self = Self { facets: false, spelling: false, related: false };
}

impl Default for Helps {
    /// Everything but the numbers.
    fn default() -> Self {
        Self { facets: false, ..Self::ALL }
    }
}

/// How answers are listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Grouping {
    /// Every page in its place: what a measurement compares.
    #[default]
    Plain,
    /// Near copies folded into the best of them, and at most two pages of a site on the first page as
    /// long as there are others (Q9). A page is as many answers as are asked for, at least ten and at
    /// most fifty.
    Folded,
}

impl<'a> Request<'a> {
    /// Answers beyond this place are not given: deep pages cost no more than this window.
    pub const WINDOW: usize = 1_000;
    /// Most topics of one question: those of a collection, and the whole web.
    pub const MAX_TOPICS: usize = graph::MAX_TOPICS + 1;

    /// Asks for the first ten answers.
    pub fn new(query: &'a str) -> Self {
        Self {
            query,
            offset: 0,
            count: 10,
            is_left: None,
            grouping: Grouping::default(),
            model: Model::default(),
            topics: &[],
            without: Without::default(),
            sorting: Sorting::default(),
            helps: Helps::default(),
            filters: &[],
            personal: None,
            explain: false,
        }
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
    /// What a person should know of it: what was not understood, what was left out, that not all
    /// words were found. Plain text that may repeat the query.
    pub notes: Vec<Note>,
    /// Whether the time ran out before everything was looked at.
    pub is_partial: bool,
    /// How long the list is that can be paged through, once that is known: less than `total`
    /// where answers are folded, and never more than [`Request::WINDOW`].
    pub listed: Option<usize>,
    /// How the candidates were found; `None` if there was nothing to search.
    pub first: Option<Report>,
    /// What the matching pages are, if that was asked for.
    pub facets: Facets,
    /// The query in another spelling, if that finds clearly more (Q7). If that was asked for, and
    /// with the first answers only.
    pub did_you_mean: Option<String>,
    /// Queries that lead on from this one, made of what the best answers have in common (Q7). If
    /// that was asked for, with the first answers only, and only where they are folded.
    pub related: Vec<String>,
    /// How many answers were left out because they are of sites that the asker blocks.
    pub blocked: u64,
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
    /// The page; `None` if it was never fetched.
    pub page: Option<PageId>,
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
    /// The page's own date, if it is sure of it.
    pub date: Option<Timestamp>,
    /// Whether a copy of it may be shown.
    pub has_copy: bool,
    /// How many near copies of it are folded into this answer.
    pub similar: u32,
    /// How many more answers of its site stand behind the first page; told once per site.
    pub held_back: u32,
    /// How many sites describe it, if that is all that is known: it was never fetched.
    pub described_by: Option<u64>,
    /// Its web site as `site:` takes it: `example.org`, `cs.example.edu/~ann/`.
    pub site: String,
    /// Why it is like the page that `related:` names, what counts most first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reasons: Vec<Likeness>,
    /// What links say of it: trust, spam, topics. Of a textbook model, word by word what the score
    /// is made of.
    pub remarks: Vec<Remark>,
}

/// One term of a score.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Part {
    /// What it measures.
    pub name: &'static str,
    /// What it adds to the score: the raw value times its weight.
    pub value: f32,
    /// What was measured; 0 if that could not be said in a number.
    pub raw: f32,
    /// How much it counts.
    pub weight: f32,
}

impl Part {
    pub(crate) fn new(name: &'static str, raw: f32, weight: f32) -> Self {
        let raw = if (raw * weight).is_finite() { raw } else { 0.0 };
        Self { name, value: raw * weight, raw, weight }
    }

    /// Returns how much it decides among all parts of a score: its share of everything that is added
    /// and taken away, from 0 to 1. The shares of all parts make 1, unless all of them are nothing.
    ///
    /// Not its share of the score: where something is taken away, that would be more than all of it.
    pub fn share(&self, all: &[Self]) -> f32 {
        let sum: f32 = all.iter().map(|part| part.value.abs()).sum();
        if sum > 0.0 { self.value.abs() / sum } else { 0.0 }
    }

    /// Returns in plain words what it measures.
    pub fn meaning(&self) -> &'static str {
        match self.name {
            "text" => "how often the text says the words, rare words first, for its length",
            "exact" => "words found in the very form that was asked for",
            "title" => "how much of the title is made of the words",
            "address" => "words in the address of the page",
            "anchors" => "what other sites call the page in their links",
            "links" => "importance by the links that lead to the page",
            "topics" => "importance by links, for the topics that were asked for",
            "trust" => "linked by trusted pages, or by pages that they link to",
            "spam" => "looks like link spam: what is taken away for it",
            "authority" => "how much the hubs around the answers link to the page",
            "closeness" => "words that stand near each other",
            "phrase" => "words that stand in a row, as in the query",
            "complete" => "has every word: comes before pages that lack one",
            "letters" => "pieces of words in common, whatever their endings",
            "related" => "how alike it is to the page that was named, by links and by words",
            "feedback" => "words that the best answers have in common",
            "freshness" => "how lately the page says it was worked on",
            "quality" => "taken off: the page looks made for search engines",
            "preferred" => "you prefer this site",
            "lowered" => "you want to see less of this site: what is taken away for it",
            "language" => "in a language that you prefer",
            "place" => "belongs to the country that you named",
            "town" => "says the name of the town that you named",
            "bm25" => "frequency of the words, saturated, for the length of the text",
            "tfidf" => "share of the text that the words make up, rare words first",
            "tfidf-log" => "logarithm of the frequency of the words, rare words first",
            "tfidf-links" => "tf-idf times PageRank as a multiple of the mean",
            "cosine" => "angle between query and text in the space of all words",
            _ => "a part of the score",
        }
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_make_a_whole_whatever_is_taken_away() {
        let parts = [("text", 6.0, 1.0), ("links", 1.0, 2.0), ("spam", -5.0, 0.4)]
            .map(|(name, raw, weight)| Part::new(name, raw, weight));
        assert_eq!(parts.map(|part| part.share(&parts)), [0.6, 0.2, 0.2]);
        let nothing = [Part::new("text", 0.0, 1.0)];
        assert_eq!(nothing[0].share(&nothing), 0.0);
    }
}
