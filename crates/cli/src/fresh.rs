//! Keeps a searcher up with what index and analyst make, on a thread of its own.
//!
//! A search that finds a new commit opens it, and ranks its new segments. After a merge those have
//! many thousand pages, and whoever came first waited for it: one search in a hundred, while pages are
//! indexed.
//!
//! Where nothing can be read, it looks ever more seldom, and says so once for each reason.

use std::fmt::Display;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result};
use rank::Searcher;
use tracing::{debug, warn};

/// How often is looked: sooner than a search would.
const INTERVAL: Duration = Duration::from_millis(100);
/// How seldom at most, after errors: what a person has mended is searched a while later.
const LONGEST: Duration = Duration::from_secs(5);

/// Keeps a searcher fresh as long as somebody has it.
pub(crate) fn keep(searcher: &Arc<Searcher>) -> Result<()> {
    let kept = Arc::downgrade(searcher);
    let work = move || {
        let mut looks = Looks::default();
        while let Some(searcher) = kept.upgrade() {
            let seen = searcher.refresh();
            drop(searcher);
            thread::sleep(looks.pause_after(&seen));
        }
    };
    let thread = thread::Builder::new().name("fresh".to_owned()).spawn(work);
    thread.context("cannot start the thread that looks for new commits")?;
    Ok(())
}

/// What came of the last looks.
#[derive(Default)]
struct Looks {
    /// Errors in a row.
    num_failed: u32,
    /// What was said last, if nothing has gone well since.
    told: Option<String>,
}

impl Looks {
    /// Takes what came of a look and returns how long the next one is put off.
    fn pause_after<E: Display>(&mut self, seen: &Result<(), E>) -> Duration {
        let Err(error) = seen else {
            *self = Self::default();
            return INTERVAL;
        };
        self.num_failed = self.num_failed.saturating_add(1);
        let why = error.to_string();
        if self.told.as_ref() == Some(&why) {
            debug!(%error, self.num_failed, "still nothing new can be searched");
        } else {
            warn!(%error, "nothing new can be searched");
            self.told = Some(why);
        }
        INTERVAL.saturating_mul(1 << self.num_failed.min(16)).min(LONGEST)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn after_errors_it_looks_ever_more_seldom_and_says_each_once() {
        let mut looks = Looks::default();
        let mut after = |seen: Result<(), &str>| (looks.pause_after(&seen), looks.told.clone());
        let one = Some("one".to_owned());
        assert_eq!(after(Ok(())), (INTERVAL, None));
        assert_eq!(after(Err("one")), (2 * INTERVAL, one.clone()));
        assert_eq!(after(Err("one")), (4 * INTERVAL, one.clone()));
        assert_eq!(after(Err("two")), (8 * INTERVAL, Some("two".to_owned())));
        for _ in 0..100 {
            assert!(after(Err("one")).0 <= LONGEST);
        }
        assert_eq!(after(Err("one")), (LONGEST, one.clone()));
        assert_eq!(after(Ok(())), (INTERVAL, None));
        assert_eq!(after(Err("one")), (2 * INTERVAL, one));
    }
}
