//! Pages come, change and go; readers see it.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, mpsc};
use std::time::{Duration, Instant};

use base::{Span, Zone};
use index::{Reader, STORED_BYTES, Writer};

use crate::web::{OPTIONS, Web, block, num_docs, num_with_phrase, num_with_stem, page};

#[test]
fn a_page_of_the_log_can_be_found_and_shown() {
    let mut web = Web::new();
    let mut record = page(7, "http://a.example/big-cats?x", "Jaguars sleep by the river.");
    record.title = "Big cats".to_owned();
    record.robots.nosnippet = true;
    web.push(&record);
    assert_eq!(web.index().num_docs, 1);
    assert_eq!(num_with_stem(&web.collection, "jaguar"), 1);
    let snapshot = Reader::open(&web.collection.index()).snapshot().unwrap().unwrap();
    let address = snapshot.find(record.id).unwrap();
    assert_eq!(snapshot.page(address), record.id);
    let stored = snapshot.stored(address).unwrap().unwrap();
    assert_eq!((stored.id, stored.fetched), (record.id, record.fetched));
    assert_eq!((stored.url, stored.title), (record.url, record.title));
    assert_eq!((stored.blocks, stored.robots), (record.blocks, record.robots));
    assert_eq!(snapshot.languages, [("en".to_owned(), 1)]);
}

#[test]
fn htm_11_text_that_may_not_be_shown_is_found_and_not_stored() {
    let mut web = Web::new();
    let mut record = page(0, "http://a.example/", "Jaguars sleep by the secret river.");
    record.blocks.push(block(Zone::Body, "secret all"));
    record.blocks.push(block(Zone::Body, "open"));
    record.unquotable = vec![
        Span { block: 0, start: 20, end: 27 },
        Span { block: 1, start: 0, end: 10 },
        Span { block: 7, start: 0, end: 1 },
    ];
    web.push(&record);
    web.index();
    assert_eq!(num_with_stem(&web.collection, "secret"), 1);
    let snapshot = Reader::open(&web.collection.index()).snapshot().unwrap().unwrap();
    let stored = snapshot.stored(snapshot.find(record.id).unwrap()).unwrap().unwrap();
    let texts: Vec<_> = stored.blocks.iter().map(|block| block.text.as_str()).collect();
    assert_eq!(texts, ["Jaguars sleep by the river.", "open"]);
}

#[test]
fn words_of_two_blocks_are_no_neighbours() {
    let mut web = Web::new();
    let mut record = page(0, "http://a.example/", "new world");
    record.title = "old title".to_owned();
    record.blocks.push(block(Zone::Boilerplate, "mammal of the year"));
    web.push(&record);
    web.index();
    assert_eq!(num_with_phrase(&web.collection, "new world"), 1);
    assert_eq!(num_with_phrase(&web.collection, "old title"), 1);
    assert_eq!(num_with_phrase(&web.collection, "world mammal"), 0);
    assert_eq!(num_with_phrase(&web.collection, "title new"), 0);
}

/// Several threads say it, one follows and commits, one looks all the time.
#[test]
fn idx_05_a_page_indexed_a_thousand_times_concurrently_is_one_document() {
    const THREADS: u64 = 4;
    const ROUNDS: u64 = 250;
    let web = Web::new();
    let (tail, collection) = (web.log.tail(), web.collection.clone());
    let log = Mutex::new((web.log, 0_u64));
    let (stop, done) = (AtomicBool::new(false), AtomicBool::new(false));
    let num_commits = AtomicU64::new(0);
    std::thread::scope(|scope| {
        let follower = scope.spawn(|| {
            index::follow(&collection, &tail, OPTIONS, &stop, |commit| {
                assert!(commit.num_docs <= 1, "{commit:?}");
                num_commits.fetch_add(1, Ordering::Relaxed);
            })
        });
        let looking = scope.spawn(|| {
            let reader = Reader::open(&collection.index());
            while !done.load(Ordering::Relaxed) {
                reader.reload().unwrap();
                let found = reader.snapshot().unwrap().map(|found| found.searcher.num_docs());
                assert!(found.is_none_or(|num_docs| num_docs <= 1), "{found:?}");
                std::thread::sleep(Duration::from_millis(5));
            }
        });
        let say = || {
            for round in 0..ROUNDS {
                let before = num_commits.load(Ordering::Relaxed);
                let mut log = log.lock().unwrap();
                let text = format!("round{}", log.1);
                log.0.append(&page(3, "http://a.example/", &text)).unwrap();
                log.0.sync().unwrap();
                log.1 += 1;
                drop(log);
                // Now and then the next commit is waited for: there is something to commit.
                let begun = Instant::now();
                while round % 100 == 0 && num_commits.load(Ordering::Relaxed) == before {
                    assert!(begun.elapsed() < Duration::from_secs(60), "nobody commits");
                    std::thread::sleep(Duration::from_millis(5));
                }
            }
        };
        let saying: Vec<_> = (0..THREADS).map(|_| scope.spawn(say)).collect();
        saying.into_iter().for_each(|thread| thread.join().unwrap());
        stop.store(true, Ordering::Relaxed);
        follower.join().unwrap().unwrap();
        done.store(true, Ordering::Relaxed);
        looking.join().unwrap();
    });
    assert!(num_commits.into_inner() > 2);
    // What the follower had not read when it was stopped.
    let committed = index::catch_up(&collection, OPTIONS, |_| {}).unwrap();
    assert_eq!(committed.num_docs, 1);
    assert_eq!(index::check(&collection).unwrap().problems, []);
    let last = THREADS * ROUNDS - 1;
    for (round, expected) in [(0, 0), (last / 2, 0), (last - 1, 0), (last, 1)] {
        assert_eq!(num_with_stem(&collection, &format!("round{round}")), expected, "{round}");
    }
}

#[test]
fn idx_06_pages_that_go_away_leave_the_index() {
    let mut web = Web::new();
    let records: Vec<_> =
        (0..10).map(|n| page(n, &format!("http://a.example/{n}"), "jaguar")).collect();
    // Deleting what was never there.
    let mut missing = page(99, "http://a.example/99", "jaguar");
    missing.status = 404;
    web.push(&missing);
    records.iter().for_each(|record| web.push(record));
    assert_eq!(web.index().num_docs, 10);
    // Gone and back within one commit.
    let mut gone = records[0].clone();
    gone.status = 410;
    web.push(&gone);
    web.push(&records[0]);
    let mut hidden = records[1].clone();
    hidden.robots.noindex = true;
    web.push(&hidden);
    assert_eq!(web.index().num_docs, 9);
    for record in &records {
        let mut gone = record.clone();
        gone.status = 404;
        web.push(&gone);
    }
    assert_eq!(web.index().num_docs, 0);
    assert_eq!(num_with_stem(&web.collection, "jaguar"), 0);
}

#[test]
fn idx_07_a_commit_with_nothing_new_changes_nothing() {
    let mut web = Web::new();
    web.push(&page(0, "http://a.example/", "jaguar"));
    web.index();
    let size = base::file::size_below(&web.collection.index());
    for _ in 0..20 {
        web.index();
    }
    assert_eq!(base::file::size_below(&web.collection.index()), size);
}

#[test]
fn idx_02_and_03_and_04_odd_texts_are_indexed() {
    let mut web = Web::new();
    let mut empty = page(0, "http://a.example/0", "");
    empty.blocks.clear();
    empty.language = None;
    web.push(&empty);
    let letters = "\u{0}\u{fffd}\u{1f406}\n\u{202e}x".to_owned() + &"é".repeat(STORED_BYTES);
    web.push(&page(1, "http://a.example/1", &letters));
    web.push(&page(2, "http://a.example/2", &"a".repeat(100_000)));
    let many: Vec<_> = (0..10_000).map(|n| block(Zone::Body, &format!("w{n}"))).collect();
    let mut wide = page(3, "http://a.example/3", "");
    wide.blocks = many;
    web.push(&wide);
    assert_eq!(web.index().num_docs, 4);
    assert_eq!(num_with_stem(&web.collection, "w9999"), 1);
    let snapshot = Reader::open(&web.collection.index()).snapshot().unwrap().unwrap();
    for number in 0..4 {
        let id = base::PageId::new(0, number).unwrap();
        let stored = snapshot.stored(snapshot.find(id).unwrap()).unwrap().unwrap();
        assert!(stored.blocks.iter().map(|block| block.text.len()).sum::<usize>() <= STORED_BYTES);
        assert_eq!(stored.is_silent, number == 0);
    }
}

#[test]
fn idx_02_words_beyond_the_limit_are_merged() {
    const PAGES: u64 = 20;
    let before = index::num_cut_words();
    let mut web = Web::new();
    for number in 0..PAGES {
        let text = format!("jaguar {}{number} {}", "a".repeat(100_000), "é".repeat(40_000));
        web.push(&page(number, &format!("http://a.example/{number}"), &text));
        web.index();
    }
    let snapshot = Reader::open(&web.collection.index()).snapshot().unwrap().unwrap();
    let num_segments = snapshot.searcher.segment_readers().len() as u64;
    assert!(num_segments < PAGES, "nothing was merged");
    assert_eq!(num_with_stem(&web.collection, "jaguar"), PAGES as usize);
    // Two on each page; other tests may cut some at the same time.
    assert!(index::num_cut_words() >= before + 2 * PAGES);
}

#[test]
fn a_reader_sees_each_commit_and_keeps_its_own() {
    let mut web = Web::new();
    let reader = Reader::open(&web.collection.index());
    assert!(reader.snapshot().unwrap().is_none());
    web.push(&page(0, "http://a.example/0", "jaguar"));
    web.index();
    reader.reload().unwrap();
    let first = reader.snapshot().unwrap().unwrap();
    web.push(&page(1, "http://a.example/1", "jaguar"));
    let end = web.index().position;
    reader.reload().unwrap();
    let second = reader.snapshot().unwrap().unwrap();
    assert_eq!((first.searcher.num_docs(), second.searcher.num_docs()), (1, 2));
    assert_eq!(second.checkpoint, end);
}

#[test]
fn the_follower_makes_pages_searchable_while_they_come() {
    let mut web = Web::new();
    let (tail, collection) = (web.log.tail(), web.collection.clone());
    let stop = AtomicBool::new(false);
    let (sender, commits) = mpsc::channel();
    std::thread::scope(|scope| {
        let follower = scope.spawn(|| {
            index::follow(&collection, &tail, OPTIONS, &stop, |commit| {
                sender.send(commit).unwrap();
            })
        });
        for number in 0..3 {
            web.push(&page(number, &format!("http://a.example/{number}"), "jaguar"));
            let end = web.log.end();
            let commit = std::iter::repeat_with(|| {
                commits.recv_timeout(Duration::from_secs(30)).expect("a commit in time")
            })
            .find(|commit| commit.position == end)
            .unwrap();
            assert_eq!(commit.num_docs, number + 1);
            assert_eq!(num_docs(&collection), number + 1);
        }
        stop.store(true, Ordering::Relaxed);
        follower.join().unwrap().unwrap();
    });
    web.index();
}

/// Returns how many files of a folder this process has open, and how many it has mapped.
fn held(folder: &Path) -> (usize, usize) {
    let below = |path: &Path| path.starts_with(folder);
    let open = fs::read_dir("/proc/self/fd").unwrap().flatten();
    let open = open.filter_map(|entry| fs::read_link(entry.path()).ok());
    let maps = fs::read_to_string("/proc/self/maps").unwrap();
    let mapped = maps.lines().filter_map(|line| line.find('/').map(|at| Path::new(&line[at..])));
    (open.filter(|path| below(path)).count(), mapped.filter(|path| below(path)).count())
}

/// Commits page after page and returns the most segments, open files and maps seen on the way.
fn commit_one_by_one(web: &mut Web, num_commits: u64) -> (usize, usize, usize) {
    let folder = web.collection.index();
    for number in 0..num_commits {
        web.log.append(&page(number, &format!("http://a.example/{number}"), "jaguar")).unwrap();
    }
    web.log.sync().unwrap();
    let mut writer = Writer::open(&folder, OPTIONS).unwrap();
    let reader = Reader::open(&folder);
    let start = base::log::Position::START;
    let mut log = base::pages::Reader::open(&web.collection.pages(), start).unwrap();
    let mut most = (0, 0, 0);
    for number in 1_u64.. {
        let Some(entry) = log.next_entry().unwrap() else { break };
        writer.apply(&entry).unwrap();
        writer.commit().unwrap();
        if number % 20 == 0 {
            reader.reload().unwrap();
            let snapshot = reader.snapshot().unwrap().unwrap();
            let (open, mapped) = held(&folder);
            let segments = snapshot.searcher.segment_readers().len();
            most = (most.0.max(segments), most.1.max(open), most.2.max(mapped));
        }
    }
    writer.finish().unwrap();
    most
}

#[track_caller]
fn check_commits(num_commits: u64) {
    let mut web = Web::new();
    let (segments, open, mapped) = commit_one_by_one(&mut web, num_commits);
    // Seven files of a segment are mapped, by the writer and by the reader.
    let is_few = segments <= 24 && open <= 24 && mapped <= 24 * 7 * 2;
    assert!(is_few, "{segments} segments, {open} open files, {mapped} maps");
    let snapshot = Reader::open(&web.collection.index()).snapshot().unwrap().unwrap();
    assert!(snapshot.searcher.segment_readers().len() <= 16);
    assert_eq!(snapshot.searcher.num_docs(), num_commits);
}

#[test]
fn idx_07_and_14_many_commits_leave_few_segments_files_and_maps() {
    check_commits(40);
}

#[test]
#[ignore = "takes minutes; cargo test -p index --test it -- --ignored idx_07"]
fn idx_07_and_14_ten_thousand_commits_leave_few_segments_files_and_maps() {
    check_commits(10_000);
}

#[test]
fn idx_08_a_reader_finds_its_pages_while_segments_are_merged_and_removed() {
    let mut web = Web::new();
    for number in 0..100 {
        web.push(&page(number, &format!("http://a.example/{number}"), "jaguar"));
    }
    web.index();
    let reader = Reader::open(&web.collection.index());
    let held = reader.snapshot().unwrap().unwrap();
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let searching = scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                reader.reload().unwrap();
                let snapshot = reader.snapshot().unwrap().unwrap();
                assert!(snapshot.searcher.num_docs() >= 100);
                let address = snapshot.find(base::PageId::new(0, 7).unwrap()).unwrap();
                assert!(snapshot.stored(address).unwrap().is_some());
            }
        });
        // Each page again, one commit each: merges, and old segments that are removed.
        let mut writer = Writer::open(&web.collection.index(), OPTIONS).unwrap();
        let start = base::log::Position::START;
        let mut log = base::pages::Reader::open(&web.collection.pages(), start).unwrap();
        while let Some(entry) = log.next_entry().unwrap() {
            writer.apply(&entry).unwrap();
            writer.commit().unwrap();
        }
        writer.finish().unwrap();
        done.store(true, Ordering::Relaxed);
        searching.join().unwrap();
    });
    for number in 0..100 {
        let address = held.find(base::PageId::new(0, number).unwrap()).unwrap();
        assert!(held.stored(address).unwrap().is_some());
    }
}

#[test]
fn copies_soft_missing_pages_and_lists_are_no_answers() {
    let mut web = Web::new();
    let original = page(0, "http://a.example/", "jaguar river");
    web.push(&original);
    web.push(&page(1, "http://a.example/copy", "jaguar river"));
    assert_eq!(web.index().num_docs, 2);
    // Said anew, because its original turned up; the others come as what they are.
    let mut copy = page(1, "http://a.example/copy", "");
    copy.copy_of = Some(original.id);
    web.push(&copy);
    let mut missing = page(2, "http://a.example/gone", "jaguar");
    missing.oddities = vec![base::Oddity::SoftMissing];
    web.push(&missing);
    let mut list = page(3, "http://a.example/sitemap.xml", "");
    list.kind = base::ContentKind::Sitemap;
    web.push(&list);
    assert_eq!(web.index().num_docs, 1);
    assert_eq!(num_with_stem(&web.collection, "jaguar"), 1);
}
