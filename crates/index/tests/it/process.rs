//! Writers that die, by their own threads or killed from outside, and processes short of files.
//!
//! A part of these tests runs in a child process: this binary again, told by the environment what
//! to do.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

use base::Collection;
use base::log::Position;
use base::pages;
use index::{Committed, Error, Reader, Writer};
use rustix::process::{Resource, Rlimit, setrlimit};

use crate::web::{OPTIONS, Web, num_docs, page};

pub(crate) const TASK: &str = "LOOKFAR_TEST_INDEX";
pub(crate) const TASK_NAME: &str = "process::task_of_a_child";

pub(crate) fn fill(web: &mut Web, numbers: std::ops::Range<u64>) {
    for number in numbers {
        let text = format!("jaguar {}", "river forest night ".repeat((number % 50) as usize));
        web.log.append(&page(number, &format!("http://a.example/{number}"), &text)).unwrap();
    }
    web.log.sync().unwrap();
}

/// Returns the command that runs the test of this binary that is for children.
pub(crate) fn child(web: &Web, limit: Option<&str>, task: &str) -> Command {
    let program = std::env::current_exe().unwrap();
    let mut command = match limit {
        // The shell lowers its own limit and becomes the program.
        Some(limit) => {
            let mut command = Command::new("sh");
            command.args(["-c", &format!("{limit} && exec \"$@\""), "sh"]).arg(program);
            command
        }
        None => Command::new(program),
    };
    command
        .args(["--exact", task, "--ignored", "--nocapture", "--test-threads=1"])
        .env(TASK, web.collection.root())
        .stderr(Stdio::null())
        .stdout(Stdio::piped());
    command
}

/// Opens the index and puts the log into it, a commit for every three records; says how it went.
#[test]
#[ignore = "for child processes"]
fn task_of_a_child() {
    let Some(root) = std::env::var_os(TASK) else { return };
    let collection = Collection::open(Path::new(&root)).unwrap();
    let mut out = std::io::stdout();
    let mut writer = match Writer::open(&collection.index(), OPTIONS) {
        Ok(writer) => writer,
        Err(error) => {
            let is_damaged = matches!(error, Error::Damaged { .. });
            writeln!(out, "\nrefused {is_damaged} {}", said(&error)).unwrap();
            return;
        }
    };
    let mut log = pages::Reader::open(&collection.pages(), writer.checkpoint()).unwrap();
    for number in 1.. {
        let Some(entry) = log.next_entry().unwrap() else { break };
        let applied = writer.apply(&entry);
        if number % 3 == 0 {
            match applied.and_then(|()| writer.commit()) {
                Ok(Committed { position: Position { segment, offset }, .. }) => {
                    writeln!(out, "\nacknowledged {segment} {offset}").unwrap();
                }
                Err(error) => {
                    writeln!(out, "\nfailed {}", said(&error)).unwrap();
                    return;
                }
            }
        }
    }
    writer.commit().unwrap();
    writer.finish().unwrap();
}

/// Returns an error with its causes, in one line.
fn said(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text += &format!(": {error}");
        cause = error.source();
    }
    text.replace('\n', " ")
}

/// Opens the index for reading with no address space left to map its files into.
#[test]
#[ignore = "for child processes"]
fn task_of_a_child_without_maps() {
    let Some(root) = std::env::var_os(TASK) else { return };
    let collection = Collection::open(Path::new(&root)).unwrap();
    // Small things must still find room while maps do not: freed below one that stays.
    let mut room: Vec<Box<[u8; 1024]>> = (0..16_000).map(|_| Box::new([1; 1024])).collect();
    let last = room.pop();
    drop(room);
    let pages: u64 =
        fs::read_to_string("/proc/self/statm").unwrap().split(' ').next().unwrap().parse().unwrap();
    let limits = Rlimit { current: Some(pages * 4096 + 8192), maximum: None };
    setrlimit(Resource::As, limits).unwrap();
    let reader = Reader::open(&collection.index());
    let opened = reader.snapshot();
    let none = Rlimit { current: None, maximum: None };
    setrlimit(Resource::As, none).unwrap();
    match opened {
        Ok(_) => println!("\nopened"),
        Err(error) => {
            let is_damaged = matches!(error, Error::Damaged { .. });
            println!("\nrefused {is_damaged} {}", said(&error));
        }
    }
    // With room again the same reader answers.
    let num_docs = reader.snapshot().unwrap().map(|snapshot| snapshot.searcher.num_docs());
    println!("\nlater {num_docs:?}");
    drop(last);
}

/// The ceiling that is asked for: the least for two threads.
const CEILING: usize = 32 * 1024 * 1024;
/// What a process takes beside it: stacks of threads, buffers of files, the pages in hand, and the
/// sorted list of its words when a segment is written.
const BESIDE: u64 = 32 * 1024 * 1024;
/// The ceiling that a child is told.
const TOLD: &str = "LOOKFAR_TEST_CEILING";
/// Set if the child is to fill the index as pages come, and not anew.
const LIVE: &str = "LOOKFAR_TEST_LIVE";

/// Bytes that the child may take beyond that.
const MORE: &str = "LOOKFAR_TEST_MORE";

/// Fills an index in a process that may not take more than [`CEILING`] and [`BESIDE`].
#[test]
#[ignore = "for child processes"]
fn task_of_a_child_with_a_ceiling() {
    let (Some(root), Ok(told)) = (std::env::var_os(TASK), std::env::var(TOLD)) else { return };
    let collection = Collection::open(Path::new(&root)).unwrap();
    let options = index::Options { memory_bytes: told.parse().unwrap() };
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let data = status.lines().find_map(|line| line.strip_prefix("VmData:")).unwrap();
    let data: u64 = data.trim().trim_end_matches(" kB").parse().unwrap();
    let more: u64 = std::env::var(MORE).ok().and_then(|text| text.parse().ok()).unwrap_or(0);
    let most = data * 1024 + CEILING as u64 + BESIDE + more;
    setrlimit(Resource::Data, Rlimit { current: Some(most), maximum: None }).unwrap();
    let filled = match std::env::var_os(LIVE) {
        Some(_) => index::catch_up(&collection, options, |_| {}),
        None => index::rebuild(&collection, options, |_| {}),
    };
    let num_docs = filled.unwrap().num_docs;
    println!("\nfilled {num_docs}");
}

#[test]
fn a_process_that_fills_an_index_obeys_the_ceiling_of_its_memory() {
    const PAGES: u64 = 2_000;
    let mut web = Web::new();
    for number in 0..PAGES {
        // Long words that no other page has take the most memory.
        let text: String = (0..150).map(|word| format!("w{number:030}x{word:030} ")).collect();
        web.log.append(&page(number, &format!("http://a.example/{number}"), &text)).unwrap();
    }
    web.log.sync().unwrap();
    let is_filled = |ceiling: usize, is_live: bool| {
        let _ = fs::remove_dir_all(web.collection.index());
        let mut command = child(&web, None, "process::task_of_a_child_with_a_ceiling");
        if is_live {
            command.env(LIVE, "");
        }
        let output = command.env(TOLD, ceiling.to_string()).output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        text.contains(&format!("\nfilled {PAGES}\n")) && output.status.success()
    };
    for is_live in [false, true] {
        assert!(is_filled(CEILING, is_live), "more was taken than the ceiling: live {is_live}");
    }
    // With a ceiling that is no ceiling, the same pages take more than that.
    assert!(!is_filled(32 * CEILING, false), "nothing was shown");
}

/// As long as pages get, and no word twice: all of it is in hand at once, as text, as words and in
/// the segment.
#[test]
fn idx_01_a_page_of_two_megabytes_of_words_fits_into_little_memory() {
    let mut web = Web::new();
    let text: String = (0..2 * 1024 * 1024 / 10).map(|word| format!("x{word:08} ")).collect();
    web.push(&page(0, "http://a.example/words", &text));
    for is_live in [false, true] {
        let _ = fs::remove_dir_all(web.collection.index());
        let mut command = child(&web, None, "process::task_of_a_child_with_a_ceiling");
        command.env(TOLD, CEILING.to_string()).env(MORE, (96 * 1024 * 1024).to_string());
        if is_live {
            command.env(LIVE, "");
        }
        let output = command.output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(text.contains("\nfilled 1\n") && output.status.success(), "{is_live}: {text}");
    }
}

#[test]
fn idx_14_and_sto_13_a_process_short_of_maps_says_so_and_recovers() {
    let mut web = Web::new();
    fill(&mut web, 0..30);
    let before = web.index();
    let mut command = child(&web, None, "process::task_of_a_child_without_maps");
    let output = command.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let refused = text.lines().find_map(|line| line.strip_prefix("refused ")).expect(&text);
    assert!(refused.starts_with("false "), "{refused}");
    assert!(refused.contains("memory"), "{refused}");
    assert!(text.contains("\nlater Some(30)\n"), "{text}");
    assert_eq!(web.index(), before);
}

/// A limit on the size of files fails the way a full disk does: in the middle of a write.
#[test]
fn sto_04_and_06_a_commit_that_does_not_fit_is_not_acknowledged_and_goes_on_with_room() {
    let mut web = Web::new();
    fill(&mut web, 0..30);
    let before = web.index();
    // What is looked up in a dictionary is long enough not to fit.
    for number in 30..60 {
        let text: String = (0..4_000).map(|word| format!("w{number}x{word} ")).collect();
        web.log.append(&page(number, &format!("http://a.example/{number}"), &text)).unwrap();
    }
    web.log.sync().unwrap();
    let reader = Reader::open(&web.collection.index());
    let limit = "trap '' XFSZ && ulimit -f 16";
    let output = child(&web, Some(limit), TASK_NAME).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(!text.contains("acknowledged"), "{text}");
    let failed = text.lines().find_map(|line| line.strip_prefix("failed ")).expect(&text);
    assert!(failed.contains("index"), "{failed}");
    // Who searches finds what was there.
    assert_eq!(reader.snapshot().unwrap().unwrap().searcher.num_docs(), before.num_docs);
    assert_eq!(num_docs(&web.collection), before.num_docs);
    assert_eq!(index::check(&web.collection).unwrap().problems, []);
    // With room the same records are read again.
    assert_eq!(web.index().num_docs, 60);
}

/// Follows the log on a disk that is full until somebody makes room, while others search.
#[test]
#[ignore = "for child processes"]
fn task_of_a_child_without_room() {
    let Some(root) = std::env::var_os(TASK) else { return };
    let collection = Collection::open(Path::new(&root)).unwrap();
    let log = pages::Writer::open(&collection.pages()).unwrap();
    let reader = Reader::open(&collection.index());
    let num_found = || reader.snapshot().unwrap().unwrap().searcher.num_docs();
    let before = num_found();
    let room =
        |bytes| setrlimit(Resource::Fsize, Rlimit { current: bytes, maximum: None }).unwrap();
    room(Some(8 * 1024));
    let (tail, stop, indexed) = (log.tail(), AtomicBool::new(false), AtomicU64::new(0));
    let told = |committed: Committed| indexed.store(committed.num_docs, Ordering::Relaxed);
    std::thread::scope(|scope| {
        let following = scope.spawn(|| index::follow(&collection, &tail, OPTIONS, &stop, told));
        // Long enough to fail, rest, and fail again.
        let begun = Instant::now();
        while begun.elapsed() < Duration::from_secs(4) && !following.is_finished() {
            assert_eq!(num_found(), before);
            sleep(Duration::from_millis(20));
        }
        println!("\nwaited {} {}", !following.is_finished(), indexed.load(Ordering::Relaxed));
        room(None);
        while indexed.load(Ordering::Relaxed) < 2 * before && !following.is_finished() {
            sleep(Duration::from_millis(20));
        }
        stop.store(true, Ordering::Relaxed);
        println!("\nended {:?}", following.join().unwrap().map_err(|error| said(&error)));
    });
    reader.reload().unwrap();
    println!("\nfound {}", num_found());
}

/// The limit on the size of files ends the thread that writes a segment, as a full disk does.
#[test]
fn sto_04_and_idx_09_on_a_full_disk_indexing_pauses_and_goes_on_when_there_is_room() {
    let mut web = Web::new();
    fill(&mut web, 0..30);
    web.index();
    for number in 30..60 {
        let text: String = (0..4_000).map(|word| format!("w{number}x{word} ")).collect();
        web.log.append(&page(number, &format!("http://a.example/{number}"), &text)).unwrap();
    }
    web.log.sync().unwrap();
    let mut command = child(&web, Some("trap '' XFSZ"), "process::task_of_a_child_without_room");
    let output = command.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("\nwaited true 0\n"), "{text}");
    assert!(text.contains("\nended Ok(())\n"), "{text}");
    assert!(text.contains("\nfound 60\n"), "{text}");
    assert_eq!(index::check(&web.collection).unwrap().problems, []);
}

/// Fills the log as a crawl does that comes back: of every seven records one is of a page that was
/// there before, and one says that such a page is gone.
fn fill_and_come_back(web: &mut Web, numbers: std::ops::Range<u64>) {
    for number in numbers {
        let id = if matches!(number % 7, 3 | 5) { number / 2 } else { number };
        let filler = "river forest night ".repeat((number % 50) as usize);
        let text = format!("jaguar version{number} {filler}");
        let record = page(id, &format!("http://a.example/{id}"), &text);
        let status = if number % 7 == 5 { 404 } else { 200 };
        let title = format!("As record {number} has it");
        web.log.append(&base::PageRecord { status, title, ..record }).unwrap();
    }
    web.log.sync().unwrap();
}

/// Returns the names of the segments that have files in a folder, and those of the last commit.
fn segments(folder: &Path) -> [HashSet<String>; 2] {
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
    let files = files.filter_map(|name| Some(name.to_str()?.split_once('.')?.0.to_owned()));
    let list = fs::read_to_string(folder.join("meta.json")).unwrap_or_default();
    let names: HashSet<String> = files.filter(|name| name.len() == 32).collect();
    // As it writes them there: with dashes.
    let plain = list.replace('-', "");
    let named = names.iter().filter(|name| plain.contains(*name)).cloned().collect();
    [names, named]
}

/// Holds what is stored of pages against the last of their records before the checkpoint, for those
/// with a record from `from` on; returns the checkpoint.
#[track_caller]
fn check_versions(web: &Web, from: Position) -> Position {
    let Some(snapshot) = Reader::open(&web.collection.index()).snapshot().unwrap() else {
        return from;
    };
    let mut log = pages::Reader::open(&web.collection.pages(), Position::START).unwrap();
    let (mut last, mut changed) = (HashMap::new(), HashSet::new());
    while let Some(entry) = log.next_entry().unwrap() {
        if entry.end > snapshot.checkpoint {
            break;
        }
        if entry.start >= from {
            changed.insert(entry.record.id);
        }
        last.insert(entry.record.id, entry.record);
    }
    for id in changed {
        let record = &last[&id];
        let expected = (record.title.as_str(), record.blocks[0].text.as_str());
        let texts = snapshot.find(id).map(|address| snapshot.texts(address).unwrap());
        let stored = texts.as_ref().map(|texts| {
            let (_, text) = texts.blocks().next().unwrap();
            (texts.title(), text)
        });
        assert_eq!(stored, index::is_answer(record).then_some(expected), "page {id}");
    }
    snapshot.checkpoint
}

/// STO-02 for the index: commits and merges. After every kill, each page that was acknowledged has
/// its document, in the state that was acknowledged, and no page has two.
#[test]
fn sto_02_killed_a_hundred_times_while_committing_and_merging_nothing_is_lost() {
    let seed = std::env::var("SEED").ok().and_then(|text| text.parse().ok());
    let mut dice: u64 = seed.unwrap_or_else(|| u64::from(std::process::id()));
    println!("SEED={dice}");
    let mut web = Web::new();
    fill_and_come_back(&mut web, 0..1_200);
    let (mut num_acknowledged, mut num_halves, mut num_merged) = (0, 0, 0);
    let (mut before, mut checked) = (HashSet::new(), Position::START);
    for round in 0..100 {
        let mut running = child(&web, None, TASK_NAME).spawn().unwrap();
        let lines = BufReader::new(running.stdout.take().unwrap()).lines();
        let mut left = throw(&mut dice) % 3;
        let mut last = Position::START;
        for line in lines.map_while(Result::ok) {
            let Some(rest) = line.strip_prefix("acknowledged ") else { continue };
            let (segment, offset) = rest.split_once(' ').unwrap();
            let parsed = (segment.parse(), offset.parse());
            last = Position { segment: parsed.0.unwrap(), offset: parsed.1.unwrap() };
            num_acknowledged += 1;
            if left == 0 {
                break;
            }
            left -= 1;
        }
        sleep(Duration::from_micros(throw(&mut dice) % 8_000));
        running.kill().unwrap();
        running.wait().unwrap();
        let [there, named] = segments(&web.collection.index());
        num_halves += usize::from(there != named);
        num_merged += before.difference(&named).count();
        before = named;
        let health = index::check(&web.collection).unwrap();
        assert_eq!(health.problems, [], "round {round}");
        let reached = health.checkpoint;
        assert!(reached >= last, "round {round}: {reached:?} after {last:?} was acknowledged");
        checked = check_versions(&web, checked);
        assert_eq!(checked, reached, "round {round}");
    }
    println!("{num_acknowledged} commits, {num_merged} segments merged, {num_halves} unfinished");
    assert!(num_acknowledged >= 100);
    // Otherwise no kill has met a commit or a merge.
    assert!(num_halves > 0 && num_merged > 0);
    // Those that were right when they came are so still, merged or not.
    check_versions(&web, Position::START);
    let end = web.index().position;
    assert_eq!(check_versions(&web, Position::START), end);
}

fn throw(dice: &mut u64) -> u64 {
    *dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    *dice >> 33
}

/// Holds the index open for writing until it is killed.
#[test]
#[ignore = "for child processes"]
fn task_of_a_child_that_holds_the_index() {
    let Some(root) = std::env::var_os(TASK) else { return };
    let collection = Collection::open(Path::new(&root)).unwrap();
    let _writer = Writer::open(&collection.index(), OPTIONS).unwrap();
    println!("\nholding");
    sleep(Duration::from_secs(600));
}

#[test]
fn idx_10_a_second_process_is_refused_and_the_lock_of_a_killed_one_is_not_in_the_way() {
    let mut web = Web::new();
    fill(&mut web, 0..10);
    web.index();
    let mut command = child(&web, None, "process::task_of_a_child_that_holds_the_index");
    let mut holder = command.spawn().unwrap();
    let lines = BufReader::new(holder.stdout.take().unwrap()).lines();
    assert!(lines.map_while(Result::ok).any(|line| line == "holding"));
    let refused = Writer::open(&web.collection.index(), OPTIONS).err().unwrap();
    assert!(matches!(refused, Error::InUse(_)) && !refused.may_pass());
    assert!(refused.to_string().contains("another process"), "{refused}");
    // Also when it follows the log; and who only reads is not kept out.
    let (tail, stop) = (web.log.tail(), AtomicBool::new(false));
    let following = index::follow(&web.collection, &tail, OPTIONS, &stop, |_| {});
    assert!(matches!(following, Err(Error::InUse(_))));
    assert_eq!(num_docs(&web.collection), 10);
    holder.kill().unwrap();
    holder.wait().unwrap();
    fill(&mut web, 10..20);
    assert_eq!(web.index().num_docs, 20);
}

#[test]
fn idx_09_a_writer_whose_threads_die_says_so_and_loses_no_commit() {
    let mut web = Web::new();
    fill(&mut web, 0..10);
    let end = web.index().position;
    fill(&mut web, 10..30);
    let (index, away) = (web.collection.index(), web.collection.root().join("away"));
    let mut writer = Writer::open(&index, OPTIONS).unwrap();
    // The thread that writes the segment finds no folder to put it into, and ends.
    fs::rename(&index, &away).unwrap();
    let mut log = pages::Reader::open(&web.collection.pages(), end).unwrap();
    let mut failure = None;
    while let Some(entry) = log.next_entry().unwrap() {
        let applied = writer.apply(&entry).and_then(|()| writer.commit());
        failure = failure.or(applied.err());
    }
    let failure = failure.expect("nothing can be written");
    assert!(!failure.to_string().is_empty());
    drop(writer);
    let _ = fs::remove_dir_all(&index);
    fs::rename(&away, &index).unwrap();
    assert_eq!(num_docs(&web.collection), 10);
    assert_eq!(Writer::open(&index, OPTIONS).unwrap().checkpoint(), end);
    assert_eq!(web.index().num_docs, 30);
}

#[test]
fn idx_14_and_sto_13_a_process_short_of_files_does_not_call_the_index_damaged() {
    let mut web = Web::new();
    fill(&mut web, 0..30);
    let before = web.index();
    let mut num_refused = 0;
    for limit in [4, 5, 6, 7, 8, 9, 10, 12, 16] {
        let output = child(&web, Some(&format!("ulimit -n {limit}")), TASK_NAME).output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let refused = text.lines().find_map(|line| line.strip_prefix("refused "));
        num_refused += usize::from(refused.is_some());
        assert!(refused.is_none_or(|reason| reason.starts_with("false ")), "{limit}: {text}");
        assert_eq!(num_docs(&web.collection), before.num_docs, "{limit}");
    }
    assert!(num_refused > 0, "no limit was too low");
    assert_eq!(web.index(), before);
}
