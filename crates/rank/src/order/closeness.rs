//! Proximity: words that stand side by side in the query and near each other on the page.
//!
//! ```text
//! near(a, b) = Σ over occurrences of a and b at most WINDOW words apart: 1 / distance
//! score      = Σ over neighbours a, b in the query: min(idf a, idf b) · near / (near + k1)
//! ```
//! Words of two blocks are never near. Positions are those of surface forms: `jaguar family` is near in `the family of the jaguar`,
//! not in `jaguars and their families`, which the stems have counted already.

use index::{Breaks, Fields};
use tantivy::postings::Postings;
use tantivy::schema::IndexRecordOption;
use tantivy::{DocAddress, DocSet, Searcher, Term};

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

/// Returns how near the words stand in each document. `addresses` must be in order.
///
/// Cost: for each pair the positions of both words in these documents.
pub(crate) fn closeness(
    searcher: &Searcher,
    fields: Fields,
    words: &[Placed<'_>],
    addresses: &[DocAddress],
) -> tantivy::Result<Vec<f32>> {
    let mut scores = vec![0.0; addresses.len()];
    let words = &words[..words.len().min(MOST_PAIRS + 1)];
    if words.len() < 2 {
        return Ok(scores);
    }
    let mut before: Option<Vec<Vec<u32>>> = None;
    for (i, word) in words.iter().enumerate() {
        let here = positions(searcher, fields, word.surface, addresses)?;
        if let Some(before) = &before
            && words[i - 1].surface != word.surface
        {
            let idf = word.idf.min(words[i - 1].idf);
            for ((score, one), other) in scores.iter_mut().zip(before).zip(&here) {
                let near = near(one, other);
                *score += idf * near / (near + K1);
            }
        }
        before = Some(here);
    }
    Ok(scores)
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

/// Returns where a word stands in each document, blocks apart.
fn positions(
    searcher: &Searcher,
    fields: Fields,
    surface: &str,
    addresses: &[DocAddress],
) -> tantivy::Result<Vec<Vec<u32>>> {
    let mut all = Vec::with_capacity(addresses.len());
    let term = Term::from_field_text(fields.words, surface);
    for group in addresses.chunk_by(|one, next| one.segment_ord == next.segment_ord) {
        let segment = searcher.segment_reader(group[0].segment_ord);
        let index = segment.inverted_index(term.field())?;
        let option = IndexRecordOption::WithFreqsAndPositions;
        let Some(mut postings) = index.read_postings(&term, option)? else {
            all.extend(group.iter().map(|_| Vec::new()));
            continue;
        };
        let mut breaks = Breaks::open(segment, fields.breaks)?;
        for address in group {
            let mut places = Vec::new();
            if postings.doc() < address.doc_id {
                postings.seek(address.doc_id);
            }
            if postings.doc() == address.doc_id {
                postings.positions(&mut places);
                breaks.read(address.doc_id);
                breaks.part(&mut places);
            }
            all.push(places);
        }
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

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
