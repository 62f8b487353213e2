//! How large a graph is and how its links are spread.

use crate::progress::{Counter, NodeWatch};
use crate::{Links, Node};

/// Counts of a graph.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shape {
    /// All nodes.
    pub num_nodes: u32,
    /// Arcs between them.
    pub num_arcs: u64,
    /// Nodes that link to themselves.
    pub self_loops: u32,
    /// Nodes that link to nobody.
    pub dead_ends: u32,
    /// Nodes that nobody links to.
    pub without_in_links: u32,
    /// Nodes that are both.
    pub alone: u32,
    /// The node with the most out-links, the first if several have as many; none without arcs.
    pub most_out_links: Option<(Node, u32)>,
    /// The node with the most in-links, likewise.
    pub most_in_links: Option<(Node, u32)>,
    /// How many nodes have 0, 1, 2–3, 4–7, 8–15, … out-links.
    pub out_degrees: Vec<u32>,
    /// How many nodes have 0, 1, 2–3, 4–7, 8–15, … in-links.
    pub in_degrees: Vec<u32>,
}

/// Counts what a graph holds; `watch` is told of the nodes. Linear in nodes and arcs.
pub fn shape(links: &Links, watch: NodeWatch<'_>) -> Shape {
    let mut shape =
        Shape { num_nodes: links.num_nodes(), num_arcs: links.num_arcs(), ..Shape::default() };
    let mut counter = Counter::start(watch, links.num_nodes().into());
    for node in links.nodes() {
        let (out, into) = (links.out_degree(node), links.in_degree(node));
        shape.self_loops += u32::from(links.successors(node).any(|to| to == node));
        shape.dead_ends += u32::from(out == 0);
        shape.without_in_links += u32::from(into == 0);
        shape.alone += u32::from(out == 0 && into == 0);
        count(&mut shape.out_degrees, &mut shape.most_out_links, node, out);
        count(&mut shape.in_degrees, &mut shape.most_in_links, node, into);
        counter.tick();
    }
    shape
}

fn count(degrees: &mut Vec<u32>, most: &mut Option<(Node, u32)>, node: Node, degree: u32) {
    // 0 for none, otherwise the number of binary digits.
    let place = (u32::BITS - degree.leading_zeros()) as usize;
    if degrees.len() <= place {
        degrees.resize(place + 1, 0);
    }
    degrees[place] += 1;
    if degree > most.map_or(0, |(_, degree)| degree) {
        *most = Some((node, degree));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_graph_is_counted() {
        let arcs = [(0, 1), (0, 2), (0, 3), (0, 0), (1, 0), (2, 0)];
        let arcs = arcs.map(|(from, to)| (Node(from), Node(to)));
        let expected = Shape {
            num_nodes: 5,
            num_arcs: 6,
            self_loops: 1,
            dead_ends: 2,
            without_in_links: 1,
            alone: 1,
            most_out_links: Some((Node(0), 4)),
            most_in_links: Some((Node(0), 3)),
            out_degrees: vec![2, 2, 0, 1],
            in_degrees: vec![1, 3, 1],
        };
        let mut told = Vec::new();
        let links = Links::from_arcs(5, arcs).unwrap();
        assert_eq!(shape(&links, &mut |done, total| told.push((done, total))), expected);
        assert_eq!(told, [(0, 5), (5, 5)]);
        let none = Links::from_arcs(0, []).unwrap();
        assert_eq!(shape(&none, &mut |_, _| ()), Shape::default());
    }

    #[test]
    fn many_nodes_are_told_now_and_then() {
        let mut told = Vec::new();
        let links = Links::from_arcs(2_500, []).unwrap();
        shape(&links, &mut |done, total| told.push((done, total)));
        assert_eq!(told, [0, 1_024, 2_048, 2_500].map(|done| (done, 2_500)));
    }
}
