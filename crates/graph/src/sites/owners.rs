//! Which host, site and voice each node of a graph is of, wherever the graph comes from.
//!
//! A generation of a collection knows its hosts as runs of nodes, its sites and its voices. In
//! graph files a name that is an address says so itself; nodes may be called by host names alone,
//! with or without a path, and the registered domain is site and voice. A name without any dot in
//! its host is a host and an owner of its own, so that a web drawn by hand is a web of strangers.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use base::{Host, Url};

use super::hosts::HostRuns;
use crate::{Error, Graph, Hosts, Links, Named, Node};

/// Hosts, owners, sites and voices of all nodes, as numbers.
///
/// An owner is a registered domain; what a voice is, [`crate::Voices`] says. Costs 4 bytes per
/// node, 8 for a generation, and 4 per host with its name.
#[derive(Clone, Debug)]
pub struct Owners {
    host_of: Vec<u32>,
    /// Owner of each host.
    owner_of: Vec<u32>,
    names: Vec<Arc<str>>,
    /// Site of each node, and voice of each site, where sites are known.
    site_of: Option<Vec<u32>>,
    voice_of: Vec<u32>,
    is_told: bool,
}

impl Owners {
    /// Finds host, owner, site and voice of every node. Linear in the bytes of the names.
    pub fn of(named: &Named) -> Result<Self, Error> {
        match named.stored() {
            Some(graph) => Self::of_graph(graph),
            None => Self::of_names(named),
        }
    }

    /// Like [`Self::of`], for a generation whose links are not in memory.
    pub fn of_graph(graph: &Graph) -> Result<Self, Error> {
        let runs = HostRuns::read(graph.names())?;
        let sites = graph.sites()?;
        Ok(Self {
            host_of: runs.by_node(),
            owner_of: runs.domains().to_vec(),
            voice_of: graph.voices_by_site()?.to_vec(),
            names: runs.names().to_vec(),
            site_of: Some(sites.by_node().collect()),
            is_told: true,
        })
    }

    fn of_names(named: &Named) -> Result<Self, Error> {
        let mut owners = Self {
            host_of: Vec::new(),
            owner_of: Vec::new(),
            voice_of: Vec::new(),
            names: Vec::new(),
            site_of: None,
            is_told: false,
        };
        let mut hosts: HashMap<String, u32> = HashMap::new();
        let mut domains: HashMap<String, u32> = HashMap::new();
        named.for_each_name(&mut |_, name| {
            let found = place(name);
            owners.is_told |= found.is_some();
            let (host, domain) = found.unwrap_or_else(|| (name.to_owned(), name.to_owned()));
            let number = match hosts.get(&host) {
                Some(number) => *number,
                None => {
                    // There are no more hosts than nodes, and nodes are counted with 32 bits.
                    let number = owners.names.len() as u32;
                    let owner = domains.len() as u32;
                    owners.owner_of.push(*domains.entry(domain).or_insert(owner));
                    owners.names.push(host.as_str().into());
                    hosts.insert(host, number);
                    number
                }
            };
            owners.host_of.push(number);
        })?;
        Ok(owners)
    }

    /// Returns whether any name told a host.
    pub fn is_told(&self) -> bool {
        self.is_told
    }

    /// Returns the numbers as the search for spam wants them. Linear in nodes.
    ///
    /// Owners are registered domains, not voices: hosts of an exchange that link to each other
    /// from all their pages look like one site, and would not be found.
    pub fn hosts(&self) -> Result<Hosts<'_>, Error> {
        Hosts::new(&self.host_of, &self.owner_of)
    }

    /// Returns the host of each node.
    pub fn host_of(&self) -> &[u32] {
        &self.host_of
    }

    /// Returns the owner of a node.
    pub fn owner(&self, node: Node) -> u32 {
        self.owner_of[self.host_of[node.index()] as usize]
    }

    /// Returns the voice of a node.
    pub fn voice(&self, node: Node) -> u32 {
        let site = self.site(node);
        self.voice_of.get(site as usize).copied().unwrap_or(site)
    }

    /// Returns the site of a node.
    pub fn site(&self, node: Node) -> u32 {
        match &self.site_of {
            Some(site_of) => site_of[node.index()],
            None => self.owner(node),
        }
    }

    /// Returns the name of a host.
    pub fn name(&self, host: u32) -> &str {
        &self.names[host as usize]
    }

    /// Returns how many hosts there are.
    pub fn num_hosts(&self) -> usize {
        self.names.len()
    }

    /// Returns the hosts of some nodes, in their order, each once. O(n) in the given nodes.
    pub fn hosts_of(&self, nodes: &[Node]) -> Vec<Node> {
        let mut seen = HashSet::new();
        let hosts = nodes.iter().map(|node| self.host_of[node.index()]);
        hosts.filter(|host| seen.insert(*host)).map(Node).collect()
    }

    /// Returns the graph of the hosts, called by their names: one links to another if any of its
    /// nodes does. O(nodes + arcs · log of a node's links); memory: 8 bytes per pair of hosts that
    /// a node links, meanwhile.
    pub fn host_graph(&self, links: &Links) -> Result<Named, Error> {
        let mut arcs: Vec<(Node, Node)> = Vec::new();
        let mut hosts: Vec<u32> = Vec::new();
        for from in links.nodes() {
            let host = self.host_of[from.index()];
            hosts.clear();
            hosts.extend(links.successors(from).map(|to| self.host_of[to.index()]));
            hosts.sort_unstable();
            hosts.dedup();
            let others = hosts.iter().filter(|to| **to != host);
            arcs.extend(others.map(|to| (Node(host), Node(*to))));
        }
        let num_hosts = u32::try_from(self.names.len()).expect("no more hosts than nodes");
        Ok(Named::listed(Links::from_arcs(num_hosts, arcs)?, self.names.clone()))
    }

    /// Adds up scores of nodes by host. O(nodes).
    pub fn sums(&self, scores: &[f64]) -> Vec<f64> {
        let mut sums = vec![0.0; self.names.len()];
        for (host, score) in self.host_of.iter().zip(scores) {
            sums[*host as usize] += score;
        }
        sums
    }
}

/// Returns the host and the registered domain that a name speaks of, if it is an address.
fn place(name: &str) -> Option<(String, String)> {
    let host = match name.contains("://") {
        true => Url::parse(name).ok().map(|url| url.host()),
        false => {
            let host = name.split(['/', '?', '#']).next().unwrap_or_default();
            host.contains('.').then(|| Host::parse(host)).flatten()
        }
    };
    host.map(|host| (host.as_str().to_owned(), host.site().as_str().to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(name: &str, host: &str, site: &str) {
        assert_eq!(place(name), Some((host.to_owned(), site.to_owned())));
    }

    #[test]
    fn a_name_tells_its_host_and_owner() {
        check("http://www.a.example.co.uk:8080/x", "www.a.example.co.uk", "example.co.uk");
        check("Blog.example.com/2004/", "blog.example.com", "example.com");
        check("dailykos.com", "dailykos.com", "dailykos.com");
        for name in ["12", "A", "://", "a b.c d", ""] {
            assert_eq!(place(name), None, "{name}");
        }
    }

    #[test]
    fn hosts_are_numbered_as_they_come() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("arcs");
        std::fs::write(&path, "http://a.x.com/1 http://b.x.com/\nhttp://a.x.com/2 C\n").unwrap();
        let named = Named::open(&path, None, &mut |_, _| ()).unwrap();
        let owners = Owners::of(&named).unwrap();
        assert_eq!(owners.host_of(), [0, 1, 0, 2]);
        assert_eq!(owners.owner_of, [0, 0, 1]);
        assert_eq!([0, 1, 2, 3].map(|node| owners.voice(Node(node))), [0, 0, 0, 1]);
        assert_eq!(owners.name(1), "b.x.com");
        assert_eq!(owners.sums(&[0.5, 1.0, 0.25, 2.0]), [0.75, 1.0, 2.0]);
        assert!(owners.hosts().is_ok());
    }
}
