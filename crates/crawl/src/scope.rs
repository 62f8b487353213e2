//! Which URLs belong to the collection (C10, thin): sites or domains, depth, numbers, shape.

use std::collections::{BTreeSet, HashMap};

use base::{Site, Url, limits};

/// Decides which discovered URLs are kept.
#[derive(Clone, Debug)]
pub struct Scope {
    /// Where pages may lie.
    pub reach: Reach,
    /// Most links between a seed and a page. Default 32: deeper is a trap more often than not.
    pub depth: u16,
    /// Most pages fetched in all; `None` for no limit.
    pub pages: Option<u64>,
    /// Most URLs kept of one host. Default 100,000.
    pub pages_per_host: u64,
}

/// Where pages may lie.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reach {
    /// The sites (registered domains) that the seeds belong to.
    SitesOfSeeds(BTreeSet<Site>),
    /// Names below any of these domains (`dk`, `example.org`).
    Domains(Vec<String>),
    /// Everywhere.
    Open,
}

/// Why a discovered URL is not kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum LeftOut {
    /// On a site that is not asked for.
    OutOfReach,
    /// Further from a seed than the limit.
    TooDeep,
    /// The host has as many URLs as it may.
    HostFull,
    /// A path that looks endless.
    Trap,
    /// A port that web servers do not have.
    Port,
    /// Something that is never a page of ours, such as robots.txt.
    NotAPage,
}

impl LeftOut {
    /// Returns a short name for counters.
    pub fn name(self) -> &'static str {
        match self {
            Self::OutOfReach => "out-of-reach",
            Self::TooDeep => "too-deep",
            Self::HostFull => "host-full",
            Self::Trap => "trap",
            Self::Port => "blocked-port",
            Self::NotAPage => "not-a-page",
        }
    }
}

impl Scope {
    /// Returns a scope of the sites that the seeds belong to.
    pub fn sites_of(seeds: &[Url]) -> Self {
        Self::new(Reach::SitesOfSeeds(seeds.iter().map(Url::site).collect()))
    }

    /// Returns a scope with the default limits.
    pub fn new(reach: Reach) -> Self {
        Self { reach, depth: 32, pages: None, pages_per_host: 100_000 }
    }

    /// Judges a URL found `depth` links from a seed on a host that has `known` URLs already.
    pub fn judge(&self, url: &Url, depth: u16, known: u64) -> Result<(), LeftOut> {
        if url.path() == "/robots.txt" {
            return Err(LeftOut::NotAPage);
        }
        if !is_web_port(url.port()) {
            return Err(LeftOut::Port);
        }
        if depth > self.depth {
            return Err(LeftOut::TooDeep);
        }
        if !self.reach.holds(url) {
            return Err(LeftOut::OutOfReach);
        }
        if is_endless(url.path()) {
            return Err(LeftOut::Trap);
        }
        if known >= self.pages_per_host {
            return Err(LeftOut::HostFull);
        }
        Ok(())
    }
}

impl Reach {
    fn holds(&self, url: &Url) -> bool {
        match self {
            Self::Open => true,
            Self::SitesOfSeeds(sites) => sites.contains(&url.site()),
            Self::Domains(domains) => domains.iter().any(|domain| is_below(url.host_str(), domain)),
        }
    }
}

/// Ports that web servers are found at; others speak other languages (TCP-07).
pub(crate) fn is_web_port(port: u16) -> bool {
    matches!(port, 80 | 443) || port >= 1024 && !matches!(port, 3306 | 5432 | 6379 | 9200 | 11211)
}

fn is_below(host: &str, domain: &str) -> bool {
    let rest = host.strip_suffix(domain.trim_start_matches('.'));
    rest.is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
}

/// Returns whether a path is one of those that grow without end (URL-17).
fn is_endless(path: &str) -> bool {
    let mut times: HashMap<&str, usize> = HashMap::new();
    let mut segments = 0;
    for segment in path.split('/').filter(|segment| !segment.is_empty()) {
        segments += 1;
        let seen = times.entry(segment).or_default();
        *seen += 1;
        if segments > limits::PATH_SEGMENTS || *seen > limits::SEGMENT_REPEATS {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(scope: &Scope, url: &str, expected: Result<(), LeftOut>) {
        assert_eq!(scope.judge(&Url::parse(url).unwrap(), 1, 0), expected, "{url}");
    }

    #[test]
    fn the_sites_of_the_seeds_are_in_reach() {
        let scope = Scope::sites_of(&[Url::parse("http://www.example.com/a").unwrap()]);
        check(&scope, "https://blog.example.com/", Ok(()));
        check(&scope, "http://example.org/", Err(LeftOut::OutOfReach));
    }

    #[test]
    fn domains_hold_what_lies_below_them() {
        let scope = Scope::new(Reach::Domains(vec!["dk".to_owned(), ".example.org".to_owned()]));
        check(&scope, "http://a.dk/", Ok(()));
        check(&scope, "http://example.org/", Ok(()));
        check(&scope, "http://notexample.org/", Err(LeftOut::OutOfReach));
    }

    #[test]
    fn url_17_endless_paths_are_traps() {
        let scope = Scope::new(Reach::Open);
        check(&scope, "http://a.example/x/x/x/", Ok(()));
        check(&scope, "http://a.example/x/x/x/x/", Err(LeftOut::Trap));
        let long: String = (0..33).map(|n| format!("/{n}")).collect();
        check(&scope, &format!("http://a.example{long}"), Err(LeftOut::Trap));
    }

    #[test]
    fn tcp_07_ports_of_other_services_are_left_out() {
        let scope = Scope::new(Reach::Open);
        check(&scope, "http://a.example:8080/", Ok(()));
        for port in [22, 25, 6379, 11211] {
            check(&scope, &format!("http://a.example:{port}/"), Err(LeftOut::Port));
        }
    }

    #[test]
    fn depth_and_host_size_are_bounded() {
        let scope = Scope { depth: 3, pages_per_host: 5, ..Scope::new(Reach::Open) };
        let url = Url::parse("http://a.example/x").unwrap();
        assert_eq!(scope.judge(&url, 4, 0), Err(LeftOut::TooDeep));
        assert_eq!(scope.judge(&url, 3, 5), Err(LeftOut::HostFull));
        assert_eq!(scope.judge(&url, 3, 4), Ok(()));
    }
}
