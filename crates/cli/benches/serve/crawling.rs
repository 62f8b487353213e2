//! A crawl as fast as it goes, in a collection of its own: one process that is the web, and
//! `lookfar crawl`, which fetches, archives, reads, indexes and ranks.
//!
//! No real crawl has its web on the same machine: what that takes of the processors is told apart.
//!
//! It is not the collection that is served. The pages of that one were made without an archive and
//! without servers: a crawl would first make a frontier of all of them, for minutes, and then ask for
//! addresses that nobody has. What a crawl does to searches beyond taking processors and the disk is that
//! commits and merges come into the index they read; `process::Indexer` does that to the served
//! collection, faster than any crawl could, and "beside both" measures the two together.

use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use base::Collection;
use serde_json::Value;
use tempfile::TempDir;
use testweb::{Generated, GeneratedOptions, Mix, Web};

use crate::process::{CpuOf, again, first_line};

const HOSTS: usize = 400;
/// Pages fetched before anything is measured: by then all hosts are known and the index is busy.
const BEGUN: u64 = 300;
const PATIENCE: Duration = Duration::from_secs(120);

/// Both processes; they end with this value.
pub struct Crawling {
    web: Child,
    crawl: Child,
    folder: TempDir,
    begun: Instant,
    before: Numbers,
}

/// How far it is.
#[derive(Clone, Copy, Default)]
struct Numbers {
    fetched: u64,
    waiting: u64,
    indexed: u64,
    cpu: f64,
    cpu_of_web: f64,
}

impl Crawling {
    /// Starts both on a web of so many pages; returns once pages come in.
    pub fn start(pages: u64) -> Self {
        let mut web = again();
        web.args(["--web", ".", "--pages", &pages.to_string()]);
        let mut web = web.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let line = first_line(&mut web);
        let told: Vec<&str> = line.split_whitespace().collect();
        let &[port, dns, seed] = told.as_slice() else { panic!("no web: {line}") };
        let folder = tempfile::tempdir().unwrap();
        configure(folder.path(), port.parse().unwrap(), dns.parse().unwrap());
        let crawl = lookfar(folder.path(), &["crawl", seed]).stderr(Stdio::null()).spawn().unwrap();
        let (begun, before) = (Instant::now(), Numbers::default());
        let mut crawling = Self { web, crawl, folder, begun, before };
        while crawling.before.fetched < BEGUN {
            assert!(begun.elapsed() < PATIENCE, "the crawl does not begin");
            std::thread::sleep(Duration::from_millis(100));
            crawling.before = crawling.numbers();
        }
        crawling.begun = Instant::now();
        crawling
    }

    /// Ends it and says how fast it was, and whether there was work all the time.
    pub fn end(self) -> String {
        let (now, took) = (self.numbers(), self.begun.elapsed().as_secs_f64());
        let before = self.before;
        let each = |now: u64, before: u64| now.saturating_sub(before) as f64 / took;
        let ended =
            if now.waiting == 0 { "; it was done before the end: raise --web-pages" } else { "" };
        format!(
            "in a collection of its own it fetched {:.0} and indexed {:.0} pages/s with {:.2} of a core, its web had {:.2}{ended}",
            each(now.fetched, before.fetched),
            each(now.indexed, before.indexed),
            (now.cpu - before.cpu) / took,
            (now.cpu_of_web - before.cpu_of_web) / took,
        )
    }

    fn numbers(&self) -> Numbers {
        let output = lookfar(self.folder.path(), &["status", "--json"]).output().unwrap();
        let told: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
        let number = |name: &str| told[name].as_u64().unwrap_or(0);
        Numbers {
            fetched: number("pages_fetched"),
            waiting: number("urls_waiting"),
            indexed: number("documents_indexed"),
            cpu: CpuOf::process(&self.crawl).seconds(),
            cpu_of_web: CpuOf::process(&self.web).seconds(),
        }
    }
}

impl Drop for Crawling {
    fn drop(&mut self) {
        for child in [&mut self.crawl, &mut self.web] {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

fn lookfar(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lookfar"));
    command.arg("--dir").arg(folder).args(arguments).env_remove("RUST_LOG").stdin(Stdio::null());
    command
}

/// The defaults, but in a hurry and on loopback.
fn configure(folder: &Path, port: u16, dns: SocketAddr) {
    let collection = Collection::open_or_create(folder).unwrap();
    let config = format!(
        "[index]\nanalyse_every = \"5s\"\n[crawl]\nscope = [\"lookfar\"]\ndelay = \"1ms\"\n\
         slowness_factor = 0\nguesses = false\nagain_after = \"never\"\naddresses = \"loopback\"\n\
         dns_servers = [\"{dns}\"]\ninstead_of_port_80 = {port}\n"
    );
    std::fs::write(collection.config(), config).unwrap();
}

/// Serves a made-up web, of which it prints port, name server and first page, until its input ends.
pub fn web(pages: u64) {
    let options =
        GeneratedOptions { hosts: HOSTS, pages, mix: Mix::none(), ..GeneratedOptions::default() };
    let generated = Generated::new(options);
    let web = Web::new().sites(generated.sites()).frozen().start().unwrap();
    println!("{} {} {}", web.http_port, web.dns_addr, generated.seed_url());
    std::io::copy(&mut std::io::stdin(), &mut std::io::sink()).unwrap();
}
