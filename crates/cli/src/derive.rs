//! Lets index, graph and anchors read on after a command that has changed the page log.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result};
use base::Collection;
use crawl::Crawler;

use crate::analyst::Analyst;
use crate::progress::{Of, Progress};

/// Brings everything that is made of the page log up to its end; returns how many documents can
/// be found. The caller holds the lock, and nothing else writes.
pub(crate) fn read_on(collection: &Collection, crawler: Crawler) -> Result<u64> {
    let total = crawler.stats().snapshot().responses;
    let (tail, handle) = (crawler.tail(), crawler.handle());
    drop(crawler);
    let mut progress = Progress::new("indexed", Of::Items, total);
    let committed =
        index::catch_up(collection, index::Options::default(), |now| progress.show(now.num_docs))
            .context("cannot bring the index up to date; the next crawl does")?;
    progress.finish();
    let analyst = Analyst {
        collection: collection.clone(),
        tail,
        interval: Duration::ZERO,
        orders: Arc::default(),
        handle,
    };
    analyst.analyse_now().context("cannot analyse the links; the next crawl does")?;
    Ok(committed.num_docs)
}
