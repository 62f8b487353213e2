//! Dates as documents write them: those of lists, those of PDF, and counted ones of Windows.

use base::Timestamp;

use crate::date;

/// Reads `2026-11-16T09:30:00Z` and what resembles it, or PDF's `D:20261116093000+01'00'`.
pub(super) fn parse(text: &str) -> Option<Timestamp> {
    let text = text.trim();
    let digits = text.strip_prefix("D:").unwrap_or(text);
    let count = digits.bytes().take_while(u8::is_ascii_digit).count();
    if !matches!(count, 8 | 10 | 12 | 14) {
        return date::parse(text);
    }
    let part = |from: usize, to: usize| if count >= to { &digits[from..to] } else { "00" };
    let zone: String = digits[count..].chars().filter(|c| !matches!(c, '\'' | ' ')).collect();
    let zone = if zone.starts_with(['+', '-']) { zone } else { String::from("Z") };
    date::parse(&format!(
        "{}-{}-{}T{}:{}:{}{zone}",
        &digits[..4],
        part(4, 6),
        part(6, 8),
        part(8, 10),
        part(10, 12),
        part(12, 14)
    ))
}

/// Milliseconds from 1601, where Windows begins to count, to 1970.
const WINDOWS_EPOCH: i64 = 11_644_473_600_000;

/// Returns the moment of a count of tenths of microseconds since 1601, if it is since 1990.
pub(super) fn windows(ticks: u64) -> Option<Timestamp> {
    let millis = i64::try_from(ticks / 10_000).ok()? - WINDOWS_EPOCH;
    (631_152_000_000..253_402_300_800_000).contains(&millis).then(|| Timestamp::from_millis(millis))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(parse(text).map(Timestamp::rfc3339).unwrap_or_default(), expected, "{text}");
    }

    #[test]
    fn dates_of_documents_are_read() {
        check("D:20070915231530Z", "2007-09-15T23:15:30Z");
        check("D:20070915231530+02'00'", "2007-09-15T21:15:30Z");
        check("D:20070915", "2007-09-15T00:00:00Z");
        check("20070915231530", "2007-09-15T23:15:30Z");
        check("2007-09-15T23:15:30.123", "2007-09-15T23:15:30Z");
        check("D:20071315", "");
        check("D:", "");
    }

    #[test]
    fn counted_time_is_read() {
        let found = windows(128_335_473_300_000_000).map(Timestamp::rfc3339);
        assert_eq!(found.as_deref(), Some("2007-09-06T10:15:30Z"));
        assert_eq!(windows(0), None);
        assert_eq!(windows(u64::MAX), None);
    }
}
