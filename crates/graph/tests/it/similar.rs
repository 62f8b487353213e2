//! Likeness over a generation as it lies on disk, beside the same in memory.

use graph::{Graph, Links, Node, SimilarOptions, similar};

use crate::web::{graph_in, page};

/// Builds a web of 60 pages on 20 hosts with some 400 links, and a page that all link to.
fn web(folder: &std::path::Path) -> Graph {
    let name = |number: usize| format!("http://h{}.d{}.example/{number}", number % 20, number % 6);
    let mut records = Vec::new();
    for number in 0..60 {
        let targets: Vec<String> =
            (1..8).map(|step| name((number * step * 7 + step * step) % 60)).collect();
        let mut targets: Vec<&str> = targets.iter().map(String::as_str).collect();
        targets.push("http://popular.example/");
        records.push(page(number as u64, &name(number), &targets));
    }
    graph_in(folder, &records)
}

#[test]
fn a_generation_on_disk_has_the_same_likes_as_in_memory() {
    let folder = tempfile::tempdir().unwrap();
    let graph = web(folder.path());
    let links = Links::new(graph.in_links().unwrap());
    let voices = graph.voices_by_site().unwrap();
    let voice_of = |node: Node| voices[graph.sites().unwrap().site(node).unwrap() as usize];
    let everything = SimilarOptions { most: usize::MAX, ..SimilarOptions::default() };
    let little = SimilarOptions { most: 3, max_links: 4, max_degree: 9 };
    let mut num_alike = 0;
    for node in links.nodes() {
        for options in [&everything, &little] {
            for voice_of in [None, Some(&voice_of as &dyn Fn(Node) -> u32)] {
                let found = similar(&graph, node, options, voice_of).unwrap();
                assert_eq!(found, similar(&links, node, options, voice_of).unwrap());
                assert!(found.iter().all(|like| like.node != node && like.score > 0.0));
                num_alike += found.len();
            }
        }
    }
    assert!(num_alike > 1_000, "{num_alike}");
}
