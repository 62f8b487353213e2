//! Lets a person's browser open the web's pages.
//!
//! Browsers resolve every name under `localhost` themselves, so `cats.localhost:7480` reaches
//! us without our DNS server. Pages fetched that way get their links to other hosts of the web
//! rewritten likewise; a crawler, which asks for `cats.lookfar`, sees the page as it is.

use crate::hosts::{Hosts, TLD};

const SCHEME: &[u8] = b"http://";

/// Returns the address a browser on this machine opens for a host of the web.
pub(crate) fn authority(host: &str, port: u16) -> String {
    let stem = host.strip_suffix(TLD).and_then(|stem| stem.strip_suffix('.')).unwrap_or(host);
    format!("{stem}.localhost:{port}")
}

/// Rewrites every `http://host` of the web in `text` to the address a browser can open.
pub(crate) fn rewrite(text: &[u8], hosts: &Hosts, port: u16) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len() + text.len() / 16);
    let mut rest = text;
    while let Some(at) = rest.windows(SCHEME.len()).position(|window| window == SCHEME) {
        let (before, after) = rest.split_at(at + SCHEME.len());
        out.extend_from_slice(before);
        let is_name = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-' | b'_');
        let length = after.iter().take_while(|b| is_name(b)).count();
        let (name, remainder) = after.split_at(length);
        let known = std::str::from_utf8(name).ok().map(str::to_ascii_lowercase);
        match known.filter(|name| hosts.by_name(name).is_some()) {
            Some(name) => out.extend_from_slice(authority(&name, port).as_bytes()),
            None => out.extend_from_slice(name),
        }
        rest = remainder;
    }
    out.extend_from_slice(rest);
    out
}
