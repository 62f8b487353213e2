//! What shingles are made of: words, characters where a script has no spaces, numbers apart.
//!
//! Numbers are what a program changes without changing the page: dates, times, counters. They are
//! not left out, since a table says nothing else; but each is a shingle by itself, together with
//! the word before it, and the words around it close the gap. So another date costs a page of a
//! thousand words three shingles of a thousand, not three times eight, while two tables of other
//! figures share nothing. Names of months and days beside a number are left out.

use xxhash_rust::xxh3::xxh3_64;

use super::dates;

/// The words and numbers of a text.
#[derive(Clone, Debug, Default)]
pub(super) struct Units {
    /// Words, and characters of scripts without spaces, in order: a hash each.
    pub(super) words: Vec<u64>,
    /// Numbers, each together with the word before it.
    pub(super) numbers: Vec<u64>,
    /// Words since the last number; before the first one, far away.
    since_number: Option<usize>,
    /// Words of the last text.
    buffer: Vec<u8>,
}

/// Words on each side of a number that may name a month or day: `Mon 12 March 2026`.
const BESIDE: usize = 2;

/// For each byte below 128: itself in lower case if it belongs to a word, else 0.
const LOWER: [u8; 128] = {
    let mut table = [0; 128];
    let mut byte = 0;
    while byte < 128 {
        if (byte as u8).is_ascii_alphanumeric() {
            table[byte] = (byte as u8).to_ascii_lowercase();
        }
        byte += 1;
    }
    table
};

impl Units {
    /// Takes in the words of a text; returns them in lower case, each with a space behind it.
    pub(super) fn push(&mut self, text: &str) -> &[u8] {
        // Borrowed apart from the rest, which grows while it is read.
        let mut buffer = std::mem::take(&mut self.buffer);
        buffer.clear();
        buffer.reserve(text.len() + 1);
        // Where the word and its last unit begin in the buffer: characters of scripts without
        // spaces are units of their own within what counts as one word.
        let (mut word, mut unit) = (0, 0);
        let bytes = text.as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            let byte = bytes[at];
            if byte < 128 {
                at += 1;
                match LOWER[usize::from(byte)] {
                    0 if buffer.len() > word => {
                        self.push_unit(&buffer[unit..]);
                        buffer.push(b' ');
                        (word, unit) = (buffer.len(), buffer.len());
                    }
                    0 => {}
                    lower => buffer.push(lower),
                }
                continue;
            }
            // Most characters of most texts are ASCII; looking others up in tables is slow.
            let Some(character) = text[at..].chars().next() else { break };
            at += character.len_utf8();
            if !character.is_alphanumeric() {
                if buffer.len() > word {
                    self.push_unit(&buffer[unit..]);
                    buffer.push(b' ');
                    (word, unit) = (buffer.len(), buffer.len());
                }
                continue;
            }
            let is_unspaced = is_unspaced(character);
            if is_unspaced {
                self.push_unit(&buffer[unit..]);
                unit = buffer.len();
            }
            for lower in character.to_lowercase() {
                buffer.extend_from_slice(lower.encode_utf8(&mut [0; 4]).as_bytes());
            }
            if is_unspaced {
                self.push_unit(&buffer[unit..]);
                unit = buffer.len();
            }
        }
        if buffer.len() > word {
            self.push_unit(&buffer[unit..]);
            buffer.push(b' ');
        }
        self.buffer = buffer;
        &self.buffer
    }

    /// Returns how many there are.
    pub(super) fn len(&self) -> usize {
        self.words.len() + self.numbers.len()
    }

    fn push_unit(&mut self, unit: &[u8]) {
        let Some(first) = unit.first() else { return };
        let is_number = first.is_ascii_digit() || *first >= 128 && is_foreign_number(unit);
        let hash = xxh3_64(unit);
        if is_number {
            let beside = self.since_number.unwrap_or(BESIDE).min(BESIDE).min(self.words.len());
            let kept = self.words.len() - beside;
            for place in (kept..self.words.len()).rev() {
                // `March the 5`: what stands behind the name stays.
                if dates::is_date(self.words[place]) {
                    self.words.remove(place);
                }
            }
            let before = self.words.last().copied().unwrap_or(0);
            self.numbers.push(super::minhash::mixed(hash, before));
            self.since_number = Some(0);
            return;
        }
        let is_beside = self.since_number.is_some_and(|since| since < BESIDE);
        self.since_number = self.since_number.map(|since| since + 1);
        if !is_beside || !dates::is_date(hash) {
            self.words.push(hash);
        }
    }
}

fn is_foreign_number(unit: &[u8]) -> bool {
    let unit = std::str::from_utf8(unit).unwrap_or_default();
    unit.chars().next().is_some_and(char::is_numeric)
}

/// Whether a character belongs to a script that has no spaces between words.
fn is_unspaced(character: char) -> bool {
    matches!(u32::from(character),
        // Thai, Lao, Tibetan, Myanmar, Khmer.
        0x0e00..=0x0fff | 0x1000..=0x109f | 0x1780..=0x17ff
        // Tai Le, New Tai Lue, Tai Tham, Balinese.
        | 0x1950..=0x19df | 0x1a20..=0x1aaf | 0x1b00..=0x1b7f
        // Kana, Bopomofo, Han, Yi, Javanese, Myanmar again.
        | 0x3040..=0x312f | 0x31a0..=0x31ff | 0x3400..=0x4dbf | 0x4e00..=0xa4cf
        | 0xa980..=0xa9ff | 0xaa60..=0xaadf | 0xf900..=0xfaff | 0xff66..=0xff9f
        | 0x1b000..=0x1b16f | 0x20000..=0x3ffff)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, words: &str, num_words: usize, num_numbers: usize) {
        let mut units = Units::default();
        assert_eq!(std::str::from_utf8(units.push(text)).unwrap(), words, "{text}");
        let found = (units.words.len(), units.numbers.len());
        assert_eq!(found, (num_words, num_numbers), "{text}");
    }

    #[test]
    fn words_are_told_apart_in_every_script() {
        check("  Hello,World 2 ", "hello world 2 ", 2, 1);
        check("ÆBLE—Ærø…ΟΔΟΣ", "æble ærø οδοσ ", 3, 0);
        check("— …", "", 0, 0);
    }

    #[test]
    fn scripts_without_spaces_are_taken_by_characters() {
        check("東京 Tokyo٣", "東京 tokyo٣ ", 3, 0);
        check("東京tokyo都5", "東京tokyo都5 ", 4, 1);
        check("ไทย ខ្មែរ", "ไทย ខ មែរ ", 7, 0);
    }

    #[test]
    fn names_of_months_and_days_beside_a_number_are_left_out() {
        check("Updated Monday, 12 March 2026, 10:45", "updated monday 12 march 2026 10 45 ", 1, 4);
        check("le 5 août 2024", "le 5 août 2024 ", 1, 2);
        check("they march on, may they win", "they march on may they win ", 6, 0);
    }

    #[test]
    fn a_number_is_told_by_the_word_before_it() {
        let numbers = |text: &str| {
            let mut units = Units::default();
            units.push(text);
            units.numbers
        };
        assert_eq!(numbers("page 5 says"), numbers("a page 5"));
        assert_ne!(numbers("page 5"), numbers("row 5"));
        assert_ne!(numbers("page 5"), numbers("page 6"));
    }
}
