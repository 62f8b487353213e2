//! The graph of hosts.

use std::collections::HashMap;
use std::sync::Arc;

use super::hosts::HostRuns;
use crate::compressed::Compressed;
use crate::{Error, Graph, Links, Node};

/// Which host links to which, and from how many pages.
///
/// A host is a node, numbered in SURT order of the names. Costs the names, 28 bytes per host and
/// 12 per arc.
#[derive(Clone, Debug)]
pub struct HostGraph {
    hosts: HostRuns,
    /// By both ends, ascending.
    arcs: Vec<HostArc>,
    /// Pages of each host that link to any page.
    num_linking: Vec<u32>,
    /// Of each host, the sum of `num_pages` of the arcs to it, of those too that were not kept.
    in_weights: Vec<u64>,
}

/// A link between hosts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct HostArc {
    /// The host whose pages link.
    pub from: Node,
    /// The host that they link to; never the same.
    pub to: Node,
    /// How many pages of the one host link to any page of the other.
    pub num_pages: u32,
}

impl HostGraph {
    /// Builds the graph of the hosts of a generation.
    ///
    /// Linear in the generation's nodes and arcs, and n log n in the hosts that one host links
    /// to. Memory: the result and what one host links to.
    pub fn of(graph: &Graph) -> Result<Self, Error> {
        let hosts = HostRuns::read(graph.names())?;
        Self::read(hosts, graph.forward(), |_, _| true, || Ok(()))
    }

    /// Like [`Self::of`], with the arcs that `is_kept`; it is told the linking pages of the host
    /// that they come from.
    pub(super) fn read(
        hosts: HostRuns,
        forward: &Compressed,
        is_kept: impl Fn(&HostArc, u32) -> bool,
        mut tick: impl FnMut() -> Result<(), Error>,
    ) -> Result<Self, Error> {
        let host_of = hosts.runs();
        let none = vec![0; hosts.len()];
        let mut graph = Self { hosts, arcs: Vec::new(), num_linking: none, in_weights: Vec::new() };
        graph.in_weights.resize(graph.num_linking.len(), 0);
        let mut counts: HashMap<u32, u32> = HashMap::new();
        let mut page: Vec<u32> = Vec::new();
        let mut present = 0;
        forward.for_each(|node, successors| {
            tick()?;
            let host = host_of.get(node.index()).unwrap_or(present);
            if host != present {
                graph.push_row(present, &mut counts, &is_kept);
                present = host;
            }
            graph.num_linking[host as usize] += u32::from(!successors.is_empty());
            page.clear();
            page.extend(successors.iter().filter_map(|to| host_of.get(*to as usize)));
            page.sort_unstable();
            page.dedup();
            for target in page.iter().filter(|target| **target != host) {
                *counts.entry(*target).or_insert(0) += 1;
            }
            Ok(())
        })?;
        graph.push_row(present, &mut counts, &is_kept);
        Ok(graph)
    }

    /// Adds the arcs of one host, all of whose pages were read.
    fn push_row(
        &mut self,
        from: u32,
        counts: &mut HashMap<u32, u32>,
        is_kept: impl Fn(&HostArc, u32) -> bool,
    ) {
        let start = self.arcs.len();
        let num_linking = self.num_linking.get(from as usize).copied().unwrap_or(0);
        for (to, num_pages) in counts.drain() {
            self.in_weights[to as usize] += u64::from(num_pages);
            let arc = HostArc { from: Node(from), to: Node(to), num_pages };
            if is_kept(&arc, num_linking) {
                self.arcs.push(arc);
            }
        }
        self.arcs[start..].sort_unstable();
    }

    /// Returns how many hosts there are.
    pub fn num_hosts(&self) -> u32 {
        self.num_linking.len() as u32
    }

    /// Returns the names of the hosts, in the order of their numbers.
    pub fn names(&self) -> &[Arc<str>] {
        self.hosts.names()
    }

    /// Returns the host that a page's node is on, or `None` if there is no such node.
    /// O(log hosts).
    pub fn host_of(&self, node: Node) -> Option<Node> {
        self.hosts.host_of(node).map(Node)
    }

    /// Returns the number of the host of every node of the generation, 4 bytes each, as
    /// [`crate::Hosts`] wants them. O(nodes).
    pub fn by_node(&self) -> Vec<u32> {
        self.hosts.by_node()
    }

    /// Returns for each host the number of its registered domain: who answers for it.
    pub fn domains(&self) -> &[u32] {
        self.hosts.domains()
    }

    /// Returns the names of the registered domains, in the order of their numbers.
    pub fn domain_names(&self) -> &[Arc<str>] {
        self.hosts.domain_names()
    }

    /// Returns all arcs, by the linking host and then by the other.
    pub fn arcs(&self) -> &[HostArc] {
        &self.arcs
    }

    /// Returns the arcs of one host, by the other. O(log arcs).
    pub fn successors(&self, host: Node) -> &[HostArc] {
        let start = self.arcs.partition_point(|arc| arc.from < host);
        let end = self.arcs.partition_point(|arc| arc.from <= host);
        &self.arcs[start..end]
    }

    /// Returns how many pages of `from` link to `to`; 0 if none does. O(log arcs).
    pub fn weight(&self, from: Node, to: Node) -> u32 {
        let place = self.arcs.binary_search_by_key(&(from, to), |arc| (arc.from, arc.to));
        place.map_or(0, |place| self.arcs[place].num_pages)
    }

    /// Returns how many pages of a host link to any page at all; 0 if there is no such host. O(1).
    pub fn num_linking(&self, host: Node) -> u32 {
        self.num_linking.get(host.index()).copied().unwrap_or(0)
    }

    /// Returns how many pages of other hosts link to each host.
    pub(super) fn in_weights(&self) -> &[u64] {
        &self.in_weights
    }

    /// Returns who links to whom, both ways, without the weights. O(arcs).
    pub fn links(&self) -> Result<Links, Error> {
        Links::from_arcs(self.num_hosts(), self.arcs.iter().map(|arc| (arc.from, arc.to)))
    }

    pub(super) fn hosts(&self) -> &HostRuns {
        &self.hosts
    }
}
