//! Sitemaps and feeds, from robots.txt to the pages that only they name (C7).

use std::fmt::Write as _;
use std::io::Write as _;
use std::time::{Duration, SystemTime};

use base::Timestamp;
use flate2::{Compression, write::GzEncoder};
use testweb::{Answer, Script, Web};

use crate::help::{Place, options};

/// A sitemap of pages, each with elements of its own beside its address.
fn urlset(pages: &[(&str, &str)]) -> Answer {
    let mut body = String::from("<?xml version=\"1.0\"?><urlset>");
    for (url, more) in pages {
        write!(body, "<url><loc>{url}</loc>{more}</url>").unwrap();
    }
    Answer::ok("application/xml", body + "</urlset>")
}

fn index(sitemaps: &[&str]) -> Answer {
    let entry = |url: &&str| format!("<sitemap><loc>{url}</loc></sitemap>");
    let entries: String = sitemaps.iter().map(entry).collect();
    Answer::ok("application/xml", format!("<sitemapindex>{entries}</sitemapindex>"))
}

/// A robots.txt that only names sitemaps.
fn robots(sitemaps: &[&str]) -> Answer {
    let lines: String = sitemaps.iter().map(|url| format!("Sitemap: {url}\n")).collect();
    Answer::ok("text/plain", lines)
}

fn gz(text: &str) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(text.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

/// The paths asked for after robots.txt, in any order.
fn asked(web: &testweb::Running, host: &str) -> Vec<String> {
    let mut paths = web.log().paths(host);
    paths.retain(|path| path != "/robots.txt");
    paths.sort();
    paths
}

#[test]
fn pages_that_only_a_sitemap_names_are_fetched() {
    let packed = "<urlset><url><loc>http://a.lookfar/packed</loc></url></urlset>";
    let list = "http://a.lookfar/plain\nhttp://a.lookfar/plain2\n";
    let site = Script::new("a.lookfar")
        .answer("/robots.txt", robots(&["/index.xml", "http://a.lookfar/list.txt"]))
        .answer("/index.xml", index(&["http://a.lookfar/one.xml", "http://a.lookfar/two.xml.gz"]))
        .answer("/one.xml", urlset(&[("http://a.lookfar/one", "")]))
        .answer("/two.xml.gz", Answer::ok("application/gzip", gz(packed)))
        .answer("/list.txt", Answer::ok("text/plain", list))
        .page("/", "<p>home")
        .page("/one", "<p>one")
        .page("/packed", "<p>packed")
        .page("/plain", "<p>plain")
        .page("/plain2", "<p>plain 2");
    let web = Web::new().site(site).start().unwrap();
    let place = Place::new();
    let snapshot = place.crawl(&["http://a.lookfar/"], options(&web, Duration::ZERO));
    let expected = [
        "/",
        "/index.xml",
        "/list.txt",
        "/one",
        "/one.xml",
        "/packed",
        "/plain",
        "/plain2",
        "/two.xml.gz",
    ];
    assert_eq!(asked(&web, "a.lookfar"), expected);
    assert_eq!(snapshot.pages, 5, "sitemaps are no pages");
    place.check();
}

#[test]
fn pages_that_only_a_feed_names_are_fetched() {
    let rss = "<rss><channel><link>/</link><item><link>http://a.lookfar/item</link></item>\
               <item><link>http://b.lookfar/elsewhere</link></item></channel></rss>";
    let atom =
        "<feed xmlns='http://www.w3.org/2005/Atom'><entry><link href='/entry'/></entry></feed>";
    let head = "<link rel=alternate type=application/rss+xml href=/rss>\
                <link rel=alternate type=application/atom+xml href=/atom>";
    let site = Script::new("a.lookfar")
        .page("/", head)
        .answer("/rss", Answer::ok("application/rss+xml", rss))
        .answer("/atom", Answer::ok("application/atom+xml", atom))
        .page("/item", "<p>item")
        .page("/entry", "<p>entry");
    let elsewhere = Script::new("b.lookfar").page("/elsewhere", "<p>elsewhere");
    let web = Web::new().site(site).site(elsewhere).start().unwrap();
    let place = Place::new();
    place.crawl(&["http://a.lookfar/"], options(&web, Duration::ZERO));
    assert_eq!(asked(&web, "a.lookfar"), ["/", "/atom", "/entry", "/item", "/rss"]);
    assert_eq!(asked(&web, "b.lookfar"), ["/elsewhere"], "a feed may name others, as a page may");
}

#[test]
fn the_well_known_sitemap_is_asked_for_when_a_host_has_shown_its_worth() {
    let site = |host: &str, pages: usize| {
        let links: String = (1..pages).map(|n| format!("<a href=/{n}>{n}</a> ")).collect();
        let listed = format!("http://{host}/listed");
        let mut site = Script::new(host)
            .page("/", &format!("<p>home of {host} {links}"))
            .answer("/sitemap.xml", urlset(&[(&listed, "")]))
            .page("/listed", &format!("<p>listed by {host}"));
        for n in 1..pages {
            site = site.page(&format!("/{n}"), &format!("<p>page {n} of {host}"));
        }
        site
    };
    let named = site("c.lookfar", 4).answer("/robots.txt", robots(&["/other.xml"]));
    let web = Web::new()
        .site(site("a.lookfar", 3))
        .site(site("b.lookfar", 2))
        .site(named)
        .start()
        .unwrap();
    let place = Place::new();
    let mut options = options(&web, Duration::ZERO);
    options.guesses = true;
    place.crawl(&["http://a.lookfar/", "http://b.lookfar/", "http://c.lookfar/"], options);
    assert_eq!(asked(&web, "a.lookfar"), ["/", "/1", "/2", "/listed", "/sitemap.xml"]);
    assert_eq!(asked(&web, "b.lookfar"), ["/", "/1"], "two pages are not enough");
    let of_c = asked(&web, "c.lookfar");
    assert!(!of_c.contains(&"/sitemap.xml".to_owned()), "its robots.txt names another: {of_c:?}");
}

#[test]
fn smp_03_50_000_entries_do_not_stall_the_crawl() {
    let listed: String = (0..50_001).fold(String::new(), |mut list, n| {
        writeln!(list, "http://a.lookfar/{n}").unwrap();
        list
    });
    let site = Script::new("a.lookfar")
        .answer("/robots.txt", robots(&["/list.txt"]))
        .answer("/list.txt", Answer::ok("text/plain", listed))
        .otherwise(Answer::html("<p>page"));
    let other = Script::new("b.lookfar").page("/", "<a href=/x>x</a>").page("/x", "<p>x");
    let web = Web::new().site(site).site(other).start().unwrap();
    let place = Place::new();
    let mut options = options(&web, Duration::ZERO);
    options.scope.pages = Some(40);
    let snapshot = place.crawl(&["http://a.lookfar/", "http://b.lookfar/"], options);
    assert_eq!(snapshot.urls, 50_000 + 4, "all of the limit is known, and nothing beyond it");
    assert_eq!(asked(&web, "b.lookfar"), ["/", "/x"]);
    let list = &place.records()["http://a.lookfar/list.txt"][0];
    assert!(list.oddities.contains(&base::Oddity::ListingCut));
    place.check();
}

#[test]
fn smp_04_indexes_lead_one_level_down_and_each_file_is_read_once() {
    let url = |path: &str| format!("http://a.lookfar{path}");
    let (top, below, deep) = (url("/index.xml"), url("/below.xml"), url("/deep.xml"));
    let site = Script::new("a.lookfar")
        .answer("/robots.txt", robots(&[&top, &top]))
        .answer("/index.xml", index(&[&top, &below, &below]))
        .answer("/below.xml", index(&[&top, &deep]))
        .answer("/deep.xml", urlset(&[(&url("/page"), "")]))
        .page("/", "<p>home");
    let web = Web::new().site(site).start().unwrap();
    let place = Place::new();
    place.crawl(&["http://a.lookfar/"], options(&web, Duration::ZERO));
    assert_eq!(asked(&web, "a.lookfar"), ["/", "/below.xml", "/index.xml"]);
}

#[test]
fn smp_06_urls_of_other_hosts_are_ignored() {
    let stolen = urlset(&[("http://b.lookfar/stolen", ""), ("http://a.lookfar/own", "")]);
    let site = Script::new("a.lookfar")
        .answer("/robots.txt", robots(&["/map.xml", "/index.xml"]))
        .answer("/map.xml", stolen)
        .answer("/index.xml", index(&["http://b.lookfar/their.xml"]))
        .page("/", "<p>home")
        .page("/own", "<p>own");
    let other = Script::new("b.lookfar").otherwise(Answer::html("<p>b"));
    let web = Web::new().site(site).site(other).start().unwrap();
    let place = Place::new();
    let snapshot = place.crawl(&["http://a.lookfar/"], options(&web, Duration::ZERO));
    assert_eq!(asked(&web, "a.lookfar"), ["/", "/index.xml", "/map.xml", "/own"]);
    assert_eq!(web.log().count("b.lookfar"), 0);
    assert_eq!(snapshot.reasons["listed-elsewhere"], 2);
}

#[test]
fn smp_06_a_list_speaks_for_hosts_whose_robots_txt_names_it() {
    let map = urlset(&[
        ("http://b.lookfar/allowed", ""),
        ("http://c.lookfar/not-allowed", ""),
        ("http://a.lookfar/own", ""),
    ]);
    let a = Script::new("a.lookfar")
        .answer("/index.xml", index(&["http://a.lookfar/map.xml"]))
        .answer("/map.xml", map)
        .page("/own", "<p>own");
    let b = Script::new("b.lookfar")
        .answer("/robots.txt", robots(&["http://a.lookfar/index.xml"]))
        .page("/", "<p>b")
        .page("/allowed", "<p>allowed");
    let c = Script::new("c.lookfar").page("/", "<p>c").page("/not-allowed", "<p>secret");
    let web = Web::new().site(a).site(b).site(c).start().unwrap();
    let place = Place::new();
    let seeds = ["http://b.lookfar/", "http://c.lookfar/"];
    let snapshot = place.crawl(&seeds, options(&web, Duration::ZERO));
    assert_eq!(asked(&web, "a.lookfar"), ["/index.xml", "/map.xml", "/own"]);
    assert_eq!(asked(&web, "b.lookfar"), ["/", "/allowed"]);
    assert_eq!(asked(&web, "c.lookfar"), ["/"]);
    assert_eq!(snapshot.reasons["listed-elsewhere"], 1);
}

#[test]
fn smp_06_a_list_is_read_again_when_another_host_turns_out_to_name_it() {
    let map = urlset(&[("http://b.lookfar/late", ""), ("http://a.lookfar/to-b", "")]);
    let a = Script::new("a.lookfar")
        .answer("/robots.txt", robots(&["/map.xml"]))
        .answer("/map.xml", map)
        .page("/", "<p>a")
        // Host b is known only after the list has been read.
        .page("/to-b", "<a href=http://b.lookfar/>b</a>");
    let b = Script::new("b.lookfar")
        .answer("/robots.txt", robots(&["http://a.lookfar/map.xml"]))
        .page("/", "<p>b")
        .page("/late", "<p>late");
    let web = Web::new().site(a).site(b).start().unwrap();
    let place = Place::new();
    place.crawl(&["http://a.lookfar/"], options(&web, Duration::ZERO));
    assert_eq!(asked(&web, "a.lookfar"), ["/", "/map.xml", "/map.xml", "/to-b"]);
    assert_eq!(asked(&web, "b.lookfar"), ["/", "/late"]);
    place.check();
}

#[test]
fn smp_06_a_list_behind_a_redirect_speaks_for_the_host_that_sends_there() {
    let map = urlset(&[("http://a.lookfar/page", ""), ("http://c.lookfar/no", "")]);
    let a = Script::new("a.lookfar")
        .answer("/robots.txt", robots(&["/map.xml"]))
        .answer("/map.xml", Answer::redirect(301, "http://b.lookfar/kept.xml"))
        .page("/", "<p>a")
        .page("/page", "<p>page");
    let b = Script::new("b.lookfar").answer("/kept.xml", map);
    let c = Script::new("c.lookfar").otherwise(Answer::html("<p>c"));
    let web = Web::new().site(a).site(b).site(c).start().unwrap();
    let place = Place::new();
    place.crawl(&["http://a.lookfar/"], options(&web, Duration::ZERO));
    assert_eq!(asked(&web, "a.lookfar"), ["/", "/map.xml", "/page"]);
    assert_eq!(web.log().count("c.lookfar"), 0);
}

/// Crawls a site whose sitemap says these things of its pages; returns them in order of fetching.
fn order_of(pages: &[(&str, &str)]) -> Vec<String> {
    let urls: Vec<String> =
        pages.iter().map(|(path, _)| format!("http://a.lookfar{path}")).collect();
    let said: Vec<(&str, &str)> =
        urls.iter().zip(pages).map(|(url, (_, more))| (url.as_str(), *more)).collect();
    let mut site = Script::new("a.lookfar")
        .answer("/robots.txt", robots(&["/map.xml"]))
        .answer("/map.xml", urlset(&said))
        .page("/", "<p>home");
    for (path, _) in pages {
        site = site.page(path, path);
    }
    let web = Web::new().site(site).start().unwrap();
    let mut options = options(&web, Duration::ZERO);
    options.concurrency = 1;
    Place::new().crawl(&["http://a.lookfar/"], options);
    let mut paths = web.log().paths("a.lookfar");
    paths.retain(|path| pages.iter().any(|(page, _)| page == path));
    paths
}

/// `lastmod` of a day before now.
fn modified(days_ago: u64) -> String {
    let at = Timestamp::from(SystemTime::now() - Duration::from_secs(days_ago * 24 * 3600));
    format!("<lastmod>{}</lastmod>", at.to_string().split('T').next().unwrap())
}

#[test]
fn what_a_sitemap_holds_for_important_or_fresh_is_fetched_first() {
    let (old, fresh) = (modified(400), modified(2));
    let pages = [
        ("/least", "<priority>0.0</priority>"),
        ("/usual", &old),
        ("/most", "<priority>1.0</priority>"),
        ("/fresh", &fresh),
        ("/unsaid", ""),
    ];
    assert_eq!(order_of(&pages), ["/most", "/fresh", "/usual", "/unsaid", "/least"]);
}

#[test]
fn smp_07_a_list_that_says_now_of_everything_and_odd_priorities_say_nothing() {
    let now = modified(0);
    let odd = "<priority>99</priority><lastmod>9999-01-01</lastmod>";
    let pages = [
        ("/1", now.as_str()),
        ("/2", odd),
        ("/3", &now),
        ("/4", "<priority>0.5</priority>"),
        ("/5", &now),
    ];
    assert_eq!(order_of(&pages), ["/1", "/2", "/3", "/4", "/5"]);
}

#[test]
fn smp_12_at_most_100_sitemaps_of_a_host_are_read() {
    let many = |from: usize| -> Vec<String> {
        (from..from + 80).map(|n| format!("http://a.lookfar/map{n}.xml")).collect()
    };
    let (named, listed) = (many(0), many(80));
    let named: Vec<&str> = named.iter().map(String::as_str).collect();
    let listed: Vec<&str> = listed.iter().map(String::as_str).collect();
    let site = Script::new("a.lookfar")
        .answer("/robots.txt", robots(&named))
        .answer("/map0.xml", index(&listed))
        .page("/", "<p>home")
        .otherwise(urlset(&[]));
    let web = Web::new().site(site).start().unwrap();
    let place = Place::new();
    let snapshot = place.crawl(&["http://a.lookfar/"], options(&web, Duration::ZERO));
    assert_eq!(web.log().under("a.lookfar", "/map").len(), 100);
    assert!(snapshot.reasons["too-many-sitemaps"] > 0);
}

#[test]
fn smp_12_a_stranger_does_not_use_up_what_a_host_may_name() {
    let bogus: Vec<String> = (0..120).map(|n| format!("http://a.lookfar/bogus{n}.xml")).collect();
    let bogus: Vec<&str> = bogus.iter().map(String::as_str).collect();
    let stranger = Script::new("b.lookfar")
        .answer("/robots.txt", robots(&bogus))
        .page("/", "<a href=http://a.lookfar/>a</a>");
    let site = Script::new("a.lookfar")
        .answer("/robots.txt", robots(&["/map.xml"]))
        .answer("/map.xml", urlset(&[("http://a.lookfar/page", "")]))
        .page("/", "<p>a")
        .page("/page", "<p>page");
    let web = Web::new().site(stranger).site(site).start().unwrap();
    let place = Place::new();
    place.crawl(&["http://b.lookfar/"], options(&web, Duration::ZERO));
    assert_eq!(web.log().under("a.lookfar", "/page").len(), 1);
    assert!(web.log().under("a.lookfar", "/bogus").len() <= 100);
}

#[test]
fn rob_14_only_web_addresses_are_taken_for_sitemaps() {
    let odd = [
        "javascript:alert(1)",
        "ftp://a.lookfar/ftp.xml",
        "file:///etc/passwd",
        "data:text/plain,http://a.lookfar/data",
        "mailto:me@a.lookfar",
        "../relative.xml",
        "//b.lookfar/elsewhere.xml",
    ];
    let site = Script::new("a.lookfar").answer("/robots.txt", robots(&odd)).page("/", "<p>home");
    let other = Script::new("b.lookfar").otherwise(urlset(&[("http://b.lookfar/listed", "")]));
    let web = Web::new().site(site).site(other).start().unwrap();
    let place = Place::new();
    let snapshot = place.crawl(&["http://a.lookfar/"], options(&web, Duration::ZERO));
    assert_eq!(asked(&web, "a.lookfar"), ["/", "/relative.xml"]);
    // A list on another host is read, and lists pages of its own.
    assert_eq!(asked(&web, "b.lookfar"), ["/elsewhere.xml", "/listed"]);
    assert_eq!((snapshot.urls, snapshot.queue), (4, 0));
}

#[test]
fn a_sitemap_behind_more_than_five_redirects_is_not_read() {
    let mut site = Script::new("a.lookfar")
        .answer("/robots.txt", robots(&["/five/0.xml", "/six/0.xml"]))
        .page("/", "<p>home")
        .otherwise(Answer::html("<p>listed"));
    for (name, hops) in [("five", 5), ("six", 6)] {
        for hop in 0..hops {
            let next = Answer::redirect(301, &format!("/{name}/{}.xml", hop + 1));
            site = site.answer(&format!("/{name}/{hop}.xml"), next);
        }
        let list = urlset(&[(&format!("http://a.lookfar/{name}"), "")]);
        site = site.answer(&format!("/{name}/{hops}.xml"), list);
    }
    let web = Web::new().site(site).start().unwrap();
    let place = Place::new();
    let snapshot = place.crawl(&["http://a.lookfar/"], options(&web, Duration::ZERO));
    let asked = asked(&web, "a.lookfar");
    assert!(asked.contains(&"/five".to_owned()), "{asked:?}");
    assert!(!asked.contains(&"/six/6.xml".to_owned()), "{asked:?}");
    assert_eq!(snapshot.reasons["redirect-chain"], 1);
}
