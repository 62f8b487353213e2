//! Keeps the index up with the page log.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use base::log::{self, Position, Tail};
use base::{Collection, pages};
use tracing::{debug, warn};

use crate::cut;
use crate::writer::Committed;
use crate::{Error, Options, Writer};

/// Pages wait at most about this long before they can be found (X2).
const COMMIT_INTERVAL: Duration = Duration::from_secs(1);
/// Pause and commit together take no longer, where the commit leaves room for it: of the two seconds
/// that are promised the rest is for the way into the log and for the next look at the commit.
const PROMISED: Duration = Duration::from_millis(1_700);
/// No pause is shorter for that.
const SHORTEST_INTERVAL: Duration = Duration::from_millis(700);
/// The pause before a commit is so many times as long as the last one took: a slow disk gets fewer
/// of them …
const COMMIT_SHARE: u32 = 2;
/// … but not ever fewer: one commit that took a minute must not put off the next by two.
const LONGEST_INTERVAL: Duration = Duration::from_secs(10);
/// How long a quiet log is waited for before the stop flag is looked at again.
const NAP: Duration = Duration::from_millis(100);
/// How long an index that could not be written rests before it is tried again, at first …
const FIRST_REST: Duration = Duration::from_secs(1);
/// … and at most, as it doubles each time: room may take a person to make.
const LONGEST_REST: Duration = Duration::from_secs(60);

/// Indexes what is appended to the page log until `stop` is set; then commits and returns.
///
/// Goes on from the index's own checkpoint. If the log is shorter than that, the index belongs
/// to another log and is filled anew. `on_commit` is told after each commit. For a thread of the
/// process that writes the log, which `tail` comes from.
///
/// A full disk, a disk that fails, a thread of the writer that dies: the writer is opened anew
/// after a rest, and what was not committed is read again (STO-04, IDX-09). Returns only what
/// does not pass ([`Error::may_pass`]), or what is still wrong when `stop` is set.
pub fn follow(
    collection: &Collection,
    tail: &Tail,
    options: Options,
    stop: &AtomicBool,
    mut on_commit: impl FnMut(Committed),
) -> Result<(), Error> {
    let mut rest = FIRST_REST;
    loop {
        let num_missed = cut::num_missed();
        let mut is_further = false;
        let mut told = |committed| {
            is_further = true;
            on_commit(committed);
        };
        let error = match follow_on(collection, tail, options, stop, &mut told) {
            Ok(()) => return Ok(()),
            Err(error) => error,
        };
        // Nothing that was made of it is in use (STO-08).
        if cut::num_missed() != num_missed {
            warn!(%error, "a file was cut while in use: the index is opened anew");
            continue;
        }
        if !error.may_pass() || stop.load(Ordering::Relaxed) {
            return Err(error);
        }
        rest = if is_further { FIRST_REST } else { rest };
        warn!(
            error = error.with_causes(),
            seconds = rest.as_secs(),
            "indexing pauses and is tried again; what is indexed can be searched"
        );
        nap(rest, stop);
        rest = (rest * 2).min(LONGEST_REST);
    }
}

/// Sleeps, unless it is time to stop.
fn nap(time: Duration, stop: &AtomicBool) {
    let begun = Instant::now();
    while begun.elapsed() < time && !stop.load(Ordering::Relaxed) {
        thread::sleep(NAP);
    }
}

fn follow_on(
    collection: &Collection,
    tail: &Tail,
    options: Options,
    stop: &AtomicBool,
    on_commit: &mut impl FnMut(Committed),
) -> Result<(), Error> {
    let (mut writer, mut reader) = open(collection, options, Some(tail))?;
    let mut pace = Pace::default();
    while !stop.load(Ordering::Relaxed) {
        match reader.next_without_links()? {
            Some(entry) => {
                writer.apply(&entry)?;
                pace.pending();
            }
            None => {
                let _ = tail.wait_beyond(reader.position(), pace.rest().min(NAP));
            }
        }
        if pace.is_due() || writer.pending_bytes() > options.memory_bytes {
            on_commit(pace.commit(&mut writer)?);
        }
    }
    on_commit(writer.commit()?);
    writer.finish()
}

/// Indexes the page log up to its present end and returns.
pub fn catch_up(
    collection: &Collection,
    options: Options,
    mut on_commit: impl FnMut(Committed),
) -> Result<Committed, Error> {
    let (mut writer, mut reader) = open(collection, options, None)?;
    let mut pace = Pace::default();
    while let Some(entry) = reader.next_without_links()? {
        writer.apply(&entry)?;
        pace.pending();
        if pace.is_due() || writer.pending_bytes() > options.memory_bytes {
            on_commit(pace.commit(&mut writer)?);
        }
    }
    let committed = writer.commit()?;
    on_commit(committed);
    writer.finish()?;
    Ok(committed)
}

/// Opens the index and the log where the index has stopped.
fn open(
    collection: &Collection,
    options: Options,
    tail: Option<&Tail>,
) -> Result<(Writer, pages::Reader), Error> {
    let folder = collection.pages();
    let mut writer = Writer::open(&collection.index(), options)?;
    let reader = match open_log(&folder, writer.checkpoint(), tail) {
        Err(error) if is_another_log(&error, &folder) => {
            warn!(%error, "index does not fit the page log and is rebuilt from it");
            writer.start_over()?;
            open_log(&folder, Position::START, tail)?
        }
        opened => opened?,
    };
    debug!(checkpoint = ?writer.checkpoint(), "index goes on");
    Ok((writer, reader))
}

fn open_log(
    folder: &Path,
    from: Position,
    tail: Option<&Tail>,
) -> Result<pages::Reader, pages::Error> {
    match tail {
        Some(tail) => pages::Reader::follow(folder, from, tail.clone()),
        None => pages::Reader::open(folder, from),
    }
}

/// Returns whether a checkpoint cannot have come from this log: it lies behind its end, or in a
/// segment that does not exist.
pub(crate) fn is_another_log(error: &pages::Error, folder: &Path) -> bool {
    match error {
        pages::Error::Log(log::Error::PastEnd { .. }) => true,
        pages::Error::Log(log::Error::File { path, source, .. }) => {
            source.kind() == std::io::ErrorKind::NotFound && path != folder && folder.exists()
        }
        _ => false,
    }
}

/// When to commit.
#[derive(Default)]
struct Pace {
    /// When the oldest record that waits was applied.
    since: Option<Instant>,
    last_took: Duration,
}

impl Pace {
    fn pending(&mut self) {
        self.since.get_or_insert_with(Instant::now);
    }

    fn interval(&self) -> Duration {
        let wanted = (self.last_took * COMMIT_SHARE).clamp(COMMIT_INTERVAL, LONGEST_INTERVAL);
        match PROMISED.checked_sub(self.last_took) {
            Some(left) if left >= SHORTEST_INTERVAL => wanted.min(left),
            _ => wanted,
        }
    }

    fn is_due(&self) -> bool {
        self.since.is_some_and(|since| since.elapsed() >= self.interval())
    }

    /// Returns how long until a commit is due, if nothing else comes.
    fn rest(&self) -> Duration {
        self.since.map_or(NAP, |since| self.interval().saturating_sub(since.elapsed()))
    }

    fn commit(&mut self, writer: &mut Writer) -> Result<Committed, Error> {
        let begun = Instant::now();
        let committed = writer.commit()?;
        *self = Self { since: None, last_took: begun.elapsed() };
        Ok(committed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slow_commit_stretches_the_pause_up_to_a_bound() {
        let interval = |seconds| {
            let last_took = Duration::from_secs_f64(seconds);
            Pace { since: None, last_took }.interval().as_secs_f64()
        };
        assert_eq!(interval(0.001), 1.0);
        // Both together stay within what is promised as long as that can be.
        assert_eq!(interval(0.6), 1.1);
        assert_eq!(interval(0.75), 0.95);
        assert_eq!(interval(1.0), 0.7);
        assert_eq!(interval(1.1), 2.2);
        assert_eq!(interval(1.5), 3.0);
        assert_eq!(interval(600.0), 10.0);
    }
}
