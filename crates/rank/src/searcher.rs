//! Holds what is open of a collection and answers questions from it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use base::{Collection, Generation};
use index::{Reader, Snapshot};
use tantivy::DocAddress;
use tracing::warn;

use crate::candidates::{self, Best, StaticRank, Words};
use crate::generation::{Follower, Links};
use crate::model::{Bag, Exhaustive, Keeper, Norms};
use crate::order::{Candidate, Order, Ranked};
use crate::plan::{Languages, Plan};
use crate::snippet::{self, Marker};
use crate::{Error, Hit, Model, Part, Query, Request, Results, Snippet, Total, Weights};

/// Answers questions about one collection; shared by all threads that ask.
///
/// Follows the commits of the index and the generations of the link analysis by itself, also
/// those of another process.
#[derive(Debug)]
pub struct Searcher {
    pub(crate) index: Reader,
    pub(crate) links: Follower,
    pub(crate) norms: Keeper,
    pub(crate) options: Options,
}

/// How questions are answered.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// What counts how much in the order of answers.
    pub weights: Weights,
    /// Longest work on one question; what was found by then is answered. Default one second.
    pub deadline: Duration,
}

impl Default for Options {
    fn default() -> Self {
        Self { weights: Weights::default(), deadline: Duration::from_secs(1) }
    }
}

/// Candidates by the page's own words that go to the second stage.
const FEW_CANDIDATES: usize = 400;
/// Windows that end behind this place take the largest number of candidates there can be.
const DEEP: usize = 200;
/// Candidates by anchor texts.
const ANCHOR_CANDIDATES: usize = 200;
/// Share of the time that finding candidates may take: some is left to order and show them.
const FIRST_STAGE: f64 = 0.6;

impl Searcher {
    /// Opens a collection for searching, also one that has no index yet.
    pub fn open(collection: &Collection) -> Result<Self, Error> {
        Self::open_with(collection, Options::default())
    }

    /// Like [`Self::open`], with chosen weights and deadline.
    ///
    /// An index that is damaged is no reason to fail here: its writer fills it again, and until
    /// then each search says so. Fails when there is an index that is not ours.
    pub fn open_with(collection: &Collection, options: Options) -> Result<Self, Error> {
        let links = Follower::new(collection.clone());
        let index = Reader::open(&collection.index());
        let searcher = Self { index, links, norms: Keeper::default(), options };
        match searcher.index.snapshot() {
            Err(error @ index::Error::Damaged { .. }) => warn!(%error, "index cannot be searched"),
            opened => drop(opened?),
        }
        searcher.links.links();
        Ok(searcher)
    }

    /// Returns the number of pages that can be found.
    pub fn num_docs(&self) -> Result<u64, Error> {
        Ok(self.index.snapshot()?.map_or(0, |snapshot| snapshot.searcher.num_docs()))
    }

    /// Returns the generation of the link analysis in use.
    pub fn generation(&self) -> Option<Generation> {
        self.links.links().generation
    }

    /// Answers a question.
    ///
    /// Fails when the query or the window is larger than allowed, and when the index cannot be
    /// read. Cost: bounded by the deadline.
    pub fn search(&self, request: &Request<'_>) -> Result<Results, Error> {
        let begun = Instant::now();
        if request.offset.saturating_add(request.count) > Request::WINDOW {
            return Err(Error::Window { limit: Request::WINDOW });
        }
        let query = Query::parse(request.query)?;
        let exact = Total { count: 0, is_exact: true };
        let mut results =
            Results { total: exact, made_of: query.to_string(), ..Results::default() };
        if let Some(snapshot) = self.index.snapshot()? {
            let search = Search {
                languages: Languages::new(&snapshot.languages, request.query),
                links: self.links.links(),
                options: &self.options,
                deadline: begun + self.options.deadline,
                snapshot,
            };
            match request.model {
                Model::Lookfar => search.run(&query, request, &mut results)?,
                model => {
                    let norms = self.norms(model, &search.snapshot)?;
                    search.run_textbook(request, norms.as_deref(), &mut results)?;
                }
            }
        }
        results.took = begun.elapsed();
        Ok(results)
    }
}

/// One question under way: one commit, one generation.
struct Search<'a> {
    snapshot: Arc<Snapshot>,
    links: Arc<Links>,
    languages: Languages,
    options: &'a Options,
    deadline: Instant,
}

impl Search<'_> {
    fn run(
        &self,
        query: &Query,
        request: &Request<'_>,
        results: &mut Results,
    ) -> tantivy::Result<()> {
        let plan = Plan::new(query, &self.languages);
        let Some(root) = &plan.root else { return Ok(()) };
        results.made_of.clone_from(&plan.made_of);
        let end = request.offset + request.count;
        let count = if end > DEEP { Request::WINDOW } else { FEW_CANDIDATES };
        let words = Words::from(self.snapshot.fields);
        let matching = candidates::matching(&plan, root, words);
        let found = self.best(&plan, matching.as_ref(), count)?;
        let candidates = self.candidates(&plan, &found)?;
        let order = Order {
            plan: &plan,
            snapshot: &self.snapshot,
            links: &self.links,
            weights: &self.options.weights,
            counts: &[],
        };
        let ranked = order.rank(&candidates)?;
        let others = ranked.iter().filter(|ranked| !ranked.candidate.is_match).count() as u64;
        results.total = Total { count: ranked.len() as u64, is_exact: !found.is_cut_short };
        if found.is_full {
            let mut total =
                candidates::count(&self.snapshot.searcher, matching.as_ref(), self.deadline)?;
            // Those found by anchors alone are known only as far as they were candidates.
            total.count = (total.count + others).max(ranked.len() as u64);
            results.total = total;
        }
        let marker = Marker::new(&plan);
        for ranked in ranked.into_iter().skip(request.offset).take(request.count) {
            results.hits.extend(self.hit(ranked, &marker)?);
        }
        results.is_partial = found.is_cut_short || Instant::now() >= self.deadline;
        Ok(())
    }

    /// Ranks every page that has a word of the query by a textbook model.
    fn run_textbook(
        &self,
        request: &Request<'_>,
        norms: Option<&Norms>,
        results: &mut Results,
    ) -> tantivy::Result<()> {
        let bag = Bag::new(request.query, self.languages.analyzers());
        let exhaustive = Exhaustive {
            model: request.model,
            snapshot: &self.snapshot,
            links: &self.links,
            weights: &self.options.weights,
            norms,
            deadline: self.deadline,
        };
        let (found, is_cut_short) = exhaustive.rank(&bag)?;
        let plan = bag.plan();
        results.made_of.clone_from(&plan.made_of);
        results.total = Total { count: found.len() as u64, is_exact: !is_cut_short };
        let marker = Marker::new(&plan);
        for scored in found.into_iter().skip(request.offset).take(request.count) {
            let candidate = Candidate { address: scored.address, anchors: None, is_match: true };
            let parts = vec![Part::new(request.model.name(), scored.score, 1.0)];
            results.hits.extend(self.hit(Ranked::of_parts(candidate, parts), &marker)?);
        }
        results.is_partial = is_cut_short || Instant::now() >= self.deadline;
        Ok(())
    }

    /// Finds the best pages by their own words and their rank.
    fn best(
        &self,
        plan: &Plan,
        matching: &dyn tantivy::query::Query,
        count: usize,
    ) -> tantivy::Result<Best> {
        let weight = self.options.weights.links;
        let rank_of =
            |address: DocAddress| weight * self.links.importance(self.snapshot.page(address));
        let rank = StaticRank { of: &rank_of, most: weight };
        let is_flat = plan.root.as_ref().is_some_and(|root| candidates::is_flat(plan, root));
        let searcher = &self.snapshot.searcher;
        candidates::best(searcher, matching, is_flat, count, &rank, self.first_deadline())
    }

    /// Adds the pages that others describe with the words of the query.
    fn candidates(&self, plan: &Plan, found: &Best) -> tantivy::Result<Vec<Candidate>> {
        let mut candidates = Vec::new();
        for address in &found.addresses {
            let page = self.snapshot.page(*address);
            let anchors = match &self.links.anchors {
                Some(anchors) => anchors.find(page)?,
                None => None,
            };
            candidates.push(Candidate { address: *address, anchors, is_match: true });
        }
        let Some(anchors) = &self.links.anchors else { return Ok(candidates) };
        if plan.wanted().next().is_none() {
            return Ok(candidates);
        }
        let query = candidates::touching(plan, Words::from(anchors.fields));
        let rank = StaticRank { of: &|_| 0.0, most: 0.0 };
        let is_flat = plan.wanted().flat_map(|leaf| &leaf.forms).all(|form| form.len() == 1);
        let described = candidates::best(
            &anchors.searcher,
            query.as_ref(),
            is_flat,
            ANCHOR_CANDIDATES,
            &rank,
            self.deadline,
        )?;
        for place in described.addresses {
            // A target that was never fetched has no page; one that has left the index since is
            // no answer any more.
            let Some(page) = anchors.page(place) else { continue };
            let Some(address) = self.snapshot.find(page)? else { continue };
            if found.addresses.binary_search(&address).is_err() {
                candidates.push(Candidate { address, anchors: Some(place), is_match: false });
            }
        }
        candidates.sort_unstable_by_key(|candidate| candidate.address);
        candidates.dedup_by_key(|candidate| candidate.address);
        Ok(candidates)
    }

    fn hit(&self, ranked: Ranked, marker: &Marker) -> tantivy::Result<Option<Hit>> {
        let Candidate { address, anchors, .. } = ranked.candidate;
        let Some(page) = self.snapshot.stored(address)? else { return Ok(None) };
        let title = snippet::title(&page, || {
            let target = self.links.anchors.as_ref()?.target(anchors?).ok()??;
            Some(target.text)
        });
        // Late answers come without a snippet rather than later still.
        let snippet = match Instant::now() < self.deadline {
            true => marker.snippet(&page),
            false => Snippet::default(),
        };
        Ok(Some(Hit {
            page: page.id,
            url: page.url,
            title,
            snippet,
            score: ranked.score,
            parts: ranked.parts,
            fetched: Some(page.fetched),
            language: page.language.map(|language| language.code().to_owned()),
        }))
    }

    fn first_deadline(&self) -> Instant {
        self.deadline - self.options.deadline.mul_f64(1.0 - FIRST_STAGE)
    }
}
