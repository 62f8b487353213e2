//! `<!DOCTYPE html PUBLIC "…" "…">`: whether old rules for tables in paragraphs hold hangs on it.

use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{Doctype, Token, TokenSink};

use super::{Tokenizer, is_space};

/// What follows a part of the declaration.
enum Next {
    /// More of it, at this place.
    At(usize),
    /// Its end, or something that is none of it.
    Done,
}

impl<Sink: TokenSink> Tokenizer<'_, Sink> {
    /// Reads a declaration, of which the first word is known.
    pub(super) fn doctype(&mut self) {
        let mut doctype = Doctype::default();
        let from = self.at + "<!doctype".len();
        if let Next::At(at) = self.doctype_name(from, &mut doctype) {
            self.doctype_ids(at, &mut doctype);
        }
        // Whatever is left up to `>`.
        let end = memchr::memchr(b'>', &self.bytes()[self.at..]);
        self.at = end.map_or(self.text.len(), |found| self.at + found + 1);
        self.give(Token::DoctypeToken(doctype));
    }

    fn doctype_name(&mut self, from: usize, doctype: &mut Doctype) -> Next {
        let from = self.skip_space(from);
        let rest = &self.bytes()[from..];
        let ends = |byte: &u8| is_space(*byte) || *byte == b'>';
        let length = rest.iter().position(ends).unwrap_or(rest.len());
        self.at = from + length;
        if length > 0 {
            let name = self.text[from..self.at].to_ascii_lowercase().replace('\0', "\u{FFFD}");
            doctype.name = Some(StrTendril::from_slice(&name));
        }
        let behind = self.skip_space(self.at);
        doctype.force_quirks = length == 0 || behind == self.text.len();
        if length == 0 || self.byte(behind).is_none_or(|byte| byte == b'>') {
            self.at = behind;
            return Next::Done;
        }
        Next::At(behind)
    }

    fn doctype_ids(&mut self, from: usize, doctype: &mut Doctype) {
        let word = self.bytes().get(from..from + 6).unwrap_or_default();
        let is_public = word.eq_ignore_ascii_case(b"public");
        if !is_public && !word.eq_ignore_ascii_case(b"system") {
            self.at = from;
            doctype.force_quirks = true;
            return;
        }
        let mut at = self.skip_space(from + word.len());
        if is_public {
            let Next::At(behind) = self.doctype_id(at, doctype, true) else { return };
            at = self.skip_space(behind);
            if self.byte(at) == Some(b'>') {
                self.at = at;
                return;
            }
        }
        if let Next::At(behind) = self.doctype_id(at, doctype, false) {
            self.at = self.skip_space(behind);
            // What else stands there does not count, unless nothing does.
            doctype.force_quirks |= self.at == self.text.len();
        }
    }

    /// Reads an id in quotes.
    fn doctype_id(&mut self, at: usize, doctype: &mut Doctype, is_public: bool) -> Next {
        self.at = at;
        let Some(quote) = self.byte(at).filter(|byte| matches!(byte, b'"' | b'\'')) else {
            doctype.force_quirks = true;
            return Next::Done;
        };
        let from = at + 1;
        let rest = &self.bytes()[from..];
        let end = memchr::memchr2(quote, b'>', rest).map_or(self.text.len(), |found| from + found);
        let id = Some(self.without_nul(from, end));
        if is_public {
            doctype.public_id = id;
        } else {
            doctype.system_id = id;
        }
        self.at = end;
        if self.byte(end) != Some(quote) {
            doctype.force_quirks = true;
            return Next::Done;
        }
        Next::At(end + 1)
    }
}
