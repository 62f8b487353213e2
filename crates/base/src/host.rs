//! Host names and the web sites they belong to.

use std::fmt;
use std::net::{IpAddr, Ipv6Addr};

use serde::{Deserialize, Serialize};

/// A host in canonical form: lower-case ASCII name (punycode) or an address without brackets.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Host(String);

/// The registered domain a host belongs to (`www.cs.example.ac.uk` → `example.ac.uk`).
///
/// An address, and a name that is itself a public suffix, are sites of their own.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Site(String);

impl Host {
    /// Wraps a name that [`crate::Url`] has made canonical.
    pub(crate) fn from_canonical(name: &str) -> Self {
        Self(name.trim_start_matches('[').trim_end_matches(']').to_owned())
    }

    /// Returns the host of a name typed by a person, or `None` if no URL could have it.
    pub fn parse(name: &str) -> Option<Self> {
        let text = if name.parse::<Ipv6Addr>().is_ok() {
            format!("http://[{name}]/")
        } else if name.contains([':', '/', '@', '?', '#']) {
            return None;
        } else {
            format!("http://{name}/")
        };
        Some(crate::Url::parse(&text).ok()?.host())
    }

    /// Returns the name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the address if the host is named by one.
    pub fn address(&self) -> Option<IpAddr> {
        address_of(&self.0)
    }

    /// Returns the site that this host belongs to.
    pub fn site(&self) -> Site {
        // The suffix list answers for addresses too (`0.1` as the "domain" of `127.0.0.1`).
        if self.address().is_some() {
            return Site(self.0.clone());
        }
        Site(psl::domain_str(&self.0).unwrap_or(&self.0).to_owned())
    }

    /// Returns the labels from the top down, joined by commas (`org,example,www`), so that the
    /// hosts of a domain are neighbours when sorted. An address stays as it is.
    pub fn surt(&self) -> String {
        let mut key = String::with_capacity(self.0.len());
        push_surt(&mut key, &self.0);
        key
    }
}

/// Appends the labels of a canonical host from the top down; see [`Host::surt`].
pub(crate) fn push_surt(key: &mut String, host: &str) {
    if address_of(host).is_some() {
        key.push_str(host);
        return;
    }
    let mut labels = host.rsplit('.');
    key.push_str(labels.next().unwrap_or_default());
    for label in labels {
        key.push(',');
        key.push_str(label);
    }
}

fn address_of(host: &str) -> Option<IpAddr> {
    // Asked for every link: most names are told from addresses by one look.
    let may_be = host.contains(':') || host.ends_with(|last: char| last.is_ascii_digit());
    if may_be { host.parse().ok() } else { None }
}

impl Site {
    /// Returns the site's name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Host {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl fmt::Display for Site {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(host: &str, site: &str) {
        assert_eq!(Host::parse(host).unwrap().site().as_str(), site);
    }

    #[test]
    fn a_site_is_the_registered_domain() {
        check("www.cs.example.ac.uk", "example.ac.uk");
        check("example.com", "example.com");
        check("a.b.lookfar", "b.lookfar");
    }

    #[test]
    fn addresses_and_suffixes_are_sites_of_their_own() {
        check("127.0.0.1", "127.0.0.1");
        check("::1", "::1");
        check("co.uk", "co.uk");
    }

    #[test]
    fn hosts_sort_by_domain() {
        assert_eq!(Host::parse("www.example.org").unwrap().surt(), "org,example,www");
        assert_eq!(Host::parse("127.0.0.1").unwrap().surt(), "127.0.0.1");
    }

    #[test]
    fn what_is_not_a_host_is_refused() {
        for text in ["", "a b", "a/b", "a:80", "http://a", "a..b", "[::1%25eth0]"] {
            assert!(Host::parse(text).is_none(), "{text:?}");
        }
    }
}
