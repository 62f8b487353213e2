//! Calls Cargo: format, lints, tests.

use std::{
    env,
    io::{self, BufRead as _, BufReader, IsTerminal as _, Write},
    num::NonZero,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    thread,
};

use anyhow::Context as _;

use crate::{
    harness::{Line, Reader, Tally},
    steps::CheckFailed,
    tools,
};

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
    run(&["fmt", "--all", "--check"], "not formatted; run `cargo fmt --all`")?;
    // A workspace of its own, with libraries that are not worth building in every check.
    let benches = ["fmt", "--all", "--check", "--manifest-path", "benches/Cargo.toml"];
    run(&benches, "not formatted; run `cargo fmt --all --manifest-path benches/Cargo.toml`")
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

    /// Whether a line for each test that passes helps more than it hides.
    fn are_few(self) -> bool {
        matches!(self, Self::Named(_))
    }
}

/// Runs tests, adds to `tally` what they report, and returns a note about it.
///
/// All test binaries run even if one fails, so that one run names every failing test.
pub(crate) fn test(tests: Tests<'_>, tally: &mut Tally) -> anyhow::Result<String> {
    for arguments in tests.calls() {
        let mut command = command(&["test", "--no-fail-fast"]);
        command.args(arguments).envs(tools::environment());
        if env::var_os("RUST_TEST_THREADS").is_none() {
            command.env("RUST_TEST_THREADS", threads().to_string());
        }
        command.args(["--", "--show-output"]);
        // The harness sees a pipe and would leave its colours out.
        if io::stdout().is_terminal() && env::var_os("NO_COLOR").is_none() {
            command.arg("--color=always");
        }
        if !run_counted(command, tally, tests.are_few(), &mut io::stdout().lock())? {
            return Err(CheckFailed(tally.verdict()).into());
        }
    }
    if let Tests::Named(name) = tests
        && tally.is_empty()
    {
        return Err(CheckFailed(format!("no test has `{name}` in its name")).into());
    }
    Ok(tally.note())
}

/// Returns how many tests of one program run at once: half of them wait, for a delay between two
/// requests, a server or a browser.
fn threads() -> usize {
    2 * thread::available_parallelism().map_or(1, NonZero::get)
}

/// Runs `command`, adds up the tests it reports, and passes on to `out` what is worth reading.
///
/// Returns whether it succeeded.
pub(crate) fn run_counted(
    mut command: Command,
    tally: &mut Tally,
    are_few: bool,
    out: &mut impl Write,
) -> anyhow::Result<bool> {
    let mut child = command.stdout(Stdio::piped()).spawn().context("cannot start cargo")?;
    let output = child.stdout.take().expect("it was asked for in the line above");
    let (mut is_open, mut reader) = (true, Reader::default());
    for line in BufReader::new(output).split(b'\n') {
        let line = line.context("cannot read cargo's output")?;
        let is_shown = match reader.read(&String::from_utf8_lossy(&line)) {
            Line::Shown => true,
            Line::Routine => are_few,
            Line::Hidden => false,
        };
        // A reader that went away (`| head`) does not end the run.
        is_open = is_open && (!is_shown || out.write_all(&[&line, &b"\n"[..]].concat()).is_ok());
    }
    tally.add(reader.finish());
    let status = child.wait().context("cannot wait for cargo")?;
    Ok(status.success())
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let lines = "running 1 test\ntest a ... ok\n\ntest result: ok. 1 passed; 0 failed";
        shell.args(["-c", &format!("printf '{lines}\n'; exit 1")]);
        let (mut tally, mut out) = (Tally::default(), Vec::new());
        let succeeded = run_counted(shell, &mut tally, false, &mut out).unwrap();
        assert_eq!((tally.passed, succeeded), (1, false));
        assert!(tally.verdict().starts_with("the tests did not build"));
        assert_eq!(out, b"test result: ok. 1 passed; 0 failed\n");
        let none = Command::new("/no/such/program");
        assert!(run_counted(none, &mut tally, false, &mut out).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn a_test_that_passes_is_named_where_few_were_asked_for() {
        let shown = |are_few| {
            let mut echo = Command::new("echo");
            echo.arg("test a ... ok");
            let mut out = Vec::new();
            run_counted(echo, &mut Tally::default(), are_few, &mut out).unwrap();
            String::from_utf8(out).unwrap()
        };
        assert_eq!(shown(true), "test a ... ok\n");
        assert_eq!(shown(false), "");
    }
}
