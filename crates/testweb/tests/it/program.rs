//! The program itself: what it prints, serves and refuses.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Output, Stdio};

use crate::client::Client;

fn testweb(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_testweb"));
    command.args(arguments);
    command
}

fn output(arguments: &[&str]) -> Output {
    testweb(arguments).output().unwrap()
}

/// A program that is stopped when the test ends, however it ends.
struct Served(Child);

impl Drop for Served {
    fn drop(&mut self) {
        // It may have ended by itself; then there is nothing to stop.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn it_serves_and_says_how_to_reach_it() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("index.html"), "<title>Docs</title>").unwrap();
    let site = format!("docs.example={}", folder.path().display());
    let arguments = ["sites", "--site", &site, "--port", "0", "--dns-port", "0"];
    let child = testweb(&arguments).stdout(Stdio::piped()).spawn().unwrap();
    let mut served = Served(child);
    let lines = BufReader::new(served.0.stdout.take().unwrap()).lines();
    let text: Vec<String> =
        lines.map(Result::unwrap).take_while(|line| !line.starts_with("Ctrl-C")).collect();
    assert!(text[0].starts_with("hosts: 1;"), "{text:?}");
    assert!(text.iter().any(|line| line.contains("start at  http://docs.example/")), "{text:?}");
    let port: u16 = text[0].split(' ').nth(3).unwrap().parse().unwrap();
    let page = Client::connect(([127, 0, 0, 1], port).into()).get("docs.example", "/", "");
    assert_eq!(page.text(), "<title>Docs</title>");
}

#[test]
fn lists_are_the_same_for_the_same_seed() {
    let list = |seed| output(&["generated", "--list", "--pages", "50", "--seed", seed]).stdout;
    assert_eq!(list("5"), list("5"));
    assert_ne!(list("5"), list("6"));
    assert_eq!(String::from_utf8(list("5")).unwrap().lines().count(), 50);
}

#[test]
fn mistakes_are_explained() {
    let check = |arguments: &[&str], expected: &str| {
        let output = output(arguments);
        let text = String::from_utf8(output.stderr).unwrap();
        assert!(text.contains(expected), "{arguments:?}: {text}");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    };
    check(&["sites"], "there is nothing to serve");
    check(&["sites", "--site", "docs.example"], "write a host, an equals sign and a folder");
    check(&["sites", "--site", "d.example=no/such"], "error: cannot read `no/such`\n  caused by: ");
    check(&["sites", "--webkb", "no/such"], "cannot read `no/such/webkb-manifest.tsv`");
    let taken = std::net::TcpListener::bind("0.0.0.0:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    check(&["generated", "--port", &port], "hint: another program has that port");
}
