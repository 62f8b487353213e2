//! Pictures of a page (P8): address, alternative text, caption, size.
//!
//! Left out are pictures that are written into the page itself (`data:`), and points of one pixel
//! that only count visitors.

use base::{Image, Joiner};
use html5ever::{LocalName, local_name};

use super::super::tree::{Element, NodeId, Tree};
use super::head::Head;
use super::text_below;
use crate::clean;
use crate::link::srcset;

/// Pictures kept.
const MOST: usize = 200;
/// Longest alternative text and caption, in characters.
const TEXT_CHARS: usize = 512;
/// A picture is wider and higher than this, or its size is not said.
const POINT: u32 = 2;

/// Attributes that hold the address of a picture until a script shows it.
pub(super) const LAZY: [&str; 5] =
    ["data-src", "data-srcset", "data-original", "data-lazy-src", "data-original-src"];

struct Picture<'a> {
    source: &'a str,
    alt: &'a str,
    title: &'a str,
    /// Place among the captions.
    caption: Option<usize>,
    size: (Option<u32>, Option<u32>),
}

/// The pictures of a page in order.
#[derive(Default)]
pub(super) struct Pictures<'a> {
    pictures: Vec<Picture<'a>>,
    captions: Vec<String>,
    /// Open figures: node, first picture in it, its caption.
    figures: Vec<(NodeId, usize, Option<usize>)>,
}

impl<'a> Pictures<'a> {
    /// Reads `<img>`, `<figure>` or `<figcaption>`.
    pub(super) fn enter(&mut self, tree: &Tree, node: NodeId, element: &'a Element) {
        if self.pictures.len() >= MOST {
            return;
        }
        match element.name.local {
            local_name!("figure") => self.figures.push((node, self.pictures.len(), None)),
            local_name!("figcaption") => {
                if let Some((_, _, caption)) = self.figures.last_mut() {
                    *caption = Some(self.captions.len());
                    self.captions.push(text_below(tree, node, 4 * TEXT_CHARS));
                }
            }
            _ => self.pictures.extend(picture(element)),
        }
    }

    pub(super) fn leave(&mut self, node: NodeId) {
        if self.figures.last().is_some_and(|(open, ..)| *open == node)
            && let Some((_, first, caption)) = self.figures.pop()
        {
            for picture in &mut self.pictures[first..] {
                picture.caption = picture.caption.or(caption);
            }
        }
    }

    /// Resolves the addresses: each picture once, the one to share first.
    pub(super) fn finish(self, head: &Head<'_>, joiner: &Joiner<'_>) -> Vec<Image> {
        let size = (pixels(head.image_size.0), pixels(head.image_size.1));
        let (source, alt) = (head.image, head.image_alt);
        let shared = Picture { source, alt, title: "", caption: None, size };
        let shared = Some(shared).filter(|shared| !shared.source.is_empty());
        let mut images: Vec<Image> = Vec::new();
        let mut places = std::collections::HashMap::new();
        for picture in shared.iter().chain(&self.pictures) {
            let Ok(target) = joiner.join(picture.source) else { continue };
            let caption = picture.caption.map_or(picture.title, |place| &self.captions[place]);
            let place = *places.entry(target.clone()).or_insert(images.len());
            if place == images.len() {
                if place >= MOST {
                    break;
                }
                let (alt, caption) = (String::new(), String::new());
                images.push(Image { target, alt, caption, width: 0, height: 0 });
            }
            let image = &mut images[place];
            if image.alt.is_empty() {
                image.alt = clean::title(picture.alt, TEXT_CHARS);
            }
            if image.caption.is_empty() {
                image.caption = clean::title(caption, TEXT_CHARS);
            }
            if image.width == 0 {
                image.width = picture.size.0.unwrap_or(0);
                image.height = picture.size.1.unwrap_or(0);
            }
        }
        images
    }
}

fn picture(element: &Element) -> Option<Picture<'_>> {
    let attribute = |name: LocalName| element.attribute(&name).map(str::trim);
    let style = attribute(local_name!("style")).unwrap_or_default();
    let side = |name: LocalName| {
        let said = attribute(name.clone()).and_then(pixels);
        said.or_else(|| styled(style, &name))
    };
    let size = (side(local_name!("width")), side(local_name!("height")));
    let is_point = [size.0, size.1].iter().flatten().any(|side| *side <= POINT);
    let source = source(element)?;
    (!is_point).then(|| Picture {
        source,
        alt: attribute(local_name!("alt")).unwrap_or_default(),
        title: attribute(local_name!("title")).unwrap_or_default(),
        caption: None,
        size,
    })
}

/// Returns the address of a picture: what a script would show, else the largest, else the plain.
fn source(element: &Element) -> Option<&str> {
    let mut lazy = None;
    let mut largest = None;
    let mut plain = None;
    for (name, value) in element.attributes() {
        let value = value.trim();
        if *name == local_name!("src") {
            plain = Some(value);
        } else if *name == local_name!("srcset") || &**name == "data-srcset" {
            largest = largest.or(srcset::largest(value));
        } else if LAZY.contains(&&**name) {
            lazy = Some(value);
        }
    }
    let is_address = |source: &&str| {
        let is_inline = source.get(..5).is_some_and(|head| head.eq_ignore_ascii_case("data:"));
        !source.is_empty() && !is_inline && source.len() <= base::limits::URL_BYTES
    };
    [lazy, largest, plain].into_iter().flatten().find(is_address)
}

/// Reads `640` or `640px`; shares of the page are no size.
fn pixels(text: &str) -> Option<u32> {
    let text = text.trim();
    let number = text.strip_suffix("px").unwrap_or(text).trim_end();
    let size: f64 = number.parse().ok()?;
    (0.0..=100_000.0).contains(&size).then_some(size as u32)
}

/// Reads a side out of an inline style.
fn styled(style: &str, name: &str) -> Option<u32> {
    base::limits::cut(style, 1_024).split(';').find_map(|declaration| {
        let (property, value) = declaration.split_once(':')?;
        let is_side = property.trim().eq_ignore_ascii_case(name);
        // Without a unit it is no size in a style.
        (is_side && value.trim().ends_with("px")).then(|| pixels(value))?
    })
}
