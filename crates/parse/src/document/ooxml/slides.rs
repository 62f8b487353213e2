//! PresentationML: slides in their order, titles as headings, notes behind each slide.

use std::collections::HashMap;
use std::ops::ControlFlow;

use base::Zone;

use super::super::Refusal;
use super::super::build::Builder;
use super::super::xml::{self, Node, Skipped, Tag};
use super::{Package, links};

/// Reads the slides that the main part lists; all that there are if it lists none.
pub(super) fn read(
    package: &Package<'_>,
    main: &str,
    builder: &mut Builder<'_>,
) -> Result<(), Refusal> {
    let xml = package.zip.xml(main).ok_or(Refusal::Unreadable)?;
    let relations = package.relations(main);
    let mut order: Vec<String> = Vec::new();
    xml::walk(&xml, |node| {
        if let Node::Open(tag) = node
            && tag.name == "sldId"
            && let Some(id) = tag.attribute_of("r:id")
            && let Some(relation) = relations.iter().find(|relation| relation.id == id)
        {
            order.push(relation.target.clone());
        }
        if order.len() > builder.limits.pages {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    if order.is_empty() {
        let slides = relations.iter().filter(|relation| relation.is("slide"));
        order = slides.map(|relation| relation.target.clone()).collect();
    }
    for target in order {
        if !builder.page() {
            break;
        }
        slide(package, &target, builder);
    }
    Ok(())
}

fn slide(package: &Package<'_>, target: &str, builder: &mut Builder<'_>) {
    let Some(xml) = package.zip.xml(target) else { return };
    let relations = package.relations(target);
    shapes(&xml, &links(&relations), builder);
    package.pictures(&relations, builder);
    for relation in relations.iter().filter(|relation| relation.is("notesSlide")) {
        if let Some(xml) = package.zip.xml(&relation.target) {
            shapes(&xml, &HashMap::new(), builder);
        }
    }
    package.comments(&relations, builder);
}

/// Reads the shapes of a slide.
fn shapes(xml: &str, links: &HashMap<&str, &str>, builder: &mut Builder<'_>) {
    let mut shapes = Shapes {
        links,
        builder,
        zone: Zone::Body,
        is_text: false,
        skipped: Skipped::default(),
        is_link: false,
    };
    xml::walk(xml, |node| shapes.node(&node));
    shapes.builder.end_block();
}

struct Shapes<'a, 'b> {
    links: &'a HashMap<&'a str, &'a str>,
    builder: &'a mut Builder<'b>,
    /// What the open shape's paragraphs are.
    zone: Zone,
    is_text: bool,
    skipped: Skipped,
    is_link: bool,
}

impl Shapes<'_, '_> {
    fn node(&mut self, node: &Node<'_>) -> ControlFlow<()> {
        if self.skipped.holds(node) {
            return ControlFlow::Continue(());
        }
        match node {
            Node::Open(tag) => self.open(tag),
            Node::Close("t") => self.is_text = false,
            Node::Close("r") if self.is_link => {
                self.is_link = false;
                self.builder.close_link();
            }
            Node::Close("p" | "tc") => self.builder.end_block(),
            Node::Close("sp") => self.zone = Zone::Body,
            Node::Close(_) => {}
            Node::Text(text) if self.is_text => self.builder.text(text),
            Node::Text(_) => {}
        }
        if self.builder.is_full() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn open(&mut self, tag: &Tag<'_>) {
        match tag.name {
            "Fallback" => self.skipped.begin(),
            "ph" => {
                self.zone = match tag.attribute("type").as_deref() {
                    Some("title" | "ctrTitle") => Zone::Heading,
                    Some("ftr" | "dt" | "sldNum" | "hdr") => Zone::Boilerplate,
                    _ => Zone::Body,
                }
            }
            "p" => {
                self.builder.end_block();
                self.builder.zone(self.zone);
            }
            "t" => self.is_text = true,
            "br" | "tab" => self.builder.space(),
            "hlinkClick" => {
                let target = tag.attribute("id").and_then(|id| self.links.get(id.as_str()));
                if let Some(target) = target
                    && !self.is_link
                {
                    self.is_link = true;
                    self.builder.open_link(target);
                }
            }
            "cNvPr" => {
                if let Some(text) = tag.attribute("descr") {
                    self.builder.block(Zone::Alt, &text);
                }
            }
            _ => {}
        }
    }
}
