//! Filters as parameters: `lang`, `site`, `type`, `after`, `before`, `country`.
//!
//! They are the filters of the query language and go into the query as parts of its tree, so a
//! query that is left open (`"big cat`) cannot swallow them and they need no quoting. Where the
//! query language searches a value that does not fit as words, a parameter is refused: a program
//! wants to know.

use base::Url;
use rank::query::Filter;

use crate::fault::{Fault, FaultWants};
use crate::params::pairs;
use crate::problem::Problem;
use crate::view::encode;

/// Parameters and the fields of the query language that they are.
const FIELDS: [(&str, &str); 6] = [
    ("lang", "lang"),
    ("site", "site"),
    ("type", "filetype"),
    ("after", "after"),
    ("before", "before"),
    ("country", "country"),
];

/// Which answers are wanted, whatever the query says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Narrow {
    /// By parameter, with the value as it was given.
    chosen: Vec<(&'static str, String, Filter)>,
}

impl Narrow {
    /// The names of the parameters.
    pub(crate) const NAMES: [&'static str; FIELDS.len()] =
        ["lang", "site", "type", "after", "before", "country"];

    /// Reads the filters of a query string; what is not given, or empty, is no filter.
    pub(crate) fn parse(raw: Option<&str>) -> Result<Self, Problem> {
        let mut chosen = Vec::new();
        for ((name, field), value) in FIELDS.into_iter().zip(pairs(raw, Self::NAMES)?) {
            let Some(value) = value.filter(|value| !value.trim().is_empty()) else { continue };
            let filter = Filter::parse(field, &value).ok_or_else(|| refused(name))?;
            chosen.push((name, value, filter));
        }
        Ok(Self { chosen })
    }

    /// Leaves one page only. It is no parameter: it goes from no page to another.
    pub(crate) fn to_page(url: &Url) -> Self {
        let filter = Filter::Cache(url.to_string());
        Self { chosen: vec![("", String::new(), filter)] }
    }

    /// Returns the filters for a search.
    pub(crate) fn filters(&self) -> Vec<Filter> {
        self.chosen.iter().map(|(_, _, filter)| filter.clone()).collect()
    }

    /// Returns the value of a parameter, if it was given.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        let chosen = self.chosen.iter().find(|(known, _, _)| *known == name);
        chosen.map(|(_, value, _)| value.as_str())
    }

    /// Returns the parameters as they go from page to page: `&lang=da&after=2024`; empty if there
    /// are none.
    pub(crate) fn choices(&self) -> String {
        let pair = |(name, value, _): &(&str, String, Filter)| format!("&{name}={}", encode(value));
        self.chosen.iter().map(pair).collect()
    }

    /// Returns the same with one parameter set to another value, or taken out.
    pub(crate) fn with(&self, name: &str, value: Option<&str>) -> Self {
        let mut chosen = self.chosen.clone();
        chosen.retain(|(known, _, _)| *known != name);
        let field = FIELDS.into_iter().find(|(known, _)| *known == name);
        if let (Some((name, field)), Some(value)) = (field, value)
            && let Some(filter) = Filter::parse(field, value)
        {
            chosen.push((name, value.to_owned(), filter));
        }
        Self { chosen }
    }
}

fn refused(name: &str) -> Problem {
    let wants = match name {
        "lang" => FaultWants::Language,
        "site" => FaultWants::Site,
        "type" => FaultWants::Type,
        "country" => FaultWants::Country,
        _ => FaultWants::Date,
    };
    Problem::wrong(Fault::Wants { name: name.to_owned(), wants })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn narrow(raw: &str) -> Result<Narrow, Problem> {
        Narrow::parse(Some(raw))
    }

    #[test]
    fn filters_are_those_of_the_query_language() {
        let raw = "q=a&lang=da&site=example.org&type=PDF&after=2024&before=2025-06-01&country=DK";
        let found = narrow(raw).unwrap();
        let texts: Vec<String> = found.filters().iter().map(ToString::to_string).collect();
        assert_eq!(
            texts,
            [
                "lang:da",
                "site:example.org",
                "filetype:pdf",
                "after:2024",
                "before:2025-06-01",
                "country:dk"
            ]
        );
        let query = rank::Query::parse("(big OR \"cat").unwrap().narrowed(&found.filters()[..2]);
        assert_eq!(query.to_string(), "(big OR cat) lang:da site:example.org");
        assert_eq!(narrow("q=a&lang=&site=+").unwrap(), Narrow::default());
    }

    #[test]
    fn a_filter_goes_from_page_to_page_and_can_be_changed() {
        let found = narrow("site=a.example%2Fx&after=2024-05").unwrap();
        assert_eq!(found.choices(), "&site=a.example/x&after=2024-05");
        assert_eq!(narrow(&found.choices()[1..]).unwrap(), found);
        assert_eq!(found.get("after"), Some("2024-05"));
        assert_eq!(found.with("after", None).choices(), "&site=a.example/x");
        assert_eq!(
            found.with("site", Some("b.example")).choices(),
            "&after=2024-05&site=b.example"
        );
        assert_eq!(found.with("lang", Some("no such language")).choices(), found.choices());
    }

    #[test]
    fn web_19_values_that_do_not_fit_are_refused_by_name() {
        for (raw, name) in [
            ("lang=klingon", "`lang`"),
            ("site=%20/x", "`site`"),
            ("type=p%20d%20f", "`type`"),
            ("after=soon", "`after`"),
            ("before=2024-13", "`before`"),
            ("country=denmark", "`country`"),
        ] {
            let problem = narrow(raw).unwrap_err();
            assert!(problem.detail.contains(name), "{raw}: {}", problem.detail);
        }
        assert!(narrow("lang=da&lang=de").unwrap_err().detail.contains("twice"));
    }
}
