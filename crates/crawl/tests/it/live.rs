//! A crawl that a test watches and steers while it runs.

use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use base::{Collection, Url};
use crawl::{Crawler, Ending, Handle, Options, Snapshot, Stats, Summary};
use tokio::sync::watch;

/// A crawl under way on a thread of its own.
pub(crate) struct Live {
    pub(crate) handle: Handle,
    stats: Arc<Stats>,
    thread: JoinHandle<Summary>,
    _stop: watch::Sender<bool>,
}

/// Nothing in these tests takes nearly as long; what does, hangs.
const PATIENCE: Duration = Duration::from_secs(30);

impl Live {
    /// Begins a crawl.
    pub(crate) fn start(
        collection: &Collection,
        seeds: &[&str],
        options: Options,
        ending: Ending,
    ) -> Self {
        let lock = collection.lock().unwrap();
        let crawler = Crawler::open(collection, options).unwrap();
        let seeds: Vec<Url> = seeds.iter().map(|seed| Url::parse(seed).unwrap()).collect();
        crawler.add_seeds(&seeds).unwrap();
        let (handle, stats) = (crawler.handle(), crawler.stats());
        let (stop, stopped) = watch::channel(false);
        let thread = thread::spawn(move || {
            let _lock = lock;
            let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
            runtime.block_on(crawler.run(stopped, ending)).unwrap()
        });
        Self { handle, stats, thread, _stop: stop }
    }

    pub(crate) fn snapshot(&self) -> Snapshot {
        self.stats.snapshot()
    }

    /// Waits until something has come true.
    #[track_caller]
    pub(crate) fn until(&self, is_true: impl Fn(&Snapshot) -> bool) {
        let begun = Instant::now();
        while !is_true(&self.snapshot()) {
            assert!(begun.elapsed() < PATIENCE, "waited in vain: {:?}", self.snapshot());
            thread::sleep(Duration::from_millis(2));
        }
    }

    /// Waits for the crawl's own end.
    pub(crate) fn ended(self) -> (Summary, Snapshot) {
        let summary = self.thread.join().unwrap();
        (summary, self.stats.snapshot())
    }

    /// Ends the crawl.
    pub(crate) fn stop(self) -> Snapshot {
        self.handle.stop();
        let (summary, snapshot) = self.ended();
        assert_eq!(summary, Summary::Stopped);
        snapshot
    }
}
