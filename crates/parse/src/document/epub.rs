//! EPUB: chapters of HTML in a ZIP archive, in the order of the spine.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::ControlFlow;

use base::{Oddity, Url, Zone};
use percent_encoding::percent_decode_str;

use super::Refusal;
use super::build::Builder;
use super::container::{properties, resolve};
use super::xml::{self, Node};
use super::zip::Zip;
use crate::{Input, Options};

/// Where chapters are said to lie, so that links between them can be told from links out.
const INSIDE: &str = "http://inside.invalid/";

/// Reads a book.
pub(super) fn read(bytes: &[u8], builder: &mut Builder<'_>) -> Result<(), Refusal> {
    let (entries, unpacked) = (builder.limits.entries, builder.limits.unpacked_bytes);
    let zip = Zip::open(bytes, entries, unpacked).ok_or(Refusal::Unreadable)?;
    let root = root(&zip).ok_or(Refusal::Unreadable)?;
    let package = zip.xml(&root).ok_or(Refusal::Unreadable)?;
    properties(&package, builder);
    for target in spine(&package, &root, builder.limits.pages) {
        if !builder.page() {
            break;
        }
        // Hrefs have `%20`, names of members have not.
        let target = match zip.has(&target) {
            true => Cow::Borrowed(target.as_str()),
            false => percent_decode_str(&target).decode_utf8_lossy(),
        };
        if let Some(bytes) = zip.read(&target) {
            chapter(&bytes, builder);
        }
    }
    if zip.is_cut() {
        builder.odd(Oddity::DocumentCut);
    }
    // Chapters behind a lock are bytes that are no text.
    if builder.num_bytes() == 0 && zip.has("META-INF/encryption.xml") {
        return Err(Refusal::Encrypted);
    }
    Ok(())
}

/// Returns the path of the package file.
fn root(zip: &Zip<'_>) -> Option<String> {
    let mut root = None;
    if let Some(xml) = zip.xml("META-INF/container.xml") {
        xml::walk(&xml, |node| match node {
            Node::Open(tag) if tag.name == "rootfile" => {
                root = tag.attribute("full-path");
                ControlFlow::Break(())
            }
            _ => ControlFlow::Continue(()),
        });
    }
    root.or_else(|| zip.names().find(|name| name.ends_with(".opf")).map(str::to_owned))
}

/// Returns the chapters in reading order.
fn spine(package: &str, root: &str, most: usize) -> Vec<String> {
    let mut items: HashMap<String, String> = HashMap::new();
    let mut order = Vec::new();
    xml::walk(package, |node| {
        if let Node::Open(tag) = node {
            match tag.name {
                "item" if items.len() < 100_000 => {
                    if let (Some(id), Some(href)) = (tag.attribute("id"), tag.attribute("href")) {
                        items.entry(id).or_insert_with(|| resolve(root, &href));
                    }
                }
                "itemref" if order.len() <= most => order.extend(tag.attribute("idref")),
                _ => {}
            }
        }
        ControlFlow::Continue(())
    });
    order.iter().filter_map(|id| items.get(id).cloned()).collect()
}

/// Adds what a page of HTML inside of a document says.
pub(super) fn chapter(bytes: &[u8], builder: &mut Builder<'_>) {
    let Ok(url) = Url::parse(INSIDE) else { return };
    let input = Input { content_type: Some("text/html"), ..Input::new(&url, bytes) };
    let parsed = crate::parse(&input, &Options::default());
    for block in &parsed.blocks {
        // There is no navigation in a book; what looks like it is a list of contents.
        let zone = if block.zone.is_frame() { Zone::Body } else { block.zone };
        builder.block(zone, &block.text);
    }
    for link in &parsed.links {
        let target = link.target.as_str();
        if !target.starts_with(INSIDE) && link.kind == base::LinkKind::Anchor {
            builder.link(target, &link.anchor);
        }
    }
}
