//! Words that are sought in a text: by their first letter most others are known to be none of them.

use crate::stem::Stemmer;

/// The letters that sought words begin with, of those from `a` to `z`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Beginnings(u32);

impl Beginnings {
    /// Returns the beginnings of words in their surface forms, stems, or both.
    pub fn of<'a>(words: impl IntoIterator<Item = &'a str>) -> Self {
        let firsts = words.into_iter().filter_map(|word| word.bytes().next());
        Self(firsts.filter_map(bit).fold(0, |letters, bit| letters | bit))
    }

    /// Returns whether a word of a text is certainly none of those sought, neither by its stem nor
    /// by its surface form.
    ///
    /// Only what is plain is told: letters from `a` to `z`, of which the first may be a capital, but
    /// not `I`, which is `ı` in Turkish. Words with humps or signs in them have parts of their own.
    pub(crate) fn rule_out(self, raw: &str, stemmer: Option<Stemmer>) -> bool {
        let [first, rest @ ..] = raw.as_bytes() else { return false };
        let is_other = bit(first.to_ascii_lowercase()).is_some_and(|bit| self.0 & bit == 0);
        is_other
            && *first != b'I'
            && rest.iter().all(u8::is_ascii_lowercase)
            && stemmer.is_none_or(|stemmer| stemmer.keeps_beginning(raw))
    }
}

fn bit(letter: u8) -> Option<u32> {
    letter.is_ascii_lowercase().then(|| 1 << (letter - b'a'))
}
