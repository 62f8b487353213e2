//! Pages like a page (Q8, G8): by who links to both, by what both link to, and by their words.
//!
//! ```text
//! score = 1 − (1 − cocitation) · (1 − coupling) · (1 − text)
//! ```
//! The first two are those of `graph::similar`, text is the cosine that `words` draws. Each part is
//! between 0 and 1 and the same from either page, and one alone is enough: a page that was never
//! fetched has no words, and one that came after the last link analysis has no links yet.
//!
//! `related:` and `lookfar graph similar` both ask here. What is looked at is bounded: the best
//! [`BY_LINKS`] by links, of which the best [`BY_WORDS`] are read, and the best [`BY_WORDS`] by
//! the page's most telling words.

mod words;

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Instant;

use base::{PageId, Url};
use graph::{Graph, Node, SimilarOptions};
use index::{Expired, Snapshot, StoredPage};
use serde::Serialize;
use tantivy::DocAddress;
use tracing::warn;

use self::words::Reader;
use crate::generation::Links;
use crate::patience::Patience;
use crate::query::Filter;
use crate::remark::Likeness;
use crate::{Error, Searcher};

/// Pages taken by their links.
const BY_LINKS: usize = 100;
/// Pages read for their words: so many of those, and so many that share the page's words.
const BY_WORDS: usize = 50;
/// How far links are followed; less far than where nobody waits for an answer.
const FOLLOWED: SimilarOptions = SimilarOptions { most: BY_LINKS, max_links: 200, max_degree: 300 };

/// A page like another, and why.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Alike {
    /// Its address.
    pub url: Url,
    /// The page, if it can be found.
    pub page: Option<PageId>,
    /// All parts in one, between 0 and 1.
    pub score: f64,
    /// How far the same sites link to both.
    pub cocitation: f64,
    /// How far both link to the same pages.
    pub coupling: f64,
    /// How far both say the same.
    pub text: f64,
    /// Some pages that link to both.
    pub linked_by: Vec<Url>,
    /// Some pages that both link to.
    pub link_to: Vec<Url>,
    /// The most telling words that both have.
    pub words: Vec<String>,
    /// Why, what counts most first.
    pub reasons: Vec<Likeness>,
}

/// What was found around a page.
#[derive(Debug, Default)]
pub(crate) struct Related {
    /// Stems that tell the page from others, each with a word that has it.
    pub(crate) words: Vec<(String, String)>,
    /// Best first.
    pub(crate) found: Vec<Found>,
    /// Whether links were looked at.
    pub(crate) by_links: bool,
}

/// A page like the one asked about.
#[derive(Debug, Default)]
pub(crate) struct Found {
    pub(crate) page: Option<PageId>,
    address: Option<DocAddress>,
    links: Option<graph::Similar>,
    text: f64,
    words: Vec<String>,
    pub(crate) score: f64,
}

impl Found {
    fn judge(&mut self) {
        let by_links = self.links.as_ref().map_or(0.0, |links| links.score);
        self.score = 1.0 - (1.0 - by_links) * (1.0 - self.text);
    }

    /// Returns why it is like the page, what counts most first.
    pub(crate) fn reasons(&self) -> Vec<Likeness> {
        let links = self.links.iter().flat_map(graph::Similar::reasons);
        let links = links.map(|(part, reason)| (part, Likeness::Links(reason)));
        let words = (self.text, Likeness::Words(self.words.clone()));
        let mut reasons: Vec<_> = links.chain([words]).filter(|(part, _)| *part > 0.0).collect();
        reasons.sort_by(|(more, _), (less, _)| less.total_cmp(more));
        reasons.into_iter().map(|(_, reason)| reason).collect()
    }
}

/// Where pages like a page are looked for.
pub(crate) struct Around<'a> {
    pub(crate) snapshot: Option<&'a Snapshot>,
    pub(crate) links: &'a Links,
    pub(crate) gone: Option<Expired<'a>>,
    pub(crate) patience: &'a Patience,
}

impl Around<'_> {
    /// Returns what is like the first of some addresses that is known; `None` if none is.
    ///
    /// Cost: that of `graph::similar` over compressed links, one search for a dozen words, and the
    /// reading of at most 2 · [`BY_WORDS`] texts; less if the time is over.
    pub(crate) fn find(&self, urls: &[Url]) -> tantivy::Result<Option<Related>> {
        let page = self.page_of(urls)?;
        let graph = self.links.graph();
        let node = graph.and_then(|graph| node_of(graph, urls, page.as_ref()));
        if page.is_none() && node.is_none() {
            return Ok(None);
        }
        let mut related = Related { by_links: node.is_some(), ..Related::default() };
        if let (Some(graph), Some(node)) = (graph, node) {
            related.found = self.by_links(graph, node)?;
        }
        if let (Some(snapshot), Some(page)) = (self.snapshot, &page) {
            self.add_words(snapshot, page, &mut related)?;
        }
        related.found.iter_mut().for_each(Found::judge);
        // Another address of the page is the page itself.
        let own = page.map(|page| page.id);
        related.found.retain(|found| found.score > 0.0 && (own.is_none() || found.page != own));
        related.found.sort_by(|one, other| {
            let node = |found: &Found| found.links.as_ref().map(|links| links.node);
            let key = |found: &Found| (found.page.is_none(), found.page, node(found));
            other.score.total_cmp(&one.score).then_with(|| key(one).cmp(&key(other)))
        });
        Ok(Some(related))
    }

    /// Returns the pages most like an address, by name; `None` if it is not known.
    fn alike(&self, address: &str, most: usize) -> tantivy::Result<Option<Vec<Alike>>> {
        let Some(related) = self.find(&Filter::urls(address))? else { return Ok(None) };
        let mut alike = Vec::new();
        for found in related.found.iter().take(most) {
            alike.extend(told(found, self.snapshot, self.links.graph())?);
        }
        Ok(Some(alike))
    }

    /// Returns the first of some addresses that is in the index.
    fn page_of(&self, urls: &[Url]) -> tantivy::Result<Option<StoredPage>> {
        let Some(snapshot) = self.snapshot else { return Ok(None) };
        for url in urls {
            if let Some(address) = self.living(snapshot.find_url(url)?) {
                return snapshot.stored(address);
            }
        }
        Ok(None)
    }

    fn living(&self, address: Option<DocAddress>) -> Option<DocAddress> {
        address.filter(|address| !self.gone.is_some_and(|gone| gone.holds(*address)))
    }

    fn by_links(&self, graph: &Graph, node: Node) -> tantivy::Result<Vec<Found>> {
        let voices = graph.sites().and_then(|sites| Ok((sites, graph.voices_by_site()?)));
        let voices = voices.inspect_err(|error| warn!(%error, "sites cannot be used")).ok();
        let voice = |node: Node| {
            let voice = voices.and_then(|(sites, of)| of.get(sites.site(node)? as usize));
            voice.copied().unwrap_or(node.0)
        };
        let found = match graph::similar(graph, node, &FOLLOWED, Some(&voice)) {
            Ok(found) => found,
            Err(error) => {
                warn!(%error, "links cannot be used");
                return Ok(Vec::new());
            }
        };
        let mut list = Vec::with_capacity(found.len());
        for links in found {
            let page = graph.page(links.node).ok().flatten();
            let address = match (self.snapshot, page) {
                (Some(snapshot), Some(page)) => self.living(snapshot.find(page)),
                _ => None,
            };
            let page = page.filter(|_| address.is_some());
            list.push(Found { page, address, links: Some(links), ..Found::default() });
        }
        Ok(list)
    }

    /// Adds what the words say: of those that links have found, and of others.
    fn add_words(
        &self,
        snapshot: &Snapshot,
        page: &StoredPage,
        related: &mut Related,
    ) -> tantivy::Result<()> {
        let mut reader = Reader::new(snapshot, self.patience);
        let gist = reader.gist(page)?;
        related.words = reader.telling(&gist)?;
        let num_linked = related.found.len();
        let known: HashSet<DocAddress> =
            related.found.iter().filter_map(|found| found.address).collect();
        for address in reader.sharing(&gist, BY_WORDS + 1, self.gone)? {
            let other = snapshot.page(address);
            if other != page.id && !known.contains(&address) {
                let (page, address) = (Some(other), Some(address));
                related.found.push(Found { page, address, ..Found::default() });
            }
        }
        for (place, found) in related.found.iter_mut().enumerate() {
            let Some(address) = found.address else { continue };
            if (BY_WORDS..num_linked).contains(&place) || self.patience.is_over() {
                continue;
            }
            if let Some(other) = snapshot.stored(address)? {
                (found.text, found.words) = gist.likeness(&reader.gist(&other)?);
            }
        }
        Ok(())
    }
}

fn node_of(graph: &Graph, urls: &[Url], page: Option<&StoredPage>) -> Option<Node> {
    let own = page.map(|page| &page.url);
    let found = own.into_iter().chain(urls).find_map(|url| graph.node_of_url(url).ok().flatten());
    found.or_else(|| graph.node_of_page(page?.id))
}

impl Searcher {
    /// Returns the pages most like an address, best first; `None` if neither the index nor the
    /// link graph knows it.
    ///
    /// An address may come without a scheme. Also pages that were never fetched are listed. Cost:
    /// bounded by caps on links and words, and the reading of texts by the deadline.
    pub fn similar(&self, address: &str, most: usize) -> Result<Option<Vec<Alike>>, Error> {
        let snapshot = self.index.snapshot()?;
        let links = self.links.links();
        let patience = Patience::until(Instant::now() + self.options.deadline, None);
        let now = (self.options.clock)();
        let around = Around {
            snapshot: snapshot.as_deref(),
            links: &links,
            gone: snapshot.as_ref().and_then(|snapshot| snapshot.expired(now)),
            patience: &patience,
        };
        let alike = around.alike(address, most);
        let is_whole = |snapshot: &Arc<Snapshot>| snapshot.is_whole();
        if !(links.is_whole() && snapshot.as_ref().is_none_or(is_whole)) {
            return Err(Error::Cut);
        }
        Ok(alike?)
    }
}

/// Names what was found; `None` if it has left since.
fn told(
    found: &Found,
    snapshot: Option<&Snapshot>,
    graph: Option<&Graph>,
) -> tantivy::Result<Option<Alike>> {
    let url_of = |node: &Node| graph.and_then(|graph| graph.url(*node).ok().flatten());
    let links = found.links.as_ref();
    let stored = match (snapshot, found.address) {
        (Some(snapshot), Some(address)) => snapshot.stored(address)?.map(|page| page.url),
        _ => None,
    };
    let named = |nodes: &[Node]| nodes.iter().filter_map(url_of).collect();
    let url = stored.or_else(|| links.and_then(|links| url_of(&links.node)));
    let reasons = found.reasons();
    Ok(url.map(|url| Alike {
        url,
        page: found.page,
        score: found.score,
        cocitation: links.map_or(0.0, |links| links.cocitation),
        coupling: links.map_or(0.0, |links| links.coupling),
        text: found.text,
        linked_by: links.map_or_else(Vec::new, |links| named(&links.citers)),
        link_to: links.map_or_else(Vec::new, |links| named(&links.targets)),
        words: found.words.clone(),
        reasons,
    }))
}
