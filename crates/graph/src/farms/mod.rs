//! Links made to raise a rank: spam farms, link exchanges, shared targets, bombs (G7).
//!
//! Four shapes are looked for, each with the evidence a person needs to judge it:
//!
//! - **Farm** (`boost`): many pages on other hosts that link to hardly anything but one target,
//!   hang together with it, and that nobody else links to. Named only if the target owes most of
//!   its rank to them, measured by ranking without their links.
//! - **Exchange** (`exchange`): a set of hosts of different owners that link to each other both
//!   ways, far more densely than chance, and to little else. What it brings its pages is measured
//!   (`gain`), and does not make it one.
//! - **Shared targets** (`shared`): many hosts of few owners whose pages all point to the same
//!   set of pages elsewhere, which hardly anybody else points to.
//! - **Bomb** (`bombs`): an anchor text that many pages of few owners give to a page that never
//!   says it.
//!
//! What must not be named looks alike and is told apart so: a site's own navigation stays within
//! one host; copies of documentation are few hosts, with pages of many links; friends who link
//! to each other are few; the members of a directory link to their own pages too and not to each
//! other; a company's hosts share links to places that everybody links to.

mod bombs;
mod boost;
mod demote;
mod exchange;
mod gain;
mod hosts;
mod shared;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use crate::{
    DeadEnds, Error, Iteration, Links, Node, PageRankOptions, Teleport, Walk, pagerank_with,
};

pub use bombs::{Anchor, find_bombs};
pub use boost::{Farm, farm_rank};
pub use demote::{Preview, RankChange, demote, preview, preview_with, without_spam};
pub use exchange::Exchange;
pub use gain::Gain;
pub use hosts::Hosts;
pub use shared::SharedTargets;

/// What counts as suspicious.
#[derive(Clone, Debug, PartialEq)]
pub struct SpamOptions {
    /// How ranks are computed. Its teleport is not looked at: farms are judged by what they do
    /// to visitors who may start anywhere. Dead ends are not pruned either: supporters whose
    /// links are taken away are dead ends, and the question is what the rest is worth then.
    pub pagerank: PageRankOptions,
    /// Fewest supporting pages on other hosts than the target's. Default 10: a boost of fewer is
    /// not worth a farm.
    pub min_supporters: usize,
    /// Most links of at least half of the supporting pages; the others may have twice as many.
    /// Default 3: a third of its links go to the target, where pages made for readers have a
    /// menu.
    pub max_links: u32,
    /// Smallest share of the target's rank that the supporters' links give. Default 0.5; a farm
    /// as in the books gives more than 0.7 at β = 0.85, whatever links it has from elsewhere.
    pub min_boost: f64,
    /// Fewest hosts of an exchange. Default 15: a circle of friends has ten.
    pub min_hosts: usize,
    /// Fewest hosts with which each host of an exchange has links both ways. Default 10.
    pub min_partners: usize,
    /// Fewest pages that share targets, or that give an anchor text. Default 20.
    pub min_pages: usize,
    /// Most owners per host of pages that share targets, and per page that gives an anchor text.
    /// Default 0.5 and 0.2.
    pub max_owners: (f64, f64),
}

impl Default for SpamOptions {
    fn default() -> Self {
        Self {
            pagerank: PageRankOptions::default(),
            min_supporters: 10,
            max_links: 3,
            min_boost: 0.5,
            min_hosts: 15,
            min_partners: 10,
            min_pages: 20,
            max_owners: (0.5, 0.2),
        }
    }
}

/// What was found, most certain first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SpamReport {
    /// The findings.
    pub findings: Vec<Finding>,
    /// How the rankings went that figures come from.
    pub walks: Vec<Walk>,
}

/// One structure and why it is one.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// What it is, with its figures.
    pub evidence: Evidence,
    /// How certain, from 0 to 1. Holds for its pages, and for its targets unless it is a bomb.
    pub score: f64,
    /// The pages that give the links, ascending.
    pub pages: Vec<Node>,
    /// The pages that get them, ascending.
    pub targets: Vec<Node>,
    /// The hosts of both, ascending.
    pub hosts: Vec<u32>,
    /// The owners of those hosts, ascending.
    pub owners: Vec<u32>,
    /// Sentences for a person, with the numbers.
    pub reasons: Vec<String>,
}

/// The kinds of structures.
#[derive(Clone, Debug, PartialEq)]
pub enum Evidence {
    /// Pages that exist to link to one page.
    Farm(Farm),
    /// Hosts that link to each other both ways.
    Exchange(Exchange),
    /// Hosts of few owners whose pages link to the same pages.
    SharedTargets(SharedTargets),
    /// A phrase that a page never says and many pages of few owners give it.
    Bomb {
        /// The phrase, in lower case.
        phrase: String,
        /// How many hosts give it.
        num_hosts: usize,
        /// How many owners give it.
        num_owners: usize,
    },
}

impl Finding {
    /// Returns how surely it is spam if nobody looks at it, from 0 to [`Self::score`].
    ///
    /// A page that many strangers link to, each from a page that has hardly another link, has the
    /// shape of a farm: a person who sees it can tell, and ranking must not punish it unasked. So
    /// a farm is as sure as its supporters are one owner's, or are linked back to.
    pub fn unasked(&self) -> f64 {
        let Evidence::Farm(farm) = &self.evidence else { return self.score };
        let num_pages = self.pages.len().max(1) as f64;
        // The target's owner is among the owners.
        let strangers = (self.owners.len().saturating_sub(1) as f64 / num_pages).min(1.0);
        let returned = (farm.num_returned as f64 / num_pages).min(1.0);
        self.score * (1.0 - strangers * (1.0 - returned))
    }

    /// Returns up to 20 of the pages that give the links, for showing.
    pub fn examples(&self) -> &[Node] {
        &self.pages[..self.pages.len().min(20)]
    }
}

impl Evidence {
    /// Returns a word for the kind.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Farm(_) => "farm",
            Self::Exchange(_) => "exchange",
            Self::SharedTargets(_) => "shared targets",
            Self::Bomb { .. } => "bomb",
        }
    }
}

impl SpamReport {
    /// Adds findings of another search and keeps the order.
    pub fn add(&mut self, findings: Vec<Finding>) {
        self.findings.extend(findings);
        self.findings.sort_by(|a, b| b.score.total_cmp(&a.score));
    }

    /// Returns the score of every page that is named, ascending by node: the highest of its
    /// findings. The target of a bomb has none: it did nothing. Linear in the pages named, up to a
    /// logarithm.
    pub fn page_scores(&self) -> BTreeMap<Node, f64> {
        let mut scores = BTreeMap::new();
        for finding in &self.findings {
            let targets: &[Node] = match finding.evidence {
                Evidence::Bomb { .. } => &[],
                _ => &finding.targets,
            };
            for page in finding.pages.iter().chain(targets) {
                let score: &mut f64 = scores.entry(*page).or_default();
                *score = score.max(finding.score);
            }
        }
        scores
    }

    /// Returns the score of every host with a page that is named: the mean over all its pages,
    /// so one page that others abuse does not condemn a host. Linear in nodes.
    pub fn host_scores(&self, hosts: &Hosts<'_>) -> BTreeMap<u32, f64> {
        let mut num_pages = vec![0u32; hosts.num_hosts()];
        for node in (0..hosts.num_nodes()).filter_map(|node| u32::try_from(node).ok()) {
            num_pages[hosts.host(Node(node)) as usize] += 1;
        }
        let mut scores: BTreeMap<u32, f64> = BTreeMap::new();
        for (page, score) in self.page_scores() {
            *scores.entry(hosts.host(page)).or_default() += score;
        }
        for (host, score) in &mut scores {
            *score /= f64::from(num_pages[*host as usize]);
        }
        scores
    }
}

/// Looks for farms, exchanges and shared targets.
///
/// Bombs need anchor texts: [`find_bombs`]. Fails on options that [`pagerank_with`] refuses and if
/// `hosts` is not of this graph. Cost: two to four rankings; besides, every page is looked at
/// for at most twice [`SpamOptions::max_links`] or 8 targets, so the time is linear in the arcs, up to
/// the sorting of links between hosts. Memory: 16 bytes per node and per link between owners.
pub fn find_spam(
    links: &Links,
    hosts: &Hosts<'_>,
    options: &SpamOptions,
) -> Result<SpamReport, Error> {
    find_spam_with(links, hosts, options, &mut |_| ControlFlow::Continue(()))
}

/// Like [`find_spam`]; `watch` sees every step of every ranking and may break off with
/// [`Error::Interrupted`].
pub fn find_spam_with(
    links: &Links,
    hosts: &Hosts<'_>,
    options: &SpamOptions,
    watch: &mut dyn FnMut(Iteration) -> ControlFlow<()>,
) -> Result<SpamReport, Error> {
    hosts.check(links)?;
    let dead_ends = match options.pagerank.dead_ends {
        DeadEnds::Prune => DeadEnds::Redistribute,
        other => other,
    };
    let teleport = Teleport::Uniform;
    let with = PageRankOptions { teleport, dead_ends, ..options.pagerank.clone() };
    let ranks = pagerank_with(links.in_links(), &with, &mut *watch)?;
    let mut report = SpamReport { walks: vec![ranks.walk("all links")], ..Default::default() };
    let ranks = ranks.scores;
    let (farms, walks) = boost::find(links, hosts, &ranks, &with, options, watch)?;
    report.add(farms);
    report.walks.extend(walks);
    let between = hosts::HostLinks::new(links, hosts);
    report.add(exchange::find(links, hosts, &between, options));
    report.add(shared::find(links, hosts, &between, options));
    drop(between);
    gain::measure(&mut report, (links, hosts), &ranks, &with, watch)?;
    Ok(report)
}

/// "1 page", "2 pages".
fn count(number: usize, thing: &str) -> String {
    if number == 1 { format!("1 {thing}") } else { format!("{number} {thing}s") }
}

/// A share of one as per cent, for people.
fn percent(share: f64) -> String {
    format!("{:.0} %", share * 100.0)
}
