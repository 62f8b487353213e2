//! The line before a record of an ARC file, the format before WARC.
//!
//! ```text
//! version 1  URL SP address SP yyyymmddhhmmss SP type SP length LF
//! version 2  URL SP address SP date SP type SP status SP checksum SP location SP offset SP file SP length LF
//! ```
//! The block follows, and a line break. URLs with spaces in them occur, so the line is read from
//! its end and the date, which has a form of its own, tells where the URL has ended.

use std::net::IpAddr;

use base::Timestamp;

/// What the line says.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Line {
    pub(super) target: String,
    pub(super) address: Option<IpAddr>,
    pub(super) fetched: Timestamp,
    pub(super) media: String,
    pub(super) length: u64,
}

/// Reads the line; the reason if it is none.
pub(super) fn parse(line: &[u8]) -> Result<Line, &'static str> {
    let text = String::from_utf8_lossy(line);
    let words: Vec<&str> = text.trim_end().split(' ').collect();
    let length = words.last().filter(|word| is_number(word)).and_then(|word| word.parse().ok());
    let length = length.ok_or("no ARC record: its line does not end with a length")?;
    let date_at = words.iter().rposition(|word| date(word).is_some());
    let date_at = date_at.filter(|at| *at >= 2).ok_or("no ARC record: its line has no date")?;
    Ok(Line {
        target: words[..date_at - 1].join("%20"),
        address: words[date_at - 1].parse().ok(),
        fetched: date(words[date_at]).ok_or("no ARC record: its line has no date")?,
        media: words.get(date_at + 1).copied().unwrap_or_default().to_owned(),
        length,
    })
}

/// Returns whether bytes look like the line before a record.
pub(super) fn is_start(bytes: &[u8]) -> bool {
    let schemes: [&[u8]; 5] = [b"http://", b"https://", b"filedesc:", b"dns:", b"ftp://"];
    schemes.iter().any(|scheme| bytes.starts_with(scheme))
}

/// Reads the date of ARC files and of some early WARC files.
pub(super) fn date(word: &str) -> Option<Timestamp> {
    if !matches!(word.len(), 14 | 17) || !is_number(word) {
        return None;
    }
    let part = |from: usize, to: usize| &word[from..to];
    let text = format!(
        "{}-{}-{}T{}:{}:{}Z",
        part(0, 4),
        part(4, 6),
        part(6, 8),
        part(8, 10),
        part(10, 12),
        part(12, 14)
    );
    Timestamp::parse_rfc3339(&text)
}

fn is_number(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(line: &str, target: &str, length: u64) {
        let found = parse(line.as_bytes()).unwrap();
        assert_eq!((found.target.as_str(), found.length), (target, length));
        assert_eq!(found.fetched.compact(), "20140216050221");
    }

    #[test]
    fn lines_of_both_versions_are_read() {
        check(
            "http://a.example/ 93.184.216.119 20140216050221 text/html 1591\n",
            "http://a.example/",
            1591,
        );
        check(
            "http://a.example/ 93.184.216.119 20140216050221 text/html 200 AB - 0 x.arc 7\n",
            "http://a.example/",
            7,
        );
    }

    #[test]
    fn a_url_may_have_spaces() {
        check(
            "http://a.example/b c 1.2.3.4 20140216050221 text/html 3",
            "http://a.example/b%20c",
            3,
        );
    }

    #[test]
    fn other_lines_are_refused() {
        for line in ["", "x", "http://a/ 1.2.3.4 2014 text/html 3", "http://a/ 20140216050221 3"] {
            assert!(parse(line.as_bytes()).is_err(), "{line}");
        }
        assert!(parse(b"http://a/ 1.2.3.4 20140216050221 text/html -3").is_err());
        assert!(parse(b"http://a/ 1.2.3.4 20149916050221 text/html 3").is_err());
    }
}
