//! What can be seen of a process from outside.

use std::fmt;
use std::fs;
use std::path::PathBuf;
use std::time::Duration;

/// One look at a process.
pub(super) struct Sample {
    pub(super) at: Duration,
    /// Memory of its own, mapped files apart, in KiB: what a leak would fill.
    pub(super) memory: u64,
    /// Mapped files in memory, in KiB; the system takes them back as it likes.
    mapped: u64,
    /// Descriptors that are neither sockets nor tables.
    pub(super) files: u64,
    /// Tables of the frontier that are open: it has as many as its data need, and the store closes
    /// what it does not use.
    pub(super) tables: u64,
    pub(super) sockets: u64,
    threads: u64,
    /// Requests that its crawl has sent so far.
    pub(super) requests: usize,
    /// Questions that it has answered so far.
    pub(super) asked: usize,
}

impl Sample {
    pub(super) const HEAD: &str =
        "seconds  memory KiB  mapped KiB  files  tables  sockets  threads  requests  answers";

    /// Looks at a process; nothing if there is none.
    pub(super) fn of(pid: u32, at: Duration) -> Option<Self> {
        let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
        let number = |key: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(key))?;
            line.split_whitespace().next()?.parse::<u64>().ok()
        };
        let links = fs::read_dir(format!("/proc/{pid}/fd")).ok()?;
        // Some are closed again before they are looked at.
        let links = links.filter_map(|link| fs::read_link(link.ok()?.path()).ok());
        let (sockets, files): (Vec<_>, Vec<_>) =
            links.partition(|link| link.to_string_lossy().starts_with("socket:"));
        let is_table = |link: &&PathBuf| link.components().any(|part| part.as_os_str() == "tables");
        let tables = files.iter().filter(is_table).count();
        Some(Self {
            at,
            // A process that has ended and was not waited for has no such lines.
            memory: number("RssAnon:")?,
            mapped: number("RssFile:")?,
            files: (files.len() - tables) as u64,
            tables: tables as u64,
            sockets: sockets.len() as u64,
            threads: number("Threads:")?,
            requests: 0,
            asked: 0,
        })
    }
}

impl fmt::Display for Sample {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            out,
            "{:7}  {:10}  {:10}  {:5}  {:6}  {:7}  {:7}  {:8}  {:7}",
            self.at.as_secs(),
            self.memory,
            self.mapped,
            self.files,
            self.tables,
            self.sockets,
            self.threads,
            self.requests,
            self.asked
        )
    }
}

/// Returns the middle one of these numbers.
pub(super) fn median(samples: &[Sample], of: fn(&Sample) -> u64) -> u64 {
    let mut numbers: Vec<u64> = samples.iter().map(of).collect();
    numbers.sort_unstable();
    numbers[numbers.len() / 2]
}
