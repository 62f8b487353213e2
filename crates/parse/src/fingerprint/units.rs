//! What shingles are made of: words, characters where a script has no spaces, numbers apart.
//!
//! Dates and times are what a program changes without changing the page: they are left out, and
//! the words around them close the gap. Names of months and days count as dates beside a number
//! only, and numbers as dates beside such a name, or when they are written as one (`2026-03-12`,
//! `12/3/26`, `10:45`). Any other number may be a counter, or all that a page has to say, as in a
//! table. So it is not one of the words, where it would change eight shingles: it stands apart,
//! together with the word before it, and weighs as much as half of those.

use xxhash_rust::xxh3::xxh3_64;

use super::dates;
use super::minhash::mixed;
use crate::letters::{self, Small};

/// The words and numbers of a text.
#[derive(Clone, Debug, Default)]
pub(super) struct Units {
    /// Words, and characters of scripts without spaces, in order: a hash each.
    pub(super) words: Vec<u64>,
    /// Where the words of each block end among them.
    pub(super) ends: Vec<usize>,
    /// Numbers, each together with the word before it, [`WEIGHT`] times.
    pub(super) numbers: Vec<u64>,
    /// Words of the last text.
    buffer: Vec<u8>,
    /// What came last.
    tail: Tail,
}

/// How the units that came last may belong to a date.
#[derive(Clone, Copy, Debug, Default)]
struct Tail {
    /// Units since the last number that is no date yet; a lot if there is none.
    number: Distance,
    /// Units since the last name of a month or day.
    name: Distance,
    /// Numbers written together, up to the last unit.
    run: usize,
    /// How many of these are in the list.
    said: usize,
    /// What stands for the last of them.
    value: u64,
    /// Whether these are a date or a time.
    is_date: bool,
}

/// A number of units; [`Distance::default`] is beyond everything.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
struct Distance(u8);

impl Default for Distance {
    fn default() -> Self {
        Self(u8::MAX)
    }
}

/// Units on each side of a number that may name a month or day: `Mon 12 March 2026`.
const BESIDE: u8 = 2;
/// Shingles that a number stands for.
const WEIGHT: usize = 4;
/// Numbers written together that are a date: `12.3.26`; with a colon, two are a time.
const DATE_PARTS: usize = 3;

impl Units {
    /// Takes in the words of a block; returns them in lower case, each with a space behind it.
    pub(super) fn push(&mut self, text: &str) -> &[u8] {
        // Borrowed apart from the rest, which grows while it is read.
        let mut buffer = std::mem::take(&mut self.buffer);
        buffer.clear();
        buffer.reserve(text.len() + 8);
        // Where the word and its last unit begin in the buffer: characters of scripts without
        // spaces are units of their own within what counts as one word.
        let (mut word, mut unit) = (0, 0);
        // What stands between the last two units, if it is a single character.
        let mut glue = 0;
        let bytes = text.as_bytes();
        let mut at = 0;
        loop {
            at += letters::push_ascii(&bytes[at..], &mut buffer).0;
            let Some(&byte) = bytes.get(at) else { break };
            if byte < 128 {
                at += 1;
                if buffer.len() > word {
                    self.push_unit(&buffer[unit..], glue);
                    buffer.push(b' ');
                    (word, unit) = (buffer.len(), buffer.len());
                    glue = byte;
                } else {
                    glue = 0;
                }
                continue;
            }
            let Some(character) = text[at..].chars().next() else { break };
            at += character.len_utf8();
            let small = Small::of(character);
            if small == Small::None {
                if buffer.len() > word {
                    self.push_unit(&buffer[unit..], glue);
                    buffer.push(b' ');
                    (word, unit) = (buffer.len(), buffer.len());
                }
                glue = 0;
                continue;
            }
            let is_unspaced = is_unspaced(character);
            if is_unspaced {
                self.push_unit(&buffer[unit..], glue);
                unit = buffer.len();
            }
            small.push(character, &mut buffer);
            if is_unspaced {
                self.push_unit(&buffer[unit..], 0);
                (unit, glue) = (buffer.len(), 0);
            }
        }
        if buffer.len() > word {
            self.push_unit(&buffer[unit..], glue);
            buffer.push(b' ');
        }
        if self.words.len() > self.ends.last().copied().unwrap_or(0) {
            self.ends.push(self.words.len());
        }
        self.tail = Tail::default();
        self.buffer = buffer;
        &self.buffer
    }

    /// Returns how many there are.
    pub(super) fn len(&self) -> usize {
        self.words.len() + self.numbers.len()
    }

    fn push_unit(&mut self, unit: &[u8], glue: u8) {
        let Some(&first) = unit.first() else { return };
        let is_number = first.is_ascii_digit() || first >= 128 && is_foreign_number(first, unit);
        let hash = xxh3_64(unit);
        if is_number {
            self.push_number(hash, glue);
        } else {
            self.push_word(hash);
        }
        self.tail.number.0 = self.tail.number.0.saturating_add(1);
        self.tail.name.0 = self.tail.name.0.saturating_add(1);
    }

    fn push_word(&mut self, hash: u64) {
        self.tail.run = 0;
        // Only beside a number is it looked up; a number that follows looks back.
        let is_beside = self.tail.number.0 < BESIDE || self.tail.name.0 < BESIDE;
        if is_beside && dates::is_date(hash) {
            if self.tail.number.0 < BESIDE {
                self.unsay(1);
            }
            self.tail.name = Distance(0);
            return;
        }
        self.words.push(hash);
    }

    fn push_number(&mut self, hash: u64, glue: u8) {
        let is_glued = self.tail.run > 0 && matches!(glue, b'-' | b'/' | b'.' | b',' | b':');
        if !is_glued {
            self.tail = Tail { run: 0, said: 0, is_date: false, ..self.tail };
        }
        self.tail.run += 1;
        let is_named = self.takes_back_names() || self.tail.name.0 < BESIDE;
        let is_written = is_glued && (glue == b':' || glue != b',' && self.tail.run >= DATE_PARTS);
        if is_named || is_written || self.tail.is_date {
            self.unsay(self.tail.said);
            self.tail.is_date = true;
            return;
        }
        let block = self.ends.last().copied().unwrap_or(0);
        let mut number = mixed(hash, self.words[block..].last().copied().unwrap_or(0));
        if is_glued && matches!(glue, b'.' | b',') {
            // One number: `12.5`, `1,044`.
            number = mixed(hash, self.tail.value);
            self.unsay(1);
        }
        self.numbers.extend((0..WEIGHT as u64).map(|part| mixed(number, part)));
        self.tail.said += 1;
        (self.tail.number, self.tail.value) = (Distance(0), number);
    }

    /// Takes back the last numbers, which have turned out to be parts of a date.
    fn unsay(&mut self, numbers: usize) {
        let kept = self.numbers.len().saturating_sub(WEIGHT * numbers);
        self.numbers.truncate(kept);
        self.tail.said = self.tail.said.saturating_sub(numbers);
        self.tail.number = Distance::default();
    }

    /// Takes back names of months and days right before a number; returns whether there were any.
    fn takes_back_names(&mut self) -> bool {
        let block = self.ends.last().copied().unwrap_or(0);
        let first = block.max(self.words.len().saturating_sub(usize::from(BESIDE)));
        let before = self.words.len();
        for place in (first..before).rev() {
            // `March the 5`: what stands behind the name stays.
            if dates::is_date(self.words[place]) {
                self.words.remove(place);
                self.tail.name = Distance(0);
            }
        }
        self.words.len() < before
    }
}

/// Whether a unit that begins with this byte of a longer character begins with a number.
fn is_foreign_number(first: u8, unit: &[u8]) -> bool {
    let length = match first {
        ..0xe0 => 2,
        0xe0..0xf0 => 3,
        _ => 4,
    };
    let character = unit.get(..length).and_then(|bytes| std::str::from_utf8(bytes).ok());
    character.and_then(|text| text.chars().next()).is_some_and(letters::is_number)
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
        let found = (units.words.len(), units.numbers.len() / WEIGHT);
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
    fn dates_and_times_are_left_out() {
        check("Updated Monday, 12 March 2026, 10:45", "updated monday 12 march 2026 10 45 ", 1, 0);
        check("March 12, 2026, seen 5 times", "march 12 2026 seen 5 times ", 2, 1);
        check("le 5 août 2024", "le 5 août 2024 ", 1, 0);
        check("since 2026-03-12T10:45:00Z ok", "since 2026 03 12t10 45 00z ok ", 2, 0);
        check("on 12/3/26 or 1.2.25", "on 12 3 26 or 1 2 25 ", 2, 0);
        check("2026年3月12日 東京", "2026年3月12日 東京 ", 2, 0);
        check("they march on, may they win", "they march on may they win ", 6, 0);
    }

    #[test]
    fn other_numbers_stand_apart() {
        check("12.5 kg, 1,234,567 views, 3 of 7", "12 5 kg 1 234 567 views 3 of 7 ", 3, 4);
        check("5-10 or 1/2", "5 10 or 1 2 ", 1, 4);
        check("3, 4", "3 4 ", 0, 2);
        check("utf8 and 8bit", "utf8 and 8bit ", 2, 1);
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
