//! What the files say is done: R14, R21, R34–R36, ROB-01 – ROB-03, ROB-10, ROB-13, ROB-15.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use testweb::{Answer, Pace, Raw, Request, Script, Site, Web};

use super::{
    ALL, ALL_BUT_CLOSED, DAY, Reply, asked, check_each, crawl, crawl_each, file, options, site,
};
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
fn r21_the_file_itself_is_asked_for_whatever_it_says() {
    let rules = file("User-agent: *\nDisallow: /robots.txt\nDisallow: /\n");
    let web = Web::new().site(site("a.lookfar").answer("/robots.txt", rules)).start().unwrap();
    let place = Place::new();
    let snapshot = place.crawl(&["http://a.lookfar/"], options(&web, Duration::ZERO));
    assert_eq!(snapshot.reasons["robots"], 1);
    place.crawl(&["http://a.lookfar/open"], options(&web, DAY * 2));
    assert_eq!(web.log().paths("a.lookfar"), ["/robots.txt"; 2]);
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
    let kinds = ["text/html", "image/png", "application/octet-stream", "text/plain; charset=x", ""];
    let rules = |kind| (kind, Answer::ok(kind, "User-agent: *\nDisallow: /closed\n"));
    check_each(kinds.map(rules), &ALL_BUT_CLOSED);
}

#[test]
fn r36_a_file_that_was_read_is_obeyed_packed_or_not() {
    let rules = format!("{}User-agent: *\nDisallow: /closed\n", "# filling\n".repeat(1_000));
    for web in [Web::new(), Web::new().without_gzip()] {
        assert_eq!(crawl_each(web, [("", Reply::Answer(file(&rules)))])[0].1, ALL_BUT_CLOSED);
    }
}

#[test]
fn rob_01_a_rule_before_the_limit_is_obeyed_and_one_behind_it_is_not() {
    let (first, last) = ("User-agent: *\n", "\nDisallow: /closed");
    let filling = "#".repeat(512_000 - first.len() - last.len());
    let whole = format!("{first}{filling}{last}\n");
    assert_eq!(whole.len(), 512_001);
    let behind = format!("{first}#{filling}{last}\nDisallow: /open\n");
    for web in [Web::new(), Web::new().without_gzip()] {
        let asked = crawl_each(
            web,
            [("", Reply::Answer(file(&whole))), ("", Reply::Answer(file(&behind)))],
        );
        assert_eq!(asked[0].1, ALL_BUT_CLOSED);
        assert_eq!(asked[1].1, ALL);
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
    let html = "<!doctype html><title>Home</title>\n<p>Disallow: /closed";
    let json = "{\"error\":\n\"no such file\"}";
    let cases = [("text/html", html), ("application/json", json)];
    check_each(cases.map(|(kind, body)| (kind, Answer::ok(kind, body))), &ALL);
}

#[test]
fn rob_10_odd_encodings_are_obeyed_as_far_as_they_can_be_read() {
    let rules = "User-agent: *\r\nDisallow: /closed\r\n";
    let wide: Vec<u8> =
        format!("\u{feff}{rules}").encode_utf16().flat_map(u16::to_le_bytes).collect();
    let marked = format!("\u{feff}{rules}").into_bytes();
    let old_mac = rules.replace("\r\n", "\r").into_bytes();
    let latin = [b"# caf\xE9 \0\0\n", rules.as_bytes()].concat();
    let cases = [("UTF-16", wide), ("a mark", marked), ("CR only", old_mac), ("Latin-1", latin)];
    let cases = cases.map(|(what, body)| (what, Answer::ok("text/plain", body)));
    check_each(cases, &ALL_BUT_CLOSED);
}

#[test]
fn rob_13_odd_delays_never_make_us_faster_than_our_own() {
    let delay = Duration::from_millis(60);
    let values =
        [("a.lookfar", "0"), ("b.lookfar", "-5"), ("c.lookfar", "abc"), ("d.lookfar", ".01")];
    let mut web = Web::new();
    for (host, value) in values {
        let rules = format!("User-agent: *\nCrawl-delay: {value}\n");
        web = web.site(site(host).answer("/robots.txt", file(&rules)));
    }
    let web = web.start().unwrap();
    let seeds = values.map(|(host, _)| format!("http://{host}/"));
    Place::new().crawl(&seeds.each_ref().map(String::as_str), help::options(&web, delay));
    for (host, value) in values {
        assert_eq!(asked(&web, host), ALL, "{value}");
        let closest = web.log().closest_two_requests(host).unwrap();
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
    assert_eq!(asked(&web, "b.lookfar"), ALL);
}

#[test]
fn a_slow_file_is_waited_for_before_anything_else_is_asked() {
    let rules = file("User-agent: *\nDisallow: /closed\n");
    let slow = rules.with_pace(Pace::after(Duration::from_millis(150)));
    let site = site("a.lookfar").answer("/robots.txt", slow);
    assert_eq!(crawl(site, "a.lookfar"), ALL_BUT_CLOSED);
}
