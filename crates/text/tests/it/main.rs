//! The analysis of text as its users see it: samples by language, real vocabularies, hostile input.

#![allow(clippy::unwrap_used, reason = "a test may fail where it stands")]

mod compounds;
mod hostile;
mod languages;
mod samples;
mod snowball;
mod udhr;

use std::path::PathBuf;

use text::{Analyzer, Language, Token};

/// Returns a folder of the data packs; says so where there is none.
#[allow(clippy::print_stdout, reason = "a skipped test says so")]
fn pack(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("LOOKFAR_DATA").map(|data| PathBuf::from(data).join(name));
    let found = path.filter(|path| path.is_dir());
    if found.is_none() {
        println!("skipped: no data pack `{name}`; set LOOKFAR_DATA to the folder of the packs");
    }
    found
}

fn analyzer(code: &str) -> Analyzer {
    Analyzer::new(Language::parse(code))
}

/// Joins one form of tokens with spaces.
fn joined<'a>(tokens: &'a [Token], form: fn(&'a Token) -> &'a str) -> String {
    tokens.iter().map(form).collect::<Vec<_>>().join(" ")
}
