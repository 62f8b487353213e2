//! Stores every response as it came over the wire, as WARC files that others' tools read (P1).
//!
//! - Place in the flow: `crawl` appends responses, `parse` and the cached copy read them.
//! - Reads and writes: `archive/0000001.warc.gz` …, each with its `0000001.cdxj` once closed
//!   and with `0000001.cdxj.open` while it is written.
//! - Start at: [`Writer::append`], [`Writer::append_revisit`], [`Reader::captures_from`] and [`read()`]; [`foreign`] for what
//!   others have archived.
//! - Promises: a capture is there after a crash once [`Writer::sync`] returned; a closed file is
//!   never changed, but by [`erase()`] in place; nothing behind a damaged byte is believed unless our own index says that a
//!   record begins there; [`check()`] finds every flipped bit.
//! - Does not: decode, parse or deduplicate bodies, or read the clock.
//!
//! # A folder
//!
//! ```text
//! NNNNNNN.warc.gz    gzip member per record: warcinfo (request (response | revisit))*  see `warc`
//! NNNNNNN.cdxj       its captures for others' tools, sorted; there when the file is closed
//! NNNNNNN.cdxj.open  its captures so far, each line checksummed                see `cdxj`
//! ```
//! The WARC files are the truth; both indexes are derived and are rebuilt when they are missing.
//!
//! # Why our own reader and writer
//!
//! The format is small. The `fastwarc` crate (2.0) reserves memory by what a record claims to be
//! long, takes a missing or garbled length for zero, and draws random record names; we promise
//! the opposite of all three. `warcio` cross-checks what we write in the tests.

mod cdxj;
mod check;
mod close;
mod erase;
mod fetch;
mod folder;
pub mod foreign;
mod gzip;
mod http;
mod known;
mod reader;
mod records;
mod warc;
mod writer;

use std::io;
use std::net::IpAddr;
use std::path::PathBuf;

use base::{Capture, Timestamp, Url};
use thiserror::Error;

pub use check::{Health, check, check_shown};
pub use erase::{erase, erase_shown, find, find_shown};
pub use known::Known;
pub use reader::{Captures, Reader, reaches, read};
pub use records::{Record, Records};
pub use warc::Kind;
pub use writer::{Options, Writer};

/// Longest body, in bytes: far above what any stage fetches, and small enough to hold in memory.
pub const BODY_BYTES: usize = 64 * 1024 * 1024;

/// One fetch, to be archived.
#[derive(Clone, Copy, Debug)]
pub struct Response<'a> {
    /// What was asked for.
    pub url: &'a Url,
    /// When the response arrived.
    pub fetched: Timestamp,
    /// The server that answered.
    pub address: Option<IpAddr>,
    /// The request as sent, up to its empty line; no request record is written if this is empty.
    pub request: &'a [u8],
    /// Status line and fields as received, up to the empty line. One in HTTP/2 is given in the
    /// form of HTTP/1.1.
    pub head: &'a [u8],
    /// The body as received: still content-encoded, its transfer encoding taken off.
    pub body: &'a [u8],
    /// Why the body is not complete, if it is not.
    pub cut: Option<Cut>,
}

/// Why a body ends early (`WARC-Truncated`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cut {
    /// Longer than we take.
    Length,
    /// Slower than we wait.
    Time,
    /// The connection broke.
    Disconnect,
}

/// One archived response, read back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Captured {
    /// The address as the record has it.
    pub target: String,
    /// The address; `None` only in records that we did not write.
    pub url: Option<Url>,
    /// Where the record lies.
    pub capture: Capture,
    /// When the response arrived.
    pub fetched: Timestamp,
    /// The server that answered.
    pub address: Option<IpAddr>,
    /// Status line and fields, up to the empty line. As given to [`Writer::append`], but for the
    /// field `Transfer-Encoding`, which is called `X-Crawl-Transfer-Encoding` now that the body
    /// has none.
    pub head: Vec<u8>,
    /// The body, still content-encoded.
    pub body: Vec<u8>,
    /// Why the body is not complete, if it is not.
    pub cut: Option<Cut>,
    /// Set if the response brought nothing new: the body is not here but in an earlier capture.
    pub revisit: Option<Revisit>,
}

/// Why a response has no body of its own in the archive (`WARC-Profile`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Revisit {
    /// The server said that nothing has changed (304).
    NotModified,
    /// The server sent the same body again.
    SamePayload,
}

impl Revisit {
    fn profile(self) -> &'static str {
        match self {
            Self::NotModified => "http://netpreserve.org/warc/1.1/revisit/server-not-modified",
            Self::SamePayload => "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest",
        }
    }

    /// Profiles of other makers and of WARC 1.0 say the same under other addresses.
    fn of_profile(profile: &str) -> Self {
        match profile.to_ascii_lowercase().ends_with("not-modified") {
            true => Self::NotModified,
            false => Self::SamePayload,
        }
    }
}

impl Captured {
    /// Returns the HTTP status, or `None` if the status line has none.
    pub fn status(&self) -> Option<u16> {
        http::status(&self.head)
    }

    /// Returns the first value of a field of the response, by its name in any case.
    pub fn field(&self, name: &str) -> Option<&[u8]> {
        http::field(&self.head, name)
    }
}

/// What can go wrong with an archive.
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
    /// The file ends within a record.
    #[error("the record at byte {offset} of `{}` is cut off", path.display())]
    Torn {
        /// The archive file.
        path: PathBuf,
        /// First byte of the record.
        offset: u64,
    },
    /// A record is not what it should be.
    #[error("damaged record at byte {offset} of `{}`: {reason}", path.display())]
    Damaged {
        /// The archive file.
        path: PathBuf,
        /// First byte of the record.
        offset: u64,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// An index does not say what its archive file holds.
    #[error("the index `{}` does not fit its archive file", path.display())]
    Index {
        /// The index.
        path: PathBuf,
    },
    /// A line of somebody's collection cannot be used.
    #[error("line {number} of `{}` cannot be used: {reason}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// Number of the line, from 1.
        number: u64,
        /// What is wrong with it.
        reason: String,
    },
    /// More than a record may hold.
    #[error("a {part} of {bytes} bytes is more than the {limit} that fit a record")]
    TooLarge {
        /// What is too large.
        part: &'static str,
        /// Its size.
        bytes: usize,
        /// The largest that fits.
        limit: usize,
    },
    /// An earlier sync failed. The system may have dropped what was to be written, so nothing
    /// more is promised until the archive is opened again.
    #[error("an earlier write to `{}` could not be made durable", path.display())]
    Unsynced {
        /// The archive file.
        path: PathBuf,
    },
}

impl Error {
    /// Returns the byte at which the record in question begins, if the error is about a record.
    fn offset(&self) -> Option<u64> {
        match self {
            Self::Torn { offset, .. } | Self::Damaged { offset, .. } => Some(*offset),
            _ => None,
        }
    }
}
