//! Copies of pages as the crawl saw them: `GET /cache?url=…` or `?page=…`, with `q` marked (Q6).
//!
//! The copy is shown in the page that we send, not in a frame: it has been made harmless by
//! whoever handed it to us, and it is served as if it had not been. The policy of the response
//! allows our own style sheet and nothing else, and puts the page into a sandbox: an origin of
//! its own, no scripts, no forms, no windows (WEB-11).

use std::fmt;
use std::sync::Arc;

use askama::Template;
use axum::body::Body;
use axum::extract::State;
use axum::http::header::{self, HeaderValue};
use axum::http::{HeaderMap, Response, StatusCode, Uri};
use base::{PageId, Timestamp, Url};
use rank::Lookup;
use tracing::error;

use crate::app::App;
use crate::fault::Fault;
use crate::params::{Params, QUERY_BYTES, clean, pairs};
use crate::problem::Problem;
use crate::secret::{hex, random};
use crate::tongue::{Tongue, Words};
use crate::view::{Date, direction, encode, href, search_path};
use crate::visit::Visit;
use crate::{assets, page};

/// Hands out copies of pages; blocks its thread while it does.
pub type CopyFn = Arc<dyn Fn(&CopyRequest) -> Result<PageCopy, NoCopy> + Send + Sync>;

/// Which copy is wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CopyRequest {
    /// The page.
    pub page: Lookup,
    /// Whose words are marked; may be empty.
    pub query: String,
}

/// A copy of a page.
#[derive(Clone, Debug, PartialEq)]
pub struct PageCopy {
    /// Its address.
    pub url: Url,
    /// Its title; may be empty.
    pub title: String,
    /// When it was fetched.
    pub fetched: Timestamp,
    /// Language of its text as ISO 639-1, if known.
    pub language: Option<String>,
    /// Mark-up for the inside of a page, made harmless: only elements without effects, every
    /// text escaped.
    pub html: String,
    /// Whether the page goes on behind what is shown.
    pub is_cut: bool,
    /// What it is a copy of.
    pub form: CopyForm,
}

/// What a copy shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CopyForm {
    /// The page itself, without its looks.
    Page,
    /// The text that was read out of a document.
    Extracted,
}

/// Why there is no copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoCopy {
    /// The page is not known, or has been taken out.
    Unknown,
    /// The page asks that no copy be shown (`noarchive`).
    Forbidden,
    /// The page is known, but its copy cannot be read any more.
    Gone,
}

/// Returns the content security policy of a copy: our style sheets, known by their number, and
/// nothing else, not even from here.
fn policy(nonce: &str) -> String {
    format!(
        "default-src 'none'; style-src 'nonce-{nonce}'; form-action 'none'; base-uri 'none'; \
         frame-ancestors 'none'; sandbox"
    )
}

/// Returns a number that no page could have known when it was written; without one, words of
/// strangers are not shown.
pub(crate) fn nonce() -> Result<String, Problem> {
    random::<16>().map(|bytes| hex(&bytes)).ok_or_else(Problem::internal)
}

#[derive(Template)]
#[template(path = "copy.html")]
struct CopyPage<'a> {
    w: &'static Words,
    tongue: Tongue,
    theme: &'static str,
    name: &'a str,
    style: &'a str,
    more_style: &'a str,
    nonce: &'a str,
    title: &'a str,
    /// The address as it is shown and where it leads.
    address: &'a str,
    href: String,
    fetched: Date,
    /// Where the results are that led here.
    back: Option<String>,
    /// Where we begin.
    start: String,
    query: &'a str,
    language: Option<&'a str>,
    direction: &'static str,
    is_extracted: bool,
    is_cut: bool,
    html: &'a str,
}

/// `GET /cache?url=…&q=…` or `GET /cache?page=…&q=…`
pub(crate) async fn show(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    uri: Uri,
) -> Response<Body> {
    let visit = Visit::new(&headers, uri.query());
    match answer(&app, &visit, &uri).await {
        Ok(response) => response,
        Err(problem) => page::refuse_copy(&app, &visit, &problem),
    }
}

async fn answer(app: &App, visit: &Visit, uri: &Uri) -> Result<Response<Body>, Problem> {
    let request = parse(uri.query())?;
    let Some(copies) = app.copies.clone() else { return Err(missing(NoCopy::Unknown)) };
    let asked = request.clone();
    let copy = app.gate.run(move || copies(&asked)).await?.map_err(missing)?;
    let query = request.query.as_str();
    let title = if copy.title.trim().is_empty() { copy.url.as_str() } else { &copy.title };
    let nonce = nonce()?;
    let page = CopyPage {
        w: visit.tongue.words(),
        tongue: visit.tongue,
        theme: visit.wishes.theme.name(),
        name: &app.options.title,
        style: &assets::STYLE_PATH,
        more_style: &assets::MORE_STYLE_PATH,
        nonce: &nonce,
        title,
        address: copy.url.as_str(),
        href: href(&copy.url, &app.options.link_rewrites),
        fetched: Date::new(copy.fetched, visit.tongue),
        back: (!query.is_empty()).then(|| way_back(query, uri.query())),
        start: visit.path("/"),
        query,
        language: copy.language.as_deref(),
        direction: direction(copy.language.as_deref()),
        is_extracted: copy.form == CopyForm::Extracted,
        is_cut: copy.is_cut,
        html: &copy.html,
    };
    let html = page.render().map_err(|error| {
        error!(%error, "cannot write a page");
        Problem::internal()
    })?;
    let mut response = Response::new(Body::from(html));
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        (header::CACHE_CONTROL, "private, no-store"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    let policy = HeaderValue::try_from(policy(&nonce)).expect("letters, digits and signs");
    headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    headers.insert("x-robots-tag", HeaderValue::from_static("noindex, nofollow, noarchive"));
    Ok(response)
}

/// Reads which copy is wanted.
fn parse(raw: Option<&str>) -> Result<CopyRequest, Problem> {
    let [url, page, query] = pairs(raw, ["url", "page", "q"])?;
    let query = clean(&query.unwrap_or_default());
    if query.len() > QUERY_BYTES {
        return Err(Problem::bad_request("query-too-long", "the query is too long"));
    }
    let page = match (url, page) {
        (Some(url), None) => Url::parse(&url).ok().map(Lookup::Url),
        (None, Some(page)) => page_id(&page).map(Lookup::Page),
        _ => None,
    };
    let page = page.ok_or_else(|| Problem::wrong(Fault::OnePage))?;
    Ok(CopyRequest { page, query })
}

/// Reads an id as it is shown: partition and number.
fn page_id(text: &str) -> Option<PageId> {
    let (partition, index) = text.split_once(':')?;
    PageId::new(partition.parse().ok()?, index.parse().ok()?)
}

/// Says why there is no copy.
pub(crate) fn missing(reason: NoCopy) -> Problem {
    let (code, detail) = match reason {
        NoCopy::Unknown => ("not-found", "there is no copy of this page here"),
        NoCopy::Forbidden => {
            ("noarchive", "this page asks that no copy of it be shown (noarchive)")
        }
        NoCopy::Gone => ("gone", "the copy of this page cannot be read any more"),
    };
    Problem::new(StatusCode::NOT_FOUND, code, detail)
}

/// Returns the path of a page's copy; `results` is where the results are that lead to it, and to
/// which it leads back.
pub(crate) fn copy_path(page: PageId, results: &str) -> String {
    let asked = results.split_once('?').map_or("", |(_, asked)| asked);
    format!("/cache?page={page}&{asked}")
}

/// Returns where the results are that led to a copy: what [`copy_path`] was given.
fn way_back(query: &str, raw: Option<&str>) -> String {
    // What cannot be read is not kept; the copy is there for everybody.
    match Params::parse(raw) {
        Ok(params) => search_path(query, params.offset) + &params.kept(),
        Err(_) => search_path(query, 0),
    }
}

/// Returns the path of the copy of a page that is known by its address.
pub(crate) fn copy_of_url(url: &Url) -> String {
    format!("/cache?url={}", encode(url.as_str()))
}

impl fmt::Display for NoCopy {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&missing(*self).detail)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_named_by_address_or_number() {
        let page = |raw: &str| parse(Some(raw)).map(|request| request.page);
        let url = Url::parse("http://a.example/x?y=z").unwrap();
        assert_eq!(page("url=http%3A%2F%2Fa.example%2Fx%3Fy%3Dz&q=a").unwrap(), Lookup::Url(url));
        let id = PageId::new(0, 17).unwrap();
        assert_eq!(page("page=0:17").unwrap(), Lookup::Page(id));
        let path = copy_path(id, &search_path("a b", 10));
        assert_eq!(page(path.split_once('?').unwrap().1).unwrap(), Lookup::Page(id));
        for raw in [
            "",
            "url=",
            "url=javascript:x",
            "page=17",
            "page=0:x",
            "page=0:1&url=http://a/",
            "page=0:999999999999999999999",
            "url=http://a.example/&url=http://b.example/",
            "url=%ff",
        ] {
            assert_eq!(page(raw).unwrap_err().status, StatusCode::BAD_REQUEST, "{raw}");
        }
    }

    #[test]
    fn a_copy_leads_back_to_the_results_that_led_to_it() {
        let back = |results: &str| {
            let copy = copy_path(PageId::new(0, 17).unwrap(), results);
            way_back("a b", copy.split_once('?').map(|(_, raw)| raw))
        };
        for results in [
            "/search?q=a+b",
            "/search?q=a+b&offset=20&folded=0&explain=1&topic=news:0.7&lang=da&time=week&ui=de",
        ] {
            assert_eq!(back(results), results);
        }
        assert_eq!(back("/search?q=a+b&offset=x&lang=da"), "/search?q=a+b", "what nobody wrote");
    }
}
