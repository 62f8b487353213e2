//! Rules about single source files: how long, how they open, and where `unsafe` may stand.

use super::{File, rust};

/// The modules that may hold `unsafe`, each with the reason why it cannot do without.
pub(super) const UNSAFE_MODULES: &[(&str, &str)] = &[
    (
        "crates/index/src/cut.rs",
        "a signal is handled, and a page of memory replaced, in no other way",
    ),
    ("crates/graph/src/bv/map.rs", "a file is mapped in no other way"),
    ("crates/crawl/src/heap.rs", "the allocator is asked for what is free in no other way"),
];

/// A reader loses the thread in a longer file.
const MAX_LINES: usize = 600;

/// Files with a limit of their own.
const OWN_LIMITS: &[(&str, usize)] = &[("README.md", 150)];

/// `base` is what every crate must know, so it stays small enough to read.
const MAX_LINES_OF_BASE: usize = 3_000;

/// The doc of a crate fits on a screen or two.
const MAX_LINES_OF_CRATE_DOC: usize = 60;

const FIVE_ANSWERS: [&str; 5] =
    ["Place in the flow:", "Reads and writes:", "Start at:", "Promises:", "Does not:"];

/// Tells tables, texts and test data, which are read by programs or looked up in, from code.
pub(super) fn is_data(path: &str) -> bool {
    const FOLDERS: &[&str] =
        &["/tables/", "/texts/", "/tests/data/", "/benches/data/", "/snapshots/", "/corpus/"];
    FOLDERS.iter().any(|folder| path.contains(folder))
}

/// Checks that a source file is not longer than its limit.
pub(super) fn check_length(file: &File) -> Option<String> {
    let own = OWN_LIMITS.iter().find(|(path, _)| *path == file.path);
    let is_prose = file.has_extension(&["md", "txt"]);
    let limit = match own {
        Some((_, limit)) => *limit,
        None if is_prose || is_data(&file.path) => return None,
        None => MAX_LINES,
    };
    let lines = file.text.lines().count();
    (lines > limit).then(|| {
        format!("{}: has {lines} lines, {limit} are allowed; split it by concept", file.path)
    })
}

/// Checks the size of `base`, its tests included and its tables not.
pub(super) fn check_base(files: &[File]) -> Option<String> {
    let ours = files.iter().filter(|file| {
        file.path.starts_with("crates/base/src/")
            && file.has_extension(&["rs"])
            && !is_data(&file.path)
    });
    let lines: usize = ours.map(|file| file.text.lines().count()).sum();
    (lines > MAX_LINES_OF_BASE).then(|| {
        format!(
            "crates/base: has {lines} lines, {MAX_LINES_OF_BASE} are allowed; \
             move what only one stage needs to that stage"
        )
    })
}

/// Checks that a Rust file opens with a sentence about itself.
pub(super) fn check_module_doc(file: &File) -> Option<String> {
    if file.path.contains("/tests/data/") {
        return None;
    }
    let first = file.text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let says = first.strip_prefix("//!").is_some_and(|rest| rest.trim().contains(' '));
    (!says).then(|| format!("{}: does not open with a module doc (`//! …`)", file.path))
}

/// Checks that the root file of a crate gives the five answers, in order and briefly.
pub(super) fn check_five_answers(path: &str, text: &str) -> Vec<String> {
    let doc: Vec<&str> = text.lines().map_while(|line| line.strip_prefix("//!")).collect();
    let mut findings = Vec::new();
    let mut after = 0;
    for answer in FIVE_ANSWERS {
        let found = doc[after..].iter().position(|line| {
            let said = line.trim().strip_prefix("- ").and_then(|line| line.strip_prefix(answer));
            said.is_some_and(|said| !said.trim().is_empty())
        });
        match found {
            Some(lines) => after += lines + 1,
            None => findings.push(format!("{path}: does not say, in its place, `- {answer} …`")),
        }
    }
    if doc.len() > MAX_LINES_OF_CRATE_DOC {
        let lines = doc.len();
        findings.push(format!(
            "{path}: its doc has {lines} lines, {MAX_LINES_OF_CRATE_DOC} are allowed"
        ));
    }
    findings
}

/// Checks that `unsafe` stands only in `listed` modules, each time with its proof.
pub(super) fn check_unsafe(files: &[File], listed: &[(&str, &str)]) -> Vec<String> {
    let mut findings = Vec::new();
    let mut used = Vec::new();
    for file in files.iter().filter(|file| file.has_extension(&["rs"])) {
        let code = rust::code_only(&file.text);
        let lines: Vec<&str> = file.text.lines().collect();
        for (number, _) in code.lines().enumerate().filter(|(_, l)| rust::mentions(l, "unsafe")) {
            let place = format!("{}:{}", file.path, number + 1);
            if !listed.iter().any(|(path, _)| *path == file.path) {
                findings.push(format!("{place}: `unsafe` outside the modules listed in `tidy`"));
            } else if !has_proof(&lines[..number]) {
                findings.push(format!("{place}: `unsafe` without a `SAFETY:` comment above it"));
            }
            used.push(file.path.as_str());
        }
    }
    let idle = listed.iter().filter(|(path, _)| !used.contains(path));
    findings.extend(idle.map(|(path, _)| {
        format!("{path}: is listed for `unsafe` and holds none; take it off the list")
    }));
    findings
}

/// Maps that strangers cannot fill, so that their hash needs no key, each with the reason.
pub(super) const KEYLESS: &[(&str, &str)] =
    &[("crates/text/src/identify.rs", "its keys are our own stop words")];

/// Ways to make a map whose order anybody can foresee.
const KEYLESS_HASHERS: [&str; 4] = ["BuildHasherDefault", "FixedState", "FxHashMap", "FxHashSet"];

/// Checks that no map has a hash without a key: words and addresses made to collide would be
/// looked for one by one.
pub(super) fn check_hashers(files: &[File], listed: &[(&str, &str)]) -> Vec<String> {
    let mut findings = Vec::new();
    for file in files.iter().filter(|file| file.has_extension(&["rs"])) {
        if listed.iter().any(|(path, _)| *path == file.path) {
            continue;
        }
        let code = rust::code_only(&file.text);
        for (number, line) in code.lines().enumerate() {
            for name in KEYLESS_HASHERS.iter().filter(|name| rust::mentions(line, name)) {
                let place = format!("{}:{}", file.path, number + 1);
                findings.push(format!("{place}: `{name}` has no key; use a `RandomState`"));
            }
        }
    }
    findings
}

/// Looks for the proof in the comment above the statement that ends after `lines`.
fn has_proof(lines: &[&str]) -> bool {
    for line in lines.iter().rev().map(|line| line.trim()) {
        if let Some(comment) = line.strip_prefix("//") {
            // `# Safety` heads what the caller of an `unsafe fn` must bring.
            let proof = comment.split_once("SAFETY:").map(|(_, proof)| proof.trim());
            if proof.is_some_and(|proof| !proof.is_empty()) || comment.trim() == "/ # Safety" {
                return true;
            }
        } else if line.is_empty() || line.ends_with([';', '{', '}']) {
            return false;
        }
    }
    false
}

#[cfg(test)]
mod tests;
