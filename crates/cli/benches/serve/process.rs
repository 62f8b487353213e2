//! The processes beside this one: servers, and one that indexes.

use std::io::{BufRead as _, BufReader};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::Instant;

use base::Collection;

use crate::corpus;

/// A server; ends with this value.
pub struct Server {
    child: Child,
    pub address: SocketAddr,
}

impl Server {
    /// Starts the bare one on an index.
    pub fn plain(folder: &Path) -> Self {
        Self::start(again().arg("--plain").arg(folder))
    }

    /// Starts `lookfar serve` on a collection.
    pub fn lookfar(folder: &Path) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_lookfar"));
        Self::start(command.args(["serve", "--port", "0", "--json", "--dir"]).arg(folder))
    }

    /// The same on these cores only, from its start on, so that it makes as many threads as fit.
    pub fn lookfar_on(cores: &str, folder: &Path) -> Self {
        let mut command = Command::new("taskset");
        command.args(["--cpu-list", cores, env!("CARGO_BIN_EXE_lookfar")]);
        Self::start(command.args(["serve", "--port", "0", "--json", "--dir"]).arg(folder))
    }

    fn start(command: &mut Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let line = first_line(&mut child);
        let (_, rest) = line.split_once("http://").unwrap_or_else(|| panic!("no address: {line}"));
        let address = rest.split('/').next().unwrap_or_default().parse().unwrap();
        Self { child, address }
    }

    /// Returns what it has had of the processors, in seconds.
    pub fn cpu(&self) -> CpuOf {
        CpuOf::process(&self.child)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A process whose time is read.
#[derive(Clone, Copy, Debug)]
pub struct CpuOf(u32);

impl CpuOf {
    pub fn process(child: &Child) -> Self {
        Self(child.id())
    }

    pub fn seconds(self) -> f64 {
        corpus::cpu_seconds_of(&self.0.to_string())
    }
}

/// A process that indexes new pages as fast as it can.
pub struct Indexer {
    child: Child,
    cpu: f64,
    begun: Instant,
}

impl Indexer {
    /// Writes so many pages more to the log, then starts to index them; returns once it has begun.
    pub fn start(folder: &Path, from: usize, more: usize) -> Self {
        let mut command = again();
        command.arg("--indexer").arg(folder);
        command.args(["--from", &from.to_string(), "--docs", &more.to_string()]);
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        first_line(&mut child);
        let cpu = CpuOf::process(&child).seconds();
        Self { child, cpu, begun: Instant::now() }
    }

    /// Ends it and says whether it worked all the time, and how much.
    pub fn end(mut self) -> String {
        let (cpu, took) = (CpuOf::process(&self.child).seconds() - self.cpu, self.begun.elapsed());
        let is_done = self.child.try_wait().unwrap().is_some();
        let _ = self.child.kill();
        let _ = self.child.wait();
        let ended = if is_done { "it was done before the end: ask for more --docs" } else { "" };
        format!("it had {:.2} of a core all the time {ended}", cpu / took.as_secs_f64())
    }
}

/// Indexes pages that it appends to the log first, as the crawl's own process does: behind whoever
/// searches.
pub fn index_on(folder: &Path, from: usize, more: usize, memory: usize) {
    let collection = Collection::open(folder).unwrap();
    corpus::append_log(&collection, from..from + more, None);
    println!("begins");
    rustix::process::setpriority_process(None, 10).unwrap();
    index::catch_up(&collection, index::Options { memory_bytes: memory }, |_| {}).unwrap();
}

/// Returns this program.
pub fn again() -> Command {
    Command::new(std::env::current_exe().unwrap())
}

pub fn first_line(child: &mut Child) -> String {
    let out: ChildStdout = child.stdout.take().unwrap();
    let mut line = String::new();
    BufReader::new(out).read_line(&mut line).unwrap();
    line
}
