//! The two forms of a word: the surface, as close to the page as matching allows, and the folded
//! form that forgives missing marks.

use std::borrow::Cow;

use base::limits::TOKEN_BYTES;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::{compose, decompose_canonical, is_combining_mark};

use crate::language::{Folding, Language, Numbers};
use crate::numbers::{ascii_digit, plain_signs};
use crate::segment::{is_apostrophe, is_ignorable, is_inner_ignorable};

/// Marks kept on one letter; honest scripts need at most three (CHR-09).
const MARKS_PER_LETTER: usize = 4;

/// Returns a text composed (NFC), without the characters that leave no trace in a word: what is
/// typed mark by mark, or with joiners, is then the same as what is typed by the letter.
pub fn composed(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    let visible = text.chars().filter(|character| !is_inner_ignorable(*character));
    Cow::Owned(visible.nfc().collect())
}

/// Returns whether a character is a letter, a digit or a mark on one. The standard library counts
/// many marks of India and Arabia as letters, but not those that join two or change one.
pub fn is_letter_or_mark(character: char) -> bool {
    character.is_alphanumeric() || is_combining_mark(character)
}

/// Writes the normalised form of `raw` to `out`: NFKC, lower case, one apostrophe, ASCII digits,
/// no invisible characters, no optional vowel signs, at most [`TOKEN_BYTES`] bytes.
pub(crate) fn surface(raw: &str, language: Option<Language>, out: &mut String) {
    out.clear();
    let folding = language.map_or(Folding::Marks, |language| language.profile().folding);
    if raw.is_ascii() && folding != Folding::Turkic {
        out.push_str(base::limits::cut(raw, TOKEN_BYTES));
        out.make_ascii_lowercase();
    } else if raw.chars().all(is_stable) {
        push_lower(raw.chars(), folding, out);
    } else {
        push_lower(raw.nfkc(), folding, out);
    }
    if out.as_bytes().first().is_some_and(u8::is_ascii_digit) {
        plain_signs(out, language.map_or(Numbers::Point, Language::numbers));
    } else {
        drop_inner_signs(out);
    }
}

/// Returns whether NFKC leaves a character as it is, whatever stands beside it among its like:
/// letters of the larger alphabets, Han, kana, Hangul syllables.
fn is_stable(character: char) -> bool {
    match character {
        '\u{0132}' | '\u{0133}' | '\u{013F}' | '\u{0140}' | '\u{0149}' | '\u{017F}' => false,
        '\0'..='\u{007F}'
        | '\u{00C0}'..='\u{017F}'
        | '\u{0391}'..='\u{03C9}'
        | '\u{0400}'..='\u{045F}'
        | '\u{05D0}'..='\u{05EA}'
        | '\u{0621}'..='\u{064A}'
        | '\u{0E01}'..='\u{0E30}'
        | '\u{3041}'..='\u{3096}'
        | '\u{30A1}'..='\u{30FA}'
        | '\u{30FC}'
        | '\u{4E00}'..='\u{9FFF}'
        | '\u{AC00}'..='\u{D7A3}'
        | '\u{2019}' => true,
        _ => false,
    }
}

fn push_lower(characters: impl Iterator<Item = char>, folding: Folding, out: &mut String) {
    let mut marks = 0;
    for character in characters {
        if character.is_ascii() || !is_combining_mark(character) {
            marks = 0;
        } else {
            marks += 1;
        }
        if marks > MARKS_PER_LETTER || is_optional(character) {
            continue;
        }
        match character {
            'I' if folding == Folding::Turkic => push(out, 'ı'),
            'İ' => push(out, 'i'),
            // Word-final sigma is the same letter.
            'ς' => push(out, 'σ'),
            // Letters that look alike and are typed by the keyboard at hand.
            'ي' | 'ى' if folding == Folding::Persian => push(out, 'ی'),
            'ك' if folding == Folding::Persian => push(out, 'ک'),
            'ی' if folding == Folding::Arabic => push(out, 'ي'),
            'ک' if folding == Folding::Arabic => push(out, 'ك'),
            '\u{066B}' => push(out, '.'),
            'a'..='z' | '0'..='9' | '\u{4E00}'..='\u{9FFF}' | '\u{3041}'..='\u{3096}' => {
                push(out, character);
            }
            _ if is_apostrophe(character) => push(out, '\''),
            _ if is_kept(character) => match ascii_digit(character) {
                Some(digit) => push(out, digit),
                None => character.to_lowercase().for_each(|lower| push(out, lower)),
            },
            _ => {}
        }
        if out.len() + 4 > TOKEN_BYTES {
            break;
        }
    }
}

/// Pushes what fits; a single character may expand past the limit.
fn push(out: &mut String, character: char) {
    if out.len() + character.len_utf8() <= TOKEN_BYTES {
        out.push(character);
    }
}

fn is_kept(character: char) -> bool {
    character.is_alphanumeric()
        || matches!(character, '.' | ',' | '+' | '#' | '·')
        || is_combining_mark(character)
}

/// Invisible characters, and signs that texts write or leave out at will: Arabic vowel signs and
/// tatweel, Hebrew points.
fn is_optional(character: char) -> bool {
    match character {
        '\0'..='\u{00AC}' | '\u{3000}'..='\u{D7FF}' => false,
        '\u{0640}'
        | '\u{064B}'..='\u{065F}'
        | '\u{0670}'
        | '\u{06D6}'..='\u{06ED}'
        | '\u{0591}'..='\u{05BD}'
        | '\u{05BF}'
        | '\u{05C1}'..='\u{05C2}'
        | '\u{05C4}'..='\u{05C5}'
        | '\u{05C7}' => true,
        _ => is_ignorable(character),
    }
}

/// `u.s.a` → `usa`; the dot of `v1.2` stays.
fn drop_inner_signs(out: &mut String) {
    if out.contains(',') {
        out.retain(|character| character != ',');
    }
    if out.contains('.') && !out.contains(char::is_numeric) {
        out.retain(|character| character != '.');
    }
}

/// Appends `word` without diacritics to `out`, except on letters that `language` counts as its own.
pub(crate) fn fold(word: &str, language: Option<Language>, out: &mut String) {
    let folding = language.map_or(Folding::Marks, |language| language.profile().folding);
    if word.is_ascii() {
        match folding {
            // Older spelling, and that of keyboards without the letter: Aarhus is Århus.
            Folding::Danish if word.contains("aa") => out.push_str(&word.replace("aa", "å")),
            _ => out.push_str(word),
        }
        return;
    }
    if folding == Folding::Korean {
        out.push_str(without_particle(word));
        return;
    }
    let own = language.map_or("", |language| language.profile().own);
    for character in word.chars() {
        match character {
            _ if own.contains(character) => out.push(character),
            '\0'..='\u{007F}' | 'й' => out.push(character),
            'ä' if folding == Folding::Danish => out.push('æ'),
            'ö' if folding == Folding::Danish => out.push('ø'),
            'æ' if folding == Folding::Swedish => out.push('ä'),
            'ø' if folding == Folding::Swedish => out.push('ö'),
            'ß' => out.push_str("ss"),
            'æ' => out.push_str("ae"),
            'œ' => out.push_str("oe"),
            'þ' => out.push_str("th"),
            'ø' => out.push('o'),
            'ł' => out.push('l'),
            'đ' | 'ð' => out.push('d'),
            'ı' => out.push('i'),
            // Latin, Greek and Cyrillic letters; elsewhere marks make other letters (が is not か).
            '\u{00C0}'..='\u{04FF}' | '\u{1E00}'..='\u{1FFF}' => push_bare(character, own, out),
            // Alef with its marks, final forms: pages write them or not.
            'أ' | 'إ' | 'آ' | 'ٱ' => out.push('ا'),
            'ى' => out.push('ي'),
            'ة' => out.push('ه'),
            _ => out.push(character),
        }
    }
}

/// Pushes a letter without its marks, but with the first one if that makes a letter of its own:
/// Vietnamese `ế` is `ê` with a tone.
fn push_bare(character: char, own: &str, out: &mut String) {
    let mut bare = None;
    decompose_canonical(character, |part| match bare {
        None => bare = Some(part),
        Some(letter) if is_latin_mark(part) => {
            bare = compose(letter, part).filter(|letter| own.contains(*letter)).or(bare);
        }
        Some(letter) => {
            out.push(letter);
            bare = Some(part);
        }
    });
    out.extend(bare.filter(|bare| !is_latin_mark(*bare)));
}

fn is_latin_mark(character: char) -> bool {
    ('\u{0300}'..='\u{036F}').contains(&character)
}

/// Particles that stand behind a Korean noun, longer ones first.
const PARTICLES: [&str; 24] = [
    "에서는",
    "으로는",
    "에게서",
    "에서",
    "으로",
    "에게",
    "까지",
    "부터",
    "처럼",
    "보다",
    "이나",
    "이란",
    "하고",
    "은",
    "는",
    "이",
    "가",
    "을",
    "를",
    "의",
    "에",
    "로",
    "와",
    "과",
];

/// Takes the particle off a Korean word if two syllables are left.
fn without_particle(word: &str) -> &str {
    let is_hangul = |letter: char| ('\u{AC00}'..='\u{D7A3}').contains(&letter);
    if !word.chars().all(is_hangul) {
        return word;
    }
    let stems = PARTICLES.iter().filter_map(|particle| word.strip_suffix(particle));
    stems.into_iter().find(|stem| stem.chars().nth(1).is_some()).unwrap_or(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_composed_and_loses_what_is_not_seen() {
        assert_eq!(composed("cafe\u{301}*"), "caf\u{e9}*");
        assert_eq!(composed("می\u{200c}خوا"), "میخوا");
        // This one separates words.
        assert_eq!(composed("ខ\u{200b}ខ"), "ខ\u{200b}ខ");
        // Unicode composes it nowhere.
        assert_eq!(composed("\u{958}"), "\u{915}\u{93c}");
    }

    #[test]
    fn marks_belong_to_words() {
        assert!("हिन्दी\u{301}\u{93c}é9北".chars().all(is_letter_or_mark));
        assert!(!"-'*?~ \u{200b}.".chars().any(is_letter_or_mark));
    }
}
