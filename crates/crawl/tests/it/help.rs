//! A collection, a web, a crawl of one by the other.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use base::log::Position;
use base::{Collection, PageRecord, Timestamp, Url, pages};
use crawl::{Addresses, Crawler, Dial, Ending, Options, PolitenessOptions, Reach, Scope, Snapshot};
use tempfile::TempDir;
use testweb::Running;

/// A collection in a temporary folder.
pub(crate) struct Place {
    pub(crate) collection: Collection,
    _folder: TempDir,
}

impl Place {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let collection = Collection::open_or_create(&folder.path().join("c")).unwrap();
        Self { collection, _folder: folder }
    }

    /// Crawls until nothing is left.
    pub(crate) fn crawl(&self, seeds: &[&str], options: Options) -> Snapshot {
        let _lock = self.collection.lock().unwrap();
        let seeds: Vec<Url> = seeds.iter().map(|seed| Url::parse(seed).unwrap()).collect();
        let crawler = Crawler::open(&self.collection, options).unwrap();
        crawler.add_seeds(&seeds).unwrap();
        let stats = crawler.stats();
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
        let (_stop, stopped) = tokio::sync::watch::channel(false);
        runtime.block_on(crawler.run(stopped, Ending::Idle)).unwrap();
        stats.snapshot()
    }

    /// Returns the records of the page log by URL, in log order.
    pub(crate) fn records(&self) -> BTreeMap<String, Vec<PageRecord>> {
        let mut reader = pages::Reader::open(&self.collection.pages(), Position::START).unwrap();
        let mut records: BTreeMap<String, Vec<PageRecord>> = BTreeMap::new();
        while let Some(entry) = reader.next_entry().unwrap() {
            records.entry(entry.record.url.to_string()).or_default().push(entry.record);
        }
        records
    }

    /// Returns the archived response of a page's last record.
    pub(crate) fn captured(&self, url: &str) -> archive::Captured {
        let capture = self.records()[url].last().unwrap().capture;
        archive::read(&self.collection.archive(), capture).unwrap()
    }

    /// Asserts that every store is in order.
    pub(crate) fn check(&self) {
        let health = archive::check(&self.collection.archive()).unwrap();
        assert!(health.problems.is_empty(), "{:?}", health.problems);
        assert_eq!(pages::check(&self.collection.pages()).unwrap().torn_bytes, 0);
        assert_eq!(crawl::check(&self.collection).unwrap(), Vec::<String>::new());
    }
}

/// Returns a folder of the data packs; says so where there is none.
pub(crate) fn pack(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("LOOKFAR_DATA").map(|data| PathBuf::from(data).join(name));
    let found = path.filter(|path| path.is_dir());
    if found.is_none() {
        println!("skipped: no data pack `{name}`; set LOOKFAR_DATA to the folder of the packs");
    }
    found
}

/// Options for a web on loopback, in a hurry.
pub(crate) fn options(web: &Running, delay: Duration) -> Options {
    let clock = Arc::new(|| Timestamp::from(SystemTime::now()));
    let mut options = Options::new(Scope::new(Reach::Open), clock);
    options.dns.servers = vec![web.dns_addr];
    options.dns.addresses = Addresses::Loopback;
    options.fetch.dial = Some(Dial { http: web.http_port, https: web.https_port });
    options.fetch.extra_roots = web.authority().into_iter().collect();
    options.guesses = false;
    options.politeness = PolitenessOptions {
        delay,
        slowness_factor: 0,
        error_rest: Duration::from_millis(20),
        errors_before_leave: 1000,
        longest_rest: Duration::from_millis(100),
        ..PolitenessOptions::default()
    };
    options
}
