//! Lets index, graph and anchors read on after a command that has changed the page log.

use anyhow::{Context, Result};
use base::Collection;
use base::log::Position;
use crawl::Crawler;

use crate::analyst::{Analyst, When};
use crate::command::graph::Shown;
use crate::numbers::Numbers;
use crate::place::Place;
use crate::progress::{Of, Progress};

/// What is to be done with what was made before.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum From {
    /// It is read on where it stopped.
    Before,
    /// It is of another log: all is made anew.
    Nothing,
}

/// Brings everything that is made of the page log up to its end; returns how many documents can
/// be found. The caller holds the lock, and nothing else writes.
///
/// An index that holds nothing yet is filled as one that is made anew: on all cores, best pages
/// first.
pub(crate) fn read_on(place: &Place, crawler: Crawler, from: From) -> Result<u64> {
    let collection = &place.collection;
    let from = if is_unfilled(collection) { From::Nothing } else { from };
    let snapshot = crawler.stats().snapshot();
    let total = snapshot.responses;
    let analyst = Analyst::once(collection, &crawler)?;
    drop(crawler);
    let analyse = || -> Result<()> {
        let mut shown = Shown::default();
        let built = analyst.build(When::Behind, &mut |now| shown.show(now));
        shown.finish();
        built.map(drop).context("cannot analyse the links; the next crawl does")
    };
    if from == From::Nothing {
        // First the ranks, so that the index can be sorted by them.
        analyse()?;
    }
    let mut progress = Progress::new("indexed", Of::Items, total);
    let on_commit = |now: index::Committed| progress.show(now.num_docs);
    let committed = match from {
        From::Before => index::catch_up(collection, place.config.index_options()?, on_commit),
        From::Nothing => {
            let options = place.config.refill_options()?;
            let rank = rank::importance(collection);
            index::rebuild_by_rank(collection, options, &rank, on_commit)
        }
    };
    let committed = committed.context("cannot bring the index up to date; the next crawl does")?;
    progress.finish();
    if from == From::Before {
        analyse()?;
    }
    if let Err(error) = tell(collection, &snapshot) {
        tracing::warn!(error = format!("{error:#}"), "status not written");
    }
    Ok(committed.num_docs)
}

/// Tells processes that only serve what there is now; no crawl does.
fn tell(collection: &Collection, snapshot: &crawl::Snapshot) -> Result<()> {
    let mut numbers = Numbers::told(collection);
    numbers.set_crawl(snapshot);
    (numbers.is_crawling, numbers.is_paused, numbers.pages_per_second) = (false, false, 0.0);
    numbers.set_derived(collection)?;
    numbers.tell(collection)
}

/// Returns whether the index would be filled from the beginning of the log in any case: there is
/// none, it was left half filled, or it cannot be used.
fn is_unfilled(collection: &Collection) -> bool {
    match index::Reader::open(&collection.index()).snapshot() {
        Ok(snapshot) => snapshot.is_none_or(|found| found.checkpoint == Position::START),
        Err(error) => matches!(error, index::Error::Damaged { .. }),
    }
}
