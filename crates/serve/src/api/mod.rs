//! The interface for programs: JSON under `/api/v1/`, errors as RFC 9457 problems (U4).
//!
//! The shapes here are promises to others: fields are added, never renamed or removed. Each path is
//! one line of [`ROUTES`]; `openapi.rs` describes the same handlers, and a test holds the two
//! against each other, parameters included.

mod graph;
mod search;
mod similar;
mod status;
mod suggest;
mod why;

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::http::Response;
use axum::http::header::{self, HeaderValue};
use axum::routing::{MethodRouter, get};
use rank::query::Filter;
use serde::Serialize;

use crate::app::App;
use crate::extras::Time;
use crate::narrow::Narrow;
use crate::openapi;
use crate::params::{Params, number};
use crate::problem::Problem;

pub(crate) use graph::{bowtie, hits, page, pagerank};
pub(crate) use search::search;
pub(crate) use similar::similar;
pub(crate) use status::status;
pub(crate) use suggest::{for_browsers as suggest_for_browsers, suggest};
pub(crate) use why::why;

/// What utoipa makes of the handlers, for the description.
pub(crate) mod paths {
    pub(crate) use super::graph::{__path_bowtie, __path_hits, __path_page, __path_pagerank};
    pub(crate) use super::search::__path_search;
    pub(crate) use super::similar::__path_similar;
    pub(crate) use super::status::__path_status;
    pub(crate) use super::suggest::__path_suggest;
    pub(crate) use super::why::__path_why;
}

/// Where problems are told in JSON.
pub(crate) const PREFIX: &str = "/api/";
/// Most entries of a list, if no other number is given, and at most.
const LISTED: usize = 20;
const MOST_LISTED: usize = 100;

/// One path.
pub(crate) struct Route {
    pub(crate) path: &'static str,
    /// The parameters that it reads.
    #[cfg_attr(not(test), allow(dead_code, reason = "held against the description by a test"))]
    pub(crate) names: &'static [&'static [&'static str]],
    handler: fn() -> MethodRouter<Arc<App>>,
}

/// Every path of the interface.
pub(crate) const ROUTES: [Route; 10] = [
    Route {
        path: "/api/v1/search",
        names: &[&Params::NAMES, &Narrow::NAMES, &[Time::NAME]],
        handler: || get(search),
    },
    Route { path: "/api/v1/suggest", names: &[&suggest::NAMES], handler: || get(suggest) },
    Route { path: "/api/v1/similar", names: &[&similar::NAMES], handler: || get(similar) },
    Route { path: "/api/v1/why", names: &[&why::NAMES], handler: || get(why) },
    Route { path: "/api/v1/status", names: &[], handler: || get(status) },
    Route { path: "/api/v1/graph/pagerank", names: &[&["count"]], handler: || get(pagerank) },
    Route { path: "/api/v1/graph/hits", names: &[&graph::HITS_NAMES], handler: || get(hits) },
    Route { path: "/api/v1/graph/bowtie", names: &[], handler: || get(bowtie) },
    Route { path: "/api/v1/graph/page", names: &[&["url"]], handler: || get(page) },
    Route { path: openapi::PATH, names: &[], handler: || get(openapi::document) },
];

/// Adds the interface to the table of paths.
pub(crate) fn add(router: Router<Arc<App>>) -> Router<Arc<App>> {
    let add = |router: Router<Arc<App>>, route: &Route| router.route(route.path, (route.handler)());
    ROUTES.iter().fold(router, add).route(openapi::PAGE_PATH, get(openapi::page))
}

/// Tells an answer, or why there is none.
pub(crate) fn told(outcome: Result<impl Serialize, Problem>) -> Response<Body> {
    match outcome {
        Ok(answer) => json(&answer),
        Err(problem) => problem.json(),
    }
}

fn json(value: &impl Serialize) -> Response<Body> {
    let text = serde_json::to_string(value).expect("plain data with text keys");
    let mut response = Response::new(Body::from(text));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
    response
}

/// Reads how many entries of a list are wanted.
fn listed(count: Option<String>) -> Result<usize, Problem> {
    Ok(number("count", count)?.unwrap_or(LISTED).min(MOST_LISTED))
}

/// Reads an address, with or without a scheme. Of a text that is none nothing is known, as of an
/// address that nobody has: what an address is cannot be told in a description for programs.
fn address(url: Option<String>) -> Result<String, Problem> {
    let url = url.filter(|url| !url.is_empty()).ok_or_else(|| Problem::missing("url"))?;
    let url = url.trim();
    if Filter::urls(url).is_empty() || url.contains(|letter: char| letter.is_whitespace()) {
        let detail = "`url` is no address of the web, such as `https://example.org/`";
        return Err(unknown(detail));
    }
    Ok(url.to_owned())
}

/// Says that nothing is known of a page.
fn unknown(what: &str) -> Problem {
    Problem::new(axum::http::StatusCode::NOT_FOUND, "not-found", what)
}
