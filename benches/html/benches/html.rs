//! Is the content of a page told from its frame as well as others tell it, and at what cost?
//!
//! `cargo xtask bench html [--only articles|manuals|speed] [--rounds 3] [--pages]`: the parts of
//! `cargo xtask bench parse` of these names, beside the article that dom_smoothie takes and the
//! tree that `dom_query` builds with html5ever's own tokeniser.
//!
//! Aims: F1 not below dom_smoothie's; full record ≤ 2.5 × the tree by `dom_query`.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a bench that fails should say so")]

#[path = "../../../crates/parse/benches/parse/articles.rs"]
mod articles;
#[path = "../../../crates/parse/benches/parse/help.rs"]
mod help;
#[path = "../../../crates/parse/benches/parse/manuals.rs"]
mod manuals;
#[path = "../../../crates/parse/benches/parse/pages.rs"]
mod pages;
#[path = "../../../crates/parse/benches/parse/speed.rs"]
mod speed;
#[path = "../../../crates/parse/benches/parse/usage.rs"]
mod usage;

use std::hint::black_box;

use articles::Rival;
use dom_smoothie::Readability;

fn main() {
    let only = help::option("--only");
    let wanted = |part: &str| only.as_deref().is_none_or(|only| only == part);
    let rivals = [Rival { name: "dom_smoothie", article }];
    if wanted("articles") {
        articles::run(&rivals);
    }
    if wanted("manuals") {
        manuals::run(&rivals);
    }
    if wanted("speed") {
        speed::run(Some(("tree alone, by dom_query and html5ever", tree)));
    }
}

fn article(source: &str) -> Option<String> {
    let mut reader = Readability::new(source, None, None).ok()?;
    reader.parse().ok().map(|article| article.content.to_string())
}

fn tree(source: &str) {
    black_box(dom_query::Document::from(source));
}
