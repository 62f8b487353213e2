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
const PROBE_EVERY: u64 = 50;
/// Longest text of a shape that is kept.
const SHAPE_BYTES: usize = 40;

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
    /// Since the shape is known.
    pub(super) total: u32,
}

impl Account {
    pub(super) fn new(shape: &Shape) -> Self {
        let text = cut(shape.text(), SHAPE_BYTES).to_owned();
        Self { hash: shape.hash(), text, fetched: 0, useful: 0, streak: 0, total: 0 }
    }

    pub(super) fn add(&mut self, is_useful: bool) {
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
        self.fetched >= SHAPE_WITNESSES
            && u32::from(self.useful) * USELESS_PAGES <= u32::from(self.fetched)
    }

    /// Chooses one address of fifty, so that a site that mends itself is noticed. Each twenty
    /// useless pages on end halve the choice: a page that links to a thousand others of its shape
    /// would go on for ever at any fixed rate (LNK-06).
    pub(super) fn is_probe(&self, url: &Url) -> bool {
        let steps = (self.streak / SHAPE_WITNESSES).saturating_sub(1).min(40);
        xxh3_64(url.as_str().as_bytes()).is_multiple_of(PROBE_EVERY << steps)
    }
}
