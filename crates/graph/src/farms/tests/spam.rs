//! Farms, exchanges, shared targets and bombs are found, measured, and can be demoted.

use proptest::prelude::*;

use super::web::Web;
use crate::farms::{
    Evidence, Farm, Finding, Gain, Hosts, SpamOptions, SpamReport, demote, farm_rank, find_spam,
    preview, without_spam,
};
use crate::in_links::Builder;
use crate::{DeadEnds, Error, Links, Node, PageRankOptions, pagerank};

/// The only farm of a report.
#[track_caller]
fn only_farm(report: &SpamReport) -> (Farm, &Finding) {
    assert_eq!(report.findings.len(), 1, "{:#?}", report.findings);
    match &report.findings[0].evidence {
        Evidence::Farm(farm) => (*farm, &report.findings[0]),
        other => panic!("{other:?}"),
    }
}

#[track_caller]
fn check_near(found: f64, wanted: f64, distance: f64) {
    assert!((found - wanted).abs() < distance, "{found} ≠ {wanted}");
}

/// A ring with some chords, so without dead ends, of which three pages link to a farm's target.
fn ring_and_farm(num_ring: u32, num_supporters: u32) -> (Links, Node) {
    let mut arcs = Vec::new();
    let target = num_ring;
    for page in 0..num_ring {
        arcs.extend([(page, (page + 1) % num_ring), (page, (page * 7 + 3) % num_ring)]);
    }
    arcs.extend((0..3).map(|page| (page, target)));
    for supporter in target + 1..=target + num_supporters {
        arcs.extend([(target, supporter), (supporter, target)]);
    }
    let arcs = arcs.into_iter().map(|(from, to)| (Node(from), Node(to)));
    (Links::from_arcs(target + num_supporters + 1, arcs).unwrap(), Node(target))
}

#[test]
fn w7_a_simulated_farm_lands_on_the_closed_form() {
    check_near(1.0 / (1.0 - 0.85 * 0.85), 3.6, 0.005);
    check_near(farm_rank(0.0, 1, 1, 0.85).unwrap(), 0.46, 0.005);
    for (num_ring, num_supporters) in [(10, 1), (100, 10), (500, 50), (500, 1_000), (2_000, 300)] {
        for beta in [0.5, 0.8, 0.85, 0.9] {
            let (links, target) = ring_and_farm(num_ring, num_supporters);
            let options = PageRankOptions {
                beta,
                tolerance: 1e-13,
                max_iterations: 1_000,
                ..Default::default()
            };
            let scores = pagerank(links.in_links(), &options).unwrap().scores;
            let others = links.predecessors(target).filter(|from| *from < target);
            let share = |from: Node| scores[from.index()] / f64::from(links.out_degree(from));
            let num_nodes = links.num_nodes();
            let elsewhere =
                beta * others.map(share).sum::<f64>() + (1.0 - beta) / f64::from(num_nodes);
            let wanted = farm_rank(elsewhere, num_supporters, num_nodes, beta).unwrap();
            check_near(scores[target.index()], wanted, 1e-9);
        }
    }
}

#[test]
fn w7_the_closed_form_goes_by_the_weights_of_links() {
    // The last three arcs of the ring, which lead to the farm, count a quarter.
    let (plain, target) = ring_and_farm(500, 50);
    let mut table = [1.0; crate::weights::CLASSES];
    table[1] = 0.25;
    let mut builder = Builder::weighted(plain.num_nodes(), 0, Some(table));
    for node in plain.nodes() {
        for source in plain.predecessors(node) {
            builder.push_class(source.0, u8::from(node == target && source < target));
        }
        builder.end_node();
    }
    let links = Links::new(builder.finish());
    let numbers: Vec<u32> = (0..links.num_nodes()).collect();
    let hosts = Hosts::new(&numbers, &numbers).unwrap();
    let mut options = SpamOptions::default();
    (options.pagerank.tolerance, options.pagerank.max_iterations) = (1e-13, 1_000);
    let report = find_spam(&links, &hosts, &options).unwrap();
    let (farm, _) = only_farm(&report);
    let scores = pagerank(links.in_links(), &options.pagerank).unwrap().scores;
    // Each of the three has two links that count in full.
    let from_ring: f64 = (0..3).map(|page| scores[page] * 0.25 / 2.25).sum();
    let elsewhere = 0.85 * from_ring + 0.15 / f64::from(links.num_nodes());
    check_near(farm.predicted_boost, scores[target.index()] - elsewhere, 1e-11);
}

#[test]
fn the_closed_form_refuses_what_has_none() {
    for beta in [1.0, -0.1, 2.0, f64::NAN] {
        let refused = farm_rank(0.1, 10, 100, beta);
        assert!(matches!(refused, Err(Error::BadOption { name: "beta", .. })), "{beta}");
    }
    assert!(farm_rank(f64::NAN, 10, 100, 0.85).is_err());
    assert!(farm_rank(0.0, 0, 0, 0.0).unwrap() == 0.0);
}

#[test]
fn no_way_of_ranking_makes_scores_that_are_no_numbers() {
    let mut web = Web::honest(500, 20);
    web.farm(40, 3, 1);
    for beta in [0.0, 0.5, 1.0] {
        for dead_ends in [DeadEnds::Redistribute, DeadEnds::Stay, DeadEnds::Prune, DeadEnds::Leak] {
            let pagerank = PageRankOptions { beta, dead_ends, ..PageRankOptions::default() };
            let options = SpamOptions { pagerank, ..SpamOptions::default() };
            let report = find_spam(&web.links(), &web.hosts(), &options).unwrap();
            for finding in &report.findings {
                assert!((0.0..=1.0).contains(&finding.score), "{finding:?}");
                let Evidence::Farm(farm) = finding.evidence else { panic!("{finding:?}") };
                assert!(farm.predicted_boost.is_finite() && farm.without.is_finite());
            }
        }
    }
}

#[test]
fn a_farm_is_named_with_its_boost() {
    let mut web = Web::honest(2_000, 11);
    let target = web.farm(150, 5, 4);
    let report = web.find();
    let (farm, finding) = only_farm(&report);
    assert_eq!((farm.target, farm.num_supporters, farm.num_returned), (target, 150, 150));
    assert!(finding.pages.iter().chain(&finding.targets).all(|page| web.spam.contains(page)));
    assert_eq!((finding.hosts.len(), finding.owners.len()), (6, 2));
    assert!(finding.score > 0.7 && finding.score <= 1.0);
    assert_eq!(finding.examples(), &finding.pages[..20]);
    let wrong = (farm.predicted_boost - farm.measured_boost()).abs() / farm.measured_boost();
    assert!(wrong < 0.05, "{farm:?}");
    assert!(finding.reasons[0].starts_with("150 pages on 5 hosts of 1 owner "));
    let (pages, hosts) = (report.page_scores(), report.host_scores(&web.hosts()));
    assert_eq!(pages.len(), 151);
    assert!(pages.values().chain(hosts.values()).all(|score| (0.0..=1.0).contains(score)));
    assert_eq!(hosts.len(), 6);
}

#[test]
fn a_farm_half_at_home_with_pages_in_a_ring_is_named() {
    let mut web = Web::honest(2_000, 12);
    let target = web.shop_farm(72, 2);
    let report = web.find();
    let (farm, finding) = only_farm(&report);
    assert_eq!((farm.target, finding.pages.len()), (target, 73));
}

#[test]
fn a_farm_in_chains_over_many_hosts_is_named() {
    let mut web = Web::honest(2_000, 13);
    let target = web.chain_farm(20, 6, 3);
    let report = web.find();
    let (farm, finding) = only_farm(&report);
    assert_eq!((farm.target, finding.pages.len()), (target, 120));
}

#[test]
fn spm_02_ten_thousand_pages_that_link_to_one_do_not_lift_it_when_demoted() {
    let mut web = Web::honest(3_000, 14);
    let (host, farm_host) = (web.new_host(), web.new_host());
    let target = web.page(host);
    for page in web.pages(farm_host, 10_000) {
        web.link(page, target);
    }
    let links = web.links();
    let options = SpamOptions::default();
    let report = find_spam(&links, &web.hosts(), &options).unwrap();
    assert_eq!(only_farm(&report).0.num_supporters, 10_000);
    let before = pagerank(links.in_links(), &options.pagerank).unwrap().scores[target.index()];
    assert!(before > 0.2, "the farm works: {before}");
    // The cap: what a page has that nobody links to. Nobody honest links to this one.
    let after = demote(&links, &web.hosts(), &report, &options.pagerank).unwrap().scores;
    let least = after.iter().copied().fold(f64::INFINITY, f64::min);
    check_near(after[target.index()], least, 1e-12);
}

#[test]
fn a_preview_says_what_demoting_would_change() {
    let mut web = Web::honest(2_000, 15);
    let target = web.farm(150, 5, 4);
    let (links, hosts) = (web.links(), web.hosts());
    let options = PageRankOptions::default();
    let report = web.find();
    let scores = pagerank(links.in_links(), &options).unwrap().scores;
    let shown = preview(&links, &hosts, &scores, &report, &options, 0.25).unwrap();
    let first = shown.changes[0];
    assert_eq!(first.node, target);
    assert!(first.after < 0.3 * first.before && first.place_after > first.place_before);
    let (farm, _) = only_farm(&report);
    check_near(first.after, farm.without, 1e-9);
    assert!(shown.changes.iter().all(|change| web.spam.contains(&change.node)));
    assert!(shown.changes.windows(2).all(|pair| {
        let moved = |index: usize| (pair[index].before - pair[index].after).abs();
        moved(0) >= moved(1)
    }));
    let nothing = SpamReport::default();
    let same = preview(&links, &hosts, &scores, &nothing, &options, 0.0).unwrap();
    assert!(same.changes.is_empty(), "without findings nothing changes");
    assert!(preview(&links, &hosts, &scores[1..], &report, &options, 0.0).is_err());
}

/// Checks what a structure is said to bring its targets against two rankings.
#[track_caller]
fn check_gain(web: &Web, report: &SpamReport, gain: Gain) {
    let finding = &report.findings[0];
    let options = PageRankOptions::default();
    let sum = |scores: &[f64]| -> f64 {
        finding.targets.iter().map(|target| scores[target.index()]).sum()
    };
    let (links, hosts) = (web.links(), web.hosts());
    check_near(gain.rank, sum(&pagerank(links.in_links(), &options).unwrap().scores), 1e-12);
    check_near(gain.without, sum(&demote(&links, &hosts, report, &options).unwrap().scores), 1e-12);
    let told = finding.reasons.last().unwrap();
    let figures = [format!("{:.3e}", gain.rank), format!("{:.3e}", gain.without)];
    assert!(figures.iter().all(|figure| told.contains(figure)), "{told}");
}

/// Thirty sites, each with a page of links to twenty of the others.
fn with_exchange(seed: u64) -> Web {
    let mut web = Web::honest(2_000, seed);
    let sites: Vec<Vec<Node>> = (0..30)
        .map(|_| {
            let host = web.new_host();
            web.pages(host, 10)
        })
        .collect();
    for (number, site) in sites.iter().enumerate() {
        for page in &site[1..] {
            web.link(site[0], *page);
            web.link(*page, site[0]);
        }
        for step in 1..=10 {
            let partner = &sites[(number + step) % 30];
            web.link(site[1], partner[0]);
            web.link(partner[1], site[0]);
        }
        web.spam.extend([site[0], site[1]]);
    }
    web
}

#[test]
fn an_exchange_of_thirty_hosts_is_named() {
    let web = with_exchange(16);
    let report = web.find();
    assert_eq!(report.findings.len(), 1, "{:#?}", report.findings);
    let finding = &report.findings[0];
    let Evidence::Exchange(exchange) = finding.evidence else { panic!("{finding:?}") };
    assert_eq!((exchange.num_hosts, exchange.num_pairs, finding.owners.len()), (30, 300, 30));
    assert!(exchange.density > 0.6 && exchange.chance < 0.05, "{exchange:?}");
    assert!((finding.pages.len(), finding.targets.len()) == (30, 30));
    assert_eq!(report.page_scores().keys().copied().collect::<Vec<_>>().len(), web.spam.len());
    let links = web.links();
    let kept = without_spam(&links, &web.hosts(), &report).unwrap();
    assert_eq!(links.num_arcs() - kept.num_arcs(), 600, "300 pairs, both ways");
    check_gain(&web, &report, exchange.gain);
}

#[test]
fn targets_shared_by_hosts_of_few_owners_are_named() {
    let mut web = Web::honest(2_000, 17);
    let targets: Vec<Node> = (0..5)
        .map(|_| {
            let host = web.new_host();
            web.page(host)
        })
        .collect();
    let owners = [web.owner(), web.owner()];
    for number in 0..12 {
        let host = web.host(owners[number % 2]);
        let pages = web.pages(host, 8);
        for page in &pages {
            web.link(pages[0], *page);
            web.link(*page, pages[0]);
            targets.iter().for_each(|target| web.link(*page, *target));
            // Each hides its purpose by a link to some honest page.
            if let Some(other) = web.some_honest() {
                web.link(*page, other);
            }
        }
    }
    let report = web.find();
    assert_eq!(report.findings.len(), 1, "{:#?}", report.findings);
    let finding = &report.findings[0];
    let Evidence::SharedTargets(shared) = finding.evidence else { panic!("{finding:?}") };
    assert_eq!((shared.num_hosts, shared.num_owners, finding.targets.clone()), (12, 2, targets));
    assert_eq!((shared.num_pages, shared.given), (96, 1.0), "all of them");
    let kept = without_spam(&web.links(), &web.hosts(), &report).unwrap();
    let dropped = web.links().num_arcs() - kept.num_arcs();
    assert_eq!(dropped, 5 * finding.pages.len() as u64);
    check_gain(&web, &report, shared.gain);
    assert!(shared.gain.boost() > 0.5 * shared.gain.rank, "{:?}", shared.gain);
    assert!(finding.reasons.last().unwrap().ends_with(" of it is theirs"), "{finding:?}");
}

#[test]
fn graphs_of_nothing_and_lists_that_do_not_fit_have_answers() {
    let options = SpamOptions::default();
    let empty = Links::from_arcs(0, []).unwrap();
    let none = Hosts::new(&[], &[]).unwrap();
    assert!(find_spam(&empty, &none, &options).unwrap().findings.is_empty());
    let one = Links::from_arcs(1, [(Node(0), Node(0))]).unwrap();
    let host = Hosts::new(&[0], &[0]).unwrap();
    assert!(find_spam(&one, &host, &options).unwrap().findings.is_empty());
    assert!(matches!(find_spam(&one, &none, &options), Err(Error::WrongLength { .. })));
    assert!(matches!(Hosts::new(&[1], &[0]), Err(Error::BadOption { .. })));
    let mut bad = SpamOptions::default();
    bad.pagerank.beta = f64::NAN;
    assert!(find_spam(&one, &host, &bad).is_err());
    let zero = SpamOptions {
        min_supporters: 0,
        min_hosts: 0,
        min_partners: 0,
        min_pages: 0,
        max_links: 0,
        ..SpamOptions::default()
    };
    assert!(find_spam(&one, &host, &zero).is_ok() && find_spam(&empty, &none, &zero).is_ok());
}

#[test]
fn the_number_of_threads_does_not_change_a_report() {
    let mut web = with_exchange(19);
    web.farm(40, 3, 2);
    let with_threads = |number| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(number).build().unwrap();
        pool.install(|| web.find())
    };
    assert_eq!(with_threads(1), with_threads(3));
}

proptest! {
    #[test]
    fn any_graph_has_a_report_with_scores_from_0_to_1(
        arcs in prop::collection::vec((0..40u32, 0..40u32), 0..300),
        host_of in prop::collection::vec(0..12u32, 40),
        owner_of in prop::collection::vec(0..6u32, 12),
        min in 0..4usize,
        max_links in 0..6u32,
    ) {
        let arcs = arcs.into_iter().map(|(from, to)| (Node(from), Node(to)));
        let links = Links::from_arcs(40, arcs).unwrap();
        let hosts = Hosts::new(&host_of, &owner_of).unwrap();
        let options = SpamOptions {
            min_supporters: min, min_hosts: min, min_partners: min, min_pages: min, max_links,
            min_boost: 0.0, max_owners: (1.0, 1.0), ..SpamOptions::default()
        };
        let report = find_spam(&links, &hosts, &options).unwrap();
        for finding in &report.findings {
            prop_assert!(!finding.pages.is_empty() && !finding.targets.is_empty());
            for list in [&finding.pages, &finding.targets] {
                prop_assert!(list.windows(2).all(|pair| pair[0] < pair[1]));
            }
        }
        let (pages, of_hosts) = (report.page_scores(), report.host_scores(&hosts));
        prop_assert!(pages.values().chain(of_hosts.values()).all(|score| (0.0..=1.0).contains(score)));
        let kept = without_spam(&links, &hosts, &report).unwrap();
        prop_assert!(kept.num_arcs() < links.num_arcs() || report.findings.is_empty());
    }
}
