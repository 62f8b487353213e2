//! What the link analysis says of pages, of a query and of the whole.

use rank::query::Filter;
use rank::{Error, Request};

use crate::standing::{analyse, jaguars};
use crate::web::hosts;

#[test]
fn filters_beside_the_query_are_as_good_as_in_it() {
    let web = jaguars();
    let filters = [Filter::parse("site", "cat.example").unwrap()];
    let request = Request { filters: &filters, ..Request::new("\"jaguar") };
    let found = web.searcher().search(&request).unwrap();
    assert_eq!(hosts(&found), ["cat"]);
    assert_eq!(found.made_of, "jaguar site:cat.example");
    let inside = web.searcher().search(&Request::new("jaguar site:cat.example")).unwrap();
    assert_eq!(inside.hits[0].score, found.hits[0].score);
}

#[test]
fn before_the_first_link_analysis_nothing_is_said() {
    let web = jaguars();
    let searcher = web.searcher();
    assert_eq!(searcher.top_pages(5).unwrap(), None);
    assert_eq!(searcher.page_links("cat.example").unwrap(), None);
    assert_eq!(searcher.query_hubs("jaguar", 5).unwrap(), None);
    assert_eq!(searcher.web_shape().unwrap(), None);
}

#[test]
fn links_say_how_important_trusted_and_honest_a_page_is() {
    let web = jaguars();
    analyse(&web, &[], &["http://zoo.example/"]);
    let searcher = web.searcher();
    let top = searcher.top_pages(3).unwrap().unwrap();
    assert_eq!(top.len(), 3);
    assert_eq!(top[0].url.as_str(), "http://shop.example/", "the farm holds it up");
    assert!(top.is_sorted_by(|one, other| one.score >= other.score));
    let all = searcher.top_pages(usize::MAX).unwrap().unwrap();
    assert_eq!(all.len(), 48, "every page that was fetched, once");

    let shop = searcher.page_links("http://shop.example/").unwrap().unwrap();
    assert_eq!((shop.links_in, shop.links_out), (40, 40));
    assert!(shop.is_fetched && shop.times_mean.unwrap() > 1.0);
    assert!(shop.spam > 0.5 && !shop.spam_reasons.is_empty(), "{shop:?}");
    assert_eq!(shop.pagerank.map(f64::from), Some(top[0].score));
    let cat = searcher.page_links("cat.example").unwrap().unwrap();
    assert_eq!((cat.links_in, cat.spam), (3, 0.0));
    assert!(cat.trust.unwrap() > 1.0, "the zoo is trusted and links to it");
    // An iteration ends before it reaches nothing.
    assert!(shop.trust.unwrap() < 1e-6, "{shop:?}");
    assert_eq!(searcher.page_links("never.example").unwrap(), None);
    assert_eq!(searcher.page_links("not an address").unwrap(), None);
}

#[test]
fn a_query_has_hubs_and_authorities() {
    let web = jaguars();
    analyse(&web, &[], &[]);
    let searcher = web.searcher();
    let found = searcher.query_hubs("jaguar", 3).unwrap().unwrap();
    assert_eq!(found.num_answers, 4);
    assert!(found.num_pages > found.num_answers);
    let authorities: Vec<&str> = found.authorities.iter().map(|page| page.url.host_str()).collect();
    assert!(authorities.contains(&"cat.example"), "{authorities:?}");
    assert!(found.authorities.iter().all(|page| page.is_answer));
    assert!(found.hubs.iter().all(|page| !page.is_answer) && found.hubs.len() <= 3);
    let nothing = searcher.query_hubs("nosuchword", 3).unwrap().unwrap();
    assert!(nothing.authorities.is_empty() && nothing.hubs.is_empty());
    assert!(matches!(searcher.query_hubs(&"a ".repeat(65), 3), Err(Error::Query(_))));
}

#[test]
fn the_whole_has_a_shape_that_is_looked_at_once() {
    let web = jaguars();
    analyse(&web, &[], &[]);
    let searcher = web.searcher();
    let shape = searcher.web_shape().unwrap().unwrap();
    assert_eq!(shape.num_pages, 48);
    let counted: u64 = shape.parts.iter().map(|part| part.num_pages).sum();
    assert_eq!(counted, shape.num_pages);
    let core = shape.parts.iter().find(|part| part.name == "core").unwrap();
    assert_eq!(core.num_pages, 41, "the shop and its farm reach each other");
    let again = searcher.web_shape().unwrap().unwrap();
    assert!(std::sync::Arc::ptr_eq(&shape, &again));
}
