//! Pages of PDF per CPU-second, read in this process: what the child costs besides is its start.

use std::fs;
use std::hint::black_box;
use std::panic::catch_unwind;
use std::path::PathBuf;

use base::ContentKind;
use parse::document::{self, Limits};

use super::{pages, usage};

/// Reads all of them so often that the clock, which counts hundredths, can tell.
const LEAST_SECONDS: f64 = 2.0;

pub(crate) fn run() {
    let Some(pack) = pages::folder("LOOKFAR_DATA", "tika-office") else { return };
    let bodies: Vec<Vec<u8>> = files(pack)
        .iter()
        .map(|path| fs::read(path).unwrap())
        .filter(|body| is_sound(body))
        .collect();
    let num_pages: usize = bodies.iter().map(|body| num_pages(body)).sum();
    let bytes: usize = bodies.iter().map(Vec::len).sum();
    let (mut rounds, mut time) = (0, 0.0);
    while time < LEAST_SECONDS {
        time += usage::measure(|| bodies.iter().for_each(|body| read(body)));
        rounds += 1;
    }
    let time = time / f64::from(rounds);
    println!("documents: {} PDFs, {num_pages} pages, {:.1} MB", bodies.len(), bytes as f64 / 1e6);
    println!(
        "  {:>6.1} pages per CPU-s  {:>5.1} MB per CPU-s  {rounds} rounds",
        num_pages as f64 / time,
        bytes as f64 / 1e6 / time
    );
}

fn read(body: &[u8]) {
    black_box(document::read(ContentKind::Pdf, body, &Limits::default()));
}

/// Returns whether a file can be read outside of the process made for it.
fn is_sound(body: &[u8]) -> bool {
    num_pages(body) > 0 && catch_unwind(|| read(body)).is_ok()
}

/// Returns how many pages a file has; none if it cannot be opened.
fn num_pages(body: &[u8]) -> usize {
    lopdf::Document::load_mem(body).map_or(0, |document| document.get_pages().len())
}

/// Returns the PDFs below a folder, in the order of their paths.
fn files(folder: PathBuf) -> Vec<PathBuf> {
    let mut folders = vec![folder];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("pdf")) {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}
