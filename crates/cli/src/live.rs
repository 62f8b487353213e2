//! The line on the terminal that says how things go.

use std::collections::VecDeque;
use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

use indicatif::{HumanCount, HumanDuration, ProgressBar, ProgressStyle};
use serde_json::{Value, json};

use crate::numbers::Numbers;

/// Shows numbers on stderr: one line that changes on a terminal, a line now and then elsewhere.
pub(crate) struct Live {
    bar: Option<ProgressBar>,
    /// Whether stdout gets the numbers as JSON, beside what people see.
    json: bool,
    printed: Instant,
}

/// Seconds from which a rest of all hosts is worth a word.
const LONG_REST: u64 = 3;
/// Pages per second below which nothing is said of the time left: it would be nonsense.
const SLOW: f64 = 0.05;
/// How often a line is printed where it cannot be rewritten.
const PRINT_EVERY: Duration = Duration::from_secs(10);

impl Live {
    /// Begins; with `json`, programs read the numbers on stdout.
    pub(crate) fn new(json: bool) -> Self {
        let bar = std::io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::new_spinner();
            if let Ok(style) = ProgressStyle::with_template("{spinner} {wide_msg}") {
                bar.set_style(style);
            }
            bar
        });
        Self { bar, json, printed: Instant::now() }
    }

    /// Shows the numbers as they are now.
    pub(crate) fn show(&mut self, numbers: &Numbers) {
        if let Some(bar) = &self.bar {
            bar.set_message(line(numbers));
            bar.tick();
        }
        if self.printed.elapsed() < PRINT_EVERY {
            return;
        }
        self.printed = Instant::now();
        match self.json {
            true => print(&json!(numbers)),
            false if self.bar.is_none() => self.say(&line(numbers)),
            false => {}
        }
    }

    /// Says where the search page is.
    pub(crate) fn say_page(&self, url: &str) {
        if self.json {
            print(&json!({ "search_page": url, "control_room": format!("{url}admin") }));
        }
        // The search page comes last: who waits for it reads on until its line, and what follows is
        // the log.
        self.say(&format!("control room: {url}admin"));
        self.say(&format!("search page: {url}"));
    }

    /// Prints a line that stays.
    pub(crate) fn say(&self, text: &str) {
        match &self.bar {
            Some(bar) => bar.println(text),
            // A closed stderr is no reason to stop crawling.
            None => drop(writeln!(std::io::stderr(), "{text}")),
        }
    }

    /// Ends with the last numbers.
    pub(crate) fn finish(self, numbers: &Numbers) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
        if self.json {
            print(&json!(numbers));
        }
        drop(writeln!(std::io::stderr(), "{}", line(numbers)));
    }
}

/// Prints an object for programs; one that has read enough is no reason to stop crawling.
fn print(object: &Value) {
    drop(writeln!(std::io::stdout(), "{object}"));
}

fn line(numbers: &Numbers) -> String {
    let paused = match (&numbers.waits_for, numbers.all_rest_seconds) {
        _ if numbers.is_paused => "paused · ".to_owned(),
        (Some(_), _) => "waiting, see `lookfar status` · ".to_owned(),
        (None, Some(left)) if left > LONG_REST => format!("all hosts rest, {left} s left · "),
        (None, _) => String::new(),
    };
    format!(
        "{paused}{} pages · {:.1} pages/s · {} queued{} · {} hosts · {} indexed · generation {}",
        HumanCount(numbers.pages_fetched),
        numbers.pages_per_second,
        HumanCount(numbers.urls_waiting),
        time_left(numbers),
        HumanCount(numbers.hosts),
        HumanCount(numbers.documents_indexed),
        numbers.generation,
    )
}

/// Says how long what waits takes at this pace; links of the pages to come are not known yet.
fn time_left(numbers: &Numbers) -> String {
    let rate = numbers.pages_per_second;
    if numbers.urls_waiting == 0 || rate < SLOW {
        return String::new();
    }
    let left = Duration::try_from_secs_f64(numbers.urls_waiting as f64 / rate).unwrap_or_default();
    format!(" ({} left for them)", HumanDuration(left))
}

/// Pages per second over the last seconds.
#[derive(Default)]
pub(crate) struct Rate {
    seen: VecDeque<(Instant, u64)>,
}

impl Rate {
    const WINDOW: Duration = Duration::from_secs(5);

    /// Notes a count; returns the rate.
    pub(crate) fn per_second(&mut self, now: Instant, count: u64) -> f64 {
        self.seen.push_back((now, count));
        while self.seen.len() > 2 && now - self.seen[1].0 > Self::WINDOW {
            self.seen.pop_front();
        }
        let Some((then, before)) = self.seen.front() else { return 0.0 };
        let seconds = (now - *then).as_secs_f64();
        if seconds > 0.0 { count.saturating_sub(*before) as f64 / seconds } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_says_how_long_what_waits_takes() {
        let mut numbers = Numbers { urls_waiting: 90, pages_per_second: 1.5, ..Numbers::default() };
        assert!(
            line(&numbers).contains("90 queued (60 seconds left for them) ·"),
            "{}",
            line(&numbers)
        );
        numbers.pages_per_second = 0.0;
        assert!(line(&numbers).contains("90 queued ·"), "{}", line(&numbers));
    }

    #[test]
    fn a_long_rest_of_all_hosts_is_told() {
        let numbers = |left| Numbers { all_rest_seconds: left, ..Numbers::default() };
        assert!(line(&numbers(Some(97))).starts_with("all hosts rest, 97 s left · 0 pages"));
        assert!(line(&numbers(Some(1))).starts_with("0 pages"));
        assert!(line(&numbers(None)).starts_with("0 pages"));
    }

    #[test]
    fn the_rate_is_that_of_the_last_seconds() {
        let mut rate = Rate::default();
        let start = Instant::now();
        assert_eq!(rate.per_second(start, 0), 0.0);
        let second = |n| start + Duration::from_secs(n);
        assert_eq!(rate.per_second(second(2), 20), 10.0);
        for n in 3..20 {
            rate.per_second(second(n), 20);
        }
        assert_eq!(rate.per_second(second(20), 20), 0.0);
    }
}
