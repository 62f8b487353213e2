//! Takes captures out of closed files in place (C18).
//!
//! The records of a fetch are overwritten by a record that says only that something was taken
//! out, in a gzip member of exactly the same length, so that every other record stays where the
//! indexes say it is:
//!
//! ```text
//! member = 1f 8b 08 06 | 0: [u8; 4] | 00 ff | extra | crc16 of all that: u16 le
//!        | padding | deflate stream of the record | crc32: u32 le | size: u32 le
//! extra  = 4 + n: u16 le | "LF" | n: u16 le | 0: [u8; n]                         n < 5
//! padding = (02 08 20 80 00)*      four empty blocks of deflate in five bytes, each bit of
//!                                  which matters, so that a flipped one is found
//! ```
//! The header's own fields alone could not pad a long record: readers refuse comments of more
//! than 64 KiB. The file is overwritten and synced first, then its index is written without the
//! lines of what is gone. A crash between leaves lines that name captures that are not there,
//! and [`erase`] with the same captures finishes it.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom};
use std::os::unix::fs::FileExt;
use std::path::Path;

use base::{Capture, Rules, Timestamp, Url};
use flate2::{Compress, Compression, FlushCompress};
use serde::Deserialize;

use crate::close::failed;
use crate::folder::{Part, numbers};
use crate::warc::{Head, RECORD_END, digest, record_id};
use crate::{Error, Records, cdxj};

/// Returns the captures in closed files whose address is one of those meant, in archive order.
///
/// Cost: reads the indexes, not the files. A capture that was erased is in no index.
pub fn find(folder: &Path, is_meant: impl Fn(&Url) -> bool) -> Result<Vec<Capture>, Error> {
    find_shown(folder, is_meant, &mut |_, _| ())
}

/// Does what [`find`] does; after each index `show` hears how many bytes of them are read, and how
/// many there are.
pub fn find_shown(
    folder: &Path,
    is_meant: impl Fn(&Url) -> bool,
    show: &mut dyn FnMut(u64, u64),
) -> Result<Vec<Capture>, Error> {
    let rules = Rules::NONE;
    let mut found = Vec::new();
    let numbers = numbers(folder, Part::Index)?;
    // What cannot be measured is not worth an error: it is only shown.
    let size =
        |number: &u32| fs::metadata(Part::Index.path(folder, *number)).map_or(0, |data| data.len());
    let sizes: Vec<u64> = numbers.iter().map(size).collect();
    let (mut done, total) = (0, sizes.iter().sum::<u64>());
    for (number, size) in numbers.into_iter().zip(sizes) {
        for line in Line::read(folder, number)? {
            let url = Url::parse_with(&line.url, rules);
            if url.is_ok_and(|url| is_meant(&url)) {
                found.push(Capture { file: number, offset: line.offset, length: line.length });
            }
        }
        done += size;
        show(done, total);
    }
    found.sort_unstable();
    Ok(found)
}

/// Overwrites the requests and responses of captures, and takes them out of the indexes.
///
/// `now` is the date that the record in their place bears. For the process that may write the
/// archive; the captures lie in closed files. One that no index knows is passed over: it was
/// erased before. After an error some may be erased; asking again finishes it.
pub fn erase(folder: &Path, captures: &[Capture], now: Timestamp) -> Result<(), Error> {
    erase_shown(folder, captures, now, &mut |_| ())
}

/// Does what [`erase()`] does; `show` hears how many captures are done.
pub fn erase_shown(
    folder: &Path,
    captures: &[Capture],
    now: Timestamp,
    show: &mut dyn FnMut(u64),
) -> Result<(), Error> {
    let mut files: BTreeMap<u32, Vec<Capture>> = BTreeMap::new();
    for capture in captures {
        files.entry(capture.file).or_default().push(*capture);
    }
    let mut done = 0;
    for (number, captures) in files {
        erase_in(folder, number, &captures, now, &mut |erased| show(done + erased))?;
        // Those that no index knows are done too.
        done += captures.len() as u64;
        show(done);
    }
    Ok(())
}

fn erase_in(
    folder: &Path,
    number: u32,
    doomed: &[Capture],
    now: Timestamp,
    show: &mut dyn FnMut(u64),
) -> Result<(), Error> {
    let lines = Line::read(folder, number)?;
    let path = Part::Warc.path(folder, number);
    let file =
        OpenOptions::new().read(true).write(true).open(&path).map_err(failed("open", &path))?;
    let is_doomed =
        |line: &Line| doomed.iter().any(|is| is.offset == line.offset && is.length == line.length);
    let mut end = 0;
    let mut num_erased = 0;
    for line in &lines {
        if is_doomed(line) {
            let start = start_of_fetch(&path, end, line.offset)?;
            overwrite(&file, &path, start, line, now)?;
            num_erased += 1;
            show(num_erased);
        }
        end = line.end();
    }
    if num_erased == 0 {
        return Ok(());
    }
    file.sync_all().map_err(failed("sync", &path))?;
    let mut kept = Vec::new();
    // The checksum of a line covers everything since the line before it.
    let (mut covered, mut is_stale) = (0, false);
    for line in lines {
        if is_doomed(&line) {
            is_stale = true;
            continue;
        }
        let end = line.end();
        let crc = match is_stale {
            true => Some(checksum(&file, covered, end).map_err(failed("read", &path))?),
            false => None,
        };
        kept.push(line.with_checksum(crc));
        (covered, is_stale) = (end, false);
    }
    cdxj::publish(folder, number, kept)
}

/// Returns where the records of a fetch begin, whose response lies at `offset`: behind the
/// fetch before it, which ends at `after`, or behind the file's warcinfo record.
///
/// What is there may have been overwritten in part by a process that was killed.
fn start_of_fetch(path: &Path, after: u64, offset: u64) -> Result<u64, Error> {
    let mut start = after;
    let records = Records::open_packed(path, after)?;
    for record in records {
        let record = match record {
            Ok(record) if record.offset < offset => record,
            Err(error @ Error::File { .. }) => return Err(error),
            _ => break,
        };
        // A capture that the index does not know is not ours to take.
        let is_kept = record.kind() == crate::Kind::Warcinfo || record.is_capture();
        if is_kept {
            start = record.offset + record.length;
        }
    }
    Ok(start)
}

/// Overwrites a request, if there is one, and its response.
fn overwrite(
    file: &File,
    path: &Path,
    start: u64,
    line: &Line,
    now: Timestamp,
) -> Result<(), Error> {
    let parts = [(start, line.offset), (line.offset, line.end())];
    let mut members = Vec::new();
    for (start, end) in parts.into_iter().filter(|(start, end)| start < end) {
        let Some(member) = member(path, start, end - start, now) else {
            members.clear();
            break;
        };
        members.push((start, member));
    }
    if members.is_empty() {
        // A part is too short by itself; both together are one record then.
        let whole = member(path, start, line.end() - start, now).ok_or_else(|| Error::Damaged {
            path: path.to_owned(),
            offset: start,
            reason: "too short to hold the record that says it was erased",
        })?;
        members.push((start, whole));
    }
    for (start, member) in members {
        file.write_all_at(&member, start).map_err(failed("overwrite", path))?;
    }
    Ok(())
}

/// Padding of this many bytes at a time.
const PADDING: [u8; 5] = [0x02, 0x08, 0x20, 0x80, 0x00];

/// Returns a member of exactly `length` bytes; `None` if that is too short for one.
fn member(path: &Path, offset: u64, length: u64, now: Timestamp) -> Option<Vec<u8>> {
    let record = record(path, offset, now);
    let packed = packed(&record);
    let mut header = vec![0x1f, 0x8b, 8, FLAGS, 0, 0, 0, 0, 0, 0xff];
    let around = header.len() + EXTRA_BYTES + CRC16_BYTES + packed.len() + TRAILER_BYTES;
    let padding = usize::try_from(length).ok()?.checked_sub(around)?;
    let rest = (padding % PADDING.len()) as u8;
    header.extend_from_slice(&[4 + rest, 0, b'L', b'F', rest, 0]);
    header.resize(header.len() + usize::from(rest), 0);
    let crc16 = crc32fast::hash(&header) as u16;
    let mut member = header;
    member.extend_from_slice(&crc16.to_le_bytes());
    member.extend(PADDING.repeat(padding / PADDING.len()));
    member.extend_from_slice(&packed);
    member.extend_from_slice(&crc32fast::hash(&record).to_le_bytes());
    member.extend_from_slice(&(record.len() as u32).to_le_bytes());
    debug_assert_eq!(member.len() as u64, length);
    Some(member)
}

/// There are extra fields, and a checksum of the header.
const FLAGS: u8 = 0x04 | 0x02;
/// The extra field without what it pads.
const EXTRA_BYTES: usize = 6;
const CRC16_BYTES: usize = 2;
const TRAILER_BYTES: usize = 8;

/// The record in place of what was taken out; it says nothing of what that was.
fn record(path: &Path, offset: u64, now: Timestamp) -> Vec<u8> {
    let block = b"erased: on request\r\n";
    let name = path.file_name().unwrap_or_default().as_encoded_bytes();
    let id = record_id(&[b"erased", name, &offset.to_le_bytes()]);
    let head = Head::new("metadata", &id, now)
        .field("WARC-Block-Digest", digest(&[block]))
        .field("Content-Type", "application/warc-fields")
        .finish(block.len());
    [head.as_bytes(), block, RECORD_END].concat()
}

fn packed(record: &[u8]) -> Vec<u8> {
    let mut packed = Vec::with_capacity(record.len() + 64);
    Compress::new(Compression::best(), false)
        .compress_vec(record, &mut packed, FlushCompress::Finish)
        .expect("deflate takes any bytes and there is room for its output");
    packed
}

fn checksum(mut file: &File, start: u64, end: u64) -> io::Result<u32> {
    file.seek(SeekFrom::Start(start))?;
    let mut rest = file.take(end - start);
    let (mut crc, mut buffer) = (crc32fast::Hasher::new(), vec![0; 64 * 1024]);
    loop {
        match rest.read(&mut buffer)? {
            0 => return Ok(crc.finalize()),
            count => crc.update(&buffer[..count]),
        }
    }
}

/// A line of a closed file's index.
struct Line {
    text: String,
    url: String,
    offset: u64,
    length: u32,
}

impl Line {
    /// Reads the index of a closed file, in archive order.
    fn read(folder: &Path, number: u32) -> Result<Vec<Self>, Error> {
        let path = Part::Index.path(folder, number);
        let content = cdxj::read_bounded(&path)?.ok_or_else(|| {
            let source = io::ErrorKind::NotFound.into();
            Error::File { action: "find", path: path.clone(), source }
        })?;
        let mut lines = Vec::new();
        for line in content.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
            let line = Self::parse(line).ok_or_else(|| Error::Index { path: path.clone() })?;
            lines.push(line);
        }
        lines.sort_unstable_by_key(|line| line.offset);
        Ok(lines)
    }

    fn parse(line: &[u8]) -> Option<Self> {
        #[derive(Deserialize)]
        struct Fields {
            url: String,
            offset: String,
            length: String,
        }
        let text = std::str::from_utf8(line).ok()?;
        let fields: Fields = serde_json::from_str(text.splitn(3, ' ').nth(2)?).ok()?;
        let (offset, length) = (fields.offset.parse().ok()?, fields.length.parse().ok()?);
        Some(Self { text: text.to_owned(), url: fields.url, offset, length })
    }

    fn end(&self) -> u64 {
        self.offset.saturating_add(u64::from(self.length))
    }

    /// Returns the line with another checksum, which is its last field.
    fn with_checksum(self, crc: Option<u32>) -> String {
        const FIELD: &str = "\"crc32\":\"";
        match (crc, self.text.rfind(FIELD)) {
            (Some(crc), Some(place)) => {
                format!("{}{FIELD}{crc:08x}\"}}", &self.text[..place])
            }
            _ => self.text,
        }
    }
}
