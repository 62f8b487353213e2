//! Word before 2007: one long text in pieces, some of one byte a character, some of two.
//!
//! ```text
//! WordDocument: header with flags and lengths | text of the pieces | pages of properties
//! 0Table or 1Table: piece table: positions: u32 × (n + 1) | (2 | place: u32 | 2) × n
//! ```
//! The text holds its own marks: 13 ends a paragraph, 7 a cell, 19 to 21 are a field. Behind
//! the main text come footnotes, headers, comments, endnotes and text boxes, by their lengths.

use base::Zone;

use super::super::Refusal;
use super::super::build::Builder;
use super::super::ooxml::hyperlink;
use super::{Compound, latin, u16_at, u32_at};

/// Open fields followed.
const FIELDS: usize = 32;
/// Longest instruction of a field.
const INSTRUCTION_BYTES: usize = 8_192;

/// Reads a document.
pub(super) fn read(file: &Compound<'_>, builder: &mut Builder<'_>) -> Result<(), Refusal> {
    let stream = file.stream("WordDocument").ok_or(Refusal::Unreadable)?;
    let head = Head::read(&stream).ok_or(Refusal::Unreadable)?;
    if head.flags & 0x0100 != 0 {
        return Err(Refusal::Encrypted);
    }
    builder.page();
    let mut text =
        Text { builder, fields: Vec::new(), instruction: String::new(), paragraph: false };
    if head.version < 193 {
        // Word 6 and 95: bytes from here to there.
        let (from, to) = (u32_at(&stream, 0x18), u32_at(&stream, 0x1C));
        let (from, to) = from.zip(to).ok_or(Refusal::Unreadable)?;
        let bytes = stream.get(from as usize..(to as usize).min(stream.len()));
        let decoded = latin(bytes.ok_or(Refusal::Unreadable)?);
        for character in decoded.chars() {
            text.push(character, false);
        }
        text.builder.end_block();
        return Ok(());
    }
    let table = if head.flags & 0x0200 == 0 { "0Table" } else { "1Table" };
    let table = file.stream(table).ok_or(Refusal::Unreadable)?;
    let pieces = pieces(&stream, &table).ok_or(Refusal::Unreadable)?;
    let headings = headings(&stream, &table).unwrap_or_default();
    text.pieces(&stream, &pieces, &headings, &head.regions());
    Ok(())
}

/// What the beginning of the stream says.
struct Head {
    version: u16,
    flags: u16,
    /// Characters of main text, footnotes, headers, macros, comments, endnotes, text boxes and
    /// text boxes of headers.
    lengths: [u32; 8],
}

impl Head {
    fn read(stream: &[u8]) -> Option<Self> {
        let version = u16_at(stream, 2)?;
        let mut lengths = [0; 8];
        for (i, length) in lengths.iter_mut().enumerate() {
            *length = u32_at(stream, 0x4C + 4 * i).unwrap_or(0);
        }
        Some(Self { version, flags: u16_at(stream, 0x0A)?, lengths })
    }

    /// Returns where each part ends and what it is.
    fn regions(&self) -> Vec<(u32, Zone)> {
        let zones = [
            Zone::Body,
            Zone::Body,
            Zone::Boilerplate,
            Zone::Boilerplate,
            Zone::Folded,
            Zone::Body,
            Zone::Body,
            Zone::Boilerplate,
        ];
        let mut end = 0_u32;
        let ends = self.lengths.iter().map(|length| {
            end = end.saturating_add(*length);
            end
        });
        ends.zip(zones).collect()
    }
}

/// A run of text: first position, place in the stream, number of characters, and their width.
struct Piece {
    first: u32,
    place: usize,
    count: usize,
    width: usize,
}

/// Reads the piece table.
fn pieces(stream: &[u8], table: &[u8]) -> Option<Vec<Piece>> {
    let start = u32_at(stream, 0x01A2)? as usize;
    let length = u32_at(stream, 0x01A6)? as usize;
    let mut rest = table.get(start..start.checked_add(length)?.min(table.len()))?;
    // Properties of fast-saved files stand in front.
    while rest.first() == Some(&1) {
        rest = rest.get(3 + usize::from(u16_at(rest, 1)?)..)?;
    }
    if rest.first() != Some(&2) {
        return None;
    }
    let length = (u32_at(rest, 1)? as usize).min(rest.len() - 5);
    let rest = &rest[5..5 + length];
    let count = length.checked_sub(4)? / 12;
    let mut pieces = Vec::new();
    for i in 0..count {
        let (first, end) = (u32_at(rest, 4 * i)?, u32_at(rest, 4 * i + 4)?);
        let place = u32_at(rest, 4 * (count + 1) + 8 * i + 2)?;
        let is_narrow = place & 0x4000_0000 != 0;
        let place = (place & 0x3FFF_FFFF) as usize;
        let (place, width) = if is_narrow { (place / 2, 1) } else { (place, 2) };
        pieces.push(Piece { first, place, count: end.saturating_sub(first) as usize, width });
    }
    Some(pieces)
}

/// Returns the runs of the stream whose paragraphs are headings: pages of 512 bytes list for
/// each run of bytes the style of its paragraph; styles 1 to 9 are the headings.
fn headings(stream: &[u8], table: &[u8]) -> Option<Vec<(u32, u32)>> {
    let start = u32_at(stream, 0x0102)? as usize;
    let length = u32_at(stream, 0x0106)? as usize;
    let places = table.get(start..start.checked_add(length)?)?;
    let count = length.checked_sub(4)? / 8;
    let mut headings = Vec::new();
    for i in 0..count {
        let number = u32_at(places, 4 * (count + 1) + 4 * i)? & 0x003F_FFFF;
        let Some(page) = stream.get(number as usize * 512..(number as usize + 1) * 512) else {
            continue;
        };
        let runs = usize::from(page[511]);
        for run in 0..runs {
            let place = usize::from(*page.get(4 * (runs + 1) + 13 * run)?) * 2;
            // A length of 0 says that another one follows.
            let skip = if page.get(place) == Some(&0) { 2 } else { 1 };
            let style = if place == 0 { None } else { u16_at(page, place + skip) };
            if matches!(style, Some(1..=9)) {
                headings.push((u32_at(page, 4 * run)?, u32_at(page, 4 * run + 4)?));
            }
        }
    }
    headings.sort_unstable();
    Some(headings)
}

struct Text<'a, 'b> {
    builder: &'a mut Builder<'b>,
    /// For each open field: whether its result is being read, and whether it is a link.
    fields: Vec<(bool, bool)>,
    instruction: String,
    /// Whether the open paragraph is known to be a heading.
    paragraph: bool,
}

impl Text<'_, '_> {
    fn pieces(
        &mut self,
        stream: &[u8],
        pieces: &[Piece],
        headings: &[(u32, u32)],
        regions: &[(u32, Zone)],
    ) {
        let mut regions = regions.iter().copied();
        let mut region = regions.next();
        // Pieces may claim the same bytes again and again.
        let mut left = 2 * stream.len();
        for piece in pieces {
            let count = piece.count.min(left);
            left -= count;
            let end = piece.place.saturating_add(count.saturating_mul(piece.width));
            let Some(bytes) = stream.get(piece.place..end.min(stream.len())) else { continue };
            let decoded = if piece.width == 1 { latin(bytes) } else { super::utf16(bytes) };
            let mut offset = 0;
            for character in decoded.chars() {
                let position =
                    piece.first.saturating_add(u32::try_from(offset).unwrap_or(u32::MAX));
                while let Some((last, zone)) = region
                    && position >= last
                {
                    region = regions.next();
                    self.fields.clear();
                    let zone = region.map_or(zone, |(_, zone)| zone);
                    self.builder.usual_zone(zone);
                }
                let place = piece.place + offset * piece.width;
                let is_heading = character == '\r' && is_within(headings, place);
                self.push(character, is_heading);
                // Positions count halves of characters outside of the basic plane.
                offset += character.len_utf16();
            }
            if self.builder.is_full() || left == 0 {
                break;
            }
        }
        self.builder.usual_zone(Zone::Body);
    }

    /// Takes a character; a paragraph is known to be a heading at its end.
    fn push(&mut self, character: char, is_heading: bool) {
        match character {
            '\u{13}' => {
                if self.fields.len() < FIELDS {
                    self.fields.push((false, false));
                }
                self.instruction.clear();
            }
            '\u{14}' => {
                if let Some(field) = self.fields.last_mut() {
                    field.0 = true;
                    if let Some(target) = hyperlink(&self.instruction) {
                        field.1 = true;
                        self.builder.open_link(&target);
                    }
                }
                self.instruction.clear();
            }
            '\u{15}' => {
                if let Some((_, true)) = self.fields.pop() {
                    self.builder.close_link();
                }
            }
            _ if self.fields.last().is_some_and(|(is_result, _)| !is_result) => {
                if self.instruction.len() < INSTRUCTION_BYTES {
                    self.instruction.push(character);
                }
            }
            '\r' | '\u{7}' | '\u{C}' => {
                if is_heading || self.paragraph {
                    self.builder.zone(Zone::Heading);
                    self.paragraph = false;
                }
                self.builder.end_block();
            }
            '\t' | '\u{B}' | '\u{E}' => self.builder.space(),
            '\u{1E}' => self.builder.text("-"),
            '\u{1F}' | '\u{0}'..='\u{1D}' => {}
            character => self.builder.text(character.encode_utf8(&mut [0; 4])),
        }
    }
}

fn is_within(runs: &[(u32, u32)], place: usize) -> bool {
    let Ok(place) = u32::try_from(place) else { return false };
    let behind = runs.partition_point(|(start, _)| *start <= place);
    behind.checked_sub(1).is_some_and(|found| place < runs[found].1)
}
