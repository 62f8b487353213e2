//! From the bytes of a text to characters and how far each of them moves the pen.

use std::collections::HashMap;

use encoding_rs::Encoding;
use lopdf::{Dictionary, Object, Stream, dictionary};

use super::cmap::{CMap, code};
use super::{STREAM_BYTES, dictionary_of};

/// What a font's map or program may unpack to.
const FONT_BYTES: usize = STREAM_BYTES / 4;
/// Widths kept of one font.
const WIDTHS: usize = 70_000;

/// A font as far as its text needs.
pub(super) struct Font {
    codes: Codes,
    map: CMap,
    widths: HashMap<u32, f32>,
    usual: f32,
    /// How much of an em one unit of width is: a thousandth, but in Type 3 fonts.
    pub(super) unit: f32,
}

/// How bytes are codes.
enum Codes {
    /// One byte each; what each stands for, if the map does not say it.
    Simple(Vec<Option<String>>),
    /// Two bytes each, but where the map knows other ranges.
    Wide,
    /// In a charset of East Asia, or in UTF-16.
    Charset(&'static Encoding),
}

/// One character that is drawn.
pub(super) struct Glyph {
    pub(super) text: String,
    /// In units.
    pub(super) width: f32,
    /// Whether it is the one-byte code 32, which word spacing widens.
    pub(super) is_space: bool,
}

impl Font {
    pub(super) fn read(document: &lopdf::Document, font: &Dictionary) -> Self {
        let map = stream(document, font, b"ToUnicode");
        let map = map.map(|bytes| CMap::parse(&bytes)).unwrap_or_default();
        let kind = font.get_deref(b"Subtype", document).and_then(Object::as_name);
        if kind.is_ok_and(|kind| kind == b"Type0") {
            return Self::composite(document, font, map);
        }
        let unit = match font.get_deref(b"FontMatrix", document).and_then(Object::as_array) {
            Ok(matrix) => matrix.first().and_then(|unit| unit.as_float().ok()).unwrap_or(0.001),
            Err(_) => 0.001,
        };
        let (widths, usual) = widths(document, font);
        Self { codes: Codes::Simple(table(document, font)), map, widths, usual, unit }
    }

    fn composite(document: &lopdf::Document, font: &Dictionary, map: CMap) -> Self {
        let encoding = font.get_deref(b"Encoding", document).and_then(Object::as_name);
        let charset = encoding.ok().and_then(charset);
        let descendants = font.get_deref(b"DescendantFonts", document).and_then(Object::as_array);
        let descendant = descendants.ok().and_then(|fonts| fonts.first());
        let descendant = descendant
            .and_then(|object| document.dereference(object).ok())
            .and_then(|(_, object)| object.as_dict().ok());
        let (widths, usual) = descendant
            .map_or((HashMap::new(), 1_000.0), |descendant| wide_widths(document, descendant));
        let codes = match charset {
            Some(charset) if map.is_empty() => Codes::Charset(charset),
            _ => Codes::Wide,
        };
        Self { codes, map, widths, usual, unit: 0.001 }
    }

    /// Returns the characters of a text.
    pub(super) fn glyphs(&self, bytes: &[u8]) -> Vec<Glyph> {
        let mut glyphs = Vec::with_capacity(bytes.len());
        let mut rest = bytes;
        while !rest.is_empty() {
            let width = match &self.codes {
                Codes::Simple(_) => 1,
                Codes::Wide => self.map.width(rest).unwrap_or(2),
                Codes::Charset(charset) => char_width(charset, rest[0]),
            };
            let (head, behind) = rest.split_at(width.min(rest.len()));
            rest = behind;
            let code = code(head);
            let text = self.map.get(code).or_else(|| match &self.codes {
                Codes::Simple(table) => table.get(code as usize).cloned().flatten(),
                Codes::Wide => None,
                Codes::Charset(charset) => {
                    Some(charset.decode_without_bom_handling(head).0.into_owned())
                }
            });
            let text = text.unwrap_or_default();
            let width = self.widths.get(&code).copied().unwrap_or(self.usual);
            let width = if width > 0.0 { width } else { guess(&text) };
            let is_space = head == b" ";
            glyphs.push(Glyph { text, width, is_space });
        }
        glyphs
    }
}

/// Unpacks the stream of an entry.
fn stream(document: &lopdf::Document, dictionary: &Dictionary, key: &[u8]) -> Option<Vec<u8>> {
    let stream: &Stream = dictionary.get_deref(key, document).ok()?.as_stream().ok()?;
    stream.get_plain_content_with_limit(FONT_BYTES).ok()
}

/// A width for fonts that bring none: the fourteen that every program has.
fn guess(text: &str) -> f32 {
    match text.chars().next() {
        Some('i' | 'j' | 'l' | 't' | 'f' | ' ' | '.' | ',' | '\'' | '|' | ':' | ';' | '!') => 270.0,
        Some('m' | 'w' | 'M' | 'W' | '@' | '%') => 860.0,
        Some(character) if character.is_uppercase() => 690.0,
        Some(_) => 540.0,
        None => 0.0,
    }
}

/// Returns the widths of a simple font, and the width of the codes that it does not name.
fn widths(document: &lopdf::Document, font: &Dictionary) -> (HashMap<u32, f32>, f32) {
    let first = font.get_deref(b"FirstChar", document).and_then(Object::as_i64).unwrap_or(0);
    let first = u32::try_from(first).unwrap_or(0);
    let listed = font.get_deref(b"Widths", document).and_then(Object::as_array);
    let listed = listed.map_or(&[][..], Vec::as_slice);
    let number = |object: &Object| document.dereference(object).ok()?.1.as_float().ok();
    let widths = listed.iter().take(256).zip(first..);
    let widths = widths.filter_map(|(width, code)| Some((code, number(width)?))).collect();
    let descriptor = dictionary_of(document, font, b"FontDescriptor");
    let usual = descriptor.and_then(|descriptor| {
        descriptor.get_deref(b"MissingWidth", document).and_then(Object::as_float).ok()
    });
    (widths, usual.unwrap_or(0.0))
}

/// Returns the widths of a composite font: `[1 [500 600] 10 20 1000]`.
fn wide_widths(document: &lopdf::Document, font: &Dictionary) -> (HashMap<u32, f32>, f32) {
    let usual = font.get_deref(b"DW", document).and_then(Object::as_float).unwrap_or(1_000.0);
    let mut widths = HashMap::new();
    let listed = font.get_deref(b"W", document).and_then(Object::as_array);
    let listed = listed.map_or(&[][..], Vec::as_slice);
    let object = |place: usize| {
        listed.get(place).and_then(|object| document.dereference(object).ok()).map(|(_, o)| o)
    };
    let number = |object: &Object| object.as_float().ok().map(|number| number as u32);
    let mut place = 0;
    while let (Some(first), Some(second)) = (object(place).and_then(number), object(place + 1)) {
        if let Ok(list) = second.as_array() {
            let list = list.iter().map(|width| width.as_float().unwrap_or(usual));
            widths.extend((first..).zip(list.take(WIDTHS)));
            place += 2;
        } else {
            let last = number(second).unwrap_or(first);
            let width = object(place + 2).and_then(|width| width.as_float().ok()).unwrap_or(usual);
            widths.extend((first..=last).take(WIDTHS).map(|code| (code, width)));
            place += 3;
        }
        if widths.len() > WIDTHS {
            break;
        }
    }
    (widths, usual)
}

/// Returns what each byte of a simple font stands for.
fn table(document: &lopdf::Document, font: &Dictionary) -> Vec<Option<String>> {
    let encoding = font.get_deref(b"Encoding", document).ok();
    let kind = font.get_deref(b"Subtype", document).and_then(Object::as_name).unwrap_or_default();
    let (base, differences) = match encoding {
        Some(Object::Name(name)) => (Some(name.as_slice()), None),
        Some(Object::Dictionary(encoding)) => {
            let base = encoding.get_deref(b"BaseEncoding", document).and_then(Object::as_name);
            let differences = encoding.get_deref(b"Differences", document);
            (base.ok(), differences.and_then(Object::as_array).ok())
        }
        _ => (None, None),
    };
    // TrueType without an encoding is nearly always written by a program of Windows.
    let usual = if kind == b"TrueType" { &b"WinAnsiEncoding"[..] } else { b"StandardEncoding" };
    let mut names = Names::default();
    let mut table: Vec<Option<String>> =
        (0..=255).map(|code| names.standard(base.unwrap_or(usual), code)).collect();
    if base.is_none() {
        built_in(document, font, &mut names, &mut table);
    }
    let mut code = 0_usize;
    for object in differences.into_iter().flatten().take(1_024) {
        match document.dereference(object).map(|(_, object)| object) {
            Ok(Object::Integer(number)) => code = usize::try_from(*number).unwrap_or(256),
            Ok(Object::Name(name)) => {
                if let Some(place) = table.get_mut(code) {
                    *place = names.glyph(name);
                }
                code += 1;
            }
            _ => {}
        }
    }
    table
}

/// Takes the encoding out of a font program in PostScript: `dup 65 /A put`.
fn built_in(
    document: &lopdf::Document,
    font: &Dictionary,
    names: &mut Names,
    table: &mut [Option<String>],
) {
    let Some(descriptor) = dictionary_of(document, font, b"FontDescriptor") else { return };
    let Some(program) = stream(document, descriptor, b"FontFile") else { return };
    // Behind `eexec` it is encrypted.
    let end = memchr::memmem::find(&program, b"eexec").unwrap_or(program.len());
    let text = String::from_utf8_lossy(&program[..end.min(64 * 1024)]).into_owned();
    let mut words = text.split_ascii_whitespace().peekable();
    while let Some(word) = words.next() {
        if word != "dup" {
            continue;
        }
        let code = words.next().and_then(|code| code.parse::<usize>().ok());
        let name = words.peek().and_then(|name| name.strip_prefix('/'));
        if let (Some(place), Some(name)) = (code.and_then(|code| table.get_mut(code)), name) {
            *place = names.glyph(name.as_bytes());
        }
    }
}

/// Looks up glyphs by name; the library has the list, but lends it only through a font.
#[derive(Default)]
struct Names {
    known: HashMap<Vec<u8>, Option<String>>,
    empty: lopdf::Document,
}

impl Names {
    /// Returns what a code is in a standard encoding.
    fn standard(&self, encoding: &[u8], code: u8) -> Option<String> {
        let font = dictionary! { "Type" => "Font", "Encoding" => Object::Name(encoding.to_vec()) };
        let encoding = font.get_font_encoding(&self.empty).ok()?;
        encoding.bytes_to_string(&[code]).ok().filter(|text| !text.is_empty())
    }

    /// Returns the characters of a glyph: `A`, `eacute`, `uni20AC`, `f_i`, `a.alt`.
    fn glyph(&mut self, name: &[u8]) -> Option<String> {
        if let Some(known) = self.known.get(name) {
            return known.clone();
        }
        let found = self.find(name);
        self.known.insert(name.to_vec(), found.clone());
        found
    }

    fn find(&self, name: &[u8]) -> Option<String> {
        let whole = std::str::from_utf8(name).ok()?;
        let stem = whole.split('.').next().filter(|stem| !stem.is_empty())?;
        let mut text = String::new();
        for part in stem.split('_').take(8) {
            text.push_str(&self.part(part)?);
        }
        Some(text)
    }

    fn part(&self, name: &str) -> Option<String> {
        let hex = |digits: &str| u32::from_str_radix(digits, 16).ok().and_then(char::from_u32);
        if let Some(digits) = name.strip_prefix("uni")
            && digits.len() >= 4
            && digits.is_ascii()
        {
            let units = digits.as_bytes().as_chunks::<4>().0.iter();
            return units.map(|unit| hex(std::str::from_utf8(unit).ok()?)).collect();
        }
        if let Some(character) =
            name.strip_prefix('u').filter(|digits| digits.len() >= 4).and_then(hex)
        {
            return Some(character.to_string());
        }
        let differences = vec![Object::Integer(65), Object::Name(name.as_bytes().to_vec())];
        let encoding = dictionary! { "Differences" => differences };
        let font = dictionary! { "Type" => "Font", "Encoding" => encoding };
        // An unknown name makes the library fall back to a standard encoding, in which 65 is A.
        let found = font.get_font_encoding(&self.empty).ok()?.bytes_to_string(&[65]).ok()?;
        (found != "A" || name == "A").then_some(found)
    }
}

/// Returns the charset of a predefined encoding of East Asia.
fn charset(name: &[u8]) -> Option<&'static Encoding> {
    let name = std::str::from_utf8(name).ok()?;
    let has = |part: &str| name.contains(part);
    if has("UCS2") || has("UTF16") {
        Some(encoding_rs::UTF_16BE)
    } else if has("RKSJ") {
        Some(encoding_rs::SHIFT_JIS)
    } else if has("GBK") || has("GB-EUC") || has("GBpc") {
        Some(encoding_rs::GBK)
    } else if has("B5") || has("ETen") {
        Some(encoding_rs::BIG5)
    } else if has("KSC") {
        Some(encoding_rs::EUC_KR)
    } else if matches!(name, "EUC-H" | "EUC-V") {
        Some(encoding_rs::EUC_JP)
    } else {
        None
    }
}

/// Returns how many bytes a character has by its first one.
fn char_width(charset: &'static Encoding, first: u8) -> usize {
    let is_single = if charset == encoding_rs::UTF_16BE {
        false
    } else if charset == encoding_rs::SHIFT_JIS {
        first < 0x81 || (0xA0..0xE0).contains(&first)
    } else {
        first < 0x81
    };
    if is_single { 1 } else { 2 }
}
