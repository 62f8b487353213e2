//! `lookfar graph …` as people use it: worked examples, real graphs, broken ones, collections.

mod advise;
mod bad;
mod collection;
mod hits;
mod pictures;
mod real;
mod similar;
mod sites;
mod spam;
mod standing;
mod switches;
mod trust;
mod worked;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Output;

use crate::run::{expect, output, text};

/// Asks of the demo's web what it was made to show: its farm, its shape, its hubs.
pub(crate) fn look_at_the_demo(dir: &Path) {
    spam::names_the_farm_only(dir);
    pictures::draws_the_demo(dir);
    hits::finds_the_hubs_of_jaguar(dir);
    standing::counts_in_a_search(dir);
}

/// Runs `lookfar graph COMMAND --graph` on a file of arcs.
pub(super) fn on_arcs(arcs: &str, command: &str, options: &[&str]) -> Output {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("arcs");
    fs::write(&path, arcs).unwrap();
    on_file(&path, command, options)
}

pub(super) fn on_file(path: &Path, command: &str, options: &[&str]) -> Output {
    let mut line = vec!["graph", command, "--graph", path.to_str().unwrap()];
    line.extend(options);
    output(Path::new("no-such-collection"), &line)
}

/// Returns the scores of `--json`, after a look at their order.
#[track_caller]
pub(super) fn scores(output: &Output) -> BTreeMap<String, f64> {
    let mut scores = BTreeMap::new();
    let mut last = f64::INFINITY;
    for line in text(&output.stdout).lines() {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        let score = line["score"].as_f64().unwrap();
        assert!(score <= last, "the best come first: {line}");
        last = score;
        scores.insert(line["node"].as_str().unwrap().to_owned(), score);
    }
    scores
}

/// Ranks arcs and compares all scores with `A=1/3 B=2/3 …`, to 1e-9.
#[track_caller]
pub(super) fn check(arcs: &str, options: &[&str], expected: &str) {
    let options = [options, &["--json", "--all"]].concat();
    let output = on_arcs(arcs, "pagerank", &options);
    expect(&output, 0);
    compare(&scores(&output), expected);
}

#[track_caller]
pub(super) fn compare(found: &BTreeMap<String, f64>, expected: &str) {
    let expected: Vec<(&str, f64)> = expected.split(' ').map(fraction).collect();
    assert_eq!(found.len(), expected.len(), "{found:?}");
    for (name, score) in expected {
        let distance = (found[name] - score).abs();
        assert!(distance < 1e-9, "{name}: {} is not {score}", found[name]);
    }
}

/// Reads `A=1/3`.
fn fraction(text: &str) -> (&str, f64) {
    let (name, value) = text.split_once('=').unwrap();
    let (above, below) = value.split_once('/').unwrap_or((value, "1"));
    (name, above.parse::<f64>().unwrap() / below.parse::<f64>().unwrap())
}

/// Asserts an exit code, and that stderr says something.
#[track_caller]
pub(super) fn says(output: &Output, code: i32, what: &str) {
    expect(output, code);
    let said = text(&output.stderr);
    assert!(said.contains(what), "{said}");
}

/// Asserts exit code 2, nothing on stdout, and one line of error that says `what`.
#[track_caller]
pub(super) fn refuse(arcs: &str, command: &str, options: &[&str], what: &str) {
    let output = on_arcs(arcs, command, options);
    says(&output, 2, what);
    assert!(output.stdout.is_empty());
    let said = text(&output.stderr);
    assert_eq!(said.matches("error: ").count(), 1, "{said}");
}

/// Returns the objects of `--json`.
#[track_caller]
pub(super) fn lines(output: &Output) -> Vec<serde_json::Value> {
    text(&output.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}
