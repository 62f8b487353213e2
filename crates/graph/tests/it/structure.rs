//! The structure of graphs that nobody here made up; skipped, and said so, where `LOOKFAR_DATA` is
//! not set.

use std::fs;

use graph::{
    BaseSet, BaseSetOptions, Degrees, HitsOptions, Links, Node, Part, ReachOptions, SimilarOptions,
    bow_tie, draw_bow_tie, draw_degrees, hits, reach, salsa, similar,
};

use crate::real::{arcs_of_cnr, graphs, pairs};

/// Returns the pages of a college with their names.
fn hollins() -> Option<(Links, Vec<String>)> {
    let folder = graphs("hollins-dat")?;
    let names = fs::read_to_string(folder.join("links.dat")).unwrap();
    let names: Vec<String> = pairs(&names).map(|(_, name)| name.to_owned()).collect();
    let arcs = fs::read_to_string(folder.join("hollins.dat")).unwrap();
    let arcs =
        pairs(&arcs).map(|(from, to)| (Node(from - 1), Node(to.parse::<u32>().unwrap() - 1)));
    let num_nodes = u32::try_from(names.len()).unwrap();
    Some((Links::from_arcs(num_nodes, arcs).unwrap(), names))
}

/// Returns which nodes a search from one node meets, following the links that `next` gives.
fn met<I: Iterator<Item = Node>>(size: u32, first: Node, next: impl Fn(Node) -> I) -> Vec<bool> {
    let mut seen = vec![false; size as usize];
    seen[first.index()] = true;
    let mut waiting = vec![first];
    while let Some(node) = waiting.pop() {
        for other in next(node) {
            if !seen[other.index()] {
                seen[other.index()] = true;
                waiting.push(other);
            }
        }
    }
    seen
}

#[test]
fn the_core_of_cnr_2000_is_what_searches_forth_and_back_both_meet() {
    let Some((num_nodes, arcs)) = arcs_of_cnr() else { return };
    let links = Links::from_arcs(num_nodes, arcs).unwrap();
    let tie = bow_tie(&links);
    let is_core = |node: &Node| tie.part(*node) == Part::Core;
    let first = links.nodes().find(is_core).unwrap();
    let forth = met(num_nodes, first, |node| links.successors(node));
    let back = met(num_nodes, first, |node| links.predecessors(node));
    for node in links.nodes() {
        assert_eq!(is_core(&node), forth[node.index()] && back[node.index()]);
    }
    let counts = Part::ALL.map(|part| tie.count(part));
    assert_eq!(counts, [112_023, 0, 213_534, 0, 0, 0, 0, 0]);
    let into = Degrees::of(links.nodes(), |node| links.in_degree(node));
    let out = Degrees::of(links.nodes(), |node| links.out_degree(node));
    assert_eq!((into.max, out.max), (18_235, 2_716));
    assert!((into.mean - out.mean).abs() < 1e-12 && (into.mean - 9.879).abs() < 0.001);
}

#[test]
fn a_college_has_a_bow_tie() {
    let Some((links, _)) = hollins() else { return };
    let tie = bow_tie(&links);
    let counts = Part::ALL.map(|part| tie.count(part));
    assert_eq!(counts, [1_426, 186, 4_125, 271, 0, 4, 0, 0]);
    assert!(draw_bow_tie(&tie, "Hollins", "pages").contains("4,125 pages, 68.6%"));
    let into = Degrees::of(links.nodes(), |node| links.in_degree(node));
    let out = Degrees::of(links.nodes(), |node| links.out_degree(node));
    assert!(draw_degrees(&into, &out, "Hollins", "pages").contains("out-links"));
}

#[test]
fn a_sample_of_a_college_agrees_with_all_of_it() {
    let Some((links, _)) = hollins() else { return };
    let all = reach(&links, &ReachOptions { sample: usize::MAX, seed: 0 });
    let some = reach(&links, &ReachOptions { sample: 300, seed: 1 });
    assert_eq!((all.sample, all.back.error), (6_012, 0.0));
    assert!((all.forward.value - all.back.value).abs() < 1e-12);
    for (whole, part) in [
        (all.forward, some.forward),
        (all.back, some.back),
        (all.mean_distance, some.mean_distance),
        (all.effective_diameter, some.effective_diameter),
    ] {
        assert!(part.error > 0.0 && (whole.value - part.value).abs() < 4.0 * part.error);
    }
}

#[test]
fn hubs_and_authorities_around_pages_of_a_college_converge() {
    let Some((links, names)) = hollins() else { return };
    let roots: Vec<Node> =
        links.nodes().filter(|node| names[node.index()].contains("library")).collect();
    let options = BaseSetOptions::default();
    let set = BaseSet::new(&links, &roots, &options, |_, _| false).unwrap();
    assert!(set.nodes().len() > roots.len().min(options.max_roots));
    let found = hits(set.links(), &HitsOptions::default()).unwrap();
    let steady = salsa(set.links());
    assert!(found.converged);
    for scores in [found.authorities, found.hubs, steady.authorities, steady.hubs] {
        assert!((scores.iter().sum::<f64>() - 1.0).abs() < 1e-9);
        assert_eq!(set.best(&scores, 10).len(), 10);
    }
}

#[test]
fn every_page_of_a_college_is_as_like_another_as_the_other_way_round() {
    let Some((links, _)) = hollins() else { return };
    let all = SimilarOptions { most: usize::MAX, max_links: usize::MAX, max_degree: u32::MAX };
    let of = |node: Node| similar(&links, node, &all, None).unwrap();
    for node in links.nodes().step_by(500) {
        for like in of(node).iter().take(3) {
            let back = of(like.node).into_iter().find(|back| back.node == node).unwrap();
            assert!((back.cocitation - like.cocitation).abs() < 1e-12);
            assert!((back.coupling - like.coupling).abs() < 1e-12);
            assert_eq!((back.citers, back.targets), (like.citers.clone(), like.targets.clone()));
        }
    }
}
