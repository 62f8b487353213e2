//! Connections that do not come about, stall or break (TCP-01 … TCP-08).

use std::net::{Ipv4Addr, TcpListener, TcpStream};

use testweb::{Of, Pace};

use super::*;
use crate::fetch::connection::dial_failure;

/// Dials where the URL says, past the made-up web.
fn real_ports(options: &mut FetchOptions) {
    options.dial = None;
}

#[tokio::test]
async fn tcp_01_a_refused_connection_is_named() {
    let visitor = Visitor::with([], real_ports);
    let closed = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let failure = visitor.bad(&format!("http://a.lookfar:{closed}/")).await;
    assert_eq!(failure, Failure::Refused);
}

#[tokio::test]
async fn tcp_01_dropped_packets_end_at_the_connect_limit() {
    // A listener whose queue is full lets further calls go unanswered.
    let socket = socket2::Socket::new(socket2::Domain::IPV4, socket2::Type::STREAM, None).unwrap();
    socket.bind(&std::net::SocketAddr::from((Ipv4Addr::LOCALHOST, 0)).into()).unwrap();
    socket.listen(0).unwrap();
    let listener = TcpListener::from(socket);
    let place = listener.local_addr().unwrap();
    let patience = Duration::from_millis(50);
    let mut waiting = Vec::new();
    while let Ok(stream) = TcpStream::connect_timeout(&place, patience) {
        waiting.push(stream);
        assert!(waiting.len() < 100, "the queue never fills");
    }
    let visitor = Visitor::with([], real_ports);
    let failure = visitor.bad(&format!("http://a.lookfar:{}/", place.port())).await;
    assert_eq!(failure, Failure::ConnectTimeout);
}

#[test]
fn tcp_01_an_unreachable_network_is_told_from_a_closed_port() {
    let of = |kind: std::io::ErrorKind| dial_failure(&kind.into());
    assert_eq!(of(std::io::ErrorKind::NetworkUnreachable), Failure::Unreachable);
    assert_eq!(of(std::io::ErrorKind::HostUnreachable), Failure::Unreachable);
    assert_eq!(of(std::io::ErrorKind::ConnectionRefused), Failure::Refused);
    assert_eq!(of(std::io::ErrorKind::TimedOut), Failure::ConnectTimeout);
}

#[tokio::test]
async fn tcp_02_a_server_that_says_nothing_is_left_at_the_head_limit() {
    let visitor = Visitor::of([Script::new("a.lookfar").raw("/", Raw::default().then(End::Hang))]);
    assert_eq!(visitor.bad("http://a.lookfar/").await, Failure::HeadTimeout);
}

#[tokio::test]
async fn tcp_03_a_head_that_drips_is_left_at_the_head_limit() {
    let drip = Raw::new("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx")
        .paced(Pace::pieces(1, Duration::from_millis(60)));
    let visitor = Visitor::of([Script::new("a.lookfar").raw("/", drip)]);
    assert_eq!(visitor.bad("http://a.lookfar/").await, Failure::HeadTimeout);
}

#[tokio::test]
async fn tcp_04_a_body_that_drips_is_cut_at_the_whole_limit() {
    let drip = said("Content-Type: text/html\r\n", "")
        .followed_by("x", 1_000)
        .paced(Pace::pieces(0, Duration::from_millis(40)));
    let site = Script::new("a.lookfar").raw("/", drip);
    let total = Duration::from_millis(400);
    let visitor = Visitor::with([site], |options| options.total = total);
    let fetched = visitor.good("http://a.lookfar/").await;
    assert_eq!(fetched.cut, Some(Cut::Time));
    assert!((1..100).contains(&fetched.body.len()), "{}", fetched.body.len());
}

#[tokio::test]
async fn a_body_that_falls_silent_is_cut() {
    let mute = said("Content-Length: 100\r\n", "some").then(End::Hang);
    let visitor = Visitor::of([Script::new("a.lookfar").raw("/", mute)]);
    assert_body(&visitor.good("http://a.lookfar/").await, "some", Some(Cut::Time));
}

#[tokio::test]
async fn tcp_05_a_reset_in_the_body_marks_it_as_cut() {
    let broken = Raw::new("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n")
        .followed_by("some", 1)
        .paced(Pace::pieces(0, Duration::from_millis(60)))
        .then(End::Reset);
    let visitor = Visitor::of([Script::new("a.lookfar").raw("/", broken)]);
    assert_body(&visitor.good("http://a.lookfar/").await, "some", Some(Cut::Disconnect));
}

#[tokio::test]
async fn tcp_07_ports_of_other_services_are_not_dialled() {
    let visitor = Visitor::of([Script::new("a.lookfar").page("/", "in")]);
    for port in [22, 25, 53, 6379, 11211] {
        let failure = visitor.bad(&format!("http://a.lookfar:{port}/")).await;
        assert_eq!(failure, Failure::BlockedPort, "{port}");
    }
    assert_eq!(visitor.web.log().count(Of::All), 0);
    visitor.good("http://a.lookfar:8080/").await;
}

#[tokio::test]
async fn tcp_08_other_protocols_are_told_from_http() {
    let greetings: [&[u8]; 3] = [
        b"SSH-2.0-OpenSSH_9.2\r\n",
        b"220 ftp.lookfar ready\r\n",
        b"\x16\x03\x03\x00\x10\x02\x00\x00\x0C",
    ];
    for greeting in greetings {
        // Some wait to be spoken to, some speak first, some then wait for ever.
        let raw = |end| Raw::new(greeting).then(end);
        let visitor = Visitor::of([
            Script::new("answers.lookfar").raw("/", raw(End::Close)),
            Script::new("waits.lookfar").raw("/", raw(End::Hang)),
            Script::new("greets.lookfar").greeting(raw(End::Hang)),
        ]);
        for host in ["answers", "waits", "greets"] {
            let failure = visitor.bad(&format!("http://{host}.lookfar/")).await;
            let expected = match host {
                // It may still become a response, as far as we can know.
                "waits" if greeting[0] == 0x16 => [Failure::Protocol, Failure::HeadTimeout],
                // A greeting that comes before our request is on its way ends the connection.
                "greets" => [Failure::Protocol, Failure::Closed],
                _ => [Failure::Protocol; 2],
            };
            assert!(expected.contains(&failure), "{host}: {}", failure.name());
        }
    }
}
