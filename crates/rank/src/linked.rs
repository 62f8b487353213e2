//! What the link analysis says, for whoever asks: the most important pages, one page's standing,
//! hubs and authorities of a query, the shape of the whole (U4).
//!
//! Everything is of the generation in use and bounded: lists have a longest length, the shape is
//! looked at once per generation and only of a graph that fits into [`SHAPE_BYTES`].

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Instant;

use base::{PageId, Url};
use graph::{Arcs as _, Graph, Named, Node, Scores};
use serde::Serialize;

use crate::generation::Links;
use crate::patience::Patience;
use crate::plan::{self, Check};
use crate::query::Filter;
use crate::searcher::authorities::around;
use crate::{Error, Helps, Hit, Query, Request, Searcher, personal};

/// Longest list of important pages, and of hubs or authorities.
const MOST_LISTED: usize = 1_000;
/// Largest graph whose shape is looked at while somebody waits, in bytes of memory.
const SHAPE_BYTES: u64 = 512 * 1024 * 1024;

/// What links say of one page.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PageLinks {
    /// Its address.
    pub url: Url,
    /// Generation of the link analysis.
    pub generation: u64,
    /// Whether it was fetched by then; other pages name it otherwise.
    pub is_fetched: bool,
    /// Its PageRank, if it was fetched: the share of time that a visitor who follows links spends
    /// there.
    pub pagerank: Option<f32>,
    /// The same as a multiple of the mean.
    pub times_mean: Option<f32>,
    /// Pages that link to it.
    pub links_in: u64,
    /// Pages it links to.
    pub links_out: u64,
    /// Trust as a multiple of the mean; `None` where nobody is trusted.
    pub trust: Option<f32>,
    /// How surely it takes part in link spam, from 0 to 1.
    pub spam: f32,
    /// Why, in sentences.
    pub spam_reasons: Vec<String>,
    /// Its web site.
    pub site: String,
}

/// A page in a list by its score.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ScoredPage {
    /// Its address.
    pub url: Url,
    /// What the list is ordered by.
    pub score: f64,
    /// Whether it answers the query, in lists around a query.
    pub is_answer: bool,
}

/// Hubs and authorities around the answers to a query.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct QueryHubs {
    /// Pages that good hubs link to, best first.
    pub authorities: Vec<ScoredPage>,
    /// Pages that link to good authorities, best first.
    pub hubs: Vec<ScoredPage>,
    /// Pages looked at.
    pub num_pages: u64,
    /// Answers among them.
    pub num_answers: u64,
    /// Pages of sites that the asker blocks: how many answers, or how many in the lists, were left
    /// out. Of the two the larger number, since they may be the same pages.
    pub blocked: u64,
}

/// The web as seen from afar: how many pages stand where to its core.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WebShape {
    /// Generation of the link analysis.
    pub generation: u64,
    /// Pages, fetched or only named.
    pub num_pages: u64,
    /// Links between them.
    pub num_links: u64,
    /// Sets of pages of which each reaches each, the core among them.
    pub num_components: u64,
    /// The parts of the bow-tie.
    pub parts: Vec<ShapePart>,
}

/// A part of the bow-tie.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ShapePart {
    /// What it is called.
    pub name: &'static str,
    /// Its pages.
    pub num_pages: u64,
    /// Their share of all, from 0 to 1.
    pub share: f64,
}

impl Searcher {
    /// Returns the most important pages, best first; `None` before the first link analysis.
    ///
    /// Cost: O(pages) once per generation, then a read per page listed.
    pub fn top_pages(&self, most: usize) -> Result<Option<Vec<ScoredPage>>, Error> {
        self.with_graph(|links, graph| {
            let Some(scores) = &links.scores else { return Ok(Vec::new()) };
            let top = links.top.get_or_init(|| scores.best(MOST_LISTED));
            let mut list = Vec::new();
            for (page, score) in top.iter().take(most) {
                let Some(node) = graph.node_of_page(*page) else { continue };
                let Some(url) = graph.url(node)? else { continue };
                list.push(ScoredPage { url, score: f64::from(*score), is_answer: false });
            }
            Ok(list)
        })
    }

    /// Returns what links say of an address; `None` if no link and no page of the last analysis
    /// has it. An address may come without a scheme.
    pub fn page_links(&self, address: &str) -> Result<Option<PageLinks>, Error> {
        let urls = Filter::urls(address);
        let found = self.with_graph(|links, graph| {
            for url in &urls {
                if let Some(node) = graph.node_of_url(url)? {
                    return Ok(Some(told(links, graph, node, url)?));
                }
            }
            Ok(None)
        });
        Ok(found?.flatten())
    }

    /// Returns hubs and authorities around the best answers to a query, at most `most` of each;
    /// `None` before the first link analysis.
    ///
    /// Of the request only query, filters and what the person wishes count: they decide which
    /// answers these are. Of blocked sites neither list has a page; other pages around the answers
    /// need not pass the filters.
    /// Cost: that of a search and of [`crate::Sorting::Authorities`]; ends with the deadline.
    pub fn query_hubs(
        &self,
        request: &Request<'_>,
        most: usize,
    ) -> Result<Option<QueryHubs>, Error> {
        let Request { query, filters, personal, .. } = *request;
        let count = graph::BaseSet::QUERY_ROOTS;
        let roots = Request { count, filters, personal, helps: Helps::NONE, ..Request::new(query) };
        let answers = self.search(&roots)?;
        let blocked = match personal {
            Some(personal) => personal.blocked_for(&Query::parse(query)?.narrowed(filters)),
            None => Vec::new(),
        };
        let blocked: Vec<Check> = blocked.iter().map(|site| plan::below(site)).collect();
        let patience = Patience::until(Instant::now() + self.options.deadline, None);
        self.with_graph(|_, graph| {
            let node = |hit: &Hit| graph.node_of_page(hit.page?);
            let roots: Vec<Node> = answers.hits.iter().filter_map(node).collect();
            if roots.is_empty() {
                return Ok(QueryHubs { blocked: answers.blocked, ..QueryHubs::default() });
            }
            let (base, scores) = around(graph, &roots, &patience)?;
            let (most, mut left_out) = (most.min(MOST_LISTED), HashSet::new());
            let mut named = |scores: &[f64]| -> Result<Vec<ScoredPage>, graph::Error> {
                let mut list = Vec::new();
                for (node, score) in base.best(scores, usize::MAX) {
                    if list.len() == most {
                        break;
                    }
                    let Some(url) = graph.url(node)? else { continue };
                    if blocked.iter().any(|site| personal::holds(site, &url)) {
                        left_out.insert(node);
                        continue;
                    }
                    list.push(ScoredPage { url, score, is_answer: base.is_root(node) });
                }
                Ok(list)
            };
            let (authorities, hubs) = (named(&scores.authorities)?, named(&scores.hubs)?);
            Ok(QueryHubs {
                authorities,
                hubs,
                num_pages: base.nodes().len() as u64,
                num_answers: roots.len() as u64,
                blocked: answers.blocked.max(left_out.len() as u64),
            })
        })
    }

    /// Returns the shape of the whole web; `None` before the first link analysis.
    ///
    /// Looked at once per generation, in time and memory linear in the links: fails with
    /// [`Error::NotNow`] while another caller looks, and where the graph is too large for that.
    pub fn web_shape(&self) -> Result<Option<Arc<WebShape>>, Error> {
        let shape = self.with_graph(|links, graph| {
            let Ok(mut known) = links.shape.try_lock() else {
                return Ok(Err(Error::NotNow { what: "the shape is being looked at" }));
            };
            if known.is_none() {
                let summary = graph.summary();
                let needed = 16 * summary.num_arcs + 64 * u64::from(summary.num_nodes);
                if needed > SHAPE_BYTES {
                    let what = "the web is too large to be looked at while somebody waits";
                    return Ok(Err(Error::NotNow { what }));
                }
                *known = Some(Arc::new(look(links)?));
            }
            Ok(Ok(known.clone()))
        });
        match shape? {
            Some(shape) => shape,
            None => Ok(None),
        }
    }

    /// Asks the graph in use; `None` if there is none yet. What a file said that was cut
    /// meanwhile is no answer (STO-08).
    fn with_graph<T>(
        &self,
        ask: impl FnOnce(&Links, &Graph) -> Result<T, graph::Error>,
    ) -> Result<Option<T>, Error> {
        let links = self.links.links();
        let Some(graph) = links.graph() else { return Ok(None) };
        let told = ask(&links, graph);
        if !links.is_whole() {
            return Err(Error::Cut);
        }
        match told {
            Ok(told) => Ok(Some(told)),
            Err(graph::Error::Interrupted) => {
                Err(Error::NotNow { what: "there was no time to follow the links" })
            }
            Err(error) => Err(Error::Scores(error)),
        }
    }
}

fn told(links: &Links, graph: &Graph, node: Node, url: &Url) -> Result<PageLinks, graph::Error> {
    let page = graph.page(node)?;
    let of = |scores: &Scores, page: PageId| {
        let score = scores.get(page)?;
        Some((score, score / scores.mean().max(f32::MIN_POSITIVE)))
    };
    let rank = page.zip(links.scores.as_ref()).and_then(|(page, scores)| of(scores, page));
    let reputation = links.reputation.as_ref();
    let trust = page.zip(reputation.and_then(graph::Reputation::trust));
    let finding = page.zip(reputation).and_then(|(page, known)| known.spam_finding(page));
    Ok(PageLinks {
        url: url.clone(),
        generation: links.generation.map_or(0, |generation| generation.0),
        is_fetched: page.is_some(),
        pagerank: rank.map(|(score, _)| score),
        times_mean: rank.map(|(_, times)| times),
        links_in: graph.num_linking(node) as u64,
        links_out: graph.num_linked(node) as u64,
        trust: trust.map(|(page, scores)| of(scores, page).map_or(0.0, |(_, times)| times)),
        spam: page.zip(reputation).map_or(0.0, |(page, known)| known.spam(page)),
        spam_reasons: finding.map_or_else(Vec::new, |(finding, _)| finding.reasons.clone()),
        site: crate::fold::site_name(links, page, url),
    })
}

fn look(links: &Links) -> Result<WebShape, graph::Error> {
    let named = Named::generation(links.graph_folder(), &mut |_, _| ())?;
    let tie = graph::bow_tie(named.links());
    let part = |part: graph::Part| ShapePart {
        name: part.name(),
        num_pages: tie.count(part),
        share: tie.share(part),
    };
    Ok(WebShape {
        generation: links.generation.map_or(0, |generation| generation.0),
        num_pages: tie.num_nodes(),
        num_links: named.links().num_arcs(),
        num_components: tie.num_components(),
        parts: graph::Part::ALL.map(part).to_vec(),
    })
}
