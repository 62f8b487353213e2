//! Shared targets: hosts of few owners whose pages all point to the same pages elsewhere.
//!
//! These are dense two-sided subgraphs: many sources, each linking to all of a set of targets.
//! Pages with a set in common are brought together by three fingerprints each, the three of its
//! targets that come first in one of three random orders: pages with the same three have at
//! least those in common, and pages that differ in few links have one such triple in common most
//! of the time. Grouping is one sort of three entries per page.
//!
//! One owner's many hosts may well share a footer. What counts is that the targets have hardly
//! any other link from anywhere: neither they nor their hosts.

use std::collections::HashMap;

use super::hosts::{HostLinks, Hosts, sorted};
use super::{Evidence, Finding, Gain, SpamOptions, count, percent};
use crate::{Links, Node};

/// Fewest targets in common.
const MIN_TARGETS: usize = 3;
/// Fewest hosts of the sources.
const MIN_HOSTS: usize = 5;
/// A target is linked from at least this share of the pages, a page links to this share of the
/// targets, and the pages give this share of all links to them.
const COMMON: f64 = 0.8;
/// How often a target's links are looked through. Groups that a web makes up to share one target
/// in ever new ways would otherwise have its links read once for each of them.
const MAX_LOOKS: u8 = 8;
/// Random orders of the nodes: odd numbers to multiply by.
const ORDERS: [u64; 3] = [0x9E37_79B9_7F4A_7C15, 0xC2B2_AE3D_27D4_EB4F, 0xD6E8_FEB8_6659_FD93];

/// The figures of a set of shared targets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SharedTargets {
    /// How many pages point to them.
    pub num_pages: usize,
    /// On how many hosts these are.
    pub num_hosts: usize,
    /// Of how many owners.
    pub num_owners: usize,
    /// How many targets they share.
    pub num_targets: usize,
    /// Share of all links to the targets from other owners that these pages give.
    pub given: f64,
    /// What it brings the targets.
    pub gain: Gain,
}

pub(super) fn find(
    links: &Links,
    hosts: &Hosts<'_>,
    between: &HostLinks,
    options: &SpamOptions,
) -> Vec<Finding> {
    let mut keys = fingerprints(links, hosts);
    keys.sort_unstable();
    let mut groups: Vec<&[(u64, Node)]> =
        keys.chunk_by(|a, b| a.0 == b.0).filter(|group| group.len() >= options.min_pages).collect();
    groups.sort_by_key(|group| std::cmp::Reverse(group.len()));
    let mut covered = vec![false; links.num_nodes() as usize];
    let mut looks = HashMap::new();
    let mut findings = Vec::new();
    for group in groups {
        let pages = sorted(group.iter().map(|(_, page)| *page).collect());
        let num_covered = pages.iter().filter(|page| covered[page.index()]).count();
        if 2 * num_covered > pages.len() {
            continue;
        }
        let targets = targets_of(links, hosts, between, &pages, &mut looks);
        let Some(finding) = judge(links, hosts, options, targets) else { continue };
        finding.pages.iter().for_each(|page| covered[page.index()] = true);
        findings.push(finding);
    }
    findings
}

/// Returns what a page links to of other owners.
fn foreign<'a>(
    links: &'a Links,
    hosts: &'a Hosts<'a>,
    page: Node,
) -> impl Iterator<Item = Node> + 'a {
    let owner = hosts.owner(page);
    links.successors(page).filter(move |to| hosts.owner(*to) != owner)
}

/// Returns the fingerprints of all pages with enough targets.
fn fingerprints(links: &Links, hosts: &Hosts<'_>) -> Vec<(u64, Node)> {
    let mut keys = Vec::new();
    for page in links.nodes() {
        for order in ORDERS {
            let mut first = [u64::MAX; MIN_TARGETS];
            for target in foreign(links, hosts, page) {
                let mut place = scatter(u64::from(target.0), order);
                for slot in &mut first {
                    if place < *slot {
                        std::mem::swap(slot, &mut place);
                    }
                }
            }
            if first[MIN_TARGETS - 1] == u64::MAX {
                break;
            }
            let key = first.iter().fold(0, |key: u64, place| scatter(key ^ place, order));
            keys.push((key, page));
        }
    }
    keys
}

/// Returns a number that looks random; different ones for different numbers.
fn scatter(number: u64, order: u64) -> u64 {
    let mixed = (number + 1).wrapping_mul(order);
    (mixed ^ mixed >> 29).wrapping_mul(order) ^ mixed >> 32
}

/// Returns the targets that pages share and that hardly anybody else links to.
fn targets_of(
    links: &Links,
    hosts: &Hosts<'_>,
    between: &HostLinks,
    pages: &[Node],
    looks: &mut HashMap<Node, u8>,
) -> Vec<Node> {
    let from_hosts = hosts.hosts(pages.iter().copied());
    if from_hosts.len() < MIN_HOSTS {
        return Vec::new();
    }
    let linked = pages.iter().flat_map(|page| foreign(links, hosts, *page));
    let mut targets = common(linked, pages.len());
    targets.retain(|target| is_obscure(hosts, between, *target, &from_hosts));
    targets.retain(|target| {
        let looks = looks.entry(*target).or_default();
        *looks = looks.saturating_add(1);
        *looks <= MAX_LOOKS
    });
    targets
}

fn judge(
    links: &Links,
    hosts: &Hosts<'_>,
    options: &SpamOptions,
    targets: Vec<Node>,
) -> Option<Finding> {
    if targets.len() < MIN_TARGETS {
        return None;
    }
    // Pages that point to the same targets and have had no fingerprint in common with the rest.
    let linking = targets.iter().flat_map(|target| foreign_sources(links, hosts, *target));
    let pages = common(linking, targets.len());
    let is_source = |page: &Node| pages.binary_search(page).is_ok();
    let (mut all, mut here) = (0, 0);
    for target in &targets {
        all += foreign_sources(links, hosts, *target).count();
        here += foreign_sources(links, hosts, *target).filter(is_source).count();
    }
    let from_hosts = hosts.hosts(pages.iter().copied());
    let shared = SharedTargets {
        num_pages: pages.len(),
        num_hosts: from_hosts.len(),
        num_owners: hosts.owners(&from_hosts).len(),
        num_targets: targets.len(),
        given: here as f64 / all.max(1) as f64,
        gain: Gain::default(),
    };
    let few = shared.num_owners as f64 <= options.max_owners.0 * shared.num_hosts as f64;
    let many = shared.num_pages >= options.min_pages && shared.num_hosts >= MIN_HOSTS;
    (few && many && shared.given >= COMMON).then(|| tell(hosts, shared, pages, targets))
}

/// Returns what is named by most of `number` lists, ascending.
fn common(named: impl Iterator<Item = Node>, number: usize) -> Vec<Node> {
    let mut times: HashMap<Node, usize> = HashMap::new();
    for node in named {
        *times.entry(node).or_default() += 1;
    }
    let least = COMMON * number as f64;
    sorted(
        times
            .into_iter()
            .filter(|(_, times)| *times as f64 >= least)
            .map(|(node, _)| node)
            .collect(),
    )
}

/// Returns whether hardly anybody but these hosts links to the target's host.
fn is_obscure(hosts: &Hosts<'_>, between: &HostLinks, target: Node, from_hosts: &[u32]) -> bool {
    let linking = between.predecessors(hosts.host(target));
    let others = linking.filter(|host| from_hosts.binary_search(host).is_err()).count();
    others * 5 <= from_hosts.len()
}

/// Returns the pages of other owners that link to a page.
fn foreign_sources<'a>(
    links: &'a Links,
    hosts: &'a Hosts<'a>,
    target: Node,
) -> impl Iterator<Item = Node> + 'a {
    let owner = hosts.owner(target);
    links.predecessors(target).filter(move |from| hosts.owner(*from) != owner)
}

fn tell(hosts: &Hosts<'_>, shared: SharedTargets, pages: Vec<Node>, targets: Vec<Node>) -> Finding {
    let involved = hosts.hosts(pages.iter().chain(&targets).copied());
    let reasons = vec![
        format!(
            "{} on {} of {} all link to the same {}",
            count(shared.num_pages, "page"),
            count(shared.num_hosts, "host"),
            count(shared.num_owners, "owner"),
            count(shared.num_targets, "page"),
        ),
        format!(
            "they give {} of the links that these have from other owners, and hardly anybody else \
             links to the hosts these are on",
            percent(shared.given),
        ),
    ];
    let concentration = 1.0 - shared.num_owners as f64 / shared.num_hosts as f64;
    Finding {
        score: (shared.given * (0.5 + 0.5 * concentration)).clamp(0.0, 1.0),
        owners: hosts.owners(&involved),
        hosts: involved,
        evidence: Evidence::SharedTargets(shared),
        pages,
        targets,
        reasons,
    }
}
