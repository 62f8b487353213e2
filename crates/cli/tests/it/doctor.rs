//! `lookfar doctor` on machines and collections that are well, and on some that are not.

use std::fs;
use std::net::{TcpListener, UdpSocket};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use base::Collection;
use serde_json::Value;
use testweb::{Script, Web};

use crate::run::{collection, expect, output, text};

/// Returns what one check said.
#[track_caller]
fn of(output: &Output, check: &str) -> Value {
    let lines = text(&output.stdout);
    let mut found =
        lines.lines().map(|line| serde_json::from_str::<Value>(line).expect("each line is JSON"));
    found.find(|finding| finding["check"] == check).unwrap_or_else(|| panic!("{check}: {lines}"))
}

/// Runs offline and asserts the verdict of one check, and advice where something is wrong.
#[track_caller]
fn check(dir: &Path, check: &str, verdict: &str, said: &str) {
    let output = output(dir, &["doctor", "--offline", "--json"]);
    let finding = of(&output, check);
    assert_eq!(finding["verdict"], verdict, "{finding}");
    assert!(finding["said"].as_str().unwrap().contains(said), "{finding}");
    assert_eq!(finding.get("advice").is_some(), verdict != "ok", "{finding}");
    if verdict == "bad" {
        expect(&output, 1);
    }
}

/// A port that nobody has, so that tests do not depend on 7700.
const ANY_PORT: &str = "[serve]\nlisten = \"127.0.0.1:0\"\n";

#[test]
fn a_folder_that_is_not_there_is_no_fault_and_is_not_made() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("none");
    check(&dir, "folder", "warn", "there is no");
    check(&dir, "config", "ok", "by default");
    check(&dir, "collection", "ok", "nothing has been crawled");
    for name in ["version", "disk", "sync", "open files", "memory", "clock", "port"] {
        of(&output(&dir, &["doctor", "--offline", "--json"]), name);
    }
    assert!(!dir.exists());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "nothing is left behind");
}

#[test]
fn a_crawled_collection_is_well_and_names_are_found() {
    let web = Web::new().site(Script::new("a.lookfar").page("/", "hello")).start().unwrap();
    let folder = tempfile::tempdir().unwrap();
    collection(folder.path(), &web, &format!("contact = \"me@a.example\"\n{ANY_PORT}"));
    expect(&output(folder.path(), &["crawl", "--until-idle", "http://a.lookfar/"]), 0);
    let output = output(folder.path(), &["doctor", "--json"]);
    for name in ["folder", "config", "seeds", "collection", "formats", "contact", "port", "DNS"] {
        assert_eq!(of(&output, name)["verdict"], "ok", "{}", text(&output.stdout));
    }
    assert!(of(&output, "collection")["said"].as_str().unwrap().starts_with("1 pages"));
    assert!(of(&output, "contact")["said"].as_str().unwrap().contains("(+me@a.example)"));
}

#[test]
fn a_host_that_does_not_exist_and_a_resolver_that_is_silent_are_told() {
    let web = Web::new().site(Script::new("a.lookfar").page("/", "hello")).start().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let place = collection(folder.path(), &web, ANY_PORT);
    fs::write(folder.path().join("seeds.txt"), "http://nosuch.lookfar/\n").unwrap();
    let said = output(folder.path(), &["doctor", "--json"]);
    expect(&said, 1);
    assert!(of(&said, "DNS")["said"].as_str().unwrap().contains("there is no host"));
    let silent = UdpSocket::bind("127.0.0.1:0").unwrap();
    let server = silent.local_addr().unwrap();
    let config = format!("[crawl]\ndns_servers = [\"{server}\"]\ndns_timeout = \"300ms\"\n");
    fs::write(place.config(), config + ANY_PORT).unwrap();
    let said = output(folder.path(), &["doctor", "--json"]);
    expect(&said, 1);
    assert!(of(&said, "DNS")["said"].as_str().unwrap().contains("cannot look up"));
}

#[test]
fn a_configuration_that_is_wrong_is_told_with_the_place() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("lookfar.toml"), "[crawl]\ndelai = \"1s\"\n").unwrap();
    check(folder.path(), "config", "bad", "delai");
    fs::write(folder.path().join("lookfar.toml"), "[crawl]\nconcurrency = 0\n").unwrap();
    check(folder.path(), "config", "bad", "`crawl.concurrency`");
    fs::write(folder.path().join("lookfar.toml"), "[rank]\nk1 = -1\n").unwrap();
    check(folder.path(), "config", "bad", "k1");
    fs::write(folder.path().join("lookfar.toml"), "[crawl]\nscope = \"open\"\n").unwrap();
    check(folder.path(), "contact", "bad", "User-Agent: lookfar/");
}

#[test]
fn a_port_in_use_and_an_open_one_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let listen = listener.local_addr().unwrap();
    let config = format!("[serve]\nlisten = \"{listen}\"\n");
    fs::write(folder.path().join("lookfar.toml"), config).unwrap();
    check(folder.path(), "port", "bad", "is in use");
    // The page of the process that has the collection may well be the one that listens.
    let place = Collection::open_or_create(folder.path()).unwrap();
    let lock = place.lock().unwrap();
    check(folder.path(), "port", "ok", "as the collection is");
    check(folder.path(), "collection", "ok", "another process");
    drop((lock, listener));
    fs::write(folder.path().join("lookfar.toml"), "[serve]\nlisten = \"0.0.0.0:0\"\n").unwrap();
    check(folder.path(), "port", "warn", "can search");
}

#[test]
fn folders_that_are_not_ours_are_told() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "x").unwrap();
    check(&file, "folder", "bad", "is no folder");
    let foreign = folder.path().join("foreign");
    fs::create_dir(&foreign).unwrap();
    fs::write(foreign.join("letter.txt"), "dear").unwrap();
    check(&foreign, "collection", "bad", "is not a Lookfar collection");
    let newer = folder.path().join("newer");
    fs::create_dir(&newer).unwrap();
    fs::write(newer.join("VERSION"), "lookfar collection 7\n").unwrap();
    check(&newer, "collection", "bad", "has format version 7");
    fs::set_permissions(&newer, fs::Permissions::from_mode(0o777)).unwrap();
    check(&newer, "folder", "warn", "everybody");
    fs::write(newer.join("seeds.txt"), "no address\n").unwrap();
    check(&newer, "seeds", "bad", "is no URL");
}

#[test]
fn an_index_that_cannot_be_read_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("pages.jsonl");
    fs::write(&page, "{\"id\":\"1\",\"title\":\"a\",\"text\":\"penguin\"}\n").unwrap();
    let dir = folder.path().join("c");
    let import = ["import", "jsonl", page.to_str().unwrap(), "--url=http://a.example/"];
    expect(&output(&dir, &import), 0);
    check(&dir, "formats", "ok", "");
    fs::write(dir.join("GENERATION"), "x\n").unwrap();
    check(&dir, "formats", "bad", "GENERATION");
}

#[test]
fn a_low_limit_of_open_files_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let mut shell = Command::new("sh");
    shell.args(["-c", "ulimit -n 200 && exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_lookfar")]);
    shell.arg("--dir").arg(folder.path().join("none")).args(["doctor", "--offline", "--json"]);
    let output = shell.stdin(Stdio::null()).output().unwrap();
    expect(&output, 1);
    assert_eq!(of(&output, "open files")["verdict"], "bad");
}

#[test]
fn people_get_lines_with_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let output = output(&folder.path().join("none"), &["doctor", "--offline"]);
    let said = text(&output.stdout);
    assert!(said.lines().any(|line| line.starts_with("warn  folder ")), "{said}");
    assert!(said.contains("→ make a collection with `lookfar init`"), "{said}");
    assert!(said.lines().last().unwrap().contains("warning"), "{said}");
}
