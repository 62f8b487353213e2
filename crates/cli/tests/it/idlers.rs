//! Ten thousand connections at once, to the program as people run it (WEB-15).

use std::fs;
use std::io::{ErrorKind, Read as _, Write as _};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use crate::copies::response;
use crate::run::{Served, expect, lookfar, output};

const WANTED: usize = 10_000;
/// Seats of the server, and the files besides that its process has open: the index, and connections
/// that have lost their seats and are just being closed.
const SEATS: usize = 1_024;
const BESIDE: usize = 300;
/// Files that other tests have open in this process meanwhile.
const OTHERS: usize = 500;

/// Returns how many connections this process may hold beside what other tests do. Most shells begin
/// with fewer files than a process may ask for, so we ask.
fn room() -> usize {
    let limit = getrlimit(Resource::Nofile);
    let wanted = (WANTED + OTHERS) as u64;
    let allowed = limit.maximum.map_or(wanted, |most| most.min(wanted));
    let now = limit.current.unwrap_or(u64::MAX);
    if now < allowed {
        setrlimit(Resource::Nofile, Rlimit { current: Some(allowed), ..limit }).unwrap();
    }
    usize::try_from(now.max(allowed)).unwrap_or(usize::MAX).saturating_sub(OTHERS)
}

fn is_open(stream: &mut TcpStream) -> bool {
    stream.set_nonblocking(true).unwrap();
    matches!(stream.read(&mut [0; 1]), Err(error) if error.kind() == ErrorKind::WouldBlock)
}

#[test]
fn web_15_ten_thousand_connections_are_bounded_and_a_health_check_is_answered() {
    let folder = tempfile::tempdir().unwrap();
    let (dir, file) = (folder.path().join("c"), folder.path().join("one.warc"));
    let page = response("http://a.example/", "Content-Type: text/html\r\n", b"<p>A penguin");
    fs::write(&file, page).unwrap();
    expect(&output(&dir, &["import", "warc", file.to_str().unwrap()]), 0);
    let config = format!("[serve]\nconnections = {SEATS}\n");
    fs::write(dir.join("lookfar.toml"), config).unwrap();
    let served = Served::from(lookfar(&dir, &["serve", "--port", "0"]));
    let files = || fs::read_dir(format!("/proc/{}/fd", served.child().id())).unwrap().count();
    let count = WANTED.min(room());
    println!("{count} of {WANTED} connections");
    assert!(count >= WANTED / 2, "too few files may be open for this: raise the hard `ulimit -n`");
    let (begun, mut most_files) = (Instant::now(), 0);
    let mut idlers: Vec<TcpStream> = (0..count)
        .map(|number| {
            let mut stream = TcpStream::connect(served.address()).unwrap();
            // Every other one begins to ask; who has lost the seat by then is told so.
            if number % 2 == 0 {
                let _ = stream.write_all(b"GET / HTTP/1.1\r\n");
            }
            if number % 500 == 0 {
                most_files = most_files.max(files());
            }
            stream
        })
        .collect();
    let opened = begun.elapsed();
    assert!(most_files <= SEATS + BESIDE, "{most_files} files were open");
    // The machine may be busy with other tests for a moment.
    let check = || {
        let begun = Instant::now();
        assert!(served.get("/healthz").starts_with("HTTP/1.1 200"));
        begun.elapsed()
    };
    let quickest = (0..3).map(|_| check()).min().unwrap();
    assert!(quickest < Duration::from_secs(1), "{quickest:?}, after {opened:?} of arrivals");
    let num_open = idlers.iter_mut().filter_map(|stream| is_open(stream).then_some(())).count();
    assert!(num_open <= SEATS, "{num_open} of {} are still there", idlers.len());
}
