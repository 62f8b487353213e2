//! One request under one permit: dial, ask, read, within every limit.
//!
//! Connections are kept per origin and used by one request at a time. What went over the wire
//! is recorded as it was, for the archive.

mod connection;
mod decode;

use std::collections::HashMap;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use archive::Cut;
use base::Url;
use http_body_util::{BodyExt, Empty};
use hyper::body::{Bytes, Incoming};
use hyper::header::{self, HeaderMap};
use hyper::{Request, Response};
use tokio::time::{Instant, timeout, timeout_at};

use crate::politeness::Permit;
use crate::scope::is_web_port;
use crate::{Agent, Failure, FetchOptions};
use connection::Connection;
pub(crate) use decode::decoded;

/// Fetches.
pub(crate) struct Fetcher {
    options: FetchOptions,
    agent: String,
    tls: tokio_rustls::TlsConnector,
    idle: Mutex<HashMap<String, Idle>>,
}

struct Idle {
    connection: Connection,
    address: SocketAddr,
    since: Instant,
}

/// A response as it came over the wire.
#[derive(Debug)]
pub(crate) struct Fetched {
    pub(crate) address: IpAddr,
    /// Request head as sent.
    pub(crate) request: Vec<u8>,
    /// Status line and header fields as received.
    pub(crate) head: Vec<u8>,
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    /// Body without transfer coding, still content-encoded.
    pub(crate) body: Vec<u8>,
    pub(crate) cut: Option<Cut>,
}

/// Most connections kept unused.
const IDLE: usize = 512;

impl Fetcher {
    pub(crate) fn new(options: FetchOptions, agent: &Agent) -> Self {
        let tls = connection::tls_connector();
        Self { options, agent: agent.header(), tls, idle: Mutex::default() }
    }

    /// Fetches a URL of the permit's host at the permit's address, up to `limit` bytes of body.
    pub(crate) async fn fetch(
        &self,
        permit: &Permit,
        url: &Url,
        limit: usize,
    ) -> Result<Fetched, Failure> {
        assert_eq!(url.host(), *permit.host(), "a permit is for one host");
        let port = match (url.port(), self.options.instead_of_port_80) {
            (80, Some(other)) => other,
            (port, _) if is_web_port(port) => port,
            _ => return Err(Failure::BlockedPort),
        };
        let address = SocketAddr::new(permit.address(), port);
        let deadline = Instant::now() + self.options.total;
        let fetch = async {
            let (connection, response) = self.exchange(url, address).await?;
            self.read(url, address, connection, response, limit, deadline).await
        };
        timeout_at(deadline, fetch).await.unwrap_or(Err(Failure::Timeout))
    }

    async fn exchange(
        &self,
        url: &Url,
        address: SocketAddr,
    ) -> Result<(Connection, Response<Incoming>), Failure> {
        if let Some(connection) = self.take_idle(url, address) {
            match self.ask(connection, url).await {
                // The server closed the kept connection just now: not an answer to us.
                Err(Failure::Closed) => {}
                answer => return answer,
            }
        }
        let connection = Connection::open(url, address, &self.options, &self.tls).await?;
        self.ask(connection, url).await
    }

    async fn ask(
        &self,
        mut connection: Connection,
        url: &Url,
    ) -> Result<(Connection, Response<Incoming>), Failure> {
        let host = match url.explicit_port() {
            Some(port) => format!("{}:{port}", url.host_str()),
            None => url.host_str().to_owned(),
        };
        let request = Request::get(url.path_and_query())
            .header(header::HOST, host)
            .header(header::USER_AGENT, &self.agent)
            .header(header::ACCEPT, "text/html,application/xhtml+xml,*/*;q=0.8")
            .header(header::ACCEPT_ENCODING, "gzip, br, zstd, deflate")
            .body(Empty::<Bytes>::new())
            .map_err(|_| Failure::Protocol)?;
        match timeout(self.options.head, connection.send(request)).await {
            Ok(Ok(response)) => Ok((connection, response)),
            Ok(Err(failure)) => Err(failure),
            Err(_) => Err(Failure::HeadTimeout),
        }
    }

    async fn read(
        &self,
        url: &Url,
        address: SocketAddr,
        connection: Connection,
        response: Response<Incoming>,
        limit: usize,
        deadline: Instant,
    ) -> Result<Fetched, Failure> {
        let (request, head) = connection.recorded().ok_or(Failure::Protocol)?;
        let (parts, mut incoming) = response.into_parts();
        let mut body = Vec::new();
        let mut cut = None;
        loop {
            let silence = Instant::now() + self.options.silence;
            // A little before the deadline, so that what was read is kept and marked as cut.
            let patience = silence.min(deadline - Duration::from_millis(200));
            match timeout_at(patience, incoming.frame()).await {
                Err(_) => cut = Some(Cut::Time),
                Ok(Some(Err(_))) => cut = Some(Cut::Disconnect),
                Ok(None) => {}
                Ok(Some(Ok(frame))) => {
                    let Ok(data) = frame.into_data() else { continue };
                    let room = limit - body.len();
                    body.extend_from_slice(&data[..data.len().min(room)]);
                    if data.len() <= room {
                        continue;
                    }
                    cut = Some(Cut::Length);
                }
            }
            break;
        }
        if cut.is_none() {
            self.keep(url, address, connection);
        }
        let (status, headers) = (parts.status.as_u16(), parts.headers);
        Ok(Fetched { address: address.ip(), request, head, status, headers, body, cut })
    }

    fn take_idle(&self, url: &Url, address: SocketAddr) -> Option<Connection> {
        let idle = self.idle().remove(url.origin())?;
        let fresh = idle.since.elapsed() < self.options.keep_alive;
        (fresh && idle.address == address && idle.connection.is_usable()).then_some(idle.connection)
    }

    fn keep(&self, url: &Url, address: SocketAddr, connection: Connection) {
        let mut idle = self.idle();
        if idle.len() >= IDLE {
            let limit = self.options.keep_alive;
            idle.retain(|_, kept| kept.since.elapsed() < limit && kept.connection.is_usable());
        }
        if idle.len() < IDLE && connection.is_usable() {
            let kept = Idle { connection, address, since: Instant::now() };
            idle.insert(url.origin().to_owned(), kept);
        }
    }

    fn idle(&self) -> MutexGuard<'_, HashMap<String, Idle>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Fetched {
    /// Returns the value of a header field if it is readable text.
    pub(crate) fn header(&self, name: header::HeaderName) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    /// Returns the wait that `Retry-After` asks for in seconds or as a date.
    pub(crate) fn retry_after(&self, now: base::Timestamp) -> Option<Duration> {
        let value = self.header(header::RETRY_AFTER)?.trim();
        if let Ok(seconds) = value.parse() {
            return Some(Duration::from_secs(seconds));
        }
        let moment = httpdate::parse_http_date(value).ok()?;
        Some(base::Timestamp::from(moment).since(now))
    }
}
