//! At least so many of some conditions.
//!
//! tantivy has this for `BooleanQuery`, but puts scorers that stand at different documents into
//! one intersection when some of them are empty. This one is plain, and looks at the clock.

use tantivy::query::{EnableScoring, Explanation, Query, Scorer, Weight};
use tantivy::{DocId, DocSet, Score, SegmentReader, TERMINATED};

use crate::patience::Patience;

/// Asks for at least `least` of the parts.
#[derive(Debug)]
pub(crate) struct Quorum {
    pub(crate) least: usize,
    pub(crate) parts: Vec<Box<dyn Query>>,
    pub(crate) patience: Patience,
}

impl Clone for Quorum {
    fn clone(&self) -> Self {
        let parts = self.parts.iter().map(|part| part.box_clone()).collect();
        Self { least: self.least, parts, patience: self.patience.clone() }
    }
}

impl Query for Quorum {
    fn weight(&self, enable_scoring: EnableScoring<'_>) -> tantivy::Result<Box<dyn Weight>> {
        let parts = self.parts.iter().map(|part| part.weight(enable_scoring));
        let parts = parts.collect::<tantivy::Result<Vec<_>>>()?;
        Ok(Box::new(QuorumWeight { least: self.least, parts, patience: self.patience.clone() }))
    }
}

struct QuorumWeight {
    least: usize,
    parts: Vec<Box<dyn Weight>>,
    patience: Patience,
}

impl Weight for QuorumWeight {
    fn scorer(&self, reader: &SegmentReader, boost: Score) -> tantivy::Result<Box<dyn Scorer>> {
        let parts = self.parts.iter().map(|part| part.scorer(reader, boost));
        let parts = parts.collect::<tantivy::Result<Vec<_>>>()?;
        let patience = self.patience.clone();
        let mut scorer = QuorumScorer { least: self.least, parts, doc: 0, patience, steps: 0 };
        scorer.settle();
        Ok(Box::new(scorer))
    }

    fn explain(&self, _: &SegmentReader, _: DocId) -> tantivy::Result<Explanation> {
        Ok(Explanation::new("at least some of the parts", 1.0))
    }
}

struct QuorumScorer {
    least: usize,
    parts: Vec<Box<dyn Scorer>>,
    doc: DocId,
    patience: Patience,
    steps: u32,
}

impl QuorumScorer {
    /// Finds the first document from `doc` on that enough parts have; all parts stand at `doc`
    /// or behind it.
    fn settle(&mut self) -> DocId {
        loop {
            let next = self.parts.iter().map(DocSet::doc).min().unwrap_or(TERMINATED);
            self.doc = next;
            let count = self.parts.iter().filter(|part| part.doc() == next).count();
            if next == TERMINATED || (count >= self.least && count > 0) {
                return next;
            }
            if self.patience.is_lost(&mut self.steps) {
                self.doc = TERMINATED;
                return TERMINATED;
            }
            self.leave();
        }
    }

    /// Moves the parts that stand at the present document on.
    fn leave(&mut self) {
        for part in &mut self.parts {
            if part.doc() == self.doc {
                part.advance();
            }
        }
    }
}

impl DocSet for QuorumScorer {
    fn advance(&mut self) -> DocId {
        if self.doc == TERMINATED {
            return TERMINATED;
        }
        self.leave();
        self.settle()
    }

    fn seek(&mut self, target: DocId) -> DocId {
        if self.doc >= target {
            return self.doc;
        }
        for part in &mut self.parts {
            if part.doc() < target {
                part.seek(target);
            }
        }
        self.settle()
    }

    fn doc(&self) -> DocId {
        self.doc
    }

    fn size_hint(&self) -> u32 {
        self.parts.iter().map(DocSet::size_hint).max().unwrap_or(0)
    }
}

impl Scorer for QuorumScorer {
    fn score(&mut self) -> Score {
        let doc = self.doc;
        let present = self.parts.iter_mut().filter(|part| part.doc() == doc);
        present.map(Scorer::score).sum()
    }
}
