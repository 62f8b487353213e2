//! `[crawl]` and `[fetch]`: from what people write to what the crawler takes.

use std::net::{IpAddr, SocketAddr};
use std::time::{Duration, SystemTime};

use anyhow::{Result, anyhow, bail};
use base::{Timestamp, Url};
use crawl::{
    Addresses, AgainOptions, Agent, Dial, DiskFloor, DnsOptions, FetchOptions, PolitenessOptions,
    PriorityRules, Reach, Scope,
};
use serde::Deserialize;

use super::choice::{
    AddressesConfig, PatternConfig, PriorityConfig, RobotsChainConfig, ScopeConfig, StrategyConfig,
    TypesConfig,
};
use super::units::{Interval, Size, Span};
use super::urls::UrlsConfig;
use crate::args::LimitArgs;

/// `[crawl]`; `assets/lookfar.toml` says of each key what it is for and why its default.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct CrawlConfig {
    pub(crate) scope: ScopeConfig,
    pub(crate) include: Vec<PatternConfig>,
    pub(crate) exclude: Vec<PatternConfig>,
    pub(crate) types: TypesConfig,
    pub(crate) depth: u16,
    pub(crate) pages_per_host: u64,
    pub(crate) bytes_per_host: Size,
    pub(crate) pages_per_site: u64,
    pub(crate) hosts_per_site: u64,
    pub(crate) pages: u64,
    pub(crate) bytes: Size,
    pub(crate) time: Span,
    pub(crate) strategy: StrategyConfig,
    pub(crate) priority: Vec<PriorityConfig>,
    pub(crate) contact: String,
    pub(crate) delay: Span,
    pub(crate) slowness_factor: u32,
    pub(crate) longest_crawl_delay: Span,
    pub(crate) longest_wait: Span,
    pub(crate) error_rest: Span,
    pub(crate) errors_before_leave: u32,
    pub(crate) longest_rest: Span,
    pub(crate) host_time: Span,
    pub(crate) tries_per_url: u8,
    pub(crate) robots_chain: RobotsChainConfig,
    pub(crate) grants: bool,
    pub(crate) guesses: bool,
    pub(crate) again_after: Interval,
    pub(crate) again_shortest: Span,
    pub(crate) again_longest: Span,
    pub(crate) again_share: f32,
    pub(crate) concurrency: usize,
    pub(crate) active_hosts: usize,
    pub(crate) memory: Size,
    pub(crate) disk_floor: Size,
    pub(crate) disk_floor_share: f64,
    pub(crate) outside_folders: bool,
    pub(crate) addresses: AddressesConfig,
    pub(crate) deny_addresses: Vec<IpAddr>,
    pub(crate) dns_servers: Vec<SocketAddr>,
    pub(crate) dns_timeout: Span,
    pub(crate) dns_concurrency: usize,
    pub(crate) instead_of_port_80: u16,
    pub(crate) urls: UrlsConfig,
}

impl Default for CrawlConfig {
    fn default() -> Self {
        let options = crawl::Options::new(Scope::new(Reach::Open), clock());
        let (scope, politeness) = (options.scope, options.politeness);
        Self {
            scope: ScopeConfig::Sites,
            include: Vec::new(),
            exclude: Vec::new(),
            types: TypesConfig(scope.types),
            depth: scope.depth,
            pages_per_host: scope.pages_per_host.unwrap_or(0),
            bytes_per_host: Size(scope.bytes_per_host.unwrap_or(0)),
            pages_per_site: scope.pages_per_site.unwrap_or(0),
            hosts_per_site: scope.hosts_per_site.unwrap_or(0),
            pages: scope.pages.unwrap_or(0),
            bytes: Size(scope.bytes.unwrap_or(0)),
            time: Span(scope.time.unwrap_or_default()),
            strategy: StrategyConfig::BestFirst,
            priority: Vec::new(),
            contact: String::new(),
            delay: Span(politeness.delay),
            slowness_factor: politeness.slowness_factor,
            longest_crawl_delay: Span(politeness.longest_crawl_delay),
            longest_wait: Span(politeness.longest_wait),
            error_rest: Span(politeness.error_rest),
            errors_before_leave: politeness.errors_before_leave,
            longest_rest: Span(politeness.longest_rest),
            host_time: Span(politeness.host_time),
            tries_per_url: politeness.tries_per_url,
            robots_chain: RobotsChainConfig::Unreachable,
            grants: options.grants,
            guesses: options.guesses,
            again_after: Interval(options.again.first),
            again_shortest: Span(options.again.shortest),
            again_longest: Span(options.again.longest),
            again_share: options.again.share,
            concurrency: options.concurrency,
            active_hosts: options.active_hosts,
            memory: Size(options.memory.unwrap_or(0)),
            disk_floor: Size(options.disk_floor.bytes),
            disk_floor_share: options.disk_floor.share,
            outside_folders: false,
            addresses: AddressesConfig::Public,
            deny_addresses: options.dns.deny,
            dns_servers: options.dns.servers,
            dns_timeout: Span(options.dns.timeout),
            dns_concurrency: options.dns.concurrency,
            instead_of_port_80: 0,
            urls: UrlsConfig::default(),
        }
    }
}

/// `[fetch]`: limits of a single request.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct FetchConfig {
    pub(crate) connect: Span,
    pub(crate) handshake: Span,
    pub(crate) head: Span,
    pub(crate) silence: Span,
    pub(crate) total: Span,
    pub(crate) body: Size,
    pub(crate) keep_alive: Span,
    pub(crate) follow_downgrades: bool,
}

impl Default for FetchConfig {
    fn default() -> Self {
        let options = FetchOptions::default();
        Self {
            connect: Span(options.connect),
            handshake: Span(options.handshake),
            head: Span(options.head),
            silence: Span(options.silence),
            total: Span(options.total),
            body: Size(options.body_bytes as u64),
            keep_alive: Span(options.keep_alive),
            follow_downgrades: options.follow_downgrades,
        }
    }
}

/// Most entries of one list: each URL is held against each pattern, each address against each
/// that is denied.
const LISTED: usize = 1_000;
/// A page that is asked for more often than this is not crawled but watched.
const SHORTEST_AGAIN: Duration = Duration::from_secs(3600);
/// Below this the crawl would do little but make room.
const LEAST_MEMORY: u64 = 128 << 20;

impl CrawlConfig {
    /// Lets the limits of this run go before those of the file.
    pub(crate) fn limit(&mut self, limits: &LimitArgs) {
        let limits = limits.clone();
        self.scope = limits.scope.unwrap_or_else(|| self.scope.clone());
        if !limits.include.is_empty() {
            self.include = limits.include;
        }
        // What the file keeps out stays out: a flag for one run must not open it by accident.
        self.exclude.extend(limits.exclude);
        self.types = limits.types.unwrap_or_else(|| self.types.clone());
        self.depth = limits.depth.unwrap_or(self.depth);
        self.pages = limits.pages.unwrap_or(self.pages);
        self.bytes = limits.bytes.unwrap_or(self.bytes);
        self.pages_per_host = limits.pages_per_host.unwrap_or(self.pages_per_host);
        self.bytes_per_host = limits.bytes_per_host.unwrap_or(self.bytes_per_host);
        self.pages_per_site = limits.pages_per_site.unwrap_or(self.pages_per_site);
        self.hosts_per_site = limits.hosts_per_site.unwrap_or(self.hosts_per_site);
        self.time = limits.time.unwrap_or(self.time);
        self.strategy = limits.strategy.unwrap_or(self.strategy);
        self.delay = limits.delay.unwrap_or(self.delay);
        self.contact = limits.contact.unwrap_or_else(|| self.contact.clone());
    }

    /// Returns what we say about ourselves.
    pub(crate) fn agent(&self) -> Agent {
        let contact = Some(self.contact.clone()).filter(|contact| !contact.is_empty());
        Agent { contact, ..Agent::default() }
    }

    /// Returns how to crawl from these seeds while the search page listens at `listen`.
    pub(super) fn options(
        &self,
        fetch: FetchConfig,
        listen: SocketAddr,
        seeds: &[Url],
    ) -> Result<crawl::Options> {
        self.check()?;
        let rules = self.priority.iter().cloned().map(Into::into).collect();
        Ok(crawl::Options {
            agent: self.agent(),
            politeness: self.politeness(),
            fetch: self.fetch(fetch)?,
            dns: self.dns(listen),
            concurrency: self.concurrency,
            strategy: self.strategy.into(),
            rules: PriorityRules::new(rules),
            active_hosts: self.active_hosts,
            disk_floor: DiskFloor { bytes: self.disk_floor.0, share: self.disk_floor_share },
            memory: self.memory.limit(),
            grants: self.grants,
            guesses: self.guesses,
            again: self.again(),
            url_rules: self.urls.rules(),
            learn_spellings: self.urls.learn,
            ..crawl::Options::new(self.scope(seeds)?, clock())
        })
    }

    /// Returns how names are resolved while the search page listens at `listen`.
    pub(super) fn dns(&self, listen: SocketAddr) -> DnsOptions {
        let mut deny = self.deny_addresses.clone();
        // A stranger's link must not make us crawl our own search page (DNS-08). Addresses that
        // are not public are dialled only by those who want to reach their own machines.
        if Addresses::Public.hold(listen.ip()) {
            deny.push(listen.ip());
        }
        DnsOptions {
            servers: self.dns_servers.clone(),
            timeout: self.dns_timeout.0,
            concurrency: self.dns_concurrency,
            addresses: self.addresses.into(),
            deny,
            ..DnsOptions::default()
        }
    }

    fn scope(&self, seeds: &[Url]) -> Result<Scope> {
        let number = |count: u64| Some(count).filter(|count| *count > 0);
        let patterns = |list: &[PatternConfig]| list.iter().map(|one| one.0.clone()).collect();
        Ok(Scope {
            reach: self.scope.reach(seeds).map_err(|wrong| anyhow!("`crawl.scope`: {wrong}"))?,
            include: patterns(&self.include),
            exclude: patterns(&self.exclude),
            types: self.types.0.clone(),
            depth: self.depth,
            pages_per_host: number(self.pages_per_host),
            bytes_per_host: self.bytes_per_host.limit(),
            pages_per_site: number(self.pages_per_site),
            hosts_per_site: number(self.hosts_per_site),
            pages: number(self.pages),
            bytes: self.bytes.limit(),
            time: self.time.limit(),
        })
    }

    fn politeness(&self) -> PolitenessOptions {
        PolitenessOptions {
            delay: self.delay.0,
            slowness_factor: self.slowness_factor,
            longest_crawl_delay: self.longest_crawl_delay.0,
            robots_chain: self.robots_chain.into(),
            longest_wait: self.longest_wait.0,
            error_rest: self.error_rest.0,
            errors_before_leave: self.errors_before_leave,
            longest_rest: self.longest_rest.0,
            host_time: self.host_time.0,
            tries_per_url: self.tries_per_url,
        }
    }

    fn again(&self) -> AgainOptions {
        AgainOptions {
            first: self.again_after.0,
            shortest: self.again_shortest.0,
            longest: self.again_longest.0,
            share: self.again_share,
        }
    }

    fn fetch(&self, fetch: FetchConfig) -> Result<FetchOptions> {
        let body_bytes = usize::try_from(fetch.body.0).ok().filter(|bytes| *bytes > 0);
        let Some(body_bytes) = body_bytes else { bail!("`fetch.body` must be at least `1B`") };
        for (name, span) in [
            ("connect", fetch.connect),
            ("handshake", fetch.handshake),
            ("head", fetch.head),
            ("silence", fetch.silence),
            ("total", fetch.total),
        ] {
            if span.0.is_zero() {
                bail!("`fetch.{name}` must be longer than nothing: every wait has an end");
            }
        }
        let instead = Some(self.instead_of_port_80).filter(|port| *port > 0);
        let dial = instead.map(|http| Dial { http, https: None });
        Ok(FetchOptions {
            connect: fetch.connect.0,
            handshake: fetch.handshake.0,
            head: fetch.head.0,
            silence: fetch.silence.0,
            total: fetch.total.0,
            body_bytes,
            keep_alive: fetch.keep_alive.0,
            follow_downgrades: fetch.follow_downgrades,
            dial,
            ..FetchOptions::default()
        })
    }

    /// Refuses what no crawl can work with, and says what to write instead.
    fn check(&self) -> Result<()> {
        check_contact(&self.contact)?;
        if self.scope.needs_contact() && self.contact.is_empty() {
            bail!(
                "a crawl of the open web or of a country needs a contact, so that site owners can \
                 reach you: set `crawl.contact` in lookfar.toml, or `--contact`, to a page or \
                 mail address"
            );
        }
        for (name, count) in [
            ("concurrency", self.concurrency),
            ("active_hosts", self.active_hosts),
            ("dns_concurrency", self.dns_concurrency),
            ("tries_per_url", self.tries_per_url.into()),
            ("errors_before_leave", self.errors_before_leave as usize),
        ] {
            if count == 0 {
                bail!("`crawl.{name}` must be at least 1");
            }
        }
        for (name, count) in [
            ("include", self.include.len()),
            ("exclude", self.exclude.len()),
            ("priority", self.priority.len()),
            ("deny_addresses", self.deny_addresses.len()),
        ] {
            if count > LISTED {
                bail!("`crawl.{name}` has {count} entries; at most {LISTED} are allowed");
            }
        }
        if self.dns_timeout.0.is_zero() {
            bail!("`crawl.dns_timeout` must be longer than nothing: every wait has an end");
        }
        if self.memory.limit().is_some_and(|bytes| bytes < LEAST_MEMORY) {
            bail!("`crawl.memory` must be at least `128MiB`, or `0B` for no ceiling");
        }
        self.check_again()?;
        if !(0.0..1.0).contains(&self.disk_floor_share) {
            bail!("`crawl.disk_floor_share` is a part of the disk: from 0 to below 1, as 0.05");
        }
        Ok(())
    }
}

impl CrawlConfig {
    /// Refuses paces at which pages cannot be fetched again.
    fn check_again(&self) -> Result<()> {
        let (shortest, longest) = (self.again_shortest.0, self.again_longest.0);
        // Nobody is watched on one's own machine: that is how tests see many visits in little time.
        let is_own = self.addresses == AddressesConfig::Loopback;
        if shortest < SHORTEST_AGAIN && !is_own {
            bail!("`crawl.again_shortest` must be at least `1h`: servers are not to be watched");
        }
        if longest < shortest {
            bail!("`crawl.again_longest` must not be shorter than `crawl.again_shortest`");
        }
        if !(0.0..=1.0).contains(&self.again_share) {
            bail!("`crawl.again_share` is a part of the requests: from 0 to 1, as 0.5");
        }
        Ok(())
    }
}

/// A contact that nobody can write to is worse than none: it looks as if there were one.
pub(crate) fn check_contact(contact: &str) -> Result<()> {
    let is_page = contact.starts_with("https://") || contact.starts_with("http://");
    let is_mail = contact
        .split_once('@')
        .is_some_and(|(name, host)| !name.is_empty() && host.contains('.') && !host.ends_with('.'));
    let is_clean = !contact.chars().any(|c| c.is_control() || c.is_whitespace());
    if contact.is_empty() || is_clean && (is_page && Url::parse(contact).is_ok() || is_mail) {
        return Ok(());
    }
    bail!(
        "`crawl.contact` is `{}`, which is neither a page (https://example.org/bot) nor a mail \
         address (me@example.org)",
        contact.escape_debug()
    )
}

fn clock() -> crawl::Clock {
    crawl::steady_clock(Timestamp::from(SystemTime::now()))
}

#[cfg(test)]
mod tests;
