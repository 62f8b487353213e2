//! One line that says how far a long command is: done, total, rate, time left.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

use indicatif::{HumanBytes, HumanCount, HumanDuration, ProgressBar, ProgressStyle};

/// Shows progress on stderr: one line that changes on a terminal, a line now and then elsewhere.
pub(crate) struct Progress {
    bar: Option<ProgressBar>,
    what: &'static str,
    of: Of,
    total: u64,
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
        let template = match of {
            Of::Bytes => {
                "{msg} {bytes} of {total_bytes} ({percent} %) · {bytes_per_sec} · {eta} left"
            }
            Of::Items => "{msg} {human_pos} of {human_len} ({percent} %) · {per_sec} · {eta} left",
        };
        let bar = std::io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::new(total).with_message(what);
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
            bar.set_position(done.min(self.total));
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

    /// Takes the line away.
    pub(crate) fn finish(self) {
        if let Some(bar) = self.bar {
            bar.finish_and_clear();
        }
    }

    fn line(&self, done: u64, elapsed: Duration) -> String {
        let seconds = elapsed.as_secs_f64().max(0.001);
        let rate = done as f64 / seconds;
        let left = if rate > 0.0 { self.total.saturating_sub(done) as f64 / rate } else { 0.0 };
        let left = HumanDuration(Duration::try_from_secs_f64(left).unwrap_or_default());
        let what = self.what;
        match self.of {
            Of::Bytes => format!(
                "{what} {} of {} · {}/s · {left} left",
                HumanBytes(done),
                HumanBytes(self.total),
                HumanBytes(rate as u64)
            ),
            Of::Items => format!(
                "{what} {} of {} · {}/s · {left} left",
                HumanCount(done),
                HumanCount(self.total),
                HumanCount(rate as u64)
            ),
        }
    }
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
        assert!(progress.line(0, Duration::ZERO).contains("0 of 4,000"));
    }
}
