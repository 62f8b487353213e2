//! Spam farms: the boost of supporting pages, computed and recognised.
//!
//! A target that links to `m` pages which link only to it, on a web of `n` pages, has the rank
//!
//! ```text
//! y = x / (1 − β²) + c · m / n     c = β / (1 + β)
//! ```
//! where `x` is what comes from elsewhere: through links and by teleport to the target itself.
//! On a real web dead ends add to every page's teleport, and the target has other links; with
//! `τ` for what teleport gives a page and `s` for the share of the target's links that go to
//! supporters this is `y = (x + β·m·τ) / (1 − β²·s)`, which is the form above for `s = 1` and
//! `τ = (1 − β)/n`.
//!
//! Supporters of a target are sought among the pages that link to it with few links in all
//! (twice as many for up to half of them, which may hide), and hubs: pages of more links that
//! spread visitors over the farm. From these, pages are peeled off that link elsewhere, that
//! others link to, or that nothing in the structure links to, until none is left to go.

use std::collections::HashMap;
use std::ops::ControlFlow;

use super::hosts::{Hosts, sorted};
use super::{Evidence, Finding, SpamOptions, count, percent};
use crate::{
    DeadEnds, Error, InLinks, Iteration, Links, Node, PageRankOptions, Ranks, Walk, pagerank_with,
};

/// Most targets for which a page of many links is considered as a hub.
const HUB_TARGETS: usize = 8;
/// Smallest share of a supporter's links that stay within the farm; of a hub's.
const INSIDE: (f64, f64) = (0.5, 0.8);
/// Largest share of the links to a supporter that may come from elsewhere; one always may.
const FROM_ELSEWHERE: f64 = 0.2;
/// So many hosts beside the target's are a farm's without further signs; if all of them are the
/// target's owner's, so many.
const MANY_HOSTS: (usize, usize) = (3, 10);
/// The target links back to this share of its supporters, if they are on one or two hosts.
const RETURNED: f64 = 0.3;
/// Or the supporters give it this share of their links.
const PURE: f64 = 0.9;

/// The figures of a farm.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Farm {
    /// The page it exists for.
    pub target: Node,
    /// How many pages support it.
    pub num_supporters: usize,
    /// To how many of them it links back.
    pub num_returned: usize,
    /// The target's rank.
    pub rank: f64,
    /// The target's rank when the links of all farms found do not count.
    pub without: f64,
    /// The boost that the closed form gives for a farm of this size.
    pub predicted_boost: f64,
}

impl Farm {
    /// Returns the boost measured: the rank less the rank without the farm.
    pub fn measured_boost(&self) -> f64 {
        self.rank - self.without
    }
}

/// Returns the rank of a farm's target by the closed form.
///
/// `elsewhere` is the rank that it gets without the farm: `β · Σ r[u] / out(u)` over other
/// pages' links to it and `(1 − β) / n` by teleport. It links to `num_supporters` pages, which
/// link only to it, on a web of `num_nodes` pages without dead ends. Fails on a β that is not
/// from 0 to less than 1, and on a rank that is no finite number. Constant time.
pub fn farm_rank(
    elsewhere: f64,
    num_supporters: u32,
    num_nodes: u32,
    beta: f64,
) -> Result<f64, Error> {
    if !(0.0..1.0).contains(&beta) {
        let wanted = "from 0 to less than 1 for a farm";
        return Err(Error::BadOption { name: "beta", value: beta, wanted });
    }
    if !elsewhere.is_finite() {
        let wanted = "a finite number";
        return Err(Error::BadOption { name: "rank", value: elsewhere, wanted });
    }
    let boost = beta / (1.0 + beta) * f64::from(num_supporters) / f64::from(num_nodes.max(1));
    Ok(elsewhere / (1.0 - beta * beta) + boost)
}

/// A target with its supporters, not yet measured.
struct Structure {
    target: Node,
    supporters: Vec<Node>,
}

pub(super) fn find(
    links: &Links,
    hosts: &Hosts<'_>,
    ranks: &[f64],
    pagerank_options: &PageRankOptions,
    options: &SpamOptions,
    watch: &mut dyn FnMut(Iteration) -> ControlFlow<()>,
) -> Result<(Vec<Finding>, Vec<Walk>), Error> {
    let mut structures = Search::new(links, hosts, options).structures();
    let (mut without, mut walks) = (Vec::new(), Vec::new());
    // What does not owe its rank to its supporters is left out, and the rest measured again.
    for _ in 0..2 {
        if structures.is_empty() {
            return Ok((Vec::new(), walks));
        }
        let ranked = ranks_without(links, &structures, pagerank_options, watch)?;
        walks.push(ranked.walk("without farms"));
        without = ranked.scores;
        let num_before = structures.len();
        structures.retain(|structure| {
            let place = structure.target.index();
            let boost = ranks[place] - without[place];
            boost > 0.0 && boost >= options.min_boost * ranks[place]
        });
        if structures.len() == num_before {
            break;
        }
    }
    let teleport = teleport_share(links, ranks, pagerank_options);
    let finding = |structure: Structure| {
        let farm = measure(links, &structure, ranks, &without, teleport, pagerank_options.beta);
        tell(links, hosts, farm, structure.supporters)
    };
    Ok((structures.into_iter().map(finding).collect(), walks))
}

/// Returns what teleport, and dead ends that redistribute, give each page.
fn teleport_share(links: &Links, ranks: &[f64], options: &PageRankOptions) -> f64 {
    let dead: f64 = match options.dead_ends {
        DeadEnds::Redistribute => {
            links.in_links().dead_ends().map(|node| ranks[node.index()]).sum()
        }
        DeadEnds::Stay | DeadEnds::Prune | DeadEnds::Leak => 0.0,
    };
    (1.0 - options.beta + options.beta * dead) / f64::from(links.num_nodes().max(1))
}

fn ranks_without(
    links: &Links,
    structures: &[Structure],
    options: &PageRankOptions,
    watch: &mut dyn FnMut(Iteration) -> ControlFlow<()>,
) -> Result<Ranks, Error> {
    let mut silent = vec![false; links.num_nodes() as usize];
    for supporter in structures.iter().flat_map(|structure| &structure.supporters) {
        silent[supporter.index()] = true;
    }
    let kept = keep(links, |from, _| !silent[from.index()]);
    pagerank_with(&kept, options, watch)
}

/// Returns the graph of the arcs that `counts` lets through. Linear.
pub(super) fn keep(links: &Links, counts: impl Fn(Node, Node) -> bool) -> InLinks {
    links.in_links().keeping(counts)
}

fn measure(
    links: &Links,
    structure: &Structure,
    ranks: &[f64],
    without: &[f64],
    teleport: f64,
    beta: f64,
) -> Farm {
    let Structure { target, supporters } = structure;
    let target = *target;
    let supports = |node: &Node| supporters.binary_search(node).is_ok();
    let num_returned = links.successors(target).filter(supports).count();
    let others = links.in_links().parts(target);
    let others = others.filter(|(from, _)| !supports(from) && *from != target);
    let from_others: f64 = others.map(|(from, part)| part * ranks[from.index()]).sum();
    let elsewhere = beta * from_others + teleport;
    let returned = returned(links, target, supports);
    let given = elsewhere + beta * supporters.len() as f64 * teleport;
    // β = 1 and all links returned: a trap that takes everything, for which there is no form.
    let loss = (1.0 - beta * beta * returned).max(f64::EPSILON);
    let (rank, without) = (ranks[target.index()], without[target.index()]);
    Farm {
        target,
        num_supporters: supporters.len(),
        num_returned,
        rank,
        without,
        predicted_boost: given / loss - elsewhere,
    }
}

/// Returns the part of its rank that a page passes on to those that support it.
fn returned(links: &Links, target: Node, supports: impl Fn(&Node) -> bool) -> f64 {
    let out = links.turned().classed_sources(target.index());
    let (mut all, mut back) = (0.0, 0.0);
    for (node, class) in out {
        let weight = links.in_links().weight(class);
        all += weight;
        back += if supports(&Node(node)) { weight } else { 0.0 };
    }
    if all > 0.0 { back / all } else { 0.0 }
}

fn tell(links: &Links, hosts: &Hosts<'_>, farm: Farm, supporters: Vec<Node>) -> Finding {
    let involved = hosts.hosts(supporters.iter().copied().chain([farm.target]));
    let owners = hosts.owners(&involved);
    let from_hosts = hosts.hosts(supporters.iter().copied());
    let given: u64 = supporters.iter().map(|node| u64::from(links.out_degree(*node))).sum();
    let share = farm.measured_boost() / farm.rank;
    let reasons = vec![
        format!(
            "{} on {} of {} link to this page and hardly elsewhere: they have {:.1} links each",
            count(supporters.len(), "page"),
            count(from_hosts.len(), "host"),
            count(hosts.owners(&from_hosts).len(), "owner"),
            given as f64 / supporters.len().max(1) as f64,
        ),
        format!(
            "it links back to {} of them; hardly anybody else links to them",
            farm.num_returned
        ),
        format!(
            "without their links its rank would be {:.3e} instead of {:.3e}: {} of it is theirs",
            farm.without,
            farm.rank,
            percent(share),
        ),
        format!(
            "a farm of this size gives {:.3e} by the closed form; measured are {:.3e}",
            farm.predicted_boost,
            farm.measured_boost(),
        ),
    ];
    Finding {
        score: share.clamp(0.0, 1.0),
        targets: vec![farm.target],
        evidence: Evidence::Farm(farm),
        pages: supporters,
        hosts: involved,
        owners,
        reasons,
    }
}

/// The search for structures: marks by node, used for one target after the other.
struct Search<'a> {
    links: &'a Links,
    hosts: &'a Hosts<'a>,
    options: &'a SpamOptions,
    /// How many pages of few links on other hosts link to each node.
    support: Vec<u32>,
    /// The target, counted from 1, for which a page is a member or the target now.
    inside: Vec<u32>,
    /// Links of a member that stay inside, and links to it that come from inside.
    kept: Vec<(u32, u32)>,
}

impl<'a> Search<'a> {
    fn new(links: &'a Links, hosts: &'a Hosts<'a>, options: &'a SpamOptions) -> Self {
        let num_nodes = links.num_nodes() as usize;
        let mut support = vec![0; num_nodes];
        for page in links.nodes().filter(|page| links.out_degree(*page) <= options.max_links) {
            for target in links.successors(page) {
                support[target.index()] += u32::from(hosts.host(target) != hosts.host(page));
            }
        }
        let (inside, kept) = (vec![0; num_nodes], vec![(0, 0); num_nodes]);
        Self { links, hosts, options, support, inside, kept }
    }

    /// Returns all structures, those with most support first; no page supports twice.
    fn structures(&mut self) -> Vec<Structure> {
        let enough =
            |node: &Node| self.support[node.index()] as usize >= self.options.min_supporters;
        let mut targets: Vec<Node> = self.links.nodes().filter(enough).collect();
        targets.sort_by_key(|target| std::cmp::Reverse(self.support[target.index()]));
        let hubs = self.hubs();
        let mut taken = vec![false; self.inside.len()];
        let mut structures = Vec::new();
        for (number, target) in (1..).zip(targets) {
            if taken[target.index()] {
                continue;
            }
            let mut members: Vec<Node> = self.links.predecessors(target).collect();
            members.retain(|page| *page != target && self.may_support(*page));
            members.extend(hubs.get(&target).into_iter().flatten());
            members.retain(|page| !taken[page.index()]);
            let supporters = self.peel(number, target, sorted(members));
            if self.is_suspicious(target, &supporters) {
                supporters.iter().for_each(|page| taken[page.index()] = true);
                structures.push(Structure { target, supporters });
            }
        }
        structures
    }

    fn has_few_links(&self, page: Node) -> bool {
        self.links.out_degree(page) <= self.options.max_links
    }

    /// Returns whether a page may be a supporter that hides among some more links.
    fn may_support(&self, page: Node) -> bool {
        self.links.out_degree(page) <= self.options.max_links.saturating_mul(2)
    }

    /// Returns by target the pages of many links that may be its hubs.
    ///
    /// Each is considered only for those of its links that have most support, so that a page of
    /// a million links costs what its links cost, and not their square.
    fn hubs(&self) -> HashMap<Node, Vec<Node>> {
        let mut hubs: HashMap<Node, Vec<Node>> = HashMap::new();
        for page in self.links.nodes().filter(|page| !self.may_support(*page)) {
            let enough =
                |to: &Node| self.support[to.index()] as usize >= self.options.min_supporters;
            let mut targets: Vec<Node> = self.links.successors(page).filter(enough).collect();
            targets.sort_by_key(|target| std::cmp::Reverse(self.support[target.index()]));
            for target in targets.into_iter().take(HUB_TARGETS).filter(|to| *to != page) {
                hubs.entry(target).or_default().push(page);
            }
        }
        hubs
    }

    /// Takes members away until all that is left belongs together; returns it.
    fn peel(&mut self, number: u32, target: Node, members: Vec<Node>) -> Vec<Node> {
        self.inside[target.index()] = number;
        // More links than all of the structure could give: most of them come from elsewhere.
        let most = (members.len() + 1) as f64 / (1.0 - FROM_ELSEWHERE) + 1.0;
        let mut members = members;
        members.retain(|page| f64::from(self.links.in_degree(*page)) <= most);
        for page in &members {
            self.inside[page.index()] = number;
        }
        for page in &members {
            let inside = |node: &Node| self.inside[node.index()] == number;
            let out = self.links.successors(*page).filter(inside).count() as u32;
            let into = self.links.predecessors(*page).filter(inside).count() as u32;
            self.kept[page.index()] = (out, into);
        }
        let mut going: Vec<Node> = Vec::new();
        for page in &members {
            if !self.belongs(*page) {
                self.inside[page.index()] = 0;
                going.push(*page);
            }
        }
        while let Some(page) = going.pop() {
            let (out, into) = (self.links.successors(page), self.links.predecessors(page));
            let touched: Vec<(Node, bool)> =
                out.map(|node| (node, true)).chain(into.map(|node| (node, false))).collect();
            for (node, linked) in touched {
                if self.inside[node.index()] != number || node == target {
                    continue;
                }
                let (out, into) = &mut self.kept[node.index()];
                *if linked { into } else { out } -= 1;
                if !self.belongs(node) {
                    self.inside[node.index()] = 0;
                    going.push(node);
                }
            }
        }
        members.retain(|page| self.inside[page.index()] == number);
        members
    }

    /// Returns whether a member's links fit a supporter, as far as members are left.
    fn belongs(&self, page: Node) -> bool {
        let (out, into) = self.kept[page.index()];
        let (all_out, all_in) = (self.links.out_degree(page), self.links.in_degree(page));
        let least = if self.may_support(page) { INSIDE.0 } else { INSIDE.1 };
        let stays = f64::from(out) >= least * f64::from(all_out);
        let elsewhere = f64::from(all_in - into);
        let unknown = elsewhere <= (FROM_ELSEWHERE * f64::from(all_in)).max(1.0);
        // Nobody links to it at all: found by other ways than links, and no less a supporter.
        let attached = into > 0 || all_in == 0;
        stays && unknown && attached
    }

    /// Returns whether supporters are enough, and on hosts that make them a farm and not a site.
    fn is_suspicious(&self, target: Node, supporters: &[Node]) -> bool {
        let home = self.hosts.host(target);
        let foreign: Vec<Node> =
            supporters.iter().copied().filter(|page| self.hosts.host(*page) != home).collect();
        let num_plain = supporters.iter().filter(|page| self.has_few_links(**page)).count();
        if foreign.len() < self.options.min_supporters.max(1) || 2 * num_plain < supporters.len() {
            return false;
        }
        let owner = self.hosts.owner(target);
        let num_others = foreign.iter().filter(|page| self.hosts.owner(**page) != owner).count();
        let others = num_others >= self.options.min_supporters;
        let num_hosts = self.hosts.hosts(foreign.iter().copied()).len();
        if num_hosts >= MANY_HOSTS.1 || others && num_hosts >= MANY_HOSTS.0 {
            return true;
        }
        // On one or two hosts: another owner's, and either linked back or made for nothing else.
        let is_supporter = |node: &Node| supporters.binary_search(node).is_ok();
        let returned = self.links.successors(target).filter(is_supporter).count() as f64;
        let given: f64 = supporters.iter().map(|page| self.given(*page)).sum();
        let size = supporters.len() as f64;
        others && (returned >= RETURNED * size || given >= PURE * size)
    }

    /// Returns the share of its links that a supporter gives to the target.
    fn given(&self, page: Node) -> f64 {
        1.0 / f64::from(self.links.out_degree(page).max(1))
    }
}
