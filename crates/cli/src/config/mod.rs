//! `lookfar.toml`: what to crawl, how politely, how to serve.
//!
//! Read and checked once, at start; the stages get typed values. Every key has a default, so an
//! empty file is a good one. Unknown keys are errors: a misspelt limit must not go unnoticed.

mod choice;
mod crawl;
mod graph;
mod share;
mod units;
mod urls;

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use ::crawl::DnsOptions;
use anyhow::{Context, Result, anyhow, bail};
use base::{Timestamp, Url};
use serde::Deserialize;

pub(crate) use choice::{PatternConfig, ScopeConfig, StrategyConfig, TypesConfig};
pub(crate) use crawl::{CrawlConfig, FetchConfig, check_contact};
pub(crate) use graph::GraphConfig;
pub(crate) use units::{Size, Span};

/// The whole file.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Config {
    pub(crate) crawl: CrawlConfig,
    pub(crate) fetch: FetchConfig,
    pub(crate) index: IndexConfig,
    pub(crate) graph: GraphConfig,
    pub(crate) rank: rank::Weights,
    pub(crate) serve: ServeConfig,
}

/// `[index]`
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct IndexConfig {
    /// Shortest time between two link analyses while pages come in.
    pub(crate) analyse_every: Span,
    /// Most memory for pages on their way into the index.
    pub(crate) memory: Size,
}

impl Default for IndexConfig {
    fn default() -> Self {
        let memory = Size(::index::Options::default().memory_bytes as u64);
        Self { analyse_every: Span(Duration::from_secs(30)), memory }
    }
}

/// `[serve]`
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct ServeConfig {
    /// Where the search page listens.
    pub(crate) listen: SocketAddr,
    /// Name shown on the page.
    pub(crate) title: String,
    /// Address under which people reach the page; empty for that by which they ask, if no stranger
    /// can own it.
    pub(crate) url: String,
    /// File with the token that opens the control room; empty for none.
    pub(crate) admin_token_file: PathBuf,
    /// Most connections open at once.
    pub(crate) connections: usize,
    /// Most connections of one address.
    pub(crate) connections_per_address: usize,
    /// What one address may ask in a second, on average, and at once; 0 for no limit.
    pub(crate) requests_per_second: u32,
    pub(crate) requests_at_once: u32,
    /// Whether a proxy on this machine is believed for whom it asks.
    pub(crate) trust_forwarded: bool,
    /// Proxies on other machines that are.
    pub(crate) trusted_proxies: Vec<::serve::Subnet>,
    /// Whether pictures among results are shown, fetched by a crawl in the same process.
    pub(crate) pictures: bool,
}

impl Default for ServeConfig {
    fn default() -> Self {
        // Loopback: a search page for the whole network is a decision, not an accident.
        let listen = SocketAddr::from(([127, 0, 0, 1], 7700));
        let limits = ::serve::Limits::default();
        Self {
            listen,
            title: "Lookfar".to_owned(),
            url: String::new(),
            admin_token_file: PathBuf::new(),
            connections: limits.connections,
            connections_per_address: limits.connections_per_address,
            requests_per_second: limits.rate.per_second,
            requests_at_once: limits.rate.burst,
            trust_forwarded: false,
            trusted_proxies: Vec::new(),
            // Under every rule of the crawl, and only what its pages name.
            pictures: true,
        }
    }
}

/// What a new collection's file says: every key with its default, commented out.
pub(crate) const TEMPLATE: &str = include_str!("../../assets/lookfar.toml");

impl Config {
    /// Reads the file; one that is not there means the defaults.
    pub(crate) fn read(path: &Path) -> Result<Self> {
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Ok(Self::default());
            }
            Err(error) => return Err(error).context(format!("cannot read `{}`", path.display())),
        };
        toml::from_str(&text).with_context(|| format!("`{}` is not valid", path.display()))
    }

    /// Returns how to crawl from these seeds.
    pub(crate) fn crawl_options(&self, seeds: &[Url]) -> Result<::crawl::Options> {
        self.crawl.options(self.fetch, self.serve.listen, seeds)
    }

    /// Returns how the index is filled as pages come.
    pub(crate) fn index_options(&self) -> Result<::index::Options> {
        let Size(memory) = self.index.memory;
        if memory < ::index::Options::LEAST_MEMORY as u64 {
            bail!("`index.memory` must be at least `24MiB`, which a part of the index takes");
        }
        Ok(::index::Options { memory_bytes: usize::try_from(memory).unwrap_or(usize::MAX) })
    }

    /// Returns how the index is filled beside a crawl: within a quarter of what that may take.
    pub(crate) fn live_index_options(&self) -> Result<::index::Options> {
        let ::index::Options { memory_bytes } = self.index_options()?;
        let quarter = self.crawl.memory.limit().map(|crawl| crawl / 4);
        let quarter =
            quarter.map_or(usize::MAX, |bytes| usize::try_from(bytes).unwrap_or(usize::MAX));
        let least = ::index::Options::LEAST_MEMORY;
        Ok(::index::Options { memory_bytes: memory_bytes.min(quarter).max(least) })
    }

    /// Returns how the index is filled anew. Nothing is crawled meanwhile, so that it may have half
    /// of what a crawl would take: the larger its parts are, the fewer of them are merged.
    pub(crate) fn refill_options(&self) -> Result<::index::Options> {
        let options = self.index_options()?;
        let crawl = self.crawl.memory.limit().unwrap_or(CrawlConfig::default().memory.0);
        let half = usize::try_from(crawl / 2).unwrap_or(usize::MAX);
        Ok(::index::Options { memory_bytes: options.memory_bytes.max(half) })
    }

    /// Returns how questions are answered.
    pub(crate) fn search_options(&self) -> Result<rank::Options> {
        self.rank.check().map_err(|reason| anyhow!("[rank] in lookfar.toml: {reason}"))?;
        let clock = || Timestamp::from(SystemTime::now());
        Ok(rank::Options { weights: self.rank, clock, ..rank::Options::default() })
    }

    /// Returns how links of the collection in this folder are analysed; reads its lists of pages.
    pub(crate) fn analyse_options(&self, root: &Path) -> Result<::graph::AnalyseOptions> {
        self.graph.options(root)
    }

    /// Returns how pages are ranked by their links.
    pub(crate) fn pagerank_options(&self) -> Result<::graph::PageRankOptions> {
        self.graph.pagerank()
    }

    /// Returns how names are resolved.
    pub(crate) fn dns_options(&self) -> DnsOptions {
        self.crawl.dns(self.serve.listen)
    }
}

#[cfg(test)]
mod tests;
