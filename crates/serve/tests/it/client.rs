//! A client of few lines that says exactly what the tests want said.

use std::io::{BufRead as _, BufReader, ErrorKind, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

/// What came back.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    head: String,
    pub(crate) body: String,
}

impl Reply {
    /// Returns the value of a header; panics if it came twice.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let mut values = self.head.lines().skip(1).filter_map(|line| {
            let (key, value) = line.split_once(':')?;
            key.eq_ignore_ascii_case(name).then(|| value.trim())
        });
        let value = values.next();
        assert!(values.next().is_none(), "`{name}` came twice: {}", self.head);
        value
    }

    /// Returns the body as JSON.
    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.body).unwrap()
    }
}

/// Asks for a path and reads the whole answer.
pub(crate) fn get(address: SocketAddr, path: &str) -> Reply {
    send(address, &format!("GET {path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"))
}

/// Asks for a path by a name of this machine, with more header fields, each with its line end.
pub(crate) fn get_here(address: SocketAddr, path: &str, fields: &str) -> Reply {
    let head = format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n");
    send(address, &format!("{head}{fields}\r\n"))
}

/// Asks for a path with more header fields, each with its line end.
pub(crate) fn get_with(address: SocketAddr, path: &str, fields: &str) -> Reply {
    send(address, &format!("GET {path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n{fields}\r\n"))
}

/// Asks for a path and returns head and body as they come.
pub(crate) fn get_bytes(address: SocketAddr, path: &str, fields: &str) -> (String, Vec<u8>) {
    let mut stream = connect(address);
    let request = format!("GET {path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n{fields}\r\n");
    stream.write_all(request.as_bytes()).unwrap();
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).unwrap();
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n").unwrap();
    (String::from_utf8(bytes[..end].to_vec()).unwrap(), bytes[end + 4..].to_vec())
}

/// Sends a form with more header fields, each with its line end.
pub(crate) fn post(address: SocketAddr, path: &str, fields: &str, body: &str) -> Reply {
    let length = body.len();
    send(
        address,
        &format!(
            "POST {path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n{fields}\
             Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {length}\r\n\r\n{body}"
        ),
    )
}

/// Sends this text and reads until the server closes.
pub(crate) fn send(address: SocketAddr, request: &str) -> Reply {
    send_bytes(address, request.as_bytes())
}

/// Sends these bytes and reads until the server closes.
pub(crate) fn send_bytes(address: SocketAddr, request: &[u8]) -> Reply {
    let mut stream = connect(address);
    // The server may answer and close before it has read everything.
    let _ = stream.write_all(request);
    parse(&read_to_close(&mut stream))
}

/// Opens a connection that gives up reading after ten seconds.
pub(crate) fn connect(address: SocketAddr) -> TcpStream {
    let stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
    stream
}

/// Reads until the server closes, whether in good order or not.
pub(crate) fn read_to_close(stream: &mut TcpStream) -> String {
    let mut bytes = Vec::new();
    let mut piece = [0; 4096];
    loop {
        match stream.read(&mut piece) {
            Ok(0) => break,
            Ok(length) => bytes.extend_from_slice(&piece[..length]),
            Err(error) if error.kind() == ErrorKind::ConnectionReset => break,
            Err(error) => panic!("{error}; read so far: {}", String::from_utf8_lossy(&bytes)),
        }
    }
    String::from_utf8(bytes).unwrap()
}

/// Takes one answer apart.
pub(crate) fn parse(text: &str) -> Reply {
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or_else(|| panic!("no head: {text:?}"));
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    Reply { status, head: head.to_owned(), body: body.to_owned() }
}

/// A connection that is kept from request to request.
pub(crate) struct Kept(BufReader<TcpStream>);

impl Kept {
    pub(crate) fn to(address: SocketAddr) -> Self {
        let stream = connect(address);
        stream.set_nodelay(true).unwrap();
        Self(BufReader::new(stream))
    }

    /// Asks for a path; returns the status. Panics if the connection was closed.
    pub(crate) fn get(&mut self, path: &str) -> u16 {
        let request = format!("GET {path} HTTP/1.1\r\nHost: a\r\n\r\n");
        self.0.get_mut().write_all(request.as_bytes()).unwrap();
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            assert_ne!(self.0.read_line(&mut head).unwrap(), 0, "closed after {head:?}");
        }
        let reply = parse(&head);
        let length = reply.header("content-length").unwrap().parse().unwrap();
        let body = self.0.by_ref().take(length);
        assert_eq!(std::io::copy(&mut { body }, &mut std::io::sink()).unwrap(), length);
        reply.status
    }
}
