//! Which hosts are in memory: they come from the store, rest, and make room for others.

use std::net::IpAddr;
use std::time::Duration;

use base::{Host, Timestamp};
use tokio::time::Instant;

use super::slot::{Leaving, Slot};
use super::{LONG_REST, LOOK, LOOKUPS, Scheduler};
use crate::committer::Outcome;
use crate::frontier::{Changes, HostChange, HostState, Waiting};
use crate::importance::Fingerprint;
use crate::robots;
use crate::{Error, Failure};

/// Hosts whose troubles are remembered after they have left.
const TROUBLED: usize = 100_000;
/// Hosts whose queues are read ahead before events are looked at again.
const AHEAD: usize = 4;
/// Hosts brought into rotation at once.
const BATCH: usize = 256;
/// Rest of a host that cannot be had at all: no such name, a forbidden address, a robots.txt that
/// asks for more patience than we have. Four times as long each time, a month at most.
const UNREACHABLE_REST: Duration = Duration::from_secs(3600);
/// Rest of a new host whose address has no place left for it (LNK-08).
const CROWDED_REST: Duration = Duration::from_secs(3600);
pub(crate) const LONGEST_REST: Duration = Duration::from_secs(30 * 24 * 3600);

impl Scheduler {
    /// Brings hosts from the store into rotation while there is room.
    pub(super) fn fill(&mut self) -> Result<(), Error> {
        self.has_left = false;
        let room = self.most_hosts().saturating_sub(self.hosts.len()).min(BATCH);
        if room == 0 {
            self.has_backlog = true;
            return Ok(());
        }
        let now = (self.shared.options.clock)();
        self.renew(now)?;
        let rules = &self.shared.options.host_rules;
        let is_passed = |host: &Host| self.hosts.contains_key(host) || rules.is_held(host);
        let (rested, next) = self.frontier.rested(now, room, is_passed)?;
        self.next_rested = next;
        let mut picked = self.picker.pick(&self.frontier, room - rested.len(), is_passed)?;
        // Mirrors take what room the others leave.
        let left = room - rested.len() - picked.len();
        picked.extend(self.frontier.looks(now, left, is_passed)?);
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

    /// Has pages that are due brought into the queues of their hosts (C15).
    fn renew(&mut self, now: Timestamp) -> Result<(), Error> {
        if self.is_renewing || !self.has_due(now)? {
            return Ok(());
        }
        self.is_renewing = true;
        self.uncommitted += 1;
        let _ = self.outcomes.send(Outcome::Renew);
        Ok(())
    }

    /// Returns whether pages are due that are to be fetched again.
    pub(super) fn has_due(&self, now: Timestamp) -> Result<bool, Error> {
        Ok(self.shared.options.again.first.is_some() && self.frontier.has_due(now)?)
    }

    fn activate(&mut self, state: &HostState) {
        let now = (self.shared.options.clock)();
        let is_due = match state.looked_at() {
            Some(moment) => moment <= now,
            None => !state.is_exhausted(),
        };
        if state.waiting == 0 || !is_due || self.hosts.contains_key(&state.host) {
            return;
        }
        if self.shared.options.host_rules.holds(&state.host, state.responses) {
            return;
        }
        self.shared.dns.ahead(state.host.clone());
        let troubles = self.troubles.get(&state.host).copied().unwrap_or_default();
        let slot = Slot::new(state, troubles);
        self.answering += usize::from(slot.has_answered);
        self.hosts.insert(state.host.clone(), slot);
        let rest = state.rests_until.since(now);
        let ready = Instant::now() + rest;
        if !rest.is_zero() {
            self.shared.politeness.hold(&state.host, ready);
        }
        self.push(&state.host, ready);
    }

    /// Reads on in the queues of the hosts that are next, while all fetchers are busy: as soon as
    /// places are free, visits begin one after the other, and each would wait for what the store
    /// is asked on behalf of those before it. Returns whether there is more to read.
    pub(super) fn read_ahead(&mut self) -> Result<bool, Error> {
        let mut num_read = 0;
        for host in self.line.upcoming(self.shared.options.concurrency) {
            let Some(slot) = self.hosts.get_mut(host) else { continue };
            num_read += usize::from(slot.read_ahead(&self.frontier, host)?);
            if num_read == AHEAD {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Returns whether a host must wait, and sees to it that its turn comes again.
    pub(super) fn is_kept_waiting(&mut self, host: &Host, address: IpAddr) -> bool {
        let Some(slot) = self.hosts.get_mut(host) else { return true };
        if !slot.has_place {
            slot.has_place = self.crowd.admit(address);
            if !slot.has_place {
                self.leave_to_rest(host, CROWDED_REST, Some(Failure::CrowdedAddress));
                return true;
            }
        }
        if !slot.has_answered && self.has_no_place_for_strangers() {
            if let Some(slot) = self.hosts.get_mut(host) {
                slot.is_moving = true;
                self.stalled.wait(host.clone());
            }
            return true;
        }
        false
    }

    /// Returns whether the places that are left are kept for hosts that answer (TCP-06).
    pub(super) fn has_no_place_for_strangers(&self) -> bool {
        let concurrency = self.shared.options.concurrency.max(1);
        self.stalled.is_full(concurrency, self.answering, self.line.num_answering())
    }

    /// A name without an address costs the host a rest, not its URLs (DNS-09).
    pub(super) fn unresolved(&mut self, host: &Host, failure: Failure) {
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
        self.note_rest(host, rest, Some(failure));
        self.push(host, ready);
    }

    /// Keeps a short rest in the store too, for those who come after a restart.
    pub(super) fn note_rest(&mut self, host: &Host, rest: Duration, failure: Option<Failure>) {
        let errors = self.hosts.get(host).map_or(0, |slot| slot.errors);
        let (host, until) = (host.clone(), (self.shared.options.clock)().plus(rest));
        self.uncommitted += 1;
        let _ = self.outcomes.send(Outcome::Rest { host, until, errors, failure });
    }

    /// Sends a host away for hours or days.
    pub(super) fn rest_long(&mut self, host: &Host, failure: Failure) {
        let Some(slot) = self.hosts.get_mut(host) else { return };
        let rest = UNREACHABLE_REST.saturating_mul(4u32.saturating_pow(slot.errors));
        slot.errors += 1;
        self.leave_to_rest(host, rest.min(LONGEST_REST), Some(failure));
    }

    pub(super) fn leave_to_rest(&mut self, host: &Host, rest: Duration, failure: Option<Failure>) {
        let until = (self.shared.options.clock)().plus(rest);
        self.shared.politeness.hand_over(host, rest);
        if let Some(slot) = self.hosts.get_mut(host) {
            slot.leaving = Some(Leaving::Rest { until, failure });
            slot.is_moving = false;
        }
        // It can only fail to read the store, which the next reading will say as well.
        let _ = self.let_go(host);
    }

    /// Takes over a robots.txt; returns when the host may be visited again, or `None` if it has
    /// been asked in vain too often.
    pub(super) fn robots_read(
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
                let share = self.shared.options.again.share;
                // Without rules this URL cannot be fetched; those of other origins may be.
                if !is_usable
                    && let Some(slot) = self.hosts.get_mut(host)
                    && slot.next(share).is_some_and(|next| next.url.origin() == origin)
                    && let Some(Waiting { url, .. }) = slot.take(share)
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

    /// Takes a host out of rotation, as soon as nothing of it is on its way to the disk.
    pub(super) fn let_go(&mut self, host: &Host) -> Result<(), Error> {
        let Some(slot) = self.hosts.get(host) else { return Ok(()) };
        if slot.is_moving || !slot.taken.is_empty() {
            return Ok(());
        }
        let Some(slot) = self.hosts.remove(host) else { return Ok(()) };
        self.answering -= usize::from(slot.has_answered);
        self.has_left = true;
        if slot.troubles > 0 && self.troubles.len() < TROUBLED {
            self.troubles.insert(host.clone(), slot.troubles);
        }
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

    pub(super) fn committed(
        &mut self,
        done: Vec<(Host, Fingerprint)>,
        changes: Changes,
    ) -> Result<(), Error> {
        for (host, url) in &done {
            if let Some(slot) = self.hosts.get_mut(host) {
                slot.taken.remove(url);
            }
        }
        self.uncommitted -= changes.num_outcomes;
        self.archived -= changes.num_archived;
        self.is_renewing &= !changes.is_renewed;
        for change in changes.hosts {
            self.changed(&change)?;
        }
        for (host, _) in done {
            match self.hosts.get(&host) {
                Some(slot) if slot.leaving.is_some() => self.let_go(&host)?,
                // A batch that changed nothing of the host, because its URL was forgotten
                // meanwhile, brings it back all the same.
                Some(slot) if !slot.is_moving && slot.taken.is_empty() => {
                    self.push(&host, Instant::now());
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn changed(&mut self, change: &HostChange) -> Result<(), Error> {
        let HostChange { waiting, is_exhausted, rests_until, .. } = *change;
        let host = &change.host;
        if let Some(slot) = self.hosts.get_mut(host) {
            let HostChange { responses, bytes, useful, .. } = *change;
            if let Some(Ok(resolved)) = self.shared.dns.known(host) {
                self.crowd.earned(resolved.address, useful.saturating_sub(slot.useful));
            }
            slot.useful = useful;
            slot.is_exhausted = is_exhausted;
            slot.is_watched = change.is_watched;
            slot.fetched = (responses, bytes);
            slot.has_new(change);
            if slot.is_moving || slot.leaving.is_some() {
                return Ok(());
            }
            if waiting > slot.taken.len() as u64 && !is_exhausted {
                self.push(host, Instant::now());
            } else {
                self.let_go(host)?;
            }
            return Ok(());
        }
        let now = (self.shared.options.clock)();
        let rests_long = rests_until.since(now) > LONG_REST;
        if rests_long && waiting > 0 && !is_exhausted {
            self.next_rested =
                Some(self.next_rested.map_or(rests_until, |next| next.min(rests_until)));
        }
        if waiting == 0 || is_exhausted || rests_long {
            return Ok(());
        }
        // Those that wait in the store were there before: a host that has just left makes room.
        if !self.has_backlog && self.hosts.len() < self.most_hosts() {
            if let Some(state) = self.frontier.host(host)? {
                self.activate(&state);
            }
        } else {
            self.has_backlog = true;
        }
        Ok(())
    }
}
