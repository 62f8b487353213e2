//! Rich Text Format: groups in braces, words behind backslashes, text between them.
//!
//! ```text
//! {\rtf1\ansi\ansicpg1252 {\fonttbl…}{\info{\title …}} {\pard\outlinelevel0 Heading\par} Text \'e4 \u8364?\par}
//! ```
//! One pass, one stack of groups. A byte above 127 means what the character set of the font
//! says, or of the document where the font says nothing.

mod words;

pub(super) use self::words::codepage;

use std::collections::HashMap;

use base::{HiddenReason, Oddity, Zone};
use encoding_rs::Encoding;

use super::Refusal;
use super::build::Builder;
use super::ooxml::hyperlink;

/// Open groups; deeper ones end the reading.
const DEPTH: usize = 10_000;
/// Fonts kept.
const FONTS: usize = 10_000;
/// Text gathered of one property or field instruction.
const GATHERED_BYTES: usize = 16 * 1024;

/// Reads a text.
pub(super) fn read(bytes: &[u8], builder: &mut Builder<'_>) -> Result<(), Refusal> {
    let start = bytes.windows(5).take(1_024).position(|window| window == b"{\\rtf");
    let bytes = &bytes[start.ok_or(Refusal::Unreadable)?..];
    let mut rtf = Rtf {
        bytes,
        place: 0,
        builder,
        state: State::new(),
        groups: Vec::new(),
        charset: encoding_rs::WINDOWS_1252,
        fonts: HashMap::new(),
        pending: Vec::new(),
        gathered: String::new(),
        skip: 0,
        high: None,
        date: Date::default(),
        font_name: 0,
    };
    rtf.run();
    rtf.flush();
    Ok(())
}

/// What text in a group is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Target {
    /// The text itself.
    Body,
    /// A header, footer or note: its zone.
    Aside(Zone),
    /// Not for readers.
    Skip,
    FontTable,
    /// The properties; what in them is not known is nothing.
    Info,
    Title,
    Author,
    Subject,
    Created,
    Modified,
    /// The instruction of a field.
    Instruction,
}

#[derive(Clone, Copy)]
struct State {
    target: Target,
    font: i32,
    is_hidden: bool,
    is_heading: bool,
    /// Bytes behind `\u` that repeat it for old programs.
    repeats: usize,
    /// Whether the group opened a link, to be closed with it.
    opened_link: bool,
}

impl State {
    fn new() -> Self {
        Self {
            target: Target::Body,
            font: -1,
            is_hidden: false,
            is_heading: false,
            repeats: 1,
            opened_link: false,
        }
    }
}

/// A date in the making: year, month, day, hour, minute.
#[derive(Clone, Copy, Default)]
struct Date([i32; 5]);

struct Rtf<'a, 'b> {
    bytes: &'a [u8],
    place: usize,
    builder: &'a mut Builder<'b>,
    state: State,
    groups: Vec<State>,
    charset: &'static Encoding,
    fonts: HashMap<i32, &'static Encoding>,
    /// Bytes of text not decoded yet: characters may have two.
    pending: Vec<u8>,
    gathered: String,
    /// Characters still to be passed over behind `\u`.
    skip: usize,
    /// First half of a character outside of the basic plane.
    high: Option<u16>,
    date: Date,
    font_name: i32,
}

impl Rtf<'_, '_> {
    fn run(&mut self) {
        while let Some(&byte) = self.bytes.get(self.place) {
            self.place += 1;
            match byte {
                b'{' => {
                    self.flush();
                    self.skip = 0;
                    if self.groups.len() >= DEPTH {
                        self.builder.odd(Oddity::DocumentCut);
                        return;
                    }
                    self.groups.push(self.state);
                    self.state.opened_link = false;
                }
                b'}' => {
                    self.flush();
                    self.skip = 0;
                    self.close();
                    if self.groups.is_empty() {
                        return;
                    }
                }
                b'\\' => self.control(),
                b'\r' | b'\n' => {}
                byte => self.byte(byte),
            }
            if self.builder.is_full() {
                return;
            }
        }
    }

    /// Takes one byte of text.
    fn byte(&mut self, byte: u8) {
        if self.skip > 0 {
            self.skip -= 1;
        } else if self.state.target != Target::Skip {
            self.pending.push(byte);
            if self.pending.len() > 4_096 && byte.is_ascii() {
                self.flush();
            }
        }
    }

    /// Decodes what is pending in the character set of the font.
    fn flush(&mut self) {
        self.high = None;
        if self.pending.is_empty() {
            return;
        }
        let charset = self.fonts.get(&self.state.font).copied().unwrap_or(self.charset);
        let pending = std::mem::take(&mut self.pending);
        let text = charset.decode_without_bom_handling(&pending).0;
        self.text(&text);
    }

    fn text(&mut self, text: &str) {
        match self.state.target {
            Target::Body | Target::Aside(_) if self.state.is_hidden => {
                self.builder.hide(HiddenReason::NotShown, text);
            }
            Target::Body | Target::Aside(_) => {
                if self.state.is_heading {
                    self.builder.zone(Zone::Heading);
                } else if let Target::Aside(zone) = self.state.target {
                    self.builder.zone(zone);
                }
                self.builder.text(text);
            }
            Target::Skip | Target::FontTable | Target::Info => {}
            _ if self.gathered.len() < GATHERED_BYTES => self.gathered.push_str(text),
            _ => {}
        }
    }

    /// Reads what a backslash begins.
    fn control(&mut self) {
        let Some(&byte) = self.bytes.get(self.place) else { return };
        if byte.is_ascii_alphabetic() {
            return self.word();
        }
        self.place += 1;
        match byte {
            b'\'' => {
                let hex = self.bytes.get(self.place..self.place + 2);
                let hex = hex.and_then(|hex| std::str::from_utf8(hex).ok());
                if let Some(byte) = hex.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
                    self.place += 2;
                    self.byte(byte);
                }
            }
            b'\\' | b'{' | b'}' => self.byte(byte),
            b'~' => self.byte(b' '),
            b'_' => self.byte(b'-'),
            // A destination that programs need not know; those that we know follow as words.
            b'*' => self.unknown(),
            b'\r' | b'\n' => self.paragraph(),
            _ => {}
        }
    }

    /// Passes over a destination marked with `\*` unless it is one that we read. It marks only
    /// at the beginning of a group; some programs write it elsewhere, and mean nothing.
    fn unknown(&mut self) {
        if !self.bytes[..self.place - 2].trim_ascii_end().ends_with(b"{") {
            return;
        }
        let rest = &self.bytes[self.place..];
        let known: [&[u8]; 4] = [b"\\fldinst", b"\\shptxt", b"\\ud", b"\\shpinst"];
        let is_known = known.iter().any(|word| {
            rest.starts_with(word) && !rest.get(word.len()).is_some_and(u8::is_ascii_alphabetic)
        });
        if !is_known {
            self.flush();
            self.state.target = Target::Skip;
        }
    }

    fn word(&mut self) {
        let rest = &self.bytes[self.place..];
        let letters = rest.iter().take(32).take_while(|byte| byte.is_ascii_alphabetic()).count();
        let mut end = letters;
        if rest.get(end) == Some(&b'-') {
            end += 1;
        }
        end += rest[end..].iter().take(20).take_while(|byte| byte.is_ascii_digit()).count();
        let number = std::str::from_utf8(&rest[letters..end]).unwrap_or_default().parse().ok();
        let end = if rest.get(end) == Some(&b' ') { end + 1 } else { end };
        self.place += end;
        let word = &rest[..letters];
        if self.skip > 0 && !matches!(word, b"u" | b"par") {
            self.skip -= 1;
            return;
        }
        self.apply(word, number);
    }

    fn paragraph(&mut self) {
        self.flush();
        if matches!(self.state.target, Target::Body | Target::Aside(_)) && !self.state.is_hidden {
            self.builder.end_block();
        }
    }

    fn space(&mut self) {
        self.flush();
        match self.state.target {
            Target::Body | Target::Aside(_) => self.builder.space(),
            _ => self.gathered.push(' '),
        }
    }

    /// Takes a character by its number.
    fn unicode(&mut self, number: i32) {
        let unit = number as u16;
        let high = self.high.take();
        let before = std::mem::take(&mut self.pending);
        if !before.is_empty() {
            self.pending = before;
            self.flush();
        }
        self.skip = self.state.repeats;
        if (0xD800..0xDC00).contains(&unit) {
            self.high = Some(unit);
            return;
        }
        let units = [high.unwrap_or(0), unit];
        let units = if high.is_some() { &units[..] } else { &units[1..] };
        let text = String::from_utf16_lossy(units);
        if self.state.target != Target::Skip {
            self.text(&text);
        }
    }

    /// Ends a group.
    fn close(&mut self) {
        let ended = self.state;
        let Some(outer) = self.groups.pop() else { return };
        self.state = outer;
        if ended.opened_link {
            self.builder.close_link();
        }
        if ended.target == outer.target {
            return;
        }
        let gathered = std::mem::take(&mut self.gathered);
        match ended.target {
            Target::Title => self.builder.title(&gathered),
            Target::Author => self.builder.author(&gathered),
            Target::Subject => self.builder.description(&gathered),
            Target::Created => {
                let date = self.date.text();
                self.builder.created(&date);
            }
            Target::Modified => {
                let date = self.date.text();
                self.builder.modified(&date);
            }
            Target::Instruction => {
                // The result follows in a group beside; the link is closed with the field.
                if let Some(target) = hyperlink(&gathered) {
                    self.builder.open_link(&target);
                    self.state.opened_link = true;
                }
            }
            Target::Aside(_) => self.builder.end_aside(),
            _ => {}
        }
    }
}

impl Date {
    fn text(&self) -> String {
        let [year, month, day, hour, minute] = self.0;
        format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:00Z")
    }
}
