//! First stage: some hundreds of good pages, found cheaply.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use index::{Fields, anchors};
use tantivy::query::{
    AllQuery, BooleanQuery, BoostQuery, EnableScoring, Occur, Query, TermQuery, Weight,
};
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{DocAddress, Searcher, SegmentReader, TERMINATED, Term};

use crate::answer::Total;
use crate::checking::{Checker, any_of, row_query};
use crate::patience::Patience;
use crate::plan::{Expr, Kind, Leaf, Plan};
use crate::quorum::Quorum;
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

/// The best documents of one search, and whether it came to its end.
#[derive(Default)]
pub(crate) struct Best {
    pub(crate) addresses: Vec<DocAddress>,
    /// Whether more documents match than were kept.
    pub(crate) is_full: bool,
    pub(crate) is_cut_short: bool,
}

/// What a document gets besides its words.
pub(crate) struct StaticRank<'a> {
    pub(crate) of: &'a dyn Fn(DocAddress) -> f32,
    /// No document gets more.
    pub(crate) most: f32,
}

/// Documents looked at between two looks at the clock.
const STRIDE: u32 = 512;
/// Matches counted before the rest is estimated.
const MOST_COUNTED: u64 = 10_000;

/// How widely pages are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Breadth {
    /// By the words themselves.
    Narrow,
    /// Also by what may stand in their place.
    Wide,
}

/// Makes the queries of a plan for the index of pages.
pub(crate) struct Matcher<'a> {
    pub(crate) plan: &'a Plan,
    pub(crate) checker: &'a Checker,
    pub(crate) breadth: Breadth,
}

impl Matcher<'_> {
    /// Returns the query for the pages that meet a condition.
    pub(crate) fn query(&self, expr: &Expr) -> Box<dyn Query> {
        match expr {
            Expr::Leaf(place) => any_of(self.leaf_queries(*place)),
            Expr::And(parts) => {
                let mut clauses = Vec::new();
                let mut is_bound = false;
                for part in parts {
                    clauses.push(match part {
                        Expr::Not(part) => (Occur::MustNot, self.excluded(part)),
                        part => (Occur::Must, self.query(part)),
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
                        Expr::Leaf(place) => queries.extend(self.leaf_queries(*place)),
                        part => queries.push(self.query(part)),
                    }
                }
                any_of(queries)
            }
            Expr::Not(part) => Box::new(BooleanQuery::new(vec![
                (Occur::Must, Box::new(AllQuery) as Box<dyn Query>),
                (Occur::MustNot, self.excluded(part)),
            ])),
            Expr::Some(least, parts) => {
                let parts = parts.iter().map(|part| self.query(part)).collect();
                let patience = self.checker.patience.clone();
                Box::new(Quorum { least: *least, parts, patience })
            }
        }
    }

    /// Returns the query for what must not match.
    fn excluded(&self, part: &Expr) -> Box<dyn Query> {
        let query = self.query(part);
        if query.is::<TermQuery>() { query } else { Box::new(Steady(query)) }
    }

    /// Returns the queries of which a page must meet one to have a leaf.
    fn leaf_queries(&self, place: usize) -> Vec<Box<dyn Query>> {
        let leaf = &self.plan.leaves[place];
        let words = Words::from(self.checker.fields);
        let Some(check) = &leaf.check else {
            let mut queries = form_queries(leaf, words);
            let others = leaf.others.iter().filter(|_| self.breadth == Breadth::Wide);
            queries.extend(others.map(|other| {
                let query = form_query(other.kind, &other.terms, words);
                Box::new(BoostQuery::new(query, other.weight)) as Box<dyn Query>
            }));
            return queries;
        };
        let asked = self.checker.query(check);
        if leaf.helpers.is_empty() {
            return vec![asked];
        }
        let mut clauses = vec![(Occur::Must, asked)];
        for helper in &leaf.helpers {
            let queries = form_queries(&self.plan.leaves[*helper], words);
            clauses.push((Occur::Should, any_of(queries)));
        }
        vec![Box::new(BooleanQuery::new(clauses))]
    }
}

/// Returns the query for everything that has one of the wanted leaves.
pub(crate) fn touching(plan: &Plan, words: Words) -> Box<dyn Query> {
    let mut queries = Vec::new();
    for leaf in plan.wanted() {
        queries.extend(form_queries(leaf, words));
        let others = leaf.others.iter();
        queries.extend(others.map(|other| form_query(other.kind, &other.terms, words)));
    }
    any_of(queries)
}

/// Returns whether tantivy prunes the query by blocks: a flat AND or OR of terms.
pub(crate) fn is_flat(plan: &Plan, root: &Expr, breadth: Breadth) -> bool {
    let is_term = |part: &Expr, most_forms: usize| match part {
        Expr::Leaf(place) => {
            let leaf = &plan.leaves[*place];
            let has_no_others = breadth == Breadth::Narrow || leaf.others.is_empty();
            leaf.kind != Kind::Check
                && has_no_others
                && leaf.forms.len() <= most_forms
                && leaf.forms.iter().all(|form| form.len() == 1)
        }
        _ => false,
    };
    match root {
        Expr::And(parts) => parts.iter().all(|part| is_term(part, 1)),
        Expr::Or(parts) => parts.iter().all(|part| is_term(part, usize::MAX)),
        root => is_term(root, usize::MAX),
    }
}

/// Returns the `count` best documents by BM25 plus static rank, in order of address.
///
/// Exact: the threshold handed to tantivy is the worst kept score less what a document could
/// still get from its static rank. A query that is not flat is walked by hand, so that the
/// deadline holds for it too.
pub(crate) fn best(
    searcher: &Searcher,
    query: &dyn Query,
    is_flat: bool,
    count: usize,
    rank: &StaticRank<'_>,
    patience: &Patience,
) -> tantivy::Result<Best> {
    let weight = query.weight(EnableScoring::enabled_from_searcher(searcher))?;
    let mut heap = Heap { kept: BinaryHeap::new(), count };
    let mut is_cut_short = false;
    for (segment_ord, segment) in (0..).zip(searcher.segment_readers()) {
        if is_cut_short {
            break;
        }
        let mut num_visited = 0;
        let mut visit = |doc_id, score: f32| {
            num_visited += 1;
            if num_visited % STRIDE == 0 && patience.is_over() {
                is_cut_short = true;
            }
            if is_cut_short {
                return f32::INFINITY;
            }
            if !segment.is_deleted(doc_id) {
                let address = DocAddress { segment_ord, doc_id };
                heap.push(score + (rank.of)(address), address);
            }
            heap.threshold() - rank.most
        };
        if is_flat {
            weight.for_each_pruning(f32::MIN, segment, &mut visit)?;
        } else {
            walk(weight.as_ref(), segment, &mut visit)?;
        }
    }
    let is_full = heap.kept.len() == count;
    let mut addresses: Vec<_> =
        heap.kept.into_iter().map(|Reverse(Scored { address, .. })| address).collect();
    addresses.sort_unstable();
    Ok(Best { addresses, is_full, is_cut_short })
}

/// Counts the matches of a query; after some thousands it estimates the rest.
pub(crate) fn count(
    searcher: &Searcher,
    query: &dyn Query,
    patience: &Patience,
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
            let is_late = counted.is_multiple_of(u64::from(STRIDE)) && patience.is_over();
            if counted >= MOST_COUNTED || is_late {
                let looked_at = docs_before + u64::from(doc) + 1;
                let share = all_docs as f64 / looked_at.max(1) as f64;
                return Ok(Total { count: (counted as f64 * share) as u64, is_exact: false });
            }
            doc = scorer.advance();
        }
        docs_before += u64::from(segment.max_doc());
    }
    Ok(Total { count: counted, is_exact: !patience.was_lost() })
}

/// Visits every match of a query until the visitor asks for more than there can be.
fn walk(
    weight: &dyn Weight,
    segment: &SegmentReader,
    visit: &mut impl FnMut(u32, f32) -> f32,
) -> tantivy::Result<()> {
    let mut scorer = weight.scorer(segment, 1.0)?;
    let mut doc = scorer.doc();
    while doc != TERMINATED {
        if visit(doc, scorer.score()) == f32::INFINITY {
            break;
        }
        doc = scorer.advance();
    }
    Ok(())
}

/// Returns one query per form of a leaf.
fn form_queries(leaf: &Leaf, words: Words) -> Vec<Box<dyn Query>> {
    leaf.forms.iter().map(|form| form_query(leaf.kind, form, words)).collect()
}

/// Returns the query for one form: all stems of a word, the surface forms of a phrase in a row.
pub(crate) fn form_query(kind: Kind, form: &[String], words: Words) -> Box<dyn Query> {
    if kind != Kind::Word {
        return row_query(words.surfaces, form);
    }
    let query = |stem: &String| -> Box<dyn Query> {
        let term = Term::from_field_text(words.stems, stem);
        Box::new(TermQuery::new(term, IndexRecordOption::WithFreqs))
    };
    match form {
        [stem] => query(stem),
        stems => {
            let clauses = stems.iter().map(|stem| (Occur::Must, query(stem)));
            Box::new(BooleanQuery::new(clauses.collect()))
        }
    }
}

/// The best documents seen so far, the worst of them on top.
struct Heap {
    kept: BinaryHeap<Reverse<Scored>>,
    count: usize,
}

#[derive(Clone, Copy, Debug)]
struct Scored {
    score: f32,
    address: DocAddress,
}

impl Heap {
    fn push(&mut self, score: f32, address: DocAddress) {
        let scored = Reverse(Scored { score, address });
        if self.kept.len() < self.count {
            self.kept.push(scored);
        } else if self.kept.peek().is_some_and(|worst| scored < *worst) {
            self.kept.pop();
            self.kept.push(scored);
        }
    }

    /// Returns what a document must beat to be kept.
    fn threshold(&self) -> f32 {
        match self.kept.peek() {
            Some(Reverse(worst)) if self.kept.len() == self.count => worst.score,
            _ => f32::MIN,
        }
    }
}

impl Ord for Scored {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        // Equal scores: the earlier document is the better one.
        self.score.total_cmp(&other.score).then(other.address.cmp(&self.address))
    }
}

impl PartialOrd for Scored {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Scored {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Scored {}
