//! Pages that are on the web twice: a mirrored host, reprinted articles, an old charset.

use crate::site::Answer;

use super::compose::Desk;
use super::page::{Look, Page};
use super::world::{DemoHost, Kind, World};

/// The host that repeats `birds.lookfar` page by page.
pub(super) const MIRROR: &str = "birds-mirror.lookfar";
/// Articles of the Post that the Courier reprints.
const REPRINTS: usize = 14;

/// Adds the copies to a world that has the originals.
pub(super) fn build(world: &mut World, desk: &Desk<'_>) {
    mirror(world);
    reprints(world, desk);
    alias(world);
}

/// The same pages under another name; links inside are relative and stay on the mirror.
fn mirror(world: &mut World) {
    let original = world.host("birds.lookfar");
    let mut mirror = DemoHost::new(MIRROR, original.look().clone());
    for (path, resource) in original.resources() {
        if resource.kind == Kind::Good {
            mirror.put_copy(path, &original.url(path), resource.answer.clone());
        }
    }
    world.push(mirror);
}

/// The same article with another date, another sidebar and a line about the source.
fn reprints(world: &mut World, desk: &Desk<'_>) {
    let entries = desk.atlas.theme("news");
    let mut pages = Vec::new();
    for (at, entry) in entries.iter().step_by(entries.len() / REPRINTS).take(REPRINTS).enumerate() {
        let path = entry.url.trim_start_matches("http://news.lookfar");
        let Some(resource) = world.host("news.lookfar").resource(path) else { continue };
        let html = String::from_utf8_lossy(&resource.answer.body).into_owned();
        let article = between(&html, "</h1>\n", "</main>").unwrap_or_default();
        let body = article.split_once("</p>\n").map_or(article, |(_, rest)| rest);
        let main = format!(
            "<p class=\"meta\">The Evening Courier, {} March 2026. From the Sunder Post.</p>\n{body}",
            at + 3
        );
        let aside = "<h3>This evening</h3>\n<p>Concert on the pier at eight. Dry until midnight. The \
                     night ferry leaves at ten past eleven.</p>\n<p><a href=\"/\">Front page</a></p>\n";
        let page =
            Page { title: entry.name.clone(), head: String::new(), main, aside: aside.to_owned() };
        pages.push((format!("/reprint/{}.htm", entry.slug), entry.url.clone(), page));
    }
    let courier = world.host_mut("courier.lookfar");
    let mut list = String::from("<p>From this morning's Sunder Post, with thanks:</p>\n<ul>\n");
    for (path, original, page) in pages {
        list.push_str(&format!(
            "<li><a href=\"{path}\">{}</a></li>\n",
            super::markup::escape(&page.title)
        ));
        let html = courier.look().render(&page);
        courier.put_copy(&path, &original, Answer::html(html));
    }
    list.push_str("</ul>\n");
    let page = Page { title: "This morning elsewhere".to_owned(), main: list, ..Page::default() };
    courier.page("/reprints", Kind::Good, &page);
}

/// `www.northhaven.lookfar` sends everyone to the name without `www.`
fn alias(world: &mut World) {
    let look = Look { nav: Vec::new(), ..world.host("northhaven.lookfar").look().clone() };
    let mut host = DemoHost::new("www.northhaven.lookfar", look);
    host.set_dynamic(Box::new(|request| {
        Some(Answer::redirect(301, &format!("http://northhaven.lookfar{}", request.target)))
    }));
    world.push(host);
}

fn between<'a>(text: &'a str, start: &str, end: &str) -> Option<&'a str> {
    let from = text.find(start)? + start.len();
    let to = text[from..].find(end)?;
    Some(&text[from..from + to])
}
