//! Graphs that nobody here made up; skipped, and said so, where `LOOKFAR_DATA` is not set.

use std::fs;
use std::path::PathBuf;

use graph::bv::{BvGraph, BvWriter};
use graph::{InLinks, Named, Node, PageRankOptions, pagerank};

/// Returns a folder of the `graphs` pack.
pub(crate) fn graphs(name: &str) -> Option<PathBuf> {
    match std::env::var_os("LOOKFAR_DATA") {
        Some(data) => Some(PathBuf::from(data).join("graphs").join(name)),
        None => {
            println!("skipped: LOOKFAR_DATA is not set, so there is no graph `{name}`");
            None
        }
    }
}

/// Returns the lines of a file of pairs, without its heading.
pub(crate) fn pairs(text: &str) -> impl Iterator<Item = (u32, &str)> {
    text.lines().skip(1).filter_map(|line| {
        let (first, second) = line.trim().split_once(' ')?;
        Some((first.parse().ok()?, second))
    })
}

/// Returns the number of nodes and the arcs of cnr-2000.
pub(crate) fn arcs_of_cnr() -> Option<(u32, Vec<(Node, Node)>)> {
    let folder = graphs("cnr-2000")?;
    let graph = BvGraph::open(&folder.join("cnr-2000")).unwrap();
    let mut lists = graph.lists(0).unwrap();
    let mut arcs = Vec::new();
    for from in 0..graph.num_nodes() {
        let successors = lists.next_list().unwrap();
        arcs.extend(successors.iter().map(|to| (Node(from), Node(*to))));
    }
    Some((graph.num_nodes(), arcs))
}

/// CRC-32 of the ends of all arcs of cnr-2000 in turn, 4 bytes each, as the webgraph crate reads
/// them (`benches/bv` tells it).
const CHECKSUM: u32 = 0x3e7b_47f9;

#[test]
fn a_graph_that_java_wrote_is_read_right_and_written_again_byte_by_byte() {
    let Some(folder) = graphs("cnr-2000") else { return };
    let java = folder.join("cnr-2000");
    let graph = BvGraph::open(&java).unwrap();
    let mut lists = graph.lists(0).unwrap();
    let out = tempfile::tempdir().unwrap();
    let again = out.path().join("again");
    let mut writer = BvWriter::create(&again).unwrap();
    let mut hasher = crc32fast::Hasher::new();
    for node in 0..graph.num_nodes() {
        let list = lists.next_list().unwrap();
        writer.push(list).unwrap();
        for to in list {
            hasher.update(&node.to_le_bytes());
            hasher.update(&to.to_le_bytes());
        }
        if node.is_multiple_of(7) {
            assert_eq!(graph.successors(node, usize::MAX).unwrap(), list);
            assert_eq!(graph.successors(node, 5).unwrap(), list[..list.len().min(5)]);
            assert_eq!(graph.degree(node).unwrap(), list.len());
        }
    }
    assert_eq!(hasher.finalize(), CHECKSUM);
    assert_eq!(writer.finish().unwrap().num_arcs, 3_216_152);
    for ending in ["graph", "offsets"] {
        let [java, again] =
            [&java, &again].map(|name| fs::read(name.with_extension(ending)).unwrap());
        // Each fills up what it likes with zeros.
        let len = java.len().min(again.len());
        assert!(again[..len] == java[..len], "{ending}");
        assert!(java[len..].iter().chain(&again[len..]).all(|byte| *byte == 0), "{ending}");
        assert!(java.len().abs_diff(again.len()) <= 8, "{ending}");
    }
}

#[test]
fn the_home_page_of_a_college_is_its_most_important_page() {
    let Some(folder) = graphs("hollins-dat") else { return };
    let names = fs::read_to_string(folder.join("links.dat")).unwrap();
    let names: Vec<&str> = pairs(&names).map(|(_, name)| name).collect();
    let arcs = fs::read_to_string(folder.join("hollins.dat")).unwrap();
    let arcs =
        pairs(&arcs).map(|(from, to)| (Node(from - 1), Node(to.parse::<u32>().unwrap() - 1)));
    let num_nodes = u32::try_from(names.len()).unwrap();
    let links = InLinks::from_arcs(num_nodes, arcs).unwrap();
    assert_eq!((links.num_nodes(), links.num_arcs()), (6_012, 23_875));
    let ranks = pagerank(&links, &PageRankOptions::default()).unwrap();
    assert!(ranks.converged);
    let best = (0..names.len()).max_by(|a, b| ranks.scores[*a].total_cmp(&ranks.scores[*b]));
    let best = best.unwrap();
    assert_eq!(names[best], "http://www.hollins.edu/");
    assert!((ranks.scores[best] - 0.0199).abs() < 0.00005, "{}", ranks.scores[best]);
}

#[test]
fn a_graph_of_others_reads_and_ranks() {
    let Some((num_nodes, arcs)) = arcs_of_cnr() else { return };
    let links = InLinks::from_arcs(num_nodes, arcs.iter().copied()).unwrap();
    assert_eq!((links.num_nodes(), links.num_arcs()), (325_557, 3_216_152));
    // Our own reader, which trusts nothing, reads the same; the size is the published one.
    let Some(folder) = graphs("cnr-2000") else { return };
    let named = Named::open(&folder.join("cnr-2000.graph"), None, &mut |_, _| ()).unwrap();
    assert_eq!(named.links().in_links(), &links);
    let bits_per_link = named.bits().unwrap() as f64 / links.num_arcs() as f64;
    assert!((bits_per_link - 2.897).abs() < 0.0005, "{bits_per_link}");
    let options = PageRankOptions { max_iterations: 10, ..PageRankOptions::default() };
    let ranks = pagerank(&links, &options).unwrap();
    assert!((ranks.scores.iter().sum::<f64>() - 1.0).abs() < 1e-9);
    assert!(ranks.log.windows(2).all(|pair| pair[1].l1 < pair[0].l1));
    let expected = by_the_book(num_nodes, &arcs, 10);
    for (node, (score, wanted)) in ranks.scores.iter().zip(&expected).enumerate() {
        assert!((score - wanted).abs() < 1e-12, "{node}: {score} is not {wanted}");
    }
}

/// Takes some steps with β = 0.85: each node gives its rank to those it links to in equal parts, a
/// dead end to all. The arcs of a BVGraph are each there once.
fn by_the_book(num_nodes: u32, arcs: &[(Node, Node)], steps: usize) -> Vec<f64> {
    let size = num_nodes as usize;
    let mut degrees = vec![0u32; size];
    arcs.iter().for_each(|(from, _)| degrees[from.index()] += 1);
    let mut ranks = vec![1.0 / f64::from(num_nodes); size];
    for _ in 0..steps {
        let dead: f64 =
            ranks.iter().zip(&degrees).filter(|(_, out)| **out == 0).map(|(r, _)| r).sum();
        let mut next = vec![(0.15 + 0.85 * dead) / f64::from(num_nodes); size];
        for (from, to) in arcs {
            next[to.index()] += 0.85 * ranks[from.index()] / f64::from(degrees[from.index()]);
        }
        ranks = next;
    }
    ranks
}
