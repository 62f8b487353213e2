//! Keeps every fetcher busy whenever any host may be visited (C2).
//!
//! ```text
//!              front queues                          back queues
//! store ──→ ready hosts by class ──→ start ──→ visit (one permit, one request)
//!   ↑            ↑        ↑                          │
//!   │        heap of    waiting for                  │
//!   │        (time,host)  an address                 │
//!   └── committed ←── outcomes ←─────────────────────┘
//! ```
//! A host in rotation has a [`Slot`]: the next URLs of its back queue, read from the store a few
//! at a time. When its time has come it stands in the front queue of its best URL; free fetchers
//! take from the front queues in turn, better ones more often. Hosts that rest for long, and hosts
//! beyond the number that memory may hold, wait in the store.

mod line;
mod slot;

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use base::{Host, Timestamp};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender};
use tokio::task::JoinSet;
use tokio::time::Instant;

use crate::committer::Outcome;
use crate::dns::Resolved;
use crate::frontier::{
    ALIAS, Changes, FRUITLESS, Frontier, HostChange, HostState, Learnt, Picker, Role, Waiting,
};
use crate::guard::{Guard, Hold};
use crate::importance::Fingerprint;
use crate::learn::Advice;
use crate::politeness::Wait;
use crate::robots::{self, Book, Verdict};
use crate::scope::Used;
use crate::visit::{Shared, Visited};
use crate::{Error, Failure, Stats};
use line::Line;
use slot::{Leaving, Slot};

/// What the scheduler is told.
pub(crate) enum Event {
    Resolved {
        host: Host,
        result: Result<Resolved, Failure>,
    },
    Visited(Visited),
    /// A permit ended that was not for a visit of its own.
    Freed {
        address: IpAddr,
        at: Instant,
    },
    Committed {
        done: Vec<(Host, Fingerprint)>,
        changes: Changes,
    },
    /// The committer has ended, well or not.
    Closed,
}

/// Keeps the fetchers busy.
pub(crate) struct Scheduler {
    shared: Arc<Shared>,
    frontier: Arc<Frontier>,
    stats: Arc<Stats>,
    guard: Arc<Guard>,
    outcomes: UnboundedSender<Outcome>,
    hosts: HashMap<Host, Slot>,
    line: Line,
    picker: Picker,
    book: Book,
    /// Hosts wait in the store because there is no room for more in memory.
    has_backlog: bool,
    /// When the next host in the store will have rested.
    next_rested: Option<Timestamp>,
    looked: Instant,
    started: Instant,
    is_paused: bool,
    in_flight: usize,
    resolving: usize,
    /// Outcomes on their way to the disk.
    uncommitted: usize,
    /// Visits under way; dropped with the scheduler.
    tasks: JoinSet<()>,
}

/// Lookups under way at once; further hosts wait for their turn.
const RESOLVING: usize = 256;
/// A crawl that is to end when idle does not wait for hosts that rest longer than this.
const PATIENCE: Duration = Duration::from_secs(120);
/// A host that rests longer than this rests in the store.
const LONG_REST: Duration = Duration::from_secs(60);
/// Visits after which a host makes room for another one, if there are more than memory holds.
const VISITS_PER_TURN: u32 = 64;
/// Lookups and questions for robots.txt in vain, in a row, after which a host counts as not to be
/// had.
const LOOKUPS: u32 = 4;
/// Hosts brought into rotation at once.
const BATCH: usize = 256;
/// How often the store, the disk and the memory are looked at.
const LOOK: Duration = Duration::from_secs(1);
/// Rest of a host that cannot be had at all: no such name, a forbidden address, a robots.txt that
/// asks for more patience than we have. Four times as long each time, a month at most.
const UNREACHABLE_REST: Duration = Duration::from_secs(3600);
const LONGEST_REST: Duration = Duration::from_secs(30 * 24 * 3600);

impl Scheduler {
    pub(crate) fn new(
        shared: Arc<Shared>,
        frontier: Arc<Frontier>,
        stats: Arc<Stats>,
        guard: Arc<Guard>,
        outcomes: UnboundedSender<Outcome>,
    ) -> Self {
        let book = Book::new(&shared.options.agent.token, robots::Limits::default());
        Self {
            shared,
            stats,
            guard,
            outcomes,
            hosts: HashMap::new(),
            line: Line::new(),
            picker: Picker::new(),
            book,
            has_backlog: true,
            next_rested: None,
            looked: Instant::now() - LOOK,
            started: Instant::now(),
            is_paused: false,
            in_flight: 0,
            resolving: 0,
            uncommitted: 0,
            tasks: JoinSet::new(),
            frontier,
        }
    }

    /// Lets no new visit begin, or lets them begin again.
    pub(crate) fn pause(&mut self, is_paused: bool) {
        self.is_paused = is_paused;
    }

    /// Handles one event; `false` when the committer is gone.
    pub(crate) fn handle(&mut self, event: Event) -> Result<bool, Error> {
        match event {
            Event::Closed => return Ok(false),
            Event::Resolved { host, result } => self.resolved(&host, result.err()),
            Event::Visited(visited) => self.visited(visited)?,
            Event::Freed { address, at } => self.freed(address, at),
            Event::Committed { done, changes } => self.committed(done, changes)?,
        }
        while self.tasks.try_join_next().is_some() {}
        Ok(true)
    }

    /// Starts every visit that may start now; returns when to ask again.
    pub(crate) fn dispatch(&mut self) -> Result<Instant, Error> {
        let now = Instant::now();
        if now >= self.looked + LOOK {
            self.looked = now;
            self.guard.look();
            self.line.release_all();
            self.fill()?;
        }
        self.line.advance(now, &self.hosts);
        while self.has_room() {
            let Some((host, since)) = self.line.next() else { break };
            self.stats.waited(Instant::now().saturating_duration_since(since));
            self.start(host)?;
            self.line.advance(Instant::now(), &self.hosts);
        }
        let is_full = !self.has_room();
        self.line.is_full(is_full);
        self.stats.set_activity(self.in_flight, self.hosts.len(), self.line.num_ready());
        self.stats.set_hold(self.guard.held().or(self.is_paused.then_some(Hold::Pause)));
        let look = self.looked + LOOK;
        Ok(self.line.next_time().map_or(look, |next| next.min(look)))
    }

    /// Returns whether nothing is under way and nothing will be soon.
    pub(crate) fn is_idle(&self) -> bool {
        if !self.is_quiet() || self.is_paused || self.guard.held().is_some() {
            return false;
        }
        if self.is_limit_reached() {
            return true;
        }
        let soon = Instant::now() + PATIENCE;
        let now = (self.shared.options.clock)();
        let nothing_in_store =
            !self.has_backlog && self.next_rested.is_none_or(|next| next.since(now) > PATIENCE);
        nothing_in_store
            && self.line.num_ready() == 0
            && self.line.next_time().is_none_or(|next| next > soon)
    }

    /// Returns whether nothing is under way.
    pub(crate) fn is_quiet(&self) -> bool {
        self.in_flight == 0 && self.resolving == 0 && self.uncommitted == 0
    }

    fn has_room(&self) -> bool {
        let concurrency = self.shared.options.concurrency.max(1);
        self.in_flight < concurrency
            && self.uncommitted < 4 * concurrency
            && !self.is_paused
            && self.guard.held().is_none()
            && !self.is_limit_reached()
    }

    fn is_limit_reached(&self) -> bool {
        let (pages, bytes) = self.stats.fetched();
        let used =
            Used { pages: pages + self.uncommitted as u64, bytes, time: self.started.elapsed() };
        self.shared.options.scope.reached(&used).is_some()
    }

    /// Brings hosts from the store into rotation while there is room.
    fn fill(&mut self) -> Result<(), Error> {
        let limit = self.shared.options.active_hosts.max(1);
        let room = limit.saturating_sub(self.hosts.len()).min(BATCH);
        if room == 0 {
            self.has_backlog = true;
            return Ok(());
        }
        let now = (self.shared.options.clock)();
        let (rested, next) =
            self.frontier.rested(now, room, |host| self.hosts.contains_key(host))?;
        self.next_rested = next;
        let picked = self
            .picker
            .pick(&self.frontier, room - rested.len(), |host| self.hosts.contains_key(host))?;
        self.has_backlog = rested.len() + picked.len() == room;
        for state in rested.into_iter().chain(picked) {
            self.activate(&state);
        }
        if self.has_backlog {
            // More where these came from; not later than after the visits that start now.
            self.looked = Instant::now() - LOOK + Duration::from_millis(50);
        }
        Ok(())
    }

    fn activate(&mut self, state: &HostState) {
        let now = (self.shared.options.clock)();
        if state.waiting == 0 || state.is_exhausted() || self.hosts.contains_key(&state.host) {
            return;
        }
        self.shared.dns.ahead(state.host.clone());
        self.hosts.insert(state.host.clone(), Slot::new(state));
        let rest = state.rests_until.since(now);
        let ready = Instant::now() + rest;
        if !rest.is_zero() {
            self.shared.politeness.hold(&state.host, ready);
        }
        self.push(&state.host, ready);
    }

    /// Puts a host in line for a visit at a moment.
    fn push(&mut self, host: &Host, ready: Instant) {
        if let Some(slot) = self.hosts.get_mut(host) {
            slot.is_moving = true;
            self.line.push(host.clone(), ready);
        }
    }

    /// Does the next thing for a host whose time has come.
    fn start(&mut self, host: Host) -> Result<(), Error> {
        let Some(slot) = self.hosts.get_mut(&host) else { return Ok(()) };
        slot.is_moving = false;
        if slot.is_exhausted || slot.leaving.is_some() {
            return self.let_go(&host);
        }
        let address = match self.shared.dns.known(&host) {
            Some(Ok(resolved)) => resolved.address,
            Some(Err(failure)) => {
                self.unresolved(&host, failure);
                return Ok(());
            }
            None => {
                self.resolve(host);
                return Ok(());
            }
        };
        slot.refill(&self.frontier, &host)?;
        let Some(next) = slot.buffer.front() else {
            // What is left is on its way; the commit brings the host back.
            self.line.release(address, Instant::now());
            return self.let_go(&host);
        };
        let waiting = next.clone();
        if let Some(outcome) = self.unwanted(&waiting)? {
            self.pass_over(&host, outcome);
            self.line.release(address, Instant::now());
            return Ok(());
        }
        let frontier = &self.frontier;
        let now = (self.shared.options.clock)();
        let verdict = self.book.judge(&waiting.url, now, |origin| frontier.robots(origin))?;
        let delay = match verdict {
            Verdict::Forbidden { .. } => {
                let Waiting { url, .. } = waiting;
                self.pass_over(&host, Outcome::Forbidden { url });
                self.line.release(address, Instant::now());
                return Ok(());
            }
            Verdict::Allowed { delay } | Verdict::Unknown { delay } => delay.unwrap_or_default(),
        };
        if delay > self.shared.options.politeness.longest_crawl_delay {
            self.line.release(address, Instant::now());
            self.rest_long(&host, Failure::CrawlDelay);
            return Ok(());
        }
        self.visit(host, address, waiting, delay, matches!(verdict, Verdict::Allowed { .. }));
        Ok(())
    }

    /// Sends a visitor, if host and address may be visited now.
    fn visit(
        &mut self,
        host: Host,
        address: IpAddr,
        waiting: Waiting,
        delay: Duration,
        is_allowed: bool,
    ) {
        let Some(slot) = self.hosts.get_mut(&host) else { return };
        // An earlier run may have been here just before it ended.
        let first = self.started + if slot.was_visited { delay } else { Duration::ZERO };
        if first > Instant::now() {
            self.push(&host, first);
            self.line.release(address, Instant::now());
            return;
        }
        let usual = self.shared.options.politeness.delay;
        let rest = delay.max(usual * slot.caution());
        let permit = match self.shared.politeness.grant(&host, address, rest) {
            Ok(permit) => permit,
            Err(Wait::Host(later)) => {
                self.line.release(address, Instant::now());
                return self.push(&host, later);
            }
            Err(Wait::Address(later)) => {
                slot.is_moving = true;
                return self.line.wait_for(address, host, later);
            }
        };
        slot.is_moving = true;
        slot.visits += 1;
        self.in_flight += 1;
        let (shared, outcomes, errors) = (self.shared.clone(), self.outcomes.clone(), slot.errors);
        if is_allowed {
            slot.take();
            self.uncommitted += 1;
            self.tasks.spawn(shared.page(permit, waiting, errors, outcomes));
        } else {
            let copy = self.frontier.robots(waiting.url.origin()).ok().flatten();
            self.uncommitted += 1;
            self.tasks.spawn(shared.robots(permit, waiting.url, copy, errors, outcomes));
        }
    }

    /// Returns what becomes of a URL that is not to be fetched any more, though it waits.
    ///
    /// Scope, block list and lessons may have changed since it was found.
    fn unwanted(&self, waiting: &Waiting) -> Result<Option<Outcome>, Error> {
        let Waiting { url, depth, role, .. } = waiting;
        if *role == Role::Probe {
            return Ok(None);
        }
        let options = &self.shared.options;
        let is_sitemap = matches!(role, Role::Sitemap { .. });
        let judged = match is_sitemap {
            true => options.scope.judge_listing(url),
            false => {
                let counts = self.hosts.get(&url.host()).map(Slot::counts).unwrap_or_default();
                options.scope.judge(url, *depth, &counts)
            }
        };
        let reason = match judged {
            Err(reason) => Some(reason.name()),
            Ok(()) if options.blocked.holds(url) => Some("blocked"),
            Ok(()) if is_sitemap => None,
            Ok(()) => {
                let rules = options.url_rules;
                let ask = |learnt: &mut Learnt| learnt.lessons().verdict_under(url, rules);
                match self.frontier.with_lessons(url, ask)? {
                    Advice::Skip(_) => Some(FRUITLESS),
                    // Fetched under its other name, if that is known; else under this one.
                    Advice::Instead(other) => self.frontier.url(&other)?.map(|_| ALIAS),
                    Advice::Fetch => None,
                }
            }
        };
        let url = url.clone();
        Ok(reason.map(|reason| Outcome::LeftOut { url, reason }))
    }

    /// Takes the next URL of a host out of its queue without a visit.
    fn pass_over(&mut self, host: &Host, outcome: Outcome) {
        if let Some(slot) = self.hosts.get_mut(host) {
            slot.take();
            self.uncommitted += 1;
            let _ = self.outcomes.send(outcome);
        }
        self.push(host, Instant::now());
    }

    fn resolve(&mut self, host: Host) {
        if self.resolving >= RESOLVING {
            return self.push(&host, Instant::now() + Duration::from_millis(100));
        }
        self.resolving += 1;
        if let Some(slot) = self.hosts.get_mut(&host) {
            slot.is_moving = true;
        }
        self.tasks.spawn(self.shared.clone().resolve(host));
    }

    fn resolved(&mut self, host: &Host, failure: Option<Failure>) {
        self.resolving -= 1;
        if let Some(slot) = self.hosts.get_mut(host) {
            slot.is_moving = false;
        }
        match failure {
            None => self.push(host, Instant::now()),
            Some(failure) => self.unresolved(host, failure),
        }
    }

    /// A name without an address costs the host a rest, not its URLs (DNS-09).
    fn unresolved(&mut self, host: &Host, failure: Failure) {
        let Some(slot) = self.hosts.get_mut(host) else { return };
        if !failure.is_passing() || slot.errors >= LOOKUPS {
            return self.rest_long(host, failure);
        }
        let rest = self.shared.backoff(slot.errors);
        slot.errors += 1;
        let ready = Instant::now() + rest;
        if rest > LONG_REST {
            return self.leave_to_rest(host, rest, Some(failure));
        }
        self.shared.politeness.hold(host, ready);
        let (errors, until) = (slot.errors, (self.shared.options.clock)().plus(rest));
        let (host_of, failure) = (host.clone(), Some(failure));
        self.uncommitted += 1;
        let _ = self.outcomes.send(Outcome::Rest { host: host_of, until, errors, failure });
        self.push(host, ready);
    }

    /// Sends a host away for hours or days.
    fn rest_long(&mut self, host: &Host, failure: Failure) {
        let Some(slot) = self.hosts.get_mut(host) else { return };
        let rest = UNREACHABLE_REST.saturating_mul(4u32.saturating_pow(slot.errors));
        slot.errors += 1;
        self.leave_to_rest(host, rest.min(LONGEST_REST), Some(failure));
    }

    fn leave_to_rest(&mut self, host: &Host, rest: Duration, failure: Option<Failure>) {
        let until = (self.shared.options.clock)().plus(rest);
        self.shared.politeness.hold(host, Instant::now() + rest);
        if let Some(slot) = self.hosts.get_mut(host) {
            slot.leaving = Some(Leaving::Rest { until, failure });
            slot.is_moving = false;
        }
        // It can only fail to read the store, which the next reading will say as well.
        let _ = self.let_go(host);
    }

    /// Takes a host out of rotation, as soon as nothing of it is on its way to the disk.
    fn let_go(&mut self, host: &Host) -> Result<(), Error> {
        let Some(slot) = self.hosts.get(host) else { return Ok(()) };
        if slot.is_moving || !slot.taken.is_empty() {
            return Ok(());
        }
        let Some(slot) = self.hosts.remove(host) else { return Ok(()) };
        let outcome = match slot.leaving {
            Some(Leaving::Rest { until, failure }) => {
                let (host, errors) = (host.clone(), slot.errors);
                self.next_rested = Some(self.next_rested.map_or(until, |next| next.min(until)));
                Outcome::Rest { host, until, errors, failure }
            }
            Some(Leaving::Turn) => Outcome::Rotate { host: host.clone() },
            None => return Ok(()),
        };
        self.uncommitted += 1;
        let _ = self.outcomes.send(outcome);
        Ok(())
    }

    fn freed(&mut self, address: IpAddr, at: Instant) {
        self.line.release(address, at);
    }

    fn visited(&mut self, visited: Visited) -> Result<(), Error> {
        self.in_flight -= 1;
        let Visited { host, address, free, status, is_error, robots, took } = visited;
        self.stats.visited(took);
        self.line.release(address, free.address);
        let Some(slot) = self.hosts.get_mut(&host) else { return Ok(()) };
        slot.is_moving = false;
        let is_trouble = slot.note(status, is_error);
        let mut ready = free.host;
        if is_trouble && !is_error {
            ready = ready.max(Instant::now() + self.shared.backoff(slot.errors - 1));
            self.shared.politeness.hold(&host, ready);
        }
        if let Some((origin, copy)) = robots {
            let Some(later) = self.robots_read(&host, &origin, copy, ready)? else {
                self.rest_long(&host, Failure::RobotsUnreachable);
                return Ok(());
            };
            ready = later;
        }
        let rest = ready.saturating_duration_since(Instant::now());
        let Some(slot) = self.hosts.get_mut(&host) else { return Ok(()) };
        if slot.leaving.is_some() {
            return self.let_go(&host);
        }
        if rest > LONG_REST && slot.errors > 0 {
            self.leave_to_rest(&host, rest, None);
        } else if self.has_backlog && slot.visits >= VISITS_PER_TURN {
            slot.leaving = Some(Leaving::Turn);
            self.let_go(&host)?;
        } else {
            self.push(&host, ready);
        }
        Ok(())
    }

    /// Takes over a robots.txt; returns when the host may be visited again, or `None` if it has
    /// been asked in vain too often.
    fn robots_read(
        &mut self,
        host: &Host,
        origin: &str,
        copy: Option<robots::Copy>,
        ready: Instant,
    ) -> Result<Option<Instant>, Error> {
        let now = (self.shared.options.clock)();
        let ready = match copy {
            Some(copy) => {
                let delay = self.book.keep(origin, &copy).asked_delay().unwrap_or_default();
                let patience = self.shared.options.politeness.longest_crawl_delay;
                ready.max(Instant::now() + delay.min(patience))
            }
            None => {
                let frontier = &self.frontier;
                let is_usable =
                    self.book.unreachable(origin, now, |origin| frontier.robots(origin))?;
                // Without rules this URL cannot be fetched; those of other origins may be.
                if !is_usable
                    && let Some(slot) = self.hosts.get_mut(host)
                    && slot.buffer.front().is_some_and(|next| next.url.origin() == origin)
                    && let Some(Waiting { url, .. }) = slot.take()
                {
                    self.uncommitted += 1;
                    let failure = Failure::RobotsUnreachable;
                    let _ = self.outcomes.send(Outcome::Failed { url, failure });
                }
                let errors = self.hosts.get(host).map_or(0, |slot| slot.errors);
                if !is_usable && errors >= LOOKUPS {
                    return Ok(None);
                }
                ready
            }
        };
        self.shared.politeness.hold(host, ready);
        Ok(Some(ready))
    }

    fn committed(&mut self, done: Vec<(Host, Fingerprint)>, changes: Changes) -> Result<(), Error> {
        for (host, url) in &done {
            if let Some(slot) = self.hosts.get_mut(host) {
                slot.taken.remove(url);
            }
        }
        self.uncommitted -= changes.num_outcomes;
        for change in changes.hosts {
            self.changed(change)?;
        }
        for (host, _) in done {
            if self.hosts.get(&host).is_some_and(|slot| slot.leaving.is_some()) {
                self.let_go(&host)?;
            }
        }
        Ok(())
    }

    fn changed(&mut self, change: HostChange) -> Result<(), Error> {
        let HostChange { host, waiting, lowest, is_exhausted, rests_until, responses, bytes } =
            change;
        if let Some(slot) = self.hosts.get_mut(&host) {
            slot.is_exhausted = is_exhausted;
            slot.fetched = (responses, bytes);
            slot.has_new(lowest);
            if slot.is_moving || slot.leaving.is_some() {
                return Ok(());
            }
            if waiting > slot.taken.len() as u64 && !is_exhausted {
                self.push(&host, Instant::now());
            } else {
                self.let_go(&host)?;
            }
            return Ok(());
        }
        let now = (self.shared.options.clock)();
        let rests_long = rests_until.since(now) > LONG_REST;
        if waiting == 0 || is_exhausted || rests_long {
            return Ok(());
        }
        if self.hosts.len() < self.shared.options.active_hosts {
            if let Some(state) = self.frontier.host(&host)? {
                self.activate(&state);
            }
        } else {
            self.has_backlog = true;
        }
        Ok(())
    }
}

/// Feeds events to a scheduler until something tells it to stop.
pub(crate) struct Events(pub(crate) UnboundedReceiver<Event>);

impl Events {
    /// Waits for the next event or for `wake`; handles everything that has arrived.
    ///
    /// Returns `false` when the committer is gone.
    pub(crate) async fn pass(
        &mut self,
        scheduler: &mut Scheduler,
        wake: Instant,
    ) -> Result<bool, Error> {
        let Ok(event) = tokio::time::timeout_at(wake, self.0.recv()).await else {
            return Ok(true);
        };
        let mut next = event;
        while let Some(event) = next {
            if !scheduler.handle(event)? {
                return Ok(false);
            }
            next = self.0.try_recv().ok();
        }
        Ok(true)
    }
}
