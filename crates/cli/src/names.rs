//! Files that name pages: one per line, or the bookmarks that a browser has exported.
//!
//! Browsers export bookmarks as the HTML of Netscape's: `<DT><A HREF="http://…">title</A>`. Of
//! such a file the links are taken that lead to web pages.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use anyhow::{Context, Result, bail};

/// Largest file that is read: a million long addresses.
const MAX_BYTES: u64 = 64 * 1024 * 1024;
/// Longest line of a file of names.
const MAX_LINE: usize = 64 * 1024;

/// Reads the names in a file: lines that are neither blank nor remarks, or bookmarks.
pub(crate) fn read(path: &Path) -> Result<Vec<String>> {
    let shown = path.display();
    let file = File::open(path).with_context(|| format!("cannot open `{shown}`"))?;
    let mut bytes = Vec::new();
    let len = file.take(MAX_BYTES + 1).read_to_end(&mut bytes);
    if len.with_context(|| format!("cannot read `{shown}`"))? as u64 > MAX_BYTES {
        bail!("`{shown}` is longer than {MAX_BYTES} bytes");
    }
    if is_markup(&bytes) {
        return Ok(links(&String::from_utf8_lossy(&bytes)));
    }
    let mut names = Vec::new();
    for (number, line) in (1..).zip(bytes.split(|byte| *byte == b'\n')) {
        if line.len() > MAX_LINE {
            bail!("line {number} of `{shown}` is longer than {MAX_LINE} bytes");
        }
        let name = std::str::from_utf8(line)
            .with_context(|| format!("line {number} of `{shown}` is no text"))?
            .trim();
        if !name.is_empty() && !name.starts_with('#') {
            names.push(name.to_owned());
        }
    }
    Ok(names)
}

/// Returns whether a file is HTML, by how it begins.
fn is_markup(bytes: &[u8]) -> bool {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start();
    let begins =
        |with: &[u8]| bytes.get(..with.len()).is_some_and(|first| first.eq_ignore_ascii_case(with));
    [&b"<!doctype"[..], b"<!--", b"<html", b"<dl", b"<meta", b"<title"].into_iter().any(begins)
}

/// Returns the addresses of web pages that the `<a href>` of a text lead to. Linear.
fn links(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some((_, tag)) = rest.split_once('<') {
        rest = tag;
        let Some(attributes) = tag.strip_prefix(['a', 'A']) else { continue };
        if !attributes.starts_with(|c: char| c.is_ascii_whitespace()) {
            continue;
        }
        let (href, behind) = href(attributes);
        rest = behind;
        let href = href.map(unescaped).unwrap_or_default();
        let scheme = href.split_once("://").map(|(scheme, _)| scheme.to_ascii_lowercase());
        if matches!(scheme.as_deref(), Some("http" | "https")) {
            found.push(href);
        }
    }
    found
}

/// Returns the value of `href` among attributes, and what stands behind the tag.
fn href(mut rest: &str) -> (Option<&str>, &str) {
    let mut found = None;
    loop {
        rest = rest.trim_start();
        let end = rest.find(|c: char| c.is_ascii_whitespace() || matches!(c, '=' | '>'));
        let Some(end) = end else { return (found, "") };
        let (name, behind) = rest.split_at(end);
        if let Some(behind) = behind.strip_prefix('>') {
            return (found, behind);
        }
        let Some(value) = behind.trim_start().strip_prefix('=').map(str::trim_start) else {
            rest = behind;
            continue;
        };
        let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''));
        let (value, behind) = match quote {
            Some(quote) => value[1..].split_once(quote).unwrap_or((&value[1..], "")),
            None => {
                let end = value.find(|c: char| c.is_ascii_whitespace() || c == '>');
                value.split_at(end.unwrap_or(value.len()))
            }
        };
        if name.eq_ignore_ascii_case("href") && found.is_none() {
            found = Some(value);
        }
        rest = behind;
    }
}

/// Undoes what an address in an attribute is escaped with.
fn unescaped(text: &str) -> String {
    let replaced = text.trim().replace("&quot;", "\"").replace("&#39;", "'");
    replaced.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(bytes: &[u8]) -> Result<Vec<String>> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("list");
        std::fs::write(&path, bytes).unwrap();
        read(&path)
    }

    #[test]
    fn lines_are_names_and_remarks_are_not() {
        assert_eq!(of(b"# mine\nA\r\n\n  b c \n#x\nD").unwrap(), ["A", "b c", "D"]);
        assert!(of(b"").unwrap().is_empty());
        let long = [b"A\n".to_vec(), vec![b'x'; MAX_LINE + 1]].concat();
        assert!(of(&long).unwrap_err().to_string().starts_with("line 2 of"));
        assert!(format!("{:#}", of(b"A\n\xff\n").unwrap_err()).contains("line 2"));
    }

    #[test]
    fn bookmarks_are_the_links_to_web_pages() {
        let text = "<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<TITLE>Bookmarks</TITLE>\n<DL><p>\n\
            <DT><H3 ADD_DATE=\"1\">News</H3>\n\
            <DT><A HREF=\"https://a.example/?x=1&amp;y=2\" ADD_DATE=\"17\" ICON=\"data:x>y\">A</A>\n\
            <DT><a add_date=1 href='http://b.example/'>it's > that</a>\n\
            <DT><A HREF=http://c.example/ >C</A><DT><A HREF=\"javascript:alert(1)\">no</A>\n\
            <DT><A HREF=\"place:sort=8\">no</A><ADDRESS HREF=\"http://no.example/\">\n</DL>";
        let expected = ["https://a.example/?x=1&y=2", "http://b.example/", "http://c.example/"];
        assert_eq!(of(text.as_bytes()).unwrap(), expected);
        let marked = [b"\xef\xbb\xbf \n".as_slice(), text.as_bytes()].concat();
        assert_eq!(of(&marked).unwrap(), expected);
    }

    #[test]
    fn broken_bookmarks_end() {
        let heads =
            ["<a", "<a ", "<a href", "<a href=", "<a href=\"", "<a href=\"x", "<a b=c ", "<<a <"];
        for head in heads {
            let found = of(format!("<html>{head}").as_bytes()).unwrap();
            assert!(found.is_empty(), "{head}: {found:?}");
        }
        // Linear: a hundred thousand tags that never end.
        assert!(
            of(format!("<html>{}", "<a href=\"".repeat(100_000)).as_bytes()).unwrap().is_empty()
        );
    }
}
