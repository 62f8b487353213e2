//! One visit to a host: one permit, one request, one outcome.

mod picture;

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use archive::{Cut, Revisit};
use base::{Host, Timestamp, Url, limits};
use hyper::header::{HeaderName, HeaderValue};
use tokio::sync::mpsc::UnboundedSender;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::Instant;

use crate::committer::{Outcome, Page, Revisited};
use crate::dns::Dns;
use crate::fetch::{self, Ask, Fetched, Fetcher, Following, Redirect};
use crate::frontier::{Frontier, History, Lane, Standing, Waiting};
use crate::options::RobotsChain;
use crate::politeness::{Free, Permit, Politeness};
use crate::readers::Readers;
use crate::reading;
use crate::robots::{self, Robots};
use crate::scheduler::Event;
use crate::{Failure, Options};

pub(crate) use picture::Busy;

/// What all visits share.
pub(crate) struct Shared {
    pub(crate) options: Options,
    pub(crate) frontier: Arc<Frontier>,
    pub(crate) dns: Arc<Dns>,
    pub(crate) fetcher: Fetcher,
    pub(crate) politeness: Politeness,
    pub(crate) readers: Readers,
    /// Room for bodies that are not on the disk yet, in kibibytes.
    pub(crate) bodies: Arc<Semaphore>,
    pub(crate) events: UnboundedSender<Event>,
}

/// How a visit went, for the scheduler.
pub(crate) struct Visited {
    pub(crate) host: Host,
    pub(crate) address: IpAddr,
    /// When host and address may be visited again.
    pub(crate) free: Free,
    pub(crate) took: Duration,
    pub(crate) has_answered: bool,
    /// It has said that it does not want us now, though not by a status that is an error.
    pub(crate) is_refused: bool,
    pub(crate) is_error: bool,
    /// The origin whose robots.txt was asked for, and what it said.
    pub(crate) robots: Option<(String, Option<robots::Copy>)>,
}

/// A response to the question for a robots.txt: the file, or where it has moved to.
pub(crate) struct Asked {
    pub(crate) url: Url,
    pub(crate) at: Timestamp,
    pub(crate) fetched: Fetched,
}

/// How long the target of a robots.txt redirect is waited for.
const REDIRECT_WAIT: Duration = Duration::from_secs(60);
/// Redirects of a robots.txt that are followed (R37).
const ROBOTS_HOPS: usize = 5;
/// Most bytes of unwritten bodies, in kibibytes: a slow disk slows the fetching down.
const BODIES_KIB: u64 = 256 * 1024;

/// Returns the kibibytes of bodies that may wait for the disk under a ceiling of memory: an eighth
/// of it, since what is read of them takes as much again.
pub(crate) fn bodies_kib(memory: Option<u64>) -> usize {
    let kib = memory.map_or(BODIES_KIB, |bytes| (bytes / 8 / 1024).min(BODIES_KIB));
    usize::try_from(kib).unwrap_or(usize::MAX).max(1)
}

impl Shared {
    /// Fetches a page.
    pub(crate) async fn page(
        self: Arc<Self>,
        permit: Permit,
        waiting: Waiting,
        errors: u32,
        outcomes: UnboundedSender<Outcome>,
    ) {
        let before = self.known(&waiting);
        let Waiting { url, role, .. } = waiting;
        let (at, began) = ((self.options.clock)(), Instant::now());
        let (host, address) = (url.host(), permit.address());
        let body_bytes = reading::Purpose::of(&url, role, &self.options).limit;
        let total = reading::patience(&url, self.options.fetch.total);
        let conditions = before.as_ref().map(conditions).unwrap_or_default();
        let ask = Ask { url: &url, body_bytes, total, conditions: &conditions };
        let result = self.fetcher.fetch(&permit, ask).await;
        if let Err(Failure::Refused | Failure::Unreachable | Failure::ConnectTimeout) = result {
            // The next visit tries another address of the host, if it has one.
            self.dns.demote(&host, address);
        }
        let rest = match &result {
            Ok(fetched) => self.rest_after(fetched, errors),
            Err(_) => Some(self.backoff(errors)),
        };
        let free = permit.end(rest.unwrap_or_default());
        let took = began.elapsed();
        let has_answered = result.is_ok();
        let is_refused = result.as_ref().is_ok_and(is_refused);
        let room = match &result {
            Ok(fetched) => self.room_for(fetched).await,
            Err(_) => None,
        };
        let is_error = rest.is_some();
        let visited =
            Visited { host, address, free, took, has_answered, is_refused, is_error, robots: None };
        // The scheduler is gone only when the crawl is being given up.
        let _ = self.events.send(Event::Visited(visited));
        let outcome = match result.and_then(|fetched| answer(fetched, before)) {
            Err(failure) => Outcome::Failed { url, failure },
            Ok(Answer::Nothing { fetched, revisit, since }) => {
                let revisited = Revisited { url, at, fetched, revisit, since, _room: room };
                Outcome::Revisited(Box::new(revisited))
            }
            Ok(Answer::Page(fetched)) => {
                let shared = self.clone();
                let failed = Outcome::Failed { url: url.clone(), failure: Failure::Protocol };
                let task = self.readers.read(move || {
                    let purpose = reading::Purpose::of(&url, role, &shared.options);
                    let reading = reading::from_response(&url, at, &fetched, purpose);
                    Outcome::Page(Box::new(Page { url, at, fetched, reading, _room: room }))
                });
                task.await.unwrap_or(failed)
            }
        };
        let _ = outcomes.send(outcome);
    }

    /// Returns what is known of a page that is fetched again.
    fn known(&self, waiting: &Waiting) -> Option<History> {
        if waiting.lane == Lane::New {
            return None;
        }
        // What cannot be read now is asked for as if it were new.
        let state = self.frontier.url(&waiting.url).ok().flatten()?;
        let is_there = matches!(state.standing, Standing::Fetched { status: 200, .. });
        let mut history = self.frontier.history(&waiting.url).ok().flatten()?;
        // Without what came with it, a page can only be read once more.
        history.arrived = history.arrived.filter(|_| is_there);
        Some(history)
    }

    /// Waits until there is room for a body beside those that are being written.
    async fn room_for(&self, fetched: &Fetched) -> Option<OwnedSemaphorePermit> {
        let most = bodies_kib(self.options.memory);
        let kib = u32::try_from(fetched.body.len().div_ceil(1024).min(most)).ok()?;
        self.bodies.clone().acquire_many_owned(kib).await.ok()
    }

    /// Fetches the robots.txt of an origin, following up to five redirects (R37, R38).
    ///
    /// `copy` is the one that is known: if the file has not changed, it is not sent again (R46).
    pub(crate) async fn robots(
        self: Arc<Self>,
        permit: Permit,
        page: Url,
        copy: Option<robots::Copy>,
        errors: u32,
        outcomes: UnboundedSender<Outcome>,
    ) {
        let (host, address, began) = (page.host(), permit.address(), Instant::now());
        let origin = page.origin().to_owned();
        let mut asked = Vec::new();
        let (mut free, copy) = match page.join("/robots.txt") {
            Ok(url) => self.follow_robots(permit, url, copy, errors, &mut asked).await,
            Err(_) => (permit.end(Duration::ZERO), None),
        };
        let first = asked.first().map(|asked| &asked.fetched);
        let (has_answered, is_refused) = (first.is_some(), first.is_some_and(is_refused));
        let is_error = copy.is_none();
        if is_error {
            // Whatever the reason was, a host without rules is not asked again at once (R43). That
            // it is one was not known when the permit ended.
            let until = Instant::now() + self.backoff(errors);
            self.politeness.hold(&host, until);
            free.host = free.host.max(until);
        }
        let took = began.elapsed();
        // Before the scheduler goes on: the page's outcome must find the rules in the store.
        let (rules, origin_of) = (copy.clone(), origin.clone());
        let _ = outcomes.send(Outcome::Robots { page, origin: origin_of, asked, copy: rules });
        let robots = Some((origin, copy));
        let visited =
            Visited { host, address, free, took, has_answered, is_refused, is_error, robots };
        let _ = self.events.send(Event::Visited(visited));
    }

    /// Returns when the first host may be visited again, and the file if it was reachable.
    ///
    /// What it says binds the origin that was asked first, whoever answered in the end (R38).
    async fn follow_robots(
        &self,
        mut permit: Permit,
        first: Url,
        known: Option<robots::Copy>,
        errors: u32,
        asked: &mut Vec<Asked>,
    ) -> (Free, Option<robots::Copy>) {
        let mut url = first;
        let mut first_free = None;
        let mut conditions = known.as_ref().map(robots::Copy::conditions).unwrap_or_default();
        for hop in 0..=ROBOTS_HOPS {
            let at = (self.options.clock)();
            let ask = Ask {
                url: &url,
                body_bytes: limits::ROBOTS_BYTES + 1,
                total: self.options.fetch.total,
                conditions: &conditions,
            };
            let result = self.fetcher.fetch(&permit, ask).await;
            let rest = match &result {
                Ok(fetched) => self.rest_after(fetched, errors),
                Err(_) => Some(self.backoff(errors)),
            };
            let address = permit.address();
            let free = permit.end(rest.unwrap_or_default());
            if first_free.is_some() {
                let _ = self.events.send(Event::Freed { address, at: free.address });
            }
            let free = *first_free.get_or_insert(free);
            let Ok(fetched) = result else { return (free, None) };
            // Also from https to http: the standard wants redirects followed, and a host that
            // hides its rules there would else stay closed.
            let following = Following { rules: self.options.url_rules, downgrades: true };
            let moved = fetch::redirect(&url, fetched.status, &fetched.headers, following);
            let Redirect::To(target) = moved else {
                let Fetched { status, headers, body, cut, .. } = &fetched;
                let answer = robots::Copy::of_response(*status, headers, body, *cut, at);
                // The conditions went to the first address only.
                let known = known.as_ref().filter(|_| hop == 0);
                let copy = answer.settled(known, headers, at);
                asked.push(Asked { url, at, fetched });
                return (free, copy);
            };
            asked.push(Asked { url, at, fetched });
            conditions.clear();
            if hop == ROBOTS_HOPS {
                return (free, self.behind_too_many(at));
            }
            let Some(granted) = self.permit_for(&target).await else { return (free, None) };
            (permit, url) = (granted, target);
        }
        unreachable!("the last hop returns")
    }

    /// A robots.txt behind too many redirects: closed, unless the user wants it open (R39).
    fn behind_too_many(&self, at: Timestamp) -> Option<robots::Copy> {
        match self.options.politeness.robots_chain {
            RobotsChain::Unreachable => None,
            RobotsChain::Unavailable => {
                let nothing = hyper::HeaderMap::new();
                robots::Copy::of_response(404, &nothing, &[], None, at).settled(None, &nothing, at)
            }
        }
    }

    /// Waits, not for long, for a permit to ask another host for its robots.txt.
    async fn permit_for(&self, url: &Url) -> Option<Permit> {
        let host = url.host();
        if self.rests_in_store(&host) {
            return None;
        }
        let resolved = self.dns.resolve(&host).await.ok()?;
        // A host that rests for long must not hold this one, nor a place among the fetches.
        let deadline = Instant::now() + REDIRECT_WAIT;
        // It rests afterwards as long as its own robots.txt asks, whoever has sent us.
        let copy = self.frontier.robots(url.origin()).ok().flatten();
        let rules = copy.map(|copy| Robots::parse(&copy.body, &self.options.agent.token));
        let delay = rules.and_then(|rules| rules.asked_delay()).unwrap_or_default();
        self.politeness.wait(&host, resolved.address, delay, deadline).await
    }

    /// Returns whether a host is out of rotation for a while, maybe since an earlier run.
    fn rests_in_store(&self, host: &Host) -> bool {
        // What cannot be read now is not known to rest.
        let state = self.frontier.host(host).ok().flatten();
        let left = state.map(|state| state.rests_until.since((self.options.clock)()));
        left.is_some_and(|left| left > REDIRECT_WAIT)
    }

    /// Returns how long a host rests after a response that asks for it.
    fn rest_after(&self, fetched: &Fetched, errors: u32) -> Option<Duration> {
        let busy = fetched.status == 429 || (500..600).contains(&fetched.status);
        let now = (self.options.clock)();
        // What the server asks for, but never less than our own rest after an error (HTTP-16).
        busy.then(|| fetched.retry_after(now).unwrap_or_default().max(self.backoff(errors)))
    }

    /// Returns how long a host rests after one more error: doubling, bounded.
    pub(crate) fn backoff(&self, errors: u32) -> Duration {
        let options = &self.options.politeness;
        if errors + 1 >= options.errors_before_leave {
            return options.longest_rest;
        }
        let rest = options.error_rest.saturating_mul(1 << errors.min(16));
        rest.min(options.longest_rest)
    }

    /// Resolves a host and tells the scheduler.
    pub(crate) async fn resolve(self: Arc<Self>, host: Host) {
        let result: Result<_, Failure> = self.dns.resolve(&host).await;
        let _ = self.events.send(Event::Resolved { host, result });
    }
}

/// What an answer means.
enum Answer {
    /// It is to be read.
    Page(Fetched),
    /// The page of the moment `since` is still what is there.
    Nothing { fetched: Fetched, revisit: Revisit, since: Timestamp },
}

/// Returns whether a server turns us away: by 403, or by a page that says so (HTTP-17).
fn is_refused(fetched: &Fetched) -> bool {
    fetched.status == 403 || fetch::is_rebuff(fetched.status, &fetched.headers, &fetched.body)
}

fn conditions(history: &History) -> Vec<(HeaderName, HeaderValue)> {
    let arrived = history.arrived.as_ref();
    arrived.map(|arrived| arrived.validators.conditions()).unwrap_or_default()
}

/// Judges the answer to a question for a page of which `before` is known, if it was there before.
///
/// What says nothing about such a page, because the server is busy or the line broke, leaves it as
/// it is (C15).
fn answer(fetched: Fetched, before: Option<History>) -> Result<Answer, Failure> {
    let Some(before) = before else { return Ok(Answer::Page(fetched)) };
    let since = before.captured;
    match (fetched.status, fetched.cut) {
        (304, _) => return Ok(Answer::Nothing { fetched, revisit: Revisit::NotModified, since }),
        (408 | 421 | 425 | 429 | 500..600, _) => return Err(Failure::ServerBusy),
        (_, Some(Cut::Time)) => return Err(Failure::Timeout),
        (_, Some(Cut::Disconnect)) => return Err(Failure::Closed),
        (200, None) => {}
        _ => return Ok(Answer::Page(fetched)),
    }
    let payload = reading::payload(&fetched.headers, &fetched.body);
    if before.arrived.is_some_and(|arrived| arrived.payload == payload) {
        return Ok(Answer::Nothing { fetched, revisit: Revisit::SamePayload, since });
    }
    Ok(Answer::Page(fetched))
}
