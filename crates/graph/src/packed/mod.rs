//! The links of a large graph in an order and a size made for ranking.
//!
//! One step of a ranking reads a number per arc, from anywhere. Where those numbers do not fit the
//! caches, that is all it waits for. But a few nodes have most of the links: numbered by how much
//! they link, the numbers that most arcs read lie side by side and stay in the cache, and nodes
//! with lists of about the same length follow each other, so that the end of a list is foreseen.
//!
//! ```text
//! place    0 … 65,535                   65,536 …
//! node     those with the most links    the others, still by how much they link
//! as source of an arc   2 bytes, near     2 bytes and 2 for the target, far
//! ```
//! Nodes are ranked in blocks of 65,536 places at most. The near sources of each place are a list.
//! All far arcs to a block are in the order of their sources, of which 65,536 make a tile: what the
//! sources pass on is read from front to back, and what the targets of a block are given fits a cache.
//! That takes half the time of far arcs in lists (docs/measurements/2026-11-17-graph.md).

mod block;
mod radix;
#[cfg(test)]
mod tests;

use std::ops::{ControlFlow, Range};

use rayon::prelude::*;

use crate::pagerank::arcs::{Arcs, Share};
use crate::pagerank::{CHUNK, rank, rank_links, start_vector};
use crate::topics::rank_all;
use crate::{
    DeadEnds, Error, InLinks, Iteration, Node, PageRankOptions, Ranks, Teleport, topics_with,
};
use block::Block;

/// Places that 16 bits tell apart.
const NEAR: usize = 1 << 16;

/// Blocks that the arcs are shared out to, if nodes do not ask for more: enough for many threads.
/// Each reads all that far sources pass on, so there are not too many.
const BLOCKS: u64 = 64;

/// Who links to whom, packed for ranking. All links count in full.
///
/// Costs 2 bytes per arc from one of the 65,536 nodes with the most links, 4 per other arc, and 12
/// per node. Ranks are those of [`InLinks`] but for the last bits: sources are added in another
/// order.
#[derive(Clone, Debug, PartialEq)]
pub struct Packed {
    /// The node at each place.
    order: Vec<u32>,
    /// How many nodes the node at each place links to.
    out: Vec<u32>,
    /// Who links to the places, in their order.
    blocks: Vec<Block>,
}

impl Packed {
    /// Packs a graph in memory; `None` if that does not pay, because the caches hold all its nodes,
    /// or cannot be done, because kinds of links count in part or there are 2^32 arcs.
    ///
    /// Costs some eight steps of a ranking of what was packed, four of one of what was not; what is
    /// packed, and 20 bytes per node meanwhile.
    pub fn new(links: &InLinks) -> Option<Self> {
        if links.weights().is_some() || !Self::pays(links.num_nodes(), links.num_arcs()) {
            return None;
        }
        let order = by_links(links);
        let mut places = vec![0; order.len()];
        for (place, node) in (0..).zip(&order) {
            places[*node as usize] = place;
        }
        let degrees = links.raw_out_degrees();
        let out: Vec<u32> = order.iter().map(|node| degrees[*node as usize]).collect();
        let blocks = cut(links, &order).into_par_iter();
        let blocks = blocks.map(|block| Block::new(links, block.start, &order[block], &places));
        Some(Self { blocks: blocks.collect(), order, out })
    }

    /// Returns whether a graph of this size can be packed and is ranked sooner then.
    pub(crate) fn pays(num_nodes: u32, num_arcs: u64) -> bool {
        num_nodes as usize > NEAR && u32::try_from(num_arcs).is_ok()
    }

    /// Returns how many nodes there are.
    pub fn num_nodes(&self) -> u32 {
        u32::try_from(self.order.len()).expect("built from 32-bit node numbers")
    }

    /// Ranks the nodes, as [`crate::pagerank_with`] does.
    ///
    /// Where dead ends are to be pruned, it is unpacked first: 4 bytes per arc and 8 per node more.
    pub fn pagerank_with(
        &self,
        options: &PageRankOptions,
        mut watch: impl FnMut(Iteration) -> ControlFlow<()>,
    ) -> Result<Ranks, Error> {
        let start = start_vector(self.num_nodes(), &options.start)?;
        self.rank_from(start, options, &mut watch)
    }

    /// As [`Self::pagerank_with`], from `start` on, which sums to 1, whatever the options say.
    pub(crate) fn rank_from(
        &self,
        start: Vec<f64>,
        options: &PageRankOptions,
        watch: &mut dyn FnMut(Iteration) -> ControlFlow<()>,
    ) -> Result<Ranks, Error> {
        match options.dead_ends {
            DeadEnds::Prune => rank_links(&self.unpacked(), options, start, watch),
            _ => rank(self, options, start, watch),
        }
    }

    /// Ranks the nodes once per topic, as [`topics_with`] does; pruned as by [`Self::pagerank_with`].
    pub fn topics_with(
        &self,
        teleports: &[Teleport],
        options: &PageRankOptions,
        mut watch: impl FnMut(u32) -> ControlFlow<()>,
    ) -> Result<Vec<Ranks>, Error> {
        match options.dead_ends {
            DeadEnds::Prune => topics_with(&self.unpacked(), teleports, options, watch),
            _ => rank_all(self, teleports, options, &mut watch),
        }
    }

    /// Returns the graph as it was before it was packed.
    fn unpacked(&self) -> InLinks {
        let node = |place: usize| Node(self.order[place]);
        let arcs = self.blocks.iter().flat_map(Block::arcs);
        let arcs = arcs.map(|(from, to)| (node(from), node(to)));
        InLinks::from_arcs(self.num_nodes(), arcs).expect("packed from nodes that are known")
    }
}

impl Arcs for Packed {
    fn num_nodes(&self) -> u32 {
        self.num_nodes()
    }

    #[inline]
    fn out(&self, place: usize) -> f64 {
        f64::from(self.out[place])
    }

    fn pieces<'n, T>(&self, mut numbers: &'n mut [T]) -> Vec<(usize, &'n mut [T])> {
        let mut pieces = Vec::with_capacity(self.blocks.len());
        for block in &self.blocks {
            let (piece, rest) = numbers.split_at_mut(block.places().len());
            pieces.push((block.places().start, piece));
            numbers = rest;
        }
        pieces
    }

    fn pull<S: Share>(
        &self,
        places: Range<usize>,
        shares: &[S],
        sums: &mut Vec<S::Sum>,
        give: impl FnMut(usize, S::Sum),
    ) -> Result<(), Error> {
        let number = self.blocks.partition_point(|block| block.places().start < places.start);
        let block = &self.blocks[number];
        debug_assert_eq!(block.places(), places, "pieces are blocks");
        block.pull(shares, sums, give);
        Ok(())
    }

    fn arranged(&self, by_node: Vec<f64>) -> Vec<f64> {
        self.order.iter().map(|node| by_node[*node as usize]).collect()
    }

    fn by_node(&self, arranged: Vec<f64>) -> Vec<f64> {
        let mut by_node = vec![0.0; arranged.len()];
        for (node, number) in self.order.iter().zip(arranged) {
            by_node[*node as usize] = number;
        }
        by_node
    }
}

/// Returns the nodes, those with the most links first; of those with as many, the ones that most
/// link to. The order of the nodes decides between the others.
fn by_links(links: &InLinks) -> Vec<u32> {
    // So many bits of how many link to a node are looked at, and of how many it links to.
    const INTO: u32 = 11;
    const OUT: u32 = 22;
    let most = |degree: u64, bits: u32| (1 << bits) - 1 - degree.min((1 << bits) - 1);
    let mut keys: Vec<u64> = (0..links.num_nodes())
        .map(|node| {
            let out = u64::from(links.raw_out_degrees()[node as usize]);
            let into = links.raw_sources(node as usize).len() as u64;
            most(out, OUT) << (32 + INTO) | most(into, INTO) << 32 | u64::from(node)
        })
        .collect();
    radix::sort(&mut keys, &mut Vec::new(), 32..32 + INTO + OUT);
    keys.into_iter().map(|key| key as u32).collect()
}

/// Cuts the places into blocks of about as many arcs, at multiples of [`CHUNK`].
fn cut(links: &InLinks, order: &[u32]) -> Vec<Range<usize>> {
    let most = (links.num_arcs() / BLOCKS).max(NEAR as u64) as usize;
    let mut blocks: Vec<Range<usize>> = Vec::new();
    let mut num_arcs = 0;
    for (chunk, nodes) in order.chunks(CHUNK).enumerate() {
        let places = chunk * CHUNK..chunk * CHUNK + nodes.len();
        let arcs: usize = nodes.iter().map(|node| links.raw_sources(*node as usize).len()).sum();
        match blocks.last_mut() {
            Some(last) if num_arcs + arcs <= most && places.end - last.start <= NEAR => {
                last.end = places.end;
                num_arcs += arcs;
            }
            _ => {
                blocks.push(places);
                num_arcs = arcs;
            }
        }
    }
    blocks
}
