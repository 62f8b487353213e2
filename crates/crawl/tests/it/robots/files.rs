//! What the files say is done: R14, R21, R34–R36, ROB-01 – ROB-03, ROB-10, ROB-13, ROB-15.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use testweb::{Answer, Pace, Raw, Request, Script, Site, Web};

use super::{ALL, ALL_BUT_CLOSED, crawl, crawl_web, file, options, site};
use crate::help::{self, Place};

#[test]
fn r14_every_url_is_matched_before_it_is_fetched_query_included() {
    let links = "<a href=/a?x=1>1</a> <a href=/a?y=1>2</a> <a href=/b/%63>3</a> <a href=/d>4</a>";
    let site = Script::new("a.lookfar")
        .answer("/robots.txt", file("User-agent: *\nDisallow: /*?x\nDisallow: /b/c\n"))
        .page("/", links)
        .otherwise(Answer::html("<p>page"));
    assert_eq!(crawl(site, "a.lookfar"), ["/robots.txt", "/", "/a?y=1", "/d"]);
}

#[test]
fn r21_the_file_itself_is_asked_for_whatever_it_says_and_is_no_page() {
    let site = site("a.lookfar").answer("/robots.txt", file("User-agent: *\nDisallow: /\n"));
    let web = Web::new().site(site).start().unwrap();
    let place = Place::new();
    let seeds = ["http://a.lookfar/robots.txt", "http://a.lookfar/"];
    let snapshot = place.crawl(&seeds, options(&web, Duration::ZERO));
    assert_eq!(snapshot.responses, 0, "{:?}", snapshot.reasons);
    assert_eq!((snapshot.reasons["robots"], snapshot.reasons["not-a-page"]), (1, 1));
    assert_eq!(web.log().under("a.lookfar", "/robots.txt").len(), web.log().count("a.lookfar"));
}

/// A site that notes which port was meant and has a file of its own for each.
struct Ports {
    host: &'static str,
    seen: Arc<Mutex<Vec<String>>>,
}

impl Site for Ports {
    fn host(&self) -> &str {
        self.host
    }

    fn answer(&self, request: &Request<'_>) -> Answer {
        let host = request.header("host").unwrap_or_default();
        self.seen.lock().unwrap().push(format!("{host}{}", request.target));
        match (host, request.target) {
            ("a.lookfar:8080" | "www.a.lookfar", "/robots.txt") => {
                file("User-agent: *\nDisallow: /\n")
            }
            (_, "/robots.txt") => file("User-agent: *\nDisallow: /x\n"),
            _ => Answer::html("<p>page"),
        }
    }
}

#[test]
fn r34_rob_15_each_host_and_port_has_its_own_file_in_lower_case() {
    let seen = Arc::new(Mutex::default());
    let site = |host| Ports { host, seen: Arc::clone(&seen) };
    let web = Web::new().site(site("a.lookfar")).site(site("www.a.lookfar")).start().unwrap();
    let seeds = [
        "http://a.lookfar/y",
        "http://a.lookfar/x",
        "http://a.lookfar:8080/y",
        "http://a.lookfar:8081/y",
        "http://www.a.lookfar/y",
    ];
    Place::new().crawl(&seeds, options(&web, Duration::ZERO));
    let mut seen = seen.lock().unwrap().clone();
    seen.sort();
    let expected = [
        "a.lookfar/robots.txt",
        "a.lookfar/y",
        "a.lookfar:8080/robots.txt",
        "a.lookfar:8081/robots.txt",
        "a.lookfar:8081/y",
        "www.a.lookfar/robots.txt",
    ];
    assert_eq!(seen, expected);
}

#[test]
fn r35_the_content_type_does_not_decide() {
    let rules = "User-agent: *\nDisallow: /closed\n";
    for kind in ["text/html", "image/png", "application/octet-stream", "text/plain; charset=x", ""]
    {
        let site = site("a.lookfar").answer("/robots.txt", Answer::ok(kind, rules));
        assert_eq!(crawl(site, "a.lookfar"), ALL_BUT_CLOSED, "{kind}");
    }
}

#[test]
fn r36_a_file_that_was_read_is_obeyed_packed_or_not() {
    let rules = format!("{}User-agent: *\nDisallow: /closed\n", "# filling\n".repeat(1_000));
    for web in [Web::new(), Web::new().without_gzip()] {
        let web = web.site(site("a.lookfar").answer("/robots.txt", file(&rules)));
        assert_eq!(crawl_web(web, "a.lookfar"), ALL_BUT_CLOSED);
    }
}

#[test]
fn rob_01_a_rule_before_the_limit_is_obeyed_and_one_behind_it_is_not() {
    let (first, last) = ("User-agent: *\n", "\nDisallow: /closed");
    let filling = "#".repeat(512_000 - first.len() - last.len());
    let whole = format!("{first}{filling}{last}\n");
    assert_eq!(whole.len(), 512_001);
    let behind = format!("{first}#{filling}{last}\nDisallow: /open\n");
    for (rules, expected) in [(whole, &ALL_BUT_CLOSED[..]), (behind, &ALL[..])] {
        for web in [Web::new(), Web::new().without_gzip()] {
            let web = web.site(site("a.lookfar").answer("/robots.txt", file(&rules)));
            assert_eq!(crawl_web(web, "a.lookfar"), expected);
        }
    }
}

#[test]
fn rob_02_of_an_endless_file_the_beginning_is_obeyed() {
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n";
    let first = format!("{head}User-agent: *\nDisallow: /closed\n");
    let endless = Raw::new(first).followed_by("# and so on\n".repeat(1_000), u64::MAX);
    let site = site("a.lookfar").raw("/robots.txt", endless);
    assert_eq!(crawl(site, "a.lookfar"), ALL_BUT_CLOSED);
}

#[test]
fn rob_03_html_and_json_instead_of_a_file_restrict_nothing() {
    for (kind, body) in [
        ("text/html", "<!doctype html><title>Home</title>\n<p>Disallow: /closed"),
        ("application/json", "{\"error\":\n\"no such file\"}"),
    ] {
        let site = site("a.lookfar").answer("/robots.txt", Answer::ok(kind, body));
        assert_eq!(crawl(site, "a.lookfar"), ALL, "{kind}");
    }
}

#[test]
fn rob_10_odd_encodings_are_obeyed_as_far_as_they_can_be_read() {
    let rules = "User-agent: *\r\nDisallow: /closed\r\n";
    let wide: Vec<u8> =
        format!("\u{feff}{rules}").encode_utf16().flat_map(u16::to_le_bytes).collect();
    let marked = format!("\u{feff}{rules}").into_bytes();
    let old_mac = rules.replace("\r\n", "\r").into_bytes();
    let latin = [b"# caf\xE9 \0\0\n", rules.as_bytes()].concat();
    for body in [wide, marked, old_mac, latin] {
        let site = site("a.lookfar").answer("/robots.txt", Answer::ok("text/plain", body));
        assert_eq!(crawl(site, "a.lookfar"), ALL_BUT_CLOSED);
    }
}

#[test]
fn rob_13_odd_delays_never_make_us_faster_than_our_own() {
    let delay = Duration::from_millis(60);
    for value in ["0", "-5", "abc", "0.01"] {
        let rules = format!("User-agent: *\nCrawl-delay: {value}\n");
        let site = site("a.lookfar").answer("/robots.txt", file(&rules));
        let web = Web::new().site(site).start().unwrap();
        Place::new().crawl(&["http://a.lookfar/"], help::options(&web, delay));
        assert_eq!(web.log().paths("a.lookfar"), ALL, "{value}");
        let closest = web.log().closest_two_requests("a.lookfar").unwrap();
        assert!(closest.gap >= delay, "{value}: {closest:?}");
    }
}

#[test]
fn rob_13_a_host_that_asks_for_years_of_rest_is_left_alone() {
    let site = site("a.lookfar").answer("/robots.txt", file("User-agent: *\nCrawl-delay: 1e9\n"));
    let web = Web::new().site(site).site(super::site("b.lookfar")).start().unwrap();
    let seeds = ["http://a.lookfar/", "http://b.lookfar/"];
    Place::new().crawl(&seeds, options(&web, Duration::ZERO));
    assert_eq!(web.log().paths("a.lookfar"), ["/robots.txt"]);
    assert_eq!(web.log().paths("b.lookfar"), ALL);
}

#[test]
fn a_slow_file_is_waited_for_before_anything_else_is_asked() {
    let rules = file("User-agent: *\nDisallow: /closed\n");
    let slow = rules.with_pace(Pace::after(Duration::from_millis(150)));
    let site = site("a.lookfar").answer("/robots.txt", slow);
    assert_eq!(crawl(site, "a.lookfar"), ALL_BUT_CLOSED);
}
