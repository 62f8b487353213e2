//! The stored text of a page, in one piece so that all of it can be looked at without taking it
//! apart: the second stage does so for each of the best candidates.
//!
//! ```text
//! texts = block*
//! block = zone: u8 | length: u32 le | utf-8
//! ```

use base::Zone;
use tantivy::schema::Field;
use tantivy::schema::document::{
    DeserializeError, DocumentDeserialize, DocumentDeserializer, ValueDeserialize,
    ValueDeserializer, ValueVisitor,
};

/// Packs blocks.
#[derive(Debug, Default)]
pub(crate) struct Packer(Vec<u8>);

impl Packer {
    pub(crate) fn push(&mut self, zone: Zone, text: &str) {
        let length = u32::try_from(text.len()).expect("stored texts are short");
        self.0.push(zone_number(zone));
        self.0.extend_from_slice(&length.to_le_bytes());
        self.0.extend_from_slice(text.as_bytes());
    }

    pub(crate) fn finish(self) -> Vec<u8> {
        self.0
    }
}

/// Returns the blocks that were packed, up to the first that cannot be read.
pub(crate) fn blocks(packed: &[u8]) -> impl Iterator<Item = (Zone, &str)> {
    let mut rest = packed;
    std::iter::from_fn(move || {
        let (zone, behind) = rest.split_first()?;
        let (length, behind) = behind.split_first_chunk::<4>()?;
        let (text, behind) = behind.split_at_checked(u32::from_le_bytes(*length) as usize)?;
        rest = behind;
        Some((zone_of(*zone), std::str::from_utf8(text).ok()?))
    })
}

/// The texts of a page as they are stored.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Texts {
    title: String,
    packed: Vec<u8>,
}

impl Texts {
    /// Takes a document apart; what it has not is empty.
    pub(crate) fn of(values: Values, title: Field, text: Field) -> Self {
        let mut texts = Self::default();
        for (field, value) in values.0 {
            match value {
                Stored::Text(value) if field == title => texts.title = value,
                Stored::Bytes(value) if field == text => texts.packed = value,
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
    Bytes(Vec<u8>),
    Number,
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

    fn visit_bytes(&self, value: Vec<u8>) -> Result<Stored, DeserializeError> {
        Ok(Stored::Bytes(value))
    }

    fn visit_u64(&self, _: u64) -> Result<Stored, DeserializeError> {
        Ok(Stored::Number)
    }

    fn visit_i64(&self, _: i64) -> Result<Stored, DeserializeError> {
        Ok(Stored::Number)
    }
}

fn zone_number(zone: Zone) -> u8 {
    match zone {
        Zone::Heading => 1,
        Zone::Body => 2,
        Zone::Boilerplate => 3,
        Zone::Caption => 4,
        Zone::Alt => 5,
        Zone::Folded => 6,
        Zone::Trail => 7,
    }
}

fn zone_of(number: u8) -> Zone {
    match number {
        1 => Zone::Heading,
        3 => Zone::Boilerplate,
        4 => Zone::Caption,
        5 => Zone::Alt,
        6 => Zone::Folded,
        7 => Zone::Trail,
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
            texts in prop::collection::vec((1_u8..8, any::<String>()), 0..9),
        ) {
            let mut packer = Packer::default();
            for (zone, text) in &texts {
                packer.push(zone_of(*zone), text);
            }
            let packed = packer.finish();
            let expected: Vec<_> =
                texts.iter().map(|(zone, text)| (zone_of(*zone), text.as_str())).collect();
            prop_assert_eq!(blocks(&packed).collect::<Vec<_>>(), expected.clone());
            for end in 0..packed.len() {
                let cut: Vec<_> = blocks(&packed[..end]).collect();
                prop_assert!(expected.starts_with(&cut) && cut.len() < expected.len());
            }
        }

        #[test]
        fn any_bytes_are_read_without_a_panic(bytes: Vec<u8>) {
            prop_assert!(blocks(&bytes).count() <= bytes.len());
        }
    }
}
