//! The bow-tie of the web (Broder and others, 2000): a core and what hangs on to it.

use serde::Serialize;

use super::components::{Components, components};
use crate::{InLinks, Links, Node};

/// Where a page stands to the core.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Part {
    /// In the largest set of pages of which each reaches each.
    Core,
    /// Reaches the core and is not reached from it.
    In,
    /// Is reached from the core and does not reach it.
    Out,
    /// Is reached from `In`, does not reach `Core` or `Out`.
    TendrilOfIn,
    /// Reaches `Out`, is not reached from `In` or `Core`.
    TendrilOfOut,
    /// On a way from `In` to `Out` that passes the core by.
    Tube,
    /// None of these, and still connected with the core if links are followed both ways: what
    /// links to a tendril of `In`, for one.
    Fringe,
    /// Not connected with the core at all.
    Island,
}

impl Part {
    /// All parts, in the order in which they are shown.
    pub const ALL: [Self; 8] = [
        Self::Core,
        Self::In,
        Self::Out,
        Self::TendrilOfIn,
        Self::TendrilOfOut,
        Self::Tube,
        Self::Fringe,
        Self::Island,
    ];

    /// Returns the name by which people know it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Core => "core",
            Self::In => "in",
            Self::Out => "out",
            Self::TendrilOfIn => "tendrils of in",
            Self::TendrilOfOut => "tendrils of out",
            Self::Tube => "tubes",
            Self::Fringe => "fringe",
            Self::Island => "islands",
        }
    }
}

/// Which part of the bow-tie each node belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BowTie {
    parts: Vec<Part>,
    counts: [u64; Part::ALL.len()],
    num_components: u64,
}

impl BowTie {
    /// Returns the part of a node.
    pub fn part(&self, node: Node) -> Part {
        self.parts[node.index()]
    }

    /// Returns how many nodes a part has.
    pub fn count(&self, part: Part) -> u64 {
        self.counts[part as usize]
    }

    /// Returns how many nodes there are.
    pub fn num_nodes(&self) -> u64 {
        self.parts.len() as u64
    }

    /// Returns how large a part is of the whole, between 0 and 1; 0 if there are no nodes.
    pub fn share(&self, part: Part) -> f64 {
        self.count(part) as f64 / self.num_nodes().max(1) as f64
    }

    /// Returns how many strongly connected components there are, the core among them.
    pub fn num_components(&self) -> u64 {
        self.num_components
    }
}

/// Sorts every node into one part of the bow-tie.
///
/// The core is the largest strongly connected component, of equals the one with the lowest node:
/// in a graph without cycles that is one node, and the picture says little. O(nodes + arcs); 33
/// bytes per node at most besides the graph.
pub fn bow_tie(links: &Links) -> BowTie {
    let components = components(links);
    let num_components = components.sizes().len() as u64;
    let parts = Sorter::new(links, &components).sort();
    let mut counts = [0; Part::ALL.len()];
    for part in &parts {
        counts[*part as usize] += 1;
    }
    BowTie { parts, counts, num_components }
}

struct Sorter<'a> {
    links: &'a Links,
    parts: Vec<Part>,
    /// Nodes whose links are still to be followed.
    waiting: Vec<u32>,
}

impl<'a> Sorter<'a> {
    /// Begins with the core, and everything else an island.
    fn new(links: &'a Links, components: &Components) -> Self {
        let core = components.largest();
        let part = |node| match Some(components.of(node)) == core {
            true => Part::Core,
            false => Part::Island,
        };
        Self { links, parts: links.nodes().map(part).collect(), waiting: Vec::new() }
    }

    fn sort(mut self) -> Vec<Part> {
        let (forward, back) = (self.links.turned(), self.links.in_links());
        self.follow(back, &[Part::Core], |part| (part == Part::Island).then_some(Part::In));
        self.follow(forward, &[Part::Core], |part| (part == Part::Island).then_some(Part::Out));
        // A way from `In` that meets the core leads to `Out` only, so what is left to find is
        // reached without it.
        self.follow(forward, &[Part::In], |part| {
            (part == Part::Island).then_some(Part::TendrilOfIn)
        });
        self.follow(back, &[Part::Out], |part| match part {
            Part::Island => Some(Part::TendrilOfOut),
            Part::TendrilOfIn => Some(Part::Tube),
            _ => None,
        });
        self.follow_both_ways();
        self.parts
    }

    /// Follows links from all nodes of some parts; `enter` says what a node met becomes, or that
    /// it is not entered. A node is entered at most once, since `enter` refuses what it gives.
    fn follow(&mut self, links: &InLinks, from: &[Part], enter: impl Fn(Part) -> Option<Part>) {
        self.wait_for(|part| from.contains(&part));
        while let Some(node) = self.waiting.pop() {
            for other in links.raw_sources(node as usize) {
                if let Some(part) = enter(self.parts[*other as usize]) {
                    self.parts[*other as usize] = part;
                    self.waiting.push(*other);
                }
            }
        }
    }

    /// Finds the fringe: islands that are none.
    fn follow_both_ways(&mut self) {
        self.wait_for(|part| part != Part::Island);
        while let Some(node) = self.waiting.pop() {
            for links in [self.links.turned(), self.links.in_links()] {
                for other in links.raw_sources(node as usize) {
                    if self.parts[*other as usize] == Part::Island {
                        self.parts[*other as usize] = Part::Fringe;
                        self.waiting.push(*other);
                    }
                }
            }
        }
    }

    fn wait_for(&mut self, is_wanted: impl Fn(Part) -> bool) {
        let nodes = self.links.nodes().filter(|node| is_wanted(self.parts[node.index()]));
        self.waiting.extend(nodes.map(|node| node.0));
    }
}
