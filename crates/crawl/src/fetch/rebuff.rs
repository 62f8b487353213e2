//! Servers that turn us away under a status that says that all is well (HTTP-17).
//!
//! 429 is the status for it, and 403 is counted as a refusal too. But some answer 200 with a line of
//! text: "You have been rate limited." Such a page is archived like any other; the host is treated
//! as one that refuses. A mistake is cheap: only several in a row slow a host down.

use hyper::header::HeaderMap;

use super::decoded;

/// Bytes of such a page at most, as sent and decoded: it has a sentence or two and a frame.
const SENT_BYTES: usize = 2 * 1024;
const DECODED_BYTES: usize = 4 * 1024;

/// What it says, in lower case.
const PHRASES: [&str; 6] = [
    "rate limit",
    "rate-limit",
    "ratelimit",
    "too many requests",
    "requests too quickly",
    "request limit exceeded",
];

/// Returns whether an answer with status 200 is a short page that asks for patience.
pub(crate) fn is_rebuff(status: u16, headers: &HeaderMap, body: &[u8]) -> bool {
    if status != 200 || body.len() > SENT_BYTES {
        return false;
    }
    let Some(decoded) = decoded(headers, body, DECODED_BYTES) else { return false };
    if decoded.cut {
        return false;
    }
    let text = String::from_utf8_lossy(&decoded.body).to_ascii_lowercase();
    PHRASES.iter().any(|phrase| text.contains(phrase))
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::GzEncoder;
    use hyper::header::{CONTENT_ENCODING, HeaderValue};

    use super::*;

    #[test]
    fn http_17_only_short_pages_that_ask_for_patience_are_rebuffs() {
        let plain = HeaderMap::new();
        let page = "<title>Sorry</title><p>You have been Rate Limited. Try again later.";
        assert!(is_rebuff(200, &plain, page.as_bytes()));
        assert!(is_rebuff(200, &plain, b"Too many requests"));
        assert!(!is_rebuff(404, &plain, page.as_bytes()), "another status speaks for itself");
        assert!(!is_rebuff(200, &plain, b"<title>Limits</title><p>How fast may one drive?"));
        assert!(!is_rebuff(200, &plain, b""));
        let article = format!("<h1>On rate limits</h1>{}", "<p>A text.".repeat(300));
        assert!(!is_rebuff(200, &plain, article.as_bytes()), "an article about them");
        let mut packer = GzEncoder::new(Vec::new(), Compression::fast());
        packer.write_all(page.as_bytes()).unwrap();
        let packed = packer.finish().unwrap();
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        assert!(is_rebuff(200, &headers, &packed));
        let mut packer = GzEncoder::new(Vec::new(), Compression::fast());
        packer.write_all(&page.as_bytes().repeat(1_000)).unwrap();
        assert!(!is_rebuff(200, &headers, &packer.finish().unwrap()), "it unpacks to a long page");
    }
}
