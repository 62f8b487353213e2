//! The books on one shape of address: what its pages were worth of late.

use base::Url;
use base::limits::cut;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use super::Shape;

/// Pages of a shape that must have been fetched before it is judged.
const SHAPE_WITNESSES: u16 = 20;
/// Of so many pages one must have been useful.
const USELESS_PAGES: u32 = 20;
/// A shape's account is halved when it reaches so many pages, so that old times count less.
const ACCOUNT_PAGES: u16 = 100;
/// One of so many addresses of a fruitless shape is fetched all the same.
const PROBE_EVERY: u64 = 200;
/// Useless pages on end that halve the choice.
const PROBE_STEP: u16 = 3;
/// Pages that told nothing new, of which at most one may have been useful: however much a shape
/// brought once, it brings nothing now.
const RECENT: u32 = 18;
/// Longest text of a shape that is kept.
const SHAPE_BYTES: usize = 28;

/// What a page was worth for its shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Worth {
    /// It said something new.
    Useful,
    /// A copy, empty, or made of what others of its shape have said.
    Useless,
    /// There is no such page. Dead links come from real pages, so they have an end.
    Missing,
}

/// What the pages of one shape were worth.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Account {
    pub(super) hash: u64,
    pub(super) text: String,
    /// Of late; halved now and then.
    pub(super) fetched: u16,
    useful: u16,
    /// Useless pages since the last useful one.
    streak: u16,
    /// The last pages that were there, one bit each, and how many are known.
    recent: u32,
    known: u8,
    /// Since the shape is known.
    pub(super) total: u32,
}

impl Account {
    /// Bytes of memory that one takes.
    pub(super) const WEIGHT: usize = size_of::<Self>() + SHAPE_BYTES;

    pub(super) fn new(shape: &Shape) -> Self {
        let text = cut(shape.text(), SHAPE_BYTES).to_owned();
        let hash = shape.hash();
        Self { hash, text, fetched: 0, useful: 0, streak: 0, recent: 0, known: 0, total: 0 }
    }

    pub(super) fn add(&mut self, worth: Worth) {
        let is_useful = worth == Worth::Useful;
        if worth != Worth::Missing {
            self.recent = self.recent << 1 | u32::from(is_useful);
            self.known = self.known.saturating_add(1);
        }
        self.total = self.total.saturating_add(1);
        self.fetched += 1;
        self.useful += u16::from(is_useful);
        self.streak = if is_useful { 0 } else { self.streak.saturating_add(1) };
        if self.fetched >= ACCOUNT_PAGES {
            self.fetched /= 2;
            self.useful /= 2;
        }
    }

    pub(super) fn is_fruitless(&self) -> bool {
        let recent = self.recent & ((1 << RECENT) - 1);
        u32::from(self.known) >= RECENT && recent.count_ones() <= 1
            || self.fetched >= SHAPE_WITNESSES
                && u32::from(self.useful) * USELESS_PAGES <= u32::from(self.fetched)
    }

    /// Chooses one address of 200, so that a site that mends itself is noticed. Every three further
    /// useless pages on end halve the choice: a page that links to a thousand others of its shape
    /// would go on for ever at any fixed rate (LNK-06).
    pub(super) fn is_probe(&self, url: &Url) -> bool {
        let steps = (self.streak.saturating_sub(SHAPE_WITNESSES) / PROBE_STEP).min(40);
        xxh3_64(url.as_str().as_bytes()).is_multiple_of(PROBE_EVERY << steps)
    }
}
