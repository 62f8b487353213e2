//! From bytes to text, as browsers choose the character set: BOM, header, `<meta>`, bytes.
//!
//! Sitemaps and feeds have their XML declaration in place of `<meta>`; what is UTF-8 throughout is
//! read as such, whatever is declared (SMP-09).
//!
//! A `<meta>` after the first 1,024 bytes is not looked at (CHR-06): valid UTF-8 is then read as
//! such, everything else by detection.

use std::borrow::Cow;

use base::ContentKind;
use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{
    Encoding, ISO_2022_JP, KOI8_R, KOI8_U, REPLACEMENT, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1251,
    WINDOWS_1252, X_MAC_CYRILLIC, X_USER_DEFINED,
};

mod escapes;
mod language;
mod wide;

pub(crate) use wide::Utf32;

use crate::Input;
use crate::bytes::{Attributes, next_tag};

/// Bytes in which `<meta>` may name the character set.
const META_BYTES: usize = 1_024;
/// Bytes that the detector sees: its cost is high, and more does not make it surer.
const DETECT_BYTES: usize = 64 * 1024;

pub(crate) struct Decoded<'a> {
    pub(crate) text: Cow<'a, str>,
    /// Name of the character set.
    pub(crate) charset: &'static str,
    pub(crate) has_errors: bool,
}

/// Decodes a body; bytes that the character set does not know become U+FFFD.
pub(crate) fn decode<'a>(input: &Input<'_>, kind: ContentKind, body: &'a [u8]) -> Decoded<'a> {
    if let Some((order, mark)) = Utf32::of(body) {
        let (text, has_errors) = order.decode(&body[mark..]);
        return Decoded { text: Cow::Owned(text), charset: order.name(), has_errors };
    }
    if let Some((encoding, bom)) = Encoding::for_bom(body) {
        return decode_in(encoding, &body[bom..]);
    }
    if let Some(encoding) = utf16_without_bom(body) {
        return decode_in(encoding, body);
    }
    let is_list = matches!(kind, ContentKind::Sitemap | ContentKind::Feed);
    if is_list && !body.is_ascii() && is_utf8(body) {
        return decode_in(UTF_8, body);
    }
    let declared = input.content_type.and_then(of_content_type);
    let head = &body[..body.len().min(META_BYTES)];
    let declared = declared.or_else(|| match kind {
        ContentKind::Html => of_meta(head),
        _ if is_list => of_declaration(head),
        _ => None,
    });
    let encoding = declared.unwrap_or_else(|| detect(input, body));
    let decoded = decode_in(encoding, body);
    // A server that says UTF-8 of everything (CHR-01): when most of what is not ASCII is broken,
    // the bytes are asked after all.
    if encoding == UTF_8 && decoded.has_errors && !is_utf8(body) && is_mostly_broken(&decoded.text)
    {
        let mut again = decode_in(detect_legacy(input, body), body);
        again.has_errors = true;
        return again;
    }
    decoded
}

fn decode_in<'a>(encoding: &'static Encoding, body: &'a [u8]) -> Decoded<'a> {
    let (text, has_errors) = encoding.decode_without_bom_handling(body);
    Decoded { text, charset: encoding.name(), has_errors }
}

fn detect(input: &Input<'_>, body: &[u8]) -> &'static Encoding {
    if !is_utf8(body) {
        return detect_legacy(input, body);
    }
    if escapes::is_japanese(body) { ISO_2022_JP } else { UTF_8 }
}

/// Returns whether the body is UTF-8, but perhaps cut in the middle of its last character.
fn is_utf8(body: &[u8]) -> bool {
    std::str::from_utf8(body).map_or_else(|error| error.error_len().is_none(), |_| true)
}

fn detect_legacy(input: &Input<'_>, body: &[u8]) -> &'static Encoding {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(&body[..body.len().min(DETECT_BYTES)], true);
    let host = input.url.host();
    let domain = host.as_str().rsplit('.').next().filter(|_| host.address().is_none());
    let domain = language::domain(body).or(domain);
    let guess = detector.guess(domain.map(str::as_bytes), Utf8Detection::Deny);
    if is_mac_cyrillic(guess, body) { X_MAC_CYRILLIC } else { guess }
}

/// Returns whether a text that was taken for `guess` is Cyrillic of an old Mac, which browsers read
/// but do not look for. Windows and Mac have the small letters in one place but for `я`, which is
/// 0xDF there and 0xFF on Windows, where 0xDF is the capital and never stands behind a small letter.
///
/// The detector knows Mac letters of no kind and takes them for what is nearest: Windows, of whose
/// capitals there must be few, KOI8, whose small letters are signs there, or Western, of which no
/// three accented letters stand in a row.
fn is_mac_cyrillic(guess: &'static Encoding, body: &[u8]) -> bool {
    let is_near = [WINDOWS_1251, WINDOWS_1252, KOI8_R, KOI8_U].contains(&guess);
    let head = &body[..body.len().min(DETECT_BYTES)];
    let (mut mac, mut windows) = (0, 0);
    for pair in head.windows(2).filter(|pair| (0xE0..=0xFE).contains(&pair[0])) {
        match pair[1] {
            0xDF => mac += 1,
            0xFF => windows += 1,
            _ => {}
        }
    }
    let is_letter = |byte: &u8| matches!(byte, 0x80..=0x9F | 0xDF..=0xFE);
    let words = head.split(|byte| !is_letter(byte)).filter(|run| run.len() >= 3);
    let in_words: usize = words.map(<[u8]>::len).sum();
    let signs = head.iter().filter(|byte| matches!(byte, 0xA0..=0xDE | 0xFF)).count();
    is_near && mac >= 3 && mac > 4 * windows && (guess == WINDOWS_1251 || in_words > 10 * signs)
}

fn is_mostly_broken(text: &str) -> bool {
    let (mut broken, mut whole) = (0_usize, 0_usize);
    for character in text.chars().filter(|character| !character.is_ascii()) {
        if character == char::REPLACEMENT_CHARACTER {
            broken += 1;
        } else {
            whole += 1;
        }
    }
    broken > whole
}

/// Returns the character set that a `Content-Type` names.
fn of_content_type(content_type: &str) -> Option<&'static Encoding> {
    label(after_charset(content_type)?)
}

/// Returns what stands after `charset=`, without quotes.
fn after_charset(text: &str) -> Option<&str> {
    let lower = text.to_ascii_lowercase();
    let mut from = 0;
    loop {
        let start = from + lower[from..].find("charset")? + "charset".len();
        let rest = text[start..].trim_ascii_start();
        if let Some(value) = rest.strip_prefix('=') {
            let value = value.trim_ascii_start();
            let quoted = value.strip_prefix(['"', '\'']).unwrap_or(value);
            return quoted.split(['"', '\'', ';', ' ', '\t']).next();
        }
        from = start;
    }
}

fn label(name: &str) -> Option<&'static Encoding> {
    let encoding = Encoding::for_label(name.as_bytes())?;
    // The replacement encoding would hide the whole page.
    (encoding != REPLACEMENT).then_some(encoding)
}

/// Returns the character set that a `<meta>` in the first bytes of a page names.
fn of_meta(bytes: &[u8]) -> Option<&'static Encoding> {
    let mut from = 0;
    while let Some((start, behind_name)) = next_tag(bytes, from) {
        let is_meta = bytes[start + 1..behind_name].eq_ignore_ascii_case(b"meta");
        let mut attributes = Attributes::new(bytes, behind_name);
        let mut charset = None;
        let mut content = None;
        let mut is_content_type = false;
        for attribute in &mut attributes {
            let name = &bytes[attribute.name.0..attribute.name.1];
            let value = &bytes[attribute.value.0..attribute.value.1];
            let Ok(value) = std::str::from_utf8(value) else { continue };
            if name.eq_ignore_ascii_case(b"charset") {
                charset = Some(value.trim());
            } else if name.eq_ignore_ascii_case(b"content") {
                content = after_charset(value);
            } else if name.eq_ignore_ascii_case(b"http-equiv") {
                is_content_type = value.trim().eq_ignore_ascii_case("content-type");
            }
        }
        from = attributes.place();
        let named = charset.or(content.filter(|_| is_content_type));
        if is_meta && let Some(encoding) = named.and_then(label) {
            return Some(narrow(encoding));
        }
    }
    None
}

/// Returns what is meant: bytes that could be read as ASCII up to the name of the character set
/// are not UTF-16, whatever they say.
fn narrow(encoding: &'static Encoding) -> &'static Encoding {
    match encoding {
        _ if encoding == UTF_16LE || encoding == UTF_16BE => UTF_8,
        _ if encoding == X_USER_DEFINED => WINDOWS_1252,
        _ => encoding,
    }
}

/// Returns the character set that an XML declaration in the first bytes of a list names.
fn of_declaration(bytes: &[u8]) -> Option<&'static Encoding> {
    let declaration = bytes.trim_ascii_start().strip_prefix(b"<?xml")?;
    let end = declaration.iter().position(|byte| *byte == b'>')?;
    let text = std::str::from_utf8(&declaration[..end]).ok()?;
    let (_, behind) = text.split_once("encoding")?;
    let value = behind.trim_ascii_start().strip_prefix('=')?.trim_ascii_start();
    let quoted = value.strip_prefix(['"', '\''])?;
    quoted.split(['"', '\'']).next().and_then(label).map(narrow)
}

/// Returns UTF-16 if every second byte at the start is NUL and the others are not (CHR-04).
pub(crate) fn utf16_without_bom(body: &[u8]) -> Option<&'static Encoding> {
    let head = &body[..body.len().min(512)];
    let pairs = head.len() / 2;
    if pairs < 8 {
        return None;
    }
    let nul = |offset: usize| head.chunks_exact(2).filter(|pair| pair[offset] == 0).count();
    let (first, second) = (nul(0), nul(1));
    if first == 0 && second * 10 >= pairs * 7 {
        Some(UTF_16LE)
    } else if second == 0 && first * 10 >= pairs * 7 {
        Some(UTF_16BE)
    } else {
        None
    }
}
