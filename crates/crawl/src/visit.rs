//! One visit to a host: one permit, one request, one outcome.

use std::sync::Arc;
use std::time::Duration;

use base::{Host, Url, limits};
use tokio::sync::Semaphore;
use tokio::sync::mpsc::UnboundedSender;
use tokio::time::Instant;

use crate::committer::{Outcome, Page};
use crate::dns::Dns;
use crate::fetch::{Ask, Fetched, Fetcher};
use crate::frontier::{RobotsCopy, Waiting};
use crate::politeness::{Permit, Politeness};
use crate::reading;
use crate::scheduler::Event;
use crate::{Failure, Options};

/// What all visits share.
pub(crate) struct Shared {
    pub(crate) options: Options,
    pub(crate) dns: Dns,
    pub(crate) fetcher: Fetcher,
    pub(crate) politeness: Politeness,
    /// Parsing is work for the processors: no more of it at once than there are.
    pub(crate) parsers: Semaphore,
    pub(crate) events: UnboundedSender<Event>,
}

/// How a visit went, for the scheduler.
pub(crate) struct Visited {
    pub(crate) host: Host,
    /// When the host may be visited again.
    pub(crate) ready: Instant,
    pub(crate) failed: bool,
    /// The origin whose robots.txt was asked for, and what it said.
    pub(crate) robots: Option<(String, Option<RobotsCopy>)>,
}

/// How long the target of a robots.txt redirect is waited for.
const REDIRECT_WAIT: Duration = Duration::from_secs(60);

impl Shared {
    /// Fetches a page.
    pub(crate) async fn page(
        self: Arc<Self>,
        permit: Permit,
        waiting: Waiting,
        errors: u32,
        outcomes: UnboundedSender<Outcome>,
    ) {
        let Waiting { url, place } = waiting;
        let at = (self.options.clock)();
        let host = url.host();
        let body_bytes = self.options.fetch.body_bytes;
        let result =
            self.fetcher.fetch(&permit, Ask { url: &url, body_bytes, conditions: &[] }).await;
        let rest = match &result {
            Ok(fetched) => self.rest_after(fetched, errors),
            Err(_) => Some(self.backoff(errors)),
        };
        let ready = permit.end(rest.unwrap_or_default());
        let visited = Visited { host, ready, failed: rest.is_some(), robots: None };
        // The scheduler is gone only when the crawl is being given up.
        let _ = self.events.send(Event::Visited(visited));
        let outcome = match result {
            Err(failure) => Outcome::Failed { url, place, failure },
            Ok(fetched) => {
                let Ok(_turn) = self.parsers.acquire().await else { return };
                let shared = self.clone();
                let failed =
                    Outcome::Failed { url: url.clone(), place, failure: Failure::Protocol };
                let task = tokio::task::spawn_blocking(move || {
                    let (limit, agent) =
                        (shared.options.fetch.body_bytes, &shared.options.agent.token);
                    let reading = reading::from_response(&url, &fetched, limit, agent);
                    Outcome::Page(Box::new(Page { url, place, at, fetched, reading }))
                });
                task.await.unwrap_or(failed)
            }
        };
        let _ = outcomes.send(outcome);
    }

    /// Fetches the robots.txt of an origin, following up to five redirects (R37, R38).
    pub(crate) async fn robots(
        self: Arc<Self>,
        permit: Permit,
        page: Url,
        errors: u32,
        outcomes: UnboundedSender<Outcome>,
    ) {
        let host = page.host();
        let origin = page.origin().to_owned();
        let (ready, copy) = match page.join("/robots.txt") {
            Ok(url) => self.follow_robots(permit, url, errors, &outcomes).await,
            Err(_) => (permit.end(Duration::ZERO), None),
        };
        let failed = copy.is_none();
        let robots = Some((origin, copy));
        let _ = self.events.send(Event::Visited(Visited { host, ready, failed, robots }));
    }

    /// Returns when the first host may be visited again, and the file if it was reachable.
    async fn follow_robots(
        &self,
        permit: Permit,
        first: Url,
        errors: u32,
        outcomes: &UnboundedSender<Outcome>,
    ) -> (Instant, Option<RobotsCopy>) {
        const HOPS: usize = 5;
        let mut url = first.clone();
        let mut permit = permit;
        let mut first_ready = None;
        for hop in 0..=HOPS {
            let at = (self.options.clock)();
            let body_bytes = limits::ROBOTS_BYTES + 1;
            let result =
                self.fetcher.fetch(&permit, Ask { url: &url, body_bytes, conditions: &[] }).await;
            let rest = match &result {
                Ok(fetched) => self.rest_after(fetched, errors),
                Err(_) => Some(self.backoff(errors)),
            };
            let ready = permit.end(rest.unwrap_or_default());
            let ready = *first_ready.get_or_insert(ready);
            let Ok(fetched) = result else { return (ready, None) };
            let target = reading::redirect(&url, fetched.status, &fetched.headers);
            let copy = match &target {
                Some(_) => None,
                None => reading::robots(&fetched, at),
            };
            // They bind the origin that was asked first, whoever answered in the end.
            let _ = outcomes.send(Outcome::Robots {
                url: url.clone(),
                origin: first.origin().to_owned(),
                at,
                fetched: fetched.into(),
                copy: copy.clone(),
            });
            let Some(target) = target else { return (ready, copy) };
            if hop == HOPS {
                break;
            }
            let Ok(resolved) = self.dns.resolve(&target.host()).await else {
                return (ready, None);
            };
            let host = target.host();
            let waiting = self.politeness.wait(&host, resolved.address);
            // A host that rests for long must not hold this one, nor a place among the fetches.
            let Ok(granted) = tokio::time::timeout(REDIRECT_WAIT, waiting).await else {
                return (ready, None);
            };
            permit = granted;
            url = target;
        }
        (first_ready.unwrap_or_else(Instant::now), None)
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
