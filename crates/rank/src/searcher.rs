//! Holds what is open of a collection and answers questions from it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use base::{Collection, Generation};
use index::{Reader, Snapshot};
use tantivy::DocAddress;
use text::Synonyms;
use tracing::warn;

use crate::candidates::{self, Best, Breadth, Matcher, StaticRank, Words};
use crate::checking::Checker;
use crate::generation::{Follower, Links};
use crate::order::{Candidate, Order, Ranked, Weights};
use crate::patience::Patience;
use crate::plan::{Expr, Languages, Plan};
use crate::snippet::{self, Marker};
use crate::vocabulary::{Lexicons, Surroundings};
use crate::{Error, Hit, Query, Request, Results, Snippet, Total};

/// Answers questions about one collection; shared by all threads that ask.
///
/// Follows the commits of the index and the generations of the link analysis by itself, also
/// those of another process.
#[derive(Debug)]
pub struct Searcher {
    index: Reader,
    links: Follower,
    lexicons: Lexicons,
    options: Options,
}

/// How questions are answered.
#[derive(Clone, Debug)]
pub struct Options {
    /// What counts how much in the order of answers.
    pub weights: Weights,
    /// Longest work on one question; what was found by then is answered. Default one second.
    pub deadline: Duration,
    /// Words that mean the same to the user of the collection (T6).
    pub synonyms: Synonyms,
}

impl Default for Options {
    fn default() -> Self {
        let deadline = Duration::from_secs(1);
        Self { weights: Weights::default(), deadline, synonyms: Synonyms::default() }
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
        let lexicons = Lexicons::new(options.synonyms.clone());
        let searcher = Self { index: Reader::open(&collection.index()), links, lexicons, options };
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
        results.notes.extend_from_slice(query.notes());
        if let Some(snapshot) = self.index.snapshot()? {
            let deadline = begun + self.options.deadline;
            let first = begun + self.options.deadline.mul_f64(FIRST_STAGE);
            let patience = |until| Patience::until(until, request.is_left.cloned());
            let fields = snapshot.fields;
            let search = Search {
                languages: Languages::new(&snapshot.languages, request.query),
                links: self.links.links(),
                lexicons: &self.lexicons,
                options: &self.options,
                finder: Checker { fields, patience: patience(first) },
                checker: Checker { fields, patience: patience(deadline) },
                snapshot,
            };
            search.run(&query, request, &mut results)?;
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
    lexicons: &'a Lexicons,
    options: &'a Options,
    /// Asks pages while candidates are found.
    finder: Checker,
    /// Asks pages afterwards.
    checker: Checker,
}

/// What a condition has found.
struct Found {
    ranked: Vec<Ranked>,
    total: Total,
    is_cut_short: bool,
}

impl Search<'_> {
    fn run(
        &self,
        query: &Query,
        request: &Request<'_>,
        results: &mut Results,
    ) -> tantivy::Result<()> {
        let world = Surroundings {
            snapshot: &self.snapshot,
            links: &self.links,
            lexicons: self.lexicons,
            patience: self.finder.patience.clone(),
        };
        let mut plan = Plan::new(query, &self.languages, &world)?;
        results.notes = std::mem::take(&mut plan.notes);
        if plan.root.is_none() {
            return Ok(());
        }
        results.made_of.clone_from(&plan.made_of);
        let end = request.offset + request.count;
        let count = if end > DEEP { Request::WINDOW } else { FEW_CANDIDATES };
        let mut found = self.find(&plan, count)?;
        if found.ranked.is_empty() && !found.is_cut_short {
            found = self.find_loosely(&mut plan, count, results)?.unwrap_or(found);
        }
        results.total = found.total;
        let marker = Marker::new(&plan);
        for ranked in found.ranked.into_iter().skip(request.offset).take(request.count) {
            results.hits.extend(self.hit(ranked, &marker)?);
        }
        results.is_partial = found.is_cut_short || self.checker.patience.is_over();
        Ok(())
    }

    /// Finds the pages that have as many of the words as any page has; `None` if all are needed
    /// or no page has one.
    fn find_loosely(
        &self,
        plan: &mut Plan,
        count: usize,
        results: &mut Results,
    ) -> tantivy::Result<Option<Found>> {
        let Some(loosened) = plan.loosened() else { return Ok(None) };
        let all = loosened.words.len();
        let mut best = None;
        // What some pages have five of, they have four of: the largest number is found by
        // halving.
        let (mut least, mut most) = (1, all - 1);
        while least <= most && !self.finder.patience.is_over() {
            let middle = if best.is_none() { 1 } else { least.midpoint(most) };
            plan.root = Some(loosened.with(middle));
            let found = self.find(plan, count)?;
            if found.ranked.is_empty() {
                most = middle - 1;
            } else {
                best = Some((middle, found));
                least = middle + 1;
            }
        }
        Ok(best.map(|(num_words, found)| {
            plan.root = Some(loosened.with(num_words));
            results.notes.push(format!(
                "No page has all {all} words of the query; these have {num_words} of them."
            ));
            found
        }))
    }

    /// Finds and orders the pages that meet a plan.
    fn find(&self, plan: &Plan, count: usize) -> tantivy::Result<Found> {
        let Some(root) = &plan.root else { return Ok(Found::nothing()) };
        let mut breadth = Breadth::Narrow;
        let mut best = self.best(plan, root, breadth, count)?;
        // Pages with the words themselves come first; only where they are few, it matters who
        // has something else in their place.
        if !best.is_full && plan.has_others() {
            breadth = Breadth::Wide;
            best = self.best(plan, root, breadth, count)?;
        }
        let candidates = self.candidates(plan, &best)?;
        let order = Order {
            plan,
            snapshot: &self.snapshot,
            links: &self.links,
            weights: &self.options.weights,
            checker: &self.checker,
        };
        let ranked = order.rank(&candidates)?;
        let is_cut_short = best.is_cut_short || self.finder.patience.was_lost();
        let others = ranked.iter().filter(|ranked| !ranked.candidate.is_match).count() as u64;
        let mut total = Total { count: ranked.len() as u64, is_exact: !is_cut_short };
        if best.is_full {
            let matcher = Matcher { plan, checker: &self.checker, breadth };
            let query = matcher.query(root);
            let patience = &self.checker.patience;
            total = candidates::count(&self.snapshot.searcher, query.as_ref(), patience)?;
            // Those found by anchors alone are known only as far as they were candidates.
            total.count = (total.count + others).max(ranked.len() as u64);
        }
        Ok(Found { ranked, total, is_cut_short })
    }

    /// Finds the best pages by their own words and their rank.
    fn best(
        &self,
        plan: &Plan,
        root: &Expr,
        breadth: Breadth,
        count: usize,
    ) -> tantivy::Result<Best> {
        let matcher = Matcher { plan, checker: &self.finder, breadth };
        let weight = self.options.weights.links;
        let rank_of =
            |address: DocAddress| weight * self.links.importance(self.snapshot.page(address));
        let rank = StaticRank { of: &rank_of, most: weight };
        let is_flat = candidates::is_flat(plan, root, breadth);
        let searcher = &self.snapshot.searcher;
        let query = matcher.query(root);
        let patience = &self.finder.patience;
        candidates::best(searcher, query.as_ref(), is_flat, count, &rank, patience)
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
        let is_flat = plan.wanted().flat_map(|leaf| &leaf.forms).all(|form| form.len() == 1)
            && !plan.has_others();
        let described = candidates::best(
            &anchors.searcher,
            query.as_ref(),
            is_flat,
            ANCHOR_CANDIDATES,
            &rank,
            &self.checker.patience,
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
        let snippet = match self.checker.patience.is_over() {
            false => marker.snippet(&page),
            true => Snippet::default(),
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
}

impl Found {
    fn nothing() -> Self {
        let total = Total { count: 0, is_exact: true };
        Self { ranked: Vec::new(), total, is_cut_short: false }
    }
}
