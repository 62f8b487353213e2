//! One connection to one server: dialled, agreed on, and used by one request at a time.
//!
//! Over TLS the server may choose HTTP/2. Its heads have no text of their own, so they are
//! written for the archive as HTTP/1.1 would have them, as other archivers do: a status line
//! without a version of its own would be no `application/http` block that tools can read.

use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Weak};

use base::{Url, limits};
use http_body_util::Empty;
use hyper::body::{Bytes, Incoming};
use hyper::client::conn::{http1, http2};
use hyper::header::{HOST, HeaderMap};
use hyper::http::request;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::{TokioExecutor, TokioIo};
use rustls::pki_types::ServerName;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::tls::{self, Offer, Tls};
use super::wire::{Socket, Tap, is_quiet};
use crate::{Failure, FetchOptions};

/// An open connection.
pub(super) struct Connection {
    sender: Sender,
    tap: Tap,
    /// Gone when the connection has ended.
    socket: Weak<TcpStream>,
    /// Whether a request was answered on it before.
    is_used: bool,
}

enum Sender {
    Http1(http1::SendRequest<Empty<Bytes>>),
    Http2(http2::SendRequest<Empty<Bytes>>),
}

/// A response's head, with what there is to archive.
pub(super) struct Answer {
    pub(super) response: Response<Incoming>,
    /// Head of the request as sent.
    pub(super) request: Vec<u8>,
    /// Head of the response as received.
    pub(super) head: Vec<u8>,
}

/// Why there was no answer.
pub(super) enum NoAnswer {
    /// As said.
    Failed(Failure),
    /// The server wants to be asked again over HTTP/1.1.
    WantsHttp1,
}

impl From<Failure> for NoAnswer {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}

/// Bytes that may arrive before a head is complete: itself, interim ones, HTTP/2's own talk and
/// as much body as fits in the buffers.
const BEFORE_HEAD: usize = 1024 * 1024;
/// Bytes of HTTP/2's own talk (settings, pings, leave-taking) while no request is under way.
const AT_REST: usize = 64 * 1024;
/// HTTP/2: bytes of body that a server may send ahead of our reading. A quarter of a mebibyte
/// keeps 64 requests within 16 MiB and lets 2.5 MB/s through at 100 ms.
const WINDOW: u32 = 256 * 1024;
/// HTTP/2: streams reset by either side that are remembered before the connection is given up.
const RESETS: usize = 16;

impl Connection {
    /// Dials, and for https agrees on TLS and on the version of HTTP.
    pub(super) async fn open(
        url: &Url,
        address: SocketAddr,
        options: &FetchOptions,
        tls: &Tls,
        offer: Offer,
    ) -> Result<Self, Failure> {
        let stream = match timeout(options.connect, TcpStream::connect(address)).await {
            Ok(Ok(stream)) => Arc::new(stream),
            Ok(Err(error)) => return Err(dial_failure(&error)),
            Err(_) => return Err(Failure::ConnectTimeout),
        };
        // A request is one small write; waiting to fill packets only delays it.
        let _ = stream.set_nodelay(true);
        let weak = Arc::downgrade(&stream);
        if !url.is_https() {
            return Self::http1(Socket(stream), weak).await;
        }
        let name =
            ServerName::try_from(url.host().as_str().to_owned()).map_err(|_| Failure::Tls)?;
        let handshake = tls.connector(offer).connect(name, Socket(stream));
        let stream = match timeout(options.handshake, handshake).await {
            Ok(Ok(stream)) => stream,
            Ok(Err(error)) => return Err(tls::failure(&error)),
            Err(_) => return Err(Failure::HandshakeTimeout),
        };
        match stream.get_ref().1.alpn_protocol() {
            Some(b"h2") => Self::http2(stream, weak).await,
            None | Some(b"http/1.1") => Self::http1(stream, weak).await,
            // rustls does not agree to what was not offered; this is for the day it does.
            Some(_) => Err(Failure::Tls),
        }
    }

    async fn http1<S>(stream: S, socket: Weak<TcpStream>) -> Result<Self, Failure>
    where
        S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        let tap = Tap::default();
        let (sender, connection) = http1::Builder::new()
            .max_buf_size(limits::HEAD_BYTES)
            .max_headers(limits::HEAD_FIELDS)
            .title_case_headers(true)
            // Lines that are no fields are passed over, as browsers do; a page is not lost
            // for one of them.
            .ignore_invalid_headers_in_responses(true)
            .allow_spaces_after_header_name_in_responses(true)
            .handshake(TokioIo::new(tap.clone().into(stream)))
            .await
            .map_err(|_| Failure::Protocol)?;
        // Ends when the sender is dropped or the server closes; its error reaches the sender.
        tokio::spawn(connection);
        Ok(Self { sender: Sender::Http1(sender), tap, socket, is_used: false })
    }

    async fn http2<S>(stream: S, socket: Weak<TcpStream>) -> Result<Self, Failure>
    where
        S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        let tap = Tap::default();
        tap.begin(BEFORE_HEAD);
        // Pushed resources are refused by hyper's own settings (HTTP-28).
        let (sender, connection) = http2::Builder::new(TokioExecutor::new())
            .initial_stream_window_size(WINDOW)
            .initial_connection_window_size(WINDOW)
            .max_header_list_size(limits::HEAD_BYTES as u32)
            .max_concurrent_reset_streams(RESETS)
            .max_pending_accept_reset_streams(RESETS)
            .max_local_error_reset_streams(RESETS)
            .max_send_buf_size(limits::HEAD_BYTES)
            .handshake(TokioIo::new(tap.clone().into(stream)))
            .await
            .map_err(|_| Failure::Protocol)?;
        tokio::spawn(connection);
        Ok(Self { sender: Sender::Http2(sender), tap, socket, is_used: false })
    }

    /// Sends a request for `url` and waits for the response's head.
    ///
    /// `parts` has the fields that every version sends; where it goes to is filled in here.
    pub(super) async fn send(
        &mut self,
        url: &Url,
        mut parts: request::Parts,
    ) -> Result<Answer, NoAnswer> {
        let host = match url.explicit_port() {
            Some(port) => format!("{}:{port}", url.host_str()),
            None => url.host_str().to_owned(),
        };
        let host = host.parse().map_err(|_| Failure::Protocol)?;
        let ready = match &mut self.sender {
            Sender::Http1(sender) => sender.ready().await,
            Sender::Http2(sender) => sender.ready().await,
        };
        ready.map_err(|error| self.no_answer(&error))?;
        self.tap.begin(BEFORE_HEAD);
        match &mut self.sender {
            Sender::Http1(sender) => {
                parts.uri = url.path_and_query().parse().map_err(|_| Failure::Protocol)?;
                let fields = std::mem::take(&mut parts.headers);
                // Servers expect it first.
                parts.headers.insert(HOST, host);
                parts.headers.extend(fields);
                let request = Request::from_parts(parts, Empty::new());
                let sent = sender.send_request(request).await;
                let response = sent.map_err(|error| self.no_answer(&error))?;
                let heads = self.tap.take_heads().filter(|(_, head)| is_of(head, &response));
                let (request, head) = heads.ok_or(Failure::Protocol)?;
                Ok(Answer { response, request, head })
            }
            Sender::Http2(sender) => {
                parts.uri = url.as_str().parse().map_err(|_| Failure::Protocol)?;
                let mut written = format!("GET {} HTTP/1.1\r\nHost: ", url.path_and_query());
                written.push_str(host.to_str().unwrap_or_default());
                let request = write_head(&format!("{written}\r\n"), &parts.headers);
                let sent = sender.send_request(Request::from_parts(parts, Empty::new())).await;
                let response = sent.map_err(|error| self.no_answer(&error))?;
                let head = written_head(&response).ok_or(Failure::Protocol)?;
                Ok(Answer { response, request, head })
            }
        }
    }

    /// Lets at most so many bytes arrive for the rest of a response.
    pub(super) fn allow(&self, bytes: usize) {
        self.tap.allow(bytes);
    }

    /// Returns whether the server sent more than it may.
    pub(super) fn is_overrun(&self) -> bool {
        self.tap.is_overrun()
    }

    /// Says that no request is under way: whatever an HTTP/1.1 server says now ends it.
    pub(super) fn rest(&mut self) {
        self.is_used = true;
        match self.sender {
            Sender::Http1(_) => self.tap.allow(0),
            Sender::Http2(_) => self.tap.allow(AT_REST),
        }
    }

    /// Returns whether another request could be sent.
    pub(super) fn is_usable(&self) -> bool {
        match &self.sender {
            Sender::Http1(sender) => !sender.is_closed(),
            Sender::Http2(sender) => !sender.is_closed(),
        }
    }

    /// Like [`Self::is_usable`], and nothing unasked for has arrived.
    pub(super) fn is_at_rest(&self) -> bool {
        let quiet = || match self.sender {
            Sender::Http1(_) => self.socket.upgrade().is_some_and(|socket| is_quiet(&socket)),
            Sender::Http2(_) => true,
        };
        self.is_usable() && !self.is_overrun() && quiet()
    }

    fn no_answer(&self, error: &hyper::Error) -> NoAnswer {
        match self.tap.is_overrun() {
            // What was left over from the answer before says nothing about this request.
            true if self.is_used => NoAnswer::Failed(Failure::Closed),
            // It spoke unasked (SSH, FTP and mail servers do) or without end.
            true => NoAnswer::Failed(Failure::Protocol),
            false => exchange_failure(error),
        }
    }
}

/// Returns whether a recorded head is the one that the library read.
///
/// Both look for the same empty line; if a crafted head ever fooled one of them, the archive
/// would say something else than the page record.
fn is_of(head: &[u8], response: &Response<Incoming>) -> bool {
    let status = head.split(|byte| *byte == b' ').nth(1).and_then(|word| word.get(..3));
    status.is_some_and(|status| status == response.status().as_str().as_bytes())
}

/// Writes an HTTP/2 response's head as HTTP/1.1 would have it; `None` if it has too many fields
/// or is too long.
fn written_head(response: &Response<Incoming>) -> Option<Vec<u8>> {
    if response.headers().len() > limits::HEAD_FIELDS {
        return None;
    }
    let status = response.status();
    let head = write_head(&status_line(status), response.headers());
    (head.len() <= limits::HEAD_BYTES).then_some(head)
}

fn status_line(status: StatusCode) -> String {
    let reason = status.canonical_reason().unwrap_or_default();
    format!("HTTP/1.1 {} {reason}\r\n", status.as_str())
}

/// Writes fields behind `first`; names and values cannot contain line breaks.
fn write_head(first: &str, headers: &HeaderMap) -> Vec<u8> {
    let fields: usize = headers.iter().map(|(name, value)| name.as_str().len() + value.len()).sum();
    let mut head = Vec::with_capacity(first.len() + fields + 4 * headers.len() + 2);
    head.extend_from_slice(first.as_bytes());
    for (name, value) in headers {
        head.extend_from_slice(name.as_str().as_bytes());
        head.extend_from_slice(b": ");
        head.extend_from_slice(value.as_bytes());
        head.extend_from_slice(b"\r\n");
    }
    head.extend_from_slice(b"\r\n");
    head
}

pub(super) fn dial_failure(error: &io::Error) -> Failure {
    match error.kind() {
        io::ErrorKind::ConnectionRefused => Failure::Refused,
        io::ErrorKind::TimedOut => Failure::ConnectTimeout,
        _ => Failure::Unreachable,
    }
}

fn exchange_failure(error: &hyper::Error) -> NoAnswer {
    if error.is_incomplete_message() || error.is_canceled() || error.is_closed() {
        return NoAnswer::Failed(Failure::Closed);
    }
    let cause = std::error::Error::source(error);
    if let Some(cause) = cause.and_then(|cause| cause.downcast_ref::<h2::Error>()) {
        return match cause.reason() {
            Some(h2::Reason::HTTP_1_1_REQUIRED) => NoAnswer::WantsHttp1,
            Some(h2::Reason::REFUSED_STREAM) => NoAnswer::Failed(Failure::Closed),
            // Taking leave in good order without having answered.
            Some(h2::Reason::NO_ERROR) if cause.is_go_away() => NoAnswer::Failed(Failure::Closed),
            None if cause.is_io() => NoAnswer::Failed(Failure::Closed),
            _ => NoAnswer::Failed(Failure::Protocol),
        };
    }
    let broken = cause.and_then(|cause| cause.downcast_ref::<io::Error>()).map(io::Error::kind);
    NoAnswer::Failed(match broken {
        Some(
            io::ErrorKind::ConnectionReset
            | io::ErrorKind::BrokenPipe
            // TLS without a farewell.
            | io::ErrorKind::UnexpectedEof,
        ) => Failure::Closed,
        _ => Failure::Protocol,
    })
}
