//! The little of HTTP that an archive must know: where a head ends, status, fields.
//!
//! Heads come from strangers and are data: nothing here fails.

use std::borrow::Cow;

/// Returns where the body begins: behind the first empty line, or `None` if there is none.
pub(crate) fn head_end(block: &[u8]) -> Option<usize> {
    let mut end = 0;
    for line in block.split_inclusive(|byte| *byte == b'\n') {
        end += line.len();
        if matches!(line, b"\n" | b"\r\n") {
            return Some(end);
        }
    }
    None
}

/// Returns the head as it is archived, ending in its first empty line when that is at its end.
///
/// The body comes without its transfer encoding, so a head that announces one would make other
/// readers take text for chunk sizes: the field gets the name it has at Common Crawl. Lines of
/// blanks only are dropped: some readers take them for the end of the head, others do not.
pub(crate) fn archived_head(head: &[u8]) -> Cow<'_, [u8]> {
    let end = head_end(head);
    let (fields, rest) = head.split_at(end.unwrap_or(head.len()));
    let is_odd = |line: &[u8]| is_blank(line) || names(line, "Transfer-Encoding");
    if end.is_some() && !lines(fields).any(is_odd) {
        return Cow::Borrowed(head);
    }
    let mut out = Vec::with_capacity(head.len() + 64);
    for line in lines(fields) {
        if names(line, "Transfer-Encoding") {
            out.extend_from_slice(b"X-Crawl-");
        }
        if !is_blank(line) {
            out.extend_from_slice(line);
        }
    }
    while head_end(&out).is_none() {
        out.extend_from_slice(b"\r\n");
    }
    out.extend_from_slice(rest);
    Cow::Owned(out)
}

/// Returns the number in the status line.
pub(crate) fn status(head: &[u8]) -> Option<u16> {
    let line = head.split(|byte| *byte == b'\n').next()?;
    let code = line.strip_prefix(b"HTTP/")?.split(|byte| *byte == b' ').nth(1)?.trim_ascii();
    let is_code = code.len() == 3 && code.iter().all(u8::is_ascii_digit);
    if is_code { std::str::from_utf8(code).ok()?.parse().ok() } else { None }
}

/// Returns the first value of a field, without the blanks around it.
pub(crate) fn field<'a>(head: &'a [u8], name: &str) -> Option<&'a [u8]> {
    let fields = &head[..head_end(head).unwrap_or(head.len())];
    let line = lines(fields).skip(1).find(|line| names(line, name))?;
    let colon = line.iter().position(|byte| *byte == b':')?;
    Some(line[colon + 1..].trim_ascii())
}

/// Returns the media type as an index may show it: lower case, without parameters; `unk` if
/// the server gave none or nonsense.
pub(crate) fn mime(head: &[u8]) -> String {
    let value = field(head, "Content-Type").unwrap_or_default();
    let value = value.split(|byte| *byte == b';').next().unwrap_or_default().trim_ascii();
    let is_type = (1..=100).contains(&value.len())
        && value.iter().all(|byte| byte.is_ascii_alphanumeric() || b"/+-.!#$&^_".contains(byte));
    if is_type { String::from_utf8_lossy(value).to_ascii_lowercase() } else { "unk".to_owned() }
}

/// Returns whether a body is compressed already, by its first bytes or by what its head says.
///
/// A lie costs room on the disk and nothing else.
pub(crate) fn is_compressed(head: &[u8], body: &[u8]) -> bool {
    let magics: [&[u8]; 7] = [
        b"\x1f\x8b",
        b"\x28\xb5\x2f\xfd",
        b"PK\x03\x04",
        b"\x89PNG",
        b"\xff\xd8\xff",
        b"GIF8",
        b"wOF2",
    ];
    let encoding = field(head, "Content-Encoding").unwrap_or_default().to_ascii_lowercase();
    matches!(encoding.as_slice(), b"gzip" | b"x-gzip" | b"br" | b"zstd" | b"deflate")
        || magics.iter().any(|magic| body.starts_with(magic))
}

fn lines(fields: &[u8]) -> impl Iterator<Item = &[u8]> {
    fields.split_inclusive(|byte| *byte == b'\n')
}

fn is_blank(line: &[u8]) -> bool {
    !matches!(line, b"\n" | b"\r\n") && line.iter().all(|byte| *byte <= b' ')
}

fn names(line: &[u8], name: &str) -> bool {
    let Some(colon) = line.iter().position(|byte| *byte == b':') else { return false };
    line[..colon].trim_ascii_end().eq_ignore_ascii_case(name.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(head: &str, expected: &str) {
        let archived = archived_head(head.as_bytes());
        assert_eq!(String::from_utf8_lossy(&archived), expected);
        assert!(head_end(&archived).is_some());
    }

    #[test]
    fn a_plain_head_is_kept() {
        check("HTTP/1.1 200 OK\r\na: b\r\n\r\n", "HTTP/1.1 200 OK\r\na: b\r\n\r\n");
        check("HTTP/1.1 200 OK\na: b\n\n", "HTTP/1.1 200 OK\na: b\n\n");
    }

    #[test]
    fn transfer_encodings_are_renamed() {
        check(
            "HTTP/1.1 200 OK\r\ntransfer-encoding : chunked\r\n\r\n",
            "HTTP/1.1 200 OK\r\nX-Crawl-transfer-encoding : chunked\r\n\r\n",
        );
    }

    #[test]
    fn an_unfinished_head_is_finished() {
        check("HTTP/1.1 200 OK", "HTTP/1.1 200 OK\r\n\r\n");
        check("HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\n\r\n");
        check("", "\r\n");
    }

    #[test]
    fn blank_lines_do_not_end_a_head() {
        check("HTTP/1.1 200 OK\r\n \t\r\na: b\r\n\r\n", "HTTP/1.1 200 OK\r\na: b\r\n\r\n");
    }

    #[test]
    fn what_follows_an_early_end_is_body() {
        check(
            "HTTP/1.1 200 OK\r\n\r\nTransfer-Encoding: x\r\n\r\n",
            "HTTP/1.1 200 OK\r\n\r\nTransfer-Encoding: x\r\n\r\n",
        );
    }

    #[test]
    fn status_and_fields_are_found() {
        let head = b"HTTP/1.1 404 Not Found\r\ncontent-TYPE:  Text/HTML; charset=x\r\n\r\n";
        assert_eq!(status(head), Some(404));
        assert_eq!(mime(head), "text/html");
        assert_eq!(status(b"HTTP/2 200\r\n\r\n"), Some(200));
        for odd in ["", "HTTP/1.1", "HTTP/1.1 20", "HTTP/1.1 +20 x", "ICY 200 OK", "HTTP/1.1 2000"]
        {
            assert_eq!(status(odd.as_bytes()), None, "{odd}");
        }
        assert_eq!(mime(b"HTTP/1.1 200 OK\r\nContent-Type: \"x y\"\r\n\r\n"), "unk");
        assert_eq!(field(b"HTTP/1.1 200 OK\r\n\r\nContent-Type: a/b\r\n", "Content-Type"), None);
    }
}
