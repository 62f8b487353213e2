//! Values of `site:`: a domain, or a port or a folder of a host, in the form that is compared and
//! shown.
//!
//! ```text
//! site = host (":" port)? ("/" path)?
//! ```
//! Without a port and a path it means the host and all that is below it.

use base::{Host, Url};

use super::field::scheme;
use super::lex::ends_word;

/// A value of `site:` taken apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Site<'a> {
    /// A canonical name or address.
    pub(crate) host: &'a str,
    /// The only port that counts; `None` for any.
    pub(crate) port: Option<u16>,
    /// How paths begin; with its first slash, or empty for any.
    pub(crate) path: &'a str,
}

impl<'a> Site<'a> {
    /// Takes apart what [`canonical`] has made.
    pub(crate) fn of(value: &'a str) -> Self {
        let (authority, path) = value.split_at(value.find('/').unwrap_or(value.len()));
        let (host, port) = cut_port(authority);
        Self { host, port: port.and_then(|port| port.parse().ok()), path }
    }

    /// Returns whether all of another site is part of this one, as far as names tell.
    pub(crate) fn covers(&self, other: &Site<'_>) -> bool {
        let Some(above) = other.host.strip_suffix(self.host) else { return false };
        if !above.is_empty() {
            return above.ends_with('.') && self.port.is_none() && self.path.is_empty();
        }
        let rest = other.path.strip_prefix(self.path);
        let is_folder =
            |rest: &str| rest.is_empty() || rest.starts_with('/') || self.path.ends_with('/');
        (self.port.is_none() || self.port == other.port) && rest.is_some_and(is_folder)
    }
}

/// Returns a domain, with the port and the folder that are named, as it is compared and shown;
/// `None` if it can be none.
pub(super) fn canonical(value: &str) -> Option<String> {
    let is_web = |scheme: &str| ["http", "https"].iter().any(|it| scheme.eq_ignore_ascii_case(it));
    let value = match scheme(value) {
        Some((scheme, rest)) if is_web(scheme) => rest,
        _ => value,
    };
    let value = value.trim_start_matches("*.").trim_start_matches('.');
    let (authority, path) = value.split_once('/').unwrap_or((value, ""));
    let (host, port) = cut_port(authority);
    let host = Host::parse(host)?;
    let name = host.as_str();
    let shown = match port {
        Some(port) => format!("{name}:{}", number(port)?),
        None => name.to_owned(),
    };
    if path.is_empty() {
        return Some(shown);
    }
    // What must be quoted or put between brackets could not be written as a value again.
    if name.contains(':') {
        return None;
    }
    let url = Url::parse(&format!("http://{name}/{path}")).ok()?;
    match url.path_and_query() {
        "/" => Some(shown),
        folder if folder.contains(ends_word) => None,
        folder => Some(format!("{shown}{folder}")),
    }
}

/// Cuts a host from its port. Of an address with several colons all are its own.
fn cut_port(authority: &str) -> (&str, Option<&str>) {
    match authority.rsplit_once(':') {
        Some((host, port)) if !host.contains(':') => (host, Some(port)),
        _ => (authority, None),
    }
}

fn number(port: &str) -> Option<u16> {
    let is_number = port.bytes().all(|byte| byte.is_ascii_digit());
    port.parse().ok().filter(|number| is_number && *number > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(value: &str, expected: &str) {
        let site = canonical(value);
        assert_eq!(site.as_deref().unwrap_or("none"), expected, "{value:?}");
        if let Some(site) = site {
            assert_eq!(canonical(&site).as_deref(), Some(expected), "it stays as it is");
        }
    }

    #[test]
    fn a_site_is_a_domain_a_port_or_a_folder() {
        check("*.Zoo.example", "zoo.example");
        check("zoo.example/", "zoo.example");
        check("zoo.example/.", "zoo.example");
        check("zoo.example/cats/../Big cats", "zoo.example/Big%20cats");
        check("docs.example:8080", "docs.example:8080");
        check("docs.example:08080/", "docs.example:8080");
        check("https://Docs.example:8080/py", "docs.example:8080/py");
        check("127.0.0.1:80/x:1", "127.0.0.1:80/x:1");
        check("::1", "::1");
        for value in ["", "a b", ":80", "a:", "a:0", "a:+80", "a:65536", "a:b", "[::1]:80", "::1/x"]
        {
            check(value, "none");
        }
    }

    #[test]
    fn only_what_an_address_begins_with_is_a_scheme() {
        let archived = "web.archive.org/web/2020/http://zoo.example";
        check(archived, archived);
        check(&format!("HTTPS://{archived}"), archived);
        check("http://a.example/web/http://b.example/c", "a.example/web/http://b.example/c");
        check("a.example/x?u=http://b.example", "a.example/x?u=http://b.example");
        check("http://http://a.example", "none");
        check("ftp://a.example", "none");
    }

    #[test]
    fn a_site_has_parts_and_covers_others() {
        let site = |host, port, path| Site { host, port, path };
        assert_eq!(Site::of("a.example"), site("a.example", None, ""));
        assert_eq!(Site::of("a.example:80"), site("a.example", Some(80), ""));
        assert_eq!(Site::of("a.example/x:1"), site("a.example", None, "/x:1"));
        assert_eq!(Site::of("::1"), site("::1", None, ""));
        let covers = |one, other| Site::of(one).covers(&Site::of(other));
        for other in ["a.example", "b.a.example:80/x", "a.example:80", "a.example/x"] {
            assert!(covers("a.example", other), "{other}");
        }
        assert!(!covers("a.example", "fa.example"));
        for (one, is_covering, others) in [
            ("a.example/x", true, ["a.example/x", "a.example/x/y", "a.example:80/x"]),
            ("a.example/x", false, ["a.example", "a.example/xy", "b.a.example/x"]),
            ("a.example/x/", true, ["a.example/x/", "a.example/x/y", "a.example:80/x/y"]),
            ("a.example:80", true, ["a.example:80", "a.example:80/x", "a.example:80/y"]),
            ("a.example:80", false, ["a.example", "a.example:81", "b.a.example:80"]),
        ] {
            for other in others {
                assert_eq!(covers(one, other), is_covering, "{one} {other}");
            }
        }
    }
}
