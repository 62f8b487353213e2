//! Puts page records into the index; the only place that changes it.

use std::path::{Path, PathBuf};
use std::time::Duration;

use base::log::Position;
use base::pages::Entry;
use base::{Oddity, PageId, PageRecord};
use tantivy::directory::error::LockError;
use tantivy::index::{SegmentId, SegmentMeta};
use tantivy::indexer::{IndexWriterOptions, UserOperation};
use tantivy::merge_policy::{LogMergePolicy, NoMergePolicy};
use tantivy::{Index, IndexReader, IndexWriter, ReloadPolicy, TantivyError};
use tracing::{debug, warn};

use crate::error::guarded;
use crate::folder::{self, Found, Payload};
use crate::long::num_cut_words;
use crate::queue::{Queue, Queued};
use crate::schema::{ORDER, PAGE, order};
use crate::{Error, Fields};

/// Puts page records into the index. One at a time; a lock in the folder sees to that.
pub struct Writer {
    folder: PathBuf,
    fields: Fields,
    writer: IndexWriter<Queued>,
    /// Documents on their way to it.
    queue: Queue,
    /// Counts documents for [`Committed`].
    reader: IndexReader,
    /// End of the last record in the last commit.
    checkpoint: Position,
    /// End of the last record applied.
    position: Position,
    /// Up to where pages of the log may be in the index though they lie behind `position`.
    filling: Option<Position>,
    pending_bytes: usize,
    /// Memory of each thread.
    memory_bytes: usize,
    /// The largest page id that was ever put into the index. Ids are given in the order of the log,
    /// so that what is beyond it is new.
    newest: Option<u64>,
}

/// How the index is written.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Memory for documents that are not yet on disk, at least [`Self::LEAST_MEMORY`]. Default
    /// 64 MiB: segments of some ten thousand pages when catching up, and small beside what a crawl
    /// needs. An index that is filled anew has a thread for every [`Self::THREAD_MEMORY`].
    pub memory_bytes: usize,
}

impl Options {
    /// The least memory that can be kept to.
    pub const LEAST_MEMORY: usize = 24 * 1024 * 1024;
    /// What each thread needs that fills an index anew.
    pub const THREAD_MEMORY: usize = LEAST_SEGMENT;
}

impl Default for Options {
    fn default() -> Self {
        Self { memory_bytes: 64 * 1024 * 1024 }
    }
}

/// What a commit made searchable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Committed {
    /// The page log up to here is in the index, and stays there after a power loss.
    pub position: Position,
    /// Pages that can be found.
    pub num_docs: u64,
}

/// Returns whether a page has a document: it was read, does not forbid it and repeats no other.
///
/// Also one without any text: others' words may describe it (W16), and whoever finds it that way
/// must be able to see here that it still may be shown.
pub fn is_answer(record: &PageRecord) -> bool {
    record.status == 200
        && !record.robots.noindex
        && record.copy_of.is_none()
        && !record.oddities.contains(&Oddity::SoftMissing)
        && record.kind.has_text()
}

/// What tantivy asks for at least for a segment, per thread.
pub(crate) const LEAST_SEGMENT: usize = 16 * 1024 * 1024;
/// The part of the memory that is for documents on their way to the segment: the rest is the
/// segment's own.
const QUEUE_SHARE: usize = 4;
/// What tantivy takes at most, with room to spare.
const MOST_MEMORY: usize = 2 * 1024 * 1024 * 1024;
/// Segments that an index filled anew has at most: a word is looked up in each.
pub(crate) const FEW_SEGMENTS: usize = 4;
/// Segments of about one size that are merged as pages come.
const SEGMENTS: usize = 8;
/// Segments of fewer documents are merged with each other first. A commit a second makes small
/// segments; this keeps them to a few dozen (IDX-07).
const SMALL_SEGMENT: u32 = 1_000;

impl Writer {
    /// Opens the index in `folder`, or makes one if the folder is missing or empty.
    ///
    /// An index that is damaged or of an older format is made anew and empty, with a warning: its
    /// checkpoint is then the beginning of the page log. A lock left by a killed process does not
    /// block. Refuses a folder that holds something else.
    pub fn open(folder: &Path, options: Options) -> Result<Self, Error> {
        // One thread makes one segment per commit; the words are found before it.
        Self::open_with(folder, options, 1)
    }

    /// Like [`Self::open`], for segments that are written by others: on so many threads, each with
    /// [`Self::memory_bytes`]. They are merged by [`Self::stack`] alone.
    pub(crate) fn open_bulk(
        folder: &Path,
        options: Options,
        threads: usize,
    ) -> Result<Self, Error> {
        let writer = Self::open_with(folder, options, threads)?;
        writer.writer.set_merge_policy(Box::new(NoMergePolicy));
        Ok(writer)
    }

    fn open_with(folder: &Path, options: Options, threads: usize) -> Result<Self, Error> {
        let failure = match folder::look(folder, folder::PAGES)? {
            Found::Nothing => None,
            Found::Unlisted => Some("its list of segments is gone".to_owned()),
            Found::Older => Some("its format is older".to_owned()),
            Found::Index => match Self::open_found(folder, options, threads) {
                Err(Error::Damaged { source, .. }) => Some(source.to_string()),
                opened => return opened,
            },
        };
        if let Some(reason) = failure {
            warn!(folder = %folder.display(), reason, "index is rebuilt from the page log");
            folder::clear(folder)?;
        }
        let (schema, fields) = Fields::schema();
        let index = folder::create(folder, folder::PAGES, schema, Some(ORDER))?;
        Self::new(folder, &index, fields, options, threads)
    }

    fn open_found(folder: &Path, options: Options, threads: usize) -> Result<Self, Error> {
        guarded(folder, || {
            let (index, fields) = folder::open_pages(folder)?;
            Self::new(folder, &index, fields, options, threads)
        })
    }

    fn new(
        folder: &Path,
        index: &Index,
        fields: Fields,
        options: Options,
        threads: usize,
    ) -> Result<Self, Error> {
        let failed = |source| Error::new("open", folder, source);
        // Who writes segments in another way, on many threads, puts nothing into the queue.
        let queue = if threads == 1 { options.memory_bytes / QUEUE_SHARE } else { 0 };
        let memory_bytes =
            ((options.memory_bytes - queue) / threads).clamp(LEAST_SEGMENT, MOST_MEMORY);
        let settings = || {
            IndexWriterOptions::builder()
                .memory_budget_per_thread(memory_bytes)
                .num_worker_threads(threads)
                .num_merge_threads(threads)
                .build()
        };
        let writer = locked(|| index.writer_with_options(settings())).map_err(failed)?;
        writer.set_merge_policy(Box::new(merge_policy(SEGMENTS)));
        // tantivy would number the first operation like the last commit. A merge that begins before
        // the next one takes it for a part of that: the page it takes out goes too early from some
        // segments, and never from those that the commit had changed. No operation takes a number.
        writer.run([]).map_err(failed)?;
        // Opening every segment finds missing and cut files now, not at the first search.
        let reader = index
            .reader_builder()
            .reload_policy(ReloadPolicy::Manual)
            .try_into()
            .map_err(failed)?;
        let metas = index.load_metas().map_err(failed)?;
        folder::clear_left_overs(folder, &metas)?;
        let Payload { position: checkpoint, filling } = folder::payload(&metas);
        let folder = folder.to_owned();
        let newest = newest(&reader).map_err(failed)?;
        Ok(Self {
            folder,
            fields,
            writer,
            queue: Queue::new(queue),
            reader,
            checkpoint,
            position: checkpoint,
            filling,
            pending_bytes: 0,
            memory_bytes,
            newest,
        })
    }

    /// Returns the end of the last record of the page log that is in the index for good.
    pub fn checkpoint(&self) -> Position {
        self.checkpoint
    }

    /// Returns the end of the last record applied; committed or not.
    pub fn position(&self) -> Position {
        self.position
    }

    /// Returns how many bytes of text wait for a commit.
    pub fn pending_bytes(&self) -> usize {
        self.pending_bytes
    }

    /// Puts a page into the index in place of its older self, or takes it out if it can no longer
    /// be an answer ([`is_answer`]).
    ///
    /// Searchable after [`Self::commit`]. Records must come in the order of the log.
    pub fn apply(&mut self, entry: &Entry) -> Result<(), Error> {
        let record = &entry.record;
        // tantivy looks every deletion up in every segment that is older, at each commit: with one
        // for every page that comes, that is most of a large rebuild.
        if self.newest >= Some(record.id.as_u64()) {
            self.writer.delete_term(self.fields.page_term(record.id));
        }
        if is_answer(record) {
            self.newest = self.newest.max(Some(record.id.as_u64()));
            self.pending_bytes += record.blocks.iter().map(|block| block.text.len()).sum::<usize>();
            // A page that has just come has no rank yet.
            let document = self.fields.ordered_document(record, order(0.0));
            let queued = self.queue.admit(document, || self.is_alive());
            self.writer.add_document(queued).map_err(|source| self.failed("write", source))?;
        }
        self.position = entry.end;
        Ok(())
    }

    /// Returns whether the thread that writes the segment still lives.
    ///
    /// tantivy says so only to those who send it something: here, that a page is to be deleted
    /// which there is not.
    fn is_alive(&self) -> bool {
        let nobody = self.fields.page_term(PageId::from_u64(u64::MAX));
        self.writer.run([UserOperation::Delete(nobody)]).is_ok()
    }

    pub(crate) fn fields(&self) -> Fields {
        self.fields
    }

    /// Makes everything applied searchable and durable, with the position it leads up to.
    ///
    /// With nothing new it does nothing.
    pub fn commit(&mut self) -> Result<Committed, Error> {
        if self.position != self.checkpoint {
            self.publish()?;
        }
        self.committed()
    }

    /// Says that pages of the log up to a position come in another order than it has: until all of
    /// it is in the index, commits say so.
    pub(crate) fn fill_up_to(&mut self, end: Position) {
        self.filling = Some(end);
    }

    /// Makes a segment searchable that was written elsewhere, for an index with no newer pages.
    pub(crate) fn add_segment(&mut self, meta: SegmentMeta) -> Result<Committed, Error> {
        self.writer.add_segment(meta).map_err(|source| self.failed("write", source))?;
        self.publish()?;
        self.committed()
    }

    /// Commits, and says that the page log up to a position is in the index.
    pub(crate) fn commit_at(&mut self, position: Position) -> Result<Committed, Error> {
        self.position = position;
        self.commit()
    }

    fn publish(&mut self) -> Result<(), Error> {
        let filling = self.filling.filter(|end| self.position < *end);
        let payload = serde_json::to_string(&Payload { position: self.position, filling })
            .expect("a position is two numbers");
        let committed = self.writer.prepare_commit().and_then(|mut commit| {
            commit.set_payload(&payload);
            commit.commit()
        });
        committed.map_err(|source| self.failed("commit", source))?;
        self.checkpoint = self.position;
        self.filling = filling;
        self.pending_bytes = 0;
        debug!(position = ?self.position, cut_words = num_cut_words(), "index committed");
        Ok(())
    }

    fn committed(&self) -> Result<Committed, Error> {
        self.reader.reload().map_err(|source| self.failed("read", source))?;
        Ok(Committed { position: self.checkpoint, num_docs: self.reader.searcher().num_docs() })
    }

    /// Takes every page out and goes back to the beginning of the page log.
    pub(crate) fn start_over(&mut self) -> Result<(), Error> {
        self.writer.delete_all_documents().map_err(|source| self.failed("empty", source))?;
        self.position = Position::START;
        self.filling = None;
        self.newest = None;
        self.commit()?;
        Ok(())
    }

    /// Merges segments, given with their numbers of documents in the order of those, so that few are
    /// left; on as many threads as may merge at a time.
    ///
    /// For an index with no merge under way.
    pub(crate) fn stack(&mut self, segments: &[(SegmentId, u32)]) -> Result<(), Error> {
        let merges: Vec<_> =
            groups(segments).iter().map(|group| self.writer.merge(group)).collect();
        for merge in merges {
            merge.wait().map_err(|source| self.failed("merge", source))?;
        }
        self.reader.reload().map_err(|source| self.failed("read", source))?;
        let removed = self.writer.garbage_collect_files().wait();
        removed.map_err(|source| self.failed("clear", source))?;
        Ok(())
    }

    /// Returns the index for those who write segments whose documents come in order: they need not
    /// be sorted.
    pub(crate) fn unsorted(&self) -> Index {
        let mut index = self.writer.index().clone();
        index.settings_mut().sort_by_field = None;
        index
    }

    /// Returns the memory of each thread for the segment that it writes.
    pub(crate) fn memory_bytes(&self) -> usize {
        self.memory_bytes
    }

    /// Waits for merges under way and lets go of the index.
    pub fn finish(self) -> Result<(), Error> {
        let folder = self.folder;
        self.writer.wait_merging_threads().map_err(|source| Error::new("merge", &folder, source))
    }

    fn failed(&self, action: &'static str, source: TantivyError) -> Error {
        Error::new(action, &self.folder, source)
    }
}

/// Returns the largest page id in an index.
fn newest(reader: &IndexReader) -> tantivy::Result<Option<u64>> {
    let mut newest = None;
    for segment in reader.searcher().segment_readers().iter().filter(|one| one.max_doc() > 0) {
        let pages = segment.fast_fields().u64(PAGE)?;
        newest = newest.max(Some(pages.max_value()));
    }
    Ok(newest)
}

/// Says which segments are merged: those of about one size, once there are so many.
fn merge_policy(num_segments: usize) -> LogMergePolicy {
    let mut policy = LogMergePolicy::default();
    policy.set_min_layer_size(SMALL_SEGMENT);
    policy.set_min_num_segments(num_segments);
    policy
}

/// Says which segments of so many documents to merge so that few of about one size are left, each of
/// segments that follow each other.
fn groups(segments: &[(SegmentId, u32)]) -> Vec<Vec<SegmentId>> {
    if segments.len() <= FEW_SEGMENTS {
        return Vec::new();
    }
    let total: u64 = segments.iter().map(|(_, num_docs)| u64::from(*num_docs)).sum();
    let mut groups = vec![Vec::new(); FEW_SEGMENTS];
    let mut before = 0;
    for (id, num_docs) in segments {
        // The group that its middle falls into.
        let middle = 2 * before + u64::from(*num_docs);
        let group = middle * FEW_SEGMENTS as u64 / (2 * total.max(1));
        groups[(group as usize).min(FEW_SEGMENTS - 1)].push(*id);
        before += u64::from(*num_docs);
    }
    groups.retain(|group| group.len() > 1);
    groups
}

/// How often, and after what pauses, a lock that somebody has is asked for again.
const LOCK_TRIES: u32 = 25;
const LOCK_PAUSE: Duration = Duration::from_millis(20);

/// Opens what takes the lock of an index.
///
/// A process that this one starts has all its files until it becomes another program, locks too: a
/// writer that was closed in that moment seems to be open still.
fn locked(
    open: impl Fn() -> tantivy::Result<IndexWriter<Queued>>,
) -> tantivy::Result<IndexWriter<Queued>> {
    for _ in 1..LOCK_TRIES {
        match open() {
            Err(TantivyError::LockFailure(LockError::LockBusy, _)) => {
                std::thread::sleep(LOCK_PAUSE);
            }
            opened => return opened,
        }
    }
    open()
}

#[cfg(test)]
mod tests;
