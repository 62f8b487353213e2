//! How much of the crawl a host may take: more with its worth, less with its waste (C14).
//!
//! ```text
//! allowed = 100 (500 for a host of a seed) + 4 · useful + 50 · other sites that link to it
//! spent   = useful + 4 · wasted
//! ```
//! A host that tells something new with more than half of its pages never runs out. One that
//! answers only with copies stops after some 25 pages; more sites that link to it open it again.
//! Mirrors of another host are slowed sooner (module `mirror`).
//! A crawl is not held up by an exhausted host: its URLs wait. What a host does not have (404)
//! costs nothing here: dead links come from real pages, so they have an end.

use base::Url;

use super::state::{HostState, SiteState};

/// Copies that any host may have.
const WASTE_TO_BEGIN_WITH: u64 = 12;
const START: u64 = 100;
const START_OF_SEED: u64 = 500;
const PER_USEFUL: u64 = 4;
const PER_REFERRER: u64 = 50;
/// Other sites remembered as referrers; more do not add.
pub(super) const REFERRERS: usize = 16;

/// Hosts of one registered domain before any of them has told something (LNK-07).
const HOSTS_TO_BEGIN_WITH: u64 = 20;
/// Useful pages of a domain that earn it one more host.
const USEFUL_PER_HOST: u64 = 5;

impl HostState {
    /// Returns whether the host has used up what it may take for now.
    pub(crate) fn is_exhausted(&self) -> bool {
        let start = if self.is_seed { START_OF_SEED } else { START };
        let referrers = self.referrers.len() as u64;
        let allowed = start + PER_USEFUL * self.useful + PER_REFERRER * referrers;
        let spent = self.useful + 4 * self.wasted;
        spent >= allowed
    }

    /// Returns whether an address of the host should be fetched under another one instead.
    ///
    /// That parameters and origins make no difference is believed as soon as it is learnt. That
    /// paths of other case or without their slash are the same page is believed only of a host
    /// that wastes: elsewhere each may be a page of its own, and asking costs one request.
    pub(crate) fn believes(&self, url: &Url, other: &Url) -> bool {
        url.path() == other.path() || 8 * self.wasted > self.useful + WASTE_TO_BEGIN_WITH
    }

    /// Returns whether more of its pages repeat others than honest hosts have.
    pub(crate) fn is_wasteful(&self) -> bool {
        4 * self.wasted > self.useful + WASTE_TO_BEGIN_WITH
    }

    /// Remembers that another site links here.
    pub(super) fn referred_by(&mut self, site_hash: u32) {
        if self.referrers.len() < REFERRERS && !self.referrers.contains(&site_hash) {
            self.referrers.push(site_hash);
        }
    }
}

impl SiteState {
    /// Returns whether one more host of this domain is worth knowing.
    pub(crate) fn has_room_for_a_host(&self) -> bool {
        self.hosts < HOSTS_TO_BEGIN_WITH + self.useful / USEFUL_PER_HOST
    }
}

#[cfg(test)]
mod tests {
    use base::Host;

    use super::*;

    fn host(useful: u64, wasted: u64) -> HostState {
        HostState { useful, wasted, ..HostState::new(Host::parse("a.example").unwrap()) }
    }

    #[test]
    fn good_hosts_never_run_out() {
        for pages in [10, 1_000, 1_000_000] {
            assert!(!host(pages, 0).is_exhausted());
            assert!(!host(pages * 6 / 10, pages * 4 / 10).is_exhausted());
        }
    }

    #[test]
    fn wasteful_hosts_stop_soon_and_referrers_open_them_again() {
        assert!(!host(0, 20).is_exhausted());
        let mut wasteful = host(0, 25);
        assert!(wasteful.is_exhausted());
        wasteful.referred_by(1);
        assert!(!wasteful.is_exhausted());
        wasteful.referred_by(1);
        assert_eq!(wasteful.referrers.len(), 1);
    }

    #[test]
    fn other_spellings_of_a_path_are_believed_of_hosts_that_waste() {
        let url = |text: &str| Url::parse(text).unwrap();
        let (plain, slash) = (url("http://a.example/a"), url("http://a.example/a/"));
        assert!(!host(100, 10).believes(&plain, &slash));
        assert!(host(100, 20).believes(&plain, &slash));
        assert!(host(100, 0).believes(&url("http://a.example/a?x=1"), &plain));
        assert!(host(100, 0).believes(&plain, &url("https://a.example/a")));
    }

    #[test]
    fn lnk_07_a_domain_earns_its_hosts() {
        assert!(SiteState { hosts: 19, known: 19, useful: 0 }.has_room_for_a_host());
        assert!(!SiteState { hosts: 25, known: 250, useful: 25 }.has_room_for_a_host());
        assert!(SiteState { hosts: 200, known: 9_000, useful: 5_000 }.has_room_for_a_host());
    }
}
