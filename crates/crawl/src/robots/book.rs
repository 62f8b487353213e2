//! The rules that are in memory, asked for every URL at the moment it is to be fetched (R50).
//!
//! Bounded in origins and in bytes; the origins used least recently go. What is gone is loaded
//! from the store or asked for again: a verdict without rules is [`Verdict::Unknown`], never
//! "allowed" (ROB-18).

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::time::Duration;

use base::{Timestamp, Url};

use super::copy::Stamp;
use super::{Copy, Robots};

/// Rules by origin.
pub(crate) struct Book {
    token: String,
    limits: Limits,
    entries: HashMap<Arc<str>, Entry>,
    /// Origins by the time of their last use; the numbers only grow.
    by_use: BTreeMap<u64, Arc<str>>,
    uses: u64,
    bytes: usize,
}

/// How much is kept in memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// Origins. Default 50,000: more than are crawled at once; most of them have a few hundred
    /// bytes of rules.
    pub(crate) origins: usize,
    /// Bytes of rules, over all origins. Default 64 MiB.
    pub(crate) bytes: usize,
}

/// What robots.txt says of a URL. `delay` is the rest asked for between two requests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// The file must be asked first; an old one has asked for this delay.
    Unknown { delay: Option<Duration> },
    /// Not to be fetched, because of this line.
    Forbidden { rule: String },
    /// May be fetched.
    Allowed { delay: Option<Duration> },
}

struct Entry {
    robots: Robots,
    stamp: Stamp,
    /// When the file was last asked for in vain.
    tried: Option<Timestamp>,
    used: u64,
    bytes: usize,
}

/// While a file cannot be had, it is asked for again after this time; until then, the last good
/// copy is used. An hour: a server that comes back with new rules is heard soon.
const TRY_AGAIN: Duration = Duration::from_secs(3600);

impl Default for Limits {
    fn default() -> Self {
        Self { origins: 50_000, bytes: 64 * 1024 * 1024 }
    }
}

impl Limits {
    /// Returns limits that leave most of a memory ceiling to others.
    pub(crate) fn within(memory: Option<u64>) -> Self {
        let most = Self::default();
        let share = memory.map(|bytes| usize::try_from(bytes / 16).unwrap_or(usize::MAX));
        Self { bytes: share.map_or(most.bytes, |share| share.min(most.bytes)), ..most }
    }
}

impl Book {
    /// Returns an empty book for the crawler whose name in robots.txt is `token`.
    pub(crate) fn new(token: &str, limits: Limits) -> Self {
        Self {
            token: token.to_owned(),
            limits,
            entries: HashMap::new(),
            by_use: BTreeMap::new(),
            uses: 0,
            bytes: 0,
        }
    }

    /// Says whether a URL may be fetched now.
    ///
    /// `load` is asked for the stored copy of an origin whose rules are not in memory.
    pub(crate) fn judge<E>(
        &mut self,
        url: &Url,
        now: Timestamp,
        load: impl FnOnce(&str) -> Result<Option<Copy>, E>,
    ) -> Result<Verdict, E> {
        let Some(entry) = self.entry(url.origin(), load)? else {
            return Ok(Verdict::Unknown { delay: None });
        };
        let delay = entry.robots.asked_delay();
        if !entry.holds(now) {
            return Ok(Verdict::Unknown { delay });
        }
        Ok(match entry.robots.deciding(url.path_and_query()) {
            Some(deciding) if !deciding.allow => Verdict::Forbidden { rule: deciding.rule },
            _ => Verdict::Allowed { delay },
        })
    }

    /// Takes over a file that was just read, or found unchanged; returns its rules.
    pub(crate) fn keep(&mut self, origin: &str, copy: &Copy) -> &Robots {
        self.remove(origin);
        let origin: Arc<str> = origin.into();
        let robots = Robots::parse(&copy.body, &self.token);
        let bytes = robots.bytes() + size_of::<Entry>() + 2 * origin.len();
        self.make_room(bytes);
        self.uses += 1;
        self.bytes += bytes;
        self.by_use.insert(self.uses, origin.clone());
        let entry = Entry { robots, stamp: copy.stamp(), tried: None, used: self.uses, bytes };
        &self.entries.entry(origin).insert_entry(entry).into_mut().robots
    }

    /// Notes that a file could not be had; returns whether an old copy stays in use (R43).
    ///
    /// If none does, nothing of the origin may be fetched, and [`Self::judge`] keeps saying that
    /// the file must be asked first.
    pub(crate) fn unreachable<E>(
        &mut self,
        origin: &str,
        now: Timestamp,
        load: impl FnOnce(&str) -> Result<Option<Copy>, E>,
    ) -> Result<bool, E> {
        let Some(entry) = self.entry(origin, load)? else { return Ok(false) };
        entry.tried = Some(now);
        Ok(entry.holds(now))
    }

    /// Forgets what the store has as well. It does not have when a file was asked for in vain.
    pub(crate) fn drop_stored(&mut self) {
        let is_stored = |entry: &Entry| entry.tried.is_none();
        let stored = self.entries.iter().filter(|(_, entry)| is_stored(entry));
        for origin in stored.map(|(origin, _)| origin.clone()).collect::<Vec<_>>() {
            self.remove(&origin);
        }
        self.entries.shrink_to_fit();
    }

    /// Returns how many origins are in memory, and how many bytes their rules take.
    #[cfg(test)]
    pub(super) fn size(&self) -> (usize, usize) {
        (self.entries.len(), self.bytes)
    }

    /// Returns the rules of an origin and marks them as used.
    fn entry<E>(
        &mut self,
        origin: &str,
        load: impl FnOnce(&str) -> Result<Option<Copy>, E>,
    ) -> Result<Option<&mut Entry>, E> {
        if !self.entries.contains_key(origin) {
            let Some(copy) = load(origin)? else { return Ok(None) };
            self.keep(origin, &copy);
        }
        let Some(entry) = self.entries.get_mut(origin) else { return Ok(None) };
        self.uses += 1;
        let name = self.by_use.remove(&entry.used).expect("every entry has its place in use");
        self.by_use.insert(self.uses, name);
        entry.used = self.uses;
        Ok(Some(entry))
    }

    /// Forgets what was used least recently until `bytes` more fit.
    ///
    /// The newest rules are kept even if they alone are over the limit: one file is bounded.
    fn make_room(&mut self, bytes: usize) {
        while self.entries.len() >= self.limits.origins.max(1)
            || self.bytes.saturating_add(bytes) > self.limits.bytes
        {
            let Some((_, origin)) = self.by_use.first_key_value() else { return };
            let origin = origin.clone();
            self.remove(&origin);
        }
    }

    fn remove(&mut self, origin: &str) {
        if let Some(entry) = self.entries.remove(origin) {
            self.by_use.remove(&entry.used);
            self.bytes -= entry.bytes;
        }
    }
}

impl Entry {
    /// Returns whether the rules may be used without asking for the file first.
    fn holds(&self, now: Timestamp) -> bool {
        let tried_in_vain = self.tried.is_some_and(|at| at <= now && now.since(at) < TRY_AGAIN);
        self.stamp.is_fresh(now) || tried_in_vain && self.stamp.is_usable(now)
    }
}
