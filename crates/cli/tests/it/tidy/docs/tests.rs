//! Tests of the rules about prose, on made-up pages.

use super::*;

fn names(list: &[&str]) -> Vec<String> {
    list.iter().map(|&name| name.to_owned()).collect()
}

fn map_of(list: &[&str]) -> Vec<MapEntry> {
    list.iter().map(|&name| MapEntry { name: name.to_owned(), body: String::new() }).collect()
}

/// Checks lists of a workspace that holds `a`, `b` and the package `xtask`.
#[track_caller]
fn check_two(readme: &[&str], map: &[&str], expected: &[&str]) {
    let folders = names(&["crates/a", "crates/b", "xtask"]);
    assert_eq!(check_lists(&folders, &names(readme), &map_of(map)), expected);
}

#[test]
fn lists_that_differ_are_found() {
    check_two(&["b", "a"], &["b", "a"], &[]);
    check_two(&["a"], &["a", "b"], &["crates/README.md: does not list crate `b`"]);
    check_two(
        &["a", "b"],
        &["a", "b", "c"],
        &["ARCHITECTURE.md: lists `c`, which is no crate of the workspace"],
    );
    check_two(&["a", "b", "a"], &["a", "b"], &["crates/README.md: lists a crate twice"]);
    check_two(
        &["a", "b"],
        &["b", "a"],
        &["ARCHITECTURE.md: lists the crates in another order (b, a) than crates/README.md (a, b)"],
    );
    assert_eq!(check_lists(&names(&["crates/a"]), &[], &[]).len(), 2);
}

#[test]
fn readme_list_is_read() {
    let text = "# Crates\n\n- [`a`](a): this.\n- other\n- [`b`](b): that,\n  and more.\n";
    assert_eq!(crates_in_readme(text), ["a", "b"]);
}

#[test]
fn code_map_ends_with_its_section() {
    let text = "### `crates/x`\n## Code map\n### `crates/a`\nDoes.\n### `crates/b`\n## More\n\
                ### `crates/y`\n";
    let map = code_map(text);
    assert_eq!(map.iter().map(|entry| entry.name.as_str()).collect::<Vec<_>>(), ["a", "b"]);
    assert_eq!(map[0].body, "Does.\n");
}

#[track_caller]
fn check_entry(body: &str, expected: &[&str]) {
    let map = code_map(&format!("## Code map\n### `crates/a`\n{body}"));
    assert_eq!(check_code_map(&map), expected);
}

#[test]
fn entries_of_the_code_map_are_complete() {
    check_entry("\nDoes this.\n\n*Invariant:* always.\n*Not here:* that.\n", &[]);
    check_entry(
        "Does.\n*Invariant:* `x` is.\n",
        &["ARCHITECTURE.md: `a` lacks its *Not here:* line"],
    );
    check_entry(
        "Does.\n*Invariant:*\n*Not here:* that.\n",
        &["ARCHITECTURE.md: `a` lacks its *Invariant:* line"],
    );
    check_entry(
        "*Invariant:* always.\n*Not here:* that.\n",
        &["ARCHITECTURE.md: `a` lacks a line saying what it does"],
    );
}

/// Checks a page in `docs/` of a small repository; returns what it says is missing.
#[track_caller]
fn check_page(text: &str, expected_missing: &[&str]) {
    let there = [
        "README.md",
        "crates",
        "crates/base",
        "crates/base/src/url.rs",
        "docs",
        "docs/guide.md",
        "tools",
        "tools/run",
    ];
    let paths = there.map(str::to_owned).into_iter().collect();
    let file = File { path: "docs/page.md".to_owned(), text: text.to_owned() };
    let expected: Vec<String> = expected_missing
        .iter()
        .map(|path| format!("docs/page.md:1: `{path}` does not exist"))
        .collect();
    assert_eq!(check_paths(&file, &paths), expected, "{text}");
}

#[test]
fn missing_paths_in_backticks_are_found() {
    check_page("see `crates/base/src/gone.rs`", &["crates/base/src/gone.rs"]);
    check_page("see `crates/gone/` and `docs/gone.md`", &["crates/gone/", "docs/gone.md"]);
    check_page("see `tools/gone`", &["tools/gone"]);
    check_page("see `base/src/gone.rs`", &["base/src/gone.rs"]);
    check_page("see `GONE.md`", &["GONE.md"]);
    check_page("see `xtask/src/main.rs:12`", &["xtask/src/main.rs"]);
}

#[test]
fn paths_are_sought_from_the_root_the_page_and_the_crates() {
    check_page("`crates/base/` `crates/base/src/url.rs#L3` `guide.md` `tools/run`", &[]);
    check_page("`base/src/url.rs` `README.md`", &[]);
}

#[test]
fn what_only_resembles_a_path_is_left_alone() {
    check_page("`pages/0001.log` `text/html` `a/b` `https://a.example/x.md`", &[]);
    check_page("`crates/<name>/src/lib.rs` `crates/*/benches` `cargo run docs/x.md`", &[]);
    check_page("`target/data` `../shared/data` `/etc/x.md` `lookfar.toml`", &[]);
    check_page("no code: crates/gone/x.rs", &[]);
    check_page("```text\n`crates/gone`\n```", &[]);
}

#[test]
fn missing_link_targets_are_found() {
    check_page("[a](guide.md) [b](../crates/base) [c](guide.md#top) [d](#here)", &[]);
    check_page("[a](https://a.example/x) [b](mailto:a@b.example) [root](..)", &[]);
    check_page("[a](gone.md) ![b](gone.png \"title\")", &["gone.md", "gone.png"]);
    check_page("[out](../../elsewhere/README.md)", &["../../elsewhere/README.md"]);
}

#[track_caller]
fn check_line(line: &str, expected: Option<&str>) {
    let file = File { path: "docs/page.md".to_owned(), text: line.to_owned() };
    let expected = expected.map(|word| format!("docs/page.md:1: says \"{word}\"; finish it"));
    assert_eq!(check_placeholders(&file), expected.into_iter().collect::<Vec<_>>(), "{line}");
}

#[test]
fn unfinished_text_is_found() {
    check_line("Speed: TBD.", Some("TBD"));
    check_line("An Example Needed here", Some("example needed"));
    check_line("Lorem ipsum dolor", Some("lorem ipsum"));
    check_line("// TODO: more", Some("TODO"));
    check_line("// FIXME(me): more", Some("FIXME"));
    check_line("// TODO # more", Some("TODO"));
}

#[test]
fn open_work_with_an_issue_number_may_stay() {
    check_line("// TODO(#12): more", None);
    check_line("// FIXME #12: more", None);
}

#[test]
fn quoted_and_longer_words_may_stay() {
    check_line("A `TODO` carries a number, `TBD` is no answer.", None);
    check_line("const TODO_LIST: u8; METHODOLOGY; todos", None);
}

#[test]
fn data_may_say_anything() {
    let text = "Lorem ipsum".to_owned();
    let data = File { path: "crates/a/tests/data/page.html".to_owned(), text };
    assert!(check_placeholders(&data).is_empty());
}
