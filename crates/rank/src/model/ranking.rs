//! A long list of pages for a bag of words: for measuring, not for showing.

use std::sync::Arc;
use std::time::Instant;

use base::{PageId, Url};
use index::Snapshot;

use super::{Bag, Exhaustive, Model, Norms, Scored};
use crate::below::Folders;
use crate::checking::Checker;
use crate::order::{Candidate, Order};
use crate::patience::Patience;
use crate::plan::Languages;
use crate::probe::Terms;
use crate::standing::Standing;
use crate::{Error, Searcher};

/// The best pages for a bag of words, without anything to show of them.
#[derive(Clone, Debug, Default)]
pub struct Ranking {
    /// Pages with their scores, best first.
    pub pages: Vec<(PageId, f32)>,
    /// Whether the time ran out before everything was looked at.
    pub is_partial: bool,
}

/// How the text of a question is read where answers are measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// Nothing in it is an operator.
    Words,
    /// As if a person had typed it.
    Typed,
}

impl Searcher {
    /// Ranks the pages that have any of the words of a text, and returns the best `count`.
    ///
    /// Nothing in the text is an operator. The textbook models look at every page that has a word;
    /// [`Model::Lookfar`] orders those that BM25 finds best, at least a thousand.
    pub fn ranking(&self, text: &str, model: Model, count: usize) -> Result<Ranking, Error> {
        let patience = Patience::until(Instant::now() + self.options.deadline, None);
        let Some(snapshot) = self.index.snapshot()? else { return Ok(Ranking::default()) };
        let languages = Languages::new(&snapshot.languages, text);
        let bag = Bag::new(text, &languages.analyzers());
        let first = if model == Model::Lookfar { Model::Bm25 } else { model };
        let (mut found, is_partial) = self.exhaustive(&bag, first, &snapshot, patience)?;
        if model == Model::Lookfar {
            found.truncate(count.max(CANDIDATES));
            found = self.reordered(&bag, &languages, &snapshot, found)?;
        }
        found.truncate(count);
        let pages = found.into_iter().map(|scored| (scored.page, scored.score)).collect();
        Ok(Ranking { pages, is_partial })
    }

    /// Returns the address of a page; `None` if it is not in the index.
    pub fn address(&self, page: PageId) -> Result<Option<Url>, Error> {
        let Some(snapshot) = self.index.snapshot()? else { return Ok(None) };
        let Some(address) = snapshot.find(page) else { return Ok(None) };
        Ok(snapshot.stored(address)?.map(|page| page.url))
    }

    /// Returns the lengths of vectors, if the model needs them.
    pub(crate) fn norms(
        &self,
        model: Model,
        snapshot: &Snapshot,
    ) -> Result<Option<Arc<Norms>>, Error> {
        Ok(match model {
            Model::Cosine => Some(self.norms.of(snapshot)?),
            _ => None,
        })
    }

    fn exhaustive(
        &self,
        bag: &Bag,
        model: Model,
        snapshot: &Snapshot,
        patience: Patience,
    ) -> Result<(Vec<Scored>, bool), Error> {
        let norms = self.norms(model, snapshot)?;
        let exhaustive = Exhaustive {
            model,
            snapshot,
            links: &self.links.links(),
            weights: &self.weights(),
            norms: norms.as_deref(),
            patience,
            gone: snapshot.expired((self.options.clock)()),
        };
        Ok(exhaustive.rank(bag)?)
    }

    fn reordered(
        &self,
        bag: &Bag,
        languages: &Languages,
        snapshot: &Arc<Snapshot>,
        mut found: Vec<Scored>,
    ) -> Result<Vec<Scored>, Error> {
        let links = self.links.links();
        found.sort_unstable_by_key(|scored| scored.address);
        let mut candidates = Vec::new();
        for Scored { address, page, .. } in &found {
            let anchors = links.anchors.as_ref().and_then(|anchors| anchors.find(*page));
            candidates.push(Candidate { address: *address, anchors, is_match: true });
        }
        let plan = bag.plan();
        let counts: Vec<f32> = bag.words.iter().map(|word| word.count as f32).collect();
        let weights = &self.weights();
        let patience = Patience::until(Instant::now() + self.options.deadline, None);
        let order = Order {
            plan: &plan,
            languages,
            snapshot,
            terms: Terms::new(&snapshot.searcher),
            links: &links,
            standing: &Standing::plain(links.clone()),
            weights,
            checker: &Checker { fields: snapshot.fields, patience, folders: Folders::default() },
            counts: &counts,
            now: (self.options.clock)(),
        };
        let scored = order.rank(&candidates)?.into_iter().map(|ranked| Scored {
            address: ranked.candidate.address,
            page: snapshot.page(ranked.candidate.address),
            score: ranked.score,
        });
        Ok(scored.collect())
    }
}

/// Pages that the second stage orders, at least.
const CANDIDATES: usize = 1_000;
