//! What control words mean.

use base::Zone;
use encoding_rs::Encoding;

use super::{Date, FONTS, Rtf, State, Target};

impl Rtf<'_, '_> {
    /// Applies a control word with its number.
    pub(super) fn apply(&mut self, word: &[u8], number: Option<i32>) {
        if self.destination(word) {
            return;
        }
        match word {
            b"u" => self.unicode(number.unwrap_or(0)),
            b"uc" => self.state.repeats = usize::try_from(number.unwrap_or(1)).unwrap_or(1).min(16),
            b"bin" => {
                let bytes = usize::try_from(number.unwrap_or(0)).unwrap_or(0);
                self.place = self.place.saturating_add(bytes).min(self.bytes.len());
            }
            b"par" | b"sect" | b"page" | b"row" | b"cell" | b"nestcell" | b"nestrow" => {
                self.skip = 0;
                self.paragraph();
            }
            b"line" | b"tab" | b"emspace" | b"enspace" | b"qmspace" => self.space(),
            b"emdash" | b"endash" | b"bullet" | b"lquote" | b"rquote" | b"ldblquote"
            | b"rdblquote" => self.sign(word),
            b"pard" => {
                self.flush();
                self.state.is_heading = false;
            }
            b"plain" => {
                self.flush();
                self.state.is_hidden = false;
            }
            b"v" => {
                self.flush();
                self.state.is_hidden = number != Some(0);
            }
            // Levels are 0 to 8; 9 is body text.
            b"outlinelevel" => self.state.is_heading = number.is_some_and(|level| level < 9),
            b"ansicpg" => {
                if let Some(encoding) = number.and_then(codepage) {
                    self.charset = encoding;
                }
            }
            b"mac" => self.charset = encoding_rs::MACINTOSH,
            b"f" => self.font(number.unwrap_or(0)),
            b"fcharset" if self.state.target == Target::FontTable => {
                if self.fonts.len() < FONTS
                    && let Some(encoding) = number.and_then(charset)
                {
                    self.fonts.insert(self.font_name, encoding);
                }
            }
            b"yr" => self.date.0[0] = number.unwrap_or(0),
            b"mo" => self.date.0[1] = number.unwrap_or(0),
            b"dy" => self.date.0[2] = number.unwrap_or(0),
            b"hr" => self.date.0[3] = number.unwrap_or(0),
            b"min" => self.date.0[4] = number.unwrap_or(0),
            _ => {}
        }
    }

    fn font(&mut self, number: i32) {
        self.flush();
        if self.state.target == Target::FontTable {
            self.font_name = number;
        } else {
            self.state.font = number;
        }
    }

    fn sign(&mut self, word: &[u8]) {
        let sign = match word {
            b"emdash" => "\u{2014}",
            b"endash" => "\u{2013}",
            b"bullet" => "\u{2022}",
            b"lquote" => "\u{2018}",
            b"rquote" => "\u{2019}",
            b"ldblquote" => "\u{201C}",
            _ => "\u{201D}",
        };
        self.flush();
        if self.state.target != Target::Skip {
            self.text(sign);
        }
    }

    /// Turns to another destination, if the word is one.
    fn destination(&mut self, word: &[u8]) -> bool {
        let target = match word {
            b"fonttbl" => Target::FontTable,
            b"info" => Target::Info,
            b"title" if self.state.target == Target::Info => Target::Title,
            b"author" if self.state.target == Target::Info => Target::Author,
            b"subject" if self.state.target == Target::Info => Target::Subject,
            b"creatim" if self.state.target == Target::Info => Target::Created,
            b"revtim" if self.state.target == Target::Info => Target::Modified,
            b"fldinst" if self.is_read() => Target::Instruction,
            b"header" | b"headerl" | b"headerr" | b"headerf" | b"footer" | b"footerl"
            | b"footerr" | b"footerf"
                if self.is_read() =>
            {
                Target::Aside(Zone::Boilerplate)
            }
            b"footnote" if self.is_read() => Target::Aside(Zone::Body),
            b"annotation" if self.is_read() => Target::Aside(Zone::Folded),
            word if NOT_READ.contains(&word) => Target::Skip,
            _ => return false,
        };
        self.flush();
        // What is not read has nothing in it that is.
        if self.state.target != Target::Skip {
            if let Target::Aside(zone) = target {
                self.builder.begin_aside(zone);
            }
            self.state = State { target, ..self.state };
            self.date = Date::default();
        }
        true
    }

    fn is_read(&self) -> bool {
        matches!(self.state.target, Target::Body | Target::Aside(_) | Target::Instruction)
    }
}

/// Destinations that hold nothing for readers.
#[rustfmt::skip]
const NOT_READ: [&[u8]; 34] = [
    b"colortbl", b"stylesheet", b"pict", b"object", b"objdata", b"themedata", b"datastore",
    b"listtable", b"listoverridetable", b"rsidtbl", b"generator", b"latentstyles",
    b"colorschememapping", b"fontemb", b"fontfile", b"xmlnstbl", b"listtext", b"pntext", b"sp",
    b"nonshppict", b"bkmkstart", b"bkmkend", b"filetbl", b"revtbl", b"operator", b"keywords",
    b"company", b"doccomm", b"atnid", b"atnauthor", b"falt", b"panose", b"upr", b"deltamc",
];

/// Returns the encoding of a Windows code page.
pub(in super::super) fn codepage(number: i32) -> Option<&'static Encoding> {
    Some(match number {
        874 => encoding_rs::WINDOWS_874,
        932 => encoding_rs::SHIFT_JIS,
        936 => encoding_rs::GBK,
        949 => encoding_rs::EUC_KR,
        950 => encoding_rs::BIG5,
        866 => encoding_rs::IBM866,
        1250 => encoding_rs::WINDOWS_1250,
        1251 => encoding_rs::WINDOWS_1251,
        1252 => encoding_rs::WINDOWS_1252,
        1253 => encoding_rs::WINDOWS_1253,
        1254 => encoding_rs::WINDOWS_1254,
        1255 => encoding_rs::WINDOWS_1255,
        1256 => encoding_rs::WINDOWS_1256,
        1257 => encoding_rs::WINDOWS_1257,
        1258 => encoding_rs::WINDOWS_1258,
        10000 => encoding_rs::MACINTOSH,
        20866 => encoding_rs::KOI8_R,
        65001 => encoding_rs::UTF_8,
        _ => return None,
    })
}

/// Returns the encoding of a font's character set; `None` for the document's.
fn charset(number: i32) -> Option<&'static Encoding> {
    codepage(match number {
        0 => 1252,
        77 => 10000,
        128 => 932,
        129 | 130 => 949,
        134 => 936,
        136 => 950,
        161 => 1253,
        162 => 1254,
        163 => 1258,
        177 => 1255,
        178 => 1256,
        186 => 1257,
        204 => 1251,
        222 => 874,
        238 => 1250,
        _ => return None,
    })
}
