//! Links that nobody clicks (C8): quotations, descriptions, players, forms without fields, scripts.
//!
//! A form is a link only if it is sent by GET and asks for nothing: what a search box would bring
//! is not on the page. Hidden fields count as asking, because they are mostly sessions.

use base::{LinkKind, Rel};
use html5ever::{LocalName, local_name};

use super::super::tree::{Element, NodeId};
use super::pictures::LAZY;
use crate::link::{Collector, script, srcset};

/// Script text read of one page, in bytes, and addresses taken from it.
const SCRIPT_BYTES: usize = 512 * 1024;
const MOST_SCRIPT_LINKS: usize = 100;

/// Takes links that the walk over the text does not see.
pub(super) struct Extra<'a, 'l> {
    links: &'l mut Collector,
    form: Option<Form<'a>>,
    scripts: usize,
    script_links: usize,
}

struct Form<'a> {
    node: NodeId,
    action: &'a str,
    asks: bool,
}

impl<'a, 'l> Extra<'a, 'l> {
    pub(super) fn new(links: &'l mut Collector) -> Self {
        Self { links, form: None, scripts: 0, script_links: 0 }
    }

    /// Reads an element.
    pub(super) fn enter(&mut self, node: NodeId, element: &'a Element) {
        let attribute = |name: LocalName| element.attribute(&name);
        match element.name.local {
            local_name!("a") | local_name!("area") => {
                let href = attribute(local_name!("href")).unwrap_or_default();
                if let Some(code) = script::in_address(href) {
                    self.script(code);
                }
            }
            local_name!("blockquote")
            | local_name!("q")
            | local_name!("ins")
            | local_name!("del") => self.open(attribute(local_name!("cite")), LinkKind::Related),
            local_name!("img") => {
                self.open(attribute(local_name!("longdesc")), LinkKind::Related);
                self.picture(element);
            }
            local_name!("source") => {
                self.open(attribute(local_name!("src")), LinkKind::Media);
                self.picture(element);
            }
            local_name!("track") => self.open(attribute(local_name!("src")), LinkKind::Media),
            local_name!("video") => self.open(attribute(local_name!("poster")), LinkKind::Media),
            local_name!("form") => self.form(node, element),
            local_name!("input") | local_name!("select") | local_name!("textarea") => {
                self.field(element);
            }
            _ => {}
        }
    }

    pub(super) fn leave(&mut self, node: NodeId) {
        if self.form.as_ref().is_some_and(|form| form.node == node)
            && let Some(form) = self.form.take()
            && !form.asks
        {
            self.open(Some(form.action), LinkKind::Related);
        }
    }

    /// Takes the addresses that a piece of script sends its visitor to.
    pub(super) fn script(&mut self, code: &str) {
        let room = SCRIPT_BYTES.saturating_sub(self.scripts);
        let code = base::limits::cut(code, room);
        self.scripts += code.len();
        let (links, taken) = (&mut *self.links, &mut self.script_links);
        script::targets(code, |target| {
            if *taken < MOST_SCRIPT_LINKS {
                *taken += 1;
                links.open(target, LinkKind::Script, Rel::default());
            }
        });
    }

    fn open(&mut self, target: Option<&str>, kind: LinkKind) {
        if let Some(target) = target {
            self.links.open(target, kind, Rel::default());
        }
    }

    /// Takes the picture behind a placeholder, and the largest of several sizes.
    fn picture(&mut self, element: &Element) {
        for (name, value) in element.attributes() {
            let target = if *name == local_name!("srcset") || &**name == "data-srcset" {
                srcset::largest(value)
            } else if LAZY.contains(&&**name) {
                Some(value)
            } else {
                None
            };
            self.open(target, LinkKind::Media);
        }
    }

    fn form(&mut self, node: NodeId, element: &'a Element) {
        let method = element.attribute(&local_name!("method")).unwrap_or("get").trim();
        if let Some(action) = element.attribute(&local_name!("action"))
            && method.eq_ignore_ascii_case("get")
        {
            self.form = Some(Form { node, action, asks: false });
        }
    }

    fn field(&mut self, element: &Element) {
        let Some(form) = &mut self.form else { return };
        let kind = element.attribute(&local_name!("type")).unwrap_or_default().trim();
        let is_button = ["submit", "button", "image", "reset"];
        form.asks |= element.name.local != local_name!("input")
            || !is_button.iter().any(|name| kind.eq_ignore_ascii_case(name));
    }
}
