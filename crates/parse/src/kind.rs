//! What a body is, judged by its bytes; the server's word settles only what bytes leave open.

mod documents;

use base::ContentKind;

use crate::charset::{Utf32, utf16_without_bom};
use crate::{Expects, document, listing, markdown};

/// Bytes looked at, as in the MIME sniffing standard.
const SNIFF_BYTES: usize = 1_445;
/// Bytes in which a PDF may begin behind something else, as its programs have it (PDF-10).
const PDF_START_BYTES: usize = 1_024;

/// Returns what the body is, and whether that fits what the server said.
///
/// `path` is the path of its address, which tells only Markdown from other text.
pub(crate) fn of(
    content_type: Option<&str>,
    body: &[u8],
    expects: Expects,
    path: &str,
) -> (ContentKind, bool) {
    let claim = Claim::of(content_type);
    if body.is_empty() {
        return (ContentKind::Empty, true);
    }
    let mut kind = sniff(claim, body);
    let may_be = claim == Claim::Markdown || is_markdown_name(path);
    if kind == ContentKind::Text && may_be && markdown::has_shape(body) {
        kind = ContentKind::Markdown;
    }
    let fits = match claim {
        Claim::Nothing => true,
        Claim::Html => kind == ContentKind::Html,
        Claim::Text | Claim::Markdown => {
            matches!(kind, ContentKind::Text | ContentKind::Markdown)
        }
        Claim::Pdf => kind == ContentKind::Pdf,
        // XHTML is XML as much as drawings and feeds are.
        Claim::Xml => !(kind == ContentKind::Text || kind.is_document()),
        Claim::Other => kind == ContentKind::Other || kind.is_document(),
    };
    // A list of URLs is a text like others, if it was not asked for. It cannot be mistaken for a
    // page or a program: more than half of its lines are URLs.
    if expects == Expects::Sitemap
        && !matches!(kind, ContentKind::Feed | ContentKind::Pdf)
        && listing::is_plain(body)
    {
        kind = ContentKind::Sitemap;
    }
    (kind, fits)
}

/// What the server says of the body.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Claim {
    Html,
    Text,
    Markdown,
    Pdf,
    Xml,
    /// A type that we do not read.
    Other,
    /// No type, or one that servers send for want of a better one.
    Nothing,
}

impl Claim {
    fn of(content_type: Option<&str>) -> Self {
        let Some(text) = content_type else { return Self::Nothing };
        let essence = text.split([';', ',']).next().unwrap_or_default().trim();
        // No registered type is longer; ten kilobytes of it are not worth a copy (HTTP-18).
        if essence.len() > 127 || !essence.contains('/') {
            return Self::Nothing;
        }
        match essence.to_ascii_lowercase().as_str() {
            "text/html" | "application/xhtml+xml" | "application/vnd.wap.xhtml+xml" => Self::Html,
            "text/plain" | "text/x-rst" | "text/csv" => Self::Text,
            "text/markdown" | "text/x-markdown" => Self::Markdown,
            "application/pdf" | "application/x-pdf" => Self::Pdf,
            "text/xml" | "application/xml" | "text/rdf" => Self::Xml,
            "application/octet-stream"
            | "unknown/unknown"
            | "application/unknown"
            | "*/*"
            | "binary/octet-stream"
            | "application/x-unknown-content-type" => Self::Nothing,
            other if other.ends_with("+xml") => Self::Xml,
            _ => Self::Other,
        }
    }
}

fn sniff(claim: Claim, body: &[u8]) -> ContentKind {
    let head = &body[..body.len().min(SNIFF_BYTES)];
    let trimmed = trim(head);
    if trimmed.starts_with(b"%PDF-") {
        return ContentKind::Pdf;
    }
    if let Some(kind) = document(head, body) {
        return kind;
    }
    if MAGICS.iter().any(|magic| head.starts_with(magic)) || is_media(head) {
        return ContentKind::Other;
    }
    let wide = utf16_without_bom(head).is_some()
        || Utf32::of(head).is_some()
        || head.starts_with(b"\xFF\xFE")
        || head.starts_with(b"\xFE\xFF");
    // In UTF-16 and UTF-32 the letters of tags have zeros around them.
    let narrow = if wide { narrow(head) } else { Vec::new() };
    let trimmed = if wide { trim(&narrow) } else { trimmed };
    if is_page_start(trimmed) {
        return ContentKind::Html;
    }
    let start = &head[..head.len().min(PDF_START_BYTES)];
    if !matches!(claim, Claim::Html | Claim::Text | Claim::Markdown | Claim::Xml)
        && find(start, b"%PDF-").is_some()
    {
        return ContentKind::Pdf;
    }
    if !wide && is_binary(head) {
        return ContentKind::Other;
    }
    // Whole lists are told by their first element alone: no other document has it.
    if let Some(kind) = listing::kind_of(body) {
        return kind;
    }
    if trimmed.starts_with(b"<?xml") && claim != Claim::Html {
        // Drawings and the like; XHTML names its root early.
        let is_page = find(trimmed, b"<html").is_some();
        return if is_page { ContentKind::Html } else { ContentKind::Other };
    }
    match claim {
        Claim::Html => ContentKind::Html,
        // Source code shown as text may begin with a tag; only a whole page is taken as one.
        Claim::Text | Claim::Markdown => ContentKind::Text,
        Claim::Nothing if is_tag_start(trimmed) => ContentKind::Html,
        Claim::Nothing => ContentKind::Text,
        Claim::Pdf | Claim::Xml | Claim::Other if wide || !is_tag_start(trimmed) => {
            ContentKind::Other
        }
        Claim::Pdf | Claim::Xml | Claim::Other => ContentKind::Html,
    }
}

/// Returns which document begins here; `None` if it is none of an office program.
fn document(head: &[u8], body: &[u8]) -> Option<ContentKind> {
    if trim(head).starts_with(b"{\\rtf") {
        return Some(ContentKind::Rtf);
    }
    if head.starts_with(b"PK\x03\x04") {
        return Some(documents::of_zip(body));
    }
    document::kind_of_ole(body)
}

fn is_markdown_name(path: &str) -> bool {
    let name = path.rsplit('.').next().unwrap_or_default();
    ["md", "markdown", "mkd", "mdown"].iter().any(|ending| name.eq_ignore_ascii_case(ending))
}

/// Returns the ASCII letters of a text in UTF-16 or UTF-32.
fn narrow(head: &[u8]) -> Vec<u8> {
    head.iter().copied().filter(|byte| (1..0x80).contains(byte)).collect()
}

/// Passes over a UTF-8 mark and white space.
fn trim(head: &[u8]) -> &[u8] {
    head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head).trim_ascii_start()
}

/// First bytes of formats that are never text.
const MAGICS: [&[u8]; 22] = [
    b"\x89PNG\r\n\x1A\n",
    b"GIF87a",
    b"GIF89a",
    b"\xFF\xD8\xFF",
    b"BM\x00",
    b"\x00\x00\x01\x00",
    b"II*\x00",
    b"MM\x00*",
    b"PK\x05\x06",
    b"\x1F\x8B",
    b"BZh",
    b"\xFD7zXZ\x00",
    b"\x28\xB5\x2F\xFD",
    b"7z\xBC\xAF\x27\x1C",
    b"Rar!\x1A\x07",
    b"\x00asm",
    b"\x7FELF",
    b"OggS",
    b"ID3",
    b"wOFF",
    b"wOF2",
    b"%!PS-Adobe-",
];

/// Containers whose name stands behind a length.
fn is_media(head: &[u8]) -> bool {
    head.starts_with(b"RIFF") && head.len() >= 12 || head.get(4..8) == Some(b"ftyp")
}

/// Returns whether more bytes than a slip of the pen are ones that no text has.
fn is_binary(head: &[u8]) -> bool {
    let odd = |byte: &&u8| matches!(byte, 0..=0x08 | 0x0B | 0x0E..=0x1A | 0x1C..=0x1F);
    let count = head.iter().filter(odd).count();
    count > 2 && count * 50 > head.len()
}

/// Returns whether a whole page of HTML begins here.
fn is_page_start(trimmed: &[u8]) -> bool {
    let behind = starts_with(trimmed, b"<!doctype").map(<[u8]>::trim_ascii_start);
    behind.is_some_and(|rest| starts_with(rest, b"html").is_some()) || has_tag(trimmed, b"<html")
}

/// Tags that pages begin with, from the MIME sniffing standard.
const TAGS: [&[u8]; 18] = [
    b"<head",
    b"<script",
    b"<iframe",
    b"<h1",
    b"<div",
    b"<font",
    b"<table",
    b"<a",
    b"<style",
    b"<title",
    b"<b",
    b"<body",
    b"<br",
    b"<p",
    b"<meta",
    b"<center",
    b"<frameset",
    b"<link",
];

fn is_tag_start(trimmed: &[u8]) -> bool {
    trimmed.starts_with(b"<!--") || TAGS.iter().any(|tag| has_tag(trimmed, tag))
}

fn has_tag(bytes: &[u8], tag: &[u8]) -> bool {
    starts_with(bytes, tag)
        .and_then(<[u8]>::first)
        .is_some_and(|byte| byte.is_ascii_whitespace() || *byte == b'>')
}

/// Returns what follows `prefix`, in any case.
fn starts_with<'a>(bytes: &'a [u8], prefix: &[u8]) -> Option<&'a [u8]> {
    let (head, rest) = bytes.split_at_checked(prefix.len())?;
    head.eq_ignore_ascii_case(prefix).then_some(rest)
}

fn find(bytes: &[u8], needle: &[u8]) -> Option<usize> {
    bytes.windows(needle.len()).position(|window| window.eq_ignore_ascii_case(needle))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ContentKind::{Empty, Feed, Html, Other, Pdf, Sitemap, Text};

    #[track_caller]
    fn check(content_type: &str, body: &[u8], expected: ContentKind, fits: bool) {
        let claim = (!content_type.is_empty()).then_some(content_type);
        assert_eq!(
            of(claim, body, Expects::Page, "/"),
            (expected, fits),
            "{content_type} {:?}",
            &body[..body.len().min(30)]
        );
    }

    #[test]
    fn http_18_bytes_decide_what_the_server_got_wrong() {
        check("", b"<!DOCTYPE html><p>x", Html, true);
        check("image/png", b"\n <!doctype HTML><p>x", Html, false);
        check("text/html; charset=;;;", b"hello", Html, true);
        check(&"x".repeat(10_240), b"<p>hello", Html, true);
        check("text/plain", b"<html><p>x", Html, false);
        check("text/plain", b"<p>is a tag", Text, true);
        check("", b"hello\nworld", Text, true);
        check("application/json", b"{\"a\": 1}", Other, true);
        check("application/pdf", b"<html>", Html, false);
        check("text/html", b"%PDF-1.7\n", Pdf, false);
        check("", b"", Empty, true);
    }

    #[test]
    fn http_19_a_stream_of_bytes_is_a_page_only_if_it_looks_like_one() {
        check("application/octet-stream", b"<html><p>x", Html, true);
        check("application/octet-stream", b"\x7FELF\x01", Other, true);
        check("application/octet-stream", b"\x01\x02\x03\x04\x05\x06", Other, true);
    }

    #[test]
    fn htm_20_what_is_no_text_is_not_read() {
        check("text/html", b"\x89PNG\r\n\x1A\n....", Other, false);
        check("text/html", b"PK\x03\x04....", Other, false);
        check("text/html", b"\x00asm\x01\x00\x00\x00", Other, false);
        let random: Vec<u8> =
            (0..2_000_u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
        check("text/html", &random, Other, false);
    }

    #[test]
    fn a_stray_control_byte_does_not_hide_a_page() {
        check("text/html", b"hello \x01 world, this is a page of text", Html, true);
    }

    #[test]
    fn xml_is_a_page_only_with_an_html_root() {
        check("", b"<?xml version='1.0'?><html xmlns='x'>", Html, true);
        check("text/xml", b"<?xml version='1.0'?><svg>", Other, true);
        check("application/xhtml+xml", b"<?xml version='1.0'?><!-- long -->", Html, true);
    }

    #[test]
    fn wide_characters_are_text() {
        let wide: Vec<u8> = "<html><p>hello".bytes().flat_map(|byte| [byte, 0]).collect();
        check("text/html", &wide, Html, true);
    }

    #[test]
    fn smp_10_lists_are_told_by_their_first_element() {
        check("text/xml", b"<?xml version='1.0'?><urlset xmlns='x'>", Sitemap, true);
        check("application/xml", b"<sitemapindex/>", Sitemap, true);
        check("", b"\xEF\xBB\xBF\n <?xml version='1.0'?><!-- c --><?x?><s:urlset>", Sitemap, true);
        check("text/html", b"<?xml version='1.0'?><urlset>", Sitemap, false);
        check("text/plain", b"<urlset>", Sitemap, false);
        check(
            "application/rss+xml",
            b"<!DOCTYPE rss PUBLIC 'x' 'y'><rss version='0.91'>",
            Feed,
            true,
        );
        check("", b"<feed xmlns=\"http://www.w3.org/2005/Atom\">", Feed, true);
        check("", b"<feed version='0.3'>", Feed, true);
        check("", b"<rdf:RDF xmlns:rdf='r' xmlns='http://purl.org/rss/1.0/'>", Feed, true);
    }

    #[test]
    fn smp_10_what_only_resembles_a_list_is_none() {
        check("application/xml", b"<feed xmlns='http://shop.example/goods'>", Other, true);
        check("application/rdf+xml", b"<rdf:RDF xmlns='http://xmlns.com/foaf/0.1/'>", Other, true);
        check("text/plain", b"write <urlset> first", Text, true);
        check("", b"<!doctype html><p>&lt;rss&gt;<rss>", Html, true);
        check("text/html", b"<p>see<rss>", Html, true);
        check("", b"http://a.example/\nhttp://a.example/2\n", Text, true);
        check("text/html", b"</urlset>", Html, true);
    }

    #[track_caller]
    fn check_expected(content_type: &str, body: &[u8], expected: ContentKind, fits: bool) {
        let found = of(Some(content_type), body, Expects::Sitemap, "/");
        assert_eq!(found, (expected, fits), "{content_type}");
    }

    #[test]
    fn smp_10_where_a_sitemap_is_expected_lines_of_urls_are_one() {
        check_expected("text/plain", b"http://a.example/\n\nhttps://a.example/2", Sitemap, true);
        check_expected("text/html", b"HTTP://a.example/\r\nhttp://a.example/2", Sitemap, true);
        check_expected(
            "text/plain",
            b"# ours\nhttp://a.example/\nhttp://a.example/2",
            Sitemap,
            true,
        );
        check_expected("text/plain", b"User-agent: *\nSitemap: http://a.example/", Text, true);
        check_expected("text/html", b"<!doctype html><title>not found</title>", Html, true);
        check_expected("text/xml", b"<rss>", Feed, true);
    }
}
