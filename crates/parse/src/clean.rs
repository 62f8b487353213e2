//! Text for people: white space folded, characters that only disturb removed.

use std::ops::Range;

/// A text that grows piece by piece with its white space folded.
#[derive(Debug, Default)]
pub(crate) struct Folded {
    text: String,
    /// Whether white space was seen since the last character.
    space: bool,
}

impl Folded {
    /// Appends a piece; white space and control characters between words become one space, at
    /// the ends nothing. Direction marks, soft hyphens and joiners that show nothing are dropped.
    /// Returns where the piece stands from its first word to its last, if it has any.
    pub(crate) fn push(&mut self, piece: &str) -> Option<Range<usize>> {
        let before = self.text.len();
        self.append_folded(piece);
        let is_behind_space = self.text[before..].starts_with(' ');
        (self.text.len() > before).then(|| before + usize::from(is_behind_space)..self.text.len())
    }

    fn append_folded(&mut self, piece: &str) {
        let bytes = piece.as_bytes();
        let mut place = 0;
        while let Some(&byte) = bytes.get(place) {
            let end = end_of_run(piece, place);
            if end > place {
                self.append(&piece[place..end]);
                place = end;
            } else if byte.is_ascii() {
                self.space();
                place += 1;
            } else {
                let character = piece[place..].chars().next().unwrap_or(' ');
                if !is_disturbing(character) {
                    self.space();
                }
                place += character.len_utf8();
            }
        }
    }

    /// Notes a border between words.
    pub(crate) fn space(&mut self) {
        self.space = !self.text.is_empty();
    }

    fn append(&mut self, piece: &str) {
        if std::mem::take(&mut self.space) {
            self.text.push(' ');
        }
        self.text.push_str(piece);
    }

    pub(crate) fn len(&self) -> usize {
        self.text.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns the text and begins anew. The room stays for the next text, so that a page of many
    /// blocks asks for memory once for each.
    pub(crate) fn take(&mut self) -> String {
        self.space = false;
        let text = self.text.clone();
        self.text.clear();
        text
    }

    /// Returns the text.
    pub(crate) fn finish(self) -> String {
        self.text
    }
}

/// Bytes that are looked at together.
const TOGETHER: usize = 16;

/// Returns where a run ends that begins at `place` and can be copied as it is: characters that show
/// something, with one space between words of ASCII.
fn end_of_run(piece: &str, mut place: usize) -> usize {
    let bytes = piece.as_bytes();
    // A run begins with no space.
    if bytes.get(place) == Some(&b' ') {
        return place;
    }
    loop {
        place += plain(&bytes[place..]);
        match bytes.get(place..) {
            Some([byte, ..]) if byte.is_ascii_graphic() => place += 1,
            Some([b' ', next, ..]) if next.is_ascii_graphic() => place += 1,
            Some([byte, ..]) if !byte.is_ascii() => {
                let character = piece[place..].chars().next().unwrap_or(' ');
                if !shows(character) {
                    return place;
                }
                place += character.len_utf8();
            }
            _ => return place,
        }
    }
}

/// Returns how many bytes, a few together, are words of ASCII with one space between them for sure.
fn plain(bytes: &[u8]) -> usize {
    let mut length = 0;
    // One more than are looked at, since a space is judged by what follows.
    while let Some(window) = bytes.get(length..=length + TOGETHER) {
        let these = window[..TOGETHER].iter().zip(&window[1..]);
        // Without a way out in the middle, the compiler looks at all of them at once.
        let is_plain = these.fold(true, |is_plain, (byte, next)| {
            is_plain & (byte.is_ascii_graphic() | (*byte == b' ') & next.is_ascii_graphic())
        });
        if !is_plain {
            break;
        }
        length += TOGETHER;
    }
    length
}

/// Whether a character that is not ASCII is neither white space nor one that only disturbs.
fn shows(character: char) -> bool {
    // Most scripts of East Asia, whose texts have a character for every word.
    matches!(character, '\u{3001}'..='\u{d7ff}')
        || !(character.is_whitespace() || character.is_control() || is_disturbing(character))
}

/// Returns the text with white space folded, at most `bytes` long.
pub(crate) fn folded(text: &str, bytes: usize) -> String {
    let mut out = Folded::default();
    out.push(base::limits::cut(text, 4 * bytes));
    let mut out = out.finish();
    shorten(&mut out, bytes);
    out
}

/// Cuts a folded text to at most so many bytes; it ends with a word as before.
pub(crate) fn shorten(text: &mut String, bytes: usize) {
    text.truncate(text.floor_char_boundary(bytes));
    text.truncate(text.trim_end().len());
}

/// Characters that change how others are shown and show nothing themselves.
fn is_disturbing(character: char) -> bool {
    matches!(character,
        '\u{00AD}' | '\u{061C}' | '\u{180E}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}'
        | '\u{2060}'..='\u{206F}' | '\u{FEFF}' | '\u{FFF9}'..='\u{FFFB}'
        | '\u{E0000}'..='\u{E007F}')
}

/// Returns a title fit for a line of results: also without zero-width and private characters,
/// at most `characters` long. Empty if nothing visible is left (HTM-07).
pub(crate) fn title(text: &str, characters: usize) -> String {
    let is_private =
        |character: char| matches!(character, '\u{E000}'..='\u{F8FF}' | '\u{F0000}'..='\u{10FFFF}');
    let folded = folded(text, 8 * characters);
    let mut title: String = folded
        .chars()
        .filter(|character| !is_private(*character) && *character != '\u{200B}')
        .take(characters)
        .collect();
    // Joiners are letters' business (Persian, Hindi, emoji); alone they are an empty title.
    let is_joiner = |character: char| matches!(character, '\u{200C}' | '\u{200D}');
    title.truncate(title.trim_end().len());
    if title.chars().all(|character| is_joiner(character) || character.is_whitespace()) {
        title.clear();
    }
    title
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(pieces: &[&str], expected: &str) {
        let mut folded = Folded::default();
        for piece in pieces {
            folded.push(piece);
        }
        assert_eq!(folded.take(), expected, "{pieces:?}");
    }

    #[test]
    fn white_space_is_folded_across_pieces() {
        check(&["  a \n b", "c ", "\t d\u{A0}e  "], "a bc d e");
        check(&["", " "], "");
        check(&["a\0b\u{85}c"], "a b c");
    }

    #[test]
    fn long_texts_are_folded_as_short_ones_are() {
        for number in 0..300 {
            let text = crate::babel::text(number).replace("  ", " \t\u{2003}");
            let mut expected = String::new();
            for character in text.chars().filter(|character| !is_disturbing(*character)) {
                let is_space = character.is_whitespace() || character.is_control();
                if !is_space {
                    expected.push(character);
                } else if !expected.is_empty() && !expected.ends_with(' ') {
                    expected.push(' ');
                }
            }
            check(&[&text], expected.trim_end());
            let half = text.floor_char_boundary(text.len() / 2);
            check(&[&text[..half], &text[half..]], expected.trim_end());
        }
    }

    #[test]
    fn a_text_cut_behind_a_space_ends_with_a_word() {
        assert_eq!(folded("one two", 4), "one");
        assert_eq!(folded("æ æ", 3), "æ");
        assert_eq!(folded("æ", 1), "");
    }

    #[test]
    fn characters_that_show_nothing_are_dropped() {
        check(&["hy\u{AD}phen \u{202E}evil\u{202C} \u{FEFF}bom"], "hyphen evil bom");
    }

    #[test]
    fn htm_07_titles_are_cleaned() {
        assert_eq!(title("\u{202E}abc\u{200B}def\u{E000}", 512), "abcdef");
        assert_eq!(title("\u{200D}\u{200B}\u{E000} \u{7}", 512), "");
        assert_eq!(title("می\u{200C}خواهم", 512), "می\u{200C}خواهم");
        assert_eq!(title(&"ä ".repeat(10_000), 512).chars().count(), 511);
    }
}
