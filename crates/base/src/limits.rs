//! Limits on what strangers send, in one place.
//!
//! These are the defaults; where a limit can be configured, the stage's options carry it.

/// Longest canonical URL in bytes; longer ones are dropped and counted.
pub const URL_BYTES: usize = 2_048;
/// Longest title kept, in characters.
pub const TITLE_CHARS: usize = 512;
/// Links looked at on one page.
pub const LINKS_SEEN: usize = 10_000;
/// Distinct links kept from one page.
pub const LINKS_KEPT: usize = 1_000;
/// Text kept from one document, in bytes.
pub const TEXT_BYTES: usize = 2 * 1024 * 1024;
/// Longest token kept, in bytes.
pub const TOKEN_BYTES: usize = 256;
/// Longest anchor text kept, in bytes.
pub const ANCHOR_BYTES: usize = 512;
/// Body of an HTML page after decoding, in bytes.
pub const BODY_BYTES: usize = 5 * 1024 * 1024;
/// PDF body after decoding.
pub const PDF_BYTES: usize = 32 * 1024 * 1024;
/// Sitemap after decoding.
pub const SITEMAP_BYTES: usize = 50 * 1024 * 1024;
/// Head of a response: bytes.
pub const HEAD_BYTES: usize = 64 * 1024;
/// Head of a response: number of fields.
pub const HEAD_FIELDS: usize = 100;
/// robots.txt read: the first 500 KiB, never fewer.
pub const ROBOTS_BYTES: usize = 512_000;
/// Most path segments of a URL before it counts as a trap.
pub const PATH_SEGMENTS: usize = 32;
/// How often one segment may stand in a path before the URL counts as a trap.
pub const SEGMENT_REPEATS: usize = 3;

/// Returns the longest prefix of `text` of at most `bytes` bytes that ends on a character border.
pub fn cut(text: &str, bytes: usize) -> &str {
    &text[..text.floor_char_boundary(bytes)]
}
