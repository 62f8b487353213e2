//! Names that do not resolve; archives without page records; frontiers of other releases.

use std::net::{IpAddr, Ipv4Addr};
use std::time::Duration;

use crawl::{Addresses, Crawler, Error, FrontierError};
use testweb::{Running, Script, Web};

use crate::help::{Place, options};

#[test]
fn dns_01_private_addresses_are_never_dialled() {
    let web = Web::new()
        .site(Script::new("a.lookfar").page("/", "<p>inside"))
        .name("metadata.lookfar", &[IpAddr::V4(Ipv4Addr::new(169, 254, 169, 254))])
        .start()
        .unwrap();
    let place = Place::new();
    let mut options = options(&web, Duration::ZERO);
    options.dns.addresses = Addresses::Public;
    let seeds = ["http://a.lookfar/", "http://metadata.lookfar/", "http://127.0.0.1/"];
    let snapshot = place.crawl(&seeds, options);
    assert_eq!(snapshot.reasons["blocked-address"], 3, "{:?}", snapshot.reasons);
    assert_eq!(web.log().count(testweb::Of::All), 0);
}

#[test]
fn dns_09_urls_of_a_host_that_does_not_exist_are_delayed() {
    let web = Web::new()
        .site(Script::new("a.lookfar").page("/", "<a href=//nosuch.lookfar/>x</a>"))
        .start()
        .unwrap();
    let place = Place::new();
    let snapshot = place.crawl(&["http://a.lookfar/"], options(&web, Duration::ZERO));
    assert_eq!((snapshot.pages, snapshot.queue), (1, 1));
    assert_eq!(snapshot.reasons["no-such-host"], 1);
}

/// Two pages, crawled.
fn crawled() -> (Running, Place) {
    let site =
        Script::new("a.lookfar").page("/", "<a href=/x>x</a>").page("/x", "<title>X</title>");
    let web = Web::new().site(site).start().unwrap();
    let place = Place::new();
    place.crawl(&["http://a.lookfar/"], options(&web, Duration::ZERO));
    (web, place)
}

#[test]
fn archive_records_without_page_records_are_read_again_not_fetched_again() {
    let (web, place) = crawled();
    let before = place.records();
    let requests = web.log().count("a.lookfar");
    // As after a power loss that took everything but the archive.
    for folder in [place.collection.pages(), place.collection.frontier()] {
        std::fs::remove_dir_all(folder).unwrap();
    }
    let snapshot = place.crawl(&["http://a.lookfar/"], options(&web, Duration::ZERO));
    assert_eq!(place.records(), before);
    assert_eq!(snapshot.pages, 2);
    // Only robots.txt may be asked again: the copy of it was lost with the frontier.
    assert!(web.log().count("a.lookfar") <= requests + 1);
    place.check();
}

#[test]
fn a_page_log_that_lost_its_end_is_healed_from_the_archive() {
    let (web, place) = crawled();
    let before = place.records();
    let path = place.collection.pages().join("0000000001.log");
    let whole = std::fs::read(&path).unwrap();
    std::fs::write(&path, &whole[..whole.len() - 10]).unwrap();
    assert!(!crawl::check(&place.collection).unwrap().is_empty(), "check must see it");
    place.crawl(&["http://a.lookfar/"], options(&web, Duration::ZERO));
    assert_eq!(place.records(), before);
    place.check();
}

/// Changes the frontier's note of its format.
fn set_version(place: &Place, version: Option<u32>) {
    let database = fjall::Database::builder(place.collection.frontier()).open().unwrap();
    let meta = database.keyspace("meta", fjall::KeyspaceCreateOptions::default).unwrap();
    match version {
        Some(version) => meta.insert("version", postcard::to_stdvec(&version).unwrap()).unwrap(),
        None => meta.remove("version").unwrap(),
    }
}

#[test]
fn a_frontier_of_another_release_is_made_again_from_the_page_log() {
    let web = Web::new()
        .site(Script::new("a.lookfar").page("/", "<a href=/x>x</a>").page("/x", "<title>X</title>"))
        .start()
        .unwrap();
    for (version, words) in [(None, "of an early release"), (Some(77), "format 77")] {
        let place = Place::new();
        let first = place.crawl(&["http://a.lookfar/"], options(&web, Duration::ZERO));
        place.check();
        let (before, requests) = (place.records(), web.log().count("a.lookfar"));
        set_version(&place, version);
        // Whoever only reads says so.
        let problems = crawl::check(&place.collection).unwrap();
        assert!(problems.len() == 1 && problems[0].contains(words), "{problems:?}");
        let refused = crawl::stored_snapshot(&place.collection).unwrap_err();
        let Error::Frontier(error @ FrontierError::Version { .. }) = refused else {
            panic!("{refused}")
        };
        assert!(error.to_string().contains("the next crawl makes it again"), "{error}");
        // Whoever crawls makes it again, and fetches nothing again.
        let snapshot = place.crawl(&["http://a.lookfar/"], options(&web, Duration::ZERO));
        assert_eq!((snapshot.pages, snapshot.urls), (first.pages, first.urls));
        assert_eq!(place.records(), before);
        assert_eq!(web.log().count("a.lookfar"), requests);
        place.check();
    }
}

#[test]
fn a_frontier_that_is_still_empty_gets_its_version() {
    let place = Place::new();
    let web = Web::new().start().unwrap();
    for _ in 0..2 {
        drop(Crawler::open(&place.collection, options(&web, Duration::ZERO)).unwrap());
        place.check();
    }
}
