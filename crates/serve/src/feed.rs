//! For readers of feeds and for browsers: results as RSS, and what to ask us (OpenSearch 1.1).
//!
//! `/opensearch.xml` lets a browser add this search; `/search.rss?q=…` is the same answer as the
//! page, for programs that look again and again. Both name us by [`crate::Options::url`]. Without
//! one, whoever asks says under which name; it is repeated only if no stranger can own it, and what
//! is made of it is for no shared cache: else somebody's lie would be everybody's search engine
//! (WEB-09).

use std::sync::Arc;

use askama::Template;
use axum::body::Body;
use axum::extract::State;
use axum::http::header::{self, HeaderMap};
use axum::http::{Response, StatusCode, Uri};
use base::Timestamp;
use rank::Results;

use crate::app::App;
use crate::extras::Extras;
use crate::nearby::is_around;
use crate::page::respond;
use crate::params::Params;
use crate::problem::Problem;
use crate::tongue::Tongue;
use crate::view::{HitView, Look, search_path};
use crate::visit::Visit;
use crate::{Options, assets};

const OPENSEARCH: &str = "application/opensearchdescription+xml; charset=utf-8";
const RSS: &str = "application/rss+xml; charset=utf-8";
/// Where results are for readers of feeds.
pub(crate) const RSS_PATH: &str = "/search.rss";
/// Where the description is.
pub(crate) const OPENSEARCH_PATH: &str = "/opensearch.xml";
/// Where browsers ask for suggestions.
pub(crate) const SUGGEST_PATH: &str = "/suggest";
/// Longest name that OpenSearch 1.1 allows, in characters.
const SHORT_NAME: usize = 16;
/// Longest host name, with a port.
const HOST_BYTES: usize = 260;

#[derive(Template)]
#[template(path = "opensearch.xml")]
struct Description<'a> {
    short_name: String,
    title: &'a str,
    base: &'a str,
    icon: &'a str,
}

#[derive(Template)]
#[template(path = "results.rss.xml")]
struct Feed<'a> {
    title: &'a str,
    query: String,
    base: &'a str,
    page: String,
    offset: usize,
    total: u64,
    items: Vec<Item>,
}

struct Item {
    title: String,
    href: String,
    text: String,
    /// RFC 822, as RSS wants it.
    date: Option<String>,
}

/// Returns a name that is short enough for a list of search engines.
pub(crate) fn short_name(title: &str) -> String {
    title.chars().take(SHORT_NAME).collect()
}

/// `GET /opensearch.xml`; a problem if we do not know under which address we are reached, because
/// browsers take no description without one.
pub(crate) async fn opensearch(State(app): State<Arc<App>>, headers: HeaderMap) -> Response<Body> {
    let Some(base) = base_url(&app.options, &headers) else { return unknown_host().json() };
    let title = &app.options.title;
    let description =
        Description { short_name: short_name(title), title, base: &base, icon: assets::ICON_PATH };
    let cache = match app.options.url {
        Some(_) => "public, max-age=86400",
        None => "private, max-age=86400",
    };
    respond(&description, OPENSEARCH, cache)
}

/// `GET /search.rss?q=…&offset=…&count=…`
pub(crate) async fn results(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    uri: Uri,
) -> Response<Body> {
    match answer(&app, &headers, &uri).await {
        Ok(response) => response,
        Err(problem) => problem.json(),
    }
}

async fn answer(app: &App, headers: &HeaderMap, uri: &Uri) -> Result<Response<Body>, Problem> {
    let params = Params::for_programs(uri.query())?;
    // The page that a feed leads to is for people.
    let page = Extras { tongue: Visit::new(headers, uri.query()).asked, ..params.page };
    let params = Params { page, ..params };
    let query = params.query.as_deref().ok_or_else(|| Problem::missing("q"))?;
    let results = app.search(query, &params).await?;
    let feed = Feed {
        title: &app.options.title,
        query: visible(query),
        // Without an address of ours the link is relative: to the feed's own, which its reader knows.
        base: &base_url(&app.options, headers).unwrap_or_default(),
        page: search_path(query, params.offset) + &params.choices(),
        offset: params.offset,
        total: results.total.count,
        items: items(app, &params, &results),
    };
    Ok(respond(&feed, RSS, "private, no-cache"))
}

fn items(app: &App, params: &Params, results: &Results) -> Vec<Item> {
    let look = Look { params, rewrites: &app.options.link_rewrites, tongue: Tongue::English };
    let item = |hit| {
        let view = HitView::new(hit, 0, &look);
        Item {
            title: visible(&view.title),
            href: view.href,
            text: visible(&hit.snippet.text()),
            date: hit.date.or(hit.fetched).map(rfc822),
        }
    };
    results.hits.iter().map(item).collect()
}

/// Returns `16 Nov 2026 09:30:00 GMT`; the day of the week may be left out.
fn rfc822(at: Timestamp) -> String {
    const MONTHS: [&str; 12] =
        ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let text = at.rfc3339();
    let parts: Vec<&str> = text.split(['-', 'T', 'Z']).collect();
    let [year, month, day, time, ..] = parts[..] else { return text };
    let month = month.parse::<usize>().ok().and_then(|number| MONTHS.get(number.wrapping_sub(1)));
    format!("{day} {} {year} {time} GMT", month.copied().unwrap_or("Jan"))
}

/// Leaves out what XML cannot hold, escaped or not.
fn visible(text: &str) -> String {
    let is_legal =
        |letter: &char| matches!(letter, '\t' | '\n' | '\r' | ' '..='\u{fffd}' | '\u{10000}'..);
    text.chars().filter(is_legal).collect()
}

/// Returns the address under which we are reached, without a slash at its end; `None` if it is not
/// configured and the name that was asked for could be a stranger's.
pub(crate) fn base_url(options: &Options, headers: &HeaderMap) -> Option<String> {
    if let Some(url) = &options.url {
        return Some(url.trim_end_matches('/').to_owned());
    }
    // Whoever asks writes this; a host is all that it can become.
    let host = headers.get(header::HOST)?.to_str().ok()?;
    let is_host = |byte: u8| byte.is_ascii_alphanumeric() || b".-_:[]".contains(&byte);
    let is_ours = host.len() <= HOST_BYTES && host.bytes().all(is_host) && is_around(host);
    is_ours.then(|| format!("http://{host}"))
}

fn unknown_host() -> Problem {
    let detail = "this search does not know that it is reached under this name; whoever runs it \
                  can set `serve.url`";
    Problem::new(StatusCode::MISDIRECTED_REQUEST, "unknown-host", detail)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn web_09_we_are_known_by_our_address_or_by_a_host_that_nobody_owns() {
        let named =
            Options { url: Some("https://find.example/x/".to_owned()), ..Options::default() };
        let asked = |host: &'static str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::HOST, axum::http::HeaderValue::from_static(host));
            headers
        };
        let known = Some("https://find.example/x".to_owned());
        assert_eq!(base_url(&named, &asked("evil.example")), known);
        let options = Options::default();
        let near = Some("http://[::1]:7700".to_owned());
        assert_eq!(base_url(&options, &asked("[::1]:7700")), near);
        for host in ["evil.example", "a/<b>", "a@b", ""] {
            assert_eq!(base_url(&options, &asked(host)), None, "{host}");
        }
        assert_eq!(base_url(&options, &HeaderMap::new()), None);
    }

    #[test]
    fn dates_are_those_of_mail() {
        assert_eq!(rfc822(Timestamp::from_millis(0)), "01 Jan 1970 00:00:00 GMT");
        let at = Timestamp::parse_rfc3339("2026-11-16T09:30:01Z").unwrap();
        assert_eq!(rfc822(at), "16 Nov 2026 09:30:01 GMT");
    }

    #[test]
    fn characters_that_no_document_may_hold_are_left_out() {
        assert_eq!(visible("a\u{0}b\u{b}c\u{ffff}d\u{1f600}\n"), "abcd\u{1f600}\n");
    }
}
