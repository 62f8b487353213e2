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

mod crowd;
mod line;
mod rotation;
mod slot;
mod squeeze;
mod stalled;

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
use crate::frontier::{ALIAS, Changes, FRUITLESS, Frontier, Lane, Picker, Role, Waiting};
use crate::guard::{Guard, Hold};
use crate::importance::Fingerprint;
use crate::learn::Advice;
use crate::politeness::Wait;
use crate::robots::{self, Book, Verdict};
use crate::scope::Used;
use crate::visit::{Shared, Visited};
use crate::{Error, Failure, LeftOut, Stats};
use crowd::Crowd;
use line::Line;
use slot::{Leaving, Slot};
use squeeze::Squeeze;
use stalled::Stalled;

pub(crate) use rotation::LONGEST_REST;

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
    /// So many pages are in the archive for good, and will be in everything else.
    Archived(usize),
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
    /// A host has left since hosts were last brought from the store.
    has_left: bool,
    /// Errors and refusals of hosts that have left: they are no faster when they come back.
    troubles: HashMap<Host, u32>,
    /// When the next host in the store will have rested.
    next_rested: Option<Timestamp>,
    looked: Instant,
    started: Instant,
    is_paused: bool,
    squeeze: Squeeze,
    /// Pages that are due are on their way into the queues.
    is_renewing: bool,
    in_flight: usize,
    stalled: Stalled,
    /// Hosts in rotation that answered the last time.
    answering: usize,
    crowd: Crowd,
    resolving: usize,
    /// Outcomes on their way to the disk.
    uncommitted: usize,
    /// Of these, those in the archive, from which a crash takes up.
    archived: usize,
    /// When visits were last begun, and the places that were free then though strangers waited.
    dispatched: (Instant, usize),
    /// Visits under way; dropped with the scheduler.
    tasks: JoinSet<()>,
}

/// Lookups under way at once; further hosts wait for their turn.
const RESOLVING: usize = 256;
/// A crawl that is to end when idle does not wait for hosts that rest longer than this.
const PATIENCE: Duration = Duration::from_secs(120);
/// A host that rests longer than this rests in the store.
const LONG_REST: Duration = Duration::from_secs(60);
/// Rest of a host that has used up its time (LNK-12).
const SLOW_REST: Duration = Duration::from_secs(3600);
/// Visits after which a host makes room for another one, if there are more than memory holds.
const VISITS_PER_TURN: u32 = 64;
/// Lookups and questions for robots.txt in vain, in a row, after which a host counts as not to be
/// had.
const LOOKUPS: u32 = 4;
/// How often the store, the disk and the memory are looked at.
const LOOK: Duration = Duration::from_secs(1);

impl Scheduler {
    pub(crate) fn new(
        shared: Arc<Shared>,
        frontier: Arc<Frontier>,
        stats: Arc<Stats>,
        guard: Arc<Guard>,
        outcomes: UnboundedSender<Outcome>,
    ) -> Self {
        let limits = robots::Limits::within(shared.options.memory);
        let book = Book::new(&shared.options.agent.token, limits);
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
            has_left: false,
            troubles: HashMap::new(),
            next_rested: None,
            looked: Instant::now() - LOOK,
            started: Instant::now(),
            is_paused: false,
            squeeze: Squeeze::default(),
            is_renewing: false,
            in_flight: 0,
            stalled: Stalled::default(),
            answering: 0,
            crowd: Crowd::default(),
            resolving: 0,
            uncommitted: 0,
            archived: 0,
            dispatched: (Instant::now(), 0),
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
            Event::Archived(pages) => self.archived += pages,
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
            self.look()?;
            self.line.release_all();
            self.fill()?;
        } else if self.has_backlog && self.has_left {
            self.fill()?;
        }
        self.stalled.advance(now);
        self.line.advance(now, &self.hosts);
        let (last, idle) = self.dispatched;
        self.stats.waited(now.saturating_duration_since(last) * idle as u32);
        while self.has_room() {
            let Some((host, since)) = self.next() else { break };
            self.stats.waited(Instant::now().saturating_duration_since(since));
            self.start(host)?;
            self.line.advance(Instant::now(), &self.hosts);
        }
        let is_full = !self.has_room();
        self.line.is_full(is_full);
        let idle = if is_full { 0 } else { self.num_free().min(self.stalled.num_waiting()) };
        self.dispatched = (Instant::now(), idle);
        let num_ready = self.line.num_ready() + self.stalled.num_waiting();
        self.stats.set_activity(self.in_flight, self.hosts.len(), num_ready);
        self.stats.set_hold(self.guard.held().or(self.is_paused.then_some(Hold::Pause)));
        self.stats.set_next_visit(self.next_visit().map(Instant::into_std));
        if is_full && !self.is_squeezed() && self.read_ahead()? {
            return Ok(Instant::now());
        }
        let times = [self.line.next_time(), self.stalled.next_time()];
        Ok(times.into_iter().flatten().fold(self.looked + LOOK, Instant::min))
    }

    /// Returns when the next host may be visited if nothing is under way and none is ready.
    fn next_visit(&self) -> Option<Instant> {
        if !self.is_quiet() || self.line.num_ready() + self.stalled.num_waiting() > 0 {
            return None;
        }
        let now = (self.shared.options.clock)();
        let rested = self.next_rested.and_then(|next| Instant::now().checked_add(next.since(now)));
        [self.line.next_time(), rested].into_iter().flatten().min()
    }

    /// Returns whether nothing is under way and nothing will be soon.
    pub(crate) fn is_idle(&self) -> bool {
        // Memory that is short ends by itself, or what is left is fetched bit by bit.
        let is_disk_full = self.guard.held() == Some(Hold::Disk);
        if !self.is_quiet() || self.is_paused || is_disk_full {
            return false;
        }
        if self.is_limit_reached() {
            return true;
        }
        let soon = Instant::now() + PATIENCE;
        let now = (self.shared.options.clock)();
        let nothing_in_store =
            !self.has_backlog && self.next_rested.is_none_or(|next| next.since(now) > PATIENCE);
        // What cannot be read now cannot be fetched either.
        nothing_in_store
            && !self.has_due(now).unwrap_or(false)
            && self.line.num_ready() + self.stalled.num_waiting() == 0
            && !self.line.has_gates()
            && self.line.next_time().is_none_or(|next| next > soon)
    }

    /// Returns whether nothing is under way.
    pub(crate) fn is_quiet(&self) -> bool {
        self.in_flight == 0 && self.resolving == 0 && self.uncommitted == 0
    }

    /// Returns the host that is visited next, and since when a fetcher was free for it.
    fn next(&mut self) -> Option<(Host, Instant)> {
        if self.stalled.num_waiting() > 0 && !self.has_no_place_for_strangers() {
            return Some((self.stalled.next_waiting()?, Instant::now()));
        }
        self.line.next()
    }

    /// Returns how many requests may begin now.
    ///
    /// A request counts until what it brought is in the archive: a crash repeats no more than these.
    fn num_free(&self) -> usize {
        let concurrency = self.shared.options.concurrency.max(1);
        let under_way = self.uncommitted.saturating_sub(self.archived);
        (concurrency + self.stalled.num_spared(concurrency)).saturating_sub(under_way)
    }

    fn has_room(&self) -> bool {
        self.num_free() > 0 && !self.is_paused && !self.is_held() && !self.is_limit_reached()
    }

    fn is_limit_reached(&self) -> bool {
        let (pages, bytes) = self.stats.fetched();
        let used =
            Used { pages: pages + self.uncommitted as u64, bytes, time: self.started.elapsed() };
        self.shared.options.scope_now().reached(&used).is_some()
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
        let is_held = slot.is_held(&self.shared.options.host_rules, &host);
        if slot.is_exhausted || slot.leaving.is_some() || is_held {
            if let Some(Ok(resolved)) = self.shared.dns.known(&host) {
                self.line.release(resolved.address, Instant::now());
            }
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
        if self.is_kept_waiting(&host, address) {
            self.line.release(address, Instant::now());
            return Ok(());
        }
        let Some(slot) = self.hosts.get_mut(&host) else { return Ok(()) };
        slot.refill(&self.frontier, &host)?;
        let Some(next) = slot.next(self.shared.options.again.share) else {
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
        // An old copy that asks for too much is asked for again: its owner may have thought better.
        let longest = self.shared.options.politeness.longest_crawl_delay;
        if delay > longest && matches!(verdict, Verdict::Allowed { .. }) {
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
        if slot.is_ahead(self.shared.options.strategy) {
            // The commit of what is under way brings the host back.
            return self.line.release(address, Instant::now());
        }
        let options = &self.shared.options;
        let usual = options.politeness.delay.max(options.host_rules.delay(&host));
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
        self.stalled.began(&host, slot.has_answered, Instant::now());
        let (shared, outcomes, errors) = (self.shared.clone(), self.outcomes.clone(), slot.errors);
        if is_allowed {
            slot.take(shared.options.again.share);
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
        let Waiting { url, depth, role, lane, .. } = waiting;
        if *role == Role::Probe {
            return Ok(None);
        }
        let options = &self.shared.options;
        let is_sitemap = matches!(role, Role::Sitemap { .. });
        let judged = match is_sitemap {
            true => options.scope_now().judge_listing(url),
            false => {
                // A page that is there is not one more of its host.
                let counts = match lane {
                    Lane::New => self.hosts.get(&url.host()).map(Slot::counts),
                    Lane::Again => None,
                };
                let counts = counts.unwrap_or_default();
                options.scope_now().judge(url, *depth, &counts)
            }
        };
        let reason = match judged {
            Err(reason) => Some(reason.name()),
            Ok(()) if options.blocked.holds(url) || options.host_rules.blocks(url) => {
                Some(LeftOut::Blocked.name())
            }
            Ok(()) if is_sitemap => None,
            Ok(()) => match self.frontier.advice(url, options)? {
                Advice::Skip(_) => Some(FRUITLESS),
                // Fetched under its other name, if that is known; else under this one.
                Advice::Instead(other) => {
                    let host = self.frontier.host(&url.host())?;
                    let is_believed = host.is_some_and(|host| host.believes(url, &other));
                    let is_known = is_believed && self.frontier.url(&other)?.is_some();
                    is_known.then_some(ALIAS)
                }
                Advice::Fetch => None,
            },
        };
        let url = url.clone();
        Ok(reason.map(|reason| Outcome::LeftOut { url, reason }))
    }

    /// Takes the next URL of a host out of its queue without a visit.
    fn pass_over(&mut self, host: &Host, outcome: Outcome) {
        if let Some(slot) = self.hosts.get_mut(host) {
            slot.take(self.shared.options.again.share);
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

    fn freed(&mut self, address: IpAddr, at: Instant) {
        self.line.release(address, at);
    }

    fn visited(&mut self, visited: Visited) -> Result<(), Error> {
        self.in_flight -= 1;
        let Visited { host, address, free, robots, took, .. } = visited;
        let was_answering = self.hosts.get(&host).is_some_and(|slot| slot.has_answered);
        let took_again = was_answering.then_some(took);
        self.stalled.ended(&host, took_again, Instant::now());
        self.stats.visited(took);
        self.line.release(address, free.address);
        let Some(slot) = self.hosts.get_mut(&host) else { return Ok(()) };
        slot.is_moving = false;
        self.answering -= usize::from(slot.has_answered);
        let is_error = visited.is_error;
        let is_trouble = slot.note(visited.has_answered, visited.is_refused, is_error);
        self.answering += usize::from(slot.has_answered);
        slot.spent += took;
        let mut ready = free.host;
        if is_trouble && !is_error {
            ready = ready.max(Instant::now() + self.shared.backoff(slot.errors - 1));
            self.shared.politeness.hold(&host, ready);
        }
        let rest = ready.saturating_duration_since(Instant::now());
        if is_trouble && rest > self.shared.options.politeness.delay {
            // At once: a crash before the host is let go must not shorten its rest.
            self.note_rest(&host, rest, None);
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
        if slot.is_too_slow(self.shared.options.politeness.host_time) {
            self.leave_to_rest(&host, SLOW_REST.max(rest), Some(Failure::SlowHost));
        } else if rest > LONG_REST && slot.errors > 0 {
            self.leave_to_rest(&host, rest, None);
        } else if self.has_backlog && slot.visits >= VISITS_PER_TURN {
            slot.leaving = Some(Leaving::Turn);
            self.let_go(&host)?;
        } else {
            self.push(&host, ready);
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
