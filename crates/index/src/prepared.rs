//! Tokens that were made by `text`, packed so that tantivy takes them as they are.
//!
//! tantivy wants a text and a tokenizer. `text` has already found the words, once for all
//! fields, so each field gets its tokens packed into one string:
//!
//! ```text
//! packed = (token | skip)*
//! token  = step: char | term: utf-8 without "\n", not empty | "\n"
//! skip   = step: char | "\n"
//! ```
//! `step` is the distance in positions from what came before, as the character of that code; a skip
//! leads on to where no character does.
//! tantivy's own `PreTokenizedString` travels through JSON and costs more than the indexing.

use tantivy::tokenizer::{Token, TokenStream, Tokenizer};

/// Packs tokens in order of position.
#[derive(Debug, Default)]
pub(crate) struct Packer {
    packed: String,
    /// Position after the last token.
    next: u32,
    /// Positions to leave out before the next token; they are counted in `next`.
    gap: u32,
}

/// Largest step that is kept; all characters below are valid.
const LARGEST_STEP: u32 = 0xd7ff;
/// What stands for a term without a letter.
const EMPTY: &str = "\u{1}";

fn character(step: u32) -> char {
    char::from_u32(step).expect("steps are below the characters that are none")
}

/// Returns what stands before the first line end, and what behind it. Terms are short: to look at
/// byte after byte is faster than a search that is made for long texts.
fn split_at_line_end(text: &str) -> (&str, &str) {
    match text.bytes().position(|byte| byte == b'\n') {
        Some(end) => (&text[..end], &text[end + 1..]),
        None => (text, ""),
    }
}

impl Packer {
    /// Makes one with room for so many bytes.
    pub(crate) fn with_capacity(bytes: usize) -> Self {
        Self { packed: String::with_capacity(bytes), ..Self::default() }
    }

    /// Adds a term at the position after the last one.
    pub(crate) fn push(&mut self, term: &str) {
        let mut step = std::mem::take(&mut self.gap).saturating_add(1);
        while step > LARGEST_STEP {
            self.packed.push(character(LARGEST_STEP));
            self.packed.push('\n');
            step -= LARGEST_STEP;
        }
        self.next = self.next.saturating_add(1);
        self.packed.push(character(step));
        self.push_term(term);
    }

    /// Adds a term at a position, which is behind the last one.
    pub(crate) fn push_at(&mut self, position: u32, term: &str) {
        let end = self.next - self.gap;
        (self.gap, self.next) = (position.saturating_sub(end), position.max(end));
        self.push(term);
    }

    /// Adds a term over the last one, at its position; the first after a gap has a place of its own.
    pub(crate) fn push_over(&mut self, term: &str) {
        if self.is_empty() || self.gap > 0 {
            return self.push(term);
        }
        self.packed.push('\0');
        self.push_term(term);
    }

    fn push_term(&mut self, term: &str) {
        // A term with a line end in it, or an empty one, cannot come from the analyzer; cut rather
        // than corrupt.
        let (term, _) = split_at_line_end(term);
        self.packed.push_str(if term.is_empty() { EMPTY } else { term });
        self.packed.push('\n');
    }

    /// Leaves `positions` positions out, so that what follows is no neighbour of what was.
    pub(crate) fn leave_gap(&mut self, positions: u32) {
        if !self.is_empty() {
            self.next = self.next.saturating_sub(self.gap).saturating_add(positions);
            self.gap = positions;
        }
    }

    /// Returns whether nothing was added.
    pub(crate) fn is_empty(&self) -> bool {
        self.packed.is_empty()
    }

    /// Returns the position that the next token gets.
    pub(crate) fn end(&self) -> u32 {
        self.next
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
        loop {
            let mut letters = self.rest.chars();
            let Some(step) = letters.next() else { return false };
            let (term, rest) = split_at_line_end(letters.as_str());
            self.token.position = self.token.position.wrapping_add(u32::from(step) as usize);
            self.rest = rest;
            if !term.is_empty() {
                self.token.text.clear();
                self.token.text.push_str(term);
                return true;
            }
        }
    }

    fn token(&self) -> &Token {
        self.token
    }

    fn token_mut(&mut self) -> &mut Token {
        self.token
    }
}

/// Returns packed tokens with their positions.
#[cfg(test)]
pub(crate) fn unpack(packed: &str) -> Vec<(usize, String)> {
    let mut unpacker = Unpacker::default();
    let mut stream = unpacker.token_stream(packed);
    let mut tokens = Vec::new();
    while stream.advance() {
        tokens.push((stream.token().position, stream.token().text.clone()));
    }
    tokens
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

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
            tokens in prop::collection::vec((0u32..200_000, "[^\n]{1,9}"), 0..50),
        ) {
            let mut packer = Packer::default();
            let mut expected = Vec::new();
            let mut place = 0;
            for (gap, term) in tokens {
                packer.leave_gap(gap);
                packer.push(&term);
                place += if expected.is_empty() { 0 } else { gap as usize + 1 };
                prop_assert_eq!(packer.end() as usize, place + 1);
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
        packer.leave_gap(1);
        packer.push_over("example");
        packer.push_over("");
        let expected = [(0, "host"), (0, "hostname"), (1, "name"), (3, "example"), (3, EMPTY)];
        let expected = expected.map(|(place, term)| (place, term.to_owned()));
        assert_eq!(unpack(&packer.finish()), expected);
    }

    #[test]
    fn a_gap_of_any_size_is_kept() {
        for gap in [0, 9, 100, LARGEST_STEP - 1, LARGEST_STEP, 3 * LARGEST_STEP, 1_000_000] {
            let mut packer = Packer::default();
            packer.push("a");
            packer.leave_gap(gap);
            packer.push("b");
            let tokens = unpack(&packer.finish());
            assert_eq!(tokens, [(0, "a".to_owned()), (gap as usize + 1, "b".to_owned())]);
        }
    }
}
