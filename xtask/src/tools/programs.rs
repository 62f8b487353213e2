//! Programs written in Rust that check or fuzz: taken from the path, or built once per machine.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use anyhow::bail;

use super::{find_program, shared};
use crate::cargo;

/// Checks licences, bans, sources and advisories of dependencies: `deny.toml`.
pub(crate) const DENY: Program = Program { name: "cargo-deny", version: [0, 20, 2] };
/// Finds dependencies that nothing uses.
pub(crate) const MACHETE: Program = Program { name: "cargo-machete", version: [0, 9, 2] };
/// Runs the fuzzer.
pub(crate) const FUZZ: Program = Program { name: "cargo-fuzz", version: [0, 13, 2] };

/// A fast build matters more than a fast program here: each runs for seconds.
const BUILD_SETTINGS: &[(&str, &str)] = &[
    ("CARGO_PROFILE_RELEASE_LTO", "off"),
    ("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16"),
    ("CARGO_PROFILE_RELEASE_OPT_LEVEL", "1"),
    ("CARGO_PROFILE_RELEASE_DEBUG", "0"),
];

/// A program and the oldest version that suffices, which is also the one that we install.
pub(crate) struct Program {
    pub(crate) name: &'static str,
    version: [u64; 3],
}

impl Program {
    /// Returns the user's program if it is new enough, else ours.
    pub(crate) fn find(&self) -> Option<PathBuf> {
        find_program(self.name).filter(|program| self.suffices(program)).or_else(|| self.ours())
    }

    /// Returns the program; builds it if it is not there.
    pub(crate) fn install(&self) -> anyhow::Result<PathBuf> {
        if let Some(program) = self.find() {
            return Ok(program);
        }
        eprintln!("building {} {}, once per machine", self.name, self.version());
        let works = |folder: &Path| self.program_in(folder).is_file();
        let folder = shared::install(&self.key(), works, |folder| self.build(folder))?;
        Ok(self.program_in(&folder))
    }

    fn build(&self, folder: &Path) -> anyhow::Result<()> {
        // Beside the folder, which is emptied first: so an interrupted build goes on.
        let products = folder.with_file_name(format!("{}.build", self.key()));
        let version = self.version();
        let mut install = cargo::command(&["install", "--quiet", "--locked", "--version"]);
        install.args([version.as_str(), self.name, "--root"]).arg(folder);
        install.env("CARGO_TARGET_DIR", &products).envs(BUILD_SETTINGS.iter().copied());
        if !install.status().is_ok_and(|status| status.success()) {
            bail!(
                "cannot install {0}; connect to the registry of crates, or: \
                 cargo install --locked {0}@{version}",
                self.name
            );
        }
        // Some hundred megabytes that nobody needs again; the program works without this too.
        let _ = fs::remove_dir_all(products);
        Ok(())
    }

    fn ours(&self) -> Option<PathBuf> {
        let program = self.program_in(&shared::find(&self.key())?);
        Some(program).filter(|program| program.is_file())
    }

    fn program_in(&self, folder: &Path) -> PathBuf {
        folder.join("bin").join(self.name)
    }

    fn key(&self) -> String {
        format!("{}-{}", self.name, self.version())
    }

    fn version(&self) -> String {
        let [major, minor, patch] = self.version;
        format!("{major}.{minor}.{patch}")
    }

    fn suffices(&self, program: &Path) -> bool {
        // As subcommands of Cargo they would want their own name before the option.
        let asked = Command::new(program)
            .arg("--version")
            .env_remove("CARGO")
            .stdin(Stdio::null())
            .stderr(Stdio::null())
            .output();
        let told = asked.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
        told.is_ok_and(|told| version_in(&told).is_some_and(|version| version >= self.version))
    }
}

/// Reads the version out of `cargo-deny 0.20.2` or `0.9.2`.
fn version_in(told: &str) -> Option<[u64; 3]> {
    told.split_whitespace().find_map(|word| {
        let mut numbers = word.split('.').map(str::parse);
        let version = [numbers.next()?.ok()?, numbers.next()?.ok()?, numbers.next()?.ok()?];
        numbers.next().is_none().then_some(version)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_and_compared_as_numbers() {
        assert_eq!(version_in("cargo-deny 0.20.2\n"), Some([0, 20, 2]));
        assert_eq!(version_in("0.9.2\n"), Some([0, 9, 2]));
        assert_eq!(version_in("cargo-deny unknown"), None);
        assert!(version_in("0.20.10").unwrap() > DENY.version);
        assert!(version_in("0.9.10").unwrap() < DENY.version);
    }

    #[cfg(unix)]
    #[test]
    fn a_program_that_is_too_old_does_not_suffice() {
        use std::os::unix::fs::PermissionsExt as _;

        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("cargo-fork");
        let check = |told: &str| {
            fs::write(&program, format!("#!/bin/sh\necho {told}\n")).unwrap();
            fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
            Program { name: "cargo-fork", version: [1, 2, 3] }.suffices(&program)
        };
        assert!(check("cargo-fork 1.2.3"));
        assert!(check("cargo-fork 2.0.0"));
        assert!(!check("cargo-fork 1.2.2"));
        assert!(!check("no version"));
    }

    #[test]
    fn the_folder_of_a_program_names_its_version() {
        assert_eq!(MACHETE.key(), "cargo-machete-0.9.2");
        assert!(MACHETE.program_in(Path::new("t")).ends_with("t/bin/cargo-machete"));
    }
}
