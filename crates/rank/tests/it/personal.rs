//! Wishes of the person who asks, and filters besides the query (Q10).

use rank::query::Filter;
use rank::{Grouping, Personal, Request, Results, Searcher};

use crate::web::{Web, hosts, link, page};

/// Eight pages that fit alike, one better than the next by a little.
fn web() -> Web {
    let mut web = Web::new();
    for number in 0..8 {
        let top = if number == 6 { "dk" } else { "example" };
        let text = format!("{} and other animals of the world", "jaguar ".repeat(12 - number));
        let mut record = page(&format!("http://s{number}.{top}/x"), &text);
        record.language = Some(if number == 5 { "da" } else { "en" }.to_owned());
        web.push(&record);
    }
    web.index();
    web
}

fn ask(searcher: &Searcher, query: &str, personal: &Personal) -> Results {
    let request = Request {
        personal: Some(personal),
        grouping: Grouping::Folded,
        count: 100,
        ..Request::new(query)
    };
    searcher.search(&request).unwrap()
}

fn names(list: &[&str]) -> Vec<String> {
    list.iter().map(|name| (*name).to_owned()).collect()
}

#[track_caller]
fn part(results: &Results, host: &str, name: &str) -> f32 {
    let hit = results.hits.iter().find(|hit| hit.url.host_str() == host).unwrap();
    let sum: f32 = hit.parts.iter().map(|part| part.value).sum();
    assert!((sum - hit.score).abs() < 0.001 * sum.abs().max(1.0), "parts make the score");
    hit.parts.iter().find(|part| part.name == name).map_or(0.0, |part| part.value)
}

#[test]
fn preferred_sites_rise_lowered_ones_sink_and_the_explanation_says_so() {
    let searcher = web().searcher();
    let nothing = ask(&searcher, "jaguar", &Personal::default());
    let first = hosts(&nothing);
    let personal = Personal {
        preferred: names(&["s4.example"]),
        lowered: names(&[&format!("{}.example", first[0])]),
        ..Personal::default()
    };
    let wished = ask(&searcher, "jaguar", &personal);
    let order = hosts(&wished);
    assert_eq!(order[0], "s4");
    assert_eq!(order.last(), first.first());
    assert_eq!((wished.total, wished.blocked), (nothing.total, 0));
    assert!(part(&wished, "s4.example", "preferred") > 0.0);
    assert!(part(&wished, &format!("{}.example", first[0]), "lowered") < 0.0);
    let meanings = wished.hits[0].parts.iter().map(rank::Part::meaning);
    assert!(meanings.into_iter().any(|meaning| meaning == "you prefer this site"));
}

#[test]
fn blocked_sites_are_left_out_counted_and_shown_when_asked_for_by_name() {
    let searcher = web().searcher();
    let blocked = names(&["s0.example", "s3.example", "unknown.example"]);
    let personal = Personal { blocked, ..Personal::default() };
    let wished = ask(&searcher, "jaguar", &personal);
    assert_eq!((wished.hits.len(), wished.total.count, wished.blocked), (6, 6, 2));
    assert!(!hosts(&wished).contains(&"s0".to_owned()));
    let named = ask(&searcher, "jaguar site:s0.example", &personal);
    assert_eq!((hosts(&named).join(" ").as_str(), named.blocked), ("s0", 0));
    let all = names(&["example", "dk"]);
    let none = ask(&searcher, "jaguar", &Personal { blocked: all, ..Personal::default() });
    assert_eq!((none.hits.len(), none.blocked), (0, 8));
}

#[test]
fn pages_of_the_declared_place_and_language_rise_a_little() {
    let searcher = web().searcher();
    let place = |results: &Results, host: &str| {
        results.hits.iter().position(|hit| hit.url.host_str() == host).unwrap()
    };
    let before = ask(&searcher, "jaguar", &Personal::default());
    let local = Personal { country: Some("dk".to_owned()), ..Personal::default() };
    let after = ask(&searcher, "jaguar", &local);
    assert!(place(&after, "s6.dk") < place(&before, "s6.dk"));
    assert!(part(&after, "s6.dk", "place") > 0.0);
    assert_eq!(part(&after, "s1.example", "place"), 0.0);
    let danish = Personal { languages: names(&["da"]), ..Personal::default() };
    let after = ask(&searcher, "jaguar", &danish);
    assert!(place(&after, "s5.example") < place(&before, "s5.example"));
    assert!(part(&after, "s5.example", "language") > 0.0);
}

/// Pages that fit alike and say where they are: hosts and texts.
const WHERE: [(&str, &str); 7] = [
    ("here.dk", "jaguar house, 8000 Ny By, open on sundays"),
    ("country.dk", "jaguar house, open on every other sunday"),
    ("world.example", "jaguar house, 8000 Ny By, open on mondays"),
    ("other.se", "jaguar house, 8000 Ny By, open on tuesdays"),
    ("apart.dk", "jaguar house, ny open by, on some wednesdays"),
    ("turned.dk", "jaguar house, 8000 By Ny, open on thursdays"),
    ("plain.example", "jaguar house, 8000 elsewhere, open on fridays"),
];

fn towns() -> Web {
    let mut web = Web::new();
    for (host, text) in WHERE {
        let mut record = page(&format!("http://{host}/x"), text);
        record.language = Some("en".to_owned());
        web.push(&record);
    }
    web.index();
    web
}

#[test]
fn pages_that_name_the_declared_town_rise_more_than_those_of_the_country() {
    let searcher = towns().searcher();
    let wished = |town: Option<&str>, country: Option<&str>| {
        let (town, country) = (town.map(str::to_owned), country.map(str::to_owned));
        ask(&searcher, "jaguar", &Personal { town, country, ..Personal::default() })
    };
    let raised = |results: &Results, name: &str| {
        let mut hosts: Vec<String> =
            results.hits.iter().map(|hit| hit.url.host_str().to_owned()).collect();
        hosts.retain(|host| part(results, host, name) > 0.0);
        hosts.sort_unstable();
        hosts.join(" ")
    };
    // Alone it is every page that names it, its words side by side and in this order.
    let town = wished(Some("ny BY"), None);
    assert_eq!(raised(&town, "town"), "here.dk other.se world.example");
    assert_eq!(raised(&town, "place"), "");
    let first: Vec<&str> = town.hits[..3].iter().map(|hit| hit.url.host_str()).collect();
    assert!(first.iter().all(|host| ["here.dk", "other.se", "world.example"].contains(host)));
    // With a country, pages of another one are not there; what is nearer counts once.
    let both = wished(Some("Ny By"), Some("dk"));
    assert_eq!(raised(&both, "town"), "here.dk world.example");
    assert_eq!(raised(&both, "place"), "apart.dk country.dk turned.dk");
    let place = |host: &str| both.hits.iter().position(|hit| hit.url.host_str() == host).unwrap();
    assert!(place("here.dk") < 2 && place("world.example") < 2);
    assert!(
        place("country.dk") < place("plain.example") && place("country.dk") < place("other.se")
    );
    let meanings = both.hits[0].parts.iter().map(rank::Part::meaning);
    assert!(
        meanings.into_iter().any(|meaning| meaning == "says the name of the town that you named")
    );
    // What is found is the same, whatever is wished; nothing wished or known changes nothing.
    let nothing = ask(&searcher, "jaguar", &Personal::default());
    assert_eq!((both.total, both.blocked), (nothing.total, 0));
    let order = |results: &Results| results.hits.iter().map(|hit| hit.score).collect::<Vec<_>>();
    for unknown in ["Atlantis", "Ny Atlantis", "  "] {
        assert_eq!(order(&wished(Some(unknown), None)), order(&nothing), "{unknown}");
    }
}

#[test]
fn towns_are_also_known_by_what_mark_up_says_of_a_page() {
    let mut web = Web::new();
    // Some pages write their address only for machines; two places in a row name no third one.
    let said = [
        ("here.dk", vec!["Storgade 1, 8000 Ny By"]),
        ("apart.dk", vec!["8000 Ny", "By Museum"]),
        ("nowhere.dk", vec![]),
    ];
    for (host, places) in said {
        let mut record = page(&format!("http://{host}/x"), "jaguar house, open on sundays");
        let place = |name: &str| base::Place { name: name.to_owned(), ..base::Place::default() };
        record.about.places = places.into_iter().map(place).collect();
        web.push(&record);
    }
    web.index();
    let searcher = web.searcher();
    let near = Personal { town: Some("ny by".to_owned()), ..Personal::default() };
    let results = ask(&searcher, "jaguar", &near);
    let raised = |host: &str| part(&results, host, "town") > 0.0;
    assert_eq!(["here.dk", "apart.dk", "nowhere.dk"].map(raised), [true, false, false]);
    // It says where a page is at home, and is no text of it.
    assert!(ask(&searcher, "storgade", &Personal::default()).hits.is_empty());
}

#[test]
fn a_hostile_town_is_a_text_that_no_page_names() {
    let searcher = towns().searcher();
    let nothing = hosts(&ask(&searcher, "jaguar", &Personal::default()));
    for town in [
        "\"",
        "*",
        "Ny * By",
        "j*",
        "ny OR jaguar",
        "site:here.dk",
        "(((",
        "\u{0}\u{202e}\u{1f3d9}\u{fe0f}",
        "القاهرة",
        &"a b ".repeat(2_560),
        &"\u{1f3d9}".repeat(60),
    ] {
        let personal = Personal { town: Some(town.to_owned()), ..Personal::default() };
        let expected = if town == "Ny * By" { 3 } else { 0 };
        let results = ask(&searcher, "jaguar", &personal);
        let num_raised =
            results.hits.iter().filter(|hit| hit.parts.iter().any(|part| part.name == "town"));
        assert_eq!(num_raised.count(), expected, "{town:?}");
        assert_eq!(results.hits.len(), nothing.len(), "{town:?}");
    }
}

#[test]
fn towns_are_read_as_the_pages_are() {
    let mut web = Web::new();
    for (number, (language, text)) in [
        ("ja", "ジャガーの家は京都市にあります。"),
        ("ja", "ジャガーの家は大阪市にあります。"),
        ("ar", "بيت الجاكوار jaguar في القاهرة"),
        ("en", "jaguar house in Saint-Étienne"),
        ("en", "jaguar house in Baden, not the other one"),
        ("en", "jaguar house in Baden-Baden"),
    ]
    .into_iter()
    .enumerate()
    {
        let mut record = page(&format!("http://s{number}.example/"), text);
        record.language = Some(language.to_owned());
        web.push(&record);
    }
    web.index();
    let searcher = web.searcher();
    let raised = |query: &str, town: &str| {
        let personal = Personal { town: Some(town.to_owned()), ..Personal::default() };
        let results = ask(&searcher, query, &personal);
        let is_raised = |hit: &&rank::Hit| hit.parts.iter().any(|part| part.name == "town");
        let raised = results.hits.iter().filter(is_raised);
        let mut hosts: Vec<&str> = raised.map(|hit| hit.url.host_str()).collect();
        hosts.sort_unstable();
        hosts.join(" ")
    };
    assert_eq!(raised("ジャガー", "京都"), "s0.example");
    assert_eq!(raised("jaguar", "القاهرة"), "s2.example");
    assert_eq!(raised("jaguar", "saint étienne"), "s3.example");
    assert_eq!(raised("jaguar", "Baden Baden"), "s5.example");
    assert_eq!(raised("jaguar", "baden"), "s4.example s5.example");
}

#[test]
fn folders_are_sites_and_pages_known_by_hearsay_have_wishes_too() {
    let mut web = Web::new();
    for number in 0..3 {
        let mut record = page(&format!("http://uni.example/~u{number}/cats"), "jaguar pictures");
        record.links.push(link("http://far.example/lamps", "jaguar lamps"));
        web.push(&record);
        let mut other = page(&format!("http://o{number}.example/"), "words of links");
        other.links.push(link("http://far.example/lamps", "jaguar lamps"));
        web.push(&other);
    }
    web.index();
    web.analyse();
    let searcher = web.searcher();
    let shown = |personal: &Personal| {
        let results = ask(&searcher, "jaguar", personal);
        let mut urls: Vec<String> =
            results.hits.iter().map(|hit| hit.url.as_str().to_owned()).collect();
        urls.sort_unstable();
        urls
    };
    assert!(shown(&Personal::default()).contains(&"http://far.example/lamps".to_owned()));
    let blocked = names(&["far.example", "uni.example/~u1/"]);
    let left = shown(&Personal { blocked, ..Personal::default() });
    assert_eq!(left, ["http://uni.example/~u0/cats", "http://uni.example/~u2/cats"]);
}

#[test]
fn the_list_that_is_paged_through_is_the_same_for_every_window() {
    let searcher = web().searcher();
    let personal = Personal {
        preferred: names(&["s7.example", "s2.example"]),
        blocked: names(&["s1.example"]),
        ..Personal::default()
    };
    let whole = hosts(&ask(&searcher, "jaguar", &personal));
    let mut seen = Vec::new();
    for offset in (0..8).step_by(2) {
        let request = Request {
            personal: Some(&personal),
            grouping: Grouping::Folded,
            offset,
            count: 2,
            ..Request::new("jaguar")
        };
        seen.extend(hosts(&searcher.search(&request).unwrap()));
    }
    assert_eq!(seen, whole);
}

#[test]
fn filters_besides_the_query_narrow_it_as_the_query_language_would() {
    let searcher = web().searcher();
    let filter = |name: &str, value: &str| Filter::parse(name, value).unwrap();
    let narrowed = |query: &str, filters: &[Filter]| {
        searcher.search(&Request { filters, ..Request::new(query) }).unwrap()
    };
    assert_eq!(hosts(&narrowed("jaguar", &[filter("lang", "da")])), ["s5"]);
    let both = [filter("lang", "en"), filter("site", "s2.example")];
    // A query that is not closed cannot swallow them, and an OR cannot go around them.
    for query in ["(jaguar OR animals", "\"jaguar", "jaguar OR animals", "jaguar AND"] {
        assert_eq!(hosts(&narrowed(query, &both)), ["s2"], "{query}");
    }
    let told = narrowed("jaguar lang:en", &both);
    assert_eq!(told.made_of, "jaguar lang:en lang:en site:s2.example");
    // Words side by side stay so: pages with most of them are better than nothing.
    assert_eq!(hosts(&narrowed("jaguar zeppelin", &both)), ["s2"]);
    assert!(Filter::parse("lang", "klingon").is_none() && Filter::parse("title", "a").is_none());
}
