//! What the person who asks wishes of every list of answers (Q10).
//!
//! Wishes come with the question and are kept by whoever asks: nothing here is written down.

use crate::phrase;
use crate::query::Filter;

/// Longest name of a town, in characters: Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch
/// has 58.
const TOWN_LETTERS: usize = 60;
/// Longest name that is looked at, in bytes, with what may be left out of it.
const TOWN_BYTES: usize = 8 * TOWN_LETTERS;

/// What a person wishes: sites in the form that `site:` takes, canonical, as [`Self::site`] makes
/// them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Personal {
    /// Sites whose pages rise.
    pub preferred: Vec<String>,
    /// Sites whose pages sink.
    pub lowered: Vec<String>,
    /// Sites whose pages are left out, unless the question names them.
    pub blocked: Vec<String>,
    /// Languages whose pages rise a little, as ISO 639-1.
    pub languages: Vec<String>,
    /// The country whose pages rise a little: two letters of ISO 3166, lower case.
    pub country: Option<String>,
    /// The town whose pages rise more than those of the country, as [`Self::town`] makes it.
    pub town: Option<String>,
}

impl Personal {
    /// Sites of each list that are looked at.
    pub const MOST_SITES: usize = 100;
    /// Languages that are looked at.
    pub const MOST_LANGUAGES: usize = 8;

    /// Returns a site as it is compared: `example.org`, `cs.example.edu/~ann/`; `None` if it is
    /// none.
    pub fn site(text: &str) -> Option<String> {
        Filter::parse("site", text).map(|filter| filter.value())
    }

    /// Returns the code of a language; `None` if it is not known.
    pub fn language(text: &str) -> Option<String> {
        Filter::parse("lang", text).map(|filter| filter.value())
    }

    /// Returns the code of a country; `None` if it is none.
    pub fn country(text: &str) -> Option<String> {
        Filter::parse("country", text).map(|filter| filter.value())
    }

    /// Returns the name of a town in one line, without what cannot be seen; `None` if it has no
    /// letters or too many. It is a text and nothing more: no sign in it is an operator.
    pub fn town(text: &str) -> Option<String> {
        let visible = (text.len() <= TOWN_BYTES).then(|| phrase::visible(text))?;
        let town = visible.split_whitespace().collect::<Vec<_>>().join(" ");
        let fits = town.chars().count() <= TOWN_LETTERS && town.contains(char::is_alphanumeric);
        fits.then_some(town)
    }

    /// Returns whether nothing is wished.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wishes_are_brought_to_the_form_in_which_they_are_compared() {
        let site = |text: &str| Personal::site(text);
        assert_eq!(site("HTTPS://Zoo.Example/").as_deref(), Some("zoo.example"));
        assert_eq!(site("cs.example.edu/~ann/").as_deref(), Some("cs.example.edu/~ann/"));
        assert_eq!((site(""), site("a b"), site("http://")), (None, None, None));
        assert_eq!(Personal::language("da-DK").as_deref(), Some("da"));
        assert_eq!(Personal::language("klingon"), None);
        assert_eq!(Personal::country("UK").as_deref(), Some("gb"));
        assert_eq!(Personal::country("eu"), None);
        assert!(Personal::default().is_empty());
    }

    #[test]
    fn a_town_is_one_short_line_with_letters() {
        let check = |text: &str, expected: &str| {
            let town = Personal::town(text);
            assert_eq!(town.as_deref().unwrap_or("none"), expected, "{text:?}");
            if let Some(town) = town {
                assert_eq!(Personal::town(&town), Some(town), "it stays as it is");
            }
        };
        check(" New\t\u{0}  York\r\n", "New York");
        check("S\u{202e}\u{200b}ão Paulo", "São Paulo");
        check("\"Aarhus*\"", "\"Aarhus*\"");
        check("القاهرة", "القاهرة");
        check("東京", "東京");
        for text in ["", "  \u{3000}", "\"*\"", "\u{1f3d9}\u{fe0f}", "\u{202e}", "-- OR"] {
            let expected = if text.contains("OR") { text } else { "none" };
            check(text, expected);
        }
        check(&"å".repeat(60), &"å".repeat(60));
        check(&"å".repeat(61), "none");
        check(&"Aarhus ".repeat(1_500), "none");
    }
}
