//! `lookfar init` without a terminal: flags, defaults, and what it refuses.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;
use testweb::{Script, Web};

use crate::run::{Served, expect, lookfar, output, text, wait_until};

#[track_caller]
fn refused(dir: &Path, arguments: &[&str], what: &str) {
    let output = output(dir, arguments);
    expect(&output, 2);
    assert!(text(&output.stderr).contains(what), "{}", text(&output.stderr));
}

#[test]
fn flags_are_answers_and_the_file_can_be_read_again() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("my search");
    let arguments = [
        "init",
        "--offline",
        "--seed=a.example",
        "--seed=http://b.example/x",
        "--scope=domains=dk,example.org",
        "--contact=me@a.example",
    ];
    let output = output(&dir, &arguments);
    expect(&output, 0);
    let said = text(&output.stdout);
    assert!(said.contains("next: `lookfar up --dir '"), "{said}");
    let config = fs::read_to_string(dir.join("lookfar.toml")).unwrap();
    assert!(config.contains("\nscope = [\"dk\", \"example.org\"]\n"), "{config}");
    assert!(config.contains("\ncontact = \"me@a.example\"\n"), "{config}");
    assert!(config.contains("# Where pages may lie"), "the comments stay");
    let seeds = fs::read_to_string(dir.join("seeds.txt")).unwrap();
    assert!(seeds.ends_with("https://a.example/\nhttp://b.example/x\n"), "{seeds}");
}

#[test]
fn what_is_there_stays_and_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("c");
    let init = ["init", "--offline", "--yes", "--seed=a.example"];
    expect(&output(&dir, &init), 0);
    let before = fs::read_to_string(dir.join("lookfar.toml")).unwrap();
    refused(&dir, &init, "there is a `lookfar.toml` in");
    // Who asks too early is told what comes next, not to begin anew.
    refused(&dir, &["status"], "begin with `lookfar up`");
    assert_eq!(fs::read_to_string(dir.join("lookfar.toml")).unwrap(), before);
    fs::write(folder.path().join("letter.txt"), "dear").unwrap();
    refused(folder.path(), &init, "is not a Lookfar collection");
}

#[test]
fn answers_that_cannot_be_used_make_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("c");
    refused(&dir, &["init", "--offline"], "lookfar init --seed");
    refused(&dir, &["init", "--offline", "--seed=ftp://a.example/"], "cannot begin at");
    refused(&dir, &["init", "--offline", "--seed=a.example", "--contact=me"], "neither a page");
    refused(&dir, &["init", "--offline", "--seed=a.example", "--scope=open"], "needs a contact");
    refused(&dir, &["init", "--seed=http://nosuch.invalid/"], "there is no host");
    assert!(!dir.exists());
}

#[test]
fn the_folder_may_be_named_as_people_expect() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_lookfar"));
    command.current_dir(folder.path()).stdin(Stdio::null());
    command.args(["init", "museum", "--offline", "--json", "--seed=museum.example"]);
    let output = command.output().unwrap();
    expect(&output, 0);
    let told: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(told["next"], "lookfar up --dir museum");
    assert_eq!(told["seeds"][0], "https://museum.example/");
    assert!(folder.path().join("museum/lookfar.toml").exists());
}

/// What docs/guide.md promises to somebody who has never seen the program (U1).
#[test]
fn init_and_up_make_a_site_searchable() {
    let site = Script::new("www.museum.lookfar")
        .page("/", "<title>Museum</title><p>Welcome. <a href=/clocks>Clocks</a>")
        .page("/clocks", "<title>Clocks</title><p>A clepsydra tells the time by water.");
    let web = Web::new().site(site).start().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("lookfar");
    let init = ["init", "--offline", "--yes", "--seed=http://www.museum.lookfar/"];
    expect(&output(&dir, &init), 0);
    // This web is on loopback and has a name server of its own.
    let config = fs::read_to_string(dir.join("lookfar.toml")).unwrap();
    let config = config
        .replace("#addresses = \"public\"", "addresses = \"loopback\"")
        .replace("#dns_servers = []", &format!("dns_servers = [\"{}\"]", web.dns_addr))
        .replace("#instead_of_port_80 = 0", &format!("instead_of_port_80 = {}", web.http_port))
        .replace("#delay = \"1s\"", "delay = \"10ms\"");
    fs::write(dir.join("lookfar.toml"), config).unwrap();
    let served = Served::from(lookfar(&dir, &["up", "--port", "0"]));
    let found = || served.get("/search?q=clepsydra");
    wait_until("it is found", || found().contains("www.museum.lookfar"));
}
