//! Every path there is, in one table.

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, Response, Uri};
use axum::routing::{any, get, post};

use crate::app::App;
use crate::problem::Problem;
use crate::visit::Visit;
use crate::{admin, api, assets, copy, feed, mcp, metrics, owner, page, picture, preferences};

/// Returns the table of paths; those of the interface for programs are in `api::ROUTES`. A path
/// that changes something checks where the request comes from (`origin`); what lies below `/admin`
/// is behind a door of its own.
pub(crate) fn router(app: Arc<App>) -> Router {
    api::add(Router::new())
        .route("/", get(page::start))
        .route(page::SEARCH_PATH, get(page::results))
        .route(page::PICTURES_PATH, get(page::pictures))
        .route(page::HUBS_PATH, get(page::hubs))
        .route(picture::PATH, get(picture::show))
        .route(preferences::PATH, get(preferences::show).post(preferences::save))
        .route(preferences::SITE_PATH, post(preferences::set_site))
        .route(preferences::IMPORT_PATH, post(preferences::import))
        .route(preferences::FORGET_PATH, post(preferences::forget))
        .route(preferences::FILE_PATH, get(preferences::export))
        .route(feed::RSS_PATH, get(feed::results))
        .route(feed::OPENSEARCH_PATH, get(feed::opensearch))
        .route("/cache", get(copy::show))
        .route(feed::SUGGEST_PATH, get(api::suggest_for_browsers))
        .route(mcp::PATH, post(mcp::answer))
        .route("/healthz", get(|| async { "ok\n" }))
        .route(metrics::READY_PATH, get(metrics::ready))
        .route("/metrics", get(metrics::show))
        .route("/admin", any(admin::enter))
        .route("/admin/{*rest}", any(admin::enter))
        .route(&admin::files::STYLE_PATH, get(admin::files::style))
        .route(&admin::files::SCRIPT_PATH, get(admin::files::script))
        .route(owner::PATH, get(owner::about))
        .route(owner::HOST_PATH, get(owner::host))
        .route("/robots.txt", get(assets::robots))
        .route(&assets::STYLE_PATH, get(assets::style))
        .route(&assets::MORE_STYLE_PATH, get(assets::more_style))
        .route(&assets::SCRIPT_PATH, get(assets::script))
        .route(assets::ICON_PATH, get(assets::icon))
        .route("/favicon.ico", get(assets::icon))
        .fallback(not_found)
        .method_not_allowed_fallback(method_not_allowed)
        .with_state(app)
}

async fn not_found(State(app): State<Arc<App>>, headers: HeaderMap, uri: Uri) -> Response<Body> {
    app.refuse(&Problem::not_found(), uri.path(), &Visit::new(&headers, uri.query()))
}

async fn method_not_allowed(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    uri: Uri,
) -> Response<Body> {
    app.refuse(&Problem::method_not_allowed(), uri.path(), &Visit::new(&headers, uri.query()))
}
