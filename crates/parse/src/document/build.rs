//! Gathers what a reader finds into a [`Document`], within its limits.

use std::ops::Range;

use base::limits::{ANCHOR_BYTES, URL_BYTES, cut};
use base::{Block, Hidden, HiddenReason, Oddity, Span, Timestamp, Zone};

use super::{Document, DocumentLink, Limits, when};
use crate::clean::{self, Folded};

/// Text kept of one property.
const PROPERTY_BYTES: usize = 4_096;
/// Hidden text kept as a sample.
const HIDDEN_BYTES: usize = 1_024;
/// Longest block: a text without paragraphs is ended at the next word.
const BLOCK_BYTES: usize = 64 * 1024;

/// A document in the making.
pub(super) struct Builder<'a> {
    pub(super) limits: &'a Limits,
    document: Document,
    open: Folded,
    zone: Zone,
    /// Zone of blocks that say nothing of themselves.
    usual: Zone,
    taken: usize,
    pages: usize,
    links: Vec<OpenLink>,
    placed: Vec<Placed>,
    waiting: Vec<Waiting>,
    hidden: Vec<(HiddenReason, Folded)>,
}

/// A block that goes on behind an aside.
struct Waiting {
    open: Folded,
    zone: Zone,
    usual: Zone,
    links: Vec<OpenLink>,
    placed: Vec<Placed>,
}

/// A link among the document's links, and the bytes of the open block that are its anchor.
type Placed = (usize, Range<usize>);

struct OpenLink {
    /// Place among the document's links; `None` past the limit.
    place: Option<usize>,
    anchor: Folded,
    /// Bytes of the open block that its words take.
    range: Option<Range<usize>>,
}

impl<'a> Builder<'a> {
    pub(super) fn new(limits: &'a Limits) -> Self {
        Self {
            limits,
            document: Document::default(),
            open: Folded::default(),
            zone: Zone::Body,
            usual: Zone::Body,
            taken: 0,
            pages: 0,
            links: Vec::new(),
            placed: Vec::new(),
            waiting: Vec::new(),
            hidden: Vec::new(),
        }
    }

    /// Appends text to the open block.
    pub(super) fn text(&mut self, piece: &str) {
        if self.is_full() {
            return;
        }
        let left = self.limits.text_bytes.saturating_sub(self.taken + self.open.len());
        // White space folds to less, so a little more than what is left may be looked at.
        let piece = cut(piece, (4 * left).max(16));
        let range = self.open.push(piece);
        for link in &mut self.links {
            if let Some(range) = &range {
                link.range.get_or_insert_with(|| range.clone()).end = range.end;
            }
            if link.anchor.len() < ANCHOR_BYTES {
                link.anchor.push(cut(piece, 4 * ANCHOR_BYTES));
            }
        }
        if self.open.len() >= BLOCK_BYTES {
            let zone = self.zone;
            self.end_block();
            self.zone = zone;
        }
    }

    /// Notes a border between words.
    pub(super) fn space(&mut self) {
        self.open.space();
        for link in &mut self.links {
            link.anchor.space();
        }
    }

    /// Says what the open block is.
    pub(super) fn zone(&mut self, zone: Zone) {
        self.zone = zone;
    }

    /// Says what the blocks from here on are unless they say it themselves.
    pub(super) fn usual_zone(&mut self, zone: Zone) {
        self.end_block();
        self.usual = zone;
        self.zone = zone;
    }

    /// Ends the open block; the next one is ordinary text again.
    pub(super) fn end_block(&mut self) {
        let zone = std::mem::replace(&mut self.zone, self.usual);
        for link in &mut self.links {
            link.anchor.space();
            self.placed.extend(link.place.zip(link.range.take()));
        }
        let placed = std::mem::take(&mut self.placed);
        if self.open.is_empty() {
            return;
        }
        let mut text = self.open.take();
        let left = self.limits.text_bytes.saturating_sub(self.taken);
        if text.len() > left || self.document.blocks.len() >= self.limits.blocks {
            text.truncate(text.floor_char_boundary(left));
            text.truncate(text.trim_end().len());
            self.odd(Oddity::DocumentCut);
        }
        if !text.is_empty() && self.document.blocks.len() < self.limits.blocks {
            self.taken += text.len();
            let number = self.document.blocks.len();
            for (link, range) in placed {
                let link = &mut self.document.links[link];
                link.span = link.span.or_else(|| span(number, &range, text.len()));
            }
            self.document.blocks.push(Block { zone, text });
        }
    }

    /// Adds a block of its own; the open one goes on behind it.
    pub(super) fn block(&mut self, zone: Zone, text: &str) {
        self.begin_aside(zone);
        self.text(text);
        self.end_aside();
    }

    /// Begins something that interrupts the open block: a note, a text box, a frame.
    pub(super) fn begin_aside(&mut self, zone: Zone) {
        self.waiting.push(Waiting {
            open: std::mem::take(&mut self.open),
            zone: std::mem::replace(&mut self.zone, zone),
            usual: std::mem::replace(&mut self.usual, zone),
            links: std::mem::take(&mut self.links),
            placed: std::mem::take(&mut self.placed),
        });
    }

    /// Ends the aside begun last; the block that it interrupted goes on.
    pub(super) fn end_aside(&mut self) {
        self.close_links();
        self.end_block();
        let Some(waiting) = self.waiting.pop() else { return };
        self.open = waiting.open;
        self.zone = waiting.zone;
        self.usual = waiting.usual;
        self.links = waiting.links;
        self.placed = waiting.placed;
    }

    fn close_links(&mut self) {
        while !self.links.is_empty() {
            self.close_link();
        }
    }

    /// Returns whether nothing more is taken.
    pub(super) fn is_full(&self) -> bool {
        self.taken + self.open.len() >= self.limits.text_bytes
            || self.document.blocks.len() >= self.limits.blocks
    }

    /// Begins a page, slide, sheet or chapter; `false` if there are too many.
    pub(super) fn page(&mut self) -> bool {
        self.end_block();
        if self.pages >= self.limits.pages || self.is_full() {
            self.odd(Oddity::DocumentCut);
            return false;
        }
        self.pages += 1;
        true
    }

    /// Opens a link; the text from here on is its anchor.
    pub(super) fn open_link(&mut self, href: &str) {
        let place = self.push_link(href, String::new());
        self.links.push(OpenLink { place, anchor: Folded::default(), range: None });
    }

    /// Closes the link opened last.
    pub(super) fn close_link(&mut self) {
        let Some(mut link) = self.links.pop() else { return };
        self.placed.extend(link.place.zip(link.range));
        if let Some(place) = link.place {
            self.document.links[place].anchor =
                cut(&link.anchor.take(), ANCHOR_BYTES).trim_end().to_owned();
        }
    }

    /// Adds a link whose anchor is known.
    pub(super) fn link(&mut self, href: &str, anchor: &str) {
        self.push_link(href, clean::folded(anchor, ANCHOR_BYTES));
    }

    fn push_link(&mut self, href: &str, anchor: String) -> Option<usize> {
        let href = href.trim();
        let head = href.get(..8).unwrap_or(href).to_ascii_lowercase();
        // A document stands alone: only whole addresses lead anywhere from it.
        let is_web = head.starts_with("http://") || head.starts_with("https://");
        if !is_web || href.len() > 4 * URL_BYTES || self.document.links.len() >= self.limits.links {
            return None;
        }
        self.document.links.push(DocumentLink { href: href.to_owned(), anchor, span: None });
        Some(self.document.links.len() - 1)
    }

    /// Takes text that readers do not see.
    pub(super) fn hide(&mut self, reason: HiddenReason, text: &str) {
        let place = self.hidden.iter().position(|(known, _)| *known == reason);
        let place = place.unwrap_or_else(|| {
            self.hidden.push((reason, Folded::default()));
            self.hidden.len() - 1
        });
        let sample = &mut self.hidden[place].1;
        if sample.len() < HIDDEN_BYTES {
            sample.push(cut(text, HIDDEN_BYTES));
        }
    }

    pub(super) fn odd(&mut self, oddity: Oddity) {
        if !self.document.oddities.contains(&oddity) {
            self.document.oddities.push(oddity);
        }
    }

    pub(super) fn title(&mut self, text: &str) {
        property(&mut self.document.title, text);
    }

    pub(super) fn author(&mut self, text: &str) {
        property(&mut self.document.author, text);
    }

    pub(super) fn description(&mut self, text: &str) {
        property(&mut self.document.description, text);
    }

    pub(super) fn language(&mut self, tag: &str) {
        let is_tag = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
        let tag = tag.trim();
        if self.document.language.is_none()
            && (2..=35).contains(&tag.len())
            && tag.bytes().all(is_tag)
        {
            self.document.language = Some(tag.to_owned());
        }
    }

    pub(super) fn created(&mut self, date: &str) {
        let date = when::parse(date);
        self.document.created = self.document.created.or(date);
    }

    pub(super) fn modified(&mut self, date: &str) {
        let date = when::parse(date);
        self.document.modified = self.document.modified.or(date);
    }

    /// Sets the dates from counted time.
    pub(super) fn dates(&mut self, created: Option<Timestamp>, modified: Option<Timestamp>) {
        self.document.created = self.document.created.or(created);
        self.document.modified = self.document.modified.or(modified);
    }

    /// Returns how many bytes of text there are.
    pub(super) fn num_bytes(&self) -> usize {
        self.taken + self.open.len()
    }

    pub(super) fn finish(mut self) -> Document {
        while !self.waiting.is_empty() {
            self.end_aside();
        }
        self.close_links();
        self.end_block();
        if self.is_full() {
            self.odd(Oddity::DocumentCut);
        }
        let is_silent = self.document.blocks.is_empty();
        let is_explained = [Oddity::Encrypted, Oddity::Unreadable]
            .iter()
            .any(|oddity| self.document.oddities.contains(oddity));
        if is_silent && !is_explained {
            self.odd(Oddity::NoText);
        }
        for (reason, mut sample) in self.hidden {
            let text = sample.take();
            if !text.is_empty() {
                let text = cut(&text, HIDDEN_BYTES).trim_end().to_owned();
                self.document.hidden.push(Hidden { reason, text });
            }
        }
        self.document
    }
}

/// Returns a run of a block, unless the block was cut before its end.
fn span(block: usize, range: &Range<usize>, most: usize) -> Option<Span> {
    let block = u32::try_from(block).ok()?;
    let start = u32::try_from(range.start).ok()?;
    let end = u32::try_from(range.end).ok().filter(|_| range.end <= most)?;
    Some(Span { block, start, end })
}

/// Sets a property that is not set yet.
fn property(property: &mut String, text: &str) {
    if property.is_empty() {
        *property = clean::folded(text, PROPERTY_BYTES);
        property.truncate(property.trim_end().len());
    }
}
