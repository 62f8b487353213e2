//! The two forms of a word: the surface, as close to the page as matching allows, and the folded
//! form that forgives missing marks.

use base::limits::TOKEN_BYTES;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::{decompose_canonical, is_combining_mark};

use crate::language::Language;
use crate::segment::{is_apostrophe, is_ignorable};

/// Marks kept on one letter; honest scripts need at most three (CHR-09).
const MARKS_PER_LETTER: usize = 4;

/// Writes the normalised form of `raw` to `out`: NFKC, lower case, one apostrophe, no invisible
/// characters, no optional vowel signs, at most [`TOKEN_BYTES`] bytes.
pub(crate) fn surface(raw: &str, language: Option<Language>, out: &mut String) {
    out.clear();
    let turkic = language.is_some_and(|language| matches!(language.code(), "tr" | "az"));
    if raw.is_ascii() && !turkic {
        let kept = base::limits::cut(raw, TOKEN_BYTES);
        out.push_str(kept);
        out.make_ascii_lowercase();
    } else {
        mixed_surface(raw, turkic, out);
    }
    drop_inner_signs(out);
}

fn mixed_surface(raw: &str, turkic: bool, out: &mut String) {
    let mut marks = 0;
    for character in raw.nfkc() {
        if is_combining_mark(character) {
            marks += 1;
        } else {
            marks = 0;
        }
        if marks > MARKS_PER_LETTER || is_optional(character) {
            continue;
        }
        match character {
            'I' if turkic => push(out, 'ı'),
            'İ' => push(out, 'i'),
            // Word-final sigma is the same letter.
            'ς' => push(out, 'σ'),
            _ if is_apostrophe(character) => push(out, '\''),
            _ if is_kept(character) => {
                for lower in character.to_lowercase() {
                    push(out, lower);
                }
            }
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
        || is_combining_mark(character)
        || matches!(character, '.' | ',' | '+' | '#' | '·')
}

/// Invisible characters, and signs that texts write or leave out at will: Arabic vowel signs and
/// tatweel, Hebrew points.
fn is_optional(character: char) -> bool {
    is_ignorable(character)
        || matches!(character,
            '\u{0640}' | '\u{064B}'..='\u{065F}' | '\u{0670}' | '\u{06D6}'..='\u{06ED}'
            | '\u{0591}'..='\u{05BD}' | '\u{05BF}' | '\u{05C1}'..='\u{05C2}' | '\u{05C4}'..='\u{05C5}' | '\u{05C7}')
}

/// `u.s.a` → `usa`, `1,000` → `1000`; the dot of `3.14` stays.
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
    if word.is_ascii() {
        out.push_str(word);
        return;
    }
    let own = language.map_or("", |language| language.profile().own);
    for character in word.chars() {
        match character {
            _ if own.contains(character) => out.push(character),
            'й' => out.push(character),
            'ß' => out.push_str("ss"),
            'æ' => out.push_str("ae"),
            'œ' => out.push_str("oe"),
            'þ' => out.push_str("th"),
            'ø' => out.push('o'),
            'ł' => out.push('l'),
            'đ' | 'ð' => out.push('d'),
            'ı' => out.push('i'),
            // Latin, Greek and Cyrillic letters; elsewhere marks make other letters (が is not か).
            '\u{00C0}'..='\u{04FF}' | '\u{1E00}'..='\u{1FFF}' => {
                decompose_canonical(character, |part| {
                    if !is_latin_mark(part) {
                        out.push(part);
                    }
                });
            }
            _ => out.push(character),
        }
    }
}

fn is_latin_mark(character: char) -> bool {
    ('\u{0300}'..='\u{036F}').contains(&character)
}
