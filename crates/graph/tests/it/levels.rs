//! Links between hosts and between web sites: stored, and the same as those of their pages.

use std::collections::BTreeSet;
use std::path::Path;

use base::PageRecord;
use graph::{BuildOptions, Graph, HostGraph, Level, Named, Node, build, check_graph};
use proptest::prelude::*;

use crate::web::{append, go_on, page};

type Arcs = BTreeSet<(String, String)>;

/// Returns the links between groups as their pages have them, one by one.
fn by_pages(graph: &Graph, group: impl Fn(Node) -> String) -> Arcs {
    let mut arcs = Arcs::new();
    for from in (0..graph.summary().num_nodes).map(Node) {
        for to in graph.successors(from) {
            let (from, to) = (group(from), group(to));
            if from != to {
                arcs.insert((from, to));
            }
        }
    }
    arcs
}

fn stored(named: &Named) -> Arcs {
    let name = |node| named.name(node).unwrap().into_owned();
    let links = named.links();
    let of = |from| links.successors(from).map(move |to| (name(from), name(to)));
    links.nodes().flat_map(of).collect()
}

/// Opens the graph of a level, and asserts that it says how far it is up to the end.
fn at(level: Level, folder: &Path) -> Named {
    let mut told = Vec::new();
    let named = Named::at(level, folder, &mut |done, total| told.push((done, total))).unwrap();
    let (done, total) = *told.last().unwrap();
    assert_eq!((done, told[0]), (total, (0, total)), "{told:?}");
    named
}

fn build_in(folder: &Path, records: &[PageRecord], memory: usize) -> Graph {
    let (pages, place) = (folder.join("pages"), folder.join("1"));
    append(&pages, records);
    let options = BuildOptions { memory, ..BuildOptions::default() };
    let summary = build(&pages, &place, &options, &mut go_on).unwrap();
    assert_eq!(check_graph(&place).unwrap(), summary);
    assert!(!place.join("scratch").exists());
    Graph::open(&place).unwrap()
}

/// Pages of some hosts, of which some are people's.
fn address((host, folder, number): (u8, u8, u8)) -> String {
    let folder = ["", "~ann/", "~bob/"][usize::from(folder)];
    format!("http://h{host}.example/{folder}{number}.html")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn groups_link_where_their_pages_do(
        links in prop::collection::vec(((0..5u8, 0..3u8, 0..4u8), (0..5u8, 0..3u8, 0..4u8)), 0..150),
        is_tight in any::<bool>(),
    ) {
        let mut pages: Vec<(String, Vec<String>)> = Vec::new();
        for (from, to) in links {
            let (from, to) = (address(from), address(to));
            match pages.iter_mut().find(|(name, _)| *name == from) {
                Some((_, targets)) => targets.push(to),
                None => pages.push((from, vec![to])),
            }
        }
        let records: Vec<PageRecord> = (0..).zip(&pages).map(|(index, (name, targets))| {
            page(index, name, &targets.iter().map(String::as_str).collect::<Vec<_>>())
        }).collect();
        let folder = tempfile::tempdir().unwrap();
        // With little memory all that is sorted is spilled.
        let graph = build_in(folder.path(), &records, if is_tight { 64 } else { 1 << 20 });
        let hosts = at(Level::Hosts, &folder.path().join("1"));
        let host = |node| graph.url(node).unwrap().unwrap().host_str().to_owned();
        prop_assert_eq!(stored(&hosts), by_pages(&graph, host));
        prop_assert_eq!(hosts.links(), &HostGraph::of(&graph).unwrap().links().unwrap());
        let sites = at(Level::Sites, &folder.path().join("1"));
        let known = graph.sites().unwrap();
        let site = |node| known.names()[known.site(node).unwrap() as usize].to_string();
        prop_assert_eq!(stored(&sites), by_pages(&graph, site));
        for (named, level) in [(&hosts, graph.summary().host_links), (&sites, graph.summary().site_links)] {
            let level = level.unwrap();
            prop_assert_eq!(named.links().num_arcs(), level.num_arcs);
            prop_assert_eq!(named.bits(), Some(level.forward_bits));
        }
    }
}

#[test]
fn a_generation_without_them_is_asked_through_its_pages() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/generation-v2/graph");
    let graph = Graph::open(&folder).unwrap();
    assert_eq!((graph.summary().host_links, graph.summary().site_links), (None, None));
    let arc = |from: &str, to: &str| (from.to_owned(), to.to_owned());
    let hosts = at(Level::Hosts, &folder);
    assert_eq!(stored(&hosts), Arcs::from([arc("a.example", "b.example")]));
    let sites = at(Level::Sites, &folder);
    let expected = [arc("a.example", "b.example"), arc("a.example/~ann/", "a.example")];
    assert_eq!(stored(&sites), Arcs::from(expected));
    assert_eq!((hosts.bits(), sites.bits()), (None, None));
}
