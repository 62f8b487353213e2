//! Trust that flows from pages that people have checked, and what it says of the rest (G4).
//!
//! - **Trust** is PageRank whose visitors start again at trusted pages only (TrustRank).
//! - **Seeds** worth a check are the pages from which most of the web is reached soonest:
//!   PageRank of the graph turned around.
//! - **Spam mass** is the part of a page's rank that good pages do not explain (Gyöngyi,
//!   Berkhin, Garcia-Molina, Pedersen: Link Spam Detection Based on Mass Estimation, 2006).
//!   With `p` the rank for the uniform teleport and `p'` the rank when each page of a good core
//!   gets `γ / core` of the teleport and every other page nothing, the absolute mass is
//!   `p − p'` and the relative mass `(p − p') / p`. The core is only a sample of the good
//!   pages, so it is given the weight `γ` of all of them: the share of the web that is good.
//!
//! Masses must add up: what the core gives and what the rest gives have to be the whole. That
//! holds where rank is linear in the teleport. If dead ends redistribute, what they spread would
//! follow the core in `p'` and everybody in `p`; so both are computed with the rank of dead ends
//! lost, and both are then multiplied by the factor that makes `p` sum to 1. (`p` is then the
//! ordinary rank: redistributing is the same as losing and scaling up.) A page of the core may
//! have a negative mass, since it has more than its share of the teleport; that is as intended.

use std::ops::ControlFlow;

use crate::topics::topics_with;
use crate::{
    DeadEnds, Error, InLinks, Iteration, Links, Node, PageRankOptions, Ranks, Teleport, Walk,
    pagerank, pagerank_with,
};

/// Ranks pages by the trust that reaches them from `seeds` (TrustRank).
///
/// `options` with the seeds as teleport: their trust sums to 1 over all pages. Fails as
/// [`pagerank`] does, so also on no seeds. Costs what [`pagerank`] costs.
pub fn trust(links: &InLinks, seeds: &[Node], options: &PageRankOptions) -> Result<Ranks, Error> {
    let teleport = Teleport::Nodes(seeds.to_vec());
    pagerank(links, &PageRankOptions { teleport, ..options.clone() })
}

/// Returns the `count` pages whose check would spread trust furthest, best first.
///
/// The number beside each is its PageRank in the graph turned around (inverse PageRank). Equal
/// ones come in their order. How the ranking went comes with them. `watch` sees every step and may
/// break off, as in [`pagerank_with`].
/// Costs one [`pagerank`] and a sort of all nodes.
pub fn suggest_seeds(
    links: &Links,
    count: usize,
    options: &PageRankOptions,
    watch: impl FnMut(Iteration) -> ControlFlow<()>,
) -> Result<(Vec<(Node, f64)>, Walk), Error> {
    let ranks = pagerank_with(links.turned(), options, watch)?;
    let walk = ranks.walk("inverse PageRank");
    let mut nodes: Vec<(Node, f64)> = links.nodes().zip(ranks.scores).collect();
    nodes.sort_by(|(_, a), (_, b)| b.total_cmp(a));
    nodes.truncate(count);
    Ok((nodes, walk))
}

/// How spam mass is estimated.
#[derive(Clone, Debug, PartialEq)]
pub struct MassOptions {
    /// How ranks are computed; its teleport is not looked at.
    pub pagerank: PageRankOptions,
    /// Share γ of the web's pages that are good. Default 0.85, the literature's estimate.
    pub good_share: f64,
}

impl Default for MassOptions {
    fn default() -> Self {
        Self { pagerank: PageRankOptions::default(), good_share: 0.85 }
    }
}

/// The rank of a page or a host, and how much of it good pages explain.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PageMass {
    /// Its PageRank `p`.
    pub rank: f64,
    /// The part `p'` that comes from the good core.
    pub good: f64,
}

impl PageMass {
    /// Returns `p − p'`.
    pub fn absolute(&self) -> f64 {
        self.rank - self.good
    }

    /// Returns `(p − p') / p`: near 1 for spam, 0 or less for what good pages link to. A page
    /// without rank has no mass.
    pub fn relative(&self) -> f64 {
        if self.rank > 0.0 { self.absolute() / self.rank } else { 0.0 }
    }
}

/// What [`spam_mass`] came to.
#[derive(Clone, Debug, PartialEq)]
pub struct SpamMass {
    /// By node.
    pub pages: Vec<PageMass>,
    /// How the rankings went: of all pages, and of the good core.
    pub walks: [Walk; 2],
}

/// Estimates how much of each page's rank a core of good pages does not explain.
///
/// The module's head says how. Fails as [`pagerank`] does, so also on an empty core, and on a
/// `good_share` outside of 0 to 1. Costs one pass of [`topics_with`] for both rankings.
pub fn spam_mass(links: &InLinks, core: &[Node], options: &MassOptions) -> Result<SpamMass, Error> {
    spam_mass_with(links, core, options, |_| ControlFlow::Continue(()))
}

/// Like [`spam_mass`]; `watch` is told the number of every step and may break off with
/// [`Error::Interrupted`].
pub fn spam_mass_with(
    links: &InLinks,
    core: &[Node],
    options: &MassOptions,
    watch: impl FnMut(u32) -> ControlFlow<()>,
) -> Result<SpamMass, Error> {
    let share = options.good_share;
    if !(0.0..=1.0).contains(&share) {
        let wanted = "between 0 and 1";
        return Err(Error::BadOption { name: "good share", value: share, wanted });
    }
    let dead_ends = match options.pagerank.dead_ends {
        DeadEnds::Redistribute => DeadEnds::Leak,
        other => other,
    };
    let linear = PageRankOptions { dead_ends, ..options.pagerank.clone() };
    let sets = [Teleport::Uniform, Teleport::Nodes(core.to_vec())];
    let ranks = topics_with(links, &sets, &linear, watch)?;
    let whole: f64 = ranks[0].scores.iter().sum();
    let scale = match options.pagerank.dead_ends {
        DeadEnds::Redistribute if whole > 0.0 => 1.0 / whole,
        _ => 1.0,
    };
    let both = ranks[0].scores.iter().zip(&ranks[1].scores);
    let pages =
        both.map(|(rank, good)| PageMass { rank: rank * scale, good: good * scale * share });
    let walks = [ranks[0].walk("all pages"), ranks[1].walk("good pages")];
    Ok(SpamMass { pages: pages.collect(), walks })
}

/// Adds up masses by host; `host_of` gives each node's host as a number.
///
/// Fails unless there is one host per node and hosts have numbers below the number of nodes.
/// The answer is by host number. Linear in nodes.
pub fn host_masses(mass: &SpamMass, host_of: &[u32]) -> Result<Vec<PageMass>, Error> {
    let wanted = mass.pages.len();
    if host_of.len() != wanted {
        return Err(Error::WrongLength { what: "the list of hosts", found: host_of.len(), wanted });
    }
    let mut hosts: Vec<PageMass> = Vec::new();
    for (page, host) in mass.pages.iter().zip(host_of) {
        let index = *host as usize;
        if index >= wanted {
            let wanted = "below the number of nodes";
            return Err(Error::BadOption { name: "host", value: f64::from(*host), wanted });
        }
        if index >= hosts.len() {
            hosts.resize(index + 1, PageMass::default());
        }
        hosts[index].rank += page.rank;
        hosts[index].good += page.good;
    }
    Ok(hosts)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn go(_: Iteration) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    /// Good pages 0–3 in a ring with a link each to 4; a farm: 5 with supporters 6–15; one good
    /// page links to the farm by mistake; 16 is a dead end that a good page links to.
    fn web() -> Links {
        let mut arcs = vec![(0, 1), (1, 2), (2, 3), (3, 0), (2, 5), (1, 16)];
        arcs.extend((0..4).map(|page| (page, 4)));
        arcs.push((4, 0));
        for supporter in 6..16 {
            arcs.extend([(5, supporter), (supporter, 5)]);
        }
        let arcs = arcs.into_iter().map(|(from, to)| (Node(from), Node(to)));
        Links::from_arcs(17, arcs).unwrap()
    }

    #[test]
    fn trust_stays_with_what_trusted_pages_link_to() {
        let web = web();
        let ranks =
            trust(web.in_links(), &[Node(0), Node(4)], &PageRankOptions::default()).unwrap();
        assert!((ranks.scores.iter().sum::<f64>() - 1.0).abs() < 1e-9);
        let rank = pagerank(web.in_links(), &PageRankOptions::default()).unwrap();
        assert!(rank.scores[5] > rank.scores[4], "the farm works on rank");
        assert!(ranks.scores[5] < ranks.scores[4], "but not on trust");
        let none = trust(web.in_links(), &[], &PageRankOptions::default());
        assert!(matches!(none, Err(Error::EmptyTeleport)));
    }

    #[test]
    fn seeds_are_the_pages_that_reach_most() {
        // 0 → 1 → 2 → 3 and 0 → 4: from 0 everything is reached.
        let arcs = [(0, 1), (1, 2), (2, 3), (0, 4)].map(|(from, to)| (Node(from), Node(to)));
        let links = Links::from_arcs(5, arcs).unwrap();
        let (seeds, walk) = suggest_seeds(&links, 2, &PageRankOptions::default(), go).unwrap();
        assert!(walk.converged && !walk.log.is_empty());
        assert_eq!(seeds.iter().map(|(node, _)| *node).collect::<Vec<_>>(), [Node(0), Node(1)]);
        assert!(seeds[0].1 > seeds[1].1);
        assert_eq!(suggest_seeds(&links, 9, &PageRankOptions::default(), go).unwrap().0.len(), 5);
    }

    #[test]
    fn spam_has_mass_and_good_pages_have_none() {
        let web = web();
        let options = MassOptions { good_share: 0.35, ..MassOptions::default() };
        let core: Vec<Node> = (0..4).map(Node).collect();
        let mass = spam_mass(web.in_links(), &core, &options).unwrap();
        assert!(mass.walks.iter().all(|walk| walk.converged && !walk.log.is_empty()));
        assert!(mass.pages[5].relative() > 0.75, "{:?}", mass.pages[5]);
        assert!(mass.pages[4].relative() < 0.1, "{:?}", mass.pages[4]);
        assert!(mass.pages[0].relative() < 0.1, "{:?}", mass.pages[0]);
        let ordinary = pagerank(web.in_links(), &options.pagerank).unwrap();
        for (page, score) in mass.pages.iter().zip(&ordinary.scores) {
            assert!((page.rank - score).abs() < 1e-8, "{page:?} ≠ {score}");
        }
        let hosts: Vec<u32> = (0..17).map(|node| u32::from((5..16).contains(&node))).collect();
        let by_host = host_masses(&mass, &hosts).unwrap();
        assert!((by_host[0].rank + by_host[1].rank - 1.0).abs() < 1e-8);
        assert!(by_host[1].relative() > 0.75 && by_host[0].relative() < 0.1, "{by_host:?}");
    }

    #[test]
    fn a_core_of_everything_explains_everything() {
        let web = web();
        let all: Vec<Node> = web.nodes().collect();
        for dead_ends in [DeadEnds::Redistribute, DeadEnds::Stay, DeadEnds::Leak] {
            let pagerank = PageRankOptions { dead_ends, ..PageRankOptions::default() };
            let options = MassOptions { good_share: 1.0, pagerank };
            let mass = spam_mass(web.in_links(), &all, &options).unwrap();
            assert!(mass.pages.iter().all(|page| page.relative().abs() < 1e-9));
        }
    }

    #[test]
    fn masses_of_parts_add_up_to_the_mass_of_the_whole() {
        let web = web();
        let options = MassOptions { good_share: 0.5, ..MassOptions::default() };
        let (half, rest): (Vec<Node>, Vec<Node>) = web.nodes().skip(1).partition(|n| n.0 % 2 == 0);
        let good = spam_mass(web.in_links(), &half, &options).unwrap();
        let bad = spam_mass(web.in_links(), &rest, &options).unwrap();
        let all: Vec<Node> = web.nodes().skip(1).collect();
        let whole = MassOptions { good_share: 1.0, ..MassOptions::default() };
        let whole = spam_mass(web.in_links(), &all, &whole).unwrap();
        for ((good, bad), whole) in good.pages.iter().zip(&bad.pages).zip(&whole.pages) {
            assert!((good.good + bad.good - whole.good).abs() < 1e-9);
        }
    }

    #[test]
    fn bad_shares_and_hosts_are_refused() {
        let web = web();
        for good_share in [f64::NAN, -0.1, 1.1] {
            let options = MassOptions { good_share, ..MassOptions::default() };
            assert!(spam_mass(web.in_links(), &[Node(0)], &options).is_err());
        }
        let mass = spam_mass(web.in_links(), &[Node(0)], &MassOptions::default()).unwrap();
        assert!(matches!(host_masses(&mass, &[0; 3]), Err(Error::WrongLength { .. })));
        assert!(matches!(host_masses(&mass, &[17; 17]), Err(Error::BadOption { .. })));
        let none = InLinks::from_arcs(0, []).unwrap();
        assert!(spam_mass(&none, &[], &MassOptions::default()).is_err());
        assert!(matches!(
            spam_mass(&none, &[Node(0)], &MassOptions::default()),
            Err(Error::UnknownNode { .. })
        ));
    }
}
