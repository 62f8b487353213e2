//! One way of ranking, done by a process of its own: its CPU time and memory are its own.

use std::fs;
use std::hint::black_box;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use graph::{InLinks, Packed, PageRankOptions, Precision};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::rmat::Raw;
use crate::{BETA, TOLERANCE, usage};

/// Who ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Part {
    /// This crate.
    Ours,
    /// This crate with 32 bits per share.
    Single,
    /// A plain loop after the GAP benchmark suite.
    Pull,
}

/// Has glibc give back what is freed of large blocks, in ours and in Python alike: otherwise it keeps
/// up to 32 MiB of what was held to read the graph, and that would count as held while ranking.
pub(crate) const GIVES_BACK: [(&str, &str); 1] = [("MALLOC_MMAP_THRESHOLD_", "131072")];

/// A way to rank and what it works on.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Job {
    pub(crate) part: Part,
    pub(crate) graph: PathBuf,
    /// Where the ranks are written, as 64-bit floats.
    pub(crate) ranks: PathBuf,
}

/// What ranking took, without reading the graph.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Measured {
    pub(crate) iterations: u32,
    pub(crate) cpu_seconds: f64,
    pub(crate) seconds: f64,
    /// Memory held while ranking, above what was held before the graph was read.
    pub(crate) bytes: u64,
    /// CPU time of packing the graph, which is not part of the above.
    #[serde(default)]
    pub(crate) packing: f64,
}

impl Measured {
    pub(crate) fn cpu_per_iteration(&self) -> f64 {
        self.cpu_seconds / f64::from(self.iterations)
    }

    /// As [`Self::cpu_per_iteration`], with its part of packing.
    pub(crate) fn cpu_with_packing(&self) -> f64 {
        (self.cpu_seconds + self.packing) / f64::from(self.iterations)
    }
}

impl Job {
    /// Has a process do the job.
    pub(crate) fn run(&self) -> Measured {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--job", &serde_json::to_string(self).unwrap()]).stdout(Stdio::piped());
        command.envs(GIVES_BACK);
        let output = command.stderr(Stdio::inherit()).output().unwrap();
        assert!(output.status.success(), "{:?} failed", self.part);
        serde_json::from_slice(&output.stdout).unwrap()
    }

    /// Does the job in this process.
    pub(crate) fn carry_out(&self) {
        // The threads' stacks are no part of the graph.
        rayon::broadcast(|_| ());
        let before = resident();
        let (measured, scores) = match self.part {
            Part::Ours => ours(&self.graph, Precision::Double, before),
            Part::Single => ours(&self.graph, Precision::Single, before),
            Part::Pull => pull(&self.graph, before),
        };
        write_ranks(&self.ranks, &scores);
        println!("{}", serde_json::to_string(&measured).unwrap());
    }
}

fn ours(graph: &Path, precision: Precision, before: u64) -> (Measured, Vec<f64>) {
    let raw = Raw::open(graph);
    let links = InLinks::from_arcs(raw.num_nodes() as u32, raw.arcs()).unwrap();
    drop(raw);
    let cpu = usage::cpu_time();
    let packed = Packed::new(&links).expect("the graph is large enough");
    let packing = (usage::cpu_time() - cpu).as_secs_f64();
    drop(links);
    let (beta, tolerance) = (BETA, TOLERANCE);
    let options = PageRankOptions { beta, tolerance, precision, ..PageRankOptions::default() };
    let mut held = 0;
    let (began, cpu) = (Instant::now(), usage::cpu_time());
    let ranks = packed.pagerank_with(&options, |iteration| {
        if iteration.number == 3 {
            held = resident();
        }
        ControlFlow::Continue(())
    });
    let ranks = ranks.unwrap();
    let measured = Measured {
        iterations: ranks.log.len() as u32,
        cpu_seconds: (usage::cpu_time() - cpu).as_secs_f64(),
        seconds: began.elapsed().as_secs_f64(),
        bytes: held.saturating_sub(before),
        packing,
    };
    assert!(ranks.converged);
    black_box(&packed);
    (measured, ranks.scores)
}

/// Two sweeps per step: what each node gives along a link, then what each node is given.
fn pull(graph: &Path, before: u64) -> (Measured, Vec<f64>) {
    const CHUNK: usize = 16_384;
    let raw = Raw::open(graph);
    let size = raw.num_nodes();
    let mut degrees = vec![0u32; size];
    raw.sources.iter().for_each(|source| degrees[*source as usize] += 1);
    let (mut held, mut iterations) = (0, 0);
    let (began, cpu) = (Instant::now(), usage::cpu_time());
    let mut scores = vec![1.0 / size as f64; size];
    let mut shares = vec![0.0; size];
    loop {
        let dead: f64 = shares
            .par_chunks_mut(CHUNK)
            .zip(scores.par_chunks(CHUNK))
            .zip(degrees.par_chunks(CHUNK))
            .map(|((shares, scores), degrees)| {
                let mut dead = 0.0;
                for ((share, score), degree) in shares.iter_mut().zip(scores).zip(degrees) {
                    match degree {
                        0 => dead += score,
                        _ => *share = score / f64::from(*degree),
                    }
                }
                dead
            })
            .sum();
        let base = (1.0 - BETA + BETA * dead) / size as f64;
        let shares = &shares;
        let moved: f64 = scores
            .par_chunks_mut(CHUNK)
            .enumerate()
            .map(|(chunk, scores)| {
                let mut moved = 0.0;
                for (place, score) in scores.iter_mut().enumerate() {
                    let sources = raw.sources(chunk * CHUNK + place);
                    let sum: f64 = sources.iter().map(|source| shares[*source as usize]).sum();
                    let next = base + BETA * sum;
                    moved += (next - *score).abs();
                    *score = next;
                }
                moved
            })
            .sum();
        iterations += 1;
        if iterations == 3 {
            held = resident();
        }
        if moved <= TOLERANCE {
            break;
        }
    }
    let measured = Measured {
        iterations,
        cpu_seconds: (usage::cpu_time() - cpu).as_secs_f64(),
        seconds: began.elapsed().as_secs_f64(),
        bytes: held.saturating_sub(before),
        packing: 0.0,
    };
    (measured, scores)
}

/// Returns the bytes of memory that this process holds now.
fn resident() -> u64 {
    const PAGE: u64 = 4_096;
    let text = fs::read_to_string("/proc/self/statm").unwrap();
    PAGE * text.split(' ').nth(1).unwrap().parse::<u64>().unwrap()
}

fn write_ranks(path: &Path, scores: &[f64]) {
    let bytes: Vec<u8> = scores.iter().flat_map(|score| score.to_le_bytes()).collect();
    fs::write(path, bytes).unwrap();
}

pub(crate) fn read_ranks(path: &Path) -> Vec<f64> {
    let bytes = fs::read(path).unwrap();
    let number = |bytes: &[u8]| f64::from_le_bytes(bytes.try_into().unwrap());
    bytes.chunks_exact(8).map(number).collect()
}
