//! What a made-up host is: something that answers requests.
//!
//! Every kind of site (generated, a folder of real files, WebKB, scripted, the demo web)
//! implements [`Site`]; the server and the DNS server know nothing else about them.

use std::time::Duration;

use crate::{Frames, Tls};

/// One virtual host of the web.
pub trait Site: Send + Sync {
    /// Returns the host name in lower case (`cats.lookfar`), or an address (`127.9.0.1`)
    /// for a host that is known by its address only. `*.trap.lookfar` answers for every name
    /// below `trap.lookfar`.
    fn host(&self) -> &str;

    /// Answers one request. Must be deterministic in the request (its path and `elapsed`).
    fn answer(&self, request: &Request<'_>) -> Answer;

    /// Replies to one request; what the server calls.
    ///
    /// An ordinary site only answers. Scripted ones put in [`Raw`] bytes, to say what no
    /// well-behaved server would.
    fn reply(&self, request: &Request<'_>) -> Reply {
        Reply::Answer(self.answer(request))
    }

    /// Returns how it speaks TLS, in a web that does.
    fn tls(&self) -> Tls {
        Tls::default()
    }

    /// Returns what it says on a plain connection before it is asked anything.
    fn greeting(&self) -> Option<Raw> {
        None
    }

    /// Returns the name of a group of hosts that live on one address, if this host is in one.
    fn address_group(&self) -> Option<&str> {
        None
    }
}

/// A request as a site sees it.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// `GET` or `HEAD`, mostly.
    pub method: &'a str,
    /// Path and query exactly as sent: `/a/b?c=d`.
    pub target: &'a str,
    /// Request header fields in the order sent, names in lower case.
    pub headers: &'a [(String, String)],
    /// Time since the web began; pages that change read it instead of a clock.
    pub elapsed: Duration,
}

impl<'a> Request<'a> {
    /// Returns the path without the query.
    pub fn path(&self) -> &'a str {
        self.target.split('?').next().unwrap_or(self.target)
    }

    /// Returns the query without the question mark, if there is one.
    pub fn query(&self) -> Option<&'a str> {
        self.target.split_once('?').map(|(_, query)| query)
    }

    /// Returns the first value of a header field, asked for in lower case.
    pub fn header(&self, name: &str) -> Option<&'a str> {
        self.headers.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }
}

/// What the server sends back.
#[derive(Clone, Debug)]
pub struct Answer {
    /// HTTP status.
    pub status: u16,
    /// Header fields beside `Content-Length` and `Date`, which the server adds. An `ETag` made
    /// from the body is added too, unless there is one or `Cache-Control` says `no-store`.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Vec<u8>,
    /// How slowly it is sent.
    pub pace: Pace,
}

/// How an answer is paced.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pace {
    /// Wait before the first byte of the head.
    pub before: Duration,
    /// Bytes per piece of the body; 0 sends it whole.
    pub piece: usize,
    /// Wait between two pieces.
    pub between: Duration,
}

/// A well-formed answer, or bytes as they are.
#[derive(Clone, Debug)]
pub enum Reply {
    /// The server makes a response of it: length, date, conditions, compression.
    Answer(Answer),
    /// The server sends these bytes and nothing else.
    Raw(Raw),
    /// The server sends these HTTP/2 frames on the request's stream and nothing else.
    Frames(Frames),
}

/// Bytes that reach the socket unchanged, and what becomes of the connection.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Raw {
    /// Sent once: status line, header fields and body, or whatever stands in their place.
    pub bytes: Vec<u8>,
    /// Sent after `bytes`, again and again.
    pub again: Vec<u8>,
    /// How often `again` is sent; the client leaving ends it early.
    pub times: u64,
    /// How slowly all of it is sent.
    pub pace: Pace,
    /// What happens to the connection afterwards.
    pub end: End,
}

/// What happens to a connection after [`Raw`] bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum End {
    /// The server closes it in good order, over TLS with a farewell.
    #[default]
    Close,
    /// The server closes the socket; TLS ends without a farewell.
    Vanish,
    /// It stays open and silent until the client leaves.
    Hang,
    /// It is torn down with a TCP reset.
    Reset,
    /// It goes on to the next request.
    KeepAlive,
}

impl Raw {
    /// Returns bytes sent at once, after which the server closes.
    pub fn new(bytes: impl Into<Vec<u8>>) -> Self {
        Self { bytes: bytes.into(), ..Self::default() }
    }

    /// Sends `again` `times` times after the bytes.
    #[must_use]
    pub fn followed_by(mut self, again: impl Into<Vec<u8>>, times: u64) -> Self {
        self.again = again.into();
        self.times = times;
        self
    }

    /// Sets the pace.
    #[must_use]
    pub fn paced(mut self, pace: Pace) -> Self {
        self.pace = pace;
        self
    }

    /// Sets what happens afterwards.
    #[must_use]
    pub fn then(mut self, end: End) -> Self {
        self.end = end;
        self
    }
}

impl Pace {
    /// Returns a pace that waits before the first byte and then hurries.
    pub fn after(before: Duration) -> Self {
        Self { before, ..Self::default() }
    }

    /// Returns a pace of `piece` bytes, then a wait of `between`, and so on.
    pub fn pieces(piece: usize, between: Duration) -> Self {
        Self { before: Duration::ZERO, piece, between }
    }
}

impl Answer {
    /// Returns a 200 answer with a content type.
    pub fn ok(content_type: &str, body: impl Into<Vec<u8>>) -> Self {
        Self::status(200, content_type, body)
    }

    /// Returns a 200 HTML answer in UTF-8.
    pub fn html(body: impl Into<Vec<u8>>) -> Self {
        Self::ok("text/html; charset=utf-8", body)
    }

    /// Returns an answer with any status.
    pub fn status(status: u16, content_type: &str, body: impl Into<Vec<u8>>) -> Self {
        let headers = vec![("Content-Type".to_owned(), content_type.to_owned())];
        Self { status, headers, body: body.into(), pace: Pace::default() }
    }

    /// Returns the usual 404.
    pub fn not_found() -> Self {
        Self::status(404, "text/html; charset=utf-8", "<title>Not found</title><h1>Not found</h1>")
    }

    /// Returns a redirect to `location` with a 3xx `status`.
    pub fn redirect(status: u16, location: &str) -> Self {
        Self::status(status, "text/plain", "").with_header("Location", location)
    }

    /// Returns the first value of a header field of the answer, whatever its case.
    pub fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(key, _)| key.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    }

    /// Adds a header field.
    #[must_use]
    pub fn with_header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Sets the pace.
    #[must_use]
    pub fn with_pace(mut self, pace: Pace) -> Self {
        self.pace = pace;
        self
    }
}
