//! What programs can ask besides a search.

use std::sync::Arc;

use serde_json::json;
use serve::{Options, StoryFn};

use crate::api::check_problem;
use crate::client::{get, send};
use crate::known::Known;
use crate::server::{Server, found, hit, state};

fn server() -> Server {
    server_at(None)
}

fn server_at(url: Option<&str>) -> Server {
    let hits = [
        hit("http://other.example/", "Other", "a"),
        hit("http://zoo.example/", "The zoo", "a *zoo*"),
    ];
    let search = move |request: &rank::Request<'_>| {
        let only = request.filters.first().map(ToString::to_string);
        let is_asked = |hit: &&rank::Hit| only.is_none() || hit.site == "zoo.example";
        let hits: Vec<rank::Hit> = hits.iter().filter(is_asked).cloned().collect();
        found(request, &hits)
    };
    let story: StoryFn = Arc::new(|url| Ok(json!({ "asked": url, "secret": "of the crawl" })));
    let options = Options { url: url.map(str::to_owned), ..Options::default() };
    let state = state(search, options);
    Server::start(state.with_knowledge(Arc::new(Known)).with_story(story))
}

#[test]
fn pages_like_a_page_are_told_with_their_reasons() {
    let server = server();
    let told = get(server.address, "/api/v1/similar?url=zoo.example").json();
    assert_eq!(told["url"], "zoo.example");
    assert_eq!(told["pages"][0]["url"], "http://like.example/");
    assert_eq!(told["pages"][0]["reasons"], json!(["cited together by 2 sites"]));
    assert_eq!(told["pages"][0]["is_fetched"], false);
    let none = get(server.address, "/api/v1/similar?url=zoo.example&count=0").json();
    assert_eq!(none["pages"], json!([]));
    check_problem(&get(server.address, "/api/v1/similar?url=b.example"), 404, "not-found");
    for bad in ["", "?url=", "?url=a.example&count=x", "?url=a.example&count=2147483648"] {
        let reply = get(server.address, &format!("/api/v1/similar{bad}"));
        check_problem(&reply, 400, "parameter");
    }
    for path in ["similar", "why", "graph/page"] {
        for none in ["javascript:x", "a%20b", "%20"] {
            let reply = get(server.address, &format!("/api/v1/{path}?url={none}"));
            check_problem(&reply, 404, "not-found");
        }
    }
}

#[test]
fn links_are_told_of_pages_of_queries_and_of_the_whole() {
    let server = server();
    let page = get(server.address, "/api/v1/graph/page?url=http://zoo.example/").json();
    assert_eq!((&page["links_in"], &page["pagerank"]), (&json!(7), &json!(0.25)));
    assert_eq!((&page["site"], &page["trust"]), (&json!("zoo.example"), &json!(null)));
    check_problem(&get(server.address, "/api/v1/graph/page?url=b.example"), 404, "not-found");
    let top = get(server.address, "/api/v1/graph/pagerank?count=1000").json();
    assert_eq!(top["pages"].as_array().unwrap().len(), 100, "lists are bounded");
    let hits = get(server.address, "/api/v1/graph/hits?q=zoo").json();
    assert_eq!(hits["hubs"][0]["url"], "http://hub.example/");
    assert_eq!(hits["authorities"][0]["is_answer"], true);
    check_problem(&get(server.address, "/api/v1/graph/hits"), 400, "parameter");
    let long = format!("/api/v1/graph/hits?q={}", "a+OR+".repeat(65));
    check_problem(&get(server.address, &long), 400, "query");
    let shape = get(server.address, "/api/v1/graph/bowtie").json();
    assert_eq!(shape["parts"][0], json!({ "name": "core", "num_pages": 2, "share": 1.0 }));
}

#[test]
fn where_nothing_is_known_that_is_said() {
    let server = Server::with_hits(Vec::new());
    for path in ["graph/pagerank", "graph/bowtie", "graph/hits?q=a", "graph/page?url=a.example"] {
        check_problem(&get(server.address, &format!("/api/v1/{path}")), 404, "not-found");
    }
    let told = get(server.address, "/api/v1/why?url=zoo.example&q=a").json();
    assert_eq!((&told["is_searchable"], &told["answer"]), (&json!(false), &json!(null)));
    assert_eq!(get(server.address, "/api/v1/suggest?q=a").json()["suggestions"], json!([]));
}

#[test]
fn why_a_page_answers_is_told_to_all_and_the_story_of_the_crawl_only_here() {
    let (server, public) = (server(), server_at(Some("https://find.example")));
    let path = "/api/v1/why?url=zoo.example&q=zoo";
    let ask_of = |server: &Server, fields: &str| {
        let head = format!("GET {path} HTTP/1.1\r\n{fields}\r\nConnection: close\r\n\r\n");
        send(server.address, &head).json()
    };
    let ask = |fields: &str| ask_of(&server, fields);
    let told = ask("Host: 127.0.0.1");
    assert_eq!(told["url"], "http://zoo.example/");
    assert_eq!((&told["is_searchable"], &told["title"]), (&json!(true), &json!("The <zoo>")));
    assert_eq!(told["fetched"], "2025-11-16T09:30:00Z");
    let answer = &told["answer"];
    assert_eq!((&answer["is_match"], &answer["place"]), (&json!(true), &json!(2)));
    assert_eq!(answer["explanation"][0]["name"], "text");
    assert_eq!(told["story"]["secret"], "of the crawl");
    // A proxy asks for a stranger; a stranger's name was made to point here.
    for fields in ["Host: localhost\r\nX-Forwarded-For: 203.0.113.7", "Host: evil.example"] {
        let told = ask(fields);
        assert_eq!(told["answer"]["place"], 2);
        assert!(told.get("story").is_none() && told.get("no_story").is_none(), "{told}");
    }
    // Strangers come through a proxy that may not say so.
    let told = ask_of(&public, "Host: 127.0.0.1");
    assert!(told["answer"]["place"] == 2 && told.get("story").is_none(), "{told}");
    let other = get(server.address, "/api/v1/why?url=http://b.example/").json();
    assert_eq!((&other["is_searchable"], &other["copy"]), (&json!(false), &json!(null)));
    // Known, but without a word of its own.
    let silent = get(server.address, "/api/v1/why?url=http://silent.example/").json();
    assert_eq!((&silent["is_searchable"], &silent["title"]), (&json!(false), &json!("The <zoo>")));
}

#[test]
fn filters_reach_the_search_beside_the_query() {
    let search = |request: &rank::Request<'_>| {
        let filters: Vec<String> = request.filters.iter().map(ToString::to_string).collect();
        assert_eq!(filters, ["lang:da", "site:a.example", "filetype:pdf", "after:2024"]);
        assert_eq!(request.query, "big (cat");
        found(request, &[])
    };
    let server = Server::start(state(search, Options::default()));
    let filters = "lang=da&site=a.example&type=pdf&after=2024&before=&country=";
    for path in ["/api/v1/search", "/search", "/search.rss"] {
        let reply = get(server.address, &format!("{path}?q=big+(cat&{filters}"));
        assert_eq!(reply.status, 200, "{path}: {}", reply.body);
    }
}

#[test]
fn the_page_about_the_interface_is_made_of_its_description() {
    let server = server();
    let document = get(server.address, "/api/openapi.json");
    assert_eq!(document.header("content-type"), Some("application/json"));
    let document = document.json();
    let page = get(server.address, "/api");
    assert!(page.header("content-type").unwrap().starts_with("text/html"));
    for path in document["paths"].as_object().unwrap().keys() {
        assert!(page.body.contains(&format!("<code>GET {path}</code>")), "{path}");
    }
    for name in document["components"]["schemas"].as_object().unwrap().keys() {
        assert!(page.body.contains(&format!("<h3 id=\"{name}\">")), "{name}");
    }
    assert!(page.body.contains("id=\"problem-too-many-requests\""));
    assert!(!page.body.contains("<script"), "complete without");
    // Its own examples are answered.
    for example in page.body.split("Try <a href=\"").skip(1) {
        let example = example.split('"').next().unwrap();
        let example = example.replace("&#38;", "&").replace("&amp;", "&");
        let status = get(server.address, &example).status;
        assert!(matches!(status, 200 | 404), "{example}: {status}");
    }
}
