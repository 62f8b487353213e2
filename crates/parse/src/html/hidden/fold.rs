//! Which hidden boxes are honest: closed until a visitor opens them, or meant for screen readers.
//!
//! Nothing here proves honesty; it only says what common components look like. So a box that
//! looks like one and holds a list of search words is still hidden text, and one that passes is
//! found but weighs little. `docs/hidden-text.md` says the same for people.

use std::collections::HashSet;

use base::HiddenReason;
use html5ever::{local_name, ns};

use super::Sight;
use super::text::Counts;
use crate::html::tree::{Data, Element, NodeId, Tree};

/// Nodes looked at for one box, and for all boxes of a page beyond what the page has.
const BOX_NODES: usize = 20_000;
const SPARE_NODES: usize = 100_000;
/// Words that a label for screen readers has at most, and one that stands in a line.
const LABEL_WORDS: usize = 40;
const INLINE_WORDS: usize = 6;
/// Words put out of sight in short pieces (logos, labels) that a page may have without a name.
const PIECE_WORDS: usize = 12;
const PIECES_WORDS: usize = 60;
/// Elements further out whose names are asked too: `<li class=dropdown><ul style=…>`.
const LEVELS: usize = 3;
/// Longest class read.
const CLASS_BYTES: usize = 256;

/// Judges the hidden boxes of one page.
pub(super) struct Folds<'a> {
    tree: &'a Tree,
    /// Ids that a link or a control of the page points to; made when first asked for.
    targets: Option<HashSet<&'a str>>,
    /// Words of the whole page; counted when first asked for.
    all: Option<usize>,
    pieces: usize,
    budget: usize,
}

impl<'a> Folds<'a> {
    pub(super) fn new(tree: &'a Tree) -> Self {
        let budget = 2 * tree.num_nodes() + SPARE_NODES;
        Self { tree, targets: None, all: None, pieces: 0, budget }
    }

    /// Judges a box that is hidden for `reason`; `opens` if a rule shows it in another state.
    pub(super) fn judge(
        &mut self,
        node: NodeId,
        element: &Element,
        reason: HiddenReason,
        opens: bool,
    ) -> Sight {
        let counts = self.count(node, BOX_NODES);
        let words = counts.words;
        let is_line = is_inline(element);
        let folded = if is_line && words <= INLINE_WORDS { Sight::Aside } else { Sight::Folded };
        if reason == HiddenReason::AriaHidden {
            return self.aria(&counts);
        }
        if counts.is_stuffed() {
            return Sight::Hidden(reason);
        }
        if words <= LABEL_WORDS && is_label(element) {
            return folded;
        }
        if opens || self.is_component(node, element) {
            return Sight::Folded;
        }
        let is_piece = matches!(reason, HiddenReason::OffScreen | HiddenReason::Clipped);
        if is_piece && words <= PIECE_WORDS && self.pieces + words <= PIECES_WORDS {
            self.pieces += words;
            return folded;
        }
        // Most of the page in sentences: a script shows it when it has loaded.
        if counts.is_prose() && self.is_most(words) { Sight::Folded } else { Sight::Hidden(reason) }
    }

    /// `aria-hidden` is seen by most: signs and doubles are left out, anything longer is not
    /// what the page reads out, unless it is the page.
    fn aria(&mut self, counts: &Counts) -> Sight {
        if counts.is_stuffed() || !counts.is_prose() {
            Sight::Hidden(HiddenReason::AriaHidden)
        } else if self.is_most(counts.words) {
            Sight::Shown
        } else {
            Sight::Folded
        }
    }

    fn is_most(&mut self, words: usize) -> bool {
        if self.all.is_none() {
            self.all = Some(self.count(self.tree.root(), BOX_NODES).words);
        }
        self.all.is_some_and(|all| words * 2 > all)
    }

    /// Counts the text of a subtree, in bounds.
    fn count(&mut self, top: NodeId, most: usize) -> Counts {
        let mut counts = Counts::default();
        let mut left = most.min(self.budget);
        let start = left;
        let mut lists: Vec<NodeId> = Vec::new();
        let mut here = top;
        'walk: while left > 0 {
            left -= 1;
            let mut below = None;
            match self.tree.data(here) {
                Data::Text(text) => counts.add(text, !lists.is_empty()),
                Data::Element(element) if super::is_raw(self.tree, here, element) => {}
                Data::Element(element) => {
                    below = self.tree.first_child(here);
                    if below.is_some() && is_list(element) {
                        lists.push(here);
                    }
                }
                Data::Root => below = self.tree.first_child(here),
                Data::Nothing => {}
            }
            if let Some(below) = below {
                here = below;
                continue;
            }
            loop {
                if here == top {
                    break 'walk;
                }
                if let Some(next) = self.tree.next(here) {
                    here = next;
                    break;
                }
                let Some(parent) = self.tree.parent(here) else { break 'walk };
                if lists.last() == Some(&parent) {
                    lists.pop();
                }
                here = parent;
            }
        }
        self.budget -= start - left;
        counts
    }

    /// Returns whether a box looks like something that a visitor opens.
    fn is_component(&mut self, node: NodeId, element: &Element) -> bool {
        if is_target_by_itself(element) || self.is_target(element) || self.has_control(node) {
            return true;
        }
        let mut here = Some(node);
        for _ in 0..LEVELS {
            let Some(Data::Element(element)) = here.map(|node| self.tree.data(node)) else { break };
            if matches!(element.name.local, local_name!("body") | local_name!("html")) {
                break;
            }
            if sounds_closed(element) {
                return true;
            }
            here = here.and_then(|node| self.tree.parent(node));
        }
        false
    }

    /// Returns whether the box stands right behind the control that opens it.
    fn has_control(&self, node: NodeId) -> bool {
        let mut here = self.tree.previous(node);
        for _ in 0..4 {
            let Some(place) = here else { break };
            if let Data::Element(element) = self.tree.data(place) {
                return element.attribute(&local_name!("aria-expanded")).is_some()
                    || element.attribute(&local_name!("aria-controls")).is_some()
                    || element.attribute(&local_name!("aria-haspopup")).is_some();
            }
            here = self.tree.previous(place);
        }
        false
    }

    fn is_target(&mut self, element: &Element) -> bool {
        let Some(id) = element.attribute(&local_name!("id")) else { return false };
        let tree = self.tree;
        self.targets.get_or_insert_with(|| targets(tree)).contains(id)
    }
}

/// Collects the ids that links and controls of a page point to.
fn targets(tree: &Tree) -> HashSet<&str> {
    let mut targets = HashSet::new();
    for (_, element) in tree.elements() {
        for attribute in element.raw_attributes() {
            let value: &str = &attribute.value;
            match &*attribute.name.local {
                "href" | "data-target" | "data-bs-target" => {
                    targets.extend(value.strip_prefix('#').filter(|id| !id.is_empty()));
                }
                "aria-controls" | "popovertarget" => {
                    targets.extend(value.split_ascii_whitespace().take(16));
                }
                _ => {}
            }
        }
    }
    targets
}

/// Roles of parts that are open one at a time.
fn is_target_by_itself(element: &Element) -> bool {
    let role = element.attribute(&local_name!("role")).unwrap_or_default();
    matches!(element.name.local, local_name!("dialog") | local_name!("menu") | local_name!("nav"))
        || element.attribute(&local_name!("popover")).is_some()
        || matches!(
            role.trim_ascii(),
            "tabpanel"
                | "menu"
                | "menubar"
                | "navigation"
                | "dialog"
                | "alertdialog"
                | "alert"
                | "status"
                | "tooltip"
                | "listbox"
                | "tree"
        )
}

/// Words in a class or an id of parts that a visitor opens, in order.
#[rustfmt::skip]
const CLOSED: [&str; 66] = [
    "accordion", "answer", "autocomplete", "bio", "carousel", "collapse", "collapsed",
    "collapsible", "consent", "cookie", "dialog", "drawer", "dropdown", "dropdowns", "expand",
    "expandable", "expanded", "expander", "faq", "filters", "flyout", "fold", "footnote",
    "gallery", "hover", "lightbox", "login", "megamenu", "menu", "menus", "modal", "more", "nav",
    "navbar", "navbox", "navigation", "newsletter", "offcanvas", "overlay", "pane", "panel",
    "popover", "popup", "readmore", "reveal", "search", "share", "sidebar", "slide", "slider",
    "slides", "slideshow", "social", "spoiler", "submenu", "subnav", "swiper", "tab", "tabcontent",
    "tabpane", "tabpanel", "tabs", "toc", "toggle", "toggler", "tooltip",
];

fn sounds_closed(element: &Element) -> bool {
    let named = [local_name!("class"), local_name!("id")];
    named.iter().filter_map(|name| element.attribute(name)).any(|value| {
        let value = base::limits::cut(value, CLASS_BYTES);
        value.split(|character: char| !character.is_ascii_alphanumeric()).any(|word| {
            let mut lower = [0; 16];
            let Some(lower) = lower.get_mut(..word.len()) else { return false };
            lower.copy_from_slice(word.as_bytes());
            lower.make_ascii_lowercase();
            CLOSED.binary_search_by(|closed| closed.as_bytes().cmp(lower)).is_ok()
        })
    })
}

/// What the classes of labels for screen readers, and of links past the menu, have in them.
const LABELS: [&str; 14] = [
    "sr-only",
    "sr_only",
    "sronly",
    "visually-hidden",
    "visuallyhidden",
    "hiddenvisually",
    "screen-reader",
    "screenreader",
    "for-sr",
    "assistive",
    "accessib",
    "element-invisible",
    "a11y",
    "skip",
];

fn is_label(element: &Element) -> bool {
    element.attribute(&local_name!("class")).is_some_and(|class| {
        let class = base::limits::cut(class, CLASS_BYTES).to_ascii_lowercase();
        LABELS.iter().any(|label| class.contains(label))
    })
}

/// Elements that stand in a line.
fn is_inline(element: &Element) -> bool {
    matches!(
        element.name.local,
        local_name!("span")
            | local_name!("a")
            | local_name!("abbr")
            | local_name!("b")
            | local_name!("em")
            | local_name!("font")
            | local_name!("i")
            | local_name!("label")
            | local_name!("small")
            | local_name!("strong")
            | local_name!("sup")
    )
}

/// Elements whose text is a list, a table or code, which never has sentences.
fn is_list(element: &Element) -> bool {
    element.name.ns != ns!(html)
        || matches!(
            element.name.local,
            local_name!("a")
                | local_name!("button")
                | local_name!("code")
                | local_name!("kbd")
                | local_name!("label")
                | local_name!("option")
                | local_name!("pre")
                | local_name!("samp")
                | local_name!("select")
                | local_name!("table")
                | local_name!("tt")
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_in_order() {
        assert!(CLOSED.is_sorted_by(|one, other| one < other));
        assert!(CLOSED.iter().all(|word| word.len() <= 16));
    }
}
