//! One line that says how far a long command is: done, total, rate, time left (U5).

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

use indicatif::{HumanBytes, HumanCount, HumanDuration, ProgressBar, ProgressStyle};

/// Shows progress on stderr: one line that changes on a terminal, a line now and then elsewhere.
pub(crate) struct Progress {
    bar: Option<ProgressBar>,
    what: &'static str,
    of: Of,
    /// `None` where nobody knows before the end.
    total: Option<u64>,
    begun: Instant,
    printed: Instant,
}

/// What is counted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Of {
    Bytes,
    Items,
}

/// How often a line is printed where it cannot be rewritten.
const PRINT_EVERY: Duration = Duration::from_secs(10);

impl Progress {
    /// Begins; `what` is done with each of `total`.
    pub(crate) fn new(what: &'static str, of: Of, total: u64) -> Self {
        Self::begin(what, of, Some(total))
    }

    /// Begins; how many there are is not known.
    pub(crate) fn counting(what: &'static str, of: Of) -> Self {
        Self::begin(what, of, None)
    }

    fn begin(what: &'static str, of: Of, total: Option<u64>) -> Self {
        let template = match (of, total) {
            (Of::Bytes, Some(_)) => {
                "{msg} {bytes} of {total_bytes} ({percent} %) · {bytes_per_sec} · {eta} left"
            }
            (Of::Items, Some(_)) => {
                "{msg} {human_pos} of {human_len} ({percent} %) · {per_sec} · {eta} left"
            }
            (Of::Bytes, None) => "{spinner} {msg} {bytes} · {bytes_per_sec}",
            (Of::Items, None) => "{spinner} {msg} {human_pos} · {per_sec}",
        };
        let bar = std::io::stderr().is_terminal().then(|| {
            let bar = total.map_or_else(ProgressBar::new_spinner, ProgressBar::new);
            let bar = bar.with_message(what);
            match ProgressStyle::with_template(template) {
                Ok(style) => bar.with_style(style),
                Err(_) => bar,
            }
        });
        let now = Instant::now();
        Self { bar, what, of, total, begun: now, printed: now }
    }

    /// Shows how much is done.
    pub(crate) fn show(&mut self, done: u64) {
        if let Some(bar) = &self.bar {
            bar.set_position(done.min(self.total.unwrap_or(u64::MAX)));
        } else if self.printed.elapsed() >= PRINT_EVERY {
            self.printed = Instant::now();
            let line = self.line(done, self.begun.elapsed());
            self.say(&line);
        }
    }

    /// Prints a line that stays.
    pub(crate) fn say(&self, text: &str) {
        match &self.bar {
            Some(bar) => bar.println(text),
            // A closed stderr is no reason to stop.
            None => drop(writeln!(std::io::stderr(), "{text}")),
        }
    }

    /// Does something that writes to the terminal, the line out of its way.
    pub(crate) fn aside<T>(&self, work: impl FnOnce() -> T) -> T {
        match &self.bar {
            Some(bar) => bar.suspend(work),
            None => work(),
        }
    }

    /// Takes the line away.
    pub(crate) fn finish(self) {
        if let Some(bar) = self.bar {
            bar.finish_and_clear();
        }
    }

    fn line(&self, done: u64, elapsed: Duration) -> String {
        let rate = done as f64 / elapsed.as_secs_f64().max(0.001);
        let (what, done_shown, rate_shown) =
            (self.what, self.amount(done), self.amount(rate as u64));
        let Some(total) = self.total else {
            return format!("{what} {done_shown} · {rate_shown}/s");
        };
        let total_shown = self.amount(total);
        if done == 0 {
            return format!("{what} {done_shown} of {total_shown}");
        }
        let left = total.saturating_sub(done) as f64 / rate;
        let left = HumanDuration(Duration::try_from_secs_f64(left).unwrap_or_default());
        format!("{what} {done_shown} of {total_shown} · {rate_shown}/s · {left} left")
    }

    fn amount(&self, number: u64) -> String {
        match self.of {
            Of::Bytes => HumanBytes(number).to_string(),
            Of::Items => HumanCount(number).to_string(),
        }
    }
}

/// Shows work in several steps, each on a line of its own.
pub(crate) struct Steps<S>(Option<(S, Progress)>);

impl<S> Default for Steps<S> {
    fn default() -> Self {
        Self(None)
    }
}

impl<S: PartialEq> Steps<S> {
    /// Shows how much of a step is done; the first time `begin` makes its line.
    pub(crate) fn show(&mut self, step: S, done: u64, begin: impl FnOnce() -> Progress) {
        let is_new = self.0.as_ref().is_none_or(|(last, _)| *last != step);
        if is_new && let Some((_, before)) = self.0.replace((step, begin())) {
            before.finish();
        }
        if let Some((_, progress)) = &mut self.0 {
            progress.show(done);
        }
    }

    /// Takes the line away.
    pub(crate) fn finish(self) {
        if let Some((_, progress)) = self.0 {
            progress.finish();
        }
    }
}

/// Does work that says itself how much of it is done, and how much there is; a line shows it.
pub(crate) fn showing<T>(
    what: &'static str,
    of: Of,
    work: impl FnOnce(&mut dyn FnMut(u64, u64)) -> T,
) -> T {
    let mut progress = None;
    let done = work(&mut |done, total| {
        let progress = progress.get_or_insert_with(|| Progress::new(what, of, total));
        progress.show(done);
    });
    if let Some(progress) = progress {
        progress.finish();
    }
    done
}

/// Does one thing that cannot say how far it is; a line on stderr says what is being done, and for
/// how long. Elsewhere than on a terminal it is said once, if it takes a while.
pub(crate) fn during<T>(what: &'static str, work: impl FnOnce() -> T) -> T {
    if !std::io::stderr().is_terminal() {
        let begun = Instant::now();
        let done = work();
        if begun.elapsed() >= PRINT_EVERY {
            let took = HumanDuration(begun.elapsed());
            drop(writeln!(std::io::stderr(), "{what} · {took}"));
        }
        return done;
    }
    let bar = ProgressBar::new_spinner().with_message(what);
    let bar = match ProgressStyle::with_template("{spinner} {msg} · {elapsed}") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    };
    bar.enable_steady_tick(Duration::from_millis(100));
    let done = work();
    bar.finish_and_clear();
    done
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_says_done_total_rate_and_time_left() {
        let progress = Progress::new("imported", Of::Items, 4_000);
        assert_eq!(
            progress.line(1_000, Duration::from_secs(10)),
            "imported 1,000 of 4,000 · 100/s · 30 seconds left"
        );
        assert_eq!(progress.line(0, Duration::ZERO), "imported 0 of 4,000");
        // More than was there when it began.
        assert!(progress.line(5_000, Duration::from_secs(10)).ends_with("0 seconds left"));
    }

    #[test]
    fn each_step_has_a_line_of_its_own() {
        let (mut steps, mut begun) = (Steps::default(), Vec::new());
        for (step, done) in [("log", 1), ("log", 2), ("archive", 1), ("archive", 2)] {
            steps.show(step, done, || {
                begun.push(step);
                Progress::new(step, Of::Bytes, 2)
            });
        }
        steps.finish();
        assert_eq!(begun, ["log", "archive"]);
    }

    #[test]
    fn what_has_no_known_end_says_what_is_done_and_how_fast() {
        let progress = Progress::counting("read", Of::Bytes);
        assert_eq!(progress.line(4 << 20, Duration::from_secs(2)), "read 4.00 MiB · 2.00 MiB/s");
    }
}
