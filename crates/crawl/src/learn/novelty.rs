//! Whether a page says anything that others of its make have not said (LNK-01, LNK-14, LNK-15).
//!
//! Months of a calendar, lists from any offset and answers to any query are never equal, but they
//! are made of the same pieces. So each page is cut into pairs of neighbouring words, and the pairs
//! of earlier pages of its make are remembered in a small filter. What a program counts, dates or
//! repeats from the address says nothing: numbers, names of months and days, words of the address.
//!
//! An article, a product, a page of documentation brings pairs of its own with every sentence. Its
//! kind fills the filter soon, which is then emptied: only a make that keeps repeating itself is
//! ever recognised.
//!
//! The sketch of the page record (`parse::fingerprint`) does not serve here: it tells how much two
//! pages have in common, not whether a page is made of pieces of many, and a calendar's months share
//! no run of eight words.

use std::collections::HashSet;
use std::sync::LazyLock;

use base::{Block, Link, PageRecord, Url};
use parse::letters::Words;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

/// Words of a page that are looked at: the beginning says enough, and the time is bounded.
const WORDS: usize = 1_000;
/// Links of a page that are looked at.
const LINKS: usize = 64;
/// Pairs of a page that are kept: those with the lowest hashes, so that two pages keep the same.
const KEPT: usize = 64;
/// Bytes of a filter, and how many of its bits may be set: two for each pair, so that a pair never
/// seen is taken for known one time in seven at most.
const FILTER_BYTES: usize = 512;
const FILTER_BITS: u32 = 8 * FILTER_BYTES as u32 * 3 / 8;
/// Makes of one host that are watched at once.
const WATCHED: usize = 4;
/// Own pages after which one that always had something to say gives up its place; and pages of
/// others after which any does.
const PATIENCE: u8 = 4;
const ABSENCE: u32 = 32;

/// The pairs of words that a page is told by.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sketch(Vec<u32>);

impl Sketch {
    /// Returns the sketch of a page's main text. Cost: some tens of microseconds.
    pub(crate) fn of(record: &PageRecord) -> Self {
        Self::of_page(&record.url, &record.blocks, &record.links)
    }

    fn of_page(url: &Url, blocks: &[Block], links: &[Link]) -> Self {
        let main = blocks.iter().filter(|block| !block.zone.is_frame());
        let mut told = told_by(url);
        // What stands on a link to a page beside this one is that page's affair: the query that
        // others have asked, the month before.
        let beside = links.iter().filter(|link| is_beside(&link.target, url));
        for link in beside.take(LINKS) {
            tell(&mut told, &link.anchor, 8);
        }
        Self::of_texts(&told, main.map(|block| block.text.as_str()))
    }

    /// Returns the sketch of texts without the words that say nothing.
    fn of_texts<'a>(told: &Told, texts: impl Iterator<Item = &'a str>) -> Self {
        // In order; a pair that would not be kept costs one comparison.
        let mut pairs: Vec<u32> = Vec::with_capacity(KEPT + 1);
        let mut left = WORDS;
        let mut words = Words::default();
        for text in texts {
            let mut before = 0;
            words.read(text);
            while left > 0
                && let Some(hash) = words.next_word().map(hash_of)
            {
                left -= 1;
                if words.has_digits() || told.contains(&hash) {
                    continue;
                }
                let pair = xxh3_64_with_seed(&hash.to_le_bytes(), before) as u32;
                before = hash;
                if pairs.len() == KEPT && pairs.last().is_some_and(|last| *last <= pair) {
                    continue;
                }
                if let Err(place) = pairs.binary_search(&pair) {
                    pairs.insert(place, pair);
                    pairs.truncate(KEPT);
                }
            }
        }
        Self(pairs)
    }
}

/// Hashes of words that say nothing.
type Told = HashSet<u64, foldhash::fast::RandomState>;

/// Returns the hashes of the words that the address itself tells, values and the item's name, and
/// of those of dates.
fn told_by(url: &Url) -> Told {
    let last = url.path().trim_end_matches('/').rsplit('/').next().unwrap_or_default();
    let query = url.path_and_query().split_once('?').map_or("", |(_, query)| query);
    let mut told: Told = DATES.iter().copied().collect();
    tell(&mut told, last, 32);
    tell(&mut told, query, 64);
    told
}

/// Takes in the first words of a text.
fn tell(told: &mut Told, text: &str, most: usize) {
    let mut words = Words::default();
    words.read(text);
    for _ in 0..most {
        let Some(hash) = words.next_word().map(hash_of) else { return };
        if !words.has_digits() {
            told.insert(hash);
        }
    }
}

/// Whether two addresses lie in one folder and both have parameters, or neither.
fn is_beside(one: &Url, other: &Url) -> bool {
    let folder = |url: &Url| url.path().rfind('/').unwrap_or(0);
    let has_query = |url: &Url| url.path_and_query().contains('?');
    one.host_str() == other.host_str()
        && has_query(one) == has_query(other)
        && one.path()[..folder(one)] == other.path()[..folder(other)]
}

/// Returns what stands for a word. One with digits, which a program has counted, says nothing.
fn hash_of(word: &[u8]) -> u64 {
    const LONGEST: usize = 40;
    xxh3_64(&word[..word.len().min(LONGEST)]).max(1)
}

/// Hashes of the names of months and days, whole or cut to three letters.
static DATES: LazyLock<Vec<u64>> = LazyLock::new(|| {
    const NAMES: &str = "january february march april may june july august september october \
        november december monday tuesday wednesday thursday friday saturday sunday";
    let cut = |name: &'static str| [name, &name[..3]];
    NAMES.split_whitespace().flat_map(cut).map(|name| hash_of(name.as_bytes())).collect()
});

/// What the pages of a few makes have said so far.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Watch {
    makes: Vec<Make>,
    /// Pages looked at.
    pages: u32,
}

/// The pairs of words of one make's pages.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Make {
    /// The make's shape.
    hash: u64,
    bits: Vec<u8>,
    /// Pages looked at, and how many of the last eight repeated others (a bit each).
    pages: u8,
    stale: u8,
    /// Page of the host at which it was last looked at.
    last: u32,
}

impl Watch {
    /// Returns the bytes that it takes.
    pub(super) fn weight(&self) -> usize {
        self.makes.len() * (size_of::<Make>() + FILTER_BYTES)
    }

    /// Returns whether a page says hardly anything that its make has not said; takes it in.
    ///
    /// `strict` is for addresses that carry a question, of which there is no end.
    pub(super) fn is_stale(&mut self, hash: u64, sketch: &Sketch, strict: bool) -> bool {
        self.pages = self.pages.wrapping_add(1);
        let Some(make) = self.make(hash) else { return false };
        let fresh = make.take_in(sketch);
        let pairs = sketch.0.len();
        let allowed = if strict { pairs / 8 } else { pairs / 32 };
        // A page without words is told by its links and pictures, which are not looked at here.
        let is_stale = pairs > 0 && fresh <= allowed;
        make.stale = make.stale << 1 | u8::from(is_stale);
        is_stale
    }

    /// Returns the books on a make; opens them if one of the others can be closed.
    fn make(&mut self, hash: u64) -> Option<&mut Make> {
        let now = self.pages;
        let place = match self.makes.iter().position(|make| make.hash == hash) {
            Some(place) => place,
            None => {
                let new = Make { hash, bits: vec![0; FILTER_BYTES], pages: 0, stale: 0, last: now };
                if self.makes.len() < WATCHED {
                    self.makes.push(new);
                    self.makes.len() - 1
                } else {
                    let is_over = |make: &Make| {
                        make.stale == 0 && make.pages >= PATIENCE
                            || now.wrapping_sub(make.last) >= ABSENCE
                    };
                    let over = (0..WATCHED).filter(|place| is_over(&self.makes[*place]));
                    let place = over.min_by_key(|place| self.makes[*place].last)?;
                    self.makes[place] = new;
                    place
                }
            }
        };
        let make = &mut self.makes[place];
        make.last = now;
        make.pages = make.pages.saturating_add(1);
        Some(make)
    }
}

impl Make {
    /// Returns how many pairs are new; remembers them.
    fn take_in(&mut self, sketch: &Sketch) -> usize {
        let set: u32 = self.bits.iter().map(|byte| byte.count_ones()).sum();
        if set >= FILTER_BITS {
            self.bits.fill(0);
        }
        let mut fresh = 0;
        for pair in &sketch.0 {
            // Kept pairs have low hashes: mixed, they spread over the filter.
            let mixed = u64::from(*pair).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let mut is_fresh = false;
            for bit in [mixed >> 52, mixed >> 40 & 0xfff] {
                let (place, bit) = (bit as usize / 8 % FILTER_BYTES, 1 << (bit % 8));
                let Some(byte) = self.bits.get_mut(place) else { continue };
                is_fresh |= *byte & bit == 0;
                *byte |= bit;
            }
            fresh += usize::from(is_fresh);
        }
        fresh
    }
}

#[cfg(test)]
mod tests;
