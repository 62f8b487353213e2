//! Work on the repository itself: `cargo xtask help` lists what there is.
//!
//! A program and not a pile of scripts, so that it runs wherever Cargo does. It depends on
//! `anyhow` alone and builds in seconds. Exit codes are those of `lookfar`: 0 done, 1 a check
//! failed or nothing was found, 2 an error that kept the work from being done.

#![allow(clippy::print_stderr, reason = "this program talks to a person at a terminal")]

mod bench;
mod cargo;
mod dependencies;
mod dist;
mod eval;
mod fuzz;
mod harness;
mod soak;
mod steps;
mod tools;

use std::{
    env,
    io::{self, Write as _},
    process::ExitCode,
};

use crate::{
    cargo::Tests,
    steps::{CheckFailed, Steps},
};

const HELP: &str = "\
usage: cargo xtask <command>

  check         format, lints, unit tests and `tidy`: before each commit
  test [name]   all that a change must pass, from a fresh machine on; what is missing is
                installed. With a name: only the tests whose name contains it
  bench [name]  the benches, or those whose name contains it; what follows the name goes to
                them: bench frontier --urls 1000000
  soak [name]   the long forms of tests, which take minutes to a day each, or those whose name
                contains it; docs/develop/testing.md lists them
  dist          what is handed to people, in target/dist: a static program, a tarball, a Debian
                package and their checksums; takes some ten minutes
  fuzz target   looks for inputs that a reader cannot bear, for an hour or `--minutes`;
                fuzz/fuzz_targets has the names: fuzz html --minutes 10
  eval          how good the ranking is on the test collections of LOOKFAR_DATA; with
                `--tune` it looks for better weights; `--only adi,med` takes these sets,
                `--keep folder` keeps what was imported for the next time, `--profile dev`
                builds faster and asks slower, `--queries 30` tunes by fewer

SEED=<number> replays a random test: SEED=7 cargo xtask test name
LOOKFAR_DATA=<folder> runs the tests that need the shared data packs";

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let result = match Command::parse(&arguments) {
        Ok(command) => command.run(),
        Err(what) => Err(what),
    };
    let Err(error) = result else { return ExitCode::SUCCESS };
    eprintln!("error: {error}");
    for cause in error.chain().skip(1) {
        eprintln!("  caused by: {cause}");
    }
    let failed = error.downcast_ref::<CheckFailed>().is_some();
    ExitCode::from(if failed { 1 } else { 2 })
}

/// What the user asks for.
#[derive(Debug, PartialEq)]
enum Command {
    Help,
    Check,
    Test { name: Option<String> },
    Bench { name: Option<String>, options: Vec<String> },
    Soak { name: Option<String> },
    Dist,
    Fuzz { target: String, minutes: u64 },
    Eval(eval::Options),
}

impl Command {
    fn parse(arguments: &[String]) -> anyhow::Result<Self> {
        let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
        match words[..] {
            [] | ["help" | "-h" | "--help"] => Ok(Self::Help),
            ["check"] => Ok(Self::Check),
            ["eval", ref options @ ..] => Ok(Self::Eval(eval::Options::parse(options)?)),
            ["test"] => Ok(Self::Test { name: None }),
            ["bench"] => Ok(Self::Bench { name: None, options: Vec::new() }),
            ["dist"] => Ok(Self::Dist),
            ["soak"] => Ok(Self::Soak { name: None }),
            [_, name, ..] if name.starts_with('-') => {
                anyhow::bail!("no option `{name}`; `cargo xtask help` lists what there is")
            }
            ["test", name] => Ok(Self::Test { name: Some(name.to_owned()) }),
            ["soak", name] => Ok(Self::Soak { name: Some(name.to_owned()) }),
            ["fuzz", target] => {
                Ok(Self::Fuzz { target: target.to_owned(), minutes: fuzz::MINUTES })
            }
            ["fuzz", target, "--minutes", minutes] if minutes.parse::<u32>().is_ok() => {
                let minutes = minutes.parse()?;
                Ok(Self::Fuzz { target: target.to_owned(), minutes })
            }
            ["bench", name, ref options @ ..] => Ok(Self::Bench {
                name: Some(name.to_owned()),
                options: options.iter().copied().map(str::to_owned).collect(),
            }),
            _ => {
                let line = words.join(" ");
                anyhow::bail!(
                    "cannot make sense of `{line}`; `cargo xtask help` lists what there is"
                )
            }
        }
    }

    fn run(self) -> anyhow::Result<()> {
        match self {
            Self::Help => {
                // A reader that went away has read enough.
                let _ = writeln!(io::stdout(), "{HELP}");
                Ok(())
            }
            Self::Check => Steps::run(check),
            Self::Test { name: None } => Steps::run(test_everything),
            Self::Test { name: Some(name) } => Steps::run(|steps| test_named(steps, &name)),
            Self::Bench { name, options } => bench::run(name.as_deref(), &options),
            Self::Dist => dist::run(),
            Self::Soak { name } => soak::run(name.as_deref()),
            Self::Fuzz { target, minutes } => fuzz::run(&target, minutes),
            Self::Eval(options) => eval::run(&options),
        }
    }
}

/// What is worth waiting for before each commit; nothing is installed for it.
fn check(steps: &mut Steps) -> anyhow::Result<()> {
    steps.step("format", cargo::format)?;
    dependencies::check(steps)?;
    steps.step("lints", cargo::clippy)?;
    steps.tests("unit tests", |tally| cargo::test(Tests::Unit, tally))?;
    steps.tests("tidy", |tally| cargo::test(Tests::Tidy, tally))
}

/// Cheap steps first, so that a failure shows early.
fn test_everything(steps: &mut Steps) -> anyhow::Result<()> {
    cargo::announce_environment()?;
    steps.install("components", tools::rust_components)?;
    steps.step("format", cargo::format)?;
    steps.install("system packages", tools::system_packages)?;
    steps.install("python", tools::python)?;
    steps.install("accessibility", tools::accessibility)?;
    dependencies::install(steps)?;
    dependencies::check(steps)?;
    dependencies::advisories(steps)?;
    steps.step("lints", cargo::clippy)?;
    steps.tests("tests", |tally| cargo::test(Tests::All, tally))?;
    steps.tests("doc tests", |tally| cargo::test(Tests::Docs, tally))
}

/// The named tests may well not need what is missing; those that do will say so.
fn test_named(steps: &mut Steps, name: &str) -> anyhow::Result<()> {
    cargo::announce_environment()?;
    steps.try_install("system packages", tools::system_packages);
    steps.try_install("python", tools::python);
    steps.try_install("accessibility", tools::accessibility);
    steps.tests("tests", |tally| cargo::test(Tests::Named(name), tally))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(line: &str, expected: &Command) {
        let arguments: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        assert_eq!(&Command::parse(&arguments).unwrap(), expected);
    }

    #[test]
    fn commands_are_read() {
        check("", &Command::Help);
        check("check", &Command::Check);
        check("test", &Command::Test { name: None });
        check("test robots", &Command::Test { name: Some("robots".to_owned()) });
        let bench = |name: &str, options: &[&str]| Command::Bench {
            name: Some(name.to_owned()),
            options: options.iter().copied().map(str::to_owned).collect(),
        };
        check("bench crawl", &bench("crawl", &[]));
        check("bench frontier --urls 1000", &bench("frontier", &["--urls", "1000"]));
        check("dist", &Command::Dist);
        check("soak", &Command::Soak { name: None });
        check("soak kills", &Command::Soak { name: Some("kills".to_owned()) });
        check("eval", &Command::Eval(eval::Options::default()));
        let fuzz = |minutes| Command::Fuzz { target: "html".to_owned(), minutes };
        check("fuzz html", &fuzz(60));
        check("fuzz html --minutes 5", &fuzz(5));
    }

    #[test]
    fn nonsense_is_refused_with_a_hint() {
        for line in [
            "tset",
            "test a b",
            "check now",
            "test --release",
            "eval all",
            "fuzz",
            "fuzz html --minutes x",
        ] {
            let arguments: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
            let error = Command::parse(&arguments).unwrap_err().to_string();
            assert!(error.contains("`cargo xtask help`"), "{line}: {error}");
        }
    }
}
