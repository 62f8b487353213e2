//! UTF-32, which no browser reads: told by a shape that nothing else has (CHR-04).
//!
//! Four bytes to a character, of which one is always and another nearly always zero. A mark alone
//! is not believed, since that of the small end also begins UTF-16.

/// Which end of a number comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Utf32 {
    Little,
    Big,
}

/// Bytes looked at.
const HEAD_BYTES: usize = 1_024;
/// Characters without which nothing is said where there is no mark.
const FEW: usize = 12;

impl Utf32 {
    /// Returns how a text in UTF-32 is written, and how many bytes its mark takes.
    pub(crate) fn of(body: &[u8]) -> Option<(Self, usize)> {
        [Self::Little, Self::Big].into_iter().find_map(|order| {
            let mark = if order.chars(body).next() == Some(Some('\u{FEFF}')) { 4 } else { 0 };
            let head = &body[mark..body.len().min(HEAD_BYTES)];
            let mut count = 0;
            let mut words = 0;
            for character in order.chars(head) {
                let character = character.filter(|character| is_text(*character))?;
                count += 1;
                words += usize::from(character.is_alphanumeric() || character.is_whitespace());
            }
            let is_sure = if mark > 0 { count > 0 } else { count >= FEW && words * 2 >= count };
            is_sure.then_some((order, mark))
        })
    }

    /// Decodes a text; returns it and whether anything in it is no character.
    pub(super) fn decode(self, body: &[u8]) -> (String, bool) {
        let is_odd = !body.len().is_multiple_of(4);
        let mut has_errors = is_odd;
        let mut text = String::with_capacity(body.len() / 4);
        for character in self.chars(body) {
            has_errors |= character.is_none();
            text.push(character.unwrap_or(char::REPLACEMENT_CHARACTER));
        }
        if is_odd {
            text.push(char::REPLACEMENT_CHARACTER);
        }
        (text, has_errors)
    }

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Little => "UTF-32LE",
            Self::Big => "UTF-32BE",
        }
    }

    fn chars(self, bytes: &[u8]) -> impl Iterator<Item = Option<char>> + '_ {
        let (quads, _) = bytes.as_chunks::<4>();
        quads.iter().map(move |quad| {
            char::from_u32(match self {
                Self::Little => u32::from_le_bytes(*quad),
                Self::Big => u32::from_be_bytes(*quad),
            })
        })
    }
}

/// Returns whether a text for people has such a character.
fn is_text(character: char) -> bool {
    !character.is_control() || matches!(character, '\t' | '\n' | '\r' | '\x0C')
}
