//! What can be asked besides a search: pages like a page, what is known of one, links.
//!
//! A trait, because it need not be one searcher on this machine, and because tests bring their own.

use std::fmt;
use std::sync::Arc;

use base::{Timestamp, Url};
use rank::{
    Alike, Error, Lookup, PageLinks, Pictures, QueryHubs, Request, ScoredPage, Searcher, WebShape,
};
use serde_json::Value;

/// Answers questions about a collection; every call may block its thread.
pub trait Knowledge: Send + Sync {
    /// Returns the pages most like an address, best first; `None` if it is not known.
    fn similar(&self, address: &str, most: usize) -> Result<Option<Vec<Alike>>, Error>;
    /// Returns what is kept of a page that can be found.
    fn kept(&self, url: &Url) -> Result<Option<Kept>, Error>;
    /// Returns what links say of an address.
    fn page_links(&self, address: &str) -> Result<Option<PageLinks>, Error>;
    /// Returns the most important pages, best first; `None` before the first link analysis.
    fn top_pages(&self, most: usize) -> Result<Option<Vec<ScoredPage>>, Error>;
    /// Returns hubs and authorities around the answers to a question; `None` as above.
    fn query_hubs(&self, request: &Request<'_>, most: usize) -> Result<Option<QueryHubs>, Error>;
    /// Returns the shape of the whole; `None` as above.
    fn web_shape(&self) -> Result<Option<Arc<WebShape>>, Error>;
    /// Answers a question with pictures; `None` if nothing is known of any.
    fn pictures(&self, _request: &Request<'_>) -> Result<Option<Pictures>, Error> {
        Ok(None)
    }
}

/// What a stranger may know of a page that can be found.
#[derive(Clone, Debug, PartialEq)]
pub struct Kept {
    /// Its address.
    pub url: Url,
    /// Its title; may be empty.
    pub title: String,
    /// When it was fetched.
    pub fetched: Timestamp,
    /// Language of its text as ISO 639-1, if known.
    pub language: Option<String>,
    /// Whether a copy of it may be shown.
    pub has_copy: bool,
    /// Whether it has any text of its own.
    pub has_text: bool,
}

/// Tells all that the crawl knows of an address, as JSON, or in a sentence why it does not; blocks
/// its thread. Only asked for whoever is on this machine.
pub type StoryFn = Arc<dyn Fn(&str) -> Result<Value, String> + Send + Sync>;

impl Knowledge for Searcher {
    fn similar(&self, address: &str, most: usize) -> Result<Option<Vec<Alike>>, Error> {
        self.similar(address, most)
    }

    fn kept(&self, url: &Url) -> Result<Option<Kept>, Error> {
        let kept = self.kept(&Lookup::Url(url.clone()))?;
        Ok(kept.map(|page| Kept {
            url: page.url,
            title: page.title,
            fetched: page.fetched,
            language: page.language.map(|language| language.code().to_owned()),
            has_copy: !page.showing.noarchive,
            has_text: !page.is_silent,
        }))
    }

    fn page_links(&self, address: &str) -> Result<Option<PageLinks>, Error> {
        self.page_links(address)
    }

    fn top_pages(&self, most: usize) -> Result<Option<Vec<ScoredPage>>, Error> {
        self.top_pages(most)
    }

    fn query_hubs(&self, request: &Request<'_>, most: usize) -> Result<Option<QueryHubs>, Error> {
        self.query_hubs(request, most)
    }

    fn web_shape(&self) -> Result<Option<Arc<WebShape>>, Error> {
        self.web_shape()
    }

    fn pictures(&self, request: &Request<'_>) -> Result<Option<Pictures>, Error> {
        self.pictures(request).map(Some)
    }
}

impl fmt::Debug for dyn Knowledge {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Knowledge")
    }
}
