//! Links of a page and entries of a list.

use serde::{Deserialize, Serialize};

use crate::{Timestamp, Url};

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
    /// Simple JavaScript: `window.open("…")`, `location = "…"`.
    Script,
    /// An address written out in the text of a page or document.
    Mention,
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
