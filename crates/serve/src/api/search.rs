//! The interface for programs: JSON under `/api/v1/`, errors as RFC 9457 problems.
//!
//! The shapes here are promises to others: fields are added, never renamed or removed.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::State;
use axum::http::header::{self, HeaderValue};
use axum::http::{Response, Uri};
use rank::{Hit, Part, Results, Segment};
use serde::Serialize;

use crate::app::App;
use crate::copy::copy_path;
use crate::params::Params;
use crate::problem::Problem;
use crate::view::share;

/// Where problems are told in JSON.
pub(crate) const PREFIX: &str = "/api/";

/// `GET /api/v1/search?q=…&offset=…&count=…&folded=0&explain=1&topic=…&without=…&order=…`
pub(crate) async fn search(State(app): State<Arc<App>>, uri: Uri) -> Response<Body> {
    match answer(&app, &uri).await {
        Ok(response) => response,
        Err(problem) => problem.json(),
    }
}

/// `GET /api/v1/status`
pub(crate) async fn status(State(app): State<Arc<App>>) -> Response<Body> {
    json(&app.status())
}

async fn answer(app: &App, uri: &Uri) -> Result<Response<Body>, Problem> {
    let params = Params::parse(uri.query())?;
    let Some(query) = params.query.as_deref() else {
        return Err(Problem::bad_request("parameter", "the parameter `q` is missing"));
    };
    let results = app.search(query, &params).await?;
    Ok(json(&Found::new(query, &params, &results)))
}

fn json(value: &impl Serialize) -> Response<Body> {
    let text = serde_json::to_string(value).expect("plain data with text keys");
    let mut response = Response::new(Body::from(text));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
    response
}

/// The answer to a search.
#[derive(Serialize)]
struct Found<'a> {
    /// The query as it came in.
    query: &'a str,
    /// The query as it was understood; empty if there was nothing to search for.
    understood: &'a str,
    /// What a person should know of the answer, in sentences; plain text.
    notes: &'a [String],
    /// How many pages match.
    total: u64,
    /// Whether `total` was counted; otherwise it is an estimate.
    total_is_exact: bool,
    /// Whether the time ran out before everything was looked at.
    is_partial: bool,
    /// How long the search took, in milliseconds.
    took_ms: f64,
    /// How many of the best hits were left out.
    offset: usize,
    /// How many hits were asked for, after limits; `hits` may hold fewer.
    count: usize,
    hits: Vec<FoundHit<'a>>,
}

#[derive(Serialize)]
struct FoundHit<'a> {
    url: &'a str,
    title: &'a str,
    /// Plain text; whoever shows it must escape it.
    snippet: String,
    /// The same text in runs, with the words of the query marked.
    snippet_segments: Vec<FoundSegment<'a>>,
    score: f32,
    /// When the page was fetched, RFC 3339.
    fetched: Option<String>,
    /// ISO 639-1.
    language: Option<&'a str>,
    /// What the score is the sum of.
    parts: Vec<FoundPart<'a>>,
    /// The page's own date, RFC 3339, if it is sure of it.
    date: Option<String>,
    /// Where a copy of it can be seen, as a path here.
    copy: Option<String>,
    /// Near copies of it that are folded into this hit; `folded=0` lists them.
    similar: u32,
    /// Further hits of its site that stand behind the first ten.
    more_from_site: u32,
    /// Set if the page was never fetched: how many sites describe it.
    described_by: Option<u64>,
    /// Why it is like the page of `related:`, what counts most first.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    alike: &'a [String],
    /// The parts in words; only with `explain=1`.
    #[serde(skip_serializing_if = "Option::is_none")]
    explanation: Option<Vec<FoundReason>>,
    /// What links say of it, in sentences; only with `explain=1`.
    #[serde(skip_serializing_if = "Option::is_none")]
    remarks: Option<&'a [String]>,
}

/// A part of a score in words.
#[derive(Serialize)]
struct FoundReason {
    name: &'static str,
    meaning: &'static str,
    /// What was measured.
    raw: f32,
    /// How much that counts.
    weight: f32,
    /// What it adds to the score: the one times the other.
    value: f32,
    /// Its share of the score, 0 to 1.
    share: f32,
}

#[derive(Serialize)]
struct FoundSegment<'a> {
    text: &'a str,
    is_marked: bool,
}

#[derive(Serialize)]
struct FoundPart<'a> {
    name: &'a str,
    value: f32,
}

impl<'a> Found<'a> {
    fn new(query: &'a str, params: &Params, results: &'a Results) -> Self {
        Self {
            query,
            understood: &results.made_of,
            notes: &results.notes,
            total: results.total.count,
            total_is_exact: results.total.is_exact,
            is_partial: results.is_partial,
            took_ms: results.took.as_micros() as f64 / 1_000.0,
            offset: params.offset,
            count: params.count,
            hits: results.hits.iter().map(|hit| FoundHit::new(hit, query, params)).collect(),
        }
    }
}

impl<'a> FoundHit<'a> {
    fn new(hit: &'a Hit, query: &str, params: &Params) -> Self {
        let segment = |segment: &'a Segment| FoundSegment {
            text: &segment.text,
            is_marked: segment.is_marked,
        };
        let part = |part: &'a Part| FoundPart { name: part.name, value: part.value };
        Self {
            url: hit.url.as_str(),
            title: &hit.title,
            snippet: hit.snippet.text(),
            snippet_segments: hit.snippet.segments.iter().map(segment).collect(),
            score: hit.score,
            fetched: hit.fetched.map(base::Timestamp::rfc3339),
            language: hit.language.as_deref(),
            parts: hit.parts.iter().map(part).collect(),
            date: hit.date.map(base::Timestamp::rfc3339),
            copy: hit.page.filter(|_| hit.has_copy).map(|page| copy_path(page, query)),
            similar: hit.similar,
            more_from_site: hit.held_back,
            described_by: hit.described_by,
            alike: &hit.reasons,
            explanation: params.explain.then(|| reasons(hit)),
            remarks: params.explain.then_some(hit.remarks.as_slice()),
        }
    }
}

fn reasons(hit: &Hit) -> Vec<FoundReason> {
    let reason = |part: &Part| FoundReason {
        name: part.name,
        meaning: part.meaning(),
        raw: part.raw,
        weight: part.weight,
        value: part.value,
        share: share(part, hit),
    };
    hit.parts.iter().map(reason).collect()
}
