//! Lengths of time and sizes as people write them: `90s`, `2d`, `500MB`, `2GiB`.

use std::str::FromStr;
use std::time::Duration;

use serde::Deserialize;

/// A length of time, written `250ms`, `10s`, `5m`, `2h` or `3d`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub(crate) struct Span(pub(crate) Duration);

/// A length of time, or `never`, which `0s` means too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub(crate) struct Interval(pub(crate) Option<Duration>);

/// A number of bytes, written `500kB`, `10MB`, `2GiB`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub(crate) struct Size(pub(crate) u64);

impl Span {
    /// Returns the time as a limit: nothing means none.
    pub(crate) fn limit(self) -> Option<Duration> {
        Some(self.0).filter(|time| !time.is_zero())
    }
}

impl Size {
    /// Returns the size as a limit: nothing means none.
    pub(crate) fn limit(self) -> Option<u64> {
        Some(self.0).filter(|bytes| *bytes > 0)
    }
}

// Not `humantime` and `bytesize`, which would save some 25 lines: they take what is a mistake here, as
// `1M` (a month), `5m` and `1mb` (five million bytes, one million), `5` (bytes) and `99999TiB`.
impl FromStr for Span {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong =
            || format!("`{text}` is not a time; write it like `250ms`, `10s`, `5m`, `2h`, `3d`");
        let (number, unit) = split(text).ok_or_else(wrong)?;
        let seconds = match unit {
            "ms" => 0.001,
            "s" => 1.0,
            "m" => 60.0,
            "h" => 3600.0,
            "d" => 86_400.0,
            _ => return Err(wrong()),
        };
        Duration::try_from_secs_f64(number * seconds).map(Self).map_err(|_| wrong())
    }
}

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong =
            || format!("`{text}` is not a size; write it like `500kB`, `10MB`, `512MiB`, `2GiB`");
        let (number, unit) = split(text).ok_or_else(wrong)?;
        let bytes: u64 = match unit {
            "B" => 1,
            "kB" | "KB" => 1_000,
            "MB" => 1_000_000,
            "GB" => 1_000_000_000,
            "TB" => 1_000_000_000_000,
            "KiB" => 1 << 10,
            "MiB" => 1 << 20,
            "GiB" => 1 << 30,
            "TiB" => 1 << 40,
            _ => return Err(wrong()),
        };
        // Whole numbers below 2^53 are exact, and no disk is larger than that.
        let product = number * bytes as f64;
        if product < 2_f64.powi(53) { Ok(Self(product as u64)) } else { Err(wrong()) }
    }
}

impl TryFrom<String> for Span {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl TryFrom<String> for Interval {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        match text.as_str() {
            "never" => Ok(Self(None)),
            _ => text
                .parse()
                .map(|span: Span| Self(span.limit()))
                .map_err(|wrong: String| format!("{wrong}, or `never`")),
        }
    }
}

impl TryFrom<String> for Size {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

/// Splits into a number that is not negative, and its unit.
fn split(text: &str) -> Option<(f64, &str)> {
    let digits = text.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    Some((number.parse().ok()?, unit.trim_start()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_units() {
        let span = |text: &str| text.parse::<Span>().map(|span| span.0);
        assert_eq!(span("250ms"), Ok(Duration::from_millis(250)));
        assert_eq!(span("1.5s"), Ok(Duration::from_millis(1500)));
        assert_eq!(span("90s"), Ok(Duration::from_secs(90)));
        assert_eq!(span("2h"), Ok(Duration::from_secs(7200)));
        assert_eq!(span("2d"), Ok(Duration::from_secs(172_800)));
        for text in ["", "5", "s", "-1s", "1y", "1e999s", "..s", "soon"] {
            assert!(span(text).is_err(), "{text}");
        }
        let huge = format!("{}d", "9".repeat(400));
        assert!(span(&huge).is_err());
    }

    #[test]
    fn sizes_have_units() {
        let size = |text: &str| text.parse::<Size>().map(|size| size.0);
        assert_eq!(size("0B"), Ok(0));
        assert_eq!(size("500kB"), Ok(500_000));
        assert_eq!(size("1.5MiB"), Ok(1_572_864));
        assert_eq!(size("2GiB"), Ok(2_147_483_648));
        assert_eq!(size("2 GiB"), Ok(2_147_483_648));
        for text in ["", "5", "MB", "-1MB", "1mb", "1PB", "1e9B", "99999TiB"] {
            assert!(size(text).is_err(), "{text}");
        }
    }

    #[test]
    fn an_interval_may_be_never() {
        let interval = |text: &str| Interval::try_from(text.to_owned());
        assert_eq!(interval("2d"), Ok(Interval(Some(Duration::from_secs(172_800)))));
        assert_eq!((interval("never"), interval("0s")), (Ok(Interval(None)), Ok(Interval(None))));
        assert!(interval("often").unwrap_err().ends_with("`3d`, or `never`"));
    }

    #[test]
    fn nothing_is_no_limit() {
        assert_eq!((Span(Duration::ZERO).limit(), Size(0).limit()), (None, None));
        assert_eq!(Size(1).limit(), Some(1));
    }
}
