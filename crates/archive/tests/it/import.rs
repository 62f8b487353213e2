//! Others' files, good, odd and broken, on their way into an archive.

use std::env;
use std::path::{Path, PathBuf};

use archive::foreign::{Item, Warcs};

fn samples() -> Option<PathBuf> {
    let folder = env::var_os("LOOKFAR_DATA").map(|data| Path::new(&data).join("warc/warc"));
    let folder = folder.filter(|folder| folder.is_dir());
    if folder.is_none() {
        eprintln!("skipped: LOOKFAR_DATA names no folder with `warc` in it");
    }
    folder
}

fn files_below(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { files_below(&path, found) } else { found.push(path) }
    }
}

#[test]
fn probe() {
    let Some(folder) = samples() else { return };
    let mut files = Vec::new();
    files_below(&folder, &mut files);
    files.sort();
    for path in files {
        let mut responses = 0;
        let mut others = 0;
        let mut errors = Vec::new();
        for item in Warcs::open(&path).unwrap() {
            match item {
                Ok(Item::Response(_)) => responses += 1,
                Ok(Item::Other(_)) => others += 1,
                Err(error) => errors.push(error.to_string()),
            }
        }
        let name = path.strip_prefix(&folder).unwrap().display();
        eprintln!("{name}: {responses} {others} {}", errors.len());
        for error in errors.iter().take(3) {
            eprintln!("      {}", error.replace(&folder.display().to_string(), ""));
        }
    }
}
