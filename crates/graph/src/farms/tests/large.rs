//! A web of 20,000 pages with ten farms: how many of their pages are named, and who else.

use super::web::Web;
use crate::farms::Evidence;

#[test]
fn ten_farms_among_twenty_thousand_pages_are_named_and_hardly_anything_else() {
    let mut web = Web::honest(18_000, 21);
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
    assert!(web.num_pages() >= 19_500, "{}", web.num_pages());
    let report = web.find();
    let mut found = Vec::new();
    for finding in &report.findings {
        if let Evidence::Farm(farm) = finding.evidence {
            found.push(farm.target);
        }
    }
    found.sort();
    let named = report.page_scores();
    let right = named.keys().filter(|page| web.spam.contains(page)).count() as f64;
    let (precision, recall) = (right / named.len() as f64, right / web.spam.len() as f64);
    println!(
        "{} pages, {} of farms, {} named: precision {precision:.4}, recall {recall:.4}",
        web.num_pages(),
        web.spam.len(),
        named.len(),
    );
    assert_eq!(found, targets, "every farm, and no other");
    assert!(precision > 0.99 && recall > 0.99);
}
