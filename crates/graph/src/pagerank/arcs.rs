//! Where the arcs come from that a step adds up over: memory, with weights or without, or disk.
//!
//! All of them add in the same order, so the ranks are the same to the last bit; only
//! [`crate::Packed`] has an order of its own.

use std::ops::Range;

use super::CHUNK;
use crate::weights::{ArcWeights, Table};
use crate::{Error, InLinks};

/// Sums that what a node is given is added up in, source by source in turn; added at the end, the
/// first to the second and so on. Where reads hit the cache, additions into one sum would wait for
/// each other. Fixed, since the order of additions shows in the last bit.
const SUMS: usize = 2;

/// What a node passes on along each of its links, as it is stored.
pub(crate) trait Share: Copy + Send + Sync {
    /// Several of them together.
    type Sum: Copy + Send;
    /// None of them.
    const ZERO: Self::Sum;
    fn add(self, sum: &mut Self::Sum);
    /// Adds it times a weight.
    fn add_weighted(self, weight: f64, sum: &mut Self::Sum);
    fn join(total: Self::Sum, sum: Self::Sum) -> Self::Sum;
}

impl Share for f64 {
    type Sum = f64;
    const ZERO: f64 = 0.0;

    #[inline]
    fn add(self, sum: &mut f64) {
        *sum += self;
    }

    #[inline]
    fn add_weighted(self, weight: f64, sum: &mut f64) {
        *sum += weight * self;
    }

    #[inline]
    fn join(total: f64, sum: f64) -> f64 {
        total + sum
    }
}

/// Added up in 64 bits.
impl Share for f32 {
    type Sum = f64;
    const ZERO: f64 = 0.0;

    #[inline]
    fn add(self, sum: &mut f64) {
        f64::from(self).add(sum);
    }

    #[inline]
    fn add_weighted(self, weight: f64, sum: &mut f64) {
        f64::from(self).add_weighted(weight, sum);
    }

    #[inline]
    fn join(total: f64, sum: f64) -> f64 {
        f64::join(total, sum)
    }
}

/// Several topics side by side.
impl<const K: usize> Share for [f64; K] {
    type Sum = [f64; K];
    const ZERO: [f64; K] = [0.0; K];

    #[inline]
    fn add(self, sum: &mut [f64; K]) {
        for lane in 0..K {
            sum[lane] += self[lane];
        }
    }

    #[inline]
    fn add_weighted(self, weight: f64, sum: &mut [f64; K]) {
        for lane in 0..K {
            sum[lane] += weight * self[lane];
        }
    }

    #[inline]
    fn join(total: [f64; K], sum: [f64; K]) -> [f64; K] {
        std::array::from_fn(|lane| total[lane] + sum[lane])
    }
}

/// A graph as one step of a ranking reads it.
pub(crate) trait Arcs: Sync {
    fn num_nodes(&self) -> u32;

    /// Returns how much a node's links count together: their number, or the sum of weights; 0 for a dead end.
    fn out(&self, node: usize) -> f64;

    /// Calls `give` with each of these nodes in turn and what its sources pass on to it.
    ///
    /// `nodes` are one of the [`Self::pieces`]; `sums` is room that it may use for anything.
    fn pull<S: Share>(
        &self,
        nodes: Range<usize>,
        shares: &[S],
        sums: &mut Vec<S::Sum>,
        give: impl FnMut(usize, S::Sum),
    ) -> Result<(), Error>;

    /// Cuts numbers by node into those of parallel pieces of work, each with its first node.
    ///
    /// The same for every number of threads, so that sums do not depend on them.
    fn pieces<'n, T>(&self, numbers: &'n mut [T]) -> Vec<(usize, &'n mut [T])> {
        let pieces = numbers.chunks_mut(CHUNK).enumerate();
        pieces.map(|(number, piece)| (number * CHUNK, piece)).collect()
    }

    /// Puts numbers by node into the order in which all the above count nodes.
    fn arranged(&self, by_node: Vec<f64>) -> Vec<f64> {
        by_node
    }

    /// Puts numbers in that order into the order of the nodes again.
    fn by_node(&self, arranged: Vec<f64>) -> Vec<f64> {
        arranged
    }
}

/// Links in memory that all count in full.
pub(crate) struct Full<'a>(pub(crate) &'a InLinks);

impl Arcs for Full<'_> {
    fn num_nodes(&self) -> u32 {
        self.0.num_nodes()
    }

    #[inline]
    fn out(&self, node: usize) -> f64 {
        f64::from(self.0.raw_out_degrees()[node])
    }

    #[inline]
    fn pull<S: Share>(
        &self,
        nodes: Range<usize>,
        shares: &[S],
        _: &mut Vec<S::Sum>,
        mut give: impl FnMut(usize, S::Sum),
    ) -> Result<(), Error> {
        self.0.for_each_list(nodes, |node, sources| give(node, pull(sources, shares)));
        Ok(())
    }
}

/// Links in memory that count by their weights.
pub(crate) struct Weighted<'a> {
    pub(crate) links: &'a InLinks,
    pub(crate) weights: &'a ArcWeights,
}

impl Arcs for Weighted<'_> {
    fn num_nodes(&self) -> u32 {
        self.links.num_nodes()
    }

    #[inline]
    fn out(&self, node: usize) -> f64 {
        self.weights.out(node)
    }

    fn pull<S: Share>(
        &self,
        nodes: Range<usize>,
        shares: &[S],
        _: &mut Vec<S::Sum>,
        mut give: impl FnMut(usize, S::Sum),
    ) -> Result<(), Error> {
        let table = self.weights.table();
        for node in nodes {
            let (sources, classes) = (self.links.raw_sources(node), self.links.raw_classes(node));
            give(node, pull_weighted(sources, classes, &table, shares));
        }
        Ok(())
    }
}

/// Adds up what the sources of a node pass on.
#[inline]
pub(crate) fn pull<S: Share>(sources: &[u32], shares: &[S]) -> S::Sum {
    let mut sums = no_sums::<S>();
    add_up(sources, &mut sums, |source| shares[source as usize]);
    total::<S>(sums)
}

/// Returns what nothing was added to.
#[inline]
pub(crate) fn no_sums<S: Share>() -> [S::Sum; SUMS] {
    [S::ZERO; SUMS]
}

/// Adds what sources pass on, `share` of each, in turn to one sum and the next.
#[inline]
pub(crate) fn add_up<T: Copy, S: Share>(
    sources: &[T],
    sums: &mut [S::Sum; SUMS],
    share: impl Fn(T) -> S,
) {
    let (groups, rest) = sources.as_chunks::<SUMS>();
    for group in groups {
        for (sum, source) in sums.iter_mut().zip(group) {
            share(*source).add(sum);
        }
    }
    for (sum, source) in sums.iter_mut().zip(rest) {
        share(*source).add(sum);
    }
}

/// Adds the sums, the first to the second and so on.
#[inline]
pub(crate) fn total<S: Share>(sums: [S::Sum; SUMS]) -> S::Sum {
    sums.into_iter().fold(S::ZERO, S::join)
}

/// Adds up what the sources of a node pass on, each times the weight of its arc's class.
#[inline]
pub(crate) fn pull_weighted<S: Share>(
    sources: &[u32],
    classes: &[u8],
    table: &Table,
    shares: &[S],
) -> S::Sum {
    let mut sums = no_sums::<S>();
    for (place, (source, class)) in sources.iter().zip(classes).enumerate() {
        let share = shares[*source as usize];
        share.add_weighted(table[usize::from(*class)], &mut sums[place % SUMS]);
    }
    total::<S>(sums)
}
