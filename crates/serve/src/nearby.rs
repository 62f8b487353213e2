//! Names of this machine that no stranger can own.
//!
//! A name of a stranger's can be made to point here after a page of his was loaded under it (DNS
//! rebinding): then his page may read what we answer. What is meant for this machine alone, and
//! what pages of others may not ask, is told by the name that was asked for. So is whether links of
//! ours may repeat that name.

use std::net::IpAddr;

use axum::http::HeaderMap;
use axum::http::header::HOST;

/// Returns whether a request asks for this machine by a name that only it has.
pub(crate) fn is_for_this_machine(headers: &HeaderMap) -> bool {
    let host = headers.get(HOST).and_then(|host| host.to_str().ok()).map(name);
    host.is_some_and(|host| is_local_name(host) || address(host).is_some_and(|at| at.is_loopback()))
}

/// Returns whether a host, with or without a port, is one that no name of a stranger's leads to: an
/// address, or a name of this machine.
pub(crate) fn is_unowned(host: &str) -> bool {
    let host = name(host);
    is_local_name(host) || address(host).is_some()
}

/// Returns whether a host, with or without a port, leads nowhere that a stranger on the Internet could
/// have for himself: one that is unowned, or a name that only the network around gives out. That
/// network is trusted less than this machine, so such a name opens nothing.
pub(crate) fn is_around(host: &str) -> bool {
    let name = name(host).to_ascii_lowercase();
    let is_single = !name.is_empty() && !name.contains(['.', '[']);
    is_unowned(host) || is_single || AROUND.iter().any(|end| name.ends_with(end))
}

/// Ends of names that are never delegated: RFC 6762, RFC 8375, ICANN's for private use, and the one
/// that many routers hand out.
const AROUND: [&str; 4] = [".local", ".home.arpa", ".internal", ".lan"];

fn is_local_name(host: &str) -> bool {
    let host = host.to_ascii_lowercase();
    host == "localhost" || host.ends_with(".localhost")
}

fn address(host: &str) -> Option<IpAddr> {
    host.trim_start_matches('[').trim_end_matches(']').parse().ok()
}

/// Returns a host without its port; nothing if what follows the name is no port.
fn name(host: &str) -> &str {
    let end = host.rfind(']').map_or_else(|| host.find(':').unwrap_or(host.len()), |end| end + 1);
    let (name, port) = host.split_at(end);
    let is_port = |port: &str| port.bytes().all(|byte| byte.is_ascii_digit());
    if port.is_empty() || port.strip_prefix(':').is_some_and(is_port) { name } else { "" }
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    #[test]
    fn only_names_that_nobody_else_can_have_are_this_machine() {
        let check = |host: &'static str, is_here: bool, is_free: bool| {
            let mut headers = HeaderMap::new();
            headers.insert(HOST, HeaderValue::from_static(host));
            assert_eq!(
                (is_for_this_machine(&headers), is_unowned(host)),
                (is_here, is_free),
                "{host}"
            );
        };
        check("127.0.0.1:7700", true, true);
        check("[::1]:7700", true, true);
        check("LocalHost", true, true);
        check("zoo.localhost:1", true, true);
        check("192.0.2.1:7700", false, true);
        check("evil.example:7700", false, false);
        check("localhost.evil.example", false, false);
        check("", false, false);
        check("localhost:7700.evil.example", false, false);
        check("[::1].evil.example", false, false);
        assert!(!is_for_this_machine(&HeaderMap::new()));
    }

    #[test]
    fn names_of_the_network_around_are_told_from_those_of_the_internet() {
        for host in ["localhost", "192.0.2.1:80", "nas", "NAS:7700", "nas.local", "a.home.arpa:1"] {
            assert!(is_around(host), "{host}");
        }
        for host in ["", ":80", "evil.example", "evil.example:7700", "nas.", "nas:x.evil.example"] {
            assert!(!is_around(host), "{host}");
        }
        for host in ["local.evil.example", "evil-local.example", "[nas", "[::1]nas", ".local.x"] {
            assert!(!is_around(host), "{host}");
        }
    }
}
