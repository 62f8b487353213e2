//! Ways to find the best documents, to be compared and taught with (Q4).
//!
//! | strategy | looks at | exact |
//! |---|---|---|
//! | `exhaustive` | every match | yes |
//! | `block-max` | blocks that can still matter | yes |
//! | `threshold` | lists by weight from the top, each document whole (Fagin's algorithm) | yes |
//! | `champions` | the best few hundred of each term | no |
//! | `clusters` | the followers of the leaders nearest to the query | no |
//! | `tiers` | the best sixteenth of each list, then the best quarter, then all | no |
//!
//! The last four have data of their own ([`lists`]), built for one commit; for any other commit,
//! and for queries that are not made of words alone, they leave the search to `block-max` and say
//! so. That one leaves it to `exhaustive`, and says so, where nothing can be left out.

mod blocks;
mod champions;
mod clusters;
mod health;
pub(crate) mod lists;
mod store;
mod table;
#[cfg(test)]
mod tests;
mod threshold;
mod tiers;

use std::cell::Cell;
use std::fmt;
use std::io;
use std::str::FromStr;
use std::time::{Duration, Instant};

use index::{Expired, Snapshot};
use serde::Serialize;
use tantivy::SegmentReader;
use tantivy::query::Query;

pub use health::{check_lists, renew_lists};
pub(crate) use store::{Store, Stores};

use crate::first::{self, Flat, Found, Heap, Ranks, Walk};
use crate::generation::Links;
use table::Table;

/// A way to find the best documents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Strategy {
    /// Scores every match.
    Exhaustive,
    /// Leaves out blocks of documents that cannot be among the best.
    #[default]
    BlockMax,
    /// Goes down lists ordered by weight until no document further down can be among the best.
    Threshold,
    /// Scores only the best documents of each word.
    Champions,
    /// Scores only documents that are like those most like the query.
    Clusters,
    /// Scores the best part of each list, and more only if that is too little.
    Tiers,
}

impl Strategy {
    /// All of them, in the order of their explanation.
    pub const ALL: [Self; 6] = [
        Self::Exhaustive,
        Self::BlockMax,
        Self::Threshold,
        Self::Champions,
        Self::Clusters,
        Self::Tiers,
    ];

    /// Returns its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Exhaustive => "exhaustive",
            Self::BlockMax => "block-max",
            Self::Threshold => "threshold",
            Self::Champions => "champions",
            Self::Clusters => "clusters",
            Self::Tiers => "tiers",
        }
    }

    /// Returns whether it always finds the best documents.
    pub fn is_exact(self) -> bool {
        matches!(self, Self::Exhaustive | Self::BlockMax | Self::Threshold)
    }

    /// Returns whether it needs lists of its own.
    pub fn needs_lists(self) -> bool {
        !matches!(self, Self::Exhaustive | Self::BlockMax)
    }
}

impl fmt::Display for Strategy {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

impl FromStr for Strategy {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        Self::ALL.into_iter().find(|strategy| strategy.name() == name).ok_or_else(|| {
            let names = Self::ALL.map(Self::name).join(", ");
            format!("no strategy has the name `{name}`; there are {names}")
        })
    }
}

/// How candidates were found, and what it took.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Report {
    /// The strategy that found them.
    pub strategy: Strategy,
    /// Documents that were scored.
    pub documents: u64,
    /// Entries of the words' posting lists that were read, by `block-max` those of whole blocks; `None`
    /// where that is not known: of queries with more than words and filters, and of an AND or OR whose
    /// strategy nobody has asked for.
    pub postings: Option<u64>,
    /// How long it took.
    pub took: Duration,
    /// Why it was another strategy than the one that was asked for.
    pub note: Option<&'static str>,
    /// Which share of the ten best documents it has found; only of strategies that are not exact.
    pub recall: Option<f32>,
}

impl fmt::Display for Report {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {} documents scored, ", self.strategy, self.documents)?;
        match self.postings {
            Some(postings) => write!(formatter, "{postings} postings read")?,
            None => formatter.write_str("postings not counted")?,
        }
        write!(formatter, ", {:.1} ms", self.took.as_secs_f64() * 1_000.0)?;
        if let Some(recall) = self.recall {
            write!(formatter, ", recall@10 {recall:.2}")?;
        }
        match self.note {
            Some(note) => write!(formatter, " ({note})"),
            None => Ok(()),
        }
    }
}

const NOT_FLAT: &str = "the query is not made of words alone, of which each or any is wanted";
const NO_LISTS: &str = "its lists are missing or of an earlier commit";
const EXPIRED: &str = "pages in its lists are no answers any more";
const BAD_LISTS: &str = "its lists cannot be read";

const MANY_WORDS: &str = "of so many words, whole lists are read faster";

/// How many of the best documents recall is told of.
const RECALL_AT: usize = 10;

/// What strategies find documents in.
pub(crate) struct FirstStage<'a> {
    pub(crate) snapshot: &'a Snapshot,
    pub(crate) ranks: &'a Ranks,
    pub(crate) links: &'a Links,
    /// The lists of this very commit, if there are any.
    pub(crate) store: Option<&'a Store>,
    /// Asked now and then whether the time is over.
    pub(crate) is_over: &'a dyn Fn() -> bool,
    /// Documents that are no answers any more.
    pub(crate) gone: Option<Expired<'a>>,
}

impl FirstStage<'_> {
    /// Returns the `count` best documents by words and rank, and how they were found.
    pub(crate) fn best(
        &self,
        strategy: Strategy,
        query: &dyn Query,
        count: usize,
    ) -> tantivy::Result<(Found, Report)> {
        let begun = Instant::now();
        let mut note = None;
        if strategy.needs_lists() {
            match self.by_lists(strategy, query, count)? {
                Ok((found, postings)) => {
                    let postings = Some(postings);
                    return Ok(reported(strategy, found, postings, begun, None));
                }
                Err(reason) => note = Some(reason),
            }
        }
        let is_asked = strategy == Strategy::Exhaustive;
        let walk = if is_asked { Walk::Whole } else { Walk::of(query) };
        let is_whole = matches!(walk, Walk::Whole);
        let flat = Flat::of(query).filter(|_| is_whole);
        if is_whole && !is_asked {
            note = note.or(Some(if flat.is_some() { MANY_WORDS } else { NOT_FLAT }));
        }
        let searcher = &self.snapshot.searcher;
        let found = first::best(searcher, query, walk, count, self.ranks, self.is_over, self.gone)?;
        // Where every match of words and filters is scored, filters decide how far lists are read.
        let postings = match flat.filter(Flat::is_plain) {
            Some(flat) => Some(flat.num_postings(searcher)?),
            None => found.num_postings,
        };
        let used = if is_whole { Strategy::Exhaustive } else { Strategy::BlockMax };
        Ok(reported(used, found, postings, begun, note))
    }

    /// Adds what a report tells only when somebody wants to know, since it costs more than the
    /// search itself: what was read block by block, and how much a strategy has missed.
    pub(crate) fn complete(
        &self,
        report: &mut Report,
        query: &dyn Query,
        count: usize,
        found: &Found,
    ) -> tantivy::Result<()> {
        if report.strategy == Strategy::BlockMax && report.postings.is_none() {
            report.postings = self.postings_by_blocks(query, count)?;
        }
        if !report.strategy.is_exact() {
            report.recall = self.recall(query, found)?;
        }
        Ok(())
    }

    /// Counts the entries of all blocks that a search by blocks decodes; `None` if the query is no
    /// plain AND or OR of words.
    fn postings_by_blocks(&self, query: &dyn Query, count: usize) -> tantivy::Result<Option<u64>> {
        let Some(flat) = Flat::of(query).filter(|flat| flat.is_simple) else { return Ok(None) };
        let searcher = &self.snapshot.searcher;
        let num_read = Cell::new(0);
        let walker = |segment: &SegmentReader, least, visit: &mut dyn FnMut(u32, f32) -> f32| {
            num_read.set(num_read.get() + blocks::walk(&flat, searcher, segment, least, visit)?);
            Ok(())
        };
        let walk = Walk::By(&walker);
        first::best(searcher, query, walk, count, self.ranks, self.is_over, self.gone)?;
        Ok(Some(num_read.get()))
    }

    /// Returns which share of the ten best documents is among the ten best of what was found; `None`
    /// if the time does not suffice to tell. Cost: that of an exhaustive search.
    fn recall(&self, query: &dyn Query, found: &Found) -> tantivy::Result<Option<f32>> {
        let (all, _) = self.best(Strategy::Exhaustive, query, RECALL_AT)?;
        if all.is_cut_short {
            return Ok(None);
        }
        // Any document as good as the last of the best is one of them.
        let Some(last) = all.best.last() else { return Ok(Some(1.0)) };
        let least = last.score - last.score.abs() * 1e-5;
        let first = found.best.iter().take(RECALL_AT);
        let num_found = first.filter(|scored| scored.score >= least).count();
        Ok(Some(num_found as f32 / all.best.len() as f32))
    }

    /// Returns what a strategy with lists finds and how many postings it has read, or why it
    /// cannot be used.
    fn by_lists(
        &self,
        strategy: Strategy,
        query: &dyn Query,
        count: usize,
    ) -> tantivy::Result<Result<(Found, u64), &'static str>> {
        let is_listed = |flat: &Flat<'_>| {
            flat.is_plain() && flat.terms().all(|term| term.field() == self.snapshot.fields.stems)
        };
        let Some(flat) = Flat::of(query).filter(is_listed) else { return Ok(Err(NOT_FLAT)) };
        let Some(store) = self.store else { return Ok(Err(NO_LISTS)) };
        if self.gone.is_some() {
            return Ok(Err(EXPIRED));
        }
        let mut table = Table::open(self, store, &flat)?;
        let mut heap = Heap::new(count);
        let Ok(is_cut_short) = run(strategy, &mut table, &mut heap, self.is_over) else {
            return Ok(Err(BAD_LISTS));
        };
        let is_full = heap.is_full();
        let mut best = heap.into_best();
        for scored in &mut best {
            let page = store.lists.page(scored.address.doc_id);
            // Of this very commit, so it is there.
            let Some(address) = self.snapshot.find(page) else { return Ok(Err(NO_LISTS)) };
            scored.address = address;
        }
        let num_documents = table.num_documents;
        let found = Found { best, is_full, is_cut_short, num_documents, ..Found::default() };
        Ok(Ok((found, table.num_postings)))
    }
}

/// Runs a strategy to its end, or returns that the time is over.
fn run(
    strategy: Strategy,
    table: &mut Table<'_>,
    heap: &mut Heap,
    is_over: &dyn Fn() -> bool,
) -> io::Result<bool> {
    match strategy {
        Strategy::Champions => champions::run(table, heap),
        Strategy::Clusters => clusters::run(table, heap, is_over),
        Strategy::Tiers => tiers::run(table, heap, is_over),
        _ => threshold::run(table, heap, is_over),
    }
}

fn reported(
    strategy: Strategy,
    found: Found,
    postings: Option<u64>,
    begun: Instant,
    note: Option<&'static str>,
) -> (Found, Report) {
    let documents = found.num_documents;
    let took = begun.elapsed();
    (found, Report { strategy, documents, postings, took, note, recall: None })
}
