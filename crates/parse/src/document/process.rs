//! The child process that reads one document, and the parent that does not trust it.
//!
//! The child takes its limits upon itself before it looks at the first byte: memory, processor
//! time, no core file. The parent watches the clock and the length of the answer, and at the
//! end kills the whole process group, so that nothing is left behind. A thread that reads a
//! document waits for it: up to [`Limits::patience`], in the worst case.

use std::io::{self, Read, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use base::{ContentKind, Oddity};
use rustix::process::{Pid, Resource, Rlimit, Signal, kill_process_group, setrlimit};
use serde::{Deserialize, Serialize};

use super::{Document, Limits};

/// Longest request: a kind and a few numbers.
const REQUEST_BYTES: u32 = 4_096;
/// Of what a child says before it dies, kept to tell why.
const COMPLAINT_BYTES: u64 = 4_096;
/// Room in an answer for what is not text.
const ANSWER_BYTES: usize = 16 * 1024 * 1024;
/// How often, and after how long each time, a child is looked at that has closed its answer.
const FAREWELLS: u32 = 200;
const FAREWELL: Duration = Duration::from_millis(10);
/// Processor time is over; taken as a signal by its number, which all Unix systems share.
const SIGXCPU: i32 = 24;
const SIGKILL: i32 = 9;

/// Reads documents, each in a process of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reader {
    /// The program to start; called with one argument, `read-document`, it must call [`serve`].
    pub program: PathBuf,
    /// What a document may take.
    pub limits: Limits,
}

#[derive(Serialize, Deserialize)]
struct Request {
    kind: ContentKind,
    limits: Limits,
}

/// Why there is no answer.
enum Failure {
    /// It took more than it was allowed.
    Killed,
    /// It ended by itself, or never began.
    Died,
}

impl Reader {
    /// Returns a reader with the usual limits.
    pub fn new(program: PathBuf) -> Self {
        Self { program, limits: Limits::default() }
    }

    /// Reads a document; whatever happens to the child is an oddity of the document.
    ///
    /// Blocks until the child has answered or was killed.
    pub fn read(&self, kind: ContentKind, bytes: &[u8]) -> Document {
        let taken = &bytes[..bytes.len().min(self.limits.body_bytes)];
        let mut document = match self.ask(kind, taken) {
            Ok(document) => document,
            Err(Failure::Killed) => Document::odd(Oddity::ReaderKilled),
            Err(Failure::Died) => Document::odd(Oddity::Unreadable),
        };
        if taken.len() < bytes.len() {
            document.oddities.push(Oddity::DocumentCut);
        }
        document
    }

    fn ask(&self, kind: ContentKind, bytes: &[u8]) -> Result<Document, Failure> {
        let request = Request { kind, limits: self.limits.clone() };
        let request = postcard::to_stdvec(&request).map_err(|_| Failure::Died)?;
        let mut command = Command::new(&self.program);
        command.arg("read-document").env_clear().process_group(0);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().map_err(|_| Failure::Died)?;
        let most = 2 * self.limits.text_bytes + ANSWER_BYTES;
        let (stdin, stdout, stderr) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take());
        thread::scope(|scope| {
            let (sender, receiver) = mpsc::channel();
            // If the child dies first, the pipe is closed and there is nobody left to tell.
            scope.spawn(move || stdin.map(|pipe| send(pipe, &request, bytes)));
            scope.spawn(move || drop(sender.send(stdout.and_then(|pipe| receive(pipe, most)))));
            let complaint = scope.spawn(move || stderr.map(listen).unwrap_or_default());
            let answer = match receiver.recv_timeout(self.limits.patience) {
                Ok(Some(answer)) => postcard::from_bytes(&answer).ok(),
                // More than any honest answer.
                Ok(None) => None,
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {
                    end(&mut child);
                    return Err(Failure::Killed);
                }
            };
            if let Some(document) = answer {
                end(&mut child);
                return Ok(document);
            }
            // It has closed its side, so it should be about to end; how, tells why.
            let status = ended(&mut child);
            end(&mut child);
            let complaint = complaint.join().unwrap_or_default();
            Err(status.map_or(Failure::Killed, |status| judge(status, &complaint)))
        })
    }
}

/// Hands over request and document.
fn send(mut pipe: impl Write, request: &[u8], bytes: &[u8]) -> io::Result<()> {
    let length = u32::try_from(request.len()).unwrap_or(u32::MAX);
    pipe.write_all(&length.to_le_bytes())?;
    pipe.write_all(request)?;
    pipe.write_all(bytes)
}

/// Takes the answer; `None` if it is longer than `most`.
fn receive(pipe: impl Read, most: usize) -> Option<Vec<u8>> {
    let mut answer = Vec::new();
    pipe.take(most as u64 + 1).read_to_end(&mut answer).ok()?;
    (answer.len() <= most).then_some(answer)
}

/// Takes the beginning of what is said on stderr, and lets the rest pass.
fn listen(mut pipe: impl Read) -> Vec<u8> {
    let mut said = Vec::new();
    let _ = pipe.by_ref().take(COMPLAINT_BYTES).read_to_end(&mut said);
    let _ = io::copy(&mut pipe, &mut io::sink());
    said
}

/// Waits a little for a child that has said all it will; `None` if it goes on all the same.
fn ended(child: &mut Child) -> Option<ExitStatus> {
    for _ in 0..FAREWELLS {
        if let Ok(Some(status)) = child.try_wait() {
            return Some(status);
        }
        thread::sleep(FAREWELL);
    }
    None
}

/// Kills the process group and takes the child out of the table of processes.
fn end(child: &mut Child) {
    if let Some(group) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) {
        // Nobody there any more is what we want.
        let _ = kill_process_group(group, Signal::KILL);
    }
    let _ = child.wait();
}

/// Tells a child that was stopped at its limits from one that failed.
fn judge(status: ExitStatus, complaint: &[u8]) -> Failure {
    let lacks_memory = complaint.windows(17).any(|window| window == b"memory allocation");
    match status.signal() {
        Some(SIGXCPU | SIGKILL) => Failure::Killed,
        Some(_) if lacks_memory => Failure::Killed,
        _ => Failure::Died,
    }
}

/// The child: reads a request and a document from stdin, writes the answer to stdout.
///
/// Sets limits on the whole process, so call it in one that does nothing else.
pub fn serve() -> io::Result<()> {
    let mut stdin = io::stdin().lock();
    let mut length = [0; 4];
    stdin.read_exact(&mut length)?;
    let length = u32::from_le_bytes(length);
    if length > REQUEST_BYTES {
        return Err(io::Error::other("a request of that length is none of ours"));
    }
    let mut request = vec![0; length as usize];
    stdin.read_exact(&mut request)?;
    let request: Request = postcard::from_bytes(&request).map_err(io::Error::other)?;
    let Request { kind, limits } = request;
    limit(Resource::Core, 0)?;
    limit(Resource::As, limits.memory_bytes)?;
    limit(Resource::Cpu, limits.cpu_seconds)?;
    let mut bytes = Vec::new();
    stdin.take(limits.body_bytes as u64).read_to_end(&mut bytes)?;
    // A panic is one document's misfortune, told in the answer and not on stderr.
    std::panic::set_hook(Box::new(|_| {}));
    let document = catch_unwind(AssertUnwindSafe(|| super::read(kind, &bytes, &limits)))
        .unwrap_or_else(|_| Document::odd(Oddity::Unreadable));
    let answer = postcard::to_stdvec(&document).map_err(io::Error::other)?;
    let mut stdout = io::stdout().lock();
    stdout.write_all(&answer)?;
    stdout.flush()
}

fn limit(resource: Resource, most: u64) -> io::Result<()> {
    let limit = Rlimit { current: Some(most), maximum: Some(most) };
    setrlimit(resource, limit).map_err(io::Error::from)
}
