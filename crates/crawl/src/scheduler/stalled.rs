//! Visits that wait for an answer take no place from those that get one (TCP-06).
//!
//! A host that hangs holds its fetcher until a time limit, up to a minute. A thousand of them would
//! hold all fetchers. So a visit that has waited for a while no longer counts against the number of
//! requests at once, up to a few times that number; beyond, only hosts that have answered before
//! are visited until some of the stalled ones come to their end. Until then a stranger does hold a
//! place, so strangers never take the last ones: up to half of all places are kept for hosts that
//! answer, as many as those need. The strangers wait in a line of their own meanwhile.

use std::collections::{HashMap, HashSet, VecDeque};
use std::time::Duration;

use base::Host;
use tokio::time::Instant;

/// A visit is stalled after this time: most servers have answered by then.
const STALL: Duration = Duration::from_millis(500);
/// Stalled visits beside each one that counts.
const TIMES: usize = 4;
/// How long a visit holds its place besides the time to its answer: until it is on the disk.
const TO_DISK: Duration = Duration::from_millis(100);
/// Visits of hosts that have answered before are counted over about this time.
const MEMORY: Duration = Duration::from_secs(4);

/// The visits under way.
#[derive(Default)]
pub(super) struct Stalled {
    /// In the order of their beginning; some have ended.
    began: VecDeque<(Instant, Host, u64)>,
    under_way: HashMap<Host, u64>,
    stalled: HashSet<Host>,
    /// Hosts under way that have not answered before and are not stalled yet.
    strangers: HashSet<Host>,
    visits: u64,
    /// Strangers that are ready, but have no place.
    waiting: VecDeque<Host>,
    answered: Answered,
}

/// What visits of hosts that have answered before take: places, as their number in a second times the seconds
/// that each holds one. Both are means that forget.
#[derive(Default)]
struct Answered {
    at: Option<Instant>,
    /// Visits within [`MEMORY`].
    recent: f64,
    seconds: f64,
}

impl Answered {
    fn note(&mut self, took: Duration, now: Instant) {
        self.recent = self.recent_at(now) + 1.0;
        self.at = Some(now);
        let held = took.min(STALL) + TO_DISK;
        self.seconds += (held.as_secs_f64() - self.seconds) / self.recent.max(1.0);
    }

    fn recent_at(&self, now: Instant) -> f64 {
        let Some(at) = self.at else { return 0.0 };
        let past = now.saturating_duration_since(at).as_secs_f64() / MEMORY.as_secs_f64();
        self.recent * (-past).exp()
    }

    /// Returns how many places they need: twice what they hold on the mean, as they come in waves.
    fn places(&self, now: Instant) -> usize {
        (2.0 * self.recent_at(now) / MEMORY.as_secs_f64() * self.seconds).ceil() as usize
    }
}

impl Stalled {
    /// Notes that a visit begins, of a host that has answered before or has not.
    pub(super) fn began(&mut self, host: &Host, has_answered: bool, now: Instant) {
        self.visits += 1;
        if !has_answered {
            self.strangers.insert(host.clone());
        }
        self.under_way.insert(host.clone(), self.visits);
        self.began.push_back((now, host.clone(), self.visits));
    }

    /// Notes that a visit is over, and what it took if the host had answered before.
    pub(super) fn ended(&mut self, host: &Host, took_again: Option<Duration>, now: Instant) {
        if let Some(took) = took_again {
            self.answered.note(took, now);
        }
        self.under_way.remove(host);
        self.stalled.remove(host);
        self.strangers.remove(host);
    }

    /// Looks for visits that have waited too long by now.
    pub(super) fn advance(&mut self, now: Instant) {
        while let Some((began, ..)) = self.began.front()
            && *began + STALL <= now
            && let Some((_, host, visit)) = self.began.pop_front()
        {
            if self.under_way.get(&host) == Some(&visit) {
                self.strangers.remove(&host);
                self.stalled.insert(host);
            }
        }
    }

    /// Returns when the next visit may have waited too long.
    pub(super) fn next_time(&self) -> Option<Instant> {
        self.began.front().map(|(began, ..)| *began + STALL)
    }

    /// Returns how many visits do not count against `concurrency`.
    pub(super) fn num_spared(&self, concurrency: usize) -> usize {
        self.stalled.len().min(TIMES * concurrency)
    }

    /// Returns whether no host may begin of which it is not known that it answers: too many are
    /// stalled, or the places left are kept for those that answer. `answering` of these are in
    /// rotation, `ready` are ready now.
    pub(super) fn is_full(&self, concurrency: usize, answering: usize, ready: usize) -> bool {
        let wanted = ready + self.answered.places(Instant::now());
        let kept = wanted.min(answering).min(concurrency / 2);
        self.stalled.len() >= TIMES * concurrency || self.strangers.len() + kept >= concurrency
    }

    /// Lets a host wait until there is a place for one more stranger.
    pub(super) fn wait(&mut self, stranger: Host) {
        self.waiting.push_back(stranger);
    }

    /// Returns the stranger that has waited longest.
    pub(super) fn next_waiting(&mut self) -> Option<Host> {
        self.waiting.pop_front()
    }

    pub(super) fn num_waiting(&self) -> usize {
        self.waiting.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tcp_06_visits_that_hang_are_spared_up_to_a_limit() {
        let mut visits = Stalled::default();
        let start = Instant::now();
        let host = |n: usize| Host::parse(&format!("h{n}.example")).unwrap();
        (0..100).for_each(|n| visits.began(&host(n), n % 2 == 0, start));
        visits.ended(&host(0), None, start);
        visits.began(&host(0), true, start + STALL / 2);
        visits.advance(start + STALL / 2);
        assert_eq!((visits.num_spared(8), visits.is_full(100, 49, 49)), (0, false));
        assert!(visits.is_full(100, 50, 50), "fifty strangers, and fifty others want a place");
        assert!(!visits.is_full(100, 50, 0), "the others rest");
        (0..100).for_each(|_| visits.ended(&host(200), Some(STALL), start));
        assert!(!visits.is_full(100, 50, 15), "25 visits a second need 30 places");
        assert!(visits.is_full(100, 50, 20));
        visits.advance(start + STALL);
        assert_eq!((visits.num_spared(8), visits.is_full(8, 0, 0)), (32, true));
        assert_eq!(visits.num_spared(64), 99, "the one that began anew is not among them");
        (1..90).for_each(|n| visits.ended(&host(n), None, start));
        assert_eq!((visits.num_spared(8), visits.is_full(8, 9, 0)), (10, false));
        assert_eq!(visits.next_time(), Some(start + STALL / 2 + STALL));
    }
}
