//! Texts that the owner of a host has put into the DNS, beside its addresses.
//!
//! Asked for when a person asks, so what that can cost is bounded: one lookup per host and minute,
//! a few at once, each within the resolver's limit.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use base::Host;
use tokio::sync::{OnceCell, Semaphore};
use tokio::time::{Instant, timeout};

use super::{Dns, names};

/// Looks texts up and keeps them for a moment.
pub(crate) struct Texts {
    turns: Semaphore,
    known: Mutex<HashMap<Host, Arc<Cell>>>,
}

/// The texts of one host, once they are there.
struct Cell {
    begun: Instant,
    found: OnceCell<Vec<String>>,
}

/// Below a host's name, so that its owner need not touch what stands there.
const LABEL: &str = "_lookfar";
/// Lookups at once: people ask, not programs.
const AT_ONCE: usize = 4;
/// How long an answer is kept: long enough against a crowd, short enough for who waits for a change.
const KEPT_FOR: Duration = Duration::from_secs(60);
/// Hosts whose texts are kept, texts of each, and their longest.
const HOSTS: usize = 1_000;
const TEXTS: usize = 16;
const TEXT_BYTES: usize = 255;

impl Texts {
    pub(crate) fn new() -> Self {
        Self { turns: Semaphore::new(AT_ONCE), known: Mutex::default() }
    }

    /// Returns the texts at `_lookfar.HOST`; none where they cannot be had.
    pub(crate) async fn of(&self, dns: &Dns, host: &Host) -> Vec<String> {
        let is_name = host.address().is_none();
        if !is_name || !names::may_be_asked(host.as_str(), dns.options.addresses) {
            return Vec::new();
        }
        let Some(cell) = self.cell(host) else { return Vec::new() };
        // Of many who ask for one host, one looks it up.
        let found = cell.found.get_or_init(|| async {
            let Ok(_turn) = self.turns.acquire().await else { return Vec::new() };
            let name = format!("{LABEL}.{host}");
            let asking = dns.upstream.ask_texts(&name);
            let texts = timeout(dns.options.timeout, asking).await.unwrap_or_default();
            let texts = texts.into_iter().filter(|text| text.len() <= TEXT_BYTES).take(TEXTS);
            texts.filter_map(|text| String::from_utf8(text).ok()).collect()
        });
        found.await.clone()
    }

    /// Returns the place for a host's texts; none if too many are asked for just now.
    fn cell(&self, host: &Host) -> Option<Arc<Cell>> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= HOSTS {
            known.retain(|_, cell| cell.begun.elapsed() < KEPT_FOR);
        }
        if let Some(cell) = known.get(host).filter(|cell| cell.begun.elapsed() < KEPT_FOR) {
            return Some(cell.clone());
        }
        if known.len() >= HOSTS {
            return None;
        }
        let cell = Arc::new(Cell { begun: Instant::now(), found: OnceCell::new() });
        known.insert(host.clone(), cell.clone());
        Some(cell)
    }
}
