//! Looks into an index that others write, in this process or another.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, RwLock, TryLockError};
use std::time::{Duration, Instant};

use base::log::Position;
use base::{PageId, SpamKind, Timestamp, Url};
use tantivy::columnar::{Column, ColumnValues};
use tantivy::directory::error::OpenReadError;
use tantivy::{DocAddress, DocId, IndexReader, ReloadPolicy, Searcher, TantivyDocument, Term};
use tracing::{debug, warn};

use crate::by_page::OfSegment;
use crate::cut;
use crate::directory::META;
use crate::doubts;
use crate::error::guarded;
use crate::folder::{self, Found};
use crate::labels::Labels;
use crate::schema::{PAGE, PRINTS, SPAM, StoredPage, UNTIL, WORKED_ON};
use crate::{Error, Fields, Pictured, Print, Texts};

/// An index opened for reading; follows the commits of its writer. Shared by threads.
#[derive(Debug)]
pub struct Reader {
    folder: PathBuf,
    state: Mutex<State>,
    present: RwLock<Option<Arc<Snapshot>>>,
}

/// One commit of the index: nothing in it changes.
pub struct Snapshot {
    /// tantivy's view of the segments.
    pub searcher: Searcher,
    /// The fields of its documents.
    pub fields: Fields,
    /// End of the last record of the page log in it.
    pub checkpoint: Position,
    /// Languages of its pages (or [`crate::NO_LANGUAGE`]) with their numbers, most pages first.
    pub languages: Vec<(String, u64)>,
    /// Page ids by document, segment by segment.
    pages: Vec<Arc<dyn ColumnValues<u64>>>,
    by_page: Vec<OfSegment>,
    prints: Vec<Column<u64>>,
    /// From when on a page asks to be left out, in milliseconds, for those that do.
    until: Vec<Column<i64>>,
    worked_on: Vec<Column<i64>>,
    spam: Vec<Column<u64>>,
    labels: Vec<Labels>,
    /// Pages of cut files before it was opened.
    num_missed: u64,
}

/// The pages that are no answers any more, because the date has passed that they set themselves.
#[derive(Clone, Copy)]
pub struct Expired<'a> {
    until: &'a [Column<i64>],
    now: i64,
}

impl Expired<'_> {
    /// Returns whether a document's date has passed.
    pub fn holds(&self, address: DocAddress) -> bool {
        let until = self.until[address.segment_ord as usize].first(address.doc_id);
        until.is_some_and(|until| until <= self.now)
    }
}

struct State {
    checked: Option<Instant>,
    stamp: Option<Stamp>,
    reader: Option<(IndexReader, Fields)>,
    failed: Option<Failed>,
}

/// A commit that could not be read.
#[derive(Debug)]
struct Failed {
    stamp: Stamp,
    why: String,
    at: Instant,
    tries: u32,
}

/// Tells one commit from the next without reading it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stamp {
    inode: u64,
    len: u64,
    modified: (i64, i64),
}

/// How often the folder is looked at, however many searches come.
const CHECK_INTERVAL: Duration = Duration::from_millis(250);
/// How long a commit that could not be read is left alone, at first and at most: it may be whole
/// the next moment, or take a person.
const FIRST_REST: Duration = Duration::from_millis(200);
const LONGEST_REST: Duration = Duration::from_secs(10);

impl Reader {
    /// Opens an index for reading; it need not exist yet.
    pub fn open(folder: &Path) -> Self {
        Self {
            folder: folder.to_owned(),
            state: Mutex::new(State { checked: None, stamp: None, reader: None, failed: None }),
            present: RwLock::new(None),
        }
    }

    /// Returns the newest commit, or `None` while there is no index. Segments without the list of
    /// them are damage.
    ///
    /// Looks for a new commit a few times a second at most; a commit that cannot be read leaves
    /// the one before in use.
    pub fn snapshot(&self) -> Result<Option<Arc<Snapshot>>, Error> {
        match self.state.try_lock() {
            Ok(mut state) => self.refresh(&mut state, CHECK_INTERVAL, |_| {})?,
            Err(TryLockError::Poisoned(poisoned)) => {
                self.refresh(&mut poisoned.into_inner(), CHECK_INTERVAL, |_| {})?;
            }
            // Another thread is at it. The first time there is nothing to go on with but its
            // result; later the present commit is good enough.
            Err(TryLockError::WouldBlock) => {
                if self.present().is_none() {
                    drop(self.state.lock().unwrap_or_else(PoisonError::into_inner));
                }
            }
        }
        Ok(self.present())
    }

    /// Looks for a new commit now.
    pub fn reload(&self) -> Result<(), Error> {
        self.reload_with(|_| {})
    }

    /// Looks for a new commit now, and lets it be made ready before anybody searches it: meanwhile
    /// [`Self::snapshot`] gives the one before.
    pub fn reload_with(&self, make_ready: impl FnOnce(&Snapshot)) -> Result<(), Error> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        self.refresh(&mut state, Duration::ZERO, |snapshot| {
            snapshot.index_pages();
            make_ready(snapshot);
        })
    }

    fn present(&self) -> Option<Arc<Snapshot>> {
        self.present.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn refresh(
        &self,
        state: &mut State,
        interval: Duration,
        make_ready: impl FnOnce(&Snapshot),
    ) -> Result<(), Error> {
        // Once, so that what is missed from here on is seen the next time.
        let num_missed = cut::num_missed();
        let is_whole = self.present().is_none_or(|present| present.num_missed == num_missed);
        if is_whole && state.checked.is_some_and(|checked| checked.elapsed() < interval) {
            return Ok(());
        }
        state.checked = Some(Instant::now());
        let stamp = stamp(&self.folder.join(META));
        if !is_whole {
            warn!(folder = %self.folder.display(), "a file was cut while in use; opened anew");
            (state.stamp, state.reader) = (None, None);
            *self.present.write().unwrap_or_else(PoisonError::into_inner) = None;
        }
        if stamp.is_none() && self.present().is_none() && folder::is_unlisted(&self.folder) {
            // Whoever asks next is told too, not given nothing.
            state.checked = None;
            let missing = OpenReadError::FileDoesNotExist(self.folder.join(META));
            return Err(Error::new("read", &self.folder, missing.into()));
        }
        let Some(stamp) = stamp.filter(|stamp| state.stamp != Some(*stamp)) else { return Ok(()) };
        let is_resting =
            |failed: &Failed| failed.stamp == stamp && failed.at.elapsed() < failed.rest();
        if state.failed.as_ref().is_some_and(is_resting) && self.present().is_some() {
            return Ok(());
        }
        match guarded(&self.folder, || self.load(state, num_missed)) {
            Ok(snapshot) => {
                make_ready(&snapshot);
                (state.stamp, state.failed) = (Some(stamp), None);
                debug!(checkpoint = ?snapshot.checkpoint, "new commit of the index in use");
                *self.present.write().unwrap_or_else(PoisonError::into_inner) =
                    Some(Arc::new(snapshot));
                Ok(())
            }
            Err(error) => {
                state.reader = None;
                if self.present().is_none() {
                    // Whoever asks next is told too, not given nothing.
                    state.checked = None;
                    return Err(error);
                }
                state.failed = Some(Failed::again(state.failed.take(), stamp, &error));
                Ok(())
            }
        }
    }

    fn load(&self, state: &mut State, num_missed: u64) -> Result<Snapshot, Error> {
        let failed = |source| Error::new("read", &self.folder, source);
        let (reader, fields) = match state.reader.take() {
            Some((reader, fields)) => {
                reader.reload().map_err(failed)?;
                (reader, fields)
            }
            None => self.open_reader()?,
        };
        let searcher = reader.searcher();
        state.reader = Some((reader, fields));
        // What a segment was asked for is known to the next commit that has it.
        let known = self.present();
        Snapshot::new(searcher, fields, num_missed, known.as_deref()).map_err(failed)
    }

    fn open_reader(&self) -> Result<(IndexReader, Fields), Error> {
        if folder::look(&self.folder, folder::PAGES)? == Found::Older {
            let source = tantivy::TantivyError::SchemaError("its format is older".to_owned());
            return Err(Error::Damaged { path: self.folder.clone(), source });
        }
        let (index, fields) = folder::open_pages(&self.folder)?;
        let reader = index.reader_builder().reload_policy(ReloadPolicy::Manual).try_into();
        Ok((reader.map_err(|source| Error::new("read", &self.folder, source))?, fields))
    }
}

impl Failed {
    /// Returns the failure that follows another; says so once for each commit and reason.
    fn again(before: Option<Self>, stamp: Stamp, error: &Error) -> Self {
        let why = error.to_string();
        let told = before.filter(|before| before.stamp == stamp && before.why == why);
        if told.is_none() {
            warn!(%error, "newest commit of the index cannot be read; the one before stays");
        }
        let tries = told.map_or(0, |before| before.tries).saturating_add(1);
        Self { stamp, why, at: Instant::now(), tries }
    }

    /// Returns how long it is left alone; twice as long each time.
    fn rest(&self) -> Duration {
        FIRST_REST.saturating_mul(1 << (self.tries - 1).min(16)).min(LONGEST_REST)
    }
}

impl Snapshot {
    fn new(
        searcher: Searcher,
        fields: Fields,
        num_missed: u64,
        before: Option<&Self>,
    ) -> tantivy::Result<Self> {
        let (tables, columns) =
            before.map_or((&[][..], &[][..]), |before| (&before.by_page, &before.labels));
        // A commit between opening the segments and this line makes the checkpoint too new by
        // one commit; it is only shown to people.
        let checkpoint = folder::checkpoint(&searcher.index().load_metas()?);
        let languages = languages(&searcher, fields)?;
        let (mut pages, mut prints, mut until) = (Vec::new(), Vec::new(), Vec::new());
        let (mut worked_on, mut spam, mut by_page) = (Vec::new(), Vec::new(), Vec::new());
        let mut labels = Vec::new();
        for segment in searcher.segment_readers() {
            pages.push(segment.fast_fields().column_first_or_default(PAGE)?);
            by_page.push(OfSegment::of(segment.segment_id(), tables));
            prints.push(segment.fast_fields().u64(PRINTS)?);
            until.push(segment.fast_fields().i64(UNTIL)?);
            worked_on.push(segment.fast_fields().i64(WORKED_ON)?);
            spam.push(segment.fast_fields().u64(SPAM)?);
            labels.push(Labels::open(segment, columns)?);
        }
        Ok(Self {
            searcher,
            fields,
            checkpoint,
            languages,
            pages,
            by_page,
            prints,
            until,
            worked_on,
            spam,
            labels,
            num_missed,
        })
    }

    /// Returns whether no file was cut since it was opened. If one was, what it says may be wrong;
    /// see [`crate::survive_cut_files`].
    pub fn is_whole(&self) -> bool {
        cut::num_missed() == self.num_missed
    }

    /// Returns the page of a document.
    pub fn page(&self, address: DocAddress) -> PageId {
        PageId::from_u64(self.pages[address.segment_ord as usize].get_val(address.doc_id))
    }

    /// Returns the pages that are no answers any more at `now` (robots `unavailable_after`);
    /// `None` if there are none, which costs a look at each segment.
    pub fn expired(&self, now: Timestamp) -> Option<Expired<'_>> {
        let now = now.as_millis();
        let has = |column: &Column<i64>| column.values.num_vals() > 0 && column.min_value() <= now;
        self.until.iter().any(has).then_some(Expired { until: &self.until, now })
    }

    /// Returns the document of a page, if the page is in the index.
    ///
    /// Cost: a look at a table for each segment, which the first question makes.
    pub fn find(&self, page: PageId) -> Option<DocAddress> {
        for (segment_ord, segment) in (0..).zip(self.searcher.segment_readers()) {
            let pages = &self.pages[segment_ord as usize];
            let found = self.find_in(segment_ord, page);
            if let Some(doc_id) = found.filter(|doc| !segment.is_deleted(*doc)) {
                // The table lives on when files are cut; a look at one of them tells. What would
                // be read next, the store, does not bear it.
                let is_same = pages.get_val(doc_id) == page.as_u64() && self.is_whole();
                return is_same.then_some(DocAddress { segment_ord, doc_id });
            }
        }
        None
    }

    /// Returns the document of a page in one segment, dead or alive.
    fn find_in(&self, segment_ord: u32, page: PageId) -> Option<DocId> {
        let segment = self.searcher.segment_reader(segment_ord);
        let pages = &self.pages[segment_ord as usize];
        let pairs = || segment.doc_ids_alive().map(|doc| (pages.get_val(doc), doc));
        self.by_page[segment_ord as usize].find(page.as_u64(), pairs)
    }

    /// Makes the tables by which [`Self::find`] finds, as far as the commit before had none.
    fn index_pages(&self) {
        for segment_ord in (0..).take(self.by_page.len()) {
            self.find_in(segment_ord, PageId::from_u64(u64::MAX));
        }
    }

    /// Returns the document of an address, if its page is in the index.
    ///
    /// Cost: one look into the dictionary of each segment.
    pub fn find_url(&self, url: &Url) -> tantivy::Result<Option<DocAddress>> {
        find(&self.searcher, &Term::from_field_text(self.fields.key, &url.surt()))
    }

    /// Returns when a page says it was last worked on; `None` if it does not, or not surely.
    pub fn worked_on(&self, address: DocAddress) -> Option<Timestamp> {
        let column = &self.worked_on[address.segment_ord as usize];
        column.first(address.doc_id).map(Timestamp::from_millis)
    }

    /// Returns how much a page looks made for search engines instead of people, from 0 to 1 (S1).
    pub fn spam(&self, address: DocAddress) -> f32 {
        doubts::score(self.doubts(address))
    }

    /// Returns what speaks for that.
    pub fn spam_kinds(&self, address: DocAddress) -> Vec<SpamKind> {
        doubts::kinds(self.doubts(address))
    }

    fn doubts(&self, address: DocAddress) -> u64 {
        self.spam[address.segment_ord as usize].first(address.doc_id).unwrap_or(0)
    }

    /// Returns what the documents of each segment are labelled with, in the order of segments.
    pub fn labels(&self) -> &[Labels] {
        &self.labels
    }

    /// Returns the print of a document's text; `None` if it is too short to be compared.
    pub fn print(&self, address: DocAddress) -> Option<Print> {
        let column = &self.prints[address.segment_ord as usize];
        Print::from_numbers(column.values_for_doc(address.doc_id))
    }

    /// Returns the pictures of a page; `None` if it is not a page's document.
    pub fn pictured(&self, address: DocAddress) -> tantivy::Result<Option<Pictured>> {
        let document: TantivyDocument = self.searcher.doc(address)?;
        Ok(self.fields.pictured(&document))
    }

    /// Returns the texts of a page; none if it is not a page's document.
    ///
    /// Cheaper than [`Self::stored`], for those who look at many pages.
    pub fn texts(&self, address: DocAddress) -> tantivy::Result<Texts> {
        Ok(self.fields.texts(self.searcher.doc(address)?))
    }

    /// Returns what is kept of a page for showing it; `None` if it is not a page's document.
    pub fn stored(&self, address: DocAddress) -> tantivy::Result<Option<StoredPage>> {
        let document: TantivyDocument = self.searcher.doc(address)?;
        Ok(self.fields.stored(&document))
    }
}

impl std::fmt::Debug for Snapshot {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Snapshot")
            .field("checkpoint", &self.checkpoint)
            .finish_non_exhaustive()
    }
}

impl std::fmt::Debug for State {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("State").field("stamp", &self.stamp).finish_non_exhaustive()
    }
}

/// Returns the living document that has a term.
fn find(searcher: &Searcher, term: &Term) -> tantivy::Result<Option<DocAddress>> {
    use tantivy::DocSet;
    use tantivy::schema::IndexRecordOption;
    for (segment_ord, segment) in (0..).zip(searcher.segment_readers()) {
        let index = segment.inverted_index(term.field())?;
        let Some(mut postings) = index.read_postings(term, IndexRecordOption::Basic)? else {
            continue;
        };
        let mut doc_id = postings.doc();
        while doc_id != tantivy::TERMINATED {
            if !segment.is_deleted(doc_id) {
                return Ok(Some(DocAddress { segment_ord, doc_id }));
            }
            doc_id = postings.advance();
        }
    }
    Ok(None)
}

fn languages(searcher: &Searcher, fields: Fields) -> tantivy::Result<Vec<(String, u64)>> {
    let mut counts = std::collections::BTreeMap::<String, u64>::new();
    for segment in searcher.segment_readers() {
        let index = segment.inverted_index(fields.language)?;
        let mut terms = index.terms().stream()?;
        while terms.advance() {
            let code = String::from_utf8_lossy(terms.key()).into_owned();
            *counts.entry(code).or_default() += u64::from(terms.value().doc_freq);
        }
    }
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    Ok(counts)
}

fn stamp(path: &Path) -> Option<Stamp> {
    let data = fs::metadata(path).ok()?;
    let modified = (data.mtime(), data.mtime_nsec());
    Some(Stamp { inode: data.ino(), len: data.len(), modified })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use base::{Collection, ContentKind, PageId, PageRecord, Timestamp, Url, pages};

    use super::*;
    use crate::{Options, catch_up};

    #[test]
    fn a_commit_that_cannot_be_read_is_tried_ever_more_seldom_and_told_once() {
        let folder = tempfile::tempdir().unwrap();
        let collection = Collection::open_or_create(&folder.path().join("c")).unwrap();
        let mut log = pages::Writer::open(&collection.pages()).unwrap();
        let url = Url::parse("http://a.example/").unwrap();
        let id = PageId::new(0, 0).unwrap();
        let new = PageRecord::new(id, url, Timestamp::default(), 200);
        log.append(&PageRecord { kind: ContentKind::Html, ..new }).unwrap();
        log.sync().unwrap();
        catch_up(&collection, Options::default(), |_| {}).unwrap();
        let reader = Reader::open(&collection.index());
        let num_docs = || reader.snapshot().unwrap().unwrap().searcher.num_docs();
        assert_eq!(num_docs(), 1);

        let meta = collection.index().join(META);
        let whole = fs::read(&meta).unwrap();
        fs::write(&meta, b"{ half a comm").unwrap();
        let tries = || reader.state.lock().unwrap().failed.as_ref().map(|failed| failed.tries);
        for _ in 0..1_000 {
            reader.reload().unwrap();
        }
        assert_eq!((tries(), num_docs()), (Some(1), 1), "a thousand looks, one try");
        let age = |by: Duration| {
            let mut state = reader.state.lock().unwrap();
            let failed = state.failed.as_mut().unwrap();
            failed.at = failed.at.checked_sub(by).unwrap();
        };
        age(FIRST_REST);
        reader.reload().unwrap();
        assert_eq!(tries(), Some(2));
        age(FIRST_REST);
        reader.reload().unwrap();
        assert_eq!(tries(), Some(2), "the second rest is longer");
        let rest = |tries| {
            let state = reader.state.lock().unwrap();
            let Failed { stamp, why, at, .. } = state.failed.as_ref().unwrap();
            Failed { stamp: *stamp, why: why.clone(), at: *at, tries }.rest()
        };
        assert_eq!((rest(1), rest(2)), (FIRST_REST, 2 * FIRST_REST));
        assert_eq!(rest(u32::MAX), LONGEST_REST);

        // Another commit is read at once.
        fs::write(&meta, &whole).unwrap();
        reader.reload().unwrap();
        assert_eq!((tries(), num_docs()), (None, 1));
    }
}
