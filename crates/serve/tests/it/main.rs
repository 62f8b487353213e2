//! The server over a real socket: what people see, what programs get, what strangers cannot do.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod admin;
mod api;
mod client;
mod collection;
mod copies;
mod feed;
mod limits;
mod metrics;
mod owner;
mod pages;
mod queries;
mod server;
