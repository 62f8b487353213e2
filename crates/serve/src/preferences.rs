//! The page on which a visitor says what this search should be like (Q10).
//!
//! Nothing is kept here: what is saved goes back as a cookie. The page can be filled from the
//! cookie, from an address (`/preferences?block=ads.example`), which is not saved until the
//! visitor says so, or from a file that is pasted. Results have a short way for their sites.

use std::sync::Arc;

use askama::Template;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::header::{self, HeaderValue};
use axum::http::{HeaderMap, Response, StatusCode, Uri};

use crate::app::App;
use crate::names;
use crate::origin;
use crate::page::{self, Frame};
use crate::params::{clean, fields, pairs};
use crate::problem::Problem;
use crate::tongue::Tongue;
use crate::visit::Visit;
use crate::wishes::{COUNTS, Regard, Theme, Wishes};

/// The page.
pub(crate) const PATH: &str = "/preferences";
/// Where a result's site is sent to.
pub(crate) const SITE_PATH: &str = "/preferences/site";
/// Where a pasted file is sent to.
pub(crate) const IMPORT_PATH: &str = "/preferences/import";
/// Where everything is forgotten.
pub(crate) const FORGET_PATH: &str = "/preferences/forget";
/// The preferences as a file.
pub(crate) const FILE_PATH: &str = "/preferences.txt";

#[derive(Template)]
#[template(path = "preferences.html")]
struct PreferencesPage<'a> {
    frame: Frame<'a>,
    wishes: &'a Wishes,
    state: Saving,
    /// What was not understood.
    odd: &'a [String],
    /// The wishes as an address, if there are any.
    address: Option<String>,
    topics: String,
    /// Lists of sites as they are typed: one a line.
    preferred: String,
    lowered: String,
    blocked: String,
    themes: Vec<Choice>,
    tongues: Vec<Choice>,
    counts: Vec<Choice>,
    countries: Vec<Choice>,
}

/// More than this is typed by somebody who has more wishes than there is room for, if not all of it
/// is understood: as many bytes as an address may have.
const LONG_FORM: usize = 8 * 1024;

/// What became of the wishes on the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Saving {
    /// They are those of the cookie.
    Kept,
    /// They have just been saved.
    Saved,
    /// They are not saved yet.
    Open,
    /// They are more than a browser keeps.
    TooMuch,
}

/// The whole form as it was sent.
struct Typed {
    wishes: Wishes,
    /// What was not understood.
    odd: Vec<String>,
    /// The lists of sites, letter by letter.
    sites: [String; 3],
}

impl Typed {
    fn read(raw: Option<&str>) -> Result<Self, Problem> {
        let (wishes, odd) = Wishes::read_form(raw)?;
        let lines = |text: String| text.lines().map(clean).collect::<Vec<_>>().join("\n");
        let sites = fields(raw, ["prefer", "lower", "block"])?;
        Ok(Self { wishes, odd, sites: sites.map(|text| lines(text.unwrap_or_default())) })
    }
}

/// One value of a list.
struct Choice {
    value: &'static str,
    text: String,
    /// Language of the text, where that is not the page's.
    language: &'static str,
    is_chosen: bool,
}

/// `GET /preferences`
pub(crate) async fn show(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    uri: Uri,
) -> Response<Body> {
    let visit = Visit::new(&headers, uri.query());
    let [saved] = pairs(uri.query(), ["saved"]).unwrap_or_default();
    match Wishes::read(uri.query()) {
        Ok((wishes, odd)) if wishes != Wishes::default() || !odd.is_empty() => {
            page_of(&app, &visit, &wishes, Saving::Open, &odd)
        }
        Ok(_) => {
            let state = if saved.is_some() { Saving::Saved } else { Saving::Kept };
            page_of(&app, &visit, &visit.wishes, state, &[])
        }
        Err(problem) => page::refuse(&app, &visit, &problem),
    }
}

/// `POST /preferences` with the whole form.
pub(crate) async fn save(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    uri: Uri,
    body: Bytes,
) -> Response<Body> {
    let visit = Visit::new(&headers, uri.query());
    match change(&app, &headers, &body, Typed::read) {
        Ok(Typed { wishes, odd, sites }) if is_too_much(&wishes, &odd, &body) => {
            // All of it stays in the form, also what there was no room for.
            let [preferred, lowered, blocked] = sites;
            let page = filled(&app, &visit, &wishes, Saving::TooMuch, &odd);
            answer(&PreferencesPage { preferred, lowered, blocked, ..page })
        }
        Ok(Typed { wishes, odd, .. }) => keep(&app, &visit, &wishes, &odd, PATH),
        Err(problem) => page::refuse(&app, &visit, &problem),
    }
}

/// `POST /preferences/site` with a site as `prefer`, `lower` or `block`, or with those that are
/// forgotten as `none`; and `back`.
pub(crate) async fn set_site(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    uri: Uri,
    body: Bytes,
) -> Response<Body> {
    let visit = Visit::new(&headers, uri.query());
    let names = ["prefer", "lower", "block", "none", "back"];
    let [prefer, lower, block, none, back] =
        match change(&app, &headers, &body, |raw| pairs(raw, names)) {
            Ok(values) => values,
            Err(problem) => return page::refuse(&app, &visit, &problem),
        };
    let mut wishes = visit.wishes.clone();
    let regards = [Regard::Preferred, Regard::Lowered, Regard::Blocked].map(Some);
    let wished = [prefer, lower, block].into_iter().zip(regards);
    let wished = wished.filter_map(|(site, regard)| Some((site?, regard)));
    let forgotten = none.unwrap_or_default();
    let forgotten = forgotten.split_whitespace().map(|site| (site.to_owned(), None));
    for (site, regard) in wished.chain(forgotten) {
        if !wishes.set(&site, regard) {
            return page_of(&app, &visit, &visit.wishes, Saving::TooMuch, &[site]);
        }
    }
    let back = back.filter(|path| is_path_of_results(path));
    keep(&app, &visit, &wishes, &[], back.as_deref().unwrap_or(PATH))
}

/// `POST /preferences/import` with a file as `text`: shown, not saved.
pub(crate) async fn import(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    uri: Uri,
    body: Bytes,
) -> Response<Body> {
    let visit = Visit::new(&headers, uri.query());
    match change(&app, &headers, &body, |raw| fields(raw, ["text"])) {
        Ok([text]) => {
            let (wishes, odd) = Wishes::read_file(&text.unwrap_or_default());
            let is_too_much = is_too_much(&wishes, &odd, &body);
            let state = if is_too_much { Saving::TooMuch } else { Saving::Open };
            page_of(&app, &visit, &wishes, state, &odd)
        }
        Err(problem) => page::refuse(&app, &visit, &problem),
    }
}

/// `POST /preferences/forget`
pub(crate) async fn forget(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    uri: Uri,
    body: Bytes,
) -> Response<Body> {
    let visit = Visit::new(&headers, uri.query());
    match change(&app, &headers, &body, |_| Ok(())) {
        Ok(()) => keep(&app, &visit, &Wishes::default(), &[], PATH),
        Err(problem) => page::refuse(&app, &visit, &problem),
    }
}

/// `GET /preferences.txt`
pub(crate) async fn export(headers: HeaderMap) -> Response<Body> {
    let mut response = Response::new(Body::from(Wishes::of(&headers).to_file()));
    for (name, value) in [
        (header::CONTENT_TYPE, "text/plain; charset=utf-8"),
        (header::CONTENT_DISPOSITION, "attachment; filename=\"preferences.txt\""),
        (header::CACHE_CONTROL, "private, no-store"),
    ] {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

/// Reads the body of a request that changes something, if a page of ours sent it.
fn change<T>(
    app: &App,
    headers: &HeaderMap,
    body: &Bytes,
    read: impl FnOnce(Option<&str>) -> Result<T, Problem>,
) -> Result<T, Problem> {
    if !origin::is_ours(headers, app.options.url.as_deref()) {
        let detail = "preferences can only be changed from a page of ours";
        return Err(Problem::new(StatusCode::FORBIDDEN, "origin", detail));
    }
    let raw = std::str::from_utf8(body)
        .map_err(|_| Problem::bad_request("encoding", "the form is not UTF-8"))?;
    read(Some(raw))
}

/// Returns whether a form holds more than a browser keeps.
fn is_too_much(wishes: &Wishes, odd: &[String], body: &Bytes) -> bool {
    wishes.to_cookie(false).is_none() || body.len() > LONG_FORM && !odd.is_empty()
}

/// Lets the browser keep wishes and goes on to a page of ours; what was not understood is said
/// first.
fn keep(app: &App, visit: &Visit, wishes: &Wishes, odd: &[String], next: &str) -> Response<Body> {
    let is_secure = app.options.url.as_deref().is_some_and(|url| url.starts_with("https:"));
    let cookie = wishes.to_cookie(is_secure).and_then(|text| HeaderValue::try_from(text).ok());
    let Some(cookie) = cookie else {
        return page_of(app, visit, wishes, Saving::TooMuch, odd);
    };
    let asked = asked_next(visit, wishes);
    let mut response = match odd.is_empty() {
        true => see_other(next, asked),
        false => {
            let tongue = asked.or(wishes.tongue).unwrap_or(visit.tongue);
            let visit = Visit { tongue, asked, wishes: wishes.clone() };
            page_of(app, &visit, wishes, Saving::Saved, odd)
        }
    };
    response.headers_mut().insert(header::SET_COOKIE, cookie);
    response
}

/// Returns the language that the next address asks for: that of this one, unless the visitor has
/// just chosen one for all pages.
fn asked_next(visit: &Visit, wishes: &Wishes) -> Option<Tongue> {
    let is_chosen = wishes.tongue.is_some() && wishes.tongue != visit.wishes.tongue;
    visit.asked.filter(|_| !is_chosen)
}

/// Returns a language as a parameter behind others.
fn in_tongue(asked: Option<Tongue>) -> String {
    asked.map(|tongue| format!("&ui={}", tongue.code())).unwrap_or_default()
}

fn see_other(path: &str, asked: Option<Tongue>) -> Response<Body> {
    let path = match path {
        PATH => format!("{PATH}?saved=1{}", in_tongue(asked)),
        results => results.to_owned(),
    };
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::SEE_OTHER;
    let target = HeaderValue::try_from(path).unwrap_or(HeaderValue::from_static(PATH));
    response.headers_mut().insert(header::LOCATION, target);
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

/// Returns whether a path is one of our result pages and nothing else: this is no way to send
/// people elsewhere (WEB-08).
fn is_path_of_results(path: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_graphic() && byte != b'\\';
    path.starts_with("/search?") && path.bytes().all(is_plain)
}

fn page_of(
    app: &App,
    visit: &Visit,
    wishes: &Wishes,
    state: Saving,
    odd: &[String],
) -> Response<Body> {
    answer(&filled(app, visit, wishes, state, odd))
}

fn answer(page: &PreferencesPage<'_>) -> Response<Body> {
    let mut response = page::show(page);
    if page.state == Saving::TooMuch {
        *response.status_mut() = StatusCode::BAD_REQUEST;
    }
    response
}

/// Returns the page with the form filled.
fn filled<'a>(
    app: &'a App,
    visit: &Visit,
    wishes: &'a Wishes,
    state: Saving,
    odd: &'a [String],
) -> PreferencesPage<'a> {
    let query = wishes.to_query();
    let address = || format!("{PATH}?{query}{}", in_tongue(visit.asked));
    let topics: Vec<String> = wishes.topics.iter().map(ToString::to_string).collect();
    PreferencesPage {
        frame: Frame::new(app, visit, ""),
        wishes,
        state,
        odd,
        address: (!query.is_empty()).then(address),
        topics: topics.join(" "),
        preferred: wishes.personal.preferred.join("\n"),
        lowered: wishes.personal.lowered.join("\n"),
        blocked: wishes.personal.blocked.join("\n"),
        themes: themes(wishes, visit.tongue),
        tongues: tongues(wishes, visit.tongue),
        counts: counts(wishes, visit.tongue),
        countries: countries(wishes, visit.tongue),
    }
}

fn themes(wishes: &Wishes, tongue: Tongue) -> Vec<Choice> {
    let own = &tongue.words().own;
    let choice = |(theme, text): (Theme, &str)| Choice {
        value: theme.name(),
        text: text.to_owned(),
        language: tongue.code(),
        is_chosen: wishes.theme == theme,
    };
    let all = [(Theme::Auto, own.automatic), (Theme::Light, own.light), (Theme::Dark, own.dark)];
    all.into_iter().map(choice).collect()
}

fn tongues(wishes: &Wishes, tongue: Tongue) -> Vec<Choice> {
    let automatic = Choice {
        value: "auto",
        text: tongue.words().own.automatic.to_owned(),
        language: tongue.code(),
        is_chosen: wishes.tongue.is_none(),
    };
    let choice = |known: Tongue| Choice {
        value: known.code(),
        text: known.words().own_name.to_owned(),
        language: known.code(),
        is_chosen: wishes.tongue == Some(known),
    };
    [automatic].into_iter().chain(Tongue::ALL.into_iter().map(choice)).collect()
}

fn counts(wishes: &Wishes, tongue: Tongue) -> Vec<Choice> {
    let names = ["10", "20", "30", "50"];
    let choice = |(count, value): (usize, &'static str)| Choice {
        value,
        text: tongue.number(count as u64),
        language: tongue.code(),
        is_chosen: wishes.count.unwrap_or(COUNTS[0]) == count,
    };
    COUNTS.into_iter().zip(names).map(choice).collect()
}

fn countries(wishes: &Wishes, tongue: Tongue) -> Vec<Choice> {
    let chosen = wishes.personal.country.as_deref();
    let nowhere = Choice {
        value: "",
        text: tongue.words().own.nowhere.to_owned(),
        language: tongue.code(),
        is_chosen: chosen.is_none(),
    };
    let choice = |(code, name): (&'static str, &'static str)| Choice {
        value: code,
        text: name.to_owned(),
        language: "en",
        is_chosen: chosen == Some(code),
    };
    [nowhere].into_iter().chain(names::countries().into_iter().map(choice)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn web_08_only_result_pages_are_gone_back_to() {
        for (path, expected) in [
            ("/search?q=a&offset=10", true),
            ("/search", false),
            ("//evil.example/search?q=a", false),
            ("/search?q=a\r\nX: y", false),
            ("https://evil.example/search?", false),
            ("/search?\\\\evil", false),
            ("/search?q=é", false),
            ("/searching?q=a", false),
        ] {
            assert_eq!(is_path_of_results(path), expected, "{path}");
        }
    }
}
