//! Where pages may lie: from one page to the open web.

use std::collections::BTreeSet;

use base::{Host, Url};
use thiserror::Error;

use super::Country;

/// Where pages may lie.
///
/// Seeds, and what they redirect to, are in reach whatever it says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reach {
    /// Only the seeds themselves.
    Pages,
    /// The hosts of the seeds.
    Hosts(Names),
    /// The sites (registered domains) that the seeds belong to.
    Sites(Names),
    /// Names below any of these domains (`dk`, `example.org`).
    Domains(Names),
    /// A country, by its top-level domains.
    Country(Country),
    /// Everywhere.
    Open,
}

impl Reach {
    /// Returns the hosts of the seeds.
    pub fn hosts_of(seeds: &[Url]) -> Self {
        let exact = seeds.iter().map(|seed| seed.host_str().to_owned()).collect();
        Self::Hosts(Names { exact, ..Names::default() })
    }

    /// Returns the sites of the seeds.
    pub fn sites_of(seeds: &[Url]) -> Self {
        let mut names = Names::default();
        for seed in seeds {
            let site = seed.site();
            // Below a public suffix (`co.uk`) are other people's sites.
            let inner = Host::parse(&format!("x.{site}"));
            let is_domain = inner.is_some_and(|inner| inner.site() == site);
            if is_domain {
                names.below.insert(site.to_string());
            } else {
                names.exact.insert(seed.host_str().to_owned());
            }
        }
        Self::Sites(names)
    }

    /// Reads a list of domains as people write them: `dk`, `.example.org`, `*.bücher.example`.
    pub fn domains(domains: &[String]) -> Result<Self, BadDomain> {
        let mut names = Names::default();
        for text in domains {
            let bare = text.strip_prefix('*').unwrap_or(text);
            let bare = bare.strip_prefix('.').unwrap_or(bare);
            let host = Host::parse(bare).ok_or_else(|| BadDomain(text.clone()))?;
            match host.address() {
                Some(std::net::IpAddr::V6(address)) => names.exact.insert(format!("[{address}]")),
                Some(std::net::IpAddr::V4(_)) => names.exact.insert(host.to_string()),
                None => names.below.insert(host.to_string()),
            };
        }
        Ok(Self::Domains(names))
    }

    /// Returns whether a page that is not a seed lies here. Cost: O(labels · log names).
    pub(super) fn holds(&self, url: &Url) -> bool {
        match self {
            Self::Open => true,
            Self::Pages => false,
            Self::Hosts(names) | Self::Sites(names) | Self::Domains(names) => {
                names.hold(url.host_str())
            }
            Self::Country(country) => country.holds(url.host_str()),
        }
    }
}

/// What is not a domain.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{0}` is not a domain; write it like `example.org` or `dk`, without scheme and path")]
pub struct BadDomain(String);

/// A set of host names and domains.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names {
    /// Domains: they and all names below them.
    below: BTreeSet<String>,
    /// Single hosts.
    exact: BTreeSet<String>,
}

impl Names {
    fn hold(&self, host: &str) -> bool {
        let domains = std::iter::successors(Some(host), |name| Some(name.split_once('.')?.1));
        self.exact.contains(host)
            || !self.below.is_empty() && domains.into_iter().any(|name| self.below.contains(name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(reach: &Reach, url: &str, expected: bool) {
        assert_eq!(reach.holds(&Url::parse(url).unwrap()), expected, "{url}");
    }

    fn urls(texts: &[&str]) -> Vec<Url> {
        texts.iter().map(|text| Url::parse(text).unwrap()).collect()
    }

    fn domains(texts: &[&str]) -> Result<Reach, BadDomain> {
        Reach::domains(&texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn one_host_is_that_host() {
        let reach = Reach::hosts_of(&urls(&["http://www.example.com/a"]));
        check(&reach, "https://www.example.com/b", true);
        check(&reach, "http://www.example.com:8080/", true);
        check(&reach, "http://example.com/", false);
        check(&reach, "http://a.www.example.com/", false);
    }

    #[test]
    fn the_sites_of_the_seeds_are_their_registered_domains() {
        let reach =
            Reach::sites_of(&urls(&["http://www.example.com/a", "http://a.example.co.uk/"]));
        check(&reach, "https://blog.example.com/", true);
        check(&reach, "https://example.com/", true);
        check(&reach, "http://example.co.uk/", true);
        check(&reach, "http://other.co.uk/", false);
        check(&reach, "http://example.org/", false);
        check(&reach, "http://notexample.com/", false);
    }

    #[test]
    fn a_public_suffix_as_seed_does_not_open_what_is_below_it() {
        let reach =
            Reach::sites_of(&urls(&["http://co.uk/", "http://127.0.0.1/", "http://[::1]/"]));
        check(&reach, "http://co.uk/x", true);
        check(&reach, "http://example.co.uk/", false);
        check(&reach, "http://127.0.0.1/x", true);
        check(&reach, "http://127.0.0.2/", false);
        check(&reach, "http://[::1]/x", true);
    }

    #[test]
    fn domains_hold_what_lies_below_them() {
        let reach =
            domains(&["dk", ".Example.org", "*.bücher.example", "10.0.0.1", "::1"]).unwrap();
        check(&reach, "http://a.dk/", true);
        check(&reach, "http://example.org/", true);
        check(&reach, "http://a.b.example.org/", true);
        check(&reach, "http://notexample.org/", false);
        check(&reach, "http://www.xn--bcher-kva.example/", true);
        check(&reach, "http://10.0.0.1/", true);
        check(&reach, "http://[::1]/", true);
        check(&reach, "http://10.0.0.2/", false);
    }

    #[test]
    fn what_is_not_a_domain_is_an_error() {
        for text in ["", "*", "https://example.org/", "example.org/a", "a b"] {
            assert!(domains(&[text]).is_err(), "{text:?}");
        }
    }
}
