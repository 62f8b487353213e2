//! Heads of WARC records.
//!
//! ```text
//! record = "WARC/1.1" CRLF | field* | CRLF | block: [u8; Content-Length] | CRLF CRLF
//! field  = name ": " value CRLF
//! ```
//! Of each fetch we write two records, the request before the response, so that a response that
//! is whole says that both are. Both name each other in `WARC-Concurrent-To`. A response that
//! brought nothing new is a `revisit`: its head, without a body, and in `WARC-Refers-To-Date` when
//! the body came that still holds.

use std::fmt::{Display, Write};

use base::Timestamp;
use base::limits::HEAD_BYTES;
use data_encoding::BASE32;
use sha1::{Digest, Sha1};

use crate::http::head_end;

/// What a record is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// How the file came to be.
    Warcinfo,
    /// What was sent to a server.
    Request,
    /// What a server sent.
    Response,
    /// That a server sent nothing new.
    Revisit,
    /// Anything else: metadata, resource, conversion, or a type yet to be invented.
    Other,
}

/// A head being written.
#[derive(Debug)]
pub(crate) struct Head(String);

impl Head {
    /// Begins the head of a record.
    pub(crate) fn new(kind: &str, id: &str, date: Timestamp) -> Self {
        Self("WARC/1.1\r\n".to_owned())
            .field("WARC-Type", kind)
            .field("WARC-Record-ID", id)
            .field("WARC-Date", date_text(date))
    }

    /// Adds a field.
    pub(crate) fn field(mut self, name: &str, value: impl Display) -> Self {
        write!(self.0, "{name}: ").expect("strings take all writes");
        let start = self.0.len();
        write!(self.0, "{value}").expect("strings take all writes");
        // A line break in a value would begin a field of the stranger's choice.
        if self.0[start..].contains(char::is_control) {
            let clean = one_line(&self.0[start..]);
            self.0.truncate(start);
            self.0.push_str(&clean);
        }
        self.0.push_str("\r\n");
        self
    }

    /// Adds a field if there is a value for it.
    pub(crate) fn maybe(self, name: &str, value: Option<impl Display>) -> Self {
        match value {
            Some(value) => self.field(name, value),
            None => self,
        }
    }

    /// Ends the head.
    pub(crate) fn finish(self, block_len: usize) -> String {
        let mut text = self.field("Content-Length", block_len).0;
        text.push_str("\r\n");
        text
    }
}

/// What ends every record.
pub(crate) const RECORD_END: &[u8] = b"\r\n\r\n";

/// Returns a text without control characters.
pub(crate) fn one_line(text: &str) -> String {
    text.replace(char::is_control, " ")
}

/// The fields of a head that was read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Fields(Vec<(String, String)>);

impl Fields {
    /// Reads the head at the beginning of `bytes`; returns its fields and where the block begins.
    pub(crate) fn parse(bytes: &[u8]) -> Result<(Self, usize), &'static str> {
        let end = head_end(&bytes[..bytes.len().min(HEAD_BYTES)]).ok_or(NO_HEAD_END)?;
        let text = String::from_utf8_lossy(&bytes[..end]);
        let mut lines = text.lines();
        if !is_version(lines.next().unwrap_or_default()) {
            return Err(NOT_WARC);
        }
        let mut fields: Vec<(String, String)> = Vec::new();
        for line in lines.take_while(|line| !line.is_empty()) {
            match (line.strip_prefix([' ', '\t']), fields.last_mut()) {
                // A value may go on in the next line.
                (Some(more), Some((_, value))) => {
                    value.push(' ');
                    value.push_str(more.trim());
                }
                _ => {
                    let (name, value) = line.split_once(':').ok_or("a field without a name")?;
                    fields.push((name.trim().to_owned(), value.trim().to_owned()));
                }
            }
        }
        Ok((Self(fields), end))
    }

    /// Returns the first value of a field, by its name in any case.
    ///
    /// Fields that we do not know are nobody's business; one that is repeated against the rules
    /// counts once.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.all(name).next()
    }

    /// Returns the length of the block.
    ///
    /// Two different ones would let two readers see two different archives: refused.
    pub(crate) fn content_length(&self) -> Result<u64, &'static str> {
        let mut lengths = self.all("Content-Length");
        let first = lengths.next().ok_or("no Content-Length")?;
        if lengths.any(|other| other != first) {
            return Err("two different Content-Lengths");
        }
        let is_number = !first.is_empty() && first.bytes().all(|byte| byte.is_ascii_digit());
        first.parse().ok().filter(|_| is_number).ok_or("Content-Length is not a number")
    }

    /// Returns what the record is about.
    pub(crate) fn kind(&self) -> Kind {
        match self.get("WARC-Type").unwrap_or_default().to_ascii_lowercase().as_str() {
            "warcinfo" => Kind::Warcinfo,
            "request" => Kind::Request,
            "response" => Kind::Response,
            "revisit" => Kind::Revisit,
            _ => Kind::Other,
        }
    }

    fn all<'a>(&'a self, name: &str) -> impl Iterator<Item = &'a str> {
        self.0
            .iter()
            .filter(move |(is, _)| is.eq_ignore_ascii_case(name))
            .map(|(_, is)| is.as_str())
    }
}

const NO_HEAD_END: &str = "its head does not end";
const NOT_WARC: &str = "not a WARC record";

fn is_version(line: &str) -> bool {
    matches!(line.trim_end(), "WARC/1.1" | "WARC/1.0" | "WARC/0.18" | "WARC/0.17")
}

/// Returns the digest of `parts`, one after the other, in the form of digest fields.
pub(crate) fn digest(parts: &[&[u8]]) -> String {
    let mut hasher = Sha1::new();
    for part in parts {
        hasher.update(part);
    }
    format!("sha1:{}", BASE32.encode(&hasher.finalize()))
}

/// Returns a name for a record, made of what tells it from all others.
///
/// The same record gets the same name each time: a UUID of version 8 (RFC 9562), the bits of
/// which the maker chooses; ours are those of a hash.
pub(crate) fn record_id(parts: &[&[u8]]) -> String {
    let mut hasher = Sha1::new();
    for part in parts {
        hasher.update((part.len() as u64).to_le_bytes());
        hasher.update(part);
    }
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&hasher.finalize()[..16]);
    bytes[6] = bytes[6] & 0x0f | 0x80;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let hex = format!("{:032x}", u128::from_be_bytes(bytes));
    let (a, b, c, d, e) = (&hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..]);
    format!("<urn:uuid:{a}-{b}-{c}-{d}-{e}>")
}

/// Returns a date to the millisecond, so that a record read back is as it was.
pub(crate) fn date_text(date: Timestamp) -> String {
    let whole = date.rfc3339();
    let millis = date.as_millis().max(0) % 1000;
    format!("{}.{millis:03}Z", whole.trim_end_matches('Z'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn length(fields: &str, expected: Result<u64, &str>) {
        let head = format!("WARC/1.1\r\n{fields}\r\n");
        let (fields, end) = Fields::parse(head.as_bytes()).unwrap();
        assert_eq!((fields.content_length(), end), (expected, head.len()));
    }

    #[test]
    fn lengths_are_refused_when_they_can_be_read_two_ways() {
        length("Content-Length: 12\r\n", Ok(12));
        length("content-LENGTH:12\r\ncontent-length: 12\r\n", Ok(12));
        length(
            "Content-Length: 12\r\nContent-Length: 13\r\n",
            Err("two different Content-Lengths"),
        );
        length("WARC-Type: response\r\n", Err("no Content-Length"));
        for odd in ["", "-1", "+1", "1x", "0x10", "99999999999999999999", "1 2"] {
            length(&format!("Content-Length: {odd}\r\n"), Err("Content-Length is not a number"));
        }
    }

    #[test]
    fn unknown_types_and_repeated_fields_are_no_errors() {
        let head = b"WARC/1.0\r\nWARC-Type: poem\r\nX-New: 1\r\nX-New: 2\r\n more\r\n\r\nrest";
        let (fields, end) = Fields::parse(head).unwrap();
        assert_eq!(
            (fields.kind(), fields.get("x-new"), end),
            (Kind::Other, Some("1"), head.len() - 4)
        );
    }

    #[test]
    fn what_is_not_a_head_is_refused() {
        assert_eq!(Fields::parse(b"HTTP/1.1 200 OK\r\n\r\n"), Err(NOT_WARC));
        assert_eq!(Fields::parse(b"WARC/9.9\r\n\r\n"), Err(NOT_WARC));
        assert_eq!(Fields::parse(b""), Err(NO_HEAD_END));
        let long = format!("WARC/1.1\r\na: {}\r\n\r\n", "b".repeat(HEAD_BYTES));
        assert_eq!(Fields::parse(long.as_bytes()), Err(NO_HEAD_END));
    }

    #[test]
    fn a_value_cannot_begin_a_field() {
        let head = Head::new("warcinfo", "<x>", Timestamp::from_millis(1_001));
        let text = head.field("operator", "a\r\nContent-Length: 9").finish(3);
        assert!(text.contains("operator: a  Content-Length: 9\r\nContent-Length: 3\r\n\r\n"));
        assert!(text.contains("WARC-Date: 1970-01-01T00:00:01.001Z\r\n"));
    }

    #[test]
    fn names_are_uuids_made_of_their_parts() {
        let name = record_id(&[b"a", b"bc"]);
        assert_eq!(name, record_id(&[b"a", b"bc"]));
        assert_ne!(name, record_id(&[b"ab", b"c"]));
        assert_eq!((name.len(), &name[24..25]), (47, "8"));
    }
}
