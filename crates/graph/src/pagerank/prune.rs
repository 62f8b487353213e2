//! Dead ends treated by leaving them out: rank the rest, then hand their rank back.
//!
//! Removing a dead end can make those that linked to it dead ends themselves, so it goes on until
//! none is left. What remains is ranked alone. Then, last removed first, every removed node
//! gets from each node that links to it the share that its links carry in the full graph.

use std::ops::ControlFlow;

use super::arcs::{Full, Weighted};
use super::kernel::iterate;
use super::{Iteration, Jump, PageRankOptions, Ranks, Teleport, scale_to_one};
use crate::in_links::Builder;
use crate::weights::ArcWeights;
use crate::{Error, InLinks, Node};

pub(super) fn rank(
    links: &InLinks,
    options: &PageRankOptions,
    start: &[f64],
    watch: &mut dyn FnMut(Iteration) -> ControlFlow<()>,
) -> Result<Ranks, Error> {
    let removed = removal_order(links);
    let core = Core::new(links, &removed);
    if core.nodes.is_empty() {
        return Err(Error::NothingLeft);
    }
    let jump = Jump::new(core.links.num_nodes(), &core.teleport(&options.teleport)?)?;
    let mut start: Vec<f64> = core.nodes.iter().map(|node| start[node.index()]).collect();
    if !scale_to_one(&mut start) {
        return Err(Error::BadStart("pruning dead ends removes every node it begins at"));
    }
    let ranks = match core.links.weights() {
        None => iterate(&Full(&core.links), options, &jump, start, watch)?,
        Some(weights) => {
            let links = &core.links;
            iterate(&Weighted { links, weights }, options, &jump, start, watch)?
        }
    };
    let mut scores = vec![0.0; links.num_nodes() as usize];
    for (node, score) in core.nodes.iter().zip(&ranks.scores) {
        scores[node.index()] = *score;
    }
    for node in removed.iter().rev() {
        let share = |(source, class): (u32, u8)| {
            let (source, score) = (source as usize, scores[source as usize]);
            match links.weights() {
                None => score / f64::from(links.raw_out_degrees()[source]),
                Some(weights) => score * weights.table()[usize::from(class)] / weights.out(source),
            }
        };
        scores[node.index()] = links.classed_sources(node.index()).map(share).sum();
    }
    Ok(Ranks { scores, ..ranks })
}

/// Returns the nodes that go, in the order in which they go.
fn removal_order(links: &InLinks) -> Vec<Node> {
    let mut left = links.raw_out_degrees().to_vec();
    let mut removed: Vec<Node> = links.dead_ends().collect();
    let mut next = 0;
    while let Some(node) = removed.get(next).copied() {
        for source in links.sources(node) {
            left[source.index()] -= 1;
            if left[source.index()] == 0 {
                removed.push(source);
            }
        }
        next += 1;
    }
    removed
}

/// What is left when the removed nodes are gone, numbered anew.
struct Core {
    links: InLinks,
    /// The old number of each node that is left.
    nodes: Vec<Node>,
    /// The new number of each old node; `GONE` for removed ones.
    numbers: Vec<u32>,
}

const GONE: u32 = u32::MAX;

impl Core {
    fn new(links: &InLinks, removed: &[Node]) -> Self {
        let mut numbers = vec![0; links.num_nodes() as usize];
        for node in removed {
            numbers[node.index()] = GONE;
        }
        let mut nodes = Vec::with_capacity(numbers.len() - removed.len());
        for (node, number) in (0..).zip(&mut numbers) {
            if *number != GONE {
                *number = u32::try_from(nodes.len()).expect("fewer than all nodes");
                nodes.push(Node(node));
            }
        }
        let num_left = u32::try_from(nodes.len()).expect("at most all nodes");
        let table = links.weights().map(ArcWeights::table);
        let mut builder = Builder::weighted(num_left, 0, table);
        for node in &nodes {
            for (source, class) in links.classed_sources(node.index()) {
                if numbers[source as usize] != GONE {
                    builder.push_class(numbers[source as usize], class);
                }
            }
            builder.end_node();
        }
        Self { links: builder.finish(), nodes, numbers }
    }

    /// Returns what is left of a teleport set, in new numbers.
    fn teleport(&self, teleport: &Teleport) -> Result<Teleport, Error> {
        let Teleport::Nodes(nodes) = teleport else { return Ok(Teleport::Uniform) };
        let numbers = nodes.iter().map(|node| self.numbers[node.index()]);
        let left: Vec<Node> = numbers.filter(|number| *number != GONE).map(Node).collect();
        if left.is_empty() { Err(Error::NothingLeft) } else { Ok(Teleport::Nodes(left)) }
    }
}
