//! What is asked for is crawled and nothing else, also when it is asked for later (C10).

use std::collections::BTreeSet;
use std::time::Duration;

use base::Url;
use crawl::{HostCounts, LeftOut, Options, Pattern, Reach, Scope};
use testweb::{Answer, Of, Running, Script, Web};

use crate::help::{Place, options, pack};

fn patterns(texts: &[&str]) -> Vec<Pattern> {
    texts.iter().map(|text| Pattern::parse(text).unwrap()).collect()
}

fn url(text: &str) -> Url {
    Url::parse(text).unwrap()
}

/// A site with a front page, two folders and a picture, and another site.
fn web() -> Running {
    let links = "<a href=/a/1>1</a> <a href=/a/2>2</a> <a href=/b/1>3</a> <a href=/b/2>4</a> \
                 <a href=/photo.jpg>5</a> <a href=//b.lookfar/>6</a>";
    let site = Script::new("a.lookfar")
        .page("/", links)
        .page("/a/1", "one")
        .page("/a/2", "two")
        .page("/b/1", "three")
        .page("/b/2", "four")
        .answer("/photo.jpg", Answer::ok("image/jpeg", "not really"));
    Web::new().site(site).site(Script::new("b.lookfar").page("/", "other")).start().unwrap()
}

/// Returns the options of a crawl of that web with another scope.
fn within(web: &Running, scope: Scope) -> Options {
    Options { scope, ..options(web, Duration::ZERO) }
}

/// Returns the paths of a host that were asked for, robots.txt aside.
fn fetched(web: &Running, host: &str) -> BTreeSet<String> {
    web.log().paths(host).into_iter().filter(|path| path != "/robots.txt").collect()
}

fn set(paths: &[&str]) -> BTreeSet<String> {
    paths.iter().map(|path| (*path).to_owned()).collect()
}

const SEED: &str = "http://a.lookfar/";

#[test]
fn patterns_and_kinds_of_files_are_obeyed_at_discovery() {
    let web = web();
    let place = Place::new();
    let scope = Scope {
        include: patterns(&["/a/*", "b.lookfar"]),
        exclude: patterns(&["*/2"]),
        ..Scope::new(Reach::Open)
    };
    let snapshot = place.crawl(&[SEED], within(&web, scope));
    // The seed matches no `include`; a person named it.
    assert_eq!(fetched(&web, "a.lookfar"), set(&["/", "/a/1"]));
    assert_eq!(fetched(&web, "b.lookfar"), set(&["/"]));
    assert_eq!(snapshot.reasons[LeftOut::Excluded.name()], 2);
    assert_eq!(snapshot.reasons[LeftOut::NotIncluded.name()], 1);
    assert_eq!(snapshot.reasons[LeftOut::FileType.name()], 1);
    place.check();
}

#[test]
fn one_page_is_one_page() {
    let web = web();
    let place = Place::new();
    let snapshot = place.crawl(&[SEED], within(&web, Scope::new(Reach::Pages)));
    assert_eq!(web.log().paths("a.lookfar"), ["/robots.txt", "/"]);
    assert_eq!(web.log().count("b.lookfar"), 0);
    assert_eq!(snapshot.reasons[LeftOut::OutOfReach.name()], 6);
}

#[test]
fn a_seed_that_redirects_is_the_page_it_redirects_to() {
    let web = Web::new()
        .site(Script::new("a.lookfar").answer("/", Answer::redirect(301, "http://b.lookfar/")))
        .site(Script::new("b.lookfar").page("/", "<a href=/more>more</a>").page("/more", "more"))
        .start()
        .unwrap();
    let place = Place::new();
    place.crawl(&[SEED], within(&web, Scope::new(Reach::Pages)));
    assert_eq!(fetched(&web, "b.lookfar"), set(&["/"]));
}

#[test]
fn changing_the_scope_applies_at_the_next_start() {
    let web = web();
    let place = Place::new();
    let first = Scope { pages: Some(1), ..Scope::new(Reach::Open) };
    let snapshot = place.crawl(&[SEED], within(&web, first));
    assert!(snapshot.queue >= 5, "{snapshot:?}");
    let narrower =
        Scope { exclude: patterns(&["/b/*"]), ..Scope::new(Reach::hosts_of(&[url(SEED)])) };
    let snapshot = place.crawl(&[SEED], within(&web, narrower));
    assert_eq!(fetched(&web, "a.lookfar"), set(&["/", "/a/1", "/a/2"]));
    assert_eq!(web.log().count("b.lookfar"), 0);
    assert_eq!(snapshot.queue, 0, "what is left out does not wait");
    assert_eq!(snapshot.reasons[LeftOut::Excluded.name()], 2);
    assert_eq!(web.log().paths("a.lookfar").iter().filter(|path| *path == "/").count(), 1);
    place.check();
}

#[test]
fn a_seed_that_is_excluded_is_not_fetched() {
    let web = web();
    let place = Place::new();
    let scope = Scope { exclude: patterns(&[SEED]), ..Scope::new(Reach::Open) };
    let snapshot = place.crawl(&[SEED, "http://b.lookfar/"], within(&web, scope));
    assert_eq!(fetched(&web, "a.lookfar"), set(&[]));
    assert_eq!(fetched(&web, "b.lookfar"), set(&["/"]));
    assert_eq!((snapshot.queue, snapshot.reasons[LeftOut::Excluded.name()]), (0, 1));
}

#[test]
fn a_scope_that_grows_applies_at_the_next_start_too() {
    let web = web();
    let place = Place::new();
    let narrow = Scope { exclude: patterns(&["/b/*"]), ..Scope::sites_of(&[url(SEED)]) };
    place.crawl(&[SEED], within(&web, narrow));
    assert_eq!(fetched(&web, "a.lookfar"), set(&["/", "/a/1", "/a/2"]));
    place.crawl(&[SEED], within(&web, Scope::new(Reach::Open)));
    assert_eq!(fetched(&web, "a.lookfar"), set(&["/", "/a/1", "/a/2", "/b/1", "/b/2"]));
    assert_eq!(fetched(&web, "b.lookfar"), set(&["/"]));
    assert_eq!(web.log().paths("a.lookfar").iter().filter(|path| *path == "/").count(), 1);
    place.check();
}

#[test]
fn a_full_host_is_left_at_its_limit() {
    let web = web();
    let place = Place::new();
    let scope = Scope { pages_per_host: Some(3), ..Scope::new(Reach::Open) };
    let snapshot = place.crawl(&[SEED], within(&web, scope));
    assert_eq!(fetched(&web, "a.lookfar").len(), 3);
    assert_eq!(fetched(&web, "b.lookfar"), set(&["/"]), "other hosts have room of their own");
    assert_eq!(snapshot.reasons[LeftOut::HostFull.name()], 2);
}

#[test]
fn lnk_07_names_without_end_are_left_at_the_limit_of_their_domain() {
    let name = |n: usize| format!("n{n}.trap.lookfar");
    let links: String = (0..10).map(|n| format!("<a href=//{}/>{n}</a> ", name(n))).collect();
    let mut web = Web::new().site(Script::new("www.trap.lookfar").page("/", &links));
    for n in 0..10 {
        web = web.site(Script::new(&name(n)).page("/", &links));
    }
    let web = web.start().unwrap();
    let place = Place::new();
    let scope = Scope { hosts_per_site: Some(4), ..Scope::new(Reach::Open) };
    let snapshot = place.crawl(&["http://www.trap.lookfar/"], within(&web, scope));
    assert_eq!((snapshot.pages, snapshot.hosts), (4, 4));
    assert!(snapshot.reasons[LeftOut::SiteHosts.name()] >= 7, "{:?}", snapshot.reasons);
}

#[test]
fn tcp_07_a_link_to_another_service_reaches_nobody() {
    let links = "<a href=http://a.lookfar:25/>mail</a> <a href=http://a.lookfar:6379/>store</a>";
    let web = Web::new().site(Script::new("a.lookfar").page("/", links)).start().unwrap();
    let place = Place::new();
    let snapshot = place.crawl(&[SEED], within(&web, Scope::new(Reach::Open)));
    assert_eq!(snapshot.reasons[LeftOut::Port.name()], 2);
    assert_eq!(web.log().count(Of::All), 2, "robots.txt and the page");
}

#[test]
fn url_17_links_that_stack_come_to_an_end() {
    // Every page links one folder deeper into itself: /x/ to x/, giving /x/x/x/…
    let mut site = Script::new("a.lookfar").page("/", "<a href=x/>deeper</a>");
    for depth in 1..8 {
        site = site.page(&format!("/{}", "x/".repeat(depth)), "<a href=x/>deeper</a>");
    }
    let web = Web::new().site(site).start().unwrap();
    let place = Place::new();
    let snapshot = place.crawl(&[SEED], within(&web, Scope::new(Reach::Open)));
    let mut fetched = fetched(&web, "a.lookfar");
    fetched.remove("/sitemap.xml");
    assert_eq!(fetched, set(&["/", "/x/", "/x/x/", "/x/x/x/"]));
    assert_eq!(snapshot.reasons[LeftOut::Trap.name()], 1);
}

#[test]
fn a_real_web_has_no_traps_and_no_strange_ports() {
    let Some(pack) = pack("webkb") else { return };
    let manifest = std::fs::read_to_string(pack.join("webkb-manifest.tsv")).unwrap();
    let scope = Scope::new(Reach::Open);
    let addresses = manifest.lines().filter_map(|line| line.split('\t').next());
    let urls: Vec<Url> = addresses.filter_map(|address| Url::parse(address).ok()).collect();
    assert!(urls.len() > 8_000, "{}", urls.len());
    let left_out: Vec<_> = urls
        .iter()
        .filter_map(|url| Some((url, scope.judge(url, 1, &HostCounts::default()).err()?)))
        .collect();
    assert!(left_out.is_empty(), "{left_out:?}");
}
