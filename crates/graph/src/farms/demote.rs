//! What ranking would be without the links that a report names, and what that would change.
//!
//! Links that do not count any more: all links of a farm's supporters, links between the hosts
//! of an exchange, links of a group to its shared targets. A bomb is a matter of anchor texts
//! and takes no link away.

use std::ops::ControlFlow;

use super::boost::keep;
use super::hosts::Hosts;
use super::{Evidence, SpamReport};
use crate::{
    Error, InLinks, Iteration, Links, Node, PageRankOptions, Ranks, pagerank, pagerank_with,
};

/// What demoting spam would change.
#[derive(Clone, Debug, PartialEq)]
pub struct Preview {
    /// Pages whose rank changes enough, those that lose or gain most first.
    pub changes: Vec<RankChange>,
    /// The ranks as they would be.
    pub ranks: Ranks,
}

/// One page's rank before and after.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RankChange {
    /// The page.
    pub node: Node,
    /// Its rank today.
    pub before: f64,
    /// Its rank without the links that do not count.
    pub after: f64,
    /// Its place among all pages today, counted from 1.
    pub place_before: u32,
    /// Its place then.
    pub place_after: u32,
}

/// Returns the graph without the links that `report` names.
///
/// Fails if `hosts` is not of this graph or the report names other nodes. Linear in arcs, up to
/// a logarithm for links to shared targets.
pub fn without_spam(
    links: &Links,
    hosts: &Hosts<'_>,
    report: &SpamReport,
) -> Result<InLinks, Error> {
    hosts.check(links)?;
    let num_nodes = links.num_nodes();
    let mut silent = vec![false; num_nodes as usize];
    // By host, the exchange it takes part in, counted from 1. Exchanges have no host in common.
    let mut exchange = vec![0u32; hosts.num_hosts()];
    let mut pairs: Vec<(Node, Node)> = Vec::new();
    for (number, finding) in (1..).zip(&report.findings) {
        let named = finding.pages.iter().chain(&finding.targets);
        if let Some(node) = named.max().filter(|node| node.0 >= num_nodes) {
            return Err(Error::UnknownNode { node: node.0, num_nodes });
        }
        match &finding.evidence {
            Evidence::Farm(_) => {
                finding.pages.iter().for_each(|page| silent[page.index()] = true);
            }
            Evidence::Exchange(_) => {
                for host in &finding.hosts {
                    if let Some(place) = exchange.get_mut(*host as usize) {
                        *place = number;
                    }
                }
            }
            Evidence::SharedTargets(_) => {
                for page in &finding.pages {
                    let shared = links
                        .successors(*page)
                        .filter(|to| finding.targets.binary_search(to).is_ok());
                    pairs.extend(shared.map(|to| (*page, to)));
                }
            }
            Evidence::Bomb { .. } => {}
        }
    }
    pairs.sort_unstable();
    Ok(keep(links, |from, to| {
        let (host, other) = (hosts.host(from), hosts.host(to));
        let group = exchange[host as usize];
        let exchanged = group > 0 && host != other && exchange[other as usize] == group;
        let shared = !pairs.is_empty() && pairs.binary_search(&(from, to)).is_ok();
        !(silent[from.index()] || exchanged || shared)
    }))
}

/// Ranks the graph without the links that `report` names: [`without_spam`], then [`pagerank`].
pub fn demote(
    links: &Links,
    hosts: &Hosts<'_>,
    report: &SpamReport,
    options: &PageRankOptions,
) -> Result<Ranks, Error> {
    pagerank(&without_spam(links, hosts, report)?, options)
}

/// Says whose rank would change, and how, if the links that `report` names did not count.
///
/// `scores` are the ranks today, by `options`. Pages are listed whose rank changes by at least
/// the share `least` of what it is today; when farms fall, every other page gains a little.
/// Costs one [`pagerank`] and two sorts of all nodes.
pub fn preview(
    links: &Links,
    hosts: &Hosts<'_>,
    scores: &[f64],
    report: &SpamReport,
    options: &PageRankOptions,
    least: f64,
) -> Result<Preview, Error> {
    preview_with(links, hosts, scores, report, options, least, |_| ControlFlow::Continue(()))
}

/// Like [`preview`]; `watch` sees every step of the ranking and may break off with
/// [`Error::Interrupted`].
pub fn preview_with(
    links: &Links,
    hosts: &Hosts<'_>,
    scores: &[f64],
    report: &SpamReport,
    options: &PageRankOptions,
    least: f64,
    watch: impl FnMut(Iteration) -> ControlFlow<()>,
) -> Result<Preview, Error> {
    let (found, wanted) = (scores.len(), links.num_nodes() as usize);
    if found != wanted {
        return Err(Error::WrongLength { what: "the list of scores", found, wanted });
    }
    let ranks = pagerank_with(&without_spam(links, hosts, report)?, options, watch)?;
    let (before, after) = (places(scores), places(&ranks.scores));
    let mut changes: Vec<RankChange> = links
        .nodes()
        .map(|node| RankChange {
            node,
            before: scores[node.index()],
            after: ranks.scores[node.index()],
            place_before: before[node.index()],
            place_after: after[node.index()],
        })
        .filter(|change| {
            change.before != change.after && change.moved() >= least * change.before.abs()
        })
        .collect();
    changes.sort_by(|a, b| b.moved().total_cmp(&a.moved()));
    Ok(Preview { changes, ranks })
}

impl RankChange {
    fn moved(&self) -> f64 {
        (self.after - self.before).abs()
    }
}

/// Returns the place of each node, counted from 1; equal ones in the order of their numbers.
fn places(scores: &[f64]) -> Vec<u32> {
    let mut order: Vec<usize> = (0..scores.len()).collect();
    order.sort_by(|a, b| scores[*b].total_cmp(&scores[*a]));
    let mut places = vec![0; scores.len()];
    for (place, node) in (1..).zip(order) {
        places[node] = place;
    }
    places
}
