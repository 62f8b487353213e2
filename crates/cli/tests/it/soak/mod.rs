//! A long run among hostile and normal hosts, measured from outside (STO-17).
//!
//! The web does not grow, but for what hostile hosts make up, and every page is asked for again
//! within two minutes: so the program soon does nothing that it has not done before, and what still
//! grows then is a leak. Every run does this for half a minute; a whole day of it is
//!
//! ```text
//! LOOKFAR_SOAK_MINUTES=1440 cargo test -p cli --release -- --ignored --nocapture sto_17
//! ```

mod hostile;
mod sample;

use std::io::BufRead as _;
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use testweb::{Generated, GeneratedOptions, Mix, Of, Running, Web, demo};

use self::sample::{Sample, median};
use crate::run::{Served, collection, expect, lookfar, output};

/// How long the long run lasts.
const MINUTES: &str = "LOOKFAR_SOAK_MINUTES";
/// The ceiling of the short run, in MiB, and what may lie above it (see `memory.rs`).
const CEILING: u64 = 256;
const MARGIN: u64 = 128;
/// That of the long run: far away, so that it is not what keeps memory flat.
const FAR_CEILING: u64 = 2048;
/// How many more descriptors there may be in the end than in the beginning, medians of both.
const MORE_FILES: u64 = 8;
/// Tables that the frontier keeps open at most.
const OPEN_TABLES: u64 = 400;
/// What is asked while it crawls; `{n}` is another number each time.
const QUESTIONS: [&str; 8] = [
    "/api/v1/search?q=river",
    "/search?q=jaguar+NOT+car",
    "/api/v1/search?q=%22the+old+harbour%22+OR+lighthouse&page=2",
    "/api/v1/suggest?q=ja",
    "/api/v1/search?q=w{n}+stranger{n}",
    "/api/v1/search?q=((((((a*+OR+b*)+c)+d)+-e)+%22f+g+h",
    "/api/v1/why?url=http://directory.lookfar/",
    "/search?q=site:seven.lookfar+{n}",
];

#[test]
fn sto_17_half_a_minute_among_hostile_hosts_stays_within_its_limits() {
    let samples = soak(Duration::from_secs(30), CEILING);
    // The first crawl is hardly over by now: memory still grows, up to its ceiling.
    let most = samples.iter().map(|sample| sample.memory).max().unwrap();
    assert!(most <= (CEILING + MARGIN) * 1024, "{most} KiB");
    let files: Vec<u64> = samples.iter().map(|sample| sample.files).collect();
    assert!(*files.iter().max().unwrap() < 300, "{files:?}");
    assert!(samples.iter().all(|sample| sample.tables <= OPEN_TABLES));
}

#[test]
#[ignore = "takes LOOKFAR_SOAK_MINUTES, or half an hour; the head of this file has the command"]
fn sto_17_among_hostile_hosts_memory_and_descriptors_stay_flat() {
    let minutes = std::env::var(MINUTES).ok().and_then(|text| text.parse().ok()).unwrap_or(30);
    let samples = soak(Duration::from_secs(minutes * 60), FAR_CEILING);
    // The first hour of a day; of a shorter run the first third.
    let warm = Duration::from_secs(3600).min(Duration::from_secs(minutes * 20));
    let warm = samples.partition_point(|sample| sample.at < warm);
    let rest = &samples[warm..];
    let quarter = rest.len() / 4;
    let (first, last) = (&rest[..quarter], &rest[rest.len() - quarter..]);
    let compare = |of: fn(&Sample) -> u64| (median(first, of), median(last, of));
    let (memory, files) = (compare(|sample| sample.memory), compare(|sample| sample.files));
    let growth = memory.1 as f64 / memory.0 as f64 - 1.0;
    let percent = 100.0 * growth;
    println!("memory {} KiB, then {} KiB: {percent:+.1} %", memory.0, memory.1);
    println!("files {}, then {}", files.0, files.1);
    assert!(growth < 0.05, "memory grew by {percent:.1} %");
    assert!(files.1 <= files.0 + MORE_FILES, "descriptors: {files:?}");
    assert!(samples.iter().all(|sample| sample.tables <= OPEN_TABLES));
    let sockets = compare(|sample| sample.sockets);
    assert!(sockets.1 <= sockets.0 + MORE_FILES, "sockets: {sockets:?}");
}

/// Lets the program crawl and answer for so long, under a ceiling in MiB; returns what was seen of
/// it meanwhile.
fn soak(length: Duration, ceiling: u64) -> Vec<Sample> {
    let normal = Generated::new(GeneratedOptions {
        hosts: 20,
        pages: 600,
        page_bytes: 2_000..=20_000,
        mix: Mix { changing: 200, ..Mix::default() },
        ..GeneratedOptions::default()
    });
    let web = Web::new().ttl(Duration::from_secs(10)).sites(normal.sites()).sites(demo::sites(1));
    let web = hostile::add(web).start().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("c");
    configure(&collection(&dir, &web, ""), &web, ceiling);
    let arguments = ["up", &normal.seed_url(), demo::SEED, hostile::SEED];
    let (mut served, told) = Served::heard(lookfar(&dir, &arguments));
    let panics = std::thread::spawn(move || {
        let lines = told.lines().map_while(Result::ok);
        lines.filter(|line| line.contains("panicked")).collect::<Vec<String>>()
    });
    let samples = watch(&mut served, &web, length);
    let pid = served.child().id().to_string();
    assert!(Command::new("kill").args(["-TERM", &pid]).status().unwrap().success());
    assert!(served.wait().success(), "it did not end in good order");
    assert_eq!(panics.join().unwrap(), [""; 0]);
    expect(&output(&dir, &["check"]), 0);
    samples
}

/// Writes down how it crawls: politely enough to go round within seconds, never done.
fn configure(place: &base::Collection, web: &Running, ceiling: u64) {
    let (dns, port) = (web.dns_addr, web.http_port);
    let config = format!(
        "[index]\nanalyse_every = \"10s\"\n[crawl]\nscope = [\"lookfar\"]\naddresses = \"loopback\"\n\
         dns_servers = [\"{dns}\"]\ninstead_of_port_80 = {port}\ndelay = \"200ms\"\n\
         error_rest = \"1s\"\nlongest_rest = \"20s\"\nlongest_wait = \"20s\"\nhost_time = \"30s\"\n\
         memory = \"{ceiling}MiB\"\nagain_after = \"15s\"\nagain_shortest = \"15s\"\n\
         again_longest = \"2m\"\npages_per_host = 200\n[fetch]\nconnect = \"2s\"\nhead = \"3s\"\nsilence = \"3s\"\n\
         total = \"10s\"\nbody = \"1MiB\"\n[serve]\nlisten = \"127.0.0.1:0\"\n\
         requests_per_second = 0\n"
    );
    std::fs::write(place.config(), config).unwrap();
}

/// Asks and samples until the time is over.
fn watch(served: &mut Served, web: &Running, length: Duration) -> Vec<Sample> {
    let (begun, is_over, asked) = (Instant::now(), AtomicBool::new(false), AtomicUsize::new(0));
    let every = (length / 240).clamp(Duration::from_millis(500), Duration::from_secs(60));
    let (mut samples, mut requests) = (Vec::new(), 0);
    std::thread::scope(|scope| {
        for asker in 0..2 {
            let (served, is_over, asked) = (&*served, &is_over, &asked);
            scope.spawn(move || ask(served, asker, is_over, asked));
        }
        println!("{}", Sample::HEAD);
        while begun.elapsed() < length {
            std::thread::sleep(every);
            let Some(mut sample) = Sample::of(served.child().id(), begun.elapsed()) else { break };
            requests += web.log().count(Of::All);
            sample.requests = requests;
            sample.asked = asked.load(Ordering::Relaxed);
            println!("{sample}");
            samples.push(sample);
            // The web forgets what it was asked, or this process would be the one that grows.
            web.log().clear();
        }
        is_over.store(true, Ordering::Relaxed);
    });
    assert!(begun.elapsed() >= length, "it ended after {:?}", begun.elapsed());
    let half = &samples[samples.len() / 2];
    let last = samples.last().unwrap();
    assert!(last.requests > half.requests && last.asked > half.asked, "it has stopped working");
    samples
}

/// Asks one question after the other; none may go without an answer.
fn ask(served: &Served, asker: usize, is_over: &AtomicBool, asked: &AtomicUsize) {
    for n in asker.. {
        if is_over.load(Ordering::Relaxed) {
            return;
        }
        let path = QUESTIONS[n % QUESTIONS.len()].replace("{n}", &n.to_string());
        let answer = served.get(&path);
        let is_good = ["200", "400", "404", "503"].iter().any(|code| {
            answer.strip_prefix("HTTP/1.1 ").is_some_and(|rest| rest.starts_with(code))
        });
        assert!(is_good, "{path}: {answer}");
        asked.fetch_add(1, Ordering::Relaxed);
        std::thread::sleep(Duration::from_millis(150));
    }
}
