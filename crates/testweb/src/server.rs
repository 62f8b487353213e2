//! The HTTP server: accepts on every loopback address, finds the host, sends what it answers.

use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::time::timeout;
use tokio_rustls::server::TlsStream;

use crate::head::{Head, Inbox, Unread};
use crate::hosts::{Hosts, Place};
use crate::log::{Entry, Log, Ticket};
use crate::respond::{self, Gzip};
use crate::tls::{Authority, Meddled};
use crate::{Answer, End, Reply, Request, http2, localhost};

/// Connections served at once; more wait to be accepted.
const MAX_CONNECTIONS: usize = 8_192;

/// Longest wait for the next request of a connection, and for all of its head.
const IDLE: Duration = Duration::from_secs(75);

/// Longest time a hanging answer keeps its connection.
const HANG: Duration = Duration::from_secs(600);

/// Largest request body read and forgotten.
const MAX_REQUEST_BODY: usize = 1024 * 1024;

/// What every connection shares.
pub(crate) struct Server {
    pub(crate) hosts: Arc<Hosts>,
    pub(crate) log: Log,
    pub(crate) gzip: Gzip,
    pub(crate) port: u16,
    pub(crate) clock: Clock,
    /// There when TLS is spoken.
    pub(crate) authority: Option<Authority>,
}

/// What requests come over: a socket, or TLS on top of one.
pub(crate) trait Wire: AsyncRead + AsyncWrite + Unpin + Send {
    /// Makes the close that follows a TCP reset.
    fn reset(&self);
}

impl Wire for TcpStream {
    fn reset(&self) {
        // With no lingering, closing sends a reset. It can only fail on a dead socket.
        let _ = self.set_zero_linger();
    }
}

impl Wire for TlsStream<Meddled> {
    fn reset(&self) {
        self.get_ref().0.socket.reset();
    }
}

/// Which of the two ports a connection came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Port {
    Http,
    Https,
}

/// The time that sites see: since the web began, and as far as it was pushed ahead.
pub(crate) struct Clock {
    pub(crate) frozen: bool,
    pub(crate) ahead_us: AtomicU64,
}

/// What becomes of a connection after an answer.
pub(crate) enum Next {
    Request,
    Close,
}

/// An open connection; the log hears of its end however it ends, also when a site panics.
struct Open<'a> {
    log: &'a Log,
    connection: u64,
}

impl Drop for Open<'_> {
    fn drop(&mut self) {
        self.log.closed(self.connection);
    }
}

impl Server {
    /// Accepts connections until the runtime is shut down.
    pub(crate) async fn accept(self: Arc<Self>, listener: TcpListener, port: Port) {
        let room = Arc::new(Semaphore::new(MAX_CONNECTIONS));
        loop {
            let Ok(permit) = Arc::clone(&room).acquire_owned().await else { return };
            let (socket, peer) = match listener.accept().await {
                Ok(accepted) => accepted,
                Err(error) => {
                    // Out of descriptors, mostly: they come back when connections end.
                    tracing::warn!(%error, "cannot accept a connection");
                    tokio::time::sleep(Duration::from_millis(50)).await;
                    continue;
                }
            };
            // We listen on the wildcard because one socket per address is dear for hundreds
            // of hosts; strangers on the network are turned away here.
            let local = socket.local_addr().map(|local| local.ip());
            let Some(address) = local.ok().and_then(|local| dialled(local, peer.ip())) else {
                tracing::debug!(%peer, "turned away a peer that is not on loopback");
                continue;
            };
            let server = Arc::clone(&self);
            tokio::spawn(async move {
                match port {
                    Port::Http => server.serve(socket, address).await,
                    Port::Https => server.serve_tls(socket, address).await,
                }
                drop(permit);
            });
        }
    }

    /// Returns the time that sites see.
    pub(crate) fn elapsed(&self) -> Duration {
        let ahead = Duration::from_micros(self.clock.ahead_us.load(Ordering::Relaxed));
        if self.clock.frozen { ahead } else { ahead + self.log.elapsed() }
    }

    async fn serve(&self, mut socket: TcpStream, address: Ipv4Addr) {
        // Answers leave as soon as they are written; waiting to fill packets would show up as
        // slow servers. An error here only means that the peer is gone.
        let _ = socket.set_nodelay(true);
        let open = Open { log: &self.log, connection: self.log.opened(address) };
        let greeting = self.hosts.by_address(address).and_then(|place| place.site.greeting());
        if let Some(raw) = greeting {
            let said = respond::send_raw(&raw, &mut socket).await;
            if said.is_err() || matches!(end(raw.end, &mut socket).await, Next::Close) {
                return;
            }
        }
        self.requests(&mut socket, open.connection, address).await;
    }

    async fn serve_tls(&self, socket: TcpStream, address: Ipv4Addr) {
        let _ = socket.set_nodelay(true);
        let open = Open { log: &self.log, connection: self.log.opened(address) };
        let Some(authority) = &self.authority else { return };
        let handshake = authority.accept(socket, &self.hosts);
        let Ok(Some(mut stream)) = timeout(IDLE, handshake).await else { return };
        if stream.get_ref().1.alpn_protocol() == Some(b"h2") {
            http2::serve(self, stream, open.connection, address).await;
        } else {
            self.requests(&mut stream, open.connection, address).await;
        }
    }

    /// Answers the requests of a connection, one after the other.
    async fn requests(&self, socket: &mut impl Wire, connection: u64, address: Ipv4Addr) {
        let mut inbox = Inbox::default();
        loop {
            let head = match timeout(IDLE, inbox.head(socket)).await {
                Ok(Ok(head)) => head,
                Ok(Err(Unread::Bad(status))) => {
                    self.refuse(socket, status).await;
                    break;
                }
                Ok(Err(Unread::Closed)) | Err(_) => break,
            };
            match self.request(&head, connection, address, &mut inbox, socket).await {
                Next::Request => {}
                Next::Close => break,
            }
        }
    }

    /// Answers one request and enters it in the log.
    async fn request(
        &self,
        head: &Head,
        connection: u64,
        address: Ipv4Addr,
        inbox: &mut Inbox,
        socket: &mut impl Wire,
    ) -> Next {
        let (mut entry, ticket, place) = self.arrived(head, connection, address);
        let (next, status, bytes) = match skip_body(head, inbox, socket).await {
            Ok(()) => self.answer(head, place, ticket, socket).await,
            Err(status) => {
                self.refuse(socket, status).await;
                (Next::Close, status, 0)
            }
        };
        (entry.status, entry.bytes) = (status, bytes);
        self.log.finished(ticket, entry);
        next
    }

    /// Enters a request in the log and finds who answers it.
    pub(crate) fn arrived(
        &self,
        head: &Head,
        connection: u64,
        address: Ipv4Addr,
    ) -> (Entry, Option<Ticket>, Option<&Place>) {
        let place = self.place(head, address);
        let entry = Entry {
            at: self.log.elapsed(),
            done: None,
            connection,
            address,
            // A wildcard site answers for many names; the log keeps the one that was meant.
            host: place.filter(|place| !place.name.starts_with('*')).map_or_else(
                || head.host().unwrap_or_default().as_str().into(),
                |place| Arc::clone(&place.name),
            ),
            method: head.method.as_str().into(),
            target: head.target.clone(),
            user_agent: head.header("user-agent").unwrap_or_default().into(),
            status: 0,
            bytes: 0,
        };
        let ticket = self.log.arrived(entry.clone());
        (entry, ticket, place)
    }

    /// Asks a site.
    pub(crate) fn reply(&self, head: &Head, place: Option<&Place>) -> Reply {
        let request = Request {
            method: &head.method,
            target: &head.target,
            headers: &head.headers,
            elapsed: self.elapsed(),
        };
        place.map_or_else(no_such_host, |place| place.site.reply(&request))
    }

    async fn answer(
        &self,
        head: &Head,
        place: Option<&Place>,
        ticket: Option<Ticket>,
        socket: &mut impl Wire,
    ) -> (Next, u16, u64) {
        let raw = match self.reply(head, place) {
            Reply::Answer(mut answer) => {
                if head.host().is_some_and(|host| host.ends_with(".localhost")) {
                    self.for_browser(&mut answer);
                }
                let response = respond::finish(answer, head, self.gzip);
                self.log.answering(ticket, response.status);
                let sent = respond::send(&response, socket).await;
                let again = sent.is_ok() && head.keep_alive;
                let next = if again { Next::Request } else { Next::Close };
                return (next, response.status, sent.unwrap_or(0));
            }
            Reply::Raw(raw) => raw,
            Reply::Frames(frames) => frames.on(1),
        };
        let sent = respond::send_raw(&raw, socket).await;
        let next = if sent.is_ok() { end(raw.end, socket).await } else { Next::Close };
        (next, 0, sent.unwrap_or(0))
    }

    /// Finds the host by name, by the name a browser uses, or by the address dialled.
    fn place(&self, head: &Head, address: Ipv4Addr) -> Option<&Place> {
        let Some(name) = head.host() else { return self.hosts.by_address(address) };
        let named = self.hosts.by_name(&name).or_else(|| self.hosts.by_alias(&name));
        named.or_else(|| self.hosts.by_address(name.parse().ok()?))
    }

    /// Points the links of an answer to addresses that a browser can open.
    fn for_browser(&self, answer: &mut Answer) {
        let is_html = answer.header("content-type").is_some_and(|kind| kind.contains("html"));
        if is_html {
            answer.body = localhost::rewrite(&answer.body, &self.hosts, self.port);
        }
        for (name, value) in &mut answer.headers {
            if name.eq_ignore_ascii_case("location") {
                let rewritten = localhost::rewrite(value.as_bytes(), &self.hosts, self.port);
                *value = String::from_utf8_lossy(&rewritten).into_owned();
            }
        }
    }

    async fn refuse(&self, socket: &mut impl Wire, status: u16) {
        let head = Head {
            method: "GET".to_owned(),
            target: "/".to_owned(),
            headers: Vec::new(),
            keep_alive: false,
        };
        let answer = Answer::status(status, "text/plain", "bad request\n");
        let response = respond::finish(answer, &head, Gzip::Never);
        if respond::send(&response, socket).await.is_ok() {
            leave(socket).await;
        }
    }
}

/// Returns the address that was dialled, if both ends are in 127.0.0.0/8.
fn dialled(local: IpAddr, peer: IpAddr) -> Option<Ipv4Addr> {
    match (local, peer) {
        (IpAddr::V4(local), IpAddr::V4(peer)) if local.is_loopback() && peer.is_loopback() => {
            Some(local)
        }
        _ => None,
    }
}

/// Reads and forgets a request's body, or returns the status that refuses it.
async fn skip_body(head: &Head, inbox: &mut Inbox, socket: &mut impl Wire) -> Result<(), u16> {
    if head.header("transfer-encoding").is_some() {
        return Err(411);
    }
    let Some(length) = head.header("content-length") else { return Ok(()) };
    let length: usize = length.parse().map_err(|_| 400_u16)?;
    if length > MAX_REQUEST_BODY {
        return Err(413);
    }
    match timeout(IDLE, inbox.skip(socket, length)).await {
        Ok(Ok(())) => Ok(()),
        Ok(Err(_)) | Err(_) => Err(400),
    }
}

/// Does with the connection what a script asks for.
pub(crate) async fn end(end: End, socket: &mut impl Wire) -> Next {
    match end {
        End::KeepAlive => return Next::Request,
        End::Close => leave(socket).await,
        End::Vanish => {}
        End::Reset => socket.reset(),
        End::Hang => drop(timeout(HANG, read_to_nothing(socket)).await),
    }
    Next::Close
}

/// Ends a connection so that the client gets all that was sent.
async fn leave(socket: &mut impl Wire) {
    if let Ok(Ok(())) = timeout(IDLE, socket.shutdown()).await {
        // Closing with bytes unread would reset the connection and lose the answer.
        let _ = timeout(Duration::from_secs(1), read_to_nothing(socket)).await;
    }
}

/// Reads until the client leaves.
async fn read_to_nothing(socket: &mut impl Wire) {
    let mut bytes = [0; 4_096];
    while let Ok(1..) = socket.read(&mut bytes).await {}
}

fn no_such_host() -> Reply {
    let text = "No host of this web has that name.\n";
    Reply::Answer(Answer::status(404, "text/plain; charset=utf-8", text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_loopback_is_served() {
        let check = |local: &str, peer: &str, served: bool| {
            let address = dialled(local.parse().unwrap(), peer.parse().unwrap());
            assert_eq!(address.is_some(), served, "{peer} dials {local}");
        };
        check("127.1.0.9", "127.0.0.1", true);
        check("192.168.0.2", "192.168.0.2", false);
        check("127.0.0.1", "10.0.0.1", false);
        check("192.168.0.2", "127.0.0.1", false);
        check("::1", "::1", false);
    }
}
