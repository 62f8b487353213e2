//! Others' tools ask what we describe (U4): schemathesis, from the Python package index.
//!
//! It reads `/api/openapi.json` and makes up requests, good and bad, for every path: no answer may be
//! a failure of ours, or have a status, a type or a shape that is not described; what is described as
//! wrong must be refused, and what is described as right must not.

use std::env;
use std::process::Command;
use std::sync::Arc;

use serde_json::json;
use serve::{Options, StoryFn};

use crate::known::Known;
use crate::server::{Server, found, hit, state};

/// Requests made up for each path, besides examples and edges.
const EXAMPLES: &str = "40";

/// What a schema cannot say of a search, and what is refused all the same:
///
/// - `q` has at most 1,024 bytes, and a schema counts characters; at most 64 words, as its language is
///   cut into words; at most 32 groups in each other;
/// - `topic` names topics of the collection;
/// - `site` is the name of a host, by the rules for names in all scripts (UTS 46);
/// - `lang` stands in our table of languages;
/// - `after` and `before` are days of the calendar.
///
/// So what is described as right may be refused here: this check, and no other, is off; it is made
/// with these parameters held by [`HELD`].
const SETTINGS: &str = "[[operations]]\ninclude-name = \"GET /api/v1/search\"\n\
    checks.positive_data_acceptance.enabled = false\n";

/// The same parameters with values that fit; all others are made up.
const HELD: &str = "[[operations]]\ninclude-name = \"GET /api/v1/search\"\n\
    [operations.parameters]\nq = \"big cat\"\ntopic = \"\"\nsite = \"zoo.example\"\nlang = \"en\"\n\
    after = \"2024-02-29\"\nbefore = \"2025\"\n";

/// Returns a Python that has schemathesis; `None` if there is none, which only CI takes for a
/// failure.
fn python() -> Option<String> {
    let python = env::var("LOOKFAR_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let import = Command::new(&python).args(["-c", "import schemathesis"]).output();
    if import.is_ok_and(|outcome| outcome.status.success()) {
        return Some(python);
    }
    assert!(env::var_os("CI").is_none(), "`{python}` cannot import schemathesis");
    println!("skipped: `{python}` cannot import schemathesis; `cargo xtask test` installs it");
    None
}

fn server() -> Server {
    let hits = vec![
        hit("http://other.example/", "Other", "a"),
        hit("http://zoo.example/", "The zoo", "a *zoo*"),
    ];
    let search = move |request: &rank::Request<'_>| found(request, &hits);
    let suggest = |typed: &str, most: usize| vec![format!("{typed}uar"); most.min(3)];
    let story: StoryFn = Arc::new(|url| Ok(json!({ "asked": url })));
    let state = state(search, Options::default()).with_knowledge(Arc::new(Known));
    Server::start(state.with_suggestions(Arc::new(suggest)).with_story(story))
}

/// Asks a server under these settings, and more; returns what it was told.
#[track_caller]
fn run(server: &Server, settings: &str, more: &[&str]) -> Option<String> {
    let python = python()?;
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("schemathesis.toml"), settings).unwrap();
    let described = format!("http://{}/api/openapi.json", server.address);
    let outcome = Command::new(python)
        .args(["-m", "schemathesis.cli", "run", &described, "--no-color"])
        // Named here, checks would be made in spite of the settings; unnamed, all are made.
        .args(["--phases", "examples,coverage,fuzzing"])
        .args(["--max-examples", EXAMPLES, "--generation-deterministic"])
        .args(["--request-timeout", "20", "--suppress-health-check", "all"])
        .arg("--continue-on-failure")
        .args(more)
        .current_dir(folder.path())
        .output()
        .unwrap();
    let told = [outcome.stdout, outcome.stderr].concat();
    let told = String::from_utf8_lossy(&told).into_owned();
    assert!(outcome.status.success(), "{told}");
    Some(told)
}

#[test]
fn schemathesis_finds_nothing_that_is_not_as_described() {
    let server = server();
    let Some(told) = run(&server, SETTINGS, &[]) else { return };
    // It has looked at every path but that of the description itself, and not given up before.
    let paths = crate::client::get(server.address, "/api/openapi.json").json();
    let paths = paths["paths"].as_object().unwrap().len() - 1;
    assert!(told.contains(&format!("{paths} selected / {paths} total")), "{told}");
}

#[test]
fn schemathesis_finds_no_search_refused_that_is_as_described() {
    let server = server();
    // Only what is right: wrong values of held parameters would be replaced by the held ones.
    let only = ["--include-path", "/api/v1/search", "--mode", "positive"];
    let Some(told) = run(&server, HELD, &only) else { return };
    assert!(told.contains("1 selected"), "{told}");
}
