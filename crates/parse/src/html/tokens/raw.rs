//! Text in which nothing is mark-up but the end: scripts, styles, titles.

use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{TagKind, Token, TokenSink};

use super::{Mode, Tokenizer, is_space, reference};

impl<Sink: TokenSink> Tokenizer<'_, Sink> {
    /// Reads text up to the end tag that ends it, and that; or up to the end of all text.
    pub(super) fn raw(&mut self, mode: Mode) {
        let (from, len) = (self.at, self.text.len());
        let end = match mode {
            Mode::Plaintext => None,
            Mode::Script => self.script_end(from),
            _ => self.raw_end(from),
        };
        let to = end.unwrap_or(len);
        self.at = to;
        if to > from {
            let has_references = mode == Mode::Rcdata;
            let has_any = memchr::memchr(b'&', &self.bytes()[from..to]).is_some();
            let text = match has_references && has_any {
                true => self.resolved(from, to, reference::Place::Text),
                false => self.without_nul(from, to),
            };
            self.give(Token::CharacterTokens(text));
        }
        if end.is_some() {
            self.tag(TagKind::EndTag);
        }
    }

    /// Reads a section of text in a drawing or formula.
    pub(super) fn cdata(&mut self) {
        let from = self.at;
        let rest = &self.bytes()[from..];
        let end = memchr::memmem::find(rest, b"]]>");
        let to = from + end.unwrap_or(rest.len());
        for (number, piece) in self.text[from..to].split('\0').enumerate() {
            if number > 0 {
                self.give(Token::NullCharacterToken);
            }
            if !piece.is_empty() {
                self.give(Token::CharacterTokens(StrTendril::from_slice(piece)));
            }
        }
        self.at = (to + "]]>".len()).min(self.text.len());
        self.mode = Mode::Data;
    }

    /// Returns where the end tag of the last start tag begins.
    fn raw_end(&self, from: usize) -> Option<usize> {
        let mut places = memchr::memmem::find_iter(&self.bytes()[from..], b"</");
        places.find(|place| self.ends_raw(from + place)).map(|place| from + place)
    }

    /// Returns whether the end tag of the last start tag begins at a `</`.
    fn ends_raw(&self, place: usize) -> bool {
        let name = self.last_start.as_deref().unwrap_or_default();
        !name.is_empty() && self.has_word(place + 2, name)
    }

    /// Returns whether a word, in any case, stands at a place, with something behind it that ends
    /// the name of a tag.
    fn has_word(&self, place: usize, word: &str) -> bool {
        let end = place + word.len();
        let found = self.bytes().get(place..end);
        found.is_some_and(|found| found.eq_ignore_ascii_case(word.as_bytes()))
            && self.byte(end).is_some_and(|byte| is_space(byte) || matches!(byte, b'/' | b'>'))
    }

    /// Returns where the end tag of a script begins.
    ///
    /// Between `<!--` and `-->` another `<script>` may begin, whose end tag does not count.
    fn script_end(&self, from: usize) -> Option<usize> {
        let bytes = self.bytes();
        let (mut is_escaped, mut is_inner) = (false, false);
        let mut at = from;
        loop {
            let found = match is_escaped {
                false => memchr::memchr(b'<', &bytes[at..])?,
                true => memchr::memchr2(b'<', b'>', &bytes[at..])?,
            };
            let place = at + found;
            at = place + 1;
            let rest = &bytes[place..];
            if rest[0] == b'>' {
                // The dashes of `<!--` count, but none before it.
                let is_end = bytes[from..place].ends_with(b"--");
                (is_escaped, is_inner) = (is_escaped && !is_end, is_inner && !is_end);
            } else if rest.starts_with(b"</") {
                match is_inner {
                    true => is_inner = !self.has_word(place + 2, "script"),
                    false if self.ends_raw(place) => return Some(place),
                    false => {}
                }
            } else if !is_escaped {
                is_escaped = rest.starts_with(b"<!--");
                at += if is_escaped { "!--".len() } else { 0 };
            } else if !is_inner && self.has_word(place + 1, "script") {
                // What stands behind the word, `>` for instance, is part of the mark.
                is_inner = true;
                at = place + "<script>".len();
            }
        }
    }
}
