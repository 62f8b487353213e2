//! Queries of strangers over HTTP: answered or refused, never an error of ours.

use std::io::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use rank::{Note, Results};
use serde_json::json;
use serve::{Limits, Options};

use crate::client::{connect, get};
use crate::server::{Server, found, hit, state, until};

fn encode(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

#[track_caller]
fn check(server: &Server, query: &str, status: u16) {
    for path in ["/search", "/api/v1/search"] {
        let reply = get(server.address, &format!("{path}?q={}", encode(query)));
        assert_eq!(reply.status, status, "{path} {query:?}: {}", reply.body);
    }
}

#[test]
fn qry_02_and_03_and_04_queries_too_large_are_bad_requests() {
    let server = Server::with_hits(Vec::new());
    check(&server, &"a".repeat(1_024), 200);
    check(&server, &"a".repeat(1_025), 400);
    let nested = |depth| "(".repeat(depth) + "a" + &")".repeat(depth);
    check(&server, &nested(20), 200);
    check(&server, &nested(32), 200);
    check(&server, &nested(33), 400);
    check(&server, &vec!["a"; 64].join(" OR "), 200);
    check(&server, &vec!["a"; 65].join(" OR "), 400);
    // The last three are too long for the head of a request and never come as far as a handler.
    for length in [10_000, 60_000, 66_000, 80_000, 1 << 20] {
        for path in ["/search", "/api/v1/search"] {
            let huge = get(server.address, &format!("{path}?q={}", "a".repeat(length)));
            assert_eq!(huge.status, 400, "{path} {length}");
            assert!(!huge.body.is_empty(), "{path} {length}");
        }
    }
}

#[test]
fn qry_05_and_09_and_12_odd_queries_are_answered() {
    let server = Server::with_hits(vec![hit("http://a.example/", "A", "a")]);
    for query in [
        "\"",
        "(",
        "AND OR NOT",
        ":",
        "a:",
        ":a",
        "^",
        "~",
        "[* TO *]",
        "site:",
        "lang:*",
        "before:x",
        "site:127.0.0.1",
        "/(.*a){2000}/",
        "a~99",
        "NEAR",
        "\u{0}",
        "\u{202e}a",
    ] {
        check(&server, query, 200);
    }
}

#[test]
fn qry_16_bad_encoding_is_refused_and_odd_characters_are_cleaned() {
    let server = Server::with_hits(vec![hit("http://a.example/", "A", "a")]);
    for raw in ["%ff", "%C3", "%4", "%zz", "a%", "%ed%a0%80"] {
        for path in ["/search", "/api/v1/search"] {
            assert_eq!(get(server.address, &format!("{path}?q={raw}")).status, 400, "{raw}");
        }
    }
    let raw = "/api/v1/search?q=%E2%80%AEa%00b%0A%EF%BC%A3";
    assert_eq!(get(server.address, raw).json()["query"], "a b Ｃ");
}

#[test]
fn qry_17_windows_are_clamped_or_refused() {
    let server = Server::with_hits(vec![hit("http://a.example/", "A", "a"); 30]);
    for (parameters, status) in [
        ("offset=0", 200),
        ("offset=999", 200),
        ("offset=1000", 400),
        ("offset=-1", 400),
        ("offset=9223372036854775808", 400),
        ("offset=abc", 400),
        ("count=0", 200),
        ("count=100", 200),
        ("count=1000000000", 200),
    ] {
        let reply = get(server.address, &format!("/api/v1/search?q=a&{parameters}"));
        assert_eq!(reply.status, status, "{parameters}");
    }
}

/// A thousand requests and more, from a hundred visitors at once; who is refused asks again.
#[test]
fn qry_18_the_same_query_a_thousand_times_at_once_leaves_room_for_others() {
    let (running, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let search = {
        let (running, most) = (running.clone(), most.clone());
        move |request: &rank::Request<'_>| {
            let now = running.fetch_add(1, Ordering::SeqCst) + 1;
            most.fetch_max(now, Ordering::SeqCst);
            std::thread::sleep(Duration::from_millis(2));
            running.fetch_sub(1, Ordering::SeqCst);
            found(request, &[])
        }
    };
    let limits = Limits { searches: 2, waiting_searches: 8, ..Limits::default() };
    let server = Server::start(state(search, Options { limits, ..Options::default() }));
    let (answered, is_over) = (AtomicUsize::new(0), AtomicBool::new(false));
    let (begun, patience) = (Instant::now(), Duration::from_secs(20));
    std::thread::scope(|scope| {
        for _ in 0..100 {
            scope.spawn(|| {
                // It lasts until the other search is answered, or will not be any more.
                let mut asked = 0;
                while asked < 10
                    || !is_over.load(Ordering::Relaxed) && begun.elapsed() < patience * 2
                {
                    let status = get(server.address, "/api/v1/search?q=jaguar").status;
                    assert!(matches!(status, 200 | 503), "{status}");
                    answered.fetch_add(usize::from(status == 200), Ordering::Relaxed);
                    asked += 1;
                }
            });
        }
        while answered.load(Ordering::Relaxed) < 20 && begun.elapsed() < patience {
            std::thread::sleep(Duration::from_millis(1));
        }
        // Meanwhile what needs no search is answered.
        for _ in 0..5 {
            assert_eq!(get(server.address, "/healthz").status, 200);
        }
        // So is another search: whoever is told to come back later does.
        let mut status = 503;
        while status == 503 && begun.elapsed() < patience {
            status = get(server.address, "/api/v1/search?q=cat").status;
        }
        is_over.store(true, Ordering::Relaxed);
        assert_eq!(status, 200, "for {:?}", begun.elapsed());
    });
    assert!(most.load(Ordering::SeqCst) <= 2);
    assert!(answered.load(Ordering::Relaxed) > 0);
}

#[test]
fn qry_19_a_search_ends_when_its_client_has_gone() {
    let (begun, ended) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
    let search = {
        let (begun, ended) = (begun.clone(), ended.clone());
        move |request: &rank::Request<'_>| {
            begun.store(true, Ordering::SeqCst);
            let start = Instant::now();
            let is_left = request.is_left.expect("the server says who waits").clone();
            while !is_left.load(Ordering::Relaxed) && start.elapsed() < Duration::from_secs(20) {
                std::thread::sleep(Duration::from_millis(5));
            }
            ended.store(is_left.load(Ordering::Relaxed), Ordering::SeqCst);
            Ok(Results::default())
        }
    };
    let limits = Limits { search: Duration::from_secs(60), ..Limits::default() };
    let server = Server::start(state(search, Options { limits, ..Options::default() }));
    let mut client = connect(server.address);
    client.write_all(b"GET /search?q=a HTTP/1.1\r\nHost: a\r\n\r\n").unwrap();
    until("the search begins", || begun.load(Ordering::SeqCst));
    drop(client);
    until("the search ends without a client", || ended.load(Ordering::SeqCst));
}

#[test]
fn notes_are_shown_as_text() {
    let (name, text) = ("a".to_owned(), "<script>alert(1)</script>".to_owned());
    let note = Note::NoField { name, text };
    let told = note.to_string();
    let search = move |request: &rank::Request<'_>| {
        Ok(Results { notes: vec![note.clone()], ..found(request, &[])? })
    };
    let server = Server::start(state(search, Options::default()));
    let shown = get(server.address, "/search?q=a").body;
    assert!(
        shown.contains("&#60;script&#62;alert(1)") || shown.contains("&lt;script&gt;"),
        "{shown}"
    );
    assert!(!shown.contains("<script>"));
    let answer = get(server.address, "/api/v1/search?q=a").json();
    assert_eq!(answer["notes"], json!([told]));
}
