//! How many sites call a page by something in their links: what others' words are worth (P6, W16).

use index::anchors::{Anchors, PER_SITE};
use tantivy::{DocAddress, Term};

use crate::candidates::{Words, form_query};
use crate::plan::{Kind, Languages};
use crate::probe::{self, Terms};

/// What somebody's word is worth if nobody counts for it: the target's own site, or a text that any
/// page could have.
const DAMPED: f32 = 1.0 / PER_SITE as f32;

/// Returns how many foreign sites use a form in links to each target.
///
/// `places` must be in order. Who has said a whole phrase is not kept, only in which words it was
/// said: no more sites count for it than for the rarest of them. Else one site could lend its phrase
/// the votes of all others (SPM-06), and `"click here"` would be the name of every page.
pub(crate) fn sites_of(
    anchors: &Anchors,
    languages: &Languages,
    kind: Kind,
    form: &[String],
    places: &[DocAddress],
) -> tantivy::Result<Vec<f32>> {
    let terms = Terms::new(&anchors.searcher);
    if kind == Kind::Word {
        let mut sites = vec![f32::INFINITY; places.len()];
        for stem in form {
            keep_least(&mut sites, &of_stem(anchors, &terms, stem, places)?);
        }
        sites.iter_mut().filter(|sites| sites.is_infinite()).for_each(|sites| *sites = 0.0);
        return Ok(sites);
    }
    let query = form_query(kind, form, Words::from(anchors.fields));
    let scores = probe::scores(&anchors.searcher, query.as_ref(), places)?;
    let saying = scores.iter().zip(places).filter(|(score, _)| **score > 0.0);
    let saying: Vec<DocAddress> = saying.map(|(_, place)| *place).collect();
    let mut least: Vec<f32> = saying.iter().map(|place| anchors.num_sites(*place) as f32).collect();
    for surface in form.iter().filter(|surface| !surface.is_empty() && !saying.is_empty()) {
        let mut most = vec![0.0_f32; saying.len()];
        for stem in languages.stems(surface) {
            for (most, sites) in most.iter_mut().zip(of_stem(anchors, &terms, &stem, &saying)?) {
                *most = most.max(sites);
            }
        }
        keep_least(&mut least, &most);
    }
    let mut least = least.into_iter();
    let sites = |score: f32| match score > 0.0 {
        true => least.next().unwrap_or(0.0).max(DAMPED),
        false => 0.0,
    };
    Ok(scores.into_iter().map(sites).collect())
}

fn of_stem(
    anchors: &Anchors,
    terms: &Terms<'_>,
    stem: &str,
    places: &[DocAddress],
) -> tantivy::Result<Vec<f32>> {
    let term = Term::from_field_text(anchors.fields.stems, stem);
    let frequencies = terms.frequencies(&term, places)?;
    Ok(frequencies.into_iter().map(|frequency| frequency as f32 / PER_SITE as f32).collect())
}

fn keep_least(sites: &mut [f32], others: &[f32]) {
    for (sites, other) in sites.iter_mut().zip(others) {
        *sites = sites.min(*other);
    }
}
