//! The page log: every [`PageRecord`] in the order of the archive.
//!
//! A [`log`] in `pages/` with one record per frame:
//!
//! ```text
//! payload = plain_len: u32 le | zstd(postcard(PageRecord))
//! ```

use std::path::Path;

use thiserror::Error;

use crate::PageRecord;
use crate::log::{self, Kind, Options, Position, Tail};

/// What the page log's segments say they are. Version 1: the fields of [`PageRecord`] in order.
/// Fields are only added, at the end; a record that ends before them has empty ones.
pub const KIND: Kind = Kind { name: *b"PAGE", version: 1 };

/// Largest record after decompression; far above what the limits of `parse` let through.
const RECORD_BYTES: usize = 64 * 1024 * 1024;

/// What can go wrong with the page log.
#[derive(Debug, Error)]
pub enum Error {
    /// The log itself.
    #[error(transparent)]
    Log(#[from] log::Error),
    /// A frame whose checksum holds, but that is no record of this version.
    #[error("the record at {}:{} of the page log cannot be read", at.segment, at.offset)]
    Record {
        /// Where it lies.
        at: Position,
    },
}

/// Appends records.
#[derive(Debug)]
pub struct Writer(log::Writer);

/// Reads records from a position on.
#[derive(Debug)]
pub struct Reader(log::Reader);

/// A record and where it lies.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Where it begins.
    pub start: Position,
    /// Checkpoint to store once the record has been used.
    pub end: Position,
    /// The record.
    pub record: PageRecord,
}

impl Writer {
    /// Opens the page log in `folder`, cutting off an unfinished end.
    pub fn open(folder: &Path) -> Result<Self, Error> {
        Ok(Self(log::Writer::open(folder, KIND, Options::default())?))
    }

    /// Appends a record and returns where it begins. It is durable after [`Self::sync`].
    pub fn append(&mut self, record: &PageRecord) -> Result<Position, Error> {
        Ok(self.0.append(&encode(record))?)
    }

    /// Makes all appended records durable and wakes the readers of this process.
    pub fn sync(&mut self) -> Result<Position, Error> {
        Ok(self.0.sync()?)
    }

    /// Returns the position behind the last record.
    pub fn end(&self) -> Position {
        self.0.end()
    }

    /// Returns how many bytes of an unfinished write were cut off at opening.
    pub fn cut_bytes(&self) -> u64 {
        self.0.cut_bytes()
    }

    /// Returns what tells readers in this process how far the log is durable.
    pub fn tail(&self) -> Tail {
        self.0.tail()
    }
}

impl Reader {
    /// Opens the page log at a checkpoint or at [`Position::START`].
    pub fn open(folder: &Path, from: Position) -> Result<Self, Error> {
        Ok(Self(log::Reader::open(folder, KIND, from)?))
    }

    /// Like [`Self::open`], in the process that writes: sees only what is durable.
    pub fn follow(folder: &Path, from: Position, tail: Tail) -> Result<Self, Error> {
        Ok(Self(log::Reader::follow(folder, KIND, from, tail)?))
    }

    /// Returns the next record, or `None` at the present end; later calls see what was added.
    pub fn next_entry(&mut self) -> Result<Option<Entry>, Error> {
        let Some(frame) = self.0.next_frame()? else { return Ok(None) };
        let (start, end) = (frame.start, frame.end);
        let record = decode(&frame.payload).ok_or(Error::Record { at: start })?;
        Ok(Some(Entry { start, end, record }))
    }

    /// Returns the position behind the last record returned.
    pub fn position(&self) -> Position {
        self.0.position()
    }

    /// Returns where records begin that a crash left half erased; they were passed over.
    pub fn half_erased(&self) -> &[Position] {
        self.0.half_erased()
    }
}

/// Takes records out of the page log in place, each named by where it begins (C18).
///
/// Readers pass over them; everything else stays where it was. See [`log::erase`].
pub fn erase(folder: &Path, places: &[Position]) -> Result<(), Error> {
    Ok(log::erase(folder, KIND, places)?)
}

/// Reads the whole page log, verifying frames and records; returns its health.
pub fn check(folder: &Path) -> Result<log::Health, Error> {
    let mut reader = Reader::open(folder, Position::START)?;
    while reader.next_entry()?.is_some() {}
    Ok(log::check(folder, KIND)?)
}

fn encode(record: &PageRecord) -> Vec<u8> {
    let plain = postcard::to_stdvec(record).expect("records hold only plain data");
    // Level 1: text shrinks to a third at a few hundred MB a second.
    let packed = zstd::bulk::compress(&plain, 1).expect("compressing into memory does not fail");
    let plain_len = u32::try_from(plain.len()).unwrap_or(u32::MAX);
    [plain_len.to_le_bytes().as_slice(), &packed].concat()
}

fn decode(payload: &[u8]) -> Option<PageRecord> {
    let (plain_len, packed) = payload.split_first_chunk()?;
    let plain_len = u32::from_le_bytes(*plain_len) as usize;
    if plain_len > RECORD_BYTES {
        return None;
    }
    let plain = zstd::bulk::decompress(packed, plain_len).ok()?;
    postcard::from_bytes(&plain).ok().or_else(|| {
        // Written before the last fields existed: nothing and an empty list are both a zero.
        postcard::from_bytes(&[plain.as_slice(), &[0; ADDED_FIELDS]].concat()).ok()
    })
}

/// Fields that records of the first releases do not have: `listing`, `copy_of`.
const ADDED_FIELDS: usize = 2;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Block, Capture, ContentKind, Link, LinkKind, Oddity, PageId, Rel, RobotsFlags, Timestamp,
        Url, Zone,
    };

    fn record(index: u64) -> PageRecord {
        let url = Url::parse(&format!("http://a.example/{index}")).unwrap();
        let text = "A jaguar sleeps by the river.".to_owned();
        PageRecord {
            id: PageId::new(0, index).unwrap(),
            fetched: Timestamp::from_millis(1_763_285_400_000),
            status: 200,
            capture: Capture { file: 1, offset: index * 100, length: 99 },
            redirect: None,
            kind: ContentKind::Html,
            language: Some("en".to_owned()),
            title: "Jaguar".to_owned(),
            blocks: vec![Block { zone: Zone::Body, text }],
            links: vec![Link {
                target: url.join("/x").unwrap(),
                kind: LinkKind::Anchor,
                rel: Rel::default(),
                anchor: "more".to_owned(),
            }],
            robots: RobotsFlags::default(),
            text_hash: u128::MAX - u128::from(index),
            copy_of: None,
            listing: Vec::new(),
            body_bytes: 40_000,
            oddities: vec![Oddity::TypeMismatch],
            url,
        }
    }

    #[test]
    fn records_come_back_as_they_went() {
        let folder = tempfile::tempdir().unwrap();
        let mut writer = Writer::open(folder.path()).unwrap();
        for index in 0..20 {
            writer.append(&record(index)).unwrap();
        }
        writer.sync().unwrap();
        let mut reader = Reader::open(folder.path(), Position::START).unwrap();
        for index in 0..20 {
            assert_eq!(reader.next_entry().unwrap().unwrap().record, record(index));
        }
        assert!(reader.next_entry().unwrap().is_none());
        assert_eq!(check(folder.path()).unwrap().num_frames, 20);
    }

    #[test]
    fn version_1_stays_readable() {
        let stored = include_bytes!("../tests/data/pages-v1.log");
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("0000000001.log"), stored).unwrap();
        let mut reader = Reader::open(folder.path(), Position::START).unwrap();
        assert_eq!(reader.next_entry().unwrap().unwrap().record, record(0));
        assert_eq!(reader.next_entry().unwrap().unwrap().record, record(1));
        assert!(reader.next_entry().unwrap().is_none());
    }
}
