//! Keeps a searcher up with what index and analyst make, on a thread of its own.
//!
//! A search that finds a new commit opens it, and ranks its new segments. After a merge those have
//! many thousand pages, and whoever came first waited for it: one search in a hundred, while pages are
//! indexed.

use std::sync::Arc;
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result};
use rank::Searcher;
use tracing::debug;

/// How often is looked: sooner than a search would.
const INTERVAL: Duration = Duration::from_millis(100);

/// Keeps a searcher fresh as long as somebody has it.
pub(crate) fn keep(searcher: &Arc<Searcher>) -> Result<()> {
    let kept = Arc::downgrade(searcher);
    let work = move || {
        while let Some(searcher) = kept.upgrade() {
            if let Err(error) = searcher.refresh() {
                // Who searches is told the same.
                debug!(%error, "nothing new can be searched");
            }
            drop(searcher);
            thread::sleep(INTERVAL);
        }
    };
    let thread = thread::Builder::new().name("fresh".to_owned()).spawn(work);
    thread.context("cannot start the thread that looks for new commits")?;
    Ok(())
}
