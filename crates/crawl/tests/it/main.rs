//! Crawls of made-up webs on loopback, judged by the server's own log and by what is on disk.

// Helpers outside of `#[test]` functions may unwrap too: a panic is how a test fails.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

mod again;
mod compression;
mod copies;
mod dns;
mod forget;
mod help;
mod hosts;
mod http;
mod http2;
mod limits;
mod live;
mod mirrors;
mod near;
mod order;
mod pictures;
mod polite;
mod power;
mod redirects;
mod repair;
mod robots;
mod robust;
mod scope;
mod sitemaps;
mod story;
mod tcp;
mod tls;
mod traps;
mod urls;
mod webkb;
mod whole;
