//! Crawls of made-up webs on loopback, judged by the server's own log and by what is on disk.

// Helpers outside of `#[test]` functions may unwrap too: a panic is how a test fails.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

mod help;
mod polite;
mod robots;
mod robust;
mod whole;
