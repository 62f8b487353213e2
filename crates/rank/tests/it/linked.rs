//! What the link analysis says of pages, of a query and of the whole.

use rank::query::Filter;
use rank::{Error, Personal, Request, ScoredPage};

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
    assert_eq!(searcher.query_hubs(&Request::new("jaguar"), 5).unwrap(), None);
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
    let found = searcher.query_hubs(&Request::new("jaguar"), 3).unwrap().unwrap();
    assert_eq!(found.num_answers, 4);
    assert!(found.num_pages > found.num_answers);
    let authorities: Vec<&str> = found.authorities.iter().map(|page| page.url.host_str()).collect();
    assert!(authorities.contains(&"cat.example"), "{authorities:?}");
    assert!(found.authorities.iter().all(|page| page.is_answer));
    assert!(found.hubs.iter().all(|page| !page.is_answer) && found.hubs.len() <= 3);
    let nothing = searcher.query_hubs(&Request::new("nosuchword"), 3).unwrap().unwrap();
    assert!(nothing.authorities.is_empty() && nothing.hubs.is_empty());
    let long = "a ".repeat(65);
    assert!(matches!(searcher.query_hubs(&Request::new(&long), 3), Err(Error::Query(_))));
}

#[test]
fn filters_and_blocked_sites_hold_for_hubs_and_authorities() {
    let web = jaguars();
    analyse(&web, &[], &[]);
    let searcher = web.searcher();
    let plain = Request::new("jaguar");
    let ask = |request: &Request<'_>| searcher.query_hubs(request, 50).unwrap().unwrap();
    let has = |list: &[ScoredPage], host: &str| list.iter().any(|page| page.url.host_str() == host);
    let all = ask(&plain);
    assert!(has(&all.authorities, "cat.example") && has(&all.hubs, "hub.example"), "{all:?}");
    assert_eq!((all.num_answers, all.blocked), (4, 0));
    // The answers around which is looked pass the filters.
    let filters = [Filter::parse("site", "cat.example").unwrap()];
    let narrowed = ask(&Request { filters: &filters, ..plain });
    assert_eq!(narrowed.num_answers, 1);
    assert!(!has(&narrowed.authorities, "car.example"), "{narrowed:?}");
    let danish = [Filter::parse("lang", "da").unwrap()];
    assert_eq!(ask(&Request { filters: &danish, ..plain }).num_pages, 0);
    // Of a blocked site there is neither an answer nor a page around them.
    let personal = |blocked: &[&str]| Personal {
        blocked: blocked.iter().map(|site| (*site).to_owned()).collect(),
        ..Personal::default()
    };
    let wishes = personal(&["cat.example", "hub.example"]);
    let wished = ask(&Request { personal: Some(&wishes), ..plain });
    assert_eq!(wished.num_answers, 3);
    for list in [&wished.authorities, &wished.hubs] {
        assert!(!has(list, "cat.example") && !has(list, "hub.example"), "{wished:?}");
    }
    assert!(has(&wished.hubs, "zoo.example") && wished.blocked >= 1, "{wished:?}");
    // Whoever asks for a site by name wants to see it.
    let named = Request { personal: Some(&wishes), ..Request::new("jaguar site:cat.example") };
    assert!(has(&ask(&named).authorities, "cat.example"));
    let everything = personal(&["example"]);
    let none = ask(&Request { personal: Some(&everything), ..plain });
    assert_eq!((none.num_pages, none.blocked), (0, 4));
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
