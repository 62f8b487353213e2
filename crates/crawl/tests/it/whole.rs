//! Everything that can be reached is fetched, archived and recorded, once (C1, P1, P2).

use std::collections::BTreeSet;
use std::time::Duration;

use testweb::{Answer, Generated, GeneratedOptions, Kind, Mix, Script, Web};

use crate::help::{Place, options};

#[test]
fn every_reachable_page_is_fetched_once_and_nothing_forbidden_is() {
    let generated = Generated::new(GeneratedOptions {
        hosts: 6,
        pages: 120,
        mix: Mix { busy: 0, slow: 0, ..Mix::default() },
        ..GeneratedOptions::default()
    });
    let web = Web::new().sites(generated.sites()).start().unwrap();
    let place = Place::new();
    let snapshot = place.crawl(&[&generated.seed_url()], options(&web, Duration::ZERO));
    let records = place.records();
    let mut good = 0;
    for page in generated.pages() {
        let found = records.get(&page.url);
        if page.kind == Kind::Disallowed {
            assert!(found.is_none(), "{} is forbidden", page.url);
            continue;
        }
        let found = found.unwrap_or_else(|| panic!("{} ({:?}) is missing", page.url, page.kind));
        assert_eq!(found.last().unwrap().status, page.status, "{}", page.url);
        if page.status == 200 {
            // A copy that was told too late has two records of one fetch.
            let fetches: BTreeSet<_> = found.iter().map(|record| record.capture).collect();
            assert_eq!(fetches.len(), 1, "{} was fetched {} times", page.url, fetches.len());
            good += 1;
        }
    }
    let known: BTreeSet<String> = generated.pages().map(|page| page.url).collect();
    let is_strange = |url: &&String| !known.contains(*url) && !url.ends_with("/sitemap.xml");
    let strange: Vec<&String> = records.keys().filter(is_strange).collect();
    assert_eq!(strange, Vec::<&String>::new());
    assert_eq!(snapshot.pages, good);
    assert_eq!(snapshot.queue, 0);
    let archived = archive::check(&place.collection.archive()).unwrap().num_responses;
    let robots =
        web.log().requests(testweb::Of::All).iter().filter(|e| e.target == "/robots.txt").count();
    assert_eq!(archived, snapshot.responses + robots as u64);
    place.check();
}

#[test]
fn a_second_run_fetches_nothing_again() {
    let web = Web::new()
        .site(Script::new("a.lookfar").page("/", "<a href=/x>x</a>").page("/x", "<p>x"))
        .start()
        .unwrap();
    let place = Place::new();
    for _ in 0..2 {
        let snapshot = place.crawl(&["http://a.lookfar/"], options(&web, Duration::ZERO));
        assert_eq!((snapshot.pages, snapshot.urls, snapshot.hosts), (2, 2, 1));
    }
    assert_eq!(web.log().count("a.lookfar"), 3, "robots.txt and two pages, once each");
    place.check();
}

#[test]
fn redirects_lead_on_and_loops_end() {
    let web = Web::new()
        .site(
            Script::new("a.lookfar")
                .page("/", "<a href=/old>old</a> <a href=/loop>loop</a>")
                .answer("/old", Answer::redirect(301, "http://b.lookfar/new"))
                .answer("/loop", Answer::redirect(302, "/loop2"))
                .answer("/loop2", Answer::redirect(302, "/loop")),
        )
        .site(Script::new("b.lookfar").page("/new", "<title>New</title>"))
        .start()
        .unwrap();
    let place = Place::new();
    place.crawl(&["http://a.lookfar/"], options(&web, Duration::ZERO));
    let records = place.records();
    let urls: BTreeSet<&str> = records.keys().map(String::as_str).collect();
    let expected = [
        "http://a.lookfar/",
        "http://a.lookfar/loop",
        "http://a.lookfar/loop2",
        "http://a.lookfar/old",
        "http://b.lookfar/new",
    ];
    assert_eq!(urls, BTreeSet::from(expected));
    let old = &records["http://a.lookfar/old"][0];
    assert_eq!(old.redirect.as_ref().unwrap().as_str(), "http://b.lookfar/new");
    assert_eq!(records["http://b.lookfar/new"][0].title, "New");
}

#[test]
fn limits_on_pages_and_scope_hold() {
    let links: String = (0..50).map(|n| format!("<a href=/{n}>{n}</a> ")).collect();
    let mut site =
        Script::new("a.lookfar").page("/", &format!("{links}<a href=//b.lookfar/>b</a>"));
    for n in 0..50 {
        site = site.page(&format!("/{n}"), "<p>page");
    }
    let web = Web::new().site(site).site(Script::new("b.lookfar").page("/", "b")).start().unwrap();
    let place = Place::new();
    let mut options = options(&web, Duration::ZERO);
    options.scope = crawl::Scope::sites_of(&[base::Url::parse("http://a.lookfar/").unwrap()]);
    options.scope.pages = Some(10);
    let snapshot = place.crawl(&["http://a.lookfar/"], options);
    assert_eq!(snapshot.pages, 10);
    assert_eq!(snapshot.reasons["out-of-reach"], 1);
    assert_eq!(web.log().count("b.lookfar"), 0);
}

#[test]
fn links_that_a_page_does_not_vouch_for_are_not_followed() {
    let home = "<a href=/plain>1</a> <a rel=nofollow href=/nofollow>2</a> \
                <a rel='noopener UGC' href=/ugc>3</a> <a rel=sponsored href=/sponsored>4</a> \
                <a rel=nofollow href=/elsewhere>5</a> <a rel=ugc href=/twice>6</a> \
                <a rel=nofollow href=/twice>7</a> <a href=/meta>8</a> <a href=/header>9</a> \
                <a href=/hidden-from-search>10</a>";
    let header = Answer::html("<a href=/after-header>1</a>");
    let site = Script::new("a.lookfar")
        .page("/", home)
        .page("/plain", "<a href=/elsewhere>named without a mark</a>")
        .page("/meta", "<meta name=robots content=nofollow><a href=/after-meta>1</a>")
        .answer("/header", header.with_header("X-Robots-Tag", "nofollow"))
        .page("/hidden-from-search", "<meta name=robots content=noindex><a href=/after>1</a>")
        .answer("/robots.txt", Answer::not_found())
        .otherwise(Answer::html("<p>end"));
    let web = Web::new().site(site).start().unwrap();
    let place = Place::new();
    let snapshot = place.crawl(&["http://a.lookfar/"], options(&web, Duration::ZERO));
    let asked: BTreeSet<String> = web.log().paths("a.lookfar").into_iter().collect();
    let expected = [
        "/",
        "/after",
        "/elsewhere",
        "/header",
        "/hidden-from-search",
        "/meta",
        "/plain",
        "/robots.txt",
    ];
    assert_eq!(asked, expected.map(str::to_owned).into());
    // Five on the first page, one each on the two that vouch for nothing.
    assert_eq!(snapshot.reasons["nofollow"], 7, "{:?}", snapshot.reasons);
    assert!(!place.records()["http://a.lookfar/hidden-from-search"][0].is_searchable());
}
