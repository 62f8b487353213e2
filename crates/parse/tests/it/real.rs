//! Real pages, where the data packs are at hand (`LOOKFAR_DATA`).

use std::path::{Path, PathBuf};

use base::{ContentKind, Url, Zone};
use parse::{Input, Options, parse};

/// Returns a folder of the data packs; says so where there is none.
pub(super) fn pack(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("LOOKFAR_DATA").map(|data| PathBuf::from(data).join(name));
    let found = path.filter(|path| path.is_dir());
    if found.is_none() {
        println!("skipped: no data pack `{name}`; set LOOKFAR_DATA to the folder of the packs");
    }
    found
}

/// Returns all files below a folder.
pub(super) fn files(folder: &Path) -> Vec<PathBuf> {
    let mut folders = vec![folder.to_owned()];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

fn read(path: &Path) -> parse::Parsed {
    let url = Url::parse("http://real.example/").unwrap();
    let body = std::fs::read(path).unwrap();
    let input = Input { content_type: Some("text/html"), ..Input::new(&url, &body) };
    parse(&input, &Options::default())
}

#[test]
fn pages_of_the_readability_pack_are_read() {
    let Some(pack) = pack("readability") else { return };
    let sources = files(&pack).into_iter().filter(|path| path.ends_with("source.html"));
    let mut count = 0;
    for path in sources {
        let parsed = read(&path);
        assert_eq!(parsed.kind, ContentKind::Html, "{}", path.display());
        let words = |zone_is: fn(Zone) -> bool| {
            let blocks = parsed.blocks.iter().filter(|block| zone_is(block.zone));
            blocks.map(|block| block.text.split(' ').count()).sum::<usize>()
        };
        assert!(words(|zone| zone != Zone::Boilerplate) > 0, "{}", path.display());
        count += 1;
    }
    assert!(count > 100, "{count} pages");
}

#[test]
fn pages_of_the_webkb_pack_are_read() {
    let Some(pack) = pack("webkb") else { return };
    let mut count = 0;
    for path in files(&pack.join("webkb-raw")) {
        read(&path);
        count += 1;
    }
    assert!(count > 4_000, "{count} pages");
}

#[test]
fn declarations_of_human_rights_are_told_apart() {
    let Some(pack) = pack("conformance/udhr/declaration") else { return };
    let (mut right, mut wrong) = (0, Vec::new());
    for path in files(&pack) {
        let body = std::fs::read_to_string(&path).unwrap();
        let tag = body.split("lang=\"").nth(1).and_then(|rest| rest.split('"').next());
        let Some(language) = tag.and_then(text::Language::parse) else { continue };
        // Without the declaration: the text must be enough.
        let hidden = body.replacen("lang=\"", "data-lang=\"", 1);
        let url = Url::parse("http://real.example/").unwrap();
        let parsed = parse(&Input::new(&url, hidden.as_bytes()), &Options::default());
        // Scripts that the language has left, or never took up, on the web.
        let name = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        let is_rare = ["_cyrl", "_java", "_tglg", "_han"].iter().any(|end| name.ends_with(end));
        if !language.is_identified() || is_rare && language.code() != "sr" {
            continue;
        }
        if parsed.language == Some(language) {
            right += 1;
        } else {
            wrong.push(format!("{} {language} {:?}", path.display(), parsed.language));
        }
    }
    let share = right as f64 / (right + wrong.len()) as f64;
    assert!(share >= 0.95, "{right} right, wrong: {wrong:#?}");
}
