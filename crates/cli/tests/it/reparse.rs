//! `lookfar reparse`: the same parser gives the same pages, and a kill changes nothing.

use std::path::Path;
use std::process::Stdio;
use std::thread::sleep;
use std::time::Duration;

use base::Collection;
use serde_json::Value;
use testweb::{Generated, GeneratedOptions, Mix, Running, Web};

use crate::run::{collection, expect, lookfar, output, text};

/// Crawls a small web; one of its pages is forgotten.
fn crawled(dir: &Path) -> (Generated, Running) {
    let generated = Generated::new(GeneratedOptions {
        hosts: 8,
        pages: 300,
        page_bytes: 500..=2_000,
        mix: Mix { busy: 0, slow: 0, broken: 0, ..Mix::default() },
        ..GeneratedOptions::default()
    });
    let web = Web::new().sites(generated.sites()).start().unwrap();
    // What a host says of addresses that it cannot have is not in the page log: after a reparse
    // it would be asked again.
    collection(dir, &web, "delay = \"1ms\"\nslowness_factor = 0\nguesses = false");
    expect(&output(dir, &["crawl", "--until-idle", &generated.seed_url()]), 0);
    let page = generated.pages().filter(|page| page.status == 200).nth(5).unwrap();
    expect(&output(dir, &["forget", &page.url]), 0);
    (generated, web)
}

/// Everything that a person or a program can see of the pages.
#[derive(Debug, PartialEq)]
struct Seen {
    pages: String,
    links: String,
    answers: Vec<Vec<String>>,
}

impl Seen {
    fn of(dir: &Path, generated: &Generated) -> Self {
        let export = |table| text(&output(dir, &["export", table]).stdout);
        let mut queries: Vec<String> =
            generated.pages().step_by(20).map(|page| page.mark.clone()).collect();
        queries.push("the".to_owned());
        let answers = queries.iter().map(|query| urls(dir, query)).collect();
        Self { pages: export("pages"), links: export("links"), answers }
    }
}

fn urls(dir: &Path, query: &str) -> Vec<String> {
    let lines = text(&output(dir, &["search", "--json", "-k", "20", query]).stdout);
    let url = |line: &str| serde_json::from_str::<Value>(line).unwrap()["url"].to_string();
    lines.lines().map(url).collect()
}

#[test]
fn the_same_parser_gives_the_same_pages() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("c");
    let (generated, web) = crawled(&dir);
    let before = Seen::of(&dir, &generated);
    assert!(before.answers.iter().any(|answers| !answers.is_empty()));
    let done = output(&dir, &["reparse"]);
    expect(&done, 0);
    assert!(!text(&done.stdout).contains("kept as they were"), "{done:?}");
    assert!(Seen::of(&dir, &generated) == before, "the pages or answers are others");
    expect(&output(&dir, &["check"]), 0);
    assert!(!dir.join("pages.new").exists() && !dir.join("frontier.new").exists());
    // The crawl goes on with what it knows: no page is asked for again.
    let pages = |web: &Running| {
        let requests = web.log().requests(testweb::Of::All);
        let is_page = |target: &str| generated.pages().any(|page| page.url.ends_with(target));
        requests
            .iter()
            .filter(|request| request.target.len() > 1 && is_page(&request.target))
            .count()
    };
    let asked = pages(&web);
    expect(&output(&dir, &["crawl", "--until-idle"]), 0);
    assert_eq!(pages(&web), asked);
    assert_eq!(Seen::of(&dir, &generated).answers, before.answers);
    // And once more, from the log that was written anew.
    expect(&output(&dir, &["reparse"]), 0);
    expect(&output(&dir, &["check"]), 0);
}

#[test]
fn sto_02_a_reparse_killed_at_any_moment_leaves_the_collection_whole() {
    let seed = std::env::var("SEED").ok().and_then(|text| text.parse().ok());
    let seed = seed.unwrap_or_else(|| fastrand::u64(..));
    println!("SEED={seed}");
    let mut random = fastrand::Rng::with_seed(seed);
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("c");
    let (generated, _web) = crawled(&dir);
    let before = Seen::of(&dir, &generated);
    let mut interrupted = 0;
    for _ in 0..15 {
        let mut command = lookfar(&dir, &["reparse"]);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        sleep(Duration::from_millis(random.u64(10..1_500)));
        interrupted += usize::from(child.try_wait().unwrap().is_none());
        child.kill().unwrap();
        child.wait().unwrap();
        // One log or the other, never none and never half of one.
        let pages = text(&output(&dir, &["export", "pages"]).stdout);
        assert!(pages == before.pages, "the pages are others after {interrupted} kills");
    }
    assert!(interrupted > 0);
    // Whatever was left is made good by the next that has the collection, here a crawl.
    expect(&output(&dir, &["crawl", "--until-idle"]), 0);
    assert!(Seen::of(&dir, &generated) == before, "the pages or answers are others");
    expect(&output(&dir, &["check"]), 0);
}

#[test]
fn a_collection_in_use_is_not_read_again() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("c");
    let place = Collection::open_or_create(&dir).unwrap();
    std::fs::write(place.config(), "").unwrap();
    let _lock = place.lock().unwrap();
    let refused = output(&dir, &["reparse"]);
    expect(&refused, 2);
    assert!(text(&refused.stderr).contains("in use by another process"));
    expect(&output(&folder.path().join("nowhere"), &["reparse"]), 2);
    assert!(!folder.path().join("nowhere").exists());
}
