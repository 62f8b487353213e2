//! A batch of changes to the frontier, applied whole or not at all.

use std::cell::RefCell;
use std::sync::PoisonError;

use base::log::Position;
use base::{ContentKind, Host, Oddity, PageId, PageRecord, Site, Timestamp, Url};

use super::again::Visits;
use super::near::Near;
use super::suspects::Suspects;
use super::{
    Batch, Census, Class, Frontier, FrontierError, HostState, Lane, Lookup, Place, Queued, Role,
    SiteState, Standing, TOTALS, Totals, Turn, UrlState, encode, queue_key,
};
use crate::fetch::Refusal;
use crate::importance::Fingerprint;
use crate::robots::Copy as RobotsCopy;
use crate::{Failure, Options};

/// Collects changes; nothing is stored before [`Update::commit`].
///
/// Later changes of a batch see the earlier ones.
pub(crate) struct Update<'a> {
    pub(super) frontier: &'a Frontier,
    urls: Lookup<Url, UrlState>,
    /// What the store has said of URLs, known or not: each is asked for several times on its way.
    stored: RefCell<Lookup<Url, Option<UrlState>>>,
    /// Ids given in this batch.
    ids: Lookup<Url, PageId>,
    pub(super) names: Lookup<PageId, Url>,
    hosts: Lookup<Host, Touched>,
    sites: Lookup<Site, SiteState>,
    /// Queue entries to write (`Some`) and to remove (`None`).
    queue: Lookup<(Host, Lane, Place), Option<Queued>>,
    pub(super) texts: Lookup<u128, PageId>,
    pub(super) near: Near,
    pub(super) suspects: Suspects,
    pub(super) aliases: Vec<(Url, Url)>,
    pub(super) lessons: Lookup<String, Vec<u8>>,
    robots: Vec<(String, RobotsCopy)>,
    pub(super) visits: Visits,
    /// The time of day; only for what is put off.
    pub(crate) now: Timestamp,
    pub(super) totals: Totals,
    census: Census,
    /// Links that an earlier scope left out are judged again.
    pub(super) judges_again: bool,
}

/// A host as this batch leaves it.
struct Touched {
    state: HostState,
    /// Its turn as the store has it.
    stored_turn: Option<Turn>,
    is_changed: bool,
    /// The first new place in its queue.
    lowest: Option<Place>,
    /// The same of pages that are fetched again.
    lowest_again: Option<Place>,
}

/// What a committed batch did to the queues.
#[derive(Debug, Default)]
pub(crate) struct Changes {
    pub(crate) hosts: Vec<HostChange>,
    /// Outcomes that are durable now; the committer counts them.
    pub(crate) num_outcomes: usize,
    /// Of these, pages that went into the archive.
    pub(crate) num_archived: usize,
    /// Pages that are due have come into the queues.
    pub(crate) is_renewed: bool,
}

/// What a batch did to one host.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct HostChange {
    pub(crate) host: Host,
    /// URLs that wait now.
    pub(crate) waiting: u64,
    /// Of these, how many are fetched again.
    pub(crate) again: u64,
    /// The first place that was filled, if one was, and the same of pages that are fetched again.
    pub(crate) lowest: Option<Place>,
    pub(crate) lowest_again: Option<Place>,
    /// The host has used up its budget, or is slowed as a mirror.
    pub(crate) is_exhausted: bool,
    /// One page at a time is read of it.
    pub(crate) is_watched: bool,
    /// At rest until then.
    pub(crate) rests_until: Timestamp,
    /// Responses and bytes fetched so far.
    pub(crate) responses: u64,
    pub(crate) bytes: u64,
    /// Responses that told something new.
    pub(crate) useful: u64,
}

impl<'a> Update<'a> {
    pub(super) fn new(frontier: &'a Frontier) -> Self {
        Self {
            frontier,
            urls: Lookup::default(),
            stored: RefCell::default(),
            ids: Lookup::default(),
            names: Lookup::default(),
            hosts: Lookup::default(),
            sites: Lookup::default(),
            queue: Lookup::default(),
            texts: Lookup::default(),
            near: Near::default(),
            suspects: Suspects::default(),
            aliases: Vec::new(),
            lessons: Lookup::default(),
            robots: Vec::new(),
            visits: Visits::default(),
            now: Timestamp::default(),
            totals: frontier.totals(),
            census: frontier.census(),
            judges_again: false,
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
        self.give(url, page);
        Ok(page)
    }

    fn give(&mut self, url: &Url, page: PageId) {
        self.ids.insert(url.clone(), page);
        self.names.insert(page, url.clone());
    }

    /// Adds a seed; a host that failed is tried again at once, because a person asks for it.
    pub(crate) fn seed(&mut self, url: &Url, now: Timestamp) -> Result<(), FrontierError> {
        let host = self.host(&url.host())?;
        host.is_seed = true;
        if host.failure.take().is_some() {
            (host.rests_until, host.errors, host.turn) = (Timestamp::default(), 0, None);
        }
        if let Some(mut state) = self.url(url)? {
            if state.depth > 0 {
                state.depth = 0;
                let standing = state.standing.clone();
                self.stand(url, state, standing)?;
            }
            return Ok(());
        }
        // Segment 0 is before every page; the count keeps places apart for ever.
        let found = Position { segment: 0, offset: self.totals.seeds };
        self.totals.seeds += 1;
        let place = Place { class: Class::FIRST, order: 0, found, number: 0 };
        self.discover(url, place, fresh(now))
    }

    /// Applies a page record: the URL is done, its links are known.
    ///
    /// `start` and `end` are the record's place in the page log.
    pub(crate) fn record(
        &mut self,
        record: &PageRecord,
        start: Position,
        end: Position,
        options: &Options,
    ) -> Result<(), FrontierError> {
        self.totals.checkpoint = end;
        self.totals.capture = self.totals.capture.max(Some(record.capture));
        self.totals.pages = self.totals.pages.max(record.id.index() + 1);
        self.give(&record.url, record.id);
        let mut state = match self.url(&record.url)? {
            Some(state) => state,
            None => {
                self.know(&record.url.host())?;
                UrlState { role: role_of(record), ..fresh(record.fetched) }
            }
        };
        let history = match state.page.replace(record.id) {
            Some(_) => self.history(&record.url)?,
            None => None,
        };
        if record.oddities.contains(&Oddity::Forgotten) {
            self.near.forget(record.id);
            state.again = None;
            self.set_history(&record.url, None)?;
            return self.stand(&record.url, state, Standing::Forgotten);
        }
        if let Standing::Fetched { capture, copy_of, record: said, .. } = &mut state.standing
            && *capture == record.capture
            && record.status == 200
        {
            // Not fetched again: said anew, because its original has turned up since.
            (*copy_of, *said) = (record.copy_of, start);
            self.totals.copies += u64::from(record.copy_of.is_some());
            let standing = state.standing.clone();
            return self.stand(&record.url, state, standing);
        }
        state.again = None;
        self.tally(record, &state, history.is_some());
        let busy = record.status == 429 || (500..600).contains(&record.status);
        if busy {
            self.host(&record.url.host())?.responses += 1;
            let tries = options.politeness.tries_per_url;
            return self.retry(&record.url, state, Failure::ServerBusy, tries, start);
        }
        state.tries = 0;
        let standing = Standing::Fetched {
            status: record.status,
            at: record.fetched,
            capture: record.capture,
            record: start,
            copy_of: record.copy_of,
            redirect: record.redirect.clone(),
        };
        if let Some(refusal) = Refusal::of(&record.oddities) {
            self.count(refusal.name());
        }
        self.stand(&record.url, state.clone(), standing)?;
        let known = self.totals.known;
        match &history {
            None => self.learn(record, &state, start, options)?,
            Some(history) => self.learn_again(record, history)?,
        }
        self.follow(record, start, &state, options)?;
        self.visited(record, state.role, history, self.totals.known > known, options)
    }

    /// Counts a response; `is_again` if the page was there before.
    fn tally(&mut self, record: &PageRecord, state: &UrlState, is_again: bool) {
        let was_copy = matches!(state.standing, Standing::Fetched { copy_of: Some(_), .. });
        let is_page = record.status == 200 && state.role == Role::Page;
        self.census.response(record);
        let totals = &mut self.totals;
        totals.responses += 1;
        totals.bytes += record.body_bytes;
        totals.fetched += u64::from(is_page && !is_again);
        totals.again += u64::from(is_again);
        totals.copies += u64::from(record.copy_of.is_some());
        totals.copies -= u64::from(was_copy).min(totals.copies);
    }

    /// Looks through the links of a page again, because the scope has changed since.
    pub(crate) fn judge_again(
        &mut self,
        record: &PageRecord,
        start: Position,
        options: &Options,
    ) -> Result<(), FrontierError> {
        let Some(state) = self.url(&record.url)? else { return Ok(()) };
        self.judges_again = true;
        self.follow(record, start, &state, options)
    }

    /// Remembers by which scope links were judged; returns whether it is another one than before.
    pub(crate) fn set_scope(&mut self, fingerprint: u64) -> bool {
        let before = self.totals.scope.replace(fingerprint);
        before.is_some_and(|before| before != fingerprint)
    }

    /// Marks a URL as taken out on request (C18).
    pub(super) fn forget(&mut self, url: &Url, page: PageId) -> Result<(), FrontierError> {
        self.totals.pages = self.totals.pages.max(page.index() + 1);
        // One that is known only from the page log belongs to a frontier that was made anew.
        let Some(state) = self.url(url)? else { return Ok(()) };
        self.give(url, page);
        self.near.forget(page);
        self.set_history(url, None)?;
        self.stand(url, UrlState { page: Some(page), again: None, ..state }, Standing::Forgotten)
    }

    /// Sends a host to rest until a moment; `failure` says why, if it failed.
    pub(crate) fn rest(
        &mut self,
        host: &Host,
        until: Timestamp,
        errors: u32,
        failure: Option<Failure>,
    ) -> Result<(), FrontierError> {
        // URLs that wait for a robots.txt are counted one by one.
        if let Some(failure) = failure.filter(|failure| *failure != Failure::RobotsUnreachable) {
            self.count(failure.name());
        }
        let state = self.host(host)?;
        state.rests_until = until;
        state.errors = errors;
        state.failure = failure.or(state.failure);
        if state.turn.is_some() {
            state.turn = Some(Turn::Resting { until });
        }
        Ok(())
    }

    /// Notes that a host has been asked for its robots.txt, and until when it rests for that.
    ///
    /// Pages say so by themselves, but the next run may begin before the first of them.
    pub(crate) fn asked(&mut self, host: &Host, until: Timestamp) -> Result<(), FrontierError> {
        let state = self.host(host)?;
        state.rests_until = state.rests_until.max(until);
        Ok(())
    }

    /// Sends a host to the end of its front queue.
    pub(crate) fn rotate(&mut self, host: &Host) -> Result<(), FrontierError> {
        let mut best = Class::LAST;
        for lane in [Lane::New, Lane::Again] {
            let first = self.frontier.waiting((host, lane), None, 1, |_| false)?;
            best = first.first().map_or(best, |waiting| best.min(waiting.place.class));
        }
        let state = self.host(host)?;
        (state.best, state.turn) = (best, None);
        Ok(())
    }

    /// Keeps the robots.txt of an origin.
    pub(crate) fn robots(&mut self, origin: &str, copy: RobotsCopy) {
        self.robots.push((origin.to_owned(), copy));
    }

    /// Stores everything at once.
    pub(crate) fn commit(mut self) -> Result<Changes, FrontierError> {
        self.settle_groups()?;
        let frontier = self.frontier;
        let mut batch = Batch::new(&frontier.database);
        for (url, state) in &self.urls {
            batch.insert(&frontier.urls, url.surt(), encode(state));
        }
        for (url, id) in &self.ids {
            batch.insert(&frontier.ids, id.as_u64().to_be_bytes(), encode(url));
        }
        let mut changes = Changes::default();
        // Hosts that were only looked at, to judge a link, are not kept. The others get their
        // turns in the order in which their URLs were found: seeds in the order given.
        let mut hosts: Vec<_> =
            self.hosts.iter_mut().filter(|(_, touched)| touched.is_changed).collect();
        hosts.sort_unstable_by_key(|(_, touched)| touched.found());
        for (host, touched) in hosts {
            touched.settle(&mut self.totals.turns);
            let state = &touched.state;
            if touched.stored_turn != state.turn {
                if let Some(turn) = touched.stored_turn {
                    batch.remove(&frontier.turns, turn.key(host));
                }
                if let Some(turn) = state.turn {
                    batch.insert(&frontier.turns, turn.key(host), encode(host));
                }
            }
            batch.insert(&frontier.hosts, host.surt(), encode(state));
            changes.hosts.push(touched.change());
        }
        for (site, state) in &self.sites {
            batch.insert(&frontier.sites, site.as_str(), encode(state));
        }
        for ((host, lane, place), queued) in &self.queue {
            let (key, queue) = (queue_key(host, *place), frontier.lane(*lane));
            match queued {
                Some(queued) => batch.insert(queue, key, encode(queued)),
                None => batch.remove(queue, key),
            }
        }
        self.visits.store(frontier, &self.texts, &mut batch);
        for (hash, page) in &self.texts {
            batch.insert(&frontier.texts, hash.to_be_bytes(), encode(page));
        }
        self.near.store(frontier, &mut batch);
        self.suspects.store(frontier, &mut batch);
        for (canonical, alias) in &self.aliases {
            batch.insert(&frontier.aliases, super::copies::alias_key(canonical, alias), []);
        }
        for (name, lessons) in &self.lessons {
            batch.insert(&frontier.lessons, name.as_str(), lessons.as_slice());
        }
        for (origin, copy) in &self.robots {
            batch.insert(&frontier.robots, origin.as_str(), encode(copy));
        }
        batch.insert(&frontier.meta, TOTALS, encode(&self.totals));
        self.census.store(frontier, &mut batch);
        batch.commit(&frontier.written)?;
        *frontier.locked_totals() = self.totals;
        *frontier.census.lock().unwrap_or_else(PoisonError::into_inner) = self.census;
        Ok(changes)
    }

    /// Makes a URL known and queues it.
    pub(super) fn discover(
        &mut self,
        url: &Url,
        place: Place,
        state: UrlState,
    ) -> Result<(), FrontierError> {
        if self.url(url)?.is_none() {
            self.know(&url.host())?;
        }
        self.frontier.memory().seen.insert(Fingerprint::of(url));
        self.stand(url, state, Standing::Waiting { place })
    }

    /// Moves a URL to a new standing and keeps the queue and all counts in step.
    pub(super) fn stand(
        &mut self,
        url: &Url,
        mut state: UrlState,
        standing: Standing,
    ) -> Result<(), FrontierError> {
        let host = url.host();
        // What is stored decides whether it waits now; `state` may be fresh.
        let before = self.url(url)?.and_then(|known| known.queued());
        if let Some((lane, place)) = before {
            self.queue.insert((host.clone(), lane, place), None);
            let state = self.host(&host)?;
            state.waiting -= 1;
            state.again -= u64::from(lane == Lane::Again);
            self.totals.waiting -= 1;
            self.census.left(place);
        }
        state.standing = standing;
        if matches!(state.standing, Standing::Waiting { .. }) {
            state.again = None;
        }
        if let Some((lane, place)) = state.queued() {
            let queued = Queued { url: url.clone(), depth: state.depth, role: state.role };
            self.queue.insert((host.clone(), lane, place), Some(queued));
            self.totals.waiting += 1;
            self.census.came(place);
            let host = self.host(&host)?;
            host.waiting += 1;
            host.again += u64::from(lane == Lane::Again);
            self.touched(url, lane, place);
        }
        self.urls.insert(url.clone(), state);
        Ok(())
    }

    /// Notes that a place in a host's queue was filled; the host was changed before.
    fn touched(&mut self, url: &Url, lane: Lane, place: Place) {
        let touched = self.hosts.get_mut(&url.host()).expect("`host` has touched it");
        touched.state.best = touched.state.best.min(place.class);
        let lowest = match lane {
            Lane::New => &mut touched.lowest,
            Lane::Again => &mut touched.lowest_again,
        };
        *lowest = Some(lowest.map_or(place, |lowest| lowest.min(place)));
    }

    pub(super) fn url(&self, url: &Url) -> Result<Option<UrlState>, FrontierError> {
        if let Some(state) = self.urls.get(url) {
            return Ok(Some(state.clone()));
        }
        if let Some(stored) = self.stored.borrow().get(url) {
            return Ok(stored.clone());
        }
        let stored = self.frontier.url(url)?;
        self.stored.borrow_mut().insert(url.clone(), stored.clone());
        Ok(stored)
    }

    /// Returns what is known of a URL that has not been forgotten meanwhile.
    pub(super) fn remembered(&self, url: &Url) -> Result<Option<UrlState>, FrontierError> {
        let state = self.url(url)?;
        Ok(state.filter(|state| state.standing != Standing::Forgotten))
    }

    /// Returns a host's state to be changed.
    pub(super) fn host(&mut self, host: &Host) -> Result<&mut HostState, FrontierError> {
        let touched = self.touch(host)?;
        touched.is_changed = true;
        Ok(&mut touched.state)
    }

    /// Returns a host's state to be looked at.
    pub(super) fn peek(&mut self, host: &Host) -> Result<&HostState, FrontierError> {
        Ok(&self.touch(host)?.state)
    }

    /// Returns the hosts that this batch changes.
    pub(super) fn changed_hosts(&self) -> impl Iterator<Item = &HostState> {
        self.hosts.values().filter(|touched| touched.is_changed).map(|touched| &touched.state)
    }

    fn touch(&mut self, host: &Host) -> Result<&mut Touched, FrontierError> {
        if !self.hosts.contains_key(host) {
            let stored = self.frontier.host(host)?;
            let state = stored.unwrap_or_else(|| HostState::new(host.clone()));
            let stored_turn = state.turn;
            let touched =
                Touched { state, stored_turn, is_changed: false, lowest: None, lowest_again: None };
            self.hosts.insert(host.clone(), touched);
        }
        Ok(self.hosts.get_mut(host).expect("inserted above"))
    }

    pub(super) fn site(&mut self, site: &Site) -> Result<&mut SiteState, FrontierError> {
        if !self.sites.contains_key(site) {
            self.sites.insert(site.clone(), self.frontier.site(site)?);
        }
        Ok(self.sites.get_mut(site).expect("inserted above"))
    }

    /// Counts one more URL of a host.
    fn know(&mut self, host: &Host) -> Result<(), FrontierError> {
        let state = self.host(host)?;
        state.known += 1;
        let is_first = u64::from(state.known == 1);
        self.totals.known += 1;
        self.totals.hosts += is_first;
        let site = self.site(&host.site())?;
        site.known += 1;
        site.hosts += is_first;
        Ok(())
    }
}

impl Touched {
    /// Returns what the scheduler must know of it.
    fn change(&self) -> HostChange {
        let state = &self.state;
        HostChange {
            host: state.host.clone(),
            waiting: state.waiting,
            again: state.again,
            lowest: self.lowest,
            lowest_again: self.lowest_again,
            is_exhausted: state.is_exhausted() || state.is_slowed(),
            is_watched: state.is_watched(),
            rests_until: state.rests_until,
            responses: state.responses,
            bytes: state.bytes,
            useful: state.useful,
        }
    }

    /// Returns where the first of its new URLs was found; hosts without any come last.
    fn found(&self) -> (Position, u16) {
        let last = (Position { segment: u32::MAX, offset: u64::MAX }, u16::MAX);
        self.lowest.map_or(last, |lowest| (lowest.found, lowest.number))
    }

    /// Gives the host the turn that its state asks for.
    fn settle(&mut self, turns: &mut u64) {
        let state = &mut self.state;
        if let Some(moment) = state.looked_at().filter(|_| state.waiting > 0) {
            state.turn = Some(Turn::Slowed { until: moment.max(state.rests_until) });
            return;
        }
        if state.waiting == 0 || state.is_exhausted() {
            state.turn = None;
            if state.waiting == 0 {
                state.best = Class::LAST;
            }
            return;
        }
        let in_line = |turns: &mut u64| {
            *turns += 1;
            Some(Turn::InLine { class: state.best, order: *turns })
        };
        match state.turn {
            None if state.failure.is_some() => {
                state.turn = Some(Turn::Resting { until: state.rests_until });
            }
            None => state.turn = in_line(turns),
            Some(Turn::InLine { class, .. }) if state.best < class => state.turn = in_line(turns),
            Some(_) => {}
        }
    }
}

/// Returns what the URL of a record was asked for, where the frontier does not know it any more: a
/// sitemap that robots.txt named must not come back as a page after a power loss (STO-03).
fn role_of(record: &PageRecord) -> Role {
    match record.kind {
        ContentKind::Sitemap => Role::Sitemap { level: 0 },
        _ => Role::Page,
    }
}

pub(super) fn fresh(now: Timestamp) -> UrlState {
    UrlState {
        standing: Standing::Forbidden,
        depth: 0,
        discovered: now,
        from: None,
        page: None,
        hops: 0,
        tries: 0,
        role: Role::Page,
        speaks_for: Vec::new(),
        again: None,
    }
}
