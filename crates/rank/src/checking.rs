//! Questions to pages as queries of tantivy; none of them scores.

use std::ops::Bound;
use std::sync::Arc;

use index::Fields;
use tantivy::Term;
use tantivy::query::{
    BooleanQuery, ConstScoreQuery, EmptyQuery, Occur, Query, RangeQuery, TermQuery, TermSetQuery,
};
use tantivy::schema::{Field, IndexRecordOption};

use crate::below::{BelowQuery, Folders};
use crate::near::{NearQuery, Reach};
use crate::patience::Patience;
use crate::plan::{Check, Operands, Place, Start};
use crate::row::RowQuery;

/// Makes queries of questions.
#[derive(Clone, Debug)]
pub(crate) struct Checker {
    pub(crate) fields: Fields,
    pub(crate) patience: Patience,
    /// What is known of folders so far.
    pub(crate) folders: Folders,
}

impl Checker {
    /// Returns the query for the pages that answer with yes; their score is 0.
    pub(crate) fn query(&self, check: &Check) -> Box<dyn Query> {
        Box::new(ConstScoreQuery::new(self.plain(check), 0.0))
    }

    fn plain(&self, check: &Check) -> Box<dyn Query> {
        match check {
            Check::Term(place, term) => term_query(self.field(*place), term),
            Check::Row(place, row) => row_query(self.field(*place), self.breaks(*place), row),
            Check::Near(place, operands) => self.near(*place, operands),
            Check::Titled(having, rows) => self.titled(having, rows),
            Check::Below(starts) => self.below(starts.clone()),
            Check::Dated(from, until) => {
                let term = |millis: &i64| Term::from_field_i64(self.fields.date, *millis);
                let lower = from.as_ref().map_or(Bound::Unbounded, |at| Bound::Included(term(at)));
                let upper = until.as_ref().map_or(Bound::Unbounded, |at| Bound::Excluded(term(at)));
                Box::new(RangeQuery::new(lower, upper))
            }
            Check::Pages(pages) => {
                let term =
                    |page: &base::PageId| Term::from_field_u64(self.fields.page, page.as_u64());
                Box::new(TermSetQuery::new(pages.iter().map(term)))
            }
            Check::All(checks) => all_of(checks.iter().map(|check| self.plain(check)).collect()),
            Check::Any(checks) => self.any(checks),
        }
    }

    /// Asks for some of this; folders are walked together.
    fn any(&self, checks: &[Check]) -> Box<dyn Query> {
        let (mut queries, mut starts) = (Vec::new(), Vec::new());
        for check in checks {
            match check {
                Check::Below(below) => starts.extend_from_slice(below),
                check => queries.push(self.plain(check)),
            }
        }
        if !starts.is_empty() {
            queries.push(self.below(starts));
        }
        any_of(queries)
    }

    fn below(&self, starts: Vec<Start>) -> Box<dyn Query> {
        let (folders, patience) = (&self.folders, &self.patience);
        Box::new(BelowQuery::new(self.fields.key, starts, folders, patience))
    }

    fn near(&self, place: Place, operands: &Operands) -> Box<dyn Query> {
        let field = self.field(place);
        let operand =
            |rows: &Vec<Vec<String>>| any_of(rows.iter().map(|row| together(field, row)).collect());
        Box::new(NearQuery {
            all: all_of(operands.rows.iter().map(operand).collect()),
            field,
            breaks: self.breaks(place),
            operands: Arc::new(operands.clone()),
            reach: Reach::Anywhere,
            patience: Some(self.patience.clone()),
        })
    }

    /// The title has stems only; its surface forms are the first block of the words. Positions are
    /// read where the title has the stems and the page has the words, and nowhere else.
    fn titled(&self, having: &Check, rows: &[Vec<String>]) -> Box<dyn Query> {
        let field = self.fields.words;
        let written = rows.iter().map(|row| together(field, row)).collect();
        let operands = Operands { rows: vec![rows.to_vec()], distances: Vec::new() };
        Box::new(NearQuery {
            all: all_of(vec![self.plain(having), any_of(written)]),
            field,
            breaks: Some(self.fields.breaks),
            operands: Arc::new(operands),
            reach: Reach::First,
            patience: Some(self.patience.clone()),
        })
    }

    fn field(&self, place: Place) -> Field {
        field(self.fields, place)
    }

    /// Returns where the blocks of a place end; only the text has several.
    fn breaks(&self, place: Place) -> Option<Field> {
        (place == Place::Words).then_some(self.fields.breaks)
    }
}

/// Returns the field of a place.
pub(crate) fn field(fields: Fields, place: Place) -> Field {
    match place {
        Place::Words => fields.words,
        Place::Title => fields.title,
        Place::Address => fields.address,
        Place::AddressWords => fields.address_words,
        Place::Host => fields.host,
        Place::Domain => fields.domain,
        Place::Kind => fields.kind,
        Place::Language => fields.language,
        Place::Country => fields.country,
        Place::Key => fields.key,
    }
}

/// Returns the query for terms side by side; empty ones stand for any. All are in one block if it
/// is said where those end.
pub(crate) fn row_query(field: Field, breaks: Option<Field>, row: &[String]) -> Box<dyn Query> {
    let known = row.iter().enumerate().filter(|(_, term)| !term.is_empty());
    let terms: Vec<(usize, Term)> =
        known.map(|(offset, term)| (offset, Term::from_field_text(field, term))).collect();
    match terms.as_slice() {
        [] => Box::new(EmptyQuery),
        [(_, term)] => Box::new(TermQuery::new(term.clone(), IndexRecordOption::WithFreqs)),
        _ if breaks.is_some() && row.iter().any(String::is_empty) => {
            let operands = Operands { rows: vec![vec![row.to_vec()]], distances: Vec::new() };
            Box::new(NearQuery {
                all: Box::new(RowQuery::new(terms)),
                field,
                breaks,
                operands: Arc::new(operands),
                reach: Reach::Anywhere,
                patience: None,
            })
        }
        _ => Box::new(RowQuery::new(terms)),
    }
}

/// Returns the query for documents that have all terms of a row, in any place.
fn together(field: Field, row: &[String]) -> Box<dyn Query> {
    let known = row.iter().filter(|term| !term.is_empty());
    all_of(known.map(|term| term_query(field, term)).collect())
}

fn term_query(field: Field, term: &str) -> Box<dyn Query> {
    let term = Term::from_field_text(field, term);
    Box::new(TermQuery::new(term, IndexRecordOption::Basic))
}

fn all_of(queries: Vec<Box<dyn Query>>) -> Box<dyn Query> {
    combined(queries, Occur::Must)
}

pub(crate) fn any_of(queries: Vec<Box<dyn Query>>) -> Box<dyn Query> {
    combined(queries, Occur::Should)
}

fn combined(mut queries: Vec<Box<dyn Query>>, occur: Occur) -> Box<dyn Query> {
    match queries.len() {
        0 => Box::new(EmptyQuery),
        1 => queries.remove(0),
        _ => {
            let clauses = queries.into_iter().map(|query| (occur, query));
            Box::new(BooleanQuery::new(clauses.collect()))
        }
    }
}
