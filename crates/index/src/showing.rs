//! What the index keeps of a page only to show it: its own description and date, where its copy
//! lies, and a short print of its text by which near copies are known (Q6, Q9).
//!
//! `prints` is a fast field of three numbers per page, none if the text is too short to compare:
//!
//! ```text
//! 84 min-hashes, the lowest two bits of each | 28 of them in a number, the first lowest
//! ```
//! Two bits agree by chance once in four times; [`Print::likeness`] takes that off again.

use base::{Capture, ContentKind, Dated, PageRecord, Sketch, Timestamp};
use serde::{Deserialize, Serialize};

/// Longest description kept, in bytes: some lines.
const DESCRIPTION_BYTES: usize = 400;
/// How sure a page's own date must be to be shown.
const SURE: u8 = 60;
/// Min-hashes of a sketch.
const HASHES: usize = 84;
/// Min-hashes in one number of a print.
const PER_NUMBER: usize = 28;

/// What is kept of a page only to show it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Showing {
    /// What the page says of itself; may be empty.
    pub description: String,
    /// The page's own date, if it is sure of it.
    pub date: Option<Timestamp>,
    /// What the bytes are.
    pub kind: ContentKind,
    /// Where the response lies in the archive.
    pub capture: Capture,
    /// Whether the page forbids to show a copy of it.
    pub noarchive: bool,
    /// Most characters of its text that it allows to be shown at a time.
    pub snippet_chars: Option<u32>,
}

impl Default for Showing {
    fn default() -> Self {
        Self {
            description: String::new(),
            date: None,
            kind: ContentKind::Html,
            capture: Capture::default(),
            noarchive: false,
            snippet_chars: None,
        }
    }
}

impl Showing {
    /// Takes from a record what is shown of it.
    pub(crate) fn of(record: &PageRecord) -> Self {
        let description = base::limits::cut(record.about.description.trim(), DESCRIPTION_BYTES);
        let is_sure = |dated: &Dated| dated.confidence >= SURE && dated.at <= record.fetched;
        let date = record.about.published.filter(is_sure).or(record.about.modified.filter(is_sure));
        Self {
            description: description.to_owned(),
            date: date.map(|dated| dated.at),
            kind: record.kind,
            capture: record.capture,
            noarchive: record.robots.noarchive,
            snippet_chars: record.snippet_chars,
        }
    }

    /// Returns the stored form.
    pub(crate) fn encode(&self) -> Vec<u8> {
        postcard::to_stdvec(self).expect("plain data is always written")
    }

    /// Reads the stored form; what cannot be read is nothing to show.
    pub(crate) fn decode(bytes: &[u8]) -> Self {
        postcard::from_bytes(bytes).unwrap_or_default()
    }
}

/// A short print of a page's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Print([u64; HASHES / PER_NUMBER]);

impl Print {
    /// Shortens a sketch; `None` if the text was too short for one.
    pub fn of(sketch: &Sketch) -> Option<Self> {
        if sketch.0.len() != HASHES {
            return None;
        }
        let mut numbers = [0; HASHES / PER_NUMBER];
        for (number, hashes) in numbers.iter_mut().zip(sketch.0.chunks(PER_NUMBER)) {
            for (place, hash) in hashes.iter().enumerate() {
                *number |= u64::from(hash & 3) << (2 * place);
            }
        }
        Some(Self(numbers))
    }

    /// Rebuilds a print from [`Self::numbers`]; `None` if they are too few.
    pub(crate) fn from_numbers(numbers: impl Iterator<Item = u64>) -> Option<Self> {
        let (mut print, mut count) = (Self([0; HASHES / PER_NUMBER]), 0);
        for (place, number) in print.0.iter_mut().zip(numbers) {
            *place = number;
            count += 1;
        }
        (count == print.0.len()).then_some(print)
    }

    /// Returns the numbers to keep, in order.
    pub(crate) fn numbers(&self) -> impl Iterator<Item = u64> + use<> {
        self.0.into_iter()
    }

    /// Bytes of a print: four hashes each.
    pub const BYTES: usize = HASHES / 4;

    /// Returns its bytes, in order. Two prints with a hash in common at each place of a byte have
    /// that byte in common.
    pub fn bytes(&self) -> impl Iterator<Item = u8> + use<> {
        self.0.into_iter().flat_map(|number| number.to_le_bytes().into_iter().take(PER_NUMBER / 4))
    }

    /// Estimates the share of text that two pages have in common, from 0 to 1.
    ///
    /// Standard error 0.06 at a share of 0.7.
    pub fn likeness(&self, other: &Self) -> f32 {
        let mut num_equal = 0;
        for (one, other) in self.0.iter().zip(other.0) {
            let differs = one ^ other;
            // One bit for each pair that differs in either of its bits.
            let pairs = (differs | differs >> 1) & 0x0055_5555_5555_5555;
            num_equal += PER_NUMBER as u32 - pairs.count_ones();
        }
        let equal = num_equal as f32 / HASHES as f32;
        ((equal - 0.25) / 0.75).max(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sketch(changed: usize) -> Sketch {
        let hash = |place: usize| (place as u32).wrapping_mul(2_654_435_761) >> 7;
        let other = |place: usize| hash(place) ^ if place < changed { 1 } else { 0 };
        Sketch((0..HASHES).map(other).collect())
    }

    #[test]
    fn prints_tell_how_much_of_a_text_is_the_same() {
        let one = Print::of(&sketch(0)).unwrap();
        assert!((one.likeness(&one) - 1.0).abs() < 1e-6);
        let half = Print::of(&sketch(42)).unwrap();
        assert!((one.likeness(&half) - (0.5 - 0.25) / 0.75).abs() < 1e-6);
        assert_eq!(one.likeness(&Print::of(&sketch(84)).unwrap()), 0.0);
        assert_eq!(Print::of(&Sketch::default()), None);
    }

    #[test]
    fn prints_and_what_is_shown_come_back_as_they_were() {
        let print = Print::of(&sketch(17)).unwrap();
        assert_eq!(Print::from_numbers(print.numbers()), Some(print));
        assert_eq!(Print::from_numbers([1, 2].into_iter()), None);
        let showing = Showing {
            description: "Lamps".to_owned(),
            date: Some(Timestamp::from_millis(5)),
            kind: ContentKind::Pdf,
            capture: Capture { file: 1, offset: 2, length: 3 },
            noarchive: true,
            snippet_chars: Some(50),
        };
        let bytes = showing.encode();
        assert_eq!(Showing::decode(&bytes), showing);
        for end in 0..bytes.len() {
            assert_eq!(Showing::decode(&bytes[..end]), Showing::default());
        }
    }
}
