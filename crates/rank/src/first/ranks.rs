//! What each document of a commit gets besides its words, and how much the later ones can get.
//!
//! Computed from the scores of a generation when a commit or a generation is first searched, four
//! bytes per document. Segments never change but for what is deleted, so those that the commit
//! before had are taken over: a commit a second costs what its new segments cost.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError, Weak};

use index::Snapshot;
use tantivy::index::SegmentId;
use tantivy::{DocAddress, SegmentReader};

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
///
/// No search waits while another computes them: one computes those of a new generation, and those
/// that come meanwhile find their candidates by the ranks of the generation before. The order of
/// the candidates is that of the new generation for all.
#[derive(Debug, Default)]
pub(crate) struct RanksByCommit {
    /// Held only to look, and to put others in place.
    present: Mutex<Arc<Present>>,
    /// Held by whoever computes the ranks of a new generation.
    renewing: Mutex<()>,
}

#[derive(Debug, Default)]
struct Present {
    links: Weak<Links>,
    segments: BySegment,
    /// Those of the commit before: it is searched while the next is made ready.
    before: BySegment,
}

type BySegment = HashMap<SegmentId, Arc<SegmentRanks>>;

impl RanksByCommit {
    /// Returns the ranks of a commit's documents under a generation; `weight` is what the most
    /// important page gets, and negative ones count as 0.
    pub(crate) fn get(&self, snapshot: &Snapshot, links: &Arc<Links>, weight: f32) -> Ranks {
        if !links.has_scores() {
            return Ranks::none();
        }
        let readers = snapshot.searcher.segment_readers();
        let ids: Vec<SegmentId> = readers.iter().map(SegmentReader::segment_id).collect();
        let segments = self.segments(&ids, links, |place| {
            let segment_ord = place as u32;
            let rank = |doc_id| links.importance(snapshot.page(DocAddress { segment_ord, doc_id }));
            SegmentRanks::new((0..readers[place].max_doc()).map(rank).collect())
        });
        Ranks { segments, weight: weight.max(0.0) }
    }

    /// Returns the ranks of segments; computes those that are not known, by their place.
    fn segments(
        &self,
        ids: &[SegmentId],
        links: &Arc<Links>,
        compute: impl Fn(usize) -> SegmentRanks,
    ) -> Vec<Arc<SegmentRanks>> {
        let present = self.lock().clone();
        let is_same_generation = present.links.as_ptr() == Arc::as_ptr(links);
        let known =
            |id: &SegmentId| present.segments.get(id).or_else(|| present.before.get(id)).cloned();
        if is_same_generation && let Some(all) = ids.iter().map(known).collect() {
            return all;
        }
        let renewing = match self.renewing.try_lock() {
            Ok(guard) => Some(guard),
            Err(TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        };
        // Of a new generation everything is new, unless somebody is at it already.
        let is_usable = is_same_generation || renewing.is_none();
        let ranks = ids.iter().enumerate().map(|(place, id)| {
            known(id).filter(|_| is_usable).unwrap_or_else(|| Arc::new(compute(place)))
        });
        let ranks: Vec<Arc<SegmentRanks>> = ranks.collect();
        if is_same_generation || renewing.is_some() {
            let segments = ids.iter().copied().zip(ranks.iter().cloned()).collect();
            let before = match is_same_generation {
                true => present.segments.clone(),
                false => BySegment::new(),
            };
            *self.lock() = Arc::new(Present { links: Arc::downgrade(links), segments, before });
        }
        ranks
    }

    fn lock(&self) -> MutexGuard<'_, Arc<Present>> {
        self.present.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::time::Duration;

    use proptest::prelude::*;

    use super::*;

    fn ids(count: usize) -> Vec<SegmentId> {
        std::iter::repeat_with(SegmentId::generate_random).take(count).collect()
    }

    fn ranks(value: f32) -> SegmentRanks {
        SegmentRanks::new(vec![value])
    }

    fn values(segments: &[Arc<SegmentRanks>]) -> Vec<f32> {
        segments.iter().map(|segment| segment.of[0]).collect()
    }

    #[test]
    fn segments_that_are_known_are_taken_over() {
        let (kept, links, ids) = (RanksByCommit::default(), Arc::default(), ids(3));
        let first = kept.segments(&ids[..2], &links, |place| ranks(place as f32));
        assert_eq!(values(&first), [0.0, 1.0]);
        // A commit brings one more, in another place.
        let order = [ids[2], ids[0], ids[1]];
        let next = kept.segments(&order, &links, |place| ranks(10.0 + place as f32));
        assert_eq!(values(&next), [10.0, 0.0, 1.0]);
        let same = kept.segments(&order, &links, |_| panic!("all are known"));
        assert_eq!(values(&same), values(&next));
        // Those of the commit before are known until the next: some still search it.
        let merged = [ids[0], SegmentId::generate_random()];
        kept.segments(&merged, &links, |_| ranks(3.0));
        let before = kept.segments(&order, &links, |_| panic!("all are known"));
        assert_eq!(values(&before), values(&next));
        kept.segments(&merged, &links, |_| panic!("all are known"));
        // A generation brings new ranks for all.
        let other = kept.segments(&order, &Arc::default(), |_| ranks(7.0));
        assert_eq!(values(&other), [7.0, 7.0, 7.0]);
    }

    #[test]
    fn no_search_waits_while_another_computes() {
        let (kept, ids) = (RanksByCommit::default(), ids(2));
        let (before, after) = (Arc::default(), Arc::default());
        kept.segments(&ids, &before, |_| ranks(1.0));
        let (begun, has_begun) = mpsc::channel();
        let (end, ended) = mpsc::channel::<()>();
        std::thread::scope(|scope| {
            let (kept, ids, after) = (&kept, &ids, &after);
            let slow = scope.spawn(move || {
                kept.segments(ids, after, |_| {
                    begun.send(()).unwrap();
                    ended.recv_timeout(Duration::from_secs(60)).unwrap();
                    ranks(2.0)
                })
            });
            has_begun.recv().unwrap();
            // The other thread is at it until it is told to go on, so whoever waits here, waits for ever.
            let meanwhile = kept.segments(ids, after, |_| panic!("somebody is at it"));
            assert_eq!(values(&meanwhile), [1.0, 1.0]);
            let earlier = kept.segments(ids, &before, |_| panic!("all are known"));
            assert_eq!(values(&earlier), [1.0, 1.0]);
            for _ in 0..ids.len() {
                end.send(()).unwrap();
            }
            assert_eq!(values(&slow.join().unwrap()), [2.0, 2.0]);
        });
        let now = kept.segments(&ids, &after, |_| panic!("all are known"));
        assert_eq!(values(&now), [2.0, 2.0]);
    }

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
