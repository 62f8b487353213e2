//! Which host each node is on.
//!
//! Nodes are in the order of their SURT keys (`org,example,www:https)/a`), so the nodes of a host,
//! whatever their scheme and port, are one run of numbers. The hosts of a registered domain are
//! not always one: `org,example-shop` comes between `org,example,www` and `org,example`.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use super::runs::Runs;
use crate::nodes::Nodes;
use crate::{Error, Node};

/// The hosts of a generation, in the order of their nodes. Costs their names and 12 bytes each.
#[derive(Clone, Debug)]
pub(crate) struct HostRuns {
    /// First node of each host, then the number of nodes.
    starts: Vec<u32>,
    names: Vec<Arc<str>>,
    /// Number of each host's registered domain, and their names.
    domains: Vec<u32>,
    domain_names: Vec<Arc<str>>,
    /// Fetched pages of each host.
    num_pages: Vec<u32>,
}

impl HostRuns {
    /// Reads the hosts from the list of nodes. Linear in it.
    pub(crate) fn read(nodes: &Nodes) -> Result<Self, Error> {
        Self::read_with(nodes, || ())
    }

    /// As [`Self::read`]; `tick` is called once per node.
    pub(crate) fn read_with(nodes: &Nodes, mut tick: impl FnMut()) -> Result<Self, Error> {
        let mut runs = Self {
            starts: Vec::new(),
            names: Vec::new(),
            domains: Vec::new(),
            domain_names: Vec::new(),
            num_pages: Vec::new(),
        };
        let mut numbers: HashMap<Arc<str>, u32> = HashMap::new();
        let mut prefix = Vec::new();
        nodes.for_each(0..nodes.num_nodes(), |node, entry| {
            tick();
            if prefix.is_empty() || !is_on(&entry.key, &prefix) {
                let host = nodes.url(&entry.key)?.host();
                prefix = host.surt().into_bytes();
                let domain: Arc<str> = host.site().as_str().into();
                let next = runs.domain_names.len() as u32;
                let number = *numbers.entry(domain.clone()).or_insert(next);
                if number == next {
                    runs.domain_names.push(domain);
                }
                runs.starts.push(node.0);
                runs.names.push(host.as_str().into());
                runs.domains.push(number);
                runs.num_pages.push(0);
            }
            if let (Some(count), true) = (runs.num_pages.last_mut(), entry.page.is_some()) {
                *count += 1;
            }
            Ok(())
        })?;
        runs.starts.push(nodes.num_nodes());
        Ok(runs)
    }

    pub(crate) fn len(&self) -> usize {
        self.names.len()
    }

    pub(crate) fn name(&self, host: u32) -> &Arc<str> {
        &self.names[host as usize]
    }

    pub(crate) fn names(&self) -> &[Arc<str>] {
        &self.names
    }

    pub(crate) fn domain(&self, host: u32) -> u32 {
        self.domains[host as usize]
    }

    pub(crate) fn domains(&self) -> &[u32] {
        &self.domains
    }

    pub(crate) fn domain_names(&self) -> &[Arc<str>] {
        &self.domain_names
    }

    pub(crate) fn num_pages(&self, host: u32) -> u32 {
        self.num_pages[host as usize]
    }

    /// Returns the nodes of a host.
    pub(crate) fn nodes(&self, host: u32) -> Range<u32> {
        self.starts[host as usize]..self.starts[host as usize + 1]
    }

    /// Returns the host of a node, or `None` if there is no such node. O(log hosts).
    pub(crate) fn host_of(&self, node: Node) -> Option<u32> {
        let place = self.starts.partition_point(|start| *start <= node.0);
        (place > 0 && place < self.starts.len()).then(|| place as u32 - 1)
    }

    /// Returns the host of every node, 8 bytes per host.
    pub(crate) fn runs(&self) -> Runs {
        let mut hosts = Runs::default();
        for host in 0..self.len() as u32 {
            hosts.push(host, self.nodes(host).len() as u32);
        }
        hosts
    }

    /// Returns the host of every node: 4 bytes each.
    pub(crate) fn by_node(&self) -> Vec<u32> {
        self.runs().iter().collect()
    }
}

/// Returns whether a key is of the host with this SURT prefix.
fn is_on(key: &[u8], prefix: &[u8]) -> bool {
    // The scheme comes next; after an IPv6 address that only begins alike, a digit does.
    key.strip_prefix(prefix).is_some_and(|rest| rest.starts_with(b":h"))
}
