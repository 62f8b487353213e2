//! The DNS server of the web: the addresses of its hosts, and nothing else.

use std::net::IpAddr;
use std::sync::Arc;

use async_trait::async_trait;
use hickory_proto::op::{Header, HeaderCounts, Metadata, OpCode, ResponseCode};
use hickory_proto::rr::rdata::{A, AAAA, SOA};
use hickory_proto::rr::{Name, RData, Record, RecordType};
use hickory_server::net::runtime::Time;
use hickory_server::server::{Request, RequestHandler, ResponseHandler, ResponseInfo};
use hickory_server::zone_handler::MessageResponseBuilder;

use crate::hosts::Hosts;

/// Answers questions about the hosts of one web.
pub(crate) struct Names {
    pub(crate) hosts: Arc<Hosts>,
    /// How long answers may be kept, in seconds.
    pub(crate) ttl: u32,
}

/// What there is to say about one question.
struct Found {
    code: ResponseCode,
    records: Vec<Record>,
}

impl Names {
    fn find(&self, name: &Name, kind: RecordType) -> Found {
        let text = name.to_ascii().trim_end_matches('.').to_ascii_lowercase();
        let Some(addresses) = self.hosts.resolve(&text) else {
            // RFC 8020: a name with others below it exists, it only has no records.
            let exists = self.hosts.has_below(&text);
            let code = if exists { ResponseCode::NoError } else { ResponseCode::NXDomain };
            return Found { code, records: Vec::new() };
        };
        let wants = |address: &IpAddr| match kind {
            RecordType::A => address.is_ipv4(),
            RecordType::AAAA => address.is_ipv6(),
            RecordType::ANY => true,
            _ => false,
        };
        let record = |address: IpAddr| {
            let data = match address {
                IpAddr::V4(address) => RData::A(A(address)),
                IpAddr::V6(address) => RData::AAAA(AAAA(address)),
            };
            Record::from_rdata(name.clone(), self.ttl, data)
        };
        let records = addresses.into_iter().filter(wants).map(record).collect();
        Found { code: ResponseCode::NoError, records }
    }

    /// The record that says how long a "no" may be kept (RFC 2308).
    fn authority(&self) -> Record {
        let ttl = i32::try_from(self.ttl).unwrap_or(i32::MAX);
        let soa = SOA::new(Name::root(), Name::root(), 1, ttl, ttl, ttl, self.ttl);
        Record::from_rdata(Name::root(), self.ttl, RData::SOA(soa))
    }
}

#[async_trait]
impl RequestHandler for Names {
    async fn handle_request<R: ResponseHandler, T: Time>(
        &self,
        request: &Request,
        mut response: R,
    ) -> ResponseInfo {
        let mut metadata = Metadata::response_from_request(&request.metadata);
        metadata.authoritative = true;
        let found = match request.request_info() {
            Ok(info) if request.metadata.op_code == OpCode::Query => {
                self.find(&Name::from(info.query.name()), info.query.query_type())
            }
            Ok(_) => Found { code: ResponseCode::NotImp, records: Vec::new() },
            Err(_) => Found { code: ResponseCode::FormErr, records: Vec::new() },
        };
        metadata.response_code = found.code;
        let authority = found.records.is_empty().then(|| self.authority());
        let builder = MessageResponseBuilder::new(&request.queries, request.edns.as_ref());
        let message = builder.build(metadata, &found.records, [], &authority, []);
        match response.send_response(message).await {
            Ok(info) => info,
            Err(error) => {
                tracing::debug!(%error, "cannot send a DNS answer");
                ResponseInfo::from(Header { metadata, counts: HeaderCounts::default() })
            }
        }
    }
}
