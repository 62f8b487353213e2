//! A crawl whose files could not be written: closed, and opened again once there is room (STO-04).
//!
//! After a write that failed nobody knows what a store holds: its files are the truth. So nothing
//! is tried again in place. Everything that was fetched and is not on the disk is dropped, all
//! stores are closed, and after a rest they are opened as after a crash, which cuts off what is
//! unfinished. Who steers the crawl, counts it or follows its page log goes on meanwhile.

use std::error::Error as _;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use base::log::Tail;
use base::{Collection, pages};
use tokio::sync::watch;
use tokio::time::Instant;

use crate::frontier::Frontier;
use crate::guard::Hold;
use crate::{Crawler, Ending, Error, Handle, Options, Stats, Summary};

/// How long a crawl rests before its stores are opened again, at first …
const FIRST_REST: Duration = Duration::from_secs(1);
/// … and at most, as it doubles each time: room may take a person to make.
const LONGEST_REST: Duration = Duration::from_secs(60);

/// What others know of a crawl, whichever stores it has open.
#[derive(Clone)]
pub(crate) struct Known {
    pub(crate) handle: Handle,
    pub(crate) stats: Arc<Stats>,
    pub(crate) tail: Tail,
}

impl Known {
    pub(crate) fn new(
        collection: &Collection,
        options: &Options,
        frontier: &Arc<Frontier>,
        pages: &pages::Writer,
    ) -> Self {
        let handle = Handle::new(collection, options, frontier.clone());
        Self { handle, stats: Arc::default(), tail: pages.tail() }
    }

    /// Makes stores that were opened again known to all who knew those before.
    pub(crate) fn meet(self, frontier: &Arc<Frontier>, pages: &mut pages::Writer) -> Self {
        self.handle.set_frontier(Some(frontier.clone()));
        pages.tell(self.tail.clone());
        self
    }
}

impl Crawler {
    /// Crawls until `stop` becomes true or, if asked, until nothing is left.
    ///
    /// When it returns, everything that counts as fetched is durable. Where files cannot be
    /// written for want of room, it says so, rests and goes on; other errors of the disk end it.
    pub async fn run(self, stop: watch::Receiver<bool>, ending: Ending) -> Result<Summary, Error> {
        let (mut crawler, mut rest) = (self, FIRST_REST);
        loop {
            let (collection, options) = (crawler.collection().clone(), crawler.options().clone());
            let known = crawler.known();
            let begun = Instant::now();
            let mut error = match crawler.run_once(stop.clone(), ending).await {
                Err(error) if error.may_pass() => error,
                ended => return ended,
            };
            if begun.elapsed() > LONGEST_REST {
                rest = FIRST_REST;
            }
            known.handle.set_frontier(None);
            known.stats.set_hold(Some(Hold::Disk));
            crawler = loop {
                tracing::warn!(
                    error = error.with_causes(),
                    seconds = rest.as_secs(),
                    "the crawl pauses and is tried again; what is indexed can be searched"
                );
                if is_stopped_within(rest, &stop, &known.handle).await {
                    return Err(error);
                }
                rest = (rest * 2).min(LONGEST_REST);
                let (collection, options) = (collection.clone(), options.clone());
                let known = known.clone();
                let open = move || Crawler::open_for(&collection, options, Some(known));
                let opened = tokio::task::spawn_blocking(open).await;
                match opened.map_err(|_| Error::Died("crawl"))? {
                    Err(again) if again.may_pass() => error = again,
                    opened => break opened?,
                }
            };
            known.stats.set_hold(None);
            tracing::warn!("the crawl goes on");
        }
    }
}

/// Rests; returns early, and true, if it is time to stop.
async fn is_stopped_within(rest: Duration, stop: &watch::Receiver<bool>, handle: &Handle) -> bool {
    let mut stop = stop.clone();
    tokio::select! {
        () = tokio::time::sleep(rest) => false,
        // Whoever could have stopped us is gone, or has done so.
        _ = stop.wait_for(|is_stopping| *is_stopping) => true,
        () = handle.stopped() => true,
    }
}

impl Error {
    /// Returns whether files could not be written or opened for want of something that may come
    /// back: room on the disk, descriptors, memory.
    ///
    /// A disk that fails is no such want. What it was given may be gone though it can still be
    /// read, so nothing is built on it before somebody has looked (STO-06).
    pub fn may_pass(&self) -> bool {
        let mut cause: Option<&(dyn std::error::Error + 'static)> = Some(self);
        while let Some(error) = cause {
            if let Some(error) = error.downcast_ref::<io::Error>() {
                return is_want(error);
            }
            // The store has failed before, and is not fully closed yet.
            if let Some(fjall::Error::Poisoned | fjall::Error::Locked) = error.downcast_ref() {
                return true;
            }
            cause = error.source();
        }
        false
    }

    /// Returns whether a store of the collection could not be used.
    pub fn is_of_storage(&self) -> bool {
        matches!(self, Self::Frontier(_) | Self::Archive(_) | Self::Pages(_) | Self::Folder { .. })
    }

    /// Returns what happened and why, in one line.
    pub(crate) fn with_causes(&self) -> String {
        let mut text = self.to_string();
        let mut cause = self.source();
        while let Some(error) = cause {
            text = format!("{text}: {error}");
            cause = error.source();
        }
        text
    }
}

fn is_want(error: &io::Error) -> bool {
    use io::ErrorKind::{FileTooLarge, OutOfMemory, QuotaExceeded, StorageFull};
    const EMFILE: i32 = rustix::io::Errno::MFILE.raw_os_error();
    const ENFILE: i32 = rustix::io::Errno::NFILE.raw_os_error();
    matches!(error.kind(), FileTooLarge | OutOfMemory | QuotaExceeded | StorageFull)
        || matches!(error.raw_os_error(), Some(EMFILE | ENFILE))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::FrontierError;

    #[test]
    fn want_of_room_may_pass_and_a_failing_disk_does_not() {
        let store = |error: io::Error| Error::from(FrontierError::from(fjall::Error::from(error)));
        let full = store(io::ErrorKind::StorageFull.into());
        assert!(full.may_pass() && full.with_causes().contains("the frontier's store failed: "));
        let io = |number| store(io::Error::from_raw_os_error(number));
        // ENOSPC, EMFILE, EFBIG; EIO, EACCES.
        assert_eq!([28, 24, 27, 5, 13].map(|n| io(n).may_pass()), [true, true, true, false, false]);
        assert!(Error::from(FrontierError::from(fjall::Error::Poisoned)).may_pass());
        assert!(!Error::Died("committer").may_pass());
    }
}
