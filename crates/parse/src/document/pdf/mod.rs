//! PDF: the text of pages as it is drawn, in the order in which it is drawn.
//!
//! lopdf reads the structure (objects, cross references also when broken, encryption, filters).
//! What is drawn is read here: [`content`] takes the operators apart one by one, [`page`] follows
//! the state of the pen, [`font`] and [`cmap`] turn codes into characters, [`layout`] turns runs
//! into lines and paragraphs. A library for the whole was tried and left: it
//! stands on an older lopdf, holds every operator of a page in memory, and cannot say what is hidden
//! (`docs/measurements/2026-11-16-reading-documents.md`).
//!
//! Nothing is run, opened or fetched: actions, scripts, embedded files and remote references are
//! never looked at (PDF-08), but for addresses of links.

mod cmap;
mod content;
mod font;
mod layout;
mod link;
mod page;

use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

use base::{Oddity, Zone};
use lopdf::{Dictionary, LoadOptions, Object, ObjectId, decode_text_string};

use self::layout::Layout;
use self::page::Painter;
use super::Refusal;
use super::build::Builder;

/// What one stream may unpack to: the plain text of a long book has a tenth of it.
pub(super) const STREAM_BYTES: usize = 32 * 1024 * 1024;
/// Nodes of the page tree looked at for each page that is taken.
const NODES_PER_PAGE: usize = 8;
/// Annotations looked at on one page.
const ANNOTATIONS: usize = 5_000;

/// Reads a document.
pub(super) fn read(bytes: &[u8], builder: &mut Builder<'_>) -> Result<(), Refusal> {
    let options = LoadOptions::with_max_decompressed_size(STREAM_BYTES);
    let loaded = lopdf::Document::load_mem_with_options(bytes, options);
    let document = loaded.map_err(|error| match error {
        lopdf::Error::InvalidPassword | lopdf::Error::UnsupportedSecurityHandler(_) => {
            Refusal::Encrypted
        }
        _ => Refusal::Unreadable,
    })?;
    if document.is_encrypted() {
        return Err(Refusal::Encrypted);
    }
    properties(&document, builder);
    let pages = Pages::of(&document, builder.limits.pages);
    if pages.is_cut {
        builder.odd(Oddity::DocumentCut);
    }
    if pages.found.is_empty() {
        return Err(Refusal::Unreadable);
    }
    let mut layout = Layout::default();
    let mut painter = Painter::new(&document, builder.limits.unpacked_bytes);
    for page in &pages.found {
        if layout.num_bytes() >= builder.limits.text_bytes || !builder.page() {
            builder.odd(Oddity::DocumentCut);
            break;
        }
        let links = link::read(&document, page.dictionary, builder.limits.links, &mut layout);
        // A fault of ours or of the library costs the page, not those before and behind it.
        let painted = catch_unwind(AssertUnwindSafe(|| painter.page(page, &links, &mut layout)));
        if painted.is_err() {
            builder.odd(Oddity::DocumentCut);
        }
        layout.end_page();
        annotations(&document, page.dictionary, &mut layout);
    }
    if painter.is_cut {
        builder.odd(Oddity::DocumentCut);
    }
    layout.finish(builder);
    Ok(())
}

/// A page and what it inherits.
pub(super) struct Page<'a> {
    pub(super) dictionary: &'a Dictionary,
    pub(super) resources: Option<&'a Dictionary>,
    /// Left, bottom, right, top of what is shown.
    pub(super) shown: [f32; 4],
}

/// The pages of a document in order.
struct Pages<'a> {
    found: Vec<Page<'a>>,
    is_cut: bool,
}

/// A node of the page tree still to be looked at, and what it inherits.
struct Waiting<'a> {
    id: ObjectId,
    resources: Option<&'a Dictionary>,
    shown: Option<[f32; 4]>,
}

impl<'a> Pages<'a> {
    /// Walks the page tree with a stack and a set of what was seen: it may contain itself
    /// (PDF-02). Without a tree, everything that says it is a page is taken.
    fn of(document: &'a lopdf::Document, most: usize) -> Self {
        let mut pages = Self { found: Vec::new(), is_cut: false };
        let root = document.catalog().ok().and_then(|root| root.get(b"Pages").ok());
        if let Some(root) = root.and_then(|root| root.as_reference().ok()) {
            pages.walk(document, root, most);
        }
        if pages.found.is_empty() {
            let all = document.objects.values().filter_map(|object| object.as_dict().ok());
            for dictionary in all.filter(|dictionary| dictionary.has_type(b"Page")).take(most) {
                let resources = dictionary_of(document, dictionary, b"Resources");
                let shown = shown(document, dictionary).unwrap_or(LETTER);
                pages.found.push(Page { dictionary, resources, shown });
            }
        }
        pages
    }

    fn walk(&mut self, document: &'a lopdf::Document, root: ObjectId, most: usize) {
        let mut seen = HashSet::new();
        let mut waiting = vec![Waiting { id: root, resources: None, shown: None }];
        while let Some(node) = waiting.pop() {
            if self.found.len() >= most || seen.len() > most * NODES_PER_PAGE {
                self.is_cut = true;
                return;
            }
            let Ok(dictionary) = document.get_dictionary(node.id) else { continue };
            if !seen.insert(node.id) {
                continue;
            }
            let resources = dictionary_of(document, dictionary, b"Resources").or(node.resources);
            let shown = shown(document, dictionary).or(node.shown);
            let kids = dictionary.get_deref(b"Kids", document).and_then(Object::as_array);
            let Ok(kids) = kids else {
                let shown = shown.unwrap_or(LETTER);
                self.found.push(Page { dictionary, resources, shown });
                continue;
            };
            let ids = kids.iter().rev().filter_map(|kid| kid.as_reference().ok());
            waiting.extend(ids.take(100_000).map(|id| Waiting { id, resources, shown }));
        }
    }
}

/// The paper of pages that do not name theirs.
const LETTER: [f32; 4] = [0.0, 0.0, 612.0, 792.0];

/// Returns what of the paper is shown.
fn shown(document: &lopdf::Document, dictionary: &Dictionary) -> Option<[f32; 4]> {
    let mut boxes = [&b"CropBox"[..], b"MediaBox"].into_iter();
    boxes.find_map(|name| rectangle(document, dictionary, name))
}

/// Returns a rectangle: left, bottom, right, top.
fn rectangle(document: &lopdf::Document, dictionary: &Dictionary, key: &[u8]) -> Option<[f32; 4]> {
    let corners = dictionary.get_deref(key, document).and_then(Object::as_array).ok()?;
    let mut numbers = [0.0; 4];
    if corners.len() != numbers.len() {
        return None;
    }
    for (number, corner) in numbers.iter_mut().zip(corners) {
        *number = document.dereference(corner).ok()?.1.as_float().ok()?;
    }
    let [left, bottom, right, top] = numbers;
    Some([left.min(right), bottom.min(top), left.max(right), bottom.max(top)])
}

/// Returns the dictionary that an entry is or names.
pub(super) fn dictionary_of<'a>(
    document: &'a lopdf::Document,
    dictionary: &'a Dictionary,
    key: &[u8],
) -> Option<&'a Dictionary> {
    dictionary.get_deref(key, document).ok().and_then(|object| object.as_dict().ok())
}

/// Takes title, author and dates.
fn properties(document: &lopdf::Document, builder: &mut Builder<'_>) {
    if let Some(info) = dictionary_of(document, &document.trailer, b"Info") {
        let text = |key: &[u8]| {
            let object = info.get_deref(key, document).ok()?;
            Some(text_of(object)).filter(|text| !text.is_empty())
        };
        builder.title(&text(b"Title").unwrap_or_default());
        builder.author(&text(b"Author").unwrap_or_default());
        builder.description(&text(b"Subject").unwrap_or_default());
        builder.created(&text(b"CreationDate").unwrap_or_default());
        builder.modified(&text(b"ModDate").unwrap_or_default());
    }
    let Ok(catalog) = document.catalog() else { return };
    if let Ok(tag) = catalog.get_deref(b"Lang", document) {
        builder.language(&text_of(tag));
    }
}

/// Returns a text string; the longest property is cut later, but not read whole first (PDF-13).
fn text_of(object: &Object) -> String {
    let Ok(bytes) = object.as_str() else { return String::new() };
    let bytes = &bytes[..bytes.len().min(64 * 1024)];
    // Many programs write UTF-8 without saying so; no other text looks like it by chance.
    if !bytes.is_ascii()
        && let Ok(text) = std::str::from_utf8(bytes)
    {
        return text.trim_start_matches('\u{FEFF}').to_owned();
    }
    let head = Object::string_literal(bytes);
    decode_text_string(&head).unwrap_or_else(|_| String::from_utf8_lossy(bytes).into_owned())
}

/// Returns what lies on a page beside what is drawn: links, notes, fields.
fn annotations_of<'a>(
    document: &'a lopdf::Document,
    page: &'a Dictionary,
) -> impl Iterator<Item = &'a Dictionary> {
    let found = page.get_deref(b"Annots", document).and_then(Object::as_array);
    let found = found.into_iter().flatten().take(ANNOTATIONS);
    found.filter_map(|annotation| document.dereference(annotation).ok()?.1.as_dict().ok())
}

/// Takes the texts of notes, and what is filled into forms.
fn annotations(document: &lopdf::Document, page: &Dictionary, layout: &mut Layout) {
    for annotation in annotations_of(document, page) {
        let text =
            |key: &[u8]| annotation.get_deref(key, document).map(text_of).unwrap_or_default();
        match annotation.get(b"Subtype").and_then(Object::as_name).unwrap_or_default() {
            b"Link" | b"Popup" => {}
            b"Widget" => layout.aside(Zone::Body, &text(b"V")),
            _ => layout.aside(Zone::Folded, &text(b"Contents")),
        }
    }
}
