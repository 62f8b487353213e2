//! Closes a file, also one that a killed process left behind.

use std::fs::{self, OpenOptions};
use std::io;
use std::path::Path;

use base::file::sync_folder;

use crate::folder::{Part, list};
use crate::reader::captured;
use crate::{Error, Records, cdxj};

/// Closes what a killed process left open. Returns the last number in use and how many bytes of
/// unfinished fetches were cut off.
pub(crate) fn close_all(folder: &Path) -> Result<(u32, u64), Error> {
    let found = list(folder)?;
    let mut cut_bytes = 0;
    for (number, part) in &found {
        let has = |part| found.binary_search(&(*number, part)).is_ok();
        match part {
            Part::Warc if !has(Part::Index) => cut_bytes += close(folder, *number)?,
            // It was killed while it began a file, or closed one.
            Part::Journal if has(Part::Index) || !has(Part::Warc) => {
                remove(&Part::Journal.path(folder, *number))?;
            }
            _ => {}
        }
    }
    Ok((found.last().map_or(0, |(number, _)| *number), cut_bytes))
}

/// Closes a file: writes its index from its journal and from the records that the journal does
/// not know. Returns how many bytes of an unfinished fetch were cut off.
///
/// A file without a journal was closed before and has lost its index: it is not changed.
pub(crate) fn close(folder: &Path, number: u32) -> Result<u64, Error> {
    let path = Part::Warc.path(folder, number);
    let file = OpenOptions::new().append(true).open(&path).map_err(failed("open", &path))?;
    let len = file.metadata().map_err(failed("look at", &path))?.len();
    let journal = cdxj::read_journal(folder, number)?;
    let has_journal = journal.is_some();
    let noted = journal.unwrap_or_default().noted;
    // A journal that names more than there is belongs to another file.
    let is_ours = noted.last().is_none_or(|last| last.end <= len);
    let noted = if is_ours { noted } else { Vec::new() };
    let start = noted.last().map_or(0, |last| last.end);
    let mut lines: Vec<String> = noted.into_iter().map(|noted| noted.line).collect();
    let end = index_rest(folder, number, start, &mut lines)?;
    let mut cut_bytes = 0;
    if has_journal && end < len {
        file.set_len(end).map_err(failed("cut", &path))?;
        cut_bytes = len - end;
    }
    file.sync_all().map_err(failed("sync", &path))?;
    if end == 0 && (has_journal || len == 0) {
        remove(&path)?;
    } else {
        cdxj::publish(folder, number, lines)?;
    }
    remove(&Part::Journal.path(folder, number))?;
    sync_folder(folder).map_err(failed("sync", folder))?;
    Ok(cut_bytes)
}

/// Adds the lines of the captures from byte `start` on; returns the end of the last one.
///
/// Nothing behind a damaged byte is believed, also when more follows.
fn index_rest(
    folder: &Path,
    number: u32,
    start: u64,
    lines: &mut Vec<String>,
) -> Result<u64, Error> {
    let mut records = Records::open_packed(&Part::Warc.path(folder, number), start)?;
    let mut end = start;
    while let Some(next) = records.next() {
        let record = match next {
            Ok(record) => record,
            Err(error @ Error::File { .. }) => return Err(error),
            Err(_) => break,
        };
        if record.is_capture() {
            let record_end = record.offset + record.length;
            let digest = record.field("WARC-Payload-Digest").unwrap_or_default().to_owned();
            let Ok(captured) = captured(record, number) else { break };
            lines.push(cdxj::line(&captured, &digest, records.take_crc()));
            end = record_end;
        }
    }
    Ok(end)
}

fn remove(path: &Path) -> Result<(), Error> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(failed("remove", path)(error)),
        _ => Ok(()),
    }
}

/// Makes an error of what the system said.
pub(crate) fn failed(action: &'static str, path: &Path) -> impl Fn(io::Error) -> Error + use<> {
    let path = path.to_owned();
    move |source| Error::File { action, path: path.clone(), source }
}
