//! The head of a request, read from a socket.
//!
//! Our own reader rather than a library's: scripted answers need the bare socket, and the log
//! needs the moment at which the head was complete.

use std::io;

use tokio::io::{AsyncRead, AsyncReadExt};

/// Longest head read; a longer one is answered with 431.
const MAX_HEAD: usize = 64 * 1024;

/// A request's head, owned.
pub(crate) struct Head {
    pub(crate) method: String,
    /// Path and query; an absolute request target is cut down to them.
    pub(crate) target: String,
    /// Names in lower case.
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) keep_alive: bool,
}

/// What came over the wire in place of a request.
pub(crate) enum Unread {
    /// The client is done.
    Closed,
    /// The head cannot be read; this status says why.
    Bad(u16),
}

/// Bytes received and not yet used, across the requests of one connection.
#[derive(Default)]
pub(crate) struct Inbox {
    bytes: Vec<u8>,
}

impl Inbox {
    /// Reads one head. The body, if any, stays in the socket: see [`Self::skip`].
    pub(crate) async fn head(
        &mut self,
        socket: &mut (impl AsyncRead + Unpin),
    ) -> Result<Head, Unread> {
        let mut seen = 0;
        loop {
            if let Some(end) = end_of_head(&self.bytes, seen) {
                let rest = self.bytes.split_off(end);
                let head = std::mem::replace(&mut self.bytes, rest);
                return parse(&head).ok_or(Unread::Bad(400));
            }
            // The blank line may begin in what is already here.
            seen = self.bytes.len().saturating_sub(3);
            if self.bytes.len() > MAX_HEAD {
                return Err(Unread::Bad(431));
            }
            match socket.read_buf(&mut self.bytes).await {
                Ok(1..) => {}
                Ok(0) | Err(_) => return Err(Unread::Closed),
            }
        }
    }

    /// Reads and forgets a request body of `length` bytes.
    pub(crate) async fn skip(
        &mut self,
        socket: &mut (impl AsyncRead + Unpin),
        length: usize,
    ) -> io::Result<()> {
        while self.bytes.len() < length {
            if socket.read_buf(&mut self.bytes).await? == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
        }
        self.bytes.drain(..length);
        Ok(())
    }
}

impl Head {
    /// Returns the first value of a field, asked for in lower case.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// Returns the `Host` field in lower case without its port.
    pub(crate) fn host(&self) -> Option<String> {
        let host = self.header("host")?.trim();
        let name = host.rsplit_once(':').map_or(host, |(name, _)| name);
        Some(name.trim_end_matches('.').to_ascii_lowercase())
    }
}

/// Returns the index after the blank line that ends a head.
fn end_of_head(bytes: &[u8], from: usize) -> Option<usize> {
    let found = bytes.get(from..)?.windows(4).position(|window| window == b"\r\n\r\n")?;
    Some(from + found + 4)
}

fn parse(bytes: &[u8]) -> Option<Head> {
    let text = String::from_utf8_lossy(bytes);
    let mut lines = text.split("\r\n");
    let mut words = lines.next()?.split(' ');
    let (method, target, version) = (words.next()?, words.next()?, words.next()?);
    if method.is_empty() || words.next().is_some() || !version.starts_with("HTTP/1.") {
        return None;
    }
    let mut headers = Vec::new();
    for line in lines.take_while(|line| !line.is_empty()) {
        let (name, value) = line.split_once(':')?;
        headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
    }
    let connection = headers.iter().find(|(name, _)| name == "connection");
    let connection = connection.map_or("", |(_, value)| value.as_str());
    let keep_alive = match version {
        "HTTP/1.0" => connection.eq_ignore_ascii_case("keep-alive"),
        _ => !connection.eq_ignore_ascii_case("close"),
    };
    let target = origin_form(target)?;
    Some(Head { method: method.to_owned(), target, headers, keep_alive })
}

/// Returns path and query of a target that may be a whole URL, as proxies' clients send it.
fn origin_form(target: &str) -> Option<String> {
    if target.starts_with('/') || target == "*" {
        return Some(target.to_owned());
    }
    let (_, rest) = target.split_once("://")?;
    Some(rest.find('/').map_or_else(|| "/".to_owned(), |slash| rest[slash..].to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_is_read_whole_however_it_is_cut() {
        let text: &[u8] =
            b"GET /a?b=c HTTP/1.1\r\nHost: Cats.Lookfar:80\r\nX: y \r\n\r\nGET / HTTP/1.0\r\n\r\n";
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        for cut in 0..=text.len() {
            let (mut first, mut second) = text.split_at(cut);
            let mut socket = AsyncReadExt::chain(&mut first, &mut second);
            let mut inbox = Inbox::default();
            let Ok(one) = runtime.block_on(inbox.head(&mut socket)) else { panic!("cut {cut}") };
            assert_eq!(
                (one.target.as_str(), one.host().as_deref()),
                ("/a?b=c", Some("cats.lookfar"))
            );
            assert!(one.keep_alive && one.header("x") == Some("y"));
            let Ok(two) = runtime.block_on(inbox.head(&mut socket)) else { panic!("cut {cut}") };
            assert!(!two.keep_alive && two.host().is_none());
        }
    }

    #[test]
    fn nonsense_is_refused() {
        for bad in [
            "GET\r\n\r\n",
            "GET / HTTP/2\r\n\r\n",
            "GET / HTTP/1.1\r\nno colon\r\n\r\n",
            " / HTTP/1.1\r\n\r\n",
        ] {
            assert!(parse(bad.as_bytes()).is_none(), "{bad:?}");
        }
        assert_eq!(parse(b"GET http://a.b/c HTTP/1.1\r\n\r\n").unwrap().target, "/c");
    }
}
