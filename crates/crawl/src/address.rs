//! Which addresses may be dialled (DNS-01 … DNS-08, URL-01).

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use crate::Addresses;

/// Returns whether `address` may be dialled.
///
/// An IPv6 address that carries an IPv4 address is judged by the inner one.
pub(crate) fn may_dial(address: IpAddr, allowed: Addresses) -> bool {
    let address = inner(address);
    if address.is_loopback() {
        return allowed != Addresses::Public;
    }
    match address {
        IpAddr::V4(v4) => {
            !is_reserved_v4(v4) && (!is_private_v4(v4) || allowed == Addresses::Private)
        }
        IpAddr::V6(v6) => {
            !is_reserved_v6(v6) && (!is_private_v6(v6) || allowed == Addresses::Private)
        }
    }
}

/// Unwraps IPv4-mapped, IPv4-compatible, NAT64 and 6to4 addresses.
fn inner(address: IpAddr) -> IpAddr {
    let IpAddr::V6(v6) = address else { return address };
    let segments = v6.segments();
    let v4 = |high: u16, low: u16| {
        let [a, b] = high.to_be_bytes();
        let [c, d] = low.to_be_bytes();
        IpAddr::V4(Ipv4Addr::new(a, b, c, d))
    };
    match segments {
        // `::1` and `::` are themselves; other `::a.b.c.d` are IPv4-compatible.
        [0, 0, 0, 0, 0, 0, 0, 0 | 1] => address,
        [0, 0, 0, 0, 0, 0 | 0xffff, high, low] | [0x64, 0xff9b, 0, 0, 0, 0, high, low] => {
            v4(high, low)
        }
        [0x64, 0xff9b, 1, _, _, _, high, low] => v4(high, low),
        [0x2002, high, low, ..] => v4(high, low),
        _ => address,
    }
}

fn is_private_v4(address: Ipv4Addr) -> bool {
    let [a, b, ..] = address.octets();
    // 100.64/10 is shared by providers' customers.
    address.is_private() || a == 100 && (b & 0xc0) == 64
}

/// Never a web server: unspecified, link-local (with the clouds' metadata), multicast,
/// broadcast, documentation, benchmarking, protocol assignments, reserved.
fn is_reserved_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    a == 0
        || a >= 224
        || address.is_link_local()
        || address.is_documentation()
        || (a, b, c) == (192, 0, 0)
        || (a, b, c) == (192, 88, 99)
        || a == 198 && (b & 0xfe) == 18
}

fn is_private_v6(address: Ipv6Addr) -> bool {
    (address.segments()[0] & 0xfe00) == 0xfc00
}

fn is_reserved_v6(address: Ipv6Addr) -> bool {
    let segments = address.segments();
    address.is_unspecified()
        || address.is_multicast()
        || (segments[0] & 0xffc0) == 0xfe80
        || (segments[0] & 0xffc0) == 0xfec0
        || segments[0] == 0x100
        || segments[0] == 0x2001 && (segments[1] < 0x200 || segments[1] == 0xdb8)
        || segments[0] == 0x3fff
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(address: &str, allowed: Addresses, expected: bool) {
        assert_eq!(may_dial(address.parse().unwrap(), allowed), expected, "{address}");
    }

    #[test]
    fn public_addresses_may_be_dialled() {
        for address in ["9.9.9.9", "193.0.6.139", "2a00:1450::1", "64:ff9b::909:909"] {
            check(address, Addresses::Public, true);
        }
    }

    #[test]
    fn dns_01_05_06_07_forbidden_addresses_in_every_disguise() {
        for address in [
            "127.0.0.1",
            "10.1.2.3",
            "172.16.0.1",
            "192.168.1.1",
            "100.64.0.1",
            "0.0.0.0",
            "169.254.169.254",
            "fd00:ec2::254",
            "224.0.0.1",
            "255.255.255.255",
            "192.0.2.1",
            "198.18.0.1",
            "240.0.0.1",
            "::1",
            "::",
            "::ffff:127.0.0.1",
            "64:ff9b::7f00:1",
            "2002:7f00:1::",
            "fe80::1",
            "ff02::1",
            "2001:db8::1",
            "::7f00:1",
            "fec0::1",
        ] {
            check(address, Addresses::Public, false);
        }
    }

    #[test]
    fn loopback_and_private_networks_only_on_request() {
        check("127.3.4.5", Addresses::Loopback, true);
        check("::1", Addresses::Loopback, true);
        check("10.0.0.1", Addresses::Loopback, false);
        check("10.0.0.1", Addresses::Private, true);
        check("fd00::1", Addresses::Private, true);
        check("169.254.169.254", Addresses::Private, false);
    }
}
