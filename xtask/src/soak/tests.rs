//! The list of long forms against the sources and the documentation.

use std::{fs, path::Path};

use super::*;
use crate::harness::NO_LONG_FORMS;

/// An ignored test as its source has it.
#[derive(Debug, PartialEq)]
struct Ignored {
    package: String,
    target: String,
    test: String,
    reason: String,
}

/// Finds every `#[ignore]` below a folder.
fn find(folder: &Path, found: &mut Vec<Ignored>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            find(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.extend(ignored_in(&path, &fs::read_to_string(&path).unwrap()));
        }
    }
}

fn ignored_in(path: &Path, text: &str) -> Vec<Ignored> {
    let lines: Vec<&str> = text.lines().map(str::trim_start).collect();
    let marks = lines.iter().enumerate().filter(|(_, line)| line.starts_with("#[ignore"));
    marks
        .map(|(index, mark)| {
            let name = lines[index..].iter().find_map(|line| {
                line.trim_start_matches("async ").strip_prefix("fn ")?.split('(').next()
            });
            let (package, target, modules) = place(path);
            let reason = mark.split('"').nth(1).unwrap_or_default().to_owned();
            let test = [modules, name.expect("a mark stands before a function").to_owned()];
            let test = test.iter().filter(|part| !part.is_empty()).cloned().collect::<Vec<_>>();
            Ignored { package, target, test: test.join("::"), reason }
        })
        .collect()
}

/// Reads package, test program and modules out of `crates/<package>/tests/<target>/<modules>.rs`.
fn place(path: &Path) -> (String, String, String) {
    let root = cargo::root();
    let path = path.strip_prefix(&root).unwrap_or(path).with_extension("");
    let parts: Vec<String> = path.iter().map(|part| part.to_string_lossy().into_owned()).collect();
    let (package, rest) = match &parts[..] {
        [top, package, rest @ ..] if top == "crates" => (package.clone(), rest),
        [package, rest @ ..] => (package.clone(), rest),
        [] => panic!("a file has a path"),
    };
    let (target, modules) = match rest {
        [tests, target, modules @ ..] if tests == "tests" => (target.clone(), modules),
        [_, modules @ ..] => ("lib".to_owned(), modules),
        [] => panic!("a file lies in a folder of its package"),
    };
    let modules: Vec<&str> =
        modules.iter().map(String::as_str).filter(|part| !["mod", "main"].contains(part)).collect();
    (package, target, modules.join("::"))
}

fn ignored() -> Vec<Ignored> {
    let mut found = Vec::new();
    for folder in ["crates", "fuzz"] {
        find(&cargo::root().join(folder), &mut found);
    }
    found
}

#[test]
fn every_ignored_test_is_in_the_list_or_helps_another() {
    let found = ignored();
    assert!(found.len() > LONG.len(), "{found:?}");
    for Ignored { package, target, test, reason } in &found {
        assert!(!reason.is_empty(), "{test}: `#[ignore = \"…\"]` must give the reason");
        let is_listed = LONG
            .iter()
            .any(|long| (long.package, long.target, long.test) == (package, target, test));
        let helps = NO_LONG_FORMS.contains(&reason.as_str());
        assert!(is_listed != helps, "{package}: {test} ({reason}) is not in xtask/src/soak.rs");
    }
}

#[test]
fn every_test_in_the_list_is_there() {
    let found = ignored();
    for long in LONG {
        let is_there = found.iter().any(|ignored| {
            (long.package, long.target, long.test)
                == (&*ignored.package, &*ignored.target, &*ignored.test)
        });
        assert!(is_there, "{}: no test `{}` is ignored", long.name, long.test);
    }
}

#[test]
fn every_long_form_is_in_the_documentation() {
    let page = fs::read_to_string(cargo::root().join("docs/develop/testing.md")).unwrap();
    for long in LONG {
        assert!(page.contains(&format!("\n| `{}` |", long.name)), "{} is missing", long.name);
    }
}

#[test]
fn marks_are_found_with_their_modules() {
    let text = "#[test]\n#[ignore = \"takes minutes\"]\nfn a() {\n}\n\n\
                    #[ignore]\n    #[test]\n    async fn b() {}\n";
    let path = cargo::root().join("crates/cli/tests/it/soak/mod.rs");
    let found = ignored_in(&path, text);
    let ignored = |test: &str, reason: &str| Ignored {
        package: "cli".to_owned(),
        target: "it".to_owned(),
        test: test.to_owned(),
        reason: reason.to_owned(),
    };
    assert_eq!(found, [ignored("soak::a", "takes minutes"), ignored("soak::b", "")]);
}

#[test]
fn names_choose_and_a_name_of_none_lists_what_there_is() {
    assert_eq!(choose(None).unwrap().len(), LONG.len());
    let names: Vec<&str> = choose(Some("million")).unwrap().iter().map(|l| l.name).collect();
    assert_eq!(names, ["queries", "http"]);
    assert_eq!(choose(Some("kills")).unwrap().len(), 1);
    let error = choose(Some("weeks")).err().unwrap().0;
    assert!(error.starts_with("no long form has `weeks` in its name; there are pages, "));
}

#[test]
fn the_user_s_settings_win() {
    let long = &choose(Some("hosts")).unwrap()[0];
    assert_eq!(long.settings(|_| false).count(), 1);
    assert_eq!(long.settings(|name| name == "LOOKFAR_SOAK_MINUTES").count(), 0);
}

#[test]
fn the_table_says_what_failed() {
    let ran = |index: usize, passed| Ran { long: &LONG[index], took: minutes(2), passed };
    let table = table(&[ran(0, true), ran(1, false)]);
    assert!(table.starts_with("ok      pages         2 min 00 s   no page"), "{table}");
    assert!(table.contains("\nFAILED  commits       2 min 00 s   10,000"), "{table}");
}
