//! Queries of which hardly a page has every word: the pages that have some.

use rank::{Grouping, Note, Request};

use crate::web::{Web, hosts, link, page};

/// Words that are their own stems and mean nothing else.
const WORDS: [&str; 8] = ["zork", "blim", "quat", "drev", "plon", "snib", "frop", "glab"];

fn throw(dice: &mut u64) -> u64 {
    *dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    *dice >> 33
}

#[test]
fn where_no_page_has_every_word_those_with_any_are_found() {
    let mut dice = 5;
    let sets: Vec<u64> = (0..60).map(|_| throw(&mut dice) & throw(&mut dice) & 0xff).collect();
    let mut web = Web::new();
    for (number, set) in sets.iter().enumerate() {
        let words = WORDS.iter().enumerate().filter(|(place, _)| set >> place & 1 == 1);
        let text: Vec<&str> = words.map(|(_, word)| *word).collect();
        web.push(&page(&format!("http://d{number}.example/"), &text.join(" ")));
    }
    web.index();
    let searcher = web.searcher();
    let (mut num_loose, mut num_filled) = (0, 0);
    for asked in (1..256_u64).filter(|set| set.count_ones() >= 2) {
        let words = WORDS.iter().enumerate().filter(|(place, _)| asked >> place & 1 == 1);
        let query: Vec<&str> = words.map(|(_, word)| *word).collect();
        let query = query.join(" ");
        let all = asked.count_ones();
        let shared = |set: &u64| (set & asked).count_ones();
        let num_strict = sets.iter().filter(|set| shared(set) == all).count();
        // A sentence is answered by a whole list, two or three words by any page that has them.
        let is_loose = num_strict < if all >= 4 { 10 } else { 1 };
        let least = if is_loose { 1 } else { all };
        let mut expected: Vec<String> = (0..sets.len())
            .filter(|number| shared(&sets[*number]) >= least)
            .map(|number| format!("d{number}"))
            .collect();
        expected.sort_unstable();
        let request = Request { count: 100, grouping: Grouping::Plain, ..Request::new(&query) };
        let results = searcher.search(&request).unwrap();
        let mut found = hosts(&results);
        // Pages of the same length: who has more of the words is never behind all who have fewer.
        let most = sets.iter().map(shared).max().unwrap();
        let first = found.first().and_then(|host| host[1..].parse::<usize>().ok()).unwrap();
        assert!(shared(&sets[first]) + 1 >= most, "{query:?}: d{first} is first");
        found.sort_unstable();
        assert_eq!(found, expected, "{query:?}");
        assert_eq!(results.total.count, expected.len() as u64);
        assert!(results.hits.is_sorted_by(|one, other| one.score >= other.score));
        let note = Note::FewerWords { all: all as usize, pages: num_strict };
        assert_eq!(results.notes.contains(&note), is_loose, "{query:?}: {:?}", results.notes);
        num_loose += u32::from(num_strict == 0);
        num_filled += u32::from(is_loose && num_strict > 0);
    }
    assert!(num_loose > 50 && num_filled > 5, "{num_loose} {num_filled}");
}

/// More pages are better by some of the words than a second stage looks at, and the one that has
/// all of them is long.
#[test]
fn a_page_with_every_word_is_listed_among_many_with_some() {
    let mut web = Web::new();
    for number in 0..400 {
        let text = format!("{} {}", WORDS[number % 3], WORDS[(number + 1) % 3]).repeat(3);
        web.push(&page(&format!("http://d{number}.example/"), &text));
    }
    let filling: Vec<String> = (0..3_000).map(|number| format!("filler{number}")).collect();
    let text = format!("{} {}", WORDS[..4].join(" "), filling.join(" "));
    web.push(&page("http://whole.example/", &text));
    for number in 0..40 {
        web.push(&page(&format!("http://e{number}.example/"), WORDS[3]));
    }
    web.index();
    let query = WORDS[..4].join(" ");
    let request = Request { count: 300, grouping: Grouping::Plain, ..Request::new(&query) };
    let results = web.searcher().search(&request).unwrap();
    assert!(results.notes.contains(&Note::FewerWords { all: 4, pages: 1 }), "{:?}", results.notes);
    let found = hosts(&results);
    assert_eq!(found.iter().filter(|host| *host == "whole").count(), 1);
    assert!(found.iter().take(10).any(|host| host == "whole"), "{:?}", &found[..10]);
    assert_eq!((found.len(), results.total.count), (300, 441));
}

/// There are no spaces to tell words apart by, and nobody writes as a page does.
#[test]
fn a_sentence_without_spaces_finds_the_pages_that_have_most_of_it() {
    let mut web = Web::new();
    for (host, language, text) in [
        ("d1", "zh", "巴黎是法国的首都和最大城市，位于塞纳河畔。"),
        ("d2", "zh", "柏林是德国的首都，也是德国最大的城市。"),
        ("d3", "zh", "猫是一种小型动物。"),
        ("d4", "ja", "東京は日本の首都であり、最大の都市である。"),
        ("d5", "ja", "富士山は日本で一番高い山である。"),
    ] {
        let mut record = page(&format!("http://{host}.example/"), text);
        record.language = Some(language.to_owned());
        web.push(&record);
    }
    web.index();
    for (query, expected) in [
        ("法国的首都在哪里？", "d1"),
        ("德国最大的城市叫什么名字", "d2"),
        ("日本の首都はどこですか", "d4"),
        ("日本で一番高い山は何ですか？", "d5"),
    ] {
        let results = web.search(query);
        assert_eq!(hosts(&results).first().map(String::as_str), Some(expected), "{query}");
        assert!(
            results.notes.iter().any(|note| matches!(note, Note::FewerWords { .. })),
            "{query}"
        );
        assert!(results.hits[0].snippet.segments.iter().any(|segment| segment.is_marked));
    }
    // What stands there as a whole is found as ever, and what is nowhere is not.
    assert_eq!(web.found("法国的首都"), ["d1"]);
    assert!(web.search("法国的首都").notes.is_empty());
    assert!(web.found("火星探测器").is_empty());
}

/// The note says how many pages have every word, and those come first: also one that was never
/// fetched, which is worth less than a page with some of them.
#[test]
fn a_page_known_by_hearsay_that_has_every_word_comes_before_those_with_some() {
    let mut web = Web::new();
    for number in 0..4 {
        let mut record = page(&format!("http://d{number}.example/"), "zork blim quat");
        record.title = "Zork blim quat".to_owned();
        web.push(&record);
    }
    for number in 10..50 {
        web.push(&page(&format!("http://d{number}.example/"), "drev"));
    }
    for number in 4..6 {
        let mut record = page(&format!("http://d{number}.example/"), "nothing");
        record.links = vec![link("http://d9.example/", "zork blim quat drev")];
        web.push(&record);
    }
    web.index();
    web.analyse();
    let results = web.search("zork blim quat drev");
    assert!(results.notes.contains(&Note::FewerWords { all: 4, pages: 1 }), "{:?}", results.notes);
    assert_eq!(hosts(&results)[0], "d9");
    assert_eq!(hosts(&results).iter().filter(|host| *host == "d9").count(), 1);
    let parts = &results.hits[0].parts;
    assert!(parts.iter().any(|part| part.name == "complete" && part.value > 0.0), "{parts:?}");
    assert!(results.hits.is_sorted_by(|one, other| one.score >= other.score));
}

#[test]
fn what_others_call_a_page_counts_among_its_words() {
    let mut web = Web::new();
    web.push(&page("http://d1.example/", "zork"));
    web.push(&page("http://d2.example/", "blim"));
    for number in 3..6 {
        let mut record = page(&format!("http://d{number}.example/"), "nothing");
        // One that was fetched, and one that never was.
        record.links = vec![
            link("http://d1.example/", "quat drev"),
            link("http://d9.example/", "snib frop glab"),
        ];
        web.push(&record);
    }
    web.index();
    web.analyse();
    let check = |query: &str, expected: &[&str]| {
        let results = web.search(query);
        assert_eq!(hosts(&results), expected, "{query}");
        let is_told = |note: &Note| matches!(note, Note::FewerWords { pages: 0, .. });
        assert!(results.notes.iter().any(is_told), "{:?}", results.notes);
    };
    check("zork quat drev plon", &["d1"]);
    check("quat drev plon", &["d1"]);
    check("snib frop glab plon", &["d9"]);
    check("blim plon snib", &["d9", "d2"]);
}
