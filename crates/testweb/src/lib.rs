//! Serves a made-up web on loopback: many hosts, one process, the same bytes for the same seed.
//!
//! - Place in the flow: before everything; `crawl` fetches from it in tests, benches and
//!   `lookfar demo`. No stage depends on it.
//! - Reads and writes: folders given as sites; an access log file when asked for.
//! - Start at: [`Web`], which takes [`Site`]s and starts; [`Running`], which says where to
//!   connect; [`Log`], which answers what a crawler did.
//! - Promises: only loopback peers are served; every host has an address of its own in
//!   127.0.0.0/8 unless it is told to share; a site's answers depend on the request and the
//!   time since the web began, on nothing else (scripted sites also count); the log knows every
//!   request that arrived, with microseconds.
//! - Does not: simulate a network; keep pages in memory; speak TLS unless asked to
//!   ([`Web::with_tls`]), and then with certificates that only its own client trusts.
//!
//! ```no_run
//! use testweb::{Generated, GeneratedOptions, Web};
//!
//! let made_up = Generated::new(GeneratedOptions::default());
//! let web = Web::new().sites(made_up.sites()).start()?;
//! println!("port 80 is {}, ask names at {}", web.http_port, web.dns_addr);
//! # Ok::<(), testweb::Error>(())
//! ```

mod dns;
mod error;
mod folder;
mod frames;
mod generated;
mod head;
mod hosts;
mod http2;
mod localhost;
mod log;
mod respond;
mod script;
mod server;
mod site;
mod tls;
mod web;
mod webkb;

pub mod demo;

pub use dns::{Broken, Dns, DnsAnswer};
pub use error::Error;
pub use folder::Folder;
pub use frames::{END_HEADERS, END_STREAM, Frame, Frames, header_block};
pub use generated::{Dress, Generated, GeneratedOptions, GeneratedPage, Kind, Mix, Naming};
pub use log::{Closest, Entry, Log, Of};
pub use script::Script;
pub use site::{Answer, End, Pace, Raw, Reply, Request, Site};
pub use tls::{Certificate, Handshake, Tls};
pub use web::{Running, Web};
pub use webkb::WebKb;
