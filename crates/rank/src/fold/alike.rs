//! Finds near copies among many prints without holding each against all others.
//!
//! Two prints that are alike differ in at most 18 of their 84 hashes. The hashes lie four to a byte, so
//! that at least three of the 21 bytes are the same in both. Lists of prints by place and value of a
//! byte therefore name all that need to be looked at, and of unlike ones hardly any.
//!
//! Before, each page was held against every entry above it: 80,000 comparisons for 400 pages.

use index::Print;

/// Share of text from which on two pages are one entry of the list. Lower than what the crawl
/// takes for a copy (0.9): what is folded here can be unfolded with a click.
pub(super) const ALIKE: f32 = 0.7;
/// Bytes that two prints with that share have in common at least.
const COMMON_BYTES: u8 = 3;

/// Prints that have come, each with a place.
pub(super) struct Prints {
    /// The last print with each value of each byte, as its number plus one; 0 for none.
    heads: Vec<u32>,
    known: Vec<Known>,
    /// Bytes that each known print has in common with the one at hand.
    common: Vec<u8>,
    /// Known prints with any such byte.
    touched: Vec<u32>,
}

struct Known {
    place: usize,
    print: Print,
    /// The print before with the same value of each byte, as in `heads`.
    before: [u32; Print::BYTES],
}

impl Prints {
    pub(super) fn new() -> Self {
        Self {
            heads: vec![0; Print::BYTES * 256],
            known: Vec::new(),
            common: Vec::new(),
            touched: Vec::new(),
        }
    }

    /// Returns the place of the first print that came and is like this one.
    ///
    /// Cost: about a twelfth of the prints that came, a step for each.
    pub(super) fn find(&mut self, print: &Print) -> Option<usize> {
        for (byte, slot) in slots(print).enumerate() {
            let mut next = self.heads[slot];
            while let Some(number) = next.checked_sub(1) {
                let common = &mut self.common[number as usize];
                if *common == 0 {
                    self.touched.push(number);
                }
                *common += 1;
                next = self.known[number as usize].before[byte];
            }
        }
        let mut first: Option<usize> = None;
        for number in self.touched.drain(..) {
            let common = std::mem::take(&mut self.common[number as usize]);
            let known = &self.known[number as usize];
            if common >= COMMON_BYTES
                && first.is_none_or(|first| known.place < first)
                && known.print.likeness(print) >= ALIKE
            {
                first = Some(known.place);
            }
        }
        first
    }

    /// Adds a print with its place.
    pub(super) fn push(&mut self, place: usize, print: Print) {
        let mut before = [0; Print::BYTES];
        let number = self.known.len() as u32 + 1;
        for (slot, before) in slots(&print).zip(&mut before) {
            *before = std::mem::replace(&mut self.heads[slot], number);
        }
        self.known.push(Known { place, print, before });
        self.common.push(0);
    }
}

/// Returns the places in `heads` of a print's bytes.
fn slots(print: &Print) -> impl Iterator<Item = usize> {
    print.bytes().enumerate().map(|(i, byte)| i * 256 + usize::from(byte))
}

#[cfg(test)]
mod tests {
    use base::Sketch;
    use proptest::prelude::*;

    use super::*;

    /// Prints of a few families, each with some hashes changed.
    fn prints() -> impl Strategy<Value = Vec<Print>> {
        let changes = prop::collection::vec((0_usize..84, 0_u32..4), 0..40);
        let one = (0_u32..4, changes).prop_map(|(family, changes)| {
            let hash = |place: u32| (family * 84 + place).wrapping_mul(0x9E37_79B9) >> 9;
            let mut hashes: Vec<u32> = (0..84).map(hash).collect();
            changes.iter().for_each(|(place, value)| hashes[*place] = *value);
            Print::of(&Sketch(hashes)).expect("as long as a sketch is")
        });
        prop::collection::vec(one, 0..60)
    }

    proptest! {
        #[test]
        fn the_first_that_is_alike_is_found_as_by_looking_at_all(prints in prints()) {
            let mut known = Prints::new();
            for (place, print) in prints.iter().enumerate() {
                let expected =
                    prints[..place].iter().position(|other| other.likeness(print) >= ALIKE);
                prop_assert_eq!(known.find(print), expected);
                known.push(place, *print);
            }
        }
    }

    #[test]
    fn prints_that_are_just_alike_share_enough_bytes() {
        let hashes = |num_changed: usize| {
            // Changed hashes as far apart as they can be: one in each byte, then a second one.
            let changed = |place: usize| (place % 4) * 21 + place / 4 < num_changed;
            let hash = |place: usize| if changed(place) { 1 } else { 0 };
            Print::of(&Sketch((0..84).map(hash).collect())).unwrap()
        };
        let most = (0..84).rfind(|changed| hashes(0).likeness(&hashes(*changed)) >= ALIKE).unwrap();
        let common = |one: &Print, other: &Print| {
            one.bytes().zip(other.bytes()).filter(|(one, other)| one == other).count()
        };
        assert_eq!(common(&hashes(0), &hashes(most)), usize::from(COMMON_BYTES));
    }
}
