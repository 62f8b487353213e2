//! Office Open XML: parts of XML in a ZIP archive, and relations between the parts.

mod sheets;
mod slides;
mod word;

use std::collections::HashMap;
use std::ops::ControlFlow;

use base::{ContentKind, Oddity, Zone};

pub(super) use self::word::hyperlink;

use super::build::Builder;
use super::container::{properties, resolve};
use super::xml::{self, Node};
use super::zip::Zip;
use super::{Refusal, epub};

/// Relations read of one part.
const RELATIONS: usize = 20_000;

/// Reads a document, workbook or presentation.
pub(super) fn read(
    kind: ContentKind,
    bytes: &[u8],
    builder: &mut Builder<'_>,
) -> Result<(), Refusal> {
    // A package with a password is wrapped into the container of the old formats.
    if super::ole::is_encrypted_package(bytes) {
        return Err(Refusal::Encrypted);
    }
    let (entries, unpacked) = (builder.limits.entries, builder.limits.unpacked_bytes);
    let zip = Zip::open(bytes, entries, unpacked).ok_or(Refusal::Unreadable)?;
    if zip.is_encrypted() {
        return Err(Refusal::Encrypted);
    }
    let package = Package { zip };
    let root = package.relations("");
    for relation in root.iter().filter(|relation| relation.is("core-properties")) {
        if let Some(xml) = package.zip.xml(&relation.target) {
            properties(&xml, builder);
        }
    }
    let usual = match kind {
        ContentKind::Xlsx => "xl/workbook.xml",
        ContentKind::Pptx => "ppt/presentation.xml",
        _ => "word/document.xml",
    };
    let named = root.iter().find(|relation| relation.is("officeDocument"));
    let main = named.map_or(usual, |relation| relation.target.as_str());
    let main = if package.zip.has(main) { main } else { usual };
    let read = match kind {
        ContentKind::Xlsx => sheets::read(&package, main, builder),
        ContentKind::Pptx => slides::read(&package, main, builder),
        _ => word::read(&package, main, builder),
    };
    if package.zip.is_cut() {
        builder.odd(Oddity::DocumentCut);
    }
    read
}

/// The parts of a document and what they say of each other.
struct Package<'a> {
    zip: Zip<'a>,
}

/// What a part says of another one.
struct Relation {
    id: String,
    kind: String,
    target: String,
    is_external: bool,
}

impl Relation {
    /// Returns whether the relation is of the kind that ends so; each has two names, one of
    /// the first and one of the strict edition.
    fn is(&self, kind: &str) -> bool {
        self.kind.rsplit('/').next() == Some(kind)
    }
}

impl Package<'_> {
    /// Reads the relations of a part; of the package itself for "".
    fn relations(&self, part: &str) -> Vec<Relation> {
        let path = match part.rsplit_once('/') {
            Some((folder, name)) => format!("{folder}/_rels/{name}.rels"),
            None => format!("_rels/{part}.rels"),
        };
        let mut relations = Vec::new();
        let Some(xml) = self.zip.xml(&path) else { return relations };
        xml::walk(&xml, |node| {
            if let Node::Open(tag) = node
                && tag.name == "Relationship"
                && let (Some(id), Some(kind), Some(target)) =
                    (tag.attribute("Id"), tag.attribute("Type"), tag.attribute("Target"))
            {
                let is_external = tag.attribute("TargetMode").as_deref() == Some("External");
                let target = if is_external { target } else { resolve(part, &target) };
                relations.push(Relation { id, kind, target, is_external });
            }
            if relations.len() < RELATIONS {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        });
        relations
    }

    /// Reads diagrams and charts that a part shows: their words are pictures' words.
    fn pictures(&self, relations: &[Relation], builder: &mut Builder<'_>) {
        for relation in relations.iter().filter(|relation| !relation.is_external) {
            let is_chart = relation.is("chart");
            if (relation.is("diagramData") || is_chart)
                && let Some(xml) = self.zip.xml(&relation.target)
            {
                drawing(&xml, Zone::Caption, builder);
            }
        }
    }

    /// Reads comments: what readers open on a click.
    fn comments(&self, relations: &[Relation], builder: &mut Builder<'_>) {
        for relation in relations.iter().filter(|relation| relation.is("comments")) {
            if let Some(xml) = self.zip.xml(&relation.target) {
                drawing(&xml, Zone::Folded, builder);
            }
        }
    }

    /// Reads a part of HTML that a document has taken in.
    fn page(&self, target: &str, builder: &mut Builder<'_>) {
        if let Some(bytes) = self.zip.read(target) {
            epub::chapter(&bytes, builder);
        }
    }
}

/// Returns the targets of external links by id.
fn links(relations: &[Relation]) -> HashMap<&str, &str> {
    let external = relations.iter().filter(|relation| relation.is_external);
    external.map(|relation| (relation.id.as_str(), relation.target.as_str())).collect()
}

/// Reads the paragraphs of a drawing, chart or comment: `t` in `p`, whatever else there is.
fn drawing(xml: &str, zone: Zone, builder: &mut Builder<'_>) {
    builder.usual_zone(zone);
    let mut depth = 0;
    xml::walk(xml, |node| {
        match node {
            // Old comments of sheets and slides have their text without a paragraph.
            Node::Open(tag) if matches!(tag.name, "t" | "text") => depth += 1,
            Node::Close("t") => depth -= 1,
            Node::Close("text") => {
                depth -= 1;
                builder.end_block();
            }
            Node::Close("p" | "si" | "cm" | "comment" | "pt") => builder.end_block(),
            Node::Open(tag) if matches!(tag.name, "br" | "tab") => builder.space(),
            Node::Text(text) if depth > 0 => builder.text(text),
            _ => {}
        }
        if builder.is_full() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    builder.usual_zone(Zone::Body);
}
