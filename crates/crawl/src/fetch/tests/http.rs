//! Bodies and heads that do not keep to HTTP/1.1 (HTTP-01 … HTTP-29).

use base::Timestamp;
use testweb::{Answer, Pace};

use super::*;

const URL: &str = "http://a.lookfar/";

fn raw(raw: Raw) -> Script {
    Script::new("a.lookfar").raw("/", raw).page("/x", "fine")
}

/// Fetches a raw response and then a good page of the same host; returns both, and on how many
/// connections.
async fn and_then(first: Raw) -> (Result<Fetched, Failure>, usize) {
    let visitor = Visitor::of([raw(first)]);
    let found = visitor.get(URL).await;
    assert_body(&visitor.good("http://a.lookfar/x").await, "fine", None);
    (found, visitor.connections("a.lookfar"))
}

/// Asserts that responses are refused as breaking the protocol.
async fn refused(responses: &[&str]) {
    for response in responses {
        let visitor = Visitor::of([raw(Raw::new(*response).then(End::Close))]);
        let failure = visitor.bad(URL).await;
        assert_eq!(failure, Failure::Protocol, "{response:?}");
    }
}

#[tokio::test]
async fn a_connection_is_kept_for_the_next_request() {
    let (found, connections) = and_then(said("Content-Length: 5\r\n", "hello")).await;
    assert_body(&found.unwrap(), "hello", None);
    assert_eq!(connections, 1);
}

#[tokio::test]
async fn heads_are_kept_as_they_went_over_the_wire() {
    let head = "HTTP/1.1 200  odd Reason\r\nx-CASE: a\r\nX-case:b  \r\nContent-Length: 2\r\n\r\n";
    let visitor = Visitor::of([raw(Raw::new(format!("{head}ok")))]);
    let fetched = visitor.good(URL).await;
    assert_eq!(String::from_utf8(fetched.head).unwrap(), head);
    let request = String::from_utf8(fetched.request).unwrap();
    assert_eq!(
        request.split("\r\n").filter_map(|line| line.split(':').next()).collect::<Vec<_>>(),
        ["GET / HTTP/1.1", "Host", "User-Agent", "Accept", "Accept-Encoding", "", ""]
    );
}

#[tokio::test]
async fn http_01_bytes_behind_the_body_are_not_read_into_the_next_response() {
    let (found, connections) =
        and_then(said("Content-Length: 5\r\n", "helloHTTP/1.1 200 OK\r\n\r\nevil")).await;
    assert_body(&found.unwrap(), "hello", None);
    assert_eq!(connections, 2);
}

#[tokio::test]
async fn http_02_a_body_shorter_than_its_length_is_marked_as_cut() {
    let (found, connections) =
        and_then(said("Content-Length: 10\r\n", "hello").then(End::Close)).await;
    assert_body(&found.unwrap(), "hello", Some(Cut::Disconnect));
    assert_eq!(connections, 2);
}

#[tokio::test]
async fn http_03_lengths_that_are_none_are_refused() {
    let with = |length: &str| format!("HTTP/1.1 200 OK\r\nContent-Length: {length}\r\n\r\nhello");
    let twice = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello!";
    let bad = ["-1", "1e9", "99999999999999999999", "+5", "5, 6", "0x5"].map(with);
    refused(&bad.each_ref().map(String::as_str)).await;
    refused(&[twice]).await;
}

#[tokio::test]
async fn http_04_an_announced_length_reserves_nothing_and_is_read_up_to_the_limit() {
    let huge = said("Content-Length: 10737418240\r\n", "").followed_by([b'x'; 4096], 1 << 40);
    let visitor = Visitor::of([raw(huge)]);
    let fetched = visitor.good(URL).await;
    assert_eq!((fetched.body.len(), fetched.cut), (100_000, Some(Cut::Length)));
    assert!(fetched.body.capacity() <= 300_000, "{}", fetched.body.capacity());
}

#[tokio::test]
async fn http_05_length_and_chunks_together_are_read_one_way_and_not_trusted_again() {
    for fields in [
        "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n",
        "Transfer-Encoding: chunked\r\nContent-Length: 3\r\n",
    ] {
        let (found, connections) = and_then(said(fields, "5\r\nhello\r\n0\r\n\r\n")).await;
        match found {
            Ok(fetched) => assert_body(&fetched, "hello", None),
            Err(failure) => assert_eq!(failure, Failure::Protocol),
        }
        assert_eq!(connections, 2, "{fields:?}");
    }
}

#[tokio::test]
async fn http_06_an_endless_chunked_body_is_cut_at_the_limit() {
    let chunk = format!("1000\r\n{}\r\n", "x".repeat(0x1000));
    let endless = said("Transfer-Encoding: chunked\r\n", "").followed_by(chunk, 1 << 40);
    let visitor = Visitor::of([raw(endless)]);
    let fetched = visitor.good(URL).await;
    assert_eq!((fetched.body.len(), fetched.cut), (100_000, Some(Cut::Length)));
}

#[tokio::test]
async fn http_07_chunk_sizes_that_are_none_cut_the_body() {
    for chunk in
        ["FFFFFFFFFFFFFFFF\r\nx", "10000000000000000\r\nx", "-1\r\nx", "zz\r\nx", "5helloCR"]
    {
        let start = format!("5\r\nhello\r\n{chunk}");
        let broken = said("Transfer-Encoding: chunked\r\n", &start).then(End::Close);
        let visitor = Visitor::of([raw(broken)]);
        let fetched = visitor.good(URL).await;
        assert!(fetched.body.starts_with(b"hello") && fetched.body.len() <= 6, "{chunk:?}");
        assert_eq!(fetched.cut, Some(Cut::Disconnect), "{chunk:?}");
    }
}

#[tokio::test]
async fn http_08_tiny_chunks_and_long_extensions_are_bounded() {
    let tiny =
        said("Transfer-Encoding: chunked\r\n", "").followed_by("1\r\nx\r\n".repeat(1000), 1 << 40);
    let extension = format!("1;{}\r\nx\r\n", "y".repeat(100_000));
    let extended = said("Transfer-Encoding: chunked\r\n", "").followed_by(extension, 1 << 40);
    let trailers = "x-y: z\r\n".repeat(1000);
    let trailed =
        said("Transfer-Encoding: chunked\r\n", "1\r\nx\r\n0\r\n").followed_by(trailers, 1 << 40);
    for (name, endless) in [("tiny", tiny), ("extended", extended), ("trailed", trailed)] {
        let visitor = Visitor::of([raw(endless)]);
        let fetched = visitor.good(URL).await;
        assert!(fetched.cut.is_some(), "{name}");
        assert!(fetched.body.len() <= 100_000, "{name}");
    }
}

#[tokio::test]
async fn http_09_heads_beyond_the_limits_are_refused() {
    let head = |fields: &str| format!("HTTP/1.1 200 OK\r\n{fields}Content-Length: 0\r\n\r\n");
    let many: String = (0..100_000).map(|n| format!("X-{n}: y\r\n")).collect();
    let some: String = (0..101).map(|n| format!("X-{n}: y\r\n")).collect();
    let long = format!("X: {}\r\n", "x".repeat(10 * 1024 * 1024));
    let just = format!("X: {}\r\n", "x".repeat(70_000));
    refused(&[&head(&many), &head(&some), &head(&long), &head(&just)]).await;
}

#[tokio::test]
async fn http_09_lines_that_are_no_fields_are_passed_over() {
    let odd =
        "no colon\r\n: no name\r\nSpaced : a\r\nX: one\r\n folded: b\r\nÜ: c\r\nBell: a\x07b\r\n";
    let response = format!("HTTP/1.1 200 OK\r\n{odd}Content-Length: 5\r\n\r\nhello");
    let visitor = Visitor::of([raw(Raw::new(response))]);
    let fetched = visitor.good(URL).await;
    assert_body(&fetched, "hello", None);
    assert_eq!(fetched.headers["x"], "one");
    assert_eq!(fetched.headers["spaced"], "a");
    assert!(!fetched.headers.contains_key("bell"));
    refused(&["HTTP/1.1 200 OK\r\nNul: a\0b\r\nContent-Length: 0\r\n\r\n"]).await;
}

#[tokio::test]
async fn http_10_status_lines_that_are_none_are_refused() {
    refused(&[
        "<html>hello</html>",
        "HTTP/1.1 000 OK\r\n\r\n",
        "HTTP/1.1 99 OK\r\n\r\n",
        "HTTP/1.1 1000 OK\r\n\r\n",
        "HTTP/1.1 OK\r\n\r\n",
        "HTTP/3.0 200 OK\r\n\r\n",
        "ICY 200 OK\r\n\r\n",
    ])
    .await;
}

#[tokio::test]
async fn http_11_bodies_where_none_may_be_are_ignored() {
    let empty = Raw::new("HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\nhello");
    let (found, connections) = and_then(empty.then(End::KeepAlive)).await;
    assert_body(&found.unwrap(), "", None);
    assert_eq!(connections, 2);
}

#[tokio::test]
async fn http_11_not_modified_is_no_answer_to_a_plain_request() {
    let head = "HTTP/1.1 304 Not Modified\r\nETag: \"a\"\r\n\r\n";
    let mut visitor = Visitor::of([raw(Raw::new(format!("{head}hello")))]);
    assert_eq!(visitor.bad(URL).await, Failure::Protocol);
    let tag = HeaderValue::from_static("\"a\"");
    visitor.conditions = vec![(hyper::header::IF_NONE_MATCH, tag)];
    let fetched = visitor.good(URL).await;
    assert_eq!(fetched.status, 304);
    assert_body(&fetched, "", None);
    let request = String::from_utf8(fetched.request).unwrap();
    assert!(request.contains("\r\nIf-None-Match: \"a\"\r\n"), "{request}");
}

#[tokio::test]
async fn interim_responses_are_passed_over_but_not_without_end() {
    let hints = "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n";
    let patient = Raw::new(format!("{hints}{hints}HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"));
    let visitor = Visitor::of([raw(patient)]);
    let fetched = visitor.good(URL).await;
    assert_body(&fetched, "ok", None);
    assert!(fetched.head.starts_with(b"HTTP/1.1 200 OK\r\n"));
    let endless = Raw::default().followed_by(hints.repeat(100), 1 << 40);
    let visitor = Visitor::with([raw(endless)], |options| options.head = Duration::from_secs(60));
    assert_eq!(visitor.bad(URL).await, Failure::Protocol);
}

#[tokio::test]
async fn http_15_http_16_retry_after_is_seconds_or_a_date_or_nothing() {
    let now = Timestamp::from(std::time::UNIX_EPOCH + Duration::from_secs(784_111_777));
    let cases = [
        ("120", Some(120)),
        ("Sun, 06 Nov 1994 08:50:37 GMT", Some(60)),
        ("Sun, 06 Nov 1994 08:00:00 GMT", Some(0)),
        ("1000000000000", Some(1_000_000_000_000)),
        ("99999999999999999999999", None),
        ("-1", None),
        ("soon", None),
    ];
    for (value, expected) in cases {
        let busy = Answer::status(503, "text/plain", "").with_header("Retry-After", value);
        let visitor = Visitor::of([Script::new("a.lookfar").answer("/", busy)]);
        let found = visitor.good(URL).await.retry_after(now);
        assert_eq!(found.map(|wait| wait.as_secs()), expected, "{value}");
    }
}

#[tokio::test]
async fn http_20_no_cookie_is_ever_sent_back() {
    let mut answer = Answer::html("hello");
    for n in 0..50 {
        answer = answer.with_header("Set-Cookie", &format!("c{n}=v; Domain=.lookfar"));
    }
    let visitor = Visitor::of([Script::new("a.lookfar").otherwise(answer)]);
    for _ in 0..3 {
        let request = String::from_utf8(visitor.good(URL).await.request).unwrap();
        assert!(!request.to_ascii_lowercase().contains("cookie"), "{request}");
    }
}

#[tokio::test]
async fn http_21_no_credential_is_ever_sent() {
    let challenge = Answer::status(401, "text/plain", "who?");
    let challenge = challenge.with_header("WWW-Authenticate", "Basic realm=\"x\"");
    let visitor = Visitor::of([Script::new("a.lookfar").otherwise(challenge)]);
    let fetched = visitor.good("http://user:pass@a.lookfar/").await;
    assert_eq!(fetched.status, 401);
    let request = String::from_utf8(fetched.request).unwrap();
    assert!(!request.contains("user") && !request.contains("pass"), "{request}");
    assert!(!request.to_ascii_lowercase().contains("authorization"), "{request}");
    assert_eq!(visitor.web.log().count("a.lookfar"), 1);
}

#[tokio::test]
async fn http_29_a_response_before_its_request_is_not_taken_for_an_answer() {
    let first = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";
    let early = format!("{first}HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil");
    let pace = Pace::pieces(first.len(), Duration::from_millis(50));
    let visitor = Visitor::of([raw(Raw::new(early).paced(pace).then(End::KeepAlive))]);
    assert_body(&visitor.good(URL).await, "hello", None);
    // All of it was sent, and on loopback what was sent is there.
    assert!(visitor.web.log().wait_until_idle(Duration::from_secs(60)));
    assert_body(&visitor.good("http://a.lookfar/x").await, "fine", None);
    assert_eq!(visitor.connections("a.lookfar"), 2);
}

#[test]
fn http_29_bytes_that_the_runtime_has_not_noticed_yet_are_found_too() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let client = std::net::TcpStream::connect(listener.local_addr().unwrap()).unwrap();
    let (mut server, _) = listener.accept().unwrap();
    client.set_nonblocking(true).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let _guard = runtime.enter();
    let client = tokio::net::TcpStream::from_std(client).unwrap();
    assert!(super::super::wire::is_quiet(&client));
    std::io::Write::write_all(&mut server, b"x").unwrap();
    assert!(!super::super::wire::is_quiet(&client));
}

#[tokio::test]
async fn a_kept_connection_that_the_server_closed_is_replaced_once() {
    let silent = Raw::default().then(End::Close);
    let script = Script::new("a.lookfar").page("/", "first");
    let visitor = Visitor::of([script.raw("/x", silent.clone()).page("/x", "again")]);
    visitor.good(URL).await;
    assert_body(&visitor.good("http://a.lookfar/x").await, "again", None);
    assert_eq!(visitor.web.log().paths("a.lookfar"), ["/", "/x", "/x"]);
    // A new connection that is closed without an answer is an answer of its kind.
    let visitor = Visitor::of([Script::new("a.lookfar").raw("/", silent)]);
    assert_eq!(visitor.bad(URL).await, Failure::Closed);
    assert_eq!(visitor.web.log().count("a.lookfar"), 1);
}

#[tokio::test]
async fn a_connection_is_not_kept_for_longer_than_said() {
    let script = Script::new("a.lookfar").otherwise(Answer::html("hello"));
    let visitor = Visitor::with([script], |options| options.keep_alive = Duration::ZERO);
    visitor.good(URL).await;
    visitor.good(URL).await;
    assert_eq!(visitor.connections("a.lookfar"), 2);
}

#[tokio::test]
async fn every_plain_port_is_dialled_at_the_made_up_web() {
    let visitor = Visitor::of([Script::new("a.lookfar").page("/", "hello")]);
    for port in [8000, 8080] {
        let fetched = visitor.good(&format!("http://a.lookfar:{port}/")).await;
        let host = format!("\r\nHost: a.lookfar:{port}\r\n");
        assert!(String::from_utf8(fetched.request).unwrap().contains(&host));
    }
    // Other origins, other connections.
    assert_eq!(visitor.connections("a.lookfar"), 2);
}
