//! Maps from codes to characters, as fonts bring them along (`ToUnicode`).
//!
//! ```text
//! 1 begincodespacerange <0000> <FFFF> endcodespacerange
//! 1 beginbfchar <0003> <0020> endbfchar
//! 2 beginbfrange <0010> <0012> <0041>  <0020> <0021> [<0061> <0062>] endbfrange
//! ```
//! Broken ones are read as far as they go (PDF-05).

use std::collections::HashMap;

use super::content::{Content, Operand};

/// Codes kept of one map.
const CODES: usize = 200_000;
/// Characters of one code: ligatures have three.
const UNITS: usize = 16;

/// A map of one font.
#[derive(Debug, Default)]
pub(super) struct CMap {
    characters: HashMap<u32, String>,
    /// First code, last code, units of the first one; the last unit counts up.
    ranges: Vec<(u32, u32, Vec<u16>)>,
    /// Bytes of a code, from which to which code.
    spaces: Vec<(usize, u32, u32)>,
}

impl CMap {
    pub(super) fn parse(bytes: &[u8]) -> Self {
        let mut map = Self::default();
        // The same syntax as a page: operands, then a word that says what they were.
        let mut content = Content::new(bytes);
        while let Some(word) = content.next_with(CODES) {
            let operands = std::mem::take(&mut content.operands);
            match word {
                b"endcodespacerange" => map.code_space(&operands),
                b"endbfchar" => map.chars(&operands),
                b"endbfrange" => map.range(&operands),
                _ => {}
            }
            if map.characters.len() + map.ranges.len() > CODES {
                break;
            }
        }
        map.ranges.sort_by_key(|(first, ..)| *first);
        map
    }

    fn code_space(&mut self, operands: &[Operand]) {
        for pair in operands.chunks_exact(2).take(256) {
            if let [Operand::Text(low), Operand::Text(high)] = pair
                && (1..=4).contains(&low.len())
                && low.len() == high.len()
            {
                self.spaces.push((low.len(), code(low), code(high)));
            }
        }
    }

    fn chars(&mut self, operands: &[Operand]) {
        for pair in operands.chunks_exact(2) {
            if let [Operand::Text(from), Operand::Text(to)] = pair {
                self.characters.insert(code(from), decode(&units(to)));
            }
        }
    }

    fn range(&mut self, operands: &[Operand]) {
        for triple in operands.chunks_exact(3) {
            let [Operand::Text(low), Operand::Text(high), target] = triple else { continue };
            let (low, high) = (code(low), code(high));
            match target {
                Operand::Text(first) if low <= high => {
                    self.ranges.push((low, high, units(first)));
                }
                Operand::Array(targets) => {
                    for (code, target) in (low..=high).zip(targets) {
                        if let Operand::Text(text) = target {
                            self.characters.insert(code, decode(&units(text)));
                        }
                    }
                }
                _ => {}
            }
        }
    }

    /// Returns what a code stands for.
    pub(super) fn get(&self, code: u32) -> Option<String> {
        if let Some(text) = self.characters.get(&code) {
            return Some(text.clone());
        }
        let behind = self.ranges.partition_point(|(first, ..)| *first <= code);
        let (first, last, units) = self.ranges.get(behind.checked_sub(1)?)?;
        if code > *last {
            return None;
        }
        let mut units = units.clone();
        let unit = units.last_mut()?;
        *unit = unit.wrapping_add((code - first) as u16);
        Some(decode(&units))
    }

    /// Returns how many bytes the code at the beginning of a text has, if the map says it.
    pub(super) fn width(&self, bytes: &[u8]) -> Option<usize> {
        for (width, low, high) in &self.spaces {
            if let Some(head) = bytes.get(..*width)
                && (*low..=*high).contains(&code(head))
            {
                return Some(*width);
            }
        }
        None
    }

    pub(super) fn is_empty(&self) -> bool {
        self.characters.is_empty() && self.ranges.is_empty()
    }
}

pub(super) fn code(bytes: &[u8]) -> u32 {
    bytes.iter().take(4).fold(0, |code, byte| code << 8 | u32::from(*byte))
}

fn units(bytes: &[u8]) -> Vec<u16> {
    // One byte alone is a character of Latin 1, as some programs write it.
    if let [byte] = bytes {
        return vec![u16::from(*byte)];
    }
    let units = bytes.as_chunks::<2>().0.iter().take(UNITS);
    units.map(|unit| u16::from_be_bytes(*unit)).collect()
}

fn decode(units: &[u16]) -> String {
    // U+0000 stands where a font has no character; halves of characters are none.
    String::from_utf16_lossy(units).replace(['\0', char::REPLACEMENT_CHARACTER], "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_and_ranges_are_read() {
        let map = CMap::parse(
            b"/CIDInit /ProcSet findresource begin 1 begincodespacerange <0000> <FFFF> \
              endcodespacerange 2 beginbfchar <0003> <0020> <0004> <00660069> endbfchar \
              2 beginbfrange <0010> <0012> <0041> <0020> <0021> [<0061> <0062>] endbfrange end",
        );
        let found: Vec<Option<String>> =
            [3, 4, 0x11, 0x21, 0x13].into_iter().map(|code| map.get(code)).collect();
        let expected = [Some(" "), Some("fi"), Some("B"), Some("b"), None];
        assert_eq!(found, expected.map(|text| text.map(str::to_owned)));
        assert_eq!(map.width(b"\x00\x03"), Some(2));
    }

    #[test]
    fn pdf_05_broken_maps_are_read_as_far_as_they_go() {
        let map = CMap::parse(
            b"1 begincodespacerange <00> endcodespacerange 1 beginbfchar <41> <004> <42> endbfchar \
              1 beginbfrange <50> <40> <0041> <60> <FFFFFFFF> <0041> <61> endbfrange <<<< [[",
        );
        assert_eq!(map.get(0x41).as_deref(), Some("@"));
        assert_eq!(map.get(0x50), None);
        assert_eq!(map.get(0x61).as_deref(), Some("B"));
        assert!(map.get(u32::MAX).is_some());
        assert!(CMap::parse(b"").is_empty());
    }
}
