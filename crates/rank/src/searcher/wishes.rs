//! Lets a person's wishes count: what rises, what sinks, what is left out (Q10).
//!
//! ```text
//! score' = score · (1 + ½ preferred − ½ lowered + 0.15 language + (0.3 town or 0.15 country))
//! ```
//! Each term is a part of the score like any other, so that its explanation tells it. It is made
//! of the answers that the question found: wishes change their order, not what is found.

use tantivy::{DocAddress, Term};

use super::Search;
use super::find::{Answer, Found};
use crate::order::{Candidate, Ranked};
use crate::plan::{Check, Kind, Place, below};
use crate::{Part, Personal, Query, probe};

/// What a preferred site adds, as a share of the score. Half lifts a page past others that fit
/// about as well, and not past what fits twice as well.
const PREFERRED: f32 = 0.5;
/// What a lowered site takes away.
const LOWERED: f32 = -0.5;
/// What a preferred language adds.
const LANGUAGE: f32 = 0.15;
/// What the declared place adds: local results rise a little.
const PLACE: f32 = 0.15;
/// What the declared town adds, in place of the country: 0.15 more than that, so that what is near
/// comes before what is only in the same country. Far less than a preferred site, for naming a
/// town is a weak hint of being there.
const TOWN: f32 = 0.3;

/// What a wish adds to scores: its name, the share of the score, and to which answers.
type Gain = (&'static str, f32, Vec<bool>);

impl Search<'_> {
    /// Puts what was found into the order that a person wishes, and returns how many answers were
    /// left out. Cost: a look into the dictionaries for each site, a skip for each answer.
    pub(super) fn wish(
        &self,
        personal: Option<&Personal>,
        query: &Query,
        found: &mut Found,
    ) -> tantivy::Result<u64> {
        let Some(personal) = personal.filter(|personal| !personal.is_empty()) else { return Ok(0) };
        let blocked = personal.blocked_for(query);
        let is_out = self.on(&blocked, &found.answers)?;
        let before = found.answers.len();
        let mut places = is_out.iter();
        found.answers.retain(|_| !places.next().copied().unwrap_or(false));
        let left_out = (before - found.answers.len()) as u64;
        found.total.count = found.total.count.saturating_sub(left_out);
        self.raise(personal, &mut found.answers)?;
        Ok(left_out)
    }

    /// Adds to the scores and takes from them.
    fn raise(&self, personal: &Personal, answers: &mut [Answer]) -> tantivy::Result<()> {
        let gains = self.gains(personal, answers)?;
        for (i, answer) in answers.iter_mut().enumerate() {
            let score = answer.score().max(0.0);
            for (name, weight, _) in gains.iter().filter(|(_, _, fits)| fits[i]) {
                answer.add(Part::new(name, score, *weight));
            }
        }
        // Keeps the order of equals.
        answers.sort_by(|one, other| other.score().total_cmp(&one.score()));
        Ok(())
    }

    /// Returns what each of these pages gains, or loses, as a share of its score.
    pub(super) fn shares(
        &self,
        personal: &Personal,
        pages: &[DocAddress],
    ) -> tantivy::Result<Vec<f32>> {
        let answer = |address: &DocAddress| {
            let candidate = Candidate { address: *address, anchors: None, is_match: true };
            Answer::Page(Ranked::of_parts(candidate, Vec::new()))
        };
        let answers: Vec<Answer> = pages.iter().map(answer).collect();
        let gains = self.gains(personal, &answers)?;
        let share = |i: usize| -> f32 {
            let own = gains.iter().filter(|(_, _, fits)| fits[i]);
            own.map(|(_, weight, _)| *weight).sum()
        };
        Ok((0..pages.len()).map(share).collect())
    }

    /// Returns what each wish adds to which answers.
    fn gains(&self, personal: &Personal, answers: &[Answer]) -> tantivy::Result<[Gain; 5]> {
        let term = |place, values: &[String]| {
            let values = values.iter().take(Personal::MOST_LANGUAGES);
            Check::any(values.map(|value| Check::Term(place, value.clone())).collect())
        };
        let country: Vec<String> = personal.country.iter().cloned().collect();
        let mut in_country = self.fit(&term(Place::Country, &country), answers)?;
        let in_town = self.in_town(personal, &in_country, answers)?;
        in_country.iter_mut().zip(&in_town).for_each(|(fits, is_nearer)| *fits &= !is_nearer);
        Ok([
            ("preferred", PREFERRED, self.on(&personal.preferred, answers)?),
            ("lowered", LOWERED, self.on(&personal.lowered, answers)?),
            ("language", LANGUAGE, self.fit(&term(Place::Language, &personal.languages), answers)?),
            ("place", PLACE, in_country),
            ("town", TOWN, in_town),
        ])
    }

    /// Returns which answers are of one of these sites.
    fn on(&self, sites: &[String], answers: &[Answer]) -> tantivy::Result<Vec<bool>> {
        let sites = &sites[..sites.len().min(Personal::MOST_SITES)];
        let check = Check::any(sites.iter().map(|site| below(site)).collect());
        let mut fits = self.fit(&check, answers)?;
        let Some(anchors) = self.links.anchors.as_ref().filter(|_| !sites.is_empty()) else {
            return Ok(fits);
        };
        for (answer, fits) in answers.iter().zip(&mut fits) {
            // Of a page that was never fetched only the address is known.
            if let Answer::Described(described) = answer
                && let Some(target) = anchors.target(described.place)?
            {
                *fits = sites.iter().any(|site| Personal::covers(site, &target.url));
            }
        }
        Ok(fits)
    }

    /// Returns which answers are pages that name the declared town, side by side as it is written
    /// and in any reading of its letters; and that are of no country or of the declared one.
    ///
    /// Asked are the places that mark-up names (P9), and the text, which shows most addresses. The
    /// country tells one Birmingham from the other.
    fn in_town(
        &self,
        personal: &Personal,
        in_country: &[bool],
        answers: &[Answer],
    ) -> tantivy::Result<Vec<bool>> {
        let mut fits = vec![false; answers.len()];
        let Some(town) = personal.town.as_deref().and_then(Personal::town) else {
            return Ok(fits);
        };
        let (searcher, fields) = (&self.snapshot.searcher, self.snapshot.fields);
        let (addresses, places) = pages(answers);
        for form in self.languages.forms(Kind::Phrase, &town) {
            for field in [fields.words, fields.places] {
                let term = |word| Term::from_field_text(field, word);
                let row: Vec<Term> = form.iter().map(|word| term(word)).collect();
                for (i, is_row) in places.iter().zip(probe::rows(searcher, &row, &addresses)?) {
                    fits[*i] |= is_row;
                }
            }
        }
        if personal.country.is_some() {
            for (i, address) in places.into_iter().zip(addresses) {
                let labels = &self.snapshot.labels()[address.segment_ord as usize];
                let countries = labels.countries.as_ref();
                let country = countries.and_then(|names| names.numbers(address.doc_id).next());
                fits[i] &= in_country[i] || country.is_none();
            }
        }
        Ok(fits)
    }

    /// Returns which answers are pages that answer a question with yes.
    fn fit(&self, check: &Check, answers: &[Answer]) -> tantivy::Result<Vec<bool>> {
        let mut fits = vec![false; answers.len()];
        if *check == Check::NEVER {
            return Ok(fits);
        }
        let (addresses, places) = pages(answers);
        let query = self.checker.query(check);
        let matches = probe::matches(&self.snapshot.searcher, query.as_ref(), &addresses)?;
        for (i, is_match) in places.into_iter().zip(matches) {
            fits[i] = is_match;
        }
        Ok(fits)
    }
}

/// Returns the addresses of the answers that are pages, in order, and which answer each of them is.
fn pages(answers: &[Answer]) -> (Vec<DocAddress>, Vec<usize>) {
    let places = answers.iter().enumerate();
    let mut pages: Vec<(DocAddress, usize)> =
        places.filter_map(|(i, answer)| Some((answer.address()?, i))).collect();
    pages.sort_unstable();
    pages.into_iter().unzip()
}
