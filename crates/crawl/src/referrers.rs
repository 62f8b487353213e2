//! Referrers as a source of URLs (C8): the pages that visitors came from, by a server's access log.
//!
//! In the combined log format, which Apache, nginx, Caddy and most others can write, the referrer
//! is the last quoted field but one:
//!
//! ```text
//! 192.0.2.7 - - [16/Nov/2026:10:00:00 +0000] "GET / HTTP/1.1" 200 512 "http://a.example/" "Agent"
//! ```
//!
//! Anyone can write anything there: what is found is a hint, judged like any other URL.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use base::{Rules, Url, limits};
use flate2::bufread::MultiGzDecoder;

/// Longest line looked at; no server writes longer ones.
const LINE_BYTES: u64 = 64 * 1024;

/// The referrers of a log, in its order; lines that have none are passed over.
pub struct Referrers {
    log: Box<dyn BufRead>,
    rules: Rules,
    line: Vec<u8>,
}

impl Referrers {
    /// Opens a log, which may be a gzip file; addresses are made canonical by `rules`.
    pub fn open(path: &Path, rules: Rules) -> io::Result<Self> {
        let mut file = BufReader::new(File::open(path)?);
        let is_gzip = file.fill_buf()?.starts_with(&[0x1f, 0x8b]);
        let log: Box<dyn BufRead> = match is_gzip {
            true => Box::new(BufReader::new(MultiGzDecoder::new(file))),
            false => Box::new(file),
        };
        Ok(Self { log, rules, line: Vec::new() })
    }

    /// Reads a line into `self.line`; the rest of an endless one is passed over.
    fn next_line(&mut self) -> io::Result<bool> {
        self.line.clear();
        if self.log.by_ref().take(LINE_BYTES).read_until(b'\n', &mut self.line)? == 0 {
            return Ok(false);
        }
        if self.line.last() != Some(&b'\n') {
            self.log.skip_until(b'\n')?;
        }
        Ok(true)
    }
}

impl Iterator for Referrers {
    type Item = io::Result<Url>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            match self.next_line() {
                Err(error) => return Some(Err(error)),
                Ok(false) => return None,
                Ok(true) => {}
            }
            if let Some(url) = referrer(&self.line, self.rules) {
                return Some(Ok(url));
            }
        }
    }
}

/// Returns the referrer that a line of the combined log format names.
fn referrer(line: &[u8], rules: Rules) -> Option<Url> {
    let mut fields = quoted(line);
    let (mut before, mut last) = (None, fields.next()?);
    for field in fields {
        before = Some(std::mem::replace(&mut last, field));
    }
    let text = std::str::from_utf8(before?).ok()?;
    let is_web = text.starts_with("http://") || text.starts_with("https://");
    (is_web && text.len() <= limits::URL_BYTES).then(|| Url::parse_with(text, rules).ok())?
}

/// Returns what stands in quotes. A quote inside is escaped by a backslash.
fn quoted(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = line;
    std::iter::from_fn(move || {
        let start = rest.iter().position(|byte| *byte == b'"')? + 1;
        let mut end = start;
        while *rest.get(end)? != b'"' {
            end += if rest[end] == b'\\' { 2 } else { 1 };
        }
        let field = &rest[start..end];
        rest = &rest[end + 1..];
        Some(field)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(log: &str) -> Vec<String> {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(&file, log).unwrap();
        let urls = Referrers::open(file.path(), Rules::default()).unwrap();
        urls.map(|url| url.unwrap().to_string()).collect()
    }

    const LINE: &str = "192.0.2.7 - - [16/Nov/2026:10:00:00 +0000] \"GET / HTTP/1.1\" 200 512 ";

    #[test]
    fn the_field_before_the_agent_is_the_referrer() {
        let log = format!(
            "{LINE}\"http://a.example:80/x\" \"Mozilla/5.0 (X11)\"\n{LINE}\"-\" \"-\"\n\
             {LINE}\"https://b.example/?q=\\\"y\\\"\" \"an \\\"agent\\\"\"\r\n"
        );
        let expected = ["http://a.example/x", "https://b.example/?q=/%22y/%22"];
        assert_eq!(found(&log)[0], expected[0]);
        assert_eq!(found(&log).len(), 2);
    }

    #[test]
    fn lines_that_say_nothing_are_passed_over() {
        let long = format!("{LINE}\"http://a.example/{}\" \"x\"\n", "y".repeat(200_000));
        let log = format!(
            "\n\"\n\"a\" \"\\\n{LINE}\n{LINE}\"javascript:alert(1)\" \"x\"\n{long}\
             {LINE}\"http://\" \"x\"\n{LINE}\"http://c.example/\" \"x\""
        );
        assert_eq!(found(&log), ["http://c.example/"]);
    }
}
