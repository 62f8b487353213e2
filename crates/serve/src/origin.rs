//! Where a request that changes something comes from: a page of ours, or anybody's.
//!
//! A browser says it in `Sec-Fetch-Site`, on https and on the machine itself; elsewhere in
//! `Origin`. A request that says neither comes from no browser of today and is not believed.

use axum::http::HeaderMap;
use axum::http::header::{HOST, ORIGIN};

/// Returns whether a page of ours has made a request; `url` is the public address of the pages, if
/// they have one.
pub(crate) fn is_ours(headers: &HeaderMap, url: Option<&str>) -> bool {
    if let Some(site) = headers.get("sec-fetch-site") {
        return site == "same-origin";
    }
    let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
    let (Some(origin), Some(host)) = (text(ORIGIN), text(HOST)) else { return false };
    let known = url.map(|url| url.trim_end_matches('/'));
    // Behind a proxy the one is https and the other is not told; the name is what counts.
    let name = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
    let is_known = known.is_some_and(|known| known.eq_ignore_ascii_case(origin));
    is_known || name.is_some_and(|name| name.eq_ignore_ascii_case(host))
}

#[cfg(test)]
mod tests {
    use axum::http::{HeaderName, HeaderValue};

    use super::*;

    #[track_caller]
    fn check(lines: &[(&'static str, &'static str)], expected: bool) {
        let mut headers = HeaderMap::new();
        for (name, value) in lines {
            headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
        }
        assert_eq!(is_ours(&headers, Some("https://find.example/")), expected, "{lines:?}");
    }

    #[test]
    fn web_21_only_pages_of_ours_may_change_something() {
        let host = ("host", "a.example:7700");
        check(&[host, ("sec-fetch-site", "same-origin")], true);
        check(&[host, ("sec-fetch-site", "cross-site")], false);
        check(&[host, ("sec-fetch-site", "same-site")], false);
        check(&[host, ("sec-fetch-site", "none")], false);
        check(
            &[host, ("sec-fetch-site", "cross-site"), ("origin", "http://a.example:7700")],
            false,
        );
        check(&[host, ("origin", "http://a.example:7700")], true);
        check(&[host, ("origin", "https://A.example:7700")], true);
        check(&[host, ("origin", "https://find.example")], true);
        check(&[host, ("origin", "http://a.example")], false);
        check(&[host, ("origin", "http://evil.example")], false);
        check(&[host, ("origin", "null")], false);
        check(&[host], false);
        check(&[("origin", "http://a.example")], false);
    }
}
