//! What a crawl is doing, for the line on the terminal, `status` and the page.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::frontier::Totals;

/// Numbers of a crawl under way; read at any time.
#[derive(Debug, Default)]
pub struct Stats {
    totals: Mutex<Totals>,
    in_flight: AtomicU64,
    hosts_active: AtomicU64,
}

/// A picture of [`Stats`] at one moment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
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
    /// Requests under way.
    pub in_flight: u64,
    /// Decoded bytes of all responses.
    pub bytes: u64,
    /// URLs left out and fetches that failed, by reason.
    pub reasons: BTreeMap<String, u64>,
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
            in_flight: self.in_flight.load(Ordering::Relaxed),
            bytes: totals.bytes,
            reasons: totals.reasons,
        }
    }

    pub(crate) fn set_totals(&self, totals: Totals) {
        *self.totals.lock().unwrap_or_else(PoisonError::into_inner) = totals;
    }

    pub(crate) fn set_activity(&self, in_flight: usize, hosts_active: usize) {
        self.in_flight.store(in_flight as u64, Ordering::Relaxed);
        self.hosts_active.store(hosts_active as u64, Ordering::Relaxed);
    }
}
