//! Tests of the whole program and of the whole repository.

// Helpers outside of `#[test]` functions may unwrap too: a panic is how a test fails.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

mod alone;
mod control;
mod copies;
mod crawl;
mod demo;
mod doctor;
mod documents;
mod errors;
mod eval;
mod export;
mod faults;
mod flags;
mod fresh;
mod graph;
mod idlers;
mod import;
mod init;
mod interfaces;
mod json;
mod kill;
mod logging;
mod manual;
mod memory;
mod packaging;
mod queries;
mod reparse;
mod room;
mod run;
mod search;
mod slow_disk;
mod soak;
mod storage;
mod tidy;
