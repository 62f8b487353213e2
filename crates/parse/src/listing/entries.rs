//! What the elements of a list mean: entries with their addresses, dates and priorities.
//!
//! ```text
//! urlset > url > loc, lastmod, priority, xhtml:link, news:news > news:publication_date
//! sitemapindex > sitemap > loc, lastmod
//! rss > channel > link, item > link | guid, pubDate
//! rdf:RDF > channel > link; rdf:RDF > item[rdf:about] > link, dc:date
//! feed > link[href], entry > link[href], updated, published
//! ```

use std::ops::ControlFlow;

use base::{Listed, ListedKind, Rules, Timestamp, Url};

use super::found::{Found, PRIORITY};
use super::xml::{Element, Inside, Tag, Visitor};
use crate::date;

/// Addresses taken from one entry; more than two are a mistake.
const MOST_ADDRESSES: usize = 8;

/// The two families of lists; their elements share names but not meanings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Family {
    Sitemap,
    Feed,
}

/// Gathers the entries of one list.
pub(super) struct Entries<'a> {
    family: Family,
    url: &'a Url,
    rules: Rules,
    /// `xml:base` in force, each with the depth of its element.
    bases: Vec<(usize, Url)>,
    entry: Option<Entry>,
    found: Found<'a>,
    /// The entry that ended last, until it is asked for.
    ended: Option<Ended>,
}

/// An entry that was read.
pub(super) struct Ended {
    /// Where it leads, if it leads anywhere.
    pub(super) address: Option<Url>,
    pub(super) modified: Option<Timestamp>,
}

/// What something in a feed is said of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Of {
    Feed,
    Entry,
}

/// An entry that is being read.
struct Entry {
    tag: Tag,
    /// Elements that it stands in.
    depth: usize,
    addresses: Vec<Url>,
    /// Address of an entry that has no other: its identifier, if that is a URL.
    identifier: Option<Url>,
    /// Whether the `guid` is said to be no address.
    is_opaque: bool,
    modified: Option<Timestamp>,
    priority: u8,
}

impl<'a> Entries<'a> {
    pub(super) fn new(family: Family, url: &'a Url, most: usize, rules: Rules) -> Self {
        let found = Found::new(url, most);
        Self { family, url, rules, bases: Vec::new(), entry: None, found, ended: None }
    }

    /// Returns what an element inside of `parents` is said of, if it stands directly in it.
    pub(super) fn said_of(&self, parents: &[Tag]) -> Option<Of> {
        match &self.entry {
            Some(entry) => (entry.depth + 1 == parents.len()).then_some(Of::Entry),
            None => is_head(parents).then_some(Of::Feed),
        }
    }

    /// Returns the entry that has ended, once.
    pub(super) fn take_ended(&mut self) -> Option<Ended> {
        self.ended.take()
    }

    /// Returns what references are resolved against where the walk is.
    pub(super) fn base(&self) -> &Url {
        self.bases.last().map_or(self.url, |(_, base)| base)
    }

    /// Returns the entries in their order, behind them other languages of them and the pages
    /// that a feed belongs to, and whether any were left out for the limit.
    ///
    /// An entry that is not closed is kept as far as it came.
    pub(super) fn finish(mut self) -> (Vec<Listed>, bool) {
        self.end();
        self.found.finish()
    }

    /// Ends an entry that is not closed.
    pub(super) fn end(&mut self) {
        let _ = self.end_entry();
    }

    fn resolve(&self, text: &str) -> Option<Url> {
        if text.is_empty() {
            return None;
        }
        // Nearly all are whole, and then a base would only be read in vain.
        absolute(text, self.rules).or_else(|| self.base().join_with(text, self.rules).ok())
    }

    /// Returns whether `tag` begins an entry where it stands.
    fn is_entry(&self, tag: Tag, parents: &[Tag]) -> bool {
        // Inside of one of its own kind it shows that the end of that one is missing.
        let is_sibling = parents.last() == Some(&tag);
        match (self.family, tag) {
            (Family::Sitemap, Tag::Url | Tag::Sitemap) => parents.len() == 1 || is_sibling,
            (Family::Feed, Tag::Item | Tag::Entry) => {
                matches!(parents.len(), 1 | 2) && self.entry.is_none() || is_sibling
            }
            _ => false,
        }
    }

    fn end_entry(&mut self) -> ControlFlow<()> {
        let Some(mut entry) = self.entry.take() else { return ControlFlow::Continue(()) };
        self.found.see()?;
        if entry.addresses.is_empty() {
            entry.addresses.extend(entry.identifier);
        }
        let kind = if entry.tag == Tag::Sitemap { ListedKind::Sitemap } else { ListedKind::Page };
        if self.family == Family::Feed {
            let address = entry.addresses.first().cloned();
            self.ended = Some(Ended { address, modified: entry.modified });
        }
        for target in entry.addresses {
            let (modified, priority) = (entry.modified, entry.priority);
            self.found.add(Listed { target, kind, modified, priority })?;
        }
        ControlFlow::Continue(())
    }

    /// Takes `<link href>`, of Atom or of XHTML.
    fn link(&mut self, element: &Element<'_>, parents: &[Tag]) {
        let Some(href) = element.attribute("href") else { return };
        let rel = element.attribute("rel");
        let has = |name: &str| {
            let rel = rel.as_deref().unwrap_or("alternate");
            rel.split_ascii_whitespace().take(16).any(|token| token.eq_ignore_ascii_case(name))
        };
        // `next` leads to older entries (RFC 5005); `self`, `edit`, `hub` and so on to no page.
        let is_page = has("alternate") || self.entry.is_none() && has("next");
        if !is_page || !self.found.see_extra() {
            return;
        }
        let Some(target) = self.resolve(&href) else { return };
        match &mut self.entry {
            Some(_) if self.family == Family::Sitemap => self.found.extra(target),
            Some(entry) => entry.address(target),
            None if is_head(parents) => self.found.extra(target),
            None => {}
        }
    }

    /// Takes the text of an element that stands directly in the entry.
    fn value(&mut self, tag: Tag, text: &str) {
        let is_address = match self.family {
            Family::Sitemap => tag == Tag::Loc,
            Family::Feed => tag == Tag::Link,
        };
        let target = if is_address { self.resolve(text) } else { None };
        let Some(entry) = &mut self.entry else { return };
        match tag {
            Tag::Date => entry.changed(text),
            Tag::Priority => entry.priority = priority(text).unwrap_or(entry.priority),
            Tag::Guid if !entry.is_opaque => entry.identifier = absolute(text, self.rules),
            _ => {}
        }
        if let Some(target) = target {
            entry.address(target);
        }
    }
}

impl Visitor for Entries<'_> {
    fn open(&mut self, element: &Element<'_>, parents: &[Tag]) -> ControlFlow<()> {
        let tag = element.tag;
        let depth = parents.len();
        // Deeper ones hold for texts that are not read.
        if self.family == Family::Feed && depth <= 3 && tag != Tag::Date {
            let base = element.attribute("xml:base").and_then(|base| self.resolve(&base));
            self.bases.extend(base.map(|base| (depth, base)));
        }
        if self.is_entry(tag, parents) {
            self.end_entry()?;
            let mut entry = Entry::new(tag, depth);
            if tag == Tag::Item {
                let about = element.attribute("rdf:about");
                entry.identifier = about.as_deref().and_then(|about| absolute(about, self.rules));
            }
            self.entry = Some(entry);
            return ControlFlow::Continue(());
        }
        let is_child = self.entry.as_ref().is_none_or(|entry| entry.depth + 1 == depth);
        match tag {
            Tag::Link if is_child => self.link(element, parents),
            Tag::Guid if is_child => {
                let permanent = element.attribute("isPermaLink");
                let is_opaque = permanent.is_some_and(|value| value.eq_ignore_ascii_case("false"));
                self.entry.iter_mut().for_each(|entry| entry.is_opaque = is_opaque);
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }

    fn close(&mut self, tag: Tag, parents: &[Tag], inside: Inside<'_>) -> ControlFlow<()> {
        let (depth, text) = (parents.len(), inside.text);
        self.bases.pop_if(|(of, _)| *of >= depth);
        let Some(entry) = &mut self.entry else {
            if tag == Tag::Link && self.family == Family::Feed && is_head(parents) {
                let target = self.resolve(text);
                target.into_iter().for_each(|target| self.found.extra(target));
            }
            return ControlFlow::Continue(());
        };
        if entry.depth == depth {
            // Some indexes put the address into `<sitemap>` itself.
            if self.family == Family::Sitemap && entry.addresses.is_empty() {
                entry.identifier = absolute(text, self.rules);
            }
            return self.end_entry();
        }
        if tag == Tag::PublicationDate && parents.last() == Some(&Tag::News) {
            entry.changed(text);
        } else if entry.depth + 1 == depth {
            self.value(tag, text);
        }
        ControlFlow::Continue(())
    }
}

impl Entry {
    fn new(tag: Tag, depth: usize) -> Self {
        Self {
            tag,
            depth,
            addresses: Vec::new(),
            identifier: None,
            is_opaque: false,
            modified: None,
            priority: PRIORITY,
        }
    }

    fn address(&mut self, target: Url) {
        if self.addresses.len() < MOST_ADDRESSES {
            self.addresses.push(target);
        }
    }

    /// Takes a date: of several, written and changed, the latest.
    fn changed(&mut self, text: &str) {
        self.modified = self.modified.max(date::parse(text));
    }
}

/// Returns a URL that stands for itself, without a page to resolve it against.
pub(super) fn absolute(text: &str, rules: Rules) -> Option<Url> {
    let is_web = ["http://", "https://"].iter().any(|scheme| {
        text.get(..scheme.len()).is_some_and(|head| head.eq_ignore_ascii_case(scheme))
    });
    if is_web { Url::parse_with(text, rules).ok() } else { None }
}

/// Returns whether what stands here is said of the feed itself.
fn is_head(parents: &[Tag]) -> bool {
    matches!(parents, [Tag::Feed] | [_, Tag::Channel])
}

/// Reads 0.0 to 1.0 as tenths; other numbers say nothing (SMP-07).
fn priority(text: &str) -> Option<u8> {
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let number: f32 = text.parse().ok().filter(|_| is_number && text.len() <= 16)?;
    (0.0..=1.0).contains(&number).then(|| (number * 10.0).round() as u8)
}
