//! What people see of many answers: near copies folded, sites mixed, pages known by hearsay.

use base::{About, Capture, DateSource, Dated, PageRecord, RobotsFlags, Sketch, Timestamp, Url};
use rank::{Grouping, Hit, Lookup, Request, Searcher};

use crate::web::{Web, hosts, link, page};

/// Returns a sketch; pages of one family share all but `changed` of its numbers.
fn sketch(family: u32, changed: usize, own: u32) -> Sketch {
    let hash = |seed: u32, place: usize| {
        let mixed = (seed ^ (place as u32) << 16).wrapping_mul(0x9E37_79B9);
        (mixed ^ mixed >> 15).wrapping_mul(0x85EB_CA6B) >> 7
    };
    let number = |place| if place < changed { hash(own, place) } else { hash(family, place) };
    Sketch((0..84).map(number).collect())
}

fn folded(query: &str, offset: usize, count: usize) -> Request<'_> {
    Request { offset, count, grouping: Grouping::Folded, ..Request::new(query) }
}

fn urls(hits: &[Hit]) -> Vec<String> {
    hits.iter().map(|hit| hit.url.to_string()).collect()
}

#[test]
fn near_copies_are_one_answer_that_can_be_unfolded() {
    let mut web = Web::new();
    for (number, (family, changed)) in [(1, 0), (1, 8), (2, 0), (1, 60), (2, 4)].iter().enumerate()
    {
        let number = number as u32;
        let mut record = page(&format!("http://s{number}.example/"), "jaguar by the river");
        record.sketch = sketch(*family, *changed, 100 + number);
        web.push(&record);
    }
    web.index();
    let searcher = web.searcher();
    let results = searcher.search(&folded("jaguar", 0, 10)).unwrap();
    // The fourth shares too little of its text with the first.
    assert_eq!(hosts(&results), ["s0", "s2", "s3"]);
    assert_eq!(results.hits.iter().map(|hit| hit.similar).collect::<Vec<_>>(), [1, 1, 0]);
    assert_eq!((results.total.count, results.listed), (5, Some(3)));
    let plain = searcher.search(&Request::new("jaguar")).unwrap();
    assert_eq!((plain.hits.len(), plain.listed), (5, Some(5)));
}

#[test]
fn the_first_page_is_not_one_sites_alone_and_paging_loses_nothing() {
    let mut web = Web::new();
    for number in 0..60 {
        let site = if number % 3 == 0 { number % 7 } else { 100 };
        let text = format!("{}cat", "jaguar ".repeat(60 - number));
        web.push(&page(&format!("http://s{site}.example/{number}"), &text));
    }
    web.index();
    let searcher = web.searcher();
    for size in [10, 20] {
        let mut seen = Vec::new();
        for offset in (0..70).step_by(size) {
            let results = searcher.search(&folded("jaguar", offset, size)).unwrap();
            if offset == 0 {
                let many = hosts(&results).iter().filter(|host| *host == "s100").count();
                // Of seven others there are two each.
                assert_eq!(many, if size == 10 { 2 } else { 6 });
                let held_back = results.hits.iter().filter(|hit| hit.held_back > 0).count();
                assert!(held_back > 0);
            }
            seen.extend(urls(&results.hits));
        }
        assert_eq!(seen.len(), 60);
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), 60, "nothing twice");
    }
}

/// Pages of two people on one host, and of strangers.
fn people() -> Web {
    let mut web = Web::new();
    for number in 0..24 {
        let (address, times) = match number % 4 {
            0 => (format!("http://cs.uni.example/~ann/{number}"), 9),
            1 => (format!("http://cs.uni.example/~bob/{number}"), 8),
            2 => (format!("http://s{number}.example/"), 3),
            _ => (format!("http://h{number}.farm.example/"), 7),
        };
        let words = "jaguar ".repeat(times) + &"cat ".repeat(10 - times);
        web.push(&page(&address, &words));
    }
    web.index();
    web
}

fn first_page(web: &Web) -> Vec<Hit> {
    web.searcher().search(&folded("jaguar", 0, 10)).unwrap().hits
}

#[test]
fn people_on_one_host_have_two_places_each_and_many_hosts_of_a_domain_four() {
    let web = people();
    let count = |hits: &[Hit], part: &str| {
        hits.iter().filter(|hit| hit.url.as_str().contains(part)).count()
    };
    let before = first_page(&web);
    assert_eq!((count(&before, "uni."), count(&before, "farm.")), (2, 2), "by domain");
    let site_of = |hits: &[Hit], part: &str| {
        hits.iter().find(|hit| hit.url.as_str().contains(part)).unwrap().site.clone()
    };
    assert_eq!(site_of(&before, "/~"), "uni.example");
    web.analyse();
    let hits = first_page(&web);
    assert_eq!((count(&hits, "~ann"), count(&hits, "~bob"), count(&hits, "farm.")), (2, 2, 4));
    let ann = site_of(&hits, "~ann");
    assert_eq!(ann, "cs.uni.example/~ann/");
    // The others of a person's pages are told of, and are found by what the site is called.
    let held_back: Vec<u32> = hits.iter().map(|hit| hit.held_back).filter(|n| *n > 0).collect();
    assert_eq!(held_back.iter().filter(|count| **count == 4).count(), 2, "{held_back:?}");
    let more = web.search(&format!("jaguar site:{ann}"));
    assert_eq!((more.total.count, count(&more.hits, "~ann")), (6, 6));
    // A generation without sites goes by domains.
    let generation = web.collection.generation().unwrap().unwrap();
    std::fs::remove_file(web.collection.graph(generation).join("sites")).unwrap();
    assert_eq!(urls(&first_page(&web)), urls(&before));
}

#[test]
fn paging_beyond_the_first_candidates_goes_on_where_it_was() {
    let mut web = Web::new();
    for number in 0..620 {
        let site = number % 40;
        let words = "jaguar ".repeat(1 + number % 9) + &"filler ".repeat(number % 50);
        let mut record = page(&format!("http://s{site}.example/{number}"), &words);
        record.title = if number % 11 == 0 { "Jaguar".to_owned() } else { String::new() };
        if number % 4 == 0 {
            record.sketch = sketch(number as u32 % 60, 0, 0);
        }
        web.push(&record);
    }
    web.index();
    let searcher = web.searcher();
    for grouping in [Grouping::Plain, Grouping::Folded] {
        let mut seen = Vec::new();
        for offset in (0..1_000).step_by(100) {
            let request = Request { offset, count: 100, grouping, ..Request::new("jaguar") };
            seen.extend(urls(&searcher.search(&request).unwrap().hits));
        }
        let request = Request { count: 1_000, grouping, ..Request::new("jaguar") };
        let whole = searcher.search(&request).unwrap();
        assert_eq!(urls(&whole.hits), seen, "one list, however it is cut");
        let folded: usize = whole.hits.iter().map(|hit| hit.similar as usize).sum();
        assert_eq!(seen.len() + folded, 620, "nothing lost");
        seen.sort_unstable();
        let count = seen.len();
        seen.dedup();
        assert_eq!(seen.len(), count, "nothing twice");
    }
}

fn linking(host: &str, target: &str, anchor: &str) -> PageRecord {
    let mut record = page(&format!("http://{host}.example/"), "A list of makers.");
    record.links.push(link(target, anchor));
    record
}

#[test]
fn a_page_that_was_never_fetched_is_an_answer_if_several_sites_describe_it() {
    let mut web = Web::new();
    let target = "http://glimmer.example/private";
    for number in 0..3 {
        web.push(&linking(&format!("one{number}"), target, "Glimmerworks lamps"));
    }
    web.push(&linking("alone", "http://lonely.example/", "Glimmerworks outlet"));
    let mut own = page("http://self.example/a", "nothing");
    own.links.push(link("http://self.example/b", "Glimmerworks by myself"));
    web.push(&own);
    web.index();
    web.analyse();
    let results = web.search("glimmerworks");
    assert_eq!(hosts(&results), ["glimmer"]);
    let hit = &results.hits[0];
    assert_eq!((hit.page, hit.described_by, hit.has_copy), (None, Some(3), false));
    assert_eq!((hit.title.as_str(), hit.snippet.text().as_str()), ("Glimmerworks lamps", ""));
    assert!(hit.fetched.is_none() && hit.score > 0.0);
    assert_eq!(results.total.count, 1);
    assert_eq!(web.found("\"glimmerworks lamps\""), ["glimmer"]);
    assert_eq!(web.found("glimmerworks -lamps"), Vec::<String>::new());
    assert_eq!(web.found("glimmerworks AND zebra"), Vec::<String>::new());
    // Its address says where it is, and nothing else of what filters ask for.
    for filter in [
        "site:glimmer.example",
        "site:glimmer.example/private",
        "host:glimmer.example",
        "-site:other.example",
        "(site:other.example OR site:example)",
        "cache:http://glimmer.example/private",
    ] {
        assert_eq!(web.found(&format!("glimmerworks {filter}")), ["glimmer"], "{filter}");
    }
    for filter in [
        "site:mer.example",
        "site:glimmer.example/other",
        "host:www.glimmer.example",
        "-site:glimmer.example",
        "lang:en",
        "-lang:en",
        "filetype:html",
        "before:2030",
        "inurl:private",
    ] {
        assert!(web.found(&format!("glimmerworks {filter}")).is_empty(), "{filter}");
    }
    // Once it is fetched, its own words count, beside those of the links that are known so far.
    web.push(&page(target, "Something else"));
    web.index();
    let check = |web: &Web, query: &str| {
        let results = web.search(query);
        assert_eq!(hosts(&results), ["glimmer"], "{query}");
        assert!(results.hits[0].page.is_some() && results.hits[0].described_by.is_none());
    };
    check(&web, "glimmerworks");
    check(&web, "glimmerworks something");
    web.analyse();
    check(&web, "glimmerworks");
}

#[test]
fn an_address_says_what_type_and_country_a_page_is_of() {
    let mut web = Web::new();
    let targets = ["http://lamps.dk/manual.pdf", "http://x.example/manual", "http://y.tv/a.htm"];
    for number in 0..3 {
        let mut record = page(&format!("http://one{number}.example/"), "A list of makers.");
        record.links.extend(targets.map(|target| link(target, "Glimmerworks manual")));
        web.push(&record);
    }
    web.index();
    web.analyse();
    assert_eq!(web.found_sorted("manual"), ["lamps.dk", "x", "y.tv"]);
    for (filter, expected) in [
        ("filetype:pdf", &["lamps.dk"][..]),
        ("filetype:html", &["y.tv"]),
        ("country:dk", &["lamps.dk"]),
        ("country:dk filetype:pdf", &["lamps.dk"]),
        ("(filetype:html OR country:dk)", &["lamps.dk", "y.tv"]),
        // One answer is enough where others are not known.
        ("(lang:da OR filetype:pdf)", &["lamps.dk"]),
        ("(lang:da OR site:x.example)", &["x"]),
        // What it is not, an address does not tell: pages of a country are under every name.
        ("-filetype:pdf", &[]),
        ("-country:dk", &[]),
        ("country:tv", &[]),
        ("country:dk lang:da", &[]),
        ("country:dk -lang:da", &[]),
    ] {
        assert_eq!(web.found_sorted(&format!("manual {filter}")), expected, "{filter}");
    }
}

#[test]
fn a_page_that_was_fetched_since_the_links_were_read_is_listed_once() {
    let mut web = Web::new();
    let target = "http://glimmer.example/";
    for number in 0..3 {
        web.push(&linking(&format!("one{number}"), target, "Glimmerworks lamps"));
    }
    web.index();
    web.analyse();
    web.push(&page(target, "Glimmerworks makes lamps."));
    web.index();
    for query in ["glimmerworks", "\"glimmerworks lamps\"", "glimmerworks OR zebra"] {
        let results = web.search(query);
        assert_eq!(hosts(&results), ["glimmer"], "{query}");
        assert!(results.hits[0].described_by.is_none(), "{query}");
    }
}

#[test]
fn texts_that_any_page_could_have_describe_nothing() {
    let mut web = Web::new();
    for number in 0..5 {
        web.push(&linking(&format!("one{number}"), "http://b.example/", "click here"));
    }
    // It has a name, by which it is found.
    for number in 0..3 {
        web.push(&linking(&format!("two{number}"), "http://b.example/", "Glimmerworks"));
    }
    web.index();
    web.analyse();
    assert_eq!(web.found("glimmerworks"), ["b"]);
    for query in ["click", "\"click here\"", "+click", "clic*", "clack~", "+here"] {
        assert_eq!(web.found(query), Vec::<String>::new(), "{query}");
    }
}

#[test]
fn a_page_is_found_by_its_address_with_what_is_shown_of_it() {
    let mut web = Web::new();
    let mut record = page("http://a.example/x?y=z", "Jaguars sleep.");
    record.about = About {
        description: "All about cats".to_owned(),
        published: Some(Dated {
            at: Timestamp::from_millis(1_000_000),
            source: DateSource::Structured,
            confidence: 90,
        }),
        ..About::default()
    };
    record.capture = Capture { file: 1, offset: 7, length: 9 };
    record.robots = RobotsFlags { noarchive: true, ..RobotsFlags::default() };
    web.push(&record);
    web.index();
    let searcher: Searcher = web.searcher();
    let url = Url::parse("http://a.example/x?y=z").unwrap();
    let kept = searcher.kept(&Lookup::Url(url)).unwrap().unwrap();
    assert_eq!((kept.showing.capture.offset, kept.showing.noarchive), (7, true));
    assert_eq!(searcher.kept(&Lookup::Page(kept.id)).unwrap().unwrap(), kept);
    let other = Url::parse("http://a.example/x").unwrap();
    assert_eq!(searcher.kept(&Lookup::Url(other)).unwrap(), None);
    let words = searcher.highlighter("jaguar", &kept).unwrap();
    assert_eq!(words.ranges("Two jaguars, <b>").first(), Some(&(4..11)));
    let hit = &web.search("jaguar").hits[0];
    assert_eq!((hit.date, hit.has_copy), (Some(Timestamp::from_millis(1_000_000)), false));
}
