//! One picture for a person who looks at a list of them, under all the rules of a page (P8).
//!
//! Nothing is kept in the archive or the frontier: a picture is not a page. But the scope, the
//! block list, robots.txt, the rests of host and address, the addresses that may be dialled and
//! the limits on bytes and time hold as for one, and again for each place a redirect leads to.

use std::sync::Mutex;
use std::sync::PoisonError;
use std::time::Duration;

use base::{Timestamp, Url};
use hyper::header;
use tokio::time::Instant;

use super::Shared;
use crate::Failure;
use crate::fetch::{self, Ask, Fetched, Following, Redirect};
use crate::picture::{NoPicture, Picture, PictureKind};
use crate::politeness::Permit;
use crate::robots::{Book, Verdict};
use crate::scheduler::Event;

/// Longest picture. Those that pages show small are far shorter; a list of 24 stays below 24 MiB.
const BYTES: usize = 1024 * 1024;
/// Longest time for one request, and longest wait until it may begin.
const TOTAL: Duration = Duration::from_secs(10);
const WAIT: Duration = Duration::from_secs(8);
/// Places that one address may lead to.
const HOPS: usize = 3;

impl Shared {
    /// Fetches a picture; `book` holds the rules of the hosts it asks.
    pub(crate) async fn picture(
        &self,
        url: &Url,
        book: &Mutex<Book>,
    ) -> Result<Result<Picture, NoPicture>, Busy> {
        let deadline = Instant::now() + WAIT;
        let mut url = url.clone();
        for _ in 0..HOPS {
            if let Err(no) = self.may_show(&url) {
                return Ok(Err(no));
            }
            let delay = match self.picture_rules(&url, book, deadline).await? {
                Ok(delay) => delay,
                Err(no) => return Ok(Err(no)),
            };
            let permit = match self.picture_permit(&url, delay, deadline).await? {
                Ok(permit) => permit,
                Err(no) => return Ok(Err(no)),
            };
            let fetched = match self.ask_once(permit, &url).await {
                Ok(fetched) => fetched,
                Err(failure) => return Ok(Err(NoPicture::Failed(failure))),
            };
            let following = Following { rules: self.options.url_rules, downgrades: false };
            match fetch::redirect(&url, fetched.status, &fetched.headers, following) {
                Redirect::To(target) => url = target,
                _ => return Ok(read(&fetched)),
            }
        }
        Ok(Err(NoPicture::NotAPicture))
    }

    /// Says whether the person who crawls wants anything from this address.
    pub(crate) fn may_show(&self, url: &Url) -> Result<(), NoPicture> {
        let options = &self.options;
        let is_out = options.blocked.holds(url)
            || options.host_rules.blocks(url)
            || options.host_rules.is_held(&url.host())
            || options.scope_now().judge_listing(url).is_err();
        if is_out { Err(NoPicture::KeptOut) } else { Ok(()) }
    }

    /// Returns the rest that a host's robots.txt asks for, if it lets us have the picture; the file
    /// is fetched first where it is not known.
    async fn picture_rules(
        &self,
        url: &Url,
        book: &Mutex<Book>,
        deadline: Instant,
    ) -> Result<Result<Duration, NoPicture>, Busy> {
        let own = self.options.host_rules.delay(&url.host());
        let judge = |now: Timestamp| {
            let mut book = book.lock().unwrap_or_else(PoisonError::into_inner);
            book.judge(url, now, |origin| self.frontier.robots(origin))
        };
        for is_asked in [false, true] {
            let delay = match judge((self.options.clock)()) {
                Ok(Verdict::Allowed { delay }) => {
                    return Ok(Ok(delay.unwrap_or_default().max(own)));
                }
                Ok(Verdict::Forbidden { .. }) => return Ok(Err(NoPicture::Forbidden)),
                Ok(Verdict::Unknown { delay }) => delay.unwrap_or_default().max(own),
                // What cannot be read now can later.
                Err(_) => return Err(Busy),
            };
            if is_asked {
                break;
            }
            let permit = match self.picture_permit(url, delay, deadline).await? {
                Ok(permit) => permit,
                Err(no) => return Ok(Err(no)),
            };
            self.ask_rules(permit, url, book).await;
        }
        // Without rules a host is closed (ROB-18).
        Ok(Err(NoPicture::Forbidden))
    }

    /// Reads a host's robots.txt into the book.
    async fn ask_rules(&self, permit: Permit, url: &Url, book: &Mutex<Book>) {
        let Ok(file) = url.join("/robots.txt") else { return };
        let address = permit.address();
        let (free, copy) = self.follow_robots(permit, file, None, 0, &mut Vec::new()).await;
        let _ = self.events.send(Event::Freed { address, at: free.address });
        let mut book = book.lock().unwrap_or_else(PoisonError::into_inner);
        match copy {
            Some(copy) => {
                book.keep(url.origin(), &copy);
            }
            None => {
                self.politeness.hold(&url.host(), Instant::now() + self.backoff(0));
                let load = |origin: &str| self.frontier.robots(origin);
                let _ = book.unreachable(url.origin(), (self.options.clock)(), load);
            }
        }
    }

    async fn picture_permit(
        &self,
        url: &Url,
        delay: Duration,
        deadline: Instant,
    ) -> Result<Result<Permit, NoPicture>, Busy> {
        let host = url.host();
        if self.rests_in_store(&host) {
            return Err(Busy);
        }
        let resolved = match self.dns.resolve(&host).await {
            Ok(resolved) => resolved,
            Err(failure) => return Ok(Err(NoPicture::Failed(failure))),
        };
        let permit = self.politeness.wait(&host, resolved.address, delay, deadline).await;
        permit.map(Ok).ok_or(Busy)
    }

    async fn ask_once(&self, permit: Permit, url: &Url) -> Result<Fetched, Failure> {
        let ask = Ask { url, body_bytes: BYTES, total: TOTAL, conditions: &[] };
        let result = self.fetcher.fetch(&permit, ask).await;
        let rest = match &result {
            Ok(fetched) => self.rest_after(fetched, 0),
            Err(_) => Some(self.backoff(0)),
        };
        let address = permit.address();
        let free = permit.end(rest.unwrap_or_default());
        let _ = self.events.send(Event::Freed { address, at: free.address });
        result
    }
}

/// There was no turn in time: it is worth asking again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Busy;

/// Judges a response by what it is, not by what it says it is.
fn read(fetched: &Fetched) -> Result<Picture, NoPicture> {
    if fetched.status != 200 {
        return Err(NoPicture::Status(fetched.status));
    }
    if fetched.cut.is_some() {
        return Err(NoPicture::TooLarge);
    }
    let says = |name| fetched.header(name).map(str::to_ascii_lowercase).unwrap_or_default();
    let wishes = says(header::HeaderName::from_static("x-robots-tag"));
    if ["noindex", "noimageindex", "none"].iter().any(|word| wishes.contains(word)) {
        return Err(NoPicture::Forbidden);
    }
    // Pictures are packed already; who packs them again is up to something.
    if !matches!(says(header::CONTENT_ENCODING).as_str(), "" | "identity") {
        return Err(NoPicture::NotAPicture);
    }
    let kind = PictureKind::of(&fetched.body).ok_or(NoPicture::NotAPicture)?;
    Ok(Picture { kind, bytes: fetched.body.as_slice().into() })
}
