//! The one place that lets a request go out (C4): no permit, no fetch.
//!
//! A [`Permit`] names a host and the address it is reached at; while it is held, no other
//! permit for that host or that address exists. When it ends, both rest: at least the
//! configured delay, the host's own `Crawl-delay`, and a multiple of the time the server took.
//! Every grant can be written to a log (`grants`), to be held against the servers' own logs.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use base::Host;
use tokio::time::Instant;

use crate::PolitenessOptions;
use crate::grants::GrantLog;

/// Grants permits.
#[derive(Clone)]
pub(crate) struct Politeness {
    options: PolitenessOptions,
    books: Arc<Mutex<Books>>,
    grants: Option<Arc<GrantLog>>,
}

/// Why a permit is not granted now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wait {
    /// The host rests until then, or a request to it is under way: ask again then.
    Host(Instant),
    /// Another host at the same address is being visited, or was just now.
    Address(Instant),
}

/// When host and address may be visited again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Free {
    pub(crate) host: Instant,
    pub(crate) address: Instant,
}

#[derive(Default)]
struct Books {
    hosts: HashMap<Host, Rest>,
    addresses: HashMap<IpAddr, Rest>,
    /// Nobody is visited earlier.
    not_before: Option<Instant>,
    /// Entries at which those that hold nothing back are dropped the next time.
    full_at: usize,
}

/// Longest time that the store takes to know of a rest, with much to spare.
const HANDED_OVER: Duration = Duration::from_secs(300);
/// Entries that are never too many.
const MANY: usize = 10_000;

/// When a host or an address may be visited again.
#[derive(Clone, Copy)]
struct Rest {
    busy: bool,
    not_before: Instant,
}

/// The right to send one request to a host; nothing else can make one.
///
/// Dropped without [`Permit::end`] it counts as a request that took no time.
pub(crate) struct Permit {
    politeness: Politeness,
    host: Host,
    address: IpAddr,
    granted: Instant,
    crawl_delay: Duration,
    ended: bool,
}

impl Politeness {
    pub(crate) fn new(options: PolitenessOptions) -> Self {
        Self { options, books: Arc::default(), grants: None }
    }

    /// Notes every grant in a log while that is on.
    pub(crate) fn logging(mut self, log: Arc<GrantLog>) -> Self {
        self.grants = Some(log);
        self
    }

    /// Grants nothing to anybody for one delay: an earlier run may just have been everywhere.
    pub(crate) fn rest_all(&self) {
        self.books().not_before = Some(Instant::now() + self.options.delay);
    }

    /// Grants a permit, or says when it is worth asking again.
    ///
    /// `crawl_delay` is what the host's robots.txt asks for.
    pub(crate) fn grant(
        &self,
        host: &Host,
        address: IpAddr,
        crawl_delay: Duration,
    ) -> Result<Permit, Wait> {
        let now = Instant::now();
        let mut books = self.books();
        // It is not known when a request under way will end; whoever ends it wakes the others.
        let unknown = now + Duration::from_millis(250);
        let free_at = |rest: Option<&Rest>| match rest {
            Some(rest) if rest.busy => unknown,
            Some(rest) => rest.not_before,
            None => now,
        };
        let host_free = free_at(books.hosts.get(host)).max(books.not_before.unwrap_or(now));
        if host_free > now {
            return Err(Wait::Host(host_free));
        }
        let address_free = free_at(books.addresses.get(&address));
        if address_free > now {
            return Err(Wait::Address(address_free));
        }
        let busy = Rest { busy: true, not_before: now };
        books.hosts.insert(host.clone(), busy);
        books.addresses.insert(address, busy);
        books.forget_rested(now);
        tracing::trace!(target: "crawl::grants", %host, %address, "granted");
        if let Some(log) = &self.grants {
            log.write(host, address, self.options.delay.max(crawl_delay));
        }
        let politeness = self.clone();
        Ok(Permit {
            politeness,
            host: host.clone(),
            address,
            granted: now,
            crawl_delay,
            ended: false,
        })
    }

    /// Waits for a permit; `None` as soon as it is clear that there is none before `deadline`.
    pub(crate) async fn wait(
        &self,
        host: &Host,
        address: IpAddr,
        crawl_delay: Duration,
        deadline: Instant,
    ) -> Option<Permit> {
        loop {
            match self.grant(host, address, crawl_delay) {
                Ok(permit) => return Some(permit),
                Err(Wait::Host(later) | Wait::Address(later)) if later < deadline => {
                    tokio::time::sleep_until(later).await;
                }
                Err(_) => return None,
            }
        }
    }

    /// Keeps a host at rest until `moment`, whatever else would allow.
    pub(crate) fn hold(&self, host: &Host, moment: Instant) {
        let mut books = self.books();
        let rest = books.hosts.entry(host.clone());
        let rest = rest.or_insert(Rest { busy: false, not_before: moment });
        rest.not_before = rest.not_before.max(moment);
        books.forget_rested(Instant::now());
    }

    /// Keeps a host at rest that goes out of rotation for this long.
    ///
    /// The store has the whole rest; here it is kept until that is written, and no longer, or a
    /// crawl would remember every dead host it has met for a month.
    pub(crate) fn hand_over(&self, host: &Host, rest: Duration) {
        self.hold(host, Instant::now() + rest.min(HANDED_OVER));
    }

    /// Returns until when a host rests, if it is known.
    pub(crate) fn rests_until(&self, host: &Host) -> Option<Instant> {
        self.books().hosts.get(host).map(|rest| rest.not_before)
    }

    fn books(&self) -> MutexGuard<'_, Books> {
        self.books.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Books {
    /// Drops entries that no longer hold anything back, now and then.
    fn forget_rested(&mut self, now: Instant) {
        if self.len() < self.full_at.max(MANY) {
            return;
        }
        self.hosts.retain(|_, rest| rest.busy || rest.not_before > now);
        self.addresses.retain(|_, rest| rest.busy || rest.not_before > now);
        // As many again must come first: amortised constant cost.
        self.full_at = 2 * self.len();
    }

    fn len(&self) -> usize {
        self.hosts.len() + self.addresses.len()
    }
}

impl Permit {
    /// Returns the host the request must go to.
    pub(crate) fn host(&self) -> &Host {
        &self.host
    }

    /// Returns the address that must be dialled: the one that was checked.
    pub(crate) fn address(&self) -> IpAddr {
        self.address
    }

    /// Ends the request; returns when the host and the address may be visited again.
    ///
    /// `at_least` is what the response itself asks for or deserves (Retry-After, an error).
    pub(crate) fn end(mut self, at_least: Duration) -> Free {
        self.finish(at_least)
    }

    fn finish(&mut self, at_least: Duration) -> Free {
        self.ended = true;
        let options = &self.politeness.options;
        let now = Instant::now();
        let took = now - self.granted;
        let rest = options.delay.max(took * options.slowness_factor);
        let host_free = now + rest.max(self.crawl_delay).max(at_least.min(options.longest_wait));
        let mut books = self.politeness.books();
        let address_free = now + rest;
        let known = books.hosts.get(&self.host).map_or(now, |rest| rest.not_before);
        let not_before = host_free.max(known);
        books.hosts.insert(self.host.clone(), Rest { busy: false, not_before });
        // What one host asks for does not bind its neighbours at the same address.
        books.addresses.insert(self.address, Rest { busy: false, not_before: address_free });
        Free { host: not_before, address: address_free }
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        if !self.ended {
            self.finish(Duration::ZERO);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn politeness() -> Politeness {
        let delay = Duration::from_secs(1);
        Politeness::new(PolitenessOptions { delay, ..PolitenessOptions::default() })
    }

    fn host(name: &str) -> Host {
        Host::parse(name).unwrap()
    }

    const ADDRESS: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(127, 0, 0, 1));
    const OTHER: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(127, 0, 0, 2));

    #[tokio::test(start_paused = true)]
    async fn one_permit_per_host_and_per_address() {
        let politeness = politeness();
        let permit = politeness.grant(&host("a.example"), ADDRESS, Duration::ZERO).unwrap();
        assert!(politeness.grant(&host("a.example"), OTHER, Duration::ZERO).is_err());
        assert!(politeness.grant(&host("b.example"), ADDRESS, Duration::ZERO).is_err());
        assert!(politeness.grant(&host("b.example"), OTHER, Duration::ZERO).is_ok());
        drop(permit);
    }

    #[tokio::test(start_paused = true)]
    async fn a_host_rests_after_each_request() {
        let politeness = politeness();
        let start = Instant::now();
        let permit = politeness.grant(&host("a.example"), ADDRESS, Duration::ZERO).unwrap();
        assert_eq!(permit.end(Duration::ZERO).host, start + Duration::from_secs(1));
        let again = politeness.grant(&host("a.example"), ADDRESS, Duration::ZERO);
        assert_eq!(again.err(), Some(Wait::Host(start + Duration::from_secs(1))));
        tokio::time::advance(Duration::from_secs(1)).await;
        assert!(politeness.grant(&host("a.example"), ADDRESS, Duration::ZERO).is_ok());
    }

    #[tokio::test(start_paused = true)]
    async fn slow_servers_and_crawl_delays_stretch_the_rest() {
        let politeness = politeness();
        let permit = politeness.grant(&host("a.example"), ADDRESS, Duration::ZERO).unwrap();
        tokio::time::advance(Duration::from_secs(3)).await;
        assert_eq!(permit.end(Duration::ZERO).host, Instant::now() + Duration::from_secs(6));
        let permit = politeness.grant(&host("b.example"), OTHER, Duration::from_secs(9)).unwrap();
        assert_eq!(permit.end(Duration::ZERO).host, Instant::now() + Duration::from_secs(9));
        // Its neighbour at the same address did not ask for that.
        tokio::time::advance(Duration::from_secs(1)).await;
        assert!(politeness.grant(&host("c.example"), OTHER, Duration::ZERO).is_ok());
    }

    #[tokio::test(start_paused = true)]
    async fn hosts_that_rest_in_the_store_are_not_remembered_here_for_long() {
        let politeness = politeness();
        for round in 0..20 {
            for n in 0..10_000 {
                let dead = host(&format!("h{n}.r{round}.example"));
                politeness.hand_over(&dead, Duration::from_secs(30 * 24 * 3600));
            }
            let one = host(&format!("h0.r{round}.example"));
            assert!(politeness.grant(&one, ADDRESS, Duration::ZERO).is_err());
            tokio::time::advance(HANDED_OVER).await;
            let held = politeness.books().len();
            assert!(held <= 30_000, "{held} entries after {} dead hosts", (round + 1) * 10_000);
        }
    }

    #[tokio::test(start_paused = true)]
    async fn retry_after_binds_the_host_up_to_the_limit() {
        let politeness = politeness();
        let permit = politeness.grant(&host("a.example"), ADDRESS, Duration::ZERO).unwrap();
        let free = permit.end(Duration::from_secs(1_000_000_000));
        assert_eq!(free.host, Instant::now() + Duration::from_secs(24 * 3600));
        assert_eq!(free.address, Instant::now() + Duration::from_secs(1));
        tokio::time::advance(Duration::from_secs(2)).await;
        assert!(politeness.grant(&host("b.example"), ADDRESS, Duration::ZERO).is_ok());
    }
}
