//! The stored text of a page, in one piece so that all of it can be looked at without taking it
//! apart: the second stage does so for each of the best candidates.
//!
//! ```text
//! texts = block*
//! block = zone: a digit | length in bytes: digits | ":" | utf-8
//! ```
//! It is a text and not bytes, which tantivy reads one by one.

use base::Zone;
use tantivy::schema::Field;
use tantivy::schema::document::{
    DeserializeError, DocumentDeserialize, DocumentDeserializer, ValueDeserialize,
    ValueDeserializer, ValueVisitor,
};

/// Packs blocks.
#[derive(Debug, Default)]
pub(crate) struct Packer(String);

impl Packer {
    pub(crate) fn push(&mut self, zone: Zone, text: &str) {
        self.0.push(zone_digit(zone));
        self.0.push_str(&text.len().to_string());
        self.0.push(':');
        self.0.push_str(text);
    }

    pub(crate) fn finish(self) -> String {
        self.0
    }
}

/// Returns the blocks that were packed, up to the first that cannot be read.
pub(crate) fn blocks(packed: &str) -> impl Iterator<Item = (Zone, &str)> {
    let mut rest = packed;
    std::iter::from_fn(move || {
        let mut letters = rest.chars();
        let zone = zone_of(letters.next()?);
        let (length, behind) = letters.as_str().split_once(':')?;
        let (text, behind) = behind.split_at_checked(length.parse().ok()?)?;
        rest = behind;
        Some((zone, text))
    })
}

/// The texts of a page as they are stored.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Texts {
    title: String,
    packed: String,
}

impl Texts {
    /// Takes a document apart; what it has not is empty.
    pub(crate) fn of(values: Values, title: Field, text: Field) -> Self {
        let mut texts = Self::default();
        for (field, value) in values.0 {
            match value {
                Stored::Text(value) if field == title => texts.title = value,
                Stored::Text(value) if field == text => texts.packed = value,
                _ => {}
            }
        }
        texts
    }

    /// Returns the title as the page has it.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// Returns its blocks in order.
    pub fn blocks(&self) -> impl Iterator<Item = (Zone, &str)> {
        blocks(&self.packed)
    }
}

/// The values of a document, each copied once; tantivy's own document copies them twice.
pub(crate) struct Values(Vec<(Field, Stored)>);

enum Stored {
    Text(String),
    Other,
}

impl DocumentDeserialize for Values {
    fn deserialize<'de, D>(mut deserializer: D) -> Result<Self, DeserializeError>
    where
        D: DocumentDeserializer<'de>,
    {
        let mut values = Vec::new();
        while let Some(value) = deserializer.next_field()? {
            values.push(value);
        }
        Ok(Self(values))
    }
}

impl ValueDeserialize for Stored {
    fn deserialize<'de, D>(deserializer: D) -> Result<Self, DeserializeError>
    where
        D: ValueDeserializer<'de>,
    {
        deserializer.deserialize_any(Visitor)
    }
}

struct Visitor;

impl ValueVisitor for Visitor {
    type Value = Stored;

    fn visit_string(&self, value: String) -> Result<Stored, DeserializeError> {
        Ok(Stored::Text(value))
    }

    fn visit_bytes(&self, _: Vec<u8>) -> Result<Stored, DeserializeError> {
        Ok(Stored::Other)
    }

    fn visit_u64(&self, _: u64) -> Result<Stored, DeserializeError> {
        Ok(Stored::Other)
    }

    fn visit_i64(&self, _: i64) -> Result<Stored, DeserializeError> {
        Ok(Stored::Other)
    }
}

fn zone_digit(zone: Zone) -> char {
    match zone {
        Zone::Heading => '1',
        Zone::Body => '2',
        Zone::Boilerplate => '3',
        Zone::Caption => '4',
        Zone::Alt => '5',
        Zone::Folded => '6',
        Zone::Trail => '7',
    }
}

fn zone_of(digit: char) -> Zone {
    match digit {
        '1' => Zone::Heading,
        '3' => Zone::Boilerplate,
        '4' => Zone::Caption,
        '5' => Zone::Alt,
        '6' => Zone::Folded,
        '7' => Zone::Trail,
        _ => Zone::Body,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn blocks_come_back_as_they_were_and_cut_ones_up_to_the_cut(
            texts in prop::collection::vec((prop::char::range('1', '7'), any::<String>()), 0..9),
        ) {
            let mut packer = Packer::default();
            for (zone, text) in &texts {
                packer.push(zone_of(*zone), text);
            }
            let packed = packer.finish();
            let expected: Vec<_> =
                texts.iter().map(|(zone, text)| (zone_of(*zone), text.as_str())).collect();
            prop_assert_eq!(blocks(&packed).collect::<Vec<_>>(), expected.clone());
            for end in (0..packed.len()).filter(|end| packed.is_char_boundary(*end)) {
                let cut: Vec<_> = blocks(&packed[..end]).collect();
                prop_assert!(expected.starts_with(&cut) && cut.len() < expected.len());
            }
        }

        #[test]
        fn any_text_is_read_without_a_panic(text in "([1-9][0-9]{0,20}:?.{0,9})*") {
            prop_assert!(blocks(&text).count() <= text.len());
        }
    }
}
