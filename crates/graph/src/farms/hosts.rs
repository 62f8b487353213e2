//! Which host a page is on and whose it is, and links between hosts of different owners.

use crate::{Error, Links, Node};

/// Hosts and owners of the nodes, as numbers that the caller has given out.
///
/// An owner is whoever answers for several hosts, most often a registered domain.
#[derive(Clone, Copy, Debug)]
pub struct Hosts<'a> {
    host_of: &'a [u32],
    owner_of: &'a [u32],
}

impl<'a> Hosts<'a> {
    /// Takes the host of each node and the owner of each host.
    ///
    /// Fails if a node has a host that `owner_of` does not list. Linear in nodes.
    pub fn new(host_of: &'a [u32], owner_of: &'a [u32]) -> Result<Self, Error> {
        match host_of.iter().find(|host| **host as usize >= owner_of.len()) {
            None => Ok(Self { host_of, owner_of }),
            Some(host) => {
                let wanted = "a host with an owner";
                Err(Error::BadOption { name: "host", value: f64::from(*host), wanted })
            }
        }
    }

    /// Returns the host of a node.
    pub fn host(&self, node: Node) -> u32 {
        self.host_of[node.index()]
    }

    /// Returns the owner of a node's host.
    pub fn owner(&self, node: Node) -> u32 {
        self.owner_of[self.host(node) as usize]
    }

    /// Returns the owner of a host.
    pub fn owner_of_host(&self, host: u32) -> u32 {
        self.owner_of[host as usize]
    }

    /// Returns how many hosts there are.
    pub fn num_hosts(&self) -> usize {
        self.owner_of.len()
    }

    /// Returns for how many nodes the host is known.
    pub fn num_nodes(&self) -> usize {
        self.host_of.len()
    }

    /// Returns the hosts of some nodes, ascending, each once.
    pub(super) fn hosts(&self, nodes: impl IntoIterator<Item = Node>) -> Vec<u32> {
        sorted(nodes.into_iter().map(|node| self.host(node)).collect())
    }

    /// Returns the owners of some hosts, ascending, each once.
    pub(super) fn owners(&self, hosts: &[u32]) -> Vec<u32> {
        sorted(hosts.iter().map(|host| self.owner_of_host(*host)).collect())
    }

    pub(super) fn check(&self, links: &Links) -> Result<(), Error> {
        let (found, wanted) = (self.host_of.len(), links.num_nodes() as usize);
        match found == wanted {
            true => Ok(()),
            false => Err(Error::WrongLength { what: "the list of hosts", found, wanted }),
        }
    }
}

/// Sorts and leaves each value once.
pub(super) fn sorted<T: Ord>(mut values: Vec<T>) -> Vec<T> {
    values.sort_unstable();
    values.dedup();
    values
}

/// Which host links to which, where the owners differ. Costs 8 bytes per pair, twice; while it
/// is built, per link between owners.
pub(super) struct HostLinks {
    /// `from << 32 | to`, ascending.
    out: Vec<u64>,
    /// `to << 32 | from`, ascending.
    back: Vec<u64>,
}

impl HostLinks {
    pub(super) fn new(links: &Links, hosts: &Hosts<'_>) -> Self {
        let mut out = Vec::new();
        for from in links.nodes() {
            let host = hosts.host(from);
            let owner = hosts.owner_of_host(host);
            for to in links.successors(from) {
                if hosts.owner(to) != owner {
                    out.push(pair(host, hosts.host(to)));
                }
            }
        }
        let out = sorted(out);
        let back = sorted(out.iter().map(|key| key.rotate_left(32)).collect());
        Self { out, back }
    }

    /// Returns the hosts that `host` links to, ascending.
    pub(super) fn successors(&self, host: u32) -> impl ExactSizeIterator<Item = u32> + '_ {
        row(&self.out, host).iter().map(|key| *key as u32)
    }

    /// Returns the hosts that link to `host`, ascending.
    pub(super) fn predecessors(&self, host: u32) -> impl ExactSizeIterator<Item = u32> + '_ {
        row(&self.back, host).iter().map(|key| *key as u32)
    }

    /// Returns whether one host links to the other.
    pub(super) fn has(&self, from: u32, to: u32) -> bool {
        self.out.binary_search(&pair(from, to)).is_ok()
    }
}

fn pair(first: u32, second: u32) -> u64 {
    u64::from(first) << 32 | u64::from(second)
}

fn row(keys: &[u64], first: u32) -> &[u64] {
    let start = keys.partition_point(|key| *key < pair(first, 0));
    let end = keys.partition_point(|key| *key <= pair(first, u32::MAX));
    &keys[start..end]
}
