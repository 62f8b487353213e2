//! References on a page: resolved against its address, the plain ones without the URL parser.

use std::cell::OnceCell;

use crate::limits::URL_BYTES;

use super::{BadUrl, Rules, Url, canonical, parse_bounded};

/// Resolves the references found on one page; keeps what the page's address was parsed to.
#[derive(Debug)]
pub struct Joiner<'a> {
    base: &'a Url,
    rules: Rules,
    /// Parsed when the first reference needs it.
    parsed: OnceCell<Option<url::Url>>,
}

impl<'a> Joiner<'a> {
    /// Returns a joiner for references of the page at `base`, under the default [`Rules`].
    pub fn new(base: &'a Url) -> Self {
        Self::with_rules(base, Rules::default())
    }

    /// Like [`Self::new`], with chosen rules.
    pub fn with_rules(base: &'a Url, rules: Rules) -> Self {
        Self { base, rules, parsed: OnceCell::new() }
    }

    /// Returns the canonical URL of a reference (`../b?c`).
    pub fn join(&self, reference: &str) -> Result<Url, BadUrl> {
        if reference.len() > 4 * URL_BYTES {
            return Err(BadUrl::Length);
        }
        if let Some((folder, path, query)) = plain(self.base, reference) {
            return self.base.at(folder, path, query, self.rules);
        }
        let parsed = self.parsed.get_or_init(|| url::Url::parse(self.base.as_str()).ok());
        let base = parsed.as_ref().ok_or(BadUrl::Syntax)?;
        canonical(&parse_bounded(reference, Some(base))?, self.rules)
    }
}

/// Splits a reference into the part of the base's path before it, its path and its query, if it is
/// one that the URL parser would pass through letter by letter; most links of most pages are.
fn plain<'r>(base: &'r Url, reference: &'r str) -> Option<(&'r str, &'r str, Option<&'r str>)> {
    let reference = reference.split('#').next().unwrap_or_default();
    let rest = match reference.strip_prefix(base.origin()) {
        Some(rest) if rest.starts_with('/') => rest,
        _ => reference,
    };
    let (path, query) = match rest.split_once('?') {
        Some((path, query)) => (path, Some(query)),
        None => (rest, None),
    };
    let is_relative = !path.starts_with('/');
    // A colon before the first slash ends a scheme; two slashes begin a host.
    let needs_parser = path.is_empty()
        || base.host_str().ends_with('.')
        || path.starts_with("//")
        || is_relative && path.contains(':')
        || path.starts_with('.')
        || path.contains("/.")
        || !path.bytes().all(is_plain_in_path)
        || query.is_some_and(|query| !query.bytes().all(is_plain_in_query));
    if needs_parser {
        return None;
    }
    let base_path = base.path();
    let folder = if is_relative { &base_path[..base_path.rfind('/')? + 1] } else { "" };
    Some((folder, path, query))
}

fn is_plain_in_path(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"/-._~!$&()*+,;=:@".contains(&byte)
}

fn is_plain_in_query(byte: u8) -> bool {
    byte.is_ascii_graphic() && !matches!(byte, b'"' | b'<' | b'>' | b'\'' | b'#')
}
