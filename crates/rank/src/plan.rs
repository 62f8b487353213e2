//! From a query tree to what the index can be asked: leaves by stem or phrase, questions that a
//! page answers with yes or no, and how they combine.

mod check;
mod filters;
mod languages;
mod others;
mod pattern;
mod planner;
#[cfg(test)]
mod tests;
mod world;

use std::collections::HashMap;

use base::PageId;

use crate::Note;
use crate::query::Query;
use crate::related::Found;

pub(crate) use check::{Check, Operands, Place, Start};
pub(crate) use filters::below;
pub(crate) use languages::Languages;
#[cfg(test)]
pub(crate) use world::Nowhere;
pub(crate) use world::{Linking, Terms, World};

/// A query made ready for one commit of the index.
#[derive(Debug, Default)]
pub(crate) struct Plan {
    /// How leaves combine; `None` if there is nothing to search for.
    pub(crate) root: Option<Expr>,
    /// Distinct words, phrases and questions. Those that the root does not name only help to
    /// order the answers.
    pub(crate) leaves: Vec<Leaf>,
    /// How the query was understood.
    pub(crate) made_of: String,
    /// What was made of it that a person would not expect.
    pub(crate) notes: Vec<Note>,
    /// Whether pages with some of the words are better than nothing.
    is_loose: bool,
    /// Whether it has so many words that pages with some of them are listed beside a few with all.
    pub(crate) is_sentence: bool,
    /// Pages that are like those that the query names, and why; of several reasons the best.
    pub(crate) related: HashMap<PageId, Found>,
    /// Stems that tell those from others, to be marked where the query has no words.
    pub(crate) telling: Vec<String>,
}

/// A condition on a page; numbers are places in [`Plan::leaves`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Expr {
    Leaf(usize),
    And(Vec<Expr>),
    Or(Vec<Expr>),
    Not(Box<Expr>),
}

/// A word, a phrase or a question.
#[derive(Debug, PartialEq)]
pub(crate) struct Leaf {
    pub(crate) kind: Kind,
    /// The same as one list of forms, several if languages read the word differently or if it
    /// stands for several. Each form is a list of terms: stems of a word, surface forms of a
    /// phrase, empty where any word may stand. None for a question.
    pub(crate) forms: Vec<Vec<String>>,
    /// The word as written, in surface forms.
    pub(crate) surfaces: Vec<String>,
    /// What may stand in its place: compounds, synonyms.
    pub(crate) others: Vec<Other>,
    /// The question, of [`Kind::Check`] only.
    pub(crate) check: Option<Check>,
    /// Leaves by which the pages that answer a question with yes are ordered.
    pub(crate) helpers: Vec<usize>,
    /// Whether pages should have it; not so for what stands only behind NOT.
    pub(crate) is_wanted: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// All stems of a form, anywhere.
    Word,
    /// The surface forms side by side.
    Phrase,
    /// A question; it does not score.
    Check,
}

impl Leaf {
    /// Returns a word with the stems that it may have.
    pub(crate) fn word(forms: Vec<Vec<String>>, surface: String) -> Self {
        Self {
            kind: Kind::Word,
            forms,
            surfaces: vec![surface],
            others: Vec::new(),
            check: None,
            helpers: Vec::new(),
            is_wanted: true,
        }
    }

    /// Returns whether its forms are words that a pattern stands for.
    pub(crate) fn is_pattern(&self) -> bool {
        self.kind == Kind::Phrase && self.surfaces.is_empty()
    }
}

/// What may stand in the place of a word.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Other {
    pub(crate) kind: Kind,
    pub(crate) terms: Vec<String>,
    /// What it is worth beside the word itself.
    pub(crate) weight: f32,
}

impl Plan {
    /// Returns the plan for pages that have any of these.
    pub(crate) fn any_of(leaves: Vec<Leaf>, made_of: String) -> Self {
        let root = Some(Expr::Or((0..leaves.len()).map(Expr::Leaf).collect()));
        Self { root, leaves, made_of, ..Self::default() }
    }

    /// Makes a query ready.
    ///
    /// Stop words among other words do not decide which pages match, only their order; a query
    /// of nothing but stop words is searched as it is (T5).
    pub(crate) fn new(
        query: &Query,
        languages: &Languages,
        world: &dyn World,
    ) -> tantivy::Result<Self> {
        planner::plan(query, languages, world)
    }

    /// Returns the leaves that pages should have.
    pub(crate) fn wanted(&self) -> impl Iterator<Item = &Leaf> {
        self.leaves.iter().filter(|leaf| leaf.is_wanted)
    }

    /// Returns whether every page that meets the condition has every word of it.
    pub(crate) fn wants_all_words(&self) -> bool {
        let is_needed = |part: &Expr| matches!(part, Expr::Leaf(_)) || !self.is_about_words(part);
        match &self.root {
            Some(Expr::And(parts)) => parts.iter().all(is_needed),
            Some(Expr::Or(parts)) => parts.len() == 1,
            Some(Expr::Leaf(_)) => true,
            _ => false,
        }
    }

    /// Returns whether something may stand in the place of a word that pages must have.
    pub(crate) fn has_others(&self) -> bool {
        self.leaves.iter().any(|leaf| !leaf.others.is_empty())
    }

    /// Returns whether a page may meet a condition without a word of the query: by what it is, or
    /// by what it has not. Whoever asks for a page by its address (`cache:`) names it.
    pub(crate) fn may_hold_without_words(&self, root: &Expr) -> bool {
        let is_check = |place: usize| self.leaves[place].kind == Kind::Check;
        let names_page = |leaf: &Leaf| leaf.check.as_ref().is_some_and(Check::names_page);
        root.holds(&is_check, &|_| false) && !self.wanted().any(names_page)
    }

    /// Lets any of the words be enough; `None`, and nothing changed, if all are needed.
    ///
    /// A sentence of Chinese or Japanese has no spaces and is one word: it is taken apart, and its
    /// parts count in its place.
    pub(crate) fn loosen(&mut self) -> Option<Loosened> {
        let strict = self.root.clone().filter(|_| self.is_loose)?;
        let parts = match &strict {
            Expr::And(parts) => parts.clone(),
            leaf @ Expr::Leaf(_) => vec![leaf.clone()],
            _ => return None,
        };
        let (whole, mut fixed): (Vec<_>, Vec<_>) =
            parts.into_iter().partition(|part| self.is_about_words(part));
        let num_leaves = self.leaves.len();
        let (mut words, mut parted) = (Vec::new(), Vec::new());
        for part in whole {
            match self.parts(&part) {
                Some((place, stems)) => {
                    parted.push(place);
                    self.add_parts(stems, &mut words);
                }
                None if words.contains(&part) => {}
                None => words.push(part),
            }
        }
        let num_words = words.len();
        let any = Expr::Or(words);
        self.root = Some(if fixed.is_empty() {
            any
        } else {
            fixed.insert(0, any);
            Expr::And(fixed)
        });
        for place in &parted {
            self.leaves[*place].is_wanted = false;
        }
        let loosened = Loosened { num_words, strict, parted, num_leaves };
        if num_words > 1 {
            return Some(loosened);
        }
        self.tighten(loosened);
        None
    }

    /// Lets all words be needed again.
    pub(crate) fn tighten(&mut self, loosened: Loosened) {
        for place in loosened.parted {
            self.leaves[place].is_wanted = true;
        }
        self.leaves.truncate(loosened.num_leaves);
        self.root = Some(loosened.strict);
    }

    /// Returns the leaf that a condition is and its parts, if it is a word of many.
    fn parts(&self, expr: &Expr) -> Option<(usize, Vec<String>)> {
        let Expr::Leaf(place) = expr else { return None };
        let leaf = &self.leaves[*place];
        let form = leaf.forms.first().filter(|_| leaf.kind == Kind::Word);
        let stems = form.filter(|form| form.len() >= MANY_PARTS)?;
        Some((*place, stems.clone()))
    }

    /// Adds a condition for each part of a word to others, each once.
    fn add_parts(&mut self, stems: Vec<String>, words: &mut Vec<Expr>) {
        for stem in stems {
            if words.len() == MOST_WORDS {
                return;
            }
            let leaf = Leaf::word(vec![vec![stem.clone()]], stem);
            let is_same = |known: &Leaf| {
                known.kind == leaf.kind && known.forms == leaf.forms && known.is_wanted
            };
            let known = self.leaves.iter().position(is_same);
            let place = known.unwrap_or(self.leaves.len());
            if known.is_none() {
                self.leaves.push(leaf);
            }
            if !words.contains(&Expr::Leaf(place)) {
                words.push(Expr::Leaf(place));
            }
        }
    }

    /// Returns whether a condition asks for words; filters and NOT do not.
    fn is_about_words(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Leaf(place) => {
                let leaf = &self.leaves[*place];
                leaf.kind != Kind::Check || !leaf.helpers.is_empty()
            }
            Expr::And(parts) | Expr::Or(parts) => {
                parts.iter().any(|part| self.is_about_words(part))
            }
            Expr::Not(_) => false,
        }
    }
}

/// Parts from which on a word is a sentence; names and compounds have fewer.
const MANY_PARTS: usize = 3;
/// Words that are looked for one by one, as many as a query may have.
const MOST_WORDS: usize = 64;

/// What was loosened of a plan.
#[derive(Debug)]
pub(crate) struct Loosened {
    /// The words of which any is enough.
    pub(crate) num_words: usize,
    /// The condition before.
    strict: Expr,
    /// Leaves whose parts count in their place.
    parted: Vec<usize>,
    /// Leaves that were there before.
    num_leaves: usize,
}

impl Expr {
    /// Returns whether a page meets the condition.
    ///
    /// `has` says whether it has a leaf, `has_itself` whether it has it in its own words: only
    /// those can exclude a page, so that nobody keeps a page out of answers by linking to it.
    pub(crate) fn holds(
        &self,
        has: &impl Fn(usize) -> bool,
        has_itself: &impl Fn(usize) -> bool,
    ) -> bool {
        match self {
            Self::Leaf(place) => has(*place),
            Self::And(parts) => parts.iter().all(|part| part.holds(has, has_itself)),
            Self::Or(parts) => parts.iter().any(|part| part.holds(has, has_itself)),
            Self::Not(part) => !part.holds(has_itself, has),
        }
    }
}
