//! Lets a person's wishes count: what rises, what sinks, what is left out (Q10).
//!
//! ```text
//! score' = score · (1 + ½ preferred − ½ lowered + 0.15 language + 0.15 country)
//! ```
//! Each term is a part of the score like any other, so that its explanation tells it. It is made
//! of the answers that the question found: wishes change their order, not what is found.

use tantivy::DocAddress;

use super::Search;
use super::find::{Answer, Found};
use crate::plan::{Check, Place, below};
use crate::query::{Filter, Node};
use crate::{Part, Personal, Query, fold, probe};

/// What a preferred site adds, as a share of the score. Half lifts a page past others that fit
/// about as well, and not past what fits twice as well.
const PREFERRED: f32 = 0.5;
/// What a lowered site takes away.
const LOWERED: f32 = -0.5;
/// What a preferred language adds.
const LANGUAGE: f32 = 0.15;
/// What the declared place adds: local results rise a little.
const PLACE: f32 = 0.15;

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
        let blocked: Vec<String> = not_named(&personal.blocked, query);
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
        let term = |place, values: &[String]| {
            let values = values.iter().take(Personal::MOST_LANGUAGES);
            Check::any(values.map(|value| Check::Term(place, value.clone())).collect())
        };
        let country: Vec<String> = personal.country.iter().cloned().collect();
        let all = [
            ("preferred", PREFERRED, self.on(&personal.preferred, answers)?),
            ("lowered", LOWERED, self.on(&personal.lowered, answers)?),
            ("language", LANGUAGE, self.fit(&term(Place::Language, &personal.languages), answers)?),
            ("place", PLACE, self.fit(&term(Place::Country, &country), answers)?),
        ];
        for (i, answer) in answers.iter_mut().enumerate() {
            let score = answer.score().max(0.0);
            for (name, weight, _) in all.iter().filter(|(_, _, fits)| fits[i]) {
                answer.add(Part::new(name, score, *weight));
            }
        }
        // Keeps the order of equals.
        answers.sort_by(|one, other| other.score().total_cmp(&one.score()));
        Ok(())
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
                *fits = sites.iter().any(|site| fold::site_holds(site, &target.url));
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
        let places = answers.iter().enumerate();
        let mut pages: Vec<(DocAddress, usize)> =
            places.filter_map(|(i, answer)| Some((answer.address()?, i))).collect();
        pages.sort_unstable();
        let addresses: Vec<DocAddress> = pages.iter().map(|(address, _)| *address).collect();
        let query = self.checker.query(check);
        let matches = probe::matches(&self.snapshot.searcher, query.as_ref(), &addresses)?;
        for ((_, i), is_match) in pages.into_iter().zip(matches) {
            fits[i] = is_match;
        }
        Ok(fits)
    }
}

/// Returns the sites that a query does not ask for by name: who asks for one wants to see it.
fn not_named(sites: &[String], query: &Query) -> Vec<String> {
    let mut named = Vec::new();
    let mut nodes: Vec<&Node> = query.root().into_iter().collect();
    while let Some(node) = nodes.pop() {
        match node {
            Node::And(parts) | Node::Or(parts) => nodes.extend(parts),
            Node::Filter(Filter::Site(name) | Filter::Host(name)) => named.push(name.as_str()),
            _ => {}
        }
    }
    let holds = |site: &str, name: &str| {
        let rest = name.strip_prefix(site);
        let host = name.split('/').next().unwrap_or_default();
        let below = host.strip_suffix(site).is_some_and(|rest| rest.ends_with('.'));
        below || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    let is_named = |site: &String| named.iter().any(|name| holds(site, name));
    sites.iter().filter(|site| !is_named(site)).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_blocked_site_that_is_asked_for_by_name_is_not_blocked() {
        let left = |query: &str| {
            let sites = ["zoo.example".to_owned(), "shop.example".to_owned()];
            not_named(&sites, &Query::parse(query).unwrap()).join(" ")
        };
        assert_eq!(left("cat"), "zoo.example shop.example");
        assert_eq!(left("cat site:zoo.example"), "shop.example");
        assert_eq!(left("cat (site:www.zoo.example OR host:shop.example)"), "");
        assert_eq!(left("cat site:zoo.example/cats"), "shop.example");
        assert_eq!(left("cat -site:zoo.example"), "zoo.example shop.example");
        assert_eq!(left("cat site:fakezoo.example"), "zoo.example shop.example");
    }
}
