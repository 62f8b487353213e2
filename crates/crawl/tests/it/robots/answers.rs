//! What answers mean: R40–R42, HTTP-11, ROB-04, ROB-05.

use std::time::Duration;

use crawl::Dial;
use testweb::{Answer, End, Raw, Script, Web};

use super::{ALL, crawl, file, options, site};
use crate::help::Place;

#[test]
fn r40_rob_04_4xx_restricts_nothing() {
    for status in [400, 401, 403, 404, 410, 418, 451, 499] {
        let rules = Answer::status(status, "text/plain", "User-agent: *\nDisallow: /\n");
        let site = site("a.lookfar").answer("/robots.txt", rules);
        assert_eq!(crawl(site, "a.lookfar"), ALL, "{status}");
    }
}

#[test]
fn r40_rob_04_429_is_unreachable_and_its_retry_after_is_waited_for() {
    let busy = Answer::status(429, "text/plain", "").with_header("Retry-After", "1");
    let site = site("a.lookfar").answer("/robots.txt", busy).answer("/robots.txt", file(""));
    let web = Web::new().site(site).start().unwrap();
    let mut options = options(&web, Duration::ZERO);
    options.politeness.errors_before_leave = 10;
    Place::new().crawl(&["http://a.lookfar/"], options);
    let requests = web.log().requests("a.lookfar");
    let targets: Vec<&str> = requests.iter().map(|entry| entry.target.as_str()).collect();
    assert_eq!(targets, ["/robots.txt", "/robots.txt", "/", "/open", "/closed"]);
    assert!(requests[1].at - requests[0].at >= Duration::from_secs(1));
}

/// Crawls a site whose robots.txt is not to be had; asserts that nothing else is asked for.
#[track_caller]
fn check_closed(site: Script, what: &str) {
    let web = Web::new().site(site).start().unwrap();
    let snapshot = Place::new().crawl(&["http://a.lookfar/"], options(&web, Duration::ZERO));
    let paths = web.log().paths("a.lookfar");
    assert!(!paths.is_empty(), "{what}: it was asked");
    assert!(paths.iter().all(|path| path == "/robots.txt"), "{what}: {paths:?}");
    assert_eq!(snapshot.queue, 1, "{what}: the page waits; {:?}", snapshot.reasons);
}

#[test]
fn r41_rob_05_server_errors_close_the_host() {
    for status in [500, 502, 503, 599] {
        let rules = Answer::status(status, "text/plain", "User-agent: *\nAllow: /\n");
        check_closed(site("a.lookfar").answer("/robots.txt", rules), &status.to_string());
    }
}

#[test]
fn r41_rob_05_network_errors_close_the_host() {
    let part = "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nUser-agent: *\nAllow: /\n";
    let chunk = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n8\r\nAllow: /\r\n";
    for (what, raw) in [
        ("a time-out before the head", Raw::new("").then(End::Hang)),
        ("a time-out in the body", Raw::new(part).then(End::Hang)),
        ("a cut body", Raw::new(part).then(End::Close)),
        ("a reset", Raw::new(part).then(End::Reset)),
        ("a missing last chunk", Raw::new(chunk).then(End::Close)),
        ("no answer", Raw::new("").then(End::Close)),
        ("another protocol", Raw::new("SSH-2.0-OpenSSH_9.2\r\n").then(End::Close)),
    ] {
        check_closed(site("a.lookfar").raw("/robots.txt", raw), what);
    }
}

#[test]
fn r41_rob_05_broken_compression_closes_the_host() {
    let head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 12\r\n\r\n";
    let bytes = [head.as_bytes(), b"\x1f\x8b\x08\0\0\0\0\0\0\x03\x4b\x4c"].concat();
    check_closed(site("a.lookfar").raw("/robots.txt", Raw::new(bytes)), "half a gzip stream");
}

#[test]
fn r41_rob_05_what_cannot_be_connected_to_is_not_fetched() {
    let web = Web::new().site(site("a.lookfar")).start().unwrap();
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    // A port that nobody listens on, and one that speaks no TLS.
    for dial in [
        Dial { http: closed, https: None },
        Dial { http: web.http_port, https: Some(web.http_port) },
    ] {
        let mut options = options(&web, Duration::ZERO);
        options.fetch.dial = Some(dial);
        let seed = if dial.https.is_some() { "https://a.lookfar/" } else { "http://a.lookfar/" };
        let snapshot = Place::new().crawl(&[seed], options);
        assert_eq!((snapshot.responses, snapshot.queue), (0, 1), "{:?}", snapshot.reasons);
        assert!(web.log().paths("a.lookfar").iter().all(|path| path != "/"));
    }
}

#[test]
fn rob_05_a_host_is_open_again_when_its_file_is() {
    let site = site("a.lookfar")
        .answer("/robots.txt", Answer::status(500, "text/plain", ""))
        .raw("/robots.txt", Raw::new("").then(End::Reset))
        .answer("/robots.txt", file("User-agent: *\nDisallow: /closed\n"));
    let web = Web::new().site(site).start().unwrap();
    let mut options = options(&web, Duration::ZERO);
    options.politeness.errors_before_leave = 10;
    Place::new().crawl(&["http://a.lookfar/"], options);
    let expected = ["/robots.txt", "/robots.txt", "/robots.txt", "/", "/open"];
    assert_eq!(web.log().paths("a.lookfar"), expected);
}

#[test]
fn r42_http_11_odd_statuses_close_the_host() {
    for status in ["300 Choices", "304 Not Modified", "305 Proxy", "399 Odd", "600 Odd", "999 No"] {
        let raw = format!("HTTP/1.1 {status}\r\nContent-Length: 0\r\n\r\n");
        check_closed(site("a.lookfar").raw("/robots.txt", Raw::new(raw)), status);
    }
}
