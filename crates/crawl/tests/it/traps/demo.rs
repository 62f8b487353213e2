//! The demo web as a whole: nearly all of its good pages, hardly anything else.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use base::PageId;
use crawl::Pattern;
use testweb::demo::{self, Kind};
use testweb::{Of, Web};

use crate::help::{Place, options};

/// A host whose robots.txt asks for two seconds between visits: obeyed elsewhere, not waited for
/// here.
const PATIENT: &str = "members.lookfar";
/// Of 14 reprints, as many may pass for pages of their own.
const MISSED_REPRINTS: usize = 1;

#[test]
fn the_demo_web_is_fetched_nearly_whole_and_with_little_waste() {
    let web = Web::new().sites(demo::sites(1)).start().unwrap();
    let mut options = options(&web, Duration::ZERO);
    options.guesses = true;
    options.scope.time = Some(Duration::from_secs(60));
    options.politeness.longest_wait = Duration::from_millis(100);
    options.scope.exclude = vec![Pattern::parse(PATIENT).unwrap()];
    let place = Place::new();
    place.crawl(&[demo::SEED], options);
    let requests = web.log().requests(Of::All);
    let asked: Vec<String> = requests
        .iter()
        .filter(|entry| entry.target != "/robots.txt")
        .map(|entry| format!("http://{}{}", entry.host, entry.target))
        .collect();
    let fetched: BTreeSet<&str> = asked.iter().map(String::as_str).collect();
    let good = demo::good_pages(1);
    let is_asked = |url: &&String| !url.contains(PATIENT);
    let good: Vec<&String> = good.iter().filter(is_asked).collect();
    let lost: Vec<&&String> = good.iter().filter(|url| !fetched.contains(url.as_str())).collect();
    let is_errand = |url: &str| url.ends_with("/sitemap.xml") || is_probe(url);
    let is_wasted =
        |url: &&String| matches!(demo::kind_of(url), None | Some(Kind::Trap)) && !is_errand(url);
    let wasted: Vec<&String> = asked.iter().filter(is_wasted).collect();
    println!(
        "{} of {} good pages lost, {} of {} fetches wasted",
        lost.len(),
        good.len(),
        wasted.len(),
        asked.len()
    );
    assert!(lost.len() * 20 <= good.len(), "{lost:?}");
    assert!(wasted.len() * 20 <= asked.len(), "{wasted:?}");
    check_copies(&place);
}

/// Asserts that copies, word by word or nearly, are folded, and nothing else is (C13).
fn check_copies(place: &Place) {
    let records = place.records();
    let url_of: BTreeMap<PageId, &str> =
        records.iter().map(|(url, said)| (said[0].id, url.as_str())).collect();
    let last = |url: &str| records.get(url).and_then(|said| said.last());
    let (mut copies, mut missed, mut wrong) = (0, Vec::new(), Vec::new());
    for url in records.keys() {
        let Some(record) = last(url).filter(|record| record.status == 200) else { continue };
        let said = record.copy_of.map(|page| url_of[&page]);
        let original = demo::copy_of(url);
        if let Some(original) = original.filter(|original| last(original).is_some()) {
            copies += 1;
            // Either of the two may stand.
            if said.is_none() && last(original).is_some_and(|record| record.copy_of.is_none()) {
                missed.push(url.as_str());
            }
        } else if let Some(said) = said
            && demo::kind_of(url) == Some(Kind::Good)
            && demo::copy_of(said) != Some(url.as_str())
        {
            wrong.push((url.as_str(), said));
        }
    }
    println!("{} of {copies} copies missed, {} good pages folded", missed.len(), wrong.len());
    // Reprints have another date, side bar and byline. Folding goes by an estimate, which may
    // err on one of them; copies word by word are all found.
    let reprints = missed.extract_if(.., |url| url.contains("/reprint/")).count();
    assert!(reprints <= MISSED_REPRINTS, "{reprints} reprints missed");
    assert_eq!(missed, Vec::<&str>::new());
    assert!(wrong.is_empty(), "{wrong:?}");
}

/// Whether a crawler has made this address up to see what a host says of it.
fn is_probe(url: &str) -> bool {
    let name = url.rsplit('/').next().and_then(|name| name.strip_suffix(".html"));
    name.is_some_and(|name| name.len() == 16 && name.bytes().all(|byte| byte.is_ascii_hexdigit()))
}
