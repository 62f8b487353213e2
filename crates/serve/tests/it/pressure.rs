//! What others notice of too many slow connections (WEB-12) and of too many requests (WEB-17).
//!
//! Times on a busy machine say little, so each is held against the same moments before: searches
//! sleep in place of working, a bound is a ratio, and what chance has spoiled is tried again.
//! `cargo xtask bench serve` measures the same with real searches.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use serve::{Limits, Options};

use crate::client::{Kept, connect};
use crate::server::{Server, found, state};

const PATH: &str = "/api/v1/search?q=a";
/// How often a measurement is made before it counts as failed.
const TRIES: usize = 4;
const SLOW: usize = 2_000;
/// Files that other tests have open in this process meanwhile.
const OTHERS: usize = 400;

/// A server whose searches take so long, without work for the processor.
fn sleepy(search: Duration, limits: Limits) -> Server {
    let search = move |request: &rank::Request<'_>| {
        std::thread::sleep(search);
        found(request, &[])
    };
    Server::start(state(search, Options { limits, ..Options::default() }))
}

/// Returns the time within which this share of the requests was answered.
fn at(times: &mut [Duration], share: f64) -> Duration {
    times.sort_unstable();
    times[((times.len() - 1) as f64 * share) as usize]
}

/// Asks now and then over a few connections; returns p99.
fn p99(address: SocketAddr) -> Duration {
    let mut guests: Vec<Kept> = (0..4).map(|_| Kept::to(address)).collect();
    let mut times = Vec::new();
    for _ in 0..75 {
        for guest in &mut guests {
            let begun = Instant::now();
            assert_eq!(guest.get(PATH), 200);
            times.push(begun.elapsed());
        }
    }
    at(&mut times, 0.99)
}

/// Returns how many connections this process may hold at both of their ends. Most shells begin with
/// fewer files than a process may ask for, so we ask.
fn room() -> usize {
    let limit = getrlimit(Resource::Nofile);
    let wanted = (2 * SLOW + OTHERS) as u64;
    let allowed = limit.maximum.map_or(wanted, |most| most.min(wanted));
    let now = limit.current.unwrap_or(u64::MAX);
    if now < allowed {
        setrlimit(Resource::Nofile, Rlimit { current: Some(allowed), ..limit }).unwrap();
    }
    usize::try_from(now.max(allowed)).unwrap_or(usize::MAX).saturating_sub(OTHERS) / 2
}

#[test]
fn web_12_two_thousand_slow_connections_double_nobodys_p99_and_are_closed() {
    let count = SLOW.min(room());
    eprintln!("{count} of {SLOW} connections");
    assert!(count >= SLOW / 2, "too few files may be open for this: raise the hard `ulimit -n`");
    let head = Duration::from_secs(10);
    let limits = Limits { connections: 4_096, head, ..Limits::default() };
    let server = sleepy(Duration::from_millis(5), limits);
    let mut tries = Vec::new();
    let mut slow = Vec::new();
    for _ in 0..TRIES {
        drop(std::mem::take(&mut slow));
        let alone = p99(server.address);
        slow = (0..count).map(|_| connect(server.address)).collect::<Vec<_>>();
        let begun = Instant::now();
        let is_over = AtomicBool::new(false);
        let beside = std::thread::scope(|scope| {
            scope.spawn(|| {
                // One byte of a head each: always something new, never a whole one. A round takes
                // at least a second, and ends before the first of them is closed.
                for byte in b"GET / HTTP" {
                    let round = Instant::now();
                    for (number, stream) in slow.iter().enumerate() {
                        if is_over.load(Ordering::Relaxed) {
                            return;
                        }
                        let mut stream: &TcpStream = stream;
                        let _ = stream.write_all(&[*byte]);
                        let due = Duration::from_secs(1).mul_f64(number as f64 / count as f64);
                        std::thread::sleep(due.saturating_sub(round.elapsed()));
                    }
                }
            });
            let beside = p99(server.address);
            is_over.store(true, Ordering::Relaxed);
            beside
        });
        // Longer, and the first of them were closed before the last answer was measured.
        let were_all_there = begun.elapsed() < head;
        let ratio = beside.as_secs_f64() / alone.as_secs_f64();
        tries.push((ratio, were_all_there));
        if were_all_there && ratio <= 2.0 {
            break;
        }
    }
    let is_good = tries.iter().any(|(ratio, were_all_there)| *were_all_there && *ratio <= 2.0);
    assert!(is_good, "times the p99 alone, and whether all were there: {tries:?}");
    // None of them is kept longer than a head may take.
    let latest = Instant::now() + head + Duration::from_secs(10);
    for stream in &mut slow {
        let left = latest.saturating_duration_since(Instant::now());
        stream.set_read_timeout(Some(left.max(Duration::from_millis(1)))).unwrap();
        let outcome = stream.read(&mut [0; 1]);
        let is_closed = match &outcome {
            Ok(length) => *length == 0,
            Err(error) => error.kind() == std::io::ErrorKind::ConnectionReset,
        };
        assert!(is_closed, "a slow connection is still open: {outcome:?}");
    }
}

/// What a crowd got.
struct Served {
    /// Good answers a second.
    rate: f64,
    asked_rate: f64,
    refusals: Vec<Duration>,
}

/// Lets so many ask for a while; who is refused asks again after a pause.
fn crowd(address: SocketAddr, path: &str, guests: usize, pause: Duration) -> Served {
    const WHILE: Duration = Duration::from_secs(2);
    let begun = Instant::now();
    let ask = || {
        let (mut guest, mut good, mut refusals) = (Kept::to(address), 0_u32, Vec::new());
        while begun.elapsed() < WHILE {
            let sent = Instant::now();
            match guest.get(path) {
                200 => good += 1,
                503 => {
                    refusals.push(sent.elapsed());
                    std::thread::sleep(pause);
                }
                other => panic!("{other}"),
            }
        }
        (good, refusals)
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..guests).map(|_| scope.spawn(ask)).collect();
        let outcomes = threads.into_iter().map(|thread| thread.join().unwrap());
        let (mut good, mut refusals) = (0, Vec::new());
        for (more, times) in outcomes {
            good += more;
            refusals.extend(times);
        }
        let seconds = begun.elapsed().as_secs_f64();
        let asked_rate = (f64::from(good) + refusals.len() as f64) / seconds;
        Served { rate: f64::from(good) / seconds, asked_rate, refusals }
    })
}

#[test]
fn web_17_ten_times_the_load_leaves_four_fifths_of_the_good_answers() {
    // Two turns of 20 ms: a hundred answers a second.
    let limits = Limits { searches: 2, waiting_searches: 4, ..Limits::default() };
    let server = sleepy(Duration::from_millis(20), limits);
    // As data and as a page, which costs more to write.
    for path in [PATH, "/search?q=a"] {
        check_flood(&server, path);
    }
}

#[track_caller]
fn check_flood(server: &Server, path: &str) {
    let mut tries = Vec::new();
    for _ in 0..TRIES {
        // Fewer than have turns and places to wait.
        let peak = crowd(server.address, path, 4, Duration::ZERO);
        let mut flood = crowd(server.address, path, 80, Duration::from_millis(70));
        let left = flood.rate / peak.rate;
        let times = flood.asked_rate / peak.rate;
        let refused_in = at(&mut flood.refusals, 0.95);
        tries.push((left, times, refused_in));
        if left >= 0.8 && times >= 9.0 && refused_in < Duration::from_millis(100) {
            return;
        }
    }
    panic!("{path}: share of the good answers left, times the load, time of a refusal: {tries:?}");
}
