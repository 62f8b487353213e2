//! Pages that were never fetched, known only by what others write in links to them (X3, P6).
//!
//! They may be answers, marked as such: a page that robots.txt forbids is still what people mean
//! by its name. Only words that several sites use count; the page's own words are not known, so
//! they come behind pages that have both. Of filters they pass those that their address answers;
//! what it does not tell is neither so nor not so.

use base::Url;
use index::Snapshot;
use index::anchors::Anchors;
use index::facts;
use tantivy::{DocAddress, Term};

use crate::answer::Part;
use crate::candidates::Words;
use crate::order::idf;
use crate::plan::{Check, Kind, Languages, Leaf, Place, Plan};
use crate::voices;
use crate::weights::Weights;

/// Sites that must link to a page with words of their own before it may be an answer: one alone
/// can say anything.
const LEAST_SITES: u64 = 2;

/// A page that was never fetched.
#[derive(Clone, Debug)]
pub(crate) struct Described {
    /// The document of its anchors.
    pub(crate) place: DocAddress,
    /// How many foreign sites describe it.
    pub(crate) sites: u64,
    pub(crate) score: f32,
    pub(crate) parts: Vec<Part>,
}

/// Returns which of these targets meet the plan by others' words, best first.
pub(crate) fn rank(
    plan: &Plan,
    languages: &Languages,
    snapshot: &Snapshot,
    anchors: &Anchors,
    weights: &Weights,
    mut places: Vec<DocAddress>,
) -> tantivy::Result<Vec<Described>> {
    places.retain(|place| anchors.num_sites(*place) >= LEAST_SITES);
    places.sort_unstable();
    places.dedup();
    let Some(root) = plan.root.as_ref().filter(|_| !places.is_empty()) else {
        return Ok(Vec::new());
    };
    let mut sites: Vec<Vec<Option<f32>>> = Vec::with_capacity(plan.leaves.len());
    for leaf in &plan.leaves {
        // What is asked of the page's own words cannot be answered. It is none of the words that
        // may be missing either: whoever asks for it means pages with it.
        if !leaf.helpers.is_empty() {
            return Ok(Vec::new());
        }
        sites.push(match leaf.forms.is_empty() {
            true => passing(leaf, anchors, &places)?,
            false => sites_of(leaf, languages, anchors, &places)?.into_iter().map(Some).collect(),
        });
    }
    let mut described = Vec::new();
    for (i, place) in places.iter().enumerate() {
        // What is not known brings no page in, neither as it stands nor behind NOT.
        let is_so = |leaf: usize| sites[leaf][i].is_some_and(|sites| sites >= 1.0);
        let may_be_so = |leaf: usize| sites[leaf][i].is_none_or(|sites| sites >= 1.0);
        if !root.holds(&is_so, &may_be_so) {
            continue;
        }
        let mut raw = 0.0;
        for (leaf, sites) in plan.leaves.iter().zip(&sites).filter(|(leaf, _)| leaf.is_wanted) {
            let sites = sites[i].unwrap_or(0.0);
            let votes = sites / (sites + weights.anchor_half);
            raw += leaf_idf(leaf, snapshot)? * votes;
        }
        let part = Part::new("anchors", raw, weights.anchors);
        let sites = anchors.num_sites(*place);
        described.push(Described { place: *place, sites, score: part.value, parts: vec![part] });
    }
    described
        .sort_by(|one, other| other.score.total_cmp(&one.score).then(one.place.cmp(&other.place)));
    Ok(described)
}

/// Returns 1 for each target that passes a question and 0 for others; `None` for those whose
/// address does not answer it.
fn passing(
    leaf: &Leaf,
    anchors: &Anchors,
    places: &[DocAddress],
) -> tantivy::Result<Vec<Option<f32>>> {
    let Some(check) = leaf.check.as_ref().filter(|check| asks_address(check)) else {
        return Ok(vec![None; places.len()]);
    };
    let mut passing = Vec::with_capacity(places.len());
    for place in places {
        let passes = match anchors.target(*place)? {
            Some(target) => answered(check, &target.url),
            None => Some(false),
        };
        passing.push(passes.map(|passes| f32::from(u8::from(passes))));
    }
    Ok(passing)
}

/// Returns whether an address may answer a question, so that it is worth reading.
fn asks_address(check: &Check) -> bool {
    match check {
        Check::Term(place, _) => {
            matches!(place, Place::Host | Place::Domain | Place::Key | Place::Kind | Place::Country)
        }
        Check::Below(_) => true,
        Check::All(checks) | Check::Any(checks) => {
            checks.is_empty() || checks.iter().any(asks_address)
        }
        Check::Row(..)
        | Check::Near(..)
        | Check::Titled(..)
        | Check::Dated(..)
        | Check::Pages(_) => false,
    }
}

/// Answers a question by the address of a page; `None` if it does not tell.
fn answered(check: &Check, url: &Url) -> Option<bool> {
    let host = url.host();
    match check {
        Check::Term(Place::Host, name) => Some(host.as_str() == name),
        Check::Term(Place::Domain, name) => {
            let above = host.as_str().strip_suffix(name.as_str());
            Some(above.is_some_and(|above| above.is_empty() || above.ends_with('.')))
        }
        Check::Term(Place::Key, key) => Some(url.surt() == *key),
        Check::Below(starts) => {
            let key = url.surt();
            Some(starts.iter().any(|start| start.holds(&key)))
        }
        // A page may be of another type than its name says, and of more countries than one.
        Check::Term(Place::Kind, kind) => {
            facts::kind_by_address(url).is_some_and(|own| own == *kind).then_some(true)
        }
        Check::Term(Place::Country, code) => {
            facts::country_by_address(url).is_some_and(|own| own == *code).then_some(true)
        }
        Check::All(checks) => first_of(false, checks, url),
        Check::Any(checks) => first_of(true, checks, url),
        Check::Term(..)
        | Check::Row(..)
        | Check::Near(..)
        | Check::Titled(..)
        | Check::Dated(..)
        | Check::Pages(_) => None,
    }
}

/// Returns the answer that decides if one of several questions has it, else the other; `None` if
/// that hangs on what an address does not tell.
fn first_of(deciding: bool, checks: &[Check], url: &Url) -> Option<bool> {
    let mut answer = Some(!deciding);
    for check in checks {
        match answered(check, url) {
            Some(is_so) if is_so == deciding => return Some(deciding),
            Some(_) => {}
            None => answer = None,
        }
    }
    answer
}

/// Returns how many foreign sites use a leaf in links to each target: of its forms the best counts.
fn sites_of(
    leaf: &Leaf,
    languages: &Languages,
    anchors: &Anchors,
    places: &[DocAddress],
) -> tantivy::Result<Vec<f32>> {
    let mut best = vec![0.0_f32; places.len()];
    for form in &leaf.forms {
        let sites = voices::sites_of(anchors, languages, leaf.kind, form, places)?;
        for (best, sites) in best.iter_mut().zip(sites) {
            *best = best.max(sites);
        }
    }
    Ok(best)
}

/// Returns how rare a leaf is among the pages.
pub(crate) fn leaf_idf(leaf: &Leaf, snapshot: &Snapshot) -> tantivy::Result<f32> {
    let words = Words::from(snapshot.fields);
    let field = if leaf.kind == Kind::Word { words.stems } else { words.surfaces };
    let mut best = 0.0_f32;
    for form in &leaf.forms {
        let mut sum = 0.0;
        for term in form {
            sum += idf(&snapshot.searcher, &Term::from_field_text(field, term))?;
        }
        best = best.max(sum);
    }
    Ok(best)
}
