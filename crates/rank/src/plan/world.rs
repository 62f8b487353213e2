//! What a plan needs to know of the collection.

use std::sync::Arc;

use base::{PageId, Url};
use text::{Language, Lexicon};

use super::check::Place;
use crate::related::Related;

/// Terms of the index that something stands for.
#[derive(Debug, Default)]
pub(crate) struct Terms {
    /// The most frequent first.
    pub(crate) terms: Vec<String>,
    /// Whether there are more.
    pub(crate) is_cut: bool,
}

/// Who links to an address.
#[derive(Debug)]
pub(crate) enum Linking {
    /// No link analysis has been made yet.
    NotYet,
    /// These do.
    Pages {
        /// The pages, in no order.
        pages: Vec<PageId>,
        /// Whether there are more.
        is_cut: bool,
    },
}

/// Answers questions about the collection while a plan is made. Without answers, a plan is made
/// of the query alone.
pub(crate) trait World {
    /// Returns how many pages have a surface form, roughly.
    fn frequency(&self, _surface: &str) -> tantivy::Result<u64> {
        Ok(0)
    }

    /// Returns whether a page, or links to one, may have all these stems.
    fn is_used(&self, _stems: &[String]) -> tantivy::Result<bool> {
        Ok(true)
    }

    /// Returns whether a page in one of some languages, or a link, may have all these stems.
    fn is_used_in(&self, _stems: &[String], _codes: &[&str]) -> tantivy::Result<bool> {
        Ok(true)
    }

    /// Returns up to `most` terms of a field that begin with `prefix` and fit.
    fn beginning_with(
        &self,
        _place: Place,
        _prefix: &str,
        _fits: &mut dyn FnMut(&str) -> bool,
        _most: usize,
    ) -> tantivy::Result<Terms> {
        Ok(Terms::default())
    }

    /// Returns up to `most` terms of a field that are nearly a word and begin with its letter.
    fn nearly(
        &self,
        _place: Place,
        _word: &str,
        _edits: u8,
        _most: usize,
    ) -> tantivy::Result<Terms> {
        Ok(Terms::default())
    }

    /// Returns the pages that link to one of some addresses.
    fn linking_to(&self, _urls: &[Url]) -> tantivy::Result<Linking> {
        Ok(Linking::NotYet)
    }

    /// Returns what is like the first of some addresses that is known.
    fn related(&self, _urls: &[Url]) -> tantivy::Result<Option<Related>> {
        Ok(None)
    }

    /// Returns the user's synonyms as a language reads them.
    fn lexicon(&self, _language: Option<Language>) -> Option<Arc<Lexicon>> {
        None
    }
}

/// A world of which nothing is known.
#[cfg(test)]
pub(crate) struct Nowhere;

#[cfg(test)]
impl World for Nowhere {}
