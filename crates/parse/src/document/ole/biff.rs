//! Records of old workbooks: number, length, data; long ones go on in CONTINUE records.

use super::{u16_at, utf16};

const CONTINUE: u16 = 0x3C;

/// A record and where it begins.
pub(super) struct Record<'a> {
    pub(super) kind: u16,
    pub(super) place: usize,
    /// Its data, then that of each CONTINUE record behind it.
    pub(super) parts: Vec<&'a [u8]>,
}

impl<'a> Record<'a> {
    pub(super) fn data(&self) -> &'a [u8] {
        self.parts[0]
    }
}

/// The records of a stream, in order.
pub(super) struct Records<'a> {
    stream: &'a [u8],
    place: usize,
}

impl<'a> Records<'a> {
    pub(super) fn new(stream: &'a [u8]) -> Self {
        Self { stream, place: 0 }
    }

    fn one(&mut self) -> Option<(u16, &'a [u8])> {
        let kind = u16_at(self.stream, self.place)?;
        let length = usize::from(u16_at(self.stream, self.place + 2)?);
        let start = self.place + 4;
        let data = self.stream.get(start..(start + length).min(self.stream.len()))?;
        self.place = start + length;
        Some((kind, data))
    }
}

impl<'a> Iterator for Records<'a> {
    type Item = Record<'a>;

    fn next(&mut self) -> Option<Record<'a>> {
        let place = self.place;
        let (kind, data) = self.one()?;
        let mut parts = vec![data];
        while u16_at(self.stream, self.place) == Some(CONTINUE) {
            parts.push(self.one()?.1);
        }
        Some(Record { kind, place, parts })
    }
}

/// Reads through the parts of a record.
pub(super) struct Cursor<'a> {
    parts: std::vec::IntoIter<&'a [u8]>,
    rest: &'a [u8],
}

impl<'a> Cursor<'a> {
    pub(super) fn new(record: Record<'a>) -> Self {
        Self { parts: record.parts.into_iter(), rest: &[] }
    }

    /// Returns the next bytes, as many of them as lie in one part and at most `count`.
    fn some(&mut self, count: usize) -> Option<&'a [u8]> {
        while self.rest.is_empty() {
            self.rest = self.parts.next()?;
        }
        let (head, rest) = self.rest.split_at(self.rest.len().min(count));
        self.rest = rest;
        Some(head)
    }

    pub(super) fn byte(&mut self) -> Option<u8> {
        self.some(1).map(|bytes| bytes[0])
    }

    pub(super) fn short(&mut self) -> Option<u16> {
        Some(u16::from_le_bytes([self.byte()?, self.byte()?]))
    }

    pub(super) fn long(&mut self) -> Option<u32> {
        Some(u32::from(self.short()?) | u32::from(self.short()?) << 16)
    }

    pub(super) fn skip(&mut self, mut count: usize) -> Option<()> {
        while count > 0 {
            count -= self.some(count)?.len();
        }
        Some(())
    }

    /// Reads a string of the shared table: its characters may change their width wherever
    /// one part ends.
    pub(super) fn string(&mut self) -> Option<String> {
        let count = usize::from(self.short()?);
        let flags = self.byte()?;
        let runs = if flags & 8 != 0 { usize::from(self.short()?) } else { 0 };
        let more = if flags & 4 != 0 { self.long()? as usize } else { 0 };
        let text = self.characters(count, flags & 1 != 0)?;
        self.skip(4 * runs + more)?;
        Some(text)
    }

    /// Reads `count` characters.
    pub(super) fn characters(&mut self, count: usize, mut is_wide: bool) -> Option<String> {
        let mut text = String::new();
        let mut left = count;
        while left > 0 {
            if self.rest.is_empty() {
                self.rest = self.parts.next()?;
                is_wide = self.byte()? & 1 != 0;
                continue;
            }
            let width = if is_wide { 2 } else { 1 };
            let bytes = self.some(left * width)?;
            // A character of one byte is the lower half of one of two.
            if is_wide {
                text.push_str(&utf16(bytes));
            } else {
                text.extend(bytes.iter().map(|byte| char::from(*byte)));
            }
            left -= (bytes.len() / width).max(1).min(left);
        }
        Some(text)
    }
}
