//! Strongly connected components: sets of nodes of which each reaches each.
//!
//! Tarjan's algorithm with a stack of its own in place of recursion: a chain of a million pages
//! must not end the process.

use crate::{Links, Node};

/// Stands for a node without a number yet.
const UNSEEN: u32 = u32::MAX;

/// The strongly connected components of a graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Components {
    of_node: Vec<u32>,
    sizes: Vec<u32>,
}

impl Components {
    /// Returns the number of a node's component. Links lead to the same number or a lower one.
    pub fn of(&self, node: Node) -> u32 {
        self.of_node[node.index()]
    }

    /// Returns how many nodes each component has, by its number.
    pub fn sizes(&self) -> &[u32] {
        &self.sizes
    }

    /// Returns the number of the largest component, of equals the one with the lowest node;
    /// `None` if there are no nodes. O(nodes).
    pub fn largest(&self) -> Option<u32> {
        let most = self.sizes.iter().max()?;
        self.of_node.iter().copied().find(|number| self.sizes[*number as usize] == *most)
    }
}

/// Finds the strongly connected components. O(nodes + arcs); 28 bytes per node at most.
pub fn components(links: &Links) -> Components {
    let size = links.num_nodes() as usize;
    let mut search = Search {
        links,
        order: vec![UNSEEN; size],
        low: vec![0; size],
        next: 0,
        open: Vec::new(),
        path: Vec::new(),
        found: Components { of_node: vec![UNSEEN; size], sizes: Vec::new() },
    };
    for node in 0..links.num_nodes() {
        if search.order[node as usize] == UNSEEN {
            search.visit_from(node);
        }
    }
    search.found
}

struct Search<'a> {
    links: &'a Links,
    /// When a node was first seen.
    order: Vec<u32>,
    /// The earliest node that is known to be in its component.
    low: Vec<u32>,
    next: u32,
    /// Nodes seen whose component is not finished.
    open: Vec<u32>,
    /// Nodes on the way to the present one, each with the place of its next link.
    path: Vec<(u32, u32)>,
    found: Components,
}

impl Search<'_> {
    fn visit_from(&mut self, first: u32) {
        self.enter(first);
        while let Some((node, place)) = self.path.last_mut() {
            let (from, link) = (*node as usize, *place as usize);
            *place += 1;
            let Some(to) = self.links.turned().raw_sources(from).get(link).copied() else {
                self.leave(from);
                continue;
            };
            let to_index = to as usize;
            if self.order[to_index] == UNSEEN {
                self.enter(to);
            } else if self.found.of_node[to_index] == UNSEEN {
                self.low[from] = self.low[from].min(self.order[to_index]);
            }
        }
    }

    fn enter(&mut self, node: u32) {
        self.order[node as usize] = self.next;
        self.low[node as usize] = self.next;
        self.next += 1;
        self.open.push(node);
        self.path.push((node, 0));
    }

    fn leave(&mut self, node: usize) {
        self.path.pop();
        if let Some((before, _)) = self.path.last() {
            let before = *before as usize;
            self.low[before] = self.low[before].min(self.low[node]);
        }
        if self.low[node] != self.order[node] {
            return;
        }
        // The first node seen of its component: all of it lies above on the stack.
        let number = u32::try_from(self.found.sizes.len()).expect("no more than nodes");
        let mut size = 0;
        while let Some(member) = self.open.pop() {
            self.found.of_node[member as usize] = number;
            size += 1;
            if member as usize == node {
                break;
            }
        }
        self.found.sizes.push(size);
    }
}
