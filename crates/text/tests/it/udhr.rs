//! Declarations of human rights in the languages we list: each is told by its text alone (T1).

use text::{Language, identify};

use super::pack;

/// Returns the text of a page, without its head.
fn plain(page: &str) -> String {
    let body = page.split_once("<body").map_or(page, |(_, body)| body);
    let pieces = body.split('<').filter_map(|piece| Some(piece.split_once('>')?.1));
    pieces.collect::<Vec<_>>().join("\n")
}

/// Texts in scripts that the language has left, or never took up, on the web; they are counted
/// apart.
fn is_rare_script(name: &str) -> bool {
    let is_rare = ["_cyrl", "_java", "_tglg", "_han"].iter().any(|end| name.ends_with(end));
    is_rare && !name.starts_with("srp")
}

#[test]
#[allow(clippy::print_stderr, reason = "figures for the record, with --nocapture")]
fn declarations_of_human_rights_are_told_by_their_text() {
    let Some(pack) = pack("conformance/udhr/declaration") else { return };
    let (mut right, mut wrong, mut rare) = (0, Vec::new(), Vec::new());
    let mut files: Vec<_> =
        std::fs::read_dir(pack).unwrap().map(|file| file.unwrap().path()).collect();
    files.sort();
    for path in files {
        let name = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        let page = std::fs::read_to_string(&path).unwrap();
        let tag = page.split("lang=\"").nth(1).and_then(|rest| rest.split('"').next());
        let Some(language) = tag.and_then(Language::parse) else { continue };
        let found = identify(&plain(&page), None);
        let told = format!("{name}: {language} taken for {found:?}");
        match found {
            _ if is_rare_script(name) => rare.push(told),
            Some(found) if found == language => right += 1,
            _ => wrong.push(told),
        }
    }
    let share = f64::from(right) / (right as usize + wrong.len()) as f64;
    let told = format!("{right} right, {share:.3}; wrong: {wrong:#?}; rare scripts: {rare:#?}");
    eprintln!("{told}");
    assert!(right > 80 && share >= 0.97, "{told}");
}
