//! From a page to the URLs it names: which of them are new, wanted, and how much they matter.

use base::log::Position;
use base::{
    ContentKind, Host, Link, LinkKind, Listed, ListedKind, PageRecord, Timestamp, Url, limits,
};
use xxhash_rust::xxh3::xxh3_64;

use super::update::{Update, fresh};
use super::{Class, Finding, FrontierError, HostState, Place, Role, SiteState, Standing, UrlState};
use crate::fetch::Refusal;
use crate::importance::{Fingerprint, Share};
use crate::learn::Advice;
use crate::options::Strategy;
use crate::scope::HostCounts;
use crate::{LeftOut, Options};

/// A URL named by a page.
#[derive(Clone, Copy)]
struct Named<'a> {
    url: &'a Url,
    depth: u16,
    hops: u8,
    number: u16,
    role: Role,
    /// Importance that comes with it.
    cash: f32,
    /// Classes that a sitemap's hints move it by.
    hint: i8,
}

/// What names URLs: a page, or somebody's access log.
struct Source<'a> {
    page: Option<&'a PageRecord>,
    at: Timestamp,
    /// Its place in the page log; segment 0 is before every page.
    start: Position,
}

impl Source<'_> {
    /// Returns the hash of its site, for the referrers of other hosts, if `host` is of another.
    fn site_hash_for(&self, host: &Host) -> Option<u32> {
        let page = self.page?;
        let site = page.url.site();
        (*host != page.url.host() && host.site() != site)
            .then(|| xxh3_64(site.as_str().as_bytes()) as u32)
    }
}

/// Why a URL is left out that others like it have shown to be worth nothing (C14).
pub(crate) const FRUITLESS: &str = "fruitless-shape";
/// Why a URL is left out that is another one under a second name (C9).
pub(crate) const ALIAS: &str = "learnt-alias";
/// Why a URL is left out whose site has as many hosts as its pages have earned it (LNK-07).
pub(crate) const MANY_HOSTS: &str = "too-many-hosts";
/// Why a link is not followed that its page does not vouch for (C6).
const NOFOLLOW: &str = "nofollow";

/// Redirects followed in a row (RED-02).
const HOPS: u8 = 10;
/// The same for a sitemap: no more than its host's robots.txt gets.
const HOPS_OF_LISTS: u8 = 5;
/// Importance of a URL that only a sitemap or a feed names.
const LISTED_CASH: f32 = 0.1;
/// Sitemaps read of one host (SMP-12).
const SITEMAPS: u16 = 100;
/// Other hosts that one sitemap may speak for (SMP-06).
const SPEAKS_FOR: usize = 8;
/// A page that changed within this time before the list was fetched goes before others.
const RECENT: std::time::Duration = std::time::Duration::from_secs(30 * 24 * 3600);

impl Update<'_> {
    /// Makes the links and the listing of a page known.
    pub(super) fn follow(
        &mut self,
        record: &PageRecord,
        start: Position,
        state: &UrlState,
        options: &Options,
    ) -> Result<(), FrontierError> {
        let cash = self.frontier.memory().importance.take(Fingerprint::of(&record.url));
        if state.role == Role::Probe {
            return Ok(());
        }
        let source = Source { page: Some(record), at: record.fetched, start };
        if let Some(target) = &record.redirect {
            if self.leads_back(target, &record.url)? {
                if !self.judges_again {
                    self.count(Refusal::Loop.name());
                }
                return Ok(());
            }
            // The same page under another name, not one link further; its importance goes along.
            let hops = state.hops + 1;
            let named = Named {
                url: target,
                depth: state.depth,
                hops,
                number: 0,
                role: state.role,
                cash: cash.max(LISTED_CASH),
                hint: 0,
            };
            self.name(&source, named, options)?;
            if matches!(state.role, Role::Sitemap { .. }) {
                // Who sends us to a list elsewhere lets it speak for him.
                self.let_speak(target, &state.speaks_for)?;
                self.let_speak(target, &[record.url.host()])?;
            }
            return Ok(());
        }
        if self.repeats(record)? {
            return Ok(());
        }
        if record.robots.nofollow {
            let links = record.links.iter().filter(|link| leads_on(link)).count();
            self.count_unfollowed(links + record.listing.len());
            return Ok(());
        }
        // A feed links what it lists; listed comes first, as it brings dates with it.
        self.listing(&source, record, state, options)?;
        self.links(&source, record, (state, cash), options)
    }

    /// Takes notice of a page that visitors of somebody's server came from (C8).
    pub(crate) fn referrer(
        &mut self,
        url: &Url,
        now: Timestamp,
        options: &Options,
    ) -> Result<(), FrontierError> {
        let start = Position { segment: 0, offset: self.totals.seeds };
        self.totals.seeds += 1;
        let named = Named {
            url,
            depth: 1,
            hops: 0,
            number: 0,
            role: Role::Page,
            cash: LISTED_CASH,
            hint: 0,
        };
        self.name(&Source { page: None, at: now, start }, named, options)
    }

    /// Returns whether redirects that are known lead from `target` to `url` (RED-01).
    fn leads_back(&self, target: &Url, url: &Url) -> Result<bool, FrontierError> {
        let mut place = target.clone();
        for _ in 0..HOPS {
            if place == *url {
                return Ok(true);
            }
            match self.url(&place)?.map(|state| state.standing) {
                Some(Standing::Fetched { redirect: Some(next), .. }) => place = next,
                _ => break,
            }
        }
        Ok(false)
    }

    /// Queues the sitemaps that a host's robots.txt names.
    pub(crate) fn sitemaps(
        &mut self,
        page: &Url,
        named: &[String],
        now: Timestamp,
        options: &Options,
    ) -> Result<(), FrontierError> {
        let (host, rules) = (page.host(), options.url_rules);
        for url in named.iter().filter_map(|text| page.join_with(text, rules).ok()) {
            self.sitemap(&url, &host, Class::new(2), now, options)?;
            self.let_speak(&url, std::slice::from_ref(&host))?;
        }
        Ok(())
    }

    /// Queues a sitemap, unless the host that names it has named enough of them (SMP-12).
    pub(super) fn sitemap(
        &mut self,
        url: &Url,
        namer: &Host,
        class: Class,
        now: Timestamp,
        options: &Options,
    ) -> Result<(), FrontierError> {
        let is_wanted = options.scope_now().judge_listing(url).is_ok();
        let is_blocked = options.blocked.holds(url) || options.host_rules.blocks(url);
        if self.url(url)?.is_some() || !is_wanted || is_blocked {
            return Ok(());
        }
        if !self.may_name_one_more(namer)? {
            return Ok(());
        }
        let found = Position { segment: 0, offset: self.totals.seeds };
        self.totals.seeds += 1;
        let place = Place { class, order: 0, found, number: 1 };
        let state = UrlState { role: Role::Sitemap { level: 0 }, ..fresh(now) };
        self.discover(url, place, state)
    }

    /// Counts one more sitemap that a host names, if it may name one more.
    ///
    /// Whoever names it is charged: a stranger's list must not use up what a host may name.
    fn may_name_one_more(&mut self, namer: &Host) -> Result<bool, FrontierError> {
        let host = self.host(namer)?;
        let is_allowed = host.sitemaps < SITEMAPS;
        if is_allowed {
            host.sitemaps += 1;
        } else {
            self.count("too-many-sitemaps");
        }
        Ok(is_allowed)
    }

    /// Lets a sitemap list pages of these hosts too; one that was read before is read again.
    fn let_speak(&mut self, sitemap: &Url, hosts: &[Host]) -> Result<(), FrontierError> {
        let Some(mut state) = self.url(sitemap)? else { return Ok(()) };
        let (before, own) = (state.speaks_for.len(), sitemap.host());
        for host in hosts {
            let is_new = *host != own && !state.speaks_for.contains(host);
            if is_new && state.speaks_for.len() < SPEAKS_FOR {
                state.speaks_for.push(host.clone());
            }
        }
        if state.speaks_for.len() == before || !matches!(state.role, Role::Sitemap { .. }) {
            return Ok(());
        }
        let standing = match &state.standing {
            Standing::Fetched { status: 200, record, .. } => {
                let place = Place { class: Class::AGAIN, order: 0, found: *record, number: 0 };
                Standing::Waiting { place }
            }
            standing => standing.clone(),
        };
        self.stand(sitemap, state, standing)
    }

    fn links(
        &mut self,
        source: &Source<'_>,
        record: &PageRecord,
        (state, cash): (&UrlState, f32),
        options: &Options,
    ) -> Result<(), FrontierError> {
        let is_followed = |link: &&Link| leads_on(link) && link.rel.is_endorsement();
        let links = || record.links.iter().filter(is_followed);
        let all = record.links.iter().filter(|link| leads_on(link)).count();
        self.count_unfollowed(all - links().count());
        // What a copy says has been said.
        let share = match record.copy_of {
            Some(_) => Share::NOTHING,
            None => Share::of(cash, links().count()),
        };
        let (host, site) = (record.url.host_str(), record.url.site());
        for (number, link) in links().enumerate() {
            let target = &link.target;
            let is_redirect = link.kind == LinkKind::Redirect;
            let is_alias = is_redirect || link.kind == LinkKind::Canonical;
            let is_within = target.host_str() == host || target.site() == site;
            self.name(
                source,
                Named {
                    url: target,
                    depth: if is_alias { state.depth } else { state.depth.saturating_add(1) },
                    hops: if is_redirect { state.hops + 1 } else { 0 },
                    number: u16::try_from(number).unwrap_or(u16::MAX),
                    role: Role::Page,
                    cash: share.for_link(is_within),
                    hint: 0,
                },
                options,
            )?;
        }
        Ok(())
    }

    /// Takes over what a sitemap or feed lists (C7).
    fn listing(
        &mut self,
        source: &Source<'_>,
        record: &PageRecord,
        state: &UrlState,
        options: &Options,
    ) -> Result<(), FrontierError> {
        let is_fresh = |listed: &Listed| {
            listed
                .modified
                .is_some_and(|at| at <= record.fetched && record.fetched.since(at) < RECENT)
        };
        // A list that says "just now" of most of its pages says nothing (SMP-07).
        let fresh = record.listing.iter().filter(|listed| is_fresh(listed)).count();
        let tells_dates = fresh * 2 <= record.listing.len();
        let own = record.url.host();
        for (number, listed) in record.listing.iter().enumerate() {
            let role = match (listed.kind, state.role) {
                (ListedKind::Page, _) => Role::Page,
                // One level only (SMP-04).
                (ListedKind::Sitemap, Role::Sitemap { level: 0 }) => Role::Sitemap { level: 1 },
                (ListedKind::Sitemap, _) => continue,
            };
            // A list speaks for its own host and for those that say so (SMP-06); a feed may name
            // others, as a page may.
            let host = listed.target.host();
            let is_theirs = host == own || state.speaks_for.contains(&host);
            if record.kind == ContentKind::Sitemap && !is_theirs {
                self.count("listed-elsewhere");
                continue;
            }
            let is_sitemap = matches!(role, Role::Sitemap { .. });
            if is_sitemap && self.url(&listed.target)?.is_none() && !self.may_name_one_more(&own)? {
                break;
            }
            let hint =
                (listed.priority.min(10) as i8 - 5) / 2 + i8::from(tells_dates && is_fresh(listed));
            // 50,000 entries have places of their own behind the page's links.
            let place = u16::try_from(limits::LINKS_KEPT + number).unwrap_or(u16::MAX);
            let named = Named {
                url: &listed.target,
                depth: 1,
                hops: 0,
                number: place,
                role,
                cash: LISTED_CASH,
                hint,
            };
            self.name(source, named, options)?;
            if is_sitemap {
                self.let_speak(&listed.target, &state.speaks_for)?;
            }
        }
        Ok(())
    }

    /// Takes notice of one URL: known, unwanted, or new and queued.
    fn name(
        &mut self,
        source: &Source<'_>,
        named: Named<'_>,
        options: &Options,
    ) -> Result<(), FrontierError> {
        let fingerprint = Fingerprint::of(named.url);
        let is_best_first = options.strategy == Strategy::BestFirst;
        if self.is_known(named.url, fingerprint)? {
            if is_best_first {
                self.raise(&named, fingerprint, options)?;
            }
            return Ok(());
        }
        if named.hops > named.role.most_hops() {
            self.count("redirect-chain");
            return Ok(());
        }
        match self.frontier.advice(named.url, options)? {
            Advice::Fetch => {}
            Advice::Skip(_) => {
                self.count(FRUITLESS);
                return Ok(());
            }
            Advice::Instead(other)
                if !self.peek(&named.url.host())?.believes(named.url, &other) => {}
            Advice::Instead(other) => {
                self.count(ALIAS);
                let fingerprint = Fingerprint::of(&other);
                if self.is_known(&other, fingerprint)? {
                    return Ok(());
                }
                let named = Named { url: &other, ..named };
                return self.admit(source, named, fingerprint, options);
            }
        }
        self.admit(source, named, fingerprint, options)
    }

    /// Queues a new URL, unless the scope leaves it out.
    fn admit(
        &mut self,
        source: &Source<'_>,
        named: Named<'_>,
        fingerprint: Fingerprint,
        options: &Options,
    ) -> Result<(), FrontierError> {
        let host = named.url.host();
        let site = *self.site(&host.site())?;
        let known = self.peek(&host)?.known;
        let counts = HostCounts::around_new(self.peek(&host)?, &site);
        let judged = match named.role {
            Role::Page => options.scope_now().judge(named.url, named.depth, &counts),
            // A sitemap is no page: its name's ending says nothing against it.
            _ => options.scope_now().judge_listing(named.url),
        };
        if let Err(reason) = judged {
            self.count(reason.name());
            return Ok(());
        }
        if options.blocked.holds(named.url) || options.host_rules.blocks(named.url) {
            self.count(LeftOut::Blocked.name());
            return Ok(());
        }
        if known == 0 && !site.has_room_for_a_host() {
            self.count(MANY_HOSTS);
            return Ok(());
        }
        if let Some(site_hash) = source.site_hash_for(&host) {
            self.host(&host)?.referred_by(site_hash);
        }
        let cash = self.frontier.memory().importance.give(fingerprint, named.cash);
        let is_mirror = self.peek(&host)?.mirror.as_ref().is_some_and(super::Mirror::is_sure);
        let place = Place::by(
            options.strategy,
            Finding {
                url: named.url,
                depth: named.depth,
                found: source.start,
                number: named.number,
                cash,
                moved: options.rules.adjust(named.url).saturating_add(named.hint),
            },
        );
        // A copy of another host is read when there is nothing else (LNK-10).
        let class = if is_mirror { Class::LAST } else { place.class };
        let state = UrlState {
            depth: named.depth,
            from: source.page.map(|page| page.id),
            hops: named.hops,
            role: named.role,
            ..fresh(source.at)
        };
        self.discover(named.url, Place { class, ..place }, state)
    }

    /// Counts a URL that is left out, or a fetch that failed.
    pub(super) fn count(&mut self, reason: &str) {
        self.count_many(reason, 1);
    }

    fn count_many(&mut self, reason: &str, times: u64) {
        match self.totals.reasons.get_mut(reason) {
            Some(count) => *count += times,
            None if times == 0 => {}
            None => {
                self.totals.reasons.insert(reason.to_owned(), times);
            }
        }
    }

    /// Counts links that their page does not vouch for, once for each time it is read.
    fn count_unfollowed(&mut self, links: usize) {
        if !self.judges_again {
            self.count_many(NOFOLLOW, links as u64);
        }
    }

    fn is_known(&mut self, url: &Url, fingerprint: Fingerprint) -> Result<bool, FrontierError> {
        if self.judges_again {
            let state = self.url(url)?;
            return Ok(
                state.is_some_and(|state| !matches!(state.standing, Standing::LeftOut { .. }))
            );
        }
        if self.frontier.memory().seen.holds(fingerprint) {
            return Ok(true);
        }
        let is_known = self.url(url)?.is_some();
        if is_known {
            self.frontier.memory().seen.insert(fingerprint);
        }
        Ok(is_known)
    }

    /// Gives importance to a known URL; one that waits may come into a better front queue.
    fn raise(
        &mut self,
        named: &Named<'_>,
        fingerprint: Fingerprint,
        options: &Options,
    ) -> Result<(), FrontierError> {
        let cash = self.frontier.memory().importance.give(fingerprint, named.cash);
        let better = Class::of_importance(cash);
        if better == Class::of_importance(cash - named.cash) {
            return Ok(());
        }
        let Some(state) = self.url(named.url)? else { return Ok(()) };
        let Standing::Waiting { place } = state.standing else { return Ok(()) };
        let class = better.moved(options.rules.adjust(named.url));
        if class < place.class && place.class < Class::AGAIN {
            self.stand(named.url, state, Standing::Waiting { place: Place { class, ..place } })?;
        }
        Ok(())
    }

    /// Raises a waiting URL to what PageRank says of it: `rank` is 1 for an average page.
    pub(crate) fn promote(
        &mut self,
        url: &Url,
        rank: f32,
        options: &Options,
    ) -> Result<(), FrontierError> {
        let fingerprint = Fingerprint::of(url);
        let held = self.frontier.memory().importance.give(fingerprint, 0.0);
        let missing = rank - held;
        if missing <= 0.0 || options.strategy != Strategy::BestFirst {
            return Ok(());
        }
        let named =
            Named { url, depth: 0, hops: 0, number: 0, role: Role::Page, cash: missing, hint: 0 };
        self.raise(&named, fingerprint, options)
    }
}

impl Role {
    /// Returns how many redirects in a row are followed.
    pub(crate) fn most_hops(self) -> u8 {
        match self {
            Self::Page | Self::Probe => HOPS,
            Self::Sitemap { .. } => HOPS_OF_LISTS,
        }
    }
}

impl HostCounts {
    /// Returns what counts against a URL that is found: what is known of its host and its site.
    pub(crate) fn around_new(host: &HostState, site: &SiteState) -> Self {
        Self {
            pages: host.known,
            bytes: host.bytes,
            site_pages: site.known,
            site_hosts: site.hosts.saturating_sub(u64::from(host.known > 0)),
        }
    }
}

/// Returns whether a link names something that may be a page.
fn leads_on(link: &Link) -> bool {
    link.kind != LinkKind::Media
}
