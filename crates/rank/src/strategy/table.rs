//! The lists of one query as strategies see them: by weight from the top, and by document.

use std::collections::HashSet;
use std::io;
use std::ops::Range;

use tantivy::DocAddress;

use super::lists::{Entry, List};
use super::{FirstStage, Store};
use crate::first::{Flat, Heap};
use crate::generation::Links;

/// The lists of a query's terms and the ranks; counts what is read.
pub(crate) struct Table<'a> {
    pub(crate) lists: Vec<List<'a>>,
    /// The lists of each word: whoever is in one of them has it.
    pub(crate) words: Vec<Range<usize>>,
    pub(crate) store: &'a Store,
    links: &'a Links,
    rank_weight: f32,
    seen: HashSet<u32>,
    pub(crate) num_postings: u64,
    pub(crate) num_documents: u64,
}

impl<'a> Table<'a> {
    /// Opens the lists of a query.
    pub(crate) fn open(
        first: &FirstStage<'a>,
        store: &'a Store,
        flat: &Flat<'_>,
    ) -> tantivy::Result<Self> {
        let mut words = Vec::new();
        for terms in &flat.words {
            let lists = terms.iter().map(|term| store.lists.list(term, first.snapshot));
            words.push(lists.collect::<tantivy::Result<_>>()?);
        }
        Ok(Self::new(words, store, first.links, first.ranks.weight()))
    }

    /// Takes terms that have lists on disk, of which any will do, and what the rank of the most
    /// important page is worth.
    #[cfg(test)]
    pub(crate) fn of(store: &'a Store, terms: &[&str], links: &'a Links, rank_weight: f32) -> Self {
        let lists = terms.iter().map(|term| store.lists.stored(term.as_bytes()).unwrap());
        Self::new(vec![lists.collect()], store, links, rank_weight)
    }

    fn new(
        lists_by_word: Vec<Vec<List<'a>>>,
        store: &'a Store,
        links: &'a Links,
        rank_weight: f32,
    ) -> Self {
        let (mut lists, mut words) = (Vec::new(), Vec::new());
        for word in lists_by_word {
            words.push(lists.len()..lists.len() + word.len());
            lists.extend(word);
        }
        let seen = HashSet::new();
        Self { lists, words, store, links, rank_weight, seen, num_postings: 0, num_documents: 0 }
    }

    /// Returns the entry at a place of a list by weight; `None` behind its end.
    pub(crate) fn at(&mut self, list: usize, place: usize) -> io::Result<Option<Entry>> {
        let entry = self.lists[list].by_weight(place)?;
        self.num_postings += u64::from(entry.is_some());
        Ok(entry)
    }

    /// Returns what a document gets by its rank.
    pub(crate) fn rank(&self, ordinal: u32) -> f32 {
        self.rank_weight * self.links.importance(self.store.lists.page(ordinal))
    }

    /// Returns the most important document but `place`, and its rank; `None` if ranks count nothing.
    pub(crate) fn by_rank(&self, place: usize) -> Option<(u32, f32)> {
        if self.rank_weight == 0.0 {
            return None;
        }
        let ordinal = *self.store.by_rank.get(place)?;
        Some((ordinal, self.rank(ordinal)))
    }

    /// Scores a document whole, the first time that it is met.
    pub(crate) fn take(&mut self, ordinal: u32, heap: &mut Heap) -> io::Result<()> {
        if !self.seen.insert(ordinal) {
            return Ok(());
        }
        self.num_documents += 1;
        if let Some(score) = self.score(ordinal)? {
            // Addresses are looked up in the end, for the few that are kept.
            let address = DocAddress { segment_ord: 0, doc_id: ordinal };
            heap.push(score + self.rank(ordinal), address);
        }
        Ok(())
    }
    /// Returns what the words of a document are worth; `None` if it lacks one.
    fn score(&mut self, ordinal: u32) -> io::Result<Option<f32>> {
        let mut score = 0.0;
        for word in &self.words {
            let mut is_found = false;
            for list in &mut self.lists[word.clone()] {
                self.num_postings += 1;
                if let Some(weight) = list.weight_of(ordinal)? {
                    score += weight;
                    is_found = true;
                }
            }
            if !is_found {
                return Ok(None);
            }
        }
        Ok(Some(score))
    }
}
