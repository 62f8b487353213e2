//! The frontier's memory on disk: every URL we know, and which of them wait (C2, C16).
//!
//! Kept in fjall:
//!
//! ```text
//! urls     surt key                       → UrlState
//! queue    host surt | 0 | place          → Queued           back queues: waiting URLs by host
//! again    host surt | 0 | place          → Queued           the same, of pages fetched again
//! visits   surt key                       → History          pages that were there (module `history`)
//! due      moment: u64 be | surt key      → ()               when they are fetched again
//! turns    class | order, or 255 | moment → Host             front queues: hosts that wait
//! hosts    host surt                      → HostState
//! sites    registered domain              → SiteState
//! ids      page id: u64 be                → URL              which page an id names (P2)
//! texts    text hash: u128 be             → page id          the first page with this text
//! near     super-shingle: u64 be          → page ids         pages that have it (module `near`)
//! sketches page id: u64 be                → min-hashes, cut
//! aliases  surt of canonical | 0 | surt   → ()               pages that name another address
//! groups   host surt                      → Group            hosts that look like it (`mirror`)
//! suspects host surt | 0 | host surt      → Host             those of a group that wait
//! lessons  host without `www.`            → Lessons          what is learnt of its URLs
//! robots   origin                         → robots.txt copy
//! meta     "totals"                       → Totals (counts and the checkpoint)
//!          "census"                       → Census (counts for pictures)
//!          "version"                      → u32              format of all these
//! ```
//! The frontier is a reader of the page log: an [`Update`] applies records and moves the
//! checkpoint in one atomic batch, so no record is applied twice. After a crash it goes on reading
//! at its checkpoint. Places in the queue come from positions in the log, so reading the log again
//! from its beginning gives the same queue. Cost of a record: O(links) lookups, most of them
//! answered by a filter in memory.

mod again;
mod batch;
mod census;
mod check;
mod copies;
mod discover;
mod failed;
pub(crate) mod folder;
mod forget;
mod history;
mod journal;
mod layout;
mod look;
mod memory;
mod mirror;
mod near;
mod place;
mod rests;
mod seen;
mod state;
mod suspects;
mod table;
mod turns;
mod update;
mod versions;
mod worth;

#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use base::{Host, PageId, Site, Url};
use fjall::{Database, Keyspace, PersistMode};
use serde::Serialize;
use serde::de::DeserializeOwned;
use thiserror::Error;

use crate::robots::Copy as RobotsCopy;
use batch::{Batch, Written};
pub use census::Census;
pub(crate) use discover::{ALIAS, FRUITLESS, MANY_HOSTS};
pub(crate) use history::{Arrived, History};
pub(crate) use memory::Memory;
pub(crate) use mirror::Mirror;
pub(crate) use place::{Class, Finding, Place};
pub(crate) use state::{
    HostState, Lane, Queued, Role, SiteState, SoftMissing, Standing, Totals, Turn, UrlState,
};
pub(crate) use turns::{Picker, Shares};
pub(crate) use update::{Changes, HostChange, Update};

/// What a batch has by address, host or page. Each has a key of its own, so that no page can choose
/// addresses that are slow to find.
type Lookup<K, V> = HashMap<K, V, foldhash::fast::RandomState>;

/// The store behind the queues.
pub(crate) struct Frontier {
    database: Database,
    urls: Keyspace,
    queue: Keyspace,
    again: Keyspace,
    visits: Keyspace,
    due: Keyspace,
    turns: Keyspace,
    hosts: Keyspace,
    sites: Keyspace,
    ids: Keyspace,
    texts: Keyspace,
    near: Keyspace,
    sketches: Keyspace,
    aliases: Keyspace,
    groups: Keyspace,
    suspects: Keyspace,
    lessons: Keyspace,
    robots: Keyspace,
    meta: Keyspace,
    written: Written,
    totals: Mutex<Totals>,
    census: Mutex<Census>,
    memory: Mutex<Memory>,
}

/// A URL that waits to be fetched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Waiting {
    pub(crate) url: Url,
    pub(crate) depth: u16,
    pub(crate) role: Role,
    pub(crate) place: Place,
    pub(crate) lane: Lane,
}

/// What can go wrong with the frontier's store.
#[derive(Debug, Error)]
pub enum FrontierError {
    /// The key-value store.
    #[error("the frontier's store failed")]
    Store(#[from] fjall::Error),
    /// A file of the store that is not what was written.
    #[error("`{}` of the frontier is damaged", path.display())]
    Damaged {
        /// The file.
        path: std::path::PathBuf,
    },
    /// A value that this version cannot have written.
    #[error("the frontier's store holds an unreadable value in `{keyspace}`")]
    Value {
        /// Where.
        keyspace: &'static str,
    },
    /// The format of another release; [`crate::Crawler::open`] makes the store again.
    #[error(
        "the frontier has the format {}, this Lookfar has {VERSION}: the next crawl makes it \
         again from the page log",
        found.map_or_else(|| "of an early release".to_owned(), |found| found.to_string())
    )]
    Version {
        /// What the store says; the first releases said nothing.
        found: Option<u32>,
    },
}

impl FrontierError {
    /// Returns whether the store's files are not what was written.
    pub fn is_damage(&self) -> bool {
        use fjall::Error as Store;
        match self {
            Self::Damaged { .. } | Self::Value { .. } => true,
            Self::Version { .. } => false,
            Self::Store(Store::Io(error) | Store::Storage(fjall::LsmError::Io(error))) => {
                use std::io::ErrorKind::{InvalidData, InvalidInput, NotFound, UnexpectedEof};
                // An offset that is no place in a file is refused as an invalid argument.
                matches!(error.kind(), InvalidData | InvalidInput | NotFound | UnexpectedEof)
            }
            Self::Store(Store::Poisoned | Store::Locked | Store::KeyspaceDeleted) => false,
            Self::Store(_) => true,
        }
    }
}

/// Number of the format: of the keyspaces, their keys and the states in them. It goes up with each
/// change that this code could not read.
const VERSION: u32 = 3;

/// How much memory the frontier may take.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sizes {
    /// The store's cache of blocks, in bytes.
    pub(crate) cache_bytes: u64,
    /// Slots of the filter of known URLs: 8 bytes each.
    pub(crate) seen: usize,
    /// Slots of the table of importance: 12 bytes each.
    pub(crate) importance: usize,
    /// What is learnt of hosts' URLs, in bytes.
    pub(crate) lessons_bytes: usize,
}

impl Default for Sizes {
    fn default() -> Self {
        Self {
            cache_bytes: 64 * 1024 * 1024,
            seen: 1 << 23,
            importance: 1 << 20,
            // Ten thousand hosts in rotation, of a hundred pages each.
            lessons_bytes: 64 * 1024 * 1024,
        }
    }
}

impl Sizes {
    /// Returns sizes that leave most of a memory ceiling to others.
    pub(crate) fn within(memory: Option<u64>) -> Self {
        const SMALL: u64 = 1024 * 1024 * 1024;
        match memory {
            Some(bytes) if bytes < SMALL => Self {
                cache_bytes: bytes / 16,
                seen: 1 << 19,
                importance: 1 << 18,
                lessons_bytes: usize::try_from(bytes / 16).unwrap_or(usize::MAX),
            },
            _ => Self::default(),
        }
    }
}

/// Journal bytes before the store flushes: bounds the time to reopen after a crash.
const JOURNAL_BYTES: u64 = 64 * 1024 * 1024;

impl Frontier {
    /// Opens the store, or makes an empty one; one of another format is refused.
    pub(crate) fn open(folder: &Path, sizes: Sizes) -> Result<Self, FrontierError> {
        folder::remove_unfinished(folder).map_err(fjall::Error::Io)?;
        let cut = journal::cut_damaged_end(folder).map_err(fjall::Error::Io)?;
        if cut > 0 {
            tracing::info!(bytes = cut, "the frontier's journal ended in the middle; it was cut");
        }
        if let Some(path) = versions::damaged(folder).map_err(fjall::Error::Io)? {
            return Err(FrontierError::Damaged { path });
        }
        let database = Database::builder(folder)
            .cache_size(sizes.cache_bytes)
            .max_journaling_size(JOURNAL_BYTES)
            .max_cached_files(Some(layout::OPEN_TABLES))
            .worker_threads(1)
            .open()?;
        let keyspace = |name| database.keyspace(name, || layout::of(name));
        let meta = keyspace("meta")?;
        check_version(&meta, &keyspace("urls")?)?;
        let totals = read(&meta, "meta", TOTALS)?.unwrap_or_default();
        let (queue, again) = (keyspace("queue")?, keyspace("again")?);
        let census = Census::open(&meta, [&queue, &again])?;
        Ok(Self {
            urls: keyspace("urls")?,
            queue,
            again,
            visits: keyspace("visits")?,
            due: keyspace("due")?,
            turns: keyspace("turns")?,
            hosts: keyspace("hosts")?,
            sites: keyspace("sites")?,
            ids: keyspace("ids")?,
            texts: keyspace("texts")?,
            near: keyspace("near")?,
            sketches: keyspace("sketches")?,
            aliases: keyspace("aliases")?,
            groups: keyspace("groups")?,
            suspects: keyspace("suspects")?,
            lessons: keyspace("lessons")?,
            robots: keyspace("robots")?,
            meta,
            written: Written::default(),
            totals: Mutex::new(totals),
            census: Mutex::new(census),
            memory: Mutex::new(Memory::new(sizes)),
            database,
        })
    }

    /// Returns the counts and the checkpoint.
    pub(crate) fn totals(&self) -> Totals {
        self.locked_totals().clone()
    }

    /// Returns up to `limit` waiting URLs of one queue of a host, in its order from `from` on,
    /// without those that are taken.
    ///
    /// Give the last place that was taken: what lies before it is gone, but a store that merges
    /// in the background still walks over the remains.
    pub(crate) fn waiting(
        &self,
        (host, lane): (&Host, Lane),
        from: Option<Place>,
        limit: usize,
        is_taken: impl Fn(&Url) -> bool,
    ) -> Result<Vec<Waiting>, FrontierError> {
        let prefix = queue_prefix(host);
        let mut end = prefix.clone();
        end.extend([u8::MAX; place::PLACE_BYTES + 1]);
        let start = match from {
            Some(place) => queue_key(host, place),
            None => prefix.clone(),
        };
        let mut found = Vec::new();
        for guard in self.lane(lane).range(start..end) {
            let (key, value) = guard.into_inner()?;
            let place = Place::from_bytes(&key[prefix.len()..])
                .ok_or(FrontierError::Value { keyspace: "queue" })?;
            let Queued { url, depth, role } = decode(&value, "queue")?;
            if is_taken(&url) {
                continue;
            }
            found.push(Waiting { url, depth, role, place, lane });
            if found.len() == limit {
                break;
            }
        }
        Ok(found)
    }

    /// Returns the queues of one kind, of all hosts.
    fn lane(&self, lane: Lane) -> &Keyspace {
        match lane {
            Lane::New => &self.queue,
            Lane::Again => &self.again,
        }
    }

    /// Returns what is known of a URL.
    pub(crate) fn url(&self, url: &Url) -> Result<Option<UrlState>, FrontierError> {
        read(&self.urls, "urls", url.surt().as_bytes())
    }

    /// Returns what is known of a host.
    pub(crate) fn host(&self, host: &Host) -> Result<Option<HostState>, FrontierError> {
        read(&self.hosts, "hosts", host.surt().as_bytes())
    }

    /// Returns what is known of a registered domain.
    pub(crate) fn site(&self, site: &Site) -> Result<SiteState, FrontierError> {
        Ok(read(&self.sites, "sites", site.as_str().as_bytes())?.unwrap_or_default())
    }

    /// Returns the URL of a page.
    pub(crate) fn url_of(&self, page: PageId) -> Result<Option<Url>, FrontierError> {
        read(&self.ids, "ids", &page.as_u64().to_be_bytes())
    }

    /// Returns the robots.txt kept for an origin.
    pub(crate) fn robots(&self, origin: &str) -> Result<Option<RobotsCopy>, FrontierError> {
        read(&self.robots, "robots", origin.as_bytes())
    }

    /// Takes over the copies of robots.txt that another frontier holds: no page log has them.
    pub(crate) fn take_robots(&self, other: &Self) -> Result<(), FrontierError> {
        const BATCH: usize = 256;
        let mut batch = Batch::new(&self.database);
        for (number, guard) in (1..).zip(other.robots.iter()) {
            let (origin, copy) = guard.into_inner()?;
            batch.insert(&self.robots, origin, copy);
            if number % BATCH == 0 {
                std::mem::replace(&mut batch, Batch::new(&self.database)).commit(&self.written)?;
            }
        }
        Ok(batch.commit(&self.written)?)
    }

    /// Begins a batch of changes.
    pub(crate) fn update(&self) -> Update<'_> {
        Update::new(self)
    }

    /// Makes everything durable.
    pub(crate) fn sync(&self) -> Result<(), FrontierError> {
        Ok(self.database.persist(PersistMode::SyncAll)?)
    }

    /// Returns the counts for pictures.
    pub(crate) fn census(&self) -> Census {
        self.census.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn locked_totals(&self) -> MutexGuard<'_, Totals> {
        self.totals.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Locks what is kept in memory only; held for moments.
    pub(crate) fn memory(&self) -> MutexGuard<'_, Memory> {
        self.memory.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

const TOTALS: &[u8] = b"totals";
const VERSION_KEY: &[u8] = b"version";

/// Refuses a store of another format; an empty one gets ours, before anything else is in it.
fn check_version(meta: &Keyspace, urls: &Keyspace) -> Result<(), FrontierError> {
    match read(meta, "meta", VERSION_KEY)? {
        Some(VERSION) => Ok(()),
        None if meta.is_empty()? && urls.is_empty()? => {
            Ok(meta.insert(VERSION_KEY, encode(&VERSION))?)
        }
        found => Err(FrontierError::Version { found }),
    }
}

fn queue_prefix(host: &Host) -> Vec<u8> {
    [host.surt().as_bytes(), b"\0"].concat()
}

/// Returns where the place begins in a key of a queue.
fn queue_prefix_len(key: &[u8]) -> Option<usize> {
    key.len().checked_sub(place::PLACE_BYTES)
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
