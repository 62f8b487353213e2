//! A single page as the index keeps it, and a query's words marked in any text: what a copy of a
//! page is shown with (Q6).

use std::fmt;
use std::ops::Range;
use std::time::Instant;

use base::{PageId, Url};
use index::{Snapshot, StoredPage};
use text::Analyzer;

use crate::patience::Patience;
use crate::plan::{Languages, Plan};
use crate::snippet::Marker;
use crate::vocabulary::Surroundings;
use crate::{Error, Query, Searcher};

/// Which page is meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lookup {
    /// The one at this address.
    Url(Url),
    /// The one with this id.
    Page(PageId),
}

/// The words of a query, to be marked in texts of one page.
pub struct Highlighter {
    marker: Marker,
    analyzer: Analyzer,
}

impl Searcher {
    /// Returns what is kept of a page; `None` if it is not among the pages that can be found.
    pub fn kept(&self, lookup: &Lookup) -> Result<Option<StoredPage>, Error> {
        let Some(snapshot) = self.index.snapshot()? else { return Ok(None) };
        let kept = self.kept_in(&snapshot, lookup);
        if snapshot.is_whole() { Ok(kept?) } else { Err(Error::Cut) }
    }

    fn kept_in(&self, snapshot: &Snapshot, lookup: &Lookup) -> tantivy::Result<Option<StoredPage>> {
        let address = match lookup {
            Lookup::Url(url) => snapshot.find_url(url)?,
            Lookup::Page(page) => snapshot.find(*page),
        };
        let gone = snapshot.expired((self.options.clock)());
        let is_gone = |address| gone.is_some_and(|gone| gone.holds(address));
        let Some(address) = address.filter(|address| !is_gone(*address)) else { return Ok(None) };
        snapshot.stored(address)
    }

    /// Returns what marks the words of a query in the texts of a page.
    pub fn highlighter(&self, query: &str, page: &StoredPage) -> Result<Highlighter, Error> {
        let parsed = Query::parse(query)?;
        let plan = match self.index.snapshot()? {
            Some(snapshot) => {
                let languages = Languages::new(&snapshot.languages, query);
                let world = Surroundings {
                    snapshot: &snapshot,
                    links: &self.links.links(),
                    lexicons: &self.lexicons,
                    patience: Patience::until(Instant::now() + self.options.deadline, None),
                    now: (self.options.clock)(),
                };
                Plan::new(&parsed, &languages, &world)?
            }
            None => Plan::default(),
        };
        let marker = Marker::new(&plan);
        Ok(Highlighter { marker, analyzer: Analyzer::new(page.language) })
    }
}

impl Highlighter {
    /// Returns where the words stand in a text, in order and apart from each other.
    ///
    /// Of one text some hundred are found at most. Cost: linear.
    pub fn ranges(&self, text: &str) -> Vec<Range<usize>> {
        self.marker.ranges(text, self.analyzer)
    }
}

impl fmt::Debug for Highlighter {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Highlighter").finish_non_exhaustive()
    }
}
