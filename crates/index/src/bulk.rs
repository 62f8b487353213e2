//! Fills an index from the whole page log on all cores.
//!
//! ```text
//! log ─ one thread reads ─→ batches ─ many find the words ─→ in order again ─→ tantivy's threads
//! ```
//! A page may stand in the log several times, so documents are handed over in the order of the
//! log. Segments are merged when all is written, so that few documents are written more than twice.
//! A batch is read only when an earlier one was handed over: however unlike in size the pages
//! are, only so many wait.

use std::collections::BTreeMap;
use std::num::NonZero;
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread;

use base::log::Position;
use base::pages::{self, Entry};
use base::{Collection, PageId};

use crate::writer::{LEAST_MEMORY, Prepared, prepare};
use crate::{Committed, Error, Fields, Options, Writer};

/// Records of a batch, unless they are large.
const BATCH: usize = 64;
/// Text of a batch, in bytes.
const BATCH_BYTES: usize = 1024 * 1024;
/// Batches under way for each thread.
const BATCHES: usize = 4;
/// Text between two commits, in bytes. What is lost by a crash is read again from the log.
const COMMIT_BYTES: usize = 512 * 1024 * 1024;

/// What goes from thread to thread: a number that says its place, and records or why not.
type Numbered<T> = (u64, Result<Vec<T>, pages::Error>);

/// Fills an empty index from the page log; `rank` is what is known of a page's importance.
pub(crate) fn fill(
    collection: &Collection,
    options: Options,
    rank: &(dyn Fn(PageId) -> f32 + Sync),
    mut on_commit: impl FnMut(Committed),
) -> Result<Committed, Error> {
    let threads = num_threads(options);
    let mut writer = Writer::open_bulk(&collection.index(), options, threads)?;
    if collection.pages().exists() {
        let log = pages::Reader::open(&collection.pages(), Position::START)?;
        let fields = writer.fields();
        let (free, taken) = channel();
        // There is room in the channels for all batches under way, so nobody waits for room.
        let (to_words, raw) = sync_channel(threads * BATCHES);
        let raw = Mutex::new(raw);
        let (to_index, ready) = sync_channel(threads * BATCHES);
        for _ in 0..threads * BATCHES {
            let _ = free.send(());
        }
        thread::scope(|scope| {
            scope.spawn(move || read(log, &taken, &to_words));
            for _ in 0..threads {
                let (raw, to_index) = (&raw, to_index.clone());
                scope.spawn(move || find_words(raw, fields, rank, &to_index));
            }
            drop(to_index);
            let applied = apply(ready, &free, &mut writer, &mut on_commit);
            // If this failed, the other threads find their channels closed and come to an end.
            drop(free);
            applied
        })?;
    }
    let committed = writer.commit()?;
    on_commit(committed);
    // Merges under way have an end only with their writer.
    writer.finish()?;
    let mut writer = Writer::open_bulk(&collection.index(), options, threads)?;
    writer.merge_small(threads)?;
    writer.finish()?;
    Ok(committed)
}

/// As many threads as there are cores, if the memory is enough for what each needs at least.
fn num_threads(options: Options) -> usize {
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    cores.min(options.memory_bytes / LEAST_MEMORY).max(1)
}

/// Reads batch after batch, each when there is a place free for it.
fn read(mut log: pages::Reader, free: &Receiver<()>, out: &SyncSender<Numbered<Entry>>) {
    for number in 0.. {
        if free.recv().is_err() {
            return;
        }
        let batch = next_batch(&mut log);
        let is_last = batch.as_ref().map_or(true, Vec::is_empty);
        if out.send((number, batch)).is_err() || is_last {
            return;
        }
    }
}

/// Returns the next records; none at the end of the log.
fn next_batch(log: &mut pages::Reader) -> Result<Vec<Entry>, pages::Error> {
    let (mut batch, mut num_bytes) = (Vec::new(), 0);
    while batch.len() < BATCH && num_bytes < BATCH_BYTES {
        let Some(entry) = log.next_entry()? else { break };
        num_bytes += entry.record.blocks.iter().map(|block| block.text.len()).sum::<usize>();
        batch.push(entry);
    }
    Ok(batch)
}

fn find_words(
    raw: &Mutex<Receiver<Numbered<Entry>>>,
    fields: Fields,
    rank: &(dyn Fn(PageId) -> f32 + Sync),
    out: &SyncSender<Numbered<Prepared>>,
) {
    loop {
        let received = raw.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok((number, batch)) = received else { return };
        let prepared = batch.map(|entries| {
            let prepare = |entry: &Entry| prepare(fields, entry, rank(entry.record.id));
            entries.iter().map(prepare).collect()
        });
        if out.send((number, prepared)).is_err() {
            return;
        }
    }
}

/// Hands the batches to the index in the order in which they were read.
fn apply(
    ready: Receiver<Numbered<Prepared>>,
    free: &Sender<()>,
    writer: &mut Writer,
    on_commit: &mut impl FnMut(Committed),
) -> Result<(), Error> {
    let mut waiting = BTreeMap::new();
    let mut next = 0;
    for (number, batch) in ready {
        waiting.insert(number, batch);
        while let Some(batch) = waiting.remove(&next) {
            next += 1;
            for prepared in batch? {
                writer.apply_prepared(prepared)?;
            }
            // The reader may have ended.
            let _ = free.send(());
        }
        if writer.pending_bytes() > COMMIT_BYTES {
            on_commit(writer.commit()?);
        }
    }
    Ok(())
}
