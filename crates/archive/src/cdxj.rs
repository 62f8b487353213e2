//! The index of captures that others' tools (pywb, cdxj-indexer, cdx servers) read, and the
//! journal from which it is made.
//!
//! ```text
//! NNNNNNN.cdxj       = (line LF)*, sorted by bytes
//! line               = key SP yyyymmddhhmmss SP {"url","mime","status","digest","length",
//!                      "offset","filename","crc32"}
//! NNNNNNN.cdxj.open  = (crc32 of the rest, 8 hex digits SP offset SP length SP line LF)*
//! ```
//! `key` is the SURT form that those tools compute for a lookup (`com,example)/path`): without
//! scheme and `www`, all in lower case, query sorted. It is not [`Url::surt`], which keeps pages
//! apart that this form folds. `crc32` is an addition of ours: the checksum of the bytes of the
//! WARC file from the end of the capture before to the end of this one, so that every byte of
//! the file is covered, also those that gzip itself does not check.
//!
//! The journal is written after the records it names are durable, in archive order. So it says,
//! after a crash, up to where the WARC file can be relied on.

use std::borrow::Cow;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use base::file::write_whole;
use base::{Capture, Url};
use percent_encoding::{AsciiSet, CONTROLS, percent_decode, percent_encode};
use serde::{Deserialize, Serialize};

use crate::folder::Part;
use crate::{Captured, Error, http};

/// Longest index read, in bytes; [`crate::Writer`] closes a file long before.
const READ_BYTES: u64 = 128 * 1024 * 1024;

#[derive(Debug, Serialize)]
struct Fields<'a> {
    url: &'a str,
    mime: &'a str,
    status: &'a str,
    digest: &'a str,
    length: &'a str,
    offset: &'a str,
    filename: &'a str,
    crc32: &'a str,
}

/// Returns the line of a capture, without its line break.
pub(crate) fn line(captured: &Captured, payload_digest: &str, crc32: u32) -> String {
    let Captured { target, capture, fetched, head, revisit, .. } = captured;
    let status = http::status(head).map_or_else(|| "-".to_owned(), |status| status.to_string());
    // What the tools call a capture whose body they must look for elsewhere.
    let mime = revisit.map_or_else(|| http::mime(head), |_| "warc/revisit".to_owned());
    let fields = Fields {
        url: target,
        mime: &mime,
        status: &status,
        digest: payload_digest.strip_prefix("sha1:").unwrap_or(payload_digest),
        length: &capture.length.to_string(),
        offset: &capture.offset.to_string(),
        filename: &Part::Warc.name(capture.file),
        crc32: &format!("{crc32:08x}"),
    };
    let json = serde_json::to_string(&fields).expect("a struct of strings");
    let key = captured.url.as_ref().map_or_else(|| raw_key(target), key);
    format!("{key} {} {json}", fetched.compact())
}

/// Returns the key under which others' tools look a page up.
fn key(url: &Url) -> String {
    let host = url.host_str().trim_start_matches('[').trim_end_matches(']');
    let name = match host.split_once('.') {
        Some((first, rest)) if is_www(first) => rest,
        _ => host,
    };
    let host: Vec<&str> = name.rsplit('.').collect();
    let port = url.explicit_port().map(|port| format!(":{port}")).unwrap_or_default();
    let (path, query) = match url.path_and_query().split_once('?') {
        Some((path, query)) => (path, Some(query)),
        None => (url.path_and_query(), None),
    };
    let mut key = format!("{}{port}){}", host.join(","), folded_path(&plain(path)));
    if let Some(query) = query {
        let query = plain(query);
        let mut pairs: Vec<&str> = query.split('&').collect();
        pairs.sort_unstable();
        key.push('?');
        key.push_str(&pairs.join("&"));
    }
    key
}

/// `www`, `www2`, `www34`.
fn is_www(label: &str) -> bool {
    label.strip_prefix("www").is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Folds repeated slashes and drops the last one, unless it is all there is.
fn folded_path(path: &str) -> String {
    let mut folded = String::with_capacity(path.len());
    for part in path.split('/').filter(|part| !part.is_empty()) {
        folded.push('/');
        folded.push_str(part);
    }
    if folded.is_empty() { "/".to_owned() } else { folded }
}

/// Decodes percent-encodings until none is left, encodes what cannot stand in a line, and goes
/// to lower case: the rule of Google's safe browsing lists, which the archives adopted.
fn plain(text: &str) -> String {
    const ENCODED: &AsciiSet = &CONTROLS.add(b' ').add(b'#').add(b'%');
    let mut bytes = text.as_bytes().to_vec();
    // Each round takes away a level of encoding; a URL has at most 2,048 bytes.
    while let Cow::Owned(decoded) = Cow::from(percent_decode(&bytes)) {
        bytes = decoded;
    }
    percent_encode(&bytes, ENCODED).to_string().to_ascii_lowercase()
}

/// A key for an address that is none: never with blanks, which end a key.
fn raw_key(target: &str) -> String {
    target.to_ascii_lowercase().replace(|is: char| is.is_whitespace() || is.is_control(), "%20")
}

/// The journal of a file that is being written.
#[derive(Debug)]
pub(crate) struct Journal {
    file: File,
    /// Bytes written, all of them whole lines.
    len: u64,
    /// Lines of records that are not durable yet.
    waiting: Vec<u8>,
}

impl Journal {
    /// Begins a journal, in place of one that may be there.
    pub(crate) fn create(path: &Path) -> io::Result<Self> {
        let file = OpenOptions::new().create(true).append(true).open(path)?;
        file.set_len(0)?;
        Ok(Self { file, len: 0, waiting: Vec::new() })
    }

    /// Returns the bytes of all lines.
    pub(crate) fn size(&self) -> u64 {
        self.len + self.waiting.len() as u64
    }

    /// Adds a line, to be written by [`Self::flush`] once its record is durable.
    pub(crate) fn push(&mut self, capture: Capture, line: &str) {
        let rest = format!("{} {} {line}", capture.offset, capture.length);
        let crc = crc32fast::hash(rest.as_bytes());
        self.waiting.extend_from_slice(format!("{crc:08x} {rest}\n").as_bytes());
    }

    /// Writes the waiting lines. What could not be written waits on.
    pub(crate) fn flush(&mut self) -> io::Result<()> {
        if let Err(error) = self.file.write_all(&self.waiting) {
            self.file.set_len(self.len)?;
            return Err(error);
        }
        self.len += self.waiting.len() as u64;
        self.waiting.clear();
        Ok(())
    }
}

/// What a journal says, as far as it is whole.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Notes {
    /// The captures it names, in archive order.
    pub noted: Vec<Noted>,
    /// A line is broken that is not the unfinished last one; nothing behind it is believed.
    pub is_damaged: bool,
}

/// A capture that a journal names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Noted {
    /// First byte of the record.
    pub offset: u64,
    /// Byte behind the record.
    pub end: u64,
    /// Its line in the index.
    pub line: String,
}

/// Reads a journal; `None` if there is none.
pub(crate) fn read_journal(folder: &Path, number: u32) -> Result<Option<Notes>, Error> {
    let path = Part::Journal.path(folder, number);
    let Some(content) = read_bounded(&path)? else { return Ok(None) };
    let mut notes = Notes::default();
    for line in content.split_inclusive(|byte| *byte == b'\n') {
        let after = notes.noted.last().map_or(0, |noted| noted.end);
        match parse_note(line).filter(|note| note.offset >= after) {
            Some(note) => notes.noted.push(note),
            None => {
                notes.is_damaged = line.ends_with(b"\n");
                break;
            }
        }
    }
    Ok(Some(notes))
}

fn parse_note(line: &[u8]) -> Option<Noted> {
    let text = std::str::from_utf8(line).ok()?.strip_suffix('\n')?;
    let (crc, rest) = text.split_once(' ')?;
    if u32::from_str_radix(crc, 16).ok()? != crc32fast::hash(rest.as_bytes()) {
        return None;
    }
    let (offset, rest) = rest.split_once(' ')?;
    let (length, line) = rest.split_once(' ')?;
    let (offset, length): (u64, u64) = (offset.parse().ok()?, length.parse().ok()?);
    Some(Noted { offset, end: offset.checked_add(length)?, line: line.to_owned() })
}

/// Returns the index of a file with these lines.
pub(crate) fn sorted(mut lines: Vec<String>) -> Vec<u8> {
    lines.sort_unstable();
    let mut content = Vec::with_capacity(lines.iter().map(|line| line.len() + 1).sum());
    for line in lines {
        content.extend_from_slice(line.as_bytes());
        content.push(b'\n');
    }
    content
}

/// Writes the index of a file, and thereby closes it.
pub(crate) fn publish(folder: &Path, number: u32, lines: Vec<String>) -> Result<(), Error> {
    let path = Part::Index.path(folder, number);
    write_whole(&path, &sorted(lines)).map_err(|source| Error::File {
        action: "write",
        path,
        source,
    })
}

/// Returns where the captures of a file begin, by its index or journal, ascending.
pub(crate) fn offsets(folder: &Path, number: u32) -> Result<Vec<u64>, Error> {
    let mut offsets: Vec<u64> = match read_bounded(&Part::Index.path(folder, number))? {
        Some(content) => content.split(|byte| *byte == b'\n').filter_map(offset_in).collect(),
        None => {
            let notes = read_journal(folder, number)?.unwrap_or_default();
            notes.noted.into_iter().map(|noted| noted.offset).collect()
        }
    };
    offsets.sort_unstable();
    Ok(offsets)
}

fn offset_in(line: &[u8]) -> Option<u64> {
    #[derive(Deserialize)]
    struct Offset {
        offset: String,
    }
    let json = line.splitn(3, |byte| *byte == b' ').nth(2)?;
    serde_json::from_slice::<Offset>(json).ok()?.offset.parse().ok()
}

/// Reads a file that is not larger than an index may be; `None` if there is none.
pub(crate) fn read_bounded(path: &Path) -> Result<Option<Vec<u8>>, Error> {
    let failed = |source| Error::File { action: "read", path: PathBuf::from(path), source };
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(failed(error)),
    };
    let mut content = Vec::new();
    file.take(READ_BYTES).read_to_end(&mut content).map_err(failed)?;
    Ok(Some(content))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(url: &str, expected: &str) {
        assert_eq!(key(&Url::parse(url).unwrap()), expected);
    }

    // The expected keys are what the Python package `surt` 0.3.1 answers, which pywb uses.
    #[test]
    fn keys_are_those_of_the_tools() {
        check("http://www.example.com:8080/A//b/?b=1&a=2", "com,example:8080)/a/b?a=2&b=1");
        check("https://www34.example.org/", "org,example)/");
        check("https://www2foo.example.org/x/", "org,example,www2foo)/x");
        check("http://192.168.1.254/info/", "254,1,168,192)/info");
        check("http://[::1]:8080/a", "::1:8080)/a");
        check("http://a.com/x%3Fy", "com,a)/x?y");
        check("http://a.com/a%2Fb%25c%C3%A9?q=%2B%20x&A=1", "com,a)/a/b%25c%c3%a9?a=1&q=+%20x");
        check("http://a.com/x%0ay", "com,a)/x%0ay");
        check("http://a.com/%252525", "com,a)/%25");
        check("http://a.com/?b=//&a", "com,a)/?a&b=//");
        check("http://www.com/", "com)/");
    }

    #[test]
    fn a_journal_is_read_up_to_its_first_broken_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = Part::Journal.path(folder.path(), 1);
        let mut journal = Journal::create(&path).unwrap();
        for offset in [10, 20, 30] {
            journal.push(Capture { file: 1, offset, length: 5 }, "com,a)/ 2026 {}");
        }
        journal.flush().unwrap();
        let whole = std::fs::read(&path).unwrap();
        let line = whole.len() / 3;
        for cut in 0..=whole.len() {
            std::fs::write(&path, &whole[..cut]).unwrap();
            let notes = read_journal(folder.path(), 1).unwrap().unwrap();
            assert_eq!((notes.noted.len(), notes.is_damaged), (cut / line, false), "cut at {cut}");
        }
        for place in 0..whole.len() {
            let mut flipped = whole.clone();
            flipped[place] ^= 1;
            std::fs::write(&path, &flipped).unwrap();
            let notes = read_journal(folder.path(), 1).unwrap().unwrap();
            assert_eq!(notes.noted.len(), place / line, "flipped at {place}");
            // Without its line break the last line looks like an unfinished write.
            assert_eq!(notes.is_damaged, place + 1 < whole.len(), "flipped at {place}");
        }
    }
}
