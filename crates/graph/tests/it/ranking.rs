//! Ranking a generation: from disk where memory is short, and from the ranks of the last one.

use std::fs;
use std::ops::ControlFlow;

use base::{Collection, Generation, PageRecord};
use graph::{
    AnalyseOptions, Analysis, Begin, Counted, DeadEnds, Error, Node, PageRankOptions, Progress,
    ReputationOptions, Stage, Teleport, Votes, Weight, analyse, read_node_scores, unwatched,
};

use crate::web::{append, graph_in, page};

/// Returns pages of a few hosts with `num_links` links each, to themselves and to others.
fn web(pages: std::ops::Range<u64>, num_links: u64) -> Vec<PageRecord> {
    let name = |number: u64| format!("http://h{}.example/{number}", number % 7);
    pages
        .map(|index| {
            let target = |link: u64| {
                let number = index.wrapping_mul(2_654_435_761).wrapping_add(link * link * 97);
                name(number % (1 + index / 2 + 40 * link))
            };
            let targets: Vec<String> = (0..num_links).map(target).collect();
            let targets: Vec<&str> = targets.iter().map(String::as_str).collect();
            page(index, &name(index), &targets)
        })
        .collect()
}

#[test]
fn a_large_graph_is_packed_and_ranks_as_it_does_from_disk() {
    let folder = tempfile::tempdir().unwrap();
    let name = |number: u64| format!("http://h{}.example/{number}", number % 7);
    let records: Vec<PageRecord> = (0..50)
        .map(|index| {
            let mut targets: Vec<String> = (0..40).map(|link| name(index * link % 50)).collect();
            targets.extend((0..1_400).map(|link| name(index * 1_400 + link)));
            let targets: Vec<&str> = targets.iter().map(String::as_str).collect();
            page(index, &name(index), &targets)
        })
        .collect();
    let graph = graph_in(folder.path(), &records);
    assert!(graph.summary().num_nodes > 65_536);
    let needed = graph.memory_to_rank(&Counted::default());
    let votes = |memory| graph.votes(&Counted::default(), memory).unwrap();
    let (packed, plain, disk) = (votes(u64::MAX), votes(needed), votes(needed - 1));
    assert!(matches!(packed, Votes::Packed(_)));
    // Where there is just the room for plain links, they are not packed.
    assert!(matches!(plain, Votes::Memory(_)) && disk.is_on_disk());
    let teleport = Teleport::Nodes(vec![Node(3), Node(65_600)]);
    for options in [
        PageRankOptions { tolerance: 1e-3, ..PageRankOptions::default() },
        PageRankOptions { max_iterations: 4, teleport, ..PageRankOptions::default() },
    ] {
        let rank = |votes: &Votes<'_>| {
            votes.pagerank_with(&options, |_| ControlFlow::Continue(())).unwrap()
        };
        let (one, other) = (rank(&packed), rank(&disk));
        assert_eq!(rank(&plain), other);
        assert_eq!(one.log.len(), other.log.len());
        let pairs = one.scores.iter().zip(&other.scores);
        let sum: f64 = pairs.map(|(one, other)| (one - other).abs()).sum();
        assert!(sum < 1e-13, "{sum:e}");
    }
}

#[test]
fn many_pieces_of_a_graph_on_disk_rank_as_all_of_it_in_memory() {
    let folder = tempfile::tempdir().unwrap();
    // Each of a few pages links to many others: three pieces of 4,096 nodes.
    let name = |number: u64| format!("http://h{}.example/{number}", number % 7);
    let records: Vec<PageRecord> = (0..60)
        .map(|index| {
            let targets = (0..300).map(|link| name((index * 211 + link * link) % 12_000));
            let mut targets: Vec<String> = targets.collect();
            targets.extend((0..200).map(|link| name(index * 200 + link)));
            let targets: Vec<&str> = targets.iter().map(String::as_str).collect();
            page(index, &name(index), &targets)
        })
        .collect();
    let graph = graph_in(folder.path(), &records);
    assert!(graph.summary().num_nodes > 2 * 4_096);
    let half = Weight::new(0.5).unwrap();
    for counted in [Counted::default(), Counted { intra_site: half, ..Counted::default() }] {
        let options = PageRankOptions { max_iterations: 4, ..PageRankOptions::default() };
        let ranks = |memory| {
            let votes = graph.votes(&counted, memory).unwrap();
            votes.pagerank_with(&options, |_| ControlFlow::Continue(())).unwrap()
        };
        let needed = graph.memory_to_rank(&counted);
        assert!(graph.votes(&counted, needed - 1).unwrap().is_on_disk());
        assert!(!graph.votes(&counted, needed).unwrap().is_on_disk());
        assert_eq!(ranks(needed), ranks(needed - 1));
    }
}

#[test]
fn what_needs_memory_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let graph = graph_in(folder.path(), &web(0..20, 3));
    let options = PageRankOptions { dead_ends: DeadEnds::Prune, ..PageRankOptions::default() };
    let votes = graph.votes(&Counted::default(), 0).unwrap();
    let pruned = votes.pagerank_with(&options, |_| ControlFlow::Continue(()));
    let said = pruned.unwrap_err().to_string();
    assert!(said.starts_with("pruning dead ends needs all links in memory"), "{said}");
    let options = AnalyseOptions { spam: false, memory: 100, ..AnalyseOptions::default() };
    assert!(matches!(options.votes(&graph, &mut unwatched), Err(Error::NeedsMemory(_))));
    let enough = AnalyseOptions { memory: 1 << 20, ..options };
    assert!(!enough.votes(&graph, &mut unwatched).unwrap().is_on_disk());
}

#[test]
fn a_generation_counts_links_of_spam_where_there_is_no_memory_to_find_them() {
    let folder = tempfile::tempdir().unwrap();
    let collection = Collection::open_or_create(&folder.path().join("c")).unwrap();
    append(&collection.pages(), &web(0..60, 5));
    let all = AnalyseOptions { begin: Begin::Anew, ..AnalyseOptions::default() };
    let (_, expected) = analysed(&collection, 1, &all);
    let short = AnalyseOptions { spam: false, memory: 1_000, ..all };
    let (analysis, scores) = analysed(&collection, 2, &short);
    assert!(analysis.is_on_disk);
    assert_eq!(scores, expected);
}

#[test]
fn looking_for_spam_can_be_stopped_and_is_done_once() {
    let folder = tempfile::tempdir().unwrap();
    let collection = Collection::open_or_create(&folder.path().join("c")).unwrap();
    append(&collection.pages(), &web(0..60, 5));
    // Each ranking begins with a first step.
    let num_rankings = |generation: u64, spam: bool, most: usize| {
        let reputation =
            ReputationOptions { trusted: vec!["h0.example".to_owned()], ..Default::default() };
        let options =
            AnalyseOptions { spam, begin: Begin::Anew, reputation, ..AnalyseOptions::default() };
        let mut number = 0;
        let watch = &mut |progress: Progress| {
            number += usize::from(progress.stage == Stage::Rank && progress.done == 1);
            if number > most { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        analyse(&collection, Generation(generation), &options, watch).map(|_| number)
    };
    let with = num_rankings(1, true, usize::MAX).unwrap();
    assert_eq!(num_rankings(2, false, usize::MAX).unwrap(), with);
    for most in 0..with {
        assert!(matches!(num_rankings(3, false, most), Err(Error::Interrupted)), "{most}");
    }
}

/// Analyses a collection that is then used, and returns the ranks by node too.
fn analysed(
    collection: &Collection,
    generation: u64,
    options: &AnalyseOptions,
) -> (Analysis, Vec<f32>) {
    let generation = Generation(generation);
    let analysis = analyse(collection, generation, options, &mut unwatched).unwrap();
    fs::create_dir_all(collection.anchors(generation)).unwrap();
    collection.publish(generation).unwrap();
    (analysis, read_node_scores(&collection.scores(generation)).unwrap())
}

#[test]
fn a_web_that_grew_a_little_is_ranked_in_fewer_steps() {
    let folder = tempfile::tempdir().unwrap();
    let collection = Collection::open_or_create(&folder.path().join("c")).unwrap();
    append(&collection.pages(), &web(0..400, 8));
    let warm = AnalyseOptions::default();
    let anew = AnalyseOptions { begin: Begin::Anew, ..warm.clone() };
    let (first, _) = analysed(&collection, 1, &warm);
    assert!(!first.is_warm && first.converged, "there is nothing to begin with");
    append(&collection.pages(), &web(400..420, 8));
    let (grown, scores) = analysed(&collection, 2, &warm);
    let (cold, expected) = analysed(&collection, 3, &anew);
    assert!(grown.is_warm && !cold.is_warm && grown.converged && cold.converged);
    assert!(grown.num_iterations < cold.num_iterations, "{grown:?} {cold:?}");
    // Two walks that end within the tolerance are no further apart than twice β / (1 − β) of it.
    let distance: f64 =
        scores.iter().zip(&expected).map(|(one, other)| f64::from(one - other).abs()).sum();
    assert!(distance < 1e-6, "{distance}");
    let (same, _) = analysed(&collection, 4, &warm);
    assert!(same.num_iterations < grown.num_iterations, "{same:?} {grown:?}");
}

#[test]
fn ranking_begins_anew_where_the_last_ranks_are_damaged() {
    let folder = tempfile::tempdir().unwrap();
    let collection = Collection::open_or_create(&folder.path().join("c")).unwrap();
    append(&collection.pages(), &web(0..40, 4));
    let options = AnalyseOptions::default();
    let (_, scores) = analysed(&collection, 1, &options);
    for (generation, file) in
        [(2, collection.scores(Generation(1))), (3, collection.graph(Generation(2)))]
    {
        let name = if generation == 2 { "pagerank.nodes.f32" } else { "nodes" };
        let mut bytes = fs::read(file.join(name)).unwrap();
        let last = bytes.len() - 1;
        bytes[last] ^= 1;
        fs::write(file.join(name), bytes).unwrap();
        let (analysis, again) = analysed(&collection, generation, &options);
        assert!(!analysis.is_warm && again == scores, "{name}");
    }
}

#[test]
fn a_generation_is_ranked_from_disk_where_memory_is_short() {
    let folder = tempfile::tempdir().unwrap();
    let collection = Collection::open_or_create(&folder.path().join("c")).unwrap();
    append(&collection.pages(), &web(0..60, 5));
    let options = AnalyseOptions { begin: Begin::Anew, ..AnalyseOptions::default() };
    let (large, expected) = analysed(&collection, 1, &options);
    let (small, scores) = analysed(&collection, 2, &AnalyseOptions { memory: 1_000, ..options });
    assert!(small.is_on_disk && !large.is_on_disk);
    assert_eq!(scores, expected);
}
