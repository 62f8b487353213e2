//! On-line page importance (G10, C3): how much a waiting URL matters, told while crawling.
//!
//! After Abiteboul, Preda and Cobéna (OPIC): every page holds cash; when it is fetched it gives
//! it away in equal parts to the pages it links to. What a waiting URL has gathered orders the
//! front queues. Ours differs in two ways, because the web has no end and memory has:
//!
//! - each fetched page adds one unit of its own, in place of the virtual page that all pages link
//!   to in the paper, and passes on 85 % of what it has;
//! - only the richest are remembered. The table has a fixed number of slots in sets of four;
//!   when a set is full, its poorest member goes, as in the sketches that find heavy hitters. So
//!   a URL that matters stays, however many others pass by.
//!
//! The table is an estimate: it is kept in memory only and starts empty with each run. Waiting
//! URLs keep the front queue that it gave them.

use base::Url;
use xxhash_rust::xxh3::xxh3_64;

/// 64 bits that stand for a URL. Among 10^7 URLs, two share one with probability 3 · 10^-6.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Fingerprint(u64);

impl Fingerprint {
    pub(crate) fn of(url: &Url) -> Self {
        Self(xxh3_64(url.as_str().as_bytes()))
    }

    pub(crate) fn as_u64(self) -> u64 {
        self.0
    }
}

/// The cash of waiting URLs. Memory: 12 bytes a slot, fixed. Cost: constant.
pub(crate) struct Importance {
    tags: Vec<u64>,
    cash: Vec<f32>,
}

/// Slots that a fingerprint may lie in.
const WAYS: usize = 4;
/// What a page passes on of its cash; the rest is the reader who starts afresh elsewhere.
const PASSED_ON: f32 = 0.85;
/// What each fetched page adds.
const OWN: f32 = 1.0;
/// A link within a site says less than one between sites.
const WITHIN_SITE: f32 = 0.5;

impl Importance {
    /// Makes a table of about `slots` slots.
    pub(crate) fn new(slots: usize) -> Self {
        let slots = slots.next_power_of_two().max(WAYS);
        Self { tags: vec![0; slots], cash: vec![0.0; slots] }
    }

    /// Gives cash to a URL; returns what it has now.
    pub(crate) fn give(&mut self, to: Fingerprint, amount: f32) -> f32 {
        let set = self.set(to);
        let mut poorest = set.start;
        for slot in set {
            if self.tags[slot] == to.0 {
                self.cash[slot] += amount;
                return self.cash[slot];
            }
            if self.cash[slot] < self.cash[poorest] {
                poorest = slot;
            }
        }
        // A newcomer takes the poorest one's place even if it brings less: it may be the first
        // of many links, and the one that goes was not asked for since.
        (self.tags[poorest], self.cash[poorest]) = (to.0, amount);
        amount
    }

    /// Returns what a URL has.
    pub(crate) fn held(&self, by: Fingerprint) -> f32 {
        let mut slots = self.set(by);
        slots.find(|slot| self.tags[*slot] == by.0).map_or(0.0, |slot| self.cash[slot])
    }

    /// Takes all cash of a URL, because it has been fetched.
    pub(crate) fn take(&mut self, from: Fingerprint) -> f32 {
        for slot in self.set(from) {
            if self.tags[slot] == from.0 {
                self.tags[slot] = 0;
                return std::mem::take(&mut self.cash[slot]);
            }
        }
        0.0
    }

    fn set(&self, fingerprint: Fingerprint) -> std::ops::Range<usize> {
        let sets = self.tags.len() / WAYS;
        // High bits choose the set, so that the tag's low bits stay apart within it.
        let set = (fingerprint.0 >> 32) as usize & (sets - 1);
        set * WAYS..(set + 1) * WAYS
    }
}

/// What a fetched page gives to each of its links.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Share {
    between_sites: f32,
}

impl Share {
    /// What gives nothing.
    pub(crate) const NOTHING: Self = Self { between_sites: 0.0 };

    /// Divides a page's cash among its links.
    pub(crate) fn of(cash: f32, num_links: usize) -> Self {
        let whole = PASSED_ON * cash + OWN;
        Self { between_sites: whole / num_links.max(1) as f32 }
    }

    pub(crate) fn for_link(self, is_within_site: bool) -> f32 {
        if is_within_site { self.between_sites * WITHIN_SITE } else { self.between_sites }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fingerprint(number: u64) -> Fingerprint {
        Fingerprint::of(&Url::parse(&format!("http://a.example/{number}")).unwrap())
    }

    #[test]
    fn cash_is_gathered_and_taken_once() {
        let mut importance = Importance::new(64);
        assert_eq!(importance.give(fingerprint(1), 0.5), 0.5);
        assert_eq!(importance.give(fingerprint(1), 0.25), 0.75);
        assert_eq!(importance.take(fingerprint(1)), 0.75);
        assert_eq!(importance.take(fingerprint(1)), 0.0);
    }

    #[test]
    fn the_rich_stay_when_a_crowd_passes_by() {
        let mut importance = Importance::new(1024);
        for round in 0..100_000 {
            for rich in 0..50 {
                if round % 100 == rich {
                    importance.give(fingerprint(rich), 1.0);
                }
            }
            importance.give(fingerprint(1_000 + round), 0.01);
        }
        let kept = (0..50).filter(|rich| importance.take(fingerprint(*rich)) >= 900.0).count();
        assert!(kept >= 49, "{kept} of 50");
    }

    #[test]
    fn what_a_page_gives_is_what_it_has() {
        let share = Share::of(2.0, 10);
        assert!((share.for_link(false) - 0.27).abs() < 1e-6);
        assert!((share.for_link(true) - 0.135).abs() < 1e-6);
        assert!(Share::of(0.0, 0).for_link(false).is_finite());
    }
}
