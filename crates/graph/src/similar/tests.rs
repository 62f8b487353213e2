//! Likeness by hand and by definition.

use proptest::prelude::*;

use super::*;

fn graph(num_nodes: u32, arcs: &[(u32, u32)]) -> Links {
    let arcs = arcs.iter().map(|(from, to)| (Node(*from), Node(*to)));
    Links::from_arcs(num_nodes, arcs).unwrap()
}

fn all() -> SimilarOptions {
    SimilarOptions { most: usize::MAX, ..Default::default() }
}

#[test]
fn pages_cited_together_are_alike() {
    // 0 and 1 both cite 2 and 3; 4 cites 3 alone.
    let links = graph(5, &[(0, 2), (0, 3), (1, 2), (1, 3), (4, 3)]);
    let found = similar(&links, Node(2), &all(), None).unwrap();
    let [like] = &found[..] else { panic!("{found:?}") };
    let expected = 2.0 / 3f64.log2() / 6f64.sqrt() * 2.0 / 3.0;
    assert!((like.cocitation - expected).abs() < 1e-12, "{like:?}");
    assert_eq!((like.node, like.coupling), (Node(3), 0.0));
    assert!((like.score - expected).abs() < 1e-12, "{like:?}");
    assert_eq!((&like.citers[..], &like.targets[..]), (&[Node(0), Node(1)][..], &[][..]));
}

#[test]
fn pages_that_cite_the_same_are_alike() {
    let links = graph(5, &[(0, 2), (0, 3), (1, 2), (1, 3), (4, 3)]);
    let found = similar(&links, Node(0), &all(), None).unwrap();
    assert_eq!(found.iter().map(|like| like.node.0).collect::<Vec<_>>(), [1, 4]);
    let weights = [1.0 / 3f64.log2(), 1.0 / 4f64.log2()];
    assert!((found[0].coupling - (weights[0] + weights[1]) / 2.0 * 2.0 / 3.0).abs() < 1e-12);
    assert!((found[1].coupling - weights[1] / 2f64.sqrt() / 2.0).abs() < 1e-12);
    assert_eq!(found[0].targets, [Node(2), Node(3)]);
}

#[test]
fn a_page_is_not_like_one_for_linking_to_itself() {
    let links = graph(2, &[(0, 0), (1, 0), (1, 1), (0, 1)]);
    let found = similar(&links, Node(0), &all(), None).unwrap();
    assert!(found.is_empty(), "{found:?}");
}

#[test]
fn long_lists_are_passed_over() {
    let arcs = [(0, 1), (0, 2), (0, 3), (4, 1), (4, 2)];
    let options = SimilarOptions { max_degree: 2, ..all() };
    let found = similar(&graph(5, &arcs), Node(1), &options, None).unwrap();
    let [like] = &found[..] else { panic!("{found:?}") };
    assert_eq!((like.node, &like.citers[..]), (Node(2), &[Node(4)][..]));
}

#[test]
fn a_page_that_all_link_to_is_judged_by_a_sample() {
    // Half of 100,000 pages cite 0 and 1, the other half 0 alone; one cites 0 and 2.
    let arcs = (3..100_003).flat_map(|from| {
        let second = if from == 3 { 2 } else { u32::from(from % 2 == 0) };
        [(from, 0), (from, second)]
    });
    let links = graph(100_003, &arcs.collect::<Vec<_>>());
    let options = SimilarOptions { max_links: 501, ..all() };
    let found = similar(&links, Node(0), &options, None).unwrap();
    let whole = 50_000.0 / 3f64.log2() / (100_000f64 * 50_000.0).sqrt();
    assert_eq!(found[0].node, Node(1));
    assert!((found[0].cocitation - whole).abs() < 0.05 * whole, "{:?}", found[0]);
    // 3 is the first citer, so it is in the sample, and must not stand for 200 others.
    assert_eq!(found[1].node, Node(2));
    let alone = 1.0 / 3f64.log2() / 100_000f64.sqrt() / 2.0;
    assert!((found[1].cocitation - alone).abs() < 1e-12);
    assert_eq!(found[1].citers, [Node(3)]);
}

#[test]
fn the_page_must_be_a_node_of_the_graph() {
    let unknown = similar(&graph(2, &[(0, 1)]), Node(2), &all(), None);
    assert!(matches!(unknown, Err(Error::UnknownNode { node: 2, num_nodes: 2 })));
    assert!(similar(&graph(1, &[]), Node(0), &all(), None).unwrap().is_empty());
}

/// Cocitation of one pair by the book; coupling, if the arcs are turned around.
fn naive(arcs: &[(u32, u32)], u: u32, v: u32) -> (f64, Vec<u32>) {
    let has = |from: u32, to: u32| arcs.contains(&(from, to));
    let count = |wanted: &dyn Fn(u32) -> bool| (0..30).filter(|x| wanted(*x)).count();
    let mut common: Vec<u32> =
        (0..30).filter(|c| *c != u && *c != v && has(*c, u) && has(*c, v)).collect();
    let out = |c: u32| count(&|to| has(c, to));
    let sum: f64 = common.iter().map(|c| 1.0 / (1.0 + out(*c) as f64).log2()).sum();
    let sum = sum * common.len() as f64 / (common.len() as f64 + 1.0);
    common.sort_by_key(|c| (out(*c), *c));
    common.truncate(3);
    let (of_u, of_v) = (count(&|from| has(from, u)), count(&|from| has(from, v)));
    (if sum == 0.0 { 0.0 } else { sum / ((of_u * of_v) as f64).sqrt() }, common)
}

/// Three citers of one voice and one of another link to 4 and 5; one of the first to 6 too.
#[test]
fn a_voice_counts_once() {
    let links =
        graph(7, &[(0, 4), (0, 5), (1, 4), (1, 5), (2, 4), (2, 5), (2, 6), (3, 4), (3, 5), (3, 6)]);
    let voice_of = |node: Node| if node.0 < 3 { 100 } else { node.0 };
    let found = similar(&links, Node(4), &all(), Some(&voice_of)).unwrap();
    let cocitation = |node: u32| {
        found.iter().find(|like| like.node.0 == node).map_or(0.0, |like| like.cocitation)
    };
    // Among the three pages of the first voice it is a cosine; both voices count alike. Of the
    // three pages the second counts half and the third a quarter towards being sure.
    let of_first = (2.0 / 3f64.log2() + 1.0 / 4f64.log2()) / 3.0;
    let expected = (of_first + 1.0 / 4f64.log2()) / 2.0 * 2.75 / 3.75;
    assert!((cocitation(5) - expected).abs() < 1e-12, "{found:?}");
    let expected = (0.5 / 3f64.sqrt() + 0.5) / 2.0 * 2.0 / 3.0;
    assert!((cocitation(6) - expected).abs() < 1e-12, "{found:?}");
    let like = &found[0];
    assert_eq!((like.num_citing, like.num_citing_pages), (2, 4));
    assert_eq!(like.citers, [Node(0), Node(3), Node(1)], "another voice first");
}

#[test]
fn a_menu_on_a_thousand_pages_says_no_more_than_one_on_ten() {
    let cocitation = |num_pages: u32| {
        let menu = (10..10 + num_pages).flat_map(|page| [(page, 4), (page, 5)]);
        let arcs: Vec<(u32, u32)> = [(3, 4), (3, 5), (3, 6)].into_iter().chain(menu).collect();
        let voice_of = |node: Node| if node.0 >= 10 { 100 } else { node.0 };
        let options = SimilarOptions { max_links: usize::MAX, ..all() };
        let links = graph(10 + num_pages, &arcs);
        let found = similar(&links, Node(4), &options, Some(&voice_of)).unwrap();
        found.iter().find(|like| like.node.0 == 5).unwrap().cocitation
    };
    assert!((cocitation(1_000) - cocitation(10)).abs() < 1e-3);
    assert!(cocitation(10) > cocitation(1), "but more than one page does");
}

#[test]
fn pages_of_a_single_voice_are_compared_by_the_plain_cosine() {
    let arcs: Vec<(u32, u32)> =
        (0..200).map(|i| (i * 7 % 31, i * 11 % 29)).filter(|(from, to)| from != to).collect();
    let links = graph(31, &arcs);
    let plain = similar(&links, Node(3), &all(), None).unwrap();
    let found = similar(&links, Node(3), &all(), Some(&|_| 0)).unwrap();
    assert_eq!(plain.len(), found.len());
    for like in &found {
        let other = plain.iter().find(|other| other.node == like.node).unwrap();
        // They differ by how sure so many pages of one voice make.
        let (n, one) = (like.num_citing_pages as f64, other.cocitation);
        let terms = 2.0 - 0.5f64.powf(n - 1.0);
        let expected = if n == 0.0 { 0.0 } else { one * (n + 1.0) / n * terms / (terms + 1.0) };
        assert!((like.cocitation - expected).abs() < 1e-12, "{like:?} {other:?}");
        assert!(like.num_citing <= 1);
    }
}

#[test]
fn shared_pages_are_counted_and_told_by_different_voices() {
    let arcs: Vec<(u32, u32)> = (2..9).flat_map(|to| [(0, to), (1, to)]).collect();
    let found = similar(&graph(9, &arcs), Node(0), &all(), Some(&|node| node.0 / 4)).unwrap();
    let like = &found[0];
    assert_eq!((like.node, like.num_targets, like.num_citing), (Node(1), 7, 0));
    assert_eq!(like.targets, [Node(2), Node(4), Node(8)], "of three voices");
    let told = |(part, reason): (f64, LinkLikeness)| (part, reason.to_string());
    let reasons: Vec<(f64, String)> = like.reasons().map(told).collect();
    assert_eq!(reasons, [(like.coupling, "links to the same 7 pages".to_owned())]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn likeness_is_the_same_from_either_page(
        arcs in prop::collection::vec((0..30u32, 0..30u32), 0..150),
        has_voices: bool,
    ) {
        let links = graph(30, &arcs);
        let voice: &dyn Fn(Node) -> u32 = &|node| node.0 % 7;
        let voice_of = has_voices.then_some(voice);
        let all_found: Vec<Vec<Similar>> =
            (0..30).map(|u| similar(&links, Node(u), &all(), voice_of).unwrap()).collect();
        for (u, found) in all_found.iter().enumerate() {
            for like in found {
                prop_assert!(like.node.index() != u);
                prop_assert!(like.score > 0.0 && like.score <= 1.0, "{:?}", like);
                let back = all_found[like.node.index()].iter().find(|back| back.node.index() == u);
                let Some(back) = back else { panic!("{u} is not like {like:?}") };
                prop_assert!((back.cocitation - like.cocitation).abs() < 1e-12);
                prop_assert!((back.coupling - like.coupling).abs() < 1e-12);
                prop_assert_eq!(back.num_citing, like.num_citing);
                prop_assert_eq!(&back.citers, &like.citers);
            }
        }
    }

    #[test]
    fn random_graphs_give_what_the_definition_gives(
        arcs in prop::collection::vec((0..30u32, 0..30u32), 0..150),
        u in 0..30u32,
    ) {
        let found = similar(&graph(30, &arcs), Node(u), &all(), None).unwrap();
        let turned: Vec<_> = arcs.iter().map(|(from, to)| (*to, *from)).collect();
        let numbers = |nodes: &[Node]| nodes.iter().map(|node| node.0).collect::<Vec<_>>();
        for v in (0..30).filter(|v| *v != u) {
            let (cocitation, citers) = naive(&arcs, u, v);
            let (coupling, targets) = naive(&turned, u, v);
            let Some(like) = found.iter().find(|like| like.node.0 == v) else {
                prop_assert_eq!((cocitation, coupling), (0.0, 0.0));
                continue;
            };
            prop_assert!((like.cocitation - cocitation).abs() < 1e-12);
            prop_assert!((like.coupling - coupling).abs() < 1e-12);
            prop_assert_eq!((numbers(&like.citers), numbers(&like.targets)), (citers, targets));
            prop_assert!(like.score > 0.0 && like.score <= 1.0);
        }
        prop_assert!(found.windows(2).all(|pair| pair[0].score >= pair[1].score));
        prop_assert!(found.iter().all(|like| like.node.0 != u));
    }
}
