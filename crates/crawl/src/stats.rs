//! What a crawl is doing, for the line on the terminal, `status` and the page.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::Hold;
use crate::frontier::{Census, Frontier, Totals};

/// Numbers of a crawl under way; read at any time.
#[derive(Debug, Default)]
pub struct Stats {
    totals: Mutex<Totals>,
    census: Mutex<Census>,
    in_flight: AtomicU64,
    hosts_active: AtomicU64,
    hosts_ready: AtomicU64,
    pages: AtomicU64,
    bytes: AtomicU64,
    /// Microseconds that fetchers have worked.
    worked: AtomicU64,
    /// Microseconds that a fetcher was free and a host ready, and yet no visit began.
    waited: AtomicU64,
    hold: Mutex<Option<Hold>>,
    next_visit: Mutex<Option<Instant>>,
}

/// A picture of [`Stats`] at one moment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Snapshot {
    /// Responses with status 200.
    pub pages: u64,
    /// Responses of any status.
    pub responses: u64,
    /// URLs known.
    pub urls: u64,
    /// URLs that wait.
    pub queue: u64,
    /// Hosts known.
    pub hosts: u64,
    /// Hosts with waiting URLs that are in rotation.
    pub hosts_active: u64,
    /// Of these, how many could be visited now.
    pub hosts_ready: u64,
    /// Requests under way.
    pub in_flight: u64,
    /// Pages that repeat others.
    pub copies: u64,
    /// Answers to the question for a page that was known already (C15).
    pub again: u64,
    /// Hosts that wait as mirrors of others, or as suspected ones.
    pub suspects: u64,
    /// Share of the fetchers' time that was lost though a host was ready, from 0 to 1.
    pub idle_share: f64,
    /// What the crawl waits for, if it waits.
    pub hold: Option<Hold>,
    /// How long all hosts still rest, if nothing is under way and none can be visited now.
    pub all_rest: Option<Duration>,
    /// Decoded bytes of all responses.
    pub bytes: u64,
    /// URLs left out and fetches that failed, by reason.
    pub reasons: BTreeMap<String, u64>,
    /// What has been met so far, for pictures.
    pub census: Census,
}

impl Stats {
    /// Returns the numbers now.
    pub fn snapshot(&self) -> Snapshot {
        let totals = self.totals.lock().unwrap_or_else(PoisonError::into_inner).clone();
        Snapshot {
            pages: totals.fetched,
            responses: totals.responses,
            urls: totals.known,
            queue: totals.waiting,
            hosts: totals.hosts,
            hosts_active: self.hosts_active.load(Ordering::Relaxed),
            hosts_ready: self.hosts_ready.load(Ordering::Relaxed),
            in_flight: self.in_flight.load(Ordering::Relaxed),
            copies: totals.copies,
            again: totals.again,
            suspects: totals.suspects,
            idle_share: self.idle_share(),
            hold: *self.hold.lock().unwrap_or_else(PoisonError::into_inner),
            all_rest: self.all_rest(),
            bytes: totals.bytes,
            reasons: totals.reasons,
            census: self.census.lock().unwrap_or_else(PoisonError::into_inner).clone(),
        }
    }

    /// Takes over what a frontier has counted.
    pub(crate) fn count(&self, frontier: &Frontier) {
        *self.census.lock().unwrap_or_else(PoisonError::into_inner) = frontier.census();
        self.set_totals(frontier.totals());
    }

    fn set_totals(&self, totals: Totals) {
        self.pages.store(totals.fetched, Ordering::Relaxed);
        self.bytes.store(totals.bytes, Ordering::Relaxed);
        *self.totals.lock().unwrap_or_else(PoisonError::into_inner) = totals;
    }

    /// Returns pages and bytes fetched.
    pub(crate) fn fetched(&self) -> (u64, u64) {
        (self.pages.load(Ordering::Relaxed), self.bytes.load(Ordering::Relaxed))
    }

    pub(crate) fn set_activity(&self, in_flight: usize, hosts_active: usize, hosts_ready: usize) {
        self.in_flight.store(in_flight as u64, Ordering::Relaxed);
        self.hosts_active.store(hosts_active as u64, Ordering::Relaxed);
        self.hosts_ready.store(hosts_ready as u64, Ordering::Relaxed);
    }

    pub(crate) fn set_hold(&self, hold: Option<Hold>) {
        *self.hold.lock().unwrap_or_else(PoisonError::into_inner) = hold;
    }

    /// Notes when the next host may be visited; `None` while something is under way or ready.
    pub(crate) fn set_next_visit(&self, at: Option<Instant>) {
        *self.next_visit.lock().unwrap_or_else(PoisonError::into_inner) = at;
    }

    fn all_rest(&self) -> Option<Duration> {
        let at = *self.next_visit.lock().unwrap_or_else(PoisonError::into_inner);
        at.map(|at| at.saturating_duration_since(Instant::now())).filter(|left| !left.is_zero())
    }

    /// Counts the time that a fetcher worked.
    pub(crate) fn visited(&self, took: Duration) {
        self.worked.fetch_add(micros(took), Ordering::Relaxed);
    }

    /// Counts the time that a ready host waited for a fetcher that was free.
    pub(crate) fn waited(&self, time: Duration) {
        self.waited.fetch_add(micros(time), Ordering::Relaxed);
    }

    fn idle_share(&self) -> f64 {
        let waited = self.waited.load(Ordering::Relaxed) as f64;
        let worked = self.worked.load(Ordering::Relaxed) as f64;
        if waited > 0.0 { waited / (waited + worked) } else { 0.0 }
    }
}

fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}
