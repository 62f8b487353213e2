//! The directory: one host from which everything else can be reached.

use super::compose::Desk;
use super::markup::{self, escape};
use super::page::{Look, Page};
use super::theme::Theme;
use super::world::{DemoHost, Kind, World};
use super::{company, seven};

const HOST: &str = "directory.lookfar";
/// Pages of each listed site that a topic page points to directly.
const DEEP_LINKS: usize = 7;

/// One line of the directory.
struct Listing {
    topic: String,
    host: String,
    name: String,
    tagline: String,
    /// Pages worth a link of their own.
    pages: Vec<(String, String)>,
}

/// Adds the directory, which lists the hosts of all themes and the readings.
pub(super) fn build(world: &mut World, desk: &Desk<'_>, themes: &[Theme]) {
    let mut listings: Vec<Listing> = themes.iter().map(|theme| listing(desk, theme)).collect();
    listings.push(Listing {
        topic: "Books and stories".to_owned(),
        host: seven::HOST.to_owned(),
        name: "Seven Short Readings".to_owned(),
        tagline: "One page each, with a cup of tea".to_owned(),
        pages: Vec::new(),
    });
    let mut topics: Vec<String> = Vec::new();
    for listing in &listings {
        if !topics.contains(&listing.topic) {
            topics.push(listing.topic.clone());
        }
    }
    topics.sort();
    let mut host = DemoHost::new(HOST, look(&topics));
    host.page("/", Kind::Good, &home(&topics, &listings));
    for topic in &topics {
        let path = format!("/{}", markup::slug(topic));
        host.page(&path, Kind::Good, &topic_page(topic, &listings));
    }
    host.page("/a-z", Kind::Good, &alphabet(&listings));
    host.page("/about", Kind::Good, &about());
    host.robots("User-agent: *\nDisallow:\n");
    world.push(host);
}

fn listing(desk: &Desk<'_>, theme: &Theme) -> Listing {
    let host = theme.setting("host").to_owned();
    let entries = desk.atlas.theme(&theme.key);
    let step = (entries.len() / DEEP_LINKS).max(1);
    let pages = entries
        .iter()
        .step_by(step)
        .take(DEEP_LINKS)
        .map(|entry| (entry.url.clone(), markup::heading(&entry.name)))
        .collect();
    let mut name = theme.setting("name").to_owned();
    let mut tagline = theme.setting("tagline").to_owned();
    if host == company::HOST {
        name = company::NAME.to_owned();
        tagline = "Makers of copper and glass, since 1957".to_owned();
    }
    Listing { topic: theme.setting("topic").to_owned(), host, name, tagline, pages }
}

fn entry(listing: &Listing) -> String {
    let (host, name, tagline) = (&listing.host, escape(&listing.name), escape(&listing.tagline));
    format!("<a href=\"http://{host}/\">{name}</a>: {tagline}")
}

fn home(topics: &[String], listings: &[Listing]) -> Page {
    let mut main = String::from(
        "<p>This directory lists the web of the Sunder Isles by subject, as it was done when there \
         were few enough sites to read them all. There are still few enough here. Every site was \
         visited by an editor, who wrote one line about it, and not always the line that its owner \
         had hoped for.</p>\n",
    );
    for topic in topics {
        let label = escape(topic);
        main.push_str(&format!(
            "<h2><a href=\"/{}\">{label}</a></h2>\n<ul>\n",
            markup::slug(topic)
        ));
        for listing in listings.iter().filter(|listing| listing.topic == *topic) {
            main.push_str(&format!("<li>{}</li>\n", entry(listing)));
        }
        main.push_str("</ul>\n");
    }
    Page { title: "The Lookfar Directory".to_owned(), main, ..Page::default() }
}

fn topic_page(topic: &str, listings: &[Listing]) -> Page {
    let mut main = format!(
        "<p>Sites about {}, each with some of its pages. The order is that in which the editor \
         drank coffee with them.</p>\n",
        escape(&topic.to_lowercase())
    );
    for listing in listings.iter().filter(|listing| listing.topic == *topic) {
        main.push_str(&format!("<h2>{}</h2>\n", escape(&listing.name)));
        main.push_str(&format!("<p>{}.</p>\n<ul>\n", entry(listing)));
        for (url, name) in &listing.pages {
            main.push_str(&format!("<li><a href=\"{}\">{}</a></li>\n", escape(url), escape(name)));
        }
        main.push_str("</ul>\n");
    }
    Page { title: topic.to_owned(), main, ..Page::default() }
}

fn alphabet(listings: &[Listing]) -> Page {
    let mut lines: Vec<(String, String)> = listings
        .iter()
        .map(|listing| (listing.name.trim_start_matches("The ").to_lowercase(), entry(listing)))
        .collect();
    lines.sort();
    let items: String = lines.iter().map(|(_, line)| format!("<li>{line}</li>\n")).collect();
    let main = format!("<p>All sites in one list.</p>\n<ul>\n{items}</ul>\n");
    Page { title: "All sites from A to Z".to_owned(), main, ..Page::default() }
}

fn about() -> Page {
    let main = "<p>The directory is edited by four people in a room above the \
        <a href=\"http://www.northhaven.lookfar/\">town hall of Northhaven</a>. To be listed, send a \
        postcard. We look at the site, find out what it is about, and file it under one subject \
        and no more. Sites that consist of offers are not listed.</p>\n\
        <p>How often do we look again? News every day, the \
        <a href=\"http://clock.lookfar/now\">talking clock</a> every minute, until we understood \
        that this was not useful, and <a href=\"http://gardens.lookfar:80/index.html\">gardens</a> in \
        spring.</p>\n";
    Page { title: "About the directory".to_owned(), main: main.to_owned(), ..Page::default() }
}

fn look(topics: &[String]) -> Look {
    let mut nav = vec![("/".to_owned(), "Directory".to_owned())];
    nav.extend(topics.iter().map(|topic| (format!("/{}", markup::slug(topic)), topic.clone())));
    nav.push(("/a-z".to_owned(), "A to Z".to_owned()));
    nav.push(("/about".to_owned(), "About".to_owned()));
    Look {
        name: "The Lookfar Directory".to_owned(),
        tagline: "The web of the isles, by subject".to_owned(),
        hue: 210,
        layout: 0,
        lang: "en".to_owned(),
        nav,
        footer: "Edited by hand. Postcards welcome.".to_owned(),
    }
}
