//! Does the frontier stay as fast and as small when it knows ten million URLs?
//!
//! `cargo xtask bench frontier [--urls 10000000] [--hosts 100000] [--drain 1000000]`: a crawl of a
//! made-up web without the web. URLs are taken from the real store in batches of 64, and each
//! brings a page with some 90 links, of which about ten are new. A line tells of one window: the
//! rate of new URLs by the clock and by CPU time (all threads; making the pages is not counted),
//! memory and disk. All windows are the same size, a twentieth of the whole. In the end, pages
//! without links are taken, which only empties the queues.
//!
//! Aims: the last window's rate ≥ 70 % of the one that ends at a tenth; memory ≤ 600 MB.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a bench that fails should say so")]

#[path = "../help/usage.rs"]
mod usage;

use std::path::Path;
use std::time::{Duration, Instant};

use base::Url;
use crawl::bench::{FrontierBench, MadeUpPage};
use fastrand::Rng;

const SEED: u64 = 7;
/// Pages of one batch: what a busy crawl gathers while the batch before is being written.
const BATCH: usize = 64;
const WINDOWS: u64 = 20;
const SECTIONS: [&str; 8] =
    ["stories", "guides", "people", "places", "notes", "archive", "letters", "reports"];

fn main() {
    let [urls, hosts] = [("--urls", 10_000_000), ("--hosts", 100_000)].map(number);
    let drained = number(("--drain", urls / 10));
    let folder = tempfile::tempdir().unwrap();
    let mut run = Run::new(folder.path(), hosts as usize);
    println!("{urls} URLs on {hosts} hosts; folder {}", folder.path().display());
    println!("     known   URLs/s  URLs/CPU-s   pages/s  memory MB  disk MB");
    let mut tenth = Window::default();
    let mut last = Window::default();
    for number in 1..=WINDOWS {
        last = run.grow_to(urls * number / WINDOWS);
        if number % 2 == 0 {
            run.print(&last, folder.path());
        }
        if number == WINDOWS / 10 {
            tenth = last;
        }
    }
    let percent = |then: f64, now: f64| 100.0 * now / then;
    let counts = run.store.counts();
    println!(
        "rate at the end against that at a tenth: {:.0} % by the clock, {:.0} % by CPU time",
        percent(tenth.per_second(), last.per_second()),
        percent(tenth.per_cpu_second(), last.per_cpu_second()),
    );
    println!(
        "of {} questions whether a URL is known, {:.1} % were answered in memory",
        counts.asked,
        percent(counts.asked as f64, counts.answered_in_memory as f64),
    );
    println!("taken without links   pages/s  pages/CPU-s  memory MB  disk MB");
    let mut taken = 0;
    for _ in 0..WINDOWS / 2 {
        let window = run.drain(drained * 2 / WINDOWS);
        taken += window.pages;
        println!(
            "{taken:>19} {:>9.0} {:>12.0} {:>10} {:>8}",
            window.pages as f64 / window.time.as_secs_f64(),
            window.pages as f64 / window.cpu.as_secs_f64(),
            memory() / 1_000_000,
            base::file::size_below(folder.path()) / 1_000_000,
        );
    }
    println!("most memory: {} MB", usage::most_memory() / 1_000_000);
}

/// What a stretch of work took; making up pages is not in it.
#[derive(Clone, Copy, Default)]
struct Window {
    urls: u64,
    pages: u64,
    time: Duration,
    cpu: Duration,
}

impl Window {
    fn per_second(&self) -> f64 {
        self.urls as f64 / self.time.as_secs_f64()
    }

    fn per_cpu_second(&self) -> f64 {
        self.urls as f64 / self.cpu.as_secs_f64()
    }
}

struct Run {
    store: FrontierBench,
    web: MadeUpWeb,
    /// Spent on making up pages, by the clock and on the processor.
    made: (Duration, Duration),
}

impl Run {
    fn new(folder: &Path, hosts: usize) -> Self {
        let mut web = MadeUpWeb { rng: Rng::with_seed(SEED), sizes: vec![0; hosts] };
        let store = FrontierBench::open(folder).unwrap();
        let seeds: Vec<Url> = (0..hosts.min(1_000)).map(|host| web.known(host, 0)).collect();
        store.seed(&seeds).unwrap();
        Self { store, web, made: Default::default() }
    }

    /// Takes and applies pages until so many URLs are known.
    fn grow_to(&mut self, urls: u64) -> Window {
        self.measure(|run, _| run.store.counts().known < urls, MadeUpWeb::page)
    }

    /// Takes pages that link to nothing.
    fn drain(&mut self, pages: u64) -> Window {
        let bare = |_: &mut MadeUpWeb, url| MadeUpPage { url, links: Vec::new() };
        self.measure(|_, taken| taken < pages, bare)
    }

    fn measure(
        &mut self,
        goes_on: impl Fn(&Self, u64) -> bool,
        page: impl Fn(&mut MadeUpWeb, Url) -> MadeUpPage,
    ) -> Window {
        let (began, cpu, made) = (Instant::now(), usage::cpu_time(), self.made);
        let known = self.store.counts().known;
        let mut pages = 0;
        while goes_on(self, pages) {
            let urls = self.store.take(BATCH).unwrap();
            assert!(!urls.is_empty(), "nothing waits any more");
            pages += urls.len() as u64;
            let (start, start_cpu) = (Instant::now(), thread_time());
            let batch = urls.into_iter().map(|url| page(&mut self.web, url)).collect();
            self.made.0 += start.elapsed();
            self.made.1 += thread_time() - start_cpu;
            self.store.apply(batch).unwrap();
        }
        Window {
            urls: self.store.counts().known - known,
            pages,
            time: began.elapsed() - (self.made.0 - made.0),
            cpu: (usage::cpu_time() - cpu).saturating_sub(self.made.1 - made.1),
        }
    }

    fn print(&self, window: &Window, folder: &Path) {
        println!(
            "{:>10} {:>8.0} {:>11.0} {:>9.0} {:>10} {:>8}",
            self.store.counts().known,
            window.per_second(),
            window.per_cpu_second(),
            window.pages as f64 / window.time.as_secs_f64(),
            memory() / 1_000_000,
            base::file::size_below(folder) / 1_000_000,
        );
    }
}

/// Hosts that have more pages the more one looks at them.
struct MadeUpWeb {
    rng: Rng,
    /// Pages of each host that somebody has linked to.
    sizes: Vec<u32>,
}

impl MadeUpWeb {
    /// Returns a page with links as sites have them: most to what the whole site links to.
    fn page(&mut self, url: Url) -> MadeUpPage {
        let host = host_of(&url);
        let size = self.sizes[host];
        let mut spots: Vec<(usize, u32)> = (0..20.min(size)).map(|menu| (host, menu)).collect();
        spots.extend((0..50).map(|_| (host, popular(size as usize, &mut self.rng) as u32)));
        for _ in 0..20 {
            let other = popular(self.sizes.len(), &mut self.rng);
            let size = self.sizes[other].max(1) as usize;
            let page = if self.rng.bool() { 0 } else { popular(size, &mut self.rng) };
            spots.push((other, page as u32));
        }
        spots.extend((size..size + 8).map(|new| (host, new)));
        for _ in 0..2 {
            let other = self.rng.usize(..self.sizes.len());
            spots.push((other, self.sizes[other]));
        }
        spots.sort_unstable();
        spots.dedup();
        let links = spots.into_iter().map(|(host, number)| self.known(host, number)).collect();
        MadeUpPage { url, links }
    }

    /// Returns a URL; from now on it is known.
    fn known(&mut self, host: usize, number: u32) -> Url {
        self.sizes[host] = self.sizes[host].max(number + 1);
        if number == 0 {
            return Url::parse(&format!("http://site{host}.example/")).unwrap();
        }
        let mut rng = Rng::with_seed(u64::from(number) << 32 | host as u64);
        let section = SECTIONS[rng.usize(..SECTIONS.len())];
        let text =
            format!("http://site{host}.example/{section}/page-{:05x}-{number}.html", rng.u16(..));
        Url::parse(&text).unwrap()
    }
}

fn host_of(url: &Url) -> usize {
    let host = url.host_str().strip_prefix("site").and_then(|rest| rest.strip_suffix(".example"));
    host.unwrap().parse().unwrap()
}

/// Returns a number below `size`, small ones far more often.
fn popular(size: usize, rng: &mut Rng) -> usize {
    ((size as f64 * rng.f64().powi(4)) as usize).min(size - 1)
}

/// Returns the time that this thread has had on a processor.
fn thread_time() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    Duration::from_nanos(text.split(' ').next().unwrap().parse().unwrap())
}

/// Returns the bytes of memory that this process holds now.
fn memory() -> u64 {
    const PAGE: u64 = 4_096;
    let text = std::fs::read_to_string("/proc/self/statm").unwrap();
    PAGE * text.split(' ').nth(1).unwrap().parse::<u64>().unwrap()
}

/// Returns the number behind an option on the command line, or the default.
fn number((name, default): (&str, u64)) -> u64 {
    let mut arguments = std::env::args().skip_while(|argument| argument != name).skip(1);
    arguments.next().map_or(default, |text| text.parse().unwrap())
}
