//! Chooses √N documents as leaders and lets every document follow the one it is most like.
//!
//! Likeness is the cosine of the vectors of weights. Terms that more than a tenth of the documents
//! have are left out: they tell documents apart the least and cost the most. The table of
//! likenesses is filled for a few thousand documents at a time, so that it stays small.

use std::io;

use super::Leader;
use super::file::{BLOCK, Entry, Place, Source};

/// Likenesses held at a time, four bytes each.
const TABLE: usize = 8 * 1024 * 1024;
/// Terms of a larger part of the documents are left out, one in so many.
const COMMON: usize = 10;

/// Returns the ordinals of the leaders, in order: every document is as likely as any other, and
/// the same number of documents gives the same leaders.
pub(super) fn choose(num_docs: usize) -> Vec<u32> {
    let count = num_docs.isqrt();
    // One of each stretch of √N documents, at a place that a mixing of the number picks.
    let stretch = |number: usize| {
        let (begin, end) = (number * num_docs / count, (number + 1) * num_docs / count);
        begin + (mix(number as u64) % (end - begin) as u64) as usize
    };
    (0..count).map(|number| stretch(number) as u32).collect()
}

/// SplitMix64: a number that looks like chance.
fn mix(number: u64) -> u64 {
    let mut mixed = number.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    mixed = (mixed ^ mixed >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ mixed >> 31
}

/// Returns the leaders with their norms, and the place of each document's leader.
pub(super) fn follow<'a>(
    source: &Source,
    places: impl Iterator<Item = &'a Place>,
    chosen: &[u32],
    num_docs: usize,
) -> io::Result<(Vec<Leader>, Vec<u32>)> {
    let mut vectors = Vec::new();
    let mut squares = vec![0.0_f32; chosen.len()];
    for place in places {
        if place.count as usize > num_docs / COMMON {
            continue;
        }
        let has_term = weights_of(source, place, chosen)?;
        for (number, weight) in &has_term {
            squares[*number] += weight * weight;
        }
        if !has_term.is_empty() {
            vectors.push((place, has_term));
        }
    }
    let leaders: Vec<Leader> = chosen
        .iter()
        .zip(squares)
        .map(|(ordinal, square)| Leader { ordinal: *ordinal, norm: square.sqrt() })
        .collect();
    let mut led_by = Vec::with_capacity(num_docs);
    let width = (TABLE / leaders.len().max(1)).max(BLOCK);
    for begin in (0..num_docs).step_by(width) {
        let end = (begin + width).min(num_docs);
        let table = likenesses(source, &vectors, &leaders, begin..end)?;
        led_by.extend((begin..end).map(|ordinal| {
            let row = &table[(ordinal - begin) * leaders.len()..][..leaders.len()];
            nearest(row, ordinal)
        }));
    }
    for (number, ordinal) in chosen.iter().enumerate() {
        led_by[*ordinal as usize] = number as u32;
    }
    Ok((leaders, led_by))
}

/// Returns how like a row of documents is to each leader.
fn likenesses(
    source: &Source,
    vectors: &[(&Place, Vec<(usize, f32)>)],
    leaders: &[Leader],
    documents: std::ops::Range<usize>,
) -> io::Result<Vec<f32>> {
    let mut table = vec![0.0; documents.len() * leaders.len()];
    for (place, has_term) in vectors {
        let behind = place.firsts.partition_point(|first| (*first as usize) <= documents.start);
        for number in behind.saturating_sub(1)..place.firsts.len() {
            if place.firsts[number] as usize >= documents.end {
                break;
            }
            for Entry { ordinal, weight } in source.block_by_ordinal(place, number)? {
                if !documents.contains(&(ordinal as usize)) {
                    continue;
                }
                let row = (ordinal as usize - documents.start) * leaders.len();
                for (leader, leader_weight) in has_term {
                    table[row + leader] += weight * leader_weight / leaders[*leader].norm;
                }
            }
        }
    }
    Ok(table)
}

/// Returns the place of the likest leader; documents that are like none are dealt out.
fn nearest(row: &[f32], ordinal: usize) -> u32 {
    let best = row.iter().enumerate().max_by(|one, other| one.1.total_cmp(other.1));
    match best {
        Some((place, likeness)) if *likeness > 0.0 => place as u32,
        _ => (ordinal % row.len().max(1)) as u32,
    }
}

/// Returns which of the leaders have a term, and its weight in them.
fn weights_of(source: &Source, place: &Place, chosen: &[u32]) -> io::Result<Vec<(usize, f32)>> {
    let mut has_term = Vec::new();
    for number in 0..place.firsts.len() {
        for Entry { ordinal, weight } in source.block_by_ordinal(place, number)? {
            if let Ok(leader) = chosen.binary_search(&ordinal) {
                has_term.push((leader, weight));
            }
        }
    }
    Ok(has_term)
}
