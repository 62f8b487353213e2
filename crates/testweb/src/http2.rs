//! HTTP/2 over TLS: proper answers by a library, scripted frames past it.

use std::io;
use std::net::Ipv4Addr;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};

use h2::server::SendResponse;
use http::{HeaderName, HeaderValue, Request, Response, StatusCode};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use crate::Reply;
use crate::head::Head;
use crate::respond;
use crate::server::{Next, Server, Wire, end};

/// Serves one connection, request by request.
pub(crate) async fn serve<S: Wire>(server: &Server, stream: S, connection: u64, address: Ipv4Addr) {
    let mut shared = Shared(Arc::new(Mutex::new(stream)));
    let library = h2::server::Builder::new();
    let Ok(mut http) = library.handshake(shared.clone()).await else { return };
    while let Some(Ok((request, mut respond))) = http.accept().await {
        let Some(head) = head_of(&request) else { return };
        let (mut entry, ticket, place) = server.arrived(&head, connection, address);
        let reply = server.reply(&head, place);
        let raw = match reply {
            Reply::Answer(answer) => {
                let response = respond::finish(answer, &head, server.gzip);
                respond::wait(response.pace.before).await;
                (entry.status, entry.bytes) = (response.status, response.body.len() as u64);
                server.log.answering(ticket, response.status);
                let sent = send(&mut respond, response);
                server.log.finished(ticket, entry);
                if sent.is_err() {
                    return;
                }
                continue;
            }
            Reply::Raw(raw) => raw,
            Reply::Frames(frames) => frames.on(respond.stream_id().into()),
        };
        // The library has said what it had to say before it handed the request over, and says
        // nothing while it is not asked to: the stream is free for us.
        let sent = respond::send_raw(&raw, &mut shared).await;
        entry.bytes = *sent.as_ref().unwrap_or(&0);
        server.log.finished(ticket, entry);
        if sent.is_err() || matches!(end(raw.end, &mut shared).await, Next::Close) {
            return;
        }
    }
}

fn send(
    respond: &mut SendResponse<io::Cursor<Vec<u8>>>,
    response: respond::Response,
) -> Result<(), h2::Error> {
    let mut head = Response::new(());
    *head.status_mut() = StatusCode::from_u16(response.status).unwrap_or(StatusCode::OK);
    for line in response.head.split(|byte| *byte == b'\n').skip(1) {
        let Some(colon) = line.iter().position(|byte| *byte == b':') else { continue };
        let name = HeaderName::from_bytes(&line[..colon]);
        let value = HeaderValue::from_bytes(line[colon + 1..].trim_ascii());
        if let (Ok(name), Ok(value)) = (name, value)
            && name != http::header::CONNECTION
        {
            head.headers_mut().append(name, value);
        }
    }
    let mut body = respond.send_response(head, response.body.is_empty())?;
    if !response.body.is_empty() {
        body.send_data(io::Cursor::new(response.body), true)?;
    }
    Ok(())
}

fn head_of<B>(request: &Request<B>) -> Option<Head> {
    let target = request.uri().path_and_query()?.as_str().to_owned();
    let authority = request.uri().authority().map(ToString::to_string);
    let text = |value: &HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
    let fields = request.headers().iter();
    let mut headers: Vec<(String, String)> =
        fields.map(|(name, value)| (name.as_str().to_owned(), text(value))).collect();
    headers.extend(authority.map(|authority| ("host".to_owned(), authority)));
    let method = request.method().as_str().to_owned();
    Some(Head { method, target, headers, keep_alive: true })
}

/// A stream that the library reads and writes, and we past it.
struct Shared<S>(Arc<Mutex<S>>);

impl<S> Clone for Shared<S> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<S> Shared<S> {
    fn stream(&self) -> MutexGuard<'_, S> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<S: Wire> Wire for Shared<S> {
    fn reset(&self) {
        self.stream().reset();
    }
}

impl<S: Wire> AsyncRead for Shared<S> {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut *self.stream()).poll_read(context, buffer)
    }
}

impl<S: Wire> AsyncWrite for Shared<S> {
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut *self.stream()).poll_write(context, bytes)
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut *self.stream()).poll_flush(context)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut *self.stream()).poll_shutdown(context)
    }
}
