//! The demo as a newcomer runs it: crawled, searched while crawling, ended and searched again.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command};

use serde_json::Value;

use crate::run::{Served, expect, output, start, text, wait_until};

/// Returns the answers to a query, best first.
fn search(dir: &Path, query: &str) -> Vec<Value> {
    let output = output(dir, &["search", "--json", "-k", "20", query]);
    let lines = text(&output.stdout);
    lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn urls(answers: &[Value]) -> Vec<&str> {
    answers.iter().map(|answer| answer["url"].as_str().unwrap()).collect()
}

#[test]
fn the_demo_is_crawled_and_answers() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path();
    expect(&output(dir, &["demo", "--until-idle", "--no-serve"]), 0);

    leave_cars_out(dir);
    let danish = search(dir, "title:jaguar lang:da");
    assert_eq!(urls(&danish), ["http://dansk.lookfar/side/jaguaren"]);

    ask_as_the_notes_do(dir);

    // W16: the home page made of pictures is the first answer for its name.
    assert_eq!(urls(&search(dir, "Ostrelund Lanterns"))[0], "http://atelier57.lookfar/");
    // W15: words of article and sidebar together do not make a top answer.
    let both = search(dir, "lighthouse saffron");
    assert!(!both.is_empty());
    let top = &urls(&both)[..both.len().min(3)];
    let sidebar = "http://lighthouses.lookfar/lights/a-keepers-day";
    assert!(!top.contains(&sidebar), "{top:?}");
    // It is an answer nevertheless.
    let line = format!("lighthouse AND saffron AND cache:{sidebar}");
    assert_eq!(urls(&search(dir, &line)), [sidebar]);

    let status: Value = serde_json::from_slice(&output(dir, &["status", "--json"]).stdout).unwrap();
    let at_least = |key: &str, least: u64| {
        assert!(status[key].as_u64().unwrap() >= least, "{key}: {status}");
    };
    at_least("pages_fetched", 1_900);
    at_least("urls_known", 1_900);
    at_least("hosts", 50);
    at_least("documents_indexed", 1_800);
    at_least("page_log_records", 1_900);
    at_least("graph_nodes", 1_900);
    at_least("graph_arcs", 10_000);
    at_least("generation", 1);
    at_least("bytes_archived", 1_000_000);
    expect(&output(dir, &["check"]), 0);
    crate::graph::look_at_the_demo(dir);

    // Programs that ask are answered from the collection.
    let served = Served::start(dir);
    let suggested = get(served.address(), "/api/v1/suggest?q=jag");
    assert!(!suggested["suggestions"].as_array().unwrap().is_empty(), "{suggested}");
    let why = get(served.address(), "/api/v1/why?url=seven.lookfar/d2");
    assert_eq!(why["is_searchable"], true, "{why}");
    assert_eq!(why["story"]["standing"]["state"], "fetched", "{why}");
    drop(served);

    // A second run finds nothing to do and ends at once.
    expect(&output(dir, &["demo", "--until-idle", "--no-serve"]), 0);
    // The demo's pages do not mix with another crawl's.
    let other = tempfile::tempdir().unwrap();
    let other_place = base::Collection::open_or_create(other.path()).unwrap();
    std::fs::write(other_place.config(), "[crawl]\ndepth = 3\n").unwrap();
    expect(&output(other.path(), &["demo", "--no-serve"]), 2);
}

/// A query with NOT: answers are whole, and none shows the word.
fn leave_cars_out(dir: &Path) {
    let answers = search(dir, "jaguar AND NOT car");
    assert!(answers.len() >= 10, "{answers:?}");
    for answer in &answers {
        for key in ["url", "title", "snippet", "score"] {
            assert!(!answer[key].is_null(), "{key} is missing in {answer}");
        }
        for key in ["title", "snippet"] {
            let shown = answer[key].as_str().unwrap().to_lowercase();
            let mut words = shown.split(|letter: char| !letter.is_alphanumeric());
            assert!(!words.any(|word| word == "car"), "{answer}");
        }
    }
    // There are some to leave out.
    assert!(!search(dir, "jaguar AND car").is_empty());
}

/// Phrases, words near each other, a strategy of the notes with its explanation (Q1, Q4).
fn ask_as_the_notes_do(dir: &Path) {
    let of_the_seven = |query: &str| {
        let mut found: Vec<String> = urls(&search(dir, query))
            .into_iter()
            .filter_map(|url| url.strip_prefix("http://seven.lookfar/").map(str::to_owned))
            .filter(|path| path.starts_with('d'))
            .collect();
        found.sort_unstable();
        found
    };
    // W11: of the seven these two, and among the first of all pages no others.
    let boolean = "(jaguar AND new AND NOT family) OR cat";
    assert_eq!(of_the_seven(&format!("({boolean}) AND site:seven.lookfar")), ["d2", "d7"]);
    let all = of_the_seven(boolean);
    assert!(all.iter().all(|path| ["d2", "d7"].contains(&path.as_str())), "{all:?}");
    assert_eq!(of_the_seven("\"new world mammal\""), ["d1"]);
    assert_eq!(of_the_seven("\"world new mammal\""), [""; 0]);
    // "family incorporated the jaguar" in d6; nine words apart in d1 and d5.
    assert_eq!(of_the_seven("jaguar NEAR/2 family"), [""; 0]);
    assert_eq!(of_the_seven("jaguar NEAR/3 family"), ["d6"]);
    assert_eq!(of_the_seven("jaguar NEAR/8 family site:seven.lookfar"), ["d6"]);
    assert_eq!(of_the_seven("jaguar NEAR/9 family site:seven.lookfar"), ["d1", "d5", "d6"]);

    let found = |strategy: &str| {
        let line = ["search", "--json", "-k", "20", "--strategy", strategy, "jaguar OR family"];
        let lines = text(&output(dir, &line).stdout);
        lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect::<Vec<Value>>()
    };
    let by_threshold = found("threshold");
    assert_eq!(by_threshold[0]["first_stage"]["strategy"], "threshold", "{by_threshold:?}");
    assert_eq!(urls(&by_threshold), urls(&found("exhaustive")));
    let line = ["search", "--strategy", "threshold", "--explain", "jaguar OR family"];
    let explained = output(dir, &line);
    expect(&explained, 0);
    let told = text(&explained.stderr);
    assert!(told.contains("first stage by threshold: "), "{told}");
    assert!(told.contains(" documents scored, ") && told.contains(" postings read"), "{told}");
    let explained = text(&explained.stdout);
    assert!(explained.contains("text: how often the text says the words"), "{explained}");
    assert!(explained.contains(" links: importance by the links"), "{explained}");
}

#[test]
fn the_demo_is_searched_while_it_is_crawled_and_ends_on_ctrl_c() {
    let folder = tempfile::tempdir().unwrap();
    let mut child = start(folder.path(), &["demo", "--port", "0"]);
    let mut said = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    while !line.contains("search page: http://") {
        line.clear();
        assert!(said.read_line(&mut line).unwrap() > 0, "it ended");
    }
    let address = line.trim().rsplit("http://").next().unwrap().trim_end_matches('/').to_owned();
    let mut found = Value::Null;
    wait_until("something is found", || {
        let answer: Value = get(&address, "/api/v1/search?q=jaguar");
        found = get(&address, "/api/v1/status");
        answer["total"]["count"].as_u64().or(answer["total"].as_u64()).unwrap_or(0) > 0
    });
    assert_eq!(found["is_crawling"], Value::Bool(true), "{found}");
    assert!(found["queue"].as_u64().unwrap() > 0, "the crawl was over before the first answer");
    let why = get(&address, "/api/v1/why?url=http://seven.lookfar/d2");
    assert!(why["story"]["standing"].is_string() || why["story"]["standing"].is_object(), "{why}");
    interrupt(&child);
    assert_eq!(child.wait().unwrap().code(), Some(0));
    expect(&output(folder.path(), &["check"]), 0);
}

/// Asks the server and reads the body as JSON.
fn get(address: &str, path: &str) -> Value {
    let mut stream = TcpStream::connect(address).unwrap();
    let request = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).unwrap();
    let mut response = String::new();
    stream.read_to_string(&mut response).unwrap();
    let body = response.split_once("\r\n\r\n").unwrap().1;
    serde_json::from_str(body).unwrap_or_else(|_| panic!("{response}"))
}

fn interrupt(child: &Child) {
    let done = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(done.success());
}
