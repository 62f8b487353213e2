//! The page of hubs and authorities: who is linked to by those who link to the right pages (G5).
//!
//! Both lists are of the generation of links in use. They know addresses, not titles: many of these
//! pages were never fetched.

use std::sync::Arc;

use askama::Template;
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, Response, Uri};
use rank::{QueryHubs, ScoredPage};

use super::{Frame, HUBS_PATH, problem_page, refuse, show, start_page};
use crate::LinkRewrite;
use crate::app::App;
use crate::params::Params;
use crate::tongue::{Hubs, Tongue};
use crate::view::{TITLE_CHARS, href, shorten, trail};
use crate::visit::Visit;

/// Pages of each kind that are shown.
const COUNT: usize = 20;

#[derive(Template)]
#[template(path = "hubs.html")]
struct HubsPage<'a> {
    frame: Frame<'a>,
    /// Authorities, then hubs; none where no links are known yet.
    lists: Option<[List; 2]>,
    looked_at: String,
}

/// Pages of one kind.
struct List {
    title: &'static str,
    meaning: &'static str,
    pages: Vec<PageView>,
}

/// One page as it is shown.
struct PageView {
    href: String,
    address: String,
    /// Its score as a share of the best one's, for a bar and for people.
    percent: u32,
    share: String,
    is_answer: bool,
}

/// `GET /hubs?q=…`
pub(crate) async fn hubs(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    uri: Uri,
) -> Response<Body> {
    let visit = Visit::new(&headers, uri.query());
    let params = match Params::parse(uri.query()) {
        Ok(params) => params,
        Err(problem) => return refuse(&app, &visit, &problem),
    };
    let Some(query) = params.query.as_deref().filter(|query| !query.is_empty()) else {
        return start_page(&app, &visit, uri.query());
    };
    let asked = query.to_owned();
    match app.ask(move |known| known.query_hubs(&asked, COUNT)).await {
        Ok(found) => show(&hubs_page(&app, &visit, query, &params, found.as_ref())),
        Err(problem) => problem_page(&app, &visit, query, &problem),
    }
}

fn hubs_page<'a>(
    app: &'a App,
    visit: &Visit,
    query: &'a str,
    params: &Params,
    found: Option<&QueryHubs>,
) -> HubsPage<'a> {
    let tongue = visit.tongue;
    let Hubs { authorities, authorities_are, hubs, hubs_are, looked_at, .. } = &tongue.words().hubs;
    let rewrites = &app.options.link_rewrites;
    let list = |title, meaning, pages: &[ScoredPage]| List {
        title,
        meaning,
        pages: views(pages, rewrites, tongue),
    };
    HubsPage {
        frame: Frame::new(app, visit, query).keeping(params).with_tabs(app, params, HUBS_PATH),
        lists: found.map(|found| {
            [
                list(authorities, authorities_are, &found.authorities),
                list(hubs, hubs_are, &found.hubs),
            ]
        }),
        looked_at: found.map_or_else(String::new, |found| tongue.count(looked_at, found.num_pages)),
    }
}

fn views(pages: &[ScoredPage], rewrites: &[LinkRewrite], tongue: Tongue) -> Vec<PageView> {
    let best = pages.iter().map(|page| page.score).fold(0.0, f64::max);
    let view = |page: &ScoredPage| {
        let share = if best > 0.0 { page.score / best } else { 0.0 };
        PageView {
            href: href(&page.url, rewrites),
            address: shorten(&trail(&page.url), TITLE_CHARS),
            percent: (100.0 * share).round() as u32,
            share: tongue.percent(share),
            is_answer: page.is_answer,
        }
    };
    pages.iter().map(view).collect()
}
