//! Queries of strangers: answered or refused for their size, in time, whatever they say.

use std::time::{Duration, Instant};

use proptest::test_runner::{RngAlgorithm, TestRng};
use rank::{Error, Options, Request, Searcher};

use crate::web::{JAGUARS, Web, page};

#[track_caller]
fn check(searcher: &Searcher, query: &str) {
    match searcher.search(&Request::new(query)) {
        Ok(results) => {
            let scores = results.hits.iter().map(|hit| hit.score);
            assert!(scores.clone().all(f32::is_finite), "{query:?}");
            assert!(scores.is_sorted_by(|one, next| one >= next), "{query:?}");
        }
        Err(error) => assert!(matches!(error, Error::Query(_)), "{query:?}: {error}"),
    }
}

/// QRY-01 to QRY-05, QRY-13, QRY-16.
#[test]
fn odd_queries_are_answered() {
    let web = Web::of_texts(&JAGUARS);
    let searcher = web.searcher();
    let long = format!("\"{}\"", vec!["jaguar"; 64].join(" "));
    let alternatives = vec!["jaguar"; 64].join(" OR ");
    let nested = "(".repeat(32) + "jaguar" + &")".repeat(32);
    for query in [
        "",
        " ",
        "the of and",
        "...",
        "\u{1f406}",
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
        "\"jaguar jaguar\"",
        "\"jaguar jaguar jaguar\"",
        "\u{202e}jaguar\u{200b}",
        "ＪＡＧＵＡＲ",
        "jag\u{301}uar",
        "jaguar\u{0}\n",
        "NOT (jaguar OR NOT (cat AND NOT family))",
        &long,
        &alternatives,
        &nested,
    ] {
        check(&searcher, query);
    }
    for query in ["a".repeat(1_025), "a ".repeat(100), format!("({nested})")] {
        let error = searcher.search(&Request::new(&query)).unwrap_err();
        assert!(error.is_bad_request(), "{query:?}: {error}");
    }
    let found = |query| searcher.search(&Request::new(query)).unwrap().total.count;
    assert_eq!((found(&nested), found(&alternatives), found("ＪＡＧＵＡＲ")), (6, 6, 6));
    assert_eq!((found("\"jaguar jaguar\""), found("…")), (0, 0));
}

/// QRY-20 in small.
#[test]
fn ten_thousand_mutated_queries_are_answered_or_too_large() {
    let seed = std::env::var("SEED").ok().and_then(|seed| seed.parse::<u64>().ok()).unwrap_or(7);
    println!("SEED={seed}");
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    let mut random = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
    let web = Web::of_texts(&JAGUARS);
    web.analyse();
    let searcher = web.searcher();
    let pieces = [
        "jaguar",
        "new",
        "family",
        "cat",
        "the",
        "zebra",
        " ",
        " ",
        " AND ",
        " OR ",
        " NOT ",
        "-",
        "(",
        ")",
        "\"",
        "\u{201c}",
        "*",
        "~2",
        "^9",
        ":",
        "title:",
        "NEAR/3",
        "\u{0}",
        "日本語",
        "\u{1f406}",
        "é",
        "\u{202e}",
        "[* TO *]",
        "/(.*a)/",
        "+",
        "a",
        "\\",
        "'",
        "&",
        "<b>",
    ];
    for _ in 0..10_000 {
        let mut query = String::new();
        for _ in 0..pick(&mut random, 40) {
            query.push_str(pieces[pick(&mut random, pieces.len())]);
        }
        check(&searcher, &query);
    }
}

fn pick(random: &mut TestRng, count: usize) -> usize {
    use proptest::prelude::Rng;
    random.next_u32() as usize % count
}

/// QRY-14, QRY-15: an index where every page has the same words.
#[test]
fn the_deadline_holds_and_common_words_are_counted() {
    let mut web = Web::new();
    for number in 0..3_000 {
        let text = format!("common words stand side by side here {}", "common words ".repeat(20));
        web.push(&page(&format!("http://h{number}.example/"), &text));
    }
    web.index();
    let searcher = web.searcher();
    for query in ["common", "\"common words\"", "common OR words", "common words -zebra"] {
        let results = searcher.search(&Request::new(query)).unwrap();
        assert_eq!((results.total.count, results.hits.len()), (3_000, 10), "{query}");
        assert!(results.total.is_exact && !results.is_partial);
    }
    let options = Options { deadline: Duration::ZERO, ..Options::default() };
    let hasty = Searcher::open_with(&web.collection, options).unwrap();
    let begun = Instant::now();
    let results = hasty.search(&Request::new("\"common words\"")).unwrap();
    assert!(results.is_partial && !results.total.is_exact);
    assert!(results.total.count > 0 && begun.elapsed() < Duration::from_secs(1));
}
