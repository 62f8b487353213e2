//! Asks the index about chosen documents: has it this term, this phrase, how often.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use tantivy::postings::{Postings, SegmentPostings, TermInfo};
use tantivy::query::{EnableScoring, Query};
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{DocAddress, DocSet, Searcher, SegmentReader, Term};

use crate::row::Row;

/// The terms of an index, each looked up once in the dictionaries of its segments.
pub(crate) struct Terms<'a> {
    searcher: &'a Searcher,
    /// Where the postings of a term are, segment by segment.
    known: RefCell<HashMap<Term, Places>>,
}

type Places = Rc<[Option<TermInfo>]>;

impl<'a> Terms<'a> {
    pub(crate) fn new(searcher: &'a Searcher) -> Self {
        Self { searcher, known: RefCell::default() }
    }

    /// Returns how many documents have a term.
    pub(crate) fn doc_freq(&self, term: &Term) -> tantivy::Result<u64> {
        let places = self.places(term)?;
        Ok(places.iter().flatten().map(|info| u64::from(info.doc_freq)).sum())
    }

    /// Returns how often each document has a term; 0 where it has not.
    ///
    /// `addresses` must be in order. Cost: one skip in the postings for each document.
    pub(crate) fn frequencies(
        &self,
        term: &Term,
        addresses: &[DocAddress],
    ) -> tantivy::Result<Vec<u32>> {
        let mut frequencies = Vec::with_capacity(addresses.len());
        for group in addresses.chunk_by(|one, next| one.segment_ord == next.segment_ord) {
            let option = IndexRecordOption::WithFreqs;
            let Some(mut postings) = self.postings(term, group[0].segment_ord, option)? else {
                frequencies.extend(group.iter().map(|_| 0));
                continue;
            };
            frequencies.extend(group.iter().map(|address| {
                if is_at(&mut postings, address.doc_id) { postings.term_freq() } else { 0 }
            }));
        }
        Ok(frequencies)
    }

    /// Returns the documents of a segment that have a term; `None` if there are none.
    pub(crate) fn postings(
        &self,
        term: &Term,
        segment_ord: u32,
        option: IndexRecordOption,
    ) -> tantivy::Result<Option<SegmentPostings>> {
        let places = self.places(term)?;
        let Some(info) = &places[segment_ord as usize] else { return Ok(None) };
        let index = self.segment(segment_ord).inverted_index(term.field())?;
        Ok(Some(index.read_postings_from_terminfo(info, option)?))
    }

    /// Returns a segment of the index.
    pub(crate) fn segment(&self, segment_ord: u32) -> &'a SegmentReader {
        self.searcher.segment_reader(segment_ord)
    }

    fn places(&self, term: &Term) -> tantivy::Result<Places> {
        if let Some(places) = self.known.borrow().get(term) {
            return Ok(places.clone());
        }
        let mut places = Vec::new();
        for segment in self.searcher.segment_readers() {
            places.push(segment.inverted_index(term.field())?.get_term_info(term)?);
        }
        let places: Places = places.into();
        self.known.borrow_mut().insert(term.clone(), places.clone());
        Ok(places)
    }
}

/// Returns the BM25 score of a query in each document; 0 where it does not match.
///
/// `addresses` must be in order.
pub(crate) fn scores(
    searcher: &Searcher,
    query: &dyn Query,
    addresses: &[DocAddress],
) -> tantivy::Result<Vec<f32>> {
    let weight = query.weight(EnableScoring::enabled_from_searcher(searcher))?;
    let mut scores = Vec::with_capacity(addresses.len());
    for group in addresses.chunk_by(|one, next| one.segment_ord == next.segment_ord) {
        let mut scorer = weight.scorer(searcher.segment_reader(group[0].segment_ord), 1.0)?;
        for address in group {
            scores.push(if is_at(&mut scorer, address.doc_id) { scorer.score() } else { 0.0 });
        }
    }
    Ok(scores)
}

/// Returns whether each document matches a query.
///
/// `addresses` must be in order.
pub(crate) fn matches(
    searcher: &Searcher,
    query: &dyn Query,
    addresses: &[DocAddress],
) -> tantivy::Result<Vec<bool>> {
    let weight = query.weight(EnableScoring::disabled_from_searcher(searcher))?;
    let mut matches = Vec::with_capacity(addresses.len());
    for group in addresses.chunk_by(|one, next| one.segment_ord == next.segment_ord) {
        let mut scorer = weight.scorer(searcher.segment_reader(group[0].segment_ord), 1.0)?;
        matches.extend(group.iter().map(|address| is_at(&mut scorer, address.doc_id)));
    }
    Ok(matches)
}

/// Returns which documents have these terms side by side.
///
/// `addresses` must be in order. Cost: one skip for each document and term, and the positions of
/// those documents that have all of them. [`matches`] with a phrase would cost more: where a
/// document does not match, the phrase goes on to the next one that does, however far that is.
pub(crate) fn rows(
    searcher: &Searcher,
    row: &[Term],
    addresses: &[DocAddress],
) -> tantivy::Result<Vec<bool>> {
    let terms: Vec<(usize, Term)> = row.iter().cloned().enumerate().collect();
    let mut matches = Vec::with_capacity(addresses.len());
    for group in addresses.chunk_by(|one, next| one.segment_ord == next.segment_ord) {
        let segment = searcher.segment_reader(group[0].segment_ord);
        // A segment without one of the terms has no such row.
        let mut row = Row::open(&terms, segment)?;
        let mut is_row = |doc_id| row.as_mut().is_some_and(|row| row.is_in(doc_id));
        matches.extend(group.iter().map(|address| is_row(address.doc_id)));
    }
    Ok(matches)
}

/// Returns how many tokens a field has in each document; rough for long ones.
pub(crate) fn lengths(
    searcher: &Searcher,
    field: Field,
    addresses: &[DocAddress],
) -> tantivy::Result<Vec<u32>> {
    let mut lengths = Vec::with_capacity(addresses.len());
    for group in addresses.chunk_by(|one, next| one.segment_ord == next.segment_ord) {
        let segment = searcher.segment_reader(group[0].segment_ord);
        let norms = segment.get_fieldnorms_reader(field)?;
        lengths.extend(group.iter().map(|address| norms.fieldnorm(address.doc_id)));
    }
    Ok(lengths)
}

/// Moves on to a document and returns whether it is in the set.
pub(crate) fn is_at(documents: &mut (impl DocSet + ?Sized), doc_id: u32) -> bool {
    if documents.doc() < doc_id {
        documents.seek(doc_id);
    }
    documents.doc() == doc_id
}
