//! Asks a server over kept connections, one thread each, and measures.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::process::{CpuOf, Server};

/// Longest wait for an answer.
const PATIENCE: Duration = Duration::from_secs(10);
const STACK_BYTES: usize = 256 * 1024;

/// A path of a server and what is asked there.
pub struct Target {
    address: SocketAddr,
    cpu: CpuOf,
    requests: Arc<[String]>,
}

/// How often is asked.
#[derive(Clone, Copy, Debug)]
pub enum Pace {
    /// Every query once.
    Once,
    /// As soon as there is an answer, so long.
    Full(Duration),
    /// So many a second, so long. Times count from when a request was due, so that those who had to
    /// wait for a free connection are not left out.
    Steady(f64, Duration),
    /// The same, but times count from when a request was sent: we are late ourselves.
    Flood(f64, Duration),
}

/// What came of it.
#[derive(Debug, Default)]
pub struct Measured {
    pub good: u64,
    pub refused: u64,
    pub failed: u64,
    pub took: Duration,
    /// What the server has had of the processors, in seconds.
    pub cpu: f64,
    bytes: u64,
    /// Of good answers, until the first byte and the last; of refusals. Sorted.
    firsts: Vec<Duration>,
    times: Vec<Duration>,
    refusals: Vec<Duration>,
}

impl Target {
    pub fn new(server: &Server, path: &str, queries: &[String]) -> Self {
        let request = |query: &String| {
            let query = encoded(query);
            // As a browser asks, but unpacked: the bare server does not pack either.
            format!("GET {path}{query} HTTP/1.1\r\nHost: {}\r\n\r\n", server.address)
        };
        let requests = queries.iter().map(request).collect();
        Self { address: server.address, cpu: server.cpu(), requests }
    }

    /// Asks with so many connections.
    pub fn ask(&self, connections: usize, pace: Pace) -> Measured {
        let (next, cpu, begun) = (AtomicU64::new(0), self.cpu.seconds(), Instant::now());
        let mut all = Measured::default();
        std::thread::scope(|scope| {
            let worker = || self.work(pace, &next, begun);
            let spawn = |_| {
                let builder = std::thread::Builder::new().stack_size(STACK_BYTES);
                builder.spawn_scoped(scope, worker).unwrap()
            };
            let workers: Vec<_> = (0..connections).map(spawn).collect();
            for worker in workers {
                all.add(worker.join().unwrap());
            }
        });
        all.took = begun.elapsed();
        all.cpu = self.cpu.seconds() - cpu;
        all.firsts.sort_unstable();
        all.times.sort_unstable();
        all.refusals.sort_unstable();
        all
    }

    fn work(&self, pace: Pace, next: &AtomicU64, begun: Instant) -> Measured {
        let mut measured = Measured::default();
        let mut connection = None;
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let due = match pace {
                Pace::Once if number >= self.requests.len() as u64 => return measured,
                Pace::Full(duration) if begun.elapsed() >= duration => return measured,
                Pace::Once | Pace::Full(_) => Instant::now(),
                Pace::Steady(rate, duration) | Pace::Flood(rate, duration) => {
                    let at = Duration::from_secs_f64(number as f64 / rate);
                    if at >= duration || begun.elapsed() >= 2 * duration {
                        return measured;
                    }
                    std::thread::sleep((begun + at).saturating_duration_since(Instant::now()));
                    begun + at
                }
            };
            let from = if matches!(pace, Pace::Steady(..)) { due } else { Instant::now() };
            let request = &self.requests[number as usize % self.requests.len()];
            match self.exchange(&mut connection, request) {
                Some(Answer { status: 200, bytes, first, .. }) => {
                    measured.good += 1;
                    measured.bytes += bytes;
                    measured.firsts.push(first.saturating_duration_since(from));
                    measured.times.push(from.elapsed());
                }
                Some(Answer { status: 429 | 503, .. }) => {
                    measured.refused += 1;
                    measured.refusals.push(from.elapsed());
                }
                _ => {
                    measured.failed += 1;
                    connection = None;
                }
            }
        }
    }

    /// Sends a request and reads the answer; a connection that was closed meanwhile is opened anew
    /// once, as browsers do.
    fn exchange(&self, kept: &mut Option<BufReader<TcpStream>>, request: &str) -> Option<Answer> {
        for _ in 0..2 {
            let was_open = kept.is_some();
            if kept.is_none() {
                let stream = TcpStream::connect_timeout(&self.address, PATIENCE).ok()?;
                stream.set_nodelay(true).ok()?;
                stream.set_read_timeout(Some(PATIENCE)).ok()?;
                *kept = Some(BufReader::with_capacity(64 * 1024, stream));
            }
            let connection = kept.as_mut()?;
            match exchange(connection, request) {
                Some(answer) => {
                    if !answer.stays {
                        *kept = None;
                    }
                    return Some(answer);
                }
                None if was_open => *kept = None,
                None => return None,
            }
        }
        None
    }
}

/// What came back.
struct Answer {
    status: u16,
    /// Length of the body.
    bytes: u64,
    /// When its first byte was here.
    first: Instant,
    /// Whether the connection can be used again.
    stays: bool,
}

fn exchange(connection: &mut BufReader<TcpStream>, request: &str) -> Option<Answer> {
    connection.get_mut().write_all(request.as_bytes()).ok()?;
    connection.fill_buf().ok()?;
    let first = Instant::now();
    let (mut line, mut length, mut stays) = (String::new(), 0, true);
    connection.read_line(&mut line).ok()?;
    let status = line.split(' ').nth(1)?.parse().ok()?;
    loop {
        line.clear();
        connection.read_line(&mut line).ok()?;
        let Some((name, value)) = line.split_once(':') else { break };
        match name.to_ascii_lowercase().as_str() {
            "content-length" => length = value.trim().parse().ok()?,
            "connection" => stays = !value.trim().eq_ignore_ascii_case("close"),
            _ => {}
        }
    }
    let read = std::io::copy(&mut connection.by_ref().take(length), &mut std::io::sink()).ok()?;
    (read == length).then_some(Answer { status, bytes: length, first, stays })
}

impl Measured {
    fn add(&mut self, other: Self) {
        self.good += other.good;
        self.refused += other.refused;
        self.failed += other.failed;
        self.bytes += other.bytes;
        self.firsts.extend(other.firsts);
        self.times.extend(other.times);
        self.refusals.extend(other.refusals);
    }

    /// Returns the one in the middle by rate.
    pub fn middle(mut rounds: Vec<Self>) -> Self {
        rounds.sort_by(|one, other| one.rate().total_cmp(&other.rate()));
        let middle = rounds.len() / 2;
        rounds.swap_remove(middle)
    }

    /// Good answers a second.
    pub fn rate(&self) -> f64 {
        self.good as f64 / self.took.as_secs_f64()
    }

    /// Requests a second.
    pub fn asked_rate(&self) -> f64 {
        (self.good + self.refused + self.failed) as f64 / self.took.as_secs_f64()
    }

    /// Returns the time within which this share of the good answers came, in milliseconds.
    pub fn at(&self, share: f64) -> f64 {
        millis(&self.times, share)
    }

    /// The same until the first byte.
    pub fn first_at(&self, share: f64) -> f64 {
        millis(&self.firsts, share)
    }

    pub fn refused_at(&self, share: f64) -> f64 {
        millis(&self.refusals, share)
    }

    /// The server's CPU time for one answer, in milliseconds.
    pub fn cpu_each(&self) -> f64 {
        1_000.0 * self.cpu / self.good as f64
    }

    pub fn bytes_each(&self) -> f64 {
        self.bytes as f64 / self.good as f64
    }
}

fn millis(times: &[Duration], share: f64) -> f64 {
    let place = (times.len().saturating_sub(1) as f64 * share) as usize;
    times.get(place).map_or(f64::NAN, |time| time.as_secs_f64() * 1_000.0)
}

fn encoded(query: &str) -> String {
    let byte = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => char::from(byte).to_string(),
        _ => format!("%{byte:02X}"),
    };
    query.bytes().map(byte).collect()
}
