//! Every document that has a word of the query, with its exact score.

use base::PageId;
use index::{Expired, Snapshot, TITLE_FOLD};
use tantivy::postings::Postings;
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{DocAddress, DocSet, SegmentReader, TERMINATED, Term};

use super::{Bag, Model, Norms, Word};
use crate::Weights;
use crate::generation::Links;
use crate::patience::Patience;

/// A document and its score.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Scored {
    pub(crate) address: DocAddress,
    pub(crate) page: PageId,
    pub(crate) score: f32,
}

/// One exhaustive ranking of a bag of words.
pub(crate) struct Exhaustive<'a> {
    pub(crate) model: Model,
    pub(crate) snapshot: &'a Snapshot,
    pub(crate) links: &'a Links,
    pub(crate) weights: &'a Weights,
    /// Lengths of the documents' vectors; only [`Model::Cosine`] needs them.
    pub(crate) norms: Option<&'a Norms>,
    pub(crate) patience: Patience,
    /// Documents that are no answers any more.
    pub(crate) gone: Option<Expired<'a>>,
}

/// What is known of the whole index.
pub(super) struct Whole {
    pub(super) num_docs: f32,
    mean_length: f32,
}

impl Exhaustive<'_> {
    /// Returns every document with a word of the bag, best first; and whether time ran out before
    /// all words were looked at.
    ///
    /// Cost: the postings of all words.
    pub(crate) fn rank(&self, bag: &Bag) -> tantivy::Result<(Vec<Scored>, bool)> {
        let whole = self.whole()?;
        let segments = self.snapshot.searcher.segment_readers();
        let mut scores: Vec<Vec<f32>> =
            segments.iter().map(|segment| vec![0.0; segment.max_doc() as usize]).collect();
        let (mut is_cut_short, mut squares) = (false, 0.0);
        for word in &bag.words {
            if self.patience.is_over() {
                is_cut_short = true;
                break;
            }
            let num_with = self.num_with(word)?;
            let weight = self.of_query(word, num_with, &whole);
            squares += weight * weight;
            for (segment, scores) in segments.iter().zip(&mut scores) {
                self.add(word, num_with, weight, &whole, segment, scores)?;
            }
        }
        Ok((self.sorted(&scores, squares.sqrt()), is_cut_short))
    }

    pub(super) fn whole(&self) -> tantivy::Result<Whole> {
        let fields = self.snapshot.fields;
        let (mut num_tokens, mut num_docs) = (0, 0);
        for segment in self.snapshot.searcher.segment_readers() {
            let titles = segment.inverted_index(fields.title)?.total_num_tokens();
            num_tokens += segment.inverted_index(fields.stems)?.total_num_tokens();
            num_tokens -= titles * u64::from(TITLE_FOLD - 1);
            num_docs += u64::from(segment.max_doc());
        }
        let num_docs = num_docs.max(1) as f32;
        Ok(Whole { num_docs, mean_length: (num_tokens as f32 / num_docs).max(1.0) })
    }

    /// Returns in how many documents a word is; of several stems that of the commonest, which is
    /// exact for one and never too large.
    pub(super) fn num_with(&self, word: &Word) -> tantivy::Result<f32> {
        let mut most = 0;
        for stem in &word.stems {
            let term = Term::from_field_text(self.snapshot.fields.stems, stem);
            most = most.max(self.snapshot.searcher.doc_freq(&term)?);
        }
        Ok(most as f32)
    }

    /// Returns how much the query wants a word.
    pub(super) fn of_query(&self, word: &Word, num_with: f32, whole: &Whole) -> f32 {
        let count = word.count as f32;
        match self.model {
            // A word that no page has is no direction of the space.
            _ if num_with == 0.0 => 0.0,
            Model::Cosine => (1.0 + count.log10()) * (whole.num_docs / num_with).log10(),
            _ => count,
        }
    }

    fn add(
        &self,
        word: &Word,
        num_with: f32,
        weight: f32,
        whole: &Whole,
        segment: &SegmentReader,
        scores: &mut [f32],
    ) -> tantivy::Result<()> {
        let fields = self.snapshot.fields;
        let length = self.lengths(segment)?;
        let rarity = self.rarity(num_with, whole);
        for (doc, count) in occurrences(word, segment, fields.stems, fields.title)? {
            let frequency = self.frequency(count, length(doc), whole);
            scores[doc as usize] += weight * frequency * rarity;
        }
        Ok(())
    }

    /// Returns a function that tells how many words a document of a segment has.
    pub(super) fn lengths(
        &self,
        segment: &SegmentReader,
    ) -> tantivy::Result<impl Fn(u32) -> f32 + use<>> {
        let all_lengths = segment.get_fieldnorms_reader(self.snapshot.fields.stems)?;
        let title_lengths = segment.get_fieldnorms_reader(self.snapshot.fields.title)?;
        Ok(move |doc| {
            let titles = title_lengths.fieldnorm(doc) * (TITLE_FOLD - 1);
            all_lengths.fieldnorm(doc).saturating_sub(titles).max(1) as f32
        })
    }

    /// Returns what it is worth that a document has a term `count` times: tf.
    pub(super) fn frequency(&self, count: f32, length: f32, whole: &Whole) -> f32 {
        match self.model {
            Model::TfIdf | Model::TfIdfLinks => count / length,
            Model::TfIdfLog | Model::Cosine => 1.0 + count.log10(),
            Model::Bm25 | Model::Lookfar => {
                let Weights { plain_k1: k1, plain_b: b, .. } = *self.weights;
                let norm = 1.0 - b + b * length / whole.mean_length;
                count * (k1 + 1.0) / (count + k1 * norm)
            }
        }
    }

    /// Returns what it is worth that only so many documents have a term: idf.
    pub(super) fn rarity(&self, num_with: f32, whole: &Whole) -> f32 {
        let rarity = whole.num_docs / num_with.max(1.0);
        match self.model {
            Model::TfIdf | Model::TfIdfLinks => rarity.log2(),
            Model::TfIdfLog | Model::Cosine => rarity.log10(),
            Model::Bm25 | Model::Lookfar => {
                let others = (whole.num_docs - num_with).max(0.0);
                (1.0 + (others + 0.5) / (num_with + 0.5)).ln()
            }
        }
    }

    /// Returns what the sum over the words is multiplied with; `length` is that of the query's
    /// vector.
    pub(super) fn factor(&self, address: DocAddress, length: f32) -> f32 {
        match self.model {
            Model::Cosine => 1.0 / (length * self.norms.map_or(1.0, |norms| norms.get(address))),
            Model::TfIdfLinks => self.links.relative(self.snapshot.page(address)),
            _ => 1.0,
        }
    }

    /// Returns the documents with a score, best first, equal ones by page.
    ///
    /// `length` is that of the query's vector.
    fn sorted(&self, scores: &[Vec<f32>], length: f32) -> Vec<Scored> {
        let mut sorted = Vec::new();
        for (segment_ord, (scores, segment)) in
            (0..).zip(scores.iter().zip(self.snapshot.searcher.segment_readers()))
        {
            for (doc_id, score) in (0..).zip(scores) {
                let address = DocAddress { segment_ord, doc_id };
                let is_gone = || self.gone.is_some_and(|gone| gone.holds(address));
                if *score > 0.0 && !segment.is_deleted(doc_id) && !is_gone() {
                    let page = self.snapshot.page(address);
                    let factor = self.factor(address, length);
                    sorted.push(Scored { address, page, score: score * factor });
                }
            }
        }
        sorted.sort_by(|one, other| {
            other.score.total_cmp(&one.score).then_with(|| one.page.cmp(&other.page))
        });
        sorted
    }
}

/// Returns the documents of a segment that have a word, with how often, in order.
///
/// A title's words are in `stems` several times; here they count once.
fn occurrences(
    word: &Word,
    segment: &SegmentReader,
    stems: Field,
    title: Field,
) -> tantivy::Result<Vec<(u32, f32)>> {
    let mut found: Vec<(u32, f32)> = Vec::new();
    for stem in &word.stems {
        collect(segment, &Term::from_field_text(stems, stem), 1.0, &mut found)?;
        let folds = -((TITLE_FOLD - 1) as f32);
        collect(segment, &Term::from_field_text(title, stem), folds, &mut found)?;
    }
    found.sort_unstable_by_key(|(doc, _)| *doc);
    let mut merged: Vec<(u32, f32)> = Vec::with_capacity(found.len());
    for (doc, count) in found {
        match merged.last_mut().filter(|last| last.0 == doc) {
            Some(last) => last.1 += count,
            None => merged.push((doc, count)),
        }
    }
    merged.retain(|(_, count)| *count > 0.0);
    Ok(merged)
}

fn collect(
    segment: &SegmentReader,
    term: &Term,
    factor: f32,
    found: &mut Vec<(u32, f32)>,
) -> tantivy::Result<()> {
    let index = segment.inverted_index(term.field())?;
    let Some(mut postings) = index.read_postings(term, IndexRecordOption::WithFreqs)? else {
        return Ok(());
    };
    let mut doc = postings.doc();
    while doc != TERMINATED {
        found.push((doc, postings.term_freq() as f32 * factor));
        doc = postings.advance();
    }
    Ok(())
}
