//! Proximity: words that stand side by side in the query and near each other on the page, and
//! phrases: those that stand there just as in the query.
//!
//! ```text
//! near(a, b) = Σ over occurrences of a and b at most WINDOW words apart: 1 / distance
//! row(a, b)  = occurrences of a with b right behind it
//! closeness  = Σ over neighbours a, b in the query: min(idf a, idf b) · near / (near + k1)
//! phrase     = the same of row
//! ```
//! Words of two blocks are neither. Positions are those of surface forms: `jaguar family` is near in `the family of the jaguar`,
//! not in `jaguars and their families`, which the stems have counted already.

use index::{Breaks, Fields};
use tantivy::postings::{Postings, SegmentPostings};
use tantivy::schema::IndexRecordOption;
use tantivy::{DocAddress, DocId, Term};

use crate::probe::{self, Terms};

/// Words between which nothing is near any more.
const WINDOW: u32 = 8;
/// How soon further pairs stop to count.
const K1: f32 = 1.2;
/// Most neighbours of one query that are looked for.
const MOST_PAIRS: usize = 24;

/// A word of the query by its surface form, with its rarity.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Placed<'a> {
    pub(crate) surface: &'a str,
    pub(crate) idf: f32,
}

/// How the words of a query stand in a document.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Nearness {
    pub(crate) closeness: f32,
    pub(crate) phrase: f32,
}

/// Returns how the words stand in each document. `addresses` must be in order.
///
/// Cost: a skip for each word and document, and the positions of neighbours that both are there.
pub(crate) fn closeness(
    terms: &Terms<'_>,
    fields: Fields,
    words: &[Placed<'_>],
    addresses: &[DocAddress],
) -> tantivy::Result<Vec<Nearness>> {
    let words = &words[..words.len().min(MOST_PAIRS + 1)];
    if words.len() < 2 {
        return Ok(vec![Nearness::default(); addresses.len()]);
    }
    let mut scores = Vec::with_capacity(addresses.len());
    for group in addresses.chunk_by(|one, next| one.segment_ord == next.segment_ord) {
        let mut segment = Segment::open(terms, fields, words, group[0].segment_ord)?;
        scores.extend(group.iter().map(|address| segment.score(words, address.doc_id)));
    }
    Ok(scores)
}

/// The words in one segment, whose documents are asked for in order.
struct Segment {
    lists: Vec<List>,
    breaks: Breaks,
}

/// One word.
struct List {
    postings: Option<SegmentPostings>,
    /// Where it stands in the present document, blocks apart; empty until that is asked for.
    places: Vec<u32>,
    has_places: bool,
}

impl Segment {
    fn open(
        terms: &Terms<'_>,
        fields: Fields,
        words: &[Placed<'_>],
        segment_ord: u32,
    ) -> tantivy::Result<Self> {
        let mut lists = Vec::with_capacity(words.len());
        for word in words {
            let term = Term::from_field_text(fields.words, word.surface);
            let option = IndexRecordOption::WithFreqsAndPositions;
            let postings = terms.postings(&term, segment_ord, option)?;
            lists.push(List { postings, places: Vec::new(), has_places: false });
        }
        let breaks = Breaks::open(terms.segment(segment_ord), fields.breaks)?;
        Ok(Self { lists, breaks })
    }

    fn score(&mut self, words: &[Placed<'_>], doc_id: DocId) -> Nearness {
        let mut nearness = Nearness::default();
        let mut was_here = false;
        let mut has_breaks = false;
        for i in 0..words.len() {
            let is_here = self.lists[i].seek(doc_id);
            if is_here && was_here && words[i - 1].surface != words[i].surface {
                if !std::mem::replace(&mut has_breaks, true) {
                    self.breaks.read(doc_id);
                }
                let (before, here) = self.lists.split_at_mut(i);
                let before = before[i - 1].places(&self.breaks);
                let here = here[0].places(&self.breaks);
                let idf = words[i].idf.min(words[i - 1].idf);
                let worth = |count: f32| idf * count / (count + K1);
                nearness.closeness += worth(near(before, here));
                nearness.phrase += worth(num_rows(before, here) as f32);
            }
            was_here = is_here;
        }
        nearness
    }
}

impl List {
    /// Goes on to a document and returns whether it has the word.
    fn seek(&mut self, doc_id: DocId) -> bool {
        self.has_places = false;
        let Some(postings) = &mut self.postings else { return false };
        probe::is_at(postings, doc_id)
    }

    /// Returns where the word stands in the present document, which must have it.
    fn places(&mut self, breaks: &Breaks) -> &[u32] {
        if let Some(postings) = self.postings.as_mut().filter(|_| !self.has_places) {
            postings.positions(&mut self.places);
            breaks.part(&mut self.places);
            self.has_places = true;
        }
        &self.places
    }
}

/// Sums one divided by the distance over pairs within the window; both lists are in order.
fn near(one: &[u32], other: &[u32]) -> f32 {
    let mut sum = 0.0;
    let mut from = 0;
    for place in one {
        while other.get(from).is_some_and(|other| other + WINDOW < *place) {
            from += 1;
        }
        let within = other[from..].iter().take_while(|other| **other <= place + WINDOW);
        sum += within.map(|other| 1.0 / other.abs_diff(*place).max(1) as f32).sum::<f32>();
    }
    sum
}

/// Counts the places that have one of the other list right behind them; both lists are in order.
fn num_rows(one: &[u32], other: &[u32]) -> usize {
    let mut from = 0;
    let is_row = |place: &&u32| {
        from += other[from..].iter().take_while(|other| **other <= **place).count();
        other.get(from) == Some(&(**place + 1))
    };
    one.iter().filter(is_row).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_stands_right_behind_is_in_a_row() {
        assert_eq!(num_rows(&[10], &[11]), 1);
        assert_eq!(num_rows(&[10], &[9]), 0);
        assert_eq!(num_rows(&[10], &[10, 12]), 0);
        assert_eq!(num_rows(&[3, 10, 20, 21], &[4, 5, 11, 22, 40]), 3);
        assert_eq!(num_rows(&[], &[1]), 0);
        assert_eq!(num_rows(&[1], &[]), 0);
    }

    #[test]
    fn nearer_pairs_count_more_and_far_ones_nothing() {
        assert_eq!(near(&[10], &[11]), 1.0);
        assert_eq!(near(&[10], &[8]), 0.5);
        assert_eq!(near(&[10], &[18]), 1.0 / 8.0);
        assert_eq!(near(&[10], &[19, 100]), 0.0);
        assert_eq!(near(&[10, 100], &[11, 99]), 2.0);
        assert_eq!(near(&[], &[1]), 0.0);
        // Forms that lie over each other share a position.
        assert_eq!(near(&[5], &[5]), 1.0);
    }
}
