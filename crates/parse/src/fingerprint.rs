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
    let mut words = String::new();
    let mut has_words = false;
    for block in blocks {
        words.clear();
        normalise(&block.text, &mut words);
        hasher.update(words.as_bytes());
        has_words |= !words.is_empty();
    }
    has_words.then(|| hasher.digest128())
}

/// Appends the words of a text in lower case, each with a space behind it.
fn normalise(text: &str, words: &mut String) {
    words.reserve(text.len() + 1);
    let mut in_word = false;
    for character in text.chars() {
        // Most characters of most texts are ASCII; looking others up in tables is slow.
        if character.is_ascii_alphanumeric() {
            words.push(character.to_ascii_lowercase());
            in_word = true;
        } else if !character.is_ascii() && character.is_alphanumeric() {
            words.extend(character.to_lowercase());
            in_word = true;
        } else if std::mem::take(&mut in_word) {
            words.push(' ');
        }
    }
    if in_word {
        words.push(' ');
    }
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
    fn words_are_told_apart_in_every_script() {
        let check = |text: &str, expected: &str| {
            let mut words = String::new();
            normalise(text, &mut words);
            assert_eq!(words, expected, "{text}");
        };
        check("  Hello,World 2 ", "hello world 2 ");
        check("ÆBLE—Ærø…ΟΔΟΣ", "æble ærø οδοσ ");
        check("東京 Tokyo٣", "東京 tokyo٣ ");
        check("— …", "");
    }

    #[test]
    fn navigation_counts_only_when_there_is_nothing_else() {
        let home = of(&[block(Zone::Boilerplate, "Home")]);
        assert_ne!(home, 0);
        assert_ne!(home, of(&[block(Zone::Boilerplate, "About")]));
        assert_eq!(of(&[block(Zone::Body, "— …")]), 0);
    }
}
