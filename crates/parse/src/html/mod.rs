//! A page of HTML: bound it, build its tree, walk the tree once.
//!
//! 1. [`trim`] drops attributes past the limit before the parser compares them pair by pair,
//!    and long comments.
//! 2. [`guard`] feeds html5ever and keeps its stack of open elements small.
//! 3. [`tree`] holds the nodes in one vector; nothing in it recurses.
//! 4. [`hidden`] says what of it visitors see.
//! 5. [`walk`] reads text, links, title and robots wishes in one pass.
//! 6. [`zones`] says which blocks are what the page is about.

mod guard;
mod hidden;
mod tree;
mod trim;
mod walk;
mod zones;

use base::Oddity;
use text::Language;

use crate::link::Collector;
use crate::{Options, Parsed};

/// Adds to `parsed` and `links` what the page says; returns the language it declares.
pub(crate) fn read(
    text: &str,
    options: &Options,
    links: &mut Collector,
    parsed: &mut Parsed,
) -> Option<Language> {
    let trimmed = trim::trim(text, options.attributes);
    let built = guard::build(trimmed.text.as_deref().unwrap_or(text), options);
    if built.is_cut || trimmed.has_lost_attributes {
        parsed.oddities.push(Oddity::NodesCut);
    }
    if built.is_flattened {
        parsed.oddities.push(Oddity::DepthCut);
    }
    let mut seen = hidden::judge(&built.tree);
    parsed.hidden = std::mem::take(&mut seen.hidden);
    walk::walk(&built.tree, &seen, options, links, parsed)
}
