//! Filters as links beside the results (U2).

use std::sync::{Arc, Mutex};

use base::Timestamp;
use serve::Options;

use crate::client::get;
use crate::known::Known;
use crate::pages::{HOSTILE, check_only_our_markup, encode};
use crate::server::{Server, found, hit, state};

/// A server on 16 November 2026, and what it was asked to filter by.
fn server() -> (Server, Arc<Mutex<Vec<String>>>) {
    let asked = Arc::new(Mutex::new(Vec::new()));
    let heard = asked.clone();
    let hits = vec![hit("http://a.example/", "A", "*a*"); 12];
    let search = move |request: &rank::Request<'_>| {
        *heard.lock().unwrap() = request.filters.iter().map(ToString::to_string).collect();
        found(request, &hits)
    };
    let options = Options {
        clock: || Timestamp::parse_rfc3339("2026-11-16T09:30:00Z").unwrap(),
        ..Options::default()
    };
    (Server::start(state(search, options)), asked)
}

#[test]
fn filters_reach_the_search_beside_the_query_and_are_shown_as_chips() {
    let (server, asked) = server();
    let path = "/search?q=big+OR+%22cat&time=week&lang=da&site=zoo.example&type=pdf&country=dk";
    let reply = get(server.address, path);
    assert_eq!(reply.status, 200);
    check_only_our_markup(&reply.body);
    assert_eq!(
        *asked.lock().unwrap(),
        ["lang:da", "site:zoo.example", "filetype:pdf", "country:dk", "after:2026-11-09"]
    );
    for text in ["Past week</bdi>", "lang=\"da\">Dansk</bdi>", "zoo.example</bdi>", "PDF</bdi>"] {
        assert!(reply.body.contains(text), "{text}: {}", reply.body);
    }
    assert!(reply.body.contains("<bdi lang=\"en\" data-region=\"DK\">Denmark</bdi>"));
    assert_eq!(reply.body.matches("class=\"chip\"").count(), 5);
    // Each chip leads to the same without it, the next page and the next search keep all.
    let rest = "&#38;lang=da&#38;site=zoo.example&#38;type=pdf&#38;country=dk";
    let removed = format!("class=\"chip\" href=\"?q=big+OR+%22cat{rest}\"");
    assert!(reply.body.contains(&removed), "{}", reply.body);
    let next = format!("rel=\"next\" href=\"?q=big+OR+%22cat&#38;offset=10{rest}&#38;time=week\"");
    assert!(reply.body.contains(&next), "{}", reply.body);
    assert!(reply.body.contains("<input type=\"hidden\" name=\"type\" value=\"pdf\">"));
    get(server.address, "/api/v1/search?q=a&time=year&lang=en");
    assert_eq!(*asked.lock().unwrap(), ["lang:en", "after:2025-11-15"], "programs have them too");
}

#[test]
fn times_can_be_chosen_without_scripts_and_the_chosen_one_is_marked() {
    let (server, asked) = server();
    let body = get(server.address, "/search?q=a").body;
    assert!(asked.lock().unwrap().is_empty());
    for time in ["day", "week", "month", "year"] {
        assert!(body.contains(&format!("href=\"?q=a&#38;time={time}\"")), "{body}");
    }
    assert!(!body.contains("class=\"chip\""));
    let body = get(server.address, "/search?q=a&time=month&explain=1").body;
    let marked = "href=\"?q=a&#38;explain=1&#38;time=month\" aria-current=\"true\"";
    assert!(body.contains(marked), "{body}");
    assert!(body.contains("href=\"?q=a&#38;explain=1\">Any time"));
}

#[test]
fn qry_12_and_web_01_filters_that_do_not_fit_are_refused_and_stay_text() {
    let (server, _) = server();
    for text in HOSTILE {
        for name in ["time", "lang", "type", "country"] {
            let reply = get(server.address, &format!("/search?q=a&{name}={}", encode(text)));
            assert_eq!(reply.status, 400, "{name} {text}");
            check_only_our_markup(&reply.body);
        }
        // Some of these can be read as a host, as the query language would.
        let reply = get(server.address, &format!("/search?q=a&site={}", encode(text)));
        assert!(matches!(reply.status, 200 | 400));
        check_only_our_markup(&reply.body);
    }
}

#[test]
fn filters_hold_on_every_tab_where_they_are_seen_and_taken_away() {
    let found = |request: &rank::Request<'_>| found(request, &[]);
    let server = Server::start(state(found, Options::default()).with_knowledge(Arc::new(Known)));
    for (path, shown) in [("/pictures", "class=\"shape\""), ("/hubs", "zoo.example/")] {
        let plain = get(server.address, &format!("{path}?q=a")).body;
        assert!(plain.contains(shown) && !plain.contains("class=\"chip\""), "{path}: {plain}");
        for (filter, name) in [("lang=da", "Dansk"), ("time=week", "Past week")] {
            let page = get(server.address, &format!("{path}?q=a&{filter}")).body;
            check_only_our_markup(&page);
            assert!(!page.contains(shown), "{path} {filter}: {page}");
            let chip = page.split("class=\"chip\" href=\"?q=a\"").nth(1).unwrap();
            assert!(chip.split("</a>").next().unwrap().contains(name), "{path} {filter}: {page}");
        }
    }
}

#[test]
fn nothing_found_with_filters_offers_to_search_without_them() {
    let server = Server::with_hits(Vec::new());
    let body = get(server.address, "/search?q=big+cat&lang=da").body;
    assert!(body.contains("<a href=\"?q=big+cat\">Search without the filters</a>"), "{body}");
    assert!(!body.contains("+OR+"), "the filters are not put into a query");
    assert!(!get(server.address, "/search?q=big+cat").body.contains("without the filters"));
}
