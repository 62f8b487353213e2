//! The rules of canonical addresses, from the options to what is asked for (C9).

use std::collections::BTreeSet;
use std::time::Duration;

use base::Rules;
use crawl::{Crawler, Fate, Handle, Target};
use testweb::{Answer, Script, Web};

use crate::help::{Place, options};

/// Crawls a site that names pages in every way there is; returns what was asked for.
fn asked_under(rules: Rules) -> BTreeSet<String> {
    let feed = "<rss><channel><item><link>http://a.lookfar/feed?utm_source=x</link></item>\
                </channel></rss>";
    let sitemap = "<urlset><url><loc>http://a.lookfar/listed/index.html</loc></url></urlset>";
    let lines = "http://a.lookfar/line?gclid=1\n";
    let robots = "Sitemap: http://a.lookfar/map.xml?utm_source=x\n\
                  Sitemap: http://a.lookfar/map.txt\n";
    let front = "<base href=/deep//index.html><a href='/linked?PHPSESSID=0123456789abcdef'>1</a> \
                 <a href='below?b=1&a=2'>2</a> <a href=/to>3</a> <a href=/feed.rss>4</a>";
    let site = Script::new("a.lookfar")
        .answer("/robots.txt", Answer::ok("text/plain", robots))
        .answer("/", Answer::html(front).with_header("Link", "</next/index.html>; rel=next"))
        .answer("/to", Answer::redirect(302, "/moved?a=&&utm_medium=y"))
        .answer("/feed.rss", Answer::ok("application/rss+xml", feed))
        .answer("/map.xml", Answer::ok("text/xml", sitemap))
        .answer("/map.xml?utm_source=x", Answer::ok("text/xml", sitemap))
        .answer("/map.txt", Answer::ok("text/plain", lines))
        .otherwise(Answer::html("<p>end"));
    let web = Web::new().site(site).start().unwrap();
    let mut options = options(&web, Duration::ZERO);
    options.url_rules = rules;
    let place = Place::new();
    place.crawl(&["http://a.lookfar/"], options);
    place.check();
    web.log().paths("a.lookfar").into_iter().collect()
}

fn check(rules: Rules, expected: [&str; 8]) {
    let always = ["/", "/robots.txt", "/to", "/feed.rss", "/map.txt"];
    let expected: BTreeSet<String> =
        expected.iter().chain(&always).map(|path| (*path).to_owned()).collect();
    assert_eq!(asked_under(rules), expected);
}

#[test]
fn every_way_to_name_a_page_goes_through_the_rules() {
    check(
        Rules::default(),
        [
            "/linked",
            "/deep/below?b=1&a=2",
            "/next/",
            "/moved?a=",
            "/feed",
            "/listed/",
            "/line",
            "/map.xml",
        ],
    );
}

#[test]
fn rules_that_are_switched_off_leave_addresses_alone() {
    check(
        Rules::NONE,
        [
            "/linked?PHPSESSID=0123456789abcdef",
            "/deep//below?b=1&a=2",
            "/next/index.html",
            "/moved?a=&&utm_medium=y",
            "/feed?utm_source=x",
            "/listed/index.html",
            "/line?gclid=1",
            "/map.xml?utm_source=x",
        ],
    );
}

#[test]
fn rules_that_are_switched_on_change_more() {
    let rules = Rules { sort_parameters: true, drop_empty_values: true, ..Rules::default() };
    check(
        rules,
        [
            "/linked",
            "/deep/below?a=2&b=1",
            "/next/",
            "/moved?a",
            "/feed",
            "/listed/",
            "/line",
            "/map.xml",
        ],
    );
}

#[test]
fn what_is_asked_and_forgotten_goes_through_the_rules() {
    let web = Web::new().site(Script::new("a.lookfar").otherwise(Answer::html("<p>end")));
    let web = web.start().unwrap();
    let name = "http://a.lookfar/x/index.html";
    let links = [name, "http://a.lookfar/x/"];
    for (rules, kept) in [(Rules::NONE, 1), (Rules::default(), 0)] {
        let with_rules = || {
            let mut options = options(&web, Duration::ZERO);
            options.url_rules = rules;
            options
        };
        let place = Place::new();
        let seeds = links.map(|link| base::Url::parse_with(link, rules).unwrap().to_string());
        let crawler = Crawler::open(&place.collection, with_rules()).unwrap();
        let urls = seeds.iter().map(|seed| base::Url::parse_with(seed, rules).unwrap());
        crawler.add_seeds(&urls.collect::<Vec<_>>()).unwrap();
        drop(crawler);
        place.crawl(&[], with_rules());
        let why = |url: &str| {
            let handle = Handle::open(&place.collection, &with_rules()).unwrap();
            handle.why(url).unwrap()
        };
        assert!(matches!(why(name).standing, Fate::Fetched { .. }));
        let mut crawler = Crawler::open(&place.collection, with_rules()).unwrap();
        crawler.forget(&name.parse::<Target>().unwrap(), &mut |_| ()).unwrap();
        drop(crawler);
        assert_eq!(why(name).standing, Fate::Forgotten);
        assert!(why(name).blocked.is_some());
        let left = place.records().values().filter(|records| !records[0].is_forgotten()).count();
        assert_eq!(left, kept, "{rules:?}");
        place.check();
    }
}

/// Pages in a row, each of which names the next one by all these beginnings of its address.
fn chain(host: &str, names: &[&str]) -> Script {
    let mut site = Script::new(host);
    for n in 0..CHAIN {
        let next: String =
            names.iter().map(|name| format!("<a href={name}/p/{}>on</a> ", n + 1)).collect();
        let text: String = (0..60).map(|word| letters(n * 60 + word) + " ").collect();
        site = site.page(&format!("/p/{n}"), &format!("<p>Chapter {n}. {text} {next}"));
    }
    site
}

const CHAIN: usize = 16;

/// Returns a word of its own for each number.
pub(crate) fn letters(number: usize) -> String {
    let digits = [number / 676, number / 26 % 26, number % 26];
    digits.map(|digit| char::from(b'a' + digit as u8)).into_iter().chain("ness".chars()).collect()
}

/// Returns how often pages of the chain were asked for under a host.
fn asked_in_chain(web: Web, host: &str, learn_spellings: bool) -> usize {
    let web = web.start().unwrap();
    let mut options = options(&web, Duration::ZERO);
    options.learn_spellings = learn_spellings;
    Place::new().crawl(&["http://a.lookfar/p/0"], options);
    let chain = web.log().paths("a.lookfar").into_iter().collect::<BTreeSet<_>>();
    assert!(chain.contains(&format!("/p/{}", CHAIN - 1)), "the chain was left: {chain:?}");
    web.log().under(host, "/p/").len()
}

#[test]
fn that_www_is_the_same_host_is_learnt_from_redirects_unless_switched_off() {
    let web = || {
        let mut www = Script::new("www.a.lookfar");
        for n in 0..=CHAIN {
            let to = format!("http://a.lookfar/p/{n}");
            www = www.answer(&format!("/p/{n}"), Answer::redirect(301, &to));
        }
        Web::new().site(www).site(chain("a.lookfar", &["http://www.a.lookfar"]))
    };
    let on = asked_in_chain(web(), "www.a.lookfar", true);
    assert!((3..=5).contains(&on), "{on} requests to www");
    assert_eq!(asked_in_chain(web(), "www.a.lookfar", false), CHAIN);
}

#[test]
fn that_https_is_the_same_site_is_learnt_from_copies_unless_switched_off() {
    let web = || {
        let names = ["http://a.lookfar", "https://a.lookfar"];
        Web::new().with_tls().site(chain("a.lookfar", &names))
    };
    // The first page is a seed by one name; the last names one that is not there.
    let all = 2 * CHAIN + 1;
    let on = asked_in_chain(web(), "a.lookfar", true);
    assert!(on <= CHAIN + 8, "{on} requests, where {all} are made of two spellings");
    assert_eq!(asked_in_chain(web(), "a.lookfar", false), all);
}
