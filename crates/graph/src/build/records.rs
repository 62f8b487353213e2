//! What is sorted on the way from the page log to the graph.
//!
//! ```text
//! Mention  by URL:     "record 7 is page 3 at this URL", "record 7 of page 3 links to this URL"
//!    ↓     each URL becomes a node, in SURT order
//! Row      by page:    "page 3 is node 12, last seen in record 7", "record 7 of page 3 → node 5"
//!    ↓     each page's last record gives its links
//! Arc      by node:    12 → 5
//! ```

use std::io::{self, Read, Write};

use super::sort::Record;
use crate::varint;

/// A URL that a record of the log names.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Mention {
    /// [`base::Url::surt`] of the URL.
    pub(super) key: Box<[u8]>,
    pub(super) role: Role,
    /// Index of the page that the record is of.
    pub(super) page: u64,
    /// Number of the record in the log.
    pub(super) record: u64,
}

/// What a URL or node is to the record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Role {
    /// The page itself.
    Page,
    /// The target of a link.
    Target,
    /// The target of a link that the page does not vouch for.
    Unvouched,
}

/// A node that a record of the log names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Row {
    pub(super) page: u64,
    pub(super) role: Role,
    pub(super) record: u64,
    pub(super) node: u32,
}

/// A link from node to node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Arc {
    pub(crate) from: u32,
    pub(crate) to: u32,
}

/// What an allocation costs beside its bytes, roughly.
const ALLOCATION_BYTES: usize = 16;

impl Record for Mention {
    fn heap_bytes(&self) -> usize {
        self.key.len() + ALLOCATION_BYTES
    }

    fn write(&self, before: Option<&Self>, out: &mut impl Write) -> io::Result<()> {
        // Neighbours begin alike: URLs of one site take a fifth of their length this way.
        let shared = before.map_or(0, |before| shared_prefix(&before.key, &self.key));
        varint::write(shared as u64, out)?;
        varint::write((self.key.len() - shared) as u64, out)?;
        out.write_all(&self.key[shared..])?;
        self.role.write(out)?;
        varint::write(self.page, out)?;
        varint::write(self.record, out)
    }

    fn read(before: Option<&Self>, input: &mut impl Read) -> io::Result<Self> {
        let shared = varint::read(input)? as usize;
        let rest = varint::read(input)?;
        let start = before.map_or(&[][..], |before| &before.key);
        let mut key = start.get(..shared).ok_or_else(bad_run)?.to_vec();
        if input.take(rest).read_to_end(&mut key)? as u64 != rest {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let role = Role::read(input)?;
        let (page, record) = (varint::read(input)?, varint::read(input)?);
        Ok(Self { key: key.into(), role, page, record })
    }
}

impl Role {
    fn write(self, out: &mut impl Write) -> io::Result<()> {
        out.write_all(&[self as u8])
    }

    fn read(input: &mut impl Read) -> io::Result<Self> {
        let mut byte = [0];
        input.read_exact(&mut byte)?;
        match byte[0] {
            0 => Ok(Self::Page),
            1 => Ok(Self::Target),
            2 => Ok(Self::Unvouched),
            _ => Err(bad_run()),
        }
    }
}

impl Record for Row {
    fn heap_bytes(&self) -> usize {
        0
    }

    fn write(&self, before: Option<&Self>, out: &mut impl Write) -> io::Result<()> {
        let before = before.map_or(0, |before| before.page);
        varint::write(self.page - before, out)?;
        self.role.write(out)?;
        varint::write(self.record, out)?;
        out.write_all(&self.node.to_le_bytes())
    }

    fn read(before: Option<&Self>, input: &mut impl Read) -> io::Result<Self> {
        let before = before.map_or(0, |before| before.page);
        let page = varint::read(input)?.checked_add(before).ok_or_else(bad_run)?;
        let role = Role::read(input)?;
        let record = varint::read(input)?;
        Ok(Self { page, role, record, node: read_u32(input)? })
    }
}

impl Record for Arc {
    fn heap_bytes(&self) -> usize {
        0
    }

    fn write(&self, _before: Option<&Self>, out: &mut impl Write) -> io::Result<()> {
        out.write_all(&self.from.to_le_bytes())?;
        out.write_all(&self.to.to_le_bytes())
    }

    fn read(_before: Option<&Self>, input: &mut impl Read) -> io::Result<Self> {
        Ok(Self { from: read_u32(input)?, to: read_u32(input)? })
    }
}

/// Returns how many bytes two keys begin with alike.
pub(crate) fn shared_prefix(one: &[u8], other: &[u8]) -> usize {
    one.iter().zip(other).take_while(|(a, b)| a == b).count()
}

fn read_u32(input: &mut impl Read) -> io::Result<u32> {
    let mut bytes = [0; 4];
    input.read_exact(&mut bytes)?;
    Ok(u32::from_le_bytes(bytes))
}

fn bad_run() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "not a record of this run")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn round_trip<T: Record + PartialEq + std::fmt::Debug + Clone>(mut records: Vec<T>) {
        records.sort_unstable();
        let mut bytes = Vec::new();
        let mut before = None;
        for record in &records {
            record.write(before, &mut bytes).unwrap();
            before = Some(record);
        }
        let read_all = |mut input: &[u8]| -> io::Result<Vec<T>> {
            let mut found: Vec<T> = Vec::new();
            for _ in &records {
                let next = T::read(found.last(), &mut input)?;
                found.push(next);
            }
            Ok(found)
        };
        assert_eq!(read_all(&bytes).unwrap(), records);
        if !bytes.is_empty() {
            assert!(read_all(&bytes[..bytes.len() - 1]).is_err());
        }
    }

    fn roles() -> impl Strategy<Value = Role> {
        prop_oneof![Just(Role::Page), Just(Role::Target), Just(Role::Unvouched)]
    }

    proptest! {
        #[test]
        fn mentions_come_back(list in prop::collection::vec(("[ab,/]{0,9}", roles(), any::<u64>(), any::<u64>()), 0..20)) {
            round_trip(list.into_iter().map(|(key, role, page, record)| {
                Mention { key: key.into_bytes().into(), role, page, record }
            }).collect());
        }

        #[test]
        fn rows_come_back(list in prop::collection::vec((any::<u64>(), roles(), any::<u64>(), any::<u32>()), 0..20)) {
            round_trip(list.into_iter().map(|(page, role, record, node)| {
                Row { page, role, record, node }
            }).collect());
        }

        #[test]
        fn arcs_come_back(list in prop::collection::vec((any::<u32>(), any::<u32>()), 0..20)) {
            round_trip(list.into_iter().map(|(from, to)| Arc { from, to }).collect());
        }
    }
}
