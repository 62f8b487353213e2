//! Pages that repeat others, found at crawl time (C13): by content, by `rel=canonical`, by host.
//!
//! - Equal text is a copy of the page that had it first, wherever that lies. Texts of a few words
//!   ("Page not found") are not compared: too many different pages share them.
//! - Nearly equal text is a copy of the page that it resembles most (module `near`).
//! - A page that names another address of its *site* as canonical is a copy of it once that one
//!   has been fetched. Across sites the hint counts only when the other page agrees, that is, has
//!   the same text: a stranger's word moves nobody's page but his own.
//! - A copy that turns out to be the original's alias after it was recorded is said anew: a record
//!   without text, under its own id, follows in the page log.
//! - A host whose pages are those of another host at the same paths is its mirror (module
//!   `suspects`).

use base::{Link, LinkKind, Oddity, PageId, PageRecord, Rel, Url};

use super::update::{Update, fresh};
use super::{
    Class, FrontierError, Mirror, Place, Role, SoftMissing, Standing, UrlState, encode, read,
};
use crate::Options;
use crate::importance::Fingerprint;
use crate::learn::{Lessons, Observation, Outcome, Sketch};

/// Texts shorter than this are not compared with those of other pages.
const COMPARED_BYTES: usize = 120;
/// Aliases of one page that are said anew at once.
const ALIASES: usize = 64;
/// Pages of a host that are read before it is asked for one that it cannot have (LNK-09).
const PAGES_BEFORE_PROBE: u64 = 10;
/// Pages that a host must be worth before it is asked for a sitemap that it has not named.
const PAGES_BEFORE_SITEMAP: u64 = 3;

impl Update<'_> {
    /// Marks a record as a copy or as a soft 404, before it is logged; returns records that say
    /// anew what earlier ones said otherwise.
    pub(crate) fn judge(
        &mut self,
        record: &mut PageRecord,
    ) -> Result<Vec<PageRecord>, FrontierError> {
        let mut anew = Vec::new();
        if record.status != 200 {
            return Ok(anew);
        }
        let state = self.url(&record.url)?;
        let role = state.as_ref().map_or(Role::Page, |state| state.role);
        if self.is_soft_missing(record, role)? {
            record.oddities.push(Oddity::SoftMissing);
            record.blocks.clear();
            record.title.clear();
            record.sketch = base::Sketch::default();
            if let (Role::Probe, Some(first)) = (role, self.first_with(record.text_hash)?)
                && first != record.id
                && let Some(url) = self.url_of(first)?
                && url.host() == record.url.host()
                && url.path_and_query() != "/"
            {
                anew.extend(self.said_anew(&url, None, record)?);
            }
            return Ok(anew);
        }
        if matches!(role, Role::Sitemap { .. }) {
            return Ok(anew);
        }
        self.demote_aliases(record, &mut anew)?;
        record.copy_of = self.original(record, &anew)?;
        Ok(anew)
    }

    /// Returns the page that a page repeats, those of `leaving` apart, which have just become
    /// copies of it.
    fn original(
        &mut self,
        record: &PageRecord,
        leaving: &[PageRecord],
    ) -> Result<Option<PageId>, FrontierError> {
        if let Some(canonical) = canonical(record)
            && canonical.site() == record.url.site()
            && let Some(UrlState { page: Some(page), standing, .. }) = self.url(canonical)?
            && matches!(standing, Standing::Fetched { status: 200, copy_of: None, .. })
        {
            return Ok(Some(page));
        }
        if !is_compared(record) {
            return Ok(None);
        }
        let Some(first) = self.first_with(record.text_hash)? else {
            return self.near_original(record, leaving);
        };
        // One that has been taken out, or has changed since, is nobody's original.
        let standing = match self.url_of(first)? {
            Some(url) => self.url(&url)?.map(|state| state.standing),
            None => None,
        };
        if !matches!(standing, Some(Standing::Fetched { status: 200, .. })) {
            self.texts.insert(record.text_hash, record.id);
            return self.near_original(record, leaving);
        }
        Ok(Some(first).filter(|first| *first != record.id))
    }

    /// Says anew of earlier pages that name this one as canonical that they repeat it.
    fn demote_aliases(
        &mut self,
        record: &PageRecord,
        anew: &mut Vec<PageRecord>,
    ) -> Result<(), FrontierError> {
        if canonical(record).is_some() {
            return Ok(());
        }
        for alias in self.aliases_of(&record.url)? {
            let Some(state) = self.url(&alias)? else { continue };
            let Standing::Fetched { status: 200, copy_of: None, .. } = state.standing else {
                continue;
            };
            let agrees = alias.site() == record.url.site()
                || is_compared(record) && self.first_with(record.text_hash)? == state.page;
            if !agrees {
                continue;
            }
            // From now on this page is the first with its text.
            if self.first_with(record.text_hash)? == state.page {
                self.texts.insert(record.text_hash, record.id);
            }
            anew.extend(self.said_anew(&alias, Some(record.id), record)?);
        }
        Ok(())
    }

    /// Makes the record that takes an earlier page out of the results.
    fn said_anew(
        &self,
        url: &Url,
        copy_of: Option<PageId>,
        because: &PageRecord,
    ) -> Result<Option<PageRecord>, FrontierError> {
        let Some(state) = self.url(url)? else { return Ok(None) };
        let (Some(id), Standing::Fetched { at, capture, .. }) = (state.page, state.standing) else {
            return Ok(None);
        };
        let link = Link {
            target: because.url.clone(),
            kind: LinkKind::Canonical,
            rel: Rel::default(),
            anchor: String::new(),
        };
        let oddities = if copy_of.is_none() { vec![Oddity::SoftMissing] } else { Vec::new() };
        Ok(Some(PageRecord {
            capture,
            kind: because.kind,
            links: if copy_of.is_some() { vec![link] } else { Vec::new() },
            robots: because.robots,
            oddities,
            copy_of,
            ..PageRecord::new(id, url.clone(), at, 200)
        }))
    }

    fn is_soft_missing(&mut self, record: &PageRecord, role: Role) -> Result<bool, FrontierError> {
        if role == Role::Probe {
            return Ok(true);
        }
        let soft = self.peek(&record.url.host())?.soft;
        // A page without words is like many: lists, documents, frames.
        Ok(record.text_hash != 0
            && matches!(soft, SoftMissing::Soft { text_hash } if text_hash == record.text_hash)
            // The page that visitors are sent to is real, whatever else is answered with it.
            && record.url.path_and_query() != "/")
    }

    /// Returns whether a page's links need not be followed: they are those of another page.
    ///
    /// A copy in another folder may link to other pages, and a page that only names another as
    /// canonical has links of its own. So those of copies are followed too, without importance,
    /// unless the host is a mirror or wastes: then they are how a trap goes on.
    pub(super) fn repeats(&mut self, record: &PageRecord) -> Result<bool, FrontierError> {
        if record.oddities.contains(&Oddity::SoftMissing) {
            return Ok(true);
        }
        if record.copy_of.is_none() || !self.has_its_text(record)? {
            return Ok(false);
        }
        let host = self.peek(&record.url.host())?;
        Ok(host.is_wasteful() || host.mirror.as_ref().is_some_and(Mirror::is_sure))
    }

    /// Returns whether a copy says what its original says, not only that it is one.
    fn has_its_text(&self, record: &PageRecord) -> Result<bool, FrontierError> {
        Ok(self.is_equal(record)? || self.nearly_repeats(record)?)
    }

    fn is_equal(&self, record: &PageRecord) -> Result<bool, FrontierError> {
        Ok(record.copy_of.is_some() && self.first_with(record.text_hash)? == record.copy_of)
    }

    /// Remembers a page that repeats no other, so that others may be told to repeat it.
    pub(super) fn remember(&mut self, record: &PageRecord) -> Result<(), FrontierError> {
        if record.status != 200 || record.copy_of.is_some() {
            return Ok(());
        }
        if is_compared(record) && self.first_with(record.text_hash)?.is_none() {
            self.texts.insert(record.text_hash, record.id);
        }
        self.keep_sketch(record)?;
        if let Some(canonical) = canonical(record) {
            self.aliases.push((canonical.clone(), record.url.clone()));
        }
        Ok(())
    }

    /// Counts what a response was worth and teaches its host's lessons.
    pub(super) fn learn(
        &mut self,
        record: &PageRecord,
        state: &UrlState,
        start: base::log::Position,
        options: &Options,
    ) -> Result<(), FrontierError> {
        let host = record.url.host();
        if state.role == Role::Probe {
            self.host(&host)?.soft = soft_missing(record);
            return Ok(());
        }
        self.remember(record)?;
        let original = match record.copy_of {
            Some(page) if self.has_its_text(record)? => self.url_of(page)?,
            _ => None,
        };
        let is_soft = record.oddities.contains(&Oddity::SoftMissing);
        let is_empty = is_empty(record);
        let outcome = match (&original, &record.redirect) {
            (_, Some(target)) => Outcome::Redirect(target),
            (Some(original), _) if self.is_equal(record)? => Outcome::CopyOf(original),
            (Some(original), _) => Outcome::NearCopyOf(original),
            (None, None) if is_soft => Outcome::Missing,
            (None, None) if is_empty => Outcome::Empty,
            (None, None) if record.status == 200 => Outcome::New,
            (None, None) => Outcome::Absent,
        };
        let text_hash = (record.text_hash != 0).then_some(record.text_hash as u64);
        let sketch = Sketch::of(record);
        let from = match state.from {
            Some(page) => self.url_of(page)?,
            None => None,
        };
        let observation = Observation {
            url: &record.url,
            from: from.as_ref(),
            text_hash,
            sketch: &sketch,
            outcome,
        };
        let (is_new, saved) = self.frontier.with_lessons(&record.url, |learnt| {
            let is_new = learnt.lessons.observe(&observation);
            (is_new, learnt.note().then(|| encode(&learnt.lessons)))
        })?;
        let worth = if is_soft || is_empty || original.is_some() {
            PageWorth::Wasted
        } else if is_new {
            PageWorth::Useful
        } else {
            PageWorth::Neither
        };
        self.value(record, &outcome, worth, start, options)?;
        let name = Lessons::host_of(&record.url).to_owned();
        self.lessons.extend(saved.map(|lessons| (name, lessons)));
        Ok(())
    }

    /// Counts a response for its host and site; asks for a missing page when it is time.
    fn value(
        &mut self,
        record: &PageRecord,
        outcome: &Outcome<'_>,
        worth: PageWorth,
        start: base::log::Position,
        options: &Options,
    ) -> Result<(), FrontierError> {
        let url = &record.url;
        let is_useful = record.status == 200 && worth == PageWorth::Useful;
        if is_useful {
            self.site(&url.site())?.useful += 1;
        }
        let host = self.host(&url.host())?;
        host.responses += 1;
        host.bytes += record.body_bytes;
        (host.errors, host.failure) = (0, None);
        host.useful += u64::from(is_useful);
        host.wasted += u64::from(worth == PageWorth::Wasted);
        self.compare_hosts(record, outcome)?;
        // Of a suspected mirror only pages are read, and as few as possible.
        let host = self.host(&url.host())?;
        if !options.guesses || host.is_watched() {
            return Ok(());
        }
        let asks_for_sitemap = host.useful == PAGES_BEFORE_SITEMAP && host.sitemaps == 0;
        let is_time = host.useful + host.wasted >= PAGES_BEFORE_PROBE || host.wasted >= 2;
        if is_time && host.soft == SoftMissing::Unasked {
            host.soft = SoftMissing::Asked;
            let name = Fingerprint::of(url).as_u64();
            if let Ok(probe) = url.join(&format!("/{name:016x}.html"))
                && self.url(&probe)?.is_none()
            {
                let place = Place { class: Class::FIRST, order: 0, found: start, number: u16::MAX };
                let from = Some(record.id);
                let state = UrlState { role: Role::Probe, from, ..fresh(record.fetched) };
                self.discover(&probe, place, state)?;
            }
        }
        // The well-known place, where robots.txt names none (C7).
        if asks_for_sitemap && let Ok(sitemap) = url.join("/sitemap.xml") {
            self.sitemap(&sitemap, &url.host(), Class::MIDDLE, record.fetched, options)?;
        }
        Ok(())
    }

    pub(super) fn url_of(&self, page: PageId) -> Result<Option<Url>, FrontierError> {
        match self.names.get(&page) {
            Some(url) => Ok(Some(url.clone())),
            None => self.frontier.url_of(page),
        }
    }

    pub(super) fn first_with(&self, text_hash: u128) -> Result<Option<PageId>, FrontierError> {
        if text_hash == 0 {
            return Ok(None);
        }
        match self.texts.get(&text_hash) {
            Some(page) => Ok(Some(*page)),
            None => read(&self.frontier.texts, "texts", &text_hash.to_be_bytes()),
        }
    }

    /// Returns the pages known to name `canonical` as their real address, a bounded number.
    fn aliases_of(&self, canonical: &Url) -> Result<Vec<Url>, FrontierError> {
        let earlier = self.aliases.iter().filter(|(to, _)| to == canonical);
        let mut found: Vec<Url> = earlier.map(|(_, alias)| alias.clone()).collect();
        let prefix = alias_prefix(canonical);
        for guard in self.frontier.aliases.prefix(&prefix).take(ALIASES) {
            let (key, _) = guard.into_inner()?;
            let alias = std::str::from_utf8(&key[prefix.len()..]).ok().and_then(Url::from_surt);
            found.push(alias.ok_or(FrontierError::Value { keyspace: "aliases" })?);
        }
        found.truncate(ALIASES);
        Ok(found)
    }
}

/// What a page was worth for its host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PageWorth {
    Useful,
    /// A copy, empty, or the same for every address.
    Wasted,
    /// Made of what others of its shape have said, or no page: no gain, and not the host's fault.
    Neither,
}

/// What a host says for an address that it does not have.
fn soft_missing(record: &PageRecord) -> SoftMissing {
    match record.status {
        200 => SoftMissing::Soft { text_hash: record.text_hash },
        _ => SoftMissing::Honest,
    }
}

/// Returns whether a page says nothing and leads nowhere.
fn is_empty(record: &PageRecord) -> bool {
    record.status == 200
        && record.text_hash == 0
        && record.links.is_empty()
        && record.listing.is_empty()
        && record.kind != base::ContentKind::Other
        && !record.kind.is_document()
}

fn alias_prefix(canonical: &Url) -> Vec<u8> {
    [canonical.surt().as_bytes(), b"\0"].concat()
}

pub(super) fn alias_key(canonical: &Url, alias: &Url) -> Vec<u8> {
    [alias_prefix(canonical).as_slice(), alias.surt().as_bytes()].concat()
}

/// Returns the address that a page says is its real one, if that is another.
fn canonical(record: &PageRecord) -> Option<&Url> {
    let mut named = record.links.iter().filter(|link| link.kind == LinkKind::Canonical);
    let first = &named.next()?.target;
    // Two different ones contradict each other (HTM-14).
    let is_clear = named.all(|link| link.target == *first);
    (is_clear && *first != record.url).then_some(first)
}

pub(super) fn is_compared(record: &PageRecord) -> bool {
    let bytes: usize = record.blocks.iter().map(|block| block.text.len()).sum();
    record.text_hash != 0 && bytes >= COMPARED_BYTES
}
