//! One part of the comparison, done by a process of its own: its CPU time and memory are its own.

use std::net::SocketAddr;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::web::{self, Served, WebShape};
use crate::{CONCURRENCY, bare, ours, usage};

/// What a process is to do.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) enum Part {
    /// Serves the web until its input ends.
    Serve,
    /// Fetches every page and forgets it.
    Bare,
    /// Fetches every page and runs the tokeniser over it.
    Tokenise,
    /// Crawls the web.
    Crawl,
}

/// A part and what it works on.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Job {
    pub(crate) part: Part,
    pub(crate) shape: WebShape,
    pub(crate) http_port: u16,
    pub(crate) dns: SocketAddr,
    pub(crate) concurrency: usize,
    /// Between two requests to one host.
    pub(crate) delay: Duration,
    /// How long to crawl; `None` until nothing is left.
    pub(crate) seconds: Option<u64>,
}

/// What a process did, and what it took.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Measured {
    pub(crate) pages: u64,
    /// Of all bodies.
    pub(crate) bytes: u64,
    pub(crate) cpu_seconds: f64,
    pub(crate) seconds: f64,
    pub(crate) most_memory: u64,
    /// Share of the fetchers' time that was lost though a host was ready.
    pub(crate) idle_share: f64,
}

/// What one of the fetching parts fetched.
pub(crate) struct Fetched {
    pub(crate) pages: u64,
    pub(crate) bytes: u64,
    pub(crate) idle_share: f64,
}

impl Job {
    pub(crate) fn new(part: Part, served: &Served) -> Self {
        Self {
            part,
            shape: served.shape,
            http_port: served.http_port,
            dns: served.dns,
            concurrency: CONCURRENCY,
            delay: Duration::ZERO,
            seconds: None,
        }
    }

    /// Returns this program with the job on its command line.
    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--job", &serde_json::to_string(self).unwrap()]).stdout(Stdio::piped());
        command
    }

    /// Has a process do the job.
    pub(crate) fn run(&self) -> Measured {
        let output = self.command().stderr(Stdio::inherit()).output().unwrap();
        assert!(output.status.success(), "{:?} failed", self.part);
        serde_json::from_slice(&output.stdout).unwrap()
    }

    /// Does the job in this process.
    pub(crate) fn carry_out(&self) {
        if matches!(self.part, Part::Serve) {
            return web::serve(self.shape);
        }
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
        // Making the list of URLs is no part of fetching them.
        let pages = web::pages(self.shape);
        let (began, cpu) = (Instant::now(), usage::cpu_time());
        let fetched = match self.part {
            Part::Crawl => ours::crawl(&runtime, self, &pages),
            _ => runtime.block_on(bare::fetch(*self, pages)),
        };
        let measured = Measured {
            pages: fetched.pages,
            bytes: fetched.bytes,
            cpu_seconds: (usage::cpu_time() - cpu).as_secs_f64(),
            seconds: began.elapsed().as_secs_f64(),
            most_memory: usage::most_memory(),
            idle_share: fetched.idle_share,
        };
        println!("{}", serde_json::to_string(&measured).unwrap());
    }
}

impl Measured {
    pub(crate) fn cpu_per_thousand(&self) -> f64 {
        self.cpu_seconds * 1_000.0 / self.pages as f64
    }
}
