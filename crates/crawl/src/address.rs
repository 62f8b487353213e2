//! Which addresses may be dialled (DNS-01 … DNS-08, URL-01).
//!
//! A stranger writes the links and the names we follow, so an address that only we can reach
//! must not be reached for him: this machine, its network, the metadata service of a cloud. The
//! ranges are those of IANA's special-purpose registries; of IPv6 only 2000::/3 is public.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use crate::Addresses;

/// Returns whether `address` may be dialled.
///
/// An IPv6 address that carries an IPv4 address is judged by the inner one, also against
/// `deny`, which lists addresses that may not be dialled even though they are public.
pub(crate) fn may_dial(address: IpAddr, allowed: Addresses, deny: &[IpAddr]) -> bool {
    if isatap(address).is_some_and(|inside| !may_dial(inside, allowed, deny)) {
        return false;
    }
    let address = inner(address);
    if deny.iter().any(|denied| inner(*denied) == address) {
        return false;
    }
    if address.is_loopback() || allowed == Addresses::Loopback {
        return address.is_loopback() && allowed != Addresses::Public;
    }
    match address {
        IpAddr::V4(v4) => {
            !is_reserved_v4(v4) && (!is_private_v4(v4) || allowed == Addresses::Private)
        }
        IpAddr::V6(v6) if is_private_v6(v6) => {
            // Amazon's metadata service has an address among the private ones (DNS-07).
            allowed == Addresses::Private && v6.segments()[..2] != [0xfd00, 0xec2]
        }
        IpAddr::V6(v6) => !is_reserved_v6(v6),
    }
}

/// Unwraps IPv6 addresses that stand for an IPv4 address.
///
/// Teredo's are not among them: nothing under 2001::/23 is dialled.
fn inner(address: IpAddr) -> IpAddr {
    let IpAddr::V6(v6) = address else { return address };
    match v6.segments() {
        // `::1` and `::` are themselves; other `::a.b.c.d` are IPv4-compatible.
        [0, 0, 0, 0, 0, 0, 0, 0 | 1] => address,
        // Compatible, mapped (RFC 4291) and translated (RFC 2765).
        [0, 0, 0, 0, 0, 0 | 0xffff, high, low] | [0, 0, 0, 0, 0xffff, 0, high, low] => {
            v4(high, low)
        }
        // NAT64 (RFC 6052) and 6to4 (RFC 3056).
        [0x64, 0xff9b, 0, 0, 0, 0, high, low] | [0x2002, high, low, ..] => v4(high, low),
        _ => address,
    }
}

/// Returns the IPv4 address at the end of an ISATAP address (RFC 5214).
///
/// What stands before it is a network of its own: both are judged.
fn isatap(address: IpAddr) -> Option<IpAddr> {
    let IpAddr::V6(v6) = address else { return None };
    let [_, _, _, _, 0 | 0x200, 0x5efe, high, low] = v6.segments() else { return None };
    Some(v4(high, low))
}

fn v4(high: u16, low: u16) -> IpAddr {
    IpAddr::V4(Ipv4Addr::from_bits(u32::from(high) << 16 | u32::from(low)))
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

/// Everything but 2000::/3, and in there protocol assignments and documentation.
fn is_reserved_v6(address: Ipv6Addr) -> bool {
    let segments = address.segments();
    (segments[0] & 0xe000) != 0x2000
        || segments[0] == 0x2001 && (segments[1] < 0x200 || segments[1] == 0xdb8)
        || segments[0] == 0x3fff && segments[1] < 0x1000
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(address: &str, allowed: Addresses, expected: bool) {
        assert_eq!(may_dial(address.parse().unwrap(), allowed, &[]), expected, "{address}");
    }

    #[track_caller]
    fn check_all(addresses: &[&str], expected: bool) {
        for address in addresses {
            check(address, Addresses::Public, expected);
        }
    }

    #[test]
    fn public_addresses_may_be_dialled() {
        check_all(
            &[
                "9.9.9.9",
                "193.0.6.139",
                "100.63.255.255",
                "100.128.0.1",
                "172.15.255.255",
                "172.32.0.1",
                "198.17.0.1",
                "198.20.0.1",
                "223.255.255.255",
                "2a00:1450::1",
                "2001:200::1",
                "2606:4700::1111",
                "3fff:1000::1",
            ],
            true,
        );
    }

    #[test]
    fn dns_01_private_and_reserved_addresses_are_refused() {
        check_all(
            &[
                "0.0.0.0",
                "0.1.2.3",
                "127.0.0.1",
                "127.255.255.255",
                "10.1.2.3",
                "172.16.0.1",
                "172.31.255.255",
                "192.168.1.1",
                "100.64.0.1",
                "100.127.255.255",
                "192.0.0.8",
                "192.0.2.1",
                "198.51.100.1",
                "203.0.113.1",
                "192.88.99.1",
                "198.18.0.1",
                "198.19.255.255",
                "224.0.0.1",
                "239.255.255.250",
                "240.0.0.1",
                "255.255.255.255",
                "::",
                "::1",
                "100::1",
                "2001:db8::1",
                "2001:2::1",
                "3fff::1",
                "4000::1",
                "5f00::1",
                "fc00::1",
                "fd12:3456::1",
                "fe80::1",
                "fec0::1",
                "ff02::1",
            ],
            false,
        );
    }

    #[test]
    fn dns_05_mapped_addresses_are_judged_by_the_inner_one() {
        check_all(&["::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:169.254.169.254"], false);
        check_all(&["::127.0.0.1", "::2", "::ffff:0:127.0.0.1"], false);
        check_all(&["::ffff:9.9.9.9", "::9.9.9.9", "::ffff:0:9.9.9.9"], true);
    }

    #[test]
    fn dns_06_tunnelled_addresses_are_judged_by_the_inner_one() {
        check_all(&["64:ff9b::7f00:1", "64:ff9b::10.0.0.1", "64:ff9b::a9fe:a9fe"], false);
        check_all(&["2002:7f00:1::", "2002:c0a8:101::1"], false);
        check_all(&["2a00::5efe:10.0.0.1", "2a00::200:5efe:127.0.0.1"], false);
        check_all(&["fe80::5efe:9.9.9.9", "fd00::5efe:9.9.9.9"], false);
        // Teredo, with 127.0.0.1 turned around in it.
        check_all(&["2001:0:4136:e378:8000:63bf:80ff:fffe"], false);
        check_all(&["64:ff9b::9.9.9.9", "2002:909:909::1", "2a00::5efe:9.9.9.9"], true);
        // The local-use prefix of NAT64 (RFC 8215) hides its address wherever its owner likes.
        check_all(&["64:ff9b:1::9.9.9.9", "64:ff9b:1::7f00:1"], false);
    }

    #[test]
    fn dns_07_metadata_services_are_refused_even_in_an_intranet() {
        for address in ["169.254.169.254", "fd00:ec2::254", "::ffff:169.254.169.254"] {
            for allowed in [Addresses::Public, Addresses::Loopback, Addresses::Private] {
                check(address, allowed, false);
            }
        }
    }

    #[test]
    fn dns_08_denied_addresses_are_refused_in_every_disguise() {
        let deny: Vec<IpAddr> =
            ["9.9.9.9", "2a00::1", "::ffff:8.8.8.8"].iter().map(|a| a.parse().unwrap()).collect();
        let may = |address: &str| may_dial(address.parse().unwrap(), Addresses::Public, &deny);
        for address in
            ["9.9.9.9", "::ffff:9.9.9.9", "64:ff9b::9.9.9.9", "2002:909:909::", "2a00::1"]
        {
            assert!(!may(address), "{address}");
        }
        assert!(!may("8.8.8.8"));
        assert!(may("9.9.9.10") && may("2a00::2"));
    }

    #[test]
    fn loopback_and_private_networks_only_on_request() {
        check("127.3.4.5", Addresses::Loopback, true);
        check("::1", Addresses::Loopback, true);
        check("::ffff:127.0.0.1", Addresses::Loopback, true);
        check("10.0.0.1", Addresses::Loopback, false);
        check("9.9.9.9", Addresses::Loopback, false);
        check("2a00:1450::1", Addresses::Loopback, false);
        check("fd00::1", Addresses::Loopback, false);
        check("10.0.0.1", Addresses::Private, true);
        check("100.64.0.1", Addresses::Private, true);
        check("fd00::1", Addresses::Private, true);
        check("224.0.0.1", Addresses::Private, false);
    }
}
