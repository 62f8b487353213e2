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
//! as source of an arc   2 bytes, `near`   4 bytes, `far`
//! ```
//! The sources of a node are ascending places: the near ones, then the far ones. With half of the
//! arcs near, that is 3 bytes per arc instead of 4; nodes cost 16 bytes instead of 8. A second list
//! per node takes time besides, so a graph with few links per node has none: all are far.

use std::ops::{ControlFlow, Range};

use rayon::slice::ParallelSliceMut;

use crate::in_links::Builder;
use crate::pagerank::arcs::{Arcs, Share, add_up, no_sums, pull, total};
use crate::pagerank::{rank, rank_links, start_vector};
use crate::topics::rank_all;
use crate::{DeadEnds, Error, InLinks, Iteration, PageRankOptions, Ranks, Teleport, topics_with};

/// Places that 16 bits tell apart.
const NEAR: usize = 1 << 16;

/// Arcs per node from which on near ones are kept apart. Each costs 2 bytes less then, each node 4
/// more: it must pay in memory too when no more than a third of them is near.
const MANY: u64 = 16;

/// Who links to whom, packed for ranking. All links count in full.
///
/// Costs 4 bytes per arc and 12 per node; with 16 arcs per node or more, 2 bytes per arc from one
/// of the 65,536 nodes with the most links, 4 per other arc, and 16 per node. Ranks are those of
/// [`InLinks`] but for the last bits: sources are added in another order.
#[derive(Clone, Debug, PartialEq)]
pub struct Packed {
    /// The node at each place.
    order: Vec<u32>,
    /// How many nodes the node at each place links to.
    out: Vec<u32>,
    /// Sources among the first places, if they are kept apart.
    near: Option<Lists<u16>>,
    far: Lists<u32>,
}

/// Sources of the node at each place: `sources[starts[place]..starts[place + 1]]`.
#[derive(Clone, Debug, PartialEq)]
struct Lists<T> {
    starts: Vec<u32>,
    sources: Vec<T>,
}

impl Packed {
    /// Packs a graph in memory; `None` if that does not pay, because the caches hold all its nodes,
    /// or cannot be done, because kinds of links count in part or there are 2^32 arcs.
    ///
    /// Costs some ten steps of a ranking; what is packed, and 16 bytes per node meanwhile.
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
        let is_split = links.num_arcs() >= MANY * u64::from(links.num_nodes());
        let num_near = if is_split { NEAR } else { 0 };
        // Each link of one of the first places is near, so it is known how many are.
        let arcs_near = out[..num_near].iter().map(|out| *out as usize).sum();
        let mut near = Lists::new(if is_split { order.len() } else { 0 }, arcs_near);
        let mut far = Lists::new(order.len(), links.num_arcs() as usize - arcs_near);
        let mut sorted = Vec::new();
        for node in &order {
            sorted.clear();
            let sources = links.raw_sources(*node as usize);
            sorted.extend(sources.iter().map(|source| places[*source as usize]));
            sorted.sort_unstable();
            let middle = sorted.partition_point(|place| (*place as usize) < num_near);
            if is_split {
                near.push(sorted[..middle].iter().map(|place| *place as u16));
            }
            far.push(sorted[middle..].iter().copied());
        }
        Some(Self { order, out, near: is_split.then_some(near), far })
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
        let mut places = vec![0; self.order.len()];
        for (place, node) in self.order.iter().enumerate() {
            places[*node as usize] = place;
        }
        let num_arcs = self.out.iter().map(|out| *out as usize).sum();
        let mut builder = Builder::new(self.num_nodes(), num_arcs);
        let mut sources = Vec::new();
        for place in places {
            let near = self.near.as_ref().map_or(&[][..], |near| near.list(place));
            let near = near.iter().map(|source| usize::from(*source));
            let far = self.far.list(place).iter().map(|source| *source as usize);
            sources.clear();
            sources.extend(near.chain(far).map(|source| self.order[source]));
            sources.sort_unstable();
            sources.iter().for_each(|source| builder.push(*source));
            builder.end_node();
        }
        builder.finish()
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

    #[inline]
    fn pull<S: Share>(
        &self,
        places: Range<usize>,
        shares: &[S],
        mut give: impl FnMut(usize, S::Sum),
    ) -> Result<(), Error> {
        let Some(near) = &self.near else {
            let mut from = self.far.start(places.start);
            for place in places {
                let to = self.far.start(place + 1);
                give(place, pull(&self.far.sources[from..to], shares));
                from = to;
            }
            return Ok(());
        };
        // 16 bits are always in range of so many shares, so that nothing is checked per arc.
        let first: &[S; NEAR] = shares.first_chunk().expect("more nodes than near places");
        let mut from = (near.start(places.start), self.far.start(places.start));
        for place in places {
            let to = (near.start(place + 1), self.far.start(place + 1));
            let mut sums = no_sums::<S>();
            add_up(&near.sources[from.0..to.0], &mut sums, |source| first[usize::from(source)]);
            add_up(&self.far.sources[from.1..to.1], &mut sums, |source| shares[source as usize]);
            from = to;
            give(place, total::<S>(sums));
        }
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

impl<T> Lists<T> {
    /// Makes room for so many lists and all that they hold.
    fn new(num_lists: usize, num_sources: usize) -> Self {
        let mut starts = Vec::with_capacity(num_lists + 1);
        starts.push(0);
        Self { starts, sources: Vec::with_capacity(num_sources) }
    }

    /// Adds the list of the next place.
    fn push(&mut self, sources: impl Iterator<Item = T>) {
        self.sources.extend(sources);
        self.starts.push(self.sources.len() as u32);
    }

    fn list(&self, place: usize) -> &[T] {
        &self.sources[self.start(place)..self.start(place + 1)]
    }

    #[inline]
    fn start(&self, place: usize) -> usize {
        self.starts[place] as usize
    }
}

/// Returns the nodes, those with the most links first; of those with as many, the ones that most
/// link to. The order of the nodes decides between the others.
fn by_links(links: &InLinks) -> Vec<u32> {
    // Sorted are numbers that lie side by side, not nodes whose numbers are looked up.
    let mut keys: Vec<(u64, u32)> = (0..links.num_nodes())
        .map(|node| {
            let out = links.raw_out_degrees()[node as usize];
            let sources = links.raw_sources(node as usize).len() as u64;
            (!(u64::from(out) << 32 | sources), node)
        })
        .collect();
    keys.par_sort_unstable();
    keys.into_iter().map(|(_, node)| node).collect()
}

#[cfg(test)]
mod tests {
    use std::cmp::Reverse;

    use super::*;
    use crate::{Node, Precision, Start, pagerank, pagerank_with, topics};

    /// Four of five link, so that not all of those fit the near places.
    const NODES: u32 = 84_000;

    /// A web in which low numbers are linked to most and high ones link most, with dead ends, a
    /// link to itself, and nodes that nobody links to; `more` links per node.
    fn web(more: u32) -> InLinks {
        let arcs = (0..NODES).flat_map(move |from| {
            let links = if from % 5 == 0 { 0 } else { 1 + from % 7 + from / 6_000 + more };
            let to =
                move |link: u32| (from.wrapping_mul(2_654_435_761 + 2 * link) >> 7) % (from + 1);
            (0..links).map(move |link| (Node(from), Node(to(link))))
        });
        InLinks::from_arcs(NODES, arcs).unwrap()
    }

    fn go(_: Iteration) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn assert_near(one: &Ranks, other: &Ranks, most: f64) {
        assert_eq!(one.converged, other.converged);
        assert_eq!(one.log.len(), other.log.len());
        let pairs = one.scores.iter().zip(&other.scores);
        let largest = pairs.map(|(one, other)| (one - other).abs()).fold(0.0, f64::max);
        assert!(largest <= most, "{largest:e}");
    }

    #[test]
    fn packed_links_rank_as_plain_ones() {
        let teleport = Teleport::Nodes(vec![Node(3), Node(4), Node(NODES - 1)]);
        let start = (0..NODES).map(|node| f64::from(node % 3)).collect();
        let plain = PageRankOptions { tolerance: 1e-3, ..PageRankOptions::default() };
        let all = [
            plain.clone(),
            PageRankOptions { dead_ends: DeadEnds::Stay, ..plain.clone() },
            PageRankOptions { dead_ends: DeadEnds::Leak, beta: 0.5, ..plain.clone() },
            PageRankOptions { dead_ends: DeadEnds::Prune, ..plain.clone() },
            PageRankOptions { teleport, start: Start::Vector(start), ..plain },
        ];
        for (more, has_near) in [(0, false), (10, true)] {
            let links = web(more);
            let packed = Packed::new(&links).unwrap();
            assert_eq!(packed.near.is_some(), has_near);
            assert!(!packed.far.sources.is_empty());
            for options in &all {
                let expected = pagerank(&links, options).unwrap();
                assert_near(&packed.pagerank_with(options, go).unwrap(), &expected, 1e-14);
            }
        }
    }

    #[test]
    fn links_that_carry_32_bits_are_packed_too() {
        let links = web(10);
        let options = PageRankOptions { tolerance: 1e-3, ..PageRankOptions::default() };
        let single = PageRankOptions { precision: Precision::Single, ..options.clone() };
        let ranks = Packed::new(&links).unwrap().pagerank_with(&single, go).unwrap();
        let exact = pagerank_with(&links, &options, go).unwrap();
        // Each step rounds by 6e-8 of a share at most, and passes on 0.85 of what was off before.
        let is_near = |(one, other): (&f64, &f64)| (one - other).abs() <= 1e-6 * other;
        assert!(ranks.scores.iter().zip(&exact.scores).all(is_near));
    }

    #[test]
    fn topics_of_packed_links_are_those_of_plain_ones() {
        let links = web(10);
        let sets = [
            Teleport::Uniform,
            Teleport::Nodes(vec![Node(1)]),
            Teleport::Nodes(vec![Node(NODES - 1), Node(2)]),
        ];
        let options = PageRankOptions { tolerance: 1e-3, ..PageRankOptions::default() };
        let packed = Packed::new(&links).unwrap();
        let ranks = packed.topics_with(&sets, &options, |_| ControlFlow::Continue(())).unwrap();
        for (one, other) in ranks.iter().zip(topics(&links, &sets, &options).unwrap()) {
            assert_near(one, &other, 1e-14);
        }
    }

    #[test]
    fn what_is_packed_can_be_unpacked() {
        for more in [0, 10] {
            let links = web(more);
            let packed = Packed::new(&links).unwrap();
            assert!(packed.out.is_sorted_by_key(|out| Reverse(*out)));
            assert_eq!(packed.unpacked(), links);
        }
    }

    #[test]
    fn small_graphs_are_not_packed_and_bad_options_refused() {
        let arcs = [(Node(0), Node(1))];
        assert_eq!(Packed::new(&InLinks::from_arcs(NEAR as u32, arcs).unwrap()), None);
        assert_eq!(Packed::new(&InLinks::from_arcs(0, []).unwrap()), None);
        let packed = Packed::new(&InLinks::from_arcs(NEAR as u32 + 1, arcs).unwrap()).unwrap();
        for beta in [-1.0, f64::NAN, 1.5] {
            let options = PageRankOptions { beta, ..PageRankOptions::default() };
            assert!(matches!(packed.pagerank_with(&options, go), Err(Error::BadOption { .. })));
        }
        let teleport = Teleport::Nodes(vec![Node(NODES)]);
        let unknown = PageRankOptions { teleport, ..PageRankOptions::default() };
        assert!(matches!(packed.pagerank_with(&unknown, go), Err(Error::UnknownNode { .. })));
    }
}
