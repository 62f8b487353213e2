//! An index that is filled anew, best pages first, and left half-way.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::thread::sleep;
use std::time::Duration;

use base::{Collection, PageId};
use index::{Problem, Reader};

use crate::process::{TASK, TASK_NAME, child};
use crate::web::{OPTIONS, Web, page};

/// Enough for two segments.
const PAGES: u64 = 4_400;

/// The last pages are the best.
fn rank(page: PageId) -> f32 {
    page.index() as f32 / PAGES as f32
}

/// Fills the index until its first segment can be searched, says so, and waits to be killed.
#[test]
#[ignore = "for child processes"]
fn task_of_a_child_that_fills() {
    let Some(root) = std::env::var_os(TASK) else { return };
    let collection = Collection::open(Path::new(&root)).unwrap();
    let on_commit = |_| {
        println!("\nheld");
        sleep(Duration::from_secs(600));
    };
    index::rebuild_by_rank(&collection, OPTIONS, &rank, on_commit).unwrap();
}

/// Runs a child until it has said something so many times, and kills it.
fn kill_after(web: &Web, task: &str, word: &str, times: usize) {
    let mut running = child(web, None, task).spawn().unwrap();
    let lines = BufReader::new(running.stdout.take().unwrap()).lines();
    let said = lines.map_while(Result::ok).filter(|line| line.starts_with(word)).take(times);
    assert_eq!(said.count(), times);
    running.kill().unwrap();
    running.wait().unwrap();
}

/// Checks that nothing is wrong but that the index was left half-way; returns how many pages it has
/// and how many records are still to be read.
#[track_caller]
fn left(web: &Web) -> (u64, u64) {
    let problems = index::check(&web.collection).unwrap().problems;
    let [Problem::Interrupted { num_docs, num_behind }] = problems[..] else {
        panic!("{} problems: {:?}", problems.len(), &problems[..problems.len().min(3)]);
    };
    assert!(problems[0].to_string().contains("was interrupted"), "{}", problems[0]);
    (num_docs, num_behind)
}

#[test]
fn sto_02_a_filling_that_was_killed_is_told_as_such_until_it_is_made_good() {
    let mut web = Web::new();
    for number in 0..PAGES {
        let record = page(number, &format!("http://a.example/{number}"), "jaguar");
        // Some are read twice, and some are gone in the end.
        let status = if number % 50 == 7 { 404 } else { 200 };
        web.log.append(&record).unwrap();
        if number % 10 == 7 {
            web.log.append(&base::PageRecord { status, ..record }).unwrap();
        }
    }
    web.log.sync().unwrap();
    let (answers, records) = (PAGES - PAGES / 50, PAGES + PAGES / 10);
    kill_after(&web, "filling::task_of_a_child_that_fills", "held", 1);
    let (num_docs, num_behind) = left(&web);
    assert!((1..answers).contains(&num_docs), "{num_docs}");
    assert_eq!(num_behind, records);
    // The next one reads all of it again, and is killed too: three records are in each commit.
    kill_after(&web, TASK_NAME, "acknowledged", 5);
    let (num_docs, num_behind) = left(&web);
    assert!((1..answers).contains(&num_docs), "{num_docs}");
    assert!((records - 30..=records - 15).contains(&num_behind), "{num_behind}");
    // What was left does not count twice.
    assert_eq!(web.index().num_docs, answers);
    let snapshot = Reader::open(&web.collection.index()).snapshot().unwrap().unwrap();
    assert_eq!(snapshot.checkpoint, web.log.end());

    // Or it is filled anew.
    kill_after(&web, "filling::task_of_a_child_that_fills", "held", 1);
    left(&web);
    let filled = index::rebuild_by_rank(&web.collection, OPTIONS, &rank, |_| {}).unwrap();
    assert_eq!(filled.num_docs, answers);
    assert_eq!(index::check(&web.collection).unwrap().problems, []);
}
