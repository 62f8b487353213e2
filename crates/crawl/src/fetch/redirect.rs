//! Where a response sends its visitors. Nothing is followed here: each hop is a URL of its own,
//! with its own permit, robots.txt and address check (RED-01 … RED-12).

use std::borrow::Cow;

use base::{BadUrl, Url, limits};
use hyper::header::{HeaderMap, LOCATION};

/// What a response says about another place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Redirect {
    /// Nothing.
    No,
    /// The page is there.
    To(Url),
    /// The page is somewhere we do not go; the reason has a name for counters.
    Refused(&'static str),
}

/// Reads status and `Location`; a 300 without a place is a page (RED-08).
pub(crate) fn redirect(url: &Url, status: u16, headers: &HeaderMap) -> Redirect {
    if !matches!(status, 300..=303 | 307 | 308) {
        return Redirect::No;
    }
    let Some(location) = headers.get(LOCATION) else { return Redirect::No };
    let location = location.as_bytes().trim_ascii();
    if location.is_empty() || location.len() > limits::HEAD_BYTES {
        return Redirect::Refused("bad-location");
    }
    match url.join(&text(location)) {
        // Also when only the fragment or the host's case differ (RED-12).
        Ok(target) if target == *url => Redirect::Refused("redirect-loop"),
        Ok(target) => Redirect::To(target),
        Err(BadUrl::Scheme) => Redirect::Refused("bad-scheme"),
        Err(_) => Redirect::Refused("bad-location"),
    }
}

/// Returns a location as text: raw UTF-8 is common and means what it says; bytes of older
/// character sets are what the server wants back, so they are percent-encoded as they are.
fn text(location: &[u8]) -> Cow<'_, str> {
    if let Ok(text) = std::str::from_utf8(location) {
        return Cow::Borrowed(text);
    }
    let encoded = |byte: &u8| match byte.is_ascii() {
        true => char::from(*byte).to_string(),
        false => format!("%{byte:02X}"),
    };
    Cow::Owned(location.iter().map(encoded).collect())
}

#[cfg(test)]
mod tests {
    use hyper::header::HeaderValue;

    use super::*;

    fn found(status: u16, location: &[u8]) -> Redirect {
        let url = Url::parse("http://a.example/x").unwrap();
        let value = HeaderValue::from_bytes(location).unwrap();
        redirect(&url, status, &HeaderMap::from_iter([(LOCATION, value)]))
    }

    #[track_caller]
    fn check(location: &str, expected: &str) {
        assert_eq!(found(301, location.as_bytes()), Redirect::To(Url::parse(expected).unwrap()));
    }

    #[test]
    fn red_04_only_the_web_is_followed() {
        for place in
            ["file:///etc/passwd", "ftp://a.example/", "data:,x", "javascript:alert(1)", "gopher:x"]
        {
            assert_eq!(found(301, place.as_bytes()), Redirect::Refused("bad-scheme"), "{place}");
        }
    }

    #[test]
    fn red_05_locations_are_resolved_by_the_rules_of_urls_or_refused() {
        check("/y", "http://a.example/y");
        check("  y?z ", "http://a.example/y?z");
        check("//b.example/ü", "http://b.example/%C3%BC");
        assert_eq!(
            found(302, b"/caf\xE9"),
            Redirect::To(Url::parse("http://a.example/caf%E9").unwrap())
        );
        let long = format!("/{}", "x".repeat(100 * 1024));
        for place in ["", "  ", "http://", "http://[::1", &long] {
            let found = found(301, place.as_bytes());
            assert_eq!(found, Redirect::Refused("bad-location"), "{place:.20}");
        }
    }

    #[test]
    fn red_08_every_status_that_redirects_does_and_no_other() {
        for status in [300, 301, 302, 303, 307, 308] {
            assert!(matches!(found(status, b"/y"), Redirect::To(_)), "{status}");
        }
        for status in [200, 201, 304, 305, 306, 404] {
            assert_eq!(found(status, b"/y"), Redirect::No, "{status}");
        }
        let url = Url::parse("http://a.example/x").unwrap();
        assert_eq!(redirect(&url, 300, &HeaderMap::new()), Redirect::No);
    }

    #[test]
    fn red_01_red_12_a_page_that_sends_to_itself_is_a_loop() {
        for place in ["/x", "http://A.example:80/x#top", "#top", "http://u:p@a.example/x"] {
            assert_eq!(found(301, place.as_bytes()), Redirect::Refused("redirect-loop"), "{place}");
        }
    }
}
