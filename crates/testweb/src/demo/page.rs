//! One HTML page in the dress of its host.
//!
//! A host has a [`Look`] (name, colour, one of five layouts, navigation, footer); a [`Page`] is
//! what differs from page to page. The layouts differ in their markup as real sites do: some
//! speak in `<main>` and `<aside>`, one in `<div>`s, one in the table of an older web.

use std::collections::HashSet;
use std::fmt::Write as _;

use super::markup::{self, escape};

/// What all pages of a host share.
#[derive(Clone, Debug)]
pub(super) struct Look {
    /// Name of the site as its header says it.
    pub(super) name: String,
    /// One line under the name.
    pub(super) tagline: String,
    /// Colour, 0–359.
    pub(super) hue: u32,
    /// Which of the layouts, 0–4.
    pub(super) layout: u32,
    /// Language code for `<html lang>`.
    pub(super) lang: String,
    /// Links of the navigation: address and label.
    pub(super) nav: Vec<(String, String)>,
    /// Last line of each page.
    pub(super) footer: String,
}

/// What one page says.
#[derive(Clone, Debug, Default)]
pub(super) struct Page {
    /// For `<title>` and the first heading.
    pub(super) title: String,
    /// Raw HTML for the head: meta robots, canonical link, refresh.
    pub(super) head: String,
    /// Raw HTML of the article, heading aside.
    pub(super) main: String,
    /// Raw HTML of the sidebar.
    pub(super) aside: String,
}

/// A piece of an article.
#[derive(Clone, Debug)]
pub(super) enum Block {
    Heading(String),
    Text(String),
    Quote(String),
    /// A line about the text: author, date, price.
    Meta(String),
    Bullets(Vec<String>),
    Steps(Vec<String>),
    Table(Vec<(String, String)>),
    /// A picture with its address and caption.
    Figure(String, String),
}

/// Returns the blocks as HTML; each address is linked once, `own` never.
pub(super) fn blocks(blocks: &[Block], own: &str) -> String {
    let mut seen = HashSet::from([own.to_owned()]);
    let mut out = String::new();
    for block in blocks {
        push_block(&mut out, block, &mut seen);
    }
    out
}

fn push_block(out: &mut String, block: &Block, seen: &mut HashSet<String>) {
    let mut wrap = |tag: &str, class: &str, text: &str| {
        let text = markup::html(text, seen);
        let class = if class.is_empty() { String::new() } else { format!(" class=\"{class}\"") };
        format!("<{tag}{class}>{text}</{tag}>\n")
    };
    match block {
        Block::Heading(text) => out.push_str(&wrap("h2", "", text)),
        Block::Text(text) => out.push_str(&wrap("p", "", text)),
        Block::Quote(text) => out.push_str(&wrap("blockquote", "", text)),
        Block::Meta(text) => out.push_str(&wrap("p", "meta", text)),
        Block::Bullets(items) | Block::Steps(items) => {
            let tag = if matches!(block, Block::Steps(_)) { "ol" } else { "ul" };
            let items: String = items.iter().map(|item| wrap("li", "", item)).collect();
            let _ = writeln!(out, "<{tag}>\n{items}</{tag}>");
        }
        Block::Table(rows) => {
            out.push_str("<table class=\"facts\">\n");
            for (key, value) in rows {
                let cells = wrap("th", "", key) + &wrap("td", "", value);
                let _ = writeln!(out, "<tr>{}</tr>", cells.replace('\n', ""));
            }
            out.push_str("</table>\n");
        }
        Block::Figure(address, caption) => {
            let alt = escape(&markup::plain(caption));
            let caption = wrap("figcaption", "", caption);
            let _ = write!(
                out,
                "<figure><img src=\"{}\" alt=\"{alt}\" width=\"480\" height=\"270\">\n{caption}</figure>\n",
                escape(address)
            );
        }
    }
}

/// Returns a list of links as HTML.
pub(super) fn link_list(links: &[(String, String)]) -> String {
    let mut out = String::from("<ul>\n");
    for (address, label) in links {
        let _ = writeln!(out, "<li><a href=\"{}\">{}</a></li>", escape(address), escape(label));
    }
    out.push_str("</ul>\n");
    out
}

impl Look {
    /// Returns the whole HTML document of a page.
    pub(super) fn render(&self, page: &Page) -> String {
        let title = if page.title == self.name || page.title.is_empty() {
            format!("{} – {}", self.name, self.tagline)
        } else if self.layout.is_multiple_of(2) {
            format!("{} – {}", page.title, self.name)
        } else {
            format!("{} | {}", page.title, self.name)
        };
        let dir = if self.lang == "ar" { " dir=\"rtl\"" } else { "" };
        format!(
            "<!DOCTYPE html>\n<html lang=\"{}\"{dir}>\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <title>{}</title>\n{}<style>\n{}</style>\n</head>\n<body>\n{}</body>\n</html>\n",
            self.lang,
            escape(title.trim_end_matches(" – ")),
            page.head,
            self.style(),
            self.body(page)
        )
    }

    fn style(&self) -> String {
        let hue = self.hue;
        let font = ["Georgia, serif", "Verdana, sans-serif", "system-ui, sans-serif"]
            [(self.layout as usize) % 3];
        let mut css = format!(
            "body{{margin:0;font:17px/1.6 {font};color:hsl({hue},25%,16%);background:hsl({hue},35%,97%)}}\n\
             a{{color:hsl({hue},60%,34%)}}\n\
             header,#head{{padding:1.1em 1.6em;background:hsl({hue},42%,27%);color:hsl({hue},40%,96%)}}\n\
             header a,#head a{{color:inherit;text-decoration:none;font-size:1.45em}}\n\
             nav a,.menu a{{display:inline-block;margin:0 1em .2em 0}}\n\
             .meta,footer,#foot,figcaption{{color:hsl({hue},12%,40%);font-size:.88em}}\n\
             h1{{line-height:1.2;color:hsl({hue},50%,24%)}} h2{{margin-top:1.6em}}\n\
             img{{max-width:100%;height:auto}} figure{{margin:1.4em 0}}\n\
             .facts th{{text-align:left;padding:.1em 1.2em .1em 0;vertical-align:top}}\n\
             blockquote{{border-left:4px solid hsl({hue},45%,60%);margin-left:0;padding-left:1em}}\n"
        );
        css.push_str(match self.layout {
            0 => {
                ".wrap{display:grid;grid-template-columns:minmax(0,44em) 15em;gap:2.5em;padding:1.6em}\n"
            }
            1 => {
                ".wrap{display:grid;grid-template-columns:13em minmax(0,42em);gap:2.5em;padding:1.6em}\n"
            }
            2 => ".wrap{max-width:40em;margin:0 auto;padding:1.2em}\n",
            3 => "#page{width:100%;border-spacing:1.2em}#left{width:12em}td{vertical-align:top}\n",
            _ => {
                ".wrap{max-width:60em;margin:1.5em auto;padding:1.6em;background:#fff;border-radius:8px}\n\
                 .side{float:right;width:15em;margin:0 0 1em 2em}\n"
            }
        });
        css.push_str("@media(max-width:50em){.wrap{display:block;padding:1em}}\n");
        css
    }

    fn body(&self, page: &Page) -> String {
        let name = format!("<a href=\"/\">{}</a>", escape(&self.name));
        let tagline = escape(&self.tagline);
        let mut nav = String::new();
        for (address, label) in &self.nav {
            let _ = writeln!(nav, "<a href=\"{}\">{}</a>", escape(address), escape(label));
        }
        let (main, aside, footer) = (&page.main, &page.aside, &self.footer);
        let heading = format!("<h1>{}</h1>\n", escape(&page.title));
        match self.layout {
            0 => format!(
                "<header>{name}<div>{tagline}</div></header>\n<nav style=\"padding:.6em 1.6em\">{nav}</nav>\n\
                 <div class=\"wrap\">\n<main>\n{heading}{main}</main>\n<aside>\n{aside}</aside>\n</div>\n\
                 <footer style=\"padding:1.6em\">{footer}</footer>\n"
            ),
            1 => format!(
                "<header>{name} <small>{tagline}</small></header>\n<div class=\"wrap\">\n\
                 <div><nav>{nav}</nav>\n<aside>{aside}</aside></div>\n\
                 <main><article>\n{heading}{main}</article></main>\n</div>\n<footer style=\"padding:1em 1.6em\">{footer}</footer>\n"
            ),
            2 => format!(
                "<header>{name}</header>\n<div class=\"wrap\">\n<p class=\"meta\">{tagline}</p>\n<article>\n{heading}{main}</article>\n\
                 <hr>\n<aside>\n{aside}</aside>\n<nav>{nav}</nav>\n<footer>{footer}</footer>\n</div>\n"
            ),
            3 => format!(
                "<div id=\"head\">{name}<br>{tagline}</div>\n<table id=\"page\"><tr>\n<td id=\"left\"><div class=\"menu\">{nav}</div>\n\
                 {aside}</td>\n<td id=\"content\">\n{heading}{main}</td>\n</tr></table>\n<div id=\"foot\">{footer}</div>\n"
            ),
            _ => format!(
                "<div id=\"head\">{name} <span>{tagline}</span></div>\n<div class=\"wrap\">\n<div class=\"menu\">{nav}</div>\n\
                 <div class=\"side\">{aside}</div>\n<div class=\"text\">\n{heading}{main}</div>\n<div id=\"foot\">{footer}</div>\n</div>\n"
            ),
        }
    }
}
