//! Term spam (S1): made spam scores high, real pages do not; languages are told by the text.

use std::path::{Path, PathBuf};

use base::{SpamKind, Url};
use parse::{Input, Options, Parsed, parse};

use super::page;

/// A score from which a page counts as spam here.
const SPAM: u8 = 50;

fn read(path: &Path) -> Parsed {
    let url = Url::parse("http://real.example/").unwrap();
    let body = std::fs::read(path).unwrap();
    let input = Input { content_type: Some("text/html"), ..Input::new(&url, &body) };
    parse(&input, &Options::default())
}

/// Returns all files below a folder whose names end so.
fn files(folder: &Path, ends: fn(&str) -> bool) -> Vec<PathBuf> {
    let mut folders = vec![folder.to_owned()];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if ends(&path.to_string_lossy()) {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// Reads all pages; at most `per_mille` of a thousand may count as spam.
#[track_caller]
fn check_honest(pages: &[PathBuf], per_mille: usize) {
    let mut found = Vec::new();
    let mut doubts = [0_usize; 5];
    for path in pages {
        let parsed = read(path);
        for reason in &parsed.spam.reasons {
            doubts[reason.kind as usize] += 1;
        }
        if parsed.spam.score >= SPAM {
            found.push(format!("{} {:?}", path.display(), parsed.spam));
        }
    }
    println!("{} pages, {} spam, doubts by kind {doubts:?}", pages.len(), found.len());
    println!("{found:#?}");
    assert!(found.len() * 1_000 <= pages.len() * per_mille, "{found:#?}");
}

#[test]
fn real_pages_are_not_spam() {
    let Some(data) = std::env::var_os("LOOKFAR_DATA").map(PathBuf::from) else {
        println!("LOOKFAR_DATA is not set: skipped");
        return;
    };
    check_honest(&files(&data.join("webkb/webkb-raw"), |_| true), 5);
    check_honest(&files(&data.join("readability"), |name| name.ends_with("source.html")), 5);
}

#[test]
fn documentation_is_not_spam() {
    // Far more pages than a test should read: only where a folder is given.
    let Some(docs) = std::env::var_os("LOOKFAR_DOCS").map(PathBuf::from) else {
        println!("LOOKFAR_DOCS is not set: skipped");
        return;
    };
    check_honest(&files(&docs, |name| name.ends_with(".html")), 5);
}
