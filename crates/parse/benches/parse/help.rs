//! Arguments of the command line, and pages as we read them; `benches/html` shares it.

use base::{Block, Url, Zone};
use parse::{Input, Options, Parsed};

/// Returns the value behind an option of the command line.
pub(crate) fn option(name: &str) -> Option<String> {
    let mut arguments = std::env::args().skip_while(|argument| argument != name);
    arguments.next().and_then(|_| arguments.next())
}

/// Returns whether a switch is set.
pub(crate) fn switch(name: &str) -> bool {
    std::env::args().any(|argument| argument == name)
}

/// Reads a page.
pub(crate) fn read(body: &[u8]) -> Parsed {
    read_with(body, &Options::default())
}

pub(crate) fn read_with(body: &[u8], options: &Options) -> Parsed {
    let url = Url::parse("http://real.example/page").unwrap();
    let is_utf8 = std::str::from_utf8(body).is_ok();
    let kind = if is_utf8 { "text/html; charset=utf-8" } else { "text/html" };
    let input = Input { content_type: Some(kind), ..Input::new(&url, body) };
    parse::parse(&input, options)
}

/// Returns the words of the blocks that pass, in lower case; characters where words have no
/// borders.
pub(crate) fn words(blocks: &[Block], passes: impl Fn(Zone) -> bool) -> Vec<String> {
    let mut words = Vec::new();
    for block in blocks.iter().filter(|block| passes(block.zone)) {
        words_of(&block.text, &mut words);
    }
    words
}

pub(crate) fn words_of(text: &str, words: &mut Vec<String>) {
    for word in text.split(|character: char| !character.is_alphanumeric()) {
        let is_dense = |character: char| ('\u{2E80}'..='\u{9FFF}').contains(&character);
        if word.contains(is_dense) {
            words.extend(word.chars().map(String::from));
        } else if !word.is_empty() {
            words.push(word.to_lowercase());
        }
    }
}
