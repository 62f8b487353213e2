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

/// Filters, topics and the query language are refused where they do not fit, and a schema cannot say
/// what fits; all else of a search is checked, and all of the other paths.
const SETTINGS: &str = "[[operations]]\ninclude-name = \"GET /api/v1/search\"\n\
    checks.positive_data_acceptance.enabled = false\n";

/// Returns a Python that has schemathesis; `None` if there is none, which only CI takes for a
/// failure.
fn python() -> Option<String> {
    let python = env::var("LOOKFAR_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let import = Command::new(&python).args(["-c", "import schemathesis"]).output();
    if import.is_ok_and(|outcome| outcome.status.success()) {
        return Some(python);
    }
    assert!(env::var_os("CI").is_none(), "`{python}` cannot import schemathesis");
    eprintln!("skipped: `{python}` cannot import schemathesis; `cargo xtask test` installs it");
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

#[test]
fn schemathesis_finds_nothing_that_is_not_as_described() {
    let Some(python) = python() else { return };
    let server = server();
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("schemathesis.toml"), SETTINGS).unwrap();
    let described = format!("http://{}/api/openapi.json", server.address);
    let outcome = Command::new(python)
        .args(["-m", "schemathesis.cli", "run", &described, "--no-color"])
        // Named here, checks would be made in spite of the settings; unnamed, all are made.
        .args(["--phases", "examples,coverage,fuzzing"])
        .args(["--max-examples", EXAMPLES, "--generation-deterministic"])
        .args(["--request-timeout", "20", "--suppress-health-check", "all"])
        .arg("--continue-on-failure")
        .current_dir(folder.path())
        .output()
        .unwrap();
    let told = [outcome.stdout, outcome.stderr].concat();
    let told = String::from_utf8_lossy(&told);
    assert!(outcome.status.success(), "{told}");
    // It has looked at every path but that of the description itself, and not given up before.
    let paths = crate::client::get(server.address, "/api/openapi.json").json();
    let paths = paths["paths"].as_object().unwrap().len() - 1;
    assert!(told.contains(&format!("{paths} selected / {paths} total")), "{told}");
}
