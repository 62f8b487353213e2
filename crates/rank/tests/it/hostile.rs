//! Queries of strangers: answered or refused for their size, in time, whatever they say.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use base::PageRecord;
use rank::{Error, Options, Request, Results, Searcher};

use crate::strangers::Strangers;
use crate::web::{JAGUARS, Web, page, told};

/// Far above any deadline: only a hang takes so long.
const HANG: Duration = Duration::from_secs(20);

#[track_caller]
fn check(searcher: &Searcher, query: &str) {
    let begun = Instant::now();
    match searcher.search(&Request::new(query)) {
        Ok(results) => {
            let scores = results.hits.iter().map(|hit| hit.score);
            assert!(scores.clone().all(f32::is_finite), "{query:?}");
            assert!(scores.is_sorted_by(|one, next| one >= next), "{query:?}");
            assert!(results.notes.len() <= 16, "{query:?}");
        }
        Err(error) => assert!(matches!(error, Error::Query(_)), "{query:?}: {error}"),
    }
    assert!(begun.elapsed() < HANG, "{query:?}");
}

fn search(searcher: &Searcher, query: &str) -> Results {
    searcher.search(&Request::new(query)).unwrap()
}

#[track_caller]
fn refused(searcher: &Searcher, query: &str) {
    let error = searcher.search(&Request::new(query)).unwrap_err();
    assert!(error.is_bad_request(), "{query:?}: {error}");
}

#[test]
fn qry_01_queries_of_nothing_find_nothing() {
    let web = Web::of_texts(&JAGUARS);
    let searcher = web.searcher();
    for query in ["", " ", "...", "\u{0}\n", "\"\"", "()", "-", "title:()", "…", "\u{1f406}"] {
        assert_eq!(search(&searcher, query).total.count, 0, "{query:?}");
    }
    // Stop words are words where there are no others.
    assert_eq!(search(&searcher, "the of and").total.count, 0);
    assert_eq!(search(&searcher, "their").total.count, 1);
}

#[test]
fn qry_02_and_03_and_04_queries_are_answered_up_to_their_limits() {
    let web = Web::of_texts(&JAGUARS);
    let searcher = web.searcher();
    let nested = |depth| "(".repeat(depth) + "jaguar" + &")".repeat(depth);
    let words = |count| vec!["jaguar"; count].join(" OR ");
    for query in [nested(20), nested(32), words(64), " ".repeat(1_018) + "jaguar"] {
        assert_eq!(search(&searcher, &query).total.count, 6, "{query:?}");
    }
    for query in ["a".repeat(1_025), "a".repeat(1 << 20), nested(33), nested(10_000), words(65)] {
        refused(&searcher, &query);
    }
    refused(&searcher, &"title:(".repeat(40));
    refused(&searcher, &words(10_000));
}

#[test]
fn qry_05_and_16_odd_queries_are_answered() {
    let web = Web::of_texts(&JAGUARS);
    let searcher = web.searcher();
    for query in [
        "\"",
        "(",
        "(jaguar^2",
        "AND",
        "- *",
        "AND OR NOT",
        ":",
        "a:",
        ":a",
        "^",
        "~",
        "NOT",
        "NEAR",
        "NEAR/3",
        "jaguar NEAR",
        "+",
        "++",
        "+*",
        "title:",
        "site:",
        "title:(",
        "-(",
        "link:",
        "~2",
        "jaguar~~2",
        "cache:\"",
        "related:\u{0}",
        "\u{202e}jaguar\u{200b}",
        "jag\u{301}uar",
        "jaguar\u{0}\n",
        "NOT (jaguar OR NOT (cat AND NOT family))",
        "title:\u{202e}x",
        "日本*",
    ] {
        check(&searcher, query);
    }
    let found = |query| search(&searcher, query).total.count;
    assert_eq!((found("ＪＡＧＵＡＲ"), found("jaguar\u{0}cat OR jaguar")), (6, 6));
    assert_eq!(found("\"jaguar new"), 3);
}

/// A web whose dictionary has many words alike.
fn wordy() -> Web {
    let mut web = Web::new();
    for number in 0..40 {
        let words: Vec<String> = (0..100).map(|i| format!("aab{:04}", number * 100 + i)).collect();
        let text = format!("common {} aaaaaaaa aaaaaaab aaaaaabb", words.join(" "));
        web.push(&page(&format!("http://h{number}.example/"), &text));
    }
    web.index();
    web
}

#[test]
fn qry_06_wildcards_are_capped_and_it_is_said() {
    let web = wordy();
    let searcher = web.searcher();
    let results = search(&searcher, "aab*");
    let note = "`aab*` stands for many words; the 128 most frequent were searched.";
    assert_eq!(told(&results), [note]);
    assert!(results.total.count > 0);
    assert_eq!(search(&searcher, "aab0* common -aab1*").notes.len(), 2);
    for (query, searched_as) in [("a*", "`a`"), ("*a", "`a`"), ("*a*", "`a`"), ("?a?b", "`ab`")] {
        let notes = told(&search(&searcher, query));
        assert!(notes[0].contains(searched_as), "{query}: {notes:?}");
    }
    for query in ["*", "?", "* ? *", "\"*\""] {
        assert_eq!(search(&searcher, query).total.count, 0, "{query}");
    }
    // A pattern that is needed twice is looked up once.
    assert_eq!(told(&search(&searcher, "aab* NEAR/2 common OR title:aab*")), [note]);
    // All patterns of a query share what they may stand for.
    let many: Vec<String> = (0..60).map(|number| format!("aab{number:02}*")).collect();
    check(&searcher, &many.join(" OR "));
    check(&searcher, &many.join(" NEAR/5 "));
    check(&searcher, &format!("title:({})", many.join(" OR ")));
}

#[test]
fn qry_07_regular_expressions_are_words() {
    let web = Web::of_texts(&JAGUARS);
    let searcher = web.searcher();
    for query in ["/(.*a){2000}/", "/jag.*/", "title:/.*/", "[a-z]+", "(a+)+$"] {
        check(&searcher, query);
        assert_eq!(search(&searcher, query).total.count, 0, "{query}");
    }
}

#[test]
fn qry_08_nearly_words_are_capped_at_two_letters() {
    let web = wordy();
    let searcher = web.searcher();
    let found = |query: &str| search(&searcher, query);
    assert_eq!(found("aaaaaaaa~2").total.count, 40);
    assert!(told(&found("a~"))[0].contains("3 to 64 letters"));
    assert!(told(&found("a~99"))[0].contains("3 to 64 letters"));
    let capped = found("common~99");
    assert!(told(&capped)[0].contains("at most 2 letters"), "{:?}", capped.notes);
    assert_eq!((capped.made_of.as_str(), capped.total.count), ("common~2", 40));
    assert!(told(&found("aab0000~2"))[0].contains("most frequent"));
    let many: Vec<String> = (0..60).map(|number| format!("aab00{number}~2")).collect();
    check(&searcher, &many.join(" "));
    check(&searcher, &format!("{}~2", "a".repeat(1_000)));
}

#[test]
fn qry_09_and_10_ranges_and_boosts_are_words() {
    let web = Web::of_texts(&["jaguar 5 to 9", "jaguar 1e309", "cat"]);
    let searcher = web.searcher();
    for query in [
        "[* TO *]",
        "title:[a TO b]",
        "[9 TO 5]",
        "date:[x TO 5]",
        "fetched:[1 TO 2]",
        "page:>0",
        "before:[2024 TO 2025]",
        "jaguar^1e309",
        "jaguar^-1",
        "jaguar^NaN",
        "jaguar^0",
        "^^^",
    ] {
        check(&searcher, query);
    }
    assert_eq!(search(&searcher, "[jaguar TO 9]").total.count, 1);
    assert_eq!(search(&searcher, "jaguar^1e309").total.count, 1);
    assert!(search(&searcher, "jaguar^1e309").hits[0].score.is_finite());
}

#[test]
fn qry_11_internal_fields_are_out_of_reach() {
    let web = Web::of_texts(&["jaguar sleeps", "0 cats", "a jaguar and 0 cats"]);
    let searcher = web.searcher();
    let found = |query: &str| {
        let hits = search(&searcher, query).hits;
        hits.into_iter().map(|hit| hit.page).collect::<Vec<_>>()
    };
    for field in [
        "stems",
        "words",
        "aside",
        "address",
        "page",
        "fetched",
        "key",
        "kind",
        "date",
        "url",
        "text",
        "zones",
        "flags",
        "shown_title",
        "_all",
        "a.b",
        "_id",
    ] {
        for value in ["jaguar", "0", "*", "\"jaguar\"", "(jaguar)", "jag*", "(jaguar OR 0)"] {
            let query = format!("{field}:{value}");
            check(&searcher, &query);
            // No page has the name, so it does what a name does that nobody has thought of.
            let invented = field.replace(|letter: char| letter.is_ascii_alphabetic(), "q");
            assert_eq!(found(&query), found(&format!("{invented}:{value}")), "{query}");
            let notes = told(&search(&searcher, &query));
            assert!(notes.iter().any(|note| note.contains("is no field")), "{query}: {notes:?}");
        }
    }
    // The name is a word like any other: the page with it is found, and not the one with the id 0.
    let web = Web::of_texts(&["jaguar words", "stems of 0 pages"]);
    let searcher = web.searcher();
    for query in ["page:0", "stems:0", "stems:\"0\"", "stems:(0)"] {
        let hits = search(&searcher, query).hits;
        let texts: Vec<String> = hits.iter().map(|hit| hit.snippet.text()).collect();
        assert_eq!(texts, ["stems of 0 pages"], "{query}");
    }
}

#[test]
fn qry_12_odd_values_of_filters_are_words() {
    let web = Web::of_texts(&JAGUARS);
    let searcher = web.searcher();
    let huge = "x".repeat(900);
    for field in [
        "site", "host", "lang", "filetype", "before", "after", "country", "link", "related",
        "cache", "title", "inurl",
    ] {
        for value in [
            "",
            "*",
            "?",
            "\"\"",
            "()",
            &huge,
            "localhost",
            "127.0.0.1",
            "[::1]",
            "::1",
            "169.254.169.254",
            "-1",
            "99999-99-99",
            "2024-13",
            "a b",
            "\u{0}",
            "..",
            "a..b",
            "%00",
            "http://",
            "http://[",
            "file:///etc/passwd",
            "javascript:x",
            "日本",
        ] {
            check(&searcher, &format!("{field}:{value}"));
            check(&searcher, &format!("jaguar -{field}:\"{value}\""));
            check(&searcher, &format!("{field}:({value} OR jaguar)"));
        }
    }
    assert_eq!(search(&searcher, "jaguar -site:localhost").total.count, 6);
    assert_eq!(search(&searcher, "jaguar lang:").total.count, 6);
}

#[test]
fn qry_13_long_phrases_and_wide_distances_are_bounded() {
    let web = Web::of_texts(&["a jaguar jaguar jaguar b", &"jaguar ".repeat(2_000)]);
    let searcher = web.searcher();
    let phrase = |count| format!("\"{}\"", vec!["jaguar"; count].join(" "));
    assert_eq!(search(&searcher, &phrase(3)).total.count, 2);
    assert_eq!(search(&searcher, &phrase(64)).total.count, 1);
    refused(&searcher, &phrase(65));
    let stars = format!("\"jaguar {} jaguar\"", vec!["*"; 62].join(" "));
    assert_eq!(search(&searcher, &stars).total.count, 1);
    let wide = search(&searcher, "a NEAR/4294967296 b");
    assert_eq!((wide.total.count, wide.made_of.as_str()), (1, "a NEAR/100 b"));
    let chain = vec!["jaguar"; 64].join(" NEAR/100 ");
    assert_eq!(search(&searcher, &chain).total.count, 2);
    check(&searcher, &vec![phrase(2); 32].join(" NEAR/2 "));
}

/// An index where every page has the same words.
fn alike() -> Web {
    let mut web = Web::new();
    for number in 0..3_000 {
        let text = format!("common words stand side by side here {}", "common words ".repeat(20));
        web.push(&page(&format!("http://h{number}.example/"), &text));
    }
    web.index();
    web
}

#[test]
fn qry_14_and_15_common_words_are_counted_and_the_deadline_holds() {
    let web = alike();
    let searcher = web.searcher();
    for query in ["common", "\"common words\"", "common OR words", "common words -zebra"] {
        let results = search(&searcher, query);
        assert_eq!((results.total.count, results.hits.len()), (3_000, 10), "{query}");
        // Of phrases 2,000 are counted, and the rest is estimated.
        let is_phrase = query.starts_with('"');
        assert!(results.total.is_exact != is_phrase && !results.is_partial, "{query}");
    }
    assert_eq!(search(&searcher, "zebra").total.count, 0);
    let options = Options { deadline: Duration::ZERO, ..Options::default() };
    let hasty = Searcher::open_with(&web.collection, options).unwrap();
    let begun = Instant::now();
    for query in ["\"common words\"", "common NEAR/2 words", "common NEAR/1 here", "com* wrods~2"] {
        let results = search(&hasty, query);
        assert!(results.is_partial && !results.total.is_exact, "{query}");
    }
    assert!(search(&hasty, "\"common words\"").total.count > 0);
    assert!(begun.elapsed() < HANG);
}

/// Folders in folders: each is a walk over all addresses of the host.
#[test]
fn qry_14_folders_of_a_large_host_end_with_the_deadline() {
    const FOLDER: &str = "/wiki/of/a/larger/one";
    let mut web = Web::new();
    for number in 0..300 {
        web.push(&page(&format!("http://h.dk{FOLDER}/{number}"), "common words"));
    }
    web.index();
    let within = |host: &'static str| {
        (2..=FOLDER.len()).map(move |length| format!("{host}{}", &FOLDER[..length]))
    };
    let folders: Vec<String> = within("h.dk").chain(within("h.dk:80")).collect();
    let query = |by: &str| format!("common site:({})", folders.join(by));
    let searcher = |deadline| {
        let options = Options { deadline, ..Options::default() };
        Searcher::open_with(&web.collection, options).unwrap()
    };
    let patient = searcher(Duration::from_secs(60));
    for (by, count) in [(" OR ", 300), (" AND ", 300), (" -", 0)] {
        let results = search(&patient, &query(by));
        assert_eq!((results.total.count, results.is_partial), (count, false), "{by}");
    }
    let hasty = searcher(Duration::ZERO);
    let begun = Instant::now();
    for by in [" OR ", " AND ", " -"] {
        let results = search(&hasty, &query(by));
        assert!(results.is_partial && !results.total.is_exact, "{by}");
    }
    let results = search(&hasty, "site:h.dk/wiki");
    assert!(results.is_partial && results.hits.is_empty());
    assert!(begun.elapsed() < HANG);
}

#[test]
fn qry_19_work_stops_when_nobody_waits() {
    let web = alike();
    let searcher = web.searcher();
    let is_left = Arc::new(AtomicBool::new(true));
    for query in ["\"common words\"", "common NEAR/1 here", "common", "words -zebra lang:en"] {
        let request = Request { is_left: Some(&is_left), ..Request::new(query) };
        let results = searcher.search(&request).unwrap();
        assert!(results.is_partial && !results.total.is_exact, "{query}");
    }
}

/// Asks for so many queries of strangers, half of them mutated.
fn ask_many(count: usize) {
    let web = Web::of_texts(&JAGUARS);
    web.analyse();
    let searcher = web.searcher();
    Strangers::new().take(2 * count).for_each(|query| check(&searcher, &query));
}

#[test]
fn qry_20_random_and_mutated_queries_are_answered_or_too_large() {
    ask_many(5_000);
}

/// The same with a million of each; some minutes: `cargo test -p rank --release -- --ignored`.
#[test]
#[ignore = "takes minutes, see docs/hostile-inputs.md; the same in small is always run"]
fn qry_20_a_million_random_and_mutated_queries_are_answered_or_too_large() {
    ask_many(1_000_000);
}

#[test]
fn chr_09_snippets_and_titles_of_marks_are_cut() {
    let marks = format!("a{}", "\u{301}".repeat(10_000));
    let mut web = Web::new();
    let text = format!("Here a jaguar {marks} runs.");
    let record = PageRecord { title: marks.clone(), ..page("http://a.example/", &text) };
    web.push(&record);
    web.index();
    let results = web.search("jaguar");
    let hit = &results.hits[0];
    let shown: String = hit.snippet.segments.iter().map(|segment| segment.text.as_str()).collect();
    assert!(shown.contains("jaguar"), "{shown}");
    assert!(shown.chars().count() <= 512 && hit.title.len() < 4_096, "{}", shown.chars().count());
}
