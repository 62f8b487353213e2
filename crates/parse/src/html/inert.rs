//! Goes through the tree of a page and writes what is harmless of it.

use base::{Rules, Url};
use html5ever::{LocalName, local_name, ns};

use super::guard;
use super::hidden::{self, Seen};
use super::tree::{Data, Element, NodeId, Tree};
use crate::inert::Writer;
use crate::{Input, Options};

/// Longest value of an attribute that is passed on.
const VALUE_BYTES: usize = 4 * 1024;

/// What becomes of an element.
enum Fate {
    /// It is written, under this name.
    Kept(&'static str),
    /// It is written and has no inside.
    Single(&'static str),
    /// Its description stands in its place.
    Picture,
    /// Only what is in it stays.
    Opened,
    /// It goes, with all that is in it.
    Dropped,
}

/// Writes a page; returns whether some of it was left out. Needs no stack, however deep the page
/// nests.
pub(crate) fn write(
    text: &str,
    input: &Input<'_>,
    options: &Options,
    writer: &mut Writer<'_>,
) -> bool {
    let built = guard::build(text, options);
    let tree = &built.tree;
    let seen = hidden::judge(tree);
    let pass = Pass { tree, seen: &seen, base: base(tree, input), rules: options.url_rules };
    // The next sibling at each depth, and what is to be closed when there is none.
    let mut open: Vec<(Option<NodeId>, Option<&'static str>)> =
        vec![(tree.first_child(tree.root()), None)];
    while let Some((next, close)) = open.last_mut() {
        let Some(node) = *next else {
            if let Some(name) = *close {
                writer.close(name);
            }
            open.pop();
            continue;
        };
        *next = tree.next(node);
        if writer.is_full() {
            *next = None;
            continue;
        }
        if let Some(name) = pass.visit(node, writer) {
            open.push((tree.first_child(node), name));
        }
    }
    built.is_cut || writer.is_full()
}

struct Pass<'a> {
    tree: &'a Tree,
    seen: &'a Seen,
    base: Url,
    rules: Rules,
}

impl Pass<'_> {
    /// Writes a node; returns the name to close if its inside is to be visited.
    fn visit(&self, node: NodeId, writer: &mut Writer<'_>) -> Option<Option<&'static str>> {
        match self.tree.data(node) {
            Data::Text(text) if !self.seen.is_veiled(node) => {
                writer.text(text);
                None
            }
            Data::Element(element) if !self.seen.is_veiled(node) => self.element(element, writer),
            Data::Text(_) | Data::Element(_) | Data::Nothing | Data::Root => None,
        }
    }

    fn element(&self, element: &Element, writer: &mut Writer<'_>) -> Option<Option<&'static str>> {
        match fate(element) {
            Fate::Dropped => None,
            Fate::Opened => Some(None),
            Fate::Single(name) => {
                writer.open(name);
                None
            }
            Fate::Picture => {
                let alt = value(element, &local_name!("alt")).unwrap_or_default().trim();
                if !alt.is_empty() {
                    writer.open_with("span", &[("class", "picture")]);
                    writer.text(alt);
                    writer.close("span");
                }
                None
            }
            Fate::Kept(name) => {
                let target = (name == "a").then(|| self.target(element)).flatten();
                let mut attributes = Vec::new();
                if let Some(target) = &target {
                    attributes.push(("href", target.as_str()));
                    attributes.push(("rel", "noopener noreferrer nofollow"));
                }
                let titles = [("lang", local_name!("lang")), ("title", local_name!("title"))];
                for (name, attribute) in &titles {
                    attributes.extend(value(element, attribute).map(|value| (*name, value)));
                }
                writer.open_with(name, &attributes);
                Some(Some(name))
            }
        }
    }

    /// Returns where a link leads, if it is to the web.
    fn target(&self, element: &Element) -> Option<Url> {
        let reference = value(element, &local_name!("href"))?;
        self.base.join_with(reference, self.rules).ok()
    }
}

fn value<'a>(element: &'a Element, name: &LocalName) -> Option<&'a str> {
    element.attribute(name).filter(|value| value.len() <= VALUE_BYTES)
}

/// Returns what addresses are relative to: the first `<base>` that is an address of the web.
fn base(tree: &Tree, input: &Input<'_>) -> Url {
    let bases = tree.elements().filter(|(_, element)| {
        element.name.local == local_name!("base") && element.name.ns == ns!(html)
    });
    let mut targets =
        bases.filter_map(|(_, element)| input.url.join(value(element, &local_name!("href"))?).ok());
    targets.next().unwrap_or_else(|| input.url.clone())
}

/// Returns what becomes of an element. Names are written from here, never as they came.
fn fate(element: &Element) -> Fate {
    if element.name.ns == ns!(mathml) {
        return Fate::Opened;
    }
    if element.name.ns != ns!(html) {
        return Fate::Dropped;
    }
    let name = &*element.name.local;
    if let Some(known) = KEPT.iter().find(|known| **known == name) {
        return Fate::Kept(known);
    }
    match name {
        "br" => Fate::Single("br"),
        "hr" => Fate::Single("hr"),
        "wbr" => Fate::Single("wbr"),
        "img" | "area" => Fate::Picture,
        name if DROPPED.contains(&name) => Fate::Dropped,
        _ => Fate::Opened,
    }
}

/// Elements that are written. None of them runs, loads, sends, or holds raw text.
const KEPT: [&str; 57] = [
    "a",
    "abbr",
    "address",
    "article",
    "aside",
    "b",
    "bdi",
    "blockquote",
    "caption",
    "cite",
    "code",
    "dd",
    "del",
    "dfn",
    "div",
    "dl",
    "dt",
    "em",
    "figcaption",
    "figure",
    "footer",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "header",
    "i",
    "ins",
    "kbd",
    "li",
    "mark",
    "nav",
    "ol",
    "p",
    "pre",
    "q",
    "s",
    "samp",
    "section",
    "small",
    "span",
    "strong",
    "sub",
    "sup",
    "table",
    "tbody",
    "td",
    "tfoot",
    "th",
    "thead",
    "time",
    "tr",
    "u",
    "ul",
    "var",
];

/// Elements that go with all that is in them: what is in them is no text of the page.
const DROPPED: [&str; 30] = [
    "applet",
    "audio",
    "base",
    "basefont",
    "bgsound",
    "canvas",
    "datalist",
    "embed",
    "fencedframe",
    "frame",
    "frameset",
    "head",
    "iframe",
    "input",
    "link",
    "meta",
    "noembed",
    "noframes",
    "noscript",
    "object",
    "plaintext",
    "script",
    "select",
    "slot",
    "style",
    "template",
    "textarea",
    "title",
    "video",
    "xmp",
];
