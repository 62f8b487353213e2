//! Dates as sitemaps and feeds write them: W3C's (whole or in part) and those of mail.
//!
//! Lists are full of dates that are not quite right, and a date is only a hint: a missing zone is
//! UTC, a missing month or day the first one, a missing time midnight. What is left is no date.

use base::Timestamp;
use time::{Date, Month, OffsetDateTime, Time};

/// Longest text looked at; the longest honest date has 40 bytes.
const DATE_BYTES: usize = 64;
/// 1990, before the web: earlier dates are defaults of programs (1970, year 0), not dates of pages.
const FIRST: i64 = 631_152_000_000;

/// Returns the moment that a text names, or `None` if it names none since 1990.
///
/// Moments to come are returned as they stand: there is no clock here to tell them.
pub(crate) fn parse(text: &str) -> Option<Timestamp> {
    let text = text.trim();
    if text.len() > DATE_BYTES || !text.is_ascii() {
        return None;
    }
    let is_year = text.len() >= 4 && text.bytes().take(4).all(|byte| byte.is_ascii_digit());
    let moment = if is_year { w3c(text) } else { mail(text) }?;
    let millis = i64::try_from(moment.unix_timestamp_nanos() / 1_000_000).ok()?;
    (millis >= FIRST).then(|| Timestamp::from_millis(millis))
}

/// Reads `2026`, `2026-11`, `2026-11-16`, `2026-11-16T09:30Z`, `2026-11-16 09:30:00.5+01:00`.
fn w3c(text: &str) -> Option<OffsetDateTime> {
    let mut rest = Rest(text);
    let year = rest.number(4)?;
    let month = if rest.eat(&['-', '/']) { rest.number(2)? } else { 1 };
    let day = if rest.eat(&['-', '/']) { rest.number(2)? } else { 1 };
    let (time, zone) = if rest.eat(&['T', 't', ' ']) {
        (clock(&mut rest)?, zone(rest.0.trim_start())?)
    } else if rest.0.is_empty() {
        (Time::MIDNIGHT, 0)
    } else {
        return None;
    };
    moment(year, month, day, time, zone)
}

/// Reads `Thu, 05 Jan 2017 13:34:51 +0100` and what is left of it in the wild.
fn mail(text: &str) -> Option<OffsetDateTime> {
    let mut parts = text.split([' ', ',', '\t', '\n', '\r']).filter(|part| !part.is_empty());
    let mut first = parts.next()?;
    if month(first).is_none() && first.starts_with(|c: char| c.is_ascii_alphabetic()) {
        first = parts.next()?;
    }
    let second = parts.next()?;
    // Some write `Jan 05 2017`.
    let (day, month) = match month(first) {
        Some(month) => (second, month),
        None => (first, month(second)?),
    };
    let digits = parts.next()?;
    let year: u32 = digits.parse().ok()?;
    let year = match digits.len() {
        2 if year < 50 => year + 2_000,
        2 => year + 1_900,
        4 => year,
        _ => return None,
    };
    let time = parts.next().map_or(Some(Time::MIDNIGHT), |text| clock(&mut Rest(text)))?;
    let zone = zone(parts.next().unwrap_or_default())?;
    moment(year, month, day.parse().ok()?, time, zone)
}

/// Returns the number of a month by its English name, cut or whole.
fn month(name: &str) -> Option<u32> {
    const NAMES: [&str; 12] =
        ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
    let head = name.get(..3)?;
    let place = NAMES.iter().position(|name| name.eq_ignore_ascii_case(head))?;
    u32::try_from(place + 1).ok()
}

/// Reads `09:30`, `09:30:15`, `09:30:15.123`.
fn clock(rest: &mut Rest<'_>) -> Option<Time> {
    let hour = rest.number(2)?;
    if !rest.eat(&[':']) {
        return None;
    }
    let minute = rest.number(2)?;
    let mut second = 0;
    if rest.eat(&[':']) {
        second = rest.number(2)?;
        if rest.eat(&['.', ',']) {
            rest.0 = rest.0.trim_start_matches(|c: char| c.is_ascii_digit());
        }
    }
    // A leap second is the last one of its minute, near enough.
    let second = if second == 60 { 59 } else { second };
    let byte = |number: u32| u8::try_from(number).ok();
    Time::from_hms(byte(hour)?, byte(minute)?, byte(second)?).ok()
}

/// Reads a zone as minutes east of Greenwich; none is Greenwich, and so is a name nobody knows.
fn zone(text: &str) -> Option<i64> {
    const NAMES: [(&str, i64); 12] = [
        ("EST", -5),
        ("EDT", -4),
        ("CST", -6),
        ("CDT", -5),
        ("MST", -7),
        ("MDT", -6),
        ("PST", -8),
        ("PDT", -7),
        ("BST", 1),
        ("CET", 1),
        ("CEST", 2),
        ("JST", 9),
    ];
    let name = text.trim_end();
    if let Some((_, hours)) = NAMES.iter().find(|(known, _)| name.eq_ignore_ascii_case(known)) {
        return Some(hours * 60);
    }
    let Some(sign) = name.find(['+', '-']) else {
        return name.chars().all(|c| c.is_ascii_alphabetic()).then_some(0);
    };
    let mut rest = Rest(&name[sign + 1..]);
    let hours = rest.number(2)?;
    rest.eat(&[':']);
    let minutes = if rest.0.is_empty() { 0 } else { rest.number(2)? };
    let offset = i64::from(hours * 60 + minutes);
    // The earth has zones from −12 to +14.
    let offset = if name.as_bytes()[sign] == b'-' { -offset } else { offset };
    (offset.abs() <= 15 * 60).then_some(offset)
}

fn moment(year: u32, month: u32, day: u32, time: Time, zone: i64) -> Option<OffsetDateTime> {
    let month = Month::try_from(u8::try_from(month).ok()?).ok()?;
    let day = u8::try_from(day).ok()?;
    let date = Date::from_calendar_date(i32::try_from(year).ok()?, month, day).ok()?;
    date.with_time(time).assume_utc().checked_sub(time::Duration::minutes(zone))
}

/// What is left of an ASCII text.
struct Rest<'a>(&'a str);

impl Rest<'_> {
    fn eat(&mut self, any: &[char]) -> bool {
        let rest = self.0.strip_prefix(any);
        self.0 = rest.unwrap_or(self.0);
        rest.is_some()
    }

    /// Takes up to `most` digits, at least one.
    fn number(&mut self, most: usize) -> Option<u32> {
        let digits = self.0.bytes().take(most).take_while(u8::is_ascii_digit).count();
        let (number, rest) = self.0.split_at(digits);
        self.0 = rest;
        number.parse().ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let found = parse(text).map(Timestamp::rfc3339).unwrap_or_default();
        assert_eq!(found, expected, "{text:?}");
    }

    #[test]
    fn dates_of_w3c_may_end_early() {
        check("2005", "2005-01-01T00:00:00Z");
        check("2005-03", "2005-03-01T00:00:00Z");
        check(" 2005-03-09\n", "2005-03-09T00:00:00Z");
        check("2005-3-9", "2005-03-09T00:00:00Z");
        check("2005-03-09T10:20Z", "2005-03-09T10:20:00Z");
        check("2005-03-09T10:20:30+01:00", "2005-03-09T09:20:30Z");
        check("2005-03-09T10:20:30.123456-0530", "2005-03-09T15:50:30Z");
        check("2005-03-09t10:20:30z", "2005-03-09T10:20:30Z");
        check("2005-03-09 10:20:30", "2005-03-09T10:20:30Z");
        check("2005-03-09 10:20:30 +0200", "2005-03-09T08:20:30Z");
        check("2016-12-31T23:59:60Z", "2016-12-31T23:59:59Z");
        check("2020-02-29", "2020-02-29T00:00:00Z");
    }

    #[test]
    fn dates_of_mail_are_read() {
        check("Thu, 05 Jan 2017 13:34:51 +0100", "2017-01-05T12:34:51Z");
        check("Thu, 05 Jan 17 13:34:52 +0100", "2017-01-05T12:34:52Z");
        check("05 Jan 2017 13:34:53 GMT", "2017-01-05T13:34:53Z");
        check("5 January 2017 13:34 EST", "2017-01-05T18:34:00Z");
        check("05 Jan 17 13:34:55", "2017-01-05T13:34:55Z");
        check("Thu,05 Jan 2017", "2017-01-05T00:00:00Z");
        check("Jan 05, 2017 01:02:03 PDT", "2017-01-05T08:02:03Z");
        check("Thu, 05 Jan 2017 13:34:51 GMT+0100", "2017-01-05T12:34:51Z");
    }

    #[test]
    fn smp_07_what_is_no_date_since_1990_is_none() {
        for text in [
            "",
            "now",
            "yesterday, all my troubles",
            "0000-00-00",
            "0001-01-01T00:00:00Z",
            "1970-01-01",
            "1989-12-31T23:59:59Z",
            "2005-13-01",
            "2005-02-30",
            "2005-02-01T25:00:00Z",
            "2005-02-01T10:00:00+99:00",
            "20050201",
            "2005-02-01x",
            "99999-01-01",
            "Thu, 32 Jan 2017 10:00:00 GMT",
            "Thu, 05 Jan 17777 10:00:00 GMT",
            "Thu",
            "05 Jan",
            "２００５",
            "-1",
            "2005-",
            "2005-01-01T",
        ] {
            check(text, "");
        }
        check(&"2005-01-01 ".repeat(20), "");
    }

    #[test]
    fn smp_07_a_moment_to_come_is_left_to_who_has_a_clock() {
        check("2999-01-01", "2999-01-01T00:00:00Z");
        check("9999-12-31T23:59:59-12:00", "");
    }
}
