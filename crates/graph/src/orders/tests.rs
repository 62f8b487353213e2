//! Every order on one small graph, and what all orders share on random ones.

use proptest::prelude::*;

use super::*;

/// 0→1,2,3; 1→4; 2→5,3; 3→5; 4→6; 5→0; 7→0, which nothing reaches.
const ARCS: [(u32, u32); 10] =
    [(0, 1), (0, 2), (0, 3), (1, 4), (2, 5), (2, 3), (3, 5), (4, 6), (5, 0), (7, 0)];

fn links(num_nodes: u32, arcs: &[(u32, u32)]) -> Links {
    Links::from_arcs(num_nodes, arcs.iter().map(|(from, to)| (Node(*from), Node(*to)))).unwrap()
}

#[track_caller]
fn check(order: Order<'_>, expected: &[u32]) {
    let fetched = crawl_order(&links(8, &ARCS), &[Node(0), Node(0)], order).unwrap();
    let expected: Vec<Node> = expected.iter().copied().map(Node).collect();
    assert_eq!(fetched, expected);
}

#[test]
fn breadth_first_goes_by_distance() {
    check(Order::BreadthFirst, &[0, 1, 2, 3, 4, 5, 6]);
}

#[test]
fn depth_first_follows_the_first_link_to_its_end() {
    check(Order::DepthFirst, &[0, 1, 4, 6, 2, 3, 5]);
}

#[test]
fn the_page_that_most_fetched_pages_link_to_goes_first() {
    // After 0, 1, 2: page 3 has two links, 4 and 5 one each; 3 makes 5 the next.
    check(Order::InLinks, &[0, 1, 2, 3, 5, 4, 6]);
}

#[test]
fn the_page_with_the_most_cash_goes_first() {
    // 0 gives ⅓ each. 1 gives 1.283 to 4, which gives 2.09 to 6, which keeps it. Then 2 gives
    // 0.642 each to 3 and 5: 3 has 0.975.
    check(Order::Opic, &[0, 1, 4, 6, 2, 3, 5]);
}

#[test]
fn cash_counts_by_powers_of_two_and_then_the_way_from_a_seed() {
    // ⅓ each for 1, 2, 3: one class. 1 gives 1.283 to 4, of a class of its own, and so on. Then
    // 2 brings 3 to 0.975 and 5 to 0.642: the same class again, but 3 is nearer.
    check(Order::Frontier, &[0, 1, 4, 6, 2, 3, 5]);
    // 0 gives ½ to 1 and 2, of which 1 gives 0.475 to each of 3, 4, 5: a class below.
    let arcs = [(0, 1), (0, 2), (1, 3), (1, 4), (1, 5), (2, 5), (2, 6), (2, 7)];
    let fetched = crawl_order(&links(8, &arcs), &[Node(0)], Order::Frontier).unwrap();
    assert_eq!(fetched.iter().map(|node| node.0).collect::<Vec<_>>(), [0, 1, 2, 5, 3, 4, 6, 7]);
}

#[test]
fn seeds_are_fetched_before_all_else() {
    let links = links(8, &ARCS);
    let scores = [9.0; 8];
    let (depth, best) = (Order::DepthFirst, Order::Best(&scores));
    for order in [Order::BreadthFirst, depth, Order::Random(1), Order::InLinks, Order::Opic, best] {
        let fetched = crawl_order(&links, &[Node(7), Node(6), Node(1), Node(7)], order).unwrap();
        assert_eq!(fetched[..3], [Node(7), Node(6), Node(1)], "{order:?}");
        assert_eq!(fetched.len(), 8, "{order:?}");
    }
}

#[test]
fn the_best_of_what_is_known_goes_first() {
    let scores = [0.0, 1.0, 2.0, 3.0, 9.0, 0.5, 4.0, 100.0];
    check(Order::Best(&scores), &[0, 3, 2, 1, 4, 6, 5]);
}

#[test]
fn chance_is_the_same_for_the_same_beginning() {
    let links = links(8, &ARCS);
    let fetched = |start| crawl_order(&links, &[Node(0)], Order::Random(start)).unwrap();
    assert_eq!(fetched(1), fetched(1));
    assert!((2..20).any(|start| fetched(start) != fetched(1)));
}

#[test]
fn what_means_nothing_is_refused() {
    let links = links(8, &ARCS);
    let unknown = crawl_order(&links, &[Node(8)], Order::BreadthFirst);
    assert!(matches!(unknown, Err(Error::UnknownNode { node: 8, num_nodes: 8 })));
    let short = crawl_order(&links, &[Node(0)], Order::Best(&[1.0]));
    assert!(matches!(short, Err(Error::WrongLength { found: 1, wanted: 8, .. })));
    assert!(crawl_order(&links, &[], Order::Opic).unwrap().is_empty());
    assert!(matches!(gathered(&[Node(2)], &[1.0, 1.0], 5), Err(Error::UnknownNode { .. })));
    for scores in [&[][..], &[0.0, 0.0], &[f64::NAN, 1.0]] {
        assert!(matches!(gathered(&[], scores, 5), Err(Error::BadOption { .. })), "{scores:?}");
    }
}

#[test]
fn what_is_gathered_is_counted_from_nothing_to_the_end() {
    let fetched = [Node(3), Node(0), Node(1)];
    let points = gathered(&fetched, &[0.125, 0.125, 0.25, 0.5], 2).unwrap();
    let points: Vec<(f64, f64)> = points.iter().map(|point| (point.pages, point.score)).collect();
    assert_eq!(points, [(0.0, 0.0), (0.5, 0.625), (0.75, 0.75)]);
    assert_eq!(gathered(&fetched, &[0.25; 4], 0).unwrap().len(), 2);
    assert_eq!(gathered(&fetched, &[0.25; 4], usize::MAX).unwrap().len(), 4);
}

proptest! {
    #[test]
    fn every_order_fetches_all_that_can_be_reached_once(
        arcs in prop::collection::vec((0..30u32, 0..30u32), 0..90),
        seeds in prop::collection::vec(0..30u32, 0..4),
        scores in prop::collection::vec(0.0..1.0f64, 30),
        start in any::<u64>(),
    ) {
        let links = links(30, &arcs);
        let seeds: Vec<Node> = seeds.into_iter().map(Node).collect();
        let sorted = |order| {
            let mut fetched = crawl_order(&links, &seeds, order).unwrap();
            fetched.sort_unstable();
            fetched
        };
        let reached = sorted(Order::BreadthFirst);
        prop_assert!(reached.windows(2).all(|pair| pair[0] < pair[1]));
        prop_assert!(seeds.iter().all(|seed| reached.contains(seed)));
        for node in &reached {
            prop_assert!(links.successors(*node).all(|target| reached.contains(&target)));
        }
        let others = [
            Order::DepthFirst,
            Order::Random(start),
            Order::InLinks,
            Order::Opic,
            Order::Frontier,
            Order::Best(&scores),
        ];
        for order in others {
            prop_assert_eq!(&sorted(order), &reached);
        }
    }
}
