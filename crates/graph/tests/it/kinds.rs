//! Kinds of links: which are kept, which are told apart, which count.

use std::collections::{BTreeMap, BTreeSet};

use base::{Link, LinkKind, PageId, PageRecord, Rel};
use graph::{BuildOptions, Counted, Graph, InLinks, Node, PageRankOptions, pagerank};
use proptest::prelude::*;

use crate::web::{graph_in, graph_of, link, page, url};

fn nofollow(target: &str) -> Link {
    Link { rel: Rel { nofollow: true, ..Rel::default() }, ..link(target) }
}

/// Returns a page with ordinary links and links it does not vouch for.
fn page_with(index: u64, name: &str, targets: &[&str], unvouched: &[&str]) -> PageRecord {
    let mut record = page(index, name, targets);
    record.links.extend(unvouched.iter().map(|target| nofollow(target)));
    record
}

/// Returns the arcs of a graph in memory as addresses, sorted.
fn arcs(graph: &Graph, links: &InLinks) -> Vec<(String, String)> {
    let name = |node| graph.url(node).unwrap().unwrap().as_str().to_owned();
    let nodes = (0..links.num_nodes()).map(Node);
    let mut arcs: Vec<_> = nodes
        .flat_map(|to| links.sources(to).map(move |from| (from, to)))
        .map(|(from, to)| (name(from), name(to)))
        .collect();
    arcs.sort_unstable();
    arcs
}

#[track_caller]
fn check(records: &[PageRecord], counted: Counted, expected: &[(&str, &str)]) {
    let folder = tempfile::tempdir().unwrap();
    let graph = graph_in(folder.path(), records);
    let name = |name: &str| url(name).as_str().to_owned();
    let mut expected: Vec<_> = expected.iter().map(|(from, to)| (name(from), name(to))).collect();
    expected.sort_unstable();
    assert_eq!(arcs(&graph, &graph.in_links_with(&counted).unwrap()), expected);
}

#[test]
fn links_without_endorsement_are_kept_and_count_when_asked_for() {
    let records = [page_with(0, "a", &["b"], &["c"]), page(1, "b", &["a"]), page(2, "c", &[])];
    let vouched = [("a", "b"), ("b", "a")];
    check(&records, Counted::default(), &vouched);
    let all = Counted { nofollow: true, ..Counted::default() };
    check(&records, all, &[vouched.as_slice(), &[("a", "c")]].concat());
}

#[test]
fn ugc_and_paid_links_are_not_vouched_for_and_pictures_are_no_links() {
    let mut record = page(0, "a", &["b", "c", "d"]);
    record.links[0].rel.ugc = true;
    record.links[1].rel.sponsored = true;
    record.links[2] = Link { kind: LinkKind::Media, ..nofollow("d") };
    let records = [record, page(1, "b", &[]), page(2, "c", &[]), page(3, "d", &[])];
    check(&records, Counted::default(), &[]);
    let all = Counted { nofollow: true, ..Counted::default() };
    check(&records, all, &[("a", "b"), ("a", "c")]);
}

#[test]
fn a_link_that_is_also_vouched_for_is_an_ordinary_one() {
    let records = [page_with(0, "a", &["b"], &["b", "a"]), page(1, "b", &[])];
    check(&records, Counted::default(), &[("a", "b")]);
    check(&records, Counted { nofollow: true, ..Counted::default() }, &[("a", "b")]);
    // Not counted as one kind, it does not come back as the other.
    check(&records, Counted { nofollow: true, intra_site: false, template: true }, &[]);
}

#[test]
fn spm_04_addresses_that_nobody_vouches_for_are_no_nodes() {
    let spam: Vec<String> = (0..50).map(|number| format!("http://spam{number}.example/")).collect();
    let spam: Vec<&str> = spam.iter().map(String::as_str).collect();
    let (graph, summary) = graph_of(&[page_with(0, "a", &["b"], &spam)], &BuildOptions::default());
    assert_eq!((summary.num_nodes, summary.num_arcs, summary.num_nofollow), (2, 1, 0));
    assert_eq!(graph.node_of_url(&url("http://spam7.example/")).unwrap(), None);
}

#[test]
fn spm_04_links_without_endorsement_carry_no_score() {
    let mut records = vec![page(0, "home", &["fair"]), page(1, "fair", &[]), page(2, "spam", &[])];
    records.push(page(3, "unknown", &[]));
    for index in 4..64 {
        let mut record = page(index, &format!("guest-book/{index}"), &["spam", "home"]);
        let rel = &mut record.links[0].rel;
        match index % 3 {
            0 => rel.nofollow = true,
            1 => rel.ugc = true,
            _ => rel.sponsored = true,
        }
        records.push(record);
    }
    let (graph, _) = graph_of(&records, &BuildOptions::default());
    let ranks = pagerank(&graph.in_links().unwrap(), &PageRankOptions::default()).unwrap();
    let rank = |name: &str| ranks.scores[graph.node_of_url(&url(name)).unwrap().unwrap().index()];
    assert!((rank("spam") - rank("unknown")).abs() < 1e-12);
    assert!(rank("fair") > 10.0 * rank("spam"));
}

#[test]
fn only_the_last_record_of_a_page_says_what_it_does_not_vouch_for() {
    let records = [
        page_with(0, "a", &[], &["b"]),
        page(1, "b", &[]),
        page(2, "c", &[]),
        page_with(0, "a", &[], &["c"]),
    ];
    check(&records, Counted { nofollow: true, ..Counted::default() }, &[("a", "c")]);
}

#[test]
fn links_within_a_registered_domain_are_told_from_others() {
    let records = [page(
        0,
        "http://www.a.example/",
        &["http://a.example/x", "http://shop.a.example/", "http://b.example/"],
    )];
    let foreign = [("http://www.a.example/", "http://b.example/")];
    check(&records, Counted { intra_site: false, ..Counted::default() }, &foreign);
}

/// Returns a site of `num_pages` pages, each with the links of `template` and one of its own.
fn templated(num_pages: u64, template: &[&str]) -> Vec<PageRecord> {
    let targets = |number: u64| format!("http://t{number}.example/");
    (0..num_pages)
        .map(|number| {
            let own = targets(number);
            let links: Vec<&str> = template.iter().copied().chain([own.as_str()]).collect();
            page(number, &format!("p/{number}"), &links)
        })
        .collect()
}

#[test]
fn links_on_nearly_every_page_of_a_site_are_its_template() {
    let mut records = templated(10, &["http://sponsor.example/"]);
    // Two of ten do not have it: still nearly all.
    for record in &mut records[..2] {
        record.links.remove(0);
    }
    let folder = tempfile::tempdir().unwrap();
    let graph = graph_in(folder.path(), &records);
    assert_eq!((graph.summary().num_arcs, graph.summary().num_template), (18, 8));
    let links = graph.in_links_with(&Counted { template: false, ..Counted::default() }).unwrap();
    assert_eq!(links.num_arcs(), 10);
    let sponsor = graph.node_of_url(&url("http://sponsor.example/")).unwrap().unwrap();
    assert_eq!(links.sources(sponsor).len(), 0);
    assert_eq!(graph.in_links().unwrap().sources(sponsor).len(), 8);
}

#[test]
fn links_on_some_pages_or_of_a_tiny_site_are_no_template() {
    let mut records = templated(10, &["http://sponsor.example/"]);
    for record in &mut records[..3] {
        record.links.remove(0);
    }
    for records in [records, templated(4, &["http://sponsor.example/"])] {
        let (_, summary) = graph_of(&records, &BuildOptions::default());
        assert_eq!(summary.num_template, 0);
    }
}

#[test]
fn the_template_of_one_site_is_not_that_of_another() {
    let mut records = templated(10, &["http://sponsor.example/"]);
    let mut fan = page(10, "http://fan.example/", &["http://sponsor.example/"]);
    fan.id = PageId::new(0, 10).unwrap();
    records.push(fan);
    let only = Counted { template: false, ..Counted::default() };
    let folder = tempfile::tempdir().unwrap();
    let graph = graph_in(folder.path(), &records);
    let sponsor = graph.node_of_url(&url("http://sponsor.example/")).unwrap().unwrap();
    let links = graph.in_links_with(&only).unwrap();
    let fan = graph.node_of_url(&url("http://fan.example/")).unwrap().unwrap();
    assert_eq!(links.sources(sponsor).collect::<Vec<_>>(), [fan]);
}

#[test]
fn a_graph_without_any_counted_link_is_ranked_too() {
    let folder = tempfile::tempdir().unwrap();
    let graph = graph_in(folder.path(), &[page(0, "a", &["b"]), page(1, "b", &["a"])]);
    let links = graph.in_links_with(&Counted { intra_site: false, ..Counted::default() }).unwrap();
    assert_eq!((links.num_nodes(), links.num_arcs()), (2, 0));
    let ranks = pagerank(&links, &PageRankOptions::default()).unwrap();
    assert!(ranks.scores.iter().all(|score| (score - 0.5).abs() < 1e-9));
}

/// The arcs of a log, told apart the plain way.
#[derive(Default)]
struct Plain {
    vouched: BTreeSet<(Node, Node)>,
    unvouched: BTreeSet<(Node, Node)>,
}

impl Plain {
    fn of(graph: &Graph, records: &[PageRecord]) -> Self {
        let mut plain = Self::default();
        for record in records {
            let from = graph.node_of_page(record.id).unwrap();
            for link in &record.links {
                let Some(to) = graph.node_of_url(&link.target).unwrap() else { continue };
                let list = match link.rel.is_endorsement() {
                    true => &mut plain.vouched,
                    false => &mut plain.unvouched,
                };
                list.extend((from != to).then_some((from, to)));
            }
        }
        plain
    }

    /// Returns the arcs of one list that count.
    fn counted(
        &self,
        graph: &Graph,
        list: &BTreeSet<(Node, Node)>,
        counted: Counted,
    ) -> BTreeSet<(Node, Node)> {
        let site = |node| graph.site(node).unwrap().unwrap();
        let domain = |node| graph.url(node).unwrap().unwrap().site();
        let linking: BTreeSet<Node> = self.vouched.iter().map(|(from, _)| *from).collect();
        let mut num_linking: BTreeMap<u32, usize> = BTreeMap::new();
        for node in linking {
            *num_linking.entry(site(node)).or_default() += 1;
        }
        let is_template = |from: Node, to: Node| {
            let same = list.iter().filter(|arc| arc.1 == to && site(arc.0) == site(from)).count();
            same >= 5 && same * 10 >= num_linking.get(&site(from)).copied().unwrap_or(0) * 8
        };
        let counts = |(from, to): &(Node, Node)| {
            let is_intra = site(*from) == site(*to) || domain(*from) == domain(*to);
            (counted.intra_site || !is_intra) && (counted.template || !is_template(*from, *to))
        };
        list.iter().copied().filter(|arc| counts(arc)).collect()
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn what_counts_is_what_the_log_says(
        log in prop::collection::vec(prop::collection::vec((0..24u64, any::<bool>()), 0..10), 0..24),
        shared in prop::collection::vec((0..24u64, any::<bool>()), 0..3),
    ) {
        let hosts = ["a.example", "www.a.example", "b.a.example", "c.test"];
        let name = |page: u64| format!("http://{}/{}/{page}", hosts[(page / 8) as usize % 4], ["~x", "y"][page as usize % 2]);
        let records: Vec<PageRecord> = (0..).zip(&log).map(|(index, links)| {
            let mut record = page(index, &name(index), &[]);
            record.links.extend(links.iter().chain(&shared).map(|(target, is_vouched)| {
                match is_vouched {
                    true => link(&name(*target)),
                    false => nofollow(&name(*target)),
                }
            }));
            record
        }).collect();
        let folder = tempfile::tempdir().unwrap();
        let graph = graph_in(folder.path(), &records);
        let plain = Plain::of(&graph, &records);
        for choice in 0..8u8 {
            let counted = Counted {
                nofollow: choice & 1 != 0,
                intra_site: choice & 2 != 0,
                template: choice & 4 != 0,
            };
            let mut expected = plain.counted(&graph, &plain.vouched, counted);
            if counted.nofollow {
                let others = plain.counted(&graph, &plain.unvouched, counted);
                expected.extend(others.difference(&plain.vouched).copied());
            }
            let expected = InLinks::from_arcs(graph.summary().num_nodes, expected).unwrap();
            prop_assert_eq!(graph.in_links_with(&counted).unwrap(), expected, "{:?}", counted);
        }
    }
}
