//! What does archiving a thousand pages of 40 KB cost, and how small do they get?
//!
//! `cargo xtask bench append`, with `LOOKFAR_DATA` set: pages are pieces of the readability pack,
//! always the same. Each line is a ratio against copying the same bytes, and CPU-seconds of this
//! thread; the bound is 0.4 per 1,000 pages.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a bench that fails should say so")]

use std::fs;
use std::io::Write;
use std::net::{IpAddr, Ipv4Addr};
use std::path::{Path, PathBuf};
use std::time::Duration;

use archive::{Options, Response, Writer};
use base::{Timestamp, Url};
use flate2::Compression;
use flate2::write::GzEncoder;

const PAGE: usize = 40_000;
const NUM_PAGES: usize = 1_000;

fn main() {
    let Some(data) = std::env::var_os("LOOKFAR_DATA") else {
        println!("append: set LOOKFAR_DATA to the folder with the data packs; nothing measured");
        return;
    };
    let pages = pages(Path::new(&data));
    let (copying, _) = append_all(&pages, Writing::Copy);
    println!("copying: {:.3} CPU-s per 1,000 pages", copying.as_secs_f64());
    let packed: Vec<Vec<u8>> = pages.iter().map(|page| gzip(page)).collect();
    for (name, bodies) in [("plain bodies", &pages), ("gzip bodies", &packed)] {
        let (time, size) = append_all(bodies, Writing::Archive);
        let ratio = time.as_secs_f64() / copying.as_secs_f64();
        let percent = size * 100 / (PAGE * NUM_PAGES) as u64;
        let seconds = time.as_secs_f64();
        println!(
            "append, {name}: {seconds:.3} CPU-s, {ratio:.1} × copying, {percent} % of the size"
        );
    }
}

#[derive(Clone, Copy)]
enum Writing {
    Copy,
    Archive,
}

fn append_all(bodies: &[Vec<u8>], writing: Writing) -> (Duration, u64) {
    let folder = tempfile::tempdir().unwrap();
    let url = Url::parse("http://a.example/").unwrap();
    let mut plain = fs::File::create(folder.path().join("plain")).unwrap();
    let mut writer = Writer::open(&folder.path().join("archive"), Options::default()).unwrap();
    let start = cpu_time();
    for body in bodies {
        match writing {
            Writing::Copy => plain.write_all(body).unwrap(),
            Writing::Archive => {
                let response = Response {
                    url: &url,
                    fetched: Timestamp::from_millis(1_763_285_400_000),
                    address: Some(IpAddr::V4(Ipv4Addr::LOCALHOST)),
                    request: b"GET / HTTP/1.1\r\nHost: a.example\r\n\r\n",
                    head: b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n",
                    body,
                    cut: None,
                };
                writer.append(&response).unwrap();
            }
        }
    }
    writer.sync().unwrap();
    plain.sync_all().unwrap();
    let time = cpu_time() - start;
    drop(writer);
    (time, base::file::size_below(&folder.path().join("archive")))
}

fn gzip(page: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::new(6));
    encoder.write_all(page).unwrap();
    encoder.finish().unwrap()
}

/// Returns pieces of real pages.
fn pages(data: &Path) -> Vec<Vec<u8>> {
    let mut files = Vec::new();
    html_below(&data.join("readability"), &mut files);
    files.sort();
    let all: Vec<u8> = files.iter().flat_map(|path| fs::read(path).unwrap()).collect();
    (0..NUM_PAGES).map(|page| all[page * PAGE % (all.len() - PAGE)..][..PAGE].to_vec()).collect()
}

fn html_below(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            html_below(&path, found);
        } else if path.ends_with("source.html") {
            found.push(path);
        }
    }
}

/// Returns the time that this thread has had on a processor.
fn cpu_time() -> Duration {
    let text = fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    Duration::from_nanos(text.split(' ').next().unwrap().parse().unwrap())
}
