//! What a web site is: pages grouped by who seems to keep them, beyond host names.
//!
//! Counting hosts, or registered domains, as voices is wrong in both directions: one host may
//! carry hundreds of people's pages, and one shop may spread over a dozen hosts. Sites are found
//! from what addresses and links show, in three steps, each in its own module:
//!
//! 1. [`hosts`], [`host_graph`]: hosts are runs of nodes; how many pages of each link to which.
//! 2. [`folders`]: folders of a host that are sites of their own are split off.
//! 3. [`join`]: hosts that are one site are joined, first within a registered domain.
//!
//! The idea that links cross the borders of a site seldom and by its front page goes back to work
//! on site boundaries and "logical" hosts: Bharat, Chang, Henzinger and Ruhl, "Who Links to Whom"
//! (2001), and Li, Kolak, Vu and Takano, "Defining Logical Domains in a Web Site" (2000). General
//! community detection was considered and left: it is neither stable from one generation to the
//! next nor can it say why two pages are together.
//!
//! Two passes over the forward arcs, near-linear; no chance and no threads, so the same graph gives
//! the same sites. Memory: the names of the hosts, which of them are close, some 8 bytes per site
//! and a bit per two nodes, and the folders of the largest host. Wrong guesses must be cheap: where little is known, pages stay together.
//!
//! ```text
//! sites       array by node: the number of its site
//! site-names  one line per site, in the order of their numbers: `example.org`,
//!             `cs.example.edu/~ann/`
//! voices      registered domains that are one voice, drawn in `voices.rs`
//! ```
//! Which hosts and sites link to which is drawn in `levels.rs`.
//! Sites are numbered in the order of their first nodes.

mod by_page;
mod folders;
mod host_graph;
mod hosts;
mod join;
pub(crate) mod levels;
mod owners;
mod runs;
mod voices;

use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;

pub use by_page::PageSites;
pub use host_graph::{HostArc, HostGraph};
pub(crate) use hosts::HostRuns;
pub use levels::Level;
pub use owners::Owners;
pub(crate) use runs::Runs;
pub use voices::Voices;

use base::Host;

use crate::array::{self, Kind, Stored};
use crate::compressed::Compressed;
use crate::nodes::{Cursor, Nodes};
use crate::{Error, Node};
use folders::Folders;
use join::{Groups, is_before};

pub(crate) const SITES: &str = "sites";
pub(crate) const SITE_NAMES: &str = "site-names";
const SITES_KIND: Kind = Kind(*b"SITE");

/// The web sites of a generation, as numbers by node, and their names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sites {
    of: Runs,
    names: Vec<Arc<str>>,
    voices: Voices,
}

impl Sites {
    /// Finds the sites of the nodes, which are on the hosts `runs`.
    ///
    /// Near-linear in nodes and arcs; the module's text says how. `tick` is called twice per node.
    pub(crate) fn find(
        nodes: &Nodes,
        forward: &Compressed,
        runs: &HostRuns,
        mut tick: impl FnMut() -> Result<(), Error>,
    ) -> Result<Self, Error> {
        let groups = join::join(&join::read(runs.clone(), forward, &mut tick)?);
        let mut parts = Parts { of: Runs::default(), list: Vec::new() };
        let mut present: Option<(u32, Folders)> = None;
        let mut names = Cursor::new(nodes);
        forward.for_each(|node, successors| {
            tick()?;
            let next = present.as_ref().map_or(0, |(host, _)| *host + 1);
            if present.is_none() || next < runs.len() as u32 && runs.nodes(next).contains(&node.0) {
                let host = next;
                if let Some((host, folders)) = present.take() {
                    parts.split(host, &folders, runs);
                }
                present = Some((host, Folders::read(&mut names, runs.nodes(host))?));
            }
            if let Some((_, folders)) = &mut present {
                folders.count(node, successors);
            }
            Ok(())
        })?;
        if let Some((host, folders)) = present {
            parts.split(host, &folders, runs);
        }
        Ok(parts.finish(runs, groups))
    }

    /// Returns how many sites there are.
    pub fn num_sites(&self) -> u32 {
        self.names.len() as u32
    }

    /// Returns the number of the site of each node, in their order.
    pub fn by_node(&self) -> impl Iterator<Item = u32> + '_ {
        self.of.iter()
    }

    /// Returns the number of the site of each node.
    pub(crate) fn runs(&self) -> &Runs {
        &self.of
    }

    /// Returns the number of a node's site, or `None` if there is no such node. O(1).
    pub fn site(&self, node: Node) -> Option<u32> {
        self.of.get(node.index())
    }

    /// Returns the names of the sites, in the order of their numbers.
    ///
    /// A whole registered domain is called by it, part of it by its main host, and a folder by
    /// host and path.
    pub fn names(&self) -> &[Arc<str>] {
        &self.names
    }

    /// Returns the number of the voice of each site: one, since no site has several. Linear in
    /// the names.
    pub(crate) fn voices_by_site(&self) -> Vec<u32> {
        let mut numbers: HashMap<String, u32> = HashMap::new();
        let mut voices = Vec::with_capacity(self.names.len());
        for name in &self.names {
            let host = name.split('/').next().unwrap_or_default();
            let domain = Host::parse(host).map(|host| host.site().as_str().to_owned());
            let domain = domain.unwrap_or_else(|| host.to_owned());
            let next = numbers.len() as u32;
            voices.push(*numbers.entry(self.voices.of(&domain).to_owned()).or_insert(next));
        }
        voices
    }

    /// Returns which registered domains speak with one voice.
    pub fn voices(&self) -> &Voices {
        &self.voices
    }

    pub(crate) fn write(&self, folder: &Path) -> Result<(), Error> {
        self.voices.write(folder)?;
        array::write(&folder.join(SITES), SITES_KIND, 0, self.of.iter())?;
        let path = folder.join(SITE_NAMES);
        // Canonical addresses hold no line feed.
        let text: String = self.names.iter().flat_map(|name| [name, "\n"]).collect();
        fs::write(&path, text).map_err(Error::file("write", &path))
    }

    /// Reads what [`Self::write`] wrote; the caller has verified the files' checksums.
    pub(crate) fn open(folder: &Path, num_nodes: u32) -> Result<Self, Error> {
        let path = folder.join(SITES);
        let mut of = Runs::default();
        Stored::open(&path, SITES_KIND)?.for_each(|site| of.push(site, 1))?;
        let names_path = folder.join(SITE_NAMES);
        let text = fs::read_to_string(&names_path).map_err(Error::file("read", &names_path))?;
        let names: Vec<Arc<str>> = text.lines().map(Into::into).collect();
        if of.len() != num_nodes {
            return Err(Error::damaged(&path, "its number of nodes is not the generation's"));
        }
        if of.iter().any(|site| site as usize >= names.len()) {
            return Err(Error::damaged(&path, "a site has no name"));
        }
        Ok(Self { of, names, voices: Voices::open(folder)? })
    }
}

/// The hosts, and the folders that were split off.
struct Parts {
    /// Part of each node: its host, or, from the number of hosts on, a place in `list`.
    of: Runs,
    /// Host and path of the folders.
    list: Vec<(u32, String)>,
}

impl Parts {
    /// Adds the nodes of the next host.
    fn split(&mut self, host: u32, folders: &Folders, runs: &HostRuns) {
        let mut numbers: HashMap<u32, u32> = HashMap::new();
        let Self { of, list } = self;
        let nodes = runs.nodes(host);
        folders.for_each_split(|node, folder, path| {
            let part = numbers.entry(folder).or_insert_with(|| {
                list.push((host, path.to_owned()));
                (runs.len() + list.len() - 1) as u32
            });
            of.push(host, node.0 - of.len());
            of.push(*part, 1);
        });
        of.push(host, nodes.end - of.len());
    }

    /// Numbers and names the sites.
    fn finish(self, runs: &HostRuns, mut groups: Groups) -> Sites {
        let num_hosts = runs.len();
        let voices = Voices::find(runs, &mut groups);
        let titles = titles(runs, &mut groups);
        let mut numbers: HashMap<(u32, &str), u32> = HashMap::new();
        let mut names: Vec<Arc<str>> = Vec::new();
        let mut number_of_part: Vec<Option<u32>> = vec![None; num_hosts + self.list.len()];
        let of = self.of.map(|part| {
            let number = number_of_part[part as usize].unwrap_or_else(|| {
                // The same folder of hosts that are one site is one site, too.
                let (host, path) = match (part as usize).checked_sub(num_hosts) {
                    Some(place) => (self.list[place].0, self.list[place].1.as_str()),
                    None => (part, ""),
                };
                let root = groups.root(host);
                *numbers.entry((root, path)).or_insert_with(|| {
                    let host = match path {
                        "" => &titles[root as usize],
                        _ => plain(runs.name(host)),
                    };
                    names.push(format!("{host}{path}").into());
                    (names.len() - 1) as u32
                })
            });
            number_of_part[part as usize] = Some(number);
            number
        });
        Sites { of, names, voices }
    }
}

/// Returns what each group of hosts is called, at the place of the host that stands for it.
fn titles(runs: &HostRuns, groups: &mut Groups) -> Vec<Arc<str>> {
    let mut main: Vec<u32> = (0..runs.len() as u32).collect();
    // Hosts of each domain, and of each group; whether a group holds but one domain.
    let mut domain_sizes = vec![0u32; runs.domain_names().len()];
    let mut sizes = vec![0u32; runs.len()];
    let mut is_one_domain = vec![true; runs.len()];
    for host in 0..runs.len() as u32 {
        let root = groups.root(host);
        let domain = runs.domain(host);
        domain_sizes[domain as usize] += 1;
        sizes[root as usize] += 1;
        is_one_domain[root as usize] &= runs.domain(root) == domain;
        let main = &mut main[root as usize];
        if is_before(runs, host, *main) {
            *main = host;
        }
    }
    let title = |root: usize| -> Arc<str> {
        let domain = runs.domain(root as u32) as usize;
        match is_one_domain[root] && sizes[root] == domain_sizes[domain] {
            true => runs.domain_names()[domain].clone(),
            false => plain(runs.name(main[root])).into(),
        }
    };
    (0..runs.len()).map(title).collect()
}

/// Returns a host's name without `www.`: the two are one site.
fn plain(host: &str) -> &str {
    host.strip_prefix("www.").filter(|rest| rest.contains('.')).unwrap_or(host)
}
