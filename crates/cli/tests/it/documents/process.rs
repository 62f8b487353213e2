//! The child process: whatever it does, the parent goes on and nothing is left behind.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use base::{ContentKind, Oddity};
use parse::document::{Document, Limits, Reader};

use crate::run::wait_until;

/// Reads with a program made of shell.
fn read_with(dir: &Path, script: &str, limits: Limits) -> Document {
    let program = dir.join("program");
    // Written by another process: a file that this one had open could not be run while some
    // other test's child still holds a copy of the handle.
    let write = Command::new("/bin/sh")
        .args(["-c", "printf '#!/bin/sh\\n%s\\n' \"$1\" > \"$0\" && chmod 755 \"$0\""])
        .arg(&program)
        .arg(script)
        .status();
    assert!(write.unwrap().success());
    Reader { program, limits }.read(ContentKind::Pdf, &[b'x'; 300_000])
}

fn hasty() -> Limits {
    Limits { patience: Duration::from_millis(500), ..Limits::default() }
}

#[track_caller]
fn check(script: &str, limits: Limits, expected: Oddity) {
    let dir = tempfile::tempdir().unwrap();
    assert_eq!(read_with(dir.path(), script, limits).oddities, [expected], "{script}");
}

#[test]
fn a_child_that_never_answers_is_killed_with_all_its_children() {
    let dir = tempfile::tempdir().unwrap();
    let script = "PATH=/usr/bin:/bin; sleep 987 & echo $! > \"$0.pid\"; sleep 987";
    let document = read_with(dir.path(), script, hasty());
    assert_eq!(document.oddities, [Oddity::ReaderKilled]);
    let pid = std::fs::read_to_string(dir.path().join("program.pid")).unwrap();
    let status = PathBuf::from(format!("/proc/{}/stat", pid.trim()));
    // Dead, or dead and waiting for whoever adopts orphans here.
    let is_gone = || std::fs::read_to_string(&status).map_or(true, |text| text.contains(") Z "));
    wait_until("it is gone", is_gone);
}

#[test]
fn a_child_that_dies_is_one_unreadable_file() {
    check("exit 3", Limits::default(), Oddity::Unreadable);
    check("kill -SEGV $$", Limits::default(), Oddity::Unreadable);
    check("echo nonsense", Limits::default(), Oddity::Unreadable);
    check("kill -KILL $$", Limits::default(), Oddity::ReaderKilled);
    check("kill -XCPU $$", Limits::default(), Oddity::ReaderKilled);
    check(
        "echo 'memory allocation of 7 bytes failed' >&2; kill -ABRT $$",
        Limits::default(),
        Oddity::ReaderKilled,
    );
}

#[test]
fn a_program_that_is_not_there_is_one_unreadable_file() {
    let reader = Reader::new(PathBuf::from("/nowhere/at/all"));
    assert_eq!(reader.read(ContentKind::Pdf, b"%PDF-").oddities, [Oddity::Unreadable]);
}

#[test]
fn endless_answers_and_complaints_are_cut_off() {
    let limits =
        Limits { text_bytes: 1_000, patience: Duration::from_secs(30), ..Limits::default() };
    let document = {
        let dir = tempfile::tempdir().unwrap();
        read_with(dir.path(), "PATH=/usr/bin:/bin; exec cat /dev/zero", limits)
    };
    assert_eq!(document.oddities.len(), 1);
    check("PATH=/usr/bin:/bin; exec cat /dev/zero >&2", hasty(), Oddity::ReaderKilled);
}

#[test]
fn the_real_child_keeps_to_its_memory_and_time() {
    let program = PathBuf::from(env!("CARGO_BIN_EXE_lookfar"));
    let body = super::files::pdf_page("BT /F1 12 Tf 72 700 Td (small) Tj ET");
    // Too little to hold even the document.
    let limits = Limits { memory_bytes: 64 * 1024 * 1024, ..Limits::default() };
    let mut large = body.clone();
    large.resize(31 * 1024 * 1024, b' ');
    let document = Reader { program: program.clone(), limits }.read(ContentKind::Pdf, &large);
    let is_ended = document
        .oddities
        .iter()
        .any(|oddity| matches!(oddity, Oddity::ReaderKilled | Oddity::Unreadable));
    assert!(is_ended, "{:?}", document.oddities);
    assert_eq!(Reader::new(program).read(ContentKind::Pdf, &body).blocks[0].text, "small");
}
