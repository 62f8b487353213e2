//! Queries that lead on from the best answers (Q7).

use base::{PageRecord, Zone};
use rank::{Grouping, Request};

use crate::web::{Web, block, page};

fn related(web: &Web, query: &str) -> Vec<String> {
    let request = Request { grouping: Grouping::Folded, ..Request::new(query) };
    web.searcher().search(&request).unwrap().related
}

fn about(name: &str, title: &str, headings: &[&str]) -> PageRecord {
    let url = format!("http://{name}.example/");
    let mut record = page(&url, &format!("jaguar {name}"));
    record.title = title.to_owned();
    record.blocks.extend(headings.iter().map(|text| block(Zone::Heading, text)));
    record
}

fn web() -> Web {
    let mut web = Web::new();
    web.push(&about(
        "one",
        "Black jaguar | Zoo",
        &["Habitat", "Diet and prey", "See ann@a.example"],
    ));
    web.push(&about("two", "Black jaguar", &["Diet and prey", "Habitat", "See ann@a.example"]));
    web.push(&about("three", "Jaguar cars", &["Engine", "See ann@a.example"]));
    web.push(&page("http://four.example/", "nothing of it"));
    web.index();
    web
}

#[test]
fn what_two_sites_have_in_common_leads_on() {
    let web = web();
    let found = related(&web, "jaguar");
    assert_eq!(found, ["Black jaguar", "jaguar diet and prey", "jaguar habitat"]);
    // What the query has already leads nowhere.
    let found = related(&web, "black jaguar");
    assert_eq!(found, ["black jaguar diet and prey", "black jaguar habitat"]);
    assert_eq!(related(&web, "zebra"), Vec::<String>::new());
}

#[test]
fn operators_are_not_added_to() {
    let web = web();
    let found = related(&web, "jaguar -cars");
    assert_eq!(found, ["Black jaguar", "Diet and prey", "Habitat"]);
}

#[test]
fn phrases_of_the_collection_that_begin_so_come_behind() {
    let web = web();
    web.analyse();
    let found = related(&web, "jaguar");
    assert_eq!(found, ["Black jaguar", "jaguar diet and prey", "jaguar habitat", "Jaguar cars"]);
}

#[test]
fn lists_of_plain_answers_come_without() {
    let web = web();
    assert!(web.search("jaguar").related.is_empty());
    let grouping = Grouping::Folded;
    let request = Request { offset: 10, grouping, ..Request::new("jaguar") };
    assert!(web.searcher().search(&request).unwrap().related.is_empty());
}
