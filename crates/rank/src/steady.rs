//! A query whose matches may be asked for in any way.
//!
//! tantivy 0.27 excludes documents with `DocSet::seek_danger`, also for targets before the
//! present document, which its phrase scorer does not stand: it panics in debug builds and may
//! give a wrong answer in release builds. Wrapped in this, only `seek` and `advance` reach the
//! scorer, and only forwards.

use tantivy::query::{EnableScoring, Explanation, Query, Scorer, Weight};
use tantivy::{DocId, DocSet, Score, SegmentReader, Term};

/// Wraps a query that is to be excluded.
#[derive(Debug)]
pub(crate) struct Steady(pub(crate) Box<dyn Query>);

impl Clone for Steady {
    fn clone(&self) -> Self {
        Self(self.0.box_clone())
    }
}

struct SteadyWeight(Box<dyn Weight>);

struct SteadyScorer(Box<dyn Scorer>);

impl Query for Steady {
    fn weight(&self, enable_scoring: EnableScoring<'_>) -> tantivy::Result<Box<dyn Weight>> {
        Ok(Box::new(SteadyWeight(self.0.weight(enable_scoring)?)))
    }

    fn query_terms<'a>(&'a self, visitor: &mut dyn FnMut(&'a Term, bool)) {
        self.0.query_terms(visitor);
    }
}

impl Weight for SteadyWeight {
    fn scorer(&self, reader: &SegmentReader, boost: Score) -> tantivy::Result<Box<dyn Scorer>> {
        Ok(Box::new(SteadyScorer(self.0.scorer(reader, boost)?)))
    }

    fn explain(&self, reader: &SegmentReader, doc: DocId) -> tantivy::Result<Explanation> {
        self.0.explain(reader, doc)
    }
}

// `seek_danger` is left to its default, which looks at the present document first.
impl DocSet for SteadyScorer {
    fn advance(&mut self) -> DocId {
        self.0.advance()
    }

    fn seek(&mut self, target: DocId) -> DocId {
        if self.0.doc() < target { self.0.seek(target) } else { self.0.doc() }
    }

    fn doc(&self) -> DocId {
        self.0.doc()
    }

    fn size_hint(&self) -> u32 {
        self.0.size_hint()
    }
}

impl Scorer for SteadyScorer {
    fn score(&mut self) -> Score {
        self.0.score()
    }
}
