//! Reads captures back: all of them in order, or one by its place.

use std::path::{Path, PathBuf};
use std::vec;

use base::{Capture, Rules, Timestamp, Url};

use crate::folder::{Part, numbers};
use crate::{Captured, Cut, Error, Kind, Record, Records, Revisit, cdxj, http};

/// Reads an archive in the order in which it was written.
#[derive(Clone, Debug)]
pub struct Reader {
    folder: PathBuf,
}

impl Reader {
    /// Opens an archive; a folder that is not there is an empty one.
    pub fn open(folder: &Path) -> Result<Self, Error> {
        numbers(folder, Part::Warc)?;
        Ok(Self { folder: folder.to_owned() })
    }

    /// Returns the captures after `after`, or all of them, in the order of appending, up to the
    /// present end.
    ///
    /// Reads the WARC files themselves, so captures that no index knows yet are among them.
    pub fn captures_from(&self, after: Option<Capture>) -> Result<Captures, Error> {
        let mut files = numbers(&self.folder, Part::Warc)?;
        let mut walk = None;
        if let Some(Capture { file, offset, length }) = after {
            files.retain(|number| *number > file);
            let end = offset.saturating_add(u64::from(length));
            let first = Walk::open(&self.folder, file, end)?;
            if first.records.file_len()? < end {
                return Err(first.damaged(offset, "the file ends before this capture does"));
            }
            walk = Some(first);
        }
        let folder = self.folder.clone();
        Ok(Captures { folder, files: files.into_iter(), walk, torn_bytes: 0 })
    }
}

/// Returns whether the archive is long enough to hold a capture; reads nothing of it.
pub fn reaches(folder: &Path, capture: Capture) -> bool {
    let end = capture.offset.saturating_add(u64::from(capture.length));
    let path = Part::Warc.path(folder, capture.file);
    path.metadata().is_ok_and(|found| found.len() >= end)
}

/// Returns the capture at a place that [`crate::Writer::append`] or [`Captures`] gave.
pub fn read(folder: &Path, capture: Capture) -> Result<Captured, Error> {
    let mut walk = Walk::open(folder, capture.file, capture.offset)?;
    let gone = || walk_damaged(folder, capture, "the file ends before this capture");
    let record = walk.records.next().unwrap_or_else(|| Err(gone()))?;
    if record.length != u64::from(capture.length) || !record.is_capture() {
        return Err(walk_damaged(folder, capture, "no capture begins here"));
    }
    captured(record, capture.file).map_err(|reason| walk_damaged(folder, capture, reason))
}

/// Goes through captures. An error does not end it: what is readable behind the damage follows.
#[derive(Debug)]
pub struct Captures {
    folder: PathBuf,
    files: vec::IntoIter<u32>,
    walk: Option<Walk>,
    torn_bytes: u64,
}

impl Captures {
    /// Returns how many bytes of an unfinished write, or one that is just being made, lie at the
    /// end of the archive. Known once the captures are used up.
    pub fn torn_bytes(&self) -> u64 {
        self.torn_bytes
    }

    fn walk(&mut self) -> Option<Result<&mut Walk, Error>> {
        if self.walk.is_none() {
            let number = self.files.next()?;
            match Walk::open(&self.folder, number, 0) {
                Ok(walk) => self.walk = Some(walk),
                Err(error) => return Some(Err(error)),
            }
        }
        self.walk.as_mut().map(Ok)
    }
}

impl Iterator for Captures {
    type Item = Result<Captured, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let walk = match self.walk()? {
                Ok(walk) => walk,
                Err(error) => return Some(Err(error)),
            };
            match walk.next_record() {
                Some(Ok(record)) if record.is_capture() => {
                    let (number, offset) = (walk.number, record.offset);
                    let captured = captured(record, number);
                    return Some(captured.map_err(|reason| walk.damaged(offset, reason)));
                }
                Some(Ok(_)) => {}
                Some(Err(error)) => return Some(Err(error)),
                None => {
                    self.torn_bytes += walk.torn_bytes;
                    self.walk = None;
                }
            }
        }
    }
}

/// Goes through the records of one file of an archive, and past damage where the index knows a
/// record behind it.
///
/// Never looks for records by their first bytes: a page may hold bytes that look like one.
#[derive(Debug)]
pub(crate) struct Walk {
    folder: PathBuf,
    pub number: u32,
    pub records: Records,
    /// Bytes at the end of an open file that are not a whole record.
    pub torn_bytes: u64,
    /// Where captures begin by the index, read when the first damage is met.
    known: Option<Vec<u64>>,
}

impl Walk {
    pub(crate) fn open(folder: &Path, number: u32, offset: u64) -> Result<Self, Error> {
        let records = Records::open_packed(&Part::Warc.path(folder, number), offset)?;
        Ok(Self { folder: folder.to_owned(), number, records, torn_bytes: 0, known: None })
    }

    /// Returns the next record; `None` at the end, and at the unfinished end of an open file.
    pub(crate) fn next_record(&mut self) -> Option<Result<Record, Error>> {
        let error = match self.records.next()? {
            Ok(record) => return Some(Ok(record)),
            Err(error) if self.records.is_lost() => error,
            Err(error) => return Some(Err(error)),
        };
        let offset = error.offset().unwrap_or_else(|| self.records.position());
        match self.next_known(offset) {
            Ok(Some(next)) => self.records.resume(next),
            Ok(None) if self.is_open() && error.offset().is_some() => {
                let len = self.records.file_len().unwrap_or(offset);
                self.torn_bytes = len.saturating_sub(offset);
                return None;
            }
            Ok(None) => {}
            Err(error) => return Some(Err(error)),
        }
        Some(Err(error))
    }

    /// Returns where the first capture behind `offset` begins, if the index knows one.
    fn next_known(&mut self, offset: u64) -> Result<Option<u64>, Error> {
        if self.known.is_none() {
            self.known = Some(cdxj::offsets(&self.folder, self.number)?);
        }
        let known = self.known.as_deref().unwrap_or_default();
        Ok(known.get(known.partition_point(|known| *known <= offset)).copied())
    }

    /// Returns whether the file is still being written, or was when its writer died.
    pub(crate) fn is_open(&self) -> bool {
        !Part::Index.path(&self.folder, self.number).exists()
            && Part::Journal.path(&self.folder, self.number).exists()
    }

    pub(crate) fn damaged(&self, offset: u64, reason: &'static str) -> Error {
        let path = Part::Warc.path(&self.folder, self.number);
        Error::Damaged { path, offset, reason }
    }
}

fn walk_damaged(folder: &Path, capture: Capture, reason: &'static str) -> Error {
    let path = Part::Warc.path(folder, capture.file);
    Error::Damaged { path, offset: capture.offset, reason }
}

/// Takes the record of a response apart.
pub(crate) fn captured(record: Record, file: u32) -> Result<Captured, &'static str> {
    let target = record.field("WARC-Target-URI").ok_or("no WARC-Target-URI")?;
    // One old writer puts the address in angle brackets.
    let target = target.trim_start_matches('<').trim_end_matches('>').to_owned();
    let date = record.field("WARC-Date").ok_or("no WARC-Date")?;
    let fetched = Timestamp::parse_rfc3339(date).ok_or("WARC-Date is not a date")?;
    let address = record.field("WARC-IP-Address").and_then(|address| address.parse().ok());
    let cut = match record.field("WARC-Truncated").map(str::to_ascii_lowercase).as_deref() {
        None => None,
        Some("time") => Some(Cut::Time),
        Some("disconnect") => Some(Cut::Disconnect),
        // `length`, and `unspecified` or reasons yet to be invented.
        Some(_) => Some(Cut::Length),
    };
    let revisit = (record.kind() == Kind::Revisit)
        .then(|| Revisit::of_profile(record.field("WARC-Profile").unwrap_or_default()));
    let length = u32::try_from(record.length).map_err(|_| "larger than a record may be")?;
    let capture = Capture { file, offset: record.offset, length };
    let mut head = record.block;
    let body = head.split_off(http::head_end(&head).unwrap_or(head.len()));
    if body.len() > crate::BODY_BYTES {
        return Err("larger than a record may be");
    }
    // Whatever rules made it canonical, it is under none of them as it stands.
    let url = Url::parse_with(&target, Rules::NONE).ok();
    Ok(Captured { target, url, capture, fetched, address, head, body, cut, revisit })
}
