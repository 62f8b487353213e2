//! Canonical URLs: one page, one text (C9, W13).
//!
//! [`Url::parse`] is the only way from text to [`Url`]; everything downstream sees canonical
//! ones. The URL standard's parser (the `url` crate) does relative references, case, default
//! ports, dot segments and IDN; on top of it come the rules in [`Rules`].

mod encoding;
mod join;
mod rules;
mod tables;

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use thiserror::Error;

use crate::limits::URL_BYTES;
use crate::{Host, Site, host};

pub use join::Joiner;
pub use rules::Rules;

/// An absolute `http` or `https` URL in canonical form, at most [`URL_BYTES`] long.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Url {
    text: String,
    /// Where the host begins and ends, and where the path begins, in `text`.
    host_start: u16,
    host_end: u16,
    path_start: u16,
}

/// Why a text is not a URL that we could fetch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum BadUrl {
    /// The URL standard refuses it.
    #[error("not a URL")]
    Syntax,
    /// Something else than http or https.
    #[error("only http and https can be fetched")]
    Scheme,
    /// No host, a name that cannot exist (an empty label, a comma, too long), port 0.
    #[error("no usable host")]
    Host,
    /// Longer than the limit.
    #[error("longer than {URL_BYTES} bytes")]
    Length,
}

impl Url {
    /// Returns the canonical URL of an absolute address under the default [`Rules`].
    pub fn parse(text: &str) -> Result<Self, BadUrl> {
        Self::parse_with(text, Rules::default())
    }

    /// Like [`Self::parse`], with chosen rules.
    pub fn parse_with(text: &str, rules: Rules) -> Result<Self, BadUrl> {
        canonical(&parse_bounded(text, None)?, rules)
    }

    /// Returns the canonical URL of a reference (`../b?c`) found on this page.
    ///
    /// For many references of one page a [`Joiner`] is cheaper.
    pub fn join(&self, reference: &str) -> Result<Self, BadUrl> {
        self.join_with(reference, Rules::default())
    }

    /// Like [`Self::join`], with chosen rules.
    pub fn join_with(&self, reference: &str, rules: Rules) -> Result<Self, BadUrl> {
        Joiner::with_rules(self, rules).join(reference)
    }

    /// Rebuilds a URL from [`Self::surt`]; `None` if the text is not such a key.
    pub fn from_surt(key: &str) -> Option<Self> {
        let (authority, path) = key.split_once(')')?;
        let (rest, port) = match authority.rsplit_once(':')? {
            (rest, port) if port.bytes().all(|byte| byte.is_ascii_digit()) => (rest, Some(port)),
            _ => (authority, None),
        };
        let (reversed, scheme) = rest.rsplit_once(':')?;
        let host = if reversed.contains(':') {
            format!("[{reversed}]")
        } else if reversed.parse::<std::net::Ipv4Addr>().is_ok() {
            reversed.to_owned()
        } else {
            reversed.rsplit(',').collect::<Vec<_>>().join(".")
        };
        let port = port.map(|port| format!(":{port}")).unwrap_or_default();
        Self::from_canonical(format!("{scheme}://{host}{port}{path}"))
    }

    /// Returns the whole URL.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns `http` or `https`.
    pub fn scheme(&self) -> &str {
        if self.is_https() { "https" } else { "http" }
    }

    /// Returns whether the URL is fetched over TLS.
    pub fn is_https(&self) -> bool {
        self.text.starts_with("https:")
    }

    /// Returns the host.
    pub fn host(&self) -> Host {
        Host::from_canonical(self.host_str())
    }

    /// Returns the host as text, an IPv6 address with its brackets.
    pub fn host_str(&self) -> &str {
        &self.text[usize::from(self.host_start)..usize::from(self.host_end)]
    }

    /// Returns the site the host belongs to.
    pub fn site(&self) -> Site {
        self.host().site()
    }

    /// Returns the port that the URL names itself.
    pub fn explicit_port(&self) -> Option<u16> {
        let between = &self.text[usize::from(self.host_end)..usize::from(self.path_start)];
        between.strip_prefix(':')?.parse().ok()
    }

    /// Returns the port to dial.
    pub fn port(&self) -> u16 {
        self.explicit_port().unwrap_or(if self.is_https() { 443 } else { 80 })
    }

    /// Returns scheme, host and port (`https://example.com:8443`): what one robots.txt binds.
    pub fn origin(&self) -> &str {
        &self.text[..usize::from(self.path_start)]
    }

    /// Returns what stands after the origin: always begins with a slash.
    pub fn path_and_query(&self) -> &str {
        &self.text[usize::from(self.path_start)..]
    }

    /// Returns the path alone.
    pub fn path(&self) -> &str {
        let rest = self.path_and_query();
        rest.split_once('?').map_or(rest, |(path, _)| path)
    }

    /// Returns a key whose order keeps domains, hosts and paths together:
    /// `org,example,www:https)/a?b`.
    pub fn surt(&self) -> String {
        let mut key = String::with_capacity(self.text.len());
        let host = self.host_str();
        host::push_surt(&mut key, host.trim_start_matches('[').trim_end_matches(']'));
        key.push(':');
        key.push_str(self.scheme());
        key.push_str(&self.text[usize::from(self.host_end)..usize::from(self.path_start)]);
        key.push(')');
        key.push_str(self.path_and_query());
        key
    }

    /// Returns the URL of another page of this origin; `folder` and `path` make its path together.
    fn at(
        &self,
        folder: &str,
        path: &str,
        query: Option<&str>,
        rules: Rules,
    ) -> Result<Self, BadUrl> {
        let origin = self.origin();
        let room = folder.len() + path.len() + query.map_or(0, str::len) + 1;
        let mut text = String::with_capacity(origin.len() + room);
        text.push_str(origin);
        if folder.is_empty() {
            rules.write(&mut text, path, query);
        } else {
            rules.write(&mut text, &[folder, path].concat(), query);
        }
        let (start, end) = (usize::from(self.host_start), usize::from(self.host_end));
        Self::from_parts(text, start, end, origin.len())
    }

    fn from_parts(
        text: String,
        host_start: usize,
        host_end: usize,
        path_start: usize,
    ) -> Result<Self, BadUrl> {
        if text.len() > URL_BYTES {
            return Err(BadUrl::Length);
        }
        let narrow = |place: usize| u16::try_from(place).expect("URLs are at most 2,048 bytes");
        let (host_start, host_end) = (narrow(host_start), narrow(host_end));
        Ok(Self { text, host_start, host_end, path_start: narrow(path_start) })
    }

    /// Takes a text that this type has written before; `None` if its parts cannot be found.
    fn from_canonical(text: String) -> Option<Self> {
        let host_start = match text.split_once("://")? {
            ("http", _) => 7,
            ("https", _) => 8,
            _ => return None,
        };
        let path_start = host_start + text[host_start..].find('/')?;
        let authority = &text[host_start..path_start];
        let host_len = match authority.rfind(']') {
            Some(end) => end + 1,
            None => authority.find(':').unwrap_or(authority.len()),
        };
        if host_len == 0 {
            return None;
        }
        Self::from_parts(text, host_start, host_start + host_len, path_start).ok()
    }
}

impl fmt::Display for Url {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.text)
    }
}

impl fmt::Debug for Url {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.text, formatter)
    }
}

impl Serialize for Url {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text)
    }
}

impl<'de> Deserialize<'de> for Url {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::from_canonical(text)
            .ok_or_else(|| <D::Error as serde::de::Error>::custom("not a canonical URL"))
    }
}

fn parse_bounded(text: &str, base: Option<&url::Url>) -> Result<url::Url, BadUrl> {
    // Percent-encoding can triple a text, dropping parameters can shorten it: parse with room
    // to spare, judge the length of the result.
    if text.len() > 4 * URL_BYTES {
        return Err(BadUrl::Length);
    }
    let options = url::Url::options().base_url(base);
    let parsed = match with_two_slashes(text) {
        Some(text) if base.is_some() => options.parse(&text),
        _ => options.parse(text),
    };
    parsed.map_err(|_| BadUrl::Syntax)
}

/// Returns `///host` as `//host`: in a reference the URL standard overlooks the slashes that are
/// too many, the `url` crate does not (URL-03).
fn with_two_slashes(reference: &str) -> Option<String> {
    let reference = reference.trim_start_matches(|letter| letter <= ' ');
    let rest = reference.trim_start_matches(['/', '\\']);
    (reference.len() - rest.len() > 2).then(|| format!("//{rest}"))
}

fn canonical(url: &url::Url, rules: Rules) -> Result<Url, BadUrl> {
    if !matches!(url.scheme(), "http" | "https") {
        return Err(BadUrl::Scheme);
    }
    let host = url.host_str().ok_or(BadUrl::Host)?;
    let bare = host.strip_suffix('.').unwrap_or(host);
    let is_name = matches!(url.host(), Some(url::Host::Domain(_)));
    if is_name && !is_dns_name(bare) || url.port() == Some(0) {
        return Err(BadUrl::Host);
    }
    let host = if rules.drop_trailing_dot { bare } else { host };
    let mut text = String::with_capacity(url.as_str().len());
    text.push_str(url.scheme());
    text.push_str("://");
    let host_start = text.len();
    text.push_str(host);
    let host_end = text.len();
    if let Some(port) = url.port() {
        text.push(':');
        text.push_str(&port.to_string());
    }
    let path_start = text.len();
    rules.write(&mut text, url.path(), url.query());
    Url::from_parts(text, host_start, host_end, path_start)
}

/// Letters, digits, `-` and `_`, as all names that exist are made of. The URL standard lets more
/// through; a comma would make two hosts one in [`Url::surt`] (`www.uiuc,edu`, on real pages).
fn is_dns_name(name: &str) -> bool {
    let is_usual = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    let is_label = |label: &str| (1..=63).contains(&label.len()) && label.bytes().all(is_usual);
    name.len() <= 253 && name.split('.').all(is_label)
}
