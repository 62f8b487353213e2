//! What each document of a commit gets besides its words, and how much the later ones can get.
//!
//! Computed from the scores of a generation when a commit or a generation is first searched, four
//! bytes per document. Segments never change but for what is deleted, so those that the commit
//! before had are taken over: a commit a second costs what its new segments cost.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use index::Snapshot;
use tantivy::DocAddress;
use tantivy::index::SegmentId;

use crate::generation::Links;

/// Static rank by document.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ranks {
    /// Empty if no document has a rank.
    segments: Vec<Arc<SegmentRanks>>,
    weight: f32,
}

/// Documents per bound: a bound is looked up for every document that is scored, so it should be
/// near, and 64 of them cost a sixteenth of what the ranks themselves take.
const BLOCK: usize = 64;

/// The documents of one segment.
#[derive(Debug, Default, PartialEq)]
struct SegmentRanks {
    of: Vec<f32>,
    /// The largest of the documents of each block and all later ones.
    most_from: Vec<f32>,
}

impl SegmentRanks {
    fn new(of: Vec<f32>) -> Self {
        let mut most_from: Vec<f32> =
            of.chunks(BLOCK).map(|block| block.iter().copied().fold(0.0, f32::max)).collect();
        for block in (1..most_from.len()).rev() {
            most_from[block - 1] = most_from[block - 1].max(most_from[block]);
        }
        Self { of, most_from }
    }
}

impl Ranks {
    /// Returns ranks of 0 for all.
    pub(crate) fn none() -> Self {
        Self::default()
    }

    /// Takes importance from 0 to 1 by document, segment by segment, and what 1 is worth.
    #[cfg(test)]
    pub(crate) fn of_segments(segments: Vec<Vec<f32>>, weight: f32) -> Self {
        let segments = segments.into_iter().map(|of| Arc::new(SegmentRanks::new(of))).collect();
        Self { segments, weight }
    }

    /// Returns what the most important page gets.
    pub(crate) fn weight(&self) -> f32 {
        self.weight
    }

    /// Returns what a document gets.
    pub(crate) fn of(&self, address: DocAddress) -> f32 {
        let segment = self.segments.get(address.segment_ord as usize);
        let rank = segment.and_then(|segment| segment.of.get(address.doc_id as usize));
        rank.map_or(0.0, |rank| self.weight * rank)
    }

    /// Returns the most that a document of a segment gets.
    pub(crate) fn most(&self, segment_ord: u32) -> f32 {
        self.most_in_block(segment_ord, 0)
    }

    /// Returns the most, or a little more, that a document behind this one gets.
    pub(crate) fn most_after(&self, segment_ord: u32, doc_id: u32) -> f32 {
        self.most_in_block(segment_ord, (doc_id as usize + 1) / BLOCK)
    }

    fn most_in_block(&self, segment_ord: u32, block: usize) -> f32 {
        let segment = self.segments.get(segment_ord as usize);
        let most = segment.and_then(|segment| segment.most_from.get(block));
        most.map_or(0.0, |most| self.weight * most)
    }
}

/// The ranks of the commit and generation that were searched last.
#[derive(Debug, Default)]
pub(crate) struct RanksByCommit {
    present: Mutex<Present>,
}

#[derive(Debug, Default)]
struct Present {
    snapshot: Weak<Snapshot>,
    links: Weak<Links>,
    segments: HashMap<SegmentId, Arc<SegmentRanks>>,
    in_order: Vec<Arc<SegmentRanks>>,
}

impl RanksByCommit {
    /// Returns the ranks of a commit's documents under a generation; `weight` is what the most
    /// important page gets, and negative ones count as 0.
    pub(crate) fn get(&self, snapshot: &Arc<Snapshot>, links: &Arc<Links>, weight: f32) -> Ranks {
        if !links.has_scores() {
            return Ranks::none();
        }
        let mut present = self.present.lock().unwrap_or_else(PoisonError::into_inner);
        let is_same_generation = present.links.as_ptr() == Arc::as_ptr(links);
        if !is_same_generation || present.snapshot.as_ptr() != Arc::as_ptr(snapshot) {
            let known = if is_same_generation {
                std::mem::take(&mut present.segments)
            } else {
                HashMap::new()
            };
            *present = Present::new(snapshot, links, &known);
        }
        Ranks { segments: present.in_order.clone(), weight: weight.max(0.0) }
    }
}

impl Present {
    fn new(
        snapshot: &Arc<Snapshot>,
        links: &Arc<Links>,
        known: &HashMap<SegmentId, Arc<SegmentRanks>>,
    ) -> Self {
        let mut segments = HashMap::new();
        let mut in_order = Vec::new();
        for (segment_ord, segment) in (0..).zip(snapshot.searcher.segment_readers()) {
            let ranks = known.get(&segment.segment_id()).cloned().unwrap_or_else(|| {
                let rank =
                    |doc_id| links.importance(snapshot.page(DocAddress { segment_ord, doc_id }));
                Arc::new(SegmentRanks::new((0..segment.max_doc()).map(rank).collect()))
            });
            segments.insert(segment.segment_id(), ranks.clone());
            in_order.push(ranks);
        }
        let (snapshot, links) = (Arc::downgrade(snapshot), Arc::downgrade(links));
        Self { snapshot, links, segments, in_order }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn no_later_document_gets_more_than_the_bound(
            ranks in prop::collection::vec(0.0_f32..1.0, 1..300),
            weight in 0.0_f32..3.0,
        ) {
            let bounds = Ranks::of_segments(vec![ranks.clone()], weight);
            for (doc_id, behind) in (0..).zip(1..ranks.len()) {
                let most = ranks[behind..].iter().copied().fold(0.0, f32::max) * weight;
                prop_assert!(bounds.most_after(0, doc_id) >= most);
            }
            prop_assert!(bounds.most(0) >= ranks.iter().copied().fold(0.0, f32::max) * weight);
        }
    }
}
