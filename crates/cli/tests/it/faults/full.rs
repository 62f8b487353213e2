//! A disk without room in each folder of a collection, under `lookfar up` and under a search
//! (STO-04).

use super::{Fault, Said, Scene};
use crate::kill::check_pages;
use crate::run::{Served, expect, lookfar, output, text, wait_until};

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
        // What was there is found.
        let answer = served.get("/api/v1/search?q=river");
        assert!(answer.starts_with("HTTP/1.1 200") && answer.contains("http://"), "{answer}");
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

/// Lists are made when a strategy first needs them, by the process that searches.
#[test]
fn sto_04_without_room_for_lists_their_strategies_are_refused_and_others_answer() {
    let scene = Scene::new(PAGES, 120);
    let search = |arguments: &[&str], after| {
        let line = [&["search", "river"][..], arguments].concat();
        let mut command = lookfar(&scene.dir, &line);
        scene.hurt(&mut command, &Fault { calls: "write", part: "scores", after });
        command.output().unwrap()
    };
    let strategies = ["threshold", "champions", "clusters", "tiers"];
    let refused = |strategy: &str| {
        // Nothing of the lists fits, or all but their end.
        for after in [0, 1] {
            let refused = search(&["--strategy", strategy], after);
            expect(&refused, 2);
            let said = text(&refused.stderr);
            assert!(said.contains("error: cannot write the lists"), "{strategy}: {said}");
            assert!(said.contains("No space left on device"), "{strategy}: {said}");
            expect(&output(&scene.dir, &["check"]), 0);
        }
    };
    for strategy in strategies {
        refused(strategy);
    }
    expect(&search(&[], 0), 0);
    // With room they are made; from then on they are only read.
    expect(&output(&scene.dir, &["search", "river", "--strategy", "threshold"]), 0);
    let checked = output(&scene.dir, &["check"]);
    expect(&checked, 0);
    assert!(text(&checked.stdout).contains("of strategies, whole"), "{}", text(&checked.stdout));
    for strategy in strategies {
        expect(&search(&["--strategy", strategy], 0), 0);
    }
    // The next commit wants others.
    scene.crawl_to(140);
    refused("threshold");
}
