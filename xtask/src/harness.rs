//! Reads what the test harness prints: what passed, what failed, and what was skipped and why.
//!
//! A test that needs something which is not there prints a line `skipped: <reason>` and passes.
//! The harness is asked to show what passing tests print (`--show-output`); the lines are read
//! here, and only what helps to find a mistake goes on to the terminal.
//!
//! ```text
//! running 2 tests
//! test a::b ... ok
//! test a::c ... ignored, takes minutes
//!
//! successes:
//!
//! ---- a::b stdout ----
//! skipped: LOOKFAR_DATA is not set
//!
//! successes:
//!     a::b
//!
//! test result: ok. 1 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s
//! ```

use std::{
    collections::BTreeMap,
    fmt::{self, Display, Formatter, Write as _},
};

/// Why a test is ignored that nobody runs by hand, and so is no long form of another.
pub(crate) const NO_LONG_FORMS: [&str; 2] =
    ["for child processes", "makes the stored file of a new version"];

/// Skipped tests are named where no more of them share a reason.
const MOST_NAMES: usize = 2;

/// What was counted over all test programs.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Tally {
    /// Those that were skipped are not among them.
    pub(crate) passed: u64,
    pub(crate) failed: u64,
    pub(crate) ignored: u64,
    /// Of the ignored ones those that `cargo xtask soak` runs.
    pub(crate) long_forms: u64,
    /// Programs that ended without telling a result.
    pub(crate) unfinished: u64,
    /// The names of what was skipped, by reason.
    skipped: BTreeMap<String, Vec<String>>,
}

impl Tally {
    pub(crate) fn skip(&mut self, reason: &str, name: &str) {
        self.skipped.entry(reason.to_owned()).or_default().push(name.to_owned());
    }

    /// Returns whether anything was counted at all.
    pub(crate) fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    pub(crate) fn num_skipped(&self) -> usize {
        self.skipped.values().map(Vec::len).sum()
    }

    pub(crate) fn add(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.ignored += other.ignored;
        self.long_forms += other.long_forms;
        self.unfinished += other.unfinished;
        for (reason, names) in other.skipped {
            self.skipped.entry(reason).or_default().extend(names);
        }
    }

    /// Says what went wrong in a run that did not succeed.
    pub(crate) fn verdict(&self) -> String {
        match (self.failed, self.unfinished) {
            (0, 0) => "the tests did not build; see above".to_owned(),
            (0, _) => format!("{} test programs did not finish; see above", self.unfinished),
            (failed, _) => format!(
                "{failed} failed, {} passed; `failures:` above has their names and output",
                self.passed
            ),
        }
    }

    /// Returns the note in the table of steps.
    pub(crate) fn note(&self) -> String {
        let mut note = format!("{} passed", self.passed);
        for (number, kind) in [(self.num_skipped() as u64, "skipped"), (self.ignored, "ignored")] {
            if number > 0 {
                // Writing to a string cannot fail.
                let _ = write!(note, ", {number} {kind}");
            }
        }
        note
    }

    /// Lists each reason for a skip, the most frequent first, and says how many long forms wait.
    pub(crate) fn skips(&self) -> String {
        let mut lines = Vec::new();
        let mut reasons: Vec<(&String, &Vec<String>)> = self.skipped.iter().collect();
        reasons.sort_by_key(|(_, names)| std::cmp::Reverse(names.len()));
        if !reasons.is_empty() {
            lines.push("skipped:".to_owned());
        }
        for (reason, names) in reasons {
            let named = match names.len() <= MOST_NAMES {
                true => format!(" ({})", names.join(", ")),
                false => String::new(),
            };
            lines.push(format!("{:>6}  {reason}{named}", names.len()));
        }
        if self.long_forms > 0 {
            lines.push(format!("long forms: {}, run by cargo xtask soak", self.long_forms));
        }
        lines.join("\n")
    }
}

/// The closing line. A program that died before it told a result counts as failed.
impl Display for Tally {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let failed = self.failed + self.unfinished;
        write!(f, "{} passed, {failed} failed, {} skipped", self.passed, self.num_skipped())
    }
}

/// Whether a line goes on to the terminal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Line {
    Shown,
    /// A test that passed or is ignored: shown where few tests were asked for.
    Routine,
    Hidden,
}

/// Reads the output of one call of `cargo test`, line by line.
#[derive(Default)]
pub(crate) struct Reader {
    tally: Tally,
    /// How many tests the program that runs has announced.
    announced: Option<u64>,
    section: Section,
    /// The passing test whose output is read, and whether it was skipped.
    test: Option<(String, bool)>,
    num_skipped: u64,
}

#[derive(Clone, Copy, Default, PartialEq)]
enum Section {
    #[default]
    Running,
    Successes,
    Failures,
}

impl Reader {
    /// Takes one line without its end.
    pub(crate) fn read(&mut self, line: &str) -> Line {
        let line = without_colours(line);
        if let Some(counts) = line.strip_prefix("test result: ").and_then(Counts::parse)
            && self.announced.is_some_and(|announced| announced == counts.sum())
        {
            self.end_program(&counts);
            return if counts.sum() > 0 { Line::Shown } else { Line::Hidden };
        }
        match (self.section, line.as_str()) {
            (_, "failures:") if self.announced.is_some() => {
                self.section = Section::Failures;
                Line::Shown
            }
            (Section::Running, "successes:") if self.announced.is_some() => {
                self.section = Section::Successes;
                Line::Hidden
            }
            (Section::Running, line) => self.read_running(line),
            (Section::Successes, line) => {
                self.read_success(line);
                Line::Hidden
            }
            (Section::Failures, _) => Line::Shown,
        }
    }

    /// Returns what was counted, once there are no more lines.
    pub(crate) fn finish(mut self) -> Tally {
        self.tally.unfinished += u64::from(self.announced.is_some());
        self.tally
    }

    fn read_running(&mut self, line: &str) -> Line {
        if let Some(number) = announced(line) {
            // The program before told no result: it was killed.
            self.tally.unfinished += u64::from(self.announced.is_some());
            self.announced = Some(number);
            return Line::Hidden;
        }
        let result = line.strip_prefix("test ").and_then(|rest| rest.split_once(" ... "));
        match result {
            Some((_, "ok")) => Line::Routine,
            Some((_, result)) if result.starts_with("ignored") => {
                let reason = result.strip_prefix("ignored, ");
                let is_long = reason.is_some_and(|reason| !NO_LONG_FORMS.contains(&reason));
                self.tally.long_forms += u64::from(is_long);
                Line::Routine
            }
            _ if line.is_empty() => Line::Hidden,
            _ => Line::Shown,
        }
    }

    fn read_success(&mut self, line: &str) {
        let heading = line.strip_prefix("---- ").and_then(|rest| rest.strip_suffix(" stdout ----"));
        if let Some(name) = heading {
            self.test = Some((name.to_owned(), false));
        } else if let Some((name, is_skipped)) = &mut self.test
            && let Some(reason) = line.strip_prefix("skipped: ")
            && !*is_skipped
        {
            *is_skipped = true;
            self.num_skipped += 1;
            self.tally.skip(reason.trim(), name);
        }
    }

    fn end_program(&mut self, counts: &Counts) {
        self.tally.passed += counts.passed.saturating_sub(self.num_skipped);
        self.tally.failed += counts.failed;
        self.tally.ignored += counts.ignored;
        self.announced = None;
        self.section = Section::Running;
        self.test = None;
        self.num_skipped = 0;
    }
}

/// Reads `running 3 tests`.
fn announced(line: &str) -> Option<u64> {
    let (number, rest) = line.strip_prefix("running ")?.split_once(' ')?;
    matches!(rest, "test" | "tests").then(|| number.parse().ok()).flatten()
}

/// What one program tells at its end.
#[derive(Default)]
struct Counts {
    passed: u64,
    failed: u64,
    ignored: u64,
    measured: u64,
}

impl Counts {
    /// Reads `ok. 3 passed; 0 failed; 1 ignored; 0 measured; …`.
    fn parse(text: &str) -> Option<Self> {
        let (_, numbers) = text.split_once(". ")?;
        let mut counts = Self::default();
        for count in numbers.split("; ") {
            let Some((number, kind)) = count.split_once(' ') else { continue };
            let Ok(number) = number.parse::<u64>() else { continue };
            match kind {
                "passed" => counts.passed = number,
                "failed" => counts.failed = number,
                "ignored" => counts.ignored = number,
                "measured" => counts.measured = number,
                _ => {}
            }
        }
        Some(counts)
    }

    /// Returns how many tests the program ran or ignored: what it announced, if it is its own line
    /// and not one that a test has printed.
    fn sum(&self) -> u64 {
        self.passed + self.failed + self.ignored + self.measured
    }
}

/// Takes the harness's colours off a line.
fn without_colours(line: &str) -> String {
    let mut plain = String::with_capacity(line.len());
    let mut rest = line;
    while let Some((before, after)) = rest.split_once("\u{1b}[") {
        plain.push_str(before);
        rest = after.split_once('m').map_or("", |(_, rest)| rest);
    }
    plain.push_str(rest);
    // Terminfo ends a colour with a change of character set.
    plain.replace("\u{1b}(B", "")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns what was counted and what is shown of these lines.
    fn read(lines: &str) -> (Tally, Vec<&str>) {
        let mut reader = Reader::default();
        let shown = lines.lines().filter(|line| reader.read(line) == Line::Shown).collect();
        (reader.finish(), shown)
    }

    const RESULT: &str = "0 measured; 9 filtered out; finished in 0.00s";

    #[test]
    fn results_of_all_programs_are_added_up() {
        let lines = format!(
            "running 4 tests\ntest a ... ok\ntest b ... ok\ntest c ... ok\n\
             test d ... ignored, takes minutes\n\
             \ntest result: ok. 3 passed; 0 failed; 1 ignored; {RESULT}\n\
             running 3 tests\ntest e ... \u{1b}[31mFAILED\u{1b}[m\n\
             \ntest result: \u{1b}[31mFAILED\u{1b}[m. 2 passed; 1 failed; 0 ignored; {RESULT}\n\
             a test says: 7 passed; 7 failed\n"
        );
        let (tally, shown) = read(&lines);
        assert_eq!((tally.passed, tally.failed, tally.ignored), (5, 1, 1));
        assert_eq!(tally.to_string(), "5 passed, 1 failed, 0 skipped");
        assert_eq!(tally.note(), "5 passed, 1 ignored");
        assert!(tally.verdict().starts_with("1 failed, 5 passed; "));
        assert_eq!(shown.len(), 4, "{shown:?}");
        assert!(shown[1].contains("FAILED"));
    }

    #[test]
    fn skipped_tests_are_counted_apart_with_their_reasons() {
        let lines = format!(
            "running 4 tests\n\nsuccesses:\n\n\
             ---- a stdout ----\nseed 7\nskipped: no data\n\n\
             ---- b stdout ----\nskipped: no data\nskipped: no browser\n\n\
             ---- c stdout ----\nwas not skipped: no data\n\n\
             ---- d stdout ----\nskipped: no browser\n\
             \nsuccesses:\n    a\n    b\n    c\n    d\n\
             \ntest result: ok. 4 passed; 0 failed; 0 ignored; {RESULT}\n"
        );
        let (tally, shown) = read(&lines);
        assert_eq!(tally.to_string(), "1 passed, 0 failed, 3 skipped");
        assert_eq!(tally.skips(), "skipped:\n     2  no data (a, b)\n     1  no browser (d)");
        assert_eq!(shown.len(), 1, "what passing tests print is not shown: {shown:?}");
    }

    #[test]
    fn what_failing_tests_print_is_shown_and_is_no_skip() {
        let lines = format!(
            "running 2 tests\n\nsuccesses:\n\n---- a stdout ----\nall is well\n\n\
             successes:\n    a\n\nfailures:\n\n---- b stdout ----\nskipped: half of it\n\
             thread panicked\n\nfailures:\n    b\n\
             \ntest result: FAILED. 1 passed; 1 failed; 0 ignored; {RESULT}\n"
        );
        let (tally, shown) = read(&lines);
        assert_eq!(tally.to_string(), "1 passed, 1 failed, 0 skipped");
        assert!(shown.contains(&"thread panicked") && !shown.contains(&"all is well"));
    }

    #[test]
    fn what_a_test_prints_of_another_harness_is_not_counted() {
        let lines = format!(
            "running 2 tests\n\nsuccesses:\n\n---- a stdout ----\nrunning 1 test\n\
             test result: ok. 1 passed; 0 failed; 0 ignored; {RESULT}\n\
             \nsuccesses:\n    a\n    b\n\
             \ntest result: ok. 2 passed; 0 failed; 0 ignored; {RESULT}\n"
        );
        assert_eq!(read(&lines).0.to_string(), "2 passed, 0 failed, 0 skipped");
    }

    #[test]
    fn a_program_that_dies_counts_as_failed() {
        let next =
            format!("running 1 test\ntest result: ok. 1 passed; 0 failed; 0 ignored; {RESULT}");
        let (between, _) = read(&format!("running 3 tests\ntest a ... ok\n{next}\n"));
        assert_eq!(between.to_string(), "1 passed, 1 failed, 0 skipped");
        let (last, _) = read(&format!("{next}\nrunning 3 tests\ntest a ... ok\n"));
        assert_eq!(last.to_string(), "1 passed, 1 failed, 0 skipped");
        assert_eq!(last.verdict(), "1 test programs did not finish; see above");
        assert_eq!(Tally::default().verdict(), "the tests did not build; see above");
    }

    #[test]
    fn long_forms_are_told_from_helpers_of_other_tests() {
        let lines = format!(
            "running 4 tests\ntest a ... ignored, takes an hour\n\
             test b ... ignored, for child processes\n\
             test c ... \u{1b}[33mignored, takes minutes\u{1b}(B\u{1b}[m\n\
             test src/lib.rs - d (line 3) ... ignored\n\
             \ntest result: ok. 0 passed; 0 failed; 4 ignored; {RESULT}\n"
        );
        let (tally, _) = read(&lines);
        assert_eq!((tally.ignored, tally.long_forms), (4, 2));
        assert_eq!(tally.skips(), "long forms: 2, run by cargo xtask soak");
    }

    #[test]
    fn many_skips_of_one_reason_are_one_line() {
        let mut tally = Tally::default();
        for name in ["a", "b", "c"] {
            tally.skip("no data", name);
        }
        let mut whole = Tally::default();
        whole.skip("no network", "advisories");
        whole.add(tally);
        assert_eq!(whole.skips(), "skipped:\n     3  no data\n     1  no network (advisories)");
    }
}
