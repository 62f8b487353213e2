//! What elements and their attributes mean to a reader.

use base::Zone;
use html5ever::{LocalName, local_name};

use crate::html::tree::Element;
use crate::html::zones::Hint;

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
        | local_name!("annotation-xml"))
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

/// Returns whether an element looks like something else than what the page is about.
pub(super) fn hint(element: &Element, is_article: bool) -> Option<Hint> {
    match element.name.local {
        local_name!("nav")
        | local_name!("aside")
        | local_name!("footer")
        | local_name!("button")
        | local_name!("select")
        | local_name!("menu")
        | local_name!("search") => return Some(Hint::Element),
        local_name!("dialog") if element.attribute(&local_name!("open")).is_none() => {
            return Some(Hint::Element);
        }
        local_name!("header") => return (!is_article).then_some(Hint::Header),
        // Classes of these speak of the whole page (`<body class="has-sidebar">`).
        local_name!("html")
        | local_name!("body")
        | local_name!("main")
        | local_name!("article") => {
            return None;
        }
        _ => {}
    }
    if element.attribute(&local_name!("role")).is_some_and(is_side_role) {
        return Some(Hint::Element);
    }
    let named = [local_name!("class"), local_name!("id")];
    let values = named.iter().filter_map(|name| element.attribute(name));
    values.into_iter().any(sounds_aside).then_some(Hint::Class)
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

/// Words in a class or an id that name a part of the frame around the content.
const ASIDE: [&str; 36] = [
    "ad",
    "ads",
    "advert",
    "advertisement",
    "banner",
    "breadcrumb",
    "breadcrumbs",
    "consent",
    "cookie",
    "cookies",
    "copyright",
    "footer",
    "masthead",
    "menu",
    "nav",
    "navbar",
    "navfooter",
    "navheader",
    "navi",
    "navigation",
    "newsletter",
    "pager",
    "pagination",
    "popup",
    "promo",
    "related",
    "share",
    "sharing",
    "sidebar",
    "sidenav",
    "skip",
    "social",
    "sponsor",
    "sponsored",
    "topnav",
    "widget",
];

/// Longest class or id read.
const CLASS_BYTES: usize = 256;

fn sounds_aside(value: &str) -> bool {
    let value = base::limits::cut(value, CLASS_BYTES);
    value.split(|character: char| !character.is_ascii_alphanumeric()).any(|word| {
        ASIDE.iter().any(|aside| word.eq_ignore_ascii_case(aside))
            || word.len() > "sidebar".len() && word.to_ascii_lowercase().contains("sidebar")
    })
}
