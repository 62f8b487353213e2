//! SALSA by its closed form.
//!
//! The visitor steps from an authority back to one of those that link to it and forward again to
//! one of those that this one links to. Nodes between which such steps lead form a group; inside
//! a group the visitor is at a node in proportion to its in-links, and from a uniform start the
//! groups hold what share of the authorities they are. For hubs the same, with out-links. A group
//! is a connected part of the graph in which every node stands twice, once as hub and once as
//! authority, with an edge from hub to authority for every arc.

use super::HubsAndAuthorities;
use crate::{Links, Node};

/// Stands for a side of a node that has not been visited.
const NO_GROUP: u32 = u32::MAX;

/// Finds hubs and authorities by degrees and groups: exact, without iteration.
///
/// Cost: O(nodes + arcs), once; 40 bytes per node besides the graph. The result does not depend
/// on the number of threads.
pub fn salsa(links: &Links) -> HubsAndAuthorities {
    let sides = Sides::new(links);
    let num_hubs = links.nodes().filter(|node| links.out_degree(*node) > 0).count() as f64;
    let num_authorities = links.nodes().filter(|node| links.in_degree(*node) > 0).count() as f64;
    let score = |group: u32, degree: u32, of_group: fn(&Group) -> u64, all: f64| match degree {
        0 => 0.0,
        degree => {
            let group = &sides.groups[group as usize];
            of_group(group) as f64 / all * f64::from(degree) / group.num_arcs as f64
        }
    };
    let authority = |node: Node| {
        let group = sides.authorities[node.index()];
        score(group, links.in_degree(node), |group| group.num_authorities, num_authorities)
    };
    let hub = |node: Node| {
        let group = sides.hubs[node.index()];
        score(group, links.out_degree(node), |group| group.num_hubs, num_hubs)
    };
    HubsAndAuthorities {
        authorities: links.nodes().map(authority).collect(),
        hubs: links.nodes().map(hub).collect(),
        log: Vec::new(),
        converged: true,
    }
}

/// What belongs together.
#[derive(Default)]
struct Group {
    num_hubs: u64,
    num_authorities: u64,
    num_arcs: u64,
}

/// The group of each node as hub and as authority.
struct Sides {
    hubs: Vec<u32>,
    authorities: Vec<u32>,
    groups: Vec<Group>,
}

impl Sides {
    fn new(links: &Links) -> Self {
        let unvisited = vec![NO_GROUP; links.num_nodes() as usize];
        let mut sides = Self { hubs: unvisited.clone(), authorities: unvisited, groups: vec![] };
        let mut waiting = Vec::new();
        for hub in links.nodes() {
            if links.out_degree(hub) > 0 && sides.hubs[hub.index()] == NO_GROUP {
                sides.fill(links, hub, &mut waiting);
            }
        }
        sides
    }

    /// Visits the whole group of a hub. Every arc is followed once from each end.
    fn fill(&mut self, links: &Links, first: Node, waiting: &mut Vec<Node>) {
        let number = u32::try_from(self.groups.len()).expect("each group has a hub of its own");
        let mut group = Group::default();
        self.hubs[first.index()] = number;
        waiting.push(first);
        while let Some(hub) = waiting.pop() {
            group.num_hubs += 1;
            group.num_arcs += u64::from(links.out_degree(hub));
            for authority in links.successors(hub) {
                if self.authorities[authority.index()] != NO_GROUP {
                    continue;
                }
                self.authorities[authority.index()] = number;
                group.num_authorities += 1;
                for other in links.predecessors(authority) {
                    if self.hubs[other.index()] == NO_GROUP {
                        self.hubs[other.index()] = number;
                        waiting.push(other);
                    }
                }
            }
        }
        self.groups.push(group);
    }
}
