//! The words that all stages share: addresses, page records, the log they travel in.
//!
//! - Place in the flow: under every other crate; it runs nothing by itself.
//! - Reads and writes: `pages/*.log` through [`pages`], `VERSION`, `LOCK` and
//!   `GENERATION` of a collection through [`collection`].
//! - Start at: [`Url::parse`], [`PageRecord`] and [`pages::Writer`].
//! - Promises: equal pages have equal [`Url`]s; a record whose `sync` returned is there
//!   after a crash, and nothing after a damaged byte is believed.
//! - Does not: fetch, parse pages, or know what a query is.

pub mod collection;
pub mod file;
mod host;
pub mod limits;
pub mod log;
mod page;
pub mod pages;
mod time;
mod url;

pub use collection::{Collection, Generation};
pub use host::{Host, Site};
pub use page::{
    About, Alternate, Block, Capture, ContentKind, DateSource, Dated, Hidden, HiddenReason, Image,
    Link, LinkKind, Listed, ListedKind, Oddity, PageId, PageRecord, Place, Rel, RobotsFlags,
    Sketch, Spam, SpamKind, SpamReason, Span, Zone, kebab_case,
};
pub use time::Timestamp;
pub use url::{BadUrl, Joiner, Rules, Url};
