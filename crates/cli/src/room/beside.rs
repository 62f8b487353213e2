//! The crawl as a process that only serves finds it: in another process, or nowhere.
//!
//! While nobody crawls, the room takes the collection itself, for the moment of one question, as
//! `lookfar why` does. Kept open, the stores would be answered from faster, but no crawl could
//! begin; so they are opened each time, by one question after another, and let alone in between.

use std::sync::{Arc, Mutex, PoisonError, TryLockError};
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use base::Collection;
use base::collection::Error as CollectionError;
use crawl::{Handle, Target};
use serde_json::Value;

use crate::command::forget;
use crate::control::{Client, Desk, Ended, Request};
use crate::place::options_of;

/// Answers for a collection that this process does not crawl.
pub(crate) struct Beside {
    pub(super) collection: Collection,
    /// Held by the question that has the collection; from when on the next one may take it.
    free: Mutex<Option<Instant>>,
}

const NAP: Duration = Duration::from_millis(25);
/// After a question the collection is let alone for as long as it took, within these bounds. Then a
/// crawl that wants to begin, and looks every 50 ms, waits for one question at most, and strangers
/// who ask for reports keep about half a core busy at most.
const SHORTEST_REST: Duration = Duration::from_millis(150);
const LONGEST_REST: Duration = Duration::from_secs(1);

impl Beside {
    pub(super) fn new(collection: Collection) -> Self {
        Self { collection, free: Mutex::default() }
    }

    /// Puts a question to whoever crawls or, if nobody does, to the collection. Blocks.
    pub(super) fn ask(&self, request: &Request) -> Result<Value> {
        let until = Instant::now() + patience(request);
        loop {
            if let Some(mut client) = Client::connect(&self.collection)? {
                match client.ask(request) {
                    // It has just ended; the collection answers in its place. What was asked for
                    // may be done already, and comes to the same if it is done again.
                    Err(error) if error.is::<Ended>() && Instant::now() < until => continue,
                    answer => return answer,
                }
            }
            if needs_crawl(request) {
                bail!("no crawl runs");
            }
            if let Some(answer) = self.ask_alone(request)? {
                return Ok(answer);
            }
            if Instant::now() >= until {
                bail!(
                    "the collection is in use: by a crawl that has just begun, by another command, \
                     or by what was asked here before; try again in a moment"
                );
            }
            sleep(NAP);
        }
    }

    /// Returns whether another process crawls and listens.
    pub(super) fn is_running(&self) -> bool {
        Client::connect(&self.collection).is_ok_and(|client| client.is_some())
    }

    /// Takes the collection for one question; `None` if it is not to be had now.
    fn ask_alone(&self, request: &Request) -> Result<Option<Value>> {
        let mut free = match self.free.try_lock() {
            Ok(free) => free,
            Err(TryLockError::Poisoned(free)) => PoisonError::into_inner(free),
            Err(TryLockError::WouldBlock) => return Ok(None),
        };
        let begun = Instant::now();
        if free.is_some_and(|moment| begun < moment) {
            return Ok(None);
        }
        let lock = match self.collection.lock() {
            Err(CollectionError::InUse(_)) => return Ok(None),
            lock => lock?,
        };
        let answer = answer(&self.collection, request);
        drop(lock);
        *free = Some(Instant::now() + begun.elapsed().clamp(SHORTEST_REST, LONGEST_REST));
        answer.map(Some)
    }
}

/// Returns whether only a crawl that runs can do this.
fn needs_crawl(request: &Request) -> bool {
    match request {
        Request::Pause
        | Request::Resume
        | Request::Stop
        | Request::Status
        | Request::Grants { .. }
        | Request::Settings
        | Request::Seeds { .. } => true,
        Request::Why { .. }
        | Request::Forget { .. }
        | Request::Hosts { .. }
        | Request::Host { .. }
        | Request::Rule { .. }
        | Request::Owner { .. } => false,
    }
}

/// Returns the longest wait for a turn: shorter than whoever asks would wait for the answer. A story
/// may be asked for through the interface, which gives it as long as a search.
fn patience(request: &Request) -> Duration {
    match request {
        Request::Why { .. } => Duration::from_secs(2),
        _ => Duration::from_secs(8),
    }
}

/// Answers from the stores; the caller holds the collection's lock.
fn answer(collection: &Collection, request: &Request) -> Result<Value> {
    if let Request::Forget { target } = request {
        let target: Target = target.parse().with_context(|| format!("cannot forget `{target}`"))?;
        return Ok(serde_json::to_value(forget::alone(collection, &target)?)?);
    }
    let handle = Handle::open(collection, &options_of(collection)?)?;
    Desk { handle, numbers: Arc::default(), settle: None }.do_it(request)
}
