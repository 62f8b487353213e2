//! The page of hubs and authorities: who is linked to by those who link to the right pages (G5).
//!
//! Both lists are of the generation of links in use. Those of their pages that can be found are shown
//! by their titles; many were never fetched, and are shown by their addresses.

use std::collections::HashMap;
use std::sync::Arc;

use askama::Template;
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, Response, Uri};
use base::Url;
use rank::{QueryHubs, Request, ScoredPage};

use super::{Asked, Frame, HUBS_PATH, left_out, problem_page, show};
use crate::LinkRewrite;
use crate::app::App;
use crate::filters::{self, Choice, Menu};
use crate::known::Knowledge;
use crate::params::Params;
use crate::tongue::{Hubs, Tongue};
use crate::view::{TITLE_CHARS, beside, href, shorten, trail, visible};
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
    menus: Vec<Menu>,
    /// What the answers around which is looked are filtered by.
    chips: Vec<Choice>,
    /// How many pages of blocked sites are not shown.
    left_out: Option<String>,
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
    /// Its title, where one is known.
    title: Option<String>,
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
    let Asked { visit, params, query } = match Asked::read(&app, &headers, &uri) {
        Ok(asked) => asked,
        Err(instead) => return *instead,
    };
    let page = params.page.at((app.options.clock)());
    let asked = (query.clone(), Params { page, ..params.clone() });
    match app.ask(move |known| titled_hubs(known, &asked.0, &asked.1)).await {
        Ok(found) => show(&hubs_page(&app, &visit, &query, &params, found.as_ref())),
        Err(problem) => problem_page(&app, &visit, &query, &problem),
    }
}

/// Asks for hubs and authorities, and for what they are called: each page that can be found is one
/// point read.
fn titled_hubs(
    known: &dyn Knowledge,
    query: &str,
    params: &Params,
) -> Result<Option<Titled>, rank::Error> {
    let filters = params.filters();
    let personal = Some(&params.page.wishes.personal);
    let request = Request { filters: &filters, personal, ..Request::new(query) };
    let Some(found) = known.query_hubs(&request, COUNT)? else { return Ok(None) };
    let mut titles = HashMap::new();
    for page in found.authorities.iter().chain(&found.hubs) {
        if let Some(kept) = known.kept(&page.url)? {
            titles.insert(page.url.clone(), kept.title);
        }
    }
    Ok(Some(Titled { found, titles }))
}

/// Hubs and authorities with the titles that are known.
struct Titled {
    found: QueryHubs,
    titles: HashMap<Url, String>,
}

fn hubs_page<'a>(
    app: &'a App,
    visit: &Visit,
    query: &'a str,
    params: &Params,
    found: Option<&Titled>,
) -> HubsPage<'a> {
    let tongue = visit.tongue;
    let Hubs { authorities, authorities_are, hubs, hubs_are, looked_at, .. } = &tongue.words().hubs;
    let rewrites = &app.options.link_rewrites;
    let path = |params: &Params| beside(query, 0) + &params.choices();
    let list = |title, meaning, pages: &[ScoredPage], titles: &HashMap<Url, String>| List {
        title,
        meaning,
        pages: views(pages, titles, rewrites, tongue),
    };
    HubsPage {
        frame: Frame::new(app, visit, query).keeping(params).with_tabs(app, params, HUBS_PATH),
        lists: found.map(|Titled { found, titles }| {
            [
                list(authorities, authorities_are, &found.authorities, titles),
                list(hubs, hubs_are, &found.hubs, titles),
            ]
        }),
        looked_at: found
            .map_or_else(String::new, |titled| tongue.count(looked_at, titled.found.num_pages)),
        menus: filters::menus(params, &[], tongue, path),
        chips: filters::chips(params, tongue, path),
        left_out: found.and_then(|titled| left_out(tongue, titled.found.blocked)),
    }
}

fn views(
    pages: &[ScoredPage],
    titles: &HashMap<Url, String>,
    rewrites: &[LinkRewrite],
    tongue: Tongue,
) -> Vec<PageView> {
    let best = pages.iter().map(|page| page.score).fold(0.0, f64::max);
    let view = |page: &ScoredPage| {
        let share = if best > 0.0 { page.score / best } else { 0.0 };
        PageView {
            href: href(&page.url, rewrites),
            title: titles
                .get(&page.url)
                .map(|title| shorten(visible(title).trim(), TITLE_CHARS))
                .filter(|title| !title.is_empty()),
            address: shorten(&trail(&page.url), TITLE_CHARS),
            percent: (100.0 * share).round() as u32,
            share: tongue.percent(share),
            is_answer: page.is_answer,
        }
    };
    pages.iter().map(view).collect()
}
