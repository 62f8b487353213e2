//! Links that are decoded from disk in every step of a ranking.
//!
//! A step reads the lists in pieces of [`CHUNK`] nodes, on all threads. Where a piece begins in
//! the compressed graph, its offsets tell; which of the arcs' kinds are its, is counted in a pass
//! over all when the links are opened, which also tells how much each node links.

use std::ops::Range;

use super::{Before, CountedArcs};
use crate::pagerank::CHUNK;
use crate::pagerank::arcs::{Arcs, Share, pull, pull_weighted};
use crate::{Counted, Error, Graph, Node};

/// Links on disk, ready for ranking: 4 bytes per node in memory, 8 if a kind counts in part.
#[derive(Debug)]
pub struct DiskLinks<'g> {
    arcs: CountedArcs<'g>,
    /// Arcs before each piece.
    before: Vec<Before>,
    out: Out,
}

/// How much the links of each node count.
#[derive(Debug)]
enum Out {
    Degrees(Vec<u32>),
    Weights(Vec<f64>),
}

impl<'g> DiskLinks<'g> {
    /// Reads all links once. Linear in nodes and arcs.
    pub(super) fn open(graph: &'g Graph, counted: &Counted) -> Result<Self, Error> {
        let arcs = CountedArcs::open(graph, counted)?;
        let num_nodes = arcs.num_nodes() as usize;
        let mut out = match arcs.weights() {
            None => Out::Degrees(vec![0; num_nodes]),
            Some(_) => Out::Weights(vec![0.0; num_nodes]),
        };
        let table = arcs.weights().unwrap_or([1.0; _]);
        let mut before = Vec::with_capacity(num_nodes.div_ceil(CHUNK));
        let mut lists = arcs.lists(Node(0), Before::default())?;
        for node in 0..num_nodes {
            if node.is_multiple_of(CHUNK) {
                before.push(lists.before());
            }
            let (sources, classes) = lists.next()?;
            for (source, class) in sources.iter().zip(classes) {
                match &mut out {
                    Out::Degrees(degrees) => degrees[*source as usize] += 1,
                    Out::Weights(sums) => sums[*source as usize] += table[usize::from(*class)],
                }
            }
        }
        drop(lists);
        Ok(Self { arcs, before, out })
    }

    /// Returns how many nodes there are.
    pub fn num_nodes(&self) -> u32 {
        self.arcs.num_nodes()
    }
}

impl Arcs for DiskLinks<'_> {
    fn num_nodes(&self) -> u32 {
        self.arcs.num_nodes()
    }

    #[inline]
    fn out(&self, node: usize) -> f64 {
        match &self.out {
            Out::Degrees(degrees) => f64::from(degrees[node]),
            Out::Weights(sums) => sums[node],
        }
    }

    fn pull<S: Share>(
        &self,
        nodes: Range<usize>,
        shares: &[S],
        _: &mut Vec<S::Sum>,
        mut give: impl FnMut(usize, S::Sum),
    ) -> Result<(), Error> {
        let first = u32::try_from(nodes.start).expect("node numbers have 32 bits");
        let mut lists = self.arcs.lists(Node(first), self.before[nodes.start / CHUNK])?;
        let table = self.arcs.weights();
        for node in nodes {
            let (sources, classes) = lists.next()?;
            give(
                node,
                match &table {
                    None => pull(sources, shares),
                    Some(table) => pull_weighted(sources, classes, table, shares),
                },
            );
        }
        Ok(())
    }
}
