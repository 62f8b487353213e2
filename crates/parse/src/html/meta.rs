//! A second pass over the tree: what the page says of itself, its pictures, and the links that
//! nobody clicks (C8, P8, P9).
//!
//! The walk reads what visitors read; here everything else is looked at, element by element, the
//! cheap checks first. Links found here come behind those of the walk, so that they never push
//! out what a visitor can click.

mod byline;
mod head;
mod items;
mod json;
mod links;
mod pictures;

use base::{DateSource, Joiner, Timestamp};
use html5ever::{LocalName, local_name, ns};

use super::drawing;
use super::tree::{Data, Element, NodeId, Tree};
use crate::about::{Draft, Rank};
use crate::clean::Folded;
use crate::date::claims::{self, What};
use crate::date::words::Order;
use crate::link::Collector;
use crate::{Input, Options, Parsed, date};

/// Adds to `parsed` and `links` what the page says beside its text, which is read already.
pub(super) fn read(
    tree: &Tree,
    input: &Input<'_>,
    options: &Options,
    links: &mut Collector,
    parsed: &mut Parsed,
) {
    let mut reader = Reader {
        tree,
        about: Draft::of_response(input),
        head: head::Head::default(),
        items: items::Items::default(),
        json: json::Json::default(),
        pictures: pictures::Pictures::default(),
        extra: links::Extra::new(links),
        until: parsed.until,
        snippet_chars: parsed.snippet_chars,
        agent: &options.agent,
    };
    reader.run();
    (parsed.until, parsed.snippet_chars) = (reader.until, reader.snippet_chars);
    let Reader { mut about, head, items, json, pictures, .. } = reader;
    json.finish(&mut about);
    items.finish(&mut about);
    let base = links.base_of(input.url);
    let joiner = Joiner::with_rules(base.as_ref().unwrap_or(input.url), options.url_rules);
    parsed.images = pictures.finish(&head, &joiner);
    head.finish(&mut about);
    byline::of_text(&parsed.blocks, &mut about);
    claims::add_visible(&parsed.blocks, Order::of(about.declared()), &mut about.dates);
    about.dates.add_header(input.modified.unwrap_or_default(), input.fetched);
    parsed.about = about.finish(input, &joiner);
}

struct Reader<'a, 'l> {
    tree: &'a Tree,
    agent: &'a str,
    about: Draft,
    head: head::Head<'a>,
    items: items::Items<'a>,
    json: json::Json,
    pictures: pictures::Pictures<'a>,
    extra: links::Extra<'a, 'l>,
    /// From when on the page asks to be left out.
    until: Option<Timestamp>,
    /// How much of its text it allows to be shown.
    snippet_chars: Option<u32>,
}

impl<'a> Reader<'a, '_> {
    /// Goes through the tree in document order by its own links; nothing is kept on the way.
    fn run(&mut self) {
        let tree = self.tree;
        let mut node = tree.root();
        loop {
            let enters = match tree.data(node) {
                Data::Element(element) => self.enter(node, element),
                Data::Root => true,
                Data::Text(_) | Data::Nothing => false,
            };
            if let Some(child) = tree.first_child(node).filter(|_| enters) {
                node = child;
                continue;
            }
            loop {
                self.leave(node);
                if let Some(next) = tree.next(node) {
                    node = next;
                    break;
                }
                let Some(parent) = tree.parent(node) else { return };
                node = parent;
            }
        }
    }

    /// Reads an element; returns whether what it holds is part of the page.
    fn enter(&mut self, node: NodeId, element: &'a Element) -> bool {
        if element.name.ns != ns!(html) {
            return !drawing::is_silent(self.tree, node, element);
        }
        match element.name.local {
            local_name!("meta") => self.meta(element),
            local_name!("link") => self.head.link(element, &mut self.about),
            local_name!("html") => {
                if let Some(tag) = element.attribute(&local_name!("lang")) {
                    self.about.language(tag, Rank::Own);
                }
            }
            local_name!("script") => self.script(node, element),
            local_name!("time") => self.time(node, element),
            local_name!("img") | local_name!("figure") | local_name!("figcaption") => {
                self.pictures.enter(self.tree, node, element);
            }
            _ => {}
        }
        self.extra.enter(node, element);
        for (name, value) in element.attributes() {
            match *name {
                local_name!("class") | local_name!("rel") => {
                    byline::of_element(self.tree, node, value, &mut self.about);
                }
                local_name!("itemprop") | local_name!("itemscope") => {
                    self.items.enter(self.tree, node, element, &mut self.about);
                }
                local_name!("onclick") => self.extra.script(value),
                _ => {}
            }
        }
        element.name.local != local_name!("script")
    }

    fn leave(&mut self, node: NodeId) {
        self.extra.leave(node);
        self.items.leave(node);
        self.pictures.leave(node);
    }

    fn meta(&mut self, element: &'a Element) {
        let Some(content) = element.attribute(&local_name!("content")) else { return };
        let named = [local_name!("name"), local_name!("property"), local_name!("http-equiv")];
        let names = named.iter().filter_map(|name| element.attribute(name));
        // `property` may hold several names.
        for name in names.flat_map(|names| names.split_ascii_whitespace().take(8)) {
            if crate::robots::is_for(name, self.agent) {
                let until = crate::robots::until(content);
                self.until = until.into_iter().chain(self.until).min();
                let chars = crate::robots::snippet_chars(content);
                self.snippet_chars = chars.into_iter().chain(self.snippet_chars).min();
            }
            self.head.meta(name, content, &mut self.about);
        }
    }

    fn script(&mut self, node: NodeId, element: &Element) {
        let kind = element.attribute(&local_name!("type")).unwrap_or_default().trim();
        if kind.eq_ignore_ascii_case("application/ld+json") {
            self.json.read(self.tree, node);
        } else if element.attribute(&local_name!("src")).is_none()
            && (kind.is_empty()
                || kind.eq_ignore_ascii_case("module")
                || kind.to_ascii_lowercase().ends_with("javascript"))
        {
            let mut child = self.tree.first_child(node);
            while let Some(node) = child {
                if let Data::Text(code) = self.tree.data(node) {
                    self.extra.script(code);
                }
                child = self.tree.next(node);
            }
        }
    }

    fn time(&mut self, node: NodeId, element: &Element) {
        let attribute = |name: LocalName| element.attribute(&name);
        // As an item's property it is read as that.
        if attribute(local_name!("itemprop")).is_some() {
            return;
        }
        let class = attribute(local_name!("class")).unwrap_or_default().to_ascii_lowercase();
        let is_change = class.contains("updat") || class.contains("modif");
        let what = if is_change { What::Modified } else { What::Published };
        let at = match attribute(local_name!("datetime")) {
            Some(datetime) => date::parse(datetime),
            None => {
                let text = text_below(self.tree, node, 64);
                let order = Order::of(self.about.declared());
                date::parse(&text).or_else(|| Some(date::words::dates(&text, order).first()?.at))
            }
        };
        let is_said = is_change || class.contains("publi") || class.contains("entry-date");
        let weight = if is_said { 60 } else { 45 };
        self.about.dates.add_weighed(what, at, DateSource::Time, weight);
    }
}

/// Nodes looked at for one short text.
const TEXT_NODES: usize = 64;

/// Returns the text in an element, folded, of at most about `bytes`; scripts and styles left out.
fn text_below(tree: &Tree, root: NodeId, bytes: usize) -> String {
    let mut text = Folded::default();
    let mut node = root;
    for _ in 0..TEXT_NODES {
        let mut enters = false;
        match tree.data(node) {
            Data::Text(piece) => {
                text.push(base::limits::cut(piece, 4 * bytes));
            }
            Data::Element(element) => {
                let name = &element.name.local;
                enters = *name != local_name!("script") && *name != local_name!("style");
                if is_apart(name) {
                    text.space();
                }
            }
            Data::Root | Data::Nothing => {}
        }
        if text.len() >= bytes {
            break;
        }
        if let Some(child) = tree.first_child(node).filter(|_| enters) {
            node = child;
            continue;
        }
        while node != root && tree.next(node).is_none() {
            let Some(parent) = tree.parent(node) else { return text.finish() };
            node = parent;
        }
        match tree.next(node) {
            Some(next) if node != root => node = next,
            _ => break,
        }
    }
    let mut text = text.finish();
    text.truncate(text.floor_char_boundary(bytes));
    text
}

/// Returns whether words before and in an element are apart.
fn is_apart(name: &LocalName) -> bool {
    matches!(
        *name,
        local_name!("div")
            | local_name!("p")
            | local_name!("br")
            | local_name!("li")
            | local_name!("td")
            | local_name!("time")
    )
}

/// Returns whether an attribute is asked for here.
pub(super) fn is_wanted(name: &LocalName) -> bool {
    matches!(
        *name,
        local_name!("action")
            | local_name!("cite")
            | local_name!("datetime")
            | local_name!("height")
            | local_name!("hreflang")
            | local_name!("itemprop")
            | local_name!("itemscope")
            | local_name!("itemtype")
            | local_name!("longdesc")
            | local_name!("method")
            | local_name!("onclick")
            | local_name!("poster")
            | local_name!("property")
            | local_name!("srcset")
            | local_name!("width")
    ) || is_wanted_data(name)
}

/// Of the attributes that pages make up, those that several of them agree on.
fn is_wanted_data(name: &str) -> bool {
    name.starts_with("data-") && (pictures::LAZY.contains(&name) || name == "data-nosnippet")
}
