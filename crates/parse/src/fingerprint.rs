//! Fingerprints of a page's main text (C13): equal words, equal number; like words, like sketches.
//!
//! - Exact: [`Prints::hash`], 128 bits over all words.
//! - Near: [`Prints::sketch`], 84 min-hashes over runs of eight words, by which [`resemblance`]
//!   estimates how much of their text two pages share; [`super_shingles`] are six numbers of which
//!   pages that share nearly all of it have two in common, so that a table finds them.
//!
//! Both are taken in one pass over the text. All of these numbers are stored: a change of the code
//! below changes what counts as equal or alike.

mod dates;
mod minhash;
mod units;

use base::{Block, Sketch};
use xxhash_rust::xxh3::Xxh3;

pub use minhash::{Shingles, resemblance, super_shingles};

use units::Units;

/// Min-hashes of a sketch.
pub const MIN_HASHES: usize = 84;
/// Super-shingles of a sketch.
pub const SUPER_SHINGLES: usize = 6;
/// Words, or characters of a script without spaces, of a shingle.
pub const SHINGLE_WORDS: usize = 8;
/// Different shingles that a text needs for a sketch: two dozen words. Shorter ones are compared
/// as a whole or not at all.
pub const LEAST_SHINGLES: usize = 16;
/// Super-shingles that near duplicates have in common.
pub const NEAR_SUPER_SHINGLES: usize = 2;
/// Resemblance from which pages that have these in common are near duplicates.
///
/// Measured over the documentation of two releases and over templates
/// (`docs/measurements/2026-11-16-reading-duplicates.md`).
pub const NEAR: f64 = 0.9;

/// The fingerprints of one page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Prints {
    /// 128-bit hash of the main text: words in lower case, one space between them, punctuation,
    /// mark-up and navigation apart. A page of navigation alone is hashed whole; a page without
    /// words is 0.
    pub hash: u128,
    /// Min-hashes of the main text; empty if it is too short, navigation never counts.
    pub sketch: Sketch,
}

impl Prints {
    /// Takes the fingerprints of a page. Cost: linear in its text, some nanoseconds a byte.
    pub fn of(blocks: &[Block]) -> Self {
        let mut units = Units::default();
        let main = blocks.iter().filter(|block| !block.zone.is_frame());
        if let Some(hash) = hash(main, &mut units) {
            return Self { hash, sketch: minhash::sketch(&units, SHINGLE_WORDS, LEAST_SHINGLES) };
        }
        let hash = hash(blocks.iter(), &mut units).unwrap_or(0);
        Self { hash, sketch: Sketch::default() }
    }
}

/// Hashes the words of blocks and gathers them; `None` if there are none.
fn hash<'a>(blocks: impl Iterator<Item = &'a Block>, units: &mut Units) -> Option<u128> {
    let mut hasher = Xxh3::new();
    let mut has_words = false;
    for block in blocks {
        let words = units.push(&block.text);
        hasher.update(words);
        has_words |= !words.is_empty();
    }
    has_words.then(|| hasher.digest128())
}

#[cfg(test)]
mod tests;
