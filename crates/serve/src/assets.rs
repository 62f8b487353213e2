//! Files that are part of the program: the style, the script, the icon, what we ask of robots.
//!
//! The names of style and script hold a hash of their text, so browsers may keep them for ever.
//! Both are sent as `dense.rs` writes them, without what only readers of the source need.

use std::sync::LazyLock;

use axum::http::header::{self, HeaderName};
use axum::response::IntoResponse;

use crate::dense;

/// Where the icon is.
pub(crate) const ICON_PATH: &str = "/static/icon.svg";
/// Where the style sheet is.
pub(crate) static STYLE_PATH: LazyLock<String> =
    LazyLock::new(|| format!("/static/style-{:016x}.css", fnv(STYLE.as_bytes())));
/// Where the style of what result pages do not have is.
pub(crate) static MORE_STYLE_PATH: LazyLock<String> =
    LazyLock::new(|| format!("/static/more-{:016x}.css", fnv(MORE_STYLE.as_bytes())));
/// Where the script is.
pub(crate) static SCRIPT_PATH: LazyLock<String> =
    LazyLock::new(|| format!("/static/script-{:016x}.js", fnv(SCRIPT.as_bytes())));

/// Copies of pages are in a sandbox, which is an origin of its own: without this they could not
/// use what says how they look.
const FOR_ALL: (HeaderName, &str) =
    (HeaderName::from_static("cross-origin-resource-policy"), "cross-origin");

const STYLE_SOURCE: &str = include_str!("../assets/style.css");
static STYLE: LazyLock<String> = LazyLock::new(|| dense::style(STYLE_SOURCE, STYLE_SOURCE));
static MORE_STYLE: LazyLock<String> =
    LazyLock::new(|| dense::style(include_str!("../assets/more.css"), STYLE_SOURCE));
static SCRIPT: LazyLock<String> =
    LazyLock::new(|| dense::script(include_str!("../assets/script.js")));
const ICON: &str = include_str!("../assets/icon.svg");
/// Result pages are as many as there are queries: robots would never finish.
const ROBOTS: &str = "User-agent: *\nDisallow: /search\nDisallow: /picture\nDisallow: /hubs\nDisallow: /cache\nDisallow: /preferences\nDisallow: /api/\n\
     Disallow: /admin\n";

/// Returns the style sheet of all pages.
pub(crate) async fn style() -> impl IntoResponse {
    style_sheet(&STYLE)
}

/// Returns what the other pages have besides.
pub(crate) async fn more_style() -> impl IntoResponse {
    style_sheet(&MORE_STYLE)
}

fn style_sheet(text: &'static str) -> impl IntoResponse {
    let headers = [
        (header::CONTENT_TYPE, "text/css; charset=utf-8"),
        (header::CACHE_CONTROL, "public, max-age=31536000, immutable"),
        FOR_ALL,
    ];
    (headers, text)
}

/// Returns the one script of the search page.
pub(crate) async fn script() -> impl IntoResponse {
    let headers = [
        (header::CONTENT_TYPE, "text/javascript; charset=utf-8"),
        (header::CACHE_CONTROL, "public, max-age=31536000, immutable"),
    ];
    (headers, SCRIPT.as_str())
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_sent_without_what_only_readers_of_the_source_need() {
        for text in [&*STYLE, &*MORE_STYLE, &*SCRIPT] {
            assert!(!text.contains("/*") && !text.contains("  ") && !text.contains("--accent"));
        }
        assert!(STYLE.contains("color-scheme") && SCRIPT.contains("addEventListener"));
    }
}
