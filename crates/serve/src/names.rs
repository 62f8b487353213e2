//! Names of languages, each in itself, and of countries, in English.
//!
//! A list of languages that all call themselves by their own names can be read by everybody who
//! can read one of them. Countries have no such names; the script of the page writes them in the
//! language of the page where the browser knows it.

use crate::tables::{COUNTRIES, LANGUAGES};

/// Returns what a language calls itself, by its ISO 639-1 code in lower case.
pub(crate) fn language(code: &str) -> Option<&'static str> {
    find(&LANGUAGES, code)
}

/// Returns the English name of a country, by its ISO 3166 code in lower case.
pub(crate) fn country(code: &str) -> Option<&'static str> {
    find(&COUNTRIES, code)
}

/// Returns all countries, by name.
pub(crate) fn countries() -> Vec<(&'static str, &'static str)> {
    let mut countries = COUNTRIES.to_vec();
    countries.sort_unstable_by_key(|(_, name)| *name);
    countries
}

fn find(table: &[(&'static str, &'static str)], code: &str) -> Option<&'static str> {
    let place = table.binary_search_by(|(known, _)| (*known).cmp(code)).ok()?;
    Some(table[place].1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_by_code() {
        for table in [&LANGUAGES[..], &COUNTRIES[..]] {
            assert!(table.windows(2).all(|pair| pair[0].0 < pair[1].0), "in order of code");
        }
        assert_eq!(language("da"), Some("Dansk"));
        assert_eq!(country("dk"), Some("Denmark"));
        assert_eq!((language("xx"), country("DK")), (None, None));
        // Everything that pages can be filtered by has a name.
        for (code, _) in LANGUAGES {
            assert!(rank::query::Filter::parse("lang", code).is_some(), "{code}");
        }
    }
}
