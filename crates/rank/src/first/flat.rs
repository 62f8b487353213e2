//! A query that is nothing but words, and questions that every answer must or must not meet.

use tantivy::query::{BooleanQuery, ConstScoreQuery, Occur, Query, TermQuery};
use tantivy::{Searcher, Term};

/// Words of which a document must have each, and what else it must be.
pub(crate) struct Flat<'a> {
    /// A word is any of its terms: languages read it differently, or one of several is asked for.
    pub(crate) words: Vec<Vec<Term>>,
    /// What it must meet besides; worth nothing.
    pub(crate) filters: Vec<&'a dyn Query>,
    /// What it must not meet.
    pub(crate) excluded: Vec<&'a dyn Query>,
    /// Whether it is written as an AND or an OR of terms and nothing else, of which tantivy itself
    /// leaves out blocks.
    pub(crate) is_simple: bool,
}

impl<'a> Flat<'a> {
    /// Reads a tantivy query; `None` if it is anything else.
    pub(crate) fn of(query: &'a dyn Query) -> Option<Self> {
        let is_simple = terms_of(query, Occur::Should).or(terms_of(query, Occur::Must)).is_some();
        let (words, filters, excluded) = (Vec::new(), Vec::new(), Vec::new());
        let mut flat = Self { words, filters, excluded, is_simple };
        (flat.add(query) && !flat.words.is_empty()).then_some(flat)
    }

    /// Adds what a document must meet; returns whether that can be said so.
    fn add(&mut self, query: &'a dyn Query) -> bool {
        if let Some(word) = terms_of(query, Occur::Should) {
            self.words.push(word);
            return true;
        }
        // Questions are the only ones of this kind, and they are worth nothing (`checking.rs`).
        if query.is::<ConstScoreQuery>() {
            self.filters.push(query);
            return true;
        }
        let Some(query) = query.downcast_ref::<BooleanQuery>() else { return false };
        query.clauses().iter().all(|(occur, part)| match occur {
            Occur::Must => self.add(part.as_ref()),
            Occur::MustNot => {
                self.excluded.push(part.as_ref());
                true
            }
            Occur::Should => false,
        })
    }

    /// Returns the terms of all words.
    pub(crate) fn terms(&self) -> impl Iterator<Item = &Term> {
        self.words.iter().flatten()
    }

    /// Returns whether there is nothing but words.
    pub(crate) fn is_plain(&self) -> bool {
        self.filters.is_empty() && self.excluded.is_empty()
    }

    /// Returns whether a document with any of the terms will do.
    pub(crate) fn is_any(&self) -> bool {
        self.words.len() == 1
    }

    /// Returns whether one of the words is any of many terms.
    ///
    /// Between two documents that pass, block-max goes over the bounds of all lists; the more lists,
    /// the seldomer it can leave anything out: of a million pages it takes as long as everything with 4
    /// to 8 terms, three times as long with 16 and ten times with 64. And tantivy's looks at no clock
    /// meanwhile.
    pub(crate) fn has_many_terms(&self) -> bool {
        self.words.iter().any(|word| word.len() >= MANY)
    }

    /// Returns how long the posting lists of its terms are together.
    pub(crate) fn num_postings(&self, searcher: &Searcher) -> tantivy::Result<u64> {
        self.terms().map(|term| searcher.doc_freq(term)).sum()
    }
}

/// Terms of one word from which on all documents with any of them are scored.
const MANY: usize = 8;

/// Returns the terms of which a query wants any or all, if that is all it wants.
fn terms_of(query: &dyn Query, wanted: Occur) -> Option<Vec<Term>> {
    if let Some(query) = query.downcast_ref::<TermQuery>() {
        return Some(vec![query.term().clone()]);
    }
    let clauses = query.downcast_ref::<BooleanQuery>()?.clauses();
    let term = |(occur, part): &(Occur, Box<dyn Query>)| {
        let part = part.downcast_ref::<TermQuery>().filter(|_| *occur == wanted)?;
        Some(part.term().clone())
    };
    let terms: Option<Vec<Term>> = clauses.iter().map(term).collect();
    terms.filter(|terms| !terms.is_empty())
}

#[cfg(test)]
mod tests {
    use tantivy::query::{BoostQuery, EmptyQuery};
    use tantivy::schema::{Field, IndexRecordOption};

    use super::*;

    fn term(text: &str) -> Box<dyn Query> {
        let term = Term::from_field_text(Field::from_field_id(0), text);
        Box::new(TermQuery::new(term, IndexRecordOption::WithFreqs))
    }

    fn group(occur: Occur, parts: Vec<Box<dyn Query>>) -> Box<dyn Query> {
        Box::new(BooleanQuery::new(parts.into_iter().map(|part| (occur, part)).collect()))
    }

    /// Words as `a|b c`, then the number of filters and of what is excluded.
    fn told(query: &dyn Query) -> Option<(String, usize, usize)> {
        let flat = Flat::of(query)?;
        let text = |term: &Term| term.value().as_str().map(str::to_owned).unwrap_or_default();
        let word = |word: &Vec<Term>| word.iter().map(text).collect::<Vec<_>>().join("|");
        let words: Vec<String> = flat.words.iter().map(word).collect();
        Some((words.join(" "), flat.filters.len(), flat.excluded.len()))
    }

    #[test]
    fn words_are_told_from_what_else_is_asked_for() {
        let any = || group(Occur::Should, vec![term("b"), term("c")]);
        let question = || Box::new(ConstScoreQuery::new(term("q"), 0.0)) as Box<dyn Query>;
        let all = |parts| group(Occur::Must, parts);
        let is = |words: &str, filters, excluded| Some((words.to_owned(), filters, excluded));
        assert_eq!(told(term("a").as_ref()), is("a", 0, 0));
        assert_eq!(told(any().as_ref()), is("b|c", 0, 0));
        assert_eq!(told(all(vec![term("a"), any()]).as_ref()), is("a b|c", 0, 0));
        // Parts of a word that has no spaces are words.
        let nested = all(vec![term("a"), all(vec![term("d"), term("e")])]);
        assert_eq!(told(nested.as_ref()), is("a d e", 0, 0));
        // tantivy takes such a one for anything but words.
        assert!(!Flat::of(nested.as_ref()).is_some_and(|flat| flat.is_simple));
        let simple = [term("a"), any(), all(vec![term("a"), term("b")])];
        assert!(simple.iter().all(|it| Flat::of(it.as_ref()).is_some_and(|flat| flat.is_simple)));
        let mixed = BooleanQuery::new(vec![
            (Occur::Must, term("a")),
            (Occur::Must, question()),
            (Occur::MustNot, any()),
        ]);
        assert_eq!(told(&mixed), is("a", 1, 1));
    }

    #[test]
    fn anything_else_is_not_flat() {
        let boosted = || Box::new(BoostQuery::new(term("a"), 0.5)) as Box<dyn Query>;
        let question = Box::new(ConstScoreQuery::new(term("q"), 0.0));
        for query in [
            boosted(),
            group(Occur::Must, vec![term("a"), boosted()]),
            group(Occur::Should, vec![term("a"), group(Occur::Must, vec![term("b")])]),
            // Nothing that could be worth something.
            group(Occur::Must, vec![question]),
            group(Occur::MustNot, vec![term("a")]),
            Box::new(EmptyQuery),
        ] {
            assert!(told(query.as_ref()).is_none(), "{query:?}");
        }
        let optional = vec![(Occur::Must, term("a")), (Occur::Should, term("b"))];
        assert!(told(&BooleanQuery::new(optional)).is_none());
    }
}
