//! Characters written as `&amp;`, `&#8212;` or `&#x2014;`.

use html5ever::data::{C1_REPLACEMENTS, NAMED_ENTITIES};

/// Where a reference stands. In values an old habit counts: `?a=1&copy=2` has no sign of copyright.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Text,
    Value,
}

/// Adds what the reference at an `&` stands for, or the `&` itself if it is none; returns the place
/// behind it.
pub(super) fn resolve(text: &str, at: usize, place: Place, out: &mut String) -> usize {
    let rest = &text[at + 1..];
    let found = match rest.as_bytes().first() {
        Some(b'#') => numeric(&rest[1..], out).map(|length| 1 + length),
        Some(first) if first.is_ascii_alphanumeric() => named(rest, place, out),
        _ => None,
    };
    match found {
        Some(length) => at + 1 + length,
        None => {
            out.push('&');
            at + 1
        }
    }
}

/// Adds a character by its number; returns how long that is, if it is one.
fn numeric(rest: &str, out: &mut String) -> Option<usize> {
    let is_hex = matches!(rest.as_bytes().first(), Some(b'x' | b'X'));
    let (base, start) = if is_hex { (16, 1) } else { (10, 0) };
    let digits = rest[start..].chars().map_while(|digit| digit.to_digit(base));
    let (mut number, mut length) = (0_u32, start);
    for digit in digits {
        number = number.saturating_mul(base).saturating_add(digit);
        length += 1;
    }
    if length == start {
        return None;
    }
    let replaced = number.checked_sub(0x80).and_then(|place| C1_REPLACEMENTS.get(place as usize));
    out.push(match (number, replaced) {
        (0, _) => '\u{FFFD}',
        (_, Some(Some(character))) => *character,
        _ => char::from_u32(number).unwrap_or('\u{FFFD}'),
    });
    Some(length + usize::from(rest.as_bytes().get(length) == Some(&b';')))
}

/// Adds a character by its name; returns how long that is, if there is one.
fn named(rest: &str, place: Place, out: &mut String) -> Option<usize> {
    // Nearly all that are written.
    for (name, character) in
        [("amp;", '&'), ("quot;", '"'), ("nbsp;", '\u{A0}'), ("lt;", '<'), ("gt;", '>')]
    {
        if rest.starts_with(name) {
            out.push(character);
            return Some(name.len());
        }
    }
    let bytes = rest.as_bytes();
    let mut longest = None;
    // Beginnings of names are in the table too, as names of nothing.
    for length in 1..=bytes.len() {
        let is_part = bytes[length - 1].is_ascii_alphanumeric() || bytes[length - 1] == b';';
        let Some(found) = NAMED_ENTITIES.get(&rest[..length]).filter(|_| is_part) else { break };
        if found.0 != 0 {
            longest = Some((length, *found));
        }
        if bytes.get(length).is_some_and(|byte| !byte.is_ascii()) {
            break;
        }
    }
    let (length, (first, second)) = longest?;
    let next = bytes.get(length);
    let goes_on = next.is_some_and(|byte| *byte == b'=' || byte.is_ascii_alphanumeric());
    if place == Place::Value && bytes[length - 1] != b';' && goes_on {
        return None;
    }
    out.extend([first, second].into_iter().filter(|code| *code != 0).filter_map(char::from_u32));
    Some(length)
}
