//! Words seen lately with their stems, one small table per thread.
//!
//! A stemmer costs far more than finding a word, and most of a text is few words: with this table
//! three words of four cost a comparison. Which words are in it never changes an answer.

use std::cell::RefCell;

use crate::language::Language;

/// Words kept; each has one place, and the last to come keeps it.
const SLOTS: usize = 4_096;
/// Longer words are rare and not kept, so that the table stays small.
const WORD_BYTES: usize = 48;

#[derive(Clone, Default)]
struct Slot {
    language: Option<Language>,
    is_stop: bool,
    surface: String,
    stem: String,
}

thread_local! {
    static CACHE: RefCell<Vec<Slot>> = RefCell::new(vec![Slot::default(); SLOTS]);
}

/// Writes the stem of `surface` to `stem` and returns whether it is a stop word, both made by
/// `make` unless they are known.
pub(crate) fn look_up(
    language: Option<Language>,
    surface: &str,
    stem: &mut String,
    make: impl FnOnce(&mut String) -> bool,
) -> bool {
    if surface.len() > WORD_BYTES {
        return make(stem);
    }
    CACHE.with_borrow_mut(|slots| {
        let slot = &mut slots[place(surface)];
        if slot.language == language && slot.surface == surface {
            stem.clear();
            stem.push_str(&slot.stem);
            return slot.is_stop;
        }
        slot.is_stop = make(stem);
        slot.language = language;
        slot.surface.clear();
        slot.surface.push_str(surface);
        slot.stem.clear();
        slot.stem.push_str(stem);
        slot.is_stop
    })
}

/// Returns the place of a word. Words made to collide only miss the table.
fn place(surface: &str) -> usize {
    let mut hash = surface.len() as u64;
    for chunk in surface.as_bytes().chunks(8) {
        let mut bytes = [0; 8];
        bytes[..chunk.len()].copy_from_slice(chunk);
        hash =
            (hash.rotate_left(5) ^ u64::from_le_bytes(bytes)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }
    (hash >> 48) as usize % SLOTS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_made_once_for_each_language() {
        let mut stem = String::new();
        let mut made = 0;
        for code in ["da", "sv", "da", "da"] {
            // Danish finds its place taken by Swedish once.
            let is_stop = look_up(Language::parse(code), "cached", &mut stem, |stem| {
                made += 1;
                stem.clear();
                stem.push_str(code);
                true
            });
            assert_eq!((stem.as_str(), is_stop), (code, true));
        }
        assert_eq!(made, 3);
    }

    #[test]
    fn long_words_are_made_each_time() {
        let long = "x".repeat(WORD_BYTES + 1);
        let mut stem = String::new();
        for round in 0..2 {
            let is_stop = look_up(None, &long, &mut stem, |stem| {
                *stem = round.to_string();
                false
            });
            assert_eq!((stem.as_str(), is_stop), (round.to_string().as_str(), false));
        }
    }
}
