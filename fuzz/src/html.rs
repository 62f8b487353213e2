//! Pages of HTML.

use parse::{Input, Options, outline};

use crate::page;

/// Longest input whose tree is compared by way of handing it over.
const TREE_BYTES: usize = 16 * 1024;

/// Reads bytes as a page. The tree must not depend on how the text is cut into pieces, and a
/// limit that was reached must be told.
pub fn html(data: &[u8]) {
    let url = page::url();
    let input = Input { content_type: Some("text/html; charset=utf-8"), ..Input::new(&url, data) };
    page::read(&input);
    let text = String::from_utf8_lossy(data);
    if text.len() > TREE_BYTES {
        return;
    }
    let options = Options::default();
    let whole = outline(&text, TREE_BYTES, &options);
    let lines = whole.text();
    for bytes in [1, 7, 64] {
        let pieces = outline(&text, bytes, &options);
        assert_eq!(pieces.text(), lines, "pieces of {bytes} bytes");
    }
    // The tree builder may make a few elements for one tag, and re-open those that format.
    assert!(whole.nodes <= 64 + 80 * text.len(), "{} nodes", whole.nodes);
    assert!(whole.steps <= 100_000 + 4_000 * text.len() as u64, "{} steps", whole.steps);
}
