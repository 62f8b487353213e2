//! Fagin's Threshold Algorithm: all lists from the top in step, each document met scored whole.
//!
//! A document not met yet stands below the present place in every list, so it is worth at most
//! the sum of the weights there. Once the worst kept document is worth more, the search is over.
//! The rank is one list more.

use std::io;

use super::flat::Mode;
use super::table::Table;
use crate::first::Heap;

/// Steps between two looks at the clock.
const STRIDE: usize = 64;

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
        let (mut most, mut num_ended) = (0.0, 0);
        for list in 0..table.lists.len() {
            match table.at(list, place)? {
                Some(entry) => {
                    most += entry.weight;
                    table.take(entry.ordinal, heap)?;
                }
                None => num_ended += 1,
            }
        }
        // Whoever has all words stands in each list, whoever has any in one.
        let is_all_seen = match table.mode {
            Mode::All => num_ended > 0,
            Mode::Any => num_ended == table.lists.len(),
        };
        if is_all_seen {
            return Ok(false);
        }
        if let Some((ordinal, rank)) = table.by_rank(place) {
            most += rank;
            table.take(ordinal, heap)?;
        }
        // A little more than the bound: sums of 32 bits are rounded.
        if heap.worst().is_some_and(|worst| worst > most + most.abs() * 4.0 * f32::EPSILON) {
            return Ok(false);
        }
    }
    Ok(false)
}
