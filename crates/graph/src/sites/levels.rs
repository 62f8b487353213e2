//! The graphs of hosts and of web sites, compressed like that of the pages.
//!
//! ```text
//! host-links.*    which host links to which other, hosts in the order of their nodes
//! host-links-t.*  the same turned around
//! site-links.*    which web site links to which other, sites by their numbers
//! site-links-t.*  the same turned around
//! ```
//! One links to another if any of its pages vouches for any page there. They are made in one pass
//! over the arcs of the pages and sorted outside of memory. Generations of earlier releases have
//! none of them; there, the same is found in memory when somebody asks.

use std::path::Path;

use super::runs::Runs;
use super::{HostRuns, Sites};
use crate::build::{Arc, Coarse, Sorter};
use crate::compressed::{Compressed, compress};
use crate::graph::fingerprint;
use crate::in_links::Builder;
use crate::{Error, Graph, InLinks, Node};

/// What a node of a coarser graph is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// A host.
    Hosts,
    /// A web site, see [`Sites`].
    Sites,
}

impl Level {
    const fn forward(self) -> &'static str {
        match self {
            Self::Hosts => "host-links",
            Self::Sites => "site-links",
        }
    }

    const fn transpose(self) -> &'static str {
        match self {
            Self::Hosts => "host-links-t",
            Self::Sites => "site-links-t",
        }
    }
}

/// What is written of both levels.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Written {
    pub(crate) hosts: Coarse,
    pub(crate) sites: Coarse,
}

/// Writes the graphs of hosts and sites into the folder of a generation.
///
/// Holds `memory` bytes for sorting and spills to `scratch`. `tick` is called once per node, and
/// twice per host and site.
pub(crate) fn write(
    (folder, scratch): (&Path, &Path),
    forward: &Compressed,
    (runs, sites): (&HostRuns, &Sites),
    memory: usize,
    mut tick: impl FnMut() -> Result<(), Error>,
) -> Result<Written, Error> {
    let host_of = runs.runs();
    let mut hosts = Sorting::new(scratch, Level::Hosts, &host_of, memory / 2);
    let mut by_site = Sorting::new(scratch, Level::Sites, &sites.of, memory / 2);
    forward.for_each(|node, successors| {
        tick()?;
        hosts.push(node, successors)?;
        by_site.push(node, successors)
    })?;
    let hosts = hosts.finish(folder, runs.len() as u32, &mut tick)?;
    let sites = by_site.finish(folder, sites.num_sites(), &mut tick)?;
    Ok(Written { hosts, sites })
}

/// The arcs of one level, being sorted.
struct Sorting<'a> {
    level: Level,
    others: Others<'a>,
    forward: Sorter<Arc>,
    transpose: Sorter<Arc>,
}

impl<'a> Sorting<'a> {
    fn new(scratch: &Path, level: Level, group_of: &'a Runs, memory: usize) -> Self {
        let sorter = |name| Sorter::new(scratch, name, memory / 2);
        let (forward, transpose) = (sorter(level.forward()), sorter(level.transpose()));
        Self { level, others: Others { group_of, found: Vec::new() }, forward, transpose }
    }

    fn push(&mut self, node: Node, successors: &[u32]) -> Result<(), Error> {
        let Self { others, forward, transpose, .. } = self;
        others.for_each(node, successors, |from, to| {
            forward.push(Arc { from, to })?;
            transpose.push(Arc { from: to, to: from })
        })
    }

    fn finish(
        self,
        folder: &Path,
        num_groups: u32,
        mut tick: impl FnMut() -> Result<(), Error>,
    ) -> Result<Coarse, Error> {
        let mut write = |name, arcs: Sorter<Arc>| {
            compress(&folder.join(name), num_groups, arcs.finish()?, &mut tick)
        };
        let forward = write(self.level.forward(), self.forward)?;
        let transpose = write(self.level.transpose(), self.transpose)?;
        Ok(Coarse {
            num_arcs: forward.num_arcs,
            forward_bits: forward.bits,
            transpose_bits: transpose.bits,
        })
    }
}

/// Finds the other groups that pages link to.
struct Others<'a> {
    group_of: &'a Runs,
    found: Vec<u32>,
}

impl Others<'_> {
    /// Calls `visit` with the group of a node and each other group that it links to, ascending.
    fn for_each(
        &mut self,
        node: Node,
        successors: &[u32],
        mut visit: impl FnMut(u32, u32) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let Some(from) = self.group_of.get(node.index()) else { return Ok(()) };
        self.found.clear();
        let groups = successors.iter().filter_map(|to| self.group_of.get(*to as usize));
        self.found.extend(groups.filter(|to| *to != from));
        self.found.sort_unstable();
        self.found.dedup();
        self.found.iter().try_for_each(|to| visit(from, *to))
    }
}

/// Returns how many hosts or sites a generation has, and what is stored of their links.
fn stored(graph: &Graph, level: Level) -> (u32, Option<Coarse>) {
    let summary = graph.summary();
    match level {
        Level::Hosts => (summary.num_hosts, summary.host_links),
        Level::Sites => (summary.num_sites, summary.site_links),
    }
}

/// Returns how many nodes of one graph or the other [`read`] goes through.
pub(crate) fn num_read(graph: &Graph, level: Level) -> u64 {
    let (num_groups, stored) = stored(graph, level);
    stored.map_or(graph.summary().num_nodes, |_| num_groups).into()
}

/// Returns who links to whom among the hosts or sites of a generation, and the bits it takes on
/// disk where it is stored. `tick` is called [`num_read`] times.
///
/// Linear in the arcs between them where these are stored; otherwise in those between pages, with
/// 8 bytes per page and other group that it links to.
pub(crate) fn read(
    graph: &Graph,
    level: Level,
    group_of: &Runs,
    mut tick: impl FnMut(),
) -> Result<(InLinks, Option<u64>), Error> {
    let (num_groups, stored) = stored(graph, level);
    let Some(stored) = stored else {
        return Ok((in_memory(graph, group_of, num_groups, tick)?, None));
    };
    let path = graph.folder().join(level.transpose());
    let transpose = Compressed::open(&path, num_groups)?;
    let mut builder = Builder::new(num_groups, usize::try_from(stored.num_arcs).unwrap_or(0));
    transpose.for_each(|_, sources| {
        sources.iter().for_each(|source| builder.push(*source));
        builder.end_node();
        tick();
        Ok(())
    })?;
    Ok((builder.finish(), Some(stored.forward_bits)))
}

fn in_memory(
    graph: &Graph,
    group_of: &Runs,
    num_groups: u32,
    mut tick: impl FnMut(),
) -> Result<InLinks, Error> {
    let (mut arcs, mut others) = (Vec::new(), Others { group_of, found: Vec::new() });
    graph.forward().for_each(|node, successors| {
        tick();
        others.for_each(node, successors, |from, to| {
            arcs.push((Node(from), Node(to)));
            Ok(())
        })
    })?;
    InLinks::from_arcs(num_groups, arcs)
}

/// Verifies that both directions of each level hold the same arcs, as many as the summary says.
pub(crate) fn check(graph: &Graph) -> Result<(), Error> {
    let summary = graph.summary();
    for (level, num_groups, stored) in [
        (Level::Hosts, summary.num_hosts, summary.host_links),
        (Level::Sites, summary.num_sites, summary.site_links),
    ] {
        let Some(stored) = stored else { continue };
        let open = |name| Compressed::open(&graph.folder().join(name), num_groups);
        let forward = fingerprint(&open(level.forward())?, |from, to| (from, to))?;
        let transpose = fingerprint(&open(level.transpose())?, |from, to| (to, from))?;
        if forward != transpose || forward.0 != stored.num_arcs {
            let reason = "its arcs are not those of the graph turned around";
            return Err(Error::damaged(&graph.folder().join(level.transpose()), reason));
        }
    }
    Ok(())
}
