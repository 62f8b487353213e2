//! What helps a person to ask on: numbers to narrow by, another spelling, queries that lead on.

use std::collections::HashSet;
use std::time::Duration;

use super::Search;
use super::find::{Answer, Found};
use crate::candidates::{self, Breadth, Matcher};
use crate::checking::Checker;
use crate::fold::Sites;
use crate::next::{self, Seen};
use crate::patience::Patience;
use crate::plan::{Kind, Leaf, Plan};
use crate::query::{Filter, Node, Query};
use crate::spelling::{self, Vocabulary};
use crate::{Facets, Grouping, Request, Results, Total, facets};

/// A question and what it has found as it was asked.
pub(super) struct Asked<'a> {
    pub(super) plan: &'a Plan,
    pub(super) request: &'a Request<'a>,
    /// Pages that have all of it, before some of its words were let go.
    pub(super) typed: Total,
}

/// A query that finds so many pages is not spelled anew.
const MANY: u64 = 20;
/// Nor is one that finds such a share of all pages.
const MANY_SHARE: u64 = 500;
/// How many times as much another spelling must find.
const CLEARLY: u64 = 10;
/// Longest time for other spellings; a few milliseconds are usual.
const SPELLING_TIME: Duration = Duration::from_millis(100);
/// Longest time for queries that lead on.
const NEXT_TIME: Duration = Duration::from_millis(50);
/// Answers that are looked at for what they have in common.
const MOST_SEEN: usize = 12;
/// Pages that look made for search engines from here on do not speak.
const SPAM: f32 = 0.5;

impl Search<'_> {
    /// Adds to the answers what helps to ask on.
    pub(super) fn help(
        &self,
        asked: &Asked<'_>,
        found: &Found,
        results: &mut Results,
    ) -> tantivy::Result<()> {
        let Request { helps, offset, grouping, .. } = *asked.request;
        if helps.facets {
            results.facets = self.facets(asked.plan, found)?;
        }
        if helps.spelling && offset == 0 {
            results.did_you_mean = self.did_you_mean(asked)?;
        }
        if helps.related && offset == 0 && grouping == Grouping::Folded {
            results.related = self.leading_on(asked, found)?;
        }
        Ok(())
    }

    fn facets(&self, plan: &Plan, found: &Found) -> tantivy::Result<Facets> {
        let Some(root) = plan.root.as_ref().filter(|_| found.is_full) else {
            let addresses = found.answers.iter().filter_map(Answer::address).collect();
            return facets::of_documents(&self.snapshot, addresses);
        };
        let matcher = Matcher { plan, checker: &self.checker, breadth: found.breadth };
        let query = matcher.whole(root);
        let gone = self.snapshot.expired(self.now);
        facets::of_query(&self.snapshot, query.as_ref(), &self.checker.patience, gone)
    }

    /// Returns the query in the likeliest other spelling that finds clearly more.
    fn did_you_mean(&self, asked: &Asked<'_>) -> tantivy::Result<Option<String>> {
        let typed = asked.typed.count;
        if typed >= MANY.max(self.snapshot.searcher.num_docs() / MANY_SHARE) {
            return Ok(None);
        }
        let patience = self.checker.patience.within(SPELLING_TIME);
        let vocabulary = Vocabulary {
            snapshot: &self.snapshot,
            links: &self.links,
            languages: &self.languages,
            patience: patience.clone(),
        };
        let mut best: Option<(f32, String)> = None;
        for proposal in spelling::proposals(asked.request.query, &vocabulary)? {
            let count = self.count(&proposal.text, asked.request.filters, &patience)?;
            if count < (typed * CLEARLY).max(1) {
                continue;
            }
            // Words that stand on pages together speak for each other.
            let score = proposal.score + (count as f32).ln_1p();
            if best.as_ref().is_none_or(|(known, _)| score > *known) {
                best = Some((score, proposal.text));
            }
        }
        Ok(best.map(|(_, text)| text))
    }

    /// Returns how many pages have all of a query and pass the filters.
    fn count(&self, text: &str, filters: &[Filter], patience: &Patience) -> tantivy::Result<u64> {
        let Some(query) = Query::parse(text).ok().filter(|_| !patience.is_over()) else {
            return Ok(0);
        };
        let plan = self.plan(&query.narrowed(filters), patience)?;
        let Some(root) = &plan.root else { return Ok(0) };
        let checker = Checker { patience: patience.clone(), ..self.checker.clone() };
        let matcher = Matcher { plan: &plan, checker: &checker, breadth: Breadth::Narrow };
        let query = matcher.whole(root);
        let gone = self.snapshot.expired(self.now);
        Ok(candidates::count(&self.snapshot.searcher, query.as_ref(), patience, gone)?.count)
    }

    /// Returns queries that lead on from the best answers.
    fn leading_on(&self, asked: &Asked<'_>, found: &Found) -> tantivy::Result<Vec<String>> {
        let patience = self.checker.patience.within(NEXT_TIME);
        let query = Query::parse(asked.request.query).unwrap_or_default();
        let seen = self.seen(found, &patience)?;
        let words = next::Words {
            query: asked.request.query.trim(),
            is_plain: is_plain(&query),
            stems: self.stems(asked.plan),
            languages: &self.languages,
            snapshot: &self.snapshot,
        };
        let mut queries = words.leading_on(&seen)?;
        if let Some(suggestions) = self.links.suggestions.as_ref().filter(|_| words.is_plain) {
            let longer =
                suggestions.beginning_with(&format!("{} ", words.query), next::MOST_QUERIES);
            let is_there = |page| self.snapshot.find(page).is_some();
            let longer = longer.into_iter().filter(|phrase| phrase.page.is_none_or(is_there));
            words.add(longer.map(|phrase| phrase.shown.to_string()), &mut queries);
        }
        Ok(queries)
    }

    /// Returns the stems of the words that were asked for.
    fn stems(&self, plan: &Plan) -> HashSet<String> {
        let stems = |leaf: &Leaf| match leaf.kind {
            Kind::Word => leaf.forms.concat(),
            _ => leaf
                .forms
                .iter()
                .flatten()
                .flat_map(|form| self.languages.likely_stems(form))
                .collect(),
        };
        plan.wanted().flat_map(stems).collect()
    }

    /// Returns what the best answers call themselves, and what they have as headings.
    fn seen(&self, found: &Found, patience: &Patience) -> tantivy::Result<Vec<Seen>> {
        let sites = Sites::of(&self.snapshot, &self.links);
        let answers = &found.answers[..found.answers.len().min(MOST_SEEN)];
        sites.expect(answers.iter().filter_map(Answer::address))?;
        let mut seen = Vec::new();
        for answer in answers {
            let Answer::Page(ranked) = answer else { continue };
            let address = ranked.candidate.address;
            if self.snapshot.spam(address) >= SPAM {
                continue;
            }
            if patience.is_over() {
                break;
            }
            let Some(page) = self.snapshot.stored(address)? else { continue };
            let target = match (&self.links.anchors, ranked.candidate.anchors) {
                (Some(anchors), Some(place)) if anchors.num_sites(place) > 1 => {
                    anchors.target(place)?
                }
                _ => None,
            };
            let (site, _) = sites.get(address)?;
            seen.push(Seen::new(site, &page, target.map(|target| target.text)));
        }
        Ok(seen)
    }
}

/// Returns whether a query is words side by side and nothing else.
fn is_plain(query: &Query) -> bool {
    let is_word = |node: &Node| matches!(node, Node::Word(_));
    query.is_loose()
        && match query.root() {
            Some(Node::And(parts)) => parts.iter().all(is_word),
            Some(node) => is_word(node),
            None => false,
        }
}
