//! A batch of changes to the frontier, applied whole or not at all.

use std::collections::HashMap;

use base::log::Position;
use base::{Host, LinkKind, PageId, PageRecord, Timestamp, Url};

use super::{
    Frontier, FrontierError, HostState, Place, RobotsCopy, Standing, TOTALS, Totals, UrlState,
    encode, queue_key, read,
};
use crate::{Failure, HostCounts, Scope};

/// Collects changes; nothing is stored before [`Update::commit`].
///
/// Later changes of a batch see the earlier ones.
pub(crate) struct Update<'a> {
    frontier: &'a Frontier,
    urls: HashMap<Url, UrlState>,
    /// Ids given in this batch.
    ids: HashMap<Url, PageId>,
    hosts: HashMap<Host, HostState>,
    /// Queue entries to write (`Some`) and to remove (`None`).
    queue: HashMap<(Host, Place), Option<Url>>,
    robots: Vec<(String, RobotsCopy)>,
    totals: Totals,
}

/// What a committed batch did to the queues.
#[derive(Debug, Default)]
pub(crate) struct Changes {
    /// Waiting URLs of each host that changed.
    pub(crate) waiting: Vec<(Host, u64)>,
}

/// Redirects followed in a row (RED-02).
const HOPS: u8 = 10;
/// Class of URLs that are tried again: behind everything else of their host.
const RETRY_CLASS: u8 = 200;

impl<'a> Update<'a> {
    pub(super) fn new(frontier: &'a Frontier) -> Self {
        Self {
            frontier,
            urls: HashMap::new(),
            ids: HashMap::new(),
            hosts: HashMap::new(),
            queue: HashMap::new(),
            robots: Vec::new(),
            totals: frontier.totals(),
        }
    }

    /// Returns the id of a page: its old one, or the next.
    pub(crate) fn page_id(&mut self, url: &Url) -> Result<PageId, FrontierError> {
        let known = self.ids.get(url).copied();
        if let Some(page) = known.or(self.url(url)?.and_then(|state| state.page)) {
            return Ok(page);
        }
        let page = PageId::new(0, self.totals.pages).expect("fewer than 2^48 pages");
        self.totals.pages += 1;
        self.ids.insert(url.clone(), page);
        Ok(page)
    }

    /// Adds a seed.
    pub(crate) fn seed(&mut self, url: &Url, now: Timestamp) -> Result<(), FrontierError> {
        if self.url(url)?.is_some() {
            return Ok(());
        }
        // Segment 0 is before every page; the count keeps places apart for ever.
        let found = Position { segment: 0, offset: self.totals.seeds };
        self.totals.seeds += 1;
        let place = Place { class: 0, depth: 0, found, number: 0 };
        self.discover(url, place, None, 0, now)
    }

    /// Applies a page record: the URL is done, its links are known.
    ///
    /// `start` and `end` are the record's place in the page log.
    pub(crate) fn record(
        &mut self,
        record: &PageRecord,
        start: Position,
        end: Position,
        scope: &Scope,
        tries_per_url: u8,
    ) -> Result<(), FrontierError> {
        self.totals.checkpoint = end;
        self.totals.capture = Some(record.capture);
        self.totals.pages = self.totals.pages.max(record.id.index() + 1);
        self.totals.responses += 1;
        self.totals.bytes += record.body_bytes;
        self.totals.fetched += u64::from(record.status == 200);
        let mut state = match self.url(&record.url)? {
            Some(state) => state,
            None => {
                self.know(&record.url.host())?;
                fresh(record.fetched)
            }
        };
        state.page = Some(record.id);
        let standing = Standing::Fetched { status: record.status, at: record.fetched };
        let busy = record.status == 429 || (500..600).contains(&record.status);
        if busy {
            return self.retry(&record.url, state, Failure::ServerBusy, tries_per_url, start);
        }
        state.tries = 0;
        let (depth, hops) = (state.depth, state.hops);
        self.stand(&record.url, state, standing)?;
        self.links(record, start, depth, hops, scope)
    }

    /// Notes that a URL could not be fetched; it is tried again later or given up.
    pub(crate) fn fail(
        &mut self,
        url: &Url,
        failure: Failure,
        tries_per_url: u8,
    ) -> Result<(), FrontierError> {
        self.count(failure.name());
        let Some(state) = self.url(url)? else { return Ok(()) };
        let tries = match failure {
            // A host stays closed, not given up, until its robots.txt can be read (R43).
            Failure::RobotsUnreachable => u8::MAX,
            failure if failure.is_passing() => tries_per_url,
            _ => 0,
        };
        self.retry(url, state, failure, tries, Position::START)
    }

    /// Notes that robots.txt forbids a URL.
    pub(crate) fn forbid(&mut self, url: &Url) -> Result<(), FrontierError> {
        self.count("robots");
        let Some(state) = self.url(url)? else { return Ok(()) };
        self.stand(url, state, Standing::Forbidden)
    }

    /// Keeps the robots.txt of an origin.
    pub(crate) fn robots(&mut self, origin: &str, copy: RobotsCopy) {
        self.robots.push((origin.to_owned(), copy));
    }

    /// Stores everything at once.
    pub(crate) fn commit(self) -> Result<Changes, FrontierError> {
        let frontier = self.frontier;
        let mut batch = frontier.database.batch();
        for (url, state) in &self.urls {
            batch.insert(&frontier.urls, url.surt(), encode(state));
        }
        // Hosts that were only looked at, to judge a link, are not kept.
        for (host, state) in self.hosts.iter().filter(|(_, state)| state.known > 0) {
            batch.insert(&frontier.hosts, host.surt(), encode(state));
        }
        for ((host, place), url) in &self.queue {
            let key = queue_key(host, *place);
            match url {
                Some(url) => batch.insert(&frontier.queue, key, encode(url)),
                None => batch.remove(&frontier.queue, key),
            }
        }
        for (origin, copy) in &self.robots {
            batch.insert(&frontier.robots, origin.as_str(), encode(copy));
        }
        batch.insert(&frontier.meta, TOTALS, encode(&self.totals));
        batch.commit()?;
        *frontier.locked_totals() = self.totals;
        let waiting = self.hosts.into_values().map(|state| (state.host, state.waiting));
        Ok(Changes { waiting: waiting.collect() })
    }

    fn links(
        &mut self,
        record: &PageRecord,
        start: Position,
        depth: u16,
        hops: u8,
        scope: &Scope,
    ) -> Result<(), FrontierError> {
        let redirect = record.redirect.iter().map(|target| (target, true));
        let follow = !record.robots.nofollow;
        let links =
            record.links.iter().filter(|link| follow && is_followed(link.kind, link.rel.nofollow));
        let links = links.map(|link| (&link.target, link.kind == LinkKind::Redirect));
        for (number, (target, is_redirect)) in redirect.chain(links).enumerate() {
            if self.url(target)?.is_some() {
                continue;
            }
            let hops = if is_redirect { hops + 1 } else { 0 };
            if hops > HOPS {
                self.count("redirect-chain");
                continue;
            }
            // A redirect is the same page under another name, not one link further.
            let depth = if is_redirect { depth } else { depth.saturating_add(1) };
            let pages = self.host(&target.host())?.known;
            let counts = HostCounts { pages, ..HostCounts::default() };
            if let Err(reason) = scope.judge(target, depth, &counts) {
                self.count(reason.name());
                continue;
            }
            let number = u16::try_from(number).unwrap_or(u16::MAX);
            let place = Place { class: 0, depth, found: start, number };
            self.discover(target, place, Some(record.id), hops, record.fetched)?;
        }
        Ok(())
    }

    fn discover(
        &mut self,
        url: &Url,
        place: Place,
        from: Option<PageId>,
        hops: u8,
        now: Timestamp,
    ) -> Result<(), FrontierError> {
        let state = UrlState { depth: place.depth, from, hops, ..fresh(now) };
        self.know(&url.host())?;
        self.stand(url, state, Standing::Waiting { place })
    }

    fn retry(
        &mut self,
        url: &Url,
        mut state: UrlState,
        failure: Failure,
        tries_per_url: u8,
        found: Position,
    ) -> Result<(), FrontierError> {
        state.tries = state.tries.saturating_add(1);
        if state.tries >= tries_per_url {
            return self.stand(url, state, Standing::GivenUp { failure });
        }
        let place = match state.standing {
            Standing::Waiting { place } => place,
            _ => Place { class: 0, depth: state.depth, found, number: 0 },
        };
        let place = Place { class: RETRY_CLASS.saturating_add(state.tries), ..place };
        self.stand(url, state, Standing::Waiting { place })
    }

    /// Moves a URL to a new standing and keeps the queue and all counts in step.
    fn stand(
        &mut self,
        url: &Url,
        mut state: UrlState,
        standing: Standing,
    ) -> Result<(), FrontierError> {
        let host = url.host();
        // What is stored decides whether it waits now; `state` may be fresh.
        let before = self.url(url)?.map(|known| known.standing);
        if let Some(Standing::Waiting { place }) = before {
            self.queue.insert((host.clone(), place), None);
            self.host(&host)?.waiting -= 1;
            self.totals.waiting -= 1;
        }
        if let Standing::Waiting { place } = standing {
            self.queue.insert((host.clone(), place), Some(url.clone()));
            self.host(&host)?.waiting += 1;
            self.totals.waiting += 1;
        }
        state.standing = standing;
        self.urls.insert(url.clone(), state);
        Ok(())
    }

    fn url(&self, url: &Url) -> Result<Option<UrlState>, FrontierError> {
        match self.urls.get(url) {
            Some(state) => Ok(Some(state.clone())),
            None => self.frontier.url(url),
        }
    }

    fn host(&mut self, host: &Host) -> Result<&mut HostState, FrontierError> {
        if !self.hosts.contains_key(host) {
            let stored = read(&self.frontier.hosts, "hosts", host.surt().as_bytes())?;
            self.hosts.insert(
                host.clone(),
                stored.unwrap_or(HostState { host: host.clone(), known: 0, waiting: 0 }),
            );
        }
        Ok(self.hosts.get_mut(host).expect("inserted above"))
    }

    /// Counts one more URL of a host.
    fn know(&mut self, host: &Host) -> Result<(), FrontierError> {
        let state = self.host(host)?;
        state.known += 1;
        let is_first = state.known == 1;
        self.totals.known += 1;
        self.totals.hosts += u64::from(is_first);
        Ok(())
    }

    fn count(&mut self, reason: &str) {
        *self.totals.reasons.entry(reason.to_owned()).or_default() += 1;
    }
}

fn fresh(now: Timestamp) -> UrlState {
    UrlState {
        standing: Standing::Fetched { status: 0, at: now },
        depth: 0,
        discovered: now,
        from: None,
        page: None,
        hops: 0,
        tries: 0,
    }
}

/// Pictures and other media are known to the graph, but not fetched as pages.
fn is_followed(kind: LinkKind, nofollow: bool) -> bool {
    !nofollow && kind != LinkKind::Media
}
