//! Addresses written out in a text: `see http://a.example/x (or www.b.example).`
//!
//! Found by pattern: a scheme or `www.`, then a host with a dot in it, then whatever may stand in
//! an address. Punctuation of the sentence around it is left out, and so is an address that the
//! text itself cuts off with dots.

use std::borrow::Cow;

use base::limits::URL_BYTES;
use base::{Block, Span};

use super::Collector;

/// An address that stands in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mention<'a> {
    /// First byte of it in the text.
    pub start: usize,
    /// Byte behind the last.
    pub end: usize,
    /// The address, with a scheme; not yet canonical, and maybe none at all.
    pub address: Cow<'a, str>,
}

/// Returns the addresses written out in a text, in order. Cost: linear in the text.
pub fn mentions(text: &str) -> impl Iterator<Item = Mention<'_>> {
    let mut from = 0;
    std::iter::from_fn(move || {
        while let Some(start) = next_start(text, &mut from) {
            let end = start + length(&text[start..]);
            from = from.max(end);
            if is_address(&text[start..end]) && !is_cut_off(&text[end..]) {
                return Some(Mention { start, end, address: with_scheme(&text[start..end]) });
            }
        }
        None
    })
}

/// Addresses taken from the text of one page.
const MOST: usize = 500;

/// Takes the addresses that stand in the text of a page.
pub(crate) fn collect(blocks: &[Block], links: &mut Collector) {
    let found = (0..)
        .zip(blocks)
        .flat_map(|(number, block)| mentions(&block.text).map(move |mention| (number, mention)));
    for (block, mention) in found.take(MOST) {
        let ends = (u32::try_from(mention.start), u32::try_from(mention.end));
        let (Ok(start), Ok(end)) = ends else { continue };
        links.mention(&mention.address, Span { block, start, end });
    }
}

/// Finds where the next address may begin; `from` moves behind its `://` or `www.`.
fn next_start(text: &str, from: &mut usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let first = *from;
    while let Some(found) = memchr::memchr2(b':', b'.', &bytes[*from..]) {
        let place = *from + found;
        *from = place + 1;
        let before = &bytes[first..place];
        let head = if bytes[place] == b'.' {
            ends_with(before, b"www")
        } else if bytes[place..].starts_with(b"://") {
            ends_with(before, b"https").or(ends_with(before, b"http"))
        } else {
            None
        };
        let Some(head) = head else { continue };
        let start = place - head;
        let touches = text[..start].chars().next_back().is_some_and(|character| {
            is_spaced_letter(character) || matches!(character, '.' | '@' | '/' | '-' | '_')
        });
        if !touches {
            return Some(start);
        }
    }
    *from = bytes.len();
    None
}

fn ends_with(bytes: &[u8], word: &[u8]) -> Option<usize> {
    let start = bytes.len().checked_sub(word.len())?;
    bytes[start..].eq_ignore_ascii_case(word).then_some(word.len())
}

/// Returns how long the address at the beginning of a text is.
fn length(text: &str) -> usize {
    let stops = |character: char| {
        character.is_whitespace()
            || character.is_control()
            || matches!(character, '<' | '>' | '"' | '{' | '}' | '|' | '\\' | '^' | '`')
            // Scripts without spaces go on right behind an address; their letters are percent
            // signs in it.
            || !character.is_ascii() && !is_spaced_letter(character)
    };
    let text = base::limits::cut(text, 2 * URL_BYTES);
    let mut address = &text[..text.find(stops).unwrap_or(text.len())];
    let opened = address.bytes().filter(|byte| *byte == b'(').count();
    let mut closed = address.bytes().filter(|byte| *byte == b')').count();
    loop {
        let Some(last) = address.bytes().next_back() else { return 0 };
        match last {
            b')' if closed > opened => closed -= 1,
            b'.' | b',' | b';' | b':' | b'!' | b'?' | b'\'' | b'*' | b'_' | b'[' | b']' | b'('
            | b'~' => {}
            _ => return address.len(),
        }
        address = &address[..address.len() - 1];
    }
}

/// Letters of scripts that put spaces between words.
fn is_spaced_letter(character: char) -> bool {
    character.is_alphanumeric() && !text::is_unspaced(character)
}

/// Returns whether a text has a host with a dot, and letters behind the last one.
fn is_address(text: &str) -> bool {
    let behind = text.find("://").map_or(text, |place| &text[place + 3..]);
    let host = behind.split(['/', '?', '#', ':']).next().unwrap_or_default();
    let Some((name, top)) = host.rsplit_once('.') else { return false };
    !name.is_empty()
        && !name.eq_ignore_ascii_case("www")
        && !host.contains(['@', '(', ')', ',', ';', '\'', '*', '='])
        && top.chars().count() >= 2
        && (top.chars().all(char::is_alphabetic) || top.starts_with("xn--"))
}

/// Returns whether what follows an address says that there was more of it.
fn is_cut_off(behind: &str) -> bool {
    behind.starts_with("...") || behind.starts_with('…')
}

fn with_scheme(text: &str) -> Cow<'_, str> {
    if text.contains("://") && !text[..4].eq_ignore_ascii_case("www.") {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(format!("http://{text}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let found: Vec<_> = mentions(text).collect();
        let addresses: Vec<_> = found.iter().map(|mention| &*mention.address).collect();
        assert_eq!(addresses, expected, "{text}");
        for mention in found {
            assert!(mention.address.ends_with(&text[mention.start..mention.end]));
        }
    }

    #[test]
    fn addresses_are_found_without_the_sentence_around_them() {
        check("See http://a.example/x.", &["http://a.example/x"]);
        check(
            "(HTTPS://a.example/x?y=z#w), or www.b.example!",
            &["HTTPS://a.example/x?y=z#w", "http://www.b.example"],
        );
        check(
            "<http://a.example/>,\"http://b.example\"",
            &["http://a.example/", "http://b.example"],
        );
        check(
            "http://a.example/wiki/Rust_(language) and (http://b.example/x)",
            &["http://a.example/wiki/Rust_(language)", "http://b.example/x"],
        );
        check("WWW.A.EXAMPLE:8080/x", &["http://WWW.A.EXAMPLE:8080/x"]);
        check("http://bücher.example/größe", &["http://bücher.example/größe"]);
        check("http://a.example/?u=http://b.example/", &["http://a.example/?u=http://b.example/"]);
    }

    #[test]
    fn scripts_without_spaces_end_an_address() {
        check("詳しくはhttps://a.example/xを参照。", &["https://a.example/x"]);
        check("请看www.a.example。", &["http://www.a.example"]);
        check("（http://a.example/）", &["http://a.example/"]);
    }

    #[test]
    fn what_is_no_address_of_the_web_is_left() {
        check("http:// and www. and http://localhost/x and http://x", &[]);
        check("mailto:a@b.example ftp://a.example/ javascript://a.example/", &[]);
        check("xhttp://a.example awww.b.example me@www.c.example", &[]);
        check("http://127.0.0.1/x http://1.2.3/", &[]);
        check("www.python", &[]);
        check("http://a.example/long... http://b.example/pa…", &[]);
        check("http://user@a.example/", &[]);
    }

    #[test]
    fn htm_08_long_texts_are_read_once() {
        assert!(mentions(&"www.".repeat(100_000)).count() < 100);
        assert_eq!(mentions(&"http://".repeat(100_000)).count(), 0);
        assert_eq!(mentions(&"http://a.example/) ".repeat(10_000)).count(), 10_000);
        assert_eq!(mentions(&")".repeat(100_000)).count(), 0);
    }
}
