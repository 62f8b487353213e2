//! The questions themselves: hickory's resolver, and what its answers mean.

use std::fs;
use std::net::{IpAddr, SocketAddr};
use std::path::Path;
use std::time::Duration;

use base::Host;
use hickory_resolver::config::{
    ConnectionConfig, NameServerConfig, ResolveHosts, ResolverConfig, ResolverOpts,
};
use hickory_resolver::lookup::Lookup;
use hickory_resolver::net::runtime::TokioRuntimeProvider;
use hickory_resolver::net::{DnsError, NetError};
use hickory_resolver::proto::op::ResponseCode;
use hickory_resolver::proto::rr::{Name, RData, RecordType};
use hickory_resolver::{Resolver, TokioResolver};

use super::{ADDRESSES, SLOW_PER_TURN};
use crate::{DnsOptions, Error};

/// Asks the servers.
pub(super) struct Upstream {
    resolver: TokioResolver,
}

/// What the servers say of a name.
#[derive(Debug)]
pub(super) enum Said {
    Addresses {
        addresses: Vec<IpAddr>,
        ttl: Duration,
    },
    /// There are addresses, but none that may be dialled.
    Blocked {
        ttl: Duration,
    },
    /// The name exists, but has no such address.
    Nothing {
        ttl: Duration,
    },
    NoName {
        ttl: Duration,
    },
    /// Nothing about the name: silence, an error, an answer that cannot be understood.
    Unavailable,
}

/// Where the system names its name servers.
const RESOLV_CONF: &str = "/etc/resolv.conf";
/// Aliases on the way to an address; BIND follows as many (DNS-12).
const ALIASES: usize = 16;

impl Upstream {
    pub(super) fn new(options: &DnsOptions) -> Result<Self, Error> {
        let (servers, edns0) = match options.servers.as_slice() {
            [] => system_servers(Path::new(RESOLV_CONF))?,
            servers => (servers.iter().map(|server| name_server(*server)).collect(), true),
        };
        let config = ResolverConfig::from_parts(None, Vec::new(), servers);
        let mut builder = Resolver::builder_with_config(config, TokioRuntimeProvider::default());
        builder.options_mut().edns0 = edns0;
        configure(builder.options_mut(), options);
        let resolver = builder.build().map_err(|source| Error::Resolver { source })?;
        Ok(Self { resolver })
    }

    /// Asks for IPv4 addresses.
    pub(super) async fn ask_v4(&self, host: &Host) -> Said {
        self.ask(host, RecordType::A).await
    }

    /// Asks for IPv6 addresses.
    pub(super) async fn ask_v6(&self, host: &Host) -> Said {
        self.ask(host, RecordType::AAAA).await
    }

    /// Asks for the texts of a name; none where there is no answer.
    pub(super) async fn ask_texts(&self, name: &str) -> Vec<Vec<u8>> {
        let Ok(name) = Name::from_ascii(format!("{name}.")) else { return Vec::new() };
        let Ok(lookup) = self.resolver.lookup(name, RecordType::TXT).await else {
            return Vec::new();
        };
        let text = |data: &RData| match data {
            RData::TXT(text) => Some(text.txt_data.concat()),
            _ => None,
        };
        lookup.answers().iter().filter_map(|record| text(&record.data)).collect()
    }

    async fn ask(&self, host: &Host, kind: RecordType) -> Said {
        // The root's dot at the end: no search domain is ever tried (DNS-21).
        let Ok(name) = Name::from_ascii(format!("{host}.")) else {
            return Said::NoName { ttl: Duration::ZERO };
        };
        match self.resolver.lookup(name, kind).await {
            Ok(lookup) => found(&lookup),
            Err(error) => not_found(&error),
        }
    }
}

impl Said {
    /// Leaves only addresses that `may` allows, the first [`ADDRESSES`] of them.
    pub(super) fn usable(self, may: impl Fn(&IpAddr) -> bool) -> Self {
        let Self::Addresses { mut addresses, ttl } = self else { return self };
        addresses.retain(may);
        addresses.truncate(ADDRESSES);
        addresses.shrink_to_fit();
        match addresses.is_empty() {
            true => Self::Blocked { ttl },
            false => Self::Addresses { addresses, ttl },
        }
    }
}

fn found(lookup: &Lookup) -> Said {
    let records = lookup.answers();
    let seconds = records.iter().map(|record| record.ttl).min().unwrap_or_default();
    let ttl = Duration::from_secs(seconds.into());
    let aliases = records.iter().filter(|record| record.record_type() == RecordType::CNAME);
    if aliases.count() > ALIASES {
        return Said::Unavailable;
    }
    let addresses: Vec<IpAddr> =
        records.iter().filter_map(|record| record.data.ip_addr()).collect();
    match addresses.is_empty() {
        true => Said::Nothing { ttl },
        false => Said::Addresses { addresses, ttl },
    }
}

fn not_found(error: &NetError) -> Said {
    // A server that refuses or fails says nothing about the name (DNS-10).
    let NetError::Dns(DnsError::NoRecordsFound(none)) = error else {
        tracing::debug!(%error, "cannot look a name up");
        return Said::Unavailable;
    };
    let ttl = Duration::from_secs(none.negative_ttl.unwrap_or_default().into());
    match none.response_code {
        ResponseCode::NXDomain => Said::NoName { ttl },
        ResponseCode::NoError => Said::Nothing { ttl },
        _ => Said::Unavailable,
    }
}

/// Reads the system's name servers, and whether they are to be asked with EDNS0.
///
/// Search domains and `ndots` are left out: only complete names are looked up.
fn system_servers(path: &Path) -> Result<(Vec<NameServerConfig>, bool), Error> {
    let bytes = fs::read(path)
        .map_err(|source| Error::NameServers { path: path.to_owned(), source: Some(source) })?;
    let (config, errors) = resolv_conf::Config::parse_with_errors(&bytes);
    for error in errors {
        tracing::warn!(%error, path = %path.display(), "ignored a line");
    }
    if config.nameservers.is_empty() {
        return Err(Error::NameServers { path: path.to_owned(), source: None });
    }
    let servers = config.nameservers.iter();
    Ok((servers.map(|ip| NameServerConfig::udp_and_tcp(ip.into())).collect(), config.edns0))
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
    // What is known is kept in one place, ours, where its memory is bounded by hosts: one
    // answer may have thousands of records.
    opts.cache_size = 0;
    opts.use_hosts_file = ResolveHosts::Never;
    // Aliases are counted, not followed blindly.
    opts.preserve_intermediates = true;
    // Per connection; what is under way at once is bounded before it gets here.
    opts.max_active_requests = options.concurrency.max(1).saturating_mul(2 * (1 + SLOW_PER_TURN));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<(Vec<IpAddr>, bool), Error> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("resolv.conf");
        fs::write(&path, text).unwrap();
        let (servers, edns0) = system_servers(&path)?;
        Ok((servers.iter().map(|server| server.ip).collect(), edns0))
    }

    #[test]
    fn name_servers_are_read_in_order_and_bad_lines_are_skipped() {
        let text = "# a comment\nsearch example.org\nnameserver 192.0.2.1\nnameserver nonsense\n\
                    nameserver 2001:db8::53\noptions edns0 timeout:1\n";
        let expected: Vec<IpAddr> =
            ["192.0.2.1", "2001:db8::53"].map(|ip| ip.parse().unwrap()).into();
        assert_eq!(read(text).unwrap(), (expected, true));
        assert!(!read("nameserver 192.0.2.1\n").unwrap().1);
    }

    #[test]
    fn file_without_name_servers_is_an_error_that_names_it() {
        let error = read("search example.org\n").unwrap_err().to_string();
        assert!(error.contains("resolv.conf"), "{error}");
        assert!(error.contains("crawl.dns_servers"), "{error}");
        assert!(system_servers(Path::new("/no/such/resolv.conf")).is_err());
    }
}
