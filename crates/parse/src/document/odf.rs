//! OpenDocument: texts, spreadsheets and slides in one vocabulary, in `content.xml`.

use std::ops::ControlFlow;

use base::{Oddity, Zone};

use super::Refusal;
use super::build::Builder;
use super::container::properties;
use super::sheet::Row;
use super::xml::{self, Node, Skipped, Tag};
use super::zip::Zip;

/// Reads a document of any kind.
pub(super) fn read(bytes: &[u8], builder: &mut Builder<'_>) -> Result<(), Refusal> {
    let (entries, unpacked) = (builder.limits.entries, builder.limits.unpacked_bytes);
    let zip = Zip::open(bytes, entries, unpacked).ok_or(Refusal::Unreadable)?;
    let manifest = zip.xml("META-INF/manifest.xml").unwrap_or_default();
    if zip.is_encrypted() || manifest.contains("encryption-data") {
        return Err(Refusal::Encrypted);
    }
    if let Some(xml) = zip.xml("meta.xml") {
        properties(&xml, builder);
    }
    let xml = zip.xml("content.xml").ok_or(Refusal::Unreadable)?;
    walk(&xml, builder);
    // Headers and footers of pages stand with the styles.
    if let Some(xml) = zip.xml("styles.xml") {
        margins(&xml, builder);
    }
    if zip.is_cut() {
        builder.odd(Oddity::DocumentCut);
    }
    Ok(())
}

fn walk(xml: &str, builder: &mut Builder<'_>) {
    let mut content = Content {
        builder,
        skipped: Skipped::default(),
        paragraphs: 0,
        row: None,
        cell: String::new(),
        is_alt: false,
        zones: Vec::new(),
        links: Vec::new(),
    };
    xml::walk(xml, |node| content.node(&node));
    content.builder.usual_zone(Zone::Body);
}

struct Content<'a, 'b> {
    builder: &'a mut Builder<'b>,
    skipped: Skipped,
    /// Open paragraphs; text outside of them is none.
    paragraphs: usize,
    /// The open row of a table of a spreadsheet.
    row: Option<Row>,
    cell: String,
    is_alt: bool,
    /// What the text of each open frame is.
    zones: Vec<Zone>,
    /// Whether each open link was opened.
    links: Vec<bool>,
}

impl Content<'_, '_> {
    fn node(&mut self, node: &Node<'_>) -> ControlFlow<()> {
        if self.skipped.holds(node) {
            return ControlFlow::Continue(());
        }
        match node {
            Node::Open(tag) => return self.open(tag),
            Node::Close(name) => self.close(name),
            Node::Text(text) => self.text(text),
        }
        if self.builder.is_full() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn text(&mut self, text: &str) {
        if self.is_alt {
            self.builder.block(Zone::Alt, text);
        } else if self.paragraphs > 0 && self.row.is_some() {
            if self.cell.len() < 64 * 1024 {
                self.cell.push_str(text);
            }
        } else if self.paragraphs > 0 {
            self.builder.text(text);
        }
    }

    fn space(&mut self) {
        if self.row.is_some() {
            self.cell.push(' ');
        } else {
            self.builder.space();
        }
    }

    fn open(&mut self, tag: &Tag<'_>) -> ControlFlow<()> {
        match tag.name {
            "tracked-changes" | "binary-data" | "ruby-text" | "scripts" | "automatic-styles"
            | "settings" | "forms" | "note-citation" => self.skipped.begin(),
            // Who wrote a note, and when, is not its text.
            "creator" | "date" if self.zones.last() == Some(&Zone::Folded) => self.skipped.begin(),
            "h" => {
                self.paragraph();
                self.builder.zone(Zone::Heading);
            }
            "p" => self.paragraph(),
            "s" | "tab" | "line-break" => self.space(),
            "a" => {
                let target = tag.attribute("href");
                if let Some(target) = &target {
                    self.builder.open_link(target);
                }
                self.links.push(target.is_some());
            }
            "annotation" | "notes" => self.begin(Zone::Folded),
            "note" => self.begin(Zone::Body),
            "frame" | "custom-shape" => {
                let is_title = tag.attribute_of("presentation:class").as_deref() == Some("title");
                let inherited = self.zones.last().copied().unwrap_or(Zone::Body);
                self.begin(if is_title { Zone::Heading } else { inherited });
            }
            "title" | "desc" => self.is_alt = true,
            "page" if !self.builder.page() => return ControlFlow::Break(()),
            // Spreadsheets only: a table of a text is paragraphs in cells.
            "spreadsheet" => self.row = Some(Row::default()),
            "table" if self.row.is_some() => {
                if !self.builder.page() {
                    return ControlFlow::Break(());
                }
                if let Some(name) = tag.attribute("name") {
                    self.builder.block(Zone::Heading, &name);
                }
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }

    fn paragraph(&mut self) {
        self.paragraphs += 1;
        if self.row.is_some() {
            self.cell.push(' ');
        } else {
            self.builder.end_block();
        }
    }

    fn begin(&mut self, zone: Zone) {
        self.zones.push(zone);
        if self.row.is_none() {
            self.builder.begin_aside(zone);
        }
    }

    fn end(&mut self) {
        if self.zones.pop().is_some() && self.row.is_none() {
            self.builder.end_aside();
        }
    }

    fn close(&mut self, name: &str) {
        match name {
            "h" | "p" => {
                self.paragraphs = self.paragraphs.saturating_sub(1);
                if self.row.is_none() {
                    self.builder.end_block();
                }
            }
            "a" if self.links.pop() == Some(true) => self.builder.close_link(),
            "annotation" | "notes" | "note" | "frame" | "custom-shape" => self.end(),
            "title" | "desc" => self.is_alt = false,
            "table-cell" | "covered-table-cell" => {
                if let Some(row) = &mut self.row {
                    row.push(&self.cell);
                    self.cell.clear();
                }
            }
            "table-row" => {
                if let Some(row) = &mut self.row {
                    row.finish(self.builder);
                }
            }
            "spreadsheet" => self.row = None,
            _ => {}
        }
    }
}

/// Reads headers and footers.
fn margins(xml: &str, builder: &mut Builder<'_>) {
    builder.usual_zone(Zone::Boilerplate);
    let (mut margin, mut paragraph) = (0_usize, 0_usize);
    xml::walk(xml, |node| {
        match node {
            Node::Open(tag) => match tag.name {
                "header" | "footer" | "header-left" | "footer-left" => margin += 1,
                "p" | "h" => paragraph += 1,
                "s" | "tab" | "line-break" => builder.space(),
                _ => {}
            },
            Node::Close("header" | "footer" | "header-left" | "footer-left") => {
                margin = margin.saturating_sub(1);
            }
            Node::Close("p" | "h") => {
                paragraph = paragraph.saturating_sub(1);
                builder.end_block();
            }
            Node::Text(text) if margin > 0 && paragraph > 0 => builder.text(text),
            _ => {}
        }
        ControlFlow::Continue(())
    });
    builder.usual_zone(Zone::Body);
}
