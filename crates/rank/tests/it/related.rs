//! Pages like a page (Q8, G8): `related:` and `Searcher::similar`, by links, by words, by both.

use base::{PageId, PageRecord};
use rank::{Alike, Hit, Note};

use crate::web::{Web, hosts, link, page};

fn linked(url: &str, text: &str, targets: &[&str]) -> PageRecord {
    let mut record = page(url, text);
    record.links.extend(targets.iter().map(|target| link(target, "see")));
    record
}

const CAT: &str = "http://cat.example/";
const CUB: &str = "http://cub.example/";
const DOG: &str = "http://dog.example/";

/// Lists that cite a page about jaguars beside its cub, which says something else, and beside a
/// page that nobody has fetched; a page with the same words that nobody links to; and others.
fn web() -> Web {
    let mut web = Web::new();
    web.push(&linked(CAT, "jaguar rainforest river ambush prey", &["http://far.example/zoo"]));
    web.push(&page(CUB, "paw milk sleep den whiskers"));
    web.push(&page("http://words.example/", "jaguar in the rainforest by the river"));
    web.push(&linked(DOG, "bark lead kennel walk", &["http://far.example/zoo"]));
    web.push(&page("http://stock.example/", "shares prices market"));
    for number in 0..3 {
        let never = "http://never.example/";
        let list = linked(&format!("http://list{number}.example/"), "links", &[CAT, CUB, never]);
        web.push(&list);
    }
    web.index();
    web
}

fn similar(web: &Web, url: &str) -> Vec<Alike> {
    web.searcher().similar(url, 100).unwrap().unwrap()
}

fn reasons(hits: &[Hit], host: &str) -> Vec<String> {
    let hit = hits.iter().find(|hit| hit.url.host_str().starts_with(host)).unwrap();
    hit.reasons.iter().map(ToString::to_string).collect()
}

#[test]
fn words_alone_are_enough_before_the_first_link_analysis() {
    let web = web();
    let results = web.search("related:cat.example");
    assert_eq!(hosts(&results), ["words"]);
    assert_eq!(reasons(&results.hits, "words"), ["same words: jaguar, rainforest, river"]);
    let marked: Vec<&str> = results.hits[0]
        .snippet
        .segments
        .iter()
        .filter(|segment| segment.is_marked)
        .map(|segment| segment.text.as_str())
        .collect();
    assert_eq!(marked, ["jaguar", "rainforest", "river"]);
}

#[test]
fn links_and_words_are_put_together_with_a_reason_each() {
    let web = web();
    web.analyse();
    let results = web.search("related:http://cat.example/");
    assert_eq!(hosts(&results), ["words", "cub", "dog"], "{:?}", results.notes);
    assert_eq!(reasons(&results.hits, "cub"), ["cited together by 3 sites"]);
    assert_eq!(reasons(&results.hits, "words"), ["same words: jaguar, rainforest, river"]);
    assert_eq!(reasons(&results.hits, "dog"), ["links to the same page"]);
    assert!(
        matches!(results.notes[0], Note::Related { by_links: true, .. }),
        "{:?}",
        results.notes
    );
    let part = results.hits[1].parts.iter().find(|part| part.name == "related").unwrap();
    // Three lists of three links, of three that each has: 3 / log2 4 / 3, and a quarter less for
    // being but three.
    assert!((part.raw - 0.375).abs() < 1e-6, "{part:?}");
    // Everybody who is asked for the same says the same; one of them knows pages that were never
    // fetched.
    let alike = similar(&web, "cat.example");
    let names: Vec<&str> = alike.iter().map(|alike| alike.url.host_str()).collect();
    assert_eq!(names, ["words.example", "cub.example", "never.example", "dog.example"]);
    assert_eq!(alike[1].reasons[0].to_string(), "cited together by 3 sites");
    assert_eq!(alike[1].reasons.len(), 1);
    assert_eq!((alike[2].page, alike[2].text), (None, 0.0));
    assert_eq!(alike[1].linked_by.len(), 3);
    assert_eq!(alike[3].link_to[0].as_str(), "http://far.example/zoo");
    assert!((alike[1].score - f64::from(part.raw)).abs() < 1e-6);
    // What speaks for a page in two ways brings it before what speaks in one.
    let mut web = web;
    let again = page(CUB, "jaguar paw by the rainforest river");
    web.push_as_it_is(&PageRecord { id: PageId::new(0, 1).unwrap(), ..again });
    web.index();
    let results = web.search("related:cat.example");
    let of_cub = reasons(&results.hits, "cub");
    assert_eq!(of_cub, ["same words: jaguar, rainforest, river", "cited together by 3 sites"]);
    assert_eq!(hosts(&results)[0], "cub");
}

#[test]
fn a_page_that_was_never_fetched_has_likes_by_its_links() {
    let web = web();
    web.analyse();
    assert_eq!(web.found_sorted("related:never.example"), ["cat", "cub"]);
    assert_eq!(web.found("related:never.example jaguar"), ["cat"]);
    assert_eq!(web.found("jaguar -related:never.example"), ["words"]);
    assert_eq!(web.searcher().similar("http://nobody.example/", 9).unwrap(), None);
    assert_eq!(web.searcher().similar("no address", 9).unwrap(), None);
}

#[test]
fn many_pages_of_one_site_are_one_citation() {
    let mut web = Web::new();
    let (cat, cub, own) = ("http://cat.example/", "http://cub.example/", "http://own.example/");
    web.push(&page(cat, "jaguar"));
    web.push(&page(cub, "paw"));
    web.push(&page(own, "shop"));
    for number in 0..30 {
        let menu = format!("http://h{}.farm.example/{number}", number % 10);
        web.push(&linked(&menu, "menu", &[cat, own]));
    }
    for number in 0..2 {
        web.push(&linked(&format!("http://l{number}.example/"), "list", &[cat, cub]));
    }
    web.index();
    web.analyse();
    let alike = similar(&web, cat);
    let found: Vec<(&str, String)> =
        alike.iter().map(|alike| (alike.url.host_str(), alike.reasons[0].to_string())).collect();
    let expected = [
        ("cub.example", "cited together by 2 sites".to_owned()),
        ("own.example", "cited together by 30 pages of 1 site".to_owned()),
    ];
    assert_eq!(found, expected);
}

#[test]
fn likeness_is_the_same_from_either_page_and_no_page_is_its_own_like() {
    let words = ["jaguar", "river", "forest", "engine", "wheel", "road", "stock", "price"];
    let mut web = Web::new();
    let address = |number: usize| format!("http://p{number}.example/");
    for number in 0..24 {
        let text: Vec<&str> =
            (0..5).map(|place| words[(number * place + number / 3 + place) % 8]).collect();
        let targets = [(number * 5 + 1) % 24, (number * 7 + 3) % 24, number].map(address);
        let targets: Vec<&str> = targets.iter().map(String::as_str).collect();
        web.push(&linked(&address(number), &text.join(" "), &targets));
    }
    web.index();
    web.analyse();
    let all: Vec<Vec<Alike>> = (0..24).map(|number| similar(&web, &address(number))).collect();
    let mut num_pairs = 0;
    for (number, found) in all.iter().enumerate() {
        for alike in found {
            let other: usize =
                alike.url.host_str()[1..].split('.').next().unwrap().parse().unwrap();
            assert_ne!(other, number);
            let back = all[other].iter().find(|back| back.url.as_str() == address(number));
            let back = back.unwrap_or_else(|| panic!("{number} {alike:?}"));
            assert!((back.score - alike.score).abs() < 1e-9, "{back:?} {alike:?}");
            assert!(alike.score > 0.0 && alike.score <= 1.0);
            assert_eq!(alike.reasons.is_empty(), alike.score == 0.0);
            num_pairs += 1;
        }
    }
    assert!(num_pairs > 100, "{num_pairs}");
}

#[test]
fn a_query_with_many_pages_is_answered_for_the_first_four() {
    let web = web();
    let many: Vec<String> = (0..9).map(|_| "related:cat.example".to_owned()).collect();
    let results = web.search(&many.join(" OR "));
    assert_eq!(hosts(&results), ["words"]);
    let distinct: Vec<String> = ["cub", "dog", "stock", "list0", "cat"]
        .map(|name| format!("related:{name}.example"))
        .to_vec();
    let results = web.search(&distinct.join(" OR "));
    assert!(results.notes.contains(&Note::SomeRelated { most: 4 }), "{:?}", results.notes);
}
