//! robots.txt as RFC 9309 says it (C5, W14): read, matched, kept, asked at fetch time.
//!
//! ```text
//! response ─ Copy::of_response ─→ Answer ─ settled ─→ Copy ──→ the frontier's store
//!                                                      │ parsed      │ loaded again
//!                                                      ▼             ▼ after eviction
//!                        URL about to be fetched ─→ Book::judge ─→ Verdict
//! ```
//!
//! Written by hand: of the crates that read robots.txt, none follows the standard in all of
//! its cases (the best one misses a dozen of Google's), and some take seconds for hostile
//! patterns. Where Google's parser and the standard differ, the standard counts; the differences
//! are listed in `docs/webmasters.md`.

mod book;
mod copy;
mod lines;
mod patterns;
mod rules;

#[cfg(test)]
mod tests;

pub(crate) use book::{Book, Limits, Verdict};
pub(crate) use copy::Copy;
pub(crate) use rules::Robots;
