//! Decides what is fetched next (C2): hosts in the order in which they may be visited.
//!
//! In memory are only hosts that have something to do. Each has a short buffer of its queue,
//! refilled from the frontier the moment it runs empty. A heap orders the hosts by the time at
//! which they may be visited; popping, granting and pushing cost O(log hosts).

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use base::{Host, Timestamp, Url};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender};
use tokio::task::JoinSet;
use tokio::time::Instant;

use crate::committer::Outcome;
use crate::dns::Resolved;
use crate::frontier::{Changes, Frontier, Place, RobotsCopy, Waiting};
use crate::robots::Robots;
use crate::visit::{Shared, Visited};
use crate::{Error, Failure, Options, Stats};

/// What the scheduler is told.
pub(crate) enum Event {
    Resolved {
        host: Host,
        result: Result<Resolved, Failure>,
    },
    Visited(Visited),
    Committed {
        done: Vec<(Host, Place)>,
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
    outcomes: UnboundedSender<Outcome>,
    hosts: HashMap<Host, Slot>,
    /// Hosts by the time of their next visit; equals in the order in which they came.
    heap: BinaryHeap<Reverse<(Instant, u64, Host)>>,
    pushed: u64,
    in_flight: usize,
    resolving: usize,
    /// Outcomes on their way to the disk.
    uncommitted: usize,
    /// Visits under way; dropped with the scheduler.
    tasks: JoinSet<()>,
}

/// A host in rotation.
#[derive(Default)]
struct Slot {
    /// URLs waiting in the frontier, those in `taken` included.
    waiting: u64,
    buffer: VecDeque<Waiting>,
    /// Taken from the queue, but not yet out of it on disk.
    taken: HashSet<Place>,
    address: Option<Resolved>,
    /// Rules by origin, with the time they were read.
    robots: HashMap<String, (Timestamp, Robots)>,
    /// Errors in a row.
    errors: u32,
    /// In the heap, or being visited or resolved.
    is_moving: bool,
}

/// What robots.txt says of a URL.
enum Verdict {
    /// The file must be asked first; an old one has asked for this delay.
    Unknown {
        crawl_delay: Duration,
    },
    Forbidden,
    Allowed {
        crawl_delay: Duration,
    },
}

/// URLs read from a host's queue at once.
const BUFFER: usize = 32;
/// Lookups under way at once; further hosts wait in the heap.
const RESOLVING: usize = 256;
/// A robots.txt is used for a day (R45), and a day's old one for a month if there is no other.
const ROBOTS_FRESH: Duration = Duration::from_secs(24 * 3600);
const ROBOTS_USABLE: Duration = Duration::from_secs(30 * 24 * 3600);
/// A crawl that is to end when idle does not wait for hosts that rest longer than this.
const PATIENCE: Duration = Duration::from_secs(120);

impl Scheduler {
    pub(crate) fn new(
        shared: Arc<Shared>,
        frontier: Arc<Frontier>,
        stats: Arc<Stats>,
        outcomes: UnboundedSender<Outcome>,
    ) -> Result<Self, Error> {
        let mut scheduler = Self {
            shared,
            stats,
            outcomes,
            hosts: HashMap::new(),
            heap: BinaryHeap::new(),
            pushed: 0,
            in_flight: 0,
            resolving: 0,
            uncommitted: 0,
            tasks: JoinSet::new(),
            frontier,
        };
        for (host, waiting) in scheduler.frontier.waiting_hosts()? {
            scheduler.has_waiting(host, waiting);
        }
        Ok(scheduler)
    }

    /// Handles one event; `false` when the committer is gone.
    pub(crate) fn handle(&mut self, event: Event) -> Result<bool, Error> {
        match event {
            Event::Closed => return Ok(false),
            Event::Resolved { host, result } => self.resolved(host, result)?,
            Event::Visited(visited) => self.visited(visited),
            Event::Committed { done, changes } => {
                for (host, place) in done {
                    self.uncommitted -= 1;
                    if let Some(slot) = self.hosts.get_mut(&host) {
                        slot.taken.remove(&place);
                    }
                }
                for (host, waiting) in changes.waiting {
                    self.has_waiting(host, waiting);
                }
            }
        }
        while self.tasks.try_join_next().is_some() {}
        self.stats.set_activity(self.in_flight, self.hosts.len());
        Ok(true)
    }

    /// Starts every visit that may start now; returns when to ask again.
    pub(crate) fn dispatch(&mut self) -> Result<Option<Instant>, Error> {
        while self.has_room() {
            let Some(Reverse((ready, ..))) = self.heap.peek() else { return Ok(None) };
            if *ready > Instant::now() {
                return Ok(Some(*ready));
            }
            if let Some(Reverse((_, _, host))) = self.heap.pop() {
                self.start(host)?;
            }
        }
        self.stats.set_activity(self.in_flight, self.hosts.len());
        Ok(None)
    }

    /// Returns whether nothing is under way and nothing will be soon.
    pub(crate) fn is_idle(&self) -> bool {
        let next = self.heap.peek().map(|Reverse((ready, ..))| *ready);
        let nothing_soon = next.is_none_or(|ready| ready > Instant::now() + PATIENCE);
        self.is_quiet() && (nothing_soon || self.is_limit_reached())
    }

    /// Returns whether nothing is under way.
    pub(crate) fn is_quiet(&self) -> bool {
        self.in_flight == 0 && self.resolving == 0 && self.uncommitted == 0
    }

    fn has_room(&self) -> bool {
        let concurrency = self.shared.options.concurrency.max(1);
        self.in_flight < concurrency
            && self.uncommitted < 4 * concurrency
            && !self.is_limit_reached()
    }

    fn is_limit_reached(&self) -> bool {
        let Some(limit) = self.shared.options.scope.pages else { return false };
        self.stats.snapshot().pages + self.uncommitted as u64 >= limit
    }

    fn has_waiting(&mut self, host: Host, waiting: u64) {
        let slot = self.hosts.entry(host.clone()).or_default();
        slot.waiting = waiting;
        if slot.is_moving {
            return;
        }
        if waiting > slot.taken.len() as u64 {
            self.push(host, Instant::now());
        } else if slot.taken.is_empty() && waiting == 0 {
            self.hosts.remove(&host);
        }
    }

    fn push(&mut self, host: Host, ready: Instant) {
        if let Some(slot) = self.hosts.get_mut(&host) {
            slot.is_moving = true;
            self.pushed += 1;
            self.heap.push(Reverse((ready, self.pushed, host)));
        }
    }

    /// Does the next thing for a host whose time has come.
    fn start(&mut self, host: Host) -> Result<(), Error> {
        let Some(slot) = self.hosts.get_mut(&host) else { return Ok(()) };
        slot.is_moving = false;
        let address = match &slot.address {
            Some(resolved) if resolved.until > Instant::now() => resolved.address,
            _ => return self.resolve(host),
        };
        slot.refill(&self.frontier, &host)?;
        let Some(next) = slot.buffer.front() else {
            // What is left is on its way; the commit brings the host back.
            if slot.taken.is_empty() {
                self.hosts.remove(&host);
            }
            return Ok(());
        };
        let url = next.url.clone();
        let verdict = slot.judge(&self.frontier, &url, &self.shared.options)?;
        let crawl_delay = match verdict {
            Verdict::Forbidden => return self.forbid(host),
            Verdict::Allowed { crawl_delay } => crawl_delay,
            Verdict::Unknown { crawl_delay } => crawl_delay,
        };
        let permit = match self.shared.politeness.grant(&host, address, crawl_delay) {
            Ok(permit) => permit,
            Err(later) => {
                self.push(host, later);
                return Ok(());
            }
        };
        slot.is_moving = true;
        self.in_flight += 1;
        let (shared, outcomes, errors) = (self.shared.clone(), self.outcomes.clone(), slot.errors);
        if matches!(verdict, Verdict::Allowed { .. }) {
            let waiting = slot.take().expect("looked at above");
            self.uncommitted += 1;
            self.tasks.spawn(shared.page(permit, waiting, errors, outcomes));
        } else {
            self.tasks.spawn(shared.robots(permit, url, errors, outcomes));
        }
        Ok(())
    }

    /// Passes over URLs that robots.txt forbids.
    fn forbid(&mut self, host: Host) -> Result<(), Error> {
        let Some(slot) = self.hosts.get_mut(&host) else { return Ok(()) };
        if let Some(Waiting { url, place }) = slot.take() {
            self.uncommitted += 1;
            let _ = self.outcomes.send(Outcome::Forbidden { url, place });
        }
        self.push(host, Instant::now());
        Ok(())
    }

    fn resolve(&mut self, host: Host) -> Result<(), Error> {
        if self.resolving >= RESOLVING {
            self.push(host, Instant::now() + Duration::from_millis(50));
            return Ok(());
        }
        self.resolving += 1;
        if let Some(slot) = self.hosts.get_mut(&host) {
            slot.is_moving = true;
        }
        self.tasks.spawn(self.shared.clone().resolve(host));
        Ok(())
    }

    fn resolved(&mut self, host: Host, result: Result<Resolved, Failure>) -> Result<(), Error> {
        self.resolving -= 1;
        let Some(slot) = self.hosts.get_mut(&host) else { return Ok(()) };
        slot.is_moving = false;
        let failure = match result {
            Ok(resolved) => {
                slot.address = Some(resolved);
                self.push(host, Instant::now());
                return Ok(());
            }
            Err(failure) => failure,
        };
        // A name that does not exist costs all its URLs; one that could not be looked up costs
        // one try of one URL, and a rest.
        slot.refill(&self.frontier, &host)?;
        if slot.buffer.is_empty() {
            if slot.taken.is_empty() {
                self.hosts.remove(&host);
            }
            return Ok(());
        }
        let mut given_up = slot.buffer.len();
        if failure.is_passing() {
            given_up = given_up.min(1);
        }
        for Waiting { url, place } in slot.buffer.drain(..given_up) {
            slot.taken.insert(place);
            self.uncommitted += 1;
            let _ = self.outcomes.send(Outcome::Failed { url, place, failure });
        }
        let mut ready = Instant::now();
        if failure.is_passing() {
            ready += self.shared.backoff(slot.errors);
            slot.errors += 1;
            self.shared.politeness.hold(&host, ready);
        }
        self.push(host, ready);
        Ok(())
    }

    fn visited(&mut self, visited: Visited) {
        self.in_flight -= 1;
        let Visited { host, mut ready, failed, robots } = visited;
        let Some(slot) = self.hosts.get_mut(&host) else { return };
        slot.errors = if failed { slot.errors + 1 } else { 0 };
        if let Some((origin, copy)) = robots {
            match slot.keep_rules(&self.frontier, &origin, copy, &self.shared.options) {
                Some(crawl_delay) => ready = ready.max(Instant::now() + crawl_delay),
                // Without rules this URL cannot be fetched; others of the host may be.
                None => {
                    if slot.buffer.front().is_some_and(|next| next.url.origin() == origin)
                        && let Some(Waiting { url, place }) = slot.take()
                    {
                        self.uncommitted += 1;
                        let failure = Failure::RobotsUnreachable;
                        let _ = self.outcomes.send(Outcome::Failed { url, place, failure });
                    }
                }
            }
            self.shared.politeness.hold(&host, ready);
        }
        self.push(host, ready);
    }
}

impl Slot {
    fn take(&mut self) -> Option<Waiting> {
        let waiting = self.buffer.pop_front()?;
        self.taken.insert(waiting.place);
        Some(waiting)
    }

    /// Asks the rules that are known and not older than a day.
    fn judge(
        &mut self,
        frontier: &Frontier,
        url: &Url,
        options: &Options,
    ) -> Result<Verdict, Error> {
        let origin = url.origin();
        if !self.robots.contains_key(origin)
            && let Some(copy) = frontier.robots(origin)?
        {
            let rules = Robots::parse(&copy.body, &options.agent.token);
            self.robots.insert(origin.to_owned(), (copy.at, rules));
        }
        let now = (options.clock)();
        let Some((at, rules)) = self.robots.get(origin) else {
            return Ok(Verdict::Unknown { crawl_delay: Duration::ZERO });
        };
        let crawl_delay = rules.crawl_delay(options.politeness.longest_wait);
        Ok(match now.since(*at) < ROBOTS_FRESH {
            false => Verdict::Unknown { crawl_delay },
            true if rules.allows(url.path_and_query()) => Verdict::Allowed { crawl_delay },
            true => Verdict::Forbidden,
        })
    }

    /// Reads on in the host's queue if nothing is left of what was read.
    fn refill(&mut self, frontier: &Frontier, host: &Host) -> Result<(), Error> {
        if self.buffer.is_empty() {
            self.buffer = frontier.waiting(host, BUFFER, &self.taken)?.into();
        }
        Ok(())
    }

    /// Takes over a robots.txt; one that could not be had leaves the last good one in use.
    ///
    /// Returns the delay it asks for, or `None` if there are no rules to go by.
    fn keep_rules(
        &mut self,
        frontier: &Frontier,
        origin: &str,
        copy: Option<RobotsCopy>,
        options: &Options,
    ) -> Option<Duration> {
        let now = (options.clock)();
        let copy = match copy {
            Some(copy) => Some(copy),
            None => frontier
                .robots(origin)
                .ok()
                .flatten()
                .filter(|old| now.since(old.at) < ROBOTS_USABLE)
                .map(|old| RobotsCopy { at: now, ..old }),
        };
        let copy = copy?;
        let rules = Robots::parse(&copy.body, &options.agent.token);
        let crawl_delay = rules.crawl_delay(options.politeness.longest_wait);
        self.robots.insert(origin.to_owned(), (copy.at, rules));
        Some(crawl_delay)
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
        wake: Option<Instant>,
    ) -> Result<bool, Error> {
        let wake = wake.unwrap_or_else(|| Instant::now() + Duration::from_secs(1));
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
