//! robots.txt. The reader is private to `crawl`, and everything else there is slow to build, so
//! its sources are included here.

#[allow(dead_code, unreachable_pub, reason = "a part of another crate")]
mod reader;

use reader::rules::Robots;

const PATHS: [&str; 6] =
    ["/", "/a", "/a/b.html?c=d&e", "/%61*$", "/æ/%C3%A6", "/aaaaaaaaaaaaaaaab"];

/// Reads a file and asks it about addresses, among them one made of the file itself.
///
/// The file may always be fetched; line ends and comments change nothing.
pub fn robots(data: &[u8]) {
    let rules = Robots::parse(data, "lookfar");
    assert_eq!(rules, Robots::parse(data, "lookfar"));
    assert!(rules.allows("/robots.txt"));
    assert!(rules.sitemaps().len() <= 100);
    let tail = String::from_utf8_lossy(&data[data.len().saturating_sub(200)..]);
    let own = format!("/{}", tail.replace(|c: char| c.is_whitespace() || c == '#', ""));
    // Bytes put between would make other characters of UTF-16.
    let is_wide = data.iter().take(4).any(|byte| matches!(byte, 0 | 0xFE | 0xFF));
    let other_ends =
        if is_wide { rules.clone() } else { Robots::parse(&with_other_ends(data), "LookFar") };
    for path in PATHS.into_iter().chain([own.as_str()]) {
        assert_eq!(rules.allows(path), other_ends.allows(path), "{path}");
        match rules.deciding(path) {
            Some(deciding) => assert_eq!(deciding.allow, rules.allows(path), "{path}"),
            None => assert!(rules.allows(path), "{path}"),
        }
    }
}

/// Returns the file with a comment on a line of its own behind each line, and both line ends.
fn with_other_ends(data: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(data.len() * 2);
    for byte in data {
        match byte {
            b'\n' => out.extend_from_slice(b"\r\n# c\r\n"),
            other => out.push(*other),
        }
    }
    out
}
