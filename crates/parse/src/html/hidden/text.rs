//! What can be told of a text without its language: how many words, whether they make sentences.

use std::collections::HashSet;

use foldhash::fast::RandomState;

/// Counts over the text of a box.
#[derive(Default)]
pub(super) struct Counts {
    /// Words; two characters of a script without blanks count as one.
    pub(super) words: usize,
    /// Words of links, entries of forms, tables and code: lists by nature.
    listed: usize,
    sentences: usize,
    commas: usize,
    distinct: HashSet<u64, RandomState>,
}

/// Words from which a text can be called one thing or another.
const FEW: usize = 30;
/// Words without a sentence that no label, heading or caption has.
const LONG: usize = 80;

impl Counts {
    /// Adds a run of text.
    pub(super) fn add(&mut self, text: &str, is_list: bool) {
        let mut word = Word::default();
        let mut before = ' ';
        for character in text.chars() {
            if is_wide(character) {
                self.end(&mut word, is_list);
                word.wide += 1;
                word.mix(character);
                if word.wide % 2 == 0 {
                    self.end(&mut word, is_list);
                }
            } else if character.is_alphanumeric() {
                word.letters += 1;
                word.mix(character.to_ascii_lowercase());
            } else {
                // A point ends a sentence only where the word ends too, unlike in `a.b`.
                let ends = character.is_whitespace() && matches!(before, '.' | '!' | '?' | ':')
                    || matches!(character, '。' | '！' | '？' | '।' | '؟');
                self.sentences += usize::from(ends && !is_list);
                self.commas += usize::from(matches!(character, ',' | ';' | '|' | '、' | '،'));
                self.end(&mut word, is_list);
            }
            before = character;
        }
        self.sentences += usize::from(!is_list && matches!(before, '.' | '!' | '?'));
        self.end(&mut word, is_list);
    }

    fn end(&mut self, word: &mut Word, is_list: bool) {
        if word.letters + word.wide == 0 {
            return;
        }
        self.words += 1;
        if is_list {
            self.listed += 1;
        } else if self.distinct.len() < DISTINCT {
            self.distinct.insert(word.hash);
        }
        *word = Word::default();
    }

    fn free(&self) -> usize {
        self.words - self.listed
    }

    /// Returns whether it reads like a text for people.
    pub(super) fn is_prose(&self) -> bool {
        let sentences = self.sentences;
        self.free() >= FEW && sentences >= 2 && self.free() <= 60 * sentences && !self.is_stuffed()
    }

    /// Returns whether it reads like a list of search words.
    pub(super) fn is_stuffed(&self) -> bool {
        let free = self.free();
        if free < FEW {
            return false;
        }
        let counted = free.min(DISTINCT);
        // A page of a few hundred words uses half of them once; only long ones fall lower.
        let is_repeated = self.distinct.len() * 4 < counted && free < 4 * DISTINCT;
        let is_list = self.commas * 5 > free && self.sentences * FEW < free;
        let has_no_sentence = free >= LONG && self.sentences * LONG < free;
        is_repeated || is_list || has_no_sentence
    }
}

/// Distinct words counted.
const DISTINCT: usize = 1_024;

#[derive(Default)]
struct Word {
    letters: usize,
    wide: usize,
    hash: u64,
}

impl Word {
    fn mix(&mut self, character: char) {
        self.hash = (self.hash.rotate_left(5) ^ u64::from(u32::from(character)))
            .wrapping_mul(0x517c_c1b7_2722_0a95);
    }
}

/// Characters of scripts that put no blanks between words.
pub(super) fn is_wide(character: char) -> bool {
    !character.is_ascii()
        && matches!(character,
            '\u{0E00}'..='\u{0EFF}' | '\u{1000}'..='\u{109F}' | '\u{1780}'..='\u{17FF}'
            | '\u{3041}'..='\u{30FF}' | '\u{3400}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}'
            | '\u{20000}'..='\u{3FFFF}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, is_prose: bool, is_stuffed: bool) {
        let mut counts = Counts::default();
        counts.add(text, false);
        assert_eq!((counts.is_prose(), counts.is_stuffed()), (is_prose, is_stuffed), "{text}");
    }

    #[test]
    fn sentences_are_prose_and_lists_are_not() {
        check(
            "The quick brown fox jumps over the lazy dog. It does so every morning, before the sun \
             is up. Nobody knows why; the dog does not mind at all, and sleeps on. So do we.",
            true,
            false,
        );
        check(&"cheap hotels, hotel deals, paris hotels, ".repeat(10), false, true);
        check(&"casino poker roulette ".repeat(30), false, true);
        check("Home Products Contact", false, false);
        check(&"安いホテル、格安ホテル、".repeat(20), false, true);
        check("", false, false);
    }
}
