//! The pass through the tree with the styles in force.

use base::HiddenReason;
use html5ever::tendril::StrTendril;
use html5ever::{local_name, ns};

use super::colour::{self, Paint};
use super::fold::Folds;
use super::sample::Samples;
use super::selector;
use super::style::{Declared, Ink, Size, Style};
use super::{Look, Seen, Sight, is_raw};
use crate::html::tree::{Data, Element, NodeId, Tree};

/// Classes of one element that are looked up.
const CLASSES: usize = 32;
/// Letters of this size or smaller cannot be read, in pixels.
const TINY: f32 = 1.0;

/// Goes through the tree once.
pub(super) fn run(tree: &Tree, look: Look) -> Seen {
    let mut pass = Pass {
        tree,
        folds: Folds::new(tree),
        samples: Samples::default(),
        sights: vec![Sight::Shown; tree.num_nodes()],
        names: Vec::new(),
        link: Paint::LINK,
        look,
    };
    pass.run();
    Seen { sights: pass.sights, hidden: pass.samples.finish() }
}

/// What is in force inside an element.
#[derive(Clone, Copy)]
struct State {
    colour: Paint,
    background: Paint,
    /// Size of letters in pixels.
    size: f32,
    has_shadow: bool,
    /// How the box is seen that it stands in.
    inside: Sight,
    /// How it is seen for `visibility`, which what stands inside may set back.
    visibility: Sight,
}

impl State {
    /// Returns how text here is seen.
    fn sight(&self) -> Sight {
        let boxed = if self.inside == Sight::Shown { self.visibility } else { self.inside };
        if matches!(boxed, Sight::Hidden(_) | Sight::Aside) {
            boxed
        } else if self.size <= TINY {
            Sight::Hidden(HiddenReason::Tiny)
        } else if !self.has_shadow && self.colour.vanishes_on(self.background) {
            Sight::Hidden(HiddenReason::Colour)
        } else {
            boxed
        }
    }
}

/// An open element.
struct Frame {
    next: Option<NodeId>,
    state: State,
    /// Where its names begin among those of all open elements.
    names: usize,
    /// Whether it is a closed `<details>`, of which only the `<summary>` is seen.
    is_closed: bool,
}

struct Pass<'a> {
    tree: &'a Tree,
    look: Look,
    folds: Folds<'a>,
    samples: Samples,
    sights: Vec<Sight>,
    /// Names of the open elements that rules ask for.
    names: Vec<u32>,
    /// Colour of links.
    link: Paint,
}

impl Pass<'_> {
    fn run(&mut self) {
        // Where a foreign sheet may have painted the page, its colours are not known.
        let is_known = !self.look.has_foreign_style;
        let state = State {
            colour: if is_known { Paint::BLACK } else { Paint::Unknown },
            background: if is_known { Paint::WHITE } else { Paint::Unknown },
            size: 16.0,
            has_shadow: false,
            inside: Sight::Shown,
            visibility: Sight::Shown,
        };
        let next = self.tree.first_child(self.tree.root());
        let mut frames = vec![Frame { next, state, names: 0, is_closed: false }];
        while let Some(frame) = frames.last_mut() {
            let Some(node) = frame.next else {
                self.look.sheet.leave(&self.names[frame.names..]);
                self.names.truncate(frame.names);
                frames.pop();
                continue;
            };
            frame.next = self.tree.next(node);
            match self.tree.data(node) {
                Data::Text(text) => self.text(node, text, frame.state.sight()),
                Data::Element(element) => {
                    let outer = (frame.state, frame.names, frame.is_closed);
                    frames.extend(self.element(node, element, outer));
                }
                Data::Root | Data::Nothing => {}
            }
        }
    }

    fn text(&mut self, node: NodeId, text: &StrTendril, sight: Sight) {
        self.sights[node.index()] = sight;
        match sight {
            Sight::Hidden(reason) => self.samples.push(reason, text),
            Sight::Aside => self.samples.push(HiddenReason::Folded, text),
            Sight::Shown | Sight::Folded => {}
        }
    }

    fn element(
        &mut self,
        node: NodeId,
        element: &Element,
        (outer, parent_names, is_closed): (State, usize, bool),
    ) -> Option<Frame> {
        if element.name.local == local_name!("noscript") {
            if let Some(Data::Text(text)) = self.tree.first_child(node).map(|n| self.tree.data(n)) {
                self.samples.noscript(text);
            }
            return None;
        }
        if is_raw(self.tree, node, element) {
            return None;
        }
        let names = self.names.len();
        let (style, opens, has_names) = self.style(element, parent_names);
        let mut state = self.inherit(element, &style, outer, has_names);
        if state.inside == Sight::Shown {
            state.inside = self.judge(node, element, &style, opens);
            let is_summary = element.name.local == local_name!("summary");
            if is_closed && !is_summary && state.inside == Sight::Shown {
                state.inside = self.folds.judge(node, element, HiddenReason::NotShown, true);
            }
        }
        if let Some(visible) = style.visible {
            state.visibility = match visible {
                _ if is_page(element) => Sight::Shown,
                true => Sight::Shown,
                false => self.folds.judge(node, element, HiddenReason::NotShown, opens),
            };
        }
        self.sights[node.index()] = state.sight();
        if !matches!(state.sight(), Sight::Shown) {
            self.samples.space();
        }
        self.look.sheet.enter(&self.names[names..]);
        let is_closed = element.name.local == local_name!("details")
            && element.attribute(&local_name!("open")).is_none();
        Some(Frame { next: self.tree.first_child(node), state, names, is_closed })
    }

    /// Returns the style of an element, whether a rule of another state would show it, and
    /// whether a foreign sheet could name it. Leaves its names behind those of its parents.
    fn style(&mut self, element: &Element, parent_names: usize) -> (Style, bool, bool) {
        let sheet = &mut self.look.sheet;
        let has_rules = !sheet.is_empty();
        let own = self.names.len();
        let mut inline = Declared::default();
        let mut has_names = false;
        if has_rules {
            self.names.extend(sheet.known(selector::ANY));
            self.names.extend(sheet.known(selector::of_element(&element.name.local)));
        }
        for attribute in element.raw_attributes() {
            let value = &attribute.value;
            match attribute.name.local {
                local_name!("style") => inline = Declared::parse(value),
                local_name!("id") => {
                    has_names = true;
                    if has_rules {
                        self.names.extend(sheet.known(selector::of_id(value)));
                    }
                }
                local_name!("class") => {
                    has_names = true;
                    if has_rules {
                        let classes = value.split_ascii_whitespace().take(CLASSES);
                        let hashes = classes.map(selector::of_class);
                        self.names.extend(hashes.filter_map(|hash| sheet.known(hash)));
                    }
                }
                _ => {}
            }
        }
        let (parent, own) = self.names[parent_names..].split_at(own - parent_names);
        let mut style = Style::default();
        if own.is_empty() {
            style.overlay(&inline.normal);
            style.overlay(&inline.important);
            return (style, false, has_names);
        }
        let said = sheet.ask(own, parent);
        for part in [&said.normal, &inline.normal, &said.important, &inline.important] {
            style.overlay(part);
        }
        let is_out = style != Style::default();
        (style, is_out && sheet.opens(own, parent), has_names)
    }

    /// Returns what is in force inside an element, but for the box it makes.
    fn inherit(&mut self, element: &Element, style: &Style, outer: State, names: bool) -> State {
        let mut state = outer;
        // A foreign sheet may paint whatever it can name.
        if names && self.look.has_foreign_style {
            (state.colour, state.background) = (Paint::Unknown, Paint::Unknown);
        }
        if element.name.ns == ns!(html) {
            self.attributes(element, &mut state);
        } else if element.name.ns == ns!(svg) {
            // Letters are filled, not coloured, and what lies under them are shapes.
            (state.colour, state.background) = (Paint::Unknown, Paint::Unknown);
        }
        match style.colour {
            Some(Ink::Paint(paint)) => state.colour = paint,
            Some(Ink::Inherited) => state.colour = outer.colour,
            None => {}
        }
        match style.background {
            Some(Paint::Clear) => {}
            Some(paint) => state.background = paint,
            // Nobody knows what lies under a box out of the flow.
            None if style.floats == Some(true) => state.background = Paint::Unknown,
            None => {}
        }
        state.size = match style.size {
            Some(Size::Pixels(pixels)) => pixels,
            Some(Size::Times(times)) => outer.size * times,
            None => state.size,
        };
        state.has_shadow = style.has_shadow.unwrap_or(outer.has_shadow);
        state
    }

    /// Colours by attributes, and those that browsers give.
    fn attributes(&mut self, element: &Element, state: &mut State) {
        let value = |name: &html5ever::LocalName| element.attribute(name);
        match element.name.local {
            local_name!("a") if value(&local_name!("href")).is_some() => state.colour = self.link,
            local_name!("font") => {
                if let Some(colour) = value(&local_name!("color")) {
                    state.colour = colour::legacy(colour);
                }
            }
            local_name!("body") => {
                if let Some(colour) = value(&local_name!("text")) {
                    state.colour = colour::legacy(colour);
                }
                if let Some(colour) = value(&local_name!("link")) {
                    self.link = colour::legacy(colour);
                } else if self.look.has_foreign_style {
                    self.link = Paint::Unknown;
                }
            }
            // Controls, marks and headings of tables have colours of their own.
            local_name!("button")
            | local_name!("select")
            | local_name!("input")
            | local_name!("mark") => {
                (state.colour, state.background) = (Paint::Unknown, Paint::Unknown);
            }
            _ => {}
        }
        if let Some(colour) = value(&local_name!("bgcolor")) {
            state.background = colour::legacy(colour);
        }
        if value(&local_name!("background")).is_some() {
            state.background = Paint::Unknown;
        }
    }

    /// Judges the box that an element makes.
    fn judge(&mut self, node: NodeId, element: &Element, style: &Style, opens: bool) -> Sight {
        let mut opens = opens;
        let reason = match out_of_sight(style) {
            // A page that hides itself is shown by its script.
            Some(_) if is_page(element) => return Sight::Shown,
            Some(reason) => reason,
            None => match hidden_by_attribute(element) {
                // An author who styles a hidden box as displayed shows it.
                Some((HiddenReason::Attribute, _)) if style.displays == Some(true) => {
                    return Sight::Shown;
                }
                Some((reason, is_closed)) => {
                    opens |= is_closed;
                    reason
                }
                None => return Sight::Shown,
            },
        };
        self.folds.judge(node, element, reason, opens)
    }
}

/// Returns why a style puts a box out of sight.
fn out_of_sight(style: &Style) -> Option<HiddenReason> {
    let is = |value: Option<bool>| value == Some(true);
    if style.displays == Some(false) || style.opaque == Some(false) {
        Some(HiddenReason::NotShown)
    } else if is(style.is_moved) || is(style.floats) && is(style.is_away) {
        Some(HiddenReason::OffScreen)
    } else if is(style.is_clipped)
        || is(style.is_tight) && (is(style.is_low) || is(style.is_narrow))
    {
        Some(HiddenReason::Clipped)
    } else {
        None
    }
}

/// Returns why attributes put an element out of sight, and whether they say who opens it.
fn hidden_by_attribute(element: &Element) -> Option<(HiddenReason, bool)> {
    if let Some(value) = element.attribute(&local_name!("hidden")) {
        // The browser's own search opens such a box.
        return Some((HiddenReason::Attribute, value.eq_ignore_ascii_case("until-found")));
    }
    let is_dialog = element.name.local == local_name!("dialog");
    if is_dialog && element.attribute(&local_name!("open")).is_none()
        || element.attribute(&local_name!("popover")).is_some()
    {
        return Some((HiddenReason::Attribute, true));
    }
    let aria = element.attribute(&local_name!("aria-hidden"))?;
    let is_hidden = aria.trim_ascii().eq_ignore_ascii_case("true");
    is_hidden.then_some((HiddenReason::AriaHidden, false))
}

fn is_page(element: &Element) -> bool {
    matches!(element.name.local, local_name!("html") | local_name!("body"))
}
