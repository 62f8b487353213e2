//! What a visitor wishes of this search, kept on the visitor's side only (Q10).
//!
//! One list of names and values in three forms: the cookie and an address have it as a query
//! string, a file has a line for each.
//!
//! ```text
//! prefer=zoo.example+cs.example.edu/~ann/&block=ads.example&languages=da+en&topics=news:0.7
//!   &country=dk&town=Aarhus&theme=dark&interface=da&count=20&keys=off
//! ```
//! Everything is bounded and read strictly: what does not fit is left out, and told to whoever
//! typed it. A cookie is written by the visitor, so it is believed as far as it harms nobody else.

use axum::http::HeaderMap;
use axum::http::header::COOKIE;
use base::Url;
use rank::{Personal, TopicWeight};

use crate::names;
use crate::params::{fields, pairs};
use crate::problem::Problem;
use crate::tongue::Tongue;
use crate::view::encode;

/// The name of the cookie.
const NAME: &str = "lookfar";
/// Largest value of the cookie: browsers keep 4,096 bytes with name and attributes.
const COOKIE_BYTES: usize = 3_500;
/// Sites of all three lists.
const MOST_SITES: usize = Personal::MOST_SITES;
/// Longest site, in bytes.
const SITE_BYTES: usize = 300;
/// Topics.
const MOST_TOPICS: usize = 8;
/// Longest name of a topic, in bytes.
const TOPIC_BYTES: usize = 64;
/// Things that were not understood and are told.
const MOST_ODD: usize = 10;
/// Bytes that are shown of each.
const ODD_BYTES: usize = 80;
/// How many results a page may have.
pub(crate) const COUNTS: [usize; 4] = [10, 20, 30, 50];
/// The names, in the order in which they are written.
const NAMES: [&str; 10] = [
    "prefer",
    "lower",
    "block",
    "languages",
    "topics",
    "country",
    TOWN,
    "theme",
    "interface",
    "count",
];
/// The name whose value may have spaces and commas in it.
const TOWN: &str = "town";
/// The last name: keys are used unless it is `off`.
const KEYS: &str = "keys";

/// Everything that a visitor wishes.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Wishes {
    /// What counts in the order of answers.
    pub(crate) personal: Personal,
    /// Topics that count as important where the question names none.
    pub(crate) topics: Vec<TopicWeight>,
    pub(crate) theme: Theme,
    /// The language of the page.
    pub(crate) tongue: Option<Tongue>,
    /// Results on a page: one of [`COUNTS`].
    pub(crate) count: Option<usize>,
    /// Whether single keys do nothing.
    pub(crate) is_without_keys: bool,
}

/// Which colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Theme {
    #[default]
    Auto,
    Light,
    Dark,
}

impl Theme {
    /// Returns its name, which is the class of the page too.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }
}

/// What may be wished of a site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Regard {
    Preferred,
    Lowered,
    Blocked,
}

impl Wishes {
    /// Reads the cookie of a request; what is not there or not ours is no wish.
    pub(crate) fn of(headers: &HeaderMap) -> Self {
        let texts = headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok());
        let mut cookies = texts.flat_map(|text| text.split(';')).map(str::trim);
        let own = cookies.find_map(|cookie| cookie.strip_prefix(NAME)?.strip_prefix('='));
        match own.filter(|value| value.len() <= COOKIE_BYTES).map(|value| Self::read(Some(value))) {
            Some(Ok((wishes, _))) => wishes,
            _ => Self::default(),
        }
    }

    /// Reads a query string; also returns what was not understood. Fails only where it is too long
    /// or not even the names can be told from the values.
    pub(crate) fn read(raw: Option<&str>) -> Result<(Self, Vec<String>), Problem> {
        Ok(Self::of_values(pairs(raw, NAMES)?, pairs(raw, [KEYS])?))
    }

    /// Reads the body of a form, likewise.
    pub(crate) fn read_form(raw: Option<&str>) -> Result<(Self, Vec<String>), Problem> {
        Ok(Self::of_values(fields(raw, NAMES)?, fields(raw, [KEYS])?))
    }

    fn of_values(
        values: [Option<String>; NAMES.len()],
        [keys]: [Option<String>; 1],
    ) -> (Self, Vec<String>) {
        let mut reader = Reader::default();
        for (name, value) in NAMES.into_iter().zip(values) {
            reader.take(name, value.as_deref().unwrap_or_default());
        }
        reader.take(KEYS, keys.as_deref().unwrap_or_default());
        (reader.wishes, reader.odd)
    }

    /// Reads a file as [`Self::to_file`] writes it.
    pub(crate) fn read_file(text: &str) -> (Self, Vec<String>) {
        let mut reader = Reader::default();
        for line in text.lines().map(str::trim) {
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let (name, values) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
            match NAMES.contains(&name) || name == KEYS {
                true => reader.take(name, values),
                false => reader.doubt(line),
            }
        }
        (reader.wishes, reader.odd)
    }

    /// Returns a query string that [`Self::read`] reads; empty if nothing is wished.
    pub(crate) fn to_query(&self) -> String {
        let pairs = self.values().into_iter();
        let written = pairs.map(|(name, value)| format!("{name}={}", encode(&value)));
        written.collect::<Vec<_>>().join("&")
    }

    /// Returns a file: a line for each name.
    pub(crate) fn to_file(&self) -> String {
        let lines = self.values().into_iter().map(|(name, value)| format!("{name} {value}\n"));
        format!("# Preferences of a search page\n{}", lines.collect::<String>())
    }

    /// Returns the header that lets a browser keep the wishes for a year, or forget them if there
    /// are none; `None` if they are more than a browser keeps.
    pub(crate) fn to_cookie(&self, is_secure: bool) -> Option<String> {
        let value = self.to_query();
        let age = if value.is_empty() { 0 } else { 365 * 24 * 60 * 60 };
        let secure = if is_secure { "; Secure" } else { "" };
        let fits = value.len() <= COOKIE_BYTES;
        let rest = format!("Path=/; Max-Age={age}; HttpOnly; SameSite=Lax{secure}");
        fits.then(|| format!("{NAME}={value}; {rest}"))
    }

    /// Returns the sites of which this is wished and that hold a page, with spaces between them;
    /// `None` if there are none.
    pub(crate) fn holding(&self, regard: Regard, url: &Url) -> Option<String> {
        let personal = &self.personal;
        let sites = match regard {
            Regard::Preferred => &personal.preferred,
            Regard::Lowered => &personal.lowered,
            Regard::Blocked => &personal.blocked,
        };
        let holding = sites.iter().filter(|site| Personal::covers(site, url));
        let holding: Vec<&str> = holding.map(String::as_str).collect();
        (!holding.is_empty()).then(|| holding.join(" "))
    }

    /// Changes what is wished of a site; returns whether there was room for it.
    pub(crate) fn set(&mut self, site: &str, regard: Option<Regard>) -> bool {
        let Some(site) = Personal::site(site).filter(|site| site.len() <= SITE_BYTES) else {
            return false;
        };
        let personal = &mut self.personal;
        for list in [&mut personal.preferred, &mut personal.lowered, &mut personal.blocked] {
            list.retain(|known| *known != site);
        }
        let Some(regard) = regard else { return true };
        let all = personal.preferred.len() + personal.lowered.len() + personal.blocked.len();
        if all >= MOST_SITES {
            return false;
        }
        match regard {
            Regard::Preferred => personal.preferred.push(site),
            Regard::Lowered => personal.lowered.push(site),
            Regard::Blocked => personal.blocked.push(site),
        }
        true
    }

    /// Returns everything that is wished, by name.
    fn values(&self) -> Vec<(&'static str, String)> {
        let personal = &self.personal;
        let topics: Vec<String> = self.topics.iter().map(ToString::to_string).collect();
        let theme = if self.theme == Theme::Auto { "" } else { self.theme.name() };
        let count = self.count.map(|count| count.to_string()).unwrap_or_default();
        let values = [
            personal.preferred.join(" "),
            personal.lowered.join(" "),
            personal.blocked.join(" "),
            personal.languages.join(" "),
            topics.join(" "),
            personal.country.clone().unwrap_or_default(),
            personal.town.clone().unwrap_or_default(),
            theme.to_owned(),
            self.tongue.map_or("", Tongue::code).to_owned(),
            count,
        ];
        let keys = if self.is_without_keys { "off" } else { "" };
        let all = NAMES.into_iter().zip(values).chain([(KEYS, keys.to_owned())]);
        all.filter(|(_, value)| !value.is_empty()).collect()
    }
}

/// Wishes being read.
#[derive(Default)]
struct Reader {
    wishes: Wishes,
    odd: Vec<String>,
}

impl Reader {
    /// Takes the values of one name, with spaces, commas or line ends between them.
    fn take(&mut self, name: &str, values: &str) {
        let is_whole = name == TOWN;
        let ends = |letter: char| !is_whole && (letter.is_whitespace() || letter == ',');
        for value in values.trim().split(ends).filter(|value| !value.is_empty()) {
            if !self.put(name, value) {
                self.doubt(value);
            }
        }
    }

    fn doubt(&mut self, text: &str) {
        if self.odd.len() < MOST_ODD {
            self.odd.push(base::limits::cut(text, ODD_BYTES).to_owned());
        }
    }

    /// Takes one value; returns whether it fits and there was room.
    fn put(&mut self, name: &str, value: &str) -> bool {
        let Wishes { personal, topics, theme, tongue, count, is_without_keys } = &mut self.wishes;
        match name {
            "prefer" => return self.wishes.set(value, Some(Regard::Preferred)),
            "lower" => return self.wishes.set(value, Some(Regard::Lowered)),
            "block" => return self.wishes.set(value, Some(Regard::Blocked)),
            "languages" => {
                let Some(code) = Personal::language(value) else { return false };
                let is_known = personal.languages.contains(&code);
                if !is_known && personal.languages.len() >= Personal::MOST_LANGUAGES {
                    return false;
                }
                if !is_known {
                    personal.languages.push(code);
                }
            }
            "topics" => match value.parse::<TopicWeight>() {
                Ok(topic) if topics.len() < MOST_TOPICS && is_name(&topic.name) => {
                    topics.push(topic);
                }
                _ => return false,
            },
            "country" => {
                let code = Personal::country(value).filter(|code| names::country(code).is_some());
                let Some(code) = code else { return false };
                personal.country = Some(code);
            }
            TOWN => {
                let Some(town) = Personal::town(value) else { return false };
                personal.town = Some(town);
            }
            "theme" => {
                let themes = [Theme::Auto, Theme::Light, Theme::Dark];
                let Some(named) = themes.into_iter().find(|theme| theme.name() == value) else {
                    return false;
                };
                *theme = named;
            }
            "interface" if value == "auto" => *tongue = None,
            "interface" => match Tongue::parse(value) {
                Some(named) => *tongue = Some(named),
                None => return false,
            },
            "count" => match value.parse().ok().filter(|number| COUNTS.contains(number)) {
                Some(number) => *count = Some(number).filter(|number| *number != COUNTS[0]),
                None => return false,
            },
            _ => match value {
                "on" | "off" => *is_without_keys = value == "off",
                _ => return false,
            },
        }
        true
    }
}

/// Returns whether a text can be the name of a topic.
fn is_name(text: &str) -> bool {
    let is_good = |letter: char| letter.is_alphanumeric() || "-_.".contains(letter);
    text.len() <= TOPIC_BYTES && text.chars().all(is_good)
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    fn cookie(value: &str) -> Wishes {
        let mut headers = HeaderMap::new();
        headers.insert(COOKIE, HeaderValue::from_str(value).unwrap());
        Wishes::of(&headers)
    }

    fn holding(wishes: &Wishes, regard: Regard, url: &str) -> String {
        wishes.holding(regard, &Url::parse(url).unwrap()).unwrap_or_default()
    }

    fn all() -> Wishes {
        let raw = "prefer=Zoo.example+cs.example.edu%2F~ann%2F&lower=b.example&block=ads.example\
                   &languages=da-DK,en&topics=news:0.7+sport&country=DK\
                   &town=+S%C3%A3o++Paulo,+%22SP%22&theme=dark&interface=ar\
                   &count=20&keys=off";
        let (wishes, odd) = Wishes::read(Some(raw)).unwrap();
        assert_eq!(odd, [""; 0]);
        wishes
    }

    #[test]
    fn wishes_come_back_from_every_form_as_they_were() {
        let wishes = all();
        assert_eq!(wishes.personal.preferred, ["zoo.example", "cs.example.edu/~ann/"]);
        assert_eq!(wishes.personal.country.as_deref(), Some("dk"));
        assert_eq!(wishes.personal.town.as_deref(), Some("São Paulo, \"SP\""));
        assert_eq!(holding(&wishes, Regard::Blocked, "http://ads.example/"), "ads.example");
        let header = wishes.to_cookie(true).unwrap();
        assert!(header.ends_with("; Max-Age=31536000; HttpOnly; SameSite=Lax; Secure"), "{header}");
        let value = header.split(';').next().unwrap();
        assert_eq!(cookie(&format!("other=1; {value}; last=2")), wishes);
        let is_token = |byte: u8| byte.is_ascii_graphic() && !b"\",;\\".contains(&byte);
        assert!(value.bytes().all(is_token), "{value}");
        assert_eq!(Wishes::read_file(&wishes.to_file()), (wishes.clone(), Vec::new()));
        assert_eq!(Wishes::read(Some(&wishes.to_query())).unwrap(), (wishes, Vec::new()));
    }

    #[test]
    fn nothing_wished_is_nothing_kept() {
        assert_eq!(Wishes::default().to_query(), "");
        assert!(Wishes::default().to_cookie(false).unwrap().contains("Max-Age=0"));
        assert_eq!(Wishes::of(&HeaderMap::new()), Wishes::default());
    }

    #[test]
    fn a_hostile_cookie_is_bounded_and_harms_nobody() {
        for value in [
            "lookfar",
            "lookfar=%ff",
            "lookfar=prefer=a.example&prefer=b.example",
            "lookfar=theme=%3Cscript%3E&count=99999999999999999999&interface=xx&keys=maybe",
            "lookfar=prefer=%22%3E%3Cscript%3E+%0d%0aSet-Cookie:x+..%2F..%2F+a%20b%3A1",
            "lookfar=country=zz&languages=zz&topics=%3Cb%3E:1+news:NaN+:",
            "notlookfar=theme=dark",
            "lookfar=unknown=1",
        ] {
            let wishes = cookie(value);
            assert!(wishes.personal.preferred.iter().all(|site| !site.contains(['<', ' ', '\n'])));
            assert_eq!((wishes.theme, wishes.count), (Theme::Auto, None), "{value}");
            assert!(wishes.topics.is_empty() && wishes.personal.languages.is_empty(), "{value}");
        }
        let many: Vec<String> = (0..400).map(|number| format!("s{number}.ex")).collect();
        let (wishes, odd) = Wishes::read(Some(&format!("block={}", many.join("+")))).unwrap();
        assert_eq!((wishes.personal.blocked.len(), odd.len()), (MOST_SITES, MOST_ODD));
        let long = format!("lookfar=block={}", many.join("+").repeat(3));
        assert_eq!(cookie(&long), Wishes::default());
        assert!(Wishes::read(Some(&"a".repeat(1 << 20))).is_err());
    }

    #[test]
    fn a_town_is_kept_whole_or_not_at_all() {
        let read = |town: &str| {
            let (wishes, odd) = Wishes::read(Some(&format!("town={}", encode(town)))).unwrap();
            // It comes back from every form.
            assert_eq!(Wishes::read_file(&wishes.to_file()).0, wishes, "{town:?}");
            assert_eq!(Wishes::read(Some(&wishes.to_query())).unwrap().0, wishes, "{town:?}");
            let header = wishes.to_cookie(false).unwrap();
            assert_eq!(cookie(header.split(';').next().unwrap()), wishes, "{town:?}");
            (wishes.personal.town.unwrap_or_default(), odd.len())
        };
        for (town, kept) in [
            ("New York", "New York"),
            ("  Aarhus,\tDanmark\r\ncount 50 ", "Aarhus, Danmark count 50"),
            ("\"><script>alert(1)</script>*", "\"><script>alert(1)</script>*"),
            ("a&theme=dark;#%41\\", "a&theme=dark;#%41\\"),
            ("القاهرة", "القاهرة"),
            ("\u{1f3d9} Aarhus\u{202e}", "\u{1f3d9} Aarhus"),
        ] {
            assert_eq!(read(town), (kept.to_owned(), 0));
        }
        for town in ["", "   ", "\r\n\t"] {
            assert_eq!(read(town), (String::new(), 0), "nothing is not odd");
        }
        for town in ["\u{1f3d9}", "***", "\u{0}", &"x".repeat(61), &"x".repeat(8_000)] {
            assert_eq!(read(town), (String::new(), 1), "{town:?}");
        }
        let far = "x y ".repeat(2_560);
        assert!(Wishes::read(Some(&format!("town={}", encode(&far)))).is_err());
        let (wishes, odd) = Wishes::read_file(&format!("town {far}"));
        assert_eq!((wishes, odd.len()), (Wishes::default(), 1));
    }

    #[test]
    fn what_is_not_understood_is_told() {
        let (wishes, odd) = Wishes::read_file("# x\nprefer a.example ???\nwish all\ncount 11\n");
        assert_eq!(wishes.personal.preferred, ["a.example"]);
        assert_eq!(odd, ["???", "wish all", "11"]);
        let (_, odd) = Wishes::read_file(&"x".repeat(100_000));
        assert_eq!(odd[0].len(), ODD_BYTES);
    }

    #[test]
    fn every_wish_that_holds_a_page_is_told() {
        let (wishes, _) = Wishes::read(Some(
            "prefer=www.zoo.example&lower=zoo.example/cats/&block=example+zoo.example",
        ))
        .unwrap();
        let check = |regard, url: &str, expected: &str| {
            assert_eq!(holding(&wishes, regard, url), expected, "{url}");
        };
        check(Regard::Preferred, "http://www.zoo.example/a", "www.zoo.example");
        check(Regard::Preferred, "http://zoo.example/a", "");
        check(Regard::Lowered, "http://www.zoo.example/cats/big", "zoo.example/cats/");
        check(Regard::Lowered, "http://zoo.example/dogs", "");
        check(Regard::Blocked, "http://zoo.example/dogs", "example zoo.example");
        check(Regard::Blocked, "http://fakezoo.example/", "example");
        check(Regard::Blocked, "http://zoo.test/", "");
    }

    #[test]
    fn a_site_is_in_one_list_only() {
        let mut wishes = all();
        assert!(wishes.set("zoo.example", Some(Regard::Blocked)));
        assert_eq!(wishes.personal.blocked, ["ads.example", "zoo.example"]);
        assert_eq!(wishes.personal.preferred, ["cs.example.edu/~ann/"]);
        assert!(wishes.set("zoo.example", None));
        assert_eq!(wishes.personal.blocked, ["ads.example"]);
        assert!(!wishes.set("not a site", Some(Regard::Preferred)));
        assert!(!wishes.set(&"a.".repeat(400), Some(Regard::Preferred)));
    }
}
