//! Patterns for addresses: what people write into `include`, `exclude` and priority rules.
//!
//! A pattern is compared with the canonical address from its first to its last character:
//!
//! ```text
//! *        any run of characters, also none, also across slashes
//! \*  \\   the character itself
//! ?        itself, as everything else: addresses are full of question marks
//! ```
//!
//! How it begins says what it is compared with:
//!
//! ```text
//! https://example.org/a/*   the whole address
//! */print/*   *.pdf         the whole address
//! /private/*                path and query, on any host
//! example.org/a/*           the address without its scheme
//! example.org               every page of that host (without a port)
//! ```
//!
//! Letters of a host may be of any case and script; letters outside ASCII in a path match their
//! percent-encoding. Matching takes the pieces between the stars one after the other, leftmost
//! first, so its cost is linear in the length of the address whatever the pattern (ROB-12's twin).

use std::fmt;

use base::limits::URL_BYTES;
use base::{Host, Url};
use memchr::memmem::Finder;
use percent_encoding::percent_encode_byte;
use thiserror::Error;

/// A pattern that addresses match or do not.
#[derive(Clone)]
pub struct Pattern {
    /// As it was written.
    text: String,
    part: Part,
    /// What stands before the first star; everything if there is none.
    head: Vec<u8>,
    /// What stands between stars.
    middle: Vec<Finder<'static>>,
    /// What stands after the last star; `None` without a star.
    tail: Option<Vec<u8>>,
}

/// The part of an address that a pattern is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Whole,
    WithoutScheme,
    PathAndQuery,
}

/// Why a text is not a pattern.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum BadPattern {
    /// Nothing in it.
    #[error("an empty pattern matches nothing; `*` matches everything")]
    Empty,
    /// Longer than any address.
    #[error("a pattern longer than {URL_BYTES} bytes matches no address")]
    Length,
    /// A line break or another control character.
    #[error("`{}` has a control character", .0.escape_debug())]
    Control(String),
    /// A fragment, which canonical addresses do not have.
    #[error("`{0}` has a fragment; addresses are compared without what follows `#`")]
    Fragment(String),
    /// A backslash before something else than a star or a backslash.
    #[error("`{0}` has a backslash alone; write `\\*` for a star and `\\\\` for a backslash")]
    Backslash(String),
    /// The host part is not a host.
    #[error("`{0}` does not begin like an address; write a host, `/`, `*` or `https://`")]
    Host(String),
    /// Something else than http or https.
    #[error("`{0}` names a scheme that is not crawled; only http and https are")]
    Scheme(String),
}

impl Pattern {
    /// Reads a pattern.
    pub fn parse(text: &str) -> Result<Self, BadPattern> {
        if text.is_empty() {
            return Err(BadPattern::Empty);
        }
        if text.len() > URL_BYTES {
            return Err(BadPattern::Length);
        }
        if text.chars().any(char::is_control) {
            return Err(BadPattern::Control(text.to_owned()));
        }
        if text.contains('#') {
            return Err(BadPattern::Fragment(text.to_owned()));
        }
        let (part, normal) = normal(text)?;
        let mut pieces = pieces(&normal).ok_or_else(|| BadPattern::Backslash(text.to_owned()))?;
        let tail = if pieces.len() > 1 { pieces.pop() } else { None };
        let mut pieces = pieces.into_iter();
        let head = pieces.next().unwrap_or_default();
        let middle = pieces.filter(|piece| !piece.is_empty());
        let middle = middle.map(|piece| Finder::new(&piece).into_owned()).collect();
        Ok(Self { text: text.to_owned(), part, head, middle, tail })
    }

    /// Returns the pattern as it was written.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns whether an address matches. Cost: linear in its length.
    pub fn matches(&self, url: &Url) -> bool {
        let text = match self.part {
            Part::Whole => url.as_str(),
            Part::WithoutScheme => &url.as_str()[url.scheme().len() + "://".len()..],
            Part::PathAndQuery => url.path_and_query(),
        };
        self.matches_bytes(text.as_bytes())
    }

    fn matches_bytes(&self, text: &[u8]) -> bool {
        let Some(tail) = &self.tail else { return text == self.head };
        let Some(rest) = text.strip_prefix(self.head.as_slice()) else { return false };
        let Some(mut rest) = rest.strip_suffix(tail.as_slice()) else { return false };
        for piece in &self.middle {
            let Some(at) = piece.find(rest) else { return false };
            rest = &rest[at + piece.needle().len()..];
        }
        true
    }
}

impl PartialEq for Pattern {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for Pattern {}

impl fmt::Debug for Pattern {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.text, formatter)
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.text)
    }
}

/// Returns what the pattern is compared with, and its text as canonical addresses are written.
fn normal(text: &str) -> Result<(Part, String), BadPattern> {
    if text.starts_with(['*', '\\']) {
        return Ok((Part::Whole, encoded(text)));
    }
    if text.starts_with('/') {
        return Ok((Part::PathAndQuery, encoded(text)));
    }
    let (scheme, rest) = match text.split_once("://") {
        // A scheme is in front of everything else; `a.example/?u=http://…` has none.
        Some((scheme, rest)) if !scheme.contains('/') => (Some(scheme), rest),
        _ => (None, text),
    };
    if let Some(scheme) = scheme
        && !scheme.contains('*')
        && !["http", "https"].iter().any(|known| scheme.eq_ignore_ascii_case(known))
    {
        return Err(BadPattern::Scheme(text.to_owned()));
    }
    let (authority, path) = match rest.find('/') {
        Some(slash) => rest.split_at(slash),
        // A host alone means all its pages, an address without a path its front page; a star
        // at the end goes on into the path.
        None if rest.ends_with('*') => (rest, ""),
        None if scheme.is_some() => (rest, "/"),
        None => (rest, "/*"),
    };
    let authority = host_part(authority).ok_or_else(|| BadPattern::Host(text.to_owned()))?;
    let path = encoded(path);
    Ok(match scheme {
        Some(scheme) => {
            let scheme = scheme.to_ascii_lowercase();
            (Part::Whole, format!("{scheme}://{authority}{path}"))
        }
        None => (Part::WithoutScheme, format!("{authority}{path}")),
    })
}

/// Returns host and port in canonical form; with a star in it, only in lower case.
fn host_part(text: &str) -> Option<String> {
    if text.contains(['*', '[']) {
        let plain = text.bytes().all(|byte| byte.is_ascii_graphic() && !b"\\?@".contains(&byte));
        return plain.then(|| text.to_ascii_lowercase());
    }
    let (name, port) = match text.split_once(':') {
        Some((name, port)) => (name, Some(port.parse::<u16>().ok()?)),
        None => (text, None),
    };
    let host = Host::parse(name)?;
    Some(port.map_or_else(|| host.to_string(), |port| format!("{host}:{port}")))
}

/// Writes a path or query as canonical addresses have it: unreserved characters bare, the other
/// encodings in upper case, what is not allowed in an address encoded.
fn encoded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let bytes = text.as_bytes();
    let hex = |at: usize| bytes.get(at).and_then(|byte| char::from(*byte).to_digit(16));
    let mut place = 0;
    while let Some(&byte) = bytes.get(place) {
        place += 1;
        let code = match byte {
            b'%' => hex(place).zip(hex(place + 1)).map(|(high, low)| (high * 16 + low) as u8),
            _ => None,
        };
        match (byte, code) {
            (b'%', Some(code)) => {
                place += 2;
                if code.is_ascii_alphanumeric() || b"-._~".contains(&code) {
                    out.push(char::from(code));
                } else {
                    out.push_str(percent_encode_byte(code));
                }
            }
            (_, None) if is_encoded(byte) => out.push_str(percent_encode_byte(byte)),
            _ => out.push(char::from(byte)),
        }
    }
    out
}

/// Returns whether canonical addresses have an octet only in its encoding.
fn is_encoded(byte: u8) -> bool {
    !byte.is_ascii_graphic() || b"\"<>[]{}|^`".contains(&byte)
}

/// Splits at the stars and takes the backslashes away; `None` if one stands before nothing.
fn pieces(text: &str) -> Option<Vec<Vec<u8>>> {
    let mut pieces = vec![Vec::new()];
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        let byte = match byte {
            b'*' => {
                pieces.push(Vec::new());
                continue;
            }
            b'\\' => bytes.next().filter(|next| matches!(next, b'*' | b'\\'))?,
            other => other,
        };
        pieces.last_mut().expect("begins with one piece").push(byte);
    }
    Some(pieces)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn check(pattern: &str, url: &str, expected: bool) {
        let parsed = Pattern::parse(pattern).unwrap();
        assert_eq!(parsed.matches(&Url::parse(url).unwrap()), expected, "{pattern} and {url}");
    }

    #[test]
    fn a_pattern_matches_the_whole_address() {
        check("https://example.org/a/*", "https://example.org/a/", true);
        check("https://example.org/a/*", "https://example.org/a/b/c?d=e", true);
        check("https://example.org/a/*", "http://example.org/a/b", false);
        check("https://example.org/a/*", "https://example.org/a", false);
        check("https://example.org/a", "https://example.org/a", true);
        check("https://example.org/a", "https://example.org/ab", false);
        check("http*://example.org/*", "https://example.org/x", true);
        check("*", "http://anything.example/", true);
    }

    #[test]
    fn stars_stand_for_any_run_in_order() {
        check("*/print/*.html", "http://a.example/x/print/y.html", true);
        check("*/print/*.html", "http://a.example/print/y.htm", false);
        check("*ab*ba*", "http://a.example/aba", false);
        check("*ab*ba*", "http://a.example/abba", true);
        check("*.pdf", "http://a.example/x.pdf", true);
        check("*.pdf", "http://a.example/x.pdf?y", false);
        check("/x*x", "http://a.example/x", false);
        check("/x**x", "http://a.example/xx", true);
    }

    #[test]
    fn the_beginning_says_what_is_compared() {
        check("/private/*", "http://any.example/private/x", true);
        check("/private/*", "http://any.example/a/private/x", false);
        check("/*?sort=*", "http://any.example/a?sort=up", true);
        check("example.org/a/*", "https://example.org/a/b", true);
        check("example.org/a/*", "http://example.org/a/b", true);
        check("example.org/a/*", "http://www.example.org/a/b", false);
        check("example.org", "http://example.org/a/b?c", true);
        check("example.org", "http://example.org:8080/", false);
        check("example.org:8080", "http://example.org:8080/", true);
        check("example.org*", "http://example.org:8080/x", true);
        check("https://example.org", "https://example.org/", true);
        check("https://example.org", "https://example.org/x", false);
        check("a.example/?u=http://*", "https://a.example/?u=http://b.example/", true);
    }

    #[test]
    fn hosts_and_paths_are_written_as_canonical_addresses_are() {
        check("HTTPS://Example.ORG/A/*", "https://example.org/A/b", true);
        check("https://example.org/A/*", "https://example.org/a/b", false);
        check("bücher.example/ü/*", "http://xn--bcher-kva.example/%c3%bc/x", true);
        check("/%7euser/%2f*", "http://a.example/~user/%2Fx", true);
        check("/a b", "http://a.example/a%20b", true);
        check("/*?x[y]=*", "http://a.example/?x%5By%5D=1", true);
    }

    #[test]
    fn a_backslash_makes_a_star_a_star() {
        check(r"/a\*b", "http://a.example/a*b", true);
        check(r"/a\*b", "http://a.example/axb", false);
        check(r"\**", "http://a.example/", false);
    }

    #[test]
    fn what_could_match_nothing_is_refused() {
        for text in ["", "ftp://a.example/", "a b.example/x", "/a#b", r"/a\b", "/a\nb", "a@b/*"] {
            assert!(Pattern::parse(text).is_err(), "{text:?}");
        }
        assert_eq!(Pattern::parse(&"x".repeat(3_000)), Err(BadPattern::Length));
    }

    #[test]
    fn a_hostile_pattern_costs_linear_time() {
        // Backtracking would need longer than the machine lasts.
        let pattern = format!("/{}b", "*a".repeat(1_000));
        let url = format!("http://a.example/{}", "a".repeat(2_000));
        check(&pattern, &url, false);
    }

    /// What a pattern means, written down without care for cost.
    fn slow(pattern: &[u8], text: &[u8]) -> bool {
        match pattern.split_first() {
            None => text.is_empty(),
            Some((b'*', rest)) => (0..=text.len()).any(|skip| slow(rest, &text[skip..])),
            Some((byte, rest)) => text.first() == Some(byte) && slow(rest, &text[1..]),
        }
    }

    proptest! {
        #[test]
        fn matching_agrees_with_its_definition(pattern in "/[ab*]{0,8}", path in "/[ab]{0,10}") {
            let url = Url::parse(&format!("http://h.example{path}")).unwrap();
            let expected = slow(pattern.as_bytes(), path.as_bytes());
            prop_assert_eq!(Pattern::parse(&pattern).unwrap().matches(&url), expected);
        }

        #[test]
        fn no_text_breaks_the_parser(text in "\\PC{0,40}") {
            if let Ok(pattern) = Pattern::parse(&text) {
                pattern.matches(&Url::parse("http://a.example/b?c").unwrap());
            }
        }
    }
}
