//! What a person decides about single hosts, in a crawl that runs and in the next one (U3).

use std::time::Duration;

use base::{Host, Url};
use crawl::{Ending, Handle, HostOrder, HostQuery, HostRule, Scope};
use testweb::{Answer, DnsAnswer, Running, Script, Web};

use crate::help::{Place, options};
use crate::live::Live;

fn site(host: &str, pages: usize) -> Script {
    let links: String = (0..pages).map(|n| format!("<a href=/{n}>{n}</a> ")).collect();
    let mut site = Script::new(host).page("/", &links);
    for n in 0..pages {
        site = site.page(&format!("/{n}"), &format!("<p>page number {n} of {host}"));
    }
    site
}

fn web() -> Running {
    let hosts = ["a.lookfar", "b.lookfar", "c.lookfar"];
    hosts.iter().fold(Web::new(), |web, host| web.site(site(host, 12))).start().unwrap()
}

const SEEDS: [&str; 2] = ["http://a.lookfar/", "http://b.lookfar/"];

fn host(name: &str) -> Host {
    Host::parse(name).unwrap()
}

/// Decides something while nothing runs.
fn decide(place: &Place, web: &Running, name: &str, rule: HostRule) {
    let _lock = place.collection.lock().unwrap();
    let handle = Handle::open(&place.collection, &options(web, Duration::ZERO)).unwrap();
    handle.set_host_rule(&host(name), rule).unwrap();
}

fn start(place: &Place, web: &Running) -> Live {
    Live::start(&place.collection, &SEEDS, options(web, Duration::ZERO), Ending::Stop)
}

#[test]
fn a_paused_host_is_asked_for_nothing_until_it_may_go_on() {
    let (web, place) = (web(), Place::new());
    let paused = HostRule { is_paused: true, ..HostRule::default() };
    decide(&place, &web, "b.lookfar", paused);
    // Also for a crawl that is to end when nothing is left to do.
    place.crawl(&SEEDS, options(&web, Duration::ZERO));
    assert_eq!((web.log().count("a.lookfar"), web.log().count("b.lookfar")), (14, 0));
    place.check();
    let live = start(&place, &web);
    let handle = live.handle.clone();
    // Another host is fetched meanwhile, from when the crawl takes seeds.
    live.until(|_| handle.add_seeds(vec![Url::parse("http://c.lookfar/").unwrap()]));
    live.until(|_| web.log().count("c.lookfar") == 14);
    assert_eq!(web.log().count("b.lookfar"), 0);
    handle.set_host_rule(&host("b.lookfar"), HostRule::default()).unwrap();
    live.until(|_| web.log().count("b.lookfar") == 14);
    live.stop();
    // It holds the store open.
    drop(handle);
    place.check();
}

#[test]
fn a_host_that_is_paused_in_the_middle_stops() {
    let (web, place) = (web(), Place::new());
    let slow = HostRule { delay_millis: Some(150), ..HostRule::default() };
    decide(&place, &web, "b.lookfar", slow);
    decide(&place, &web, "c.lookfar", slow);
    let live = start(&place, &web);
    let handle = live.handle.clone();
    live.until(|_| web.log().count("b.lookfar") >= 3);
    let closest = web.log().closest_two_requests("b.lookfar").unwrap();
    assert!(closest.gap >= Duration::from_millis(150), "{closest:?}");
    let paused = HostRule { is_paused: true, ..slow };
    handle.set_host_rule(&host("b.lookfar"), paused).unwrap();
    // Another host is as slow: what was under way has ended when it is asked for the second time, and
    // after that this one would have had several turns.
    assert!(handle.add_seeds(vec![Url::parse("http://c.lookfar/").unwrap()]));
    live.until(|_| web.log().count("c.lookfar") == 2);
    let count = web.log().count("b.lookfar");
    assert!(count < 14, "it was done before");
    live.until(|_| web.log().count("c.lookfar") == 6);
    assert_eq!(web.log().count("b.lookfar"), count);
    handle.set_host_rule(&host("b.lookfar"), HostRule::default()).unwrap();
    live.until(|_| web.log().count("b.lookfar") == 14);
    live.stop();
}

#[test]
fn a_budget_is_kept_and_a_larger_one_opens_the_host_again() {
    let (web, place) = (web(), Place::new());
    let budget = |pages| HostRule { pages: Some(pages), ..HostRule::default() };
    decide(&place, &web, "b.lookfar", budget(5));
    place.crawl(&SEEDS, options(&web, Duration::ZERO));
    // robots.txt is no page of the host.
    assert_eq!((web.log().count("a.lookfar"), web.log().count("b.lookfar")), (14, 6));
    decide(&place, &web, "b.lookfar", budget(8));
    place.crawl(&SEEDS, options(&web, Duration::ZERO));
    assert_eq!(web.log().count("b.lookfar"), 9);
    let live = start(&place, &web);
    let handle = live.handle.clone();
    handle.set_host_rule(&host("b.lookfar"), HostRule::default()).unwrap();
    live.until(|_| web.log().count("b.lookfar") == 14);
    live.stop();
    // It holds the store open.
    drop(handle);
    place.check();
}

#[test]
fn a_blocked_host_is_neither_fetched_nor_noted() {
    let rules = Answer::ok("text/plain", "# nothing\n");
    let web = Web::new()
        .site(
            Script::new("a.lookfar")
                .answer("/robots.txt", rules)
                .page("/", "<a href=http://b.lookfar/>b</a> <a href=/1>1</a>")
                .page("/1", "<p>one"),
        )
        .site(site("b.lookfar", 3))
        .start()
        .unwrap();
    let place = Place::new();
    let blocked = HostRule { is_blocked: true, ..HostRule::default() };
    decide(&place, &web, "b.lookfar", blocked);
    let snapshot = place.crawl(&["http://a.lookfar/"], options(&web, Duration::ZERO));
    assert_eq!((web.log().count("a.lookfar"), web.log().count("b.lookfar")), (3, 0));
    assert_eq!(snapshot.reasons["blocked"], 1);
    let _lock = place.collection.lock().unwrap();
    let handle = Handle::open(&place.collection, &options(&web, Duration::ZERO)).unwrap();
    let story = handle.why("http://b.lookfar/").unwrap();
    assert_eq!(story.scope.reason.as_deref(), Some("blocked"));
    assert!(story.scope.because.unwrap().contains("hosts.txt"));
}

#[test]
fn hosts_are_listed_sorted_and_searched_and_seeds_are_taken_at_once() {
    let (web, place) = (web(), Place::new());
    place.crawl(&SEEDS[..1], options(&web, Duration::ZERO));
    let live = start(&place, &web);
    let handle = live.handle.clone();
    live.until(|_| web.log().count("b.lookfar") == 14);
    let list = |find: &str, order| {
        let query = HostQuery { find: find.to_owned(), order, skip: 0, limit: 10 };
        handle.hosts(&query).unwrap()
    };
    live.until(|_| list("", HostOrder::Fetched).rows.iter().all(|row| row.responses == 13));
    let names = |find: &str, order| -> Vec<String> {
        list(find, order).rows.into_iter().map(|row| row.name).collect()
    };
    assert_eq!(names("", HostOrder::Name), ["a.lookfar", "b.lookfar"]);
    assert_eq!(names("B.look", HostOrder::Waiting), ["b.lookfar"]);
    assert!(names("zzz", HostOrder::Name).is_empty());
    let rule = HostRule { delay_millis: Some(5), ..HostRule::default() };
    handle.set_host_rule(&host("b.lookfar"), rule).unwrap();
    assert_eq!(names("", HostOrder::Rules), ["b.lookfar", "a.lookfar"]);
    let row = list("a.", HostOrder::Bytes).rows.remove(0);
    assert_eq!((row.known, row.waiting, row.responses, row.errors), (13, 0, 13, 0));
    assert!(handle.add_seeds(vec![Url::parse("http://a.lookfar/new?x=1").unwrap()]));
    live.until(|_| web.log().paths("a.lookfar").iter().any(|path| path == "/new?x=1"));
    live.stop();
    assert!(!handle.add_seeds(Vec::new()), "nobody takes them any more");
}

#[test]
fn hosts_that_a_person_decided_about_before_they_were_seen_are_listed() {
    let (web, place) = (web(), Place::new());
    place.crawl(&SEEDS[..1], options(&web, Duration::ZERO));
    let _lock = place.collection.lock().unwrap();
    let handle = Handle::open(&place.collection, &options(&web, Duration::ZERO)).unwrap();
    let blocked = HostRule { is_blocked: true, ..HostRule::default() };
    for name in ["c.lookfar", "www.bücherei.lookfar", "d.lookfar"] {
        handle.set_host_rule(&host(name), blocked).unwrap();
    }
    // What was taken back is no rule.
    handle.set_host_rule(&host("d.lookfar"), HostRule::default()).unwrap();
    let list = |find: &str, order, skip, limit| {
        let find = find.to_owned();
        handle.hosts(&HostQuery { find, order, skip, limit }).unwrap()
    };
    let names = |find: &str, order, skip, limit| -> Vec<String> {
        list(find, order, skip, limit).rows.into_iter().map(|row| row.name).collect()
    };
    let letters = "www.xn--bcherei-n2a.lookfar";
    assert_eq!(names("", HostOrder::Rules, 0, 10), ["c.lookfar", letters, "a.lookfar"]);
    assert_eq!(names("", HostOrder::Fetched, 0, 10), ["a.lookfar", "c.lookfar", letters]);
    assert_eq!(names("", HostOrder::Name, 1, 1), ["c.lookfar"]);
    assert_eq!(list("", HostOrder::Name, 1, 1).total, 3);
    for find in ["Bücher", "xn--bch", "www."] {
        assert_eq!(names(find, HostOrder::Waiting, 0, 10), [letters], "{find}");
    }
    let row = list("c.lookfar", HostOrder::Name, 0, 10).rows.remove(0);
    assert_eq!((row.known, row.rule), (0, blocked));
    // One that is known is one host, with a rule or without.
    handle.set_host_rule(&host("a.lookfar"), blocked).unwrap();
    assert_eq!(list("", HostOrder::Name, 0, 10).total, 3);
}

#[test]
fn another_scope_holds_at_once_in_a_crawl_that_runs() {
    let list: String = (0..12).map(|n| format!("<a href=/{n}>number {n}</a> ")).collect();
    let second = site("b.lookfar", 12).page("/list", &format!("<h1>All of them</h1>{list}"));
    let web = Web::new().site(site("a.lookfar", 12)).site(second).start().unwrap();
    let place = Place::new();
    let [a, b] = SEEDS.map(|seed| Url::parse(seed).unwrap());
    let mut options = options(&web, Duration::ZERO);
    options.scope = Scope::sites_of(std::slice::from_ref(&a));
    let live = Live::start(&place.collection, &SEEDS[..1], options, Ending::Stop);
    let handle = live.handle.clone();
    live.until(|_| web.log().count("a.lookfar") == 14);
    // A page that a person names is fetched in any case, what it links to is not.
    assert!(handle.add_seeds(vec![b.clone()]));
    live.until(|_| web.log().count("b.lookfar") == 2);
    live.until(|_| handle.host(&host("b.lookfar")).unwrap().is_some_and(|row| row.responses == 1));
    assert!(!handle.why("http://b.lookfar/3").unwrap().scope.is_in);
    let both = Scope::sites_of(&[a, b]);
    handle.set_scope(Scope { pages: Some(16), ..both.clone() });
    assert!(handle.why("http://b.lookfar/3").unwrap().scope.is_in);
    assert!(handle.add_seeds(vec![Url::parse("http://b.lookfar/list").unwrap()]));
    // A limit that is reached, and raised.
    live.until(|_| web.log().count("b.lookfar") == 4);
    handle.set_scope(both);
    live.until(|_| web.log().count("b.lookfar") == 15);
    live.stop();
}

#[test]
fn owners_are_told_what_was_fetched_and_why_not() {
    let rules = Answer::ok(
        "text/plain",
        "# lookfar-verify: 00112233\nUser-agent: *\nDisallow: /no\nCrawl-delay: 0\n",
    );
    let script = Script::new("a.lookfar")
        .answer("/robots.txt", rules)
        .page("/", "<a href=/x>x</a> <a href=/no>no</a> <a href=/gone>gone</a>")
        .page("/x", "<p>x");
    let web = Web::new().site(script).start().unwrap();
    let place = Place::new();
    let clock = options(&web, Duration::ZERO).clock;
    let begun = clock();
    let snapshot = place.crawl(&SEEDS[..1], options(&web, Duration::ZERO));
    let ended = clock();
    let census = &snapshot.census;
    assert_eq!(census.statuses, [(200, 2), (404, 1)].into());
    assert_eq!(census.kinds, [("HTML".to_owned(), 2)].into());
    assert_eq!(census.waiting, [0; 16]);
    let before = web.log().count("a.lookfar");
    let _lock = place.collection.lock().unwrap();
    let handle = Handle::open(&place.collection, &options(&web, Duration::ZERO)).unwrap();
    assert!(handle.is_proved(&host("a.lookfar"), "00112233").unwrap());
    for (name, proof) in [("a.lookfar", "0011223"), ("a.lookfar", ""), ("b.lookfar", "00112233")] {
        assert!(!handle.is_proved(&host(name), proof).unwrap(), "{name} {proof}");
    }
    let report = handle.owner_report(&host("a.lookfar")).unwrap();
    let standings: Vec<&str> = report.standings.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(standings, ["fetched, 200", "fetched, 404", "forbidden by robots.txt"]);
    assert_eq!(report.pages.len(), 4);
    // When each was fetched, to the moment; what never was has none.
    for page in &report.pages {
        let at = page.at.map(|moment| moment.0);
        let is_told = at.is_some_and(|at| (begun..=ended).contains(&at));
        assert_eq!(is_told, page.standing.starts_with("fetched"), "{page:?}");
        assert_eq!(page.at.is_some(), is_told, "{page:?}");
    }
    assert_eq!(report.robots.len(), 1);
    assert!((begun..=ended).contains(&report.robots[0].read.0), "{:?}", report.robots);
    assert!(report.robots[0].is_open && report.host.unwrap().responses == 3);
    assert_eq!(web.log().count("a.lookfar"), before, "a report costs the host nothing");
}

#[test]
fn owners_prove_a_host_by_a_text_in_its_dns() {
    let long = "x".repeat(600);
    let texts = DnsAnswer::texts(&["v=spf1 -all", "lookfar-verify: 44556677", "8899aabb", &long]);
    let web = Web::new()
        .site(site("a.lookfar", 1))
        .dns("_lookfar.a.lookfar", texts)
        .dns("_lookfar.slow.lookfar", DnsAnswer::silence())
        .start()
        .unwrap();
    let place = Place::new();
    let mut options = options(&web, Duration::ZERO);
    // One name server is silent.
    options.dns.timeout = Duration::from_secs(1);
    let live = Live::start(&place.collection, &SEEDS[..1], options, Ending::Stop);
    let handle = live.handle.clone();
    live.until(|_| web.log().count("a.lookfar") > 0);
    let is_proved = |name: &str, proof: &str| handle.is_proved(&host(name), proof).unwrap();
    assert!(is_proved("a.lookfar", "44556677") && is_proved("a.lookfar", "8899aabb"));
    assert!(!is_proved("a.lookfar", "v=spf1") && !is_proved("a.lookfar", ""));
    assert!(!is_proved("a.lookfar", &long), "nobody needs as much");
    assert_eq!(web.dns().num_lookups("_lookfar.a.lookfar"), 1, "kept for a moment");
    assert!(!is_proved("slow.lookfar", "44556677") && !is_proved("none.lookfar", "44556677"));
    // What has no name has no texts, and local names are nobody's.
    let before = web.dns().num_questions();
    assert!(!is_proved("127.0.0.1", "44556677") && !is_proved("localhost", "44556677"));
    assert_eq!(web.dns().num_questions(), before);
    live.stop();
    assert!(!is_proved("a.lookfar", "44556677"), "without a crawl nobody asks");
}
