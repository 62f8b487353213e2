//! `lookfar demo`: a made-up web on this machine, crawled and searched.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;

use ::crawl::Ending;
use anyhow::{Context, Result, bail};
use base::Url;
use testweb::{Web, demo};

use crate::Done;
use crate::args::{DemoArgs, LimitArgs};
use crate::config::Config;
use crate::engine::{self, Job};
use crate::place::Place;

/// Chosen once; with another number the bulk of the pages reads differently.
const SEED: u64 = 1;
/// Where the made-up web listens if the port is free, so that links from the last run still work.
const WEB_PORT: u16 = 7780;

/// How the demo's collection differs from the defaults.
const CONFIG: &str = r#"# The made-up web of `lookfar demo`: it runs on this machine, so we may hurry.
[crawl]
scope = ["lookfar"]
depth = 20
pages_per_host = 400
delay = "200ms"
error_rest = "1s"
contact = "https://example.org/lookfar-demo"
addresses = "loopback"

[index]
analyse_every = "5s"

[serve]
title = "Lookfar demo"
"#;

pub(crate) fn run(dir: &Path, args: &DemoArgs) -> Result<Done> {
    let seed = Url::parse(demo::SEED).context("the demo's first page is no URL")?;
    let mut listener = None;
    let (seeds, limits) = (std::slice::from_ref(&seed), LimitArgs::default());
    let mut place = Place::open(dir, seeds, CONFIG, &limits, |config, new_seeds| {
        refuse_other_collections(dir, config, new_seeds)?;
        if !args.no_serve {
            let address = SocketAddr::from((Ipv4Addr::LOCALHOST, args.port));
            listener = Some(::serve::Listener::bind(address)?);
        }
        Ok(())
    })?;
    let web = start_web()?;
    place.config.crawl.dns_servers = vec![web.dns_addr];
    place.config.crawl.instead_of_port_80 = web.http_port;
    let page = listener.map(|listener| (listener, page_options(&place.config, web.http_port)));
    let ending = if args.until_idle { Ending::Idle } else { Ending::Stop };
    engine::run(place, Job { ending, page, referrers: Vec::new(), json: args.json })?;
    Ok(Done::Well)
}

/// The demo's pages do not belong among those of a real crawl.
fn refuse_other_collections(dir: &Path, config: &Config, new_seeds: &[Url]) -> Result<()> {
    let is_ours = toml::from_str::<Config>(CONFIG)
        .is_ok_and(|demo| format!("{:?}", demo.crawl.scope) == format!("{:?}", config.crawl.scope));
    if !is_ours && !new_seeds.is_empty() {
        bail!("`{}` holds another crawl; name a new folder with `--dir`", dir.display());
    }
    Ok(())
}

fn start_web() -> Result<testweb::Running> {
    let web = |port| Web::new().sites(demo::sites(SEED)).http_port(port).start();
    web(WEB_PORT).or_else(|_| web(0)).context("cannot start the made-up web")
}

fn page_options(config: &Config, web_port: u16) -> ::serve::Options {
    // Browsers resolve *.localhost by themselves, and the made-up web answers to those names.
    let rewrite = ::serve::LinkRewrite {
        suffix: ".lookfar".to_owned(),
        replacement: format!(".localhost:{web_port}"),
    };
    ::serve::Options {
        link_rewrites: vec![rewrite],
        examples: [
            "jaguar -car",
            "\"new world mammal\"",
            "(jaguar AND new AND NOT family) OR cat",
            "Ostrelund Lanterns",
            "saffron lighthouse",
        ]
        .map(str::to_owned)
        .to_vec(),
        ..super::up::page_options(config)
    }
}
