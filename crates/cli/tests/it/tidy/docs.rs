//! Rules about prose: lists that must agree, paths that must exist, words that must not stay.

use std::collections::BTreeSet;

use super::{File, sources};

/// One crate in the code map of ARCHITECTURE.md: its name and the text under its heading.
pub(super) struct MapEntry {
    name: String,
    body: String,
}

/// Returns the crates that `crates/README.md` lists, one per line as ``- [`name`](name): …``.
pub(super) fn crates_in_readme(text: &str) -> Vec<String> {
    let items = text.lines().filter_map(|line| line.strip_prefix("- [`"));
    items.filter_map(|item| item.split_once('`')).map(|(name, _)| name.to_owned()).collect()
}

/// Returns the entries of the code map: headings ``### `crates/name` `` under `## Code map`.
pub(super) fn code_map(text: &str) -> Vec<MapEntry> {
    let mut entries: Vec<MapEntry> = Vec::new();
    let mut is_inside = false;
    for line in text.lines() {
        if line.starts_with("## ") {
            is_inside = line.trim_end() == "## Code map";
            continue;
        }
        if !is_inside {
            continue;
        }
        let heading = line.strip_prefix("### `crates/").and_then(|rest| rest.split_once('`'));
        if let Some((name, _)) = heading {
            entries.push(MapEntry { name: name.to_owned(), body: String::new() });
        } else if let Some(entry) = entries.last_mut() {
            entry.body.push_str(line);
            entry.body.push('\n');
        }
    }
    entries
}

/// Checks that folders, `crates/README.md` and the code map name the same crates, the last two
/// in the same order.
pub(super) fn check_lists(folders: &[String], readme: &[String], map: &[MapEntry]) -> Vec<String> {
    let folders: Vec<&str> = folders.iter().filter_map(|f| f.strip_prefix("crates/")).collect();
    let readme: Vec<&str> = readme.iter().map(String::as_str).collect();
    let map: Vec<&str> = map.iter().map(|entry| entry.name.as_str()).collect();
    let mut findings = Vec::new();
    for (place, listed) in [("crates/README.md", &readme), ("ARCHITECTURE.md", &map)] {
        for name in folders.iter().filter(|name| !listed.contains(name)) {
            findings.push(format!("{place}: does not list crate `{name}`"));
        }
        for name in listed.iter().filter(|name| !folders.contains(name)) {
            findings.push(format!("{place}: lists `{name}`, which is no crate of the workspace"));
        }
        let distinct: BTreeSet<&&str> = listed.iter().collect();
        if distinct.len() < listed.len() {
            findings.push(format!("{place}: lists a crate twice"));
        }
    }
    if findings.is_empty() && readme != map {
        findings.push(format!(
            "ARCHITECTURE.md: lists the crates in another order ({}) than crates/README.md ({})",
            map.join(", "),
            readme.join(", ")
        ));
    }
    findings
}

/// Checks that each entry of the code map says what the crate does, keeps and leaves to others.
pub(super) fn check_code_map(map: &[MapEntry]) -> Vec<String> {
    let mut findings = Vec::new();
    for MapEntry { name, body } in map {
        for label in ["*Invariant:*", "*Not here:*"] {
            let said = body.split_once(label).map(|(_, said)| said.trim_start());
            if !said.is_some_and(|said| said.starts_with(|c: char| c.is_alphanumeric() || c == '`'))
            {
                findings.push(format!("ARCHITECTURE.md: `{name}` lacks its {label} line"));
            }
        }
        let opening = body.trim_start();
        if opening.is_empty() || opening.starts_with('*') {
            findings.push(format!("ARCHITECTURE.md: `{name}` lacks a line saying what it does"));
        }
    }
    findings
}

/// Checks that the paths which a Markdown file names in backticks or links to are there.
///
/// `paths` holds every file and folder of the repository.
pub(super) fn check_paths(file: &File, paths: &BTreeSet<String>) -> Vec<String> {
    let folder = file.path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut findings = Vec::new();
    for (number, line) in prose_lines(&file.text) {
        let spans = code_spans(line).filter_map(|span| repository_path(span, paths));
        let missing_spans = spans.filter(|path| {
            let starts = ["", folder, "crates"];
            !starts.iter().any(|start| resolve(start, path).is_some_and(|p| paths.contains(&p)))
        });
        let missing_links = link_targets(line).filter(|target| {
            // The empty path is the root itself.
            !resolve(folder, target).is_some_and(|p| p.is_empty() || paths.contains(&p))
        });
        for path in missing_spans.chain(missing_links) {
            findings.push(format!("{}:{number}: `{path}` does not exist", file.path));
        }
    }
    findings
}

/// Returns the lines outside fenced code, numbered from one.
fn prose_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut is_fenced = false;
    text.lines().enumerate().filter_map(move |(index, line)| {
        if line.trim_start().starts_with("```") {
            is_fenced = !is_fenced;
            return None;
        }
        (!is_fenced).then_some((index + 1, line))
    })
}

/// Returns what stands between single backticks.
fn code_spans(line: &str) -> impl Iterator<Item = &str> {
    line.split('`').skip(1).step_by(2)
}

/// Returns the targets of links and images, without their anchors, that stay in the repository.
fn link_targets(line: &str) -> impl Iterator<Item = &str> {
    let targets = line.split("](").skip(1).filter_map(|rest| rest.split([')', ' ']).next());
    targets
        .map(|target| target.split('#').next().unwrap_or_default())
        .filter(|target| !target.is_empty() && !target.contains(':'))
}

/// Returns the path in a code span, if the span can only mean a file or folder of ours.
///
/// That is: one that begins with a folder at the root, or ends like a source or a page of ours.
/// Patterns, commands, addresses and what is made at run time are not.
fn repository_path<'a>(span: &'a str, paths: &BTreeSet<String>) -> Option<&'a str> {
    const NOT_IN_PATHS: &[char] = &[' ', '*', '<', '>', '{', '}', '$', '…', '(', '=', '"', ','];
    if span.contains(NOT_IN_PATHS) || span.contains("::") || span.starts_with(['/', '~', '-']) {
        return None;
    }
    let span = span.split(['#', ':']).next().unwrap_or_default();
    if span.starts_with("..") || span.starts_with("target/") {
        return None;
    }
    let top = span.split_once('/').map(|(top, _)| top);
    let is_below_root = top.is_some_and(|top| TOPS.contains(&top) || paths.contains(top));
    let is_ours = span.ends_with(".md") || (top.is_some() && span.ends_with(".rs"));
    (is_below_root || is_ours).then_some(span)
}

/// Folders at the root that docs may speak of; a page that names a missing one is wrong too.
const TOPS: &[&str] = &["crates", "docs", "xtask", ".ci", ".cargo"];

/// Joins `path` to `folder`; `None` if that leads out of the repository.
fn resolve(folder: &str, path: &str) -> Option<String> {
    let mut parts: Vec<&str> = Vec::new();
    for part in folder.split('/').chain(path.split('/')) {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            _ => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// Checks that nothing unfinished is left in a file; what stands in backticks is only quoted.
pub(super) fn check_placeholders(file: &File) -> Vec<String> {
    // This rule and its tests must say the words themselves.
    if file.path.starts_with("crates/cli/tests/it/tidy/docs") || sources::is_data(&file.path) {
        return Vec::new();
    }
    let mut findings = Vec::new();
    for (index, line) in file.text.lines().enumerate() {
        let said: String = line.split('`').step_by(2).collect::<Vec<_>>().join(" ");
        if let Some(word) = placeholder(&said) {
            let number = index + 1;
            findings.push(format!("{}:{number}: says \"{word}\"; finish it", file.path));
        }
    }
    findings
}

fn placeholder(line: &str) -> Option<&'static str> {
    let lower = line.to_lowercase();
    if let Some(phrase) = ["example needed", "lorem ipsum"].into_iter().find(|p| lower.contains(p))
    {
        return Some(phrase);
    }
    let mut words = line.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '#');
    words.find_map(|word| {
        let open = ["TODO", "FIXME"].into_iter().find(|open| word.trim_start_matches('#') == *open);
        if word == "TBD" { Some("TBD") } else { open.filter(|_| !has_issue_number(line)) }
    })
}

fn has_issue_number(line: &str) -> bool {
    line.split('#').skip(1).any(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
}

#[cfg(test)]
mod tests;
