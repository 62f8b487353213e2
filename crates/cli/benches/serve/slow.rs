//! Connections that send a byte of a request now and then, and never a whole one (WEB-12).

use std::io::{ErrorKind, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How often each sends a byte.
const EVERY: Duration = Duration::from_secs(5);
const HEAD: &[u8] =
    b"GET /search?q=a HTTP/1.1\r\nHost: a\r\nX-Slow: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";

/// Many slow connections, held by one thread; who is sent away comes back.
pub struct SlowOnes {
    thread: JoinHandle<()>,
    numbers: Arc<Numbers>,
    begun: Instant,
}

#[derive(Default)]
struct Numbers {
    is_over: AtomicBool,
    open: AtomicUsize,
    sent_away: AtomicUsize,
}

struct Slow {
    stream: Option<TcpStream>,
    sent: usize,
}

impl SlowOnes {
    /// Returns when all are connected.
    pub fn begin(address: SocketAddr, count: usize) -> Self {
        let numbers = Arc::new(Numbers::default());
        let told = numbers.clone();
        let thread = std::thread::spawn(move || hold(address, count, &told));
        while numbers.open.load(Ordering::Relaxed) < count && !thread.is_finished() {
            std::thread::sleep(Duration::from_millis(10));
        }
        Self { thread, numbers, begun: Instant::now() }
    }

    /// Ends them all and says how they fared.
    pub fn end(self) -> String {
        let took = self.begun.elapsed();
        self.numbers.is_over.store(true, Ordering::Relaxed);
        self.thread.join().unwrap();
        let sent_away = self.numbers.sent_away.load(Ordering::Relaxed);
        format!("they were sent away {sent_away} times in {:.0} s", took.as_secs_f64())
    }
}

fn hold(address: SocketAddr, count: usize, numbers: &Numbers) {
    let mut all: Vec<Slow> = (0..count).map(|_| Slow { stream: None, sent: 0 }).collect();
    let nap = EVERY / u32::try_from(count).unwrap();
    for number in (0..count).cycle() {
        if numbers.is_over.load(Ordering::Relaxed) {
            return;
        }
        let is_first = numbers.open.load(Ordering::Relaxed) < count;
        if !is_first {
            std::thread::sleep(nap);
        }
        all[number].go_on(address, numbers);
        numbers.open.fetch_add(usize::from(is_first), Ordering::Relaxed);
    }
}

impl Slow {
    fn go_on(&mut self, address: SocketAddr, numbers: &Numbers) {
        if self.stream.as_mut().is_some_and(is_closed) {
            self.stream = None;
            numbers.sent_away.fetch_add(1, Ordering::Relaxed);
        }
        if self.stream.is_none() {
            self.sent = 0;
            self.stream = TcpStream::connect(address).ok();
        }
        let Some(stream) = &mut self.stream else { return };
        let _ = stream.write_all(&HEAD[self.sent % HEAD.len()..][..1]);
        self.sent += 1;
    }
}

fn is_closed(stream: &mut TcpStream) -> bool {
    let _ = stream.set_nonblocking(true);
    let outcome = stream.read(&mut [0; 64]);
    let _ = stream.set_nonblocking(false);
    !matches!(outcome, Err(error) if error.kind() == ErrorKind::WouldBlock)
}
