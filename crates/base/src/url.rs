//! Canonical URLs: one page, one text (C9, W13).
//!
//! [`Url::parse`] is the only way from text to [`Url`]; everything downstream sees canonical
//! ones. The URL standard's parser (the `url` crate) does relative references, case, default
//! ports, dot segments and IDN; on top of it come the rules in [`Rules`].

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use thiserror::Error;

use crate::limits::URL_BYTES;
use crate::{Host, Site};

/// An absolute `http` or `https` URL in canonical form, at most [`URL_BYTES`] long.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Url {
    text: String,
    /// Where the host begins and ends, and where the path begins, in `text`.
    host_start: u16,
    host_end: u16,
    path_start: u16,
}

/// Which rewritings beyond the URL standard are applied. All of them are on by default.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// `/a/index.html` is `/a/`.
    pub drop_default_documents: bool,
    /// `utm_source=…`, `gclid=…` and other marks of where a visitor came from go.
    pub drop_tracking: bool,
    /// `PHPSESSID=…`, `;jsessionid=…` and other marks of one visit go.
    pub drop_sessions: bool,
}

impl Default for Rules {
    fn default() -> Self {
        Self { drop_default_documents: true, drop_tracking: true, drop_sessions: true }
    }
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
    /// No host, an empty label, a name too long, port 0.
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
        canonical(parse_bounded(text, None)?, rules)
    }

    /// Returns the canonical URL of a reference (`../b?c`) found on this page.
    pub fn join(&self, reference: &str) -> Result<Self, BadUrl> {
        self.join_with(reference, Rules::default())
    }

    /// Like [`Self::join`], with chosen rules.
    pub fn join_with(&self, reference: &str, rules: Rules) -> Result<Self, BadUrl> {
        let base = url::Url::parse(&self.text).map_err(|_| BadUrl::Syntax)?;
        canonical(parse_bounded(reference, Some(&base))?, rules)
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
        let port = self.explicit_port().map(|port| format!(":{port}")).unwrap_or_default();
        let (scheme, rest) = (self.scheme(), self.path_and_query());
        format!("{}:{scheme}{port}){rest}", self.host().surt())
    }

    /// Takes a text that this type has written before; `None` if its parts cannot be found.
    fn from_canonical(text: String) -> Option<Self> {
        if text.len() > URL_BYTES {
            return None;
        }
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
        let narrow = |place: usize| u16::try_from(place).expect("URLs are at most 2,048 bytes");
        let host_end = narrow(host_start + host_len);
        Some(Self {
            host_start: narrow(host_start),
            host_end,
            path_start: narrow(path_start),
            text,
        })
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
    url::Url::options().base_url(base).parse(text).map_err(|_| BadUrl::Syntax)
}

fn canonical(mut url: url::Url, rules: Rules) -> Result<Url, BadUrl> {
    if !matches!(url.scheme(), "http" | "https") {
        return Err(BadUrl::Scheme);
    }
    url.set_fragment(None);
    let host = url.host_str().ok_or(BadUrl::Host)?;
    let bare = host.strip_suffix('.').unwrap_or(host);
    let is_name = matches!(url.host(), Some(url::Host::Domain(_)));
    if is_name && !is_dns_name(bare) || url.port() == Some(0) {
        return Err(BadUrl::Host);
    }
    let port = url.port().map(|port| format!(":{port}")).unwrap_or_default();
    let query = url.query().map(|query| canonical_query(query, rules)).unwrap_or_default();
    let path = canonical_path(url.path(), !query.is_empty(), rules);
    let mark = if query.is_empty() { "" } else { "?" };
    let text = format!("{}://{bare}{port}{path}{mark}{query}", url.scheme());
    if text.len() > URL_BYTES {
        return Err(BadUrl::Length);
    }
    Url::from_canonical(text).ok_or(BadUrl::Syntax)
}

fn is_dns_name(name: &str) -> bool {
    name.len() <= 253 && name.split('.').all(|label| (1..=63).contains(&label.len()))
}

/// Pages that servers send for a folder.
const DEFAULT_DOCUMENTS: [&str; 12] = [
    "index.html",
    "index.htm",
    "index.xhtml",
    "index.shtml",
    "index.php",
    "index.asp",
    "index.aspx",
    "index.jsp",
    "default.html",
    "default.htm",
    "default.asp",
    "default.aspx",
];

fn canonical_path(path: &str, has_query: bool, rules: Rules) -> String {
    let mut path = normal_percent(path);
    while rules.drop_sessions
        && let Some(start) = path.to_ascii_lowercase().rfind(";jsessionid=")
        && !path[start..].contains('/')
    {
        path.truncate(start);
    }
    let last = path.rfind('/').map_or(0, |slash| slash + 1);
    // With a query the document's name may matter (`index.php?page=3`).
    if rules.drop_default_documents
        && !has_query
        && DEFAULT_DOCUMENTS.iter().any(|name| path[last..].eq_ignore_ascii_case(name))
    {
        path.truncate(last);
    }
    path
}

fn canonical_query(query: &str, rules: Rules) -> String {
    let query = normal_percent(query);
    let kept = query.split('&').filter(|pair| {
        let name = pair.split('=').next().unwrap_or(pair).to_ascii_lowercase();
        !(pair.is_empty()
            || rules.drop_tracking && is_tracking(&name)
            || rules.drop_sessions && is_session(&name))
    });
    kept.collect::<Vec<_>>().join("&")
}

fn is_tracking(name: &str) -> bool {
    name.starts_with("utm_")
        || matches!(
            name,
            "gclid" | "fbclid" | "dclid" | "msclkid" | "yclid" | "mc_cid" | "mc_eid" | "igshid"
        )
}

fn is_session(name: &str) -> bool {
    matches!(
        name,
        "phpsessid"
            | "jsessionid"
            | "aspsessionid"
            | "sessionid"
            | "session_id"
            | "sid"
            | "cfid"
            | "cftoken"
    )
}

/// Decodes percent-encoded unreserved characters and writes the other ones in upper case.
///
/// A text with a percent sign that encodes nothing (`100%`) stays as it is: whoever wrote it did
/// not mean encodings, and decoding a part could make new ones.
fn normal_percent(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = String::with_capacity(text.len());
    let mut place = 0;
    while let Some(offset) = text[place..].find('%') {
        let percent = place + offset;
        out.push_str(&text[place..percent]);
        let hex = |at: usize| bytes.get(at).and_then(|byte| (*byte as char).to_digit(16));
        match (hex(percent + 1), hex(percent + 2)) {
            (Some(high), Some(low)) => {
                let byte = (high * 16 + low) as u8;
                if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
                    out.push(byte as char);
                } else {
                    out.push_str(&format!("%{byte:02X}"));
                }
                place = percent + 3;
            }
            _ => return text.to_owned(),
        }
    }
    out.push_str(&text[place..]);
    out
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn check(input: &str, expected: &str) {
        assert_eq!(Url::parse(input).unwrap().as_str(), expected);
    }

    #[track_caller]
    fn refuse(input: &str, expected: BadUrl) {
        assert_eq!(Url::parse(input).unwrap_err(), expected, "{input:?}");
    }

    #[test]
    fn w13_one_page_has_one_url() {
        check("http://example.com:80/toto", "http://example.com/toto");
        check("http://example.com/titi/../toto", "http://example.com/toto");
        check("http://www.somepage.com", "http://www.somepage.com/");
        check("http://www.somepage.com/index.html", "http://www.somepage.com/");
    }

    #[test]
    fn case_port_dots_and_tilde_are_normal() {
        check("HTTP://EXAMPLE.com:80/%7Euser/./a/../", "http://example.com/~user/");
        check("https://example.com:443/a?b", "https://example.com/a?b");
        check("http://example.com.:8080/#frag", "http://example.com:8080/");
        check("http://bücher.example/ü", "http://xn--bcher-kva.example/%C3%BC");
    }

    #[test]
    fn reserved_characters_keep_their_encoding() {
        check("http://a.example/x%2fy?q=a%26b+c%20d", "http://a.example/x%2Fy?q=a%26b+c%20d");
        check("http://a.example/100%?%zz", "http://a.example/100%?%zz");
        check("http://a.example/%%34%31", "http://a.example/%%34%31");
    }

    #[test]
    fn marks_of_a_visit_are_dropped() {
        check("http://a.example/p;jsessionid=12AB?x=1", "http://a.example/p?x=1");
        check("http://a.example/p?PHPSESSID=12&x=1&utm_source=m", "http://a.example/p?x=1");
        check("http://a.example/p?sid=9", "http://a.example/p");
        check("http://a.example/p?", "http://a.example/p");
        check("http://a.example/p;jsessionid=1;jsessionid=2", "http://a.example/p");
        check("http://a.example/p?%75tm_source=m", "http://a.example/p");
        check("http://a.example/index.html?utm_source=m", "http://a.example/");
    }

    #[test]
    fn a_default_document_with_a_query_stays() {
        check("http://a.example/index.php?p=3", "http://a.example/index.php?p=3");
        check("http://a.example/d/Default.aspx", "http://a.example/d/");
    }

    #[test]
    fn rules_can_be_switched_off() {
        let rules = Rules { drop_default_documents: false, ..Rules::default() };
        let url = Url::parse_with("http://a.example/index.html", rules).unwrap();
        assert_eq!(url.as_str(), "http://a.example/index.html");
    }

    #[test]
    fn userinfo_is_never_kept() {
        check("http://user:pass@a.example/", "http://a.example/");
        check("http://good.example@evil.example/", "http://evil.example/");
    }

    #[test]
    fn odd_spellings_of_addresses_become_the_address() {
        for text in ["http://0x7f.1/", "http://2130706433/", "http://0177.0.0.1/"] {
            check(text, "http://127.0.0.1/");
        }
        let url = Url::parse("http://[::1]:8080/a").unwrap();
        assert_eq!((url.host().as_str(), url.port()), ("::1", 8080));
    }

    #[test]
    fn what_cannot_be_fetched_is_refused() {
        refuse("javascript:alert(1)", BadUrl::Scheme);
        refuse("mailto:a@b.example", BadUrl::Scheme);
        refuse("example.com/x", BadUrl::Syntax);
        refuse("http://a.example:65536/", BadUrl::Syntax);
        refuse("http://a.example:0/", BadUrl::Host);
        refuse("http://a..example/", BadUrl::Host);
        refuse(&format!("http://{}.example/", "a".repeat(64)), BadUrl::Host);
        refuse(&format!("http://a.example/{}", "a".repeat(URL_BYTES)), BadUrl::Length);
    }

    #[test]
    fn references_are_resolved_against_their_page() {
        let page = Url::parse("http://a.example/b/c?d").unwrap();
        let check = |reference, expected| {
            assert_eq!(page.join(reference).unwrap().as_str(), expected);
        };
        check("../x", "http://a.example/x");
        check("//other.example", "http://other.example/");
        check("?e", "http://a.example/b/c?e");
        check("#top", "http://a.example/b/c?d");
    }

    #[test]
    fn parts_are_found() {
        let url = Url::parse("https://www.example.org:8443/a/b?c=d").unwrap();
        assert_eq!(url.origin(), "https://www.example.org:8443");
        assert_eq!(url.path(), "/a/b");
        assert_eq!(url.path_and_query(), "/a/b?c=d");
        assert_eq!(url.surt(), "org,example,www:https:8443)/a/b?c=d");
    }

    #[test]
    fn surt_keys_lead_back() {
        for text in [
            "http://example.com/a)b",
            "https://www.example.org:8443/a?b=c",
            "http://[::1]:8080/",
            "http://127.0.0.1/x",
        ] {
            let url = Url::parse(text).unwrap();
            assert_eq!(Url::from_surt(&url.surt()), Some(url));
        }
        for text in ["", "a", "a)", "a:http)", "a:ftp)/", ":http)/"] {
            assert_eq!(Url::from_surt(text), None, "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn canonical_is_canonical_already(text in "https?://[a-z]{1,8}\\.[a-z]{2,3}(:[0-9]{1,4})?(/[ -~ü]{0,20}){0,3}(;jsessionid=[0-9]|/index.html|[?][%a-z0-9=&_]{0,20}){0,2}") {
            if let Ok(url) = Url::parse(&text) {
                let again = Url::parse(url.as_str()).unwrap();
                prop_assert_eq!(&again, &url);
                prop_assert_eq!(Url::from_surt(&url.surt()), Some(url));
            }
        }

        #[test]
        fn any_text_is_answered(text in "\\PC{0,200}") {
            let _ = Url::parse(&text);
            let _ = Url::from_surt(&text);
        }
    }
}
