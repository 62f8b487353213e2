//! What the first stage is asked: the queries of a plan, and how many pages match.

use index::{Expired, Fields, anchors};
use tantivy::query::{AllQuery, BooleanQuery, BoostQuery, EnableScoring, Occur, Query, TermQuery};
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{DocAddress, Searcher, TERMINATED, Term};

use crate::answer::Total;
use crate::checking::{Checker, any_of, row_query};
use crate::patience::Patience;
use crate::plan::{Check, Expr, Kind, Leaf, Plan, Start};
use crate::steady::Steady;

/// Where the words of an index lie: both indexes have stems and surface forms.
#[derive(Clone, Copy)]
pub(crate) struct Words {
    pub(crate) stems: Field,
    pub(crate) surfaces: Field,
    /// Where the blocks of surface forms end; `None` if they are too far apart to matter.
    pub(crate) breaks: Option<Field>,
}

impl From<Fields> for Words {
    fn from(fields: Fields) -> Self {
        Self { stems: fields.stems, surfaces: fields.words, breaks: Some(fields.breaks) }
    }
}

impl From<anchors::Fields> for Words {
    fn from(fields: anchors::Fields) -> Self {
        Self { stems: fields.stems, surfaces: fields.words, breaks: None }
    }
}

/// Documents looked at between two looks at the clock.
const STRIDE: u32 = 512;
/// Matches counted before the rest is estimated.
pub(crate) const MOST_COUNTED: u64 = 10_000;

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
    /// Returns the query for the pages that meet the whole condition of a plan.
    ///
    /// Pages without any text are left out of what no word asks for, but not of what names them:
    /// nobody who lists a site wants its empty pages (HTM-21). Others' words find them all the same.
    pub(crate) fn whole(&self, root: &Expr) -> Box<dyn Query> {
        let query = self.query(root);
        if !self.plan.may_hold_without_words(root) {
            return query;
        }
        let silent = Term::from_field_text(self.checker.fields.silent, index::SILENT);
        let silent = TermQuery::new(silent, IndexRecordOption::Basic);
        Box::new(BooleanQuery::new(vec![(Occur::Must, query), (Occur::MustNot, Box::new(silent))]))
    }

    /// Returns the query for the pages that meet a condition.
    pub(crate) fn query(&self, expr: &Expr) -> Box<dyn Query> {
        match expr {
            Expr::Leaf(place) => any_of(self.leaf_queries(*place)),
            Expr::And(parts) => {
                let mut clauses = Vec::new();
                let mut denied = Vec::new();
                let mut is_bound = false;
                for part in parts {
                    match part {
                        Expr::Not(part) => match self.folders(part) {
                            Some(folders) => denied.extend_from_slice(folders),
                            None => clauses.push((Occur::MustNot, self.excluded(part))),
                        },
                        part => clauses.push((Occur::Must, self.query(part))),
                    }
                    is_bound |= !matches!(part, Expr::Not(_));
                }
                if !denied.is_empty() {
                    clauses.push((Occur::MustNot, Box::new(Steady(self.in_folders(denied)))));
                }
                if !is_bound {
                    clauses.push((Occur::Must, Box::new(AllQuery)));
                }
                Box::new(BooleanQuery::new(clauses))
            }
            Expr::Or(parts) => {
                // Forms of a word go beside the other words, so that the query stays flat.
                let (mut queries, mut folders) = (Vec::new(), Vec::new());
                for part in parts {
                    match (self.folders(part), part) {
                        (Some(own), _) => folders.extend_from_slice(own),
                        (None, Expr::Leaf(place)) => queries.extend(self.leaf_queries(*place)),
                        (None, part) => queries.push(self.query(part)),
                    }
                }
                if !folders.is_empty() {
                    queries.push(self.in_folders(folders));
                }
                any_of(queries)
            }
            Expr::Not(part) => Box::new(BooleanQuery::new(vec![
                (Occur::Must, Box::new(AllQuery) as Box<dyn Query>),
                (Occur::MustNot, self.excluded(part)),
            ])),
        }
    }

    /// Returns the folders that a condition asks for, if it asks for nothing else. Those of several
    /// conditions are walked together, and what lies in two of them once.
    fn folders(&self, part: &Expr) -> Option<&[Start]> {
        let Expr::Leaf(place) = part else { return None };
        match &self.plan.leaves[*place].check {
            Some(Check::Below(starts)) => Some(starts),
            _ => None,
        }
    }

    fn in_folders(&self, starts: Vec<Start>) -> Box<dyn Query> {
        self.checker.query(&Check::Below(starts))
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

/// Counts the matches of a query; after some thousands it estimates the rest.
pub(crate) fn count(
    searcher: &Searcher,
    query: &dyn Query,
    patience: &Patience,
    gone: Option<Expired<'_>>,
) -> tantivy::Result<Total> {
    // One word: the dictionary knows.
    let is_whole = searcher.segment_readers().iter().all(|segment| !segment.has_deletes());
    if let Some(query) = query.downcast_ref::<TermQuery>().filter(|_| is_whole && gone.is_none()) {
        return Ok(Total { count: searcher.doc_freq(query.term())?, is_exact: true });
    }
    let weight = query.weight(EnableScoring::disabled_from_searcher(searcher))?;
    let mut counted = 0_u64;
    let mut docs_before = 0_u64;
    let all_docs: u64 = searcher.segment_readers().iter().map(|s| u64::from(s.max_doc())).sum();
    for (segment_ord, segment) in (0..).zip(searcher.segment_readers()) {
        let is_gone =
            |doc_id| gone.is_some_and(|gone| gone.holds(DocAddress { segment_ord, doc_id }));
        let mut scorer = weight.scorer(segment, 1.0)?;
        let mut doc = scorer.doc();
        while doc != TERMINATED {
            counted += u64::from(!segment.is_deleted(doc) && !is_gone(doc));
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

/// Returns one query per form of a leaf.
fn form_queries(leaf: &Leaf, words: Words) -> Vec<Box<dyn Query>> {
    leaf.forms.iter().map(|form| form_query(leaf.kind, form, words)).collect()
}

/// Returns the query for one form: all stems of a word, the surface forms of a phrase in a row.
pub(crate) fn form_query(kind: Kind, form: &[String], words: Words) -> Box<dyn Query> {
    if kind != Kind::Word {
        return row_query(words.surfaces, words.breaks, form);
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
