//! Who is next: hosts by time, by front queue, and behind addresses that are busy.

use std::cmp::Reverse;
use std::collections::hash_map::Entry;
use std::collections::{BinaryHeap, HashMap, VecDeque};
use std::net::IpAddr;

use base::Host;
use tokio::time::Instant;

use super::slot::Slot;
use crate::frontier::{Class, Shares};

/// Every host in line stands in exactly one of the three.
pub(super) struct Line {
    /// Resting: hosts by the time of their next visit, equals in the order in which they came.
    resting: BinaryHeap<Reverse<(Instant, u64, Host)>>,
    pushed: u64,
    /// Ready: hosts by front queue, with the time since which they could be visited.
    ready: [VecDeque<Ready>; Class::COUNT],
    num_ready: usize,
    /// Of these, those that answered the last time.
    num_answering: usize,
    shares: Shares,
    /// Behind an address at which another host is visited, or was just now.
    gates: HashMap<IpAddr, VecDeque<Host>>,
    /// Since when a fetcher is free; `None` while all are busy.
    free_since: Option<Instant>,
}

struct Ready {
    host: Host,
    since: Instant,
    has_answered: bool,
}

impl Line {
    pub(super) fn new() -> Self {
        Self {
            resting: BinaryHeap::new(),
            pushed: 0,
            ready: Default::default(),
            num_ready: 0,
            num_answering: 0,
            shares: Shares::default(),
            gates: HashMap::new(),
            free_since: None,
        }
    }

    /// Puts a host in line for a moment.
    pub(super) fn push(&mut self, host: Host, ready: Instant) {
        self.pushed += 1;
        self.resting.push(Reverse((ready, self.pushed, host)));
    }

    /// Puts a host behind an address that will be free at `later` or when it is released.
    ///
    /// The first one there tries by the clock: a rest that is over is announced by nobody.
    pub(super) fn wait_for(&mut self, address: IpAddr, host: Host, later: Instant) {
        match self.gates.entry(address) {
            Entry::Occupied(mut gate) => gate.get_mut().push_back(host),
            Entry::Vacant(gate) => {
                gate.insert(VecDeque::new());
                self.push(host, later);
            }
        }
    }

    /// Lets the next host behind an address try at a moment.
    pub(super) fn release(&mut self, address: IpAddr, at: Instant) {
        let Some(gate) = self.gates.get_mut(&address) else { return };
        match gate.pop_front() {
            Some(host) => self.push(host, at),
            None => {
                self.gates.remove(&address);
            }
        }
    }

    /// Lets one host behind every address try: whoever should have released it may have died.
    pub(super) fn release_all(&mut self) {
        let addresses: Vec<IpAddr> = self.gates.keys().copied().collect();
        for address in addresses {
            self.release(address, Instant::now());
        }
    }

    /// Moves hosts whose time has come to their front queues.
    pub(super) fn advance(&mut self, now: Instant, slots: &HashMap<Host, Slot>) {
        while let Some(Reverse((ready, ..))) = self.resting.peek()
            && *ready <= now
            && let Some(Reverse((ready, _, host))) = self.resting.pop()
        {
            let Some(slot) = slots.get(&host) else { continue };
            let has_answered = slot.has_answered;
            let ready = Ready { host, since: ready, has_answered };
            self.ready[slot.class().index()].push_back(ready);
            self.num_ready += 1;
            self.num_answering += usize::from(has_answered);
        }
    }

    /// Returns the next host, and since when it could have been visited by a free fetcher.
    pub(super) fn next(&mut self) -> Option<(Host, Instant)> {
        let ready = &self.ready;
        let class = self.shares.next(|class| !ready[class.index()].is_empty())?;
        let Ready { host, since, has_answered } = self.ready[class.index()].pop_front()?;
        self.num_ready -= 1;
        self.num_answering -= usize::from(has_answered);
        let free = *self.free_since.get_or_insert_with(Instant::now);
        Some((host, since.max(free)))
    }

    /// Returns the hosts that are next, up to so many of each front queue.
    pub(super) fn upcoming(&self, most: usize) -> impl Iterator<Item = &Host> {
        self.ready.iter().flat_map(move |queue| queue.iter().take(most)).map(|ready| &ready.host)
    }

    /// Notes whether all fetchers are busy.
    pub(super) fn is_full(&mut self, is_full: bool) {
        match is_full {
            true => self.free_since = None,
            false => {
                self.free_since.get_or_insert_with(Instant::now);
            }
        }
    }

    /// Returns whether a host waits behind an address.
    pub(super) fn has_gates(&self) -> bool {
        self.gates.values().any(|gate| !gate.is_empty())
    }

    pub(super) fn num_ready(&self) -> usize {
        self.num_ready
    }

    /// Returns how many hosts are ready that answered the last time.
    pub(super) fn num_answering(&self) -> usize {
        self.num_answering
    }

    /// Returns when the next resting host will be ready.
    pub(super) fn next_time(&self) -> Option<Instant> {
        self.resting.peek().map(|Reverse((ready, ..))| *ready)
    }
}
