//! What words say that are asked for as they are written: phrases, `+word`, patterns.
//!
//! Where on a page a surface form stands is not kept, but where its stem does is. A word by itself
//! is weighed by the zones of its stem, as if all forms of it were spread over the page alike; a
//! phrase stands in boilerplate if one of its words stands nowhere else.

use tantivy::{DocAddress, Term};

use super::{Evidence, Order, Zones, average_length, idf_of};
use crate::candidates::{Words, form_query};
use crate::plan::Kind;
use crate::probe;

impl Order<'_> {
    /// Adds what a phrase says, or a word as it is written.
    pub(super) fn add_phrase(
        &self,
        surfaces: &[String],
        addresses: &[DocAddress],
        lengths: &[u32],
        evidence: &mut Evidence,
    ) -> tantivy::Result<()> {
        if let [surface] = surfaces {
            return self.add_surface(surface, addresses, lengths, evidence);
        }
        let (searcher, words) = (&self.snapshot.searcher, Words::from(self.snapshot.fields));
        let query = form_query(Kind::Phrase, surfaces, words);
        let scores = probe::scores(searcher, query.as_ref(), addresses)?;
        let having = Having::of(addresses, lengths, |i| scores[i] > 0.0);
        let mut main = vec![true; having.places.len()];
        for surface in surfaces.iter().filter(|surface| !surface.is_empty()) {
            let zones = self.zones(surface, &having.addresses)?;
            main.iter_mut().zip(zones).for_each(|(main, zones)| *main &= zones.has_main());
        }
        for (i, main) in having.places.into_iter().zip(main) {
            evidence.found[i] = true;
            evidence.main[i] |= main;
            evidence.text[i] = evidence.text[i].max(scores[i]);
        }
        Ok(())
    }

    /// Adds what the words of a pattern say. They count as one word that all their pages have,
    /// so that a rare one among them is worth no more than the others.
    pub(super) fn add_pattern(
        &self,
        forms: &[Vec<String>],
        addresses: &[DocAddress],
        lengths: &[u32],
        evidence: &mut Evidence,
    ) -> tantivy::Result<()> {
        let words = self.snapshot.fields.words;
        let mut with = 0;
        for form in forms {
            with += self.terms.doc_freq(&Term::from_field_text(words, &form[0]))?;
        }
        evidence.idf = idf_of(&self.snapshot.searcher, with);
        for form in forms {
            self.add_surface(&form[0], addresses, lengths, evidence)?;
        }
        Ok(())
    }

    /// Adds what a surface form says, at the rarity of the leaf.
    fn add_surface(
        &self,
        surface: &str,
        addresses: &[DocAddress],
        lengths: &[u32],
        evidence: &mut Evidence,
    ) -> tantivy::Result<()> {
        let fields = self.snapshot.fields;
        let term = Term::from_field_text(fields.words, surface);
        let frequencies = self.terms.frequencies(&term, addresses)?;
        let having = Having::of(addresses, lengths, |i| frequencies[i] > 0);
        if having.places.is_empty() {
            return Ok(());
        }
        let average = average_length(&self.snapshot.searcher, fields.stems)?;
        let zones = self.zones(surface, &having.addresses)?;
        for ((i, length), zones) in having.places.into_iter().zip(having.lengths).zip(zones) {
            let frequency = zones.frequency(self.weights) * zones.share(frequencies[i]);
            let text = evidence.idf * self.bm25(frequency, length, average);
            evidence.found[i] = true;
            evidence.main[i] |= zones.has_main();
            evidence.text[i] = evidence.text[i].max(text);
            if zones.title > 0 {
                evidence.title[i] = evidence.title[i].max(1);
                evidence.titled[i] = 1.0;
            }
        }
        Ok(())
    }

    /// Returns where the stem of a surface form stands in each document: by the language in which
    /// it stands there most often.
    fn zones(&self, surface: &str, addresses: &[DocAddress]) -> tantivy::Result<Vec<Zones>> {
        let fields = self.snapshot.fields;
        let mut zones = vec![Zones::default(); addresses.len()];
        for stem in self.languages.stems(surface) {
            let frequencies =
                |field| self.terms.frequencies(&Term::from_field_text(field, &stem), addresses);
            let all = frequencies(fields.stems)?;
            if all.iter().all(|frequency| *frequency == 0) {
                continue;
            }
            let (titles, asides) = (frequencies(fields.title)?, frequencies(fields.aside)?);
            for (i, zones) in zones.iter_mut().enumerate().filter(|(i, zones)| all[*i] > zones.all)
            {
                *zones = Zones { all: all[i], title: titles[i], aside: asides[i] };
            }
        }
        Ok(zones)
    }
}

/// The documents that have something.
struct Having {
    /// Their places among all.
    places: Vec<usize>,
    addresses: Vec<DocAddress>,
    lengths: Vec<u32>,
}

impl Having {
    fn of(addresses: &[DocAddress], lengths: &[u32], has: impl Fn(usize) -> bool) -> Self {
        let places: Vec<usize> = (0..addresses.len()).filter(|i| has(*i)).collect();
        Self {
            addresses: places.iter().map(|i| addresses[*i]).collect(),
            lengths: places.iter().map(|i| lengths[*i]).collect(),
            places,
        }
    }
}
