//! `lookfar doctor`: whether this machine and this collection are fit for a crawl (U5).
//!
//! Each check is one line, `ok`, `warn` or `bad`, with what to do about it. Nothing is changed:
//! a file of a few kilobytes is written beside the collection's and removed again. Every check
//! ends in bounded time, whatever disk and network do.

mod collection;
mod machine;
mod network;

use std::io::Write;
use std::path::Path;
use std::sync::mpsc;
use std::time::Duration;

use anyhow::Result;
use serde::Serialize;

use crate::Done;
use crate::args::DoctorArgs;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
enum Verdict {
    Ok,
    /// It works, but not as well as it could.
    Warn,
    /// A crawl does not work, or should not be run.
    Bad,
}

/// What a check found.
#[derive(Debug, Serialize)]
struct Finding {
    check: &'static str,
    verdict: Verdict,
    said: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    advice: Option<String>,
}

impl Finding {
    fn ok(check: &'static str, said: impl Into<String>) -> Self {
        Self { check, verdict: Verdict::Ok, said: said.into(), advice: None }
    }

    fn warn(check: &'static str, said: impl Into<String>, advice: impl Into<String>) -> Self {
        let advice = Some(advice.into());
        Self { check, verdict: Verdict::Warn, said: said.into(), advice }
    }

    fn bad(check: &'static str, said: impl Into<String>, advice: impl Into<String>) -> Self {
        Self { verdict: Verdict::Bad, ..Self::warn(check, said, advice) }
    }

    /// One line, and a second with what to do.
    fn text(&self) -> String {
        let mark = match self.verdict {
            Verdict::Ok => "ok",
            Verdict::Warn => "warn",
            Verdict::Bad => "BAD",
        };
        let line = format!("{mark:<5} {:<11} {}", self.check, self.said);
        match &self.advice {
            Some(advice) => format!("{line}\n{:18}→ {advice}", ""),
            None => line,
        }
    }
}

/// Says each finding as soon as it is there, and counts.
struct Report<W: Write> {
    out: W,
    json: bool,
    warnings: usize,
    faults: usize,
}

impl<W: Write> Report<W> {
    fn push(&mut self, finding: &Finding) -> Result<()> {
        match finding.verdict {
            Verdict::Ok => {}
            Verdict::Warn => self.warnings += 1,
            Verdict::Bad => self.faults += 1,
        }
        match self.json {
            true => writeln!(self.out, "{}", serde_json::to_string(finding)?)?,
            false => writeln!(self.out, "{}", finding.text())?,
        }
        Ok(self.out.flush()?)
    }

    fn finish(mut self) -> Result<Done> {
        let warnings = match self.warnings {
            0 => String::new(),
            1 => ", 1 warning".to_owned(),
            number => format!(", {number} warnings"),
        };
        let verdict = match self.faults {
            0 => "fit for a crawl".to_owned(),
            1 => "1 thing must be mended".to_owned(),
            number => format!("{number} things must be mended"),
        };
        if !self.json {
            writeln!(self.out, "{verdict}{warnings}")?;
        }
        Ok(if self.faults == 0 { Done::Well } else { Done::Empty })
    }
}

pub(crate) fn run(dir: &Path, args: &DoctorArgs) -> Result<Done> {
    let out = std::io::stdout().lock();
    let mut report = Report { out, json: args.json, warnings: 0, faults: 0 };
    let version = env!("CARGO_PKG_VERSION");
    report.push(&Finding::ok("version", format!("lookfar {version}")))?;
    let (subject, findings) = collection::look(dir);
    for finding in &findings {
        report.push(finding)?;
    }
    for check in [machine::disk, machine::sync, machine::files, machine::memory, machine::clock] {
        report.push(&check(&subject))?;
    }
    report.push(&network::port(&subject))?;
    report.push(&network::contact(&subject))?;
    if !args.offline {
        report.push(&network::dns(&subject))?;
    }
    report.finish()
}

/// Does work that the system may never come back from; `None` if it takes longer than `limit`.
///
/// The thread is left behind then: the process ends soon.
fn within<T: Send + 'static>(
    limit: Duration,
    work: impl FnOnce() -> T + Send + 'static,
) -> Option<T> {
    let (sender, receiver) = mpsc::channel();
    std::thread::Builder::new().spawn(move || drop(sender.send(work()))).ok()?;
    receiver.recv_timeout(limit).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_finding_is_a_line_with_what_to_do_below() {
        let finding = Finding::warn("disk", "3 MiB free", "make room");
        assert_eq!(finding.text(), "warn  disk        3 MiB free\n                  → make room");
        let json = serde_json::to_string(&Finding::ok("disk", "much")).unwrap();
        assert_eq!(json, r#"{"check":"disk","verdict":"ok","said":"much"}"#);
    }

    #[test]
    fn only_what_is_bad_fails() {
        let mut report = Report { out: Vec::new(), json: false, warnings: 0, faults: 0 };
        report.push(&Finding::warn("a", "b", "c")).unwrap();
        assert!(matches!(report.finish().unwrap(), Done::Well));
        let mut report = Report { out: Vec::new(), json: false, warnings: 0, faults: 0 };
        report.push(&Finding::bad("a", "b", "c")).unwrap();
        assert!(matches!(report.finish().unwrap(), Done::Empty));
    }

    #[test]
    fn work_that_never_ends_is_left() {
        assert_eq!(within(Duration::from_secs(60), || 7), Some(7));
        let long = || std::thread::sleep(Duration::from_secs(3_600));
        assert_eq!(within(Duration::from_millis(10), long), None);
    }
}
