//! Pages of HTML.

use parse::{Input, Options, outline};

use crate::page;

/// Longest input whose tree is built once more, to see what it took.
const TREE_BYTES: usize = 16 * 1024;

/// Reads bytes as a page. Building its tree takes no more than its length allows, and a limit that
/// was reached must be told.
pub fn html(data: &[u8]) {
    let url = page::url();
    let input = Input { content_type: Some("text/html; charset=utf-8"), ..Input::new(&url, data) };
    page::read(&input);
    let text = String::from_utf8_lossy(data);
    if text.len() > TREE_BYTES {
        return;
    }
    let options = Options::default();
    let whole = outline(&text, &options);
    // The tree builder may make a few elements for one tag, and re-open those that format.
    assert!(whole.nodes <= 64 + 80 * text.len(), "{} nodes", whole.nodes);
    assert!(whole.steps <= 100_000 + 4_000 * text.len() as u64, "{} steps", whole.steps);
}
