//! The lists of a commit, opened, with what is derived from them and a generation.

use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use base::{Collection, Generation};
use index::Snapshot;
use tracing::{debug, info};

use super::Strategy;
use super::lists::{self, Lists};
use crate::Error;
use crate::generation::Links;

/// Lists and the orders made of them.
#[derive(Debug)]
pub(crate) struct Store {
    pub(crate) lists: Lists,
    /// Documents, the most important first.
    pub(crate) by_rank: Vec<u32>,
    /// Documents by the number of their leader.
    pub(crate) followers: Vec<Vec<u32>>,
    generation: Option<Generation>,
    /// Whether the ranks were known; they may come later (STO-13).
    is_ranked: bool,
}

/// Where the lists of a collection are, and those in use.
#[derive(Debug)]
pub(crate) struct Stores {
    collection: Collection,
    present: Mutex<Option<Arc<Store>>>,
}

const FILE: &str = "lists";

impl Store {
    pub(crate) fn new(lists: Lists, links: &Links) -> Self {
        let mut by_rank: Vec<(u32, f32)> = (0..lists.num_docs())
            .map(|ordinal| (ordinal, links.importance(lists.page(ordinal))))
            .collect();
        by_rank.sort_by(|one, other| other.1.total_cmp(&one.1).then(one.0.cmp(&other.0)));
        let mut followers = vec![Vec::new(); lists.leaders().len()];
        for (ordinal, leader) in (0..).zip(lists.led_by()) {
            followers[*leader as usize].push(ordinal);
        }
        let by_rank = by_rank.into_iter().map(|(ordinal, _)| ordinal).collect();
        let (generation, is_ranked) = (links.generation, links.has_scores());
        Self { lists, by_rank, followers, generation, is_ranked }
    }
}

impl Stores {
    pub(crate) fn new(collection: Collection) -> Self {
        Self { collection, present: Mutex::new(None) }
    }

    /// Returns the lists that a strategy needs, if there are any of this very commit.
    pub(crate) fn get(
        &self,
        strategy: Strategy,
        snapshot: &Snapshot,
        links: &Links,
    ) -> Option<Arc<Store>> {
        if !strategy.needs_lists() {
            return None;
        }
        let mut present = self.present.lock().unwrap_or_else(PoisonError::into_inner);
        let is_right = |store: &&Arc<Store>| {
            let is_of_links =
                store.generation == links.generation && store.is_ranked == links.has_scores();
            is_of_links && store.lists.is_of(snapshot)
        };
        if let Some(store) = present.as_ref().filter(is_right) {
            return Some(store.clone());
        }
        let lists = Lists::open(&self.path(links))
            .inspect_err(|error| debug!(%error, "lists of strategies cannot be used"))
            .ok()?;
        if !lists.is_of(snapshot) {
            return None;
        }
        let store = Arc::new(Store::new(lists, links));
        *present = Some(store.clone());
        Some(store)
    }

    /// Makes the lists that a strategy needs, unless they are there.
    pub(crate) fn prepare(
        &self,
        strategy: Strategy,
        snapshot: &Snapshot,
        links: &Links,
    ) -> Result<(), Error> {
        if !strategy.needs_lists() || self.get(strategy, snapshot, links).is_some() {
            return Ok(());
        }
        let path = self.path(links);
        let failed = |source: io::Error| Error::Lists { path: path.clone(), source };
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(failed)?;
        }
        lists::build(snapshot, &path, lists::FLOOR)?.map_err(failed)?;
        info!(path = %path.display(), "lists of strategies made");
        Ok(())
    }

    /// The lists lie with the scores of their generation, or with those of generation 0 before
    /// the first; so they go when it goes.
    fn path(&self, links: &Links) -> PathBuf {
        path(&self.collection, links.generation)
    }
}

/// Returns where the lists of a generation lie.
pub(super) fn path(collection: &Collection, generation: Option<Generation>) -> PathBuf {
    collection.scores(generation.unwrap_or(Generation(0))).join(FILE)
}
