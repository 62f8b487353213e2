//! The interface for programs.

use serde_json::json;

use crate::client::{Reply, get, send};
use crate::server::{Server, hit};

#[track_caller]
pub(crate) fn check_problem(reply: &Reply, status: u16, code: &str) {
    assert_eq!(reply.status, status, "{}", reply.body);
    assert_eq!(reply.header("content-type"), Some("application/problem+json"));
    let problem = reply.json();
    assert_eq!((&problem["status"], &problem["code"]), (&json!(status), &json!(code)));
    assert_eq!(problem["type"], format!("/api#problem-{code}"));
    assert!(problem["title"].is_string() && problem["detail"].is_string());
}

#[test]
fn web_24_a_search_returns_everything_known_about_its_hits() {
    let server =
        Server::with_hits(vec![hit("http://zoo.example/jaguar", "The <jaguar>", "A *jaguar* & I")]);
    let reply = get(server.address, "/api/v1/search?q=jaguar+-car");
    assert_eq!(reply.status, 200);
    assert_eq!(reply.header("content-type"), Some("application/json"));
    let segment = |text: &str, is_marked: bool| json!({ "text": text, "is_marked": is_marked });
    assert_eq!(
        reply.json(),
        json!({
            "query": "jaguar -car",
            "understood": "jaguar NOT car",
            "notes": [],
            "total": 1,
            "total_is_exact": true,
            "is_partial": false,
            "took_ms": 3.4,
            "offset": 0,
            "count": 10,
            "hits": [{
                "url": "http://zoo.example/jaguar",
                "title": "The <jaguar>",
                "snippet": "A jaguar & I",
                "snippet_segments":
                    [segment("A ", false), segment("jaguar", true), segment(" & I", false)],
                "score": 1.5,
                "fetched": "2025-11-16T09:30:00Z",
                "language": "en",
                "parts": [{ "name": "text", "value": 1.5 }],
                "date": null,
                "copy": null,
                "similar": 0,
                "more_from_site": 0,
                "described_by": null,
            }],
        })
    );
}

#[test]
fn windows_are_cut_to_what_is_allowed() {
    let server = Server::with_hits(vec![hit("http://a.example/", "A", "a"); 995]);
    let check = |parameters: &str, offset: usize, count: usize, num_hits: usize| {
        let reply = get(server.address, &format!("/api/v1/search?q=a&{parameters}"));
        assert_eq!(reply.status, 200, "{parameters}: {}", reply.body);
        let found = reply.json();
        assert_eq!((&found["offset"], &found["count"]), (&json!(offset), &json!(count)));
        assert_eq!(found["hits"].as_array().unwrap().len(), num_hits, "{parameters}");
        assert_eq!(found["total"], 995);
    };
    check("offset=0", 0, 10, 10);
    check("offset=990&count=100", 990, 10, 5);
    check("offset=999", 999, 1, 0);
    check("count=0", 0, 0, 0);
    check("count=1000000000", 0, 100, 100);
}

#[test]
fn web_19_bad_questions_are_problems() {
    let server = Server::with_hits(Vec::new());
    let check = |parameters: &str, code: &str| {
        let reply = get(server.address, &format!("/api/v1/search{parameters}"));
        check_problem(&reply, 400, code);
    };
    check("", "parameter");
    check("?query=a", "parameter");
    check("?q=a&q=b", "parameter");
    check("?q=a&offset=-1", "parameter");
    check("?q=a&offset=9223372036854775808", "parameter");
    check("?q=a&offset=2147483647", "offset");
    check("?q=a&offset=abc", "parameter");
    check("?q=a&offset=1000", "offset");
    check("?q=a&count=-1", "parameter");
    check("?q=%ff%fe", "encoding");
    check("?q=a&lang=klingon", "parameter");
    check("?q=a&after=soon", "parameter");
    check("?q=a&time=century", "parameter");
    check("?q=a&time=week&time=day", "parameter");
    check("?q=a&explain=yes", "parameter");
    check(&format!("?q={}", "a".repeat(1_025)), "query-too-long");
    check(&format!("?q={}", "(".repeat(33) + "a"), "query");
    check(&format!("?q={}a", "a+OR+".repeat(65)), "query");
}

/// What pages have besides is not known to programs, and what is not known is ignored.
#[test]
fn parameters_of_pages_are_ignored() {
    let server = Server::with_hits(vec![hit("http://a.example/", "A", "*a*")]);
    for more in ["why=x", "ui=da&ui=de", "ui=%ff", "nothing=1&nothing=2"] {
        for path in ["/api/v1/search", "/search.rss"] {
            let reply = get(server.address, &format!("{path}?q=a&{more}"));
            assert_eq!(reply.status, 200, "{path} {more}: {}", reply.body);
        }
    }
    // The page that a feed leads to is in the language of the page that led to the feed.
    let feed = get(server.address, "/search.rss?q=a&ui=da").body;
    assert!(feed.contains("/search?q=a&#38;ui=da</link>"), "{feed}");
}

#[test]
fn what_is_not_there_or_not_allowed_is_a_problem() {
    let server = Server::with_hits(Vec::new());
    check_problem(&get(server.address, "/api/v1/nothing"), 404, "not-found");
    check_problem(&get(server.address, "/api/"), 404, "not-found");
    for method in ["POST", "PUT", "DELETE", "TRACE", "OPTIONS", "GARBAGE"] {
        let request = format!("{method} /api/v1/search?q=a HTTP/1.1\r\nHost: a\r\n\r\n");
        let reply = send(server.address, &request);
        check_problem(&reply, 405, "method-not-allowed");
        assert_eq!(reply.header("allow"), Some("GET,HEAD"), "{method}");
    }
}

#[test]
fn status_and_health_are_told() {
    let server = Server::with_hits(Vec::new());
    assert_eq!(
        get(server.address, "/api/v1/status").json(),
        json!({
            "pages": 1310, "pages_per_second": 12.3, "queue": 400, "hosts": 60,
            "indexed": 1204, "generation": 2, "is_crawling": true,
        })
    );
    let health = get(server.address, "/healthz");
    assert_eq!((health.status, health.body.as_str()), (200, "ok\n"));
    assert!(get(server.address, "/robots.txt").body.contains("Disallow: /search"));
}
