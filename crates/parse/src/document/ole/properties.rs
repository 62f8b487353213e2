//! The summary of a document: title, subject, author, dates.
//!
//! ```text
//! 28 bytes | … | offset of section: u32 at 44
//! section: size: u32 | count: u32 | (id: u32, offset: u32) × count | values: type u32, data
//! ```

use encoding_rs::Encoding;

use super::super::build::Builder;
use super::super::rtf::codepage;
use super::super::when;
use super::{u16_at, u32_at, utf16};

const TEXT: u32 = 30;
const WIDE_TEXT: u32 = 31;
const TIME: u32 = 64;

/// Takes what a summary says.
pub(super) fn read(stream: &[u8], builder: &mut Builder<'_>) {
    // Where it breaks off, the rest is not said.
    let _ = try_read(stream, builder);
}

fn try_read(stream: &[u8], builder: &mut Builder<'_>) -> Option<()> {
    let section = stream.get(u32_at(stream, 44)? as usize..)?;
    let count = (u32_at(section, 4)? as usize).min(256);
    let values: Vec<(u32, usize)> = (0..count)
        .map_while(|i| Some((u32_at(section, 8 + 8 * i)?, u32_at(section, 12 + 8 * i)? as usize)))
        .collect();
    let page = values.iter().find(|(id, _)| *id == 1);
    let page = page.and_then(|(_, place)| u16_at(section, place + 4));
    let charset = page.map(i32::from).and_then(codepage).unwrap_or(encoding_rs::WINDOWS_1252);
    for (id, place) in values {
        let Some(value) = section.get(place..) else { continue };
        match id {
            2 => builder.title(&text(value, charset).unwrap_or_default()),
            3 => builder.description(&text(value, charset).unwrap_or_default()),
            4 => builder.author(&text(value, charset).unwrap_or_default()),
            12 => builder.dates(time(value), None),
            13 => builder.dates(None, time(value)),
            _ => {}
        }
    }
    Some(())
}

fn text(value: &[u8], charset: &'static Encoding) -> Option<String> {
    let length = u32_at(value, 4)? as usize;
    let rest = value.get(8..)?;
    let text = match u32_at(value, 0)? {
        TEXT => charset.decode_without_bom_handling(&rest[..rest.len().min(length)]).0.into_owned(),
        WIDE_TEXT => utf16(&rest[..rest.len().min(length.saturating_mul(2))]),
        _ => return None,
    };
    Some(text.trim_end_matches('\0').to_owned())
}

fn time(value: &[u8]) -> Option<base::Timestamp> {
    if u32_at(value, 0)? != TIME {
        return None;
    }
    when::windows(u64::from(u32_at(value, 8)?) << 32 | u64::from(u32_at(value, 4)?))
}
