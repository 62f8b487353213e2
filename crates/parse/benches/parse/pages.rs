//! Real pages from the data packs (`LOOKFAR_DATA`) and documentation packages (`LOOKFAR_DOCS`).

use std::fs;
use std::path::{Path, PathBuf};

/// The manuals, with the folder of their pages below `LOOKFAR_DOCS`.
pub(crate) const PYTHON: &str = "python3.11-doc/usr/share/doc/python3.11/html";
pub(crate) const POSTGRESQL: &str = "postgresql-doc-15/usr/share/doc/postgresql-doc-15/html";

/// Returns a folder below the one that a variable names, or says that it is missing.
pub(crate) fn folder(variable: &str, name: &str) -> Option<PathBuf> {
    let found = std::env::var_os(variable).map(|root| PathBuf::from(root).join(name));
    let found = found.filter(|path| path.is_dir());
    if found.is_none() {
        println!("({name} is left out: there is none below {variable})");
    }
    found
}

/// Returns the bodies of all pages below a folder, in the order of their paths.
pub(crate) fn pages(folder: &Path) -> Vec<Vec<u8>> {
    files(folder).iter().map(|path| body(path)).collect()
}

/// Returns the body of a page: files of the WebKB pack carry the header before it.
pub(crate) fn body(path: &Path) -> Vec<u8> {
    let mut bytes = fs::read(path).unwrap();
    if path.extension().is_none_or(|extension| extension != "html") || bytes.starts_with(b"Date:") {
        let end = bytes.windows(2).position(|pair| pair == b"\n\n");
        if let Some(end) = end.filter(|_| bytes.first().is_some_and(u8::is_ascii_alphabetic)) {
            bytes.drain(..end + 2);
        }
    }
    bytes
}

/// Returns the pages below a folder: all files but pictures, styles and sources.
pub(crate) fn files(folder: &Path) -> Vec<PathBuf> {
    let mut folders = vec![folder.to_owned()];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let is_source = path.file_name().is_some_and(|name| name == "_sources");
            if path.is_dir() && !is_source {
                folders.push(path);
            } else if path.is_file() && is_page(&path) {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

fn is_page(path: &Path) -> bool {
    let is_html = path.extension().is_some_and(|extension| extension == "html");
    is_html || path.to_string_lossy().contains("webkb-raw")
}
