//! WordprocessingML: paragraphs with styles, tables, notes, fields, text boxes.

use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;

use base::{HiddenReason, Zone};

use super::super::Refusal;
use super::super::build::Builder;
use super::super::xml::{self, Node, Skipped, Tag};
use super::{Package, Relation, links};

/// Open fields followed; deeper ones are text.
const FIELDS: usize = 32;
/// Longest instruction of a field kept.
const INSTRUCTION_BYTES: usize = 8_192;

/// Reads the main part and the parts that it names.
pub(super) fn read(
    package: &Package<'_>,
    main: &str,
    builder: &mut Builder<'_>,
) -> Result<(), Refusal> {
    let xml = package.zip.xml(main).ok_or(Refusal::Unreadable)?;
    let relations = package.relations(main);
    let styles = relations.iter().find(|relation| relation.is("styles"));
    let styles = styles.and_then(|relation| package.zip.xml(&relation.target));
    let headings = styles.map(|xml| headings(&xml)).unwrap_or_default();
    builder.page();
    part(&xml, &headings, &links(&relations), builder);
    for (kind, zone) in [
        ("footnotes", Zone::Body),
        ("endnotes", Zone::Body),
        ("comments", Zone::Folded),
        ("header", Zone::Boilerplate),
        ("footer", Zone::Boilerplate),
    ] {
        for relation in relations.iter().filter(|relation| relation.is(kind)) {
            let Some(xml) = package.zip.xml(&relation.target) else { continue };
            let relations = package.relations(&relation.target);
            builder.usual_zone(zone);
            part(&xml, &headings, &links(&relations), builder);
        }
    }
    builder.usual_zone(Zone::Body);
    package.pictures(&relations, builder);
    let is_page = |relation: &&Relation| relation.is("aFChunk") && !relation.is_external;
    for relation in relations.iter().filter(is_page) {
        package.page(&relation.target, builder);
    }
    Ok(())
}

/// Returns the ids of styles whose paragraphs are headings.
fn headings(xml: &str) -> HashSet<String> {
    let mut headings = HashSet::new();
    let mut style = String::new();
    xml::walk(xml, |node| {
        if let Node::Open(tag) = node {
            match tag.name {
                "style" => style = tag.attribute("styleId").unwrap_or_default(),
                "name" => {
                    let name = tag.attribute("val").unwrap_or_default().to_lowercase();
                    if name.starts_with("heading") || name == "title" || name == "subtitle" {
                        headings.insert(style.clone());
                    }
                }
                "outlineLvl" if is_level(&tag) => drop(headings.insert(style.clone())),
                _ => {}
            }
        }
        ControlFlow::Continue(())
    });
    headings
}

/// Levels are 0 to 8; 9 is body text.
fn is_level(tag: &Tag<'_>) -> bool {
    tag.attribute("val").is_some_and(|level| level.len() == 1 && level != "9")
}

/// Reads one part.
fn part(
    xml: &str,
    headings: &HashSet<String>,
    links: &HashMap<&str, &str>,
    builder: &mut Builder<'_>,
) {
    let mut part = Part {
        headings,
        links,
        builder,
        is_text: false,
        is_instruction: false,
        is_hidden: false,
        skipped: Skipped::default(),
        in_run_style: false,
        hyperlinks: Vec::new(),
        fields: Vec::new(),
    };
    xml::walk(xml, |node| part.node(&node));
    part.builder.end_block();
}

struct Part<'a, 'b> {
    headings: &'a HashSet<String>,
    links: &'a HashMap<&'a str, &'a str>,
    builder: &'a mut Builder<'b>,
    is_text: bool,
    is_instruction: bool,
    /// Whether the run's text is hidden.
    is_hidden: bool,
    skipped: Skipped,
    in_run_style: bool,
    /// Whether each open hyperlink opened a link.
    hyperlinks: Vec<bool>,
    fields: Vec<Field>,
}

/// A field: its instruction, then what it shows.
#[derive(Default)]
struct Field {
    instruction: String,
    is_link: bool,
}

impl Part<'_, '_> {
    fn node(&mut self, node: &Node<'_>) -> ControlFlow<()> {
        if self.skipped.holds(node) {
            return ControlFlow::Continue(());
        }
        match node {
            Node::Open(tag) => self.open(tag),
            Node::Close(name) => self.close(name),
            Node::Text(text) => self.text(text),
        }
        if self.builder.is_full() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn text(&mut self, text: &str) {
        if self.is_instruction {
            if let Some(field) = self.fields.last_mut()
                && field.instruction.len() + text.len() <= INSTRUCTION_BYTES
            {
                field.instruction.push_str(text);
            }
        } else if self.is_text && self.is_hidden {
            self.builder.hide(HiddenReason::NotShown, text);
        } else if self.is_text {
            self.builder.text(text);
        }
    }

    fn open(&mut self, tag: &Tag<'_>) {
        match tag.name {
            // The same once more for older programs; earlier states of the text; phonetic guides;
            // the style of the paragraph's mark.
            "Fallback" | "del" | "moveFrom" | "rt" | "pPrChange" | "rPrChange" => {
                self.skipped.begin();
            }
            "p" => self.builder.end_block(),
            "txbxContent" => self.builder.begin_aside(Zone::Body),
            "pStyle" => {
                let style = tag.attribute("val").unwrap_or_default();
                if self.headings.contains(&style) || is_heading_name(&style) {
                    self.builder.zone(Zone::Heading);
                }
            }
            "outlineLvl" if is_level(tag) => self.builder.zone(Zone::Heading),
            "r" => self.is_hidden = false,
            "rPr" => self.in_run_style = true,
            "vanish" if self.in_run_style => self.is_hidden = tag.is_on(),
            "t" => self.is_text = true,
            "instrText" => self.is_instruction = true,
            "tab" | "br" | "cr" | "ptab" => self.builder.space(),
            "noBreakHyphen" => self.builder.text("-"),
            "hyperlink" => {
                let target = tag.attribute("id").and_then(|id| self.links.get(id.as_str()));
                if let Some(target) = target {
                    self.builder.open_link(target);
                }
                self.hyperlinks.push(target.is_some());
            }
            "hlinkClick" => {
                if let Some(target) = tag.attribute("id").and_then(|id| self.links.get(id.as_str()))
                {
                    self.builder.link(target, "");
                }
            }
            "fldSimple" => {
                let instruction = tag.attribute("instr").unwrap_or_default();
                self.fields.push(Field { instruction, is_link: false });
                self.separate();
            }
            "fldChar" => self.field_char(tag),
            "docPr" => {
                for name in ["title", "descr"] {
                    if let Some(text) = tag.attribute(name) {
                        self.builder.block(Zone::Alt, &text);
                    }
                }
            }
            _ => {}
        }
    }

    fn field_char(&mut self, tag: &Tag<'_>) {
        match tag.attribute("fldCharType").as_deref() {
            Some("begin") if self.fields.len() < FIELDS => self.fields.push(Field::default()),
            Some("separate") => self.separate(),
            Some("end") => self.end_field(),
            _ => {}
        }
    }

    /// The instruction is whole: a link opens here.
    fn separate(&mut self) {
        if let Some(field) = self.fields.last_mut()
            && let Some(target) = hyperlink(&field.instruction)
        {
            field.is_link = true;
            self.builder.open_link(&target);
        }
    }

    fn end_field(&mut self) {
        if self.fields.pop().is_some_and(|field| field.is_link) {
            self.builder.close_link();
        }
    }

    fn close(&mut self, name: &str) {
        match name {
            "p" | "tc" => self.builder.end_block(),
            "txbxContent" => self.builder.end_aside(),
            "t" => self.is_text = false,
            "instrText" => self.is_instruction = false,
            "rPr" => self.in_run_style = false,
            "r" => self.is_hidden = false,
            "hyperlink" if self.hyperlinks.pop() == Some(true) => self.builder.close_link(),
            "fldSimple" => self.end_field(),
            _ => {}
        }
    }
}

/// Styles of documents that bring no list of styles.
fn is_heading_name(style: &str) -> bool {
    style == "Title" || style.strip_prefix("Heading").is_some_and(|level| level.len() <= 1)
}

/// Returns the address of a field `HYPERLINK "http://a.example/" \\o "hint"`.
pub(in super::super) fn hyperlink(instruction: &str) -> Option<String> {
    let rest = instruction.trim_start();
    let head = rest.get(..9)?;
    if !head.eq_ignore_ascii_case("HYPERLINK") {
        return None;
    }
    let rest = rest[9..].trim_start();
    let target = match rest.strip_prefix('"') {
        Some(quoted) => quoted.split('"').next()?,
        None => rest.split_ascii_whitespace().next()?,
    };
    (!target.is_empty() && !target.starts_with('\\')).then(|| target.to_owned())
}
