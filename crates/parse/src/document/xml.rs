//! A walk over the XML inside of documents: elements by local name, texts, ends.
//!
//! Prefixes are not looked at; in each kind of part the local names tell enough. No entity is
//! expanded but the five of XML and the numbered ones, and nothing is ever loaded (OFF-04).

use std::ops::ControlFlow;

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use crate::listing;

/// Open elements at which the reading ends.
const MOST_DEPTH: usize = 4_096;
/// Attributes looked at in one tag.
const MOST_ATTRIBUTES: usize = 64;

/// What a walk meets.
pub(super) enum Node<'a> {
    /// An element opens; one without content also closes.
    Open(Tag<'a>),
    /// An element closes.
    Close(&'a str),
    /// Text, entities decoded; one text may come in several pieces.
    Text(&'a str),
}

/// An element that opens.
pub(super) struct Tag<'a> {
    /// Its name without a prefix.
    pub(super) name: &'a str,
    start: &'a BytesStart<'a>,
}

impl Tag<'_> {
    /// Returns the value of the attribute of that local name.
    pub(super) fn attribute(&self, name: &str) -> Option<String> {
        self.find(|key| local(key) == name)
    }

    /// Returns the value of the attribute of that whole name.
    pub(super) fn attribute_of(&self, whole: &str) -> Option<String> {
        self.find(|key| key == whole)
    }

    fn find(&self, is_wanted: impl Fn(&str) -> bool) -> Option<String> {
        let mut attributes = self.start.attributes();
        attributes.with_checks(false);
        let mut found = attributes.take(MOST_ATTRIBUTES).flatten();
        found.find(|found| is_wanted(found.key.0)).map(|found| listing::unescape(&found.value))
    }

    /// Returns whether an on-off element is on: `<b/>`, `<b val="1"/>`, but not `<b val="0"/>`.
    pub(super) fn is_on(&self) -> bool {
        !matches!(self.attribute("val").as_deref(), Some("0" | "false" | "off"))
    }
}

/// An element that is passed over with all it holds.
#[derive(Default)]
pub(super) struct Skipped {
    /// Open elements inside of it, itself included.
    depth: usize,
}

impl Skipped {
    /// Passes over the element that has just opened.
    pub(super) fn begin(&mut self) {
        self.depth = 1;
    }

    /// Returns whether a node belongs to what is passed over.
    pub(super) fn holds(&mut self, node: &Node<'_>) -> bool {
        if self.depth == 0 {
            return false;
        }
        match node {
            Node::Open(_) => self.depth += 1,
            Node::Close(_) => self.depth -= 1,
            Node::Text(_) => {}
        }
        true
    }
}

/// Walks over a text until its end, its first fault, or a break. Cost: linear in its length.
pub(super) fn walk(xml: &str, mut visit: impl FnMut(Node<'_>) -> ControlFlow<()>) {
    let mut reader = Reader::from_str(xml);
    let config = reader.config_mut();
    config.allow_dangling_amp = true;
    config.allow_unmatched_ends = true;
    config.check_end_names = false;
    let mut depth = 0_usize;
    loop {
        let flow = match reader.read_event() {
            Ok(Event::Start(start)) => {
                depth += 1;
                visit(Node::Open(Tag { name: local(start.name().0), start: &start }))
            }
            Ok(Event::Empty(start)) => {
                let name = start.name().0;
                let name = local(name);
                match visit(Node::Open(Tag { name, start: &start })) {
                    ControlFlow::Continue(()) => visit(Node::Close(name)),
                    flow => flow,
                }
            }
            Ok(Event::End(end)) => {
                depth = depth.saturating_sub(1);
                visit(Node::Close(local(end.name().0)))
            }
            Ok(Event::Text(text)) => visit(Node::Text(&text)),
            Ok(Event::CData(text)) => visit(Node::Text(&text)),
            Ok(Event::GeneralRef(name)) => match listing::character(&name) {
                Some(character) => visit(Node::Text(character.encode_utf8(&mut [0; 4]))),
                None => ControlFlow::Continue(()),
            },
            Ok(Event::DocType(_) | Event::Decl(_) | Event::PI(_) | Event::Comment(_)) => {
                ControlFlow::Continue(())
            }
            Ok(Event::Eof) | Err(_) => return,
        };
        if flow.is_break() || depth > MOST_DEPTH {
            return;
        }
    }
}

/// Returns a name without its prefix.
pub(super) fn local(name: &str) -> &str {
    name.rsplit(':').next().unwrap_or(name)
}
