//! Lets index, graph and anchors read on after a command that has changed the page log.

use anyhow::{Context, Result};
use base::Collection;
use crawl::Crawler;

use crate::analyst::{Analyst, When};
use crate::command::graph::Shown;
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
pub(crate) fn read_on(collection: &Collection, crawler: Crawler, from: From) -> Result<u64> {
    let total = crawler.stats().snapshot().responses;
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
    let options = index::Options::default();
    let committed = match from {
        From::Before => index::catch_up(collection, options, on_commit),
        From::Nothing => {
            let rank = rank::importance(collection);
            index::rebuild_by_rank(collection, options, &rank, on_commit)
        }
    };
    let committed = committed.context("cannot bring the index up to date; the next crawl does")?;
    progress.finish();
    if from == From::Before {
        analyse()?;
    }
    Ok(committed.num_docs)
}
