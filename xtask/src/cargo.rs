//! Calls Cargo: format, lints, tests.

use std::{
    env,
    io::{self, BufRead as _, BufReader, IsTerminal as _, Write},
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use anyhow::Context as _;

use crate::{steps::CheckFailed, tools};

/// Which tests to run.
#[derive(Clone, Copy)]
pub(crate) enum Tests<'a> {
    /// Those that sit beside the code.
    Unit,
    /// The house rules.
    Tidy,
    /// Everything but doc tests.
    All,
    Docs,
    /// Those of any kind whose name contains the text.
    Named(&'a str),
}

/// Returns the root of the repository.
pub(crate) fn root() -> PathBuf {
    // Cargo's word at run time comes first: two checkouts may share one target folder.
    let here =
        env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
    Path::new(&here).parent().expect("xtask is a folder of the repository").to_owned()
}

/// Returns the folder of build products, where tools and data of ours go too.
pub(crate) fn target() -> PathBuf {
    env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), |dir| root().join(dir))
}

/// Says which of the user's settings the tests will see; fails if one cannot be meant.
pub(crate) fn announce_environment() -> anyhow::Result<()> {
    if let Ok(seed) = env::var("SEED") {
        eprintln!("SEED={seed}");
    }
    match tools::data() {
        Some(folder) if folder.is_dir() => eprintln!("LOOKFAR_DATA={}", folder.display()),
        Some(folder) => anyhow::bail!(
            "LOOKFAR_DATA names `{}`, which is no folder; unset it or unpack the data there",
            folder.display()
        ),
        None => eprintln!("LOOKFAR_DATA is not set: tests on the shared data packs are skipped"),
    }
    Ok(())
}

/// Checks that `rustfmt` would change nothing.
pub(crate) fn format() -> anyhow::Result<String> {
    run(&["fmt", "--all", "--check"], "not formatted; run `cargo fmt --all`")
}

/// Checks all targets with every warning denied.
///
/// This builds the dependencies once more than the tests do, as metadata only. Building the
/// tests through `clippy-driver` instead would share them, but then the tests would run on code
/// that differs from the user's.
pub(crate) fn clippy() -> anyhow::Result<String> {
    let arguments = ["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"];
    run(&arguments, "there are warnings; each says how to mend it")
}

fn run(arguments: &[&str], if_it_fails: &str) -> anyhow::Result<String> {
    let status = command(arguments).status().context("cannot start cargo")?;
    if !status.success() {
        return Err(CheckFailed(if_it_fails.to_owned()).into());
    }
    Ok(String::new())
}

/// Returns a call of Cargo at the root.
pub(crate) fn command(arguments: &[&str]) -> Command {
    // Cargo says which Cargo it is, so that a chosen toolchain stays chosen.
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(arguments).current_dir(root()).stdin(Stdio::null());
    command
}

impl<'a> Tests<'a> {
    /// Returns the arguments of one call of `cargo test` after the other.
    fn calls(self) -> Vec<Vec<&'a str>> {
        let code = ["--workspace", "--lib", "--bins", "--tests", "--examples"];
        let docs = ["--workspace", "--doc"];
        match self {
            Self::Unit => vec![vec!["--workspace", "--lib", "--bins"]],
            Self::Tidy => vec![vec!["--package", "cli", "--test", "it", "tidy"]],
            Self::All => vec![code.to_vec()],
            Self::Docs => vec![docs.to_vec()],
            // Cargo leaves doc tests out when it is given a name, unless it is asked for them.
            Self::Named(name) => vec![[&code[..], &[name]].concat(), [&docs[..], &[name]].concat()],
        }
    }
}

/// Runs tests and returns how many passed.
///
/// All test binaries run even if one fails, so that one run names every failing test.
pub(crate) fn test(tests: Tests<'_>) -> anyhow::Result<String> {
    let mut tally = Tally::default();
    for arguments in tests.calls() {
        let mut command = command(&["test", "--no-fail-fast"]);
        command.args(arguments).envs(tools::environment());
        // The harness sees a pipe and would leave its colours out.
        if io::stdout().is_terminal() && env::var_os("NO_COLOR").is_none() {
            command.args(["--", "--color=always"]);
        }
        if !run_counted(command, &mut tally, &mut io::stdout().lock())? {
            return Err(CheckFailed(tally.verdict()).into());
        }
    }
    if let Tests::Named(name) = tests
        && tally.passed + tally.ignored == 0
    {
        return Err(CheckFailed(format!("no test has `{name}` in its name")).into());
    }
    Ok(tally.to_string())
}

/// Runs `command`, passes its output on to `out`, and adds up the tests it reports.
///
/// Returns whether it succeeded.
fn run_counted(
    mut command: Command,
    tally: &mut Tally,
    out: &mut impl Write,
) -> anyhow::Result<bool> {
    let mut child = command.stdout(Stdio::piped()).spawn().context("cannot start cargo")?;
    let output = child.stdout.take().expect("it was asked for in the line above");
    let mut is_open = true;
    for line in BufReader::new(output).split(b'\n') {
        let line = line.context("cannot read cargo's output")?;
        tally.add(&String::from_utf8_lossy(&line));
        // A reader that went away (`| head`) does not end the run.
        is_open = is_open && out.write_all(&[&line, &b"\n"[..]].concat()).is_ok();
    }
    let status = child.wait().context("cannot wait for cargo")?;
    Ok(status.success())
}

/// What the test harness counted, over all test binaries.
#[derive(Debug, Default, PartialEq)]
struct Tally {
    passed: u64,
    failed: u64,
    ignored: u64,
}

impl Tally {
    /// Says what went wrong in a run that did not succeed.
    fn verdict(&self) -> String {
        match self.failed {
            // A test binary that did not build or that was killed has no failures to count.
            0 => "the tests did not build or did not finish; see above".to_owned(),
            failed => format!(
                "{failed} failed, {} passed; `failures:` above has their names and output",
                self.passed
            ),
        }
    }

    /// Adds a line such as `test result: ok. 3 passed; 0 failed; 1 ignored; …`.
    fn add(&mut self, line: &str) {
        let Some((_, counts)) =
            line.strip_prefix("test result: ").and_then(|rest| rest.split_once(". "))
        else {
            return;
        };
        for count in counts.split("; ") {
            let Some((number, kind)) = count.split_once(' ') else { continue };
            let Ok(number) = number.parse::<u64>() else { continue };
            match kind {
                "passed" => self.passed += number,
                "failed" => self.failed += number,
                "ignored" => self.ignored += number,
                _ => {}
            }
        }
    }
}

impl std::fmt::Display for Tally {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} passed", self.passed)?;
        if self.ignored > 0 {
            write!(f, ", {} ignored", self.ignored)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_of_all_binaries_are_added_up() {
        let mut tally = Tally::default();
        for line in [
            "running 4 tests",
            "test a::b ... ok",
            "test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 9 filtered out; finished in 0.00s",
            "test result: \u{1b}[31mFAILED\u{1b}[m. 2 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 1.20s",
            "a test says: 7 passed; 7 failed",
        ] {
            tally.add(line);
        }
        assert_eq!(tally, Tally { passed: 5, failed: 1, ignored: 1 });
        assert_eq!(tally.to_string(), "5 passed, 1 ignored");
        assert!(tally.verdict().starts_with("1 failed, 5 passed; "));
    }

    #[test]
    fn name_reaches_code_and_doc_tests() {
        let calls = Tests::Named("robots").calls();
        assert!(calls.iter().all(|call| call.last() == Some(&"robots")));
        assert!(calls.iter().any(|call| call.contains(&"--doc")));
        assert!(calls.iter().any(|call| call.contains(&"--tests")));
    }

    #[cfg(unix)]
    #[test]
    fn failing_command_is_told_from_one_that_cannot_start() {
        let mut shell = Command::new("sh");
        shell.args(["-c", "echo 'test result: ok. 1 passed; 0 failed'; exit 1"]);
        let (mut tally, mut out) = (Tally::default(), Vec::new());
        let succeeded = run_counted(shell, &mut tally, &mut out).unwrap();
        assert_eq!((tally.passed, succeeded), (1, false));
        assert!(tally.verdict().starts_with("the tests did not build"));
        assert_eq!(out, b"test result: ok. 1 passed; 0 failed\n");
        assert!(run_counted(Command::new("/no/such/program"), &mut tally, &mut out).is_err());
    }
}
