//! What the matching pages are, counted.

use base::{ContentKind, DateSource, Dated, PageRecord, Place, Timestamp};
use rank::{Facet, Facets, Helps, Request};

use crate::web::{Web, page};

fn facets(web: &Web, query: &str) -> Facets {
    let request = Request { helps: Helps::ALL, ..Request::new(query) };
    web.searcher().search(&request).unwrap().facets
}

fn told(facets: &[Facet]) -> Vec<(&str, u64)> {
    facets.iter().map(|facet| (facet.value.as_str(), facet.count)).collect()
}

fn dated(year: u32, record: PageRecord) -> PageRecord {
    let at = Timestamp::parse_rfc3339(&format!("{year}-06-01T00:00:00Z")).unwrap();
    let mut record = record;
    record.about.published = Some(Dated { at, source: DateSource::Meta, confidence: 90 });
    record
}

fn web() -> Web {
    let mut web = Web::new();
    let in_language = |language: &str, record: PageRecord| PageRecord {
        language: Some(language.to_owned()),
        ..record
    };
    web.push(&dated(2019, page("http://a.example.dk/x.html", "jaguar")));
    web.push(&dated(2021, page("http://b.example.dk/", "jaguar")));
    web.push(&dated(2021, in_language("da", page("http://other.de/1", "jaguar"))));
    let mut pdf = page("http://third.example/a.pdf", "jaguar manual");
    pdf.kind = ContentKind::Pdf;
    pdf.language = None;
    let country = Some("se".to_owned());
    pdf.about.places.push(Place { country, ..Place::default() });
    web.push(&dated(2021, pdf));
    web.push(&page("http://fifth.example/", "cat"));
    web.index();
    web
}

#[test]
fn matching_pages_are_counted_by_what_they_are() {
    let web = web();
    let found = facets(&web, "jaguar");
    assert!(found.is_exact);
    assert_eq!(told(&found.languages), [("en", 2), ("da", 1)]);
    assert_eq!(told(&found.types), [("html", 3), ("pdf", 1)]);
    assert_eq!(told(&found.sites), [("example.dk", 2), ("other.de", 1), ("third.example", 1)]);
    assert_eq!(told(&found.countries), [("dk", 2), ("de", 1), ("se", 1)]);
    assert_eq!(told(&found.years), [("2021", 3), ("2019", 1)]);
    let found = facets(&web, "jaguar site:example.dk");
    assert_eq!(told(&found.sites), [("example.dk", 2)]);
    assert_eq!(facets(&web, "zebra").sites, []);
}

#[test]
fn nothing_is_counted_unless_asked_for() {
    let web = web();
    assert_eq!(web.search("jaguar").facets, Facets::default());
}

#[test]
fn each_value_finds_as_many_pages_as_it_says() {
    let web = web();
    let found = facets(&web, "jaguar");
    for (field, list) in [
        ("lang", &found.languages),
        ("filetype", &found.types),
        ("site", &found.sites),
        ("country", &found.countries),
    ] {
        for facet in list {
            let query = format!("jaguar {field}:{}", facet.value);
            assert_eq!(web.search(&query).total.count, facet.count, "{query}");
        }
    }
}

#[test]
fn more_pages_than_are_ordered_are_counted_by_the_query() {
    let mut web = Web::new();
    for number in 0..900 {
        let name = if number % 3 == 0 { "one" } else { "two" };
        web.push(&page(&format!("http://{name}.example/{number}"), "jaguar"));
    }
    web.index();
    let found = facets(&web, "jaguar");
    assert!(found.is_exact);
    assert_eq!(told(&found.sites), [("two.example", 600), ("one.example", 300)]);
}
