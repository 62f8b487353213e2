//! The numbers of a collection: told by the process that crawls, shown by any other.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result};
use base::Collection;
use base::file::{size_below, write_whole};
use serde::{Deserialize, Serialize};

use crate::control::{Client, Request};
use crate::place::{Patience, lock};

/// What `lookfar status` tells.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Numbers {
    /// Pages fetched: responses with status 200.
    pub(crate) pages_fetched: u64,
    /// URLs known, fetched or not.
    pub(crate) urls_known: u64,
    /// URLs that wait to be fetched.
    pub(crate) urls_waiting: u64,
    /// Hosts known.
    pub(crate) hosts: u64,
    /// Documents that can be found.
    pub(crate) documents_indexed: u64,
    /// Records in the page log: responses of any status.
    pub(crate) page_log_records: u64,
    /// Pages in the link graph, fetched or only linked to.
    pub(crate) graph_nodes: u64,
    /// Links in it.
    pub(crate) graph_arcs: u64,
    /// Number of the link analysis in use; 0 before the first.
    pub(crate) generation: u64,
    /// Bytes of the archive files.
    pub(crate) bytes_archived: u64,
    /// Bytes of all responses, decoded.
    pub(crate) bytes_fetched: u64,
    /// Whether a process is crawling now.
    pub(crate) is_crawling: bool,
    /// Whether it was told to pause.
    pub(crate) is_paused: bool,
    /// What the crawl waits for, in a sentence; `None` while it goes on.
    pub(crate) waits_for: Option<String>,
    /// Seconds until the first host has rested, while nothing is under way and all of them rest.
    pub(crate) all_rest_seconds: Option<u64>,
    /// Pages that repeat others.
    pub(crate) copies: u64,
    /// Answers to the question for a page that was known already.
    pub(crate) fetched_again: u64,
    /// Hosts that wait as mirrors of others, or as suspected ones.
    pub(crate) suspects: u64,
    /// Hosts in rotation, and how many of them could be visited now.
    pub(crate) hosts_active: u64,
    pub(crate) hosts_ready: u64,
    /// Requests under way.
    pub(crate) in_flight: u64,
    /// Share of the fetchers' time that was lost though a host was ready, from 0 to 1.
    pub(crate) idle_share: f64,
    /// Pages per second, lately; 0 when not crawling.
    pub(crate) pages_per_second: f64,
    /// URLs left out and fetches that failed, by reason.
    pub(crate) reasons: BTreeMap<String, u64>,
    /// URLs that wait, by front queue.
    pub(crate) queues: Vec<u64>,
    /// Responses by status.
    pub(crate) statuses: BTreeMap<u16, u64>,
    /// Pages by what they are.
    pub(crate) kinds: BTreeMap<String, u64>,
    /// Bodies by size: number `n` counts those below 2^n bytes and not below half of that.
    pub(crate) sizes: Vec<u64>,
    /// Hosts that rest in the store, up to a limit.
    pub(crate) hosts_resting: u64,
    /// Pages that are due to be fetched again, up to a limit.
    pub(crate) overdue: u64,
    /// Bytes of the crawling process in memory.
    pub(crate) memory: u64,
    /// Bytes that are free on the disk, and its size.
    pub(crate) disk_free: u64,
    pub(crate) disk_size: u64,
}

impl Numbers {
    /// Reads the numbers of a collection, whether or not a process works on it.
    pub(crate) fn read(collection: &Collection) -> Result<Self> {
        let mut numbers = match lock(collection, Patience::TO_LOOK) {
            // Nobody crawls: the stores themselves know best, also after a crash.
            Ok(_lock) => {
                let snapshot =
                    crawl::stored_snapshot(collection).context("cannot read the frontier")?;
                let mut numbers = Self::default();
                numbers.set_crawl(&snapshot);
                numbers
            }
            // Who has it and does not listen imports, or answers a question: it need not crawl.
            Err(base::collection::Error::InUse(_)) => {
                Self::ask(collection).unwrap_or_else(|_| Self::told_lately(collection))
            }
            Err(error) => return Err(error.into()),
        };
        numbers.set_derived(collection)?;
        Ok(numbers)
    }

    /// Reads the numbers without the lock, for a process that only serves: what was told last.
    pub(crate) fn read_beside(collection: &Collection) -> Result<Self> {
        let mut numbers = Self::told_lately(collection);
        numbers.set_derived(collection)?;
        Ok(numbers)
    }

    /// Reads what was told last, and nothing else.
    pub(crate) fn told_lately(collection: &Collection) -> Self {
        const RECENT: Duration = Duration::from_secs(5);
        let told = std::fs::metadata(told_path(collection)).and_then(|data| data.modified());
        let is_recent = told.is_ok_and(|at| at.elapsed().is_ok_and(|ago| ago < RECENT));
        let mut numbers = Self::told(collection);
        numbers.is_crawling &= is_recent;
        numbers
    }

    /// Tells other processes.
    pub(crate) fn tell(&self, collection: &Collection) -> Result<()> {
        let json = serde_json::to_vec(self).context("numbers are plain data")?;
        write_whole(&told_path(collection), &json).context("cannot write status.json")
    }

    /// Takes over what the crawl counts.
    pub(crate) fn set_crawl(&mut self, snapshot: &crawl::Snapshot) {
        self.pages_fetched = snapshot.pages;
        self.urls_known = snapshot.urls;
        self.urls_waiting = snapshot.queue;
        self.hosts = snapshot.hosts;
        self.page_log_records = snapshot.responses;
        self.bytes_fetched = snapshot.bytes;
        self.copies = snapshot.copies;
        self.fetched_again = snapshot.again;
        self.suspects = snapshot.suspects;
        (self.hosts_active, self.hosts_ready) = (snapshot.hosts_active, snapshot.hosts_ready);
        (self.in_flight, self.idle_share) = (snapshot.in_flight, snapshot.idle_share);
        self.waits_for = snapshot.hold.map(|hold| hold.sentence().to_owned());
        self.all_rest_seconds = snapshot.all_rest.map(|left| left.as_secs_f64().ceil() as u64);
        self.reasons.clone_from(&snapshot.reasons);
        self.queues = snapshot.census.waiting.to_vec();
        self.statuses.clone_from(&snapshot.census.statuses);
        self.kinds.clone_from(&snapshot.census.kinds);
        self.sizes = snapshot.census.sizes.to_vec();
    }

    /// Takes over what is measured now and then.
    pub(crate) fn set_gauges(&mut self, gauges: &crawl::Gauges) {
        let crawl::Gauges { hosts_resting, overdue, memory, disk_free, disk_size } = *gauges;
        (self.hosts_resting, self.overdue, self.memory) = (hosts_resting, overdue, memory);
        (self.disk_free, self.disk_size) = (disk_free, disk_size);
    }

    /// Measures what any process can: its own memory, and the disk of the collection.
    pub(crate) fn set_machine(&mut self, collection: &Collection) {
        let crawl::Gauges { memory, disk_free, disk_size, .. } =
            crawl::Gauges::of_machine(collection.root());
        (self.memory, self.disk_free, self.disk_size) = (memory, disk_free, disk_size);
    }

    /// Looks at what the later stages have made.
    pub(crate) fn set_derived(&mut self, collection: &Collection) -> Result<()> {
        self.bytes_archived = size_below(&collection.archive());
        let snapshot =
            index::Reader::open(&collection.index()).snapshot().context("cannot read the index")?;
        self.documents_indexed = snapshot.map_or(0, |snapshot| snapshot.searcher.num_docs());
        if let Some(generation) = collection.generation()? {
            self.generation = generation.0;
            let summary = match graph::read_summary(&collection.graph(generation)) {
                // Built anew at the next start.
                Err(graph::Error::Older { .. }) => return Ok(()),
                summary => summary.context("cannot read the graph")?,
            };
            (self.graph_nodes, self.graph_arcs) = (summary.num_nodes.into(), summary.num_arcs);
        }
        Ok(())
    }

    /// Asks the crawling process.
    fn ask(collection: &Collection) -> Result<Self> {
        let mut client = Client::connect(collection)?.context("nobody listens")?;
        Ok(serde_json::from_value(client.ask(&Request::Status)?)?)
    }

    /// What the crawling process told last; nothing if it has not yet.
    pub(crate) fn told(collection: &Collection) -> Self {
        let text = std::fs::read(told_path(collection)).unwrap_or_default();
        serde_json::from_slice(&text).unwrap_or_default()
    }
}

fn told_path(collection: &Collection) -> PathBuf {
    collection.root().join("status.json")
}
