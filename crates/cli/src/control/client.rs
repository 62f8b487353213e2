//! The asking side: whoever runs `lookfar pause`, `resume`, `stop`, `why` or `forget`.

use std::fmt;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use base::Collection;
use base::collection::{Error as CollectionError, Lock};
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{ANSWER_BYTES, Address, Answer, Request};
use crate::progress;

/// A connection to the process that crawls.
pub(crate) struct Client(BufReader<UnixStream>);

/// Who has the collection.
enum Turn {
    /// A process that crawls; ask it.
    Theirs(Client),
    /// Nobody: it is ours as long as the lock is held.
    Ours(Lock),
}

/// A process that has just begun takes the lock before it listens, and one that ends lets go of
/// it after it listens no more; `status` and `check` have it for moments. Longest wait for that.
const BETWEEN: Duration = Duration::from_secs(5);
const NAP: Duration = Duration::from_millis(50);

/// Crawls that may end in a row while they are asked.
const MOST_ENDED: u32 = 100;

/// Puts a question to the process that crawls or, if nobody does, lets `alone` answer it while the
/// collection is ours.
///
/// A crawl that ends before it answers is as good as none. What was asked for may be done already
/// then, and comes to the same if it is done again.
pub(crate) fn ask<T: DeserializeOwned>(
    collection: &Collection,
    request: &Request,
    alone: impl FnOnce() -> Result<T>,
) -> Result<T> {
    let mut num_ended = 0;
    loop {
        let mut client = match Turn::find(collection)? {
            Turn::Ours(_lock) => return alone(),
            Turn::Theirs(client) => client,
        };
        match progress::during("waits for the crawl", || client.ask(request)) {
            Err(error) if error.is::<Ended>() && num_ended < MOST_ENDED => {
                num_ended += 1;
                std::thread::sleep(NAP);
            }
            answer => {
                return serde_json::from_value(answer?).context("an answer of another version");
            }
        }
    }
}

impl Turn {
    /// Finds out who has the collection.
    fn find(collection: &Collection) -> Result<Self> {
        let until = Instant::now() + BETWEEN;
        loop {
            if let Some(client) = Client::connect(collection)? {
                return Ok(Self::Theirs(client));
            }
            match collection.lock() {
                Ok(lock) => return Ok(Self::Ours(lock)),
                Err(CollectionError::InUse(_)) if Instant::now() < until => {
                    std::thread::sleep(NAP);
                }
                Err(error) => return Err(error.into()),
            }
        }
    }
}

impl Client {
    /// Connects; `None` if nobody listens.
    pub(crate) fn connect(collection: &Collection) -> Result<Option<Self>> {
        let address = Address::of(collection.root()).context("cannot open the collection")?;
        match UnixStream::connect(&address.path) {
            Ok(stream) => Ok(Some(Self(BufReader::new(stream)))),
            Err(error) if is_nobody(&error) => Ok(None),
            Err(error) => Err(error).context("cannot reach the process that crawls"),
        }
    }

    /// Asks and waits for the answer.
    pub(crate) fn ask(&mut self, request: &Request) -> Result<Value> {
        let stream = self.0.get_mut();
        stream.set_write_timeout(Some(Duration::from_secs(10)))?;
        stream.set_read_timeout(Some(patience(request)))?;
        let line = serde_json::to_string(request).context("a request is plain data")?;
        stream.write_all(format!("{line}\n").as_bytes()).map_err(no_answer)?;
        let mut line = String::new();
        let limit = ANSWER_BYTES as u64;
        let num_read = self.0.by_ref().take(limit).read_line(&mut line).map_err(no_answer)?;
        if num_read == 0 {
            return Err(Ended.into());
        }
        if !line.ends_with('\n') {
            bail!(NO_ANSWER);
        }
        match serde_json::from_str(&line).context("the process that crawls answers nonsense")? {
            Answer::Ok(value) => Ok(value),
            Answer::Error(refusal) => Err(refusal.into()),
        }
    }

    /// Waits until the process has let go of the connection, at most `limit`.
    fn wait_until_closed(mut self, limit: Duration) -> Result<()> {
        self.0.get_mut().set_read_timeout(Some(limit))?;
        let mut rest = [0];
        match self.0.read(&mut rest) {
            Ok(_) => Ok(()),
            Err(error) if error.kind() == io::ErrorKind::ConnectionReset => Ok(()),
            Err(error) => Err(error).context("the process that crawls has not ended yet"),
        }
    }
}

/// Longest wait for a crawl to end: requests under way get some seconds, the index the rest.
const ENDING: Duration = Duration::from_secs(300);

/// Waits until a process that was asked to stop has ended; returns the collection's lock, or
/// `None` if another process was quicker.
pub(crate) fn wait_for_end(client: Client, collection: &Collection) -> Result<Option<Lock>> {
    client.wait_until_closed(ENDING)?;
    let until = Instant::now() + BETWEEN;
    loop {
        match collection.lock() {
            Ok(lock) => return Ok(Some(lock)),
            Err(CollectionError::InUse(_)) if Instant::now() >= until => return Ok(None),
            Err(CollectionError::InUse(_)) => std::thread::sleep(NAP),
            Err(error) => return Err(error.into()),
        }
    }
}

const NO_ANSWER: &str = "the process that crawls does not answer";

/// The process has let go of the connection before it answered: it ends.
#[derive(Debug)]
pub(crate) struct Ended;

impl fmt::Display for Ended {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("the process that crawled has ended before it answered; ask again")
    }
}

impl std::error::Error for Ended {}

fn no_answer(error: io::Error) -> anyhow::Error {
    match error.kind() {
        io::ErrorKind::ConnectionReset | io::ErrorKind::BrokenPipe => Ended.into(),
        _ => anyhow::Error::from(error).context(NO_ANSWER),
    }
}

/// Forgetting reads the page log and rewrites parts of the archive; all else is quick.
fn patience(request: &Request) -> Duration {
    match request {
        Request::Forget { .. } => Duration::from_secs(3600),
        Request::Why { .. } | Request::Hosts { .. } | Request::Owner { .. } => {
            Duration::from_secs(300)
        }
        Request::Pause
        | Request::Resume
        | Request::Stop
        | Request::Status
        | Request::Host { .. }
        | Request::Rule { .. }
        | Request::Grants { .. }
        | Request::Settings
        | Request::Seeds { .. } => Duration::from_secs(10),
    }
}

/// A socket that is not there, or one that a killed process left.
fn is_nobody(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::ConnectionRefused)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::net::UnixListener;

    use super::*;

    #[test]
    fn a_crawl_that_ends_while_it_is_asked_is_as_good_as_none() {
        let folder = tempfile::tempdir().unwrap();
        let collection = Collection::open_or_create(&folder.path().join("c")).unwrap();
        let address = Address::of(collection.root()).unwrap();
        let listener = UnixListener::bind(&address.path).unwrap();
        let ends = std::thread::spawn(move || {
            for _ in 0..3 {
                let (stream, _) = listener.accept().unwrap();
                BufReader::new(stream).read_line(&mut String::new()).unwrap();
            }
            fs::remove_file(&address.path).unwrap();
        });
        let answer: String = ask(&collection, &Request::Status, || Ok("ours".to_owned())).unwrap();
        assert_eq!(answer, "ours");
        ends.join().unwrap();
    }
}
