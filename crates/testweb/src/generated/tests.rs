//! Tests of the shape of generated webs; serving them is tested from outside.

use std::collections::{HashMap, HashSet, VecDeque};

use super::shape::Shape;
use super::*;

fn small(seed: u64) -> GeneratedOptions {
    GeneratedOptions { seed, hosts: 40, pages: 3_000, ..GeneratedOptions::default() }
}

#[test]
fn every_page_can_be_reached_from_the_first_home() {
    let shape = Shape::new(small(3));
    let first = Spot { host: 0, local: 0 };
    let (mut seen, mut waiting) = (HashSet::from([first]), VecDeque::from([first]));
    while let Some(spot) = waiting.pop_front() {
        if !matches!(shape.kind(spot), Kind::Plain | Kind::Changing) {
            continue;
        }
        for link in shape.links(spot) {
            if seen.insert(link) {
                waiting.push_back(link);
            }
        }
    }
    assert_eq!(seen.len(), 3_000);
}

#[test]
fn names_paths_and_marks_are_distinct_and_found_again() {
    let web = Generated::new(small(4));
    let pages: Vec<GeneratedPage> = web.pages().collect();
    assert_eq!(pages.len(), 3_000);
    assert_eq!(pages.iter().map(|page| &page.url).collect::<HashSet<_>>().len(), 3_000);
    assert_eq!(pages.iter().map(|page| &page.mark).collect::<HashSet<_>>().len(), 3_000);
    let shape = &web.shape;
    for host in 0..40 {
        for local in 0..shape.num_pages_of(host) {
            let spot = Spot { host, local };
            assert_eq!(shape.find(host, &shape.path(spot)), Some(spot));
        }
    }
    assert_eq!(shape.find(0, "/stories/none-such-3.html"), None);
    assert_eq!(shape.find(0, "/stories/none-such-99999999999999999999.html"), None);
}

#[test]
fn ten_thousand_hosts_have_names_of_their_own() {
    for naming in [Naming::Names, Naming::Addresses] {
        let options = GeneratedOptions { hosts: 10_000, naming, ..GeneratedOptions::default() };
        let shape = Shape::new(options);
        let names: HashSet<String> = (0..10_000).map(|host| shape.host_name(host)).collect();
        assert_eq!(names.len(), 10_000, "{naming:?}");
    }
}

#[test]
fn links_received_fall_as_a_power() {
    let options = GeneratedOptions { mix: Mix::none(), hosts: 1, pages: 20_000, ..small(5) };
    let shape = Shape::new(options);
    let mut received: HashMap<Spot, u32> = HashMap::new();
    for local in 0..20_000 {
        for link in shape.links(Spot { host: 0, local }) {
            *received.entry(link).or_default() += 1;
        }
    }
    let mut counts: Vec<u32> = received.into_values().collect();
    counts.sort_unstable_by(|a, b| b.cmp(a));
    // A power law is a straight line in logarithms: ten times the rank, an even share fewer.
    let ratios =
        [10, 100, 1_000].map(|rank| f64::from(counts[rank]) / f64::from(counts[rank * 10]));
    assert!(ratios.iter().all(|ratio| (3.0..9.0).contains(ratio)), "{ratios:?}");
}

#[test]
fn kinds_appear_in_their_shares_and_only_where_asked_for() {
    let mut counts: HashMap<Kind, usize> = HashMap::new();
    for page in Generated::new(small(6)).pages() {
        *counts.entry(page.kind).or_default() += 1;
    }
    assert_eq!(counts.len(), 8, "{counts:?}");
    assert!(counts[&Kind::Plain] > 2_400, "{counts:?}");
    let plain = GeneratedOptions { mix: Mix::none(), ..small(6) };
    assert!(Generated::new(plain).pages().all(|page| page.kind == Kind::Plain));
}

#[test]
fn pages_depend_on_the_seed_alone() {
    let text = |seed| {
        let shape = Shape::new(small(seed));
        render::page(&shape, Spot { host: 2, local: 9 }, Duration::ZERO, "")
    };
    assert_eq!(text(7), text(7));
    assert_ne!(text(7), text(8));
}

#[test]
fn few_pages_are_enough_for_many_hosts() {
    let web = Generated::new(GeneratedOptions { hosts: 7, pages: 0, ..small(9) });
    assert_eq!(web.pages().count(), 7);
}
