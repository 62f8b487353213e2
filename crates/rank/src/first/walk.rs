//! How the matches of a query are gone over.

use tantivy::query::Query;
use tantivy::{Score, SegmentReader};

use super::flat::Flat;
use crate::row::RowQuery;

/// A way over the matches of a query.
pub(crate) enum Walk<'a> {
    /// By blocks, leaving out those that cannot matter; for an AND or OR of terms. tantivy visits
    /// only what may be among the best: where nothing is, the clock is looked at between segments.
    Pruned,
    /// One by one; for every other query, since tantivy looks at no clock in between.
    Whole,
    /// Without reading the positions of documents that cannot matter, once so many matches are
    /// counted; for words side by side.
    Row(&'a RowQuery, u64),
    /// By blocks too, once so many matches are counted; for words of several terms each, and words
    /// with questions besides.
    Words(Flat<'a>, u64),
    /// As somebody else does it.
    By(&'a Walker<'a>),
}

/// Tells a visitor the documents of a segment that pass what it asks for, from a threshold on.
pub(crate) type Walker<'a> =
    dyn Fn(&SegmentReader, Score, &mut dyn FnMut(u32, Score) -> Score) -> tantivy::Result<()> + 'a;

impl<'a> Walk<'a> {
    /// Returns the fastest walk that is exact.
    pub(crate) fn of(query: &'a dyn Query) -> Self {
        if let Some(row) = query.downcast_ref() {
            return Self::Row(row, ROWS_COUNTED);
        }
        match Flat::of(query) {
            None => Self::Whole,
            Some(flat) if flat.has_many_terms() => Self::Whole,
            Some(flat) if flat.is_simple => Self::Pruned,
            Some(flat) => Self::Words(flat, WORDS_COUNTED),
        }
    }
}

/// Rows that are counted before the rest is estimated; the estimate is out by some hundredths then.
/// Each costs the positions of its words.
const ROWS_COUNTED: u64 = 2_000;
/// Matches of words that are counted before the rest is estimated, as many as where counting is a
/// walk of its own ([`crate::candidates::count`]).
const WORDS_COUNTED: u64 = crate::candidates::MOST_COUNTED;
