//! Numbers sorted by some of their bits, without comparing them.

use std::ops::Range;

/// Bits that one pass goes by: its counts fit the smallest cache.
const BITS: u32 = 11;

/// Sorts by these bits; what has the same ones stays in its order. `spare` holds anything, and as
/// much as `keys` afterwards.
///
/// Cost: two passes over the keys per eleven bits, none of them random but for 2,048 places written to.
pub(super) fn sort(keys: &mut Vec<u64>, spare: &mut Vec<u64>, bits: Range<u32>) {
    spare.resize(keys.len(), 0);
    for shift in bits.clone().step_by(BITS as usize) {
        let mask = (1 << BITS.min(bits.end - shift)) - 1;
        let digit = |key: u64| (key >> shift & mask) as usize;
        let mut places = [0usize; 1 << BITS];
        keys.iter().for_each(|key| places[digit(*key)] += 1);
        let mut start = 0;
        for place in &mut places {
            start += std::mem::replace(place, start);
        }
        for key in keys.iter() {
            let place = &mut places[digit(*key)];
            spare[*place] = *key;
            *place += 1;
        }
        std::mem::swap(keys, spare);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn keys_are_sorted_by_the_bits_asked_for_and_else_stay(
            keys in prop::collection::vec(any::<u64>(), 0..300),
            from in 0u32..40,
            len in 0u32..30,
        ) {
            let mut expected = keys.clone();
            expected.sort_by_key(|key| key >> from & ((1 << len) - 1));
            let mut sorted = keys;
            sort(&mut sorted, &mut vec![7; 3], from..from + len);
            prop_assert_eq!(sorted, expected);
        }
    }
}
