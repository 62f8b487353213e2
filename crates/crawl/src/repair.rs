//! Makes page log and frontier fit the archive again (STO-16).
//!
//! A copy that was made during a crawl has its parts of different moments: a page log that tells
//! of responses the archive does not hold, a frontier whose files do not fit each other. The
//! archive is the truth: from it the log is read anew, under numbers of segments that no position
//! stored elsewhere has, and from the log the frontier. The old log stays in `pages.old/`.
//!
//! Only when somebody asks for it. An archive may also be short because its disk is not there.

use std::fs::{self, File};

use base::log::Position;
use base::{Collection, Url, pages};

use crate::frontier::folder;
use crate::reparse::{failed, last_segment};
use crate::{Crawler, Error, Options};

/// What was made again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repaired {
    /// The frontier, from the log as it was.
    Frontier,
    /// Log and frontier, from the archive: index and link analysis must be made again too.
    Log,
}

/// Throws the frontier away and makes it again from page log and archive; the log too, if it tells
/// of more than the archive holds. The caller holds the collection's lock.
///
/// Nothing is touched if the log cannot be read, or if the archive is empty. What no page says is
/// given by the caller: the pages to begin at. Cost: reads the log, and the archive if need be.
pub fn repair(collection: &Collection, options: Options, seeds: &[Url]) -> Result<Repaired, Error> {
    let is_ahead = is_ahead(collection)?;
    if is_ahead {
        if !archive::Reader::open(&collection.archive())?
            .captures_from(None)?
            .any(|one| one.is_ok())
        {
            return Err(Error::NoArchive { path: collection.archive() });
        }
        set_log_aside(collection)?;
    }
    let path = collection.frontier();
    folder::remove(&path).map_err(|source| Error::Remove { path, source })?;
    Crawler::open(collection, options)?.add_seeds(seeds)?;
    Ok(if is_ahead { Repaired::Log } else { Repaired::Frontier })
}

/// Returns whether the page log tells of responses behind the archive's end.
pub(crate) fn is_ahead(collection: &Collection) -> Result<bool, Error> {
    let mut reader = pages::Reader::open(&collection.pages(), Position::START)?;
    let mut last = None;
    while let Some(entry) = reader.next_entry()? {
        last = last.max(Some(entry.record.capture));
    }
    Ok(last.is_some_and(|capture| !archive::reaches(&collection.archive(), capture)))
}

fn set_log_aside(collection: &Collection) -> Result<(), Error> {
    let pages = collection.pages();
    let old = pages.with_extension("old");
    let next = last_segment(&pages)? + 1;
    match fs::remove_dir_all(&old) {
        Err(source) if source.kind() != std::io::ErrorKind::NotFound => {
            return Err(Error::Remove { path: old, source });
        }
        _ => {}
    }
    fs::rename(&pages, &old).map_err(failed("rename", &pages))?;
    fs::create_dir(&pages).map_err(failed("create", &pages))?;
    // A writer goes on with the last segment that it finds; an empty one is begun.
    let first = pages.join(format!("{next:010}.log"));
    File::create(&first).map_err(failed("create", &first))?;
    Ok(())
}
