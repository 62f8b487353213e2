//! Lengths of the documents' vectors for the cosine: one pass over the index, kept as long as the
//! commit is in use.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use base::log::Position;
use index::{Snapshot, TITLE_FOLD};
use tantivy::postings::Postings;
use tantivy::schema::IndexRecordOption;
use tantivy::{DocAddress, DocSet, TERMINATED, Term};

/// Lengths of the vectors of one commit, segment by segment.
#[derive(Debug)]
pub(crate) struct Norms {
    checkpoint: Position,
    num_docs: u64,
    lengths: Vec<Vec<f32>>,
}

/// The norms of the commit that was last asked for.
#[derive(Debug, Default)]
pub(crate) struct Keeper(Mutex<Option<Arc<Norms>>>);

impl Keeper {
    /// Returns the norms of a commit. Cost: every posting of the index, once per commit.
    pub(crate) fn of(&self, snapshot: &Snapshot) -> tantivy::Result<Arc<Norms>> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match &*kept {
            Some(norms) if norms.is_of(snapshot) => Ok(norms.clone()),
            _ => Ok(kept.insert(Arc::new(Norms::new(snapshot)?)).clone()),
        }
    }
}

impl Norms {
    fn is_of(&self, snapshot: &Snapshot) -> bool {
        let sizes = snapshot.searcher.segment_readers().iter().map(|s| s.max_doc() as usize);
        self.checkpoint == snapshot.checkpoint
            && self.num_docs == snapshot.searcher.num_docs()
            && sizes.eq(self.lengths.iter().map(Vec::len))
    }

    /// Returns the length of a document's vector, never 0.
    pub(crate) fn get(&self, address: DocAddress) -> f32 {
        let length = self.lengths[address.segment_ord as usize][address.doc_id as usize];
        if length > 0.0 { length } else { 1.0 }
    }

    fn new(snapshot: &Snapshot) -> tantivy::Result<Self> {
        let segments = snapshot.searcher.segment_readers();
        let all: u64 = segments.iter().map(|segment| u64::from(segment.max_doc())).sum();
        let mut lengths = Vec::new();
        for segment in segments {
            let stems = segment.inverted_index(snapshot.fields.stems)?;
            let titles = segment.inverted_index(snapshot.fields.title)?;
            let mut sums = vec![0.0_f32; segment.max_doc() as usize];
            let mut terms = stems.terms().stream()?;
            while terms.advance() {
                let Ok(stem) = std::str::from_utf8(terms.key()) else { continue };
                let term = Term::from_field_text(snapshot.fields.stems, stem);
                let num_with = snapshot.searcher.doc_freq(&term)?.max(1);
                let rarity = (all as f32 / num_with as f32).log10();
                let in_title = Term::from_field_text(snapshot.fields.title, stem);
                let folds = folds(&titles, &in_title)?;
                let mut postings = stems
                    .read_postings_from_terminfo(terms.value(), IndexRecordOption::WithFreqs)?;
                let mut doc = postings.doc();
                while doc != TERMINATED {
                    let count = postings.term_freq() - folds.get(&doc).copied().unwrap_or(0);
                    let weight = (1.0 + (count.max(1) as f32).log10()) * rarity;
                    sums[doc as usize] += weight * weight;
                    doc = postings.advance();
                }
            }
            sums.iter_mut().for_each(|sum| *sum = sum.sqrt());
            lengths.push(sums);
        }
        let num_docs = snapshot.searcher.num_docs();
        Ok(Self { checkpoint: snapshot.checkpoint, num_docs, lengths })
    }
}

/// Returns how often too often `stems` counts a term in each document that has it in its title.
fn folds(titles: &tantivy::InvertedIndexReader, term: &Term) -> tantivy::Result<HashMap<u32, u32>> {
    let mut folds = HashMap::new();
    let Some(mut postings) = titles.read_postings(term, IndexRecordOption::WithFreqs)? else {
        return Ok(folds);
    };
    let mut doc = postings.doc();
    while doc != TERMINATED {
        folds.insert(doc, postings.term_freq() * (TITLE_FOLD - 1));
        doc = postings.advance();
    }
    Ok(folds)
}
