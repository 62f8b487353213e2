//! Structure against what is plain to see, and against naive reachability on random graphs.

use std::ops::ControlFlow;

use proptest::prelude::*;

use super::*;
use crate::{Error, Links, Node};

fn graph(num_nodes: u32, arcs: &[(u32, u32)]) -> Links {
    let arcs = arcs.iter().map(|(from, to)| (Node(*from), Node(*to)));
    Links::from_arcs(num_nodes, arcs).unwrap()
}

/// A bow-tie with one node in each part but the core, which has 0, 1 and 2.
///
/// 3 is in, 4 out, 5 a tendril of in, 6 a tendril of out, 7 a tube, 8 the fringe, 9 an island.
const EACH: [(u32, u32); 11] =
    [(0, 1), (1, 2), (2, 0), (3, 0), (2, 4), (3, 5), (6, 4), (3, 7), (7, 4), (8, 5), (9, 9)];

fn each() -> BowTie {
    bow_tie(&graph(10, &EACH))
}

#[test]
fn every_part_of_a_bow_tie_is_told_apart() {
    let tie = each();
    let expected = [
        Part::Core,
        Part::Core,
        Part::Core,
        Part::In,
        Part::Out,
        Part::TendrilOfIn,
        Part::TendrilOfOut,
        Part::Tube,
        Part::Fringe,
        Part::Island,
    ];
    let found: Vec<Part> = (0..10).map(|node| tie.part(Node(node))).collect();
    assert_eq!(found, expected);
    assert_eq!(tie.count(Part::Core), 3);
    assert!(Part::ALL[1..].iter().all(|part| tie.count(*part) == 1));
    assert_eq!((tie.num_nodes(), tie.num_components()), (10, 8));
    assert!((tie.share(Part::Core) - 0.3).abs() < 1e-12);
}

#[test]
fn graphs_of_nothing_and_of_one_node_have_a_bow_tie() {
    let nothing = bow_tie(&graph(0, &[]));
    assert_eq!((nothing.num_nodes(), nothing.num_components()), (0, 0));
    assert_eq!(nothing.share(Part::Core), 0.0);
    let one = bow_tie(&graph(1, &[(0, 0)]));
    assert_eq!((one.part(Node(0)), one.num_components()), (Part::Core, 1));
}

#[test]
fn of_equal_components_the_one_with_the_lowest_node_is_the_core() {
    let tie = bow_tie(&graph(5, &[(1, 2), (2, 1), (3, 4), (4, 3), (2, 3)]));
    let found: Vec<Part> = (0..5).map(|node| tie.part(Node(node))).collect();
    assert_eq!(found, [Part::Island, Part::Core, Part::Core, Part::Out, Part::Out]);
}

#[test]
fn a_chain_of_very_many_pages_does_not_exhaust_the_stack() {
    let size = 300_000;
    let chain: Vec<_> = (1..size).map(|node| (node - 1, node)).collect();
    assert_eq!(components(&graph(size, &chain)).sizes().len(), size as usize);
    let ring: Vec<_> = chain.into_iter().chain([(size - 1, 0)]).collect();
    assert_eq!(components(&graph(size, &ring)).sizes(), [size]);
}

/// Returns which nodes each node reaches, itself included, by trying ever longer ways.
fn reachable(links: &Links) -> Vec<Vec<bool>> {
    let size = links.num_nodes() as usize;
    let mut reached: Vec<Vec<bool>> =
        (0..size).map(|from| (0..size).map(|to| from == to).collect()).collect();
    for _ in 0..size {
        for (from, to) in
            links.nodes().flat_map(|from| links.successors(from).map(move |to| (from, to)))
        {
            for start in &mut reached {
                start[to.index()] |= start[from.index()];
            }
        }
    }
    reached
}

/// The part of a node by its definition.
fn naive_part(reached: &[Vec<bool>], joined: &[Vec<bool>], core: &[usize], node: usize) -> Part {
    let size = reached.len();
    let to_core = |node: usize| reached[node][core[0]];
    let from_core = |node: usize| reached[core[0]][node];
    let from_in = (0..size).any(|x| to_core(x) && !from_core(x) && reached[x][node]);
    let to_out = (0..size).any(|x| from_core(x) && !to_core(x) && reached[node][x]);
    match (to_core(node), from_core(node), from_in, to_out) {
        (true, true, ..) => Part::Core,
        (true, false, ..) => Part::In,
        (false, true, ..) => Part::Out,
        (_, _, true, true) => Part::Tube,
        (_, _, true, false) => Part::TendrilOfIn,
        (_, _, false, true) => Part::TendrilOfOut,
        _ if joined[core[0]][node] => Part::Fringe,
        _ => Part::Island,
    }
}

prop_compose! {
    fn graphs()(num_nodes in 1..14u32, density in 1..3usize)(
        num_nodes in Just(num_nodes),
        arcs in prop::collection::vec((0..num_nodes, 0..num_nodes), 0..num_nodes as usize * density),
    ) -> (u32, Vec<(u32, u32)>) {
        (num_nodes, arcs)
    }
}

proptest! {
    #[test]
    fn random_graphs_fall_apart_as_naive_reachability_says((num_nodes, arcs) in graphs()) {
        let links = graph(num_nodes, &arcs);
        let (reached, found) = (reachable(&links), components(&links));
        let size = num_nodes as usize;
        let same = |a: usize, b: usize| reached[a][b] && reached[b][a];
        for (a, b) in (0..size).flat_map(|a| (0..size).map(move |b| (a, b))) {
            let (of_a, of_b) = (found.of(Node(a as u32)), found.of(Node(b as u32)));
            prop_assert_eq!(of_a == of_b, same(a, b));
            prop_assert!(!reached[a][b] || of_b <= of_a, "links lead downwards");
        }
        let both: Vec<_> = arcs.iter().flat_map(|(a, b)| [(*a, *b), (*b, *a)]).collect();
        let joined = reachable(&graph(num_nodes, &both));
        let members = |a: usize| (0..size).filter(|b| same(a, *b)).collect::<Vec<_>>();
        let largest = (0..size).map(|a| members(a).len()).max().unwrap();
        let core = (0..size).map(members).find(|members| members.len() == largest).unwrap();
        let tie = bow_tie(&links);
        for node in 0..size {
            let expected = naive_part(&reached, &joined, &core, node);
            prop_assert_eq!(tie.part(Node(node as u32)), expected);
        }
        let counted: u64 = Part::ALL.iter().map(|part| tie.count(*part)).sum();
        prop_assert_eq!(counted, u64::from(num_nodes));
    }

    #[test]
    fn reach_from_all_nodes_is_exact((num_nodes, arcs) in graphs()) {
        let links = graph(num_nodes, &arcs);
        let found = reach(&links, &ReachOptions::default());
        let pairs = reachable(&links).iter().flatten().filter(|reached| **reached).count();
        let share = pairs as f64 / f64::from(num_nodes).powi(2);
        for estimate in [found.forward, found.back] {
            prop_assert!((estimate.value - share).abs() < 1e-12);
            prop_assert_eq!(estimate.error, 0.0);
        }
        prop_assert_eq!(found.distances.iter().sum::<u64>(), pairs as u64);
        prop_assert_eq!(found.distances[0], u64::from(num_nodes));
        prop_assert!(found.mean_distance.value <= found.distances.len() as f64);
        prop_assert!(found.effective_diameter.value < found.distances.len() as f64);
    }
}

#[test]
fn distances_along_a_chain_are_those_counted_by_hand() {
    let links = graph(5, &[(0, 1), (1, 2), (2, 3), (3, 4)]);
    let found = reach(&links, &ReachOptions::default());
    assert_eq!((found.sample, &found.distances[..]), (5, &[5, 4, 3, 2, 1][..]));
    assert!((found.mean_distance.value - 2.0).abs() < 1e-12);
    // Nine of ten pairs are at most 3 apart.
    assert!((found.effective_diameter.value - 3.0).abs() < 1e-12);
    assert!((found.forward.value - 0.6).abs() < 1e-12);
}

#[test]
fn a_sample_comes_near_the_whole_and_tells_its_error() {
    // A ring of 1,000 that 3,000 pages link to.
    let ring = (0..1_000).map(|node| (node, (node + 1) % 1_000));
    let arcs: Vec<_> = ring.chain((1_000..4_000).map(|node| (node, node % 1_000))).collect();
    let found = reach(&graph(4_000, &arcs), &ReachOptions { sample: 200, seed: 7 });
    assert_eq!(found.sample, 200);
    // From the ring 1,000 are reached, from elsewhere 1,001; back, 4,000 or 1.
    assert!((found.forward.value - 0.25).abs() < 0.001);
    let back = (1_000.0 * 4_000.0 + 3_000.0) / 4_000f64.powi(2);
    assert!((found.back.value - back).abs() < 4.0 * found.back.error, "{:?}", found.back);
    assert!((0.02..0.04).contains(&found.back.error), "{:?}", found.back);
    assert!((found.mean_distance.value - 500.0).abs() < 1.0);
    let links = graph(4_000, &arcs);
    let with_threads = |number| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(number).build().unwrap();
        pool.install(|| reach(&links, &ReachOptions { sample: 200, seed: 7 }))
    };
    assert_eq!(with_threads(1), found);
    assert_eq!(with_threads(3), found);
}

#[test]
fn distances_without_end_are_counted_together() {
    let chain: Vec<_> = (1..1_500).map(|node| (node - 1, node)).collect();
    let found = reach(&graph(1_500, &chain), &ReachOptions { sample: 1_500, seed: 0 });
    assert_eq!(found.distances.len(), 1_001);
    assert_eq!(found.distances.iter().sum::<u64>(), 1_500 * 1_501 / 2);
}

#[test]
fn a_watcher_of_searches_can_break_off() {
    let links = graph(5, &[(0, 1), (1, 2), (2, 3), (3, 4)]);
    let stop = |done| if done == 7 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
    let broken = reach_with(&links, &ReachOptions::default(), stop);
    assert!(matches!(broken, Err(Error::Interrupted)));
}

#[test]
fn reach_of_nothing_is_nothing() {
    for options in [ReachOptions::default(), ReachOptions { sample: 0, seed: 0 }] {
        let found = reach(&graph(0, &[]), &options);
        assert_eq!((found.sample, found.forward.value, found.distances.len()), (0, 0.0, 0));
    }
    let nobody = reach(&graph(3, &[(0, 1)]), &ReachOptions { sample: 0, seed: 0 });
    assert_eq!(nobody.effective_diameter, Estimate { value: 0.0, error: 0.0 });
}

fn degrees_of(list: &[u32]) -> Degrees {
    let size = u32::try_from(list.len()).unwrap();
    Degrees::of((0..size).map(Node), |node| list[node.index()])
}

#[test]
fn degrees_are_counted_and_binned() {
    let degrees = degrees_of(&[0, 0, 1, 1, 1, 2, 3, 8]);
    assert_eq!(degrees.counts, [(0, 2), (1, 3), (2, 1), (3, 1), (8, 1)]);
    assert_eq!((degrees.max, degrees.mean, degrees.num_without()), (8, 2.0, 2));
    let bins: Vec<_> = degrees.bins().iter().map(|bin| (bin.from, bin.to, bin.count)).collect();
    assert_eq!(bins, [(1, 1, 3), (2, 3, 2), (4, 7, 0), (8, 15, 1)]);
    assert_eq!(degrees.power_law, None);
    assert!(degrees_of(&[]).bins().is_empty());
    assert_eq!(degrees_of(&[0]).max, 0);
    assert_eq!(degrees_of(&[u32::MAX]).bins().last().unwrap().to, u32::MAX);
}

#[test]
fn sums_of_powers_are_those_known() {
    let check = |s, from, expected: f64| {
        let found = degrees::zeta(s, from);
        assert!((found / expected - 1.0).abs() < 1e-9, "{found} ≠ {expected}");
    };
    let pi = std::f64::consts::PI;
    check(2.0, 1.0, pi * pi / 6.0);
    check(4.0, 1.0, pi.powi(4) / 90.0);
    check(2.0, 3.0, pi * pi / 6.0 - 1.25);
    check(3.0, 1.0, 1.202_056_903_159_594_2);
    check(10.0, 1.0, 1.000_994_575_127_818);
}

#[test]
fn the_exponent_of_a_made_up_power_law_is_found_again() {
    // Exact shares of x^−2.5 from 5 on, a flat part below.
    let alpha = 2.5;
    let whole = degrees::zeta(alpha, 5.0);
    let tail = (5..3_000).flat_map(|degree: u32| {
        let count = (200_000.0 * f64::from(degree).powf(-alpha) / whole).round() as usize;
        std::iter::repeat_n(degree, count)
    });
    let list: Vec<u32> =
        (0..5).flat_map(|degree| std::iter::repeat_n(degree, 9_000)).chain(tail).collect();
    let law = degrees_of(&list).power_law.unwrap();
    assert!((5..10).contains(&law.x_min), "{law:?}");
    // Rounding away counts below one half costs the far tail, a few parts in a thousand.
    assert!((law.alpha - alpha).abs() < 0.02, "{law:?}");
    assert!(law.distance < 0.01, "{law:?}");
    assert!((law.error - (law.alpha - 1.0) / (law.n as f64).sqrt()).abs() < 1e-12);
}

/// Reads a picture as XML does: tags that close, no script, nothing unescaped.
#[track_caller]
fn check_picture(svg: &str) {
    let mut open = Vec::new();
    for piece in svg.split('<').skip(1) {
        let (tag, text) = piece.split_once('>').expect("every tag ends");
        assert!(!text.contains('>'), "{text}");
        let name = tag.split([' ', '/']).find(|part| !part.is_empty()).unwrap();
        assert!(
            ["svg", "title", "desc", "style", "rect", "text", "g", "path", "circle"]
                .contains(&name)
        );
        match (tag.starts_with('/'), tag.ends_with('/')) {
            (true, _) => assert_eq!(open.pop(), Some(name)),
            (_, true) => {}
            _ => open.push(name),
        }
        assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
    }
    assert!(open.is_empty(), "{open:?}");
    assert!(svg.contains("prefers-color-scheme: dark") && svg.contains("role=\"img\""));
    assert!(!svg.contains("NaN") && !svg.contains("inf\"") && !svg.contains("inf "));
}

#[test]
fn the_picture_of_a_bow_tie_names_every_part_with_its_count() {
    let svg = draw_bow_tie(&each(), "A small web", "pages");
    check_picture(&svg);
    for part in Part::ALL {
        assert!(svg.contains(&format!("<title>{}: ", part.name())), "{part:?}");
    }
    assert!(svg.contains("3 pages, 30.0%") && svg.contains("1 pages, 10.0%"));
    for tie in [bow_tie(&graph(0, &[])), bow_tie(&graph(1, &[]))] {
        check_picture(&draw_bow_tie(&tie, "", "hosts"));
    }
}

#[test]
fn the_areas_of_a_bow_tie_are_in_proportion() {
    // A core of 30, 20 into it, 10 islands.
    let ring = (0..30).map(|node| (node, (node + 1) % 30));
    let arcs: Vec<_> = ring.chain((30..50).map(|node| (node, 0))).collect();
    let svg = draw_bow_tie(&bow_tie(&graph(60, &arcs)), "", "pages");
    let radii: Vec<f64> =
        svg.split("r=\"").skip(1).filter_map(|rest| rest.split('"').next()?.parse().ok()).collect();
    let [core, islands] = radii[..] else { panic!("{radii:?}") };
    assert!(((core / islands).powi(2) - 3.0).abs() < 0.05, "{radii:?}");
    // The wing by its corners: M x1 y1 L x2 y2 V y3 L x1 y4 Z.
    let wing = svg.split("<path d=\"M").nth(1).unwrap().split('Z').next().unwrap();
    let numbers: Vec<f64> =
        wing.split(['L', 'V', ' ']).filter_map(|number| number.parse().ok()).collect();
    let [x1, y1, x2, y2, y3, _, y4] = numbers[..] else { panic!("{numbers:?}") };
    let area = (x2 - x1) * ((y4 - y1) + (y3 - y2)) / 2.0;
    let expected = std::f64::consts::PI * core * core * 20.0 / 30.0;
    assert!((area / expected - 1.0).abs() < 0.01, "{area} ≠ {expected}");
}

#[test]
fn texts_cannot_break_out_of_a_picture() {
    let evil = "</title><script>alert(1)</script>\u{1b}\"' onload=\"x";
    let long = "&".repeat(10_000);
    for text in [evil, &long] {
        check_picture(&draw_bow_tie(&each(), text, text));
        let axis = plot::Axis {
            label: text.to_owned(),
            scale: plot::Scale::Linear,
            unit: plot::Unit::Percent,
        };
        let points = vec![(0.0, 0.0), (1.0, 1.0)];
        let series = plot::Series { name: text.to_owned(), points, mark: plot::Mark::Line };
        let svg = plot::lines(text, (&axis, &axis), &[series]);
        check_picture(&svg);
        assert!(svg.len() < 20_000, "{}", svg.len());
        assert!(!svg.contains('\u{1b}'));
    }
}

#[test]
fn degrees_are_drawn_with_their_power_law() {
    let list: Vec<u32> = (1..2_000u32).map(|i| 2_000 / i).collect();
    let degrees = degrees_of(&list);
    let svg = draw_degrees(&degrees, &degrees_of(&[0]), "Degrees", "pages");
    check_picture(&svg);
    assert!(degrees.power_law.is_some() && svg.contains("in-links: x^−"));
    check_picture(&draw_degrees(&degrees_of(&[]), &degrees_of(&[]), "", ""));
}

#[test]
fn plots_leave_out_what_cannot_be_drawn() {
    let axis = |scale| plot::Axis { label: "x".to_owned(), scale, unit: plot::Unit::Number };
    let bad = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX, f64::MIN_POSITIVE, 0.0, -1.0];
    let points: Vec<_> = bad.iter().flat_map(|x| bad.iter().map(|y| (*x, *y))).collect();
    let series = |mark| plot::Series { name: "bad".to_owned(), points: points.clone(), mark };
    for (x, y) in [
        (plot::Scale::Linear, plot::Scale::Linear),
        (plot::Scale::Log, plot::Scale::Linear),
        (plot::Scale::Log, plot::Scale::Log),
    ] {
        let all = [series(plot::Mark::Line), series(plot::Mark::Dots)];
        let svg = plot::lines("Bad numbers", (&axis(x), &axis(y)), &all);
        check_picture(&svg);
        assert_eq!(svg.contains("nothing to draw"), x == plot::Scale::Log);
    }
    let many = vec![series(plot::Mark::Line); 11];
    let svg = plot::lines("", (&axis(plot::Scale::Linear), &axis(plot::Scale::Linear)), &many);
    assert!(svg.contains("and 3 more, not drawn"));
}

#[test]
fn long_series_are_thinned_to_what_a_picture_can_show() {
    let axis =
        plot::Axis { label: String::new(), scale: plot::Scale::Linear, unit: plot::Unit::Number };
    let points: Vec<_> = (0..=100_000).map(|i| (f64::from(i), f64::from(i % 7))).collect();
    let series = plot::Series { name: String::new(), points, mark: plot::Mark::Line };
    let svg = plot::lines("", (&axis, &axis), &[series]);
    assert!(svg.len() < 60_000, "{}", svg.len());
    // The last point lies at the right end.
    assert!(svg.contains("L600.0 "));
}
