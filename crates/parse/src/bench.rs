//! Steps of reading one by one, for benches; not part of the interface.

use base::Block;

use crate::{Options, fingerprint, html};

/// Builds the tree of a page and throws it away; returns whether it is whole.
pub fn tree(text: &str, options: &Options) -> bool {
    html::build_only(text, options)
}

/// Returns the exact fingerprint of a text, and makes its sketch.
pub fn fingerprint(blocks: &[Block]) -> u128 {
    fingerprint::Prints::of(blocks).hash
}
