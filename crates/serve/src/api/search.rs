//! `GET /api/v1/search`: what is found, with everything known of it.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::State;
use axum::http::{Response, Uri};
use rank::{Hit, Likeness, Note, Part, Remark, Results, Segment};
use serde::Serialize;
use utoipa::ToSchema;

use super::json;
use crate::app::App;
use crate::copy::copy_path;
use crate::params::Params;
use crate::problem::Problem;
use crate::view::search_path;

/// Searches.
///
/// The query may use the whole query language; filters may stand in it or beside it as parameters.
#[utoipa::path(
    get,
    path = "/api/v1/search",
    params(
        ("q" = String, Query, description = "What to search for, in the query language; at most \
         1,024 bytes, 64 words and 32 nested groups.", max_length = 1024, example = "jaguar -car"),
        ("offset" = Option<u32>, Query, description = "How many of the best hits to leave out. \
         Default 0.", minimum = 0, maximum = 999, example = 10),
        ("count" = Option<u32>, Query, description = "How many hits are wanted; more than 100 are \
         cut to 100. Default 10.", minimum = 0, example = 10),
        ("folded" = Option<u8>, Query, description = "0 lists near copies and all pages of a site \
         one by one. Default 1.", minimum = 0, maximum = 1),
        ("explain" = Option<u8>, Query, description = "1 tells what each score is made of, in \
         words. Default 0.", minimum = 0, maximum = 1),
        ("topic" = Option<String>, Query, description = "Topics whose pages count as important, \
         with their weights: `news:0.7,sport:0.3`."),
        ("without" = Option<String>, Query, description = "What of the links does not count: \
         `pagerank`, `trust`, `spam`, several with commas.",
         pattern = r"^\s*(pagerank|trust|spam)?\s*(,\s*(pagerank|trust|spam)?\s*)*$"),
        ("order" = Option<String>, Query, description = "`relevance`, or `authorities` for pages \
         that good hubs link to. Default `relevance`.", pattern = "^(relevance|authorities)?$"),
        ("lang" = Option<String>, Query, description = "Only pages in this language (ISO 639-1).",
         example = "en"),
        ("site" = Option<String>, Query, description = "Only pages of this domain, or of a folder \
         of it.", example = "example.org"),
        ("type" = Option<String>, Query, description = "Only files of this type.", example = "pdf",
         pattern = r"^ *(\.*[A-Za-z0-9]{1,16})? *$"),
        ("after" = Option<String>, Query, description = "Only pages from this year, month or day \
         on.", example = "2024-05", pattern = r"^\s*([0-9]{4}(-[0-9]{2}(-[0-9]{2})?)?)?\s*$"),
        ("before" = Option<String>, Query, description = "Only pages from before this year, month \
         or day.", example = "2025", pattern = r"^\s*([0-9]{4}(-[0-9]{2}(-[0-9]{2})?)?)?\s*$"),
        ("country" = Option<String>, Query, description = "Only pages of this country (ISO 3166).",
         example = "dk", pattern = "^ *((?![Ee][Uu])[A-Za-z]{2})? *$"),
        ("time" = Option<String>, Query, description = "Only pages of the past `day`, `week`, \
         `month` or `year`.", example = "month", pattern = "^(day|week|month|year)?$"),
    ),
    responses((status = 200, description = "What was found; may be nothing", body = Found))
)]
pub(crate) async fn search(State(app): State<Arc<App>>, uri: Uri) -> Response<Body> {
    match answer(&app, &uri).await {
        Ok(response) => response,
        Err(problem) => problem.json(),
    }
}

async fn answer(app: &App, uri: &Uri) -> Result<Response<Body>, Problem> {
    let params = Params::for_programs(uri.query())?;
    let query = params.query.as_deref().ok_or_else(|| Problem::missing("q"))?;
    let results = app.search(query, &params).await?;
    Ok(json(&Found::new(query, &params, &results)))
}

/// The answer to a search.
#[derive(Serialize, ToSchema)]
#[schema(as = SearchResults)]
struct Found<'a> {
    /// The query as it came in.
    query: &'a str,
    /// The query as it was understood; empty if there was nothing to search for.
    understood: &'a str,
    /// What a person should know of the answer, in sentences; plain text.
    #[schema(value_type = Vec<String>)]
    notes: &'a [Note],
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

/// One answer.
#[derive(Serialize, ToSchema)]
#[schema(as = Hit)]
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
    /// Further hits of its site that stand behind the first page.
    more_from_site: u32,
    /// Set if the page was never fetched: how many sites describe it.
    described_by: Option<u64>,
    /// Why it is like the page of `related:`, what counts most first.
    #[schema(value_type = Vec<String>)]
    #[serde(skip_serializing_if = "<[Likeness]>::is_empty")]
    alike: &'a [Likeness],
    /// The parts in words; only with `explain=1`.
    #[serde(skip_serializing_if = "Option::is_none")]
    explanation: Option<Vec<FoundReason>>,
    /// What links say of it, in sentences; only with `explain=1`.
    #[schema(value_type = Option<Vec<String>>)]
    #[serde(skip_serializing_if = "Option::is_none")]
    remarks: Option<&'a [Remark]>,
}

/// A part of a score in words.
#[derive(Serialize, ToSchema)]
#[schema(as = Reason)]
pub(super) struct FoundReason {
    #[schema(value_type = String)]
    name: &'static str,
    #[schema(value_type = String)]
    meaning: &'static str,
    /// What was measured.
    raw: f32,
    /// How much that counts.
    weight: f32,
    /// What it adds to the score: the one times the other.
    value: f32,
    /// Its share of everything that is added and taken away, 0 to 1; all shares make 1.
    share: f32,
}

/// A run of text.
#[derive(Serialize, ToSchema)]
#[schema(as = Segment)]
struct FoundSegment<'a> {
    text: &'a str,
    /// Whether it is a word of the query.
    is_marked: bool,
}

/// A part of a score.
#[derive(Serialize, ToSchema)]
#[schema(as = Part)]
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
            copy: hit
                .page
                .filter(|_| hit.has_copy)
                .map(|page| copy_path(page, &search_path(query, 0))),
            similar: hit.similar,
            more_from_site: hit.held_back,
            described_by: hit.described_by,
            alike: &hit.reasons,
            explanation: params.explain.then(|| reasons(hit)),
            remarks: params.explain.then_some(hit.remarks.as_slice()),
        }
    }
}

/// Returns what a score is the sum of, in words.
pub(super) fn reasons(hit: &Hit) -> Vec<FoundReason> {
    let reason = |part: &Part| FoundReason {
        name: part.name,
        meaning: part.meaning(),
        raw: part.raw,
        weight: part.weight,
        value: part.value,
        share: part.share(&hit.parts),
    };
    hit.parts.iter().map(reason).collect()
}
