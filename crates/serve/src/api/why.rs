//! `GET /api/v1/why`: what is known of a page, and why it answers a query as it does.
//!
//! Strangers learn what a search would tell them as well: whether the page can be found, when it
//! was fetched, how its score is made. What the crawl knows of an address, found or not, is for
//! whoever is on this machine, as the numbers of `/metrics` are.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Extension, State};
use axum::http::{HeaderMap, Response, Uri};
use base::Url;
use rank::query::Filter;
use rank::{Grouping, Hit};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::search::{FoundReason, reasons};
use super::{address, told};
use crate::app::App;
use crate::copy::copy_of_url;
use crate::known::Kept;
use crate::listen::Peer;
use crate::narrow::Narrow;
use crate::params::{MAX_COUNT, Params, cleaned, pairs};
use crate::problem::{Problem, ProblemJson};

pub(super) const NAMES: [&str; 2] = ["url", "q"];

/// What is known of a page.
#[derive(Serialize, ToSchema)]
struct Why {
    /// The address under which it is known, or as it was asked for.
    url: String,
    /// Whether its text can be searched. A page without any may still be found by what others
    /// call it.
    is_searchable: bool,
    title: Option<String>,
    /// When it was fetched, RFC 3339.
    fetched: Option<String>,
    /// ISO 639-1.
    language: Option<String>,
    /// Where a copy of it can be seen, as a path here.
    copy: Option<String>,
    /// How it answers the query `q`; `null` if none was given or the page cannot be found.
    answer: Option<WhyAnswer>,
    /// All that the crawl knows of the address; only for whoever may enter the control room.
    #[schema(value_type = Option<Object>)]
    #[serde(skip_serializing_if = "Option::is_none")]
    story: Option<Value>,
    /// Why there is no story, for the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    no_story: Option<String>,
}

/// How a page answers a query.
#[derive(Serialize, ToSchema)]
struct WhyAnswer {
    query: String,
    /// Whether it has what the query asks for.
    is_match: bool,
    /// Its place among all answers, one page after the other, from 1; `null` if it is not among
    /// the first 100.
    place: Option<u32>,
    score: Option<f32>,
    /// What the score is the sum of.
    explanation: Vec<FoundReason>,
    /// What links say of it, in sentences.
    remarks: Vec<String>,
}

/// What is known of a page, and why it answers a query as it does.
#[utoipa::path(
    get,
    path = "/api/v1/why",
    params(
        ("url" = String, Query, description = "The page; may come without a scheme.",
         min_length = 1, example = "https://example.org/"),
        ("q" = Option<String>, Query, description = "A query that the page answers, or should.",
         max_length = 1024, example = "jaguar"),
    ),
    responses(
        (status = 200, description = "What is known; that may be nothing", body = Why),
        (status = 404, description = "That is no address", body = ProblemJson,
         content_type = "application/problem+json"),
    )
)]
pub(crate) async fn why(
    State(app): State<Arc<App>>,
    Extension(peer): Extension<Peer>,
    headers: HeaderMap,
    uri: Uri,
) -> Response<Body> {
    told(match app.is_operator(peer, &headers).await {
        Ok(is_operator) => find(&app, uri.query(), is_operator).await,
        Err(problem) => Err(problem),
    })
}

async fn find(app: &App, raw: Option<&str>, is_operator: bool) -> Result<Why, Problem> {
    let [url, query] = pairs(raw, NAMES)?;
    let asked = address(url)?;
    let query = query.map(|query| cleaned(&query)).transpose()?;
    let urls = Filter::urls(&asked);
    let kept = app.ask(move |known| kept(&urls, |url| known.kept(url))).await?;
    let answer = match (query.filter(|query| !query.is_empty()), &kept) {
        (Some(query), Some(kept)) => Some(answer(app, query, &kept.url).await?),
        _ => None,
    };
    // People leave out the scheme; the crawl knows addresses with one.
    let url = kept.as_ref().map_or(asked, |kept| kept.url.to_string());
    let (story, no_story) = if is_operator { story(app, &url).await? } else { (None, None) };
    let is_shown = |kept: &&Kept| kept.has_copy && app.copies.is_some();
    Ok(Why {
        url,
        is_searchable: kept.as_ref().is_some_and(|kept| kept.has_text),
        title: kept.as_ref().map(|kept| kept.title.clone()),
        fetched: kept.as_ref().map(|kept| kept.fetched.rfc3339()),
        language: kept.as_ref().and_then(|kept| kept.language.clone()),
        copy: kept.as_ref().filter(is_shown).map(|kept| copy_of_url(&kept.url)),
        answer,
        story,
        no_story,
    })
}

/// Returns the first of some addresses that can be found.
fn kept(
    urls: &[Url],
    find: impl Fn(&Url) -> Result<Option<Kept>, rank::Error>,
) -> Result<Option<Kept>, rank::Error> {
    for url in urls {
        if let Some(kept) = find(url)? {
            return Ok(Some(kept));
        }
    }
    Ok(None)
}

/// Asks for the page alone, for its score, and for the first answers, for its place.
async fn answer(app: &App, query: String, url: &Url) -> Result<WhyAnswer, Problem> {
    let params = Params { count: 1, grouping: Grouping::Plain, ..Params::default() };
    let alone = Params { narrow: Narrow::to_page(url), ..params.clone() };
    let alone = app.search(&query, &alone).await?;
    let hit = alone.hits.iter().find(|hit| hit.url == *url);
    let place = match hit {
        Some(_) => {
            let first = app.search(&query, &Params { count: MAX_COUNT, ..params }).await?;
            first.hits.iter().position(|hit| hit.url == *url)
        }
        None => None,
    };
    Ok(WhyAnswer {
        query,
        is_match: hit.is_some(),
        place: place.and_then(|place| u32::try_from(place + 1).ok()),
        score: hit.map(|hit| hit.score),
        explanation: hit.map(reasons).unwrap_or_default(),
        remarks: hit.map(remarks).unwrap_or_default(),
    })
}

fn remarks(hit: &Hit) -> Vec<String> {
    hit.remarks.iter().map(ToString::to_string).collect()
}

async fn story(app: &App, asked: &str) -> Result<(Option<Value>, Option<String>), Problem> {
    let Some(story) = app.story.clone() else { return Ok((None, None)) };
    let asked = asked.to_owned();
    Ok(match app.gate.run(move || story(&asked)).await? {
        Ok(told) => (Some(told), None),
        Err(reason) => (None, Some(reason)),
    })
}
