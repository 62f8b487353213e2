//! The transposed graph in memory: for each node, who links to it.
//!
//! Compressed sparse rows of 32-bit node numbers: `sources[starts[v]..starts[v + 1]]` are the
//! nodes with an arc to `v`, ascending, each once. Costs 4 bytes per arc and 12 per node.

use rayon::slice::ParallelSliceMut;

use crate::Error;

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
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InLinks {
    starts: Vec<usize>,
    sources: Vec<u32>,
    out_degrees: Vec<u32>,
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
        let mut starts = Vec::with_capacity(self.starts.len());
        let mut end = 0;
        starts.push(end);
        for degree in &self.out_degrees {
            end += *degree as usize;
            starts.push(end);
        }
        let mut places = starts.clone();
        let mut sources = vec![0; self.sources.len()];
        let mut out_degrees = Vec::with_capacity(self.out_degrees.len());
        for to in 0..self.num_nodes() {
            let all = self.raw_sources(to as usize);
            for from in all {
                let place = &mut places[*from as usize];
                sources[*place] = to;
                *place += 1;
            }
            out_degrees.push(u32::try_from(all.len()).expect("each node links to it once"));
        }
        Self { starts, sources, out_degrees }
    }

    pub(crate) fn raw_sources(&self, index: usize) -> &[u32] {
        &self.sources[self.starts[index]..self.starts[index + 1]]
    }

    pub(crate) fn raw_out_degrees(&self) -> &[u32] {
        &self.out_degrees
    }
}

/// Takes the sources of node 0, 1, 2, … in turn.
#[derive(Debug)]
pub(crate) struct Builder {
    links: InLinks,
}

impl Builder {
    pub(crate) fn new(num_nodes: u32, expected_arcs: usize) -> Self {
        let num_nodes = num_nodes as usize;
        let mut starts = Vec::with_capacity(num_nodes + 1);
        starts.push(0);
        let sources = Vec::with_capacity(expected_arcs);
        Self { links: InLinks { starts, sources, out_degrees: vec![0; num_nodes] } }
    }

    /// Adds a source of the present node. The caller brings sources ascending and in range.
    pub(crate) fn push(&mut self, source: u32) {
        self.links.sources.push(source);
        self.links.out_degrees[source as usize] += 1;
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
    fn no_nodes_are_a_graph_too() {
        let links = InLinks::from_arcs(0, []).unwrap();
        assert_eq!((links.num_nodes(), links.num_arcs()), (0, 0));
    }
}
