//! What is worth saying of one answer: what links say of it, and why it is like another page.
//!
//! They are values, as a [`Note`](crate::Note) is, so that a page can say them in its visitor's
//! language; their `Display` is English, and so is what programs read.

use std::fmt;

use base::SpamKind;
use graph::{LinkLikeness, SpamRole};
use serde::{Serialize, Serializer};

/// What is said of a page, mostly by links, as far as it counts.
#[derive(Clone, Debug, PartialEq)]
pub enum Remark {
    /// How important it is for topics.
    Topics {
        /// Their names, each with its share, from 0 to 1.
        topics: Vec<(String, f32)>,
        /// Whether the pages found told the shares, and not who asked.
        is_told_by_pages: bool,
        /// How many times as important as the mean of all pages.
        times: f32,
    },
    /// Trusted pages link to it, or pages that they link to.
    Trusted {
        /// How many times as trusted as the mean of all pages.
        times: f32,
    },
    /// No link leads here from a trusted page.
    NotTrusted,
    /// It looks like link spam.
    Spam(Option<SpamPart>),
    /// It looks made for search engines instead of people, by its own words.
    Doubts(Vec<SpamKind>),
    /// What a textbook model makes of one word, as an English formula.
    Sum(String),
}

/// What a page does in a structure of link spam.
#[derive(Clone, Debug, PartialEq)]
pub struct SpamPart {
    /// Whether it gets the links or gives them.
    pub role: SpamRole,
    /// `farm`, `exchange` or `shared targets`.
    pub kind: String,
    /// How certain, from 0 to 1.
    pub score: f64,
    /// The evidence, in English sentences without their full stops.
    pub reasons: Vec<String>,
}

/// Why a page is like another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Likeness {
    /// By links.
    Links(LinkLikeness),
    /// Both have these words.
    Words(Vec<String>),
}

impl fmt::Display for Remark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Topics { topics, is_told_by_pages, times } => {
                let percent =
                    |(name, share): &(String, f32)| format!("{name} {:.0} %", 100.0 * share);
                let topics = topics.iter().map(percent).collect::<Vec<_>>().join(", ");
                let told = if *is_told_by_pages { ", as the pages found tell" } else { "" };
                write!(f, "Importance for {topics}{told}: {times:.1} times the mean.")
            }
            Self::Trusted { times } => write!(
                f,
                "Linked by trusted pages, or by pages they link to: trust {times:.1} times the mean."
            ),
            Self::NotTrusted => f.write_str("No link leads here from a trusted page."),
            Self::Sum(formula) => f.write_str(formula),
            Self::Doubts(kinds) => {
                f.write_str("Looks made for search engines")?;
                for (i, kind) in kinds.iter().enumerate() {
                    f.write_str(if i == 0 { ": " } else { ", " })?;
                    f.write_str(match kind {
                        SpamKind::Repetition => "the same words over and over",
                        SpamKind::Frequency => "a word far more frequent than in any honest text",
                        SpamKind::KeywordList => "long lists of search words",
                        SpamKind::StuffedTitle => "a title full of search words",
                        SpamKind::HiddenText => "text that visitors do not see",
                    })?;
                }
                f.write_str(".")
            }
            Self::Spam(None) => f.write_str("Looks like link spam."),
            Self::Spam(Some(SpamPart { role, kind, score, reasons })) => {
                let part = match role {
                    SpamRole::Target => "held up by a structure of links",
                    SpamRole::Helper => "part of a structure of links that holds up another page",
                };
                let reasons = reasons.join("; ");
                write!(
                    f,
                    "Looks like link spam: {part} ({kind}, certain to {score:.2}): {reasons}."
                )
            }
        }
    }
}

impl fmt::Display for Likeness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Links(links) => links.fmt(f),
            Self::Words(words) => write!(f, "same words: {}", words.join(", ")),
        }
    }
}

/// Both are written as the text that they are: programs have read them so from the beginning.
impl Serialize for Remark {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl Serialize for Likeness {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
