//! Which hosts are one web site.
//!
//! How closely two hosts belong together is read from the share of the one's linking pages that
//! link to the other. A link in the navigation is on nearly all of them, a link in passing on few.
//!
//! - `www.x` and `x` are one.
//! - In a registered domain of few hosts ([`FEW_HOSTS`], [`FEW_KNOWN`]), two are one if half of the
//!   pages of either link to the other and any page links back, as a blog and its shop do.
//!   Hosts none of whose pages were read go with the domain's main host: nothing speaks against.
//! - In a domain of many hosts, a university or a place where strangers have their pages, that
//!   says little: every guest carries the host's banner, and is listed in its catalogue. Half of
//!   the pages must link to the other on both sides; a host none of whose pages were read belongs
//!   to the one that nearly all links to it come from, if that links to it from half of its pages.
//! - Hosts of different domains are one if nearly all pages ([`NEARLY_ALL`]) of both, and enough
//!   of them, link to the other: they share their navigation.

use std::collections::HashMap;

use super::host_graph::{HostArc, HostGraph};
use super::hosts::HostRuns;
use crate::Error;
use crate::compressed::Compressed;

/// A domain with so many hosts that were read, or fewer, is taken for one owner's.
const FEW_HOSTS: u32 = 8;
/// And so many that are known: a crawl may have met few of a place's guests, and heard of many.
const FEW_KNOWN: u32 = 32;
/// Share of a host's pages that tells a close host from one in passing, in percent.
const HALF: u32 = 50;
/// Share of a host's pages that link where its navigation points, in percent.
const NEARLY_ALL: u32 = 80;
/// Hosts of different domains with fewer linking pages are not compared.
const MIN_PAGES: u32 = 5;
/// Fewer links make no host part of another in a domain of many.
const MIN_LINKS: u32 = 3;

/// Reads the part of the graph of hosts that [`join`] looks at: arcs within small domains, and
/// those from half of a host's pages. There are few of the latter, however many hosts a page here
/// and there links to.
pub(super) fn read(
    runs: HostRuns,
    forward: &Compressed,
    tick: impl FnMut() -> Result<(), Error>,
) -> Result<HostGraph, Error> {
    let (domains, of) = (Domains::of(&runs), runs.domains().to_vec());
    let is_kept = |arc: &HostArc, num_linking: u32| {
        let domain = of[arc.from.index()];
        is_share(arc.num_pages, num_linking, HALF)
            || domain == of[arc.to.index()] && domains.is_small(domain)
    };
    HostGraph::read(runs, forward, is_kept, tick)
}

/// Returns for each host the one that stands for its site; the graph is from [`read`] or whole.
///
/// O((hosts + arcs) log arcs).
pub(super) fn join(graph: &HostGraph) -> Groups {
    let hosts = graph.hosts();
    let mut groups = Groups::apart(graph.num_hosts());
    join_www(hosts, &mut groups);
    let domains = Domains::of(hosts);
    let in_weights = graph.in_weights();
    for arc in graph.arcs() {
        let domain = hosts.domain(arc.from.0);
        let is_one = match (domain == hosts.domain(arc.to.0), domains.is_small(domain)) {
            (true, true) => shows(graph, arc, HALF) && graph.weight(arc.to, arc.from) > 0,
            (true, false) => {
                is_mutual(graph, arc, HALF) || is_part(graph, arc, in_weights[arc.to.index()])
            }
            (false, _) => {
                graph.num_linking(arc.from).min(graph.num_linking(arc.to)) >= MIN_PAGES
                    && is_mutual(graph, arc, NEARLY_ALL)
            }
        };
        if is_one {
            groups.join(arc.from.0, arc.to.0);
        }
    }
    for host in 0..graph.num_hosts() {
        let domain = hosts.domain(host);
        if hosts.num_pages(host) == 0 && domains.is_small(domain) {
            groups.join(host, domains.main[domain as usize]);
        }
    }
    groups
}

/// Joins `www.x` to `x` where both are there.
fn join_www(hosts: &HostRuns, groups: &mut Groups) {
    let numbers: HashMap<&str, u32> =
        hosts.names().iter().map(|name| &**name).zip(0u32..).collect();
    for (name, host) in hosts.names().iter().zip(0..) {
        if let Some(plain) = name.strip_prefix("www.").and_then(|plain| numbers.get(plain)) {
            groups.join(host, *plain);
        }
    }
}

/// Returns whether so many percent of the linking pages of `arc.from` link to `arc.to`.
fn shows(graph: &HostGraph, arc: &HostArc, percent: u32) -> bool {
    is_share(arc.num_pages, graph.num_linking(arc.from), percent)
}

/// Returns whether so many percent of the linking pages of both link to the other.
fn is_mutual(graph: &HostGraph, arc: &HostArc, percent: u32) -> bool {
    let back = graph.weight(arc.to, arc.from);
    shows(graph, arc, percent) && back > 0 && is_share(back, graph.num_linking(arc.to), percent)
}

/// Returns whether `arc.to` was never read and is a part of `arc.from`.
fn is_part(graph: &HostGraph, arc: &HostArc, in_weight: u64) -> bool {
    graph.hosts().num_pages(arc.to.0) == 0
        && arc.num_pages >= MIN_LINKS
        && shows(graph, arc, HALF)
        && u64::from(arc.num_pages) * 10 >= in_weight * 9
}

fn is_share(part: u32, whole: u32, percent: u32) -> bool {
    u64::from(part) * 100 >= u64::from(whole) * u64::from(percent)
}

/// What is known of registered domains.
struct Domains {
    /// Hosts of each that were read, and all.
    num_read: Vec<u32>,
    num_known: Vec<u32>,
    /// The host of each that stands for it.
    main: Vec<u32>,
}

impl Domains {
    fn of(hosts: &HostRuns) -> Self {
        let num_domains = hosts.domain_names().len();
        let none = || vec![0; num_domains];
        let mut domains = Self { num_read: none(), num_known: none(), main: none() };
        let mut best: Vec<Option<u32>> = vec![None; num_domains];
        for host in 0..hosts.len() as u32 {
            let domain = hosts.domain(host) as usize;
            domains.num_read[domain] += u32::from(hosts.num_pages(host) > 0);
            domains.num_known[domain] += 1;
            let best = &mut best[domain];
            if best.is_none_or(|best| is_before(hosts, host, best)) {
                *best = Some(host);
                domains.main[domain] = host;
            }
        }
        domains
    }

    fn is_small(&self, domain: u32) -> bool {
        let domain = domain as usize;
        self.num_read[domain] <= FEW_HOSTS && self.num_known[domain] <= FEW_KNOWN
    }
}

/// Returns whether `host` stands for a group rather than `other` does: by pages read, then by
/// the shorter name, then by number.
pub(super) fn is_before(hosts: &HostRuns, host: u32, other: u32) -> bool {
    let key = |host: u32| (u32::MAX - hosts.num_pages(host), hosts.name(host).len(), host);
    key(host) < key(other)
}

/// Disjoint groups of hosts, or of whatever else is numbered.
#[derive(Debug)]
pub(super) struct Groups {
    parents: Vec<u32>,
}

impl Groups {
    /// Returns so many groups of one.
    pub(super) fn apart(count: u32) -> Self {
        Self { parents: (0..count).collect() }
    }

    /// Returns the host that stands for a host's group: the first of them.
    pub(super) fn root(&mut self, mut host: u32) -> u32 {
        while self.parents[host as usize] != host {
            // Halving the way keeps every later one short.
            let above = self.parents[self.parents[host as usize] as usize];
            self.parents[host as usize] = above;
            host = above;
        }
        host
    }

    pub(super) fn join(&mut self, one: u32, other: u32) {
        let (one, other) = (self.root(one), self.root(other));
        self.parents[one.max(other) as usize] = one.min(other);
    }
}
