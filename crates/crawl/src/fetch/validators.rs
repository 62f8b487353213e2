//! What a server said of the state of a resource, and the questions that can be asked with it.

use base::Timestamp;
use hyper::header::{
    ETAG, HeaderMap, HeaderName, HeaderValue, IF_MODIFIED_SINCE, IF_NONE_MATCH, LAST_MODIFIED,
};
use serde::{Deserialize, Serialize};

/// Entity tag and date of the last change, as far as they may be sent back: checked when they
/// came, each at most a kilobyte.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Validators {
    etag: Option<String>,
    modified: Option<String>,
}

/// Longest validator that is kept (HTTP-13).
const BYTES: usize = 1024;
/// A file of the web cannot be older than the web: 1990 (HTTP-14).
const WEB_BEGAN: Timestamp = Timestamp::from_millis(631_152_000_000);

impl Validators {
    /// Takes what a response of the moment `at` says, if it is sound.
    pub(crate) fn of(headers: &HeaderMap, at: Timestamp) -> Self {
        Self { etag: etag(headers), modified: modified(headers, at) }
    }

    /// Returns what a 304 said, and what was known before where it said nothing.
    #[must_use]
    pub(crate) fn renewed(&self, headers: &HeaderMap, at: Timestamp) -> Self {
        let Self { etag, modified } = Self::of(headers, at);
        Self {
            etag: etag.or_else(|| self.etag.clone()),
            modified: modified.or_else(|| self.modified.clone()),
        }
    }

    /// Returns the fields that make a question conditional.
    pub(crate) fn conditions(&self) -> Vec<(HeaderName, HeaderValue)> {
        let fields = [(IF_NONE_MATCH, &self.etag), (IF_MODIFIED_SINCE, &self.modified)];
        let fields = fields.into_iter().filter_map(|(name, value)| {
            let value = value.as_ref()?;
            Some((name, HeaderValue::from_str(value).ok()?))
        });
        fields.collect()
    }
}

/// Returns the entity tag if it is safe to send back: well-formed, visible ASCII, not long.
fn etag(headers: &HeaderMap) -> Option<String> {
    let tag = headers.get(ETAG)?.to_str().ok()?;
    let inner = tag.strip_prefix("W/").unwrap_or(tag).strip_prefix('"')?.strip_suffix('"')?;
    let is_sound = inner.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'"');
    (is_sound && tag.len() <= BYTES).then(|| tag.to_owned())
}

/// Returns the date of the last change if it is one, in the usual form, and can be true.
fn modified(headers: &HeaderMap, at: Timestamp) -> Option<String> {
    let text = headers.get(LAST_MODIFIED)?.to_str().ok()?;
    let date = httpdate::parse_http_date(text).ok()?;
    let is_usual = httpdate::fmt_http_date(date) == text;
    let is_possible = (WEB_BEGAN..=at).contains(&Timestamp::from(date));
    (is_usual && is_possible).then(|| text.to_owned())
}
