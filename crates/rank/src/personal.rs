//! What the person who asks wishes of every list of answers (Q10).
//!
//! Wishes come with the question and are kept by whoever asks: nothing here is written down.

use base::Url;
use index::facts;

use crate::plan::{self, Check};
use crate::query::{Filter, Node, Site};
use crate::{Query, phrase};

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

    /// Returns whether a page is of a site, by the rule of `site:`: on that domain or below it, at
    /// that port and in that folder if they are named.
    pub fn covers(site: &str, url: &Url) -> bool {
        holds(&plan::below(site), url)
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

    /// Returns the blocked sites that a query does not ask for by name, as many as are looked at:
    /// who asks for one wants to see it.
    pub(crate) fn blocked_for(&self, query: &Query) -> Vec<String> {
        let mut named = Vec::new();
        let mut nodes: Vec<&Node> = query.root().into_iter().collect();
        while let Some(node) = nodes.pop() {
            match node {
                Node::And(parts) | Node::Or(parts) => nodes.extend(parts),
                Node::Filter(Filter::Site(name) | Filter::Host(name)) => named.push(name.as_str()),
                _ => {}
            }
        }
        let is_named = |site: &String| {
            let site = Site::of(site);
            named.iter().any(|name| site.covers(&Site::of(name)))
        };
        let blocked = self.blocked.iter().filter(|site| !is_named(site));
        blocked.take(Self::MOST_SITES).cloned().collect()
    }
}

/// Returns whether a page is of a site that was read by [`plan::below`]: once for many pages.
pub(crate) fn holds(site: &Check, url: &Url) -> bool {
    match site {
        Check::Term(_, domain) => facts::domains(&url.host()).contains(&domain.as_str()),
        Check::Below(starts) => {
            let key = url.surt();
            starts.iter().any(|start| start.holds(&key))
        }
        _ => false,
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
    fn a_site_covers_what_site_finds() {
        for (site, address, expected) in [
            ("zoo.example", "http://zoo.example/a", true),
            ("zoo.example", "https://www.zoo.example:8443/a?b", true),
            ("zoo.example", "http://fakezoo.example/", false),
            ("www.zoo.example", "http://zoo.example/", false),
            ("cs.uni.example/~ann/", "http://www.cs.uni.example/~ann/dog", true),
            ("cs.uni.example/~ann/", "http://cs.uni.example/~anne/", false),
            ("cs.uni.example/~ann/", "http://cs.uni.example/", false),
            ("cs.uni.example/~ann/", "http://cs.uni.example:8080/~ann/dog", true),
            ("zoo.example:8080", "http://www.zoo.example:8080/", true),
            ("zoo.example:8080", "http://zoo.example/", false),
            ("zoo.example:443/a", "https://zoo.example/a", true),
            ("zoo.example:443/a", "http://zoo.example/a", false),
            ("127.0.0.1", "http://127.0.0.1:7700/x", true),
            ("0.0.1", "http://127.0.0.1/", false),
            ("", "http://zoo.example/", false),
        ] {
            let url = Url::parse(address).unwrap();
            assert_eq!(Personal::covers(site, &url), expected, "{site} {address}");
        }
    }

    #[test]
    fn a_blocked_site_that_is_asked_for_by_name_is_not_blocked() {
        let left = |query: &str| {
            let blocked = vec!["zoo.example".to_owned(), "shop.example".to_owned()];
            let personal = Personal { blocked, ..Personal::default() };
            personal.blocked_for(&Query::parse(query).unwrap()).join(" ")
        };
        assert_eq!(left("cat"), "zoo.example shop.example");
        assert_eq!(left("cat site:zoo.example"), "shop.example");
        assert_eq!(left("cat (site:www.zoo.example OR host:shop.example)"), "");
        assert_eq!(left("cat site:zoo.example/cats"), "shop.example");
        assert_eq!(left("cat site:zoo.example:8080/cats"), "shop.example");
        assert_eq!(left("cat -site:zoo.example"), "zoo.example shop.example");
        assert_eq!(left("cat site:fakezoo.example"), "zoo.example shop.example");
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
