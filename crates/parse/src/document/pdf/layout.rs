//! From runs of characters at places to lines, paragraphs and headings.
//!
//! Runs are taken in the order in which they are drawn, which nearly always is the order of
//! reading, columns included. A run goes on where the one before ended, or after a gap (a
//! space), or in the next line (a space, or nothing behind a hyphen), or elsewhere (another
//! paragraph). All of it is measured along the direction of the writing, so turned pages read
//! like others.

use base::{HiddenReason, Zone};

use super::super::build::Builder;
use super::link::Mark;

/// Gap that is a space, in ems: the narrowest space of a font has a quarter, kerning a tenth.
const SPACE: f32 = 0.17;
/// Distance of lines that are one paragraph, in ems.
const LINE: f32 = 1.75;
/// How much larger than ordinary text a heading is.
const HEADING: f32 = 1.18;
/// Longest heading, in bytes.
const HEADING_BYTES: usize = 200;

/// A run as it stands on the page.
pub(super) struct Run<'a> {
    pub(super) text: &'a str,
    /// Where it begins.
    pub(super) x: f32,
    pub(super) y: f32,
    /// Unit vector of the direction of writing.
    pub(super) along: (f32, f32),
    /// How far it goes along.
    pub(super) length: f32,
    /// Height of an em.
    pub(super) size: f32,
}

/// Text of the document so far.
#[derive(Default)]
pub(super) struct Layout {
    blocks: Vec<Piece>,
    open: String,
    size: f32,
    last: Option<Last>,
    bytes: usize,
    /// Bytes of the open paragraph that lie under links, in order.
    marks: Vec<Mark>,
    links: Vec<Link>,
    asides: Vec<(Zone, String)>,
    hidden: Vec<(HiddenReason, String)>,
}

enum Piece {
    /// A paragraph, the size of its letters, and which of them lie under links.
    Text(String, f32, Vec<Mark>),
    Aside(Zone, String),
}

/// A link of the document.
struct Link {
    href: String,
    /// What the document says of it, for those who do not see it.
    said: String,
    /// Whether it was handed over with the words under it.
    is_taken: bool,
}

/// Where the last run ended.
struct Last {
    x: f32,
    y: f32,
    along: (f32, f32),
    size: f32,
}

impl Layout {
    /// Adds a run, of which some letters may lie under links.
    pub(super) fn run(&mut self, run: &Run<'_>, marks: &[Mark]) {
        self.join(run);
        let start = self.open.len();
        self.open.push_str(run.text);
        for Mark { link, range } in marks {
            let range = start + range.start..start + range.end;
            match self.marks.last_mut() {
                Some(last) if last.link == *link => last.range.end = range.end,
                // Two links over the same words: the first has them.
                Some(last) if last.range.end > range.start => {}
                _ => self.marks.push(Mark { link: *link, range }),
            }
        }
        self.bytes += run.text.len();
        self.size = self.size.max(run.size);
        self.last = Some(Last {
            x: run.x + run.along.0 * run.length,
            y: run.y + run.along.1 * run.length,
            along: run.along,
            size: run.size,
        });
    }

    /// Puts between two runs what their places say.
    fn join(&mut self, run: &Run<'_>) {
        let Some(last) = &self.last else { return };
        let size = run.size.max(last.size).max(0.01);
        let (dx, dy) = (run.x - last.x, run.y - last.y);
        let along = dx * run.along.0 + dy * run.along.1;
        let across = dy * run.along.0 - dx * run.along.1;
        let is_turned = run.along.0 * last.along.0 + run.along.1 * last.along.1 < 0.9;
        if is_turned {
            return self.end_block();
        }
        if across.abs() < 0.5 * size {
            // Letters set back are accents and kerning; a step back is another column.
            if along > 4.0 * size || along < -4.0 * size {
                self.open.push_str("  ");
            } else if !(-0.5 * size..=SPACE * size).contains(&along) {
                self.space();
            }
            return;
        }
        let is_near = across < 0.0 && -across < LINE * size;
        let is_alike = (run.size - last.size).abs() < 0.12 * size;
        if is_near && is_alike {
            self.line(run.text);
        } else {
            self.end_block();
        }
    }

    fn space(&mut self) {
        if !self.open.ends_with(' ') {
            self.open.push(' ');
        }
    }

    /// A line ends inside of a paragraph. Behind a hyphen it is one word in two parts; words
    /// that have a hyphen of their own lose it, which happens less often.
    fn line(&mut self, next: &str) {
        let trimmed = self.open.trim_end();
        let length = trimmed.len();
        let before = trimmed.strip_suffix(['-', '\u{AD}']);
        let is_word = |text: &str| text.chars().next_back().is_some_and(char::is_lowercase);
        match before.filter(|before| is_word(before)).map(str::len) {
            Some(before) if next.starts_with(char::is_lowercase) => self.open.truncate(before),
            // `Stress-` and `Engineered`: a hyphen, but no space.
            Some(_) => self.open.truncate(length),
            None => self.space(),
        }
        let length = self.open.len();
        if let Some(last) = self.marks.last_mut() {
            last.range.end = last.range.end.min(length);
        }
    }

    /// Takes a link; returns its number, or `None` if there are too many.
    pub(super) fn link(&mut self, href: String, said: String, most: usize) -> Option<usize> {
        if self.links.len() >= most {
            return None;
        }
        self.links.push(Link { href, said, is_taken: false });
        Some(self.links.len() - 1)
    }

    /// Ends the open paragraph.
    pub(super) fn end_block(&mut self) {
        self.last = None;
        let size = std::mem::take(&mut self.size);
        let text = std::mem::take(&mut self.open);
        let marks = std::mem::take(&mut self.marks);
        if !text.trim().is_empty() {
            self.blocks.push(Piece::Text(text, size, marks));
        }
    }

    /// Ends a page.
    pub(super) fn end_page(&mut self) {
        self.end_block();
        for (zone, text) in std::mem::take(&mut self.asides) {
            self.blocks.push(Piece::Aside(zone, text));
        }
    }

    /// Adds a text that stands beside the page.
    pub(super) fn aside(&mut self, zone: Zone, text: &str) {
        if !text.trim().is_empty() {
            self.bytes += text.len();
            self.asides.push((zone, text.to_owned()));
        }
    }

    /// Takes text that readers do not see.
    pub(super) fn hide(&mut self, reason: HiddenReason, text: &str) {
        match self.hidden.iter_mut().find(|(known, _)| *known == reason) {
            Some((_, sample)) if sample.len() < 4_096 => sample.push_str(text),
            Some(_) => {}
            None => self.hidden.push((reason, text.to_owned())),
        }
    }

    pub(super) fn num_bytes(&self) -> usize {
        self.bytes
    }

    /// Hands everything over; larger letters than usual are headings.
    pub(super) fn finish(mut self, builder: &mut Builder<'_>) {
        self.end_page();
        let usual = self.usual_size();
        for piece in &self.blocks {
            match piece {
                Piece::Text(text, size, marks) => {
                    let is_heading = *size > HEADING * usual && text.len() <= HEADING_BYTES;
                    let zone = if is_heading { Zone::Heading } else { Zone::Body };
                    builder.begin_aside(zone);
                    write(text, marks, &mut self.links, builder);
                    builder.end_aside();
                }
                Piece::Aside(zone, text) => builder.block(*zone, text),
            }
        }
        for link in self.links.iter().filter(|link| !link.is_taken) {
            builder.link(&link.href, &link.said);
        }
        for (reason, text) in self.hidden {
            builder.hide(reason, &text);
        }
    }

    /// Returns the size in which half of the text is set, or smaller.
    fn usual_size(&self) -> f32 {
        let mut sizes: Vec<(f32, usize)> = self
            .blocks
            .iter()
            .filter_map(|piece| match piece {
                Piece::Text(text, size, _) => Some((*size, text.len())),
                Piece::Aside(..) => None,
            })
            .collect();
        sizes.sort_by(|one, other| one.0.total_cmp(&other.0));
        let total: usize = sizes.iter().map(|(_, length)| length).sum();
        let mut passed = 0;
        for (size, length) in sizes {
            passed += length;
            if 2 * passed >= total {
                return size;
            }
        }
        f32::MAX
    }
}

/// Writes a paragraph with its links.
fn write(text: &str, marks: &[Mark], links: &mut [Link], builder: &mut Builder<'_>) {
    let mut from = 0;
    for Mark { link, range } in marks {
        let (start, end) =
            (text.floor_char_boundary(range.start), text.ceil_char_boundary(range.end));
        let (Some(before), Some(words)) = (text.get(from..start), text.get(start..end)) else {
            continue;
        };
        builder.text(before);
        let link = &mut links[*link];
        if link.is_taken || words.trim().is_empty() {
            builder.text(words);
        } else {
            link.is_taken = true;
            builder.open_link(&link.href);
            builder.text(words);
            builder.close_link();
        }
        from = end;
    }
    builder.text(text.get(from..).unwrap_or_default());
}
