//! Pages that are fetched again (C15): when they are due, where they wait, what a visit changes.
//!
//! Every page that was there has a [`History`], and a place in `due` by the moment of its next
//! visit. When that has come, it moves to the second queue of its host, ordered by importance; its
//! standing and its page record stay what they are until an answer says otherwise.
//!
//! The page log tells of visits that brought another page; visits that brought nothing new are in
//! the archive only. A frontier that is made again from the log therefore has lost these, and what
//! servers said for conditional questions: the next visit to each page is an unconditional one.

use base::{Capture, Oddity, PageId, PageRecord, Timestamp, Url};
use hyper::header::HeaderMap;

use super::update::Update;
use super::{
    Arrived, Batch, Class, Frontier, FrontierError, History, Lookup, Place, Role, Standing,
    UrlState, decode, encode, read,
};
use crate::Options;
use crate::importance::Fingerprint;

/// What a batch changes about visits.
#[derive(Default)]
pub(super) struct Visits {
    /// `None` for a page that is forgotten.
    histories: Lookup<Url, Option<History>>,
    /// Moments at which pages become due (`true`) or do not any more.
    due: Lookup<(Timestamp, Url), bool>,
    /// What came with the responses whose records are to be applied.
    arrived: Lookup<Url, Arrived>,
    /// Texts that their first page does not have any more.
    dropped: Vec<u128>,
}

/// Front queues by which a page that is fetched again stands behind new ones that matter as much:
/// two halve its host's share of the turns.
const BEHIND: i8 = -2;

impl Visits {
    /// Adds the changes to what is stored with the batch.
    pub(super) fn store(
        &self,
        frontier: &Frontier,
        texts: &Lookup<u128, PageId>,
        batch: &mut Batch,
    ) {
        for (url, history) in &self.histories {
            match history {
                Some(history) => batch.insert(&frontier.visits, url.surt(), encode(history)),
                None => batch.remove(&frontier.visits, url.surt()),
            }
        }
        for ((moment, url), is_due) in &self.due {
            match is_due {
                true => batch.insert(&frontier.due, due_key(*moment, url), []),
                false => batch.remove(&frontier.due, due_key(*moment, url)),
            }
        }
        for text in self.dropped.iter().filter(|text| !texts.contains_key(*text)) {
            batch.remove(&frontier.texts, text.to_be_bytes());
        }
    }
}

impl Update<'_> {
    /// Hands over what came with the response of a URL, before its record is applied.
    pub(crate) fn arrived(&mut self, url: &Url, arrived: Option<Arrived>) {
        self.visits.arrived.extend(arrived.map(|arrived| (url.clone(), arrived)));
    }

    /// Brings pages that are due into the queues of their hosts, at most `limit` of them.
    pub(crate) fn renew(&mut self, limit: usize, options: &Options) -> Result<(), FrontierError> {
        let due = self.frontier.due_until(self.now, limit)?;
        // Only here, where all changes are made: none is under way that lies before.
        self.frontier.memory().due_from = due.first().map_or(self.now, |(moment, _)| *moment);
        for (moment, url) in due {
            self.visits.due.insert((moment, url.clone()), false);
            let Some(mut history) = self.history(&url)? else { continue };
            history.due = None;
            self.set_history(&url, Some(history))?;
            let Some(state) = self.url(&url)? else { continue };
            let Standing::Fetched { record, .. } = state.standing else { continue };
            let cash = self.frontier.memory().importance.held(Fingerprint::of(&url));
            let moved = options.rules.adjust(&url).saturating_add(BEHIND);
            let class = Class::of_importance(cash).moved(moved);
            let order = u64::try_from(moment.as_millis()).unwrap_or(0);
            let place = Place { class, order, found: record, number: 0 };
            let standing = state.standing.clone();
            self.stand(&url, UrlState { again: Some(place), ..state }, standing)?;
        }
        Ok(())
    }

    /// Notes an answer that brought nothing new; `capture` is its revisit record. The page, its
    /// record and what is indexed of it stay as they are.
    pub(crate) fn revisited(
        &mut self,
        url: &Url,
        (at, capture): (Timestamp, Capture),
        headers: &HeaderMap,
        options: &Options,
    ) -> Result<(), FrontierError> {
        self.totals.capture = self.totals.capture.max(Some(capture));
        let Some(state) = self.remembered(url)? else { return Ok(()) };
        let Some(mut history) = self.history(url)? else { return Ok(()) };
        if at <= history.visited {
            // Known before the frontier was made again.
            return Ok(());
        }
        self.totals.again += 1;
        if let Some(arrived) = &mut history.arrived {
            arrived.validators = arrived.validators.renewed(headers, at);
        }
        history.unchanged(at, &options.again);
        self.set_history(url, Some(history))?;
        self.answered(url)?;
        let standing = state.standing.clone();
        self.stand(url, UrlState { again: None, tries: 0, ..state }, standing)
    }

    /// Learns what there is to learn from a page that was read before: nothing about its host.
    pub(super) fn learn_again(
        &mut self,
        record: &PageRecord,
        history: &History,
    ) -> Result<(), FrontierError> {
        self.answered(&record.url)?;
        let is_first = self.first_with(history.text)? == Some(record.id);
        if history.text != record.text_hash && is_first {
            self.visits.dropped.push(history.text);
        }
        if record.sketch.0.is_empty() {
            // What it said before is not to be compared with others any more.
            self.near.forget(record.id);
        }
        self.remember(record)
    }

    /// Notes a visit whose record has been applied, and when the next one is due.
    pub(super) fn visited(
        &mut self,
        record: &PageRecord,
        role: Role,
        history: Option<History>,
        brought_more: bool,
        options: &Options,
    ) -> Result<(), FrontierError> {
        let arrived = self.visits.arrived.remove(&record.url);
        let is_there = record.status == 200 && !record.oddities.contains(&Oddity::SoftMissing);
        let before = history.as_ref().and_then(|history| history.due);
        let history = match history {
            _ if role == Role::Probe => return Ok(()),
            None if !is_there => return Ok(()),
            None => History::first(record, arrived, &options.again),
            Some(mut history) => {
                match is_there {
                    true => history.read_again(record, arrived, brought_more, &options.again),
                    false => history.missed(record.fetched, &options.again),
                }
                history
            }
        };
        // What there was has been read; of a new page the store need not be asked.
        self.replace_history(&record.url, before, Some(history));
        Ok(())
    }

    /// Takes a page out of the queue of those that are fetched again, until the next time.
    pub(super) fn put_off(&mut self, url: &Url, state: UrlState) -> Result<(), FrontierError> {
        if let Some(mut history) = self.history(url)? {
            history.put_off(self.now);
            self.set_history(url, Some(history))?;
        }
        let standing = state.standing.clone();
        self.stand(url, UrlState { again: None, tries: 0, ..state }, standing)
    }

    /// Returns what visits to a page have taught.
    pub(super) fn history(&self, url: &Url) -> Result<Option<History>, FrontierError> {
        match self.visits.histories.get(url) {
            Some(history) => Ok(history.clone()),
            None => self.frontier.history(url),
        }
    }

    /// Keeps a history and its moment in step.
    pub(super) fn set_history(
        &mut self,
        url: &Url,
        history: Option<History>,
    ) -> Result<(), FrontierError> {
        let before = self.history(url)?;
        if before.is_none() && history.is_none() {
            return Ok(());
        }
        self.replace_history(url, before.and_then(|before| before.due), history);
        Ok(())
    }

    /// The same; `before` is when the page was due, if it was.
    fn replace_history(&mut self, url: &Url, before: Option<Timestamp>, history: Option<History>) {
        if let Some(moment) = before {
            self.visits.due.insert((moment, url.clone()), false);
        }
        if let Some(moment) = history.as_ref().and_then(|history| history.due) {
            let from = &mut self.frontier.memory().due_from;
            *from = moment.min(*from);
            self.visits.due.insert((moment, url.clone()), true);
        }
        self.visits.histories.insert(url.clone(), history);
    }

    /// Notes that a host has answered.
    fn answered(&mut self, url: &Url) -> Result<(), FrontierError> {
        let host = self.host(&url.host())?;
        (host.errors, host.failure) = (0, None);
        Ok(())
    }
}

impl Frontier {
    /// Returns what visits to a page have taught; `None` if it was never there.
    pub(crate) fn history(&self, url: &Url) -> Result<Option<History>, FrontierError> {
        read(&self.visits, "visits", url.surt().as_bytes())
    }

    /// Returns whether a page is due that does not wait in a queue yet.
    pub(crate) fn has_due(&self, now: Timestamp) -> Result<bool, FrontierError> {
        Ok(!self.due_until(now, 1)?.is_empty())
    }

    /// Takes over what another frontier knows of visits to the same pages: no page log has it.
    pub(crate) fn take_visits(&self, other: &Self) -> Result<(), FrontierError> {
        let mut update = self.update();
        for (number, guard) in other.visits.iter().enumerate() {
            let (key, value) = guard.into_inner()?;
            let known: History = decode(&value, "visits")?;
            let Some(url) = std::str::from_utf8(&key).ok().and_then(Url::from_surt) else {
                return Err(FrontierError::Value { keyspace: "visits" });
            };
            if let Some(history) = update.history(&url)? {
                update.set_history(&url, Some(history.with_visits_of(&known)))?;
            }
            if number % 1000 == 999 {
                update.commit()?;
                update = self.update();
            }
        }
        update.commit()?;
        Ok(())
    }

    pub(super) fn due_until(
        &self,
        now: Timestamp,
        limit: usize,
    ) -> Result<Vec<(Timestamp, Url)>, FrontierError> {
        let mut due = Vec::new();
        let from = moment_key(self.memory().due_from);
        for guard in self.due.range(from..).take(limit) {
            let (moment, url) = due_of(&guard.key()?)?;
            if moment > now {
                break;
            }
            due.push((moment, url));
        }
        Ok(due)
    }

    /// Returns what does not fit between histories, moments and pages.
    pub(super) fn check_visits(&self, problems: &mut Vec<String>) -> Result<(), FrontierError> {
        for guard in self.due.iter() {
            let (moment, url) = due_of(&guard.key()?)?;
            if self.history(&url)?.and_then(|history| history.due) != Some(moment) {
                problems.push(format!("`{url}` is due at a moment that its history does not name"));
            }
        }
        for guard in self.visits.iter() {
            let (key, value) = guard.into_inner()?;
            let history: History = decode(&value, "visits")?;
            let url = std::str::from_utf8(&key).ok().and_then(Url::from_surt);
            let url = url.ok_or(FrontierError::Value { keyspace: "visits" })?;
            if self.url(&url)?.is_none_or(|state| state.page.is_none()) {
                problems.push(format!("`{url}` has a history, but is no page"));
            }
            if let Some(moment) = history.due
                && self.due.get(due_key(moment, &url))?.is_none()
            {
                problems.push(format!("`{url}` has a next visit, but is not due"));
            }
        }
        Ok(())
    }
}

fn due_key(moment: Timestamp, url: &Url) -> Vec<u8> {
    [&moment_key(moment), url.surt().as_bytes()].concat()
}

fn moment_key(moment: Timestamp) -> [u8; 8] {
    u64::try_from(moment.as_millis()).unwrap_or(0).to_be_bytes()
}

fn due_of(key: &[u8]) -> Result<(Timestamp, Url), FrontierError> {
    let wrong = FrontierError::Value { keyspace: "due" };
    let Some((millis, surt)) = key.split_first_chunk() else { return Err(wrong) };
    let millis = i64::try_from(u64::from_be_bytes(*millis)).unwrap_or(i64::MAX);
    let url = std::str::from_utf8(surt).ok().and_then(Url::from_surt).ok_or(wrong)?;
    Ok((Timestamp::from_millis(millis), url))
}
