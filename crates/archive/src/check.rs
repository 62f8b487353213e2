//! Verifies an archive: every checksum, length and digest, and the indexes against the files.

use std::collections::BTreeSet;
use std::path::Path;

use crate::folder::{Part, list};
use crate::reader::{Walk, captured};
use crate::{Error, Kind, Record, cdxj};

/// What [`check()`] found in an archive.
#[derive(Debug, Default)]
pub struct Health {
    /// WARC files.
    pub num_files: u64,
    /// Whole records of any kind.
    pub num_records: u64,
    /// Records of responses among them, revisits too.
    pub num_responses: u64,
    /// Bytes behind the last whole record of a file that is not closed: an unfinished write that
    /// the next [`crate::Writer::open`] cuts off.
    pub torn_bytes: u64,
    /// What is wrong, each with the file it is in; at most the first 1,000.
    pub problems: Vec<Error>,
    /// How many problems there are.
    pub num_problems: u64,
}

/// Problems kept to be shown.
const PROBLEMS_KEPT: usize = 1_000;

impl Health {
    /// Returns whether nothing is wrong. An unfinished write is not wrong.
    pub fn is_clean(&self) -> bool {
        self.num_problems == 0
    }

    fn problem(&mut self, error: Error) {
        self.num_problems += 1;
        if self.problems.len() < PROBLEMS_KEPT {
            self.problems.push(error);
        }
    }
}

/// Reads a whole archive and verifies it. May run while the archive is being written.
///
/// Problems are returned, not errors; an error says that the folder cannot be listed.
pub fn check(folder: &Path) -> Result<Health, Error> {
    check_shown(folder, &mut |_| ())
}

/// Does what [`check()`] does; after each file `show` hears how many bytes are verified.
pub fn check_shown(folder: &Path, show: &mut dyn FnMut(u64)) -> Result<Health, Error> {
    let (mut health, mut done) = (Health::default(), 0);
    let found = list(folder)?;
    let numbers: BTreeSet<u32> = found.iter().map(|(number, _)| *number).collect();
    for number in numbers {
        let has = |part| found.binary_search(&(number, part)).is_ok();
        if has(Part::Warc) {
            health.num_files += 1;
            if let Err(error) = check_file(folder, number, &mut health) {
                health.problem(error);
            }
            // What cannot be measured any more is not worth an error: it is only shown.
            done += std::fs::metadata(Part::Warc.path(folder, number)).map_or(0, |data| data.len());
            show(done);
        } else if has(Part::Index) {
            health.problem(missing(Part::Warc, folder, number));
        }
    }
    Ok(health)
}

fn check_file(folder: &Path, number: u32, health: &mut Health) -> Result<(), Error> {
    // What they say must be in the file, so they are read before it; and the journal first,
    // because a writer that closes the file makes the index before it removes the journal.
    let journal = cdxj::read_journal(folder, number)?;
    let index = cdxj::read_bounded(&Part::Index.path(folder, number))?;
    let mut walk = Walk::open(folder, number, 0)?;
    let mut lines = Vec::new();
    let mut is_first = true;
    while let Some(next) = walk.next_record() {
        let record = match next {
            Ok(record) => record,
            Err(error) => {
                health.problem(error);
                continue;
            }
        };
        health.num_records += 1;
        if let Some(reason) = fault(&record, is_first) {
            health.problem(walk.damaged(record.offset, reason));
        }
        is_first = false;
        if record.is_capture() {
            health.num_responses += 1;
            match index_line(record, &mut walk) {
                Ok(line) => lines.push(line),
                Err(error) => health.problem(error),
            }
        }
    }
    health.torn_bytes += walk.torn_bytes;
    let (part, fits) = match (index, journal) {
        (Some(index), _) => (Part::Index, index == cdxj::sorted(lines)),
        (None, Some(notes)) => {
            let known: BTreeSet<String> = lines.into_iter().collect();
            let fits = notes.noted.iter().all(|noted| known.contains(&noted.line));
            (Part::Journal, fits && !notes.is_damaged)
        }
        (None, None) => return Err(missing(Part::Index, folder, number)),
    };
    if !fits {
        health.problem(Error::Index { path: part.path(folder, number) });
    }
    Ok(())
}

fn missing(part: Part, folder: &Path, number: u32) -> Error {
    let source = std::io::ErrorKind::NotFound.into();
    Error::File { action: "find", path: part.path(folder, number), source }
}

fn index_line(record: Record, walk: &mut Walk) -> Result<String, Error> {
    let crc = walk.records.take_crc();
    let offset = record.offset;
    let digest = record.field("WARC-Payload-Digest").unwrap_or_default().to_owned();
    match captured(record, walk.number) {
        Ok(captured) => Ok(cdxj::line(&captured, &digest, crc)),
        Err(reason) => Err(walk.damaged(offset, reason)),
    }
}

/// Returns in what a record differs from those that we write.
fn fault(record: &Record, is_first: bool) -> Option<&'static str> {
    if is_first != (record.kind() == Kind::Warcinfo) {
        return Some("a file must begin with its only warcinfo record");
    }
    if record.field("WARC-Record-ID").is_none() || record.field("WARC-Block-Digest").is_none() {
        return Some("a field that we always write is missing");
    }
    if record.kind() == Kind::Response && record.field("WARC-Payload-Digest").is_none() {
        return Some("a response without a payload digest");
    }
    record.digest_fault()
}
