//! Connections at rest, one per origin, for the next request to the same place.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use base::Url;
use tokio::time::Instant;

use super::connection::Connection;

/// Keeps connections for a while.
pub(super) struct Pool {
    keep_alive: Duration,
    idle: Mutex<Idle>,
}

struct Idle {
    by_origin: HashMap<String, Kept>,
    swept: Instant,
}

struct Kept {
    connection: Connection,
    address: SocketAddr,
    since: Instant,
}

/// Most connections kept unused.
const IDLE: usize = 512;

impl Pool {
    pub(super) fn new(keep_alive: Duration) -> Self {
        let idle = Idle { by_origin: HashMap::new(), swept: Instant::now() };
        Self { keep_alive, idle: Mutex::new(idle) }
    }

    /// Takes the connection to an origin at an address, if there is one that still works.
    pub(super) fn take(&self, url: &Url, address: SocketAddr) -> Option<Connection> {
        let kept = self.idle().by_origin.remove(url.origin())?;
        let is_good = kept.since.elapsed() < self.keep_alive
            && kept.address == address
            && kept.connection.is_at_rest();
        is_good.then_some(kept.connection)
    }

    /// Keeps a connection if there is room and it can be used again.
    pub(super) fn keep(&self, url: &Url, address: SocketAddr, connection: Connection) {
        if !connection.is_usable() {
            return;
        }
        let mut idle = self.idle();
        // Now and then also without need: a server's connections are not ours to hold.
        let is_full = idle.by_origin.len() >= IDLE;
        if is_full || idle.swept.elapsed() >= self.keep_alive {
            idle.by_origin.retain(|_, kept| {
                kept.since.elapsed() < self.keep_alive && kept.connection.is_usable()
            });
            idle.swept = Instant::now();
        }
        if idle.by_origin.len() < IDLE {
            let kept = Kept { connection, address, since: Instant::now() };
            idle.by_origin.insert(url.origin().to_owned(), kept);
        }
    }

    fn idle(&self) -> MutexGuard<'_, Idle> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
