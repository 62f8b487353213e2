//! A scope that is replaced while a crawl runs (C16).

use std::ops::Deref;
use std::sync::{Arc, PoisonError, RwLock};

use super::Scope;

/// What takes the place of the scope that a crawl began with; nothing at first. Clones share it.
#[derive(Clone, Debug, Default)]
pub struct NewScope(Arc<RwLock<Option<Arc<Scope>>>>);

impl NewScope {
    pub(crate) fn set(&self, scope: Scope) {
        let new = Some(Arc::new(scope));
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = new;
    }

    /// Returns the scope that holds now: this one, or the one that the crawl began with.
    pub(crate) fn or<'a>(&self, first: &'a Scope) -> Current<'a> {
        match &*self.0.read().unwrap_or_else(PoisonError::into_inner) {
            Some(new) => Current::New(new.clone()),
            None => Current::First(first),
        }
    }
}

/// The scope that holds at a moment.
pub(crate) enum Current<'a> {
    First(&'a Scope),
    New(Arc<Scope>),
}

impl Deref for Current<'_> {
    type Target = Scope;

    fn deref(&self) -> &Scope {
        match self {
            Self::First(scope) => scope,
            Self::New(scope) => scope,
        }
    }
}
