//! Hubs and authorities by hand, against dense matrices, and the caps of the base set.

use std::borrow::Cow;
use std::cell::Cell;
use std::ops::ControlFlow;

use proptest::prelude::*;

use super::*;
use crate::{Arcs, Node};

fn graph(num_nodes: u32, arcs: &[(u32, u32)]) -> Links {
    let arcs = arcs.iter().map(|(from, to)| (Node(*from), Node(*to)));
    Links::from_arcs(num_nodes, arcs).unwrap()
}

fn exact() -> HitsOptions {
    HitsOptions { tolerance: 1e-14, max_iterations: 5_000 }
}

#[track_caller]
fn check_near(found: &[f64], expected: &[f64]) {
    let near = found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-9);
    assert!(near && found.len() == expected.len(), "{found:?} ≠ {expected:?}");
}

/// Every two nodes on sites of their own.
fn apart(_: Node, _: Node) -> bool {
    false
}

#[test]
fn hubs_and_authorities_of_a_small_case_are_those_found_by_hand() {
    // 0 links to 2 and 3, 1 links to 3. Of AᵀA = [1 1; 1 2] the strongest direction is
    // (1, φ), of AAᵀ = [2 1; 1 1] it is (φ, 1), with φ the golden ratio.
    let links = graph(4, &[(0, 2), (0, 3), (1, 3)]);
    let found = hits(&links, &exact()).unwrap();
    assert!(found.converged);
    let phi = (1.0 + 5f64.sqrt()) / 2.0;
    let (small, large) = (1.0 / (1.0 + phi), phi / (1.0 + phi));
    check_near(&found.authorities, &[0.0, 0.0, small, large]);
    check_near(&found.hubs, &[large, small, 0.0, 0.0]);
}

#[test]
fn the_tighter_group_takes_all_in_hits_and_its_share_in_salsa() {
    // Two hubs with the same two authorities; beside them one hub with one.
    let links = graph(6, &[(0, 2), (0, 3), (1, 2), (1, 3), (4, 5)]);
    let found = hits(&links, &exact()).unwrap();
    check_near(&found.authorities, &[0.0, 0.0, 0.5, 0.5, 0.0, 0.0]);
    let steady = salsa(&links);
    let third = 1.0 / 3.0;
    check_near(&steady.authorities, &[0.0, 0.0, third, third, 0.0, third]);
    check_near(&steady.hubs, &[third, third, 0.0, 0.0, third, 0.0]);
}

#[test]
fn salsa_goes_by_in_links_inside_a_group() {
    let links = graph(5, &[(0, 3), (1, 3), (2, 3), (2, 4)]);
    let steady = salsa(&links);
    check_near(&steady.authorities, &[0.0, 0.0, 0.0, 0.75, 0.25]);
    check_near(&steady.hubs, &[0.25, 0.25, 0.5, 0.0, 0.0]);
}

#[test]
fn graphs_without_arcs_have_neither_hubs_nor_authorities() {
    for num_nodes in [0, 1, 3] {
        let links = graph(num_nodes, &[]);
        let nothing = vec![0.0; num_nodes as usize];
        for found in [hits(&links, &exact()).unwrap(), salsa(&links)] {
            assert_eq!((&found.authorities, &found.hubs), (&nothing, &nothing));
            assert!(found.converged);
        }
    }
}

#[test]
fn a_tolerance_that_means_nothing_is_refused() {
    for tolerance in [-1.0, f64::NAN, f64::INFINITY] {
        let refused = hits(&graph(2, &[(0, 1)]), &HitsOptions { tolerance, ..exact() });
        assert!(matches!(refused, Err(Error::BadOption { name: "tolerance", .. })));
    }
}

#[test]
fn what_has_not_converged_says_so() {
    let links = graph(4, &[(0, 2), (0, 3), (1, 3)]);
    let options = HitsOptions { max_iterations: 2, ..exact() };
    let found = hits(&links, &options).unwrap();
    assert!(!found.converged);
    assert_eq!(found.log.len(), 2);
    assert!(found.log[1].l1 < found.log[0].l1);
}

#[test]
fn the_number_of_threads_does_not_change_a_bit() {
    let size = 20_000u32;
    let arcs = (0..size).map(|node| (node, node.wrapping_mul(2_654_435_761) % size));
    let links = graph(size, &arcs.collect::<Vec<_>>());
    let options = HitsOptions { max_iterations: 10, tolerance: 0.0 };
    let with_threads = |number| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(number).build().unwrap();
        pool.install(|| hits(&links, &options).unwrap())
    };
    assert_eq!(with_threads(1), with_threads(3));
}

/// Builds a base set with the given sites by node.
#[track_caller]
fn base_set(links: &Links, roots: &[u32], options: BaseSetOptions, sites: &[u32]) -> BaseSet {
    let roots: Vec<Node> = roots.iter().map(|root| Node(*root)).collect();
    let same = |a: Node, b: Node| sites.get(a.index()) == sites.get(b.index());
    BaseSet::new(links, &roots, &options, same).unwrap()
}

fn numbers(set: &BaseSet) -> Vec<u32> {
    set.nodes().iter().map(|node| node.0).collect()
}

#[test]
fn the_base_set_is_roots_and_both_kinds_of_neighbours() {
    let links = graph(7, &[(1, 2), (0, 1), (2, 3), (5, 6), (0, 3)]);
    let sites = [0, 1, 2, 3, 4, 5, 6];
    let set = base_set(&links, &[1, 1], BaseSetOptions::default(), &sites);
    assert_eq!(numbers(&set), [0, 1, 2]);
    assert!(set.is_root(Node(1)) && !set.is_root(Node(0)) && !set.is_root(Node(6)));
    assert_eq!(set.links(), &graph(3, &[(0, 1), (1, 2)]));
    assert_eq!(set.best(&[0.1, 0.0, 0.1], 5), [(Node(0), 0.1), (Node(2), 0.1)]);
    assert_eq!(set.score(&[0.1, 0.0, 0.2], Node(2)), Some(0.2));
    assert_eq!(set.score(&[0.1, 0.0, 0.2], Node(6)), None);
}

#[test]
fn links_inside_a_site_neither_bring_neighbours_nor_count() {
    let links = graph(4, &[(0, 0), (0, 1), (0, 2), (2, 3), (3, 0)]);
    let set = base_set(&links, &[0], BaseSetOptions::default(), &[0, 0, 1, 1]);
    assert_eq!(numbers(&set), [0, 2, 3]);
    assert_eq!(set.links(), &graph(3, &[(0, 1), (2, 0)]));
}

#[test]
fn caps_hold_and_prefer_what_roots_share() {
    // Roots 0 and 1; node 50 is linked from both, 10.. only from 0, 30.. only from 1.
    let own = (10..20).map(|to| (0, to)).chain((30..40).map(|to| (1, to)));
    let arcs: Vec<_> = own.chain([(0, 50), (1, 50)]).collect();
    let links = graph(60, &arcs);
    let sites: Vec<u32> = (0..60).collect();
    let four = BaseSetOptions { max_nodes: 4, ..Default::default() };
    assert_eq!(numbers(&base_set(&links, &[1, 0], four, &sites)), [0, 1, 30, 50]);
    let two_each = BaseSetOptions { max_neighbours: 2, ..Default::default() };
    assert_eq!(numbers(&base_set(&links, &[0], two_each, &sites)), [0, 10, 15]);
    let one_root = BaseSetOptions { max_roots: 1, max_neighbours: 0, ..Default::default() };
    assert_eq!(numbers(&base_set(&links, &[0, 1], one_root, &sites)), [0]);
    let nothing = BaseSetOptions { max_nodes: 0, ..Default::default() };
    assert!(numbers(&base_set(&links, &[0, 1], nothing, &sites)).is_empty());
}

#[test]
fn a_root_that_all_link_to_costs_no_more_than_its_cap() {
    let links = graph(100_000, &(1..100_000).map(|from| (from, 0)).collect::<Vec<_>>());
    let calls = Cell::new(0);
    let count = |_: Node, _: Node| {
        calls.set(calls.get() + 1);
        false
    };
    let set = BaseSet::new(&links, &[Node(0)], &BaseSetOptions::default(), count).unwrap();
    assert_eq!(set.nodes().len(), 51);
    assert_eq!(set.links().num_arcs(), 50);
    assert_eq!(calls.get(), 1_000 + 50);
    assert_eq!(set.num_cut(), 1);
    assert_eq!(base_set(&links, &[1], BaseSetOptions::default(), &[0, 1]).num_cut(), 0);
}

/// Links that remember how many were asked for at most, on either side.
struct Capped<'a> {
    links: &'a Links,
    most: Cell<(usize, usize)>,
}

impl Arcs for Capped<'_> {
    fn num_nodes(&self) -> u32 {
        self.links.num_nodes()
    }

    fn linking(&self, node: Node, most: usize) -> Cow<'_, [u32]> {
        let (linking, linked) = self.most.get();
        self.most.set((linking.max(most), linked));
        self.links.linking(node, most)
    }

    fn linked(&self, node: Node, most: usize) -> Cow<'_, [u32]> {
        let (linking, linked) = self.most.get();
        self.most.set((linking, linked.max(most)));
        self.links.linked(node, most)
    }

    fn num_linking(&self, node: Node) -> usize {
        self.links.num_linking(node)
    }

    fn num_linked(&self, node: Node) -> usize {
        self.links.num_linked(node)
    }
}

#[test]
fn a_base_set_reads_no_list_whole_and_can_be_broken_off() {
    let links = graph(20, &[(0, 1), (2, 1), (3, 1), (1, 4), (0, 5), (6, 0)]);
    let capped = Capped { links: &links, most: Default::default() };
    let options = BaseSetOptions { max_links: 2, ..Default::default() };
    let roots = [Node(0), Node(1)];
    let built = |most_asked: usize| {
        let mut num_asked = 0;
        let watch = || {
            num_asked += 1;
            match num_asked > most_asked {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        };
        BaseSet::new_with(&capped, &roots, &options, apart, watch)
    };
    let whole = built(usize::MAX).unwrap();
    assert_eq!((capped.most.get(), whole.num_cut()), ((2, 1 << 16), 1));
    // Each root is asked about, and then each node of the set.
    let num_steps = roots.len() + whole.nodes().len();
    assert_eq!(built(num_steps).unwrap(), whole);
    for too_few in 0..num_steps {
        assert!(matches!(built(too_few), Err(Error::Interrupted)), "{too_few}");
    }
}

#[test]
fn roots_must_be_nodes_of_the_graph() {
    let links = graph(2, &[(0, 1)]);
    let unknown = BaseSet::new(&links, &[Node(2)], &BaseSetOptions::default(), apart);
    assert!(matches!(unknown, Err(Error::UnknownNode { node: 2, num_nodes: 2 })));
    let none = BaseSet::new(&links, &[], &BaseSetOptions::default(), apart).unwrap();
    assert!(none.nodes().is_empty());
}

type Matrix = Vec<Vec<f64>>;

fn times(one: &Matrix, other: &Matrix) -> Matrix {
    let cell = |i: usize, j: usize| (0..other.len()).map(|k| one[i][k] * other[k][j]).sum();
    (0..one.len()).map(|i| (0..other[0].len()).map(|j| cell(i, j)).collect()).collect()
}

fn turned(matrix: &Matrix) -> Matrix {
    (0..matrix.len()).map(|j| matrix.iter().map(|row| row[j]).collect()).collect()
}

fn adjacency(links: &Links) -> Matrix {
    let mut matrix = vec![vec![0.0; links.num_nodes() as usize]; links.num_nodes() as usize];
    for from in links.nodes() {
        links.successors(from).for_each(|to| matrix[from.index()][to.index()] = 1.0);
    }
    matrix
}

/// Squares a matrix 24 times: its 2^24th power, up to a factor.
fn high_power(mut matrix: Matrix) -> Matrix {
    for _ in 0..24 {
        matrix = times(&matrix, &matrix);
        let largest = matrix.iter().flatten().fold(0.0, |a: f64, b| a.max(*b));
        matrix.iter_mut().flatten().for_each(|cell| *cell /= largest);
    }
    matrix
}

fn scaled(vector: Matrix) -> Vec<f64> {
    let sum: f64 = vector.iter().flatten().sum();
    vector.into_iter().flatten().map(|cell| cell / sum).collect()
}

fn column(values: impl Iterator<Item = f64>) -> Matrix {
    values.map(|value| vec![value]).collect()
}

/// Divides each row by its sum, where it has one.
fn walk(mut matrix: Matrix) -> Matrix {
    for row in &mut matrix {
        let sum: f64 = row.iter().sum();
        row.iter_mut().filter(|_| sum > 0.0).for_each(|cell| *cell /= sum);
    }
    matrix
}

prop_compose! {
    fn graphs()(num_nodes in 1..12u32)(
        num_nodes in Just(num_nodes),
        arcs in prop::collection::vec((0..num_nodes, 0..num_nodes), 1..40),
    ) -> Links {
        graph(num_nodes, &arcs)
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn hits_finds_the_strongest_direction_of_the_full_matrix(links in graphs()) {
        let options = HitsOptions { tolerance: 1e-13, max_iterations: 20_000 };
        let found = hits(&links, &options).unwrap();
        prop_assume!(found.converged);
        let a = adjacency(&links);
        let ones = column(a.iter().map(|_| 1.0));
        let first = times(&turned(&a), &ones);
        let authorities = scaled(times(&high_power(times(&turned(&a), &a)), &first));
        let hubs = scaled(times(&high_power(times(&a, &turned(&a))), &ones));
        for (found, expected) in [(&found.authorities, authorities), (&found.hubs, hubs)] {
            for (score, wanted) in found.iter().zip(&expected) {
                prop_assert!((score - wanted).abs() < 1e-6, "{found:?} ≠ {expected:?}");
            }
        }
    }

    #[test]
    fn salsa_is_where_its_visitor_ends_up(links in graphs()) {
        let steady = salsa(&links);
        let a = adjacency(&links);
        let (forward, back) = (walk(a.clone()), walk(turned(&a)));
        let authorities = (times(&back, &forward), &steady.authorities);
        let hubs = (times(&forward, &back), &steady.hubs);
        for (step, found) in [authorities, hubs] {
            let start = column(step.iter().map(|row| row.iter().sum::<f64>().round()));
            let expected = scaled(times(&turned(&high_power(step)), &start));
            for (score, wanted) in found.iter().zip(&expected) {
                prop_assert!((score - wanted).abs() < 1e-6, "{found:?} ≠ {expected:?}");
            }
        }
    }

    #[test]
    fn uncapped_base_sets_hold_all_neighbours(
        links in graphs(),
        roots in prop::collection::vec(0..12u32, 0..5),
        sites in prop::collection::vec(0..4u32, 12),
    ) {
        let roots: Vec<u32> =
            roots.into_iter().filter(|root| *root < links.num_nodes()).collect();
        let set = base_set(&links, &roots, BaseSetOptions::default(), &sites);
        let counts = |from: Node, to: Node| sites[from.index()] != sites[to.index()];
        let expected = links.nodes().filter(|node| roots.iter().map(|root| Node(*root)).any(
            |root| root == *node
                || counts(root, *node)
                && (links.successors(root).any(|to| to == *node)
                    || links.predecessors(root).any(|from| from == *node)),
        ));
        prop_assert_eq!(set.nodes(), expected.collect::<Vec<_>>());
        for (i, from) in set.nodes().iter().enumerate() {
            let found = set.links().successors(Node(i as u32)).map(|to| set.nodes()[to.index()]);
            let inside = |to: &Node| set.nodes().contains(to) && counts(*from, *to);
            let expected: Vec<_> = links.successors(*from).filter(inside).collect();
            prop_assert_eq!(found.collect::<Vec<_>>(), expected);
        }
    }
}
