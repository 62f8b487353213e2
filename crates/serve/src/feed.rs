//! For readers of feeds and for browsers: results as RSS, and what to ask us (OpenSearch 1.1).
//!
//! `/opensearch.xml` lets a browser add this search; `/search.rss?q=…` is the same answer as the
//! page, for programs that look again and again. Both name us by the address that was asked, unless
//! [`crate::Options::url`] says under which one we are known.

use std::sync::Arc;

use askama::Template;
use axum::body::Body;
use axum::extract::State;
use axum::http::header::{self, HeaderMap};
use axum::http::{Response, Uri};
use base::Timestamp;
use rank::Results;

use crate::app::App;
use crate::page::respond;
use crate::params::Params;
use crate::problem::Problem;
use crate::tongue::Tongue;
use crate::view::{HitView, Look, search_path};
use crate::{Options, assets};

const OPENSEARCH: &str = "application/opensearchdescription+xml; charset=utf-8";
const RSS: &str = "application/rss+xml; charset=utf-8";
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

/// `GET /opensearch.xml`
pub(crate) async fn opensearch(State(app): State<Arc<App>>, headers: HeaderMap) -> Response<Body> {
    let title = &app.options.title;
    let description = Description {
        short_name: short_name(title),
        title,
        base: &base_url(&app.options, &headers),
        icon: assets::ICON_PATH,
    };
    respond(&description, OPENSEARCH, "public, max-age=86400")
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
    let params = Params::parse(uri.query())?;
    let query = params.query.as_deref().ok_or_else(|| Problem::missing("q"))?;
    let results = app.search(query, &params).await?;
    let feed = Feed {
        title: &app.options.title,
        query: visible(query),
        base: &base_url(&app.options, headers),
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

/// Returns the address under which we are asked, without a slash at its end.
pub(crate) fn base_url(options: &Options, headers: &HeaderMap) -> String {
    if let Some(url) = &options.url {
        return url.trim_end_matches('/').to_owned();
    }
    // Whoever asks writes this; a host is all that it can become.
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    let is_host = |byte: u8| byte.is_ascii_alphanumeric() || b".-_:[]".contains(&byte);
    match !host.is_empty() && host.len() <= HOST_BYTES && host.bytes().all(is_host) {
        true => format!("http://{host}"),
        false => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn we_are_known_by_our_address_or_by_a_host_and_nothing_else() {
        let named =
            Options { url: Some("https://find.example/x/".to_owned()), ..Options::default() };
        let asked = |host: &'static str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::HOST, axum::http::HeaderValue::from_static(host));
            headers
        };
        assert_eq!(base_url(&named, &asked("evil.example")), "https://find.example/x");
        let options = Options::default();
        assert_eq!(base_url(&options, &asked("[::1]:7700")), "http://[::1]:7700");
        assert_eq!(base_url(&options, &asked("a.example/<b>")), "");
        assert_eq!(base_url(&options, &HeaderMap::new()), "");
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
