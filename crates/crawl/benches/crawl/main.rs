//! What does a crawled page cost, beside just fetching it, and do fetchers ever wait in vain?
//!
//! `cargo xtask bench crawl [--hosts 500] [--pages 8000] [--rounds 3] [--plain]
//! [--no-scrapy] [--only-waits] [--seconds 20]`, on Linux.
//! A generated web with pages of about 40 KB is served by a process of its own, uncompressed, out
//! of memory. Two thirds of their bytes are mark-up, as on most sites; with `--plain` next to none.
//! The same pages are fetched, 64 at once, one at a time from each host,
//!
//! - (a) by the whole crawl path: robots.txt, fetch, archive, parse, duplicates, links, frontier;
//! - (b) by a bare hyper loop that reads the bodies and forgets them;
//! - (c) by the same loop with html5ever's tokeniser over each body;
//! - (d) by Scrapy, which obeys robots.txt, follows the links and keeps nothing.
//!
//! Each is a process of its own, and what counts is its CPU time, all threads, user and system:
//! the middle one of all rounds. Then 2,000 hosts are visited with a delay, to see how much of the
//! fetchers' time is lost though a host is ready: by servers that answer at once, as nobody does
//! but loopback, and by servers that take 50 ms.
//!
//! Aims: a/c ≤ 7, d/a ≥ 6, less than 5 % lost.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a bench that fails should say so")]

mod bare;
mod job;
mod ours;
mod scrapy;
#[path = "../help/usage.rs"]
mod usage;
mod web;

use std::time::Duration;

use job::{Job, Measured, Part};
use web::{Served, WebShape};

/// Requests under way at once.
const CONCURRENCY: usize = 64;

fn main() {
    if let Some(job) = text("--job") {
        return serde_json::from_str::<Job>(&job).unwrap().carry_out();
    }
    let shape = WebShape {
        hosts: number("--hosts", 500) as usize,
        pages: number("--pages", 8_000),
        page_bytes: (38_000, 42_000),
        is_plain: is_given("--plain"),
        by_address: false,
        latency: Duration::ZERO,
    };
    if !is_given("--only-waits") {
        compare(shape, number("--rounds", 3));
    }
    wait_in_vain(number("--seconds", 20));
}

/// Compares the four ways to fetch the same pages.
fn compare(shape: WebShape, rounds: u64) {
    println!("{} pages of 38 to 42 KB on {} hosts, {rounds} rounds", shape.pages, shape.hosts);
    let served = Served::start(shape);
    let mut all: [Vec<Measured>; 3] = Default::default();
    for _ in 0..rounds.max(1) {
        for (part, runs) in [Part::Bare, Part::Tokenise, Part::Crawl].into_iter().zip(&mut all) {
            runs.push(Job::new(part, &served).run());
        }
    }
    drop(served);
    let [bare, tokenised, ours] = all.map(middle);
    print("(b) bare hyper loop", &bare);
    print("(c) with html5ever's tokeniser", &tokenised);
    print("(a) whole crawl path", &ours);
    let ratio =
        |one: &Measured, other: &Measured| one.cpu_per_thousand() / other.cpu_per_thousand();
    println!(
        "a/b {:.1}, a/c {:.1} (aim: at most 7)",
        ratio(&ours, &bare),
        ratio(&ours, &tokenised)
    );
    if is_given("--no-scrapy") {
        return;
    }
    // Scrapy cannot be given a DNS server.
    let served = Served::start(WebShape { by_address: true, ..shape });
    match scrapy::crawl(&served, CONCURRENCY) {
        Ok(theirs) => {
            print("(d) Scrapy", &theirs);
            println!("d/a {:.1} (aim: at least 6)", ratio(&theirs, &ours));
        }
        Err(why) => println!("(d) Scrapy: not measured, because {why}"),
    }
}

/// Visits many hosts politely, with more of them ready than there are fetchers, and with fewer.
fn wait_in_vain(seconds: u64) {
    for (latency, delay) in [(0, 200), (50, 200), (50, 4_000)] {
        let served = Served::start(WebShape {
            hosts: 2_000,
            pages: 60_000,
            page_bytes: (4_000, 8_000),
            is_plain: true,
            by_address: false,
            latency: Duration::from_millis(latency),
        });
        let delay = Duration::from_millis(delay);
        let job = Job { delay, seconds: Some(seconds), ..Job::new(Part::Crawl, &served) };
        let measured = job.run();
        println!(
            "2,000 hosts, delay {delay:?}, answers after {latency} ms: {:.0} pages a second, {:.1} \
             % of the fetchers' time lost though a host was ready (aim: less than 5 %)",
            measured.pages as f64 / measured.seconds,
            100.0 * measured.idle_share,
        );
    }
}

fn print(name: &str, measured: &Measured) {
    println!(
        "{name:32} {:>6.3} CPU-s per 1,000 pages; {} pages, {:.0} MB, {:.1} s, at most {} MB of \
         memory",
        measured.cpu_per_thousand(),
        measured.pages,
        measured.bytes as f64 / 1e6,
        measured.seconds,
        measured.most_memory / 1_000_000,
    );
}

fn middle(mut runs: Vec<Measured>) -> Measured {
    runs.sort_by(|one, other| one.cpu_per_thousand().total_cmp(&other.cpu_per_thousand()));
    runs.swap_remove(runs.len() / 2)
}

fn is_given(name: &str) -> bool {
    std::env::args().any(|argument| argument == name)
}

/// Returns what stands behind an option on the command line.
fn text(name: &str) -> Option<String> {
    std::env::args().skip_while(|argument| argument != name).nth(1)
}

fn number(name: &str, default: u64) -> u64 {
    text(name).map_or(default, |text| text.parse().unwrap())
}
