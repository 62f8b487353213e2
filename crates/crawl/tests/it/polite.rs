//! Spacing, one connection, robots.txt: judged by the server's own log (C4, C5).

use std::collections::HashMap;
use std::time::{Duration, UNIX_EPOCH};

use base::Timestamp;
use crawl::Ending;
use testweb::{Answer, Of, Pace, Running, Script, Web};

use crate::help::{Place, options};
use crate::live::Live;

fn site(host: &str, pages: usize) -> Script {
    let links: String = (0..pages).map(|n| format!("<a href=/{n}>{n}</a> ")).collect();
    let mut site = Script::new(host).page("/", &links);
    for n in 0..pages {
        site = site.page(&format!("/{n}"), "<p>page");
    }
    site
}

#[test]
fn no_two_requests_to_a_host_or_address_are_closer_than_the_delay() {
    let web = Web::new()
        .site(site("a.lookfar", 5))
        .site(site("b.lookfar", 5))
        .site(site("c.lookfar", 5))
        .share(&["b.lookfar", "c.lookfar"])
        .start()
        .unwrap();
    let delay = Duration::from_millis(60);
    let place = Place::new();
    let seeds = ["http://a.lookfar/", "http://b.lookfar/", "http://c.lookfar/"];
    let snapshot = place.crawl(&seeds, options(&web, delay));
    assert_eq!(snapshot.pages, 18);
    for host in ["a.lookfar", "b.lookfar", "c.lookfar"] {
        let closest = web.log().closest_two_requests(host).unwrap();
        assert!(closest.gap >= delay, "{host}: {closest:?}");
        assert_eq!(web.log().max_connections_at_once(host), 1);
    }
    let shared = web.address_of("b.lookfar").unwrap();
    assert_eq!(web.address_of("c.lookfar"), Some(shared));
    let closest = web.log().closest_two_requests(shared).unwrap();
    assert!(closest.gap >= delay, "shared address: {closest:?}");
}

#[test]
fn robots_txt_is_asked_first_and_obeyed() {
    let web = Web::new()
        .site(
            Script::new("a.lookfar")
                .answer(
                    "/robots.txt",
                    Answer::ok(
                        "text/plain",
                        "User-agent: *\nAllow: /searchhistory/\nDisallow: /search\n",
                    ),
                )
                .page("/", "<a href=/search?q=x>s</a> <a href=/searchhistory/x>h</a>")
                .page("/searchhistory/x", "<p>history"),
        )
        .start()
        .unwrap();
    let place = Place::new();
    let snapshot = place.crawl(&["http://a.lookfar/"], options(&web, Duration::ZERO));
    let paths = web.log().paths("a.lookfar");
    assert_eq!(paths, ["/robots.txt", "/", "/searchhistory/x"]);
    assert_eq!(snapshot.reasons["robots"], 1);
    assert!(web.log().user_agents(Of::All).iter().all(|agent| agent.starts_with("lookfar/")));
}

#[test]
fn a_host_whose_robots_txt_is_broken_is_not_fetched() {
    let web = Web::new()
        .site(
            Script::new("a.lookfar")
                .answer("/robots.txt", Answer::status(500, "text/plain", ""))
                .page("/", "<p>secret"),
        )
        .start()
        .unwrap();
    let place = Place::new();
    let mut options = options(&web, Duration::ZERO);
    options.politeness.errors_before_leave = 4;
    options.politeness.longest_rest = Duration::from_secs(3600);
    let snapshot = place.crawl(&["http://a.lookfar/"], options);
    assert_eq!(snapshot.pages, 0);
    assert_eq!(web.log().paths("a.lookfar"), ["/robots.txt"; 4]);
    assert_eq!(snapshot.reasons["robots-unreachable"], 4);
    assert_eq!(snapshot.queue, 1, "the page waits until its robots.txt can be read");
}

#[test]
fn retry_after_is_waited_for() {
    let busy = Answer::status(503, "text/plain", "busy").with_header("Retry-After", "1");
    let web = Web::new()
        .site(
            Script::new("a.lookfar")
                .answer("/robots.txt", Answer::not_found())
                .answer("/", busy)
                .answer("/", Answer::html("<p>back")),
        )
        .start()
        .unwrap();
    let place = Place::new();
    let snapshot = place.crawl(&["http://a.lookfar/"], options(&web, Duration::ZERO));
    assert_eq!((snapshot.pages, snapshot.responses), (1, 2));
    let times: Vec<Duration> =
        web.log().requests("a.lookfar").iter().map(|entry| entry.at).collect();
    assert!(times[2] - times[1] >= Duration::from_secs(1), "{times:?}");
}

#[test]
fn one_closed_port_of_a_host_does_not_hold_up_the_others() {
    let web = Web::new()
        .site(
            Script::new("a.lookfar")
                .page("/", "<a href=http://a.lookfar:1/>1</a> <a href=/x>x</a>")
                .page("/x", "x"),
        )
        .start()
        .unwrap();
    let place = Place::new();
    let mut options = options(&web, Duration::ZERO);
    options.politeness.errors_before_leave = 4;
    options.politeness.longest_rest = Duration::from_secs(3600);
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    // The made-up web stands in for every port of plain http; https is dialled as it is.
    let seeds = [format!("https://a.lookfar:{closed}/"), "http://a.lookfar/".to_owned()];
    let seeds: Vec<&str> = seeds.iter().map(String::as_str).collect();
    let snapshot = place.crawl(&seeds, options);
    assert_eq!(snapshot.pages, 2);
    assert_eq!(snapshot.reasons["blocked-port"], 1);
}

#[test]
fn a_crawl_delay_holds_from_the_robots_txt_on() {
    let rules = Answer::ok("text/plain", "User-agent: *\nCrawl-delay: 0.5\n");
    let web = Web::new()
        .site(Script::new("a.lookfar").answer("/robots.txt", rules).page("/", "a"))
        .site(site("b.lookfar", 8))
        .share(&["a.lookfar", "b.lookfar"])
        .start()
        .unwrap();
    let place = Place::new();
    let seeds = ["http://a.lookfar/", "http://b.lookfar/"];
    let snapshot = place.crawl(&seeds, options(&web, Duration::from_millis(10)));
    assert_eq!(snapshot.pages, 10);
    let closest = web.log().closest_two_requests("a.lookfar").unwrap();
    assert!(closest.gap >= Duration::from_millis(500), "{closest:?}");
}

/// A line of `grants.log`: when, whom, where.
struct Grant {
    at: Duration,
    host: String,
    address: String,
}

fn grants(place: &Place) -> Vec<Grant> {
    let text = std::fs::read_to_string(place.collection.root().join("grants.log")).unwrap();
    let grant = |line: &str| {
        let fields: Vec<&str> = line.split('\t').collect();
        let [at, host, address, _rest] = fields[..] else { panic!("`{line}` is no grant") };
        let at = Duration::from_millis(at.parse().unwrap());
        Grant { at, host: host.to_owned(), address: address.to_owned() }
    };
    text.lines().map(grant).collect()
}

/// Holds the log of grants against the server's own log: each request has a grant of its own,
/// given before it came, and no further grant for its host or address was given until it came.
fn replay(place: &Place, web: &Running) {
    let began = web.log().began().duration_since(UNIX_EPOCH).unwrap();
    let mut granted: HashMap<String, Vec<Duration>> = HashMap::new();
    for Grant { at, host, address } in grants(place) {
        granted.entry(host).or_default().push(at);
        granted.entry(address).or_default().push(at);
    }
    let mut requests: HashMap<String, Vec<Duration>> = HashMap::new();
    for entry in web.log().requests(Of::All) {
        for key in [entry.host.to_string(), entry.address.to_string()] {
            requests.entry(key).or_default().push(began + entry.at);
        }
    }
    // Grants are told in whole milliseconds, and two clocks tell the times.
    let slack = Duration::from_millis(3);
    for (key, requests) in requests {
        let granted = &granted[&key];
        assert_eq!(granted.len(), requests.len(), "{key}");
        for (n, request) in requests.iter().enumerate() {
            assert!(granted[n] <= *request + slack, "{key}: request {n} came before its grant");
            if let Some(next) = granted.get(n + 1) {
                assert!(
                    *request <= *next + slack,
                    "{key}: grant {} came before request {n}",
                    n + 1
                );
            }
        }
    }
}

#[test]
fn every_request_has_its_grant_and_none_is_early_or_beside_another() {
    let moved = Answer::redirect(301, "http://a.lookfar/robots.txt");
    let slow = Answer::html("<p>slow").with_pace(Pace::after(Duration::from_millis(80)));
    let web = Web::new()
        .site(site("a.lookfar", 6).answer("/slow", slow))
        .site(site("b.lookfar", 6).answer("/robots.txt", moved))
        .site(site("c.lookfar", 6))
        .site(Script::new("d.lookfar").answer("/", Answer::redirect(302, "http://a.lookfar/slow")))
        .share(&["b.lookfar", "c.lookfar"])
        .start()
        .unwrap();
    let place = Place::new();
    let delay = Duration::from_millis(40);
    let mut options = options(&web, delay);
    options.grants = true;
    let seeds =
        ["http://a.lookfar/", "http://b.lookfar/", "http://c.lookfar/", "http://d.lookfar/"];
    let snapshot = place.crawl(&seeds, options);
    assert_eq!(snapshot.pages, 22);
    assert!(web.log().wait_until_idle(Duration::from_secs(5)));
    replay(&place, &web);
    for host in ["a.lookfar", "b.lookfar", "c.lookfar"] {
        let closest = web.log().closest_two_requests(host).unwrap();
        assert!(closest.gap >= delay, "{host}: {closest:?}");
        assert_eq!(web.log().max_requests_at_once(host), 1);
        let address = web.address_of(host).unwrap();
        let closest = web.log().closest_two_requests(address).unwrap();
        assert!(closest.gap >= delay, "{address}: {closest:?}");
        assert_eq!(web.log().max_requests_at_once(address), 1);
    }
}

#[test]
fn rob_13_a_host_that_asks_for_more_patience_than_we_have_is_left_out_and_that_is_said() {
    let rules =
        |delay: &str| Answer::ok("text/plain", format!("User-agent: *\nCrawl-delay: {delay}\n"));
    let web = Web::new()
        .site(site("slow.lookfar", 3).answer("/robots.txt", rules("0.2")))
        .site(site("slower.lookfar", 3).answer("/robots.txt", rules("0.4")))
        .start()
        .unwrap();
    let place = Place::new();
    let mut options = options(&web, Duration::from_millis(10));
    options.politeness.longest_crawl_delay = Duration::from_millis(300);
    let snapshot = place.crawl(&["http://slow.lookfar/", "http://slower.lookfar/"], options);
    let closest = web.log().closest_two_requests("slow.lookfar").unwrap();
    assert!(closest.gap >= Duration::from_millis(200), "{closest:?}");
    assert_eq!(snapshot.pages, 4);
    assert_eq!(web.log().paths("slower.lookfar"), ["/robots.txt"]);
    assert_eq!(snapshot.reasons["crawl-delay-too-long"], 1);
    assert_eq!(snapshot.queue, 1);
}

/// Times between requests to a host.
fn gaps(web: &Running, host: &str) -> Vec<Duration> {
    let requests = web.log().requests(host);
    requests.windows(2).map(|pair| pair[1].at - pair[0].at).collect()
}

#[test]
fn http_17_the_rest_after_errors_grows_and_the_host_is_never_faster_again() {
    let busy = || Answer::status(500, "text/plain", "");
    let home = Answer::html("<a href=/0>0</a> <a href=/1>1</a>");
    let host = Script::new("a.lookfar")
        .answer("/", busy())
        .answer("/", busy())
        .answer("/", busy())
        .answer("/", home)
        .page("/0", "<p>0")
        .page("/1", "<p>1");
    let web = Web::new().site(host).start().unwrap();
    let place = Place::new();
    let delay = Duration::from_millis(30);
    let mut options = options(&web, delay);
    options.politeness.tries_per_url = 10;
    options.politeness.error_rest = Duration::from_millis(60);
    options.politeness.longest_rest = Duration::from_secs(10);
    assert_eq!(place.crawl(&["http://a.lookfar/"], options).pages, 3);
    let gaps = gaps(&web, "a.lookfar");
    // robots.txt, three errors, and then four times the delay for three troubles.
    let least = [30, 60, 120, 240, 120, 120].map(Duration::from_millis);
    assert_eq!(gaps.len(), least.len());
    assert!(gaps.iter().zip(least).all(|(gap, least)| *gap >= least), "{gaps:?}");
}

#[test]
fn http_17_a_host_that_refuses_again_and_again_is_visited_more_slowly() {
    let links: String = (0..8).map(|n| format!("<a href=/{n}>{n}</a> ")).collect();
    let host = Script::new("a.lookfar")
        .page("/", &links)
        .answer("/robots.txt", Answer::not_found())
        .otherwise(Answer::status(403, "text/plain", "go away"));
    let web = Web::new().site(host).start().unwrap();
    let mut options = options(&web, Duration::from_millis(10));
    options.politeness.error_rest = Duration::from_millis(60);
    options.politeness.longest_rest = Duration::from_secs(10);
    Place::new().crawl(&["http://a.lookfar/"], options);
    let gaps = gaps(&web, "a.lookfar");
    // After robots.txt, the home page and five refusals the rests grow.
    let least = [60, 120, 240].map(Duration::from_millis);
    assert_eq!(gaps.len(), 6 + least.len());
    assert!(gaps[6..].iter().zip(least).all(|(gap, least)| *gap >= least), "{gaps:?}");
}

#[test]
fn http_17_a_host_that_had_errors_is_no_faster_when_it_comes_back() {
    let busy = || Answer::status(500, "text/plain", "");
    let troubled = Script::new("a.lookfar")
        .answer("/", busy())
        .answer("/", busy())
        .page("/", "<p>at last")
        .page("/1", "<p>1")
        .page("/2", "<p>2")
        .page("/3", "<p>3");
    let links = "<a href=http://a.lookfar/1>1</a> <a href=http://a.lookfar/2>2</a> \
                 <a href=http://a.lookfar/3>3</a>";
    // By then nothing of the troubled host waits any more.
    let late = Answer::html(links).with_pace(Pace::after(Duration::from_millis(1500)));
    let web =
        Web::new().site(troubled).site(Script::new("b.lookfar").answer("/", late)).start().unwrap();
    let place = Place::new();
    let mut options = options(&web, Duration::from_millis(60));
    options.politeness.tries_per_url = 10;
    assert_eq!(place.crawl(&["http://a.lookfar/", "http://b.lookfar/"], options).pages, 5);
    let gaps = gaps(&web, "a.lookfar");
    assert!(gaps[4..].iter().all(|gap| *gap >= 3 * Duration::from_millis(60)), "{gaps:?}");
}

/// Crawls until `host` has been asked `count` times, then stops and begins again at once.
fn restarted(web: &Running, delay: Duration, count: usize) -> Place {
    let place = Place::new();
    let seeds = ["http://a.lookfar/"];
    let live = Live::start(&place.collection, &seeds, options(web, delay), Ending::Idle);
    live.until(|_| web.log().count("a.lookfar") >= count);
    live.stop();
    place.crawl(&seeds, options(web, delay));
    place.check();
    place
}

#[test]
fn after_a_restart_no_host_is_visited_sooner_than_its_delay() {
    let delay = Duration::from_millis(400);
    // Stopped after robots.txt, and after the first pages.
    for count in [1, 3] {
        let web = Web::new().site(site("a.lookfar", 3)).start().unwrap();
        restarted(&web, delay, count);
        let closest = web.log().closest_two_requests("a.lookfar").unwrap();
        assert!(closest.gap >= delay, "{closest:?}");
        assert_eq!(web.log().count("a.lookfar"), 5);
    }
}

#[test]
fn after_a_restart_a_crawl_delay_holds() {
    let rules = Answer::ok("text/plain", "User-agent: *\nCrawl-delay: 0.5\n");
    for count in [1, 2] {
        let host = site("a.lookfar", 2).answer("/robots.txt", rules.clone());
        let web = Web::new().site(host).start().unwrap();
        restarted(&web, Duration::from_millis(10), count);
        let closest = web.log().closest_two_requests("a.lookfar").unwrap();
        assert!(closest.gap >= Duration::from_millis(500), "{closest:?}");
    }
}

#[test]
fn http_15_after_a_restart_a_retry_after_is_still_waited_for() {
    let busy = || Answer::status(503, "text/plain", "").with_header("Retry-After", "2");
    let page = Script::new("a.lookfar").answer("/", busy()).page("/", "<p>back");
    let robots = Script::new("a.lookfar")
        .answer("/robots.txt", busy())
        .answer("/robots.txt", Answer::not_found())
        .page("/", "<p>back");
    for (host, count) in [(page, 2), (robots, 1)] {
        let web = Web::new().site(host).start().unwrap();
        let place = restarted(&web, Duration::from_millis(10), count);
        let gaps = gaps(&web, "a.lookfar");
        assert!(gaps[count - 1] >= Duration::from_secs(2), "{gaps:?}");
        assert_eq!(place.records()["http://a.lookfar/"].last().unwrap().status, 200);
    }
}

#[test]
fn sto_14_a_rest_that_began_in_a_wrong_year_does_not_last_until_then() {
    let busy = Answer::status(503, "text/plain", "").with_header("Retry-After", "3600");
    let host = Script::new("a.lookfar").answer("/", busy).page("/", "<p>back");
    let web = Web::new().site(host).start().unwrap();
    let place = Place::new();
    let mut options = options(&web, Duration::ZERO);
    let in_2100 = Timestamp::from_millis(4_102_444_800_000);
    options.clock = crawl::steady_clock(in_2100);
    place.crawl(&["http://a.lookfar/"], options.clone());
    // The same hour again: it rests.
    options.clock = crawl::steady_clock(in_2100.plus(Duration::from_secs(60)));
    place.crawl(&[], options.clone());
    let statuses = || -> Vec<u16> {
        place.records()["http://a.lookfar/"].iter().map(|record| record.status).collect()
    };
    assert_eq!(statuses(), [503]);
    // The clock has been put right: the longest rest is the longest that is waited for.
    options.clock = crawl::steady_clock(Timestamp::from_millis(1_763_285_400_000));
    options.politeness.longest_wait = Duration::from_millis(300);
    options.politeness.longest_rest = Duration::from_millis(300);
    place.crawl(&[], options);
    assert_eq!(statuses(), [503, 200]);
}

#[test]
fn a_host_that_rests_in_the_store_is_not_asked_for_the_robots_txt_of_another() {
    let slow = Answer::ok("text/plain", "User-agent: *\nCrawl-delay: 100000\n");
    let moved = Answer::redirect(301, "http://slow.lookfar/robots.txt");
    let web = Web::new()
        .site(site("slow.lookfar", 1).answer("/robots.txt", slow))
        .site(site("a.lookfar", 1).answer("/robots.txt", moved))
        .start()
        .unwrap();
    let place = Place::new();
    place.crawl(&["http://slow.lookfar/"], options(&web, Duration::ZERO));
    assert_eq!(web.log().paths("slow.lookfar"), ["/robots.txt"]);
    // Another run knows of its rest from the store alone.
    let mut short = options(&web, Duration::ZERO);
    short.politeness.errors_before_leave = 1;
    short.politeness.longest_rest = Duration::from_secs(3600);
    let snapshot = place.crawl(&["http://a.lookfar/"], short);
    assert_eq!(web.log().count("slow.lookfar"), 1);
    assert_eq!(web.log().paths("a.lookfar"), ["/robots.txt"]);
    assert_eq!(snapshot.pages, 0);
}
