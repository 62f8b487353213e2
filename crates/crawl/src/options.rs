//! How a crawl behaves: typed values, filled by `cli` from configuration and flags.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use base::{Timestamp, limits};

use crate::{Blocked, Scope};

/// Tells the time of day; `cli` gives the real one, tests their own.
pub type Clock = Arc<dyn Fn() -> Timestamp + Send + Sync>;

/// Everything a crawl can be told.
#[derive(Clone)]
pub struct Options {
    /// Which URLs belong to the collection.
    pub scope: Scope,
    /// Who we are.
    pub agent: Agent,
    /// How hosts are spared.
    pub politeness: PolitenessOptions,
    /// How responses are fetched.
    pub fetch: FetchOptions,
    /// How names are resolved.
    pub dns: DnsOptions,
    /// Requests under way at once, over all hosts. Default 64: with one request per host at a
    /// time, a crawl of fewer hosts never reaches it, and memory stays small.
    pub concurrency: usize,
    /// Tells the time of day.
    pub clock: Clock,
    /// What is kept out on request; read from the collection when a crawl is opened.
    pub blocked: Blocked,
}

/// What we say about ourselves in every request (C12, R06–R08).
#[derive(Clone, Debug)]
pub struct Agent {
    /// Product token that robots.txt files name: letters, `_` and `-` only.
    pub token: String,
    /// Version behind the token.
    pub version: String,
    /// Page or mail address where a site's owner reaches the person who crawls.
    pub contact: Option<String>,
}

impl Agent {
    /// Returns the User-Agent header.
    pub fn header(&self) -> String {
        match &self.contact {
            Some(contact) => {
                // Strangers do not write it, but a line break here would still be a header.
                let contact: String = contact.chars().filter(|c| !c.is_control()).collect();
                format!("{}/{} (+{contact})", self.token, self.version)
            }
            None => format!("{}/{}", self.token, self.version),
        }
    }
}

impl Default for Agent {
    fn default() -> Self {
        let version = env!("CARGO_PKG_VERSION").to_owned();
        Self { token: "lookfar".to_owned(), version, contact: None }
    }
}

/// How hosts are spared (C4).
#[derive(Clone, Copy, Debug)]
pub struct PolitenessOptions {
    /// Shortest time between two requests to one host or address. Default 1 s.
    pub delay: Duration,
    /// The rest is at least this many times the last response time. Default 2: a server that
    /// slows down gets more room.
    pub slowness_factor: u32,
    /// Longest `Crawl-delay` and `Retry-After` that are waited for. Default 24 h.
    pub longest_wait: Duration,
    /// First rest of a host after an error; doubles with each further one. Default 30 s.
    pub error_rest: Duration,
    /// Errors in a row after which a host is left alone for `longest_rest`. Default 4.
    pub errors_before_leave: u32,
    /// How long a host is left alone that keeps failing. Default 1 h.
    pub longest_rest: Duration,
    /// How often one URL is tried before it is given up. Default 3.
    pub tries_per_url: u8,
}

impl Default for PolitenessOptions {
    fn default() -> Self {
        Self {
            delay: Duration::from_secs(1),
            slowness_factor: 2,
            longest_wait: Duration::from_secs(24 * 3600),
            error_rest: Duration::from_secs(30),
            errors_before_leave: 4,
            longest_rest: Duration::from_secs(3600),
            tries_per_url: 3,
        }
    }
}

/// How responses are fetched; the limits of the hostile web.
#[derive(Clone, Copy, Debug)]
pub struct FetchOptions {
    /// Until the connection stands. Default 10 s.
    pub connect: Duration,
    /// Until TLS is agreed. Default 10 s.
    pub handshake: Duration,
    /// Until the response head is complete. Default 20 s.
    pub head: Duration,
    /// Longest silence while the body is read. Default 20 s.
    pub silence: Duration,
    /// Whole fetch. Default 60 s.
    pub total: Duration,
    /// Body bytes read, and body bytes after decoding. Default 5 MiB each.
    pub body_bytes: usize,
    /// How long an unused connection is kept. Default 15 s: longer than most delays, shorter
    /// than most servers' own limit.
    pub keep_alive: Duration,
    /// Port to dial instead of 80, for a made-up web on loopback that cannot have port 80.
    pub instead_of_port_80: Option<u16>,
}

impl Default for FetchOptions {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(10),
            handshake: Duration::from_secs(10),
            head: Duration::from_secs(20),
            silence: Duration::from_secs(20),
            total: Duration::from_secs(60),
            body_bytes: limits::BODY_BYTES,
            keep_alive: Duration::from_secs(15),
            instead_of_port_80: None,
        }
    }
}

/// How names are resolved (C11).
#[derive(Clone, Debug)]
pub struct DnsOptions {
    /// Servers to ask; empty means those of the system.
    pub servers: Vec<SocketAddr>,
    /// Whole lookup. Default 5 s.
    pub timeout: Duration,
    /// Lookups under way at once. Default 64.
    pub concurrency: usize,
    /// Which addresses may be dialled.
    pub addresses: Addresses,
}

impl Default for DnsOptions {
    fn default() -> Self {
        Self {
            servers: Vec::new(),
            timeout: Duration::from_secs(5),
            concurrency: 64,
            addresses: Addresses::Public,
        }
    }
}

/// Which addresses may be dialled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Addresses {
    /// Only those of the public Internet: a stranger's link must not reach our own network.
    Public,
    /// Also this machine's loopback addresses, for a made-up web.
    Loopback,
    /// Also private networks, for an intranet.
    Private,
}

impl Options {
    /// Returns the defaults for a scope and a clock.
    pub fn new(scope: Scope, clock: Clock) -> Self {
        Self {
            scope,
            agent: Agent::default(),
            politeness: PolitenessOptions::default(),
            fetch: FetchOptions::default(),
            dns: DnsOptions::default(),
            concurrency: 64,
            clock,
            blocked: Blocked::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_agent_names_itself_and_its_contact() {
        let mut agent = Agent { version: "1.0".to_owned(), ..Agent::default() };
        assert_eq!(agent.header(), "lookfar/1.0");
        agent.contact = Some("https://example.org/bot\r\nX: y".to_owned());
        assert_eq!(agent.header(), "lookfar/1.0 (+https://example.org/botX: y)");
    }
}
