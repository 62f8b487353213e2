//! How many answers a second does the server give, how fast, and how much is it disturbed?
//!
//! `cargo xtask bench serve -- [--docs 20000] [--seconds 5] [--rounds 3] [--connections 16]
//! [--slow 2000] [--web-pages 30000] [--keep FOLDER]`, on Linux; real text comes from HTML files
//! below `LOOKFAR_DOCS`.
//! With `--keep` the indexes stay in that folder, and the next run of the same size begins with them.
//!
//! `lookfar serve` and a bare axum handler on bare tantivy answer the same queries over the same texts,
//! each as a process of its own, asked over kept connections on loopback by this process:
//!
//! - how soon the page begins to come, for one visitor at a time;
//! - the highest rate, round about: bare (ids alone; whole hits with tantivy's own snippets), our
//!   interface for programs, our page; with the CPU time of the server per answer;
//! - at a quarter of the highest rate of the interface, how long answers take: alone, beside slow
//!   connections that send a byte now and then, beside a crawl of a made-up web at full speed
//!   (into a collection of its own; `crawling` says why), beside a process that indexes into the served
//!   collection at full speed, and beside both;
//! - at ten times the highest rate, how many good answers are left and how fast the rest is refused;
//!   once with all cores shared by asker and server, once with a core for the server alone.
//!
//! Aims: half of bare's rate; p99 at most doubled by each; four fifths of the highest rate left.
//!
//! Who asks from this machine has no limit by address, so none is switched off; `connections` in the
//! collection's lookfar.toml is raised, so that the slow connections are all there at once.

#![allow(clippy::print_stdout, clippy::unwrap_used, unreachable_pub, missing_docs, dead_code)]

#[path = "../../../rank/benches/query/asked.rs"]
mod asked;
#[path = "../../../index/benches/index/bare.rs"]
mod bare;
#[path = "../../../index/benches/index/corpus.rs"]
mod corpus;
mod crawling;
mod flood;
mod loader;
#[path = "../../../rank/benches/query/made.rs"]
mod made;
mod plain;
mod process;
mod slow;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use asked::Asked;
use base::Collection;
use corpus::{load, option};
use crawling::Crawling;
use loader::{Measured, Pace, Target};
use process::{Indexer, Server};
use slow::SlowOnes;

const API: &str = "/api/v1/search?q=";
const MEMORY: usize = 256 * 1024 * 1024;
/// Share of the highest rate at which disturbances are looked at.
const CALM: f64 = 0.25;

fn main() {
    if let Some(folder) = named("--plain") {
        return plain::serve(&folder);
    }
    if named("--web").is_some() {
        return crawling::web(option("--pages", 1_000) as u64);
    }
    if let Some(folder) = named("--indexer") {
        return process::index_on(&folder, option("--from", 0), option("--docs", 0), MEMORY);
    }
    let num_docs = option("--docs", 20_000);
    let temporary = tempfile::tempdir().unwrap();
    let folder = named("--keep").unwrap_or_else(|| temporary.path().to_owned());
    make(&folder, num_docs);
    Bench::new(&folder, num_docs).run();
}

/// Makes both indexes, unless they are there.
fn make(folder: &Path, num_docs: usize) {
    let stamp = folder.join(format!("made-{num_docs}"));
    if stamp.exists() {
        return;
    }
    std::fs::create_dir_all(folder).unwrap();
    let begun = Instant::now();
    let collection = Collection::open_or_create(&folder.join("c")).unwrap();
    let written = made::collection(&collection, num_docs, MEMORY);
    println!("{num_docs} documents, {} of real text; load {}", written.num_real, load());
    let ours = begun.elapsed();
    bare::build(&collection, &folder.join("bare"), MEMORY);
    let config = "[serve]\nconnections = 8192\n";
    std::fs::write(collection.config(), config).unwrap();
    std::fs::write(stamp, "").unwrap();
    let bare = begun.elapsed() - ours;
    println!("made in {:.0} s, bare in {:.0} s", ours.as_secs_f64(), bare.as_secs_f64());
}

struct Bench {
    folder: PathBuf,
    num_docs: usize,
    seconds: u64,
    queries: Vec<String>,
}

impl Bench {
    fn new(folder: &Path, num_docs: usize) -> Self {
        let groups = asked::groups();
        let longest = groups.iter().map(|(_, asked)| asked.len()).max().unwrap_or(0);
        // One of each kind in turn, so that any second has all of them.
        let turn = |number| groups.iter().filter_map(move |(_, asked)| asked.get(number));
        let queries = (0..longest).flat_map(turn).map(Asked::text).collect();
        let seconds = option("--seconds", 5) as u64;
        Self { folder: folder.to_owned(), num_docs, seconds, queries }
    }

    fn run(&self) {
        let bare = Server::plain(&self.folder.join("bare"));
        let ours = Server::lookfar(&self.folder.join("c"));
        let target = |server: &Server, path: &str| Target::new(server, path, &self.queries);
        let targets = [
            ("bare, ids alone", target(&bare, "/ids?q=")),
            ("bare, whole hits", target(&bare, "/search?q=")),
            ("ours, /api/v1/search", target(&ours, API)),
            ("ours, the page", target(&ours, "/search?q=")),
        ];
        for (_, target) in &targets {
            let warm = target.ask(4, Pace::Once);
            assert_eq!(warm.good, self.queries.len() as u64, "every query is answered: {warm:?}");
        }
        let api = &targets[2].1;
        self.first_byte(&targets[3].1);
        let peak = self.rates(&targets);
        drop(bare);
        self.disturbed(api, &ours, peak);
        println!("\nasker and server share all cores:");
        flood::flood(api, self.duration(), peak);
        drop(ours);
        flood::flood_apart(&self.folder.join("c"), API, &self.queries, self.duration());
    }

    /// Prints how soon the page begins to come, for one visitor at a time.
    fn first_byte(&self, page: &Target) {
        let alone = page.ask(1, Pace::Once);
        println!("\nthe page for one visitor at a time, each query once; load {}", load());
        println!(
            "first byte p50 {:.2} ms, p99 {:.2} ms; whole page p50 {:.2} ms, p99 {:.2} ms",
            alone.first_at(0.5),
            alone.first_at(0.99),
            alone.at(0.5),
            alone.at(0.99)
        );
    }

    /// Prints the highest rates; returns that of our interface for programs.
    fn rates(&self, targets: &[(&str, Target); 4]) -> f64 {
        let connections = option("--connections", 16);
        let mut all: [Vec<Measured>; 4] = Default::default();
        for _ in 0..option("--rounds", 3).max(1) {
            for ((_, target), measured) in targets.iter().zip(&mut all) {
                measured.push(target.ask(connections, Pace::Full(self.duration())));
            }
        }
        println!("\nhighest rate, {connections} connections; load {}", load());
        println!("{:<22} answers/s  p50 ms  p99 ms  CPU ms  bytes   of bare by rate, by CPU", "");
        let all = all.map(Measured::middle);
        for ((name, _), measured) in targets.iter().zip(&all) {
            assert_eq!((measured.refused, measured.failed), (0, 0), "{name}: {measured:?}");
            println!(
                "{name:<22} {:>9.0} {:>7.2} {:>7.2} {:>7.2} {:>6.0} {:>17.2} {:>7.2}",
                measured.rate(),
                measured.at(0.5),
                measured.at(0.99),
                measured.cpu_each(),
                measured.bytes_each(),
                measured.rate() / all[1].rate(),
                all[1].cpu_each() / measured.cpu_each(),
            );
        }
        all[2].rate()
    }

    fn disturbed(&self, api: &Target, ours: &Server, peak: f64) {
        let calm = || api.ask(64, Pace::Steady(peak * CALM, 3 * self.duration()));
        println!(
            "\nat {:.0} answers/s     p50 ms  p99 ms  ratio of p99; load {}",
            peak * CALM,
            load()
        );
        let show = |name: &str, measured: &Measured, alone: &Measured| {
            println!(
                "{name:<22} {:>6.2} {:>7.2} {:>6.2}   {} good, {} refused, {} failed",
                measured.at(0.5),
                measured.at(0.99),
                measured.at(0.99) / alone.at(0.99),
                measured.good,
                measured.refused,
                measured.failed
            );
        };
        let alone = calm();
        show("alone", &alone, &alone);
        let num_slow = option("--slow", 2_000);
        let slow_ones = SlowOnes::begin(ours.address, num_slow);
        let beside = calm();
        show("beside slow ones", &beside, &alone);
        println!("{:<22} {}", "", slow_ones.end());
        let alone = calm();
        show("alone again", &alone, &alone);
        // More than can be fetched meanwhile.
        let pages = option("--web-pages", 6_000 * self.seconds as usize) as u64;
        let crawling = Crawling::start(pages);
        let beside = calm();
        show("beside crawling", &beside, &alone);
        println!("{:<22} {}", "", crawling.end());
        // More than can be indexed meanwhile.
        let more = 20_000 * self.seconds as usize;
        let indexer = Indexer::start(&self.folder.join("c"), self.num_docs, more);
        let beside = calm();
        show("beside indexing", &beside, &alone);
        println!("{:<22} {}", "", indexer.end());
        let indexer = Indexer::start(&self.folder.join("c"), self.num_docs + more, more);
        let crawling = Crawling::start(pages);
        let beside = calm();
        show("beside both", &beside, &alone);
        println!("{:<22} {}", "", crawling.end());
        println!("{:<22} {}", "", indexer.end());
    }

    fn duration(&self) -> Duration {
        Duration::from_secs(self.seconds)
    }
}

/// Returns the path behind a name on the command line.
fn named(name: &str) -> Option<PathBuf> {
    let mut arguments = std::env::args_os().skip_while(|argument| argument != name);
    arguments.nth(1).map(PathBuf::from)
}
