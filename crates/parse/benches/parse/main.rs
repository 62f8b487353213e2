//! How well is the content of a page told from the frame around it, and what does reading cost?
//!
//! `cargo xtask bench parse [--only articles|manuals|terms|homes|speed|documents] [--rounds 3] [--pages]`, with the
//! data packs in `LOOKFAR_DATA` and documentation packages in `LOOKFAR_DOCS`. What is missing is
//! said and left out.
//!
//! - `articles`: 130 pages with the article a reader mode takes from them: token F1 of what we
//!   take for main content, of all text, and of dom_smoothie; megabytes per CPU-second of each.
//! - `manuals`: the same F1 against what eight manuals mark as the content of their pages, which
//!   neither program was made for.
//! - `terms`: manuals and their own index: the share of terms whose words are still in the main
//!   content of the page that the index names.
//! - `homes`: 8,281 pages of 1996: none may lose all its text.
//! - `speed`: CPU-seconds per 1,000 pages for each step of reading.
//! - `documents`: pages of PDF per CPU-second.
//!
//! Aims: F1 not below dom_smoothie's; ≥ 99 % of terms; full record ≤ 2.5 × tree alone.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a bench that fails should say so")]

mod articles;
mod documents;
mod homes;
mod manuals;
mod pages;
mod speed;
mod terms;
mod usage;

use base::{Block, Url, Zone};
use parse::{Input, Options, Parsed};

fn main() {
    let only = option("--only");
    let wanted = |part: &str| only.as_deref().is_none_or(|only| only == part);
    if wanted("articles") {
        articles::run();
    }
    if wanted("manuals") {
        manuals::run();
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
        speed::run(option("--rounds").map_or(3, |text| text.parse().unwrap()));
    }
}

/// Returns the value behind an option of the command line.
fn option(name: &str) -> Option<String> {
    let mut arguments = std::env::args().skip_while(|argument| argument != name);
    arguments.next().and_then(|_| arguments.next())
}

/// Returns whether a switch is set.
fn switch(name: &str) -> bool {
    std::env::args().any(|argument| argument == name)
}

/// Reads a page.
fn read(body: &[u8]) -> Parsed {
    read_with(body, &Options::default())
}

fn read_with(body: &[u8], options: &Options) -> Parsed {
    let url = Url::parse("http://real.example/page").unwrap();
    let is_utf8 = std::str::from_utf8(body).is_ok();
    let kind = if is_utf8 { "text/html; charset=utf-8" } else { "text/html" };
    let input = Input { content_type: Some(kind), ..Input::new(&url, body) };
    parse::parse(&input, options)
}

/// Returns the words of the blocks that pass, in lower case; characters where words have no
/// borders.
fn words(blocks: &[Block], passes: impl Fn(Zone) -> bool) -> Vec<String> {
    let mut words = Vec::new();
    for block in blocks.iter().filter(|block| passes(block.zone)) {
        words_of(&block.text, &mut words);
    }
    words
}

fn words_of(text: &str, words: &mut Vec<String>) {
    for word in text.split(|character: char| !character.is_alphanumeric()) {
        let is_dense = |character: char| ('\u{2E80}'..='\u{9FFF}').contains(&character);
        if word.contains(is_dense) {
            words.extend(word.chars().map(String::from));
        } else if !word.is_empty() {
            words.push(word.to_lowercase());
        }
    }
}
