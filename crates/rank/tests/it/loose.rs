//! Queries of which no page has every word: the pages that have the most of them.

use rank::{Note, Request};

use crate::web::{Web, hosts, link, page};

/// Words that are their own stems and mean nothing else.
const WORDS: [&str; 8] = ["zork", "blim", "quat", "drev", "plon", "snib", "frop", "glab"];

fn throw(dice: &mut u64) -> u64 {
    *dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    *dice >> 33
}

#[test]
fn the_pages_with_most_of_the_words_are_found_and_all_of_them() {
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
    let mut num_loose = 0;
    for asked in (1..256_u64).filter(|set| set.count_ones() >= 3) {
        let words = WORDS.iter().enumerate().filter(|(place, _)| asked >> place & 1 == 1);
        let query: Vec<&str> = words.map(|(_, word)| *word).collect();
        let shared = |set: &u64| (set & asked).count_ones();
        let most = sets.iter().map(shared).max().unwrap();
        let has = |number: usize| shared(&sets[number]) == most;
        let mut expected: Vec<String> =
            (0..sets.len()).filter(|number| has(*number)).map(|n| format!("d{n}")).collect();
        expected.sort_unstable();
        let query = query.join(" ");
        let request = Request { count: 100, ..Request::new(&query) };
        let results = searcher.search(&request).unwrap();
        let mut found = hosts(&results);
        found.sort_unstable();
        assert_eq!(found, expected, "{query:?}");
        assert_eq!(results.total.count, expected.len() as u64);
        assert!(results.hits.is_sorted_by(|one, other| one.score >= other.score));
        let all = asked.count_ones();
        let note = Note::FewerWords { all: all as usize, found: most as usize };
        assert_eq!(results.notes.contains(&note), most < all, "{query:?}: {:?}", results.notes);
        num_loose += u32::from(most < all);
    }
    assert!(num_loose > 50);
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
    let check = |query: &str, expected: &[&str], num_words: usize| {
        let results = web.search(query);
        let mut found = hosts(&results);
        found.sort_unstable();
        assert_eq!(found, expected, "{query}");
        let is_told =
            |note: &Note| matches!(note, Note::FewerWords { found, .. } if *found == num_words);
        assert!(results.notes.iter().any(is_told), "{:?}", results.notes);
    };
    check("zork quat drev plon", &["d1"], 3);
    check("quat drev plon", &["d1"], 2);
    check("snib frop glab plon", &["d9"], 3);
    check("blim plon snib", &["d2", "d9"], 1);
}
