//! SpreadsheetML: sheets row by row, only cells that are there (OFF-05).

use std::collections::HashMap;
use std::ops::ControlFlow;

use base::Zone;

use super::super::Refusal;
use super::super::build::Builder;
use super::super::sheet::{self, Row};
use super::super::xml::{self, Node, Tag};
use super::{Package, Relation, drawing, links};

/// Shared texts kept, and bytes of all of them.
const STRINGS: usize = 2_000_000;
const STRING_BYTES: usize = 64 * 1024 * 1024;
/// Text of one cell: what the programs allow.
const CELL_BYTES: usize = 4 * 32_767;

/// Reads the sheets that the main part lists.
pub(super) fn read(
    package: &Package<'_>,
    main: &str,
    builder: &mut Builder<'_>,
) -> Result<(), Refusal> {
    let xml = package.zip.xml(main).ok_or(Refusal::Unreadable)?;
    let relations = package.relations(main);
    let part = |kind: &str| {
        let relation = relations.iter().find(|relation| relation.is(kind))?;
        package.zip.xml(&relation.target)
    };
    let strings = part("sharedStrings").map(|xml| strings(&xml)).unwrap_or_default();
    let dates = part("styles").map(|xml| dates(&xml)).unwrap_or_default();
    for (name, id) in sheets(&xml, builder.limits.pages) {
        let Some(relation) = relations.iter().find(|relation| relation.id == id) else { continue };
        if !builder.page() {
            break;
        }
        builder.block(Zone::Heading, &name);
        if let Some(xml) = package.zip.xml(&relation.target) {
            let relations = package.relations(&relation.target);
            let mut cells = Cells::new(&strings, &dates, builder);
            xml::walk(&xml, |node| cells.node(&node));
            let hyperlinks = std::mem::take(&mut cells.hyperlinks);
            add_links(&hyperlinks, &relations, builder);
            belongings(package, &relations, builder);
        }
    }
    Ok(())
}

fn sheets(xml: &str, most: usize) -> Vec<(String, String)> {
    let mut sheets = Vec::new();
    xml::walk(xml, |node| {
        if let Node::Open(tag) = node
            && tag.name == "sheet"
            && let (Some(name), Some(id)) = (tag.attribute("name"), tag.attribute("id"))
        {
            sheets.push((name, id));
        }
        if sheets.len() <= most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    sheets
}

/// Reads the comments, text boxes and charts of a sheet.
fn belongings(package: &Package<'_>, relations: &[Relation], builder: &mut Builder<'_>) {
    package.comments(relations, builder);
    for relation in relations.iter().filter(|relation| relation.is("drawing")) {
        if let Some(xml) = package.zip.xml(&relation.target) {
            drawing(&xml, Zone::Caption, builder);
        }
        package.pictures(&package.relations(&relation.target), builder);
    }
}

fn add_links(hyperlinks: &[String], relations: &[Relation], builder: &mut Builder<'_>) {
    let targets = links(relations);
    for id in hyperlinks {
        if let Some(target) = targets.get(id.as_str()) {
            builder.link(target, "");
        }
    }
}

/// Reads the texts that cells name by number; phonetic guides are left out.
fn strings(xml: &str) -> Vec<String> {
    let (mut strings, mut bytes) = (Vec::new(), 0);
    let mut open = String::new();
    let (mut is_text, mut is_guide) = (false, false);
    xml::walk(xml, |node| {
        match node {
            Node::Open(tag) if tag.name == "si" => open.clear(),
            Node::Open(tag) if tag.name == "rPh" => is_guide = true,
            Node::Open(tag) if tag.name == "t" => is_text = true,
            Node::Close("rPh") => is_guide = false,
            Node::Close("t") => is_text = false,
            Node::Close("si") => {
                bytes += open.len();
                strings.push(std::mem::take(&mut open));
            }
            Node::Text(text) if is_text && !is_guide && open.len() < CELL_BYTES => {
                open.push_str(text);
            }
            _ => {}
        }
        if strings.len() < STRINGS && bytes < STRING_BYTES {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    });
    strings
}

/// Returns for each cell style whether its numbers are dates.
fn dates(xml: &str) -> Vec<bool> {
    let mut formats: HashMap<u32, bool> = HashMap::new();
    let mut styles = Vec::new();
    let mut is_cells = false;
    let number = |tag: &Tag<'_>| tag.attribute("numFmtId").and_then(|id| id.parse::<u32>().ok());
    xml::walk(xml, |node| {
        match node {
            Node::Open(tag) if tag.name == "numFmt" => {
                if let (Some(id), Some(code)) = (number(&tag), tag.attribute("formatCode")) {
                    formats.insert(id, sheet::is_date_format(&code));
                }
            }
            Node::Open(tag) if tag.name == "cellXfs" => is_cells = true,
            Node::Close("cellXfs") => is_cells = false,
            Node::Open(tag) if is_cells && tag.name == "xf" => {
                let id = number(&tag).unwrap_or(0);
                let known = formats.get(&id).copied();
                styles.push(known.unwrap_or_else(|| sheet::is_date_number(id)));
            }
            _ => {}
        }
        if styles.len() < 70_000 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    styles
}

/// Reads the cells of a sheet.
struct Cells<'a, 'b> {
    strings: &'a [String],
    dates: &'a [bool],
    builder: &'a mut Builder<'b>,
    row: Row,
    kind: String,
    style: usize,
    value: String,
    is_value: bool,
    is_margin: bool,
    hyperlinks: Vec<String>,
}

impl<'a, 'b> Cells<'a, 'b> {
    fn new(strings: &'a [String], dates: &'a [bool], builder: &'a mut Builder<'b>) -> Self {
        Self {
            strings,
            dates,
            builder,
            row: Row::default(),
            kind: String::new(),
            style: 0,
            value: String::new(),
            is_value: false,
            is_margin: false,
            hyperlinks: Vec::new(),
        }
    }

    fn node(&mut self, node: &Node<'_>) -> ControlFlow<()> {
        match node {
            Node::Open(tag) => self.open(tag),
            Node::Close("v" | "t") => self.is_value = false,
            Node::Close("c") => self.cell(),
            Node::Close("row") => self.row.finish(self.builder),
            Node::Close("headerFooter") => self.is_margin = false,
            Node::Close(_) => {}
            Node::Text(text) if self.is_margin => {
                let text = sheet::margin(text);
                self.builder.block(Zone::Boilerplate, &text);
            }
            Node::Text(text) if self.is_value && self.value.len() < CELL_BYTES => {
                self.value.push_str(text);
            }
            Node::Text(_) => {}
        }
        if self.builder.is_full() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn open(&mut self, tag: &Tag<'_>) {
        match tag.name {
            "c" => {
                self.kind = tag.attribute("t").unwrap_or_default();
                let style = tag.attribute("s").and_then(|style| style.parse().ok());
                self.style = style.unwrap_or(0);
                self.value.clear();
            }
            "v" | "t" => self.is_value = true,
            "headerFooter" => self.is_margin = true,
            "hyperlink" if self.hyperlinks.len() < self.builder.limits.links => {
                self.hyperlinks.extend(tag.attribute("id"));
            }
            _ => {}
        }
    }

    fn cell(&mut self) {
        let value = self.value.trim();
        match self.kind.as_str() {
            "s" => {
                let shared = value.parse().ok().and_then(|place: usize| self.strings.get(place));
                if let Some(text) = shared {
                    self.row.push(text);
                }
            }
            "b" => self.row.push(if value == "1" { "TRUE" } else { "FALSE" }),
            "str" | "inlineStr" | "e" | "d" => self.row.push(value),
            _ => {
                let is_date = self.dates.get(self.style).copied().unwrap_or(false);
                match value.parse() {
                    Ok(number) => self.row.push(&sheet::number(number, is_date)),
                    Err(_) => self.row.push(value),
                }
            }
        }
    }
}
