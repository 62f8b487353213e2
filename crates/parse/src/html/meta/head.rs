//! `<meta>` and `<link>`: description, author, dates, languages, places, the picture to share.

use base::DateSource::{Meta, OpenGraph};
use base::{DateSource, Place};
use html5ever::local_name;

use super::super::tree::Element;
use crate::about::{self, Draft, Rank};
use crate::date;
use crate::date::claims::What;

/// `<meta>` elements looked at; pages have a few dozen.
const MOST_METAS: usize = 500;
/// Longest name and content looked at, in bytes.
const NAME_BYTES: usize = 64;
const CONTENT_BYTES: usize = 16 * 1024;

/// What is put together from several elements.
#[derive(Default)]
pub(super) struct Head<'a> {
    seen: usize,
    latitude: &'a str,
    longitude: &'a str,
    place: [&'a str; 4],
    country: Option<String>,
    /// The picture to share: address, alternative text, width, height.
    pub(super) image: &'a str,
    pub(super) image_alt: &'a str,
    pub(super) image_size: (&'a str, &'a str),
}

impl<'a> Head<'a> {
    /// Reads a `<meta>` by its `name`, `property` or `http-equiv`.
    pub(super) fn meta(&mut self, name: &str, content: &'a str, about: &mut Draft) {
        self.seen += 1;
        let name = name.trim();
        let content = base::limits::cut(content.trim(), CONTENT_BYTES);
        if self.seen > MOST_METAS || name.len() > NAME_BYTES || content.is_empty() {
            return;
        }
        let name = name.to_ascii_lowercase();
        let _ = text(&name, content, about)
            || dates(&name, content, about)
            || self.place(&name, content)
            || self.picture(&name, content);
    }

    fn place(&mut self, name: &str, content: &'a str) -> bool {
        match name {
            "geo.position" | "icbm" => {
                if let Some((latitude, longitude)) = content.split_once([';', ',']) {
                    (self.latitude, self.longitude) = (latitude, longitude);
                }
            }
            "og:latitude" | "place:location:latitude" => self.latitude = content,
            "og:longitude" | "place:location:longitude" => self.longitude = content,
            "geo.placename" => self.place[0] = content,
            "og:street-address" | "business:contact_data:street_address" => self.place[1] = content,
            "og:locality" | "business:contact_data:locality" => self.place[2] = content,
            "og:region" | "business:contact_data:region" => self.place[3] = content,
            // `DE-BE` is a part of `DE`.
            "geo.region" | "geo.country" => {
                self.country = about::country(content.split('-').next().unwrap_or_default());
            }
            "og:country-name" | "business:contact_data:country_name" => {
                self.country = about::country(content);
            }
            _ => return false,
        }
        true
    }

    fn picture(&mut self, name: &str, content: &'a str) -> bool {
        match name {
            // Of several the first is the one that the page means most.
            "og:image" | "og:image:url" | "twitter:image" | "twitter:image:src" => {
                if self.image.is_empty() {
                    self.image = content;
                }
            }
            "og:image:alt" | "twitter:image:alt" => self.image_alt = content,
            "og:image:width" => self.image_size.0 = content,
            "og:image:height" => self.image_size.1 = content,
            _ => return false,
        }
        true
    }

    /// Reads a `<link>`: the same page in another language.
    pub(super) fn link(&self, element: &Element, about: &mut Draft) {
        let Some(language) = element.attribute(&local_name!("hreflang")) else { return };
        let rel = element.attribute(&local_name!("rel")).unwrap_or_default();
        let Some(href) = element.attribute(&local_name!("href")) else { return };
        let is = |name: &str| {
            rel.split_ascii_whitespace().take(64).any(|token| token.eq_ignore_ascii_case(name))
        };
        if is("alternate") && !is("stylesheet") {
            about.alternate(language, href);
        }
    }

    pub(super) fn finish(self, about: &mut Draft) {
        let name = about::address_line(self.place);
        let point = about::point(self.latitude, self.longitude);
        about.place(Place { name, country: self.country, point });
    }
}

/// Takes a text or name; returns whether the name is one of these.
fn text(name: &str, content: &str, about: &mut Draft) -> bool {
    match name {
        "description" => about.description(content, Rank::Own),
        "og:description" | "twitter:description" => about.description(content, Rank::Social),
        "dc.description" | "dcterms.description" | "dcterms.abstract" => {
            about.description(content, Rank::Other);
        }
        "dc.creator" | "dcterms.creator" | "dc:creator" | "dcterm:creator" | "citation_author" => {
            about.co_author(content, Rank::Social);
        }
        "author" | "article:author" | "og:article:author" | "parsely-author"
        | "sailthru.author" | "byl" | "dc.contributor" => about.author(content, Rank::Other),
        "og:site_name" => about.site_name(content, Rank::Own),
        "application-name" | "apple-mobile-web-app-title" => about.site_name(content, Rank::Other),
        "content-language" => about.language(content.split(',').next().unwrap_or(""), Rank::Social),
        "language" | "dc.language" | "dcterms.language" | "og:locale" | "inlanguage" => {
            about.language(content, Rank::Other);
        }
        "og:type" => about.kind(content),
        _ => return false,
    }
    true
}

/// Takes a date; returns whether the name is one of these.
fn dates(name: &str, content: &str, about: &mut Draft) -> bool {
    let Some((what, source)) = date_kind(name) else { return false };
    about.dates.add(what, date::parse(content), source);
    true
}

fn date_kind(name: &str) -> Option<(What, DateSource)> {
    Some(match name {
        "article:published_time"
        | "og:article:published_time"
        | "og:published_time"
        | "book:release_date"
        | "video:release_date" => (What::Published, OpenGraph),
        "article:modified_time"
        | "og:article:modified_time"
        | "og:updated_time"
        | "og:modified_time" => (What::Modified, OpenGraph),
        "date"
        | "dc.date"
        | "dcterms.date"
        | "dc.date.issued"
        | "dcterms.issued"
        | "dc:date"
        | "dc.date.created"
        | "dcterms.created"
        | "dcterms.available"
        | "date.issued"
        | "date.created"
        | "citation_date"
        | "citation_publication_date"
        | "citation_online_date"
        | "pubdate"
        | "publishdate"
        | "publish-date"
        | "publish_date"
        | "publication_date"
        | "published"
        | "published_date"
        | "datepublished"
        | "article.published"
        | "sailthru.date"
        | "parsely-pub-date"
        | "displaydate"
        | "originalpublicationdate"
        | "ptime"
        | "creation_date"
        | "created" => (What::Published, Meta),
        "last-modified" | "lastmod" | "last_modified" | "lastmodified" | "dcterms.modified"
        | "dc.date.modified" | "date.modified" | "datemodified" | "revised" | "modified"
        | "updated" | "article.updated" | "utime" => (What::Modified, Meta),
        _ => return None,
    })
}
