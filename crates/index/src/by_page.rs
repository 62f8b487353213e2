//! The document of a page in one segment, without a look into the dictionary.
//!
//! A search asks for the anchors of each of its 200 candidates, and for the pages of 200 anchors:
//! each look into a dictionary opens a list of postings for one number. Page ids are dense within a
//! partition, so that a table by id takes four bytes a page, sixteen at most; where they are not, pairs
//! are sorted. Made when a segment is first asked, and taken over by the next commit.

use std::sync::{Arc, OnceLock};

use tantivy::DocId;
use tantivy::index::SegmentId;

/// A table that is made when it is first needed, and the segment it is of.
#[derive(Clone)]
pub(crate) struct OfSegment {
    segment: SegmentId,
    table: Arc<OnceLock<ByPage>>,
}

impl OfSegment {
    /// Returns the table of a segment, one of `known` if it is among them.
    pub(crate) fn of(segment: SegmentId, known: &[Self]) -> Self {
        let same = known.iter().find(|known| known.segment == segment);
        same.cloned().unwrap_or_else(|| Self { segment, table: Arc::default() })
    }

    /// Returns the document of a page; `pairs` gives the pages of all documents that are alive, if
    /// they were not asked for before.
    ///
    /// A document that was alive then may be deleted since.
    pub(crate) fn find<I: Iterator<Item = (u64, DocId)>>(
        &self,
        page: u64,
        pairs: impl FnOnce() -> I,
    ) -> Option<DocId> {
        self.table.get_or_init(|| ByPage::new(pairs())).find(page)
    }
}

/// Documents by page.
#[derive(Debug, PartialEq)]
enum ByPage {
    /// One place for each page from the first to the last.
    Table { first: u64, docs: Vec<DocId> },
    /// In order.
    Sorted(Vec<(u64, DocId)>),
}

/// Stands for no document.
const NONE: DocId = DocId::MAX;
/// Places of a table for each document in it, at most.
const PLACES: u64 = 4;

impl ByPage {
    /// Takes pages with their documents, each page once, in any order.
    fn new(pairs: impl Iterator<Item = (u64, DocId)>) -> Self {
        let mut pairs: Vec<(u64, DocId)> = pairs.collect();
        let first = pairs.iter().map(|(page, _)| *page).min().unwrap_or(0);
        let last = pairs.iter().map(|(page, _)| *page).max().unwrap_or(0);
        if last - first >= PLACES * pairs.len() as u64 {
            pairs.sort_unstable();
            return Self::Sorted(pairs);
        }
        let mut docs = vec![NONE; (last - first) as usize + 1];
        for (page, doc) in pairs {
            docs[(page - first) as usize] = doc;
        }
        Self::Table { first, docs }
    }

    fn find(&self, page: u64) -> Option<DocId> {
        match self {
            Self::Table { first, docs } => {
                let place = usize::try_from(page.checked_sub(*first)?).ok()?;
                docs.get(place).copied().filter(|doc| *doc != NONE)
            }
            Self::Sorted(pairs) => {
                let place = pairs.binary_search_by_key(&page, |(page, _)| *page).ok()?;
                Some(pairs[place].1)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn every_page_has_its_document_and_no_other_has_one(
            pages in prop::collection::hash_set(prop_oneof![0_u64..40, any::<u64>()], 0..40),
            others in prop::collection::vec(prop_oneof![0_u64..50, any::<u64>()], 0..40),
        ) {
            let pairs: HashMap<u64, DocId> = pages.iter().copied().zip(0..).collect();
            let by_page = ByPage::new(pairs.iter().map(|(page, doc)| (*page, *doc)));
            for page in pages.iter().chain(&others) {
                prop_assert_eq!(by_page.find(*page), pairs.get(page).copied());
            }
        }
    }

    #[test]
    fn dense_pages_make_a_table_and_a_segment_keeps_it() {
        let by_page = ByPage::new([(7, 1), (5, 0), (9, 2)].into_iter());
        assert_eq!(by_page, ByPage::Table { first: 5, docs: vec![0, NONE, 1, NONE, 2] });
        let segment = SegmentId::generate_random();
        let made = OfSegment::of(segment, &[]);
        assert_eq!(made.find(3, || [(3, 8)].into_iter()), Some(8));
        let again =
            OfSegment::of(segment, &[OfSegment::of(SegmentId::generate_random(), &[]), made]);
        let asked_again = || -> std::iter::Empty<(u64, DocId)> { panic!("made already") };
        assert_eq!(again.find(3, asked_again), Some(8));
    }
}
