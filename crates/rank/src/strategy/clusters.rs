//! Cluster pruning: documents follow one of √N leaders, and only the followers of the leaders
//! nearest to the query are looked at.

use std::io;

use super::table::Table;
use crate::first::Heap;

/// Fewest leaders whose followers are looked at; with many leaders it is their square root.
const FEWEST: usize = 4;
/// Documents between two looks at the clock.
const STRIDE: usize = 256;

/// Returns whether the time ran out.
pub(crate) fn run(
    table: &mut Table<'_>,
    heap: &mut Heap,
    is_over: &dyn Fn() -> bool,
) -> io::Result<bool> {
    let store = table.store;
    let leaders = store.lists.leaders();
    let mut nearest = Vec::with_capacity(leaders.len());
    for (number, leader) in leaders.iter().enumerate() {
        let mut likeness = 0.0;
        for list in &mut table.lists {
            table.num_postings += 1;
            likeness += list.weight_of(leader.ordinal)?.unwrap_or(0.0);
        }
        nearest.push((likeness / leader.norm.max(f32::MIN_POSITIVE), number));
    }
    nearest.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(&other.1)));
    let count = FEWEST.max(leaders.len().isqrt());
    let followers = nearest.iter().take(count).flat_map(|(_, number)| &store.followers[*number]);
    for (place, ordinal) in followers.enumerate() {
        if place % STRIDE == STRIDE - 1 && is_over() {
            return Ok(true);
        }
        table.take(*ordinal, heap)?;
    }
    Ok(false)
}
