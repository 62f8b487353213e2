//! Words and phrases near each other: a scorer over positions, which tantivy has only for
//! phrases in order.
//!
//! Documents come from an ordinary query that asks for all operands; then the positions of each
//! are read and held against those of the operand before. Rows of one operand may overlap those
//! of the next only in nothing: `a NEAR a` wants two of them.
//!
//! Blocks of a page stand side by side in the index. What is near by positions is therefore held
//! against the ends of blocks too, which are read for such documents only: what is near within a
//! block is near by positions.

use std::sync::Arc;

use index::Breaks;
use tantivy::postings::{Postings, SegmentPostings};
use tantivy::query::{EnableScoring, Explanation, Query, Scorer, Weight};
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{DocId, DocSet, Score, SegmentReader, TERMINATED, Term};

use crate::patience::Patience;
use crate::plan::Operands;

/// Asks for operands near each other in one field.
#[derive(Debug)]
pub(crate) struct NearQuery {
    /// Finds the documents that have all operands.
    pub(crate) all: Box<dyn Query>,
    pub(crate) field: Field,
    /// Where the blocks end, if the field has more than one.
    pub(crate) breaks: Option<Field>,
    pub(crate) operands: Arc<Operands>,
    /// Where in the field the operands are looked for.
    pub(crate) reach: Reach,
    /// `None` if finding the documents costs as much as holding them against the operands.
    pub(crate) patience: Option<Patience>,
}

/// Where in a field of blocks something is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    /// In any one block.
    Anywhere,
    /// In the first block only; of one operand.
    First,
}

impl Clone for NearQuery {
    fn clone(&self) -> Self {
        Self {
            all: self.all.box_clone(),
            field: self.field,
            breaks: self.breaks,
            operands: self.operands.clone(),
            reach: self.reach,
            patience: self.patience.clone(),
        }
    }
}

impl Query for NearQuery {
    fn weight(&self, enable_scoring: EnableScoring<'_>) -> tantivy::Result<Box<dyn Weight>> {
        let all = self.all.weight(enable_scoring)?;
        let (operands, patience) = (self.operands.clone(), self.patience.clone());
        let (field, breaks, reach) = (self.field, self.breaks, self.reach);
        Ok(Box::new(NearWeight { all, field, breaks, operands, reach, patience }))
    }
}

struct NearWeight {
    all: Box<dyn Weight>,
    field: Field,
    breaks: Option<Field>,
    operands: Arc<Operands>,
    reach: Reach,
    patience: Option<Patience>,
}

impl Weight for NearWeight {
    fn scorer(&self, reader: &SegmentReader, boost: Score) -> tantivy::Result<Box<dyn Scorer>> {
        let all = self.all.scorer(reader, boost)?;
        let mut scorer = NearScorer {
            all,
            operands: Vec::new(),
            distances: self.operands.distances.clone(),
            breaks: self.breaks.map(|field| Breaks::open(reader, field)).transpose()?,
            reach: self.reach,
            patience: self.patience.clone(),
            steps: 0,
            room: Room::default(),
        };
        for rows in &self.operands.rows {
            scorer.operands.push(Operand::open(reader, self.field, rows)?);
        }
        scorer.settle();
        Ok(Box::new(scorer))
    }

    fn explain(&self, reader: &SegmentReader, doc: DocId) -> tantivy::Result<Explanation> {
        self.all.explain(reader, doc)
    }
}

struct NearScorer {
    all: Box<dyn Scorer>,
    operands: Vec<Operand>,
    distances: Vec<u32>,
    breaks: Option<Breaks>,
    reach: Reach,
    patience: Option<Patience>,
    steps: u32,
    room: Room,
}

/// Room for positions, used again for the next document.
#[derive(Default)]
struct Room {
    /// Rows of the operand before that count, and those of the one at hand: first and last
    /// position, in order.
    before: Vec<(u32, u32)>,
    present: Vec<(u32, u32)>,
    starts: Vec<u32>,
    positions: Vec<u32>,
}

/// Rows of terms that are one operand.
struct Operand {
    rows: Vec<Row>,
}

/// Terms at distances from the first one.
struct Row {
    terms: Vec<(u32, SegmentPostings)>,
    length: u32,
}

impl Operand {
    fn open(reader: &SegmentReader, field: Field, rows: &[Vec<String>]) -> tantivy::Result<Self> {
        let index = reader.inverted_index(field)?;
        let mut opened = Vec::new();
        'rows: for row in rows {
            let mut terms = Vec::new();
            for (offset, term) in (0..).zip(row).filter(|(_, term)| !term.is_empty()) {
                let term = Term::from_field_text(field, term);
                let option = IndexRecordOption::WithFreqsAndPositions;
                match index.read_postings(&term, option)? {
                    Some(postings) => terms.push((offset, postings)),
                    // A row without one of its terms is nowhere in this segment.
                    None => continue 'rows,
                }
            }
            if !terms.is_empty() {
                opened.push(Row { terms, length: row.len() as u32 });
            }
        }
        Ok(Self { rows: opened })
    }

    /// Reads where the operand stands in a document, in order.
    fn read(&mut self, doc: DocId, breaks: Option<&Breaks>, room: &mut Room) {
        room.present.clear();
        for row in &mut self.rows {
            if row.read(doc, breaks, &mut room.starts, &mut room.positions) {
                let ends = row.length - 1;
                room.present.extend(room.starts.iter().map(|start| (*start, start + ends)));
            }
        }
        room.present.sort_unstable();
        room.present.dedup();
    }
}

impl Row {
    /// Reads where the row begins in a document; `false` if it does not stand there.
    fn read(
        &mut self,
        doc: DocId,
        breaks: Option<&Breaks>,
        starts: &mut Vec<u32>,
        positions: &mut Vec<u32>,
    ) -> bool {
        let read = |postings: &mut SegmentPostings, positions: &mut Vec<u32>| {
            postings.positions(positions);
            if let Some(breaks) = breaks {
                breaks.part(positions);
            }
        };
        for (i, (offset, postings)) in self.terms.iter_mut().enumerate() {
            if postings.doc() < doc {
                postings.seek(doc);
            }
            if postings.doc() != doc {
                return false;
            }
            if i == 0 {
                read(postings, starts);
                continue;
            }
            read(postings, positions);
            let mut known = positions.iter().copied().peekable();
            let offset = *offset;
            starts.retain(|start| {
                let wanted = start + offset;
                while known.next_if(|position| *position < wanted).is_some() {}
                known.peek() == Some(&wanted)
            });
        }
        !starts.is_empty()
    }
}

impl NearScorer {
    /// Goes on to the next document that fits, which may be the present one.
    fn settle(&mut self) -> DocId {
        loop {
            let doc = self.all.doc();
            if doc == TERMINATED || self.fits(doc) {
                return doc;
            }
            let steps = &mut self.steps;
            if self.patience.as_ref().is_some_and(|patience| patience.is_lost(steps)) {
                return self.all.seek(TERMINATED);
            }
            self.all.advance();
        }
    }

    fn fits(&mut self, doc: DocId) -> bool {
        let (distances, room) = (&self.distances, &mut self.room);
        if !is_near(&mut self.operands, distances, doc, None, room) {
            return false;
        }
        let Some(breaks) = &mut self.breaks else { return true };
        breaks.read(doc);
        if self.reach == Reach::First {
            // Where the last operand stands was left there, and there is no other.
            let end = breaks.first().unwrap_or(u32::MAX);
            return room.before.iter().any(|(_, last)| *last < end);
        }
        breaks.is_empty() || is_near(&mut self.operands, distances, doc, Some(breaks), room)
    }
}

/// Returns whether each operand stands near the one before, within a block if its ends are given.
fn is_near(
    operands: &mut [Operand],
    distances: &[u32],
    doc: DocId,
    breaks: Option<&Breaks>,
    room: &mut Room,
) -> bool {
    for (i, operand) in operands.iter_mut().enumerate() {
        operand.read(doc, breaks, room);
        if let Some(distance) = i.checked_sub(1).and_then(|i| distances.get(i)) {
            keep_near(&room.before, &mut room.present, *distance);
        }
        if room.present.is_empty() {
            return false;
        }
        std::mem::swap(&mut room.before, &mut room.present);
    }
    true
}

/// Keeps the spans that are at most so far from one of the others, without touching it.
///
/// Both are in order of their beginnings. Spans of one operand differ little in length, so that
/// few are looked at twice.
fn keep_near(others: &[(u32, u32)], spans: &mut Vec<(u32, u32)>, distance: u32) {
    let longest = others.iter().map(|(start, end)| end - start).max().unwrap_or(0);
    let mut first = 0;
    spans.retain(|(start, end)| {
        // What ends too far before this one does so for all that follow.
        let reach = start.saturating_sub(distance).saturating_sub(longest);
        while others.get(first).is_some_and(|(other, _)| *other < reach) {
            first += 1;
        }
        let near = others[first..].iter().take_while(|(other, _)| *other <= end + distance);
        near.into_iter().any(|(other_start, other_end)| {
            if other_start > end {
                other_start - end <= distance
            } else {
                start > other_end && start - other_end <= distance
            }
        })
    });
}

impl DocSet for NearScorer {
    fn advance(&mut self) -> DocId {
        if self.all.doc() != TERMINATED {
            self.all.advance();
        }
        self.settle()
    }

    fn seek(&mut self, target: DocId) -> DocId {
        if self.all.doc() < target {
            self.all.seek(target);
        }
        self.settle()
    }

    fn doc(&self) -> DocId {
        self.all.doc()
    }

    fn size_hint(&self) -> u32 {
        self.all.size_hint()
    }
}

impl Scorer for NearScorer {
    fn score(&mut self) -> Score {
        self.all.score()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(others: &[(u32, u32)], spans: &[(u32, u32)], distance: u32, kept: &[(u32, u32)]) {
        let mut spans = spans.to_vec();
        keep_near(others, &mut spans, distance);
        assert_eq!(spans, kept);
    }

    #[test]
    fn spans_are_near_on_both_sides_and_never_touch() {
        let at = |positions: &[u32]| positions.iter().map(|p| (*p, *p)).collect::<Vec<_>>();
        check(&at(&[10]), &at(&[1, 7, 10, 13, 14]), 3, &at(&[7, 13]));
        check(&at(&[5]), &at(&[4, 5, 6]), 1, &at(&[4, 6]));
        check(&[(5, 8)], &at(&[3, 4, 6, 9, 10]), 1, &at(&[4, 9]));
        check(&at(&[5]), &[(0, 3), (3, 4), (4, 6), (6, 9)], 2, &[(0, 3), (3, 4), (6, 9)]);
        check(&[], &at(&[1]), 9, &[]);
        check(&at(&[0]), &at(&[u32::MAX - 200]), 100, &[]);
    }

    #[test]
    fn long_spans_before_short_ones_are_not_lost() {
        check(&[(0, 9), (1, 1), (2, 2)], &[(10, 10)], 1, &[(10, 10)]);
    }
}
