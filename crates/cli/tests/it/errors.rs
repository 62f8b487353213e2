//! What goes wrong says so in one clear line, with exit code 2, and changes nothing.

use std::fs;
use std::net::TcpListener;
use std::path::Path;

use base::Collection;
use testweb::{Script, Web};

use crate::run::{collection, expect, lookfar, output, text};

/// Runs and asserts exit code 2, one line of error that says `what`, and advice if expected.
#[track_caller]
fn check(dir: &Path, arguments: &[&str], what: &str) {
    let output = output(dir, arguments);
    expect(&output, 2);
    let said = text(&output.stderr);
    let first = said.lines().next().unwrap_or_default();
    assert!(first.starts_with("error: ") && first.contains(what), "{said}");
    assert!(output.stdout.is_empty());
}

/// Returns names and sizes of everything below a folder.
fn picture(dir: &Path) -> Vec<(String, u64)> {
    let mut found = Vec::new();
    let mut folders = vec![dir.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let data = entry.metadata().unwrap();
            if data.is_dir() {
                folders.push(entry.path());
            }
            found.push((entry.path().display().to_string(), data.len()));
        }
    }
    found.sort();
    found
}

#[test]
fn a_collection_that_is_not_there() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("none");
    for arguments in
        [&["search", "x"][..], &["status"], &["check"], &["serve"], &["up"], &["crawl"]]
    {
        check(&dir, arguments, "there is no collection in");
    }
    assert!(!dir.exists());
}

#[test]
fn a_folder_that_holds_something_else() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("letter.txt"), "dear").unwrap();
    let before = picture(folder.path());
    for arguments in [&["status"][..], &["crawl", "https://example.org/"], &["demo", "--no-serve"]]
    {
        check(folder.path(), arguments, "is not a Lookfar collection");
    }
    assert_eq!(picture(folder.path()), before);
}

#[test]
fn a_newer_format() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("VERSION"), "lookfar collection 7\n").unwrap();
    let before = picture(folder.path());
    check(folder.path(), &["status"], "has format version 7; this Lookfar knows 1");
    assert_eq!(picture(folder.path()), before);
}

#[test]
fn a_collection_in_use() {
    let folder = tempfile::tempdir().unwrap();
    let collection = Collection::open_or_create(folder.path()).unwrap();
    fs::write(folder.path().join("seeds.txt"), "http://a.lookfar/\n").unwrap();
    let _lock = collection.lock().unwrap();
    check(folder.path(), &["crawl"], "is in use by another process");
    check(folder.path(), &["check"], "is in use by another process");
    // Looking is allowed.
    expect(&output(folder.path(), &["status"]), 0);
    expect(&output(folder.path(), &["search", "x"]), 1);
}

#[test]
fn seeds_that_cannot_be_reached() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("c");
    check(&dir, &["crawl", "http://nosuch.invalid/"], "there is no host `nosuch.invalid`");
    check(&dir, &["crawl", "http://127.0.0.1/"], "has an address that is not public");
    check(&dir, &["crawl", "ftp://example.org/"], "cannot begin at `ftp://example.org/`");
    assert!(!dir.exists());

    let web = Web::new().site(Script::new("a.lookfar").page("/", "a")).start().unwrap();
    let place = collection(&dir, &web, "");
    let before = picture(&dir);
    check(&dir, &["crawl", "http://nosuch.lookfar/"], "there is no host `nosuch.lookfar`");
    drop(web);
    check(&dir, &["crawl", "http://a.lookfar/"], "cannot look up `a.lookfar`");
    assert_eq!(before.len() + 1, picture(&dir).len(), "only LOCK may be new");
    drop(place);
}

#[test]
fn a_port_in_use() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("c");
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port().to_string();
    check(&dir, &["demo", "--port", &port], &port);
    assert!(!dir.exists());
}

#[test]
fn a_configuration_that_is_wrong() {
    let folder = tempfile::tempdir().unwrap();
    let collection = Collection::open_or_create(folder.path()).unwrap();
    fs::write(collection.config(), "[crawl]\ndelai = \"1s\"\n").unwrap();
    check(folder.path(), &["crawl", "https://example.org/"], "lookfar.toml` is not valid");
}

#[test]
fn a_closed_pipe_is_success() {
    use std::process::Stdio;
    let folder = tempfile::tempdir().unwrap();
    Collection::open_or_create(folder.path()).unwrap();
    let mut child = lookfar(folder.path(), &["status"]).stdout(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn help_teaches() {
    let output = lookfar(Path::new("none"), &["--help"]).output().unwrap();
    expect(&output, 0);
    let said = text(&output.stdout);
    for word in ["lookfar demo", "lookfar up", "search", "status", "check", "Exit codes"] {
        assert!(said.contains(word), "{word} is missing in:\n{said}");
    }
}
