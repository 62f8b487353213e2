//! How a crawl behaves: typed values, filled by `cli` from configuration and flags.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use base::{Rules, Timestamp, limits};
use rustls::pki_types::CertificateDer;

use crate::address::may_dial;
use crate::scope::{Current, NewScope};
use crate::{Blocked, HostRules, PriorityRules, Scope};

/// Tells the time of day; `cli` gives the real one, tests their own.
pub type Clock = Arc<dyn Fn() -> Timestamp + Send + Sync>;

/// Everything a crawl can be told.
#[derive(Clone)]
pub struct Options {
    /// Which URLs belong to the collection when the crawl begins.
    pub scope: Scope,
    /// What takes its place while the crawl runs ([`crate::Handle::set_scope`]).
    pub new_scope: NewScope,
    /// Who we are.
    pub agent: Agent,
    /// How hosts are spared.
    pub politeness: PolitenessOptions,
    /// How responses are fetched.
    pub fetch: FetchOptions,
    /// How names are resolved.
    pub dns: DnsOptions,
    /// Requests under way at once, over all hosts, until what they brought is on the disk: so many
    /// at most are sent again after a crash. One that has waited for its answer for half a second
    /// does not count, up to four times the number (TCP-06). Default 64: with one request per host
    /// at a time, a crawl of fewer hosts never reaches it, and memory stays small.
    pub concurrency: usize,
    /// In which order URLs are fetched.
    pub strategy: Strategy,
    /// What the user holds for more or less important. Default none.
    pub rules: PriorityRules,
    /// Hosts held in memory; the others wait on disk. Default 10,000: more than rest at any one
    /// time at 64 requests at once, and a few tens of megabytes.
    pub active_hosts: usize,
    /// Room that is left free on the disk.
    pub disk_floor: DiskFloor,
    /// Most memory that the process may fill, in bytes, files that it maps apart. Caches and
    /// unwritten bodies take shares of it. Above it nothing new begins and caches are given up; if
    /// that does not help for some seconds, the crawl goes on with one request at a time, as it
    /// cannot make others in the process hold less. `None` for no ceiling. Default 2 GiB: half of a
    /// small machine.
    pub memory: Option<u64>,
    /// Whether each permit is written to `grants.log` of the collection. Default no: a line per
    /// request is for those who want to prove how polite a crawl was.
    pub grants: bool,
    /// Whether a host is asked for what nobody has named: its `/sitemap.xml` (C7), and once an
    /// address that it cannot have, to learn how it says so (LNK-09). Default yes.
    pub guesses: bool,
    /// When pages are fetched again.
    pub again: AgainOptions,
    /// How addresses are made canonical.
    pub url_rules: Rules,
    /// Whether it is learnt of each host which spellings of its addresses are one page, and one of
    /// them fetched instead of the others: parameters, their order, upper case, a slash at the end,
    /// `www.` and https (C9). Default yes: many sites name their pages in several ways.
    pub learn_spellings: bool,
    /// Tells the time of day.
    pub clock: Clock,
    /// What is kept out on request; read from the collection when a crawl is opened.
    pub blocked: Blocked,
    /// What a person has decided about single hosts; read from the collection like `blocked`.
    pub host_rules: HostRules,
    /// Who reads PDF, Office and the like, in a process of its own. Default `None`: such
    /// documents are fetched and archived, and not searched.
    pub documents: Option<parse::document::Reader>,
}

/// In which order the URLs of a collection are fetched, politeness aside (C3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Strategy {
    /// Near the seeds first.
    BreadthFirst,
    /// What was found last first.
    DepthFirst,
    /// By lot.
    Random,
    /// The most important first, as far as their links tell. The default: when a crawl ends
    /// before the web does, this is what it should have.
    #[default]
    BestFirst,
}

/// Room that is left free on the disk: the larger of the two. Crawl and index pause below it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DiskFloor {
    /// Bytes. Default 1 GiB: what is under way always fits.
    pub bytes: u64,
    /// Part of the disk's size, from 0 to 1. Default 0.05: file systems slow down when full.
    pub share: f64,
}

impl DiskFloor {
    /// Returns the bytes to leave free on a disk of `size` bytes.
    pub fn of(&self, size: u64) -> u64 {
        // The share is a rule of thumb: rounding does not matter, and the cast saturates.
        let share = (size as f64 * self.share) as u64;
        self.bytes.max(share)
    }
}

impl Default for DiskFloor {
    fn default() -> Self {
        Self { bytes: 1 << 30, share: 0.05 }
    }
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
    /// Longest `Crawl-delay` that is waited for; a host that asks for more is left out, and that
    /// is said, but it is never visited faster than it asks (ROB-13). Default 5 min: at that pace
    /// a day brings 288 pages, at a slower one a host only takes up room.
    pub longest_crawl_delay: Duration,
    /// What a robots.txt behind more than five redirects counts as (R39).
    pub robots_chain: RobotsChain,
    /// Longest `Retry-After` that is waited for. Default 24 h.
    pub longest_wait: Duration,
    /// First rest of a host after an error; doubles with each further one. Default 30 s.
    pub error_rest: Duration,
    /// Errors in a row after which a host is left alone for `longest_rest`. Default 4.
    pub errors_before_leave: u32,
    /// How long a host is left alone that keeps failing. Default 1 h.
    pub longest_rest: Duration,
    /// Time that visits to one host may take before it rests for an hour; a three-hundredth of it
    /// comes with each visit (LNK-12). Default 10 min, so two seconds a visit: what is slower than
    /// that for long holds a fetcher that others could have.
    pub host_time: Duration,
    /// How often one URL is tried before it is given up. Default 3.
    pub tries_per_url: u8,
}

impl Default for PolitenessOptions {
    fn default() -> Self {
        Self {
            delay: Duration::from_secs(1),
            slowness_factor: 2,
            longest_crawl_delay: Duration::from_secs(300),
            robots_chain: RobotsChain::Unreachable,
            longest_wait: Duration::from_secs(24 * 3600),
            error_rest: Duration::from_secs(30),
            errors_before_leave: 4,
            longest_rest: Duration::from_secs(3600),
            host_time: Duration::from_secs(600),
            tries_per_url: 3,
        }
    }
}

/// What a robots.txt behind too many redirects counts as (R39).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RobotsChain {
    /// As one that could not be read: nothing is fetched. The default: the standard allows the
    /// other, but a rule that was hidden from us by mistake is still a rule.
    #[default]
    Unreachable,
    /// As one that is not there: everything is allowed.
    Unavailable,
}

/// When pages are fetched again (C15).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AgainOptions {
    /// Time from the first visit to a page to the second; from then on its own pace decides.
    /// `None` for never. Default 30 days: of pages of the web, more change within months than
    /// within days, and one that does change soon is known after two or three visits.
    pub first: Option<Duration>,
    /// Shortest time between two visits to a page. Default 1 day.
    pub shortest: Duration,
    /// Longest time between two visits to a page. Default 365 days.
    pub longest: Duration,
    /// Largest share of the requests to a host that go to pages known already while others wait
    /// that were never fetched, from 0 to 1. Default 0.5.
    pub share: f32,
}

impl AgainOptions {
    /// Returns an interval within the bounds; the longest goes before the shortest.
    pub(crate) fn bounded(&self, interval: Duration) -> Duration {
        interval.max(self.shortest).min(self.longest)
    }
}

impl Default for AgainOptions {
    fn default() -> Self {
        const DAY: Duration = Duration::from_secs(24 * 3600);
        Self { first: Some(DAY * 30), shortest: DAY, longest: DAY * 365, share: 0.5 }
    }
}

/// How responses are fetched; the limits of the hostile web.
#[derive(Clone, Debug)]
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
    /// Whether a redirect from https to http is followed (RED-07). Default no: whoever sits
    /// between the server and us could have written what comes back.
    pub follow_downgrades: bool,
    /// Ports to dial instead of those that URLs name. Default: none.
    pub dial: Option<Dial>,
    /// Certificates of authorities that are trusted beside those of browsers, for an intranet
    /// with its own. Default: none.
    pub extra_roots: Vec<CertificateDer<'static>>,
}

/// Where a made-up web listens on loopback: it cannot have the ports that its URLs name, and it
/// tells its hosts apart by the `Host` field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dial {
    /// Instead of every port of an `http` URL.
    pub http: u16,
    /// Instead of every port of an `https` URL; `None` dials the port it names.
    pub https: Option<u16>,
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
            follow_downgrades: false,
            dial: None,
            extra_roots: Vec::new(),
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
    /// Addresses that are never dialled, public or not: our own, those of our stores (DNS-08).
    pub deny: Vec<IpAddr>,
    /// Hosts whose addresses are kept, and as many whose lookup failed. Default 100,000, at
    /// some 200 bytes each: more than are visited within an hour at 25 pages a second.
    pub cache: usize,
    /// Answers of either kind are kept at least this long. Default 1 min, so that a TTL of 0
    /// does not mean a lookup per request (DNS-14).
    pub shortest: Duration,
    /// Addresses are kept at most this long. Default 24 h.
    pub longest: Duration,
    /// That a name does not exist is kept at most this long. Default 1 h (RFC 2308 advises one
    /// to three).
    pub longest_no: Duration,
    /// How long a lookup that failed is not tried again; doubles with each further failure up
    /// to a minute. Default 5 s (RFC 9520 asks for at least one).
    pub first_rest: Duration,
}

impl Default for DnsOptions {
    fn default() -> Self {
        Self {
            servers: Vec::new(),
            timeout: Duration::from_secs(5),
            concurrency: 64,
            addresses: Addresses::Public,
            deny: Vec::new(),
            cache: 100_000,
            shortest: Duration::from_secs(60),
            longest: Duration::from_secs(24 * 3600),
            longest_no: Duration::from_secs(3600),
            first_rest: Duration::from_secs(5),
        }
    }
}

/// Which addresses may be dialled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Addresses {
    /// Only those of the public Internet: a stranger's link must not reach our own network.
    Public,
    /// Only this machine's loopback addresses, for a made-up web: whatever it names, nothing
    /// leaves the machine.
    Loopback,
    /// Also private networks, for an intranet.
    Private,
}

impl Addresses {
    /// Returns whether an address is among them.
    pub fn hold(self, address: IpAddr) -> bool {
        may_dial(address, self, &[])
    }
}

impl Options {
    /// Returns the defaults for a scope and a clock.
    pub fn new(scope: Scope, clock: Clock) -> Self {
        Self {
            scope,
            new_scope: NewScope::default(),
            agent: Agent::default(),
            politeness: PolitenessOptions::default(),
            fetch: FetchOptions::default(),
            dns: DnsOptions::default(),
            concurrency: 64,
            strategy: Strategy::default(),
            rules: PriorityRules::default(),
            active_hosts: 10_000,
            disk_floor: DiskFloor::default(),
            memory: Some(2 << 30),
            grants: false,
            guesses: true,
            again: AgainOptions::default(),
            url_rules: Rules::default(),
            learn_spellings: true,
            clock,
            blocked: Blocked::default(),
            host_rules: HostRules::default(),
            documents: None,
        }
    }

    /// Returns the scope that holds now.
    pub(crate) fn scope_now(&self) -> Current<'_> {
        self.new_scope.or(&self.scope)
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

    #[test]
    fn the_disk_floor_is_the_larger_of_two() {
        let floor = DiskFloor { bytes: 1_000, share: 0.05 };
        assert_eq!(floor.of(10_000), 1_000);
        assert_eq!(floor.of(100_000), 5_000);
        assert_eq!(DiskFloor { share: 2.0, ..floor }.of(u64::MAX), u64::MAX);
    }
}
