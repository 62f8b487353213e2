//! What helps people to ask on: another spelling, related searches, counted filters, pictures.

use std::pin::Pin;
use std::sync::{Arc, Mutex};

use rank::{Facet, Facets, Request, Results};
use serve::{Options, Shown};

use crate::client::{get, get_bytes};
use crate::known::Known;
use crate::pages::{HOSTILE, check_only_our_markup, encode};
use crate::server::{Server, found, hit, state};

fn facets(values: &[(&str, u64)]) -> Vec<Facet> {
    let facet = |(value, count): &(&str, u64)| Facet { value: (*value).to_owned(), count: *count };
    values.iter().map(facet).collect()
}

/// Answers with help of every kind; `said` stands in all of its texts.
pub(crate) fn helped(request: &Request<'_>, said: &str) -> Result<Results, rank::Error> {
    let hits = vec![hit("http://zoo.example/", "A", "*a*"); 30];
    let values = ["da", "en", "de", "fr", "ja", "ar", "nl", "it", "es", "pl"];
    let counted: Vec<(&str, u64)> = values.iter().zip(1_000..).map(|(v, n)| (*v, n)).collect();
    let sites: Vec<String> = (0..10).map(|n| format!("museum-of-things-{n}.example")).collect();
    let sites: Vec<(&str, u64)> = sites.iter().map(|site| (site.as_str(), 40)).collect();
    let facets = Facets {
        languages: facets(&counted),
        types: facets(&[("html", 1_204), ("pdf", 12), ("\"><b>", 3)]),
        sites: facets(&sites),
        countries: facets(&[("dk", 9), ("de", 4), ("jp", 2)]),
        years: Vec::new(),
        is_exact: said.is_empty(),
    };
    Ok(Results {
        did_you_mean: Some(format!("lantern{said}")),
        related: (0..8).map(|n| format!("lantern of the harbour {n}{said}")).collect(),
        facets: if request.helps.facets { facets } else { Facets::default() },
        ..found(request, &hits)?
    })
}

fn start(said: &'static str) -> Server {
    Server::start(state(move |request| helped(request, said), Options::default()))
}

#[test]
fn another_spelling_and_related_searches_are_links_that_keep_the_filters() {
    let server = start("");
    let body = get(server.address, "/search?q=lantren&lang=da").body;
    check_only_our_markup(&body);
    assert!(body.contains("Did you mean: <a href=\"?q=lantern&#38;lang=da\">"), "{body}");
    assert!(body.contains("<h2>Related searches</h2>"), "{body}");
    let related = "href=\"?q=lantern+of+the+harbour+7&#38;lang=da\"";
    assert!(body.contains(related), "{body}");
    let german = get(server.address, "/search?q=lantren&ui=de").body;
    assert!(german.contains("Meinten Sie:") && german.contains("Ähnliche Suchen"), "{german}");
    // Who has no help is shown none.
    let plain =
        get(Server::with_hits(vec![hit("http://a.example/", "A", "a")]).address, "/search?q=a");
    assert!(!plain.body.contains("class=\"meant\"") && !plain.body.contains("class=\"related\""));
}

#[test]
fn filters_are_counted_and_only_pages_ask_for_that() {
    let server = start("");
    let body = get(server.address, "/search?q=a").body;
    for part in [
        "<summary>Language</summary>",
        "<a href=\"?q=a&#38;lang=da\"><bdi lang=\"da\">Dansk</bdi> <small>1,000</small></a>",
        "<a href=\"?q=a&#38;type=pdf\">PDF <small>12</small></a>",
        "<summary>Site</summary>",
        "museum-of-things-7.example",
        "data-region=\"DK\"",
    ] {
        assert!(body.contains(part), "{part} is missing in {body}");
    }
    assert!(!body.contains("museum-of-things-8.example"), "eight of a kind are enough");
    let about = get(start(" x").address, "/search?q=a").body;
    assert!(about.contains("<small>≈ 1,000</small>"), "{about}");
    let feed = get(server.address, "/search.rss?q=a");
    assert_eq!(feed.status, 200);
}

#[test]
fn web_01_hostile_help_stays_text() {
    for text in HOSTILE {
        let body = get(start(text).address, &format!("/search?q={}", encode(text))).body;
        check_only_our_markup(&body);
    }
}

#[test]
fn web_25_pictures_are_named_linked_and_paged_but_not_loaded() {
    let state = state(|request| found(request, &[]), Options::default());
    let server = Server::start(state.with_knowledge(Arc::new(Known)));
    let page = get(server.address, "/pictures?q=a+cat");
    assert_eq!(page.status, 200);
    check_only_our_markup(&page.body);
    for part in [
        "href=\"http://zoo.example/a%20cat.jpg\" rel=\"noopener noreferrer\"",
        "640 × 480",
        "The &#60;zoo&#62;",
        "action=\"/pictures\"",
        "<a href=\"/search?q=a+cat\">Everything</a>",
        "href=\"?q=a+cat&#38;offset=24\"",
    ] {
        assert!(page.body.contains(part), "{part} is missing in {}", page.body);
    }
    assert!(!page.body.contains("<img src=\"http"), "{}", page.body);
    let last = get(server.address, "/pictures?q=a+cat&offset=24").body;
    assert_eq!(last.matches("class=\"shape\"").count(), 6);
    assert!(last.contains("<bdi>a cat.jpg</bdi>"), "its file's name where nothing is said: {last}");
    let none = get(server.address, "/pictures?q=none").body;
    assert!(none.contains("No pictures found for"), "{none}");
    let narrowed = get(server.address, "/pictures?q=a&site=b.example&time=week").body;
    assert!(narrowed.contains("Search without the filters") && narrowed.contains("class=\"chip\""));
    for text in HOSTILE {
        let body = get(server.address, &format!("/pictures?q={}", encode(text))).body;
        check_only_our_markup(&body);
    }
    // Where nobody knows pictures there is no page of them, and none leads there.
    let server = Server::with_hits(vec![hit("http://a.example/", "A", "a")]);
    assert_eq!(get(server.address, "/pictures?q=a").status, 404);
    assert!(!get(server.address, "/search?q=a").body.contains("class=\"tabs\""));
}

#[test]
fn web_25_pictures_are_shown_from_an_address_of_ours_and_only_those_that_pages_name() {
    const PIXELS: &[u8] = b"\x89PNG pixels";
    let asked = Arc::new(Mutex::new(Vec::new()));
    let log = asked.clone();
    let fetch = move |url: base::Url| -> Pin<Box<dyn Future<Output = Shown> + Send>> {
        log.lock().unwrap().push(url.to_string());
        Box::pin(async { Shown::Picture("image/png", PIXELS.into()) })
    };
    let state = state(|request| found(request, &[]), Options::default());
    let state = state.with_knowledge(Arc::new(Known)).with_pictures(Arc::new(fetch));
    let server = Server::start(state);
    let page = get(server.address, "/pictures?q=a+cat").body;
    check_only_our_markup(&page);
    let start = page.find("/picture?u=").unwrap();
    let path = page[start..].split('"').next().unwrap().replace("&#38;", "&");
    let (head, body) = get_bytes(server.address, &path, "");
    assert!(head.starts_with("HTTP/1.1 200") && body == PIXELS, "{head}");
    let head = head.to_ascii_lowercase();
    for part in [
        "content-type: image/png",
        "x-content-type-options: nosniff",
        "content-security-policy: default-src 'none'; sandbox",
        "cross-origin-resource-policy: same-origin",
    ] {
        assert!(head.contains(part), "{part} is missing in {head}");
    }
    assert_eq!(*asked.lock().unwrap(), ["http://zoo.example/a%20cat.jpg"]);
    // No open proxy: without the seal, or with that of another address, nothing is fetched.
    let (address, seal) = path.split_once("&k=").unwrap();
    let other = address.replace("a%2520cat", "other");
    assert_ne!(other, address);
    for bad in [
        address.to_owned(),
        format!("{other}&k={seal}"),
        format!("{address}&k="),
        "/picture".to_owned(),
    ] {
        assert_eq!(get(server.address, &bad).status, 404, "{bad}");
    }
    assert_eq!(asked.lock().unwrap().len(), 1);
}

#[test]
fn web_25_what_could_run_is_not_handed_out_as_a_picture() {
    for (shown, status) in [
        (Shown::Picture("image/svg+xml", b"<svg onload=alert(1)>"[..].into()), 404),
        (Shown::Picture("text/html", b"<script>"[..].into()), 404),
        (Shown::Nothing, 404),
        (Shown::Later, 503),
    ] {
        let fetch = move |_| -> Pin<Box<dyn Future<Output = Shown> + Send>> {
            let shown = shown.clone();
            Box::pin(async { shown })
        };
        let state = state(|request| found(request, &[]), Options::default());
        let state = state.with_knowledge(Arc::new(Known)).with_pictures(Arc::new(fetch));
        let server = Server::start(state);
        let page = get(server.address, "/pictures?q=a").body;
        let start = page.find("/picture?u=").unwrap();
        let path = page[start..].split('"').next().unwrap().replace("&#38;", "&");
        let reply = get(server.address, &path);
        assert_eq!(reply.status, status);
        assert_eq!(reply.header("content-type"), Some("text/plain; charset=utf-8"));
    }
}

#[test]
fn hubs_and_authorities_have_a_page_of_their_own() {
    let state = state(|request| found(request, &[]), Options::default());
    let server = Server::start(state.with_knowledge(Arc::new(Known)));
    let page = get(server.address, "/hubs?q=a+cat");
    assert_eq!(page.status, 200);
    check_only_our_markup(&page.body);
    for part in [
        "<h2>Authorities</h2>",
        "<a href=\"http://zoo.example/\" rel=\"noopener noreferrer\"><bdi>The &#60;zoo&#62;</bdi></a>",
        "<cite><bdi dir=\"ltr\">zoo.example</bdi></cite>",
        "<span class=\"soft\">100% · an answer</span>",
        "<h2>Hubs</h2>",
        "<bdi dir=\"ltr\">hub.example</bdi>",
        "2 pages around the answers were looked at",
        "<a href=\"/hubs?q=a+cat\" aria-current=\"page\">Hubs</a>",
        "action=\"/hubs\"",
    ] {
        assert!(page.body.contains(part), "{part} is missing in {}", page.body);
    }
    let german = get(server.address, "/hubs?q=a&ui=de").body;
    assert!(german.contains("<h2>Autoritäten</h2>"), "{german}");
    for text in HOSTILE {
        check_only_our_markup(&get(server.address, &format!("/hubs?q={}", encode(text))).body);
    }
    let unlinked = Server::with_hits(vec![hit("http://a.example/", "A", "a")]);
    let early = get(unlinked.address, "/hubs?q=a");
    assert!(early.status == 200 && early.body.contains("are not known yet"), "{}", early.body);
}
