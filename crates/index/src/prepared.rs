//! Tokens that were made by `text`, packed so that tantivy takes them as they are.
//!
//! tantivy wants a text and a tokenizer. `text` has already found the words, once for all
//! fields, so each field gets its tokens packed into one string:
//!
//! ```text
//! packed = token*
//! token  = step: char | term: utf-8 without "\n" | "\n"
//! ```
//! `step` is the distance in positions from the token before, as the character of that code.
//! tantivy's own `PreTokenizedString` travels through JSON and costs more than the indexing.

use tantivy::tokenizer::{Token, TokenStream, Tokenizer};

/// Packs tokens in order of position.
#[derive(Debug, Default)]
pub(crate) struct Packer {
    packed: String,
    /// Position after the last token.
    next: u32,
    /// Positions to leave out before the next token.
    gap: u32,
}

/// Largest step that is kept; all characters below are valid.
const LARGEST_STEP: u32 = 0xd7ff;

impl Packer {
    /// Adds a term at the position after the last one.
    pub(crate) fn push(&mut self, term: &str) {
        let step = char::from_u32(self.gap.saturating_add(1).min(LARGEST_STEP)).unwrap_or('\u{1}');
        self.gap = 0;
        self.next += 1;
        self.packed.push(step);
        // A term with a line end in it cannot come from the analyzer; cut rather than corrupt.
        self.packed.push_str(term.split('\n').next().unwrap_or_default());
        self.packed.push('\n');
    }

    /// Adds a term over the last one, at its position.
    pub(crate) fn push_over(&mut self, term: &str) {
        if self.next == 0 {
            return self.push(term);
        }
        self.packed.push('\0');
        self.packed.push_str(term.split('\n').next().unwrap_or_default());
        self.packed.push('\n');
    }

    /// Leaves `positions` positions out, so that what follows is no neighbour of what was.
    pub(crate) fn leave_gap(&mut self, positions: u32) {
        if self.next > 0 {
            self.gap = positions;
        }
    }

    /// Returns the packed tokens.
    pub(crate) fn finish(self) -> String {
        self.packed
    }
}

/// Unpacks what [`Packer`] has packed.
#[derive(Clone, Default)]
pub(crate) struct Unpacker {
    token: Token,
}

pub(crate) struct Unpacked<'a> {
    rest: &'a str,
    token: &'a mut Token,
}

impl Tokenizer for Unpacker {
    type TokenStream<'a> = Unpacked<'a>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> Unpacked<'a> {
        // Resets the position to the largest number, so that the first step leads to zero.
        self.token.reset();
        Unpacked { rest: text, token: &mut self.token }
    }
}

impl TokenStream for Unpacked<'_> {
    fn advance(&mut self) -> bool {
        let mut letters = self.rest.chars();
        let Some(step) = letters.next() else { return false };
        let (term, rest) = letters.as_str().split_once('\n').unwrap_or((letters.as_str(), ""));
        self.token.position = self.token.position.wrapping_add(u32::from(step) as usize);
        self.token.text.clear();
        self.token.text.push_str(term);
        self.rest = rest;
        true
    }

    fn token(&self) -> &Token {
        self.token
    }

    fn token_mut(&mut self) -> &mut Token {
        self.token
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn unpack(packed: &str) -> Vec<(usize, String)> {
        let mut unpacker = Unpacker::default();
        let mut stream = unpacker.token_stream(packed);
        let mut tokens = Vec::new();
        while stream.advance() {
            tokens.push((stream.token().position, stream.token().text.clone()));
        }
        tokens
    }

    #[test]
    fn tokens_come_back_with_their_positions() {
        let mut packer = Packer::default();
        packer.leave_gap(9);
        packer.push("jaguar");
        packer.push("日本");
        packer.leave_gap(9);
        packer.push("\u{0}");
        packer.push("a\nb");
        let tokens = unpack(&packer.finish());
        let expected = [(0, "jaguar"), (1, "日本"), (11, "\u{0}"), (12, "a")];
        assert_eq!(tokens, expected.map(|(place, term)| (place, term.to_owned())));
    }

    proptest! {
        #[test]
        fn what_was_packed_is_unpacked(
            tokens in prop::collection::vec((0u32..2_000, "[^\n]{0,9}"), 0..50),
        ) {
            let mut packer = Packer::default();
            let mut expected = Vec::new();
            let mut place = 0;
            for (gap, term) in tokens {
                packer.leave_gap(gap);
                packer.push(&term);
                place += if expected.is_empty() { 0 } else { gap as usize + 1 };
                expected.push((place, term));
            }
            prop_assert_eq!(unpack(&packer.finish()), expected);
        }

        #[test]
        fn any_text_unpacks_without_a_panic(text in any::<String>()) {
            unpack(&text);
        }
    }

    #[test]
    fn terms_over_others_share_their_position() {
        let mut packer = Packer::default();
        packer.push("host");
        packer.push_over("hostname");
        packer.push("name");
        let expected = [(0, "host"), (0, "hostname"), (1, "name")];
        let expected = expected.map(|(place, term)| (place, term.to_owned()));
        assert_eq!(unpack(&packer.finish()), expected);
    }

    #[test]
    fn a_gap_of_any_size_keeps_the_order() {
        for gap in [0, 9, 10, 100, LARGEST_STEP, u32::MAX] {
            let mut packer = Packer::default();
            packer.push("a");
            packer.leave_gap(gap);
            packer.push("b");
            let tokens = unpack(&packer.finish());
            assert_eq!(tokens.len(), 2, "{gap}");
            assert!(tokens[1].0 > tokens[0].0);
        }
    }
}
