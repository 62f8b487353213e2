//! Tests of the rules about source files, on made-up ones.

use super::*;

fn file(path: &str, text: &str) -> File {
    File { path: path.to_owned(), text: text.to_owned() }
}

fn lines(count: usize) -> String {
    "x\n".repeat(count)
}

#[test]
fn long_file_is_found() {
    let long = check_length(&file("crates/a/src/lib.rs", &lines(601)));
    let expected =
        "crates/a/src/lib.rs: has 601 lines, 600 are allowed; split it by concept".to_owned();
    assert_eq!(long, Some(expected));
    assert_eq!(check_length(&file("crates/a/src/lib.rs", &lines(600))), None);
    assert!(check_length(&file("crates/a/templates/page.html", &lines(601))).is_some());
}

#[test]
fn tables_texts_and_test_data_may_be_long() {
    for folder in ["src/tables", "texts", "tests/data", "src/snapshots"] {
        assert_eq!(check_length(&file(&format!("crates/a/{folder}/x.rs"), &lines(9_000))), None);
    }
    assert!(check_length(&file("crates/a/src/data/x.rs", &lines(9_000))).is_some());
    assert!(check_length(&file("crates/a/src/tables.rs", &lines(9_000))).is_some());
}

#[test]
fn prose_may_be_long_but_not_the_first_page() {
    assert_eq!(check_length(&file("docs/guide.md", &lines(700))), None);
    assert!(check_length(&file("README.md", &lines(151))).is_some());
}

#[test]
fn base_is_counted_whole() {
    let mut files = vec![
        file("crates/base/src/a.rs", &lines(2_000)),
        file("crates/base/src/b.rs", &lines(1_000)),
        file("crates/base/src/tables/c.rs", &lines(1_000)),
        file("crates/text/src/lib.rs", &lines(1_000)),
    ];
    assert_eq!(check_base(&files), None);
    files.push(file("crates/base/src/d.rs", "x"));
    assert!(check_base(&files).is_some_and(|what| what.contains("has 3001 lines")));
}

#[track_caller]
fn check_opening(text: &str, is_good: bool) {
    assert_eq!(check_module_doc(&file("crates/a/src/b.rs", text)).is_none(), is_good, "{text}");
}

#[test]
fn module_without_doc_is_found() {
    check_opening("//! Reads things.\nuse x;", true);
    check_opening("\n//! Reads things.\n", true);
    check_opening("", false);
    check_opening("use x;\n//! Reads things.", false);
    check_opening("// Reads things.", false);
    check_opening("/// Reads things.", false);
    check_opening("//!\n//! Reads things.", false);
    check_opening("//! Things", false);
}

const GOOD: &str = "//! Reads things.\n//!\n//! - Place in the flow: here.\n\
    //! - Reads and writes: `a`,\n//!   and `b`.\n//! - Start at: [`A`].\n//! - Promises: much.\n\
    //! - Does not: lie.\n";

#[track_caller]
fn check_answers(text: &str, expected: &[&str]) {
    assert_eq!(check_five_answers("lib.rs", text), expected);
}

#[test]
fn five_answers_are_demanded() {
    check_answers(GOOD, &[]);
    check_answers(
        &GOOD.replace("//! - Start at: [`A`].\n", ""),
        &["lib.rs: does not say, in its place, `- Start at: …`"],
    );
    check_answers(
        &GOOD.replace("Does not: lie.", "Does not:"),
        &["lib.rs: does not say, in its place, `- Does not: …`"],
    );
    check_answers(
        &GOOD.replace("//! - Promises", "\n//! - Promises"),
        &[
            "lib.rs: does not say, in its place, `- Promises: …`",
            "lib.rs: does not say, in its place, `- Does not: …`",
        ],
    );
    assert_eq!(check_five_answers("lib.rs", "").len(), 5);
}

#[test]
fn answers_in_another_order_are_found() {
    let swapped = GOOD
        .replace("Start at", "Swap")
        .replace("Place in the flow", "Start at")
        .replace("Swap", "Place in the flow");
    assert!(!check_five_answers("lib.rs", &swapped).is_empty());
}

#[test]
fn long_crate_doc_is_found() {
    let long = format!("{GOOD}{}", "//! more\n".repeat(60));
    check_answers(&long, &["lib.rs: its doc has 68 lines, 60 are allowed"]);
}

/// Checks one file, `m.rs`, which is the only one that may hold `unsafe`.
#[track_caller]
fn check_listed(text: &str, expected: &[&str]) {
    assert_eq!(check_unsafe(&[file("m.rs", text)], &[("m.rs", "maps files")]), expected);
}

#[test]
fn unsafe_outside_the_list_is_found() {
    let text = "//! Not unsafe.\n// SAFETY: it is mapped.\nlet x = unsafe { y() };\n";
    assert_eq!(
        check_unsafe(&[file("other.rs", text)], &[]),
        ["other.rs:3: `unsafe` outside the modules listed in `tidy`"]
    );
}

#[test]
fn unsafe_in_comments_and_strings_is_none() {
    let text = "// unsafe\nlet x = \"unsafe\";\n#![deny(unsafe_code)]";
    assert!(check_unsafe(&[file("other.rs", text)], &[]).is_empty());
}

#[test]
fn unsafe_needs_a_proof() {
    let without = &["m.rs:3: `unsafe` without a `SAFETY:` comment above it"];
    check_listed("a;\n// SAFETY: it is so.\nlet x = unsafe { y() };", &[]);
    check_listed("// SAFETY: it is so,\n// because.\nlet x = unsafe { y() };", &[]);
    check_listed("// SAFETY: it is so.\nlet x =\n    unsafe { y() };", &[]);
    check_listed("/// Does.\n/// # Safety\npub unsafe fn x();", &[]);
    check_listed("\n// it is fine\nlet x = unsafe { y() };", without);
    check_listed("\n// SAFETY:\nlet x = unsafe { y() };", without);
    check_listed("// SAFETY: it is so.\na();\nlet x = unsafe { y() };", without);
    check_listed("// SAFETY: it is so.\n\nlet x = unsafe { y() };", without);
}

#[test]
fn list_of_unsafe_modules_does_not_outlive_its_reasons() {
    check_listed(
        "let x = 1;",
        &["m.rs: is listed for `unsafe` and holds none; take it off the list"],
    );
}

#[test]
fn maps_without_a_key_are_found() {
    let text = "//! FixedState.\ntype Map = HashMap<u64, u32, BuildHasherDefault<Identity>>;\n";
    let found = ["m.rs:2: `BuildHasherDefault` has no key; use a `RandomState`"];
    assert_eq!(check_hashers(&[file("m.rs", text)], &[]), found);
    assert!(check_hashers(&[file("m.rs", text)], &[("m.rs", "only our words")]).is_empty());
}
