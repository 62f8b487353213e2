//! The page record: what one fetch of one page taught us, handed from stage to stage.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{Timestamp, Url};

/// Names a page for ever; the same URL keeps its id when it is fetched again.
///
/// The upper 16 bits are the partition, the lower 48 count from zero within it in the order of
/// first appearance in the page log. So arrays by page are dense, and no counter is global.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct PageId(u64);

const INDEX_BITS: u32 = 48;

impl PageId {
    /// Returns the id of the `index`-th page of a partition; `None` past 2^48 pages.
    pub fn new(partition: u16, index: u64) -> Option<Self> {
        (index < 1 << INDEX_BITS).then_some(Self(u64::from(partition) << INDEX_BITS | index))
    }

    /// Rebuilds an id from [`Self::as_u64`].
    pub const fn from_u64(raw: u64) -> Self {
        Self(raw)
    }

    /// Returns the id as one number.
    pub const fn as_u64(self) -> u64 {
        self.0
    }

    /// Returns the partition that gave the id.
    pub const fn partition(self) -> u16 {
        (self.0 >> INDEX_BITS) as u16
    }

    /// Returns the place in arrays by page of this partition.
    pub const fn index(self) -> u64 {
        self.0 & ((1 << INDEX_BITS) - 1)
    }
}

impl fmt::Display for PageId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}", self.partition(), self.index())
    }
}

/// What one fetch of one URL brought. One record per archived response, in archive order.
///
/// The order of the fields, and of every enum's variants, is the stored form: new ones come last.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PageRecord {
    /// The page.
    pub id: PageId,
    /// Its canonical address.
    pub url: Url,
    /// When the response arrived.
    pub fetched: Timestamp,
    /// HTTP status. Only 200 with text is searched; others are known so that links to them count.
    pub status: u16,
    /// Where the response lies in the archive.
    pub capture: Capture,
    /// Where the response sends its visitors, for a 3xx.
    pub redirect: Option<Url>,
    /// What the bytes are, judged by the bytes.
    pub kind: ContentKind,
    /// Language of the text as ISO 639-1 (`da`), if it could be told.
    pub language: Option<String>,
    /// Title as shown to people; empty if the page has none.
    pub title: String,
    /// The text in reading order, apart where the page keeps it apart.
    pub blocks: Vec<Block>,
    /// Links in page order, each target and kind once.
    pub links: Vec<Link>,
    /// What the page asks of robots.
    pub robots: RobotsFlags,
    /// 128-bit hash of the normalised text: equal text, equal number.
    pub text_hash: u128,
    /// Bytes of the decoded body.
    pub body_bytes: u64,
    /// What was strange about the response; data, not errors.
    pub oddities: Vec<Oddity>,
    /// What a sitemap or feed lists (C7); empty for pages.
    pub listing: Vec<Listed>,
    /// The page that this one repeats, if it was told at crawl time (C13): known, not searched.
    pub copy_of: Option<PageId>,
}

impl PageRecord {
    /// Returns whether this record only says that the page was taken out on request (C18).
    pub fn is_forgotten(&self) -> bool {
        self.oddities.contains(&Oddity::Forgotten)
    }

    /// Returns whether the page may be found by searching its text.
    pub fn is_searchable(&self) -> bool {
        self.status == 200
            && !self.robots.noindex
            && self.copy_of.is_none()
            && matches!(self.kind, ContentKind::Html | ContentKind::Text | ContentKind::Pdf)
            && (!self.title.is_empty() || !self.blocks.is_empty())
    }
}

/// Where a response lies: archive file and the byte its record begins at.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub struct Capture {
    /// Number of the archive file.
    pub file: u32,
    /// First byte of the response record in it.
    pub offset: u64,
    /// Length of the compressed record.
    pub length: u32,
}

/// What a body is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum ContentKind {
    /// HTML or XHTML.
    Html,
    /// Plain text.
    Text,
    /// PDF.
    Pdf,
    /// Anything we do not read: pictures, archives, programs.
    Other,
    /// No bytes at all.
    Empty,
    /// A sitemap: a site's own list of its pages, or of its sitemaps.
    Sitemap,
    /// RSS or Atom.
    Feed,
}

/// A run of text that stands together on the page. Words of two blocks are never neighbours.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Block {
    /// Which part of the page it is.
    pub zone: Zone,
    /// Visible text, white space folded.
    pub text: String,
}

/// The part of a page a text stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Zone {
    /// h1–h6.
    Heading,
    /// Ordinary text of the main content.
    Body,
    /// Navigation, side bars, footers: text that is not what the page is about.
    Boilerplate,
    /// Alternative texts and captions of pictures.
    Caption,
}

/// A link as it stands on a page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Link {
    /// Where it points.
    pub target: Url,
    /// What kind of link.
    pub kind: LinkKind,
    /// What the page says of it.
    pub rel: Rel,
    /// Text that a visitor clicks; for pictures their alternative text.
    pub anchor: String,
}

/// An entry of a sitemap or feed: a URL without an anchor, and what is said of it.
///
/// Hints only: whoever lists a URL does not vouch for it as a link does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Listed {
    /// Where it points.
    pub target: Url,
    /// Whether it is a page or one more sitemap.
    pub kind: ListedKind,
    /// When it last changed, as the list says; never later than the fetch of the list.
    pub modified: Option<Timestamp>,
    /// How much it matters beside its site's other pages, 0 to 10; 5 if nothing is said.
    pub priority: u8,
}

/// What a sitemap or feed lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum ListedKind {
    /// A page.
    Page,
    /// A sitemap, listed by an index of sitemaps.
    Sitemap,
}

/// Where on a page a link was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum LinkKind {
    /// `<a>` and `<area>`: something a visitor clicks.
    Anchor,
    /// `<frame>` and `<iframe>`.
    Frame,
    /// `<link>` to another page (next, prev, alternate).
    Related,
    /// `<link rel=canonical>`: the page says that this is its real address.
    Canonical,
    /// 3xx, `Refresh` and `<meta http-equiv=refresh>`.
    Redirect,
    /// Pictures, video, sound, embedded objects.
    Media,
}

/// `rel` values that say how far a link may be trusted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Rel {
    /// `nofollow`, on the link or on the whole page.
    pub nofollow: bool,
    /// `ugc`: written by visitors.
    pub ugc: bool,
    /// `sponsored`: paid for.
    pub sponsored: bool,
}

impl Rel {
    /// Returns whether the page vouches for the link.
    pub fn is_endorsement(self) -> bool {
        !(self.nofollow || self.ugc || self.sponsored)
    }
}

/// What a page asks of robots (C6); the strictest of meta and header.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct RobotsFlags {
    /// Keep it out of results.
    pub noindex: bool,
    /// Do not follow its links.
    pub nofollow: bool,
    /// Show no text of it.
    pub nosnippet: bool,
    /// Offer no cached copy.
    pub noarchive: bool,
}

/// Something strange about a response that did not stop us.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Oddity {
    /// The body was longer than the limit and was cut.
    BodyCut,
    /// The server closed before the announced end.
    BodyIncomplete,
    /// The text was longer than the limit and was cut.
    TextCut,
    /// More links than the limit; the rest is not taken.
    LinksCut,
    /// Nesting deeper than the limit; what lies deeper was flattened.
    DepthCut,
    /// More nodes or attributes than the limit.
    NodesCut,
    /// The server's content type does not fit the bytes.
    TypeMismatch,
    /// Bytes that the character set does not know.
    BadCharacters,
    /// Our reader failed on it; the response is archived, its text is not known.
    Unreadable,
    /// A sitemap or feed has more entries than the limit, or breaks off; the rest is not taken.
    ListingCut,
    /// The page answers 200 like every address of its host that does not exist (LNK-09).
    SoftMissing,
    /// Taken out on request (C18): what was known of it is gone.
    Forgotten,
    /// Redirects to something that is not the web (RED-04).
    RedirectScheme,
    /// Redirects to what is no address, or to one that is too long (RED-05).
    RedirectLocation,
    /// Redirects to itself (RED-12).
    RedirectLoop,
    /// Redirects from https to http, which is not wanted (RED-07).
    RedirectDowngrade,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn page_ids_carry_their_partition() {
        let id = PageId::new(7, 123).unwrap();
        assert_eq!((id.partition(), id.index()), (7, 123));
        assert_eq!(PageId::from_u64(id.as_u64()), id);
        assert_eq!(id.to_string(), "7:123");
        assert!(PageId::new(0, 1 << 48).is_none());
    }
}
