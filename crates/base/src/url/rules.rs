//! The rules that make two spellings of one page one text, each with its switch (C9, W13).
//!
//! What the URL standard itself does has no switch: lower case of scheme and host, IDN, default
//! ports, dot segments, blanks and line ends. Nor have the two parts that no request carries:
//! fragments (`#top`, `#!page`, `#:~:text=`) and user names with passwords (HTTP-21).

use serde::{Deserialize, Serialize};

use super::encoding;
use super::tables::{
    DEFAULT_DOCUMENTS, Guard, LONGEST_NAME, SESSION_PREFIXES, SESSIONS, TRACKING, TRACKING_PREFIXES,
};

/// Which rewritings beyond the URL standard are applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Rules {
    /// `/a/index.html` is `/a/`. Default on.
    pub drop_default_documents: bool,
    /// `utm_source=…`, `gclid=…` and other marks of where a visitor came from go. Default on.
    pub drop_tracking: bool,
    /// `PHPSESSID=…`, `;jsessionid=…`, `/(S(…))/` and other marks of one visit go. Default on.
    pub drop_sessions: bool,
    /// `?b=1&a=2` is `?a=2&b=1`; parameters of one name keep their order. Default off: a
    /// `Disallow: /search?q=` speaks of the order that the site writes, and a request in another
    /// order would slip past it. Where order does not matter it is learnt of the host.
    pub sort_parameters: bool,
    /// `?a&&b` is `?a&b`, `?=1&a` is `?a`, and a lone `?` goes. Default on.
    pub drop_empty_parameters: bool,
    /// `?a=` is `?a`. Default off: some frameworks tell the two apart.
    pub drop_empty_values: bool,
    /// `/a//b` is `/a/b`, but `/web/http://b` stays. Default on: nearly every server reads it so,
    /// and a page that doubles a slash per step has no end (URL-18).
    pub merge_slashes: bool,
    /// `%7euser` is `~user`, `%e3` is `%E3`; reserved characters stay encoded. Default on.
    pub normal_encoding: bool,
    /// `?x[y]` is `?x%5By%5D`, likewise `{ } | ^ \` and the back-tick, which the URL standard
    /// leaves alone in places and RFC 3986 forbids. Default on: sites write both.
    pub encode_unsafe: bool,
    /// `100%` is `100%25`. Default off: servers need not agree that it means that.
    pub encode_stray_percent: bool,
    /// `example.com.` is `example.com`. Default on.
    pub drop_trailing_dot: bool,
}

impl Default for Rules {
    fn default() -> Self {
        Self {
            drop_default_documents: true,
            drop_tracking: true,
            drop_sessions: true,
            drop_empty_parameters: true,
            merge_slashes: true,
            normal_encoding: true,
            encode_unsafe: true,
            drop_trailing_dot: true,
            ..Self::NONE
        }
    }
}

impl Rules {
    /// The URL standard alone: a text that any set of rules has written stays as it is.
    pub const NONE: Self = Self {
        drop_default_documents: false,
        drop_tracking: false,
        drop_sessions: false,
        sort_parameters: false,
        drop_empty_parameters: false,
        drop_empty_values: false,
        merge_slashes: false,
        normal_encoding: false,
        encode_unsafe: false,
        encode_stray_percent: false,
        drop_trailing_dot: false,
    };

    /// Appends path and query to a text that ends with an origin.
    ///
    /// Both must be as the URL standard writes them: ASCII, the path from its first slash on and
    /// without dot segments.
    pub(super) fn write(self, text: &mut String, path: &str, query: Option<&str>) {
        self.write_path(text, path);
        let end = text.len();
        if let Some(query) = query {
            self.write_query(text, query);
        }
        // With a query the document's name may matter (`index.php?page=3`).
        if text.len() == end && self.drop_default_documents {
            let last = text.rfind('/').map_or(end, |slash| slash + 1);
            if DEFAULT_DOCUMENTS.iter().any(|name| text[last..].eq_ignore_ascii_case(name)) {
                text.truncate(last);
            }
        }
    }

    fn write_path(self, text: &mut String, path: &str) {
        let is_touched = encoding::is_needed(path)
            || self.drop_sessions && path.contains([';', '('])
            || self.merge_slashes && path.contains("//");
        if !is_touched {
            text.push_str(path);
            return;
        }
        let mut segments = path[1..].split('/').peekable();
        while let Some(segment) = segments.next() {
            let slash = text.len();
            text.push('/');
            encoding::push(text, segment, self);
            if self.drop_sessions {
                drop_session_parameters(text, slash + 1);
                if is_session_segment(&text[slash + 1..]) {
                    text.truncate(slash + usize::from(segments.peek().is_none()));
                    continue;
                }
            }
            let is_empty = text.len() == slash + 1;
            // `/web/http://b` carries a whole address.
            let is_doubled = is_empty && segments.peek().is_some() && !text[..slash].ends_with(':');
            if self.merge_slashes && is_doubled {
                text.truncate(slash);
            }
        }
    }

    fn write_query(self, text: &mut String, query: &str) {
        let mut encoded = String::new();
        let query = if encoding::is_needed(query) {
            encoding::push(&mut encoded, query, self);
            encoded.as_str()
        } else {
            query
        };
        let kept = query.split('&').filter_map(|pair| self.parameter(pair));
        let mut mark = '?';
        let mut push = |pair: &str| {
            text.push(mark);
            text.push_str(pair);
            mark = '&';
        };
        if self.sort_parameters {
            let mut pairs: Vec<&str> = kept.collect();
            pairs.sort_by_key(|pair| name_and_value(pair).0);
            pairs.into_iter().for_each(push);
        } else {
            kept.for_each(&mut push);
        }
    }

    /// Returns what is kept of one parameter.
    fn parameter(self, pair: &str) -> Option<&str> {
        let has_session = self.drop_sessions && pair.contains(';');
        let session = if has_session { find_ignoring_case(pair, ";jsessionid=") } else { None };
        let pair = &pair[..session.unwrap_or(pair.len())];
        let (name, value) = name_and_value(pair);
        let is_dropped = session == Some(0)
            || self.drop_empty_parameters && name.is_empty()
            || self.drop_tracking && is_tracking(name)
            || self.drop_sessions && is_session(name, value);
        if is_dropped {
            return None;
        }
        Some(if self.drop_empty_values && value.is_empty() { name } else { pair })
    }
}

fn name_and_value(pair: &str) -> (&str, &str) {
    pair.split_once('=').unwrap_or((pair, ""))
}

/// Looks a name up in lower case, without making a text of it.
fn look_up<T>(name: &str, find: impl FnOnce(&str) -> T) -> Option<T> {
    let mut lower = [0; LONGEST_NAME];
    let lower = lower.get_mut(..name.len())?;
    lower.copy_from_slice(name.as_bytes());
    lower.make_ascii_lowercase();
    std::str::from_utf8(lower).ok().map(find)
}

fn is_tracking(name: &str) -> bool {
    look_up(name, |name| {
        TRACKING.binary_search(&name).is_ok()
            || TRACKING_PREFIXES.iter().any(|prefix| name.starts_with(prefix))
    })
    .unwrap_or(false)
}

fn is_session(name: &str, value: &str) -> bool {
    look_up(name, |name| match SESSIONS.binary_search_by_key(&name, |(name, _)| name) {
        Ok(place) => SESSIONS[place].1.holds(value),
        Err(_) => SESSION_PREFIXES.iter().any(|prefix| name.starts_with(prefix)),
    })
    .unwrap_or(false)
}

impl Guard {
    fn holds(self, value: &str) -> bool {
        let bytes = value.as_bytes();
        match self {
            Self::Any => true,
            Self::NotANumber => {
                !(value.contains('/')
                    || !bytes.is_empty()
                        && bytes.len() <= 6
                        && bytes.iter().all(u8::is_ascii_digit))
            }
            Self::Token => {
                bytes.len() >= 16
                    && bytes.iter().all(u8::is_ascii_alphanumeric)
                    && bytes.iter().any(u8::is_ascii_digit)
            }
            Self::Hex32 => bytes.len() == 32 && bytes.iter().all(u8::is_ascii_hexdigit),
        }
    }
}

/// Tells ASP.NET's way of putting a visit into the path: `(S(…))`, `(A(…)F(…))`, and in its first
/// version 24 letters and digits in parentheses.
fn is_session_segment(segment: &str) -> bool {
    let Some(inner) = segment.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) else {
        return false;
    };
    let is_token = |text: &str| {
        !text.is_empty()
            && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
    };
    if inner.len() == 24 && is_token(inner) {
        return true;
    }
    let mut parts = inner.split_terminator(')').peekable();
    parts.peek().is_some()
        && inner.ends_with(')')
        && parts.all(|part| {
            let token = part.strip_prefix(['S', 'A', 'F', 'X', 's', 'a', 'f', 'x']);
            token.and_then(|token| token.strip_prefix('(')).is_some_and(is_token)
        })
}

/// Drops `;jsessionid=…` and its kin from the segment that begins at `start`.
fn drop_session_parameters(text: &mut String, start: usize) {
    let Some(first) = text[start..].find(';') else { return };
    // `..;sid=1` must not become `..`: nobody would resolve it.
    let name = text[start..start + first].to_ascii_lowercase().replace("%2e", ".");
    if matches!(name.as_str(), "." | "..") {
        return;
    }
    let parameters = text.split_off(start + first);
    for parameter in parameters[1..].split(';') {
        let is_mark =
            parameter.split_once('=').is_some_and(|(name, value)| is_session(name, value));
        if !is_mark {
            text.push(';');
            text.push_str(parameter);
        }
    }
}

fn find_ignoring_case(text: &str, lower: &str) -> Option<usize> {
    text.as_bytes()
        .windows(lower.len())
        .position(|window| window.eq_ignore_ascii_case(lower.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_sorted_and_lower_case() {
        assert!(TRACKING.is_sorted());
        assert!(SESSIONS.is_sorted_by_key(|(name, _)| name));
        let sessions = SESSIONS.iter().map(|(name, _)| name);
        for name in TRACKING.iter().chain(sessions) {
            assert!(name.len() <= LONGEST_NAME && **name == name.to_ascii_lowercase(), "{name}");
        }
    }
}
