//! Runs steps one after the other and tells how long each took.

use std::{
    error, fmt,
    fmt::{Display, Formatter},
    time::{Duration, Instant},
};

use anyhow::Context as _;

/// The step did its work and what it checked is not in order; everything else is an error.
#[derive(Debug)]
pub(crate) struct CheckFailed(pub(crate) String);

impl Display for CheckFailed {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl error::Error for CheckFailed {}

/// The steps done so far.
pub(crate) struct Steps {
    started: Instant,
    done: Vec<Done>,
}

struct Done {
    name: &'static str,
    took: Duration,
    /// What a step wants to say of itself, or why it failed.
    note: String,
    mark: Mark,
}

#[derive(Clone, Copy)]
enum Mark {
    Passed,
    /// It failed and the run went on.
    Warned,
    Failed,
}

impl Steps {
    /// Runs `work` and prints a summary of its steps, however it ends.
    pub(crate) fn run(work: impl FnOnce(&mut Self) -> anyhow::Result<()>) -> anyhow::Result<()> {
        let mut steps = Self { started: Instant::now(), done: Vec::new() };
        let result = work(&mut steps);
        if !steps.done.is_empty() {
            eprintln!("\n{}", summary(&steps.done, steps.started.elapsed()));
        }
        result
    }

    /// Runs one step; a note that it returns is shown in the summary.
    pub(crate) fn step(
        &mut self,
        name: &'static str,
        work: impl FnOnce() -> anyhow::Result<String>,
    ) -> anyhow::Result<()> {
        self.perform(name, Mark::Failed, work).with_context(|| format!("step `{name}` failed"))
    }

    /// Runs one step without which the rest may still succeed.
    pub(crate) fn try_step(
        &mut self,
        name: &'static str,
        work: impl FnOnce() -> anyhow::Result<String>,
    ) {
        if let Err(error) = self.perform(name, Mark::Warned, work) {
            eprintln!("warning: {error:#}");
        }
    }

    fn perform(
        &mut self,
        name: &'static str,
        if_it_fails: Mark,
        work: impl FnOnce() -> anyhow::Result<String>,
    ) -> anyhow::Result<()> {
        eprintln!("\n== {name}");
        let started = Instant::now();
        let result = work();
        let (note, mark) = match &result {
            Ok(note) => (note.clone(), Mark::Passed),
            Err(error) => (error.to_string(), if_it_fails),
        };
        self.done.push(Done { name, took: started.elapsed(), note, mark });
        result.map(drop)
    }
}

fn summary(steps: &[Done], total: Duration) -> String {
    let mut lines = Vec::new();
    for Done { name, took, note, mark } in steps {
        let mark = match mark {
            Mark::Passed => "ok",
            Mark::Warned => "warning",
            Mark::Failed => "FAILED",
        };
        let line = format!("{mark:<8}{name:<16}{:>9}   {note}", seconds(*took));
        lines.push(line.trim_end().to_owned());
    }
    let failed = steps.iter().any(|step| matches!(step.mark, Mark::Failed));
    let verdict = if failed { "FAILED" } else { "passed" };
    lines.push(format!("{verdict} after {}", seconds(total)));
    lines.join("\n")
}

fn seconds(time: Duration) -> String {
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
    fn run_goes_on_after_a_step_that_was_only_tried() {
        let result = Steps::run(|steps| {
            steps.try_step("one", || anyhow::bail!("no network"));
            steps.step("two", || Ok(String::new()))
        });
        assert!(result.is_ok());
    }

    #[test]
    fn summary_names_steps_times_and_verdict() {
        let done = |mark, note: &str| Done {
            name: "lints",
            took: Duration::from_millis(1_250),
            note: note.to_owned(),
            mark,
        };
        assert_eq!(
            summary(&[done(Mark::Passed, "")], Duration::from_secs(61)),
            "ok      lints               1.2 s\npassed after 1 min 01 s"
        );
        let failed = summary(&[done(Mark::Failed, "too bad")], Duration::from_secs(2));
        assert_eq!(failed, "FAILED  lints               1.2 s   too bad\nFAILED after 2.0 s");
    }
}
