//! The words of phrases by how they sound, for slips that no few edits undo: `fonetik` for
//! `phonetic` (T4).

use std::collections::{HashMap, HashSet};

use super::Phrase;

/// Words of one sound; those of the best phrases.
const MOST_WORDS: usize = 64;
/// Words that are read.
const ALL_WORDS: usize = 50_000;
/// Words of fewer letters sound like too many others.
const LEAST_LETTERS: usize = 4;

/// Words by their keys of Double Metaphone and of Soundex.
#[derive(Debug, Default)]
pub(crate) struct Sounds(HashMap<String, Vec<Box<str>>>);

impl Sounds {
    /// Reads the words of phrases, the best of which come first.
    pub(super) fn of(phrases: &[Phrase]) -> Self {
        let mut sounds = Self::default();
        let mut known = HashSet::new();
        for word in phrases.iter().flat_map(|phrase| phrase.normal.split(' ')) {
            let is_word = word.chars().count() >= LEAST_LETTERS
                && word.chars().all(char::is_alphabetic)
                && known.insert(word);
            if !is_word {
                continue;
            }
            for key in keys(word).into_iter().chain(rough_key(word)) {
                let words = sounds.0.entry(key).or_default();
                if words.len() < MOST_WORDS {
                    words.push(word.into());
                }
            }
            if known.len() >= ALL_WORDS {
                break;
            }
        }
        sounds
    }

    /// Returns words that sound like a word.
    pub(crate) fn like(&self, word: &str) -> impl Iterator<Item = &str> {
        self.under(keys(word))
    }

    /// Returns words that sound roughly like a word: their Soundex is the same (W12).
    pub(crate) fn roughly_like(&self, word: &str) -> impl Iterator<Item = &str> {
        self.under(rough_key(word))
    }

    fn under(&self, keys: impl IntoIterator<Item = String>) -> impl Iterator<Item = &str> {
        keys.into_iter().filter_map(|key| self.0.get(&key)).flatten().map(|word| &**word)
    }
}

/// Returns the key of a word by Soundex, which no key of Double Metaphone is equal to.
fn rough_key(word: &str) -> Option<String> {
    text::soundex(word).map(|key| format!("~{key}"))
}

/// Returns the keys of a word by Double Metaphone.
pub(crate) fn keys(word: &str) -> Vec<String> {
    let (first, second) = text::double_metaphone(word).unwrap_or_default();
    [Some(first), second].into_iter().flatten().filter(|key| !key.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_by_their_sound() {
        let phrase = |text: &str| Phrase { page: None, shown: text.into(), normal: text.into() };
        let sounds = Sounds::of(&[phrase("phonetic alphabet"), phrase("the phonetic cat 1234")]);
        assert_eq!(sounds.like("fonetik").collect::<Vec<_>>(), ["phonetic"]);
        assert_eq!(sounds.like("alfabet").collect::<Vec<_>>(), ["alphabet"]);
        assert_eq!(sounds.like("fometig").count(), 0);
        assert_eq!(sounds.roughly_like("pometig").collect::<Vec<_>>(), ["phonetic"]);
        assert_eq!(sounds.roughly_like("").count(), 0);
        assert_eq!(sounds.like("kat").count(), 0);
        assert_eq!(sounds.like("").count(), 0);
    }
}
