//! Who asks when a proxy asks (WEB-09, WEB-16).
//!
//! A request comes from where its connection comes from, unless that is a proxy of ours: then from
//! the last address in its chain that is no proxy of ours. What stands before that one was written
//! by strangers, and what anybody else says of addresses is not looked at.
//!
//! There are three header fields for it, and a proxy that writes one hands on what visitors write
//! into the others. Where they disagree, nobody is believed: all such visitors share one bucket.

use std::net::IpAddr;
use std::str::FromStr;

use axum::http::HeaderMap;
use serde::de::{Deserialize, Deserializer, Error as _};

use crate::Options;

/// Header fields that name who is asked for.
pub(crate) const FIELDS: [&str; 3] = ["forwarded", "x-forwarded-for", "x-real-ip"];
/// Longest chain of proxies looked at.
const HOPS: usize = 32;

/// An address, or all that begin with the same bits: `192.0.2.7`, `10.0.0.0/8`, `fd00::/8`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Subnet {
    address: IpAddr,
    /// At most as many as the address has.
    bits: u32,
}

impl Subnet {
    /// Returns whether an address is one of these.
    pub fn contains(self, address: IpAddr) -> bool {
        let common = match (self.address, address.to_canonical()) {
            (IpAddr::V4(own), IpAddr::V4(other)) => {
                (own.to_bits() ^ other.to_bits()).leading_zeros()
            }
            (IpAddr::V6(own), IpAddr::V6(other)) => {
                (own.to_bits() ^ other.to_bits()).leading_zeros()
            }
            _ => return false,
        };
        common >= self.bits
    }
}

impl FromStr for Subnet {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (address, bits) = match text.split_once('/') {
            Some((address, bits)) => (address, bits.parse().ok()),
            None => (text, Some(u32::MAX)),
        };
        let parsed = address.parse::<IpAddr>().ok().zip(bits).and_then(|(address, bits)| {
            let most = if address.is_ipv4() { 32 } else { 128 };
            // One address has all bits.
            let bits = if bits == u32::MAX { most } else { bits };
            (bits <= most).then_some(Self { address, bits })
        });
        parsed.ok_or_else(|| {
            format!(
                "`{text}` is no address, such as `192.0.2.7`, and no network, such as `10.0.0.0/8`"
            )
        })
    }
}

impl<'de> Deserialize<'de> for Subnet {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

/// The proxies of one server.
#[derive(Clone, Debug, Default)]
pub(crate) struct Proxies {
    /// Whether whoever asks on this machine is one.
    is_here: bool,
    named: Vec<Subnet>,
}

impl Proxies {
    /// Returns those that are believed.
    pub(crate) fn new(options: &Options) -> Self {
        Self { is_here: options.trust_forwarded, named: options.trusted_proxies.clone() }
    }

    /// Returns whether an address is one of them.
    pub(crate) fn has(&self, address: IpAddr) -> bool {
        self.is_here && address.is_loopback()
            || self.named.iter().any(|subnet| subnet.contains(address))
    }

    /// Returns for whom one of them asks; `None` if it does not say, or not clearly.
    pub(crate) fn visitor(&self, headers: &HeaderMap) -> Option<IpAddr> {
        let fields = FIELDS.into_iter().filter(|name| headers.contains_key(*name));
        let named: Vec<Option<IpAddr>> = fields.map(|name| self.last(headers, name)).collect();
        // One of several proxies may name only the one before it.
        let is_ours = |address: Option<IpAddr>| address.is_some_and(|address| self.has(address));
        let mut visitors = named.iter().copied().filter(|address| !is_ours(*address));
        let Some(first) = visitors.next() else { return named.first().copied().flatten() };
        first.filter(|_| visitors.all(|other| other == first))
    }

    /// Returns the last address of a chain that is no proxy of ours, or its first if all are.
    fn last(&self, headers: &HeaderMap, name: &str) -> Option<IpAddr> {
        let lines =
            headers.get_all(name).iter().rev().map(|line| line.to_str().unwrap_or_default());
        let mut before = None;
        for hop in lines.flat_map(|line| line.rsplit(',')).take(HOPS) {
            let found = if name == FIELDS[0] { in_element(hop) } else { address(hop.trim()) };
            match found {
                Some(proxy) if self.has(proxy) => before = found,
                _ => return found,
            }
        }
        before
    }
}

/// Reads one element of `Forwarded` (RFC 7239): `for=192.0.2.1;proto=https`.
fn in_element(element: &str) -> Option<IpAddr> {
    element.split(';').find_map(|pair| {
        let (name, value) = pair.split_once('=')?;
        let is_for = name.trim().eq_ignore_ascii_case("for");
        is_for.then(|| address(value.trim().trim_matches('"'))).flatten()
    })
}

/// Reads an address, with or without brackets and a port.
fn address(text: &str) -> Option<IpAddr> {
    if let Ok(address) = text.parse::<IpAddr>() {
        return Some(address.to_canonical());
    }
    if let Some((inside, _)) = text.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        return inside.parse().ok();
    }
    text.rsplit_once(':')?.0.parse().ok()
}

#[cfg(test)]
mod tests {
    use axum::http::{HeaderName, HeaderValue};

    use super::*;
    use crate::listen::Peer;
    use crate::rate::Network;

    fn ip(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    fn proxies(trust_forwarded: bool, named: &[&str]) -> Proxies {
        let trusted_proxies = named.iter().map(|text| text.parse().unwrap()).collect();
        Proxies::new(&Options { trust_forwarded, trusted_proxies, ..Options::default() })
    }

    fn headers(lines: &[(&'static str, &'static str)]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for (name, value) in lines {
            headers.append(HeaderName::from_static(name), HeaderValue::from_static(value));
        }
        headers
    }

    #[test]
    fn networks_are_written_with_or_without_their_bits() {
        let check = |text: &str, inside: &str, outside: &str| {
            let subnet: Subnet = text.parse().unwrap();
            assert!(subnet.contains(ip(inside)) && !subnet.contains(ip(outside)), "{text}");
        };
        check("192.0.2.7", "192.0.2.7", "192.0.2.6");
        check("192.0.2.7", "::ffff:192.0.2.7", "::192.0.2.7");
        check("10.0.0.0/8", "10.255.0.1", "11.0.0.1");
        check("10.9.8.7/8", "10.0.0.1", "9.0.0.1");
        check("192.0.2.128/25", "192.0.2.129", "192.0.2.127");
        check("0.0.0.0/0", "203.0.113.7", "2001:db8::1");
        check("2001:db8::/32", "2001:db8:ffff::1", "2001:db9::1");
        check("::1", "::1", "::2");
        for bad in ["", "x", "10.0.0.0/33", "10.0.0.0/", "10.0.0.0/-1", "::/129", "10.0.0/8", "/8"]
        {
            let error = bad.parse::<Subnet>().unwrap_err();
            assert!(error.contains(&format!("`{bad}` is no address")), "{error}");
        }
    }

    #[test]
    fn web_16_a_proxy_names_its_visitor_last() {
        let check = |name: &'static str, value: &'static str, expected: Option<&str>| {
            let found = proxies(false, &[]).visitor(&headers(&[(name, value)]));
            assert_eq!(found, expected.map(ip), "{value}");
        };
        check("x-forwarded-for", "127.0.0.1, 203.0.113.7", Some("203.0.113.7"));
        check("x-forwarded-for", "203.0.113.7:4711", Some("203.0.113.7"));
        check("x-real-ip", "2001:db8::1", Some("2001:db8::1"));
        check(
            "forwarded",
            "for=192.0.2.1, FOR=\"[2001:db8::1]:80\";proto=https",
            Some("2001:db8::1"),
        );
        check("forwarded", "for=unknown", None);
        check("x-forwarded-for", "nobody", None);
        check("accept", "203.0.113.7", None);
    }

    #[test]
    fn web_09_a_chain_of_our_proxies_is_followed_to_the_first_stranger() {
        let ours = proxies(false, &["192.0.2.0/24", "2001:db8::1"]);
        let check = |lines: &[(&'static str, &'static str)], expected: Option<&str>| {
            assert_eq!(ours.visitor(&headers(lines)), expected.map(ip), "{lines:?}");
        };
        check(&[("x-forwarded-for", "1.1.1.1, 203.0.113.7, 192.0.2.9")], Some("203.0.113.7"));
        check(
            &[("x-forwarded-for", "1.1.1.1, 203.0.113.7"), ("x-forwarded-for", "192.0.2.9")],
            Some("203.0.113.7"),
        );
        check(&[("forwarded", "for=203.0.113.7, for=\"[2001:db8::1]\"")], Some("203.0.113.7"));
        check(&[("x-forwarded-for", "192.0.2.8, 192.0.2.9")], Some("192.0.2.8"));
        check(&[("x-forwarded-for", "203.0.113.7, hidden, 192.0.2.9")], None);
        // The inner proxy names the outer one in a field of its own.
        let two = [("x-forwarded-for", "203.0.113.7, 192.0.2.9"), ("x-real-ip", "192.0.2.9")];
        check(&two, Some("203.0.113.7"));
        // What the proxy does not write itself it hands on: nobody chooses an address that way.
        let lie = [("forwarded", "for=198.51.100.1"), ("x-forwarded-for", "203.0.113.7")];
        check(&lie, None);
    }

    #[test]
    fn web_09_only_a_proxy_of_ours_is_believed_for_whom_it_asks() {
        let said = headers(&[("x-forwarded-for", "203.0.113.7")]);
        let check = |from: &str, proxies: &Proxies, headers: &HeaderMap, expected: Option<&str>| {
            let found = Peer::at(ip(from)).network(headers, proxies);
            assert_eq!(found, expected.map(|text| Network::of(ip(text))), "{from} {headers:?}");
        };
        let ours = proxies(false, &["192.0.2.0/24"]);
        check("192.0.2.9", &ours, &said, Some("203.0.113.7"));
        check("198.51.100.1", &ours, &said, Some("198.51.100.1"));
        check("127.0.0.1", &ours, &said, None);
        // It may ask for itself, and has a share like others.
        check("192.0.2.9", &ours, &HeaderMap::new(), Some("192.0.2.9"));
        check("192.0.2.9", &ours, &headers(&[("x-forwarded-for", "?")]), Some("0.0.0.0"));
        let here = proxies(true, &[]);
        check("127.0.0.1", &here, &said, Some("203.0.113.7"));
        check("127.0.0.1", &here, &HeaderMap::new(), None);
        check("192.0.2.9", &here, &said, Some("192.0.2.9"));
        check("192.0.2.9", &proxies(false, &[]), &said, Some("192.0.2.9"));
    }
}
