//! Asks the index about chosen documents: has it this term, this phrase, how often.

use tantivy::postings::Postings;
use tantivy::query::{EnableScoring, Query};
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{DocAddress, DocSet, Searcher, Term};

/// Returns how often each document has a term; 0 where it has not.
///
/// `addresses` must be in order. Cost: one look into the dictionary of each segment that they
/// lie in, one skip in the postings for each document.
pub(crate) fn frequencies(
    searcher: &Searcher,
    term: &Term,
    addresses: &[DocAddress],
) -> tantivy::Result<Vec<u32>> {
    let mut frequencies = Vec::with_capacity(addresses.len());
    for group in addresses.chunk_by(|one, next| one.segment_ord == next.segment_ord) {
        let segment = searcher.segment_reader(group[0].segment_ord);
        let index = segment.inverted_index(term.field())?;
        let Some(mut postings) = index.read_postings(term, IndexRecordOption::WithFreqs)? else {
            frequencies.extend(group.iter().map(|_| 0));
            continue;
        };
        frequencies.extend(group.iter().map(|address| {
            if is_at(&mut postings, address.doc_id) { postings.term_freq() } else { 0 }
        }));
    }
    Ok(frequencies)
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
fn is_at(documents: &mut (impl DocSet + ?Sized), doc_id: u32) -> bool {
    if documents.doc() < doc_id {
        documents.seek(doc_id);
    }
    documents.doc() == doc_id
}
