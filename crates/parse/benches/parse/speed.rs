//! CPU time of each step of reading real pages.
//!
//! The yardstick is the tree that another library builds, which does not change when ours gets
//! faster; without one it is our own tree.

use std::hint::black_box;

use base::Block;
use parse::{Options, Parsed};
use text::Analyzer;

use super::help::{option, read_with};
use super::{pages, usage};

/// Names of the steps, and the CPU time of each.
type Costs = Vec<(&'static str, f64)>;

/// A library that builds the tree of a page: what the step is called, and the step.
pub(crate) type Library = (&'static str, fn(&str));

/// Measures as often as the command line says; the first step is what all are held against.
pub(crate) fn run(library: Option<Library>) {
    let rounds = option("--rounds").map_or(3, |text| text.parse().unwrap());
    let mut set = Vec::new();
    for (variable, name) in [
        ("LOOKFAR_DOCS", pages::PYTHON),
        ("LOOKFAR_DOCS", pages::POSTGRESQL),
        ("LOOKFAR_DATA", "webkb/webkb-raw"),
    ] {
        if let Some(folder) = pages::folder(variable, name) {
            let bodies = pages::pages(&folder);
            report(name, &bodies, rounds, library);
            set.extend(bodies);
        }
    }
    if !set.is_empty() {
        report("all", &set, rounds, library);
    }
}

fn report(name: &str, bodies: &[Vec<u8>], rounds: usize, library: Option<Library>) {
    let bytes: usize = bodies.iter().map(Vec::len).sum();
    println!("speed: {name}, {} pages, {:.1} MB", bodies.len(), bytes as f64 / 1e6);
    let all: Vec<Costs> = (0..rounds.max(1)).map(|_| round(bodies, library)).collect();
    let middle = |step: usize| {
        let mut times: Vec<f64> = all.iter().map(|costs| costs[step].1).collect();
        times.sort_by(f64::total_cmp);
        times[times.len() / 2]
    };
    let yardstick = middle(0);
    for (step, (what, _)) in all[0].iter().enumerate() {
        let time = middle(step);
        println!(
            "  {:>7.3} CPU-s per 1,000 pages  {:>5.2} x the first  {:>6.1} MB per CPU-s  {what}",
            1_000.0 * time / bodies.len() as f64,
            time / yardstick,
            bytes as f64 / 1e6 / time,
        );
    }
}

fn round(bodies: &[Vec<u8>], library: Option<Library>) -> Costs {
    let options = Options::default();
    let plain = Options { finds_main: false, ..Options::default() };
    let texts: Vec<String> =
        bodies.iter().map(|body| String::from_utf8_lossy(body).into_owned()).collect();
    let mut costs = Costs::new();
    if let Some((name, tree)) = library {
        costs.push((name, usage::measure(|| texts.iter().for_each(|text| tree(text)))));
    }
    let ours = || {
        for text in &texts {
            black_box(parse::bench::tree(text, &options));
        }
    };
    costs.push(("tree alone, ours", usage::measure(ours)));
    drop(texts);
    let mut records: Vec<Parsed> = Vec::new();
    for body in bodies {
        records.push(read_with(body, &options));
    }
    costs.push(("full page record", usage::measure(|| all(bodies, &options))));
    costs.push(("full record without main content", usage::measure(|| all(bodies, &plain))));
    costs.push(("analysis of the blocks", usage::measure(|| records.iter().for_each(analyse))));
    let prints = || {
        for record in &records {
            black_box(parse::bench::fingerprint(&record.blocks));
        }
    };
    costs.push(("fingerprints", usage::measure(prints)));
    costs
}

fn all(bodies: &[Vec<u8>], options: &Options) {
    for body in bodies {
        black_box(read_with(body, options));
    }
}

fn analyse(record: &Parsed) {
    let analyzer = Analyzer::new(record.language);
    let mut words = 0;
    for Block { text, .. } in &record.blocks {
        analyzer.for_each(text, |word| words += word.stem.len());
    }
    black_box(words);
}
