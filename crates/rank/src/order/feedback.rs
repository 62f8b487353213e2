//! Feedback: words that the best answers have in common, asked for as well (after Lavrenko and
//! Croft's relevance models, known as RM3).
//!
//! ```text
//! p(t)     = Σ over the best pages: share of their scores · n(t) / length
//! terms    = the TERMS best by p(t) · idf(t), which are in at most a tenth of the pages
//! score    = words of the query · Σ over terms: p · idf · BM25, with the p made to sum to 1
//! ```
//! It does not help everywhere: of six sets three gain 3 to 5 % and three lose a little, so it is
//! there to be chosen, and not the default (docs/measurements/2026-11-16-ranking.md).

use std::collections::HashMap;

use index::StoredPage;
use text::Analyzer;

/// Pages that are taken for relevant.
pub(crate) const PAGES: usize = 10;
/// Terms that are added.
const TERMS: usize = 20;
/// Most words of one page that are looked at.
const WORDS: usize = 2_000;

/// Collects the words of the best pages.
#[derive(Debug, Default)]
pub(crate) struct Feedback {
    shares: HashMap<String, f32>,
}

impl Feedback {
    /// Adds a page with its share of the scores of all. Cost: linear in its text.
    pub(crate) fn push(&mut self, page: &StoredPage, share: f32) {
        let analyzer = Analyzer::new(page.language);
        let mut counts: HashMap<String, u32> = HashMap::new();
        let mut length = 0;
        for text in super::refine::main_texts(page) {
            if length >= WORDS {
                break;
            }
            analyzer.for_each(base::limits::cut(text, super::letters::TEXT_BYTES), |word| {
                length += 1;
                if !word.is_stop {
                    match counts.get_mut(word.stem) {
                        Some(count) => *count += 1,
                        None => drop(counts.insert(word.stem.to_owned(), 1)),
                    }
                }
            });
        }
        for (stem, count) in counts {
            *self.shares.entry(stem).or_default() += share * count as f32 / length as f32;
        }
    }

    /// Returns the terms to add with their weights, which sum to `total`, best first.
    ///
    /// `idf_of` gives the rarity of a term, or `None` if it is too common or too rare to help.
    pub(crate) fn terms(
        self,
        total: f32,
        mut idf_of: impl FnMut(&str) -> tantivy::Result<Option<f32>>,
    ) -> tantivy::Result<Vec<(String, f32)>> {
        let mut terms = Vec::new();
        for (stem, share) in self.shares {
            if let Some(idf) = idf_of(&stem)? {
                terms.push((stem, share * idf));
            }
        }
        terms.sort_by(|one, other| other.1.total_cmp(&one.1).then_with(|| one.0.cmp(&other.0)));
        terms.truncate(TERMS);
        let sum: f32 = terms.iter().map(|(_, weight)| weight).sum();
        terms.iter_mut().for_each(|(_, weight)| *weight *= total / sum.max(f32::MIN_POSITIVE));
        Ok(terms)
    }
}
