//! The graph in memory, both ways round, for what follows links forward and back.

use std::sync::OnceLock;

use crate::{Error, InLinks, Node};

/// Who links to whom, and who is linked to by whom.
///
/// Costs 4 bytes per arc and 8 per node, and as much again from when somebody first asks where
/// nodes link to: what only ranks never does.
#[derive(Clone, Debug)]
pub struct Links {
    into: InLinks,
    out: OnceLock<InLinks>,
}

impl Links {
    /// Takes a graph; it is turned around when that is asked for.
    pub fn new(into: InLinks) -> Self {
        Self { into, out: OnceLock::new() }
    }

    /// Builds the graph of a list of arcs (from, to), as [`InLinks::from_arcs`] does.
    pub fn from_arcs(
        num_nodes: u32,
        arcs: impl IntoIterator<Item = (Node, Node)>,
    ) -> Result<Self, Error> {
        Ok(Self::new(InLinks::from_arcs(num_nodes, arcs)?))
    }

    /// Returns how many nodes there are.
    pub fn num_nodes(&self) -> u32 {
        self.into.num_nodes()
    }

    /// Returns how many arcs there are.
    pub fn num_arcs(&self) -> u64 {
        self.into.num_arcs()
    }

    /// Returns all nodes, ascending.
    pub fn nodes(&self) -> impl Iterator<Item = Node> + use<> {
        (0..self.num_nodes()).map(Node)
    }

    /// Returns the nodes that `node` links to, ascending.
    pub fn successors(&self, node: Node) -> impl ExactSizeIterator<Item = Node> + '_ {
        self.turned().sources(node)
    }

    /// Returns the nodes that link to `node`, ascending.
    pub fn predecessors(&self, node: Node) -> impl ExactSizeIterator<Item = Node> + '_ {
        self.into.sources(node)
    }

    /// Returns how many nodes `node` links to.
    pub fn out_degree(&self, node: Node) -> u32 {
        self.into.out_degree(node)
    }

    /// Returns how many nodes link to `node`.
    pub fn in_degree(&self, node: Node) -> u32 {
        u32::try_from(self.into.sources(node).len()).expect("each node links to it once")
    }

    /// Returns the graph as ranking wants it.
    pub fn in_links(&self) -> &InLinks {
        &self.into
    }

    /// Keeps the graph as ranking wants it, and nothing else.
    pub fn into_in_links(self) -> InLinks {
        self.into
    }

    /// Returns the graph turned around: ranking it asks who reaches most. The first call is linear
    /// in nodes and arcs.
    pub fn turned(&self) -> &InLinks {
        self.out.get_or_init(|| self.into.turned())
    }
}

/// Two are the same if they have the same arcs, whether they were turned around or not.
impl PartialEq for Links {
    fn eq(&self, other: &Self) -> bool {
        self.into == other.into
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_graph_is_turned_when_somebody_asks_where_nodes_link_to() {
        let arcs = [(0, 1), (0, 2), (2, 1)].map(|(from, to)| (Node(from), Node(to)));
        let links = Links::from_arcs(3, arcs).unwrap();
        assert_eq!(
            (links.out_degree(Node(0)), links.in_degree(Node(1)), links.num_arcs()),
            (2, 2, 3)
        );
        assert_eq!(links.predecessors(Node(1)).collect::<Vec<_>>(), [Node(0), Node(2)]);
        assert!(links.out.get().is_none(), "nobody has asked");
        let same = links.clone();
        assert_eq!(links.successors(Node(0)).collect::<Vec<_>>(), [Node(1), Node(2)]);
        assert!(links.out.get().is_some());
        assert_eq!(links, same);
        assert_eq!(links.into_in_links(), same.into_in_links());
    }
}
