//! Names to addresses (C11): one shared resolver, bounded, that hands out only what may be dialled.

use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use base::Host;
use hickory_resolver::config::{
    ConnectionConfig, NameServerConfig, ResolveHosts, ResolverConfig, ResolverOpts,
};
use hickory_resolver::net::runtime::TokioRuntimeProvider;
use hickory_resolver::net::{DnsError, NetError, NoRecords};
use hickory_resolver::proto::op::ResponseCode;
use hickory_resolver::{Resolver, TokioResolver};
use tokio::sync::Semaphore;
use tokio::time::Instant;

use crate::address::may_dial;
use crate::{DnsOptions, Error, Failure};

/// Looks names up.
pub(crate) struct Dns {
    resolver: TokioResolver,
    options: DnsOptions,
    lookups: Semaphore,
}

/// The address of a host, and how long it may be used.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Resolved {
    pub(crate) address: IpAddr,
    pub(crate) until: Instant,
}

/// Records looked at in one answer (DNS-13).
const ADDRESSES: usize = 16;
/// Answers are kept at least this long, so that a TTL of 0 does not mean a lookup per request.
const SHORTEST: Duration = Duration::from_secs(60);
/// And at most this long.
const LONGEST: Duration = Duration::from_secs(24 * 3600);

impl Dns {
    /// Sets up the resolver with the given servers or those of the system.
    pub(crate) fn new(options: DnsOptions) -> Result<Self, Error> {
        let mut builder = if options.servers.is_empty() {
            TokioResolver::builder_tokio().map_err(|source| Error::Resolver { source })?
        } else {
            let servers = options.servers.iter().map(|server| name_server(*server)).collect();
            let config = ResolverConfig::from_parts(None, Vec::new(), servers);
            Resolver::builder_with_config(config, TokioRuntimeProvider::default())
        };
        configure(builder.options_mut(), &options);
        let resolver = builder.build().map_err(|source| Error::Resolver { source })?;
        let lookups = Semaphore::new(options.concurrency);
        Ok(Self { resolver, options, lookups })
    }

    /// Returns an address of the host that may be dialled.
    pub(crate) async fn resolve(&self, host: &Host) -> Result<Resolved, Failure> {
        if let Some(address) = host.address() {
            return match may_dial(address, self.options.addresses) {
                true => Ok(Resolved { address, until: Instant::now() + LONGEST }),
                false => Err(Failure::BlockedAddress),
            };
        }
        // Single labels and special-use names belong to the local network (DNS-21).
        if !host.as_str().contains('.') || is_special(host.as_str()) {
            return Err(Failure::NoSuchHost);
        }
        let _turn = self.lookups.acquire().await.map_err(|_| Failure::DnsUnavailable)?;
        // The root's dot at the end: no search domain is ever tried.
        let name = format!("{host}.");
        let lookup = tokio::time::timeout(self.options.timeout, self.resolver.lookup_ip(name));
        let answer = match lookup.await {
            Ok(Ok(answer)) => answer,
            Ok(Err(error)) => return Err(failure(&error)),
            Err(_) => return Err(Failure::DnsUnavailable),
        };
        let mut addresses: Vec<IpAddr> = answer.iter().take(ADDRESSES).collect();
        if addresses.is_empty() {
            return Err(Failure::NoSuchHost);
        }
        addresses.retain(|address| may_dial(*address, self.options.addresses));
        // IPv4 first: a machine without IPv6 would fail on every host that has both.
        addresses.sort_by_key(IpAddr::is_ipv6);
        let address = *addresses.first().ok_or(Failure::BlockedAddress)?;
        let valid = answer.valid_until().saturating_duration_since(std::time::Instant::now());
        Ok(Resolved { address, until: Instant::now() + valid.clamp(SHORTEST, LONGEST) })
    }
}

fn name_server(server: SocketAddr) -> NameServerConfig {
    let connections = [ConnectionConfig::udp(), ConnectionConfig::tcp()].map(|mut connection| {
        connection.port = server.port();
        connection
    });
    NameServerConfig::new(server.ip(), true, connections.into())
}

fn configure(opts: &mut ResolverOpts, options: &DnsOptions) {
    opts.timeout = options.timeout / 2;
    opts.attempts = 1;
    opts.cache_size = 100_000;
    opts.use_hosts_file = ResolveHosts::Never;
    opts.positive_min_ttl = Some(SHORTEST);
    opts.positive_max_ttl = Some(LONGEST);
    opts.negative_min_ttl = Some(Duration::from_secs(10));
    opts.negative_max_ttl = Some(Duration::from_secs(3600));
    opts.max_active_requests = options.concurrency.max(1) * 2;
}

fn failure(error: &NetError) -> Failure {
    match error {
        // A server that refuses or fails says nothing about the name (DNS-10).
        NetError::Dns(DnsError::NoRecordsFound(NoRecords {
            response_code: ResponseCode::NXDomain | ResponseCode::NoError,
            ..
        })) => Failure::NoSuchHost,
        _ => Failure::DnsUnavailable,
    }
}

fn is_special(name: &str) -> bool {
    let top = name.rsplit('.').next().unwrap_or(name);
    matches!(top, "localhost" | "local" | "internal" | "onion" | "invalid" | "arpa")
}
