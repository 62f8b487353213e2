//! What the control room shows. Complete without a script; askama escapes every value.

use std::sync::Arc;

use askama::Template;
use axum::body::Body;
use axum::http::header::{self, HeaderValue};
use axum::http::{Response, StatusCode};
use tracing::error;

use super::chart::{Chart, HEIGHT, WIDTH, bytes, written};
use super::files;
use super::form::Form;
use super::history::{SERIES, STEP, Unit};
use super::room::{
    Count, Grants, GraphView, HostQuery, HostRow, HostRows, HostSort, Pulse, Refusal, Settings,
};
use super::{Admin, Who};
use crate::app::App;
use crate::assets;
use crate::problem::Problem;
use crate::tongue::Tongue;
use crate::view::encode;

/// Hosts on a page.
const ROWS: usize = 50;
/// Samples that fill a chart of an hour, and of a day, once there are as many.
const ROOM: [usize; 2] = [1_800, 1_440];
/// Samples that fill a chart at least, so that a young one is no sliver and no smear.
const LEAST_ROOM: usize = 150;

/// What every page has.
struct Frame {
    name: String,
    here: &'static str,
}

impl Frame {
    fn new(app: &App, here: &'static str) -> Self {
        Self { name: app.options.title.clone(), here }
    }

    fn style(&self) -> &'static str {
        &files::STYLE_PATH
    }

    fn script(&self) -> &'static str {
        &files::SCRIPT_PATH
    }

    fn icon(&self) -> &'static str {
        assets::ICON_PATH
    }

    /// Paths and names of all pages.
    fn rooms(&self) -> [(&'static str, &'static str); 6] {
        [
            ("/admin", "Overview"),
            ("/admin/hosts", "Hosts"),
            ("/admin/why", "One page"),
            ("/admin/settings", "Seeds and scope"),
            ("/admin/graph", "Links"),
            ("/admin/logs", "Logs"),
        ]
    }
}

/// A table of counts with a bar each.
struct Bars {
    name: &'static str,
    title: &'static str,
    rows: Vec<Bar>,
}

struct Bar {
    name: String,
    count: String,
    /// From 0 to 100.
    width: String,
}

impl Bars {
    fn new(name: &'static str, title: &'static str, counts: &[Count]) -> Self {
        let largest = counts.iter().map(|count| count.count).max().unwrap_or(0).max(1) as f64;
        let bar = |Count { name, count }: &Count| Bar {
            name: name.clone(),
            count: Tongue::English.number(*count),
            width: format!("{:.1}", 100.0 * *count as f64 / largest),
        };
        Self { name, title, rows: counts.iter().map(bar).collect() }
    }
}

#[derive(Template)]
#[template(path = "admin.html")]
struct Overview {
    frame: Frame,
    state: String,
    /// What the words and the buttons beside them are made for; see [`standing`].
    standing: &'static str,
    is_crawling: bool,
    is_paused: bool,
    has_login: bool,
    facts: Vec<Fact>,
    is_day: bool,
    /// How long ago the charts begin.
    ago: String,
    charts: Vec<Chart>,
    bars: Vec<Bars>,
    size: (f32, f32),
}

/// One number.
struct Fact {
    name: &'static str,
    title: &'static str,
    value: String,
}

/// `GET /admin`
pub(super) fn overview(admin: &Admin, app: &App, who: Who, query: &Form) -> Response<Body> {
    let is_day = query.get("of") == "day";
    let history = admin.history();
    let pulse = history.now();
    let room = history.len(is_day).clamp(LEAST_ROOM, ROOM[usize::from(is_day)]);
    let chart = |(i, series): (usize, &(&'static str, &'static str, Unit))| {
        Chart::new(*series, &history.values(i, is_day), room)
    };
    let page = Overview {
        frame: Frame::new(app, "/admin"),
        state: state(pulse),
        standing: standing(pulse),
        is_crawling: pulse.is_crawling,
        is_paused: pulse.is_paused,
        has_login: who == Who::Session,
        facts: facts(pulse),
        is_day,
        ago: ago(room, is_day),
        charts: SERIES.iter().enumerate().map(chart).collect(),
        bars: vec![
            Bars::new("queues", "Waiting, by front queue", &queues(pulse)),
            Bars::new("outcomes", "What came of download attempts", &pulse.outcomes),
            Bars::new("kinds", "What pages are", &pulse.kinds),
            Bars::new("sizes", "How large documents are", &pulse.sizes),
            Bars::new("reasons", "Left out or failed, by reason", &pulse.reasons),
        ],
        size: (WIDTH, HEIGHT),
    };
    show(&page)
}

/// Says how long ago so many samples begin.
fn ago(samples: usize, is_day: bool) -> String {
    let each = if is_day { 60 } else { STEP.as_secs() };
    match samples as u64 * each / 60 {
        minutes @ 0..120 => format!("{minutes} min ago"),
        minutes => format!("{} h ago", minutes / 60),
    }
}

fn queues(pulse: &Pulse) -> Vec<Count> {
    let count = |(class, count): (usize, &u64)| Count { name: class.to_string(), count: *count };
    pulse.queues.iter().enumerate().map(count).collect()
}

fn state(pulse: &Pulse) -> String {
    match &pulse.waits_for {
        _ if !pulse.is_crawling => "No crawl runs.".to_owned(),
        _ if pulse.is_paused => "The crawl is paused.".to_owned(),
        Some(reason) => format!("The crawl waits: {reason}."),
        None => "The crawl runs.".to_owned(),
    }
}

/// Returns what decides about the buttons, as the script knows it too.
fn standing(pulse: &Pulse) -> &'static str {
    match (pulse.is_crawling, pulse.is_paused) {
        (false, _) => "idle",
        (true, true) => "paused",
        (true, false) => "running",
    }
}

fn facts(pulse: &Pulse) -> Vec<Fact> {
    let fact = |name, title, value: String| Fact { name, title, value };
    let count = |name, title, number: u64| fact(name, title, Tongue::English.number(number));
    vec![
        count("pages", "Pages", pulse.pages),
        fact("rate", "Pages per second", written(pulse.pages_per_second, Unit::Rate)),
        count("waiting", "URLs waiting", pulse.waiting),
        count("urls", "URLs known", pulse.urls),
        count("hosts", "Hosts", pulse.hosts),
        count("ready", "Hosts ready", pulse.hosts_ready),
        count("resting", "Hosts resting", pulse.hosts_resting),
        count("flight", "Requests under way", pulse.in_flight),
        count("indexed", "Pages to be found", pulse.indexed),
        count("generation", "Link analysis", pulse.generation),
        count("copies", "Repeat others", pulse.copies),
        count("again", "Fetched again", pulse.again),
        count("overdue", "Due again", pulse.overdue),
        fact("fresh", "Not overdue", written(pulse.percent_fresh(), Unit::Percent)),
        fact("bytes", "Fetched", bytes(pulse.bytes as f64)),
        fact("collection", "On disk", bytes(pulse.collection as f64)),
        fact("disk", "Disk left", bytes(pulse.disk_free as f64)),
        fact("memory", "Memory", bytes(pulse.memory as f64)),
    ]
}

/// `GET /admin/history?of=day`
pub(super) fn history(admin: &Admin, query: &Form) -> Response<Body> {
    let drawn = admin.history().drawn(query.get("of") == "day");
    let json = serde_json::to_string(&drawn).expect("plain numbers");
    content(json.into(), "application/json")
}

#[derive(Template)]
#[template(path = "admin_hosts.html")]
struct HostsPage {
    frame: Frame,
    find: String,
    sorts: Vec<(&'static str, &'static str, bool)>,
    found: HostRows,
    total: String,
    /// Where the rows lead back to: the table as it is asked for.
    here: String,
    previous: Option<String>,
    next: Option<String>,
}

/// `GET /admin/hosts?find=…&sort=…&skip=…`
pub(super) async fn hosts(
    admin: &Admin,
    app: &App,
    query: &Form,
) -> Result<Response<Body>, Problem> {
    let sort = HostSort::ALL.iter().find(|(_, name, _)| *name == query.get("sort"));
    let (sort, sort_name, _) = *sort.unwrap_or(&HostSort::ALL[0]);
    let skip = query.number::<usize>("skip")?.unwrap_or(0).min(1_000_000);
    let find: String = query.get("find").chars().take(255).collect();
    let asked = HostQuery { find: find.clone(), sort, skip, limit: ROWS };
    let found = told(admin.ask(move |room| room.hosts(&asked)).await?)?;
    let path =
        |skip: usize| format!("/admin/hosts?find={}&sort={sort_name}&skip={skip}", encode(&find));
    let page = HostsPage {
        frame: Frame::new(app, "/admin/hosts"),
        sorts: HostSort::ALL.map(|(one, name, words)| (name, words, one == sort)).to_vec(),
        total: Tongue::English.number(found.total),
        here: path(skip),
        previous: (skip > 0).then(|| path(skip.saturating_sub(ROWS))),
        next: (((skip + ROWS) as u64) < found.total).then(|| path(skip + ROWS)),
        find: find.clone(),
        found,
    };
    Ok(show(&page))
}

#[derive(Template)]
#[template(path = "admin_host.html")]
struct HostPage {
    frame: Frame,
    row: HostRow,
    /// Whether anything is known of it.
    is_known: bool,
}

/// `GET /admin/host?name=…`
pub(super) async fn host(
    admin: &Admin,
    app: &App,
    query: &Form,
) -> Result<Response<Body>, Problem> {
    let name: String = query.get("name").chars().take(255).collect();
    if name.is_empty() {
        return Err(Problem::bad_request("parameter", "`name` is missing"));
    }
    let asked = name.clone();
    let found = told(admin.ask(move |room| room.host(&asked)).await?)?;
    let page = HostPage {
        frame: Frame::new(app, "/admin/hosts"),
        is_known: found.is_some(),
        row: found.unwrap_or_else(|| HostRow { name, ..HostRow::default() }),
    };
    Ok(show(&page))
}

#[derive(Template)]
#[template(path = "admin_why.html")]
struct WhyPage {
    frame: Frame,
    url: String,
    lines: Vec<(String, String)>,
    trouble: Option<String>,
}

/// `GET /admin/why?url=…`
pub(super) async fn why(admin: &Admin, app: &App, query: &Form) -> Result<Response<Body>, Problem> {
    let url: String = query.get("url").chars().take(8_192).collect();
    let (lines, trouble) = match url.as_str() {
        "" => (Vec::new(), None),
        _ => {
            let asked = url.clone();
            match admin.ask(move |room| room.story(&asked)).await? {
                Ok(lines) => (lines, None),
                Err(Refusal(trouble)) => (Vec::new(), Some(trouble)),
            }
        }
    };
    Ok(show(&WhyPage { frame: Frame::new(app, "/admin/why"), url, lines, trouble }))
}

#[derive(Template)]
#[template(path = "admin_settings.html")]
struct SettingsPage {
    frame: Frame,
    settings: Settings,
}

/// `GET /admin/settings`
pub(super) async fn settings(admin: &Admin, app: &App) -> Result<Response<Body>, Problem> {
    let mut settings = told(admin.ask(|room| room.settings()).await?)?;
    settings.keys.retain(|setting| !is_of_links(&setting.key));
    Ok(show(&SettingsPage { frame: Frame::new(app, "/admin/settings"), settings }))
}

/// Returns whether a key is shown with the link spam that it is about.
fn is_of_links(key: &str) -> bool {
    key.starts_with("graph.") || key.starts_with("rank.")
}

#[derive(Template)]
#[template(path = "admin_graph.html")]
struct GraphPage {
    frame: Frame,
    view: GraphView,
    settings: Settings,
    stages: Vec<(String, String)>,
    is_crawling: bool,
}

impl GraphPage {
    /// Returns what the page waits for, if it comes by itself: a picture that is being made, or the
    /// first analysis, which only a crawl brings.
    fn waits(&self) -> Option<&'static str> {
        match self.view.generation {
            _ if self.view.is_working => Some("drawing"),
            None if self.is_crawling => Some("analysis"),
            _ => None,
        }
    }
}

/// `GET /admin/graph`
pub(super) async fn graph(admin: &Admin, app: &App) -> Result<Response<Body>, Problem> {
    let asked = admin.ask(|room| (room.graph(), room.settings(), room.stages())).await?;
    let (view, mut settings, stages) = (told(asked.0)?, told(asked.1)?, told(asked.2)?);
    settings.keys.retain(|setting| is_of_links(&setting.key));
    let is_crawling = admin.pulse().is_some_and(|pulse| pulse.is_crawling);
    let frame = Frame::new(app, "/admin/graph");
    Ok(show(&GraphPage { frame, view, settings, stages, is_crawling }))
}

/// `GET /admin/graph/….svg`
pub(super) async fn picture(
    admin: &Admin,
    choose: impl Fn(GraphView) -> Option<Arc<str>>,
) -> Result<Response<Body>, Problem> {
    let view = told(admin.ask(|room| room.graph()).await?)?;
    let svg = choose(view).ok_or_else(Problem::not_found)?;
    Ok(content(svg.to_string().into(), "image/svg+xml"))
}

#[derive(Template)]
#[template(path = "admin_logs.html")]
struct LogsPage {
    frame: Frame,
    grants: Grants,
    lines: Vec<String>,
}

/// `GET /admin/logs`
pub(super) async fn logs(admin: &Admin, app: &App) -> Result<Response<Body>, Problem> {
    let (grants, lines) = admin.ask(|room| (room.grants(), room.log())).await?;
    Ok(show(&LogsPage { frame: Frame::new(app, "/admin/logs"), grants, lines }))
}

#[derive(Template)]
#[template(path = "admin_login.html")]
struct LoginPage {
    frame: Frame,
    was_wrong: bool,
}

/// Asks for the token.
pub(super) fn login(app: &App, was_wrong: bool) -> Response<Body> {
    let mut response = show(&LoginPage { frame: Frame::new(app, ""), was_wrong });
    *response.status_mut() = StatusCode::UNAUTHORIZED;
    let scheme = HeaderValue::from_static("Bearer realm=\"control room\"");
    response.headers_mut().insert(header::WWW_AUTHENTICATE, scheme);
    response
}

#[derive(Template)]
#[template(path = "admin_done.html")]
struct DonePage {
    frame: Frame,
    title: String,
    text: String,
    back: String,
}

/// Says what was done, or why not.
pub(super) fn done(app: &App, done: Result<String, Refusal>, back: &str) -> Response<Body> {
    let is_done = done.is_ok();
    let text = done.unwrap_or_else(|Refusal(reason)| reason);
    let title = if is_done { "Done" } else { "Not done" }.to_owned();
    let frame = Frame::new(app, "");
    let mut response = show(&DonePage { frame, title, text, back: back.to_owned() });
    if !is_done {
        *response.status_mut() = StatusCode::UNPROCESSABLE_ENTITY;
    }
    response
}

/// Says why there is no answer.
pub(super) fn problem(app: &App, problem: &Problem) -> Response<Body> {
    let (title, text) = (problem.title().to_owned(), problem.detail.clone());
    let page = DonePage { frame: Frame::new(app, ""), title, text, back: "/admin".to_owned() };
    match page.render() {
        Ok(html) => problem.respond("text/html; charset=utf-8", html),
        Err(_) => problem.json(),
    }
}

/// A question that was refused is a page that says why.
fn told<T>(answer: Result<T, Refusal>) -> Result<T, Problem> {
    answer.map_err(|Refusal(reason)| Problem::new(StatusCode::CONFLICT, "refused", reason))
}

fn show(page: &impl Template) -> Response<Body> {
    match page.render() {
        Ok(html) => content(html.into(), "text/html; charset=utf-8"),
        Err(error) => {
            error!(%error, "cannot write a page");
            Problem::internal().json()
        }
    }
}

fn content(body: Body, kind: &'static str) -> Response<Body> {
    let mut response = Response::new(body);
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    response
}
