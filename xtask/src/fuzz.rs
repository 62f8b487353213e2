//! The long run of the fuzzer: `cargo xtask fuzz TARGET --minutes 60`.
//!
//! The short one is a test of the workspace (`fuzz/tests/it`) and needs no tools. This one needs a
//! C++ compiler and `cargo-fuzz`, which is built once per machine. With a nightly compiler memory is
//! watched too; the targets are safe code, so that the one in use finds nearly as much.

use std::{env, fs, path::Path, process::Command};

use anyhow::{Context as _, bail};

use crate::{cargo, steps::CheckFailed, tools};

/// How long a run takes if nobody says.
pub(crate) const MINUTES: u64 = 60;
/// Longest input tried: most mistakes show in short ones, and those are read faster.
const MOST_BYTES: usize = 8 * 1024;
/// Seconds and megabytes that one input may take. The instruments make reading a few times slower.
const INPUT_SECONDS: u64 = 20;
const INPUT_MEGABYTES: u64 = 2_048;

/// Fuzzes one target; fails with the name of the input that showed a mistake.
pub(crate) fn run(target: &str, minutes: u64) -> anyhow::Result<()> {
    let folder = cargo::root().join("fuzz");
    let targets = targets(&folder).context("cannot list `fuzz/fuzz_targets`")?;
    if !targets.iter().any(|known| known == target) {
        bail!("no target `{target}`; there are {}", targets.join(", "));
    }
    let fuzzer = tools::FUZZ.install()?;
    let programs = fuzzer.parent().context("cargo-fuzz lies in no folder")?;
    // What it finds on the way is kept for the next run; the stored inputs stay as they are.
    let grown = cargo::target().join("fuzzing/corpus").join(target);
    fs::create_dir_all(&grown).context("cannot make a folder for the inputs it finds")?;
    let compiler = Compiler::find(programs);
    let mut command = compiler.cargo(programs);
    command.args(["fuzz", "run", "--features", "libfuzzer"]).args(compiler.flags());
    command.arg("--fuzz-dir").arg(&folder);
    command.arg(target).arg(&grown).arg(folder.join("corpus").join(target));
    command.arg("--").args(limits(minutes));
    command.env("CARGO_TARGET_DIR", cargo::target().join("fuzzing"));
    let status = command.current_dir(&folder).status().context("cannot start cargo")?;
    if !status.success() {
        let what = format!(
            "`{target}` found an input (see above for its file); \
             store it in fuzz/corpus/{target} with the change that mends it"
        );
        return Err(CheckFailed(what).into());
    }
    Ok(())
}

fn limits(minutes: u64) -> [String; 4] {
    [
        format!("-max_total_time={}", minutes * 60),
        format!("-max_len={MOST_BYTES}"),
        format!("-timeout={INPUT_SECONDS}"),
        format!("-rss_limit_mb={INPUT_MEGABYTES}"),
    ]
}

/// Returns the names of the targets, sorted.
fn targets(folder: &Path) -> std::io::Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder.join("fuzz_targets"))? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "rs") {
            names.extend(path.file_stem().map(|stem| stem.to_string_lossy().into_owned()));
        }
    }
    names.sort();
    Ok(names)
}

/// Who compiles the targets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Compiler {
    Nightly,
    /// The one that compiles everything else: it has no sanitizers.
    Own,
}

impl Compiler {
    /// Returns the nightly compiler if there is one.
    fn find(programs: &Path) -> Self {
        let mut version = Self::Nightly.cargo(programs);
        match version.arg("--version").output().is_ok_and(|output| output.status.success()) {
            true => Self::Nightly,
            false => {
                eprintln!("no nightly compiler: memory is not watched");
                Self::Own
            }
        }
    }

    /// Returns a call of its Cargo that knows the programs in a folder.
    fn cargo(self, programs: &Path) -> Command {
        let mut command = match self {
            Self::Nightly => {
                let mut command = Command::new("rustup");
                // The Cargo that runs this program would win over the nightly one otherwise.
                command.env_remove("CARGO").args(["run", "nightly", "cargo"]);
                command
            }
            Self::Own => cargo::command(&[]),
        };
        let path = env::var_os("PATH").unwrap_or_default();
        let folders = [programs.to_owned()].into_iter().chain(env::split_paths(&path));
        if let Ok(path) = env::join_paths(folders) {
            command.env("PATH", path);
        }
        command
    }

    /// Returns what `cargo fuzz` must be told.
    fn flags(self) -> &'static [&'static str] {
        match self {
            Self::Nightly => &[],
            Self::Own => &["--sanitizer", "none"],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_target_has_stored_inputs() {
        let folder = cargo::root().join("fuzz");
        let targets = targets(&folder).unwrap();
        assert!(targets.contains(&"html".to_owned()));
        for target in targets {
            let stored = fs::read_dir(folder.join("corpus").join(&target)).unwrap().count();
            assert!(stored >= 5, "{target} has {stored}");
        }
    }

    #[test]
    fn a_target_that_is_none_is_refused_before_anything_is_installed() {
        let error = run("hmtl", 1).unwrap_err().to_string();
        assert!(error.starts_with("no target `hmtl`; there are charset, html, "), "{error}");
    }

    #[test]
    fn minutes_are_told_in_seconds() {
        assert_eq!(limits(2)[0], "-max_total_time=120");
    }
}
