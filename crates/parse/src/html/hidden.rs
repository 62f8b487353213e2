//! What of a page its visitors see (P7): a verdict for every node, made before the walk.
//!
//! A first look over all nodes says whether anything on the page could hide text; on most pages
//! nothing can, and that is all. Otherwise one pass goes through the tree with the styles in
//! force: those of the page's own sheets ([`sheet`]), of attributes ([`style`], [`colour`]), and
//! what is inherited. A box that is out of sight is judged once, as a whole, by [`fold`]: hidden,
//! or closed until somebody opens it. Sheets of other files are not fetched; where a page has
//! them, colours that they could change are taken as unknown.

mod colour;
mod fold;
mod pass;
mod sample;
mod selector;
mod sheet;
mod style;
mod text;

use base::{Hidden, HiddenReason};
use html5ever::{local_name, ns};

use super::drawing;
use super::tree::{Data, Element, NodeId, Tree};
use sheet::{SHEET_BYTES, Sheet};

/// How visitors see the text of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sight {
    /// As it stands.
    Shown,
    /// After they opened something: kept as [`base::Zone::Folded`].
    Folded,
    /// Not at all, but honestly: a word for screen readers in the middle of a line, which would
    /// tear the line apart.
    Aside,
    /// Not at all.
    Hidden(HiddenReason),
}

/// What visitors see of a page.
pub(super) struct Seen {
    /// By node; empty if everything is shown.
    sights: Vec<Sight>,
    /// Samples of what they do not see, one for each reason.
    pub(super) hidden: Vec<Hidden>,
}

impl Seen {
    /// Returns how the text of a node is seen.
    pub(super) fn of(&self, node: NodeId) -> Sight {
        self.sights.get(node.index()).copied().unwrap_or(Sight::Shown)
    }

    /// Returns whether the text of a node is to be left out.
    pub(super) fn is_hidden(&self, node: NodeId) -> bool {
        matches!(self.of(node), Sight::Hidden(_) | Sight::Aside)
    }

    /// Returns whether a node is out of everybody's sight without an honest reason. Others see
    /// what `aria-hidden` keeps from screen readers.
    pub(super) fn is_veiled(&self, node: NodeId) -> bool {
        matches!(self.of(node), Sight::Hidden(reason) if reason != HiddenReason::AriaHidden)
    }

    /// Returns whether the text of a node is closed until somebody opens it.
    pub(super) fn is_folded(&self, node: NodeId) -> bool {
        self.of(node) == Sight::Folded
    }
}

/// Judges a page. Cost: linear in its nodes, and next to nothing where nothing hides.
pub(super) fn judge(tree: &Tree) -> Seen {
    let look = Look::at(tree);
    if !look.hides {
        return Seen { sights: Vec::new(), hidden: Vec::new() };
    }
    pass::run(tree, look)
}

/// What a first look over all nodes shows.
struct Look {
    /// Whether anything could be hidden.
    hides: bool,
    sheet: Sheet,
    /// Whether styles come from files that we do not see.
    has_foreign_style: bool,
}

impl Look {
    fn at(tree: &Tree) -> Self {
        let mut look = Self { hides: false, sheet: Sheet::default(), has_foreign_style: false };
        let mut room = SHEET_BYTES;
        for (node, element) in tree.elements() {
            match element.name.local {
                local_name!("style") if element.name.ns == ns!(html) => {
                    look.style(tree, node, element, &mut room);
                }
                local_name!("link") => {
                    look.has_foreign_style |= element
                        .attribute(&local_name!("rel"))
                        .is_some_and(|rel| rel.to_ascii_lowercase().contains("stylesheet"));
                }
                local_name!("noscript") | local_name!("details") | local_name!("dialog") => {
                    look.hides = true;
                }
                _ if !look.hides => {
                    let hides = |name: &html5ever::LocalName| {
                        matches!(
                            *name,
                            local_name!("style")
                                | local_name!("hidden")
                                | local_name!("aria-hidden")
                                | local_name!("bgcolor")
                                | local_name!("color")
                                | local_name!("text")
                                | local_name!("popover")
                        )
                    };
                    look.hides = element
                        .raw_attributes()
                        .iter()
                        .any(|attribute| hides(&attribute.name.local));
                }
                _ => {}
            }
        }
        look.hides |= !look.sheet.is_empty();
        look.has_foreign_style |= look.sheet.imports;
        look
    }

    fn style(&mut self, tree: &Tree, node: NodeId, element: &Element, room: &mut usize) {
        let media = element.attribute(&local_name!("media")).unwrap_or_default();
        if *room == 0 || !selector::media(&base::limits::cut(media, 512).to_ascii_lowercase()) {
            return;
        }
        let Some(Data::Text(text)) = tree.first_child(node).map(|child| tree.data(child)) else {
            return;
        };
        let text = base::limits::cut(text, *room);
        *room -= text.len();
        self.sheet.read(text);
    }
}

/// Elements whose content is never text of the page.
#[rustfmt::skip]
fn is_raw(tree: &Tree, node: NodeId, element: &Element) -> bool {
    drawing::is_silent(tree, node, element)
        || matches!(element.name.local,
            local_name!("script") | local_name!("style") | local_name!("noscript")
            | local_name!("template") | local_name!("title") | local_name!("head")
            | local_name!("iframe") | local_name!("noembed") | local_name!("noframes")
            | local_name!("object") | local_name!("video") | local_name!("audio")
            | local_name!("canvas") | local_name!("textarea") | local_name!("datalist")
            | local_name!("annotation") | local_name!("annotation-xml") | local_name!("rp"))
}
