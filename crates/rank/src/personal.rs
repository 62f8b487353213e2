//! What the person who asks wishes of every list of answers (Q10).
//!
//! Wishes come with the question and are kept by whoever asks: nothing here is written down.

use crate::query::Filter;

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
}
