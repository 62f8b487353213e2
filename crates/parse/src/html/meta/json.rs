//! JSON-LD: schema.org as a script (P9).
//!
//! Blocks that are too long or broken say nothing (HTM-15); the reader itself gives up on nesting
//! deeper than 128. Only the things that a page is about are asked: those at the top, in a
//! `@graph`, or named as its main entity. What hangs on them (comments, offers, other articles)
//! is not the page.

use base::{DateSource, Place};
use serde_json::{Map, Value};

use super::super::tree::{NodeId, Tree};
use crate::about::{self, Draft, Rank};
use crate::date;
use crate::date::claims::What;

/// Longest block read, and all of a page together, in bytes.
const BLOCK_BYTES: usize = 512 * 1024;
const PAGE_BYTES: usize = 1024 * 1024;
/// Things looked at.
const MOST_THINGS: usize = 64;

type Object = Map<String, Value>;

/// The blocks of a page.
#[derive(Default)]
pub(super) struct Json {
    taken: usize,
    blocks: Vec<Value>,
}

impl Json {
    /// Reads the block in a `<script>`.
    pub(super) fn read(&mut self, tree: &Tree, node: NodeId) {
        let text = tree.text_of(node);
        self.taken += text.len();
        if text.len() > BLOCK_BYTES || self.taken > PAGE_BYTES {
            return;
        }
        self.blocks.extend(value(&text));
    }

    pub(super) fn finish(self, about: &mut Draft) {
        let mut things = Vec::new();
        for block in &self.blocks {
            gather(block, &mut things);
        }
        for thing in &things {
            read_thing(thing, &things, about);
        }
    }
}

/// Reads a block as people write it: in comments, with line breaks inside texts.
fn value(text: &str) -> Option<Value> {
    let text: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let text = text.trim().trim_start_matches("//").trim_start();
    let text = text.trim_start_matches("<![CDATA[").trim_start_matches("<!--");
    let text = text.trim().trim_end_matches("//").trim_end_matches("-->").trim_end_matches("]]>");
    let text = text.trim().trim_end_matches("//").trim().trim_end_matches(';');
    serde_json::from_str(text).ok()
}

/// Collects the things that a block is about.
fn gather<'a>(block: &'a Value, things: &mut Vec<&'a Object>) {
    let mut waiting = vec![block];
    while let Some(value) = waiting.pop() {
        if things.len() >= MOST_THINGS {
            return;
        }
        match value {
            Value::Array(list) => waiting.extend(list.iter().take(MOST_THINGS).rev()),
            Value::Object(thing) => {
                things.push(thing);
                waiting.extend(["@graph", "mainEntity"].iter().filter_map(|key| thing.get(*key)));
            }
            _ => {}
        }
    }
}

fn read_thing(thing: &Object, things: &[&Object], about: &mut Draft) {
    let kinds: Vec<&str> = texts(thing.get("@type")).collect();
    let is = |name: &str| kinds.contains(&name);
    if is("WebSite") {
        return texts(thing.get("name"))
            .take(1)
            .for_each(|name| about.site_name(name, Rank::Social));
    }
    if is("Comment") || is("Review") || is("BreadcrumbList") || is("ImageObject") {
        return;
    }
    let is_owner = is("Organization") || is("Person");
    // Who owns the site stands on each of its pages; it is what the page is about if nothing is.
    if !is_owner || things.len() == 1 {
        kinds.iter().for_each(|kind| about.kind(kind));
    }
    places(thing, about);
    if is_owner {
        return;
    }
    let mut claim = |key: &str, what| {
        let at = texts(thing.get(key)).next().and_then(date::parse);
        about.dates.add(what, at, DateSource::Structured);
    };
    claim("datePublished", What::Published);
    if !thing.contains_key("datePublished") {
        claim("uploadDate", What::Published);
        claim("dateCreated", What::Published);
    }
    claim("dateModified", What::Modified);
    for author in names(thing.get("author").or_else(|| thing.get("creator")), things).iter().take(5)
    {
        about.co_author(author, Rank::Own);
    }
    for publisher in names(thing.get("publisher"), things).iter().take(1) {
        about.site_name(publisher, Rank::Other);
    }
    for text in texts(thing.get("description")).take(1) {
        about.description(text, Rank::Other);
    }
    for tag in texts(thing.get("inLanguage")).take(1) {
        about.language(tag, Rank::Other);
    }
}

/// Returns the texts of a value: itself, or the texts of a list.
fn texts(value: Option<&Value>) -> impl Iterator<Item = &str> {
    let list = match value {
        Some(Value::Array(list)) => list.as_slice(),
        Some(value) => std::slice::from_ref(value),
        None => &[],
    };
    list.iter().take(MOST_THINGS).filter_map(Value::as_str)
}

/// Returns the names of persons: texts, things with a name, or things named elsewhere by their id.
fn names<'a>(value: Option<&'a Value>, things: &[&'a Object]) -> Vec<&'a str> {
    let list = match value {
        Some(Value::Array(list)) => list.as_slice(),
        Some(value) => std::slice::from_ref(value),
        None => &[],
    };
    let name = |value: &'a Value| match value {
        Value::String(name) => Some(name.as_str()),
        Value::Object(thing) => texts(thing.get("name")).next().or_else(|| {
            let id = thing.get("@id")?.as_str()?;
            let named = things.iter().find(|other| {
                other.get("@id").and_then(Value::as_str) == Some(id) && other.contains_key("name")
            })?;
            texts(named.get("name")).next()
        }),
        _ => None,
    };
    list.iter().take(MOST_THINGS).filter_map(name).collect()
}

/// Takes the places of a thing: its own address and point, and where it says that it is.
fn places(thing: &Object, about: &mut Draft) {
    about.place(place(thing));
    for key in ["contentLocation", "location", "spatialCoverage", "jobLocation", "homeLocation"] {
        let list = match thing.get(key) {
            Some(Value::Array(list)) => list.as_slice(),
            Some(value) => std::slice::from_ref(value),
            None => continue,
        };
        for value in list.iter().take(8) {
            match value {
                Value::String(name) => {
                    about.place(Place { name: name.clone(), ..Place::default() });
                }
                Value::Object(inner) => {
                    let mut found = place(inner);
                    let name = texts(inner.get("name")).next().unwrap_or_default();
                    found.name = about::address_line([name, &found.name]);
                    about.place(found);
                }
                _ => {}
            }
        }
    }
}

fn place(thing: &Object) -> Place {
    let mut place = Place::default();
    let number = |value: Option<&Value>| match value {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Number(number)) => number.to_string(),
        _ => String::new(),
    };
    let geo = thing.get("geo").and_then(Value::as_object).unwrap_or(thing);
    place.point = about::point(&number(geo.get("latitude")), &number(geo.get("longitude")));
    let address = match thing.get("address") {
        Some(Value::Array(list)) => list.first(),
        value => value,
    };
    match address {
        Some(Value::String(line)) => place.name = base::limits::cut(line, 1_024).to_owned(),
        Some(Value::Object(parts)) => {
            let part = |key: &str| texts(parts.get(key)).next().unwrap_or_default();
            let line = ["streetAddress", "postalCode", "addressLocality", "addressRegion"];
            place.name = about::address_line(line.map(part));
            let country = match parts.get("addressCountry") {
                Some(Value::Object(country)) => texts(country.get("name")).next(),
                value => value.and_then(Value::as_str),
            };
            place.country = country.and_then(about::country);
        }
        _ => {}
    }
    place
}
