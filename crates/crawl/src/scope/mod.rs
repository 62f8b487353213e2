//! Which URLs belong to the collection (C10): where they lie, what they look like, how many.
//!
//! A URL is judged when it is found and again when its turn to be fetched comes, so a scope that
//! is changed applies to what waits already. Links that the scope before has left out are looked
//! through again at the next start.

mod country;
mod current;
mod kind;
mod left_out;
mod pattern;
mod port;
mod reach;
mod trap;

use std::fmt;
use std::time::Duration;

use base::Url;
use xxhash_rust::xxh3::Xxh3;

pub use country::Country;
pub(crate) use current::Current;
pub use current::NewScope;
pub use kind::{BadType, FileKind, Types};
pub use left_out::LeftOut;
pub use pattern::{BadPattern, Pattern};
pub(crate) use port::is_web_port;
pub use reach::{BadDomain, Names, Reach};

/// Decides which URLs are kept and fetched.
#[derive(Clone, Debug)]
pub struct Scope {
    /// Where pages may lie.
    pub reach: Reach,
    /// If there are any, a URL must match one of them; seeds need not. Default none.
    pub include: Vec<Pattern>,
    /// A URL must match none of them, seeds included. Default none.
    pub exclude: Vec<Pattern>,
    /// Kinds of files that are fetched. Default those that can hold text.
    pub types: Types,
    /// Most links between a seed and a page. Default 32: deeper is a trap more often than not.
    pub depth: u16,
    /// Most pages of one host; `None` for no limit. Default 100,000: hosts with more than that are
    /// rare, hosts that make pages without end are not.
    pub pages_per_host: Option<u64>,
    /// Most bytes from one host, decoded. Default 4 GiB: 100,000 pages of 40 KB.
    pub bytes_per_host: Option<u64>,
    /// Most pages of one registered domain. Default 500,000: five full hosts.
    pub pages_per_site: Option<u64>,
    /// Most hosts of one registered domain. Default 1,000: a large university has some hundreds,
    /// a name server that answers for every name has no end (LNK-07).
    pub hosts_per_site: Option<u64>,
    /// Most pages fetched in all. Default no limit.
    pub pages: Option<u64>,
    /// Most bytes fetched in all, decoded. Default no limit.
    pub bytes: Option<u64>,
    /// How long one run may last. Default no limit.
    pub time: Option<Duration>,
}

/// What there is already around a URL that is judged, itself not counted.
///
/// At discovery these are the URLs and hosts that are *known*, when the URL's turn to be fetched
/// comes those that *have been fetched*: so a limit that is lowered later binds what waits, and
/// a host is not full of its own queue.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HostCounts {
    /// Pages of its host.
    pub pages: u64,
    /// Bytes fetched from its host, decoded.
    pub bytes: u64,
    /// Pages of its site, all hosts together.
    pub site_pages: u64,
    /// Other hosts of its site.
    pub site_hosts: u64,
}

/// How much a crawl has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Used {
    /// Pages fetched in all.
    pub pages: u64,
    /// Bytes fetched in all, decoded.
    pub bytes: u64,
    /// Time since this run began.
    pub time: Duration,
}

/// A limit on the whole crawl that is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// [`Scope::pages`].
    Pages,
    /// [`Scope::bytes`].
    Bytes,
    /// [`Scope::time`].
    Time,
}

impl Limit {
    /// Returns a sentence for people, which names the key that decides.
    pub fn sentence(self) -> &'static str {
        match self {
            Self::Pages => "as many pages are fetched as `crawl.pages` allows",
            Self::Bytes => "as much is fetched as `crawl.bytes` allows",
            Self::Time => "this run has lasted as long as `crawl.time` allows",
        }
    }
}

impl Scope {
    /// Returns a scope of the sites that the seeds belong to.
    pub fn sites_of(seeds: &[Url]) -> Self {
        Self::new(Reach::sites_of(seeds))
    }

    /// Returns a scope with the default limits.
    pub fn new(reach: Reach) -> Self {
        Self {
            reach,
            include: Vec::new(),
            exclude: Vec::new(),
            types: Types::default(),
            depth: 32,
            pages_per_host: Some(100_000),
            bytes_per_host: Some(4 << 30),
            pages_per_site: Some(500_000),
            hosts_per_site: Some(1_000),
            pages: None,
            bytes: None,
            time: None,
        }
    }

    /// Judges a URL that lies `depth` links from a seed.
    ///
    /// At depth 0 are the seeds and what they redirect to. A person named them, so they are in
    /// reach whatever `reach`, `include` and `types` say, but `exclude` and the numbers bind them.
    pub fn judge(&self, url: &Url, depth: u16, counts: &HostCounts) -> Result<(), LeftOut> {
        self.judge_address(url)?;
        if depth > self.depth {
            return Err(LeftOut::TooDeep);
        }
        if depth > 0 {
            self.judge_as_found(url)?;
        }
        self.judge_numbers(counts)
    }

    /// Judges a file that names pages but is none: a sitemap, a feed.
    ///
    /// It must lie where pages may lie, but its ending, its depth and `include`, which speak of
    /// pages, say nothing against it.
    pub fn judge_listing(&self, url: &Url) -> Result<(), LeftOut> {
        self.judge_address(url)?;
        if self.reach.holds(url) { Ok(()) } else { Err(LeftOut::OutOfReach) }
    }

    /// Returns what keeps a URL out, in a sentence for people; `None` if nothing does.
    pub fn explain(&self, url: &Url, depth: u16, counts: &HostCounts) -> Option<String> {
        let reason = self.judge(url, depth, counts).err()?;
        let sentence = reason.sentence();
        Some(match (reason, self.exclude.iter().find(|pattern| pattern.matches(url))) {
            (LeftOut::Excluded, Some(pattern)) => format!("{sentence}: `{pattern}`"),
            (LeftOut::TooDeep, _) => format!("{sentence}: {depth} instead of {}", self.depth),
            (LeftOut::FileType, _) => match FileKind::of(url) {
                Some(kind) => format!("{sentence}: `{}`", kind.name()),
                None => sentence.to_owned(),
            },
            (LeftOut::Port, _) => format!("{sentence}: {}", url.port()),
            _ => sentence.to_owned(),
        })
    }

    /// Returns the limit on the whole crawl that is reached, if one is.
    pub fn reached(&self, used: &Used) -> Option<Limit> {
        if is_full(used.pages, self.pages) {
            return Some(Limit::Pages);
        }
        if is_full(used.bytes, self.bytes) {
            return Some(Limit::Bytes);
        }
        self.time.is_some_and(|time| used.time >= time).then_some(Limit::Time)
    }

    /// Returns a number that changes when the scope judges single URLs by other rules.
    ///
    /// Links that were left out are not kept; a crawl that finds another number than last time
    /// can look through the links of the page log again.
    pub fn fingerprint(&self) -> u64 {
        let mut digest = Digest(Xxh3::new());
        let rules = Self { pages: None, bytes: None, time: None, ..self.clone() };
        // A later compiler may write it otherwise: then links are looked through once more.
        fmt::write(&mut digest, format_args!("{rules:?}")).expect("a digest takes every text");
        digest.0.digest()
    }

    /// What binds every URL, seeds included.
    fn judge_address(&self, url: &Url) -> Result<(), LeftOut> {
        if url.path() == "/robots.txt" {
            return Err(LeftOut::NotAPage);
        }
        if !is_web_port(url.port()) {
            return Err(LeftOut::Port);
        }
        if self.exclude.iter().any(|pattern| pattern.matches(url)) {
            return Err(LeftOut::Excluded);
        }
        Ok(())
    }

    /// What binds URLs that pages name, not people; the cheap questions first.
    fn judge_as_found(&self, url: &Url) -> Result<(), LeftOut> {
        if !self.reach.holds(url) {
            return Err(LeftOut::OutOfReach);
        }
        if trap::is_endless(url.path()) {
            return Err(LeftOut::Trap);
        }
        if !self.types.take(url) {
            return Err(LeftOut::FileType);
        }
        if !self.include.is_empty() && !self.include.iter().any(|pattern| pattern.matches(url)) {
            return Err(LeftOut::NotIncluded);
        }
        Ok(())
    }

    fn judge_numbers(&self, counts: &HostCounts) -> Result<(), LeftOut> {
        let limits = [
            (counts.pages, self.pages_per_host, LeftOut::HostFull),
            (counts.bytes, self.bytes_per_host, LeftOut::HostBytes),
            (counts.site_pages, self.pages_per_site, LeftOut::SiteFull),
            (counts.site_hosts, self.hosts_per_site, LeftOut::SiteHosts),
        ];
        match limits.into_iter().find(|(count, limit, _)| is_full(*count, *limit)) {
            Some((_, _, reason)) => Err(reason),
            None => Ok(()),
        }
    }
}

fn is_full(count: u64, limit: Option<u64>) -> bool {
    limit.is_some_and(|limit| count >= limit)
}

/// Takes a text into a hash as it is written.
struct Digest(Xxh3);

impl fmt::Write for Digest {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.update(text.as_bytes());
        Ok(())
    }
}

#[cfg(test)]
mod tests;
