//! The pages for people: start, results, and what we say when something is wrong.
//!
//! Complete without JavaScript. The templates are in `templates/`; askama escapes every value
//! they show, so titles, snippets and queries stay text (WEB-01, WEB-02, WEB-04). Texts of ours
//! come from `tongue`, in the visitor's language.

mod hubs;
mod paging;
mod pictures;
mod results;

use std::sync::Arc;

use askama::Template;
use axum::body::Body;
use axum::extract::State;
use axum::http::header::{self, HeaderValue};
use axum::http::{HeaderMap, Response, Uri};
use tracing::error;

use crate::app::App;
use crate::extras::Extras;
use crate::narrow::Narrow;
use crate::params::{Params, QUERY_BYTES};
use crate::problem::Problem;
use crate::tongue::{Tongue, Trouble, Words};
use crate::view::{paged_path, search_path};
use crate::visit::Visit;
use crate::wishes::Theme;
use crate::{Status, assets, feed, openapi, owner, preferences};

pub(crate) use hubs::hubs;
pub(crate) use pictures::pictures;
pub(crate) use results::results;

/// Where results are, where pictures are, and where hubs are.
pub(crate) const SEARCH_PATH: &str = "/search";
pub(crate) const PICTURES_PATH: &str = "/pictures";
pub(crate) const HUBS_PATH: &str = "/hubs";

const HTML: &str = "text/html; charset=utf-8";

/// What every page shows.
pub(crate) struct Frame<'a> {
    pub(crate) title: &'a str,
    pub(crate) style: &'a str,
    pub(crate) script: &'a str,
    pub(crate) icon: &'a str,
    /// What stands in the search field.
    pub(crate) query: &'a str,
    /// What goes with it besides, by name.
    pub(crate) hidden: Vec<(&'static str, String)>,
    /// Where the form leads.
    pub(crate) action: &'static str,
    /// The ways to look at what a query finds.
    pub(crate) tabs: Vec<Tab>,
    pub(crate) status: Status,
    pub(crate) tongue: Tongue,
    pub(crate) w: &'static Words,
    pub(crate) theme: Theme,
    pub(crate) has_keys: bool,
    pub(crate) more_style: &'a str,
    /// Where we begin.
    pub(crate) start: String,
    pub(crate) preferences: String,
    /// How addresses of forms end, so that the next page is in the language of this one.
    pub(crate) in_tongue: String,
    /// What we say to owners of sites.
    pub(crate) about: &'static str,
    /// What we say to writers of programs.
    pub(crate) api: &'static str,
}

impl<'a> Frame<'a> {
    /// Returns the frame for a visitor.
    pub(crate) fn new(app: &'a App, visit: &Visit, query: &'a str) -> Self {
        Self {
            title: &app.options.title,
            style: &assets::STYLE_PATH,
            script: &assets::SCRIPT_PATH,
            icon: assets::ICON_PATH,
            query,
            hidden: Vec::new(),
            action: SEARCH_PATH,
            tabs: Vec::new(),
            status: app.status(),
            tongue: visit.tongue,
            w: visit.tongue.words(),
            theme: visit.wishes.theme,
            has_keys: !visit.wishes.is_without_keys,
            more_style: &assets::MORE_STYLE_PATH,
            start: visit.path("/"),
            preferences: visit.path(preferences::PATH),
            in_tongue: visit.path(""),
            about: owner::PATH,
            api: openapi::PAGE_PATH,
        }
    }

    /// Lets the next search keep the filters and the language of this one.
    fn keeping(mut self, params: &Params) -> Self {
        let chosen = |name| Some((name, params.narrow.get(name)?.to_owned()));
        self.hidden = Narrow::NAMES.into_iter().filter_map(chosen).collect();
        self.hidden.extend(params.page.time.map(|time| ("time", time.name().to_owned())));
        self.hidden.extend(params.page.tongue.map(|tongue| ("ui", tongue.code().to_owned())));
        self
    }

    /// Leads to the other ways to look at what the query finds; the next search stays in this one.
    fn with_tabs(mut self, app: &App, params: &Params, here: &'static str) -> Self {
        self.action = here;
        if app.knows_more() {
            let tab = |(text, page)| Tab {
                text,
                path: paged_path(page, self.query, 0) + &params.choices(),
                is_current: page == here,
            };
            let all = [
                (self.w.everything, SEARCH_PATH),
                (self.w.pictures, PICTURES_PATH),
                (self.w.hubs.title, HUBS_PATH),
            ];
            self.tabs = all.into_iter().map(tab).collect();
        }
        self
    }

    /// Returns our name as browsers list it among search engines: Firefox wants the link to call it
    /// what the description calls it.
    pub(crate) fn short_title(&self) -> String {
        feed::short_name(self.title)
    }

    /// Returns the value of `class` of the whole page.
    pub(crate) fn class(&self) -> &'static str {
        self.theme.name()
    }

    /// Returns how many pages can be found, as people write it.
    pub(crate) fn searching(&self) -> String {
        self.tongue.count(&self.w.searching, self.status.indexed)
    }

    /// Returns how fast the crawl is, as people write it; empty if it stands still.
    pub(crate) fn speed(&self) -> String {
        let speed = self.status.pages_per_second;
        if speed.is_finite() && speed >= 0.05 {
            let number = self.tongue.decimal(speed, usize::from(speed < 9.95));
            format!(" {}", self.w.pages_per_second.replace("{}", &number))
        } else {
            String::new()
        }
    }

    pub(crate) fn query_bytes(&self) -> usize {
        QUERY_BYTES
    }
}

#[derive(Template)]
#[template(path = "start.html")]
struct StartPage<'a> {
    frame: Frame<'a>,
    heading: String,
    examples: Vec<Choice>,
}

#[derive(Template)]
#[template(path = "problem.html")]
struct ProblemPage<'a> {
    frame: Frame<'a>,
    title: &'static str,
    detail: &'a str,
    /// Language of the detail.
    language: &'static str,
}

/// One way to look at what a query finds.
pub(crate) struct Tab {
    text: &'static str,
    path: String,
    is_current: bool,
}

/// A link to a result page of ours.
pub(crate) struct Choice {
    text: String,
    path: String,
}

/// What a page of answers is asked for.
struct Asked {
    visit: Visit,
    params: Params,
    query: String,
}

impl Asked {
    /// Reads a request; what is shown instead of answers if it asks for none: the start page, or
    /// what is wrong with it. What the visitor wishes counts for every list of answers.
    fn read(app: &App, headers: &HeaderMap, uri: &Uri) -> Result<Self, Box<Response<Body>>> {
        let visit = Visit::new(headers, uri.query());
        let params = match Params::parse(uri.query()) {
            Ok(params) => params,
            Err(problem) => return Err(refuse(app, &visit, &problem).into()),
        };
        let page = Extras { wishes: Arc::new(visit.wishes.clone()), ..params.page };
        let params = Params { page, ..params };
        match params.query.clone().filter(|query| !query.is_empty()) {
            Some(query) => Ok(Self { visit, params, query }),
            None => Err(start_page(app, &visit, uri.query()).into()),
        }
    }
}

/// Returns how many results of blocked sites are left out, in words; `None` if none are.
fn left_out(tongue: Tongue, count: u64) -> Option<String> {
    (count > 0).then(|| tongue.count(&tongue.words().own.left_out, count))
}

/// `GET /`
pub(crate) async fn start(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    uri: Uri,
) -> Response<Body> {
    start_page(&app, &Visit::new(&headers, uri.query()), uri.query())
}

/// Says on a page why there is no answer.
pub(crate) fn refuse(app: &App, visit: &Visit, problem: &Problem) -> Response<Body> {
    problem_page(app, visit, "", problem)
}

/// Says on a page why there is no copy.
pub(crate) fn refuse_copy(app: &App, visit: &Visit, problem: &Problem) -> Response<Body> {
    match problem.code {
        "not-found" => told_page(app, visit, "", problem, &visit.tongue.words().trouble.no_copy),
        _ => refuse(app, visit, problem),
    }
}

fn start_page(app: &App, visit: &Visit, query: Option<&str>) -> Response<Body> {
    // What cannot be read is not kept; the start page is there for everybody.
    let params = Params::parse(query).unwrap_or_default();
    let choices = params.choices();
    let example =
        |text: &String| Choice { text: text.clone(), path: search_path(text, 0) + &choices };
    let examples = app.options.examples.iter().map(example).collect();
    let heading = visit.tongue.words().search_with.replace("{}", &app.options.title);
    let frame = Frame::new(app, visit, "").keeping(&params);
    show(&StartPage { frame, heading, examples })
}

fn problem_page(app: &App, visit: &Visit, query: &str, problem: &Problem) -> Response<Body> {
    let words = visit.tongue.words();
    if let Some(trouble) = told(words, problem) {
        return told_page(app, visit, query, problem, trouble);
    }
    let title = words.trouble.bad_request;
    let frame = Frame::new(app, visit, query);
    let said = problem.fault.as_ref().map(|fault| visit.tongue.fault(fault));
    // What has no words of its own, such as a query of too many groups, is told in English.
    let (detail, language) = match &said {
        Some(said) => (said.as_str(), visit.tongue.code()),
        None => (problem.detail.as_str(), "en"),
    };
    respond_problem(&ProblemPage { frame, title, detail, language }, problem)
}

fn told_page(
    app: &App,
    visit: &Visit,
    query: &str,
    problem: &Problem,
    trouble: &'static Trouble,
) -> Response<Body> {
    let frame = Frame::new(app, visit, query);
    let Trouble { title, detail } = *trouble;
    let language = visit.tongue.code();
    respond_problem(&ProblemPage { frame, title, detail, language }, problem)
}

fn respond_problem(page: &ProblemPage<'_>, problem: &Problem) -> Response<Body> {
    match page.render() {
        Ok(html) => {
            let mut response = problem.respond(HTML, html);
            vary(&mut response);
            response
        }
        Err(error) => {
            error!(%error, "cannot write a page");
            problem.json()
        }
    }
}

/// Returns what a problem is in a language that has words for it; which parameter is wrong, its
/// fault tells.
fn told(words: &'static Words, problem: &Problem) -> Option<&'static Trouble> {
    let troubles = &words.trouble;
    Some(match (problem.code, problem.status.as_u16()) {
        ("query-too-long", _) => &troubles.too_long,
        ("noarchive", _) => &troubles.noarchive,
        ("gone", _) => &troubles.gone,
        ("origin", _) => &troubles.elsewhere,
        (_, 404) => &troubles.not_found,
        (_, 405) => &troubles.not_allowed,
        (_, 429) => &troubles.too_many,
        (_, 503) => &troubles.busy,
        (_, 500..) => &troubles.internal,
        _ => return None,
    })
}

/// Answers with a page.
pub(crate) fn show(page: &impl Template) -> Response<Body> {
    let mut response = respond(page, HTML, "private, no-cache");
    vary(&mut response);
    // Forms of ours tell their origin only under this policy; others are told nothing by it.
    let policy = HeaderValue::from_static("same-origin");
    response.headers_mut().insert(header::REFERRER_POLICY, policy);
    response
}

/// Says what a page depends on besides its address.
fn vary(response: &mut Response<Body>) {
    let names = HeaderValue::from_static("accept-language, cookie");
    response.headers_mut().insert(header::VARY, names);
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
