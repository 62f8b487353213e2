//! The languages in which the search page speaks: which one a visitor wants, and how it writes
//! numbers and days (U2).
//!
//! All texts of a language are one [`Words`] in a file of its own; the compiler sees to it that
//! none is missing. Which language: `ui=da` in the address, else the visitor's preferences, else
//! `Accept-Language`, else English.

mod ar;
mod da;
mod de;
mod en;
mod faults;
mod fr;
mod ja;
mod notes;
mod remarks;
mod words;

use axum::http::HeaderMap;
use axum::http::header::ACCEPT_LANGUAGE;
use base::Timestamp;

pub(crate) use remarks::Said;
pub(crate) use words::{Hubs, Plural, Trouble, Words};

/// Bytes of `Accept-Language` that are looked at; browsers send fewer than a hundred.
const ACCEPT_BYTES: usize = 512;
/// Languages in it that are looked at.
const ACCEPT_ITEMS: usize = 32;

/// A language of the page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Tongue {
    #[default]
    English,
    Danish,
    German,
    French,
    Japanese,
    Arabic,
}

impl Tongue {
    pub(crate) const ALL: [Self; 6] =
        [Self::English, Self::Danish, Self::German, Self::French, Self::Japanese, Self::Arabic];

    /// Returns its texts.
    pub(crate) fn words(self) -> &'static Words {
        match self {
            Self::English => &en::WORDS,
            Self::Danish => &da::WORDS,
            Self::German => &de::WORDS,
            Self::French => &fr::WORDS,
            Self::Japanese => &ja::WORDS,
            Self::Arabic => &ar::WORDS,
        }
    }

    /// Returns its ISO 639-1 code.
    pub(crate) fn code(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::Danish => "da",
            Self::German => "de",
            Self::French => "fr",
            Self::Japanese => "ja",
            Self::Arabic => "ar",
        }
    }

    /// Returns the value of the `dir` attribute.
    pub(crate) fn direction(self) -> &'static str {
        if self == Self::Arabic { "rtl" } else { "ltr" }
    }

    /// Returns the language of a tag: `da`, `da-DK`, `DA`.
    pub(crate) fn parse(tag: &str) -> Option<Self> {
        let primary = tag.trim().split(['-', '_']).next().unwrap_or_default();
        Self::ALL.into_iter().find(|tongue| tongue.code().eq_ignore_ascii_case(primary))
    }

    /// Returns the language that a browser asks for, as far as we speak it.
    pub(crate) fn accepted(headers: &HeaderMap) -> Option<Self> {
        let text = headers.get(ACCEPT_LANGUAGE)?.to_str().ok()?;
        let text = text.get(..ACCEPT_BYTES).unwrap_or(text);
        let mut best: Option<(Self, f32)> = None;
        for item in text.split(',').take(ACCEPT_ITEMS) {
            let (tag, parameters) = item.split_once(';').unwrap_or((item, ""));
            let quality = quality(parameters);
            let tongue = if tag.trim() == "*" { Some(Self::English) } else { Self::parse(tag) };
            // Of equals the first.
            if let Some(tongue) = tongue
                && quality > best.map_or(0.0, |(_, best)| best)
            {
                best = Some((tongue, quality));
            }
        }
        best.map(|(tongue, _)| tongue)
    }

    /// Writes a whole number.
    pub(crate) fn number(self, number: u64) -> String {
        let digits = number.to_string();
        let mut text = String::with_capacity(digits.len() * 2);
        for (i, digit) in digits.chars().enumerate() {
            if i > 0 && (digits.len() - i).is_multiple_of(3) {
                text.push(self.signs().0);
            }
            text.push(self.digit(digit));
        }
        text
    }

    /// Writes a number with so many digits behind the sign.
    pub(crate) fn decimal(self, number: f64, digits: usize) -> String {
        let number = if number.is_finite() { number } else { 0.0 };
        let sign = |letter| if letter == '.' { self.signs().1 } else { self.digit(letter) };
        format!("{number:.digits$}").chars().map(sign).collect()
    }

    /// Writes a share from 0 to 1.
    pub(crate) fn percent(self, share: f64) -> String {
        let number = self.decimal(100.0 * share, 0);
        match self {
            Self::English | Self::Japanese => format!("{number}%"),
            Self::Danish | Self::German => format!("{number}\u{a0}%"),
            Self::French => format!("{number}\u{202f}%"),
            Self::Arabic => format!("{number}٪"),
        }
    }

    /// Writes a number with what is counted.
    pub(crate) fn count(self, plural: &Plural, number: u64) -> String {
        plural.form(self, number).replace("{}", &self.number(number))
    }

    /// Writes a day.
    pub(crate) fn day(self, moment: Timestamp) -> String {
        let text = moment.compact();
        let part = |from: usize, to: usize| text.get(from..to).unwrap_or("0");
        let plain = |text: &str| text.trim_start_matches('0').to_owned();
        let (year, day) = (part(0, 4), plain(part(6, 8)));
        let place: usize = part(4, 6).parse().unwrap_or(1);
        let month = self.words().months[(place.max(1) - 1) % 12];
        match self {
            Self::English => format!("{day} {month} {year}"),
            Self::Danish | Self::German => format!("{day}. {month} {year}"),
            Self::French if day == "1" => format!("1er {month} {year}"),
            Self::French => format!("{day} {month} {year}"),
            Self::Japanese => format!("{year}年{place}月{day}日"),
            Self::Arabic => {
                let digits = |text: &str| text.chars().map(|digit| self.digit(digit)).collect();
                let (day, year): (String, String) = (digits(&day), digits(year));
                format!("{day} {month} {year}")
            }
        }
    }

    /// Returns the signs between thousands and before decimals.
    fn signs(self) -> (char, char) {
        match self {
            Self::English | Self::Japanese => (',', '.'),
            Self::Danish | Self::German => ('.', ','),
            Self::French => ('\u{202f}', ','),
            Self::Arabic => ('٬', '٫'),
        }
    }

    fn digit(self, digit: char) -> char {
        match (self, digit.to_digit(10)) {
            (Self::Arabic, Some(value)) => {
                char::from_u32(0x0660 + value).expect("ten digits follow U+0660")
            }
            _ => digit,
        }
    }
}

/// Reads `q=0.7`; what is no such number is 1, as if nothing was said.
fn quality(parameters: &str) -> f32 {
    let value = parameters.split(';').find_map(|parameter| parameter.trim().strip_prefix("q="));
    let number = value.and_then(|value| value.trim().parse().ok());
    number.filter(|number: &f32| (0.0..=1.0).contains(number)).unwrap_or(1.0)
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    #[track_caller]
    fn check(accept: &str, expected: Option<Tongue>) {
        let mut headers = HeaderMap::new();
        headers.insert(ACCEPT_LANGUAGE, HeaderValue::from_str(accept).unwrap());
        assert_eq!(Tongue::accepted(&headers), expected, "{accept}");
    }

    #[test]
    fn the_browser_says_which_language_it_wants_most() {
        check("da", Some(Tongue::Danish));
        check("da-DK,da;q=0.9,en;q=0.8", Some(Tongue::Danish));
        check("sv, fr;q=0.4, de-AT;q=0.7", Some(Tongue::German));
        check("en;q=0.5, ja;q=0.5", Some(Tongue::English));
        check("AR-eg", Some(Tongue::Arabic));
        check("*", Some(Tongue::English));
        check("ja;q=0, de;q=0.1", Some(Tongue::German));
        assert_eq!(Tongue::accepted(&HeaderMap::new()), None);
    }

    #[test]
    fn web_07_nonsense_in_the_wanted_languages_is_bounded_and_harmless() {
        check("", None);
        check("zz, xx;q=9", None);
        check(";;;,,,q=1;q=2", None);
        check("da;q=NaN", Some(Tongue::Danish));
        check(&"xx,".repeat(10_000), None);
        check(&format!("{}da", "xx,".repeat(40)), None);
        let mut headers = HeaderMap::new();
        headers.insert(ACCEPT_LANGUAGE, HeaderValue::from_bytes(b"da\xff").unwrap());
        assert_eq!(Tongue::accepted(&headers), None);
    }

    #[test]
    fn numbers_are_written_as_each_language_writes_them() {
        let written: Vec<String> =
            Tongue::ALL.iter().map(|tongue| tongue.number(1_204_567)).collect();
        assert_eq!(
            written,
            [
                "1,204,567",
                "1.204.567",
                "1.204.567",
                "1\u{202f}204\u{202f}567",
                "1,204,567",
                "١٬٢٠٤٬٥٦٧"
            ]
        );
        assert_eq!(Tongue::English.number(999), "999");
        assert_eq!(Tongue::German.decimal(3.4, 1), "3,4");
        assert_eq!(Tongue::Arabic.decimal(3.45, 1), "٣٫٥");
        assert_eq!(Tongue::Danish.percent(0.456), "46\u{a0}%");
        assert_eq!(Tongue::English.decimal(f64::NAN, 1), "0.0");
    }

    #[test]
    fn days_are_written_as_each_language_writes_them() {
        let moment = Timestamp::parse_rfc3339("2026-11-01T09:30:00Z").unwrap();
        let written: Vec<String> = Tongue::ALL.iter().map(|tongue| tongue.day(moment)).collect();
        assert_eq!(
            written,
            [
                "1 Nov 2026",
                "1. nov. 2026",
                "1. Nov. 2026",
                "1er nov. 2026",
                "2026年11月1日",
                "١ نوفمبر ٢٠٢٦"
            ]
        );
    }

    #[test]
    fn plurals_follow_the_rules_of_the_language() {
        let results = |tongue: Tongue, number| tongue.count(&tongue.words().results, number);
        assert_eq!(results(Tongue::English, 0), "0 results");
        assert_eq!(results(Tongue::English, 1), "1 result");
        assert_eq!(results(Tongue::French, 0), "0 résultat");
        assert_eq!(results(Tongue::French, 2), "2 résultats");
        assert_eq!(results(Tongue::Danish, 1_204), "1.204 resultater");
        assert_eq!(results(Tongue::Japanese, 1), results(Tongue::Japanese, 2).replace('2', "1"));
        let arabic = [1, 2, 3, 10, 11, 99, 100, 103].map(|number| results(Tongue::Arabic, number));
        assert_eq!(
            arabic,
            [
                "نتيجة واحدة",
                "نتيجتان",
                "٣ نتائج",
                "١٠ نتائج",
                "١١ نتيجة",
                "٩٩ نتيجة",
                "١٠٠ نتيجة",
                "١٠٣ نتائج"
            ]
        );
    }

    #[test]
    fn no_text_is_empty_and_every_number_has_its_place() {
        for tongue in Tongue::ALL {
            let words = tongue.words();
            let text = format!("{words:?}");
            assert!(!text.contains("\"\""), "{} has an empty text", tongue.code());
            assert!(
                !text.contains('<') && !text.contains('&'),
                "{}: texts are text",
                tongue.code()
            );
            assert!(words.took.contains("{}"));
            assert!(words.pages_per_second.contains("{}") && words.about.contains("{}"));
            assert!(words.search_with.contains("{}"));
            for plural in [&words.results, &words.searching, &words.copies, &words.described] {
                assert!(plural.form(tongue, 5).contains("{}"), "{}", tongue.code());
            }
        }
    }
}
