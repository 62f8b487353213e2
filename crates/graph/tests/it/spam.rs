//! Webs made to break ranking; and real webs, which are clean, and in which a planted farm is
//! found: these are skipped where `LOOKFAR_DATA` is not set.

use std::collections::HashMap;
use std::fs;

use graph::{
    Evidence, Hosts, InLinks, Links, Node, PageRankOptions, SpamOptions, advise, find_spam,
    pagerank,
};

use super::real::{graphs, pairs};

/// A graph with the hosts of its pages.
#[derive(Default)]
struct Web {
    arcs: Vec<(Node, Node)>,
    host_of: Vec<u32>,
    owner_of: Vec<u32>,
    numbers: HashMap<String, u32>,
    owners: HashMap<String, u32>,
}

impl Web {
    /// Adds a page; whose host it is, the last two labels of the name say.
    fn page(&mut self, host: &str) -> Node {
        let labels: Vec<&str> = host.rsplit('.').take(2).collect();
        let next = u32::try_from(self.owners.len()).unwrap();
        let owner = *self.owners.entry(labels.join(".")).or_insert(next);
        let next = u32::try_from(self.numbers.len()).unwrap();
        let number = *self.numbers.entry(host.to_owned()).or_insert(next);
        if number == next {
            self.owner_of.push(owner);
        }
        self.host_of.push(number);
        Node(u32::try_from(self.host_of.len() - 1).unwrap())
    }

    fn links(&self) -> Links {
        let num_nodes = u32::try_from(self.host_of.len()).unwrap();
        Links::from_arcs(num_nodes, self.arcs.iter().copied()).unwrap()
    }

    fn hosts(&self) -> Hosts<'_> {
        Hosts::new(&self.host_of, &self.owner_of).unwrap()
    }
}

/// The pages of a college.
fn college() -> Option<Web> {
    let folder = graphs("hollins-dat")?;
    let mut web = Web::default();
    let names = fs::read_to_string(folder.join("links.dat")).unwrap();
    for (_, name) in pairs(&names) {
        let rest = name.split_once("://").map_or(name, |(_, rest)| rest);
        web.page(rest.split('/').next().unwrap_or(rest));
    }
    let arcs = fs::read_to_string(folder.join("hollins.dat")).unwrap();
    let arcs = pairs(&arcs).map(|(from, to)| (from, to.parse::<u32>().unwrap()));
    web.arcs.extend(arcs.map(|(from, to)| (Node(from - 1), Node(to - 1))));
    Some(web)
}

/// Blogs of an election year, many of which link to each other; each a host of its own.
fn blogs() -> Option<Web> {
    let text = fs::read_to_string(graphs("polblogs")?.join("polblogs.gml")).unwrap();
    let mut web = Web::default();
    let mut from = None;
    for line in text.lines() {
        match line.trim().split_once(' ') {
            Some(("label", name)) => {
                let name = name.trim_matches('"').replace('.', "-");
                web.page(&name);
            }
            Some(("source", number)) => from = number.parse::<u32>().ok(),
            Some(("target", number)) => {
                let arc = (Node(from.unwrap() - 1), Node(number.parse::<u32>().unwrap() - 1));
                web.arcs.push(arc);
            }
            _ => {}
        }
    }
    Some(web)
}

#[test]
fn spm_05_dead_ends_circles_and_a_million_links_leave_the_scores_a_whole() {
    // Page 0 links to a million pages: most are dead ends, two link to each other, one to itself,
    // a hundred in a circle.
    let num_nodes = 1_000_001;
    let mut arcs: Vec<(Node, Node)> = (1..num_nodes).map(|page| (Node(0), Node(page))).collect();
    arcs.extend([(1, 2), (2, 1), (3, 3)].map(|(from, to)| (Node(from), Node(to))));
    arcs.extend((100..200).map(|page| (Node(page), Node(100 + (page - 99) % 100))));
    let links = InLinks::from_arcs(num_nodes, arcs).unwrap();
    let options = PageRankOptions { tolerance: 1e-6, ..PageRankOptions::default() };
    let ranks = pagerank(&links, &options).unwrap();
    assert!(ranks.converged);
    assert!((ranks.scores.iter().sum::<f64>() - 1.0).abs() < 1e-9);
    assert!(ranks.scores.iter().all(|score| *score > 0.0));
}

#[test]
fn real_webs_are_clean() {
    for web in [college(), blogs()].into_iter().flatten() {
        let report = find_spam(&web.links(), &web.hosts(), &SpamOptions::default()).unwrap();
        assert!(report.findings.is_empty(), "{:#?}", report.findings);
    }
}

#[test]
fn a_farm_planted_in_a_real_web_is_named_alone() {
    for mut web in [college(), blogs()].into_iter().flatten() {
        let target = web.page("www.shop.example");
        web.arcs.push((Node(0), target));
        let mut farm = vec![target];
        for number in 0..60 {
            let page = web.page(&format!("www{}.offers.example", number % 3));
            web.arcs.extend([(target, page), (page, target), (page, Node(number))]);
            farm.push(page);
        }
        let report = find_spam(&web.links(), &web.hosts(), &SpamOptions::default()).unwrap();
        assert_eq!(report.findings.len(), 1, "{:#?}", report.findings);
        assert!(matches!(report.findings[0].evidence, Evidence::Farm(_)));
        assert_eq!(report.page_scores().into_keys().collect::<Vec<_>>(), farm);
    }
}

#[test]
fn advice_for_a_real_page_comes_true() {
    let Some(web) = blogs() else { return };
    let advice = advise(&web.links(), Node(1_000), 1, |_| true, &PageRankOptions::default());
    let advice = advice.unwrap();
    let best = advice.suggestions[0];
    assert!(best.proven && best.recomputed > advice.before);
    assert!((best.predicted - best.recomputed).abs() < 1e-12, "{best:?}");
}
