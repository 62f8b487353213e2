//! What we depend on: licences, bans, sources, advisories (`deny.toml`), and what nothing uses.
//!
//! `cargo-deny` and `cargo-machete` do the work. Where they cannot be installed the steps are
//! skipped, which is said in the summary; on a machine that checks changes (`CI`) that is an error.

use std::{
    env,
    ffi::OsStr,
    ops::RangeInclusive,
    path::Path,
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context as _, bail};

use crate::{
    cargo,
    steps::{CheckFailed, Outcome, Steps},
    tools::{DENY, MACHETE, Program},
};

/// Where our packages are; what is built or downloaded below the root is not ours.
const FOLDERS: &[&str] = &["crates", "fuzz", "xtask"];

/// One bit for each kind of check that has found something.
const DENY_FINDINGS: RangeInclusive<i32> = 1..=15;
/// 2 means that it could not look.
const MACHETE_FINDINGS: RangeInclusive<i32> = 1..=1;

/// Fetching the advisories takes seconds where it is possible at all.
const FETCH_DEADLINE: Duration = Duration::from_secs(60);

/// Builds the programs, unless they are there.
pub(crate) fn install(steps: &mut Steps) -> anyhow::Result<()> {
    let work = || {
        let mut built = Vec::new();
        for program in [&DENY, &MACHETE] {
            if program.find().is_none() {
                program.install()?;
                built.push(program.name);
            }
        }
        Ok(if built.is_empty() { String::new() } else { format!("built {}", built.join(", ")) })
    };
    if is_ci(env::var_os("CI").as_deref()) {
        return steps.install("tools", work);
    }
    steps.try_install("tools", work);
    Ok(())
}

/// Checks what needs no network.
pub(crate) fn check(steps: &mut Steps) -> anyhow::Result<()> {
    steps.step_if_possible("dependencies", || {
        let Some(program) = DENY.find() else { return Ok(missing(&DENY)) };
        let mut deny = deny(&program);
        // The inclusion graphs of a dozen findings fill many screens.
        deny.args(["check", "--hide-inclusion-graph", "licenses", "bans", "sources"]);
        pass(
            &mut deny,
            DENY_FINDINGS,
            "licences, bans or sources of dependencies; see above and deny.toml",
        )
    })?;
    steps.step_if_possible("unused dependencies", || {
        let Some(program) = MACHETE.find() else { return Ok(missing(&MACHETE)) };
        let mut machete = Command::new(program);
        // With it, it would take itself for a subcommand of Cargo.
        machete.env_remove("CARGO").args(FOLDERS).current_dir(cargo::root());
        pass(
            &mut machete,
            MACHETE_FINDINGS,
            "nothing uses a dependency above; remove it, or list it in \
             `package.metadata.cargo-machete` with the reason",
        )
    })
}

/// Checks whether faults of our dependencies are known, if it can be asked.
pub(crate) fn advisories(steps: &mut Steps) -> anyhow::Result<()> {
    steps.step_if_possible("advisories", || {
        let Some(program) = DENY.find() else { return Ok(missing(&DENY)) };
        let mut fetch = deny(&program);
        fetch.args(["fetch", "db"]).stderr(Stdio::null());
        // Nobody is there to type a password.
        fetch.env("GIT_TERMINAL_PROMPT", "0");
        if !succeeds_within(&mut fetch, FETCH_DEADLINE)? {
            return Ok(Outcome::Skipped("the advisory database cannot be fetched".to_owned()));
        }
        let mut deny = deny(&program);
        deny.args(["check", "--disable-fetch", "--hide-inclusion-graph", "advisories"]);
        pass(&mut deny, DENY_FINDINGS, "a dependency has a known fault; see above")
    })
}

fn deny(program: &Path) -> Command {
    let mut command = Command::new(program);
    command.arg("--locked").current_dir(cargo::root()).stdin(Stdio::null());
    command
}

/// Runs a program that ends with one of these codes if it has found something.
fn pass(
    command: &mut Command,
    findings: RangeInclusive<i32>,
    if_it_fails: &str,
) -> anyhow::Result<Outcome> {
    let status = command.status().with_context(|| {
        format!("cannot start `{}`", Path::new(command.get_program()).display())
    })?;
    match status.code() {
        Some(0) => Ok(Outcome::Done(String::new())),
        Some(code) if findings.contains(&code) => Err(CheckFailed(if_it_fails.to_owned()).into()),
        _ => bail!("{}: {status}", Path::new(command.get_program()).display()),
    }
}

fn missing(program: &Program) -> Outcome {
    Outcome::Skipped(format!(
        "{} is not there; `cargo xtask test` installs it where it can",
        program.name
    ))
}

/// Whether the variable `CI` says that a machine checks a change.
fn is_ci(variable: Option<&OsStr>) -> bool {
    variable.is_some_and(|value| !["", "0", "false"].iter().any(|no| value == *no))
}

/// Returns whether the command succeeds in time; one that does not is killed.
fn succeeds_within(command: &mut Command, deadline: Duration) -> anyhow::Result<bool> {
    let mut child: Child = command.spawn().context("cannot start a program")?;
    let started = Instant::now();
    while started.elapsed() < deadline {
        if let Some(status) = child.try_wait()? {
            return Ok(status.success());
        }
        thread::sleep(Duration::from_millis(20));
    }
    child.kill()?;
    child.wait()?;
    Ok(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_set_variable_means_that_a_machine_checks() {
        for (value, expected) in
            [(Some("true"), true), (Some("1"), true), (Some("false"), false), (Some(""), false)]
        {
            assert_eq!(is_ci(value.map(OsStr::new)), expected, "{value:?}");
        }
        assert!(!is_ci(None));
    }

    #[cfg(unix)]
    #[test]
    fn findings_are_told_from_programs_that_cannot_look() {
        let run = |code: u32, findings| {
            let mut shell = Command::new("sh");
            pass(shell.args(["-c", &format!("exit {code}")]), findings, "unused")
        };
        let is_finding = |result: anyhow::Result<Outcome>| {
            result.is_err_and(|error| error.downcast_ref::<CheckFailed>().is_some())
        };
        assert!(matches!(run(0, DENY_FINDINGS), Ok(Outcome::Done(_))));
        // Bans and licences.
        assert!(is_finding(run(6, DENY_FINDINGS)));
        assert!(is_finding(run(1, MACHETE_FINDINGS)));
        let error = run(2, MACHETE_FINDINGS);
        assert!(error.is_err() && !is_finding(error));
    }

    #[cfg(unix)]
    #[test]
    fn a_program_that_takes_too_long_is_killed() {
        let within = |words: [&str; 2], deadline| {
            succeeds_within(Command::new(words[0]).arg(words[1]), deadline).unwrap()
        };
        assert!(!within(["sleep", "600"], Duration::from_millis(30)));
        assert!(within(["sleep", "0"], Duration::from_secs(600)));
        assert!(!within(["false", ""], Duration::from_secs(600)));
    }

    #[test]
    fn the_folders_hold_every_package_of_ours() {
        let root = cargo::root();
        let manifest = std::fs::read_to_string(root.join("Cargo.toml")).unwrap();
        let members = manifest.lines().find_map(|line| line.strip_prefix("members = ")).unwrap();
        for member in members.split('"').skip(1).step_by(2) {
            let folder = member.trim_end_matches("/*");
            assert!(FOLDERS.contains(&folder), "{folder}");
            assert!(root.join(folder).is_dir());
        }
    }
}
