//! The best documents seen so far, the worst of them at hand.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

use tantivy::DocAddress;

/// A document and what it was found to be worth.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scored {
    pub(crate) score: f32,
    pub(crate) address: DocAddress,
}

/// Keeps the `count` best of what is pushed.
#[derive(Debug)]
pub(crate) struct Heap {
    kept: BinaryHeap<Reverse<Scored>>,
    count: usize,
}

impl Heap {
    /// Makes an empty heap. The room is taken as it is needed: `count` comes from outside.
    pub(crate) fn new(count: usize) -> Self {
        Self { kept: BinaryHeap::new(), count }
    }

    pub(crate) fn push(&mut self, score: f32, address: DocAddress) {
        let scored = Reverse(Scored { score, address });
        if self.kept.len() < self.count {
            self.kept.push(scored);
        } else if let Some(mut worst) = self.kept.peek_mut()
            && scored < *worst
        {
            *worst = scored;
        }
    }

    /// Returns whether another document would displace one.
    pub(crate) fn is_full(&self) -> bool {
        self.kept.len() == self.count
    }

    /// Returns the worst kept score; `None` while there is room.
    pub(crate) fn worst(&self) -> Option<f32> {
        self.kept.peek().filter(|_| self.is_full()).map(|Reverse(worst)| worst.score)
    }

    /// Returns what was kept, best first.
    pub(crate) fn into_best(self) -> Vec<Scored> {
        let sorted = self.kept.into_sorted_vec();
        sorted.into_iter().map(|Reverse(scored)| scored).collect()
    }
}

impl Ord for Scored {
    fn cmp(&self, other: &Self) -> Ordering {
        // Equal scores: the earlier document is the better one.
        self.score.total_cmp(&other.score).then(other.address.cmp(&self.address))
    }
}

impl PartialOrd for Scored {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Scored {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Scored {}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_best_are_kept_and_ties_go_to_the_earlier(scores: Vec<u8>, count in 0_usize..8) {
            let mut heap = Heap::new(count);
            let mut all: Vec<(u8, u32)> = scores.into_iter().zip(0..).collect();
            for (score, doc_id) in &all {
                heap.push(f32::from(*score), DocAddress { segment_ord: 0, doc_id: *doc_id });
            }
            all.sort_by_key(|(score, doc_id)| (Reverse(*score), *doc_id));
            all.truncate(count);
            let kept: Vec<u32> = heap.into_best().iter().map(|kept| kept.address.doc_id).collect();
            prop_assert_eq!(kept, all.into_iter().map(|(_, doc_id)| doc_id).collect::<Vec<_>>());
        }
    }
}
