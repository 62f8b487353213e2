//! What the walk by blocks reads, counted.
//!
//! tantivy decodes posting lists in blocks of 128 and does not say how many. Here its three walks
//! (one term, any of several, all of several: Block-Max WAND as in `block_wand_union.rs` and
//! `block_wand_intersection.rs` of tantivy 0.27) are gone step by step over lists in memory, and
//! each block that it would decode is counted whole. That costs more than the search itself, so it
//! is done only where somebody wants to know. A test holds the two against each other.

use tantivy::postings::Postings;
use tantivy::query::Bm25Weight;
use tantivy::schema::IndexRecordOption;
use tantivy::{DocSet, Score, Searcher, SegmentReader, TERMINATED, Term};

use super::lists::Weigher;
use crate::first::Flat;

/// Entries of a block, as tantivy has it.
const BLOCK: usize = 128;

/// Is told documents with their scores, and says what the next ones must pass.
type Visit<'a> = dyn FnMut(u32, Score) -> Score + 'a;

/// Goes over the documents of a segment as tantivy does; returns how many entries are decoded.
///
/// For a plain AND of terms, or an OR.
pub(super) fn walk(
    flat: &Flat<'_>,
    searcher: &Searcher,
    segment: &SegmentReader,
    threshold: Score,
    visit: &mut Visit<'_>,
) -> tantivy::Result<u64> {
    let mut cursors = Vec::new();
    for term in flat.terms() {
        match Cursor::open(term, searcher, segment)? {
            Some(cursor) => cursors.push(cursor),
            None if !flat.is_any() => return Ok(0),
            None => {}
        }
    }
    match cursors.len() {
        0 => {}
        1 => one(&mut cursors[0], threshold, visit),
        _ if flat.is_any() => return Ok(any(cursors, threshold, visit)),
        _ => all(&mut cursors, threshold, visit),
    }
    Ok(cursors.iter().map(|cursor| cursor.num_read).sum())
}

/// A list of one term, and where its walk is.
struct Cursor {
    docs: Vec<u32>,
    scores: Vec<Score>,
    /// The largest score of each full block, as far as tantivy knows it.
    block_most: Vec<Score>,
    most: Score,
    /// The block that the skip list is at.
    block: usize,
    /// The block that is decoded.
    decoded: usize,
    place: usize,
    num_read: u64,
}

impl Cursor {
    fn open(
        term: &Term,
        searcher: &Searcher,
        segment: &SegmentReader,
    ) -> tantivy::Result<Option<Self>> {
        let index = segment.inverted_index(term.field())?;
        let option = IndexRecordOption::WithFreqs;
        let Some(mut postings) = index.read_postings(term, option)? else { return Ok(None) };
        let Some(mut blocks) = index.read_block_postings(term, option)? else { return Ok(None) };
        let bm25: Bm25Weight = Weigher::new(searcher, term.field())?.bm25(searcher.doc_freq(term)?);
        let lengths = segment.get_fieldnorms_reader(term.field())?;
        let (mut docs, mut scores) = (Vec::new(), Vec::new());
        let mut doc = postings.doc();
        while doc != TERMINATED {
            docs.push(doc);
            scores.push(bm25.score(lengths.fieldnorm_id(doc), postings.term_freq()));
            doc = postings.advance();
        }
        let mut block_most = Vec::new();
        for _ in 0..docs.len() / BLOCK {
            block_most.push(blocks.block_max_score(&lengths, &bm25));
            blocks.advance();
        }
        let num_read = docs.len().min(BLOCK) as u64;
        let most = bm25.max_score();
        Ok(Some(Self { docs, scores, block_most, most, block: 0, decoded: 0, place: 0, num_read }))
    }

    fn doc(&self) -> u32 {
        self.docs.get(self.place).copied().unwrap_or(TERMINATED)
    }

    fn score(&self) -> Score {
        self.scores[self.place]
    }

    fn last_doc_in_block(&self) -> u32 {
        let last = (self.block + 1) * BLOCK - 1;
        self.docs.get(last).copied().unwrap_or(TERMINATED)
    }

    fn block_most(&self) -> Score {
        match self.block_most.get(self.block) {
            Some(most) => *most,
            // The last block has no bound of its own until it is decoded.
            None if self.decoded == self.block => {
                let last = self.scores.get(self.block * BLOCK..).unwrap_or_default();
                last.iter().copied().fold(0.0, Score::max)
            }
            None => self.most,
        }
    }

    /// Moves the skip list; nothing is decoded.
    fn seek_block(&mut self, target: u32) {
        while self.last_doc_in_block() < target {
            self.block += 1;
        }
    }

    fn decode(&mut self) {
        if self.decoded != self.block {
            self.decoded = self.block;
            let rest = self.docs.len().saturating_sub(self.block * BLOCK);
            self.num_read += rest.min(BLOCK) as u64;
        }
    }

    /// Decodes the block that may have a document; returns the place of the first not before it.
    fn seek_place(&mut self, target: u32) -> usize {
        self.seek_block(target);
        self.decode();
        let begin = (self.block * BLOCK).min(self.docs.len());
        let end = (begin + BLOCK).min(self.docs.len());
        begin + self.docs[begin..end].partition_point(|doc| *doc < target)
    }

    fn seek(&mut self, target: u32) -> u32 {
        if self.doc() >= target {
            return self.doc();
        }
        let last = self.decoded * BLOCK + BLOCK - 1;
        self.place = (self.place + 1).min(last);
        if self.doc() < target {
            self.place = self.seek_place(target);
        }
        self.doc()
    }

    fn advance(&mut self) -> u32 {
        self.place += 1;
        if self.place.is_multiple_of(BLOCK) {
            self.block += 1;
            self.decode();
        }
        self.doc()
    }
}

fn one(cursor: &mut Cursor, mut threshold: Score, visit: &mut Visit<'_>) {
    let mut doc = cursor.doc();
    loop {
        while cursor.block_most() <= threshold {
            let last = cursor.last_doc_in_block();
            if last == TERMINATED {
                return;
            }
            doc = last + 1;
            cursor.seek_block(doc);
        }
        doc = cursor.seek(doc);
        while doc != TERMINATED {
            if cursor.score() > threshold {
                threshold = visit(doc, cursor.score());
            }
            if doc == cursor.last_doc_in_block() {
                break;
            }
            doc = cursor.advance();
        }
        if doc == TERMINATED {
            return;
        }
        doc += 1;
        cursor.seek_block(doc);
    }
}

fn any(mut cursors: Vec<Cursor>, mut threshold: Score, visit: &mut Visit<'_>) -> u64 {
    let mut num_read = 0;
    cursors.sort_by_key(Cursor::doc);
    while let Some((num_before, num_at, pivot)) = pivot(&cursors, threshold) {
        let bound: Score = cursors[..num_at]
            .iter_mut()
            .map(|cursor| {
                cursor.seek_block(pivot);
                cursor.block_most()
            })
            .sum();
        if bound <= threshold {
            pass_over(&mut cursors, num_at);
            continue;
        }
        if !align(&mut cursors, pivot, num_before, &mut num_read) {
            continue;
        }
        let score = cursors[..num_at].iter().map(Cursor::score).sum();
        if score > threshold {
            threshold = visit(pivot, score);
        }
        for cursor in &mut cursors[..num_at] {
            cursor.advance();
        }
        let mut place = 0;
        while place < cursors.len() {
            if cursors[place].doc() == TERMINATED {
                num_read += cursors.swap_remove(place).num_read;
            } else {
                place += 1;
            }
        }
        cursors.sort_by_key(Cursor::doc);
    }
    num_read + cursors.iter().map(|cursor| cursor.num_read).sum::<u64>()
}

/// Returns the first document that may pass the threshold, how many lists are before it, and how
/// many not behind it.
fn pivot(cursors: &[Cursor], threshold: Score) -> Option<(usize, usize, u32)> {
    let mut most = 0.0;
    let num_before = cursors.iter().position(|cursor| {
        most += cursor.most;
        most > threshold
    })?;
    let doc = cursors[num_before].doc();
    let num_same = cursors[num_before + 1..].iter().take_while(|one| one.doc() == doc).count();
    (doc != TERMINATED).then_some((num_before, num_before + 1 + num_same, doc))
}

/// Moves the list with the largest scores behind the nearest end of a block.
fn pass_over(cursors: &mut [Cursor], num_at: usize) {
    let mut moved = num_at - 1;
    let mut target = cursors[moved].last_doc_in_block();
    for place in (0..num_at - 1).rev() {
        target = target.min(cursors[place].last_doc_in_block());
        if cursors[place].most > cursors[moved].most {
            moved = place;
        }
    }
    if target != TERMINATED {
        target += 1;
    }
    for cursor in &cursors[num_at..] {
        target = target.min(cursor.doc());
    }
    cursors[moved].seek(target);
    restore_order(cursors, moved);
}

/// Moves the lists before a document to it; returns whether all of them have it.
fn align(cursors: &mut Vec<Cursor>, pivot: u32, num_before: usize, num_read: &mut u64) -> bool {
    for place in (0..num_before).rev() {
        let doc = cursors[place].seek(pivot);
        if doc != pivot {
            if doc == TERMINATED {
                *num_read += cursors.swap_remove(place).num_read;
            }
            restore_order(cursors, place);
            return false;
        }
    }
    true
}

/// Brings one list that has gone ahead to its place.
fn restore_order(cursors: &mut [Cursor], moved: usize) {
    let doc = cursors[moved].doc();
    for place in moved + 1..cursors.len() {
        if cursors[place].doc() >= doc {
            break;
        }
        cursors.swap(place, place - 1);
    }
}

fn all(cursors: &mut [Cursor], mut threshold: Score, visit: &mut Visit<'_>) {
    cursors.sort_by_key(|cursor| cursor.docs.len());
    let Some((leader, others)) = cursors.split_first_mut() else { return };
    let most: Score = leader.most + others.iter().map(|other| other.most).sum::<Score>();
    let mut doc = leader.doc();
    while doc < TERMINATED && most > threshold {
        leader.seek_block(doc);
        let mut end = leader.last_doc_in_block();
        let mut bounds = Vec::with_capacity(others.len());
        for other in others.iter_mut() {
            other.seek_block(doc);
            if other.block * BLOCK >= other.docs.len() {
                return;
            }
            end = end.min(other.last_doc_in_block());
            bounds.push(other.block_most());
        }
        let bound: Score = bounds.iter().sum();
        if leader.block_most() + bound > threshold {
            let begin = leader.seek_place(doc);
            let behind = leader.docs.len().min((leader.block + 1) * BLOCK);
            let least = threshold - bound;
            for place in begin..behind {
                if leader.docs[place] > end {
                    break;
                }
                if leader.scores[place] <= least {
                    continue;
                }
                let candidate = leader.docs[place];
                let score =
                    whole_score(candidate, leader.scores[place], others, &bounds, threshold);
                if let Some(score) = score.filter(|score| *score > threshold) {
                    threshold = visit(candidate, score);
                    if most <= threshold {
                        return;
                    }
                }
            }
        }
        doc = end.saturating_add(1);
    }
}

/// Returns the score of a document that the first list has; `None` if another has it not, or if it
/// cannot pass the threshold any more.
fn whole_score(
    doc: u32,
    first: Score,
    others: &mut [Cursor],
    bounds: &[Score],
    threshold: Score,
) -> Option<Score> {
    let mut score = first;
    for place in 0..others.len() {
        let other = &mut others[place];
        if other.doc() > doc || other.seek(doc) != doc {
            return None;
        }
        score += other.score();
        let rest: Score = bounds[place + 1..].iter().rev().sum();
        if score + rest <= threshold {
            return None;
        }
    }
    Some(score)
}
