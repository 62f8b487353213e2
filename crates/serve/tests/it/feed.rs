//! Results for feed readers, and the description that browsers read.

use std::collections::BTreeMap;
use std::sync::Arc;

use base::Timestamp;
use quick_xml::events::Event;
use quick_xml::{Reader, XmlVersion};
use serde_json::json;
use serve::Options;

use crate::client::{get, send};
use crate::server::{Server, found, hit, state};

#[test]
fn a_browser_is_told_where_to_ask() {
    let server = Server::with_hits(Vec::new());
    let told = get(server.address, "/opensearch.xml");
    assert_eq!(told.status, 200);
    assert!(
        told.header("content-type").unwrap().starts_with("application/opensearchdescription+xml")
    );
    let base = "http://a";
    assert!(told.body.contains(&format!("template=\"{base}/search?q={{searchTerms}}\"")));
    // Browsers offer a search by this link alone; Firefox wants its title to be the short name.
    let link = "<link rel=\"search\" type=\"application/opensearchdescription+xml\" \
                title=\"Lookfar\" href=\"/opensearch.xml\">";
    for path in ["/", "/search?q=a"] {
        let page = get(server.address, path).body;
        let head = page.split("</head>").next().unwrap();
        assert!(head.contains(link), "{head}");
    }
    assert!(told.body.contains("<ShortName>Lookfar</ShortName>"), "{}", told.body);
}

/// As newcomers ask: on this machine, and from another one in the house.
#[test]
fn a_browser_is_told_the_address_by_which_it_asks_if_no_stranger_can_own_it() {
    let server = Server::with_hits(Vec::new());
    for host in
        ["localhost:7700", "127.0.0.1:7700", "[::1]:7700", "192.168.1.7", "nas", "nas.local"]
    {
        let ask = |path: &str| {
            let head = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close");
            send(server.address, &format!("{head}\r\n\r\n")).body
        };
        let description = ask("/opensearch.xml");
        let template = format!("template=\"http://{host}/search?q={{searchTerms}}\"");
        assert!(description.contains(&template), "{description}");
        let feed = ask("/search.rss?q=a");
        assert!(feed.contains(&format!("<link>http://{host}/search?q=a</link>")), "{feed}");
    }
}

#[test]
fn web_01_results_are_a_feed_in_which_nothing_of_others_is_markup() {
    let title = "</title><script>alert(1)</script>]]>&amp;\u{0}\u{b}";
    let evil = hit("http://a.example/?a=1&b=<2>", title, "<b>bold</b>");
    let server = Server::with_hits(vec![evil]);
    let feed = get(server.address, "/search.rss?q=%3Cb%3E%26%22");
    assert_eq!(feed.status, 200);
    assert!(feed.header("content-type").unwrap().starts_with("application/rss+xml"));
    let text = feed.body;
    assert!(
        !text.contains("<script") && !text.contains("<b>") && !text.contains('\u{0}'),
        "{text}"
    );
    // Well formed: every tag that begins is one of ours and ends.
    for tag in ["rss", "channel", "title", "link", "item", "guid", "description"] {
        let begun =
            text.matches(&format!("<{tag}>")).count() + text.matches(&format!("<{tag} ")).count();
        assert_eq!(begun, text.matches(&format!("</{tag}>")).count(), "{tag}: {text}");
    }
    assert_eq!(get(server.address, "/search.rss").status, 400);
}

#[test]
fn every_result_is_an_item_with_its_title_address_text_and_date() {
    let fetched = hit("http://zoo.example/dogs", "Dogs", "A *dog* sleeps");
    let date = Timestamp::parse_rfc3339("2024-02-29T12:00:00Z");
    let address = "http://zoo.example/cats?a=1&b=2";
    let dated = rank::Hit { date, ..hit(address, "Cats & <others>", "A *cat* & more") };
    let server = Server::with_hits([vec![dated], vec![fetched; 11]].concat());
    let items = |path: &str| -> Vec<String> {
        let feed = get(server.address, path).body;
        let items: Vec<String> = feed.split("<item>").skip(1).map(str::to_owned).collect();
        let told = format!("<opensearch:itemsPerPage>{}<", items.len());
        assert!(feed.contains(&told), "{feed}");
        assert!(feed.contains("<opensearch:totalResults>12<"), "{feed}");
        items
    };
    let first = items("/search.rss?q=a");
    assert_eq!(first.len(), 10);
    for line in [
        "<title>Cats &#38; &#60;others&#62;</title>",
        "<link>http://zoo.example/cats?a=1&#38;b=2</link>",
        "<guid isPermaLink=\"true\">http://zoo.example/cats?a=1&#38;b=2</guid>",
        "<description>A cat &#38; more</description>",
        "<pubDate>29 Feb 2024 12:00:00 GMT</pubDate>",
    ] {
        assert!(first[0].lines().any(|told| told == line), "{line}: {}", first[0]);
    }
    // Without a date of its own, a page has that of its fetch.
    assert!(first[1].contains("<title>Dogs</title>"), "{}", first[1]);
    assert!(first[1].contains("<pubDate>16 Nov 2025 09:30:00 GMT</pubDate>"), "{}", first[1]);
    assert_eq!(items("/search.rss?q=a&offset=10").len(), 2);
    assert_eq!(items("/search.rss?q=a&count=3").len(), 3);
}

/// What OpenSearch 1.1 asks of a description, and what Firefox and Chromium take from it.
#[test]
fn the_description_is_valid_open_search_whatever_we_are_called() {
    let title = "A <very> long & \"odd\" name";
    let options = Options { title: title.to_owned(), ..Options::default() };
    let server = Server::start(state(|request| found(request, &[]), options));
    let told = get(server.address, "/opensearch.xml").body;
    let mut reader = Reader::from_str(&told);
    let (mut texts, mut templates) = (BTreeMap::new(), BTreeMap::new());
    let (mut name, mut root) = (String::new(), String::new());
    loop {
        let event = reader.read_event().unwrap();
        if let Event::Start(tag) | Event::Empty(tag) = &event {
            tag.name().as_ref().clone_into(&mut name);
            let attribute = |name: &str| {
                let found = tag.try_get_attribute(name).unwrap()?;
                Some(found.normalized_value(XmlVersion::Implicit1_0).unwrap().into_owned())
            };
            if root.is_empty() {
                root = attribute("xmlns").unwrap();
            }
            if name == "Url" {
                templates.insert(attribute("type").unwrap(), attribute("template").unwrap());
            }
        }
        match event {
            Event::Text(text) => {
                texts.entry(name.clone()).or_insert_with(String::new).push_str(&text);
            }
            // What stands between two elements belongs to none.
            Event::End(_) => name.clear(),
            Event::GeneralRef(_) => texts.entry(name.clone()).or_default().push('?'),
            Event::Eof => break,
            _ => {}
        }
    }
    assert_eq!(root, "http://a9.com/-/spec/opensearch/1.1/");
    let short = &texts["ShortName"];
    assert!(!short.trim().is_empty() && short.trim().chars().count() <= 16, "{short}");
    assert!(texts["Description"].trim().chars().count() <= 1_024);
    assert_eq!(texts["InputEncoding"], "UTF-8");
    for (kind, path) in [
        ("text/html", "/search?q="),
        ("application/rss+xml", "/search.rss?q="),
        ("application/json", "/api/v1/search?q="),
        ("application/x-suggestions+json", "/suggest?q="),
    ] {
        let template = &templates[kind];
        assert!(template.starts_with(&format!("http://a{path}{{searchTerms}}")), "{template}");
        // What it leads to is there.
        let filled = template.replace("{searchTerms}", "cat").replace("{startIndex?}", "0");
        let filled = filled.replace("{count?}", "5").replace("http://a", "");
        let reply = get(server.address, &filled);
        assert_eq!(reply.status, 200, "{filled}: {}", reply.body);
        assert!(reply.header("content-type").unwrap().starts_with(kind), "{filled}");
    }
}

#[test]
fn web_24_browsers_and_programs_get_suggestions() {
    let suggest = |typed: &str, most: usize| {
        let both = [format!("{typed}uar"), format!("{typed}uar \"</script>")];
        both.into_iter().take(most).collect()
    };
    let state = state(|request| found(request, &[]), Options::default());
    let server = Server::start(state.with_suggestions(Arc::new(suggest)));
    let told = get(server.address, "/api/v1/suggest?q=jag");
    let both = json!(["jaguar", "jaguar \"</script>"]);
    assert_eq!(told.json(), json!({ "query": "jag", "suggestions": both }));
    assert_eq!(told.header("cache-control"), Some("private, max-age=60"));
    let told = get(server.address, "/suggest?q=jag&count=1");
    assert_eq!(told.header("content-type"), Some("application/x-suggestions+json"));
    assert_eq!(told.json(), json!(["jag", ["jaguar"]]));
    for path in ["/api/v1/suggest", "/suggest", "/suggest?q=a&count=x", "/suggest?q=%ff"] {
        assert_eq!(get(server.address, path).status, 400, "{path}");
    }
}
