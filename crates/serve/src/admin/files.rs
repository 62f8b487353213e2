//! The style and the script of the control room; the names hold a hash, so they are kept for ever.

use std::sync::LazyLock;

use axum::http::header;
use axum::response::IntoResponse;

use crate::assets::fnv;

const STYLE: &str = include_str!("../../assets/admin.css");
const SCRIPT: &str = include_str!("../../assets/admin.js");

/// Where the style sheet is.
pub(crate) static STYLE_PATH: LazyLock<String> =
    LazyLock::new(|| format!("/static/admin-{:016x}.css", fnv(STYLE.as_bytes())));
/// Where the script is.
pub(crate) static SCRIPT_PATH: LazyLock<String> =
    LazyLock::new(|| format!("/static/admin-{:016x}.js", fnv(SCRIPT.as_bytes())));

const FOR_EVER: &str = "public, max-age=31536000, immutable";

/// Returns the style sheet.
pub(crate) async fn style() -> impl IntoResponse {
    let kind = (header::CONTENT_TYPE, "text/css; charset=utf-8");
    ([kind, (header::CACHE_CONTROL, FOR_EVER)], STYLE)
}

/// Returns the script.
pub(crate) async fn script() -> impl IntoResponse {
    let kind = (header::CONTENT_TYPE, "text/javascript; charset=utf-8");
    ([kind, (header::CACHE_CONTROL, FOR_EVER)], SCRIPT)
}
