//! Feeds html5ever's tree builder and keeps its work linear.
//!
//! For most tags html5ever's tree builder searches its stack of open elements, and for each
//! paragraph it re-opens every formatting element left open; both are quadratic on pages made
//! for it (HTM-01, HTM-02). The guard stands between tokeniser and tree builder: it drops start
//! tags that would nest too deep (their text stays), and their end tags with them. What steps the
//! tree builder takes all the same are counted, and reading ends at a limit.
//!
//! Scripts count as running, though we run none: a `<noscript>` is then one text that nobody has
//! read as mark-up, kept apart from the page as its visitors see it. Read as mark-up, a paragraph
//! in it would end the paragraph around it and the element itself with it, and keywords for no
//! visitor would be text of the page; a picture in it would end the head, as on many pages.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;

use html5ever::interface::tree_builder::Tracer;
use html5ever::tokenizer::{Tag, TagKind, Token, TokenSink, TokenSinkResult};
use html5ever::tree_builder::{TreeBuilder, TreeBuilderOpts};
use html5ever::{LocalName, local_name};

use super::tokens::{self, Mode, Rules, Tokenizer};
use super::tree::{Builder, NodeId, Tree};
use crate::Options;

/// Text that is read between two looks at the limits.
const LOOK_BYTES: usize = 8 * 1024;
/// Longest comment that keeps its place in the tree.
const COMMENT_BYTES: usize = 4_096;
/// Start tags between two looks at the stack: looking costs as much as the stack is deep.
const TAGS_PER_LOOK: u32 = 16;
/// Formatting elements left open; more of them only change how text looks.
const FORMATTING: usize = 64;
/// How much deeper than the limit links and raw text elements may stand: dropping them would
/// lose the link, or show the script as text.
const SPARE_DEPTH: usize = 64;

/// Steps of the tree builder after which reading ends: about a second's work. Five megabytes of
/// ordinary pages take a hundredth of it.
const MOST_STEPS: u64 = 200_000_000;
/// Marks that can be passed in the time of one step.
const MARKERS_PER_STEP: u64 = 8;
/// Different names remembered of dropped start tags; an end tag of another one changes nothing.
const DROPPED_NAMES: usize = 1_024;

/// What came of building a tree.
pub(super) struct Built {
    pub(super) tree: Tree,
    /// Whether the rest of the page was left unread, or attributes of a tag.
    pub(super) is_cut: bool,
    /// Whether elements were dropped because they nested too deep.
    pub(super) is_flattened: bool,
    /// What it took: see [`Builder::steps`].
    pub(super) steps: u64,
}

/// Builds the tree of a page within the limits. Cost: linear in the text.
pub(super) fn build(text: &str, options: &Options) -> Built {
    let builder_options = TreeBuilderOpts {
        drop_doctype: true,
        scripting_enabled: true,
        ..TreeBuilderOpts::default()
    };
    let guard = Guard {
        builder: TreeBuilder::new(Builder::new(text.len()), builder_options),
        depth: options.depth,
        look: Cell::default(),
        until_look: Cell::new(TAGS_PER_LOOK),
        is_fresh: Cell::new(false),
        dropped: RefCell::default(),
        is_flattened: Cell::new(false),
        markers: Cell::new(0),
    };
    // A mark before the page is no text of it, though by the standard only the first is none.
    let text = tokens::prepared(text.trim_start_matches('\u{FEFF}'));
    let rules = Rules {
        mode: Mode::Data,
        attributes: options.attributes,
        comment_bytes: COMMENT_BYTES,
        keeps: is_wanted,
    };
    let mut tokenizer = Tokenizer::new(&text, &guard, rules);
    let mut is_cut = false;
    while !is_cut && tokenizer.advance(LOOK_BYTES) {
        let tree = &guard.builder.sink;
        is_cut = tree.size() > options.nodes || tree.steps() > MOST_STEPS;
    }
    tokenizer.end();
    is_cut |= tokenizer.has_lost_attributes();
    let is_flattened = guard.is_flattened.get();
    let steps = guard.builder.sink.steps();
    Built { tree: guard.builder.sink.finish(), is_cut, is_flattened, steps }
}

/// Passes tokens on to the tree builder, but for those that would make it slow.
struct Guard {
    builder: TreeBuilder<NodeId, Builder>,
    depth: usize,
    /// What the last look at the stack showed.
    look: Cell<Look>,
    /// Start tags until the next look.
    until_look: Cell<u32>,
    /// Whether no tag passed since the last look: the stack is still as it was.
    is_fresh: Cell<bool>,
    /// Start tags dropped whose end tags are still to come.
    dropped: RefCell<HashMap<LocalName, u32>>,
    is_flattened: Cell<bool>,
    /// Marks that the tree builder may have put into its list of formatting elements. Tables can
    /// close such an element and leave its mark, and each look passes all of them.
    markers: Cell<u64>,
}

/// Sizes of the tree builder's lists.
#[derive(Clone, Copy, Default)]
struct Look {
    /// Open elements and formatting elements to re-open.
    open: usize,
    /// Formatting elements among them; one that is open counts twice.
    formatting: usize,
}

struct Counter<'a> {
    nodes: &'a Builder,
    look: Cell<Look>,
}

impl Tracer for Counter<'_> {
    type Handle = NodeId;

    fn trace_handle(&self, node: &NodeId) {
        let mut look = self.look.get();
        look.open += 1;
        let formats = self.nodes.is_named(*node, is_formatting);
        look.formatting += usize::from(formats);
        self.look.set(look);
    }
}

impl Guard {
    /// Looks at the stack if enough tags have passed since the last time.
    fn look(&self) -> Look {
        let left = self.until_look.get();
        if left > 0 || self.is_fresh.get() {
            self.until_look.set(left.saturating_sub(1));
            return self.look.get();
        }
        let counter = Counter { nodes: &self.builder.sink, look: Cell::default() };
        self.builder.trace_handles(&counter);
        let look = counter.look.get();
        self.look.set(look);
        self.is_fresh.set(true);
        // Near the limit every tag counts.
        let is_near = look.open + 2 * TAGS_PER_LOOK as usize > self.depth;
        let is_busy = look.formatting > FORMATTING / 2;
        self.until_look.set(if is_near || is_busy { 0 } else { TAGS_PER_LOOK });
        look
    }

    /// Returns whether a start tag may go to the tree builder.
    fn admits(&self, tag: &Tag) -> bool {
        if is_void(&tag.name) {
            return true;
        }
        let look = self.look();
        if is_formatting(&tag.name) && tag.name != local_name!("a") && look.formatting >= FORMATTING
        {
            return false;
        }
        let depth = if is_spared(&tag.name) { self.depth + SPARE_DEPTH } else { self.depth };
        look.open < depth
    }

    /// Returns whether an end tag belongs to a start tag that was dropped.
    fn is_orphan(&self, tag: &Tag) -> bool {
        let mut dropped = self.dropped.borrow_mut();
        match dropped.get_mut(&tag.name) {
            Some(count) if *count > 0 => {
                *count -= 1;
                true
            }
            _ => false,
        }
    }
}

impl Guard {
    /// Returns whether a start tag goes to the tree builder; notes what is dropped.
    fn takes(&self, tag: &Tag) -> bool {
        if !self.admits(tag) {
            self.is_flattened.set(true);
            let mut dropped = self.dropped.borrow_mut();
            let is_known = dropped.len() < DROPPED_NAMES || dropped.contains_key(&tag.name);
            if !tag.self_closing && is_known {
                *dropped.entry(tag.name.clone()).or_default() += 1;
            }
            return false;
        }
        true
    }
}

impl TokenSink for Guard {
    type Handle = NodeId;

    fn process_token(&self, token: Token, line: u64) -> TokenSinkResult<NodeId> {
        if let Token::TagToken(tag) = &token {
            if tag.kind == TagKind::StartTag {
                if !self.takes(tag) {
                    return TokenSinkResult::Continue;
                }
            } else if self.is_flattened.get() && self.is_orphan(tag) {
                return TokenSinkResult::Continue;
            }
            self.markers.set(self.markers.get() + u64::from(leaves_marker(tag)));
            self.builder.sink.add_steps(self.markers.get() / MARKERS_PER_STEP);
        }
        self.is_fresh.set(false);
        self.builder.process_token(token, line)
    }

    fn end(&self) {
        self.builder.end();
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&self) -> bool {
        self.builder.adjusted_current_node_present_but_not_in_html_namespace()
    }
}

/// Returns whether a tag opens an element that may leave a mark among the formatting elements.
fn leaves_marker(tag: &Tag) -> bool {
    tag.kind == TagKind::StartTag
        && matches!(
            tag.name,
            local_name!("applet")
                | local_name!("marquee")
                | local_name!("object")
                | local_name!("template")
        )
}

/// Elements that hold nothing and so never stay open.
fn is_void(name: &LocalName) -> bool {
    matches!(
        *name,
        local_name!("area")
            | local_name!("base")
            | local_name!("br")
            | local_name!("embed")
            | local_name!("hr")
            | local_name!("img")
            | local_name!("input")
            | local_name!("link")
            | local_name!("meta")
            | local_name!("source")
            | local_name!("track")
            | local_name!("wbr")
    )
}

/// Elements that the tree builder re-opens in every paragraph until they are closed.
fn is_formatting(name: &LocalName) -> bool {
    matches!(
        *name,
        local_name!("a")
            | local_name!("b")
            | local_name!("big")
            | local_name!("code")
            | local_name!("em")
            | local_name!("font")
            | local_name!("i")
            | local_name!("nobr")
            | local_name!("s")
            | local_name!("small")
            | local_name!("strike")
            | local_name!("strong")
            | local_name!("tt")
            | local_name!("u")
    )
}

/// Links, and elements whose content is raw text.
fn is_spared(name: &LocalName) -> bool {
    matches!(
        *name,
        local_name!("a")
            | local_name!("script")
            | local_name!("style")
            | local_name!("title")
            | local_name!("textarea")
            | local_name!("iframe")
            | local_name!("noscript")
            | local_name!("noembed")
            | local_name!("noframes")
            | local_name!("xmp")
            | local_name!("plaintext")
            | local_name!("template")
    )
}

/// Attributes that the walk or the tree builder asks for.
pub(super) fn is_wanted(name: &LocalName) -> bool {
    matches!(
        *name,
        local_name!("alt")
            | local_name!("aria-controls")
            | local_name!("aria-expanded")
            | local_name!("aria-haspopup")
            | local_name!("aria-hidden")
            | local_name!("background")
            | local_name!("bgcolor")
            | local_name!("charset")
            | local_name!("class")
            | local_name!("content")
            | local_name!("data")
            | local_name!("encoding")
            | local_name!("hidden")
            | local_name!("href")
            | local_name!("http-equiv")
            | local_name!("id")
            | local_name!("lang")
            | local_name!("link")
            | local_name!("media")
            | local_name!("name")
            | local_name!("open")
            | local_name!("popover")
            | local_name!("rel")
            | local_name!("role")
            | local_name!("src")
            | local_name!("style")
            | local_name!("text")
            | local_name!("title")
            | local_name!("type")
            | local_name!("color")
            | local_name!("face")
            | local_name!("size")
            | local_name!("xlink:href")
    ) || matches!(&**name, "data-target" | "data-bs-target" | "popovertarget")
        || super::meta::is_wanted(name)
}
