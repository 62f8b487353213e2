//! The page log: every [`PageRecord`] in the order of the archive.
//!
//! A [`log`] in `pages/` with one record per frame:
//!
//! ```text
//! payload = plain_len: u32 le | zstd(postcard(PageRecord))
//! ```

use std::cell::RefCell;
use std::path::Path;

use thiserror::Error;

use crate::log::{self, Kind, Options, Position, Tail};
use crate::{Capture, ContentKind, LinkKind, PageId, PageRecord, Rel, Timestamp, Zone};

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
pub struct Writer {
    log: log::Writer,
    packer: Packer,
}

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
        let log = log::Writer::open(folder, KIND, Options::default())?;
        Ok(Self { log, packer: Packer::new() })
    }

    /// Appends a record and returns where it begins. It is durable after [`Self::sync`].
    pub fn append(&mut self, record: &PageRecord) -> Result<Position, Error> {
        Ok(self.log.append(self.packer.encode(record))?)
    }

    /// Makes all appended records durable and wakes the readers of this process.
    pub fn sync(&mut self) -> Result<Position, Error> {
        Ok(self.log.sync()?)
    }

    /// Returns the position behind the last record.
    pub fn end(&self) -> Position {
        self.log.end()
    }

    /// Returns how many bytes of an unfinished write were cut off at opening.
    pub fn cut_bytes(&self) -> u64 {
        self.log.cut_bytes()
    }

    /// Returns what tells readers in this process how far the log is durable.
    pub fn tail(&self) -> Tail {
        self.log.tail()
    }

    /// Tells those who hold `tail` from now on, which they have from an earlier writer.
    pub fn tell(&mut self, tail: Tail) {
        self.log.tell(tail);
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
        let found = self.next_with(|plain| decode(plain))?;
        Ok(found.map(|(record, start, end)| Entry { start, end, record }))
    }

    /// Like [`Self::next_entry`], with an empty list of links: many texts to copy and addresses to
    /// look through, for which not every stage has a use.
    pub fn next_without_links(&mut self) -> Result<Option<Entry>, Error> {
        let found = self.next_with(|plain| decode(without_links(plain)?))?;
        Ok(found.map(|(record, start, end)| Entry { start, end, record }))
    }

    /// Passes over the next record, and returns which page it is of, where it begins and where it
    /// ends.
    pub fn next_id(&mut self) -> Result<Option<(PageId, Position, Position)>, Error> {
        self.next_with(|plain| Some(postcard::take_from_bytes(plain).ok()?.0))
    }

    fn next_with<T>(
        &mut self,
        read: impl FnOnce(&mut [u8]) -> Option<T>,
    ) -> Result<Option<(T, Position, Position)>, Error> {
        let Some(frame) = self.0.next_frame()? else { return Ok(None) };
        let found = unpack(&frame.payload, read).ok_or(Error::Record { at: frame.start })?;
        Ok(Some((found, frame.start, frame.end)))
    }

    /// Goes on at another record, by where it begins; what was open stays so if it can.
    pub fn seek(&mut self, to: Position) -> Result<(), Error> {
        Ok(self.0.seek(to)?)
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

/// Makes records small. Its buffers and the compressor's state, a good half megabyte, are used
/// again for every record: to make them anew costs as much as to compress a short page.
struct Packer {
    compressor: zstd::bulk::Compressor<'static>,
    plain: Vec<u8>,
    payload: Vec<u8>,
}

impl Packer {
    fn new() -> Self {
        // Level 1: text shrinks to a third at a few hundred MB a second.
        let compressor = zstd::bulk::Compressor::new(1).expect("level 1 exists");
        Self { compressor, plain: Vec::new(), payload: Vec::new() }
    }

    /// Returns the payload of a record's frame.
    fn encode(&mut self, record: &PageRecord) -> &[u8] {
        self.plain.clear();
        let plain = std::mem::take(&mut self.plain);
        self.plain = postcard::to_extend(record, plain).expect("records hold only plain data");
        let plain_len = u32::try_from(self.plain.len()).unwrap_or(u32::MAX);
        const HEAD: usize = size_of::<u32>();
        self.payload.resize(HEAD + zstd::zstd_safe::compress_bound(self.plain.len()), 0);
        let packed = self.compressor.compress_to_buffer(&self.plain, &mut self.payload[HEAD..]);
        self.payload[..HEAD].copy_from_slice(&plain_len.to_le_bytes());
        self.payload.truncate(HEAD + packed.expect("the buffer holds the worst case"));
        self.release();
        &self.payload
    }

    /// Lets go of what only a giant page needed.
    fn release(&mut self) {
        if self.plain.capacity() > KEPT_BYTES {
            self.plain = Vec::new();
            self.payload.shrink_to(KEPT_BYTES);
        }
    }
}

/// Most room kept between records.
const KEPT_BYTES: usize = 1024 * 1024;

thread_local! {
    /// Its state and its buffer are used again for every record, as the [`Packer`]'s are.
    static UNPACKER: RefCell<(zstd::bulk::Decompressor<'static>, Vec<u8>)> = RefCell::default();
}

/// Unpacks a frame's payload for somebody who reads it.
fn unpack<T>(payload: &[u8], read: impl FnOnce(&mut [u8]) -> Option<T>) -> Option<T> {
    let (plain_len, packed) = payload.split_first_chunk()?;
    let plain_len = Some(u32::from_le_bytes(*plain_len) as usize).filter(|n| *n <= RECORD_BYTES)?;
    UNPACKER.with_borrow_mut(|(unpacker, plain)| {
        plain.clear();
        plain.reserve(plain_len);
        unpacker.decompress_to_buffer(packed, plain).ok()?;
        let found = read(plain);
        if plain.capacity() > KEPT_BYTES {
            *plain = Vec::new();
        }
        found
    })
}

fn decode(plain: &[u8]) -> Option<PageRecord> {
    postcard::from_bytes(plain).ok().or_else(|| {
        // Written before the last fields existed: nothing, an empty text and an empty list are
        // all a zero, and what a record does not need is not read.
        postcard::from_bytes(&[plain, &[0; ADDED_BYTES]].concat()).ok()
    })
}

/// What a record begins with, up to its links, as it is stored: texts stay where they are.
type BeforeLinks<'a> = (
    PageId,
    &'a str,
    Timestamp,
    u16,
    Capture,
    Option<&'a str>,
    ContentKind,
    Option<&'a str>,
    &'a str,
    Vec<(Zone, &'a str)>,
);
/// A link as it is stored.
type StoredLink<'a> = (&'a str, LinkKind, Rel, &'a str);

/// Takes the links out of a stored record: what stands before them moves up to what follows.
fn without_links(plain: &mut [u8]) -> Option<&[u8]> {
    let (_, rest) = postcard::take_from_bytes::<BeforeLinks<'_>>(plain).ok()?;
    let before = plain.len() - rest.len();
    let (_, rest) = postcard::take_from_bytes::<Vec<StoredLink<'_>>>(rest).ok()?;
    // The last byte of the list is left, for an empty one.
    let empty = plain.len() - rest.len() - 1;
    plain[empty] = 0;
    plain.copy_within(..before, empty - before);
    Some(&plain[empty - before..])
}

/// As many zeros as the fields that records of the first release do not have, `listing` and what
/// follows it, take when they are empty, or more.
const ADDED_BYTES: usize = 32;
