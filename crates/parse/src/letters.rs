//! Letters and digits told from the rest, and made small: what all who cut a text into words share.
//!
//! Fingerprints, counts for spam and the novelty of a page mean different things by a word, and
//! what is stored of them must not change. But all of them ask of every character whether it is a
//! letter and how it is written small. Here ASCII is answered eight bytes at a time, and most other
//! scripts out of a table or by their range; the standard library searches for each character.

use std::sync::LazyLock;

/// Characters in the table: all alphabets in daily use, up to the kana.
const IN_TABLE: usize = 0x3100;
/// In the table, the mark of a number.
const NUMBER: u16 = 0x8000;
/// In the table, a letter whose small form has no room there.
const OTHER: u16 = 0x7fff;
/// One in each byte.
const ONES: u64 = 0x0101_0101_0101_0101;
/// The highest bit of each byte.
const HIGHEST: u64 = 0x80 * ONES;

/// For each character its small form, 0 if it is neither a letter nor a number.
static SMALL: LazyLock<Box<[u16]>> = LazyLock::new(|| {
    let small = |character: char| match Small::looked_up(character) {
        Small::None => 0,
        Small::One(small) => u16::try_from(u32::from(small)).unwrap_or(OTHER).min(OTHER),
        Small::Several => OTHER,
    };
    let number = |character: char| if character.is_numeric() { NUMBER } else { 0 };
    let all = (0..IN_TABLE as u32).map(|place| char::from_u32(place).unwrap_or_default());
    all.map(|character| small(character) | number(character)).collect()
});

/// For each byte itself in lower case if it is a letter or digit of ASCII, else 0.
const SMALL_ASCII: [u8; 256] = {
    let mut table = [0; 256];
    let mut byte: u8 = 0;
    while byte < 128 {
        if byte.is_ascii_alphanumeric() {
            table[byte as usize] = byte.to_ascii_lowercase();
        }
        byte += 1;
    }
    table
};

/// What becomes of a character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Small {
    /// It is neither a letter nor a number.
    None,
    /// Its small form.
    One(char),
    /// Its small form has several characters: ask [`char::to_lowercase`].
    Several,
}

impl Small {
    /// Returns what [`char::is_alphanumeric`] and [`char::to_lowercase`] say of a character.
    #[inline]
    pub(crate) fn of(character: char) -> Self {
        let Some(small) = SMALL.get(character as usize) else {
            return if has_one_case(character) {
                Self::One(character)
            } else {
                Self::looked_up(character)
            };
        };
        match *small & !NUMBER {
            0 => Self::None,
            OTHER => Self::looked_up(character),
            small => char::from_u32(u32::from(small)).map_or(Self::None, Self::One),
        }
    }

    fn looked_up(character: char) -> Self {
        if !character.is_alphanumeric() {
            return Self::None;
        }
        let mut small = character.to_lowercase();
        match (small.next(), small.next()) {
            (Some(one), None) => Self::One(one),
            _ => Self::Several,
        }
    }

    /// Returns the first character of its small form; `None` if it is no letter and no number.
    pub(crate) fn first(self, character: char) -> Option<char> {
        match self {
            Self::None => None,
            Self::One(letter) => Some(letter),
            Self::Several => character.to_lowercase().next(),
        }
    }

    /// Appends the small form of a character, of which this was said.
    pub(crate) fn push(self, character: char, bytes: &mut Vec<u8>) {
        let mut push =
            |letter: char| bytes.extend_from_slice(letter.encode_utf8(&mut [0; 4]).as_bytes());
        match self {
            Self::None => {}
            Self::One(letter) => push(letter),
            Self::Several => character.to_lowercase().for_each(push),
        }
    }
}

/// Returns what [`char::is_numeric`] says of a character.
#[inline]
pub(crate) fn is_number(character: char) -> bool {
    match SMALL.get(character as usize) {
        Some(small) => small & NUMBER != 0,
        None => !has_one_case(character) && character.is_numeric(),
    }
}

/// Whether it is a Han or Hangul character: a letter, no number, and neither small nor large.
fn has_one_case(character: char) -> bool {
    matches!(character, '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}')
}

/// The words of a text: runs of letters and numbers of any script.
#[derive(Clone, Debug, Default)]
pub struct Words<'a> {
    text: &'a str,
    place: usize,
    word: Vec<u8>,
    has_digits: bool,
}

impl<'a> Words<'a> {
    /// Begins with a text; what was left of the one before is not read.
    pub fn read(&mut self, text: &'a str) {
        (self.text, self.place) = (text, 0);
    }

    /// Returns whether the last word has digits of ASCII.
    pub fn has_digits(&self) -> bool {
        self.has_digits
    }

    /// Returns the next word, with the letters of ASCII in lower case and all others as they are.
    pub fn next_word(&mut self) -> Option<&[u8]> {
        self.word.clear();
        self.has_digits = false;
        loop {
            let rest = &self.text.as_bytes()[self.place..];
            let (length, has_digits) = push_ascii(rest, &mut self.word);
            self.place += length;
            self.has_digits |= has_digits;
            let next = self.text.as_bytes().get(self.place);
            let Some(byte) = next else { break };
            let mut length = 1;
            if !byte.is_ascii() {
                let character = self.text[self.place..].chars().next().unwrap_or_default();
                length = character.len_utf8();
                if Small::of(character) != Small::None {
                    let letter = &self.text.as_bytes()[self.place..self.place + length];
                    self.word.extend_from_slice(letter);
                    self.place += length;
                    continue;
                }
            }
            self.place += length;
            if !self.word.is_empty() {
                break;
            }
        }
        (!self.word.is_empty()).then_some(&self.word)
    }
}

/// Appends the letters and digits of ASCII that the bytes begin with, in lower case; returns how
/// many there are, and whether digits are among them.
#[inline]
pub(crate) fn push_ascii(bytes: &[u8], small: &mut Vec<u8>) -> (usize, bool) {
    let start = small.len();
    let (mut place, mut has_digits) = (0, false);
    loop {
        let eight = Eight::of(&bytes[place..]);
        small.extend_from_slice(&eight.small.to_le_bytes());
        place += eight.length;
        has_digits |= eight.has_digits;
        small.truncate(start + place);
        if eight.length < 8 {
            return (place, has_digits);
        }
    }
}

/// Calls `act` with the letters and digits of ASCII that the bytes begin with, in lower case;
/// returns how many there are, and whether letters are among them.
#[inline]
pub(crate) fn each_ascii(bytes: &[u8], mut act: impl FnMut(u8)) -> (usize, bool) {
    let (mut length, mut all) = (0, 0);
    for byte in bytes {
        let small = SMALL_ASCII[usize::from(*byte)];
        if small == 0 {
            break;
        }
        act(small);
        all |= small;
        length += 1;
    }
    // Digits lie below the letters.
    (length, all & 0x40 != 0)
}

/// Eight bytes of a text, looked at together.
struct Eight {
    /// In lower case.
    small: u64,
    /// How many of them, from the first on, are letters and digits of ASCII.
    length: usize,
    /// Whether digits are among those.
    has_digits: bool,
}

impl Eight {
    #[inline]
    fn of(bytes: &[u8]) -> Self {
        let first = bytes.first_chunk().map(|eight| u64::from_le_bytes(*eight));
        let eight = first.unwrap_or_else(|| last(bytes));
        // A sum has the highest bit of its byte where the byte is at least the bound; bytes without
        // their own highest bit never carry into the next.
        let low = eight & !HIGHEST;
        let at_least = |bytes: u64, bound: u8| bytes + u64::from(0x80 - bound) * ONES;
        let between = |bytes, from, to| at_least(bytes, from) & !at_least(bytes, to + 1) & HIGHEST;
        let is_upper = between(low, b'A', b'Z') & !eight;
        let is_digit = between(low, b'0', b'9') & !eight;
        let is_letter = between(low | is_upper >> 2, b'a', b'z') & !eight;
        let is_other = !(is_letter | is_digit) & HIGHEST;
        // All bits below the first byte that is something else.
        let inside = is_other.wrapping_sub(1) & !is_other;
        Self {
            small: eight | is_upper >> 2,
            length: is_other.trailing_zeros() as usize / 8,
            has_digits: is_digit & inside != 0,
        }
    }
}

/// Returns fewer than eight bytes with zeros behind them.
#[cold]
fn last(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |all, byte| all << 8 | u64::from(*byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_character_is_what_the_standard_library_says() {
        for character in '\0'..=char::MAX {
            assert_eq!(Small::of(character), Small::looked_up(character), "{character:?}");
            assert_eq!(is_number(character), character.is_numeric(), "{character:?}");
            let (mut ours, mut theirs) = (Vec::new(), String::new());
            Small::of(character).push(character, &mut ours);
            theirs.extend(character.to_lowercase().filter(|_| character.is_alphanumeric()));
            assert_eq!(ours, theirs.as_bytes(), "{character:?}");
        }
    }

    #[test]
    fn words_are_what_stands_between_other_characters() {
        for number in 0..500 {
            let text = crate::babel::text(number);
            let split = text.split(|letter: char| !letter.is_alphanumeric());
            let expected = split.filter(|word| !word.is_empty()).map(str::to_ascii_lowercase);
            let (mut words, mut found) = (Words::default(), Vec::new());
            words.read(&text);
            while let Some(word) = words.next_word() {
                found.push(String::from_utf8(word.to_vec()).unwrap());
                let has_digits = found.last().unwrap().bytes().any(|byte| byte.is_ascii_digit());
                assert_eq!(words.has_digits(), has_digits);
            }
            assert_eq!(found, expected.collect::<Vec<_>>(), "{text}");
        }
    }

    #[test]
    fn letters_of_ascii_are_found_at_every_place() {
        for byte in 0..=u8::MAX {
            for place in 0..20 {
                let mut bytes = *b"aZ09zA90Mm5kK7QqWwXx";
                bytes[place] = byte;
                let length = if byte.is_ascii_alphanumeric() { 20 } else { place };
                let mut small = b"before".to_vec();
                let has_digits = bytes[..length].iter().any(u8::is_ascii_digit);
                assert_eq!(push_ascii(&bytes, &mut small), (length, has_digits));
                let expected = [b"before", &bytes[..length]].concat().to_ascii_lowercase();
                assert_eq!(small, expected, "{byte} at {place}");
            }
        }
    }
}
