//! Runs steps one after the other; tells what was skipped, and how long each step took.
//!
//! Steps that install something for later runs are timed apart, so that the time of the checks is
//! the same on a fresh machine and on any other.

use std::{
    error, fmt,
    fmt::{Display, Formatter},
    io::{self, Write as _},
    time::{Duration, Instant},
};

use anyhow::Context as _;

use crate::harness::Tally;

/// The step did its work and what it checked is not in order; everything else is an error.
#[derive(Debug)]
pub(crate) struct CheckFailed(pub(crate) String);

impl Display for CheckFailed {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl error::Error for CheckFailed {}

/// How a step ended that did not fail.
pub(crate) enum Outcome {
    /// With a note for the table, or an empty one.
    Done(String),
    /// For this reason.
    Skipped(String),
}

/// The steps done so far.
#[derive(Default)]
pub(crate) struct Steps {
    done: Vec<Done>,
    tally: Tally,
}

struct Done {
    name: &'static str,
    kind: Kind,
    took: Duration,
    /// What a step wants to say of itself, or why it failed.
    note: String,
    mark: Mark,
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Check,
    /// Installs what is not there yet.
    Tools,
}

#[derive(Clone, Copy, PartialEq)]
enum Mark {
    Passed,
    Skipped,
    /// It failed and the run went on.
    Warned,
    Failed,
}

impl Steps {
    /// Runs `work` and prints a summary of its steps, however it ends.
    pub(crate) fn run(work: impl FnOnce(&mut Self) -> anyhow::Result<()>) -> anyhow::Result<()> {
        let mut steps = Self::default();
        let result = work(&mut steps);
        steps.report();
        result
    }

    /// Prints skips to stdout, the table to stderr, and the counts as the last line of stdout.
    fn report(&self) {
        // A reader that went away has read enough.
        let mut out = io::stdout();
        let skips = self.tally.skips();
        if !skips.is_empty() {
            let _ = writeln!(out, "\n{skips}");
        }
        if !self.done.is_empty() {
            eprintln!("\n{}", summary(&self.done));
        }
        if !self.tally.is_empty() {
            let _ = writeln!(out, "{}", self.tally);
        }
    }

    /// Runs one step; a note that it returns is shown in the summary.
    pub(crate) fn step(
        &mut self,
        name: &'static str,
        work: impl FnOnce() -> anyhow::Result<String>,
    ) -> anyhow::Result<()> {
        self.perform(name, Kind::Check, Mark::Failed, || Ok(Outcome::Done(work()?)))
    }

    /// Runs one step that may find that it cannot be done here.
    pub(crate) fn step_if_possible(
        &mut self,
        name: &'static str,
        work: impl FnOnce() -> anyhow::Result<Outcome>,
    ) -> anyhow::Result<()> {
        self.perform(name, Kind::Check, Mark::Failed, work)
    }

    /// Runs one step of tests, which adds to what is counted even if it fails.
    pub(crate) fn tests(
        &mut self,
        name: &'static str,
        work: impl FnOnce(&mut Tally) -> anyhow::Result<String>,
    ) -> anyhow::Result<()> {
        let mut tally = Tally::default();
        let result = self.step(name, || work(&mut tally));
        self.tally.add(tally);
        result
    }

    /// Runs one step that installs what later steps need.
    pub(crate) fn install(
        &mut self,
        name: &'static str,
        work: impl FnOnce() -> anyhow::Result<String>,
    ) -> anyhow::Result<()> {
        self.perform(name, Kind::Tools, Mark::Failed, || Ok(Outcome::Done(work()?)))
    }

    /// Installs something without which the rest may still succeed.
    pub(crate) fn try_install(
        &mut self,
        name: &'static str,
        work: impl FnOnce() -> anyhow::Result<String>,
    ) {
        let tried = || Ok(Outcome::Done(work()?));
        if let Err(error) = self.perform(name, Kind::Tools, Mark::Warned, tried) {
            eprintln!("warning: {error:#}");
        }
    }

    fn perform(
        &mut self,
        name: &'static str,
        kind: Kind,
        if_it_fails: Mark,
        work: impl FnOnce() -> anyhow::Result<Outcome>,
    ) -> anyhow::Result<()> {
        eprintln!("\n== {name}");
        let started = Instant::now();
        let result = work();
        let took = started.elapsed();
        let (note, mark) = match &result {
            Ok(Outcome::Done(note)) => (note.clone(), Mark::Passed),
            Ok(Outcome::Skipped(reason)) => {
                eprintln!("warning: {name} skipped: {reason}");
                self.tally.skip(reason, name);
                (reason.clone(), Mark::Skipped)
            }
            Err(error) => (error.to_string(), if_it_fails),
        };
        self.done.push(Done { name, kind, took, note, mark });
        result.map(drop).with_context(|| format!("step `{name}` failed"))
    }
}

fn summary(steps: &[Done]) -> String {
    let mut lines = Vec::new();
    for Done { name, took, note, mark, .. } in steps {
        let mark = match mark {
            Mark::Passed => "ok",
            Mark::Skipped => "skipped",
            Mark::Warned => "warning",
            Mark::Failed => "FAILED",
        };
        let line = format!("{mark:<8}{name:<20}{:>12}   {note}", seconds(*took));
        lines.push(line.trim_end().to_owned());
    }
    let verdict = match steps.iter().any(|step| step.mark == Mark::Failed) {
        true => "FAILED",
        false => "passed",
    };
    let of = |kind| seconds(steps.iter().filter(|step| step.kind == kind).map(|s| s.took).sum());
    let mut last = format!("{verdict} after {} of checks", of(Kind::Check));
    if steps.iter().any(|step| step.kind == Kind::Tools) {
        last.push_str(&format!(" and {} of tools", of(Kind::Tools)));
    }
    lines.push(last);
    lines.join("\n")
}

/// Returns a time as people say it.
pub(crate) fn seconds(time: Duration) -> String {
    let seconds = time.as_secs();
    match seconds {
        0..60 => format!("{:.1} s", time.as_secs_f64()),
        _ => format!("{} min {:02} s", seconds / 60, seconds % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_failing_step_ends_the_run_and_keeps_its_kind() {
        let mut after = false;
        let result = Steps::run(|steps| {
            steps.step("one", || Ok(String::new()))?;
            steps.step("two", || Err(CheckFailed("not tidy".to_owned()).into()))?;
            after = true;
            Ok(())
        });
        let error = result.unwrap_err();
        assert!(!after);
        assert!(error.downcast_ref::<CheckFailed>().is_some());
        assert_eq!(format!("{error:#}"), "step `two` failed: not tidy");
    }

    #[test]
    fn run_goes_on_after_an_installation_that_was_only_tried() {
        let result = Steps::run(|steps| {
            steps.try_install("one", || anyhow::bail!("no network"));
            steps.step("two", || Ok(String::new()))
        });
        assert!(result.is_ok());
    }

    #[test]
    fn a_step_that_cannot_be_done_here_counts_as_skipped() {
        let mut steps = Steps::default();
        let skip = || Ok(Outcome::Skipped("no network".to_owned()));
        steps.step_if_possible("advisories", skip).unwrap();
        assert_eq!(steps.tally.to_string(), "0 passed, 0 failed, 1 skipped");
        assert!(summary(&steps.done).starts_with("skipped advisories "));
    }

    #[test]
    fn what_failing_tests_have_counted_is_kept() {
        let mut steps = Steps::default();
        let result = steps.tests("tests", |tally| {
            (tally.passed, tally.failed) = (7, 1);
            Err(CheckFailed(tally.verdict()).into())
        });
        assert!(result.is_err());
        assert_eq!(steps.tally.to_string(), "7 passed, 1 failed, 0 skipped");
    }

    #[test]
    fn summary_names_steps_times_and_verdict() {
        let done = |kind, mark, note: &str| Done {
            name: "lints",
            kind,
            took: Duration::from_millis(1_250),
            note: note.to_owned(),
            mark,
        };
        assert_eq!(
            summary(&[done(Kind::Check, Mark::Passed, "")]),
            "ok      lints                      1.2 s\npassed after 1.2 s of checks"
        );
        let failed = summary(&[
            done(Kind::Tools, Mark::Warned, ""),
            done(Kind::Check, Mark::Passed, ""),
            done(Kind::Check, Mark::Failed, "too bad"),
        ]);
        assert!(failed.contains("\nFAILED  lints                      1.2 s   too bad\n"));
        assert!(failed.ends_with("\nFAILED after 2.5 s of checks and 1.2 s of tools"), "{failed}");
        assert_eq!(seconds(Duration::from_secs(61)), "1 min 01 s");
    }
}
