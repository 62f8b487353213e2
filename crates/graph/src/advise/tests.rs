//! Against trying every page, and made-up cases whose answer is known.

use proptest::prelude::*;

use super::*;
use crate::Teleport;

fn links(num_nodes: u32, arcs: &[(u32, u32)]) -> Links {
    let arcs = arcs.iter().map(|(from, to)| (Node(*from), Node(*to)));
    Links::from_arcs(num_nodes, arcs).unwrap()
}

/// Tries every page; returns the best rank that one new link gives, if one helps.
fn brute_force(
    links: &Links,
    target: Node,
    allowed: impl Fn(Node) -> bool,
    options: &PageRankOptions,
) -> Option<f64> {
    let linking: Vec<Node> = links.predecessors(target).collect();
    let sources = links.nodes().filter(|node| *node != target && !linking.contains(node));
    let ranks = sources.filter(|node| allowed(*node)).map(|from| {
        let changed = with_link(links, from, target);
        exact_ranks(&changed, options, Start::Uniform, &|| ()).unwrap()[target.index()]
    });
    ranks.max_by(f64::total_cmp)
}

/// A popular page 0: 50 pages link to it, and it links to them all. A page 51 that 22 pages link
/// to and that has one link itself. The target is 54, which nobody links to.
fn popular_but_generous() -> Links {
    let mut arcs = Vec::new();
    for fan in 1..=50 {
        arcs.extend([(fan, 0), (0, fan)]);
    }
    arcs.extend([(52, 51), (53, 51), (51, 52), (54, 53), (52, 53), (53, 52)]);
    arcs.extend((55..75).map(|reader| (reader, 51)));
    links(75, &arcs)
}

#[test]
fn the_most_popular_page_is_not_always_the_best_to_be_linked_from() {
    let web = popular_but_generous();
    let options = PageRankOptions::default();
    let target = Node(54);
    let ranks = crate::pagerank(web.in_links(), &options).unwrap().scores;
    let popular = web.nodes().max_by(|a, b| ranks[a.index()].total_cmp(&ranks[b.index()])).unwrap();
    assert_eq!(popular, Node(0));
    let advice = advise(&web, target, 1, |_| true, &options).unwrap();
    let best = advice.suggestions[0];
    assert!(best.from == Node(51) && best.proven);
    assert!((best.predicted - best.recomputed).abs() < 1e-12);
    let from_popular =
        exact_ranks(&with_link(&web, popular, target), &options, Start::Uniform, &|| ());
    let gain = from_popular.unwrap()[target.index()] - advice.before;
    assert!(best.recomputed - advice.before > 2.0 * gain, "{best:?} against {gain}");
}

#[test]
fn further_links_are_chosen_after_the_first_is_there() {
    let web = popular_but_generous();
    let options = PageRankOptions::default();
    let advice = advise(&web, Node(54), 4, |node| node.0 >= 40, &options).unwrap();
    assert_eq!(advice.suggestions.len(), 4);
    let mut rank = advice.before;
    let mut from = Vec::new();
    for suggestion in &advice.suggestions {
        assert!(suggestion.recomputed > rank && suggestion.from.0 >= 40 && suggestion.proven);
        assert!((suggestion.predicted - suggestion.recomputed).abs() < 1e-12);
        rank = suggestion.recomputed;
        from.push(suggestion.from);
    }
    from.sort();
    from.dedup();
    assert_eq!(from.len(), 4);
}

#[test]
fn there_may_be_nobody_to_ask() {
    let all_link = links(3, &[(1, 0), (2, 0)]);
    let options = PageRankOptions::default();
    assert!(advise(&all_link, Node(0), 5, |_| true, &options).unwrap().suggestions.is_empty());
    assert!(advise(&all_link, Node(1), 5, |_| false, &options).unwrap().suggestions.is_empty());
    let alone = links(1, &[]);
    assert!(advise(&alone, Node(0), 1, |_| true, &options).unwrap().suggestions.is_empty());
    let no_links = PageRankOptions { beta: 0.0, ..options.clone() };
    assert!(advise(&all_link, Node(1), 1, |_| true, &no_links).unwrap().suggestions.is_empty());
    let advice = advise(&all_link, Node(1), 9, |_| true, &options).unwrap();
    assert_eq!(advice.suggestions.len(), 2, "0 and 2 can link to 1, and nobody else");
}

#[test]
fn what_has_no_closed_form_is_refused() {
    let web = links(3, &[(1, 0), (2, 0)]);
    let with = |beta, dead_ends| {
        let options = PageRankOptions { beta, dead_ends, ..PageRankOptions::default() };
        advise(&web, Node(0), 1, |_| true, &options)
    };
    for beta in [1.0, 1.5, -1.0, f64::NAN] {
        let refused = with(beta, DeadEnds::Redistribute);
        assert!(matches!(refused, Err(Error::BadOption { name: "beta", .. })), "{beta}");
    }
    assert!(matches!(with(0.85, DeadEnds::Prune), Err(Error::NotWithPruning(_))));
    let unknown = advise(&web, Node(3), 1, |_| true, &PageRankOptions::default());
    assert!(matches!(unknown, Err(Error::UnknownNode { node: 3, num_nodes: 3 })));
}

#[test]
fn a_link_is_put_in_once_and_in_order() {
    let web = links(4, &[(0, 2), (3, 2), (2, 1)]);
    assert_eq!(with_link(&web, Node(1), Node(2)), links(4, &[(0, 2), (1, 2), (3, 2), (2, 1)]));
    assert_eq!(with_link(&web, Node(3), Node(2)), web);
    assert_eq!(with_link(&web, Node(3), Node(0)), links(4, &[(0, 2), (3, 2), (2, 1), (3, 0)]));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]
    #[test]
    fn one_link_is_as_good_as_trying_every_page(
        num_nodes in 2..14u32,
        arcs in prop::collection::vec((0..14u32, 0..14u32), 0..60),
        beta in 0.05..0.95f64,
        mode in 0..4usize,
        barred in 0..14u32,
    ) {
        let arcs: Vec<(u32, u32)> =
            arcs.into_iter().map(|(from, to)| (from % num_nodes, to % num_nodes)).collect();
        let links = links(num_nodes, &arcs);
        let dead_ends = [DeadEnds::Redistribute, DeadEnds::Stay, DeadEnds::Leak][mode % 3];
        let teleport =
            if mode == 3 { Teleport::Nodes(vec![Node(1), Node(0)]) } else { Teleport::Uniform };
        let options =
            PageRankOptions { beta, dead_ends, teleport, ..PageRankOptions::default() };
        let target = Node(0);
        let allowed = |node: Node| node.0 != barred;
        let advice = advise(&links, target, 1, allowed, &options).unwrap();
        match (advice.suggestions.first(), brute_force(&links, target, allowed, &options)) {
            (Some(best), Some(wanted)) => {
                prop_assert!(best.proven);
                prop_assert!((best.recomputed - wanted).abs() < 1e-9, "{best:?} {wanted}");
                prop_assert!((best.predicted - best.recomputed).abs() < 1e-9, "{best:?}");
            }
            (None, Some(wanted)) => prop_assert!(wanted <= advice.before + 1e-12),
            (None, None) => {}
            (Some(best), None) => prop_assert!(false, "{best:?} out of nothing"),
        }
    }
}
