//! `lookfar import` as people use it: archives, folders, lines; twice, and killed in between.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::thread::sleep;
use std::time::Duration;

use base::Collection;
use serde_json::Value;

use crate::run::{Served, expect, lookfar, output, pack, status, text, wait_until};

/// Returns a WARC record of version 1.0, the way others write them.
fn record(kind: &str, target: &str, media: &str, block: &str) -> String {
    format!(
        "WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {target}\r\nWARC-Date: \
         2024-05-01T10:00:00Z\r\nContent-Type: {media}\r\nContent-Length: {}\r\n\r\n{block}\r\n\r\n",
        block.len()
    )
}

fn response(target: &str, head: &str, body: &str) -> String {
    let block = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n{head}\r\n{body}");
    record("response", target, "application/http; msgtype=response", &block)
}

fn found(dir: &Path, query: &str) -> Vec<String> {
    let answers = text(&output(dir, &["search", "--json", query]).stdout);
    let url = |line: &str| {
        serde_json::from_str::<Value>(line).unwrap()["url"].as_str().unwrap().to_owned()
    };
    answers.lines().map(url).collect()
}

/// Returns how often each address lies in the archive and in the page log.
fn times(dir: &Path) -> (BTreeMap<String, usize>, BTreeMap<String, usize>) {
    let place = Collection::open(dir).unwrap();
    let (mut archived, mut logged) = (BTreeMap::new(), BTreeMap::new());
    let reader = archive::Reader::open(&place.archive()).unwrap();
    for captured in reader.captures_from(None).unwrap() {
        *archived.entry(captured.unwrap().target).or_default() += 1;
    }
    let mut reader = base::pages::Reader::open(&place.pages(), base::log::Position::START).unwrap();
    while let Some(entry) = reader.next_entry().unwrap() {
        *logged.entry(entry.record.url.to_string()).or_default() += 1;
    }
    (archived, logged)
}

#[test]
fn an_archive_of_others_is_searched_and_imported_once() {
    let folder = tempfile::tempdir().unwrap();
    let (dir, file) = (folder.path().join("c"), folder.path().join("others.warc"));
    let content = [
        response("http://a.example/", "", "<title>Home</title><p>albatross <a href=/b>b</a>"),
        response("http://a.example/hidden", "X-Robots-Tag: noindex\r\n", "<p>albatross"),
        response("http://a.example/robots.txt", "", "User-agent: *"),
        record("resource", "http://a.example/notes", "text/plain", "albatross notes"),
        record("resource", "ftp://a.example/x", "text/plain", "albatross"),
        record("revisit", "http://a.example/", "application/http", ""),
        "WARC/1.0\r\nnonsense\r\n\r\n".to_owned(),
        response("http://b.example/", "", "<title>Other</title><p>penguin"),
    ];
    fs::write(&file, content.concat()).unwrap();
    let arguments = ["import", "warc", file.to_str().unwrap()];
    let first = output(&dir, &arguments);
    expect(&first, 0);
    let said = text(&first.stdout);
    for line in
        ["imported 4 responses; 1 broken", "1  revisit", "1  robots.txt", "1  address: only http"]
    {
        assert!(said.contains(line), "{line}: {said}");
    }
    assert!(text(&first.stderr).contains("passed over: damaged record at byte"));
    let mut albatross = found(&dir, "albatross");
    albatross.sort_unstable();
    assert_eq!(albatross, ["http://a.example/", "http://a.example/notes"]);
    assert_eq!(found(&dir, "penguin"), ["http://b.example/"]);
    // No page to begin at, so no scope: links are known to the graph, none of them waits.
    assert_eq!(status(&dir)["urls_waiting"], 0);
    let before = times(&dir);
    let second = output(&dir, &arguments);
    expect(&second, 0);
    assert!(text(&second.stdout).contains("imported 0 responses; 4 were there already"));
    assert_eq!(times(&dir), before);
    expect(&output(&dir, &["check"]), 0);
}

/// Only an index that is filled anew knows ranks.
#[test]
fn the_first_import_fills_the_index_best_pages_first() {
    let folder = tempfile::tempdir().unwrap();
    let (dir, docs) = (folder.path().join("c"), folder.path().join("docs"));
    fs::create_dir(&docs).unwrap();
    for number in 0..20 {
        let text = format!("<title>Page {number}</title><a href=star.html>star</a><p>w{number}");
        fs::write(docs.join(format!("{number:02}.html")), text).unwrap();
    }
    fs::write(docs.join("star.html"), "<title>Star</title><p>honeycomb").unwrap();
    let arguments = ["import", "folder", docs.to_str().unwrap(), "--url", "http://docs.example/"];
    expect(&output(&dir, &arguments), 0);
    let orders = || -> Vec<u64> {
        let index = Collection::open(&dir).unwrap().index();
        let snapshot = index::Reader::open(&index).snapshot().unwrap().unwrap();
        let mut orders = Vec::new();
        for segment in snapshot.searcher.segment_readers() {
            let column = segment.fast_fields().u64("order").unwrap();
            orders.extend(segment.doc_ids_alive().filter_map(|document| column.first(document)));
        }
        orders
    };
    let first = orders();
    assert_eq!(first.len(), 21);
    assert!(first[0] > first[20] && first.is_sorted_by(|one, next| one >= next), "{first:?}");
    // What comes later is put beside it, and has no rank until the index is filled anew.
    fs::write(docs.join("later.html"), "<title>Later</title><p>beeswax").unwrap();
    expect(&output(&dir, &arguments), 0);
    let second = orders();
    assert_eq!((second.len(), second.iter().filter(|order| **order == 0).count()), (22, 1));
    assert_eq!(found(&dir, "beeswax"), ["http://docs.example/later.html"]);
    expect(&output(&dir, &["check"]), 0);
}

#[test]
fn a_folder_is_imported_again_where_it_has_changed() {
    let folder = tempfile::tempdir().unwrap();
    let (dir, docs) = (folder.path().join("c"), folder.path().join("docs"));
    fs::create_dir(&docs).unwrap();
    fs::write(docs.join("index.html"), "<title>Home</title><a href=b.html>b</a>").unwrap();
    fs::write(docs.join("b.html"), "<title>Bee</title><p>honeycomb").unwrap();
    let arguments = ["import", "folder", docs.to_str().unwrap(), "--url", "http://docs.example/x/"];
    expect(&output(&dir, &arguments), 0);
    assert_eq!(found(&dir, "honeycomb"), ["http://docs.example/x/b.html"]);
    // Touched, and changed.
    let later = std::time::SystemTime::now() + Duration::from_secs(60);
    fs::write(docs.join("b.html"), "<title>Bee</title><p>beeswax").unwrap();
    for name in ["index.html", "b.html"] {
        fs::File::options()
            .append(true)
            .open(docs.join(name))
            .unwrap()
            .set_modified(later)
            .unwrap();
    }
    let again = output(&dir, &arguments);
    assert!(
        text(&again.stdout).contains("imported 1 responses; 1 were there already"),
        "{again:?}"
    );
    assert_eq!(found(&dir, "beeswax"), ["http://docs.example/x/b.html"]);
    expect(&output(&dir, &["search", "honeycomb"]), 1);
}

#[test]
fn who_serves_what_was_imported_sees_how_much_there_is() {
    let folder = tempfile::tempdir().unwrap();
    let (dir, docs) = (folder.path().join("c"), folder.path().join("docs"));
    fs::create_dir(&docs).unwrap();
    for (name, words) in [("index", "lanterns of the harbour"), ("a", "honeycomb"), ("b", "bees")] {
        let text = format!("<title>Page {name}</title><a href=index.html>home</a><p>{words}");
        fs::write(docs.join(format!("{name}.html")), text).unwrap();
    }
    let arguments = ["import", "folder", docs.to_str().unwrap(), "--url", "http://docs.example/"];
    expect(&output(&dir, &arguments), 0);
    // No crawl has ever told anything.
    let served = Served::start(&dir);
    let page = served.ask("GET", "/admin", "");
    let fact = |name: &str| {
        let (_, rest) = page.split_once(&format!("data-fact=\"{name}\">")).unwrap();
        rest.split_once('<').unwrap().0.to_owned()
    };
    assert_eq!([fact("pages"), fact("indexed"), fact("generation")], ["3", "3", "1"]);
    for name in ["disk", "memory", "collection"] {
        assert_ne!(fact(name), "0 B", "{name}");
    }
    assert!(page.contains("No crawl runs.") && !page.contains("Pause the crawl"), "{page}");
    // What the next import brings is seen without a restart.
    fs::write(docs.join("c.html"), "<title>Page c</title><p>beeswax for candles").unwrap();
    expect(&output(&dir, &arguments), 0);
    let told = || served.ask("GET", "/admin", "");
    wait_until("the new page is counted", || told().contains("data-fact=\"indexed\">4<"));
}

#[test]
fn sto_02_an_import_killed_at_any_moment_goes_on() {
    let seed = std::env::var("SEED").ok().and_then(|text| text.parse().ok());
    let seed = seed.unwrap_or_else(|| fastrand::u64(..));
    println!("SEED={seed}");
    let mut random = fastrand::Rng::with_seed(seed);
    let folder = tempfile::tempdir().unwrap();
    let (dir, file) = (folder.path().join("c"), folder.path().join("docs.jsonl"));
    let count = 1_500;
    let line = |number: usize| {
        let words = format!("mark{number:05} ").repeat(20);
        format!("{{\"id\": \"{number}\", \"title\": \"T {number}\", \"text\": \"{words}\"}}\n")
    };
    fs::write(&file, (0..count).map(line).collect::<String>()).unwrap();
    let arguments = ["import", "jsonl", file.to_str().unwrap(), "--url", "http://set.example/"];
    let mut interrupted = 0;
    for _ in 0..12 {
        let mut command = lookfar(&dir, &arguments);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        sleep(Duration::from_millis(random.u64(10..600)));
        interrupted += usize::from(child.try_wait().unwrap().is_none());
        child.kill().unwrap();
        child.wait().unwrap();
    }
    assert!(interrupted > 0);
    expect(&output(&dir, &arguments), 0);
    expect(&output(&dir, &["check"]), 0);
    let (archived, logged) = times(&dir);
    for times in [&archived, &logged] {
        assert_eq!(times.len(), count);
        assert!(times.values().all(|times| *times == 1), "something is there twice");
    }
    assert_eq!(found(&dir, "mark00777"), ["http://set.example/777"]);
    assert_eq!(status(&dir)["documents_indexed"], count);
}

#[test]
fn an_import_takes_only_what_is_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let (dir, file) = (folder.path().join("c"), folder.path().join("docs.jsonl"));
    let lines: String =
        (0..10).map(|n| format!("{{\"id\": {n}, \"text\": \"word{n}\"}}\n")).collect();
    fs::write(&file, lines).unwrap();
    let path = file.to_str().unwrap();
    let base = ["import", "jsonl", path, "--url", "http://set.example/"];
    expect(&output(&dir, &[&base[..], &["--only", "*/7"]].concat()), 0);
    assert_eq!(status(&dir)["documents_indexed"], 1);
    expect(&output(&dir, &[&base[..], &["--limit", "3"]].concat()), 0);
    assert_eq!(status(&dir)["documents_indexed"], 4);
    // Nothing is made for a source that is not there, or an address that is none.
    let other = folder.path().join("d");
    expect(
        &output(&other, &["import", "jsonl", "/nowhere.jsonl", "--url", "http://a.example/"]),
        2,
    );
    expect(&output(&other, &["import", "jsonl", path, "--url", "mailto:a"]), 2);
    assert!(!other.exists());
}

#[test]
fn a_test_collection_is_imported_whole() {
    let Some(pack) = pack("sets/xquad-zh") else { return };
    let file = pack.join("docs.jsonl");
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("c");
    let path = file.to_str().unwrap();
    let arguments = ["import", "jsonl", path, "--url", "http://xquad.example/"];
    let done = output(&dir, &arguments);
    expect(&done, 0);
    assert!(text(&done.stdout).contains("imported 240 responses\n"), "{done:?}");
    // The rule by which a judge finds the page of a document.
    let base = base::Url::parse("http://xquad.example/").unwrap();
    let (archived, _) = times(&dir);
    for line in fs::read_to_string(&file).unwrap().lines() {
        let id = serde_json::from_str::<Value>(line).unwrap()["id"].as_str().unwrap().to_owned();
        let url = archive::foreign::address_of(&base, &id).unwrap();
        assert!(archived.contains_key(url.as_str()), "{id}");
    }
}
