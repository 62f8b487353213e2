//! In which order URLs are fetched (C3), and that every host gets its share (C2).

use std::time::Duration;

use crawl::{Ending, Pattern, PriorityRule, PriorityRules, Strategy};
use testweb::{Of, Running, Script, Web};

use crate::help::{Place, options};
use crate::live::Live;

fn links<T: AsRef<str>>(to: impl IntoIterator<Item = T>) -> String {
    to.into_iter().map(|to| format!("<a href={}>x</a> ", to.as_ref())).collect()
}

/// A tree: `/` links to `/0` … , each of which links to `/0/0` and so on.
fn tree(width: usize, below: usize) -> Script {
    let mut site = Script::new("a.lookfar").page("/", &links((0..width).map(|n| format!("/{n}"))));
    for n in 0..width {
        let children = (0..below).map(|m| format!("/{n}/{m}"));
        site = site.page(&format!("/{n}"), &format!("<p>{n} {}", links(children)));
        for m in 0..below {
            site = site
                .page(
                    &format!("/{n}/{m}"),
                    &format!("<p>{n} {m} {}", links([format!("/{n}/{m}/x")])),
                )
                .page(&format!("/{n}/{m}/x"), &format!("<p>{n} {m} x"));
        }
    }
    site
}

/// Crawls one page at a time; returns the paths in the order in which they were asked for.
fn paths(web: &Running, seeds: &[&str], strategy: Strategy, rules: PriorityRules) -> Vec<String> {
    let mut options = options(web, Duration::ZERO);
    (options.concurrency, options.strategy, options.rules) = (1, strategy, rules);
    let before = web.log().count("a.lookfar");
    Place::new().crawl(seeds, options);
    let mut paths = web.log().paths("a.lookfar").split_off(before);
    paths.retain(|path| path != "/robots.txt");
    paths
}

fn depth(path: &str) -> usize {
    path.split('/').filter(|part| !part.is_empty()).count()
}

const SEED: &[&str] = &["http://a.lookfar/"];

#[test]
fn breadth_first_reads_level_by_level_in_the_order_of_the_links() {
    let web = Web::new().site(tree(4, 2)).start().unwrap();
    let paths = paths(&web, SEED, Strategy::BreadthFirst, PriorityRules::default());
    assert_eq!(paths[..5], ["/", "/0", "/1", "/2", "/3"]);
    assert_eq!(paths.len(), 1 + 4 + 8 + 8);
    assert!(paths.is_sorted_by_key(|path| depth(path)), "{paths:?}");
}

#[test]
fn depth_first_goes_down_before_it_goes_on() {
    let web = Web::new().site(tree(24, 1)).start().unwrap();
    let paths = paths(&web, SEED, Strategy::DepthFirst, PriorityRules::default());
    assert_eq!(paths.len(), 1 + 3 * 24);
    let bottom = paths.iter().position(|path| depth(path) == 3).unwrap();
    // A page's links are known a moment after it was fetched; until then its sisters are read.
    let above = paths[..bottom].iter().filter(|path| depth(path) == 1).count();
    assert!(above < 12, "{above} of 24 branches were begun before one was read to its end");
    let last_branch = paths.iter().rposition(|path| depth(path) == 1).unwrap();
    let ends = paths[..last_branch].iter().filter(|path| depth(path) == 3).count();
    assert!(ends > 12, "{ends} of 24 branches were read to their end before the last was begun");
}

#[test]
fn random_order_is_neither_that_of_the_links_nor_another_each_time() {
    let web = Web::new().site(tree(24, 0)).start().unwrap();
    let first = paths(&web, SEED, Strategy::Random, PriorityRules::default());
    let second = paths(&web, SEED, Strategy::Random, PriorityRules::default());
    let by_links: Vec<String> = (0..24).map(|n| format!("/{n}")).collect();
    assert_eq!(first.len(), 25);
    assert_ne!(first[1..], by_links);
    assert_eq!(first, second);
}

#[test]
fn best_first_reads_early_what_many_pages_point_to() {
    let mut site = Script::new("a.lookfar").page("/popular", "<p>popular");
    let mut seeds = Vec::new();
    for n in 0..8 {
        let to = [format!("/leaf/{n}"), "/popular".to_owned()];
        site = site
            .page(&format!("/{n}"), &format!("<p>{n} {}", links(to)))
            .page(&format!("/leaf/{n}"), &format!("<p>leaf {n}"));
        seeds.push(format!("http://a.lookfar/{n}"));
    }
    let web = Web::new().site(site).start().unwrap();
    let seeds: Vec<&str> = seeds.iter().map(String::as_str).collect();
    let best = paths(&web, &seeds, Strategy::BestFirst, PriorityRules::default());
    assert_eq!(best[8], "/popular", "{best:?}");
    let breadth = paths(&web, &seeds, Strategy::BreadthFirst, PriorityRules::default());
    assert_eq!(breadth[8], "/leaf/0", "{breadth:?}");
}

#[test]
fn a_users_rules_come_before_the_strategy() {
    let names = ["/a", "/news/1", "/b", "/old/1", "/c", "/news/2"];
    let mut site = Script::new("a.lookfar").page("/", &links(names));
    for name in names {
        site = site.page(name, &format!("<p>{name}"));
    }
    let web = Web::new().site(site).start().unwrap();
    let rule = |pattern: &str, add| PriorityRule { pattern: Pattern::parse(pattern).unwrap(), add };
    for strategy in [Strategy::BreadthFirst, Strategy::BestFirst] {
        let rules = PriorityRules::new(vec![rule("*/news/*", 2), rule("*/old/*", -2)]);
        let paths = paths(&web, SEED, strategy, rules);
        assert_eq!(paths, ["/", "/news/1", "/news/2", "/a", "/b", "/c", "/old/1"], "{strategy:?}");
    }
}

#[test]
fn what_pagerank_says_while_a_crawl_runs_changes_what_comes_next() {
    let web = Web::new().site(flat("a.lookfar", 60)).site(flat("b.lookfar", 0)).start().unwrap();
    let place = Place::new();
    let mut options = options(&web, Duration::from_millis(20));
    options.concurrency = 1;
    let live = Live::start(&place.collection, SEED, options, Ending::Idle);
    live.until(|snapshot| snapshot.pages >= 5);
    live.pause();
    let before = web.log().count("a.lookfar");
    let wanted = ["/57", "/58"].map(|path| format!("http://a.lookfar{path}"));
    let url = |text: &String| base::Url::parse(text).unwrap();
    assert!(live.handle.promote(vec![(url(&wanted[0]), 20.0), (url(&wanted[1]), 5.0)]));
    let is_next = |_: &crawl::Snapshot| {
        let story = live.handle.why(&wanted[1]).unwrap();
        matches!(story.standing, crawl::Fate::Waiting { before: 1, .. })
    };
    live.until(is_next);
    live.seed_that_waits("http://b.lookfar/", 2);
    live.handle.resume();
    let (_, snapshot) = live.ended();
    assert_eq!(snapshot.pages, 61 + 1);
    let asked = web.log().paths("a.lookfar").split_off(before);
    assert_eq!(asked[..2], ["/57", "/58"], "{asked:?}");
}

/// A host with links from its home to all its pages.
fn flat(host: &str, pages: usize) -> Script {
    let mut site = Script::new(host)
        .page("/", &format!("<p>{host} {}", links((0..pages).map(|n| format!("/{n}")))));
    for n in 0..pages {
        site = site.page(&format!("/{n}"), &format!("<p>{host} {n}"));
    }
    site
}

#[test]
fn hosts_of_seeds_get_their_turns_in_the_order_given() {
    let hosts: Vec<String> = (0..12).map(|n| format!("s{}.lookfar", n * 7 % 12)).collect();
    let mut web = Web::new();
    for host in &hosts {
        web = web.site(Script::new(host).page("/", &format!("<p>{host}")));
    }
    let web = web.start().unwrap();
    let seeds: Vec<String> = hosts.iter().map(|host| format!("http://{host}/")).collect();
    let seeds: Vec<&str> = seeds.iter().map(String::as_str).collect();
    let mut options = options(&web, Duration::ZERO);
    options.active_hosts = 1;
    Place::new().crawl(&seeds, options);
    let mut asked: Vec<String> =
        web.log().requests(Of::All).iter().map(|entry| entry.host.to_string()).collect();
    asked.dedup();
    assert_eq!(asked, hosts);
}

#[test]
fn one_huge_host_does_not_starve_the_small_ones() {
    let small: Vec<String> = (0..20).map(|n| format!("small{n}.lookfar")).collect();
    let mut web = Web::new().site(flat("huge.lookfar", 500));
    let mut seeds = vec!["http://huge.lookfar/".to_owned()];
    for host in &small {
        web = web.site(flat(host, 10));
        seeds.push(format!("http://{host}/"));
    }
    let web = web.start().unwrap();
    let place = Place::new();
    let mut options = options(&web, Duration::from_millis(20));
    (options.concurrency, options.active_hosts) = (4, 4);
    let seeds: Vec<&str> = seeds.iter().map(String::as_str).collect();
    let live = Live::start(&place.collection, &seeds, options, Ending::Idle);
    live.until(|snapshot| {
        assert!(snapshot.hosts_active <= 4, "{} hosts in memory", snapshot.hosts_active);
        small.iter().all(|host| web.log().count(host.as_str()) == 12)
    });
    let of_huge = web.log().count("huge.lookfar");
    live.stop();
    assert!(of_huge > 10, "the huge host is not starved either: {of_huge}");
    assert!(of_huge < 400, "{of_huge} requests to the huge host before the small ones were done");
}

#[test]
fn more_hosts_than_memory_may_hold_are_all_fetched() {
    let hosts: Vec<String> = (0..30).map(|n| format!("h{n}.lookfar")).collect();
    let home = links(hosts.iter().map(|host| format!("http://{host}/")));
    let mut web = Web::new().site(Script::new("a.lookfar").page("/", &home));
    for host in &hosts {
        web = web.site(flat(host, 3));
    }
    let web = web.start().unwrap();
    let place = Place::new();
    let mut options = options(&web, Duration::ZERO);
    options.active_hosts = 2;
    let live = Live::start(&place.collection, SEED, options, Ending::Idle);
    live.until(|snapshot| {
        assert!(snapshot.hosts_active <= 2, "{} hosts in memory", snapshot.hosts_active);
        snapshot.pages == 1 + 30 * 4
    });
    let (summary, snapshot) = live.ended();
    assert_eq!((summary, snapshot.queue), (crawl::Summary::Idle, 0));
    place.check();
}

#[test]
fn a_host_with_more_pages_than_one_turn_gets_its_next_turn() {
    let web = Web::new()
        .site(flat("a.lookfar", 150))
        .site(flat("b.lookfar", 150))
        .site(flat("c.lookfar", 2))
        .start()
        .unwrap();
    let place = Place::new();
    let mut options = options(&web, Duration::ZERO);
    options.active_hosts = 1;
    let seeds = ["http://a.lookfar/", "http://b.lookfar/", "http://c.lookfar/"];
    let snapshot = place.crawl(&seeds, options);
    assert_eq!((snapshot.pages, snapshot.queue), (151 + 151 + 3, 0));
    let asked: Vec<String> =
        web.log().requests(Of::All).iter().map(|entry| entry.host.to_string()).collect();
    let last = |host: &str| asked.iter().rposition(|asked| asked == host).unwrap();
    let until_one_is_done = last("a.lookfar").min(last("b.lookfar"));
    assert!(last("c.lookfar") < until_one_is_done);
    let runs = asked[..until_one_is_done].chunk_by(|one, next| one == next);
    let longest = runs.map(<[String]>::len).max().unwrap();
    assert!(longest <= 64, "{longest} requests to one host while others waited");
    place.check();
}
