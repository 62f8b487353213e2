//! Kinds of links: which are kept, which are told apart, which count.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use base::{Link, LinkKind, PageId, PageRecord, Rel};
use graph::{
    BuildOptions, Counted, DeadEnds, Graph, InLinks, Node, PageRankOptions, Precision, Teleport,
    Votes, Weight, pagerank,
};
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
    let all = Counted { nofollow: Weight::FULL, ..Counted::default() };
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
    let all = Counted { nofollow: Weight::FULL, ..Counted::default() };
    check(&records, all, &[("a", "b"), ("a", "c")]);
}

#[test]
fn a_link_that_is_also_vouched_for_is_an_ordinary_one() {
    let records = [page_with(0, "a", &["b"], &["b", "a"]), page(1, "b", &[])];
    check(&records, Counted::default(), &[("a", "b")]);
    check(&records, Counted { nofollow: Weight::FULL, ..Counted::default() }, &[("a", "b")]);
    // Not counted as one kind, it does not come back as the other.
    check(
        &records,
        Counted { nofollow: Weight::FULL, intra_site: Weight::NONE, template: Weight::FULL },
        &[],
    );
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
    check(&records, Counted { nofollow: Weight::FULL, ..Counted::default() }, &[("a", "c")]);
}

#[test]
fn links_within_a_registered_domain_are_told_from_others() {
    let records = [page(
        0,
        "http://www.a.example/",
        &["http://a.example/x", "http://shop.a.example/", "http://b.example/"],
    )];
    let foreign = [("http://www.a.example/", "http://b.example/")];
    check(&records, Counted { intra_site: Weight::NONE, ..Counted::default() }, &foreign);
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
    let links =
        graph.in_links_with(&Counted { template: Weight::NONE, ..Counted::default() }).unwrap();
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
    let only = Counted { template: Weight::NONE, ..Counted::default() };
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
    let links =
        graph.in_links_with(&Counted { intra_site: Weight::NONE, ..Counted::default() }).unwrap();
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

    /// Returns the arcs of one list that count, and how much.
    fn counted(
        &self,
        graph: &Graph,
        list: &BTreeSet<(Node, Node)>,
        counted: Counted,
    ) -> BTreeMap<(Node, Node), f64> {
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
        let weight = |from, to| {
            let mut weight = 1.0;
            if site(from) == site(to) || domain(from) == domain(to) {
                weight *= counted.intra_site.get();
            }
            if is_template(from, to) {
                weight *= counted.template.get();
            }
            weight
        };
        let weighed = list.iter().map(|(from, to)| ((*from, *to), weight(*from, *to)));
        weighed.filter(|(_, weight)| *weight > 0.0).collect()
    }

    /// Returns all arcs that count, and how much.
    fn all(&self, graph: &Graph, counted: Counted) -> BTreeMap<(Node, Node), f64> {
        let mut all = self.counted(graph, &self.vouched, counted);
        let nofollow = counted.nofollow.get();
        for (arc, weight) in self.counted(graph, &self.unvouched, counted) {
            if nofollow > 0.0 && !self.vouched.contains(&arc) {
                all.insert(arc, weight * nofollow);
            }
        }
        all
    }
}

/// PageRank by the book: a full matrix, whose columns are the shares that a node gives to others.
fn dense(num_nodes: usize, arcs: &BTreeMap<(Node, Node), f64>, beta: f64, steps: u32) -> Vec<f64> {
    let size = num_nodes as f64;
    let mut columns = vec![vec![0.0; num_nodes]; num_nodes];
    for ((from, to), weight) in arcs {
        columns[from.index()][to.index()] = *weight;
    }
    for column in &mut columns {
        let given: f64 = column.iter().sum();
        let share = |cell: f64| if given == 0.0 { 1.0 / size } else { cell / given };
        column.iter_mut().for_each(|cell| *cell = share(*cell));
    }
    let mut ranks = vec![1.0 / size; num_nodes];
    for _ in 0..steps {
        let mut next = vec![(1.0 - beta) / size; num_nodes];
        for (column, rank) in columns.iter().zip(&ranks) {
            for (place, cell) in next.iter_mut().zip(column) {
                *place += beta * cell * rank;
            }
        }
        ranks = next;
    }
    ranks
}

/// A log of pages on a few hosts, with links that they vouch for and others; some on all pages.
fn logs() -> impl Strategy<Value = Vec<PageRecord>> {
    let targets = |max| prop::collection::vec((0..24u64, any::<bool>()), 0..max);
    (prop::collection::vec(targets(10), 0..24), targets(3)).prop_map(|(log, shared)| {
        let hosts = ["a.example", "www.a.example", "b.a.example", "c.test"];
        let name = |page: u64| {
            let host = hosts[(page / 8) as usize % 4];
            format!("http://{host}/{}/{page}", ["~x", "y"][page as usize % 2])
        };
        let record = |(index, links): (u64, &Vec<(u64, bool)>)| {
            let mut record = page(index, &name(index), &[]);
            record.links.extend(links.iter().chain(&shared).map(|(target, is_vouched)| {
                match is_vouched {
                    true => link(&name(*target)),
                    false => nofollow(&name(*target)),
                }
            }));
            record
        };
        (0..).zip(&log).map(record).collect()
    })
}

fn weight() -> impl Strategy<Value = Weight> {
    prop_oneof![Just(0.0), Just(1.0), Just(0.25), Just(0.3), Just(1e-5)]
        .prop_map(|value| Weight::new(value).unwrap())
}

fn any_counted() -> impl Strategy<Value = Counted> {
    let all = (weight(), weight(), weight());
    all.prop_map(|(nofollow, intra_site, template)| Counted { nofollow, intra_site, template })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn what_counts_is_what_the_log_says(records in logs()) {
        let folder = tempfile::tempdir().unwrap();
        let graph = graph_in(folder.path(), &records);
        let plain = Plain::of(&graph, &records);
        for choice in 0..8u8 {
            let counted = Counted {
                nofollow: (choice & 1 != 0).into(),
                intra_site: (choice & 2 != 0).into(),
                template: (choice & 4 != 0).into(),
            };
            let expected = plain.all(&graph, counted).into_keys();
            let expected = InLinks::from_arcs(graph.summary().num_nodes, expected).unwrap();
            prop_assert_eq!(graph.in_links_with(&counted).unwrap(), expected, "{:?}", counted);
        }
    }

    #[test]
    fn weighted_links_rank_as_a_full_matrix_does(
        records in logs(),
        choices in prop::collection::vec((any_counted(), 0.0..=1.0f64), 6),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let graph = graph_in(folder.path(), &records);
        let plain = Plain::of(&graph, &records);
        for (counted, beta) in choices {
            let options = PageRankOptions {
                beta, tolerance: 0.0, max_iterations: 20, ..PageRankOptions::default()
            };
            let links = graph.in_links_with(&counted).unwrap();
            let arcs = plain.all(&graph, counted);
            prop_assert_eq!(links.num_arcs(), arcs.len() as u64);
            let ranks = pagerank(&links, &options).unwrap();
            let expected =
                dense(links.num_nodes() as usize, &arcs, beta, ranks.log.len() as u32);
            for (score, wanted) in ranks.scores.iter().zip(&expected) {
                prop_assert!((score - wanted).abs() < 1e-12, "{:?} {:?}", counted, ranks.scores);
            }
        }
    }

    #[test]
    fn links_on_disk_rank_as_those_in_memory_to_the_last_bit(
        records in logs(),
        choices in prop::collection::vec((any_counted(), 0.0..=1.0f64, 0..3u8, any::<bool>()), 6),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let graph = graph_in(folder.path(), &records);
        for (counted, beta, dead_ends, is_single) in choices {
            let options = PageRankOptions {
                beta,
                max_iterations: 20,
                dead_ends: [DeadEnds::Redistribute, DeadEnds::Stay, DeadEnds::Leak][usize::from(dead_ends)],
                precision: if is_single { Precision::Single } else { Precision::Double },
                ..PageRankOptions::default()
            };
            let memory = graph.votes(&counted, u64::MAX).unwrap();
            let disk = graph.votes(&counted, 0).unwrap();
            prop_assert!(!memory.is_on_disk() && (disk.is_on_disk() || records.is_empty()));
            let rank = |votes: &Votes<'_>| votes.pagerank_with(&options, |_| ControlFlow::Continue(())).unwrap();
            prop_assert_eq!(rank(&memory), rank(&disk));
            if graph.summary().num_nodes > 0 {
                let sets = [Teleport::Uniform, Teleport::Nodes(vec![Node(0)])];
                let topics = |votes: &Votes<'_>| votes.topics_with(&sets, &options, |_| ControlFlow::Continue(())).unwrap();
                prop_assert_eq!(topics(&memory), topics(&disk));
            }
        }
    }
}
