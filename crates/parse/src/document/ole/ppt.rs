//! PowerPoint before 2007: a tree of records; texts in the list of slides and on the slides.
//!
//! ```text
//! record: version and instance: u16 | kind: u16 | length: u32 | data; version 15: records inside
//! ```
//! A file that was saved in haste holds old slides too: a directory says which records are alive.

use std::collections::HashMap;

use base::Zone;

use super::super::Refusal;
use super::super::build::Builder;
use super::{Compound, latin, u16_at, u32_at, utf16};

const DOCUMENT: u16 = 1000;
const SLIDE: u16 = 1006;
const NOTES: u16 = 1008;
const SLIDE_PERSIST: u16 = 1011;
const MASTER: u16 = 1016;
const TEXT_HEADER: u16 = 3999;
const TEXT_CHARS: u16 = 4000;
const TEXT_BYTES: u16 = 4008;
const TEXT: u16 = 4026;
const SLIDE_LIST: u16 = 4080;
const USER_EDIT: u16 = 4085;
const DIRECTORY: u16 = 6002;
/// Saves of one file followed back.
const EDITS: usize = 1_000;

/// Reads a presentation.
pub(super) fn read(file: &Compound<'_>, builder: &mut Builder<'_>) -> Result<(), Refusal> {
    let stream = file.stream("PowerPoint Document").ok_or(Refusal::Unreadable)?;
    let user = file.stream("Current User").unwrap_or_default();
    // The mark of an encrypted file, where an open one has 0xE391C05F.
    if u32_at(&user, 12) == Some(0xF3D1_C4DF) {
        return Err(Refusal::Encrypted);
    }
    let alive = u32_at(&user, 16).map(|edit| directory(&stream, edit)).unwrap_or_default();
    let mut slides = Slides { stream: &stream, alive: &alive, builder, zone: Zone::Body };
    if slides.list() {
        return Ok(());
    }
    // No list that could be followed: everything there is, in the order of the file.
    slides.texts(0, stream.len());
    slides.builder.end_block();
    Ok(())
}

/// Returns the places of living records by their numbers.
fn directory(stream: &[u8], edit: u32) -> HashMap<u32, usize> {
    let mut alive = HashMap::new();
    let mut edit = edit as usize;
    for _ in 0..EDITS {
        let Some(record) = Record::at(stream, edit).filter(|record| record.kind == USER_EDIT)
        else {
            break;
        };
        let field = |place| u32_at(stream, record.data + place).unwrap_or(0) as usize;
        let table = Record::at(stream, field(12)).filter(|table| table.kind == DIRECTORY);
        if let Some(table) = table {
            let mut place = table.data;
            while place + 4 <= table.end
                && let Some(head) = u32_at(stream, place)
            {
                place += 4;
                for i in 0..head >> 20 {
                    let Some(offset) = u32_at(stream, place).filter(|_| place < table.end) else {
                        break;
                    };
                    alive.entry((head & 0x000F_FFFF) + i).or_insert(offset as usize);
                    place += 4;
                }
            }
        }
        let before = field(8);
        if before == 0 || before >= edit {
            break;
        }
        edit = before;
    }
    alive
}

struct Record {
    is_container: bool,
    instance: u16,
    kind: u16,
    data: usize,
    end: usize,
}

impl Record {
    fn at(stream: &[u8], place: usize) -> Option<Self> {
        let head = u16_at(stream, place)?;
        let data = place + 8;
        let length = u32_at(stream, place + 4)? as usize;
        Some(Self {
            is_container: head & 15 == 15,
            instance: head >> 4,
            kind: u16_at(stream, place + 2)?,
            data,
            end: data.saturating_add(length).min(stream.len()),
        })
    }
}

struct Slides<'a, 'b> {
    stream: &'a [u8],
    alive: &'a HashMap<u32, usize>,
    builder: &'a mut Builder<'b>,
    /// What the next text is.
    zone: Zone,
}

impl Slides<'_, '_> {
    /// Reads the slides that living documents list; `false` if none is listed.
    fn list(&mut self) -> bool {
        let mut places: Vec<usize> = self.alive.values().copied().collect();
        places.sort_unstable();
        let mut is_listed = false;
        let masters = self.masters(&places);
        let mut notes = Vec::new();
        for place in places {
            let Some(record) = Record::at(self.stream, place) else { continue };
            match record.kind {
                DOCUMENT => is_listed |= self.document(&record),
                NOTES if !masters.contains(&place) => notes.push(record),
                _ => {}
            }
        }
        for record in notes {
            self.texts(record.data, record.end);
            self.builder.end_block();
        }
        is_listed
    }

    /// Returns the places of masters that look like notes: their text is "click to edit".
    fn masters(&self, places: &[usize]) -> Vec<usize> {
        let mut masters = Vec::new();
        for place in places {
            let document = Record::at(self.stream, *place).filter(|record| record.kind == DOCUMENT);
            // The document's own properties come first in it: sizes, then the two masters.
            let atom = document.and_then(|document| Record::at(self.stream, document.data));
            let number = atom.and_then(|atom| u32_at(self.stream, atom.data + 24));
            masters.extend(number.and_then(|number| self.alive.get(&number)));
        }
        masters
    }

    /// Reads the list of slides in a document.
    fn document(&mut self, document: &Record) -> bool {
        let mut is_listed = false;
        let mut place = document.data;
        while let Some(record) = Record::at(self.stream, place)
            && place < document.end
        {
            // 0 lists the slides, 1 the masters, 2 the notes.
            if record.kind == SLIDE_LIST && record.instance == 0 {
                is_listed = true;
                self.slides(&record);
            }
            place = record.end.max(place + 8);
        }
        is_listed
    }

    fn slides(&mut self, list: &Record) {
        let mut place = list.data;
        let mut slide = None;
        while let Some(record) = Record::at(self.stream, place)
            && place < list.end
        {
            if record.kind == SLIDE_PERSIST {
                self.slide(slide.take());
                if !self.builder.page() {
                    return;
                }
                slide = u32_at(self.stream, record.data);
            } else {
                self.text(&record);
            }
            place = record.end.max(place + 8);
        }
        self.slide(slide);
    }

    /// Reads the texts that stand on the slide itself.
    fn slide(&mut self, number: Option<u32>) {
        let place = number.and_then(|number| self.alive.get(&number));
        let Some(record) = place.and_then(|place| Record::at(self.stream, *place)) else { return };
        if record.kind == SLIDE {
            self.texts(record.data, record.end);
        }
    }

    /// Reads all texts between two places, masters apart.
    fn texts(&mut self, from: usize, to: usize) {
        let mut place = from;
        while let Some(record) = Record::at(self.stream, place)
            && place < to
            && !self.builder.is_full()
        {
            if record.is_container && record.kind != MASTER {
                // Into it: what it holds follows its head.
                place = record.data;
                continue;
            }
            self.text(&record);
            place = record.end.max(place + 8);
        }
    }

    fn text(&mut self, record: &Record) {
        let Some(data) = self.stream.get(record.data..record.end) else { return };
        let text = match record.kind {
            TEXT_HEADER => {
                let is_title = matches!(u32_at(data, 0), Some(0 | 6));
                self.zone = if is_title { Zone::Heading } else { Zone::Body };
                return;
            }
            TEXT_CHARS => utf16(data),
            TEXT_BYTES => latin(data),
            // Addresses of hyperlinks are strings of instance 1 and 3 in their own container.
            TEXT if record.instance == 1 => {
                self.builder.link(&utf16(data), "");
                return;
            }
            _ => return,
        };
        for paragraph in text.split(['\r', '\u{B}']) {
            self.builder.block(self.zone, paragraph);
        }
        self.zone = Zone::Body;
    }
}
