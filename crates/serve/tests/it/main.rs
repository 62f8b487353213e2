//! The server over a real socket: what people see, what programs get, what strangers cannot do.

#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a test that cannot go on fails")]

mod admin;
mod api;
mod client;
mod collection;
mod copies;
mod feed;
mod filters;
mod guesses;
mod helps;
mod hosts;
mod knowledge;
mod known;
mod limits;
mod mcp;
mod metrics;
mod owner;
mod pages;
mod preferences;
mod pressure;
mod queries;
mod schema;
mod server;
mod share;
mod tongues;
