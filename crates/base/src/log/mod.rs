//! A framed, segmented, append-only log: what travels between stages and survives crashes.
//!
//! A log is a folder of segments `0000000001.log`, `0000000002.log`, …:
//!
//! ```text
//! segment = header | frame*
//! header  = "LOOKFLOG" | kind: [u8; 4] | version: u32 le | number: u32 le | crc32: u32 le
//! frame   = len: u32 le | crc32(len, payload): u32 le | payload: [u8; len]
//! ```
//! Cut at any byte, everything before the cut is readable and nothing after it is believed: a
//! frame counts only when all of it is there and its checksum holds. The checksum covers the
//! length, so a tail of zeros is no frame. A frame can be erased in place; see [`erase()`].

mod erase;
mod reader;
mod writer;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use thiserror::Error;

pub use erase::erase;
pub use reader::{Frame, Reader};
pub use writer::{Options, Writer};

/// What a log holds, so that one is not read as the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    /// Four letters.
    pub name: [u8; 4],
    /// Version of the payload's format.
    pub version: u32,
}

/// A place between two frames. Ordered as the log is.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub struct Position {
    /// Number of the segment, from 1; 0 stands for the beginning of the log.
    pub segment: u32,
    /// Byte in the segment.
    pub offset: u64,
}

impl Position {
    /// The beginning of any log.
    pub const START: Self = Self { segment: 0, offset: 0 };
}

/// What can go wrong with a log.
#[derive(Debug, Error)]
pub enum Error {
    /// The system refused a file operation.
    #[error("cannot {action} `{}`", path.display())]
    File {
        /// What was tried.
        action: &'static str,
        /// On which file.
        path: PathBuf,
        /// Why not.
        #[source]
        source: io::Error,
    },
    /// A segment has another kind, a newer version or a broken header.
    #[error("`{}` is not a readable log segment: {reason}", path.display())]
    Foreign {
        /// The segment.
        path: PathBuf,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// A frame is damaged, and it is not the unfinished end of the log.
    #[error("damaged frame at byte {offset} of `{}`", path.display())]
    Damaged {
        /// The segment.
        path: PathBuf,
        /// First byte of the frame.
        offset: u64,
    },
    /// A reader was asked to go on behind the end of the log.
    #[error("position {segment}:{offset} lies behind the end of the log in `{}`", path.display())]
    PastEnd {
        /// The folder.
        path: PathBuf,
        /// Asked segment.
        segment: u32,
        /// Asked byte.
        offset: u64,
    },
    /// A payload is larger than a frame may be.
    #[error("a record of {len} bytes does not fit a frame")]
    TooLarge {
        /// Its size.
        len: usize,
    },
}

/// Tells readers in the same process how far the log is durable, and wakes them.
#[derive(Clone, Debug, Default)]
pub struct Tail(Arc<(Mutex<Position>, Condvar)>);

impl Tail {
    /// Returns the end of what is durable.
    pub fn durable(&self) -> Position {
        *self.0.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until the log is durable beyond `position`, at most `limit`; returns the end then.
    pub fn wait_beyond(&self, position: Position, limit: Duration) -> Position {
        let guard = self.0.0.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.0.1.wait_timeout_while(guard, limit, |durable| *durable <= position);
        *waited.unwrap_or_else(PoisonError::into_inner).0
    }

    fn publish(&self, position: Position) {
        *self.0.0.lock().unwrap_or_else(PoisonError::into_inner) = position;
        self.0.1.notify_all();
    }
}

/// What [`check`] found in a log.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Health {
    /// Whole frames.
    pub num_frames: u64,
    /// Bytes behind the last whole frame: an unfinished write that the next open cuts off.
    pub torn_bytes: u64,
    /// Where the last whole frame ends.
    pub end: Position,
}

/// Reads a whole log and verifies every checksum.
///
/// A torn end is reported, not an error; damage anywhere else is, and so is a frame that was not
/// erased to its end.
pub fn check(folder: &Path, kind: Kind) -> Result<Health, Error> {
    let mut reader = Reader::open(folder, kind, Position::START)?;
    let mut num_frames = 0;
    while reader.next_frame()?.is_some() {
        num_frames += 1;
    }
    if let Some(Position { segment, offset }) = reader.half_erased().first() {
        return Err(Error::Damaged { path: segment_path(folder, *segment), offset: *offset });
    }
    let (torn_bytes, end) = (reader.bytes_behind()?, reader.position());
    Ok(Health { num_frames, torn_bytes, end })
}

/// Returns how many bytes of a log lie before a position: for who shows how far a reader is.
///
/// What cannot be measured counts as nothing. Asks the system about each segment before it.
pub fn bytes_before(folder: &Path, position: Position) -> u64 {
    let numbers = segment_numbers(folder).unwrap_or_default();
    let before = numbers.into_iter().take_while(|number| *number < position.segment);
    let len = |number| std::fs::metadata(segment_path(folder, number)).map_or(0, |is| is.len());
    before.map(len).sum::<u64>() + position.offset
}

const MAGIC: &[u8; 8] = b"LOOKFLOG";
const HEADER_BYTES: u64 = 24;
const FRAME_HEAD_BYTES: u64 = 8;
/// Largest payload; a page record with all its limits used stays far below.
const PAYLOAD_BYTES: usize = 64 * 1024 * 1024;

/// What a frame begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Head {
    size: u32,
    crc: u32,
}

fn segment_path(folder: &Path, number: u32) -> PathBuf {
    folder.join(format!("{number:010}.log"))
}

/// Returns the numbers of the segments in a folder, ascending.
fn segment_numbers(folder: &Path) -> Result<Vec<u32>, Error> {
    let failed = |source| Error::File { action: "list", path: folder.to_owned(), source };
    let mut numbers = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let name = entry.map_err(failed)?.file_name();
        let number: Option<u32> =
            name.to_str().and_then(|name| name.strip_suffix(".log")?.parse().ok());
        numbers.extend(number);
    }
    numbers.sort_unstable();
    Ok(numbers)
}

fn header(kind: Kind, number: u32) -> [u8; HEADER_BYTES as usize] {
    let mut bytes = [0; HEADER_BYTES as usize];
    bytes[..8].copy_from_slice(MAGIC);
    bytes[8..12].copy_from_slice(&kind.name);
    bytes[12..16].copy_from_slice(&kind.version.to_le_bytes());
    bytes[16..20].copy_from_slice(&number.to_le_bytes());
    let crc = crc32fast::hash(&bytes[..20]);
    bytes[20..].copy_from_slice(&crc.to_le_bytes());
    bytes
}

fn frame_crc(len: [u8; 4], payload: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&len);
    hasher.update(payload);
    hasher.finalize()
}
