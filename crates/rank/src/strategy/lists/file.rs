//! Reads and writes the file of [`super::Lists`]; the format is drawn there.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use base::file::sync_parent;

use super::{Leader, Lists};

const MAGIC: &[u8; 8] = b"LOOKFARL";
const VERSION: u32 = 1;
const HEAD_BYTES: usize = 12;
const TRAILER_BYTES: usize = 24;
const ENTRY_BYTES: usize = 8;
const CRC_BYTES: usize = 4;
/// Entries of a block: some pages of a disk, and far more than a search for ten documents reads.
pub(super) const BLOCK: usize = 512;

/// A document in a list.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Entry {
    pub(crate) ordinal: u32,
    pub(crate) weight: f32,
}

impl Entry {
    /// Orders by weight, largest first; equal ones by document.
    pub(super) fn by_weight(one: &Self, other: &Self) -> std::cmp::Ordering {
        other.weight.total_cmp(&one.weight).then(one.ordinal.cmp(&other.ordinal))
    }
}

/// Where the list of a term lies.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Place {
    pub(super) offset: u64,
    pub(super) count: u32,
    /// The first ordinal of each block by ordinal.
    pub(super) firsts: Vec<u32>,
}

impl Place {
    fn num_blocks(&self) -> usize {
        (self.count as usize).div_ceil(BLOCK)
    }

    /// Bytes of the list in one of its two orders.
    fn num_bytes(&self) -> u64 {
        u64::from(self.count) * ENTRY_BYTES as u64 + (self.num_blocks() * CRC_BYTES) as u64
    }
}

/// The open file.
#[derive(Debug)]
pub(crate) struct Source {
    file: File,
}

impl Source {
    pub(super) fn block_by_weight(&self, place: &Place, number: usize) -> io::Result<Vec<Entry>> {
        self.block(place, number, place.offset)
    }

    pub(super) fn block_by_ordinal(&self, place: &Place, number: usize) -> io::Result<Vec<Entry>> {
        self.block(place, number, place.offset + place.num_bytes())
    }

    fn block(&self, place: &Place, number: usize, begin: u64) -> io::Result<Vec<Entry>> {
        let count = (place.count as usize).saturating_sub(number * BLOCK).min(BLOCK);
        let mut bytes = vec![0; count * ENTRY_BYTES + CRC_BYTES];
        let offset = begin + (number * (BLOCK * ENTRY_BYTES + CRC_BYTES)) as u64;
        self.file.read_exact_at(&mut bytes, offset)?;
        let (entries, crc) = bytes.split_at(count * ENTRY_BYTES);
        if crc32fast::hash(entries).to_le_bytes() != crc {
            return Err(damaged("a block's checksum does not hold"));
        }
        let (entries, _) = entries.as_chunks::<ENTRY_BYTES>();
        Ok(entries.iter().map(entry).collect())
    }
}

fn entry(bytes: &[u8; ENTRY_BYTES]) -> Entry {
    let [a, b, c, d, e, f, g, h] = *bytes;
    Entry { ordinal: u32::from_le_bytes([a, b, c, d]), weight: f32::from_le_bytes([e, f, g, h]) }
}

/// Writes a file list by list; it appears under its name when it is finished.
pub(super) struct Writer {
    path: PathBuf,
    beside: PathBuf,
    out: BufWriter<File>,
    offset: u64,
    terms: Vec<(Vec<u8>, Place)>,
}

impl Writer {
    pub(super) fn create(path: &Path) -> io::Result<Self> {
        let beside = path.with_added_extension("new");
        let mut out = BufWriter::new(
            File::options().read(true).write(true).create(true).truncate(true).open(&beside)?,
        );
        out.write_all(MAGIC)?;
        out.write_all(&VERSION.to_le_bytes())?;
        let offset = HEAD_BYTES as u64;
        Ok(Self { path: path.to_owned(), beside, out, offset, terms: Vec::new() })
    }

    /// Writes the list of a term, which comes by ordinal.
    pub(super) fn push(&mut self, term: &[u8], mut entries: Vec<Entry>) -> io::Result<()> {
        let firsts = entries.chunks(BLOCK).map(|block| block[0].ordinal).collect();
        let count = entries.len().try_into().map_err(|_| damaged("a list is too long"))?;
        let place = Place { offset: self.offset, count, firsts };
        let by_ordinal = entries.clone();
        entries.sort_by(Entry::by_weight);
        self.write(&entries)?;
        self.write(&by_ordinal)?;
        self.offset += 2 * place.num_bytes();
        self.terms.push((term.to_owned(), place));
        Ok(())
    }

    fn write(&mut self, entries: &[Entry]) -> io::Result<()> {
        for block in entries.chunks(BLOCK) {
            let mut bytes = Vec::with_capacity(block.len() * ENTRY_BYTES);
            for entry in block {
                bytes.extend(entry.ordinal.to_le_bytes());
                bytes.extend(entry.weight.to_le_bytes());
            }
            self.out.write_all(&bytes)?;
            self.out.write_all(&crc32fast::hash(&bytes).to_le_bytes())?;
        }
        Ok(())
    }

    /// Returns what was written so far, for reading.
    pub(super) fn source(&mut self) -> io::Result<Source> {
        self.out.flush()?;
        Ok(Source { file: self.out.get_ref().try_clone()? })
    }

    /// Returns the lists that were written so far.
    pub(super) fn places(&self) -> impl Iterator<Item = &Place> {
        self.terms.iter().map(|(_, place)| place)
    }

    pub(super) fn finish(
        mut self,
        commit: &str,
        pages: &[u64],
        leaders: &[Leader],
        led_by: &[u32],
    ) -> io::Result<()> {
        let mut tail = Vec::new();
        put_bytes(&mut tail, commit.as_bytes());
        put_all(&mut tail, pages, |page| page.to_le_bytes());
        put_all(&mut tail, leaders, |leader| {
            let [a, b, c, d] = leader.ordinal.to_le_bytes();
            let [e, f, g, h] = leader.norm.to_le_bytes();
            [a, b, c, d, e, f, g, h]
        });
        put_all(&mut tail, led_by, |leader| leader.to_le_bytes());
        tail.extend(len_bytes(self.terms.len()));
        for (term, place) in &self.terms {
            put_bytes(&mut tail, term);
            tail.extend(place.offset.to_le_bytes());
            tail.extend(place.count.to_le_bytes());
            put_all(&mut tail, &place.firsts, |first| first.to_le_bytes());
        }
        self.out.write_all(&tail)?;
        let mut trailer = self.offset.to_le_bytes().to_vec();
        trailer.extend((tail.len() as u64).to_le_bytes());
        trailer.extend(crc32fast::hash(&tail).to_le_bytes());
        trailer.extend(crc32fast::hash(&trailer).to_le_bytes());
        self.out.write_all(&trailer)?;
        self.out.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()?;
        fs::rename(&self.beside, &self.path)?;
        sync_parent(&self.path)
    }
}

/// Writes lists with given weights by ordinal, of pages 0, 1, … that follow the first of them.
#[cfg(test)]
pub(crate) fn write_given(
    path: &Path,
    num_docs: u32,
    lists: &[(&str, &[(u32, f32)])],
) -> io::Result<()> {
    let mut writer = Writer::create(path)?;
    for (term, entries) in lists {
        let entries =
            entries.iter().map(|(ordinal, weight)| Entry { ordinal: *ordinal, weight: *weight });
        writer.push(term.as_bytes(), entries.collect())?;
    }
    let pages: Vec<u64> = (0..u64::from(num_docs)).collect();
    let leader = Leader { ordinal: 0, norm: 1.0 };
    writer.finish("", &pages, &[leader], &vec![0; pages.len()])
}

/// Opens a file and verifies all of it but the lists.
pub(super) fn open(path: &Path) -> io::Result<Lists> {
    let file = File::open(path)?;
    let len = file.metadata()?.len();
    let mut head = [0; HEAD_BYTES];
    file.read_exact_at(&mut head, 0)?;
    if head[..8] != *MAGIC || head[8..] != VERSION.to_le_bytes() {
        return Err(damaged("it is no file of lists, or one of another version"));
    }
    let trailer_at = len.checked_sub(TRAILER_BYTES as u64).ok_or_else(|| damaged("it is cut"))?;
    let mut trailer = [0; TRAILER_BYTES];
    file.read_exact_at(&mut trailer, trailer_at)?;
    let mut input = Input { bytes: &trailer };
    let (offset, tail_len, crc) = (input.u64()?, input.u64()?, input.u32()?);
    if crc32fast::hash(&trailer[..20]) != input.u32()?
        || offset.checked_add(tail_len) != Some(trailer_at)
    {
        return Err(damaged("its end is not that of a file of lists"));
    }
    // Bounded: the tail ends where the trailer begins, so it is no longer than the file.
    let tail_len = usize::try_from(tail_len).map_err(|_| damaged("it is too long"))?;
    let mut tail = Vec::new();
    // Where there is no memory for it, this file is not opened, and that is all (STO-13).
    tail.try_reserve_exact(tail_len)?;
    tail.resize(tail_len, 0);
    file.read_exact_at(&mut tail, offset)?;
    if crc32fast::hash(&tail) != crc {
        return Err(damaged("its checksum does not hold"));
    }
    parse_tail(&tail, offset, Source { file })
}

/// Verifies a file, every block of it.
pub(crate) fn check(path: &Path) -> io::Result<()> {
    let lists = open(path)?;
    for place in lists.terms.values() {
        for number in 0..place.num_blocks() {
            lists.source.block_by_weight(place, number)?;
            lists.source.block_by_ordinal(place, number)?;
        }
    }
    Ok(())
}

fn parse_tail(tail: &[u8], end_of_lists: u64, source: Source) -> io::Result<Lists> {
    let mut input = Input { bytes: tail };
    let commit = String::from_utf8(input.text()?.to_vec()).map_err(|_| damaged("not a text"))?;
    let pages = input.all(Input::u64)?;
    let leaders = input
        .all(|input| Ok(Leader { ordinal: input.u32()?, norm: f32::from_bits(input.u32()?) }))?;
    let led_by = input.all(Input::u32)?;
    let mut terms = HashMap::new();
    for _ in 0..input.u32()? {
        let term = input.text()?.to_vec();
        let (offset, count) = (input.u64()?, input.u32()?);
        let place = Place { offset, count, firsts: input.all(Input::u32)? };
        let end = place.offset.saturating_add(2 * place.num_bytes());
        if end > end_of_lists || place.firsts.len() != place.num_blocks() {
            return Err(damaged("a list is not where it should be"));
        }
        terms.insert(term, place);
    }
    let is_whole = led_by.len() == pages.len()
        && leaders.iter().all(|leader| (leader.ordinal as usize) < pages.len())
        && led_by.iter().all(|leader| (*leader as usize) < leaders.len());
    if !is_whole || !input.bytes.is_empty() {
        return Err(damaged("its parts do not fit together"));
    }
    Ok(Lists { source, commit, pages, leaders, led_by, terms })
}

/// What is left of the bytes.
struct Input<'a> {
    bytes: &'a [u8],
}

impl<'a> Input<'a> {
    fn take<const N: usize>(&mut self) -> io::Result<[u8; N]> {
        let (taken, rest) =
            self.bytes.split_first_chunk().ok_or_else(|| damaged("it ends too soon"))?;
        self.bytes = rest;
        Ok(*taken)
    }

    fn u32(&mut self) -> io::Result<u32> {
        Ok(u32::from_le_bytes(self.take()?))
    }

    fn u64(&mut self) -> io::Result<u64> {
        Ok(u64::from_le_bytes(self.take()?))
    }

    fn text(&mut self) -> io::Result<&'a [u8]> {
        let len = self.u32()? as usize;
        let taken = self.bytes.get(..len).ok_or_else(|| damaged("it ends too soon"))?;
        self.bytes = &self.bytes[len..];
        Ok(taken)
    }

    fn all<T>(&mut self, mut one: impl FnMut(&mut Self) -> io::Result<T>) -> io::Result<Vec<T>> {
        let len = self.u32()?;
        let mut found = Vec::new();
        // Grows with what is there, not with what the length says.
        for _ in 0..len {
            found.try_reserve(1)?;
            found.push(one(self)?);
        }
        Ok(found)
    }
}

fn put_bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    out.extend(len_bytes(bytes.len()));
    out.extend(bytes);
}

fn put_all<T, const N: usize>(out: &mut Vec<u8>, all: &[T], one: impl Fn(&T) -> [u8; N]) {
    out.extend(len_bytes(all.len()));
    out.extend(all.iter().flat_map(one));
}

fn len_bytes(len: usize) -> [u8; 4] {
    u32::try_from(len).expect("an index has fewer than 2^32 documents and terms").to_le_bytes()
}

fn damaged(reason: &'static str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, reason)
}
