//! The last lines that this process has logged, for whoever looks at the control room.
//!
//! Everything goes to stderr as before; a copy of each line stays in memory, a bounded number of
//! bounded length, without colours.

use std::collections::VecDeque;
use std::io::{self, Write};
use std::sync::{Mutex, PoisonError};

use tracing_subscriber::fmt::MakeWriter;

/// Lines kept.
const LINES: usize = 300;
/// Longest line kept, in bytes.
const LINE_BYTES: usize = 1_000;

static RECENT: Mutex<VecDeque<String>> = Mutex::new(VecDeque::new());

/// Writes to stderr and remembers.
#[derive(Clone, Copy)]
pub(crate) struct Remembered;

impl<'a> MakeWriter<'a> for Remembered {
    type Writer = Self;

    fn make_writer(&'a self) -> Self {
        *self
    }
}

impl Write for Remembered {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        remember(&RECENT, bytes);
        // All at once: what is written twice would be remembered twice.
        io::stderr().write_all(bytes).map(|()| bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stderr().flush()
    }
}

/// Returns the lines, the newest last.
pub(crate) fn lines() -> Vec<String> {
    RECENT.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
}

fn remember(recent: &Mutex<VecDeque<String>>, bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let mut recent = recent.lock().unwrap_or_else(PoisonError::into_inner);
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        if recent.len() == LINES {
            recent.pop_front();
        }
        recent.push_back(base::limits::cut(&plain(line), LINE_BYTES).to_owned());
    }
}

/// Returns a line without the marks that colour it.
fn plain(line: &str) -> String {
    let mut pieces = line.split("\u{1b}[");
    let first = pieces.next().unwrap_or_default().to_owned();
    let coloured = pieces.map(|piece| piece.split_once('m').map_or(piece, |(_, rest)| rest));
    coloured.fold(first, |text, piece| text + piece)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_kept_plain_short_and_few() {
        let recent = Mutex::default();
        remember(&recent, b"\x1b[2m2026\x1b[0m \x1b[33m WARN\x1b[0m one\n\ntwo\n");
        assert_eq!(*recent.lock().unwrap(), ["2026  WARN one", "two"]);
        for _ in 0..2 * LINES {
            remember(&recent, &[b'x'; 5_000]);
        }
        let recent = recent.lock().unwrap();
        assert_eq!(recent.len(), LINES);
        assert!(recent.iter().all(|line| line.len() <= LINE_BYTES));
    }
}
