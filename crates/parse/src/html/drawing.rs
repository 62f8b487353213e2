//! Text in drawings (SVG) that stand in a page (HTM-18).
//!
//! Browsers paint what stands in `<text>` and, as HTML, what stands in `<foreignObject>`. Titles and
//! descriptions show up under the mouse at most; definitions, symbols, patterns and masks are
//! there to be used elsewhere; letters between the shapes are not painted at all.

use html5ever::{LocalName, local_name, ns};

use super::tree::{Data, Element, NodeId, Tree};

/// What an element of a drawing does with the text in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// The whole.
    Drawing,
    /// Holds other parts, or is part of a line.
    Group,
    /// Holds parts of which the first one is painted.
    Choice,
    /// A line of text.
    Line,
    /// Holds HTML.
    Page,
    /// Paints no text.
    Silent,
}

/// Returns what an element of the SVG namespace does.
pub(super) fn part(name: &LocalName) -> Part {
    match *name {
        local_name!("svg") => Part::Drawing,
        local_name!("g") | local_name!("a") | local_name!("tspan") | local_name!("textPath") => {
            Part::Group
        }
        local_name!("switch") => Part::Choice,
        local_name!("text") => Part::Line,
        local_name!("foreignObject") => Part::Page,
        _ => Part::Silent,
    }
}

/// Returns whether an element paints no text because of where or what it is in a drawing.
pub(super) fn is_silent(tree: &Tree, node: NodeId, element: &Element) -> bool {
    if element.name.ns != ns!(svg) {
        return false;
    }
    let is_choice = |parent: NodeId| match tree.data(parent) {
        Data::Element(parent) => {
            parent.name.ns == ns!(svg) && part(&parent.name.local) == Part::Choice
        }
        _ => false,
    };
    part(&element.name.local) == Part::Silent
        || tree
            .parent(node)
            .is_some_and(|parent| is_choice(parent) && !is_first(tree, parent, node))
}

/// Returns whether a node is the first element in its parent, or hidden behind a lot of comments.
fn is_first(tree: &Tree, parent: NodeId, node: NodeId) -> bool {
    let mut child = tree.first_child(parent);
    for _ in 0..MOST_BEFORE {
        let Some(other) = child else { break };
        if let Data::Element(_) = tree.data(other) {
            return other == node;
        }
        child = tree.next(other);
    }
    true
}

/// Nodes looked at for the first element of a choice; each of thousands asks for it.
const MOST_BEFORE: usize = 16;
