//! Writes the pages of a generated web: HTML, robots.txt, sitemaps.

use std::fmt::Write;
use std::time::Duration;

use time::macros::datetime;
use time::{Duration as Span, OffsetDateTime};

use super::shape::{DISALLOWED, Purpose, Shape, Spot};
use super::words::Language;
use super::{Dress, Kind, dressed, prose};

/// Most URLs in one sitemap file (the protocol's own limit).
pub(super) const SITEMAP_URLS: u64 = 50_000;

/// The day on which every generated web begins.
const BEGAN: OffsetDateTime = datetime!(2026-06-01 00:00 UTC);

/// Returns how often the text of a changing page has changed.
pub(super) fn revision(shape: &Shape, spot: Spot, elapsed: Duration) -> u64 {
    if shape.kind(spot) != Kind::Changing {
        return 0;
    }
    elapsed.as_secs() / period(shape, spot).as_secs()
}

/// Returns how long each text of a changing page stays: half a minute to an hour.
fn period(shape: &Shape, spot: Spot) -> Duration {
    let mut rng = shape.rng(spot, Purpose::Change);
    Duration::from_secs([30, 60, 300, 3_600][rng.usize(..4)])
}

/// Returns when a page was last changed, on the web's own calendar.
pub(super) fn modified(shape: &Shape, spot: Spot, elapsed: Duration) -> OffsetDateTime {
    let age = shape.rng(spot, Purpose::Text).i64(1..300 * 24 * 3_600);
    match revision(shape, spot, elapsed) {
        0 => BEGAN - Span::seconds(age),
        changes => BEGAN + period(shape, spot) * u32::try_from(changes).unwrap_or(u32::MAX),
    }
}

/// Returns a page's title, without markup.
pub(super) fn title(shape: &Shape, spot: Spot) -> String {
    let language = shape.language(spot.host);
    let mut title = String::new();
    prose::fill(language.title, language, &mut shape.rng(spot, Purpose::Title), &mut title);
    title
}

/// Writes one HTML page. `port` follows every host name in links (`:8080`, or nothing).
pub(super) fn page(shape: &Shape, spot: Spot, elapsed: Duration, port: &str) -> String {
    let language = shape.language(spot.host);
    let title = title(shape, spot);
    let mut rng = shape.rng(spot, Purpose::Text);
    let mut links = shape.links(spot);
    rng.shuffle(&mut links);
    let (least, most) = (*shape.options.page_bytes.start(), *shape.options.page_bytes.end());
    let size = least + scaled(most.saturating_sub(least), rng.f64());
    if shape.options.dress == Dress::Site {
        return dressed::page(shape, (spot, &links), port, size, &mut rng);
    }
    let mut html = String::with_capacity(size + 4_096);
    let home = shape.host_name(spot.host);
    let mark = prose::mark(shape.number(spot));
    // Writing to a string cannot fail, here and below.
    let _ = write!(
        html,
        "<!doctype html>\n<html lang=\"{}\">\n<head>\n<meta charset=\"utf-8\">\n\
         <title>{title}</title>\n</head>\n<body>\n<nav><a href=\"/\">{home}</a></nav>\n\
         <main>\n<h1>{title}</h1>\n<p>{}</p>\n",
        language.code, mark,
    );
    if shape.kind(spot) == Kind::Changing {
        news(shape, spot, elapsed, &mut html);
    }
    let num_links = links.len().max(1);
    let mut waiting = links.into_iter();
    let mut num_given = 0;
    let mut num_paragraphs = 0_usize;
    // Links are spread over the text, the rest of them stands in a list at its end.
    while html.len() < size {
        if num_paragraphs % 5 == 4 {
            heading(language, &mut rng, &mut html);
        }
        num_paragraphs += 1;
        html.push_str("<p>");
        for _ in 0..rng.usize(3..=8) {
            prose::sentence(language, &mut rng, &mut html);
        }
        if num_given * size < num_links * html.len()
            && let Some(link) = waiting.next()
        {
            num_given += 1;
            html.push_str(language.see);
            html.push(' ');
            anchor(shape, spot, link, port, &mut html);
        }
        html.push_str("</p>\n");
    }
    html.push_str("</main>\n<footer><ul>\n");
    for link in waiting {
        html.push_str("<li>");
        anchor(shape, spot, link, port, &mut html);
        html.push('\n');
    }
    html.push_str("</ul></footer>\n</body>\n</html>\n");
    html
}

/// Writes the part of a changing page that is new in each revision.
fn news(shape: &Shape, spot: Spot, elapsed: Duration, html: &mut String) {
    let language = shape.language(spot.host);
    let revision = revision(shape, spot, elapsed);
    let mut rng = shape.rng(spot, Purpose::Change);
    let mut rng = fastrand::Rng::with_seed(rng.u64(..) ^ revision);
    let _ = write!(html, "<p><b>{revision}</b> ");
    for _ in 0..6 {
        prose::sentence(language, &mut rng, html);
    }
    html.push_str("</p>\n");
}

fn heading(language: &Language, rng: &mut fastrand::Rng, html: &mut String) {
    html.push_str("<h2>");
    prose::fill(language.title, language, rng, html);
    html.push_str("</h2>\n");
}

/// Writes a link: within the host by path alone, to other hosts in full.
pub(super) fn anchor(shape: &Shape, from: Spot, to: Spot, port: &str, html: &mut String) {
    let host = if from.host == to.host {
        String::new()
    } else {
        format!("http://{}{port}", shape.host_name(to.host))
    };
    let _ = write!(html, "<a href=\"{host}{}\">{}</a>", shape.path(to), title(shape, to));
}

/// Writes a host's robots.txt.
pub(super) fn robots(shape: &Shape, host: usize, port: &str) -> String {
    let delay =
        shape.options.crawl_delay.map(|delay| format!("Crawl-delay: {}\n", delay.as_secs_f64()));
    format!(
        "User-agent: *\nDisallow: {DISALLOWED}\n{}\nSitemap: http://{}{port}/sitemap.xml\n",
        delay.unwrap_or_default(),
        shape.host_name(host),
    )
}

/// Writes a host's sitemap, or the index of its sitemaps where there are too many pages.
pub(super) fn sitemap(shape: &Shape, host: usize, part: Option<u64>, port: &str) -> Option<String> {
    let size = shape.num_pages_of(host);
    let name = shape.host_name(host);
    let num_parts = size.div_ceil(SITEMAP_URLS);
    let mut xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".to_owned();
    if part.is_none() && num_parts > 1 {
        xml.push_str("<sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n");
        for part in 0..num_parts {
            let _ = writeln!(
                xml,
                "<sitemap><loc>http://{name}{port}/sitemap-{part}.xml</loc></sitemap>"
            );
        }
        xml.push_str("</sitemapindex>\n");
        return Some(xml);
    }
    let part = part.unwrap_or(0);
    if part >= num_parts {
        return None;
    }
    xml.push_str("<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n");
    for local in part * SITEMAP_URLS..size.min((part + 1) * SITEMAP_URLS) {
        let spot = Spot { host, local };
        if matches!(shape.kind(spot), Kind::Plain | Kind::Slow | Kind::Changing | Kind::Busy) {
            let day = modified(shape, spot, Duration::ZERO).date();
            let path = shape.path(spot);
            let _ = writeln!(
                xml,
                "<url><loc>http://{name}{port}{path}</loc><lastmod>{day}</lastmod></url>"
            );
        }
    }
    xml.push_str("</urlset>\n");
    Some(xml)
}

fn scaled(range: usize, u: f64) -> usize {
    (range as f64 * u) as usize
}
