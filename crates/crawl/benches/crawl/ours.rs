//! The whole crawl path, with all that makes it a crawler; nothing is indexed.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use base::{Collection, Timestamp, Url};
use crawl::{Addresses, Crawler, Dial, Ending, Options, Reach, Scope};
use tokio::runtime::Runtime;
use tokio::sync::watch;

use crate::job::{Fetched, Job};

/// Crawls from all home pages on, into a folder that is removed afterwards.
pub(crate) fn crawl(
    runtime: &Runtime,
    job: &Job,
    pages: &BTreeMap<String, Vec<String>>,
) -> Fetched {
    let folder = tempfile::tempdir().unwrap();
    let collection = Collection::open_or_create(&folder.path().join("c")).unwrap();
    let _lock = collection.lock().unwrap();
    let homes = pages.keys().map(|host| Url::parse(&format!("http://{host}/")).unwrap());
    let crawler = Crawler::open(&collection, options(job)).unwrap();
    crawler.add_seeds(&homes.collect::<Vec<Url>>()).unwrap();
    let stats = crawler.stats();
    let (stop, stopped) = watch::channel(false);
    runtime.block_on(async {
        if let Some(seconds) = job.seconds {
            tokio::spawn(async move {
                tokio::time::sleep(Duration::from_secs(seconds)).await;
                stop.send(true)
            });
            crawler.run(stopped, Ending::Idle).await.unwrap();
        } else {
            crawler.run(stopped, Ending::Idle).await.unwrap();
            drop(stop);
        }
    });
    let snapshot = stats.snapshot();
    Fetched { pages: snapshot.pages, bytes: snapshot.bytes, idle_share: snapshot.idle_share }
}

/// The defaults, but in a hurry and on loopback.
fn options(job: &Job) -> Options {
    let clock = Arc::new(|| Timestamp::from(SystemTime::now()));
    let mut options = Options::new(Scope::new(Reach::Open), clock);
    options.dns.servers = vec![job.dns];
    options.dns.addresses = Addresses::Loopback;
    options.fetch.dial = Some(Dial { http: job.http_port, https: None });
    options.concurrency = job.concurrency;
    options.politeness.delay = job.delay;
    options.politeness.slowness_factor = 0;
    options
}
