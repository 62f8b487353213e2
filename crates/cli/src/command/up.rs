//! `lookfar up`: crawl, index, rank and serve together.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::Path;
use std::time::SystemTime;

use ::crawl::Ending;
use anyhow::Result;
use base::Timestamp;

use crate::Done;
use crate::args::{ListenArgs, UpArgs};
use crate::config::Config;
use crate::engine::{self, Job};
use crate::place::{DEFAULT, Place, parse_seeds, refuse_unreachable};

pub(crate) fn run(dir: &Path, args: &UpArgs) -> Result<Done> {
    let seeds = parse_seeds(&args.seeds)?;
    let mut listener = None;
    let mut place = Place::open(dir, &seeds, DEFAULT, &args.limits, |config, new_seeds| {
        listener = Some(::serve::Listener::bind(listen_address(config, args.listen))?);
        refuse_unreachable(config, new_seeds)
    })?;
    // The crawl leaves this address alone.
    place.config.serve.listen = listen_address(&place.config, args.listen);
    let page = listener.map(|listener| (listener, page_options(&place.config)));
    let referrers = args.sources.referrers.clone();
    engine::run(place, Job { ending: Ending::Stop, page, referrers, json: args.json })?;
    Ok(Done::Well)
}

/// Returns where the search page listens; a port on the command line means loopback.
pub(crate) fn listen_address(config: &Config, args: ListenArgs) -> SocketAddr {
    match (args.listen, args.port) {
        (Some(address), _) => address,
        (None, Some(port)) => SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), port),
        (None, None) => config.serve.listen,
    }
}

/// Returns how the page is served by this configuration.
pub(crate) fn page_options(config: &Config) -> ::serve::Options {
    let url = Some(config.serve.url.clone()).filter(|url| !url.is_empty());
    let clock = || Timestamp::from(SystemTime::now());
    let serve = &config.serve;
    let rate =
        ::serve::Rate { per_second: serve.requests_per_second, burst: serve.requests_at_once };
    let limits = ::serve::Limits {
        connections: serve.connections,
        connections_per_address: serve.connections_per_address,
        rate,
        ..::serve::Limits::default()
    };
    ::serve::Options {
        title: serve.title.clone(),
        url,
        clock,
        limits,
        trust_forwarded: serve.trust_forwarded,
        trusted_proxies: serve.trusted_proxies.clone(),
        ..::serve::Options::default()
    }
}
