//! What the program is linked with, and under which licences: most of them ask that their text
//! goes with the program.

use std::{
    collections::BTreeMap,
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
};

use anyhow::Context as _;

use super::{layout::ask, target::cargo_home};
use crate::cargo;

/// How the names of files begin that hold a licence.
const NAMES: &[&str] = &["licen", "copying", "notice", "copyright", "unlicense"];

/// A package that is linked into the program.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Package {
    /// Name and version, as the folder of its sources is called.
    name: String,
    licence: String,
    repository: String,
}

/// Returns the list of packages with the texts of their licences, each text once.
pub(super) fn collect(target: &str) -> anyhow::Result<String> {
    let mut tree = cargo::command(&["tree", "--locked", "--package", "cli", "--edges", "normal"]);
    tree.args(["--target", target, "--prefix", "none", "--format", "{p}|{l}|{r}"]);
    let packages = parse(&String::from_utf8_lossy(&ask(&mut tree)?));
    let mut texts: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    let mut without = Vec::new();
    let sources = sources().context("cannot find the sources of dependencies")?;
    for package in &packages {
        let found = licences(&sources, &package.name);
        if found.is_empty() {
            without.push(package.name.as_str());
        }
        for text in found {
            texts.entry(text).or_default().push(&package.name);
        }
    }
    Ok(write(&packages, &texts, &without))
}

/// Reads the lines of `cargo tree`; packages of ours have a path behind their version.
fn parse(lines: &str) -> Vec<Package> {
    let mut packages: Vec<Package> = lines
        .lines()
        .filter_map(|line| {
            let mut fields = line.split('|').map(str::trim);
            let package = fields.next()?;
            let (name, version) = package.split_once(" v")?;
            // What stands behind the version is a path, or the note of a macro.
            let version = match version.split_once(" (") {
                Some((version, "proc-macro)")) => version,
                Some(_) => return None,
                None => version,
            };
            let licence = fields.next().unwrap_or_default().to_owned();
            let repository = fields.next().unwrap_or_default().trim_end_matches(" (*)").to_owned();
            Some(Package { name: format!("{name}-{version}"), licence, repository })
        })
        .collect();
    packages.sort();
    packages.dedup();
    packages
}

/// Returns the folders in which Cargo keeps the sources of a registry.
fn sources() -> anyhow::Result<Vec<PathBuf>> {
    let mut folders = Vec::new();
    for entry in fs::read_dir(cargo_home().join("registry/src"))? {
        folders.push(entry?.path());
    }
    Ok(folders)
}

/// Returns the licences in the sources of a package.
fn licences(sources: &[PathBuf], package: &str) -> Vec<String> {
    let folder = sources.iter().map(|folder| folder.join(package)).find(|path| path.is_dir());
    let Some(folder) = folder else { return Vec::new() };
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.is_file() && is_licence(path))
        .collect();
    files.sort();
    let texts = files.iter().filter_map(|file| fs::read(file).ok());
    texts.map(|text| String::from_utf8_lossy(&text).replace("\r\n", "\n")).collect()
}

fn is_licence(path: &Path) -> bool {
    let name = path.file_name().map(|name| name.to_string_lossy().to_lowercase());
    name.is_some_and(|name| {
        NAMES.iter().any(|start| name.starts_with(start)) && !name.ends_with(".rs")
    })
}

fn write(packages: &[Package], texts: &BTreeMap<String, Vec<&str>>, without: &[&str]) -> String {
    let mut page = String::from(
        "Lookfar is linked with the packages below, with the standard library of Rust (MIT or\n\
         Apache-2.0), and with the C library of its target: musl (MIT) or glibc (LGPL-2.1).\n\n",
    );
    // Writing to a string cannot fail.
    for Package { name, licence, repository } in packages {
        let _ = writeln!(page, "{name}: {licence}; {repository}");
    }
    if !without.is_empty() {
        let _ = writeln!(page, "\nWithout a text of their own: {}", without.join(", "));
    }
    for (text, names) in texts {
        let rule = "-".repeat(72);
        let _ = writeln!(page, "\n{rule}\n{}\n{rule}\n\n{}", names.join(", "), text.trim_end());
    }
    page
}

#[cfg(test)]
mod tests {
    use super::*;

    const TREE: &str = "\
cli v0.1.0 (/source/crates/cli)|MIT OR Apache-2.0|
serde v1.0.1|MIT OR Apache-2.0|https://github.com/serde-rs/serde
serde_derive v1.0.1 (proc-macro)|MIT OR Apache-2.0|https://github.com/serde-rs/serde
serde v1.0.1|MIT OR Apache-2.0|https://github.com/serde-rs/serde (*)
";

    #[test]
    fn packages_of_others_are_listed_once() {
        let packages = parse(TREE);
        let names: Vec<&str> = packages.iter().map(|package| package.name.as_str()).collect();
        assert_eq!(names, ["serde-1.0.1", "serde_derive-1.0.1"]);
        assert_eq!(packages[0].repository, "https://github.com/serde-rs/serde");
        assert_eq!(packages[0].licence, "MIT OR Apache-2.0");
    }

    #[test]
    fn a_text_that_two_packages_share_is_there_once() {
        let folder = tempfile::tempdir().unwrap();
        for (package, file) in [("a-1.0.0", "LICENSE"), ("b-2.0.0", "license-mit")] {
            fs::create_dir_all(folder.path().join(package).join("src")).unwrap();
            fs::write(folder.path().join(package).join(file), "Do as you like.\r\n").unwrap();
            fs::write(folder.path().join(package).join("license.rs"), "fn main() {}").unwrap();
        }
        let sources = [folder.path().to_owned()];
        let mut texts: BTreeMap<String, Vec<&str>> = BTreeMap::new();
        for package in ["a-1.0.0", "b-2.0.0"] {
            for text in licences(&sources, package) {
                texts.entry(text).or_default().push(package);
            }
        }
        assert!(licences(&sources, "c-3.0.0").is_empty());
        let page = write(&parse(TREE), &texts, &["c-3.0.0"]);
        assert_eq!(page.matches("Do as you like.").count(), 1);
        assert!(page.contains("\na-1.0.0, b-2.0.0\n") && !page.contains("fn main"));
        assert!(page.contains("Without a text of their own: c-3.0.0\n"));
        assert!(page.contains("\nserde-1.0.1: MIT OR Apache-2.0; https://github.com/"));
    }
}
