//! The DNS server, asked with messages made by hand over UDP and TCP.

use std::io::{Read, Write};
use std::net::{IpAddr, TcpStream, UdpSocket};
use std::time::Duration;

use hickory_proto::op::{Message, MessageType, OpCode, Query, ResponseCode};
use hickory_proto::rr::{Name, RData, RecordType};
use testweb::{Running, Web};

use crate::client::Echo;

fn web() -> Running {
    Web::new()
        .site(Echo("cats.lookfar"))
        .site(Echo("www.cs.cornell.edu"))
        .site(Echo("*.trap.lookfar"))
        .name("inside.lookfar", &["10.0.0.7".parse().unwrap(), "::1".parse().unwrap()])
        .ttl(Duration::from_secs(7))
        .start()
        .unwrap()
}

fn question(name: &str, kind: RecordType) -> Vec<u8> {
    let mut message = Message::new(77, MessageType::Query, OpCode::Query);
    message.add_query(Query::query(Name::from_ascii(name).unwrap(), kind));
    message.to_vec().unwrap()
}

fn over_udp(web: &Running, name: &str, kind: RecordType) -> Message {
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    socket.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
    socket.send_to(&question(name, kind), web.dns_addr).unwrap();
    let mut answer = [0; 4_096];
    let (length, _) = socket.recv_from(&mut answer).unwrap();
    Message::from_vec(&answer[..length]).unwrap()
}

fn over_tcp(web: &Running, name: &str, kind: RecordType) -> Message {
    let mut socket = TcpStream::connect(web.dns_addr).unwrap();
    let question = question(name, kind);
    socket.write_all(&u16::try_from(question.len()).unwrap().to_be_bytes()).unwrap();
    socket.write_all(&question).unwrap();
    let mut length = [0; 2];
    socket.read_exact(&mut length).unwrap();
    let mut answer = vec![0; usize::from(u16::from_be_bytes(length))];
    socket.read_exact(&mut answer).unwrap();
    Message::from_vec(&answer).unwrap()
}

fn addresses(message: &Message) -> Vec<IpAddr> {
    let address = |data: &RData| match data {
        RData::A(a) => Some(IpAddr::V4(a.0)),
        RData::AAAA(a) => Some(IpAddr::V6(a.0)),
        _ => None,
    };
    message.answers.iter().filter_map(|record| address(&record.data)).collect()
}

#[test]
fn hosts_of_any_domain_have_their_address_over_udp_and_tcp() {
    let web = web();
    for host in ["cats.lookfar", "www.cs.cornell.edu"] {
        let expected = vec![IpAddr::V4(web.address_of(host).unwrap())];
        for ask in [over_udp, over_tcp] {
            let answer = ask(&web, host, RecordType::A);
            assert_eq!(
                (answer.metadata.id, answer.metadata.response_code),
                (77, ResponseCode::NoError)
            );
            assert_eq!(addresses(&answer), expected);
            assert_eq!(answer.answers[0].ttl, 7);
        }
    }
    assert_eq!(addresses(&over_udp(&web, "CaTs.LookFar.", RecordType::A)).len(), 1);
}

#[test]
fn unknown_names_do_not_exist() {
    let web = web();
    for ask in [over_udp, over_tcp] {
        let answer = ask(&web, "dogs.lookfar", RecordType::A);
        assert_eq!(answer.metadata.response_code, ResponseCode::NXDomain);
        assert!(answer.answers.is_empty());
        assert_eq!(answer.authorities.len(), 1, "a record says how long the no may be kept");
    }
}

#[test]
fn names_without_such_records_exist_but_are_empty() {
    let web = web();
    for (name, kind) in [
        ("cats.lookfar", RecordType::AAAA),
        ("cats.lookfar", RecordType::MX),
        ("lookfar", RecordType::A),
        ("cornell.edu", RecordType::A),
    ] {
        let answer = over_udp(&web, name, kind);
        assert_eq!(answer.metadata.response_code, ResponseCode::NoError, "{name} {kind}");
        assert!(answer.answers.is_empty(), "{name} {kind}");
    }
}

#[test]
fn wildcards_and_extra_names_resolve() {
    let web = web();
    assert_eq!(addresses(&over_udp(&web, "a.b.trap.lookfar", RecordType::A)).len(), 1);
    let inside = |kind| addresses(&over_udp(&web, "inside.lookfar", kind));
    assert_eq!(inside(RecordType::A), ["10.0.0.7".parse::<IpAddr>().unwrap()]);
    assert_eq!(inside(RecordType::AAAA), ["::1".parse::<IpAddr>().unwrap()]);
}
