//! The lines of a robots.txt: cut apart, decoded, and read as field and value.
//!
//! Each line stands for itself: one that makes no sense is passed over and the next is tried
//! (R44). So a page of HTML, a picture or a line of ten megabytes is a file without rules.

use std::borrow::Cow;

/// A field that means something to us.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Field {
    UserAgent,
    Allow,
    Disallow,
    CrawlDelay,
    Sitemap,
}

/// Names of the fields, with misspellings that real files have (R33).
const NAMES: [(&str, Field); 18] = [
    ("disallow", Field::Disallow),
    ("allow", Field::Allow),
    ("user-agent", Field::UserAgent),
    ("crawl-delay", Field::CrawlDelay),
    ("sitemap", Field::Sitemap),
    ("useragent", Field::UserAgent),
    ("user agent", Field::UserAgent),
    ("user_agent", Field::UserAgent),
    ("users-agent", Field::UserAgent),
    ("dissallow", Field::Disallow),
    ("dissalow", Field::Disallow),
    ("disalow", Field::Disallow),
    ("diasllow", Field::Disallow),
    ("disallaw", Field::Disallow),
    ("desallow", Field::Disallow),
    ("crawldelay", Field::CrawlDelay),
    ("crawl delay", Field::CrawlDelay),
    ("site-map", Field::Sitemap),
];

/// Returns the file as octets of an ASCII-compatible encoding, without its byte-order mark.
///
/// UTF-16 is decoded: read as octets it would be a file without a single rule, and its owner
/// meant it to have some. Anything else is taken as it is (R26): octets that are not UTF-8 meet
/// the same octets, percent-encoded, in a URL.
pub(super) fn octets(file: &[u8]) -> Cow<'_, [u8]> {
    let (wide, big) = match file {
        [0xEF, 0xBB, 0xBF, rest @ ..] => return Cow::Borrowed(rest),
        [0xFE, 0xFF, rest @ ..] => (rest, true),
        [0xFF, 0xFE, rest @ ..] => (rest, false),
        [0, 1..=127, 0, 1..=127, ..] => (file, true),
        [1..=127, 0, 1..=127, 0, ..] => (file, false),
        _ => return Cow::Borrowed(file),
    };
    let units = wide.as_chunks::<2>().0.iter().map(|pair| match big {
        true => u16::from_be_bytes(*pair),
        false => u16::from_le_bytes(*pair),
    });
    let text: String =
        char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect();
    Cow::Owned(text.into_bytes())
}

/// Returns the lines with their numbers, from 1; they end with LF, CR LF or CR (R02).
pub(super) fn numbered(file: &[u8]) -> impl Iterator<Item = (u32, &[u8])> {
    let lines = file.split_inclusive(|byte| *byte == b'\n').flat_map(|line| {
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        line.strip_suffix(b"\r").unwrap_or(line).split(|byte| *byte == b'\r')
    });
    (1..).zip(lines)
}

/// Splits a line into a field we know and its value, without comment and blanks.
pub(super) fn field(line: &[u8]) -> Option<(Field, &[u8])> {
    let line = line.split(|byte| *byte == b'#').next()?.trim_ascii();
    // No path or token has control characters in it (R48).
    if line.iter().any(|byte| byte.is_ascii_control() && *byte != b'\t') {
        return None;
    }
    let colon = line.iter().position(|byte| *byte == b':');
    if let Some(colon) = colon
        && let Some(field) = named(line[..colon].trim_ascii())
    {
        return Some((field, line[colon + 1..].trim_ascii()));
    }
    // A forgotten colon: only where nothing but a name and one word stand on the line, so that
    // prose is not taken for rules.
    let blank = line.iter().position(u8::is_ascii_whitespace)?;
    let value = line[blank..].trim_ascii();
    if value.iter().any(u8::is_ascii_whitespace) {
        return None;
    }
    Some((named(&line[..blank])?, value))
}

fn named(name: &[u8]) -> Option<Field> {
    let found = NAMES.iter().find(|(known, _)| name.eq_ignore_ascii_case(known.as_bytes()));
    found.map(|(_, field)| *field)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(line: &str, expected: Option<(Field, &str)>) {
        let expected = expected.map(|(field, value)| (field, value.as_bytes()));
        assert_eq!(field(line.as_bytes()), expected, "{line:?}");
    }

    #[test]
    fn a_forgotten_colon_is_understood_where_one_word_follows() {
        check("Disallow /a", Some((Field::Disallow, "/a")));
        check("Disallow /a:b", Some((Field::Disallow, "/a:b")));
        check("disallow everything here", None);
        check("Disallow", None);
    }

    #[test]
    fn numbers_count_every_kind_of_line_end_once() {
        let lines: Vec<(u32, &[u8])> = numbered(b"a\r\nb\rc\n\nd\r\re").collect();
        let expected: [(u32, &[u8]); 7] =
            [(1, b"a"), (2, b"b"), (3, b"c"), (4, b""), (5, b"d"), (6, b""), (7, b"e")];
        assert_eq!(lines, expected);
    }

    #[test]
    fn utf_16_is_read_with_and_without_its_mark() {
        for mark in ["", "\u{feff}"] {
            let text = format!("{mark}Disallow: /ü");
            let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
            let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
            assert_eq!(&*octets(&big), "Disallow: /ü".as_bytes());
            assert_eq!(&*octets(&little), "Disallow: /ü".as_bytes());
        }
        assert_eq!(&*octets(b"\xFF\xFE"), b"");
        assert_eq!(&*octets(b"a"), b"a");
    }
}
