//! Measures how fast: `bench`.
//!
//! A bench is a target `crates/<crate>/benches/<name>.rs`; those that compare with libraries which
//! the program does not use are in `benches/<crate>/benches/`, a workspace of its own. This module
//! only finds and starts them.

use std::{collections::BTreeSet, fs, io, path::Path, process::Command};

use anyhow::Context as _;

use crate::{cargo, steps::CheckFailed, tools};

/// The folders of crates with benches.
const FOLDERS: [&str; 2] = ["crates", COMPARISONS];

/// The folder that is a workspace of its own.
const COMPARISONS: &str = "benches";

/// A bench target and its crate, in the order in which they run.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Bench {
    package: String,
    name: String,
    /// One of [`FOLDERS`].
    folder: &'static str,
}

/// Runs the benches whose name contains `name`, or all; they are given the `options`.
pub(crate) fn run(name: Option<&str>, options: &[String]) -> anyhow::Result<()> {
    let benches = find(&cargo::root()).context("cannot list the crates")?;
    for bench in choose(&benches, name)? {
        let Bench { package, name, folder } = bench;
        eprintln!("\n== {name} ({folder}/{package})");
        let mut command = bench.command();
        command.arg("--").args(options);
        let status = command.envs(tools::environment()).status().context("cannot start cargo")?;
        if !status.success() {
            return Err(CheckFailed(format!("bench `{name}` failed; see above")).into());
        }
    }
    Ok(())
}

impl Bench {
    /// Returns the call of Cargo; both workspaces build into one target folder and share there
    /// what they have in common.
    fn command(&self) -> Command {
        let mut command = cargo::command(&["bench", "--package", &self.package]);
        command.args(["--bench", &self.name]);
        if self.folder == COMPARISONS {
            command.args(["--manifest-path", &format!("{COMPARISONS}/Cargo.toml")]);
            command.env("CARGO_TARGET_DIR", cargo::target());
        }
        command
    }
}

fn choose<'a>(
    benches: &'a BTreeSet<Bench>,
    name: Option<&str>,
) -> Result<Vec<&'a Bench>, CheckFailed> {
    if benches.is_empty() {
        let what = "there are no benches yet; the first will be crates/<crate>/benches/<name>.rs";
        return Err(CheckFailed(what.to_owned()));
    }
    let wanted = |bench: &&Bench| name.is_none_or(|name| bench.name.contains(name));
    let chosen: Vec<&Bench> = benches.iter().filter(wanted).collect();
    if chosen.is_empty() {
        let names: Vec<&str> = benches.iter().map(|bench| bench.name.as_str()).collect();
        let name = name.unwrap_or_default();
        return Err(CheckFailed(format!(
            "no bench has `{name}` in its name; there are {}",
            names.join(", ")
        )));
    }
    Ok(chosen)
}

/// Finds `<crate>/benches/<name>.rs` and `<crate>/benches/<name>/main.rs`, as Cargo does, in all
/// of the [`FOLDERS`] below `root`.
fn find(root: &Path) -> io::Result<BTreeSet<Bench>> {
    let mut benches = BTreeSet::new();
    for folder in FOLDERS {
        for entry in fs::read_dir(root.join(folder))? {
            let entry = entry?;
            let Ok(files) = fs::read_dir(entry.path().join("benches")) else { continue };
            let package = entry.file_name().to_string_lossy().into_owned();
            for file in files {
                let path = file?.path();
                let is_bench = path.extension().is_some_and(|extension| extension == "rs")
                    || path.join("main.rs").is_file();
                if let Some(stem) = path.file_stem().filter(|_| is_bench) {
                    let name = stem.to_string_lossy().into_owned();
                    benches.insert(Bench { package: package.clone(), name, folder });
                }
            }
        }
    }
    Ok(benches)
}

#[cfg(test)]
mod tests {
    use std::{env, path::PathBuf};

    use super::*;

    fn bench(package: &str, name: &str) -> Bench {
        Bench { package: package.to_owned(), name: name.to_owned(), folder: "crates" }
    }

    fn comparison(package: &str, name: &str) -> Bench {
        Bench { folder: COMPARISONS, ..bench(package, name) }
    }

    #[test]
    fn benches_are_found_as_cargo_finds_them_in_both_workspaces() {
        let root = env::temp_dir().join(format!("xtask-bench-{}", std::process::id()));
        fs::create_dir_all(root.join("crates/crawl/benches/frontier")).unwrap();
        fs::create_dir_all(root.join("crates/crawl/benches/data")).unwrap();
        fs::create_dir_all(root.join("crates/base/src")).unwrap();
        fs::create_dir_all(root.join("benches/html/benches")).unwrap();
        fs::write(root.join("crates/crawl/benches/crawl.rs"), "").unwrap();
        fs::write(root.join("crates/crawl/benches/notes.txt"), "").unwrap();
        fs::write(root.join("crates/crawl/benches/frontier/main.rs"), "").unwrap();
        fs::write(root.join("benches/Cargo.toml"), "").unwrap();
        fs::write(root.join("benches/html/benches/html.rs"), "").unwrap();
        let found = find(&root).unwrap();
        fs::remove_dir_all(&root).unwrap();
        let expected =
            [bench("crawl", "crawl"), bench("crawl", "frontier"), comparison("html", "html")];
        assert_eq!(found, expected.into());
    }

    #[test]
    fn comparisons_run_in_their_workspace_and_build_where_all_else_does() {
        let arguments = |command: &Command| {
            command.get_args().map(|word| word.to_string_lossy().into_owned()).collect::<Vec<_>>()
        };
        let plain = bench("crawl", "frontier").command();
        assert_eq!(arguments(&plain), ["bench", "--package", "crawl", "--bench", "frontier"]);
        assert_eq!(plain.get_envs().count(), 0);
        let command = comparison("html", "html").command();
        let words = arguments(&command);
        assert_eq!(words[..5], ["bench", "--package", "html", "--bench", "html"]);
        assert_eq!(words[5..], ["--manifest-path", "benches/Cargo.toml"]);
        let target = command.get_envs().find(|(name, _)| *name == "CARGO_TARGET_DIR");
        assert_eq!(target.and_then(|(_, value)| value).map(PathBuf::from), Some(cargo::target()));
    }

    #[test]
    fn no_bench_is_said_and_not_passed_over() {
        assert!(choose(&BTreeSet::new(), None).is_err_and(|e| e.0.starts_with("there are no")));
        let benches = [bench("crawl", "crawl"), bench("crawl", "frontier")].into();
        assert_eq!(choose(&benches, Some("front")).unwrap(), [&bench("crawl", "frontier")]);
        assert_eq!(choose(&benches, None).unwrap().len(), 2);
        let error = choose(&benches, Some("query")).unwrap_err();
        assert_eq!(error.0, "no bench has `query` in its name; there are crawl, frontier");
    }
}
