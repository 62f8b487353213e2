//! Addresses in simple JavaScript (C8): `window.open("…")`, `location = "…"` and its kin.
//!
//! Nothing is run. Only a whole string literal counts: what is put together from pieces would be
//! a guess. An address in a comment is taken too; it costs one look.

use std::borrow::Cow;

use base::limits::URL_BYTES;
use memchr::memmem;

/// Places looked at in one script; each may cost as much as an address is long.
const MOST: usize = 10_000;

/// Calls `take` with each address that a script sends its visitor to. Cost: linear in the text.
pub(crate) fn targets(code: &str, mut take: impl FnMut(&str)) {
    let bytes = code.as_bytes();
    for place in memmem::find_iter(bytes, b"location").take(MOST) {
        if is_own_location(bytes, place)
            && let Some(target) = assigned(code, place + "location".len())
        {
            take(&target);
        }
    }
    for place in memmem::find_iter(bytes, b"window.open").take(MOST) {
        let rest = skip_space(bytes, place + "window.open".len());
        if bytes.get(rest) == Some(&b'(')
            && let Some(target) = literal(code, rest + 1)
        {
            take(&target);
        }
    }
}

/// Returns the code of an address that is a script: `javascript:f()`.
pub(crate) fn in_address(href: &str) -> Option<&str> {
    let href = href.trim_start();
    let scheme = href.get(.."javascript:".len())?;
    scheme.eq_ignore_ascii_case("javascript:").then(|| &href[scheme.len()..])
}

/// Returns whether `location` at a place is the window's, not a part of another name or object.
fn is_own_location(bytes: &[u8], place: usize) -> bool {
    let before = &bytes[..place];
    let Some((last, owner)) = before.split_last() else { return true };
    if *last != b'.' {
        return !is_name(*last) && !matches!(last, b'-' | b'"' | b'\'');
    }
    let start = owner.iter().rposition(|byte| !is_name(*byte)).map_or(0, |at| at + 1);
    let owners: [&[u8]; 5] = [b"window", b"document", b"self", b"top", b"parent"];
    owners.contains(&&owner[start..])
}

/// Reads what follows `location`: `= "…"`, `.href = "…"`, `.replace("…")`, `.assign("…")`.
fn assigned(code: &str, place: usize) -> Option<Cow<'_, str>> {
    let bytes = code.as_bytes();
    let rest = &bytes[place..];
    for call in [".replace", ".assign"] {
        if rest.starts_with(call.as_bytes()) {
            let open = skip_space(bytes, place + call.len());
            return (bytes.get(open) == Some(&b'(')).then(|| literal(code, open + 1))?;
        }
    }
    let behind = if rest.starts_with(b".href") { place + ".href".len() } else { place };
    let sign = skip_space(bytes, behind);
    if bytes.get(sign) != Some(&b'=') || bytes.get(sign + 1) == Some(&b'=') {
        return None;
    }
    literal(code, sign + 1)
}

/// Reads a string literal that is a whole expression.
fn literal(code: &str, place: usize) -> Option<Cow<'_, str>> {
    let bytes = code.as_bytes();
    let start = skip_space(bytes, place) + 1;
    let quote = *bytes.get(start - 1)?;
    if !matches!(quote, b'"' | b'\'' | b'`') {
        return None;
    }
    let inside = bytes.get(start..)?;
    let mut is_escaped = false;
    let length = inside.iter().take(URL_BYTES).position(|byte| {
        let ends = *byte == quote && !is_escaped;
        is_escaped = *byte == b'\\' && !is_escaped;
        ends
    })?;
    let text = code.get(start..start + length)?;
    let behind = skip_space(bytes, start + length + 1);
    let goes_on = bytes.get(behind).is_some_and(|byte| b"+.?[|&-*".contains(byte));
    if goes_on || text.contains(|c: char| c.is_whitespace() || c.is_control()) {
        return None;
    }
    if quote == b'`' && text.contains("${") {
        return None;
    }
    if text.contains('\\') { unescaped(text).map(Cow::Owned) } else { Some(Cow::Borrowed(text)) }
}

/// Undoes `\/`, `\x2f` and `\u002f`; other escapes do not stand in addresses.
fn unescaped(text: &str) -> Option<String> {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(place) = rest.find('\\') {
        out.push_str(&rest[..place]);
        rest = &rest[place + 1..];
        let digits = match rest.as_bytes().first()? {
            b'/' | b'\'' | b'"' | b'`' | b'\\' => {
                out.push_str(&rest[..1]);
                rest = &rest[1..];
                continue;
            }
            b'x' => 2,
            b'u' => 4,
            _ => return None,
        };
        let code = u32::from_str_radix(rest.get(1..1 + digits)?, 16).ok()?;
        out.push(char::from_u32(code).filter(|c| !c.is_control())?);
        rest = &rest[1 + digits..];
    }
    out.push_str(rest);
    Some(out)
}

fn skip_space(bytes: &[u8], place: usize) -> usize {
    let rest = bytes.get(place..).unwrap_or_default();
    place + rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count()
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$') || !byte.is_ascii()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(code: &str, expected: &[&str]) {
        let mut found = Vec::new();
        targets(code, |target| found.push(target.to_owned()));
        assert_eq!(found, expected, "{}", base::limits::cut(code, 200));
    }

    #[test]
    fn simple_forms_are_read() {
        check("location='a.html'", &["a.html"]);
        check("location.href = \"/a\";", &["/a"]);
        check("window.location = '/a'; return false", &["/a"]);
        check("top.location.replace('/a')", &["/a"]);
        check("document.location.assign( `/a` )", &["/a"]);
        check("window.open('/a', '_blank', 'width=1')", &["/a"]);
        check("if (x) { location = '/a' } else location.href='/b'\nf()", &["/a", "/b"]);
        check(r"location='http:\/\/b.example\/\x63\u0064'", &["http://b.example/cd"]);
    }

    #[test]
    fn what_would_have_to_be_run_is_no_address() {
        check("location = base + '/a'", &[]);
        check("location = '/a' + id", &[]);
        check("location == '/a'", &[]);
        check("if (location.href === '/a') x()", &[]);
        check("window.open(url)", &[]);
        check("xhr.open('GET', '/a')", &[]);
        check("map.location = '/a'", &[]);
        check("geolocation = '/a'", &[]);
        check("location.hash = 'a'", &[]);
        check("location = `/a/${id}`", &[]);
        check("location = 'two words'", &[]);
        check("location = '/a'.concat(b)", &[]);
        check("location = c ? '/a' : '/b'", &[]);
    }

    #[test]
    fn broken_scripts_end() {
        for code in
            ["location", "location=", "location='", "location='\\", "window.open(", "location='\\u"]
        {
            check(code, &[]);
        }
        check(&"location=\"".repeat(10_000).replace("\"l", "l"), &[]);
        check(&format!("location='{}'", "x".repeat(100_000)), &[]);
        check("location='ä'; größelocation='/a'; location\u{a0}='/b'", &["ä"]);
    }
}
