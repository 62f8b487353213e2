//! `GET /api/v1/suggest`, and the same as browsers want it for their address bar.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::State;
use axum::http::header::{self, HeaderValue};
use axum::http::{Response, Uri};
use serde::Serialize;
use utoipa::ToSchema;

use super::told;
use crate::app::App;
use crate::params::{cleaned, number, pairs};
use crate::problem::Problem;
use crate::suggest::{DEFAULT_COUNT, MAX_COUNT, REMEMBERED_SECONDS};

pub(super) const NAMES: [&str; 2] = ["q", "count"];

/// Queries that go on from what was typed.
#[derive(Serialize, ToSchema)]
#[schema(as = Suggestions)]
struct Suggested {
    /// What was typed.
    query: String,
    /// The queries, best first.
    suggestions: Vec<String>,
}

/// Queries that go on from what was typed: from titles and names of pages, not from what other
/// people searched for.
#[utoipa::path(
    get,
    path = "/api/v1/suggest",
    params(
        ("q" = String, Query, description = "What was typed so far.", max_length = 1024,
         example = "jag"),
        ("count" = Option<u32>, Query, description = "How many are wanted; more than 20 are cut \
         to 20. Default 8.", minimum = 0, example = 5),
    ),
    responses((status = 200, description = "What to type next; may be empty", body = Suggested))
)]
pub(crate) async fn suggest(State(app): State<Arc<App>>, uri: Uri) -> Response<Body> {
    let found = find(&app, uri.query()).await;
    let is_found = found.is_ok();
    remembered(told(found), is_found)
}

/// `GET /suggest?q=…`: the same as OpenSearch 1.1 has it, `["jag",["jaguar","jaguar car"]]`.
pub(crate) async fn for_browsers(State(app): State<Arc<App>>, uri: Uri) -> Response<Body> {
    let found = find(&app, uri.query()).await;
    let is_found = found.is_ok();
    let mut response = told(found.map(|found| (found.query, found.suggestions)));
    if is_found {
        let kind = HeaderValue::from_static("application/x-suggestions+json");
        response.headers_mut().insert(header::CONTENT_TYPE, kind);
    }
    remembered(response, is_found)
}

async fn find(app: &App, raw: Option<&str>) -> Result<Suggested, Problem> {
    let [query, count] = pairs(raw, NAMES)?;
    let query = cleaned(&query.ok_or_else(|| Problem::missing("q"))?)?;
    let count = number("count", count)?.unwrap_or(DEFAULT_COUNT).min(MAX_COUNT);
    let suggestions = app.suggester.suggest(&query, count).await?;
    Ok(Suggested { query, suggestions })
}

/// Lets the browser keep an answer, so that going back a letter asks nobody.
fn remembered(mut response: Response<Body>, is_found: bool) -> Response<Body> {
    if is_found {
        let value = format!("private, max-age={REMEMBERED_SECONDS}");
        let value = HeaderValue::try_from(value).expect("letters and digits");
        response.headers_mut().insert(header::CACHE_CONTROL, value);
    }
    response
}
