//! Bytes in any character set.

use base::ContentKind;
use parse::{Input, Parsed};

use crate::page;

/// Reads bytes under a content type, which is their first line.
///
/// A mark at the beginning settles the character set, whatever the server says, and what is pure
/// ASCII reads the same as UTF-8.
pub fn charset(data: &[u8]) {
    let line = data.iter().position(|byte| *byte == b'\n').unwrap_or(data.len());
    let content_type = String::from_utf8_lossy(&data[..line]);
    let body = data.get(line + 1..).unwrap_or_default();
    let parsed = read(&content_type, body);
    assert_eq!(parsed.charset.is_empty(), !is_text(parsed.kind), "{:?}", parsed.kind);
    let marked = read(&content_type, &[b"\xEF\xBB\xBF", body].concat());
    if is_text(marked.kind) {
        assert_eq!(marked.charset, "UTF-8");
    }
    if body.is_ascii() && parsed.charset != "ISO-2022-JP" && !parsed.charset.starts_with("UTF-16") {
        let plain = read("text/plain; charset=utf-8", body);
        if parsed.kind == plain.kind {
            assert_eq!(parsed.blocks, plain.blocks, "{}", parsed.charset);
        }
    }
}

fn read(content_type: &str, body: &[u8]) -> Parsed {
    let url = page::url();
    page::read(&Input { content_type: Some(content_type), ..Input::new(&url, body) })
}

fn is_text(kind: ContentKind) -> bool {
    !kind.is_document() && !matches!(kind, ContentKind::Other | ContentKind::Empty)
}
