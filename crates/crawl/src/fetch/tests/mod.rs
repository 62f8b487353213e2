//! The fetcher against a web that fights back, one request at a time.

mod http;
mod http2;
mod tcp;
mod tls;

use std::net::{IpAddr, Ipv4Addr};
use std::time::Duration;

use archive::Cut;
use base::Url;
use hyper::header::{HeaderName, HeaderValue};
use testweb::{End, Raw, Running, Script, Web};

use super::{Ask, Fetched, Fetcher};
use crate::politeness::Politeness;
use crate::{Agent, Dial, Failure, FetchOptions, PolitenessOptions};

/// Fetches from a web of its own.
struct Visitor {
    web: Running,
    fetcher: Fetcher,
    politeness: Politeness,
    body_bytes: usize,
    conditions: Vec<(HeaderName, HeaderValue)>,
}

impl Visitor {
    /// Visits scripted hosts with limits that tests can wait for.
    fn of(sites: impl IntoIterator<Item = Script>) -> Self {
        Self::with(sites, |_| {})
    }

    fn with(
        sites: impl IntoIterator<Item = Script>,
        change: impl FnOnce(&mut FetchOptions),
    ) -> Self {
        let web = sites.into_iter().fold(Web::new().with_tls(), Web::site).start().unwrap();
        let mut options = FetchOptions {
            connect: Duration::from_millis(250),
            handshake: Duration::from_millis(250),
            head: Duration::from_millis(250),
            silence: Duration::from_millis(250),
            total: Duration::from_secs(5),
            dial: Some(Dial { http: web.http_port, https: web.https_port }),
            extra_roots: web.authority().into_iter().collect(),
            ..FetchOptions::default()
        };
        change(&mut options);
        let politeness =
            PolitenessOptions { delay: Duration::ZERO, slowness_factor: 0, ..<_>::default() };
        Self {
            web,
            fetcher: Fetcher::new(options, &Agent::default()).unwrap(),
            politeness: Politeness::new(politeness),
            body_bytes: 100_000,
            conditions: Vec::new(),
        }
    }

    /// Fetches a URL; hosts that are not of the web are at 127.0.0.1.
    async fn get(&self, url: &str) -> Result<Fetched, Failure> {
        let url = Url::parse(url).unwrap();
        let address = self.web.address_of(url.host_str()).unwrap_or(Ipv4Addr::LOCALHOST);
        let soon = tokio::time::Instant::now() + Duration::from_secs(10);
        let permit = self
            .politeness
            .wait(&url.host(), IpAddr::V4(address), Duration::ZERO, soon)
            .await
            .unwrap();
        let ask = Ask {
            url: &url,
            body_bytes: self.body_bytes,
            total: self.fetcher.options.total,
            conditions: &self.conditions,
        };
        self.fetcher.fetch(&permit, ask).await
    }

    /// Fetches a URL that must be answered.
    async fn good(&self, url: &str) -> Fetched {
        match self.get(url).await {
            Ok(fetched) => fetched,
            Err(failure) => panic!("{url}: {}", failure.name()),
        }
    }

    /// Fetches a URL that must fail; returns how.
    async fn bad(&self, url: &str) -> Failure {
        match self.get(url).await {
            Ok(fetched) => panic!("{url}: {:?}", String::from_utf8_lossy(&fetched.head)),
            Err(failure) => failure,
        }
    }

    /// Returns on how many connections the requests for a host came.
    fn connections(&self, host: &str) -> usize {
        let entries = self.web.log().requests(host);
        let mut connections: Vec<u64> = entries.iter().map(|entry| entry.connection).collect();
        connections.sort_unstable();
        connections.dedup();
        connections.len()
    }
}

/// A response in plain bytes, after which the connection goes on.
fn said(head: &str, body: &str) -> Raw {
    Raw::new(format!("HTTP/1.1 200 OK\r\n{head}\r\n{body}")).then(End::KeepAlive)
}

#[track_caller]
fn assert_body(fetched: &Fetched, body: &str, cut: Option<Cut>) {
    assert_eq!(String::from_utf8_lossy(&fetched.body), body);
    assert_eq!(fetched.cut, cut);
}
