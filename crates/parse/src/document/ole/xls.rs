//! Excel before 2007: a stream of records; sheets one behind the other, texts in a shared table.

use std::collections::HashMap;

use base::Zone;
use encoding_rs::Encoding;

use super::super::Refusal;
use super::super::build::Builder;
use super::super::rtf::codepage;
use super::super::sheet::{self, Row};
use super::biff::{Cursor, Record, Records};
use super::{Compound, u16_at, u32_at, utf16};

/// Shared texts kept, and their bytes in all.
const STRINGS: usize = 2_000_000;
const STRING_BYTES: usize = 64 * 1024 * 1024;

/// Reads a workbook.
pub(super) fn read(file: &Compound<'_>, builder: &mut Builder<'_>) -> Result<(), Refusal> {
    let stream = file.stream("Workbook").or_else(|| file.stream("Book"));
    let stream = stream.ok_or(Refusal::Unreadable)?;
    let mut book = Book {
        builder,
        is_wide: true,
        charset: encoding_rs::WINDOWS_1252,
        strings: Vec::new(),
        formats: HashMap::new(),
        styles: Vec::new(),
        sheets: HashMap::new(),
        row: Row::default(),
        row_number: None,
        waits_for_text: false,
    };
    for record in Records::new(&stream) {
        if !book.record(record)? {
            break;
        }
    }
    book.end_row();
    Ok(())
}

struct Book<'a, 'b> {
    builder: &'a mut Builder<'b>,
    /// Whether texts are Unicode (since 1997).
    is_wide: bool,
    charset: &'static Encoding,
    strings: Vec<String>,
    /// Whether own formats show dates.
    formats: HashMap<u32, bool>,
    /// Whether each cell style shows dates.
    styles: Vec<bool>,
    /// Names of sheets by the place of their first record.
    sheets: HashMap<usize, String>,
    row: Row,
    row_number: Option<u16>,
    /// A formula whose text is in the next record.
    waits_for_text: bool,
}

impl Book<'_, '_> {
    /// Takes a record; `false` if nothing more is to be taken.
    fn record(&mut self, record: Record<'_>) -> Result<bool, Refusal> {
        let data = record.data();
        match record.kind {
            // FILEPASS: everything behind it is encrypted.
            0x2F => return Err(Refusal::Encrypted),
            0x0809 => return Ok(self.begin(&record)),
            0x42 => {
                let page = u16_at(data, 0).map(i32::from).and_then(codepage);
                self.charset = page.unwrap_or(self.charset);
            }
            0x85 => self.sheet_name(data),
            0xFC => self.shared(record),
            0x041E => {
                let name = self.text(data.get(2..).unwrap_or_default(), 2);
                if let (Some(id), true) = (u16_at(data, 0), self.formats.len() < 70_000) {
                    self.formats.insert(u32::from(id), sheet::is_date_format(&name));
                }
            }
            0xE0 => {
                let id = u32::from(u16_at(data, 2).unwrap_or(0));
                let known = self.formats.get(&id).copied();
                self.styles.push(known.unwrap_or_else(|| sheet::is_date_number(id)));
            }
            0x14 | 0x15 => {
                let text = sheet::margin(&self.text(data, if self.is_wide { 2 } else { 1 }));
                self.builder.block(Zone::Boilerplate, &text);
            }
            0x01B8 => self.link(data),
            0x01B6 => self.text_box(&record),
            _ => drop(self.cell(record.kind, data)),
        }
        Ok(!self.builder.is_full())
    }

    /// A sheet, or the workbook itself, begins.
    fn begin(&mut self, record: &Record<'_>) -> bool {
        self.end_row();
        self.is_wide = u16_at(record.data(), 0).is_none_or(|version| version >= 0x0600);
        let Some(name) = self.sheets.get(&record.place) else { return true };
        let name = name.clone();
        let is_taken = self.builder.page();
        self.builder.block(Zone::Heading, &name);
        is_taken
    }

    fn sheet_name(&mut self, data: &[u8]) {
        let Some(place) = u32_at(data, 0) else { return };
        let name = self.text(data.get(6..).unwrap_or_default(), 1);
        if self.sheets.len() < 10_000 {
            self.sheets.insert(place as usize, name);
        }
    }

    fn shared(&mut self, record: Record<'_>) {
        let mut cursor = Cursor::new(record);
        if cursor.skip(8).is_none() {
            return;
        }
        let mut bytes = 0;
        while self.strings.len() < STRINGS
            && bytes < STRING_BYTES
            && let Some(text) = cursor.string()
        {
            bytes += text.len();
            self.strings.push(text);
        }
    }

    /// Reads a text in one record, its length in one or two bytes in front.
    fn text(&self, data: &[u8], width: usize) -> String {
        let count = match width {
            1 => data.first().map(|count| usize::from(*count)),
            _ => u16_at(data, 0).map(usize::from),
        };
        let (Some(count), Some(rest)) = (count, data.get(width..)) else { return String::new() };
        if !self.is_wide {
            let bytes = &rest[..rest.len().min(count)];
            return self.charset.decode_without_bom_handling(bytes).0.into_owned();
        }
        let Some((flags, rest)) = rest.split_first() else { return String::new() };
        if flags & 1 != 0 {
            utf16(&rest[..rest.len().min(2 * count)])
        } else {
            rest.iter().take(count).map(|byte| char::from(*byte)).collect()
        }
    }

    /// Reads a cell.
    fn cell(&mut self, kind: u16, data: &[u8]) -> Option<()> {
        if kind == 0x0207 {
            if std::mem::take(&mut self.waits_for_text) {
                let text = self.text(data, 2);
                self.row.push(&text);
            }
            return Some(());
        }
        if !matches!(kind, 0xFD | 0x0204 | 0xD6 | 0x0203 | 0x027E | 0xBD | 0x06 | 0x0205) {
            return None;
        }
        let row = u16_at(data, 0)?;
        if self.row_number != Some(row) {
            self.end_row();
            self.row_number = Some(row);
        }
        let style = u16_at(data, 4)?;
        match kind {
            0xFD => {
                let text = self.strings.get(u32_at(data, 6)? as usize)?;
                self.row.push(text);
            }
            0x0204 | 0xD6 => {
                let text = self.text(data.get(6..)?, 2);
                self.row.push(&text);
            }
            0x0203 => self.number(float(data.get(6..14)?), style),
            0x027E => self.number(packed(u32_at(data, 6)?), style),
            0xBD => {
                for cell in data.get(4..data.len().saturating_sub(2))?.as_chunks::<6>().0 {
                    let style = u16::from_le_bytes([cell[0], cell[1]]);
                    let value = u32::from_le_bytes([cell[2], cell[3], cell[4], cell[5]]);
                    self.number(packed(value), style);
                }
            }
            0x06 => {
                let value = data.get(6..14)?;
                match (value[0], &value[6..]) {
                    (0, [0xFF, 0xFF]) => self.waits_for_text = true,
                    (1, [0xFF, 0xFF]) => self.row.push(boolean(value[2])),
                    (_, [0xFF, 0xFF]) => {}
                    _ => self.number(float(value), style),
                }
            }
            _ => {
                if data.get(7) == Some(&0) {
                    self.row.push(boolean(*data.get(6)?));
                }
            }
        }
        Some(())
    }

    fn number(&mut self, value: f64, style: u16) {
        let is_date = self.styles.get(usize::from(style)).copied().unwrap_or(false);
        self.row.push(&sheet::number(value, is_date));
    }

    fn end_row(&mut self) {
        self.row.finish(self.builder);
        self.row_number = None;
        self.waits_for_text = false;
    }

    /// A text box or the text of a comment: the characters are in the next part.
    fn text_box(&mut self, record: &Record<'_>) {
        let Some(count) = u16_at(record.data(), 10) else { return };
        if !self.is_wide || record.parts.len() < 2 {
            return;
        }
        let parts = record.parts[1..].to_vec();
        let mut cursor = Cursor::new(Record { parts, ..*record });
        let text =
            cursor.byte().and_then(|flags| cursor.characters(usize::from(count), flags & 1 != 0));
        if let Some(text) = text {
            self.end_row();
            self.builder.block(Zone::Caption, &text);
        }
    }

    /// A hyperlink: its address stands behind the number of its class.
    fn link(&mut self, data: &[u8]) {
        const CLASS: &[u8] = b"\xE0\xC9\xEA\x79\xF9\xBA\xCE\x11\x8C\x82\x00\xAA\x00\x4B\xA9\x0B";
        let Some(place) = data.windows(16).position(|window| window == CLASS) else { return };
        let Some(length) = u32_at(data, place + 16) else { return };
        let rest = data.get(place + 20..).unwrap_or_default();
        let target = utf16(&rest[..rest.len().min(length as usize)]);
        self.builder.link(target.split('\0').next().unwrap_or_default(), "");
    }
}

fn boolean(value: u8) -> &'static str {
    if value == 0 { "FALSE" } else { "TRUE" }
}

fn float(bytes: &[u8]) -> f64 {
    bytes.first_chunk().map_or(0.0, |bytes| f64::from_le_bytes(*bytes))
}

/// Reads a number packed into 30 bits: an integer or the upper half of a fraction, perhaps of
/// hundredths.
fn packed(value: u32) -> f64 {
    let number = if value & 2 != 0 {
        f64::from(value.cast_signed() >> 2)
    } else {
        f64::from_bits(u64::from(value & !3) << 32)
    };
    if value & 1 != 0 { number / 100.0 } else { number }
}
