//! What archiving costs, by the level of compression.
//!
//! Measured by hand, with `LOOKFAR_DATA` set:
//! `cargo test --release -p archive speed -- --ignored --nocapture`.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use flate2::Compression;
use flate2::write::GzEncoder;

use crate::support::{Fetch, folder, open};

/// Bytes of a page.
const PAGE: usize = 40_000;
const NUM_PAGES: usize = 1_000;

#[test]
#[ignore = "measures"]
fn cost_of_a_thousand_pages() {
    let pages = pages();
    for level in 0..=6 {
        let start = cpu_time();
        let mut size = 0;
        for page in &pages {
            let mut encoder = GzEncoder::new(Vec::new(), Compression::new(level));
            encoder.write_all(page).unwrap();
            size += encoder.finish().unwrap().len();
        }
        report(&format!("gzip level {level}"), cpu_time() - start, size);
    }
    append_all("whole append, plain bodies", &pages);
    let packed: Vec<Vec<u8>> = pages.iter().map(|page| gzip(page)).collect();
    append_all("whole append, gzip bodies", &packed);
}

fn append_all(name: &str, bodies: &[Vec<u8>]) {
    let folder = folder();
    let mut writer = open(folder.path());
    let start = cpu_time();
    let mut fetch = Fetch::number(1);
    for body in bodies {
        fetch.body.clone_from(body);
        writer.append(&fetch.response()).unwrap();
    }
    writer.sync().unwrap();
    let size = fs::metadata(folder.path().join("0000001.warc.gz")).unwrap().len();
    report(name, cpu_time() - start, size as usize);
}

fn report(name: &str, time: Duration, size: usize) {
    let percent = size * 100 / (PAGE * NUM_PAGES);
    eprintln!("{name}: {:.3} CPU-s per 1,000 pages, {percent} % of the size", time.as_secs_f64());
}

fn gzip(page: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::new(6));
    encoder.write_all(page).unwrap();
    encoder.finish().unwrap()
}

/// Returns pieces of real pages.
fn pages() -> Vec<Vec<u8>> {
    let data = std::env::var_os("LOOKFAR_DATA").expect("set LOOKFAR_DATA");
    let mut files = Vec::new();
    html_below(&Path::new(&data).join("readability"), &mut files);
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
