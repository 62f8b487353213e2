//! The tree of a page as text, in the form of the tests that browsers share.
//!
//! ```text
//! | <html>
//! |   <body>
//! |     class="a b"
//! |     "text"
//! |     <svg title>
//! ```
//! For tests and fuzzing: no part of what a page record holds. Comments show where they stand and
//! not what they say, declarations and attributes that nobody asks for are not kept.

use html5ever::ns;

use super::guard;
use super::tree::{Data, Element, NodeId, Tree};
use crate::Options;

/// The tree of a page, and what it took to build it.
pub struct Outline {
    tree: Tree,
    /// Nodes made.
    pub nodes: usize,
    /// Steps of the tree builder.
    pub steps: u64,
    /// Whether the rest of the page was left unread.
    pub is_cut: bool,
    /// Whether elements were dropped because they nested too deep.
    pub is_flattened: bool,
}

impl Outline {
    /// Returns the tree, one line for each node and attribute.
    pub fn text(&self) -> String {
        write(&self.tree)
    }
}

/// Returns the tree that is built of a page.
pub fn outline(html: &str, options: &Options) -> Outline {
    let built = guard::build(html, options);
    Outline {
        nodes: built.tree.num_nodes(),
        tree: built.tree,
        steps: built.steps,
        is_cut: built.is_cut,
        is_flattened: built.is_flattened,
    }
}

/// Returns whether an attribute of this name is kept in the tree.
pub fn keeps_attribute(name: &str) -> bool {
    guard::is_wanted(&name.into())
}

/// Writes with a stack of its own: pages may nest deeper than a thread's stack.
fn write(tree: &Tree) -> String {
    let mut text = String::new();
    let mut next = vec![tree.first_child(tree.root())];
    while let Some(node) = next.last().copied() {
        let Some(node) = node else {
            next.pop();
            continue;
        };
        let depth = next.len() - 1;
        if let Some(place) = next.last_mut() {
            *place = tree.next(node);
        }
        line(&mut text, depth, &name(tree, node));
        if let Data::Element(element) = tree.data(node) {
            for attribute in attributes(element) {
                line(&mut text, depth + 1, &attribute);
            }
        }
        if let Some(inside) = tree.template(node) {
            line(&mut text, depth + 1, "content");
            next.push(tree.first_child(node));
            // Deeper by the line above, which is no node.
            next.push(tree.first_child(inside));
        } else {
            next.push(tree.first_child(node));
        }
    }
    text
}

fn line(text: &mut String, depth: usize, what: &str) {
    text.push_str("| ");
    text.extend(std::iter::repeat_n("  ", depth));
    text.push_str(what);
    text.push('\n');
}

fn name(tree: &Tree, node: NodeId) -> String {
    match tree.data(node) {
        Data::Element(element) => {
            let space = match element.name.ns {
                ns!(svg) => "svg ",
                ns!(mathml) => "math ",
                _ => "",
            };
            format!("<{space}{}>", element.name.local)
        }
        Data::Text(text) => format!("\"{text}\""),
        Data::Nothing => String::from("<!-- -->"),
        Data::Root => String::from("content"),
    }
}

fn attributes(element: &Element) -> Vec<String> {
    let mut lines: Vec<String> = element
        .raw_attributes()
        .iter()
        .map(|attribute| {
            let space = match attribute.name.ns {
                ns!(xlink) => "xlink ",
                ns!(xml) => "xml ",
                ns!(xmlns) => "xmlns ",
                _ => "",
            };
            format!("{space}{}=\"{}\"", attribute.name.local, attribute.value)
        })
        .collect();
    lines.sort_unstable();
    lines
}
