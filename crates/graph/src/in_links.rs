//! The transposed graph in memory: for each node, who links to it.
//!
//! Compressed sparse rows of 32-bit node numbers: `sources[starts[v]..starts[v + 1]]` are the
//! nodes with an arc to `v`, ascending, each once. Costs 4 bytes per arc and 8 per node, 12 from
//! 2^32 arcs on. Where kinds of links have weights, see [`crate::weights`], 1 byte per arc and 8
//! per node more.

use std::ops::Range;

use rayon::slice::ParallelSliceMut;

use crate::Error;
use crate::weights::{ArcWeights, Table};

/// Number of a page in one generation of the graph, counted in SURT order of the URLs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Node(pub u32);

impl Node {
    /// Returns the place in arrays by node.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Who links to whom, ready for ranking.
///
/// Links of a generation may have weights, by their kinds: ranking goes by them, everything else
/// by who links to whom alone.
#[derive(Clone, Debug, PartialEq)]
pub struct InLinks {
    starts: Starts,
    sources: Vec<u32>,
    out_degrees: Vec<u32>,
    /// `None` if every arc counts in full.
    weights: Option<ArcWeights>,
}

impl InLinks {
    /// Builds the graph of a list of arcs (from, to) in any order.
    ///
    /// An arc named twice counts once; an arc from a node to itself stays. Fails if an arc names
    /// a node that is not below `num_nodes`. Needs 8 bytes per listed arc meanwhile.
    pub fn from_arcs(
        num_nodes: u32,
        arcs: impl IntoIterator<Item = (Node, Node)>,
    ) -> Result<Self, Error> {
        let mut keys = Vec::new();
        for (from, to) in arcs {
            for node in [from.0, to.0] {
                if node >= num_nodes {
                    return Err(Error::UnknownNode { node, num_nodes });
                }
            }
            keys.push(u64::from(to.0) << 32 | u64::from(from.0));
        }
        keys.par_sort_unstable();
        keys.dedup();
        let mut builder = Builder::new(num_nodes, keys.len());
        let mut keys = keys.into_iter().peekable();
        for to in 0..num_nodes {
            while let Some(key) = keys.next_if(|key| key >> 32 == u64::from(to)) {
                builder.push((key & u64::from(u32::MAX)) as u32);
            }
            builder.end_node();
        }
        Ok(builder.finish())
    }

    /// Returns how many nodes there are.
    pub fn num_nodes(&self) -> u32 {
        u32::try_from(self.out_degrees.len()).expect("built from 32-bit node numbers")
    }

    /// Returns how many arcs there are.
    pub fn num_arcs(&self) -> u64 {
        self.sources.len() as u64
    }

    /// Returns how many nodes `node` links to.
    pub fn out_degree(&self, node: Node) -> u32 {
        self.out_degrees[node.index()]
    }

    /// Returns the nodes that link to `node`, ascending.
    pub fn sources(&self, node: Node) -> impl ExactSizeIterator<Item = Node> + '_ {
        self.raw_sources(node.index()).iter().map(|source| Node(*source))
    }

    /// Returns the nodes without a link to anywhere, ascending.
    pub fn dead_ends(&self) -> impl Iterator<Item = Node> + '_ {
        (0..self.num_nodes()).map(Node).filter(|node| self.out_degree(*node) == 0)
    }

    /// Returns the same graph with every arc turned around: `sources` are then the nodes that a
    /// node links to. Linear in nodes and arcs.
    pub fn turned(&self) -> Self {
        let starts = Starts::of(&self.out_degrees);
        let mut places = starts.clone();
        let mut sources = vec![0; self.sources.len()];
        let mut out_degrees = Vec::with_capacity(self.out_degrees.len());
        let mut weights = self.weights.as_ref().map(ArcWeights::blank);
        for to in 0..self.num_nodes() {
            let range = self.starts.range(to as usize);
            for old in range.clone() {
                let place = places.take(self.sources[old] as usize);
                sources[place] = to;
                if let (Some(new), Some(weights)) = (&mut weights, &self.weights) {
                    new.set(place, to, weights.class(old));
                }
            }
            out_degrees.push(u32::try_from(range.len()).expect("each node links to it once"));
        }
        Self { starts, sources, out_degrees, weights }
    }

    /// Returns the graph of the arcs that `counts` lets through, with their weights. Linear.
    pub(crate) fn keeping(&self, counts: impl Fn(Node, Node) -> bool) -> Self {
        let table = self.weights.as_ref().map(ArcWeights::table);
        let mut builder = Builder::weighted(self.num_nodes(), 0, table);
        for to in 0..self.num_nodes() {
            for place in self.starts.range(to as usize) {
                let from = self.sources[place];
                if counts(Node(from), Node(to)) {
                    builder.push_class(from, self.class(place));
                }
            }
            builder.end_node();
        }
        builder.finish()
    }

    #[inline]
    pub(crate) fn raw_sources(&self, index: usize) -> &[u32] {
        &self.sources[self.starts.range(index)]
    }

    /// Calls `visit` with each of these nodes, of which there is one, in turn and with its sources.
    #[inline]
    pub(crate) fn for_each_list(&self, nodes: Range<usize>, mut visit: impl FnMut(usize, &[u32])) {
        // The end of a list is where the next one begins, and is read once.
        match &self.starts {
            Starts::Small(starts) => {
                let mut start = starts[nodes.start] as usize;
                for node in nodes {
                    let end = starts[node + 1] as usize;
                    visit(node, &self.sources[start..end]);
                    start = end;
                }
            }
            Starts::Large(_) => {
                for node in nodes {
                    visit(node, self.raw_sources(node));
                }
            }
        }
    }

    /// Returns the sources of a node with the class of each arc, 0 where there are no weights.
    pub(crate) fn classed_sources(&self, index: usize) -> impl Iterator<Item = (u32, u8)> + '_ {
        self.starts.range(index).map(|place| (self.sources[place], self.class(place)))
    }

    /// Returns the nodes that link to a node, each with the part of its rank that it passes on there.
    pub(crate) fn parts(&self, node: Node) -> impl Iterator<Item = (Node, f64)> + '_ {
        self.classed_sources(node.index()).map(|(source, class)| {
            let part = match &self.weights {
                None => 1.0 / f64::from(self.out_degrees[source as usize]),
                Some(weights) => weights.weight(class) / weights.out(source as usize),
            };
            (Node(source), part)
        })
    }

    /// Returns how much an arc of a class counts.
    pub(crate) fn weight(&self, class: u8) -> f64 {
        self.weights.as_ref().map_or(1.0, |weights| weights.weight(class))
    }

    /// Returns the classes of the arcs to a node, source by source; none if there are no weights.
    #[inline]
    pub(crate) fn raw_classes(&self, index: usize) -> &[u8] {
        self.weights.as_ref().map_or(&[], |weights| weights.classes(self.starts.range(index)))
    }

    pub(crate) fn raw_out_degrees(&self) -> &[u32] {
        &self.out_degrees
    }

    pub(crate) fn weights(&self) -> Option<&ArcWeights> {
        self.weights.as_ref()
    }

    fn class(&self, place: usize) -> u8 {
        self.weights.as_ref().map_or(0, |weights| weights.class(place))
    }
}

/// Where the sources of each node begin, and where those of the last end.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Starts {
    /// For fewer than 2^32 arcs: half the memory.
    Small(Vec<u32>),
    Large(Vec<u64>),
}

impl Starts {
    fn with_capacity(num_nodes: usize) -> Self {
        let mut starts = Vec::with_capacity(num_nodes + 1);
        starts.push(0);
        Self::Small(starts)
    }

    /// Makes room for lists of these lengths.
    fn of(lengths: &[u32]) -> Self {
        let mut starts = Self::with_capacity(lengths.len());
        let mut end = 0;
        for len in lengths {
            end += *len as usize;
            starts.push(end);
        }
        starts
    }

    fn push(&mut self, end: usize) {
        match (&mut *self, u32::try_from(end)) {
            (Self::Small(starts), Ok(end)) => starts.push(end),
            (Self::Small(starts), Err(_)) => {
                let mut large = Vec::with_capacity(starts.capacity());
                large.extend(starts.iter().map(|start| u64::from(*start)));
                large.push(end as u64);
                *self = Self::Large(large);
            }
            (Self::Large(starts), _) => starts.push(end as u64),
        }
    }

    #[inline]
    fn range(&self, index: usize) -> Range<usize> {
        match self {
            Self::Small(starts) => starts[index] as usize..starts[index + 1] as usize,
            Self::Large(starts) => starts[index] as usize..starts[index + 1] as usize,
        }
    }

    /// Returns where a list begins and lets it begin one later.
    fn take(&mut self, index: usize) -> usize {
        match self {
            Self::Small(starts) => {
                starts[index] += 1;
                starts[index] as usize - 1
            }
            Self::Large(starts) => {
                starts[index] += 1;
                starts[index] as usize - 1
            }
        }
    }

    fn len(&self) -> usize {
        match self {
            Self::Small(starts) => starts.len(),
            Self::Large(starts) => starts.len(),
        }
    }
}

/// Takes the sources of node 0, 1, 2, … in turn.
#[derive(Debug)]
pub(crate) struct Builder {
    links: InLinks,
}

impl Builder {
    pub(crate) fn new(num_nodes: u32, expected_arcs: usize) -> Self {
        Self::weighted(num_nodes, expected_arcs, None)
    }

    /// Makes one whose arcs have the weights of their classes, if there is a table of these.
    pub(crate) fn weighted(num_nodes: u32, expected_arcs: usize, table: Option<Table>) -> Self {
        let num_nodes = num_nodes as usize;
        let weights = table.map(|table| ArcWeights::new(table, num_nodes, expected_arcs));
        let starts = Starts::with_capacity(num_nodes);
        let sources = Vec::with_capacity(expected_arcs);
        Self { links: InLinks { starts, sources, out_degrees: vec![0; num_nodes], weights } }
    }

    /// Adds a source of the present node. The caller brings sources ascending and in range.
    pub(crate) fn push(&mut self, source: u32) {
        self.push_class(source, 0);
    }

    /// As [`Self::push`], for an arc of a class; of no matter where there are no weights.
    pub(crate) fn push_class(&mut self, source: u32, class: u8) {
        self.links.sources.push(source);
        self.links.out_degrees[source as usize] += 1;
        if let Some(weights) = &mut self.links.weights {
            weights.push(source, class);
        }
    }

    /// Goes on to the next node.
    pub(crate) fn end_node(&mut self) {
        self.links.starts.push(self.links.sources.len());
    }

    pub(crate) fn finish(self) -> InLinks {
        debug_assert_eq!(self.links.starts.len(), self.links.out_degrees.len() + 1);
        self.links
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arcs(list: &[(u32, u32)]) -> Vec<(Node, Node)> {
        list.iter().map(|(from, to)| (Node(*from), Node(*to))).collect()
    }

    #[test]
    fn arcs_are_turned_around_sorted_and_counted_once() {
        let links = InLinks::from_arcs(4, arcs(&[(2, 1), (0, 1), (2, 1), (1, 1), (1, 3)])).unwrap();
        let sources = |node| links.sources(Node(node)).map(|node| node.0).collect::<Vec<_>>();
        assert!(sources(0).is_empty());
        assert_eq!(sources(1), [0, 1, 2]);
        assert_eq!(sources(3), [1]);
        assert_eq!(links.out_degree(Node(1)), 2);
        assert_eq!((links.num_nodes(), links.num_arcs()), (4, 4));
        assert_eq!(links.dead_ends().collect::<Vec<_>>(), [Node(3)]);
    }

    #[test]
    fn a_graph_turned_twice_is_the_same() {
        let links = InLinks::from_arcs(4, arcs(&[(2, 1), (0, 1), (1, 1), (1, 3), (2, 0)])).unwrap();
        let turned = links.turned();
        assert_eq!(turned.sources(Node(2)).collect::<Vec<_>>(), [Node(0), Node(1)]);
        assert_eq!((turned.out_degree(Node(1)), turned.out_degree(Node(2))), (3, 0));
        assert_eq!(turned.turned(), links);
    }

    #[test]
    fn arcs_to_unknown_nodes_are_refused() {
        for list in [[(0, 4)], [(4, 0)], [(u32::MAX, 0)]] {
            let built = InLinks::from_arcs(4, arcs(&list));
            assert!(matches!(built, Err(Error::UnknownNode { num_nodes: 4, .. })), "{list:?}");
        }
    }

    #[test]
    fn starts_grow_when_32_bits_do_not_hold_them() {
        let far = u32::MAX as usize;
        let mut starts = Starts::with_capacity(3);
        starts.push(far);
        assert!(matches!(starts, Starts::Small(_)));
        starts.push(far + 3);
        starts.push(far + 3);
        let ranges: Vec<_> = (0..3).map(|node| starts.range(node)).collect();
        assert_eq!(ranges, [0..far, far..far + 3, far + 3..far + 3]);
        assert_eq!((starts.take(1), starts.take(1), starts.len()), (far, far + 1, 4));
    }

    #[test]
    fn no_nodes_are_a_graph_too() {
        let links = InLinks::from_arcs(0, []).unwrap();
        assert_eq!((links.num_nodes(), links.num_arcs()), (0, 0));
    }
}
