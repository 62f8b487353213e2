//! The first stage by itself, for benches; not part of the interface.

use std::sync::Arc;

use base::Collection;
use index::{Reader, Snapshot};
use tantivy::query::Query;
use tantivy::schema::Field;

use crate::checking::row_query;
use crate::first::{Ranks, RanksByCommit};
use crate::generation::{Follower, Links};
use crate::strategy::{FirstStage, Store, Stores};
use crate::{Error, Report, Strategy, Weights};

/// Returns the query for words side by side in a field, as a search asks for them.
pub fn phrase(field: Field, words: &[String]) -> Box<dyn Query> {
    row_query(field, None, words)
}

/// One commit and one generation, opened.
pub struct First {
    /// The commit.
    pub snapshot: Arc<Snapshot>,
    links: Arc<Links>,
    ranks: Ranks,
    store: Option<Arc<Store>>,
}

impl First {
    /// Opens a collection that has an index; makes the lists of the strategies.
    pub fn open(collection: &Collection) -> Result<Option<Self>, Error> {
        let Some(snapshot) = Reader::open(&collection.index()).snapshot()? else {
            return Ok(None);
        };
        let links = Follower::new(collection.clone()).links();
        let ranks = RanksByCommit::default().get(&snapshot, &links, Weights::default().links);
        Ok(Some(Self { snapshot, links, ranks, store: None }))
    }

    /// Makes the lists of the strategies and opens them.
    pub fn prepare(&mut self, collection: &Collection) -> Result<(), Error> {
        let stores = Stores::new(collection.clone());
        stores.prepare(Strategy::Threshold, &self.snapshot, &self.links)?;
        self.store = stores.get(Strategy::Threshold, &self.snapshot, &self.links);
        Ok(())
    }

    /// Returns the scores of the best documents, best first, and how they were found.
    pub fn best(
        &self,
        strategy: Strategy,
        query: &dyn Query,
        count: usize,
    ) -> Result<(Vec<f32>, Report), Error> {
        let first = FirstStage {
            snapshot: &self.snapshot,
            ranks: &self.ranks,
            links: &self.links,
            store: self.store.as_deref(),
            is_over: &|| false,
            gone: None,
        };
        let (found, report) = first.best(strategy, query, count)?;
        Ok((found.best.iter().map(|scored| scored.score).collect(), report))
    }
}
