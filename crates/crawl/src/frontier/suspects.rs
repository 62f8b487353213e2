//! Suspected mirrors wait while one of them is read on (LNK-10); module `mirror` has the rules.
//!
//! ```text
//! groups   leader's surt                 → Group
//! suspects leader's surt | 0 | host surt → Host      those that wait to be read on
//! ```
//! All of this follows from the records of the page log, so a frontier that is made again from
//! it comes to the same suspects; only rests, which no log holds, may make another one the reader.
//! Cost: a lookup or two for each page that repeats one of another host at the same path; nothing
//! for others. In memory are only the groups that a batch touches.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use base::{Host, PageRecord, Timestamp, Url};

use super::mirror::{FIRST_PAGES, FirstPage, Group, Hold, LISTED, Look, Mirror, face};
use super::update::Update;
use super::{Batch, Frontier, FrontierError, HostState, Standing, decode, encode, read};
use crate::learn::Outcome;

/// Responses of a host among which a page makes it a suspect; later it is judged by itself.
const FIRST_RESPONSES: u64 = 8;
/// Waiting hosts looked through for one that can be read.
const TRIED: usize = 64;

/// What a batch changes in the groups.
#[derive(Default)]
pub(super) struct Suspects {
    groups: HashMap<Host, Group>,
    /// By leader and host: whether it waits.
    listed: BTreeMap<(Host, Host), bool>,
    /// Leaders of groups in which someone else may be read on now.
    stirred: BTreeSet<Host>,
}

impl Suspects {
    /// Adds the changes to what is stored with the batch.
    pub(super) fn store(&self, frontier: &Frontier, batch: &mut Batch) {
        let has_members = |(_, group): &(&Host, &Group)| group.members > 0;
        for (leader, group) in self.groups.iter().filter(has_members) {
            batch.insert(&frontier.groups, leader.surt(), encode(group));
        }
        for ((leader, host), is_listed) in &self.listed {
            let key = suspect_key(leader, host);
            match is_listed {
                true => batch.insert(&frontier.suspects, key, encode(host)),
                false => batch.remove(&frontier.suspects, key),
            }
        }
    }
}

impl HostState {
    /// Returns whether it is out of rotation as a mirror, but for single pages.
    pub(crate) fn is_slowed(&self) -> bool {
        self.mirror.as_ref().is_some_and(Mirror::is_slowed)
    }

    /// Returns whether one page at a time is read of it.
    pub(crate) fn is_watched(&self) -> bool {
        self.mirror.as_ref().is_some_and(Mirror::is_watched)
    }

    /// Returns whether it cannot be counted on to be read soon.
    fn is_in_trouble(&self) -> bool {
        self.failure.is_some() || self.errors >= 2
    }

    /// Returns when it is visited next, if it is slowed.
    pub(crate) fn looked_at(&self) -> Option<Timestamp> {
        self.mirror.as_ref().filter(|mirror| mirror.is_slowed()).map(|mirror| mirror.look_at)
    }
}

impl Update<'_> {
    /// Compares a page with those of other hosts: what does it say of its host?
    pub(super) fn compare_hosts(
        &mut self,
        record: &PageRecord,
        outcome: &Outcome<'_>,
    ) -> Result<(), FrontierError> {
        let host = record.url.host();
        let was_slowed = self.peek(&host)?.is_slowed();
        let mut found = Look::Nothing;
        match outcome {
            Outcome::CopyOf(original) | Outcome::NearCopyOf(original)
                if original.host() != host
                    && original.path_and_query() == record.url.path_and_query() =>
            {
                self.has_same(record, original)?;
            }
            Outcome::New => {
                found = Look::Something;
                self.keep_first(record)?;
                self.has_own(record)?;
            }
            _ => {}
        }
        if !was_slowed && !self.peek(&host)?.is_slowed() {
            return Ok(());
        }
        let state = self.host(&host)?;
        let Some(mirror) = &mut state.mirror else { return Ok(()) };
        match (was_slowed, mirror.is_slowed()) {
            (true, true) => mirror.looked(record.fetched, found),
            (false, true) => mirror.slow_down(record.fetched),
            // Its turn was the moment of the next look.
            (_, false) => state.turn = None,
        }
        Ok(())
    }

    /// Keeps one of a host's first pages for comparison.
    fn keep_first(&mut self, record: &PageRecord) -> Result<(), FrontierError> {
        let host = record.url.host();
        let first = &self.peek(&host)?.first_pages;
        let is_front = record.url.path_and_query() == "/";
        let is_known = first.iter().any(|first| first.page == record.id);
        if record.status != 200 || first.len() >= FIRST_PAGES && !is_front && !is_known {
            return Ok(());
        }
        let Some(links) = face(record) else { return Ok(()) };
        let first = &mut self.host(&host)?.first_pages;
        first.retain(|first| first.page != record.id);
        first.truncate(FIRST_PAGES);
        first.push(FirstPage { page: record.id, links });
        Ok(())
    }

    /// Notes that a page is also that of another host at the same path.
    fn has_same(&mut self, record: &PageRecord, original: &Url) -> Result<(), FrontierError> {
        let (host, other) = (record.url.host(), original.host());
        let is_front = record.url.path_and_query() == "/";
        // A follower may be ahead of its leader: the page speaks for the same as the other way
        // round, else each would be taken for the other's mirror and neither be read to its end.
        let follows = |state: &HostState, leader: &Host| {
            state.mirror.as_ref().is_some_and(|mirror| mirror.of == *leader)
        };
        if follows(self.peek(&other)?, &host) && !follows(self.peek(&host)?, &other) {
            if let Some(mirror) = &mut self.host(&other)?.mirror {
                mirror.same += 1;
                mirror.own = mirror.own.saturating_sub(1);
                mirror.has_its_front |= is_front;
            }
            return self.weigh(&other, record.fetched);
        }
        let leader = match &self.peek(&other)?.mirror {
            Some(mirror) if mirror.hold.is_suspect() => mirror.of.clone(),
            _ => other.clone(),
        };
        let is_face = self.is_face(record, &other)?;
        let old = self.peek(&host)?.mirror.clone();
        if let Some(old) = old.filter(|old| old.hold.is_suspect() && old.of != leader)
            && self.is_other_than(record, &old.of)?
        {
            // It looks like one host, but has the pages of another.
            self.clear(&host, &old.of)?;
            self.set_hold(&host, Hold::Free)?;
            if let Some(mirror) = &mut self.host(&host)?.mirror {
                (mirror.same, mirror.own, mirror.has_its_front) = (1, 0, old.has_its_front);
            }
            return self.suspect(&host, &leader, record.fetched);
        }
        let state = self.host(&host)?;
        let responses = state.responses;
        // Of several mirrors each may have been first with some of the pages.
        let mirror = state.mirror.get_or_insert_with(|| Mirror::new(leader.clone()));
        if mirror.same == 0 && mirror.hold == Hold::Cleared {
            mirror.of = leader.clone();
        }
        mirror.same += 1;
        mirror.has_its_front |= is_front;
        if mirror.hold == Hold::Free && responses <= FIRST_RESPONSES && is_face && leader != host {
            return self.suspect(&host, &leader, record.fetched);
        }
        self.weigh(&host, record.fetched)
    }

    /// Returns whether a copy has the links of its original on another host, too.
    fn is_face(&mut self, record: &PageRecord, other: &Host) -> Result<bool, FrontierError> {
        let first = self.peek(other)?.first_pages.iter();
        let original = first.copied().find(|first| Some(first.page) == record.copy_of);
        Ok(original.is_some_and(|original| face(record) == Some(original.links)))
    }

    /// Lets a host wait as a suspected mirror, unless it has followers itself.
    fn suspect(&mut self, host: &Host, leader: &Host, now: Timestamp) -> Result<(), FrontierError> {
        if self.group(host)?.members > 0 {
            return Ok(());
        }
        let group = self.group(leader)?;
        if group.is_dissolved() || group.listed >= LISTED {
            return Ok(());
        }
        group.members += 1;
        if let Some(mirror) = &mut self.host(host)?.mirror {
            mirror.of = leader.clone();
            mirror.slow_down(now);
        }
        self.set_hold(host, Hold::Held)?;
        self.list(leader, host, true)
    }

    /// Asks whether a host has been seen enough of to be judged.
    fn weigh(&mut self, host: &Host, now: Timestamp) -> Result<(), FrontierError> {
        let Some(mirror) = self.peek(host)?.mirror.clone() else { return Ok(()) };
        match mirror.hold {
            Hold::Reader if mirror.is_judged(self.group(&mirror.of)?) => {
                self.condemn(host, &mirror.of, now)
            }
            // It answers: so it may be read on, if nobody else is. While a log is applied again it
            // may have been read on already.
            Hold::Held if self.is_listed(&mirror.of, host)? => {
                self.suspects.stirred.insert(mirror.of.clone());
                match mirror.is_judged(self.group(&mirror.of)?) {
                    true => self.condemn(host, &mirror.of, now),
                    false => Ok(()),
                }
            }
            _ => Ok(()),
        }
    }

    /// Notes a page that no other host has been seen to have.
    fn has_own(&mut self, record: &PageRecord) -> Result<(), FrontierError> {
        let host = record.url.host();
        let Some(leader) = self.peek(&host)?.mirror.as_ref().map(|mirror| mirror.of.clone()) else {
            return Ok(());
        };
        let differs = self.is_other_than(record, &leader)?;
        let Some(mirror) = &mut self.host(&host)?.mirror else { return Ok(()) };
        mirror.own += 1;
        let is_over = differs || mirror.goes_its_own_way();
        if !is_over || !mirror.hold.is_suspect() {
            return Ok(());
        }
        self.clear(&host, &leader)
    }

    /// Returns whether the leader is known to have another page, or none, at the path of this
    /// one. While it has not been read there, nothing is known: the follower may be ahead.
    fn is_other_than(&mut self, record: &PageRecord, leader: &Host) -> Result<bool, FrontierError> {
        if !super::copies::is_compared(record) {
            return Ok(false);
        }
        let url = &record.url;
        let path = url.path_and_query();
        let port = url.explicit_port().map_or_else(String::new, |port| format!(":{port}"));
        let mut is_known = false;
        for scheme in ["http", "https"] {
            let Ok(there) = Url::parse(&format!("{scheme}://{leader}{port}{path}")) else {
                continue;
            };
            let Some(state) = self.url(&there)? else { continue };
            is_known = true;
            if let Standing::Fetched { status: 200 | 404 | 410, copy_of, .. } = state.standing {
                // The leader's may be the copy, if a follower was there first.
                let said = copy_of.or(state.page);
                return Ok(record.copy_of.is_none() || said != record.copy_of);
            }
        }
        Ok(!is_known && self.peek(leader)?.waiting == 0)
    }

    /// A suspect is a mirror: it waits from now on, and the others with it.
    fn condemn(&mut self, host: &Host, leader: &Host, now: Timestamp) -> Result<(), FrontierError> {
        let group = self.group(leader)?;
        group.judged += 1;
        if group.reader.as_ref() == Some(host) {
            group.reader = None;
        }
        if let Some(mirror) = &mut self.host(host)?.mirror
            && mirror.hold == Hold::Reader
        {
            mirror.slow_down(now);
        }
        self.list(leader, host, false)?;
        self.set_hold(host, Hold::Held)
    }

    /// A suspect has pages of its own: it is read in full.
    fn clear(&mut self, host: &Host, leader: &Host) -> Result<(), FrontierError> {
        let group = self.group(leader)?;
        group.cleared += 1;
        if group.reader.as_ref() == Some(host) {
            group.reader = None;
        }
        self.list(leader, host, false)?;
        self.set_hold(host, Hold::Cleared)
    }

    fn set_hold(&mut self, host: &Host, hold: Hold) -> Result<(), FrontierError> {
        let state = self.host(host)?;
        let Some(mirror) = &mut state.mirror else { return Ok(()) };
        let before = std::mem::replace(&mut mirror.hold, hold);
        if hold == Hold::Cleared {
            // What was the same so far does not say what the rest will be.
            (mirror.same, mirror.has_its_front) = (0, false);
            mirror.own = mirror.own.min(1);
        }
        // A new turn follows from what it is now.
        state.turn = None;
        self.totals.suspects += u64::from(hold == Hold::Held);
        self.totals.suspects -= u64::from(before == Hold::Held);
        Ok(())
    }

    /// Chooses who is read on, after all records of a batch have been applied.
    pub(super) fn settle_groups(&mut self) -> Result<(), FrontierError> {
        let mut readers: Vec<(Host, bool, Mirror)> = self
            .changed_hosts()
            .filter(|state| state.waiting == 0 || state.is_in_trouble())
            .filter_map(|state| {
                let mirror = state.mirror.clone().filter(|mirror| mirror.hold == Hold::Reader)?;
                Some((state.host.clone(), state.waiting == 0, mirror))
            })
            .collect();
        readers.sort_unstable_by(|one, other| one.0.cmp(&other.0));
        for (host, is_read, mirror) in readers {
            self.step_down(&host, is_read, &mirror)?;
        }
        for leader in std::mem::take(&mut self.suspects.stirred) {
            self.appoint(&leader)?;
        }
        Ok(())
    }

    /// A reader cannot go on: it has nothing left, or does not answer.
    fn step_down(
        &mut self,
        host: &Host,
        is_read: bool,
        mirror: &Mirror,
    ) -> Result<(), FrontierError> {
        let group = self.group(&mirror.of)?;
        group.reader = None;
        group.judged += u32::from(is_read && mirror.is_judged_at_its_end());
        if !is_read {
            self.list(&mirror.of, host, true)?;
        }
        self.suspects.stirred.insert(mirror.of.clone());
        self.set_hold(host, Hold::Held)
    }

    /// Lets the next suspect of a group be read on, or all of them if they are none.
    fn appoint(&mut self, leader: &Host) -> Result<(), FrontierError> {
        let group = self.group(leader)?;
        if group.listed > 0 && group.is_dissolved() {
            for host in self.listed(leader, LISTED as usize)? {
                self.list(leader, &host, false)?;
                self.set_hold(&host, Hold::Cleared)?;
            }
            return Ok(());
        }
        if !group.wants_reader() {
            return Ok(());
        }
        for host in self.listed(leader, TRIED)? {
            let state = self.peek(&host)?;
            let has_pages = state.waiting > 0;
            if has_pages && state.is_in_trouble() {
                continue;
            }
            self.list(leader, &host, false)?;
            if has_pages {
                self.group(leader)?.reader = Some(host.clone());
                return self.set_hold(&host, Hold::Reader);
            }
        }
        Ok(())
    }

    fn group(&mut self, leader: &Host) -> Result<&mut Group, FrontierError> {
        if !self.suspects.groups.contains_key(leader) {
            let stored = self.frontier.group(leader)?;
            self.suspects.groups.insert(leader.clone(), stored.unwrap_or_default());
        }
        Ok(self.suspects.groups.get_mut(leader).expect("inserted above"))
    }

    /// Returns whether a host is among those of its group that may be read on.
    fn is_listed(&self, leader: &Host, host: &Host) -> Result<bool, FrontierError> {
        match self.suspects.listed.get(&(leader.clone(), host.clone())) {
            Some(is_listed) => Ok(*is_listed),
            None => Ok(self.frontier.suspects.contains_key(suspect_key(leader, host))?),
        }
    }

    /// Puts a host on its group's list, or takes it off; who is read on is decided at the end.
    fn list(&mut self, leader: &Host, host: &Host, is_listed: bool) -> Result<(), FrontierError> {
        let key = (leader.clone(), host.clone());
        let before = self.is_listed(leader, host)?;
        let group = self.group(leader)?;
        group.listed += u32::from(is_listed);
        group.listed = group.listed.saturating_sub(u32::from(before));
        self.suspects.listed.insert(key, is_listed);
        self.suspects.stirred.insert(leader.clone());
        Ok(())
    }

    /// Returns up to `limit` hosts of a group that wait to be read on.
    fn listed(&self, leader: &Host, limit: usize) -> Result<Vec<Host>, FrontierError> {
        let of_batch = self.suspects.listed.iter();
        let added = of_batch.filter(|((group, _), is_listed)| group == leader && **is_listed);
        let mut found: Vec<Host> = added.map(|((_, host), _)| host.clone()).collect();
        for guard in self.frontier.suspects.prefix(suspect_prefix(leader)) {
            if found.len() >= limit {
                break;
            }
            let (_, value) = guard.into_inner()?;
            let host: Host = decode(&value, "suspects")?;
            if !self.suspects.listed.contains_key(&(leader.clone(), host.clone())) {
                found.push(host);
            }
        }
        found.truncate(limit);
        Ok(found)
    }
}

impl Frontier {
    fn group(&self, leader: &Host) -> Result<Option<Group>, FrontierError> {
        read(&self.groups, "groups", leader.surt().as_bytes())
    }

    /// Returns what does not fit between groups, their lists and the hosts.
    pub(super) fn check_suspects(&self, problems: &mut Vec<String>) -> Result<(), FrontierError> {
        let hold_of = |host: &Host, leader: &str| -> Result<Option<Hold>, FrontierError> {
            let mirror = self.host(host)?.and_then(|state| state.mirror);
            Ok(mirror.filter(|mirror| mirror.of.surt() == leader).map(|mirror| mirror.hold))
        };
        let mut listed: HashMap<String, u32> = HashMap::new();
        for guard in self.suspects.iter() {
            let (key, value) = guard.into_inner()?;
            let host: Host = decode(&value, "suspects")?;
            let key = String::from_utf8_lossy(&key).into_owned();
            let leader = key.split('\0').next().unwrap_or_default().to_owned();
            if hold_of(&host, &leader)? != Some(Hold::Held) {
                problems.push(format!("`{host}` is listed as a suspect, but not held as one"));
            }
            *listed.entry(leader).or_default() += 1;
        }
        for guard in self.groups.iter() {
            let (key, value) = guard.into_inner()?;
            let leader = String::from_utf8_lossy(&key).into_owned();
            let group: Group = decode(&value, "groups")?;
            let counted = listed.remove(&leader).unwrap_or(0);
            if counted != group.listed {
                problems.push(format!("{counted} suspects of `{leader}`, not {}", group.listed));
            }
            if let Some(reader) = &group.reader
                && hold_of(reader, &leader)? != Some(Hold::Reader)
            {
                problems.push(format!("`{reader}` is no reader of the group of `{leader}`"));
            }
        }
        problems.extend(listed.keys().map(|leader| format!("`{leader}` has no group")));
        let mut held = 0;
        for guard in self.hosts.iter() {
            let (_, value) = guard.into_inner()?;
            let state: HostState = decode(&value, "hosts")?;
            held += u64::from(state.mirror.is_some_and(|mirror| mirror.hold == Hold::Held));
        }
        let said = self.totals().suspects;
        if held != said {
            problems.push(format!("{held} hosts are held as mirrors, but {said} expected"));
        }
        Ok(())
    }
}

fn suspect_prefix(leader: &Host) -> Vec<u8> {
    [leader.surt().as_bytes(), b"\0"].concat()
}

fn suspect_key(leader: &Host, host: &Host) -> Vec<u8> {
    [suspect_prefix(leader).as_slice(), host.surt().as_bytes()].concat()
}
