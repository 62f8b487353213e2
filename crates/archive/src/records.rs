//! Goes through the records of one WARC file, ours or somebody else's.

use std::fs::File;
use std::io::{BufRead, Read};
use std::path::{Path, PathBuf};

use base::limits::HEAD_BYTES;

use crate::gzip::{Fault, Source};
use crate::warc::{Fields, digest};
use crate::{BODY_BYTES, Error, Kind, http};

/// Reads the records of a WARC file in order: gzip by record, or not compressed.
///
/// Versions 0.17 to 1.1. A record that breaks the rules is an error in its place; reading goes on
/// behind it where the file tells where that is, and ends otherwise. Never more than one record
/// is in memory, and none larger than [`BODY_BYTES`] and its heads.
#[derive(Debug)]
pub struct Records {
    path: PathBuf,
    source: Source,
    packing: Packing,
    state: State,
}

/// One record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    fields: Fields,
    /// What it holds.
    pub block: Vec<u8>,
    /// First byte of the record in its file.
    pub offset: u64,
    /// Bytes of the file that it takes.
    pub length: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Packing {
    Gzip,
    Plain,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Going,
    /// Nothing tells where the next record would begin.
    Lost,
    Ended,
}

/// Largest block: a body, and a head that grew by renamed fields.
pub(crate) const BLOCK_BYTES: usize = BODY_BYTES + 2 * HEAD_BYTES;
/// Largest record.
const RECORD_BYTES: usize = BLOCK_BYTES + HEAD_BYTES;

const TOO_LARGE: &str = "larger than a record may be";

impl Records {
    /// Opens a WARC file.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let mut records = Self::open_packed(path, 0)?;
        let start = records.source.fill_buf().map_err(|source| records_failed(path, source))?;
        if !start.is_empty() && !start.starts_with(b"\x1f") {
            records.packing = Packing::Plain;
        }
        Ok(records)
    }

    /// Opens a WARC file that is known to be gzip by record, where a record begins.
    pub(crate) fn open_packed(path: &Path, offset: u64) -> Result<Self, Error> {
        let file = File::open(path).map_err(|source| Error::File {
            action: "open",
            path: path.to_owned(),
            source,
        })?;
        let source = Source::new(file, offset);
        Ok(Self { path: path.to_owned(), source, packing: Packing::Gzip, state: State::Going })
    }

    /// Returns whether reading ended because the next record cannot be found.
    pub(crate) fn is_lost(&self) -> bool {
        self.state == State::Lost
    }

    /// Goes on at a byte at which a record is known to begin.
    pub(crate) fn resume(&mut self, offset: u64) {
        self.source.seek(offset);
        self.state = State::Going;
    }

    /// Returns the checksum of the file's bytes read since the last call.
    pub(crate) fn take_crc(&mut self) -> u32 {
        self.source.take_crc()
    }

    /// Returns where the next record begins.
    pub(crate) fn position(&self) -> u64 {
        self.source.position()
    }

    /// Returns the size of the file.
    pub(crate) fn file_len(&self) -> Result<u64, Error> {
        self.source.file_len().map_err(|source| records_failed(&self.path, source))
    }

    fn next_packed(&mut self) -> Option<Result<Record, Error>> {
        let offset = self.source.position();
        let content = match self.source.next_member(RECORD_BYTES) {
            Ok(Some(content)) => content,
            Ok(None) => {
                self.state = State::Ended;
                return None;
            }
            Err(fault) => {
                self.state = State::Lost;
                return Some(Err(self.fault(fault, offset)));
            }
        };
        let length = self.source.position() - offset;
        let record =
            unframed(content).map(|(fields, block)| Record { fields, block, offset, length });
        Some(record.map_err(|reason| self.damaged(offset, reason)))
    }

    fn next_plain(&mut self) -> Option<Result<Record, Error>> {
        self.state = State::Lost;
        match self.read_plain() {
            Ok(Some(record)) => {
                self.state = State::Going;
                Some(Ok(record))
            }
            Ok(None) => {
                self.state = State::Ended;
                None
            }
            Err(error) => Some(Err(error)),
        }
    }

    fn read_plain(&mut self) -> Result<Option<Record>, Error> {
        let failed = |source| records_failed(&self.path, source);
        while matches!(self.source.fill_buf().map_err(failed)?.first(), Some(b'\r' | b'\n')) {
            self.source.consume(1);
        }
        let offset = self.source.position();
        let mut head = Vec::new();
        loop {
            let (start, room) = (head.len(), (HEAD_BYTES - head.len()) as u64);
            let count = self.source.by_ref().take(room).read_until(b'\n', &mut head);
            match count.map_err(failed)? {
                0 if start == 0 => return Ok(None),
                0 if room > 0 => return Err(Error::Torn { path: self.path.clone(), offset }),
                0 => return Err(self.damaged(offset, "its head does not end")),
                _ if matches!(&head[start..], b"\n" | b"\r\n") => break,
                _ => {}
            }
        }
        let (fields, _) = Fields::parse(&head).map_err(|reason| self.damaged(offset, reason))?;
        let length = fields.content_length().map_err(|reason| self.damaged(offset, reason))?;
        if length > self.file_len()?.saturating_sub(self.source.position()) {
            return Err(Error::Torn { path: self.path.clone(), offset });
        }
        if length > BLOCK_BYTES as u64 {
            return Err(self.damaged(offset, TOO_LARGE));
        }
        let mut block = Vec::new();
        self.source.by_ref().take(length).read_to_end(&mut block).map_err(failed)?;
        if (block.len() as u64) < length {
            return Err(Error::Torn { path: self.path.clone(), offset });
        }
        let length = self.source.position() - offset;
        Ok(Some(Record { fields, block, offset, length }))
    }

    fn fault(&self, fault: Fault, offset: u64) -> Error {
        match fault {
            Fault::Torn => Error::Torn { path: self.path.clone(), offset },
            Fault::Damaged => self.damaged(offset, "not a whole gzip member"),
            Fault::TooLarge => self.damaged(offset, TOO_LARGE),
            Fault::Failed(source) => records_failed(&self.path, source),
        }
    }

    fn damaged(&self, offset: u64, reason: &'static str) -> Error {
        Error::Damaged { path: self.path.clone(), offset, reason }
    }
}

impl Iterator for Records {
    type Item = Result<Record, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        match (self.state, self.packing) {
            (State::Going, Packing::Gzip) => self.next_packed(),
            (State::Going, Packing::Plain) => self.next_plain(),
            (State::Lost | State::Ended, _) => None,
        }
    }
}

impl Record {
    /// Returns what the record is about.
    pub fn kind(&self) -> Kind {
        self.fields.kind()
    }

    /// Returns the first value of a field, by its name in any case.
    pub fn field(&self, name: &str) -> Option<&str> {
        self.fields.get(name)
    }

    /// Returns whether the record holds what a web server answered, be it that nothing is new.
    pub fn is_capture(&self) -> bool {
        let media = self.field("Content-Type").unwrap_or_default().to_ascii_lowercase();
        matches!(self.kind(), Kind::Response | Kind::Revisit)
            && media.starts_with("application/http")
    }

    /// Returns what is wrong with the digests; a digest that is not there is not wrong, nor is
    /// one by another method than ours.
    pub(crate) fn digest_fault(&self) -> Option<&'static str> {
        let differs = |name, content: &[u8]| {
            self.field(name)
                .filter(|told| told.to_ascii_lowercase().starts_with("sha1:"))
                .is_some_and(|told| !told.eq_ignore_ascii_case(&digest(&[content])))
        };
        if differs("WARC-Block-Digest", &self.block) {
            return Some("its block has another digest");
        }
        if self.kind() == Kind::Revisit {
            // The digest is that of a body which lies elsewhere.
            return None;
        }
        let body = &self.block[http::head_end(&self.block).unwrap_or(0)..];
        differs("WARC-Payload-Digest", body).then_some("its payload has another digest")
    }
}

/// Takes a member apart that must hold exactly one record.
fn unframed(mut content: Vec<u8>) -> Result<(Fields, Vec<u8>), &'static str> {
    let (fields, start) = Fields::parse(&content)?;
    let length = fields.content_length()?;
    let room = content.len() - start;
    let length = usize::try_from(length).ok().filter(|length| *length <= room);
    let end = start + length.ok_or("shorter than its Content-Length")?;
    // The rules ask for two line breaks; some writers leave them away.
    if content[end..].iter().any(|byte| !matches!(byte, b'\r' | b'\n')) {
        return Err("longer than its Content-Length");
    }
    content.truncate(end);
    content.drain(..start);
    Ok((fields, content))
}

fn records_failed(path: &Path, source: std::io::Error) -> Error {
    Error::File { action: "read", path: path.to_owned(), source }
}
