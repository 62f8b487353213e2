//! A disk without room in each folder of a collection, under `lookfar up` (STO-04).

use super::{Fault, Said, Scene, wait_until};
use crate::kill::check_pages;
use crate::run::{Served, expect, lookfar, output, text};

const PAGES: u64 = 160;

/// Fills the disk under a folder twice: once the process is killed and begun again with room, once
/// room comes back while it runs. `words` are in what it says.
fn check(part: &'static str, words: &[&str]) {
    let scene = Scene::new(PAGES, 40);
    let up = |after, arguments: &[&str]| {
        let mut command = lookfar(&scene.dir, arguments);
        scene.hurt(&mut command, &Fault { calls: "write", part, after });
        // Once the search page is there, before the crawl begins.
        command.env("FAULT_FROM", "search page");
        let (served, told) = Served::heard(command);
        let said = Said::by(told);
        let words = [words, &["No space left on device"]].concat();
        println!("{part}: {}", said.wait_for(&words));
        // What was there is found, and lists that cannot be written do without.
        for query in ["river", "river&strategy=threshold", "river&strategy=champions", "river"] {
            let answer = served.get(&format!("/api/v1/search?q={query}"));
            assert!(answer.starts_with("HTTP/1.1 200"), "{query}: {answer}");
            assert!(answer.contains("http://"), "{query}: {answer}");
        }
        (served, said)
    };
    drop(up(0, &["up", "--pages", "80"]));
    expect(&output(&scene.dir, &["check"]), 0);
    scene.crawl_to(80);
    expect(&output(&scene.dir, &["check"]), 0);

    let (mut served, _said) = up(3, &["up"]);
    std::fs::remove_file(scene.switch()).unwrap();
    wait_until("the crawl goes on to its end", || is_complete(&scene));
    expect(&output(&scene.dir, &["stop"]), 0);
    assert_eq!(served.wait().code(), Some(0));
    scene.crawl_to_end();
    expect(&output(&scene.dir, &["check"]), 0);
    check_pages(&scene.generated, &scene.place);
}

/// Returns whether nothing waits and everything is indexed.
pub(super) fn is_complete(scene: &Scene) -> bool {
    let status = output(&scene.dir, &["status", "--json"]);
    let status: serde_json::Value = serde_json::from_str(&text(&status.stdout)).unwrap();
    let kinds = scene.generated.pages();
    let good = kinds.filter(|page| page.status == 200 && page.kind != testweb::Kind::Disallowed);
    status["urls_waiting"] == 0 && status["documents_indexed"] == good.count()
}

#[test]
fn sto_04_without_room_for_the_archive_the_crawl_pauses_and_goes_on() {
    check("archive", &["crawl pauses", "archive"]);
}

#[test]
fn sto_04_without_room_for_the_page_log_the_crawl_pauses_and_goes_on() {
    check("pages", &["crawl pauses", "page log"]);
}

#[test]
fn sto_04_without_room_for_the_frontier_the_crawl_pauses_and_goes_on() {
    check("frontier", &["crawl pauses", "frontier"]);
}

#[test]
fn sto_04_without_room_for_the_index_indexing_pauses_and_goes_on() {
    check("index", &["a file of the index cannot be written"]);
}

#[test]
fn sto_04_without_room_for_a_graph_the_last_generation_stays() {
    check("graph", &["analysis failed"]);
}

#[test]
fn sto_04_without_room_for_scores_the_last_generation_stays() {
    check("scores", &["analysis failed"]);
}

#[test]
fn sto_04_without_room_for_anchors_the_last_generation_stays() {
    check("anchors", &["analysis failed"]);
}
