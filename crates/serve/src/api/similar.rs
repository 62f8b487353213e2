//! `GET /api/v1/similar`: pages like a page, by links and by words (Q8).

use std::sync::Arc;

use axum::body::Body;
use axum::extract::State;
use axum::http::{Response, Uri};
use rank::Alike;
use serde::Serialize;
use utoipa::ToSchema;

use super::{address, listed, told, unknown};
use crate::app::App;
use crate::params::pairs;
use crate::problem::Problem;

pub(super) const NAMES: [&str; 2] = ["url", "count"];

/// Pages like a page.
#[derive(Serialize, ToSchema)]
struct Similar {
    /// The page that was asked about.
    url: String,
    /// The pages like it, the most alike first.
    pages: Vec<SimilarPage>,
}

/// A page like another.
#[derive(Serialize, ToSchema)]
struct SimilarPage {
    url: String,
    /// All parts in one, from 0 to 1.
    score: f64,
    /// How far the same sites link to both.
    cocitation: f64,
    /// How far both link to the same pages.
    coupling: f64,
    /// How far both say the same.
    text: f64,
    /// Some pages that link to both.
    linked_by: Vec<String>,
    /// Some pages that both link to.
    link_to: Vec<String>,
    /// The most telling words that both have.
    words: Vec<String>,
    /// The same in plain words, what counts most first.
    reasons: Vec<String>,
    /// Whether the page was fetched, so that a search finds it.
    is_fetched: bool,
}

/// Pages like a page: cited together with it, citing the same, or saying the same.
#[utoipa::path(
    get,
    path = "/api/v1/similar",
    params(
        ("url" = String, Query, description = "The page; may come without a scheme.",
         min_length = 1, example = "https://example.org/"),
        ("count" = Option<u32>, Query, description = "How many pages are wanted; more than 100 \
         are cut to 100. Default 20.", minimum = 0, example = 5),
    ),
    responses(
        (status = 200, description = "The pages; may be none", body = Similar),
        (status = 404, description = "Neither the index nor the links know this page",
         body = crate::problem::ProblemJson, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn similar(State(app): State<Arc<App>>, uri: Uri) -> Response<Body> {
    told(find(&app, uri.query()).await)
}

async fn find(app: &App, raw: Option<&str>) -> Result<Similar, Problem> {
    let [url, count] = pairs(raw, NAMES)?;
    let (url, count) = (address(url)?, listed(count)?);
    let asked = url.clone();
    let found = app.ask(move |known| known.similar(&asked, count)).await?;
    let pages = found.ok_or_else(|| unknown("neither the index nor the links know this page"))?;
    Ok(Similar { url, pages: pages.into_iter().map(SimilarPage::of).collect() })
}

impl SimilarPage {
    fn of(alike: Alike) -> Self {
        let names = |urls: Vec<base::Url>| urls.iter().map(ToString::to_string).collect();
        Self {
            url: alike.url.to_string(),
            score: alike.score,
            cocitation: alike.cocitation,
            coupling: alike.coupling,
            text: alike.text,
            linked_by: names(alike.linked_by),
            link_to: names(alike.link_to),
            words: alike.words,
            reasons: alike.reasons.iter().map(ToString::to_string).collect(),
            is_fetched: alike.page.is_some(),
        }
    }
}
