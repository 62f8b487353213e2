//! What costs too much for every candidate: positions, texts, and the words of the best.

use base::{Block, Zone};
use index::StoredPage;
use tantivy::{DocAddress, Term};

use super::closeness::{Nearness, Placed, closeness};
use super::feedback::{self, Feedback};
use super::letters::Letters;
use super::{Evidence, Order, Ranked, average_length};
use crate::plan::Kind;
use crate::probe;

impl Order<'_> {
    /// Adds what can only be known by looking at positions and texts.
    pub(super) fn refine(
        &self,
        ranked: &mut [Ranked],
        evidence: &[Evidence],
    ) -> tantivy::Result<()> {
        ranked.sort_unstable_by_key(|ranked| ranked.candidate.address);
        let addresses: Vec<_> = ranked.iter().map(|ranked| ranked.candidate.address).collect();
        if self.weights.closeness > 0.0 || self.weights.phrase > 0.0 {
            let nearness = self.closeness(&addresses, evidence)?;
            for (ranked, one) in ranked.iter_mut().zip(nearness) {
                let focus = ranked.focus;
                ranked.add("closeness", focus * one.closeness, self.weights.closeness);
                ranked.add("phrase", focus * one.phrase, self.weights.phrase);
            }
        }
        // Where all candidates have all words, the pieces of these tell nothing more.
        if self.weights.letters > 0.0
            && !self.plan.wants_all_words()
            && let Some(alike) = self.letters(&addresses)?
        {
            let text = |ranked: &Ranked| ranked.parts[0].value;
            let best = ranked.iter().map(text).fold(0.0, f32::max);
            for (ranked, (alike, seen)) in ranked.iter_mut().zip(alike) {
                // Of what was not looked at, the words in the index say what there is to say.
                let alike = best * alike * seen + text(ranked) * (1.0 - seen);
                ranked.add("letters", ranked.focus * alike, self.weights.letters);
            }
        }
        Ok(())
    }

    fn closeness(
        &self,
        addresses: &[DocAddress],
        evidence: &[Evidence],
    ) -> tantivy::Result<Vec<Nearness>> {
        let mut words = Vec::new();
        for (place, (leaf, evidence)) in self.plan.leaves.iter().zip(evidence).enumerate() {
            if let [surface] = leaf.surfaces.as_slice()
                && leaf.is_wanted
                && leaf.kind == Kind::Word
            {
                words.push(Placed { surface, idf: evidence.idf / self.count(place) });
            }
        }
        closeness(&self.terms, self.snapshot.fields, &words, addresses)
    }

    /// Returns what the pages have of the words' letters, and the share of each page that was
    /// looked at; `None` if there is no time for it.
    fn letters(&self, addresses: &[DocAddress]) -> tantivy::Result<Option<Vec<(f32, f32)>>> {
        let mut query = String::new();
        for leaf in self.plan.wanted() {
            for surface in &leaf.surfaces {
                query.push_str(surface);
                query.push(' ');
            }
        }
        let mut letters = Letters::new(&query);
        for address in addresses {
            if self.checker.patience.is_over() {
                return Ok(None);
            }
            let texts = self.snapshot.texts(*address)?;
            let blocks = texts.blocks().filter(|(zone, _)| is_main(*zone));
            letters.push(std::iter::once(texts.title()).chain(blocks.map(|(_, text)| text)));
        }
        Ok(Some(letters.scores().into_iter().zip(letters.seen().iter().copied()).collect()))
    }

    /// Adds what the pages have of the words that the best of them have in common.
    pub(super) fn feed_back(&self, ranked: &mut [Ranked]) -> tantivy::Result<()> {
        let (searcher, fields) = (&self.snapshot.searcher, self.snapshot.fields);
        let best = &ranked[..ranked.len().min(feedback::PAGES)];
        let sum: f32 = best.iter().map(|ranked| ranked.score).sum();
        let mut feedback = Feedback::default();
        for ranked in best {
            if let Some(page) = self.snapshot.stored(ranked.candidate.address)? {
                feedback.push(&page, ranked.score / sum.max(f32::MIN_POSITIVE));
            }
        }
        let most = searcher.num_docs() / 10 + 2;
        let num_words: f32 = (0..self.plan.leaves.len()).map(|place| self.count(place)).sum();
        let terms = feedback.terms(num_words, |stem| {
            let term = Term::from_field_text(fields.stems, stem);
            let is_useful = (2..most).contains(&self.terms.doc_freq(&term)?);
            Ok(if is_useful { Some(self.idf(&term)?) } else { None })
        })?;
        ranked.sort_unstable_by_key(|ranked| ranked.candidate.address);
        let addresses: Vec<_> = ranked.iter().map(|ranked| ranked.candidate.address).collect();
        let lengths = probe::lengths(searcher, fields.stems, &addresses)?;
        let average = average_length(searcher, fields.stems)?;
        let mut raw = vec![0.0; ranked.len()];
        for (stem, weight) in terms {
            let term = Term::from_field_text(fields.stems, &stem);
            let weight = weight * self.idf(&term)?;
            let frequencies = self.terms.frequencies(&term, &addresses)?;
            for (i, frequency) in frequencies.into_iter().enumerate() {
                raw[i] += weight * self.bm25(frequency as f32, lengths[i], average);
            }
        }
        for (ranked, raw) in ranked.iter_mut().zip(raw) {
            ranked.add("feedback", raw, self.weights.feedback);
        }
        Ok(())
    }
}

/// Returns the texts of a page that are its own: the title and all but boilerplate.
pub(super) fn main_texts(page: &StoredPage) -> impl Iterator<Item = &str> {
    let is_main = |block: &&Block| is_main(block.zone);
    let blocks = page.blocks.iter().filter(is_main).map(|block| block.text.as_str());
    std::iter::once(page.title.as_str()).chain(blocks)
}

fn is_main(zone: Zone) -> bool {
    !matches!(zone, Zone::Boilerplate | Zone::Folded)
}
