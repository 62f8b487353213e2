//! Filters as people see them: menus of links above the results, and a button for each that is on.
//!
//! They are parameters of their own (`narrow`, `extras`) and not written into the query: that text
//! belongs to the person who typed it, and may be an OR, or end in the middle of a quote.

use rank::query::Filter;

use crate::extras::Time;
use crate::host;
use crate::names;
use crate::narrow::Narrow;
use crate::params::Params;
use crate::tongue::Tongue;

/// What is filtered by, besides the time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Language,
    Site,
    Type,
    Country,
}

impl Kind {
    /// Returns the name of its parameter.
    fn parameter(self) -> &'static str {
        match self {
            Self::Language => "lang",
            Self::Site => "site",
            Self::Type => "type",
            Self::Country => "country",
        }
    }

    fn of_parameter(name: &str) -> Option<Self> {
        let all = [Self::Language, Self::Site, Self::Type, Self::Country];
        all.into_iter().find(|kind| kind.parameter() == name)
    }

    /// Returns the value as it is compared; `None` if it does not fit.
    fn canonical(self, value: &str) -> Option<String> {
        let field = if self == Self::Type { "filetype" } else { self.parameter() };
        Filter::parse(field, value).map(|filter| filter.value())
    }

    fn title(self, tongue: Tongue) -> &'static str {
        let words = &tongue.words().filters;
        match self {
            Self::Language => words.language,
            Self::Site => words.site,
            Self::Type => words.kind,
            Self::Country => words.country,
        }
    }
}

/// A filter as it is shown: what it is called, and what can be chosen.
pub(crate) struct Menu {
    pub(crate) title: &'static str,
    pub(crate) choices: Vec<Choice>,
}

/// One value of a filter.
#[derive(Default)]
pub(crate) struct Choice {
    pub(crate) text: String,
    /// Language of the text, where that is not the page's.
    pub(crate) language: Option<String>,
    /// Country whose name a script may write in the page's language.
    pub(crate) region: Option<String>,
    /// Whether the text is in the page's own words, so that nothing sets it apart.
    pub(crate) is_ours: bool,
    /// How many results have it, where that is told.
    pub(crate) count: Option<String>,
    pub(crate) path: String,
    pub(crate) is_current: bool,
}

/// A value with how many results have it, as people write it.
pub(crate) type Offer = (String, String);

/// Returns the menus. `offers` are values of a kind that results have; `path` is where the results
/// of other parameters are.
pub(crate) fn menus(
    params: &Params,
    offers: &[(Kind, Vec<Offer>)],
    tongue: Tongue,
    path: impl Fn(&Params) -> String,
) -> Vec<Menu> {
    let mut menus = vec![times(params, tongue, &path)];
    for (kind, values) in offers {
        let chosen = params.narrow.get(kind.parameter()).and_then(|value| kind.canonical(value));
        let choice = |(value, count): &Offer| {
            let narrow = params.narrow.with(kind.parameter(), Some(value));
            Choice {
                count: Some(count.clone()),
                is_current: chosen.as_ref() == Some(value),
                path: path(&Params { narrow, ..params.clone() }),
                ..shown(*kind, value)
            }
        };
        let fits = |(value, _): &&Offer| kind.canonical(value).as_ref() == Some(value);
        let choices: Vec<Choice> = values.iter().filter(fits).map(choice).collect();
        // One value that all results have says nothing.
        if choices.len() > 1 {
            menus.push(Menu { title: kind.title(tongue), choices });
        }
    }
    menus
}

fn times(params: &Params, tongue: Tongue, path: impl Fn(&Params) -> String) -> Menu {
    let at = |time: Option<Time>| {
        let mut params = params.clone();
        params.page.time = time;
        path(&params)
    };
    let choice = |time: Option<Time>| Choice {
        text: time_name(time, tongue).to_owned(),
        path: at(time),
        is_current: params.page.time == time,
        is_ours: true,
        ..Choice::default()
    };
    let all = [None].into_iter().chain(Time::ALL.map(Some));
    Menu { title: tongue.words().filters.time, choices: all.map(choice).collect() }
}

fn time_name(time: Option<Time>, tongue: Tongue) -> &'static str {
    let words = &tongue.words().filters;
    match time {
        None => words.any_time,
        Some(Time::Day) => words.day,
        Some(Time::Week) => words.week,
        Some(Time::Month) => words.month,
        Some(Time::Year) => words.year,
    }
}

/// Returns the filters that are on, each with where the results are without it.
pub(crate) fn chips(
    params: &Params,
    tongue: Tongue,
    path: impl Fn(&Params) -> String,
) -> Vec<Choice> {
    let mut chips = Vec::new();
    if let Some(time) = params.page.time {
        let mut without = params.clone();
        without.page.time = None;
        let text = time_name(Some(time), tongue).to_owned();
        chips.push(Choice { text, path: path(&without), ..Choice::default() });
    }
    for name in Narrow::NAMES {
        let Some(value) = params.narrow.get(name) else { continue };
        let narrow = params.narrow.with(name, None);
        let path = path(&Params { narrow, ..params.clone() });
        let chip = match Kind::of_parameter(name) {
            Some(kind) => shown(kind, &kind.canonical(value).unwrap_or_else(|| value.to_owned())),
            // Days, from and to.
            None if name == "after" => Choice { text: format!("{value} –"), ..Choice::default() },
            None => Choice { text: format!("– {value}"), ..Choice::default() },
        };
        chips.push(Choice { path, ..chip });
    }
    chips
}

/// Returns a value as people read it.
fn shown(kind: Kind, value: &str) -> Choice {
    let (mut language, mut region) = (None, None);
    let text = match kind {
        Kind::Language => match names::language(value) {
            Some(name) => {
                language = Some(value.to_owned());
                name.to_owned()
            }
            None => value.to_owned(),
        },
        Kind::Site => {
            let (name, folder) = value.split_at(value.find('/').unwrap_or(value.len()));
            host::shown(name) + folder
        }
        Kind::Type => value.to_uppercase(),
        Kind::Country => {
            region = Some(value.to_uppercase());
            match names::country(value) {
                Some(name) => {
                    language = Some("en".to_owned());
                    name.to_owned()
                }
                None => value.to_uppercase(),
            }
        }
    };
    Choice { text, language, region, is_ours: kind == Kind::Type, ..Choice::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(params: &Params) -> String {
        format!("/search?q=a{}", params.kept())
    }

    #[test]
    fn menus_offer_what_results_have_and_mark_what_is_chosen() {
        let params = Params::parse(Some("q=a&time=week&lang=DA")).unwrap();
        let offer = |value: &str, count: &str| (value.to_owned(), count.to_owned());
        let offers = [
            (Kind::Language, vec![offer("da", "1.204"), offer("en", "3")]),
            (Kind::Type, vec![offer("pdf", "5")]),
            (Kind::Country, vec![offer("<b>", "5"), offer("dk", "2"), offer("de", "1")]),
        ];
        let menus = menus(&params, &offers, Tongue::German, path);
        let titles: Vec<&str> = menus.iter().map(|menu| menu.title).collect();
        assert_eq!(titles, ["Zeit", "Sprache", "Land"], "one type alone is no choice");
        assert_eq!(menus[0].choices.len(), 5);
        assert!(menus[0].choices[2].is_current && menus[1].choices[0].is_current);
        assert_eq!(menus[0].choices[0].path, "/search?q=a&lang=DA");
        assert_eq!(menus[1].choices[0].text, "Dansk");
        assert_eq!(menus[1].choices[0].count.as_deref(), Some("1.204"));
        assert_eq!(menus[1].choices[1].path, "/search?q=a&lang=en&time=week");
        assert_eq!(menus[2].choices.len(), 2, "what does not fit is not offered");
        assert_eq!(menus[2].choices[0].region.as_deref(), Some("DK"));
    }

    #[test]
    fn each_filter_that_is_on_can_be_taken_away() {
        let raw = "q=a&time=year&lang=da&site=xn--bcher-kva.example&type=pdf&after=2024&country=dk";
        let params = Params::parse(Some(raw)).unwrap();
        let chips = chips(&params, Tongue::English, path);
        let texts: Vec<&str> = chips.iter().map(|chip| chip.text.as_str()).collect();
        assert_eq!(texts, ["Past year", "Dansk", "bücher.example", "PDF", "2024 –", "Denmark"]);
        for (chip, name) in chips.iter().zip(["time=", "lang=", "site=", "type=", "after="]) {
            assert!(!chip.path.contains(name), "{}", chip.path);
            assert_eq!(chip.path.matches('=').count(), 6, "{}", chip.path);
        }
    }
}
