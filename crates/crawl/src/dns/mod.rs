//! Names to addresses (C11): one shared resolver that hands out only what may be dialled.
//!
//! hickory speaks the protocol; everything that bounds it is ours. Answers and failures are
//! kept here, each for a bounded time and in a bounded number. Of many who ask for one host,
//! one looks it up and the others wait for the same answer. A bounded number of lookups is
//! under way at once, and each ends within its own limit, whatever the resolver does.
//!
//! ```text
//! resolve ─→ known? ─→ under way? ─→ wait for a turn ─→ ask A, then AAAA ─→ filter ─→ keep
//!            at once   join it       fast turns, then                       address.rs
//!                                    slow ones (DNS-11)
//! ```

mod cache;
mod names;
#[cfg(test)]
mod tests;
mod texts;
mod upstream;

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use base::Host;
use tokio::sync::{Semaphore, watch};
use tokio::time::{Instant, timeout};

use crate::address::may_dial;
use crate::{DnsOptions, Error, Failure};
use cache::Cache;
pub(crate) use texts::Texts;
use upstream::{Said, Upstream};

/// Looks names up.
pub(crate) struct Dns {
    upstream: Upstream,
    options: DnsOptions,
    books: Mutex<Books>,
    /// Turns to look something up.
    turns: Semaphore,
    /// Where lookups go on that last long, so that they do not use up the turns (DNS-11).
    slow: Semaphore,
    /// Places for lookups ahead of need: as many as turns, and none waits (DNS-18).
    early: Arc<Semaphore>,
}

/// The addresses of a host that may be dialled, and how long they may be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Resolved {
    /// The one to dial.
    pub(crate) address: IpAddr,
    /// Those to go on with when it cannot be reached, best first; see [`Dns::demote`].
    pub(crate) others: Arc<[IpAddr]>,
    pub(crate) until: Instant,
}

/// What is known and what is being asked.
struct Books {
    answers: Cache<Resolved>,
    /// Apart from the answers: a page full of names that do not exist must not push out the
    /// hosts that do (LNK-18).
    failures: Cache<Failed>,
    under_way: HashMap<Host, watch::Receiver<Option<Answer>>>,
}

type Answer = Result<Resolved, Failure>;

/// A lookup that brought no address.
struct Failed {
    failure: Failure,
    until: Instant,
    /// Failures in a row.
    times: u32,
}

/// What somebody who asks for a host is to do.
enum Place<'a> {
    Known(Answer),
    /// Somebody else asks already.
    Wait(watch::Receiver<Option<Answer>>),
    Ask(Asking<'a>),
}

/// The right to look a host up, and the duty to tell those who wait.
///
/// Dropped without an answer it lets one of them ask instead.
struct Asking<'a> {
    dns: &'a Dns,
    host: &'a Host,
    tell: watch::Sender<Option<Answer>>,
}

/// Addresses of one host that are kept (DNS-13).
const ADDRESSES: usize = 16;
/// A lookup is slow when it has taken this part of its limit.
const SLOW_PART: u32 = 10;
/// There are this many places for slow lookups to each turn.
const SLOW_PER_TURN: usize = 4;
/// Longest time a passing failure is kept; RFC 9520 allows up to five minutes, but a resolver
/// that was away and is back should be noticed soon (DNS-17).
const LONGEST_FAILURE: Duration = Duration::from_secs(60);

impl Dns {
    /// Sets up the resolver with the given servers or those of the system.
    pub(crate) fn new(options: DnsOptions) -> Result<Self, Error> {
        let turns = options.concurrency.clamp(1, Semaphore::MAX_PERMITS / SLOW_PER_TURN);
        let books = Books {
            answers: Cache::new(options.cache),
            failures: Cache::new(options.cache),
            under_way: HashMap::new(),
        };
        Ok(Self {
            upstream: Upstream::new(&options)?,
            options,
            books: Mutex::new(books),
            turns: Semaphore::new(turns),
            slow: Semaphore::new(turns * SLOW_PER_TURN),
            early: Arc::new(Semaphore::new(turns)),
        })
    }

    /// Returns addresses of the host that may be dialled, looking them up if need be.
    ///
    /// The address in the answer is the one to dial: asking again between check and dial would
    /// let a name change in between (DNS-03).
    pub(crate) async fn resolve(&self, host: &Host) -> Result<Resolved, Failure> {
        loop {
            match self.place(host) {
                Place::Known(answer) => return answer,
                Place::Wait(mut told) => {
                    // An error means that whoever asked was cancelled: then it is our turn.
                    if let Ok(answer) = told.wait_for(Option::is_some).await
                        && let Some(answer) = answer.clone()
                    {
                        return answer;
                    }
                }
                Place::Ask(asking) => return asking.ask().await,
            }
        }
    }

    /// Returns what is known of a host, without waiting.
    pub(crate) fn known(&self, host: &Host) -> Option<Result<Resolved, Failure>> {
        if let Some(address) = host.address() {
            return Some(self.literal(address));
        }
        if !names::may_be_asked(host.as_str(), self.options.addresses) {
            return Some(Err(Failure::NoSuchHost));
        }
        self.books().known(host, Instant::now())
    }

    /// Looks a host up in the background, ahead of need.
    ///
    /// Does nothing if it is known, being looked up, or if so much is under way that somebody
    /// who waits for an answer would have to wait longer.
    pub(crate) fn ahead(self: &Arc<Self>, host: Host) {
        let is_busy = self.turns.available_permits() <= self.options.concurrency / 2;
        if is_busy || self.known(&host).is_some() || self.books().under_way.contains_key(&host) {
            return;
        }
        let Ok(place) = self.early.clone().try_acquire_owned() else { return };
        let dns = self.clone();
        tokio::spawn(async move {
            let _place = place;
            // Whoever needs the answer finds it in the cache.
            let _ = dns.resolve(&host).await;
        });
    }

    /// Puts an address that could not be reached behind the other ones of its host.
    pub(crate) fn demote(&self, host: &Host, address: IpAddr) {
        let mut books = self.books();
        if let Some(resolved) = books.answers.get(host)
            && resolved.address == address
            && let Some((next, rest)) = resolved.others.split_first()
        {
            let others = rest.iter().copied().chain([address]).collect();
            *resolved = Resolved { address: *next, others, until: resolved.until };
        }
    }

    fn literal(&self, address: IpAddr) -> Answer {
        match may_dial(address, self.options.addresses, &self.options.deny) {
            true => {
                let until = Instant::now() + self.options.longest;
                Ok(Resolved { address, others: Arc::default(), until })
            }
            false => Err(Failure::BlockedAddress),
        }
    }

    fn place<'a>(&'a self, host: &'a Host) -> Place<'a> {
        if let Some(answer) = self.known(host) {
            return Place::Known(answer);
        }
        let mut books = self.books();
        // Again, under the lock: the answer may have come in between.
        if let Some(answer) = books.known(host, Instant::now()) {
            return Place::Known(answer);
        }
        if let Some(told) = books.under_way.get(host) {
            return Place::Wait(told.clone());
        }
        let (tell, told) = watch::channel(None);
        books.under_way.insert(host.clone(), told);
        Place::Ask(Asking { dns: self, host, tell })
    }

    /// Waits for a turn and looks a host up within the limit.
    async fn look_up(&self, host: &Host) -> Said {
        let Ok(turn) = self.turns.acquire().await else { return Said::Unavailable };
        // In a box of its own: thousands may wait for their turn, only few ask.
        let asking = timeout(self.options.timeout, self.ask_both(host));
        let mut asking = Box::pin(asking);
        if let Ok(said) = timeout(self.options.timeout / SLOW_PART, &mut asking).await {
            return said.unwrap_or(Said::Unavailable);
        }
        // If all slow places are taken too, it keeps its turn: the number stays bounded.
        let _turn = match self.slow.try_acquire() {
            Ok(slow) => {
                drop(turn);
                slow
            }
            Err(_) => turn,
        };
        asking.await.unwrap_or(Said::Unavailable)
    }

    /// Asks for IPv4 addresses, and for IPv6 ones only if there are none to dial.
    ///
    /// Most hosts have both, and many machines that crawl have only IPv4: this halves the
    /// questions, and a name server that is silent about AAAA costs nothing.
    async fn ask_both(&self, host: &Host) -> Said {
        let may = |address: &IpAddr| may_dial(*address, self.options.addresses, &self.options.deny);
        let v4 = self.upstream.ask_v4(host).await.usable(may);
        // A name that does not exist has no addresses of any kind (RFC 8020).
        if !matches!(v4, Said::Blocked { .. } | Said::Nothing { .. }) {
            return v4;
        }
        match (v4, self.upstream.ask_v6(host).await.usable(may)) {
            (_, found @ Said::Addresses { .. }) => found,
            (blocked @ Said::Blocked { .. }, _) => blocked,
            (_, other) => other,
        }
    }

    fn books(&self) -> MutexGuard<'_, Books> {
        self.books.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Asking<'_> {
    async fn ask(self) -> Answer {
        let said = self.dns.look_up(self.host).await;
        let answer = self.dns.books().keep(self.host, said, &self.dns.options);
        self.tell.send_replace(Some(answer.clone()));
        answer
    }
}

impl Drop for Asking<'_> {
    fn drop(&mut self) {
        self.dns.books().under_way.remove(self.host);
    }
}

impl Books {
    fn known(&mut self, host: &Host, now: Instant) -> Option<Answer> {
        if let Some(resolved) = self.answers.get(host)
            && resolved.until > now
        {
            return Some(Ok(resolved.clone()));
        }
        let failed = self.failures.get(host).filter(|failed| failed.until > now)?;
        Some(Err(failed.failure))
    }

    /// Keeps what was said, for as long as the options allow.
    fn keep(&mut self, host: &Host, said: Said, options: &DnsOptions) -> Answer {
        let now = Instant::now();
        let longest_no = options.longest_no.max(options.shortest);
        let (failure, rest) = match said {
            Said::Addresses { addresses, ttl } => {
                let until =
                    now + ttl.clamp(options.shortest, options.longest.max(options.shortest));
                if let Some((address, others)) = addresses.split_first() {
                    let resolved = Resolved { address: *address, others: others.into(), until };
                    self.failures.remove(host);
                    self.answers.insert(host.clone(), resolved.clone());
                    return Ok(resolved);
                }
                (Failure::NoSuchHost, options.shortest)
            }
            Said::Blocked { ttl } => {
                (Failure::BlockedAddress, ttl.clamp(options.shortest, longest_no))
            }
            Said::Nothing { ttl } | Said::NoName { ttl } => {
                (Failure::NoSuchHost, ttl.clamp(options.shortest, longest_no))
            }
            Said::Unavailable => {
                let times = self.failures.get(host).map_or(0, |failed| failed.times);
                let rest = options.first_rest.saturating_mul(1 << times.min(16));
                (Failure::DnsUnavailable, rest.min(LONGEST_FAILURE))
            }
        };
        self.answers.remove(host);
        let times = match failure {
            Failure::DnsUnavailable => self.failures.get(host).map_or(1, |failed| failed.times + 1),
            _ => 0,
        };
        self.failures.insert(host.clone(), Failed { failure, until: now + rest, times });
        Err(failure)
    }
}
