//! Answers as bytes, the impossible ones by hand.

use std::net::{IpAddr, Ipv4Addr};

use hickory_proto::op::{Edns, Message, MessageType, OpCode, Query, ResponseCode};
use hickory_proto::rr::rdata::{A, AAAA, CNAME, NULL, SOA, TXT};
use hickory_proto::rr::{Name, RData, Record, RecordType};

use super::answer::{Body, Code, OverUdp};
use super::{Broken, DnsAnswer, is_of_kind};

/// Where forged packets lead.
const FORGED: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 66);

/// How a question came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Over {
    Udp,
    Tcp,
}

/// Returns the packets that answer a question; none means silence.
pub(super) fn packets(
    question: &Message,
    answer: &DnsAnswer,
    default_ttl: u32,
    over: Over,
) -> Vec<Vec<u8>> {
    let ttl = answer.ttl.unwrap_or(default_ttl);
    let forged = answer.forged.and_then(|how| broken(question, how));
    let proper = match &answer.body {
        Body::Silence => None,
        Body::Broken(how) => broken(question, *how),
        Body::Addresses(addresses) => good(question, answer, &[], addresses, ttl, over),
        Body::Aliases(chain, addresses) => good(question, answer, chain, addresses, ttl, over),
        Body::Empty(_) | Body::Texts(_) => good(question, answer, &[], &[], ttl, over),
    };
    forged.into_iter().chain(proper).collect()
}

/// Returns an answer that says nothing but an error.
pub(super) fn refusal(question: &Message, code: ResponseCode) -> Option<Vec<u8>> {
    reply(question, code).to_vec().ok()
}

fn good(
    question: &Message,
    answer: &DnsAnswer,
    chain: &[String],
    addresses: &[IpAddr],
    ttl: u32,
    over: Over,
) -> Option<Vec<u8>> {
    let query = question.queries.first()?;
    let mut message = reply(question, code(&answer.body));
    let mut owner = query.name().clone();
    for alias in chain {
        let target = name(alias)?;
        let data = RData::CNAME(CNAME(target.clone()));
        message.add_answer(Record::from_rdata(owner, ttl, data));
        owner = target;
    }
    for address in addresses.iter().filter(|a| is_of_kind(**a, query.query_type())) {
        message.add_answer(Record::from_rdata(owner.clone(), ttl, data(*address)));
    }
    if let (Body::Texts(texts), RecordType::TXT) = (&answer.body, query.query_type()) {
        for text in texts {
            // A string of a record has a length of one byte.
            let strings = text.as_bytes().chunks(255).collect();
            let data = RData::TXT(TXT::from_bytes(strings));
            message.add_answer(Record::from_rdata(owner.clone(), ttl, data));
        }
    }
    if message.answers.is_empty() {
        let zone = answer.foreign.as_deref().and_then(name).unwrap_or_else(Name::root);
        message.add_authority(authority(zone, ttl));
    }
    if let Some(zone) = answer.foreign.as_deref().and_then(name) {
        message.add_authority(signature(zone, ttl));
    }
    if over == Over::Udp && answer.udp == OverUdp::Cut {
        return message.truncate().to_vec().ok();
    }
    let bytes = message.to_vec().ok()?;
    let room = question.edns.as_ref().map_or(512, |edns| edns.max_payload().max(512));
    match over == Over::Udp && bytes.len() > usize::from(room) {
        true => message.truncate().to_vec().ok(),
        false => Some(bytes),
    }
}

fn reply(question: &Message, code: ResponseCode) -> Message {
    let mut message = Message::new(question.metadata.id, MessageType::Response, OpCode::Query);
    message.metadata.recursion_desired = question.metadata.recursion_desired;
    message.metadata.recursion_available = true;
    message.metadata.authoritative = true;
    message.metadata.response_code = code;
    message.add_queries(question.queries.iter().cloned());
    if question.edns.is_some() {
        message.set_edns(Edns::new());
    }
    message
}

fn code(body: &Body) -> ResponseCode {
    match body {
        Body::Empty(Code::NoSuchName) => ResponseCode::NXDomain,
        Body::Empty(Code::ServerFailure) => ResponseCode::ServFail,
        Body::Empty(Code::Refused) => ResponseCode::Refused,
        _ => ResponseCode::NoError,
    }
}

fn data(address: IpAddr) -> RData {
    match address {
        IpAddr::V4(address) => RData::A(A(address)),
        IpAddr::V6(address) => RData::AAAA(AAAA(address)),
    }
}

/// The record that says how long a "no" may be kept (RFC 2308).
fn authority(zone: Name, ttl: u32) -> Record {
    let times = i32::try_from(ttl).unwrap_or(i32::MAX);
    let soa = SOA::new(zone.clone(), Name::root(), 1, times, times, times, ttl);
    Record::from_rdata(zone, ttl, RData::SOA(soa))
}

/// Something that looks like a signature from afar.
fn signature(zone: Name, ttl: u32) -> Record {
    let rdata = NULL::with(vec![0x5a; 80]);
    Record::from_rdata(zone, ttl, RData::Unknown { code: RecordType::RRSIG, rdata })
}

fn name(text: &str) -> Option<Name> {
    Name::from_ascii(format!("{}.", text.trim_end_matches('.'))).ok()
}

/// Returns a packet that is no answer to the question.
fn broken(question: &Message, how: Broken) -> Option<Vec<u8>> {
    let query = question.queries.first()?;
    let mut message = reply(question, ResponseCode::NoError);
    message.edns = None;
    let record = |owner: &Name| Record::from_rdata(owner.clone(), 60, RData::A(A(FORGED)));
    match how {
        Broken::WrongId => {
            message.metadata.id = !question.metadata.id;
            message.add_answer(record(query.name()));
            message.to_vec().ok()
        }
        Broken::WrongQuestion => {
            let other = name("other.lookfar")?;
            message.queries = vec![Query::query(other.clone(), query.query_type())];
            message.add_answer(record(&other)).add_answer(record(query.name()));
            message.to_vec().ok()
        }
        Broken::CutRecord => {
            message.add_answer(record(query.name()));
            let bytes = message.to_vec().ok()?;
            Some(bytes[..bytes.len() - 3].to_vec())
        }
        Broken::PointerLoop => {
            let mut bytes = message.to_vec().ok()?;
            let here = u16::try_from(bytes.len()).ok()?;
            bytes.extend((0xc000 | here).to_be_bytes());
            // Type A, class IN, 60 seconds, four bytes.
            bytes.extend([0, 1, 0, 1, 0, 0, 0, 60, 0, 4]);
            bytes.extend(FORGED.octets());
            set_num_answers(&mut bytes, 1);
            Some(bytes)
        }
        Broken::WrongCount => {
            let mut bytes = message.to_vec().ok()?;
            set_num_answers(&mut bytes, u16::MAX);
            Some(bytes)
        }
        Broken::Noise => {
            let [high, low] = question.metadata.id.to_be_bytes();
            let noise = (0..200_u8).map(|n| n.wrapping_mul(37) ^ 0xa5);
            Some([high, low].into_iter().chain(noise).collect())
        }
        Broken::Short => Some(vec![0x5a]),
    }
}

fn set_num_answers(bytes: &mut [u8], number: u16) {
    if let Some(field) = bytes.get_mut(6..8) {
        field.copy_from_slice(&number.to_be_bytes());
    }
}
