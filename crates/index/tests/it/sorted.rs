//! Segments sorted by rank, filled on all cores; merges and commits that change no answer.

use std::cmp::Reverse;

use base::PageId;
use index::{Reader, Snapshot, Writer};
use tantivy::DocAddress;

use crate::web::{OPTIONS, Web, num_with_stem, page};

fn fill(web: &mut Web, numbers: std::ops::Range<u64>, text: &str) {
    for number in numbers {
        web.log.append(&page(number, &format!("http://a.example/{number}"), text)).unwrap();
    }
    web.log.sync().unwrap();
}

fn snapshot(web: &Web) -> std::sync::Arc<Snapshot> {
    Reader::open(&web.collection.index()).snapshot().unwrap().unwrap()
}

/// Returns the pages of each segment in the order of its documents.
fn pages(snapshot: &Snapshot) -> Vec<Vec<u64>> {
    let segments = (0..).zip(snapshot.searcher.segment_readers());
    segments
        .map(|(segment_ord, segment)| {
            let living = segment.doc_ids_alive();
            let page = |doc_id| snapshot.page(DocAddress { segment_ord, doc_id }).index();
            living.map(page).collect()
        })
        .collect()
}

/// Some order that is not that of the pages.
fn rank(page: PageId) -> f32 {
    (page.index() * 7 % 100) as f32 / 100.0
}

/// The step of rank that a page belongs to: within one, pages stay as they came.
fn step(page: &u64) -> u64 {
    (rank(PageId::new(0, *page).unwrap()) * 7.0) as u64
}

#[test]
fn an_index_that_is_filled_anew_has_its_best_pages_first() {
    let mut web = Web::new();
    fill(&mut web, 0..100, "jaguar");
    // A page that was fetched again replaces its older self.
    fill(&mut web, 20..30, "leopard");
    let before = web.index();
    let after = index::rebuild_by_rank(&web.collection, OPTIONS, &rank, |_| {}).unwrap();
    assert_eq!(before, after);
    assert_eq!(index::check(&web.collection).unwrap().problems, []);
    assert_eq!(num_with_stem(&web.collection, "jaguar"), 90);
    assert_eq!(num_with_stem(&web.collection, "leopard"), 10);
    for segment in pages(&snapshot(&web)) {
        let steps: Vec<u64> = segment.iter().map(step).collect();
        assert!(steps.is_sorted_by(|one, next| one >= next), "{steps:?}");
    }
}

#[test]
fn segments_of_an_index_that_is_filled_anew_follow_each_other_by_rank() {
    const PAGES: u64 = 9_000;
    let mut web = Web::new();
    fill(&mut web, 0..PAGES, "jaguar");
    index::rebuild_by_rank(&web.collection, OPTIONS, &rank, |_| {}).unwrap();
    let mut segments = pages(&snapshot(&web));
    assert!(segments.len() > 1, "one segment has all");
    let place = |page: &u64| (Reverse(step(page)), *page);
    segments.sort_by_key(|segment| place(&segment[0]));
    let in_order = segments.concat();
    assert!(in_order.is_sorted_by_key(place));
    assert_eq!(in_order.len() as u64, PAGES);
    assert_eq!(index::check(&web.collection).unwrap().problems, []);
}

#[test]
fn an_index_whose_filling_is_interrupted_has_some_pages_and_is_filled_on() {
    let mut web = Web::new();
    fill(&mut web, 0..9_000, "jaguar");
    fill(&mut web, 8_990..8_995, "leopard");
    let interrupted = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        let on_commit = |now: index::Committed| {
            assert_eq!(now.position, base::log::Position::START);
            assert!(now.num_docs == 0, "stop");
        };
        index::rebuild_by_rank(&web.collection, OPTIONS, &rank, on_commit)
    }));
    assert!(interrupted.is_err());
    let num_found = num_with_stem(&web.collection, "jaguar");
    assert!((1..9_000).contains(&num_found), "{num_found}");
    // The checkpoint is where it was: all of the log is read again, in place of what there is.
    assert_eq!(web.index().num_docs, 9_000);
    assert_eq!(num_with_stem(&web.collection, "jaguar"), 8_995);
    assert_eq!(num_with_stem(&web.collection, "leopard"), 5);
}

#[test]
fn pages_that_come_after_are_found_beside_the_sorted_ones() {
    let mut web = Web::new();
    fill(&mut web, 0..50, "jaguar");
    index::rebuild_by_rank(&web.collection, OPTIONS, &rank, |_| {}).unwrap();
    // Enough small commits to be merged with each other.
    for number in 50..80 {
        fill(&mut web, number..number + 1, "jaguar");
        web.index();
    }
    fill(&mut web, 0..5, "leopard");
    assert_eq!(web.index().num_docs, 80);
    assert_eq!(num_with_stem(&web.collection, "jaguar"), 75);
    assert_eq!(num_with_stem(&web.collection, "leopard"), 5);
}

#[test]
fn filling_on_all_cores_is_filling() {
    let mut web = Web::new();
    for number in 0..700 {
        let text = format!("jaguar w{}", number % 13);
        fill(&mut web, number..number + 1, &text);
    }
    fill(&mut web, 0..300, "leopard");
    let options = index::Options { memory_bytes: 64 * 1024 * 1024 };
    let mut told = Vec::new();
    let committed = index::rebuild(&web.collection, options, |now| told.push(now)).unwrap();
    assert_eq!(committed.num_docs, 700);
    assert_eq!(told.last(), Some(&committed));
    assert_eq!(index::check(&web.collection).unwrap().problems, []);
    assert_eq!(num_with_stem(&web.collection, "jaguar"), 400);
    assert_eq!(num_with_stem(&web.collection, "leopard"), 300);
}

#[test]
fn an_index_without_a_log_is_filled_with_nothing() {
    let web = Web::new();
    assert_eq!(index::rebuild(&web.collection, OPTIONS, |_| {}).unwrap().num_docs, 0);
}

#[test]
fn idx_13_merges_of_segments_with_deletes_anywhere_change_no_answer() {
    // Which pages of each segment of twenty go away: at its start, at its end, all, every other,
    // none.
    let gone: [fn(u64) -> bool; 5] = [|n| n < 6, |n| n >= 14, |_| true, |n| n % 2 == 0, |_| false];
    let mut web = Web::new();
    let mut writer = Writer::open(&web.collection.index(), OPTIONS).unwrap();
    let start = base::log::Position::START;
    let apply = |web: &mut Web, writer: &mut Writer, from: base::log::Position| {
        let mut log = base::pages::Reader::open(&web.collection.pages(), from).unwrap();
        while let Some(entry) = log.next_entry().unwrap() {
            writer.apply(&entry).unwrap();
        }
        writer.commit().unwrap().position
    };
    let mut end = start;
    for segment in 0..5 {
        fill(&mut web, segment * 20..segment * 20 + 20, "jaguar river");
        end = apply(&mut web, &mut writer, end);
    }
    let mut expected = Vec::new();
    for number in 0..100 {
        if gone[(number / 20) as usize](number % 20) {
            let mut record = page(number, &format!("http://a.example/{number}"), "");
            record.status = 410;
            web.log.append(&record).unwrap();
        } else {
            expected.push(number);
        }
    }
    web.log.sync().unwrap();
    end = apply(&mut web, &mut writer, end);
    let found = |web: &Web| {
        let mut found: Vec<u64> = pages(&snapshot(web)).concat();
        found.sort_unstable();
        assert_eq!(num_with_stem(&web.collection, "jaguar"), found.len());
        found
    };
    assert_eq!(found(&web), expected);
    // Small commits until the policy merges all of them.
    let num_segments = snapshot(&web).searcher.segment_readers().len();
    for number in 0..20 {
        fill(&mut web, 200 + number..201 + number, "jaguar");
        expected.push(200 + number);
        end = apply(&mut web, &mut writer, end);
    }
    writer.finish().unwrap();
    assert!(snapshot(&web).searcher.segment_readers().len() < num_segments + 20);
    assert_eq!(found(&web), expected);
    assert_eq!(index::check(&web.collection).unwrap().problems, []);
}
