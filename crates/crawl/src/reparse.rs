//! Reads the archive again with the present parser (P1): a new page log, switched in whole.
//!
//! ```text
//! pages.new/     the new log while it is written; the old one from the switch until it is removed
//! frontier.new/  the frontier that goes with it, while it is made
//! ```
//! The new log has the page ids and the order of the old one, and its tombstones; which pages are
//! copies is judged again. Its segments have higher numbers than any of the old log, so that every
//! position stored elsewhere says by itself that it is of another log: frontier and index find no
//! such segment and are made again, the link analysis is made anew.
//!
//! The switch exchanges two folders in one step of the file system, the logs first. Before it the
//! old log counts, after it the new one; whatever is called `.new` at the next start is left over.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use archive::Captured;
use base::file::sync_folder;
use base::log::Position;
use base::{Capture, Collection, PageRecord, Url, pages};

use crate::committer::append;
use crate::frontier::{Frontier, FrontierError, Role, Sizes};
use crate::reading::{self, Reading};
use crate::{Crawler, Error, Options};

/// What was read again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reparsed {
    /// Responses read again.
    pub read: u64,
    /// Records kept as they were, because the archive cannot be read where they point.
    pub kept: u64,
}

/// Records that are read at once, on all processors.
const BATCH: usize = 64;

/// Writes the page log anew from the archive and puts it in the place of the old one.
///
/// `watch` is told how many records are done, of how many. The caller holds the collection's
/// lock; afterwards [`Crawler::open`] finds a frontier that fits, and the index starts over.
pub fn reparse(
    collection: &Collection,
    options: &Options,
    seeds: &[Url],
    watch: &mut dyn FnMut(u64, u64),
) -> Result<Reparsed, Error> {
    // Carries on what a crash left, so that the old log is complete.
    drop(Crawler::open(collection, options.clone())?);
    let total = pages::check(&collection.pages())?.num_frames;
    let sizes = Sizes::within(options.memory);
    let mut anew = Anew::create(collection, options, sizes)?;
    let mut update = anew.frontier.update();
    for seed in seeds {
        update.seed(seed, (options.clock)())?;
    }
    update.commit()?;
    let roles = Frontier::open(&collection.frontier(), sizes)?;
    anew.frontier.take_robots(&roles)?;
    let mut reader = pages::Reader::open(&collection.pages(), Position::START)?;
    let (mut done, mut newest) = (0, None);
    loop {
        let mut batch = Vec::new();
        while batch.len() < BATCH
            && let Some(entry) = reader.next_entry()?
        {
            done += 1;
            batch.extend(Job::of(entry.record, &mut newest, collection, &roles)?);
        }
        if batch.is_empty() {
            break;
        }
        anew.push(batch)?;
        watch(done, total);
    }
    anew.frontier.take_visits(&roles)?;
    drop((reader, roles));
    anew.finish()
}

/// What becomes of a record of the old log.
enum Job {
    /// It is written as it is.
    Keep { record: PageRecord, is_lost: bool },
    /// Its response is read again.
    Read { record: PageRecord, response: (Url, Role, Captured) },
}

impl Job {
    fn of(
        record: PageRecord,
        newest: &mut Option<Capture>,
        collection: &Collection,
        roles: &Frontier,
    ) -> Result<Option<Self>, FrontierError> {
        if record.is_forgotten() {
            return Ok(Some(Self::Keep { record, is_lost: false }));
        }
        // One that says anew what an earlier one said otherwise: it will be said again if it is
        // still so.
        if newest.is_some_and(|newest| record.capture <= newest) {
            return Ok(None);
        }
        *newest = Some(record.capture);
        let Ok(captured) = archive::read(&collection.archive(), record.capture) else {
            return Ok(Some(Self::Keep { record, is_lost: true }));
        };
        let role = roles.url(&record.url)?.map_or(Role::Page, |state| state.role);
        let response = (record.url.clone(), role, captured);
        Ok(Some(Self::Read { record, response }))
    }
}

/// The new log and its frontier, being made.
struct Anew<'a> {
    collection: &'a Collection,
    options: &'a Options,
    pages: pages::Writer,
    frontier: Frontier,
    reparsed: Reparsed,
}

impl<'a> Anew<'a> {
    fn create(
        collection: &'a Collection,
        options: &'a Options,
        sizes: Sizes,
    ) -> Result<Self, Error> {
        clean_up(collection)?;
        let folder = pages_beside(collection);
        fs::create_dir(&folder).map_err(failed("create", &folder))?;
        let next = last_segment(&collection.pages())? + 1;
        // A writer goes on with the last segment that it finds; an empty one is begun.
        let first = folder.join(format!("{next:010}.log"));
        File::create(&first).map_err(failed("create", &first))?;
        let pages = pages::Writer::open(&folder)?;
        let frontier = Frontier::open(&frontier_beside(collection), sizes)?;
        Ok(Self { collection, options, pages, frontier, reparsed: Reparsed::default() })
    }

    fn push(&mut self, batch: Vec<Job>) -> Result<(), Error> {
        let (mut records, mut responses) = (Vec::new(), Vec::new());
        for job in batch {
            match job {
                Job::Keep { record, is_lost } => {
                    self.reparsed.kept += u64::from(is_lost);
                    records.push((record, false));
                }
                Job::Read { record, response } => {
                    records.push((record, true));
                    responses.push(response);
                }
            }
        }
        self.reparsed.read += responses.len() as u64;
        let mut readings = reading::all_from_archive(&responses, self.options).into_iter();
        let mut update = self.frontier.update();
        for (old, is_read) in records {
            let reading: Option<Reading> = if is_read { readings.next() } else { None };
            let Some(mut reading) = reading else {
                append(&mut self.pages, &mut update, &old, self.options)?;
                continue;
            };
            update.arrived(&old.url, reading.take_arrived());
            let mut record = reading.into_record(old.url, old.id, old.fetched, old.capture);
            let anew = update.judge(&mut record)?;
            for record in std::iter::once(&record).chain(&anew) {
                append(&mut self.pages, &mut update, record, self.options)?;
            }
        }
        update.commit()?;
        Ok(())
    }

    /// Makes the new log durable and switches.
    fn finish(mut self) -> Result<Reparsed, Error> {
        self.pages.sync()?;
        self.frontier.save_lessons()?;
        self.frontier.sync()?;
        let Self { collection, pages, frontier, reparsed, .. } = self;
        drop((pages, frontier));
        let (root, beside) = (collection.root(), pages_beside(collection));
        sync_folder(&beside).map_err(failed("sync", &beside))?;
        exchange(&beside, &collection.pages()).map_err(failed("put in use", &beside))?;
        sync_folder(root).map_err(failed("sync", root))?;
        // From here on the new log counts. A frontier of the old one would be made again at the
        // next start; this only saves the work.
        let (old, new) = (collection.frontier(), frontier_beside(collection));
        exchange(&new, &old).map_err(failed("put in use", &new))?;
        sync_folder(root).map_err(failed("sync", root))?;
        clean_up(collection)?;
        Ok(reparsed)
    }
}

/// Removes what a reading that was killed has left. The caller holds the collection's lock.
pub(crate) fn clean_up(collection: &Collection) -> Result<(), Error> {
    for folder in [pages_beside(collection), frontier_beside(collection)] {
        match fs::remove_dir_all(&folder) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(failed("remove", &folder)(error));
            }
            _ => {}
        }
    }
    Ok(())
}

fn pages_beside(collection: &Collection) -> PathBuf {
    collection.pages().with_added_extension("new")
}

fn frontier_beside(collection: &Collection) -> PathBuf {
    collection.frontier().with_added_extension("new")
}

/// Lets two folders change names in one step.
fn exchange(one: &Path, other: &Path) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    Ok(renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE)?)
}

/// Returns the highest number of a segment in a log; 0 if there is none.
pub(crate) fn last_segment(folder: &Path) -> Result<u32, Error> {
    let mut last = 0;
    for entry in fs::read_dir(folder).map_err(failed("list", folder))? {
        let name = entry.map_err(failed("list", folder))?.file_name();
        let number = name.to_str().and_then(|name| name.strip_suffix(".log")?.parse().ok());
        last = last.max(number.unwrap_or(0));
    }
    Ok(last)
}

pub(crate) fn failed(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Error {
    move |source| Error::Folder { action, path: path.to_owned(), source }
}
