//! What the DNS server says of a name, written down by a test.
//!
//! ```
//! use std::time::Duration;
//! use testweb::{Broken, DnsAnswer, Web};
//!
//! let web = Web::new()
//!     .dns("moves.lookfar", DnsAnswer::addresses(&["127.1.0.1".parse()?]).ttl(0))
//!     .dns("moves.lookfar", DnsAnswer::addresses(&["127.0.0.7".parse()?]))
//!     .dns("broken.lookfar", DnsAnswer::server_failure())
//!     .dns("*.slow.lookfar", DnsAnswer::no_such_name().late(Duration::from_millis(20)))
//!     .dns("odd.lookfar", DnsAnswer::broken(Broken::PointerLoop))
//!     .start()?;
//! assert_eq!(web.dns().num_lookups("moves.lookfar"), 0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::net::IpAddr;
use std::time::Duration;

/// One answer, good or hostile.
#[derive(Clone, Debug)]
pub struct DnsAnswer {
    pub(super) body: Body,
    pub(super) ttl: Option<u32>,
    pub(super) late: Duration,
    /// Sent before the answer proper, as a forger would.
    pub(super) forged: Option<Broken>,
    /// The zone that the authority section speaks for, if not the root.
    pub(super) foreign: Option<String>,
    pub(super) tcp: OverTcp,
    pub(super) udp: OverUdp,
}

#[derive(Clone, Debug)]
pub(super) enum Body {
    Addresses(Vec<IpAddr>),
    /// Aliases in a chain, each of the one before, and the addresses of the last.
    Aliases(Vec<String>, Vec<IpAddr>),
    /// Texts, one record each.
    Texts(Vec<String>),
    Empty(Code),
    Silence,
    Broken(Broken),
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Code {
    NoError,
    NoSuchName,
    ServerFailure,
    Refused,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OverTcp {
    Answered,
    Closed,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OverUdp {
    /// In full if it fits.
    Answered,
    /// Cut, whatever its size.
    Cut,
}

/// Packets that are no answer. Those that carry an address carry 127.0.0.66.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Broken {
    /// The name of a record is a pointer to itself.
    PointerLoop,
    /// The packet ends in the middle of a record.
    CutRecord,
    /// A fine answer with another number than the question's.
    WrongId,
    /// A fine answer to a question about another name.
    WrongQuestion,
    /// The question's number and then noise.
    Noise,
    /// Says that it has 65,535 records and has none.
    WrongCount,
    /// A single byte.
    Short,
}

impl DnsAnswer {
    /// These addresses, in this order.
    pub fn addresses(addresses: &[IpAddr]) -> Self {
        Self::of(Body::Addresses(addresses.to_vec()))
    }

    /// An alias; what it stands for must be asked for.
    pub fn alias(to: &str) -> Self {
        Self::aliases([to.to_owned()], &[])
    }

    /// A chain of aliases in one packet, and the addresses of the last.
    pub fn aliases(chain: impl IntoIterator<Item = String>, addresses: &[IpAddr]) -> Self {
        Self::of(Body::Aliases(chain.into_iter().collect(), addresses.to_vec()))
    }

    /// These texts (TXT), one record each; long ones are cut into strings as RFC 1035 wants it.
    pub fn texts(texts: &[&str]) -> Self {
        Self::of(Body::Texts(texts.iter().map(|text| (*text).to_owned()).collect()))
    }

    /// The name exists, but has no records.
    pub fn empty() -> Self {
        Self::of(Body::Empty(Code::NoError))
    }

    /// NXDOMAIN.
    pub fn no_such_name() -> Self {
        Self::of(Body::Empty(Code::NoSuchName))
    }

    /// SERVFAIL.
    pub fn server_failure() -> Self {
        Self::of(Body::Empty(Code::ServerFailure))
    }

    /// REFUSED.
    pub fn refused() -> Self {
        Self::of(Body::Empty(Code::Refused))
    }

    /// Nothing at all.
    pub fn silence() -> Self {
        Self::of(Body::Silence)
    }

    /// A packet that is no answer.
    pub fn broken(how: Broken) -> Self {
        Self::of(Body::Broken(how))
    }

    /// Sets how many seconds the answer may be kept, also a "no".
    #[must_use]
    pub fn ttl(mut self, seconds: u32) -> Self {
        self.ttl = Some(seconds);
        self
    }

    /// Answers after a while.
    #[must_use]
    pub fn late(mut self, by: Duration) -> Self {
        self.late = by;
        self
    }

    /// Sends another packet first.
    #[must_use]
    pub fn after(mut self, forged: Broken) -> Self {
        self.forged = Some(forged);
        self
    }

    /// Adds the authority of another zone, with signatures that sign nothing.
    #[must_use]
    pub fn signed_by(mut self, zone: &str) -> Self {
        self.foreign = Some(zone.to_ascii_lowercase());
        self
    }

    /// Is cut over UDP, whatever its size.
    #[must_use]
    pub fn cut(mut self) -> Self {
        self.udp = OverUdp::Cut;
        self
    }

    /// Closes the connection when asked over TCP.
    #[must_use]
    pub fn closed_over_tcp(mut self) -> Self {
        self.tcp = OverTcp::Closed;
        self
    }

    fn of(body: Body) -> Self {
        Self {
            body,
            ttl: None,
            late: Duration::ZERO,
            forged: None,
            foreign: None,
            tcp: OverTcp::Answered,
            udp: OverUdp::Answered,
        }
    }
}
