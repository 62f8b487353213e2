//! Real documents through the child, where the data packs are at hand (`LOOKFAR_DATA`).

use base::Oddity;

use super::read;
use crate::run::pack;

/// One document in so many goes through a child here; all of them are read in `parse`'s tests.
const EVERY: usize = 6;

#[test]
fn real_documents_end_no_child() {
    let Some(folder) = pack("tika-office") else { return };
    let mut folders = vec![folder];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let list = if path.is_dir() { &mut folders } else { &mut files };
            list.push(path);
        }
    }
    files.sort();
    let mut with_text = 0;
    for path in files.iter().step_by(EVERY) {
        let parsed = read(&std::fs::read(path).unwrap(), "application/octet-stream");
        assert!(!parsed.oddities.contains(&Oddity::ReaderKilled), "{}", path.display());
        with_text += usize::from(!parsed.blocks.is_empty());
    }
    assert!(with_text * EVERY * 10 > files.len() * 7, "{with_text} of {}", files.len() / EVERY);
}
