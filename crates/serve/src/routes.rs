//! Every path there is, in one table.

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::State;
use axum::http::{Response, Uri};
use axum::routing::{get, post};

use crate::app::App;
use crate::problem::Problem;
use crate::{api, assets, copy, feed, mcp, metrics, page};

/// Returns the table of paths; those of the interface for programs are in `api::ROUTES`. A path
/// that changes something must check where the request comes from; none does yet.
pub(crate) fn router(app: Arc<App>) -> Router {
    api::add(Router::new())
        .route("/", get(page::start))
        .route("/search", get(page::results))
        .route("/search.rss", get(feed::results))
        .route(feed::OPENSEARCH_PATH, get(feed::opensearch))
        .route("/cache", get(copy::show))
        .route(feed::SUGGEST_PATH, get(api::suggest_for_browsers))
        .route(mcp::PATH, post(mcp::answer))
        .route("/healthz", get(|| async { "ok\n" }))
        .route("/readyz", get(metrics::ready))
        .route("/metrics", get(metrics::show))
        .route("/robots.txt", get(assets::robots))
        .route(&assets::STYLE_PATH, get(assets::style))
        .route(assets::ICON_PATH, get(assets::icon))
        .route("/favicon.ico", get(assets::icon))
        .fallback(not_found)
        .method_not_allowed_fallback(method_not_allowed)
        .with_state(app)
}

async fn not_found(State(app): State<Arc<App>>, uri: Uri) -> Response<Body> {
    app.refuse(&Problem::not_found(), uri.path())
}

async fn method_not_allowed(State(app): State<Arc<App>>, uri: Uri) -> Response<Body> {
    app.refuse(&Problem::method_not_allowed(), uri.path())
}
