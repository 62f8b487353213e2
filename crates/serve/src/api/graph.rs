//! `GET /api/v1/graph/…`: what links say of pages and of the whole (G2, G5, G6).
//!
//! All of it is of the generation in use: a link analysis is made now and then, and what was
//! fetched since has no place in it yet.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::State;
use axum::http::{Response, Uri};
use rank::{PageLinks, QueryHubs, Request, ScoredPage, WebShape};
use serde::Serialize;
use utoipa::ToSchema;

use super::{address, listed, told, unknown};
use crate::app::App;
use crate::params::{cleaned, pairs};
use crate::problem::{Problem, ProblemJson};

pub(super) const HITS_NAMES: [&str; 2] = ["q", "count"];
const NOT_YET: &str = "links are known a while after the first pages were fetched";

/// The most important pages.
#[derive(Serialize, ToSchema)]
struct TopPages {
    /// The pages, the most important first.
    pages: Vec<Scored>,
}

/// A page and its score.
#[derive(Serialize, ToSchema)]
#[schema(as = ScoredPage)]
struct Scored {
    url: String,
    score: f64,
    /// Whether it is one of the answers to the query; `false` where there is no query.
    is_answer: bool,
}

/// Hubs and authorities around the answers to a query.
#[derive(Serialize, ToSchema)]
struct HubsAndAuthorities {
    query: String,
    /// Pages that good hubs link to, best first.
    authorities: Vec<Scored>,
    /// Pages that link to good authorities, best first.
    hubs: Vec<Scored>,
    /// Pages looked at.
    num_pages: u64,
    /// Answers among them.
    num_answers: u64,
}

/// The web as seen from afar.
#[derive(Serialize, ToSchema)]
struct BowTie {
    /// Generation of the link analysis.
    generation: u64,
    /// Pages, fetched or only named.
    num_pages: u64,
    /// Links between them.
    num_links: u64,
    /// Sets of pages of which each reaches each.
    num_components: u64,
    /// Where pages stand to the largest of these sets, the core.
    parts: Vec<BowTiePart>,
}

/// A part of the bow-tie.
#[derive(Serialize, ToSchema)]
struct BowTiePart {
    /// `core`, `in`, `out`, `tendrils of in`, `tendrils of out`, `tubes`, `fringe` or `islands`.
    name: String,
    num_pages: u64,
    /// From 0 to 1.
    share: f64,
}

/// What links say of a page.
#[derive(Serialize, ToSchema)]
#[schema(as = PageLinks)]
struct LinksOfPage {
    url: String,
    /// Generation of the link analysis.
    generation: u64,
    /// Whether it had been fetched; other pages name it otherwise.
    is_fetched: bool,
    /// The share of time that a visitor who follows links spends there.
    pagerank: Option<f32>,
    /// The same as a multiple of the mean.
    times_mean: Option<f32>,
    /// Pages that link to it.
    links_in: u64,
    /// Pages it links to.
    links_out: u64,
    /// Trust as a multiple of the mean; `null` where nobody is trusted.
    trust: Option<f32>,
    /// How surely it takes part in link spam, from 0 to 1.
    spam: f32,
    /// Why, in sentences.
    spam_reasons: Vec<String>,
    /// Its web site, as `site:` takes it.
    site: String,
}

/// The most important pages by PageRank.
#[utoipa::path(
    get,
    path = "/api/v1/graph/pagerank",
    params(("count" = Option<u32>, Query, description = "How many pages are wanted; more than 100 \
            are cut to 100. Default 20.", minimum = 0, example = 5)),
    responses(
        (status = 200, description = "The pages", body = TopPages),
        (status = 404, description = "No links are known yet", body = ProblemJson,
         content_type = "application/problem+json"),
    )
)]
pub(crate) async fn pagerank(State(app): State<Arc<App>>, uri: Uri) -> Response<Body> {
    told(top(&app, uri.query()).await)
}

/// Hubs and authorities around the answers to a query (HITS).
#[utoipa::path(
    get,
    path = "/api/v1/graph/hits",
    params(
        ("q" = String, Query, description = "The query.", max_length = 1024, example = "jaguar"),
        ("count" = Option<u32>, Query, description = "How many of each are wanted; more than 100 \
         are cut to 100. Default 20.", minimum = 0, example = 5),
    ),
    responses(
        (status = 200, description = "Both lists; empty if nothing answers", body = HubsAndAuthorities),
        (status = 404, description = "No links are known yet", body = ProblemJson,
         content_type = "application/problem+json"),
    )
)]
pub(crate) async fn hits(State(app): State<Arc<App>>, uri: Uri) -> Response<Body> {
    told(hubs(&app, uri.query()).await)
}

/// The shape of the whole web: a core, what leads to it, what it leads to, and the rest.
#[utoipa::path(
    get,
    path = "/api/v1/graph/bowtie",
    responses(
        (status = 200, description = "The parts", body = BowTie),
        (status = 404, description = "No links are known yet", body = ProblemJson,
         content_type = "application/problem+json"),
    )
)]
pub(crate) async fn bowtie(State(app): State<Arc<App>>) -> Response<Body> {
    let found = app.ask(|known| known.web_shape()).await;
    told(
        found.and_then(|shape| {
            shape.map(|shape| BowTie::of(&shape)).ok_or_else(|| unknown(NOT_YET))
        }),
    )
}

/// What links say of one page: rank, degrees, trust, spam, site.
#[utoipa::path(
    get,
    path = "/api/v1/graph/page",
    params(("url" = String, Query, description = "The page; may come without a scheme.",
            min_length = 1, example = "https://example.org/")),
    responses(
        (status = 200, description = "What is known", body = LinksOfPage),
        (status = 404, description = "No link and no page has this address", body = ProblemJson,
         content_type = "application/problem+json"),
    )
)]
pub(crate) async fn page(State(app): State<Arc<App>>, uri: Uri) -> Response<Body> {
    told(links_of(&app, uri.query()).await)
}

async fn top(app: &App, raw: Option<&str>) -> Result<TopPages, Problem> {
    let [count] = pairs(raw, ["count"])?;
    let count = listed(count)?;
    let found = app.ask(move |known| known.top_pages(count)).await?;
    let pages = found.ok_or_else(|| unknown(NOT_YET))?;
    Ok(TopPages { pages: pages.iter().map(Scored::of).collect() })
}

async fn hubs(app: &App, raw: Option<&str>) -> Result<HubsAndAuthorities, Problem> {
    let [query, count] = pairs(raw, HITS_NAMES)?;
    let query = cleaned(&query.ok_or_else(|| Problem::missing("q"))?)?;
    let count = listed(count)?;
    let asked = query.clone();
    let found = app.ask(move |known| known.query_hubs(&Request::new(&asked), count)).await?;
    let QueryHubs { authorities, hubs, num_pages, num_answers, .. } =
        found.ok_or_else(|| unknown(NOT_YET))?;
    let scored = |pages: &[ScoredPage]| pages.iter().map(Scored::of).collect();
    let (authorities, hubs) = (scored(&authorities), scored(&hubs));
    Ok(HubsAndAuthorities { query, authorities, hubs, num_pages, num_answers })
}

async fn links_of(app: &App, raw: Option<&str>) -> Result<LinksOfPage, Problem> {
    let [url] = pairs(raw, ["url"])?;
    let url = address(url)?;
    let found = app.ask(move |known| known.page_links(&url)).await?;
    found.map(LinksOfPage::of).ok_or_else(|| unknown("no link and no page has this address"))
}

impl Scored {
    fn of(page: &ScoredPage) -> Self {
        Self { url: page.url.to_string(), score: page.score, is_answer: page.is_answer }
    }
}

impl BowTie {
    fn of(shape: &WebShape) -> Self {
        let part = |part: &rank::ShapePart| BowTiePart {
            name: part.name.to_owned(),
            num_pages: part.num_pages,
            share: part.share,
        };
        Self {
            generation: shape.generation,
            num_pages: shape.num_pages,
            num_links: shape.num_links,
            num_components: shape.num_components,
            parts: shape.parts.iter().map(part).collect(),
        }
    }
}

impl LinksOfPage {
    fn of(links: PageLinks) -> Self {
        Self {
            url: links.url.to_string(),
            generation: links.generation,
            is_fetched: links.is_fetched,
            pagerank: links.pagerank,
            times_mean: links.times_mean,
            links_in: links.links_in,
            links_out: links.links_out,
            trust: links.trust,
            spam: links.spam,
            spam_reasons: links.spam_reasons,
            site: links.site,
        }
    }
}
