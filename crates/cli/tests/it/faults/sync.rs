//! A disk that takes bytes and cannot put them down for good (STO-06).
//!
//! After the fault the power goes too: of archive and page log is left what a sync has put down.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use super::{Fault, Said, Scene};
use crate::kill::check_pages;
use crate::run::{Served, expect, lookfar, output, text, wait_until};

/// Requests under way at once.
const UNDER_WAY: usize = 64;

/// Returns the files of archive and page log, and how long they are.
fn lengths(scene: &Scene) -> BTreeMap<PathBuf, u64> {
    let files = [scene.place.archive(), scene.place.pages()].map(|folder| {
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap()).filter(|entry| {
            let name = entry.file_name().into_string().unwrap();
            name.ends_with(".warc.gz") || name.ends_with(".log")
        })
    });
    files.into_iter().flatten().map(|file| (file.path(), file.metadata().unwrap().len())).collect()
}

/// Takes away what no sync has put down; `before` is what lay there before the process began.
fn lose_power(scene: &Scene, before: &BTreeMap<PathBuf, u64>) {
    let mut durable = before.clone();
    for line in fs::read_to_string(scene.synced()).unwrap().lines() {
        let (length, path) = line.split_once(' ').unwrap();
        durable.insert(path.into(), length.parse().unwrap());
    }
    for (path, length) in lengths(scene) {
        let kept = durable.get(&path).copied().unwrap_or(0).min(length);
        println!("{}: {kept} of {length} bytes", path.display());
        fs::File::options().write(true).open(&path).unwrap().set_len(kept).unwrap();
    }
    fs::remove_file(scene.synced()).unwrap();
}

/// Expects that whoever asks is told that no crawl runs any more, though the process lives on.
fn expect_no_crawl(scene: &Scene, served: &Served) {
    // The overview looks every two seconds.
    wait_until("the overview says so", || {
        let page = served.ask("GET", "/admin", "");
        page.contains(">No crawl runs.</p>") && !page.contains("Pause the crawl")
    });
    let status = served.get("/api/v1/status");
    assert!(status.contains("\"is_crawling\":false"), "{status}");
    let status = output(&scene.dir, &["status"]);
    expect(&status, 0);
    assert!(text(&status.stdout).contains("not crawling"), "{}", text(&status.stdout));
}

/// Lets syncs of a folder fail under a crawl that serves: the crawl ends and says so, the search
/// page lives on, nothing that counts as done is lost.
fn check(part: &'static str, words: &[&str]) {
    let scene = Scene::new(120, 30);
    for (after, pages) in [(0, 60), (2, 90)] {
        let before = lengths(&scene);
        let mut command = lookfar(&scene.dir, &["up", "--pages", &pages.to_string()]);
        scene.hurt(&mut command, &Fault { calls: "sync", part, after });
        command.env("FAULT_FROM", "search page");
        let (served, told) = Served::heard(command);
        let words = [words, &["Input/output error"]].concat();
        let said = Said::by(told);
        println!("{part}: {}", said.wait_for(&words));
        let (asked, logged) = (scene.web.log().count(testweb::Of::All), lengths(&scene));
        for _ in 0..20 {
            let answer = served.get("/api/v1/search?q=river");
            assert!(answer.starts_with("HTTP/1.1 200") && answer.contains("http://"), "{answer}");
        }
        if part != "index" {
            expect_no_crawl(&scene, &served);
            let asked = scene.web.log().count(testweb::Of::All) - asked;
            assert!(asked <= UNDER_WAY, "{asked} requests after the crawl has ended");
            assert_eq!(lengths(&scene), logged, "something was written after the crawl has ended");
        }
        drop(served);
        fs::remove_file(scene.switch()).unwrap();
        lose_power(&scene, &before);
        // Index, graph and frontier know of no page that is gone.
        expect(&output(&scene.dir, &["check"]), 0);
        scene.crawl_to(pages);
        expect(&output(&scene.dir, &["check"]), 0);
    }
    scene.crawl_to_end();
    expect(&output(&scene.dir, &["check"]), 0);
    check_pages(&scene.generated, &scene.place);
}

#[test]
fn sto_06_an_archive_that_cannot_be_synced_ends_the_crawl_and_nothing_done_is_lost() {
    check("archive", &["the crawl has ended", "archive"]);
}

#[test]
fn sto_06_a_page_log_that_cannot_be_synced_ends_the_crawl_and_nothing_done_is_lost() {
    check("pages", &["the crawl has ended", "page log"]);
}

#[test]
fn sto_06_an_index_that_cannot_be_synced_pauses_and_says_so() {
    check("index", &["a file of the index cannot be written"]);
}

#[test]
fn sto_06_a_frontier_that_cannot_be_synced_is_an_error_at_the_start() {
    let scene = Scene::new(60, 20);
    for after in 0..2 {
        let mut command = lookfar(&scene.dir, &["crawl", "--until-idle"]);
        scene.hurt(&mut command, &Fault { calls: "sync", part: "frontier", after });
        let ended = command.output().unwrap();
        expect(&ended, 2);
        let said = text(&ended.stderr);
        assert!(said.contains("frontier") && said.contains("Input/output error"), "{said}");
    }
    fs::remove_file(scene.switch()).unwrap();
    scene.crawl_to_end();
    expect(&output(&scene.dir, &["check"]), 0);
    check_pages(&scene.generated, &scene.place);
}
