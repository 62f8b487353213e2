//! Tiers: the best sixteenth of each list; if that gives too few documents, the best quarter;
//! then all.

use std::io;

use super::table::Table;
use crate::first::Heap;

/// What part of a list a tier has, one in so many.
const TIERS: [usize; 3] = [16, 4, 1];
/// Shorter tiers are not worth having.
const LEAST: usize = 256;
/// Entries between two looks at the clock.
const STRIDE: usize = 256;

/// Returns whether the time ran out.
pub(crate) fn run(
    table: &mut Table<'_>,
    heap: &mut Heap,
    is_over: &dyn Fn() -> bool,
) -> io::Result<bool> {
    let mut begun = vec![0; table.lists.len()];
    for part in TIERS {
        for (list, begin) in begun.iter_mut().enumerate() {
            let end = (table.lists[list].len() / part).max(LEAST);
            for place in *begin..end {
                if place % STRIDE == STRIDE - 1 && is_over() {
                    return Ok(true);
                }
                let Some(entry) = table.at(list, place)? else { break };
                table.take(entry.ordinal, heap)?;
            }
            *begin = end.max(*begin);
        }
        if heap.is_full() {
            break;
        }
    }
    Ok(false)
}
