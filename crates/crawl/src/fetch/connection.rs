//! One connection to one server, with a record of what goes over it.

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};

use base::{Url, limits};
use http_body_util::Empty;
use hyper::body::{Bytes, Incoming};
use hyper::client::conn::http1::{self, SendRequest};
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use rustls::pki_types::ServerName;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;

use crate::{Failure, FetchOptions};

/// An open HTTP/1.1 connection.
pub(super) struct Connection {
    sender: SendRequest<Empty<Bytes>>,
    record: Arc<Mutex<Record>>,
}

/// The first bytes in each direction since the last request began.
#[derive(Default)]
struct Record {
    sent: Vec<u8>,
    received: Vec<u8>,
}

/// Bytes of each direction that are recorded: a head may not be longer.
const RECORDED: usize = limits::HEAD_BYTES + 4 * 1024;

impl Connection {
    /// Dials, and for https agrees on TLS.
    pub(super) async fn open(
        url: &Url,
        address: SocketAddr,
        options: &FetchOptions,
        tls: &TlsConnector,
    ) -> Result<Self, Failure> {
        let stream = match timeout(options.connect, TcpStream::connect(address)).await {
            Ok(Ok(stream)) => stream,
            Ok(Err(error)) => return Err(dial_failure(&error)),
            Err(_) => return Err(Failure::ConnectTimeout),
        };
        // A request is one small write; waiting to fill packets only delays it.
        let _ = stream.set_nodelay(true);
        if !url.is_https() {
            return Self::speak(stream).await;
        }
        let name =
            ServerName::try_from(url.host().as_str().to_owned()).map_err(|_| Failure::Tls)?;
        match timeout(options.handshake, tls.connect(name, stream)).await {
            Ok(Ok(stream)) => Self::speak(stream).await,
            _ => Err(Failure::Tls),
        }
    }

    async fn speak<S>(stream: S) -> Result<Self, Failure>
    where
        S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        let record = Arc::<Mutex<Record>>::default();
        let stream = TokioIo::new(Recording { stream, record: record.clone() });
        let (sender, connection) = http1::Builder::new()
            .max_buf_size(limits::HEAD_BYTES)
            .max_headers(limits::HEAD_FIELDS)
            .title_case_headers(true)
            .handshake(stream)
            .await
            .map_err(|_| Failure::Protocol)?;
        // Ends when the sender is dropped or the server closes; its error reaches the sender.
        tokio::spawn(connection);
        Ok(Self { sender, record })
    }

    /// Sends a request and waits for the response's head.
    pub(super) async fn send(
        &mut self,
        request: Request<Empty<Bytes>>,
    ) -> Result<Response<Incoming>, Failure> {
        self.sender.ready().await.map_err(|_| Failure::Closed)?;
        *lock(&self.record) = Record::default();
        self.sender.send_request(request).await.map_err(|error| exchange_failure(&error))
    }

    /// Returns whether another request could be sent.
    pub(super) fn is_usable(&self) -> bool {
        !self.sender.is_closed()
    }

    /// Returns the heads of the last request and of its response, as they went over the wire.
    ///
    /// `None` if the response's head is longer than may be archived: hyper's own limit is on its
    /// buffer and lets some longer ones through.
    pub(super) fn recorded(&self) -> Option<(Vec<u8>, Vec<u8>)> {
        let record = lock(&self.record);
        let received = after_interim(&record.received);
        let len = head_len(received).filter(|len| *len <= limits::HEAD_BYTES)?;
        Some((head_of(&record.sent), received[..len].to_vec()))
    }
}

fn lock(record: &Mutex<Record>) -> MutexGuard<'_, Record> {
    record.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Skips `100 Continue` and other heads that only announce the real one.
fn after_interim(mut bytes: &[u8]) -> &[u8] {
    while bytes.starts_with(b"HTTP/1.1 1") {
        match head_len(bytes) {
            Some(len) => bytes = &bytes[len..],
            None => break,
        }
    }
    bytes
}

fn head_of(bytes: &[u8]) -> Vec<u8> {
    bytes[..head_len(bytes).unwrap_or(bytes.len())].to_vec()
}

/// Returns the length of a head including its empty line; servers also end lines with LF alone.
fn head_len(bytes: &[u8]) -> Option<usize> {
    let strict = memchr::memmem::find(bytes, b"\r\n\r\n").map(|place| place + 4);
    let loose = memchr::memmem::find(bytes, b"\n\n").map(|place| place + 2);
    strict.into_iter().chain(loose).min()
}

fn dial_failure(error: &io::Error) -> Failure {
    match error.kind() {
        io::ErrorKind::ConnectionRefused => Failure::Refused,
        io::ErrorKind::TimedOut => Failure::ConnectTimeout,
        _ => Failure::Unreachable,
    }
}

fn exchange_failure(error: &hyper::Error) -> Failure {
    if error.is_incomplete_message() || error.is_canceled() || error.is_closed() {
        return Failure::Closed;
    }
    let cause =
        std::error::Error::source(error).and_then(|cause| cause.downcast_ref::<io::Error>());
    match cause.map(io::Error::kind) {
        Some(io::ErrorKind::ConnectionReset | io::ErrorKind::BrokenPipe) => Failure::Closed,
        _ => Failure::Protocol,
    }
}

/// A stream that remembers the first bytes of each direction.
struct Recording<S> {
    stream: S,
    record: Arc<Mutex<Record>>,
}

fn remember(kept: &mut Vec<u8>, bytes: &[u8]) {
    let room = RECORDED.saturating_sub(kept.len());
    kept.extend_from_slice(&bytes[..bytes.len().min(room)]);
}

impl<S: AsyncRead + Unpin> AsyncRead for Recording<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        ready!(Pin::new(&mut self.stream).poll_read(context, buffer))?;
        remember(&mut lock(&self.record).received, &buffer.filled()[before..]);
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Recording<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = ready!(Pin::new(&mut self.stream).poll_write(context, bytes))?;
        remember(&mut lock(&self.record).sent, &bytes[..written]);
        Poll::Ready(Ok(written))
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

/// Trusts the certificate authorities that browsers trust; offers HTTP/1.1.
pub(super) fn tls_connector() -> TlsConnector {
    let roots = rustls::RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.into() };
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut config = rustls::ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .expect("ring offers the default versions")
        .with_root_certificates(roots)
        .with_no_client_auth();
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    TlsConnector::from(Arc::new(config))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_are_found_with_either_line_end() {
        assert_eq!(
            head_of(b"HTTP/1.1 200 OK\r\nA: b\r\n\r\nbody"),
            b"HTTP/1.1 200 OK\r\nA: b\r\n\r\n"
        );
        assert_eq!(head_of(b"HTTP/1.1 200 OK\nA: b\n\nbody"), b"HTTP/1.1 200 OK\nA: b\n\n");
        assert_eq!(after_interim(b"HTTP/1.1 103 Early\r\n\r\nHTTP/1.1 200"), b"HTTP/1.1 200");
    }
}
