//! Anchor texts credited to the pages they point to (P6, X3, W16).
//!
//! One small tantivy index per generation, built beside and renamed, never changed after that.
//! A document per target:
//!
//! | field | holds |
//! |---|---|
//! | `stems` | each stem as often as [`weight`] says: four times per foreign site that used it; once those that stand beside "here" |
//! | `words` | the distinct texts with positions, a gap between them |
//! | `page`, `fetched` | the target's page, if it was fetched |
//! | `sites` | number of foreign sites that link with a text of their own |
//! | `url`, `text` | stored: the address, and the text that most sites use |
//!
//! A site is here who speaks with one voice: a registered domain, or several that [`Knowledge`]
//! says are one.

mod boilerplate;
mod build;
mod collect;

use std::path::Path;

use base::{PageId, Timestamp, Url};
use tantivy::columnar::Column;
use tantivy::schema::{FAST, Field, INDEXED, IndexRecordOption, STORED, STRING, Schema, Value};
use tantivy::{DocAddress, ReloadPolicy, Searcher, TantivyDocument};

pub use boilerplate::is_boilerplate;
pub use build::{Built, Knowledge, Options, Step, build, build_with};

use crate::by_page::OfSegment;
use crate::error::guarded;
use crate::folder::{self, Found};
use crate::schema::{canonical_url, prepared};
use crate::{Error, Problem};

/// How often a stem stands in `stems` for each foreign site that used it.
pub const PER_SITE: u32 = 4;
/// Foreign sites counted for one stem; more make no difference.
pub const MOST_SITES: usize = 250;

/// The fields of a target.
#[derive(Clone, Copy, Debug)]
pub struct Fields {
    /// Stems, weighted by repetition.
    pub stems: Field,
    /// Surface forms with positions.
    pub words: Field,
    page: Field,
    fetched: Field,
    sites: Field,
    url: Field,
    text: Field,
}

/// The anchor texts of one generation.
pub struct Anchors {
    /// tantivy's view of the segments.
    pub searcher: Searcher,
    /// The fields of its documents.
    pub fields: Fields,
    pages: Vec<Column<u64>>,
    by_page: Vec<OfSegment>,
    sites: Vec<Column<u64>>,
}

/// What is kept of a target for showing it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// Its address.
    pub url: Url,
    /// Its page, if it was fetched.
    pub page: Option<PageId>,
    /// When it was fetched.
    pub fetched: Option<Timestamp>,
    /// The text that most sites use for it.
    pub text: String,
}

/// Returns how often a stem is repeated: by foreign sites, and once for the target's own site, for
/// texts that say nothing and for what stands beside them, however many there are.
pub fn weight(foreign_sites: usize, is_damped: bool) -> u32 {
    let sites = u32::try_from(foreign_sites.min(MOST_SITES)).expect("at most 250");
    sites * PER_SITE + u32::from(is_damped)
}

impl Fields {
    fn schema() -> (Schema, Self) {
        let mut builder = Schema::builder();
        let fields = Self {
            stems: builder.add_text_field("stems", prepared(IndexRecordOption::WithFreqs)),
            words: builder
                .add_text_field("words", prepared(IndexRecordOption::WithFreqsAndPositions)),
            page: builder.add_u64_field("page", INDEXED | FAST | STORED),
            fetched: builder.add_i64_field("fetched", STORED),
            sites: builder.add_u64_field("sites", FAST),
            url: builder.add_text_field("url", STRING | STORED),
            text: builder.add_text_field("text", STORED),
        };
        (builder.build(), fields)
    }
}

impl Anchors {
    /// Opens the anchor texts of a generation.
    pub fn open(folder: &Path) -> Result<Self, Error> {
        guarded(folder, || Self::open_trusting(folder))
    }

    fn open_trusting(folder: &Path) -> Result<Self, Error> {
        let failed = |source| Error::new("open", folder, source);
        if folder::look(folder, folder::ANCHORS)? != Found::Index {
            return Err(Error::Foreign(folder.to_owned()));
        }
        let (schema, fields) = Fields::schema();
        let index = folder::open(folder, &schema)?;
        let reader = index.reader_builder().reload_policy(ReloadPolicy::Manual).try_into();
        let searcher = reader.map_err(failed)?.searcher();
        let (mut pages, mut sites, mut by_page) = (Vec::new(), Vec::new(), Vec::new());
        for segment in searcher.segment_readers() {
            pages.push(segment.fast_fields().u64("page").map_err(failed)?);
            sites.push(segment.fast_fields().u64("sites").map_err(failed)?);
            by_page.push(OfSegment::of(segment.segment_id(), &[]));
        }
        Ok(Self { searcher, fields, pages, by_page, sites })
    }

    /// Returns the number of targets.
    pub fn num_targets(&self) -> u64 {
        self.searcher.num_docs()
    }

    /// Returns the page of a target, if it was fetched.
    pub fn page(&self, address: DocAddress) -> Option<PageId> {
        self.pages[address.segment_ord as usize].first(address.doc_id).map(PageId::from_u64)
    }

    /// Returns how many foreign sites link to a target with a text of their own.
    pub fn num_sites(&self, address: DocAddress) -> u64 {
        self.sites[address.segment_ord as usize].first(address.doc_id).unwrap_or(0)
    }

    /// Returns the document of a page, if anyone links to it.
    ///
    /// Cost: a look at a table for each segment, which the first question makes.
    pub fn find(&self, page: PageId) -> Option<DocAddress> {
        for (segment_ord, segment) in (0..).zip(self.searcher.segment_readers()) {
            let pages = &self.pages[segment_ord as usize];
            let pair = |doc| pages.first(doc).map(|page| (page, doc));
            let pairs = || segment.doc_ids_alive().filter_map(pair);
            let found = self.by_page[segment_ord as usize].find(page.as_u64(), pairs);
            // Held against the file, which may have been cut since the table was made.
            if let Some(doc_id) = found.filter(|doc| pages.first(*doc) == Some(page.as_u64())) {
                return Some(DocAddress { segment_ord, doc_id });
            }
        }
        None
    }

    /// Returns what is kept of a target for showing it.
    pub fn target(&self, address: DocAddress) -> tantivy::Result<Option<Target>> {
        let document: TantivyDocument = self.searcher.doc(address)?;
        let text = |field| document.get_first(field).and_then(|value| value.as_str());
        let number = document.get_first(self.fields.page).and_then(|value| value.as_u64());
        let fetched = document.get_first(self.fields.fetched).and_then(|value| value.as_i64());
        Ok(text(self.fields.url).and_then(canonical_url).map(|url| Target {
            url,
            page: number.map(PageId::from_u64),
            fetched: fetched.map(Timestamp::from_millis),
            text: text(self.fields.text).unwrap_or_default().to_owned(),
        }))
    }
}

impl std::fmt::Debug for Anchors {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let num_targets = self.num_targets();
        formatter.debug_struct("Anchors").field("num_targets", &num_targets).finish_non_exhaustive()
    }
}

/// Verifies the checksums of a generation's anchor texts; returns the files that are not whole.
pub fn check(folder: &Path) -> Result<Vec<Problem>, Error> {
    if folder::look(folder, folder::ANCHORS)? != Found::Index {
        return Err(Error::Foreign(folder.to_owned()));
    }
    // Checksums first: tantivy trusts what it opens.
    let damaged = crate::check::damaged_files(&folder::open(folder, &Fields::schema().0)?, folder)?;
    if damaged.is_empty() {
        Anchors::open(folder)?;
    }
    Ok(damaged)
}
