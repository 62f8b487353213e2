//! Makes the leaves of a plan and puts them together.

use std::borrow::Cow;

use super::check::{Check, Operands, Place};
use super::languages::{Languages, Reading, push_new};
use super::pattern::Pattern;
use super::world::{Terms, World};
use super::{Expr, Kind, Leaf, Plan};
use crate::Note;
use crate::query::{Filter, Near, Node, Query, Zone};

/// Terms that one pattern or nearly-word may stand for.
const MOST_TERMS: usize = 128;
/// Terms that all of them in one query may stand for.
const ALL_TERMS: usize = 256;
/// Terms that each of them may stand for, also when those are used up.
const FEW_TERMS: usize = 4;
/// Forms of a word that are looked for near others.
const MOST_FORMS: usize = 24;
/// Letters by which the other forms of a word are looked up.
const FORM_LETTERS: usize = 3;
/// Letters at the end of a stem that a form may not have.
const STEM_ENDING: usize = 2;
/// Words from which on a query is a sentence: hardly a page has all of them, and the one that does
/// is seldom the only answer. Measured, as is the length of the list (docs/evaluation.md).
const SENTENCE: usize = 4;
/// Notes that are kept: nobody reads more.
const MOST_NOTES: usize = 12;

pub(super) fn plan(
    query: &Query,
    languages: &Languages,
    world: &dyn World,
) -> tantivy::Result<Plan> {
    let mut plan = Plan { is_loose: query.is_loose(), ..Plan::default() };
    plan.notes.extend_from_slice(query.notes());
    let Some(root) = query.root() else { return Ok(plan) };
    let mut optional = Vec::new();
    // Who writes AND means every word.
    let root = match query.is_loose() {
        true => without_stop_words(root, languages, &mut optional),
        false => Cow::Borrowed(root),
    };
    plan.made_of = query.printed(&root);
    plan.is_sentence = num_words(&root, languages) >= SENTENCE;
    let mut planner =
        Planner { languages, world, plan, room: ALL_TERMS, known: Vec::new(), num_related: 0 };
    planner.plan.root = planner.expr(&root, true)?;
    for word in optional {
        planner.text(Kind::Word, &word, true)?;
    }
    let mut plan = planner.plan;
    plan.notes.truncate(MOST_NOTES);
    Ok(plan)
}

/// A plan under way.
pub(super) struct Planner<'a> {
    pub(super) languages: &'a Languages,
    pub(super) world: &'a dyn World,
    pub(super) plan: Plan,
    /// Terms that patterns may still stand for.
    room: usize,
    /// What patterns stand for, each looked up once.
    known: Vec<(Node, Place, Vec<String>)>,
    /// Pages whose likes were asked for.
    pub(super) num_related: usize,
}

impl Planner<'_> {
    fn expr(&mut self, node: &Node, is_wanted: bool) -> tantivy::Result<Option<Expr>> {
        let place = match node {
            Node::And(parts) => {
                return Ok(join(self.exprs(parts, is_wanted, true)?, Expr::And));
            }
            Node::Or(parts) => {
                return Ok(join(self.exprs(parts, is_wanted, false)?, Expr::Or));
            }
            Node::Not(part) => {
                let part = self.expr(part, !is_wanted)?;
                return Ok(part.map(|part| Expr::Not(Box::new(part))));
            }
            Node::Filter(Filter::Related(url)) => return self.related(url, is_wanted),
            Node::Filter(filter) => {
                let check = self.filter(filter)?;
                Some(self.question(check, Vec::new(), is_wanted))
            }
            Node::In(zone, part) => self.zone(*zone, part, is_wanted)?,
            Node::Near(near) => {
                let operands = self.operands(near, Place::Words)?;
                let helpers = self.helpers(near.parts(), is_wanted)?;
                operands.map(|operands| {
                    self.question(Check::Near(Place::Words, operands), helpers, is_wanted)
                })
            }
            Node::Word(word) => {
                let place = self.text(Kind::Word, word, is_wanted)?;
                if let Some(place) = place.filter(|_| is_wanted) {
                    self.add_others(&[(place, word)])?;
                }
                place
            }
            node => self.words(node, is_wanted)?,
        };
        Ok(place.map(Expr::Leaf))
    }

    /// Plans the parts of a group, each once. Words side by side may have one other between them.
    fn exprs(
        &mut self,
        parts: &[Node],
        is_wanted: bool,
        is_all: bool,
    ) -> tantivy::Result<Vec<Expr>> {
        let mut exprs = Vec::new();
        let mut run: Vec<(usize, &str)> = Vec::new();
        for part in parts {
            let Some(expr) = self.expr(part, is_wanted)? else { continue };
            match (part, &expr) {
                (Node::Word(word), Expr::Leaf(place)) if is_all && is_wanted => {
                    run.push((*place, word));
                }
                _ => {
                    self.add_shared(&run)?;
                    run.clear();
                }
            }
            push_new(&mut exprs, expr);
        }
        self.add_shared(&run)?;
        Ok(exprs)
    }

    /// Returns the leaf of a word or phrase; `None` if there is no word in it.
    fn text(&mut self, kind: Kind, text: &str, is_wanted: bool) -> tantivy::Result<Option<usize>> {
        let forms = match kind {
            Kind::Word => self.used(self.languages.readings(kind, text))?,
            _ => self.languages.rows(kind, text),
        };
        let surfaces = self.languages.surfaces(text);
        Ok((!forms.is_empty()).then(|| self.leaf(kind, forms, surfaces, is_wanted)))
    }

    /// Returns the forms that pages have, and the first one whether they do or not. In a collection
    /// of many languages most readings of a word are of none: they would find nothing, or what another
    /// language means by them, and a word of many terms is searched in a slower way.
    pub(super) fn used(&self, readings: Vec<Reading>) -> tantivy::Result<Vec<Vec<String>>> {
        let mut used = Vec::with_capacity(readings.len());
        for Reading { terms, codes } in readings {
            if used.is_empty() || self.is_used(&terms, codes.as_deref())? {
                used.push(terms);
            }
        }
        Ok(used)
    }

    /// Returns whether a page of some languages has all these stems, or of any.
    fn is_used(&self, stems: &[String], codes: Option<&[&str]>) -> tantivy::Result<bool> {
        let is_used = self.world.is_used(stems)?;
        match codes {
            Some(codes) if is_used => self.world.is_used_in(stems, codes),
            _ => Ok(is_used),
        }
    }

    /// Returns the leaf of these forms, made unless it is there.
    pub(super) fn leaf(
        &mut self,
        kind: Kind,
        forms: Vec<Vec<String>>,
        surfaces: Vec<String>,
        is_wanted: bool,
    ) -> usize {
        self.push(Leaf {
            kind,
            forms,
            surfaces,
            others: Vec::new(),
            check: None,
            helpers: Vec::new(),
            is_wanted,
        })
    }

    /// Returns the leaf of a question.
    pub(super) fn question(&mut self, check: Check, helpers: Vec<usize>, is_wanted: bool) -> usize {
        self.push(Leaf {
            kind: Kind::Check,
            forms: Vec::new(),
            surfaces: Vec::new(),
            others: Vec::new(),
            check: Some(check),
            helpers,
            is_wanted,
        })
    }

    fn push(&mut self, leaf: Leaf) -> usize {
        // What excludes a page is kept apart from what brings it: it has no others.
        let same = |known: &Leaf| {
            known.kind == leaf.kind
                && known.forms == leaf.forms
                && known.check == leaf.check
                && known.is_wanted == leaf.is_wanted
        };
        self.plan.leaves.iter().position(same).unwrap_or_else(|| {
            self.plan.leaves.push(leaf);
            self.plan.leaves.len() - 1
        })
    }

    /// Returns the leaf of a word or phrase of any kind.
    fn words(&mut self, node: &Node, is_wanted: bool) -> tantivy::Result<Option<usize>> {
        Ok(match node {
            Node::Word(word) => self.text(Kind::Word, word, is_wanted)?,
            Node::Exact(words) | Node::Phrase(words) => {
                self.text(Kind::Phrase, words, is_wanted)?
            }
            node => {
                let Some(terms) = self.terms(node, Place::Words)? else { return Ok(None) };
                if terms.is_empty() {
                    return Ok(Some(self.question(Check::NEVER, Vec::new(), is_wanted)));
                }
                let forms = terms.into_iter().map(|term| vec![term]).collect();
                Some(self.leaf(Kind::Phrase, forms, Vec::new(), is_wanted))
            }
        })
    }

    /// Returns the terms that a pattern or nearly-word stands for; says if there are more.
    fn terms(&mut self, node: &Node, place: Place) -> tantivy::Result<Option<Vec<String>>> {
        let same = |(known, at, _): &&(Node, Place, Vec<String>)| known == node && *at == place;
        if let Some((_, _, terms)) = self.known.iter().find(same) {
            return Ok(Some(terms.clone()));
        }
        let most = self.room.clamp(FEW_TERMS, MOST_TERMS);
        let found: Terms = match node {
            Node::Wild(pattern) => {
                let pattern = Pattern::new(pattern, self.languages);
                let fits = &mut |term: &str| pattern.fits(term);
                self.world.beginning_with(place, &pattern.start, fits, most)?
            }
            Node::Fuzzy(word, edits) => {
                let word = self.languages.normal(word);
                self.world.nearly(place, &word, *edits, most)?
            }
            _ => return Ok(None),
        };
        self.room -= found.terms.len().min(self.room);
        if found.is_cut {
            let count = found.terms.len();
            self.note(Note::ManyWords { pattern: node.to_string(), count });
        }
        self.known.push((node.clone(), place, found.terms.clone()));
        Ok(Some(found.terms))
    }

    /// Plans something that must stand in one part of the page.
    fn zone(&mut self, zone: Zone, part: &Node, is_wanted: bool) -> tantivy::Result<Option<usize>> {
        let check = match zone {
            Zone::Title => self.in_title(part)?,
            Zone::Address => self.in_address(part)?,
        };
        let Some(check) = check else { return Ok(None) };
        let helpers = match part {
            Node::Near(near) => self.helpers(near.parts(), is_wanted)?,
            part => self.helpers([part].into_iter(), is_wanted)?,
        };
        Ok(Some(self.question(check, helpers, is_wanted)))
    }

    /// Returns the leaves by which pages are ordered that answer a question with yes.
    fn helpers<'n>(
        &mut self,
        parts: impl Iterator<Item = &'n Node>,
        is_wanted: bool,
    ) -> tantivy::Result<Vec<usize>> {
        let mut helpers = Vec::new();
        for part in parts.filter(|_| is_wanted) {
            let place = self.words(part, true)?;
            let scores = |place: &usize| self.plan.leaves[*place].kind != Kind::Check;
            if let Some(place) = place.filter(scores) {
                push_new(&mut helpers, place);
            }
        }
        Ok(helpers)
    }

    /// What asks for surface forms asks for their stems too: a page without a title has none.
    fn in_title(&mut self, part: &Node) -> tantivy::Result<Option<Check>> {
        let languages = self.languages;
        let mut checks = Vec::new();
        match part {
            Node::Word(word) => {
                for form in languages.forms(Kind::Word, word) {
                    let terms = form.into_iter().map(|stem| Check::Term(Place::Title, stem));
                    checks.push(Check::all(terms.collect()));
                }
            }
            Node::Exact(words) | Node::Phrase(words) => {
                let stems = languages.rows(Kind::Word, words).into_iter();
                let stems: Vec<_> = stems.map(|row| Check::row(Place::Title, row)).collect();
                if !stems.is_empty() {
                    let written = languages.rows(Kind::Phrase, words);
                    checks.push(Check::Titled(Box::new(Check::any(stems)), written));
                }
            }
            Node::Near(near) => {
                let operands = self.operands(near, Place::Title)?;
                return Ok(operands.map(|operands| Check::Near(Place::Title, operands)));
            }
            part => {
                let Some(terms) = self.terms(part, Place::Words)? else { return Ok(None) };
                for stem in terms.iter().flat_map(|term| languages.stems(term)) {
                    push_new(&mut checks, Check::Term(Place::Title, stem));
                }
                let written = terms.into_iter().map(|term| vec![term]).collect();
                return Ok(Some(Check::Titled(Box::new(Check::any(checks)), written)));
            }
        }
        Ok((!checks.is_empty()).then(|| Check::any(checks)))
    }

    /// Addresses keep no order of their words.
    fn in_address(&mut self, part: &Node) -> tantivy::Result<Option<Check>> {
        let mut checks = Vec::new();
        match part {
            Node::Word(words) | Node::Phrase(words) => {
                for form in self.languages.forms(Kind::Word, words) {
                    let terms = form.into_iter().map(|stem| Check::Term(Place::Address, stem));
                    checks.push(Check::all(terms.collect()));
                }
            }
            Node::Exact(words) => {
                for row in self.languages.rows(Kind::Phrase, words) {
                    let terms = row.into_iter().map(|term| Check::Term(Place::AddressWords, term));
                    checks.push(Check::all(terms.collect()));
                }
            }
            Node::Near(near) => {
                let mut all = Vec::new();
                for part in near.parts() {
                    all.extend(self.in_address(part)?);
                }
                return Ok((!all.is_empty()).then(|| Check::all(all)));
            }
            part => {
                let place = Place::AddressWords;
                let Some(terms) = self.terms(part, place)? else { return Ok(None) };
                let terms = terms.into_iter().map(|term| Check::Term(place, term));
                return Ok(Some(Check::any(terms.collect())));
            }
        }
        Ok((!checks.is_empty()).then(|| Check::any(checks)))
    }

    /// Returns the rows of terms that stand near each other; `None` if there is no word in them.
    fn operands(&mut self, near: &Near, place: Place) -> tantivy::Result<Option<Operands>> {
        let mut operands = Operands { rows: Vec::new(), distances: Vec::new() };
        let firsts = [(1, &*near.first)].into_iter();
        for (distance, part) in firsts.chain(near.rest.iter().map(|(far, part)| (*far, part))) {
            let rows = self.rows(part, place)?;
            if rows.is_empty() && matches!(part, Node::Word(_) | Node::Exact(_) | Node::Phrase(_)) {
                continue;
            }
            operands.rows.push(rows);
            operands.distances.push(distance);
        }
        if operands.rows.is_empty() {
            return Ok(None);
        }
        operands.distances.remove(0);
        Ok(Some(operands))
    }

    fn rows(&mut self, part: &Node, place: Place) -> tantivy::Result<Vec<Vec<String>>> {
        let kind = if place == Place::Title { Kind::Word } else { Kind::Phrase };
        match part {
            Node::Word(word) if kind == Kind::Phrase => self.surface_rows(word),
            Node::Word(words) | Node::Exact(words) | Node::Phrase(words) => {
                Ok(self.languages.rows(kind, words))
            }
            part => {
                let terms = self.terms(part, Place::Words)?.unwrap_or_default();
                let mut rows = Vec::new();
                for term in terms {
                    match kind {
                        Kind::Word => {
                            for stem in self.languages.stems(&term) {
                                push_new(&mut rows, vec![stem]);
                            }
                        }
                        _ => rows.push(vec![term]),
                    }
                }
                Ok(rows)
            }
        }
    }

    /// Returns a word in all the forms that the index has: only surface forms have positions.
    fn surface_rows(&mut self, word: &str) -> tantivy::Result<Vec<Vec<String>>> {
        let mut rows = self.languages.rows(Kind::Phrase, word);
        for (analyzer, codes) in self.languages.readers() {
            let tokens = analyzer.tokens(word);
            let [token] = tokens.as_slice() else { continue };
            // A walk through the dictionary costs more than a look at one word of it.
            if !self.is_used(std::slice::from_ref(&token.stem), codes)? {
                continue;
            }
            let letters = token.surface.chars().zip(token.stem.chars());
            let common = letters.take_while(|(one, other)| one == other).map(|(one, _)| one);
            let start: Vec<char> = common.collect();
            if start.len() < FORM_LETTERS {
                continue;
            }
            // A stem may end in letters that no form has: `famili` of `family`.
            let kept = start.len().saturating_sub(STEM_ENDING).max(FORM_LETTERS);
            let start: String = start[..kept].iter().collect();
            let fits = &mut |term: &str| analyzer.stem_of(term) == token.stem;
            let found = self.world.beginning_with(Place::Words, &start, fits, MOST_FORMS)?;
            for term in found.terms {
                push_new(&mut rows, vec![term]);
            }
        }
        Ok(rows)
    }

    pub(super) fn note(&mut self, note: Note) {
        push_new(&mut self.plan.notes, note);
    }
}

fn join(mut exprs: Vec<Expr>, group: fn(Vec<Expr>) -> Expr) -> Option<Expr> {
    if exprs.len() > 1 { Some(group(exprs)) } else { exprs.pop() }
}

/// Returns how many words stand side by side that are no stop words.
fn num_words(root: &Node, languages: &Languages) -> usize {
    let Node::And(parts) = root else { return 1 };
    let is_word = |part: &&Node| match part {
        Node::Word(word) => !languages.is_stop_word(word),
        part => !matches!(part, Node::Not(_) | Node::Filter(_)),
    };
    parts.iter().filter(is_word).count()
}

/// Takes the stop words out of groups that have something else to go by.
fn without_stop_words<'a>(
    node: &'a Node,
    languages: &Languages,
    optional: &mut Vec<String>,
) -> Cow<'a, Node> {
    let is_stop = |part: &Node| matches!(part, Node::Word(word) if languages.is_stop_word(word));
    let mut inner = |parts: &[Node]| -> Vec<Node> {
        let parts = parts.iter();
        parts.map(|part| without_stop_words(part, languages, optional).into_owned()).collect()
    };
    match node {
        Node::Or(parts) => Cow::Owned(Node::Or(inner(parts))),
        Node::And(parts) => {
            let is_anchor =
                |part: &Node| !is_stop(part) && !matches!(part, Node::Not(_) | Node::Filter(_));
            if !parts.iter().any(is_anchor) {
                return Cow::Borrowed(node);
            }
            let (stop, mut rest): (Vec<Node>, Vec<Node>) =
                inner(parts).into_iter().partition(is_stop);
            optional.extend(stop.iter().map(Node::to_string));
            match rest.len() {
                1 => Cow::Owned(rest.remove(0)),
                _ => Cow::Owned(Node::And(rest)),
            }
        }
        _ => Cow::Borrowed(node),
    }
}
