//! Which host a node is on and whose it is, by its name (G4, G5, G7).
//!
//! A name that is an address says so itself. In graph files nodes may be called by host names
//! alone, with or without a path; a name without any dot in its host is a host and an owner of
//! its own, so that a web drawn by hand is a web of strangers.

use std::collections::HashMap;
use std::io::Write;

use ::graph::{Hosts, Named};
use anyhow::Result;
use base::{Host, Url};

/// Hosts and owners of all nodes, as numbers in the order in which they come.
pub(super) struct Owners {
    host_of: Vec<u32>,
    owner_of: Vec<u32>,
    names: Vec<String>,
    /// Whether any name was an address.
    is_told: bool,
}

impl Owners {
    /// Finds the host and the owner of every node. Linear in the bytes of the names.
    pub(super) fn read(named: &Named) -> Result<Self> {
        let (host_of, owner_of, names) = (Vec::new(), Vec::new(), Vec::new());
        let mut owners = Self { host_of, owner_of, names, is_told: false };
        let mut hosts: HashMap<String, u32> = HashMap::new();
        let mut sites: HashMap<String, u32> = HashMap::new();
        named.for_each_name(&mut |_, name| {
            let found = place(name);
            owners.is_told |= found.is_some();
            let (host, site) = found.unwrap_or_else(|| (name.to_owned(), name.to_owned()));
            let number = match hosts.get(&host) {
                Some(number) => *number,
                None => {
                    // There are no more hosts than nodes, and nodes are counted with 32 bits.
                    let number = owners.names.len() as u32;
                    let owner = sites.len() as u32;
                    owners.owner_of.push(*sites.entry(site).or_insert(owner));
                    owners.names.push(host.clone());
                    hosts.insert(host, number);
                    number
                }
            };
            owners.host_of.push(number);
        })?;
        Ok(owners)
    }

    /// Says on stderr if no name tells a host: what the answer rests on may not be so.
    pub(super) fn note_strangers(&self) {
        if !self.is_told && !self.names.is_empty() {
            drop(writeln!(
                std::io::stderr(),
                "note: no name is an address, so each node is taken for a host and an owner of its own"
            ));
        }
    }

    /// Returns the numbers as link analysis wants them.
    pub(super) fn hosts(&self) -> Result<Hosts<'_>> {
        Ok(Hosts::new(&self.host_of, &self.owner_of)?)
    }

    /// Returns the host of each node.
    pub(super) fn host_of(&self) -> &[u32] {
        &self.host_of
    }

    /// Returns the owner of a node.
    pub(super) fn owner(&self, node: ::graph::Node) -> u32 {
        self.owner_of[self.host_of[node.index()] as usize]
    }

    /// Returns the name of a host.
    pub(super) fn name(&self, host: u32) -> &str {
        &self.names[host as usize]
    }

    /// Adds up scores of nodes by host.
    pub(super) fn sums(&self, scores: &[f64]) -> Vec<f64> {
        let mut sums = vec![0.0; self.names.len()];
        for (host, score) in self.host_of.iter().zip(scores) {
            sums[*host as usize] += score;
        }
        sums
    }
}

/// Returns the host and the owner that a name speaks of, if it is an address.
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
        let owners = Owners::read(&named).unwrap();
        assert_eq!(owners.host_of(), [0, 1, 0, 2]);
        assert_eq!(owners.owner_of, [0, 0, 1]);
        assert_eq!(owners.name(1), "b.x.com");
        assert_eq!(owners.sums(&[0.5, 1.0, 0.25, 2.0]), [0.75, 1.0, 2.0]);
        assert!(owners.hosts().is_ok());
    }
}
