//! Where the blocks of a page end: words of two blocks are never near each other (P5, W15).
//!
//! Blocks stand one position apart in `words`, which keeps plain phrases within them. The positions
//! left out are those of the one term of the field `breaks`:
//!
//! ```text
//! blocks  "new world" | "mammal of the year"
//! words    new 0, world 1, mammal 3, of 4, the 5, year 6
//! breaks   2
//! ```
//! Whoever compares positions that are further from each other than neighbours first moves them
//! [`Breaks::part`]. Wider gaps would need no second field, but tantivy packs 128 positions at a time
//! with as many bits as the largest step takes (docs/measurements/2026-11-17-search.md).

use tantivy::postings::{Postings, SegmentPostings};
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{DocId, DocSet, SegmentReader, Term};

use crate::prepared::Packer;

/// The term of the field.
const MARK: &str = "|";
/// What blocks are moved apart by: more words than a query can ask for.
const APART: u32 = 1_000;

/// Marks the ends of a page's blocks.
#[derive(Default)]
pub(crate) struct Marker {
    packer: Packer,
    /// Whether a block has begun that no word was seen of.
    is_begun: bool,
}

impl Marker {
    /// Begins a block.
    pub(crate) fn begin(&mut self) {
        self.is_begun = true;
    }

    /// Says that a word follows in `words`; the first of a block is moved on by one.
    pub(crate) fn word(&mut self, words: &mut Packer) {
        if !std::mem::take(&mut self.is_begun) || words.is_empty() {
            return;
        }
        self.packer.push_at(words.end(), MARK);
        words.leave_gap(1);
    }

    /// Returns the packed tokens.
    pub(crate) fn finish(self) -> String {
        self.packer.finish()
    }
}

/// Reads where the blocks end in documents of one segment, which are asked for in order.
pub struct Breaks {
    postings: Option<SegmentPostings>,
    places: Vec<u32>,
}

impl Breaks {
    /// Opens the field `breaks` of a segment.
    pub fn open(segment: &SegmentReader, field: Field) -> tantivy::Result<Self> {
        let index = segment.inverted_index(field)?;
        let term = Term::from_field_text(field, MARK);
        let postings = index.read_postings(&term, IndexRecordOption::WithFreqsAndPositions)?;
        Ok(Self { postings, places: Vec::new() })
    }

    /// Goes on to a document.
    ///
    /// Cost: a skip in the postings, and the number of its blocks.
    pub fn read(&mut self, doc: DocId) {
        self.places.clear();
        let Some(postings) = &mut self.postings else { return };
        if postings.doc() < doc {
            postings.seek(doc);
        }
        if postings.doc() == doc {
            postings.positions(&mut self.places);
        }
    }

    /// Returns where the first block ends: the title, if there is one. `None` if there is nothing
    /// behind it.
    pub fn first(&self) -> Option<u32> {
        self.places.first().copied()
    }

    /// Returns whether the document has no more than one block.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// Moves positions of the document, which are in order, so that those of two blocks are further
    /// apart than anything that is asked for; within a block nothing changes.
    pub fn part(&self, positions: &mut [u32]) {
        let mut before = 0;
        for position in positions {
            while self.places.get(before).is_some_and(|place| place < position) {
                before += 1;
            }
            *position = position.saturating_add(APART.saturating_mul(before as u32));
        }
    }
}

impl std::fmt::Debug for Breaks {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Breaks").field("places", &self.places).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::prepared::unpack;

    /// Returns the positions of words and of breaks for blocks of so many words.
    fn places(blocks: &[usize]) -> (Vec<u32>, Vec<u32>) {
        let (mut words, mut marker) = (Packer::default(), Marker::default());
        for block in blocks {
            marker.begin();
            for _ in 0..*block {
                marker.word(&mut words);
                words.push("word");
            }
        }
        let places = |packed: &str| unpack(packed).iter().map(|(place, _)| *place as u32).collect();
        (places(&words.finish()), places(&marker.finish()))
    }

    #[test]
    fn breaks_stand_between_blocks_that_have_words() {
        assert_eq!(places(&[2, 4]), (vec![0, 1, 3, 4, 5, 6], vec![2]));
        assert_eq!(places(&[0, 1, 0, 0, 1, 1, 0]), (vec![0, 2, 4], vec![1, 3]));
        assert_eq!(places(&[0]), (vec![], vec![]));
    }

    #[test]
    fn blocks_of_any_length_keep_their_breaks() {
        let (words, breaks) = places(&[120_000, 1, 60_000, 1]);
        assert_eq!(breaks, [120_000, 120_002, 180_003]);
        assert!(breaks.iter().all(|place| words.binary_search(place).is_err()));
    }

    proptest! {
        #[test]
        fn words_are_moved_apart_if_and_only_if_a_block_ends_between_them(
            blocks in prop::collection::vec(0_usize..40, 0..40),
        ) {
            let (mut words, breaks) = places(&blocks);
            let breaks = Breaks { postings: None, places: breaks };
            breaks.part(&mut words);
            let owners: Vec<usize> =
                (0..).zip(&blocks).flat_map(|(i, block)| std::iter::repeat_n(i, *block)).collect();
            for (i, one) in owners.iter().enumerate() {
                for (j, other) in owners.iter().enumerate().skip(i + 1) {
                    let far = words[j] - words[i];
                    let is_right = if one == other { far == (j - i) as u32 } else { far > APART };
                    prop_assert!(is_right);
                }
            }
        }
    }
}
