//! Link analysis from the outside: logs in, generations out.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "helpers of tests are tests")]

mod build;
#[cfg(target_os = "linux")]
mod ceiling;
mod damage;
mod kinds;
mod levels;
mod ranking;
mod real;
mod reputation;
mod similar;
mod sites;
mod spam;
mod structure;
mod web;
