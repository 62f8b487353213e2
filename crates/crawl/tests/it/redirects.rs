//! Redirects that run in circles, lead astray or lead inside (RED-01 … RED-12).

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::time::Duration;

use base::Oddity;
use testweb::{Answer, End, Of, Raw, Request, Script, Site, Web};

use crate::help::{Place, options};

fn to(place: &str) -> Answer {
    Answer::redirect(302, place)
}

#[test]
fn red_01_red_12_loops_end_after_one_visit_each() {
    let web = Web::new()
        .site(
            Script::new("a.lookfar")
                .answer("/one", to("/one"))
                .answer("/fragment", to("http://A.Lookfar:80/fragment#top"))
                .answer("/two", to("/two-2"))
                .answer("/two-2", to("/two"))
                .answer("/three", to("/three-2"))
                .answer("/three-2", to("/three-3"))
                .answer("/three-3", to("/three")),
        )
        .start()
        .unwrap();
    let place = Place::new();
    let seeds = ["one", "fragment", "two", "three"].map(|name| format!("http://a.lookfar/{name}"));
    let snapshot =
        place.crawl(&seeds.each_ref().map(String::as_str), options(&web, Duration::ZERO));
    assert_eq!((snapshot.pages, snapshot.queue), (0, 0));
    let mut paths = web.log().paths("a.lookfar");
    paths.sort();
    assert_eq!(
        paths,
        ["/fragment", "/one", "/robots.txt", "/three", "/three-2", "/three-3", "/two", "/two-2"]
    );
    assert_eq!(snapshot.reasons["redirect-loop"], 4, "{:?}", snapshot.reasons);
    let round = &place.records()["http://a.lookfar/one"][0];
    assert_eq!((&round.redirect, &round.oddities[..]), (&None, &[Oddity::RedirectLoop][..]));
}

#[test]
fn red_01_a_loop_is_found_however_its_urls_were() {
    // Every URL of it is a seed, so none was found by a redirect; `/in` leads into it from outside.
    let web = Web::new()
        .site(
            Script::new("a.lookfar")
                .answer("/in", to("/x"))
                .answer("/x", to("/y"))
                .answer("/y", to("/z"))
                .answer("/z", to("/x"))
                .answer("/good", to("/end"))
                .page("/end", "<p>end"),
        )
        .start()
        .unwrap();
    let place = Place::new();
    let seeds = ["z", "y", "x", "in", "good"].map(|name| format!("http://a.lookfar/{name}"));
    let seeds = seeds.each_ref().map(String::as_str);
    let snapshot = place.crawl(&seeds, options(&web, Duration::ZERO));
    assert_eq!((snapshot.pages, snapshot.responses, snapshot.queue), (1, 6, 0));
    assert_eq!(snapshot.reasons.get("redirect-loop"), Some(&1), "{:?}", snapshot.reasons);
    // A frontier that is made again counts the same.
    std::fs::remove_dir_all(place.collection.frontier()).unwrap();
    let again = place.crawl(&seeds, options(&web, Duration::ZERO));
    assert_eq!(again.reasons, snapshot.reasons);
    assert_eq!(web.log().count("a.lookfar"), 7);
}

/// A chain of so many hops over two hosts, ending in a page.
fn chain(length: usize) -> Web {
    let mut hosts = [Script::new("a.lookfar"), Script::new("b.lookfar")];
    for n in 0..length {
        let next = ["b", "a"][n % 2];
        let hop = to(&format!("http://{next}.lookfar/{}", n + 1));
        let [a, b] = hosts;
        hosts = match n % 2 {
            0 => [a.answer(&format!("/{n}"), hop), b],
            _ => [a, b.answer(&format!("/{n}"), hop)],
        };
    }
    let [a, b] = hosts;
    let last = format!("/{length}");
    Web::new().site(a.page(&last, "<p>end")).site(b.page(&last, "<p>end"))
}

#[test]
fn red_02_ten_hops_are_followed_and_eleven_are_not() {
    for (length, pages) in [(10, 1), (11, 0)] {
        let web = chain(length).start().unwrap();
        let place = Place::new();
        let delay = Duration::from_millis(15);
        let snapshot = place.crawl(&["http://a.lookfar/0"], options(&web, delay));
        assert_eq!(snapshot.pages, pages, "{length}: {:?}", snapshot.reasons);
        assert_eq!(snapshot.reasons.get("redirect-chain"), (length == 11).then_some(&1));
        // Each hop under its own host's rules and rest.
        for host in ["a.lookfar", "b.lookfar"] {
            assert_eq!(web.log().under(host, "/robots.txt").len(), 1);
            let closest = web.log().closest_two_requests(host).unwrap();
            assert!(closest.gap >= delay, "{closest:?}");
        }
    }
}

#[test]
fn red_03_redirects_to_the_inside_are_blocked_at_that_hop() {
    let places = [
        "http://127.0.0.1/",
        "http://[::1]/",
        "http://[::ffff:127.0.0.1]/",
        "http://169.254.169.254/latest/meta-data/",
        "http://10.0.0.1/",
        "http://internal/",
        "http://localhost/",
        "http://inside.lookfar/",
    ];
    let mut site = Script::new("a.lookfar");
    for (n, place) in places.iter().enumerate() {
        site = site.answer(&format!("/{n}"), to(place));
    }
    let web = Web::new()
        .site(site)
        .name("inside.lookfar", &[IpAddr::V4(Ipv4Addr::LOCALHOST)])
        .start()
        .unwrap();
    let place = Place::new();
    let mut options = options(&web, Duration::ZERO);
    // The made-up web is on loopback itself; these two stand for the inside.
    options.dns.deny = vec![Ipv4Addr::LOCALHOST.into(), Ipv6Addr::LOCALHOST.into()];
    let seeds: Vec<String> = (0..places.len()).map(|n| format!("http://a.lookfar/{n}")).collect();
    let seeds: Vec<&str> = seeds.iter().map(String::as_str).collect();
    let snapshot = place.crawl(&seeds, options);
    assert_eq!((snapshot.pages, snapshot.responses), (0, places.len() as u64));
    let blocked = snapshot.reasons.get("blocked-address").copied().unwrap_or_default();
    let unknown = snapshot.reasons.get("no-such-host").copied().unwrap_or_default();
    assert_eq!(blocked + unknown, places.len() as u64, "{:?}", snapshot.reasons);
    assert!(blocked >= 5, "{:?}", snapshot.reasons);
    // Every port of 127.0.0.1 that could be dialled would have reached the web's own log.
    assert_eq!(web.log().count(Of::Address(Ipv4Addr::LOCALHOST)), 0);
    assert_eq!(web.log().count(Of::All), web.log().count("a.lookfar"));
}

#[test]
fn red_04_other_schemes_are_not_followed() {
    let places = ["file:///etc/passwd", "ftp://a.lookfar/", "data:text/html,x", "javascript:1"];
    let mut site = Script::new("a.lookfar");
    for (n, place) in places.iter().enumerate() {
        site = site.answer(&format!("/{n}"), to(place));
    }
    let web = Web::new().site(site).start().unwrap();
    let place = Place::new();
    let seeds: Vec<String> = (0..places.len()).map(|n| format!("http://a.lookfar/{n}")).collect();
    let seeds: Vec<&str> = seeds.iter().map(String::as_str).collect();
    let snapshot = place.crawl(&seeds, options(&web, Duration::ZERO));
    assert_eq!((snapshot.pages, snapshot.urls, snapshot.queue), (0, 4, 0));
    assert!(place.records().values().all(|records| records[0].redirect.is_none()));
    assert_eq!(snapshot.reasons.get("bad-scheme"), Some(&4), "{:?}", snapshot.reasons);
}

#[test]
fn red_05_odd_locations_are_resolved_or_refused() {
    let raw = |location: &[u8]| {
        let head = [b"HTTP/1.1 302 Found\r\nContent-Length: 0\r\n", location, b"\r\n"].concat();
        Raw::new(head).then(End::KeepAlive)
    };
    let long = format!("Location: /{}\r\n", "x".repeat(100 * 1024));
    let web = Web::new()
        .site(
            Script::new("a.lookfar")
                .raw("/missing", raw(b""))
                .raw("/empty", raw(b"Location:\r\n"))
                .raw("/d/relative", raw(b"Location: ../r?x#y\r\n"))
                .raw("/protocol", raw(b"Location: //b.lookfar/p\r\n"))
                .raw("/long", raw(long.as_bytes()))
                .raw("/injected", raw(b"Location: /i%0d%0aCookie:%20x\r\n"))
                .raw("/broken", raw(b"Location: /half\r\n Cookie: x\r\n"))
                .raw("/utf8", raw("Location: /ü\r\n".as_bytes()))
                .raw("/latin1", raw(b"Location: /l\xFC\r\n"))
                .otherwise(Answer::html("<p>end")),
        )
        .site(Script::new("b.lookfar").page("/p", "<p>end"))
        .start()
        .unwrap();
    let names = [
        "missing",
        "empty",
        "d/relative",
        "protocol",
        "long",
        "injected",
        "broken",
        "utf8",
        "latin1",
    ];
    let seeds = names.map(|name| format!("http://a.lookfar/{name}"));
    let place = Place::new();
    let mut options = options(&web, Duration::ZERO);
    options.politeness.tries_per_url = 1;
    let snapshot = place.crawl(&seeds.each_ref().map(String::as_str), options);
    let mut reached = web.log().paths("a.lookfar");
    reached.retain(|path| !names.contains(&&path[1..]) && path != "/robots.txt");
    reached.sort();
    assert_eq!(reached, ["/%C3%BC", "/half", "/i%0D%0ACookie:%20x", "/l%FC", "/r?x"]);
    assert_eq!(web.log().paths("b.lookfar"), ["/robots.txt", "/p"]);
    assert_eq!(snapshot.reasons["protocol"], 1, "the long one: {:?}", snapshot.reasons);
    assert_eq!(snapshot.reasons["bad-location"], 1, "the empty one: {:?}", snapshot.reasons);
}

/// Sends every visitor on with a number that nobody had before.
struct Tokens;

impl Site for Tokens {
    fn host(&self) -> &str {
        "tokens.lookfar"
    }

    fn answer(&self, request: &Request<'_>) -> Answer {
        if request.path() == "/robots.txt" {
            return Answer::not_found();
        }
        let number: u64 = request.query().and_then(|query| query[2..].parse().ok()).unwrap_or(0);
        to(&format!("/?t={}", number + 1))
    }
}

#[test]
fn red_06_redirects_with_fresh_tokens_count_as_a_chain() {
    let web = Web::new().site(Tokens).start().unwrap();
    let place = Place::new();
    let mut options = options(&web, Duration::ZERO);
    options.politeness.tries_per_url = 1;
    let snapshot = place.crawl(&["http://tokens.lookfar/"], options);
    assert_eq!(snapshot.queue, 0);
    // robots.txt, the seed, ten hops.
    assert_eq!(web.log().count("tokens.lookfar"), 12);
}

#[test]
fn red_07_https_leads_to_http_only_when_configured() {
    let secure = Script::new("secure.lookfar")
        .answer("/", to("http://plain.lookfar/"))
        .answer("/up", to("https://secure.lookfar/page"))
        .page("/page", "<a href=http://plain.lookfar/linked>a link is no redirect</a>");
    let web = Web::new()
        .site(secure)
        .site(Script::new("plain.lookfar").otherwise(Answer::html("<p>in")))
        .with_tls()
        .start()
        .unwrap();
    let seeds = ["https://secure.lookfar/", "http://secure.lookfar/up"];
    for (follow, plain) in [(false, vec!["/linked"]), (true, vec!["/", "/linked"])] {
        let place = Place::new();
        let mut options = options(&web, Duration::ZERO);
        options.fetch.follow_downgrades = follow;
        let snapshot = place.crawl(&seeds, options);
        let records = place.records();
        let fetched = |path: &str| records.contains_key(&format!("http://plain.lookfar{path}"));
        let paths: Vec<&str> = ["/", "/linked"].into_iter().filter(|path| fetched(path)).collect();
        assert_eq!(paths, plain, "{:?}", snapshot.reasons);
        // Up is always fine.
        assert!(records.contains_key("https://secure.lookfar/page"));
        let counted = snapshot.reasons.get("redirect-downgrade").copied();
        assert_eq!(counted, (!follow).then_some(1), "{:?}", snapshot.reasons);
        let record = &records["https://secure.lookfar/"][0];
        assert_eq!(record.oddities.contains(&Oddity::RedirectDowngrade), !follow);
        assert_eq!(record.redirect.is_some(), follow);
    }
}

#[test]
fn red_08_every_kind_of_redirect_is_followed_as_get() {
    let mut site =
        Script::new("a.lookfar").answer("/300-page", Answer::status(300, "text/html", "choose"));
    for status in [300, 301, 302, 303, 307, 308] {
        let hop = Answer::redirect(status, &format!("/to-{status}"));
        site = site.answer(&format!("/{status}"), hop).page(&format!("/to-{status}"), "<p>end");
    }
    let web = Web::new().site(site).start().unwrap();
    let place = Place::new();
    let seeds = ["300", "301", "302", "303", "307", "308", "300-page"];
    let seeds = seeds.map(|name| format!("http://a.lookfar/{name}"));
    let snapshot =
        place.crawl(&seeds.each_ref().map(String::as_str), options(&web, Duration::ZERO));
    assert_eq!(snapshot.pages, 6);
    assert!(web.log().requests("a.lookfar").iter().all(|entry| &*entry.method == "GET"));
    let page = &place.records()["http://a.lookfar/300-page"][0];
    assert_eq!((page.status, &page.redirect), (300, &None));
}

#[test]
fn red_09_a_target_that_its_robots_txt_forbids_is_not_fetched() {
    let rules = Answer::ok("text/plain", "User-agent: *\nDisallow: /private\n");
    let web = Web::new()
        .site(Script::new("a.lookfar").answer("/", to("http://b.lookfar/private/x")))
        .site(Script::new("b.lookfar").answer("/robots.txt", rules).otherwise(Answer::html("in")))
        .start()
        .unwrap();
    let place = Place::new();
    let snapshot = place.crawl(&["http://a.lookfar/"], options(&web, Duration::ZERO));
    assert_eq!(web.log().paths("b.lookfar"), ["/robots.txt"]);
    assert_eq!(snapshot.reasons["robots"], 1, "{:?}", snapshot.reasons);
}

#[test]
fn red_10_a_page_that_refreshes_is_a_page_and_its_target_a_url_of_its_own() {
    let refresh = |seconds: u32, place: &str| {
        format!("<meta http-equiv=refresh content='{seconds}; url={place}'><title>Wait</title>")
    };
    let web = Web::new()
        .site(
            Script::new("a.lookfar")
                .page("/now", &refresh(0, "/soon"))
                .page("/later", &refresh(3600, "/in-an-hour"))
                .page("/self", &refresh(0, "/self"))
                .otherwise(Answer::html("<p>end")),
        )
        .start()
        .unwrap();
    let place = Place::new();
    let seeds = ["http://a.lookfar/now", "http://a.lookfar/later", "http://a.lookfar/self"];
    place.crawl(&seeds, options(&web, Duration::ZERO));
    let records = place.records();
    for seed in seeds {
        assert_eq!((records[seed][0].status, &records[seed][0].redirect), (200, &None), "{seed}");
        assert_eq!(records[seed].len(), 1, "{seed}");
    }
    assert!(records.contains_key("http://a.lookfar/soon"), "{:?}", records.keys());
}

#[test]
fn red_11_many_urls_that_lead_to_one_page_fetch_it_once() {
    let links: String = (0..100).map(|n| format!("<a href=/old/{n}>{n}</a> ")).collect();
    let mut site = Script::new("a.lookfar").page("/list", &links).page("/", "<title>Home</title>");
    for n in 0..100 {
        site = site.answer(&format!("/old/{n}"), to("/"));
    }
    let web = Web::new().site(site).start().unwrap();
    let place = Place::new();
    place.crawl(&["http://a.lookfar/list"], options(&web, Duration::ZERO));
    let records = place.records();
    assert_eq!(records["http://a.lookfar/"].len(), 1);
    assert_eq!(records.len(), 102);
    let home = base::Url::parse("http://a.lookfar/").unwrap();
    let aliases = records.values().filter(|records| records[0].redirect.as_ref() == Some(&home));
    assert_eq!(aliases.count(), 100);
}
