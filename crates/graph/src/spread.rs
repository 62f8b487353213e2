//! A bounded choice out of a list of any length.

/// Returns at most `most` entries of a list, evenly spaced: the whole list if it is not longer.
///
/// Nodes are numbered in the order of their hosts, so an even choice out of a list of nodes sees
/// many hosts where the first entries would see one. The same list gives the same choice.
/// Cost: O(`most`), however long the list.
pub(crate) fn spread(list: &[u32], most: usize) -> impl Iterator<Item = u32> + '_ {
    let taken = list.len().min(most);
    // In 128 bits, since a list and a limit may both be long.
    let place = move |i: usize| (i as u128 * list.len() as u128 / taken as u128) as usize;
    (0..taken).map(move |i| list[place(i)])
}

#[cfg(test)]
mod tests {
    use super::spread;

    #[track_caller]
    fn check(list: &[u32], most: usize, expected: &[u32]) {
        assert_eq!(spread(list, most).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn short_lists_come_whole() {
        check(&[], 3, &[]);
        check(&[5, 6, 9], 3, &[5, 6, 9]);
        check(&[5, 6, 9], usize::MAX, &[5, 6, 9]);
    }

    #[test]
    fn long_lists_are_seen_from_end_to_end() {
        check(&[0, 1, 2, 3, 4, 5, 6, 7, 8, 9], 3, &[0, 3, 6]);
        check(&[0, 1, 2, 3], 0, &[]);
    }
}
