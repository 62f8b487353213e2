//! Graphs of page logs: what is a node, what is an arc, and what a build leaves behind.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::ops::ControlFlow;

use base::log::Position;
use base::{Collection, Generation, LinkKind, PageId, PageRecord, Rel};
use graph::{
    AnalyseOptions, BuildOptions, Error, Graph, InLinks, Node, PageRankOptions, Scores, Stage,
    analyse, build, check_graph, check_scores, pagerank, read_convergence, read_node_scores,
    read_summary, unwatched,
};
use proptest::prelude::*;

use crate::web::{append, go_on, graph_of, link, links_of, page, url};

#[track_caller]
fn check(records: &[PageRecord], name: &str, expected: &[&str]) {
    let (graph, _) = graph_of(records, &BuildOptions::default());
    let expected: BTreeSet<String> = expected.iter().map(|name| url(name).to_string()).collect();
    assert_eq!(links_of(&graph, name), Vec::from_iter(expected));
}

#[test]
fn links_become_arcs_once_and_never_to_oneself() {
    check(&[page(0, "a", &["b", "c", "b", "a"])], "a", &["b", "c"]);
}

#[test]
fn the_last_record_of_a_page_decides() {
    let records = [page(0, "a", &["b"]), page(1, "b", &["a"]), page(0, "a", &["c"])];
    check(&records, "a", &["c"]);
    check(&records, "b", &["a"]);
    check(&[page(0, "a", &["b"]), page(0, "a", &[])], "a", &[]);
}

#[test]
fn a_forgotten_page_has_no_links_any_more() {
    let mut grave = page(0, "a", &[]);
    (grave.status, grave.oddities) = (410, vec![base::Oddity::Forgotten]);
    check(&[page(0, "a", &["b"]), page(1, "b", &["a"]), grave], "a", &[]);
}

#[test]
fn a_redirect_is_a_node_with_one_arc() {
    let mut moved = page(0, "old", &["elsewhere"]);
    moved.status = 301;
    moved.redirect = Some(url("new"));
    check(&[moved, page(1, "new", &[])], "old", &["new"]);
}

#[test]
fn pages_that_are_errors_vouch_for_nothing() {
    let mut missing = page(0, "gone", &["b"]);
    missing.status = 404;
    check(&[missing], "gone", &[]);
}

#[test]
fn only_links_that_the_page_vouches_for_count() {
    let mut record = page(0, "a", &["plain"]);
    for (name, kind, rel) in [
        ("nofollow", LinkKind::Anchor, Rel { nofollow: true, ..Rel::default() }),
        ("ugc", LinkKind::Anchor, Rel { ugc: true, ..Rel::default() }),
        ("sponsored", LinkKind::Anchor, Rel { sponsored: true, ..Rel::default() }),
        ("picture", LinkKind::Media, Rel::default()),
        ("next", LinkKind::Related, Rel::default()),
        ("frame", LinkKind::Frame, Rel::default()),
        ("canonical", LinkKind::Canonical, Rel::default()),
        ("refresh", LinkKind::Redirect, Rel::default()),
    ] {
        record.links.push(base::Link { kind, rel, ..link(name) });
    }
    let (graph, summary) = graph_of(&[record], &BuildOptions::default());
    assert_eq!(summary.num_nodes, 5);
    assert_eq!(graph.node_of_url(&url("nofollow")).unwrap(), None);
    let expected = ["plain", "frame", "canonical", "refresh"].map(|name| url(name).to_string());
    assert_eq!(links_of(&graph, "a"), Vec::from_iter(BTreeSet::from(expected)));
}

#[test]
fn pages_known_but_not_fetched_are_nodes_without_a_page() {
    let (graph, summary) = graph_of(&[page(0, "a", &["b"])], &BuildOptions::default());
    assert_eq!((summary.num_nodes, summary.num_pages, summary.num_arcs), (2, 1, 1));
    let known = graph.node_of_url(&url("b")).unwrap().unwrap();
    assert_eq!(graph.page(known).unwrap(), None);
    assert_eq!(graph.successors(known).count(), 0);
    let fetched = graph.node_of_page(PageId::new(0, 0).unwrap()).unwrap();
    assert_eq!(Vec::from_iter(graph.predecessors(known)), [fetched]);
}

#[test]
fn ids_of_other_partitions_and_pages_to_come_are_unknown() {
    let (graph, _) = graph_of(&[page(0, "a", &["b"])], &BuildOptions::default());
    for (partition, index) in [(0, 1), (0, 1 << 40), (1, 0)] {
        assert_eq!(graph.node_of_page(PageId::new(partition, index).unwrap()), None);
    }
    let past = Node(2);
    assert_eq!(graph.url(past).unwrap(), None);
    assert_eq!((graph.successors(past).count(), graph.predecessors(past).count()), (0, 0));
}

#[test]
fn sites_are_ranges_of_nodes() {
    let names = ["http://www.b.example/", "http://a.example/x", "http://b.example/z"];
    let records: Vec<_> = (0..).zip(names).map(|(index, name)| page(index, name, &[])).collect();
    let (graph, _) = graph_of(&records, &BuildOptions::default());
    let order: Vec<_> =
        (0..3).map(|node| graph.url(Node(node)).unwrap().unwrap().to_string()).collect();
    assert_eq!(order, ["http://a.example/x", "http://www.b.example/", "http://b.example/z"]);
}

#[test]
fn an_empty_log_is_an_empty_graph() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("1");
    // Neither a folder that is missing nor one without segments is an error.
    for pages in ["missing", "."] {
        let pages = folder.path().join(pages);
        let summary = build(&pages, &place, &BuildOptions::default(), &mut go_on).unwrap();
        assert_eq!((summary.num_nodes, summary.up_to), (0, Position::START));
        check_graph(&place).unwrap();
        let graph = Graph::open(&place).unwrap();
        assert_eq!(graph.in_links().unwrap().num_nodes(), 0);
        assert_eq!(graph.node_of_url(&url("a")).unwrap(), None);
    }
}

#[test]
fn one_page_is_a_graph() {
    let (graph, summary) = graph_of(&[page(0, "a", &[])], &BuildOptions::default());
    assert_eq!((summary.num_nodes, summary.num_arcs), (1, 0));
    let ranks = pagerank(&graph.in_links().unwrap(), &PageRankOptions::default()).unwrap();
    assert_eq!(ranks.scores.len(), 1);
    assert!((ranks.scores[0] - 1.0).abs() < 1e-9);
}

#[test]
fn a_page_of_ten_thousand_links_is_one_page() {
    let names: Vec<String> = (0..10_000).map(|number| format!("p/{number}")).collect();
    let targets: Vec<&str> = names.iter().map(String::as_str).collect();
    let options = BuildOptions { memory: 64 * 1024, ..BuildOptions::default() };
    let (graph, summary) = graph_of(&[page(0, "a", &targets)], &options);
    assert_eq!((summary.num_nodes, summary.num_arcs), (10_001, 10_000));
    assert_eq!(links_of(&graph, "a").len(), 10_000);
}

#[test]
fn the_same_log_gives_the_same_files_whatever_the_memory() {
    let folder = tempfile::tempdir().unwrap();
    let pages = folder.path().join("pages");
    let names: Vec<String> = (0..200).map(|number| format!("p/{number}")).collect();
    let targets = |from: usize| [names[from * 7 % 200].as_str(), names[from * 31 % 200].as_str()];
    let records: Vec<_> =
        (0..150).map(|from| page(from as u64, &names[from], &targets(from))).collect();
    append(&pages, &records);
    let manifests = [0, 5_000, 1 << 20].map(|memory| {
        let place = folder.path().join(memory.to_string());
        build(&pages, &place, &BuildOptions { memory, up_to: None }, &mut go_on).unwrap();
        fs::read_to_string(place.join("manifest")).unwrap()
    });
    assert!(manifests.iter().all(|manifest| *manifest == manifests[0]));
}

#[test]
fn what_is_appended_meanwhile_is_left_for_the_next_generation() {
    let folder = tempfile::tempdir().unwrap();
    let (pages, place) = (folder.path().join("pages"), folder.path().join("1"));
    append(&pages, &[page(0, "a", &["b"])]);
    // The end is looked at before the first sign of progress is given.
    let mut is_late = false;
    let summary = build(&pages, &place, &BuildOptions::default(), &mut |progress| {
        if progress.stage == Stage::Read && !is_late {
            is_late = true;
            append(&pages, &[page(1, "b", &["c"])]);
        }
        ControlFlow::Continue(())
    })
    .unwrap();
    assert!(is_late);
    assert_eq!((summary.num_records, summary.num_nodes), (1, 2));
    let whole = build(&pages, &place, &BuildOptions::default(), &mut go_on).unwrap();
    assert_eq!((whole.num_records, whole.num_nodes), (2, 3));
    // A caller may name the end, too.
    let options = BuildOptions { up_to: Some(summary.up_to), ..BuildOptions::default() };
    assert_eq!(build(&pages, &place, &options, &mut go_on).unwrap(), summary);
}

#[test]
fn ids_that_no_counter_gave_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("1");
    let with_id = |name: &str, partition, index| {
        let id = PageId::new(partition, index).unwrap();
        PageRecord { id, ..page(0, name, &[]) }
    };
    for (name, records) in [
        ("mixed", vec![with_id("a", 0, 0), with_id("b", 1, 0)]),
        ("large", vec![with_id("a", 0, 1 << 40)]),
    ] {
        let pages = folder.path().join(name);
        append(&pages, &records);
        let built = build(&pages, &place, &BuildOptions::default(), &mut go_on);
        assert!(matches!(built, Err(Error::PageId { .. })), "{name}");
        assert!(!place.exists());
    }
}

#[test]
fn sto_02_an_interrupted_analysis_leaves_nothing_in_use() {
    let folder = tempfile::tempdir().unwrap();
    let collection = Collection::open_or_create(&folder.path().join("c")).unwrap();
    append(&collection.pages(), &[page(0, "a", &["b"])]);
    let options = AnalyseOptions::default();
    let stages = [
        Stage::Read,
        Stage::Number,
        Stage::Join,
        Stage::Compress,
        Stage::Sites,
        Stage::Levels,
        Stage::Rank,
    ];
    for last in stages {
        let broken = analyse(&collection, Generation(1), &options, &mut |progress| {
            if progress.stage == last { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        assert!(matches!(broken, Err(Error::Interrupted)), "{last:?}");
        assert!(!collection.scores(Generation(1)).exists());
        assert_eq!(collection.generation().unwrap(), None);
    }
    // As a killed process leaves it.
    let left = collection.graph(Generation(1)).with_added_extension("tmp");
    fs::create_dir_all(left.join("scratch")).unwrap();
    analyse(&collection, Generation(2), &options, &mut unwatched).unwrap();
    assert!(!left.exists());
    // Nor does it harm what is in use.
    fs::create_dir_all(collection.anchors(Generation(2))).unwrap();
    collection.publish(Generation(2)).unwrap();
    let ranks = || fs::read(collection.scores(Generation(2)).join("pagerank.nodes.f32")).unwrap();
    let before = ranks();
    append(&collection.pages(), &[page(1, "b", &["a", "c"])]);
    for last in stages {
        let broken = analyse(&collection, Generation(3), &options, &mut |progress| {
            if progress.stage == last { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        assert!(matches!(broken, Err(Error::Interrupted)), "{last:?}");
        assert_eq!(collection.generation().unwrap(), Some(Generation(2)));
        check_graph(&collection.graph(Generation(2))).unwrap();
        check_scores(&collection.scores(Generation(2))).unwrap();
        assert_eq!(ranks(), before, "{last:?}");
    }
}

#[test]
fn a_generation_holds_graph_and_scores() {
    let folder = tempfile::tempdir().unwrap();
    let collection = Collection::open_or_create(&folder.path().join("c")).unwrap();
    // W1 and a page that nobody fetched.
    append(
        &collection.pages(),
        &[
            page(0, "A", &["B", "C", "D"]),
            page(1, "B", &["A", "D"]),
            page(2, "C", &["A"]),
            page(4, "D", &["B", "C", "unfetched"]),
        ],
    );
    let generation = Generation(1);
    let analysis =
        analyse(&collection, generation, &AnalyseOptions::default(), &mut unwatched).unwrap();
    assert!(analysis.converged);
    let (graph_folder, folder) = (collection.graph(generation), collection.scores(generation));
    assert_eq!(read_summary(&graph_folder).unwrap(), analysis.graph);
    check_graph(&graph_folder).unwrap();
    check_scores(&folder).unwrap();
    let log = read_convergence(&folder).unwrap();
    assert_eq!(log.log.len() as u32, analysis.num_iterations);
    let graph = Graph::open(&graph_folder).unwrap();
    let ranks = pagerank(&graph.in_links().unwrap(), &PageRankOptions::default()).unwrap();
    let scores = Scores::open(&folder).unwrap();
    assert_eq!(scores.len(), 5);
    for index in [0, 1, 2, 4] {
        let id = PageId::new(0, index).unwrap();
        let node = graph.node_of_page(id).unwrap();
        assert_eq!(graph.page(node).unwrap(), Some(id));
        assert_eq!(scores.get(id), Some(ranks.scores[node.index()] as f32));
    }
    for id in [PageId::new(0, 3), PageId::new(0, 5), PageId::new(1, 0)] {
        assert_eq!(scores.get(id.unwrap()), None);
    }
    let by_node = read_node_scores(&folder).unwrap();
    let unfetched = graph.node_of_url(&url("unfetched")).unwrap().unwrap();
    assert!(by_node[unfetched.index()] > 0.0);
    assert!((by_node.iter().sum::<f32>() - 1.0).abs() < 1e-6);
    assert_eq!(scores.max(), scores.get(PageId::new(0, 0).unwrap()).unwrap());
    assert!(scores.mean() > 0.0 && scores.mean() < scores.max());
    let again = analyse(&collection, generation, &AnalyseOptions::default(), &mut unwatched);
    assert_eq!(again.unwrap(), analysis);
}

#[test]
fn the_generation_in_use_is_not_built_over() {
    let folder = tempfile::tempdir().unwrap();
    let collection = Collection::open_or_create(&folder.path().join("c")).unwrap();
    let options = AnalyseOptions::default();
    analyse(&collection, Generation(1), &options, &mut unwatched).unwrap();
    fs::create_dir_all(collection.anchors(Generation(1))).unwrap();
    collection.publish(Generation(1)).unwrap();
    let refused = analyse(&collection, Generation(1), &options, &mut unwatched);
    assert!(matches!(refused, Err(Error::OldGeneration { .. })));
}

/// A log of `records` fetches: (page, targets), in log order.
fn logs() -> impl Strategy<Value = Vec<(u64, Vec<u64>)>> {
    let targets = prop::collection::vec(0..30u64, 0..12);
    prop::collection::vec((0..20u64, targets), 0..60)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]
    #[test]
    fn what_is_built_is_what_the_log_says(log in logs(), memory in prop_oneof![Just(0usize), Just(2_000), Just(1 << 20)]) {
        // Hosts of differing depth, so that SURT order is not the order of the texts.
        let name = |page: u64| format!("http://{}x.example/{page}", "w.".repeat(page as usize % 3));
        let mut ids = BTreeMap::new();
        let mut expected: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        let mut records = Vec::new();
        for (from, targets) in &log {
            let next = ids.len() as u64;
            let id = *ids.entry(*from).or_insert(next);
            let names: Vec<String> = targets.iter().map(|target| name(*target)).collect();
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            records.push(page(id, &name(*from), &names));
            let others = names.iter().filter(|target| **target != name(*from));
            expected.insert(name(*from), others.map(|name| (*name).to_owned()).collect());
        }
        let (graph, summary) = graph_of(&records, &BuildOptions { memory, ..BuildOptions::default() });
        prop_assert_eq!(summary.num_pages, ids.len() as u64);
        prop_assert_eq!(summary.num_arcs, expected.values().map(|list| list.len() as u64).sum::<u64>());
        for (from, targets) in &expected {
            prop_assert_eq!(&links_of(&graph, from), &Vec::from_iter(targets.iter().cloned()));
        }
        for (number, id) in &ids {
            let node = graph.node_of_url(&url(&name(*number))).unwrap();
            prop_assert_eq!(graph.node_of_page(PageId::new(0, *id).unwrap()), node);
            prop_assert_eq!(graph.page(node.unwrap()).unwrap(), PageId::new(0, *id));
        }
        let nodes = (0..summary.num_nodes).map(Node);
        let arcs = nodes.flat_map(|from| graph.successors(from).map(move |to| (from, to)).collect::<Vec<_>>());
        let links = InLinks::from_arcs(summary.num_nodes, arcs).unwrap();
        prop_assert_eq!(links, graph.in_links().unwrap());
    }
}

#[test]
fn what_matters_and_was_not_fetched_is_wanted_best_first() {
    let folder = tempfile::tempdir().unwrap();
    let collection = Collection::open_or_create(&folder.path().join("c")).unwrap();
    let records = [
        page(0, "a", &["b", "much"]),
        page(1, "b", &["a", "much", "some"]),
        page(2, "c", &["much", "some", "a"]),
        page(3, "d", &["little", "a", "b", "c"]),
    ];
    append(&collection.pages(), &records);
    let options = AnalyseOptions::default();
    analyse(&collection, Generation(1), &options, &mut unwatched).unwrap();
    let wanted = graph::wanted(&collection, Generation(1), 10).unwrap();
    let names: Vec<&str> = wanted.iter().map(|(url, _)| url.path()).collect();
    assert_eq!(names, ["/much", "/some", "/little"]);
    assert!(wanted[0].1 > 1.0 && wanted[2].1 < 1.0, "1 is an average page: {wanted:?}");
    assert_eq!(graph::wanted(&collection, Generation(1), 1).unwrap(), wanted[..1]);
    assert_eq!(graph::wanted(&collection, Generation(1), 0).unwrap(), []);
}

#[test]
fn spm_02_links_of_a_farm_do_not_count_where_the_user_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let collection = Collection::open_or_create(&folder.path().join("c")).unwrap();
    // A hundred hosts of one owner hold up a shop; an honest page has twenty links from others.
    let (shop, honest) = ("http://shop.example/", "http://honest.example/");
    let supporter = |n: usize| format!("http://f{n}.farm.example/");
    let supporters: Vec<String> = (0..100).map(supporter).collect();
    let mut records = vec![page(0, honest, &[]), {
        let targets: Vec<&str> = supporters.iter().map(String::as_str).collect();
        page(1, shop, &targets)
    }];
    for (index, name) in (2..).zip(&supporters) {
        records.push(page(index, name, &[shop]));
    }
    for n in 0..20 {
        let others: Vec<String> =
            (1..8).map(|k| format!("http://site{}.example/", (n + k) % 20)).collect();
        let targets: Vec<&str> =
            std::iter::once(honest).chain(others.iter().map(String::as_str)).collect();
        records.push(page(200 + n, &format!("http://site{n}.example/"), &targets));
    }
    append(&collection.pages(), &records);
    let best = |generation, spam| {
        let options = AnalyseOptions { spam, ..AnalyseOptions::default() };
        analyse(&collection, generation, &options, &mut unwatched).unwrap();
        let scores = Scores::open(&collection.scores(generation)).unwrap();
        [1, 0].map(|index| scores.get(PageId::new(0, index).unwrap()).unwrap())
    };
    let [shop, honest] = best(Generation(1), true);
    assert!(shop > 2.0 * honest, "the farm works: {shop} {honest}");
    let [shop, honest] = best(Generation(2), false);
    assert!(shop < honest, "the farm does not work: {shop} {honest}");
}
