//! A crawl that a test watches and steers while it runs.

use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use base::{Collection, Url};
use crawl::{Crawler, Ending, Handle, Hold, Options, Snapshot, Stats, Summary};
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

    /// Lets nothing new begin, and waits until nothing is under way.
    #[track_caller]
    pub(crate) fn pause(&self) {
        self.handle.pause();
        // One after the other: requests that are counted before the pause is known may still grow.
        self.until(|snapshot| snapshot.hold == Some(Hold::Pause));
        self.until(|snapshot| snapshot.in_flight == 0);
    }

    /// Adds a seed on a host that is new to the crawl, and waits until that many hosts could be
    /// visited: by then the crawl knows all that it was told before.
    #[track_caller]
    pub(crate) fn seed_that_waits(&self, seed: &str, hosts_ready: u64) {
        assert!(self.handle.add_seeds(vec![Url::parse(seed).unwrap()]));
        self.until(|snapshot| snapshot.hosts_ready == hosts_ready);
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
