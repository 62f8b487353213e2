//! What elements and their attributes mean to a reader.

use base::Zone;
use html5ever::{LocalName, local_name};

use super::class::{self, Marks};
use crate::html::regions::{Hint, Kind, Looks};
use crate::html::tree::Element;

/// How an element stands in the flow of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flow {
    /// A box of its own: the text before, in and behind it are apart.
    Block,
    /// Part of a line.
    Inline,
    /// Holds nothing.
    Void,
    /// Its content is not text of the page.
    Skip,
}

/// Returns how an element stands in the flow of text, as browsers' default styles have it.
///
/// Elements of mathematics and elements that nobody has defined stand in the line.
pub(super) fn flow(name: &LocalName) -> Flow {
    if is_box(name) {
        Flow::Block
    } else if is_void(name) {
        Flow::Void
    } else if is_skipped(name) {
        Flow::Skip
    } else {
        Flow::Inline
    }
}

#[rustfmt::skip]
fn is_box(name: &LocalName) -> bool {
    matches!(*name,
        local_name!("address") | local_name!("article") | local_name!("aside")
        | local_name!("blockquote") | local_name!("body") | local_name!("button")
        | local_name!("caption") | local_name!("center") | local_name!("colgroup")
        | local_name!("dd") | local_name!("details") | local_name!("dialog") | local_name!("dir")
        | local_name!("div") | local_name!("dl") | local_name!("dt") | local_name!("fieldset")
        | local_name!("figcaption") | local_name!("figure") | local_name!("footer")
        | local_name!("form") | local_name!("frameset") | local_name!("h1") | local_name!("h2")
        | local_name!("h3") | local_name!("h4") | local_name!("h5") | local_name!("h6")
        | local_name!("head") | local_name!("header") | local_name!("hgroup")
        | local_name!("html") | local_name!("legend") | local_name!("li")
        | local_name!("listing") | local_name!("main") | local_name!("marquee")
        | local_name!("menu") | local_name!("nav") | local_name!("ol") | local_name!("optgroup")
        | local_name!("option") | local_name!("p") | local_name!("plaintext")
        | local_name!("pre") | local_name!("search") | local_name!("section")
        | local_name!("select") | local_name!("summary") | local_name!("table")
        | local_name!("tbody") | local_name!("td") | local_name!("tfoot") | local_name!("th")
        | local_name!("thead") | local_name!("tr") | local_name!("ul") | local_name!("xmp"))
}

#[rustfmt::skip]
fn is_void(name: &LocalName) -> bool {
    matches!(*name,
        local_name!("area") | local_name!("base") | local_name!("br") | local_name!("col")
        | local_name!("embed") | local_name!("frame") | local_name!("hr") | local_name!("img")
        | local_name!("input") | local_name!("link") | local_name!("meta") | local_name!("param")
        | local_name!("source") | local_name!("track") | local_name!("wbr"))
}

#[rustfmt::skip]
fn is_skipped(name: &LocalName) -> bool {
    matches!(*name,
        local_name!("script") | local_name!("style") | local_name!("noscript")
        | local_name!("template") | local_name!("title") | local_name!("iframe")
        | local_name!("noembed") | local_name!("noframes") | local_name!("object")
        | local_name!("video") | local_name!("audio") | local_name!("canvas")
        | local_name!("textarea") | local_name!("datalist") | local_name!("annotation")
        | local_name!("annotation-xml") | local_name!("rp"))
}

/// Returns the zone that an element gives its content.
pub(super) fn zone(name: &LocalName) -> Option<Zone> {
    match *name {
        local_name!("h1")
        | local_name!("h2")
        | local_name!("h3")
        | local_name!("h4")
        | local_name!("h5")
        | local_name!("h6") => Some(Zone::Heading),
        local_name!("figcaption") | local_name!("caption") => Some(Zone::Caption),
        _ => None,
    }
}

/// Returns whether an element makes its text stand out in the line.
pub(super) fn is_emphasis(name: &LocalName) -> bool {
    matches!(
        *name,
        local_name!("b")
            | local_name!("strong")
            | local_name!("em")
            | local_name!("i")
            | local_name!("mark")
            | local_name!("big")
            | local_name!("dfn")
    )
}

/// Returns whether a `<header>` inside this element belongs to it and not to the page.
pub(super) fn is_article(name: &LocalName) -> bool {
    matches!(
        *name,
        local_name!("article")
            | local_name!("main")
            | local_name!("section")
            | local_name!("figure")
    )
}

/// Returns whether an element says that it holds the main content.
pub(super) fn is_main(element: &Element) -> bool {
    element.name.local == local_name!("main")
        || element.attribute(&local_name!("role")).is_some_and(|role| role.trim() == "main")
}

/// Returns what an element looks like, as far as its mark-up tells.
pub(super) fn looks(element: &Element, is_article: bool) -> Looks {
    let kind = kind(&element.name.local);
    let mut looks = Looks {
        kind,
        hint: Hint::None,
        marks: Marks::default(),
        weight: 0,
        is_side_role: false,
        class: 0,
        level: level(&element.name.local),
    };
    for name in [local_name!("class"), local_name!("id")] {
        let Some(value) = element.attribute(&name) else { continue };
        let marks = class::marks(value);
        looks.weight += i8::from(marks.has(Marks::GOOD)) - i8::from(marks.has(Marks::BAD));
        looks.marks = looks.marks.or(marks);
        if name == local_name!("class") {
            looks.class = class::hash(value);
        }
    }
    let role = element.attribute(&local_name!("role"));
    looks.is_side_role = role.is_some_and(is_side_role);
    looks.hint = hint(element, &looks, is_article);
    looks
}

/// Returns whether an element looks like something else than what the page is about.
fn hint(element: &Element, looks: &Looks, is_article: bool) -> Hint {
    match element.name.local {
        local_name!("nav")
        | local_name!("aside")
        | local_name!("footer")
        | local_name!("button")
        | local_name!("select")
        | local_name!("menu")
        | local_name!("search") => return Hint::Element,
        local_name!("dialog") if element.attribute(&local_name!("open")).is_none() => {
            return Hint::Element;
        }
        local_name!("header") => return if is_article { Hint::None } else { Hint::Header },
        // Classes of these speak of the whole page (`<body class="has-sidebar">`).
        local_name!("html")
        | local_name!("body")
        | local_name!("main")
        | local_name!("article") => return Hint::None,
        _ => {}
    }
    if looks.is_side_role {
        Hint::Element
    } else if looks.marks.has(Marks::FRAME) {
        Hint::Class
    } else {
        Hint::None
    }
}

fn kind(name: &LocalName) -> Kind {
    match *name {
        local_name!("body") => Kind::Body,
        local_name!("div") | local_name!("center") => Kind::Div,
        local_name!("section") => Kind::Section,
        local_name!("article") => Kind::Article,
        local_name!("p") => Kind::Paragraph,
        local_name!("pre") | local_name!("listing") | local_name!("xmp") => Kind::Pre,
        local_name!("blockquote") => Kind::Quote,
        local_name!("h1")
        | local_name!("h2")
        | local_name!("h3")
        | local_name!("h4")
        | local_name!("h5")
        | local_name!("h6") => Kind::Heading,
        local_name!("ul") | local_name!("ol") | local_name!("dir") => Kind::List,
        local_name!("dl") => Kind::Definitions,
        local_name!("li") => Kind::Item,
        local_name!("dt") | local_name!("dd") => Kind::Definition,
        local_name!("table") => Kind::Table,
        local_name!("th")
        | local_name!("thead")
        | local_name!("tfoot")
        | local_name!("caption")
        | local_name!("colgroup") => Kind::TableHead,
        local_name!("tr") => Kind::Row,
        local_name!("td") => Kind::Cell,
        local_name!("form") | local_name!("fieldset") => Kind::Form,
        local_name!("figure") => Kind::Figure,
        local_name!("aside") => Kind::Aside,
        local_name!("footer") => Kind::Footer,
        local_name!("nav") | local_name!("menu") | local_name!("search") => Kind::Nav,
        local_name!("button") | local_name!("select") | local_name!("dialog") => Kind::Control,
        _ => Kind::Other,
    }
}

/// Returns the rank of a heading, 1 the highest; 0 for other elements.
fn level(name: &LocalName) -> u8 {
    match *name {
        local_name!("h1") => 1,
        local_name!("h2") => 2,
        local_name!("h3") => 3,
        local_name!("h4") => 4,
        local_name!("h5") => 5,
        local_name!("h6") => 6,
        _ => 0,
    }
}

fn is_side_role(role: &str) -> bool {
    matches!(
        role.trim(),
        "navigation"
            | "complementary"
            | "contentinfo"
            | "banner"
            | "search"
            | "menu"
            | "menubar"
            | "toolbar"
            | "dialog"
            | "alertdialog"
    )
}
