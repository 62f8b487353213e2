//! A query that is nothing but terms: all of them, or any.

use tantivy::query::{BooleanQuery, Occur, Query, TermQuery};
use tantivy::{Searcher, Term};

/// Terms of one field, of which a document must have all or any.
#[derive(Debug, PartialEq)]
pub(crate) struct Flat {
    pub(crate) terms: Vec<Term>,
    pub(crate) mode: Mode,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    All,
    Any,
}

impl Flat {
    /// Reads a tantivy query; `None` if it is anything else.
    pub(crate) fn of(query: &dyn Query) -> Option<Self> {
        if let Some(query) = query.downcast_ref::<TermQuery>() {
            return Some(Self { terms: vec![query.term().clone()], mode: Mode::All });
        }
        let clauses = query.downcast_ref::<BooleanQuery>()?.clauses();
        let mode = match clauses.first()?.0 {
            Occur::Must => Mode::All,
            Occur::Should => Mode::Any,
            Occur::MustNot => return None,
        };
        let mut terms = Vec::new();
        for (occur, query) in clauses {
            let is_same = (*occur == Occur::Must) == (mode == Mode::All);
            let query = query.downcast_ref::<TermQuery>()?;
            terms.push(query.term().clone());
            if !is_same || *occur == Occur::MustNot || terms[0].field() != query.term().field() {
                return None;
            }
        }
        Some(Self { terms, mode })
    }

    /// Returns how long the posting lists of its terms are together.
    pub(crate) fn num_postings(&self, searcher: &Searcher) -> tantivy::Result<u64> {
        self.terms.iter().map(|term| searcher.doc_freq(term)).sum()
    }
}
