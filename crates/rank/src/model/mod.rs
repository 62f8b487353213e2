//! Textbook models of ranking, selectable per query (Q3).
//!
//! | name | weight of a term in a document | score |
//! |---|---|---|
//! | `tfidf` | n / length · log2(N / df) | sum over the terms of the query |
//! | `tfidf-log` | (1 + log10 n) · log10(N / df) | sum over the terms of the query |
//! | `tfidf-links` | as `tfidf` | the sum times PageRank / mean PageRank |
//! | `cosine` | (1 + log10 n) · log10(N / df) | cosine between query and document |
//! | `bm25` | idf · n (k1 + 1) / (n + k1 (1 − b + b · length / mean)) | sum |
//! | `lookfar` | the formula in `order` | sum of its parts |
//!
//! All but `lookfar` read a query as words, rank every document that has one of them, and know no
//! zones: a word of the title counts like any other. They are there to be compared with and to
//! learn from, and are exact: nothing is pruned.

mod exhaustive;
mod norms;
mod ranking;
mod told;
mod words;

use std::fmt;
use std::str::FromStr;

pub(crate) use exhaustive::{Exhaustive, Scored};
pub(crate) use norms::{Keeper, Norms};
pub use ranking::{Ranking, Reading};
pub(crate) use words::{Bag, Word};

/// How answers are ordered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Model {
    /// Zones, proximity, exact forms, anchors, links: the second stage.
    #[default]
    Lookfar,
    /// Okapi BM25 over the whole text.
    Bm25,
    /// Relative frequency times log2 of the inverse document frequency.
    TfIdf,
    /// (1 + log10 of the frequency) times log10 of the inverse document frequency.
    TfIdfLog,
    /// [`Self::TfIdf`] times PageRank, as the textbook has it.
    TfIdfLinks,
    /// Cosine in the vector space of [`Self::TfIdfLog`].
    Cosine,
}

impl Model {
    /// Every model, the default first.
    pub const ALL: [Self; 6] =
        [Self::Lookfar, Self::Bm25, Self::TfIdf, Self::TfIdfLog, Self::TfIdfLinks, Self::Cosine];

    /// Returns the name by which it is asked for.
    pub fn name(self) -> &'static str {
        match self {
            Self::Lookfar => "lookfar",
            Self::Bm25 => "bm25",
            Self::TfIdf => "tfidf",
            Self::TfIdfLog => "tfidf-log",
            Self::TfIdfLinks => "tfidf-links",
            Self::Cosine => "cosine",
        }
    }
}

impl fmt::Display for Model {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

impl FromStr for Model {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let names = || Self::ALL.map(Self::name).join(", ");
        let found = Self::ALL.into_iter().find(|model| model.name() == name);
        found.ok_or_else(|| format!("no model `{name}`; there are {}", names()))
    }
}
