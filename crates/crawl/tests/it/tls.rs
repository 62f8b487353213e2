//! Crawls over TLS: the whole path, and hosts whose certificates are not good.

use std::time::Duration;

use testweb::{Certificate, Handshake, Of, Script, Tls, Web};

use crate::help::{Place, options};

#[test]
fn a_site_is_crawled_over_tls() {
    let site = Script::new("a.lookfar")
        .page("/", "<a href=/x>x</a> <a href=https://a.lookfar:8443/y>y</a>")
        .page("/x", "<title>X</title>")
        .page("/y", "<title>Y</title>")
        .tls(Tls::speaking(&["http/1.1"]));
    let web = Web::new().site(site).with_tls().start().unwrap();
    let place = Place::new();
    let snapshot = place.crawl(&["https://a.lookfar/"], options(&web, Duration::ZERO));
    assert_eq!(snapshot.pages, 3, "{:?}", snapshot.reasons);
    assert_eq!(place.records()["https://a.lookfar:8443/y"][0].title, "Y");
    place.check();
}

#[test]
fn tls_01_tls_03_a_host_without_good_tls_is_not_fetched() {
    let hosts = [
        ("expired", Tls::showing(Certificate::Expired)),
        ("selfsigned", Tls::showing(Certificate::SelfSigned)),
        ("wrong", Tls::showing(Certificate::For(vec!["other.lookfar".to_owned()]))),
        ("unknown", Tls::showing(Certificate::UnknownIssuer)),
        ("stalls", Tls::shaking(Handshake::Stalls(100))),
    ];
    let mut web = Web::new().with_tls().site(Script::new("good.lookfar").page("/", "<p>in"));
    for (host, tls) in hosts.clone() {
        web = web.site(Script::new(&format!("{host}.lookfar")).page("/", "<p>in").tls(tls));
    }
    let web = web.start().unwrap();
    let place = Place::new();
    let mut options = options(&web, Duration::ZERO);
    options.fetch.handshake = Duration::from_millis(200);
    options.politeness.errors_before_leave = 2;
    options.politeness.longest_rest = Duration::from_secs(3600);
    let mut seeds: Vec<String> =
        hosts.iter().map(|(host, _)| format!("https://{host}.lookfar/")).collect();
    seeds.push("https://good.lookfar/".to_owned());
    let seeds: Vec<&str> = seeds.iter().map(String::as_str).collect();
    let snapshot = place.crawl(&seeds, options);
    // Nothing was asked of the others, not even robots.txt; it counts as unreachable.
    assert_eq!(snapshot.pages, 1);
    assert_eq!(web.log().count(Of::All), web.log().count("good.lookfar"));
    assert!(snapshot.reasons["robots-unreachable"] >= hosts.len() as u64, "{:?}", snapshot.reasons);
    assert_eq!(snapshot.queue, hosts.len() as u64);
}
