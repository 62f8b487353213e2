//! Which pages match, and what is shown of them.

use base::Zone;
use rank::{Error, Request, Searcher};

use crate::web::{JAGUARS, Web, block, hosts, page, until};

#[track_caller]
fn check(web: &Web, query: &str, expected: &[&str]) {
    assert_eq!(web.found_sorted(query), expected, "{query}");
    assert_eq!(web.search(query).total.count, expected.len() as u64);
}

/// W11.
#[test]
fn the_jaguars_of_the_mission() {
    let web = Web::of_texts(&JAGUARS);
    check(&web, "(jaguar AND new AND NOT family) OR cat", &["d2", "d7"]);
    check(&web, "jaguar", &["d1", "d2", "d3", "d4", "d5", "d6"]);
    check(&web, "jaguar new", &["d1", "d2", "d5"]);
    check(&web, "jaguar -family", &["d2", "d4"]);
    check(&web, "jaguar -(new OR us)", &["d3", "d6"]);
    check(&web, "football OR felidae", &["d1", "d4"]);
    check(&web, "\"new world mammal\"", &["d1"]);
    check(&web, "\"world new\"", &[]);
    check(&web, "\"new world\" OR \"big cat\"", &["d1", "d7"]);
    check(&web, "jaguar -\"new world\" -us", &["d2", "d3", "d6"]);
    check(&web, "NOT jaguar", &["d7"]);
    check(&web, "NOT jaguar NOT cat", &[]);
    check(&web, "cat OR NOT family", &["d2", "d4", "d7"]);
    check(&web, "zebra", &[]);
    check(&web, "jaguars families", &["d1", "d3", "d5", "d6"]);
    check(&web, "\"jaguars\"", &[]);
}

#[test]
fn the_answer_says_how_the_query_was_understood() {
    let web = Web::of_texts(&JAGUARS);
    let made_of = |query| web.search(query).made_of;
    assert_eq!(made_of("jaguar -car"), "jaguar NOT car");
    assert_eq!(made_of("jaguar AND -car"), "jaguar AND NOT car");
    assert_eq!(made_of("the jaguar"), "jaguar");
    assert_eq!(made_of("\"new world"), "new world");
    assert_eq!(made_of("(the jaguar new) OR cat"), "jaguar new OR cat");
    assert_eq!(made_of(" "), "");
}

#[test]
fn what_was_understood_finds_the_same_when_it_is_asked() {
    let web = Web::of_texts(&JAGUARS);
    for (query, count) in [
        // Words side by side may be missing, those joined by AND may not.
        ("jaguar zebra", 6),
        ("jaguar AND zebra", 0),
        ("football zebra -family", 1),
        ("(jaguar AND zebra) OR cat", 1),
        ("jaguar (football OR felidae)", 2),
        ("-(jaguar OR zebra)", 1),
    ] {
        let results = web.search(query);
        assert_eq!(results.total.count, count, "{query}");
        let again = web.search(&results.made_of);
        assert_eq!((hosts(&again), again.made_of), (hosts(&results), results.made_of), "{query}");
    }
}

#[test]
fn rarer_words_and_shorter_pages_come_first() {
    let web = Web::of_texts(&JAGUARS);
    assert_eq!(web.found("football OR jaguar")[0], "d4");
    // All else equal, the shorter page.
    assert_eq!(web.found("new")[0], "d2");
    let results = web.search("jaguar family");
    for hit in &results.hits {
        let sum: f32 = hit.parts.iter().map(|part| part.value).sum();
        assert!((hit.score - sum).abs() < 1e-4);
    }
    assert!(results.hits.is_sorted_by(|one, next| one.score >= next.score));
}

#[test]
fn title_words_exact_forms_and_headings_count_more() {
    let mut web = Web::new();
    let filler = "some other words about nothing in particular";
    for (host, title, heading, text) in [
        ("text", "About", "Words", "running"),
        ("title", "Running", "Words", "nothing"),
        ("heading", "About", "Running", "nothing"),
        ("stem", "About", "Words", "runs"),
    ] {
        let mut record = page(&format!("http://{host}.example/"), &format!("{text} {filler}"));
        record.title = title.to_owned();
        record.blocks.insert(0, block(Zone::Heading, heading));
        web.push(&record);
    }
    web.index();
    assert_eq!(web.found("running"), ["title", "heading", "text", "stem"]);
}

/// W15.
#[test]
fn a_word_of_the_side_bar_is_not_what_a_page_is_about() {
    let mut web = Web::new();
    let mut sidebar = page("http://sidebar.example/", "The jaguar sleeps by the river.");
    sidebar.blocks.push(block(Zone::Boilerplate, "Cheap insurance"));
    web.push(&sidebar);
    let mut article = page("http://article.example/", "Long ago. ");
    article.blocks[0].text +=
        "Whoever owns a jaguar should think of many things, among them food and room. ";
    article.blocks[0].text += "Some think of insurance as well, though few offer it to anyone.";
    web.push(&article);
    web.index();
    for query in [
        "jaguar insurance",
        "+jaguar +insurance",
        "\"jaguar\" \"insurance\"",
        "jagua* insuran*",
        "jaguer~ insurence~",
        "(\"a jaguar\" OR \"the jaguar\") +insurance",
    ] {
        assert_eq!(web.found(query), ["article", "sidebar"], "{query}");
    }
    assert_eq!(web.found("\"river cheap\""), Vec::<String>::new());
}

/// W15.
#[test]
fn a_phrase_of_the_side_bar_is_not_what_a_page_is_about() {
    let mut web = Web::new();
    let mut sidebar = page("http://sidebar.example/", "The jaguar sleeps by the river.");
    sidebar.blocks.push(block(Zone::Boilerplate, "Cheap insurance"));
    web.push(&sidebar);
    let mut article = page("http://article.example/", "Long ago a jaguar slept here. ");
    article.blocks[0].text += "Cheap insurance is a thing that hardly anybody offered at the time.";
    web.push(&article);
    web.index();
    for query in ["\"cheap insurance\"", "+jaguar \"cheap insurance\""] {
        assert_eq!(web.found(query), ["article", "sidebar"], "{query}");
    }
}

#[test]
fn an_exact_word_of_the_title_counts_as_a_plain_one_does() {
    let mut web = Web::new();
    for (host, title) in [("text", "Animals"), ("title", "Jaguars")] {
        let mut record = page(&format!("http://{host}.example/"), "many jaguars sleep here");
        record.title = title.to_owned();
        web.push(&record);
    }
    web.index();
    for query in ["jaguars", "+jaguars", "\"jaguars\"", "jaguars*", "jaguers~1"] {
        let results = web.search(query);
        assert_eq!(hosts(&results), ["title", "text"], "{query}");
        let title = |hit: &rank::Hit| {
            let part = hit.parts.iter().find(|part| part.name == "title");
            part.map_or(0.0, |part| part.value)
        };
        assert!(title(&results.hits[0]) > 0.0 && title(&results.hits[1]) == 0.0, "{query}");
    }
}

/// W15, P5.
#[test]
fn words_of_two_blocks_are_never_near_however_they_are_asked_for() {
    let mut web = Web::new();
    let mut apart = page("http://apart.example/", "new world");
    apart.title = "old title".to_owned();
    for text in ["mammal", "", "of the year", "!", "new"] {
        apart.blocks.push(block(Zone::Body, text));
    }
    web.push(&apart);
    // Many words apart, so that a block is longer than what fits into one step of positions.
    let long = "word ".repeat(60_000) + "river";
    let mut long = page("http://long.example/", &long);
    long.blocks.push(block(Zone::Body, "bank of the river"));
    web.push(&long);
    web.index();
    for (query, within) in [
        ("\"world mammal\"", false),
        ("\"world * of\"", false),
        ("\"world * mammal\"", false),
        ("\"world * * mammal\"", false),
        ("\"title * new\"", false),
        ("\"of * year\"", true),
        ("\"old * * * * * * * * * * year\"", false),
        ("world NEAR/1 mammal", false),
        ("world NEAR/2 mammal", false),
        ("world NEAR/100 mammal", false),
        ("mammal NEAR/100 \"the year\"", false),
        ("year NEAR/2 of", true),
        ("new NEAR/1 world", true),
        ("mammal NEAR/100 new", false),
        ("title:(old NEAR/1 title)", true),
        ("old NEAR/100 world", false),
    ] {
        check(&web, query, if within { &["apart"] } else { &[] });
    }
    // As far from each other as they can be, by as many stars as a query can have.
    let stars = "* ".repeat(60);
    check(&web, &format!("\"world {stars}new\""), &[]);
    check(&web, "\"river bank\"", &[]);
    check(&web, "\"river * bank\"", &[]);
    check(&web, "river NEAR/5 bank", &["long"]);
    check(&web, "word NEAR/1 river", &["long"]);
    check(&web, "word NEAR/100 bank", &[]);
}

/// W15: nearness is counted within blocks.
#[test]
fn words_side_by_side_in_one_block_beat_those_of_two() {
    let mut web = Web::new();
    let filler = "some other words about nothing in particular";
    let mut two = page("http://two.example/", &format!("{filler} jaguar"));
    two.blocks.push(block(Zone::Body, &format!("engine {filler}")));
    web.push(&two);
    let mut one = page("http://one.example/", &format!("{filler} jaguar engine"));
    one.blocks.push(block(Zone::Body, filler));
    web.push(&one);
    web.index();
    let results = web.search("jaguar engine");
    assert_eq!(hosts(&results), ["one", "two"]);
    let closeness = |hit: &rank::Hit| {
        let part = hit.parts.iter().find(|part| part.name == "closeness");
        part.map_or(0.0, |part| part.raw)
    };
    assert!(closeness(&results.hits[0]) > 0.0);
    assert_eq!(closeness(&results.hits[1]), 0.0);
}

/// T5.
#[test]
fn stop_words_can_be_searched_alone() {
    let web = Web::of_texts(&["to be or not to be", "jaguar by the river", "it"]);
    check(&web, "to be or not to be", &["d1"]);
    check(&web, "it", &["d3"]);
    check(&web, "\"by the river\"", &["d2"]);
    check(&web, "a jaguar is in the river", &["d2"]);
}

#[test]
fn each_language_is_searched_in_its_way() {
    let mut web = Web::new();
    for (host, language, text) in [
        ("en", Some("en"), "The jaguars were running"),
        ("da", Some("da"), "Hestene løber på marken"),
        ("ja", Some("ja"), "東京大学の図書館"),
        ("none", None, "Zzyzx road"),
    ] {
        let mut record = page(&format!("http://{host}.example/"), text);
        record.language = language.map(str::to_owned);
        web.push(&record);
    }
    web.index();
    check(&web, "run", &["en"]);
    check(&web, "hest", &["da"]);
    check(&web, "図書館", &["ja"]);
    check(&web, "zzyzx", &["none"]);
}

/// So many languages that the one with the fewest pages is far from the most used.
#[test]
fn words_of_the_rarest_language_are_found() {
    let mut web = Web::new();
    let usual =
        ["en", "da", "de", "fr", "es", "it", "pt", "nl", "sv", "ru", "tr", "hu", "el", "ar"];
    for (number, language) in usual.iter().flat_map(|language| [*language; 2]).enumerate() {
        let mut record = page(&format!("http://{language}{number}.example/"), "jaguar 42");
        record.language = Some(language.to_owned());
        web.push(&record);
    }
    for (host, language, text) in
        [("finnish", "fi", "Asumme taloissa"), ("basque", "eu", "Etxeetan bizi gara")]
    {
        let mut record = page(&format!("http://{host}.example/"), text);
        record.language = Some(language.to_owned());
        web.push(&record);
    }
    web.index();
    for word in ["taloissa", "talossa", "Talo", "asumme taloissa", "asumme NEAR/1 talossa"] {
        check(&web, word, &["finnish"]);
    }
    check(&web, "etxeetan", &["basque"]);
    check(&web, "title:taloissa", &[]);
}

#[test]
fn recrawled_and_removed_pages_change_the_answers() {
    let mut web = Web::of_texts(&["old jaguar", "old cat"]);
    let searcher = web.searcher();
    let mut record = page("http://d1.example/", "new zebra");
    web.push_as_it_is(&record);
    record = page("http://d2.example/", "");
    record.id = base::PageId::new(0, 1).unwrap();
    record.status = 404;
    web.push_as_it_is(&record);
    web.index();
    check(&web, "old", &[]);
    check(&web, "zebra", &["d1"]);
    // The searcher opened before sees it too, a moment later.
    until("it is seen", || !hosts(&searcher.search(&Request::new("zebra")).unwrap()).is_empty());
}

#[test]
fn a_collection_without_an_index_answers_nothing() {
    let web = Web::new();
    let results = web.search("jaguar");
    assert_eq!((results.hits.len(), results.total.count), (0, 0));
    assert!(results.total.is_exact);
    assert_eq!(results.made_of, "jaguar");
    let searcher = web.searcher();
    assert_eq!((searcher.num_docs().unwrap(), searcher.generation()), (0, None));
}

#[test]
fn a_damaged_index_is_searched_again_once_it_is_rebuilt() {
    let web = Web::of_texts(&JAGUARS);
    let meta = web.collection.index().join("meta.json");
    std::fs::write(&meta, "{").unwrap();
    let searcher = web.searcher();
    let error = searcher.search(&Request::new("cat")).unwrap_err();
    assert!(matches!(error, Error::Open(index::Error::Damaged { .. })), "{error}");
    web.index();
    let begun = std::time::Instant::now();
    loop {
        match searcher.search(&Request::new("cat")) {
            Ok(results) if !results.hits.is_empty() => break,
            _ => assert!(begun.elapsed().as_secs() < 20),
        }
    }
}

#[test]
fn qry_17_windows_are_bounded_and_fit_together() {
    let mut web = Web::new();
    for number in 0..450 {
        let text = "jaguar ".repeat(1 + number % 7) + &"word ".repeat(number);
        web.push(&page(&format!("http://h{number}.example/"), &text));
    }
    web.index();
    let searcher = web.searcher();
    let ask = |offset, count| searcher.search(&Request { offset, count, ..Request::new("jaguar") });
    let all: Vec<_> = ask(0, 100).unwrap().hits.into_iter().map(|hit| hit.page).collect();
    let mut joined = Vec::new();
    for offset in (0..100).step_by(10) {
        let results = ask(offset, 10).unwrap();
        assert_eq!(results.total.count, 450);
        joined.extend(results.hits.into_iter().map(|hit| hit.page));
    }
    assert_eq!(all, joined);
    assert_eq!(ask(0, 1_000).unwrap().hits.len(), 450);
    assert_eq!(ask(440, 100).unwrap().hits.len(), 10);
    assert_eq!(ask(999, 1).unwrap().hits.len(), 0);
    assert_eq!(ask(0, 0).unwrap().hits.len(), 0);
    for (offset, count) in [(1_000, 1), (0, 1_001), (usize::MAX, usize::MAX)] {
        let error = ask(offset, count).unwrap_err();
        assert!(matches!(error, Error::Window { limit: 1_000 }) && error.is_bad_request());
    }
    // Deep windows cost no more than the largest one; the quickest of some runs, since machines are
    // busy, and twice that for the same reason.
    let cost = |offset, count| {
        (0..9).map(|_| ask(offset, count).unwrap().took).min().expect("there are some runs")
    };
    let largest = cost(0, 1_000);
    for offset in [200, 440, 990] {
        let deep = cost(offset, 10);
        assert!(deep <= 2 * largest, "{offset}: {deep:?}, the largest: {largest:?}");
    }
}

#[test]
fn hits_carry_what_is_shown() {
    let mut web = Web::new();
    let mut record = page("http://a.example/x", "The jaguar sleeps.");
    record.title = "Big <b>cats</b>".to_owned();
    web.push(&record);
    let mut silent = page("http://b.example/", "The jaguar is secret.");
    silent.robots.nosnippet = true;
    web.push(&silent);
    web.index();
    let results = web.search("jaguar");
    let hit = results.hits.iter().find(|hit| hit.url.host_str() == "a.example").unwrap();
    assert_eq!(hit.title, "Big <b>cats</b>");
    assert_eq!(hit.snippet.text(), "The jaguar sleeps.");
    let marked: Vec<_> = hit.snippet.segments.iter().filter(|run| run.is_marked).collect();
    assert_eq!((marked.len(), marked[0].text.as_str()), (1, "jaguar"));
    assert_eq!((hit.fetched, hit.language.as_deref()), (Some(record.fetched), Some("en")));
    let hit = results.hits.iter().find(|hit| hit.url.host_str() == "b.example").unwrap();
    assert_eq!((hit.title.as_str(), hit.snippet.segments.len()), ("http://b.example/", 0));
}

#[test]
fn a_searcher_is_shared_by_threads() {
    fn shared<T: Send + Sync>() {}
    shared::<Searcher>();
    let web = Web::of_texts(&JAGUARS);
    let searcher = web.searcher();
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for _ in 0..20 {
                    let results = searcher.search(&Request::new("jaguar new")).unwrap();
                    assert_eq!(results.hits.len(), 3);
                }
            });
        }
    });
}
