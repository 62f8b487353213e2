//! `lookfar.toml`: what to crawl, how politely, how to serve.
//!
//! Read and checked once, at start; the stages get typed values. Every key has a default, so an
//! empty file is a good one. Unknown keys are errors: a misspelt limit must not go unnoticed.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use anyhow::{Context, Result, bail};
use base::{Timestamp, Url};
use crawl::{Addresses, Agent, Dial, DnsOptions, FetchOptions, PolitenessOptions, Reach, Scope};
use serde::Deserialize;

/// The whole file.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Config {
    pub(crate) crawl: CrawlConfig,
    pub(crate) index: IndexConfig,
    pub(crate) serve: ServeConfig,
}

/// `[crawl]`
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct CrawlConfig {
    /// `"sites"` (of the seeds), `"open"`, or a list of domains.
    pub(crate) scope: ScopeConfig,
    /// Most links between a seed and a page.
    pub(crate) depth: u16,
    /// Most pages in all; 0 for no limit.
    pub(crate) pages: u64,
    /// Most URLs kept of one host.
    pub(crate) pages_per_host: u64,
    /// Shortest time between two requests to one host or address.
    pub(crate) delay: Span,
    /// First rest of a host after an error.
    pub(crate) error_rest: Span,
    /// Requests under way at once.
    pub(crate) concurrency: usize,
    /// Page or mail address of the person who crawls.
    pub(crate) contact: String,
    /// Which addresses may be dialled: `"public"`, `"loopback"`, `"private"`.
    pub(crate) addresses: AddressesConfig,
    /// DNS servers to ask; empty for those of the system.
    pub(crate) dns_servers: Vec<SocketAddr>,
    /// Port to dial instead of 80 and of every other plain port; 0 for none. For a made-up web
    /// on loopback.
    pub(crate) instead_of_port_80: u16,
}

impl Default for CrawlConfig {
    fn default() -> Self {
        let scope = Scope::new(Reach::Open);
        let politeness = PolitenessOptions::default();
        Self {
            scope: ScopeConfig::Named(NamedScope::Sites),
            depth: scope.depth,
            pages: 0,
            pages_per_host: scope.pages_per_host,
            delay: Span(politeness.delay),
            error_rest: Span(politeness.error_rest),
            concurrency: 64,
            contact: String::new(),
            addresses: AddressesConfig::Public,
            dns_servers: Vec::new(),
            instead_of_port_80: 0,
        }
    }
}

/// `[index]`
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct IndexConfig {
    /// Shortest time between two link analyses while pages come in.
    pub(crate) analyse_every: Span,
}

impl Default for IndexConfig {
    fn default() -> Self {
        Self { analyse_every: Span(Duration::from_secs(30)) }
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
}

impl Default for ServeConfig {
    fn default() -> Self {
        // Loopback: a search page for the whole network is a decision, not an accident.
        let listen = SocketAddr::from(([127, 0, 0, 1], 7700));
        Self { listen, title: "Lookfar".to_owned() }
    }
}

/// Where pages may lie.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub(crate) enum ScopeConfig {
    /// By a word.
    Named(NamedScope),
    /// By domains.
    Domains(Vec<String>),
}

/// Scopes with a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum NamedScope {
    /// The sites that the seeds belong to.
    Sites,
    /// Everywhere.
    Open,
}

/// Which addresses may be dialled.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum AddressesConfig {
    /// Only those of the public Internet.
    Public,
    /// Also this machine.
    Loopback,
    /// Also private networks.
    Private,
}

/// A length of time, written `250ms`, `10s`, `5m` or `2h`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub(crate) struct Span(pub(crate) Duration);

impl TryFrom<String> for Span {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl std::str::FromStr for Span {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("`{text}` is not a time; write it like `250ms`, `10s`, `5m`, `2h`");
        let digits = text.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(text.len());
        let number: f64 = text[..digits].parse().map_err(|_| wrong())?;
        let unit = match &text[digits..] {
            "ms" => 0.001,
            "s" => 1.0,
            "m" => 60.0,
            "h" => 3600.0,
            _ => return Err(wrong()),
        };
        Duration::try_from_secs_f64(number * unit).map(Self).map_err(|_| wrong())
    }
}

/// What a new collection's file says: every key with its default, commented out.
pub(crate) const TEMPLATE: &str = include_str!("../assets/lookfar.toml");

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
    pub(crate) fn crawl_options(&self, seeds: &[Url]) -> Result<crawl::Options> {
        let crawl = &self.crawl;
        if crawl.concurrency == 0 {
            bail!("`crawl.concurrency` must be at least 1");
        }
        let reach = match &crawl.scope {
            ScopeConfig::Named(NamedScope::Sites) => Scope::sites_of(seeds).reach,
            ScopeConfig::Named(NamedScope::Open) if crawl.contact.is_empty() => bail!(
                "a crawl of the open web needs a contact, so that site owners can reach you: \
                 set `crawl.contact` to a page or mail address"
            ),
            ScopeConfig::Named(NamedScope::Open) => Reach::Open,
            ScopeConfig::Domains(domains) => Reach::Domains(domains.clone()),
        };
        let pages = (crawl.pages > 0).then_some(crawl.pages);
        let scope =
            Scope { reach, depth: crawl.depth, pages, pages_per_host: crawl.pages_per_host };
        let clock = Arc::new(|| Timestamp::from(SystemTime::now()));
        let contact = Some(crawl.contact.clone()).filter(|contact| !contact.is_empty());
        let politeness = PolitenessOptions {
            delay: crawl.delay.0,
            error_rest: crawl.error_rest.0,
            ..PolitenessOptions::default()
        };
        let instead = crawl.instead_of_port_80;
        let fetch = FetchOptions {
            dial: (instead > 0).then_some(Dial { http: instead, https: None }),
            ..FetchOptions::default()
        };
        Ok(crawl::Options {
            agent: Agent { contact, ..Agent::default() },
            politeness,
            fetch,
            dns: self.dns_options(),
            concurrency: crawl.concurrency,
            ..crawl::Options::new(scope, clock)
        })
    }

    /// Returns how names are resolved.
    pub(crate) fn dns_options(&self) -> DnsOptions {
        let addresses = match self.crawl.addresses {
            AddressesConfig::Public => Addresses::Public,
            AddressesConfig::Loopback => Addresses::Loopback,
            AddressesConfig::Private => Addresses::Private,
        };
        DnsOptions { servers: self.crawl.dns_servers.clone(), addresses, ..DnsOptions::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_template_with_every_key_uncommented_says_the_defaults() {
        let lines = TEMPLATE.lines().map(|line| match line.strip_prefix("#") {
            Some(rest) if !rest.starts_with(' ') => rest,
            _ => line,
        });
        let text: String = lines.flat_map(|line| [line, "\n"]).collect();
        let config: Config = toml::from_str(&text).expect(&text);
        assert_eq!(format!("{config:?}"), format!("{:?}", Config::default()));
        let keys = |text: &str| text.lines().filter(|line| line.contains(" = ")).count();
        assert_eq!(keys(&text), 14, "a key without its line in the template");
    }

    #[test]
    fn unknown_keys_and_bad_times_are_errors() {
        for text in ["[crawl]\ndelai = \"1s\"", "[crawl]\ndelay = \"soon\"", "[crawl]\ndelay = 1"] {
            assert!(toml::from_str::<Config>(text).is_err(), "{text}");
        }
    }

    #[test]
    fn times_have_units() {
        let span = |text: &str| text.parse::<Span>().map(|span| span.0);
        assert_eq!(span("250ms"), Ok(Duration::from_millis(250)));
        assert_eq!(span("1.5s"), Ok(Duration::from_millis(1500)));
        assert_eq!(span("2h"), Ok(Duration::from_secs(7200)));
        for text in ["", "5", "s", "-1s", "1d", "1e999s"] {
            assert!(span(text).is_err(), "{text}");
        }
    }

    #[test]
    fn the_open_web_needs_a_contact() {
        let mut config = Config::default();
        config.crawl.scope = ScopeConfig::Named(NamedScope::Open);
        assert!(config.crawl_options(&[]).is_err());
        config.crawl.contact = "mailto:me@example.org".to_owned();
        assert!(config.crawl_options(&[]).is_ok());
    }
}
