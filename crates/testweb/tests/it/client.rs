//! A client so plain that it hides nothing: bytes out, bytes in.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use testweb::{Answer, Request, Running, Site};

/// A response, split but not interpreted.
pub(crate) struct Response {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
}

impl Response {
    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().skip(1).find_map(|line| {
            let (key, value) = line.split_once(':')?;
            key.eq_ignore_ascii_case(name).then_some(value.trim())
        })
    }
}

/// One connection.
pub(crate) struct Client {
    socket: TcpStream,
}

impl Client {
    pub(crate) fn connect(address: SocketAddr) -> Self {
        let socket = TcpStream::connect(address).unwrap();
        socket.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        Self { socket }
    }

    pub(crate) fn wait_at_most(&mut self, limit: Duration) {
        self.socket.set_read_timeout(Some(limit)).unwrap();
    }

    pub(crate) fn send(&mut self, text: &str) {
        self.socket.write_all(text.as_bytes()).unwrap();
    }

    pub(crate) fn get(&mut self, host: &str, target: &str, more: &str) -> Response {
        self.send(&format!(
            "GET {target} HTTP/1.1\r\nHost: {host}\r\nUser-Agent: plain\r\n{more}\r\n"
        ));
        self.response()
    }

    /// Reads one response by its `Content-Length`.
    pub(crate) fn response(&mut self) -> Response {
        let mut bytes = Vec::new();
        let mut byte = [0];
        while !bytes.ends_with(b"\r\n\r\n") {
            assert_eq!(
                self.socket.read(&mut byte).unwrap(),
                1,
                "closed within the head: {bytes:?}"
            );
            bytes.push(byte[0]);
        }
        let head = String::from_utf8(bytes).unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        let mut response = Response { status, head, body: Vec::new() };
        let length = response.header("content-length").map_or(0, |text| text.parse().unwrap());
        response.body.resize(length, 0);
        self.socket.read_exact(&mut response.body).unwrap();
        response
    }

    /// Reads until the other side closes; an error (a reset) is returned as one.
    pub(crate) fn rest(&mut self) -> std::io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.socket.read_to_end(&mut bytes).map(|_| bytes)
    }
}

/// Fetches one page over a connection of its own.
pub(crate) fn get(web: &Running, host: &str, target: &str) -> Response {
    get_with(web, host, target, "")
}

/// Fetches one page with more header fields, each ended by CR LF.
pub(crate) fn get_with(web: &Running, host: &str, target: &str, more: &str) -> Response {
    let address = web.socket_of(host).unwrap_or_else(|| panic!("no host `{host}`"));
    Client::connect(address).get(host, target, more)
}

/// A site that says what it was asked.
pub(crate) struct Echo(pub(crate) &'static str);

impl Site for Echo {
    fn host(&self) -> &str {
        self.0
    }

    fn answer(&self, request: &Request<'_>) -> Answer {
        match request.path() {
            "/dated" => Answer::html("dated")
                .with_header("Cache-Control", "no-store")
                .with_header("Last-Modified", "Sun, 01 Nov 2026 10:00:00 GMT"),
            "/age" => Answer::html(request.elapsed.as_secs().to_string()),
            "/links" => Answer::html(
                r#"<a href="http://b.lookfar/x">b</a> <a href="http://elsewhere.example/">e</a>"#,
            ),
            "/long" => Answer::html("word ".repeat(2_000)),
            target => Answer::html(format!("{} {target}", self.0)),
        }
    }
}
