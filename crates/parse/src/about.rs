//! What a page says of itself, put together from many places (P9).
//!
//! Each fact has a best place to say it; the others are asked only when it is silent. Texts are
//! cleaned as titles are, and everything is bounded in length and number.

use base::{About, Alternate, DateSource, Joiner, Place, Rules};

use crate::date::claims::{Claims, What};
use crate::date::words;
use crate::{Input, clean, header};

mod country;

/// Longest texts kept, in characters.
const DESCRIPTION_CHARS: usize = 1_000;
const NAME_CHARS: usize = 200;
/// Longest language tag; the longest in use have 20 bytes.
const TAG_BYTES: usize = 35;
/// Versions in other languages; the largest sites have a hundred.
const MOST_ALTERNATES: usize = 200;
const MOST_TYPES: usize = 16;
const MOST_PLACES: usize = 16;

/// Returns what the response says of a page, whatever its kind: its header and its address.
pub(crate) fn of_response(input: &Input<'_>, rules: Rules) -> About {
    let mut draft = Draft::of_response(input);
    draft.dates.add_header(input.modified.unwrap_or_default(), input.fetched);
    draft.finish(input, &Joiner::with_rules(input.url, rules))
}

/// A fact said in several places, of which the best counts.
#[derive(Debug, Default)]
struct Said {
    text: String,
    /// Less is better.
    rank: u8,
}

impl Said {
    fn set(&mut self, text: &str, rank: u8, most: usize) {
        if self.text.is_empty() || rank < self.rank {
            let text = clean::title(text, most);
            if !text.is_empty() {
                *self = Self { text, rank };
            }
        }
    }
}

/// Where a fact stands, best first; the order decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Rank {
    /// Made for this fact: `<meta name=description>`, `<html lang>`, schema.org's author.
    Own,
    /// OpenGraph and kin, microdata.
    Social,
    /// Less common names, and names of something near it.
    Other,
    /// A link or box that looks like it.
    Look,
    /// A line of the text that reads like it.
    Text,
    /// The header.
    Header,
}

/// Collects what a page says of itself.
#[derive(Debug, Default)]
pub(crate) struct Draft {
    description: Said,
    author: Said,
    site_name: Said,
    language: Said,
    alternates: Vec<(String, String)>,
    types: Vec<String>,
    places: Vec<Place>,
    pub(crate) dates: Claims,
}

impl Draft {
    /// Begins with what the response says, but for its date of change.
    pub(crate) fn of_response(input: &Input<'_>) -> Self {
        let mut draft = Self::default();
        if let Some(language) = input.language {
            // `de, en` is of a page in two languages; the first one is as good as any.
            draft.language(language.split(',').next().unwrap_or_default(), Rank::Header);
        }
        header::alternates(input, |language, target| draft.alternate(language, target));
        if let Some((at, is_day)) = words::in_address(input.url.path()) {
            let weight = if is_day { 60 } else { 25 };
            draft.dates.add_weighed(What::Published, Some(at), DateSource::Address, weight);
        }
        draft
    }

    pub(crate) fn description(&mut self, text: &str, rank: Rank) {
        self.description.set(text, rank as u8, DESCRIPTION_CHARS);
    }

    pub(crate) fn author(&mut self, text: &str, rank: Rank) {
        // Some give the address of a profile in place of a name.
        if !text.contains("://") {
            self.author.set(text, rank as u8, NAME_CHARS);
        }
    }

    /// Returns whether a better or equal place has named the author.
    pub(crate) fn has_author(&self, rank: Rank) -> bool {
        !self.author.text.is_empty() && self.author.rank <= rank as u8
    }

    /// Adds one more author of the same place.
    pub(crate) fn co_author(&mut self, text: &str, rank: Rank) {
        if !self.has_author(rank) || self.author.rank != rank as u8 {
            return self.author(text, rank);
        }
        let text = clean::title(text, NAME_CHARS);
        if self.author.text.len() + text.len() < NAME_CHARS && !self.author.text.contains(&text) {
            self.author.text.push_str(", ");
            self.author.text.push_str(&text);
        }
    }

    pub(crate) fn site_name(&mut self, text: &str, rank: Rank) {
        self.site_name.set(text, rank as u8, NAME_CHARS);
    }

    pub(crate) fn language(&mut self, tag: &str, rank: Rank) {
        if let Some(tag) = language_tag(tag) {
            self.language.set(&tag, rank as u8, TAG_BYTES);
        }
    }

    /// Returns the language declared so far.
    pub(crate) fn declared(&self) -> Option<&str> {
        Some(self.language.text.as_str()).filter(|tag| !tag.is_empty())
    }

    /// Adds the same page in another language; `target` is still to be resolved.
    pub(crate) fn alternate(&mut self, language: &str, target: &str) {
        let tag = match language.trim() {
            tag if tag.eq_ignore_ascii_case("x-default") => Some("x-default".to_owned()),
            tag => language_tag(tag),
        };
        if let Some(tag) = tag
            && self.alternates.len() < MOST_ALTERNATES
            && target.len() <= base::limits::URL_BYTES
        {
            self.alternates.push((tag, target.trim().to_owned()));
        }
    }

    /// Adds what the page says it is; parts of every page are not said.
    pub(crate) fn kind(&mut self, name: &str) {
        const PARTS: [&str; 9] = [
            "WebSite",
            "website",
            "BreadcrumbList",
            "ListItem",
            "ImageObject",
            "SearchAction",
            "SiteNavigationElement",
            "WPHeader",
            "WPFooter",
        ];
        let name = name.trim().rsplit(['/', '#']).next().unwrap_or_default();
        let is_sound = !name.is_empty()
            && name.len() <= 64
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._:-".contains(&byte));
        let is_known = self.types.iter().any(|known| known.eq_ignore_ascii_case(name));
        if is_sound && !is_known && !PARTS.contains(&name) && self.types.len() < MOST_TYPES {
            self.types.push(name.to_owned());
        }
    }

    /// Adds a place; one that says nothing is dropped.
    pub(crate) fn place(&mut self, place: Place) {
        let Place { name, country, point } = place;
        let place = Place { name: clean::title(&name, NAME_CHARS), country, point };
        let says = !place.name.is_empty() || place.country.is_some() || place.point.is_some();
        if says && self.places.len() < MOST_PLACES && !self.places.contains(&place) {
            self.places.push(place);
        }
    }

    /// Puts together what was said of the page; `joiner` resolves its references.
    pub(crate) fn finish(self, input: &Input<'_>, joiner: &Joiner<'_>) -> About {
        let (published, modified) = self.dates.finish(input.fetched);
        let mut alternates: Vec<Alternate> = Vec::new();
        for (language, target) in self.alternates {
            let Ok(target) = joiner.join(&target) else { continue };
            if !alternates.iter().any(|known| known.language == language) {
                alternates.push(Alternate { language, target });
            }
        }
        About {
            description: self.description.text,
            author: self.author.text,
            site_name: self.site_name.text,
            language: Some(self.language.text).filter(|tag| !tag.is_empty()),
            published,
            modified,
            alternates,
            types: self.types,
            places: self.places,
        }
    }
}

/// Returns a language tag in lower case, or `None` if it is none.
pub(crate) fn language_tag(text: &str) -> Option<String> {
    let text = text.trim();
    if text.len() > TAG_BYTES {
        return None;
    }
    let tag = text.to_ascii_lowercase().replace('_', "-");
    let mut parts = tag.split('-');
    let primary = parts.next()?;
    let is_sound = (2..=3).contains(&primary.len())
        && primary.bytes().all(|byte| byte.is_ascii_lowercase())
        && parts.all(|part| {
            (1..=8).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphanumeric())
        });
    is_sound.then_some(tag)
}

/// Returns a country as two letters of ISO 3166, from its code or its English name.
pub(crate) fn country(text: &str) -> Option<String> {
    let text = text.trim();
    let lower = text.to_ascii_lowercase();
    if text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_alphabetic()) {
        return Some(if lower == "uk" { "gb".to_owned() } else { lower });
    }
    country::by_name(&lower).map(str::to_owned)
}

/// Returns a point in millionths of a degree; `None` if there is no such place, or if it is where
/// no value was given (0, 0).
pub(crate) fn point(latitude: &str, longitude: &str) -> Option<(i32, i32)> {
    let read = |text: &str, most: f64| {
        let degrees: f64 = text.trim().trim_end_matches('°').parse().ok()?;
        (degrees.abs() <= most).then(|| (degrees * 1e6).round() as i32)
    };
    let point = (read(latitude, 90.0)?, read(longitude, 180.0)?);
    (point != (0, 0)).then_some(point)
}

/// Joins the parts of an address into one line.
pub(crate) fn address_line<'a>(parts: impl IntoIterator<Item = &'a str>) -> String {
    let mut line = String::new();
    for part in parts.into_iter().map(str::trim).filter(|part| !part.is_empty()) {
        if line.len() + part.len() > 4 * NAME_CHARS || line.contains(part) {
            continue;
        }
        if !line.is_empty() {
            line.push_str(", ");
        }
        line.push_str(part);
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn language_tags_are_written_in_one_way() {
        for (text, expected) in [
            ("en", Some("en")),
            (" EN_us ", Some("en-us")),
            ("zh-Hant-TW", Some("zh-hant-tw")),
            ("german", None),
            ("e", None),
            ("en-", None),
            ("en us", None),
            ("<b>", None),
            ("", None),
        ] {
            assert_eq!(language_tag(text).as_deref(), expected, "{text}");
        }
        assert_eq!(language_tag(&"en-".repeat(1_000)), None);
    }

    #[test]
    fn countries_and_points_are_read() {
        assert_eq!(country("DE").as_deref(), Some("de"));
        assert_eq!(country("uk").as_deref(), Some("gb"));
        assert_eq!(country("United States").as_deref(), Some("us"));
        assert_eq!(country("Atlantis"), None);
        assert_eq!(point("52.5", "13.4"), Some((52_500_000, 13_400_000)));
        for (latitude, longitude) in
            [("91", "0"), ("0", "0"), ("x", "1"), ("NaN", "1"), ("1", "inf")]
        {
            assert_eq!(point(latitude, longitude), None, "{latitude} {longitude}");
        }
    }
}
