//! Says word by word what a score of a textbook model is made of.

use index::TITLE_FOLD;
use tantivy::postings::Postings;
use tantivy::schema::IndexRecordOption;
use tantivy::{DocAddress, DocSet, SegmentReader, Term};

use super::exhaustive::Whole;
use super::{Bag, Exhaustive, Model, Word};

impl Exhaustive<'_> {
    /// Returns a sentence for each word of the bag that a document has, and one for what the sum
    /// over them is multiplied with.
    pub(crate) fn told(&self, bag: &Bag, address: DocAddress) -> tantivy::Result<Vec<String>> {
        let whole = self.whole()?;
        let segment = self.snapshot.searcher.segment_reader(address.segment_ord);
        let length = self.lengths(segment)?(address.doc_id);
        let (mut told, mut squares) = (Vec::new(), 0.0);
        for word in &bag.words {
            let num_with = self.num_with(word)?;
            let wanted = self.of_query(word, num_with, &whole);
            squares += wanted * wanted;
            let count = self.count(word, segment, address.doc_id)?;
            if count > 0.0 {
                told.push(self.told_word(word, wanted, count, length, num_with, &whole));
            }
        }
        let factor = self.factor(address, squares.sqrt());
        match self.model {
            Model::Cosine => {
                told.push(format!(
                    "The sum is divided by the lengths of both vectors: × {factor:.3}"
                ));
            }
            Model::TfIdfLinks => {
                told.push(format!(
                    "The sum times PageRank as a multiple of the mean: × {factor:.3}"
                ));
            }
            _ => {}
        }
        Ok(told)
    }

    fn told_word(
        &self,
        word: &Word,
        wanted: f32,
        count: f32,
        length: f32,
        num_with: f32,
        whole: &Whole,
    ) -> String {
        let (tf, idf) = (self.frequency(count, length, whole), self.rarity(num_with, whole));
        let in_query =
            if wanted == 1.0 { String::new() } else { format!(" × {wanted:.3} in the query") };
        format!(
            "{}: tf {tf:.3} ({count} of {length} words) × idf {idf:.3} ({num_with} of {} pages)\
             {in_query} = {:.3}",
            word.surface,
            whole.num_docs,
            wanted * tf * idf
        )
    }

    /// Returns how often a document has a word; a title's words, which are in `stems` several times,
    /// count once.
    fn count(&self, word: &Word, segment: &SegmentReader, doc: u32) -> tantivy::Result<f32> {
        let fields = self.snapshot.fields;
        let mut count = 0.0;
        for stem in &word.stems {
            count += frequency_in(segment, &Term::from_field_text(fields.stems, stem), doc)?;
            let in_title = frequency_in(segment, &Term::from_field_text(fields.title, stem), doc)?;
            count -= in_title * (TITLE_FOLD - 1) as f32;
        }
        Ok(count)
    }
}

/// Returns how often a document has a term.
fn frequency_in(segment: &SegmentReader, term: &Term, doc: u32) -> tantivy::Result<f32> {
    let index = segment.inverted_index(term.field())?;
    let Some(mut postings) = index.read_postings(term, IndexRecordOption::WithFreqs)? else {
        return Ok(0.0);
    };
    let is_there = match postings.doc() {
        first if first < doc => postings.seek(doc) == doc,
        first => first == doc,
    };
    Ok(if is_there { postings.term_freq() as f32 } else { 0.0 })
}
