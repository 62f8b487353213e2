//! Files that are part of the program: the style, the icon, what we ask of robots.
//!
//! The style's name holds a hash of its text, so browsers may keep it for ever.

use std::sync::LazyLock;

use axum::http::header::{self, HeaderName};
use axum::response::IntoResponse;

/// Where the icon is.
pub(crate) const ICON_PATH: &str = "/static/icon.svg";
/// Where the style sheet is.
pub(crate) static STYLE_PATH: LazyLock<String> =
    LazyLock::new(|| format!("/static/style-{:016x}.css", fnv(STYLE.as_bytes())));

/// Copies of pages are in a sandbox, which is an origin of its own: without this they could not
/// use what says how they look.
const FOR_ALL: (HeaderName, &str) =
    (HeaderName::from_static("cross-origin-resource-policy"), "cross-origin");

const STYLE: &str = include_str!("../assets/style.css");
const ICON: &str = include_str!("../assets/icon.svg");
/// Result pages are as many as there are queries: robots would never finish.
const ROBOTS: &str =
    "User-agent: *\nDisallow: /search\nDisallow: /cache\nDisallow: /api/\nDisallow: /admin\n";

/// Returns the one style sheet.
pub(crate) async fn style() -> impl IntoResponse {
    let headers = [
        (header::CONTENT_TYPE, "text/css; charset=utf-8"),
        (header::CACHE_CONTROL, "public, max-age=31536000, immutable"),
        FOR_ALL,
    ];
    (headers, STYLE)
}

/// Returns the icon.
pub(crate) async fn icon() -> impl IntoResponse {
    let headers = [
        (header::CONTENT_TYPE, "image/svg+xml"),
        (header::CACHE_CONTROL, "public, max-age=86400"),
        FOR_ALL,
    ];
    (headers, ICON)
}

/// Returns what other people's crawlers may read here.
pub(crate) async fn robots() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], ROBOTS)
}

/// FNV-1a: the name must change with the text, nothing more.
pub(crate) fn fnv(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
