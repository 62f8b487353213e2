//! What the frontier remembers of URLs, hosts and robots.txt files.

use std::collections::BTreeMap;

use base::log::Position;
use base::{Capture, Host, PageId, Timestamp};
use serde::{Deserialize, Serialize};

use crate::Failure;

/// Everything known of one URL.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct UrlState {
    pub(crate) standing: Standing,
    /// Links from the nearest seed.
    pub(crate) depth: u16,
    /// When it was first seen.
    pub(crate) discovered: Timestamp,
    /// The page that named it first; `None` for seeds.
    pub(crate) from: Option<PageId>,
    /// Its page id, once it has been fetched.
    pub(crate) page: Option<PageId>,
    /// Redirects followed in a row to get here.
    pub(crate) hops: u8,
    /// Tries that failed since the last success.
    pub(crate) tries: u8,
}

/// Where a URL stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Standing {
    /// In its host's queue.
    Waiting { place: Place },
    /// A response is in the archive.
    Fetched { status: u16, at: Timestamp },
    /// Tried as often as allowed.
    GivenUp { failure: Failure },
    /// robots.txt forbids it.
    Forbidden,
    /// Taken out on request (C18).
    Forgotten,
}

/// A place in a host's queue: lower comes first.
///
/// First the class (retries wait behind everything else), then depth, then order of discovery,
/// which is the naming page's position in the log and the link's number on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct Place {
    pub(crate) class: u8,
    pub(crate) depth: u16,
    pub(crate) found: Position,
    pub(crate) number: u16,
}

const PLACE_BYTES: usize = 17;

impl Place {
    pub(super) fn to_bytes(self) -> [u8; PLACE_BYTES] {
        let mut bytes = [0; PLACE_BYTES];
        bytes[0] = self.class;
        bytes[1..3].copy_from_slice(&self.depth.to_be_bytes());
        bytes[3..7].copy_from_slice(&self.found.segment.to_be_bytes());
        bytes[7..15].copy_from_slice(&self.found.offset.to_be_bytes());
        bytes[15..].copy_from_slice(&self.number.to_be_bytes());
        bytes
    }

    pub(super) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let bytes: &[u8; PLACE_BYTES] = bytes.try_into().ok()?;
        let (class, rest) = bytes.split_first()?;
        let (depth, rest) = rest.split_first_chunk()?;
        let (segment, rest) = rest.split_first_chunk()?;
        let (offset, rest) = rest.split_first_chunk()?;
        let segment = u32::from_be_bytes(*segment);
        let found = Position { segment, offset: u64::from_be_bytes(*offset) };
        let number = u16::from_be_bytes(rest.try_into().ok()?);
        Some(Self { class: *class, depth: u16::from_be_bytes(*depth), found, number })
    }
}

/// Counts of one host.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct HostState {
    pub(crate) host: Host,
    /// URLs of the host that we know.
    pub(crate) known: u64,
    /// Of these, how many wait.
    pub(crate) waiting: u64,
}

/// The last robots.txt of an origin.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct RobotsCopy {
    /// When it was asked for.
    pub(crate) at: Timestamp,
    /// Its first 500 KiB; empty where the server has none (4xx), which allows everything.
    pub(crate) body: Vec<u8>,
}

/// Counts over everything, and how far the page log has been applied.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Totals {
    /// Everything before this position of the page log has been applied.
    pub(crate) checkpoint: Position,
    /// The archive record of the last page applied.
    pub(crate) capture: Option<Capture>,
    /// Places given to URLs that no page named: seeds.
    pub(crate) seeds: u64,
    /// Page ids given so far.
    pub(crate) pages: u64,
    pub(crate) known: u64,
    pub(crate) waiting: u64,
    pub(crate) hosts: u64,
    /// Responses with status 200.
    pub(crate) fetched: u64,
    /// Responses of any status.
    pub(crate) responses: u64,
    /// Decoded bytes of all responses.
    pub(crate) bytes: u64,
    /// URLs not kept, and fetches that failed, by reason.
    pub(crate) reasons: BTreeMap<String, u64>,
}
