//! Strategies from the outside: their lists are made, used, out of date, damaged, gone.

use std::fs;

use base::Generation;
use rank::{Request, Results, Searcher, Strategy};

use crate::web::{JAGUARS, Web, page};

const WITH_LISTS: [Strategy; 4] =
    [Strategy::Threshold, Strategy::Champions, Strategy::Clusters, Strategy::Tiers];

fn web() -> Web {
    let mut web = Web::new();
    for round in 0..20 {
        for (i, text) in JAGUARS.iter().enumerate() {
            web.push(&page(&format!("http://r{round}d{i}.example/"), text));
        }
    }
    web.index();
    web.analyse();
    web
}

fn ask(searcher: &Searcher, strategy: Strategy) -> Results {
    searcher.search_by(strategy, &Request::new("jaguar new")).unwrap()
}

fn finds(results: &Results, url: &str) -> bool {
    results.hits.iter().any(|hit| hit.url.as_str() == url)
}

fn urls(results: &Results) -> Vec<String> {
    results.hits.iter().map(|hit| hit.url.to_string()).collect()
}

#[test]
fn every_strategy_answers_with_what_block_max_answers_with_on_a_small_web() {
    let web = web();
    let searcher = web.searcher();
    let expected = urls(&ask(&searcher, Strategy::BlockMax));
    assert_eq!(expected.len(), 10);
    for strategy in WITH_LISTS {
        // Without lists it says so, and answers all the same.
        let before = ask(&web.searcher(), strategy);
        if strategy == WITH_LISTS[0] {
            assert_eq!(before.first.unwrap().strategy, Strategy::BlockMax);
            assert!(before.first.unwrap().note.is_some());
        }
        assert_eq!(urls(&before).len(), 10);
        searcher.prepare(strategy).unwrap();
        let results = ask(&searcher, strategy);
        let report = results.first.unwrap();
        assert_eq!((report.strategy, report.note), (strategy, None));
        assert!(report.documents > 0 && report.postings.is_some_and(|postings| postings > 0));
        if strategy.is_exact() {
            assert_eq!((urls(&results), report.recall), (expected.clone(), None));
        } else {
            let recall = report.recall.unwrap();
            assert!((0.0..=1.0).contains(&recall), "{recall}");
            assert!(report.to_string().contains(&format!("recall@10 {recall:.2}")), "{report}");
        }
        assert!(report.to_string().starts_with(strategy.name()));
    }
}

#[test]
fn of_many_words_whole_lists_are_read() {
    let web = web();
    let searcher = web.searcher();
    let words = ["jaguar", "new", "world", "family", "cat", "mammal", "large", "common"];
    for count in [2, 7, 8] {
        let query = words[..count].join(" OR ");
        let by = |strategy| searcher.search_by(strategy, &Request::new(&query)).unwrap();
        let (one, other) = (by(Strategy::BlockMax), by(Strategy::Exhaustive));
        assert_eq!(urls(&one), urls(&other), "{query}");
        assert_eq!(one.total, other.total);
        let (report, is_many) = (one.first.unwrap(), count == 8);
        let expected = if is_many { Strategy::Exhaustive } else { Strategy::BlockMax };
        assert_eq!((report.strategy, report.note.is_some()), (expected, is_many), "{query}");
    }
}

#[test]
fn lists_of_an_earlier_commit_are_not_used_and_made_anew() {
    let mut web = web();
    let searcher = web.searcher();
    searcher.prepare(Strategy::Threshold).unwrap();
    web.push(&page("http://new.example/", "jaguar new jaguar new jaguar new"));
    web.index();
    let searcher = web.searcher();
    let request = Request { count: 200, ..Request::new("jaguar new") };
    let results = searcher.search_by(Strategy::Threshold, &request).unwrap();
    assert_eq!(results.first.unwrap().strategy, Strategy::BlockMax);
    assert!(finds(&results, "http://new.example/"));
    searcher.prepare(Strategy::Threshold).unwrap();
    let results = searcher.search_by(Strategy::Threshold, &request).unwrap();
    assert_eq!(results.first.unwrap().strategy, Strategy::Threshold);
    assert!(finds(&results, "http://new.example/"));
}

#[test]
fn sto_08_lists_that_are_damaged_or_gone_are_left_out_and_made_anew() {
    let web = web();
    web.searcher().prepare(Strategy::Tiers).unwrap();
    let path = web.collection.scores(Generation(1)).join("lists");
    let whole = fs::read(&path).unwrap();
    let expected = urls(&ask(&web.searcher(), Strategy::BlockMax));
    for bytes in [&whole[..whole.len() / 2], &[], b"something else, and long enough to be read"] {
        fs::write(&path, bytes).unwrap();
        let results = ask(&web.searcher(), Strategy::Tiers);
        assert_eq!(results.first.unwrap().strategy, Strategy::BlockMax);
        assert_eq!(urls(&results), expected);
        web.searcher().prepare(Strategy::Tiers).unwrap();
        assert_eq!(fs::read(&path).unwrap(), whole);
    }
    fs::remove_file(&path).unwrap();
    web.searcher().prepare(Strategy::Tiers).unwrap();
    assert_eq!(fs::read(&path).unwrap(), whole);
    assert_eq!(graph::check_scores(&web.collection.scores(Generation(1))).ok(), Some(()));
}
