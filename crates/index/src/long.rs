//! Counts the words that were longer than a term may be, and have lost their end (IDX-02).
//!
//! Such a word is nobody's mistake: a key, a dump, a script without spaces that could not be taken
//! apart. The words of queries are cut in the same way, so that it is found; but two that begin
//! alike are one. How many there were is told with each commit.

use std::sync::atomic::{AtomicU64, Ordering};

static NUM_CUT: AtomicU64 = AtomicU64::new(0);

/// Returns how many words of pages this process has cut on their way into an index.
pub fn num_cut_words() -> u64 {
    NUM_CUT.load(Ordering::Relaxed)
}

/// Counts those of a page.
pub(crate) fn count(num_cut: u64) {
    NUM_CUT.fetch_add(num_cut, Ordering::Relaxed);
}
