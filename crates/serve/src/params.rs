//! The parameters of a search, from the query string: `q`, `offset`, `count`, `folded`, `explain`,
//! `topic`, `without`, `order`, the filters of `narrow.rs` and what only some paths have (`extras.rs`).
//!
//! Decoded strictly: bytes that are no UTF-8 are refused instead of guessed (QRY-16).

use std::str::FromStr;

use percent_encoding::percent_decode_str;
use rank::query::Filter;
use rank::{Grouping, Request, Sorting, TopicWeight, Without};

use crate::extras::Extras;
use crate::fault::Fault;
use crate::narrow::Narrow;
use crate::problem::Problem;
use crate::view::encode;

/// Longest query text, in bytes.
pub(crate) const QUERY_BYTES: usize = 1_024;
/// Hits on a page when `count` is not given.
pub(crate) const DEFAULT_COUNT: usize = 10;
/// Most hits in one answer; more are cut to this.
pub(crate) const MAX_COUNT: usize = 100;
/// Results that can be reached at all: `offset + count` stays within it.
pub(crate) const WINDOW: usize = Request::WINDOW;
/// Longest query string looked at: `QUERY_BYTES`, all percent-encoded, and room for the others.
const RAW_BYTES: usize = 8 * 1024;

/// What is asked for, within all limits.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Params {
    /// The query as typed, cleaned of what cannot be seen; `None` if it was not given.
    pub(crate) query: Option<String>,
    /// Hits to skip, below [`WINDOW`].
    pub(crate) offset: usize,
    /// Hits wanted, 0 to [`MAX_COUNT`] and not beyond [`WINDOW`].
    pub(crate) count: usize,
    /// Folded, unless `folded=0`.
    pub(crate) grouping: Grouping,
    /// Whether to tell what scores are made of: `explain=1`.
    pub(crate) explain: bool,
    /// What counts as important: `topic=news:0.7,sport:0.3`.
    pub(crate) topics: Vec<TopicWeight>,
    /// What of the links does not count: `without=pagerank,trust,spam`.
    pub(crate) without: Without,
    /// What answers are ordered by: `order=authorities`.
    pub(crate) sorting: Sorting,
    /// Which answers are wanted, whatever the query says: `lang=da&site=example.org`.
    pub(crate) narrow: Narrow,
    /// What only some paths have.
    pub(crate) page: Extras,
}

impl Params {
    /// The names of the parameters, besides those of [`Narrow::NAMES`].
    pub(crate) const NAMES: [&'static str; 8] =
        ["q", "offset", "count", "folded", "explain", "topic", "without", "order"];

    /// Reads the query string of a page (`q=a+b&offset=10`). Unknown parameters are ignored.
    pub(crate) fn parse(raw: Option<&str>) -> Result<Self, Problem> {
        Ok(Self { page: Extras::parse(raw)?, ..Self::for_programs(raw)? })
    }

    /// Reads what a program asks: likewise, without what only pages have.
    pub(crate) fn for_programs(raw: Option<&str>) -> Result<Self, Problem> {
        let [query, offset, count, folded, explain, topic, without, order] =
            pairs(raw, Self::NAMES)?;
        let offset = number("offset", offset)?.unwrap_or(0);
        if offset >= WINDOW {
            return Err(Problem::wrong(Fault::Offset { below: WINDOW }));
        }
        let count = number("count", count)?.unwrap_or(DEFAULT_COUNT);
        let count = count.min(MAX_COUNT).min(WINDOW - offset);
        let query = query.map(|text| cleaned(&text)).transpose()?;
        let is_folded = switch("folded", folded.as_deref())?.unwrap_or(true);
        let grouping = if is_folded { Grouping::Folded } else { Grouping::Plain };
        let explain = switch("explain", explain.as_deref())?.unwrap_or(false);
        let topics = topics(topic.as_deref().unwrap_or_default())?;
        let without = choice("without", without)?;
        let sorting = choice("order", order)?;
        let narrow = Narrow::parse(raw)?;
        let page = Extras::for_programs(raw)?;
        Ok(Self { query, offset, count, grouping, explain, topics, without, sorting, narrow, page })
    }

    /// Returns the topics that count: those of the question, else those that the visitor wishes.
    pub(crate) fn topics_wanted(&self) -> &[TopicWeight] {
        if self.topics.is_empty() { &self.page.wishes.topics } else { &self.topics }
    }

    /// Returns what answers must be besides.
    pub(crate) fn filters(&self) -> Vec<Filter> {
        let mut filters = self.narrow.filters();
        filters.extend(self.page.after.clone());
        filters
    }

    /// Returns whether answers must be anything besides.
    pub(crate) fn is_filtered(&self) -> bool {
        self.page.time.is_some() || self.narrow != Narrow::default()
    }

    /// Returns everything that goes from page to page besides the query and its offset.
    pub(crate) fn kept(&self) -> String {
        let folded = if self.grouping == Grouping::Plain { "&folded=0" } else { "" };
        let explain = if self.explain { "&explain=1" } else { "" };
        format!("{folded}{explain}{}", self.choices())
    }

    /// Returns how links count and what is filtered, as it goes from page to page; empty if nothing
    /// was said of it.
    pub(crate) fn choices(&self) -> String {
        let mut text = String::new();
        if !self.topics.is_empty() {
            let topics: Vec<String> = self.topics.iter().map(ToString::to_string).collect();
            text += &format!("&topic={}", encode(&topics.join(",")));
        }
        if self.without != Without::default() {
            text += &format!("&without={}", encode(&self.without.to_string()));
        }
        if self.sorting == Sorting::Authorities {
            text += "&order=authorities";
        }
        text + &self.narrow.choices() + &self.page.choices()
    }
}

/// Cleans a query and refuses one that is too long, be it only of what cannot be seen: the
/// description for programs says how many characters there may be.
pub(crate) fn cleaned(text: &str) -> Result<String, Problem> {
    let query = clean(text);
    let is_long = query.len() > QUERY_BYTES || text.chars().count() > QUERY_BYTES;
    if is_long { Err(too_long()) } else { Ok(query) }
}

/// Reads `0` or `1`; `None` if it is not given, or empty.
fn switch(name: &str, text: Option<&str>) -> Result<Option<bool>, Problem> {
    match text {
        None | Some("") => Ok(None),
        Some("0") => Ok(Some(false)),
        Some("1") => Ok(Some(true)),
        Some(_) => Err(Problem::wrong(Fault::Switch { name: name.to_owned() })),
    }
}

fn topics(text: &str) -> Result<Vec<TopicWeight>, Problem> {
    let mut topics = Vec::new();
    for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
        if topics.len() == Request::MAX_TOPICS {
            return Err(Problem::wrong(Fault::Topics { most: Request::MAX_TOPICS }));
        }
        topics.push(part.parse().map_err(|reason: String| refused("topic", part, reason))?);
    }
    Ok(topics)
}

/// Reads one of a few words; what is not given, or empty, is the default.
fn choice<T: FromStr<Err = String> + Default>(
    name: &str,
    text: Option<String>,
) -> Result<T, Problem> {
    match text.filter(|text| !text.is_empty()) {
        Some(text) => text.parse().map_err(|reason| refused(name, &text, reason)),
        None => Ok(T::default()),
    }
}

fn refused(name: &str, value: &str, reason: String) -> Problem {
    Problem::wrong(Fault::Refused { name: name.to_owned(), value: value.to_owned(), reason })
}

/// Returns the values of these parameters, decoded. Others are ignored; none may be given twice.
pub(crate) fn pairs<const N: usize>(
    raw: Option<&str>,
    names: [&str; N],
) -> Result<[Option<String>; N], Problem> {
    pairs_within(raw, names, RAW_BYTES)
}

/// Returns the values of these fields of a form, likewise. How long a body may be is decided before
/// it is read.
pub(crate) fn fields<const N: usize>(
    raw: Option<&str>,
    names: [&str; N],
) -> Result<[Option<String>; N], Problem> {
    pairs_within(raw, names, usize::MAX)
}

fn pairs_within<const N: usize>(
    raw: Option<&str>,
    names: [&str; N],
    most: usize,
) -> Result<[Option<String>; N], Problem> {
    let raw = raw.unwrap_or_default();
    if raw.len() > most {
        return Err(too_long());
    }
    let mut values = [const { None }; N];
    for pair in raw.split('&') {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        let Some(place) = names.iter().position(|known| *known == name) else { continue };
        if values[place].is_some() {
            return Err(Problem::wrong(Fault::Twice { name: name.to_owned() }));
        }
        let bad = || Problem::wrong(Fault::Encoding { name: name.to_owned() });
        values[place] = Some(decode(value).ok_or_else(bad)?);
    }
    Ok(values)
}

fn too_long() -> Problem {
    let detail = format!("the query is longer than {QUERY_BYTES} bytes");
    Problem::bad_request("query-too-long", detail)
}

/// Largest number that is read: that of the description for programs, where it is an `int32`.
const MOST: usize = i32::MAX as usize;

/// Reads a whole number; `None` if it is not given, or empty.
pub(crate) fn number(name: &str, text: Option<String>) -> Result<Option<usize>, Problem> {
    let Some(text) = text.filter(|text| !text.is_empty()) else { return Ok(None) };
    match text.parse() {
        Ok(number) if number <= MOST => Ok(Some(number)),
        _ => Err(Problem::wrong(Fault::Number { name: name.to_owned(), most: MOST })),
    }
}

/// Undoes `application/x-www-form-urlencoded`; `None` as in [`decode_percent`].
fn decode(text: &str) -> Option<String> {
    decode_percent(&text.replace('+', " "))
}

/// Undoes percent-encoding; `None` if a `%` is not followed by two hex digits or the bytes are
/// not UTF-8.
pub(crate) fn decode_percent(text: &str) -> Option<String> {
    let is_code = |rest: &str| {
        rest.as_bytes()
            .first_chunk::<2>()
            .is_some_and(|code| code.iter().all(u8::is_ascii_hexdigit))
    };
    let decoded = percent_decode_str(text).decode_utf8().ok()?;
    text.split('%').skip(1).all(is_code).then(|| decoded.into_owned())
}

/// Turns control characters into spaces and drops marks that would turn the text around or
/// hide in it; what remains is what a person sees. Joiners stay: some scripts need them.
pub(crate) fn clean(text: &str) -> String {
    let seen = text.chars().filter(|&character| !is_trick(character));
    let spaced = seen.map(|character| if character.is_control() { ' ' } else { character });
    spaced.collect::<String>().trim().to_owned()
}

/// Returns whether a character only changes how others are read: bidirectional controls,
/// zero-width space, byte order mark.
pub(crate) fn is_trick(character: char) -> bool {
    matches!(character, '\u{200B}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}'
        | '\u{2060}'..='\u{2069}' | '\u{061C}' | '\u{FEFF}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(raw: &str, query: &str, offset: usize, count: usize) {
        let query = Some(query.to_owned());
        let grouping = Grouping::Folded;
        let expected = Params { query, offset, count, grouping, ..Params::default() };
        assert_eq!(Params::parse(Some(raw)), Ok(expected));
    }

    #[track_caller]
    fn check_refused(raw: &str, code: &str) {
        assert_eq!(Params::parse(Some(raw)).unwrap_err().code, code, "{raw}");
    }

    #[test]
    fn queries_are_decoded() {
        check("q=big+cat%20%C3%A6", "big cat æ", 0, 10);
        check("utm=1&q=a%26b%3D%2B&x", "a&b=+", 0, 10);
        check("q=", "", 0, 10);
        assert_eq!(Params::parse(None).unwrap().query, None);
    }

    #[test]
    fn what_cannot_be_seen_is_cleaned_away() {
        check("q=%00a%0d%0ab%E2%80%AEc%EF%BB%BF", "a  bc", 0, 10);
    }

    #[test]
    fn folding_and_explaining_are_asked_for() {
        let params = |raw| Params::parse(Some(raw)).unwrap();
        assert_eq!(params("q=a&folded=0").grouping, Grouping::Plain);
        assert_eq!(params("q=a&folded=1").grouping, Grouping::Folded);
        assert!(params("q=a&explain=1").explain && !params("q=a&explain=0").explain);
        check_refused("q=a&explain=x", "parameter");
        check_refused("q=a&folded=yes", "parameter");
    }

    #[test]
    fn how_links_count_is_asked_for_and_goes_from_page_to_page() {
        let params = |raw: &str| Params::parse(Some(raw)).unwrap();
        let asked = params("q=a&topic=news:0.7,sport&without=spam,trust&order=authorities");
        assert_eq!(asked.topics.len(), 2);
        assert!(asked.without.spam && asked.without.trust && !asked.without.pagerank);
        assert_eq!(asked.sorting, Sorting::Authorities);
        assert_eq!(
            asked.choices(),
            "&topic=news:0.7%2Csport:1&without=trust%2Cspam&order=authorities"
        );
        assert_eq!(params(&format!("q=a{}", asked.choices())), asked);
        assert_eq!(params("q=a&topic=&without=&order=").choices(), "");
        check_refused("q=a&topic=news:x", "parameter");
        check_refused("q=a&topic=a&topic=b", "parameter");
        check_refused(&format!("q=a&topic={}", "a,".repeat(66)), "parameter");
        check_refused("q=a&without=links", "parameter");
        check_refused("q=a&order=hubs", "parameter");
    }

    #[test]
    fn filters_and_the_language_of_the_page_go_from_page_to_page() {
        let params = |raw: &str| Params::parse(Some(raw)).unwrap();
        let asked = params("q=a&time=week&lang=da&site=a.example&ui=ar-EG&why=3");
        assert_eq!(asked.kept(), "&lang=da&site=a.example&time=week&ui=ar");
        assert!(asked.is_filtered() && params("q=a&time=day").is_filtered());
        let plain = params("q=a&ui=klingon&lang=&time=");
        assert_eq!((plain.kept().as_str(), plain.is_filtered()), ("", false));
        check_refused("q=a&lang=klingon", "parameter");
        check_refused("q=a&time=century", "parameter");
        check_refused("q=a&why=x", "parameter");
    }

    #[test]
    fn what_only_pages_have_is_unknown_to_programs() {
        for raw in ["q=a&why=x", "q=a&ui=da&ui=de", "q=a&why=3&why=4&ui=%ff"] {
            assert_eq!(Params::for_programs(Some(raw)), Params::for_programs(Some("q=a")), "{raw}");
            assert!(Params::parse(Some(raw)).is_err(), "{raw}");
        }
        let asked = Params::for_programs(Some("q=a&time=week&ui=da")).unwrap();
        assert_eq!(asked.kept(), "&time=week");
    }

    #[test]
    fn a_form_may_be_longer_than_an_address() {
        let raw = format!("a={}&b=1", "x".repeat(RAW_BYTES));
        assert_eq!(pairs(Some(&raw), ["b"]).unwrap_err().code, "query-too-long");
        assert_eq!(fields(Some(&raw), ["b"]), Ok([Some("1".to_owned())]));
    }

    #[test]
    fn bad_encoding_is_refused() {
        check_refused("q=%ff", "encoding");
        check_refused("q=%C3", "encoding");
        check_refused("q=%4", "encoding");
        check_refused("q=%zz", "encoding");
        check_refused("q=a&q=b", "parameter");
    }

    #[test]
    fn offset_and_count_stay_in_the_window() {
        check("q=a&offset=999", "a", 999, 1);
        check("q=a&offset=950&count=100", "a", 950, 50);
        check("q=a&count=0", "a", 0, 0);
        check("q=a&count=1000000000", "a", 0, 100);
        check_refused("q=a&offset=1000", "offset");
        check_refused("q=a&offset=-1", "parameter");
        check_refused("q=a&offset=9223372036854775808000", "parameter");
        check_refused("q=a&offset=abc", "parameter");
        check_refused("q=a&count=1.5", "parameter");
    }

    #[test]
    fn long_queries_are_refused() {
        check(&format!("q={}", "a".repeat(1_024)), &"a".repeat(1_024), 0, 10);
        check_refused(&format!("q={}", "a".repeat(1_025)), "query-too-long");
        check_refused(&format!("q={}", "a".repeat(1 << 20)), "query-too-long");
        check_refused(&format!("q=a{}", "%0A".repeat(1_024)), "query-too-long");
    }
}
