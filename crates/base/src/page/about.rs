//! What a page says of itself (P8, P9). Strangers' claims: shown and filtered by, never trusted.

use serde::{Deserialize, Serialize};

use crate::{Timestamp, Url};

/// What a page says of itself, from its head, its structured data and its header.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct About {
    /// Its own description; never used for ranking.
    pub description: String,
    /// Who wrote it.
    pub author: String,
    /// What its site calls itself.
    pub site_name: String,
    /// The language it declares, as a lower-case BCP 47 tag; often wrong.
    pub language: Option<String>,
    /// When it was first published, as far as can be told.
    pub published: Option<Dated>,
    /// When it last changed, as far as can be told.
    pub modified: Option<Dated>,
    /// The same page in other languages.
    pub alternates: Vec<Alternate>,
    /// What it says it is, by schema.org and OpenGraph: `Article`, `Product`.
    pub types: Vec<String>,
    /// Places it says it is about.
    pub places: Vec<Place>,
}

/// A date, where it comes from, and how sure it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dated {
    /// The moment; midnight UTC if only the day is known.
    pub at: Timestamp,
    /// Where it was found.
    pub source: DateSource,
    /// How sure, 0 to 100; more when several sources agree.
    pub confidence: u8,
}

/// Where a date was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum DateSource {
    /// schema.org, as JSON-LD or microdata.
    Structured,
    /// OpenGraph.
    OpenGraph,
    /// Another `<meta>` element.
    Meta,
    /// A `<time>` element.
    Time,
    /// A line of the visible text.
    Text,
    /// The address of the page.
    Address,
    /// `Last-Modified`.
    Header,
    /// The properties of a document.
    Document,
}

/// The same page in another language.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Alternate {
    /// A lower-case BCP 47 tag, or `x-default`.
    pub language: String,
    /// Where it is.
    pub target: Url,
}

/// A picture of a page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Image {
    /// Where it is.
    pub target: Url,
    /// Alternative text.
    pub alt: String,
    /// Caption.
    pub caption: String,
    /// Width in CSS pixels as the page says; 0 if it says nothing.
    pub width: u32,
    /// Height, likewise.
    pub height: u32,
}

/// A place that a page says it is about.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// Name or address in one line; may be empty.
    pub name: String,
    /// Two letters of ISO 3166, in lower case, if said.
    pub country: Option<String>,
    /// Latitude and longitude in millionths of a degree, if said.
    pub point: Option<(i32, i32)>,
}
