//! Fills an index from the whole page log on all cores, best pages first.
//!
//! ```text
//! log ─ one pass ─→ where the last record of each page lies ─ sorted by rank ─→ shares
//! share ─ each thread reads its records, finds their words ─→ segments, one behind the other
//! segments ─ stacked, in order ─→ a few
//! ```
//! Documents come to a segment in the order that they have in it, and the ranks of two segments do
//! not overlap: nothing is sorted when segments are written, and merging them lays one behind the
//! other, stored texts as they are. A page that stands in the log several times is read once, and
//! nothing is ever deleted. Records are read from all over the log for that; 32 bytes of memory for
//! each are taken while it lasts.

use std::cmp::Reverse;
use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};
use std::num::NonZero;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use base::log::Position;
use base::pages;
use base::{Collection, PageId, PageRecord};
use tantivy::Index;
use tantivy::index::{SegmentId, SegmentMeta};
use tantivy::indexer::{AddOperation, SegmentWriter};

use crate::schema::order;
use crate::writer::{FEW_SEGMENTS, LEAST_SEGMENT, is_answer};
use crate::{Committed, Error, Fields, Options, Writer};

/// Shares for each of many threads: few, as each may end with a small segment, and more than one, as
/// one may be more work than another.
const SHARES: usize = 4;
/// Records of a share, if there are so many.
const LEAST_SHARE: usize = if cfg!(test) { 32 } else { 4_096 };
/// What a document may take beyond the memory of a segment, in bytes, as tantivy reckons it.
const MARGIN: usize = 1_000_000;

/// A record to be indexed.
struct Ranked {
    page: PageId,
    start: Position,
    order: u64,
}

/// Where a segment stands among all: its share, and its place in it.
type Place = (usize, usize);

/// Fills an empty index from the page log; `rank` is what is known of a page's importance.
pub(crate) fn fill(
    collection: &Collection,
    options: Options,
    rank: &(dyn Fn(PageId) -> f32 + Sync),
    on_commit: impl FnMut(Committed),
) -> Result<Committed, Error> {
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    fill_on(num_threads(cores, options), collection, options, rank, on_commit)
}

/// Like [`fill`], on so many threads.
fn fill_on(
    threads: usize,
    collection: &Collection,
    options: Options,
    rank: &(dyn Fn(PageId) -> f32 + Sync),
    mut on_commit: impl FnMut(Committed),
) -> Result<Committed, Error> {
    let mut writer = Writer::open_bulk(&collection.index(), options, threads)?;
    let (records, end) = ranked(&collection.pages(), rank)?;
    writer.fill_up_to(end);
    let share = records.len().div_ceil(num_shares(threads)).max(LEAST_SHARE);
    let shares: Vec<&[Ranked]> = records.chunks(share).collect();
    let work = Work {
        log: &collection.pages(),
        folder: &collection.index(),
        index: writer.unsorted(),
        fields: writer.fields(),
        shares: &shares,
        next: AtomicUsize::new(0),
        memory_bytes: writer.memory_bytes(),
    };
    let segments = thread::scope(|scope| {
        let (done, written) = channel();
        for _ in 0..threads {
            let (work, done) = (&work, done.clone());
            scope.spawn(move || work.run(&done));
        }
        drop(done);
        // If this fails, the other threads find their channel closed and come to an end.
        collect(written, &mut writer, &mut on_commit)
    })?;
    let committed = writer.commit_at(end)?;
    on_commit(committed);
    writer.stack(&segments)?;
    writer.finish()?;
    Ok(committed)
}

/// As many threads as there are cores, if the memory is enough for what each needs at least.
fn num_threads(cores: usize, options: Options) -> usize {
    cores.min(options.memory_bytes / LEAST_SEGMENT).max(1)
}

/// Few threads have no more shares than there may be segments: where a share fits into the memory of
/// a thread, nothing is merged at all, which costs as much as a third of the filling.
fn num_shares(threads: usize) -> usize {
    if threads <= FEW_SEGMENTS { FEW_SEGMENTS / threads * threads } else { threads * SHARES }
}

/// Returns the last record of each page, best first, and where the log ends. Pages of one rank stay
/// in the order of the log.
fn ranked(
    folder: &Path,
    rank: &(dyn Fn(PageId) -> f32 + Sync),
) -> Result<(Vec<Ranked>, Position), Error> {
    let (mut records, mut end) = (Vec::new(), Position::START);
    if folder.exists() {
        let mut log = pages::Reader::open(folder, Position::START)?;
        while let Some((page, start, behind)) = log.next_id()? {
            records.push(Ranked { page, start, order: order(rank(page)) });
            end = behind;
        }
    }
    records.sort_unstable_by_key(|record| (record.page, Reverse(record.start)));
    records.dedup_by_key(|record| record.page);
    records.sort_unstable_by_key(|record| (Reverse(record.order), record.start));
    Ok((records, end))
}

/// Makes segments searchable as they come, and returns them in the order of their documents with
/// how many each has.
///
/// The checkpoint stays at the beginning of the log until all are there, and commits say what is
/// going on ([`Writer::fill_up_to`]): who is interrupted reads all of it again.
fn collect(
    written: Receiver<Result<(Place, SegmentMeta), Error>>,
    writer: &mut Writer,
    on_commit: &mut impl FnMut(Committed),
) -> Result<Vec<(SegmentId, u32)>, Error> {
    let mut segments = BTreeMap::new();
    for written in written {
        let (place, meta) = written?;
        segments.insert(place, (meta.id(), meta.num_docs()));
        on_commit(writer.add_segment(meta)?);
    }
    Ok(segments.into_values().collect())
}

/// What the threads share.
struct Work<'a> {
    log: &'a Path,
    folder: &'a Path,
    index: Index,
    fields: Fields,
    shares: &'a [&'a [Ranked]],
    /// The next share that nobody has taken.
    next: AtomicUsize,
    /// Memory of a segment that is being written.
    memory_bytes: usize,
}

impl Work<'_> {
    /// Writes share after share until none is left, one fails or nobody listens.
    fn run(&self, done: &Sender<Result<(Place, SegmentMeta), Error>>) {
        let mut log = Log { folder: self.log, open: HashMap::new() };
        loop {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(share) = self.shares.get(number) else { return };
            let (mut place, mut is_heard) = (0, true);
            let written = self.write(share, &mut log, &mut |meta| {
                place += 1;
                is_heard = done.send(Ok(((number, place), meta))).is_ok();
                is_heard
            });
            if let Err(error) = written {
                is_heard = false;
                let _ = done.send(Err(error));
            }
            if !is_heard {
                return;
            }
        }
    }

    /// Writes the records of a share into segments, each as large as the memory allows. Ends early
    /// if `on_segment` says so.
    fn write(
        &self,
        share: &[Ranked],
        log: &mut Log<'_>,
        on_segment: &mut impl FnMut(SegmentMeta) -> bool,
    ) -> Result<(), Error> {
        let mut open: Option<Open> = None;
        for ranked in share {
            let record = log.read(ranked.start)?;
            let Some(record) = record.filter(is_answer) else { continue };
            let document = self.fields.ordered_document(&record, ranked.order);
            let mut segment = match open.take() {
                Some(segment) => segment,
                None => Open::new(&self.index, self.memory_bytes).map_err(self.failed())?,
            };
            let added = segment.writer.add_document(AddOperation { opstamp: 0, document });
            added.map_err(self.failed())?;
            if segment.writer.mem_usage() + MARGIN < self.memory_bytes {
                open = Some(segment);
            } else if !on_segment(segment.finish().map_err(self.failed())?) {
                return Ok(());
            }
        }
        if let Some(segment) = open {
            on_segment(segment.finish().map_err(self.failed())?);
        }
        Ok(())
    }

    fn failed(&self) -> impl Fn(tantivy::TantivyError) -> Error {
        |source| Error::new("write", self.folder, source)
    }
}

/// The page log, read from all over it: what was opened for a record stays open for the next.
struct Log<'a> {
    folder: &'a Path,
    /// One for each segment of the log.
    open: HashMap<u32, pages::Reader>,
}

/// Segments of the log that a thread has open at a time: 16 GiB of it.
const OPEN_SEGMENTS: usize = 64;

impl Log<'_> {
    /// Returns the record that begins at a place, without its links.
    fn read(&mut self, start: Position) -> Result<Option<PageRecord>, Error> {
        if self.open.len() >= OPEN_SEGMENTS && !self.open.contains_key(&start.segment) {
            self.open.clear();
        }
        let reader = match self.open.entry(start.segment) {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => entry.insert(pages::Reader::open(self.folder, start)?),
        };
        reader.seek(start)?;
        // What was erased since is passed over, and what follows it is another's.
        let entry = reader.next_without_links()?.filter(|entry| entry.start == start);
        Ok(entry.map(|entry| entry.record))
    }
}

/// A segment that is being written.
struct Open {
    segment: tantivy::Segment,
    writer: SegmentWriter,
}

impl Open {
    fn new(index: &Index, memory_bytes: usize) -> tantivy::Result<Self> {
        let segment = index.new_segment();
        let writer = SegmentWriter::for_segment(memory_bytes, segment.clone())?;
        Ok(Self { segment, writer })
    }

    fn finish(self) -> tantivy::Result<SegmentMeta> {
        let num_docs = self.writer.max_doc();
        self.writer.finalize()?;
        let meta = self.segment.with_max_doc(num_docs).meta().clone();
        meta.untrack_temp_docstore();
        Ok(meta)
    }
}

#[cfg(test)]
mod tests {
    use base::{ContentKind, Timestamp, Url};

    use super::*;

    #[test]
    fn there_is_a_thread_for_each_core_that_there_is_memory_for() {
        let threads =
            |cores, mib: usize| num_threads(cores, Options { memory_bytes: mib * 1024 * 1024 });
        assert_eq!([threads(1, 64), threads(4, 64), threads(16, 64)], [1, 4, 4]);
        assert_eq!([threads(16, 256), threads(64, 1_024), threads(8, 1)], [16, 64, 1]);
        assert_eq!([1, 2, 3, 4, 5, 16].map(num_shares), [4, 4, 3, 4, 20, 64]);
    }

    #[test]
    fn threads_share_the_pages_and_leave_them_in_order() {
        const PAGES: u64 = 1_400;
        const THREADS: usize = 6;
        let folder = tempfile::tempdir().unwrap();
        let collection = Collection::open_or_create(&folder.path().join("c")).unwrap();
        let mut log = pages::Writer::open(&collection.pages()).unwrap();
        // All of them again: what was said first does not count.
        for number in (0..PAGES).chain(0..PAGES) {
            let url = Url::parse(&format!("http://a.example/{number}")).unwrap();
            let id = PageId::new(0, number).unwrap();
            let kind = ContentKind::Html;
            let new = PageRecord::new(id, url, Timestamp::default(), 200);
            log.append(&PageRecord { kind, ..new }).unwrap();
        }
        log.sync().unwrap();
        let rank = |page: PageId| (page.index() * 37 % PAGES) as f32 / PAGES as f32;
        let mut num_segments = 0;
        let options = Options::default();
        let filled = fill_on(THREADS, &collection, options, &rank, |_| num_segments += 1).unwrap();
        assert_eq!((filled.num_docs, filled.position), (PAGES, log.end()));
        // One segment for each share, and the end.
        assert_eq!(num_segments, THREADS * SHARES + 1);
        let snapshot = crate::Reader::open(&collection.index()).snapshot().unwrap().unwrap();
        let mut segments = Vec::new();
        for segment in snapshot.searcher.segment_readers() {
            let pages = segment.fast_fields().u64(crate::schema::PAGE).unwrap();
            let of_page = |document| PageId::from_u64(pages.first(document).unwrap());
            // Best step first; within a step as they came.
            let place = |page: PageId| (Reverse(order(rank(page))), page.index());
            segments.push(segment.doc_ids_alive().map(of_page).map(place).collect::<Vec<_>>());
        }
        segments.sort();
        let places = segments.concat();
        assert!(places.is_sorted(), "{places:?}");
        assert!(places[0].0 < places[places.len() - 1].0, "{places:?}");
        assert_eq!(crate::check(&collection).unwrap().problems, []);
    }
}
