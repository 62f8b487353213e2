//! Limits of a crawl, room on the disk and in memory, and orders from outside (C10, C16).

use std::time::{Duration, Instant};

use base::Url;
use crawl::{DiskFloor, Ending, Hold, Summary};
use testweb::{Answer, Of, Pace, Running, Script, Web};

use crate::help::{Place, options};
use crate::live::Live;

/// A host whose home links to pages of a certain size.
fn site(host: &str, pages: usize, bytes: usize) -> Script {
    let links: String = (0..pages).map(|n| format!("<a href=/{n}>{n}</a> ")).collect();
    let mut site = Script::new(host).page("/", &format!("<p>{host} {links}"));
    for n in 0..pages {
        let filler = "word ".repeat(bytes / 5);
        site = site.page(&format!("/{n}"), &format!("<p>{host} {n} {filler}"));
    }
    site
}

fn one(pages: usize, bytes: usize) -> Running {
    Web::new().site(site("a.lookfar", pages, bytes)).start().unwrap()
}

const SEED: &[&str] = &["http://a.lookfar/"];

#[test]
fn a_crawl_ends_at_its_number_of_pages_and_goes_on_when_it_is_raised() {
    let web = one(30, 0);
    let place = Place::new();
    let mut options = options(&web, Duration::ZERO);
    for limit in [7, 19] {
        options.scope.pages = Some(limit);
        let snapshot = place.crawl(SEED, options.clone());
        assert_eq!(snapshot.pages, limit);
    }
    assert_eq!(web.log().count("a.lookfar"), 1 + 19, "nothing is fetched twice");
}

#[test]
fn a_crawl_ends_at_its_number_of_bytes() {
    let web = one(40, 10_000);
    let place = Place::new();
    let mut options = options(&web, Duration::ZERO);
    options.concurrency = 1;
    options.scope.bytes = Some(100_000);
    let snapshot = place.crawl(SEED, options);
    assert!(snapshot.bytes >= 100_000, "{}", snapshot.bytes);
    // What is under way when the limit is reached is kept: a few pages.
    assert!(snapshot.bytes < 180_000, "{}", snapshot.bytes);
    assert!(snapshot.queue > 0);
}

#[test]
fn a_crawl_ends_at_its_time_and_the_next_run_goes_on() {
    let web = one(12, 0);
    let place = Place::new();
    let mut options = options(&web, Duration::from_millis(100));
    options.scope.time = Some(Duration::from_millis(400));
    let first = place.crawl(SEED, options.clone());
    assert!(first.pages < 13 && first.queue > 0, "{first:?}");
    options.scope.time = None;
    assert_eq!(place.crawl(SEED, options).pages, 13);
}

#[test]
fn a_host_gets_no_more_pages_than_it_may() {
    let web =
        Web::new().site(site("a.lookfar", 20, 0)).site(site("b.lookfar", 3, 0)).start().unwrap();
    let place = Place::new();
    let mut options = options(&web, Duration::ZERO);
    options.scope.pages_per_host = Some(8);
    let snapshot = place.crawl(&["http://a.lookfar/", "http://b.lookfar/"], options);
    assert_eq!(snapshot.pages, 8 + 4);
    assert_eq!(snapshot.reasons["host-full"], 13, "{:?}", snapshot.reasons);
    assert_eq!(snapshot.queue, 0);
}

#[test]
fn a_host_gets_no_more_bytes_than_it_may() {
    let web = Web::new()
        .site(site("a.lookfar", 30, 10_000))
        .site(site("b.lookfar", 3, 10_000))
        .start()
        .unwrap();
    let place = Place::new();
    let mut options = options(&web, Duration::ZERO);
    options.concurrency = 2;
    options.scope.bytes_per_host = Some(60_000);
    let snapshot = place.crawl(&["http://a.lookfar/", "http://b.lookfar/"], options);
    assert_eq!(web.log().under("b.lookfar", "/").len(), 5, "nothing is taken from others");
    let of_a = web.log().under("a.lookfar", "/").len() - 2;
    assert!((6..=16).contains(&of_a), "{of_a} pages of 10,000 bytes");
    assert!(snapshot.reasons["host-bytes"] > 0, "{:?}", snapshot.reasons);
    assert_eq!(snapshot.queue, 0);
}

#[test]
fn sto_04_a_full_disk_holds_the_crawl_and_nothing_is_fetched() {
    let web = one(3, 0);
    let place = Place::new();
    let mut full = options(&web, Duration::ZERO);
    full.disk_floor = DiskFloor { bytes: u64::MAX, share: 0.0 };
    let live = Live::start(&place.collection, SEED, full, Ending::Idle);
    // A host could be visited, and is not.
    live.until(|snapshot| snapshot.hold == Some(Hold::Disk) && snapshot.hosts_ready == 1);
    let snapshot = live.stop();
    assert_eq!((snapshot.pages, snapshot.queue), (0, 1));
    assert_eq!(web.log().count(Of::All), 0);
    // With room again everything is fetched.
    assert_eq!(place.crawl(SEED, options(&web, Duration::ZERO)).pages, 4);
    place.check();
}

/// How long a crawl waits for memory before it sends one request at a time.
const MEMORY_WAIT: Duration = Duration::from_secs(3);

/// Asserts that nothing was asked for before a crawl had waited for memory. The web is older than
/// the crawl, so the time counts from before that began.
#[track_caller]
fn assert_memory_was_waited_for(web: &Running) {
    let early = web.log().requests(Of::All).into_iter().find(|entry| entry.at < MEMORY_WAIT);
    assert_eq!(early, None);
}

#[test]
fn sto_13_full_memory_holds_the_crawl_and_nothing_is_fetched() {
    let web = one(3, 0);
    let place = Place::new();
    let mut full = options(&web, Duration::ZERO);
    full.memory = Some(1);
    let live = Live::start(&place.collection, SEED, full, Ending::Idle);
    // A host could be visited, and is not.
    live.until(|snapshot| snapshot.hold == Some(Hold::Memory) && snapshot.hosts_ready == 1);
    live.stop();
    assert_memory_was_waited_for(&web);
    assert_eq!(place.crawl(SEED, options(&web, Duration::ZERO)).pages, 4);
}

#[test]
fn sto_13_where_memory_stays_full_one_request_at_a_time_goes_out_to_the_end() {
    let hosts = ["a.lookfar", "b.lookfar", "c.lookfar"];
    let web = hosts.iter().fold(Web::new(), |web, host| web.site(site(host, 5, 1_000)));
    let web = web.start().unwrap();
    let mut full = options(&web, Duration::ZERO);
    full.memory = Some(1);
    let place = Place::new();
    let seeds = hosts.map(|host| format!("http://{host}/"));
    let snapshot = place.crawl(&seeds.each_ref().map(String::as_str), full);
    assert_eq!((snapshot.pages, snapshot.queue), (18, 0));
    assert_eq!(snapshot.hold, Some(Hold::Memory), "it would have been held to the end");
    assert_memory_was_waited_for(&web);
    assert_eq!(web.log().max_requests_at_once(Of::All), 1);
    // Though rules were dropped and read again from the store, nobody was asked twice.
    assert_eq!(web.log().count(Of::All), 18 + 3);
    place.check();
}

#[test]
fn a_paused_crawl_sends_nothing_and_goes_on_when_it_may() {
    let web = Web::new().site(site("a.lookfar", 30, 0)).site(site("b.lookfar", 0, 0));
    let web = web.start().unwrap();
    let place = Place::new();
    let live = Live::start(
        &place.collection,
        SEED,
        options(&web, Duration::from_millis(10)),
        Ending::Idle,
    );
    live.until(|snapshot| snapshot.pages >= 5);
    live.pause();
    let requests = web.log().count(Of::All);
    // The first host has rested, another one is new: both could be visited, and are not.
    live.seed_that_waits("http://b.lookfar/", 2);
    assert_eq!(web.log().count(Of::All), requests);
    assert!(live.handle.is_paused() && requests < 30);
    live.handle.resume();
    let (summary, snapshot) = live.ended();
    assert_eq!((summary, snapshot.pages, snapshot.hold), (Summary::Idle, 32, None));
}

#[test]
fn a_paused_crawl_can_be_stopped_and_begins_unpaused_next_time() {
    let web = one(5, 0);
    let place = Place::new();
    let live = Live::start(&place.collection, SEED, options(&web, Duration::ZERO), Ending::Stop);
    live.handle.pause();
    live.until(|snapshot| snapshot.hold == Some(Hold::Pause));
    live.stop();
    assert_eq!(place.crawl(SEED, options(&web, Duration::ZERO)).pages, 6);
    place.check();
}

#[test]
fn what_is_under_way_when_a_crawl_is_stopped_is_kept() {
    let slow = Answer::html("<p>slow").with_pace(Pace::after(Duration::from_millis(300)));
    let web = Web::new().site(Script::new("a.lookfar").answer("/", slow)).start().unwrap();
    let place = Place::new();
    let live = Live::start(&place.collection, SEED, options(&web, Duration::ZERO), Ending::Stop);
    live.until(|_| web.log().count("a.lookfar") == 2);
    assert_eq!(live.stop().pages, 1);
    assert_eq!(place.records().len(), 1);
    place.check();
}

#[test]
fn a_crawl_that_waits_for_more_ends_only_when_it_is_told_to() {
    let hosts = ["b.lookfar", "c.lookfar"];
    let web = Web::new().site(site("a.lookfar", 2, 0));
    let web = hosts.iter().fold(web, |web, host| web.site(site(host, 0, 0))).start().unwrap();
    let place = Place::new();
    let live = Live::start(&place.collection, SEED, options(&web, Duration::ZERO), Ending::Stop);
    // Each time it has nothing left to do, and goes on when there is something again.
    for (host, pages) in hosts.iter().zip(3..) {
        live.until(|snapshot| (snapshot.pages, snapshot.hosts_active) == (pages, 0));
        let seed = Url::parse(&format!("http://{host}/")).unwrap();
        assert!(live.handle.add_seeds(vec![seed]), "it has ended by itself");
    }
    live.until(|snapshot| (snapshot.pages, snapshot.hosts_active) == (5, 0));
    let begun = Instant::now();
    assert_eq!(live.stop().pages, 5);
    assert!(begun.elapsed() < Duration::from_secs(5), "there was nothing to wait for");
}
