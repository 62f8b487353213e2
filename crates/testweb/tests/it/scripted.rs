//! Scripted hosts: exact bytes, exact pace, and every way to end a connection.

use std::time::{Duration, Instant};

use testweb::{Answer, End, Pace, Raw, Running, Script, Web};

use crate::client::{Client, get};

fn web(script: Script) -> Running {
    Web::new().site(script).start().unwrap()
}

fn ask(web: &Running, target: &str) -> Client {
    let mut client = Client::connect(web.socket_of("odd.lookfar").unwrap());
    client.send(&format!("GET {target} HTTP/1.1\r\nHost: odd.lookfar\r\n\r\n"));
    client
}

#[test]
fn raw_bytes_arrive_unchanged_and_the_connection_closes() {
    let nonsense: Vec<u8> = (0..=255).collect();
    let web = web(Script::new("odd.lookfar").raw("/x?y", Raw::new(nonsense.clone())));
    assert_eq!(ask(&web, "/x?y").rest().unwrap(), nonsense);
    assert_eq!(web.log().requests("odd.lookfar")[0].status, 0, "nobody knows what it meant");
    assert_eq!(get(&web, "odd.lookfar", "/x").status, 404, "the query belongs to the path");
}

#[test]
fn bytes_can_be_repeated_without_being_held() {
    let endless = Raw::new("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
    let web = web(Script::new("odd.lookfar").raw("/", endless.followed_by("1\r\nx\r\n", 1_000)));
    let bytes = ask(&web, "/").rest().unwrap();
    assert!(bytes.ends_with(b"1\r\nx\r\n1\r\nx\r\n"));
    assert_eq!(bytes.iter().filter(|&&byte| byte == b'x').count(), 1_000);
}

#[test]
fn a_reset_is_seen_as_one() {
    let cut = Raw::new("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf").then(End::Reset);
    let web = web(Script::new("odd.lookfar").raw("/", cut));
    let error = ask(&web, "/").rest().expect_err("a reset is an error");
    assert_eq!(error.kind(), std::io::ErrorKind::ConnectionReset);
}

#[test]
fn a_hanging_answer_leaves_the_connection_open() {
    let web = web(Script::new("odd.lookfar").raw("/", Raw::new("HTTP/1.1 200").then(End::Hang)));
    let mut client = ask(&web, "/");
    client.wait_at_most(Duration::from_millis(200));
    let error = client.rest().expect_err("nothing more comes, and no end");
    assert_eq!(error.kind(), std::io::ErrorKind::WouldBlock);
    assert!(web.log().requests("odd.lookfar")[0].done.is_none());
    drop(client);
    let left = web.log().wait_until_idle(Duration::from_secs(10));
    assert!(left, "the server saw the client leave");
}

#[test]
fn raw_bytes_may_be_followed_by_another_request() {
    let raw = Raw::new("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi").then(End::KeepAlive);
    let web = web(Script::new("odd.lookfar").raw("/", raw));
    let mut client = Client::connect(web.socket_of("odd.lookfar").unwrap());
    assert_eq!(client.get("odd.lookfar", "/", "").text(), "hi");
    assert_eq!(client.get("odd.lookfar", "/", "").text(), "hi");
}

#[test]
fn the_pace_is_kept() {
    let pace =
        Pace { before: Duration::from_millis(60), piece: 10, between: Duration::from_millis(20) };
    let script = Script::new("odd.lookfar")
        .raw("/raw", Raw::new("x".repeat(50)).paced(pace))
        .answer("/page", Answer::html("y".repeat(50)).with_pace(pace));
    let web = web(script);
    let begun = Instant::now();
    assert_eq!(ask(&web, "/raw").rest().unwrap().len(), 50);
    assert!(begun.elapsed() >= Duration::from_millis(60 + 4 * 20));
    let begun = Instant::now();
    assert_eq!(get(&web, "odd.lookfar", "/page").body.len(), 50);
    assert!(begun.elapsed() >= Duration::from_millis(60 + 4 * 20));
    assert!(web.log().wait_until_idle(Duration::from_secs(10)));
    let entry = &web.log().requests("odd.lookfar")[1];
    assert!(entry.done.unwrap() - entry.at >= Duration::from_millis(140), "{entry:?}");
}

#[test]
fn replies_come_in_turn_and_the_last_one_stays() {
    let script = Script::new("odd.lookfar")
        .answer("/", Answer::status(503, "text/plain", "").with_header("Retry-After", "1"))
        .raw("/", Raw::new("HTTP/1.1 500 x\r\nContent-Length: 0\r\n\r\n"))
        .page("/", "at last")
        .otherwise(Answer::status(410, "text/plain", "gone"));
    let web = web(script);
    let statuses: Vec<u16> = (0..4).map(|_| get(&web, "odd.lookfar", "/").status).collect();
    assert_eq!(statuses, [503, 500, 200, 200]);
    assert_eq!(get(&web, "odd.lookfar", "/robots.txt").status, 410);
}
