//! The page record: what one fetch of one page taught us, handed from stage to stage.

mod about;
mod link;
mod odd;

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{Timestamp, Url};

pub use about::{About, Alternate, DateSource, Dated, Image, Place};
pub use link::{Link, LinkKind, Listed, ListedKind, Rel};
pub use odd::{Hidden, HiddenReason, Oddity, Spam, SpamKind, SpamReason, kebab_case};

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
    /// What the page says of itself: description, author, dates, other languages, places.
    pub about: About,
    /// Its pictures (P8).
    pub images: Vec<Image>,
    /// Emphasised runs of its text.
    pub emphasis: Vec<Span>,
    /// Where the anchor of each link stands, in the order of `links`; `None` for links that
    /// have no place in the text.
    pub anchors: Vec<Option<Span>>,
    /// What its visitors do not see (P7).
    pub hidden: Vec<Hidden>,
    /// How much it looks like term spam (S1).
    pub spam: Spam,
    /// Min-hashes of its text (C13).
    pub sketch: Sketch,
    /// Runs of its text that may be found but not shown (`data-nosnippet`), in order.
    pub unquotable: Vec<Span>,
    /// Links that were not taken because there were too many (HTM-08).
    pub links_left: u32,
    /// From when on it asks to be left out of results (`unavailable_after`, HTM-11).
    pub until: Option<Timestamp>,
    /// Most characters of its text that it allows to be shown at a time (`max-snippet`, HTM-11);
    /// where it allows none, `robots` says so.
    pub snippet_chars: Option<u32>,
}

impl PageRecord {
    /// Returns the record of a response of which nothing is known but that it came.
    pub fn new(id: PageId, url: Url, fetched: Timestamp, status: u16) -> Self {
        Self {
            id,
            url,
            fetched,
            status,
            capture: Capture::default(),
            redirect: None,
            kind: ContentKind::Empty,
            language: None,
            title: String::new(),
            blocks: Vec::new(),
            links: Vec::new(),
            robots: RobotsFlags::default(),
            text_hash: 0,
            body_bytes: 0,
            oddities: Vec::new(),
            listing: Vec::new(),
            copy_of: None,
            about: About::default(),
            images: Vec::new(),
            emphasis: Vec::new(),
            anchors: Vec::new(),
            hidden: Vec::new(),
            spam: Spam::default(),
            sketch: Sketch::default(),
            unquotable: Vec::new(),
            links_left: 0,
            until: None,
            snippet_chars: None,
        }
    }

    /// Returns the text of a span; `None` if there is no such place.
    pub fn text_of(&self, span: Span) -> Option<&str> {
        self.blocks.get(span.block as usize)?.text.get(span.start as usize..span.end as usize)
    }

    /// Returns whether this record only says that the page was taken out on request (C18).
    pub fn is_forgotten(&self) -> bool {
        self.oddities.contains(&Oddity::Forgotten)
    }

    /// Returns whether the page may be found by searching its text.
    pub fn is_searchable(&self) -> bool {
        self.status == 200
            && !self.robots.noindex
            && self.copy_of.is_none()
            && self.kind.has_text()
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
    /// Text in Markdown.
    Markdown,
    /// Rich Text Format.
    Rtf,
    /// An electronic book.
    Epub,
    /// Word, Office Open XML.
    Docx,
    /// Excel, Office Open XML.
    Xlsx,
    /// PowerPoint, Office Open XML.
    Pptx,
    /// Text, OpenDocument.
    Odt,
    /// Spreadsheet, OpenDocument.
    Ods,
    /// Slides, OpenDocument.
    Odp,
    /// Word before 2007.
    Doc,
    /// Excel before 2007.
    Xls,
    /// PowerPoint before 2007.
    Ppt,
}

impl ContentKind {
    /// Returns whether text is read out of such a body, so that it can be searched.
    pub fn has_text(self) -> bool {
        matches!(self, Self::Html | Self::Text | Self::Markdown | Self::Feed) || self.is_document()
    }

    /// Returns whether it is a document of an office program or printer: read by a process of
    /// its own, because the readers may fail badly.
    pub fn is_document(self) -> bool {
        match self {
            Self::Pdf
            | Self::Rtf
            | Self::Epub
            | Self::Docx
            | Self::Xlsx
            | Self::Pptx
            | Self::Odt
            | Self::Ods
            | Self::Odp
            | Self::Doc
            | Self::Xls
            | Self::Ppt => true,
            Self::Html
            | Self::Text
            | Self::Markdown
            | Self::Other
            | Self::Empty
            | Self::Sitemap
            | Self::Feed => false,
        }
    }
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
    /// Captions of pictures and tables.
    Caption,
    /// Alternative texts of pictures.
    Alt,
    /// Text that is closed until a visitor opens it: menus, tabs, accordions.
    Folded,
    /// Where on its site the page stands: bread crumbs, the name of its chapter.
    Trail,
}

impl Zone {
    /// Returns whether it is part of the frame around what the page is about.
    pub fn is_frame(self) -> bool {
        matches!(self, Self::Boilerplate | Self::Trail)
    }
}

/// A run of bytes of a block's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Span {
    /// Place of the block among the page's blocks.
    pub block: u32,
    /// First byte.
    pub start: u32,
    /// Byte behind the last.
    pub end: u32,
}

/// 84 min-hashes over the shingles of a page's main text, or nothing if it is too short (C13).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sketch(pub Vec<u32>);

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
