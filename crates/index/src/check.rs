//! Holds the index against the page log (X5).

use std::collections::{BTreeSet, HashMap, HashSet};
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use base::log::Position;
use base::{Collection, PageId, pages};
use tantivy::{Index, ReloadPolicy};

use crate::directory::{MANAGED, META};
use crate::error::is_want;
use crate::folder::{self, FORMAT_FILE, Found, Payload};
use crate::follow::is_another_log;
use crate::lists::Files;
use crate::schema::PAGE;
use crate::writer::is_answer;
use crate::{Committed, Error, Options, bulk, footer};

/// What [`check`] found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Health {
    /// Pages that can be found.
    pub num_docs: u64,
    /// The page log up to here is in the index.
    pub checkpoint: Position,
    /// Records of the page log behind the checkpoint: not yet indexed, which is no problem.
    pub num_behind: u64,
    /// What is wrong.
    pub problems: Vec<Problem>,
}

/// Something wrong with an index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// The page log has so many pages to be found, and there is no index.
    NoIndex(u64),
    /// A file is gone.
    MissingFile(String),
    /// A file's checksum does not hold, or it cannot be read.
    DamagedFile(String),
    /// A file is whole, but of another segment or of another index.
    OtherFile(String),
    /// The index does not open.
    Unreadable(String),
    /// The checkpoint does not lie in the page log.
    AnotherLog(Position),
    /// A page before the checkpoint has no document.
    Missing(PageId),
    /// A page has a document that should have none.
    Unexpected(PageId),
    /// A page has several documents.
    Repeated(PageId),
    /// The index was being filled anew when it was left: some pages of the log are in it, in no
    /// order of the log. The next writer reads what is behind the checkpoint.
    Interrupted {
        /// Pages that can be found.
        num_docs: u64,
        /// Records of the page log that are still to be read.
        num_behind: u64,
    },
}

impl fmt::Display for Problem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoIndex(num_pages) => write!(
                formatter,
                "there is no index: `{META}` is missing, and the page log has {num_pages} pages for it"
            ),
            Self::MissingFile(name) => write!(formatter, "the index file `{name}` is missing"),
            Self::DamagedFile(name) => write!(formatter, "the index file `{name}` is damaged"),
            Self::OtherFile(name) => write!(
                formatter,
                "the index file `{name}` is whole, but not the one that was written there"
            ),
            Self::Unreadable(reason) => write!(formatter, "the index does not open: {reason}"),
            Self::AnotherLog(position) => write!(
                formatter,
                "the index has read up to {}:{}, which is not in the page log",
                position.segment, position.offset
            ),
            Self::Missing(page) => write!(formatter, "page {page} is not in the index"),
            Self::Unexpected(page) => write!(formatter, "page {page} should not be in the index"),
            Self::Repeated(page) => write!(formatter, "page {page} is in the index several times"),
            Self::Interrupted { num_docs, num_behind } => write!(
                formatter,
                "the filling of the index was interrupted with {num_docs} pages in it, and others \
                 are not found; the next start reads {num_behind} records of the page log (again), \
                 and `check --repair` begins anew"
            ),
        }
    }
}

/// Checks the index of a collection: that its files are those that were written, and one document per page of the log that may be an answer.
///
/// Cost: reads the whole index and the whole log; some 20 bytes of memory per page. For a
/// collection that nobody writes: a commit in between would look like missing pages.
pub fn check(collection: &Collection) -> Result<Health, Error> {
    let folder = collection.index();
    let mut health =
        Health { num_docs: 0, checkpoint: Position::START, num_behind: 0, problems: Vec::new() };
    let found = folder::look_closely(&folder, folder::PAGES)?;
    if found != Some(Found::Index) {
        let log = Log::read(&collection.pages(), None)?;
        health.num_behind = log.num_behind;
        let num_answers = log.pages.values().filter(|is_answer| **is_answer).count() as u64;
        health.problems.extend(missing(&folder, found, num_answers));
        return Ok(health);
    }
    let (documents, payload) = match documents(&folder, &mut health) {
        Err(Error::Damaged { source, .. }) => {
            health.problems.push(Problem::Unreadable(source.to_string()));
            return Ok(health);
        }
        documents => documents?,
    };
    if !health.problems.is_empty() {
        return Ok(health);
    }
    let log = match Log::read(&collection.pages(), Some(payload)) {
        Err(Error::Pages(error)) if is_another_log(&error, &collection.pages()) => {
            health.problems.push(Problem::AnotherLog(health.checkpoint));
            return Ok(health);
        }
        expected => expected?,
    };
    health.num_behind = log.num_behind;
    if payload.filling.is_some() {
        let Health { num_docs, num_behind, .. } = health;
        health.problems.push(Problem::Interrupted { num_docs, num_behind });
    }
    health.problems.extend(log.against(documents));
    Ok(health)
}

/// Throws the index away and fills it anew from the page log.
///
/// A folder that has lost its mark is known by its files; one with anything else in it is refused,
/// and so is an index of a newer version. For the process that holds the collection's lock.
pub fn rebuild(
    collection: &Collection,
    options: Options,
    on_commit: impl FnMut(Committed),
) -> Result<Committed, Error> {
    rebuild_by_rank(collection, options, &|_| 0.0, on_commit)
}

/// Like [`rebuild`], with the documents of each segment in the order of their importance from 0
/// to 1, as far as it is known: searches then end sooner, and find the same.
pub fn rebuild_by_rank(
    collection: &Collection,
    options: Options,
    rank: &(dyn Fn(PageId) -> f32 + Sync),
    on_commit: impl FnMut(Committed),
) -> Result<Committed, Error> {
    folder::reclaim(&collection.index(), folder::PAGES)?;
    bulk::fill(collection, options, rank, on_commit)
}

/// Returns what is wrong where no index of this version was found.
fn missing(folder: &Path, found: Option<Found>, num_answers: u64) -> Option<Problem> {
    match found {
        Some(Found::Index) => None,
        Some(Found::Older) => {
            let reason = "its format is older; it is made anew from the page log at the next start";
            Some(Problem::Unreadable(reason.to_owned()))
        }
        Some(Found::Unlisted) => Some(Problem::MissingFile(META.to_owned())),
        // A crawl makes its index before its first page comes.
        Some(Found::Nothing) => (num_answers > 0).then_some(Problem::NoIndex(num_answers)),
        None if folder.join(FORMAT_FILE).exists() => {
            Some(Problem::DamagedFile(FORMAT_FILE.to_owned()))
        }
        None => Some(Problem::MissingFile(FORMAT_FILE.to_owned())),
    }
}

/// Verifies the files of an index: that they are whole, and the ones that were written. Returns
/// those that are not, are gone or cannot be read (STO-05, STO-08).
pub(crate) fn damaged_files(index: &Index, folder: &Path) -> Result<Vec<Problem>, Error> {
    let failed = |source| Error::new("check", folder, source);
    let named = index.load_metas().map_err(failed)?.list_segment_files();
    let known = Files::read(folder).map_err(Error::file("read", &folder.join(META)))?;
    if known.names().next().is_some() && !known.names().any(|name| folder.join(name).exists()) {
        return Ok(vec![Problem::OtherFile(META.to_owned())]);
    }
    let managed = index.directory().list_managed_files();
    let mut problems = Vec::new();
    if !folder.join(MANAGED).exists() {
        problems.push(Problem::MissingFile(MANAGED.to_owned()));
    } else if !known.names().all(|name| managed.contains(name)) {
        problems.push(Problem::OtherFile(MANAGED.to_owned()));
    }
    // Of what a segment may have it has not all. What was written is known since there is a list of
    // it; before that, tantivy's own tells.
    let there = named.intersection(&managed).map(PathBuf::as_path);
    for name in known.names().chain(there).collect::<BTreeSet<_>>() {
        problems.extend(verify(folder, name, known.get(name))?);
    }
    for name in footer::odd_ones(folder).map_err(Error::file("read", folder))? {
        let odd = Problem::DamagedFile(name);
        if !problems.contains(&odd) {
            problems.push(odd);
        }
    }
    Ok(problems)
}

/// Reads a file and returns what is wrong with it; `known` is the checksum that it was written with.
fn verify(folder: &Path, name: &Path, known: Option<u32>) -> Result<Option<Problem>, Error> {
    let path = folder.join(name);
    let name = name.display().to_string();
    Ok(match footer::checksum(&path) {
        Ok(Some(crc)) if known.is_none_or(|known| known == crc) => None,
        Ok(Some(_)) => Some(Problem::OtherFile(name)),
        Err(error) if is_want(&error) => return Err(Error::file("read", &path)(error)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Some(Problem::MissingFile(name)),
        Ok(None) | Err(_) => Some(Problem::DamagedFile(name)),
    })
}

/// Returns how many documents each page has, and what their commit carries; or notes damaged files,
/// and returns nothing.
fn documents(folder: &Path, health: &mut Health) -> Result<(HashMap<PageId, u32>, Payload), Error> {
    let failed = |source| Error::new("check", folder, source);
    let (index, _) = folder::open_pages(folder)?;
    let damaged = damaged_files(&index, folder)?;
    if !damaged.is_empty() {
        // What does not hold its checksum is not read any further: tantivy trusts its files.
        health.problems.extend(damaged);
        return Ok((HashMap::new(), Payload::default()));
    }
    let reader = index.reader_builder().reload_policy(ReloadPolicy::Manual).try_into();
    let searcher = reader.map_err(failed)?.searcher();
    let payload = folder::payload(&index.load_metas().map_err(failed)?);
    health.checkpoint = payload.position;
    health.num_docs = searcher.num_docs();
    let mut documents = HashMap::new();
    for segment in searcher.segment_readers() {
        let pages = segment.fast_fields().u64(PAGE).map_err(failed)?;
        for page in segment.doc_ids_alive().filter_map(|document| pages.first(document)) {
            *documents.entry(PageId::from_u64(page)).or_default() += 1;
        }
    }
    Ok((documents, payload))
}

/// What the page log says of an index.
#[derive(Default)]
struct Log {
    /// Whether each page of the log before the checkpoint should be in the index; of the whole log
    /// where there is no checkpoint.
    pages: HashMap<PageId, bool>,
    /// Pages that may have a document or none, as their index was not filled to the end.
    open: HashSet<PageId>,
    /// How many records come after the checkpoint; all where there is none.
    num_behind: u64,
}

impl Log {
    fn read(folder: &Path, commit: Option<Payload>) -> Result<Self, Error> {
        let mut log = Self::default();
        let end = commit.map(|commit| commit.position);
        if !folder.exists() && end.is_none_or(|end| end == Position::START) {
            return Ok(log);
        }
        if let Some(end) = end {
            // The reader says itself whether the checkpoint can be one of this log.
            drop(pages::Reader::open(folder, end)?);
        }
        let is_filling = commit.is_some_and(|commit| commit.filling.is_some());
        let mut reader = pages::Reader::open(folder, Position::START)?;
        while let Some(entry) = reader.next_without_links()? {
            let is_behind = end.is_none_or(|end| entry.end > end);
            log.num_behind += u64::from(is_behind);
            if !is_behind || end.is_none() {
                log.pages.insert(entry.record.id, is_answer(&entry.record));
            } else if is_filling {
                log.open.insert(entry.record.id);
            }
        }
        Ok(log)
    }

    /// Returns what is wrong with an index that has so many documents of each page.
    fn against(self, mut documents: HashMap<PageId, u32>) -> Vec<Problem> {
        let mut problems = Vec::new();
        for page in &self.open {
            if documents.remove(page).is_some_and(|number| number > 1) {
                problems.push(Problem::Repeated(*page));
            }
        }
        for (page, is_answer) in self.pages {
            if self.open.contains(&page) {
                continue;
            }
            match (is_answer, documents.remove(&page).unwrap_or(0)) {
                (true, 0) => problems.push(Problem::Missing(page)),
                (true, 1) | (false, 0) => {}
                (true, _) => problems.push(Problem::Repeated(page)),
                (false, _) => problems.push(Problem::Unexpected(page)),
            }
        }
        problems.extend(documents.into_keys().map(Problem::Unexpected));
        problems
    }
}

#[cfg(test)]
mod tests {
    use base::{ContentKind, PageRecord, Timestamp, Url};
    use tantivy::{IndexWriter, TantivyDocument};

    use super::*;
    use crate::schema::order;

    /// A page of the log; those that are not found have no document.
    fn page(number: u64, status: u16) -> PageRecord {
        let url = Url::parse(&format!("http://a.example/{number}")).unwrap();
        let id = PageId::new(0, number).unwrap();
        let kind = ContentKind::Html;
        PageRecord { kind, ..PageRecord::new(id, url, Timestamp::default(), status) }
    }

    fn filled(folder: &Path) -> Collection {
        let collection = Collection::open_or_create(&folder.join("c")).unwrap();
        let mut log = pages::Writer::open(&collection.pages()).unwrap();
        for number in 0..6 {
            log.append(&page(number, if number == 4 { 404 } else { 200 })).unwrap();
        }
        log.sync().unwrap();
        crate::catch_up(&collection, Options::default(), |_| {}).unwrap();
        collection
    }

    /// Puts pages into an index and takes others out, past the [`crate::Writer`], leaving its
    /// checkpoint as it is.
    fn meddle(collection: &Collection, more: &[PageRecord], fewer: &[u64]) {
        let (index, fields) = folder::open_pages(&collection.index()).unwrap();
        let payload = index.load_metas().unwrap().payload.unwrap();
        let mut writer: IndexWriter<TantivyDocument> =
            index.writer_with_num_threads(1, 16_000_000).unwrap();
        for number in fewer {
            writer.delete_term(fields.page_term(PageId::new(0, *number).unwrap()));
        }
        for record in more {
            writer.add_document(fields.ordered_document(record, order(0.0))).unwrap();
        }
        let mut commit = writer.prepare_commit().unwrap();
        commit.set_payload(&payload);
        commit.commit().unwrap();
        writer.wait_merging_threads().unwrap();
    }

    #[track_caller]
    fn check_after(more: &[PageRecord], fewer: &[u64], expected: &[Problem]) {
        let folder = tempfile::tempdir().unwrap();
        let collection = filled(folder.path());
        assert_eq!(check(&collection).unwrap().problems, []);
        meddle(&collection, more, fewer);
        let mut problems = check(&collection).unwrap().problems;
        problems.sort_unstable_by_key(ToString::to_string);
        assert_eq!(problems, expected);
        rebuild(&collection, Options::default(), |_| {}).unwrap();
        let health = check(&collection).unwrap();
        assert_eq!((health.problems, health.num_docs), (Vec::new(), 5));
    }

    #[test]
    fn a_page_with_two_documents_is_told_and_mended() {
        let id = PageId::new(0, 2).unwrap();
        check_after(&[page(2, 200)], &[], &[Problem::Repeated(id)]);
    }

    #[test]
    fn a_page_without_its_document_is_told_and_mended() {
        let id = PageId::new(0, 3).unwrap();
        check_after(&[], &[3], &[Problem::Missing(id)]);
    }

    #[test]
    fn documents_of_pages_that_have_none_or_are_unknown_are_told_and_taken_out() {
        let [gone, unknown] = [4, 77].map(|number| PageId::new(0, number).unwrap());
        let expected = [Problem::Unexpected(gone), Problem::Unexpected(unknown)];
        check_after(&[page(4, 200), page(77, 200)], &[], &expected);
    }

    #[test]
    fn all_that_is_wrong_is_told_at_once() {
        let [twice, missing, gone] = [1, 5, 4].map(|number| PageId::new(0, number).unwrap());
        let expected =
            [Problem::Repeated(twice), Problem::Unexpected(gone), Problem::Missing(missing)];
        check_after(&[page(1, 200), page(4, 200)], &[5], &expected);
    }

    /// Every kind of file that a segment has.
    #[test]
    fn sto_07_a_bit_flipped_anywhere_in_a_file_of_the_index_names_the_file() {
        let seed = std::env::var("SEED").ok().and_then(|text| text.parse().ok());
        let mut dice: u64 = seed.unwrap_or_else(|| u64::from(std::process::id()));
        println!("SEED={dice}");
        let temporary = tempfile::tempdir().unwrap();
        let collection = filled(temporary.path());
        // Deletions have a file of their own.
        let mut log = pages::Writer::open(&collection.pages()).unwrap();
        log.append(&page(2, 404)).unwrap();
        log.sync().unwrap();
        crate::catch_up(&collection, Options::default(), |_| {}).unwrap();
        let folder = collection.index();
        let (index, _) = folder::open_pages(&folder).unwrap();
        assert_eq!(damaged_files(&index, &folder).unwrap(), []);
        let mut kinds = HashSet::new();
        for name in index.directory().list_managed_files() {
            let path = folder.join(&name);
            let kind = name.extension().unwrap_or_default().to_owned();
            if kind == "json" || !path.exists() || !kinds.insert(kind) {
                continue;
            }
            let whole = std::fs::read(&path).unwrap();
            for _ in 0..1_000 {
                dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888);
                let place = (dice >> 20) as usize % whole.len();
                let mut bytes = whole.clone();
                bytes[place] ^= 1 << (dice >> 60 & 7);
                std::fs::write(&path, &bytes).unwrap();
                let damaged = damaged_files(&index, &folder).unwrap();
                let named = Problem::DamagedFile(name.display().to_string());
                assert_eq!(damaged, [named], "byte {place}");
            }
            std::fs::write(&path, &whole).unwrap();
        }
        assert!(kinds.len() >= 6, "{kinds:?}");
    }
}
