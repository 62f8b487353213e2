//! Measures how fast: `bench`.
//!
//! A bench is a target `crates/<crate>/benches/<name>.rs`; this module only finds and starts it.

use std::{collections::BTreeSet, fs, io, path::Path};

use anyhow::Context as _;

use crate::{cargo, steps::CheckFailed, tools};

/// A bench target and its crate, in the order in which they run.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Bench {
    package: String,
    name: String,
}

/// Runs the benches whose name contains `name`, or all; they are given the `options`.
pub(crate) fn run(name: Option<&str>, options: &[String]) -> anyhow::Result<()> {
    let benches = find(&cargo::root().join("crates")).context("cannot list `crates`")?;
    for Bench { package, name } in choose(&benches, name)? {
        eprintln!("\n== {name} (crates/{package})");
        let mut command = cargo::command(&["bench", "--package", package, "--bench", name]);
        command.arg("--").args(options);
        let status = command.envs(tools::environment()).status().context("cannot start cargo")?;
        if !status.success() {
            return Err(CheckFailed(format!("bench `{name}` failed; see above")).into());
        }
    }
    Ok(())
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

/// Finds `<crate>/benches/<name>.rs` and `<crate>/benches/<name>/main.rs`, as Cargo does.
fn find(crates: &Path) -> io::Result<BTreeSet<Bench>> {
    let mut benches = BTreeSet::new();
    for entry in fs::read_dir(crates)? {
        let entry = entry?;
        let Ok(files) = fs::read_dir(entry.path().join("benches")) else { continue };
        let package = entry.file_name().to_string_lossy().into_owned();
        for file in files {
            let path = file?.path();
            let is_bench = path.extension().is_some_and(|extension| extension == "rs")
                || path.join("main.rs").is_file();
            if let Some(stem) = path.file_stem().filter(|_| is_bench) {
                let name = stem.to_string_lossy().into_owned();
                benches.insert(Bench { package: package.clone(), name });
            }
        }
    }
    Ok(benches)
}

#[cfg(test)]
mod tests {
    use std::env;

    use super::*;

    fn bench(package: &str, name: &str) -> Bench {
        Bench { package: package.to_owned(), name: name.to_owned() }
    }

    #[test]
    fn benches_are_found_as_cargo_finds_them() {
        let folder = env::temp_dir().join(format!("xtask-bench-{}", std::process::id()));
        fs::create_dir_all(folder.join("crawl/benches/frontier")).unwrap();
        fs::create_dir_all(folder.join("crawl/benches/data")).unwrap();
        fs::create_dir_all(folder.join("base/src")).unwrap();
        fs::write(folder.join("crawl/benches/crawl.rs"), "").unwrap();
        fs::write(folder.join("crawl/benches/notes.txt"), "").unwrap();
        fs::write(folder.join("crawl/benches/frontier/main.rs"), "").unwrap();
        let found = find(&folder).unwrap();
        fs::remove_dir_all(&folder).unwrap();
        assert_eq!(found, [bench("crawl", "crawl"), bench("crawl", "frontier")].into());
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
