//! Webs of 20,000 pages with ten farms each: how many of their pages are named, and who else.

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

/// Returns precision and recall over the pages of a web.
fn measure(seed: u64, hidden: usize) -> (f64, f64) {
    let (web, targets) = with_ten_farms(seed, hidden);
    assert!(web.num_pages() >= 19_000, "{}", web.num_pages());
    let report = web.find();
    for finding in &report.findings {
        let Evidence::Farm(farm) = finding.evidence else { panic!("{finding:#?}") };
        assert!(targets.binary_search(&farm.target).is_ok(), "{finding:#?}");
    }
    let scores = report.page_scores();
    let right = scores.keys().filter(|page| web.spam.contains(page)).count() as f64;
    let (named, wanted) = (scores.len(), web.spam.len());
    let (precision, recall) = (right / named as f64, right / wanted as f64);
    println!(
        "one page of {hidden} hides: {wanted} pages of farms, {named} named, \
         precision {precision:.4}, recall {recall:.4}"
    );
    (precision, recall)
}

#[test]
fn ten_farms_among_twenty_thousand_pages_are_named_and_nothing_else() {
    for (seed, hidden) in [(21, 4), (22, 2)] {
        let (precision, recall) = measure(seed, hidden);
        assert!(precision > 0.999 && recall > 0.99);
    }
}

#[test]
fn farms_whose_every_page_hides_are_partly_missed_but_nobody_else_is_named() {
    // With one link more, pages that have three within the farm are pages like others.
    let (precision, recall) = measure(23, 1);
    assert!(precision > 0.999 && recall > 0.6);
}
