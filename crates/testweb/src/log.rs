//! What reached the web: every request and every connection, with microseconds.
//!
//! The log is the witness of politeness tests: it is kept by the server, so it says what a
//! crawler did and not what it meant to do. Requests are entered when their head is complete
//! and finished when the answer's last byte was handed over.
//!
//! As a file, one line per finished request, tab-separated (or the same as JSON objects):
//!
//! ```text
//! unix_us  at_us  done_us  connection  address  host  method  target  status  bytes  user_agent
//! ```

mod file;

use std::collections::{BTreeMap, BTreeSet};
use std::net::Ipv4Addr;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use crate::Error;

/// Requests kept in memory; later ones are counted and reach the file only.
const MAX_ENTRIES: usize = 2_000_000;

/// Slack taken off the end of a connection's life, or of an answer, when overlaps are counted: a
/// client that closes one connection and opens the next may be seen in the other order by two
/// threads, and it has the last byte of an answer a moment before the log knows.
const CLOSING_SLACK: Duration = Duration::from_millis(2);

/// The access log of a running web. Clones share it.
#[derive(Clone)]
pub struct Log {
    shared: Arc<Shared>,
}

struct Shared {
    began: Instant,
    began_wall: SystemTime,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    entries: Vec<Entry>,
    /// Entries that were cleared away before the first one in `entries`.
    forgotten: usize,
    connections: BTreeMap<u64, Connection>,
    num_connections: u64,
    missed: u64,
    file: Option<file::Writer>,
}

/// One request as the server saw it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// When its head was complete, since the web began.
    pub at: Duration,
    /// When the answer was sent, since the web began; `None` while it is being sent.
    pub done: Option<Duration>,
    /// Which connection it came on, counted from 1.
    pub connection: u64,
    /// The address that was dialled.
    pub address: Ipv4Addr,
    /// The host that answered; the `Host` field as sent when no host of the web did.
    pub host: Arc<str>,
    /// `GET`, `HEAD`, …
    pub method: Arc<str>,
    /// Path and query exactly as sent.
    pub target: String,
    /// The `User-Agent` field, empty when there was none.
    pub user_agent: Arc<str>,
    /// The status sent; 0 for raw bytes and for requests still without an answer.
    pub status: u16,
    /// Bytes handed to the socket for it, head and body.
    pub bytes: u64,
}

/// Whose requests a question is about.
#[derive(Clone, Copy, Debug)]
pub enum Of<'a> {
    /// Those of every host.
    All,
    /// Those of one host, by name.
    Host(&'a str),
    /// Those that dialled one address, whichever hosts live there.
    Address(Ipv4Addr),
}

/// The two requests that followed each other fastest.
#[derive(Clone, Debug)]
pub struct Closest {
    /// From the arrival of the first to the arrival of the second.
    pub gap: Duration,
    /// The earlier one.
    pub first: Entry,
    /// The later one.
    pub second: Entry,
}

#[derive(Clone, Copy)]
struct Connection {
    address: Ipv4Addr,
    opened: Duration,
    closed: Option<Duration>,
}

/// Where an entry waits to be finished.
#[derive(Clone, Copy)]
pub(crate) struct Ticket(usize);

impl Log {
    pub(crate) fn new() -> Self {
        let shared = Shared {
            began: Instant::now(),
            began_wall: SystemTime::now(),
            state: Mutex::new(State::default()),
        };
        Self { shared: Arc::new(shared) }
    }

    /// Returns every request of `of` so far, in order of arrival.
    pub fn requests<'a>(&self, of: impl Into<Of<'a>>) -> Vec<Entry> {
        let of = of.into();
        let state = self.state();
        let mut found: Vec<Entry> =
            state.entries.iter().filter(|entry| of.holds(entry)).cloned().collect();
        found.sort_by_key(|entry| entry.at);
        found
    }

    /// Returns how many requests arrived.
    pub fn count<'a>(&self, of: impl Into<Of<'a>>) -> usize {
        let of = of.into();
        self.state().entries.iter().filter(|entry| of.holds(entry)).count()
    }

    /// Returns the paths (with queries) asked for, in order of arrival.
    pub fn paths<'a>(&self, of: impl Into<Of<'a>>) -> Vec<String> {
        self.requests(of).into_iter().map(|entry| entry.target).collect()
    }

    /// Returns the requests whose path begins with `prefix`, for instance a disallowed one.
    pub fn under<'a>(&self, of: impl Into<Of<'a>>, prefix: &str) -> Vec<Entry> {
        let mut found = self.requests(of);
        found.retain(|entry| entry.target.starts_with(prefix));
        found
    }

    /// Returns the distinct user agents seen, sorted.
    pub fn user_agents<'a>(&self, of: impl Into<Of<'a>>) -> Vec<Arc<str>> {
        let mut agents: Vec<Arc<str>> =
            self.requests(of).into_iter().map(|entry| entry.user_agent).collect();
        agents.sort();
        agents.dedup();
        agents
    }

    /// Returns the two requests with the smallest time between their arrivals.
    pub fn closest_two_requests<'a>(&self, of: impl Into<Of<'a>>) -> Option<Closest> {
        let requests = self.requests(of);
        let pairs = requests.windows(2).map(|pair| (pair[1].at.saturating_sub(pair[0].at), pair));
        let (gap, pair) = pairs.min_by_key(|(gap, _)| *gap)?;
        Some(Closest { gap, first: pair[0].clone(), second: pair[1].clone() })
    }

    /// Returns how many connections carried requests of `of`.
    pub fn num_connections<'a>(&self, of: impl Into<Of<'a>>) -> usize {
        self.connections(of.into()).len()
    }

    /// Returns the largest number of connections of `of` that were open at one moment.
    ///
    /// For a host these are the connections that carried a request for it. Overlaps of less
    /// than two milliseconds while one closes do not count.
    pub fn max_connections_at_once<'a>(&self, of: impl Into<Of<'a>>) -> usize {
        let now = self.elapsed();
        let lives = self.connections(of.into()).into_iter().map(|connection| {
            let closed = connection.closed.unwrap_or(now);
            (connection.opened, closed.saturating_sub(CLOSING_SLACK).max(connection.opened))
        });
        most_at_once(lives)
    }

    /// Returns the largest number of requests of `of` that were being answered at one moment, but for
    /// overlaps of less than two milliseconds while one ends.
    pub fn max_requests_at_once<'a>(&self, of: impl Into<Of<'a>>) -> usize {
        let now = self.elapsed();
        let requests = self.requests(of);
        most_at_once(requests.into_iter().map(|entry| {
            let done = entry.done.unwrap_or(now);
            (entry.at, done.saturating_sub(CLOSING_SLACK).max(entry.at))
        }))
    }

    /// Waits until no answer is under way, at most `limit`; returns whether that came true.
    ///
    /// A client has the last byte a moment before the log knows that it was sent.
    pub fn wait_until_idle(&self, limit: Duration) -> bool {
        let begun = Instant::now();
        loop {
            if self.state().entries.iter().all(|entry| entry.done.is_some()) {
                return true;
            }
            if begun.elapsed() >= limit {
                return false;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// Returns how many requests came after the log in memory was full.
    pub fn missed(&self) -> u64 {
        self.state().missed
    }

    /// Returns when the web began, by the wall clock.
    pub fn began(&self) -> SystemTime {
        self.shared.began_wall
    }

    /// Forgets every request so far and every connection that has closed.
    pub fn clear(&self) {
        let mut state = self.state();
        // Answers under way hold numbers of entries; numbers go on where they were.
        state.forgotten += state.entries.len();
        state.entries.clear();
        state.connections.retain(|_, connection| connection.closed.is_none());
    }

    /// Writes what is in memory to a file, tab-separated, or JSON lines for `*.jsonl`.
    pub fn write(&self, path: &Path) -> Result<(), Error> {
        let failed = |source| Error::Write { path: path.to_owned(), source };
        let mut writer = file::Writer::create(path, self.unix_start()).map_err(failed)?;
        for entry in self.requests(Of::All) {
            writer.push(&entry).map_err(failed)?;
        }
        writer.flush().map_err(failed)
    }

    /// Writes each request to `path` from now on, as it is finished.
    pub(crate) fn follow(&self, path: &Path) -> Result<(), Error> {
        let failed = |source| Error::Write { path: path.to_owned(), source };
        let writer = file::Writer::create(path, self.unix_start()).map_err(failed)?;
        self.state().file = Some(writer);
        Ok(())
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.shared.began.elapsed()
    }

    /// Enters a connection and returns its number.
    pub(crate) fn opened(&self, address: Ipv4Addr) -> u64 {
        let opened = self.elapsed();
        let mut state = self.state();
        state.num_connections += 1;
        let id = state.num_connections;
        if state.connections.len() < MAX_ENTRIES {
            state.connections.insert(id, Connection { address, opened, closed: None });
        }
        id
    }

    pub(crate) fn closed(&self, id: u64) {
        let closed = self.elapsed();
        if let Some(connection) = self.state().connections.get_mut(&id) {
            connection.closed = Some(closed);
        }
    }

    pub(crate) fn arrived(&self, entry: Entry) -> Option<Ticket> {
        let mut state = self.state();
        if state.entries.len() >= MAX_ENTRIES {
            state.missed += 1;
            return None;
        }
        state.entries.push(entry);
        Some(Ticket(state.forgotten + state.entries.len() - 1))
    }

    /// Notes the status before the answer is sent, so that a client that has the answer finds
    /// it here.
    pub(crate) fn answering(&self, ticket: Option<Ticket>, status: u16) {
        let mut state = self.state();
        if let Some(entry) = state.entry(ticket) {
            entry.status = status;
        }
    }

    /// Finishes an entry; `entry` is what `arrived` was given, with status and bytes set.
    pub(crate) fn finished(&self, ticket: Option<Ticket>, mut entry: Entry) {
        entry.done = Some(self.elapsed());
        let mut state = self.state();
        if let Some(file) = &mut state.file
            && let Err(error) = file.push(&entry)
        {
            tracing::warn!(%error, "access log file failed, it ends here");
            state.file = None;
        }
        if let Some(place) = state.entry(ticket) {
            *place = entry;
        }
    }

    pub(crate) fn flush(&self) {
        if let Some(file) = &mut self.state().file
            && let Err(error) = file.flush()
        {
            tracing::warn!(%error, "access log file failed, its end is missing");
        }
    }

    fn connections(&self, of: Of<'_>) -> Vec<Connection> {
        let state = self.state();
        match of {
            Of::All => state.connections.values().copied().collect(),
            Of::Address(address) => {
                let dialled = |connection: &&Connection| connection.address == address;
                state.connections.values().filter(dialled).copied().collect()
            }
            Of::Host(_) => {
                let asked = state.entries.iter().filter(|entry| of.holds(entry));
                let ids: BTreeSet<u64> = asked.map(|entry| entry.connection).collect();
                ids.iter().filter_map(|id| state.connections.get(id)).copied().collect()
            }
        }
    }

    fn unix_start(&self) -> Duration {
        self.shared.began_wall.duration_since(UNIX_EPOCH).unwrap_or_default()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // A panic while the lock was held leaves whole entries: each change is one assignment.
        self.shared.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn entry(&mut self, ticket: Option<Ticket>) -> Option<&mut Entry> {
        let place = ticket?.0.checked_sub(self.forgotten)?;
        self.entries.get_mut(place)
    }
}

impl Of<'_> {
    fn holds(&self, entry: &Entry) -> bool {
        match self {
            Self::All => true,
            Self::Host(host) => entry.host.eq_ignore_ascii_case(host),
            Self::Address(address) => entry.address == *address,
        }
    }
}

impl<'a> From<&'a str> for Of<'a> {
    fn from(host: &'a str) -> Self {
        Self::Host(host)
    }
}

impl From<Ipv4Addr> for Of<'_> {
    fn from(address: Ipv4Addr) -> Self {
        Self::Address(address)
    }
}

/// Returns the largest number of intervals that hold one moment; an end and a beginning at the
/// same microsecond do not overlap.
fn most_at_once(intervals: impl Iterator<Item = (Duration, Duration)>) -> usize {
    let mut edges: Vec<(Duration, bool)> = Vec::new();
    for (begin, end) in intervals {
        edges.push((begin, true));
        // An interval without length still is one thing at its moment.
        edges.push((end.max(begin + Duration::from_nanos(1)), false));
    }
    // `false` sorts before `true`: ends come before beginnings.
    edges.sort();
    let (mut open, mut most) = (0_usize, 0_usize);
    for (_, begins) in edges {
        open = if begins { open + 1 } else { open.saturating_sub(1) };
        most = most.max(open);
    }
    most
}

#[cfg(test)]
mod tests;
