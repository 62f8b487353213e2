//! A process that may open few files (STO-13).

use std::io::{Read, Write};
use std::net::TcpStream;
use std::os::unix::fs::MetadataExt;
use std::process::Command;
use std::time::Duration;

use super::{Said, Scene};
use crate::kill::check_pages;
use crate::run::{Served, expect, lookfar, output, text, wait_until};
use crate::storage;

/// Files that the process may open, and connections that are held: more than that.
const FILES: usize = 128;
const HELD: usize = 300;

/// Returns what a server answers, if it does.
fn ask(address: &str, path: &str) -> Option<String> {
    let mut stream = TcpStream::connect(address).ok()?;
    stream.set_read_timeout(Some(Duration::from_secs(5))).ok()?;
    let request = format!("GET {path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).ok()?;
    let mut reply = Vec::new();
    stream.read_to_end(&mut reply).ok()?;
    Some(String::from_utf8_lossy(&reply).into_owned())
}

/// Returns the command with its limit lowered: the shell lowers its own and becomes the program.
fn with_few_files(command: &Command, most: usize) -> Command {
    let mut limited = Command::new("sh");
    limited.args(["-c", &format!("ulimit -n {most} && exec \"$@\""), "sh"]);
    limited.arg(command.get_program()).args(command.get_args());
    limited
}

#[test]
fn sto_13_out_of_descriptors_the_process_lives_answers_again_and_crawls_on() {
    let scene = Scene::new(300, 40);
    let config = std::fs::read_to_string(scene.place.config()).unwrap();
    // One address may hold them all, or they would never run out.
    std::fs::write(scene.place.config(), config + "connections_per_address = 1000\n").unwrap();
    let (mut served, told) = Served::heard(with_few_files(&lookfar(&scene.dir, &["up"]), FILES));
    let _said = Said::by(told);
    let mut held = Vec::new();
    for _ in 0..HELD {
        // Who is not let in any more is refused, or waits in the system's queue.
        if let Ok(mut stream) = TcpStream::connect(served.address()) {
            let _ = stream.write_all(b"GET / HTTP/1.1\r\n");
            held.push(stream);
        }
    }
    let files = format!("/proc/{}/fd", served.child().id());
    let open = || std::fs::read_dir(&files).unwrap().count();
    wait_until("no descriptor is left", || open() >= FILES - 1);
    println!("{} connections, {} files open", held.len(), open());
    // Long enough for the crawl to want files that it does not get.
    std::thread::sleep(Duration::from_secs(2));
    drop(held);
    wait_until("it answers again", || {
        let answer = ask(served.address(), "/api/v1/search?q=river").unwrap_or_default();
        answer.starts_with("HTTP/1.1 200") && answer.contains("http://")
    });
    wait_until("the crawl goes on to its end", || super::full::is_complete(&scene));
    expect(&output(&scene.dir, &["stop"]), 0);
    assert_eq!(served.wait().code(), Some(0));
    expect(&output(&scene.dir, &["check"]), 0);
    check_pages(&scene.generated, &scene.place);
}

/// Who lacks files knows nothing of those that it cannot open, and throws none of them away.
#[test]
fn sto_13_a_check_without_descriptors_says_so_and_repairs_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let dir = storage::collection(folder.path());
    let made = || {
        let parts = ["index", "anchors", "graph", "scores"];
        let mut files = parts.map(|part| storage::files(&dir.join(part), "")).concat();
        files.retain(|path| !path.ends_with(".tantivy-writer.lock"));
        let inode = |path: &std::path::PathBuf| path.metadata().unwrap().ino();
        files.iter().map(|path| (path.clone(), inode(path))).collect::<Vec<_>>()
    };
    let before = made();
    let mut codes = Vec::new();
    for most in [4, 6, 8, 10, 12, 13, 14, 16, 24, 256] {
        for arguments in [&["check"][..], &["check", "--repair"]] {
            let command = lookfar(&dir, arguments);
            let checked = with_few_files(&command, most).output().unwrap();
            let said = text(&checked.stdout) + &text(&checked.stderr);
            // Every file is whole.
            assert!(!said.contains("PROBLEM") && !said.contains("anew"), "{most} files:\n{said}");
            assert_eq!(made(), before, "{most} files:\n{said}");
            codes.push(checked.status.code());
        }
    }
    println!("{codes:?}");
    assert!(codes.contains(&Some(2)) && codes.ends_with(&[Some(0)]), "{codes:?}");
    expect(&output(&dir, &["check"]), 0);
}
