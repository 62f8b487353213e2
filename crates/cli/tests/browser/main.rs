//! The search page in a real browser: Chromium without a window, over a collection of ours.
//!
//! - [`chromium`]: starts the browser and speaks its DevTools protocol over a pipe.
//! - [`firefox`]: the other browser, asked whether it takes this search among its engines.
//! - [`tab`]: one visitor: opens addresses, types, clicks, and sees what the page does.
//! - [`world`]: a small made-up collection, imported and served by the real program.
//! - [`room`]: a crawl of a made-up web, with its control room.
//! - [`axe`]: looks for faults that keep people out who cannot see or point.
//!
//! Without a browser the tests say so and pass; `cargo xtask test` installs one.

// Helpers outside of `#[test]` functions may unwrap too: a panic is how a test fails.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

mod axe;
mod chromium;
mod engines;
mod firefox;
mod help;
mod hostile;
mod keys;
mod looks;
mod personal;
mod pictures;
mod room;
mod search;
mod tab;
mod world;
