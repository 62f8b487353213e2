//! Trees as browsers build them: the tree construction tests of the web platform (`LOOKFAR_DATA`).
//!
//! What we leave out on purpose is left out of the expected trees too: document types, the text of
//! comments, attributes that nobody asks for. Fragments (`innerHTML`) and pages as browsers
//! without scripts read them are not ours.

use std::path::{Path, PathBuf};

use parse::{Options, keeps_attribute, outline};

use super::real::pack;

/// Tests of which the tree is right, of those we run, when it was last looked at. The others are
/// listed in `docs/measurements/2026-11-16-reading-html.md`.
const RIGHT: usize = 1_695;
const RUN: usize = 1_712;

#[derive(Default)]
struct Case {
    /// File and number of the test.
    name: String,
    data: String,
    document: String,
    is_fragment: bool,
    without_script: bool,
}

#[test]
fn trees_are_built_as_browsers_build_them() {
    let Some(folder) = pack("conformance/wpt-html-parsing/resources") else { return };
    let (mut right, mut run, mut left_out) = (0, 0, 0);
    let mut wrong = Vec::new();
    for case in cases(&folder) {
        if case.is_fragment || case.without_script {
            left_out += 1;
            continue;
        }
        run += 1;
        let expected = reduced(&case.document);
        let found = outline(&case.data, &Options::default()).text();
        if found == expected {
            right += 1;
        } else {
            wrong.push(case.name.clone());
            if std::env::var_os("SHOW").is_some() {
                eprintln!("{}\n{}\n{expected}---\n{found}", case.name, case.data);
            }
        }
    }
    eprintln!("{right} of {run} right, {left_out} left out; wrong: {}", wrong.join(", "));
    assert!(run >= RUN, "only {run} of {RUN} tests were found");
    assert!(right >= RIGHT, "{right} trees are right, and {RIGHT} were");
}

fn cases(folder: &Path) -> Vec<Case> {
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let mut cases = Vec::new();
    for file in files.iter().filter(|file| file.extension().is_some_and(|end| end == "dat")) {
        let text = String::from_utf8_lossy(&std::fs::read(file).unwrap()).into_owned();
        let stem = file.file_stem().unwrap().to_string_lossy().into_owned();
        cases.extend(read(&stem, &text));
    }
    cases
}

/// Reads a file of tests: sections that each begin with a line `#name`.
fn read(stem: &str, text: &str) -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    let mut section = String::new();
    for line in text.split('\n') {
        if line == "#data" {
            cases.push(Case { name: format!("{stem} {}", cases.len() + 1), ..Case::default() });
        }
        let Some(case) = cases.last_mut() else { continue };
        let is_head = matches!(
            line,
            "#data"
                | "#errors"
                | "#new-errors"
                | "#document-fragment"
                | "#script-on"
                | "#script-off"
                | "#document"
        );
        if is_head {
            section = line.to_owned();
            case.is_fragment |= line == "#document-fragment";
            case.without_script |= line == "#script-off";
            continue;
        }
        match section.as_str() {
            "#data" => case.data.push_str(&format!("{line}\n")),
            "#document" => case.document.push_str(&format!("{line}\n")),
            _ => {}
        }
    }
    for case in &mut cases {
        // The line break before the next section belongs to the form.
        case.data.pop();
        case.document.truncate(case.document.trim_end_matches('\n').len());
        case.document.push('\n');
    }
    cases
}

/// Returns the expected tree without what we do not keep.
fn reduced(document: &str) -> String {
    let mut nodes: Vec<String> = Vec::new();
    for line in document.lines() {
        match nodes.last_mut() {
            // A text may have line breaks in it.
            Some(node) if !line.starts_with("| ") => node.push_str(&format!("\n{line}")),
            _ => nodes.push(line.to_owned()),
        }
    }
    let kept = nodes.into_iter().filter_map(|node| {
        let what = node.trim_start_matches(['|', ' ']);
        let indent = &node[..node.len() - what.len()];
        if what.starts_with("<!--") || what.starts_with("<?") {
            return Some(format!("{indent}<!-- -->\n"));
        }
        let is_attribute = !what.starts_with('"') && !what.ends_with('>') && what.contains("=\"");
        let name = what.split("=\"").next().unwrap_or_default().replace(' ', ":");
        let is_kept = !what.starts_with("<!DOCTYPE") && (!is_attribute || keeps_attribute(&name));
        is_kept.then(|| format!("{node}\n"))
    });
    kept.collect()
}
