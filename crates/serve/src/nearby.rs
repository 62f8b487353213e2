//! Names of this machine that no stranger can own.
//!
//! A name of a stranger's can be made to point here after a page of his was loaded under it (DNS
//! rebinding): then his page may read what we answer. What is meant for this machine alone, and
//! what pages of others may not ask, is told by the name that was asked for.

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

fn is_local_name(host: &str) -> bool {
    let host = host.to_ascii_lowercase();
    host == "localhost" || host.ends_with(".localhost")
}

fn address(host: &str) -> Option<IpAddr> {
    host.trim_start_matches('[').trim_end_matches(']').parse().ok()
}

/// Returns a host without its port.
fn name(host: &str) -> &str {
    match host.rfind(']') {
        Some(end) => &host[..=end],
        None => host.split(':').next().unwrap_or_default(),
    }
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
        assert!(!is_for_this_machine(&HeaderMap::new()));
    }
}
