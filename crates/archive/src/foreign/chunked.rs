//! Takes the transfer encoding off a body that was archived with it.
//!
//! Archivers disagree: some store `chunked` bodies as they came, some store the plain body and
//! leave the field in the head. So a body is only taken apart if it is what the field says.

/// Returns the body without its chunks, and whether it was whole; `None` if it has no chunks.
pub(super) fn unchunked(body: &[u8]) -> Option<(Vec<u8>, bool)> {
    let mut out = Vec::with_capacity(body.len());
    let (mut rest, mut is_first) = (body, true);
    loop {
        let Some((size, after)) = chunk_size(rest) else {
            // The first one decides; a later one that is broken ends the body.
            return (!is_first).then_some((out, false));
        };
        is_first = false;
        if size == 0 {
            return Some((out, true));
        }
        if size > after.len() {
            out.extend_from_slice(after);
            return Some((out, false));
        }
        let (chunk, after) = after.split_at(size);
        out.extend_from_slice(chunk);
        rest = after.strip_prefix(b"\r\n").or(after.strip_prefix(b"\n")).unwrap_or(after);
        if rest.is_empty() {
            return Some((out, false));
        }
    }
}

/// Reads the line before a chunk: its size in hexadecimal digits, and extensions.
fn chunk_size(bytes: &[u8]) -> Option<(usize, &[u8])> {
    const LINE_BYTES: usize = 256;
    let end = bytes.iter().take(LINE_BYTES).position(|byte| *byte == b'\n')?;
    let line = bytes[..end].split(|byte| *byte == b';').next()?.trim_ascii();
    if line.is_empty() || line.len() > 8 {
        return None;
    }
    let size = usize::from_str_radix(std::str::from_utf8(line).ok()?, 16).ok()?;
    (line[0] != b'+').then_some((size, &bytes[end + 1..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(body: &str, expected: Option<(&str, bool)>) {
        let found = unchunked(body.as_bytes());
        let expected = expected.map(|(text, is_whole)| (text.as_bytes().to_vec(), is_whole));
        assert_eq!(found, expected, "{body:?}");
    }

    #[test]
    fn chunks_are_joined() {
        check("3\r\nabc\r\n1;x=y\r\nd\r\n0\r\n\r\n", Some(("abcd", true)));
        check("A\nabcdefghij\n0\n\n", Some(("abcdefghij", true)));
    }

    #[test]
    fn a_body_without_chunks_is_left_alone() {
        for body in ["", "<html>", "plain\n", "\r\nabc", "+3\r\nabc", "123456789\r\nabc", "abc"] {
            check(body, None);
        }
    }

    #[test]
    fn what_is_there_of_a_broken_body_is_kept() {
        check("3\r\nabc\r\nffffffff\r\nd", Some(("abcd", false)));
        check("3\r\nabc\r\nnonsense\r\n", Some(("abc", false)));
        check("3\r\nabc", Some(("abc", false)));
        check("3\r\nabc\r\n", Some(("abc", false)));
    }
}
