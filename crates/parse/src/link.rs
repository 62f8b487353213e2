//! Links: collected as they stand on the page, resolved and thinned out at the end (C8, P6).

pub(crate) mod mention;
pub(crate) mod script;
pub(crate) mod srcset;

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};

use base::limits::{ANCHOR_BYTES, URL_BYTES};
use base::{BadUrl, Joiner, Link, LinkKind, Rel, Rules, Span, Url};
use foldhash::fast::RandomState;

use crate::Options;
use crate::clean::Folded;

/// `<base>` elements tried before we stop looking for a usable one.
const BASES_TRIED: usize = 16;

/// Names a collected link while its anchor is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LinkRef(u32);

/// Gathers the links of one page.
pub(crate) struct Collector {
    raw: Vec<Raw>,
    bases: Vec<String>,
    rules: Rules,
    seen: usize,
    most_seen: usize,
    most_kept: usize,
    /// References that were not looked at.
    unseen: usize,
}

struct Raw {
    href: String,
    kind: LinkKind,
    rel: Rel,
    anchor: Folded,
    place: Option<Span>,
}

impl Collector {
    pub(crate) fn new(options: &Options) -> Self {
        Self {
            raw: Vec::new(),
            bases: Vec::new(),
            rules: options.url_rules,
            seen: 0,
            most_seen: options.links_seen,
            most_kept: options.links_kept,
            unseen: 0,
        }
    }

    /// Takes a reference; `None` if it leads nowhere we could go or the limit is reached.
    pub(crate) fn open(&mut self, href: &str, kind: LinkKind, rel: Rel) -> Option<LinkRef> {
        let href = href.trim();
        if href.is_empty() || href.starts_with('#') {
            return None;
        }
        let is_too_long = href.len() > 4 * URL_BYTES;
        if is_too_long && !may_be_of_the_web(href) {
            return None;
        }
        if is_too_long || self.seen >= self.most_seen {
            self.unseen += 1;
            return None;
        }
        self.seen += 1;
        let place = u32::try_from(self.raw.len()).ok()?;
        self.raw.push(Raw {
            href: href.to_owned(),
            kind,
            rel,
            anchor: Folded::default(),
            place: None,
        });
        Some(LinkRef(place))
    }

    /// Takes an address that stands in the text. It is kept only if nothing else leads there.
    pub(crate) fn mention(&mut self, address: &str, span: Span) {
        if let Some(link) = self.open(address, LinkKind::Mention, Rel::default()) {
            self.place(link, span);
        }
    }

    /// Appends text that a visitor can click.
    pub(crate) fn text(&mut self, link: LinkRef, text: &str) {
        let anchor = &mut self.raw[link.0 as usize].anchor;
        if anchor.len() < ANCHOR_BYTES {
            anchor.push(base::limits::cut(text, 4 * ANCHOR_BYTES));
        }
    }

    /// Notes a border between words in the anchor.
    pub(crate) fn space(&mut self, link: LinkRef) {
        self.raw[link.0 as usize].anchor.space();
    }

    /// Notes where a piece of the anchor stands in the text. What stands in the first block counts.
    pub(crate) fn place(&mut self, link: LinkRef, span: Span) {
        let place = self.raw[link.0 as usize].place.get_or_insert(span);
        if place.block == span.block {
            place.end = span.end;
        }
    }

    /// Notes a `<base href>`; the first usable one counts (HTM-10).
    pub(crate) fn base(&mut self, href: &str) {
        if self.bases.len() < BASES_TRIED && href.len() <= 4 * URL_BYTES {
            self.bases.push(href.trim().to_owned());
        }
    }

    /// Returns the `<base>` that counts on the page at `url`, if there is one.
    pub(crate) fn base_of(&self, url: &Url) -> Option<Url> {
        self.bases.iter().find_map(|href| url.join_with(href, self.rules).ok())
    }

    /// Resolves the links of the page at `url`: each target and kind once, with the first anchor
    /// that says something. Also returns where their anchors stand, and how many were left out for
    /// the limits.
    pub(crate) fn finish(self, url: &Url, nofollow: bool) -> (Vec<Link>, Vec<Option<Span>>, u32) {
        let base = self.base_of(url);
        let base = Joiner::with_rules(base.as_ref().unwrap_or(url), self.rules);
        let mut kept = Kept { most: self.most_kept, ..Kept::default() };
        let mut resolved: HashMap<&str, Option<Url>, RandomState> = HashMap::default();
        let mut too_long = 0;
        for raw in &self.raw {
            // Resolving costs most; menus repeat the same references.
            let target = resolved.entry(&raw.href).or_insert_with(|| {
                let joined = base.join(&raw.href);
                // Counted like others that a limit leaves out (URL-06).
                let is_left = matches!(joined, Err(BadUrl::Length)) && may_be_of_the_web(&raw.href);
                too_long += usize::from(is_left);
                joined.ok()
            });
            let Some(target) = target.as_ref().filter(|target| *target != url) else { continue };
            kept.add(target, raw);
        }
        let (mut links, mut places) = (kept.links, kept.anchors);
        drop_conflicting_canonicals(&mut links, &mut places);
        for link in &mut links {
            link.rel.nofollow |= nofollow;
        }
        let left = self.unseen + too_long + kept.left.len();
        (links, places, u32::try_from(left).unwrap_or(u32::MAX))
    }
}

#[derive(Default)]
struct Kept {
    links: Vec<Link>,
    /// Where the anchor of each link stands.
    anchors: Vec<Option<Span>>,
    places: HashMap<(Url, LinkKind), usize, RandomState>,
    media: usize,
    most: usize,
    /// Those for which there was no room; no more than were looked at.
    left: HashSet<(Url, LinkKind), RandomState>,
}

impl Kept {
    fn add(&mut self, target: &Url, raw: &Raw) {
        if raw.kind == LinkKind::Mention && self.is_linked(target) {
            return;
        }
        let is_media = raw.kind == LinkKind::Media;
        let is_full =
            self.links.len() >= self.most || is_media && self.media >= self.most.div_ceil(4);
        match self.places.entry((target.clone(), raw.kind)) {
            Entry::Occupied(place) => {
                let link = &mut self.links[*place.get()];
                // One honest vote is a vote, however many others carry a mark; two votes with
                // different marks are none.
                if raw.rel.is_endorsement() {
                    link.rel = raw.rel;
                } else if !link.rel.is_endorsement() {
                    link.rel.nofollow |= raw.rel.nofollow;
                    link.rel.ugc |= raw.rel.ugc;
                    link.rel.sponsored |= raw.rel.sponsored;
                }
                if link.anchor.is_empty() {
                    link.anchor = raw.anchor();
                    self.anchors[*place.get()] = raw.place;
                }
            }
            Entry::Vacant(place) if is_full => {
                self.left.insert(place.into_key());
            }
            Entry::Vacant(place) => {
                place.insert(self.links.len());
                self.media += usize::from(is_media);
                self.anchors.push(raw.place);
                self.links.push(Link {
                    target: target.clone(),
                    kind: raw.kind,
                    rel: raw.rel,
                    anchor: raw.anchor(),
                });
            }
        }
    }
}

impl Kept {
    /// Returns whether something that a visitor follows leads to a target.
    fn is_linked(&self, target: &Url) -> bool {
        use LinkKind::{Anchor, Canonical, Frame, Media, Redirect, Related, Script};
        let mut key = (target.clone(), Anchor);
        [Anchor, Frame, Related, Canonical, Redirect, Media, Script].iter().any(|kind| {
            key.1 = *kind;
            self.places.contains_key(&key)
        })
    }
}

impl Raw {
    fn anchor(&self) -> String {
        base::limits::cut(self.anchor.as_str(), ANCHOR_BYTES).trim_end().to_owned()
    }
}

/// Returns whether a reference is relative, or has a scheme of the web: a picture within the page
/// (`data:`) is nothing that was left out.
fn may_be_of_the_web(href: &str) -> bool {
    let start = href.split(['/', '?', '#']).next().unwrap_or_default();
    match start.split_once(':') {
        Some((scheme, _)) => ["http", "https"].iter().any(|web| scheme.eq_ignore_ascii_case(web)),
        None => true,
    }
}

/// A page that names two real addresses has told us nothing (HTM-14).
fn drop_conflicting_canonicals(links: &mut Vec<Link>, anchors: &mut Vec<Option<Span>>) {
    let is_canonical = |link: &Link| link.kind == LinkKind::Canonical;
    if links.iter().filter(|link| is_canonical(link)).count() > 1 {
        let mut kinds = links.iter().map(|link| !is_canonical(link));
        anchors.retain(|_| kinds.next().unwrap_or(false));
        links.retain(|link| !is_canonical(link));
    }
}

/// Returns what a `rel` attribute of a link says of trust.
pub(crate) fn rel(value: &str) -> Rel {
    let mut rel = Rel::default();
    for token in value.split_ascii_whitespace().take(64) {
        rel.nofollow |= token.eq_ignore_ascii_case("nofollow");
        rel.ugc |= token.eq_ignore_ascii_case("ugc");
        rel.sponsored |= token.eq_ignore_ascii_case("sponsored");
    }
    rel
}

/// Relations to other pages. Left out are those to another form of the same page (`amphtml`,
/// `shortlink`, `print`), which would be fetched only to be found a copy.
const PAGES: [&str; 18] = [
    "alternate",
    "next",
    "prev",
    "previous",
    "first",
    "last",
    "start",
    "up",
    "index",
    "contents",
    "chapter",
    "section",
    "collection",
    "item",
    "author",
    "help",
    "license",
    "related",
];

/// Returns what a `<link rel>` or a `Link` field points to, if it is a page.
pub(crate) fn kind_of_rel(value: &str) -> Option<LinkKind> {
    let has = |name: &str| {
        value.split_ascii_whitespace().take(64).any(|token| token.eq_ignore_ascii_case(name))
    };
    if has("canonical") {
        Some(LinkKind::Canonical)
    } else if PAGES.iter().any(|name| has(name)) && !has("stylesheet") {
        Some(LinkKind::Related)
    } else {
        None
    }
}

/// Longest delay of a refresh that counts as a redirect, in seconds; a longer one is a page that
/// moves on by itself (RED-10).
const REDIRECT_SECONDS: f64 = 10.0;

/// Reads the content of a refresh: `5; url=next.html`.
pub(crate) fn refresh(content: &str) -> Option<(&str, LinkKind)> {
    let content = content.trim_ascii();
    let digits = content.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(content.len());
    let delay: f64 = content[..digits].parse().ok()?;
    let rest = content[digits..].trim_ascii_start().trim_start_matches([';', ',']).trim_ascii();
    let is_named = rest.get(..3).is_some_and(|head| head.eq_ignore_ascii_case("url"));
    let named = if is_named { rest[3..].trim_ascii_start().strip_prefix('=') } else { None };
    let target = named.unwrap_or(rest).trim_ascii();
    let target = match target.chars().next()? {
        quote @ ('"' | '\'') => target[1..].split(quote).next().unwrap_or_default(),
        _ => target,
    };
    let kind = if delay <= REDIRECT_SECONDS { LinkKind::Redirect } else { LinkKind::Related };
    (!target.is_empty()).then_some((target, kind))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_refresh(content: &str, expected: Option<(&str, LinkKind)>) {
        assert_eq!(refresh(content), expected, "{content:?}");
    }

    #[test]
    fn red_10_refreshes_are_read_as_browsers_read_them() {
        check_refresh("0; url=a.html", Some(("a.html", LinkKind::Redirect)));
        check_refresh("5;URL='a b'", Some(("a b", LinkKind::Redirect)));
        check_refresh(" 3600 ; url = a ", Some(("a", LinkKind::Related)));
        check_refresh("0,a.html", Some(("a.html", LinkKind::Redirect)));
        check_refresh("0; url.html", Some(("url.html", LinkKind::Redirect)));
        check_refresh("30", None);
        check_refresh("", None);
        check_refresh("url=a", None);
        check_refresh("0; ü", Some(("ü", LinkKind::Redirect)));
    }
}
