//! How well is the content of a page told from the frame around it, and what does reading cost?
//!
//! `cargo xtask bench parse [--only articles|manuals|terms|homes|speed|documents] [--rounds 3] [--pages]`, with the
//! data packs in `LOOKFAR_DATA` and documentation packages in `LOOKFAR_DOCS`. What is missing is
//! said and left out.
//!
//! - `articles`: 130 pages with the article a reader mode takes from them: token F1 of what we
//!   take for main content and of all text; megabytes per CPU-second.
//! - `manuals`: the same F1 against what eight manuals mark as the content of their pages.
//! - `terms`: manuals and their own index: the share of terms whose words are still in the main
//!   content of the page that the index names.
//! - `homes`: 8,281 pages of 1996: none may lose all its text.
//! - `speed`: CPU-seconds per 1,000 pages for each step of reading.
//! - `documents`: pages of PDF per CPU-second.
//!
//! `cargo xtask bench html` runs articles, manuals and speed beside other libraries.
//!
//! Aims: ≥ 99 % of terms; full record ≤ 2.5 × the tree alone by `dom_query`.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a bench that fails should say so")]

mod articles;
mod documents;
mod help;
mod homes;
mod manuals;
mod pages;
mod speed;
mod terms;
mod usage;

fn main() {
    let only = help::option("--only");
    let wanted = |part: &str| only.as_deref().is_none_or(|only| only == part);
    if wanted("articles") {
        articles::run(&[]);
    }
    if wanted("manuals") {
        manuals::run(&[]);
    }
    if wanted("terms") {
        terms::run();
    }
    if wanted("homes") {
        homes::run();
    }
    if wanted("documents") {
        documents::run();
    }
    if wanted("speed") {
        speed::run(None);
    }
}
