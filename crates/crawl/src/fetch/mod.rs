//! One request under one permit: dial, ask, read, within every limit.
//!
//! Connections are kept per origin and used by one request at a time, HTTP/2 ones too:
//! politeness knows one request per host. What went over the wire is recorded as it was, for
//! the archive; HTTP/2 heads are written as HTTP/1.1 would have them. No cookie is kept and no
//! credential is ever sent (HTTP-20, HTTP-21): there is no code that could.

mod connection;
mod decode;
mod pool;
mod rebuff;
mod redirect;
mod tls;
mod validators;
mod wire;

#[cfg(test)]
mod tests;

use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use archive::Cut;
use base::Url;
use http_body_util::BodyExt;
use hyper::Request;
use hyper::header::{self, HeaderMap, HeaderName, HeaderValue};
use hyper::http::request;
use tokio::time::{Instant, timeout, timeout_at};

use crate::politeness::Permit;
use crate::scope::is_web_port;
use crate::{Agent, Error, Failure, FetchOptions};
use connection::{Answer, Connection, NoAnswer};
pub(crate) use decode::decoded;
use pool::Pool;
pub(crate) use rebuff::is_rebuff;
pub(crate) use redirect::{Following, Redirect, Refusal, redirect};
use tls::{Offer, Tls};
pub(crate) use validators::Validators;

/// Fetches.
pub(crate) struct Fetcher {
    options: FetchOptions,
    agent: HeaderValue,
    tls: Tls,
    pool: Pool,
}

/// What is asked for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ask<'a> {
    /// A URL of the permit's host.
    pub(crate) url: &'a Url,
    /// Most bytes of body that are read; the rest is cut off.
    pub(crate) body_bytes: usize,
    /// Whole fetch.
    pub(crate) total: Duration,
    /// `If-None-Match` and `If-Modified-Since`; without any, 304 is no answer (HTTP-11).
    pub(crate) conditions: &'a [(HeaderName, HeaderValue)],
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

impl Fetcher {
    pub(crate) fn new(options: FetchOptions, agent: &Agent) -> Result<Self, Error> {
        let tls = Tls::new(&options.extra_roots)?;
        let agent = agent.header();
        let agent =
            HeaderValue::from_bytes(agent.as_bytes()).map_err(|_| Error::BadAgent(agent))?;
        let pool = Pool::new(options.keep_alive);
        Ok(Self { options, agent, tls, pool })
    }

    /// Fetches a URL of the permit's host at the permit's address.
    pub(crate) async fn fetch(&self, permit: &Permit, ask: Ask<'_>) -> Result<Fetched, Failure> {
        assert_eq!(ask.url.host(), *permit.host(), "a permit is for one host");
        let port = self.port(ask.url).ok_or(Failure::BlockedPort)?;
        let address = SocketAddr::new(permit.address(), port);
        let deadline = Instant::now() + ask.total;
        let fetch = async {
            let (connection, answer) = self.exchange(ask, address).await?;
            if answer.response.status() == 304 && ask.conditions.is_empty() {
                return Err(Failure::Protocol);
            }
            Ok(self.read(ask, address, connection, answer, deadline).await)
        };
        timeout_at(deadline, fetch).await.unwrap_or(Err(Failure::Timeout))
    }

    /// Returns the port to dial for a URL, if web servers have the one it names (TCP-07).
    fn port(&self, url: &Url) -> Option<u16> {
        let port = url.port();
        if !is_web_port(port) {
            return None;
        }
        let instead = self.options.dial.and_then(|dial| match url.is_https() {
            true => dial.https,
            false => Some(dial.http),
        });
        Some(instead.unwrap_or(port))
    }

    /// Asks on a kept connection or on a new one; at most once more, on a new one, when the
    /// kept one turns out to be closed, and at most once more when the server wants HTTP/1.1.
    async fn exchange(
        &self,
        ask: Ask<'_>,
        address: SocketAddr,
    ) -> Result<(Connection, Answer), Failure> {
        let mut offer = Offer::Both;
        if let Some(kept) = self.pool.take(ask.url, address) {
            match self.ask(kept, ask).await {
                Ok(answered) => return Ok(answered),
                // It closed just now: that is not an answer to us.
                Err(NoAnswer::Failed(Failure::Closed)) => {}
                Err(NoAnswer::Failed(failure)) => return Err(failure),
                Err(NoAnswer::WantsHttp1) => offer = Offer::Http1,
            }
        }
        let fresh = Connection::open(ask.url, address, &self.options, &self.tls, offer).await?;
        match self.ask(fresh, ask).await {
            Ok(answered) => return Ok(answered),
            Err(NoAnswer::WantsHttp1) if offer == Offer::Both => {}
            Err(NoAnswer::Failed(failure)) => return Err(failure),
            Err(NoAnswer::WantsHttp1) => return Err(Failure::Protocol),
        }
        let offer = Offer::Http1;
        let older = Connection::open(ask.url, address, &self.options, &self.tls, offer).await?;
        self.ask(older, ask).await.map_err(|no_answer| match no_answer {
            NoAnswer::Failed(failure) => failure,
            NoAnswer::WantsHttp1 => Failure::Protocol,
        })
    }

    async fn ask(
        &self,
        mut connection: Connection,
        ask: Ask<'_>,
    ) -> Result<(Connection, Answer), NoAnswer> {
        let answer = connection.send(ask.url, self.request(ask));
        match timeout(self.options.head, answer).await {
            Ok(answer) => Ok((connection, answer?)),
            Err(_) => Err(Failure::HeadTimeout.into()),
        }
    }

    /// Returns what every version of HTTP sends, without host and path.
    fn request(&self, ask: Ask<'_>) -> request::Parts {
        let accept = HeaderValue::from_static("text/html,application/xhtml+xml,*/*;q=0.8");
        let codings = HeaderValue::from_static("gzip, br, zstd, deflate");
        let (mut parts, ()) = Request::new(()).into_parts();
        parts.headers.insert(header::USER_AGENT, self.agent.clone());
        parts.headers.insert(header::ACCEPT, accept);
        parts.headers.insert(header::ACCEPT_ENCODING, codings);
        parts.headers.extend(ask.conditions.iter().cloned());
        parts
    }

    async fn read(
        &self,
        ask: Ask<'_>,
        address: SocketAddr,
        mut connection: Connection,
        answer: Answer,
        deadline: Instant,
    ) -> Fetched {
        let Answer { response, request, head } = answer;
        let (parts, mut incoming) = response.into_parts();
        let headers = parts.headers;
        // Chunks and frames may double what a body weighs; more is not about the body.
        connection.allow(ask.body_bytes.saturating_mul(2).saturating_add(BESIDE_BODY));
        // A little before the deadline, so that what was read is kept and marked as cut.
        let deadline = deadline - (ask.total / 20).min(Duration::from_millis(200));
        let mut body = Vec::new();
        let mut cut = None;
        loop {
            let patience = deadline.min(Instant::now() + self.options.silence);
            match timeout_at(patience, incoming.frame()).await {
                Err(_) => cut = Some(Cut::Time),
                Ok(Some(Err(_))) if connection.is_overrun() => cut = Some(Cut::Length),
                Ok(Some(Err(_))) => cut = Some(Cut::Disconnect),
                Ok(None) => {}
                Ok(Some(Ok(frame))) => {
                    let Ok(data) = frame.into_data() else { continue };
                    let room = ask.body_bytes - body.len();
                    body.extend_from_slice(&data[..data.len().min(room)]);
                    if data.len() <= room {
                        continue;
                    }
                    cut = Some(Cut::Length);
                }
            }
            break;
        }
        // Two lengths at once are one too many to trust what comes next (HTTP-05).
        let is_clear = !(headers.contains_key(header::TRANSFER_ENCODING)
            && headers.contains_key(header::CONTENT_LENGTH));
        if cut.is_none() && is_clear {
            connection.rest();
            self.pool.keep(ask.url, address, connection);
        }
        let (address, status) = (address.ip(), parts.status.as_u16());
        Fetched { address, request, head, status, headers, body, cut }
    }
}

/// Bytes that may arrive in addition to twice the body.
const BESIDE_BODY: usize = 256 * 1024;

impl Fetched {
    /// Returns the value of a header field if it is readable text.
    pub(crate) fn header(&self, name: HeaderName) -> Option<&str> {
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
