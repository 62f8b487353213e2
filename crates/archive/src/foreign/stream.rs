//! The bytes of a file without their packing, with the borders of gzip members kept visible.
//!
//! A file is plain, gzip (a member per record, or one for all of them) or zstd; its first bytes
//! say which. Nothing is reserved by what a stream claims, and what is skipped is bounded, so a
//! bomb costs no more than [`SKIPPED_BYTES`] of unpacking before it is left.

use std::fs::File;
use std::io::{self, BufRead, Read};
use std::ops::Range;
use std::path::Path;

use flate2::bufread::GzDecoder;

use crate::gzip::Source;

/// A file being unpacked.
pub(super) struct Stream {
    layer: Layer,
    buffer: Vec<u8>,
    /// Part of `buffer` not yet consumed; never of two members.
    unread: Range<usize>,
    /// First byte of the present member in the file.
    member: u64,
    num_members: u64,
    /// The next byte is the first of its member.
    is_fresh: bool,
}

enum Layer {
    Plain(Source),
    Gzip(Box<GzDecoder<Source>>),
    Zstd(Box<zstd::Decoder<'static, Source>>),
    /// For the moment in which one becomes another.
    Gone,
}

/// Most bytes that are unpacked only to be passed over, at a time.
pub(super) const SKIPPED_BYTES: u64 = 256 * 1024 * 1024;
/// Largest window a zstd frame may ask for, as a power of two.
const ZSTD_WINDOW: u32 = 27;
const BUFFER_BYTES: usize = 64 * 1024;
const GZIP: &[u8] = &[0x1f, 0x8b, 8];
const ZSTD: &[u8] = &[0x28, 0xb5, 0x2f, 0xfd];

impl Stream {
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        let mut source = Source::new(File::open(path)?, 0);
        let start = source.fill_buf()?;
        let layer = if start.starts_with(&GZIP[..2]) {
            Layer::Gzip(Box::new(GzDecoder::new(source)))
        } else if start.starts_with(ZSTD) {
            let mut decoder = zstd::Decoder::with_buffer(source)?;
            decoder.window_log_max(ZSTD_WINDOW)?;
            Layer::Zstd(Box::new(decoder))
        } else {
            Layer::Plain(source)
        };
        let buffer = vec![0; BUFFER_BYTES];
        Ok(Self { layer, buffer, unread: 0..0, member: 0, num_members: 1, is_fresh: true })
    }

    /// Returns how many bytes of the file have been used.
    pub(super) fn used(&self) -> u64 {
        match &self.layer {
            Layer::Plain(source) => source.position() - self.unread.len() as u64,
            Layer::Gzip(decoder) => decoder.get_ref().position(),
            Layer::Zstd(decoder) => decoder.get_ref().position(),
            Layer::Gone => 0,
        }
    }

    /// Returns the byte of the file at which what comes next can be found: of plain files the
    /// place itself, of packed ones the beginning of the member.
    pub(super) fn offset(&self) -> u64 {
        match &self.layer {
            Layer::Plain(_) => self.used(),
            _ => self.member,
        }
    }

    /// Returns whether the next byte is the first of a gzip member.
    pub(super) fn is_fresh(&self) -> bool {
        self.is_fresh && self.is_gzip()
    }

    /// Returns whether more than one gzip member was met.
    pub(super) fn has_members(&self) -> bool {
        self.num_members > 1
    }

    pub(super) fn is_plain(&self) -> bool {
        matches!(self.layer, Layer::Plain(_))
    }

    fn is_gzip(&self) -> bool {
        matches!(self.layer, Layer::Gzip(_))
    }

    /// Returns what comes next, at least `least` bytes of it unless the member ends before;
    /// nothing at the end of the file.
    pub(super) fn peek(&mut self, least: usize) -> io::Result<&[u8]> {
        while self.unread.is_empty() {
            self.unread = 0..self.read(0)?;
            if self.unread.is_empty() && !self.next_member()? {
                return Ok(&[]);
            }
        }
        while self.unread.len() < least {
            let waiting = self.unread.len();
            self.buffer.copy_within(self.unread.clone(), 0);
            self.unread = 0..waiting;
            match self.read(waiting)? {
                0 => break,
                count => self.unread.end += count,
            }
        }
        Ok(&self.buffer[self.unread.clone()])
    }

    pub(super) fn consume(&mut self, count: usize) {
        self.unread.start = self.unread.end.min(self.unread.start + count);
        self.is_fresh &= count == 0;
    }

    /// Passes over up to `count` bytes; returns how many were there. Of plain files nothing is
    /// read for it.
    pub(super) fn skip(&mut self, count: u64) -> io::Result<u64> {
        if let Layer::Plain(source) = &mut self.layer {
            let place = source.position() - self.unread.len() as u64;
            let room = source.file_len()?.saturating_sub(place).min(count);
            self.seek(place + room);
            return Ok(room);
        }
        let mut skipped = 0;
        while skipped < count {
            let waiting = self.peek(1)?.len() as u64;
            if waiting == 0 {
                break;
            }
            let some = waiting.min(count - skipped);
            self.consume(usize::try_from(some).unwrap_or(usize::MAX));
            skipped += some;
        }
        Ok(skipped)
    }

    /// Goes to a byte of a plain file.
    pub(super) fn seek(&mut self, offset: u64) {
        if let Layer::Plain(source) = &mut self.layer {
            source.seek(offset);
            (self.unread, self.is_fresh) = (0..0, false);
        }
    }

    /// Goes to the next member by unpacking the rest of this one; `false` if there is no other,
    /// or if that is more than is unpacked for nothing.
    pub(super) fn pass_member(&mut self) -> io::Result<bool> {
        let mut passed = 0;
        while !self.is_fresh && passed < SKIPPED_BYTES {
            let count = self.peek(1)?.len();
            if count == 0 {
                return Ok(false);
            }
            if !self.is_fresh {
                self.consume(count);
            }
            passed += count as u64;
        }
        Ok(self.is_fresh)
    }

    /// Looks in the packed bytes for a member whose content `is_start` knows, behind the
    /// beginning of the present one or, if `from_here`, behind what was used of it.
    ///
    /// Only for what lies behind damage: bytes that look like a member may be anything.
    pub(super) fn find_member(
        &mut self,
        from_here: bool,
        is_start: impl Fn(&[u8]) -> bool,
    ) -> io::Result<bool> {
        let mut place = if from_here { self.used() } else { self.member + 1 };
        while self.is_gzip() {
            let Layer::Gzip(decoder) = std::mem::replace(&mut self.layer, Layer::Gone) else {
                return Ok(false);
            };
            let mut source = decoder.into_inner();
            source.seek(place);
            let found = find_magic(&mut source)?;
            let position = source.position();
            self.unread = 0..0;
            self.layer = Layer::Gzip(Box::new(GzDecoder::new(source)));
            if !found {
                return Ok(false);
            }
            (self.member, self.is_fresh) = (position, true);
            self.num_members += 1;
            if let Ok(count @ 1..) = self.read(0) {
                self.unread = 0..count;
                if is_start(self.peek(16).unwrap_or_default()) {
                    return Ok(true);
                }
            }
            place = position + 1;
        }
        Ok(false)
    }

    /// Reads into the buffer from `start` on; 0 at the end of the file or member.
    fn read(&mut self, start: usize) -> io::Result<usize> {
        if start == self.buffer.len() {
            return Ok(0);
        }
        let room = &mut self.buffer[start..];
        match &mut self.layer {
            Layer::Plain(source) => source.read(room),
            Layer::Gzip(decoder) => decoder.read(room),
            Layer::Zstd(decoder) => decoder.read(room),
            Layer::Gone => Ok(0),
        }
    }

    /// Begins the member behind one that has ended; `false` at the end of the file.
    fn next_member(&mut self) -> io::Result<bool> {
        let Layer::Gzip(decoder) = &mut self.layer else { return Ok(false) };
        let start = decoder.get_mut().fill_buf()?;
        // Tapes and some tools fill up with zeros.
        if start.is_empty() || start.iter().take(16).all(|byte| *byte == 0) {
            return Ok(false);
        }
        let Layer::Gzip(decoder) = std::mem::replace(&mut self.layer, Layer::Gone) else {
            return Ok(false);
        };
        let source = decoder.into_inner();
        (self.member, self.is_fresh) = (source.position(), true);
        self.num_members += 1;
        self.layer = Layer::Gzip(Box::new(GzDecoder::new(source)));
        Ok(true)
    }
}

/// Moves on to the next bytes that a gzip member could begin with; `false` if there are none.
fn find_magic(source: &mut Source) -> io::Result<bool> {
    let mut matched = 0;
    loop {
        let waiting = source.fill_buf()?;
        if waiting.is_empty() {
            return Ok(false);
        }
        let mut used = 0;
        for byte in waiting {
            used += 1;
            matched =
                if *byte == GZIP[matched] { matched + 1 } else { usize::from(*byte == GZIP[0]) };
            if matched == GZIP.len() {
                break;
            }
        }
        source.consume(used);
        if matched == GZIP.len() {
            let place = source.position() - GZIP.len() as u64;
            source.seek(place);
            return Ok(true);
        }
    }
}
