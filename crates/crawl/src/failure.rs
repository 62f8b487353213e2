//! Why a fetch brought no response; each reason has a name that is counted and shown.

use serde::{Deserialize, Serialize};

/// What kept a URL from being fetched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Failure {
    /// The name does not exist.
    NoSuchHost,
    /// The name could not be resolved for now.
    DnsUnavailable,
    /// Only addresses that must not be dialled.
    BlockedAddress,
    /// The port is not one that web servers have.
    BlockedPort,
    /// Connection refused.
    Refused,
    /// No route, or the network is down.
    Unreachable,
    /// No connection within the limit.
    ConnectTimeout,
    /// TLS could not be agreed.
    Tls,
    /// No response head within the limit.
    HeadTimeout,
    /// What came is not HTTP, or breaks its rules.
    Protocol,
    /// Closed before a response head was there.
    Closed,
    /// robots.txt could not be read, so nothing may be.
    RobotsUnreachable,
    /// The server said to come back later (429, 5xx).
    ServerBusy,
    /// The whole fetch took longer than the limit.
    Timeout,
    /// The certificate is not good: expired, for another name, of an unknown issuer.
    Certificate,
    /// TLS was not agreed within the limit.
    HandshakeTimeout,
    /// robots.txt asks for longer rests than we have patience for (ROB-13).
    CrawlDelay,
    /// Visits to the host took more time than it may have (LNK-12).
    SlowHost,
    /// The host's address has more hosts than it has earned (LNK-08).
    CrowdedAddress,
}

impl Failure {
    /// All of them.
    pub const ALL: [Self; 19] = [
        Self::NoSuchHost,
        Self::DnsUnavailable,
        Self::BlockedAddress,
        Self::BlockedPort,
        Self::Refused,
        Self::Unreachable,
        Self::ConnectTimeout,
        Self::Tls,
        Self::HeadTimeout,
        Self::Protocol,
        Self::Closed,
        Self::RobotsUnreachable,
        Self::ServerBusy,
        Self::Timeout,
        Self::Certificate,
        Self::HandshakeTimeout,
        Self::CrawlDelay,
        Self::SlowHost,
        Self::CrowdedAddress,
    ];

    /// Returns the name for counters and reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::NoSuchHost => "no-such-host",
            Self::DnsUnavailable => "dns-unavailable",
            Self::BlockedAddress => "blocked-address",
            Self::BlockedPort => "blocked-port",
            Self::Refused => "refused",
            Self::Unreachable => "unreachable",
            Self::ConnectTimeout => "connect-timeout",
            Self::Tls => "tls",
            Self::HeadTimeout => "head-timeout",
            Self::Protocol => "protocol",
            Self::Closed => "closed",
            Self::RobotsUnreachable => "robots-unreachable",
            Self::ServerBusy => "server-busy",
            Self::Timeout => "timeout",
            Self::Certificate => "certificate",
            Self::CrawlDelay => "crawl-delay-too-long",
            Self::SlowHost => "slow-host",
            Self::CrowdedAddress => "crowded-address",
            Self::HandshakeTimeout => "handshake-timeout",
        }
    }

    /// Returns whether another try may bring something else.
    pub fn is_passing(self) -> bool {
        !matches!(self, Self::NoSuchHost | Self::BlockedAddress | Self::BlockedPort)
    }
}
