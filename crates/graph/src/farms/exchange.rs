//! Link exchanges: hosts of different owners that link to each other both ways, and to little
//! else.
//!
//! The graph of hosts with links both ways is peeled: hosts with too few partners go, and hosts
//! whose partners are not most of the hosts they link to; what they leave behind may have to go
//! too. What stays falls into connected pieces. A piece is an exchange if it has enough hosts
//! and if two of its hosts are partners far more often than two hosts of the rest of the web.

use super::hosts::{HostLinks, Hosts, sorted};
use super::{Evidence, Finding, Gain, SpamOptions, count, percent};
use crate::{Links, Node};

/// Smallest share of the hosts it links to that are a host's partners.
const PARTNERS: f64 = 0.5;
/// How many times denser than the rest of the web.
const DENSER: f64 = 20.0;
/// Stands for a host that is in no exchange.
const NONE: u32 = u32::MAX;

/// The figures of an exchange.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Exchange {
    /// How many hosts take part.
    pub num_hosts: usize,
    /// How many pairs of them link both ways.
    pub num_pairs: u64,
    /// Share of all its pairs of hosts that link both ways.
    pub density: f64,
    /// The same share among all other pairs of hosts of the web.
    pub chance: f64,
    /// Share of the hosts that they link to that are partners, on average.
    pub partners: f64,
    /// What it brings the pages that are linked to.
    pub gain: Gain,
}

pub(super) fn find(
    links: &Links,
    hosts: &Hosts<'_>,
    between: &HostLinks,
    options: &SpamOptions,
) -> Vec<Finding> {
    let partners = Partners::new(hosts.num_hosts(), between);
    let stays = partners.peel(options.min_partners);
    let mut group_of = vec![NONE; hosts.num_hosts()];
    let mut found = Vec::new();
    for group in partners.groups(&stays) {
        let exchange = partners.measure(&group, &stays);
        let far_denser = exchange.density >= DENSER * exchange.chance;
        if group.len() >= options.min_hosts && far_denser {
            let number = u32::try_from(found.len()).expect("no more groups than hosts");
            group.iter().for_each(|host| group_of[*host as usize] = number);
            found.push((exchange, group));
        }
    }
    let pages = pages_of_groups(links, hosts, &group_of, found.len());
    let all = found.into_iter().zip(pages);
    all.map(|((exchange, group), (from, to))| tell(hosts, exchange, group, from, to)).collect()
}

fn tell(
    hosts: &Hosts<'_>,
    exchange: Exchange,
    group: Vec<u32>,
    pages: Vec<Node>,
    targets: Vec<Node>,
) -> Finding {
    let owners = hosts.owners(&group);
    let reasons = vec![
        format!(
            "{} of {} link to each other both ways: {} pairs, {} of all there can be",
            count(exchange.num_hosts, "host"),
            count(owners.len(), "owner"),
            exchange.num_pairs,
            percent(exchange.density),
        ),
        format!(
            "two other hosts of this web do so with a chance of {:.1e}, {:.0} times less",
            exchange.chance,
            exchange.density / exchange.chance,
        ),
        format!("of the hosts that they link to {} are partners", percent(exchange.partners)),
    ];
    Finding {
        score: (exchange.partners * (1.0 - exchange.chance / exchange.density)).clamp(0.0, 1.0),
        evidence: Evidence::Exchange(exchange),
        pages,
        targets,
        hosts: group,
        owners,
        reasons,
    }
}

/// Returns for each group the pages that link to another host of it, and those linked to.
fn pages_of_groups(
    links: &Links,
    hosts: &Hosts<'_>,
    group_of: &[u32],
    num_groups: usize,
) -> Vec<(Vec<Node>, Vec<Node>)> {
    let mut pages = vec![(Vec::new(), Vec::new()); num_groups];
    for from in links.nodes() {
        let host = hosts.host(from);
        let group = group_of[host as usize];
        let Some((pages, targets)) = pages.get_mut(group as usize) else { continue };
        let num_before = targets.len();
        let partners = links.successors(from).filter(|to| {
            let other = hosts.host(*to);
            other != host && group_of[other as usize] == group
        });
        targets.extend(partners);
        if targets.len() > num_before {
            pages.push(from);
        }
    }
    pages.into_iter().map(|(pages, targets)| (pages, sorted(targets))).collect()
}

/// Which hosts link to each other both ways.
struct Partners {
    starts: Vec<usize>,
    partners: Vec<u32>,
    /// How many hosts of other owners each host links to.
    num_linked: Vec<u32>,
}

impl Partners {
    fn new(num_hosts: usize, between: &HostLinks) -> Self {
        let (mut starts, mut partners, mut num_linked) = (vec![0], Vec::new(), Vec::new());
        for host in (0..num_hosts).filter_map(|host| u32::try_from(host).ok()) {
            let linked = between.successors(host);
            num_linked.push(linked.len() as u32);
            partners.extend(linked.filter(|other| between.has(*other, host)));
            starts.push(partners.len());
        }
        Self { starts, partners, num_linked }
    }

    fn num_hosts(&self) -> usize {
        self.num_linked.len()
    }

    fn of(&self, host: u32) -> &[u32] {
        &self.partners[self.starts[host as usize]..self.starts[host as usize + 1]]
    }

    /// Returns which hosts have enough partners among those that have enough partners.
    fn peel(&self, min_partners: usize) -> Vec<bool> {
        let hosts = (0..self.num_hosts()).filter_map(|host| u32::try_from(host).ok());
        let mut left: Vec<usize> = hosts.clone().map(|host| self.of(host).len()).collect();
        let enough = |host: u32, left: usize| {
            let linked = f64::from(self.num_linked[host as usize]);
            left >= min_partners.max(1) && left as f64 >= PARTNERS * linked
        };
        let mut stays = vec![true; self.num_hosts()];
        let mut going: Vec<u32> =
            hosts.filter(|host| !enough(*host, left[*host as usize])).collect();
        going.iter().for_each(|host| stays[*host as usize] = false);
        while let Some(host) = going.pop() {
            for other in self.of(host) {
                let place = *other as usize;
                left[place] -= 1;
                if stays[place] && !enough(*other, left[place]) {
                    stays[place] = false;
                    going.push(*other);
                }
            }
        }
        stays
    }

    /// Returns the connected pieces of what stays, each ascending.
    fn groups(&self, stays: &[bool]) -> Vec<Vec<u32>> {
        let mut seen = vec![false; self.num_hosts()];
        let mut groups = Vec::new();
        for first in (0..self.num_hosts()).filter_map(|host| u32::try_from(host).ok()) {
            if seen[first as usize] || !stays[first as usize] {
                continue;
            }
            seen[first as usize] = true;
            let (mut group, mut next) = (vec![first], 0);
            while let Some(host) = group.get(next).copied() {
                next += 1;
                for other in self.of(host) {
                    if stays[*other as usize] && !seen[*other as usize] {
                        seen[*other as usize] = true;
                        group.push(*other);
                    }
                }
            }
            group.sort_unstable();
            groups.push(group);
        }
        groups
    }

    fn measure(&self, group: &[u32], stays: &[bool]) -> Exchange {
        let pairs = |number: usize| number as f64 * (number as f64 - 1.0) / 2.0;
        // Both ends count a pair, and a piece has all partners that stay.
        let (mut both, mut share) = (0u64, 0.0);
        for host in group {
            let inside = self.of(*host).iter().filter(|other| stays[**other as usize]).count();
            both += inside as u64;
            share += inside as f64 / f64::from(self.num_linked[*host as usize].max(1));
        }
        let num_pairs = both / 2;
        let rest = (self.partners.len() as u64 / 2 - num_pairs) as f64;
        let other_pairs = (pairs(self.num_hosts()) - pairs(group.len())).max(1.0);
        Exchange {
            num_hosts: group.len(),
            num_pairs,
            density: num_pairs as f64 / pairs(group.len()).max(1.0),
            // One pair more than seen: none seen is not a chance of nothing.
            chance: (rest + 1.0) / (other_pairs + 1.0),
            partners: share / group.len() as f64,
            gain: Gain::default(),
        }
    }
}
