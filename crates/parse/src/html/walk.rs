//! One pass over the tree: text into blocks, links with their anchors, title, robots wishes.

use base::limits::TITLE_CHARS;
use base::{LinkKind, Oddity, Rel, Zone};
use html5ever::{LocalName, local_name, ns};
use text::Language;

use super::drawing::{self, Part};
use super::hidden::Seen;
use super::regions::RegionId;
use super::tree::{Data, Element, NodeId, Tree};
use super::zones::{Blocks, Finished, Place};
use crate::link::{self, Collector, LinkRef, script};
use crate::{Options, Parsed, clean, robots};

mod class;
mod element;
mod unquotable;

pub(super) use class::Marks;
use element::{Flow, flow};

/// Code of one element that is looked at, in bytes, and links of scripts that have anchors.
const SCRIPT_BYTES: usize = 4 * 1024;
const MOST_SCRIPT_LINKS: usize = 100;

/// Reads the tree into `parsed` and `links`; returns the language that the page declares.
pub(super) fn walk(
    tree: &Tree,
    seen: &Seen,
    options: &Options,
    links: &mut Collector,
    parsed: &mut Parsed,
) -> Option<Language> {
    let mut walk = Walk {
        tree,
        seen,
        options,
        links,
        parsed,
        blocks: Blocks::new(options),
        declared: None,
        title: None,
        breaks: 0,
        scripts: 0,
    };
    walk.run();
    walk.finish()
}

/// What an element hands down to what it holds.
#[derive(Clone, Copy)]
struct Context {
    zone: Zone,
    region: RegionId,
    link: Option<LinkRef>,
    is_hidden: bool,
    is_folded: bool,
    /// In `<head>`, where `<link rel=canonical>` counts.
    is_head: bool,
    /// In `<article>`, `<main>` or `<section>`, whose `<header>` is not the page's.
    is_article: bool,
    is_emphasised: bool,
    /// In `<pre>`, where empty lines part paragraphs.
    is_pre: bool,
    /// Between the shapes of a drawing, where letters are not painted.
    is_drawing: bool,
    /// In `data-nosnippet`: found, but not shown.
    is_unquotable: bool,
}

/// An open element: its next child, and what is to be done when it closes.
struct Frame {
    next: Option<NodeId>,
    context: Context,
    ends_block: bool,
}

struct Walk<'a> {
    tree: &'a Tree,
    seen: &'a Seen,
    options: &'a Options,
    links: &'a mut Collector,
    parsed: &'a mut Parsed,
    blocks: Blocks,
    declared: Option<Language>,
    title: Option<String>,
    /// `<br>` elements since the last text.
    breaks: usize,
    /// Links of scripts so far.
    scripts: usize,
}

impl Walk<'_> {
    /// Goes through the tree in document order with a stack of its own: pages may nest deeper
    /// than a thread's stack.
    fn run(&mut self) {
        let context = Context {
            zone: Zone::Body,
            region: RegionId::PAGE,
            link: None,
            is_hidden: false,
            is_folded: false,
            is_head: false,
            is_article: false,
            is_emphasised: false,
            is_pre: false,
            is_drawing: false,
            is_unquotable: false,
        };
        let next = self.tree.first_child(self.tree.root());
        let mut frames = vec![Frame { next, context, ends_block: true }];
        while let Some(frame) = frames.last_mut() {
            let Some(node) = frame.next else {
                if frame.ends_block {
                    let context = frame.context;
                    self.border(context);
                }
                frames.pop();
                continue;
            };
            frame.next = self.tree.next(node);
            let context = frame.context;
            match self.tree.data(node) {
                Data::Text(text) => self.text(text, context),
                Data::Element(element) => frames.extend(self.element(node, element, context)),
                Data::Root | Data::Nothing => {}
            }
        }
    }

    fn finish(self) -> Option<Language> {
        let Finished { blocks, emphasis, is_cut } = self.blocks.finish();
        self.parsed.emphasis = emphasis;
        if is_cut {
            self.parsed.oddities.push(Oddity::TextCut);
        }
        let most = self.options.title_chars;
        let title = self.title.map(|title| clean::title(&title, most));
        let heading = || blocks.iter().find(|block| block.zone == Zone::Heading);
        self.parsed.title = title.filter(|title| !title.is_empty()).unwrap_or_else(|| {
            heading().map(|block| clean::title(&block.text, most)).unwrap_or_default()
        });
        unquotable::clip(&mut self.parsed.unquotable, &blocks);
        self.parsed.blocks = blocks;
        self.declared
    }

    fn text(&mut self, text: &str, context: Context) {
        if context.is_hidden || context.is_head || context.is_drawing {
            return;
        }
        if self.breaks > 0 && !text.trim_ascii().is_empty() {
            // Two breaks in a row are how old pages write paragraphs.
            if self.breaks > 1 {
                self.border(context);
            }
            self.breaks = 0;
        }
        if !context.is_pre {
            return self.piece(text, context);
        }
        let mut paragraphs = text.split("\n\n");
        self.piece(paragraphs.next().unwrap_or_default(), context);
        for paragraph in paragraphs {
            self.border(context);
            self.piece(paragraph, context);
        }
    }

    fn piece(&mut self, text: &str, context: Context) {
        let Context { zone, region, link, is_emphasised, .. } = context;
        let zone = if context.is_folded { Zone::Folded } else { zone };
        let place = Place { zone, region, is_linked: link.is_some(), is_emphasised };
        let span = self.blocks.text(text, place);
        if context.is_unquotable {
            unquotable::note(self.parsed, span);
        }
        if let Some(link) = link {
            self.links.text(link, text);
            if let Some(span) = span {
                self.links.place(link, span);
            }
        }
    }

    /// Ends a block; a link that goes on has a border between words there.
    fn border(&mut self, context: Context) {
        self.blocks.end_block();
        if let Some(link) = context.link {
            self.links.space(link);
        }
    }

    /// Reads an element; returns the frame of its children if they are part of the page.
    fn element(&mut self, node: NodeId, element: &Element, outer: Context) -> Option<Frame> {
        let mut context = outer;
        let name = &element.name.local;
        let flow = if element.name.ns == ns!(svg) {
            self.drawing(node, element, &mut context)?
        } else {
            flow(name)
        };
        match flow {
            Flow::Skip => {
                self.meta(node, element, outer);
                return None;
            }
            Flow::Void => {
                self.void(element, outer);
                return None;
            }
            Flow::Block => self.border(outer),
            Flow::Inline => {}
        }
        context.is_hidden = self.seen.is_hidden(node);
        context.is_folded = self.seen.is_folded(node);
        context.is_head |= *name == local_name!("head");
        context.is_unquotable |= unquotable::is_marked(element);
        self.place(element, &mut context, flow);
        if *name == local_name!("a")
            && let Some(href) = element.attribute(&local_name!("href"))
        {
            let rel = element.attribute(&local_name!("rel")).map(link::rel);
            let mut rel = rel.unwrap_or_default();
            // Nobody vouches for what nobody sees.
            rel.nofollow |= self.seen.is_veiled(node);
            context.link = self.links.open(href, LinkKind::Anchor, rel);
        }
        // Not boxes: a whole table that can be clicked is no anchor.
        if (flow == Flow::Inline || *name == local_name!("button"))
            && let Some(link) = self.script_link(element, context.link)
        {
            context.link = Some(link);
        }
        if *name == local_name!("html")
            && let Some(tag) = element.attribute(&local_name!("lang"))
        {
            self.declared = Language::parse(tag);
        }
        let ends_block = flow == Flow::Block;
        Some(Frame { next: self.tree.first_child(node), context, ends_block })
    }

    /// Takes the address that a script opens when an element is clicked, so that its text becomes
    /// the anchor. An address that needs no script comes first.
    fn script_link(&mut self, element: &Element, opened: Option<LinkRef>) -> Option<LinkRef> {
        let href = element.attribute(&local_name!("href")).filter(|_| is_link(element));
        let in_href = href.and_then(script::in_address);
        let is_free = opened.is_none() || in_href.is_some();
        let on_click = element.attribute(&local_name!("onclick")).filter(|_| is_free);
        let mut first = None;
        for code in in_href.into_iter().chain(on_click) {
            script::targets(base::limits::cut(code, SCRIPT_BYTES), |target| {
                first.get_or_insert_with(|| target.to_owned());
            });
        }
        if first.is_none() || self.scripts >= MOST_SCRIPT_LINKS {
            return None;
        }
        self.scripts += 1;
        self.links.open(&first?, LinkKind::Script, Rel::default())
    }

    /// Reads an element of a drawing; returns how it stands in the flow, if it paints any text.
    fn drawing(&self, node: NodeId, element: &Element, context: &mut Context) -> Option<Flow> {
        if drawing::is_silent(self.tree, node, element) {
            return None;
        }
        match drawing::part(&element.name.local) {
            Part::Line => (context.zone, context.is_drawing) = (Zone::Caption, false),
            Part::Page => context.is_drawing = false,
            part => {
                context.is_drawing |= part == Part::Drawing;
                return Some(Flow::Inline);
            }
        }
        Some(Flow::Block)
    }

    /// Says which part of the page an element's content is.
    fn place(&mut self, element: &Element, context: &mut Context, flow: Flow) {
        let name = &element.name.local;
        if let Some(zone) = element::zone(name) {
            context.zone = zone;
        }
        context.is_article |= element::is_article(name);
        context.is_emphasised |= element::is_emphasis(name);
        context.is_pre |= *name == local_name!("pre");
        if flow == Flow::Block && self.options.finds_main {
            let looks = element::looks(element, context.is_article);
            context.region = self.blocks.open(context.region, looks);
        }
        if element::is_main(element) {
            self.blocks.mark_main(context.region);
        }
    }

    /// Reads an element that is not shown: title, meta, link, base, frames, players.
    fn meta(&mut self, node: NodeId, element: &Element, context: Context) {
        let attribute = |name: LocalName| element.attribute(&name);
        match element.name.local {
            local_name!("title") if self.title.is_none() => {
                let text = self.tree.text_of(node);
                // A title of blanks is no title; the next one may be.
                if !clean::title(&text, 16).is_empty() {
                    self.title = Some(base::limits::cut(&text, 16 * TITLE_CHARS).to_owned());
                }
            }
            local_name!("iframe") => {
                self.blocks.counts(context.region).embeds += 1;
                if let Some(src) = attribute(local_name!("src")) {
                    self.links.open(src, LinkKind::Frame, Rel::default());
                }
            }
            local_name!("object") | local_name!("video") | local_name!("audio") => {
                self.media(element);
                self.sources(node);
            }
            _ => {}
        }
    }

    /// Takes the `<source>` elements of a player; what else it holds is shown only without one.
    fn sources(&mut self, node: NodeId) {
        let mut child = self.tree.first_child(node);
        while let Some(node) = child {
            if let Data::Element(element) = self.tree.data(node)
                && element.name.local == local_name!("source")
                && let Some(src) = element.attribute(&local_name!("src"))
            {
                self.links.open(src, LinkKind::Media, Rel::default());
            }
            child = self.tree.next(node);
        }
    }

    /// Reads an element without content.
    fn void(&mut self, element: &Element, context: Context) {
        let attribute = |name: LocalName| element.attribute(&name);
        match element.name.local {
            local_name!("br") => {
                self.blocks.space();
                self.breaks += 1;
                if let Some(link) = context.link {
                    self.links.space(link);
                }
            }
            local_name!("hr") => self.border(context),
            local_name!("img") => self.picture(element, context),
            local_name!("area") => {
                if let Some(href) = attribute(local_name!("href")) {
                    let rel = attribute(local_name!("rel")).map(link::rel).unwrap_or_default();
                    let link = self.links.open(href, LinkKind::Anchor, rel);
                    if let Some((link, alt)) = link.zip(attribute(local_name!("alt"))) {
                        self.links.text(link, alt);
                    }
                    if let Some((link, here)) = link.zip(self.blocks.here()) {
                        self.links.place(link, here);
                    }
                }
            }
            local_name!("frame") => {
                if let Some(src) = attribute(local_name!("src")) {
                    self.links.open(src, LinkKind::Frame, Rel::default());
                }
            }
            local_name!("base") => {
                if let Some(href) = attribute(local_name!("href")) {
                    self.links.base(href);
                }
            }
            local_name!("link") => self.link(element, context),
            local_name!("meta") => self.wish(element),
            local_name!("embed") => self.media(element),
            local_name!("input") => self.blocks.counts(context.region).inputs += 1,
            _ => {}
        }
    }

    fn picture(&mut self, element: &Element, context: Context) {
        let alt = element.attribute(&local_name!("alt")).unwrap_or_default();
        if let Some(link) = context.link.filter(|_| !context.is_hidden) {
            self.links.space(link);
            self.links.text(link, alt);
            self.links.space(link);
            if let Some(here) = self.blocks.here() {
                self.links.place(link, here);
            }
        }
        if !context.is_hidden {
            self.blocks.counts(context.region).images += 1;
            self.blocks.alternative(alt, context.region);
        }
        if let Some(src) = element.attribute(&local_name!("src"))
            && let Some(link) = self.links.open(src, LinkKind::Media, Rel::default())
        {
            self.links.text(link, alt);
        }
    }

    fn media(&mut self, element: &Element) {
        let source = match element.name.local {
            local_name!("embed") | local_name!("video") | local_name!("audio") => {
                local_name!("src")
            }
            local_name!("object") => local_name!("data"),
            _ => return,
        };
        if let Some(source) = element.attribute(&source) {
            self.links.open(source, LinkKind::Media, Rel::default());
        }
    }

    fn link(&mut self, element: &Element, context: Context) {
        let rel = element.attribute(&local_name!("rel")).unwrap_or_default();
        let Some(href) = element.attribute(&local_name!("href")) else { return };
        // In the body anyone who may comment could write one.
        if context.is_head
            && let Some(kind) = link::kind_of_rel(rel)
        {
            self.links.open(href, kind, Rel::default());
        }
    }

    fn wish(&mut self, element: &Element) {
        let Some(content) = element.attribute(&local_name!("content")) else { return };
        if let Some(name) = element.attribute(&local_name!("name"))
            && robots::is_for(name, &self.options.agent)
        {
            robots::add(content, &mut self.parsed.robots);
        }
        let Some(kind) = element.attribute(&local_name!("http-equiv")) else { return };
        if kind.trim().eq_ignore_ascii_case("refresh") {
            if let Some((target, kind)) = link::refresh(content) {
                self.links.open(target, kind, Rel::default());
            }
        } else if kind.trim().eq_ignore_ascii_case("content-language") {
            self.declared = self.declared.or_else(|| Language::parse(content));
        }
    }
}

fn is_link(element: &Element) -> bool {
    element.name.local == local_name!("a")
}
