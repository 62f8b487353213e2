//! Words side by side: the query of a phrase, and a walk over its best documents.
//!
//! tantivy's own phrase reads the positions of every document that has all words. This walk first
//! asks how good the document could be: a phrase stands in it no more often than the rarest of its
//! words. Where that cannot pass what is asked for, positions are left unread, and where nothing can
//! any more, the walk ends. What passes has the very score that tantivy gives it.

use tantivy::postings::{Postings, SegmentPostings};
use tantivy::query::{Bm25Weight, EnableScoring, PhraseQuery, Query, Weight};
use tantivy::schema::IndexRecordOption;
use tantivy::{DocId, DocSet, Score, Searcher, SegmentReader, TERMINATED, Term};

/// Asks for two terms or more of one field at distances from the first one.
///
/// To tantivy it is a [`PhraseQuery`]; unlike that one it tells what it was made of.
#[derive(Clone, Debug)]
pub(crate) struct RowQuery {
    phrase: PhraseQuery,
    terms: Vec<(usize, Term)>,
}

impl RowQuery {
    /// Takes terms with their offsets, at least two and in order.
    pub(crate) fn new(terms: Vec<(usize, Term)>) -> Self {
        Self { phrase: PhraseQuery::new_with_offset(terms.clone()), terms }
    }

    /// Returns how its documents are scored.
    pub(crate) fn weigher(&self, searcher: &Searcher) -> tantivy::Result<Bm25Weight> {
        Bm25Weight::for_terms(searcher, &self.phrase.phrase_terms())
    }
}

impl Query for RowQuery {
    fn weight(&self, enable_scoring: EnableScoring<'_>) -> tantivy::Result<Box<dyn Weight>> {
        self.phrase.weight(enable_scoring)
    }

    fn query_terms<'a>(&'a self, visitor: &mut dyn FnMut(&'a Term, bool)) {
        self.phrase.query_terms(visitor);
    }
}

/// Documents looked at between two looks at the clock.
const STRIDE: u32 = 512;

/// Tells a visitor the documents of a segment that pass what it asks for, from a threshold on;
/// returns whether it came to the end before the time was over.
///
/// Cost: a step in each list for every document that has all terms, and the positions of those
/// that may pass.
pub(crate) fn walk(
    query: &RowQuery,
    weigher: &Bm25Weight,
    segment: &SegmentReader,
    mut threshold: Score,
    is_over: &dyn Fn() -> bool,
    visit: &mut dyn FnMut(DocId, Score) -> Score,
) -> tantivy::Result<bool> {
    let Some(mut row) = Row::open(&query.terms, segment)? else { return Ok(true) };
    let lengths = segment.get_fieldnorms_reader(query.phrase.field())?;
    let most = weigher.max_score();
    let mut num_seen = 0_u32;
    let mut doc = row.settle();
    while doc != TERMINATED && most > threshold {
        num_seen = num_seen.wrapping_add(1);
        if num_seen.is_multiple_of(STRIDE) && is_over() {
            return Ok(false);
        }
        let length = lengths.fieldnorm_id(doc);
        if weigher.score(length, row.most()) > threshold {
            let count = row.count();
            let score = weigher.score(length, count);
            if count > 0 && score > threshold {
                threshold = visit(doc, score);
            }
        }
        doc = row.advance();
    }
    Ok(true)
}

/// The lists of the terms in one segment, the shortest first.
pub(crate) struct Row {
    lists: Vec<List>,
    /// Room for positions, used again for the next document.
    starts: Vec<u32>,
    places: Vec<u32>,
}

struct List {
    /// What its positions are moved by, so that terms of a row meet.
    shift: u32,
    postings: SegmentPostings,
}

impl Row {
    /// Opens the lists of terms with their offsets; `None` where a term is unknown.
    pub(crate) fn open(
        terms: &[(usize, Term)],
        segment: &SegmentReader,
    ) -> tantivy::Result<Option<Self>> {
        let last = terms.iter().map(|(offset, _)| *offset).max().unwrap_or(0);
        let mut lists = Vec::with_capacity(terms.len());
        for (offset, term) in terms {
            let index = segment.inverted_index(term.field())?;
            let option = IndexRecordOption::WithFreqsAndPositions;
            let Some(postings) = index.read_postings(term, option)? else { return Ok(None) };
            lists.push(List { shift: (last - offset) as u32, postings });
        }
        lists.sort_by_key(|list| list.postings.size_hint());
        Ok(Some(Self { lists, starts: Vec::new(), places: Vec::new() }))
    }

    /// Goes on to the next document that has all terms, which may be the present one.
    fn settle(&mut self) -> DocId {
        let Some((first, others)) = self.lists.split_first_mut() else { return TERMINATED };
        let mut doc = first.postings.doc();
        'documents: while doc != TERMINATED {
            for other in others.iter_mut() {
                let found = other.seek(doc);
                if found != doc {
                    doc = first.seek(found);
                    continue 'documents;
                }
            }
            break;
        }
        doc
    }

    fn advance(&mut self) -> DocId {
        if let Some(first) = self.lists.first_mut() {
            first.postings.advance();
        }
        self.settle()
    }

    /// Returns whether a document has the row; it must not be before one that was asked for earlier.
    pub(crate) fn is_in(&mut self, doc: DocId) -> bool {
        !self.lists.is_empty()
            && self.lists.iter_mut().all(|list| list.seek(doc) == doc)
            && self.count() > 0
    }

    /// Returns how often the row may stand in the present document at most.
    fn most(&self) -> u32 {
        self.lists.iter().map(|list| list.postings.term_freq()).min().unwrap_or(0)
    }

    /// Returns how often it does.
    fn count(&mut self) -> u32 {
        let Some((first, others)) = self.lists.split_first_mut() else { return 0 };
        first.postings.positions_with_offset(first.shift, &mut self.starts);
        for other in others {
            other.postings.positions_with_offset(other.shift, &mut self.places);
            keep_common(&mut self.starts, &self.places);
            if self.starts.is_empty() {
                return 0;
            }
        }
        self.starts.len() as u32
    }
}

impl List {
    fn seek(&mut self, doc: DocId) -> DocId {
        if self.postings.doc() < doc { self.postings.seek(doc) } else { self.postings.doc() }
    }
}

/// Keeps the places that others have too; both are in order.
fn keep_common(places: &mut Vec<u32>, others: &[u32]) {
    let mut next = 0;
    places.retain(|place| {
        while others.get(next).is_some_and(|other| other < place) {
            next += 1;
        }
        others.get(next) == Some(place)
    });
}
