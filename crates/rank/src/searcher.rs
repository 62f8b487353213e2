//! Holds what is open of a collection and answers questions from it.

use std::time::Instant;

use base::Collection;

use crate::{Error, Query, Request, Results};

/// Answers questions about one collection; shared by all threads that ask.
#[derive(Debug)]
pub struct Searcher {
    #[expect(dead_code, reason = "the index is opened from here in the next step")]
    collection: Collection,
}

impl Searcher {
    /// Opens a collection for searching, also one that has no index yet.
    pub fn open(collection: &Collection) -> Result<Self, Error> {
        Ok(Self { collection: collection.clone() })
    }

    /// Answers a question.
    ///
    /// Fails when the query or the window is larger than allowed, and when the index cannot be
    /// read. Cost: bounded by a deadline of about a second.
    pub fn search(&self, request: &Request<'_>) -> Result<Results, Error> {
        let begun = Instant::now();
        if request.offset.saturating_add(request.count) > Request::WINDOW {
            return Err(Error::Window { limit: Request::WINDOW });
        }
        let query = Query::parse(request.query)?;
        Ok(Results { made_of: query.to_string(), took: begun.elapsed(), ..Results::default() })
    }
}
