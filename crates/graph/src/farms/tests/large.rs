//! Webs of 20,000 pages with ten farms: how many of their pages are named, and who else.

use super::healthy;
use super::web::Web;
use crate::Node;
use crate::farms::Evidence;

/// Honest sites, all that looks like spam, and ten farms; each `hidden`th page of theirs has a
/// link to an honest page besides.
fn with_ten_farms(seed: u64, hidden: usize) -> (Web, Vec<Node>) {
    let mut web = Web::honest(15_000, seed);
    healthy::ALL.iter().for_each(|build| build(&mut web));
    let mut targets = vec![
        web.farm(300, 1, 10),
        web.farm(30, 6, 2),
        web.farm(100, 12, 0),
        web.farm(200, 3, 40),
        web.shop_farm(72, 3),
        web.shop_farm(200, 10),
        web.shop_farm(400, 0),
        web.chain_farm(5, 10, 1),
        web.chain_farm(40, 5, 20),
        web.chain_farm(12, 25, 5),
    ];
    targets.sort();
    web.camouflage(hidden);
    (web, targets)
}

/// Returns precision and recall over the pages of two webs.
fn measure(hidden: usize) -> (f64, f64) {
    let (mut right, mut named, mut wanted) = (0, 0, 0);
    for seed in [21, 22] {
        let (web, targets) = with_ten_farms(seed, hidden);
        assert!(web.num_pages() >= 19_000, "{}", web.num_pages());
        let report = web.find();
        let farms = report.findings.iter().filter_map(|finding| match finding.evidence {
            Evidence::Farm(farm) => Some(farm.target),
            _ => None,
        });
        let mut found: Vec<Node> = farms.collect();
        found.sort();
        assert!(found.iter().all(|target| targets.binary_search(target).is_ok()), "no other farm");
        let scores = report.page_scores();
        right += scores.keys().filter(|page| web.spam.contains(page)).count();
        named += scores.len();
        wanted += web.spam.len();
    }
    let (precision, recall) = (right as f64 / named as f64, right as f64 / wanted as f64);
    println!(
        "one page of {hidden} hides: {wanted} pages of farms, {named} named, \
         precision {precision:.4}, recall {recall:.4}"
    );
    (precision, recall)
}

#[test]
fn ten_farms_among_twenty_thousand_pages_are_named_and_nothing_else() {
    for hidden in [4, 2] {
        let (precision, recall) = measure(hidden);
        assert!(precision > 0.999 && recall > 0.99);
    }
}

#[test]
fn farms_whose_every_page_hides_are_partly_missed_but_nobody_else_is_named() {
    // With one link more, pages that have three within the farm are pages like others.
    let (precision, recall) = measure(1);
    assert!(precision > 0.999 && recall > 0.6);
}
