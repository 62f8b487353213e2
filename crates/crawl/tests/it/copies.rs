//! Pages that repeat others: by content, by `rel=canonical`, by host (C13).

use std::time::Duration;

use base::PageRecord;
use testweb::{Answer, Running, Script, Web};

use crate::help::{Place, options};

/// A text that is long enough to be compared, and different for each word.
fn text(word: &str) -> String {
    format!(
        "<p>{word} is a text of some length, which no two pages would share by chance. It speaks \
         of {word} and of nothing else, until it has said all there is to say of {word}.</p>"
    )
}

fn canonical(to: &str, body: &str) -> String {
    format!("<html><head><link rel=canonical href=\"{to}\"></head><body>{body}</body></html>")
}

fn links(to: &[&str]) -> String {
    to.iter().map(|to| format!("<a href=\"{to}\">more</a> ")).collect()
}

/// What a crawl of one page at a time left in the page log.
struct Crawled {
    place: Place,
    web: Running,
}

fn crawl(web: Web, seeds: &[&str]) -> Crawled {
    let web = web.start().unwrap();
    let place = Place::new();
    let mut options = options(&web, Duration::ZERO);
    options.concurrency = 1;
    options.strategy = crawl::Strategy::BreadthFirst;
    place.crawl(seeds, options);
    place.check();
    Crawled { place, web }
}

impl Crawled {
    /// The last word on a page.
    fn last(&self, url: &str) -> PageRecord {
        self.place.records()[url].last().unwrap().clone()
    }

    /// The URL of the page that a page is said to repeat.
    fn original(&self, url: &str) -> Option<String> {
        let copy_of = self.last(url).copy_of?;
        let records = self.place.records();
        let found = records.values().flatten().find(|record| record.id == copy_of);
        Some(found.unwrap().url.to_string())
    }

    #[track_caller]
    fn check(&self, url: &str, original: Option<&str>) {
        assert_eq!(self.original(url).as_deref(), original, "{url}");
    }

    fn num_records(&self, url: &str) -> usize {
        self.place.records()[url].len()
    }
}

#[test]
fn equal_texts_are_copies_of_the_first_wherever_they_lie() {
    let home = links(&["/1", "/2", "http://b.lookfar/3", "/short1", "/short2"]);
    let a = Script::new("a.lookfar")
        .page("/", &home)
        .page("/1", &format!("<h1>News</h1>{}", text("Salt")))
        .page("/2", &format!("<div><h1>News</h1></div>{}<script>9</script>", text("Salt")))
        .page("/short1", "<p>Not found")
        .page("/short2", "<p>Not found");
    let b = Script::new("b.lookfar").page("/3", &format!("<h1>News</h1>{}", text("Salt")));
    let crawled = crawl(Web::new().site(a).site(b), &["http://a.lookfar/"]);
    crawled.check("http://a.lookfar/1", None);
    crawled.check("http://a.lookfar/2", Some("http://a.lookfar/1"));
    crawled.check("http://b.lookfar/3", Some("http://a.lookfar/1"));
    crawled.check("http://a.lookfar/short2", None);
}

#[test]
fn links_of_a_copy_that_are_its_own_are_followed() {
    let page = |next: &str| format!("{} {}", text("Pepper"), links(&[next]));
    let a = Script::new("a.lookfar")
        .page("/", &links(&["/1", "/2", "http://b.lookfar/3"]))
        .page("/1", &page("/from-1"))
        .page("/2", &page("/from-2"))
        .page("/from-1", "<p>1")
        .page("/from-2", "<p>2");
    let b = Script::new("b.lookfar").page("/3", &page("/from-3")).page("/from-3", "<p>3");
    let crawled = crawl(Web::new().site(a).site(b), &["http://a.lookfar/"]);
    let log = crawled.web.log();
    assert_eq!(log.paths("a.lookfar"), ["/robots.txt", "/", "/1", "/2", "/from-1", "/from-2"]);
    assert_eq!(log.paths("b.lookfar"), ["/robots.txt", "/3", "/from-3"]);
}

#[test]
fn a_canonical_page_of_the_same_site_that_is_known_makes_a_copy_at_once() {
    let site = Script::new("a.lookfar")
        .page("/", &links(&["/real", "/print"]))
        .page("/real", &text("Ginger"))
        .page("/print", &canonical("/real", &text("Print version")));
    let crawled = crawl(Web::new().site(site), &["http://a.lookfar/"]);
    crawled.check("http://a.lookfar/print", Some("http://a.lookfar/real"));
    crawled.check("http://a.lookfar/real", None);
    assert_eq!(crawled.num_records("http://a.lookfar/print"), 1);
}

#[test]
fn a_canonical_page_that_comes_later_makes_the_copy_be_said_anew() {
    let site = Script::new("a.lookfar")
        .page("/", &links(&["/print", "/real"]))
        .page("/print", &canonical("http://www.a.lookfar/real", &text("Print version")));
    let www = Script::new("www.a.lookfar").page("/real", &text("Ginger"));
    let crawled = crawl(Web::new().site(site).site(www), &["http://a.lookfar/"]);
    crawled.check("http://a.lookfar/print", Some("http://www.a.lookfar/real"));
    crawled.check("http://www.a.lookfar/real", None);
    let records = crawled.place.records();
    let [first, anew] = &records["http://a.lookfar/print"][..] else {
        panic!("said twice: {:?}", records["http://a.lookfar/print"])
    };
    assert_eq!((first.copy_of, first.capture), (None, anew.capture), "fetched once");
    assert!(!first.blocks.is_empty() && anew.blocks.is_empty(), "the new word has no text");
    assert_eq!(crawled.web.log().under("a.lookfar", "/print").len(), 1);
}

#[test]
fn http_24_across_sites_a_canonical_counts_only_when_the_texts_agree() {
    let by_header = |body: &str| {
        let value = "<http://b.lookfar/real>; rel=\"canonical\"";
        Answer::html(body).with_header("Link", value)
    };
    let a = Script::new("a.lookfar")
        .page("/", &links(&["/same", "/other"]))
        .answer("/same", by_header(&text("Clove")))
        .answer("/other", by_header(&text("Nutmeg")));
    let b = Script::new("b.lookfar").page("/real", &text("Clove"));
    let crawled = crawl(Web::new().site(a).site(b), &["http://a.lookfar/"]);
    crawled.check("http://a.lookfar/same", Some("http://b.lookfar/real"));
    crawled.check("http://a.lookfar/other", None);
    crawled.check("http://b.lookfar/real", None);
}

#[test]
fn http_24_a_stranger_moves_nobodys_page_but_his_own() {
    let thief = Script::new("thief.lookfar")
        .page("/", &links(&["/steals", "http://victim.lookfar/"]))
        .page("/steals", &canonical("http://victim.lookfar/page", &text("Saffron")));
    let victim = Script::new("victim.lookfar")
        .page("/", &links(&["/page", "/other"]))
        .page("/page", &text("Cardamom"))
        .page("/other", &canonical("http://thief.lookfar/steals", &text("Vanilla")));
    let crawled = crawl(Web::new().site(thief).site(victim), &["http://thief.lookfar/"]);
    for url in ["http://victim.lookfar/page", "http://victim.lookfar/other"] {
        crawled.check(url, None);
        assert!(!crawled.last(url).blocks.is_empty());
    }
    crawled.check("http://thief.lookfar/steals", None);
}

#[test]
fn htm_14_canonicals_that_contradict_each_other_are_ignored() {
    let two = "<head><link rel=canonical href=/x><link rel=canonical href=/y></head>";
    let site = Script::new("a.lookfar")
        .page("/", &links(&["/x", "/y", "/both", "/fragment"]))
        .page("/x", &text("Anise"))
        .page("/y", &text("Basil"))
        .page("/both", &format!("<html>{two}<body>{}</body></html>", text("Thyme")))
        .page("/fragment", &canonical("/fragment#top", &text("Cumin")));
    let crawled = crawl(Web::new().site(site), &["http://a.lookfar/"]);
    for path in ["x", "y", "both", "fragment"] {
        crawled.check(&format!("http://a.lookfar/{path}"), None);
    }
}

#[test]
fn htm_14_canonicals_in_a_circle_or_to_nowhere_leave_one_page_standing() {
    let site = Script::new("a.lookfar")
        .page("/", &links(&["/a", "/b", "/gone", "/hidden", "/moved"]))
        .page("/a", &canonical("/b", &text("Anise")))
        .page("/b", &canonical("/a", &text("Basil")))
        .page("/gone", &canonical("/404", &text("Thyme")))
        .page("/hidden", &canonical("/private", &text("Sage")))
        .page("/moved", &canonical("/old", &text("Mint")))
        .answer("/old", Answer::redirect(301, "/moved"))
        .answer("/robots.txt", Answer::ok("text/plain", "User-agent: *\nDisallow: /private\n"));
    let crawled = crawl(Web::new().site(site), &["http://a.lookfar/"]);
    crawled.check("http://a.lookfar/a", None);
    crawled.check("http://a.lookfar/b", Some("http://a.lookfar/a"));
    for path in ["gone", "hidden", "moved"] {
        crawled.check(&format!("http://a.lookfar/{path}"), None);
    }
}

#[test]
fn of_pages_that_repeat_each_other_one_always_stands() {
    // The same text under four addresses, which name each other in all ways at once.
    let site = Script::new("a.lookfar")
        .page("/", &links(&["/1", "/2", "/3", "/4"]))
        .page("/1", &canonical("/4", &text("Anise")))
        .page("/2", &text("Anise"))
        .page("/3", &canonical("/2", &text("Anise")))
        .page("/4", &text("Anise"));
    let crawled = crawl(Web::new().site(site), &["http://a.lookfar/"]);
    let urls = ["1", "2", "3", "4"].map(|path| format!("http://a.lookfar/{path}"));
    let standing: Vec<&String> =
        urls.iter().filter(|url| crawled.last(url).copy_of.is_none()).collect();
    // Which one depends on which of them was read first.
    assert_eq!(standing.len(), 1, "{standing:?}");
    // Whoever follows the copies comes to the one that stands.
    for url in &urls {
        let mut at = url.clone();
        for _ in 0..4 {
            at = crawled.original(&at).unwrap_or(at);
        }
        assert_eq!(at, *standing[0], "from {url}");
    }
}

#[test]
fn lnk_10_a_host_that_repeats_another_is_read_less_and_less() {
    let page = |n: usize, next: &str| format!("{} {}", text(&format!("Word {n}")), links(&[next]));
    let all: Vec<String> = (0..28).map(|n| format!("/{n}")).collect();
    let all: Vec<&str> = all.iter().map(String::as_str).collect();
    let mut a = Script::new("a.lookfar").page("/", &links(&all));
    let mut mirror = Script::new("mirror.lookfar");
    for (n, path) in all.iter().enumerate() {
        // The mirror is met last, and then each of its pages leads to the next.
        a = a.page(path, &page(n, if n == 27 { "http://mirror.lookfar/0" } else { "/" }));
        mirror = mirror.page(path, &page(n, &format!("/{}", n + 1)));
    }
    let crawled = crawl(Web::new().site(a).site(mirror), &["http://a.lookfar/"]);
    assert_eq!(crawled.web.log().under("a.lookfar", "/").len(), 1 + 1 + 28);
    let asked = crawled.web.log().under("mirror.lookfar", "/").len();
    assert!((4..=14).contains(&asked), "{asked} requests to a mirror of 28 pages");
    crawled.check("http://mirror.lookfar/3", Some("http://a.lookfar/3"));
}
