//! The worked examples W1–W6, bad options, and random graphs against a dense matrix.

use proptest::prelude::*;

use super::*;
use crate::in_links::Builder;
use crate::weights::Table;

const A: Node = Node(0);
const B: Node = Node(1);
const C: Node = Node(2);
const D: Node = Node(3);

/// The four pages of W1: A→B,C,D; B→A,D; C→A; D→B,C.
const FOUR: [(Node, Node); 8] = [(A, B), (A, C), (A, D), (B, A), (B, D), (C, A), (D, B), (D, C)];

fn four_without_c_to(target: Option<Node>) -> InLinks {
    let kept = FOUR.into_iter().filter(|arc| arc.0 != C);
    InLinks::from_arcs(4, kept.chain(target.map(|target| (C, target)))).unwrap()
}

fn plain() -> PageRankOptions {
    PageRankOptions { beta: 1.0, tolerance: 1e-13, max_iterations: 5_000, ..Default::default() }
}

fn after(steps: u32, options: PageRankOptions) -> PageRankOptions {
    PageRankOptions { max_iterations: steps, tolerance: 0.0, ..options }
}

/// Compares with fractions over a common denominator.
#[track_caller]
fn check(links: &InLinks, options: &PageRankOptions, numerators: &[u32], denominator: u32) {
    let expected: Vec<f64> =
        numerators.iter().map(|part| f64::from(*part) / f64::from(denominator)).collect();
    check_near(links, options, &expected, 1e-9);
}

#[track_caller]
fn check_near(links: &InLinks, options: &PageRankOptions, expected: &[f64], distance: f64) {
    let ranks = pagerank(links, options).unwrap();
    let near = ranks.scores.iter().zip(expected).all(|(a, b)| (a - b).abs() < distance);
    assert!(near && ranks.scores.len() == expected.len(), "{:?} ≠ {expected:?}", ranks.scores);
    assert_eq!(ranks.converged, options.tolerance > 0.0);
}

#[test]
fn w1_without_teleport() {
    let links = InLinks::from_arcs(4, FOUR).unwrap();
    check(&links, &after(1, plain()), &[9, 5, 5, 5], 24);
    check(&links, &after(2, plain()), &[15, 11, 11, 11], 48);
    check(&links, &plain(), &[3, 2, 2, 2], 9);
}

#[test]
fn w2_a_dead_end_drains_the_graph_unless_it_is_treated() {
    let links = four_without_c_to(None);
    let leak = PageRankOptions { dead_ends: DeadEnds::Leak, ..plain() };
    check(&links, &after(1, leak.clone()), &[3, 5, 5, 5], 24);
    check(&links, &after(2, leak.clone()), &[5, 7, 7, 7], 48);
    check(&links, &leak, &[0, 0, 0, 0], 1);
    check(&links, &after(1, plain()), &[9, 13, 13, 13], 48);
    check(&links, &after(2, plain()), &[39, 51, 51, 51], 192);
    check(&links, &plain(), &[3, 4, 4, 4], 15);
}

#[test]
fn w3_a_spider_trap_takes_all_unless_visitors_teleport() {
    let links = four_without_c_to(Some(C));
    check(&links, &plain(), &[0, 0, 1, 0], 1);
    let teleporting = PageRankOptions { beta: 0.8, ..plain() };
    check(&links, &after(1, teleporting.clone()), &[9, 13, 25, 13], 60);
    check(&links, &after(2, teleporting.clone()), &[41, 53, 153, 53], 300);
    check(&links, &after(3, teleporting.clone()), &[543, 707, 2543, 707], 4500);
    check(&links, &teleporting, &[15, 19, 95, 19], 148);
    // A dead end that keeps its rank is such a trap.
    let staying = PageRankOptions { dead_ends: DeadEnds::Stay, ..teleporting };
    check(&four_without_c_to(None), &staying, &[15, 19, 95, 19], 148);
}

#[test]
fn w4_a_periodic_graph_is_reported() {
    let links = InLinks::from_arcs(2, [(A, B), (B, A)]).unwrap();
    let options = PageRankOptions { start: Start::Vector(vec![1.0, 0.0]), ..plain() };
    let ranks = pagerank(&links, &options).unwrap();
    assert!(!ranks.converged);
    assert_eq!(ranks.log.len(), 5_000);
    assert!(ranks.log.iter().all(|iteration| iteration.l1 == 2.0));
    let teleporting = pagerank(&links, &PageRankOptions { beta: 0.85, ..options }).unwrap();
    assert!(teleporting.converged);
}

#[test]
fn w5_a_topic_teleports_to_its_pages() {
    let links = InLinks::from_arcs(4, FOUR).unwrap();
    let options = PageRankOptions {
        beta: 0.8,
        teleport: Teleport::Nodes(vec![B, D, B]),
        start: Start::Vector(vec![0.0, 0.5, 0.0, 0.5]),
        ..plain()
    };
    check(&links, &after(1, options.clone()), &[2, 3, 2, 3], 10);
    check(&links, &after(2, options.clone()), &[42, 41, 26, 41], 150);
    check(&links, &after(3, options.clone()), &[62, 71, 46, 71], 250);
    check(&links, &options, &[54, 59, 38, 59], 210);
}

#[test]
fn w6_six_pages() {
    let arcs = [(1, 2), (2, 4), (3, 1), (3, 2), (4, 2), (4, 5), (5, 2), (5, 6), (6, 2)];
    let arcs = arcs.map(|(from, to)| (Node(from - 1), Node(to - 1)));
    let links = InLinks::from_arcs(6, arcs).unwrap();
    let start = Start::Vector(vec![1.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    let options = PageRankOptions { beta: 5.0 / 6.0, start, ..plain() };
    // Printed with three decimals, so half of the last one is the tolerance.
    let check = |options: &PageRankOptions, expected: [f64; 6]| {
        check_near(&links, options, &expected, 0.0005001);
    };
    check(&after(1, options.clone()), [0.028, 0.861, 0.028, 0.028, 0.028, 0.028]);
    check(&after(3, options.clone()), [0.039, 0.432, 0.028, 0.118, 0.338, 0.044]);
    check(&after(10, options.clone()), [0.039, 0.348, 0.028, 0.329, 0.158, 0.098]);
    check(&options, [0.039, 0.353, 0.028, 0.322, 0.162, 0.095]);
}

#[test]
fn pruned_dead_ends_get_their_share_back() {
    // A→B,C,D; B→A,D; C→E; D→B,C: E goes, then C; A, B, D remain. A textbook's numbers.
    let e = Node(4);
    let arcs = [(A, B), (A, C), (A, D), (B, A), (B, D), (C, e), (D, B), (D, C)];
    let links = InLinks::from_arcs(5, arcs).unwrap();
    let options = PageRankOptions { dead_ends: DeadEnds::Prune, ..plain() };
    check(&links, &options, &[12, 24, 13, 18, 13], 54);
    let topic = PageRankOptions { teleport: Teleport::Nodes(vec![e]), ..options.clone() };
    assert!(matches!(pagerank(&links, &topic), Err(Error::NothingLeft)));
    let start = Start::Vector(vec![0.0, 0.0, 1.0, 0.0, 0.0]);
    let gone = PageRankOptions { start, ..options };
    assert!(matches!(pagerank(&links, &gone), Err(Error::BadStart(_))));
}

#[test]
fn numbers_that_mean_nothing_are_refused() {
    let links = InLinks::from_arcs(4, FOUR).unwrap();
    for beta in [f64::NAN, -1.0, -f64::EPSILON, 1.1, f64::INFINITY] {
        let options = PageRankOptions { beta, ..plain() };
        let refused = pagerank(&links, &options);
        assert!(matches!(refused, Err(Error::BadOption { name: "beta", .. })), "{beta}");
    }
    for tolerance in [f64::NAN, -1.0, f64::INFINITY] {
        let options = PageRankOptions { tolerance, ..plain() };
        let refused = pagerank(&links, &options);
        assert!(matches!(refused, Err(Error::BadOption { name: "tolerance", .. })), "{tolerance}");
    }
}

#[test]
fn the_ends_of_beta_have_a_meaning() {
    let links = InLinks::from_arcs(4, FOUR).unwrap();
    check(&links, &PageRankOptions { beta: 0.0, ..plain() }, &[1, 1, 1, 1], 4);
    check(&links, &PageRankOptions { beta: 1.0, ..plain() }, &[3, 2, 2, 2], 9);
}

#[test]
fn teleport_sets_must_be_nodes_of_the_graph() {
    let links = InLinks::from_arcs(4, FOUR).unwrap();
    let with = |nodes| PageRankOptions { teleport: Teleport::Nodes(nodes), ..plain() };
    assert!(matches!(pagerank(&links, &with(vec![])), Err(Error::EmptyTeleport)));
    let unknown = pagerank(&links, &with(vec![A, Node(4)]));
    assert!(matches!(unknown, Err(Error::UnknownNode { node: 4, num_nodes: 4 })));
}

#[test]
fn start_vectors_must_be_distributions() {
    let links = InLinks::from_arcs(2, [(A, B), (B, A)]).unwrap();
    let bad: [&[f64]; 6] =
        [&[], &[1.0], &[1.0, 0.0, 0.0], &[0.0, 0.0], &[f64::NAN, 1.0], &[-1.0, 2.0]];
    for vector in bad {
        let options = PageRankOptions { start: Start::Vector(vector.to_vec()), ..plain() };
        assert!(matches!(pagerank(&links, &options), Err(Error::BadStart(_))), "{vector:?}");
    }
    let scaled = PageRankOptions { start: Start::Vector(vec![3.0, 1.0]), ..plain() };
    check(&links, &after(0, scaled.clone()), &[3, 1], 4);
    check(&links, &after(1, scaled), &[1, 3], 4);
}

#[test]
fn graphs_of_nothing_of_one_and_of_dead_ends_only_have_answers() {
    let every = [DeadEnds::Redistribute, DeadEnds::Stay, DeadEnds::Prune, DeadEnds::Leak];
    let with = |dead_ends| PageRankOptions { dead_ends, tolerance: 1e-13, ..Default::default() };
    let empty = InLinks::from_arcs(0, []).unwrap();
    for dead_ends in every {
        let ranks = pagerank(&empty, &with(dead_ends)).unwrap();
        assert!(ranks.scores.is_empty() && ranks.converged);
    }
    let one = InLinks::from_arcs(1, [(A, A)]).unwrap();
    for dead_ends in every {
        check(&one, &with(dead_ends), &[1], 1);
    }
    let only_dead_ends = InLinks::from_arcs(4, []).unwrap();
    check(&only_dead_ends, &with(DeadEnds::Redistribute), &[1, 1, 1, 1], 4);
    check(&only_dead_ends, &with(DeadEnds::Stay), &[1, 1, 1, 1], 4);
    check(&only_dead_ends, &with(DeadEnds::Leak), &[15, 15, 15, 15], 400);
    let pruned = pagerank(&only_dead_ends, &with(DeadEnds::Prune));
    assert!(matches!(pruned, Err(Error::NothingLeft)));
}

#[test]
fn a_watcher_can_break_off() {
    let links = InLinks::from_arcs(4, FOUR).unwrap();
    let mut seen = 0;
    let broken = pagerank_with(&links, &plain(), |iteration| {
        seen = iteration.number;
        if seen == 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    assert!(matches!(broken, Err(Error::Interrupted)));
    assert_eq!(seen, 3);
}

fn made_up(size: u32) -> InLinks {
    let arcs = (0..size).flat_map(|node: u32| {
        let target = |step: u32| Node((node.wrapping_mul(2_654_435_761) >> step) % size);
        [(Node(node), target(3)), (Node(node), target(11))]
    });
    InLinks::from_arcs(size, arcs.filter(|arc| arc.0.0 % 5 != 0)).unwrap()
}

#[test]
fn the_number_of_threads_does_not_change_a_bit() {
    let links = made_up(20_000);
    let options = after(10, PageRankOptions::default());
    let with_threads = |number| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(number).build().unwrap();
        pool.install(|| pagerank(&links, &options).unwrap())
    };
    assert_eq!(with_threads(1), with_threads(3));
}

#[test]
fn single_precision_ranks_the_same_but_for_some_ten_millionths() {
    let links = made_up(20_000);
    let double = PageRankOptions { tolerance: 1e-7, ..Default::default() };
    let single = PageRankOptions { precision: Precision::Single, ..double.clone() };
    let (double, single) = (pagerank(&links, &double).unwrap(), pagerank(&links, &single).unwrap());
    assert!(single.converged);
    let pairs = || single.scores.iter().zip(&double.scores);
    assert!(pairs().all(|(single, double)| (single - double).abs() <= 1e-6 * double));
    assert!(pairs().any(|(single, double)| single != double));
}

/// The same by the book: a full matrix, column by column.
fn dense(num_nodes: usize, arcs: &[(Node, Node)], beta: f64, steps: u32) -> Vec<f64> {
    let size = num_nodes as f64;
    let mut columns = vec![vec![0.0; num_nodes]; num_nodes];
    for (from, to) in arcs {
        columns[from.index()][to.index()] = 1.0;
    }
    for column in &mut columns {
        let degree: f64 = column.iter().sum();
        column.iter_mut().for_each(|cell| {
            *cell = if degree == 0.0 { 1.0 / size } else { *cell / degree };
        });
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

/// Returns the same graph with arcs of the classes that `class` tells.
fn weighted(links: &InLinks, table: Table, class: impl Fn(Node, Node) -> u8) -> InLinks {
    let mut builder = Builder::weighted(links.num_nodes(), 0, Some(table));
    for to in (0..links.num_nodes()).map(Node) {
        links.sources(to).for_each(|from| builder.push_class(from.0, class(from, to)));
        builder.end_node();
    }
    builder.finish()
}

prop_compose! {
    fn graphs()(num_nodes in 1..40u32)(
        num_nodes in Just(num_nodes),
        arcs in prop::collection::vec((0..num_nodes, 0..num_nodes), 0..200),
    ) -> (u32, Vec<(Node, Node)>) {
        (num_nodes, arcs.into_iter().map(|(from, to)| (Node(from), Node(to))).collect())
    }
}

proptest! {
    #[test]
    fn random_graphs_rank_as_a_full_matrix_does(
        (num_nodes, arcs) in graphs(),
        beta in 0.0..=1.0f64,
        steps in 0..30u32,
    ) {
        let links = InLinks::from_arcs(num_nodes, arcs.iter().copied()).unwrap();
        let options = after(steps, PageRankOptions { beta, ..Default::default() });
        let ranks = pagerank(&links, &options).unwrap();
        let expected = dense(num_nodes as usize, &arcs, beta, ranks.log.len() as u32);
        for (score, wanted) in ranks.scores.iter().zip(&expected) {
            prop_assert!((score - wanted).abs() < 1e-12);
        }
    }

    #[test]
    fn ranks_sum_to_one(
        (num_nodes, arcs) in graphs(),
        beta in 0.0..0.95f64,
        stay in any::<bool>(),
        topic in any::<bool>(),
    ) {
        let links = InLinks::from_arcs(num_nodes, arcs).unwrap();
        let dead_ends = if stay { DeadEnds::Stay } else { DeadEnds::Redistribute };
        let teleport = if topic { Teleport::Nodes(vec![A]) } else { Teleport::Uniform };
        let options = PageRankOptions {
            beta, dead_ends, teleport, tolerance: 1e-12, max_iterations: 2_000, ..Default::default()
        };
        let ranks = pagerank(&links, &options).unwrap();
        prop_assert!(ranks.converged);
        prop_assert!((ranks.scores.iter().sum::<f64>() - 1.0).abs() < 1e-9);
        prop_assert!(ranks.scores.iter().all(|score| *score >= 0.0));
    }

    #[test]
    fn weights_that_are_all_the_same_change_nothing(
        (num_nodes, arcs) in graphs(),
        weight in prop_oneof![Just(1.0), Just(0.3), Just(1e-6)],
        dead_ends in prop_oneof![
            Just(DeadEnds::Redistribute), Just(DeadEnds::Stay), Just(DeadEnds::Prune), Just(DeadEnds::Leak)
        ],
    ) {
        let links = InLinks::from_arcs(num_nodes, arcs).unwrap();
        let same = weighted(&links, [weight; 8], |_, _| 3);
        let options = after(12, PageRankOptions { dead_ends, ..Default::default() });
        let ranks = |links: &InLinks| pagerank(links, &options).map(|ranks| ranks.scores).ok();
        let (expected, found) = (ranks(&links), ranks(&same));
        prop_assert_eq!(expected.is_some(), found.is_some());
        for (score, wanted) in found.iter().flatten().zip(expected.iter().flatten()) {
            prop_assert!((score - wanted).abs() < 1e-12);
        }
        prop_assert_eq!(same.turned().turned(), same);
    }

    #[test]
    fn an_arc_of_half_a_weight_carries_half(
        (num_nodes, arcs) in graphs(),
        beta in 0.0..=1.0f64,
    ) {
        // Every arc to an odd node has half the weight, as if all others came twice: then a node
        // passes on 2 of 2·even + odd parts along the latter.
        let links = InLinks::from_arcs(num_nodes, arcs).unwrap();
        let half = weighted(&links, [1.0, 0.5, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0], |_, to| (to.0 % 2) as u8);
        let options = after(1, PageRankOptions { beta, ..Default::default() });
        let ranks = pagerank(&half, &options).unwrap();
        let size = f64::from(num_nodes);
        let turned = links.turned();
        let parts = |from: Node| -> u32 { turned.sources(from).map(|to| 2 - to.0 % 2).sum() };
        let dead = links.dead_ends().count() as f64 / size;
        for to in (0..num_nodes).map(Node) {
            let given: f64 = links
                .sources(to)
                .map(|from| f64::from(2 - to.0 % 2) / f64::from(parts(from)) / size)
                .sum();
            let expected = beta * given + (1.0 - beta + beta * dead) / size;
            prop_assert!((ranks.scores[to.index()] - expected).abs() < 1e-12);
        }
        let sets = [Teleport::Uniform, Teleport::Nodes(vec![A])];
        let many = after(9, options);
        let together = crate::topics(&half, &sets, &many).unwrap();
        for (ranks, teleport) in together.into_iter().zip(sets) {
            prop_assert_eq!(ranks, pagerank(&half, &PageRankOptions { teleport, ..many.clone() }).unwrap());
        }
    }
}
