//! The frontier's memory on disk: every URL we know, and which of them wait (C2, C16).
//!
//! Kept in fjall, in five keyspaces:
//!
//! ```text
//! urls    surt key                      → UrlState
//! queue   host surt | 0 | place         → URL text          waiting URLs, a range per host
//! hosts   host surt                     → HostState
//! robots  origin                        → RobotsCopy
//! meta    "totals"                      → Totals (counts and the checkpoint)
//! ```
//! The frontier is a reader of the page log: an [`Update`] applies records and moves the
//! checkpoint in one atomic batch, so no record is applied twice. After a crash it goes on reading
//! at its checkpoint. Places in the queue come from positions in the log, so reading the log again
//! from its beginning gives the same queue. Cost of a record: O(links) point reads.

mod forget;
mod look;
mod state;
mod update;

#[cfg(test)]
mod tests;

use std::collections::HashSet;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use base::{Host, Url};
use fjall::{Database, Keyspace, KeyspaceCreateOptions, PersistMode};
use serde::Serialize;
use serde::de::DeserializeOwned;
use thiserror::Error;

pub(crate) use state::{HostState, Place, RobotsCopy, Standing, Totals, UrlState};
pub(crate) use update::{Changes, Update};

/// The store behind the queues.
pub(crate) struct Frontier {
    database: Database,
    urls: Keyspace,
    queue: Keyspace,
    hosts: Keyspace,
    robots: Keyspace,
    meta: Keyspace,
    totals: Mutex<Totals>,
}

/// A URL that waits to be fetched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Waiting {
    pub(crate) url: Url,
    pub(crate) place: Place,
}

/// What can go wrong with the frontier's store.
#[derive(Debug, Error)]
pub enum FrontierError {
    /// The key-value store.
    #[error("the frontier's store failed")]
    Store(#[from] fjall::Error),
    /// A value that this version cannot have written.
    #[error("the frontier's store holds an unreadable value in `{keyspace}`")]
    Value {
        /// Where.
        keyspace: &'static str,
    },
}

/// Journal bytes before the store flushes: bounds the time to reopen after a crash.
const JOURNAL_BYTES: u64 = 64 * 1024 * 1024;
const CACHE_BYTES: u64 = 64 * 1024 * 1024;

impl Frontier {
    /// Opens the store, or makes an empty one.
    pub(crate) fn open(folder: &Path) -> Result<Self, FrontierError> {
        let database = Database::builder(folder)
            .cache_size(CACHE_BYTES)
            .max_journaling_size(JOURNAL_BYTES)
            .worker_threads(1)
            .open()?;
        let keyspace = |name| database.keyspace(name, KeyspaceCreateOptions::default);
        let (urls, queue) = (keyspace("urls")?, keyspace("queue")?);
        let (hosts, robots, meta) = (keyspace("hosts")?, keyspace("robots")?, keyspace("meta")?);
        let totals = read(&meta, "meta", TOTALS)?.unwrap_or_default();
        let totals = Mutex::new(totals);
        Ok(Self { database, urls, queue, hosts, robots, meta, totals })
    }

    /// Returns the counts and the checkpoint.
    pub(crate) fn totals(&self) -> Totals {
        self.locked_totals().clone()
    }

    /// Returns every host that has waiting URLs, with their number.
    ///
    /// Cost: reads all hosts; called once at start.
    pub(crate) fn waiting_hosts(&self) -> Result<Vec<(Host, u64)>, FrontierError> {
        let mut waiting = Vec::new();
        for guard in self.hosts.iter() {
            let (_, value) = guard.into_inner()?;
            let state: HostState = decode(&value, "hosts")?;
            if state.waiting > 0 {
                waiting.push((state.host, state.waiting));
            }
        }
        Ok(waiting)
    }

    /// Returns up to `limit` waiting URLs of a host in queue order, without those in `taken`.
    pub(crate) fn waiting(
        &self,
        host: &Host,
        limit: usize,
        taken: &HashSet<Place>,
    ) -> Result<Vec<Waiting>, FrontierError> {
        let prefix = queue_prefix(host);
        let mut found = Vec::new();
        for guard in self.queue.prefix(&prefix) {
            let (key, value) = guard.into_inner()?;
            let place = Place::from_bytes(&key[prefix.len()..])
                .ok_or(FrontierError::Value { keyspace: "queue" })?;
            if taken.contains(&place) {
                continue;
            }
            found.push(Waiting { url: decode(&value, "queue")?, place });
            if found.len() == limit {
                break;
            }
        }
        Ok(found)
    }

    /// Returns what is known of a URL.
    pub(crate) fn url(&self, url: &Url) -> Result<Option<UrlState>, FrontierError> {
        read(&self.urls, "urls", url.surt().as_bytes())
    }

    /// Returns the robots.txt kept for an origin.
    pub(crate) fn robots(&self, origin: &str) -> Result<Option<RobotsCopy>, FrontierError> {
        read(&self.robots, "robots", origin.as_bytes())
    }

    /// Begins a batch of changes.
    pub(crate) fn update(&self) -> Update<'_> {
        Update::new(self)
    }

    /// Makes everything durable.
    pub(crate) fn sync(&self) -> Result<(), FrontierError> {
        Ok(self.database.persist(PersistMode::SyncAll)?)
    }

    /// Verifies that the queue and the URLs tell the same story; returns what does not.
    pub(crate) fn check(&self) -> Result<Vec<String>, FrontierError> {
        let mut problems = Vec::new();
        let mut waiting = 0u64;
        let mut known = 0u64;
        for guard in self.urls.iter() {
            let (key, value) = guard.into_inner()?;
            let state: UrlState = decode(&value, "urls")?;
            known += 1;
            let Standing::Waiting { place } = state.standing else { continue };
            waiting += 1;
            let url = std::str::from_utf8(&key).ok().and_then(Url::from_surt);
            let Some(url) = url else {
                problems.push(format!("key {key:?} is no URL"));
                continue;
            };
            let queued = self.queue.get(queue_key(&url.host(), place))?;
            let queued: Option<Url> = queued.map(|value| decode(&value, "queue")).transpose()?;
            if queued.as_ref() != Some(&url) {
                problems.push(format!("`{url}` waits, but is not in its queue"));
            }
        }
        let queued = self.queue.len()? as u64;
        let totals = self.totals();
        for (what, counted, said) in [
            ("queue entries", queued, waiting),
            ("waiting URLs", waiting, totals.waiting),
            ("known URLs", known, totals.known),
        ] {
            if counted != said {
                problems.push(format!("{counted} {what}, but {said} expected"));
            }
        }
        Ok(problems)
    }

    fn locked_totals(&self) -> MutexGuard<'_, Totals> {
        self.totals.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

const TOTALS: &[u8] = b"totals";

fn queue_prefix(host: &Host) -> Vec<u8> {
    [host.surt().as_bytes(), b"\0"].concat()
}

fn queue_key(host: &Host, place: Place) -> Vec<u8> {
    [queue_prefix(host).as_slice(), &place.to_bytes()].concat()
}

fn read<T: DeserializeOwned>(
    keyspace: &Keyspace,
    name: &'static str,
    key: &[u8],
) -> Result<Option<T>, FrontierError> {
    keyspace.get(key)?.map(|value| decode(&value, name)).transpose()
}

fn decode<T: DeserializeOwned>(bytes: &[u8], keyspace: &'static str) -> Result<T, FrontierError> {
    postcard::from_bytes(bytes).map_err(|_| FrontierError::Value { keyspace })
}

fn encode<T: Serialize>(value: &T) -> Vec<u8> {
    postcard::to_stdvec(value).expect("states hold only plain data")
}
