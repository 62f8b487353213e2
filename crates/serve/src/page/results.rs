//! The page of results.

use std::sync::Arc;

use askama::Template;
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, Response, Uri};
use rank::{Facet, Grouping, Results};

use super::paging::Paging;
use super::{Asked, Choice, Frame, SEARCH_PATH, left_out, problem_page, show};
use crate::app::App;
use crate::extras::Extras;
use crate::filters::{self, Kind, Menu, Offer};
use crate::narrow::Narrow;
use crate::params::{Params, QUERY_BYTES, WINDOW};
use crate::problem::Problem;
use crate::tongue::Tongue;
use crate::view::{HitView, Look, beside, feed_path, search_path};
use crate::visit::Visit;
use crate::wishes::{COUNTS, Wishes};

/// Values of a filter that are offered: more are found faster by typing.
const OFFERS: usize = 8;

#[derive(Template)]
#[template(path = "results.html")]
struct ResultsPage<'a> {
    frame: Frame<'a>,
    /// `1,204 results in 3 ms`
    summary: String,
    /// The query as understood, where that is worth showing.
    understood: Option<&'a str>,
    /// What should be known of the answer, in sentences.
    notes: Vec<String>,
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
    /// What results can be filtered by.
    menus: Vec<Menu>,
    /// What they are filtered by.
    chips: Vec<filters::Choice>,
    /// Where they are not filtered.
    unfiltered: Option<String>,
    /// The query in another spelling that finds more.
    meant: Option<Choice>,
    /// Queries that lead on from this one.
    related: Vec<Choice>,
    /// How many results of blocked sites are not shown.
    left_out: Option<String>,
    /// The path of this page.
    here: String,
}

/// `GET /search?q=…&offset=…`
pub(crate) async fn results(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    uri: Uri,
) -> Response<Body> {
    let Asked { visit, params, query } = match Asked::read(&app, &headers, &uri) {
        Ok(asked) => asked,
        Err(instead) => return *instead,
    };
    // A page of ours has the size that the visitor wishes, whatever its address says, so that its
    // page numbers mean the same on every page.
    let count = page_size(&visit.wishes).min(WINDOW - params.offset);
    let page = Extras { helps: true, ..params.page };
    let params = Params { count, page, ..params };
    match search(&app, &query, &params).await {
        Ok(results) => show(&results_page(&app, &visit, &query, &params, &results)),
        Err(problem) => problem_page(&app, &visit, &query, &problem),
    }
}

fn page_size(wishes: &Wishes) -> usize {
    wishes.count.unwrap_or(COUNTS[0])
}

/// Searches; wishes for topics that this collection does not have are no reason to fail.
async fn search(app: &App, query: &str, params: &Params) -> Result<Results, Problem> {
    let found = app.search(query, params).await;
    let is_wished = params.topics.is_empty() && !params.page.wishes.topics.is_empty();
    match found {
        Err(problem) if is_wished && problem.code == "query" => {
            let wishes = Wishes { topics: Vec::new(), ..Wishes::clone(&params.page.wishes) };
            let page = Extras { wishes: Arc::new(wishes), ..params.page.clone() };
            app.search(query, &Params { page, ..params.clone() }).await
        }
        found => found,
    }
}

fn results_page<'a>(
    app: &'a App,
    visit: &Visit,
    query: &'a str,
    params: &'a Params,
    results: &'a Results,
) -> ResultsPage<'a> {
    let tongue = visit.tongue;
    let look = Look { params, rewrites: &app.options.link_rewrites, tongue };
    let total = usize::try_from(results.total.count).unwrap_or(usize::MAX);
    let total = results.listed.unwrap_or(total);
    let places = params.offset + 1..;
    let path = |params: &Params| beside(query, 0) + &params.kept();
    let other = |text: String| Choice { path: beside(&text, 0) + &params.choices(), text };
    ResultsPage {
        frame: Frame::new(app, visit, query).keeping(params).with_tabs(app, params, SEARCH_PATH),
        summary: summary(results, tongue),
        understood: understood(query, params, results),
        notes: results.notes.iter().map(|note| tongue.note(note)).collect(),
        is_partial: results.is_partial,
        hits: results.hits.iter().zip(places).map(|(hit, i)| HitView::new(hit, i, &look)).collect(),
        unfolded: (params.grouping == Grouping::Plain)
            .then(|| beside(query, 0) + &params.choices()),
        explained: explain_path(query, params, tongue),
        feed: feed_path(query) + &params.choices(),
        paging: Paging::new(query, params, total, page_size(&visit.wishes), tongue),
        wider: if results.hits.is_empty() { wider(query, params, results) } else { Vec::new() },
        menus: filters::menus(params, &offers(results, tongue), tongue, path),
        chips: filters::chips(params, tongue, path),
        unfiltered: params.is_filtered().then(|| path(&unfiltered(params))),
        meant: results.did_you_mean.clone().map(other),
        related: results.related.iter().cloned().map(other).collect(),
        left_out: left_out(tongue, results.blocked),
        here: search_path(query, params.offset) + &params.kept(),
    }
}

/// Returns the same question without filters.
pub(super) fn unfiltered(params: &Params) -> Params {
    let page = Extras { time: None, ..params.page.clone() };
    Params { narrow: Narrow::default(), page, ..params.clone() }
}

/// Returns what results can be filtered by, with how many of them there are.
fn offers(results: &Results, tongue: Tongue) -> Vec<(Kind, Vec<Offer>)> {
    let facets = &results.facets;
    let counted = |count: u64| match facets.is_exact {
        true => tongue.number(count),
        false => format!("≈ {}", tongue.number(count)),
    };
    let offer = |facet: &Facet| (facet.value.clone(), counted(facet.count));
    let offers = |list: &[Facet]| list.iter().take(OFFERS).map(offer).collect();
    vec![
        (Kind::Language, offers(&facets.languages)),
        (Kind::Site, offers(&facets.sites)),
        (Kind::Type, offers(&facets.types)),
        (Kind::Country, offers(&facets.countries)),
    ]
}

/// Returns what a link that turns explanations on or off says, and where it leads.
fn explain_path(query: &str, params: &Params, tongue: Tongue) -> (&'static str, String) {
    let other = Params { explain: !params.explain, ..params.clone() };
    let words = tongue.words();
    let text = if params.explain { words.explain_none } else { words.explain_all };
    (text, beside(query, params.offset) + &other.kept())
}

fn summary(results: &Results, tongue: Tongue) -> String {
    let (number, took) = (results.total.count, results.took.as_secs_f64() * 1_000.0);
    let words = tongue.words();
    let counted = tongue.count(&words.results, number);
    let counted =
        if results.total.is_exact { counted } else { words.about.replace("{}", &counted) };
    let took = tongue.decimal(took, usize::from(took < 9.95));
    format!("{counted} {}", words.took.replace("{}", &took))
}

/// Returns the query as understood, if it says more than what was typed: words that simply
/// stand side by side explain themselves, unless they found nothing, and so do the filters.
fn understood<'a>(query: &str, params: &Params, results: &'a Results) -> Option<&'a str> {
    let filters: Vec<String> = params.filters().iter().map(ToString::to_string).collect();
    let is_filter = |word: &str| {
        filters.iter().any(|filter| filter == word)
            || (params.page.time.is_some() && word.starts_with("after:"))
    };
    let is_said = |word: &&str| *word != "AND" && !is_filter(word);
    let typed = query.split_whitespace().filter(is_said);
    let same = |text: &str| text.split_whitespace().filter(is_said).eq(typed.clone());
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
    let is_plain = !params.is_filtered() && !text.contains("NOT ") && !text.contains(is_quote);
    // Of words side by side any was looked for already.
    if text.contains(" AND ") && is_plain {
        queries.push(text.replace(" AND ", " OR "));
    }
    queries.retain(|wider| !wider.is_empty() && wider.len() <= QUERY_BYTES);
    let path = |text: &str| beside(text, 0) + &params.choices();
    let choice = |text: String| Choice { path: path(&text), text };
    queries.into_iter().map(choice).collect()
}
