//! Spacing, one connection, robots.txt: judged by the server's own log (C4, C5).

use std::time::Duration;

use testweb::{Answer, Of, Script, Web};

use crate::help::{Place, options};

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
