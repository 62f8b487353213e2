//! A page of HTML: bound it, build its tree, walk the tree once.
//!
//! 1. [`tokens`] tells tags, text and comments apart.
//! 2. [`guard`] feeds html5ever's tree builder with them and keeps its stack of open elements
//!    small.
//! 3. [`tree`] holds the nodes in one vector; nothing in it recurses.
//! 4. [`hidden`] says what of it visitors see.
//! 5. [`walk`] reads text, links, title and robots wishes in one pass.
//! 6. [`zones`] says which blocks are what the page is about, by the boxes ([`regions`]) they
//!    stand in and by where its prose is ([`article`]).
//! 7. [`meta`] goes over it once more for what the page says of itself, pictures, and links that
//!    nobody clicks.

mod article;
mod drawing;
mod guard;
mod hidden;
pub(crate) mod inert;
mod meta;
pub(crate) mod outline;
mod regions;
pub mod tokens;
mod trail;
mod tree;
mod walk;
mod zones;

use base::Oddity;
use text::Language;

use crate::link::Collector;
use crate::{Input, Options, Parsed};

/// Builds a tree and throws it away; returns whether it is whole. For benches.
pub(crate) fn build_only(text: &str, options: &Options) -> bool {
    !guard::build(text, options).is_cut
}

/// Adds to `parsed` and `links` what the page says; returns the language it declares.
pub(crate) fn read(
    text: &str,
    input: &Input<'_>,
    options: &Options,
    links: &mut Collector,
    parsed: &mut Parsed,
) -> Option<Language> {
    let built = guard::build(text, options);
    if built.is_cut {
        parsed.oddities.push(Oddity::NodesCut);
    }
    if built.is_flattened {
        parsed.oddities.push(Oddity::DepthCut);
    }
    let mut seen = hidden::judge(&built.tree);
    parsed.hidden = std::mem::take(&mut seen.hidden);
    let declared = walk::walk(&built.tree, &seen, options, links, parsed);
    meta::read(&built.tree, input, options, links, parsed);
    declared
}

/// Adds to `parsed` and `links` the text of a piece of HTML that stands in something else. What it
/// says about itself is not asked.
pub(crate) fn read_piece(
    text: &str,
    options: &Options,
    links: &mut Collector,
    parsed: &mut Parsed,
) {
    let built = guard::build(text, options);
    let mut seen = hidden::judge(&built.tree);
    parsed.hidden = std::mem::take(&mut seen.hidden);
    walk::walk(&built.tree, &seen, options, links, parsed);
}
