//! Packed graphs rank as plain ones.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use super::*;
use crate::{Node, Precision, Start, pagerank, pagerank_with, topics};

/// Four of five link, so that not all of those fit the near places.
const NODES: u32 = 84_000;

/// A web in which low numbers are linked to most and high ones link most, with dead ends, a
/// link to itself, and nodes that nobody links to; `more` links per node.
fn web(more: u32) -> InLinks {
    let arcs = (0..NODES).flat_map(move |from| {
        let links = if from % 5 == 0 { 0 } else { 1 + from % 7 + from / 6_000 + more };
        let to = move |link: u32| (from.wrapping_mul(2_654_435_761 + 2 * link) >> 7) % (from + 1);
        (0..links).map(move |link| (Node(from), Node(to(link))))
    });
    InLinks::from_arcs(NODES, arcs).unwrap()
}

fn go(_: Iteration) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

fn assert_near(one: &Ranks, other: &Ranks, most: f64) {
    assert_eq!(one.converged, other.converged);
    assert_eq!(one.log.len(), other.log.len());
    let pairs = one.scores.iter().zip(&other.scores);
    let largest = pairs.map(|(one, other)| (one - other).abs()).fold(0.0, f64::max);
    assert!(largest <= most, "{largest:e}");
}

#[test]
fn packed_links_rank_as_plain_ones() {
    let teleport = Teleport::Nodes(vec![Node(3), Node(4), Node(NODES - 1)]);
    let start = (0..NODES).map(|node| f64::from(node % 3)).collect();
    let plain = PageRankOptions { tolerance: 1e-3, ..PageRankOptions::default() };
    let all = [
        plain.clone(),
        PageRankOptions { dead_ends: DeadEnds::Stay, ..plain.clone() },
        PageRankOptions { dead_ends: DeadEnds::Leak, beta: 0.5, ..plain.clone() },
        PageRankOptions { dead_ends: DeadEnds::Prune, ..plain.clone() },
        PageRankOptions { teleport, start: Start::Vector(start), ..plain },
    ];
    for more in [0, 10] {
        let links = web(more);
        let packed = Packed::new(&links).unwrap();
        let from = packed.blocks.iter().flat_map(Block::arcs).map(|(from, _)| from);
        assert_eq!(from.map(|from| from / NEAR).collect::<BTreeSet<_>>(), [0, 1].into());
        for options in &all {
            let expected = pagerank(&links, options).unwrap();
            assert_near(&packed.pagerank_with(options, go).unwrap(), &expected, 1e-14);
        }
    }
}

#[test]
fn links_that_carry_32_bits_are_packed_too() {
    let links = web(10);
    let options = PageRankOptions { tolerance: 1e-3, ..PageRankOptions::default() };
    let single = PageRankOptions { precision: Precision::Single, ..options.clone() };
    let ranks = Packed::new(&links).unwrap().pagerank_with(&single, go).unwrap();
    let exact = pagerank_with(&links, &options, go).unwrap();
    // Each step rounds by 6e-8 of a share at most, and passes on 0.85 of what was off before.
    let is_near = |(one, other): (&f64, &f64)| (one - other).abs() <= 1e-6 * other;
    assert!(ranks.scores.iter().zip(&exact.scores).all(is_near));
}

#[test]
fn topics_of_packed_links_are_those_of_plain_ones() {
    let links = web(10);
    let sets = [
        Teleport::Uniform,
        Teleport::Nodes(vec![Node(1)]),
        Teleport::Nodes(vec![Node(NODES - 1), Node(2)]),
    ];
    let options = PageRankOptions { tolerance: 1e-3, ..PageRankOptions::default() };
    let packed = Packed::new(&links).unwrap();
    let ranks = packed.topics_with(&sets, &options, |_| ControlFlow::Continue(())).unwrap();
    for (one, other) in ranks.iter().zip(topics(&links, &sets, &options).unwrap()) {
        assert_near(one, &other, 1e-14);
    }
}

#[test]
fn what_is_packed_can_be_unpacked() {
    for more in [0, 10] {
        let links = web(more);
        let packed = Packed::new(&links).unwrap();
        assert!(packed.out.is_sorted_by_key(|out| Reverse(*out)));
        assert_eq!(packed.unpacked(), links);
    }
}

#[test]
fn small_graphs_are_not_packed_and_bad_options_refused() {
    let arcs = [(Node(0), Node(1))];
    assert_eq!(Packed::new(&InLinks::from_arcs(NEAR as u32, arcs).unwrap()), None);
    assert_eq!(Packed::new(&InLinks::from_arcs(0, []).unwrap()), None);
    let packed = Packed::new(&InLinks::from_arcs(NEAR as u32 + 1, arcs).unwrap()).unwrap();
    for beta in [-1.0, f64::NAN, 1.5] {
        let options = PageRankOptions { beta, ..PageRankOptions::default() };
        assert!(matches!(packed.pagerank_with(&options, go), Err(Error::BadOption { .. })));
    }
    let teleport = Teleport::Nodes(vec![Node(NODES)]);
    let unknown = PageRankOptions { teleport, ..PageRankOptions::default() };
    assert!(matches!(packed.pagerank_with(&unknown, go), Err(Error::UnknownNode { .. })));
}
