//! Shingles, min-hashes and super-shingles.
//!
//! Of the shingles of a text each of 84 places keeps the lowest hash. Two texts have the same
//! hash at a place with a chance equal to the share of shingles that they have in common
//! (Jaccard), so the share of equal places estimates it. With 84 hash functions every shingle
//! costs 84 steps. Here each shingle has one hash, which chooses a place and a value: one step,
//! as in one-permutation hashing. Places that stay empty, as those of short texts do, are filled
//! by further rounds with other hash functions, a value of a later round being higher than any
//! of an earlier one; after as many rounds as places come rounds that fill one place each. This is
//! the "fast similarity sketch" of Dahlgaard, Knudsen and Thorup (FOCS 2017): unbiased, and as close
//! to the truth as 84 independent functions are for texts of every length, which copying filled places
//! into empty ones is not.
//!
//! Error of an estimate: at most √(J (1 − J) / 84), that is 0.033 at J = 0.9 and 0.055 at worst.
//!
//! Fourteen places in a row make a super-shingle: equal with a chance of J¹⁴. Two of six are equal
//! with a chance of 98 % at J = 0.97, 88 % at 0.95, 42 % at 0.9, 3 % at 0.8, 0.1 % at 0.7.

use base::{Block, Sketch};
use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::units::Units;
use super::{MIN_HASHES, SUPER_SHINGLES};

/// Odd numbers without pattern: digits of √2, √3, √5.
const ONE: u64 = 0x6a09_e667_f3bc_c909;
const TWO: u64 = 0xbb67_ae85_84ca_a73b;
const THREE: u64 = 0x3c6e_f372_fe94_f82b;
/// A value that no place has once it is filled.
const EMPTY: u64 = u64::MAX;
/// Places of one super-shingle.
const PER_SUPER_SHINGLE: usize = MIN_HASHES / SUPER_SHINGLES;

/// The different shingles of a text, for exact comparison.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shingles(Vec<u64>);

impl Shingles {
    /// Returns the shingles of so many words of the main text of a page.
    pub fn of(blocks: &[Block], words: usize) -> Self {
        let mut units = Units::default();
        for block in blocks.iter().filter(|block| !block.zone.is_frame()) {
            units.push(&block.text);
        }
        let mut all = Vec::with_capacity(units.len());
        each(&units, words, |shingle| all.push(shingle));
        Self(distinct(all))
    }

    /// Returns how many there are.
    pub fn num_shingles(&self) -> usize {
        self.0.len()
    }

    /// Returns how many both texts have.
    pub fn num_shared(&self, other: &Self) -> usize {
        let (mut one, mut two) = (self.0.iter().peekable(), other.0.iter().peekable());
        let mut shared = 0;
        while let (Some(left), Some(right)) = (one.peek(), two.peek()) {
            let order = left.cmp(right);
            shared += usize::from(order.is_eq());
            if order.is_le() {
                one.next();
            }
            if order.is_ge() {
                two.next();
            }
        }
        shared
    }

    /// Returns the share of shingles that both texts have among those that either has; 0 for two
    /// empty ones.
    pub fn jaccard(&self, other: &Self) -> f64 {
        let shared = self.num_shared(other);
        let either = self.0.len() + other.0.len() - shared;
        if either == 0 { 0.0 } else { shared as f64 / either as f64 }
    }

    /// Returns the min-hashes; none if there are no shingles.
    pub fn sketch(&self) -> Sketch {
        if self.0.is_empty() {
            return Sketch::default();
        }
        let mut places = [EMPTY; MIN_HASHES];
        first_round(&mut places, self.0.iter().copied());
        fill(&mut places, &self.0);
        finish(&places)
    }
}

/// Returns the min-hashes of a text that has at least so many different shingles.
pub(super) fn sketch(units: &Units, words: usize, least: usize) -> Sketch {
    if units.len() < least {
        return Sketch::default();
    }
    let mut places = [EMPTY; MIN_HASHES];
    each(units, words, |shingle| put(&mut places, shingle));
    // A text of fewer shingles than places leaves one empty, one of a thousand hardly ever does.
    if places.contains(&EMPTY) {
        let mut all = Vec::with_capacity(units.len());
        each(units, words, |shingle| all.push(shingle));
        let all = distinct(all);
        if all.len() < least {
            return Sketch::default();
        }
        fill(&mut places, &all);
    }
    finish(&places)
}

/// Estimates how much of their text two pages share, from 0 to 1; 0 if one has no sketch.
pub fn resemblance(one: &Sketch, other: &Sketch) -> f64 {
    if one.0.len() != MIN_HASHES || other.0.len() != MIN_HASHES {
        return 0.0;
    }
    let equal = one.0.iter().zip(&other.0).filter(|(one, other)| one == other).count();
    equal as f64 / MIN_HASHES as f64
}

/// Returns the super-shingles of a sketch; `None` if it is none.
pub fn super_shingles(sketch: &Sketch) -> Option<[u64; SUPER_SHINGLES]> {
    if sketch.0.len() != MIN_HASHES {
        return None;
    }
    let mut bytes = [0; 4 * PER_SUPER_SHINGLE];
    let mut found = [0; SUPER_SHINGLES];
    let groups = sketch.0.chunks_exact(PER_SUPER_SHINGLE);
    for (number, (place, group)) in found.iter_mut().zip(groups).enumerate() {
        for (bytes, value) in bytes.chunks_exact_mut(4).zip(group) {
            bytes.copy_from_slice(&value.to_le_bytes());
        }
        *place = xxh3_64_with_seed(&bytes, number as u64);
    }
    Some(found)
}

/// Calls back with each shingle of a text, equal ones as often as they stand there.
///
/// Shingles do not reach from one block into the next: a line about the author, an advertisement
/// or a list entry more costs what it says, not seven shingles on either side as well. A block of
/// fewer words is one shingle. The hash of a run of words rolls: the newest word comes in, the oldest goes out.
fn each(units: &Units, words: usize, mut act: impl FnMut(u64)) {
    for number in &units.numbers {
        act(*number);
    }
    let length = words.max(1);
    let leaving = (0..length).fold(1_u64, |power, _| power.wrapping_mul(ONE));
    let mut start = 0;
    for end in &units.ends {
        let block = &units.words[start..*end];
        start = *end;
        let mut rolled = 0_u64;
        for (place, word) in block.iter().enumerate() {
            rolled = rolled.wrapping_mul(ONE).wrapping_add(*word);
            if let Some(gone) = place.checked_sub(length) {
                rolled = rolled.wrapping_sub(block[gone].wrapping_mul(leaving));
            }
            if place + 1 >= length.min(block.len()) {
                act(mixed(rolled, TWO));
            }
        }
    }
}

fn distinct(mut shingles: Vec<u64>) -> Vec<u64> {
    shingles.sort_unstable();
    shingles.dedup();
    shingles
}

fn first_round(places: &mut [u64; MIN_HASHES], shingles: impl Iterator<Item = u64>) {
    shingles.for_each(|shingle| put(places, shingle));
}

/// Puts a shingle to its place in the first round.
fn put(places: &mut [u64; MIN_HASHES], shingle: u64) {
    let place = &mut places[place_of(shingle)];
    *place = (*place).min(shingle & u64::from(u32::MAX));
}

/// Fills the places that are empty by further rounds.
fn fill(places: &mut [u64; MIN_HASHES], shingles: &[u64]) {
    for round in 1..2 * MIN_HASHES as u64 {
        if !places.contains(&EMPTY) {
            return;
        }
        for shingle in shingles {
            let hash = mixed(*shingle, round.wrapping_mul(THREE));
            // The later rounds fill one place each, so that all are filled in the end.
            let place = match usize::try_from(round).unwrap_or(0).checked_sub(MIN_HASHES) {
                None => place_of(hash),
                Some(place) => place,
            };
            places[place] = places[place].min(round << 32 | hash & u64::from(u32::MAX));
        }
    }
}

/// Returns the place that a hash chooses by its upper half; the lower one is its value.
fn place_of(hash: u64) -> usize {
    (((hash >> 32) * MIN_HASHES as u64) >> 32) as usize
}

fn finish(places: &[u64; MIN_HASHES]) -> Sketch {
    Sketch(places.iter().map(|value| *value as u32).collect())
}

/// Mixes two numbers into one without pattern: both halves of their product.
pub(super) fn mixed(one: u64, other: u64) -> u64 {
    let product = u128::from(one ^ TWO) * u128::from(other ^ ONE | 1);
    let folded = product as u64 ^ (product >> 64) as u64;
    (folded ^ folded >> 29).wrapping_mul(THREE)
}

#[cfg(test)]
mod tests;
