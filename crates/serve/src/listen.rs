//! The door: binds, accepts, hands each connection to hyper, and closes in good order.
//!
//! This loop is ours because axum's own has no clock: a client that sends one header byte every
//! few seconds would be served for ever.

use std::convert::Infallible;
use std::future::Future;
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::os::fd::OwnedFd;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use axum::http::{HeaderMap, Request, StatusCode};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::sync::{Semaphore, watch};
use tokio::task::{JoinError, JoinSet};
use tracing::{debug, error, warn};

use crate::answer::Answerer;
use crate::app::App;
use crate::crowd::{Crowd, Guest};
use crate::patient::Patient;
use crate::problem::Problem;
use crate::proxy::{FIELDS, Proxies};
use crate::rate::Network;
use crate::refusal::{Refusing, written};
use crate::{Error, Limits, State};

/// Largest head of a request, in bytes. A query of 1,024 bytes needs at most three times that.
const HEAD_BYTES: usize = 64 * 1024;
/// Most fields in the head of a request.
const HEAD_FIELDS: usize = 100;
/// Pause after the system refused to accept, mostly because its file descriptors ran out.
const ACCEPT_PAUSE: Duration = Duration::from_millis(10);
/// Connections that wait to be accepted; the system may allow fewer.
const BACKLOG: u32 = 4_096;
/// Refusals spoken at once; beyond that the door just closes.
const REFUSALS: usize = 64;
/// Connections that have lost their seats and are not closed yet; with more, newcomers wait.
const LEAVING: usize = 64;

/// A bound address, not yet served.
///
/// Binding is apart from serving so that a port in use is known before anything else begins.
#[derive(Debug)]
pub struct Listener(std::net::TcpListener);

impl Listener {
    /// Binds the address; port 0 takes any free one.
    pub fn bind(address: SocketAddr) -> Result<Self, Error> {
        let bound = std::net::TcpListener::bind(address).and_then(|listener| {
            listener.set_nonblocking(true)?;
            Ok(listener)
        });
        match bound {
            Ok(listener) => Ok(Self(listener)),
            Err(source) if source.kind() == io::ErrorKind::AddrInUse => {
                Err(Error::PortInUse { address })
            }
            Err(source) => Err(Error::Bind { address, source }),
        }
    }

    /// Hands the socket to the runtime, with a longer queue of connections not yet accepted.
    ///
    /// The standard library asks for a queue of 128, which a burst overflows; those who do not
    /// fit try again a second later. Listening again on the same socket is how its length is
    /// changed.
    fn listen(self) -> io::Result<TcpListener> {
        let socket = std::net::TcpStream::from(OwnedFd::from(self.0));
        TcpSocket::from_std_stream(socket).listen(BACKLOG)
    }

    /// Returns the address in use, with the port that was taken.
    pub fn address(&self) -> Result<SocketAddr, Error> {
        self.0.local_addr().map_err(|source| Error::Listen { source })
    }
}

/// Serves until `shutdown` completes, then lets open requests finish for a moment.
///
/// Must be called within a tokio runtime with its timers and sockets on.
pub async fn run(
    listener: Listener,
    state: State,
    shutdown: impl Future<Output = ()>,
) -> Result<(), Error> {
    let listener = listener.listen().map_err(|source| Error::Listen { source })?;
    let mut door = Door::new(App::new(state));
    let mut shutdown = std::pin::pin!(shutdown);
    loop {
        tokio::select! {
            biased;
            () = &mut shutdown => break,
            Some(ended) = door.talks.join_next(), if !door.talks.is_empty() => note(ended),
            accepted = listener.accept(), if door.has_room() => match accepted {
                Ok((stream, from)) => door.admit(stream, from.ip().to_canonical()),
                Err(error) => door.hold(&error).await,
            },
        }
    }
    drop(listener);
    door.close().await;
    Ok(())
}

/// All that new connections need.
struct Door {
    limits: Limits,
    proxies: Arc<Proxies>,
    answerer: Answerer,
    crowd: Arc<Crowd>,
    refusals: Arc<Semaphore>,
    talks: JoinSet<()>,
    closing: watch::Sender<bool>,
    /// Whether the last connection could not be accepted.
    is_held: bool,
}

impl Door {
    fn new(app: App) -> Self {
        let limits = app.options.limits;
        let closing = watch::Sender::new(false);
        if let Some(admin) = &app.admin {
            admin.begin(closing.subscribe());
        }
        Self {
            limits,
            proxies: app.proxies.clone(),
            answerer: Answerer::new(app),
            crowd: Crowd::new(limits.connections, limits.connections_per_address),
            refusals: Arc::new(Semaphore::new(REFUSALS)),
            talks: JoinSet::new(),
            closing,
            is_held: false,
        }
    }

    /// Returns whether those who were sent away have left. In a rush newcomers arrive faster than
    /// connections are closed, and without this would open as many as they like meanwhile.
    fn has_room(&self) -> bool {
        self.talks.len() < self.limits.connections.max(1) + REFUSALS + LEAVING
    }

    /// Sends somebody away who only waits, and lets the system breathe.
    async fn hold(&mut self, error: &io::Error) {
        if !self.is_held {
            warn!(%error, "cannot accept connections");
        }
        self.is_held = true;
        self.crowd.make_room();
        tokio::time::sleep(ACCEPT_PAUSE).await;
    }

    fn admit(&mut self, stream: TcpStream, from: IpAddr) {
        self.is_held = false;
        // Proxies bring everybody, so they may have any number of seats.
        let brings_others = from.is_loopback() || self.proxies.has(from);
        let network = (!brings_others).then(|| Network::of(from));
        let Some(guest) = self.crowd.enter(network) else {
            if let Ok(permit) = self.refusals.clone().try_acquire_owned() {
                self.talks.spawn(async move {
                    let _permit = permit;
                    refuse(stream).await;
                });
            }
            return;
        };
        let closing = self.closing.subscribe();
        let peer = Peer(Some(from));
        self.talks.spawn(talk(stream, peer, self.answerer.clone(), guest, self.limits, closing));
    }

    async fn close(mut self) {
        self.closing.send_replace(true);
        let all = async {
            while let Some(ended) = self.talks.join_next().await {
                note(ended);
            }
        };
        if tokio::time::timeout(self.limits.farewell, all).await.is_err() {
            debug!("closed connections that were still open");
        }
    }
}

/// Who asks; on every request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Peer(Option<IpAddr>);

impl Peer {
    /// Returns somebody at an address.
    #[cfg(test)]
    pub(crate) fn at(address: IpAddr) -> Self {
        Self(Some(address))
    }

    /// Returns whether the request was made on this machine, and for nobody else: a proxy says for
    /// whom it asks.
    pub(crate) fn is_here(self, headers: &HeaderMap) -> bool {
        self.0.is_some_and(|address| address.is_loopback()) && !is_for_others(headers)
    }

    /// Returns whose bucket a request is taken from; `None` for this machine, unless it asks for
    /// somebody else and is believed.
    pub(crate) fn network(self, headers: &HeaderMap, proxies: &Proxies) -> Option<Network> {
        let address = self.0?;
        if proxies.has(address) && is_for_others(headers) {
            // Whom a trusted proxy does not name share one bucket, that of no address.
            let no_address = IpAddr::V4(Ipv4Addr::UNSPECIFIED);
            return Some(Network::of(proxies.visitor(headers).unwrap_or(no_address)));
        }
        (!address.is_loopback()).then(|| Network::of(address))
    }
}

/// Returns whether a request says that it is made for somebody else.
fn is_for_others(headers: &HeaderMap) -> bool {
    FIELDS.iter().any(|name| headers.contains_key(*name))
}

/// Serves one connection until it ends, loses its seat or the server stops.
async fn talk(
    stream: TcpStream,
    peer: Peer,
    answerer: Answerer,
    guest: Guest,
    limits: Limits,
    mut closing: watch::Receiver<bool>,
) {
    // Answers are written in one piece; waiting to fill a packet only delays them.
    if let Err(error) = stream.set_nodelay(true) {
        debug!(%error, "cannot switch off delayed sending");
    }
    let stream = Patient::new(stream, limits.stall, limits.least_rate);
    let guest = &guest;
    let service = service_fn(move |mut request: Request<Incoming>| {
        let answerer = answerer.clone();
        request.extensions_mut().insert(peer);
        async move {
            guest.begin();
            let response = answerer.answer(request).await;
            guest.end();
            Ok::<_, Infallible>(response)
        }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.head)
        .max_headers(HEAD_FIELDS)
        .max_buf_size(HEAD_BYTES)
        .serve_connection(TokioIo::new(Refusing::new(stream)), service);
    let mut connection = std::pin::pin!(connection);
    let ended = tokio::select! {
        ended = connection.as_mut() => ended,
        () = guest.evicted() => return,
        _ = closing.changed() => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = ended {
        debug!(%error, "connection ended early");
    }
}

/// Says that the house is full, without asking what was wanted.
async fn refuse(mut stream: TcpStream) {
    static FULL: LazyLock<Vec<u8>> = LazyLock::new(|| {
        let detail = "too many people are in here; try again in a moment";
        written(&Problem::new(StatusCode::SERVICE_UNAVAILABLE, "busy", detail))
    });
    let speak = async {
        stream.write_all(&FULL).await?;
        stream.shutdown().await?;
        // Closing while the request is still unread would make the system discard the refusal.
        let mut rest = [0; 4096];
        while stream.read(&mut rest).await? > 0 {}
        io::Result::Ok(())
    };
    // A client who neither reads nor closes is not worth more than this.
    let _ = tokio::time::timeout(Duration::from_millis(250), speak).await;
}

fn note(ended: Result<(), JoinError>) {
    if let Err(error) = ended
        && error.is_panic()
    {
        error!(%error, "a connection's task panicked");
    }
}
