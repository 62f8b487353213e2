//! Lines of a stranger's text file: bounded, counted, and told where they go wrong.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use super::ReadWatch;
use crate::Error;

/// Longest line. Two addresses of the longest kind that browsers take fit several times.
pub(super) const MAX_LINE: usize = 64 * 1024;
/// Lines between two calls of the watch.
const INTERVAL: u64 = 4_096;

/// The lines of a file that say something: trimmed, without blank ones and remarks.
pub(super) struct Lines {
    path: PathBuf,
    file: BufReader<File>,
    line: Vec<u8>,
    number: u64,
    done: u64,
    total: u64,
}

impl Lines {
    pub(super) fn open(path: &Path) -> Result<Self, Error> {
        let file = File::open(path).map_err(Error::file("open", path))?;
        let data = file.metadata().map_err(Error::file("open", path))?;
        let (file, total) = (BufReader::with_capacity(1 << 16, file), data.len());
        Ok(Self { path: path.to_owned(), file, line: Vec::new(), number: 0, done: 0, total })
    }

    /// Returns the next line that says something.
    pub(super) fn next(&mut self, watch: ReadWatch<'_>) -> Result<Option<&str>, Error> {
        loop {
            if !self.read_line()? {
                watch(self.total, self.total);
                return Ok(None);
            }
            if self.number.is_multiple_of(INTERVAL) {
                watch(self.done, self.total);
            }
            let says_nothing = match std::str::from_utf8(&self.line) {
                Ok(line) => matches!(line.trim().as_bytes(), [] | [b'#', ..]),
                Err(_) => return Err(self.error("it is not UTF-8 text")),
            };
            if !says_nothing {
                break;
            }
        }
        let line = std::str::from_utf8(&self.line).expect("looked at in the loop");
        Ok(Some(line.trim()))
    }

    /// Returns what is wrong with the line that came last.
    pub(super) fn error(&self, reason: impl Into<String>) -> Error {
        Error::Line { path: self.path.clone(), line: self.number, reason: reason.into() }
    }

    fn read_line(&mut self) -> Result<bool, Error> {
        self.line.clear();
        let most = MAX_LINE as u64 + 1;
        let read = self.file.by_ref().take(most).read_until(b'\n', &mut self.line);
        let len = read.map_err(Error::file("read", &self.path))?;
        self.number += u64::from(len > 0);
        self.done += len as u64;
        if self.line.len() > MAX_LINE && self.line.last() != Some(&b'\n') {
            return Err(self.error(format!("it is longer than {MAX_LINE} bytes")));
        }
        if self.line.contains(&0) {
            return Err(self.error("it is no text"));
        }
        if self.number == 1 && self.line.starts_with(b"\xEF\xBB\xBF") {
            self.line.drain(..3);
        }
        Ok(len > 0)
    }
}
