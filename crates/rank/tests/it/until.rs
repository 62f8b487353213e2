//! Pages that are answers up to a date only (robots `unavailable_after`, HTM-11).

use base::{PageId, Timestamp};
use rank::{Lookup, Model, Options, Request, Searcher, Strategy};

use crate::web::{Web, hosts, link, page};

const HOUR: i64 = 3_600_000;

/// Three pages; two of them may be found until some time of the day.
fn web() -> Web {
    let mut web = Web::new();
    for (number, hour) in [(1, None), (2, Some(8)), (3, Some(20))] {
        let mut record = page(&format!("http://d{number}.example/"), "jaguar by the river");
        record.until = hour.map(|hour| Timestamp::from_millis(hour * HOUR));
        web.push(&record);
    }
    // Another one is found by what others call the second.
    for number in 4..7 {
        let mut record = page(&format!("http://d{number}.example/"), "forest");
        record.links = vec![link("http://d2.example/", "waterfall")];
        web.push(&record);
    }
    web.index();
    web.analyse();
    web
}

fn searcher(web: &Web, clock: rank::Clock) -> Searcher {
    Searcher::open_with(&web.collection, Options { clock, ..Options::default() }).unwrap()
}

const MORNING: rank::Clock = || Timestamp::from_millis(7 * HOUR);
const NOON: rank::Clock = || Timestamp::from_millis(12 * HOUR);
const NIGHT: rank::Clock = || Timestamp::from_millis(20 * HOUR);

#[track_caller]
fn check(searcher: &Searcher, request: &Request<'_>, expected: &[&str]) {
    let results = searcher.search(request).unwrap();
    let mut found = hosts(&results);
    found.sort_unstable();
    assert_eq!(found, expected, "{request:?}");
    assert_eq!((results.total.count, results.total.is_exact), (expected.len() as u64, true));
}

#[test]
fn htm_11_a_page_is_an_answer_up_to_its_date() {
    let web = web();
    for model in [Model::Lookfar, Model::Bm25, Model::Cosine] {
        let request = Request { model, ..Request::new("jaguar river") };
        check(&searcher(&web, MORNING), &request, &["d1", "d2", "d3"]);
        check(&searcher(&web, NOON), &request, &["d1", "d3"]);
        check(&searcher(&web, NIGHT), &request, &["d1"]);
    }
    for query in ["\"by the river\"", "jag*", "host:d2.example OR jaguar", "NOT forest"] {
        check(&searcher(&web, NOON), &Request::new(query), &["d1", "d3"]);
    }
    // By the words of others neither.
    check(&searcher(&web, MORNING), &Request::new("waterfall"), &["d2"]);
    check(&searcher(&web, NOON), &Request::new("waterfall"), &[]);
}

#[test]
fn htm_11_a_page_past_its_date_is_not_kept_for_showing() {
    let web = web();
    let lookup = Lookup::Page(PageId::new(0, 1).unwrap());
    assert!(searcher(&web, MORNING).kept(&lookup).unwrap().is_some());
    assert!(searcher(&web, NOON).kept(&lookup).unwrap().is_none());
}

#[test]
fn htm_11_strategies_with_lists_leave_the_search_to_others_once_a_page_is_past() {
    let web = web();
    let request = Request::new("jaguar river");
    let (morning, noon) = (searcher(&web, MORNING), searcher(&web, NOON));
    morning.prepare(Strategy::Threshold).unwrap();
    let results = morning.search_by(Strategy::Threshold, &request).unwrap();
    assert_eq!((results.hits.len(), results.first.unwrap().note), (3, None));
    let results = noon.search_by(Strategy::Threshold, &request).unwrap();
    assert_eq!((results.hits.len(), results.first.unwrap().strategy), (2, Strategy::BlockMax));
    assert!(results.first.unwrap().note.is_some());
}

#[test]
fn htm_11_any_number_of_pages_past_their_date_hides_no_other() {
    let mut web = Web::new();
    for number in 0..1_100 {
        // The better ones are past.
        let mut record = page(&format!("http://p{number}.example/"), "jaguar");
        record.until = Some(Timestamp::from_millis(HOUR));
        web.push(&record);
    }
    for number in 1..4 {
        let text =
            format!("a jaguar and many other words of less worth {}", "more ".repeat(number));
        web.push(&page(&format!("http://d{number}.example/"), &text));
    }
    web.index();
    check(&searcher(&web, NOON), &Request::new("jaguar"), &["d1", "d2", "d3"]);
}
