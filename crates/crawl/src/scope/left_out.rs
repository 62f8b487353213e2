//! Why a URL is not fetched: a name for counters, a sentence for people.

use serde::{Deserialize, Serialize};

/// Why a URL that was found is not kept, or one that was kept is not fetched.
///
/// Stored by its place in this list: new reasons come at the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum LeftOut {
    /// Somewhere that is not asked for.
    OutOfReach,
    /// Further from a seed than the limit.
    TooDeep,
    /// The host has as many pages as it may.
    HostFull,
    /// A path that looks endless.
    Trap,
    /// A port that web servers do not have.
    Port,
    /// Something that is never a page of ours, such as robots.txt.
    NotAPage,
    /// One of the `exclude` patterns matches.
    Excluded,
    /// None of the `include` patterns matches.
    NotIncluded,
    /// A kind of file that is not asked for.
    FileType,
    /// The host has sent as many bytes as it may.
    HostBytes,
    /// The site (registered domain) has as many pages as it may.
    SiteFull,
    /// The site (registered domain) has as many hosts as it may.
    SiteHosts,
    /// On the list of what is to be forgotten.
    Blocked,
}

impl LeftOut {
    /// Every reason.
    pub const ALL: [Self; 13] = [
        Self::OutOfReach,
        Self::TooDeep,
        Self::HostFull,
        Self::Trap,
        Self::Port,
        Self::NotAPage,
        Self::Excluded,
        Self::NotIncluded,
        Self::FileType,
        Self::HostBytes,
        Self::SiteFull,
        Self::SiteHosts,
        Self::Blocked,
    ];

    /// Returns a short name for counters; it never changes.
    pub fn name(self) -> &'static str {
        match self {
            Self::OutOfReach => "out-of-reach",
            Self::TooDeep => "too-deep",
            Self::HostFull => "host-full",
            Self::Trap => "trap",
            Self::Port => "blocked-port",
            Self::NotAPage => "not-a-page",
            Self::Excluded => "excluded",
            Self::NotIncluded => "not-included",
            Self::FileType => "file-type",
            Self::HostBytes => "host-bytes",
            Self::SiteFull => "site-full",
            Self::SiteHosts => "site-hosts",
            Self::Blocked => "blocked",
        }
    }

    /// Returns the reason with a name.
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|reason| reason.name() == name)
    }

    /// Returns a sentence for people, which names the key that decides.
    pub fn sentence(self) -> &'static str {
        match self {
            Self::OutOfReach => "it lies outside of `crawl.scope`",
            Self::TooDeep => "it is more links away from a seed than `crawl.depth` allows",
            Self::HostFull => "its host has as many pages as `crawl.pages_per_host` allows",
            Self::Trap => "its path repeats itself or is too deep, as endless paths are",
            Self::Port => "its port belongs to another service than the web",
            Self::NotAPage => "it is a file for crawlers, not a page",
            Self::Excluded => "a pattern in `crawl.exclude` matches it",
            Self::NotIncluded => "no pattern in `crawl.include` matches it",
            Self::FileType => "it is a kind of file that is not in `crawl.types`",
            Self::HostBytes => "its host has sent as much as `crawl.bytes_per_host` allows",
            Self::SiteFull => "its site has as many pages as `crawl.pages_per_site` allows",
            Self::SiteHosts => "its site has as many hosts as `crawl.hosts_per_site` allows",
            Self::Blocked => "it was forgotten on request and stays out",
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_reason_has_a_name_and_a_sentence_of_its_own() {
        let names: BTreeSet<_> = LeftOut::ALL.iter().map(|reason| reason.name()).collect();
        let sentences: BTreeSet<_> = LeftOut::ALL.iter().map(|reason| reason.sentence()).collect();
        assert_eq!((names.len(), sentences.len()), (LeftOut::ALL.len(), LeftOut::ALL.len()));
        for (place, reason) in LeftOut::ALL.into_iter().enumerate() {
            assert_eq!(reason as usize, place, "stored by its place");
            assert_eq!(LeftOut::of_name(reason.name()), Some(reason));
        }
        assert_eq!(LeftOut::of_name("nothing"), None);
    }
}
