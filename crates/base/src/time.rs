//! Wall-clock moments, handed in from outside.

use std::fmt;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;
use time::macros::format_description;

/// A moment in milliseconds since 1970 (UTC). Only `cli` reads the clock; all others are told.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
pub struct Timestamp(i64);

impl Timestamp {
    /// Wraps milliseconds since 1970.
    pub const fn from_millis(millis: i64) -> Self {
        Self(millis)
    }

    /// Returns milliseconds since 1970.
    pub const fn as_millis(self) -> i64 {
        self.0
    }

    /// Returns the moment `later` after this one, at most the far future.
    #[must_use]
    pub fn plus(self, later: Duration) -> Self {
        Self(self.0.saturating_add(i64::try_from(later.as_millis()).unwrap_or(i64::MAX)))
    }

    /// Returns the time from `earlier` to this moment; zero if it lies after it.
    pub fn since(self, earlier: Self) -> Duration {
        Duration::from_millis(u64::try_from(self.0.saturating_sub(earlier.0)).unwrap_or(0))
    }

    /// Returns `2026-11-16T09:30:00Z`, the form of WARC dates; whole seconds.
    pub fn rfc3339(self) -> String {
        let format = format_description!("[year]-[month]-[day]T[hour]:[minute]:[second]Z");
        self.date_time().format(&format).expect("the format has only numbers")
    }

    /// Returns `20261116093000`, the form of CDX dates.
    pub fn compact(self) -> String {
        let format = format_description!("[year][month][day][hour][minute][second]");
        self.date_time().format(&format).expect("the format has only numbers")
    }

    /// Reads an RFC 3339 date; `None` if it is not one.
    pub fn parse_rfc3339(text: &str) -> Option<Self> {
        let moment = OffsetDateTime::parse(text, &Rfc3339).ok()?;
        i64::try_from(moment.unix_timestamp_nanos() / 1_000_000).ok().map(Self)
    }

    fn date_time(self) -> OffsetDateTime {
        // Years outside 0–9999 would break fixed-width forms; they only come from damaged data.
        const LAST: i64 = 253_402_300_799_000;
        let millis = self.0.clamp(0, LAST);
        OffsetDateTime::from_unix_timestamp_nanos(i128::from(millis) * 1_000_000)
            .expect("clamped to the years 1970–9999")
    }
}

impl From<SystemTime> for Timestamp {
    fn from(moment: SystemTime) -> Self {
        let since = moment.duration_since(UNIX_EPOCH).unwrap_or_default();
        Self(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.rfc3339())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_have_the_forms_of_warc_and_cdx() {
        let moment = Timestamp::from_millis(1_763_285_400_999);
        assert_eq!(moment.rfc3339(), "2025-11-16T09:30:00Z");
        assert_eq!(moment.compact(), "20251116093000");
        assert_eq!(
            Timestamp::parse_rfc3339("2025-11-16T09:30:00Z"),
            Some(Timestamp::from_millis(1_763_285_400_000))
        );
    }

    #[test]
    fn extreme_moments_still_print() {
        assert_eq!(Timestamp::from_millis(i64::MAX).compact(), "99991231235959");
        assert_eq!(Timestamp::from_millis(i64::MIN).rfc3339(), "1970-01-01T00:00:00Z");
        assert_eq!(Timestamp::from_millis(5).since(Timestamp::from_millis(9)), Duration::ZERO);
    }
}
