//! Servers that lie, hang and break; names that do not resolve; archives without page records.

use std::net::{IpAddr, Ipv4Addr};
use std::time::Duration;

use crawl::Addresses;
use testweb::{End, Pace, Raw, Script, Web};

use crate::help::{Place, options};

#[test]
fn one_bad_page_costs_one_page() {
    let raw = |bytes: &str| Raw::new(bytes.as_bytes().to_vec()).then(End::Close);
    let web = Web::new()
        .site(
            Script::new("a.lookfar")
                .answer("/robots.txt", testweb::Answer::not_found())
                .page("/", "<a href=/garbage>1</a> <a href=/short>2</a> <a href=/nothing>3</a> <a href=/good>4</a>")
                .raw("/garbage", raw("SSH-2.0-OpenSSH_9.2\r\n"))
                .raw("/short", raw("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 100\r\n\r\n<p>cut"))
                .raw("/nothing", raw(""))
                .page("/good", "<title>good</title><p>good"),
        )
        .start()
        .unwrap();
    let place = Place::new();
    let mut options = options(&web, Duration::ZERO);
    options.politeness.error_rest = Duration::from_millis(5);
    options.politeness.errors_before_leave = 50;
    let snapshot = place.crawl(&["http://a.lookfar/"], options);
    let records = place.records();
    assert_eq!(records["http://a.lookfar/good"][0].title, "good");
    let short = &records["http://a.lookfar/short"][0];
    assert!(short.oddities.contains(&base::Oddity::BodyIncomplete), "{:?}", short.oddities);
    assert!(!records.contains_key("http://a.lookfar/garbage"));
    assert_eq!(snapshot.reasons["protocol"], 3, "{:?}", snapshot.reasons);
    assert_eq!(snapshot.reasons["closed"], 3, "{:?}", snapshot.reasons);
    place.check();
}

#[test]
fn tcp_02_tcp_04_slow_servers_are_cut_off() {
    let web = Web::new()
        .site(
            Script::new("a.lookfar")
                .answer("/robots.txt", testweb::Answer::not_found())
                .page("/", "<a href=/mute>1</a> <a href=/drip>2</a>")
                .raw("/mute", Raw::new(Vec::new()).then(End::Hang))
                .raw(
                    "/drip",
                    Raw::new(
                        b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<title>drip</title>"
                            .to_vec(),
                    )
                    .followed_by(b"x".to_vec(), 1000)
                    .paced(Pace::pieces(40, Duration::from_millis(100))),
                ),
        )
        .start()
        .unwrap();
    let place = Place::new();
    let mut options = options(&web, Duration::ZERO);
    options.fetch.head = Duration::from_millis(300);
    options.fetch.total = Duration::from_millis(900);
    options.politeness.tries_per_url = 1;
    let snapshot = place.crawl(&["http://a.lookfar/"], options);
    assert_eq!(snapshot.reasons["head-timeout"], 1, "{:?}", snapshot.reasons);
    let drip = &place.records()["http://a.lookfar/drip"][0];
    assert!(drip.oddities.contains(&base::Oddity::BodyIncomplete));
}

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

#[test]
fn archive_records_without_page_records_are_read_again_not_fetched_again() {
    let web = Web::new()
        .site(Script::new("a.lookfar").page("/", "<a href=/x>x</a>").page("/x", "<title>X</title>"))
        .start()
        .unwrap();
    let place = Place::new();
    place.crawl(&["http://a.lookfar/"], options(&web, Duration::ZERO));
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
fn http_09_a_head_that_is_too_long_costs_one_page() {
    let head = format!("HTTP/1.1 200 OK\r\nX: {}\r\n\r\nbody", "x".repeat(90_000));
    let web = Web::new()
        .site(
            Script::new("a.lookfar")
                .answer("/robots.txt", testweb::Answer::not_found())
                .page("/", "<a href=/long>1</a> <a href=/good>2</a>")
                .raw("/long", Raw::new(head.into_bytes()).then(End::Close))
                .page("/good", "good"),
        )
        .start()
        .unwrap();
    let place = Place::new();
    let snapshot = place.crawl(&["http://a.lookfar/"], options(&web, Duration::ZERO));
    assert_eq!(snapshot.pages, 2);
    assert_eq!(snapshot.reasons["protocol"], 3, "{:?}", snapshot.reasons);
    place.check();
}

#[test]
fn a_page_log_that_lost_its_end_is_healed_from_the_archive() {
    let web = Web::new()
        .site(Script::new("a.lookfar").page("/", "<a href=/x>x</a>").page("/x", "<title>X</title>"))
        .start()
        .unwrap();
    let place = Place::new();
    place.crawl(&["http://a.lookfar/"], options(&web, Duration::ZERO));
    let before = place.records();
    let path = place.collection.pages().join("0000000001.log");
    let whole = std::fs::read(&path).unwrap();
    std::fs::write(&path, &whole[..whole.len() - 10]).unwrap();
    assert!(!crawl::check(&place.collection).unwrap().is_empty(), "check must see it");
    place.crawl(&["http://a.lookfar/"], options(&web, Duration::ZERO));
    assert_eq!(place.records(), before);
    place.check();
}
