//! The answering side, in the process that crawls.

use std::fs;
use std::io;
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context, Result};
use base::{Collection, Host, Rules, Url};
use crawl::{Handle, Target};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::unix::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{UnixListener, UnixStream};
use tokio::sync::Semaphore;
use tokio::time::timeout;

use super::{Address, Answer, Gone, NAME, REQUEST_BYTES, Refusal, Request};
use crate::numbers::Numbers;

/// Who answers.
#[derive(Clone)]
pub(crate) struct Desk {
    pub(crate) handle: Handle,
    pub(crate) numbers: Arc<Mutex<Numbers>>,
    /// Lets all stages go by the present settings; `None` where none runs.
    pub(crate) settle: Option<Settle>,
}

/// Reads settings again and passes them on.
pub(crate) type Settle = Arc<dyn Fn() -> Result<()> + Send + Sync>;

/// Listens for requests until it is dropped.
pub(crate) struct Server {
    task: tokio::task::JoinHandle<()>,
    path: PathBuf,
}

/// Connections at once; people have a few terminals.
const CONNECTIONS: usize = 16;
/// Longest wait for a request, and for the reader of an answer.
const SILENCE: Duration = Duration::from_secs(30);

impl Server {
    /// Begins to listen. The caller holds the collection's lock, so a socket that is there was
    /// left by a process that is dead, and is replaced.
    pub(crate) fn start(collection: &Collection, desk: Desk) -> Result<Self> {
        let path = collection.root().join(NAME);
        let address = Address::of(collection.root()).context("cannot open the collection")?;
        let listener = bind(&path, &address)
            .with_context(|| format!("cannot listen on `{}`", path.display()))?;
        let owner = fs::metadata(&path).context("cannot look at the socket")?.uid();
        let task = tokio::spawn(accept(listener, desk, owner));
        Ok(Self { task, path })
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.task.abort();
        // One that stays is replaced by the next process.
        let _ = fs::remove_file(&self.path);
    }
}

fn bind(path: &PathBuf, address: &Address) -> io::Result<UnixListener> {
    match fs::symlink_metadata(path) {
        Ok(found) if found.file_type().is_socket() => fs::remove_file(path)?,
        Ok(_) => return Err(io::ErrorKind::AlreadyExists.into()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(error),
    }
    let listener = UnixListener::bind(&address.path)?;
    fs::set_permissions(path, fs::Permissions::from_mode(0o600))?;
    Ok(listener)
}

async fn accept(listener: UnixListener, desk: Desk, owner: u32) {
    let room = Arc::new(Semaphore::new(CONNECTIONS));
    loop {
        let Ok(place) = room.clone().acquire_owned().await else { return };
        let stream = match listener.accept().await {
            Ok((stream, _)) => stream,
            Err(error) => {
                tracing::warn!(%error, "control connection failed");
                // Out of descriptors, most likely: give others time to let go of some.
                tokio::time::sleep(Duration::from_millis(200)).await;
                continue;
            }
        };
        // Between binding and closing the socket to others, somebody may have come in.
        let user = stream.peer_cred().map(|peer| peer.uid());
        if !user.is_ok_and(|user| user == owner || user == 0) {
            continue;
        }
        let desk = desk.clone();
        tokio::spawn(async move {
            if let Err(error) = talk(stream, &desk).await {
                tracing::debug!(%error, "control connection ended early");
            }
            drop(place);
        });
    }
}

/// Answers requests until the other side is gone or silent.
async fn talk(stream: UnixStream, desk: &Desk) -> io::Result<()> {
    let (read, mut write) = stream.into_split();
    let mut read = BufReader::new(read);
    while let Some(line) = next_line(&mut read).await? {
        let request: Result<Request, _> = serde_json::from_slice(&line);
        let is_stop = matches!(request, Ok(Request::Stop));
        let answer = match request {
            Ok(request) => desk.answer(request).await,
            Err(error) => refused(&anyhow::Error::from(error).context("not a request")),
        };
        send(&mut write, &answer).await?;
        if is_stop {
            desk.handle.stop();
            // Open until the process ends, which is what the other side waits for.
            let _ = read.read_u8().await;
        }
    }
    Ok(())
}

/// Reads a request; `None` at the end. One that is too long or too slow ends the connection.
async fn next_line(read: &mut BufReader<OwnedReadHalf>) -> io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    let mut bounded = read.take(REQUEST_BYTES as u64);
    timeout(SILENCE, bounded.read_until(b'\n', &mut line)).await??;
    match line.last() {
        None => Ok(None),
        Some(b'\n') => Ok(Some(line)),
        Some(_) => Err(io::ErrorKind::InvalidData.into()),
    }
}

async fn send(write: &mut OwnedWriteHalf, answer: &Answer) -> io::Result<()> {
    let mut line = serde_json::to_vec(answer)?;
    line.push(b'\n');
    timeout(SILENCE, write.write_all(&line)).await?
}

impl Desk {
    async fn answer(&self, request: Request) -> Answer {
        let desk = self.clone();
        // Stories and forgetting read the disk.
        let answered = tokio::task::spawn_blocking(move || desk.do_it(&request)).await;
        match answered {
            Ok(Ok(value)) => Answer::Ok(value),
            Ok(Err(error)) => refused(&error),
            Err(error) => refused(&anyhow::Error::from(error).context("the request died")),
        }
    }

    /// Returns the numbers as they are. Whether there is still a crawl to steer, they say: a process
    /// whose crawl has failed answers on.
    pub(crate) fn numbers(&self) -> Numbers {
        let numbers = self.numbers.lock().unwrap_or_else(PoisonError::into_inner).clone();
        Numbers { is_paused: self.handle.is_paused(), ..numbers }
    }

    fn settle(&self) -> Result<()> {
        self.settle.as_ref().map_or(Ok(()), |settle| settle())
    }

    /// Does what is asked. Blocks.
    pub(crate) fn do_it(&self, request: &Request) -> Result<Value> {
        match request {
            Request::Pause => {
                self.handle.pause();
                Ok(json!({ "is_paused": true }))
            }
            Request::Resume => {
                self.handle.resume();
                Ok(json!({ "is_paused": false }))
            }
            // Once the answer is on its way.
            Request::Stop => Ok(json!({ "process": std::process::id() })),
            Request::Status => Ok(serde_json::to_value(self.numbers())?),
            Request::Why { url } => Ok(serde_json::to_value(self.handle.why(url)?)?),
            Request::Forget { target } => {
                let target: Target =
                    target.parse().with_context(|| format!("cannot forget `{target}`"))?;
                let forgotten = self.handle.forget(&target)?;
                Ok(serde_json::to_value(Gone::new(&target, forgotten))?)
            }
            Request::Hosts { query } => Ok(serde_json::to_value(self.handle.hosts(query)?)?),
            Request::Host { name } => {
                Ok(serde_json::to_value(self.handle.host(&parse_host(name)?)?)?)
            }
            Request::Rule { host, rule } => {
                Ok(serde_json::to_value(self.handle.set_host_rule(&parse_host(host)?, *rule)?)?)
            }
            Request::Seeds { urls } => {
                let parse = |url: &String| Url::parse_with(url, Rules::NONE);
                let urls: Vec<Url> = urls.iter().map(parse).collect::<Result<_, _>>()?;
                // Where the scope is made of the seeds, their links are followed too.
                self.settle()?;
                Ok(json!({ "is_queued": self.handle.add_seeds(urls) }))
            }
            Request::Settings => {
                self.settle()?;
                Ok(json!({}))
            }
            Request::Grants { is_on } => {
                if let Some(is_on) = *is_on {
                    self.handle.log_grants(is_on)?;
                }
                Ok(json!({ "is_on": self.handle.logs_grants() }))
            }
            Request::Owner { host, proof } => {
                let host = parse_host(host)?;
                let is_proved = self.handle.is_proved(&host, proof)?;
                let report = is_proved.then(|| self.handle.owner_report(&host)).transpose()?;
                Ok(serde_json::to_value(report)?)
            }
        }
    }
}

fn parse_host(name: &str) -> Result<Host> {
    Host::parse(name).with_context(|| format!("`{name}` is no host"))
}

fn refused(error: &anyhow::Error) -> Answer {
    Answer::Error(Refusal::from(error))
}
