//! Every target on its stored inputs and on some thousand inputs made of them.
//!
//! This is the short run of the fuzzer that needs nothing but Cargo. The inputs are made by
//! chance, but the same ones each time: `SEED` is another chance, and `CASES` makes more of them.

#![allow(clippy::unwrap_used, reason = "a test may fail where it stands")]
#![allow(clippy::print_stderr, reason = "a failing test shows its input")]

mod mutate;

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use mutate::Maker;

/// Runs a target on what is stored, and on `cases` inputs made of it.
fn drive(name: &str, cases: usize, target: fn(&[u8])) {
    let number = |name: &str| env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let seed = number("SEED").unwrap_or(4);
    let cases = number("CASES").map_or(cases, |cases| cases as usize);
    let inputs = stored(name);
    assert!(inputs.len() >= 5, "too few inputs of {name} are stored");
    for (path, input) in &inputs {
        assert!(input.len() < 4_096, "{} is too long", path.display());
        let shown = Shown { what: path.display().to_string(), input };
        target(input);
        drop(shown);
    }
    let inputs: Vec<Vec<u8>> = inputs.into_iter().map(|(_, input)| input).collect();
    let mut maker = Maker::new(seed, &inputs);
    for case in 0..cases {
        let input = maker.make();
        let shown = Shown { what: format!("case {case} of SEED={seed}"), input: &input };
        target(&input);
        drop(shown);
    }
}

fn stored(name: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(name);
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files.into_iter().map(|path| (path.clone(), fs::read(path).unwrap())).collect()
}

/// Shows an input if the target panics on it.
struct Shown<'a> {
    what: String,
    input: &'a [u8],
}

impl Drop for Shown<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("{}: b\"{}\"", self.what, self.input.escape_ascii());
        }
    }
}

#[test]
fn any_page_of_html_is_read() {
    drive("html", 1_500, fuzz::html);
}

#[test]
fn any_bytes_in_any_charset_are_read() {
    drive("charset", 3_000, fuzz::charset);
}

#[test]
fn any_list_is_read() {
    drive("listing", 5_000, fuzz::listing);
}

#[test]
fn any_robots_file_is_read() {
    drive("robots", 20_000, fuzz::robots);
}

#[test]
fn any_warc_file_is_read() {
    drive("warc", 2_000, fuzz::warc);
}

#[test]
fn any_query_is_read() {
    drive("query", 20_000, fuzz::query);
}

#[test]
fn the_same_seed_makes_the_same_inputs() {
    let inputs = [b"one two".to_vec(), b"<three>".to_vec()];
    let made = |seed: u64| {
        let mut maker = Maker::new(seed, &inputs);
        (0..50).map(|_| maker.make()).collect::<Vec<_>>()
    };
    assert_eq!(made(1), made(1));
    assert_ne!(made(1), made(2));
}
