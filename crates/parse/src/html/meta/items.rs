//! Microdata: schema.org in attributes of the page's elements (P9).
//!
//! An item is an element with `itemscope`; the properties below it belong to it. As with JSON-LD
//! only the items that the page is about are asked, and those that hang on them by name: author,
//! publisher, address, point.

use base::{DateSource, Place};
use html5ever::{LocalName, local_name};

use super::super::tree::{Element, NodeId, Tree};
use super::text_below;
use crate::about::{self, Draft, Rank};
use crate::date;
use crate::date::claims::What;

/// Items and properties looked at.
const MOST_ITEMS: usize = 200;
const MOST_PROPERTIES: usize = 2_000;
/// Longest value of a property that is the text of its element.
const VALUE_BYTES: usize = 512;

struct Item<'a> {
    /// What it is: the last word of its type.
    kind: &'a str,
    /// What it is to the item around it; empty if it stands for itself.
    role: &'a str,
    outer: Option<usize>,
    latitude: String,
    longitude: String,
    /// Street, code, town, region.
    address: [String; 4],
    country: Option<String>,
}

/// The items of a page.
#[derive(Default)]
pub(super) struct Items<'a> {
    items: Vec<Item<'a>>,
    /// Open items, outermost first.
    open: Vec<(NodeId, usize)>,
    seen: usize,
}

impl<'a> Items<'a> {
    /// Reads an element with `itemprop` or `itemscope`; called once for each of the two.
    pub(super) fn enter(
        &mut self,
        tree: &Tree,
        node: NodeId,
        element: &'a Element,
        about: &mut Draft,
    ) {
        if self.open.last().is_some_and(|(open, _)| *open == node) || self.seen >= MOST_PROPERTIES {
            return;
        }
        self.seen += 1;
        let role = element.attribute(&local_name!("itemprop")).unwrap_or_default();
        let outer = self.open.last().map(|(_, item)| *item);
        if element.attribute(&local_name!("itemscope")).is_some() {
            if self.items.len() < MOST_ITEMS {
                let kind = element.attribute(&local_name!("itemtype")).unwrap_or_default();
                let kind = kind.trim().rsplit(['/', '#']).next().unwrap_or_default();
                self.open.push((node, self.items.len()));
                self.items.push(Item::new(kind, role.trim(), outer));
            }
        } else if let Some(outer) = outer {
            for name in role.split_ascii_whitespace().take(4) {
                self.property(outer, name, &|| value(tree, node, element), about);
            }
        }
    }

    pub(super) fn leave(&mut self, node: NodeId) {
        if self.open.last().is_some_and(|(open, _)| *open == node) {
            self.open.pop();
        }
    }

    /// Returns whether an item is something that the page is about.
    fn is_main(&self, item: &Item<'_>) -> bool {
        let is_part = ["Comment", "UserComments", "Review", "WPFooter", "WPHeader", "ImageObject"];
        !is_part.contains(&item.kind)
            && match item.role {
                "" => true,
                "mainEntity" | "blogPost" | "hasPart" => {
                    item.outer.is_none_or(|outer| self.items[outer].role.is_empty())
                }
                _ => false,
            }
    }

    fn property(&mut self, item: usize, name: &str, value: &dyn Fn() -> String, about: &mut Draft) {
        let holder = &self.items[item];
        let is_main = self.is_main(holder);
        // A name or place may belong to what the holder is to the main item.
        let hangs_on_main = holder.outer.is_some_and(|outer| self.is_main(&self.items[outer]));
        match name {
            "datePublished" | "dateCreated" | "uploadDate" if is_main => {
                about.dates.add(What::Published, date::parse(&value()), DateSource::Structured);
            }
            "dateModified" if is_main => {
                about.dates.add(What::Modified, date::parse(&value()), DateSource::Structured);
            }
            "author" | "creator" if is_main => about.co_author(&value(), Rank::Social),
            "name" if hangs_on_main && matches!(holder.role, "author" | "creator") => {
                about.co_author(&value(), Rank::Social);
            }
            "name" if hangs_on_main && holder.role == "publisher" => {
                about.site_name(&value(), Rank::Other);
            }
            "description" if is_main => about.description(&value(), Rank::Other),
            "inLanguage" if is_main => about.language(&value(), Rank::Other),
            _ => self.place(item, name, value),
        }
    }

    fn place(&mut self, item: usize, name: &str, value: &dyn Fn() -> String) {
        let parts = ["streetAddress", "postalCode", "addressLocality", "addressRegion"];
        // Address and point are items of their own; what they are of is the place.
        let mut holder = item;
        while matches!(self.items[holder].role, "address" | "geo")
            && let Some(outer) = self.items[holder].outer
        {
            holder = outer;
        }
        let holder = &mut self.items[holder];
        if let Some(part) = parts.iter().position(|part| *part == name) {
            holder.address[part] = value();
        } else if name == "addressCountry" {
            holder.country = about::country(&value());
        } else if name == "latitude" {
            holder.latitude = value();
        } else if name == "longitude" {
            holder.longitude = value();
        }
    }

    pub(super) fn finish(self, about: &mut Draft) {
        for item in self.items {
            if item.role.is_empty() {
                about.kind(item.kind);
            }
            let name = about::address_line(item.address.iter().map(String::as_str));
            let point = about::point(&item.latitude, &item.longitude);
            about.place(Place { name, country: item.country, point });
        }
    }
}

impl<'a> Item<'a> {
    fn new(kind: &'a str, role: &'a str, outer: Option<usize>) -> Self {
        Self {
            kind,
            role,
            outer,
            latitude: String::new(),
            longitude: String::new(),
            address: Default::default(),
            country: None,
        }
    }
}

/// Returns the value of a property: an attribute made for it, or the text.
fn value(tree: &Tree, node: NodeId, element: &Element) -> String {
    let attribute = |name: LocalName| element.attribute(&name);
    let said = attribute(local_name!("content")).or_else(|| attribute(local_name!("datetime")));
    match said {
        Some(said) => base::limits::cut(said, VALUE_BYTES).to_owned(),
        None => text_below(tree, node, VALUE_BYTES),
    }
}
