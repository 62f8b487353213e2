//! The sources of `crawl` that read robots.txt.

#[path = "../../../crates/crawl/src/robots/lines.rs"]
mod lines;
#[path = "../../../crates/crawl/src/robots/patterns.rs"]
mod patterns;
#[path = "../../../crates/crawl/src/robots/rules.rs"]
pub(super) mod rules;
