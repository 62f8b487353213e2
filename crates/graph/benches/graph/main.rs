//! What does PageRank cost, beside what others need for the same ranks, and how small is a graph?
//!
//! `cargo xtask bench graph [--rounds 3] [--large] [--nodes 1000000] [--arcs 20000000]
//! [--no-python] [--only-ranks] [--only-size] [--only-ceiling] [--ceiling 16]`, on Linux. RMAT graphs (seeded; `--large` adds
//! one of 5 M nodes and 100 M arcs) and, where `LOOKFAR_DATA` is set, cnr-2000 are ranked to 1e-6 in L1, β 0.85,
//! rank of dead ends spread,
//!
//! - (a) by this crate;
//! - (b) by a plain pull loop, after the GAP benchmark suite's;
//! - (c) by scipy's sparse matrix times vector;
//! - (d) by networkit;
//! - (e) by this crate with 32 bits for what a link carries;
//! - (f) by graph-tool, where `/usr/bin/python3`, or what `GRAPH_TOOL_PYTHON` names, has it.
//!
//! Each is a process of its own. What counts is its CPU time per step, all threads, user and
//! system, without reading the graph: the middle one of all rounds, in each of which all graphs have
//! their turn, so that a machine that slows down does so for all; and the memory that it holds
//! meanwhile, above what it held before it read the graph. What (a) and (e) take to pack the graph,
//! once per ranking, is told beside it, and what a step takes with its part of that. Then cnr-2000 goes through our own
//! build: a page log with made-up addresses in the order of its nodes, whose compressed graph is
//! set beside the published one, and is ranked from memory and from disk. Last, a graph of ten
//! times the build's ceiling (`--ceiling`, in MiB) is built, and the memory it takes is told.
//!
//! Aims: a ≤ c, a ≤ d / 2, a ≤ f / 2 in CPU time; a ≤ c / 3 in memory; no rank differs by more
//! than 1e-6; time per arc of the large graph within 25 % of that of the small one: `--large` tells that
//! ratio, without packing and with it.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a bench that fails should say so")]

mod ceiling;
mod job;
mod python;
#[path = "../help/random.rs"]
mod random;
mod rmat;
mod size;
#[allow(dead_code, reason = "shared with benches that use all of it")]
#[path = "../../../crawl/benches/help/usage.rs"]
mod usage;

use std::path::{Path, PathBuf};

use graph::{InLinks, Named};
use job::{Job, Measured, Part};

const BETA: f64 = 0.85;
const TOLERANCE: f64 = 1e-6;
const SEED: u64 = 2_026;

fn main() {
    if let Some(job) = text("--job") {
        return serde_json::from_str::<Job>(&job).unwrap().carry_out();
    }
    if ceiling::carry_out() {
        return;
    }
    if is_given("--only-ceiling") {
        return ceiling::measure();
    }
    let cnr = cnr();
    if !is_given("--only-size") {
        let (nodes, arcs) = (number("--nodes", 1_000_000), number("--arcs", 20_000_000));
        let rounds = number("--rounds", 3).max(1);
        let mut cases = vec![Case::new("RMAT", &rmat::rmat(nodes as u32, arcs, SEED))];
        if is_given("--large") {
            cases.push(Case::new("RMAT", &rmat::rmat(5_000_000, 100_000_000, SEED)));
        }
        let cnr = cnr.as_ref().map(|cnr| Case::new("cnr-2000", cnr.links().in_links()));
        cases.extend(cnr);
        for _ in 0..rounds {
            cases.iter_mut().for_each(Case::take_a_turn);
        }
        let measured: Vec<_> = cases.into_iter().map(Case::print).collect();
        if is_given("--large") {
            print_growth(&measured[0], &measured[1]);
        }
    }
    if is_given("--only-ranks") {
        return;
    }
    match cnr {
        Some(cnr) => size::measure(&cnr),
        None => println!("cnr-2000: not measured, because LOOKFAR_DATA is not set"),
    }
    if !is_given("--only-size") {
        ceiling::measure();
    }
}

/// One graph, ranked in all ways.
struct Case {
    name: &'static str,
    num_nodes: u32,
    num_arcs: u64,
    folder: tempfile::TempDir,
    runs: [Vec<Result<Measured, String>>; WHO.len()],
}

impl Case {
    fn new(name: &'static str, links: &InLinks) -> Self {
        let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        rmat::write(links, &folder.path().join("graph"));
        let (num_nodes, num_arcs) = (links.num_nodes(), links.num_arcs());
        Self { name, num_nodes, num_arcs, folder, runs: Default::default() }
    }

    fn ranks(&self, number: usize) -> PathBuf {
        self.folder.path().join(format!("ranks-{number}"))
    }

    fn take_a_turn(&mut self) {
        let graph = self.folder.path().join("graph");
        for number in 0..WHO.len() {
            let measured = take(number, &graph, &self.ranks(number));
            self.runs[number].push(measured);
        }
    }

    /// Prints the middle runs; returns how many arcs there are, and them.
    fn print(mut self) -> (u64, [Option<Measured>; WHO.len()]) {
        println!("\n{}: {} nodes, {} arcs\n{HEAD}", self.name, self.num_nodes, self.num_arcs);
        let mut all = [None; WHO.len()];
        for (number, who) in WHO.into_iter().enumerate() {
            match middle(std::mem::take(&mut self.runs[number])) {
                Ok(measured) => {
                    let differences = differences(&self.ranks(0), &self.ranks(number));
                    print(who, &measured, self.num_arcs, &differences);
                    all[number] = Some(measured);
                }
                Err(why) => println!("{who:<14} not measured, because {why}"),
            }
        }
        (self.num_arcs, all)
    }
}

/// Prints how many times as long an arc takes in a step of the large graph as in one of the small.
fn print_growth(
    (small_arcs, small): &(u64, [Option<Measured>; WHO.len()]),
    (large_arcs, large): &(u64, [Option<Measured>; WHO.len()]),
) {
    println!("\ntime per arc and step, large to small: without packing, with it");
    for ((who, small), large) in WHO.iter().zip(small).zip(large) {
        let (Some(small), Some(large)) = (small, large) else { continue };
        let ratio = |cost: fn(&Measured) -> f64| {
            cost(large) / *large_arcs as f64 / (cost(small) / *small_arcs as f64)
        };
        let with_packing = ratio(Measured::cpu_with_packing);
        println!("{who:<14} {:.2} {with_packing:.2}", ratio(Measured::cpu_per_iteration));
    }
}

const WHO: [&str; 6] =
    ["(a) ours", "(e) 32 bits", "(b) pull loop", "(c) scipy", "(d) networkit", "(f) graph-tool"];
const HEAD: &str = "               steps  CPU-s  CPU-ms/step  ns/arc/step  bytes/arc  seconds  \
                    packing CPU-s  ms/step with it  largest difference, sum";

fn take(number: usize, graph: &Path, ranks: &Path) -> Result<Measured, String> {
    let job = |part| Job { part, graph: graph.to_owned(), ranks: ranks.to_owned() };
    match number {
        0 => Ok(job(Part::Ours).run()),
        1 => Ok(job(Part::Single).run()),
        2 => Ok(job(Part::Pull).run()),
        _ if is_given("--no-python") => Err("it was not asked for".to_owned()),
        3 => python::rank("scipy", graph, ranks),
        4 => python::rank("networkit", graph, ranks),
        _ => python::rank("graph-tool", graph, ranks),
    }
}

/// Returns the run with the middle CPU time per step.
fn middle(runs: Vec<Result<Measured, String>>) -> Result<Measured, String> {
    let mut runs = runs.into_iter().collect::<Result<Vec<_>, _>>()?;
    runs.sort_by(|a, b| a.cpu_per_iteration().total_cmp(&b.cpu_per_iteration()));
    Ok(runs[runs.len() / 2])
}

/// Returns the largest difference of two vectors, and the sum of all.
fn differences(one: &Path, other: &Path) -> (f64, f64) {
    let (one, other) = (job::read_ranks(one), job::read_ranks(other));
    assert_eq!(one.len(), other.len());
    let differences = one.iter().zip(&other).map(|(one, other)| (one - other).abs());
    differences.fold((0.0, 0.0), |(most, sum), next| (next.max(most), sum + next))
}

fn print(who: &str, measured: &Measured, num_arcs: u64, differences: &(f64, f64)) {
    let per_step = measured.cpu_per_iteration();
    println!(
        "{who:<14} {:>5} {:>6.2} {:>12.2} {:>12.2} {:>10.2} {:>8.2} {:>14.2} {:>16.2}  {:.1e}, {:.1e}",
        measured.iterations,
        measured.cpu_seconds,
        per_step * 1e3,
        per_step * 1e9 / num_arcs as f64,
        measured.bytes as f64 / num_arcs as f64,
        measured.seconds,
        measured.packing,
        measured.cpu_with_packing() * 1e3,
        differences.0,
        differences.1,
    );
}

fn cnr() -> Option<Named> {
    let folder = PathBuf::from(std::env::var_os("LOOKFAR_DATA")?).join("graphs/cnr-2000");
    Some(Named::open(&folder.join("cnr-2000.graph"), None, &mut |_, _| ()).unwrap())
}

/// Returns what stands behind an option on the command line.
fn text(name: &str) -> Option<String> {
    std::env::args().skip_while(|argument| argument != name).nth(1)
}

fn number(name: &str, default: u64) -> u64 {
    text(name).map_or(default, |text| text.parse().unwrap())
}

fn is_given(name: &str) -> bool {
    std::env::args().any(|argument| argument == name)
}
