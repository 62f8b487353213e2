//! Fields: parts of a page in which words are looked for, and filters that do not score.

use std::fmt;

use base::{Host, Timestamp, Url};
use text::Language;

use super::lex::{ends_word, is_space};
use super::site;

/// A part of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Zone {
    /// The title.
    Title,
    /// The words of the URL.
    Address,
}

/// What a page must be, whatever it says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Filter {
    /// It is on this domain or below it; on this host, at this port and in this folder, if those
    /// are named: `example.org:8080/a`.
    Site(String),
    /// It is on this host.
    Host(String),
    /// It is of this type, by its bytes or by the extension of its address.
    FileType(String),
    /// It is in this language.
    Language(Language),
    /// It is from before this day.
    Before(Day),
    /// It is from this day or later.
    After(Day),
    /// It belongs to this country, by its domain or by places it names.
    Country(String),
    /// It links to this address.
    Link(String),
    /// It has much in common with this page.
    Related(String),
    /// It is this page.
    Cache(String),
}

/// A year, a month or a day, as written; it begins at midnight UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Day {
    year: u16,
    month: Option<u8>,
    day: Option<u8>,
}

/// A field by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Field {
    Zone(Zone),
    Site,
    Host,
    FileType,
    Language,
    Before,
    After,
    Country,
    Link,
    Related,
    Cache,
}

/// Longest type of file, in letters.
const TYPE_BYTES: usize = 16;

impl Field {
    /// Returns the field of this name, whatever its case; there are no others.
    pub(super) fn parse(name: &str) -> Option<Self> {
        Some(match name.to_ascii_lowercase().as_str() {
            "title" | "intitle" => Self::Zone(Zone::Title),
            "inurl" => Self::Zone(Zone::Address),
            "site" => Self::Site,
            "host" => Self::Host,
            "filetype" => Self::FileType,
            "lang" => Self::Language,
            "before" => Self::Before,
            "after" => Self::After,
            "country" => Self::Country,
            "link" => Self::Link,
            "related" => Self::Related,
            "cache" => Self::Cache,
            _ => return None,
        })
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Zone(Zone::Title) => "title",
            Self::Zone(Zone::Address) => "inurl",
            Self::Site => "site",
            Self::Host => "host",
            Self::FileType => "filetype",
            Self::Language => "lang",
            Self::Before => "before",
            Self::After => "after",
            Self::Country => "country",
            Self::Link => "link",
            Self::Related => "related",
            Self::Cache => "cache",
        }
    }

    /// Returns the filter of a value; `None` if the value does not fit.
    pub(super) fn filter(self, value: &str) -> Option<Filter> {
        match self {
            Self::Zone(_) => None,
            Self::Site => site::canonical(value).map(Filter::Site),
            Self::Host => Some(Filter::Host(Host::parse(value)?.as_str().to_owned())),
            Self::FileType => {
                let name = value.trim_start_matches('.');
                let is_name = (1..=TYPE_BYTES).contains(&name.len())
                    && name.bytes().all(|byte| byte.is_ascii_alphanumeric());
                is_name.then(|| Filter::FileType(index::facts::kind_of(name)))
            }
            Self::Language => Language::parse(value).map(Filter::Language),
            Self::Before => Day::parse(value).map(Filter::Before),
            Self::After => Day::parse(value).map(Filter::After),
            Self::Country => index::facts::country_code(value).map(Filter::Country),
            Self::Link => address(value).map(Filter::Link),
            Self::Related => address(value).map(Filter::Related),
            Self::Cache => address(value).map(Filter::Cache),
        }
    }
}

impl Filter {
    /// Returns the filter that `field:value` is in the query language; `None` if there is no such
    /// field, if it is no filter, and if the value does not fit.
    pub fn parse(field: &str, value: &str) -> Option<Self> {
        Field::parse(field)?.filter(value.trim())
    }

    /// Returns what stands behind the colon.
    pub fn value(&self) -> String {
        match self {
            Self::Site(value)
            | Self::Host(value)
            | Self::FileType(value)
            | Self::Country(value)
            | Self::Link(value)
            | Self::Related(value)
            | Self::Cache(value) => value.clone(),
            Self::Language(language) => language.code().to_owned(),
            Self::Before(day) | Self::After(day) => day.to_string(),
        }
    }

    /// Returns the canonical addresses that a value of `link:`, `related:` or `cache:` may mean:
    /// without a scheme, both.
    pub fn urls(value: &str) -> Vec<Url> {
        let texts = match scheme(value) {
            Some(_) => vec![value.to_owned()],
            None => vec![format!("http://{value}"), format!("https://{value}")],
        };
        texts.iter().filter_map(|text| Url::parse(text).ok()).collect()
    }
}

impl Day {
    /// Reads `2024`, `2024-05` or `2024-05-01`; `None` for anything else.
    pub fn parse(text: &str) -> Option<Self> {
        let mut parts = text.split('-');
        let number = |text: &str, len: usize| {
            let is_number = text.len() == len && text.bytes().all(|byte| byte.is_ascii_digit());
            is_number.then(|| text.parse::<u16>().ok()).flatten()
        };
        let year = number(parts.next()?, 4)?;
        let mut next = || match parts.next() {
            Some(text) => number(text, 2).and_then(|part| u8::try_from(part).ok()).map(Some),
            None => Some(None),
        };
        let day = Self { year, month: next()?, day: next()? };
        (parts.next().is_none() && day.begin().is_some()).then_some(day)
    }

    /// Returns its first moment.
    pub fn start(self) -> Timestamp {
        self.begin().unwrap_or_default()
    }

    fn begin(self) -> Option<Timestamp> {
        let (month, day) = (self.month.unwrap_or(1), self.day.unwrap_or(1));
        Timestamp::parse_rfc3339(&format!("{:04}-{month:02}-{day:02}T00:00:00Z", self.year))
    }
}

/// Returns the scheme of an address and what is behind it; `None` if it has none. Addresses may
/// have others in them: `web.archive.org/web/2020/http://zoo.example/`.
pub(super) fn scheme(value: &str) -> Option<(&str, &str)> {
    let (scheme, rest) = value.split_once("://")?;
    let can_be = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.');
    scheme.bytes().all(can_be).then_some((scheme, rest))
}

/// Returns an address as it was written, if it can be one.
fn address(value: &str) -> Option<String> {
    let is_address = !Filter::urls(value).is_empty() && !value.contains(is_space);
    is_address.then(|| value.to_owned())
}

impl fmt::Display for Zone {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(Field::Zone(*self).name())
    }
}

impl fmt::Display for Day {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:04}", self.year)?;
        for part in [self.month, self.day].into_iter().flatten() {
            write!(formatter, "-{part:02}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Filter {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let quoted = |name: &str, value: &str| match value.contains(ends_word) {
            true => format!("{name}:\"{value}\""),
            false => format!("{name}:{value}"),
        };
        let text = match self {
            Self::Site(site) => quoted("site", site),
            Self::Host(host) => quoted("host", host),
            Self::FileType(name) => format!("filetype:{name}"),
            Self::Language(language) => format!("lang:{language}"),
            Self::Before(day) => format!("before:{day}"),
            Self::After(day) => format!("after:{day}"),
            Self::Country(code) => format!("country:{code}"),
            Self::Link(url) => quoted("link", url),
            Self::Related(url) => quoted("related", url),
            Self::Cache(url) => quoted("cache", url),
        };
        formatter.write_str(&text)
    }
}
