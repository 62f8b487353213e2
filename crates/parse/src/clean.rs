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
            if byte.is_ascii_graphic() {
                let end = end_of_run(bytes, place);
                self.append(&piece[place..end]);
                place = end;
            } else if byte.is_ascii() {
                self.space();
                place += 1;
            } else {
                let character = piece[place..].chars().next().unwrap_or(' ');
                if character.is_whitespace() || character.is_control() {
                    self.space();
                } else if !is_disturbing(character) {
                    self.append(&piece[place..place + character.len_utf8()]);
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

    /// Returns the text and begins anew.
    pub(crate) fn take(&mut self) -> String {
        self.space = false;
        std::mem::take(&mut self.text)
    }
}

/// Returns where a run ends that can be copied as it is: ASCII words with one space between them.
fn end_of_run(bytes: &[u8], mut place: usize) -> usize {
    loop {
        match (bytes.get(place), bytes.get(place + 1)) {
            (Some(byte), _) if byte.is_ascii_graphic() => place += 1,
            (Some(b' '), Some(next)) if next.is_ascii_graphic() => place += 1,
            _ => return place,
        }
    }
}

/// Returns the text with white space folded, at most `bytes` long.
pub(crate) fn folded(text: &str, bytes: usize) -> String {
    let mut out = Folded::default();
    out.push(base::limits::cut(text, 4 * bytes));
    let mut out = out.take();
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
