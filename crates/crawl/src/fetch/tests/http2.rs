//! HTTP/2: the same answers, the same limits, and frames that no server should send.

use testweb::{Answer, END_HEADERS, END_STREAM, Frame, Frames, Pace, Tls, header_block};

use super::*;
use crate::guard::resident_bytes;

const URL: &str = "https://a.lookfar/";

fn framed(frames: Frames) -> Script {
    Script::new("a.lookfar").frames("/", frames)
}

fn ok_head() -> Frame {
    Frame::headers(END_HEADERS, header_block(200, &[("content-type", "text/html")]))
}

#[tokio::test]
async fn heads_are_written_as_http_1_1_would_have_them() {
    let answer = Answer::html("hello").with_header("X-Odd", "a").with_header("X-Odd", "b");
    let visitor = Visitor::of([Script::new("a.lookfar").answer("/x?y", answer)]);
    let fetched = visitor.good("https://a.lookfar:8443/x?y").await;
    assert_body(&fetched, "hello", None);
    let request = String::from_utf8(fetched.request).unwrap();
    assert!(request.starts_with("GET /x?y HTTP/1.1\r\nHost: a.lookfar:8443\r\n"), "{request}");
    assert!(request.contains("user-agent: lookfar/") && request.ends_with("\r\n\r\n"));
    let head = String::from_utf8(fetched.head).unwrap();
    assert!(head.starts_with("HTTP/1.1 200 OK\r\n") && head.ends_with("\r\n\r\n"), "{head}");
    assert!(head.contains("content-length: 5\r\n"), "{head}");
    assert!(head.contains("x-odd: a\r\nx-odd: b\r\n"), "{head}");
    assert_eq!(fetched.headers.get_all("x-odd").iter().count(), 2);
}

#[tokio::test]
async fn one_connection_serves_many_requests() {
    let visitor = Visitor::of([Script::new("a.lookfar").otherwise(Answer::html("hello"))]);
    for n in 0..5 {
        assert_body(&visitor.good(&format!("{URL}{n}")).await, "hello", None);
    }
    assert_eq!(visitor.connections("a.lookfar"), 1);
}

#[tokio::test]
async fn bodies_larger_than_the_window_arrive_and_are_cut_at_the_limit() {
    let body = "0123456789".repeat(60_000);
    let raw = Answer::ok("application/octet-stream", body.clone());
    let mut visitor = Visitor::of([Script::new("a.lookfar").otherwise(raw)]);
    visitor.body_bytes = 1_000_000;
    assert_body(&visitor.good(URL).await, &body, None);
    visitor.body_bytes = 300_000;
    assert_body(&visitor.good(URL).await, &body[..300_000], Some(Cut::Length));
    visitor.body_bytes = 600_000;
    assert_body(&visitor.good(URL).await, &body, None);
    assert_eq!(visitor.connections("a.lookfar"), 2, "a cut body ends its connection");
}

#[tokio::test]
async fn a_body_that_falls_silent_is_cut() {
    let frames = Frames::new([ok_head(), Frame::data(0, "some")], End::Hang);
    let visitor = Visitor::of([framed(frames)]);
    assert_body(&visitor.good(URL).await, "some", Some(Cut::Time));
}

#[tokio::test]
async fn http_02_a_body_shorter_than_its_length_is_marked_as_cut() {
    let head = header_block(200, &[("content-length", "100")]);
    let frames = [Frame::headers(END_HEADERS, head), Frame::data(0, "some"), Frame::reset(2)];
    let slow = Pace::pieces(0, Duration::ZERO);
    let visitor = Visitor::of([framed(Frames::new(frames, End::Hang).paced(slow))]);
    let fetched = visitor.good(URL).await;
    assert_eq!(fetched.cut, Some(Cut::Disconnect));
}

#[tokio::test]
async fn http_25_a_header_block_beyond_the_limit_is_an_error() {
    let long = "x".repeat(16_000);
    let piece = header_block(200, &[("x-long", &long)]);
    // A block of a mebibyte, in as many frames as it takes.
    let mut frames = vec![Frame::headers(0, piece.clone())];
    frames.extend((0..64).map(|_| Frame::continuation(0, piece[1..].to_vec())));
    frames.push(Frame::continuation(END_HEADERS, piece[1..].to_vec()));
    let visitor = Visitor::of([framed(Frames::new(frames, End::Hang))]);
    assert_eq!(visitor.bad(URL).await, Failure::Protocol);
}

#[tokio::test]
async fn http_25_continuation_frames_without_end_are_an_error() {
    let first = [Frame::headers(0, header_block(200, &[]))];
    let endless = Frames::new(first, End::Hang).followed_by([Frame::continuation(0, "")], 1 << 40);
    let visitor = Visitor::of([framed(endless)]);
    assert_eq!(visitor.bad(URL).await, Failure::Protocol);
}

#[tokio::test]
async fn http_25_too_many_fields_are_an_error() {
    let names: Vec<String> = (0..101).map(|n| format!("x-{n}")).collect();
    let fields: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "y")).collect();
    let head = Frame::headers(END_HEADERS | END_STREAM, header_block(200, &fields));
    let visitor = Visitor::of([framed(Frames::new([head], End::Hang))]);
    assert_eq!(visitor.bad(URL).await, Failure::Protocol);
}

#[tokio::test]
async fn http_26_floods_of_frames_end_the_connection() {
    let floods = [
        ("ping", vec![Frame::ping()]),
        ("settings", vec![Frame::setting(3, 100)]),
        (
            "reset",
            vec![Frame::headers(END_HEADERS, header_block(200, &[])).on(2), Frame::reset(8).on(2)],
        ),
        ("interim", vec![Frame::headers(END_HEADERS, header_block(103, &[]))]),
    ];
    for (name, flood) in floods {
        let frames = Frames::new([], End::Hang).followed_by(flood, 1 << 40);
        let site = framed(frames);
        let visitor = Visitor::with([site], |options| options.head = Duration::from_secs(60));
        let before = resident_bytes().unwrap();
        assert_eq!(visitor.bad(URL).await, Failure::Protocol, "{name}");
        assert_flat(before, name);
    }
}

/// Asserts that the process has not grown by more than other tests in it may take: a flood that is
/// kept grows by gigabytes.
#[track_caller]
fn assert_flat(before: u64, what: &str) {
    let grown = resident_bytes().unwrap().saturating_sub(before);
    assert!(grown < 512 << 20, "{what}: {grown} bytes more are held");
}

#[tokio::test]
async fn http_26_empty_data_frames_do_not_keep_a_body_open() {
    let frames = Frames::new([ok_head(), Frame::data(0, "some")], End::Hang);
    let frames = frames.followed_by([Frame::data(0, "")], 1 << 40);
    let visitor = Visitor::with([framed(frames)], |options| {
        (options.silence, options.total) = (Duration::from_secs(60), Duration::from_secs(60));
    });
    let before = resident_bytes().unwrap();
    let fetched = visitor.good(URL).await;
    assert_eq!(fetched.body, b"some");
    assert!(fetched.cut.is_some());
    assert_flat(before, "empty data frames");
}

#[tokio::test]
async fn http_27_streams_that_may_not_be_opened_end_at_the_limit_and_on_a_new_connection() {
    let last = Frame::headers(END_HEADERS | END_STREAM, header_block(204, &[]));
    let none = Frames::new([Frame::setting(3, 0), last], End::Hang);
    let visitor = Visitor::of([framed(none).page("/x", "hello")]);
    assert_eq!(visitor.good(URL).await.status, 204);
    let first = visitor.get("https://a.lookfar/x").await;
    assert_eq!(first.err(), Some(Failure::HeadTimeout));
    assert_body(&visitor.good("https://a.lookfar/x").await, "hello", None);
    assert_eq!(visitor.connections("a.lookfar"), 2);
}

#[tokio::test]
async fn http_27_a_server_that_takes_its_leave_is_asked_again_elsewhere() {
    for refusal in [Frame::go_away(1, 0), Frame::reset(7)] {
        let refused = Frames::new([refusal], End::Close);
        let script = Script::new("a.lookfar").page("/", "first");
        let visitor = Visitor::of([script.frames("/x", refused).page("/x", "hello")]);
        visitor.good(URL).await;
        assert_body(&visitor.good("https://a.lookfar/x").await, "hello", None);
        assert_eq!(visitor.connections("a.lookfar"), 2);
    }
}

#[tokio::test]
async fn http_27_a_server_that_always_takes_its_leave_is_not_asked_without_end() {
    let visitor = Visitor::of([framed(Frames::new([Frame::go_away(0, 0)], End::Close))]);
    assert_eq!(visitor.bad(URL).await, Failure::Closed);
    assert_eq!(visitor.web.log().count("a.lookfar"), 1);
}

#[tokio::test]
async fn http_28_pushed_resources_are_refused() {
    let promised =
        [0x82, 0x84, 0x87, 0x41, 9, b'a', b'.', b'l', b'o', b'o', b'k', b'f', b'a', b'r'];
    let frames = [Frame::promise(2, &promised), ok_head(), Frame::data(END_STREAM, "hello")];
    let visitor = Visitor::of([framed(Frames::new(frames, End::Hang))]);
    assert_eq!(visitor.bad(URL).await, Failure::Protocol);
}

#[tokio::test]
async fn a_server_that_asks_for_http_1_1_gets_it() {
    let required = Frames::new([Frame::reset(13)], End::Hang);
    let visitor = Visitor::of([framed(required).page("/", "hello")]);
    let fetched = visitor.good(URL).await;
    assert_body(&fetched, "hello", None);
    assert!(fetched.request.starts_with(b"GET / HTTP/1.1\r\nHost: a.lookfar\r\nUser-Agent:"));
    let stubborn = Script::new("a.lookfar")
        .frames("/", Frames::new([Frame::reset(13)], End::Hang))
        .tls(Tls::speaking(&["h2"]));
    let visitor = Visitor::of([stubborn]);
    assert!(visitor.get(URL).await.is_err());
}
