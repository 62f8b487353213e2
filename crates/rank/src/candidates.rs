//! First stage: some hundreds of good pages, found cheaply.

use std::time::Instant;

use index::{Fields, anchors};
use tantivy::query::{AllQuery, BooleanQuery, EnableScoring, Occur, PhraseQuery, Query, TermQuery};
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{Searcher, TERMINATED, Term};

use crate::answer::Total;
use crate::plan::{Expr, Kind, Leaf, Plan};
use crate::steady::Steady;

/// Where the words of an index lie: both indexes have stems and surface forms.
#[derive(Clone, Copy)]
pub(crate) struct Words {
    pub(crate) stems: Field,
    pub(crate) surfaces: Field,
}

impl From<Fields> for Words {
    fn from(fields: Fields) -> Self {
        Self { stems: fields.stems, surfaces: fields.words }
    }
}

impl From<anchors::Fields> for Words {
    fn from(fields: anchors::Fields) -> Self {
        Self { stems: fields.stems, surfaces: fields.words }
    }
}

/// Documents looked at between two looks at the clock.
const STRIDE: u32 = 512;
/// Matches counted before the rest is estimated.
const MOST_COUNTED: u64 = 10_000;

/// Returns the query for the pages that meet a plan.
pub(crate) fn matching(plan: &Plan, root: &Expr, words: Words) -> Box<dyn Query> {
    match root {
        Expr::Leaf(place) => leaf_query(&plan.leaves[*place], words),
        Expr::And(parts) => {
            let mut clauses = Vec::new();
            let mut is_bound = false;
            for part in parts {
                clauses.push(match part {
                    Expr::Not(part) => (Occur::MustNot, excluded(plan, part, words)),
                    part => (Occur::Must, matching(plan, part, words)),
                });
                is_bound |= !matches!(part, Expr::Not(_));
            }
            if !is_bound {
                clauses.push((Occur::Must, Box::new(AllQuery)));
            }
            Box::new(BooleanQuery::new(clauses))
        }
        Expr::Or(parts) => {
            // Forms of a word go beside the other words, so that the query stays flat.
            let mut queries = Vec::new();
            for part in parts {
                match part {
                    Expr::Leaf(place) => queries.extend(form_queries(&plan.leaves[*place], words)),
                    part => queries.push(matching(plan, part, words)),
                }
            }
            any_of(queries)
        }
        Expr::Not(part) => Box::new(BooleanQuery::new(vec![
            (Occur::Must, Box::new(AllQuery) as Box<dyn Query>),
            (Occur::MustNot, excluded(plan, part, words)),
        ])),
    }
}

/// Returns the query for what must not match.
fn excluded(plan: &Plan, part: &Expr, words: Words) -> Box<dyn Query> {
    let query = matching(plan, part, words);
    if query.is::<TermQuery>() { query } else { Box::new(Steady(query)) }
}

/// Returns the query for everything that has one of the wanted leaves.
pub(crate) fn touching(plan: &Plan, words: Words) -> Box<dyn Query> {
    any_of(plan.wanted().flat_map(|leaf| form_queries(leaf, words)).collect())
}

/// Returns whether tantivy prunes the query by blocks: a flat AND or OR of terms.
pub(crate) fn is_flat(plan: &Plan, root: &Expr) -> bool {
    let is_term = |part: &Expr, most_forms: usize| match part {
        Expr::Leaf(place) => {
            let forms = &plan.leaves[*place].forms;
            forms.len() <= most_forms && forms.iter().all(|form| form.len() == 1)
        }
        _ => false,
    };
    match root {
        Expr::And(parts) => parts.iter().all(|part| is_term(part, 1)),
        Expr::Or(parts) => parts.iter().all(|part| is_term(part, usize::MAX)),
        root => is_term(root, usize::MAX),
    }
}

/// Counts the matches of a query; after some thousands it estimates the rest.
pub(crate) fn count(
    searcher: &Searcher,
    query: &dyn Query,
    deadline: Instant,
) -> tantivy::Result<Total> {
    let weight = query.weight(EnableScoring::disabled_from_searcher(searcher))?;
    let mut counted = 0_u64;
    let mut docs_before = 0_u64;
    let all_docs: u64 = searcher.segment_readers().iter().map(|s| u64::from(s.max_doc())).sum();
    for segment in searcher.segment_readers() {
        let mut scorer = weight.scorer(segment, 1.0)?;
        let mut doc = scorer.doc();
        while doc != TERMINATED {
            counted += u64::from(!segment.is_deleted(doc));
            let is_late = counted.is_multiple_of(u64::from(STRIDE)) && Instant::now() >= deadline;
            if counted >= MOST_COUNTED || is_late {
                let looked_at = docs_before + u64::from(doc) + 1;
                let share = all_docs as f64 / looked_at.max(1) as f64;
                return Ok(Total { count: (counted as f64 * share) as u64, is_exact: false });
            }
            doc = scorer.advance();
        }
        docs_before += u64::from(segment.max_doc());
    }
    Ok(Total { count: counted, is_exact: true })
}

fn leaf_query(leaf: &Leaf, words: Words) -> Box<dyn Query> {
    any_of(form_queries(leaf, words))
}

/// Returns one query per form of a leaf.
fn form_queries(leaf: &Leaf, words: Words) -> Vec<Box<dyn Query>> {
    leaf.forms.iter().map(|form| form_query(leaf.kind, form, words)).collect()
}

/// Returns the query for one form: all stems of a word, the surface forms of a phrase in a row.
pub(crate) fn form_query(kind: Kind, form: &[String], words: Words) -> Box<dyn Query> {
    let field = if kind == Kind::Word { words.stems } else { words.surfaces };
    let mut terms: Vec<Term> = form.iter().map(|term| Term::from_field_text(field, term)).collect();
    let query =
        |term| -> Box<dyn Query> { Box::new(TermQuery::new(term, IndexRecordOption::WithFreqs)) };
    match (kind, terms.len()) {
        (_, 1) => query(terms.remove(0)),
        (Kind::Phrase, _) => Box::new(PhraseQuery::new(terms)),
        (Kind::Word, _) => {
            let clauses = terms.into_iter().map(|term| (Occur::Must, query(term)));
            Box::new(BooleanQuery::new(clauses.collect()))
        }
    }
}

fn any_of(mut queries: Vec<Box<dyn Query>>) -> Box<dyn Query> {
    match queries.len() {
        1 => queries.remove(0),
        _ => Box::new(BooleanQuery::new(
            queries.into_iter().map(|query| (Occur::Should, query)).collect(),
        )),
    }
}
