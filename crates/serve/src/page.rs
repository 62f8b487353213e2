//! The pages for people: start, results, and what we say when something is wrong.
//!
//! Complete without JavaScript. The templates are in `templates/`; askama escapes every value
//! they show, so titles, snippets and queries stay text (WEB-01, WEB-02, WEB-04).

use std::sync::Arc;

use askama::Template;
use axum::body::Body;
use axum::extract::State;
use axum::http::header::{self, HeaderValue};
use axum::http::{Response, Uri};
use rank::{Grouping, Results};
use tracing::error;

use crate::app::App;
use crate::params::{DEFAULT_COUNT, Params, QUERY_BYTES, WINDOW};
use crate::problem::Problem;
use crate::view::{HitView, feed_path, grouped, search_path};
use crate::{Status, assets};

const HTML: &str = "text/html; charset=utf-8";
/// Page numbers shown at the foot of a result page.
const PAGE_LINKS: usize = 7;

/// What every page shows.
struct Frame<'a> {
    title: &'a str,
    style: &'a str,
    icon: &'a str,
    /// What stands in the search field.
    query: &'a str,
    status: Status,
}

impl<'a> Frame<'a> {
    fn new(app: &'a App, query: &'a str) -> Self {
        Self {
            title: &app.options.title,
            style: &assets::STYLE_PATH,
            icon: assets::ICON_PATH,
            query,
            status: app.status(),
        }
    }

    /// Returns how many pages can be found, as people write it.
    fn indexed(&self) -> String {
        match self.status.indexed {
            1 => "1 page".to_owned(),
            number => format!("{} pages", grouped(number)),
        }
    }

    /// Returns how fast the crawl is, as people write it; empty if it stands still.
    fn speed(&self) -> String {
        let speed = self.status.pages_per_second;
        if speed.is_finite() && speed >= 0.05 {
            let digits = usize::from(speed < 9.95);
            format!(" {speed:.digits$} pages/s")
        } else {
            String::new()
        }
    }

    fn query_bytes(&self) -> usize {
        QUERY_BYTES
    }
}

#[derive(Template)]
#[template(path = "start.html")]
struct StartPage<'a> {
    frame: Frame<'a>,
    examples: Vec<Choice>,
}

#[derive(Template)]
#[template(path = "results.html")]
struct ResultsPage<'a> {
    frame: Frame<'a>,
    /// `1,204 results in 3 ms`
    summary: String,
    /// The query as understood, where that is worth showing.
    understood: Option<&'a str>,
    /// What should be known of the answer, in sentences.
    notes: &'a [String],
    is_partial: bool,
    hits: Vec<HitView<'a>>,
    paging: Paging,
    /// Where the list is folded again, if it is not.
    unfolded: Option<String>,
    /// Where scores are explained, or no longer.
    explained: (&'static str, String),
    /// Queries that find more, when this one finds nothing.
    wider: Vec<Choice>,
    /// The same as a feed.
    feed: String,
}

#[derive(Template)]
#[template(path = "problem.html")]
struct ProblemPage<'a> {
    frame: Frame<'a>,
    problem: &'a Problem,
}

/// A link to a result page of ours.
struct Choice {
    text: String,
    path: String,
}

/// The other pages of a result.
struct Paging {
    previous: Option<String>,
    pages: Vec<PageLink>,
    next: Option<String>,
}

struct PageLink {
    number: usize,
    path: String,
    is_current: bool,
}

/// `GET /`
pub(crate) async fn start(State(app): State<Arc<App>>) -> Response<Body> {
    start_page(&app)
}

/// `GET /search?q=…&offset=…`
pub(crate) async fn results(State(app): State<Arc<App>>, uri: Uri) -> Response<Body> {
    let params = match Params::parse(uri.query()) {
        // A page of ours has one size, so that its page numbers mean the same to everybody.
        Ok(params) => Params { count: DEFAULT_COUNT.min(WINDOW - params.offset), ..params },
        Err(problem) => return refuse(&app, &problem),
    };
    let Some(query) = params.query.as_deref().filter(|query| !query.is_empty()) else {
        return start_page(&app);
    };
    match app.search(query, &params).await {
        Ok(results) => show(&results_page(&app, query, &params, &results)),
        Err(problem) => problem_page(&app, query, &problem),
    }
}

/// Says on a page why there is no answer.
pub(crate) fn refuse(app: &App, problem: &Problem) -> Response<Body> {
    problem_page(app, "", problem)
}

fn start_page(app: &App) -> Response<Body> {
    let example = |text: &String| Choice { text: text.clone(), path: search_path(text, 0) };
    let examples = app.options.examples.iter().map(example).collect();
    show(&StartPage { frame: Frame::new(app, ""), examples })
}

fn results_page<'a>(
    app: &'a App,
    query: &'a str,
    params: &Params,
    results: &'a Results,
) -> ResultsPage<'a> {
    let rewrites = &app.options.link_rewrites;
    let total = usize::try_from(results.total.count).unwrap_or(usize::MAX);
    let total = results.listed.unwrap_or(total);
    ResultsPage {
        frame: Frame::new(app, query),
        summary: summary(results),
        understood: understood(query, results),
        notes: &results.notes,
        is_partial: results.is_partial,
        hits: results.hits.iter().map(|hit| HitView::new(hit, params, rewrites)).collect(),
        unfolded: (params.grouping == Grouping::Plain)
            .then(|| search_path(query, 0) + &params.choices()),
        explained: explain_path(query, params),
        feed: feed_path(query) + &params.choices(),
        paging: Paging::new(query, params, total),
        wider: if results.hits.is_empty() { wider(query, params, results) } else { Vec::new() },
    }
}

fn problem_page(app: &App, query: &str, problem: &Problem) -> Response<Body> {
    let page = ProblemPage { frame: Frame::new(app, query), problem };
    match page.render() {
        Ok(html) => problem.respond(HTML, html),
        Err(error) => {
            error!(%error, "cannot write a page");
            problem.json()
        }
    }
}

fn show(page: &impl Template) -> Response<Body> {
    respond(page, HTML, "private, no-cache")
}

/// Answers with a template, as content of a type that may be kept so long.
pub(crate) fn respond(
    document: &impl Template,
    kind: &'static str,
    cache: &'static str,
) -> Response<Body> {
    match document.render() {
        Ok(text) => {
            let mut response = Response::new(Body::from(text));
            let headers = response.headers_mut();
            headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
            headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(cache));
            response
        }
        Err(error) => {
            error!(%error, "cannot write a page");
            Problem::internal().json()
        }
    }
}

/// Returns the parameters that go from page to page besides the query.
fn kept(params: &Params) -> String {
    let folded = if params.grouping == Grouping::Plain { "&folded=0" } else { "" };
    let explain = if params.explain { "&explain=1" } else { "" };
    format!("{folded}{explain}{}", params.choices())
}

/// Returns what a link that turns explanations on or off says, and where it leads.
fn explain_path(query: &str, params: &Params) -> (&'static str, String) {
    let other = Params { explain: !params.explain, ..params.clone() };
    let text = if params.explain { "hide the scores" } else { "explain the scores" };
    (text, search_path(query, params.offset) + &kept(&other))
}

fn summary(results: &Results) -> String {
    let about = if results.total.is_exact { "" } else { "about " };
    let (number, took) = (results.total.count, results.took.as_secs_f64() * 1_000.0);
    let noun = if number == 1 { "result" } else { "results" };
    let digits = usize::from(took < 9.95);
    format!("{about}{} {noun} in {took:.digits$} ms", grouped(number))
}

/// Returns the query as understood, if it says more than what was typed: words that simply
/// stand side by side explain themselves, unless they found nothing.
fn understood<'a>(query: &str, results: &'a Results) -> Option<&'a str> {
    let same = |text: &str| {
        text.split_whitespace().filter(|word| *word != "AND").eq(query.split_whitespace())
    };
    let text = results.made_of.as_str();
    (!text.is_empty() && (results.hits.is_empty() || !same(text))).then_some(text)
}

/// Returns queries that may find something where this one found nothing.
fn wider(query: &str, params: &Params, results: &Results) -> Vec<Choice> {
    let mut queries = Vec::new();
    let text = &results.made_of;
    let is_quote = |letter| matches!(letter, '"' | '\u{201c}' | '\u{201d}' | '\u{201e}');
    if query.contains(is_quote) {
        queries.push(query.replace(is_quote, " ").split_whitespace().collect::<Vec<_>>().join(" "));
    }
    if text.contains(" AND ") && !text.contains("NOT ") && !text.contains(is_quote) {
        queries.push(text.replace(" AND ", " OR "));
    }
    queries.retain(|wider| !wider.is_empty() && wider.len() <= QUERY_BYTES);
    let path = |text: &str| search_path(text, 0) + &params.choices();
    let choice = |text: String| Choice { path: path(&text), text };
    queries.into_iter().map(choice).collect()
}

impl Paging {
    fn new(query: &str, params: &Params, total: usize) -> Self {
        let size = DEFAULT_COUNT;
        let num_pages = total.min(WINDOW).div_ceil(size);
        let current = params.offset / size;
        let first =
            current.saturating_sub(PAGE_LINKS / 2).min(num_pages.saturating_sub(PAGE_LINKS));
        let path = |page: usize| search_path(query, page * size) + &kept(params);
        let page = |index: usize| PageLink {
            number: index + 1,
            path: path(index),
            is_current: index == current,
        };
        let is_alone = num_pages <= 1;
        Self {
            previous: (current > 0).then(|| path(current.min(num_pages.max(1)) - 1)),
            pages: (first..num_pages.min(first + PAGE_LINKS))
                .filter(|_| !is_alone)
                .map(page)
                .collect(),
            next: (current + 1 < num_pages).then(|| path(current + 1)),
        }
    }

    fn is_needed(&self) -> bool {
        self.previous.is_some() || self.next.is_some()
    }
}
