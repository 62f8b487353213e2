//! Shell completions and man pages.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Stdio;

use crate::run::{expect, lookfar, output, text};

#[test]
fn every_shell_has_completions_of_commands_and_options() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let output = output(Path::new("none"), &["completions", shell]);
        expect(&output, 0);
        let script = text(&output.stdout);
        for word in ["lookfar", "doctor", "pagerank", "until-idle", "jsonl"] {
            assert!(script.contains(word), "{shell} does not know {word}");
        }
    }
    expect(&output(Path::new("none"), &["completions", "cmd"]), 2);
}

/// Bash reads its script and completes with it.
#[test]
fn bash_completes_by_the_script() {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("lookfar.bash");
    fs::write(&script, output(Path::new("none"), &["completions", "bash"]).stdout).unwrap();
    let ask = "source \"$0\"; COMP_WORDS=(lookfar gra); COMP_CWORD=1; \
               _lookfar lookfar gra lookfar; echo \"${COMPREPLY[@]}\"";
    let mut bash = std::process::Command::new("bash");
    let bash = bash.args(["--norc", "-c", ask]).arg(&script).stdin(Stdio::null()).output();
    let Ok(answer) = bash else {
        println!("skipped: there is no bash; install it");
        return;
    };
    assert_eq!(text(&answer.stdout).trim(), "graph", "{}", text(&answer.stderr));
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    for arguments in [&["completions", "zsh"][..], &["man"]] {
        let mut command = lookfar(Path::new("none"), arguments);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        assert_eq!(child.wait().unwrap().code(), Some(0));
    }
}

#[test]
fn the_manual_has_a_page_for_every_command_and_each_has_a_name_and_synopsis() {
    let page = output(Path::new("none"), &["man"]);
    expect(&page, 0);
    assert!(text(&page.stdout).contains(".TH lookfar 1"));
    let folder = tempfile::tempdir().unwrap();
    let man = folder.path().join("man1");
    for _ in 0..2 {
        expect(&output(Path::new("none"), &["man", man.to_str().unwrap()]), 0);
    }
    let mut names = BTreeSet::new();
    for entry in fs::read_dir(&man).unwrap() {
        let path = entry.unwrap().path();
        let page = fs::read_to_string(&path).unwrap();
        assert!(page.contains(".SH NAME") && page.contains(".SH SYNOPSIS"), "{}", path.display());
        names.insert(path.file_name().unwrap().to_str().unwrap().to_owned());
    }
    for name in ["lookfar.1", "lookfar-up.1", "lookfar-doctor.1", "lookfar-graph-similar.1"] {
        assert!(names.contains(name), "{names:?}");
    }
}
