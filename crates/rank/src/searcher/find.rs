//! Finds the pages that meet a plan and puts them into order, or those that nearly do.

use std::collections::HashSet;

use tantivy::DocAddress;

use super::{ANCHOR_CANDIDATES, FEW_CANDIDATES, Search};
use crate::candidates::{self, Breadth, Matcher, Words};
use crate::described::{self, Described};
use crate::first::{self, Ranks, Walk};
use crate::fold::FIRST_PAGE;
use crate::order::{Candidate, Order, Ranked};
use crate::plan::{Expr, Plan};
use crate::probe::Terms;
use crate::strategy::FirstStage;
use crate::{Note, Part, Report, Results, Total};

/// What a condition has found.
pub(super) struct Found {
    pub(super) answers: Vec<Answer>,
    pub(super) total: Total,
    /// Whether more pages match than were looked at.
    pub(super) is_full: bool,
    pub(super) is_cut_short: bool,
    /// How the candidates were found.
    pub(super) report: Option<Report>,
    /// How widely they were looked for.
    pub(super) breadth: Breadth,
}

/// A page in its place.
pub(super) enum Answer {
    Page(Ranked),
    /// One that was never fetched.
    Described(Described),
}

/// What the first stage has found, not yet in order.
struct Matches {
    /// Pages that have the words themselves.
    best: first::Found,
    breadth: Breadth,
    report: Report,
    /// These, and pages that others describe with some of the words.
    candidates: Vec<Candidate>,
    /// Pages that were never fetched and are described so.
    strangers: Vec<DocAddress>,
}

impl Search<'_> {
    /// Finds the pages that have any of the words, for a plan that too few pages meet; `None` if
    /// those that do are enough, if all words are needed, or if no page has one.
    pub(super) fn find_loosely(
        &self,
        plan: &mut Plan,
        found: &Found,
        results: &mut Results,
    ) -> tantivy::Result<Option<Found>> {
        let pages = found.answers.len();
        let enough = if plan.is_sentence { FIRST_PAGE } else { 1 };
        let is_needed = pages < enough && !found.is_cut_short;
        let Some(loosened) = is_needed.then(|| plan.loosen()).flatten() else { return Ok(None) };
        // By any word they need not be among the best.
        let whole = Whole::of(&found.answers);
        let mut loose = self.find_besides(plan, FEW_CANDIDATES, &whole)?;
        if loose.answers.len() <= pages {
            plan.tighten(loosened);
            return Ok(None);
        }
        loose.lift(&whole);
        results.notes.push(Note::FewerWords { all: loosened.num_words, pages });
        Ok(Some(loose))
    }

    /// Finds and orders the pages that meet a plan: `count` by their own words, and those that
    /// others describe.
    pub(super) fn find(&self, plan: &Plan, count: usize) -> tantivy::Result<Found> {
        self.find_besides(plan, count, &Whole::default())
    }

    /// Like [`Self::find`], with pages that are known to meet the plan.
    fn find_besides(&self, plan: &Plan, count: usize, certain: &Whole) -> tantivy::Result<Found> {
        let Some(root) = &plan.root else { return Ok(Found::nothing()) };
        let mut matches = self.matches(plan, root, count)?;
        matches.add(certain);
        self.order(plan, root, matches)
    }

    /// Finds the pages that meet a plan by their own words, and those that others describe with
    /// any of its words.
    fn matches(&self, plan: &Plan, root: &Expr, count: usize) -> tantivy::Result<Matches> {
        let mut breadth = Breadth::Narrow;
        let (mut best, mut report) = self.best(plan, root, breadth, count)?;
        // Pages with the words themselves come first; only where they are few, it matters who
        // has something else in their place.
        if !best.is_full && plan.has_others() {
            breadth = Breadth::Wide;
            (best, report) = self.best(plan, root, breadth, count)?;
        }
        let (candidates, strangers) = self.candidates(plan, &best)?;
        Ok(Matches { best, breadth, report, candidates, strangers })
    }

    fn orderer<'a>(&'a self, plan: &'a Plan) -> Order<'a> {
        Order {
            plan,
            languages: &self.languages,
            snapshot: &self.snapshot,
            terms: Terms::new(&self.snapshot.searcher),
            links: &self.links,
            standing: &self.standing,
            weights: &self.weights,
            checker: &self.checker,
            counts: &[],
            now: self.now,
        }
    }

    fn described(
        &self,
        plan: &Plan,
        strangers: Vec<DocAddress>,
    ) -> tantivy::Result<Vec<Described>> {
        let Some(anchors) = &self.links.anchors else { return Ok(Vec::new()) };
        let languages = &self.languages;
        described::rank(plan, languages, &self.snapshot, anchors, &self.weights, strangers)
    }

    /// Makes candidates of pages that were fetched since the links were looked through: what links
    /// call them counts, but not in the place of their own words.
    fn take_fetched(
        &self,
        described: &mut Vec<Described>,
        candidates: &mut Vec<Candidate>,
    ) -> tantivy::Result<()> {
        let Some(anchors) = &self.links.anchors else { return Ok(()) };
        let gone = self.snapshot.expired(self.now);
        let mut strangers = Vec::with_capacity(described.len());
        for stranger in described.drain(..) {
            let target = anchors.target(stranger.place)?;
            let address = match target {
                Some(target) => self.snapshot.find_url(&target.url)?,
                None => None,
            };
            let Some(address) = address else {
                strangers.push(stranger);
                continue;
            };
            let anchors = Some(stranger.place);
            match candidates.binary_search_by_key(&address, |candidate| candidate.address) {
                Ok(known) => candidates[known].anchors = anchors,
                Err(_) if gone.is_some_and(|gone| gone.holds(address)) => {}
                Err(place) => {
                    candidates.insert(place, Candidate { address, anchors, is_match: false });
                }
            }
        }
        *described = strangers;
        Ok(())
    }

    /// Puts what was found into order, and counts it.
    fn order(&self, plan: &Plan, root: &Expr, matches: Matches) -> tantivy::Result<Found> {
        let Matches { best, breadth, report, mut candidates, strangers } = matches;
        let mut described = self.described(plan, strangers)?;
        self.take_fetched(&mut described, &mut candidates)?;
        let found = candidates.iter().filter(|candidate| candidate.is_match);
        self.standing.tell(&found.map(|candidate| self.snapshot.page(candidate.address)));
        let ranked = self.orderer(plan).rank(&candidates)?;
        let others = ranked.iter().filter(|ranked| !ranked.candidate.is_match).count();
        let answers = merge(ranked, described);
        let is_cut_short = best.is_cut_short || self.finder.patience.was_lost();
        let mut total = Total { count: answers.len() as u64, is_exact: !is_cut_short };
        if best.is_full {
            total = match best.num_matching.filter(|_| !is_cut_short) {
                Some(total) => total,
                None => self.count_matches(plan, root, breadth)?,
            };
            total.is_exact &= !is_cut_short;
            // Those found by anchors alone are known only as far as they were candidates.
            total.count = (total.count + others as u64).max(answers.len() as u64);
        }
        let (is_full, report) = (best.is_full, Some(report));
        Ok(Found { answers, total, is_full, is_cut_short, report, breadth })
    }

    /// Counts the pages that meet a plan, or estimates how many do.
    fn count_matches(&self, plan: &Plan, root: &Expr, breadth: Breadth) -> tantivy::Result<Total> {
        let matcher = Matcher { plan, checker: &self.checker, breadth };
        let query = matcher.whole(root);
        let gone = self.snapshot.expired(self.now);
        let searcher = &self.snapshot.searcher;
        candidates::count(searcher, query.as_ref(), &self.checker.patience, gone)
    }

    /// Finds the best pages by their own words and their rank.
    fn best(
        &self,
        plan: &Plan,
        root: &Expr,
        breadth: Breadth,
        count: usize,
    ) -> tantivy::Result<(first::Found, Report)> {
        let matcher = Matcher { plan, checker: &self.finder, breadth };
        let query = matcher.whole(root);
        let first = FirstStage {
            snapshot: &self.snapshot,
            ranks: &self.ranks,
            links: &self.links,
            store: self.lists.as_deref(),
            is_over: &|| self.finder.patience.is_over(),
            gone: self.snapshot.expired(self.now),
        };
        let (found, mut report) = first.best(self.strategy, query.as_ref(), count)?;
        if self.is_watched {
            first.complete(&mut report, query.as_ref(), count, &found)?;
        }
        Ok((found, report))
    }

    /// Adds the pages that others describe with the words of the query; those of them that were
    /// never fetched come apart.
    fn candidates(
        &self,
        plan: &Plan,
        found: &first::Found,
    ) -> tantivy::Result<(Vec<Candidate>, Vec<DocAddress>)> {
        let (mut candidates, mut strangers) = (Vec::new(), Vec::new());
        let own = found.addresses();
        for address in &own {
            let page = self.snapshot.page(*address);
            let anchors = self.links.anchors.as_ref().and_then(|anchors| anchors.find(page));
            candidates.push(Candidate { address: *address, anchors, is_match: true });
        }
        let Some(anchors) = &self.links.anchors else { return Ok((candidates, strangers)) };
        if plan.wanted().next().is_none() {
            return Ok((candidates, strangers));
        }
        let query = candidates::touching(plan, Words::from(anchors.fields));
        let described = first::best(
            &anchors.searcher,
            query.as_ref(),
            Walk::of(query.as_ref()),
            ANCHOR_CANDIDATES,
            &Ranks::none(),
            &|| self.checker.patience.is_over(),
            None,
        )?;
        let gone = self.snapshot.expired(self.now);
        for place in described.addresses() {
            // A target that was never fetched has no page; one that has left the index since is
            // no answer any more.
            let Some(page) = anchors.page(place) else {
                strangers.push(place);
                continue;
            };
            let Some(address) = self.snapshot.find(page) else { continue };
            if own.binary_search(&address).is_err() && !gone.is_some_and(|gone| gone.holds(address))
            {
                candidates.push(Candidate { address, anchors: Some(place), is_match: false });
            }
        }
        candidates.sort_unstable_by_key(|candidate| candidate.address);
        candidates.dedup_by_key(|candidate| candidate.address);
        Ok((candidates, strangers))
    }
}

impl Matches {
    /// Adds those that are no candidates yet.
    fn add(&mut self, others: &Whole) {
        let known = self.candidates.iter().map(|candidate| candidate.address);
        let known: HashSet<DocAddress> = known.collect();
        let is_new = |other: &&Candidate| !known.contains(&other.address);
        self.candidates.extend(others.pages.iter().filter(is_new));
        self.candidates.sort_unstable_by_key(|candidate| candidate.address);
        // Each of these is ranked once, however often it is named.
        self.strangers.extend(&others.strangers);
    }
}

/// What has every word of a query.
#[derive(Default)]
struct Whole {
    pages: Vec<Candidate>,
    /// Pages that were never fetched, by their anchors.
    strangers: HashSet<DocAddress>,
}

impl Whole {
    fn of(answers: &[Answer]) -> Self {
        let mut whole = Self::default();
        for answer in answers {
            match answer {
                Answer::Page(ranked) => whole.pages.push(ranked.candidate),
                Answer::Described(described) => {
                    whole.strangers.insert(described.place);
                }
            }
        }
        whole
    }
}

impl Found {
    fn nothing() -> Self {
        let total = Total { count: 0, is_exact: true };
        Self {
            answers: Vec::new(),
            total,
            is_full: false,
            is_cut_short: false,
            report: None,
            breadth: Breadth::Narrow,
        }
    }

    /// Lets the pages that have every word come before those that lack one: that is what whoever
    /// reads how many there are looks for. The sets do not tell the difference
    /// (docs/evaluation.md). All of them rise by what the last of them needs, and keep their order.
    fn lift(&mut self, whole: &Whole) {
        let pages = whole.pages.iter().map(|candidate| candidate.address);
        let pages: HashSet<DocAddress> = pages.collect();
        let is_whole = |answer: &Answer| match answer {
            Answer::Page(ranked) => pages.contains(&ranked.candidate.address),
            Answer::Described(described) => whole.strangers.contains(&described.place),
        };
        let best = self.answers.iter().find(|answer| !is_whole(answer)).map(Answer::score);
        let last = self.answers.iter().rfind(|answer| is_whole(answer)).map(Answer::score);
        let (Some(best), Some(last)) = (best, last) else { return };
        if best < last {
            return;
        }
        for answer in self.answers.iter_mut().filter(|answer| is_whole(answer)) {
            answer.add(Part::new("complete", best - last, 1.0));
        }
        // Equals stay as they are: those that have every word first.
        self.answers.sort_by_key(|answer| !is_whole(answer));
    }

    /// Adds what a wider search has found besides, behind what is there: pages that were listed
    /// keep their places.
    pub(super) fn extend(&mut self, wider: Self) {
        let known: HashSet<DocAddress> = self.answers.iter().filter_map(Answer::address).collect();
        let is_new =
            |answer: &Answer| answer.address().is_some_and(|address| !known.contains(&address));
        self.answers.extend(wider.answers.into_iter().filter(is_new));
        self.is_full = wider.is_full;
        self.is_cut_short |= wider.is_cut_short;
        self.total = wider.total;
        self.total.count = self.total.count.max(self.answers.len() as u64);
    }
}

impl Answer {
    fn candidate(&self) -> Option<Candidate> {
        match self {
            Self::Page(ranked) => Some(ranked.candidate),
            Self::Described(_) => None,
        }
    }

    pub(super) fn address(&self) -> Option<DocAddress> {
        self.candidate().map(|candidate| candidate.address)
    }

    /// Lets the score be this part alone.
    pub(super) fn replace(&mut self, part: Part) {
        match self {
            Self::Page(ranked) => *ranked = Ranked::of_parts(ranked.candidate, vec![part]),
            Self::Described(described) => {
                (described.score, described.parts) = (part.value, vec![part]);
            }
        }
    }

    /// Adds a part to the score.
    pub(super) fn add(&mut self, part: Part) {
        let (score, parts) = match self {
            Self::Page(ranked) => (&mut ranked.score, &mut ranked.parts),
            Self::Described(described) => (&mut described.score, &mut described.parts),
        };
        *score += part.value;
        parts.push(part);
    }

    pub(super) fn score(&self) -> f32 {
        match self {
            Self::Page(ranked) => ranked.score,
            Self::Described(described) => described.score,
        }
    }
}

/// Puts two orders into one, by score; of equals the page that is known better comes first.
fn merge(ranked: Vec<Ranked>, described: Vec<Described>) -> Vec<Answer> {
    let mut answers: Vec<Answer> = ranked.into_iter().map(Answer::Page).collect();
    answers.extend(described.into_iter().map(Answer::Described));
    // Keeps the order of equals.
    answers.sort_by(|one, other| other.score().total_cmp(&one.score()));
    answers
}
