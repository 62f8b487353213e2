//! `GET /api/v1/status`: how the crawl is going.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::State;
use axum::http::Response;

use super::told;
use crate::Status;
use crate::app::App;

/// How the crawl is going, in numbers.
#[utoipa::path(
    get,
    path = "/api/v1/status",
    responses((status = 200, description = "The numbers", body = Status))
)]
pub(crate) async fn status(State(app): State<Arc<App>>) -> Response<Body> {
    told(Ok(app.status()))
}
