//! Every path there is, in one table.

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::State;
use axum::http::{Response, Uri};
use axum::routing::{any, get};

use crate::app::App;
use crate::problem::Problem;
use crate::{admin, api, assets, copy, feed, metrics, owner, page};

/// Returns the table of paths. Only what lies below `/admin` changes anything, behind one door.
pub(crate) fn router(app: Arc<App>) -> Router {
    Router::new()
        .route("/", get(page::start))
        .route("/search", get(page::results))
        .route("/search.rss", get(feed::results))
        .route(feed::OPENSEARCH_PATH, get(feed::opensearch))
        .route("/cache", get(copy::show))
        .route("/api/v1/search", get(api::search))
        .route("/api/v1/status", get(api::status))
        .route("/healthz", get(|| async { "ok\n" }))
        .route("/readyz", get(metrics::ready))
        .route("/metrics", get(metrics::show))
        .route("/admin", any(admin::enter))
        .route("/admin/{*rest}", any(admin::enter))
        .route(&admin::files::STYLE_PATH, get(admin::files::style))
        .route(&admin::files::SCRIPT_PATH, get(admin::files::script))
        .route(owner::PATH, get(owner::about))
        .route(owner::HOST_PATH, get(owner::host))
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
