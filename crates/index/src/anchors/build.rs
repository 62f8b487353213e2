//! Builds the anchor index of a generation from the page log.
//!
//! The first reading finds the latest record of each page and where redirects lead. Then the log
//! is read once more for each share of the targets, as many shares as keep the gathered texts
//! within memory.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use base::file::{size_below, sync_parent};
use base::log::{Position, bytes_before};
use base::{Link, LinkKind, PageId, PageRecord, Span, Timestamp, Url, pages};
use tantivy::IndexWriter;
use text::{Analyzer, Language};
use tracing::debug;

use super::Fields;
use super::collect::{Targets, Vote, hash};
use crate::writer::is_answer;
use crate::{Error, folder};

/// How anchors are gathered.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Links gathered in memory at a time; more are read in several passes. Default 2 million:
    /// some hundred MB.
    pub links_per_pass: u64,
    /// Memory for documents that are not yet on disk.
    pub memory_bytes: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self { links_per_pass: 2_000_000, memory_bytes: 32 * 1024 * 1024 }
    }
}

/// What was built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Built {
    /// Targets with anchor texts.
    pub num_targets: u64,
    /// Links that counted.
    pub num_links: u64,
    /// The page log up to here was read.
    pub position: Position,
}

/// The parts of building, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Step {
    /// The first reading of the page log.
    Survey,
    /// All the others.
    Gather,
}

/// Records between two calls of [`Knowledge::on_read`].
const TOLD_EVERY: u64 = 1_024;

/// Hops of redirects that an anchor follows to its target.
const REDIRECT_HOPS: usize = 5;

/// Builds the anchor index of the page log in `pages` as it is now, into `folder`.
///
/// Built beside and renamed: `folder` is whole or not there. Only links that their page vouches
/// for count, from the latest record of each page, each voice once per word. Memory: about 60
/// bytes per page of the log, and [`Options`].
pub fn build(pages: &Path, folder: &Path, options: Options) -> Result<Built, Error> {
    build_with(pages, folder, options, &Knowledge::default())
}

/// What the caller knows beyond the page log.
#[derive(Clone, Copy)]
pub struct Knowledge<'a> {
    /// Which targets are to be kept out of answers: nobody's words may bring back what was
    /// forgotten (C18), also not a page that was never fetched. By default none.
    pub is_kept_out: &'a dyn Fn(&Url) -> bool,
    /// Who speaks on a page: voices of one name count once. By default its registered domain.
    /// Nothing finer will do: whoever has a domain makes hosts and folders on it at will.
    pub voice_of: &'a dyn Fn(&Url) -> String,
    /// Told of the latest record of each page while the log is read anyway. By default nobody is.
    pub on_page: &'a dyn Fn(&PageRecord),
    /// Told now and then how many bytes of the log a step has read, and how many it will. By
    /// default nobody is.
    pub on_read: &'a dyn Fn(Step, u64, u64),
}

impl Default for Knowledge<'_> {
    fn default() -> Self {
        Self {
            is_kept_out: &|_| false,
            voice_of: &|url| url.site().as_str().to_owned(),
            on_page: &|_| {},
            on_read: &|_, _, _| {},
        }
    }
}

/// Like [`build`], with what the caller knows.
pub fn build_with(
    pages: &Path,
    folder: &Path,
    options: Options,
    knowledge: &Knowledge<'_>,
) -> Result<Built, Error> {
    let survey = Survey::read(pages, knowledge)?;
    let beside = folder.with_added_extension("new");
    remove(&beside)?;
    let num_targets = write(pages, &beside, &survey, options, knowledge)?;
    remove(folder)?;
    fs::rename(&beside, folder).map_err(Error::file("rename", &beside))?;
    sync_parent(folder).map_err(Error::file("sync", folder))?;
    debug!(num_targets, num_links = survey.num_links, "anchors built");
    Ok(Built { num_targets, num_links: survey.num_links, position: survey.end })
}

/// What the first reading of the log found.
#[derive(Default)]
struct Survey {
    /// By hash of the URL.
    pages: HashMap<u64, Latest>,
    redirects: HashMap<u64, Url>,
    num_links: u64,
    end: Position,
}

/// The latest record of a page.
struct Latest {
    id: PageId,
    start: Position,
    fetched: Timestamp,
    /// Whether the page may be an answer.
    is_answer: bool,
    num_links: u64,
}

impl Survey {
    fn read(pages: &Path, knowledge: &Knowledge<'_>) -> Result<Self, Error> {
        let mut survey = Self::default();
        let (mut num_read, total) = (0u64, size_below(pages));
        let mut reader = pages::Reader::open(pages, Position::START)?;
        while let Some(entry) = reader.next_entry()? {
            if num_read.is_multiple_of(TOLD_EVERY) {
                // The log may grow meanwhile.
                let done = bytes_before(pages, entry.start).min(total);
                (knowledge.on_read)(Step::Survey, done, total);
            }
            num_read += 1;
            let record = &entry.record;
            let key = hash(&record.url);
            let latest = Latest {
                id: record.id,
                start: entry.start,
                fetched: record.fetched,
                is_answer: is_answer(record),
                num_links: votes(record).count() as u64,
            };
            survey.num_links += latest.num_links;
            if let Some(replaced) = survey.pages.insert(key, latest) {
                survey.num_links -= replaced.num_links;
            }
            match &record.redirect {
                Some(target) => survey.redirects.insert(key, target.clone()),
                None => survey.redirects.remove(&key),
            };
            survey.end = entry.end;
        }
        (knowledge.on_read)(Step::Survey, total, total);
        Ok(survey)
    }

    /// Follows redirects that are known.
    fn resolve<'a>(&'a self, target: &'a Url) -> &'a Url {
        let mut target = target;
        for _ in 0..REDIRECT_HOPS {
            match self.redirects.get(&hash(target)) {
                Some(next) => target = next,
                None => break,
            }
        }
        target
    }
}

/// Words on each side of a link that may speak for it (P6).
const WORDS_AROUND: usize = 10;

/// Returns the words around a link of a page, by its number. Menus and footers have none: there
/// a link's neighbours speak of other pages.
fn around(record: &PageRecord, number: usize) -> (&str, &str) {
    let place = record.anchors.get(number).copied().flatten();
    let is_text = |span: &Span| {
        let block = record.blocks.get(span.block as usize);
        block.is_some_and(|block| !block.zone.is_frame())
    };
    let place = place.filter(is_text);
    place.map_or(("", ""), |place| text::around(&record.blocks, place, WORDS_AROUND))
}

/// Returns the links of a page that say something of their target, each with its number.
fn votes(record: &PageRecord) -> impl Iterator<Item = (usize, &Link)> {
    let is_read = record.status == 200;
    record.links.iter().enumerate().filter(move |(_, link)| {
        is_read
            && link.kind == LinkKind::Anchor
            && link.rel.is_endorsement()
            && !link.anchor.is_empty()
    })
}

/// Writes the whole index into a folder and returns the number of targets.
fn write(
    pages: &Path,
    folder: &Path,
    survey: &Survey,
    options: Options,
    knowledge: &Knowledge<'_>,
) -> Result<u64, Error> {
    let failed = |source| Error::new("write", folder, source);
    let (schema, fields) = Fields::schema();
    let index = folder::create(folder, folder::ANCHORS, schema, None)?;
    let memory = options.memory_bytes.max(crate::writer::LEAST_SEGMENT);
    let mut writer: IndexWriter = index.writer_with_num_threads(1, memory).map_err(failed)?;
    let num_passes = survey.num_links.div_ceil(options.links_per_pass.max(1)).max(1);
    let mut num_targets = 0;
    for pass in 0..num_passes {
        for (url, gathered) in gather(pages, survey, knowledge, pass, num_passes)?.into_iter() {
            let page = survey.pages.get(&hash(&url));
            if page.is_some_and(|page| !page.is_answer) || (knowledge.is_kept_out)(&url) {
                continue;
            }
            let mut document = gathered.document(&url, fields);
            if let Some(page) = page {
                document.add_u64(fields.page, page.id.as_u64());
                document.add_i64(fields.fetched, page.fetched.as_millis());
            }
            writer.add_document(document).map_err(failed)?;
            num_targets += 1;
        }
        writer.commit().map_err(failed)?;
    }
    let segments = index.searchable_segment_ids().map_err(failed)?;
    if segments.len() > 1 {
        writer.merge(&segments).wait().map_err(failed)?;
    }
    writer.wait_merging_threads().map_err(failed)?;
    Ok(num_targets)
}

/// Reads the log once and gathers the texts of one share of the targets.
fn gather(
    folder: &Path,
    survey: &Survey,
    knowledge: &Knowledge<'_>,
    pass: u64,
    num_passes: u64,
) -> Result<Targets, Error> {
    let mut targets = Targets::default();
    let (mut num_read, bytes) = (0u64, bytes_before(folder, survey.end));
    let tell = |done| (knowledge.on_read)(Step::Gather, pass * bytes + done, num_passes * bytes);
    let mut reader = pages::Reader::open(folder, Position::START)?;
    while reader.position() < survey.end {
        let Some(entry) = reader.next_entry()? else { break };
        if num_read.is_multiple_of(TOLD_EVERY) {
            tell(bytes_before(folder, entry.start));
        }
        num_read += 1;
        let record = &entry.record;
        let latest = survey.pages.get(&hash(&record.url));
        if latest.is_none_or(|latest| latest.start != entry.start) {
            continue;
        }
        if pass == 0 {
            (knowledge.on_page)(record);
        }
        let voice_of = knowledge.voice_of;
        let voice = voice_of(&record.url);
        let analyzer = Analyzer::new(record.language.as_deref().and_then(Language::parse));
        for (number, link) in votes(record) {
            let target = survey.resolve(&link.target);
            if *target != record.url && hash(target) % num_passes == pass {
                let is_own = voice_of(target) == voice;
                let anchor = &link.anchor;
                let around = around(record, number);
                targets.push(&Vote { target, voice: &voice, is_own, anchor, around, analyzer });
            }
        }
    }
    tell(bytes);
    Ok(targets)
}

fn remove(folder: &Path) -> Result<(), Error> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(Error::File { action: "remove", path: folder.to_owned(), source: error })
        }
        _ => Ok(()),
    }
}
