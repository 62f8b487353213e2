//! Who asks, as far as a page needs to know: in which language, with which wishes.

use axum::http::HeaderMap;

use crate::params::pairs;
use crate::tongue::Tongue;
use crate::wishes::Wishes;

/// What a request says of how its page should be.
#[derive(Clone, Debug, Default)]
pub(crate) struct Visit {
    /// The language to speak.
    pub(crate) tongue: Tongue,
    /// The same, if the address asks for it; then every link of the page does.
    pub(crate) asked: Option<Tongue>,
    /// What the visitor wishes, by a cookie.
    pub(crate) wishes: Wishes,
}

impl Visit {
    /// Reads what a request says; the address before the cookie, the cookie before the browser.
    pub(crate) fn new(headers: &HeaderMap, query: Option<&str>) -> Self {
        let wishes = Wishes::of(headers);
        let asked = pairs(query, ["ui"]).ok().and_then(|[tag]| Tongue::parse(&tag?));
        let tongue = asked.or(wishes.tongue).or_else(|| Tongue::accepted(headers));
        Self { tongue: tongue.unwrap_or_default(), asked, wishes }
    }

    /// A visit of which only the language is known.
    pub(crate) fn in_tongue(tongue: Tongue) -> Self {
        Self { tongue, ..Self::default() }
    }

    /// Returns a path of ours as a link of this visitor's pages.
    pub(crate) fn path(&self, path: &str) -> String {
        match self.asked {
            Some(tongue) => format!("{path}?ui={}", tongue.code()),
            None => path.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;
    use axum::http::header::{ACCEPT_LANGUAGE, COOKIE};

    use super::*;

    #[test]
    fn the_address_comes_before_the_cookie_and_the_cookie_before_the_browser() {
        let mut headers = HeaderMap::new();
        let tongue = |headers: &HeaderMap, query| Visit::new(headers, query).tongue;
        assert_eq!(tongue(&headers, None), Tongue::English);
        headers.insert(ACCEPT_LANGUAGE, HeaderValue::from_static("fr"));
        assert_eq!(tongue(&headers, None), Tongue::French);
        headers.insert(COOKIE, HeaderValue::from_static("lookfar=interface=de"));
        assert_eq!(tongue(&headers, None), Tongue::German);
        assert_eq!(tongue(&headers, Some("q=a&ui=ja")), Tongue::Japanese);
        assert_eq!(tongue(&headers, Some("q=a&ui=xx")), Tongue::German);
        assert_eq!(tongue(&headers, Some("ui=ja&ui=ja")), Tongue::German);
    }
}
