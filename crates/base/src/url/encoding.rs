//! Percent-encoding: one spelling of each octet (URL-09, URL-19).

use percent_encoding::percent_encode_byte;

use super::Rules;

/// Returns whether a path or query has anything that [`push`] could change.
pub(super) fn is_needed(text: &str) -> bool {
    text.bytes().any(|byte| byte == b'%' || is_unsafe(byte))
}

/// What the URL standard lets through and RFC 3986 does not.
fn is_unsafe(byte: u8) -> bool {
    matches!(byte, b'[' | b']' | b'{' | b'}' | b'|' | b'^' | b'\\' | b'`')
}

/// Appends a text with its octets encoded as `rules` ask.
///
/// A percent sign that encodes nothing (`100%`) is a letter like others, and nothing behind it is
/// decoded that would make an encoding with it: `%%34%31` must not become `%41`, which is `A`.
pub(super) fn push(out: &mut String, text: &str, rules: Rules) {
    let bytes = text.as_bytes();
    let mut stray = None;
    let (mut place, mut copied) = (0, 0);
    while let Some(byte) = bytes.get(place) {
        let is_percent = *byte == b'%';
        if !(is_percent || rules.encode_unsafe && is_unsafe(*byte)) {
            place += 1;
            continue;
        }
        out.push_str(&text[copied..place]);
        let hex = |at: usize| bytes.get(at).and_then(|byte| char::from(*byte).to_digit(16));
        copied = place + 1;
        if !is_percent {
            out.push_str(percent_encode_byte(*byte));
        } else if let (Some(high), Some(low)) = (hex(place + 1), hex(place + 2)) {
            copied = place + 3;
            let octet = (high * 16 + low) as u8;
            if !rules.normal_encoding {
                out.push_str(&text[place..copied]);
            } else if is_unreserved(octet) && !completes(out, stray, octet) {
                out.push(char::from(octet));
            } else {
                out.push_str(percent_encode_byte(octet));
            }
        } else if rules.encode_stray_percent {
            out.push_str(percent_encode_byte(b'%'));
        } else {
            stray = Some(out.len());
            out.push('%');
        }
        place = copied;
    }
    out.push_str(&text[copied..]);
}

fn is_unreserved(octet: u8) -> bool {
    octet.is_ascii_alphanumeric() || b"-._~".contains(&octet)
}

/// Returns whether `octet`, written next, could make an encoding with the last stray percent sign.
fn completes(out: &str, stray: Option<usize>, octet: u8) -> bool {
    octet.is_ascii_hexdigit() && stray.is_some_and(|stray| out.len() - stray <= 2)
}
