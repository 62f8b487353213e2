//! The examples of `docs/query-language.md`, asked of the web that the page describes.

use base::{ContentKind, PageRecord, Timestamp};

use crate::web::{Web, link, page};

const PAGE: &str = include_str!("../../../../docs/query-language.md");

/// Returns the cells of the rows of every table whose head ends so.
fn rows(last_column: &str) -> Vec<Vec<&'static str>> {
    let mut rows = Vec::new();
    let mut is_inside = false;
    for line in PAGE.lines() {
        let Some(inner) = line.strip_prefix("| ").and_then(|line| line.strip_suffix(" |")) else {
            is_inside &= line.starts_with("|--");
            continue;
        };
        let cells: Vec<&str> = inner.split(" | ").collect();
        if is_inside {
            rows.push(cells);
        } else {
            is_inside = cells.last() == Some(&last_column);
        }
    }
    rows
}

/// Returns what stands between back-ticks.
fn quoted(cell: &'static str) -> Vec<&'static str> {
    cell.split('`').skip(1).step_by(2).collect()
}

fn record(cells: &[&'static str]) -> PageRecord {
    let &[_, url, title, text, other] = cells else { panic!("{cells:?} has not five cells") };
    let mut record = page(quoted(url)[0], text);
    record.title = title.to_owned();
    for fact in other.split(", ") {
        if let Some(day) = fact.strip_prefix("dated ") {
            record.fetched = Timestamp::parse_rfc3339(&format!("{day}T12:00:00Z")).unwrap();
        } else if fact.starts_with("in ") {
            record.language = Some(quoted(fact)[0].to_owned());
        } else if fact.starts_with("links to ") {
            record.links.push(link(quoted(fact)[0], "more"));
        } else {
            panic!("what is {fact:?}?");
        }
    }
    if record.url.path().ends_with(".pdf") {
        record.kind = ContentKind::Pdf;
    }
    record
}

#[test]
fn every_example_of_the_page_finds_what_it_says() {
    let mut web = Web::new();
    let pages = rows("else");
    assert!(pages.len() >= 5);
    for cells in &pages {
        web.push(&record(cells));
    }
    web.index();
    web.analyse();
    let name_of = |url: &str| {
        let row = pages.iter().find(|cells| quoted(cells[1])[0] == url);
        row.unwrap_or_else(|| panic!("{url} is not on the page"))[0]
    };
    let examples = rows("finds");
    assert!(examples.len() >= 40, "{} examples are not all", examples.len());
    let mut wrong = Vec::new();
    for cells in examples {
        let mut expected: Vec<&str> = match cells[2] {
            "*none*" => Vec::new(),
            names => names.split(", ").collect(),
        };
        expected.sort_unstable();
        for query in quoted(cells[0]) {
            let results = web.search(query);
            let mut found: Vec<_> =
                results.hits.iter().map(|hit| name_of(hit.url.as_str())).collect();
            found.sort_unstable();
            if found != expected {
                wrong.push(format!("{query} finds {found:?}, not {expected:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The page says so in its text.
#[test]
fn loose_words_and_unknown_fields_of_the_page_behave_as_it_says() {
    let mut web = Web::new();
    for cells in rows("else") {
        web.push(&record(&cells));
    }
    web.index();
    let (loose, strict) = (web.found("jaguar river volcano"), web.found("jaguar river"));
    assert!(loose.starts_with(&strict) && loose.len() > strict.len(), "{loose:?} {strict:?}");
    assert!(!web.search("jaguar river volcano").notes.is_empty());
    assert!(web.found("jaguar AND river AND volcano").is_empty());
    for query in ["date:5", "_all:x", "lang:xx", "before:tomorrow", "host-n*", "don't~", "+host*"] {
        assert_eq!(web.search(query).notes.len(), 1, "{query}");
    }
}
