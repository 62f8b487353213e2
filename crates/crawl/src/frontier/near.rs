//! Pages that are nearly the same as others, found at crawl time (C13).
//!
//! ```text
//! near      super-shingle: u64 be → page id: u64 be, at most 8 of them   pages that have it
//! sketches  page id: u64 be       → 84 bytes                             its min-hashes, cut
//! ```
//! A page is compared with those that have two of its six super-shingles; it repeats the one of
//! them that it resembles most, if that is at least [`NEAR`]. Only pages that repeat none are put
//! into the table, so the pages of one super-shingle are few by nature; of a template that many
//! pages share the last eight are kept, and nothing grows with it.
//!
//! To compare, the lowest byte of each min-hash is enough: two different ones have it in common
//! once in 256 times, which is taken off the estimate. That is 84 bytes a page instead of 336.
//!
//! Cost: six lookups a page, most of them answered by the store's filters, and a lookup for each
//! page that has two of the six; seven entries and some 200 bytes for a page that is kept.

use base::{PageId, PageRecord, Sketch};
use parse::fingerprint::{self, MIN_HASHES, NEAR, NEAR_SUPER_SHINGLES};

use super::update::Update;
use super::{Batch, Frontier, FrontierError, Lookup, Standing, read};

/// Pages kept for one super-shingle.
const PAGES: usize = 8;
/// Pages that one is compared with; those with the most super-shingles in common come first.
const COMPARED: usize = 4;

/// What a batch adds to the table.
#[derive(Default)]
pub(super) struct Near {
    /// Newest page first.
    pages: Lookup<u64, Vec<PageId>>,
    /// `None` for a page that is taken out.
    sketches: Lookup<PageId, Option<Cut>>,
}

/// The lowest byte of each min-hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cut([u8; MIN_HASHES]);

impl Cut {
    pub(super) fn of(sketch: &Sketch) -> Option<Self> {
        let mut bytes = [0; MIN_HASHES];
        if sketch.0.len() != bytes.len() {
            return None;
        }
        for (byte, value) in bytes.iter_mut().zip(&sketch.0) {
            *byte = *value as u8;
        }
        Some(Self(bytes))
    }

    pub(super) fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    pub(super) fn from_bytes(bytes: &[u8]) -> Result<Self, FrontierError> {
        let bytes = bytes.try_into();
        bytes.map(Self).map_err(|_| FrontierError::Value { keyspace: "sketches" })
    }

    /// Estimates how much of their text two pages share, from 0 to 1.
    pub(super) fn resemblance(&self, other: &Self) -> f64 {
        let equal = self.0.iter().zip(&other.0).filter(|(one, other)| one == other).count();
        let share = equal as f64 / MIN_HASHES as f64;
        ((share * 256.0 - 1.0) / 255.0).max(0.0)
    }
}

impl Near {
    /// Adds the changes to what is stored with the batch.
    pub(super) fn store(&self, frontier: &Frontier, batch: &mut Batch) {
        for (shingle, pages) in &self.pages {
            let bytes: Vec<u8> =
                pages.iter().flat_map(|page| page.as_u64().to_be_bytes()).collect();
            batch.insert(&frontier.near, shingle.to_be_bytes(), bytes);
        }
        for (page, cut) in &self.sketches {
            let key = page.as_u64().to_be_bytes();
            match cut {
                Some(cut) => batch.insert(&frontier.sketches, key, cut.0),
                None => batch.remove(&frontier.sketches, key),
            }
        }
    }

    /// Forgets a page: entries that name it find nothing to compare with.
    pub(super) fn forget(&mut self, page: PageId) {
        self.sketches.insert(page, None);
    }
}

impl Update<'_> {
    /// Returns the page that a page nearly repeats, those of `leaving` apart: they are about to
    /// be taken out.
    pub(super) fn near_original(
        &self,
        record: &PageRecord,
        leaving: &[PageRecord],
    ) -> Result<Option<PageId>, FrontierError> {
        let Some(cut) = Cut::of(&record.sketch) else { return Ok(None) };
        let mut best: Option<(f64, PageId)> = None;
        for page in self.alike(record)?.into_iter().take(COMPARED) {
            if leaving.iter().any(|record| record.id == page) || !self.stands(page)? {
                continue;
            }
            let Some(other) = self.cut_of(page)? else { continue };
            let resemblance = cut.resemblance(&other);
            if resemblance >= NEAR && best.is_none_or(|(most, _)| resemblance > most) {
                best = Some((resemblance, page));
            }
        }
        Ok(best.map(|(_, page)| page))
    }

    /// Returns whether a copy is nearly the page that it is said to repeat.
    pub(super) fn nearly_repeats(&self, record: &PageRecord) -> Result<bool, FrontierError> {
        let Some(cut) = Cut::of(&record.sketch) else { return Ok(false) };
        let Some(original) = record.copy_of else { return Ok(false) };
        Ok(self.cut_of(original)?.is_some_and(|other| cut.resemblance(&other) >= NEAR))
    }

    /// Puts a page that repeats no other into the table.
    pub(super) fn keep_sketch(&mut self, record: &PageRecord) -> Result<(), FrontierError> {
        let Some(shingles) = fingerprint::super_shingles(&record.sketch) else { return Ok(()) };
        let cut = Cut::of(&record.sketch);
        if self.cut_of(record.id)? == cut {
            return Ok(());
        }
        self.near.sketches.insert(record.id, cut);
        for shingle in shingles {
            let mut pages = self.pages_with(shingle)?;
            pages.retain(|page| *page != record.id);
            pages.insert(0, record.id);
            pages.truncate(PAGES);
            self.near.pages.insert(shingle, pages);
        }
        Ok(())
    }

    /// Returns other pages that have two super-shingles of this one, those with most of them
    /// first, older ones before newer ones.
    fn alike(&self, record: &PageRecord) -> Result<Vec<PageId>, FrontierError> {
        let mut counts: Vec<(usize, PageId)> = Vec::new();
        for shingle in fingerprint::super_shingles(&record.sketch).into_iter().flatten() {
            for page in self.pages_with(shingle)? {
                match counts.iter_mut().find(|(_, known)| *known == page) {
                    Some((count, _)) => *count += 1,
                    None => counts.push((1, page)),
                }
            }
        }
        counts.retain(|(count, page)| *count >= NEAR_SUPER_SHINGLES && *page != record.id);
        counts.sort_unstable_by_key(|(count, page)| (std::cmp::Reverse(*count), *page));
        Ok(counts.into_iter().map(|(_, page)| page).collect())
    }

    /// Returns whether a page has been fetched and repeats no other.
    fn stands(&self, page: PageId) -> Result<bool, FrontierError> {
        let Some(url) = self.url_of(page)? else { return Ok(false) };
        let standing = self.url(&url)?.map(|state| state.standing);
        Ok(matches!(standing, Some(Standing::Fetched { status: 200, copy_of: None, .. })))
    }

    fn pages_with(&self, shingle: u64) -> Result<Vec<PageId>, FrontierError> {
        match self.near.pages.get(&shingle) {
            Some(pages) => Ok(pages.clone()),
            None => match self.frontier.near.get(shingle.to_be_bytes())? {
                Some(bytes) => pages_of(&bytes),
                None => Ok(Vec::new()),
            },
        }
    }

    fn cut_of(&self, page: PageId) -> Result<Option<Cut>, FrontierError> {
        match self.near.sketches.get(&page) {
            Some(cut) => Ok(*cut),
            None => self.frontier.cut_of(page),
        }
    }
}

impl Frontier {
    /// Estimates how much of its text a copy shares with its original, in hundredths; `None` if
    /// it is equal, or a copy for other reasons.
    pub(crate) fn resemblance(&self, record: &PageRecord) -> Result<Option<u8>, FrontierError> {
        let (Some(cut), Some(original)) = (Cut::of(&record.sketch), record.copy_of) else {
            return Ok(None);
        };
        if read(&self.texts, "texts", &record.text_hash.to_be_bytes())? == Some(original) {
            return Ok(None);
        }
        let resemblance = self.cut_of(original)?.map(|other| cut.resemblance(&other));
        let resemblance = resemblance.filter(|resemblance| *resemblance >= NEAR);
        Ok(resemblance.map(|resemblance| (resemblance * 100.0).round() as u8))
    }

    /// Returns what does not fit in the table of near duplicates.
    pub(super) fn check_near(&self, problems: &mut Vec<String>) -> Result<(), FrontierError> {
        for guard in self.near.iter() {
            let (key, value) = guard.into_inner()?;
            let pages = pages_of(&value)?;
            if key.len() != 8 || pages.is_empty() || pages.len() > PAGES {
                problems.push(format!("super-shingle {key:?} has {} pages", pages.len()));
            }
            for page in pages {
                if self.url_of(page)?.is_none() {
                    problems
                        .push(format!("super-shingle {key:?} names page {page}, which is none"));
                }
            }
        }
        for guard in self.sketches.iter() {
            let (_, value) = guard.into_inner()?;
            Cut::from_bytes(&value)?;
        }
        Ok(())
    }

    fn cut_of(&self, page: PageId) -> Result<Option<Cut>, FrontierError> {
        let bytes = self.sketches.get(page.as_u64().to_be_bytes())?;
        bytes.map(|bytes| Cut::from_bytes(&bytes)).transpose()
    }
}

fn pages_of(bytes: &[u8]) -> Result<Vec<PageId>, FrontierError> {
    let (ids, rest) = bytes.as_chunks();
    if !rest.is_empty() {
        return Err(FrontierError::Value { keyspace: "near" });
    }
    Ok(ids.iter().map(|id| PageId::from_u64(u64::from_be_bytes(*id))).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_of_each_min_hash_estimates_like_all_of_it() {
        let value = |number: u32| number.wrapping_mul(2_654_435_769).rotate_left(16);
        let sketch = |first: u32| {
            Sketch(
                (0..84).map(|place| value(place + if place < first { 1_000 } else { 0 })).collect(),
            )
        };
        for changed in [0, 4, 8, 16, 42, 84] {
            let (one, other) = (sketch(0), sketch(changed));
            let whole = fingerprint::resemblance(&one, &other);
            let cut = Cut::of(&one).unwrap().resemblance(&Cut::of(&other).unwrap());
            assert!((whole - cut).abs() < 0.02, "{whole} and {cut}");
        }
        assert_eq!(Cut::of(&Sketch::default()), None);
        assert_eq!(Cut::of(&Sketch(vec![1; 85])), None);
    }

    #[test]
    fn lists_of_pages_are_read_back_and_torn_ones_refused() {
        let pages = [3, 1 << 48].map(PageId::from_u64);
        let bytes: Vec<u8> = pages.iter().flat_map(|page| page.as_u64().to_be_bytes()).collect();
        assert_eq!(pages_of(&bytes).unwrap(), pages);
        for length in (1..16).filter(|length| *length != 8) {
            assert!(pages_of(&bytes[..length]).is_err());
            assert!(Cut::from_bytes(&bytes[..length]).is_err());
        }
    }
}
