//! Champion lists: only the best documents of each word are looked at.

use std::io;

use super::table::Table;
use crate::first::Heap;

/// Champions of a word. Enough to fill the candidates of a search when two words share few.
pub(crate) const CHAMPIONS: usize = 400;

/// Always in time: the work is bounded by the number of champions.
pub(crate) fn run(table: &mut Table<'_>, heap: &mut Heap) -> io::Result<bool> {
    for list in 0..table.lists.len() {
        for place in 0..CHAMPIONS {
            let Some(entry) = table.at(list, place)? else { break };
            table.take(entry.ordinal, heap)?;
        }
    }
    Ok(false)
}
