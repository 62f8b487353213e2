//! The stored form of a robots.txt, and what a response to the question for one means.
//!
//! ```text
//! Copy = at: i64 varint (zigzag) | body: length varint, bytes | fresh_for: u32 varint
//!      | status: u16 varint | etag: 0, or 1 length bytes | modified: 0, or 1 length bytes
//! ```
//! That is postcard's form of the fields in their order.

use std::time::Duration;

use archive::Cut;
use base::{Timestamp, Url, limits};
use hyper::header::{AGE, CACHE_CONTROL, HeaderMap, HeaderName, HeaderValue};
use serde::{Deserialize, Serialize};

use super::Robots;
use crate::fetch::{Validators, decoded};

/// The last robots.txt of an origin that could be read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Copy {
    /// When it was asked for, the last time that there was an answer.
    pub(crate) at: Timestamp,
    /// Its first 500 KiB; empty where the server has none (4xx), which allows everything.
    pub(crate) body: Vec<u8>,
    /// Seconds after `at` for which it is used without asking again: a day at most (R45).
    fresh_for: u32,
    /// Status of the answer.
    pub(crate) status: u16,
    /// What may be sent back (R46).
    validators: Validators,
}

/// What a response to the question for a robots.txt means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    /// These rules; none where the server says that it has no such file.
    Rules(Copy),
    /// The copy whose conditions were sent is still good. Without conditions it is nonsense.
    NotModified,
    /// It is not known what the rules are: complete disallow, or the last good copy (R41, R43).
    Unreachable,
}

/// A copy is used for a day (R45), and while there is no other for a month (R43).
const FRESH: u32 = 24 * 3600;
const USABLE: Duration = Duration::from_secs(30 * 24 * 3600);
/// Shortest time for which a copy is used. `max-age=0` and `no-cache` are what many servers say
/// of every file they have, not a wish about this one: obeyed to the letter they would double
/// the requests to the site. Asked once an hour, a change of mind is seen soon enough.
const FRESH_AT_LEAST: u32 = 3600;

impl Copy {
    /// Judges a response asked for at `at`; `body` as received, still content-encoded.
    ///
    /// Redirects are the caller's to follow; one that comes here leads nowhere.
    pub(crate) fn of_response(
        status: u16,
        headers: &HeaderMap,
        body: &[u8],
        cut: Option<Cut>,
        at: Timestamp,
    ) -> Answer {
        let body = match status {
            // 206 is a part that nobody asked for: what is behind it is not known.
            206 => None,
            200..=299 => rules(headers, body, cut),
            304 => return Answer::NotModified,
            // 429 asks for patience; it does not say that there are no rules (R40).
            429 => None,
            400..=499 => Some(Vec::new()),
            _ => None,
        };
        let Some(body) = body else { return Answer::Unreachable };
        let fresh_for = fresh_for(headers).unwrap_or(FRESH);
        let validators = Validators::of(headers, at);
        Answer::Rules(Self { at, body, fresh_for, status, validators })
    }

    /// Returns the copy after a 304 that was asked for at `at` (R46).
    #[must_use]
    pub(crate) fn renewed(&self, at: Timestamp, headers: &HeaderMap) -> Self {
        Self {
            at,
            fresh_for: fresh_for(headers).unwrap_or(self.fresh_for.max(FRESH_AT_LEAST)),
            validators: self.validators.renewed(headers, at),
            ..self.clone()
        }
    }

    /// Returns the fields that make a question for the file conditional.
    ///
    /// Only for a file that there was: that there is none is asked again as if for the first
    /// time.
    pub(crate) fn conditions(&self) -> Vec<(HeaderName, HeaderValue)> {
        if !(200..300).contains(&self.status) {
            return Vec::new();
        }
        self.validators.conditions()
    }

    /// Says which line decides about a URL of this origin, and how old the copy is.
    pub(crate) fn explain(&self, url: &Url, token: &str, now: Timestamp) -> String {
        let robots = Robots::parse(&self.body, token);
        let age = now.since(self.at).as_secs() / 60;
        let age = match (age / 60, age % 60) {
            (0, minutes) => format!("{minutes} min"),
            (hours @ 1..48, _) => format!("{hours} h"),
            (hours, _) => format!("{} days", hours / 24),
        };
        let age = match self.stamp().is_fresh(now) {
            true => format!("read {age} ago"),
            false => format!("read {age} ago, to be asked again"),
        };
        let path = url.path_and_query();
        let says = match robots.deciding(path) {
            Some(deciding) => {
                let verb = if deciding.allow { "allows" } else { "forbids" };
                format!("{} {verb} it", deciding.rule)
            }
            None if path == "/robots.txt" => "the file itself is always allowed".to_owned(),
            None if (400..500).contains(&self.status) => {
                format!("there is none (status {}), so it is allowed", self.status)
            }
            None if !robots.has_groups() => {
                "it has no group for any crawler, so it is allowed".to_owned()
            }
            None => "no rule for us is about it, so it is allowed".to_owned(),
        };
        format!("robots.txt of {} ({age}): {says}", url.origin())
    }

    /// Returns when it was read and for how long that counts.
    pub(super) fn stamp(&self) -> Stamp {
        Stamp { at: self.at, fresh_for: self.fresh_for, status: self.status }
    }
}

impl Answer {
    /// Returns the copy that holds from now on, or `None` if the file counts as unreachable.
    ///
    /// `asked` is the copy whose conditions were sent. A 304 to a question without any is an
    /// error (HTTP-11): it does not make an old copy good again.
    pub(crate) fn settled(
        self,
        asked: Option<&Copy>,
        headers: &HeaderMap,
        at: Timestamp,
    ) -> Option<Copy> {
        match self {
            Self::Rules(copy) => Some(copy),
            Self::NotModified => {
                let asked = asked.filter(|copy| !copy.conditions().is_empty())?;
                Some(asked.renewed(at, headers))
            }
            Self::Unreachable => None,
        }
    }
}

/// When a copy was read, and what that means later.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stamp {
    at: Timestamp,
    fresh_for: u32,
    status: u16,
}

impl Stamp {
    pub(super) fn is_fresh(self, now: Timestamp) -> bool {
        // A clock that was put back must not keep a copy for years (STO-14).
        let age = now.since(self.at);
        self.at <= now && age < Duration::from_secs(self.fresh_for.into())
    }

    pub(super) fn is_usable(self, now: Timestamp) -> bool {
        now.since(self.at) < USABLE
    }
}

/// Returns the rules in a body, or `None` if some of them may be missing.
fn rules(headers: &HeaderMap, body: &[u8], cut: Option<Cut>) -> Option<Vec<u8>> {
    // A body that broke off says nothing about the rules behind the break (R41).
    if matches!(cut, Some(Cut::Time | Cut::Disconnect)) {
        return None;
    }
    // One octet more than is used tells whether the last line is whole.
    let decoded = decoded(headers, body, limits::ROBOTS_BYTES + 1)?;
    let mut rules = decoded.body.into_owned();
    let is_over = rules.len() > limits::ROBOTS_BYTES;
    if decoded.cut && !is_over && cut.is_none() {
        // Broken compression, short of the limit.
        return None;
    }
    if is_over || cut.is_some() {
        let is_end = |byte: &u8| matches!(byte, b'\n' | b'\r');
        let whole = rules[..rules.len().min(limits::ROBOTS_BYTES + 1)].iter().rposition(is_end);
        rules.truncate(whole.unwrap_or(0));
    }
    Some(rules)
}

/// Returns for how many seconds a response says that it is good, within our bounds.
fn fresh_for(headers: &HeaderMap) -> Option<u32> {
    let number = |text: &str| text.trim().trim_matches('"').parse::<u64>().ok();
    let mut shortest = None::<u64>;
    for value in headers.get_all(CACHE_CONTROL) {
        for directive in value.to_str().ok()?.split(',') {
            let (name, value) = directive.split_once('=').unwrap_or((directive, ""));
            let seconds = match name.trim().to_ascii_lowercase().as_str() {
                "max-age" => number(value),
                "no-cache" | "no-store" => Some(0),
                _ => None,
            };
            shortest = [shortest, seconds].into_iter().flatten().min();
        }
    }
    let age = headers.get(AGE).and_then(|age| number(age.to_str().ok()?)).unwrap_or(0);
    let left = shortest?.saturating_sub(age);
    Some(u32::try_from(left).unwrap_or(FRESH).clamp(FRESH_AT_LEAST, FRESH))
}
