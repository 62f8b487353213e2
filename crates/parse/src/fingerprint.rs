//! The exact fingerprint of a page: equal words, equal number (C13).

use base::{Block, Zone};
use xxhash_rust::xxh3::Xxh3;

/// Returns the 128-bit hash of the main text: words in lower case, one space between them,
/// punctuation, mark-up and navigation apart. A page of navigation alone is hashed whole; a page
/// without words is 0.
///
/// The number is stored: a change of this function changes what counts as equal.
pub(crate) fn of(blocks: &[Block]) -> u128 {
    let main = hash(blocks.iter().filter(|block| block.zone != Zone::Boilerplate));
    main.or_else(|| hash(blocks.iter())).unwrap_or(0)
}

fn hash<'a>(blocks: impl Iterator<Item = &'a Block>) -> Option<u128> {
    let mut hasher = Xxh3::new();
    let mut word = String::new();
    let mut has_words = false;
    for block in blocks {
        for raw in block.text.split(|character: char| !character.is_alphanumeric()) {
            if raw.is_empty() {
                continue;
            }
            word.clear();
            if raw.is_ascii() {
                word.push_str(raw);
                word.make_ascii_lowercase();
            } else {
                word.extend(raw.chars().flat_map(char::to_lowercase));
            }
            word.push(' ');
            hasher.update(word.as_bytes());
            has_words = true;
        }
    }
    has_words.then(|| hasher.digest128())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(zone: Zone, text: &str) -> Block {
        Block { zone, text: text.to_owned() }
    }

    #[test]
    fn equal_words_have_equal_numbers() {
        let one = of(&[block(Zone::Body, "Hello, World!"), block(Zone::Boilerplate, "Home")]);
        let other = of(&[block(Zone::Heading, "hello"), block(Zone::Body, "WORLD")]);
        assert_eq!(one, other);
        assert_ne!(one, of(&[block(Zone::Body, "hello worlds")]));
        // Stored in collections: must never change.
        assert_eq!(one, 68_336_032_580_360_441_841_590_467_279_766_278_511);
    }

    #[test]
    fn navigation_counts_only_when_there_is_nothing_else() {
        let home = of(&[block(Zone::Boilerplate, "Home")]);
        assert_ne!(home, 0);
        assert_ne!(home, of(&[block(Zone::Boilerplate, "About")]));
        assert_eq!(of(&[block(Zone::Body, "— …")]), 0);
    }
}
