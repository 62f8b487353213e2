//! What answers mean: R40–R42, HTTP-11, ROB-04, ROB-05.

use std::time::Duration;

use crawl::Dial;
use testweb::{Answer, End, Raw, Web};

use super::{ALL, HOUR, Reply, asked, check_closed, check_each, file, options, site};
use crate::help::Place;

#[test]
fn r40_rob_04_4xx_restricts_nothing() {
    let rules = |status| Answer::status(status, "text/plain", "User-agent: *\nDisallow: /\n");
    let statuses = [400, 401, 403, 404, 410, 418, 451, 499];
    check_each(statuses.map(|status| (status, rules(status))), &ALL);
}

#[test]
fn r40_rob_04_429_is_unreachable_and_its_retry_after_is_waited_for() {
    let busy = Answer::status(429, "text/plain", "").with_header("Retry-After", "1");
    let site = site("a.lookfar").answer("/robots.txt", busy).answer("/robots.txt", file(""));
    let web = Web::new().site(site).start().unwrap();
    let mut options = options(&web, Duration::ZERO);
    options.politeness.errors_before_leave = 10;
    Place::new().crawl(&["http://a.lookfar/"], options);
    let expected = ["/robots.txt", "/robots.txt", "/", "/open", "/closed"];
    assert_eq!(asked(&web, "a.lookfar"), expected);
    let requests = web.log().requests("a.lookfar");
    assert!(requests[1].at - requests[0].at >= Duration::from_secs(1));
}

#[test]
fn r41_rob_05_server_errors_close_the_host() {
    let rules = |status| Answer::status(status, "text/plain", "User-agent: *\nAllow: /\n");
    let statuses = [500, 501, 502, 503, 504, 599];
    check_closed(Web::new(), statuses.map(|status| (status, Reply::Answer(rules(status)))));
}

#[test]
fn r41_rob_05_network_errors_close_the_host() {
    let part = "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nUser-agent: *\nAllow: /\n";
    let chunk = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n8\r\nAllow: /\r\n";
    let head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 12\r\n\r\n";
    let half_gzip = [head.as_bytes(), b"\x1f\x8b\x08\0\0\0\0\0\0\x03\x4b\x4c"].concat();
    let cases = [
        ("a time-out before the head", Raw::new("").then(End::Hang)),
        ("a time-out in the body", Raw::new(part).then(End::Hang)),
        ("a cut body", Raw::new(part).then(End::Close)),
        ("a reset", Raw::new(part).then(End::Reset)),
        ("a missing last chunk", Raw::new(chunk).then(End::Close)),
        ("half a gzip stream", Raw::new(half_gzip)),
        ("no answer", Raw::new("").then(End::Close)),
        ("another protocol", Raw::new("SSH-2.0-OpenSSH_9.2\r\n").then(End::Close)),
    ];
    check_closed(Web::new(), cases.map(|(what, raw)| (what, Reply::Raw(raw))));
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
        assert_eq!(snapshot.responses, 0, "{:?}", snapshot.reasons);
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
    assert_eq!(asked(&web, "a.lookfar"), expected);
}

#[test]
fn r42_http_11_odd_statuses_close_the_host() {
    let statuses = [
        "206 Part",
        "300 Choices",
        "304 Not Modified",
        "305 Proxy",
        "399 Odd",
        "600 Odd",
        "999 No",
    ];
    let cases = statuses.map(|status| {
        let raw = Raw::new(format!("HTTP/1.1 {status}\r\nContent-Length: 0\r\n\r\n"));
        (status, Reply::Raw(raw))
    });
    check_closed(Web::new(), cases);
}

#[test]
fn r43_a_closed_host_is_left_alone_and_its_pages_wait() {
    let moved = Answer::redirect(302, "javascript:1");
    for (what, answer) in [
        ("an error", Answer::status(500, "text/plain", "")),
        ("an odd status", Answer::status(399, "text/plain", "")),
        ("a redirect to nowhere", moved),
    ] {
        let web = Web::new().site(site("a.lookfar").answer("/robots.txt", answer)).start().unwrap();
        let place = Place::new();
        // Again and again: a page is not given up because its host is closed.
        for run in 1..=4 {
            let later = HOUR * 2 * run;
            let snapshot = place.crawl(&["http://a.lookfar/"], options(&web, later));
            assert_eq!(snapshot.queue, 1, "{what}: {:?}", snapshot.reasons);
        }
        // Two in a row, then it is left alone.
        assert!(web.log().count("a.lookfar") <= 4 * 2, "{what}: {}", web.log().count("a.lookfar"));
    }
}
