//! What programs ask of the real `lookfar serve`, over a collection that it has imported itself:
//! the interface that it describes, numbers for monitors, tools for assistants (U4, U6).
//!
//! `crates/serve` tests all of it against a made-up collection; here the parts are put together.

use std::env;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use crate::run::{Served, expect, output, text};

/// Imports two pages that link to each other, and serves them.
fn served(folder: &Path) -> Served {
    let page = |url: &str, title: &str, body: &str| {
        let html = format!("<!doctype html><title>{title}</title><main><p>{body}</p></main>");
        json!({ "id": url, "url": url, "html": html }).to_string()
    };
    let lines = [
        page("http://zoo.example/", "The zoo", "A jaguar lives <a href=/jaguar>here</a>."),
        page("http://zoo.example/jaguar", "The jaguar", "A large cat. <a href=/>The zoo</a>."),
    ];
    let (dir, file) = (folder.join("c"), folder.join("pages.jsonl"));
    std::fs::write(&file, lines.join("\n")).unwrap();
    let arguments = ["import", "jsonl", file.to_str().unwrap(), "--url", "http://a.example/"];
    expect(&output(&dir, &arguments), 0);
    Served::start(&dir)
}

/// Asks; returns status and body.
fn ask(served: &Served, method: &str, path: &str, body: &str) -> (u16, String) {
    let address = served.address();
    let mut stream = TcpStream::connect(address).unwrap();
    let length = body.len();
    let request = format!(
        "{method} {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\
         Accept: application/json, text/event-stream\r\nContent-Type: application/json\r\n\
         Content-Length: {length}\r\n\r\n{body}"
    );
    stream.write_all(request.as_bytes()).unwrap();
    let mut reply = String::new();
    stream.read_to_string(&mut reply).unwrap();
    let (head, body) = reply.split_once("\r\n\r\n").unwrap();
    (head.split(' ').nth(1).unwrap().parse().unwrap(), body.to_owned())
}

fn get(served: &Served, path: &str) -> (u16, String) {
    ask(served, "GET", path, "")
}

#[test]
fn every_path_that_is_described_answers_and_so_do_those_for_monitors() {
    let folder = tempfile::tempdir().unwrap();
    let served = served(folder.path());
    assert_eq!(get(&served, "/healthz").0, 200);
    assert_eq!(get(&served, "/readyz"), (200, "ready\n".to_owned()));
    let (status, described) = get(&served, "/api/openapi.json");
    assert_eq!(status, 200);
    let described: Value = serde_json::from_str(&described).unwrap();
    let paths = described["paths"].as_object().unwrap();
    assert!(paths.len() >= 10, "{:?}", paths.keys());
    for (path, methods) in paths {
        let mut asked = format!("{path}?");
        for parameter in methods["get"]["parameters"].as_array().into_iter().flatten() {
            match (parameter["required"] == true, parameter["name"].as_str().unwrap()) {
                (true, "q") => asked += "q=jaguar&",
                (true, "url") => asked += "url=http://zoo.example/jaguar&",
                (true, other) => panic!("what is `{other}` of {path}?"),
                (false, _) => {}
            }
        }
        let (status, body) = get(&served, &asked);
        assert_eq!(status, 200, "{asked}: {body}");
        assert!(serde_json::from_str::<Value>(&body).is_ok(), "{asked}: {body}");
    }
    let (_, found) = get(&served, "/api/v1/search?q=jaguar+large");
    let found: Value = serde_json::from_str(&found).unwrap();
    assert_eq!(found["hits"][0]["url"], "http://zoo.example/jaguar", "{found}");
    let (status, numbers) = get(&served, "/metrics");
    assert_eq!(status, 200);
    for line in ["lookfar_documents 2", "lookfar_generation 1", "lookfar_crawling 0"] {
        assert!(numbers.lines().any(|told| told == line), "{line} is not in {numbers}");
    }
    let searches =
        numbers.lines().find(|line| line.starts_with("lookfar_search_duration_seconds_count"));
    assert!(searches.is_some_and(|line| !line.ends_with(" 0")), "{numbers}");
}

#[test]
fn an_assistant_lists_the_tools_and_searches() {
    let folder = tempfile::tempdir().unwrap();
    let served = served(folder.path());
    let call = |method: &str, params: Value| {
        let request = json!({ "jsonrpc": "2.0", "id": 7, "method": method, "params": params });
        let (status, body) = ask(&served, "POST", "/mcp", &request.to_string());
        assert_eq!(status, 200, "{method}: {body}");
        let answer: Value = serde_json::from_str(&body).unwrap();
        assert_eq!((&answer["id"], &answer["error"]), (&json!(7), &Value::Null), "{answer}");
        answer["result"].clone()
    };
    let client = json!({ "name": "test", "version": "1" });
    let begun = call(
        "initialize",
        json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client }),
    );
    assert_eq!(begun["serverInfo"]["name"], "lookfar");
    let listed = call("tools/list", json!({}));
    let names: Vec<&str> = listed["tools"].as_array().unwrap().iter().map(name).collect();
    assert!(names.contains(&"search") && names.len() == 4, "{names:?}");
    let told = |tool: &str, arguments: Value| {
        let told = call("tools/call", json!({ "name": tool, "arguments": arguments }));
        assert_eq!(told["isError"], false, "{tool}: {told}");
        told["content"][0]["text"].as_str().unwrap().to_owned()
    };
    let found = told("search", json!({ "query": "jaguar large" }));
    assert!(found.contains("http://zoo.example/jaguar"), "{found}");
    // Every tool that takes an address answers for a page that is there.
    for tool in listed["tools"].as_array().unwrap() {
        if tool["inputSchema"]["required"] == json!(["url"]) {
            let told = told(name(tool), json!({ "url": "http://zoo.example/jaguar" }));
            assert!(!told.is_empty(), "{tool}");
        }
    }
}

fn name(tool: &Value) -> &str {
    tool["name"].as_str().unwrap()
}

/// What is described as right may be refused by a search: a schema cannot say all of what fits. Which
/// parameters these are, and all others, `crates/serve/tests/it/schema.rs` looks after.
const SETTINGS: &str = "[[operations]]\ninclude-name = \"GET /api/v1/search\"\n\
    checks.positive_data_acceptance.enabled = false\n";

#[test]
fn schemathesis_finds_nothing_in_the_real_server_that_is_not_as_described() {
    let python = env::var("LOOKFAR_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let import = Command::new(&python).args(["-c", "import schemathesis"]).output();
    if !import.is_ok_and(|outcome| outcome.status.success()) {
        assert!(env::var_os("CI").is_none(), "`{python}` cannot import schemathesis");
        println!("skipped: `{python}` cannot import schemathesis; `cargo xtask test` installs it");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let served = served(folder.path());
    std::fs::write(folder.path().join("schemathesis.toml"), SETTINGS).unwrap();
    let described = format!("http://{}/api/openapi.json", served.address());
    let outcome = Command::new(python)
        .args(["-m", "schemathesis.cli", "run", &described, "--no-color"])
        .args(["--phases", "examples,coverage,fuzzing"])
        .args(["--max-examples", "10", "--generation-deterministic"])
        .args(["--request-timeout", "20", "--suppress-health-check", "all"])
        .arg("--continue-on-failure")
        .current_dir(folder.path())
        .output()
        .unwrap();
    let told = text(&[outcome.stdout, outcome.stderr].concat());
    assert!(outcome.status.success() && told.contains("No issues found"), "{told}");
}
