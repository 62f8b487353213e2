//! Holds what is open of a collection and answers questions from it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use base::{Collection, Generation};
use index::{Reader, Snapshot};
use tracing::warn;

use crate::candidates::{self, Words};
use crate::first::{self, Found, Ranks, RanksByCommit, Walk};
use crate::generation::{Follower, Links};
use crate::order::{Candidate, Order, Ranked, Weights};
use crate::plan::{Languages, Plan};
use crate::snippet::{self, Marker};
use crate::strategy::{FirstStage, Store, Stores};
use crate::{Error, Hit, Query, Report, Request, Results, Snippet, Strategy, Total};

/// Answers questions about one collection; shared by all threads that ask.
///
/// Follows the commits of the index and the generations of the link analysis by itself, also
/// those of another process.
#[derive(Debug)]
pub struct Searcher {
    index: Reader,
    links: Follower,
    ranks: RanksByCommit,
    stores: Stores,
    options: Options,
}

/// How questions are answered.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// What counts how much in the order of answers.
    pub weights: Weights,
    /// Longest work on one question; what was found by then is answered. Default one second.
    pub deadline: Duration,
    /// How candidates are found. Default `block-max`: exact, and the fastest.
    pub strategy: Strategy,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            weights: Weights::default(),
            deadline: Duration::from_secs(1),
            strategy: Strategy::default(),
        }
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
        let searcher = Self {
            index: Reader::open(&collection.index()),
            links,
            ranks: RanksByCommit::default(),
            stores: Stores::new(collection.clone()),
            options,
        };
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
        self.search_by(self.options.strategy, request)
    }

    /// Like [`Self::search`], with candidates found by a strategy of choice.
    ///
    /// A strategy whose lists are missing or of an earlier commit leaves the search to block-max
    /// and says so in [`Results::first`]; [`Self::prepare`] makes them.
    pub fn search_by(&self, strategy: Strategy, request: &Request<'_>) -> Result<Results, Error> {
        let begun = Instant::now();
        if request.offset.saturating_add(request.count) > Request::WINDOW {
            return Err(Error::Window { limit: Request::WINDOW });
        }
        let query = Query::parse(request.query)?;
        let exact = Total { count: 0, is_exact: true };
        let mut results =
            Results { total: exact, made_of: query.to_string(), ..Results::default() };
        if let Some(snapshot) = self.index.snapshot()? {
            let links = self.links.links();
            let search = Search {
                languages: Languages::new(&snapshot.languages, request.query),
                ranks: self.ranks.get(&snapshot, &links, self.options.weights.links),
                lists: self.stores.get(strategy, &snapshot, &links),
                strategy,
                links,
                options: &self.options,
                deadline: begun + self.options.deadline,
                snapshot,
            };
            search.run(&query, request, &mut results)?;
        }
        results.took = begun.elapsed();
        Ok(results)
    }
}

impl Searcher {
    /// Makes the lists that a strategy needs for the present commit, unless they are there.
    ///
    /// Writes to the collection beside the scores of its generation; any process may do so, since
    /// the file appears whole and says which commit it is of.
    pub fn prepare(&self, strategy: Strategy) -> Result<(), Error> {
        let Some(snapshot) = self.index.snapshot()? else { return Ok(()) };
        self.stores.prepare(strategy, &snapshot, &self.links.links())
    }
}

/// One question under way: one commit, one generation.
struct Search<'a> {
    snapshot: Arc<Snapshot>,
    links: Arc<Links>,
    ranks: Ranks,
    strategy: Strategy,
    lists: Option<Arc<Store>>,
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
        let (found, report) = self.best(&plan, matching.as_ref(), count)?;
        results.first = Some(report);
        let candidates = self.candidates(&plan, &found)?;
        let order = Order {
            plan: &plan,
            snapshot: &self.snapshot,
            links: &self.links,
            weights: &self.options.weights,
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

    /// Finds the best pages by their own words and their rank.
    fn best(
        &self,
        plan: &Plan,
        matching: &dyn tantivy::query::Query,
        count: usize,
    ) -> tantivy::Result<(Found, Report)> {
        let is_flat = plan.root.as_ref().is_some_and(|root| candidates::is_flat(plan, root));
        let deadline = self.first_deadline();
        let first = FirstStage {
            snapshot: &self.snapshot,
            ranks: &self.ranks,
            links: &self.links,
            store: self.lists.as_deref(),
            is_over: &|| Instant::now() >= deadline,
        };
        first.best(self.strategy, matching, is_flat, count)
    }

    /// Adds the pages that others describe with the words of the query.
    fn candidates(&self, plan: &Plan, found: &Found) -> tantivy::Result<Vec<Candidate>> {
        let mut candidates = Vec::new();
        let own = found.addresses();
        for address in &own {
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
        let is_flat = plan.wanted().flat_map(|leaf| &leaf.forms).all(|form| form.len() == 1);
        let described = first::best(
            &anchors.searcher,
            query.as_ref(),
            if is_flat { Walk::Pruned } else { Walk::Whole },
            ANCHOR_CANDIDATES,
            &Ranks::none(),
            &|| Instant::now() >= self.deadline,
        )?;
        for place in described.addresses() {
            // A target that was never fetched has no page; one that has left the index since is
            // no answer any more.
            let Some(page) = anchors.page(place) else { continue };
            let Some(address) = self.snapshot.find(page)? else { continue };
            if own.binary_search(&address).is_err() {
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
