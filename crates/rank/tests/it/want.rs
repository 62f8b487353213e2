//! Processes that may open no more files or map no more memory (STO-13): the generation in use is
//! answered from as before, and a newer one is taken over as soon as it can be opened.
//!
//! Limits are those of a whole process, so these tests run in one of their own: this binary again,
//! told by the environment what to do.

use std::fs::{self, File};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use base::{Collection, Generation};
use rank::{Request, Searcher, Strategy};
use rustix::process::{Resource, Rlimit, setrlimit};

use crate::web::{Web, link, page, until};

const ROOT: &str = "LOOKFAR_TEST_WANT";
/// How many files a child may still open.
const LEFT: &str = "LOOKFAR_TEST_LEFT";
/// More than a list of a strategy needs at least.
const PAGES: usize = 80;
const CAT: &str = "http://cat.example/";

/// Everything that comes from the files of a generation: ranks, anchors, lists, suggestions, links.
#[derive(Debug, PartialEq)]
struct Answers {
    ranked: Vec<(String, f32)>,
    called: Vec<String>,
    by_lists: Option<Strategy>,
    suggested: Vec<String>,
    is_cocited: bool,
}

impl Answers {
    fn of(searcher: &Searcher) -> Result<Self, rank::Error> {
        let hits = |query: &str| searcher.search(&Request::new(query)).map(|found| found.hits);
        let ranked = hits("jaguar")?.iter().map(|hit| (hit.url.to_string(), hit.score)).collect();
        let called = hits("purring")?.iter().map(|hit| hit.url.to_string()).collect();
        let by_lists = searcher.search_by(Strategy::Threshold, &Request::new("jaguar"))?.first;
        let alike = searcher.similar(CAT, 10)?.unwrap_or_default();
        Ok(Self {
            ranked,
            called,
            by_lists: by_lists.map(|report| report.strategy),
            suggested: searcher.suggest("spot", 5),
            is_cocited: alike.iter().any(|alike| alike.cocitation > 0.0),
        })
    }

    fn is_complete(&self) -> bool {
        let is_found = |urls: &[String]| urls == [CAT.to_owned()];
        let is_listed = self.by_lists == Some(Strategy::Threshold);
        is_found(&self.called) && is_listed && !self.suggested.is_empty() && self.is_cocited
    }
}

/// Makes two generations with everything in them, the first one in use.
fn web() -> Web {
    let mut web = Web::new();
    web.push(&page(CAT, "a jaguar of the family of cats"));
    web.push(&page("http://cub.example/", "a small jaguar"));
    for number in 0..PAGES {
        let mut list = page(&format!("http://list{number}.example/"), "a list about the jaguar");
        list.title = "Spotted cats".to_owned();
        list.links.extend([link(CAT, "purring"), link("http://cub.example/", "small")]);
        web.push(&list);
    }
    web.index();
    for _ in 0..2 {
        web.analyse();
        web.searcher().prepare(Strategy::Threshold).unwrap();
    }
    fs::write(web.collection.root().join("GENERATION"), "1\n").unwrap();
    web
}

/// Starts this binary with a limit lowered.
fn start(web: &Web, limit: &str, task: &str, left: usize) -> Child {
    Command::new("sh")
        .args(["-c", &format!("{limit} && exec \"$@\""), "sh"])
        .arg(std::env::current_exe().unwrap())
        .args(["--exact", task, "--ignored", "--nocapture", "--test-threads=1"])
        .env(ROOT, web.collection.root())
        .env(LEFT, left.to_string())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

#[track_caller]
fn expect_recovery(child: Child, what: &str) {
    let output = child.wait_with_output().unwrap();
    let [said, reason] = [output.stdout, output.stderr].map(|bytes| {
        let text = String::from_utf8_lossy(&bytes);
        text.into_owned()
    });
    assert!(output.status.success() && said.contains("recovered"), "{what}: {said}{reason}");
}

/// Asks until the newer generation answers as a whole.
fn wait_for_second(searcher: &Searcher, expected: &Answers) {
    until("the second one answers", || {
        let _ = searcher.refresh();
        let answers = Answers::of(searcher);
        let is_second = searcher.generation() == Some(Generation(2));
        is_second && answers.is_ok_and(|answers| answers == *expected)
    });
}

/// Asks while a newer generation is there that cannot be opened. What is asked may fail; what is
/// answered is answered from all of a generation.
fn ask_in_want(searcher: &Searcher, before: &Answers) {
    for _ in 0..5 {
        // It looks for the newer one before it returns.
        let _ = searcher.refresh();
        match Answers::of(searcher) {
            // Lists and links are opened when they are first asked for: that may fail for now.
            Ok(answers) => {
                assert_eq!(answers.ranked, before.ranked);
                assert_eq!(answers.called, before.called);
                assert_eq!(answers.suggested, before.suggested);
            }
            Err(error) => println!("failed: {error}"),
        }
    }
}

/// Takes every file that it may open but a few.
#[test]
#[ignore = "for child processes"]
fn task_of_a_child_without_files() {
    let Some(root) = std::env::var_os(ROOT) else { return };
    let left: usize = std::env::var(LEFT).unwrap().parse().unwrap();
    let collection = Collection::open(Path::new(&root)).unwrap();
    let before = Answers::of(&Searcher::open(&collection).unwrap()).unwrap();
    assert!(before.is_complete(), "{before:?}");
    // Another one, which has not opened lists and links yet.
    let searcher = Searcher::open(&collection).unwrap();
    collection.publish(Generation(2)).unwrap();
    let mut taken = Vec::new();
    while let Ok(file) = File::open("/dev/null") {
        taken.push(file);
    }
    taken.truncate(taken.len() - left);
    ask_in_want(&searcher, &before);
    drop(taken);
    wait_for_second(&searcher, &before);
    println!("recovered");
}

#[test]
fn sto_13_without_files_links_and_suggestions_stay_in_use_and_newer_ones_are_opened_later() {
    // So many files may be opened: each time it fails at another one, and at last at none.
    let webs: Vec<(usize, Web)> = [0, 1, 2, 3, 5, 40].map(|left| (left, web())).into();
    let task = "want::task_of_a_child_without_files";
    let children = webs.iter().map(|(left, web)| (left, start(web, "ulimit -n 100", task, *left)));
    for (left, child) in children.collect::<Vec<_>>() {
        expect_recovery(child, &format!("{left} files"));
    }
}

/// May not take any more address space, but for small things.
#[test]
#[ignore = "for child processes"]
fn task_of_a_child_without_maps() {
    let Some(root) = std::env::var_os(ROOT) else { return };
    let collection = Collection::open(Path::new(&root)).unwrap();
    let before = Answers::of(&Searcher::open(&collection).unwrap()).unwrap();
    assert!(before.is_complete(), "{before:?}");
    let searcher = Searcher::open(&collection).unwrap();
    collection.publish(Generation(2)).unwrap();
    // Small things must still find room while maps do not: freed below one that stays.
    let mut room: Vec<Box<[u8; 1024]>> = (0..16_000).map(|_| Box::new([1; 1024])).collect();
    let last = room.pop();
    drop(room);
    let statm = fs::read_to_string("/proc/self/statm").unwrap();
    let pages: u64 = statm.split(' ').next().unwrap().parse().unwrap();
    let limit = |current| setrlimit(Resource::As, Rlimit { current, maximum: None }).unwrap();
    limit(Some(pages * 4096));
    ask_in_want(&searcher, &before);
    limit(None);
    wait_for_second(&searcher, &before);
    drop(last);
    println!("recovered");
}

#[test]
fn sto_13_without_maps_links_and_suggestions_stay_in_use_and_newer_ones_are_opened_later() {
    let web = web();
    let child = start(&web, "true", "want::task_of_a_child_without_maps", 0);
    expect_recovery(child, "maps");
}
