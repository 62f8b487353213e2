//! The resolver against a DNS server on loopback that answers as it is told.

mod hostile;
mod kept;

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use base::Host;
use testweb::{DnsAnswer, Running, Web};

use super::{Dns, Resolved};
use crate::{Addresses, DnsOptions, Failure};

/// Much longer than anything here takes: a test that gets there hangs.
const HANG: Duration = Duration::from_secs(60);

fn options(web: &Running) -> DnsOptions {
    DnsOptions {
        servers: vec![web.dns_addr],
        concurrency: 16,
        addresses: Addresses::Loopback,
        ..DnsOptions::default()
    }
}

fn dns(web: &Running) -> Arc<Dns> {
    Arc::new(Dns::new(options(web)).unwrap())
}

/// A resolver that gives up soon, for servers that do not answer.
fn hasty(web: &Running) -> Arc<Dns> {
    let timeout = Duration::from_millis(200);
    Arc::new(Dns::new(DnsOptions { timeout, ..options(web) }).unwrap())
}

fn host(name: &str) -> Host {
    Host::parse(name).unwrap()
}

fn ip(text: &str) -> IpAddr {
    text.parse().unwrap()
}

fn at(addresses: &[&str]) -> DnsAnswer {
    DnsAnswer::addresses(&addresses.iter().map(|text| ip(text)).collect::<Vec<_>>())
}

/// A web whose only name gives these answers, in turn.
fn web(name: &str, answers: impl IntoIterator<Item = DnsAnswer>) -> Running {
    answers.into_iter().fold(Web::new(), |web, answer| web.dns(name, answer)).start().unwrap()
}

async fn ask(dns: &Dns, name: &str) -> Result<Resolved, Failure> {
    tokio::time::timeout(HANG, dns.resolve(&host(name))).await.expect("a lookup ends")
}

async fn address(dns: &Dns, name: &str) -> Result<String, Failure> {
    ask(dns, name).await.map(|resolved| resolved.address.to_string())
}

/// Waits until something has come true.
async fn until(is_true: impl Fn() -> bool) {
    let wait = async {
        while !is_true() {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    };
    tokio::time::timeout(HANG, wait).await.expect("it comes true");
}

/// Lets time pass for the cache alone; the network must have come to rest.
async fn pass(time: Duration) {
    tokio::time::pause();
    tokio::time::advance(time).await;
    tokio::time::resume();
}
