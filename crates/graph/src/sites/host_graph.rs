//! The graph of hosts.

use std::collections::HashMap;
use std::sync::Arc;

use super::hosts::HostRuns;
use crate::compressed::Compressed;
use crate::{Error, Graph, Links, Node};

/// Which host links to which, and from how many pages.
///
/// A host is a node, numbered in SURT order of the names. Costs the names, 20 bytes per host and
/// 12 per arc.
#[derive(Clone, Debug)]
pub struct HostGraph {
    hosts: HostRuns,
    /// By both ends, ascending.
    arcs: Vec<HostArc>,
    /// Pages of each host that link to any page.
    num_linking: Vec<u32>,
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
    /// to. Memory: the result, 4 bytes per node of the generation, and what one host links to.
    pub fn of(graph: &Graph) -> Result<Self, Error> {
        let hosts = HostRuns::read(graph.names())?;
        Self::read(hosts, graph.forward(), || Ok(()))
    }

    pub(crate) fn read(
        hosts: HostRuns,
        forward: &Compressed,
        mut tick: impl FnMut() -> Result<(), Error>,
    ) -> Result<Self, Error> {
        let host_of = hosts.by_node();
        let mut num_linking = vec![0; hosts.len()];
        let mut arcs = Vec::new();
        let mut counts: HashMap<u32, u32> = HashMap::new();
        let mut page: Vec<u32> = Vec::new();
        let mut present = 0;
        forward.for_each(|node, successors| {
            tick()?;
            let host = host_of[node.index()];
            if host != present {
                push_row(present, &mut counts, &mut arcs);
                present = host;
            }
            num_linking[host as usize] += u32::from(!successors.is_empty());
            page.clear();
            page.extend(successors.iter().filter_map(|to| host_of.get(*to)));
            page.sort_unstable();
            page.dedup();
            for target in page.iter().filter(|target| **target != host) {
                *counts.entry(*target).or_insert(0) += 1;
            }
            Ok(())
        })?;
        push_row(present, &mut counts, &mut arcs);
        Ok(Self { hosts, arcs, num_linking })
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

    /// Returns who links to whom, both ways, without the weights. O(arcs).
    pub fn links(&self) -> Result<Links, Error> {
        Links::from_arcs(self.num_hosts(), self.arcs.iter().map(|arc| (arc.from, arc.to)))
    }

    pub(super) fn hosts(&self) -> &HostRuns {
        &self.hosts
    }
}

fn push_row(from: u32, counts: &mut HashMap<u32, u32>, arcs: &mut Vec<HostArc>) {
    let start = arcs.len();
    arcs.extend(counts.drain().map(|(to, num_pages)| HostArc {
        from: Node(from),
        to: Node(to),
        num_pages,
    }));
    arcs[start..].sort_unstable();
}
