//! Puts page records into the index; the only place that changes it.

use std::cmp::Reverse;
use std::path::{Path, PathBuf};

use base::log::Position;
use base::pages::Entry;
use base::{Oddity, PageId, PageRecord};
use tantivy::index::SegmentId;
use tantivy::indexer::IndexWriterOptions;
use tantivy::merge_policy::LogMergePolicy;
use tantivy::{Index, IndexReader, IndexWriter, ReloadPolicy, TantivyDocument};
use tracing::warn;

use crate::error::guarded;
use crate::folder::{self, Found, Payload};
use crate::schema::{ORDER, PAGE};
use crate::{Error, Fields};

/// Puts page records into the index. One at a time; a lock in the folder sees to that.
pub struct Writer {
    folder: PathBuf,
    fields: Fields,
    writer: IndexWriter,
    /// Counts documents for [`Committed`].
    reader: IndexReader,
    /// End of the last record in the last commit.
    checkpoint: Position,
    /// End of the last record applied.
    position: Position,
    pending_bytes: usize,
    /// The largest page id that was ever put into the index. Ids are given in the order of the log,
    /// so that what is beyond it is new.
    newest: Option<u64>,
}

/// How the index is written.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Memory for documents that are not yet on disk. Default 64 MiB: segments of some ten
    /// thousand pages when catching up, and small beside what a crawl needs.
    pub memory_bytes: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self { memory_bytes: 64 * 1024 * 1024 }
    }
}

/// A record whose words were found.
pub(crate) struct Prepared {
    page: PageId,
    /// `None` if the page is no answer.
    document: Option<TantivyDocument>,
    num_bytes: usize,
    end: Position,
}

/// Finds the words of a page.
pub(crate) fn prepare(fields: Fields, entry: &Entry, rank: f32) -> Prepared {
    let record = &entry.record;
    Prepared {
        page: record.id,
        document: is_answer(record).then(|| fields.ranked_document(record, rank)),
        num_bytes: record.blocks.iter().map(|block| block.text.len()).sum(),
        end: entry.end,
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

/// What tantivy asks for at least, per thread.
pub(crate) const LEAST_MEMORY: usize = 16 * 1024 * 1024;
/// What tantivy takes at most, with room to spare.
const MOST_MEMORY: usize = 2 * 1024 * 1024 * 1024;
/// Segments of about one size that are merged when an index is filled anew. Many: each merge writes
/// all of their documents again.
const BULK_SEGMENTS: usize = 64;
/// Segments that an index filled anew has at most, but for one or two that are small beside them
/// for each core: a word is looked up in each.
const FEW_SEGMENTS: u32 = 4;
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

    /// Like [`Self::open`], with several threads that share the memory, for filling the index; what
    /// it is filled with is merged late, by [`Self::merge_small`].
    pub(crate) fn open_bulk(
        folder: &Path,
        options: Options,
        threads: usize,
    ) -> Result<Self, Error> {
        let writer = Self::open_with(folder, options, threads)?;
        writer.writer.set_merge_policy(Box::new(merge_policy(BULK_SEGMENTS)));
        Ok(writer)
    }

    fn open_with(folder: &Path, options: Options, threads: usize) -> Result<Self, Error> {
        let failure = match folder::look(folder, folder::PAGES)? {
            Found::Nothing => None,
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
        let memory = (options.memory_bytes / threads).clamp(LEAST_MEMORY, MOST_MEMORY);
        let settings = IndexWriterOptions::builder()
            .memory_budget_per_thread(memory)
            .num_worker_threads(threads)
            .num_merge_threads(threads)
            .build();
        let writer: IndexWriter = index.writer_with_options(settings).map_err(failed)?;
        writer.set_merge_policy(Box::new(merge_policy(SEGMENTS)));
        // Opening every segment finds missing and cut files now, not at the first search.
        let reader = index
            .reader_builder()
            .reload_policy(ReloadPolicy::Manual)
            .try_into()
            .map_err(failed)?;
        let metas = index.load_metas().map_err(failed)?;
        folder::clear_left_overs(folder, &metas)?;
        let checkpoint = folder::checkpoint(&metas);
        let folder = folder.to_owned();
        let position = checkpoint;
        let newest = newest(&reader).map_err(failed)?;
        Ok(Self { folder, fields, writer, reader, checkpoint, position, pending_bytes: 0, newest })
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
        // A page that has just come has no rank yet.
        self.apply_prepared(prepare(self.fields, entry, 0.0))
    }

    /// Does what [`Self::apply`] does with a page whose words were found.
    pub(crate) fn apply_prepared(&mut self, prepared: Prepared) -> Result<(), Error> {
        // tantivy looks every deletion up in every segment that is older, at each commit: with one
        // for every page that comes, that is most of a large rebuild.
        if self.newest >= Some(prepared.page.as_u64()) {
            self.writer.delete_term(self.fields.page_term(prepared.page));
        }
        if let Some(document) = prepared.document {
            self.newest = self.newest.max(Some(prepared.page.as_u64()));
            self.pending_bytes += prepared.num_bytes;
            self.writer.add_document(document).map_err(|source| self.failed("write", source))?;
        }
        self.position = prepared.end;
        Ok(())
    }

    pub(crate) fn fields(&self) -> Fields {
        self.fields
    }

    /// Makes everything applied searchable and durable, with the position it leads up to.
    ///
    /// With nothing new it does nothing.
    pub fn commit(&mut self) -> Result<Committed, Error> {
        if self.position != self.checkpoint {
            let payload = serde_json::to_string(&Payload { position: self.position })
                .expect("a position is two numbers");
            let committed = self.writer.prepare_commit().and_then(|mut commit| {
                commit.set_payload(&payload);
                commit.commit()
            });
            committed.map_err(|source| self.failed("commit", source))?;
            self.checkpoint = self.position;
            self.pending_bytes = 0;
        }
        self.reader.reload().map_err(|source| self.failed("read", source))?;
        Ok(Committed { position: self.checkpoint, num_docs: self.reader.searcher().num_docs() })
    }

    /// Takes every page out and goes back to the beginning of the page log.
    pub(crate) fn start_over(&mut self) -> Result<(), Error> {
        self.writer.delete_all_documents().map_err(|source| self.failed("empty", source))?;
        self.position = Position::START;
        self.newest = None;
        self.commit()?;
        Ok(())
    }

    /// Merges segments that are small beside the whole, on as many threads as may merge at a time.
    ///
    /// For an index with no merge under way.
    pub(crate) fn merge_small(&mut self, threads: usize) -> Result<(), Error> {
        let metas = self.writer.index().searchable_segment_metas();
        let metas = metas.map_err(|source| self.failed("list", source))?;
        let segments = metas.iter().map(|meta| (meta.id(), meta.num_docs())).collect();
        // Files of segments that anyone still knows are not removed.
        drop(metas);
        let merges: Vec<_> =
            groups(segments, threads).iter().map(|group| self.writer.merge(group)).collect();
        for merge in merges {
            merge.wait().map_err(|source| self.failed("merge", source))?;
        }
        self.reader.reload().map_err(|source| self.failed("read", source))?;
        let removed = self.writer.garbage_collect_files().wait();
        removed.map_err(|source| self.failed("clear", source))?;
        Ok(())
    }

    /// Waits for merges under way and lets go of the index.
    pub fn finish(self) -> Result<(), Error> {
        let folder = self.folder;
        self.writer.wait_merging_threads().map_err(|source| Error::new("merge", &folder, source))
    }

    fn failed(&self, action: &'static str, source: tantivy::TantivyError) -> Error {
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

/// Says which segments of so many documents to merge so that few are left, in groups of about one
/// size that can be merged side by side.
fn groups(mut segments: Vec<(SegmentId, u32)>, num_groups: usize) -> Vec<Vec<SegmentId>> {
    if segments.len() <= FEW_SEGMENTS as usize {
        return Vec::new();
    }
    let total: u32 = segments.iter().map(|(_, num_docs)| num_docs).sum();
    segments.retain(|(_, num_docs)| *num_docs < total / FEW_SEGMENTS);
    segments.sort_unstable_by_key(|(_, num_docs)| Reverse(*num_docs));
    let mut groups = vec![Vec::new(); num_groups.max(1)];
    for (place, (id, _)) in segments.into_iter().enumerate() {
        groups[place % num_groups.max(1)].push(id);
    }
    groups.retain(|group| group.len() > 1);
    groups
}

#[cfg(test)]
mod tests {
    use tantivy::SegmentMeta;
    use tantivy::merge_policy::MergePolicy;

    use super::*;

    /// Lets the policy merge after each commit, `lag` commits late, and returns the most segments
    /// that there were.
    fn most_segments(num_docs: impl IntoIterator<Item = u32>, lag: usize) -> usize {
        let index = Index::create_in_ram(Fields::schema().0);
        let policy = merge_policy(SEGMENTS);
        let segment = |num_docs| index.new_segment_meta(SegmentId::generate_random(), num_docs);
        let (mut segments, mut most) = (Vec::<SegmentMeta>::new(), 0);
        for (number, num_docs) in num_docs.into_iter().enumerate() {
            segments.push(segment(num_docs));
            most = most.max(segments.len());
            if number % (lag + 1) != lag {
                continue;
            }
            for merge in policy.compute_merge_candidates(&segments) {
                let (gone, left) =
                    segments.into_iter().partition(|segment| merge.0.contains(&segment.id()));
                segments = left;
                let sum = gone.iter().map(SegmentMeta::num_docs).sum();
                segments.push(segment(sum));
            }
        }
        most
    }

    #[test]
    fn idx_07_ten_thousand_commits_of_any_size_leave_few_segments() {
        // One page each; a page a second with a burst now and then; full speed.
        assert!(most_segments(std::iter::repeat_n(1, 10_000), 0) <= 24);
        let bursts =
            (0..10_000_u32).map(|number| if number % 97 == 0 { 4_000 } else { number % 7 });
        assert!(most_segments(bursts, 0) <= 60);
        assert!(most_segments(std::iter::repeat_n(300, 10_000), 0) <= 60);
        // A disk so slow that ten commits pass before anything is merged.
        assert!(most_segments(std::iter::repeat_n(20, 10_000), 10) <= 60);
    }

    #[test]
    fn what_is_small_is_merged_until_few_are_left() {
        let sizes = |sizes: &[u32], threads| {
            let segments: Vec<_> =
                sizes.iter().map(|size| (SegmentId::generate_random(), *size)).collect();
            let size = |id: &SegmentId| segments.iter().find(|(one, _)| one == id).unwrap().1;
            let groups = groups(segments.clone(), threads);
            groups.iter().map(|group| group.iter().map(size).collect()).collect::<Vec<Vec<_>>>()
        };
        assert_eq!(sizes(&[9, 1, 1, 1], 2), Vec::<Vec<u32>>::new());
        assert_eq!(sizes(&[5, 8, 7, 9, 6, 5], 2), [[9, 7, 5], [8, 6, 5]]);
        assert_eq!(sizes(&[5, 8, 7, 9, 6, 5], 1), [[9, 8, 7, 6, 5, 5]]);
        // Large ones stay as they are, and so does one that is left alone.
        assert_eq!(sizes(&[64, 64, 64, 4, 4, 1], 2), [[4, 1]]);
        assert_eq!(sizes(&[], 2), Vec::<Vec<u32>>::new());
    }

    #[test]
    fn merging_what_is_small_leaves_few_segments_and_no_other_files() {
        use base::{ContentKind, Timestamp, Url};
        let folder = tempfile::tempdir().unwrap();
        let options = Options { memory_bytes: LEAST_MEMORY };
        let mut writer = Writer::open_bulk(folder.path(), options, 2).unwrap();
        for number in 0..12 {
            let id = PageId::new(0, number).unwrap();
            let url = Url::parse(&format!("http://a.example/{number}")).unwrap();
            let mut record = PageRecord::new(id, url, Timestamp::default(), 200);
            record.kind = ContentKind::Html;
            record.title = format!("page {number}");
            let position = |offset| Position { offset, ..Position::START };
            let (start, end) = (position(number), position(number + 1));
            writer.apply(&Entry { start, end, record }).unwrap();
            writer.commit().unwrap();
        }
        writer.finish().unwrap();
        let mut writer = Writer::open_bulk(folder.path(), options, 2).unwrap();
        writer.merge_small(2).unwrap();
        writer.finish().unwrap();
        let (index, _) = folder::open_pages(folder.path()).unwrap();
        let metas = index.load_metas().unwrap();
        assert_eq!(metas.segments.iter().map(SegmentMeta::num_docs).collect::<Vec<_>>(), [6, 6]);
        assert_eq!(folder::checkpoint(&metas), Position { offset: 12, ..Position::START });
        let is_named = |name: &str| {
            metas.segments.iter().any(|segment| name.starts_with(&segment.id().uuid_string()))
        };
        for entry in std::fs::read_dir(folder.path()).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            let is_segment = name.split('.').next().is_some_and(|name| name.len() == 32);
            assert!(!is_segment || is_named(&name), "{name}");
        }
    }
}
