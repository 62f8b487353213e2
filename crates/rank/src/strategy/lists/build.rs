//! Makes the lists of a commit, term by term.
//!
//! Memory: one list at a time, the page ids, and what the leaders take ([`super::leaders`]).

use std::io;
use std::path::Path;

use base::PageId;
use index::Snapshot;
use tantivy::postings::Postings;
use tantivy::query::Bm25Weight;
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::termdict::TermMerger;
use tantivy::{DocAddress, DocSet, Searcher, TERMINATED, Term};

use super::file::{Entry, Writer};
use super::{commit_name, leaders};

/// Makes the lists of all stems that at least `floor` documents have. The outer failure is that
/// of the index, the inner that of the file.
pub(crate) fn build(
    snapshot: &Snapshot,
    path: &Path,
    floor: u64,
) -> tantivy::Result<io::Result<()>> {
    let searcher = &snapshot.searcher;
    let pages = pages(snapshot);
    let ordinals = ordinals(snapshot, &pages);
    let weigher = Weigher::new(searcher, snapshot.fields.stems)?;
    let chosen = leaders::choose(pages.len());
    let mut writer = match Writer::create(path) {
        Ok(writer) => writer,
        Err(error) => return Ok(Err(error)),
    };
    let mut indexes = Vec::new();
    for segment in searcher.segment_readers() {
        indexes.push(segment.inverted_index(snapshot.fields.stems)?);
    }
    let mut streams = Vec::new();
    for index in &indexes {
        streams.push(index.terms().stream()?);
    }
    let mut terms = TermMerger::new(streams);
    while terms.advance() {
        let places: Vec<_> = terms.current_segment_ords_and_term_infos().collect();
        let frequency: u64 = places.iter().map(|(_, info)| u64::from(info.doc_freq)).sum();
        if frequency < floor {
            continue;
        }
        let term = Term::from_field_bytes(snapshot.fields.stems, terms.key());
        let entries = weigher.entries(&term, frequency, |address| {
            Some(ordinals[address.segment_ord as usize][address.doc_id as usize])
        })?;
        if let Err(error) = writer.push(terms.key(), entries) {
            return Ok(Err(error));
        }
    }
    let finish = |mut writer: Writer| {
        let source = writer.source()?;
        let places = writer.places();
        let (leaders, led_by) = leaders::follow(&source, places, &chosen, pages.len())?;
        writer.finish(&commit_name(searcher), &pages, &leaders, &led_by)
    };
    Ok(finish(writer))
}

/// Returns the list of a term by ordinal, made from the index.
pub(super) fn entries_of(
    term: &Term,
    snapshot: &Snapshot,
    ordinal: impl Fn(PageId) -> Option<u32>,
) -> tantivy::Result<Vec<Entry>> {
    let searcher = &snapshot.searcher;
    let weigher = Weigher::new(searcher, term.field())?;
    let frequency = searcher.doc_freq(term)?;
    weigher.entries(term, frequency, |address| ordinal(snapshot.page(address)))
}

/// Weighs terms in documents as tantivy does.
pub(crate) struct Weigher<'a> {
    searcher: &'a Searcher,
    field: Field,
    num_docs: u64,
    average_length: f32,
}

impl<'a> Weigher<'a> {
    pub(crate) fn new(searcher: &'a Searcher, field: Field) -> tantivy::Result<Self> {
        let (mut num_docs, mut num_tokens) = (0_u64, 0_u64);
        for segment in searcher.segment_readers() {
            num_docs += u64::from(segment.max_doc());
            num_tokens += segment.inverted_index(field)?.total_num_tokens();
        }
        let average_length = num_tokens as f32 / num_docs as f32;
        Ok(Self { searcher, field, num_docs, average_length })
    }

    /// Returns the weights of a term that so many documents have.
    pub(crate) fn bm25(&self, frequency: u64) -> Bm25Weight {
        Bm25Weight::for_one_term(frequency, self.num_docs, self.average_length)
    }

    /// Returns the living documents that have a term, by ordinal.
    fn entries(
        &self,
        term: &Term,
        frequency: u64,
        ordinal: impl Fn(DocAddress) -> Option<u32>,
    ) -> tantivy::Result<Vec<Entry>> {
        let bm25 = self.bm25(frequency);
        let mut entries = Vec::new();
        for (segment_ord, segment) in (0..).zip(self.searcher.segment_readers()) {
            let index = segment.inverted_index(self.field)?;
            let Some(mut postings) = index.read_postings(term, IndexRecordOption::WithFreqs)?
            else {
                continue;
            };
            let lengths = segment.get_fieldnorms_reader(self.field)?;
            let mut doc_id = postings.doc();
            while doc_id != TERMINATED {
                if !segment.is_deleted(doc_id)
                    && let Some(ordinal) = ordinal(DocAddress { segment_ord, doc_id })
                {
                    let weight = bm25.score(lengths.fieldnorm_id(doc_id), postings.term_freq());
                    entries.push(Entry { ordinal, weight });
                }
                doc_id = postings.advance();
            }
        }
        entries.sort_unstable_by_key(|entry| entry.ordinal);
        Ok(entries)
    }
}

/// Returns the pages of all living documents, in order.
fn pages(snapshot: &Snapshot) -> Vec<u64> {
    let mut pages = Vec::new();
    for (segment_ord, segment) in (0..).zip(snapshot.searcher.segment_readers()) {
        let living = segment.doc_ids_alive();
        pages.extend(
            living.map(|doc_id| snapshot.page(DocAddress { segment_ord, doc_id }).as_u64()),
        );
    }
    pages.sort_unstable();
    pages
}

/// Returns the ordinal of each document; that of a deleted one means nothing.
fn ordinals(snapshot: &Snapshot, pages: &[u64]) -> Vec<Vec<u32>> {
    let mut ordinals = Vec::new();
    for (segment_ord, segment) in (0..).zip(snapshot.searcher.segment_readers()) {
        let ordinal = |doc_id| {
            let page = snapshot.page(DocAddress { segment_ord, doc_id }).as_u64();
            let place = pages.partition_point(|other| *other < page);
            u32::try_from(place).expect("an index has fewer than 2^32 documents")
        };
        ordinals.push((0..segment.max_doc()).map(ordinal).collect());
    }
    ordinals
}
