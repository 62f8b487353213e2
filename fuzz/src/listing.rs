//! Sitemaps and feeds.

use std::collections::HashSet;

use parse::{Expects, Input, Options, parse};

use crate::page;

/// Reads bytes where a sitemap is expected: each target once, never the list itself.
pub fn listing(data: &[u8]) {
    let url = page::url();
    let input = Input { expects: Expects::Sitemap, ..Input::new(&url, data) };
    let parsed = page::read(&input);
    let mut targets = HashSet::new();
    for listed in &parsed.listing {
        assert!(targets.insert(&listed.target), "{} twice", listed.target.as_str());
        assert_ne!(listed.target, url);
        assert!(listed.priority <= 10, "{}", listed.priority);
    }
    // Of a list that is cut by the limit the first entries are kept.
    let all = parsed.listing.len();
    let few = parse(&input, &Options { listing_entries: all / 2, ..Options::default() });
    assert!(few.listing.len() <= all / 2);
}
