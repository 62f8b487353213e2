//! Files that the disk cannot read, of all that is made of the page log (STO-05).
//!
//! The file becomes a link to `/proc/self/mem`, at whose beginning nothing lies: the system answers
//! with an error to whoever reads it or maps it into memory.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use base::Collection;

use crate::run::{expect, output, text};
use crate::storage::{collection, files};

/// Returns what a search finds; `None` if it was refused in plain words.
fn ask(dir: &Path) -> Option<String> {
    let asked = output(dir, &["search", "--unfolded", "--json", "jaguar next"]);
    let said = text(&asked.stderr);
    assert!(!said.contains("panicked"), "{said}");
    if asked.status.code() == Some(0) {
        return Some(text(&asked.stdout));
    }
    expect(&asked, 2);
    assert!(said.contains("error: "), "{said}");
    None
}

/// Returns a file that is in use.
fn file_of(dir: &Path, part: &str, ending: &str) -> PathBuf {
    let place = Collection::open(dir).unwrap();
    let generation = place.generation().unwrap().unwrap();
    let folder = match part {
        "graph" => place.graph(generation),
        "anchors" => place.anchors(generation),
        "scores" => place.scores(generation),
        _ => place.index(),
    };
    files(&folder, ending).pop().unwrap_or_else(|| panic!("{ending} is not in {part}"))
}

#[test]
fn sto_05_a_file_made_of_the_page_log_that_cannot_be_read_is_named_and_made_anew() {
    let folder = tempfile::tempdir().unwrap();
    let dir = collection(folder.path());
    let before = ask(&dir).unwrap();
    let segments = [".term", ".idx", ".pos", ".store", ".fast", ".fieldnorm"];
    let mut kinds =
        vec![("graph", "nodes"), ("graph", "graph"), ("scores", ".f32"), ("scores", "suggestions")];
    kinds.extend(segments.map(|ending| ("anchors", ending)));
    kinds.extend(segments.map(|ending| ("index", ending)));
    for (part, ending) in kinds {
        let path = file_of(&dir, part, ending);
        fs::remove_file(&path).unwrap();
        symlink("/proc/self/mem", &path).unwrap();
        // Without the index nothing can be found; without the others the order is another one.
        match (part, ask(&dir)) {
            ("index", None) => {}
            ("index", Some(found)) => assert_eq!(found, before, "{ending}"),
            (_, found) => assert!(found.is_some(), "{part} {ending}"),
        }
        let checked = output(&dir, &["check"]);
        expect(&checked, 1);
        let said = text(&checked.stdout);
        let name = path.file_name().unwrap().to_str().unwrap();
        let is_named = |line: &str| line.contains("PROBLEM") && line.contains(name);
        assert!(said.lines().any(is_named), "{part} {name}:\n{said}");
        expect(&output(&dir, &["check", "--repair"]), 0);
        expect(&output(&dir, &["check"]), 0);
        assert_eq!(ask(&dir).as_ref(), Some(&before), "{part} {ending}");
    }
}
