//! What the standard says, line by line, and what others expect of its readers.
//!
//! The numbers are those of `docs/hostile-inputs.md`: `R` are the lines of RFC 9309, `ROB` the
//! hostile ones. Lines that speak of fetching are tested in `tests/it/robots.rs` as well.

mod book;
mod conformance;
mod copy;
mod hostile;
mod standard;

use std::time::Duration;

use base::Timestamp;

use super::Robots;

/// Some day in 2026.
const NOW: Timestamp = Timestamp::from_millis(1_790_000_000_000);
const HOUR: Duration = Duration::from_secs(3600);
const DAY: Duration = Duration::from_secs(24 * 3600);

/// Asserts what a file says of a path to a crawler whose name is `lookfar`.
#[track_caller]
fn check(file: impl AsRef<[u8]>, path: &str, expected: bool) {
    let file = file.as_ref();
    let robots = Robots::parse(file, "lookfar");
    let shown = String::from_utf8_lossy(&file[..file.len().min(500)]).into_owned();
    assert_eq!(robots.allows(path), expected, "{path} under {shown:?}");
}

/// Asserts what rules for everyone say of a path.
#[track_caller]
fn check_rules(rules: &str, path: &str, expected: bool) {
    check(format!("User-agent: *\n{rules}"), path, expected);
}
