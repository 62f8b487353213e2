//! Fagin's Threshold Algorithm: all lists from the top in step, each document met scored whole.
//!
//! A document not met yet stands below the present place in every list, so it is worth at most
//! the sum of the weights there. Once the worst kept document is worth more, the search is over.
//! The rank is one list more.

use std::io;

use super::table::Table;
use crate::first::Heap;

/// Steps between two looks at the clock.
const STRIDE: usize = 64;

/// What is known of the documents that were not met yet.
#[derive(Debug, PartialEq)]
enum Rest {
    /// None of them is worth more.
    AtMost(f32),
    /// There are none that match.
    Nothing,
}

/// Returns whether the time ran out.
pub(crate) fn run(
    table: &mut Table<'_>,
    heap: &mut Heap,
    is_over: &dyn Fn() -> bool,
) -> io::Result<bool> {
    for place in 0.. {
        if place % STRIDE == STRIDE - 1 && is_over() {
            return Ok(true);
        }
        match round(table, heap, place)? {
            Rest::AtMost(most) if !is_enough(heap, most) => {}
            _ => break,
        }
    }
    Ok(false)
}

/// Scores the documents at one place of all lists.
fn round(table: &mut Table<'_>, heap: &mut Heap, place: usize) -> io::Result<Rest> {
    let mut most = 0.0;
    for word in 0..table.words.len() {
        let mut has_ended = true;
        for list in table.words[word].clone() {
            if let Some(entry) = table.at(list, place)? {
                most += entry.weight;
                table.take(entry.ordinal, heap)?;
                has_ended = false;
            }
        }
        // Whoever has all words stands in a list of each, so all of them were met.
        if has_ended {
            return Ok(Rest::Nothing);
        }
    }
    if let Some((ordinal, rank)) = table.by_rank(place) {
        most += rank;
        table.take(ordinal, heap)?;
    }
    Ok(Rest::AtMost(most))
}

/// Returns whether the worst kept document is worth more than any that was not met.
fn is_enough(heap: &Heap, most: f32) -> bool {
    // A little more than the bound: sums of 32 bits are rounded.
    heap.worst().is_some_and(|worst| worst > most + most.abs() * 4.0 * f32::EPSILON)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generation::Links;
    use crate::strategy::Store;
    use crate::strategy::lists::{self, Lists};

    /// Lists by term: documents, called by their number from 1, with their weights.
    type Weights<'a> = [(&'a str, &'a [(u32, f32)])];

    /// W9 as rounded there.
    const W9: &Weights<'_> = &[
        ("family", &[(1, 0.13), (3, 0.13), (5, 0.07), (6, 0.08)]),
        ("new", &[(1, 0.20), (2, 0.24), (5, 0.10)]),
    ];

    /// Puts lists into a file, as the index would, and opens it.
    fn store(weights: &Weights<'_>, num_docs: u32) -> Store {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lists");
        lists::write_given(&path, num_docs + 1, weights).unwrap();
        Store::new(Lists::open(&path).unwrap(), &Links::default())
    }

    fn best(heap: Heap) -> Vec<(u32, f32)> {
        let best = heap.into_best().into_iter();
        best.map(|scored| (scored.address.doc_id, (scored.score * 100.0).round() / 100.0)).collect()
    }

    /// Adds the weights of all documents up and sorts them, without any list.
    fn by_hand(weights: &Weights<'_>, num_docs: u32, count: usize) -> Vec<(u32, f32)> {
        let sum = |doc: u32| {
            let entries = weights.iter().flat_map(|(_, entries)| entries.iter());
            entries.filter(|entry| entry.0 == doc).map(|entry| entry.1).sum::<f32>()
        };
        let mut all: Vec<(u32, f32)> = (1..=num_docs).map(|doc| (doc, sum(doc))).collect();
        all.sort_by(|one, other| other.1.total_cmp(&one.1).then(one.0.cmp(&other.0)));
        all.truncate(count);
        all.into_iter().map(|(doc, sum)| (doc, (sum * 100.0).round() / 100.0)).collect()
    }

    #[test]
    fn the_three_best_of_the_notes_are_found_round_by_round() {
        let (store, links) = (store(W9, 7), Links::default());
        let begin = || Table::of(&store, &["new", "family"], &links, 0.0);
        // What is known after each round, and below which value anything not met is.
        let after = |num_rounds: usize| {
            let (mut table, mut heap) = (begin(), Heap::new(3));
            let rounds = (0..num_rounds).map(|place| round(&mut table, &mut heap, place).unwrap());
            let last = rounds.last().unwrap();
            let Rest::AtMost(most) = last else { panic!("{last:?}") };
            (is_enough(&heap, most), (most * 100.0).round() / 100.0, best(heap))
        };
        assert_eq!(after(1), (false, 0.37, vec![(1, 0.33), (2, 0.24)]));
        assert_eq!(after(2), (false, 0.33, vec![(1, 0.33), (2, 0.24), (3, 0.13)]));
        assert_eq!(after(3), (false, 0.18, vec![(1, 0.33), (2, 0.24), (5, 0.17)]));
        // One list has ended, the other has d5 again.
        assert_eq!(after(4), (true, 0.07, vec![(1, 0.33), (2, 0.24), (5, 0.17)]));
        let (mut table, mut heap) = (begin(), Heap::new(3));
        assert!(!run(&mut table, &mut heap, &|| false).unwrap());
        assert_eq!(table.num_documents, 5);
        let found = best(heap);
        assert_eq!(found, [(1, 0.33), (2, 0.24), (5, 0.17)]);
        assert_eq!(found, by_hand(W9, 7, 3));
    }

    #[test]
    fn it_ends_before_the_lists_do_where_the_data_allow_it() {
        let falling: Vec<(u32, f32)> = (1..=2_000).map(|doc| (doc, 100.0 / doc as f32)).collect();
        let rising: Vec<(u32, f32)> =
            (1..=2_000).map(|doc| (doc, 80.0 / (2_001 - doc) as f32)).collect();
        let weights = [("a", &falling[..]), ("b", &rising[..])];
        let (store, links) = (store(&weights, 2_000), Links::default());
        let mut table = Table::of(&store, &["a", "b"], &links, 0.0);
        let mut heap = Heap::new(2);
        assert!(!run(&mut table, &mut heap, &|| false).unwrap());
        assert_eq!(best(heap), by_hand(&weights, 2_000, 2));
        // Three rounds: at the third place of both no more than 60 is left, and 80 is known.
        assert_eq!((table.num_documents, table.num_postings), (6, 6 + 6 * 2));
    }
}
