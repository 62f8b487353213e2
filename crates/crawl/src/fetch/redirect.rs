//! Where a response sends its visitors. Nothing is followed here: each hop is a URL of its own,
//! with its own permit, robots.txt and address check (RED-01 … RED-12).

use std::borrow::Cow;

use base::{BadUrl, Oddity, Rules, Url, limits};
use hyper::header::{HeaderMap, LOCATION};
use percent_encoding::{AsciiSet, percent_encode};

/// What a response says about another place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Redirect {
    /// Nothing.
    No,
    /// The page is there.
    To(Url),
    /// The page is somewhere we do not go.
    Refused(Refusal),
}

/// Why a redirect is not followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// Something that is not the web (RED-04).
    Scheme,
    /// No address, or one that is too long (RED-05).
    Location,
    /// The page itself (RED-12).
    Loop,
    /// From https to http, which is not wanted (RED-07).
    Downgrade,
}

impl Refusal {
    const ALL: [Self; 4] = [Self::Scheme, Self::Location, Self::Loop, Self::Downgrade];

    /// Returns the name for counters.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Scheme => "bad-scheme",
            Self::Location => "bad-location",
            Self::Loop => "redirect-loop",
            Self::Downgrade => "redirect-downgrade",
        }
    }

    /// Returns how a page record says it.
    pub(crate) fn oddity(self) -> Oddity {
        match self {
            Self::Scheme => Oddity::RedirectScheme,
            Self::Location => Oddity::RedirectLocation,
            Self::Loop => Oddity::RedirectLoop,
            Self::Downgrade => Oddity::RedirectDowngrade,
        }
    }

    /// Returns the refusal that a page record tells of.
    pub(crate) fn of(oddities: &[Oddity]) -> Option<Self> {
        Self::ALL.into_iter().find(|refusal| oddities.contains(&refusal.oddity()))
    }
}

/// How redirects are read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Following {
    pub(crate) rules: Rules,
    /// Whether https may lead to http.
    pub(crate) downgrades: bool,
}

/// Reads status and `Location`; a 300 without a place is a page (RED-08).
pub(crate) fn redirect(
    url: &Url,
    status: u16,
    headers: &HeaderMap,
    following: Following,
) -> Redirect {
    if !matches!(status, 300..=303 | 307 | 308) {
        return Redirect::No;
    }
    let Some(location) = headers.get(LOCATION) else { return Redirect::No };
    let location = location.as_bytes().trim_ascii();
    if location.is_empty() || location.len() > limits::HEAD_BYTES {
        return Redirect::Refused(Refusal::Location);
    }
    match url.join_with(&text(location), following.rules) {
        // Also when only the fragment or the host's case differ (RED-12).
        Ok(target) if target == *url => Redirect::Refused(Refusal::Loop),
        Ok(target) if url.is_https() && !target.is_https() && !following.downgrades => {
            Redirect::Refused(Refusal::Downgrade)
        }
        Ok(target) => Redirect::To(target),
        Err(BadUrl::Scheme) => Redirect::Refused(Refusal::Scheme),
        Err(_) => Redirect::Refused(Refusal::Location),
    }
}

/// Returns a location as text: raw UTF-8 is common and means what it says; bytes of older
/// character sets are what the server wants back, so they are percent-encoded as they are.
fn text(location: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(location) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => percent_encode(location, &AsciiSet::EMPTY).into(),
    }
}

#[cfg(test)]
mod tests {
    use hyper::header::HeaderValue;

    use super::*;

    const FOLLOWING: Following = Following { rules: Rules::NONE, downgrades: false };

    fn found_on(url: &str, status: u16, location: &[u8], following: Following) -> Redirect {
        let url = Url::parse(url).unwrap();
        let value = HeaderValue::from_bytes(location).unwrap();
        redirect(&url, status, &HeaderMap::from_iter([(LOCATION, value)]), following)
    }

    fn found(status: u16, location: &[u8]) -> Redirect {
        found_on("http://a.example/x", status, location, FOLLOWING)
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
            assert_eq!(found(301, place.as_bytes()), Redirect::Refused(Refusal::Scheme), "{place}");
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
            assert_eq!(found, Redirect::Refused(Refusal::Location), "{place:.20}");
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
        assert_eq!(redirect(&url, 300, &HeaderMap::new(), FOLLOWING), Redirect::No);
    }

    #[test]
    fn red_01_red_12_a_page_that_sends_to_itself_is_a_loop() {
        for place in ["/x", "http://A.example:80/x#top", "#top", "http://u:p@a.example/x"] {
            assert_eq!(found(301, place.as_bytes()), Redirect::Refused(Refusal::Loop), "{place}");
        }
    }

    #[test]
    fn red_07_https_leads_to_http_only_if_wanted() {
        let target = b"http://b.example/index.html";
        let found = |url, downgrades| {
            found_on(url, 301, target, Following { rules: Rules::default(), downgrades })
        };
        let followed = Redirect::To(Url::parse("http://b.example/").unwrap());
        let secure = "https://a.example/x";
        assert_eq!(found(secure, false), Redirect::Refused(Refusal::Downgrade));
        assert_eq!(found(secure, true), followed);
        assert_eq!(found("http://a.example/x", false), followed);
    }

    #[test]
    fn a_record_tells_why_its_redirect_was_refused() {
        assert_eq!(Refusal::of(&[Oddity::BodyCut]), None);
        for refusal in Refusal::ALL {
            assert_eq!(Refusal::of(&[Oddity::BodyCut, refusal.oddity()]), Some(refusal));
        }
    }
}
