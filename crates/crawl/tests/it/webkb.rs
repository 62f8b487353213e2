//! The university web of 1997 as it was: everything that links reach, politely.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Duration;

use base::{LinkKind, Url};
use testweb::{Of, Web, WebKb};

use crate::help::{Place, options, pack};

const DELAY: Duration = Duration::from_millis(10);

#[test]
fn every_page_of_webkb_that_links_reach_is_fetched_and_no_host_is_hurried() {
    let Some(folder) = pack("webkb") else { return };
    let manifest = manifest(&folder);
    let seeds: BTreeMap<&str, &Url> = manifest.iter().map(|url| (url.host_str(), url)).collect();
    let web = Web::new().sites(WebKb::open(&folder).unwrap().sites()).start().unwrap();
    let place = Place::new();
    let mut options = options(&web, DELAY);
    options.guesses = true;
    options.politeness.tries_per_url = 1;
    let seeds: Vec<&str> = seeds.values().map(|url| url.as_str()).collect();
    println!("{} seeds, {} pages", seeds.len(), manifest.len());
    let snapshot = place.crawl(&seeds, options);
    println!(
        "{} pages of {} responses, {:?}",
        snapshot.pages, snapshot.responses, snapshot.reasons
    );

    place.check();
    let records = place.records();
    let mut missing = BTreeSet::new();
    for record in records.values().flatten().filter(|record| record.status == 200) {
        let links = record.links.iter().filter(|link| {
            link.kind != LinkKind::Media && link.rel.is_endorsement() && !record.robots.nofollow
        });
        let targets = links.map(|link| &link.target).filter(|target| manifest.contains(*target));
        missing.extend(targets.filter(|target| !records.contains_key(target.as_str())).cloned());
    }
    let fetched = manifest.iter().filter(|url| records.contains_key(url.as_str())).count();
    let hosts: BTreeSet<String> =
        web.log().requests(Of::All).iter().map(|entry| entry.host.to_string()).collect();
    println!("{fetched} pages on {} hosts fetched, {} missing", hosts.len(), missing.len());
    // That nothing is missing says little where little was asked for.
    assert!(fetched >= 5_000, "{fetched} pages of the manifest fetched");
    assert!(hosts.len() >= 580, "{} of 588 hosts were asked", hosts.len());
    assert_eq!(missing, BTreeSet::new(), "linked to, but not fetched");
    check_pace(&web, |entry| entry.host.to_string());
    check_pace(&web, |entry| entry.address.to_string());
}

/// Asserts by the server's own log that no two requests of a key came closer than the delay.
fn check_pace(web: &testweb::Running, key: impl Fn(&testweb::Entry) -> String) {
    let mut last: BTreeMap<String, Duration> = BTreeMap::new();
    for entry in web.log().requests(Of::All) {
        let name = key(&entry);
        if let Some(last) = last.get(&name) {
            let rest = entry.at.checked_sub(*last);
            assert!(rest.is_some_and(|rest| rest >= DELAY), "{name} was asked after {rest:?}");
        }
        // When the answer began to be sent is not known; the request itself is what counts.
        last.insert(name, entry.at);
    }
}

fn manifest(folder: &Path) -> BTreeSet<Url> {
    let text = std::fs::read_to_string(folder.join("webkb-manifest.tsv")).unwrap();
    let urls = text.lines().filter_map(|line| line.split_once('\t'));
    urls.filter_map(|(url, _)| Url::parse(url.trim_end_matches('\u{f00d}')).ok()).collect()
}
