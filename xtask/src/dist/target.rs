//! Which static program can be built here, and what is lacking for a better one.
//!
//! A program for musl is static to the last function. Without musl, glibc is linked statically;
//! that program runs everywhere too, but `/etc/nsswitch.conf` means nothing to it, which does not
//! matter: names are looked up by our own resolver.

use std::{
    env,
    fs::File,
    io::Read as _,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context as _, bail};

use crate::{cargo, steps::CheckFailed, tools};

/// How the program is built.
#[derive(Debug, PartialEq)]
pub(super) struct Build {
    pub(super) target: String,
    /// The C compiler, where it is not the system's.
    compiler: Option<String>,
    /// What a build for musl would need besides, and how to install it.
    pub(super) lacking: Vec<String>,
}

impl Build {
    /// Looks at this machine.
    pub(super) fn here() -> anyhow::Result<Self> {
        let asked = rustc().arg("-vV").output().context("cannot start rustc")?;
        let told = String::from_utf8_lossy(&asked.stdout).into_owned();
        let host = told.lines().find_map(|line| line.strip_prefix("host: "));
        let host = host.context("rustc does not say for which machine it builds")?;
        let sysroot =
            rustc().args(["--print", "sysroot"]).output().context("cannot start rustc")?;
        let sysroot = PathBuf::from(String::from_utf8_lossy(&sysroot.stdout).trim());
        // What `rustup target list --installed` says, also for a Rust that did not come by rustup.
        let is_installed = |target: &str| sysroot.join("lib/rustlib").join(target).is_dir();
        Self::choose(host, is_installed, |name| tools::find_program(name).is_some())
    }

    fn choose(
        host: &str,
        is_installed: impl Fn(&str) -> bool,
        is_there: impl Fn(&str) -> bool,
    ) -> anyhow::Result<Self> {
        let Some((machine, _)) = host.split_once('-').filter(|(_, rest)| rest.contains("linux"))
        else {
            bail!("`{host}` is no Linux, and Lookfar runs on Linux only");
        };
        let musl = format!("{machine}-unknown-linux-musl");
        if host.ends_with("-musl") {
            return Ok(Self { target: host.to_owned(), compiler: None, lacking: Vec::new() });
        }
        let compilers = [format!("{machine}-linux-musl-gcc"), "musl-gcc".to_owned()];
        let compiler = compilers.into_iter().find(|name| is_there(name));
        let mut lacking = Vec::new();
        if !is_installed(&musl) {
            lacking.push(format!("Rust's target {musl}: rustup target add {musl}"));
        }
        if compiler.is_none() {
            lacking.push("a C compiler for musl: sudo apt-get install musl-tools".to_owned());
        }
        if lacking.is_empty() {
            return Ok(Self { target: musl, compiler, lacking });
        }
        Ok(Self { target: host.to_owned(), compiler: None, lacking })
    }

    pub(super) fn is_musl(&self) -> bool {
        self.target.ends_with("-musl")
    }

    /// Builds the program and returns where it lies.
    pub(super) fn run(&self) -> anyhow::Result<PathBuf> {
        let mut build = cargo::command(&["build", "--locked", "--profile", "dist"]);
        build.args(["--package", "cli", "--bin", "lookfar", "--target", &self.target]);
        build.env("CARGO_ENCODED_RUSTFLAGS", self.flags().join("\u{1f}"));
        if let Some(compiler) = &self.compiler {
            build.env(format!("CC_{}", self.target.replace('-', "_")), compiler);
        }
        if !build.status().context("cannot start cargo")?.success() {
            return Err(CheckFailed("the program did not build; see above".to_owned()).into());
        }
        let program = cargo::target().join(&self.target).join("dist/lookfar");
        let mut head = Vec::new();
        let file = File::open(&program).context("cargo has built no program")?;
        file.take(1 << 16).read_to_end(&mut head).context("cannot read the program")?;
        if wants_loader(&head) != Some(false) {
            bail!("`{}` is not linked statically", program.display());
        }
        Ok(program)
    }

    /// Returns the compiler's flags; those of the user come first.
    fn flags(&self) -> Vec<String> {
        let own = env::var("RUSTFLAGS").unwrap_or_default();
        let mut flags: Vec<String> = own.split_whitespace().map(str::to_owned).collect();
        flags.push("-Ctarget-feature=+crt-static".to_owned());
        // Messages name source files; where those lay on this machine is nobody's business, and
        // two machines should build the same.
        flags.push(format!("--remap-path-prefix={}=lookfar", cargo::root().display()));
        flags.push(format!("--remap-path-prefix={}=cargo", cargo_home().display()));
        flags
    }
}

/// Returns Cargo's own folder, in which the sources of dependencies are.
pub(super) fn cargo_home() -> PathBuf {
    let home = || Path::new(&env::var_os("HOME").unwrap_or_default()).join(".cargo");
    env::var_os("CARGO_HOME").map_or_else(home, PathBuf::from)
}

fn rustc() -> Command {
    Command::new(env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()))
}

/// Whether an ELF file of 64 bits asks for a dynamic loader; `None` if it is no such file.
fn wants_loader(head: &[u8]) -> Option<bool> {
    const INTERPRETER: u32 = 3;
    let number = |at: usize, bytes: usize| {
        let bytes = head.get(at..at.checked_add(bytes)?)?;
        Some(bytes.iter().rev().fold(0, |sum: u64, byte| sum << 8 | u64::from(*byte)))
    };
    // 64 bits, little end first.
    if head.get(..6)? != [0x7f, b'E', b'L', b'F', 2, 1] {
        return None;
    }
    let (table, size, count) = (number(0x20, 8)?, number(0x36, 2)?, number(0x38, 2)?);
    for index in 0..count {
        let at = usize::try_from(table.checked_add(index * size)?).ok()?;
        if number(at, 4)? == u64::from(INTERPRETER) {
            return Some(true);
        }
    }
    Some(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choose(host: &str, targets: &[&str], programs: &[&str]) -> anyhow::Result<Build> {
        Build::choose(host, |target| targets.contains(&target), |name| programs.contains(&name))
    }

    #[test]
    fn musl_is_taken_where_everything_for_it_is_there() {
        let target = "x86_64-unknown-linux-musl";
        let build = choose("x86_64-unknown-linux-gnu", &[target], &["musl-gcc"]).unwrap();
        assert_eq!(build.target, target);
        assert_eq!(build.compiler.as_deref(), Some("musl-gcc"));
        assert!(build.is_musl() && build.lacking.is_empty());
        let alpine = choose("x86_64-alpine-linux-musl", &[], &[]).unwrap();
        assert_eq!(alpine.target, "x86_64-alpine-linux-musl");
    }

    #[test]
    fn glibc_is_taken_otherwise_and_what_was_lacking_is_said() {
        let build = choose("aarch64-unknown-linux-gnu", &[], &["gcc"]).unwrap();
        assert_eq!(build.target, "aarch64-unknown-linux-gnu");
        assert_eq!(build.lacking.len(), 2);
        assert!(build.lacking[0].ends_with("rustup target add aarch64-unknown-linux-musl"));
        let target = "x86_64-unknown-linux-musl";
        let build = choose("x86_64-unknown-linux-gnu", &[target], &[]).unwrap();
        assert!(!build.is_musl());
        assert_eq!(build.lacking.len(), 1);
        assert!(build.lacking[0].contains("musl-tools"));
    }

    #[test]
    fn other_systems_are_refused() {
        for host in ["aarch64-apple-darwin", "x86_64-pc-windows-msvc"] {
            assert!(choose(host, &[], &[]).is_err());
        }
    }

    #[test]
    fn a_program_that_asks_for_a_loader_is_not_static() {
        // This test is a program like that; rustc itself has at most one header table.
        let mut head = vec![0; 0x40 + 2 * 0x38];
        head[..6].copy_from_slice(&[0x7f, b'E', b'L', b'F', 2, 1]);
        head[0x20] = 0x40;
        head[0x36] = 0x38;
        head[0x38] = 2;
        head[0x40] = 1;
        assert_eq!(wants_loader(&head), Some(false));
        head[0x40 + 0x38] = 3;
        assert_eq!(wants_loader(&head), Some(true));
        assert_eq!(wants_loader(&head[..0x50]), None);
        assert_eq!(wants_loader(b"#!/bin/sh\n"), None);
    }

    #[test]
    fn flags_ask_for_a_static_program() {
        let build = choose("x86_64-unknown-linux-gnu", &[], &[]).unwrap();
        assert!(build.flags().contains(&"-Ctarget-feature=+crt-static".to_owned()));
    }
}
